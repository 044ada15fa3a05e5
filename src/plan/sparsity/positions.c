/* SPDX-License-Identifier: BSD-2-Clause
 * Positions of local tensors in a pattern, found by search in the rows.
 */
#include "positions.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include "core/mesh/set.h"
#include "plan/base/threads.h"
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum { ELEMENTS = 4096 }; /* of a block of work */

typedef struct tensor {
  const pl_pattern *pattern;
  const pl_map *rows, *columns;
  int block[2];
  int *position;
} tensor;

static size_t tensor_size(const tensor *t)
{
  return (size_t)t->rows->arity * (size_t)t->columns->arity * (size_t)t->block[0] * (size_t)t->block[1];
}

/* Writes the positions of a block; `first` is the place of its first value in the tensor. */
static inline void write_block(const tensor *t, int slot, int *first)
{
  const int height = t->block[0], width = t->block[1];
  const size_t line = (size_t)t->columns->arity * (size_t)width;
  for (int a = 0; a < height; a++)
    for (int b = 0; b < width; b++)
      first[(size_t)a * line + (size_t)b] = slot < 0 ? -1 : (slot * height + a) * width + b;
}

/* The positions of element e; false if the pattern lacks one of its entries, which is stored in missing[]. */
static bool write_element(const tensor *t, int e, int missing[2])
{
  const pl_pattern *p = t->pattern;
  const int *row = t->rows->index + (size_t)e * (size_t)t->rows->arity;
  const int *column = t->columns->index + (size_t)e * (size_t)t->columns->arity;
  int *to = t->position + (size_t)e * tensor_size(t);
  const size_t line = (size_t)t->columns->arity * (size_t)t->block[1];
  for (int i = 0; i < t->rows->arity; i++, to += line * (size_t)t->block[0]) {
    const bool here = row[i] >= 0 && row[i] < p->nrows;
    for (int j = 0; j < t->columns->arity; j++) {
      int slot = -1;
      if (here && column[j] >= 0 && (slot = pl_pattern_find(p, row[i], column[j])) < 0)
        return missing[0] = i, missing[1] = j, false;
      write_block(t, slot, to + (size_t)j * (size_t)t->block[1]);
    }
  }
  return true;
}

/* The first element of a block of work that the pattern does not hold; -1: none. */
static int write_elements(const tensor *t, int begin, int end)
{
  int missing[2];
  for (int e = begin; e < end; e++)
    if (!write_element(t, e, missing)) return e;
  return -1;
}

static pl_err fail_missing(const tensor *t, int e)
{
  int missing[2] = {0, 0};
  write_element(t, e, missing);
  return pl_fail(
    t->rows->node.pl, PL_ERR_RANGE,
    "element %d couples target %d of map \"%s\" with target %d of map \"%s\", but the sparsity has "
    "no such entry: declare it with this pair of maps",
    e, missing[0], t->rows->node.name, missing[1], t->columns->node.name);
}

pl_err pl_positions_build(pl_context *pl, const pl_pattern *pattern, const int block[2],
                          const pl_map_pair *pair, int **positions)
{
  tensor t = {pattern, pair->rows, pair->columns, {block[0], block[1]}, NULL};
  const int n = pair->rows->from->end[2], total = pair->rows->from->end[3];
  const size_t size = tensor_size(&t);
  t.position = pl_malloc_array(pl, ((size_t)total * size + 1) * sizeof(int));
  if (!t.position) return pl_fail_memory(pl, (size_t)total * size * sizeof(int));
  atomic_bool incomplete = false;
  int nblocks = n / ELEMENTS + 1, threads = pl_plan_threads(nblocks, (size_t)n * size);
  PL_PARALLEL_FOR(threads)
  for (int b = 0; b < nblocks; b++) {
    int end = b < nblocks - 1 ? (b + 1) * ELEMENTS : n;
    if (write_elements(&t, b * ELEMENTS, end) >= 0) incomplete = true;
  }
  memset(t.position + (size_t)n * size, -1, (size_t)(total - n) * size * sizeof(int));
  pl_err err = incomplete ? fail_missing(&t, write_elements(&t, 0, n)) : PL_SUCCESS;
  if (err)
    pl_free_array(pl, t.position);
  else
    *positions = t.position;
  return err;
}
