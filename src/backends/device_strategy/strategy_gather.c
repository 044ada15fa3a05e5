/* SPDX-License-Identifier: BSD-2-Clause
 * Gather and store: rows of the incident increments of each target, records of the rows of a matrix.
 * Invariant: rows are for all elements of the loop at once, so they belong to range 0.
 */
#include "strategy_gather.h"
#include "strategy_buffers.h"
#include "core/base/clock.h"
#include "core/loop/loop.h"
#include "core/tools/tools.h"
#include "plan/execution/row_records.h"

static pl_err add_offsets(pl_device *device, pl_strategy *s, const pl_inverse *inverse)
{
  return pl_add_list(device, s, 0, PL_SLOT_ROW_OFFSET, inverse->offset, inverse->ntargets + 1);
}

static pl_row_words words_of(const pl_increments *all)
{
  return (pl_row_words){all->reach, all->nwords, all->word};
}

/* Rows of the words that the kernel reads. */
static pl_err add_words(pl_device *device, pl_strategy *s, const pl_inverse *inverse,
                        const pl_increments *all)
{
  pl_rows rows;
  int degree = s->options.degree = pl_rows_degree(inverse, all->nwords),
      base = pl_entry_word_base(all->n, degree);
  const pl_row_words words = words_of(all);
  PL_TRY(pl_rows_build(device->pl, inverse, &words, degree, base, &rows));
  pl_set_number(s, 0, PL_SLOT_ROW_STRIDE, -1, degree ? rows.ntargets : rows.nentries);
  pl_err err = degree ? PL_SUCCESS : add_offsets(device, s, inverse);
  if (!err) err = pl_add_buffer(device, s, 0, PL_SLOT_ROW_WORD, -1, rows.word, rows.length * sizeof(int));
  pl_rows_free(device->pl, &rows);
  return err;
}

/* The values of the most rows that a block may have in local memory: any that follow each other, as launches
 * may begin at any row. */
static size_t most_values(const pl_tensor_rows *rows, int block_size)
{
  int most = 0;
  for (int r = 0; r < rows->nrows; r++) {
    const int end = r + block_size < rows->nrows ? r + block_size : rows->nrows;
    if (rows->offset[end] - rows->offset[r] > most) most = rows->offset[end] - rows->offset[r];
  }
  return (size_t)most * (size_t)rows->block[0] * (size_t)rows->block[1];
}

/* Blocks are halved until the values of their rows fit into local memory. */
static bool fit_rows(const pl_device *device, pl_strategy *s, const pl_arg *tensor, char *why)
{
  const pl_tensor_rows *rows = &tensor->map->tensor_rows;
  const size_t size = pl_type_size(pl_arg_type(tensor));
  const bool asked = pl_opt_count(device->pl, PL_OPT_BLOCK_SIZE) > 0;
  int *block = &s->options.block_size;
  while (!asked && *block > PL_LEAST_BLOCK && most_values(rows, *block) * size > pl_shared_limit(device, s))
    *block /= 2;
  s->range[0].shared = (most_values(rows, *block) + 1) * size;
  return pl_shared_fits(device, s, s->range[0].shared, why);
}

static pl_err add_records(pl_device *device, pl_strategy *s, const pl_inverse *inverse,
                          const pl_increments *all, const pl_arg *tensor)
{
  const pl_tensor_rows *rows = &tensor->map->tensor_rows;
  pl_row_records records;
  const pl_row_words words = words_of(all);
  PL_TRY(pl_row_records_build(device->pl, inverse, tensor->map, &words, s->options.record_bits, &records));
  s->options.gaps = records.gaps;
  pl_err err = pl_add_list(device, s, 0, PL_SLOT_ROW_OFFSET, rows->offset, rows->nrows + 1);
  if (!err)
    err =
      pl_add_list(device, s, 0, PL_SLOT_ROW_CUT, records.cut, records.nslices * records.shape.sections + 1);
  if (!err)
    err = pl_add_buffer(device, s, 0, PL_SLOT_ROW_WORD, -1, records.word, records.length * sizeof(int));
  pl_row_records_free(device->pl, &records);
  return err;
}

static pl_err add_gathered(pl_device *device, pl_strategy *s, const pl_inverse *inverse,
                           const pl_increments *all)
{
  const pl_arg *tensor = s->options.record_bits ? pl_tensor_arg(s->loop) : NULL;
  const pl_set *set = s->loop->set;
  s->nslots = inverse->nslots;
  s->ntargets = inverse->ntargets;
  s->core_targets = set->parent ? 0 : pl_inverse_before(inverse, set->end[0]);
  if (!tensor) return add_words(device, s, inverse, all);
  const int nrows = tensor->map->tensor_rows.nrows;
  s->ntargets = nrows;
  if (s->core_targets > nrows) s->core_targets = nrows;
  return add_records(device, s, inverse, all, tensor);
}

static pl_err add_stored(pl_device *device, pl_strategy *s, const pl_inverse *inverse)
{
  PL_TRY(add_offsets(device, s, inverse));
  return pl_add_list(device, s, 0, PL_SLOT_ROW_WORD, inverse->entry, inverse->nentries);
}

pl_err pl_strategy_list_rows(pl_device *device, pl_strategy *s, const pl_increments *all)
{
  pl_context *pl = device->pl;
  pl_inverse inverse;
  double start = pl_now();
  PL_TRY(pl_inverse_build(pl, s->loop->set, all->n, all->reach, &inverse));
  pl_event_begin(pl, PL_TOOL_PLAN, "upload of rows", s->loop->set->node.name, 0);
  pl_err err = s->options.conflict == PL_GATHER ? add_gathered(device, s, &inverse, all)
                                                : add_stored(device, s, &inverse);
  pl_event_end(pl, PL_TOOL_PLAN);
  pl_inverse_free(pl, &inverse);
  pl->stats.plan_seconds += pl_now() - start;
  return err;
}

pl_err pl_strategy_plan_gather(pl_device *device, pl_strategy *s, const pl_increments *all, bool *fits,
                               char *why)
{
  *fits = !s->options.record_bits || fit_rows(device, s, pl_tensor_arg(s->loop), why);
  return *fits ? pl_strategy_list_rows(device, s, all) : PL_SUCCESS;
}

void pl_strategy_fit_store(pl_strategy *s, const pl_increments *all)
{
  s->nslots = all->n;
  s->ntargets = all->reach[0].map->to->end[3];
}
