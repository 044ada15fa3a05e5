/* SPDX-License-Identifier: BSD-2-Clause
 * Sparsities: declaration, the pattern on first use, tables of global indices.
 */
#include "sparsity.h"
#include "transposed_order.h"
#include "mat_slices.h"
#include "tensor_positions.h"
#include "core/base/sized_struct.h"
#include "core/comm/comm.h"
#include "core/context/observer.h"
#include "core/data/objects.h"
#include "core/exchange/halo.h"
#include <string.h>

bool pl_sparsity_is_square(const pl_sparsity *s)
{
  return s->rows == s->columns && s->block[0] == s->block[1];
}

/* ---- declaring ---- */

/* The row map (k = 0) or the column map of pair p. */
static pl_err check_map(const char *name, const pl_map *map, int k, int p, const pl_set *to)
{
  const char *role = k ? "column" : "row";
  if (!map)
    return pl_fail(to->node.pl, PL_ERR_ARG, "sparsity \"%s\": the %s map of pair %d is NULL", name, role, p);
  if (map->to != to)
    return pl_fail(to->node.pl, PL_ERR_ARG,
                   "sparsity \"%s\": the %s map \"%s\" ends on \"%s\", not on \"%s\"", name, role,
                   map->node.name, map->to->node.name, to->node.name);
  return PL_SUCCESS;
}

static pl_err check_arity(const char *name, const pl_map *map, int k)
{
  if (!map->offset && !map->pair_map) return PL_SUCCESS;
  return pl_fail(map->node.pl, PL_ERR_ARG, "sparsity \"%s\": the %s map \"%s\" has no fixed arity", name,
                 k ? "column" : "row", map->node.name);
}

/* Both maps, of fixed arity from one set. */
static pl_err check_pair(const char *name, const pl_map_pair *pair, int p, const pl_set *rows,
                         const pl_set *columns)
{
  const pl_map *map[2] = {pair->rows, pair->columns};
  const pl_set *to[2] = {rows, columns};
  for (int k = 0; k < 2; k++) {
    PL_TRY(check_map(name, map[k], k, p, to[k]));
    PL_TRY(check_arity(name, map[k], k));
  }
  if (map[0]->from == map[1]->from) return PL_SUCCESS;
  return pl_fail(rows->node.pl, PL_ERR_ARG,
                 "sparsity \"%s\": map \"%s\" starts from \"%s\", but map \"%s\" from \"%s\"", name,
                 map[0]->node.name, map[0]->from->node.name, map[1]->node.name, map[1]->from->node.name);
}

/* A column map alone, from the row set. */
static pl_err check_columns(const char *name, const pl_map *map, int p, const pl_set *rows,
                            const pl_set *columns)
{
  PL_TRY(check_map(name, map, 1, p, columns));
  if (map->pair_map) return check_arity(name, map, 1);
  if (map->from == rows) return PL_SUCCESS;
  return pl_fail(rows->node.pl, PL_ERR_ARG,
                 "sparsity \"%s\": pair %d has no row map, and its column map \"%s\" starts from \"%s\", not "
                 "from \"%s\"",
                 name, p, map->node.name, map->from->node.name, rows->node.name);
}

static pl_err check_declaration(const pl_sparsity *s, const char *name)
{
  pl_context *pl = s->rows->node.pl;
  const pl_set *set[2] = {s->rows, s->columns};
  if (s->columns->node.pl != pl)
    return pl_fail(pl, PL_ERR_ARG, "sparsity \"%s\": its two sets belong to different contexts", name);
  for (int k = 0; k < 2; k++) {
    if (set[k]->parent || set[k]->capacity || set[k]->migrates)
      return pl_fail(pl, PL_ERR_ARG, "sparsity \"%s\": \"%s\" is a %s", name, set[k]->node.name,
                     set[k]->parent ? "subset; rows and columns are those of whole sets"
                                    : "set of variable size, which cannot have a matrix");
    if (s->block[k] < 1)
      return pl_fail(pl, PL_ERR_RANGE,
                     "sparsity \"%s\": blocks of %d x %d values; both numbers must be at least 1", name,
                     s->block[0], s->block[1]);
  }
  if ((int64_t)s->block[0] * s->block[1] > INT32_MAX)
    return pl_fail(pl, PL_ERR_RANGE, "sparsity \"%s\": blocks of %d x %d values; the limit is %d values",
                   name, s->block[0], s->block[1], INT32_MAX);
  if (s->npairs < 0 || (s->npairs && !s->pairs))
    return pl_fail(pl, PL_ERR_ARG, "sparsity \"%s\": %d pairs of maps%s", name, s->npairs,
                   s->npairs > 0 ? ", but their array is NULL" : "");
  for (int p = 0; p < s->npairs; p++)
    PL_TRY(s->pairs[p].rows ? check_pair(name, &s->pairs[p], p, s->rows, s->columns)
                            : check_columns(name, s->pairs[p].columns, p, s->rows, s->columns));
  return PL_SUCCESS;
}

static bool is_same(const pl_sparsity *a, const pl_sparsity *b)
{
  return a->rows == b->rows && a->columns == b->columns && !memcmp(a->block, b->block, sizeof a->block) &&
         a->npairs == b->npairs &&
         (!a->npairs || !memcmp(a->pairs, b->pairs, (size_t)a->npairs * sizeof *a->pairs));
}

static pl_err new_sparsity(const pl_sparsity *like, const char *name, pl_sparsity **result)
{
  pl_context *pl = like->rows->node.pl;
  pl_sparsity *s = pl_node_new(pl, &pl->sparsities, sizeof *s, name);
  if (!s) return PL_ERR_MEMORY;
  const pl_node node = s->node;
  *s = *like;
  s->node = node;
  s->ref = 1;
  s->ids.pl = pl;
  s->pairs = pl_memdup(pl, like->pairs, (size_t)s->npairs * sizeof *s->pairs);
  if (!s->pairs) {
    pl_node_free(&s->node);
    return pl_fail_memory(pl, (size_t)like->npairs * sizeof *like->pairs);
  }
  s->rows->ref++;
  s->columns->ref++;
  *result = s;
  return PL_SUCCESS;
}

static pl_err declare(const pl_sparsity *wanted, const char *name, pl_sparsity **result)
{
  pl_context *pl = wanted->rows->node.pl;
  PL_TRY(pl_agree_on(pl, check_declaration(wanted, name), "sparsity \"%s\" of %d pairs, blocks of %d x %d",
                     name, wanted->npairs, wanted->block[0], wanted->block[1]));
  PL_EACH (pl_sparsity, s, pl->sparsities)
    if (is_same(s, wanted)) return s->ref++, *result = s, PL_SUCCESS;
  return pl_agree(pl, new_sparsity(wanted, name, result));
}

/* The pairs of a program, whose struct has `size` bytes. */
static pl_err take_pairs(pl_context *pl, int n, const pl_map_pair *given, size_t size, pl_map_pair **pairs)
{
  *pairs = NULL;
  if (n < 0 || (n && !given)) return PL_SUCCESS; /* refused by check_declaration */
  if (!(*pairs = pl_calloc(pl, (size_t)n + 1, sizeof **pairs)))
    return pl_fail_memory(pl, (size_t)n * sizeof **pairs);
  for (int p = 0; p < n; p++)
    if (!pl_struct_take(*pairs + p, sizeof **pairs, (const char *)given + (size_t)p * size, size))
      return pl_fail_newer(pl, "pl_map_pair");
  return PL_SUCCESS;
}

pl_err pl_decl_sparsity_sized(pl_set *rows, int row_dim, pl_set *columns, int column_dim, int npairs,
                              const pl_map_pair *pairs, size_t pair_size, const char *name,
                              pl_sparsity **result)
{
  if (!name) name = "(unnamed)";
  pl_context *pl = pl_context_of(rows ? rows : columns);
  PL_TRY(PL_GIVEN_FOR(pl, "pl_decl_sparsity", name, rows, columns, result));
  pl_sparsity wanted = {.rows = rows, .columns = columns, .block = {row_dim, column_dim}, .npairs = npairs};
  pl_err err = pl_agree_on_error(pl, take_pairs(pl, npairs, pairs, pair_size, &wanted.pairs));
  if (!err) err = declare(&wanted, name, result);
  pl_free(pl, wanted.pairs);
  return err;
}

/* ---- building ---- */

static pl_err check_indices(const pl_sparsity *s, const pl_map *map)
{
  if (!map || map->index || !map->from->end[3]) return PL_SUCCESS;
  return pl_fail(s->node.pl, PL_ERR_STATE, "sparsity \"%s\": map \"%s\" was declared without indices",
                 s->node.name, map->node.name);
}

pl_err pl_sparsity_check_pair(const pl_sparsity *s, const pl_map_pair *pair)
{
  PL_TRY(check_pair(s->node.name, pair, 0, s->rows, s->columns));
  PL_TRY(check_indices(s, pair->rows));
  return check_indices(s, pair->columns);
}

static pl_err check_pairs_exist(const pl_sparsity *s)
{
  for (int p = 0; p < s->npairs; p++) {
    if (!s->pairs[p].columns)
      return pl_fail(s->node.pl, PL_ERR_STATE,
                     "sparsity \"%s\": a map of pair %d was freed before the pattern was built", s->node.name,
                     p);
    PL_TRY(check_indices(s, s->pairs[p].rows));
    PL_TRY(check_indices(s, s->pairs[p].columns));
  }
  return PL_SUCCESS;
}

static pl_err build_pattern(pl_sparsity *s, int64_t *nvalues)
{
  pl_context *pl = s->node.pl;
  PL_TRY(check_pairs_exist(s));
  PL_TRY(pl_pattern_build(s->rows, s->columns, s->npairs, s->pairs, pl_sparsity_is_square(s), &s->pattern));
  *nvalues = (int64_t)s->pattern.offset[s->pattern.nrows] * s->block[0] * s->block[1];
  if (*nvalues <= INT32_MAX) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_RANGE,
                 "sparsity \"%s\": %lld values on one rank; the limit is %d, use more ranks", s->node.name,
                 (long long)*nvalues, INT32_MAX);
}

/* The pattern's arrays become those of a map. */
static pl_err make_map(pl_sparsity *s)
{
  pl_err err =
    pl_map_new(s->rows, s->columns, s->pattern.offset, s->pattern.column, s->node.name, &s->coupled);
  if (!err) s->coupled->node.internal = s->coupled->internal = s->coupled->locality_checked = true;
  return err;
}

/* The pattern belongs to its map, if there is one. */
static void free_pattern(pl_sparsity *s)
{
  if (s->coupled)
    pl_map_destroy(&s->coupled->node);
  else
    pl_pattern_free(s->node.pl, &s->pattern);
  s->coupled = NULL;
  s->pattern = (pl_pattern){0};
}

pl_err pl_sparsity_build(pl_sparsity *s)
{
  pl_context *pl = s->node.pl;
  int64_t nvalues = 0;
  if (s->slots) return PL_SUCCESS;
  PL_TRY(pl_notify_distribute(pl));
  PL_TRY(pl_notify_new_loop(pl)); /* sets may be renumbered now, and not later */
  pl_err err = build_pattern(s, &nvalues);
  if (!err) err = make_map(s);
  err = pl_agree(pl, err);
  if (!err) err = pl_internal_set_new(pl, nvalues, s->node.name, &s->slots);
  if (err) return free_pattern(s), err;
  s->rows->numberings++;
  s->columns->numberings++;
  return PL_SUCCESS;
}

/* ---- global indices ---- */

static void put_ids(pl_sparsity *s, const pl_set *set, int n, pl_id_table *table)
{
  for (int e = 0; set->global && e < n && !s->ids.failed; e++)
    pl_id_table_put(&s->ids, table, set->global[e], e);
}

pl_err pl_sparsity_make_ids(pl_sparsity *s)
{
  if (s->has_ids) return PL_SUCCESS;
  put_ids(s, s->rows, s->pattern.nrows, &s->row_of);
  put_ids(s, s->columns, s->pattern.ncolumns, &s->column_of);
  s->has_ids = true;
  return pl_arena_check(&s->ids);
}

static int find_id(const pl_set *set, const pl_id_table *table, int n, int64_t global)
{
  if (set->global) return table->used ? pl_id_table_get(table, global) : -1;
  return global < n ? (int)global : -1;
}

int pl_sparsity_row(const pl_sparsity *s, int64_t global)
{
  return find_id(s->rows, &s->row_of, s->pattern.nrows, global);
}

int pl_sparsity_column(const pl_sparsity *s, int64_t global)
{
  return find_id(s->columns, &s->column_of, s->pattern.ncolumns, global);
}

int64_t pl_sparsity_place(const pl_sparsity *s, int64_t row, int64_t column)
{
  const int r = pl_sparsity_row(s, row / s->block[0]), c = pl_sparsity_column(s, column / s->block[1]);
  const int slot = r < 0 || c < 0 ? -1 : pl_pattern_find(&s->pattern, r, c);
  if (slot < 0) return -1;
  return ((int64_t)slot * s->block[0] + row % s->block[0]) * s->block[1] + column % s->block[1];
}

/* ---- reading and freeing ---- */

pl_err pl_sparsity_csr_sized(pl_sparsity *s, pl_csr *csr, size_t size)
{
  PL_TRY(PL_GIVEN(pl_context_of(s), "pl_sparsity_csr", s, csr));
  PL_TRY(pl_sparsity_build(s));
  const pl_pattern *p = &s->pattern;
  const pl_csr own = {p->nrows,  p->ncolumns, p->offset[p->nrows], s->block[0],       s->block[1],
                      p->offset, p->column,   s->rows->global,     s->columns->global};
  pl_struct_give(csr, size, &own, sizeof own);
  return PL_SUCCESS;
}

static size_t map_bytes(const pl_map *map)
{
  return map ? pl_map_entries(map) * sizeof *map->index : 0;
}

size_t pl_sparsity_bytes(const pl_sparsity *s)
{
  if (!s || !s->slots) return 0;
  const pl_pattern *p = &s->pattern;
  const size_t bytes = ((size_t)p->nrows + 1 + (size_t)p->offset[p->nrows]) * sizeof *p->offset;
  return bytes + pl_sparsity_positions_bytes(s) + pl_narrow_columns_bytes(s->narrow) + pl_slices_bytes(s) +
         map_bytes(s->diagonal) + map_bytes(s->diagonal_blocks) + map_bytes(s->row_of_value) +
         map_bytes(s->column_of_value) + map_bytes(s->ordered_columns) + map_bytes(s->ordered_values);
}

static void destroy_sparsity(pl_sparsity *s)
{
  pl_context *pl = s->node.pl;
  pl_map *const maps[] = {s->diagonal,        s->diagonal_blocks, s->row_of_value,
                          s->column_of_value, s->ordered_columns, s->ordered_values};
  pl_sparsity_positions_free(s, NULL);
  pl_slices_free(s);
  pl_narrow_columns_free(pl, s->narrow);
  pl_products_free(s);
  if (s->interior_first) pl_set_destroy(&s->interior_first->node);
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
    if (maps[i]) pl_map_destroy(&maps[i]->node);
  if (s->slots) {
    s->rows->numberings--;
    s->columns->numberings--;
    pl_set_destroy(&s->slots->node);
  }
  free_pattern(s);
  pl_arena_free(&s->ids);
  s->rows->ref--;
  s->columns->ref--;
  pl_free(pl, s->pairs);
  pl_node_free(&s->node);
}

void pl_sparsity_forget(pl_sparsity *s, const void *object)
{
  for (int p = 0; p < s->npairs; p++)
    if (s->pairs[p].rows == object || s->pairs[p].columns == object) s->pairs[p] = (pl_map_pair){NULL, NULL};
  pl_sparsity_positions_free(s, object);
}

void pl_sparsity_release(pl_sparsity *s)
{
  if (!--s->ref) destroy_sparsity(s);
}

void pl_sparsity_free(pl_sparsity **handle)
{
  if (!handle || !*handle) return;
  pl_sparsity *s = *handle;
  *handle = NULL;
  pl_sparsity_release(s);
}
