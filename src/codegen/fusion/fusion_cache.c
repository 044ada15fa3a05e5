/* SPDX-License-Identifier: BSD-2-Clause
 * Lookup in the cache, and freeing: with an object, when storage is reordered, at the end.
 */
#include "fusion_cache.h"
#include "core/base/hash.h"
#include "core/context/observer.h"
#include "core/exchange/halo.h"
#include "core/tools/tools.h"
#include <string.h>

static bool uses_object(const pl_derived *d, const void *object)
{
  bool uses = d->dat && object == *d->dat;
  for (int i = 0; i < PL_DERIVED_FROM; i++) uses |= object == d->from[i];
  for (int i = 0; i < PL_DERIVED_MAPS; i++) {
    const pl_map *map = d->map[i] ? *d->map[i] : NULL;
    uses |= map && (object == map || object == map->from || object == map->to);
  }
  return uses;
}

/* Frees an entry, and its maps and dat unless the context does, except one that is being freed already. */
static void free_entry(pl_context *pl, pl_derived *d, bool objects, const void *gone)
{
  for (int i = 0; objects && i < PL_DERIVED_MAPS; i++)
    if (d->map[i] && *d->map[i] && *d->map[i] != gone) pl_map_free(d->map[i]);
  if (objects && d->dat && *d->dat && *d->dat != gone) pl_dat_free(d->dat);
  if (d->blocks && d->blocks->device) pl->backend->data->buffer_free(pl, d->blocks->device);
  if (d->blocks) pl_free(pl, d->blocks->first);
  pl_free(pl, d);
}

/* Frees the entries of a kind that use the object, or all for NULL. Freeing an object of an entry calls this
 * again: so the entry is taken out of the list first, and the list is read from its start afterwards. */
static void free_users(pl_context *pl, int kind, const void *object)
{
  pl_fusion_cache *cache = pl->deferred.fused;
  for (pl_derived **link = &cache->derived[kind]; *link;) {
    pl_derived *d = *link;
    if (object && !uses_object(d, object)) {
      link = &d->next;
      continue;
    }
    *link = d->next;
    free_entry(pl, d, true, object);
    link = &cache->derived[kind];
  }
}

static bool fused_names(const pl_fused *fused, const void *object)
{
  bool names = pl_loop_names(fused->loop, object);
  for (int m = 0; m < fused->nmembers; m++) names |= pl_loop_names(fused->member[m], object);
  for (int s = 0; s < fused->nswap; s++) names |= fused->swap[s][0] == object || fused->swap[s][1] == object;
  return names;
}

/* Frees the entries whose loops go with the object, or all for NULL: another loop may get the address of one
 * that goes, and addresses are in the keys. */
static void free_fused(pl_context *pl, const void *object)
{
  pl_fusion_cache *cache = pl->deferred.fused;
  for (pl_fused **link = &cache->loops; *link;) {
    pl_fused *fused = *link;
    if (object && !fused_names(fused, object)) {
      link = &fused->next;
      continue;
    }
    *link = fused->next;
    pl_free(pl, fused);
  }
}

/* An object is freed; NULL: only the loops are. */
static void forget_object(pl_context *pl, pl_object_kind kind, void *object)
{
  (void)kind;
  free_fused(pl, object);
  for (int k = 0; object && k < PL_DERIVED_KINDS; k++) free_users(pl, k, object);
}

/* Storage is reordered: all entries but double buffers go. */
static void drop_maps(pl_context *pl)
{
  forget_object(pl, PL_OBJECT_SET, NULL);
  for (int k = 0; k < PL_DOUBLE_BUFFERS; k++) free_users(pl, k, NULL);
}

/* The context frees the objects of the entries. */
static void close_cache(pl_context *pl)
{
  pl_fusion_cache *cache = pl->deferred.fused;
  forget_object(pl, PL_OBJECT_SET, NULL);
  for (int k = 0; k < PL_DERIVED_KINDS; k++)
    for (pl_derived *d = cache->derived[k], *next; d; d = next) {
      next = d->next;
      free_entry(pl, d, false, NULL);
    }
  pl_fragments_free(pl);
  pl_free(pl, cache);
  pl->deferred.fused = NULL;
  pl->deferred.fusion = NULL;
}

static const pl_observer observer = {
  .object_freed = forget_object, .storage_moves = drop_maps, .close = close_cache};

pl_fusion_cache *pl_fusion_cache_of(pl_context *pl)
{
  if (pl->deferred.fused) return pl->deferred.fused;
  pl->deferred.fused = pl_calloc(pl, 1, sizeof(pl_fusion_cache));
  if (pl->deferred.fused)
    pl->deferred.fusion = &observer;
  else
    pl_fail_memory(pl, sizeof(pl_fusion_cache));
  return pl->deferred.fused;
}

void *pl_derived_first(const pl_context *pl, pl_derived_kind kind)
{
  return ((pl_fusion_cache *)pl->deferred.fused)->derived[kind];
}

void *pl_derived_next(void *entry)
{
  return ((pl_derived *)entry)->next;
}

void pl_derived_keep(pl_context *pl, pl_derived_kind kind, pl_derived *entry)
{
  pl_fusion_cache *cache = pl->deferred.fused;
  entry->next = cache->derived[kind];
  cache->derived[kind] = entry;
}

/* ---- loops ---- */

uint64_t pl_fused_key(const char *form, int n, const void *const *object)
{
  uint64_t key = pl_hash(PL_HASH_START, form, strlen(form));
  return pl_hash(key, object, sizeof *object * (size_t)n);
}

const pl_fused *pl_fused_find(const pl_context *pl, uint64_t key)
{
  const pl_fusion_cache *cache = pl->deferred.fused;
  const pl_fused *fused = cache ? cache->loops : NULL;
  while (fused && fused->key != key) fused = fused->next;
  return fused;
}

pl_err pl_fused_keep(pl_context *pl, uint64_t key, pl_loop *loop, int nmembers, int nswap, pl_dat *(*swap)[2],
                     pl_fused **result)
{
  pl_fusion_cache *cache = pl->deferred.fused;
  const size_t bytes = sizeof(pl_fused) + (size_t)nmembers * sizeof(const pl_loop *);
  pl_fused *fused = pl_calloc(pl, 1, bytes);
  if (!fused) return pl_fail_memory(pl, bytes);
  *fused = (pl_fused){.next = cache->loops, .key = key, .loop = loop, .nswap = nswap, .nmembers = nmembers};
  memcpy(fused->swap, swap, (size_t)nswap * sizeof *swap);
  *result = cache->loops = fused;
  return PL_SUCCESS;
}

/* ---- maps and double buffers ---- */

pl_err pl_internal_map_new(pl_set *from, pl_set *to, int arity, int *index, bool negative, const char *name,
                           pl_map **map)
{
  PL_TRY(pl_map_enter(from, to, arity, index, name, map));
  (*map)->node.internal = (*map)->internal = (*map)->locality_checked = true;
  if (pl_ranks(from->node.pl) > 1) (*map)->has_negative = negative;
  return PL_SUCCESS;
}

pl_map *pl_composed_map(pl_context *pl, const pl_map *inner, const pl_map *outer)
{
  for (pl_composed *c = pl_derived_first(pl, PL_COMPOSED_MAPS); c; c = pl_derived_next(c))
    if (c->inner == inner && c->outer == outer) return c->map;
  const bool negative = inner->has_negative || outer->has_negative;
  char name[128];
  pl_composed *c;
  if (PL_NEW(pl, c, 1)) return NULL;
  pl_event_begin(pl, PL_TOOL_PLAN, "composed map", inner->from->node.name, 0);
  int *index = pl_map_composed(outer, inner);
  pl_event_end(pl, PL_TOOL_PLAN);
  snprintf(name, sizeof name, "%.50s of %.50s", outer->node.name, inner->node.name);
  if (!index || pl_internal_map_new(inner->from, outer->to, inner->arity * outer->arity, index, negative,
                                    name, &c->map)) {
    pl_free(pl, c);
    return NULL;
  }
  c->map->row_mask = inner->row_mask;
  *c = (pl_composed){{.from = {inner, outer, outer->from}, .map = {&c->map}}, inner, outer, c->map};
  pl_derived_keep(pl, PL_COMPOSED_MAPS, &c->base);
  return c->map;
}

pl_dat *pl_double_buffer_of(pl_context *pl, pl_dat *dat)
{
  char name[128];
  for (pl_double_buffer *d = pl_derived_first(pl, PL_DOUBLE_BUFFERS); d; d = pl_derived_next(d))
    if (d->of == dat) return d->dat;
  pl_double_buffer *d = pl_calloc(pl, 1, sizeof *d);
  snprintf(name, sizeof name, "%.100s next", dat->node.name);
  if (!d || pl_decl_dat_shape(dat->set, dat->rank, dat->shape, dat->type, NULL, name, &d->dat)) {
    pl_free(pl, d);
    return NULL;
  }
  d->dat->storage.layout.tile = dat->storage.layout.tile;
  d->dat->storage.layout.pack = dat->storage.layout.pack;
  d->dat->pinned = dat->pinned;
  *d = (pl_double_buffer){{.from = {dat}, .dat = &d->dat}, dat, d->dat};
  pl_derived_keep(pl, PL_DOUBLE_BUFFERS, &d->base);
  return d->dat;
}
