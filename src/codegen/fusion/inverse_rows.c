/* SPDX-License-Identifier: BSD-2-Clause
 * Maps of increments turned round: for each target a row of the elements that reach it, all of equal length.
 */
#include "core/memory.h"
#include "gather.h"
#include <string.h>

/* ---- the map ---- */

static bool take_index(pl_aim *a, int index)
{
  for (int s = 0; s < a->nslots; s++)
    if (a->index[s] == index) return false;
  if (a->nslots == PL_SIDES) return false;
  a->index[a->nslots++] = index;
  return true;
}

bool pl_aim_find(const pl_loop *loop, const pl_dat *dat, pl_aim *a)
{
  *a = (pl_aim){.map = NULL};
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (arg->off || arg->kind == PL_ARG_POINTER || arg->kind == PL_ARG_INDEX) return false;
    if (arg->map && (arg->map->offset || arg->map->has_negative)) return false;
    if (arg->access == PL_READ && (arg->kind != PL_ARG_DAT || arg->object != dat)) continue;
    if (arg->kind != PL_ARG_DAT || arg->object != dat || arg->access != PL_INC || !arg->map ||
        arg->component >= 0)
      return false;
    if (a->map && a->map != arg->map) return false;
    a->map = arg->map;
    int first = arg->index == PL_ALL ? 0 : arg->index;
    for (int k = first; k < first + pl_arg_targets(arg); k++)
      if (!take_index(a, k)) return false;
  }
  return a->map != NULL;
}

/* ---- rows ---- */

/* The longest row of those that this rank owns, which alone are run. */
static int degree_of(const pl_inverse *inverse, int owned)
{
  int most = 0;
  for (int t = 0; t < owned; t++)
    if (inverse->offset[t + 1] - inverse->offset[t] > most)
      most = inverse->offset[t + 1] - inverse->offset[t];
  return most;
}

/* Rows in the making: of all entries, or with corners of those that fit, or of the others. */
typedef struct rows {
  const pl_aim *aim;
  const pl_inverse *inverse;
  pl_turned *turned;
  const pl_corners *corners; /* NULL: there are none */
  bool others;
  bool sparse;       /* most rows are empty */
  int owned, placed; /* rows that are run, and entries in them */
  int *element, *other;
  uint32_t *side;
} rows;

/* The place of the k-th entry of row t, -1: it is not one of these; `row` and `n` what is taken before. */
static int place_entry(rows *r, int t, int k, unsigned *row, int *n)
{
  int entry = r->inverse->entry[k];
  if (!r->corners) return (*n)++;
  int p = pl_corner_fit(r->corners, t, entry, r->inverse->nslots, row);
  if (!r->others) return p;
  return p < 0 ? (*n)++ : -1;
}

static void fill_row(rows *r, int t)
{
  const int degree = r->turned->degree, nslots = r->inverse->nslots;
  int *element = r->element + (size_t)t * (size_t)degree, first = -1, n = 0;
  int *other = r->other ? r->other + (size_t)t * (size_t)degree : NULL;
  unsigned row = 0;
  for (int k = 0; k < degree; k++) element[k] = -1;
  for (int k = 0; other && k < degree; k++) other[k] = t;
  for (int k = r->inverse->offset[t]; t < r->owned && k < r->inverse->offset[t + 1]; k++) {
    int p = place_entry(r, t, k, &row, &n), e = r->inverse->entry[k] / nslots,
        s = r->inverse->entry[k] % nslots;
    if (p < 0) continue;
    element[p] = first = e;
    r->placed++;
    if (other) other[p] = r->aim->map->index[2 * e + 1 - r->aim->index[s]];
    r->side[t] |= (uint32_t)(s + 1) << PL_SIDE_BITS * p;
  }
  if (first < 0 && !r->sparse) first = 0;
  for (int k = 0; k < degree; k++)
    if (element[k] < 0) element[k] = first;
}

/* The longest row of entries that do not fit, on any rank. */
static pl_err count_others(pl_context *pl, rows *r, int *degree)
{
  int64_t most = 0;
  for (int t = 0; t < r->owned; t++) {
    unsigned row = 0;
    int n = 0;
    for (int k = r->inverse->offset[t]; k < r->inverse->offset[t + 1]; k++) place_entry(r, t, k, &row, &n);
    if (n > most) most = n;
  }
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_MAX, &most, 1));
  *degree = (int)most;
  return PL_SUCCESS;
}

/* In as few bytes as a row needs: every element reads them. */
static pl_err declare_side(pl_context *pl, const rows *r)
{
  char name[128];
  int bits = PL_SIDE_BITS * r->turned->degree;
  const pl_type type = bits <= 8 ? PL_UINT8 : bits <= 16 ? PL_UINT16 : PL_UINT32;
  snprintf(name, sizeof name, "sides of %.100s", r->aim->map->node.name);
  PL_TRY(pl_decl_dat(r->aim->map->to, 1, type, NULL, name, &r->turned->side));
  void *values = pl_dat_host(r->turned->side, true);
  if (!values) return pl->error_code;
  for (int t = 0; t < r->inverse->ntargets; t++)
    if (type == PL_UINT8)
      ((uint8_t *)values)[t] = (uint8_t)r->side[t];
    else if (type == PL_UINT16)
      ((uint16_t *)values)[t] = (uint16_t)r->side[t];
    else
      ((uint32_t *)values)[t] = r->side[t];
  pl_dat_host_written(r->turned->side);
  return PL_SUCCESS;
}

/* Takes the arrays over. */
static pl_err declare_turned(pl_context *pl, rows *r)
{
  char name[128];
  pl_turned *turned = r->turned;
  pl_set *to = r->aim->map->to;
  int64_t places[2] = {r->placed, r->owned};
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, places, 2));
  turned->full = places[0] * 8 > turned->degree * places[1] * 7;
  int *element = r->element, *other = r->other;
  r->element = r->other = NULL;
  snprintf(name, sizeof name, "%.100s turned", r->aim->map->node.name);
  pl_err err = pl_made_map(to, r->aim->map->from, turned->degree, element, r->sparse, name, &turned->element);
  snprintf(name, sizeof name, "other end of %.100s", r->aim->map->node.name);
  if (err)
    pl_free_array(pl, other);
  else if (other)
    err = pl_made_map(to, to, turned->degree, other, false, name, &turned->other);
  if (!err) err = declare_side(pl, r);
  if (!err && r->sparse) turned->element->where = turned->side;
  if (!err && r->sparse && turned->other) turned->other->where = turned->side;
  return err;
}

static pl_err fill_turned(pl_context *pl, rows *r)
{
  size_t n = (size_t)r->inverse->ntargets * (size_t)r->turned->degree + 1;
  bool two = r->aim->map->arity == 2;
  r->element = pl_malloc_array(pl, n * sizeof *r->element);
  r->other = two ? pl_malloc_array(pl, n * sizeof *r->other) : NULL;
  r->side = pl_calloc(pl, (size_t)r->inverse->ntargets + 1, sizeof *r->side);
  bool room = r->element && r->side && (r->other || !two);
  pl_err err = pl_agree(pl, room ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof *r->element));
  for (int t = 0; !err && t < r->inverse->ntargets; t++) fill_row(r, t);
  if (!err) err = declare_turned(pl, r);
  pl_free_array(pl, r->element);
  pl_free_array(pl, r->other);
  pl_free(pl, r->side);
  return err;
}

/* What rows look like on all ranks: the longest one, and whether elements that reach nothing are many. A rank
 * whose rows have nothing to hold in place of nothing does not want them (length -1). */
typedef struct look {
  int degree;
  bool mostly_empty;
} look;

static pl_err take_look(pl_context *pl, const pl_aim *a, const pl_inverse *inverse, look *l)
{
  int owned = a->map->to->part[1];
  int64_t longest[2] = {degree_of(inverse, owned), owned && !a->map->from->part[3]}, sum[2] = {0, owned};
  for (int t = 0; t < owned; t++) sum[0] += inverse->offset[t] == inverse->offset[t + 1];
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_MAX, longest, 2));
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, sum, 2));
  *l = (look){longest[0] > PL_DEGREE ? -1 : (int)longest[0], 2 * sum[0] > sum[1]};
  if (l->degree > 0 && longest[1] && !l->mostly_empty) l->degree = -1;
  return PL_SUCCESS;
}

/* What does not fit gets rows of its own. */
static pl_err make_rest(pl_context *pl, rows *r)
{
  pl_turned *whole = r->turned;
  r->others = r->sparse = true;
  r->placed = 0;
  int degree;
  PL_TRY(count_others(pl, r, &degree));
  if (!degree) return PL_SUCCESS;
  r->turned = whole->rest = pl_calloc(pl, 1, sizeof *whole->rest);
  PL_TRY(pl_agree(pl, whole->rest ? PL_SUCCESS : pl_fail_memory(pl, sizeof *whole->rest)));
  whole->rest->of = whole->of;
  whole->rest->set = whole->set;
  whole->rest->degree = degree;
  return fill_turned(pl, r);
}

static pl_err make_turned(pl_context *pl, const pl_loop *loop, const pl_aim *a, const pl_inverse *inverse,
                          pl_turned *turned)
{
  look all;
  PL_TRY(take_look(pl, a, inverse, &all));
  rows r = {
    .aim = a, .inverse = inverse, .turned = turned, .sparse = all.mostly_empty, .owned = a->map->to->part[1]};
  turned->degree = all.degree;
  if (turned->degree <= 0) return PL_SUCCESS;
  if (!r.sparse) PL_TRY(pl_corners_find(pl, loop, a, inverse, turned->degree, &turned->corners));
  if (turned->corners.of) {
    r.corners = &turned->corners;
    turned->degree = turned->corners.n;
  }
  PL_TRY(fill_turned(pl, &r));
  return r.corners ? make_rest(pl, &r) : PL_SUCCESS;
}

pl_err pl_turn(pl_context *pl, const pl_loop *loop, const pl_aim *a, pl_turned **result)
{
  pl_reach reach[PL_SIDES];
  pl_inverse inverse;
  if ((*result = pl_turned_find(pl, loop->set, a->map, a->nslots, a->index))) return PL_SUCCESS;
  for (int s = 0; s < a->nslots; s++) reach[s] = (pl_reach){.map = a->map, .index = a->index[s]};
  PL_TRY(pl_agree(pl, pl_inverse_build(pl, loop->set, a->nslots, reach, &inverse)));
  pl_turned *turned = pl_turned_new(pl, loop->set, a->map, a->nslots, a->index);
  pl_err err = turned ? make_turned(pl, loop, a, &inverse, turned) : PL_ERR_MEMORY;
  if (err && turned) turned->degree = -1;
  pl_inverse_free(pl, &inverse);
  *result = turned;
  return err;
}
