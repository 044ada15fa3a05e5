/* SPDX-License-Identifier: BSD-2-Clause
 * Prints the kernel of a loop with inlined increments: a private sum, for each entry of the inverse rows a
 * call of the incrementing kernel, and the call of the reader.
 */
#include "fuse_gather.h"
#include "fused_kernel.h"
#include "inverse_rows.h"
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
  const char *sum;          /* private arrays: the sum, */
  char own[PL_FUSED_NAME];  /* the increments of one call, */
  char side[PL_FUSED_NAME]; /* and 1 + the increment through which the entry reaches this element */
  int entry;                /* of the row */
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

/* ---- what the producer reads ---- */

/* Prints value c of target i of entry k to the text. */
typedef void (*print_value)(const gathering *g, int k, int i, int c, const char *own, const char *other);

/* A private copy of argument j's targets, in the order of its map. */
static void copy_targets(gathering *g, int j, int k, print_value print, const char *own, const char *other,
                         char *place)
{
  const pl_arg *arg = &g->member->loop->args[j];
  const pl_param *param = &g->member->signature.param[j];
  int dim = pl_arg_dim(arg), first = arg->index == PL_ALL ? 0 : arg->index, count = pl_arg_targets(arg);
  char copy[PL_FUSED_NAME];
  pl_builder_private(g->b, pl_fused_type(param, arg), param->name, count, dim, copy);
  for (int i = first; i < first + count; i++)
    for (int c = 0; c < dim; c++) {
      pl_string_add(&g->b->body, "  %s[%d][%d] = ", copy, i - first, c);
      print(g, k, i, c, own, other);
      pl_string_add(&g->b->body, ";\n");
    }
  snprintf(place, PL_CALL_PLACE, arg->index == PL_ALL ? "%s" : "%s[0]", copy);
}

/* Targets of the increments' own map are this element and the one at the entry's other end. */
static void print_end(const gathering *g, int k, int i, int c, const char *own, const char *other)
{
  pl_string *t = &g->b->body;
  int s = increment_of(g, i);
  if (s >= 0 && s == g->only)
    pl_string_add(t, "%s[%d]", own, c);
  else if (s >= 0 && g->only < 0)
    pl_string_add(t, "%s == %d ? %s[%d] : %s[%d][%d]", g->side, s + 1, own, c, other, k, c);
  else
    pl_string_add(t, "%s[%d][%d]", other, k, c);
}

static void place_ends(gathering *g, int j, int k, char *place)
{
  pl_arg own = g->member->loop->args[j], other = own;
  own.map = NULL;
  own.index = PL_ID;
  const char *name = name_of_arg(g, j, own);
  other.map = g->rows->other;
  other.index = PL_ALL;
  if (g->increments.map->arity == 2)
    copy_targets(g, j, k, print_end, name, name_of_arg(g, j, other), place);
  else
    snprintf(place, PL_CALL_PLACE, g->member->signature.param[j].shape == PL_SHAPE_POINTERS ? "(&%s)" : "%s",
             name);
}

/* A shared vertex: "x[2][0]", selected by the side if that matters. */
static void print_vertex(const gathering *g, int k, int i, int c, const char *own, const char *other)
{
  const signed char(*place)[PL_MAX_VERTICES] = g->rows->vertices.place[k];
  pl_string *t = &g->b->body;
  int last = -1;
  (void)other;
  for (int s = 0; s < g->increments.nslots; s++)
    if (place[s][0] >= 0 && (g->only < 0 || s == g->only)) last = s;
  for (int s = 0; s < last && g->only < 0; s++)
    if (place[s][0] >= 0 && place[s][i] != place[last][i])
      pl_string_add(t, "%s == %d ? %s[%d][%d] : ", g->side, s + 1, own, place[s][i], c);
  pl_string_add(t, "%s[%d][%d]", own, last < 0 ? 0 : place[last][i], c);
}

/* Rows that are not contiguous; k is where they start. */
static void print_row(const gathering *g, int k, int i, int c, const char *own, const char *other)
{
  (void)other;
  pl_string_add(&g->b->body, "%s[%d][%d]", own, k + i, c);
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
    copy_targets(g, j, k, print_vertex, name_of_arg(g, j, whole), NULL, place);
    return PL_SUCCESS;
  }
  if (arg.map == g->increments.map && arg.map->arity <= 2) {
    place_ends(g, j, k, place);
    return PL_SUCCESS;
  }
  pl_map *map = arg.map ? pl_composed_map(g->b->pl, g->rows->element, arg.map) : g->rows->element;
  if (!map) return PL_ERR_MEMORY;
  int at = arg.map ? k * arg.map->arity + (row ? 0 : arg.index) : k;
  arg.map = map;
  arg.index = PL_ALL;
  const char *name = name_of_arg(g, j, arg);
  snprintf(place, PL_CALL_PLACE, row ? "(%s + %d)" : "%s[%d]", name, at);
  if (row && map->row_mask && g->member->signature.param[j].shape != PL_SHAPE_POINTERS)
    copy_targets(g, j, at, print_row, name, NULL, place);
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
  snprintf(own, sizeof own, "%.28s_own", g->sum);
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
  PL_TRY(pl_inverse_rows_build(loop->pl, loop, &g->increments, &rows));
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

/* The last member is the consumer. */
static pl_err print_all(pl_builder *b, const pl_dat *dat)
{
  const pl_member *consumer = &b->member[b->nmembers - 1];
  char sum[PL_FUSED_NAME];
  gathering g = {.b = b, .dat = dat, .type = pl_type_name(pl_type_base(dat->type)), .sum = sum};
  const char *name = "pl_sum";
  g.dim = dat->dim * (pl_type_is_complex(dat->type) ? 2 : 1);
  for (int i = 0; i < consumer->loop->nargs; i++)
    if (consumer->loop->args[i].object == dat) name = consumer->signature.param[i].name;
  pl_builder_private(b, g.type, name, 0, g.dim, sum);
  pl_string_add(&b->body, "  for (int pl_i = 0; pl_i < %d; pl_i++) %s[pl_i] = 0;\n", g.dim, sum);
  for (g.member = b->member; g.member < consumer; g.member++) PL_TRY(print_producer(&g));
  return pl_builder_call(b, b->nmembers - 1, place_consumer, &g);
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
    nargs += 4 * PL_DEGREE * producer[p]->nargs + 2;
  }
  member[n] = consumer;
  uint64_t key = pl_fused_key("gather", n + 2, parts);
  if ((*fused = pl_fused_find(pl, key))) return PL_SUCCESS;
  pl_err err = pl_builder_open(pl, &b, nargs, n + 1, member);
  b.kind = PL_LOOP_MEMBER;
  if (!err) err = print_all(&b, dat);
  return pl_builder_close(&b, err, key, consumer->set, "_into_", fused);
}
