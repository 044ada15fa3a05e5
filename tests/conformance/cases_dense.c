/* SPDX-License-Identifier: BSD-2-Clause
 * Small systems of equations in kernels: inverse and solution with partial pivoting.
 */
#include "conformance.h"
#include <math.h>
#include <plait_fields.h>

/* The largest error of a * inverse = 1 and of the solution of a x = a (1, 2, ...); both determinants. */
#define DENSE(name, n, R, S)                                                                                 \
  PL_KERNEL(name, (const R *a, R *determinant, R *error), {                                                  \
    R copy[n * n];                                                                                           \
    R inverse[n * n];                                                                                        \
    R x[n];                                                                                                  \
    for (int i = 0; i < n; i++) {                                                                            \
      x[i] = 0;                                                                                              \
      for (int j = 0; j < n; j++) x[i] += a[i * n + j] * (j + 1);                                            \
    }                                                                                                        \
    for (int i = 0; i < n * n; i++) copy[i] = a[i];                                                          \
    determinant[0] = pl_dense_solve##S(n, copy, 1, x);                                                       \
    for (int i = 0; i < n * n; i++) copy[i] = a[i];                                                          \
    determinant[1] = pl_dense_inverse##S(n, copy, inverse);                                                  \
    for (int i = 0; i < n; i++) {                                                                            \
      error[0] = fmax(error[0], fabs(x[i] - (i + 1)));                                                       \
      for (int j = 0; j < n; j++) {                                                                          \
        R sum = i == j ? -1 : 0;                                                                             \
        for (int k = 0; k < n; k++) sum += a[i * n + k] * inverse[k * n + j];                                \
        error[0] = fmax(error[0], fabs(sum));                                                                \
      }                                                                                                      \
    }                                                                                                        \
  })
DENSE(dense_2, 2, double, )
DENSE(dense_5, 5, double, )
DENSE(dense_5_f, 5, float, _f)

/* Only the determinants, of matrices that may be singular. */
PL_KERNEL(dense_3, (const double *a, double *determinant), {
  double copy[9];
  double inverse[9];
  for (int i = 0; i < 9; i++) copy[i] = a[i];
  determinant[0] = pl_dense_inverse(3, copy, inverse);
})

enum { ELEMENTS = 23 };

/* The error over all elements of matrices whose large values are beside the diagonal, so that rows move. */
static double error_of(conf *c, const pl_kernel *kernel, int n, pl_type type, pl_dat **determinant)
{
  static double a[ELEMENTS * 25];
  static float single[ELEMENTS * 25];
  double error = 0;
  for (int k = 0; k < ELEMENTS * n * n; k++) {
    const int i = k / n % n, j = k % n;
    a[k] = i == j ? 0 : conf_below(c, 5) - 2;
    if (j == (i + 1) % n) a[k] += 20;
    single[k] = (float)a[k];
  }
  pl_set *set = conf_set(c, ELEMENTS, "set");
  pl_dat *dat = conf_dat(c, set, n * n, type, type == PL_DOUBLE ? (void *)a : single, "a");
  *determinant = conf_dat(c, set, 2, type, NULL, "determinant");
  pl_global *most = conf_global(c, 1, type, NULL, "error");
  OK(
    pl_par_loop(kernel, set, DIRECT(dat, PL_READ), DIRECT(*determinant, PL_WRITE), pl_arg_gbl(most, PL_MAX)));
  OK(pl_global_get(most, &error));
  if (n != 2) return error;
  static double want[ELEMENTS * 2];
  for (int k = 0; k < ELEMENTS * 2; k++) want[k] = -a[k / 2 * 4 + 1] * a[k / 2 * 4 + 2];
  SAME(*determinant, want);
  return error;
}

static void case_dense(conf *c)
{
  pl_dat *determinant;
  OK(pl_decl_fields(c->pl));
  CHECK(error_of(c, dense_2, 2, PL_DOUBLE, &determinant) < 1e-12);
  CHECK(error_of(c, dense_5, 5, PL_DOUBLE, &determinant) < 1e-12);
  CHECK(error_of(c, dense_5_f, 5, PL_FLOAT, &determinant) < 1e-4);
}

static void case_singular(conf *c)
{
  static const double a[4][9] = {{0, 1, 0, 0, 0, 1, 1, 0, 0}, /* a rotation of the axes */
                                 {0, 1, 0, 1, 0, 0, 0, 0, 3}, /* two axes exchanged, one scaled */
                                 {1, 2, 3, 2, 4, 6, 1, 1, 1}, /* dependent rows */
                                 {0}},
                      want[4] = {1, -3, 0, 0};
  OK(pl_decl_fields(c->pl));
  pl_set *set = conf_set(c, 4, "set");
  pl_dat *dat = conf_dat(c, set, 9, PL_DOUBLE, a, "a"),
         *determinant = conf_dat(c, set, 1, PL_DOUBLE, NULL, "determinant");
  OK(pl_par_loop(dense_3, set, DIRECT(dat, PL_READ), DIRECT(determinant, PL_WRITE)));
  SAME(determinant, want);
}

const conf_case conf_dense[] = {
  {"dense: inverse and solution", "P35", case_dense, CONF_RANKS | CONF_NEEDS_JIT},
  {"dense: singular matrices", "P35", case_singular, CONF_RANKS | CONF_NEEDS_JIT},
  {NULL, NULL, NULL, 0},
};
