/* SPDX-License-Identifier: BSD-2-Clause
 * Arithmetic between types, compared with what C computes.
 */
#include "conformance.h"
#include <stdio.h>

/* ---- what C computes ---- */

#define REALS_A(X)                                                                                           \
  X(PL_INT8, int8_t)                                                                                         \
  X(PL_UINT8, uint8_t)                                                                                       \
  X(PL_INT16, int16_t)                                                                                       \
  X(PL_UINT16, uint16_t)                                                                                     \
  X(PL_INT32, int32_t)                                                                                       \
  X(PL_UINT32, uint32_t)                                                                                     \
  X(PL_INT64, int64_t)                                                                                       \
  X(PL_UINT64, uint64_t)                                                                                     \
  X(PL_FLOAT, float)                                                                                         \
  X(PL_DOUBLE, double)
#define REALS_B(X, A)                                                                                        \
  X(PL_INT8, int8_t, A)                                                                                      \
  X(PL_UINT8, uint8_t, A)                                                                                    \
  X(PL_INT16, int16_t, A)                                                                                    \
  X(PL_UINT16, uint16_t, A)                                                                                  \
  X(PL_INT32, int32_t, A)                                                                                    \
  X(PL_UINT32, uint32_t, A)                                                                                  \
  X(PL_INT64, int64_t, A)                                                                                    \
  X(PL_UINT64, uint64_t, A)                                                                                  \
  X(PL_FLOAT, float, A)                                                                                      \
  X(PL_DOUBLE, double, A)

enum { N = 6, RESULTS = 4 };

/* The copy of x, x op y, 2 x + y, and s - y for s = x[0], in the type of y. */
#define PAIR(code, B, A)                                                                                     \
  case code:                                                                                                 \
    for (int i = 0; i < N; i++) {                                                                            \
      const A x = ((const A *)a)[i], s = *(const A *)a;                                                      \
      const B y = ((const B *)b)[i];                                                                         \
      ((B *)r[0])[i] = (B)x;                                                                                 \
      ((B *)r[1])[i] = op == PL_ADD        ? (B)(x + y)                                                      \
                       : op == PL_SUBTRACT ? (B)(x - y)                                                      \
                       : op == PL_MULTIPLY ? (B)(x * y)                                                      \
                                           : (B)(x / y);                                                     \
      ((B *)r[2])[i] = (B)(y + 2 * x);                                                                       \
      ((B *)r[3])[i] = (B)(s - y);                                                                           \
    }                                                                                                        \
    break;
#define ROW(code, A)                                                                                         \
  case code:                                                                                                 \
    switch (tb) {                                                                                            \
      REALS_B(PAIR, A)                                                                                       \
    default:                                                                                                 \
      break;                                                                                                 \
    }                                                                                                        \
    break;

static void plain(pl_type ta, pl_type tb, pl_operator op, const void *a, const void *b,
                  char r[RESULTS][8 * N])
{
  switch (ta) {
    REALS_A(ROW)
  default:
    break;
  }
}

#define FILL(code, T)                                                                                        \
  case code:                                                                                                 \
    for (int i = 0; i < N; i++) ((T *)values)[i] = (T)value[i];                                              \
    break;

static void fill(pl_type type, const double *value, void *values)
{
  switch (type) {
    REALS_A(FILL)
  default:
    break;
  }
}

/* ---- P21: every pair ---- */

/* Negative numbers and numbers that wrap only where all types are integers: C defines no others. */
static void make_values(pl_type ta, pl_type tb, void *a, void *b)
{
  static const double whole_x[N] = {100, 7, 90, 120, 5, 64}, whole_y[N] = {100, 3, 77, 2, 120, 64};
  static const double minus_x[N] = {-100, 7, -90, 120, -5, 64}, minus_y[N] = {100, -3, -77, 2, -120, 64};
  static const double real_x[N] = {7.75, 8.5, 9.25, 6, 10.5, 6.125}, real_y[N] = {2.5, 1.25, 4, 2, 3.5, 4.75};
  const bool real = ta >= PL_FLOAT || tb >= PL_FLOAT;
  fill(ta, real ? real_x : ta % 2 ? whole_x : minus_x, a);
  fill(tb, real ? real_y : tb % 2 ? whole_y : minus_y, b);
}

typedef struct pair {
  char expected[RESULTS][8 * N];
  pl_dat *result[RESULTS];
} pair;

static void call_pair(conf *c, pl_set *set, pl_type ta, pl_type tb, pair *p)
{
  const pl_operator op = (pl_operator)((ta + tb) % 4);
  double a[N] = {0}, b[N] = {0};
  make_values(ta, tb, a, b);
  plain(ta, tb, op, a, b, p->expected);
  pl_dat *x = conf_dat(c, set, 1, ta, a, "x"), *y = conf_dat(c, set, 1, tb, b, "y");
  pl_global *s = conf_global(c, 1, ta, a, "s");
  for (int k = 0; k < RESULTS; k++) p->result[k] = conf_dat(c, set, 1, tb, b, "result");
  OK(pl_dat_copy(x, p->result[0]));
  OK(pl_dat_combine(x, op, y, p->result[1]));
  OK(pl_dat_axpy(2, x, p->result[2]));
  OK(pl_global_combine_dat(s, PL_SUBTRACT, y, p->result[3]));
}

/* A row of pairs in one chain, so that few programs are compiled. Each row has a set of its own: with
 * --scatter each declaration moves all dats of its set. */
static void case_pairs(conf *c)
{
  static pair pairs[PL_COMPLEX_FLOAT];
  char what[80];
  for (int ta = 0; ta < PL_COMPLEX_FLOAT; ta++) {
    pl_set *set = conf_set(c, N, "set");
    pl_chain *chain = NULL;
    if (c->variant->jit) OK(pl_chain_begin(c->pl, "row", &chain));
    for (int tb = 0; tb < PL_COMPLEX_FLOAT; tb++) call_pair(c, set, (pl_type)ta, (pl_type)tb, &pairs[tb]);
    if (chain) OK(pl_chain_end(chain));
    for (int tb = 0; tb < PL_COMPLEX_FLOAT; tb++)
      for (int k = 0; k < RESULTS; k++) {
        snprintf(what, sizeof what, "%s and %s, result %d", pl_type_name((pl_type)ta),
                 pl_type_name((pl_type)tb), k);
        conf_same(c, pairs[tb].result[k], pairs[tb].expected[k], what, __FILE__, __LINE__);
      }
  }
}

/* ---- globals ---- */

static void test_globals(conf *c, pl_type ta, pl_type tb)
{
  const pl_operator op = (pl_operator)((ta + tb) % 4);
  double a[N] = {0}, b[N] = {0};
  char expected[RESULTS][8 * N];
  make_values(ta, tb, a, b);
  plain(ta, tb, op, a, b, expected);
  pl_global *x = conf_global(c, N, ta, a, "x"), *y = conf_global(c, N, tb, b, "y"),
            *s = conf_global(c, 1, ta, a, "s"), *r = conf_global(c, N, tb, b, "r");
  OK(pl_global_copy(x, r));
  SAME_GLOBAL(r, expected[0]);
  OK(pl_global_combine(x, op, y, r));
  SAME_GLOBAL(r, expected[1]);
  OK(pl_global_combine(s, PL_SUBTRACT, y, r));
  SAME_GLOBAL(r, expected[3]);
  OK(pl_global_axpy(2, x, y));
  SAME_GLOBAL(y, expected[2]);
  pl_global_free(&x), pl_global_free(&y), pl_global_free(&s), pl_global_free(&r);
}

static void case_globals(conf *c)
{
  for (int ta = 0; ta < PL_COMPLEX_FLOAT; ta++)
    for (int tb = 0; tb < PL_COMPLEX_FLOAT; tb++) test_globals(c, (pl_type)ta, (pl_type)tb);
}

/* Results of loops, which a device has not sent to the host. */
PL_KERNEL(mixed_count, (int64_t * whole, double *real, const int32_t *x), {
  whole[0] += x[0];
  real[0] += 0.5 * x[0];
})

static void case_results(conf *c)
{
  const int32_t ones[5] = {1, 1, 1, 1, 1}, seven = 7;
  const double half = 2.5, shifted = 12.5, left = 0.4, square = 25, tripled = 7.5;
  const pl_cdouble z = {5, 0}, zz = {12.5, 0};
  pl_chain *chain;
  pl_set *set = conf_set(c, 5, "set");
  pl_dat *x = conf_dat(c, set, 1, PL_INT32, ones, "x");
  pl_global *whole = conf_global(c, 1, PL_INT64, NULL, "whole"),
            *real = conf_global(c, 1, PL_DOUBLE, NULL, "real"),
            *product = conf_global(c, 1, PL_DOUBLE, NULL, "product"),
            *small = conf_global(c, 1, PL_INT32, NULL, "small"),
            *complex = conf_global(c, 1, PL_COMPLEX_DOUBLE, NULL, "complex"),
            *quotient = conf_global(c, 1, PL_DOUBLE, NULL, "quotient");
  OK(pl_chain_begin(c->pl, "results", &chain));
  OK(pl_par_loop(mixed_count, set, pl_arg_gbl(whole, PL_INC), pl_arg_gbl(real, PL_INC), DIRECT(x, PL_READ)));
  OK(pl_global_combine(whole, PL_MULTIPLY, real, product));   /* 5 * 2.5 */
  OK(pl_global_combine(product, PL_DIVIDE, real, small));     /* 5 */
  OK(pl_global_combine_number(small, PL_ADD, 2, small));      /* 7 */
  OK(pl_number_combine_global(1, PL_DIVIDE, real, quotient)); /* 0.4 */
  OK(pl_global_copy(whole, complex));
  OK(pl_chain_end(chain));
  SAME_GLOBAL(product, &shifted);
  SAME_GLOBAL(real, &half);
  SAME_GLOBAL(small, &seven);
  SAME_GLOBAL(quotient, &left);
  SAME_GLOBAL(complex, &z);
  OK(pl_global_combine(complex, PL_MULTIPLY, real, complex));
  SAME_GLOBAL(complex, &zz);
  OK(pl_global_inner(whole, whole, product));
  SAME_GLOBAL(product, &square);
  OK(pl_global_axpy(2, real, real)); /* an operand and the result */
  SAME_GLOBAL(real, &tripled);
}

/* ---- complex numbers ---- */

static void case_complex(conf *c)
{
  const pl_cdouble z[3] = {{1, 2}, {-3, 0.5}, {0, -4}};
  const int16_t n[3] = {2, -3, 5};
  const float f[3] = {0.5f, 2, -1};
  pl_cfloat narrow[3], sum[3];
  pl_cdouble product[3], wide[3], inner = {0, 0};
  double norm;
  pl_set *set = conf_set(c, 3, "set");
  pl_dat *dz = conf_dat(c, set, 1, PL_COMPLEX_DOUBLE, z, "z"), *dn = conf_dat(c, set, 1, PL_INT16, n, "n"),
         *df = conf_dat(c, set, 1, PL_FLOAT, f, "f"),
         *dc = conf_dat(c, set, 1, PL_COMPLEX_FLOAT, NULL, "narrow"),
         *dw = conf_dat(c, set, 1, PL_COMPLEX_DOUBLE, NULL, "wide");
  pl_global *g = conf_global(c, 1, PL_COMPLEX_DOUBLE, z, "g"),
            *real = conf_global(c, 1, PL_DOUBLE, NULL, "real");
  for (int i = 0; i < 3; i++) {
    narrow[i] = (pl_cfloat){(float)z[i].re, (float)z[i].im};
    product[i] = (pl_cdouble){n[i] * z[i].re, n[i] * z[i].im};
    sum[i] = (pl_cfloat){narrow[i].re + 2 * f[i], narrow[i].im};
    wide[i] = (pl_cdouble){n[i], 0};
    inner.re += z[i].re * n[i], inner.im -= z[i].im * n[i];
  }
  OK(pl_dat_copy(dz, dc));
  SAME(dc, narrow);
  OK(pl_dat_copy(dn, dw));
  SAME(dw, wide);
  OK(pl_dat_combine(dn, PL_MULTIPLY, dz, dw));
  SAME(dw, product);
  OK(pl_dat_axpy(2, df, dc));
  SAME(dc, sum);
  OK(pl_dat_inner(dz, dn, g));
  SAME_GLOBAL(g, &inner);
  OK(pl_dat_norm(dn, &norm));
  CLOSE(norm * norm, 38.0);
  FAILS(pl_dat_copy(dz, df), PL_ERR_TYPE, "pl_dat_copy", "\"z\"", "\"f\"", "pl_cdouble", "float");
  FAILS(pl_dat_combine(df, PL_ADD, dz, df), PL_ERR_TYPE, "pl_dat_combine", "\"z\"", "\"f\"", "pl_cdouble");
  FAILS(pl_dat_axpy_global(g, df, dn), PL_ERR_TYPE, "pl_dat_axpy_global", "\"g\"", "\"n\"");
  FAILS(pl_dat_inner(dz, dn, real), PL_ERR_TYPE, "pl_dat_inner", "\"z\"", "\"real\"");
  FAILS(pl_global_copy(g, real), PL_ERR_TYPE, "pl_global_copy", "\"g\"", "\"real\"");
  FAILS(pl_global_combine(real, PL_ADD, g, real), PL_ERR_TYPE, "pl_global_combine", "\"g\"", "\"real\"");
}

/* ---- numbers ---- */

/* A number has the common type of the dats: 0.5 of whole numbers is kept where the result is real. */
static void case_numbers(conf *c)
{
  const int32_t n[3] = {3, 4, -5}, doubled[3] = {6, 8, -10};
  const double halves[3] = {1.5, 2, -2.5}, quotients[3] = {2, 1.5, -1.2}, mixed[3] = {2, 4, -1.2};
  const int middle = 1;
  const double big[3] = {9007199254740993.0, 2, 3};
  double total = 50;
  pl_set *set = conf_set(c, 3, "set");
  pl_dat *x = conf_dat(c, set, 1, PL_INT32, n, "x"), *y = conf_dat(c, set, 1, PL_DOUBLE, big, "y");
  pl_global *sum = conf_global(c, 1, PL_DOUBLE, NULL, "sum"),
            *thin = conf_global(c, 1, PL_FLOAT, NULL, "thin");
  OK(pl_dat_combine_number(x, PL_MULTIPLY, 0.5, y));
  SAME(y, halves);
  OK(pl_number_combine_dat(6, PL_DIVIDE, x, y));
  SAME(y, quotients);
  OK(pl_dat_inner(x, x, sum));
  SAME_GLOBAL(sum, &total);
  OK(pl_dat_copy_subset(x, y, conf_subset(c, set, 1, &middle)));
  SAME(y, mixed);
  OK(pl_dat_scale(2, x));
  SAME(x, doubled);
  FAILS(pl_dat_inner(x, y, thin), PL_ERR_TYPE, "pl_dat_inner", "\"y\"", "\"thin\"", "float");
}

/* ---- arrays ---- */

/* Arrays have sets of their own. */
static void case_arrays(conf *c)
{
  const float f[4] = {1.5f, -2, 3.75f, 1e6f};
  const int64_t whole[4] = {1, -2, 3, 1000000};
  int64_t got[4] = {0};
  pl_dat *from, *to, *complex;
  OK(pl_decl_array(c->pl, 4, 1, PL_FLOAT, f, "from", &from));
  OK(pl_decl_array(c->pl, 4, 1, PL_INT64, NULL, "to", &to));
  OK(pl_dat_copy(from, to));
  OK(pl_array_read(to, 0, 4, PL_INT64, got));
  CHECK(!memcmp(got, whole, sizeof got));
  OK(pl_decl_array(c->pl, 4, 1, PL_COMPLEX_FLOAT, NULL, "complex", &complex));
  OK(pl_dat_copy(from, complex));
  FAILS(pl_dat_copy(complex, to), PL_ERR_TYPE, "pl_dat_copy", "\"complex\"", "\"to\"", "int64_t");
}

/* ---- without a compiler ---- */

static void case_without_compiler(conf *c)
{
  conf other = *c;
  OK_IN(other.pl, conf_open(c, c->variant, (const char *const[]){"jit=off", NULL}, &other.pl));
  case_pairs(&other);
  case_complex(&other);
  case_numbers(&other);
  case_arrays(&other);
  pl_finalize(&other.pl);
  c->failures = other.failures;
}

const conf_case conf_mixed[] = {{"arithmetic between all pairs of types", "P21", case_pairs, CONF_RANKS},
                                {"globals of all pairs of types", "P22", case_globals, CONF_RANKS},
                                {"results of loops combined", "P22 P40", case_results, CONF_RANKS},
                                {"arithmetic of complex and real numbers", "P21", case_complex, CONF_RANKS},
                                {"numbers in arithmetic", "P21", case_numbers, CONF_RANKS},
                                {"arrays copied to another type", "P21", case_arrays, CONF_RANKS},
                                {"types without a compiler", "P21", case_without_compiler, 0},
                                {NULL, NULL, NULL, 0}};
