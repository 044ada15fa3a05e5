/* SPDX-License-Identifier: BSD-2-Clause
 * Where the statements of a kernel use a parameter x: its values x[...] and *x, and loops over them.
 */
#pragma once

#include "syntax.h"

enum { PL_TRACKED_VALUES = 64 };

/* A parameter x whose uses in a kernel are tracked. */
typedef struct pl_tracked {
  const pl_syntax *tree;
  const char *name;
  int declarator;
} pl_tracked;

const pl_syntax_node *pl_tracked_node(const pl_tracked *x, int node);
bool pl_tracked_is(const pl_tracked *x, int node); /* a use of the parameter */
bool pl_tracked_is_variable(const pl_tracked *x, int node, int declarator);
int pl_tracked_count(const pl_tracked *x, int statement); /* its uses */
/* Of a use: the node x[...] or *x, whose address is not taken; 0: another use. */
int pl_tracked_value(const pl_tracked *x, int name);
/* The block has no jumps, and only values of the parameter are used. */
bool pl_tracked_is_plain(const pl_tracked *x, int block);
/* A number from 0 to PL_TRACKED_VALUES; else -1. */
int pl_tracked_number(const pl_tracked *x, int node);
/* The DECLARATOR k of for (int k = 0; k < n; k++), with *n; else 0. */
int pl_tracked_counter(const pl_tracked *x, int loop, int *n);
/* In the statement the counter is only read, and the parameter is only x[counter]. */
bool pl_tracked_by(const pl_tracked *x, int statement, int counter);
