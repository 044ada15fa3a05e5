/* SPDX-License-Identifier: BSD-2-Clause
 * A producer computed for blocks of its consumer: the targets of each block, and the made loop.
 */
#include "blocks.h"
#include "core/halo.h"
#include "core/hash.h"
#include "core/memory.h"
#include "fuse.h"
#include "made.h"
#include <string.h>

/* ---- the targets of blocks ---- */

typedef struct targets {
  pl_loop *consumer;
  pl_dat *dat;
  int size, nblocks, longest, total, room;
  int *first, *target; /* of each block, ascending */
  int *mark, *place;   /* by target: the block it was last met in, from 1; and its number there */
} targets;

static int element_at(const pl_set *set, int position)
{
  return set->indices ? set->indices[position] : position;
}

static bool reads_dat(const pl_loop *loop, int i, const pl_dat *dat)
{
  const pl_arg *arg = &loop->args[i];
  return arg->kind == PL_ARG_DAT && !arg->off && arg->object == dat;
}

static int compare(const void *a, const void *b)
{
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static bool take_target(targets *t, int target, int block)
{
  if (t->mark[target] == block + 1) return true;
  if (t->total == t->room) {
    int room = 2 * t->room + 1024;
    int *more = pl_resize(t->dat->node.pl, t->target, (size_t)room * sizeof *more);
    if (!more) return false;
    t->target = more;
    t->room = room;
  }
  t->mark[target] = block + 1;
  t->target[t->total++] = target;
  return true;
}

static bool take_block(targets *t, int block)
{
  const pl_loop *loop = t->consumer;
  int end = loop->set->part[1] < (block + 1) * t->size ? loop->set->part[1] : (block + 1) * t->size;
  t->first[block] = t->total;
  for (int p = block * t->size; p < end; p++)
    for (int i = 0; i < loop->nargs; i++)
      for (int k = 0; reads_dat(loop, i, t->dat) && k < pl_arg_targets(&loop->args[i]); k++)
        if (!take_target(t, pl_arg_target(&loop->args[i], element_at(loop->set, p), k), block)) return false;
  int n = t->total - t->first[block];
  qsort(t->target + t->first[block], (size_t)n, sizeof *t->target, compare);
  if (n > t->longest) t->longest = n;
  return true;
}

static void free_targets(pl_context *pl, targets *t)
{
  pl_free(pl, t->first);
  pl_free(pl, t->target);
  pl_free(pl, t->mark);
  pl_free(pl, t->place);
}

static bool find_targets(pl_context *pl, pl_loop *consumer, pl_dat *dat, int size, targets *t)
{
  *t = (targets){.consumer = consumer, .dat = dat, .size = size};
  t->nblocks = (consumer->set->part[1] + size - 1) / size;
  t->first = pl_calloc(pl, (size_t)t->nblocks + 1, sizeof *t->first);
  t->mark = pl_calloc(pl, (size_t)dat->set->part[3] + 1, sizeof *t->mark);
  t->place = pl_calloc(pl, (size_t)dat->set->part[3] + 1, sizeof *t->place);
  bool good = t->first && t->mark && t->place;
  for (int b = 0; good && b < t->nblocks; b++) good = take_block(t, b);
  if (good) t->first[t->nblocks] = t->total;
  return good;
}

bool pl_blocks_cost(pl_context *pl, pl_loop *consumer, pl_dat *dat, int size, size_t *bytes, double *times)
{
  targets t;
  bool good = find_targets(pl, consumer, dat, size, &t);
  *bytes = (size_t)t.longest * pl_dat_stride(dat);
  *times = dat->set->part[1] ? (double)t.total / dat->set->part[1] : 0;
  free_targets(pl, &t);
  return good;
}

/* ---- their maps ---- */

/* Where the targets of each element are among those of its block, through `of` (NULL: the element itself). */
static pl_err make_local(pl_blocks *blocks, targets *t, const pl_map *of)
{
  pl_context *pl = t->dat->node.pl;
  pl_set *from = pl_set_base(t->consumer->set);
  size_t arity = of ? (size_t)of->arity : 1, n = (size_t)from->part[3] * arity;
  int *local = pl_malloc_array(pl, (n + 1) * sizeof *local);
  if (!local) return pl_fail_memory(pl, n * sizeof *local);
  for (size_t i = 0; i < n; i++) local[i] = 0;
  for (int b = 0; b < t->nblocks; b++) {
    for (int i = t->first[b]; i < t->first[b + 1]; i++) t->place[t->target[i]] = i - t->first[b];
    for (int p = b * t->size; p < (b + 1) * t->size && p < t->consumer->set->part[1]; p++) {
      size_t e = (size_t)element_at(t->consumer->set, p);
      for (size_t k = 0; k < arity; k++)
        local[e * arity + k] =
          of ? (t->mark[of->index[e * arity + k]] ? t->place[of->index[e * arity + k]] : 0) : t->place[e];
    }
  }
  blocks->of[blocks->nlocals] = of;
  return pl_made_map(from, blocks->staged, (int)arity, local, false, "place in the block",
                     &blocks->local[blocks->nlocals++]);
}

/* The set of all blocks' targets; no other rank has anything to do with it. */
static pl_err make_staged(pl_context *pl, pl_blocks *blocks, int n)
{
  PL_TRY(pl_decl_set(pl, n, "targets of blocks", &blocks->staged));
  if (pl_ranks(pl) == 1) return PL_SUCCESS;
  blocks->staged->halo = pl_halo_new(pl, 0, 0, 0);
  return blocks->staged->halo ? PL_SUCCESS : PL_ERR_MEMORY;
}

static pl_err fill_blocks(pl_context *pl, pl_blocks *blocks, targets *t)
{
  PL_TRY(make_staged(pl, blocks, t->total));
  int *target = pl_malloc_array(pl, ((size_t)t->total + 1) * sizeof *target);
  if (!target) return pl_fail_memory(pl, (size_t)t->total * sizeof *target);
  if (t->total) memcpy(target, t->target, (size_t)t->total * sizeof *target);
  PL_TRY(pl_made_map(blocks->staged, t->dat->set, 1, target, false, "targets of blocks", &blocks->target));
  for (int i = 0; i < t->consumer->nargs; i++) {
    const pl_map *of = t->consumer->args[i].map;
    bool known = !reads_dat(t->consumer, i, t->dat);
    for (int l = 0; l < blocks->nlocals; l++) known |= blocks->of[l] == of;
    if (!known) PL_TRY(make_local(blocks, t, of));
  }
  blocks->longest = t->longest ? t->longest : 1; /* no array of 0 values where this rank has no element */
  blocks->nblocks = t->nblocks;
  blocks->first = t->first;
  t->first = NULL;
  return PL_SUCCESS;
}

/* The blocks of a consumer and a dat, kept in the workshop. */
static pl_err make_blocks(pl_context *pl, pl_loop *consumer, pl_dat *dat, int size, pl_blocks **result)
{
  pl_workshop *shop = pl_workshop_of(pl);
  targets t;
  pl_blocks *blocks = pl_calloc(pl, 1, sizeof *blocks);
  if (!blocks) return pl_fail_memory(pl, sizeof *blocks);
  bool good = find_targets(pl, consumer, dat, size, &t);
  int64_t longest = t.longest;
  pl_err err = good ? PL_SUCCESS : pl_fail_memory(pl, (size_t)dat->set->part[3] * sizeof(int));
  err = pl_agree(pl, err);
  if (!err) err = pl_comm_reduce(pl, PL_INT64, PL_MAX, &longest, 1);
  *blocks = (pl_blocks){.next = shop->blocks, .set = consumer->set, .to = dat->set, .size = size};
  if (!err && (size_t)longest * pl_dat_stride(dat) > PL_BLOCK_BYTES)
    err = pl_fail(pl, PL_ERR_KERNEL, "a block of %d needs %zu bytes for \"%s\"; at most %d", size,
                  (size_t)longest * pl_dat_stride(dat), dat->node.name, PL_BLOCK_BYTES);
  if (!err) err = fill_blocks(pl, blocks, &t);
  free_targets(pl, &t);
  if (err) {
    pl_free(pl, blocks->first);
    pl_free(pl, blocks);
    return err;
  }
  shop->blocks = *result = blocks;
  return PL_SUCCESS;
}

/* ---- the made loop ---- */

typedef struct making {
  pl_builder *b;
  pl_blocks *blocks;
  const pl_loop *producer, *consumer;
  const pl_signature *inner, *outer;
  const pl_dat *dat;
  pl_dat *values; /* on the set of targets; only ever in the block's memory */
} making;

/* The producer's argument j, seen from a target of a block. */
static pl_err place_input(const making *m, int j, char *place)
{
  pl_arg arg = m->producer->args[j];
  bool row = arg.map && arg.index == PL_ALL;
  if (arg.kind == PL_ARG_DAT || arg.kind == PL_ARG_INDEX) {
    pl_map *map = arg.map ? pl_composed_map(m->b->pl, m->blocks->target, arg.map) : m->blocks->target;
    if (!map) return PL_ERR_MEMORY;
    if (!arg.map) arg.index = 0;
    arg.map = map;
  }
  int n = pl_slot_number(m->b, pl_builder_slot(m->b, &arg, m->inner->param[j].is_real));
  snprintf(place, PL_CALL_PLACE, row ? "(pl_a%d + 0)" : "pl_a%d", n);
  return PL_SUCCESS;
}

static pl_err print_early_call(const making *m)
{
  pl_call c;
  pl_arg out = pl_arg_dat(m->values, PL_ID, PL_DIRECT, PL_WRITE);
  bool real = false;
  for (int j = 0; j < m->producer->nargs; j++)
    if (m->producer->args[j].object == m->dat) real = m->inner->param[j].is_real;
  int n = pl_slot_number(m->b, pl_builder_slot(m->b, &out, real));
  pl_text_add(&m->b->body, "  if (pl_a%d) {\n", n);
  pl_err err = pl_call_open(m->b, m->producer, m->inner, &c);
  for (int j = 0; !err && j < m->producer->nargs; j++) {
    if (m->producer->args[j].off) continue;
    if (reads_dat(m->producer, j, m->dat))
      snprintf(c.place[j], PL_CALL_PLACE, "pl_a%d", n);
    else
      err = place_input(m, j, c.place[j]);
  }
  if (!err) pl_call_print(&c);
  pl_call_close(&c);
  pl_text_add(&m->b->body, "  } else {\n");
  return err;
}

static pl_map *local_of(const making *m, const pl_map *of)
{
  int l = 0;
  while (m->blocks->of[l] != of) l++;
  return m->blocks->local[l];
}

static pl_err print_late_call(const making *m)
{
  pl_call c;
  pl_err err = pl_call_open(m->b, m->consumer, m->outer, &c);
  for (int i = 0; !err && i < m->consumer->nargs; i++) {
    pl_arg arg = m->consumer->args[i];
    if (arg.off) continue;
    if (reads_dat(m->consumer, i, m->dat)) {
      arg.index = arg.map ? arg.index : 0;
      arg.map = local_of(m, arg.map);
      arg.object = m->values;
    }
    int n = pl_slot_number(m->b, pl_builder_slot(m->b, &arg, m->outer->param[i].is_real));
    snprintf(c.place[i], PL_CALL_PLACE, "pl_a%d", n);
  }
  if (!err) pl_call_print(&c);
  pl_call_close(&c);
  pl_text_add(&m->b->body, "  }\n");
  return err;
}

static pl_err build(making *m)
{
  pl_signature inner, outer;
  PL_TRY(pl_decl_dat_shape(m->blocks->staged, m->dat->rank, m->dat->shape, m->dat->type, NULL,
                           m->dat->node.name, &m->values));
  m->values->local = true;
  PL_TRY(pl_loop_signature(m->producer, &inner));
  pl_err err = pl_loop_signature(m->consumer, &outer);
  if (!err) {
    m->inner = &inner;
    m->outer = &outer;
    err = print_early_call(m);
    if (!err) err = print_late_call(m);
    pl_signature_free(&outer);
  }
  pl_signature_free(&inner);
  return err;
}

static pl_err make(pl_context *pl, uint64_t key, making *m, pl_loop **result)
{
  char label[80];
  pl_builder b;
  pl_err err = pl_builder_open(pl, &b, m->consumer->nargs + m->producer->nargs + 1, 2);
  m->b = &b;
  b.raw = true; /* its arguments are not those of a loop that users could say */
  snprintf(label, sizeof label, "%.24s_in_blocks_of_%.20s", m->consumer->kernel->name,
           m->producer->kernel->name);
  if (!err) err = build(m);
  if (!err) err = pl_builder_loop(&b, m->consumer->set, label, result);
  if (!err) {
    (*result)->raw = false;
    (*result)->blocks = m->blocks;
    err = pl_made_keep(pl, key, *result, 0, NULL);
  }
  pl_builder_free(&b);
  return err;
}

pl_err pl_fuse_blocks(pl_context *pl, pl_loop *producer, pl_loop *consumer, pl_dat *dat, int size,
                      pl_loop **result)
{
  pl_workshop *shop = pl_workshop_of(pl);
  if (!shop) return PL_ERR_MEMORY;
  const void *const parts[] = {producer, consumer, dat};
  const uint64_t numbers[] = {(uint64_t)size, pl->late.changes};
  uint64_t key = pl_hash(pl_hash(PL_HASH_START + 7, parts, sizeof parts), numbers, sizeof numbers);
  const pl_made *before = pl_made_find(shop, key);
  if (before) {
    *result = before->loop;
    return PL_SUCCESS;
  }
  making m = {.producer = producer, .consumer = consumer, .dat = dat};
  PL_TRY(make_blocks(pl, consumer, dat, size, &m.blocks));
  return make(pl, key, &m, result);
}
