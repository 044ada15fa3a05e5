/* SPDX-License-Identifier: BSD-2-Clause
 * Recorded loops: when they run and which are fused. Deferred execution is not observable except in
 * counters.
 */
#include "conformance.h"
#include <math.h>

enum { N = 70 };

PL_KERNEL(chain_twice, (double *out, const double *in), { out[0] = 2.0 * in[0]; })
PL_KERNEL(chain_half, (double *out, const double *in), { out[0] = 0.5 * in[0]; })
PL_KERNEL(chain_plus, (double *x, const double *y), { x[0] = x[0] + y[0]; })
PL_KERNEL(chain_sum, (const double *x, double *sum), { sum[0] += x[0]; })
PL_KERNEL(chain_spread, (double *to, const double *w), {
  to[0] += w[0];
  to[0] += 1;
})
PL_KERNEL(chain_two, (double *x, double *y), {
  x[0] += 1;
  y[0] += 2;
})

typedef struct line {
  pl_set *set;
  pl_map *next; /* each element's right neighbour in a ring */
  pl_dat *a, *b, *c;
  double start[N];
} line;

static void make_line(conf *c, line *l)
{
  int next[N];
  for (int i = 0; i < N; i++) {
    next[i] = (i + 1) % N;
    l->start[i] = i + 1;
  }
  l->set = conf_set(c, N, "line");
  l->next = conf_map(c, l->set, l->set, 1, next, "next");
  l->a = conf_dat(c, l->set, 1, PL_DOUBLE, l->start, "a");
  l->b = conf_dat(c, l->set, 1, PL_DOUBLE, NULL, "b");
  l->c = conf_dat(c, l->set, 1, PL_DOUBLE, NULL, "c");
}

/* False if loops are not fused: nothing is compiled, or ranks have different backends. */
static bool fuses(const conf *c)
{
  return c->variant->jit && !c->mixed;
}

/* The number of loops run so far. */
static int ran(conf *c)
{
  return (int)conf_stats(c).loops_run;
}

/* A read runs only the loops that it needs, in order: P40. */
static void case_lazy(conf *c)
{
  line l;
  double twice[N], thrice[N];
  make_line(c, &l);
  for (int i = 0; i < N; i++) thrice[i] = 3 * (twice[i] = 2 * l.start[i]) / 2;
  OK(pl_set_option(c->pl, "lazy", "1"));
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  CHECK(ran(c) == 0);
  SAME(l.b, twice);
  CHECK(ran(c) == 1);
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.c, PL_WRITE), DIRECT(l.a, PL_READ))); /* not needed for b */
  OK(pl_par_loop(chain_plus, l.set, DIRECT(l.b, PL_RW), pl_arg_dat(l.a, PL_ID, PL_DIRECT, PL_READ)));
  for (int i = 0; i < N; i++) thrice[i] = twice[i] + l.start[i];
  SAME(l.b, thrice);
  CHECK(ran(c) == 2);
  SAME(l.c, twice);
  CHECK(ran(c) == 3);
  /* A view for writing runs the loops that read the dat. */
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.c, PL_WRITE), DIRECT(l.b, PL_READ)));
  double *b;
  OK(pl_dat_get(l.b, PL_RW, (void **)&b));
  CHECK(ran(c) == 4);
  b[0] = -1;
  FAILS(pl_par_loop(chain_twice, l.set, DIRECT(l.c, PL_WRITE), DIRECT(l.b, PL_READ)), PL_ERR_STATE, "\"b\"");
  OK(pl_dat_put(l.b));
  for (int i = 0; i < N; i++) thrice[i] *= 2;
  SAME(l.c, thrice);
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.c, PL_WRITE), DIRECT(l.b, PL_READ)));
  OK(pl_flush(c->pl));
  CHECK(ran(c) == 5);
}

/* Loops that may be fused and loops that may not: P41. */
static void case_fusion(conf *c)
{
  line l;
  double b[N], d[N], sum = 0, zero = 0;
  pl_chain *chain;
  make_line(c, &l);
  pl_global *g = conf_global(c, 1, PL_DOUBLE, &zero, "sum");
  OK(pl_chain_begin(c->pl, "direct", &chain));
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(chain_plus, l.set, DIRECT(l.b, PL_RW), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(chain_spread, l.set, DIRECT(l.b, PL_INC), DIRECT(l.a, PL_READ)));
  OK(pl_global_zero(g));
  OK(pl_par_loop(chain_sum, l.set, DIRECT(l.b, PL_READ), pl_arg_gbl(g, PL_INC)));
  OK(pl_chain_end(chain));
  CHECK(!fuses(c) || ran(c) == 1);
  for (int i = 0; i < N; i++) sum += b[i] = 4 * l.start[i] + 1;
  SAME(l.b, b);
  SAME_GLOBAL(g, &sum);
  /* A loop that reads neighbours runs after the loop that computes them. */
  int before = ran(c);
  OK(pl_chain_begin(c->pl, "neighbours", &chain));
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(chain_plus, l.set, DIRECT(l.c, PL_RW), pl_arg_dat(l.b, 0, l.next, PL_READ)));
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  OK(pl_chain_hint(chain, l.b, PL_STORE));
  OK(pl_chain_end(chain));
  CHECK(ran(c) == before + 3);
  for (int i = 0; i < N; i++) {
    b[i] = 2 * l.start[i];
    d[i] = 2 * l.start[(i + 1) % N];
  }
  SAME(l.b, b);
  SAME(l.c, d);
  before = ran(c);
  OK(pl_chain_begin(c->pl, "increments", &chain));
  OK(pl_par_loop(chain_spread, l.set, pl_arg_dat(l.c, 0, l.next, PL_INC), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(chain_spread, l.set, pl_arg_dat(l.c, 0, l.next, PL_INC), DIRECT(l.b, PL_READ)));
  OK(pl_chain_end(chain));
  CHECK(!fuses(c) || ran(c) == before + 1);
  for (int i = 0; i < N; i++) d[i] += 3 * l.start[(i + N - 1) % N] + 2;
  SAME(l.c, d);
}

PL_KERNEL(chain_rows, (double *x, const pl_row_double *y), {
  x[0] += 1;
  for (int k = 0; y && k < y->count; k++) x[0] += pl_at(y, k, 0);
})

/* A row that is off appears only in the kernel's text. */
static void case_no_row(conf *c)
{
  line l;
  double expected[N];
  pl_chain *chain;
  pl_map *rows;
  make_line(c, &l);
  OK(pl_map_invert(l.next, "rows", &rows));
  int before = ran(c);
  OK(pl_chain_begin(c->pl, "rows", &chain));
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(chain_rows, l.set, DIRECT(l.b, PL_RW),
                 pl_arg_opt(pl_arg_dat(l.c, PL_ALL, rows, PL_READ), 0)));
  OK(pl_chain_end(chain));
  CHECK(!fuses(c) || ran(c) == before + 1);
  for (int i = 0; i < N; i++) expected[i] = 2 * l.start[i] + 1;
  SAME(l.b, expected);
}

/* Zeros, copies, and temporaries between two loops. */
static void case_temporary(conf *c)
{
  line l;
  double b[N], zeros[N] = {0};
  pl_chain *chain, *same;
  make_line(c, &l);
  for (int i = 0; i < N; i++) b[i] = 2 * l.start[i];
  for (int round = 0; round < 3; round++) {
    OK(pl_chain_begin(c->pl, "step", &chain));
    OK(pl_chain_temporary(chain, l.c));
    OK(pl_par_loop(chain_twice, l.set, DIRECT(l.c, PL_WRITE), DIRECT(l.a, PL_READ)));
    OK(pl_dat_zero(l.b));
    OK(pl_par_loop(chain_plus, l.set, DIRECT(l.b, PL_RW), DIRECT(l.c, PL_READ)));
    OK(pl_chain_end(chain));
    SAME(l.b, b);
  }
  CHECK(!fuses(c) ||
        (ran(c) == 3 && pl_dat_host_bytes(l.c) == 0 && pl_dat_state(l.c) == PL_DEVICE_UNALLOCATED));
  OK(pl_chain_begin(c->pl, "step", &same));
  CHECK(same == chain);
  OK(pl_dat_copy(l.b, l.c));
  OK(pl_dat_zero(l.b));
  OK(pl_chain_end(chain));
  SAME(l.b, zeros);
  OK(pl_chain_begin(c->pl, "copy", &chain));
  OK(pl_dat_copy(l.a, l.c));
  OK(pl_par_loop(chain_two, l.set, DIRECT(l.a, PL_RW), DIRECT(l.c, PL_RW)));
  OK(pl_chain_end(chain));
  for (int i = 0; i < N; i++) {
    zeros[i] = l.start[i] + 1;
    b[i] = l.start[i] + 2;
  }
  SAME(l.a, zeros);
  SAME(l.c, b);
}

/* Calls that are not loops run the queue. */
static void case_in_between(conf *c)
{
  line l;
  double expected[N], two = 2, three = 3;
  pl_chain *chain, *other;
  pl_const *factor;
  make_line(c, &l);
  OK(pl_decl_const(c->pl, "chain_factor", 1, PL_DOUBLE, &two, &factor));
  const pl_kernel *times = conf_source(c, "times", "void times(double *x) { x[0] *= chain_factor; }", NULL);
  if (!c->variant->jit) return;
  OK(pl_chain_begin(c->pl, "consts", &chain));
  OK(pl_par_loop(times, l.set, DIRECT(l.a, PL_RW)));
  OK(pl_const_set(factor, &three));
  OK(pl_par_loop(times, l.set, DIRECT(l.a, PL_RW)));
  OK(pl_par_loop(times, l.set, DIRECT(l.a, PL_RW)));
  FAILS(pl_chain_begin(c->pl, "inner", &other), PL_ERR_STATE, "inner", "consts");
  FAILS(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_RW)), PL_ERR_ACCESS, "in");
  OK(pl_chain_end(chain));
  FAILS(pl_chain_end(chain), PL_ERR_STATE, "consts");
  for (int i = 0; i < N; i++) expected[i] = 18 * l.start[i];
  SAME(l.a, expected);
  OK(pl_chain_begin(c->pl, "freed", &chain));
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.c, PL_WRITE), DIRECT(l.b, PL_READ)));
  pl_dat_free(&l.a);
  pl_dat_free(&l.b);
  OK(pl_chain_end(chain));
  for (int i = 0; i < N; i++) expected[i] *= 4;
  SAME(l.c, expected);
}

/* A queue at its limit, with and without repetition. */
static void case_long(conf *c)
{
  line l;
  double expected[N];
  pl_chain *chain;
  make_line(c, &l);
  OK(pl_chain_begin(c->pl, "long", &chain));
  for (int k = 0; k < 300; k++) {
    OK(pl_par_loop(chain_plus, l.set, DIRECT(l.b, PL_RW), DIRECT(l.a, PL_READ)));
    OK(pl_par_loop(chain_spread, l.set, pl_arg_dat(l.c, 0, l.next, PL_INC), DIRECT(l.b, PL_READ)));
    if (k % 37 == 36) OK(pl_dat_zero(l.b));
  }
  OK(pl_chain_end(chain));
  for (int i = 0; i < N; i++) {
    double b = 0, d = 0;
    for (int k = 0; k < 300; k++) {
      b += l.start[(i + N - 1) % N];
      d += b + 1;
      if (k % 37 == 36) b = 0;
    }
    expected[i] = d;
  }
  SAME(l.c, expected);
}

/* The last loop of a step is fused with the first of the next one, also where a batch of loops ends. */
static void case_batches(conf *c)
{
  enum { STEPS = 60 };
  line l;
  double a[N], b[N];
  pl_chain *chain;
  make_line(c, &l);
  memcpy(a, l.start, sizeof a);
  pl_dat *half[2] = {l.b, conf_dat(c, l.set, 1, PL_DOUBLE, NULL, "half")}; /* by turns */
  OK(pl_chain_begin(c->pl, "batches", &chain));
  for (int i = 0; i < 2; i++) OK(pl_chain_hint(chain, half[i], PL_STORE));
  for (int k = 0; k < STEPS; k++) {
    pl_dat *h = half[k % 2];
    OK(pl_par_loop(chain_half, l.set, DIRECT(h, PL_WRITE), DIRECT(l.a, PL_READ)));
    OK(pl_par_loop(chain_half, l.set, DIRECT(l.c, PL_WRITE), pl_arg_dat(h, 0, l.next, PL_READ)));
    OK(pl_par_loop(chain_plus, l.set, DIRECT(l.a, PL_RW), DIRECT(l.c, PL_READ)));
    for (int i = 0; i < N; i++) b[i] = a[(i + 1) % N] / 4;
    for (int i = 0; i < N; i++) a[i] += b[i];
  }
  OK(pl_chain_end(chain));
  CHECK(!fuses(c) || ran(c) == STEPS + 1);
  SAME(l.a, a);
}

/* A producer inlined into one of two readers and stored for a later read, then stored again. */
static void check_there_and_back(conf *c, const line *l)
{
  static const pl_chain_choice choices[] = {PL_STORE, PL_INLINE, PL_STORE};
  double twice[N], sum[N];
  int steps[3];
  pl_chain *chain;
  for (int i = 0; i < N; i++) sum[i] = twice[i] = 2 * l->start[i];
  for (int i = 0; i < N; i++) sum[i] += twice[(i + 1) % N];
  for (int k = 0; k < 3; k++) {
    int before = ran(c);
    OK(pl_chain_begin(c->pl, "there and back", &chain));
    OK(pl_chain_hint(chain, l->b, choices[k]));
    OK(pl_dat_zero(l->c));
    OK(pl_par_loop(chain_twice, l->set, DIRECT(l->b, PL_WRITE), DIRECT(l->a, PL_READ)));
    OK(pl_par_loop(chain_plus, l->set, DIRECT(l->c, PL_RW), pl_arg_dat(l->b, 0, l->next, PL_READ)));
    OK(pl_par_loop(chain_plus, l->set, DIRECT(l->c, PL_RW), DIRECT(l->b, PL_READ)));
    OK(pl_chain_end(chain));
    steps[k] = ran(c) - before;
    SAME(l->b, twice);
    SAME(l->c, sum);
  }
  CHECK(steps[0] == steps[2] && (!fuses(c) || steps[1] < steps[0]));
}

PL_KERNEL(chain_dear, (double *out, const double *in), {
  double x = in[0];
  for (int k = 0; k < 9; k++) x = sqrt(x * x);
  out[0] = x;
})

/* Without hints the library inlines cheap producers and reports the others. */
static void check_cost(conf *c, const line *l)
{
  char folder[256], path[300];
  double expected[N];
  pl_chain *chain;
  for (int dear = 0; dear < 2; dear++) {
    int before = ran(c);
    OK(pl_chain_begin(c->pl, dear ? "dear" : "cheap", &chain));
    OK(pl_chain_temporary(chain, l->b));
    OK(pl_dat_zero(l->c));
    OK(pl_par_loop(dear ? chain_dear : chain_twice, l->set, DIRECT(l->b, PL_WRITE), DIRECT(l->a, PL_READ)));
    OK(pl_par_loop(chain_plus, l->set, DIRECT(l->c, PL_RW), pl_arg_dat(l->b, 0, l->next, PL_READ)));
    OK(pl_chain_end(chain));
    for (int i = 0; i < N; i++) expected[i] = (2 - dear) * l->start[(i + 1) % N];
    SAME(l->c, expected);
    if (fuses(c) && !c->device) CHECK(ran(c) - before == (dear ? 2 : 1));
  }
  snprintf(path, sizeof path, "%s/dear.txt", conf_folder(folder));
  OK(pl_chain_print(chain, path));
  char *text = conf_read(path);
  CHECK(!fuses(c) || c->device || strstr(text, "\"b\" is stored: \"chain_dear\" costs too much"));
  free(text);
}

PL_KERNEL(chain_both, (double *x, double *y, const double *in), {
  x[0] = 2 * in[0];
  y[0] = 3 * in[0];
})

/* A producer of two dats runs, although what a subset reads of the first could be computed there. */
static void check_second_result(conf *c, const line *l, pl_set *some)
{
  double thrice[N];
  pl_chain *chain;
  pl_dat *second = conf_dat(c, l->set, 1, PL_DOUBLE, NULL, "second");
  OK(pl_chain_begin(c->pl, "second", &chain));
  OK(pl_chain_temporary(chain, l->b));
  OK(pl_chain_hint(chain, l->b, PL_INLINE));
  OK(
    pl_par_loop(chain_both, l->set, DIRECT(l->b, PL_WRITE), DIRECT(second, PL_WRITE), DIRECT(l->a, PL_READ)));
  OK(pl_par_loop(chain_plus, some, DIRECT(l->c, PL_RW), pl_arg_dat(l->b, 0, l->next, PL_READ)));
  OK(pl_chain_end(chain));
  for (int i = 0; i < N; i++) thrice[i] = 3 * l->start[i];
  SAME(second, thrice);
}

/* A producer inlined into its consumers through maps needs no array. An unwritten temporary is an error. */
static void case_inline(conf *c)
{
  line l;
  double d[N];
  int inner[N - 2];
  pl_chain *chain;
  make_line(c, &l);
  for (int i = 0; i < N - 2; i++) inner[i] = i + 1;
  pl_set *some = conf_subset(c, l.set, N - 2, inner);
  for (int round = 0; round < 2; round++) {
    OK(pl_chain_begin(c->pl, "inside", &chain));
    OK(pl_chain_temporary(chain, l.b));
    OK(pl_chain_hint(chain, l.b, PL_INLINE));
    OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
    OK(pl_par_loop(chain_plus, some, DIRECT(l.c, PL_RW), pl_arg_dat(l.b, 0, l.next, PL_READ)));
    OK(pl_par_loop(chain_plus, l.set, DIRECT(l.c, PL_RW), DIRECT(l.b, PL_READ)));
    OK(pl_chain_end(chain));
  }
  for (int i = 0; i < N; i++)
    d[i] = 2 * (2 * l.start[i] + (i > 0 && i < N - 1 ? 2 * l.start[(i + 1) % N] : 0));
  SAME(l.c, d);
  CHECK(!fuses(c) || (ran(c) == 4 && pl_dat_host_bytes(l.b) == 0));
  pl_dat *apart = conf_dat(c, l.set, 1, PL_DOUBLE, NULL, "apart");
  OK(pl_chain_begin(c->pl, "hole", &chain));
  OK(pl_chain_temporary(chain, l.b));
  OK(pl_par_loop(chain_twice, some, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(chain_plus, l.set, DIRECT(l.c, PL_RW), pl_arg_dat(l.b, 0, l.next, PL_READ)));
  OK(pl_par_loop(chain_twice, l.set, DIRECT(apart, PL_WRITE), DIRECT(l.a, PL_READ)));
  FAILS(pl_chain_end(chain), PL_ERR_CHECK, "hole", "chain_plus", "\"b\"", "element 0,");
  FAILS(pl_dat_fetch(l.c, d), PL_ERR_CHECK, "hole", "chain_plus");
  for (int i = 0; i < N; i++) d[i] = 2 * l.start[i];
  SAME(apart, d);
  OK(pl_dat_zero(l.c));
  check_there_and_back(c, &l);
  check_cost(c, &l);
  check_second_result(c, &l, some);
}

/* Increments inlined into the loop that reads their sum; values that neighbours read are double buffered. */
static void case_gather(conf *c)
{
  enum { STEPS = 4 };
  line l;
  double a[N], sum[N];
  pl_chain *chain;
  make_line(c, &l);
  memcpy(a, l.start, sizeof a);
  for (int s = 0; s < STEPS; s++) {
    for (int i = 0; i < N; i++) sum[i] = a[(i + N - 1) % N] + 1;
    for (int i = 0; i < N; i++) a[i] = 2 * sum[i];
  }
  OK(pl_chain_begin(c->pl, "gathered", &chain));
  OK(pl_chain_hint(chain, l.b, PL_INLINE));
  OK(pl_chain_temporary(chain, l.b));
  for (int s = 0; s < STEPS; s++) {
    OK(pl_dat_zero(l.b));
    OK(pl_par_loop(chain_spread, l.set, pl_arg_dat(l.b, 0, l.next, PL_INC), DIRECT(l.a, PL_READ)));
    OK(pl_par_loop(chain_twice, l.set, DIRECT(l.a, PL_WRITE), DIRECT(l.b, PL_READ)));
  }
  OK(pl_chain_end(chain));
  CHECK(!fuses(c) || (ran(c) == STEPS && pl_dat_host_bytes(l.b) == 0));
  SAME(l.a, a);
  CHECK(pl_dat_version(l.a) == STEPS);
}

/* The same and precomputed blocks on permuted storage; the second round renumbers in between. */
static void case_order(conf *c)
{
  line l;
  double a[N], d[N];
  pl_chain *chain;
  make_line(c, &l);
  memcpy(a, l.start, sizeof a);
  for (int round = 0; round < 3; round++) {
    if (round) OK(pl_renumber(c->pl, round == 1 ? PL_RENUMBER_RCM : PL_RENUMBER_HILBERT, l.next, l.a));
    OK(pl_chain_begin(c->pl, "ordered", &chain));
    OK(pl_chain_hint(chain, l.b, PL_INLINE));
    OK(pl_chain_hint(chain, l.c, PL_PRECOMPUTE));
    OK(pl_chain_block(chain, 16));
    OK(pl_par_loop(chain_twice, l.set, DIRECT(l.c, PL_WRITE), DIRECT(l.a, PL_READ)));
    OK(pl_dat_zero(l.b));
    OK(pl_par_loop(chain_spread, l.set, pl_arg_dat(l.b, 0, l.next, PL_INC), DIRECT(l.a, PL_READ)));
    OK(pl_par_loop(chain_twice, l.set, DIRECT(l.a, PL_WRITE), DIRECT(l.b, PL_READ)));
    OK(pl_par_loop(chain_plus, l.set, DIRECT(l.a, PL_RW), pl_arg_dat(l.c, 0, l.next, PL_READ)));
    OK(pl_dat_zero(l.b));
    OK(pl_chain_end(chain));
    for (int i = 0; i < N; i++) d[i] = 2 * (a[(i + N - 1) % N] + 1) + 2 * a[(i + 1) % N];
    memcpy(a, d, sizeof a);
    SAME(l.a, a);
  }
}

/* Values precomputed once per block of the consumer need no array. */
static void case_blocks(conf *c)
{
  line l;
  double d[N], sum = 0, zero = 0;
  int inner[N - 2];
  pl_chain *chain;
  make_line(c, &l);
  for (int i = 0; i < N - 2; i++) inner[i] = i + 1;
  pl_set *some = conf_subset(c, l.set, N - 2, inner);
  pl_global *g = conf_global(c, 1, PL_DOUBLE, &zero, "sum");
  for (int size = 0; size < 60; size += 7) {
    OK(pl_chain_begin(c->pl, "blocks", &chain));
    OK(pl_chain_temporary(chain, l.b));
    OK(pl_chain_hint(chain, l.b, PL_PRECOMPUTE));
    OK(pl_chain_block(chain, size));
    OK(pl_dat_zero(l.c));
    OK(pl_global_zero(g));
    OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), pl_arg_dat(l.a, 0, l.next, PL_READ)));
    OK(pl_par_loop(chain_plus, some, DIRECT(l.c, PL_RW), pl_arg_dat(l.b, 0, l.next, PL_READ)));
    OK(pl_par_loop(chain_sum, l.set, DIRECT(l.b, PL_READ), pl_arg_gbl(g, PL_INC)));
    OK(pl_chain_end(chain));
    for (int i = 0; i < N; i++) d[i] = i > 0 && i < N - 1 ? 2 * l.start[(i + 2) % N] : 0;
    SAME(l.c, d);
    sum = 0;
    for (int i = 0; i < N; i++) sum += 2 * l.start[i];
    SAME_GLOBAL(g, &sum);
  }
  /* On several ranks the producer's inputs for halo elements are unknown, so it is stored. */
  CHECK(!fuses(c) || pl_ranks(c->pl) > 1 ||
        (pl_dat_host_bytes(l.b) == 0 && pl_dat_state(l.b) == PL_DEVICE_UNALLOCATED));
  FAILS(pl_chain_block(chain, 4096), PL_ERR_RANGE, "blocks", "4096");
}

PL_KERNEL(chain_nine,
          (double *x, const double *a, const double *b, const double *c, const double *d, const double *e,
           const double *f, const double *g, const double *h, const double *i),
          { x[0] = a[0] + b[0] + c[0] + d[0] + e[0] + f[0] + g[0] + h[0] + i[0]; })

/* A dat that is read through nine maps is stored: blocks know eight. */
static void case_nine_maps(conf *c)
{
  enum { MAPS = 9 };
  line l;
  double d[N];
  int to[N];
  pl_chain *chain;
  pl_arg args[1 + MAPS];
  make_line(c, &l);
  args[0] = DIRECT(l.c, PL_WRITE);
  for (int i = 0; i < N; i++) d[i] = 0;
  for (int m = 0; m < MAPS; m++) {
    for (int i = 0; i < N; i++) {
      to[i] = (i + m) % N;
      d[i] += 2 * l.start[to[i]];
    }
    args[1 + m] = pl_arg_dat(l.b, 0, conf_map(c, l.set, l.set, 1, to, "shifted"), PL_READ);
  }
  OK(pl_chain_begin(c->pl, "nine", &chain));
  OK(pl_chain_hint(chain, l.b, PL_PRECOMPUTE));
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop_args(chain_nine, l.set, 1 + MAPS, args));
  OK(pl_chain_end(chain));
  SAME(l.c, d);
}

/* Blocks of a consumer without elements, and of a consumer whose only element is on one rank. */
static void case_few(conf *c)
{
  static const int to[] = {7, 8};
  line l;
  pl_chain *chain;
  make_line(c, &l);
  for (int n = 0; n < 2; n++) {
    double d[N] = {0}, zero = 0, sum = n ? 2 * l.start[8] : 0;
    pl_set *few = conf_set(c, n, n ? "one" : "none");
    pl_map *ends = conf_map(c, few, l.set, 2, to, "ends");
    pl_dat *e = conf_dat(c, few, 1, PL_DOUBLE, NULL, "e");
    pl_global *g = conf_global(c, 1, PL_DOUBLE, &zero, "sum");
    OK(pl_chain_begin(c->pl, "few", &chain));
    OK(pl_chain_temporary(chain, l.b));
    OK(pl_chain_hint(chain, l.b, PL_PRECOMPUTE));
    OK(pl_dat_zero(l.c));
    OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
    OK(pl_par_loop(chain_plus, few, DIRECT(e, PL_RW), pl_arg_dat(l.b, 1, ends, PL_READ)));
    OK(pl_par_loop(chain_spread, few, pl_arg_dat(l.c, 0, ends, PL_INC), DIRECT(e, PL_READ)));
    OK(pl_par_loop(chain_sum, few, DIRECT(e, PL_READ), pl_arg_gbl(g, PL_INC)));
    OK(pl_chain_end(chain));
    if (n) d[7] = sum + 1;
    SAME(l.c, d);
    SAME_GLOBAL(g, &sum);
  }
}

/* A copy whose source is overwritten next becomes a swap. Sums that are zeroed unread are dropped. */
static void case_copies(conf *c)
{
  line l;
  double a[N], b[N], sum = 0, start = 5;
  pl_chain *chain;
  make_line(c, &l);
  memcpy(a, l.start, sizeof a);
  pl_global *g = conf_global(c, 1, PL_DOUBLE, &start, "sum");
  OK(pl_chain_begin(c->pl, "copies", &chain));
  for (int s = 0; s < 5; s++) {
    OK(pl_dat_copy(l.a, l.b));
    OK(pl_global_zero(g));
    OK(pl_par_loop(chain_twice, l.set, DIRECT(l.a, PL_WRITE), DIRECT(l.b, PL_READ)));
    OK(pl_par_loop(chain_sum, l.set, DIRECT(l.a, PL_READ), pl_arg_gbl(g, PL_INC)));
    OK(pl_par_loop(chain_plus, l.set, DIRECT(l.c, PL_RW), pl_arg_dat(l.a, 0, l.next, PL_READ)));
  }
  OK(pl_chain_end(chain));
  CHECK(!fuses(c) || ran(c) <= 10);
  for (int i = 0; i < N; i++) {
    b[i] = 16 * l.start[i];
    a[i] = 32 * l.start[i];
    sum += a[i];
  }
  SAME(l.a, a);
  SAME(l.b, b);
  SAME_GLOBAL(g, &sum);
  for (int i = 0; i < N; i++) a[i] = 62 * l.start[(i + 1) % N];
  SAME(l.c, a);
}

/* A copy between two writes of its source: three values in two arrays. */
static void case_copied_at_once(conf *c)
{
  line l;
  double twice[N], four[N];
  pl_chain *chain;
  make_line(c, &l);
  OK(pl_chain_begin(c->pl, "copied at once", &chain));
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  OK(pl_dat_copy(l.b, l.c));
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.c, PL_READ)));
  OK(pl_chain_end(chain));
  for (int i = 0; i < N; i++) four[i] = 2 * (twice[i] = 2 * l.start[i]);
  SAME(l.c, twice);
  SAME(l.b, four);
}

/* The source of a copy is still needed by other loops before it is overwritten. */
static void case_copied_later(conf *c)
{
  line l;
  double twice[N], spread[N];
  pl_chain *chain;
  make_line(c, &l);
  OK(pl_chain_begin(c->pl, "copied later", &chain));
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(chain_spread, l.set, pl_arg_dat(l.c, 0, l.next, PL_INC), DIRECT(l.b, PL_READ)));
  OK(pl_dat_copy(l.b, l.a));
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.c, PL_READ)));
  OK(pl_chain_end(chain));
  for (int i = 0; i < N; i++) {
    twice[i] = 2 * l.start[i];
    spread[(i + 1) % N] = 2 * (2 * l.start[i] + 1);
  }
  SAME(l.a, twice);
  SAME(l.b, spread);
}

/* A loop that reads one component of neighbours and writes another in place keeps the others. */
PL_KERNEL(chain_shift, (const double *from, double *to, double *most), {
  to[0] = from[0] + 1;
  if (most[0] < to[0]) most[0] = to[0];
})

static void case_parts(conf *c)
{
  line l;
  double v[2 * N], zero = 0;
  pl_chain *chain;
  make_line(c, &l);
  for (int i = 0; i < 2 * N; i++) v[i] = 3 * i;
  pl_dat *dv = conf_dat(c, l.set, 2, PL_DOUBLE, v, "v");
  pl_global *most = conf_global(c, 1, PL_DOUBLE, NULL, "most");
  for (int round = 0; round < 3; round++) {
    OK(pl_chain_begin(c->pl, "parts", &chain));
    OK(pl_par_loop(chain_shift, l.set, pl_arg_component(pl_arg_dat(dv, 0, l.next, PL_READ), 0),
                   pl_arg_component(DIRECT(dv, PL_WRITE), 1), pl_arg_gbl(most, PL_MAX)));
    OK(pl_global_zero(most)); /* so that the loop is fused again without it */
    OK(pl_chain_end(chain));
    for (int i = 0; i < N; i++) v[2 * i + 1] = v[2 * ((i + 1) % N)] + 1;
    SAME(dv, v);
    SAME_GLOBAL(most, &zero);
  }
}

/* Whether chains are tiled on request. */
static bool tiles(const conf *c)
{
  return !c->device && fuses(c) && !c->variant->reproducible && pl_ranks(c->pl) == 1;
}

/* Several sweeps over neighbours in tiles: increments, reads of neighbours, updates in place, sums and
 * zeros. */
static void case_tiles(conf *c)
{
  line l;
  double a[N], b[N], sum, zero = 0;
  pl_chain *chain;
  make_line(c, &l);
  memcpy(a, l.start, sizeof a);
  pl_global *g = conf_global(c, 1, PL_DOUBLE, &zero, "sum");
  OK(pl_set_option(c->pl, "tile", "8"));
  for (int round = 0; round < 4; round++) {
    sum = 0;
    OK(pl_chain_begin(c->pl, "sweeps", &chain));
    for (int sweep = 0; sweep < 3; sweep++) {
      OK(pl_dat_zero(l.b));
      OK(pl_par_loop(chain_spread, l.set, pl_arg_dat(l.b, 0, l.next, PL_INC), DIRECT(l.a, PL_READ)));
      OK(pl_par_loop(chain_plus, l.set, DIRECT(l.a, PL_RW), pl_arg_dat(l.b, 0, l.next, PL_READ)));
      for (int i = 0; i < N; i++) b[(i + 1) % N] = a[i] + 1;
      for (int i = 0; i < N; i++) a[i] += b[(i + 1) % N];
      OK(pl_dat_zero(l.b));
      OK(pl_par_loop(chain_spread, l.set, pl_arg_dat(l.b, 0, l.next, PL_INC), DIRECT(l.a, PL_READ)));
      OK(pl_par_loop(chain_plus, l.set, DIRECT(l.a, PL_RW), DIRECT(l.b, PL_READ)));
      for (int i = 0; i < N; i++) b[(i + 1) % N] = a[i] + 1;
      for (int i = 0; i < N; i++) a[i] += b[i];
    }
    OK(pl_global_zero(g));
    OK(pl_par_loop(chain_sum, l.set, DIRECT(l.a, PL_READ), pl_arg_gbl(g, PL_INC)));
    OK(pl_chain_end(chain));
    for (int i = 0; i < N; i++) sum += a[i];
    SAME(l.a, a);
    SAME(l.b, b);
    SAME_GLOBAL(g, &sum);
  }
  CHECK((conf_stats(c).loops_tiled > 0) == tiles(c));
}

/* Loops over two sets in tiles; then one of the sets grows. */
static void case_grown_tiles(conf *c)
{
  pl_chain *chain;
  pl_set *sets[2];
  pl_dat *x[2], *y[2];
  double start[N], grown[2 * N];
  for (int i = 0; i < N; i++) start[i] = i;
  for (int s = 0; s < 2; s++) {
    sets[s] = conf_set(c, N, s ? "right" : "left");
    x[s] = conf_dat(c, sets[s], 1, PL_DOUBLE, start, "x");
    y[s] = conf_dat(c, sets[s], 1, PL_DOUBLE, NULL, "y");
  }
  OK(pl_set_option(c->pl, "tile", "8"));
  for (int round = 0; round < 4; round++) {
    OK(pl_chain_begin(c->pl, "both", &chain));
    for (int s = 0; s < 2; s++) OK(pl_par_loop(chain_two, sets[s], DIRECT(x[s], PL_RW), DIRECT(y[s], PL_RW)));
    OK(pl_chain_end(chain));
    if (round == 1) OK(pl_set_resize(sets[1], 2 * N));
  }
  for (int i = 0; i < 2 * N; i++) grown[i] = i < N ? i + 4 : 2;
  SAME(x[1], grown);
  CHECK((conf_stats(c).loops_tiled > 0) == tiles(c));
}

PL_KERNEL(chain_ends, (double *count, const double *w, double *to, double *sum), {
  count[0] += 1;
  to[0] += w[0];
  sum[0] += w[0];
})

/* PLAIT_CHECK compares a chain with its single loops. */
static void case_check(conf *c)
{
  line l;
  double b[N];
  pl_chain *chain;
  make_line(c, &l);
  OK(pl_set_option(c->pl, "check", "1"));
  OK(pl_chain_begin(c->pl, "checked", &chain));
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(chain_plus, l.set, DIRECT(l.b, PL_RW), DIRECT(l.a, PL_READ)));
  OK(pl_chain_end(chain));
  CHECK(ran(c) == (fuses(c) ? 3 : 2));
  for (int i = 0; i < N; i++) b[i] = 3 * l.start[i];
  SAME(l.b, b);
  const double ten = 10, zero = 0;
  double all = 10;
  pl_global *total = conf_global(c, 1, PL_DOUBLE, &ten, "total"); /* three sums of one loop into one global */
  OK(pl_chain_begin(c->pl, "thrice", &chain));
  for (int k = 0; k < 3; k++)
    OK(pl_par_loop(chain_sum, l.set, DIRECT(l.a, PL_READ), pl_arg_gbl(total, PL_INC)));
  OK(pl_chain_end(chain));
  for (int i = 0; i < N; i++) all += 3 * l.start[i];
  SAME_GLOBAL(total, &all);
  /* a dead sum: it is zeroed after a read has run it */
  pl_global *sum = conf_global(c, 1, PL_DOUBLE, &ten, "sum");
  OK(pl_chain_begin(c->pl, "in vain", &chain));
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(chain_plus, l.set, DIRECT(l.b, PL_RW), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(chain_ends, l.set, DIRECT(l.b, PL_RW), DIRECT(l.a, PL_READ), DIRECT(l.c, PL_INC),
                 pl_arg_gbl(sum, PL_INC)));
  OK(pl_global_zero(sum));
  for (int i = 0; i < N; i++) b[i] = 3 * l.start[i] + 1;
  SAME(l.b, b);
  OK(pl_chain_end(chain));
  SAME_GLOBAL(sum, &zero);
}

/* Loops over two sets that add to one dat, or are independent: one launch with share=on. */
static void case_beside(conf *c)
{
  enum { ENDS = 9 };
  line l;
  int at[ENDS];
  double w[ENDS], spread[N], counted[ENDS], sum = 0;
  make_line(c, &l);
  for (int i = 0; i < ENDS; i++) at[i] = i % 4 == 3 ? -1 : 3 * i, w[i] = i + 1, counted[i] = 2;
  for (int i = 0; i < N; i++) spread[(i + 1) % N] = 2 * (l.start[i] + 1);
  for (int i = 0; i < ENDS; i++) spread[at[i] < 0 ? 0 : at[i]] += at[i] < 0 ? 0 : 2 * w[i];
  pl_set *ends = conf_set(c, ENDS, "ends");
  pl_map *end = conf_map(c, ends, l.set, 1, at, "end");
  pl_dat *weight = conf_dat(c, ends, 1, PL_DOUBLE, w, "weight"),
         *count = conf_dat(c, ends, 1, PL_DOUBLE, NULL, "count");
  pl_global *total = conf_global(c, 1, PL_DOUBLE, &sum, "total");
  OK(pl_set_option(c->pl, "lazy", "1"));
  for (int round = 0; round < 2; round++) {
    int before = ran(c);
    OK(pl_set_option(c->pl, "share", round ? "on" : "off"));
    OK(pl_par_loop(chain_spread, l.set, pl_arg_dat(l.c, 0, l.next, PL_INC), DIRECT(l.a, PL_READ)));
    OK(pl_par_loop(chain_ends, ends, DIRECT(count, PL_RW), DIRECT(weight, PL_READ),
                   pl_arg_dat(l.c, 0, end, PL_INC), pl_arg_gbl(total, PL_INC)));
    OK(pl_flush(c->pl));
    CHECK(!fuses(c) || ran(c) - before == (round ? 1 : 2));
  }
  SAME(l.c, spread);
  SAME(count, counted);
  OK(pl_global_get(total, &sum));
  CHECK(sum == ENDS * (ENDS + 1));
  pl_map_free(&end); /* objects derived from it are freed with it */
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(chain_plus, ends, DIRECT(count, PL_RW), DIRECT(weight, PL_READ)));
  for (int i = 0; i < ENDS; i++) counted[i] += w[i];
  SAME(count, counted);
}

/* Loops that share a launch for the first time, through other maps, after their sets were renumbered. */
static void case_beside_renumbered(conf *c)
{
  enum { ENDS = 9 };
  line l;
  int at[ENDS];
  double w[ENDS], spread[N], counted[ENDS];
  make_line(c, &l);
  for (int i = 0; i < N; i++) spread[(i + 1) % N] = l.start[(i + 1) % N] + l.start[i] + 2;
  for (int i = 0; i < ENDS; i++) {
    at[i] = 5 * i;
    w[i] = i + 1;
    counted[i] = 2 * w[i];
    spread[at[i]] += l.start[at[i]] + 1;
  }
  pl_set *ends = conf_set(c, ENDS, "ends");
  pl_map *end = conf_map(c, ends, l.set, 1, at, "end");
  pl_dat *weight = conf_dat(c, ends, 1, PL_DOUBLE, w, "weight"),
         *count = conf_dat(c, ends, 1, PL_DOUBLE, NULL, "count");
  OK(pl_set_option(c->pl, "lazy", "1"));
  OK(pl_set_option(c->pl, "share", "on"));
  OK(pl_par_loop(chain_spread, l.set, pl_arg_dat(l.c, 0, l.next, PL_INC),
                 pl_arg_dat(l.a, 0, l.next, PL_READ)));
  OK(pl_par_loop(chain_spread, ends, pl_arg_dat(l.c, 0, end, PL_INC), pl_arg_dat(l.a, 0, end, PL_READ)));
  OK(pl_flush(c->pl));
  OK(pl_renumber(c->pl, PL_RENUMBER_RCM, l.next, NULL));
  OK(pl_par_loop(chain_spread, l.set, pl_arg_dat(l.c, 0, l.next, PL_INC), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(chain_twice, ends, DIRECT(count, PL_WRITE), DIRECT(weight, PL_READ)));
  OK(pl_flush(c->pl));
  SAME(l.c, spread);
  SAME(count, counted);
}

/* A repeated chain with a halo exchange in each step: CUDA replays the loops between exchanges as graphs. */
static void case_replays(conf *c)
{
  enum { ROUNDS = 6, STEPS = 2 };
  line l;
  double a[N], sum[N] = {0}, other[N] = {0};
  make_line(c, &l);
  memcpy(a, l.start, sizeof a);
  pl_set *apart = conf_set(c, N, "apart");
  pl_dat *x = conf_dat(c, apart, 1, PL_DOUBLE, NULL, "x"),
         *y = conf_dat(c, apart, 1, PL_DOUBLE, l.start, "y");
  OK(pl_set_option(c->pl, "share", "off"));
  OK(pl_set_option(c->pl, "lazy", "1"));
  for (int round = 0; round < ROUNDS; round++) {
    for (int s = 0; s < STEPS; s++) {
      OK(pl_par_loop(chain_spread, l.set, pl_arg_dat(l.c, 0, l.next, PL_INC), DIRECT(l.a, PL_READ)));
      OK(pl_par_loop(chain_plus, l.set, DIRECT(l.a, PL_RW), DIRECT(l.c, PL_READ)));
      OK(pl_par_loop(chain_plus, apart, DIRECT(x, PL_RW), DIRECT(y, PL_READ)));
      for (int i = 0; i < N; i++) sum[(i + 1) % N] += a[i] + 1;
      for (int i = 0; i < N; i++) a[i] += sum[i], other[i] += l.start[i];
    }
    OK(pl_flush(c->pl));
  }
  CHECK(strcmp(c->backend, "cuda") || !fuses(c) || conf_stats(c).graphs_run);
  SAME(l.a, a);
  SAME(l.c, sum);
  SAME(x, other);
}

/* Elements whose targets all belong to other ranks, in a repeated loop. */
static void case_no_core(conf *c)
{
  enum { MOST = 16 };
  int n = pl_ranks(c->pl) < MOST ? pl_ranks(c->pl) : MOST, next[MOST];
  double one[MOST], sum[MOST];
  for (int i = 0; i < n; i++) next[i] = (i + 1) % n, one[i] = i, sum[(i + 1) % n] = 3 * (i + 1);
  pl_set *set = conf_set(c, n, "ring");
  pl_map *map = conf_map(c, set, set, 1, next, "next");
  pl_dat *w = conf_dat(c, set, 1, PL_DOUBLE, one, "w"), *to = conf_dat(c, set, 1, PL_DOUBLE, NULL, "to");
  if (c->device) OK(pl_set_option(c->pl, "conflict", "gather"));
  for (int round = 0; round < 3; round++)
    OK(pl_par_loop(chain_spread, set, pl_arg_dat(to, 0, map, PL_INC), DIRECT(w, PL_READ)));
  SAME(to, sum);
}

static void warmed_up_step(conf *c, const line *l)
{
  OK(pl_dat_copy(l->a, l->b));
  OK(pl_par_loop(chain_plus, l->set, DIRECT(l->a, PL_RW), DIRECT(l->b, PL_READ)));
  OK(pl_par_loop(chain_spread, l->set, pl_arg_dat(l->c, 0, l->next, PL_INC), DIRECT(l->a, PL_READ)));
}

/* A warm-up compiles everything and runs nothing. */
static void case_rehearsal(conf *c)
{
  line l;
  pl_chain *chain;
  double doubled[N], spread[N];
  make_line(c, &l);
  for (int i = 0; i < N; i++) doubled[i] = 8 * l.start[i];
  for (int i = 0; i < N; i++) spread[(i + 1) % N] = 14 * l.start[i] + 3;
  for (int real = 0; real < 2; real++) {
    pl_stats before = conf_stats(c);
    OK(pl_chain_begin(c->pl, "steps", &chain));
    if (!real) OK(pl_chain_warm_up(chain));
    for (int i = 0; i < 3; i++) warmed_up_step(c, &l);
    OK(pl_chain_end(chain));
    pl_stats after = conf_stats(c);
    CHECK((after.loops_run > before.loops_run) == real);
    if (real) CHECK(after.codes_compiled == before.codes_compiled && after.loops_built == before.loops_built);
    SAME(l.a, real ? doubled : l.start);
  }
  SAME(l.c, spread);
}

static bool holds(const char *text, const char *words)
{
  return text && strstr(text, words);
}

static int count(const char *text, const char *words)
{
  int n = 0;
  for (const char *at = text; at && (at = strstr(at, words)); at++) n++;
  return n;
}

/* The print has all parts of a chain that reads cut, and each line once: P40. */
static void case_print_parts(conf *c)
{
  line l;
  char folder[256], path[300];
  pl_chain *chain;
  double values[N];
  make_line(c, &l);
  conf_folder(folder);
  OK(pl_chain_begin(c->pl, "parts", &chain));
  OK(pl_chain_hint(chain, l.b, PL_INLINE));
  for (int i = 0; i < 2; i++) {
    OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
    OK(pl_par_loop(chain_plus, l.set, DIRECT(l.c, PL_RW), pl_arg_dat(l.b, 0, l.next, PL_READ)));
  }
  OK(pl_dat_fetch(l.c, values));
  OK(pl_par_loop(chain_spread, l.set, DIRECT(l.a, PL_INC), DIRECT(l.c, PL_READ)));
  OK(pl_chain_end(chain));
  snprintf(path, sizeof path, "%s/parts.txt", folder);
  OK(pl_chain_print(chain, path));
  char *text = conf_read(path);
  CHECK(holds(text, "chain_plus over line") && holds(text, "chain_spread over line"));
  CHECK(count(text, "\"chain_twice\" is inlined into \"chain_plus\"") <= 1);
  free(text);
  snprintf(path, sizeof path, "%s/parts.dot", folder);
  OK(pl_chain_print(chain, path));
  text = conf_read(path);
  CHECK(count(text, "chain_spread\"") == 1 && count(text, "digraph") == 1);
  free(text);
}

/* A fetch runs the loops that write the dat and no others; the profile runs none and has no empty lines. */
static void case_fewest(conf *c)
{
  line l;
  double values[N], seconds;
  uint64_t calls;
  pl_profile_entry entry;
  make_line(c, &l);
  OK(pl_set_option(c->pl, "lazy", "1"));
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(chain_plus, l.set, DIRECT(l.c, PL_RW), pl_arg_dat(l.b, 0, l.next, PL_READ)));
  OK(pl_dat_fetch(l.b, values));
  CHECK(ran(c) == 1);
  OK(pl_dat_fetch(l.a, values));
  OK(pl_timing(c->pl, "chain_plus", &seconds, &calls));
  CHECK(calls == 0 && ran(c) == 1);
  OK(pl_profile_at(c->pl, 0, &entry));
  CHECK(!strcmp(entry.name, "chain_twice"));
  FAILS(pl_profile_at(c->pl, 1, &entry), PL_ERR_RANGE, "1");
  CHECK(ran(c) == 1);
  OK(pl_profile_reset(c->pl));
  FAILS(pl_profile_at(c->pl, 0, &entry), PL_ERR_RANGE, "0");
  OK(pl_flush(c->pl));
  OK(pl_profile_at(c->pl, 0, &entry));
  CHECK(!strcmp(entry.name, "chain_plus") && entry.calls == 1);
}

/* A recorded loop is refused at once where a loop that runs would be. */
static void case_frozen(conf *c)
{
  line l;
  make_line(c, &l);
  OK(pl_set_option(c->pl, "lazy", "1"));
  OK(pl_dat_freeze_halo(l.b, PL_READ));
  FAILS(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)), PL_ERR_STATE, "frozen");
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.c, PL_WRITE), DIRECT(l.b, PL_READ)));
  OK(pl_dat_unfreeze_halo(l.b));
  OK(pl_flush(c->pl));
  CHECK(ran(c) == 1);
}

static void case_print(conf *c)
{
  line l;
  char folder[256], path[300];
  pl_chain *chain;
  make_line(c, &l);
  conf_folder(folder);
  OK(pl_chain_begin(c->pl, "printed", &chain));
  FAILS(pl_chain_print(chain, "-"), PL_ERR_STATE, "printed");
  OK(pl_par_loop(chain_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(chain_plus, l.set, DIRECT(l.b, PL_RW), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(chain_spread, l.set, pl_arg_dat(l.a, 0, l.next, PL_INC), DIRECT(l.b, PL_READ)));
  OK(pl_chain_end(chain));
  snprintf(path, sizeof path, "%s/chain.txt", folder);
  OK(pl_chain_print(chain, path));
  char *text = conf_read(path);
  CHECK(holds(text, "Recorded 3 loops"));
  CHECK(pl_ranks(c->pl) > 1 ||
        holds(text, "chain_plus over line: b RW, a READ [70 elements, each: load 2, store 1, add 1]"));
  CHECK(holds(text, "1, 2: \"chain_plus\" reads \"b\", which \"chain_twice\" writes; may be one loop"));
  CHECK(holds(text, "2, 3:") && holds(text, "not one loop: ") && holds(text, "through map \"next\""));
  CHECK(!fuses(c) || holds(text, "Run as 2 steps"));
  free(text);
  snprintf(path, sizeof path, "%s/chain.dot", folder);
  OK(pl_chain_print(chain, path));
  text = conf_read(path);
  CHECK(holds(text, "digraph") && holds(text, "n1 -> n2"));
  free(text);
  FAILS(pl_chain_print(chain, "/nowhere/chain.txt"), PL_ERR_IO, "/nowhere/chain.txt");
}

const conf_case conf_chains[] = {
  {"deferred loops", "P40", case_lazy, CONF_MATRIX | CONF_RANKS},
  {"fused loops", "P41 L05", case_fusion, CONF_MATRIX | CONF_RANKS},
  {"rows that are off in fused loops", "P41 D01", case_no_row, CONF_RANKS},
  {"zeros, copies and temporaries in chains", "P41 L08", case_temporary, CONF_MATRIX | CONF_RANKS},
  {"calls that run the queue", "P40", case_in_between, CONF_MATRIX | CONF_RANKS},
  {"more loops than a queue holds", "P40", case_long, CONF_MATRIX | CONF_RANKS},
  {"loops fused across batches", "P40 P41", case_batches, CONF_MATRIX | CONF_RANKS},
  {"producers inlined into their consumers", "L08 L09", case_inline, CONF_MATRIX | CONF_RANKS},
  {"increments inlined into their reader", "P41", case_gather, CONF_MATRIX | CONF_RANKS},
  {"chains on renumbered storage", "P41", case_order, CONF_MATRIX | CONF_RANKS},
  {"values precomputed for blocks", "L13 L11", case_blocks, CONF_MATRIX | CONF_RANKS},
  {"a dat read through nine maps", "L13 L11", case_nine_maps, CONF_RANKS},
  {"chains over few elements", "L13 P56", case_few, CONF_MATRIX | CONF_RANKS},
  {"copies that become swaps", "P41", case_copies, CONF_MATRIX | CONF_RANKS},
  {"copies of values just written", "P41", case_copied_at_once, CONF_MATRIX | CONF_RANKS},
  {"copies of values that other loops need", "P41", case_copied_later, CONF_MATRIX | CONF_RANKS},
  {"chains of loops on components of a dat", "P20 P41", case_parts, CONF_MATRIX | CONF_RANKS},
  {"chains in tiles", "P41", case_tiles, CONF_MATRIX | CONF_RANKS},
  {"chains in tiles over sets that grow", "P41", case_grown_tiles, CONF_MATRIX},
  {"chains compared with their loops", "L15", case_check, CONF_MATRIX | CONF_RANKS},
  {"chains over two sets in one launch", "P41", case_beside, CONF_MATRIX | CONF_RANKS},
  {"launches shared after renumbering", "P41", case_beside_renumbered, CONF_MATRIX | CONF_RANKS},
  {"repeated chains", "P41", case_replays, CONF_MATRIX | CONF_RANKS},
  {"loops without a core", "P56", case_no_core, CONF_RANKS},
  {"chains warmed up", "P41", case_rehearsal, CONF_MATRIX | CONF_RANKS},
  {"chains printed in parts", "P40", case_print_parts, CONF_RANKS | CONF_EAGER},
  {"reads run the fewest loops", "P40", case_fewest, CONF_RANKS | CONF_EAGER},
  {"frozen halos in recorded loops", "P40", case_frozen, CONF_RANKS | CONF_EAGER},
  {"printed chains", "L04 L06", case_print, CONF_MATRIX | CONF_RANKS},
  {NULL, NULL, NULL, 0}};
