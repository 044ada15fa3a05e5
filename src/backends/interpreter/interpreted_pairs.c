/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs without run-time compilation: pair by pair, by the kernel that the program was compiled
 * with. Slow, and right.
 */
#include "codegen/pair.h"
#include "core/pairs.h"
#include "host.h"
#include <string.h>

/* One pair: the particles of its sides, the record of side 1. */
typedef struct pair {
  int first, second, record;
} pair;

static double value_of(pl_type type, const void *values, size_t k)
{
  return type == PL_DOUBLE ? ((const double *)values)[k] : (double)((const float *)values)[k];
}

static void put(pl_type type, void *values, int k, double value)
{
  if (type == PL_DOUBLE)
    ((double *)values)[k] = value;
  else
    ((float *)values)[k] = (float)value;
}

/* ---- geometry ---- */

/* Component c of the difference of an argument's values; in the arithmetic of their type, as in lanes. */
static double difference(const pl_loop *loop, const pl_arg *arg, const pair *p, int c)
{
  const pl_dat *dat = arg->object;
  const pl_pairs *pairs = loop->set->pairs->pairs;
  bool records = pl_pair_from_records(loop, arg);
  const void *values = records ? pairs->record : dat->host;
  size_t width = (size_t)(records ? pairs->width : dat->dim);
  double a = value_of(dat->type, values, (size_t)p->first * width + (size_t)c),
         b = value_of(dat->type, values, (size_t)(records ? p->record : p->second) * width + (size_t)c);
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

static char *place_at(const pl_arg *arg, int particle)
{
  const pl_dat *dat = arg->object;
  size_t first = arg->component > 0 ? (size_t)arg->component * pl_type_size(dat->type) : 0;
  return (char *)dat->host + (size_t)particle * pl_dat_stride(dat) + first;
}

static size_t value_bytes(const pl_arg *arg)
{
  return (size_t)pl_arg_dim(arg) * pl_type_size(pl_arg_type(arg));
}

/* The pointer that the kernel gets; `mine` is the argument's private storage. */
static void *prepare_argument(const pl_loop *loop, int i, const pair *p, char *mine)
{
  const pl_arg *arg = &loop->args[i];
  int side = arg->index == 1 ? p->second : p->first;
  if (arg->off) return NULL;
  switch (arg->kind) {
  case PL_ARG_CONST:
    memcpy(mine, ((pl_const *)arg->object)->value, value_bytes(arg));
    break;
  case PL_ARG_INDEX:
    *(int64_t *)(void *)mine = pl_element_number(arg->index ? arg->map->to : arg->map->from, side);
    break;
  case PL_ARG_DIFFERENCE:
    for (int c = 0; c < pl_arg_dim(arg); c++)
      put(pl_arg_type(arg), mine, c, difference(loop, arg, p, c + (arg->component > 0 ? arg->component : 0)));
    break;
  case PL_ARG_DISTANCE:
    put(pl_arg_type(arg), mine, 0, length2(loop, arg, p));
    break;
  default:
    if (arg->access != PL_READ)
      pl_neutral(pl_arg_type(arg), arg->access, mine, (size_t)pl_arg_dim(arg));
    else
      memcpy(mine, arg->kind == PL_ARG_DAT ? (void *)place_at(arg, side) : ((pl_global *)arg->object)->value,
             value_bytes(arg));
  }
  return mine;
}

static void subtract(const pl_arg *arg, char *place, const char *value)
{
  pl_type type = pl_arg_type(arg);
  for (int c = 0; c < pl_arg_dim(arg); c++) {
    size_t at = (size_t)c * pl_type_size(type);
    char negative[8] = {0};
    if (pl_type_is_integer(type)) { /* 0 - v by adding v's complement and 1, in any width */
      for (size_t k = 0; k < pl_type_size(type); k++) negative[k] = (char)~value[at + k];
      static const int64_t one = 1;
      pl_combine(type, PL_INC, negative, &one, 1);
    } else {
      put(type, negative, 0, -value_of(type, value + at, 0));
    }
    pl_combine(type, PL_INC, place + at, negative, 1);
  }
}

static void scatter(const pl_loop *loop, const pl_arg *arg, const pair *p, const char *mine)
{
  size_t n = (size_t)pl_arg_dim(arg);
  if (arg->index != 1) pl_combine(pl_arg_type(arg), PL_INC, place_at(arg, p->first), mine, n);
  if (!pl_pair_once(loop) || arg->index == 0) return;
  if (arg->access == PL_INC_ANTI)
    subtract(arg, place_at(arg, p->second), mine);
  else
    pl_combine(pl_arg_type(arg), PL_INC, place_at(arg, p->second), mine, n);
}

/* Whether a pair counts on this side of it: one of the two does, on whatever ranks they are. */
static bool counts_here(const pl_pairs *pairs, const pair *p)
{
  return p->second > p->first && (p->second < pairs->count[1] || p->second >= pairs->count[2]);
}

/* Sums of a list that shows each pair from both sides count it from one. */
static void reduce(const pl_loop *loop, pl_worker *worker, int i, const pair *p, const char *mine)
{
  const pl_arg *arg = &loop->args[i];
  if (!pl_arg_reduces(arg)) return;
  if (arg->access == PL_INC && !pl_pair_once(loop) && !counts_here(loop->set->pairs->pairs, p)) return;
  pl_combine(pl_arg_type(arg), arg->access, worker->result[i], mine, (size_t)pl_arg_dim(arg));
}

static void run_pair(const pl_host_code *code, pl_worker *worker, const pair *p)
{
  const pl_loop *loop = code->loop;
  void *pointer[PL_FALLBACK_MOST];
  char *mine[PL_FALLBACK_MOST], *next = worker->scratch;
  for (int i = 0; i < loop->nargs; i++) {
    mine[i] = next;
    pointer[i] = prepare_argument(loop, i, p, next);
    next += (value_bytes(&loop->args[i]) + 15) / 16 * 16;
  }
  pl_fallback_call(loop->kernel->function, loop->nargs, pointer);
  for (int i = 0; i < loop->nargs; i++) {
    if (loop->args[i].kind == PL_ARG_DAT && pl_arg_writes(&loop->args[i]))
      scatter(loop, &loop->args[i], p, mine[i]);
    reduce(loop, worker, i, p, mine[i]);
  }
}

/* ---- rows ---- */

static bool is_pair(const pl_loop *loop, const pair *p)
{
  const pl_map *map = loop->set->pairs;
  const pl_pairs *pairs = map->pairs;
  const pl_arg position = {.kind = PL_ARG_DISTANCE, .object = pairs->position, .component = -1};
  if (!map->pair_map) return true;
  if (pairs->everyone) return p->second != p->first;
  if (pl_pair_once(loop) && p->second <= p->first) return false;
  return length2(loop, &position, p) < value_of(pairs->position->type, pl_pairs_cutoff(pairs), 0);
}

/* Entries of a particle's row, and the record that one of them is. */
static int64_t row_of(const pl_map *map, int i)
{
  if (!map->pair_map) return map->offset[i + 1] - map->offset[i];
  return map->pairs->everyone ? map->pairs->here : pl_pairs_row(map->pairs, i);
}

static int entry_of(const pl_map *map, int i, int64_t k)
{
  if (!map->pair_map) return map->index[map->offset[i] + k];
  return map->pairs->everyone ? (int)k : pl_pairs_entry(map->pairs, i, k);
}

void pl_fallback_run_pairs(const pl_host_code *code, pl_worker *worker, int begin, int end)
{
  const pl_map *map = code->loop->set->pairs;
  for (int i = begin; i < end; i++)
    for (int64_t k = 0, n = row_of(map, i); k < n; k++) {
      int record = entry_of(map, i, k);
      pair p = {i, map->pair_map ? map->pairs->owner[record] : record, record};
      if (is_pair(code->loop, &p)) run_pair(code, worker, &p);
    }
}
