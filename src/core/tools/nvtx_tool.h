/* SPDX-License-Identifier: BSD-2-Clause
 * The built-in tool "nvtx": events as nested NVTX ranges of the calling thread.
 */
#pragma once

#include "core/context/context.h"

/* PL_ERR_OPTION if NVIDIA's library of ranges is not found. */
pl_err pl_nvtx_open(pl_context *pl, pl_tool *tool, void **library);
