/* SPDX-License-Identifier: BSD-2-Clause
 * Loops that increment a dat, inside the loop that reads it: each element calls their kernels for what
 * reaches it and keeps its own share.
 */
#include "fuse.h"
#include "core/hash.h"
#include "core/memory.h"
#include "gather.h"
#include "made.h"
#include "operand.h"
#include <string.h>

enum { MOST_PRODUCERS = 6 };

typedef struct gathering {
  pl_builder *b;
  const pl_loop *loop; /* a producer */
  const pl_signature *signature;
  const pl_turned *turned;
  pl_aim aim;
  const pl_dat *dat;
  int sum, share, side; /* private arrays: what is kept, what one call gives, which side the element is on */
  int only;             /* the slot through which all come that have this entry, or -1 */
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
      if (mine >= 0 && mine == g->only)
        pl_text_add(&b->body, "  pl_t%d[%d][%d] = pl_a%d[%d];\n", t, i - first, c, n, c);
      else if (mine >= 0 && g->only < 0)
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
    if (place[s][0] >= 0 && (g->only < 0 || s == g->only)) last = s;
  for (int s = 0; s < last && g->only < 0; s++)
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
  pl_text_add(t, "  const int pl_t%d = (int)(pl_a%d[0] >> %d & 15u);\n  ", g->side, sides, PL_SIDE_BITS * k);
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
  for (int s = g->only < 0 ? 0 : g->only; s < (g->only < 0 ? n : g->only + 1); s++)
    pl_text_add(
      t, "  %sif (pl_t%d == %d) for (int pl_i = 0; pl_i < %d; pl_i++) pl_t%d[pl_i] += pl_t%d[%d][pl_i];\n",
      s && g->only < 0 ? "else " : "", g->side, s + 1, dim, g->sum, g->share, s);
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
  for (int k = 0; !err && k < turned->degree; k++) {
    g->only = turned->corners.of ? turned->corners.side[k] : -1;
    err = print_entry(g, k, sides);
  }
  return err;
}

static pl_err print_producer(pl_builder *b, const pl_loop *loop, const pl_dat *dat, int sum)
{
  pl_signature signature;
  pl_turned *turned;
  gathering g = {.b = b, .loop = loop, .signature = &signature, .dat = dat, .sum = sum};
  if (!pl_aim_find(loop, dat, &g.aim))
    return pl_fail(b->pl, PL_ERR_KERNEL, "\"%s\" does more than add to \"%s\" through one map",
                   loop->kernel->name, dat->node.name);
  PL_TRY(pl_turn(b->pl, loop, &g.aim, &turned));
  if (turned->degree < 0)
    return pl_fail(b->pl, PL_ERR_KERNEL, "map \"%s\" leads to some elements more than %d times",
                   g.aim.map->node.name, PL_DEGREE);
  if (!turned->degree) return PL_SUCCESS;
  PL_TRY(pl_loop_signature(loop, &signature));
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
  for (int p = 0; p < n; p++) slots += 4 * PL_DEGREE * producer[p]->nargs + 2;
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
  pl_aim a;
  return pl_aim_find(loop, dat, &a);
}
