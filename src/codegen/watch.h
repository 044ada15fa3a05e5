/* SPDX-License-Identifier: BSD-2-Clause
 * What the plain form of a loop tells about itself while it is checked: the walker prints calls of these
 * functions, the backend fills them in (backends/watch.c). Values are an argument's private copy: those of
 * all its targets, one after the other.
 */
#ifndef PLAIT_CODEGEN_WATCH_H
#define PLAIT_CODEGEN_WATCH_H

#include "body.h"

/* The structure and, as text, the same again. */
#define PL_WATCH_TYPE                                                                                        \
  typedef struct pl_watch {                                                                                  \
    void (*start)(struct pl_watch *, int arg, int turn, const void *first, void *again);                     \
    void (*again)(struct pl_watch *, int arg, int turn, const void *first, const void *again);               \
    void (*other)(struct pl_watch *, int arg, const void *first, const void *other);                         \
    void (*adds)(struct pl_watch *, int arg, int target, const void *values);                                \
    void (*fault)(struct pl_watch *, int what, int at, int end, const char *file, int line);                 \
    int element, side, owned;                                                                                \
  } pl_watch;

PL_WATCH_TYPE

/* Once the kernel was called for an element or a pair, on private copies that are still as it left them: it
 * is called again in so many turns from values that `start` gives to sums and extremes; what it adds is told,
 * and of a pair in a pair map what it does from the other side. */
enum { PL_WATCH_TURNS = 3 };

/* What a kernel may do that nothing else tells: divide a whole number by zero; ask for target `at` or value
 * `at` of a row that has `end`. */
enum { PL_WATCH_ZERO, PL_WATCH_TARGET, PL_WATCH_VALUE };

bool pl_op_watched(const pl_operand *op); /* a sum or an extreme */
bool pl_op_made(const pl_operand *op);    /* else written */
void pl_watch_prelude(const pl_walk_state *w);
void pl_watch_open(const pl_body *b);    /* where a range begins */
void pl_watch_at(const pl_body *b);      /* before an element or a pair */
void pl_watch_element(const pl_body *b); /* after the kernel's call */
void pl_watch_pair(const pl_body *b);

#endif
