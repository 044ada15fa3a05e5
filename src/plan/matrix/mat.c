/* SPDX-License-Identifier: BSD-2-Clause
 * Matrices: declaration, use as an argument of a loop, state; operations on all values at once.
 */
#include "mat.h"
#include "tensor_positions.h"
#include "core/comm/comm.h"
#include "core/context/observer.h"
#include "core/data/objects.h"
#include "plan/sparsity/contributions.h"

static pl_err check_type(pl_context *pl, pl_type type, const char *name)
{
  if (type == PL_DOUBLE || type == PL_FLOAT || type == PL_COMPLEX_DOUBLE || type == PL_COMPLEX_FLOAT)
    return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_TYPE, "matrix \"%s\": values are of double, float or their complex types, not %s",
                 name, pl_type_size(type) ? pl_type_name(type) : "an unknown type");
}

pl_err pl_decl_mat(pl_sparsity *sparsity, pl_type type, const char *name, pl_mat **result)
{
  if (!name) name = "(unnamed)";
  PL_TRY_GIVEN(sparsity);
  pl_context *pl = sparsity->node.pl;
  pl_err err = PL_GIVEN_FOR(pl, "pl_decl_mat", name, result);
  if (!err) err = check_type(pl, type, name);
  pl_mat *mat = err ? NULL : pl_node_new(pl, &pl->matrices, sizeof *mat, name);
  if (!err && !mat) err = PL_ERR_MEMORY;
  err = pl_agree_on(pl, err, "matrix \"%s\" of %s with sparsity \"%s\"", name, err ? "" : pl_type_name(type),
                    sparsity->node.name);
  if (err) {
    if (mat) pl_node_free(&mat->node);
    return err;
  }
  mat->sparsity = sparsity;
  mat->type = type;
  sparsity->ref++;
  *result = mat;
  return PL_SUCCESS;
}

static void own_values(pl_mat *mat)
{
  mat->values->node.internal = true;
  mat->values->matrix = &mat->node;
  mat->on_devices = pl_comm_all(mat->node.pl, pl_dat_on_device(mat->values));
}

pl_err pl_mat_ready(pl_mat *mat)
{
  pl_context *pl = mat->node.pl;
  PL_TRY(pl_sparsity_build(mat->sparsity));
  if (mat->values) return PL_SUCCESS;
  PL_TRY(pl_agree(pl, pl_dat_new(mat->sparsity->slots, mat->type, mat->node.name, &mat->values)));
  own_values(mat);
  return PL_SUCCESS;
}

static void destroy_mat(pl_node *node)
{
  pl_mat *mat = (pl_mat *)node;
  pl_notify_freed(node->pl, PL_OBJECT_MATRIX, mat);
  pl_sparsity_forget_matrix(mat->sparsity, node);
  if (mat->sliced) pl_dat_destroy(&mat->sliced->node);
  if (mat->values) pl_dat_destroy(&mat->values->node);
  pl_sparsity_release(mat->sparsity);
  pl_node_free(node);
}

PL_DEFINE_FREE(pl_mat_free, pl_mat, destroy_mat)

/* ---- values in memory of the program ---- */

static pl_err check_count(const pl_sparsity *s, int64_t count, const char *name)
{
  if (count == s->slots->end[1]) return PL_SUCCESS;
  return pl_fail(
    s->node.pl, PL_ERR_ARG,
    "pl_mat_wrap: the memory of matrix \"%s\" holds %lld values, but sparsity \"%s\" has %d here", name,
    (long long)count, s->node.name, s->slots->end[1]);
}

static pl_err wrap_values(pl_mat *mat, pl_memory where, void *memory, int64_t count)
{
  pl_sparsity *s = mat->sparsity;
  PL_TRY(pl_sparsity_build(s));
  PL_TRY(pl_agree(s->node.pl, check_count(s, count, mat->node.name)));
  PL_TRY(pl_dat_wrap(s->slots, 1, mat->type, where, NULL, memory, mat->node.name, &mat->values));
  own_values(mat);
  return PL_SUCCESS;
}

pl_err pl_mat_wrap(pl_sparsity *sparsity, pl_type type, pl_memory where, void *memory, int64_t count,
                   const char *name, pl_mat **result)
{
  pl_mat *mat;
  PL_TRY(PL_GIVEN(pl_context_of(sparsity), "pl_mat_wrap", sparsity, result));
  PL_TRY(pl_decl_mat(sparsity, type, name, &mat));
  pl_err err = wrap_values(mat, where, memory, count);
  if (err) return pl_mat_free(&mat), err;
  *result = mat;
  return PL_SUCCESS;
}

/* ---- in loops ---- */

/* Sums in the order of global element numbers. */
static bool sums_in_order(const pl_mat *mat, const pl_arg *arg)
{
  return arg->access == PL_INC && pl_opt_flag(mat->node.pl, PL_OPT_REPRODUCIBLE);
}

static pl_err matrix_argument(pl_context *pl, pl_set *set, pl_arg *arg)
{
  (void)set;
  pl_mat *mat = arg->object;
  const pl_map_pair pair = {arg->map, arg->columns};
  pl_dat *const mask[2] = {arg->row_mask, arg->column_mask};
  pl_tensor_positions *positions;
  pl_dat *values;
  PL_TRY(pl_mat_ready(mat));
  const pl_masks masks = {.of = {arg->row_mask, arg->column_mask}};
  PL_TRY(pl_agree_on_error(pl, pl_masks_check(&masks, mat->node.name, &pair, mat->sparsity->block)));
  PL_TRY(pl_sparsity_positions(mat->sparsity, &pair, mask, sums_in_order(mat, arg), &positions));
  values = mat->values;
  if (positions->apart) PL_TRY(pl_contributions_dat(positions->apart, &mat->node, mat->type, &values));
  arg->kind = PL_ARG_DAT;
  arg->object = values;
  arg->map = positions->map;
  arg->columns = NULL;
  arg->row_mask = arg->column_mask = NULL;
  return PL_SUCCESS;
}

static pl_err matrix_modified(pl_context *pl, const pl_arg *arg)
{
  (void)pl;
  pl_mat *mat = (pl_mat *)((pl_dat *)arg->object)->matrix;
  if (arg->off) return PL_SUCCESS;
  mat->state = arg->access == PL_INC ? PL_MAT_ADDING : PL_MAT_INSERTING;
  if (arg->object == mat->values) return PL_SUCCESS;
  const pl_tensor_positions *positions = pl_sparsity_find_positions(mat->sparsity, arg->map);
  return pl_contributions_add(positions->apart, arg->object, mat->values, arg->zeroed);
}

static pl_err refresh_positions(pl_map *map)
{
  PL_EACH (pl_sparsity, sparsity, map->node.pl->sparsities) {
    pl_tensor_positions *positions = pl_sparsity_find_positions(sparsity, map);
    if (positions) return pl_sparsity_refresh(sparsity, positions);
  }
  return PL_SUCCESS;
}

static void forget_object(pl_context *pl, pl_object_kind kind, void *object)
{
  if (kind == PL_OBJECT_MAP || kind == PL_OBJECT_DAT)
    PL_EACH (pl_sparsity, sparsity, pl->sparsities) pl_sparsity_forget(sparsity, object);
}

static void close_matrices(pl_context *pl)
{
  while (pl->matrices) destroy_mat(pl->matrices);
  while (pl->sparsities) pl_sparsity_release((pl_sparsity *)pl->sparsities);
}

const pl_observer pl_matrix_observer = {.object_freed = forget_object,
                                        .matrix_argument = matrix_argument,
                                        .matrix_modified = matrix_modified,
                                        .refresh_positions = refresh_positions,
                                        .close = close_matrices};

/* ---- state ---- */

pl_mat_state pl_mat_state_of(const pl_mat *mat)
{
  return mat ? mat->state : PL_MAT_ASSEMBLED;
}

pl_err pl_mat_assemble(pl_mat *mat)
{
  PL_TRY_GIVEN(mat);
  PL_TRY(pl_mat_ready(mat));
  PL_TRY(pl_before_access(&mat->values->node, false));
  mat->state = PL_MAT_ASSEMBLED;
  return PL_SUCCESS;
}

pl_err pl_mat_values(pl_mat *mat, pl_dat **values)
{
  PL_TRY(PL_GIVEN(pl_context_of(mat), "pl_mat_values", mat, values));
  PL_TRY(pl_mat_ready(mat));
  *values = mat->values;
  return PL_SUCCESS;
}

size_t pl_mat_bytes(const pl_mat *mat)
{
  return mat && mat->values ? (size_t)mat->values->set->end[1] * pl_type_size(mat->type) : 0;
}

/* ---- all values at once ---- */

/* After a call that replaces values: they are those of PL_MAT_INSERTING unless it failed. */
static pl_err replaced(pl_mat *mat, pl_err err)
{
  if (!err) mat->state = PL_MAT_INSERTING;
  return err;
}

pl_err pl_mat_zero(pl_mat *a)
{
  PL_TRY_GIVEN(a);
  PL_TRY(pl_mat_ready(a));
  const bool later = a->on_devices && !pl_defers(a->node.pl);
  return replaced(a, later ? pl_dat_zero_later(a->values) : pl_dat_zero(a->values));
}

pl_err pl_mat_scale(double factor, pl_mat *a)
{
  PL_TRY_GIVEN(a);
  PL_TRY(pl_mat_ready(a));
  return replaced(a, pl_dat_scale(factor, a->values));
}

/* Two matrices of one sparsity and type, which are ready then. */
static pl_err check_alike(const char *what, pl_mat *a, pl_mat *b)
{
  PL_TRY(PL_GIVEN(pl_context_of(a), what, a, b));
  if (a->sparsity != b->sparsity || a->type != b->type)
    return pl_fail(a->node.pl, PL_ERR_TYPE, "%s: matrices \"%s\" and \"%s\" differ in %s", what, a->node.name,
                   b->node.name, a->sparsity != b->sparsity ? "their sparsity" : "type");
  PL_TRY(pl_mat_ready(a));
  return pl_mat_ready(b);
}

pl_err pl_mat_axpy(double factor, pl_mat *a, pl_mat *b)
{
  PL_TRY(check_alike("pl_mat_axpy", a, b));
  return replaced(b, pl_dat_axpy(factor, a->values, b->values));
}

pl_err pl_mat_copy(pl_mat *a, pl_mat *b)
{
  PL_TRY(check_alike("pl_mat_copy", a, b));
  return replaced(b, pl_dat_copy(a->values, b->values));
}

pl_err pl_mat_norm(pl_mat *a, double *norm)
{
  PL_TRY(PL_GIVEN(pl_context_of(a), "pl_mat_norm", a, norm));
  PL_TRY(pl_mat_ready(a));
  return pl_dat_norm(a->values, norm);
}
