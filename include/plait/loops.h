/* SPDX-License-Identifier: BSD-2-Clause
 * Loop arguments and parallel loops. T stands for the type of the dat, global or const. */
#ifndef PLAIT_LOOPS_H
#define PLAIT_LOOPS_H

#include <plait/dats.h>
#include <plait/kernels.h>

PL_EXTERN_C_BEGIN

/* ---- arguments ---- */

/* Kinds of arguments; each has its function below. */
typedef enum pl_arg_kind {
  PL_ARG_DAT = 1,    /* a dat, directly or through a map */
  PL_ARG_GLOBAL,     /* a global */
  PL_ARG_CONST,      /* a const as an argument */
  PL_ARG_INDEX,      /* global index of the element or of a target */
  PL_ARG_POINTER,    /* a user pointer, passed unchanged (host backends) */
  PL_ARG_DIFFERENCE, /* difference of a dat between the sides of a pair */
  PL_ARG_DISTANCE,   /* squared length of that difference */
  PL_ARG_MATRIX,     /* a matrix (plait/matrix.h) */
  PL_ARG_RANDOM,     /* random numbers of the element, of a target or of a pair */
  PL_ARG_MIXED_DAT,  /* a dat of several spaces (plait/mixed.h) */
  PL_ARG_MIXED_MAT   /* a matrix of several spaces */
} pl_arg_kind;

/* One loop argument, created by the functions below (all local); fields are internal. */
typedef struct pl_arg {
  int size; /* of this struct */
  pl_arg_kind kind;
  pl_access access;
  void *object;                   /* dat, global, const, random numbers or pointer */
  pl_map *map;                    /* NULL: direct */
  int index;                      /* target number, PL_ALL or PL_ID */
  int component;                  /* component, or -1 for all */
  int off;                        /* disabled by pl_arg_opt */
  pl_global *with;                /* this global is a payload of the reduction into `with` */
  int fixed;                      /* fixed point: fractional bits; else 0 */
  int zeroed;                     /* the loop zeroes the dat first */
  pl_map *columns;                /* of a matrix, whose rows go through `map`; else NULL */
  pl_dat *row_mask, *column_mask; /* of a matrix; else NULL */
} pl_arg;

/* Values of `index` and `map` of an argument. */
#define PL_ID (-1)              /* direct argument: the element itself */
#define PL_ALL (-2)             /* all targets of the map */
#define PL_BOTH (-3)            /* both sides of a pair */
#define PL_DIRECT ((pl_map *)0) /* no map */

/* An argument without options, for the functions below. */
static inline pl_arg pl_arg_of_kind(pl_arg_kind kind, pl_access access, void *object, pl_map *map, int index)
{
  pl_arg arg = {(int)sizeof(pl_arg), kind, access, object, map, index, -1, 0, NULL, 0, 0, NULL, NULL, NULL};
  return arg;
}

/* A dat: directly (PL_ID, PL_DIRECT; pl_arg_direct for short), through target `index` of `map`, or through
 * all targets (PL_ALL). Kernel parameter: T *x for one target, T *x[arity], T x[arity][dim] or T *x for
 * all targets (in T *x, value c of target k is x[k * dim + c]), const pl_row_T *x for all targets of a ragged
 * map (PL_READ only). */
static inline pl_arg pl_arg_dat(pl_dat *dat, int index, pl_map *map, pl_access access)
{
  return pl_arg_of_kind(PL_ARG_DAT, access, dat, map, index);
}

/* A dat directly: the values of the element itself. */
static inline pl_arg pl_arg_direct(pl_dat *dat, pl_access access)
{
  return pl_arg_dat(dat, PL_ID, PL_DIRECT, access);
}

/* A global: PL_READ, or a reduction PL_INC, PL_MIN, PL_MAX. Kernel parameter: T *x. In a reduction the kernel
 * adds to, or takes the extreme with, the value it finds, and must not depend on that value otherwise. */
static inline pl_arg pl_arg_gbl(pl_global *global, pl_access access)
{
  return pl_arg_of_kind(PL_ARG_GLOBAL, access, global, NULL, PL_ID);
}

/* Payload of a MIN/MAX reduction (argmin/argmax): when an element's value wins the reduction into `of` (a
 * global of dim 1 in the same loop), the values the kernel wrote to this parameter, T *x, are stored in
 * `global`. Ties go to the lowest global index. */
static inline pl_arg pl_arg_payload(pl_global *global, pl_global *of)
{
  pl_arg arg = pl_arg_of_kind(PL_ARG_GLOBAL, PL_WRITE, global, NULL, PL_ID);
  arg.with = of;
  return arg;
}

/* A const as an argument; `access` must be PL_READ. Kernel parameter: const T *x. */
static inline pl_arg pl_arg_const(pl_const *constant, pl_access access)
{
  return pl_arg_of_kind(PL_ARG_CONST, access, constant, NULL, PL_ID);
}

/* The global index of the element (PL_ID, PL_DIRECT), of its target `index` in `map`, or in a pair loop of
 * side `index`. Kernel parameter: const int64_t *x. */
static inline pl_arg pl_arg_idx(int index, pl_map *map)
{
  return pl_arg_of_kind(PL_ARG_INDEX, PL_READ, NULL, map, index);
}

/* Random numbers of the element (PL_ID, PL_DIRECT), of its target `index` in `map`, or in a pair loop of side
 * `index` or of the pair (PL_BOTH; the pairs are within one set): the numbers of a pair do not change with
 * the sides exchanged, so a force drawn from them may be PL_INC_ANTI. Kernel parameter: const uint32_t *r,
 * for the functions of plait_random.h. The numbers depend on the seed of `random`, on the global index of the
 * element or target, or both indices of the pair, and on the call: each call of pl_par_loop, pl_pair_loop or
 * pl_loop_run with `random` has the next number, counted from 0, however the loop runs. A loop draws from one
 * pl_random; it may have several arguments of it. */
static inline pl_arg pl_arg_random(pl_random *random, int index, pl_map *map)
{
  return pl_arg_of_kind(PL_ARG_RANDOM, PL_READ, random, map, index);
}

/* A user pointer, passed to every kernel call unchanged; any pointer parameter. The memory must stay valid
 * while the loop runs. Host backends only, except NULL: every backend passes that, for a parameter that the
 * kernel does not use. */
static inline pl_arg pl_arg_ptr(void *pointer)
{
  pl_arg arg = pl_arg_of_kind(PL_ARG_POINTER, PL_READ, pointer, NULL, PL_ID);
  arg.off = !pointer;
  return arg;
}

/* Pair loops: values of `dat` (double or float) on side 0 minus those on side 1, kernel parameter const T
 * d[dim]; and the squared length of that difference, const T *r2. For the position dat of a pair map the
 * difference is to the nearest periodic image of side 1. */
static inline pl_arg pl_arg_difference(pl_dat *dat)
{
  return pl_arg_of_kind(PL_ARG_DIFFERENCE, PL_READ, dat, NULL, PL_ID);
}

/* The squared length of pl_arg_difference(dat). */
static inline pl_arg pl_arg_distance2(pl_dat *dat)
{
  return pl_arg_of_kind(PL_ARG_DISTANCE, PL_READ, dat, NULL, PL_ID);
}

/* `arg` restricted to one component of its dat; the kernel sees a dat of dim 1. */
static inline pl_arg pl_arg_component(pl_arg arg, int component)
{
  arg.component = component;
  return arg;
}

/* `arg`, the only argument of its dat, with PL_INC, PL_INC_ANTI or PL_INC_SYM: the loop zeroes the whole dat
 * before adding, as by pl_dat_zero. Costs nothing where each pair is visited from both sides: sums are then
 * stored, not added. */
static inline pl_arg pl_arg_zeroed(pl_arg arg)
{
  arg.zeroed = 1;
  return arg;
}

/* `arg` if `on`; else it is neither loaded nor exchanged and the kernel gets a NULL pointer. */
static inline pl_arg pl_arg_opt(pl_arg arg, int on)
{
  arg.off = !on;
  return arg;
}

/* `arg`, a dat or global of PL_INT64, as fixed-point reals with `bits` (1 to 62, usually 32) fractional bits.
 * Kernel parameter: double *. PL_READ gives value * 2^-bits; PL_INC adds (int64_t)(x * 2^bits), truncated
 * toward zero. Integer sums are independent of their order, so equal increments give identical bits on any
 * number of threads and every backend. Each increment and the final sum must be below 2^(63-bits) in
 * magnitude; partial sums may be larger. */
static inline pl_arg pl_arg_fixed(pl_arg arg, int bits)
{
  arg.fixed = bits;
  return arg;
}

/* ---- loops ---- */

/* Runs `kernel` for every element of `set` (a set or subset), in no particular order: pl_par_loop(kernel,
 * set, args...) with one pl_arg_* for each kernel parameter. The first call with a signature checks the
 * arguments, plans, generates and compiles; later calls find the prepared loop in well under a microsecond.
 * Results on a device are transferred to the host only on request. Errors name the kernel, the argument (from
 * 1) and the object. Collective. */
PL_API pl_err pl_par_loop_args(const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args);

/* Prepares a loop that can be run any number of times: pl_loop_create(&loop, kernel, set, args...).
 * pl_loop_run is PL_ERR_STATE once an object of the loop has been freed. Collective. */
PL_API pl_err pl_loop_create_args(pl_loop **loop, const pl_kernel *kernel, pl_set *set, int nargs,
                                  const pl_arg *args);
PL_API pl_err pl_loop_run(pl_loop *loop);

/* Replaces the dat of argument `arg` (from 0) by one of the same set, dim and type. *loop becomes the loop
 * with that dat, which is found or prepared as by pl_loop_create. Collective. */
PL_API pl_err pl_loop_replace_dat(pl_loop **loop, int arg, pl_dat *dat);

/* Releases the handle. Local. */
PL_API void pl_loop_free(pl_loop **loop);

#ifndef __cplusplus
#define PL_ARGS_(...)                                                                                        \
  (int)(sizeof((pl_arg[]){__VA_ARGS__}) / sizeof(pl_arg)), (pl_arg[])                                        \
  {                                                                                                          \
    __VA_ARGS__                                                                                              \
  }
/* pl_par_loop_args and pl_loop_create_args with the arguments listed. */
#define pl_par_loop(kernel, set, ...) pl_par_loop_args((kernel), (set), PL_ARGS_(__VA_ARGS__))
#define pl_loop_create(loop, kernel, set, ...)                                                               \
  pl_loop_create_args((loop), (kernel), (set), PL_ARGS_(__VA_ARGS__))
#endif

PL_EXTERN_C_END

#ifdef __cplusplus
template <class... Args> inline pl_err pl_par_loop(const pl_kernel *kernel, pl_set *set, Args... args)
{
  const pl_arg list[] = {args...};
  return pl_par_loop_args(kernel, set, static_cast<int>(sizeof...(Args)), list);
}

template <class... Args>
inline pl_err pl_loop_create(pl_loop **loop, const pl_kernel *kernel, pl_set *set, Args... args)
{
  const pl_arg list[] = {args...};
  return pl_loop_create_args(loop, kernel, set, static_cast<int>(sizeof...(Args)), list);
}
#endif

#endif
