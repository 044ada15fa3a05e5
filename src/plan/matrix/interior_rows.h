/* SPDX-License-Identifier: BSD-2-Clause
 * The rows of a matrix in the order in which ranks multiply.
 */
#pragma once

#include "sparsity.h"

/* The set over which a product loops: on several ranks all owned rows, first those that need no columns of
 * the halo, so that they run while x is exchanged. Local. */
pl_err pl_interior_rows(pl_sparsity *sparsity, pl_set **rows);
