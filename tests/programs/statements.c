/* SPDX-License-Identifier: BSD-2-Clause
 * The statements of random programs.
 */
#include "statements.h"
#include <string.h>
#include <unistd.h>

PL_REDUCTION(sum_of, double, 0.0, a + b, (const double *x), x[i])
PL_SCAN(sums_of, double, 0.0, a + b, (const double *x, double *y), x[i], { y[i] = item; })

/* ---- reads ---- */

/* values[i] is the model's value at index[i] (NULL: from this rank's first declared element on). */
static void compare_values(program *p, int d, const char *values, int n, const int64_t *index)
{
  const dat *x = &p->dat[d];
  for (int i = 0; i < n * x->box.dim && !p->failed; i++) {
    int dim = x->box.dim, e = index ? (int)index[i / dim] : p->set[x->set].first + i / dim;
    double got = get_value(x->box.type, values, (size_t)i), right = x->box.value[e * dim + i % dim];
    if (got != right) wrong(p, "dat %d, element %d, value %d: %.17g, not %.17g", d, e, i % dim, got, right);
  }
}

void compare_dat(program *p, int d)
{
  const dat *x = &p->dat[d];
  if (x->undefined) return;
  char *values = new_array((size_t)p->set[x->set].mine * (size_t)x->box.dim, 8);
  pl_err err = pl_dat_fetch(x->dat, values);
  if (!err) compare_values(p, d, values, p->set[x->set].mine, NULL);
  free(values);
  TRY(p, err);
}

void compare_global(program *p, int g)
{
  const box *b = &p->global[g].box;
  char values[8 * MOST_DIM];
  TRY(p, pl_global_get(p->global[g].global, values));
  for (int v = 0; v < b->dim; v++)
    if (get_value(b->type, values, (size_t)v) != b->value[v])
      wrong(p, "global %d, value %d: %.17g, not %.17g", g, v, get_value(b->type, values, (size_t)v),
            b->value[v]);
}

void compare_all(program *p)
{
  for (int d = 0; d < DATS && !p->failed; d++) compare_dat(p, d);
  for (int g = 0; g < GLOBALS && !p->failed; g++) compare_global(p, g);
}

/* Dats that calls other than loops may write: no temporaries of an open chain. */
static bool may_be_filled(const program *p, int d)
{
  return !p->warm_up && (p->chain < 0 || !p->dat[d].temporary[p->chain]);
}

static void look(program *p)
{
  int d = below(p, DATS), g = below(p, GLOBALS);
  bool all = one_in(p, 2);
  fprintf(p->log, all ? "look at d%d" : "look at d%d; g%d", d, g);
  compare_dat(p, d);
  if (!all && !p->failed) compare_global(p, g);
}

static void view(program *p)
{
  int d = below(p, DATS);
  const dat *x = &p->dat[d];
  void *values, *again;
  if (x->undefined) return;
  fprintf(p->log, "view d%d", d);
  int64_t *index = global_indices(p, x->set);
  pl_err err = pl_dat_get(x->dat, PL_READ, &values);
  if (!err) err = pl_dat_get(x->dat, PL_READ, &again);
  if (!err) compare_values(p, d, values, (int)pl_set_size(p->set[x->set].set), index);
  if (!err) err = pl_dat_put(x->dat);
  if (!err) err = pl_dat_put(x->dat);
  free(index);
  TRY(p, err);
}

/* Some or all elements through a view. */
static void touch(program *p)
{
  int d = below(p, DATS);
  dat *x = &p->dat[d];
  bool all = x->undefined || one_in(p, 3);
  int dim = x->box.dim, step = all ? 1 : 1 + below(p, 9), add = below(p, 90);
  void *values;
  if (!may_be_filled(p, d)) return;
  fprintf(p->log, "%s d%d by hand, every %d", all ? "write" : "change", d, step);
  int64_t *index = global_indices(p, x->set);
  pl_err err = pl_dat_get(x->dat, all ? PL_WRITE : PL_RW, &values);
  for (int v = 0; v < p->set[x->set].n * dim; v++)
    if (v / dim % step == 0) x->box.value[v] = (v * 3 + add) % 97;
  for (int i = 0; !err && i < pl_set_size(p->set[x->set].set) * dim; i++)
    if (index[i / dim] % step == 0)
      put_value(x->box.type, values, (size_t)i, x->box.value[index[i / dim] * dim + i % dim]);
  free(index);
  if (!err) err = pl_dat_put(x->dat);
  x->undefined = false;
  TRY(p, err);
}

/* ---- loops ---- */

static pl_arg arg_of(const program *p, const loop *l, const argument *a)
{
  pl_map *map = a->map < 0 ? PL_DIRECT : p->map[a->map].map;
  pl_arg arg;
  if (a->kind == CONST) return pl_arg_const(p->constant[a->object].constant, PL_READ);
  if (a->kind == INDEX) return pl_arg_idx(a->index, map);
  if (a->kind == GLOBAL) return pl_arg_gbl(p->global[a->object].global, a->access);
  if (a->kind == PAYLOAD)
    return pl_arg_payload(p->global[a->object].global, p->global[l->arg[a->with].object].global);
  arg = pl_arg_dat(p->dat[a->object].dat, a->index, map, a->access);
  if (a->component) arg = pl_arg_component(arg, a->component - 1);
  if (a->zeroed) arg = pl_arg_zeroed(arg);
  return a->optional ? pl_arg_opt(arg, !a->off) : arg;
}

static pl_set *set_of(const program *p, const loop *l)
{
  return l->subset >= 0 ? p->subset[l->subset].subset : p->set[l->set].set;
}

static void do_plainly(program *p, const loop *l)
{
  if (p->warm_up) return;
  run_plainly(p, l);
  for (int i = 0; i < l->nargs; i++)
    if (is_whole(p, l, &l->arg[i])) p->dat[l->arg[i].object].undefined = false;
}

static void run_loop(program *p, const loop *l)
{
  pl_arg args[MOST_ARGS];
  say_loop(p, l);
  for (int i = 0; i < l->nargs; i++) args[i] = arg_of(p, l, &l->arg[i]);
  TRY(p, pl_par_loop_args(p->kernel[l->kernel].kernel, set_of(p, l), l->nargs, args));
  do_plainly(p, l);
}

static void loop_of_some_kernel(program *p)
{
  loop l;
  if (!(one_in(p, 3) ? new_loop(p, &l) : other_loop(p, &l)) && !new_loop(p, &l)) return;
  run_loop(p, &l);
  p->past[p->npast++ % PAST] = l;
}

/* Some earlier loops in sequence, once or several times. */
static void loops_of_before(program *p)
{
  int n = p->npast < PAST ? p->npast : PAST, first = below(p, n + 1), count = 1 + below(p, 6);
  int rounds = 1 + below(p, 3);
  for (int r = 0; r < rounds; r++)
    for (int k = first; k < n && k < first + count && !p->failed; k++) {
      if (!still_there(p, &p->past[k]) || !defined(p, &p->past[k])) continue;
      fprintf(p->log, "\n     again ");
      run_loop(p, &p->past[k]);
    }
}

static void make_ready(program *p, ready *r)
{
  pl_arg args[MOST_ARGS];
  loop l;
  if (!new_loop(p, &l) && !other_loop(p, &l)) return;
  fprintf(p->log, "prepare ");
  say_loop(p, &l);
  for (int i = 0; i < l.nargs; i++) args[i] = arg_of(p, &l, &l.arg[i]);
  TRY(p, pl_loop_create_args(&r->handle, p->kernel[l.kernel].kernel, set_of(p, &l), l.nargs, args));
  r->loop = l;
}

/* Another dat of the same kind instead. */
static void replace_dat(program *p, ready *r)
{
  argument *a = &r->loop.arg[below(p, r->loop.nargs)];
  int d = below(p, DATS);
  if (a->kind != DAT || a->zeroed) return;
  const dat *from = &p->dat[a->object], *to = &p->dat[d];
  if (from->set != to->set || from->box.type != to->box.type || from->box.dim != to->box.dim) return;
  for (int i = 0; i < r->loop.nargs; i++)
    if (r->loop.arg[i].kind == DAT && r->loop.arg[i].object == d) return;
  fprintf(p->log, "with d%d instead of d%d; ", d, a->object);
  TRY(p, pl_loop_replace_dat(&r->handle, (int)(a - r->loop.arg), to->dat));
  a->object = d;
  r->loop.declared[a - r->loop.arg][0] = to->declared;
}

static void loop_made_ready(program *p)
{
  ready *r = &p->ready[below(p, READY)];
  if (!r->handle) {
    make_ready(p, r);
    return;
  }
  fprintf(p->log, "run what is ready: ");
  if (!still_there(p, &r->loop)) {
    if (!pl_loop_run(r->handle)) wrong(p, "a loop whose objects are freed has run");
    pl_loop_free(&r->handle);
    return;
  }
  if (one_in(p, 3)) replace_dat(p, r);
  if (p->failed || !defined(p, &r->loop)) return;
  say_loop(p, &r->loop);
  TRY(p, pl_loop_run(r->handle));
  do_plainly(p, &r->loop);
  if (one_in(p, 6)) pl_loop_free(&r->handle);
}

static void run_given(program *p, int s, int nargs, const argument *args)
{
  loop l;
  if (p->failed || !given_loop(p, &l, s, nargs, args)) return;
  fprintf(p->log, "\n     ");
  run_loop(p, &l);
  p->past[p->npast++ % PAST] = l;
}

static argument direct(int d, pl_access access)
{
  return (argument){.object = d, .map = -1, .index = PL_ID, .access = access};
}

/* ---- whole dats ---- */

static bool alike(const box *a, const box *b)
{
  return a->type == b->type && a->dim == b->dim && a->n == b->n;
}

static void copy_box(box *to, const box *from)
{
  memcpy(to->value, from->value, (size_t)from->n * (size_t)from->dim * sizeof(double));
}

static int like(program *p, int d)
{
  for (int first = below(p, DATS), k = 0; k < DATS; k++) {
    int other = (first + k) % DATS;
    if (other != d && p->dat[other].set == p->dat[d].set && alike(&p->dat[other].box, &p->dat[d].box))
      return other;
  }
  return -1;
}

static void copy_to(program *p, int d, int to)
{
  fprintf(p->log, "copy d%d to d%d", d, to);
  TRY(p, pl_dat_copy(p->dat[d].dat, p->dat[to].dat));
  if (p->warm_up) return;
  copy_box(&p->dat[to].box, &p->dat[d].box);
  p->dat[to].undefined = false;
}

static void copy(program *p)
{
  int d = below(p, DATS), to = like(p, d);
  if (to < 0 || p->dat[d].undefined) return;
  copy_to(p, d, to);
}

static void zero(program *p)
{
  int d = below(p, DATS), b = below(p, SUBSETS);
  dat *x = &p->dat[d];
  bool part = one_in(p, 2) && p->subset[b].subset && p->subset[b].set == x->set && !p->warm_up;
  if (part && x->undefined) return;
  fprintf(p->log, part ? "zero d%d on subset %d" : "zero d%d", d, b);
  if (part)
    TRY(p, pl_dat_zero_subset(x->dat, p->subset[b].subset));
  else
    TRY(p, pl_dat_zero(x->dat));
  for (int v = 0; v < x->box.n * x->box.dim && !p->warm_up; v++)
    if (!part || p->subset[b].in[v / x->box.dim]) x->box.value[v] = 0;
  if (!p->warm_up) x->undefined = false;
}

static void zero_all(program *p, int d)
{
  dat *x = &p->dat[d];
  fprintf(p->log, "zero d%d; ", d);
  TRY(p, pl_dat_zero(x->dat));
  if (p->warm_up) return;
  memset(x->box.value, 0, (size_t)x->box.n * (size_t)x->box.dim * sizeof(double));
  x->undefined = false;
}

/* Candidates for swaps: a copy whose source is then overwritten from it, several times. */
static void step(program *p)
{
  int d = below(p, DATS), old = like(p, d), other = like(p, d), stages = 1 + below(p, 2);
  if (old < 0 || p->dat[d].undefined) return;
  copy_to(p, d, old);
  for (int s = 0; s < stages && !p->failed; s++) {
    const argument next[] = {direct(old, PL_READ), direct(d, PL_WRITE)},
                   after[] = {direct(d, PL_READ), direct(other, PL_WRITE)};
    run_given(p, p->dat[d].set, 2, next);
    if (one_in(p, 6)) compare_dat(p, below(p, 2) ? d : old);
    if (other != old && one_in(p, 3)) run_given(p, p->dat[d].set, 2, after);
  }
}

/* Candidates for gathering: zero, increments through maps, one reader, zero again. */
static void gather(program *p)
{
  int d = below(p, DATS), to = below(p, DATS), s = p->dat[d].set;
  if (d == to || p->dat[to].set != s) return;
  zero_all(p, d);
  for (int m = 0; m < MAPS && !p->failed; m++) {
    if (p->map[m].to != s || p->map[m].offset || one_in(p, 3)) continue;
    argument add[] = {
      direct(d, PL_INC), direct(to, PL_READ), {.kind = INDEX, .map = -1, .index = PL_ID, .access = PL_READ}};
    add[0].map = add[1].map = m;
    add[0].index = one_in(p, 2) ? PL_ALL : below(p, p->map[m].arity);
    add[1].index = one_in(p, 2) ? PL_ALL : below(p, p->map[m].arity);
    run_given(p, p->map[m].from, 2 + below(p, 2), add);
  }
  const argument use[] = {direct(d, PL_READ), direct(to, one_in(p, 2) ? PL_WRITE : PL_RW)};
  if (p->failed || one_in(p, 5)) return;
  run_given(p, s, 2, use);
  if (one_in(p, 6)) compare_dat(p, d);
  if (!p->failed && !one_in(p, 3)) zero_all(p, d);
}

/* A duplicate replaces another dat. */
static void duplicate(program *p)
{
  int d = below(p, DATS), to = below(p, DATS);
  if (d == to || p->dat[d].undefined || p->warm_up) return;
  dat *x = &p->dat[to];
  const box *of = &p->dat[d].box;
  fprintf(p->log, "d%d a duplicate of d%d", to, d);
  pl_dat_free(&x->dat);
  free_box(&x->box);
  *x = (dat){.set = p->dat[d].set, .declared = ++p->declarations, .box = new_box(of->type, of->dim, of->n)};
  copy_box(&x->box, of);
  TRY(p, pl_dat_duplicate(p->dat[d].dat, "duplicate", &x->dat));
}

static void place(program *p)
{
  static const char *const layout[] = {"aos", "soa", "aosoa:4", "aosoa:32"};
  const dat *x = &p->dat[below(p, DATS)];
  int how = below(p, 5);
  fprintf(p->log, "d%d: placed by hand %d", (int)(x - p->dat), how);
  if (how == 0) TRY(p, pl_dat_allocate_device(x->dat));
  if (how == 1) TRY(p, pl_dat_to_device(x->dat));
  if (how == 2) TRY(p, pl_dat_from_device(x->dat));
  if (how > 2) TRY(p, pl_dat_set_layout(x->dat, layout[below(p, 4)]));
}

/* To a file, and back into another dat. */
static void save_and_load(program *p)
{
  int d = below(p, DATS), to = one_in(p, 2) ? d : like(p, d);
  char path[64];
  if (to < 0 || p->dat[d].undefined || p->ranks > 1 || !may_be_filled(p, to)) return;
  fprintf(p->log, "save d%d, load d%d", d, to);
  snprintf(path, sizeof path, "programs-%ld.npy", (long)getpid());
  pl_err err = pl_dat_save(p->dat[d].dat, path);
  if (!err) err = pl_dat_load(p->dat[to].dat, path);
  remove(path);
  TRY(p, err);
  if (to != d) copy_box(&p->dat[to].box, &p->dat[d].box);
  p->dat[to].undefined = false;
}

/* ---- globals and consts ---- */

static void set_global(program *p)
{
  global *g = &p->global[below(p, GLOBALS)];
  char values[8 * MOST_DIM];
  if (p->warm_up) return;
  fprintf(p->log, "set g%d", (int)(g - p->global));
  fill_box(p, &g->box);
  for (int v = 0; v < g->box.dim; v++) put_value(g->box.type, values, (size_t)v, g->box.value[v]);
  TRY(p, pl_global_set(g->global, values));
}

static void zero_global(program *p)
{
  global *g = &p->global[below(p, GLOBALS)];
  fprintf(p->log, "zero g%d", (int)(g - p->global));
  TRY(p, pl_global_zero(g->global));
  if (!p->warm_up) memset(g->box.value, 0, (size_t)g->box.dim * sizeof(double));
}

static void combine_globals(program *p)
{
  global *x = &p->global[below(p, GLOBALS)], *y = &p->global[below(p, GLOBALS)];
  bool add = one_in(p, 2) && (x->box.type == PL_DOUBLE || x->box.type == PL_FLOAT);
  if (x == y || !alike(&x->box, &y->box) || p->warm_up) return;
  fprintf(p->log, add ? "g%d += 2 g%d" : "g%d = g%d", (int)(y - p->global), (int)(x - p->global));
  if (add)
    TRY(p, pl_global_axpy(2.0, x->global, y->global));
  else
    TRY(p, pl_global_copy(x->global, y->global));
  for (int v = 0; v < x->box.dim; v++)
    y->box.value[v] = add ? y->box.value[v] + 2 * x->box.value[v] : x->box.value[v];
}

static void set_constant(program *p)
{
  constant *c = &p->constant[below(p, CONSTS)];
  char values[8 * MOST_DIM];
  fprintf(p->log, "set c%d", (int)(c - p->constant));
  fill_box(p, &c->box);
  for (int v = 0; v < c->box.dim; v++) put_value(c->box.type, values, (size_t)v, c->box.value[v]);
  TRY(p, pl_const_set(c->constant, values));
}

/* The sum and the prefix sums of all values by algorithms. */
static void run_algorithm(program *p)
{
  global *g = &p->global[below(p, GLOBALS)];
  int d = below(p, DATS), to = like(p, d);
  const box *x = &p->dat[d].box;
  double sum = 0;
  if (x->type != PL_DOUBLE || x->dim != 1 || p->dat[d].undefined || p->warm_up) return;
  pl_set *set = p->set[p->dat[d].set].set;
  if (g->box.type == PL_DOUBLE && g->box.dim == 1) {
    fprintf(p->log, "g%d = sum of d%d; ", (int)(g - p->global), d);
    TRY(p, pl_reduce(sum_of, set, g->global, pl_arg_dat(p->dat[d].dat, PL_ID, PL_DIRECT, PL_READ)));
    g->box.value[0] = 0;
    for (int e = 0; e < x->n; e++) g->box.value[0] += x->value[e];
  }
  if (to < 0 || p->ranks > 1 || !may_be_filled(p, to)) return;
  fprintf(p->log, "d%d = sums of d%d", to, d);
  TRY(p, pl_scan(sums_of, set, pl_arg_dat(p->dat[d].dat, PL_ID, PL_DIRECT, PL_READ),
                 pl_arg_dat(p->dat[to].dat, PL_ID, PL_DIRECT, PL_WRITE)));
  for (int e = 0; e < x->n; e++) p->dat[to].box.value[e] = sum += x->value[e];
  p->dat[to].undefined = false;
}

/* ---- chains ---- */

static void begin_chain(program *p)
{
  char name[20];
  int c = below(p, CHAINS), temporaries = below(p, 3);
  sprintf(name, "chain %d", c);
  TRY(p, pl_chain_begin(p->pl, name, &p->handle));
  fprintf(p->log, "begin %s", name);
  p->chain = c;
  if (one_in(p, 2)) TRY(p, pl_chain_block(p->handle, one_in(p, 2) ? 0 : 1 + below(p, 70)));
  for (int k = 0; k < temporaries; k++) {
    int d = below(p, DATS);
    fprintf(p->log, " temporary d%d", d);
    TRY(p, pl_chain_temporary(p->handle, p->dat[d].dat));
    p->dat[d].temporary[c] = true;
  }
  for (int d = 0; d < DATS; d++) {
    if (one_in(p, 3)) TRY(p, pl_chain_hint(p->handle, p->dat[d].dat, (pl_chain_choice)below(p, 4)));
    p->dat[d].undefined |= p->dat[d].temporary[c];
  }
  p->warm_up = one_in(p, 8);
  if (p->warm_up) fprintf(p->log, " warm-up");
  if (p->warm_up) TRY(p, pl_chain_warm_up(p->handle));
}

/* Whether a fused loop failed to compile; its members would run instead, unnoticed. */
static void look_at_chain(program *p)
{
  static char text[1 << 20];
  char path[64];
  snprintf(path, sizeof path, "programs-%ld.txt", (long)getpid());
  pl_err err = pl_chain_print(p->handle, path);
  if (err) return; /* nothing was recorded */
  FILE *file = fopen(path, "r");
  size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
  text[n] = '\0';
  if (file) fclose(file);
  remove(path);
  const char *error = strstr(text, "could not be compiled");
  if (error) wrong(p, "%.300s", error);
}

static void end_chain(program *p)
{
  fprintf(p->log, "end the chain");
  for (int d = 0; d < DATS; d++) p->dat[d].undefined |= p->dat[d].temporary[p->chain];
  p->chain = -1;
  p->warm_up = false;
  TRY(p, pl_chain_end(p->handle));
  if (one_in(p, 3)) look_at_chain(p);
}

static void chain(program *p)
{
  if (p->chain < 0)
    begin_chain(p);
  else
    end_chain(p);
}

static void lazy(program *p)
{
  bool on = one_in(p, 2);
  fprintf(p->log, "lazy %d", on);
  TRY(p, pl_set_option(p->pl, "lazy", on ? "1" : "0"));
}

/* ---- options ---- */

static void option(program *p)
{
  static const struct {
    const char *name, *value[5];
  } options[] = {{"block_size", {"0", "1", "7", "64", "256"}},
                 {"conflict", {"colour", "stage", "atomic", "combine", "gather"}},
                 {"conflict", {"store", "auto", "auto", "store", "auto"}},
                 {"shape", {"auto", "scalar", "lanes", "transpose", "stream"}},
                 {"shape", {"wide", "wide-stream", "auto", "wide", "auto"}},
                 {"layout", {"auto", "aos", "soa", "aosoa:4", "aosoa:32"}},
                 {"tile", {"0", "1", "3", "3", "8"}},
                 {"share", {"auto", "on", "off", "on", "on"}},
                 {"check", {"0", "0", "0", "1", "1"}},
                 {"reproducible", {"0", "1", "0", "1", "0"}},
                 {"halo", {"auto", "redundant", "reverse", "reverse", "auto"}},
                 {"renumber", {"auto", "off", "rcm", "auto", "rcm"}}};
  int o = below(p, sizeof options / sizeof *options);
  const char *value = options[o].value[below(p, 5)];
  bool reset = one_in(p, 12);
  fprintf(p->log, "option %s %s", reset ? "all" : options[o].name, reset ? "reset" : value);
  if (reset)
    TRY(p, pl_reset_options(p->pl));
  else
    TRY(p, pl_set_option(p->pl, options[o].name, value));
}

/* ---- errors have no effect ---- */

static void refused(program *p)
{
  const dat *x = &p->dat[below(p, DATS)], *y = &p->dat[below(p, DATS)];
  const map *m = &p->map[below(p, MAPS)];
  int far = p->set[m->to].n, how = below(p, 3);
  pl_err err = PL_ERR_ARG;
  pl_set *none;
  fprintf(p->log, "refused %d", how);
  if (how == 0 && (x->set != y->set || x->box.dim != y->box.dim)) err = pl_dat_copy(x->dat, y->dat);
  if (how == 1 && p->ranks == 1) err = pl_decl_subset(p->set[m->to].set, 1, &far, "refused", &none);
  if (how == 2 && p->nkernels) {
    const pl_arg arg = pl_arg_dat(x->dat, PL_ALL, m->map, PL_RW);
    if (m->to != x->set || p->kernel[0].first.nargs != 1)
      err = pl_par_loop_args(p->kernel[0].kernel, p->set[m->from].set, 1, &arg);
  }
  if (!err) wrong(p, "a wrong call was not refused");
}

/* ---- the choice of the statement ---- */

static void declare_anew(program *p)
{
  if (p->warm_up) return;
  switch (below(p, 12)) {
  case 0:
    declare_set_anew(p, below(p, LOOSE + 1));
    break;
  case 1:
  case 2:
    declare_map(p, below(p, MAPS));
    break;
  case 3:
  case 4:
    declare_subset(p, below(p, SUBSETS));
    break;
  case 5:
    declare_global(p, below(p, GLOBALS));
    break;
  case 6:
    declare_constant(p, below(p, CONSTS));
    break;
  default:
    declare_dat(p, below(p, DATS));
  }
}

void run_statement(program *p)
{
  static const struct {
    int weight;
    void (*run)(program *p);
  } ways[] = {{30, loop_of_some_kernel},
              {8, loops_of_before},
              {5, loop_made_ready},
              {9, chain},
              {3, lazy},
              {6, look},
              {3, view},
              {5, touch},
              {5, copy},
              {5, step},
              {5, gather},
              {4, zero},
              {3, duplicate},
              {2, place},
              {1, save_and_load},
              {2, set_global},
              {2, zero_global},
              {2, combine_globals},
              {2, set_constant},
              {2, run_algorithm},
              {5, option},
              {1, renumber},
              {2, partition},
              {3, change_loose_set},
              {1, refused},
              {6, declare_anew}};
  int all = 0, k = 0;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) all += ways[i].weight;
  for (all = below(p, all); all >= ways[k].weight; k++) all -= ways[k].weight;
  ways[k].run(p);
}
