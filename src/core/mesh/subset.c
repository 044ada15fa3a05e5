/* SPDX-License-Identifier: BSD-2-Clause
 * Subsets. Invariant: their indices are in storage order, ascending and unique.
 */
#include "subset.h"
#include "core/comm/comm.h"
#include "core/context/memory.h"
#include "core/context/observer.h"
#include "global_map.h"
#include "user_order.h"
#include <string.h>

/* ---- declaring ---- */

pl_err pl_subset_new(pl_set *base, const int end[4], int *indices, const char *name, pl_set **result)
{
  pl_context *pl = base->node.pl;
  pl_set *set = pl_node_new(pl, &pl->sets, sizeof *set, name);
  if (!set) return pl_free(pl, indices), PL_ERR_MEMORY;
  memcpy(set->end, end, sizeof set->end);
  set->parent = base;
  set->indices = indices;
  base->ref++;
  *result = set;
  return PL_SUCCESS;
}

/* Creates a subset of `base` from one mark an element. */
static pl_err subset_of_marks(pl_set *base, unsigned char *member, const char *name, pl_set **result)
{
  pl_context *pl = base->node.pl;
  int total = base->end[3], n = 0, next = 0, end[4];
  for (int e = 0; e < total; e++) n += member[e];
  int *indices = pl_malloc(pl, (size_t)n * sizeof *indices);
  if (!indices) return pl_fail_memory(pl, (size_t)n * sizeof *indices);
  for (int part = 0, e = 0; part < 4; part++) {
    for (; e < base->end[part]; e++)
      if (member[e]) indices[next++] = e;
    end[part] = next;
  }
  return pl_subset_new(base, end, indices, name, result);
}

static pl_err check_members(pl_set *parent, int64_t n, const int *indices, bool global, const char *name)
{
  pl_context *pl = parent->node.pl;
  int64_t end = global ? parent->global_end : parent->end[3];
  if (global && parent->parent)
    return pl_fail(
      pl, PL_ERR_ARG,
      "subset \"%s\": the elements of subset \"%s\" have no global indices on several ranks; use "
      "pl_decl_subset_local",
      name, parent->node.name);
  if (n < 0 || (n > 0 && !indices))
    return pl_fail(pl, PL_ERR_ARG, "subset \"%s\": %s", name,
                   n < 0 ? "the number of indices is negative" : "the indices are NULL");
  for (int64_t i = 0; i < n; i++)
    if (indices[i] < 0 || indices[i] >= end)
      return pl_fail(pl, PL_ERR_RANGE,
                     "subset \"%s\": index %d at position %lld is outside \"%s\", which has %lld elements",
                     name, indices[i], (long long)i, parent->node.name, (long long)end);
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

/* Marks elements by global index, on the ranks that own them. */
static pl_err mark_owned(pl_set *base, int64_t n, const int *indices, unsigned char **result)
{
  pl_context *pl = base->node.pl;
  pl_directory owners = {.owner = NULL};
  pl_global_pair *sent = pl_malloc_array(pl, (size_t)n * sizeof *sent), *received = NULL;
  int64_t *ids = pl_malloc_array(pl, ((size_t)base->end[1] + 1) * sizeof *ids), count = 0;
  unsigned char *member = *result = pl_calloc(pl, (size_t)base->end[3] + 1, 1);
  bool memory = sent && ids && member;
  pl_err err = pl_agree(pl, memory ? PL_SUCCESS : pl_fail_memory(pl, (size_t)n * sizeof *sent));
  for (int64_t i = 0; !err && i < n; i++) sent[i] = (pl_global_pair){indices[i], 0};
  for (int i = 0; !err && i < base->end[1]; i++) ids[i] = pl_user_global_index(base, i);
  if (!err) err = pl_directory_of(base, &owners);
  if (!err) err = pl_global_map_deliver(pl, &owners, n, sent, &received, &count);
  for (int64_t i = 0; !err && i < count; i++)
    member[pl_user_to_storage(base, (int)pl_find_ascending(ids, base->end[1], received[i].target))] = 1;
  pl_directory_free(pl, &owners);
  pl_free_arrays(pl, sent, received, ids);
  return err;
}

static pl_err decl_subset(pl_set *parent, int64_t n, const int *indices, bool global, const char *name,
                          pl_set **result)
{
  PL_TRY_GIVEN(parent);
  pl_context *pl = parent->node.pl;
  pl_set *base = pl_set_base(parent);
  const char *shown = name ? name : "(unnamed)";
  unsigned char *member = NULL;
  pl_err err = PL_GIVEN_FOR(pl, "pl_decl_subset", shown, result);
  if (!err) err = check_members(parent, n, indices, global, shown);
  if (!err && !global) err = mark_members(parent, n, indices, &member);
  err = pl_agree_on(pl, err, "subset \"%s\" of \"%s\"", shown, base->node.name);
  if (!err && global) err = mark_owned(base, n, indices, &member);
  if (!err) err = pl_notify_exchange_marks(pl, base, member);
  if (!err) err = subset_of_marks(base, member, name, result);
  pl_free(pl, member);
  return err;
}

pl_err pl_decl_subset(pl_set *parent, int64_t n, const int *indices, const char *name, pl_set **subset)
{
  return decl_subset(parent, n, indices, pl_ranks(pl_context_of(parent)) > 1, name, subset);
}

pl_err pl_decl_subset_local(pl_set *parent, int64_t n, const int *indices, const char *name, pl_set **subset)
{
  return decl_subset(parent, n, indices, false, name, subset);
}

static void mark_bit(const pl_set *set, unsigned char *member, unsigned char bit)
{
  for (int i = 0; i < set->end[3]; i++) member[pl_element_at(set, i)] |= bit;
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
  PL_TRY_GIVEN(a);
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

/* ---- reading ---- */

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
  if (err) return pl_free(pl, user), err;
  subset->user_indices = user;
  return PL_SUCCESS;
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
