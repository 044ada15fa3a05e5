/* SPDX-License-Identifier: BSD-2-Clause
 * What the text of a kernel plainly does with one of its parameters. It reads shapes, not meanings: what
 * happens through another pointer, in a helper or in a macro is not seen, and a name declared again in the
 * text is let off.
 */
#ifndef PLAIT_CODEGEN_USES_H
#define PLAIT_CODEGEN_USES_H

#include "lex.h"

typedef struct pl_uses {
  bool writes;  /* a value is assigned to: x[0] = 1, *x += 2, x[i].re = 3, ++x[0] */
  bool sets;    /* some value is set, x[0] = 1, */
  bool adds;    /* added to, x[0] += 1, x[0]++, x[0] = x[0] + 1, */
  bool scales;  /* multiplied, x[0] *= 2, x[0] >>= 1, */
  bool weighs;  /* compared, chosen or made an extreme, x[0] = fmin(x[0], y), */
  bool others;  /* or the name stands for anything else, as in y[0] = x[0] or f(x) */
  int reach[2]; /* 1 + the largest number in the first and the second bracket: 3, 5 for x[2][4]; 0: none */
} pl_uses;

/* Of the parameter `name`, whose values lie behind `depth` pointers or brackets, in tokens first to last - 1.
 */
pl_uses pl_text_uses(const pl_tokens *tokens, int first, int last, const char *name, int depth);

#endif
