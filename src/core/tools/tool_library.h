/* SPDX-License-Identifier: BSD-2-Clause
 * Shared libraries of tools.
 */
#pragma once

#include "core/context/context.h"

/* Loads a library that exports plait_tool_open, or the functions of a connector of Kokkos Tools, and opens
 * its tool. PL_ERR_OPTION if that fails. */
pl_err pl_tool_library_open(pl_context *pl, const char *name, pl_tool *tool, void **library);
void pl_tool_library_close(void *library); /* NULL is fine */
