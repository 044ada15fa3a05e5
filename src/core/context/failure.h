/* SPDX-License-Identifier: BSD-2-Clause
 * An error that is kept, and returned again to later calls.
 */
#ifndef PLAIT_CORE_CONTEXT_FAILURE_H
#define PLAIT_CORE_CONTEXT_FAILURE_H

#include "plait.h"

typedef struct pl_failure {
  pl_err code;    /* PL_SUCCESS: none */
  char *sentence; /* NULL: there was no memory for it */
} pl_failure;

/* Keeps the context's last error, unless one is kept already. */
void pl_failure_keep(pl_context *pl, pl_failure *failure);

/* Makes the kept error the context's last one and returns its code. */
pl_err pl_failure_repeat(pl_context *pl, const pl_failure *failure);

/* The same, and the error is not kept any more. */
pl_err pl_failure_take(pl_context *pl, pl_failure *failure);

void pl_failure_clear(pl_context *pl, pl_failure *failure);

#endif
