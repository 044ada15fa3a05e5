/* SPDX-License-Identifier: BSD-2-Clause
 * Matrices. The values of a matrix are a dat on the sparsity's set `slots`, one element for each value, and
 * loops access them through maps of positions; so every backend assembles matrices as it increments dats.
 */
#pragma once

#include "sparsity.h"

struct pl_mat {
  pl_node node;
  pl_sparsity *sparsity;
  pl_type type;
  pl_dat *values;  /* NULL before the sparsity is built */
  bool on_devices; /* all ranks run loops on devices */
  pl_mat_state state;
  pl_dat *sliced; /* a copy of the values in slices (mat_slices.h); NULL: none yet */
  bool multiplied;
  uint64_t sliced_version, multiplied_version; /* of `values`, at the last copy and the last product */
};

/* Builds the sparsity and the dat of the values. Collective. */
pl_err pl_mat_ready(pl_mat *mat);

/* Registered by pl_init: matrices as arguments of loops; objects that are freed. */
extern const pl_observer pl_matrix_observer;
