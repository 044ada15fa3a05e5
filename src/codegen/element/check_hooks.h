/* SPDX-License-Identifier: BSD-2-Clause
 * Callbacks of a checked loop's scalar form: the generated text calls them, the backend defines them
 * (backends/host_loop/kernel_check.c). Values are an argument's private copy: those of all its targets, one
 * after the other.
 */
#pragma once

#include "element_body.h"

/* The structure; generated texts hold it too. */
#define PL_CHECKER_TYPE                                                                                      \
  typedef struct pl_checker {                                                                                \
    void (*start)(struct pl_checker *, int arg, int turn, const void *first, void *again);                   \
    void (*again)(struct pl_checker *, int arg, int turn, const void *first, const void *again);             \
    void (*other)(struct pl_checker *, int arg, const void *first, const void *other);                       \
    void (*adds)(struct pl_checker *, int arg, int target, const void *values);                              \
    void (*writes)(struct pl_checker *, int arg, int target, const void *values);                            \
    void (*reads)(struct pl_checker *, int arg, int target, const void *values);                             \
    void (*guard)(struct pl_checker *, int arg, const void *copy, int zone, int bytes);                      \
    void (*fault)(struct pl_checker *, int what, int arg, long long at, long long end, const char *file,     \
                  int line);                                                                                 \
    int element, side, owned;                                                                                \
  } pl_checker;

PL_CHECKER_TYPE

/* `fault` does not return. After the kernel's call for an element or pair, on private copies as it left them:
 * it is called again in so many turns, from values that `start` gives to sums and extremes. `adds` gets its
 * increments, `writes` what it stores with PL_WRITE where others may, `other` the values from the other side
 * of a pair in a pair map. */
enum { PL_CHECK_TURNS = 3 };

/* Faults of a kernel: an integer divided by zero; target `at` or value `at` of a row that has `end`; index
 * `at` in the first bracket of an argument (the next: + 1), or 0 if it is dereferenced. Found after the call,
 * so without a line: a write outside an argument's values, or to those of PL_READ. */
enum {
  PL_FAULT_OUTSIDE = -2,
  PL_FAULT_CHANGED,
  PL_FAULT_ZERO,
  PL_FAULT_TARGET,
  PL_FAULT_VALUE,
  PL_FAULT_INDEX
};

void pl_checker_prelude(const pl_emitter *e);

/* A private copy is between zones of so many poisoned values; `guard` gets all of it after the call. */
enum { PL_GUARD = 32 };

/* The bytes of the zones. Those of a sum are a small number, as a double 2e-23: an addition to the large one
 * that marks unwritten values would be lost in rounding. */
static inline int pl_guard_byte(const pl_arg *arg)
{
  const bool sums = arg->access == PL_INC || arg->access == PL_INC_ANTI || arg->access == PL_INC_SYM;
  return sums ? 0x3B : PL_POISON;
}

pl_word pl_check_word(const pl_body *b, const char *name);
