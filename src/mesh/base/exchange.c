/* SPDX-License-Identifier: BSD-2-Clause
 * Items from rank to rank. See exchange.h.
 */
#include "exchange.h"

#include <string.h>

int64_t pl_mesh_share_first(int64_t n, int ranks, int rank)
{
  return n / ranks * rank + n % ranks * rank / ranks;
}

int pl_mesh_share_owner(int64_t n, int ranks, int64_t k)
{
  int rank = (int)((double)k / (double)n * ranks);
  while (rank > 0 && k < pl_mesh_share_first(n, ranks, rank)) rank--;
  while (rank < ranks - 1 && k >= pl_mesh_share_first(n, ranks, rank + 1)) rank++;
  return rank;
}

pl_err pl_mesh_any(pl_context *pl, bool yes, bool *any)
{
  *any = yes;
  if (pl_ranks(pl) == 1) return PL_SUCCESS;
  pl_set *set;
  const pl_err err = pl_decl_set(pl, yes, "mesh: any", &set);
  if (err) return err;
  *any = pl_set_global_size(set) > 0;
  pl_set_free(&set);
  return PL_SUCCESS;
}

pl_err pl_mesh_send(exchange *e, pl_context *pl, int64_t n, int width, const int64_t *items, const int *rank)
{
  *e = (exchange){.pl = pl, .sent = n, .count = n, .items = items};
  if (pl_ranks(pl) == 1) return PL_SUCCESS;
  const pl_partition_options options = {.part = rank};
  void *view = NULL;
  pl_err err = pl_decl_set(pl, n, "mesh: items", &e->set);
  if (!err) err = pl_decl_dat(e->set, width, PL_INT64, items, "mesh: items", &e->dat);
  if (!err) err = pl_partition(e->set, PL_PARTITION_USER, &options);
  if (!err) err = pl_dat_get(e->dat, PL_READ, &view);
  if (!err) {
    e->items = view;
    e->count = pl_set_size(e->set);
  } else {
    pl_dat_free(&e->dat);
    pl_set_free(&e->set);
  }
  return err;
}

pl_err pl_mesh_reply(exchange *e, int width, const int64_t *replies, int64_t *mine)
{
  if (!e->set) {
    if (e->sent) memcpy(mine, replies, (size_t)e->sent * (size_t)width * sizeof *mine);
    return PL_SUCCESS;
  }
  pl_dat *dat;
  pl_err err = pl_decl_dat(e->set, width, PL_INT64, replies, "mesh: replies", &dat);
  if (err) return err;
  err = pl_dat_fetch_as(dat, PL_INT64, mine);
  pl_dat_free(&dat);
  return err;
}

void pl_mesh_close(exchange *e)
{
  if (e->dat) pl_dat_put(e->dat);
  pl_dat_free(&e->dat);
  pl_set_free(&e->set);
}

/* A copy of the items for each rank. */
static bool repeat(pl_context *pl, size_t n, size_t width, const int64_t *items, int64_t *copies, int *rank)
{
  if (!copies || !rank) return false;
  for (int r = 0; r < pl_ranks(pl); r++)
    for (size_t i = 0; i < n; i++) {
      rank[(size_t)r * n + i] = r;
      memcpy(&copies[((size_t)r * n + i) * width], &items[i * width], width * sizeof *items);
    }
  return true;
}

pl_err pl_mesh_gather(pl_context *pl, int64_t n, int width, const int64_t *items, int64_t *count,
                      int64_t **all)
{
  const size_t copies_count = (size_t)n * (size_t)pl_ranks(pl);
  int64_t *copies = malloc((copies_count * (size_t)width + 1) * sizeof *copies);
  int *rank = malloc((copies_count + 1) * sizeof *rank);
  exchange e;
  *all = NULL;
  pl_err err = repeat(pl, (size_t)n, (size_t)width, items, copies, rank) ? PL_SUCCESS : PL_ERR_MEMORY;
  err = pl_raise(pl, err, NULL);
  if (!err) err = pl_mesh_send(&e, pl, (int64_t)copies_count, width, copies, rank);
  if (!err) {
    *count = e.count;
    *all = malloc(((size_t)e.count * (size_t)width + 1) * sizeof **all);
    if (*all) memcpy(*all, e.items, (size_t)e.count * (size_t)width * sizeof **all);
    pl_mesh_close(&e);
    err = pl_raise(pl, *all ? PL_SUCCESS : PL_ERR_MEMORY, NULL);
    if (err) free(*all), *all = NULL;
  }
  free(copies);
  free(rank);
  return err;
}
