/* SPDX-License-Identifier: BSD-2-Clause
 * Verifier of sparse tiles: compares all accesses to each value pairwise.
 */
#include "sparse_tiling_verify.h"
#include "core/loop/loop.h"
#include "plan/base/arena.h"

enum { NONE = -1 };

/* The tile of each element, from the parts; false if an element is in none or in two. */
static bool read_tiles(const pl_tiles *t, const pl_loop *loop, int l, int *tile)
{
  int n = loop->set->end[1], found = 0;
  for (int k = 0; k < t->ntiles; k++) {
    const pl_tile_part *part = &t->part[k * t->nloops + l];
    for (int r = 0; r < part->nranges; r++)
      for (int p = part->range[r].begin; p < part->range[r].end; p++, found++)
        tile[pl_element_at(loop->set, p)] = k;
    for (int i = 0; i < part->nsingles; i++, found++) tile[part->single[i]] = k;
  }
  for (int p = 0; p < n; p++)
    if (tile[pl_element_at(loop->set, p)] == NONE) return false;
  return found == n;
}

typedef struct access {
  int loop, position, component, tile; /* component: -1 for all */
  bool writes, ordered;
} access;

/* Elements of one loop conflict only if both write; a loop that reads other elements' writes is refused. */
static bool conflict_in_loop(const access *a, const access *b)
{
  bool disjoint = a->component >= 0 && b->component >= 0 && a->component != b->component;
  return a->writes && b->writes && !disjoint;
}

static bool in_order(const pl_tiles *t, const access *a, const access *b)
{
  int tail = t->ntiles - 1, threads[2] = {a->tile / t->first[1], b->tile / t->first[1]};
  if (a->loop == b->loop) {
    if (!conflict_in_loop(a, b)) return true;
    if (!a->ordered && !b->ordered) return a->tile == tail || b->tile == tail || threads[0] == threads[1];
    if (a->position > b->position) return in_order(t, b, a);
  }
  if (!a->writes && !b->writes) return true;
  return b->tile == tail || (a->tile <= b->tile && threads[0] == threads[1]);
}

static bool storage_is_in_order(const pl_tile_request *request, const pl_tiles *t, int *const *tile,
                                const void *storage, int value)
{
  enum { MOST = 512 };
  access list[MOST];
  int n = 0;
  for (int l = 0; l < t->nloops; l++) {
    const pl_loop *loop = request->loop[l].loop;
    for (int i = 0; i < loop->nargs; i++) {
      const pl_arg *arg = &loop->args[i];
      if (!pl_arg_dat_of(arg) || request->loop[l].storage[i] != storage) continue;
      bool writes = pl_arg_writes(arg), ordered = writes && !pl_combines(arg->access);
      for (int p = 0; p < loop->set->end[1]; p++)
        for (int k = 0; k < pl_arg_targets(arg); k++)
          if (pl_arg_target(arg, pl_element_at(loop->set, p), k) == value && n < MOST)
            list[n++] = (access){l, p, arg->component, tile[l][pl_element_at(loop->set, p)], writes, ordered};
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
  pl_arena arena = {.pl = pl};
  int **tile = pl_arena_alloc(&arena, (size_t)t->nloops, sizeof *tile);
  *why = NULL;
  for (int l = 0; l < t->nloops && !arena.failed; l++) {
    int n = pl_set_base(request->loop[l].loop->set)->end[3];
    tile[l] = pl_arena_alloc(&arena, (size_t)n + 1, sizeof **tile);
    for (int i = 0; tile[l] && i < n; i++) tile[l][i] = NONE;
    if (!arena.failed && !read_tiles(t, request->loop[l].loop, l, tile[l]))
      *why = "an element is in no tile, or in two";
  }
  for (int l = 0; l < t->nloops && !*why && !arena.failed; l++)
    for (int i = 0; i < request->loop[l].loop->nargs && !*why; i++) {
      const pl_dat *dat = pl_arg_dat_of(&request->loop[l].loop->args[i]);
      for (int v = 0; dat && v < dat->set->end[3] && !*why; v++)
        if (!storage_is_in_order(request, t, tile, request->loop[l].storage[i], v))
          *why = "an element is before one on which it depends";
    }
  if (arena.failed) *why = "the tiles cannot be checked: out of memory";
  pl_arena_free(&arena);
  return !*why;
}
