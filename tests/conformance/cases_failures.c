/* SPDX-License-Identifier: BSD-2-Clause
 * Recorded loops that fail: independent loops run, results that were not computed repeat the error.
 */
#include "conformance.h"

enum { N = 40 };

PL_KERNEL(fail_twice, (double *y, const double *x), { y[0] = 2 * x[0]; })
PL_KERNEL(fail_sum, (const double *x, double *sum), { sum[0] += x[0]; })

/* The error of the kernel `bad`. */
#define BAD (c->variant->jit ? PL_ERR_COMPILE : PL_ERR_KERNEL)

static const char bad_text[] = "void bad(double *y, const double *x)\n{\n  y[0] = x[0] + nowhere;\n}\n";

typedef struct parts {
  pl_set *set;
  pl_map *next;
  pl_dat *a, *b, *d, *e, *extra;
  pl_global *sum, *other;
  const pl_kernel *bad;
  double start[N], twice[N], zero[N], sum_of_start;
} parts;

static void make_parts(conf *c, parts *p)
{
  int next[N];
  p->sum_of_start = 0;
  for (int i = 0; i < N; i++) {
    next[i] = (i + 1) % N;
    p->twice[i] = 2 * (p->start[i] = i + 1);
    p->sum_of_start += p->start[i];
    p->zero[i] = 0;
  }
  p->set = conf_set(c, N, "ring");
  p->next = conf_map(c, p->set, p->set, 1, next, "next");
  p->a = conf_dat(c, p->set, 1, PL_DOUBLE, p->start, "a");
  p->b = conf_dat(c, p->set, 1, PL_DOUBLE, NULL, "b");
  p->d = conf_dat(c, p->set, 1, PL_DOUBLE, NULL, "d");
  p->e = conf_dat(c, p->set, 1, PL_DOUBLE, NULL, "e");
  p->extra = conf_dat(c, p->set, 1, PL_DOUBLE, NULL, "extra");
  p->sum = conf_global(c, 1, PL_DOUBLE, p->zero, "sum");
  p->other = conf_global(c, 1, PL_DOUBLE, p->zero, "other");
  p->bad = conf_source(c, "bad", bad_text, NULL);
}

/* Every look at the dat fails, again and again. */
static void check_lost(conf *c, pl_dat *dat)
{
  double values[N], *view;
  for (int turn = 0; turn < 2; turn++) {
    FAILS(pl_dat_fetch(dat, values), BAD, "bad");
    FAILS(pl_dat_get(dat, PL_READ, (void **)&view), BAD, "bad");
    FAILS(pl_dat_get(dat, PL_RW, (void **)&view), BAD, "bad");
  }
}

/* b = bad(a); d = 2 a; e = 2 b; sum += e, all recorded. */
static void record_all(conf *c, const parts *p)
{
  OK(pl_par_loop(p->bad, p->set, DIRECT(p->b, PL_WRITE), DIRECT(p->a, PL_READ)));
  OK(pl_par_loop(fail_twice, p->set, DIRECT(p->d, PL_WRITE), DIRECT(p->a, PL_READ)));
  OK(pl_par_loop(fail_twice, p->set, DIRECT(p->e, PL_WRITE), DIRECT(p->b, PL_READ)));
  OK(pl_par_loop(fail_sum, p->set, DIRECT(p->e, PL_READ), pl_arg_gbl(p->sum, PL_INC)));
}

static void check_results(conf *c, const parts *p, bool failing_first)
{
  double sum;
  if (failing_first) check_lost(c, p->b);
  SAME(p->d, p->twice);
  check_lost(c, p->b);
  check_lost(c, p->e);
  FAILS(pl_global_get(p->sum, &sum), BAD, "bad");
}

/* New values make a dat or global valid again. */
static void check_recovery(conf *c, const parts *p)
{
  OK(pl_dat_zero(p->b));
  SAME(p->b, p->zero);
  OK(pl_par_loop(fail_twice, p->set, DIRECT(p->e, PL_WRITE), DIRECT(p->a, PL_READ)));
  SAME(p->e, p->twice);
  OK(pl_global_zero(p->sum));
  OK(pl_par_loop(fail_sum, p->set, DIRECT(p->a, PL_READ), pl_arg_gbl(p->sum, PL_INC)));
  SAME_GLOBAL(p->sum, &p->sum_of_start);
}

static void case_independent(conf *c)
{
  parts p;
  pl_chain *chain;
  make_parts(c, &p);
  for (int turn = 0; turn < 3; turn++) {
    OK(pl_chain_begin(c->pl, "c", &chain));
    record_all(c, &p);
    if (turn < 2) check_results(c, &p, turn == 1);
    FAILS(pl_chain_end(chain), BAD, "bad");
    check_results(c, &p, turn == 1);
    FAILS(pl_par_loop(fail_twice, p.set, DIRECT(p.d, PL_WRITE), DIRECT(p.b, PL_READ)), BAD, "bad");
    FAILS(pl_dat_copy(p.b, p.d), BAD, "bad");
    FAILS(pl_global_axpy(1, p.other, p.sum), BAD, "bad");
    FAILS(pl_global_combine(p.other, PL_ADD, p.sum, p.other), BAD, "bad");
    SAME(p.d, p.twice);
    check_recovery(c, &p);
  }
  OK(pl_chain_begin(c->pl, "c", &chain));
  OK(pl_chain_end(chain));
}

static void case_lazy_failure(conf *c)
{
  parts p;
  make_parts(c, &p);
  OK(pl_set_option(c->pl, "lazy", "1"));
  for (int turn = 0; turn < 2; turn++) {
    record_all(c, &p);
    check_results(c, &p, turn == 1);
    FAILS(pl_flush(c->pl), BAD, "bad");
    OK(pl_flush(c->pl));
    check_recovery(c, &p);
  }
}

/* A flush inside a function without a result loses neither loops nor their error. */
static void case_flush_in_free(conf *c)
{
  parts p;
  pl_chain *chain;
  make_parts(c, &p);
  OK(pl_chain_begin(c->pl, "c", &chain));
  record_all(c, &p);
  pl_dat_free(&p.extra);
  check_results(c, &p, false);
  FAILS(pl_chain_end(chain), BAD, "bad");
  check_recovery(c, &p);
  p.extra = conf_dat(c, p.set, 1, PL_DOUBLE, NULL, "extra");
  OK(pl_set_option(c->pl, "lazy", "1"));
  record_all(c, &p);
  pl_dat_free(&p.extra);
  FAILS(pl_flush(c->pl), BAD, "bad");
  check_results(c, &p, false);
}

/* A failing loop that would be fused, or that makes a copy unnecessary: the others have their results. */
static void case_transformed(conf *c)
{
  parts p;
  pl_chain *chain;
  make_parts(c, &p);
  OK(pl_chain_begin(c->pl, "inlined", &chain));
  OK(pl_chain_hint(chain, p.d, PL_INLINE));
  OK(pl_par_loop(fail_twice, p.set, DIRECT(p.d, PL_WRITE), DIRECT(p.a, PL_READ)));
  OK(pl_par_loop(p.bad, p.set, DIRECT(p.b, PL_WRITE), pl_arg_dat(p.d, 0, p.next, PL_READ)));
  FAILS(pl_chain_end(chain), BAD, "bad");
  SAME(p.d, p.twice);
  check_lost(c, p.b);
  OK(pl_dat_copy(p.a, p.b));
  OK(pl_chain_begin(c->pl, "copied", &chain));
  OK(pl_dat_copy(p.b, p.e));
  OK(pl_par_loop(p.bad, p.set, DIRECT(p.b, PL_WRITE), DIRECT(p.d, PL_READ)));
  OK(pl_par_loop(fail_twice, p.set, DIRECT(p.d, PL_WRITE), DIRECT(p.e, PL_READ)));
  FAILS(pl_chain_end(chain), BAD, "bad");
  SAME(p.e, p.start);
  SAME(p.d, p.twice);
  check_lost(c, p.b);
}

const conf_case conf_failures[] = {
  {"failing recorded loops", "P40", case_independent, CONF_MATRIX | CONF_RANKS | CONF_EAGER},
  {"failing loops with option lazy", "P40", case_lazy_failure, CONF_RANKS | CONF_EAGER},
  {"failing loops in a flush without a result", "P40", case_flush_in_free, CONF_RANKS | CONF_EAGER},
  {"failing loops that are transformed", "P41", case_transformed, CONF_RANKS | CONF_EAGER},
  {NULL, NULL, NULL, 0}};
