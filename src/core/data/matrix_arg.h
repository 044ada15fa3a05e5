/* SPDX-License-Identifier: BSD-2-Clause
 * Matrix arguments. The loops of the library have none: such an argument becomes the dat of the matrix's
 * values, accessed through a map from elements to the positions of their local tensors.
 */
#pragma once

#include "arg_info.h"
#include "core/mesh/map.h"
#include "loop_object.h"

bool pl_args_have_matrix(int nargs, const pl_arg *args);

/* A copy of the arguments without matrices (pl_free it). Errors name the loop and the argument. Collective.
 */
pl_err pl_args_lower(const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args, pl_arg **lowered);

/* An argument on the values of a matrix. */
static inline bool pl_arg_is_tensor(const pl_arg *arg)
{
  return arg->kind == PL_ARG_DAT && arg->map && arg->map->tensor[0];
}

/* After a call of a loop: notes how its matrices are modified, unless it failed. Returns `err`. */
pl_err pl_loop_modified(const pl_loop *loop, pl_err err);
