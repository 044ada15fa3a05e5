/* SPDX-License-Identifier: BSD-2-Clause
 * The order of rows in products, and of the columns that each row sums.
 */
#pragma once

#include "sparsity.h"

/* The rows, on several ranks as a subset that begins with those whose columns this rank owns: they run while
 * the halo is exchanged. Collective. */
pl_err pl_interior_rows(pl_sparsity *sparsity, pl_set **rows);

/* Whether products sum each row in the order of global column indices by maps of the sparsity: option
 * reproducible is set and some rank stores columns in another order. Makes the maps on first use. Collective.
 */
pl_err pl_sparsity_reorders(pl_sparsity *sparsity, bool *reorders);
