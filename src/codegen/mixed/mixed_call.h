/* SPDX-License-Identifier: BSD-2-Clause
 * Calls of loops with mixed arguments.
 */
#pragma once

#include "core/context/observer.h"

/* Registered by pl_init: replaces mixed arguments. */
extern const pl_observer pl_mixed_call_observer;
