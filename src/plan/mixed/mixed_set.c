/* SPDX-License-Identifier: BSD-2-Clause
 * Mixed sets, and the set of all their values.
 */
#include "core/comm/comm.h"
#include "core/context/observer.h"
#include "mixed_set.h"
#include "mixed_map.h"

void *pl_mixed_list(pl_context *pl, int n, const void *given, size_t size)
{
  void *list = given ? pl_memdup(pl, given, (size_t)n * size) : pl_calloc(pl, (size_t)n, size);
  if (!list) pl_fail_memory(pl, (size_t)n * size);
  return list;
}

/* ---- declaration ---- */

static pl_err check_part(pl_context *pl, const char *name, const pl_set *set, int i, int dim)
{
  if (!set) return pl_fail(pl, PL_ERR_ARG, "mixed set \"%s\": part %d is NULL", name, i);
  if (set->node.pl != pl)
    return pl_fail(pl, PL_ERR_ARG, "mixed set \"%s\": part %d, \"%s\", belongs to another context", name, i,
                   set->node.name);
  if (set->parent || set->capacity || set->migrates || set->pairs)
    return pl_fail(pl, PL_ERR_ARG, "mixed set \"%s\": part %d, \"%s\", is a subset or of variable size", name,
                   i, set->node.name);
  if (dim >= 1) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_RANGE, "mixed set \"%s\": part %d, \"%s\", has dim %d; it must be at least 1",
                 name, i, set->node.name, dim);
}

static pl_err new_set(pl_context *pl, int n, pl_set *const *sets, const int *dims, const char *name,
                      pl_mixed_set **result)
{
  pl_mixed_set *s = pl_node_new(pl, &pl->mixed_sets, sizeof *s, name);
  if (!s) return PL_ERR_MEMORY;
  s->set = pl_mixed_list(pl, n, sets, sizeof *s->set);
  s->dim = pl_mixed_list(pl, n, dims, sizeof *s->dim);
  s->number = pl_mixed_list(pl, n, NULL, sizeof *s->number);
  s->into = pl_mixed_list(pl, n, NULL, sizeof *s->into);
  if (s->set && s->dim && s->number && s->into) {
    s->n = n;
    for (int i = 0; i < n; i++) s->set[i]->ref++;
    *result = s;
    return PL_SUCCESS;
  }
  pl_mixed_set_destroy(&s->node);
  return PL_ERR_MEMORY;
}

pl_err pl_decl_mixed_set(int n, pl_set *const *sets, const int *dims, const char *name, pl_mixed_set **set)
{
  if (!name) name = "(unnamed)";
  pl_context *pl = sets && n > 0 ? pl_context_of(sets[0]) : NULL;
  PL_TRY(PL_GIVEN_FOR(pl, "pl_decl_mixed_set", name, sets, dims, set));
  if (n < 1) return pl_fail(NULL, PL_ERR_RANGE, "mixed set \"%s\": %d parts; it needs one or more", name, n);
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < n && !err; i++) err = check_part(pl, name, sets[i], i, dims[i]);
  if (!pl) return err;
  PL_TRY(pl_agree_on(pl, err, "mixed set \"%s\" of %d parts", name, n));
  return pl_agree(pl, new_set(pl, n, sets, dims, name, set));
}

static void free_whole(pl_mixed_set *s)
{
  for (int i = 0; i < s->n; i++) {
    pl_dat_free(&s->number[i]);
    pl_map_free(&s->into[i]);
  }
  if (s->whole && !s->whole->ref) pl_set_free(&s->whole);
  s->whole = NULL;
}

void pl_mixed_set_destroy(pl_node *node)
{
  pl_mixed_set *s = (pl_mixed_set *)node;
  free_whole(s);
  for (int i = 0; i < s->n; i++) s->set[i]->ref--;
  pl_free_all(node->pl, s->set, s->dim, s->number, s->into);
  pl_node_free(node);
}

void pl_mixed_set_free(pl_mixed_set **set)
{
  if (!set || !*set) return;
  if ((*set)->ref)
    pl_log((*set)->node.pl, 0,
           "mixed set \"%s\" is still used by %d mixed objects and stays until pl_finalize",
           (*set)->node.name, (*set)->ref);
  else
    pl_mixed_set_destroy(&(*set)->node);
  *set = NULL;
}

int pl_mixed_set_parts(const pl_mixed_set *set)
{
  return set ? set->n : 0;
}

int64_t pl_mixed_set_size(const pl_mixed_set *set)
{
  int64_t size = 0;
  for (int i = 0; set && i < set->n; i++) size += pl_set_size(set->set[i]);
  return size;
}

/* ---- the set of all values ---- */

static pl_err check_whole(const pl_mixed_set *s, int64_t *values)
{
  *values = 0;
  for (int i = 0; i < s->n; i++) {
    if (pl_set_rows(s->set[i]) > s->set[i]->end[1])
      return pl_fail(
        s->node.pl, PL_ERR_ARG,
        "mixed set \"%s\": part %d, \"%s\", was declared with halos, so its values cannot be one "
        "set",
        s->node.name, i, s->set[i]->node.name);
    *values += (int64_t)s->set[i]->end[1] * s->dim[i];
  }
  return PL_SUCCESS;
}

/* The numbers of the values of part i, whose first one is `first`. */
static pl_err number_part(pl_mixed_set *s, int i, int64_t first)
{
  pl_context *pl = s->node.pl;
  const int64_t n = s->set[i]->end[1], dim = s->dim[i];
  int64_t *number = pl_malloc_array(pl, (size_t)n * sizeof *number),
          *into = pl_malloc_array(pl, (size_t)(n * dim) * sizeof *into);
  pl_err err =
    pl_agree(pl, number && into ? PL_SUCCESS : pl_fail_memory(pl, (size_t)(n * dim) * sizeof *into));
  for (int64_t e = 0; e < n && !err; e++) number[e] = 1 + first + e * dim;
  for (int64_t k = 0; k < n * dim && !err; k++) into[k] = first + k;
  if (!err) err = pl_decl_dat(s->set[i], 1, PL_INT64, number, "number", &s->number[i]);
  if (!err) err = pl_decl_map_global(s->set[i], s->whole, (int)dim, into, "into", &s->into[i]);
  if (!err) s->number[i]->node.internal = s->into[i]->node.internal = true;
  pl_free_arrays(pl, number, into);
  return err;
}

static pl_err make_whole(pl_mixed_set *s)
{
  pl_context *pl = s->node.pl;
  int64_t values;
  PL_TRY(pl_agree(pl, check_whole(s, &values)));
  PL_TRY(pl_decl_set(pl, values, s->node.name, &s->whole));
  s->whole->node.internal = true;
  int64_t first = s->whole->first;
  for (int i = 0; i < s->n; i++) {
    PL_TRY(number_part(s, i, first));
    first += (int64_t)s->set[i]->end[1] * s->dim[i];
  }
  PL_EACH (pl_mixed_map, map, pl->mixed_maps)
    if (map->to == s) PL_TRY(pl_mixed_map_join(map));
  return PL_SUCCESS;
}

pl_err pl_mixed_set_whole(pl_mixed_set *set, pl_set **whole)
{
  PL_TRY(PL_GIVEN(pl_context_of(set), "pl_mixed_set_whole", set, whole));
  if (!set->whole) {
    pl_err err = make_whole(set);
    if (err) {
      PL_EACH (pl_mixed_map, map, set->node.pl->mixed_maps)
        if (map->to == set) pl_map_free(&map->whole);
      free_whole(set);
      return err;
    }
  }
  *whole = set->whole;
  return PL_SUCCESS;
}

pl_err pl_mixed_set_numbers(pl_mixed_set *set, int part, int64_t *numbers)
{
  pl_set *whole;
  void *view;
  PL_TRY(PL_GIVEN(pl_context_of(set), "pl_mixed_set_numbers", set, numbers));
  if (part < 0 || part >= set->n)
    return pl_fail(set->node.pl, PL_ERR_RANGE, "mixed set \"%s\": there is no part %d; it has %d",
                   set->node.name, part, set->n);
  PL_TRY(pl_mixed_set_whole(set, &whole));
  PL_TRY(pl_notify_distribute(set->node.pl));
  PL_TRY(pl_dat_get(set->number[part], PL_READ, &view));
  for (int64_t e = 0; e < pl_set_size(set->set[part]); e++) numbers[e] = ((const int64_t *)view)[e] - 1;
  return pl_dat_put(set->number[part]);
}
