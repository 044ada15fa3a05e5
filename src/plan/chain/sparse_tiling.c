/* SPDX-License-Identifier: BSD-2-Clause
 * Tiles of several loops. See tiles.h.
 */
#include "tiles.h"
#include "scratch.h"
#include <string.h>

/* Shorter ranges are listed one by one. Tiles are made of blocks of 2^k neighbouring elements, eight or more
 * to a tile: a block goes where the last of its elements must, so that what runs together stays in ranges,
 * and blocks are all that is looked at. */
enum { NONE = -1, SHORT = 16, BLOCKS = 8, MOST_SHIFT = 7 };

/* ---- what may be in tiles ---- */

static bool arg_may_tile(const pl_arg *arg)
{
  if (arg->off) return true;
  if (arg->kind == PL_ARG_POINTER || arg->kind == PL_ARG_DIFFERENCE || arg->kind == PL_ARG_DISTANCE)
    return false;
  if (arg->index == PL_WHOLE || arg->with) return false;
  return !arg->map || (!arg->map->offset && arg->map->index && !arg->map->from->travels);
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

/* Of each block of a storage that some loop of the request writes: the last tile of earlier loops that has
 * written in it, and of those that have read there; and of the loop at hand the tile that writes there, and
 * the one outside the tail that does. */
typedef struct marks {
  const void *storage;
  int *written, *read, *next, *now, n;
} marks;

/* What blocks of a loop's elements reach through an argument: of each the blocks of targets, each once. */
typedef struct near {
  const pl_set *from, *to;
  const pl_map *map;
  int index, *first, *target;
} near;

typedef struct work {
  pl_context *pl;
  const pl_tile_request *request;
  pl_scratch scratch;
  int ndats, tail;
  marks *dat;
  int *owner; /* of each tile: its thread; -1 for the tail */
  int **tile; /* by loop and block */
  int nnear;
  near *near;
} work;

/* The k of blocks of n elements. */
static int shift_of(const work *w, int n)
{
  int shift = 0;
  while (shift < MOST_SHIFT && n / (BLOCKS * w->tail) >> (shift + 1)) shift++;
  return shift;
}

static int blocks_in(const work *w, int n)
{
  int shift = shift_of(w, n);
  return (int)(((int64_t)n + (1 << shift) - 1) >> shift);
}

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
      int n = blocks_in(w, dat->set->part[3]);
      w->dat[w->ndats++] =
        (marks){t->storage[i], new_marks(w, n), new_marks(w, n), new_marks(w, n), new_marks(w, n), n};
    }
  }
}

/* ---- what blocks reach ---- */

static int element_of(const pl_loop *loop, int position)
{
  return loop->set->indices ? loop->set->indices[position] : position;
}

/* Each element alone: block by block the same. */
static void list_selves(near *x, int blocks)
{
  for (int b = 0; b <= blocks; b++) x->first[b] = x->target[b] = b;
}

/* Fills in the targets of blocks. `seen`: of each target's block the last that has listed it. */
static void list_near(const work *w, const pl_loop *loop, const pl_arg *arg, near *x, int *seen)
{
  int n = loop->set->part[1], shift = shift_of(w, n), far = shift_of(w, x->to->part[3]), at = 0;
  int targets = pl_arg_targets(arg);
  for (int b = 0; b < blocks_in(w, n); b++) {
    int begin = b << shift, end = n - begin < 1 << shift ? n : begin + (1 << shift);
    x->first[b] = at;
    for (int p = begin; p < end; p++)
      for (int k = 0; k < targets; k++) {
        int target = pl_arg_target(arg, element_of(loop, p), k);
        if (target < 0 || seen[target >> far] == b) continue;
        seen[target >> far] = b;
        x->target[at++] = target >> far;
      }
  }
  x->first[blocks_in(w, n)] = at;
}

static void fill_near(work *w, const pl_loop *loop, const pl_arg *arg, near *x)
{
  int n = loop->set->part[1], far = blocks_in(w, x->to->part[3]);
  bool selves = !arg->map && !loop->set->indices && shift_of(w, n) == shift_of(w, x->to->part[3]);
  size_t most = selves ? (size_t)blocks_in(w, n) : (size_t)n * (size_t)pl_arg_targets(arg);
  int *seen = pl_scratch_take(&w->scratch, (size_t)far + 1, sizeof *seen);
  x->first = pl_scratch_take(&w->scratch, (size_t)blocks_in(w, n) + 1, sizeof *x->first);
  x->target = pl_scratch_take(&w->scratch, most + 1, sizeof *x->target);
  if (w->scratch.failed) return;
  for (int i = 0; i < far; i++) seen[i] = NONE;
  if (selves)
    list_selves(x, blocks_in(w, n));
  else
    list_near(w, loop, arg, x, seen);
}

/* NULL: out of memory, which the scratch remembers. */
static const near *near_of(work *w, const pl_loop *loop, const pl_arg *arg)
{
  const pl_set *to = pl_arg_dat_of(arg)->set;
  int index = arg->map ? arg->index : PL_ID;
  for (near *x = w->near; x < w->near + w->nnear; x++)
    if (x->from == loop->set && x->to == to && x->map == arg->map && x->index == index) return x;
  near *x = &w->near[w->nnear];
  *x = (near){.from = loop->set, .to = to, .map = arg->map, .index = index};
  fill_near(w, loop, arg, x);
  if (w->scratch.failed) return NULL;
  w->nnear++;
  return x;
}

/* ---- growing ---- */

/* The arguments of a loop that matter: through what each reaches which marks. */
typedef struct reach {
  const pl_arg *arg;
  const near *near;
  marks *at;
  bool writes, ordered; /* ordered: elements of one loop that meet there keep their order */
} reach;

typedef struct growing {
  work *w;
  const pl_loop *loop;
  int n;
  reach *reach;
} growing;

static void take_reaches(growing *g, const pl_tile_loop *t, reach *room)
{
  g->reach = room;
  for (int i = 0; i < g->loop->nargs; i++) {
    const pl_arg *arg = &g->loop->args[i];
    marks *at = pl_arg_dat_of(arg) ? marks_of(g->w, t->storage[i]) : NULL;
    if (!at) continue;
    bool combines = arg->access == PL_INC || arg->access == PL_MIN || arg->access == PL_MAX;
    const near *near = near_of(g->w, g->loop, arg);
    if (near)
      room[g->n++] = (reach){arg, near, at, pl_arg_writes(arg), pl_arg_writes(arg) && !combines && arg->map};
  }
}

#define EACH_TARGET(r, block, t)                                                                             \
  for (int pl_i = (r)->near->first[block], t;                                                                \
       pl_i < (r)->near->first[(block) + 1] && (t = (r)->near->target[pl_i], true); pl_i++)

/* The tile that the block must be in or after. */
static int find_tile(const growing *g, int block)
{
  const work *w = g->w;
  int tile = NONE;
  for (const reach *r = g->reach; r < g->reach + g->n; r++) EACH_TARGET(r, block, target)
    {
      tile = join(w, tile, r->at->written[target]);
      if (r->writes) tile = join(w, tile, r->at->read[target]);
      if (r->ordered) tile = join(w, tile, r->at->next[target]);
    }
  return tile;
}

/* Whether another thread writes where the block does in this loop. */
static bool collides(const growing *g, int block, int tile)
{
  for (const reach *r = g->reach; r < g->reach + g->n; r++)
    if (r->writes && r->arg->map) EACH_TARGET(r, block, target)
  if (r->at->now[target] != NONE && g->w->owner[r->at->now[target]] != g->w->owner[tile]) return true;
  return false;
}

static void leave_marks(const growing *g, int block, int tile)
{
  for (const reach *r = g->reach; r < g->reach + g->n; r++) EACH_TARGET(r, block, target)
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

/* Where a block of n with nothing before it goes: tiles lie along the set; or along the one that it reaches,
 * since a small set may lie anywhere in that. */
static int seed(const growing *g, int block, int n)
{
  for (const reach *r = g->reach; r < g->reach + g->n; r++) {
    const int *first = &r->near->first[block];
    if (r->arg->map && first[0] < first[1])
      return (int)((int64_t)r->near->target[first[0]] * g->w->tail / r->at->n);
  }
  return (int)((int64_t)block * g->w->tail / n);
}

static void grow(work *w, int l, reach *room)
{
  growing g = {.w = w, .loop = w->request->loop[l].loop};
  int n = blocks_in(w, g.loop->set->part[1]);
  take_reaches(&g, &w->request->loop[l], room);
  for (int b = 0; b < n && !w->scratch.failed; b++) {
    int tile = find_tile(&g, b);
    if (tile == NONE) tile = seed(&g, b, n);
    if (tile != w->tail && collides(&g, b, tile)) tile = w->tail;
    leave_marks(&g, b, tile);
    w->tile[l][b] = tile;
  }
  settle(&g);
}

/* ---- parts ---- */

/* Counts ranges and singles of each tile, or fills them in where there is room. Positions ascend. */
static void list_parts(const work *w, int l, pl_tiles *t, int *nrange, int *nsingle)
{
  const pl_loop *loop = w->request->loop[l].loop;
  int n = loop->set->part[1], shift = shift_of(w, n), blocks = blocks_in(w, n);
  for (int b = 0, next; b < blocks; b = next) {
    int tile = w->tile[l][b];
    for (next = b + 1; next < blocks && w->tile[l][next] == tile;) next++;
    int begin = b << shift, end = next < blocks ? next << shift : n;
    if (tile == w->tail && !t->range[l]) t->tail += end - begin;
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
  int nargs = 0;
  for (int l = 0; l < t->nloops && !w->scratch.failed; l++) {
    const pl_loop *loop = w->request->loop[l].loop;
    nargs += loop->nargs;
    if (loop->nargs > most) most = loop->nargs;
    w->tile[l] = pl_scratch_take(&w->scratch, (size_t)blocks_in(w, loop->set->part[1]) + 1, sizeof(int));
  }
  w->near = pl_scratch_take(&w->scratch, (size_t)nargs + 1, sizeof *w->near);
  reach *room = pl_scratch_take(&w->scratch, (size_t)most, sizeof *room);
  PL_TRY(pl_scratch_check(&w->scratch));
  for (int k = 0; k < t->ntiles; k++) w->owner[k] = k == w->tail ? -1 : k / t->first[1];
  for (int l = 0; l < t->nloops; l++) grow(w, l, room);
  PL_TRY(pl_scratch_check(&w->scratch));
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
