/* SPDX-License-Identifier: BSD-2-Clause
 * Positions of local tensors: a map for each pair of maps and masks, made on first use.
 */
#include "tensor_positions.h"
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"
#include "core/context/observer.h"
#include "core/data/objects.h"
#include "plan/execution/plan_cache.h"
#include "plan/sparsity/contributions.h"
#include "plan/sparsity/positions.h"

static int tensor_size(const pl_sparsity *s, const pl_map_pair *pair)
{
  return pair->rows->arity * s->block[0] * pair->columns->arity * s->block[1];
}

/* Of blocks, only the first position is needed, unless masks drop some or contributions have places. */
static bool keeps_values(const pl_tensor_positions *p)
{
  return p->apart || pl_masks_exist(&p->masks);
}

static pl_err build_positions(pl_sparsity *s, pl_tensor_positions *p, int **index)
{
  const size_t n = (size_t)p->of.rows->from->end[2] * (size_t)tensor_size(s, &p->of);
  PL_TRY(pl_positions_build(s->node.pl, &s->pattern, s->block, !keeps_values(p), &p->of, index));
  pl_masks_apply(&p->masks, &p->of, s->block, *index);
  for (size_t i = 0; p->apart && i < n; i++)
    if ((*index)[i] >= 0) (*index)[i] = (int)i;
  return PL_SUCCESS;
}

/* A masked map always has negative entries for the code, and a block no first one that tells the others;
 * other maps have one entry a block. */
static pl_err make_positions(pl_sparsity *s, pl_tensor_positions *p)
{
  const pl_map_pair *pair = &p->of;
  const int arity = tensor_size(s, pair), size = s->block[0] * s->block[1],
            block_values = keeps_values(p) ? 1 : size;
  pl_set *to = p->apart ? pl_contributions_set(p->apart) : s->slots;
  pl_map **map = &p->map;
  char name[128];
  int *index;
  snprintf(name, sizeof name, "%.60s x %.60s", pair->rows->node.name, pair->columns->node.name);
  PL_TRY(build_positions(s, p, &index));
  PL_TRY(pl_map_enter(pair->rows->from, to, arity / block_values, index, name, map));
  (*map)->arity = arity;
  (*map)->block_values = block_values;
  (*map)->node.internal = (*map)->locality_checked = true;
  (*map)->masked = pl_masks_exist(&p->masks);
  if (pl_ranks(s->node.pl) > 1 || (*map)->masked)
    (*map)->has_negative = true; /* the same code on all ranks */
  (*map)->tensor[0] = pair->rows->arity * s->block[0];
  (*map)->tensor[1] = pair->columns->arity * s->block[1];
  if (!p->apart && (!(*map)->masked || size == 1))
    (*map)->tensor_rows =
      (pl_tensor_rows){pair->rows, s->pattern.offset, s->pattern.nrows, {s->block[0], s->block[1]}};
  return PL_SUCCESS;
}

/* ---- a new pair of maps ---- */

static pl_err check_new_pair(const pl_sparsity *s, const pl_map_pair *pair)
{
  pl_context *pl = s->node.pl;
  PL_TRY(pl_sparsity_check_pair(s, pair));
  if (pair->rows->from->capacity || pair->rows->from->migrates)
    return pl_fail(pl, PL_ERR_STATE, "sparsity \"%s\": set \"%s\" has a variable size", s->node.name,
                   pair->rows->from->node.name);
  const int64_t values =
    (int64_t)pair->rows->arity * s->block[0] * (int64_t)pair->columns->arity * s->block[1];
  if (values <= PL_TENSOR_MOST) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_RANGE, "sparsity \"%s\": a local tensor of %lld values; the limit is %d",
                 s->node.name, (long long)values, PL_TENSOR_MOST);
}

/* A new index of masked positions. Loops that use the old one are prepared again; recorded ones run before.
 */
static pl_err replace_index(pl_sparsity *s, pl_tensor_positions *p)
{
  pl_context *pl = s->node.pl;
  int *index = NULL;
  PL_TRY(pl_before_any_access(pl));
  PL_TRY(pl_backend_flush(pl));
  PL_TRY(pl_agree(pl, build_positions(s, p, &index)));
  pl_free_array(pl, p->map->index);
  p->map->index = index;
  pl_map_changed(p->map);
  pl_deferred_drop(pl);
  return PL_SUCCESS;
}

pl_err pl_sparsity_refresh(pl_sparsity *s, pl_tensor_positions *p)
{
  bool changed = false;
  if (!p->map->masked) return PL_SUCCESS;
  pl_err err = pl_masks_read(&p->masks, &changed);
  if (!err && changed) err = replace_index(s, p);
  if (err) pl_masks_free(&p->masks); /* the next call reads them again */
  return err;
}

pl_tensor_positions *pl_sparsity_find_positions(const pl_sparsity *s, const pl_map *map)
{
  pl_tensor_positions *p = s->positions;
  while (p && p->map != map) p = p->next;
  return p;
}

/* Contributions are summed by all positions; masks leave them zero. */
static pl_err make_contributions(pl_sparsity *s, pl_tensor_positions *p)
{
  pl_context *pl = s->node.pl;
  int *position;
  PL_TRY(pl_agree(pl, pl_positions_build(pl, &s->pattern, s->block, false, &p->of, &position)));
  pl_err err =
    pl_contributions_new(&p->of, s->slots, tensor_size(s, &p->of), position, s->node.name, &p->apart);
  pl_free_array(pl, position);
  return err;
}

static pl_err fill_positions(pl_sparsity *s, pl_tensor_positions *p, bool apart)
{
  bool changed;
  PL_TRY(pl_agree(s->node.pl, check_new_pair(s, &p->of)));
  PL_TRY(pl_masks_read(&p->masks, &changed));
  if (apart) PL_TRY(make_contributions(s, p));
  return pl_agree(s->node.pl, make_positions(s, p));
}

static void delete_positions(pl_context *pl, pl_tensor_positions *p)
{
  if (!p) return;
  if (p->map) pl_map_destroy(&p->map->node);
  pl_contributions_free(pl, p->apart);
  pl_masks_free(&p->masks);
  pl_free(pl, p);
}

pl_err pl_sparsity_positions(pl_sparsity *s, const pl_map_pair *pair, pl_dat *const mask[2], bool apart,
                             pl_tensor_positions **positions)
{
  pl_context *pl = s->node.pl;
  for (pl_tensor_positions *p = s->positions; p; p = p->next)
    if (p->of.rows == pair->rows && p->of.columns == pair->columns && p->masks.of[0] == mask[0] &&
        p->masks.of[1] == mask[1] && !p->apart == !apart)
      return *positions = p, pl_sparsity_refresh(s, p);
  PL_TRY(pl_notify_distribute(pl));
  pl_tensor_positions *p = pl_calloc(pl, 1, sizeof *p);
  pl_err err = pl_agree(pl, p ? PL_SUCCESS : pl_fail_memory(pl, sizeof *p));
  if (p) *p = (pl_tensor_positions){.of = *pair, .masks = {.of = {mask[0], mask[1]}}, .next = s->positions};
  if (!err) err = fill_positions(s, p, apart);
  if (err) return delete_positions(pl, p), err;
  s->positions = p;
  pair->rows->from->numberings++;
  *positions = p;
  return PL_SUCCESS;
}

static void free_positions(pl_sparsity *s, pl_tensor_positions **link)
{
  pl_tensor_positions *p = *link;
  *link = p->next;
  p->map->from->numberings--;
  delete_positions(s->node.pl, p);
}

static bool depends_on(const pl_tensor_positions *p, const void *object)
{
  return p->of.rows == object || p->of.columns == object || p->masks.of[0] == object ||
         p->masks.of[1] == object;
}

void pl_sparsity_positions_free(pl_sparsity *s, const void *object)
{
  for (pl_tensor_positions **link = &s->positions; *link;)
    if (!object || depends_on(*link, object))
      free_positions(s, link);
    else
      link = &(*link)->next;
}

size_t pl_sparsity_positions_bytes(const pl_sparsity *s)
{
  size_t bytes = 0;
  for (const pl_tensor_positions *p = s->positions; p; p = p->next)
    bytes +=
      pl_map_entries(p->map) * sizeof *p->map->index + (p->apart ? pl_contributions_bytes(p->apart) : 0);
  return bytes;
}

void pl_sparsity_forget_matrix(pl_sparsity *s, const pl_node *mat)
{
  for (pl_tensor_positions *p = s->positions; p; p = p->next)
    if (p->apart) pl_contributions_forget(p->apart, mat);
}
