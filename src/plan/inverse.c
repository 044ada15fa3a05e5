/* SPDX-License-Identifier: BSD-2-Clause
 * The inverse of maps, by counting, prefix sum and filling.
 */
#include "inverse.h"
#include "build.h"

static int target(const pl_reach *reach, int element)
{
  return reach->map->index[(size_t)element * (size_t)reach->map->arity + (size_t)reach->index];
}

/* offset[t + 1] becomes the number of entries of target t. */
static int64_t count(const pl_set *set, int nslots, const pl_reach *reach, int *offset)
{
  int64_t n = 0;
  for (int i = 0; i < set->part[3]; i++)
    for (int s = 0; s < nslots; s++) {
      int t = target(&reach[s], pl_element_at(set, i));
      if (t < 0) continue;
      offset[t + 1]++;
      n++;
    }
  return n;
}

/* Elements come in ascending order, so every row does; offset[t] is moved along and ends where t + 1 begins.
 */
static void fill(const pl_set *set, int nslots, const pl_reach *reach, pl_inverse *inverse)
{
  for (int i = 0; i < set->part[3]; i++)
    for (int s = 0; s < nslots; s++) {
      int element = pl_element_at(set, i), t = target(&reach[s], element);
      if (t >= 0) inverse->entry[inverse->offset[t]++] = element * nslots + s;
    }
  for (int t = inverse->ntargets; t > 0; t--) inverse->offset[t] = inverse->offset[t - 1];
  inverse->offset[0] = 0;
}

pl_err pl_inverse_build(pl_context *pl, const pl_set *set, int nslots, const pl_reach *reach,
                        pl_inverse *inverse)
{
  int ntargets = reach[0].map->to->part[3];
  *inverse = (pl_inverse){.ntargets = ntargets, .nslots = nslots};
  if ((int64_t)pl_set_total(set->parent ? set->parent : set) * nslots > INT32_MAX)
    return pl_fail(pl, PL_ERR_RANGE, "the inverse of map \"%s\" has more than %d entries",
                   reach[0].map->node.name, INT32_MAX);
  inverse->offset = pl_calloc(pl, (size_t)ntargets + 2, sizeof(int));
  if (!inverse->offset) return pl_fail_memory(pl, ((size_t)ntargets + 2) * sizeof(int));
  int64_t n = count(set, nslots, reach, inverse->offset);
  for (int t = 0; t < ntargets; t++) inverse->offset[t + 1] += inverse->offset[t];
  inverse->nentries = (int)n;
  inverse->entry = pl_malloc_array(pl, (size_t)n * sizeof(int));
  if (!inverse->entry) {
    pl_inverse_free(pl, inverse);
    return pl_fail_memory(pl, (size_t)n * sizeof(int));
  }
  fill(set, nslots, reach, inverse);
  return PL_SUCCESS;
}

void pl_inverse_free(pl_context *pl, pl_inverse *inverse)
{
  pl_free(pl, inverse->offset);
  pl_free_array(pl, inverse->entry);
  *inverse = (pl_inverse){0};
}
