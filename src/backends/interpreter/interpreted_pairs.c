/* SPDX-License-Identifier: BSD-2-Clause
 * Pair loops without a run-time compiler. Invariant: distances are computed in the arithmetic of their type,
 * as compiled pair loops do, so both select the same pairs.
 */
#include "interpreted_pairs.h"
#include "interpreted_loop.h"
#include "codegen/loop/pair_info.h"
#include "core/base/real_value.h"
#include "core/loop/loop.h"
#include "core/loop/reduction.h"
#include "core/particles/pair_map.h"
#include <string.h>

/* The particles of both sides, and the record of side 1. */
typedef struct pair {
  int first, second, record;
} pair;

/* ---- geometry ---- */

static double difference(const pl_loop *loop, const pl_arg *arg, const pair *p, int c)
{
  const pl_dat *dat = arg->object;
  const pl_pairs *pairs = loop->set->pairs->pairs;
  bool records = pl_pair_from_records(loop, arg);
  const void *values = records ? pairs->list.record : dat->storage.host;
  size_t width = (size_t)(records ? pairs->width : dat->dim);
  double a = pl_real_at(dat->type, values, (size_t)p->first * width + (size_t)c),
         b = pl_real_at(dat->type, values, (size_t)(records ? p->record : p->second) * width + (size_t)c);
  return dat->type == PL_DOUBLE ? a - b : (double)((float)a - (float)b);
}

static double length2(const pl_loop *loop, const pl_arg *arg, const pair *p)
{
  const pl_dat *dat = arg->object;
  double sum = 0;
  for (int c = 0; c < dat->dim; c++) {
    double d = difference(loop, arg, p, c);
    sum = dat->type == PL_DOUBLE ? sum + d * d : (double)((float)sum + (float)d * (float)d);
  }
  return sum;
}

/* ---- one pair ---- */

static int64_t random_index(const pl_arg *arg, const pair *p)
{
  const int64_t from = pl_element_global_index(arg->map->from, p->first);
  const int64_t to = pl_element_global_index(arg->map->to, p->second);
  if (arg->index == PL_BOTH) return pl_random_pair(from, to);
  return arg->index ? to : from;
}

/* Returns the pointer for the kernel: private storage, filled. */
static void *prepare_argument(const pl_loop *loop, int i, const pair *p, char *mine)
{
  const pl_arg *arg = &loop->args[i];
  int side = arg->index == 1 ? p->second : p->first;
  if (arg->off) return NULL;
  switch (arg->kind) {
  case PL_ARG_CONST:
    memcpy(mine, ((pl_const *)arg->object)->value, pl_interpreted_bytes(arg));
    break;
  case PL_ARG_INDEX:
    *(int64_t *)(void *)mine = pl_element_global_index(arg->index ? arg->map->to : arg->map->from, side);
    break;
  case PL_ARG_RANDOM:
    pl_random_fill(arg, random_index(arg, p), mine);
    break;
  case PL_ARG_DIFFERENCE:
    for (int c = 0; c < pl_arg_dim(arg); c++)
      pl_real_store(pl_arg_type(arg), mine, (size_t)c,
                    difference(loop, arg, p, c + (arg->component > 0 ? arg->component : 0)));
    break;
  case PL_ARG_DISTANCE:
    pl_real_store(pl_arg_type(arg), mine, 0, length2(loop, arg, p));
    break;
  default:
    if (arg->access != PL_READ)
      pl_neutral(pl_arg_type(arg), arg->access, mine, (size_t)pl_arg_dim(arg));
    else
      memcpy(mine,
             pl_arg_is_record(arg) ? (void *)pl_interpreted_values(arg, side)
                                   : ((pl_global *)arg->object)->value,
             pl_interpreted_bytes(arg));
  }
  return mine;
}

static void subtract(const pl_arg *arg, char *place, const char *value)
{
  pl_type type = pl_arg_type(arg);
  for (int c = 0; c < pl_arg_dim(arg); c++) {
    size_t at = (size_t)c * pl_type_size(type);
    char negative[8] = {0};
    if (pl_type_is_integer(type)) { /* two's complement in any width */
      for (size_t k = 0; k < pl_type_size(type); k++) negative[k] = (char)~value[at + k];
      static const int64_t one = 1;
      pl_combine(type, PL_INC, negative, &one, 1);
    } else {
      pl_real_store(type, negative, 0, -pl_real_at(type, value + at, 0));
    }
    pl_combine(type, PL_INC, place + at, negative, 1);
  }
}

static void add_to_particles(const pl_loop *loop, const pl_arg *arg, const pair *p, const char *mine)
{
  size_t n = (size_t)pl_arg_dim(arg);
  if (arg->index != 1) pl_combine(pl_arg_type(arg), PL_INC, pl_interpreted_values(arg, p->first), mine, n);
  if (!pl_pair_once(loop) || arg->index == 0) return;
  if (arg->access == PL_INC_ANTI)
    subtract(arg, pl_interpreted_values(arg, p->second), mine);
  else
    pl_combine(pl_arg_type(arg), PL_INC, pl_interpreted_values(arg, p->second), mine, n);
}

/* True for one of the two sides, whatever ranks they are on. */
static bool is_counting_side(const pl_pairs *pairs, const pair *p)
{
  return p->second > p->first && (p->second < pairs->count[1] || p->second >= pairs->count[2]);
}

/* Sums count a pair once, even in a list that has it from both sides. */
static void reduce_pair(const pl_loop *loop, pl_worker *worker, int i, const pair *p, const char *mine)
{
  const pl_arg *arg = &loop->args[i];
  if (!pl_arg_reduces(arg)) return;
  if (arg->access == PL_INC && !pl_pair_once(loop) && !is_counting_side(loop->set->pairs->pairs, p)) return;
  pl_combine(pl_arg_type(arg), arg->access, worker->result[i], mine, (size_t)pl_arg_dim(arg));
}

static void run_pair(const pl_host_code *code, pl_worker *worker, const pair *p)
{
  const pl_loop *loop = code->loop;
  void *pointer[PL_INTERPRETED_MAX_ARGS];
  char *mine[PL_INTERPRETED_MAX_ARGS], *next = worker->scratch;
  for (int i = 0; i < loop->nargs; i++) {
    mine[i] = next;
    pointer[i] = prepare_argument(loop, i, p, next);
    next += (pl_interpreted_bytes(&loop->args[i]) + 15) / 16 * 16;
  }
  pl_interpreted_call(loop->kernel->function, loop->nargs, pointer);
  for (int i = 0; i < loop->nargs; i++) {
    if (pl_arg_is_record(&loop->args[i]) && pl_arg_writes(&loop->args[i]))
      add_to_particles(loop, &loop->args[i], p, mine[i]);
    reduce_pair(loop, worker, i, p, mine[i]);
  }
}

/* ---- rows ---- */

static bool is_pair(const pl_loop *loop, const pair *p)
{
  const pl_map *map = loop->set->pairs;
  const pl_pairs *pairs = map->pairs;
  const pl_arg position = {.kind = PL_ARG_DISTANCE, .object = pairs->position, .component = -1};
  if (!map->pair_map) return true;
  if (pairs->all_pairs) return p->second != p->first;
  if (pl_pair_once(loop) && p->second <= p->first) return false;
  return length2(loop, &position, p) < pl_real_at(pairs->position->type, pl_pairs_cutoff(pairs), 0);
}

static int64_t row_length(const pl_map *map, int i)
{
  if (!map->pair_map) return map->offset[i + 1] - map->offset[i];
  return map->pairs->all_pairs ? map->pairs->here : pl_pairs_row(map->pairs, i);
}

/* The record of entry k. */
static int row_entry(const pl_map *map, int i, int64_t k)
{
  if (!map->pair_map) return map->index[map->offset[i] + k];
  return map->pairs->all_pairs ? (int)k : pl_pairs_entry(map->pairs, i, k);
}

void pl_interpreted_run_pairs(const pl_host_code *code, pl_worker *worker, int begin, int end)
{
  const pl_map *map = code->loop->set->pairs;
  for (int i = begin; i < end; i++)
    for (int64_t k = 0, n = row_length(map, i); k < n; k++) {
      int record = row_entry(map, i, k);
      pair p = {i, map->pair_map ? map->pairs->list.owner[record] : record, record};
      if (is_pair(code->loop, &p)) run_pair(code, worker, &p);
    }
}
