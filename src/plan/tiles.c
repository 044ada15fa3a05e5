/* SPDX-License-Identifier: BSD-2-Clause
 * Tiles of several loops. See tiles.h.
 */
#include "tiles.h"
#include "scratch.h"
#include <string.h>

enum { NONE = -1, SHORT = 16 }; /* shorter ranges are listed one by one */

/* ---- what may be in tiles ---- */

static bool arg_may_tile(const pl_arg *arg)
{
  if (arg->off) return true;
  if (arg->kind == PL_ARG_POINTER || arg->kind == PL_ARG_DIFFERENCE || arg->kind == PL_ARG_DISTANCE)
    return false;
  if (arg->index == PL_WHOLE || arg->with) return false;
  return !arg->map || (!arg->map->offset && arg->map->index && !arg->map->mover);
}

bool pl_loop_may_tile(const pl_loop *loop)
{
  if (loop->role || loop->raw || loop->blocks || loop->set->pairs || loop->set->part[0] != loop->set->part[3])
    return false;
  for (int i = 0; i < loop->nargs; i++)
    if (!arg_may_tile(&loop->args[i])) return false;
  return true;
}

/* ---- who has been at a dat's values ---- */

/* Of each element of a storage that some loop of the request writes: the last tile of earlier loops that has
 * written it, and of those that have read it; and of the loop at hand the tile that writes it, and the one
 * outside the tail that does. */
typedef struct marks {
  const void *storage;
  int *written, *read, *next, *now, n;
} marks;

typedef struct work {
  pl_context *pl;
  const pl_tile_request *request;
  pl_scratch scratch;
  int ndats, tail;
  marks *dat;
  int *owner; /* of each tile: its thread; -1 for the tail */
  int **tile; /* by loop and position */
} work;

static int join(const work *w, int a, int b)
{
  if (a == NONE) return b;
  if (b == NONE) return a;
  if (w->owner[a] != w->owner[b]) return w->tail;
  return a > b ? a : b;
}

static marks *marks_of(const work *w, const void *storage)
{
  for (int d = 0; d < w->ndats; d++)
    if (w->dat[d].storage == storage) return &w->dat[d];
  return NULL;
}

static int *new_marks(work *w, int n)
{
  int *mark = pl_scratch_take(&w->scratch, (size_t)n + 1, sizeof *mark);
  for (int i = 0; mark && i < n; i++) mark[i] = NONE;
  return mark;
}

/* Storage that some loop writes. */
static void take_dats(work *w)
{
  int most = 0;
  for (int l = 0; l < w->request->nloops; l++) most += w->request->loop[l].loop->nargs;
  w->dat = pl_scratch_take(&w->scratch, (size_t)most, sizeof *w->dat);
  for (int l = 0; l < w->request->nloops && !w->scratch.failed; l++) {
    const pl_tile_loop *t = &w->request->loop[l];
    for (int i = 0; i < t->loop->nargs; i++) {
      const pl_dat *dat = pl_arg_dat_of(&t->loop->args[i]);
      if (!dat || !pl_arg_writes(&t->loop->args[i]) || marks_of(w, t->storage[i])) continue;
      int n = dat->set->part[3];
      w->dat[w->ndats++] =
        (marks){t->storage[i], new_marks(w, n), new_marks(w, n), new_marks(w, n), new_marks(w, n), n};
    }
  }
}

/* ---- growing ---- */

/* The arguments of a loop that matter: through what each reaches which marks. */
typedef struct reach {
  const pl_arg *arg;
  marks *at;
  bool reads, writes, ordered; /* ordered: elements of one loop that meet there keep their order */
} reach;

typedef struct growing {
  work *w;
  const pl_loop *loop;
  int n;
  reach *reach;
} growing;

static int element_of(const pl_loop *loop, int position)
{
  return loop->set->indices ? loop->set->indices[position] : position;
}

static void take_reaches(growing *g, const pl_tile_loop *t, reach *room)
{
  g->reach = room;
  for (int i = 0; i < g->loop->nargs; i++) {
    const pl_arg *arg = &g->loop->args[i];
    marks *at = pl_arg_dat_of(arg) ? marks_of(g->w, t->storage[i]) : NULL;
    if (!at) continue;
    bool combines = arg->access == PL_INC || arg->access == PL_MIN || arg->access == PL_MAX;
    room[g->n++] = (reach){arg, at, true, pl_arg_writes(arg), pl_arg_writes(arg) && !combines && arg->map};
  }
}

#define EACH_TARGET(r, element, target)                                                                      \
  for (int pl_k = 0, target, pl_n = pl_arg_targets((r)->arg); pl_k < pl_n; pl_k++)                           \
    if ((target = pl_arg_target((r)->arg, element, pl_k)) >= 0)

/* The tile that the element must be in or after. */
static int find_tile(const growing *g, int element)
{
  const work *w = g->w;
  int tile = NONE;
  for (const reach *r = g->reach; r < g->reach + g->n; r++) EACH_TARGET(r, element, target)
    {
      tile = join(w, tile, r->at->written[target]);
      if (r->writes) tile = join(w, tile, r->at->read[target]);
      if (r->ordered) tile = join(w, tile, r->at->next[target]);
    }
  return tile;
}

/* Whether another thread writes one of the element's targets in this loop. */
static bool collides(const growing *g, int element, int tile)
{
  for (const reach *r = g->reach; r < g->reach + g->n; r++)
    if (r->writes && r->arg->map) EACH_TARGET(r, element, target)
  if (r->at->now[target] != NONE && g->w->owner[r->at->now[target]] != g->w->owner[tile]) return true;
  return false;
}

static void leave_marks(const growing *g, int element, int tile)
{
  for (const reach *r = g->reach; r < g->reach + g->n; r++) EACH_TARGET(r, element, target)
    {
      if (!r->writes) {
        r->at->read[target] = join(g->w, r->at->read[target], tile);
        continue;
      }
      r->at->next[target] = join(g->w, r->at->next[target], tile);
      if (tile != g->w->tail) r->at->now[target] = tile;
    }
}

/* What this loop has written becomes what was written before the next. */
static void settle(const growing *g)
{
  for (const reach *r = g->reach; r < g->reach + g->n; r++)
    for (int i = 0; r->writes && i < r->at->n; i++) {
      r->at->written[i] = join(g->w, r->at->written[i], r->at->next[i]);
      r->at->next[i] = r->at->now[i] = NONE;
    }
}

/* Where an element with nothing before it goes: tiles lie along the set. */
static int seed(const work *w, int position, int n)
{
  return (int)((int64_t)position * w->tail / n);
}

static void grow(work *w, int l, reach *room)
{
  growing g = {.w = w, .loop = w->request->loop[l].loop};
  int n = g.loop->set->part[1];
  take_reaches(&g, &w->request->loop[l], room);
  for (int p = 0; p < n; p++) {
    int element = element_of(g.loop, p), tile = find_tile(&g, element);
    if (tile == NONE) tile = seed(w, p, n);
    if (tile != w->tail && collides(&g, element, tile)) tile = w->tail;
    leave_marks(&g, element, tile);
    w->tile[l][p] = tile;
  }
  settle(&g);
}

/* ---- parts ---- */

/* Counts ranges and singles of each tile, or fills them in where there is room. Positions ascend. */
static void list_parts(const work *w, int l, pl_tiles *t, int *nrange, int *nsingle)
{
  const pl_loop *loop = w->request->loop[l].loop;
  int n = loop->set->part[1];
  for (int begin = 0, end; begin < n; begin = end) {
    int tile = w->tile[l][begin];
    for (end = begin + 1; end < n && w->tile[l][end] == tile;) end++;
    if (end - begin >= SHORT) {
      if (t->range[l]) t->range[l][nrange[tile]] = (pl_run){begin, end};
      nrange[tile]++;
      continue;
    }
    for (int p = begin; p < end; p++, nsingle[tile]++)
      if (t->single[l]) t->single[l][nsingle[tile]] = element_of(loop, p);
  }
}

/* Numbers become places: where each tile's begin. Returns the total. */
static int add_up(int n, int *count)
{
  int total = 0;
  for (int i = 0; i < n; i++) {
    int here = count[i];
    count[i] = total;
    total += here;
  }
  return total;
}

static pl_err make_parts(work *w, pl_tiles *t, int l)
{
  size_t tiles = (size_t)t->ntiles;
  int *nrange = pl_scratch_take(&w->scratch, tiles, sizeof(int)),
      *nsingle = pl_scratch_take(&w->scratch, tiles, sizeof(int));
  PL_TRY(pl_scratch_check(&w->scratch));
  list_parts(w, l, t, nrange, nsingle);
  for (int k = 0; k < t->ntiles; k++)
    t->part[k * t->nloops + l] = (pl_tile_part){.nranges = nrange[k], .nsingles = nsingle[k]};
  int ranges = add_up(t->ntiles, nrange), singles = add_up(t->ntiles, nsingle);
  t->range[l] = pl_calloc(w->pl, (size_t)ranges + 1, sizeof(pl_run));
  t->single[l] = pl_calloc(w->pl, (size_t)singles + 1, sizeof(int));
  if (!t->range[l] || !t->single[l]) return pl_fail_memory(w->pl, (size_t)(ranges + singles) * sizeof(int));
  for (int k = 0; k < t->ntiles; k++) {
    t->part[k * t->nloops + l].range = t->range[l] + nrange[k];
    t->part[k * t->nloops + l].single = t->single[l] + nsingle[k];
  }
  list_parts(w, l, t, nrange, nsingle);
  for (int p = 0; p < w->request->loop[l].loop->set->part[1]; p++) t->tail += w->tile[l][p] == w->tail;
  return PL_SUCCESS;
}

static pl_tiles *new_tiles(pl_context *pl, const pl_tile_request *request)
{
  pl_tiles *t = pl_calloc(pl, 1, sizeof *t);
  if (!t) return NULL;
  size_t loops = (size_t)request->nloops, threads = (size_t)request->nthreads;
  int each = request->tiles / request->nthreads > 0 ? request->tiles / request->nthreads : 1;
  t->nloops = request->nloops;
  t->nthreads = request->nthreads;
  t->ntiles = each * request->nthreads + 1;
  t->first = pl_calloc(pl, threads + 1, sizeof *t->first);
  t->part = pl_calloc(pl, (size_t)t->ntiles * loops, sizeof *t->part);
  t->range = pl_calloc(pl, loops, sizeof *t->range);
  t->single = pl_calloc(pl, loops, sizeof *t->single);
  if (t->first && t->part && t->range && t->single) {
    for (int p = 0; p <= t->nthreads; p++) t->first[p] = p * each;
    return t;
  }
  pl_tiles_free(pl, t);
  return NULL;
}

void pl_tiles_free(pl_context *pl, pl_tiles *t)
{
  if (!t) return;
  for (int l = 0; t->range && l < t->nloops; l++) pl_free(pl, t->range[l]);
  for (int l = 0; t->single && l < t->nloops; l++) pl_free(pl, t->single[l]);
  pl_free(pl, t->first);
  pl_free(pl, t->part);
  pl_free(pl, t->range);
  pl_free(pl, t->single);
  pl_free(pl, t);
}

static pl_err fill(work *w, pl_tiles *t)
{
  int most = 0;
  w->tail = t->ntiles - 1;
  w->owner = pl_scratch_take(&w->scratch, (size_t)t->ntiles, sizeof *w->owner);
  w->tile = pl_scratch_take(&w->scratch, (size_t)t->nloops, sizeof *w->tile);
  take_dats(w);
  for (int l = 0; l < t->nloops && !w->scratch.failed; l++) {
    const pl_loop *loop = w->request->loop[l].loop;
    if (loop->nargs > most) most = loop->nargs;
    w->tile[l] = pl_scratch_take(&w->scratch, (size_t)loop->set->part[1] + 1, sizeof(int));
  }
  reach *room = pl_scratch_take(&w->scratch, (size_t)most, sizeof *room);
  PL_TRY(pl_scratch_check(&w->scratch));
  for (int k = 0; k < t->ntiles; k++) w->owner[k] = k == w->tail ? -1 : k / t->first[1];
  for (int l = 0; l < t->nloops; l++) grow(w, l, room);
  for (int l = 0; l < t->nloops; l++) PL_TRY(make_parts(w, t, l));
  return PL_SUCCESS;
}

pl_err pl_tiles_make(pl_context *pl, const pl_tile_request *request, pl_tiles **result)
{
  work w = {.pl = pl, .request = request, .scratch = {.pl = pl}};
  pl_tiles *t = new_tiles(pl, request);
  if (!t) return pl_fail_memory(pl, sizeof *t);
  pl_err err = fill(&w, t);
  pl_scratch_free(&w.scratch);
  if (err)
    pl_tiles_free(pl, t);
  else
    *result = t;
  return err;
}

/* ---- checking ---- */

/* Tiles of each position again, from the parts; false if an element is in none, or twice. */
static bool read_tiles(const pl_tiles *t, const pl_loop *loop, int l, int *tile)
{
  int n = loop->set->part[1], found = 0;
  for (int k = 0; k < t->ntiles; k++) {
    const pl_tile_part *part = &t->part[k * t->nloops + l];
    for (int r = 0; r < part->nranges; r++)
      for (int p = part->range[r].begin; p < part->range[r].end; p++, found++) tile[element_of(loop, p)] = k;
    for (int i = 0; i < part->nsingles; i++, found++) tile[part->single[i]] = k;
  }
  for (int p = 0; p < n; p++)
    if (tile[element_of(loop, p)] == NONE) return false;
  return found == n;
}

/* One touch of a value. */
typedef struct touch {
  int loop, tile;
  bool writes, ordered;
} touch;

static bool in_order(const pl_tiles *t, const touch *a, const touch *b)
{
  int tail = t->ntiles - 1, threads[2] = {a->tile / t->first[1], b->tile / t->first[1]};
  if (!a->writes && !b->writes) return true;
  if (a->loop == b->loop && !b->ordered)
    return a->tile == tail || b->tile == tail || threads[0] == threads[1];
  return b->tile == tail || (a->tile <= b->tile && threads[0] == threads[1]);
}

/* All touches of one storage, element by element of it; they are compared each with each. */
static bool storage_is_in_order(const pl_tile_request *request, const pl_tiles *t, int *const *tile,
                                const void *storage, int value)
{
  enum { MOST = 512 };
  touch list[MOST];
  int n = 0;
  for (int l = 0; l < t->nloops; l++) {
    const pl_loop *loop = request->loop[l].loop;
    for (int i = 0; i < loop->nargs; i++) {
      const pl_arg *arg = &loop->args[i];
      if (!pl_arg_dat_of(arg) || request->loop[l].storage[i] != storage) continue;
      bool writes = pl_arg_writes(arg),
           sums = arg->access == PL_INC || arg->access == PL_MIN || arg->access == PL_MAX;
      for (int p = 0; p < loop->set->part[1]; p++)
        for (int k = 0; k < pl_arg_targets(arg); k++)
          if (pl_arg_target(arg, element_of(loop, p), k) == value && n < MOST)
            list[n++] = (touch){l, tile[l][element_of(loop, p)], writes, writes && !sums};
    }
  }
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++)
      if (!in_order(t, &list[a], &list[b])) return false;
  return true;
}

bool pl_tiles_are_valid(const pl_tile_request *request, const pl_tiles *t, const char **why)
{
  pl_context *pl = request->loop[0].loop->pl;
  pl_scratch scratch = {.pl = pl};
  int **tile = pl_scratch_take(&scratch, (size_t)t->nloops, sizeof *tile);
  *why = NULL;
  for (int l = 0; l < t->nloops && !scratch.failed; l++) {
    int n = pl_set_base(request->loop[l].loop->set)->part[3];
    tile[l] = pl_scratch_take(&scratch, (size_t)n + 1, sizeof **tile);
    for (int i = 0; tile[l] && i < n; i++) tile[l][i] = NONE;
    if (!scratch.failed && !read_tiles(t, request->loop[l].loop, l, tile[l]))
      *why = "an element is in no tile, or in two";
  }
  for (int l = 0; l < t->nloops && !*why && !scratch.failed; l++)
    for (int i = 0; i < request->loop[l].loop->nargs && !*why; i++) {
      const pl_dat *dat = pl_arg_dat_of(&request->loop[l].loop->args[i]);
      for (int v = 0; dat && v < dat->set->part[3] && !*why; v++)
        if (!storage_is_in_order(request, t, tile, request->loop[l].storage[i], v))
          *why = "an element is before one that it must follow";
    }
  if (scratch.failed) *why = "they cannot be checked: out of memory";
  pl_scratch_free(&scratch);
  return !*why;
}
