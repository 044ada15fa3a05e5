/* SPDX-License-Identifier: BSD-2-Clause
 * Every access of dats and globals for every type, and all small dims.
 */
#include "conformance.h"

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define NAME(what) JOIN(what, ID)
/* PL_KERNEL keeps the text of its arguments, so T and NAME are replaced first. */
#define KERNEL(name, params, ...) PL_KERNEL(name, params, __VA_ARGS__)

/* ---- numbers ---- */

#define LESS
#define FROM_INT(i) ((T)(i))
#define ADD(a, b) ((T)((a) + (b)))

#define T int8_t
#define CODE PL_INT8
#define ID i8
#include "types.inc"
#define T uint8_t
#define CODE PL_UINT8
#define ID u8
#include "types.inc"
#define T int16_t
#define CODE PL_INT16
#define ID i16
#include "types.inc"
#define T uint16_t
#define CODE PL_UINT16
#define ID u16
#include "types.inc"
#define T int32_t
#define CODE PL_INT32
#define ID i32
#include "types.inc"
#define T uint32_t
#define CODE PL_UINT32
#define ID u32
#include "types.inc"
#define T int64_t
#define CODE PL_INT64
#define ID i64
#include "types.inc"
#define T uint64_t
#define CODE PL_UINT64
#define ID u64
#include "types.inc"
#define T float
#define CODE PL_FLOAT
#define ID f32
#include "types.inc"
#define T double
#define CODE PL_DOUBLE
#define ID f64
#include "types.inc"

/* ---- complex ---- */

#undef LESS
#undef FROM_INT
#undef ADD
#define FROM_INT(i) ((T){(i), 3 - (i)})
#define ADD(a, b) ((T){(a).re + (b).re, (a).im + (b).im})

#define T pl_cfloat
#define CODE PL_COMPLEX_FLOAT
#define ID c32
#include "types.inc"
#define T pl_cdouble
#define CODE PL_COMPLEX_DOUBLE
#define ID c64
#include "types.inc"

/* ---- dims ---- */

enum { FROM = 301, TO = 77 };

/* out = r; adds r to the sums of the targets, packed and by pointers. */
#define DIM_KERNELS(n)                                                                                       \
  KERNEL(dim_direct_##n, (double out[n], const double in[n], double *total), {                               \
    for (int i = 0; i < n; i++) {                                                                            \
      out[i] = 2.0 * in[i];                                                                                  \
      total[i] += in[i];                                                                                     \
    }                                                                                                        \
  })                                                                                                         \
  KERNEL(dim_inc_##n, (const double in[n], double packed[3][n], const double other[3][n]), {                 \
    for (int i = 0; i < n; i++)                                                                              \
      for (int k = 0; k < 3; k++) packed[k][i] += in[i] + other[k][n - 1 - i];                               \
  })
#define DIM_LIST(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(33)
DIM_LIST(DIM_KERNELS)

typedef struct dim_case {
  int dim;
  const pl_kernel *direct, *inc;
} dim_case;

static void test_dim(conf *c, const dim_case *d, pl_map *map, const int *index)
{
  pl_set *from = pl_map_from(map), *to = pl_map_to(map);
  int dim = d->dim;
  double *in = calloc((size_t)(FROM * dim), sizeof(double)),
         *out = calloc((size_t)(FROM * dim), sizeof(double));
  double *sum = calloc((size_t)(TO * dim), sizeof(double)),
         *other = calloc((size_t)(TO * dim), sizeof(double)), total[33];
  for (int i = 0; i < FROM * dim; i++) out[i] = 2 * (in[i] = conf_below(c, 100));
  for (int i = 0; i < TO * dim; i++) other[i] = conf_below(c, 100);
  for (int i = 0; i < dim; i++) total[i] = 0;
  for (int i = 0; i < FROM * dim; i++) total[i % dim] += in[i];
  for (int e = 0; e < 3 * FROM; e++)
    for (int i = 0; i < dim; i++)
      sum[index[e] * dim + i] += in[e / 3 * dim + i] + other[index[e] * dim + dim - 1 - i];
  pl_dat *din = conf_dat(c, from, dim, PL_DOUBLE, in, "in"),
         *dout = conf_dat(c, from, dim, PL_DOUBLE, NULL, "out");
  pl_dat *dsum = conf_dat(c, to, dim, PL_DOUBLE, NULL, "sum"),
         *dother = conf_dat(c, to, dim, PL_DOUBLE, other, "other");
  pl_global *gtotal = conf_global(c, dim, PL_DOUBLE, NULL, "total");
  OK(pl_par_loop(d->direct, from, DIRECT(dout, PL_WRITE), DIRECT(din, PL_READ), pl_arg_gbl(gtotal, PL_INC)));
  OK(pl_par_loop(d->inc, from, DIRECT(din, PL_READ), pl_arg_dat(dsum, PL_ALL, map, PL_INC),
                 pl_arg_dat(dother, PL_ALL, map, PL_READ)));
  SAME(dout, out);
  SAME(dsum, sum);
  double got[33];
  OK(pl_global_get(gtotal, got));
  CHECK(!memcmp(got, total, sizeof(double) * (size_t)dim));
  free(in);
  free(out);
  free(sum);
  free(other);
}

static void case_dims(conf *c)
{
#define ROW(n) {n, dim_direct_##n, dim_inc_##n},
  static const dim_case dims[] = {DIM_LIST(ROW)};
  int index[3 * FROM];
  for (int i = 0; i < 3 * FROM; i++) index[i] = conf_below(c, TO);
  pl_set *from = conf_set(c, FROM, "from"), *to = conf_set(c, TO, "to");
  pl_map *map = conf_map(c, from, to, 3, index, "map");
  for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) test_dim(c, &dims[i], map, index);
}

/* A dat of dim 0 takes part in loops and has no values. */
PL_KERNEL(dim_zero, (double *nothing, const double *none, double *x), {
  (void)nothing;
  (void)none;
  x[0] = 1.0;
})

PL_KERNEL(dim_zero_sums, (double *none, double *sum), {
  (void)none;
  sum[0] += 1.0;
})

static void case_dim_zero(conf *c)
{
  int index[] = {0, 1, 0};
  const double sums[] = {2, 1};
  pl_chain *chain;
  double ones[3] = {1, 1, 1};
  pl_set *from = conf_set(c, 3, "from"), *to = conf_set(c, 2, "to");
  pl_map *map = conf_map(c, from, to, 1, index, "map");
  pl_dat *nothing = conf_dat(c, from, 0, PL_DOUBLE, NULL, "nothing"),
         *none = conf_dat(c, to, 0, PL_DOUBLE, NULL, "none");
  pl_dat *x = conf_dat(c, from, 1, PL_DOUBLE, NULL, "x");
  CHECK(pl_dat_dim(nothing) == 0 && pl_dat_nbytes(nothing) == 0);
  OK(pl_par_loop(dim_zero, from, DIRECT(nothing, PL_WRITE), pl_arg_dat(none, 0, map, PL_READ),
                 DIRECT(x, PL_WRITE)));
  OK(pl_par_loop(dim_zero, from, DIRECT(nothing, PL_INC), pl_arg_dat(none, 0, map, PL_READ),
                 DIRECT(x, PL_WRITE)));
  SAME(x, ones);
  CHECK(pl_dat_version(nothing) == 2);
  pl_dat *sum = conf_dat(c, to, 1, PL_DOUBLE, NULL, "sum");
  OK(pl_par_loop(dim_zero_sums, from, pl_arg_dat(none, 0, map, PL_INC), pl_arg_dat(sum, 0, map, PL_INC)));
  SAME(sum, sums);
  OK(pl_chain_begin(c->pl, "nothing", &chain));
  OK(pl_chain_temporary(chain, nothing));
  OK(pl_chain_temporary(chain, none));
  OK(pl_dat_zero(none));
  OK(pl_dat_zero(sum));
  OK(pl_par_loop(dim_zero_sums, from, pl_arg_dat(none, 0, map, PL_INC), pl_arg_dat(sum, 0, map, PL_INC)));
  OK(pl_par_loop(dim_zero, from, DIRECT(nothing, PL_WRITE), pl_arg_dat(none, 0, map, PL_READ),
                 DIRECT(x, PL_WRITE)));
  OK(pl_par_loop(dim_zero_sums, from, DIRECT(nothing, PL_RW), DIRECT(x, PL_RW)));
  OK(pl_chain_end(chain));
  SAME(sum, sums);
  for (int i = 0; i < 3; i++) ones[i] = 2;
  SAME(x, ones);
}

/* The full range of each integer type passes through gathers and extremes. */
#define EXTREME_KERNEL(ctype, id)                                                                            \
  KERNEL(extreme_##id, (const ctype *x, ctype *lo, ctype *hi, ctype *tlo, ctype *thi), {                     \
    lo[0] = x[0] < lo[0] ? x[0] : lo[0];                                                                     \
    hi[0] = x[0] > hi[0] ? x[0] : hi[0];                                                                     \
    tlo[0] = x[0] < tlo[0] ? x[0] : tlo[0];                                                                  \
    thi[0] = x[0] > thi[0] ? x[0] : thi[0];                                                                  \
  })
EXTREME_KERNEL(int8_t, i8)
EXTREME_KERNEL(uint64_t, u64)
EXTREME_KERNEL(int64_t, i64)
EXTREME_KERNEL(float, f32)

static void test_extremes(conf *c, const pl_kernel *kernel, pl_type type, const void *low, const void *high)
{
  int index[] = {0, 0};
  char values[16];
  size_t size = pl_type_size(type);
  memcpy(values, low, size);
  memcpy(values + size, high, size);
  pl_set *set = conf_set(c, 2, "two"), *one = conf_set(c, 1, "one");
  pl_map *map = conf_map(c, set, one, 1, index, "to_one");
  pl_dat *x = conf_dat(c, set, 1, type, values, "x");
  /* The initial value is the other end of the range, which must lose. */
  pl_global *lo = conf_global(c, 1, type, high, "lo"), *hi = conf_global(c, 1, type, low, "hi");
  pl_dat *tlo = conf_dat(c, one, 1, type, high, "tlo"), *thi = conf_dat(c, one, 1, type, low, "thi");
  OK(pl_par_loop(kernel, set, DIRECT(x, PL_READ), pl_arg_gbl(lo, PL_MIN), pl_arg_gbl(hi, PL_MAX),
                 pl_arg_dat(tlo, 0, map, PL_MIN), pl_arg_dat(thi, 0, map, PL_MAX)));
  SAME_GLOBAL(lo, low);
  SAME_GLOBAL(hi, high);
  SAME(tlo, low);
  SAME(thi, high);
}

static void case_ranges(conf *c)
{
  int8_t i8[] = {INT8_MIN, INT8_MAX};
  uint64_t u64[] = {0, UINT64_MAX};
  int64_t i64[] = {INT64_MIN, INT64_MAX};
  float f32[] = {-3.0e38f, 3.0e38f};
  test_extremes(c, extreme_i8, PL_INT8, &i8[0], &i8[1]);
  test_extremes(c, extreme_u64, PL_UINT64, &u64[0], &u64[1]);
  test_extremes(c, extreme_i64, PL_INT64, &i64[0], &i64[1]);
  test_extremes(c, extreme_f32, PL_FLOAT, &f32[0], &f32[1]);
}

const conf_case conf_types[] = {
  {"every access: int8", "P12 P17 P39", case_i8, CONF_MATRIX | CONF_RANKS},
  {"every access: uint8", "P12 P17 P39", case_u8, CONF_MATRIX | CONF_RANKS},
  {"every access: int16", "P12 P17 P39", case_i16, CONF_MATRIX | CONF_RANKS},
  {"every access: uint16", "P12 P17 P39", case_u16, CONF_MATRIX | CONF_RANKS},
  {"every access: int32", "P12 P17 P39", case_i32, CONF_MATRIX | CONF_RANKS},
  {"every access: uint32", "P12 P17 P39", case_u32, CONF_MATRIX | CONF_RANKS},
  {"every access: int64", "P12 P17 P39", case_i64, CONF_MATRIX | CONF_RANKS},
  {"every access: uint64", "P12 P17 P39", case_u64, CONF_MATRIX | CONF_RANKS},
  {"every access: float", "P12 P17 P39", case_f32, CONF_MATRIX | CONF_RANKS},
  {"every access: double", "P12 P17 P39", case_f64, CONF_MATRIX | CONF_RANKS},
  {"every access: complex float", "P12 P17 P39", case_c32, CONF_MATRIX | CONF_RANKS},
  {"every access: complex double", "P12 P17 P39", case_c64, CONF_MATRIX | CONF_RANKS},
  {"dims 1 to 9 and 33", "P09", case_dims, CONF_MATRIX | CONF_RANKS},
  {"dim 0", "P09", case_dim_zero, CONF_MATRIX | CONF_RANKS},
  {"ends of the ranges of types", "P39", case_ranges, CONF_MATRIX},
  {NULL, NULL, NULL, 0}};
