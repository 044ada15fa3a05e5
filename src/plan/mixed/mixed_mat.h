/* SPDX-License-Identifier: BSD-2-Clause
 * Mixed matrices. A matrix that the program frees is NULL in the list.
 */
#pragma once

#include "core/context/observer.h"
#include "mixed_dat.h"
#include "mixed_map.h"

struct pl_mixed_mat {
  pl_node node;
  pl_type type;
  pl_mixed_form form;
  pl_mixed_set *side[2];   /* rows, columns */
  pl_mat **block;          /* nested: rows->n * columns->n */
  pl_mat *whole;           /* of PL_MIXED_WHOLE */
  pl_dat **product[2];     /* nested: of one block, for each part of a side; each on first use */
  pl_dat *whole_vector[2]; /* on first use */
};

/* PL_ERR_STATE if a matrix was freed. */
pl_err pl_mixed_mat_check(const pl_mixed_mat *mat);

/* Registered by pl_init: objects that are freed. */
extern const pl_observer pl_mixed_observer;
