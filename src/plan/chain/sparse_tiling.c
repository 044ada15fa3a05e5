/* SPDX-License-Identifier: BSD-2-Clause
 * Growing tiles loop by loop.
 */
#include "sparse_tiling.h"
#include "core/loop/loop.h"
#include "plan/base/radix_sort.h"

/* Tiles consist of blocks of 2^k consecutive elements, at least BLOCKS a tile; a block goes to the last tile
 * that any of its elements needs. Dependences are tracked block by block. Ranges shorter than SHORT are
 * stored as single elements. */
enum { NONE = -1, SHORT = 16, BLOCKS = 8, MOST_SHIFT = 7 };

/* ---- loops that can be tiled ---- */

static bool arg_may_tile(const pl_arg *arg)
{
  if (arg->off) return true;
  if (pl_arg_is_foreign(arg) || pl_arg_is_derived(arg)) return false;
  if (arg->index == PL_WHOLE || arg->with) return false;
  return !arg->map || (!arg->map->offset && arg->map->index && !arg->map->from->migrates);
}

bool pl_loop_may_tile(const pl_loop *loop)
{
  if (loop->role || !pl_loop_traits_of(loop)->plain || loop->set->end[0] != loop->set->end[3]) return false;
  PL_EACH_ARG (arg, loop)
    if (!arg_may_tile(arg)) return false;
  return true;
}

/* ---- marks of tiles on storage ---- */

/* For each block of a storage that some loop writes: the last tile of earlier loops that wrote it and that
 * read it; of the present loop the last tile that writes it, and the last one outside the tail. */
typedef struct marks {
  const void *storage;
  int *written, *read, *writing, *writing_tile, n;
} marks;

/* For each block of a loop's elements: the blocks of its targets through an argument, each once. */
typedef struct block_map {
  const pl_set *from, *to;
  const pl_map *map;
  int index, *first, *target;
} block_map;

typedef struct work {
  pl_context *pl;
  const pl_tile_request *request;
  pl_arena arena;
  int ndats, tail;
  marks *dat;
  int *owner; /* of each tile: its thread; -1 for the tail */
  int **tile; /* by loop and block */
  int nmaps;
  block_map *maps;
} work;

/* The k of blocks of a set of n elements. */
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

/* The tile that follows two tiles. */
static int join_tiles(const work *w, int a, int b)
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
  int *mark = pl_arena_alloc(&w->arena, (size_t)n + 1, sizeof *mark);
  for (int i = 0; mark && i < n; i++) mark[i] = NONE;
  return mark;
}

static void collect_storage(work *w)
{
  int most = 0;
  for (int l = 0; l < w->request->nloops; l++) most += w->request->loop[l].loop->nargs;
  w->dat = pl_arena_alloc(&w->arena, (size_t)most, sizeof *w->dat);
  for (int l = 0; l < w->request->nloops && !w->arena.failed; l++) {
    const pl_tile_loop *t = &w->request->loop[l];
    for (int i = 0; i < t->loop->nargs; i++) {
      const pl_dat *dat = pl_arg_dat_of(&t->loop->args[i]);
      if (!dat || !pl_arg_writes(&t->loop->args[i]) || marks_of(w, t->storage[i])) continue;
      int n = blocks_in(w, dat->set->end[3]);
      w->dat[w->ndats++] =
        (marks){t->storage[i], new_marks(w, n), new_marks(w, n), new_marks(w, n), new_marks(w, n), n};
    }
  }
}

/* ---- block maps ---- */

/* Direct access: each block is its own target. */
static void list_identity(block_map *x, int blocks)
{
  for (int b = 0; b <= blocks; b++) x->first[b] = x->target[b] = b;
}

/* Lists the target blocks of each block. `seen`: of each target block the last block that listed it. */
static void list_targets(const work *w, const pl_loop *loop, const pl_arg *arg, block_map *x, int *seen)
{
  int n = loop->set->end[1], shift = shift_of(w, n), target_shift = shift_of(w, x->to->end[3]), at = 0;
  int targets = pl_arg_targets(arg);
  for (int b = 0; b < blocks_in(w, n); b++) {
    int begin = b << shift, end = n - begin < 1 << shift ? n : begin + (1 << shift);
    x->first[b] = at;
    for (int p = begin; p < end; p++)
      for (int k = 0; k < targets; k++) {
        int target = pl_arg_target(arg, pl_element_at(loop->set, p), k);
        if (target < 0 || seen[target >> target_shift] == b) continue;
        seen[target >> target_shift] = b;
        x->target[at++] = target >> target_shift;
      }
  }
  x->first[blocks_in(w, n)] = at;
}

static void fill_block_map(work *w, const pl_loop *loop, const pl_arg *arg, block_map *x)
{
  int n = loop->set->end[1], target_blocks = blocks_in(w, x->to->end[3]);
  bool identity = !arg->map && !loop->set->indices && shift_of(w, n) == shift_of(w, x->to->end[3]);
  size_t most = identity ? (size_t)blocks_in(w, n) : (size_t)n * (size_t)pl_arg_targets(arg);
  int *seen = pl_arena_alloc(&w->arena, (size_t)target_blocks + 1, sizeof *seen);
  x->first = pl_arena_alloc(&w->arena, (size_t)blocks_in(w, n) + 1, sizeof *x->first);
  x->target = pl_arena_alloc(&w->arena, most + 1, sizeof *x->target);
  if (w->arena.failed) return;
  for (int i = 0; i < target_blocks; i++) seen[i] = NONE;
  if (identity)
    list_identity(x, blocks_in(w, n));
  else
    list_targets(w, loop, arg, x, seen);
}

/* NULL: out of memory, and the arena has failed. */
static const block_map *get_block_map(work *w, const pl_loop *loop, const pl_arg *arg)
{
  const pl_set *to = pl_arg_dat_of(arg)->set;
  int index = arg->map ? arg->index : PL_ID;
  for (block_map *x = w->maps; x < w->maps + w->nmaps; x++)
    if (x->from == loop->set && x->to == to && x->map == arg->map && x->index == index) return x;
  block_map *x = &w->maps[w->nmaps];
  *x = (block_map){.from = loop->set, .to = to, .map = arg->map, .index = index};
  fill_block_map(w, loop, arg, x);
  if (w->arena.failed) return NULL;
  w->nmaps++;
  return x;
}

/* ---- growing tiles ---- */

/* An argument of a loop with access to marked storage. */
typedef struct reach {
  const pl_arg *arg;
  const block_map *map;
  marks *at;
  bool writes, ordered; /* ordered: writes of one loop to a target keep their order */
} reach;

typedef struct growing {
  work *w;
  const pl_loop *loop;
  int n;
  reach *reach;
} growing;

static void collect_reaches(growing *g, const pl_tile_loop *t, reach *reaches)
{
  g->reach = reaches;
  for (int i = 0; i < g->loop->nargs; i++) {
    const pl_arg *arg = &g->loop->args[i];
    marks *at = pl_arg_dat_of(arg) ? marks_of(g->w, t->storage[i]) : NULL;
    if (!at) continue;
    const bool writes = pl_arg_writes(arg);
    const block_map *map = get_block_map(g->w, g->loop, arg);
    if (map)
      g->reach[g->n++] = (reach){arg, map, at, writes, writes && !pl_combines(arg->access) && arg->map};
  }
}

#define EACH_TARGET(r, block, t)                                                                             \
  for (int pl_i = (r)->map->first[block], t;                                                                 \
       pl_i < (r)->map->first[(block) + 1] && (t = (r)->map->target[pl_i], true); pl_i++)

/* The first tile that may contain the block; NONE: any. */
static int find_tile(const growing *g, int block)
{
  const work *w = g->w;
  int tile = NONE;
  for (const reach *r = g->reach; r < g->reach + g->n; r++)
    EACH_TARGET (r, block, target) {
      tile = join_tiles(w, tile, r->at->written[target]);
      if (r->writes) tile = join_tiles(w, tile, r->at->read[target]);
      if (r->ordered) tile = join_tiles(w, tile, r->at->writing[target]);
    }
  return tile;
}

/* Whether another thread writes a target of the block in this loop. */
static bool collides(const growing *g, int block, int tile)
{
  for (const reach *r = g->reach; r < g->reach + g->n; r++)
    if (r->writes && r->arg->map)
      EACH_TARGET (r, block, target)
        if (r->at->writing_tile[target] != NONE &&
            g->w->owner[r->at->writing_tile[target]] != g->w->owner[tile])
          return true;
  return false;
}

static void mark_targets(const growing *g, int block, int tile)
{
  for (const reach *r = g->reach; r < g->reach + g->n; r++)
    EACH_TARGET (r, block, target) {
      if (!r->writes) {
        r->at->read[target] = join_tiles(g->w, r->at->read[target], tile);
        continue;
      }
      r->at->writing[target] = join_tiles(g->w, r->at->writing[target], tile);
      if (tile != g->w->tail) r->at->writing_tile[target] = tile;
    }
}

/* Merges the writes of the present loop into those of earlier loops. */
static void finish_loop(const growing *g)
{
  for (const reach *r = g->reach; r < g->reach + g->n; r++)
    for (int i = 0; r->writes && i < r->at->n; i++) {
      r->at->written[i] = join_tiles(g->w, r->at->written[i], r->at->writing[i]);
      r->at->writing[i] = r->at->writing_tile[i] = NONE;
    }
}

/* The tile of a block without dependences: by its position among n blocks, or by that of its first target
 * block, since a small set may reach any part of a larger one. */
static int initial_tile(const growing *g, int block, int n)
{
  for (const reach *r = g->reach; r < g->reach + g->n; r++) {
    const int *first = &r->map->first[block];
    if (r->arg->map && first[0] < first[1])
      return (int)((int64_t)r->map->target[first[0]] * g->w->tail / r->at->n);
  }
  return (int)((int64_t)block * g->w->tail / n);
}

static void grow_tiles(work *w, int l, reach *reaches)
{
  growing g = {.w = w, .loop = w->request->loop[l].loop};
  int n = blocks_in(w, g.loop->set->end[1]);
  collect_reaches(&g, &w->request->loop[l], reaches);
  for (int b = 0; b < n && !w->arena.failed; b++) {
    int tile = find_tile(&g, b);
    if (tile == NONE) tile = initial_tile(&g, b, n);
    if (tile != w->tail && collides(&g, b, tile)) tile = w->tail;
    mark_targets(&g, b, tile);
    w->tile[l][b] = tile;
  }
  finish_loop(&g);
}

/* ---- parts ---- */

/* Counts the ranges and singles of each tile, and stores them once there are arrays. Positions ascend. */
static void list_parts(const work *w, int l, pl_tiles *t, int *nrange, int *nsingle)
{
  const pl_loop *loop = w->request->loop[l].loop;
  int n = loop->set->end[1], shift = shift_of(w, n), blocks = blocks_in(w, n);
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
      if (t->single[l]) t->single[l][nsingle[tile]] = pl_element_at(loop->set, p);
  }
}

static pl_err build_parts(work *w, pl_tiles *t, int l)
{
  size_t tiles = (size_t)t->ntiles;
  int *nrange = pl_arena_alloc(&w->arena, tiles, sizeof(int)),
      *nsingle = pl_arena_alloc(&w->arena, tiles, sizeof(int));
  PL_TRY(pl_arena_check(&w->arena));
  list_parts(w, l, t, nrange, nsingle);
  for (int k = 0; k < t->ntiles; k++)
    t->part[k * t->nloops + l] = (pl_tile_part){.nranges = nrange[k], .nsingles = nsingle[k]};
  int ranges = pl_sum_counts(t->ntiles, nrange), singles = pl_sum_counts(t->ntiles, nsingle);
  t->range[l] = pl_arena_alloc(&t->arena, (size_t)ranges + 1, sizeof(pl_run));
  t->single[l] = pl_arena_alloc(&t->arena, (size_t)singles + 1, sizeof(int));
  PL_TRY(pl_arena_check(&t->arena));
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
  t->arena.pl = pl;
  t->nloops = request->nloops;
  t->nthreads = request->nthreads;
  t->ntiles = each * request->nthreads + 1;
  t->first = pl_arena_alloc(&t->arena, threads + 1, sizeof *t->first);
  t->part = pl_arena_alloc(&t->arena, (size_t)t->ntiles * loops, sizeof *t->part);
  t->range = pl_arena_alloc(&t->arena, loops, sizeof *t->range);
  t->single = pl_arena_alloc(&t->arena, loops, sizeof *t->single);
  for (int p = 0; t->first && p <= t->nthreads; p++) t->first[p] = p * each;
  return t;
}

void pl_tiles_free(pl_context *pl, pl_tiles *t)
{
  if (!t) return;
  pl_arena_free(&t->arena);
  pl_free(pl, t);
}

static pl_err fill_tiles(work *w, pl_tiles *t)
{
  int most = 0;
  PL_TRY(pl_arena_check(&t->arena));
  w->tail = t->ntiles - 1;
  w->owner = pl_arena_alloc(&w->arena, (size_t)t->ntiles, sizeof *w->owner);
  w->tile = pl_arena_alloc(&w->arena, (size_t)t->nloops, sizeof *w->tile);
  collect_storage(w);
  int nargs = 0;
  for (int l = 0; l < t->nloops && !w->arena.failed; l++) {
    const pl_loop *loop = w->request->loop[l].loop;
    nargs += loop->nargs;
    if (loop->nargs > most) most = loop->nargs;
    w->tile[l] = pl_arena_alloc(&w->arena, (size_t)blocks_in(w, loop->set->end[1]) + 1, sizeof(int));
  }
  w->maps = pl_arena_alloc(&w->arena, (size_t)nargs + 1, sizeof *w->maps);
  reach *reaches = pl_arena_alloc(&w->arena, (size_t)most, sizeof *reaches);
  PL_TRY(pl_arena_check(&w->arena));
  for (int k = 0; k < t->ntiles; k++) w->owner[k] = k == w->tail ? -1 : k / t->first[1];
  for (int l = 0; l < t->nloops; l++) grow_tiles(w, l, reaches);
  PL_TRY(pl_arena_check(&w->arena));
  for (int l = 0; l < t->nloops; l++) PL_TRY(build_parts(w, t, l));
  return PL_SUCCESS;
}

pl_err pl_tiles_make(pl_context *pl, const pl_tile_request *request, pl_tiles **result)
{
  work w = {.pl = pl, .request = request, .arena = {.pl = pl}};
  pl_tiles *t = new_tiles(pl, request);
  if (!t) return pl_fail_memory(pl, sizeof *t);
  pl_err err = fill_tiles(&w, t);
  pl_arena_free(&w.arena);
  if (err) return pl_tiles_free(pl, t), err;
  *result = t;
  return PL_SUCCESS;
}
