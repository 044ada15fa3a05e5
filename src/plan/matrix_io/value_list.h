/* SPDX-License-Identifier: BSD-2-Clause
 * The values of a matrix as a list of entries.
 */
#pragma once

#include "entries.h"
#include "plan/matrix/mat.h"

/* Add entries to the values of rows that this rank owns, of a matrix that is ready; only check that the
 * sparsity has them (else PL_ERR_RANGE, and no value has changed). Collective. */
pl_err pl_values_add(pl_mat *mat, const pl_entries *entries);
pl_err pl_values_check(const pl_mat *mat, const pl_entries *entries);

/* Lists all values of this rank's rows. Collective. */
pl_err pl_values_list(pl_mat *mat, pl_entries *entries);
