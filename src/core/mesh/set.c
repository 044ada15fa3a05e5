/* SPDX-License-Identifier: BSD-2-Clause
 * Sets and subsets.
 */
#include "algorithm.h"
#include "halo.h"
#include <string.h>

/* ---- declaring ---- */

static pl_err check_parts(pl_context *pl, const int64_t sizes[4], const char *name)
{
  for (int i = 0; i < 4; i++) {
    if (sizes[i] < 0)
      return pl_fail(pl, PL_ERR_RANGE, "set \"%s\": size %lld is negative", name, (long long)sizes[i]);
    if (sizes[i] > INT32_MAX)
      return pl_fail(pl, PL_ERR_RANGE,
                     "set \"%s\": %lld elements on one rank; the limit is %d, use more ranks", name,
                     (long long)sizes[i], INT32_MAX);
    if (i && sizes[i] < sizes[i - 1])
      return pl_fail(pl, PL_ERR_RANGE, "set \"%s\": the sizes of its parts decrease from %lld to %lld", name,
                     (long long)sizes[i - 1], (long long)sizes[i]);
  }
  if (pl_ranks(pl) > 1 && sizes[3] > sizes[1])
    return pl_fail(pl, PL_ERR_ARG,
                   "set \"%s\": on several ranks halos are the library's; declare owned elements only", name);
  return PL_SUCCESS;
}

pl_err pl_decl_set_parts(pl_context *pl, const int64_t sizes[4], const char *name, pl_set **result)
{
  PL_TRY(pl_context_check(pl));
  const char *shown = name ? name : "(unnamed)";
  pl_err err = !sizes || !result ? pl_fail(pl, PL_ERR_ARG, "set \"%s\": a pointer is NULL", shown)
                                 : check_parts(pl, sizes, shown);
  pl_set *set = err ? NULL : pl_node_new(pl, &pl->sets, sizeof *set, name);
  err = pl_agree_on(pl, err || set ? err : PL_ERR_MEMORY, "set \"%s\"", shown);
  if (!err) err = pl_comm_scan(pl, sizes[1], &set->first, &set->all);
  if (err) {
    if (set) pl_set_destroy(&set->node);
    return err;
  }
  for (int i = 0; i < 4; i++) set->part[i] = (int)sizes[i];
  set->declared = set->part[1];
  set->ids = set->all;
  *result = set;
  return PL_SUCCESS;
}

pl_err pl_decl_set(pl_context *pl, int64_t n, const char *name, pl_set **set)
{
  const int64_t sizes[4] = {n, n, n, n};
  return pl_decl_set_parts(pl, sizes, name, set);
}

/* ---- subsets ---- */

/* A subset of `base` whose members are marked in `member` (one byte for each element). */
static pl_err subset_of_marks(pl_set *base, unsigned char *member, const char *name, pl_set **result)
{
  pl_context *pl = base->node.pl;
  int total = base->part[3], n = 0, next = 0;
  for (int e = 0; e < total; e++) n += member[e];
  int *indices = pl_malloc(pl, (size_t)n * sizeof *indices);
  if (!indices) return pl_fail_memory(pl, (size_t)n * sizeof *indices);
  pl_set *set = pl_node_new(pl, &pl->sets, sizeof *set, name);
  if (!set) {
    pl_free(pl, indices);
    return PL_ERR_MEMORY;
  }
  for (int part = 0, e = 0; part < 4; part++) {
    for (; e < base->part[part]; e++)
      if (member[e]) indices[next++] = e;
    set->part[part] = next;
  }
  set->parent = base;
  set->indices = indices;
  base->ref++;
  *result = set;
  return PL_SUCCESS;
}

static pl_err check_members(pl_set *parent, int64_t n, const int *indices, const char *name)
{
  pl_context *pl = parent->node.pl;
  if (n < 0 || (n > 0 && !indices))
    return pl_fail(pl, PL_ERR_ARG, "subset \"%s\": %s", name,
                   n < 0 ? "the number of indices is negative" : "a pointer is NULL");
  for (int64_t i = 0; i < n; i++)
    if (indices[i] < 0 || indices[i] >= parent->part[3])
      return pl_fail(pl, PL_ERR_RANGE,
                     "subset \"%s\": index %d at position %lld is outside \"%s\", which has %d elements",
                     name, indices[i], (long long)i, parent->node.name, parent->part[3]);
  return PL_SUCCESS;
}

/* A byte for each element of the base set, 1 for those that are given. */
static pl_err mark_members(pl_set *parent, int64_t n, const int *indices, unsigned char **result)
{
  pl_set *base = pl_set_base(parent);
  const int *shown = pl_subset_indices(parent);
  if (parent->parent && !shown) return base->node.pl->error_code;
  unsigned char *member = *result = pl_calloc(base->node.pl, (size_t)base->part[3] + 1, 1);
  if (!member) return pl_fail_memory(base->node.pl, (size_t)base->part[3]);
  for (int64_t i = 0; i < n; i++) member[pl_view_at(base, shown ? shown[indices[i]] : indices[i])] = 1;
  return PL_SUCCESS;
}

pl_err pl_decl_subset(pl_set *parent, int64_t n, const int *indices, const char *name, pl_set **result)
{
  if (!parent) return PL_ERR_ARG;
  pl_context *pl = parent->node.pl;
  pl_set *base = pl_set_base(parent);
  const char *shown = name ? name : "(unnamed)";
  unsigned char *member = NULL;
  pl_err err = result ? check_members(parent, n, indices, shown)
                      : pl_fail(pl, PL_ERR_ARG, "subset \"%s\": a pointer is NULL", shown);
  if (!err) err = mark_members(parent, n, indices, &member);
  err = pl_agree_on(pl, err, "subset \"%s\" of \"%s\"", shown, base->node.name);
  if (!err && base->halo) err = pl_halo_copy(base, 1, member); /* owners know of copies */
  if (!err) err = subset_of_marks(base, member, name, result);
  pl_free(pl, member);
  return err;
}

static void mark(const pl_set *set, unsigned char *member, unsigned char bit)
{
  for (int i = 0; i < set->part[3]; i++) member[set->indices ? set->indices[i] : i] |= bit;
}

static pl_err check_operands(pl_set *a, pl_set_op op, pl_set *b, pl_set **result)
{
  pl_context *pl = a->node.pl;
  if (!b || !result) return pl_fail(pl, PL_ERR_ARG, "pl_subset_combine: a pointer is NULL");
  if ((unsigned)op > PL_SYMMETRIC_DIFFERENCE)
    return pl_fail(pl, PL_ERR_ARG, "pl_subset_combine: %d is not an operation", (int)op);
  if (pl_set_base(a) != pl_set_base(b))
    return pl_fail(pl, PL_ERR_ARG, "pl_subset_combine: \"%s\" and \"%s\" are subsets of different sets",
                   a->node.name, b->node.name);
  return PL_SUCCESS;
}

pl_err pl_subset_combine(pl_set *a, pl_set_op op, pl_set *b, const char *name, pl_set **result)
{
  static const unsigned char keep[4][4] = {[PL_UNION] = {0, 1, 1, 1},
                                           [PL_INTERSECTION] = {0, 0, 0, 1},
                                           [PL_DIFFERENCE] = {0, 1, 0, 0},
                                           [PL_SYMMETRIC_DIFFERENCE] = {0, 1, 1, 0}};
  if (!a) return PL_ERR_ARG;
  pl_context *pl = a->node.pl;
  pl_set *base = pl_set_base(a);
  unsigned char *member = pl_calloc(pl, (size_t)base->part[3] + 1, 1);
  pl_err err = member ? check_operands(a, op, b, result) : pl_fail_memory(pl, (size_t)base->part[3]);
  err = pl_agree_on(pl, err, "subset \"%s\" of \"%s\"", name ? name : "(unnamed)", base->node.name);
  if (!err) {
    mark(a, member, 1);
    mark(b, member, 2);
    for (int e = 0; e < base->part[3]; e++) member[e] = keep[op][member[e]];
    err = subset_of_marks(base, member, name, result);
  }
  pl_free(pl, member);
  return err;
}

/* ---- reading and freeing ---- */

pl_set *pl_set_base(pl_set *set)
{
  return set->parent ? set->parent : set;
}

int pl_set_rows(const pl_set *set)
{
  return set->part[pl_ranks(set->node.pl) > 1 ? 1 : 3];
}

int64_t pl_set_size(const pl_set *set)
{
  return set ? set->part[1] : 0;
}

int64_t pl_set_total(const pl_set *set)
{
  return set ? set->part[3] : 0;
}

int64_t pl_set_global_size(const pl_set *set)
{
  return set ? set->all : 0;
}

pl_err pl_set_global(const pl_set *set, int64_t *indices)
{
  if (!set) return PL_ERR_ARG;
  if (!indices || set->parent)
    return pl_fail(set->node.pl, PL_ERR_ARG, "pl_set_global of \"%s\": %s", set->node.name,
                   indices ? "it is a subset; ask for the elements of its parent" : "the array is NULL");
  for (int i = 0; i < set->part[1]; i++) indices[i] = pl_view_number(set, i);
  return PL_SUCCESS;
}

pl_err pl_set_imbalance(const pl_set *set, double *imbalance)
{
  if (!set) return PL_ERR_ARG;
  pl_context *pl = set->node.pl;
  pl_err err = imbalance ? PL_SUCCESS : pl_fail(pl, PL_ERR_ARG, "pl_set_imbalance: the result is NULL");
  PL_TRY(pl_agree_on(pl, err, "pl_set_imbalance of \"%s\"", set->node.name));
  int64_t most = set->part[1], all = set->part[1];
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_MAX, &most, 1));
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, &all, 1));
  *imbalance = all ? (double)most * pl_ranks(pl) / (double)all : 1.0;
  return PL_SUCCESS;
}

const char *pl_set_name(const pl_set *set)
{
  return set ? set->node.name : "";
}

pl_set *pl_set_parent(pl_set *set)
{
  return set ? pl_set_base(set) : NULL;
}

/* The members of a subset as positions of its parent's view, ascending. */
static pl_err show_members(pl_set *subset)
{
  pl_context *pl = subset->node.pl;
  const pl_set *base = subset->parent;
  size_t total = (size_t)base->part[3], bytes = (size_t)subset->part[3] * sizeof(int);
  unsigned char *member = pl_calloc(pl, total + 1, 1);
  int *shown = pl_malloc(pl, bytes), next = 0;
  pl_err err = member && shown ? PL_SUCCESS : pl_fail_memory(pl, total + bytes);
  for (int i = 0; !err && i < subset->part[3]; i++) member[subset->indices[i]] = 1;
  for (int i = 0; !err && i < base->part[3]; i++)
    if (member[pl_view_at(base, i)]) shown[next++] = i;
  pl_free(pl, member);
  if (err)
    pl_free(pl, shown);
  else
    subset->shown = shown;
  return err;
}

const int *pl_subset_indices(const pl_set *subset)
{
  if (!subset || !subset->parent) return NULL;
  if (subset->shown) return subset->shown;
  if (!subset->parent->view) {
    ((pl_set *)subset)->lent = true;
    return subset->indices;
  }
  return show_members((pl_set *)subset) ? NULL : subset->shown;
}

void pl_set_destroy(pl_node *node)
{
  pl_set *set = (pl_set *)node;
  if (set->parent) set->parent->ref--;
  pl_loops_forget(node->pl, set);
  if (node->pl->plans_forget) node->pl->plans_forget(node->pl, set);
  if (set->device) node->pl->backend->buffer_free(node->pl, set->device);
  if (set->global_device) node->pl->backend->buffer_free(node->pl, set->global_device);
  pl_view_orders_free(set);
  pl_free(node->pl, set->indices);
  pl_free(node->pl, set->shown);
  pl_halo_free(node->pl, set->halo);
  pl_free_array(node->pl, set->global);
  pl_free_array(node->pl, set->view);
  pl_free(node->pl, set->cuts);
  pl_node_free(node);
}

void pl_set_free(pl_set **handle)
{
  if (!handle || !*handle) return;
  pl_set *set = *handle;
  *handle = NULL;
  if (set->ref)
    pl_log(set->node.pl, 0, "set \"%s\" is still used by %d declared objects and stays until pl_finalize",
           set->node.name, set->ref);
  else
    pl_set_destroy(&set->node);
}
