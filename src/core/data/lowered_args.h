/* SPDX-License-Identifier: BSD-2-Clause
 * Arguments that loops of the library do not have: a matrix becomes the dat of its values, accessed through a
 * map from elements to the positions of their local tensors; before, a mixed dat or matrix becomes its parts.
 */
#pragma once

#include "arg_info.h"
#include "core/mesh/map.h"
#include "loop_object.h"

/* A call without such arguments. */
typedef struct pl_lowered {
  const pl_kernel *kernel;
  int nargs;
  pl_arg *args; /* pl_free it */
} pl_lowered;

bool pl_args_are_lowered(int nargs, const pl_arg *args);

/* Errors name the loop and the argument, and leave nothing to free. Collective. */
pl_err pl_args_lower(const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args,
                     pl_lowered *lowered);

/* For a call that runs at once: a loop that alone adds to a matrix of zeros is one of pl_arg_zeroed, so that
 * devices store its sums. */
void pl_lowered_take_zeros(pl_lowered *lowered);

/* An argument on the values of a matrix. */
static inline bool pl_arg_is_tensor(const pl_arg *arg)
{
  return arg->kind == PL_ARG_DAT && arg->map && arg->map->tensor[0];
}

/* Before another call of a loop: positions follow the masks of its matrices. Collective. */
pl_err pl_loop_refresh(const pl_loop *loop);

/* After a call of a loop: notes how its matrices are modified, unless it failed. Returns `err`. */
pl_err pl_loop_modified(const pl_loop *loop, pl_err err);
