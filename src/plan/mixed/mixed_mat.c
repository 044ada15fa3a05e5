/* SPDX-License-Identifier: BSD-2-Clause
 * Mixed matrices: declaration and parts, also after parts are freed.
 */
#include "core/base/scalar_type.h"
#include "core/comm/comm.h"
#include "mixed_mat.h"

/* ---- declaration ---- */

static pl_err check_pairs(const pl_mixed_mat *like, int npairs, pl_mixed_map *const *maps[2],
                          const char *name)
{
  pl_context *pl = like->side[0]->node.pl;
  if (npairs < 0 || (npairs && (!maps[0] || !maps[1])))
    return pl_fail(pl, PL_ERR_ARG, "mixed matrix \"%s\": %d pairs of maps%s", name, npairs,
                   npairs > 0 ? ", but an array of them is NULL" : "");
  for (int p = 0; p < npairs; p++)
    for (int k = 0; k < 2; k++) {
      const pl_mixed_map *map = maps[k][p];
      const char *role = k ? "column" : "row";
      if (!map)
        return pl_fail(pl, PL_ERR_ARG, "mixed matrix \"%s\": the %s map of pair %d is NULL", name, role, p);
      if (map->to != like->side[k])
        return pl_fail(pl, PL_ERR_ARG, "mixed matrix \"%s\": the %s map \"%s\" ends on \"%s\", not on \"%s\"",
                       name, role, map->node.name, map->to->node.name, like->side[k]->node.name);
      PL_TRY(pl_mixed_map_check(map));
    }
  return PL_SUCCESS;
}

static pl_err check_declaration(const pl_mixed_mat *like, int npairs, pl_mixed_map *const *maps[2],
                                const char *name)
{
  pl_context *pl = like->side[0]->node.pl;
  if (like->side[1]->node.pl != pl)
    return pl_fail(pl, PL_ERR_ARG, "mixed matrix \"%s\": its mixed sets belong to different contexts", name);
  if (like->type != PL_DOUBLE && like->type != PL_FLOAT && !pl_type_is_complex(like->type))
    return pl_fail(pl, PL_ERR_TYPE,
                   "mixed matrix \"%s\": its values must be of double, float or their complex types", name);
  if (like->form != PL_MIXED_NESTED && like->form != PL_MIXED_WHOLE)
    return pl_fail(pl, PL_ERR_ARG, "mixed matrix \"%s\": %d is not a form", name, (int)like->form);
  return check_pairs(like, npairs, maps, name);
}

/* The matrix of the blocks that the pairs of maps couple. */
static pl_err declare_block(pl_mixed_mat *m, pl_set *const set[2], const int dim[2], int npairs,
                            const pl_map_pair *pairs, pl_mat **block)
{
  pl_sparsity *sparsity = NULL;
  PL_TRY(pl_decl_sparsity(set[0], dim[0], set[1], dim[1], npairs, pairs, m->node.name, &sparsity));
  pl_err err = pl_decl_mat(sparsity, m->type, m->node.name, block);
  pl_sparsity_free(&sparsity);
  return err;
}

static pl_err declare_blocks(pl_mixed_mat *m, int npairs, pl_mixed_map *const *maps[2], pl_map_pair *pairs)
{
  const pl_mixed_set *rows = m->side[0], *columns = m->side[1];
  for (int i = 0; i < rows->n; i++)
    for (int j = 0; j < columns->n; j++) {
      pl_set *const set[2] = {rows->set[i], columns->set[j]};
      const int dim[2] = {rows->dim[i], columns->dim[j]};
      for (int p = 0; p < npairs; p++) pairs[p] = (pl_map_pair){maps[0][p]->map[i], maps[1][p]->map[j]};
      PL_TRY(declare_block(m, set, dim, npairs, pairs, &m->block[i * columns->n + j]));
    }
  return PL_SUCCESS;
}

static pl_err declare_whole(pl_mixed_mat *m, int npairs, pl_mixed_map *const *maps[2], pl_map_pair *pairs)
{
  static const int dim[2] = {1, 1};
  pl_set *set[2];
  for (int k = 0; k < 2; k++) PL_TRY(pl_mixed_set_whole(m->side[k], &set[k]));
  for (int p = 0; p < npairs; p++) pairs[p] = (pl_map_pair){maps[0][p]->whole, maps[1][p]->whole};
  return declare_block(m, set, dim, npairs, pairs, &m->whole);
}

static pl_err new_mat(const pl_mixed_mat *like, const char *name, pl_mixed_mat **result)
{
  pl_context *pl = like->side[0]->node.pl;
  pl_mixed_mat *m = pl_node_new(pl, &pl->mixed_mats, sizeof *m, name);
  if (!m) return PL_ERR_MEMORY;
  const pl_node node = m->node;
  *m = *like;
  m->node = node;
  *result = m;
  m->block = pl_mixed_list(pl, m->side[0]->n * m->side[1]->n, NULL, sizeof *m->block);
  for (int k = 0; k < 2; k++) {
    m->side[k]->ref++;
    m->product[k] = pl_mixed_list(pl, m->side[k]->n, NULL, sizeof *m->product[k]);
  }
  return m->block && m->product[0] && m->product[1] ? PL_SUCCESS : PL_ERR_MEMORY;
}

static void destroy_mat(pl_node *node)
{
  pl_mixed_mat *m = (pl_mixed_mat *)node;
  for (int b = 0; m->block && b < m->side[0]->n * m->side[1]->n; b++) pl_mat_free(&m->block[b]);
  pl_mat_free(&m->whole);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; m->product[k] && i < m->side[k]->n; i++) pl_dat_free(&m->product[k][i]);
    pl_dat_free(&m->whole_vector[k]);
    m->side[k]->ref--;
  }
  pl_free_all(node->pl, m->block, m->product[0], m->product[1]);
  pl_node_free(node);
}

static pl_err declare(const pl_mixed_mat *like, int npairs, pl_mixed_map *const *maps[2], const char *name,
                      pl_mixed_mat **mat)
{
  pl_context *pl = like->side[0]->node.pl;
  pl_mixed_mat *m = NULL;
  pl_map_pair *pairs = pl_calloc(pl, (size_t)npairs + 1, sizeof *pairs);
  pl_err err = pairs ? new_mat(like, name, &m) : pl_fail_memory(pl, (size_t)npairs * sizeof *pairs);
  err = pl_agree(pl, err);
  if (!err)
    err = like->form == PL_MIXED_NESTED ? declare_blocks(m, npairs, maps, pairs)
                                        : declare_whole(m, npairs, maps, pairs);
  pl_free(pl, pairs);
  if (!err)
    *mat = m;
  else if (m)
    destroy_mat(&m->node);
  return err;
}

pl_err pl_decl_mixed_mat(pl_mixed_set *rows, pl_mixed_set *columns, int npairs, pl_mixed_map *const *rows_of,
                         pl_mixed_map *const *columns_of, pl_type type, pl_mixed_form form, const char *name,
                         pl_mixed_mat **mat)
{
  if (!name) name = "(unnamed)";
  pl_context *pl = pl_context_of(rows ? rows : columns);
  PL_TRY(PL_GIVEN_FOR(pl, "pl_decl_mixed_mat", name, rows, columns, mat));
  const pl_mixed_mat like = {.type = type, .form = form, .side = {rows, columns}};
  pl_mixed_map *const *maps[2] = {rows_of, columns_of};
  PL_TRY(pl_agree_on(pl, check_declaration(&like, npairs, maps, name),
                     "mixed matrix \"%s\" of %d pairs, type %d, form %d", name, npairs, (int)type,
                     (int)form));
  return declare(&like, npairs, maps, name, mat);
}

PL_DEFINE_FREE(pl_mixed_mat_free, pl_mixed_mat, destroy_mat)

/* ---- its matrices ---- */

pl_err pl_mixed_mat_check(const pl_mixed_mat *m)
{
  const int n = m->form == PL_MIXED_NESTED ? m->side[0]->n * m->side[1]->n : 1;
  for (int b = 0; b < n; b++)
    if (!(m->form == PL_MIXED_NESTED ? m->block[b] : m->whole))
      return pl_fail(m->node.pl, PL_ERR_STATE, "mixed matrix \"%s\": a matrix of it was freed", m->node.name);
  return PL_SUCCESS;
}

pl_err pl_mixed_mat_block(pl_mixed_mat *m, int i, int j, pl_mat **block)
{
  PL_TRY(PL_GIVEN(pl_context_of(m), "pl_mixed_mat_block", m, block));
  pl_context *pl = m->node.pl;
  if (m->form != PL_MIXED_NESTED)
    return pl_fail(pl, PL_ERR_STATE, "mixed matrix \"%s\" is one matrix: use pl_mixed_mat_whole",
                   m->node.name);
  if (i < 0 || j < 0 || i >= m->side[0]->n || j >= m->side[1]->n)
    return pl_fail(pl, PL_ERR_RANGE, "mixed matrix \"%s\": there is no block (%d, %d); it has %d x %d",
                   m->node.name, i, j, m->side[0]->n, m->side[1]->n);
  PL_TRY(pl_mixed_mat_check(m));
  *block = m->block[i * m->side[1]->n + j];
  return PL_SUCCESS;
}

pl_err pl_mixed_mat_whole(pl_mixed_mat *m, pl_mat **whole)
{
  PL_TRY(PL_GIVEN(pl_context_of(m), "pl_mixed_mat_whole", m, whole));
  if (m->form != PL_MIXED_WHOLE)
    return pl_fail(m->node.pl, PL_ERR_STATE, "mixed matrix \"%s\" is nested: use pl_mixed_mat_block",
                   m->node.name);
  PL_TRY(pl_mixed_mat_check(m));
  *whole = m->whole;
  return PL_SUCCESS;
}

/* ---- objects of the program that are freed ---- */

static void forget_map(pl_context *pl, const void *map)
{
  PL_EACH (pl_mixed_map, m, pl->mixed_maps)
    for (int i = 0; m->map && i < m->to->n; i++)
      if (m->map[i] == map) m->map[i] = NULL;
}

static void forget_dat(pl_context *pl, const void *dat)
{
  PL_EACH (pl_mixed_dat, d, pl->mixed_dats)
    for (int i = 0; d->dat && i < d->set->n; i++)
      if (d->dat[i] == dat) d->dat[i] = NULL;
}

static void forget_matrix(pl_context *pl, const void *mat)
{
  PL_EACH (pl_mixed_mat, m, pl->mixed_mats) {
    if (m->whole == mat) m->whole = NULL;
    for (int b = 0; m->block && b < m->side[0]->n * m->side[1]->n; b++)
      if (m->block[b] == mat) m->block[b] = NULL;
  }
}

static void forget_object(pl_context *pl, pl_object_kind kind, void *object)
{
  if (kind == PL_OBJECT_MAP) forget_map(pl, object);
  if (kind == PL_OBJECT_DAT) forget_dat(pl, object);
  if (kind == PL_OBJECT_MATRIX) forget_matrix(pl, object);
}

static void close_mixed(pl_context *pl)
{
  while (pl->mixed_mats) destroy_mat(pl->mixed_mats);
  while (pl->mixed_dats) pl_mixed_dat_destroy(pl->mixed_dats);
  while (pl->mixed_maps) pl_mixed_map_destroy(pl->mixed_maps);
  while (pl->mixed_sets) pl_mixed_set_destroy(pl->mixed_sets);
}

const pl_observer pl_mixed_observer = {.object_freed = forget_object, .close = close_mixed};
