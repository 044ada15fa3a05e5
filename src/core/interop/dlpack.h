/* SPDX-License-Identifier: BSD-2-Clause
 * Dats as tensors of DLPack, and back.
 */
#pragma once

#include "core/context/observer.h"

extern const pl_observer pl_dlpack_observer; /* tensors of freed dats lose them */
