/* SPDX-License-Identifier: BSD-2-Clause
 * For each target of a loop's increments a row of the elements that increment it, of equal length.
 */
#include "inverse_rows.h"
#include "shared_vertices.h"
#include "core/comm/comm.h"
#include "core/tools/tools.h"
#include "core/threads/threads.h"
#include <string.h>

/* ---- the map ---- */

/* An input, or an increment of the dat. */
static bool may_inline(const pl_arg *arg, const pl_dat *dat)
{
  if (arg->off || pl_arg_is_foreign(arg) || pl_arg_is_numbered(arg)) return false;
  if (arg->map && (arg->map->offset || arg->map->has_negative)) return false;
  if (!pl_arg_accesses(arg, dat)) return arg->access == PL_READ;
  return arg->access == PL_INC && arg->map && arg->component < 0;
}

/* No target is incremented through two arguments. */
bool pl_increment_map_find(const pl_loop *loop, const pl_dat *dat, pl_increment_map *a)
{
  *a = (pl_increment_map){.map = NULL};
  PL_EACH_ARG (arg, loop) {
    if (!may_inline(arg, dat)) return false;
    if (arg->access == PL_READ) continue;
    int n = a->nslots + pl_arg_targets(arg);
    if (n > PL_SIDES || (a->map && a->map != arg->map)) return false;
    if (pl_reach_add(a->nslots, a->slot, arg) < n) return false;
    a->map = arg->map;
    a->nslots = n;
  }
  return a->map != NULL;
}

/* ---- rows ---- */

/* Rows under construction: of all entries, of those that fit the shared vertices, or of the others. */
typedef struct rows {
  const pl_increment_map *increments;
  const pl_inverse *inverse;
  pl_inverse_rows *into;
  const pl_shared_vertices *vertices; /* NULL: there are none */
  const uint32_t *placed;             /* of the others: the sides of the entries that fit */
  bool sparse;                        /* most rows are empty */
  bool reads_ends;                    /* the loop reads all targets of its increments' map */
  int owned;                          /* rows that are run */
  int64_t entries;                    /* in them */
  int *element, *other;
  uint32_t *side;
} rows;

/* The position of an entry in row t, -1: it is not in these rows. `row`, `n`: positions in use. */
static int entry_position(const rows *r, int t, int element, int side, unsigned *row, int *n)
{
  if (!r->vertices) return (*n)++;
  int p = pl_shared_vertices_fit(r->vertices, t, element, side, row);
  if (!r->placed) return p;
  return p < 0 ? (*n)++ : -1;
}

/* The element's targets but that of the increment. */
static void copy_others(const pl_increment_map *a, int element, int increment, int *other)
{
  const int arity = a->map->arity, own = a->slot[increment].index;
  const int *target = a->map->index + (size_t)element * (size_t)arity;
  for (int i = 0; i < arity; i++)
    if (i != own) *other++ = target[i];
}

static int row_length(const rows *r, int t)
{
  return r->inverse->offset[t + 1] - r->inverse->offset[t];
}

static int count_sides(uint32_t sides)
{
  int n = 0;
  for (; sides; sides >>= PL_SIDE_BITS) n += sides % (1u << PL_SIDE_BITS) != 0;
  return n;
}

/* Whether all entries of the row, if any, are in other rows. */
static bool is_empty(const rows *r, int t)
{
  return t >= r->owned || (r->placed && count_sides(r->placed[t]) == row_length(r, t));
}

/* Returns the number of entries placed. */
static int fill_row(const rows *r, int t)
{
  const int degree = r->into->degree, nslots = r->inverse->nslots, begin = r->inverse->offset[t],
            end = is_empty(r, t) ? begin : r->inverse->offset[t + 1],
            others = r->other ? r->increments->map->arity - 1 : 0;
  int *element = r->element + (size_t)t * (size_t)degree, first = -1, n = 0, placed = 0;
  int *other = r->other + (size_t)t * (size_t)degree * (size_t)others;
  unsigned row = 0;
  uint32_t sides = 0;
  for (int k = 0; k < degree; k++) element[k] = -1;
  for (int k = 0; k < degree * others; k++) other[k] = t;
  for (int k = begin; k < end; k++) {
    const int e = r->inverse->entry[k] / nslots, s = r->inverse->entry[k] - e * nslots,
              p = entry_position(r, t, e, s, &row, &n);
    if (p < 0) continue;
    element[p] = first = e;
    placed++;
    if (others) copy_others(r->increments, e, s, other + p * others);
    sides |= (uint32_t)(s + 1) << PL_SIDE_BITS * p;
  }
  r->side[t] = sides;
  if (first < 0 && !r->sparse) first = 0;
  for (int k = 0; k < degree; k++)
    if (element[k] < 0) element[k] = first;
  return placed;
}

/* Of the entries that do not fit, the longest row of all ranks. */
static pl_err count_others(pl_context *pl, const rows *r, int *degree)
{
  int64_t most = 0;
  int threads = pl_plan_threads(r->owned, (size_t)r->inverse->nentries);
  PL_PARALLEL_MAX(threads, most)
  for (int t = 0; t < r->owned; t++) {
    int n = row_length(r, t) - count_sides(r->placed[t]);
    if (n > most) most = n;
  }
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_MAX, &most, 1));
  *degree = (int)most;
  return PL_SUCCESS;
}

/* The dat of sides, in the smallest type that holds a row. */
static pl_err declare_side(pl_context *pl, const rows *r)
{
  char name[128];
  int bits = PL_SIDE_BITS * r->into->degree;
  const pl_type type = bits <= 8 ? PL_UINT8 : bits <= 16 ? PL_UINT16 : PL_UINT32;
  snprintf(name, sizeof name, "sides of %.100s", r->increments->map->node.name);
  PL_TRY(pl_decl_dat(r->increments->map->to, 1, type, NULL, name, &r->into->side));
  r->into->side->node.internal = true;
  void *values = pl_dat_host(r->into->side, true);
  if (!values) return pl->error_code;
  int threads = pl_plan_threads(r->inverse->ntargets, (size_t)r->inverse->ntargets);
  PL_PARALLEL_FOR(threads)
  for (int t = 0; t < r->inverse->ntargets; t++)
    if (type == PL_UINT8)
      ((uint8_t *)values)[t] = (uint8_t)r->side[t];
    else if (type == PL_UINT16)
      ((uint16_t *)values)[t] = (uint16_t)r->side[t];
    else
      ((uint32_t *)values)[t] = r->side[t];
  pl_dat_host_written(r->into->side);
  return PL_SUCCESS;
}

/* n: entries and rows of all ranks. */
static bool are_full(int64_t degree, const int64_t n[2])
{
  return n[0] * 8 > degree * n[1] * 7;
}

/* The maps take the arrays over. */
static pl_err declare_rows(pl_context *pl, rows *r)
{
  char name[128];
  pl_inverse_rows *rows = r->into;
  pl_set *to = r->increments->map->to;
  int64_t places[2] = {r->entries, r->owned};
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, places, 2));
  rows->full = are_full(rows->degree, places);
  int *element = r->element, *other = r->other;
  r->element = r->other = NULL;
  snprintf(name, sizeof name, "inverse of %.100s", r->increments->map->node.name);
  pl_err err =
    pl_internal_map_new(to, r->increments->map->from, rows->degree, element, r->sparse, name, &rows->element);
  snprintf(name, sizeof name, "other end of %.100s", r->increments->map->node.name);
  if (err)
    pl_free_array(pl, other);
  else if (other)
    err = pl_internal_map_new(to, to, rows->degree * (r->increments->map->arity - 1), other, false, name,
                              &rows->other);
  if (!err) err = declare_side(pl, r);
  if (!err && r->sparse) rows->element->row_mask = rows->side;
  if (!err && r->sparse && rows->other) rows->other->row_mask = rows->side;
  return err;
}

/* The caller frees r->side. */
static pl_err build_rows(pl_context *pl, rows *r)
{
  const size_t n = (size_t)r->inverse->ntargets * (size_t)r->into->degree + 1,
               others = r->reads_ends ? (size_t)r->increments->map->arity - 1 : 0;
  r->element = pl_malloc_array(pl, n * sizeof *r->element);
  r->other = others ? pl_malloc_array(pl, others * n * sizeof *r->other) : NULL;
  r->side = pl_malloc_array(pl, (size_t)r->inverse->ntargets * sizeof *r->side);
  bool allocated = r->element && r->side && (r->other || !others);
  pl_err err = pl_agree(pl, allocated ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof *r->element));
  int64_t entries = 0;
  int threads = pl_plan_threads(r->inverse->ntargets, n);
  PL_PARALLEL_SUM(threads, entries)
  for (int t = 0; t < (err ? 0 : r->inverse->ntargets); t++) entries += fill_row(r, t);
  r->entries = entries;
  if (!err) err = declare_rows(pl, r);
  pl_free_arrays(pl, r->element, r->other);
  r->element = r->other = NULL;
  return err;
}

/* The longest row of all ranks, whether most rows are empty, and whether few are shorter. -1: rows are too
 * long, or a rank has no element to repeat in short rows. */
static pl_err measure_rows(pl_context *pl, const pl_increment_map *a, const pl_inverse *inverse, int *degree,
                           bool *sparse, bool *full)
{
  const int owned = a->map->to->end[1], threads = pl_plan_threads(owned, (size_t)owned),
            *offset = inverse->offset;
  int64_t most = 0, empty = 0;
  PL_PARALLEL_MAX(threads, most)
  for (int t = 0; t < owned; t++) most = offset[t + 1] - offset[t] > most ? offset[t + 1] - offset[t] : most;
  PL_PARALLEL_SUM(threads, empty)
  for (int t = 0; t < owned; t++) empty += offset[t + 1] == offset[t];
  int64_t longest[2] = {most, owned && !a->map->from->end[3]}, sum[3] = {empty, offset[owned], owned};
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_MAX, longest, 2));
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, sum, 3));
  *sparse = 2 * sum[0] > sum[2];
  *full = are_full(longest[0], sum + 1);
  *degree = longest[0] > PL_DEGREE || (longest[0] && longest[1] && !*sparse) ? -1 : (int)longest[0];
  return PL_SUCCESS;
}

static pl_inverse_rows *new_rows(pl_context *pl, const pl_set *set, const pl_increment_map *a)
{
  pl_inverse_rows *t = pl_calloc(pl, 1, sizeof *t);
  if (!t) pl_fail_memory(pl, sizeof *t);
  if (!t) return NULL;
  *t = (pl_inverse_rows){
    {.from = {set, a->map, a->map->from, a->map->to}, .map = {&t->element, &t->other}, .dat = &t->side},
    .set = set};
  pl_derived_keep(pl, PL_INVERSE_ROWS, &t->base);
  return t;
}

/* Entries that do not fit the shared vertices get rows of their own. */
static pl_err build_rest(pl_context *pl, const rows *fitting)
{
  pl_inverse_rows *whole = fitting->into;
  rows r = *fitting;
  int degree;
  r.placed = fitting->side;
  r.sparse = true;
  PL_TRY(count_others(pl, &r, &degree));
  if (!degree) return PL_SUCCESS;
  r.into = whole->rest = new_rows(pl, whole->set, &whole->of);
  PL_TRY(pl_agree(pl, whole->rest ? PL_SUCCESS : PL_ERR_MEMORY));
  whole->rest->degree = degree;
  memcpy(whole->rest->base.from, whole->base.from, sizeof whole->base.from);
  pl_err err = build_rows(pl, &r);
  pl_free_array(pl, r.side);
  return err;
}

static bool reads_ends(const pl_loop *loop, const pl_map *map)
{
  PL_EACH_ARG (arg, loop)
    if (arg->map == map && arg->access == PL_READ && pl_arg_is_record(arg)) return true;
  return false;
}

static pl_err build_all(pl_context *pl, const pl_loop *loop, const pl_increment_map *a,
                        const pl_inverse *inverse, bool only_full, pl_inverse_rows *into)
{
  rows r = {.increments = a,
            .inverse = inverse,
            .into = into,
            .owned = a->map->to->end[1],
            .reads_ends = reads_ends(loop, a->map)};
  PL_TRY(measure_rows(pl, a, inverse, &into->degree, &r.sparse, &into->full));
  if (into->degree <= 0 || (only_full && !into->full)) return PL_SUCCESS;
  if (!r.sparse) PL_TRY(pl_shared_vertices_find(pl, loop, a, inverse, into->degree, &into->vertices));
  if (into->vertices.of) {
    r.vertices = &into->vertices;
    into->base.from[4] = into->vertices.of;
    into->base.from[5] = into->vertices.in;
    into->degree = into->vertices.n;
  }
  pl_err err = build_rows(pl, &r);
  if (!err && r.vertices) err = build_rest(pl, &r);
  pl_free_array(pl, r.side);
  return err;
}

static int count_core(const pl_set *set, const pl_increment_map *a, const pl_inverse *inverse)
{
  const int owned = a->map->to->end[1];
  const int n = set->end[0] == set->end[2] ? owned : pl_inverse_before(inverse, set->end[0]);
  return n < owned ? n : owned;
}

static pl_inverse_rows *find_rows(pl_context *pl, const pl_set *set, const pl_increment_map *a)
{
  const size_t bytes = (size_t)a->nslots * sizeof *a->slot;
  for (pl_inverse_rows *t = pl_derived_first(pl, PL_INVERSE_ROWS); t; t = pl_derived_next(t))
    if (t->set == set && t->of.nslots == a->nslots && !memcmp(t->of.slot, a->slot, bytes)) return t;
  return NULL;
}

pl_err pl_inverse_rows_build(pl_context *pl, const pl_loop *loop, const pl_increment_map *a, bool only_full,
                             pl_inverse_rows **result)
{
  pl_inverse inverse;
  pl_inverse_rows *t = *result = find_rows(pl, loop->set, a);
  if (t && (t->element || t->degree <= 0 || (only_full && !t->full))) return PL_SUCCESS;
  PL_TRY(pl_agree(pl, pl_inverse_build(pl, loop->set, a->nslots, a->slot, &inverse)));
  pl_event_begin(pl, PL_TOOL_PLAN, "inverse rows", a->map->to->node.name, 0);
  if (!t) t = *result = new_rows(pl, loop->set, a);
  pl_err err = PL_ERR_MEMORY;
  if (t) {
    t->of = *a;
    t->core = count_core(loop->set, a, &inverse);
    err = build_all(pl, loop, a, &inverse, only_full, t);
    if (err) t->degree = -1;
  }
  pl_event_end(pl, PL_TOOL_PLAN);
  pl_inverse_free(pl, &inverse);
  return err;
}
