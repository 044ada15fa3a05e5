/* SPDX-License-Identifier: BSD-2-Clause
 * pl_restore: values of a checkpoint for the objects of a program.
 *
 * Everything is read and verified into memory (restore_read.c) before an object changes.
 */
#include "restore.h"
#include "checkpoint.h"
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"
#include "manifest.h"
#include "restore_particles.h"
#include <string.h>

/* ---- values without a set ---- */

static pl_err set_global(pl_global *global, const void *values)
{
  if (global->random) {
    uint32_t words[PL_RANDOM_WORDS];
    memcpy(words, values, sizeof words);
    ((pl_random *)global)->calls = words[PL_RANDOM_WORDS - 1];
    memcpy(global->value, words, sizeof words);
    pl_global_host_written(global);
    return PL_SUCCESS;
  }
  return pl_global_set(global, values);
}

static pl_err set_values(const pl_restored *r)
{
  const double *bounds = (const double *)(const void *)r->values;
  switch (r->kind) {
  case PL_H5_CONSTS:
    return pl_const_set((pl_const *)r->node, r->values);
  case PL_H5_GLOBALS:
    return set_global((pl_global *)r->node, r->values);
  default:
    return pl_domain_resize((pl_domain *)r->node, bounds, bounds + PL_PAIR_AXES);
  }
}

/* ---- dats ---- */

/* Values for this rank's elements, from the ranks of their blocks. */
static pl_err fetch_rows(const pl_restored *r, pl_set *set, size_t stride, char **result)
{
  pl_context *pl = set->node.pl;
  const int ranks = pl_ranks(pl), n = set->end[1];
  int64_t *rows, *count = pl_calloc(pl, 2 * (size_t)ranks, sizeof *count);
  void *asked = NULL, *answers = NULL;
  char *sent = NULL;
  pl_err err = pl_agree(pl, count ? PL_SUCCESS : pl_fail_memory(pl, (size_t)ranks * sizeof *count));
  *result = NULL;
  if (!err) err = pl_row_numbers(set, &rows);
  if (err) return pl_free(pl, count), err;
  for (int i = 0; i < n; i++) count[pl_h5_rank_of_row(pl, r->block.total, rows[i])]++;
  err = pl_comm_all_to_all(pl, sizeof *rows, rows, count, &asked, count + ranks);
  const int64_t wanted = err ? 0 : pl_count_sum(pl, count + ranks);
  if (!err) sent = pl_malloc_array(pl, (size_t)wanted * stride);
  if (!err) err = pl_agree(pl, sent ? PL_SUCCESS : pl_fail_memory(pl, (size_t)wanted * stride));
  for (int64_t i = 0; !err && i < wanted; i++)
    memcpy(sent + (size_t)i * stride,
           r->values + (size_t)(((const int64_t *)asked)[i] - r->block.first) * stride, stride);
  if (!err) err = pl_comm_all_to_all(pl, stride, sent, count + ranks, &answers, count);
  pl_free_arrays(pl, rows, sent, asked);
  pl_free(pl, count);
  *result = answers;
  return err;
}

static pl_err set_dat(const pl_restored *r)
{
  pl_dat *dat = (pl_dat *)r->node;
  const size_t stride = pl_dat_stride(dat);
  char *values;
  void *view;
  if (!stride) return PL_SUCCESS;
  PL_TRY(fetch_rows(r, dat->set, stride, &values));
  pl_err err = pl_dat_get(dat, PL_RW, &view);
  if (!err) {
    if (dat->set->end[1]) memcpy(view, values, (size_t)dat->set->end[1] * stride);
    err = pl_dat_put(dat);
  }
  pl_free_array(dat->node.pl, values);
  return err;
}

/* ---- all ---- */

static pl_err apply(pl_restored_list *list)
{
  for (int i = 0; i < list->n; i++) /* particles first: these dats are not set again */
    if (list->item[i].kind == PL_H5_SETS) PL_TRY(pl_restore_particles(list, (pl_set *)list->item[i].node));
  for (int i = 0; i < list->n; i++) {
    const pl_restored *r = &list->item[i];
    if (r->done || r->kind == PL_H5_SETS || r->kind == PL_H5_MAPS) continue;
    PL_TRY(r->kind == PL_H5_DATS ? set_dat(r) : set_values(r));
  }
  pl_checkpoint_forget_lists(list->pl);
  return PL_SUCCESS;
}

static pl_err restore(const pl_h5_selection *s, const char *path, const pl_string *manifest)
{
  pl_restored_list list = {.pl = s->pl};
  pl_err err = pl_restore_read(s, path, pl_string_chars(manifest), &list);
  if (!err) err = apply(&list);
  pl_restored_free(&list);
  return err;
}

pl_err pl_restore(pl_context *pl, const char *path)
{
  pl_string manifest;
  PL_TRY(pl_context_check(pl));
  PL_TRY(PL_H5_GIVEN(pl, "pl_restore", path));
  PL_TRY(pl_flush_all(pl));
  const pl_h5_selection s = pl_checkpoint_selection(pl);
  PL_TRY(pl_h5_check_selection(&s, path));
  pl_string_init(&manifest, pl);
  pl_err err = pl_agree(pl, pl_manifest_write(&s, path, &manifest));
  if (!err) err = restore(&s, path, &manifest);
  pl_string_free(&manifest);
  return err;
}
