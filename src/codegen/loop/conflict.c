/* SPDX-License-Identifier: BSD-2-Clause
 * Which conflict strategies are right for a loop.
 */
#include "conflict.h"
#include "core/loop/loop.h"
#include "core/loop/reduction.h"
#include <string.h>

enum { MOST_CONTRIBUTED = 256 };

bool pl_collides(const pl_loop *loop)
{
  return loop->indirect_write;
}

const char *pl_conflict_name(pl_conflict conflict)
{
  static const char *const names[] = {"colour", "stage", "atomic", "combine", "gather", "store"};
  return names[conflict];
}

size_t pl_private_bytes(const pl_loop *loop)
{
  size_t bytes = 0;
  PL_EACH_ARG (arg, loop)
    if (pl_arg_reduces(arg) || (pl_arg_is_record(arg) && !pl_arg_is_row(arg)))
      bytes += (size_t)pl_arg_targets(arg) * (size_t)pl_arg_dim(arg) * pl_type_size(pl_arg_type(arg));
  return bytes;
}

/* ---- increments ---- */

int pl_max_increments(const pl_loop *loop)
{
  int n = 1;
  PL_EACH_ARG (arg, loop) n += pl_arg_is_foreign(arg) ? 0 : pl_arg_targets(arg);
  return n;
}

static bool increments_one_set(const pl_loop *loop)
{
  const pl_set *to = NULL;
  PL_EACH_ARG (arg, loop) {
    if (!pl_arg_collides(arg)) continue;
    const pl_loop_access *access = pl_loop_access_to(loop, arg->object);
    if (!access->sums || !access->mapped || arg->fixed || (to && to != arg->map->to)) return false;
    to = arg->map->to;
  }
  return to != NULL;
}

int pl_reach_find(int n, const pl_reach *reach, const pl_map *map, int index)
{
  int r = 0;
  while (r < n && (reach[r].map != map || reach[r].index != index)) r++;
  return r;
}

int pl_reach_add(int n, pl_reach *reach, const pl_arg *arg)
{
  int first = arg->index == PL_ALL ? 0 : arg->index;
  for (int k = first; k < first + pl_arg_targets(arg); k++)
    if (pl_reach_find(n, reach, arg->map, k) == n) reach[n++] = (pl_reach){.map = arg->map, .index = k};
  return n;
}

/* Values of the records that an element contributes: of each incremented dat, one record for each slot. */
static int contributed_values(const pl_loop *loop, int nslots)
{
  int values = 0;
  PL_EACH_ACCESS (access, loop) {
    const pl_dat *dat = access->dat;
    if (dat && access->collides) values += nslots * dat->dim * (pl_type_is_complex(dat->type) ? 2 : 1);
  }
  return values;
}

int pl_loop_increments(const pl_loop *loop, pl_reach *slot)
{
  int n = 0;
  if (!increments_one_set(loop)) return 0;
  PL_EACH_ARG (arg, loop)
    if (pl_arg_collides(arg)) n = pl_reach_add(n, slot, arg);
  return contributed_values(loop, n) <= MOST_CONTRIBUTED ? n : 0;
}

bool pl_writes_increments_alone(const pl_loop *loop)
{
  PL_EACH_ARG (arg, loop)
    if (pl_arg_writes(arg) && !pl_arg_collides(arg)) return false;
  return true;
}

/* The rows of larger tensors would call the kernel too often. */
enum { MOST_TENSOR_ROWS = 16 };

static bool is_tensor(const pl_loop *loop, const pl_arg *arg)
{
  return arg->map->tensor_rows.of && arg->map->tensor_rows.of->arity <= MOST_TENSOR_ROWS &&
         arg->access == PL_INC && arg->index == PL_ALL && !arg->fixed &&
         !pl_type_is_complex(pl_arg_type(arg)) && pl_loop_access_to(loop, arg->object)->sums;
}

const pl_arg *pl_tensor_arg(const pl_loop *loop)
{
  const pl_arg *only = NULL;
  if (!pl_writes_increments_alone(loop)) return NULL;
  PL_EACH_ARG (arg, loop) {
    if (!pl_arg_collides(arg)) continue;
    if (only || !is_tensor(loop, arg)) return NULL;
    only = arg;
  }
  return only;
}

/* ---- words of row entries ---- */

int pl_entry_word_base(int nslots, int degree)
{
  return degree ? 2 * nslots : nslots;
}

/* Whether a target of the map may be the first word, of which the slot is a part. */
static bool can_hold_slot(const pl_map *map, int nslots)
{
  return !map->has_negative && (int64_t)map->to->end[3] * pl_entry_word_base(nslots, 1) <= INT32_MAX;
}

/* Unless fields of their own hold the slots, the first word does, if no target is missing or too large. */
static void find_words(const pl_loop *loop, bool fields, pl_increments *all)
{
  const pl_reach *slot = all->reach;
  pl_reach *word = all->word;
  int n = 0, read = 0, kept = 0, nslots = all->n;
  bool element = false, holds = true;
  PL_EACH_ARG (arg, loop) {
    if (arg->off || pl_arg_traits_of(arg)->shared) continue;
    bool row = pl_arg_is_row(arg); /* found from the element by its own map */
    element |= !arg->map || row;
    holds &= !arg->map || can_hold_slot(arg->map, nslots);
    if (arg->map && !row && !pl_arg_writes(arg)) n = pl_reach_add(n, word, arg);
  }
  for (int s = 0; s < nslots; s++) read += pl_reach_find(n, word, slot[s].map, slot[s].index) < n;
  bool own = all->own = read == nslots;
  for (int r = 0; r < n; r++)
    if (!own || pl_reach_find(nslots, slot, word[r].map, word[r].index) == nslots) word[kept++] = word[r];
  for (int s = 0; own && s < nslots - 1; s++)
    word[kept++] = (pl_reach){.map = slot[s].map, .index = s, .group = PL_OTHER};
  all->nwords = kept;
  if (!element && (fields || (holds && kept))) return;
  memmove(word + 1, word, (size_t)kept * sizeof *word);
  word[0] = (pl_reach){.index = PL_ID, .group = element ? 0 : PL_UNREAD};
  all->nwords++;
}

/* The targets of the rows of a tensor. */
static int tensor_slots(const pl_arg *arg, pl_reach *slot)
{
  const pl_map *rows = arg->map->tensor_rows.of;
  for (int i = 0; i < rows->arity; i++) slot[i] = (pl_reach){.map = rows, .index = i};
  return rows->arity;
}

pl_err pl_increments_make(const pl_loop *loop, bool by_row, pl_increments *all)
{
  int most = pl_max_increments(loop);
  size_t bytes = (2 * (size_t)most + 1) * sizeof *all->reach;
  *all = (pl_increments){.reach = pl_malloc(loop->pl, bytes)};
  if (!all->reach) return pl_fail_memory(loop->pl, bytes);
  all->word = all->reach + most;
  all->n = by_row ? tensor_slots(pl_tensor_arg(loop), all->reach) : pl_loop_increments(loop, all->reach);
  find_words(loop, by_row, all);
  return PL_SUCCESS;
}

void pl_increments_free(const pl_loop *loop, pl_increments *all)
{
  pl_free(loop->pl, all->reach);
}

/* ---- staging ---- */

/* The one index of a map by which the loop reaches the dat, or PL_ALL. */
static int common_index(const pl_loop *loop, const pl_arg *arg)
{
  PL_EACH_ARG (other, loop)
    if (pl_arg_accesses(other, arg->object) && other->map == arg->map && other->index != arg->index)
      return PL_ALL;
  return arg->index;
}

/* A dat that is written: all its uses must go through one copy, or all must be sums or extremes in copies of
 * their own. */
static bool uses_agree(const pl_loop *loop, const pl_arg *arg)
{
  PL_EACH_ARG (other, loop) {
    if (!pl_arg_accesses(other, arg->object)) continue;
    if (!other->map || pl_combines(other->access) != pl_combines(arg->access)) return false;
    if (pl_combines(arg->access) ? other->access != arg->access : other->map != arg->map) return false;
  }
  return true;
}

static bool is_written_at(const pl_loop *loop, const pl_arg *arg, int index)
{
  PL_EACH_ARG (other, loop)
    if (pl_arg_accesses(other, arg->object) && other->map == arg->map && pl_arg_writes(other) &&
        (other->index == PL_ALL || other->index == index))
      return true;
  return false;
}

static bool staged_by(const pl_loop *loop, int i, pl_reach *list)
{
  const pl_arg *arg = &loop->args[i];
  if (!pl_arg_is_record(arg) || arg->off || !arg->map || arg->fixed || pl_arg_is_row(arg) || !pl_arg_dim(arg))
    return false;
  *list = (pl_reach){.map = arg->map, .index = common_index(loop, arg)};
  if (!pl_loop_writes(loop, arg->object)) return true;
  int first = list->index == PL_ALL ? 0 : list->index,
      last = list->index == PL_ALL ? arg->map->arity - 1 : first;
  for (int k = first; k <= last; k++)
    if (!is_written_at(loop, arg, k)) return false;
  return uses_agree(loop, arg);
}

int pl_stage_list(const pl_loop *loop, int i, int *nlists, pl_reach *list)
{
  pl_reach wanted;
  if (!staged_by(loop, i, &wanted)) return -1;
  int l = pl_reach_find(*nlists, list, wanted.map, wanted.index);
  if (l == *nlists) list[(*nlists)++] = wanted;
  return l;
}
