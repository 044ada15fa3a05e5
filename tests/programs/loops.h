/* SPDX-License-Identifier: BSD-2-Clause
 * Random loops over what a program has declared.
 */
#ifndef PROGRAMS_LOOPS_H
#define PROGRAMS_LOOPS_H

#include "model.h"

/* A loop of a new kernel, or one of an older kernel with other arguments; false if none was found. */
bool new_loop(program *p, loop *l);
bool other_loop(program *p, loop *l);

/* A loop over set s of these arguments and a kernel of its own; false without room for kernels. */
bool given_loop(program *p, loop *l, int s, int nargs, const argument *args);

/* Whether all that a loop of before names is still there. */
bool still_there(const program *p, const loop *l);

/* Whether it reads only what has values. */
bool defined(const program *p, const loop *l);

#endif
