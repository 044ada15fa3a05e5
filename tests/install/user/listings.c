/* SPDX-License-Identifier: BSD-2-Clause
 * listings.c: the lines of C in docs/getting-started.md, algorithms.md, chains.md, kernel-language.md and
 * programs.md that no other program of this folder has. Each function prints a result.
 */
#include <complex.h>
#include <math.h>
#include <plait.h>

enum { N = 100, GROUPS = 2, ROWS = 20, COLUMNS = 35 };

static pl_context *pl;

static pl_dat *new_dat(pl_set *set, pl_type type, const void *values, const char *name)
{
  pl_dat *dat;
  PL_OK(pl, pl_decl_dat(set, 1, type, values, name, &dat));
  return dat;
}

static pl_global *new_global(pl_type type, const void *values, const char *name)
{
  pl_global *global;
  PL_OK(pl, pl_decl_global(pl, 1, type, values, name, &global));
  return global;
}

/* ---- getting-started.md ---- */

static void arithmetic(pl_set *points)
{
  const double three[] = {1, 2, 3}, two = 2;
  pl_dat *a = new_dat(points, PL_DOUBLE, NULL, "a"), *b = new_dat(points, PL_DOUBLE, NULL, "b"),
         *c = new_dat(points, PL_DOUBLE, NULL, "c"), *x = a, *y = c,
         *whole = new_dat(points, PL_INT64, NULL, "whole"), *real = new_dat(points, PL_DOUBLE, NULL, "real"),
         *dats[] = {a, b, real};
  pl_global *s = new_global(PL_DOUBLE, &two, "s"), *sum = new_global(PL_DOUBLE, NULL, "sum"),
            *rr = new_global(PL_DOUBLE, &two, "rr"), *pap = new_global(PL_DOUBLE, &two, "pap"),
            *alpha = new_global(PL_DOUBLE, NULL, "alpha"), *factors;
  double norm, ratio;
  PL_OK(pl, pl_decl_global(pl, 3, PL_DOUBLE, three, "factors", &factors));
  PL_OK(pl, pl_dat_fill(a, 4.0));
  PL_OK(pl, pl_dat_fill(b, 3.0));
  PL_OK(pl, pl_dat_combine(a, PL_MULTIPLY, b, c));
  PL_OK(pl, pl_dat_combine_global(a, PL_DIVIDE, s, a));
  PL_OK(pl, pl_global_combine_dat(s, PL_SUBTRACT, a, c));
  PL_OK(pl, pl_dat_copy(whole, real));
  PL_OK(pl, pl_dat_axpy(-0.5, x, y));
  PL_OK(pl, pl_dat_maxpy(3, factors, dats, y));
  PL_OK(pl, pl_dat_inner(x, y, sum));
  PL_OK(pl, pl_dat_combine_number(a, PL_ADD, 1, c));
  PL_OK(pl, pl_dat_norm(x, &norm));
  PL_OK(pl, pl_global_combine(rr, PL_DIVIDE, pap, alpha));
  PL_OK(pl, pl_global_get(alpha, &ratio));
  printf("arithmetic: norm %g, ratio %g\n", norm, ratio);
}

typedef struct equations {
  pl_set *points;
  pl_map *neighbours;
  pl_dat *ap, *p, *x, *r;
  pl_global *rr, *pap, *alpha, *minus, *next, *beta;
} equations;

PL_KERNEL(apply, (double *ap, const double *p, const double *const near[2]),
          { ap[0] = 3 * p[0] - near[0][0] - near[1][0]; })

static void cg_step(pl_context *pl, const equations *s)
{
  PL_OK(pl, pl_par_loop(apply, s->points, pl_arg_dat(s->ap, PL_ID, PL_DIRECT, PL_WRITE),
                        pl_arg_dat(s->p, PL_ID, PL_DIRECT, PL_READ),
                        pl_arg_dat(s->p, PL_ALL, s->neighbours, PL_READ)));
  PL_OK(pl, pl_dat_inner(s->p, s->ap, s->pap));
  PL_OK(pl, pl_global_combine(s->rr, PL_DIVIDE, s->pap, s->alpha));
  PL_OK(pl, pl_global_combine_number(s->alpha, PL_MULTIPLY, -1, s->minus));
  PL_OK(pl, pl_dat_axpy_global(s->alpha, s->p, s->x));
  PL_OK(pl, pl_dat_axpy_global(s->minus, s->ap, s->r));
  PL_OK(pl, pl_dat_inner(s->r, s->r, s->next));
  PL_OK(pl, pl_global_combine(s->next, PL_DIVIDE, s->rr, s->beta));
  PL_OK(pl, pl_dat_aypx_global(s->beta, s->r, s->p));
  PL_OK(pl, pl_global_copy(s->next, s->rr));
}

/* A x = 1, from x = 0. */
static void gradients(pl_set *points, pl_map *neighbours)
{
  equations s = {.points = points, .neighbours = neighbours};
  pl_dat **dats[] = {&s.ap, &s.p, &s.x, &s.r};
  pl_global **globals[] = {&s.rr, &s.pap, &s.alpha, &s.minus, &s.next, &s.beta};
  pl_chain *chain;
  double norm;
  for (int i = 0; i < 4; i++) *dats[i] = new_dat(points, PL_DOUBLE, NULL, "vector");
  for (int i = 0; i < 6; i++) *globals[i] = new_global(PL_DOUBLE, NULL, "scalar");
  PL_OK(pl, pl_dat_fill(s.p, 1.0));
  PL_OK(pl, pl_dat_fill(s.r, 1.0));
  PL_OK(pl, pl_dat_inner(s.r, s.r, s.rr));
  PL_OK(pl, pl_chain_begin(pl, "gradients", &chain));
  for (int i = 0; i < 40; i++) cg_step(pl, &s);
  PL_OK(pl, pl_chain_end(chain));
  PL_OK(pl, pl_dat_norm(s.r, &norm));
  printf("conjugate gradients: %s\n", norm < 1e-8 ? "solved" : "not solved");
}

/* ---- algorithms.md ---- */

PL_KERNEL(wave, (double *y, const int64_t *i), { *y = 2 * sin(0.01 * *i) + 3; })

PL_REDUCTION(energy, double, 0.0, PL_COMMUTATIVE(a + b), (const double *v, const double *pe),
             0.5 * v[i] * v[i] + pe[i])

PL_SCAN(where, int, 0, PL_COMMUTATIVE(a + b), (const int *x, int *found, int *count), x[i] < 50, {
  if (item != prev_item) found[prev_item] = i;
  if (i == n - 1) count[0] = item;
})

static void algorithms(pl_set *points)
{
  int values[N];
  for (int i = 0; i < N; i++) values[i] = i * 7 % N;
  pl_dat *y = new_dat(points, PL_DOUBLE, NULL, "y"), *x = new_dat(points, PL_INT, values, "x"),
         *found = new_dat(points, PL_INT, NULL, "found");
  pl_global *count = new_global(PL_INT, NULL, "count"), *total = new_global(PL_DOUBLE, NULL, "total");
  double sum;
  int below;
  PL_OK(pl, pl_par_loop(wave, points, pl_arg_direct(y, PL_WRITE), pl_arg_idx(PL_ID, PL_DIRECT)));
  PL_OK(pl, pl_scan(where, points, pl_arg_direct(x, PL_READ), pl_arg_direct(found, PL_RW),
                    pl_arg_gbl(count, PL_WRITE)));
  PL_OK(pl, pl_global_get(count, &below));

  pl_set *particles = points;
  pl_dat *v = y, *pe = y;
  PL_OK(pl, pl_reduce(energy, particles, total, pl_arg_direct(v, PL_READ), pl_arg_direct(pe, PL_READ)));
  PL_OK(pl, pl_global_get(total, &sum));
  printf("algorithms: %d below 50, energy %.3f\n", below, sum);
}

static void sizes(void)
{
  int flags[2 * N], backwards[N];
  pl_set *particles;
  PL_OK(pl, pl_decl_set(pl, N, "particles", &particles));
  PL_OK(pl, pl_set_resize(particles, pl_set_size(particles) + 100));
  for (int i = 0; i < 2 * N; i++) flags[i] = i < N + 2;
  for (int i = 0; i < N; i++) backwards[i] = N - 1 - i;
  pl_dat *alive = new_dat(particles, PL_INT, flags, "alive");
  PL_OK(pl, pl_set_keep(particles, alive));
  PL_OK(pl, pl_set_remove(particles, 2, (int[]){7, 12}));
  pl_dat *order = new_dat(particles, PL_INT, backwards, "order");
  PL_OK(pl, pl_set_reorder(particles, order));
  printf("sizes: %d\n", (int)pl_set_size(particles));
}

/* ---- chains.md ---- */

typedef struct model {
  pl_set *points, *inner;
  pl_map *beside;
  pl_dat *u, *f, *out;
} model;

PL_KERNEL(flux, (const double *u, double *f), { f[0] = u[0] * u[0] / 2.0; })
PL_KERNEL(difference, (const double *const f[2], double *out), { out[0] = f[0][0] - f[1][0]; })
PL_KERNEL(advance, (double *u, const double *out), { u[0] += 0.5 * out[0]; })

static void step(const model *m)
{
  pl_set *points = m->points, *inner = m->inner;
  pl_map *beside = m->beside;
  pl_dat *u = m->u, *f = m->f, *out = m->out;
  PL_OK(pl, pl_par_loop(flux, points, pl_arg_direct(u, PL_READ), pl_arg_direct(f, PL_WRITE)));
  PL_OK(pl,
        pl_par_loop(difference, inner, pl_arg_dat(f, PL_ALL, beside, PL_READ), pl_arg_direct(out, PL_WRITE)));
  PL_OK(pl, pl_par_loop(advance, points, pl_arg_direct(u, PL_RW), pl_arg_direct(out, PL_READ)));
}

static void chains(pl_set *points, pl_map *beside)
{
  int inside[N - 2];
  double values[N], norm;
  model m = {.points = points, .beside = beside};
  for (int i = 0; i < N - 2; i++) inside[i] = i + 1;
  for (int i = 0; i < N; i++) values[i] = i < N / 2;
  PL_OK(pl, pl_decl_subset(points, N - 2, inside, "inner", &m.inner));
  m.u = new_dat(points, PL_DOUBLE, values, "u");
  m.f = new_dat(points, PL_DOUBLE, NULL, "f");
  m.out = new_dat(points, PL_DOUBLE, NULL, "out");
  pl_chain *chain;
  pl_dat *f = m.f;
  PL_OK(pl, pl_chain_begin(pl, "step", &chain));
  PL_OK(pl, pl_chain_warm_up(chain));
  for (int i = 0; i < 100; i++) step(&m);
  PL_OK(pl, pl_chain_end(chain));
  for (int i = 0; i < 2; i++) {
    PL_OK(pl, pl_chain_begin(pl, "step", &chain));
    PL_OK(pl, pl_chain_temporary(chain, f));
    step(&m);
    PL_OK(pl, pl_chain_end(chain));
  }
  PL_OK(pl, pl_dat_norm(m.u, &norm));
  printf("chain: norm %.4f\n", norm);
}

/* ---- kernel-language.md ---- */

static double gam;

PL_KERNEL(midpoint, (double mid[2], const double *const corner[3]), {
  for (int i = 0; i < 2; i++) mid[i] = (corner[0][i] + corner[1][i] + corner[2][i]) / 3.0;
})

PL_KERNEL(average, (double *mean, const pl_row_double *of), {
  double sum = 0;
  for (int k = 0; k < of->count; k++) sum += pl_at(of, k, 0);
  mean[0] = of->count ? sum / of->count : 0;
})

PL_KERNEL(total_of, (double *total, const pl_row_double *of), {
  double sum = 0;
  PL_UNROLL(4)
  for (int k = 0; k < of->count; k++) sum += pl_at(of, k, 0);
  total[0] = sum;
})

PL_KERNEL(rotate, (double _Complex *z, const double *angle), { z[0] *= cexp(I * angle[0]); })

PL_FUNCTION(double, square, (double x), { return x * x; })

PL_KERNEL(scale, (double *x), { x[0] = gam * square(x[0]); })

static void language(void)
{
  const int corners[] = {0, 1, 2, 2, 1, 0}, offsets[] = {0, 3, 3}, targets[] = {0, 1, 2};
  const double places[] = {0, 0, 3, 0, 0, 3}, weights[] = {1, 2, 6}, turns[] = {acos(-1.0), 0};
  const double values[] = {1, 0, 0, 2};
  pl_set *set, *points;
  pl_map *corner, *around;
  pl_dat *position, *middle, *z;
  pl_const *constant;
  gam = 2;
  PL_OK(pl, pl_decl_const(pl, "gam", 1, PL_DOUBLE, &gam, &constant));
  PL_OK(pl, pl_decl_function(pl, square));
  PL_OK(pl, pl_decl_set(pl, 2, "two", &set));
  PL_OK(pl, pl_decl_set(pl, 3, "corners", &points));
  PL_OK(pl, pl_decl_map(set, points, 3, corners, "corner", &corner));
  PL_OK(pl, pl_decl_map_ragged(set, points, offsets, targets, "around", &around));
  PL_OK(pl, pl_decl_dat(points, 2, PL_DOUBLE, places, "position", &position));
  PL_OK(pl, pl_decl_dat(set, 2, PL_DOUBLE, NULL, "middle", &middle));
  PL_OK(pl, pl_decl_dat(set, 1, PL_COMPLEX_DOUBLE, values, "z", &z));
  pl_dat *weight = new_dat(points, PL_DOUBLE, weights, "weight"),
         *mean = new_dat(set, PL_DOUBLE, NULL, "mean"), *angle = new_dat(set, PL_DOUBLE, turns, "angle");
  PL_OK(pl, pl_par_loop(midpoint, set, pl_arg_direct(middle, PL_WRITE),
                        pl_arg_dat(position, PL_ALL, corner, PL_READ)));
  PL_OK(pl, pl_par_loop(total_of, set, pl_arg_direct(mean, PL_WRITE),
                        pl_arg_dat(weight, PL_ALL, around, PL_READ)));
  PL_OK(pl, pl_par_loop(average, set, pl_arg_direct(mean, PL_WRITE),
                        pl_arg_dat(weight, PL_ALL, around, PL_READ)));
  PL_OK(pl, pl_par_loop(scale, set, pl_arg_direct(mean, PL_RW)));
  PL_OK(pl, pl_par_loop(rotate, set, pl_arg_direct(z, PL_RW), pl_arg_direct(angle, PL_READ)));

  void *view;
  PL_OK(pl, pl_dat_get(mean, PL_READ, &view));
  const double scaled = *(const double *)view;
  PL_OK(pl, pl_dat_put(mean));
  PL_OK(pl, pl_dat_get(z, PL_READ, &view));
  printf("kernels: %g, %.3f\n", scaled, *(const double *)view);
  PL_OK(pl, pl_dat_put(z));
}

/* ---- programs.md ---- */

static const char text[] =
  "KERNEL void addArrays(GLOBAL const float *RESTRICT a, GLOBAL const float *RESTRICT b,\n"
  "                      GLOBAL float *RESTRICT c, int n)\n"
  "{\n"
  "  for (int i = GLOBAL_ID; i < n; i += GLOBAL_SIZE) c[i] = a[i] + b[i];\n"
  "}\n";

static const char groups[] =
  "KERNEL void sums(GLOBAL const int *x, GLOBAL int *sum)\n"
  "{\n"
  "  LOCAL int part[1024];\n"
  "  part[LOCAL_ID] = x[GLOBAL_ID];\n"
  "  for (int n = LOCAL_SIZE; n > 1; n = (n + 1) / 2) {\n"
  "    int rest = (n + 1) / 2;\n"
  "    SYNC_THREADS;\n"
  "    if (LOCAL_ID + rest < n) part[LOCAL_ID] += part[LOCAL_ID + rest];\n"
  "  }\n"
  "  SYNC_THREADS;\n"
  "  if (LOCAL_ID == 0) sum[GROUP_ID] = part[0];\n"
  "}\n"
  "KERNEL void transpose(GLOBAL const double *a, GLOBAL double *b, int rows, int columns)\n"
  "{\n"
  "  LOCAL double tile[TILE][TILE + 1];\n"
  "  const int across = (columns + TILE - 1) / TILE, x = LOCAL_ID % TILE, y = LOCAL_ID / TILE;\n"
  "  const int r0 = GROUP_ID / across * TILE, c0 = GROUP_ID % across * TILE;\n"
  "  if (r0 + y < rows && c0 + x < columns) tile[y][x] = a[(r0 + y) * columns + c0 + x];\n"
  "  SYNC_THREADS;\n"
  "  if (c0 + y < columns && r0 + x < rows) b[(c0 + y) * rows + r0 + x] = tile[x][y];\n"
  "}\n";

static void add_arrays(pl_set *points)
{
  const int n = N;
  pl_dat *a = new_dat(points, PL_FLOAT, NULL, "one"), *b = new_dat(points, PL_FLOAT, NULL, "other"),
         *c = new_dat(points, PL_FLOAT, NULL, "both");
  double norm;
  PL_OK(pl, pl_dat_fill(a, 1.0));
  PL_OK(pl, pl_dat_fill(b, 2.0));
  pl_program *program;
  pl_entry *add;
  PL_OK(pl, pl_program_create(pl, text, NULL, "add.cl", &program));
  PL_OK(pl, pl_program_kernel(program, "addArrays", &add));
  PL_OK(pl, pl_entry_dat(add, 0, a, PL_READ));
  PL_OK(pl, pl_entry_dat(add, 1, b, PL_READ));
  PL_OK(pl, pl_entry_dat(add, 2, c, PL_WRITE));
  PL_OK(pl, pl_entry_value(add, 3, PL_INT32, 1, &n));
  PL_OK(pl, pl_entry_run(add, n, 0));
  PL_OK(pl, pl_dat_norm(c, &norm));
  printf("program: norm %g\n", norm);
}

static void run_groups(pl_set *points)
{
  static const char *const defines[] = {"TILE=16", NULL};
  const int rows = ROWS, columns = COLUMNS;
  const int tiles = ((ROWS + 15) / 16) * ((COLUMNS + 15) / 16);
  double values[ROWS * COLUMNS];
  int ones[N];
  pl_set *groups_set, *entries;
  pl_program *program;
  pl_entry *sums, *transpose;
  void *view;
  for (int i = 0; i < ROWS * COLUMNS; i++) values[i] = i;
  for (int i = 0; i < N; i++) ones[i] = i;
  PL_OK(pl, pl_decl_set(pl, GROUPS, "groups", &groups_set));
  PL_OK(pl, pl_decl_set(pl, ROWS * COLUMNS, "entries", &entries));
  pl_dat *x = new_dat(points, PL_INT, ones, "ones"), *sum = new_dat(groups_set, PL_INT, NULL, "group sums"),
         *a = new_dat(entries, PL_DOUBLE, values, "matrix"),
         *b = new_dat(entries, PL_DOUBLE, NULL, "transposed");
  PL_OK(pl, pl_program_create(pl, groups, defines, "groups.cl", &program));
  PL_OK(pl, pl_program_kernel(program, "sums", &sums));
  PL_OK(pl, pl_entry_dat(sums, 0, x, PL_READ));
  PL_OK(pl, pl_entry_dat(sums, 1, sum, PL_WRITE));
  PL_OK(pl, pl_entry_run(sums, N, N / GROUPS));
  PL_OK(pl, pl_program_kernel(program, "transpose", &transpose));
  PL_OK(pl, pl_entry_dat(transpose, 0, a, PL_READ));
  PL_OK(pl, pl_entry_dat(transpose, 1, b, PL_WRITE));
  PL_OK(pl, pl_entry_value(transpose, 2, PL_INT32, 1, &rows));
  PL_OK(pl, pl_entry_value(transpose, 3, PL_INT32, 1, &columns));
  PL_OK(pl, pl_entry_run(transpose, tiles * 256, 256));
  PL_OK(pl, pl_dat_get(sum, PL_READ, &view));
  const int first = *(const int *)view;
  PL_OK(pl, pl_dat_put(sum));
  PL_OK(pl, pl_dat_get(b, PL_READ, &view));
  printf("groups: %d, %g\n", first, ((const double *)view)[3 * ROWS + 2]);
  PL_OK(pl, pl_dat_put(b));
}

int main(int argc, char **argv)
{
  int neighbours[2 * N];
  pl_set *points;
  pl_map *beside;
  for (int i = 0; i < N; i++) {
    neighbours[2 * i] = i - 1; /* -1: none */
    neighbours[2 * i + 1] = i < N - 1 ? i + 1 : -1;
  }
  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, N, "points", &points));
  PL_OK(pl, pl_decl_map(points, points, 2, neighbours, "beside", &beside));
  arithmetic(points);
  gradients(points, beside);
  algorithms(points);
  sizes();
  chains(points, beside);
  language();
  add_arrays(points);
  run_groups(points);
  pl_finalize(&pl);
  return 0;
}
