/* SPDX-License-Identifier: BSD-2-Clause
 * Partial halos: a map that reaches little of its end's halo gets lists of its own, parts of the set's, so
 * that loops through it exchange no more than they look at. See place.h.
 */
#include "core/comm.h"
#include "place.h"
#include <string.h>

static bool is_candidate(const pl_map *map)
{
  return map->index && !map->pair_map && map->from->halo && map->to->halo && !map->halo;
}

/* Marks the copies that the map's rows reach, which are run on this rank; returns how many. */
static int64_t mark_reached(const pl_map *map, unsigned char *reached)
{
  const pl_set *to = map->to;
  int64_t n = 0;
  size_t entries = pl_map_begin(map, (size_t)map->from->part[2]);
  memset(reached, 0, (size_t)to->part[3] + 1);
  for (size_t i = 0; i < entries; i++) {
    int t = map->index[i];
    if (t < to->part[1] || reached[t]) continue;
    reached[t] = 1;
    n++;
  }
  return n;
}

/* Positions in the receive lists of what is reached, neighbour by neighbour; count[r]: of rank r's. */
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

static pl_halo *take_parts(pl_context *pl, const pl_halo *whole, const int64_t *count, const int *wanted,
                           const int64_t *asked_count, const int *asked)
{
  int64_t takes = 0, gives = 0;
  for (int i = 0; i < whole->n; i++) {
    takes += count[whole->rank[i]];
    gives += asked_count[whole->rank[i]];
  }
  pl_halo *part = pl_halo_new(pl, whole->n, gives, takes);
  for (int i = 0, take = 0, give = 0; part && i < whole->n; i++) {
    part->rank[i] = whole->rank[i];
    part->peer[i] = whole->peer[i];
    for (int64_t k = 0; k < count[whole->rank[i]]; k++, take++)
      part->receive[take] = whole->receive[whole->receive_offset[i] + wanted[take]];
    for (int64_t k = 0; k < asked_count[whole->rank[i]]; k++, give++)
      part->send[give] = whole->send[whole->send_offset[i] + asked[give]];
    part->receive_offset[i + 1] = take;
    part->send_offset[i + 1] = give;
  }
  return part;
}

/* Collective. */
static pl_err make_partial(pl_scratch *scratch, pl_map *map, unsigned char *reached)
{
  pl_context *pl = scratch->pl;
  const pl_halo *whole = map->to->halo;
  size_t ranks = (size_t)pl_ranks(pl);
  int64_t *count = pl_scratch_take(scratch, ranks, sizeof *count);
  int64_t *asked_count = pl_scratch_take(scratch, ranks, sizeof *asked_count);
  int *wanted = pl_scratch_take(scratch, (size_t)whole->receive_offset[whole->n], sizeof *wanted), *asked;
  PL_TRY(pl_agree(pl, pl_scratch_check(scratch)));
  mark_reached(map, reached);
  list_wanted(whole, reached, count, wanted);
  PL_TRY(pl_comm_exchange(pl, sizeof *wanted, wanted, count, (void **)&asked, asked_count));
  pl_halo *part = take_parts(pl, whole, count, wanted, asked_count, asked);
  pl_free_array(pl, asked);
  pl_err err = pl_agree(pl, part ? PL_SUCCESS : PL_ERR_MEMORY);
  if (err)
    pl_halo_free(pl, part);
  else
    map->halo = part;
  return err;
}

static pl_err find_partial(pl_scratch *scratch)
{
  pl_context *pl = scratch->pl;
  size_t maps = 0, most = 0, at = 0;
  for (const pl_node *node = pl->maps; node; node = node->next) {
    const pl_map *map = (const pl_map *)node;
    maps++;
    if (is_candidate(map) && (size_t)map->to->part[3] > most) most = (size_t)map->to->part[3];
  }
  int64_t *sums = pl_scratch_take(scratch, 2 * maps, sizeof *sums);
  unsigned char *reached = pl_scratch_take(scratch, most + 1, 1);
  PL_TRY(pl_agree(pl, pl_scratch_check(scratch)));
  for (const pl_node *node = pl->maps; node; node = node->next, at++) {
    const pl_map *map = (const pl_map *)node;
    if (!is_candidate(map)) continue;
    sums[2 * at] = mark_reached(map, reached);
    sums[2 * at + 1] = map->to->part[3] - map->to->part[1];
  }
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, sums, 2 * maps));
  at = 0;
  for (pl_node *node = pl->maps; node; node = node->next, at++)
    if (is_candidate((pl_map *)node) && sums[2 * at + 1] && 2 * sums[2 * at] <= sums[2 * at + 1])
      PL_TRY(make_partial(scratch, (pl_map *)node, reached));
  return PL_SUCCESS;
}

pl_err pl_halo_partial(pl_context *pl)
{
  pl_scratch scratch = {.pl = pl};
  pl_err err = find_partial(&scratch);
  pl_scratch_free(&scratch);
  return err;
}
