/* SPDX-License-Identifier: BSD-2-Clause
 * A producer computed for blocks of its consumer: the targets of each block, and the fused loop.
 */
#include "fuse_precompute.h"
#include "codegen/element/block_precompute.h"
#include "fused_kernel.h"
#include "core/comm/comm.h"
#include "plan/base/radix_sort.h"
#include "core/exchange/halo.h"
#include <string.h>

/* ---- the targets of blocks ---- */

typedef struct targets {
  pl_loop *consumer;
  pl_dat *dat;
  int size, nblocks, longest, total, capacity;
  int *first, *target; /* of each block, ascending */
  int *mark, *place;   /* by target: 1 + the last block that has it; its number there */
} targets;

static bool add_target(targets *t, int target, int block)
{
  if (t->mark[target] == block + 1) return true;
  if (t->total == t->capacity) {
    int capacity = 2 * t->capacity + 1024;
    int *more = pl_resize(t->dat->node.pl, t->target, (size_t)capacity * sizeof *more);
    if (!more) return false;
    t->target = more;
    t->capacity = capacity;
  }
  t->mark[target] = block + 1;
  t->target[t->total++] = target;
  return true;
}

static bool add_block(targets *t, int block)
{
  const pl_loop *loop = t->consumer;
  int end = loop->set->end[1] < (block + 1) * t->size ? loop->set->end[1] : (block + 1) * t->size;
  t->first[block] = t->total;
  for (int p = block * t->size; p < end; p++)
    PL_EACH_ARG (arg, loop)
      for (int k = 0; pl_arg_accesses(arg, t->dat) && k < pl_arg_targets(arg); k++)
        if (!add_target(t, pl_arg_target(arg, pl_element_at(loop->set, p), k), block)) return false;
  int n = t->total - t->first[block];
  pl_sort_ints(n, t->target + t->first[block]);
  if (n > t->longest) t->longest = n;
  return true;
}

static void free_targets(pl_context *pl, targets *t)
{
  pl_free_all(pl, t->first, t->target, t->mark, t->place);
}

static bool find_targets(pl_context *pl, pl_loop *consumer, pl_dat *dat, int size, targets *t)
{
  *t = (targets){.consumer = consumer, .dat = dat, .size = size};
  t->nblocks = (consumer->set->end[1] + size - 1) / size;
  t->first = pl_calloc(pl, (size_t)t->nblocks + 1, sizeof *t->first);
  t->mark = pl_calloc(pl, (size_t)dat->set->end[3] + 1, sizeof *t->mark);
  t->place = pl_calloc(pl, (size_t)dat->set->end[3] + 1, sizeof *t->place);
  bool counted = t->first && t->mark && t->place;
  for (int b = 0; counted && b < t->nblocks; b++) counted = add_block(t, b);
  if (counted) t->first[t->nblocks] = t->total;
  return counted;
}

bool pl_blocks_cost(pl_context *pl, pl_loop *consumer, pl_dat *dat, int size, size_t *bytes, double *times)
{
  targets t;
  bool counted = find_targets(pl, consumer, dat, size, &t);
  *bytes = (size_t)t.longest * pl_dat_stride(dat);
  *times = dat->set->end[1] ? (double)t.total / dat->set->end[1] : 0;
  free_targets(pl, &t);
  return counted;
}

/* ---- their maps ---- */

/* Lists the maps through which the consumer reads the dat (NULL: of the element itself). */
static pl_err list_maps(pl_block_list *list, const pl_loop *consumer, const pl_dat *dat)
{
  PL_EACH_ARG (arg, consumer) {
    const pl_map *of = arg->map;
    bool known = !pl_arg_accesses(arg, dat);
    for (int l = 0; l < list->nlocals; l++) known |= list->of[l] == of;
    if (known) continue;
    if (list->nlocals == PL_LOCALS)
      return pl_fail(consumer->pl, PL_ERR_KERNEL, "it is read through more than %d maps", PL_LOCALS);
    list->of[list->nlocals++] = of;
  }
  return PL_SUCCESS;
}

/* A map to the positions of the targets of map l in their block. */
static pl_err make_local_map(pl_block_list *list, targets *t, int l)
{
  pl_context *pl = t->dat->node.pl;
  const pl_map *of = list->of[l];
  pl_set *from = pl_set_base(t->consumer->set);
  size_t arity = of ? (size_t)of->arity : 1, n = (size_t)from->end[3] * arity;
  int *local = pl_malloc_array(pl, (n + 1) * sizeof *local);
  if (!local) return pl_fail_memory(pl, n * sizeof *local);
  for (size_t i = 0; i < n; i++) local[i] = 0;
  for (int b = 0; b < t->nblocks; b++) {
    for (int i = t->first[b]; i < t->first[b + 1]; i++) t->place[t->target[i]] = i - t->first[b];
    for (int p = b * t->size; p < (b + 1) * t->size && p < t->consumer->set->end[1]; p++) {
      size_t e = (size_t)pl_element_at(t->consumer->set, p);
      for (size_t k = 0; k < arity; k++)
        local[e * arity + k] =
          of ? (t->mark[of->index[e * arity + k]] ? t->place[of->index[e * arity + k]] : 0) : t->place[e];
    }
  }
  list->base.from[3 + l] = of;
  list->base.map[1 + l] = &list->local[l];
  return pl_internal_map_new(from, list->blocks.staged, (int)arity, local, false, "place in the block",
                             &list->local[l]);
}

static pl_err fill_blocks(pl_context *pl, pl_block_list *list, targets *t)
{
  pl_blocks *blocks = &list->blocks;
  PL_TRY(pl_internal_set_new(pl, t->total, "targets of blocks", &blocks->staged));
  int *target = pl_malloc_array(pl, ((size_t)t->total + 1) * sizeof *target);
  if (!target) return pl_fail_memory(pl, (size_t)t->total * sizeof *target);
  if (t->total) memcpy(target, t->target, (size_t)t->total * sizeof *target);
  PL_TRY(
    pl_internal_map_new(blocks->staged, t->dat->set, 1, target, false, "targets of blocks", &list->target));
  for (int l = 0; l < list->nlocals; l++) PL_TRY(make_local_map(list, t, l));
  blocks->longest = t->longest ? t->longest : 1; /* no array has 0 values */
  blocks->nblocks = t->nblocks;
  blocks->first = t->first;
  t->first = NULL;
  return PL_SUCCESS;
}

/* The blocks of a consumer and a dat, kept in the cache. */
static pl_err make_blocks(pl_context *pl, pl_loop *consumer, pl_dat *dat, int size, pl_block_list **result)
{
  targets t;
  pl_block_list *list = pl_calloc(pl, 1, sizeof *list);
  if (!list) return pl_fail_memory(pl, sizeof *list);
  bool counted = find_targets(pl, consumer, dat, size, &t);
  int64_t longest = t.longest;
  pl_err err = counted ? PL_SUCCESS : pl_fail_memory(pl, (size_t)dat->set->end[3] * sizeof(int));
  err = pl_agree(pl, err);
  if (!err) err = pl_comm_reduce(pl, PL_INT64, PL_MAX, &longest, 1);
  list->base = (pl_derived){.from = {consumer->set, dat->set, pl_set_base(consumer->set)},
                            .map = {&list->target},
                            .blocks = &list->blocks};
  list->blocks.size = size;
  if (!err && (size_t)longest * pl_dat_stride(dat) > PL_BLOCK_BYTES)
    err = pl_fail(pl, PL_ERR_KERNEL, "a block of %d needs %zu bytes for \"%s\"; at most %d", size,
                  (size_t)longest * pl_dat_stride(dat), dat->node.name, PL_BLOCK_BYTES);
  if (!err) err = list_maps(list, consumer, dat);
  if (!err) err = fill_blocks(pl, list, &t);
  free_targets(pl, &t);
  if (err) {
    pl_free_all(pl, list->blocks.first, list);
    return err;
  }
  *result = list;
  pl_derived_keep(pl, PL_BLOCK_LISTS, &list->base);
  return PL_SUCCESS;
}

/* ---- the fused loop ----
 * Its kernel is called in two phases: with the array of `values` for each target of the block, to compute
 * them; without it for each element. */

/* Member 0 is the producer, member 1 the consumer. */
typedef struct precompute {
  pl_builder *b;
  const pl_block_list *list;
  const pl_dat *dat;
  pl_dat *values;   /* on the set of targets; only ever in the block's memory */
  const char *name; /* of its parameter in the producer's phase */
} precompute;

/* The producer's argument j, seen from a target of a block. */
static pl_err place_input(void *user, pl_call *c, int j)
{
  const precompute *m = user;
  pl_arg arg = c->member->loop->args[j];
  bool row = arg.map && arg.index == PL_ALL;
  if (pl_arg_accesses(&arg, m->dat)) {
    snprintf(c->place[j], PL_CALL_PLACE, "%s", m->name);
    return PL_SUCCESS;
  }
  if (pl_arg_is_record(&arg) || pl_arg_is_numbered(&arg)) {
    pl_map *map = arg.map ? pl_composed_map(m->b->pl, m->list->target, arg.map) : m->list->target;
    if (!map) return PL_ERR_MEMORY;
    if (!arg.map) arg.index = 0;
    arg.map = map;
  }
  const char *name = pl_builder_arg(m->b, &arg, &c->member->signature.param[j])->name;
  snprintf(c->place[j], PL_CALL_PLACE, row ? "(%s + 0)" : "%s", name);
  return PL_SUCCESS;
}

static pl_err place_consumer(void *user, pl_call *c, int i)
{
  const precompute *m = user;
  pl_arg arg = c->member->loop->args[i];
  if (pl_arg_accesses(&arg, m->dat)) {
    int l = 0;
    while (m->list->of[l] != arg.map) l++;
    arg.index = arg.map ? arg.index : 0;
    arg.map = m->list->local[l];
    arg.object = m->values;
  }
  const char *name = pl_builder_arg(m->b, &arg, &c->member->signature.param[i])->name;
  snprintf(c->place[i], PL_CALL_PLACE, "%s", name);
  return PL_SUCCESS;
}

static pl_err print_phases(precompute *m)
{
  const pl_dat *dat = m->dat;
  const pl_member *producer = &m->b->member[0];
  pl_string *t = &m->b->body;
  int j = 0;
  PL_TRY(pl_decl_dat_shape(m->list->blocks.staged, dat->rank, dat->shape, dat->type, NULL, dat->node.name,
                           &m->values));
  m->values->block_local = true;
  while (!pl_arg_accesses(&producer->loop->args[j], dat)) j++;
  const pl_arg out = pl_arg_direct(m->values, PL_WRITE);
  m->name = pl_builder_arg(m->b, &out, &producer->signature.param[j])->name;
  pl_string_add(t, "  if (%s) {\n", m->name);
  PL_TRY(pl_builder_call(m->b, 0, place_input, m));
  pl_string_add(t, "  } else {\n");
  PL_TRY(pl_builder_call(m->b, 1, place_consumer, m));
  pl_string_add(t, "  }\n");
  return PL_SUCCESS;
}

pl_err pl_fuse_blocks(pl_context *pl, pl_loop *producer, pl_loop *consumer, pl_dat *dat, int size,
                      const pl_fused **fused)
{
  pl_loop *const member[] = {producer, consumer};
  pl_builder b;
  pl_block_list *list = NULL;
  precompute m = {.b = &b, .dat = dat};
  uint64_t key = pl_fused_key("blocks", 3, (const void *const[]){producer, consumer, dat}) * 31 +
                 (uint64_t)size * 31 * 31 + pl->deferred.storage_version;
  if ((*fused = pl_fused_find(pl, key))) return PL_SUCCESS;
  if (!pl_fusion_cache_of(pl)) return PL_ERR_MEMORY;
  PL_TRY(make_blocks(pl, consumer, dat, size, &list));
  m.list = list;
  pl_err err = pl_builder_open(pl, &b, consumer->nargs + producer->nargs + 1, 2, member);
  b.kind = PL_LOOP_BLOCKS;
  b.unchecked = true; /* its arguments are not those of a loop that users can write */
  if (!err) err = print_phases(&m);
  err = pl_builder_close(&b, err, key, consumer->set, "_for_blocks_of_", fused);
  if (err) return err;
  (*fused)->loop->blocks = &list->blocks;
  return PL_SUCCESS;
}
