/* SPDX-License-Identifier: BSD-2-Clause
 * A kernel for several elements at once: a copy of its function, pl_vector_NAME, in which the real values of
 * elements are vectors with one value per element. What is the same for all elements stays as it is.
 *
 * Invariant: each element gets the operations of the kernel in their order, hence the same bits.
 */
#pragma once

#include "core/data/arg_info.h"
#include "writer.h"

/* Insertions at the tokens of a kernel's piece. */
typedef struct pl_vector_source {
  const pl_piece *piece;
  unsigned char *mark, *closing; /* for each token: the text before it, and parentheses behind it; owned */
  unsigned called;               /* bit i: function i of the list of those that have a vector form */
} pl_vector_source;

/* Whether the kernel's parameter for the argument points at values of the element. */
static inline bool pl_arg_is_vector(const pl_arg *arg)
{
  return pl_arg_is_record(arg) && !arg->off;
}

/* Finds the insertions. Values of elements are of type double. `possible` becomes false if the function
 * branches on them, converts them to integers, or does something else that vectors cannot. Errors:
 * PL_ERR_MEMORY. */
pl_err pl_vector_source_find(const pl_assembly *program, const pl_arg *args, pl_vector_source *source,
                             bool *possible);
void pl_vector_source_free(pl_context *pl, pl_vector_source *source);

/* The type, and the functions that the copy calls. */
void pl_print_vector_functions(const pl_vector_source *source, pl_string *text);

/* The text before token i, or instead of it, and behind it. */
void pl_write_vector_before(pl_writer *w, int i);
void pl_write_vector_behind(pl_writer *w, int i);
