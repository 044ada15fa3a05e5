/* SPDX-License-Identifier: BSD-2-Clause
 * Errors of loops: the message names the kernel and the argument, and nothing is changed.
 */
#include "conformance.h"
#include <stdlib.h>
#include <math.h>
#include <stdio.h>

/* A kernel for every access of a double. */
PL_KERNEL(error_touch, (double *x), { (void)x; })
PL_KERNEL(error_flat, (double x[3]), { (void)x; })
PL_KERNEL(error_touch2, (double *x, double *y), {
  (void)x;
  (void)y;
})
PL_KERNEL(error_complex, (pl_cdouble * x), { (void)x; })
PL_KERNEL(error_const, (const double *x), { (void)x; })
PL_KERNEL(error_float, (float *x), { (void)x; })
PL_KERNEL(error_sets, (const double *x, double *s), { s[0] = x[0]; })
PL_KERNEL(error_extreme, (const double *x, double *s), { s[0] = fmax(x[0], s[0]); })
PL_KERNEL(error_chosen, (const double *x, double *s), {
  if (x[0] < s[0]) s[0] = x[0];
})
PL_KERNEL(error_sums, (const double *x, double *s), { s[0] = x[0] + s[0]; })
PL_KERNEL(error_scales, (const double *x, double *s), { s[0] *= x[0]; })
PL_KERNEL(error_adds, (const double *x, double *s), { s[0] += x[0]; })
PL_KERNEL(error_sized, (double x[3]), { (void)x; })
PL_KERNEL(error_pointers, (double *x[2]), { (void)x; })
PL_KERNEL(error_packed, (double x[2][2]), { (void)x; })
PL_KERNEL(error_index, (int64_t * i), { (void)i; })
PL_KERNEL(error_index32, (const int32_t *i), { (void)i; })

typedef struct objects {
  pl_set *set, *to, *other;
  pl_map *map, *apart, *far;
  pl_dat *x, *y, *on_to, *wide, *complex;
  pl_global *g, *gc;
  pl_const *k;
} objects;

static void declare_objects(conf *c, objects *w)
{
  const int index[] = {0, 1, 1, 3, 0, 1}, apart[] = {4, 4, 4}, far[] = {0, 1, 2};
  const double value = 1;
  *w = (objects){.set = conf_set(c, 3, "set"), .to = conf_set(c, 5, "to"), .other = conf_set(c, 3, "other")};
  w->map = conf_map(c, w->set, w->to, 2, index, "map");
  w->apart = conf_map(c, w->set, w->to, 1, apart, "apart");
  w->far = conf_map(c, w->other, w->to, 1, far, "far");
  w->x = conf_dat(c, w->set, 1, PL_DOUBLE, NULL, "x");
  w->y = conf_dat(c, w->set, 1, PL_DOUBLE, NULL, "y");
  w->on_to = conf_dat(c, w->to, 1, PL_DOUBLE, NULL, "on_to");
  w->wide = conf_dat(c, w->to, 2, PL_DOUBLE, NULL, "wide");
  w->complex = conf_dat(c, w->set, 1, PL_COMPLEX_DOUBLE, NULL, "complex");
  w->g = conf_global(c, 1, PL_DOUBLE, &value, "g");
  w->gc = conf_global(c, 1, PL_COMPLEX_DOUBLE, NULL, "gc");
  OK(pl_decl_const(c->pl, "konst", 1, PL_DOUBLE, &value, &w->k));
}

/* ---- P39 ---- */

static const char *const mode_names[] = {"none", "READ", "WRITE", "RW", "INC", "MIN", "MAX", "beyond"};

/* One loop with one argument: accepted, or refused with a message about it and no effect. */
static void expect(conf *c, const pl_kernel *kernel, pl_set *set, pl_arg arg, bool accepted, pl_err code)
{
  char what[200];
  pl_stats before = conf_stats(c);
  pl_err err = pl_par_loop_args(kernel, set, 1, &arg);
  const char *message = pl_errmsg(c->pl);
  snprintf(what, sizeof what, "%s, kind %d, %s%s: %s", kernel->name, (int)arg.kind, mode_names[arg.access],
           arg.map ? " through a map" : "", err ? message : "accepted");
  conf_check(c, accepted ? err == PL_SUCCESS : err == code, what, __FILE__, __LINE__);
  if (accepted || err == PL_SUCCESS) return;
  conf_check(c, strstr(message, kernel->name) && strstr(message, "argument 1") && !strchr(message, '\n'),
             what, __FILE__, __LINE__);
  pl_stats after = conf_stats(c);
  CHECK(!memcmp(&before, &after, sizeof before));
}

static void case_modes(conf *c)
{
  objects w;
  declare_objects(c, &w);
  for (int mode = 0; mode <= PL_MAX + 1; mode++) {
    pl_access access = (pl_access)mode;
    bool real = mode >= PL_READ && mode <= PL_MAX, ordered = mode == PL_MIN || mode == PL_MAX;
    expect(c, error_touch, w.set, DIRECT(w.x, access), real, PL_ERR_ACCESS);
    expect(c, error_touch, w.set, pl_arg_dat(w.on_to, 0, w.map, access), real, PL_ERR_ACCESS);
    expect(c, error_pointers, w.set, pl_arg_dat(w.on_to, PL_ALL, w.map, access), real, PL_ERR_ACCESS);
    expect(c, error_packed, w.set, pl_arg_dat(w.wide, PL_ALL, w.map, access), real, PL_ERR_ACCESS);
    expect(c, error_touch, w.set, pl_arg_gbl(w.g, access), real && mode != PL_WRITE && mode != PL_RW,
           PL_ERR_ACCESS);
    expect(c, error_touch, w.set, pl_arg_const(w.k, access), mode == PL_READ, PL_ERR_ACCESS);
    expect(c, error_complex, w.set, DIRECT(w.complex, access), real && !ordered, PL_ERR_ACCESS);
    expect(c, error_complex, w.set, pl_arg_gbl(w.gc, access),
           real && !ordered && mode != PL_WRITE && mode != PL_RW, PL_ERR_ACCESS);
  }
}

/* ---- P37 ---- */

static void case_arguments(conf *c)
{
  objects w;
  declare_objects(c, &w);
  const double zeros[5] = {0};
  pl_arg unmade = {0};
  FAILS(pl_par_loop(NULL, w.set, DIRECT(w.x, PL_READ)), PL_ERR_ARG, "\"set\"", "kernel is NULL");
  CHECK(pl_par_loop(error_touch, NULL, DIRECT(w.x, PL_READ)) == PL_ERR_ARG);
  FAILS(pl_par_loop(error_touch, NULL, DIRECT(w.x, PL_READ)), PL_ERR_ARG, "error_touch", "the set is NULL");
  FAILS(pl_par_loop_args(error_touch, w.set, 0, NULL), PL_ERR_ARG, "error_touch", "no arguments");
  FAILS(pl_par_loop(error_touch2, w.set, DIRECT(w.x, PL_READ)), PL_ERR_KERNEL, "error_touch2", "2 parameters",
        "1 argument");
  FAILS(pl_par_loop(error_touch, w.set, DIRECT(w.x, PL_READ), DIRECT(w.y, PL_READ)), PL_ERR_KERNEL,
        "error_touch", "1 parameter", "2 arguments");
  FAILS(pl_par_loop(error_touch, w.set, unmade), PL_ERR_ARG, "error_touch", "argument 1");
  FAILS(pl_par_loop(error_touch, w.set, DIRECT(NULL, PL_READ)), PL_ERR_ARG, "argument 1", "NULL");
  FAILS(pl_par_loop(error_touch, w.set, pl_arg_gbl(NULL, PL_READ)), PL_ERR_ARG, "argument 1", "NULL");
  FAILS(pl_par_loop(error_touch, w.other, DIRECT(w.x, PL_READ)), PL_ERR_ARG, "error_touch", "argument 1",
        "\"x\"", "\"set\"", "\"other\"");
  FAILS(pl_par_loop(error_touch, w.set, pl_arg_dat(w.on_to, 0, w.far, PL_READ)), PL_ERR_ARG, "argument 1",
        "\"far\"", "\"other\"");
  FAILS(pl_par_loop(error_touch, w.set, pl_arg_dat(w.x, 0, w.map, PL_READ)), PL_ERR_ARG, "argument 1",
        "\"x\"", "\"map\"", "\"to\"");
  FAILS(pl_par_loop(error_touch, w.set, pl_arg_dat(w.x, 0, PL_DIRECT, PL_READ)), PL_ERR_ARG, "argument 1",
        "a target", "the map is NULL");
  FAILS(pl_par_loop(error_touch, w.set, pl_arg_dat(w.x, PL_ALL, PL_DIRECT, PL_READ)), PL_ERR_ARG,
        "argument 1", "PL_ALL", "pl_arg_direct");
  FAILS(pl_par_loop(error_index, w.set, pl_arg_idx(PL_ALL, w.map)), PL_ERR_RANGE, "argument 1", "PL_ALL");
  FAILS(pl_par_loop(error_index, w.set, pl_arg_idx(2, w.map)), PL_ERR_RANGE, "argument 1", "target 2");
  SAME(w.x, zeros);
  CHECK(pl_dat_version(w.x) == 0 && conf_stats(c).loops_run == 0 && conf_stats(c).loops_built == 0);
}

static void case_types(conf *c)
{
  objects w;
  declare_objects(c, &w);
  FAILS(pl_par_loop(error_float, w.set, DIRECT(w.x, PL_RW)), PL_ERR_TYPE, "error_float", "parameter 1 \"x\"",
        "float", "\"x\"", "double");
  FAILS(pl_par_loop(error_float, w.set, pl_arg_gbl(w.g, PL_INC)), PL_ERR_TYPE, "error_float", "global \"g\"",
        "double");
  FAILS(pl_par_loop(error_complex, w.set, DIRECT(w.x, PL_RW)), PL_ERR_TYPE, "error_complex", "pl_cdouble",
        "double");
  FAILS(pl_par_loop(error_const, w.set, DIRECT(w.x, PL_WRITE)), PL_ERR_ACCESS, "error_const", "parameter 1",
        "const", "\"x\"");
  FAILS(pl_par_loop(error_const, w.set, pl_arg_gbl(w.g, PL_INC)), PL_ERR_ACCESS, "error_const", "const",
        "\"g\"");
  FAILS(pl_par_loop(error_sets, w.set, DIRECT(w.x, PL_READ), pl_arg_gbl(w.g, PL_INC)), PL_ERR_ACCESS,
        "error_sets", "global \"g\"", "never adds", "PL_INC");
  FAILS(pl_par_loop(error_sets, w.set, DIRECT(w.x, PL_READ), pl_arg_dat(w.on_to, 0, w.map, PL_INC)),
        PL_ERR_ACCESS, "dat", "never adds");
  FAILS(pl_par_loop(error_scales, w.set, DIRECT(w.x, PL_READ), pl_arg_dat(w.on_to, 0, w.map, PL_INC)),
        PL_ERR_ACCESS, "error_scales", "never adds", "PL_INC");
  FAILS(pl_par_loop(error_adds, w.set, DIRECT(w.x, PL_READ), DIRECT(w.y, PL_WRITE)), PL_ERR_ACCESS,
        "error_adds", "dat \"y\"", "PL_WRITE", "updates the old value");
  FAILS(pl_par_loop(error_extreme, w.set, DIRECT(w.x, PL_READ), pl_arg_dat(w.on_to, 0, w.map, PL_INC)),
        PL_ERR_ACCESS, "error_extreme", "never adds", "PL_INC");
  FAILS(pl_par_loop(error_chosen, w.set, DIRECT(w.x, PL_READ), pl_arg_gbl(w.g, PL_INC)), PL_ERR_ACCESS,
        "error_chosen", "never adds", "PL_INC");
  FAILS(pl_par_loop(error_sums, w.set, DIRECT(w.x, PL_READ), pl_arg_gbl(w.g, PL_MAX)), PL_ERR_ACCESS,
        "error_sums", "never compares", "PL_MAX");
  FAILS(pl_par_loop(error_adds, w.set, DIRECT(w.x, PL_READ), pl_arg_gbl(w.g, PL_MIN)), PL_ERR_ACCESS,
        "error_adds", "global \"g\"", "never compares", "PL_MIN", "less");
  FAILS(pl_par_loop(error_sized, w.set, DIRECT(w.x, PL_RW)), PL_ERR_KERNEL, "error_sized", "1 value",
        "\"x\"");
  FAILS(pl_par_loop(error_pointers, w.set, DIRECT(w.x, PL_RW)), PL_ERR_KERNEL, "error_pointers",
        "array of pointers", "\"x\"");
  FAILS(pl_par_loop(error_pointers, w.set, pl_arg_dat(w.on_to, 0, w.map, PL_READ)), PL_ERR_KERNEL,
        "error_pointers", "PL_ALL");
  FAILS(pl_par_loop(error_flat, w.set, pl_arg_dat(w.on_to, PL_ALL, w.map, PL_READ)), PL_ERR_KERNEL,
        "error_flat", "\"map\"", "2 targets");
  FAILS(pl_par_loop(error_packed, w.set, pl_arg_dat(w.on_to, PL_ALL, w.map, PL_READ)), PL_ERR_KERNEL,
        "error_packed", "\"on_to\"", "1 value");
  FAILS(pl_par_loop(error_pointers, w.set, pl_arg_dat(w.on_to, PL_ALL, w.apart, PL_READ)), PL_ERR_KERNEL,
        "error_pointers", "1 target");
  FAILS(pl_par_loop(error_index, w.set, pl_arg_idx(PL_ID, PL_DIRECT)), PL_ERR_ACCESS, "error_index",
        "const int64_t");
  FAILS(pl_par_loop(error_index32, w.set, pl_arg_idx(PL_ID, PL_DIRECT)), PL_ERR_TYPE, "error_index32",
        "int32", "int64");
  CHECK(conf_stats(c).loops_built == 0 && pl_dat_version(w.x) == 0);
}

/* ---- one dat in two arguments ---- */

PL_KERNEL(error_copy, (double *to, const double *from), { to[0] = from[0] + 1.0; })
PL_KERNEL(error_push, (double *to, const double *from), { to[0] += from[0] + 1.0; })

static void case_overlap(conf *c)
{
  objects w;
  const double pushed[5] = {1, 0, 1, 0, 0};
  int odd[] = {1, 1, 3}, even[] = {0, 2, 0};
  declare_objects(c, &w);
  pl_map *odds = conf_map(c, w.set, w.to, 1, odd, "odds"),
         *evens = conf_map(c, w.set, w.to, 1, even, "evens");
  FAILS(pl_par_loop(error_copy, w.set, DIRECT(w.x, PL_WRITE), DIRECT(w.x, PL_READ)), PL_ERR_ACCESS,
        "error_copy", "argument 2", "\"x\"", "argument 1", "element 0");
  FAILS(pl_par_loop(error_push, w.set, pl_arg_dat(w.on_to, 0, w.map, PL_INC),
                    pl_arg_dat(w.on_to, 1, w.map, PL_READ)),
        PL_ERR_ACCESS, "error_push", "argument 2", "\"on_to\"", "argument 1");
  FAILS(pl_par_loop(error_touch2, w.set, pl_arg_dat(w.on_to, 0, w.map, PL_RW),
                    pl_arg_dat(w.on_to, 0, w.map, PL_INC)),
        PL_ERR_ACCESS, "argument 2");
  FAILS(pl_par_loop(error_touch2, w.set, pl_arg_gbl(w.g, PL_INC), pl_arg_gbl(w.g, PL_READ)), PL_ERR_ACCESS,
        "argument 2", "\"g\"", "argument 1");
  CHECK(pl_dat_version(w.on_to) == 0);
  /* Without a common element nothing depends on the order. */
  OK(pl_par_loop(error_push, w.set, pl_arg_dat(w.on_to, 0, evens, PL_INC),
                 pl_arg_dat(w.on_to, 0, odds, PL_READ)));
  SAME(w.on_to, ((const double[5]){2, 0, 1, 0, 0}));
  /* Nor in a subset. */
  pl_set *first = conf_subset(c, w.set, 1, (int[]){1});
  OK(pl_dat_zero(w.on_to));
  OK(pl_par_loop(error_push, conf_subset(c, w.set, 2, (int[]){0, 1}), pl_arg_dat(w.on_to, 0, evens, PL_INC),
                 pl_arg_dat(w.on_to, 0, odds, PL_READ)));
  SAME(w.on_to, pushed);
  OK(pl_par_loop(error_push, first, pl_arg_dat(w.on_to, 0, w.map, PL_INC),
                 pl_arg_dat(w.on_to, 1, w.map, PL_READ)));
  SAME(w.on_to, ((const double[5]){1, 1, 1, 0, 0}));
}

PL_KERNEL(error_both, (double *a, double *b), {
  a[0] += 1.0;
  b[0] += 1.0;
})
PL_KERNEL(error_row, (double *x[2]), {
  x[0][0] += 1.0;
  x[1][0] += 1.0;
})
PL_KERNEL(error_one, (double *x), { x[0] += 1.0; })

/* Two updates of one target by one element: PL_INC and a loop for each target count both, PL_RW is refused.
 */
static void case_repeats(conf *c)
{
  enum { N = 40 };
  int index[2 * N], one[N];
  double twice[N], wide[2 * N];
  for (int e = 0; e < N; e++) {
    one[e] = e;
    index[2 * e] = e;
    index[2 * e + 1] = e == 31 ? 31 : (e + 1) % N;
    wide[2 * e] = wide[2 * e + 1] = 1;
    twice[e] = e == 31 ? 3 : e == 32 ? 1 : 2;
  }
  pl_set *set = conf_set(c, N, "set"), *to = conf_set(c, N, "to");
  pl_chain *chain = NULL;
  pl_map *map = conf_map(c, set, to, 2, index, "repeating"), *same = conf_map(c, set, to, 1, one, "same");
  pl_dat *x = conf_dat(c, to, 1, PL_DOUBLE, NULL, "x"), *w = conf_dat(c, to, 2, PL_DOUBLE, NULL, "w");
  FAILS(pl_par_loop(error_row, set, pl_arg_dat(x, PL_ALL, map, PL_RW)), PL_ERR_ACCESS, "error_row",
        "argument 1 (dat \"x\")", "from element 31, target 0 of map \"repeating\"", "target 1 of map",
        "element 31 of \"to\"", "PL_INC");
  FAILS(pl_par_loop(error_both, set, pl_arg_dat(x, 0, map, PL_RW), pl_arg_dat(x, 1, map, PL_RW)),
        PL_ERR_ACCESS, "argument 2", "element 31");
  FAILS(pl_par_loop(error_both, set, pl_arg_dat(x, 0, map, PL_RW), pl_arg_dat(x, 0, same, PL_RW)),
        PL_ERR_ACCESS, "argument 2", "map \"same\"");
  OK(pl_par_loop(error_row, set, pl_arg_dat(x, PL_ALL, map, PL_INC)));
  SAME(x, twice);
  OK(pl_dat_zero(x));
  OK(pl_chain_begin(c->pl, "both", &chain));
  for (int k = 0; k < 2; k++) OK(pl_par_loop(error_one, set, pl_arg_dat(x, k, map, PL_RW)));
  OK(pl_chain_end(chain));
  SAME(x, twice);
  OK(pl_par_loop(error_both, set, pl_arg_component(pl_arg_dat(w, 0, same, PL_RW), 0),
                 pl_arg_component(pl_arg_dat(w, 0, same, PL_RW), 1)));
  SAME(w, wide);
}

/* A refused loop runs after its arguments are corrected. */
static void case_after_error(conf *c)
{
  objects w;
  const double ones[3] = {1, 1, 1};
  declare_objects(c, &w);
  for (int i = 0; i < 3; i++) {
    FAILS(pl_par_loop(error_copy, w.set, DIRECT(w.x, PL_WRITE), DIRECT(w.on_to, PL_READ)), PL_ERR_ARG,
          "\"on_to\"");
    OK(pl_par_loop(error_copy, w.set, DIRECT(w.x, PL_WRITE), DIRECT(w.y, PL_READ)));
    SAME(w.x, ones);
  }
  CHECK(pl_dat_version(w.x) == 3);
}

/* An index in brackets after a const's name stays within its values, unless the name is a local one. */
static void case_const_reach(conf *c)
{
  objects w;
  declare_objects(c, &w);
  const double three[3] = {1, 2, 3}, twos[3] = {3, 3, 3}, tens[3] = {10, 10, 10};
  OK(pl_decl_const(c->pl, "three", 3, PL_DOUBLE, three, NULL));
  const pl_kernel *beyond = conf_source(c, "beyond", "void beyond(double *x) { x[0] = three[3]; }", NULL);
  const pl_kernel *within = conf_source(c, "within", "void within(double *x) { x[0] = three[2]; }", NULL);
  const pl_kernel *own = conf_source(
    c, "own", "void own(double *x) { double y, three[4]; three[3] = y = 10; x[0] = three[3]; }", NULL);
  FAILS(pl_par_loop(beyond, w.set, DIRECT(w.x, PL_WRITE)), PL_ERR_KERNEL, "beyond", "value 3", "\"three\"",
        "from 0 to 2");
  OK(pl_par_loop(within, w.set, DIRECT(w.x, PL_WRITE)));
  SAME(w.x, twos);
  OK(pl_par_loop(own, w.set, DIRECT(w.x, PL_WRITE)));
  SAME(w.x, tens);
}

/* Two pl_real parameters must have the same type. */
static void case_real(conf *c)
{
  objects w;
  declare_objects(c, &w);
  const pl_kernel *kernel =
    conf_source(c, "reals", "void reals(pl_real *a, const pl_real *b) { a[0] = b[0]; }", NULL);
  pl_dat *f = conf_dat(c, w.set, 1, PL_FLOAT, NULL, "f");
  pl_dat *i = conf_dat(c, w.set, 1, PL_INT32, NULL, "i");
  FAILS(pl_par_loop(kernel, w.set, DIRECT(f, PL_WRITE), DIRECT(w.x, PL_READ)), PL_ERR_TYPE, "reals",
        "parameter 2", "\"x\"", "parameter 1", "\"f\"");
  FAILS(pl_par_loop(kernel, w.set, DIRECT(i, PL_WRITE), DIRECT(w.x, PL_READ)), PL_ERR_TYPE, "reals",
        "parameter 1", "pl_real", "int32");
}

/* ---- errors that only a checked run finds ---- */

PL_KERNEL(error_keeps, (double *t, const double *x), {
  double *p = t;
  p[0] = x[0] < p[0] ? x[0] : p[0];
})
PL_KERNEL(error_keeps_whole, (int *t, const int *x), {
  int *p = t;
  p[0] |= x[0];
})
PL_KERNEL(error_opposite, (double *t, const double *x), {
  double *p = t;
  if (x[0] > p[0]) p[0] = x[0];
})
PL_KERNEL(error_cancels, (double *a, double *b, double *sum, const double *x), {
  a[0] += x[0];
  b[0] -= x[0] + 0.125;
  sum[0] += x[0] * 1e6;
})
PL_KERNEL(error_far, (double *t, const double *x), { t[0] = t[0] + 1e-3 * x[0]; })

PL_KERNEL(error_divides, (int *t, const int *x, const int *y), {
  t[0] = 7 / (x[0] + 1) + 7 / x[0];
  t[0] %= x[0] / 2 + y[0];
})
PL_KERNEL(error_uses_sum, (double *y, double *t, const double *x), {
  t[0] += x[0];
  y[0] = 2 * t[0];
})
PL_KERNEL(error_beyond, (double *y, const pl_row_double *x), {
  y[0] = 0;
  for (int k = 0; k <= x->count; k++) y[0] += pl_at(x, k, 0);
})

PL_KERNEL(error_indexed, (double q[2], const double *x[2], const int *i), {
  q[0] = 0;
  q[i[0]] = x[i[1]][i[2]] + x[1][0] / 2;
  q[1] = *x[0] + i[0];
})
PL_KERNEL(error_packed_index, (double m[2][3], const int *i), {
  for (int k = 0; k < 6; k++) m[k / 3][k % 3] = 1;
  m[i[0]][i[1]] += m[0][(int)m[1][i[2]]];
})
PL_KERNEL(error_optional, (double *y, const double *x, const pl_cdouble *z, const int *use), {
  *y = x ? *x : 1;
  *y += 1 * *y;
  if (use[0] == 1) y[0] = *x;
  if (use[0] == 2) y[0] = z->re;
  if (use[0] == 3) y[0] += x[0];
})
PL_KERNEL(error_hidden, (double *y, const int *i), {
  double q[4] = {0};
  for (int y = 0; y < 4; y++) q[y] = y;
  const double *end = &q[4];
  y[0] = q[i[0] + 1] + (double)(end - q);
})

/* Indices beyond an argument's values, in its text. */
static void case_indices(conf *c)
{
  enum { N = 10 };
  static const int bad[][3] = {{2, 0, 0}, {-1, 0, 0}, {123456789, 0, 0},
                               {1, 2, 0}, {0, 1, -7}, {0, 0, 99999}};
  static const char *const where[] = {"index 2 in bracket 1 of argument 1 (dat \"q\"), where the end is 2",
                                      "index -1 in bracket 1 of argument 1",
                                      "index 123456789 in bracket 1 of argument 1",
                                      "index 2 in bracket 1 of argument 2 (dat \"x\"), where the end is 2",
                                      "index -7 in bracket 2 of argument 2",
                                      "index 99999 in bracket 2 of argument 2"};
  int ends[2 * N], index[N][3] = {{0}};
  for (int e = 0; e < N; e++) ends[2 * e] = e, ends[2 * e + 1] = (e + 1) % N;
  pl_set *set = conf_set(c, N, "set");
  pl_map *map = conf_map(c, set, set, 2, ends, "ends");
  pl_dat *q = conf_dat(c, set, 2, PL_DOUBLE, NULL, "q"), *x = conf_dat(c, set, 1, PL_DOUBLE, NULL, "x"),
         *m = conf_dat(c, set, 6, PL_DOUBLE, NULL, "m"),
         *z = conf_dat(c, set, 1, PL_COMPLEX_DOUBLE, NULL, "z");
  OK(pl_set_option(c->pl, "check", "1"));
  for (int b = -1; b < 6; b++) {
    if (b >= 0) memcpy(index[6], bad[b], sizeof bad[b]);
    pl_dat *i = conf_dat(c, set, 3, PL_INT32, index, "i");
    pl_err err = pl_par_loop(error_indexed, set, DIRECT(q, PL_WRITE), pl_arg_dat(x, PL_ALL, map, PL_READ),
                             DIRECT(i, PL_READ));
    if (b < 0)
      OK(err);
    else
      FAILS(err, PL_ERR_CHECK, "error_indexed", "at element 6", where[b], "cases_errors.c");
    pl_dat_free(&i);
  }
  memset(index, 0, sizeof index);
  pl_dat *i = conf_dat(c, set, 3, PL_INT32, index, "i");
  OK(pl_par_loop(error_packed_index, set, DIRECT(m, PL_WRITE), DIRECT(i, PL_READ)));
  OK(pl_par_loop(error_hidden, set, DIRECT(x, PL_WRITE), DIRECT(i, PL_READ)));
  index[6][2] = 3;
  pl_dat *j = conf_dat(c, set, 3, PL_INT32, index, "j");
  FAILS(pl_par_loop(error_packed_index, set, DIRECT(m, PL_WRITE), DIRECT(j, PL_READ)), PL_ERR_CHECK,
        "at element 6", "index 3 in bracket 2 of argument 1 (dat \"m\"), where the end is 3");
  for (int use = 0; use < 4; use++) {
    index[0][0] = use;
    pl_dat *u = conf_dat(c, set, 3, PL_INT32, index, "u");
    pl_err err = pl_par_loop(error_optional, set, DIRECT(x, PL_WRITE), pl_arg_opt(DIRECT(q, PL_READ), false),
                             pl_arg_opt(DIRECT(z, PL_READ), false), DIRECT(u, PL_READ));
    if (!use)
      OK(err);
    else
      FAILS(err, PL_ERR_CHECK, "error_optional", "at element 0", use == 2 ? "argument 3" : "argument 2",
            "switched off");
    pl_dat_free(&u);
  }
  OK(pl_set_option(c->pl, "check", "0"));
}

PL_FUNCTION(void, error_fill, (double *to, int n), {
  for (int k = 0; k < n; k++) to[k] = k;
})
PL_KERNEL(error_outside, (double q[2], const int *n), {
  double *to = q;
  error_fill(q, n[0]);
  to[n[1]] = 1;
})
PL_KERNEL(error_reads_outside, (double *y, const double x[2], const int *n), {
  const double *from = x;
  y[0] = from[n[0]];
})

/* Indices beyond an argument's values, through other pointers and in functions: copies have guard zones. */
static void case_guards(conf *c)
{
  enum { N = 10 };
  int good[N][2], bad[N][2], below[N][2];
  for (int e = 0; e < N; e++) {
    good[e][0] = bad[e][0] = below[e][0] = 2;
    good[e][1] = bad[e][1] = below[e][1] = 1;
  }
  bad[4][0] = 5;
  below[3][1] = -1;
  pl_set *set = conf_set(c, N, "set");
  pl_dat *q = conf_dat(c, set, 2, PL_DOUBLE, NULL, "q"), *x = conf_dat(c, set, 2, PL_DOUBLE, NULL, "x"),
         *y = conf_dat(c, set, 1, PL_DOUBLE, NULL, "y"), *dgood = conf_dat(c, set, 2, PL_INT32, good, "good"),
         *dbad = conf_dat(c, set, 2, PL_INT32, bad, "bad"),
         *dbelow = conf_dat(c, set, 2, PL_INT32, below, "below");
  OK(pl_decl_function(c->pl, error_fill));
  OK(pl_set_option(c->pl, "check", "1"));
  OK(pl_par_loop(error_outside, set, DIRECT(q, PL_WRITE), DIRECT(dgood, PL_READ)));
  FAILS(pl_par_loop(error_outside, set, DIRECT(q, PL_WRITE), DIRECT(dbad, PL_READ)), PL_ERR_CHECK,
        "error_outside", "at element 4", "writes outside the values of argument 1 (dat \"q\")");
  FAILS(pl_par_loop(error_outside, set, DIRECT(q, PL_WRITE), DIRECT(dbelow, PL_READ)), PL_ERR_CHECK,
        "at element 3", "writes outside");
  FAILS(
    pl_par_loop(error_reads_outside, set, DIRECT(y, PL_WRITE), DIRECT(x, PL_READ), DIRECT(dgood, PL_READ)),
    PL_ERR_CHECK, "error_reads_outside", "\"y\"");
  OK(pl_set_option(c->pl, "check", "0"));
}

/* A local variable that is used before it has a value: the compiler of the checked code finds it. */
static void case_uninitialised(conf *c)
{
  pl_set *set = conf_set(c, 4, "set");
  pl_dat *x = conf_dat(c, set, 3, PL_DOUBLE, NULL, "x"), *y = conf_dat(c, set, 1, PL_DOUBLE, NULL, "y");
  const pl_kernel *sums = conf_source(
    c, "sums", "void sums(double *y, const double *x) { double s; y[0] = s + x[0]; s = 1; y[0] *= s; }",
    NULL);
  const pl_kernel *some = conf_source(
    c, "some", "void some(double *y, const double *x) { double s; if (x[0] > 1) s = x[1] * x[2]; y[0] = s; }",
    NULL);
  const pl_kernel *good =
    conf_source(c, "good", "void good(double *y, const double *x) { double s; s = x[0]; y[0] = s; }", NULL);
  OK(pl_set_option(c->pl, "check", "1"));
  FAILS(pl_par_loop(sums, set, DIRECT(y, PL_WRITE), DIRECT(x, PL_READ)), PL_ERR_COMPILE, "sums",
        "uninitialized");
  if (!getenv("PLAIT_CFLAGS")) /* found by an optimising compiler */
    FAILS(pl_par_loop(some, set, DIRECT(y, PL_WRITE), DIRECT(x, PL_READ)), PL_ERR_COMPILE, "some",
          "uninitialized");
  OK(pl_par_loop(good, set, DIRECT(y, PL_WRITE), DIRECT(x, PL_READ)));
  OK(pl_set_option(c->pl, "check", "0"));
}

PL_KERNEL(error_marks, (int *t[2], const int *x), {
  t[0][0] = x[0];
  t[1][0] = x[0] + x[1];
})

/* PL_WRITE through a map that leads to a target again must store equal values. */
static void case_writes(conf *c)
{
  enum { N = 12 };
  int pairs[2 * N], ring[2 * N], same[N][2], other[N][2];
  for (int e = 0; e < N; e++) {
    pairs[2 * e] = pairs[2 * e + 1] = e;
    ring[2 * e] = e;
    ring[2 * e + 1] = (e + 1) % N;
    same[e][0] = other[e][0] = 7;
    same[e][1] = 0;
    other[e][1] = e == 5;
  }
  pl_set *set = conf_set(c, N, "set");
  pl_map *twice = conf_map(c, set, set, 2, pairs, "twice"), *next = conf_map(c, set, set, 2, ring, "next");
  pl_dat *t = conf_dat(c, set, 1, PL_INT32, NULL, "t"), *s = conf_dat(c, set, 2, PL_INT32, same, "s"),
         *o = conf_dat(c, set, 2, PL_INT32, other, "o");
  OK(pl_set_option(c->pl, "check", "1"));
  OK(pl_par_loop(error_marks, set, pl_arg_dat(t, PL_ALL, twice, PL_WRITE), DIRECT(s, PL_READ)));
  OK(pl_par_loop(error_marks, set, pl_arg_dat(t, PL_ALL, next, PL_WRITE), DIRECT(s, PL_READ)));
  FAILS(pl_par_loop(error_marks, set, pl_arg_dat(t, PL_ALL, twice, PL_WRITE), DIRECT(o, PL_READ)),
        PL_ERR_CHECK, "error_marks", "at element 5",
        "map \"twice\" leads to element 5 of \"set\" several times", "7 and then 8");
  FAILS(pl_par_loop(error_marks, set, pl_arg_dat(t, PL_ALL, next, PL_WRITE), DIRECT(o, PL_READ)),
        PL_ERR_CHECK, "element 6 of \"set\" several times");
  OK(pl_set_option(c->pl, "check", "0"));
}

PL_KERNEL(error_counts, (int *count, double *x, double *sum), {
  count[0] += 1;
  x[0] += 1;
  sum[0] += 1;
})

/* A loop that may write to the program's memory runs once. */
static void case_pointer(conf *c)
{
  enum { N = 10 };
  int count = 0;
  double ones[N], ten = N, zero = 0;
  for (int e = 0; e < N; e++) ones[e] = 1;
  if (c->device) return;
  pl_set *set = conf_set(c, N, "set");
  pl_dat *x = conf_dat(c, set, 1, PL_DOUBLE, NULL, "x");
  pl_global *sum = conf_global(c, 1, PL_DOUBLE, &zero, "sum");
  OK(pl_set_option(c->pl, "check", "1"));
  OK(pl_par_loop(error_counts, set, pl_arg_ptr(&count), DIRECT(x, PL_RW), pl_arg_gbl(sum, PL_INC)));
  OK(pl_set_option(c->pl, "check", "0"));
  CHECK(count == N || pl_ranks(c->pl) > 1);
  SAME(x, ones);
  SAME_GLOBAL(sum, &ten);
}

/* Integer division by zero, reads past the end of a row, and control flow that depends on sums. */
static void case_faults(conf *c)
{
  enum { N = 20 };
  int whole[N], ones[N], offset[N + 1], target[2 * N];
  double x[N];
  for (int i = 0; i < N; i++) {
    whole[i] = i == 12 ? 0 : i + 2;
    ones[i] = 1;
    x[i] = i + 1;
    offset[i] = i;
    target[i] = N - 1 - i;
  }
  offset[N] = N;
  pl_set *set = conf_set(c, N, "set");
  pl_map *rows = conf_ragged_map(c, set, set, offset, target, "rows");
  pl_dat *dw = conf_dat(c, set, 1, PL_INT32, whole, "w"), *dn = conf_dat(c, set, 1, PL_INT32, NULL, "n"),
         *d1 = conf_dat(c, set, 1, PL_INT32, ones, "ones"), *dx = conf_dat(c, set, 1, PL_DOUBLE, x, "x"),
         *dy = conf_dat(c, set, 1, PL_DOUBLE, NULL, "y"), *dt = conf_dat(c, set, 1, PL_DOUBLE, NULL, "t");
  OK(pl_set_option(c->pl, "check", "1"));
  FAILS(pl_par_loop(error_divides, set, DIRECT(dn, PL_WRITE), DIRECT(dw, PL_READ), DIRECT(d1, PL_READ)),
        PL_ERR_CHECK, "error_divides", "element 12", "divides an integer by zero", "cases_errors.c");
  OK(pl_par_loop(error_divides, set, DIRECT(dn, PL_WRITE), DIRECT(d1, PL_READ), DIRECT(d1, PL_READ)));
  FAILS(pl_par_loop(error_uses_sum, set, DIRECT(dy, PL_WRITE), DIRECT(dt, PL_INC), DIRECT(dx, PL_READ)),
        PL_ERR_CHECK, "error_uses_sum", "\"y\"", "depends on the initial values");
  FAILS(pl_par_loop(error_beyond, set, DIRECT(dy, PL_WRITE), pl_arg_dat(dx, PL_ALL, rows, PL_READ)),
        PL_ERR_CHECK, "error_beyond", "target 1 of a row", "which has 1");
  OK(pl_set_option(c->pl, "check", "0"));
}

/* An increment must not depend on the target's value, and MIN and MAX must compare. Sums that cancel are no
 * errors. */
static void case_checked(conf *c)
{
  enum { N = 60 };
  double x[N], unmoved[N / 2] = {0};
  int whole[N], to[2 * N];
  for (int i = 0; i < N; i++) {
    x[i] = 3 + i % 7 + 0.1 * (i % 3);
    whole[i] = i % 5;
    to[2 * i] = i / 2;
    to[2 * i + 1] = (i / 2 + 1) % (N / 2);
  }
  pl_set *set = conf_set(c, N, "set"), *far = conf_set(c, N / 2, "far");
  pl_map *map = conf_map(c, set, far, 2, to, "map");
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, x, "x"), *dw = conf_dat(c, set, 1, PL_INT32, whole, "w"),
         *t = conf_dat(c, far, 1, PL_DOUBLE, NULL, "t"), *tw = conf_dat(c, far, 1, PL_INT32, NULL, "tw");
  pl_global *g = conf_global(c, 1, PL_DOUBLE, NULL, "g");
  OK(pl_set_option(c->pl, "check", "1"));
  FAILS(pl_par_loop(error_keeps, set, pl_arg_dat(t, 0, map, PL_INC), DIRECT(dx, PL_READ)), PL_ERR_CHECK,
        "error_keeps", "\"t\"", "PL_INC", "does not add");
  FAILS(pl_par_loop(error_keeps, set, pl_arg_gbl(g, PL_INC), DIRECT(dx, PL_READ)), PL_ERR_CHECK, "\"g\"",
        "does not add");
  FAILS(pl_par_loop(error_keeps_whole, set, pl_arg_dat(tw, 1, map, PL_INC), DIRECT(dw, PL_READ)),
        PL_ERR_CHECK, "\"tw\"", "does not add");
  FAILS(pl_par_loop(error_opposite, set, pl_arg_gbl(g, PL_MIN), DIRECT(dx, PL_READ)), PL_ERR_CHECK, "\"g\"",
        "lesser");
  SAME(t, unmoved);
  OK(pl_par_loop(error_keeps, set, pl_arg_gbl(g, PL_MIN), DIRECT(dx, PL_READ)));
  OK(pl_par_loop(error_opposite, set, pl_arg_dat(t, 1, map, PL_MAX), DIRECT(dx, PL_READ)));
  OK(pl_par_loop(error_far, set, pl_arg_dat(t, 1, map, PL_INC), DIRECT(dx, PL_READ)));
  OK(pl_dat_zero(t));
  OK(pl_par_loop(error_cancels, set, pl_arg_dat(t, 0, map, PL_INC), pl_arg_dat(t, 1, map, PL_INC),
                 pl_arg_gbl(g, PL_INC), DIRECT(dx, PL_READ)));
  OK(pl_set_option(c->pl, "check", "0"));
}

const conf_case conf_errors[] = {
  {"every carrier with every access", "P39 P24", case_modes, CONF_MATRIX | CONF_RANKS},
  {"arguments refused", "P37", case_arguments, CONF_RANKS},
  {"parameters that do not fit", "P37", case_types, CONF_RANKS},
  {"one dat in two arguments", "P37 P45", case_overlap, CONF_MATRIX},
  {"one target twice", "P37 P45", case_repeats, CONF_MATRIX | CONF_RANKS},
  {"after an error", "P37", case_after_error, CONF_RANKS},
  {"consts read beyond their values", "P23", case_const_reach, CONF_NEEDS_JIT | CONF_EAGER},
  {"access errors in a checked run", "P64", case_checked,
   CONF_MATRIX | CONF_RANKS | CONF_NEEDS_JIT | CONF_EAGER},
  {"faults in a checked run", "P64", case_faults, CONF_RANKS | CONF_NEEDS_JIT | CONF_EAGER},
  {"indices in a checked run", "P64", case_indices, CONF_RANKS | CONF_NEEDS_JIT | CONF_EAGER},
  {"guard zones in a checked run", "P64", case_guards, CONF_RANKS | CONF_NEEDS_JIT | CONF_EAGER},
  {"values not set in a checked run", "P64", case_uninitialised, CONF_RANKS | CONF_NEEDS_JIT | CONF_EAGER},
  {"unequal writes in a checked run", "P64", case_writes, CONF_RANKS | CONF_NEEDS_JIT | CONF_EAGER},
  {"a pointer in a checked run", "P64", case_pointer, CONF_RANKS | CONF_EAGER},
  {"two precisions in one loop", "P37", case_real, CONF_NEEDS_JIT},
  {NULL, NULL, NULL, 0}};
