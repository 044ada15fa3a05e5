/* SPDX-License-Identifier: BSD-2-Clause
 * Sets and subsets.
 */
#include "set.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/context/observer.h"
#include "user_order.h"

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
                   "set \"%s\": on several ranks the library builds halos; declare owned elements only",
                   name);
  return PL_SUCCESS;
}

pl_err pl_decl_set_parts(pl_context *pl, const int64_t sizes[4], const char *name, pl_set **result)
{
  PL_TRY(pl_context_check(pl));
  const char *shown = name ? name : "(unnamed)";
  pl_err err = PL_GIVEN_FOR(pl, "pl_decl_set", shown, sizes, result);
  if (!err) err = check_parts(pl, sizes, shown);
  pl_set *set = err ? NULL : pl_node_new(pl, &pl->sets, sizeof *set, name);
  err = pl_agree_on(pl, err || set ? err : PL_ERR_MEMORY, "set \"%s\"", shown);
  if (!err) err = pl_comm_scan(pl, sizes[1], &set->first, &set->global_size);
  if (err) {
    if (set) pl_set_destroy(&set->node);
    return err;
  }
  for (int i = 0; i < 4; i++) set->end[i] = (int)sizes[i];
  set->declared = set->end[1];
  set->global_end = set->global_size;
  *result = set;
  return PL_SUCCESS;
}

pl_err pl_decl_set(pl_context *pl, int64_t n, const char *name, pl_set **set)
{
  const int64_t sizes[4] = {n, n, n, n};
  return pl_decl_set_parts(pl, sizes, name, set);
}

/* ---- subsets ---- */

/* Creates a subset of `base` from one mark an element. */
static pl_err subset_of_marks(pl_set *base, unsigned char *member, const char *name, pl_set **result)
{
  pl_context *pl = base->node.pl;
  int total = base->end[3], n = 0, next = 0;
  for (int e = 0; e < total; e++) n += member[e];
  int *indices = pl_malloc(pl, (size_t)n * sizeof *indices);
  if (!indices) return pl_fail_memory(pl, (size_t)n * sizeof *indices);
  pl_set *set = pl_node_new(pl, &pl->sets, sizeof *set, name);
  if (!set) {
    pl_free(pl, indices);
    return PL_ERR_MEMORY;
  }
  for (int part = 0, e = 0; part < 4; part++) {
    for (; e < base->end[part]; e++)
      if (member[e]) indices[next++] = e;
    set->end[part] = next;
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
                   n < 0 ? "the number of indices is negative" : "the indices are NULL");
  for (int64_t i = 0; i < n; i++)
    if (indices[i] < 0 || indices[i] >= parent->end[3])
      return pl_fail(pl, PL_ERR_RANGE,
                     "subset \"%s\": index %d at position %lld is outside \"%s\", which has %d elements",
                     name, indices[i], (long long)i, parent->node.name, parent->end[3]);
  return PL_SUCCESS;
}

/* One byte for each element of the base set, 1 for members. */
static pl_err mark_members(pl_set *parent, int64_t n, const int *indices, unsigned char **result)
{
  pl_set *base = pl_set_base(parent);
  const int *indirect = pl_subset_indices(parent);
  if (parent->parent && !indirect) return base->node.pl->error_code;
  unsigned char *member = *result = pl_calloc(base->node.pl, (size_t)base->end[3] + 1, 1);
  if (!member) return pl_fail_memory(base->node.pl, (size_t)base->end[3]);
  for (int64_t i = 0; i < n; i++)
    member[pl_user_to_storage(base, indirect ? indirect[indices[i]] : indices[i])] = 1;
  return PL_SUCCESS;
}

pl_err pl_decl_subset(pl_set *parent, int64_t n, const int *indices, const char *name, pl_set **result)
{
  if (!parent) return PL_ERR_NULL;
  pl_context *pl = parent->node.pl;
  pl_set *base = pl_set_base(parent);
  const char *shown = name ? name : "(unnamed)";
  unsigned char *member = NULL;
  pl_err err = PL_GIVEN_FOR(pl, "pl_decl_subset", shown, result);
  if (!err) err = check_members(parent, n, indices, shown);
  if (!err) err = mark_members(parent, n, indices, &member);
  err = pl_agree_on(pl, err, "subset \"%s\" of \"%s\"", shown, base->node.name);
  if (!err) err = pl_notify_exchange_marks(pl, base, member);
  if (!err) err = subset_of_marks(base, member, name, result);
  pl_free(pl, member);
  return err;
}

static void mark_bit(const pl_set *set, unsigned char *member, unsigned char bit)
{
  for (int i = 0; i < set->end[3]; i++) member[set->indices ? set->indices[i] : i] |= bit;
}

static pl_err check_operands(pl_set *a, pl_set_op op, pl_set *b, pl_set **result)
{
  pl_context *pl = a->node.pl;
  PL_TRY(PL_GIVEN(pl, "pl_subset_combine", b, result));
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
  if (!a) return PL_ERR_NULL;
  pl_context *pl = a->node.pl;
  pl_set *base = pl_set_base(a);
  unsigned char *member = pl_calloc(pl, (size_t)base->end[3] + 1, 1);
  pl_err err = member ? check_operands(a, op, b, result) : pl_fail_memory(pl, (size_t)base->end[3]);
  err = pl_agree_on(pl, err, "subset \"%s\" of \"%s\"", name ? name : "(unnamed)", base->node.name);
  if (!err) {
    mark_bit(a, member, 1);
    mark_bit(b, member, 2);
    for (int e = 0; e < base->end[3]; e++) member[e] = keep[op][member[e]];
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
  return set->end[pl_ranks(set->node.pl) > 1 ? 1 : 3];
}

int64_t pl_set_size(const pl_set *set)
{
  return set ? set->end[1] : 0;
}

int64_t pl_set_total(const pl_set *set)
{
  return set ? set->end[3] : 0;
}

int64_t pl_set_global_size(const pl_set *set)
{
  return set ? set->global_size : 0;
}

pl_err pl_set_global(const pl_set *set, int64_t *indices)
{
  if (!set) return PL_ERR_NULL;
  if (!indices || set->parent)
    return pl_fail(set->node.pl, PL_ERR_ARG, "pl_set_global of \"%s\": %s", set->node.name,
                   indices ? "it is a subset; ask for the elements of its parent" : "the array is NULL");
  for (int i = 0; i < set->end[1]; i++) indices[i] = pl_user_global_index(set, i);
  return PL_SUCCESS;
}

pl_err pl_set_imbalance(const pl_set *set, double *imbalance)
{
  if (!set) return PL_ERR_NULL;
  pl_context *pl = set->node.pl;
  pl_err err = imbalance ? PL_SUCCESS : pl_fail(pl, PL_ERR_ARG, "pl_set_imbalance: the result is NULL");
  PL_TRY(pl_agree_on(pl, err, "pl_set_imbalance of \"%s\"", set->node.name));
  int64_t most = set->end[1], all = set->end[1];
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

/* The members of a subset in its parent's user order, ascending. */
static pl_err copy_members(pl_set *subset)
{
  pl_context *pl = subset->node.pl;
  const pl_set *base = subset->parent;
  size_t total = (size_t)base->end[3], bytes = (size_t)subset->end[3] * sizeof(int);
  unsigned char *member = pl_calloc(pl, total + 1, 1);
  int *user = pl_malloc(pl, bytes), next = 0;
  pl_err err = member && user ? PL_SUCCESS : pl_fail_memory(pl, total + bytes);
  for (int i = 0; !err && i < subset->end[3]; i++) member[subset->indices[i]] = 1;
  for (int i = 0; !err && i < base->end[3]; i++)
    if (member[pl_user_to_storage(base, i)]) user[next++] = i;
  pl_free(pl, member);
  if (err)
    pl_free(pl, user);
  else
    subset->user_indices = user;
  return err;
}

const int *pl_subset_indices(const pl_set *subset)
{
  if (!subset || !subset->parent) return NULL;
  if (subset->user_indices) return subset->user_indices;
  if (!subset->parent->user_order) {
    ((pl_set *)subset)->exposed = true;
    return subset->indices;
  }
  return copy_members((pl_set *)subset) ? NULL : subset->user_indices;
}

void pl_set_destroy(pl_node *node)
{
  pl_set *set = (pl_set *)node;
  if (set->parent) set->parent->ref--;
  pl_notify_freed(node->pl, PL_OBJECT_SET, node);
  if (set->device) node->pl->backend->data->buffer_free(node->pl, set->device);
  if (set->global_device) node->pl->backend->data->buffer_free(node->pl, set->global_device);
  pl_free(node->pl, set->indices);
  pl_free(node->pl, set->user_indices);
  pl_free_array(node->pl, set->global);
  pl_free_array(node->pl, set->user_order);
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

int pl_set_room(const pl_set *set)
{
  return set->capacity > set->end[3] ? set->capacity : set->end[3];
}
