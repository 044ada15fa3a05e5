/* SPDX-License-Identifier: BSD-2-Clause
 * Matrix arguments. The loops of the library have none: such an argument becomes the dat of the matrix's
 * values, accessed through a map from elements to the positions of their local tensors.
 */
#pragma once

#include "arg_info.h"

bool pl_args_have_matrix(int nargs, const pl_arg *args);

/* A copy of the arguments without matrices (pl_free it). Errors name the loop and the argument. Collective.
 */
pl_err pl_args_lower(const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args, pl_arg **lowered);

/* After a call: notes how its matrices are modified, unless it failed. Returns `err`. */
pl_err pl_args_modified(pl_context *pl, pl_err err, int nargs, const pl_arg *args);
