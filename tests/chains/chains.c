/* SPDX-License-Identifier: BSD-2-Clause
 * Random chains: 2 to 24 loops of all access modes over the sets of a 2D or 3D mesh, through fixed and ragged
 * maps, over subsets, with temporaries, hints, components, copies and indices, run as one or two chains (or
 * as recorded loops without one) and, by plain C below, one after the other. Values are whole numbers, so
 * sums are exact in any order and every result must be equal bit by bit.
 *
 *   chains BACKEND FIRST COUNT     seeds FIRST to FIRST + COUNT - 1
 *
 * Under mpirun rank 0 declares everything, and elements are dealt out in one way or another by the seed. A
 * seed that fails prints its chain.
 */
#include "made.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

enum { SKIPPED = 77 };

/* ---- plain C ---- */

static double wrap(double x)
{
  return x - 1021.0 * floor(x / 1021.0);
}

static int targets(const chain *c, const argument *a, int e)
{
  if (a->index != PL_ALL) return 1;
  const table *t = &c->mesh.map[a->map];
  return t->arity ? t->arity : t->offsets[e + 1] - t->offsets[e];
}

static int target(const chain *c, const argument *a, int e, int k)
{
  if (a->map < 0) return e;
  const table *t = &c->mesh.map[a->map];
  const int *row = t->index + (t->arity ? e * t->arity : t->offsets[e]);
  return row[a->index == PL_ALL ? k : a->index];
}

/* The values of the k-th target of an argument. */
static double *at(chain *c, const argument *a, int e, int k)
{
  static double index;
  if (a->global >= 0) return c->global[a->global];
  const int t = target(c, a, e, k);
  index = t;
  if (a->dat < 0) return &index;
  return c->value[a->dat] + t * c->dim[a->dat] + (a->component ? a->component - 1 : 0);
}

static double gather(chain *c, const loop *l, const argument *a, int e, double s)
{
  for (int k = 0; k < targets(c, a, e); k++)
    for (int v = 0; v < width(c, a); v++) s = wrap(s + (l->factor + v + k) * wrap(at(c, a, e, k)[v]));
  return s;
}

static void store(const loop *l, pl_access access, double *x, double s)
{
  if (access == PL_WRITE) *x = s;
  if (l->guard && s <= 500.0) return;
  if (access == PL_RW) *x = wrap(*x + s);
  if (access == PL_INC) *x += s;
  if (access == PL_MIN && s < *x) *x = s;
  if (access == PL_MAX && s > *x) *x = s;
}

static void call(chain *c, const loop *l, int e)
{
  double s = l->factor;
  for (int i = 0; i < l->nargs; i++)
    if (sees(l->arg[i].access)) s = gather(c, l, &l->arg[i], e, s);
  if (l->leave && s < 300.0) return;
  for (int i = 0; i < l->nargs; i++) {
    const argument *a = &l->arg[i];
    if (!writes(a->access)) continue;
    for (int k = 0; k < targets(c, a, e); k++)
      for (int v = 0; v < width(c, a); v++) store(l, a->access, &at(c, a, e, k)[v], wrap(s + i + v + k));
    if (l->again && (a->access == PL_WRITE || a->access == PL_RW)) s = gather(c, l, a, e, s);
  }
}

static void run_element(chain *c, const loop *l, int e)
{
  const size_t bytes = (size_t)width(c, &l->arg[0]) * sizeof(double);
  if (l->kind == ZERO)
    memset(at(c, &l->arg[0], e, 0), 0, bytes);
  else if (l->kind == COPY)
    memcpy(at(c, &l->arg[1], e, 0), at(c, &l->arg[0], e, 0), bytes);
  else
    call(c, l, e);
}

static void run_plainly(chain *c, int first, int end)
{
  for (int k = first; k < end; k++) {
    const part *p = &c->mesh.part[c->loop[k].set][c->loop[k].part];
    for (int i = 0; i < p->n; i++) run_element(c, &c->loop[k], p->index[i]);
  }
}

/* ---- kernels ---- */

typedef struct page {
  char text[16384], own[48]; /* own: what the names of the kernel's helpers end in */
  size_t length;
} page;

__attribute__((format(printf, 2, 3))) static void say(page *p, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  p->length += (size_t)vsnprintf(p->text + p->length, sizeof p->text - p->length, format, list);
  va_end(list);
  if (p->length >= sizeof p->text) exit(1);
}

static const char *type_word(pl_type type)
{
  return type == PL_DOUBLE ? "double" : type == PL_FLOAT ? "float" : type == PL_INT32 ? "int32_t" : "int64_t";
}

/* Arrays of all targets in both shapes that there are. */
static void say_parameter(page *p, const chain *c, const argument *a, int i)
{
  const char *type = type_word(type_of(c, a)), *constant = writes(a->access) ? "" : "const ";
  if (i) say(p, ", ");
  if (is_ragged(c, a))
    say(p, "const pl_row_%s *a%d", type, i);
  else if (a->index != PL_ALL)
    say(p, "%s%s *a%d", constant, type, i);
  else if (i % 2)
    say(p, "%s%s *a%d[%d]", constant, type, i, targets(c, a, 0));
  else
    say(p, "%s%s a%d[%d][%d]", constant, type, i, targets(c, a, 0), width(c, a));
}

/* The loops over an argument's targets and their values, up to the body. */
static void say_values(page *p, const chain *c, const argument *a, int i)
{
  if (is_ragged(c, a))
    say(p, "  for (int k = 0; k < a%d->count; k++)\n", i);
  else
    say(p, "  for (int k = 0; k < %d; k++)\n", targets(c, a, 0));
  say(p, "    for (int v = 0; v < %d; v++) ", width(c, a));
}

static void say_gather(page *p, const chain *c, const argument *a, int i)
{
  char place[40];
  snprintf(place, sizeof place,
           is_ragged(c, a)      ? "pl_at(a%d, k, v)"
           : a->index == PL_ALL ? "a%d[k][v]"
                                : "a%d[v]",
           i);
  say_values(p, c, a, i);
  say(p, "s = mix%s(s, v + k, %s);\n", p->own, place);
}

static void say_store(page *p, const chain *c, const loop *l, const argument *a, int i)
{
  char place[40];
  const char *form = a->index == PL_ALL ? "a%d[k][v]" : "a%d[v]", *x = l->point ? "*p" : place;
  snprintf(place, sizeof place, form, i);
  say_values(p, c, a, i);
  say(p, "{\n      double s2 = wrap%s(s + %d + v + k);\n", p->own, i);
  if (l->point) say(p, "      %s *p = &%s;\n", type_word(type_of(c, a)), place);
  say(p, "      %s", l->guard && a->access != PL_WRITE ? "if (s2 > 500.0) " : "");
  if (a->access == PL_WRITE) say(p, "%s = s2;", x);
  if (a->access == PL_RW) say(p, "%s = wrap%s(%s + s2);", x, p->own, x);
  if (a->access == PL_INC) say(p, "%s += s2;", x);
  if (a->access == PL_MIN) say(p, "if (s2 < %s) %s = s2;", x, x);
  if (a->access == PL_MAX) say(p, "if (s2 > %s) %s = s2;", x, x);
  say(p, "\n    }\n");
}

static void say_helpers(page *p, const loop *l, const char *name)
{
  snprintf(p->own, sizeof p->own, "%s%s", l->clash ? "" : "_", l->clash ? "" : name);
  say(p, "static double wrap%s(double x) { return x - 1021.0 * floor(x / 1021.0); }\n", p->own);
  say(p, "static double mix%s(double s, int n, double x) { return wrap%s(s + (%d + n) * wrap%s(x)); }\n",
      p->own, p->own, l->factor, p->own);
}

static void say_kernel(page *p, const chain *c, const loop *l, const char *name)
{
  p->length = 0;
  say_helpers(p, l, name);
  say(p, "void %s(", name);
  for (int i = 0; i < l->nargs; i++) say_parameter(p, c, &l->arg[i], i);
  say(p, ")\n{\n  double s = %d;\n", l->factor);
  for (int i = 0; i < l->nargs; i++)
    if (sees(l->arg[i].access)) say_gather(p, c, &l->arg[i], i);
  if (l->leave) say(p, "  if (s < 300.0) return;\n");
  for (int i = 0; i < l->nargs; i++) {
    const argument *a = &l->arg[i];
    if (writes(a->access)) say_store(p, c, l, a, i);
    if (l->again && (a->access == PL_WRITE || a->access == PL_RW)) say_gather(p, c, a, i);
  }
  say(p, "}\n");
}

/* ---- the same on Plait ---- */

typedef struct world {
  pl_context *pl;
  pl_set *part[SETS][PARTS];
  pl_map *map[MAPS];
  pl_dat *dat[DATS];
  pl_global *global[GLOBALS];
  const pl_kernel *kernel[MOST_LOOPS + MOST_MORE];
} world;

#define EACH_TYPE(X) X(PL_DOUBLE, double) X(PL_FLOAT, float) X(PL_INT32, int32_t) X(PL_INT64, int64_t)

static void to_type(const double *from, int n, pl_type type, void *to)
{
#define TO(code, word)                                                                                       \
  for (int i = 0; type == code && i < n; i++) ((word *)to)[i] = (word)from[i];
  EACH_TYPE(TO)
#undef TO
}

static void from_type(const void *from, int n, pl_type type, double *to)
{
#define FROM(code, word)                                                                                     \
  for (int i = 0; type == code && i < n; i++) to[i] = (double)((const word *)from)[i];
  EACH_TYPE(FROM)
#undef FROM
}

/* How ranks come to share the mesh: all stays where it was declared, or it is dealt out. */
static void deal_out(const chain *c, world *w)
{
  const pl_partition_options options = {.seed = (uint64_t)c->nloops};
  pl_set *cells = w->part[CELLS][0], *nodes = w->part[NODES][0];
  if (c->parts == 1) PL_OK(w->pl, pl_partition(cells, PL_PARTITION_BLOCK, NULL));
  if (c->parts == 2) PL_OK(w->pl, pl_partition(nodes, PL_PARTITION_BLOCK, NULL));
  if (c->parts == 3) PL_OK(w->pl, pl_partition(cells, PL_PARTITION_RANDOM, &options));
  if (c->parts == 4) PL_OK(w->pl, pl_partition(nodes, PL_PARTITION_RANDOM, &options));
}

static void declare_mesh(const chain *c, world *w)
{
  static const char *const names[] = {"whole", "half", "some"};
  const int mine = pl_rank(w->pl) == 0;
  for (int s = 0; s < SETS; s++) {
    PL_OK(w->pl, pl_decl_set(w->pl, mine * c->mesh.size[s], "set", &w->part[s][0]));
    for (int k = 1; k < PARTS; k++) {
      const part *p = &c->mesh.part[s][k];
      PL_OK(w->pl, pl_decl_subset(w->part[s][0], mine * p->n, p->index, names[k], &w->part[s][k]));
    }
  }
  for (int m = 0; m < MAPS; m++) {
    const table *t = &c->mesh.map[m];
    pl_set *from = w->part[t->from][0], *to = w->part[t->to][0];
    if (t->arity)
      PL_OK(w->pl, pl_decl_map(from, to, t->arity, t->index, "map", &w->map[m]));
    else
      PL_OK(w->pl, pl_decl_map_ragged(from, to, t->offsets, t->index, "rows", &w->map[m]));
  }
}

static void declare_values(const chain *c, world *w)
{
  for (int d = 0; d < DATS; d++) {
    void *data = room(values(c, d), sizeof(double));
    to_type(c->value[d], values(c, d), c->type[d], data);
    PL_OK(w->pl, pl_decl_dat(w->part[c->dat_set[d]][0], c->dim[d], c->type[d], data, "dat", &w->dat[d]));
    free(data);
  }
  deal_out(c, w);
  for (int g = 0; g < GLOBALS; g++) {
    double data[MOST_DIM];
    to_type(c->global[g], c->global_dim[g], c->global_type[g], data);
    PL_OK(w->pl, pl_decl_global(w->pl, c->global_dim[g], c->global_type[g], data, "global", &w->global[g]));
  }
}

static void declare(const chain *c, world *w)
{
  char name[24];
  page p;
  declare_mesh(c, w);
  declare_values(c, w);
  for (int k = 0; k < c->nloops; k++) {
    const loop *l = &c->loop[k];
    if (l->kind != CALL) continue;
    if (l->owner >= 0) {
      w->kernel[k] = w->kernel[l->owner];
      continue;
    }
    snprintf(name, sizeof name, "loop_%d", k + 1);
    say_kernel(&p, c, l, name);
    PL_OK(w->pl, pl_kernel_from_source(w->pl, name, p.text, NULL, &w->kernel[k]));
  }
}

static pl_arg arg_of(const world *w, const argument *a)
{
  pl_map *map = a->map < 0 ? PL_DIRECT : w->map[a->map];
  if (a->global >= 0) return pl_arg_gbl(w->global[a->global], a->access);
  if (a->dat < 0) return pl_arg_idx(map ? a->index : PL_ID, map);
  pl_arg arg = pl_arg_dat(w->dat[a->dat], a->index, map, a->access);
  return a->component ? pl_arg_component(arg, a->component - 1) : arg;
}

/* Whether a fused loop did not compile: its members would run one by one, and nobody would see it. */
static bool compiled(world *w, pl_chain *handle, const char *backend)
{
  static char text[1 << 20];
  char path[64];
  snprintf(path, sizeof path, "chain-%s-%ld.txt", backend, (long)getpid());
  pl_err err = pl_chain_print(handle, path);
  if (err == PL_ERR_STATE) return true; /* zeros of subsets come at once: nothing was recorded */
  PL_OK(w->pl, err);
  FILE *file = fopen(path, "r");
  size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
  text[n] = '\0';
  if (file) fclose(file);
  remove(path);
  const char *error = strstr(text, "could not be compiled");
  if (error) fprintf(stderr, "%.300s\n", error);
  return file && !error;
}

static void begin_chain(const chain *c, world *w, pl_chain **handle)
{
  PL_OK(w->pl, pl_chain_begin(w->pl, "chain", handle));
  PL_OK(w->pl, pl_chain_block(*handle, c->block));
  for (int d = 0; d < DATS; d++) {
    PL_OK(w->pl, pl_chain_hint(*handle, w->dat[d], (pl_chain_choice)c->choice[d]));
    if (c->temporary[d]) PL_OK(w->pl, pl_chain_temporary(*handle, w->dat[d]));
  }
}

static void run_loop(world *w, const loop *l, const pl_kernel *kernel)
{
  pl_arg args[MOST_ARGS];
  const argument *a = l->arg;
  for (int i = 0; i < l->nargs; i++) args[i] = arg_of(w, &a[i]);
  if (l->kind == COPY)
    PL_OK(w->pl, pl_dat_copy(w->dat[a[0].dat], w->dat[a[1].dat]));
  else if (l->kind == ZERO && a[0].dat < 0)
    PL_OK(w->pl, pl_global_zero(w->global[a[0].global]));
  else if (l->kind == ZERO && l->part)
    PL_OK(w->pl, pl_dat_zero_subset(w->dat[a[0].dat], w->part[l->set][l->part]));
  else if (l->kind == ZERO)
    PL_OK(w->pl, pl_dat_zero(w->dat[a[0].dat]));
  else
    PL_OK(w->pl, pl_par_loop_args(kernel, w->part[l->set][l->part], l->nargs, args));
}

static bool run_stretch(const chain *c, world *w, const char *backend, int first, int end, bool chained)
{
  pl_chain *handle = NULL;
  if (chained) begin_chain(c, w, &handle);
  for (int k = first; k < end; k++) run_loop(w, &c->loop[k], w->kernel[k]);
  if (!handle) return true;
  PL_OK(w->pl, pl_chain_end(handle));
  return compiled(w, handle, backend);
}

/* One round on both sides. */
static bool run_round(chain *c, world *w, const char *backend, int round)
{
  const int ends[] = {0, c->cut, c->nloops};
  bool good = true;
  for (int i = 0; i < 2; i++) {
    const int k = c->turned && round % 2 ? 1 - i : i;
    if (ends[k] == ends[k + 1]) continue;
    const bool chained = !c->lazy && !(c->cut && k == 1 && c->apart);
    good &= run_stretch(c, w, backend, ends[k], ends[k + 1], chained);
    run_plainly(c, ends[k], ends[k + 1]);
  }
  return good;
}

/* ---- comparison ---- */

static bool same_dat(const chain *c, world *w, int d)
{
  bool good = true;
  const int n = values(c, d);
  void *data = room(n, sizeof(double));
  double *got = room(n, sizeof(double));
  PL_OK(w->pl, pl_dat_fetch(w->dat[d], data));
  from_type(data, n, c->type[d], got);
  for (int i = 0; i < n && good && pl_rank(w->pl) == 0; i++) {
    good = got[i] == c->value[d][i];
    if (!good)
      fprintf(stderr, "dat %d, element %d, value %d: %.17g instead of %.17g\n", d, i / c->dim[d],
              i % c->dim[d], got[i], c->value[d][i]);
  }
  free(data);
  free(got);
  return good;
}

static bool same_global(const chain *c, world *w, int g)
{
  double data[MOST_DIM], got[MOST_DIM];
  bool good = true;
  PL_OK(w->pl, pl_global_get(w->global[g], (void *)data));
  from_type(data, c->global_dim[g], c->global_type[g], got);
  for (int v = 0; v < c->global_dim[g]; v++) {
    if (got[v] != c->global[g][v])
      fprintf(stderr, "global %d, value %d: %.17g instead of %.17g\n", g, v, got[v], c->global[g][v]);
    good &= got[v] == c->global[g][v];
  }
  return good;
}

static bool compare(const chain *c, world *w)
{
  bool good = true;
  for (int d = 0; d < DATS; d++)
    if (!c->temporary[d]) good &= same_dat(c, w, d);
  for (int g = 0; g < GLOBALS; g++) good &= same_global(c, w, g);
  return good;
}

/* ---- seeds ---- */

static pl_err open_context(const char *backend, int layout, int blocks, pl_context **pl)
{
  static const char *const layouts[] = {"auto", "auto", "aos", "soa", "aosoa:4", "aosoa:32"};
  char name[40], way[40], size[40];
  snprintf(name, sizeof name, "backend=%s", backend);
  snprintf(way, sizeof way, "layout=%s", layouts[layout]);
  snprintf(size, sizeof size, "block_size=%d", blocks);
  const char *const options[] = {name, way, size, NULL};
  const pl_settings settings = {.options = options};
  return pl_init(NULL, NULL, &settings, pl);
}

static bool try_seed(const char *backend, uint64_t seed, pl_stats *total)
{
  chain c;
  world w = {.pl = NULL};
  bool good = true;
  make_chain(&c, seed);
  if (open_context(backend, c.layout, c.blocks, &w.pl)) exit(1);
  declare(&c, &w);
  if (c.lazy) PL_OK(w.pl, pl_set_option(w.pl, "lazy", "1"));
  for (int r = 0; r < c.rounds; r++) {
    good &= run_round(&c, &w, backend, r);
    if (r == 0 && c.touched >= 0) good &= same_dat(&c, &w, c.touched);
  }
  good &= compare(&c, &w);
  pl_stats stats;
  PL_OK(w.pl, pl_get_stats(w.pl, &stats));
  total->loops_run += stats.loops_run;
  total->loops_queued += stats.loops_queued;
  bool first = pl_rank(w.pl) == 0;
  pl_finalize(&w.pl);
  if (!good && first) print_chain(&c, seed);
  free_chain(&c);
  return good;
}

int main(int argc, char **argv)
{
  if (argc != 4) {
    fprintf(stderr, "usage: chains BACKEND FIRST COUNT\n");
    return 2;
  }
  pl_context *pl;
  pl_stats total = {0};
  int failed = 0, rank, ranks, first = atoi(argv[2]), count = atoi(argv[3]);
  if (open_context(argv[1], 0, 0, &pl)) {
    printf("skipped: %s\n", pl_errmsg(pl));
    pl_finalize(&pl);
    return SKIPPED;
  }
  rank = pl_rank(pl);
  ranks = pl_ranks(pl); /* open all the time: a device is then quick to open again */
  for (int s = first; s < first + count; s++) failed += !try_seed(argv[1], (uint64_t)s, &total);
  if (!rank)
    printf("%s, %d ranks: %d chains, %d failed; %llu loops recorded, %llu run\n", argv[1], ranks, count,
           failed, (unsigned long long)total.loops_queued, (unsigned long long)total.loops_run);
  pl_finalize(&pl);
  return failed != 0;
}
