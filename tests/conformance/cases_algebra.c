/* SPDX-License-Identifier: BSD-2-Clause
 * Arithmetic of dats and globals, compared with plain C. Values are small and quotients exact, so results
 * have the same bits in any order and with fused multiply-add.
 */
#include "conformance.h"
#include <math.h>
#include <stdio.h>

/* ---- numbers of any type ---- */

typedef struct number {
  double re, im;
} number;

static bool is_complex(pl_type type)
{
  return type == PL_COMPLEX_FLOAT || type == PL_COMPLEX_DOUBLE;
}

static void store(pl_type type, void *values, int i, number value)
{
#define STORE(code, T)                                                                                       \
  case code:                                                                                                 \
    ((T *)values)[i] = (T)(int64_t)value.re;                                                                 \
    break;
  switch (type) {
    STORE(PL_INT8, int8_t)
    STORE(PL_UINT8, uint8_t)
    STORE(PL_INT16, int16_t)
    STORE(PL_UINT16, uint16_t)
    STORE(PL_INT32, int32_t)
    STORE(PL_UINT32, uint32_t)
    STORE(PL_INT64, int64_t)
    STORE(PL_UINT64, uint64_t)
  case PL_FLOAT:
    ((float *)values)[i] = (float)value.re;
    break;
  case PL_DOUBLE:
    ((double *)values)[i] = value.re;
    break;
  case PL_COMPLEX_FLOAT:
    ((pl_cfloat *)values)[i] = (pl_cfloat){(float)value.re, (float)value.im};
    break;
  default:
    ((pl_cdouble *)values)[i] = (pl_cdouble){value.re, value.im};
  }
}

static number divide(pl_type type, number a, number b)
{
  double scale = b.re * b.re + b.im * b.im;
  if (type < PL_FLOAT) return (number){scale > 0 ? trunc(a.re / b.re) : 0, 0};
  return (number){(a.re * b.re + a.im * b.im) / scale, (a.im * b.re - a.re * b.im) / scale};
}

static number apply(pl_type type, pl_operator op, number a, number b)
{
  switch (op) {
  case PL_ADD:
    return (number){a.re + b.re, a.im + b.im};
  case PL_SUBTRACT:
    return (number){a.re - b.re, a.im - b.im};
  case PL_MULTIPLY:
    return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  default:
    return divide(type, a, b);
  }
}

/* Parts of the left operand. */
static number any(conf *c, pl_type type)
{
  bool sign = type >= PL_FLOAT || type % 2 == 0;
  number x = {conf_below(c, 12) - (sign ? 6 : 0), is_complex(type) ? conf_below(c, 12) - 6 : 0};
  return x;
}

/* Divisors with exact quotients, except for integers. */
static number divisor(conf *c, pl_type type)
{
  static const number complex[] = {{1, 0}, {0, 2}, {1, 1}, {-2, 2}, {4, -4}, {0, -1}};
  static const double real[] = {1, 2, 4, -1, -2, 0.5}, whole[] = {1, 2, 3, 0, -1, -2};
  int k = conf_below(c, 6);
  if (is_complex(type)) return complex[k];
  return (number){type >= PL_FLOAT ? real[k] : type % 2 ? fabs(whole[k]) : whole[k], 0};
}

/* ---- P21: all operators, all types ---- */

enum { N = 37, DIM = 2, VALUES = N * DIM, FORMS = 10 };

/* left operator right > result. x, y, z: dats; s: a global of one value; v: one of a value per component. */
static const char forms[FORMS][6] = {"xy>z", "xy>x", "xy>y", "xx>z", "xx>x",
                                     "xs>z", "xv>x", "sx>x", "vx>z", "sx>z"};

typedef struct operands {
  pl_type type;
  number x[VALUES], y[VALUES], s[1], v[DIM];
  pl_set *set;
  pl_dat *dx, *dy;
  pl_global *gs, *gv;
} operands;

static void make_operands(conf *c, pl_type type, operands *o)
{
  char x[VALUES * 16], y[VALUES * 16], s[16], v[DIM * 16];
  o->type = type;
  for (int i = 0; i < VALUES; i++) {
    store(type, x, i, o->x[i] = any(c, type));
    store(type, y, i, o->y[i] = divisor(c, type));
  }
  for (int i = 0; i < DIM; i++) store(type, v, i, o->v[i] = divisor(c, type));
  for (int i = 0; i < VALUES; i += 5) store(type, x, i, o->x[i] = o->y[i]); /* also a divisor */
  store(type, s, 0, o->s[0] = divisor(c, type));
  o->set = conf_set(c, N, "set");
  o->dx = conf_dat(c, o->set, DIM, type, x, "x");
  o->dy = conf_dat(c, o->set, DIM, type, y, "y");
  o->gs = conf_global(c, 1, type, s, "s");
  o->gv = conf_global(c, DIM, type, v, "v");
}

static void free_operands(operands *o)
{
  pl_dat_free(&o->dx);
  pl_dat_free(&o->dy);
  pl_global_free(&o->gs);
  pl_global_free(&o->gv);
  pl_set_free(&o->set);
}

static number value_of(const operands *o, char name, int i)
{
  return name == 'x' ? o->x[i] : name == 'y' ? o->y[i] : name == 's' ? o->s[0] : o->v[i % DIM];
}

static void expect(const operands *o, pl_operator op, const char *form, void *expected)
{
  for (int i = 0; i < VALUES; i++)
    store(o->type, expected, i, apply(o->type, op, value_of(o, form[0], i), value_of(o, form[1], i)));
}

/* The dat of an operand; the written one if the operand is also the result. */
static pl_dat *dat_of(const operands *o, const char *form, char name, pl_dat *result)
{
  return name == form[3] ? result : name == 'x' ? o->dx : o->dy;
}

static void combine(conf *c, const operands *o, pl_operator op, const char *form, pl_dat *result)
{
  pl_global *global = strchr(form, 's') ? o->gs : o->gv;
  if (form[3] != 'z') OK(pl_dat_copy(form[3] == 'x' ? o->dx : o->dy, result));
  pl_dat *a = dat_of(o, form, form[0], result), *b = dat_of(o, form, form[1], result);
  if (strchr("sv", form[0]))
    OK(pl_global_combine_dat(global, op, b, result));
  else if (strchr("sv", form[1]))
    OK(pl_dat_combine_global(a, op, global, result));
  else
    OK(pl_dat_combine(a, op, b, result));
}

/* Three types in all forms, every third form of the others. Complex divisors have exact quotients. */
static bool takes(pl_type type, int k)
{
  const char *form = forms[k % FORMS];
  bool whole = type == PL_INT32 || type == PL_DOUBLE || type == PL_COMPLEX_DOUBLE;
  if (!whole && (k + (int)type) % 3) return false;
  return k / FORMS != PL_DIVIDE || type < PL_FLOAT || form[1] == 'y' || strchr("sv", form[1]);
}

static void test_type(conf *c, pl_type type)
{
  char expected[VALUES * 16], what[60];
  operands o;
  pl_chain *chain;
  pl_dat *result[4][FORMS];
  make_operands(c, type, &o);
  for (int k = 0; k < 4 * FORMS; k++)
    OK(pl_decl_dat(o.set, DIM, type, NULL, forms[k % FORMS], &result[k / FORMS][k % FORMS]));
  OK(pl_chain_begin(c->pl, "arithmetic", &chain)); /* few programs to compile */
  for (int k = 0; k < 4 * FORMS; k++)
    if (takes(type, k))
      combine(c, &o, (pl_operator)(k / FORMS), forms[k % FORMS], result[k / FORMS][k % FORMS]);
  OK(pl_chain_end(chain));
  for (int k = 0; k < 4 * FORMS; k++) {
    snprintf(what, sizeof what, "%s of %s, operator %d", forms[k % FORMS], pl_type_name(type), k / FORMS);
    expect(&o, (pl_operator)(k / FORMS), forms[k % FORMS], expected);
    if (takes(type, k)) conf_same(c, result[k / FORMS][k % FORMS], expected, what, __FILE__, __LINE__);
    pl_dat_free(&result[k / FORMS][k % FORMS]);
  }
  free_operands(&o);
}

static void case_every_type(conf *c)
{
  for (int type = 0; type < PL_TYPE_COUNT; type++) test_type(c, (pl_type)type);
}

static void case_operators(conf *c)
{
  char expected[VALUES * 16];
  operands o;
  make_operands(c, PL_COMPLEX_DOUBLE, &o);
  for (int op = 0; op < 4; op++) {
    pl_dat *result = conf_dat(c, o.set, DIM, o.type, NULL, "result");
    combine(c, &o, (pl_operator)op, op % 2 ? "xy>x" : "sx>z", result);
    expect(&o, (pl_operator)op, op % 2 ? "xy>x" : "sx>z", expected);
    SAME(result, expected);
  }
  expect(&o, PL_ADD, "xv>x", expected);
  combine(c, &o, PL_ADD, "xv>x", o.dx);
  SAME(o.dx, expected);
}

/* Operands that would trap or wrap in C. */
static void case_quotients(conf *c)
{
  const int32_t a[4] = {INT32_MIN, 7, -7, INT32_MAX}, b[4] = {-1, 0, 2, -1},
                q[4] = {INT32_MIN, 0, -3, -INT32_MAX};
  const int64_t la = INT64_MIN, lb = -1, lq = INT64_MIN;
  const uint8_t ua[2] = {200, 7}, ub[2] = {255, 0}, uq[2] = {0, 0};
  pl_set *set = conf_set(c, 4, "set");
  pl_dat *x = conf_dat(c, set, 1, PL_INT32, a, "x"), *y = conf_dat(c, set, 1, PL_INT32, b, "y");
  pl_global *g = conf_global(c, 1, PL_INT64, &la, "g"), *h = conf_global(c, 1, PL_INT64, &lb, "h");
  pl_global *u = conf_global(c, 2, PL_UINT8, ua, "u"), *v = conf_global(c, 2, PL_UINT8, ub, "v");
  OK(pl_dat_combine(x, PL_DIVIDE, y, x));
  SAME(x, q);
  OK(pl_global_combine(g, PL_DIVIDE, h, g));
  SAME_GLOBAL(g, &lq);
  OK(pl_global_combine(u, PL_DIVIDE, v, v));
  SAME_GLOBAL(v, uq);
}

/* ---- P21: vectors ---- */

enum { ROWS = 211 };

typedef struct vectors {
  pl_set *set;
  pl_dat *x, *y;
  double a[3 * ROWS], b[3 * ROWS];
} vectors;

static void make_vectors(conf *c, vectors *v)
{
  for (int i = 0; i < 3 * ROWS; i++) v->a[i] = conf_below(c, 9) - 4, v->b[i] = conf_below(c, 9) - 4;
  v->set = conf_set(c, ROWS, "set");
  v->x = conf_dat(c, v->set, 3, PL_DOUBLE, v->a, "x");
  v->y = conf_dat(c, v->set, 3, PL_DOUBLE, v->b, "y");
}

static void case_vectors(conf *c)
{
  const double factor[3] = {2, -1, 0.5};
  static vectors v;
  make_vectors(c, &v);
  pl_global *factors = conf_global(c, 3, PL_DOUBLE, factor, "factors");
  pl_dat *three[3] = {v.x, v.y, v.x};
  OK(pl_dat_axpy(3, v.x, v.y));
  OK(pl_dat_axpy(0.5, v.x, v.x));
  for (int i = 0; i < 3 * ROWS; i++) v.b[i] += 3 * v.a[i], v.a[i] *= 1.5;
  SAME(v.y, v.b);
  SAME(v.x, v.a);
  OK(pl_dat_aypx(-2, v.x, v.y));
  for (int i = 0; i < 3 * ROWS; i++) v.b[i] = v.a[i] - 2 * v.b[i];
  SAME(v.y, v.b);
  OK(pl_dat_maxpy(3, factors, three, v.y));
  for (int i = 0; i < 3 * ROWS; i++) v.b[i] = v.b[i] + 2.5 * v.a[i] - v.b[i];
  SAME(v.y, v.b);
  double ones[16];
  pl_dat *copies[16];
  for (int k = 0; k < 16; k++) {
    ones[k] = 1;
    copies[k] = conf_dat(c, v.set, 3, PL_DOUBLE, v.a, "copy");
  }
  OK(pl_dat_maxpy(16, conf_global(c, 16, PL_DOUBLE, ones, "ones"), copies, v.y));
  for (int i = 0; i < 3 * ROWS; i++) v.b[i] += 16 * v.a[i];
  SAME(v.y, v.b);
  OK(pl_dat_scale(-0.25, v.y));
  for (int i = 0; i < 3 * ROWS; i++) v.b[i] *= -0.25;
  SAME(v.y, v.b);
  CHECK(pl_dat_version(v.y) == 5 && pl_dat_version(v.x) == 1);
  OK(pl_dat_fill(v.x, 7.5));
  for (int i = 0; i < 3 * ROWS; i++) v.a[i] = 7.5;
  SAME(v.x, v.a);
}

/* On a subset. */
static void case_parts(conf *c)
{
  static vectors v;
  int odd[ROWS / 2];
  make_vectors(c, &v);
  for (int i = 0; i < ROWS / 2; i++) odd[i] = 2 * i + 1;
  pl_set *part = conf_subset(c, v.set, ROWS / 2, odd), *other = conf_set(c, 1, "other");
  OK(pl_dat_copy_subset(v.x, v.y, part));
  for (int i = 0; i < 3 * ROWS; i++) v.b[i] = i / 3 % 2 ? v.a[i] : v.b[i];
  SAME(v.y, v.b);
  OK(pl_dat_zero_subset(v.y, part));
  OK(pl_dat_axpy(1, v.y, v.x));
  for (int i = 0; i < 3 * ROWS; i++) v.a[i] += v.b[i] = i / 3 % 2 ? 0 : v.b[i];
  SAME(v.x, v.a);
  OK(pl_dat_copy_subset(v.x, v.y, v.set));
  SAME(v.y, v.a);
  FAILS(pl_dat_copy_subset(v.x, v.y, other), PL_ERR_ARG, "pl_dat_copy_subset", "\"other\"", "\"set\"");
}

static void case_products(conf *c)
{
  const double u[3] = {3, 4, 0}, w[3] = {4, 5, 6}, one[3] = {1, 2, 3};
  const pl_cdouble z[2] = {{1, 2}, {3, -4}}, t[2] = {{2, 0}, {1, 1}}, zt = {1, 3}, tz = {1, -3};
  const pl_cfloat f[2] = {{3, 0}, {0, -4}};
  const int16_t whole[2] = {5, -12};
  static float close[4096];
  double norm = 0, inner = 32, total;
  pl_set *three = conf_set(c, 3, "three"), *two = conf_set(c, 2, "two"), *many = conf_set(c, 4096, "many");
  pl_global *sum = conf_global(c, 1, PL_DOUBLE, u, "sum"),
            *both = conf_global(c, 1, PL_COMPLEX_DOUBLE, z, "both");
  pl_dat *dz = conf_dat(c, two, 1, PL_COMPLEX_DOUBLE, z, "z"),
         *dt = conf_dat(c, two, 1, PL_COMPLEX_DOUBLE, t, "t");
  OK(pl_dat_norm(conf_dat(c, three, 1, PL_DOUBLE, u, "u"), &norm));
  CLOSE(norm, 5.0);
  OK(pl_dat_norm(conf_dat(c, two, 1, PL_COMPLEX_FLOAT, f, "f"), &norm));
  CLOSE(norm, 5.0);
  OK(pl_dat_norm(conf_dat(c, two, 1, PL_INT16, whole, "whole"), &norm));
  CLOSE(norm, 13.0);
  OK(pl_dat_inner(conf_dat(c, three, 1, PL_DOUBLE, one, "one"), conf_dat(c, three, 1, PL_DOUBLE, w, "w"),
                  sum));
  SAME_GLOBAL(sum, &inner);
  OK(pl_dat_inner(dz, dt, both)); /* (1-2i) 2 + (3+4i) (1+i) */
  SAME_GLOBAL(both, &zt);
  OK(pl_dat_inner(dt, dz, both));
  SAME_GLOBAL(both, &tz);
  OK(pl_dat_norm(dz, &norm));
  CLOSE(norm * norm, 30.0);
  for (int i = 0; i < 4096; i++) close[i] = 4097.0f; /* squares that a float cannot hold */
  pl_dat *x = conf_dat(c, many, 1, PL_FLOAT, close, "x");
  OK(pl_dat_inner(x, x, sum));
  total = 4096 * 4097.0 * 4097.0;
  SAME_GLOBAL(sum, &total);
  OK(pl_dat_norm(x, &norm));
  CLOSE(norm, 64 * 4097.0);
}

/* ---- conjugate gradients ---- */

PL_KERNEL(algebra_laplace, (double *ap, const double *p, const double *const neighbours[2]),
          { ap[0] = 2.5 * p[0] - neighbours[0][0] - neighbours[1][0]; })

typedef struct system {
  pl_set *set;
  pl_map *neighbours;
  pl_dat *x, *r, *p, *ap;
  pl_global *rr, *pap;
} linear_system;

static double product(conf *c, pl_dat *a, pl_dat *b, pl_global *sum)
{
  double value;
  OK(pl_dat_inner(a, b, sum));
  OK(pl_global_get(sum, &value));
  return value;
}

/* Hestenes and Stiefel 1952; returns by how much the residual shrinks. */
static double solve(conf *c, linear_system *s)
{
  double start = product(c, s->r, s->r, s->rr), rr = start;
  OK(pl_dat_copy(s->r, s->p));
  for (int k = 0; k < 60 && rr > 1e-26 * start; k++) {
    OK(pl_par_loop(algebra_laplace, s->set, DIRECT(s->ap, PL_WRITE), DIRECT(s->p, PL_READ),
                   pl_arg_dat(s->p, PL_ALL, s->neighbours, PL_READ)));
    double alpha = rr / product(c, s->p, s->ap, s->pap), before = rr;
    OK(pl_dat_axpy(alpha, s->p, s->x));
    OK(pl_dat_axpy(-alpha, s->ap, s->r));
    rr = product(c, s->r, s->r, s->rr);
    OK(pl_dat_aypx(rr / before, s->r, s->p));
  }
  return rr / start;
}

/* The same in a chain: no step waits for a result, so nothing runs before the end (docs/chains.md). */
static void iterate(conf *c, linear_system *s, pl_global *alpha, pl_global *minus, pl_global *next,
                    pl_global *beta)
{
  OK(pl_par_loop(algebra_laplace, s->set, DIRECT(s->ap, PL_WRITE), DIRECT(s->p, PL_READ),
                 pl_arg_dat(s->p, PL_ALL, s->neighbours, PL_READ)));
  OK(pl_dat_inner(s->p, s->ap, s->pap));
  OK(pl_global_combine(s->rr, PL_DIVIDE, s->pap, alpha)); /* alpha = rr / pap */
  OK(pl_global_combine_number(alpha, PL_MULTIPLY, -1, minus));
  OK(pl_dat_axpy_global(alpha, s->p, s->x));  /* x = x + alpha p */
  OK(pl_dat_axpy_global(minus, s->ap, s->r)); /* r = r - alpha ap */
  OK(pl_dat_inner(s->r, s->r, next));
  OK(pl_global_combine(next, PL_DIVIDE, s->rr, beta));
  OK(pl_dat_aypx_global(beta, s->r, s->p)); /* p = r + beta p */
  OK(pl_global_copy(next, s->rr));
}

static double solve_in_chain(conf *c, linear_system *s)
{
  const double zero = 0;
  double start, rr;
  pl_chain *chain;
  pl_global *g[4];
  for (int i = 0; i < 4; i++) g[i] = conf_global(c, 1, PL_DOUBLE, &zero, "g");
  OK(pl_dat_inner(s->r, s->r, s->rr));
  OK(pl_global_get(s->rr, &start));
  OK(pl_dat_copy(s->r, s->p));
  OK(pl_chain_begin(c->pl, "gradients", &chain));
  uint64_t before = conf_stats(c).loops_run;
  for (int k = 0; k < 5; k++) iterate(c, s, g[0], g[1], g[2], g[3]);
  CHECK(conf_stats(c).loops_run == before);
  OK(pl_chain_end(chain));
  for (int k = 0; k < 35; k++) {
    OK(pl_chain_begin(c->pl, "gradients", &chain));
    iterate(c, s, g[0], g[1], g[2], g[3]);
    OK(pl_chain_end(chain));
  }
  OK(pl_global_get(s->rr, &rr));
  return rr / start;
}

static void check_gradients(conf *c, bool in_chain)
{
  enum { POINTS = 300 };
  int neighbours[2 * POINTS];
  double right[POINTS], norm = 1;
  for (int i = 0; i < POINTS; i++) {
    right[i] = conf_below(c, 100);
    neighbours[2 * i] = i - 1; /* none at the ends */
    neighbours[2 * i + 1] = i + 1 < POINTS ? i + 1 : -1;
  }
  linear_system s = {.set = conf_set(c, POINTS, "points")};
  s.neighbours = conf_map(c, s.set, s.set, 2, neighbours, "neighbours");
  s.x = conf_dat(c, s.set, 1, PL_DOUBLE, NULL, "x");
  s.r = conf_dat(c, s.set, 1, PL_DOUBLE, right, "r");
  s.p = conf_dat(c, s.set, 1, PL_DOUBLE, NULL, "p");
  s.ap = conf_dat(c, s.set, 1, PL_DOUBLE, NULL, "ap");
  s.rr = conf_global(c, 1, PL_DOUBLE, NULL, "rr");
  s.pap = conf_global(c, 1, PL_DOUBLE, NULL, "pap");
  if (in_chain)
    CHECK(solve_in_chain(c, &s) <= 1e-20);
  else
    CHECK(solve(c, &s) <= 1e-26);
  pl_dat *b = conf_dat(c, s.set, 1, PL_DOUBLE, right, "b");
  OK(pl_par_loop(algebra_laplace, s.set, DIRECT(s.ap, PL_WRITE), DIRECT(s.x, PL_READ),
                 pl_arg_dat(s.x, PL_ALL, s.neighbours, PL_READ)));
  OK(pl_dat_combine(b, PL_SUBTRACT, s.ap, b));
  OK(pl_dat_norm(b, &norm));
  CHECK(norm < (in_chain ? 1e-6 : 1e-9));
}

static void case_gradients(conf *c)
{
  check_gradients(c, false);
}

static void case_gradients_recorded(conf *c)
{
  check_gradients(c, true);
}

/* ---- recorded ---- */

static void case_recorded(conf *c)
{
  static vectors v;
  const int few[2] = {0, 5};
  pl_chain *chain;
  make_vectors(c, &v);
  pl_set *part = conf_subset(c, v.set, 2, few);
  OK(pl_dat_axpy(1, v.x, v.x)); /* sets are distributed */
  for (int i = 0; i < 3 * ROWS; i++) v.a[i] *= 2;
  for (int times = 1; times < 4; times++) {
    OK(pl_chain_begin(c->pl, "chain", &chain));
    uint64_t before = conf_stats(c).loops_run;
    OK(pl_dat_axpy(times, v.x, v.y));
    OK(pl_dat_zero_subset(v.y, part));
    OK(pl_dat_scale(0.5, v.y));
    OK(pl_dat_axpy(-times, v.x, v.y));
    OK(pl_dat_copy_subset(v.x, v.y, part));
    CHECK(conf_stats(c).loops_run == before);
    OK(pl_chain_end(chain));
    for (int i = 0; i < 3 * ROWS; i++) {
      bool is_part = i < 3 || i / 3 == 5;
      v.b[i] = is_part ? v.a[i] : (v.b[i] + times * v.a[i]) * 0.5 - times * v.a[i];
    }
    SAME(v.y, v.b);
  }
}

/* A sum of which only a part was zeroed is not gathered in its reader. */
PL_KERNEL(algebra_spread, (double *const sum[2], const double *x), {
  sum[0][0] += x[0];
  sum[1][0] += 2.0 * x[0];
})
PL_KERNEL(algebra_take, (double *to, const double *sum), { to[0] = 3.0 * sum[0]; })

static void case_sums_over_parts(conf *c)
{
  enum { CELLS = 90, POINTS = 40 };
  const int few[3] = {1, 2, 30};
  int index[2 * CELLS];
  double x[CELLS], sum[POINTS], to[POINTS];
  pl_chain *chain;
  for (int i = 0; i < 2 * CELLS; i++) index[i] = (i / 2 + i % 2) % POINTS;
  for (int i = 0; i < CELLS; i++) x[i] = conf_below(c, 9);
  for (int i = 0; i < POINTS; i++) sum[i] = 100 + i;
  pl_set *cells = conf_set(c, CELLS, "cells"), *points = conf_set(c, POINTS, "points"),
         *part = conf_subset(c, points, 3, few);
  pl_map *map = conf_map(c, cells, points, 2, index, "map");
  pl_dat *dx = conf_dat(c, cells, 1, PL_DOUBLE, x, "x"),
         *dsum = conf_dat(c, points, 1, PL_DOUBLE, sum, "sum"),
         *dto = conf_dat(c, points, 1, PL_DOUBLE, NULL, "to");
  OK(pl_chain_begin(c->pl, "chain", &chain));
  OK(pl_chain_hint(chain, dsum, PL_INLINE));
  OK(pl_dat_zero_subset(dsum, part));
  OK(pl_par_loop(algebra_spread, cells, pl_arg_dat(dsum, PL_ALL, map, PL_INC), DIRECT(dx, PL_READ)));
  OK(pl_par_loop(algebra_take, points, DIRECT(dto, PL_WRITE), DIRECT(dsum, PL_READ)));
  OK(pl_dat_zero(dsum));
  OK(pl_chain_end(chain));
  for (int i = 0; i < 3; i++) sum[few[i]] = 0;
  for (int i = 0; i < 2 * CELLS; i++) sum[index[i]] += (1 + i % 2) * x[i / 2];
  for (int i = 0; i < POINTS; i++) to[i] = 3 * sum[i];
  SAME(dto, to);
}

/* ---- P22 ---- */

static void test_globals(conf *c, pl_type type, pl_operator op)
{
  char a[48], b[48], expected[48];
  number x[3], y[3];
  for (int i = 0; i < 3; i++) {
    store(type, a, i, x[i] = any(c, type));
    store(type, b, i, y[i] = divisor(c, type));
  }
  pl_global *ga = conf_global(c, 3, type, a, "a"), *gb = conf_global(c, 3, type, b, "b"),
            *one = conf_global(c, 1, type, b, "one"), *result = conf_global(c, 3, type, a, "result");
  for (int i = 0; i < 3; i++) store(type, expected, i, apply(type, op, x[i], y[i]));
  OK(pl_global_combine(ga, op, gb, result));
  SAME_GLOBAL(result, expected);
  for (int i = 0; i < 3; i++) store(type, expected, i, apply(type, op, x[i], y[0]));
  OK(pl_global_combine(ga, op, one, ga));
  SAME_GLOBAL(ga, expected);
  if (op != PL_DIVIDE || type < PL_FLOAT) {
    for (int i = 0; i < 3; i++) store(type, expected, i, apply(type, op, y[0], y[i]));
    OK(pl_global_combine(one, op, gb, gb));
    SAME_GLOBAL(gb, expected);
  }
  pl_global_free(&ga);
  pl_global_free(&gb);
  pl_global_free(&one);
  pl_global_free(&result);
}

PL_KERNEL(algebra_count, (double *sum, const double *x), { sum[0] += x[0]; })

static void case_globals(conf *c)
{
  const double ones[5] = {1, 1, 1, 1, 1}, w[3] = {1, 2, 3}, u[3] = {4, 5, 6}, inner = 32;
  const pl_cfloat z = {1, 2}, zz = {5, 0};
  double five = 5, ten = 10;
  for (int type = 0; type < PL_TYPE_COUNT; type++)
    for (int op = 0; op < 4; op++) test_globals(c, (pl_type)type, (pl_operator)op);
  pl_global *a = conf_global(c, 3, PL_DOUBLE, w, "a"), *b = conf_global(c, 3, PL_DOUBLE, u, "b"),
            *sum = conf_global(c, 1, PL_DOUBLE, NULL, "sum"),
            *p = conf_global(c, 1, PL_COMPLEX_FLOAT, &z, "p");
  OK(pl_global_inner(a, b, sum));
  SAME_GLOBAL(sum, &inner);
  OK(pl_global_inner(p, p, p));
  SAME_GLOBAL(p, &zz);
  OK(pl_global_zero(sum)); /* waits for the results of loops */
  pl_set *set = conf_set(c, 5, "set");
  pl_dat *x = conf_dat(c, set, 1, PL_DOUBLE, ones, "x");
  OK(pl_par_loop(algebra_count, set, pl_arg_gbl(sum, PL_INC), DIRECT(x, PL_READ)));
  OK(pl_global_combine(sum, PL_ADD, sum, sum));
  SAME_GLOBAL(sum, &ten);
  OK(pl_dat_combine_global(x, PL_MULTIPLY, sum, x));
  OK(pl_global_zero(sum));
  OK(pl_par_loop(algebra_count, set, pl_arg_gbl(sum, PL_INC), DIRECT(x, PL_READ)));
  five *= 10;
  SAME_GLOBAL(sum, &five);
  FAILS(pl_global_combine(a, PL_ADD, p, a), PL_ERR_TYPE, "\"a\"", "\"p\"");
  FAILS(pl_global_combine(a, PL_ADD, b, sum), PL_ERR_TYPE, "\"sum\"");
  FAILS(pl_global_combine(a, (pl_operator)9, b, a), PL_ERR_ARG, "9");
  FAILS(pl_global_inner(a, b, a), PL_ERR_TYPE, "\"a\"");
}

/* ---- without a compiler ---- */

enum { FEW = 5, PARTS = 8 };

/* The results of all calls for a type: small integers, exact in every type. */
static void compute_all(conf *c, pl_context *pl, pl_type type, char out[PARTS][2 * FEW * 16], double *norm)
{
  const int part[2] = {1, 3};
  char x[2 * FEW * 16] = "", y[2 * FEW * 16] = "";
  pl_set *set, *subset;
  pl_dat *dx, *dy, *dz;
  pl_global *factor, *sum;
  for (int i = 0; i < 2 * FEW; i++) {
    store(type, x, i, (number){i % 4 + 1, 1});
    store(type, y, i, (number){i % 3 + 1, 0});
  }
  memset(out, 0, sizeof(char[PARTS][2 * FEW * 16]));
  OK_IN(pl, pl_decl_set(pl, FEW, "few", &set));
  OK_IN(pl, pl_decl_subset(set, 2, part, "part", &subset));
  OK_IN(pl, pl_decl_dat(set, 2, type, x, "x", &dx));
  OK_IN(pl, pl_decl_dat(set, 2, type, y, "y", &dy));
  OK_IN(pl, pl_decl_dat(set, 2, type, NULL, "z", &dz));
  OK_IN(pl, pl_decl_global(pl, 1, type, x, "factor", &factor));
  OK_IN(pl, pl_decl_global(pl, 1, type, NULL, "sum", &sum));
  OK_IN(pl, pl_dat_combine(dx, PL_MULTIPLY, dy, dz));
  OK_IN(pl, pl_dat_fetch(dz, out[0]));
  OK_IN(pl, pl_dat_copy_subset(dx, dz, subset));
  OK_IN(pl, pl_dat_fetch(dz, out[1]));
  OK_IN(pl, pl_dat_axpy(2, dx, dz));
  OK_IN(pl, pl_dat_aypx_global(factor, dy, dz));
  OK_IN(pl, pl_dat_fetch(dz, out[2]));
  OK_IN(pl, pl_global_combine_dat(factor, PL_ADD, dz, dz));
  OK_IN(pl, pl_dat_scale(2, dz));
  OK_IN(pl, pl_dat_combine_number(dz, PL_SUBTRACT, 1, dz));
  OK_IN(pl, pl_dat_fetch(dz, out[3]));
  OK_IN(pl, pl_dat_inner(dx, dz, sum));
  OK_IN(pl, pl_global_get(sum, out[4]));
  OK_IN(pl, pl_dat_norm(dx, norm));
  OK_IN(pl, pl_dat_fill(dz, 3));
  OK_IN(pl, pl_dat_zero_subset(dz, subset));
  OK_IN(pl, pl_dat_fetch(dz, out[5]));
}

/* All arithmetic works without a compiler, and gives the same: P21. */
static void case_interpreted(conf *c)
{
  static char with[PARTS][2 * FEW * 16], without[PARTS][2 * FEW * 16];
  for (int type = 0; type < PL_TYPE_COUNT; type++) {
    pl_context *pl;
    double norm[2] = {0, 1};
    OK_IN(pl, conf_open(c, c->variant, (const char *const[]){"jit=off", NULL}, &pl));
    compute_all(c, pl, (pl_type)type, without, &norm[1]);
    pl_finalize(&pl);
    compute_all(c, c->pl, (pl_type)type, with, &norm[0]);
    CHECK(!memcmp(with, without, sizeof with));
    CLOSE(norm[1], norm[0]);
  }
}

/* ---- names ---- */

static bool has_line(conf *c, const char *name)
{
  pl_profile_entry entry;
  for (int i = 0; !pl_profile_at(c->pl, i, &entry); i++)
    if (!strcmp(entry.name, name)) return true;
  return false;
}

/* The profile and messages have the calls of the program, not the kernels of the library: P21. */
static void case_calls(conf *c)
{
  static vectors v;
  const double *view;
  pl_chain *chain;
  double norm;
  make_vectors(c, &v);
  pl_global *g = conf_global(c, 1, PL_DOUBLE, v.a, "g");
  OK(pl_dat_axpy(2, v.x, v.y));
  OK(pl_dat_scale(2, v.x));
  OK(pl_dat_fill(v.x, 2));
  OK(pl_dat_combine(v.x, PL_ADD, v.y, v.y));
  OK(pl_global_combine_dat(g, PL_MULTIPLY, v.y, v.x));
  OK(pl_dat_inner(v.x, v.y, g));
  OK(pl_dat_norm(v.x, &norm));
  OK(pl_dat_combine_number(v.x, PL_DIVIDE, 4, v.y));
  static const char *const lines[] = {"pl_dat_axpy(x, y)",
                                      "pl_dat_scale(x)",
                                      "pl_dat_fill(x)",
                                      "pl_dat_combine(x, PL_ADD, y, y)",
                                      "pl_global_combine_dat(g, PL_MULTIPLY, y, x)",
                                      "pl_dat_inner(x, y, g)",
                                      "pl_dat_norm(x)"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) CHECK(has_line(c, lines[i]));
  OK(pl_dat_get(v.x, PL_READ, (void **)&view));
  FAILS(pl_dat_aypx(2, v.y, v.x), PL_ERR_STATE, "pl_dat_aypx(y, x)");
  OK(pl_dat_put(v.x));
  OK(pl_profile_reset(c->pl));
  OK(pl_chain_begin(c->pl, "calls", &chain));
  OK(pl_dat_axpy(2, v.x, v.y));
  OK(pl_dat_scale(2, v.x));
  OK(pl_chain_end(chain));
  CHECK(c->mixed || !c->variant->jit || has_line(c, "pl_dat_axpy(x, y) + pl_dat_scale(x)"));
}

/* ---- refused ---- */

static void case_refused(conf *c)
{
  static vectors v;
  const double *view;
  double norm = 0;
  make_vectors(c, &v);
  pl_set *other = conf_set(c, ROWS, "other");
  pl_dat *far = conf_dat(c, other, 3, PL_DOUBLE, NULL, "far"),
         *slim = conf_dat(c, v.set, 1, PL_DOUBLE, NULL, "slim"),
         *fine = conf_dat(c, v.set, 3, PL_FLOAT, NULL, "fine");
  pl_global *two = conf_global(c, 2, PL_DOUBLE, v.a, "two"),
            *whole = conf_global(c, 1, PL_INT32, NULL, "whole");
  OK(pl_dat_scale(1, v.x)); /* sets are distributed */
  FAILS(pl_dat_combine(v.x, PL_ADD, far, v.x), PL_ERR_TYPE, "pl_dat_combine", "\"x\"", "\"far\"",
        "\"other\"");
  FAILS(pl_dat_combine(v.x, PL_ADD, v.y, slim), PL_ERR_TYPE, "\"slim\"", "1 of double");
  FAILS(pl_dat_axpy(1, fine, slim), PL_ERR_TYPE, "pl_dat_axpy", "\"fine\"", "3 of float");
  FAILS(pl_dat_aypx(1, v.x, far), PL_ERR_TYPE, "pl_dat_aypx", "\"far\"");
  FAILS(pl_dat_maxpy(2, two, (pl_dat *[]){v.x, slim}, v.y), PL_ERR_TYPE, "pl_dat_maxpy", "\"slim\"");
  FAILS(pl_dat_maxpy(1, two, &v.x, v.y), PL_ERR_TYPE, "\"two\"", "needs 1");
  FAILS(pl_dat_maxpy(17, two, &v.x, v.y), PL_ERR_RANGE, "17", "1 to 16");
  FAILS(pl_dat_combine(v.x, (pl_operator)4, v.y, v.x), PL_ERR_ARG, "4", "operator");
  FAILS(pl_dat_combine_global(v.x, PL_ADD, two, v.x), PL_ERR_TYPE, "\"two\"", "1 or 3");
  FAILS(pl_dat_inner(v.x, v.y, whole), PL_ERR_TYPE, "\"whole\"", "int32");
  FAILS(pl_dat_inner(v.x, v.y, two), PL_ERR_TYPE, "\"two\"", "needs 1");
  FAILS(pl_dat_inner(v.x, slim, two), PL_ERR_TYPE, "\"slim\"");
  OK(pl_dat_get(v.x, PL_READ, (void **)&view));
  FAILS(pl_dat_scale(2, v.x), PL_ERR_STATE, "\"x\"", "pl_dat_put");
  OK(pl_dat_axpy(0, v.x, v.y));
  OK(pl_dat_put(v.x));
  OK(pl_dat_get(v.x, PL_RW, (void **)&view));
  FAILS(pl_dat_norm(v.x, &norm), PL_ERR_STATE, "\"x\"");
  OK(pl_dat_put(v.x));
  SAME(v.x, v.a);
  SAME(v.y, v.b);
}

const conf_case conf_algebra[] = {
  {"arithmetic of every type", "P21", case_every_type, CONF_RANKS | CONF_NEEDS_JIT},
  {"arithmetic loop by loop", "P21", case_operators, CONF_RANKS | CONF_NEEDS_JIT},
  {"quotients of integers", "P21 P22", case_quotients, CONF_RANKS | CONF_NEEDS_JIT},
  {"dats as vectors", "P21", case_vectors, CONF_RANKS | CONF_NEEDS_JIT},
  {"copies and zeros of a subset", "P21", case_parts, CONF_RANKS | CONF_NEEDS_JIT},
  {"inner products and norms", "P21", case_products, CONF_RANKS | CONF_NEEDS_JIT},
  {"conjugate gradients", "P21", case_gradients, CONF_RANKS | CONF_NEEDS_JIT},
  {"conjugate gradients in a chain", "P21 P40", case_gradients_recorded, CONF_RANKS | CONF_NEEDS_JIT},
  {"arithmetic recorded", "P21", case_recorded, CONF_RANKS | CONF_NEEDS_JIT | CONF_EAGER},
  {"sums into a partly zeroed dat", "P21", case_sums_over_parts, CONF_RANKS | CONF_NEEDS_JIT},
  {"operators on globals", "P22", case_globals, CONF_RANKS},
  {"arithmetic by the names of its calls", "P21", case_calls, CONF_RANKS | CONF_NEEDS_JIT | CONF_EAGER},
  {"arithmetic without a compiler", "P21", case_interpreted, CONF_NEEDS_JIT},
  {"arithmetic refused", "P21 P22", case_refused, CONF_RANKS | CONF_NEEDS_JIT | CONF_EAGER},
  {NULL, NULL, NULL, 0}};
