/* SPDX-License-Identifier: BSD-2-Clause
 * Checks of loop arguments that do not need the kernel's text.
 */
#pragma once

#include "core/context/context.h"

/* PL_ERR_ARG for arguments of the kernel or algorithm `name` with the layout of another version of plait.h.
 */
static inline pl_err pl_args_check_layout(pl_context *pl, const char *name, int nargs, const pl_arg *args)
{
  if (!args || nargs < 1 || args->size == (int)sizeof *args) return PL_SUCCESS;
  return pl_fail(
    pl, PL_ERR_ARG,
    "\"%s\": argument 1 was not created by a pl_arg_ function of version %s of Plait; compile the "
    "program with its headers",
    name, PLAIT_VERSION);
}

/* Check objects, sets, maps, accesses, and arguments on the same data, of a loop and of a pair loop. */
pl_err pl_args_check(pl_context *pl, const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args);
pl_err pl_pair_args_check(pl_context *pl, const pl_kernel *kernel, const pl_map *map, int nargs,
                          const pl_arg *args);

/* The set whose global indices argument i delivers: an element index, or the element that holds an extreme
 * with payload. NULL: none, or global indices are positions. */
const pl_set *pl_arg_numbered(const pl_loop *loop, int i);
