/* SPDX-License-Identifier: BSD-2-Clause
 * pl_restore: values of a checkpoint for the objects of a program.
 *
 * Everything is read and verified into memory (restore_read.c) before an object changes.
 */
#include "restore_read.h"
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

/* Replaces the block of rows by the rows of this rank's elements. */
static pl_err take_rows(pl_restored *r)
{
  pl_dat *dat = (pl_dat *)r->node;
  char *values;
  PL_TRY(fetch_rows(r, dat->set, pl_dat_stride(dat), &values));
  pl_free_array(dat->node.pl, r->values);
  r->values = values;
  return PL_SUCCESS;
}

/* The host copy is there. */
static pl_err set_dat(const pl_restored *r)
{
  pl_dat *dat = (pl_dat *)r->node;
  void *stored = pl_dat_host(dat, true);
  if (!stored) return dat->node.pl->error_code;
  pl_from_user_order(dat->set, dat->set->end[1], pl_dat_stride(dat), r->values, stored);
  pl_dat_host_written(dat);
  pl_dat_changed(dat);
  return PL_SUCCESS;
}

/* ---- all ---- */

static bool is_dat(const pl_restored *r)
{
  return r->kind == PL_H5_DATS && ((const pl_dat *)r->node)->dim;
}

/* Everything that needs memory, so that values change on all ranks or on none: host copies of the dats, and
 * their rows. */
static pl_err prepare(pl_restored_list *list)
{
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < list->n; i++) {
    pl_restored *r = &list->item[i];
    if (!is_dat(r) || pl_restores_particles(list, ((pl_dat *)r->node)->set)) continue;
    PL_TRY(take_rows(r));
    if (!pl_dat_host((pl_dat *)r->node, false)) err = list->pl->error_code;
    PL_TRY(pl_agree(list->pl, err));
  }
  return PL_SUCCESS;
}

static pl_err apply(pl_restored_list *list)
{
  for (int i = 0; i < list->n; i++)
    if (list->item[i].kind == PL_H5_SETS) PL_TRY(pl_restore_particles(list, (pl_set *)list->item[i].node));
  for (int i = 0; i < list->n; i++) {
    const pl_restored *r = &list->item[i];
    if (is_dat(r) && !r->done) PL_TRY(set_dat(r));
    if (r->kind >= PL_H5_CONSTS) PL_TRY(set_values(r));
  }
  pl_checkpoint_forget_lists(list->pl);
  return PL_SUCCESS;
}

static pl_err restore(const pl_h5_selection *s, const char *path, const pl_string *manifest)
{
  pl_restored_list list = {.pl = s->pl};
  pl_err err = pl_restore_read(s, path, pl_string_chars(manifest), &list);
  if (!err) err = prepare(&list);
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
