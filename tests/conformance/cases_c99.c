/* SPDX-License-Identifier: BSD-2-Clause
 * The constructs of C99 in kernels and their helpers: one case each. A backend takes all of c99.inc's
 * accepted texts, with the value that is written there, and refuses the others with the same sentence.
 */
#include "conformance.h"
#include <stdio.h>

#define DIRECT(dat, access) pl_arg_dat((dat), PL_ID, PL_DIRECT, (access))

enum { N = 5 };

typedef struct text {
  const char *name, *source;
  double value;    /* accepted: out[0] is in[0] + value */
  int line;        /* refused: of the source */
  const char *why; /* refused: the sentence after the place */
} text;

static const text texts[] = {
#define ACCEPTED(name, value, helpers, body) {name, helpers K body, value, 0, NULL},
#define REFUSED(name, line, why, helpers, body) {name, helpers K body, 0, line, why},
#include "c99.inc"
#undef ACCEPTED
#undef REFUSED
};

/* One sentence a text, so that one that fails hides no other. */
static void report(conf *c, const text *t, const char *what)
{
  char line[700];
  snprintf(line, sizeof line, "%s: %s", t->name, what);
  conf_check(c, false, line, __FILE__, __LINE__);
}

static void check_values(conf *c, const text *t, pl_dat *out)
{
  double *values, expected[N];
  OK(pl_dat_get(out, PL_READ, (void **)&values));
  for (int i = 0; i < N; i++) expected[i] = i + 1 + t->value;
  bool same = !memcmp(values, expected, sizeof expected);
  char what[64];
  snprintf(what, sizeof what, "the value is %g instead of %g", values[0], expected[0]);
  OK(pl_dat_put(out));
  if (!same) report(c, t, what);
}

static void check_text(conf *c, const text *t)
{
  double x[N];
  for (int i = 0; i < N; i++) x[i] = i + 1;
  pl_set *set = conf_set(c, N, "set");
  pl_dat *in = conf_dat(c, set, 1, PL_DOUBLE, x, "in"), *out = conf_dat(c, set, 1, PL_DOUBLE, NULL, "out");
  const pl_kernel_options options = {.file = "c99.c"};
  const pl_kernel *kernel;
  pl_err err = pl_kernel_from_source(c->pl, "k", t->source, &options, &kernel);
  if (!err) err = pl_par_loop(kernel, set, DIRECT(out, PL_WRITE), DIRECT(in, PL_READ));
  char sentence[400];
  snprintf(sentence, sizeof sentence, "kernel \"k\" (c99.c:%d): %s", t->line, t->why ? t->why : "");
  if (!t->why && err)
    report(c, t, pl_errmsg(c->pl));
  else if (!t->why)
    check_values(c, t, out);
  else if (err != PL_ERR_KERNEL || !strstr(pl_errmsg(c->pl), sentence))
    report(c, t, err ? pl_errmsg(c->pl) : "is not refused");
}

static void case_texts(conf *c)
{
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check_text(c, &texts[i]);
}

/* ---- kernels ---- */

/* Kernels whose own names or parameters are refused. */
static void case_kernels(conf *c)
{
  static const char *const names[] = {"pl_n", "pl_e", "pl_k", "pl_begin", "PL_SUM"};
  char source[128];
  const pl_kernel *kernel = NULL;
  pl_set *set = conf_set(c, N, "set");
  pl_dat *x = conf_dat(c, set, 1, PL_DOUBLE, NULL, "x");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(source, sizeof source, "void %s(double *x) { x[0] = 1; }", names[i]);
    pl_err err = pl_kernel_from_source(c->pl, names[i], source, NULL, &kernel);
    if (!err) err = pl_par_loop(kernel, set, DIRECT(x, PL_WRITE));
    FAILS(err, PL_ERR_KERNEL, names[i], "begins with pl_");
  }
  const pl_function own = {.name = "pl_own",
                           .result = "double",
                           .params = "(double x)",
                           .body = "{ return x; }",
                           .file = "/own/plait_fields.h"};
  OK(pl_decl_function_text(c->pl, &own));
  kernel = conf_source(c, "calls", "void calls(double *x) { x[0] = pl_own(1); }", NULL);
  FAILS(pl_par_loop(kernel, set, DIRECT(x, PL_WRITE)), PL_ERR_KERNEL, "pl_own", "begins with pl_");
  pl_err err = pl_kernel_from_source(c->pl, "old", "void old(x) double *x; { x[0] = 1; }", NULL, &kernel);
  if (!err) err = pl_par_loop(kernel, set, DIRECT(x, PL_WRITE));
  FAILS(err, PL_ERR_KERNEL, "old", "declares its parameters after the parentheses");
}

/* ---- macros ---- */

/* The same in helpers and kernels that this file's compiler reads, too. */
PL_FUNCTION(double, c99_sum, (int n, const double *restrict x, const double y[restrict n]), {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] + y[i];
  return s;
})
PL_FUNCTION(long long, c99_level, (long long from), {
  enum level { LOW, HIGH = 4 };
  enum level at = (enum level)from;
  switch (at) {
  case HIGH:
    from += 2LL;
    break;
  default:
    from = 0;
  }
  return from;
})
static double c99_weights[3] = {1, 2, 3};
PL_KERNEL(c99_macro, (double *restrict out, const double *restrict in), {
  struct pair {
    double a, b;
  };
  static const double table[3] = {1, 2, 3};
  enum { A, B } here = A;
  const _Bool yes = 5;
  here++;
  for (int i = 0; i < 1; i++) {
    int i = 2;
    out[0] = in[0] + i + here + yes;
  }
  out[0] += c99_sum(3, table, c99_weights) + (double)c99_level(4) + ((struct pair){1, 2}).b;
})

static void case_macros(conf *c)
{
  double x[N], y[N];
  for (int i = 0; i < N; i++) x[i] = i + 1, y[i] = x[i] + 2 + 1 + 1 + 12 + 6 + 2;
  pl_set *set = conf_set(c, N, "set");
  pl_dat *in = conf_dat(c, set, 1, PL_DOUBLE, x, "in"), *out = conf_dat(c, set, 1, PL_DOUBLE, NULL, "out");
  OK(pl_decl_const(c->pl, "c99_weights", 3, PL_DOUBLE, c99_weights, NULL));
  OK(pl_decl_function(c->pl, c99_sum));
  OK(pl_decl_function(c->pl, c99_level));
  OK(pl_par_loop(c99_macro, set, DIRECT(out, PL_WRITE), DIRECT(in, PL_READ)));
  SAME(out, y);
}

const conf_case conf_c99[] = {
  {"constructs of C99", "P31", case_texts, CONF_NEEDS_JIT | CONF_EAGER},
  {"names and forms of kernels", "P31", case_kernels, CONF_NEEDS_JIT | CONF_EAGER},
  {"constructs of C99 in macros", "P31", case_macros, CONF_MATRIX},
  {NULL, NULL, NULL, 0}};
