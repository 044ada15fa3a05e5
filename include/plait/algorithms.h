/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions, scans, sorting and selection (docs/algorithms.md); sets of variable size. */
#ifndef PLAIT_ALGORITHMS_H
#define PLAIT_ALGORITHMS_H

#include <plait/loops.h>

PL_EXTERN_C_BEGIN

/* ---- reductions and scans ---- */

/* One step of an algorithm's compiled function; internal. */
typedef struct pl_item_step {
  int action; /* 0: item = input, 1: flag, 2: output, 3: item = op(item, prev), 4: item = neutral */
  int i, n;   /* element; number of elements */
  void *item, *prev, *last;
  int begins;
} pl_item_step;

/* A reduction or scan by the source of its expressions; created by the macros below, fields are internal. */
typedef struct pl_algorithm {
  const char *name, *type, *neutral, *op, *params;
  const char *input, *flag, *output; /* flag NULL: one segment; output NULL: a reduction */
  const char *file;
  int line, real_size;
  pl_kernel_fn function; /* (pl_item_step *, params): the expressions, compiled by the user's compiler */
  int size;              /* of this struct */
} pl_algorithm;

/* PL_COMMUTATIVE(operator) in place of the operator of a reduction or scan declares that it commutes: a and b
 * may be exchanged. Reductions and totals on the host are then faster, and combine elements in another order:
 * sums of reals round differently. Extremes of reals do not commute where a value is NaN. */
#define PL_COMMUTATIVE(op) (op)

#define PL_STRIP_(...) __VA_ARGS__
#define PL_ALGORITHM_(name, T, neutral, op, params, input, flag, texts, ...)                                 \
  static inline void name##_step(pl_item_step *pl_s, PL_STRIP_ params)                                       \
  {                                                                                                          \
    const int i = pl_s->i, n = pl_s->n;                                                                      \
    (void)i;                                                                                                 \
    (void)n;                                                                                                 \
    if (pl_s->action == 0) {                                                                                 \
      *(T *)pl_s->item = (T)(input);                                                                         \
    } else if (pl_s->action == 1) {                                                                          \
      pl_s->begins = (flag) != 0;                                                                            \
    } else if (pl_s->action == 2) {                                                                          \
      const T item = *(T *)pl_s->item, prev_item = *(T *)pl_s->prev, last_item = *(T *)pl_s->last;           \
      (void)item;                                                                                            \
      (void)prev_item;                                                                                       \
      (void)last_item;                                                                                       \
      __VA_ARGS__                                                                                            \
    } else if (pl_s->action == 3) {                                                                          \
      const T a = *(T *)pl_s->prev, b = *(T *)pl_s->item;                                                    \
      *(T *)pl_s->item = (T)(op);                                                                            \
    } else {                                                                                                 \
      *(T *)pl_s->item = (T)(neutral);                                                                       \
    }                                                                                                        \
  }                                                                                                          \
  static const pl_algorithm name[1] = {{PL_STRIP_ texts, __FILE__, __LINE__, (int)sizeof(pl_real),           \
                                        (pl_kernel_fn)name##_step, (int)sizeof(pl_algorithm)}};

/* PL_REDUCTION(name, type, neutral, operator, (parameters), map) at file scope: `map` is an expression for
 * element i, `operator` an associative expression in a and b (a precedes b; it need not commute; if it does,
 * declare it by PL_COMMUTATIVE) with its neutral element. Parameters are whole arrays, `const double *x`, one
 * for each argument of pl_reduce: component c of element i of a dat is x[i * dim + c]; n is the number of
 * elements on this rank.
 *
 *   PL_REDUCTION(energy, double, 0.0, PL_COMMUTATIVE(a + b), (const double *v, const double *pe),
 *                0.5 * v[i] * v[i] + pe[i])
 */
#define PL_REDUCTION(name, type, neutral, op, params, map)                                                   \
  PL_ALGORITHM_(name, type, neutral, op, params, map, 0,                                                     \
                (#name, #type, #neutral, #op, #params, #map, NULL, NULL), )

/* PL_SCAN(name, type, neutral, operator, (parameters), input, {output}): a prefix scan of `input`, an
 * expression for element i. The statements `output` then run once for each element, in any order, with `item`
 * (inclusive result at i), `prev_item` (exclusive result) and `last_item` (result over all elements). They
 * may write any array entry that no other element reads or writes. `input` may read entries that the same
 * element's output writes (in place), but not those of other elements.
 *
 *   PL_SCAN(where, int, 0, PL_COMMUTATIVE(a + b), (const int *x, int *found, int *count), x[i] < 50, {
 *     if (item != prev_item) found[prev_item] = i;
 *     if (i == n - 1) count[0] = item;
 *   })
 *
 * PL_SCAN_SEGMENTED has an additional expression `flag`: a nonzero value begins a new segment, with item and
 * prev_item restarted. On several ranks the scan covers all ranks in order; i and n are local. */
#define PL_SCAN(name, type, neutral, op, params, input, ...)                                                 \
  PL_ALGORITHM_(name, type, neutral, op, params, input, 0,                                                   \
                (#name, #type, #neutral, #op, #params, #input, NULL, #__VA_ARGS__), __VA_ARGS__)
#define PL_SCAN_SEGMENTED(name, type, neutral, op, params, input, flag, ...)                                 \
  PL_ALGORITHM_(name, type, neutral, op, params, input, flag,                                                \
                (#name, #type, #neutral, #op, #params, #input, #flag, #__VA_ARGS__), __VA_ARGS__)

/* Creates a reduction or scan from the texts that the macros above take: `params` with its parentheses,
 * `output` the statements in braces. `output` NULL: a reduction; `flag` NULL: one segment. The texts are
 * copied; the algorithm lives as long as the context. The first call that uses it compiles it: errors in its
 * texts are PL_ERR_KERNEL or PL_ERR_COMPILE there. Errors: PL_ERR_ARG for a name that is not a C identifier,
 * a text that is NULL, and a reduction with a flag. Local. */
PL_API pl_err pl_algorithm_from_source(pl_context *pl, const char *name, const char *type,
                                       const char *neutral, const char *op, const char *params,
                                       const char *input, const char *flag, const char *output,
                                       const pl_algorithm **algorithm);

/* Reduces over the elements of `set` (not a subset) and sets `result`, a global of dim 1 and the reduction's
 * type: pl_reduce(energy, particles, total, args...). Arguments are pl_arg_direct(dat, * PL_READ) of any set
 * and pl_arg_gbl(global, PL_READ), as whole arrays in user order. Elements are combined in that order, ranks
 * one after the other, unless the operator is PL_COMMUTATIVE; the grouping is the same in each run with equal
 * backend and number of threads. Collective. */
PL_API pl_err pl_reduce_args(const pl_algorithm *reduction, pl_set *set, pl_global *result, int nargs,
                             const pl_arg *args);

/* Runs a scan over the elements of `set` (not a subset): pl_scan(where, set, args...). Arguments as in
 * pl_reduce, with access PL_READ, PL_RW or PL_WRITE. Collective. */
PL_API pl_err pl_scan_args(const pl_algorithm *scan, pl_set *set, int nargs, const pl_arg *args);

/* Sort, select, gather. A permutation is a PL_INT32 dat of dim 1 that holds positions in host views of the
 * rank's owned elements. Each rank works on its own elements; no data is exchanged.
 *
 * Sorting: order[i] is the i-th element by `keys`, a dat of dim 1 of integers, float or double on the same
 * set. Stable. Reals are in IEEE 754 total order: -NaN, -inf ... -0.0, +0.0 ... +inf, +NaN. `bits`: number of
 * low bits that hold all of non-negative integer keys; 0: all bits, with sign. LSD radix sort (Knuth, The Art
 * of Computer Programming 3, 5.2.5). Errors: PL_ERR_TYPE for other keys or an `order` of another type,
 * PL_ERR_ARG for `bits` above 0 with reals. Collective. */
PL_API pl_err pl_sort_order(pl_dat *keys, int bits, pl_dat *order);

/* Sorts `keys` themselves and permutes `ndats` further dats of the set alike. Collective. */
PL_API pl_err pl_sort(pl_dat *keys, int bits, int ndats, pl_dat *const *dats);

/* Selects the elements with nonzero `flag` (dim 1, any integer type): order[0 .. *count - 1], ascending, on
 * the same set (the rest of `order` is undefined). Collective. `order` NULL: only counts; local. */
PL_API pl_err pl_select(pl_dat *flag, pl_dat *order, int64_t *count);

/* Permutes `ndats` dats in place: element i becomes the former element order[i], i < pl_set_size. An entry
 * outside the set is PL_ERR_RANGE on the host; on a device only with option check. Collective. */
PL_API pl_err pl_align(pl_dat *order, int ndats, pl_dat *const *dats);

/* Gather: to[i] = from[order[i]] for the elements of the set of `order` and `to`; order[i] is an element of
 * the set of `from`, which may differ. Collective. */
PL_API pl_err pl_take(pl_dat *order, pl_dat *from, pl_dat *to);

#ifndef __cplusplus
/* pl_reduce_args and pl_scan_args with the arguments listed. */
#define pl_reduce(reduction, set, result, ...)                                                               \
  pl_reduce_args((reduction), (set), (result), PL_ARGS_(__VA_ARGS__))
#define pl_scan(scan, set, ...) pl_scan_args((scan), (set), PL_ARGS_(__VA_ARGS__))
#endif

/* ---- sets of variable size ---- */

/* Resizes a set with all its dats to n elements on this rank; existing values are kept, new ones are zero,
 * the last elements of host views, and get global indices above all others, rank by rank. If the set has
 * more than n elements, the last ones are removed. Capacity grows by half, so repeated growth is cheap. Maps
 * follow: rows of new elements are -1, or empty if the map is ragged; pointers from pl_map_indices become
 * invalid. Errors, also below: PL_ERR_STATE for subsets, sets with a declared halo or subsets, open views (on
 * several ranks also of connected sets), and if a map entry of an element that stays names one that is
 * removed. With one map of arity 1, to cells, use pl_particle_add for new elements. The table in
 * docs/algorithms.md states the costs with maps. Collective. */
PL_API pl_err pl_set_resize(pl_set *set, int64_t n);

/* Reserves storage for `capacity` elements of this rank in all present and future dats of the set; never
 * shrinks. Collective. pl_set_capacity: elements that fit without reallocation. Local. */
PL_API pl_err pl_set_reserve(pl_set *set, int64_t capacity);
PL_API int64_t pl_set_capacity(const pl_set *set);

/* Removes the elements with zero `flag` (as in pl_select) from the set, its dats and its maps; the
 * others keep their order and, on several ranks, their global indices. Collective. */
PL_API pl_err pl_set_keep(pl_set *set, pl_dat *flag);

/* Removes `n` of this rank's elements by their positions in host views (in any order, repeats allowed), as
 * pl_set_keep. Collective. */
PL_API pl_err pl_set_remove(pl_set *set, int64_t n, const int *indices);

/* Permutes all dats of the set, as pl_align, with its rows of maps; maps to the set lead to the same elements
 * as before. Global indices stay at their positions. Collective. */
PL_API pl_err pl_set_reorder(pl_set *set, pl_dat *order);

PL_EXTERN_C_END

#ifdef __cplusplus
template <class... Args>
inline pl_err pl_reduce(const pl_algorithm *reduction, pl_set *set, pl_global *result, Args... args)
{
  const pl_arg list[] = {args...};
  return pl_reduce_args(reduction, set, result, static_cast<int>(sizeof...(Args)), list);
}

template <class... Args> inline pl_err pl_scan(const pl_algorithm *scan, pl_set *set, Args... args)
{
  const pl_arg list[] = {args...};
  return pl_scan_args(scan, set, static_cast<int>(sizeof...(Args)), list);
}
#endif

#endif
