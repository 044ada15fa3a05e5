/* SPDX-License-Identifier: BSD-2-Clause
 * Fused loops give the results of the single loops, with merged texts, swapped storage and joined sets.
 */
#include "conformance.h"
#include <math.h>

enum { N = 70 };

PL_KERNEL(fused_twice, (double *out, const double *in), { out[0] = 2.0 * in[0]; })
PL_KERNEL(fused_next, (double *out, const double *in), { out[0] = in[0] + 1; })
PL_KERNEL(fused_plus, (double *x, const double *y), { x[0] = x[0] + y[0]; })
PL_KERNEL(fused_add, (double *to, const double *w), { to[0] += w[0]; })

typedef struct line {
  pl_set *set;
  pl_map *next; /* each element's right neighbour in a ring */
  pl_dat *a, *b, *c, *sum;
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
  l->b = conf_dat(c, l->set, 1, PL_DOUBLE, l->start, "b");
  l->c = conf_dat(c, l->set, 1, PL_DOUBLE, NULL, "c");
  l->sum = conf_dat(c, l->set, 1, PL_DOUBLE, NULL, "sum");
}

/* A chain whose sums are gathered in the loop that reads them. */
static pl_chain *begin_gathering(conf *c, const line *l, const char *name)
{
  pl_chain *chain;
  OK(pl_chain_begin(c->pl, name, &chain));
  OK(pl_chain_hint(chain, l->sum, PL_INLINE));
  OK(pl_chain_temporary(chain, l->sum));
  OK(pl_dat_zero(l->sum));
  return chain;
}

/* A copy turned into a swap concerns sums too: it overwrites an input of the sum, the reader of the sum
 * overwrites its source, or the copy overwrites the sum itself. */
static void case_copied_sums(conf *c)
{
  line l;
  double twice[N], next[N];
  pl_chain *chain;
  make_line(c, &l);
  OK(pl_par_loop(fused_twice, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  chain = begin_gathering(c, &l, "input overwritten by a copy");
  OK(pl_par_loop(fused_add, l.set, pl_arg_dat(l.sum, 0, l.next, PL_INC), DIRECT(l.b, PL_READ)));
  OK(pl_dat_copy(l.a, l.b));
  OK(pl_par_loop(fused_next, l.set, DIRECT(l.a, PL_WRITE), DIRECT(l.b, PL_READ)));
  OK(pl_par_loop(fused_next, l.set, DIRECT(l.c, PL_WRITE), DIRECT(l.sum, PL_READ)));
  OK(pl_chain_end(chain));
  for (int i = 0; i < N; i++) next[i] = l.start[i] + 1, twice[(i + 1) % N] = 2 * l.start[i] + 1;
  SAME(l.a, next);
  SAME(l.b, l.start);
  SAME(l.c, twice);
  chain = begin_gathering(c, &l, "source overwritten by the reader");
  OK(
    pl_par_loop(fused_add, l.set, pl_arg_dat(l.sum, 0, l.next, PL_INC), pl_arg_dat(l.b, 0, l.next, PL_READ)));
  OK(pl_dat_copy(l.a, l.b));
  OK(pl_par_loop(fused_twice, l.set, DIRECT(l.a, PL_WRITE), DIRECT(l.sum, PL_READ)));
  OK(pl_chain_end(chain));
  for (int i = 0; i < N; i++) twice[i] = 2 * l.start[i];
  SAME(l.a, twice);
  SAME(l.b, next);
  chain = begin_gathering(c, &l, "copied over the sum");
  OK(pl_par_loop(fused_add, l.set, pl_arg_dat(l.sum, 0, l.next, PL_INC), DIRECT(l.b, PL_READ)));
  OK(pl_dat_copy(l.a, l.sum));
  OK(pl_par_loop(fused_twice, l.set, DIRECT(l.a, PL_WRITE), DIRECT(l.b, PL_READ)));
  OK(pl_par_loop(fused_next, l.set, DIRECT(l.c, PL_WRITE), DIRECT(l.sum, PL_READ)));
  OK(pl_chain_end(chain));
  for (int i = 0; i < N; i++) twice[i]++;
  SAME(l.c, twice);
}

PL_KERNEL(fused_steps, (double out[3], const double in[3]), {
  for (int i = 0; i < 3; i++) out[i] = in[i] + i;
})

/* Storage is swapped while one dat has none on the device yet. Layouts that are set after a chain stay with
 * their dats. */
static void case_storage(conf *c)
{
  static const char *const layouts[] = {"aos", "soa", "aosoa:4", "aos"};
  line l;
  double x[3 * N], y[3 * N];
  pl_chain *chain;
  make_line(c, &l);
  for (int i = 0; i < 3 * N; i++) x[i] = i, y[i] = -i;
  pl_dat *a = conf_dat(c, l.set, 3, PL_DOUBLE, x, "a3"), *q = conf_dat(c, l.set, 3, PL_DOUBLE, y, "q3"),
         *old = conf_dat(c, l.set, 3, PL_DOUBLE, NULL, "old3"),
         *r = conf_dat(c, l.set, 3, PL_DOUBLE, NULL, "r3");
  for (int i = 0; i < 3 * N; i++) x[i] += i % 3;
  for (int round = 0; round < 4; round++) {
    OK(pl_chain_begin(c->pl, "swap", &chain));
    OK(pl_dat_copy(q, old));
    OK(pl_par_loop(fused_steps, l.set, DIRECT(q, PL_WRITE), DIRECT(a, PL_READ)));
    OK(pl_chain_end(chain));
    OK(pl_par_loop(fused_steps, l.set, DIRECT(r, PL_WRITE), DIRECT(q, PL_READ)));
    OK(pl_dat_set_layout(round % 2 ? q : old, layouts[round]));
    SAME(q, x);
    SAME(old, y);
    for (int i = 0; i < 3 * N; i++) y[i] = x[i] + i % 3;
    SAME(r, y);
    memcpy(y, x, sizeof y);
  }
}

PL_FUNCTION(double, fused_square, (double x), { return x * x; })
PL_KERNEL(fused_maybe, (double *out, const double *in, const double *more),
          { out[0] = in[0] + (more ? 100 : 0); })

/* The report of the chain says which loops are not fused. */
static void check_refusal(conf *c, pl_chain *chain, const char *loops)
{
  char folder[256], path[300];
  snprintf(path, sizeof path, "%s/refused.txt", conf_folder(folder));
  OK(pl_chain_print(chain, path));
  char *text = conf_read(path);
  CHECK(!c->variant->jit || c->mixed || strstr(text, loops));
  free(text);
}

/* Texts that conflict in one program: a function and a helper of the same name, a macro and a const; and an
 * argument that is off for a dat that the loop writes. */
static void case_texts(conf *c)
{
  static const char own[] = "static double fused_square(double x) { return 10 * x; }\n"
                            "void fused_own(double *o, const double *i) { o[0] = fused_square(i[0]); }\n",
                    helped[] =
                      "void fused_helped(double *o, const double *i) { o[0] = fused_square(i[0]); }\n",
                    macro[] = "#  define fused_step 2.0\n"
                              "void fused_macro(double *o, const double *i) { o[0] = fused_step * i[0]; }\n",
                    constant[] =
                      "void fused_constant(double *o, const double *i) { o[0] = fused_step * i[0]; }\n";
  line l;
  double five = 5, b[N], d[N];
  pl_chain *chain;
  make_line(c, &l);
  OK(pl_decl_function(c->pl, fused_square));
  OK(pl_decl_const(c->pl, "fused_step", 1, PL_DOUBLE, &five, NULL));
  const pl_kernel *k[2][2] = {
    {conf_source(c, "fused_own", own, NULL), conf_source(c, "fused_helped", helped, NULL)},
    {conf_source(c, "fused_macro", macro, NULL), conf_source(c, "fused_constant", constant, NULL)}};
  for (int pair = 0; pair < 2; pair++) {
    OK(pl_chain_begin(c->pl, "texts", &chain));
    OK(pl_par_loop(k[pair][0], l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
    OK(pl_par_loop(k[pair][1], l.set, DIRECT(l.c, PL_WRITE), DIRECT(l.a, PL_READ)));
    OK(pl_chain_end(chain));
    for (int i = 0; i < N; i++)
      b[i] = (pair ? 2 : 10) * l.start[i], d[i] = (pair ? 5 : l.start[i]) * l.start[i];
    SAME(l.b, b);
    SAME(l.c, d);
    check_refusal(c, chain,
                  pair ? "not fused: 1 fused_macro, 2 fused_constant: "
                       : "not fused: 1 fused_own, 2 fused_helped: ");
  }
  OK(pl_chain_begin(c->pl, "off", &chain));
  OK(pl_chain_hint(chain, l.b, PL_INLINE));
  OK(pl_chain_temporary(chain, l.b));
  OK(pl_dat_zero(l.c));
  OK(pl_par_loop(fused_maybe, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ),
                 pl_arg_opt(DIRECT(l.b, PL_READ), 0)));
  OK(pl_par_loop(fused_plus, l.set, DIRECT(l.c, PL_RW), pl_arg_dat(l.b, 0, l.next, PL_READ)));
  OK(pl_chain_end(chain));
  for (int i = 0; i < N; i++) d[i] = l.start[(i + 1) % N];
  SAME(l.c, d);
}

PL_KERNEL(fused_real, (pl_real * out, const pl_real *in), { out[0] = in[0] * 1.1; })
PL_KERNEL(fused_whole, (int *out, const int *in), { out[0] = (int)(in[0] * 0.1 * 1e7); })
PL_KERNEL(fused_exp, (float *out, const float *in), { out[0] = exp(in[0]) - 1.0; })
PL_KERNEL(fused_tenth, (pl_real * out, const int *in), { out[0] = in[0] * 0.1; })
PL_KERNEL(fused_widen, (pl_real * out, const float *in), { out[0] = in[0]; })

/* As in a program with PL_REAL float: only the body uses the word. */
static inline void fused_round_kernel(double *out, const double *in)
{
  float t = (float)in[0];
  out[0] = t;
}
static const pl_kernel fused_round[1] = {
  {"fused_round", "(double *out, const double *in)", "{ pl_real t = in[0]; out[0] = t; }", NULL, __FILE__,
   __LINE__, (int)sizeof(float), (pl_kernel_fn)fused_round_kernel, NULL, (int)sizeof(pl_kernel)}};

/* pl_real keeps each loop's type, and loops without it are unaffected. */
static void case_reals(conf *c)
{
  line l;
  pl_chain *chain;
  int n[N], whole[N];
  float f[N], g[N];
  double w[N];
  make_line(c, &l);
  for (int i = 0; i < N; i++) n[i] = 7 * i + 1, f[i] = 1e-4f * (float)i;
  pl_dat *dn = conf_dat(c, l.set, 1, PL_INT32, n, "n"), *dw = conf_dat(c, l.set, 1, PL_INT32, NULL, "w"),
         *df = conf_dat(c, l.set, 1, PL_FLOAT, f, "f"), *dg = conf_dat(c, l.set, 1, PL_FLOAT, NULL, "g"),
         *dm = conf_dat(c, l.set, 1, PL_FLOAT, NULL, "m");
  OK(pl_chain_begin(c->pl, "reals", &chain));
  OK(pl_par_loop(fused_real, l.set, DIRECT(dg, PL_WRITE), DIRECT(df, PL_READ)));
  OK(pl_par_loop(fused_whole, l.set, DIRECT(dw, PL_WRITE), DIRECT(dn, PL_READ)));
  OK(pl_chain_end(chain));
  for (int i = 0; i < N; i++) whole[i] = (int)(n[i] * 0.1 * 1e7);
  SAME(dw, whole);
  OK(pl_chain_begin(c->pl, "reals", &chain));
  OK(pl_par_loop(fused_real, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ)));
  OK(pl_par_loop(fused_exp, l.set, DIRECT(dm, PL_WRITE), DIRECT(df, PL_READ)));
  OK(pl_chain_end(chain));
  if (!c->device) { /* devices compute exp of a float in float */
    for (int i = 0; i < N; i++) g[i] = (float)(exp(f[i]) - 1.0);
    SAME(dm, g);
  }
  OK(pl_chain_begin(c->pl, "two reals", &chain));
  OK(pl_chain_temporary(chain, dg));
  OK(pl_par_loop(fused_tenth, l.set, DIRECT(dg, PL_WRITE), DIRECT(dn, PL_READ)));
  OK(pl_par_loop(fused_widen, l.set, DIRECT(l.b, PL_WRITE), DIRECT(dg, PL_READ)));
  OK(pl_chain_end(chain));
  for (int i = 0; i < N; i++) w[i] = (float)n[i] * 0.1f;
  SAME(l.b, w);
  OK(pl_chain_begin(c->pl, "round", &chain));
  OK(pl_par_loop(fused_round, l.set, DIRECT(l.c, PL_WRITE), DIRECT(l.b, PL_READ)));
  OK(pl_par_loop(fused_round, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.c, PL_READ)));
  OK(pl_par_loop(fused_plus, l.set, DIRECT(l.b, PL_RW), DIRECT(l.c, PL_READ)));
  OK(pl_chain_end(chain));
  for (int i = 0; i < N; i++) w[i] = 2.0 * (float)w[i];
  SAME(l.b, w);
}

PL_KERNEL(fused_six, (double *a, double *b, double *c, double *d, double *e, double *f), {
  a[0] += 1;
  b[0] += 2;
  c[0] += 3;
  d[0] += 4;
  e[0] += 5;
  f[0] += 6;
})

/* More dats than a device kernel can have parameters. */
static void case_many(conf *c)
{
  enum { DATS = 72 };
  pl_dat *d[DATS];
  double sum[N];
  pl_chain *chain;
  pl_set *set = conf_set(c, N, "line");
  for (int i = 0; i < DATS; i++) d[i] = conf_dat(c, set, 1, PL_DOUBLE, NULL, "d");
  OK(pl_chain_begin(c->pl, "many", &chain));
  for (int i = 0; i < DATS; i += 6)
    OK(pl_par_loop(fused_six, set, DIRECT(d[i], PL_RW), DIRECT(d[i + 1], PL_RW), DIRECT(d[i + 2], PL_RW),
                   DIRECT(d[i + 3], PL_RW), DIRECT(d[i + 4], PL_RW), DIRECT(d[i + 5], PL_RW)));
  OK(pl_chain_end(chain));
  for (int i = 0; i < DATS; i++) {
    for (int k = 0; k < N; k++) sum[k] = i % 6 + 1;
    SAME(d[i], sum);
  }
}

/* Halos declared by the program on one rank keep their values under fusion. */
static void case_own_halo(conf *c)
{
  enum { OWNED = 50, EXEC = 60 };
  const int64_t parts[4] = {40, OWNED, EXEC, N};
  int index[N];
  double a[N], b[N], o[N], d[N] = {0};
  pl_chain *chain;
  pl_set *set;
  if (pl_ranks(c->pl) > 1) return;
  OK(pl_decl_set_parts(c->pl, parts, "own", &set));
  for (int i = 0; i < N; i++) a[i] = i + 1, b[i] = o[i] = 1000 + i, index[i] = (37 * i + 11) % N;
  pl_map *map = conf_map(c, set, set, 1, index, "map");
  pl_dat *da = conf_dat(c, set, 1, PL_DOUBLE, a, "a"), *db = conf_dat(c, set, 1, PL_DOUBLE, b, "b"),
         *dd = conf_dat(c, set, 1, PL_DOUBLE, d, "d"), *dp = conf_dat(c, set, 1, PL_DOUBLE, o, "o");
  OK(pl_chain_begin(c->pl, "own halo", &chain));
  OK(pl_chain_hint(chain, db, PL_INLINE));
  OK(pl_par_loop(fused_twice, set, DIRECT(db, PL_WRITE), DIRECT(da, PL_READ)));
  OK(pl_par_loop(fused_plus, set, DIRECT(dd, PL_RW), pl_arg_dat(db, 0, map, PL_READ)));
  OK(pl_par_loop(fused_next, set, DIRECT(dp, PL_WRITE), DIRECT(da, PL_READ)));
  OK(pl_par_loop(fused_add, set, pl_arg_dat(dd, 0, map, PL_INC), DIRECT(dp, PL_READ)));
  OK(pl_chain_end(chain));
  for (int i = 0; i < OWNED; i++) b[i] = 2 * a[i], o[i] = a[i] + 1;
  for (int i = 0; i < OWNED; i++) d[i] += b[index[i]];
  for (int i = 0; i < EXEC; i++) d[index[i]] += o[i];
  SAME(db, b);
  SAME(dp, o);
  SAME(dd, d);
}

/* Particles are added between chains over them: in a shared launch, reading and incrementing through their
 * map. */
static void case_particles(conf *c)
{
  enum { FIRST = 20, MORE = 3, ROUNDS = 3, LAST = FIRST + ROUNDS * MORE };
  const int to[MORE] = {1, 2, 3};
  int cell[LAST];
  double w[LAST] = {0}, r[LAST] = {0}, b[N], sum[N] = {0};
  line l;
  make_line(c, &l);
  for (int i = 0; i < LAST; i++) cell[i] = i < FIRST ? 3 * i : to[(i - FIRST) % MORE];
  for (int i = 0; i < FIRST; i++) w[i] = i;
  for (int i = 0; i < N; i++) b[i] = 2 * l.start[(i + 1) % N];
  OK(pl_set_option(c->pl, "share", "on"));
  pl_set *set = conf_set(c, FIRST, "particles");
  pl_map *where = conf_map(c, set, l.set, 1, cell, "where");
  pl_dat *dw = conf_dat(c, set, 1, PL_DOUBLE, w, "w"), *dr = conf_dat(c, set, 1, PL_DOUBLE, NULL, "r");
  for (int round = 0, n = FIRST; round <= ROUNDS; round++, n += MORE) {
    pl_chain *chain = begin_gathering(c, &l, "particles");
    OK(pl_chain_hint(chain, l.b, PL_INLINE));
    OK(pl_chain_temporary(chain, l.b));
    OK(pl_par_loop(fused_plus, set, DIRECT(dr, PL_RW), DIRECT(dw, PL_READ)));
    OK(pl_par_loop(fused_twice, l.set, DIRECT(l.b, PL_WRITE), pl_arg_dat(l.a, 0, l.next, PL_READ)));
    OK(pl_par_loop(fused_plus, set, DIRECT(dr, PL_RW), pl_arg_dat(l.b, 0, where, PL_READ)));
    OK(pl_par_loop(fused_add, set, pl_arg_dat(l.sum, 0, where, PL_INC), DIRECT(dw, PL_READ)));
    OK(pl_par_loop(fused_plus, l.set, DIRECT(l.c, PL_RW), DIRECT(l.sum, PL_READ)));
    OK(pl_chain_end(chain));
    for (int i = 0; i < n; i++) r[i] += w[i] + b[cell[i]];
    for (int i = 0; i < n; i++) sum[cell[i]] += w[i];
    SAME(l.c, sum);
    SAME(dr, r);
    if (round < ROUNDS) OK(pl_particle_add(set, MORE, to));
  }
}

PL_KERNEL(fused_scaled, (double *out, const double *in, const double *g), { out[0] = in[0] * g[0]; })
PL_KERNEL(fused_counted, (double *x, const double *y, double *g), {
  x[0] += y[0];
  g[0] += 1;
})

/* Precomputed blocks depend on a global that their reader increments; then storage is renumbered. */
static void case_blocks(conf *c)
{
  line l;
  double sum[N] = {0}, two = 2;
  pl_chain *chain;
  make_line(c, &l);
  pl_global *g = conf_global(c, 1, PL_DOUBLE, &two, "g");
  for (int round = 0; round < 4; round++) {
    if (round == 3) OK(pl_renumber(c->pl, PL_RENUMBER_RCM, l.next, l.a));
    OK(pl_chain_begin(c->pl, "blocks", &chain));
    OK(pl_chain_hint(chain, l.b, PL_PRECOMPUTE));
    OK(pl_chain_temporary(chain, l.b));
    OK(pl_par_loop(fused_scaled, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ), pl_arg_gbl(g, PL_READ)));
    if (round % 2)
      OK(pl_par_loop(fused_plus, l.set, DIRECT(l.c, PL_RW), pl_arg_dat(l.b, 0, l.next, PL_READ)));
    else
      OK(pl_par_loop(fused_counted, l.set, DIRECT(l.c, PL_RW), pl_arg_dat(l.b, 0, l.next, PL_READ),
                     pl_arg_gbl(g, PL_INC)));
    OK(pl_chain_end(chain));
    for (int i = 0; i < N; i++) sum[i] += two * l.start[(i + 1) % N];
    if (round % 2 == 0) two += N;
    SAME(l.c, sum);
    SAME_GLOBAL(g, &two);
  }
}

static void add_on_host(conf *c, const line *l, double *a)
{
  double *values;
  OK(pl_dat_get(l->a, PL_RW, (void **)&values));
  for (int i = 0; i < pl_set_size(l->set); i++) values[i] += 1;
  OK(pl_dat_put(l->a));
  for (int i = 0; i < N; i++) a[i] += 1;
}

/* What a repeated chain depends on changes between its runs: a device must not repeat an earlier run. */
static void case_changed_inputs(conf *c)
{
  enum { ROUNDS = 24, EVERY = 4 };
  line l;
  double a[N], sum[N] = {0}, two = 2, weight = 1, zero = 0;
  pl_chain *chain;
  make_line(c, &l);
  memcpy(a, l.start, sizeof a);
  pl_const *constant;
  OK(pl_decl_const(c->pl, "fused_weight", 1, PL_DOUBLE, &weight, &constant));
  const pl_kernel *weighed =
    conf_source(c, "weighed",
                "void weighed(double *out, const double *in, const double *g, double *count) {\n"
                "  out[0] = in[0] * g[0] * fused_weight;\n"
                "  count[0] += in[0];\n}",
                NULL);
  pl_global *g = conf_global(c, 1, PL_DOUBLE, &two, "g"),
            *count = conf_global(c, 1, PL_DOUBLE, &zero, "count");
  for (int round = 0; round < ROUNDS; round++) {
    double counted = 0;
    OK(pl_chain_begin(c->pl, "changed", &chain));
    OK(pl_global_zero(count));
    OK(pl_par_loop(weighed, l.set, DIRECT(l.b, PL_WRITE), DIRECT(l.a, PL_READ), pl_arg_gbl(g, PL_READ),
                   pl_arg_gbl(count, PL_INC)));
    OK(pl_par_loop(fused_plus, l.set, DIRECT(l.c, PL_RW), pl_arg_dat(l.b, 0, l.next, PL_READ)));
    OK(pl_chain_end(chain));
    for (int i = 0; i < N; i++) counted += a[i], sum[i] += a[(i + 1) % N] * two * weight;
    SAME_GLOBAL(count, &counted);
    const int what = round % EVERY ? -1 : round / EVERY;
    if (what == 0) OK(pl_global_set(g, &(double){two = 3}));
    if (what == 1) OK(pl_const_set(constant, &(double){weight = 4}));
    if (what == 2) add_on_host(c, &l, a);
    if (what == 3) OK(pl_set_option(c->pl, "block_size", "32"));
    if (what == 4) OK(pl_renumber(c->pl, PL_RENUMBER_RCM, l.next, l.a));
    if (what >= 0) SAME(l.c, sum);
  }
  SAME(l.c, sum);
}

PL_KERNEL(fused_pair, (double *to, const double *w), { to[0] += w[0]; })

/* A warm-up does not run pair loops and partial operations, which otherwise run at once; a duplicate holds
 * the earlier values. */
static void case_at_once(conf *c)
{
  enum { FEW = 3 };
  line l;
  int offset[N + 1], next[N];
  const int few[FEW] = {3, 4, 5};
  double zeros[N] = {0};
  pl_dat *same;
  pl_chain *chain;
  make_line(c, &l);
  for (int i = 0; i <= N; i++) offset[i] = i;
  for (int i = 0; i < N; i++) next[i] = (i + 1) % N;
  pl_map *row = conf_ragged_map(c, l.set, l.set, offset, next, "row");
  pl_set *some = conf_subset(c, l.set, FEW, few);
  OK(pl_chain_begin(c->pl, "at once", &chain));
  OK(pl_chain_warm_up(chain));
  OK(pl_par_loop(fused_plus, l.set, DIRECT(l.a, PL_RW), DIRECT(l.b, PL_READ)));
  OK(pl_pair_loop(fused_pair, row, pl_arg_dat(l.c, 0, row, PL_INC), pl_arg_dat(l.a, 1, row, PL_READ)));
  OK(pl_dat_zero_subset(l.b, some));
  OK(pl_dat_duplicate(l.a, "same", &same));
  OK(pl_chain_end(chain));
  SAME(l.a, l.start);
  SAME(l.b, l.start);
  SAME(l.c, zeros);
  SAME(same, l.start);
}

enum { WIDE = 12, APART = 50000 };

PL_KERNEL(fused_across, (double to[2][12], const double q[2][12]), {
  for (int i = 0; i < 12; i++) {
    to[0][i] += 2 * q[1][i] - q[0][i];
    to[1][i] += q[0][i];
  }
})
PL_KERNEL(fused_border, (double *to, const double *q), {
  for (int i = 0; i < 12; i++) to[i] += 100 * q[i];
})
PL_KERNEL(fused_forward, (double *q, const double *sum), {
  for (int i = 0; i < 12; i++) q[i] += sum[i];
})

/* A ring of cells; the edge behind each cell; a border of a few cells. */
typedef struct ring {
  int n, nborder;
  int *ends, *at;
  double *q, *expected;
  pl_set *cells, *edges, *border;
  pl_map *edge_cells, *border_cell;
  pl_dat *values, *sum;
} ring;

static void make_ring(conf *c, ring *r, int n)
{
  *r = (ring){.n = n, .nborder = (n + APART - 1) / APART};
  r->ends = malloc(2 * (size_t)n * sizeof *r->ends);
  r->at = malloc((size_t)r->nborder * sizeof *r->at);
  r->q = malloc(WIDE * (size_t)n * sizeof *r->q);
  r->expected = malloc(WIDE * (size_t)n * sizeof *r->q);
  for (int i = 0; i < n; i++) r->ends[2 * i] = i, r->ends[2 * i + 1] = (i + 1) % n;
  for (int i = 0; i < r->nborder; i++) r->at[i] = i * APART;
  for (int i = 0; i < WIDE * n; i++) r->q[i] = i % 1001;
  r->cells = conf_set(c, n, "ring");
  r->edges = conf_set(c, n, "edges of a ring");
  r->border = conf_set(c, r->nborder, "border of a ring");
  r->edge_cells = conf_map(c, r->edges, r->cells, 2, r->ends, "ends");
  r->border_cell = conf_map(c, r->border, r->cells, 1, r->at, "at");
  r->values = conf_dat(c, r->cells, WIDE, PL_DOUBLE, r->q, "values of a ring");
  r->sum = conf_dat(c, r->cells, WIDE, PL_DOUBLE, NULL, "sum of a ring");
}

static void free_ring(ring *r)
{
  free(r->ends);
  free(r->at);
  free(r->q);
  free(r->expected);
}

/* What a round gives: from the cell, the next one and the last one. */
static void expect_round(ring *r)
{
  for (int i = 0; i < r->n; i++)
    for (int k = 0; k < WIDE; k++) {
      const double own = r->q[WIDE * i + k], next = r->q[WIDE * ((i + 1) % r->n) + k],
                   last = r->q[WIDE * ((i + r->n - 1) % r->n) + k];
      r->expected[WIDE * i + k] = own + (2 * next - own) + last + (i % APART ? 0 : 100 * own);
    }
  memcpy(r->q, r->expected, WIDE * (size_t)r->n * sizeof *r->q);
}

/* More elements than a device runs at the same time, with many values; a few of them are marked as border. */
static void case_many_values(conf *c)
{
  ring r;
  pl_chain *chain;
  make_ring(c, &r, c->device ? 300001 : 301);
  for (int round = 0; round < 3; round++) {
    OK(pl_chain_begin(c->pl, "round a ring", &chain));
    OK(pl_chain_hint(chain, r.sum, PL_INLINE));
    OK(pl_chain_temporary(chain, r.sum));
    OK(pl_dat_zero(r.sum));
    OK(pl_par_loop(fused_across, r.edges, pl_arg_dat(r.sum, PL_ALL, r.edge_cells, PL_INC),
                   pl_arg_dat(r.values, PL_ALL, r.edge_cells, PL_READ)));
    OK(pl_par_loop(fused_border, r.border, pl_arg_dat(r.sum, 0, r.border_cell, PL_INC),
                   pl_arg_dat(r.values, 0, r.border_cell, PL_READ)));
    OK(pl_par_loop(fused_forward, r.cells, DIRECT(r.values, PL_RW), DIRECT(r.sum, PL_READ)));
    OK(pl_chain_end(chain));
    expect_round(&r);
  }
  SAME(r.values, r.q);
  free_ring(&r);
}

const conf_case conf_fusion[] = {
  {"copies and gathered sums", "P41", case_copied_sums, CONF_RANKS},
  {"storage that is swapped", "P41", case_storage, CONF_RANKS},
  {"texts that conflict in one program", "L05", case_texts, CONF_RANKS | CONF_NEEDS_JIT},
  {"pl_real in fused loops", "L05", case_reals, CONF_RANKS | CONF_NEEDS_JIT},
  {"chains of more dats than a launch allows", "P41", case_many, CONF_RANKS},
  {"chains over halos of the program", "P41", case_own_halo, 0},
  {"precomputed values of a reader that sums", "L13", case_blocks, CONF_RANKS},
  {"repeated chains with changes between them", "P41", case_changed_inputs, CONF_RANKS | CONF_NEEDS_JIT},
  {"calls that run at once during a warm-up", "P40", case_at_once, CONF_RANKS},
  {"chains over particles that are added", "P41 D05", case_particles, 0},
  {"chains over wide records of many elements", "P41", case_many_values, CONF_RANKS},
  {NULL, NULL, NULL, 0}};
