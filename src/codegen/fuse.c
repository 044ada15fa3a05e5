/* SPDX-License-Identifier: BSD-2-Clause
 * Loops made of several: one after the other on each element, or a producer inside its consumer.
 */
#include "fuse.h"
#include "core/hash.h"
#include "core/memory.h"
#include "made.h"
#include "plan/depend.h"
#include <string.h>

/* ---- members ---- */

/* The slots of a member's arguments; what it reads first, since it reads what was there before it writes. */
static void take_slots(pl_builder *b, const pl_loop *loop, const pl_signature *signature, int *number)
{
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < loop->nargs; i++) {
      const pl_arg *arg = &loop->args[i];
      if (arg->off) number[i] = -1;
      if (arg->off || pl_arg_writes(arg) != pass) continue;
      number[i] = pl_slot_number(b, pl_builder_slot(b, arg, signature->param[i].is_real));
    }
}

static bool reads_through_map(const pl_loop *loop, const pl_dat *dat)
{
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].kind == PL_ARG_DAT && loop->args[i].object == dat && loop->args[i].map) return true;
  return false;
}

/* A dat that members read through maps before one of them writes it is written in a second storage. */
static pl_err take_swaps(pl_builder *b, int n, pl_loop *const *member)
{
  for (int m = 0; m < n; m++)
    for (int i = 0; i < member[m]->nargs; i++) {
      const pl_arg *arg = &member[m]->args[i];
      bool wanted = false;
      if (arg->kind != PL_ARG_DAT || arg->off || arg->access != PL_WRITE || arg->map) continue;
      if (arg->component >= 0 || ((pl_dat *)arg->object)->set != member[m]->set)
        continue; /* some of it stays */
      for (int k = 0; k <= m; k++) wanted |= reads_through_map(member[k], arg->object);
      for (int s = 0; s < b->nswap; s++) wanted &= b->swap[s][0] != arg->object;
      if (!wanted) continue;
      if (b->nswap == PL_SWAPS)
        return pl_fail(b->pl, PL_ERR_KERNEL, "more than %d dats are written beside", PL_SWAPS);
      b->swap[b->nswap][0] = arg->object;
      b->swap[b->nswap][1] = pl_shadow_of(b->pl, arg->object);
      if (!b->swap[b->nswap++][1]) return PL_ERR_MEMORY;
    }
  return PL_SUCCESS;
}

/* Another argument of the same call writes there. */
static bool is_overwritten(const pl_loop *loop, const int *number, int i)
{
  for (int j = 0; j < loop->nargs; j++)
    if (j != i && number[j] == number[i] && pl_arg_writes(&loop->args[j])) return true;
  return false;
}

/* What is read stays as it was while the call writes. */
static void print_snapshot(pl_call *c, int i, const pl_made_slot *s)
{
  pl_text *t = &c->b->body;
  int n = c->b->privates++, dim = pl_arg_dim(&s->arg);
  pl_text_add(t, "  %s pl_t%d[%d];\n", s->real ? "pl_real" : pl_type_name(pl_arg_type(&s->arg)), n, dim);
  pl_text_add(t, "  for (int pl_i = 0; pl_i < %d; pl_i++) pl_t%d[pl_i] = pl_a%d[pl_i];\n", dim, n,
              pl_slot_number(c->b, s));
  snprintf(c->place[i], PL_CALL_PLACE, "pl_t%d", n);
}

static pl_err print_member(pl_builder *b, const pl_loop *loop, const pl_signature *signature,
                           const int *number)
{
  pl_call c;
  pl_err err = pl_call_open(b, loop, signature, &c);
  for (int i = 0; !err && i < loop->nargs; i++) {
    if (number[i] < 0) continue;
    const pl_made_slot *s = &b->slot[number[i]];
    bool dat = s->arg.kind == PL_ARG_DAT && !s->arg.map;
    snprintf(c.place[i], PL_CALL_PLACE, "pl_a%d", number[i]);
    if (dat && pl_combines(loop->args[i].access) && !pl_combines(s->arg.access)) pl_call_collect(&c, i, s);
    if (dat && loop->args[i].access == PL_READ && is_overwritten(loop, number, i)) print_snapshot(&c, i, s);
  }
  if (!err) pl_call_print(&c);
  pl_call_close(&c);
  return err;
}

static pl_err build_fused(pl_builder *b, int n, pl_loop *const *member)
{
  pl_context *pl = b->pl;
  pl_signature *signature = pl_calloc(pl, (size_t)n, sizeof *signature);
  int *number = pl_calloc(pl, (size_t)b->most, sizeof *number), at = 0, read = 0;
  pl_err err =
    signature && number ? take_swaps(b, n, member) : pl_fail_memory(pl, (size_t)b->most * sizeof *number);
  for (; !err && read < n; read++) {
    if ((err = pl_loop_signature(member[read], &signature[read]))) break;
    take_slots(b, member[read], &signature[read], number + at);
    at += member[read]->nargs;
  }
  at = 0;
  for (int m = 0; !err && m < n; m++) {
    err = print_member(b, member[m], &signature[m], number + at);
    at += member[m]->nargs;
  }
  for (int m = 0; m < read; m++) pl_signature_free(&signature[m]);
  pl_free(pl, signature);
  pl_free(pl, number);
  return err;
}

static void label_of(int n, pl_loop *const *member, char *label, size_t size)
{
  size_t length = 0;
  *label = 0;
  for (int m = 0; m < n && length + 1 < size; m++) {
    const char *name = member[m]->kernel->name;
    length += (size_t)snprintf(label + length, size - length, "%s%.24s", m ? "_and_" : "", name);
  }
}

static uint64_t key_of(int kind, int n, const void *const *object)
{
  uint64_t key = pl_hash(PL_HASH_START, &kind, sizeof kind);
  for (int i = 0; i < n; i++) key = pl_hash(key, &object[i], sizeof *object);
  return key;
}

static uint64_t key_of_fused(int n, pl_loop *const *member, int ndead, const void *const *dead, int nbeside,
                             const pl_beside *beside)
{
  uint64_t key = key_of(n, n, (const void *const *)member) * 31 + key_of(-1, ndead, dead);
  for (int i = 0; i < nbeside; i++) {
    const void *const both[] = {beside[i].dat, beside[i].second};
    key = key * 31 + key_of(beside[i].equal ? -3 : -4, 2, both);
  }
  return key;
}

/* Dats that are written in the storage of others start the list of those that change places. */
static void take_besides(pl_builder *b, int n, const pl_beside *beside)
{
  for (int i = 0; i < n; i++, b->nswap++) {
    b->swap[i][0] = beside[i].dat;
    b->swap[i][1] = beside[i].second;
    b->equal[i] = beside[i].equal;
  }
}

pl_err pl_fuse(pl_context *pl, int n, pl_loop *const *member, int ndead, const void *const *dead, int nbeside,
               const pl_beside *beside, const pl_made **result)
{
  pl_workshop *shop = pl_workshop_of(pl);
  pl_loop *loop;
  char label[80];
  pl_builder b;
  int slots = 0;
  if (!shop) return PL_ERR_MEMORY;
  uint64_t key = key_of_fused(n, member, ndead, dead, nbeside, beside);
  if ((*result = pl_made_find(shop, key))) return PL_SUCCESS;
  for (int m = 0; m < n; m++) slots += member[m]->nargs;
  pl_err err = pl_builder_open(pl, &b, slots, n);
  b.ndead = ndead;
  b.dead = dead;
  b.later = true; /* schedule.c has all loops of a schedule compiled together */
  take_besides(&b, nbeside, beside);
  label_of(n, member, label, sizeof label);
  if (!err) err = build_fused(&b, n, member);
  if (!err) err = pl_builder_loop(&b, member[0]->set, label, &loop);
  if (!err) err = pl_made_keep(pl, key, loop, b.nswap, (pl_dat *const(*)[2])b.swap);
  pl_builder_free(&b);
  if (!err) *result = pl_made_find(shop, key);
  return err;
}

/* ---- a producer inside its consumer ---- */

/* Where the consumer meets the dat: its argument i, for each target an array of private values. */
typedef struct meeting {
  pl_builder *b;
  const pl_loop *producer, *consumer;
  const pl_signature *signature; /* of the producer */
  const pl_dat *dat;
} meeting;

/* The producer's argument seen from the consumer's element, through `arg` (how the consumer reaches the dat);
 * `k` is the target. Writes where its values are. */
static pl_err place_input(const meeting *m, const pl_arg *via, int k, int j, char *place)
{
  pl_arg arg = m->producer->args[j];
  bool real = m->signature->param[j].is_real, all = via->map && via->index == PL_ALL;
  int first = 0; /* of the targets of the made argument */
  bool indexed = false;
  if (via->map && (arg.kind == PL_ARG_DAT || arg.kind == PL_ARG_INDEX)) {
    int target = all ? k : via->index;
    pl_map *map = arg.map ? pl_composed_map(m->b->pl, via->map, arg.map) : via->map;
    if (!map) return PL_ERR_MEMORY;
    int arity = arg.map ? arg.map->arity : 1, at = target * arity;
    bool row = arg.map && arg.index == PL_ALL;
    if (arg.map && !row) at += arg.index;
    indexed = arg.kind == PL_ARG_DAT && (all || row);
    first = at;
    arg.map = map;
    arg.index = indexed ? PL_ALL : at;
    pl_made_slot *s = pl_builder_slot(m->b, &arg, real);
    int number = pl_slot_number(m->b, s);
    if (indexed && row)
      snprintf(place, PL_CALL_PLACE, "(pl_a%d + %d)", number, first);
    else if (indexed)
      snprintf(place, PL_CALL_PLACE, "pl_a%d[%d]", number, first);
    else
      snprintf(place, PL_CALL_PLACE, "pl_a%d", number);
    return PL_SUCCESS;
  }
  snprintf(place, PL_CALL_PLACE, "pl_a%d", pl_slot_number(m->b, pl_builder_slot(m->b, &arg, real)));
  return PL_SUCCESS;
}

/* The producer is called for target k; its result goes to row k of private array `result`. */
static pl_err print_producer(const meeting *m, const pl_arg *via, int k, int result)
{
  pl_call c;
  pl_err err = pl_call_open(m->b, m->producer, m->signature, &c);
  for (int j = 0; !err && j < m->producer->nargs; j++) {
    const pl_arg *arg = &m->producer->args[j];
    if (arg->off) continue;
    if (arg->kind == PL_ARG_DAT && arg->object == m->dat)
      snprintf(c.place[j], PL_CALL_PLACE, "pl_t%d[%d]", result, k);
    else
      err = place_input(m, via, k, j, c.place[j]);
  }
  if (!err) pl_call_print(&c);
  pl_call_close(&c);
  return err;
}

/* All targets of the consumer's argument i, computed; returns where through `place`. */
static pl_err print_inputs(const meeting *m, int i, char *place)
{
  const pl_arg *via = &m->consumer->args[i];
  int n = pl_arg_targets(via), result = m->b->privates++;
  bool real = false;
  for (int j = 0; j < m->producer->nargs; j++)
    if (m->producer->args[j].object == m->dat) real = m->signature->param[j].is_real;
  pl_text_add(&m->b->body, "  %s pl_t%d[%d][%d];\n", real ? "pl_real" : pl_type_name(m->dat->type), result, n,
              m->dat->dim);
  for (int k = 0; k < n; k++) PL_TRY(print_producer(m, via, k, result));
  if (via->map && via->index == PL_ALL)
    snprintf(place, PL_CALL_PLACE, "pl_t%d", result);
  else
    snprintf(place, PL_CALL_PLACE, "pl_t%d[0]", result);
  return PL_SUCCESS;
}

static pl_err print_consumer(const meeting *m, const pl_signature *signature)
{
  pl_call c;
  pl_err err = pl_call_open(m->b, m->consumer, signature, &c);
  for (int i = 0; !err && i < m->consumer->nargs; i++) {
    const pl_arg *arg = &m->consumer->args[i];
    if (arg->off) continue;
    if (arg->kind == PL_ARG_DAT && arg->object == m->dat) {
      err = print_inputs(m, i, c.place[i]);
      if (!err && arg->component >= 0) {
        char whole[PL_CALL_PLACE];
        memcpy(whole, c.place[i], sizeof whole);
        snprintf(c.place[i], PL_CALL_PLACE, "(%.80s + %d)", whole, arg->component);
      }
      continue;
    }
    const pl_made_slot *s = pl_builder_slot(m->b, arg, signature->param[i].is_real);
    snprintf(c.place[i], PL_CALL_PLACE, "pl_a%d", pl_slot_number(m->b, s));
  }
  if (!err) pl_call_print(&c);
  pl_call_close(&c);
  return err;
}

static pl_err build_inline(pl_builder *b, const pl_loop *producer, const pl_loop *consumer, const pl_dat *dat)
{
  pl_signature inner, outer;
  PL_TRY(pl_loop_signature(producer, &inner));
  pl_err err = pl_loop_signature(consumer, &outer);
  if (!err) {
    meeting m = {b, producer, consumer, &inner, dat};
    err = print_consumer(&m, &outer);
    pl_signature_free(&outer);
  }
  pl_signature_free(&inner);
  return err;
}

pl_err pl_fuse_inline(pl_context *pl, pl_loop *producer, pl_loop *consumer, pl_dat *dat, pl_loop **result)
{
  pl_workshop *shop = pl_workshop_of(pl);
  const void *const parts[] = {producer, consumer, dat};
  char label[80];
  pl_builder b;
  if (!shop) return PL_ERR_MEMORY;
  uint64_t key = key_of(-2, 3, parts);
  const pl_made *before = pl_made_find(shop, key);
  if (before) {
    *result = before->loop;
    return PL_SUCCESS;
  }
  int targets = 0;
  for (int i = 0; i < consumer->nargs; i++)
    targets += consumer->args[i].kind == PL_ARG_POINTER ? 0 : pl_arg_targets(&consumer->args[i]);
  pl_err err = pl_builder_open(pl, &b, consumer->nargs + targets * producer->nargs, 2);
  snprintf(label, sizeof label, "%.28s_with_%.24s", consumer->kernel->name, producer->kernel->name);
  if (!err) err = build_inline(&b, producer, consumer, dat);
  if (!err) err = pl_builder_loop(&b, consumer->set, label, result);
  if (!err) err = pl_made_keep(pl, key, *result, 0, NULL);
  pl_builder_free(&b);
  return err;
}
