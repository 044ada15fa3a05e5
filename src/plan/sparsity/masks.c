/* SPDX-License-Identifier: BSD-2-Clause
 * Reads masks, and drops the rows and columns of local tensors.
 */
#include "masks.h"
#include "core/comm/comm.h"
#include "core/context/observer.h"
#include "core/data/objects.h"
#include "core/exchange/halo.h"
#include "core/threads/threads.h"

pl_err pl_masks_check(const pl_masks *masks, const char *matrix, const pl_map_pair *pair, const int block[2])
{
  for (int k = 0; k < 2; k++) {
    const pl_dat *mask = masks->of[k];
    const pl_set *set = (k ? pair->columns : pair->rows)->to;
    if (!mask || (mask->set == set && mask->dim == block[k] && pl_type_is_integer(mask->type))) continue;
    return pl_fail(
      set->node.pl, PL_ERR_TYPE,
      "matrix \"%s\": its %s mask \"%s\" is a dat of \"%s\" with dim %d of %s; it must be one of \"%s\" "
      "with dim %d of an integer type",
      matrix, k ? "column" : "row", mask->node.name, mask->set->node.name, mask->dim,
      pl_type_name(mask->type), set->node.name, block[k]);
  }
  return PL_SUCCESS;
}

/* ---- reading ---- */

/* The values, as a new array. */
static pl_err read_values(pl_dat *mask, unsigned char **dropped)
{
  pl_context *pl = mask->node.pl;
  const size_t n = (size_t)mask->set->end[3] * (size_t)mask->dim;
  int64_t *value;
  PL_TRY(PL_NEW_ARRAY(pl, value, n + 1));
  pl_err err = PL_NEW_ARRAY(pl, *dropped, n + 1);
  if (!err) err = pl_dat_read_part(mask, 0, mask->set->end[3], PL_INT64, value);
  for (size_t i = 0; i < n && !err; i++) (*dropped)[i] = value[i] != 0;
  pl_free_array(pl, value);
  return err;
}

static pl_err read_mask(pl_masks *masks, int k)
{
  pl_dat *mask = masks->of[k];
  unsigned char *dropped = NULL;
  PL_TRY(pl_halo_refresh(mask));
  pl_err err = pl_agree(mask->node.pl, read_values(mask, &dropped));
  if (err) return pl_free_array(mask->node.pl, dropped), err;
  pl_free_array(mask->node.pl, masks->dropped[k]);
  masks->dropped[k] = dropped;
  masks->version[k] = mask->version;
  return PL_SUCCESS;
}

pl_err pl_masks_read(pl_masks *masks, bool *changed)
{
  *changed = false;
  for (int k = 0; k < 2; k++) {
    if (!masks->of[k]) continue;
    PL_TRY(pl_before_access(&masks->of[k]->node, false));
    if (masks->dropped[k] && masks->version[k] == masks->of[k]->version) continue;
    PL_TRY(read_mask(masks, k));
    *changed = true;
  }
  return PL_SUCCESS;
}

void pl_masks_free(pl_masks *masks)
{
  for (int k = 0; k < 2; k++)
    if (masks->dropped[k]) {
      pl_free_array(masks->of[k]->node.pl, masks->dropped[k]);
      masks->dropped[k] = NULL;
    }
}

/* ---- positions ---- */

/* Whether line i of an element's tensor, a row (k is 0) or a column (1), is dropped. */
static bool drops(const pl_masks *masks, int k, const pl_map *map, int block, int e, int i)
{
  if (!masks->dropped[k]) return false;
  const int target = map->index[(size_t)e * (size_t)map->arity + (size_t)(i / block)];
  return target >= 0 && masks->dropped[k][(size_t)target * (size_t)block + (size_t)(i % block)];
}

static void mask_element(const pl_masks *masks, const pl_map_pair *pair, const int block[2], int e,
                         int *position)
{
  const int height = pair->rows->arity * block[0], width = pair->columns->arity * block[1];
  for (int i = 0; i < height; i++) {
    const bool row = drops(masks, 0, pair->rows, block[0], e, i);
    for (int j = 0; j < width; j++)
      if (row || drops(masks, 1, pair->columns, block[1], e, j)) position[i * width + j] = -1;
  }
}

void pl_masks_apply(const pl_masks *masks, const pl_map_pair *pair, const int block[2], int *positions)
{
  const int n = pair->rows->from->end[2];
  const size_t size = (size_t)(pair->rows->arity * block[0]) * (size_t)(pair->columns->arity * block[1]);
  if (!pl_masks_exist(masks)) return;
  const int threads = pl_plan_threads(n, (size_t)n * size);
  PL_PARALLEL_FOR(threads)
  for (int e = 0; e < n; e++) mask_element(masks, pair, block, e, positions + (size_t)e * size);
}
