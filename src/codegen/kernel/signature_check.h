/* SPDX-License-Identifier: BSD-2-Clause
 * Checks a kernel's signature against the arguments of a loop.
 */
#pragma once

#include "signature.h"

/* The signature of a loop, bound; freed by pl_signature_free. */
pl_err pl_loop_signature(const pl_loop *loop, pl_signature *signature);

/* Checks the type, constness and use of parameter `number` (from 1) against an argument that `object` names.
 */
pl_err pl_signature_check_values(pl_context *pl, const pl_kernel *kernel, int number, const pl_param *param,
                                 const pl_arg *arg, const char *object);

/* Checks the signature against the loop's arguments and sets the type of pl_real. Errors: PL_ERR_KERNEL
 * (count, shape), PL_ERR_TYPE, PL_ERR_ACCESS (constness). */
pl_err pl_signature_bind(pl_context *pl, const pl_loop *loop, pl_signature *signature);
