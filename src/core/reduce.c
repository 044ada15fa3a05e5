/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions of a loop: partial results, how two of them become one, and how they reach the globals.
 * Invariant: partial results start from the neutral element, so a global's own value enters once, at the end.
 */
#include "loop.h"
#include <string.h>

bool pl_arg_reduces(const pl_arg *arg)
{
  return arg->kind == PL_ARG_GLOBAL && pl_arg_writes(arg);
}

int pl_payload_of(const pl_loop *loop, int i)
{
  const pl_global *of = loop->args[i].kind == PL_ARG_GLOBAL ? loop->args[i].with : NULL;
  if (!of) return -1;
  for (int j = 0; j < loop->nargs; j++)
    if (loop->args[j].kind == PL_ARG_GLOBAL && loop->args[j].object == of && !loop->args[j].with) return j;
  return -1;
}

bool pl_has_payload(const pl_loop *loop, int i)
{
  const pl_arg *arg = &loop->args[i];
  if (!pl_arg_reduces(arg) || arg->with) return false;
  for (int j = 0; j < loop->nargs; j++)
    if (!loop->args[j].off && pl_payload_of(loop, j) == i) return true;
  return false;
}

void pl_results_clear(const pl_loop *loop, void *const *result, int64_t *where)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (pl_arg_reduces(arg)) pl_neutral(pl_arg_type(arg), arg->access, result[i], (size_t)pl_arg_dim(arg));
    where[i] = -1;
  }
}

/* Whether `a` is a better value than `b`. Zeros of either sign are equal: neither beats the other. */
static bool beats(const pl_arg *arg, const void *a, const void *b)
{
  char best[16];
  size_t size = pl_type_size(pl_arg_type(arg));
  memcpy(best, b, size);
  pl_combine(pl_arg_type(arg), arg->access, best, a, 1);
  return memcmp(best, b, size) != 0;
}

/* Whether `from` of a reduction with payload beats `into`: a better value, or the same at a lower element. */
static bool wins(const pl_arg *arg, const void *into, int64_t into_where, const void *from,
                 int64_t from_where)
{
  if (from_where < 0) return false;
  if (into_where < 0 || beats(arg, from, into)) return true;
  return from_where < into_where && !beats(arg, into, from);
}

static void copy_result(const pl_arg *arg, void *into, const void *from)
{
  memcpy(into, from, (size_t)pl_arg_dim(arg) * pl_type_size(pl_arg_type(arg)));
}

static void take_winner(const pl_loop *loop, int i, void *const *into, int64_t *into_where, void *const *from,
                        const int64_t *from_where)
{
  if (!wins(&loop->args[i], into[i], into_where[i], from[i], from_where[i])) return;
  copy_result(&loop->args[i], into[i], from[i]);
  into_where[i] = from_where[i];
  for (int j = 0; j < loop->nargs; j++)
    if (!loop->args[j].off && pl_payload_of(loop, j) == i) copy_result(&loop->args[j], into[j], from[j]);
}

void pl_results_add(const pl_loop *loop, void *const *into, int64_t *into_where, void *const *from,
                    const int64_t *from_where)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (!pl_arg_reduces(arg) || arg->with) continue;
    if (pl_has_payload(loop, i))
      take_winner(loop, i, into, into_where, from, from_where);
    else
      pl_combine(pl_arg_type(arg), arg->access, into[i], from[i], (size_t)pl_arg_dim(arg));
  }
}
