/* SPDX-License-Identifier: BSD-2-Clause
 * The rows of a dat on the ranks that declared them.
 */
#pragma once

#include "plait.h"

/* Fetches the values of the rows that this rank declared, in declaration order, from their owners.
 * Collective. */
pl_err pl_rows_fetch(pl_dat *dat, void *values);
