/* SPDX-License-Identifier: BSD-2-Clause
 * Functions that arithmetic of dats and arithmetic of globals share.
 */
#pragma once

#include "plait.h"

/* An internal global with the number, converted to `type`. Invariant: no recorded loop reads it with another
 * value. */
pl_err pl_number(pl_context *pl, pl_type type, double number, pl_global **global);

/* PL_ERR_ARG unless `op` is an operator. */
pl_err pl_check_operator(pl_context *pl, const char *what, pl_operator op);

/* to = from between different types of one set, as a loop. Collective. */
pl_err pl_dat_convert(pl_dat *from, pl_dat *to);
