/* SPDX-License-Identifier: BSD-2-Clause
 * Matrices and vectors for packages on a device: a package that reads the addresses it gets and solves in
 * plain C stands in for cuDSS. Any OpenCL device serves, though cuDSS needs CUDA; without one the test is
 * skipped.
 */
#include "plan/packages/packages.h"
#include "suite.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 9, MOST_BLOCK = 3, N = NODES * MOST_BLOCK, MOST = 3 * NODES };

static pl_context *pl;

/* ---- the package ---- */

typedef struct stand_in {
  int n;
  pl_type type;
  double a[N][N];
  int made;
} stand_in;

/* To or from device memory; a device view makes the library write it. */
static void copy(void *memory, int n, pl_type type, bool out, void *values)
{
  pl_set *set;
  pl_dat *dat;
  void *view;
  PL_OK(pl, pl_decl_set(pl, n, "memory", &set));
  PL_OK(pl, pl_dat_wrap(set, 1, type, PL_MEMORY_DEVICE, "aos", memory, "memory", &dat));
  PL_OK(pl, pl_dat_get(dat, out ? PL_WRITE : PL_READ, &view));
  memcpy(out ? view : values, out ? values : view, (size_t)n * pl_type_size(type));
  PL_OK(pl, pl_dat_put(dat));
  PL_OK(pl, pl_dat_get_device(dat, PL_READ, &view, NULL));
  PL_OK(pl, pl_dat_put_device(dat));
  pl_dat_free(&dat);
}

static double value_at(const void *values, pl_type type, int k)
{
  return type == PL_DOUBLE ? ((const double *)values)[k] : ((const float *)values)[k];
}

static pl_err make(pl_context *context, const pl_package_rows *m, void **state)
{
  stand_in *s = *state;
  int offset[N + 1], column[MOST * MOST_BLOCK * MOST_BLOCK];
  double values[MOST * MOST_BLOCK * MOST_BLOCK];
  if (!s) *state = s = calloc(1, sizeof *s);
  CU_ASSERT_FATAL(context == pl && s && m->block == 1 && m->first == 0 && m->all == m->rows && m->rows <= N);
  s->n = m->rows;
  s->type = m->type;
  s->made++;
  memset(s->a, 0, sizeof s->a);
  copy((void *)m->offset, s->n + 1, PL_INT32, false, offset);
  CU_ASSERT_FATAL(offset[0] == 0 && offset[s->n] == m->count);
  copy((void *)m->column, m->count, PL_INT32, false, column);
  copy((void *)m->values, m->count, m->type, false, values);
  for (int r = 0; r < s->n; r++)
    for (int k = offset[r]; k < offset[r + 1]; k++) s->a[r][column[k]] = value_at(values, s->type, k);
  return PL_SUCCESS;
}

static void solve(const stand_in *s, double *x)
{
  double a[N][N];
  memcpy(a, s->a, sizeof a);
  for (int k = 0; k < s->n; k++)
    for (int i = 0; i < s->n; i++) {
      if (i == k) continue;
      const double factor = a[i][k] / a[k][k];
      for (int j = k; j < s->n; j++) a[i][j] -= factor * a[k][j];
      x[i] -= factor * x[k];
    }
  for (int i = 0; i < s->n; i++) x[i] /= a[i][i];
}

static pl_err apply(pl_context *context, void *state, const void *r, void *z)
{
  const stand_in *s = state;
  double values[N], x[N];
  float narrow[N];
  (void)context;
  copy((void *)r, s->n, s->type, false, values);
  for (int i = 0; i < s->n; i++) x[i] = value_at(values, s->type, i);
  solve(s, x);
  for (int i = 0; i < s->n; i++) narrow[i] = (float)x[i];
  copy(z, s->n, s->type, true, s->type == PL_DOUBLE ? (void *)x : narrow);
  return PL_SUCCESS;
}

static void release(pl_context *context, void *state)
{
  (void)context;
  CU_ASSERT_EQUAL(((stand_in *)state)->made, 2);
  free(state);
}

/* ---- a line of nodes ---- */

typedef struct line {
  pl_set *nodes;
  pl_mat *a;
  pl_dat *want, *r, *z;
} line;

/* Blocks without symmetry, in which no two values are the same. */
static void fill_rows(pl_mat *a, pl_type type, int block)
{
  int64_t row[NODES], offset[NODES + 1] = {0}, column[MOST];
  double value[MOST * MOST_BLOCK * MOST_BLOCK];
  float narrow[MOST * MOST_BLOCK * MOST_BLOCK];
  int n = 0;
  for (int i = 0; i < NODES; i++) {
    row[i] = i;
    offset[i + 1] = offset[i];
    for (int j = i ? i - 1 : 0; j <= i + 1 && j < NODES; j++) {
      column[offset[i + 1]++] = j;
      for (int k = 0; k < block * block; k++, n++)
        value[n] = (i == j && k % (block + 1) == 0 ? 30 : 1) + n / 128.0;
    }
  }
  for (int k = 0; k < n; k++) narrow[k] = (float)value[k];
  PL_OK(pl, pl_mat_set_csr(a, NODES, row, offset, column, type == PL_DOUBLE ? (void *)value : narrow));
}

static void open_line(line *l, pl_type type, int block, const char *layout)
{
  int ends[2 * (NODES - 1)];
  double want[N];
  pl_set *links;
  pl_map *to;
  pl_sparsity *sparsity;
  for (int i = 0; i < NODES - 1; i++) ends[2 * i] = i, ends[2 * i + 1] = i + 1;
  for (int i = 0; i < N; i++) want[i] = 1 + i % 5;
  PL_OK(pl, pl_decl_set(pl, NODES, "nodes", &l->nodes));
  PL_OK(pl, pl_decl_set(pl, NODES - 1, "links", &links));
  PL_OK(pl, pl_decl_map(links, l->nodes, 2, ends, "to", &to));
  PL_OK(pl, pl_decl_sparsity(l->nodes, block, l->nodes, block, 1, &(pl_map_pair){to, to}, "line", &sparsity));
  PL_OK(pl, pl_decl_mat(sparsity, type, "A", &l->a));
  pl_sparsity_free(&sparsity);
  fill_rows(l->a, type, block);
  PL_OK(pl, pl_decl_dat_from(l->nodes, block, type, PL_DOUBLE, want, "want", &l->want));
  PL_OK(pl, pl_decl_dat(l->nodes, block, type, NULL, "r", &l->r));
  PL_OK(pl, pl_decl_dat(l->nodes, block, type, NULL, "z", &l->z));
  PL_OK(pl, pl_dat_set_layout(l->r, layout));
  PL_OK(pl, pl_dat_set_layout(l->z, layout));
}

/* z = A^-1 (A want), with the values and with others. */
static void try_line(pl_type type, int block, const char *layout)
{
  static const pl_package_functions functions = {
    .on_device = true, .make = make, .apply = apply, .release = release};
  struct pl_package *package = NULL;
  line l;
  double error;
  pl->modules[PL_MODULE_CUDSS] = (pl_module_slot){.tried = true, .functions = &functions};
  open_line(&l, type, block, layout);
  for (int k = 0; k < 2; k++) {
    PL_OK(pl, pl_mat_multiply(l.a, l.want, l.r));
    PL_OK(pl, pl_package_make(l.a, PL_MODULE_CUDSS, NULL, &package));
    PL_OK(pl, pl_package_apply(package, l.r, l.z));
    PL_OK(pl, pl_dat_axpy(-1.0, l.want, l.z));
    PL_OK(pl, pl_dat_norm(l.z, &error));
    CU_ASSERT(error < (type == PL_DOUBLE ? 1e-12 : 1e-4));
    PL_OK(pl, pl_mat_scale(2.0, l.a));
  }
  pl_package_free(&package);
  pl_mat_free(&l.a);
}

static void rows(void)
{
  try_line(PL_DOUBLE, 1, "aos");
  try_line(PL_FLOAT, 1, "aos");
}

static void blocks(void)
{
  try_line(PL_DOUBLE, MOST_BLOCK, "aos");
  try_line(PL_FLOAT, 2, "aos");
}

static void layouts(void)
{
  try_line(PL_DOUBLE, MOST_BLOCK, "soa");
  try_line(PL_DOUBLE, 2, "aosoa:4");
}

/* Only CUDA devices are offered to packages. */
static void refusal(void)
{
  line l;
  pl_solver *solver;
  open_line(&l, PL_DOUBLE, 1, "aos");
  const pl_err err = pl_decl_solver(l.a, &(pl_solver_options){.preconditioner = "cudss"}, "s", &solver);
  CU_ASSERT_EQUAL(err, PL_ERR_BACKEND);
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(pl), "cudss solves on a CUDA device and one rank"));
}

static CU_TestInfo tests[] = {{"rows of single values", rows},
                              {"rows of blocks", blocks},
                              {"vectors in other layouts", layouts},
                              {"another kind of device", refusal},
                              CU_TEST_INFO_NULL};

int main(void)
{
  const char *options[] = {"backend=opencl", NULL};
  pl_settings settings = {.options = options};
  if (pl_init(NULL, NULL, &settings, &pl)) {
    printf("skipped: %s\n", pl_errmsg(pl));
    pl_finalize(&pl);
    return 77;
  }
  const int result = suite_run("device rows", tests);
  pl_finalize(&pl);
  return result;
}
