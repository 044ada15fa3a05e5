/* SPDX-License-Identifier: BSD-2-Clause
 * What the programs that measure matrices share: the Laplacian on triangles (P1) and elasticity on tetrahedra
 * with blocks of 3 x 3, a Laplacian with 27 values a row on cubes, and the clock. On several ranks each
 * declares a strip of one mesh.
 */
#pragma once

#include "plait.h"

#include <stdbool.h>

/* The stiffness of a triangle's hat functions, for matrices of the type `real`. */
#define STIFFNESS_KERNEL(name, real)                                                                         \
  PL_KERNEL(name, (const double x[3][2], real A[3][3]), {                                                    \
    double b[3], c[3];                                                                                       \
    for (int i = 0; i < 3; i++) {                                                                            \
      b[i] = x[(i + 1) % 3][1] - x[(i + 2) % 3][1];                                                          \
      c[i] = x[(i + 2) % 3][0] - x[(i + 1) % 3][0];                                                          \
    }                                                                                                        \
    const double scale = 1 / (2 * (b[0] * c[1] - b[1] * c[0]));                                              \
    for (int i = 0; i < 3; i++)                                                                              \
      for (int j = 0; j < 3; j++) A[i][j] += (real)(scale * (b[i] * b[j] + c[i] * c[j]));                    \
  })

enum { MATRIX_CALLS = 25, MATRIX_ROUNDS = 3, MATRIX_ITERATIONS = 200 };

typedef struct matrix_problem {
  pl_context *pl;
  const pl_kernel *kernel;
  int dim, values, corners; /* coordinates of a node; of a node's unknown; nodes of a cell */
  int64_t all_cells, first_cell, ncell, first_node, nnode; /* of all ranks; of this rank */
  int *corners_of;                                         /* of each cell of this rank */
  double *place;                                           /* of each node of this rank */
  pl_set *cells, *nodes;
  pl_map *corner;
  pl_dat *x, *u, *y; /* coordinates; dats of the unknown: ones, zeros */
} matrix_problem;

/* Begins the library and declares the problem that the arguments name: [elastic | cubes] [size]. */
void matrix_problem_open(matrix_problem *m, int argc, char **argv);
void matrix_problem_close(matrix_problem *m);

/* The pattern of the problem, and a matrix of zeros. */
void matrix_decl(const matrix_problem *m, pl_sparsity **sparsity, pl_mat **A);
/* Assembles the matrix from zeros. */
void matrix_assemble(const matrix_problem *m, pl_mat *A);
void matrix_zero_and_add(const matrix_problem *m, pl_mat *A);
/* y = A u without the matrix, for triangles. */
void matrix_apply(const matrix_problem *m, pl_dat *u, pl_dat *y);
/* Raises the diagonal, since the problems have no boundary conditions, and leaves it in `diagonal`. */
void matrix_make_definite(const matrix_problem *m, pl_mat *A, pl_dat *diagonal);
/* A right-hand side without symmetry, which the caller frees. */
double *matrix_right_side(const matrix_problem *m);
/* Seconds of MATRIX_ITERATIONS iterations of conjugate gradients with the diagonal as preconditioner, from
 * zero to m->u. */
double matrix_solve(const matrix_problem *m, pl_solver *solver, pl_dat *right);
/* Declares the solver of matrix_solve. */
void matrix_decl_solver(const matrix_problem *m, pl_mat *A, pl_solver **solver);
/* Bytes that a product must move on this rank: values, columns of `column` bytes, x and y. */
double matrix_product_bytes(const matrix_problem *m, const pl_csr *csr, double column);
/* Bytes a second of a triad, in the fastest form or, on processors, with `plain` stores through the caches.
 */
double matrix_triad(const matrix_problem *m, bool plain);

double matrix_now(void); /* seconds */
/* Seconds since `start`, when all work is done. */
double matrix_since(const matrix_problem *m, double start);
/* Sets *best to `seconds` if these are less. */
void matrix_keep_less(double *best, double seconds);
