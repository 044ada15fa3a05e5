/* SPDX-License-Identifier: BSD-2-Clause
 * Mixed maps, and their maps to all values of a mixed set.
 */
#include "core/comm/comm.h"
#include "core/context/string_builder.h"
#include "mixed_map.h"
#include "plan/base/own_kernel.h"
#include <string.h>

/* ---- declaration ---- */

static pl_err check_part(const pl_mixed_set *to, const pl_set *from, const pl_map *map, int i,
                         const char *name)
{
  pl_context *pl = to->node.pl;
  if (!map && to->set[i]->global_size == 1) return PL_SUCCESS;
  if (!map)
    return pl_fail(pl, PL_ERR_ARG,
                   "mixed map \"%s\": map %d is NULL, but set \"%s\" has %lld elements; it must have one",
                   name, i, to->set[i]->node.name, (long long)to->set[i]->global_size);
  if (map->to != to->set[i])
    return pl_fail(pl, PL_ERR_ARG, "mixed map \"%s\": map %d, \"%s\", ends on \"%s\", not on \"%s\"", name, i,
                   map->node.name, map->to->node.name, to->set[i]->node.name);
  if (map->offset || map->pair_map)
    return pl_fail(pl, PL_ERR_ARG, "mixed map \"%s\": map %d, \"%s\", has no fixed arity", name, i,
                   map->node.name);
  if (map->from == from) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_ARG,
                 "mixed map \"%s\": map %d, \"%s\", starts from \"%s\", but others from \"%s\"", name, i,
                 map->node.name, map->from->node.name, from->node.name);
}

static pl_err check_maps(const pl_mixed_set *to, pl_map *const *maps, const char *name, pl_set **from)
{
  *from = NULL;
  for (int i = 0; i < to->n && !*from; i++)
    if (maps[i]) *from = maps[i]->from;
  if (!*from) return pl_fail(to->node.pl, PL_ERR_ARG, "mixed map \"%s\": all its maps are NULL", name);
  for (int i = 0; i < to->n; i++) PL_TRY(check_part(to, *from, maps[i], i, name));
  return PL_SUCCESS;
}

/* The map from each element to the only element of part i. */
static pl_err make_shared(pl_mixed_map *m, int i)
{
  pl_context *pl = m->node.pl;
  const size_t bytes = (size_t)pl_set_rows(m->from) * sizeof(int);
  int *zeros = pl_malloc_array(pl, bytes);
  pl_err err = pl_agree(pl, zeros ? PL_SUCCESS : pl_fail_memory(pl, bytes));
  if (!err) {
    memset(zeros, 0, bytes);
    err = pl_decl_map(m->from, m->to->set[i], 1, zeros, "shared", &m->map[i]);
  }
  pl_free_array(pl, zeros);
  if (!err) m->own[i] = m->map[i]->node.internal = true;
  return err;
}

static pl_err new_map(pl_mixed_set *to, pl_map *const *maps, pl_set *from, const char *name,
                      pl_mixed_map **result)
{
  pl_context *pl = to->node.pl;
  pl_mixed_map *m = pl_node_new(pl, &pl->mixed_maps, sizeof *m, name);
  if (!m) return PL_ERR_MEMORY;
  m->to = to;
  m->from = from;
  to->ref++;
  m->map = pl_mixed_list(pl, to->n, maps, sizeof *m->map);
  m->own = pl_mixed_list(pl, to->n, NULL, sizeof *m->own);
  *result = m;
  return m->map && m->own ? PL_SUCCESS : PL_ERR_MEMORY;
}

pl_err pl_decl_mixed_map(pl_mixed_set *to, pl_map *const *maps, const char *name, pl_mixed_map **map)
{
  if (!name) name = "(unnamed)";
  PL_TRY_GIVEN(to);
  pl_context *pl = to->node.pl;
  pl_set *from = NULL;
  pl_mixed_map *m = NULL;
  pl_err err = PL_GIVEN_FOR(pl, "pl_decl_mixed_map", name, maps, map);
  if (!err) err = check_maps(to, maps, name, &from);
  PL_TRY(pl_agree_on(pl, err, "mixed map \"%s\" to \"%s\"", name, to->node.name));
  err = pl_agree(pl, new_map(to, maps, from, name, &m));
  for (int i = 0; i < to->n && !err; i++)
    if (!m->map[i]) err = make_shared(m, i);
  if (!err && to->whole) err = pl_mixed_map_join(m);
  if (!err)
    *map = m;
  else if (m)
    pl_mixed_map_destroy(&m->node);
  return err;
}

void pl_mixed_map_destroy(pl_node *node)
{
  pl_mixed_map *m = (pl_mixed_map *)node;
  for (int i = 0; m->map && m->own && i < m->to->n; i++)
    if (m->own[i]) pl_map_free(&m->map[i]);
  pl_map_free(&m->whole);
  m->to->ref--;
  pl_free_all(node->pl, m->map, m->own);
  pl_node_free(node);
}

PL_DEFINE_FREE(pl_mixed_map_free, pl_mixed_map, pl_mixed_map_destroy)

pl_err pl_mixed_map_check(const pl_mixed_map *m)
{
  for (int i = 0; i < m->to->n; i++)
    if (!m->map[i])
      return pl_fail(m->node.pl, PL_ERR_STATE, "mixed map \"%s\": map %d of it was freed", m->node.name, i);
  return PL_SUCCESS;
}

/* ---- to all values ---- */

/* The kernel gets the numbers of an element's targets, 0 where there is none, and lists those of its values.
 */
static pl_err entries_kernel(const pl_mixed_map *m, int *entries, const pl_kernel **kernel)
{
  pl_context *pl = m->node.pl;
  pl_string name, text;
  int first = 0;
  pl_string_init(&name, pl);
  pl_string_init(&text, pl);
  pl_string_add(&name, "pl_mixed_entries");
  for (int i = 0; i < m->to->n; i++) pl_string_add(&name, "_%dx%d", m->map[i]->arity, m->to->dim[i]);
  pl_string_add(&text, "void %s(int64_t *entry", pl_string_chars(&name));
  for (int i = 0; i < m->to->n; i++) pl_string_add(&text, ", const int64_t *n%d", i);
  pl_string_add(&text, ")\n{\n");
  for (int i = 0; i < m->to->n; i++) {
    const int arity = m->map[i]->arity, dim = m->to->dim[i];
    pl_string_add(
      &text,
      "  for (int k = 0; k < %d; k++)\n"
      "    for (int c = 0; c < %d; c++) entry[%d + k * %d + c] = n%d[k] > 0 ? n%d[k] - 1 + c : -1;\n",
      arity, dim, first, dim, i, i);
    first += arity * dim;
  }
  pl_string_add(&text, "}\n");
  *entries = first;
  pl_err err = pl_string_check(&text);
  if (!err) err = pl_string_check(&name);
  if (!err && !(*kernel = pl_own_kernel(pl, pl_string_chars(&name))))
    err = pl_own_kernel_new(pl, pl_string_chars(&name), pl_string_chars(&text), kernel);
  pl_string_free(&name);
  pl_string_free(&text);
  return err;
}

static pl_err find_entries(pl_mixed_map *m, const pl_kernel *kernel, pl_dat *entry)
{
  pl_context *pl = m->node.pl;
  const int n = m->to->n;
  pl_arg *args = pl_calloc(pl, (size_t)n + 1, sizeof *args);
  PL_TRY(pl_agree(pl, args ? PL_SUCCESS : pl_fail_memory(pl, (size_t)(n + 1) * sizeof *args)));
  args[0] = pl_arg_direct(entry, PL_WRITE);
  for (int i = 0; i < n; i++) args[i + 1] = pl_arg_dat(m->to->number[i], PL_ALL, m->map[i], PL_READ);
  pl_err err = pl_par_loop_args(kernel, m->from, n + 1, args);
  pl_free(pl, args);
  return err;
}

/* The view is closed before the map is declared, which may redistribute the sets. */
static pl_err declare_joined(pl_mixed_map *m, pl_dat *entry, int entries)
{
  pl_context *pl = m->node.pl;
  void *view = NULL;
  const size_t bytes = (size_t)m->from->end[1] * (size_t)entries * sizeof(int64_t);
  pl_err err = pl_dat_get(entry, PL_READ, &view);
  int64_t *index = err ? NULL : pl_malloc_array(pl, bytes);
  if (!err && !index) err = pl_fail_memory(pl, bytes);
  if (index && bytes) memcpy(index, view, bytes);
  if (view) pl_dat_put(entry);
  err = pl_agree(pl, err);
  if (!err) err = pl_decl_map_global(m->from, m->to->whole, entries, index, m->node.name, &m->whole);
  if (!err) m->whole->node.internal = true;
  pl_free_array(pl, index);
  return err;
}

pl_err pl_mixed_map_join(pl_mixed_map *m)
{
  pl_context *pl = m->node.pl;
  const pl_kernel *kernel = NULL;
  pl_dat *entry = NULL;
  int entries = 0;
  pl_err err = pl_mixed_map_check(m);
  if (!err && pl_set_rows(m->from) > m->from->end[1])
    err = pl_fail(pl, PL_ERR_ARG, "mixed map \"%s\": set \"%s\" was declared with halos", m->node.name,
                  m->from->node.name);
  if (!err) err = entries_kernel(m, &entries, &kernel);
  PL_TRY(pl_agree(pl, err));
  PL_TRY(pl_decl_dat(m->from, entries, PL_INT64, NULL, "entry", &entry));
  err = find_entries(m, kernel, entry);
  if (!err) err = declare_joined(m, entry, entries);
  pl_dat_free(&entry);
  return err;
}
