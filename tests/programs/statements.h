/* SPDX-License-Identifier: BSD-2-Clause
 * The statements of random programs, each on Plait and on the model.
 */
#ifndef PROGRAMS_STATEMENTS_H
#define PROGRAMS_STATEMENTS_H

#include "loops.h"

/* Returns from a statement whose call failed; the program ends. */
#define TRY(p, call)                                                                                         \
  do {                                                                                                       \
    if ((call) != PL_SUCCESS) {                                                                              \
      broken((p), #call);                                                                                    \
      return;                                                                                                \
    }                                                                                                        \
  } while (0)
void broken(program *p, const char *what);

/* Records why the program failed. */
void wrong(program *p, const char *format, ...);

/* Global indices of this rank's elements, pl_set_size of them. Freed by the caller. */
int64_t *global_indices(program *p, int s);

/* Declarations (declare.c); each may replace an object. */
void declare_all(program *p);
void forget_all(program *p);
void declare_dat(program *p, int d);
void declare_map(program *p, int m);
void declare_subset(program *p, int b);
void declare_global(program *p, int g);
void declare_constant(program *p, int c);
void declare_set_anew(program *p, int s);
void free_box(box *b);

/* Order, ranks and sizes (order.c). */
void renumber(program *p);
void partition(program *p);
void change_loose_set(program *p);

void run_statement(program *p);
void compare_dat(program *p, int d);
void compare_global(program *p, int g);
void compare_all(program *p);

#endif
