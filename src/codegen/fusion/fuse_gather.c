/* SPDX-License-Identifier: BSD-2-Clause
 * Prints the kernel of a loop with inlined increments: for each entry of the inverse rows a call of the
 * incrementing kernel. They are added to a private sum, which the reader's kernel gets, or to the dat.
 */
#include "fuse_gather.h"
#include "fused_kernel.h"
#include "inverse_rows.h"
#include "shared_vertices.h"
#include "codegen/loop/operand.h"
#include <string.h>

typedef struct gathering {
  pl_builder *b;
  const pl_member *member; /* a producer */
  const pl_inverse_rows *rows;
  pl_increment_map increments;
  const pl_dat *dat;
  int dim;                  /* of the dat, in real numbers */
  const char *type;         /* of a real number */
  const pl_param *param;    /* that gets the sum, or that increments */
  char sum[PL_CALL_PLACE];  /* the variable that the increments are added to */
  char own[PL_FUSED_NAME];  /* private arrays: the increments of one call, */
  char side[PL_FUSED_NAME]; /* and 1 + the increment through which the entry reaches this element */
  int entry;                /* of the row */
  const char *at[2];        /* arguments that hold the targets that are copied now, */
  int first;                /* and where they begin */
  int only;                 /* the only side of these entries, or -1 */
} gathering;

static int increment_of(const gathering *g, int index)
{
  int s = pl_reach_find(g->increments.nslots, g->increments.slot, g->increments.map, index);
  return s < g->increments.nslots ? s : -1;
}

static const char *name_of_arg(const gathering *g, int j, pl_arg arg)
{
  return pl_builder_arg(g->b, &arg, &g->member->signature.param[j])->name;
}

/* ---- the inputs of the producer ---- */

/* The row of an argument that holds target i of the entry if its increment is the one of this side; false: no
 * entry has this side. */
typedef bool (*row_of_target)(const gathering *g, int side, int i, char row[PL_CALL_PLACE]);

/* Prints value c of target i, selected by the side if that matters. */
static void print_value(const gathering *g, row_of_target row_of, int i, int c)
{
  char last[PL_CALL_PLACE] = "", row[PL_CALL_PLACE];
  int first = g->only < 0 ? 0 : g->only, s = g->only < 0 ? g->increments.nslots - 1 : g->only;
  while (!row_of(g, s, i, last) && s > first) s--;
  for (int other = first; other < s; other++)
    if (row_of(g, other, i, row) && strcmp(row, last))
      pl_string_add(&g->b->body, "%s == %d ? %s[%d] : ", g->side, other + 1, row, c);
  pl_string_add(&g->b->body, "%s[%d]", last, c);
}

/* A private copy of argument j's targets, in the order of its map. */
static void copy_targets(gathering *g, int j, row_of_target row_of, char *place)
{
  const pl_arg *arg = &g->member->loop->args[j];
  const pl_param *param = &g->member->signature.param[j];
  int dim = pl_arg_dim(arg), first = arg->index == PL_ALL ? 0 : arg->index, count = pl_arg_targets(arg);
  char copy[PL_FUSED_NAME];
  pl_builder_private(g->b, pl_fused_type(param, arg), param->name, count, dim, copy);
  for (int i = first; i < first + count; i++)
    for (int c = 0; c < dim; c++) {
      pl_string_add(&g->b->body, "  %s[%d][%d] = ", copy, i - first, c);
      print_value(g, row_of, i, c);
      pl_string_add(&g->b->body, ";\n");
    }
  snprintf(place, PL_CALL_PLACE, arg->index == PL_ALL ? "%s" : "%s[0]", copy);
}

/* One of the increments' own map: this element, or one of the entry's other targets. */
static bool row_of_end(const gathering *g, int side, int i, char row[PL_CALL_PLACE])
{
  const int own = g->increments.slot[side].index, others = g->increments.map->arity - 1;
  if (i == own)
    snprintf(row, PL_CALL_PLACE, "%s", g->at[0]);
  else
    snprintf(row, PL_CALL_PLACE, "%s[%d]", g->at[1], g->entry * others + (i < own ? i : i - 1));
  return true;
}

static void place_ends(gathering *g, int j, char *place)
{
  pl_arg own = g->member->loop->args[j], other = own;
  own.map = NULL;
  own.index = PL_ID;
  g->at[0] = name_of_arg(g, j, own);
  other.map = g->rows->other;
  other.index = PL_ALL;
  if (other.map) g->at[1] = name_of_arg(g, j, other);
  copy_targets(g, j, row_of_end, place);
}

static bool row_of_vertex(const gathering *g, int side, int i, char row[PL_CALL_PLACE])
{
  const int at = pl_shared_vertices_place(&g->rows->vertices, g->entry, side, i);
  snprintf(row, PL_CALL_PLACE, "%s[%d]", g->at[0], at < 0 ? 0 : at);
  return at >= 0;
}

/* Rows that are not contiguous. */
static bool row_in_order(const gathering *g, int side, int i, char row[PL_CALL_PLACE])
{
  (void)side;
  snprintf(row, PL_CALL_PLACE, "%s[%d]", g->at[0], g->first + i);
  return true;
}

static pl_err place_input(void *user, pl_call *c, int j)
{
  gathering *g = user;
  const int k = g->entry;
  char *place = c->place[j];
  pl_arg arg = g->member->loop->args[j];
  bool row = arg.map && arg.index == PL_ALL;
  if (pl_arg_accesses(&arg, g->dat)) {
    snprintf(place, PL_CALL_PLACE, row ? "(%s + %d)" : "%s[%d]", g->own,
             increment_of(g, row ? 0 : arg.index));
    return PL_SUCCESS;
  }
  if (!pl_arg_is_record(&arg)) {
    snprintf(place, PL_CALL_PLACE, "%s", name_of_arg(g, j, arg));
    return PL_SUCCESS;
  }
  if (arg.map && arg.map == g->rows->vertices.of) {
    pl_arg whole = arg;
    whole.map = g->rows->vertices.in;
    whole.index = PL_ALL;
    g->at[0] = name_of_arg(g, j, whole);
    copy_targets(g, j, row_of_vertex, place);
    return PL_SUCCESS;
  }
  if (arg.map == g->increments.map && (g->rows->other || arg.map->arity == 1)) {
    place_ends(g, j, place);
    return PL_SUCCESS;
  }
  pl_map *map = arg.map ? pl_composed_map(g->b->pl, g->rows->element, arg.map) : g->rows->element;
  if (!map) return PL_ERR_MEMORY;
  int at = arg.map ? k * arg.map->arity + (row ? 0 : arg.index) : k;
  arg.map = map;
  arg.index = PL_ALL;
  g->at[0] = name_of_arg(g, j, arg);
  g->first = at;
  snprintf(place, PL_CALL_PLACE, row ? "(%s + %d)" : "%s[%d]", g->at[0], at);
  if (row && map->row_mask && g->member->signature.param[j].shape != PL_SHAPE_POINTERS)
    copy_targets(g, j, row_in_order, place);
  return PL_SUCCESS;
}

/* ---- entries of the rows ---- */

/* On devices a few shorter rows do not justify a branch: the results of superfluous calls are not used, and
 * the compiler sees all calls at once. */
static bool is_unconditional(const gathering *g)
{
  return g->rows->full && g->b->pl->backend->reduces_globals;
}

/* Calls the producer's kernel for an entry of the row and adds this element's increments to the sum. */
static pl_err print_entry(gathering *g, const char *sides)
{
  pl_string *t = &g->b->body;
  char own[PL_FUSED_NAME];
  int n = g->increments.nslots;
  snprintf(own, sizeof own, "%.28s_own", g->param->name);
  pl_builder_name(g->b, "pl_side", g->side);
  pl_string_add(t, "  const int %s = (int)(%s[0] >> %d & 15u);\n  ", g->side, sides, PL_SIDE_BITS * g->entry);
  if (!is_unconditional(g)) pl_string_add(t, "if (%s) ", g->side);
  pl_string_add(t, "{\n");
  pl_builder_private(g->b, g->type, own, n, g->dim, g->own);
  pl_string_add(t,
                "  for (int pl_s = 0; pl_s < %d; pl_s++) for (int pl_i = 0; pl_i < %d; pl_i++) "
                "%s[pl_s][pl_i] = %s;\n",
                n, g->dim, g->own, pl_neutral_text(pl_type_base(g->dat->type), PL_INC));
  PL_TRY(pl_builder_call(g->b, (int)(g->member - g->b->member), place_input, g));
  for (int s = g->only < 0 ? 0 : g->only; s < (g->only < 0 ? n : g->only + 1); s++)
    pl_string_add(t, "  %sif (%s == %d) for (int pl_i = 0; pl_i < %d; pl_i++) %s[pl_i] += %s[%d][pl_i];\n",
                  s && g->only < 0 ? "else " : "", g->side, s + 1, g->dim, g->sum, g->own, s);
  pl_string_add(t, "  }\n");
  return PL_SUCCESS;
}

static pl_err print_entries(gathering *g, const pl_inverse_rows *rows)
{
  const pl_arg side = pl_arg_direct(rows->side, PL_READ);
  const char *sides = pl_builder_arg(g->b, &side, &(pl_param){.name = "pl_sides"})->name;
  g->rows = rows;
  for (g->entry = 0; g->entry < rows->degree; g->entry++) {
    g->only = rows->vertices.of ? rows->vertices.side[g->entry] : -1;
    PL_TRY(print_entry(g, sides));
  }
  return PL_SUCCESS;
}

static pl_err print_producer(gathering *g)
{
  const pl_loop *loop = g->member->loop;
  pl_inverse_rows *rows;
  if (!pl_increment_map_find(loop, g->dat, &g->increments))
    return pl_fail(loop->pl, PL_ERR_KERNEL, "\"%s\" does more than increment \"%s\" through one map",
                   loop->kernel->name, g->dat->node.name);
  PL_TRY(pl_inverse_rows_build(loop->pl, loop, &g->increments, false, &rows));
  if (rows->degree < 0)
    return pl_fail(loop->pl, PL_ERR_KERNEL, "map \"%s\" has some elements as targets more than %d times",
                   g->increments.map->node.name, PL_DEGREE);
  if (rows->degree) PL_TRY(print_entries(g, rows));
  return rows->degree && rows->rest ? print_entries(g, rows->rest) : PL_SUCCESS;
}

/* ---- the loop ---- */

static pl_err place_consumer(void *user, pl_call *c, int i)
{
  const gathering *g = user;
  const pl_arg *arg = &c->member->loop->args[i];
  bool sum = pl_arg_accesses(arg, g->dat);
  snprintf(c->place[i], PL_CALL_PLACE, "%s",
           sum ? g->sum : pl_builder_separate_arg(g->b, arg, &c->member->signature.param[i])->name);
  return PL_SUCCESS;
}

static gathering gathering_of(pl_builder *b, const pl_member *named, const pl_dat *dat)
{
  gathering g = {.b = b,
                 .member = b->member,
                 .dat = dat,
                 .dim = dat->dim * (pl_type_is_complex(dat->type) ? 2 : 1),
                 .type = pl_type_name(pl_type_base(dat->type)),
                 .param = named->signature.param};
  while (!pl_arg_accesses(&named->loop->args[g.param - named->signature.param], dat)) g.param++;
  return g;
}

static void print_zero(const gathering *g)
{
  pl_string_add(&g->b->body, "  for (int pl_i = 0; pl_i < %d; pl_i++) %s[pl_i] = 0;\n", g->dim, g->sum);
}

/* The last member is the consumer. */
static pl_err print_inlined(pl_builder *b, const pl_dat *dat)
{
  const pl_member *consumer = &b->member[b->nmembers - 1];
  gathering g = gathering_of(b, consumer, dat);
  pl_builder_private(b, g.type, g.param->name, 0, g.dim, g.sum);
  print_zero(&g);
  for (; g.member < consumer; g.member++) PL_TRY(print_producer(&g));
  return pl_builder_call(b, b->nmembers - 1, place_consumer, &g);
}

/* The increments are added to the dat itself, or to zero. */
static pl_err print_gathered(pl_builder *b, pl_dat *dat, bool zeroed)
{
  gathering g = gathering_of(b, b->member, dat);
  const pl_arg into = pl_arg_direct(dat, zeroed ? PL_WRITE : PL_RW);
  const pl_fused_arg *sum = pl_builder_arg(b, &into, g.param);
  snprintf(g.sum, sizeof g.sum, "((%s *)%s)", g.type, sum->name);
  if (zeroed) print_zero(&g);
  return print_producer(&g);
}

/* Of the fused loop for a producer. */
static int most_arguments(const pl_loop *producer)
{
  return 4 * PL_DEGREE * producer->nargs + 2;
}

pl_err pl_fuse_gather(pl_context *pl, int n, pl_loop *const *producer, pl_loop *consumer, pl_dat *dat,
                      const pl_fused **fused)
{
  pl_loop *member[PL_GATHER_PRODUCERS + 1];
  const void *parts[PL_GATHER_PRODUCERS + 2] = {consumer, dat};
  pl_builder b;
  int nargs = consumer->nargs;
  for (int p = 0; p < n; p++) {
    parts[2 + p] = member[p] = producer[p];
    nargs += most_arguments(producer[p]);
  }
  member[n] = consumer;
  uint64_t key = pl_fused_key("gather", n + 2, parts);
  if ((*fused = pl_fused_find(pl, key))) return PL_SUCCESS;
  pl_err err = pl_builder_open(pl, &b, nargs, n + 1, member);
  b.kind = PL_LOOP_MEMBER;
  b.unchecked = true;
  if (!err) err = print_inlined(&b, dat);
  return pl_builder_close(&b, err, key, consumer->set, "_into_", fused);
}

/* Rows of which many are shorter would cost more than they save. */
pl_err pl_fuse_gathered(pl_context *pl, pl_loop *loop, pl_dat *dat, bool stores, const pl_fused **fused,
                        int *core)
{
  const void *const parts[] = {loop, dat};
  const uint64_t key = pl_fused_key(stores ? "gathered from zeros" : "gathered", 2, parts);
  pl_increment_map increments;
  pl_inverse_rows *rows;
  pl_builder b;
  *fused = NULL;
  if (!pl_fusion_cache_of(pl)) return PL_ERR_MEMORY;
  if (!pl_increment_map_find(loop, dat, &increments)) return PL_SUCCESS;
  PL_TRY(pl_inverse_rows_build(pl, loop, &increments, true, &rows));
  *core = rows->core;
  if (rows->degree <= 0 || !rows->full || (*fused = pl_fused_find(pl, key))) return PL_SUCCESS;
  pl_err err = pl_builder_open(pl, &b, most_arguments(loop) + 1, 1, &loop);
  b.prepare_later = b.unchecked = true;
  if (!err) err = print_gathered(&b, dat, stores);
  return pl_builder_close(&b, err, key, dat->set, "", fused);
}
