/* SPDX-License-Identifier: BSD-2-Clause
 * Which objects an HDF5 file holds: those listed and the sets that they need, or all.
 */
#include "hdf5_selection.h"
#include "core/base/hash.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include <string.h>

static const char *const kind_names[PL_H5_KINDS] = {"set", "map", "dat", "const", "global", "domain"};

pl_h5_selection pl_h5_select(pl_context *pl, const pl_hdf5_objects *objects)
{
  pl_h5_selection s = {.pl = pl, .all = !objects};
  if (objects)
    s = (pl_h5_selection){.pl = pl, .list = {objects->sets, objects->maps, objects->dats, objects->consts}};
  return s;
}

pl_node *pl_h5_first(const pl_context *pl, int kind)
{
  pl_node *const first[PL_H5_KINDS] = {pl->sets, pl->maps, pl->dats, pl->consts, pl->globals, pl->domains};
  return first[kind];
}

static const pl_node *list_item(const void *list, int i)
{
  const pl_node *node = NULL;
  if (list) memcpy(&node, (const char *)list + (size_t)i * sizeof node, sizeof node);
  return node;
}

static bool is_listed(const pl_h5_selection *s, int kind, const pl_node *node)
{
  for (int i = 0; list_item(s->list[kind], i); i++)
    if (list_item(s->list[kind], i) == node) return true;
  return false;
}

/* Whether an object can be in a file: subsets, pair maps and objects of the library cannot. */
static bool is_writable(int kind, const pl_node *node)
{
  const pl_map *map = (const pl_map *)node;
  if (kind == PL_H5_SETS && ((const pl_set *)node)->parent) return false;
  if (kind == PL_H5_MAPS && !map->index && !map->global_index) return false;
  if (kind == PL_H5_GLOBALS && ((const pl_global *)node)->internal) return false;
  return kind == PL_H5_CONSTS || !node->internal;
}

/* Whether a listed map or dat is on the set. */
static bool is_needed(const pl_h5_selection *s, const pl_set *set)
{
  const pl_node *node;
  for (int i = 0; (node = list_item(s->list[PL_H5_MAPS], i)); i++)
    if (((const pl_map *)node)->from == set || ((const pl_map *)node)->to == set) return true;
  for (int i = 0; (node = list_item(s->list[PL_H5_DATS], i)); i++)
    if (((const pl_dat *)node)->set == set) return true;
  return false;
}

pl_node *pl_h5_next(const pl_h5_selection *s, int kind, pl_node *node)
{
  if (kind >= PL_H5_GLOBALS && !s->state) return NULL;
  for (; node; node = node->next)
    if (is_writable(kind, node) &&
        (s->all || is_listed(s, kind, node) || (kind == PL_H5_SETS && is_needed(s, (const pl_set *)node))))
      return node;
  return NULL;
}

/* Fails unless each listed object is one of the context that can be written. */
static pl_err check_lists(const pl_h5_selection *s, const char *path)
{
  for (int kind = 0; kind < PL_H5_KINDS; kind++)
    for (int i = 0; list_item(s->list[kind], i); i++) {
      const pl_node *node = pl_h5_first(s->pl, kind);
      while (node && node != list_item(s->list[kind], i)) node = node->next;
      if (node && is_writable(kind, node)) continue;
      return pl_fail(s->pl, PL_ERR_ARG, "file \"%s\": %s %d of the list %s%s%s", path, kind_names[kind], i,
                     node ? "(\"" : "is not of this context", node ? node->name : "",
                     node ? "\") cannot be in a file" : "");
    }
  return PL_SUCCESS;
}

static pl_err check_names(const pl_h5_selection *s, const char *path)
{
  for (int kind = 0; kind < PL_H5_KINDS; kind++)
    PL_EACH_WRITTEN (s, kind, node)
      for (const pl_node *other = pl_h5_next(s, kind, node->next); other;
           other = pl_h5_next(s, kind, other->next))
        if (!strcmp(node->name, other->name))
          return pl_fail(s->pl, PL_ERR_IO, "file \"%s\": two %ss are called \"%s\"; give each its own name",
                         path, kind_names[kind], node->name);
  return PL_SUCCESS;
}

static pl_err check_views(const pl_h5_selection *s, const char *path)
{
  PL_EACH_WRITTEN (s, PL_H5_DATS, node)
    if (((const pl_dat *)node)->writer)
      return pl_fail(s->pl, PL_ERR_STATE,
                     "file \"%s\": a writable %s view of dat \"%s\" is open; close it with %s first", path,
                     pl_view_kind((const pl_dat *)node), node->name, pl_view_end((const pl_dat *)node));
  return PL_SUCCESS;
}

/* All ranks write the same objects. */
static pl_err check_same(const pl_h5_selection *s, const char *path)
{
  uint64_t hash = PL_HASH_START;
  bool same;
  for (int kind = 0; kind < PL_H5_KINDS; kind++)
    PL_EACH_WRITTEN (s, kind, node) hash = pl_hash(hash ^ (uint64_t)kind, node->name, strlen(node->name));
  PL_TRY(pl_comm_same(s->pl, hash, &same));
  return same ? PL_SUCCESS
              : pl_fail(s->pl, PL_ERR_ARG,
                        "file \"%s\": other ranks list other objects; all must list the same", path);
}

pl_err pl_h5_check_selection(const pl_h5_selection *s, const char *path)
{
  pl_err err = check_lists(s, path);
  if (!err) err = check_names(s, path);
  if (!err) err = check_views(s, path);
  PL_TRY(pl_agree(s->pl, err));
  return check_same(s, path);
}
