/* SPDX-License-Identifier: BSD-2-Clause
 * Partial halos of maps: sublists of the halo lists of the target set.
 */
#include "partial_halo.h"
#include "core/comm/comm.h"
#include "core/exchange/halo.h"
#include "plan/base/arena.h"
#include "plan/base/object_lists.h"
#include <string.h>

static bool is_candidate(const pl_map *map)
{
  return map->index && !map->pair_map && map->from->halo && map->to->halo && !map->halo;
}

/* The first row that may reach the halo: the core's rows do not, unless particles move. */
static size_t first_row(const pl_map *map)
{
  const bool fixed = !map->internal && !map->mover && !map->no_exec_halo && !map->from->migrates;
  return fixed ? (size_t)map->from->end[0] : 0;
}

/* Marks the halo elements that executed rows of the map reach; returns how many. */
static int64_t mark_reached(const pl_map *map, unsigned char *reached)
{
  const pl_set *to = map->to;
  int64_t n = 0;
  size_t entries = pl_map_begin(map, (size_t)map->from->end[2]);
  memset(reached + to->end[1], 0, (size_t)(to->end[3] - to->end[1]));
  for (size_t i = pl_map_begin(map, first_row(map)); i < entries; i++) {
    int t = map->index[i];
    if (t < to->end[1] || reached[t]) continue;
    reached[t] = 1;
    n++;
  }
  return n;
}

/* Positions of the reached elements in the receive lists, neighbour by neighbour; count[r]: of rank r's. */
static int64_t list_wanted(const pl_halo *halo, const unsigned char *reached, int64_t *count, int *wanted)
{
  int64_t n = 0;
  for (int i = 0; i < halo->n; i++)
    for (int k = halo->receive_offset[i]; k < halo->receive_offset[i + 1]; k++)
      if (reached[halo->receive[k]]) {
        wanted[n++] = k - halo->receive_offset[i];
        count[halo->rank[i]]++;
      }
  return n;
}

static pl_halo *build_sublists(pl_context *pl, const pl_halo *whole, const int64_t *count, const int *wanted,
                               const int64_t *requested_count, const int *requested)
{
  int64_t nreceive = 0, nsend = 0;
  for (int i = 0; i < whole->n; i++) {
    nreceive += count[whole->rank[i]];
    nsend += requested_count[whole->rank[i]];
  }
  pl_halo *part = pl_halo_new(pl, whole->n, nsend, nreceive);
  for (int i = 0, receive = 0, send = 0; part && i < whole->n; i++) {
    part->rank[i] = whole->rank[i];
    part->peer[i] = whole->peer[i];
    for (int64_t k = 0; k < count[whole->rank[i]]; k++, receive++)
      part->receive[receive] = whole->receive[whole->receive_offset[i] + wanted[receive]];
    for (int64_t k = 0; k < requested_count[whole->rank[i]]; k++, send++)
      part->send[send] = whole->send[whole->send_offset[i] + requested[send]];
    part->receive_offset[i + 1] = receive;
    part->send_offset[i + 1] = send;
  }
  return part;
}

static pl_err build_partial(pl_arena *arena, pl_map *map, unsigned char *reached)
{
  pl_context *pl = arena->pl;
  const pl_halo *whole = map->to->halo;
  size_t ranks = (size_t)pl_ranks(pl);
  int64_t *count = pl_arena_alloc(arena, ranks, sizeof *count);
  int64_t *requested_count = pl_arena_alloc(arena, ranks, sizeof *requested_count);
  int *wanted = pl_arena_alloc(arena, (size_t)whole->receive_offset[whole->n], sizeof *wanted), *requested;
  PL_TRY(pl_arena_agree(arena));
  mark_reached(map, reached);
  list_wanted(whole, reached, count, wanted);
  PL_TRY(pl_comm_all_to_all(pl, sizeof *wanted, wanted, count, (void **)&requested, requested_count));
  pl_halo *part = build_sublists(pl, whole, count, wanted, requested_count, requested);
  pl_free_array(pl, requested);
  pl_err err = pl_agree(pl, part ? PL_SUCCESS : PL_ERR_MEMORY);
  if (err) return pl_halo_free(pl, part), err;
  map->halo = part;
  return PL_SUCCESS;
}

static pl_err build_all(pl_arena *arena)
{
  pl_context *pl = arena->pl;
  size_t maps = pl_node_count(pl->maps), most = 0, at = 0;
  PL_EACH (pl_map, map, pl->maps)
    if (is_candidate(map) && (size_t)map->to->end[3] > most) most = (size_t)map->to->end[3];
  int64_t *sums = pl_arena_alloc(arena, 2 * maps, sizeof *sums);
  unsigned char *reached = pl_arena_alloc(arena, most + 1, 1);
  PL_TRY(pl_arena_agree(arena));
  PL_EACH (pl_map, map, pl->maps) {
    if (is_candidate(map)) {
      sums[2 * at] = mark_reached(map, reached);
      sums[2 * at + 1] = map->to->end[3] - map->to->end[1];
    }
    at++;
  }
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, sums, 2 * maps));
  at = 0;
  PL_EACH (pl_map, map, pl->maps) {
    if (is_candidate(map) && sums[2 * at + 1] && 2 * sums[2 * at] <= sums[2 * at + 1])
      PL_TRY(build_partial(arena, map, reached));
    at++;
  }
  return PL_SUCCESS;
}

pl_err pl_halo_partial(pl_context *pl)
{
  pl_arena arena = {.pl = pl};
  pl_err err = build_all(&arena);
  pl_arena_free(&arena);
  return err;
}
