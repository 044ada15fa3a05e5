/* SPDX-License-Identifier: BSD-2-Clause
 * Loops that increment a dat, inside the loop that reads it: each element calls their kernels for what
 * reaches it and keeps its own share.
 */
#include "fuse.h"
#include "core/hash.h"
#include "core/memory.h"
#include "made.h"
#include "operand.h"
#include "plan/inverse.h"
#include <string.h>

enum { MOST_DEGREE = PL_DEGREE, MOST_SLOTS = PL_SIDES, SIDE_BITS = 4, MOST_PRODUCERS = 6 };

/* ---- the turned map of a producer ---- */

/* The one map through which a loop increments the dat, and the indices in the order of its arguments. */
typedef struct aim {
  pl_map *map;
  int nslots, index[MOST_SLOTS];
} aim;

static bool take_index(aim *a, int index)
{
  for (int s = 0; s < a->nslots; s++)
    if (a->index[s] == index) return false;
  if (a->nslots == MOST_SLOTS) return false;
  a->index[a->nslots++] = index;
  return true;
}

/* False if the loop does anything but increment the dat through one map. */
static bool find_aim(const pl_loop *loop, const pl_dat *dat, aim *a)
{
  *a = (aim){.map = NULL};
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

static int degree_of(const pl_inverse *inverse)
{
  int most = 0;
  for (int t = 0; t < inverse->ntargets; t++)
    if (inverse->offset[t + 1] - inverse->offset[t] > most)
      most = inverse->offset[t + 1] - inverse->offset[t];
  return most;
}

/* ---- corners: targets that are found again ---- */

/* The ways an element's targets lie among those of what it reaches: which they are, whatever their order. */
typedef struct corner_set {
  int n, count[4 * PL_DEGREE];
  unsigned mask[4 * PL_DEGREE];
} corner_set;

/* Where the element's targets are among those of `in` at t; the mask of all, or 0. */
static unsigned find_places(const pl_corners *c, int t, int element, signed char *place)
{
  const int *own = c->in->index + (size_t)t * (size_t)c->in->arity;
  const int *far = c->of->index + (size_t)element * (size_t)c->of->arity;
  unsigned mask = 0;
  for (int i = 0; i < c->of->arity; i++) {
    int j = 0;
    while (j < c->in->arity && own[j] != far[i]) j++;
    if (j == c->in->arity) return 0;
    place[i] = (signed char)j;
    mask |= 1u << j;
  }
  return mask;
}

static int position_of(const corner_set *set, unsigned mask)
{
  int p = 0;
  while (p < set->n && set->mask[p] != mask) p++;
  return p < set->n ? p : -1;
}

/* The `degree` ways that come most often. */
static void find_ways(const pl_corners *c, const pl_inverse *inverse, int degree, corner_set *set)
{
  signed char place[PL_CORNERS];
  *set = (corner_set){0};
  for (int t = 0; t < inverse->ntargets; t++)
    for (int k = inverse->offset[t]; k < inverse->offset[t + 1]; k++) {
      unsigned mask = find_places(c, t, inverse->entry[k] / inverse->nslots, place);
      int p = mask ? position_of(set, mask) : -1;
      if (mask && p < 0 && set->n < 4 * PL_DEGREE) set->mask[p = set->n++] = mask;
      if (p >= 0) set->count[p]++;
    }
  for (int i = 0; i < set->n; i++)
    for (int j = i; j > 0 && set->count[j] > set->count[j - 1]; j--) {
      int count = set->count[j];
      unsigned mask = set->mask[j];
      set->count[j] = set->count[j - 1], set->count[j - 1] = count;
      set->mask[j] = set->mask[j - 1], set->mask[j - 1] = mask;
    }
  if (set->n > degree) set->n = degree;
}

/* The place of an entry in its row, of which `row` says what is taken; -1: its targets are not where those of
 * others at this place and side are, which the first one shows. */
static int fit_corner(pl_corners *c, const corner_set *set, int t, int entry, int nslots, unsigned *row)
{
  signed char place[PL_CORNERS];
  unsigned mask = find_places(c, t, entry / nslots, place);
  int p = mask ? position_of(set, mask) : -1;
  if (p < 0 || *row >> p & 1) return -1;
  signed char *known = c->place[p][entry % nslots];
  if (known[0] < 0) memcpy(known, place, sizeof place);
  if (memcmp(known, place, (size_t)c->of->arity)) return -1;
  *row |= 1u << p;
  return p;
}

/* Whether all entries but a few fit. */
static bool try_corners(pl_corners *c, const pl_inverse *inverse, int degree, corner_set *set)
{
  int odd = 0;
  find_ways(c, inverse, degree, set);
  memset(c->place, -1, sizeof c->place);
  for (int t = 0; t < inverse->ntargets; t++) {
    unsigned row = 0;
    for (int k = inverse->offset[t]; k < inverse->offset[t + 1]; k++)
      odd += fit_corner(c, set, t, inverse->entry[k], inverse->nslots, &row) < 0;
  }
  return odd <= inverse->nentries / 8;
}

static bool can_hold(const pl_map *in, const aim *a, const pl_map *of)
{
  return in->from == a->map->to && in->to == of->to && in->index && !in->offset && !in->has_negative &&
         in->arity <= PL_CORNERS && in->arity >= of->arity && in->arity <= of->arity * MOST_DEGREE;
}

/* The map of the targets' set that holds all targets which the loop reads through another map, the one
 * declared first. */
static void find_corners(pl_context *pl, const pl_loop *loop, const aim *a, const pl_inverse *inverse,
                         int degree, pl_corners *corners, corner_set *set)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_map *of = loop->args[i].map;
    uint64_t first = UINT64_MAX;
    if (!of || of == a->map || of->offset || of->from != pl_set_base(loop->set)) continue;
    for (pl_node *node = pl->maps; node; node = node->next) {
      pl_corners c = {of, (pl_map *)node, {{{0}}}};
      corner_set found;
      if (node->id > first || !can_hold(c.in, a, of) || !try_corners(&c, inverse, degree, &found)) continue;
      first = node->id;
      *corners = c;
      *set = found;
    }
    if (corners->of) return;
  }
}

/* ---- rows ---- */

/* Rows in the making: of all entries, or with corners of those that fit, or of the others. */
typedef struct rows {
  const aim *aim;
  const pl_inverse *inverse;
  pl_turned *turned;
  pl_corners *corners; /* NULL: there are none */
  corner_set set;
  bool others;
  bool sparse; /* most rows are empty */
  int placed;  /* entries */
  int *element, *other;
  uint32_t *side;
} rows;

/* The place of the k-th entry of row t, -1: it is not one of these; `row` and `n` what is taken before. */
static int place_entry(rows *r, int t, int k, unsigned *row, int *n)
{
  int entry = r->inverse->entry[k];
  if (!r->corners) return (*n)++;
  int p = fit_corner(r->corners, &r->set, t, entry, r->inverse->nslots, row);
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
  for (int k = r->inverse->offset[t]; k < r->inverse->offset[t + 1]; k++) {
    int p = place_entry(r, t, k, &row, &n), e = r->inverse->entry[k] / nslots,
        s = r->inverse->entry[k] % nslots;
    if (p < 0) continue;
    element[p] = first = e;
    r->placed++;
    if (other) other[p] = r->aim->map->index[2 * e + 1 - r->aim->index[s]];
    r->side[t] |= (uint32_t)(s + 1) << SIDE_BITS * p;
  }
  if (first < 0 && !r->sparse) first = 0;
  for (int k = 0; k < degree; k++)
    if (element[k] < 0) element[k] = first;
}

/* The longest row of entries that do not fit. */
static int count_others(rows *r)
{
  int most = 0;
  for (int t = 0; t < r->inverse->ntargets; t++) {
    unsigned row = 0;
    int n = 0;
    for (int k = r->inverse->offset[t]; k < r->inverse->offset[t + 1]; k++) place_entry(r, t, k, &row, &n);
    if (n > most) most = n;
  }
  return most;
}

static pl_err declare_side(pl_context *pl, const rows *r)
{
  char name[128];
  snprintf(name, sizeof name, "sides of %.100s", r->aim->map->node.name);
  PL_TRY(pl_decl_dat(r->aim->map->to, 1, PL_UINT32, NULL, name, &r->turned->side));
  void *values = pl_dat_host(r->turned->side, true);
  if (!values) return pl->error_code;
  memcpy(values, r->side, (size_t)r->inverse->ntargets * sizeof *r->side);
  pl_dat_host_written(r->turned->side);
  return PL_SUCCESS;
}

/* Takes the arrays over. */
static pl_err declare_turned(pl_context *pl, rows *r)
{
  char name[128];
  pl_turned *turned = r->turned;
  pl_set *to = r->aim->map->to;
  int64_t places[2] = {r->placed, r->inverse->ntargets};
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
  pl_err err = PL_SUCCESS;
  if (r->element && r->side && (r->other || !two)) {
    for (int t = 0; t < r->inverse->ntargets; t++) fill_row(r, t);
    err = declare_turned(pl, r);
  } else {
    err = pl_fail_memory(pl, n * sizeof *r->element);
  }
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

static pl_err take_look(pl_context *pl, const aim *a, const pl_inverse *inverse, look *l)
{
  int owned = a->map->to->part[1];
  int64_t longest[2] = {degree_of(inverse), owned && !a->map->from->part[3]}, sum[2] = {0, owned};
  for (int t = 0; t < owned; t++) sum[0] += inverse->offset[t] == inverse->offset[t + 1];
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_MAX, longest, 2));
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, sum, 2));
  *l = (look){longest[0] > MOST_DEGREE ? -1 : (int)longest[0], 2 * sum[0] > sum[1]};
  if (l->degree > 0 && longest[1] && !l->mostly_empty) l->degree = -1;
  return PL_SUCCESS;
}

/* What does not fit gets rows of its own. */
static pl_err make_rest(pl_context *pl, rows *r)
{
  pl_turned *whole = r->turned;
  r->others = r->sparse = true;
  r->placed = 0;
  int degree = count_others(r);
  if (!degree) return PL_SUCCESS;
  r->turned = whole->rest = pl_calloc(pl, 1, sizeof *whole->rest);
  if (!whole->rest) return pl_fail_memory(pl, sizeof *whole->rest);
  whole->rest->of = whole->of;
  whole->rest->set = whole->set;
  whole->rest->degree = degree;
  return fill_turned(pl, r);
}

static pl_err make_turned(pl_context *pl, const pl_loop *loop, const aim *a, const pl_inverse *inverse,
                          pl_turned *turned)
{
  look all;
  PL_TRY(take_look(pl, a, inverse, &all));
  rows r = {.aim = a, .inverse = inverse, .turned = turned, .sparse = all.mostly_empty};
  turned->degree = all.degree;
  if (turned->degree <= 0) return PL_SUCCESS;
  if (!r.sparse && pl_ranks(pl) == 1)
    find_corners(pl, loop, a, inverse, turned->degree, &turned->corners, &r.set);
  if (turned->corners.of) {
    r.corners = &turned->corners;
    turned->degree = r.set.n;
  }
  PL_TRY(fill_turned(pl, &r));
  return r.corners ? make_rest(pl, &r) : PL_SUCCESS;
}

/* The turned map of a loop; degree 0 if nothing is reached, -1 if an element is reached too often. */
static pl_err turn(pl_context *pl, const pl_loop *loop, const aim *a, pl_turned **result)
{
  pl_reach reach[MOST_SLOTS];
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

/* ---- the text ---- */

typedef struct gathering {
  pl_builder *b;
  const pl_loop *loop; /* a producer */
  const pl_signature *signature;
  const pl_turned *turned;
  aim aim;
  const pl_dat *dat;
  int sum, share, side; /* private arrays: what is kept, what one call gives, which side the element is on */
} gathering;

static int slot_of(const gathering *g, int index)
{
  int s = 0;
  while (g->aim.index[s] != index) s++;
  return s;
}

/* What is reached through the map of the increments is the element itself or what lies opposite. */
static void place_end(gathering *g, const pl_arg *arg, int j, int k, char *place)
{
  pl_builder *b = g->b;
  bool real = g->signature->param[j].is_real;
  pl_arg own = *arg, other = *arg;
  own.map = NULL;
  own.index = PL_ID;
  int n = pl_slot_number(b, pl_builder_slot(b, &own, real));
  if (g->aim.map->arity == 1) {
    bool pointers = g->signature->param[j].shape == PL_SHAPE_POINTERS;
    snprintf(place, PL_CALL_PLACE, pointers ? "(&pl_a%d)" : "pl_a%d", n);
    return;
  }
  other.map = g->turned->other;
  other.index = PL_ALL;
  int m = pl_slot_number(b, pl_builder_slot(b, &other, real)), dim = pl_arg_dim(arg), t = b->privates++;
  const char *type = real ? "pl_real" : pl_type_name(pl_arg_type(arg));
  int first = arg->index == PL_ALL ? 0 : arg->index, count = pl_arg_targets(arg);
  pl_text_add(&b->body, "  %s pl_t%d[%d][%d];\n", type, t, count, dim);
  for (int i = first; i < first + count; i++) {
    int mine = -1;
    for (int s = 0; s < g->aim.nslots; s++)
      if (g->aim.index[s] == i) mine = s;
    for (int c = 0; c < dim; c++)
      if (mine >= 0)
        pl_text_add(&b->body, "  pl_t%d[%d][%d] = pl_t%d == %d ? pl_a%d[%d] : pl_a%d[%d][%d];\n", t,
                    i - first, c, g->side, mine + 1, n, c, m, k, c);
      else
        pl_text_add(&b->body, "  pl_t%d[%d][%d] = pl_a%d[%d][%d];\n", t, i - first, c, m, k, c);
  }
  snprintf(place, PL_CALL_PLACE, arg->index == PL_ALL ? "pl_t%d" : "pl_t%d[0]", t);
}

/* Target i of entry k among those of the corners' map: "pl_a5[2]", by the side if that matters; value c. */
static void print_corner(const gathering *g, int k, int i, int slot, int c)
{
  const signed char(*place)[PL_CORNERS] = g->turned->corners.place[k];
  pl_text *t = &g->b->body;
  int last = -1;
  for (int s = 0; s < g->aim.nslots; s++)
    if (place[s][0] >= 0) last = s;
  for (int s = 0; s < last; s++)
    if (place[s][0] >= 0 && place[s][i] != place[last][i])
      pl_text_add(t, "pl_t%d == %d ? pl_a%d[%d][%d] : ", g->side, s + 1, slot, place[s][i], c);
  pl_text_add(t, "pl_a%d[%d][%d]", slot, last < 0 ? 0 : place[last][i], c);
}

/* What is reached through a map whose targets are found again: a private copy, in the map's order. */
static void place_corners(gathering *g, const pl_arg *arg, int j, int k, char *place)
{
  pl_builder *b = g->b;
  bool real = g->signature->param[j].is_real;
  pl_arg whole = *arg;
  whole.map = g->turned->corners.in;
  whole.index = PL_ALL;
  int slot = pl_slot_number(b, pl_builder_slot(b, &whole, real)), t = b->privates++, dim = pl_arg_dim(arg);
  int first = arg->index == PL_ALL ? 0 : arg->index, count = pl_arg_targets(arg);
  pl_text_add(&b->body, "  %s pl_t%d[%d][%d];\n", real ? "pl_real" : pl_type_name(pl_arg_type(arg)), t, count,
              dim);
  for (int i = first; i < first + count; i++)
    for (int c = 0; c < dim; c++) {
      pl_text_add(&b->body, "  pl_t%d[%d][%d] = ", t, i - first, c);
      print_corner(g, k, i, slot, c);
      pl_text_add(&b->body, ";\n");
    }
  snprintf(place, PL_CALL_PLACE, arg->index == PL_ALL ? "pl_t%d" : "pl_t%d[0]", t);
}

/* Rows that lie apart, as one array. */
static void copy_rows(gathering *g, int j, int slot, int at, char *place)
{
  const pl_arg *arg = &g->loop->args[j];
  const char *type = g->signature->param[j].is_real ? "pl_real" : pl_type_name(pl_arg_type(arg));
  int t = g->b->privates++, dim = pl_arg_dim(arg), n = pl_arg_targets(arg);
  pl_text_add(&g->b->body,
              "  %s pl_t%d[%d][%d];\n  for (int pl_s = 0; pl_s < %d; pl_s++) for (int pl_i = 0; pl_i < %d; "
              "pl_i++) pl_t%d[pl_s][pl_i] = pl_a%d[%d + pl_s][pl_i];\n",
              type, t, n, dim, n, dim, t, slot, at);
  snprintf(place, PL_CALL_PLACE, "pl_t%d", t);
}

static pl_err place_read(gathering *g, int j, int k, char *place)
{
  pl_arg arg = g->loop->args[j];
  bool row = arg.map && arg.index == PL_ALL;
  if (arg.kind == PL_ARG_DAT && arg.map && arg.map == g->turned->corners.of) {
    place_corners(g, &arg, j, k, place);
    return PL_SUCCESS;
  }
  if (arg.kind == PL_ARG_DAT && arg.map == g->aim.map && arg.map->arity <= 2) {
    place_end(g, &arg, j, k, place);
    return PL_SUCCESS;
  }
  int at = k;
  if (arg.kind == PL_ARG_DAT) {
    pl_map *map = arg.map ? pl_composed_map(g->b->pl, g->turned->element, arg.map) : g->turned->element;
    if (!map) return PL_ERR_MEMORY;
    at = arg.map ? k * arg.map->arity + (row ? 0 : arg.index) : k;
    arg.map = map;
    arg.index = PL_ALL;
  }
  int n = pl_slot_number(g->b, pl_builder_slot(g->b, &arg, g->signature->param[j].is_real));
  if (arg.kind != PL_ARG_DAT)
    snprintf(place, PL_CALL_PLACE, "pl_a%d", n);
  else
    snprintf(place, PL_CALL_PLACE, row ? "(pl_a%d + %d)" : "pl_a%d[%d]", n, at);
  if (row && arg.map->where && g->signature->param[j].shape == PL_SHAPE_PACKED) copy_rows(g, j, n, at, place);
  return PL_SUCCESS;
}

/* On devices few rows that are shorter are no reason for a branch: what is computed for nothing is not used,
 * and the compiler sees all calls at once. */
static bool is_computed_always(const gathering *g)
{
  return g->turned->full && g->b->pl->backend->ends_reductions;
}

/* Entry k of the row: the producer's kernel, and the share of this element added to the sum. */
static pl_err print_entry(gathering *g, int k, int sides)
{
  pl_call c;
  pl_text *t = &g->b->body;
  int dim = g->dat->dim * (pl_type_is_complex(g->dat->type) ? 2 : 1), n = g->aim.nslots;
  const char *type = pl_type_name(pl_type_base(g->dat->type));
  pl_err err = pl_call_open(g->b, g->loop, g->signature, &c);
  g->side = g->b->privates++;
  g->share = g->b->privates++;
  pl_text_add(t, "  const int pl_t%d = (int)(pl_a%d[0] >> %d & 15u);\n  ", g->side, sides, SIDE_BITS * k);
  if (!is_computed_always(g)) pl_text_add(t, "if (pl_t%d) ", g->side);
  pl_text_add(t, "{\n");
  pl_text_add(t, "  %s pl_t%d[%d][%d];\n", type, g->share, n, dim);
  pl_text_add(t,
              "  for (int pl_s = 0; pl_s < %d; pl_s++) for (int pl_i = 0; pl_i < %d; pl_i++) "
              "pl_t%d[pl_s][pl_i] = %s;\n",
              n, dim, g->share, pl_neutral_text(pl_type_base(g->dat->type), PL_INC));
  for (int j = 0; !err && j < g->loop->nargs; j++) {
    const pl_arg *arg = &g->loop->args[j];
    int s = arg->kind == PL_ARG_DAT && arg->object == g->dat
              ? slot_of(g, arg->index == PL_ALL ? 0 : arg->index)
              : 0;
    if (arg->kind != PL_ARG_DAT || arg->object != g->dat)
      err = place_read(g, j, k, c.place[j]);
    else
      snprintf(c.place[j], PL_CALL_PLACE, arg->index == PL_ALL ? "(pl_t%d + %d)" : "pl_t%d[%d]", g->share, s);
  }
  if (!err) pl_call_print(&c);
  for (int s = 0; s < n; s++)
    pl_text_add(
      t, "  %sif (pl_t%d == %d) for (int pl_i = 0; pl_i < %d; pl_i++) pl_t%d[pl_i] += pl_t%d[%d][pl_i];\n",
      s ? "else " : "", g->side, s + 1, dim, g->sum, g->share, s);
  pl_text_add(t, "  }\n");
  pl_call_close(&c);
  return err;
}

static pl_err print_entries(gathering *g, const pl_turned *turned)
{
  const pl_arg side = pl_arg_dat(turned->side, PL_ID, PL_DIRECT, PL_READ);
  int sides = pl_slot_number(g->b, pl_builder_slot(g->b, &side, false));
  pl_err err = PL_SUCCESS;
  g->turned = turned;
  for (int k = 0; !err && k < turned->degree; k++) err = print_entry(g, k, sides);
  return err;
}

static pl_err print_producer(pl_builder *b, const pl_loop *loop, const pl_dat *dat, int sum)
{
  pl_signature signature;
  pl_turned *turned;
  gathering g = {.b = b, .loop = loop, .signature = &signature, .dat = dat, .sum = sum};
  if (!find_aim(loop, dat, &g.aim))
    return pl_fail(b->pl, PL_ERR_KERNEL, "\"%s\" does more than add to \"%s\" through one map",
                   loop->kernel->name, dat->node.name);
  PL_TRY(turn(b->pl, loop, &g.aim, &turned));
  if (turned->degree < 0)
    return pl_fail(b->pl, PL_ERR_KERNEL, "map \"%s\" leads to some elements more than %d times",
                   g.aim.map->node.name, MOST_DEGREE);
  if (!turned->degree) return PL_SUCCESS;
  PL_TRY(pl_loop_signature(loop, &signature));
  pl_builder_types(b, &signature);
  pl_err err = print_entries(&g, turned);
  if (!err && turned->rest) err = print_entries(&g, turned->rest);
  pl_signature_free(&signature);
  return err;
}

static pl_err print_consumer(pl_builder *b, const pl_loop *loop, const pl_dat *dat, int sum)
{
  pl_signature signature;
  pl_call c;
  PL_TRY(pl_loop_signature(loop, &signature));
  pl_builder_types(b, &signature);
  pl_err err = pl_call_open(b, loop, &signature, &c);
  for (int i = 0; !err && i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (arg->off) continue;
    if (arg->kind == PL_ARG_DAT && arg->object == dat) {
      snprintf(c.place[i], PL_CALL_PLACE, "pl_t%d", sum);
      continue;
    }
    pl_made_slot *s = pl_builder_slot_apart(b, arg, signature.param[i].is_real);
    snprintf(c.place[i], PL_CALL_PLACE, "pl_a%d", pl_slot_number(b, s));
  }
  if (!err) pl_call_print(&c);
  pl_call_close(&c);
  pl_signature_free(&signature);
  return err;
}

static pl_err build(pl_builder *b, int n, pl_loop *const *producer, const pl_loop *consumer,
                    const pl_dat *dat)
{
  int sum = b->privates++, dim = dat->dim * (pl_type_is_complex(dat->type) ? 2 : 1);
  pl_text_add(&b->body, "  %s pl_t%d[%d];\n  for (int pl_i = 0; pl_i < %d; pl_i++) pl_t%d[pl_i] = 0;\n",
              pl_type_name(pl_type_base(dat->type)), sum, dim, dim, sum);
  for (int p = 0; p < n; p++) PL_TRY(print_producer(b, producer[p], dat, sum));
  return print_consumer(b, consumer, dat, sum);
}

pl_err pl_fuse_gather(pl_context *pl, int n, pl_loop *const *producer, pl_loop *consumer, pl_dat *dat,
                      pl_loop **result)
{
  pl_workshop *shop = pl_workshop_of(pl);
  const void *parts[MOST_PRODUCERS + 2] = {consumer, dat};
  char label[80];
  pl_builder b;
  if (!shop) return PL_ERR_MEMORY;
  if (n > MOST_PRODUCERS)
    return pl_fail(pl, PL_ERR_KERNEL, "more than %d loops add to \"%s\"", n, dat->node.name);
  for (int p = 0; p < n; p++) parts[2 + p] = producer[p];
  uint64_t key = pl_hash(PL_HASH_START + 3, parts, sizeof *parts * (size_t)(n + 2));
  const pl_made *before = pl_made_find(shop, key);
  if (before) {
    *result = before->loop;
    return PL_SUCCESS;
  }
  int slots = consumer->nargs;
  for (int p = 0; p < n; p++) slots += 4 * MOST_DEGREE * producer[p]->nargs + 2;
  pl_err err = pl_builder_open(pl, &b, slots, n + 1);
  b.raw = true;
  snprintf(label, sizeof label, "%.28s_gathers_%.20s", consumer->kernel->name, dat->node.name);
  for (char *l = label; *l; l++)
    if (!((*l >= '0' && *l <= '9') || (*l >= 'a' && *l <= 'z') || (*l >= 'A' && *l <= 'Z'))) *l = '_';
  if (!err) err = build(&b, n, producer, consumer, dat);
  if (!err) err = pl_builder_loop(&b, consumer->set, label, result);
  if (!err) err = pl_made_keep(pl, key, *result, 0, NULL);
  pl_builder_free(&b);
  return err;
}

bool pl_loop_only_adds(const pl_loop *loop, const pl_dat *dat)
{
  aim a;
  return find_aim(loop, dat, &a);
}
