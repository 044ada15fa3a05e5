/* SPDX-License-Identifier: BSD-2-Clause
 * Loops without a run-time compiler: element by element, by the kernel that the user's compiler has compiled.
 */
#pragma once

#include "backends/host/host.h"

/* PL_ERR_KERNEL if the compiled kernel does not fit the loop; `why` there is no compiler. */
pl_err pl_interpreted_check(const pl_loop *loop, const pl_signature *signature, const char *why);
size_t pl_interpreted_scratch(const pl_loop *loop);                     /* bytes for a worker */
size_t pl_interpreted_bytes(const pl_arg *arg);                         /* of the values of a target */
char *pl_interpreted_values(const pl_arg *arg, int target);             /* in the dat; NULL: no target */
void pl_interpreted_call(pl_kernel_fn function, int n, void *const *p); /* with n pointers */
void pl_interpreted_run(const pl_host_code *code, pl_worker *worker, int begin, int end, const int *list);
