/* SPDX-License-Identifier: BSD-2-Clause
 * Random loops over the objects of a program.
 */
#ifndef PROGRAMS_LOOPS_H
#define PROGRAMS_LOOPS_H

#include "model.h"

/* A loop of a new kernel, or one of an older kernel with other arguments; false if none was found. */
bool new_loop(program *p, loop *l);
bool other_loop(program *p, loop *l);

/* A loop over set s with these arguments and a new kernel; false without space for kernels. */
bool given_loop(program *p, loop *l, int s, int nargs, const argument *args);

/* Whether all objects of an earlier loop still exist. */
bool still_there(const program *p, const loop *l);

/* Whether it reads only defined values. */
bool defined(const program *p, const loop *l);

#endif
