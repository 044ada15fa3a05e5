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

enum { MOST_DEGREE = 8, MOST_SLOTS = 14, SIDE_BITS = 4, MOST_PRODUCERS = 6 };

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

/* Rows of `degree` entries, filled up with the first one (or element 0), which no side names. */
static void fill_rows(const aim *a, const pl_inverse *inverse, int degree, int *element, int *other,
                      uint32_t *side)
{
  for (int t = 0; t < inverse->ntargets; t++) {
    const int *row = inverse->entry + inverse->offset[t], n = inverse->offset[t + 1] - inverse->offset[t];
    for (int k = 0; k < degree; k++) {
      int entry = n ? row[k < n ? k : 0] : 0, e = entry / inverse->nslots, s = entry % inverse->nslots;
      element[t * degree + k] = e;
      if (other) other[t * degree + k] = n ? a->map->index[2 * e + 1 - a->index[s]] : t;
      if (k < n) side[t] |= (uint32_t)(s + 1) << SIDE_BITS * k;
    }
  }
}

static pl_err declare_turned(const aim *a, pl_turned *turned, const int *element, const int *other,
                             const uint32_t *side)
{
  char name[128];
  snprintf(name, sizeof name, "%.100s turned", a->map->node.name);
  PL_TRY(pl_decl_map(a->map->to, a->map->from, turned->degree, element, name, &turned->element));
  snprintf(name, sizeof name, "other end of %.100s", a->map->node.name);
  if (other) PL_TRY(pl_decl_map(a->map->to, a->map->to, turned->degree, other, name, &turned->other));
  snprintf(name, sizeof name, "sides of %.100s", a->map->node.name);
  return pl_decl_dat(a->map->to, 1, PL_UINT32, side, name, &turned->side);
}

static pl_err fill_turned(pl_context *pl, const aim *a, const pl_inverse *inverse, pl_turned *turned)
{
  size_t n = (size_t)inverse->ntargets * (size_t)turned->degree + 1;
  int *element = pl_calloc(pl, n, sizeof *element);
  int *other = a->map->arity == 2 ? pl_calloc(pl, n, sizeof *other) : NULL;
  uint32_t *side = pl_calloc(pl, (size_t)inverse->ntargets + 1, sizeof *side);
  pl_err err = pl_fail_memory(pl, n * sizeof *element);
  if (element && side && (other || a->map->arity != 2)) {
    fill_rows(a, inverse, turned->degree, element, other, side);
    err = declare_turned(a, turned, element, other, side);
  }
  pl_free(pl, element);
  pl_free(pl, other);
  pl_free(pl, side);
  return err;
}

/* The turned map of a loop; degree 0 if nothing is reached, PL_ERR_KERNEL if an element is reached too often.
 */
static pl_err turn(pl_context *pl, const pl_loop *loop, const aim *a, pl_turned **result)
{
  pl_reach reach[MOST_SLOTS];
  pl_inverse inverse;
  if ((*result = pl_turned_find(pl, loop->set, a->map, a->nslots, a->index))) return PL_SUCCESS;
  for (int s = 0; s < a->nslots; s++) reach[s] = (pl_reach){.map = a->map, .index = a->index[s]};
  PL_TRY(pl_inverse_build(pl, loop->set, a->nslots, reach, &inverse));
  pl_turned *turned = pl_turned_new(pl, loop->set, a->map, a->nslots, a->index);
  pl_err err = turned ? PL_SUCCESS : PL_ERR_MEMORY;
  if (!err && (turned->degree = degree_of(&inverse)) > MOST_DEGREE) turned->degree = -1;
  if (!err && turned->degree > 0) err = fill_turned(pl, a, &inverse, turned);
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

static pl_err place_read(gathering *g, int j, int k, char *place)
{
  pl_arg arg = g->loop->args[j];
  bool row = arg.map && arg.index == PL_ALL;
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
  return PL_SUCCESS;
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
  pl_text_add(t, "  const int pl_t%d = (int)(pl_a%d[0] >> %d & 15u);\n  if (pl_t%d) {\n", g->side, sides,
              SIDE_BITS * k, g->side);
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
  g.turned = turned;
  PL_TRY(pl_loop_signature(loop, &signature));
  pl_builder_types(b, &signature);
  const pl_arg side = pl_arg_dat(turned->side, PL_ID, PL_DIRECT, PL_READ);
  int sides = pl_slot_number(b, pl_builder_slot(b, &side, false));
  pl_err err = PL_SUCCESS;
  for (int k = 0; !err && k < turned->degree; k++) err = print_entry(&g, k, sides);
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
  for (int p = 0; p < n; p++) slots += 2 * MOST_DEGREE * producer[p]->nargs + 1;
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
