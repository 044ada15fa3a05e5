/* SPDX-License-Identifier: BSD-2-Clause
 * Where the statements of a kernel use a parameter x: its values x[...] and *x, and loops over them.
 */
#pragma once

#include "syntax.h"

enum { PL_FOLLOWED_VALUES = 64 };

/* A parameter x in a kernel's block. */
typedef struct pl_followed {
  const pl_syntax *tree;
  const char *name;
  int declarator;
} pl_followed;

const pl_syntax_node *pl_followed_node(const pl_followed *x, int node);
bool pl_followed_is(const pl_followed *x, int node); /* a use of the parameter */
bool pl_followed_is_variable(const pl_followed *x, int node, int declarator);
int pl_followed_count(const pl_followed *x, int statement); /* its uses */
/* Of a use: the node x[...] or *x, whose address is not taken; 0: another use. */
int pl_followed_value(const pl_followed *x, int name);
/* The block has no jumps, and only values of the parameter are used. */
bool pl_followed_is_plain(const pl_followed *x, int block);
/* A number from 0 to PL_FOLLOWED_VALUES; else -1. */
int pl_followed_number(const pl_followed *x, int node);
/* The DECLARATOR k of for (int k = 0; k < n; k++), with *n; else 0. */
int pl_followed_counter(const pl_followed *x, int loop, int *n);
/* In the statement the counter is only read, and the parameter is only x[counter]. */
bool pl_followed_by(const pl_followed *x, int statement, int counter);
