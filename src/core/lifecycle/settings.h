/* SPDX-License-Identifier: BSD-2-Clause
 * Options of all ranks.
 */
#pragma once

#include "plait.h"

/* Fails on all ranks if an option that decides about communication differs between them. Collective. */
pl_err pl_options_compare(pl_context *pl);
