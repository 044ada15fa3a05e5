/* SPDX-License-Identifier: BSD-2-Clause
 * Loops without a run-time compiler. Invariant: the kernel sees private copies of an element's values only;
 * written values are stored after the call.
 */
#include "interpreted_loop.h"
#include "interpreted_pairs.h"
#include "core/loop/loop.h"
#include "core/loop/reduction.h"
#include <math.h>
#include <string.h>

/* C cannot call a function with a number of arguments that is known at run time only. */
enum { MAX_ARGS = PL_INTERPRETED_MAX_ARGS, ALIGN = 16 };

pl_err pl_interpreted_check(const pl_loop *loop, const pl_signature *signature, const char *why)
{
  const pl_kernel *kernel = loop->kernel;
  bool real = false;
  for (int i = 0; i < signature->count; i++) real |= signature->param[i].is_real;
  if (!kernel->function && !pl_kernel_call(kernel, NULL))
    return pl_fail(loop->pl, PL_ERR_KERNEL,
                   "kernel \"%s\" has only its text and needs a compiler at run time: %s", kernel->name, why);
  if (real && (size_t)kernel->real_size != pl_type_size(signature->real))
    return pl_fail(loop->pl, PL_ERR_KERNEL,
                   "kernel \"%s\": it was compiled with a pl_real of %d bytes, but the dats hold %s; "
                   "this needs a compiler at run time: %s",
                   kernel->name, kernel->real_size, pl_type_name(signature->real), why);
  for (int i = 0; i < signature->count; i++)
    if (signature->param[i].is_mixed && pl_mixed_type(loop->pl) != PL_DOUBLE)
      return pl_fail(
        loop->pl, PL_ERR_KERNEL,
        "kernel \"%s\": option precision is single, but its pl_mixed was compiled as double; this needs "
        "a compiler at run time: %s",
        kernel->name, why);
  if (loop->nargs > MAX_ARGS)
    return pl_fail(loop->pl, PL_ERR_KERNEL,
                   "kernel \"%s\" has %d arguments; without a compiler at run time at most %d", kernel->name,
                   loop->nargs, MAX_ARGS);
  return PL_SUCCESS;
}

/* ---- private storage ---- */

size_t pl_interpreted_bytes(const pl_arg *arg)
{
  return (size_t)pl_arg_dim(arg) * pl_type_size(pl_arg_type(arg));
}

static size_t rounded(size_t bytes)
{
  return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* An argument's values, then an array of pointers to them. */
static size_t arg_scratch(const pl_arg *arg)
{
  if (pl_arg_is_foreign(arg)) return 0;
  if (pl_arg_is_row(arg)) return rounded(sizeof(pl_row_double));
  size_t targets = (size_t)pl_arg_targets(arg);
  return rounded(targets * pl_interpreted_bytes(arg)) + rounded(targets * sizeof(void *));
}

size_t pl_interpreted_scratch(const pl_loop *loop)
{
  size_t bytes = 64;
  PL_EACH_ARG (arg, loop) bytes += arg_scratch(arg);
  return bytes;
}

char *pl_interpreted_values(const pl_arg *arg, int target)
{
  const pl_dat *dat = arg->object;
  size_t first = arg->component > 0 ? (size_t)arg->component * pl_type_size(dat->type) : 0;
  return target < 0 ? NULL : (char *)dat->storage.host + (size_t)target * pl_dat_stride(dat) + first;
}

/* ---- one element ---- */

/* In place: both representations have 8 bytes. */
static void fixed_to_real(const pl_arg *arg, char *mine)
{
  for (int c = 0; c < pl_arg_dim(arg); c++, mine += sizeof(double)) {
    int64_t kept;
    memcpy(&kept, mine, sizeof kept);
    const double seen = ldexp((double)kept, -arg->fixed);
    memcpy(mine, &seen, sizeof seen);
  }
}

static void real_to_fixed(const pl_arg *arg, char *mine)
{
  for (int c = 0; c < pl_arg_dim(arg); c++, mine += sizeof(double)) {
    double seen;
    memcpy(&seen, mine, sizeof seen);
    const int64_t kept = (int64_t)ldexp(seen, arg->fixed);
    memcpy(mine, &kept, sizeof kept);
  }
}

static void load_values(const pl_arg *arg, int element, char *mine)
{
  size_t bytes = pl_interpreted_bytes(arg);
  for (int k = 0; k < pl_arg_targets(arg); k++, mine += bytes) {
    const char *place = pl_interpreted_values(arg, pl_arg_target(arg, element, k));
    if (pl_combines(arg->access))
      pl_neutral(pl_arg_type(arg), arg->access, mine, (size_t)pl_arg_dim(arg));
    else if (place)
      memcpy(mine, place, bytes);
    else
      memset(mine, 0, bytes);
    if (arg->fixed) fixed_to_real(arg, mine);
  }
}

static void store_values(const pl_arg *arg, int element, char *mine)
{
  size_t bytes = pl_interpreted_bytes(arg);
  for (int k = 0; k < pl_arg_targets(arg); k++, mine += bytes) {
    if (arg->fixed) real_to_fixed(arg, mine);
    char *place = pl_interpreted_values(arg, pl_arg_target(arg, element, k));
    if (!place) continue;
    if (arg->access == PL_WRITE || arg->access == PL_RW)
      memcpy(place, mine, bytes);
    else
      pl_combine(pl_arg_type(arg), arg->access, place, mine, (size_t)pl_arg_dim(arg));
  }
}

/* Row structs of all types have one layout; values are not copied. */
static void *prepare_row(const pl_arg *arg, int element, char *mine)
{
  const pl_dat *dat = arg->object;
  pl_row_double *row = (pl_row_double *)(void *)mine;
  row->count = pl_arg_reached(arg, element);
  row->dim = dat->dim;
  row->index = arg->map->index + arg->map->offset[element];
  row->value = (const double *)(void *)pl_interpreted_values(arg, 0);
  return row;
}

static void read_global(const pl_arg *arg, char *mine)
{
  memcpy(mine, ((pl_global *)arg->object)->value, pl_interpreted_bytes(arg));
  if (arg->fixed) fixed_to_real(arg, mine);
}

/* Returns the pointer for the kernel. */
static void *prepare_argument(const pl_host_code *code, int i, int element, char *mine)
{
  const pl_arg *arg = &code->loop->args[i];
  if (arg->off) return NULL;
  switch (arg->kind) {
  case PL_ARG_POINTER:
    return arg->object;
  case PL_ARG_CONST:
    memcpy(mine, ((pl_const *)arg->object)->value, pl_interpreted_bytes(arg));
    return mine;
  case PL_ARG_INDEX:
    *(int64_t *)(void *)mine = pl_element_global_index(arg->map ? arg->map->to : pl_set_base(code->loop->set),
                                                       pl_arg_target(arg, element, 0));
    return mine;
  case PL_ARG_RANDOM:
    pl_random_fill(arg,
                   pl_element_global_index(arg->map ? arg->map->to : pl_set_base(code->loop->set),
                                           pl_arg_target(arg, element, 0)),
                   mine);
    return mine;
  case PL_ARG_GLOBAL:
    if (arg->access == PL_READ)
      read_global(arg, mine);
    else
      pl_neutral(pl_arg_type(arg), arg->access, mine, (size_t)pl_arg_dim(arg));
    return mine;
  default:
    break;
  }
  if (pl_arg_is_row(arg)) return prepare_row(arg, element, mine);
  load_values(arg, element, mine);
  if (code->signature.param[i].shape != PL_SHAPE_POINTERS) return mine;
  void **pointers =
    (void **)(void *)(mine + rounded((size_t)pl_arg_targets(arg) * pl_interpreted_bytes(arg)));
  for (int k = 0; k < pl_arg_targets(arg); k++) pointers[k] = mine + (size_t)k * pl_interpreted_bytes(arg);
  return pointers;
}

void pl_interpreted_call(pl_kernel_fn function, int n, void *const *p)
{
#define T1 void *
#define T2 T1, T1
#define T4 T2, T2
#define T8 T4, T4
#define P1(i) p[i]
#define P2(i) p[i], p[(i) + 1]
#define P4(i) P2(i), P2((i) + 2)
#define P8(i) P4(i), P4((i) + 4)
#define CASE(n, types, values)                                                                               \
  case n:                                                                                                    \
    ((void (*)(types))function)(values);                                                                     \
    break;
#define LIST(...) __VA_ARGS__
  switch (n) {
    CASE(1, T1, P1(0))
    CASE(2, LIST(T2), LIST(P2(0)))
    CASE(3, LIST(T2, T1), LIST(P2(0), P1(2)))
    CASE(4, LIST(T4), LIST(P4(0)))
    CASE(5, LIST(T4, T1), LIST(P4(0), P1(4)))
    CASE(6, LIST(T4, T2), LIST(P4(0), P2(4)))
    CASE(7, LIST(T4, T2, T1), LIST(P4(0), P2(4), P1(6)))
    CASE(8, LIST(T8), LIST(P8(0)))
    CASE(9, LIST(T8, T1), LIST(P8(0), P1(8)))
    CASE(10, LIST(T8, T2), LIST(P8(0), P2(8)))
    CASE(11, LIST(T8, T2, T1), LIST(P8(0), P2(8), P1(10)))
    CASE(12, LIST(T8, T4), LIST(P8(0), P4(8)))
    CASE(13, LIST(T8, T4, T1), LIST(P8(0), P4(8), P1(12)))
    CASE(14, LIST(T8, T4, T2), LIST(P8(0), P4(8), P2(12)))
    CASE(15, LIST(T8, T4, T2, T1), LIST(P8(0), P4(8), P2(12), P1(14)))
    CASE(16, LIST(T8, T8), LIST(P8(0), P8(8)))
    CASE(17, LIST(T8, T8, T1), LIST(P8(0), P8(8), P1(16)))
    CASE(18, LIST(T8, T8, T2), LIST(P8(0), P8(8), P2(16)))
    CASE(19, LIST(T8, T8, T2, T1), LIST(P8(0), P8(8), P2(16), P1(18)))
    CASE(20, LIST(T8, T8, T4), LIST(P8(0), P8(8), P4(16)))
    CASE(21, LIST(T8, T8, T4, T1), LIST(P8(0), P8(8), P4(16), P1(20)))
    CASE(22, LIST(T8, T8, T4, T2), LIST(P8(0), P8(8), P4(16), P2(20)))
    CASE(23, LIST(T8, T8, T4, T2, T1), LIST(P8(0), P8(8), P4(16), P2(20), P1(22)))
    CASE(24, LIST(T8, T8, T8), LIST(P8(0), P8(8), P8(16)))
  default:
    break;
  }
}

static void run_element(const pl_host_code *code, pl_worker *worker, int element)
{
  const pl_loop *loop = code->loop;
  void *pointer[MAX_ARGS], *found[MAX_ARGS] = {NULL};
  int64_t global[MAX_ARGS];
  char *mine = worker->scratch;
  for (int i = 0; i < loop->nargs; i++) {
    pointer[i] = prepare_argument(code, i, element, mine);
    found[i] = mine;
    global[i] = pl_element_global_index(pl_set_base(loop->set), element);
    mine += arg_scratch(&loop->args[i]);
  }
  if (!pl_kernel_call(loop->kernel, pointer))
    pl_interpreted_call(loop->kernel->function, loop->nargs, pointer);
  for (int i = 0; i < loop->nargs; i++)
    if (pl_arg_is_record(&loop->args[i]) && pl_arg_writes(&loop->args[i]))
      store_values(&loop->args[i], element, found[i]);
    else if (pl_arg_reduces(&loop->args[i]) && loop->args[i].fixed)
      real_to_fixed(&loop->args[i], found[i]);
  if (code->reduces) pl_results_add(loop, worker->result, worker->element, found, global);
}

void pl_interpreted_run(const pl_host_code *code, pl_worker *worker, int begin, int end, const int *list)
{
  if (pl_loop_traits_of(code->loop)->pairs) {
    pl_interpreted_run_pairs(code, worker, begin, end);
    return;
  }
  for (int i = begin; i < end; i++) run_element(code, worker, list ? list[i] : i);
}
