/* SPDX-License-Identifier: BSD-2-Clause
 * Shares, agreement and messages between ranks, by sets and dats of Plait: a set of items, which pl_partition
 * distributes, carries them to other ranks, and pl_dat_fetch carries replies back.
 *
 * All are collective, but for the shares. Items are 64-bit numbers.
 */
#pragma once

#include <plait.h>
#include <stdbool.h>

/* n things in equal shares of consecutive ones: the first one of a rank, and the rank of thing k. */
int64_t pl_mesh_share_first(int64_t n, int ranks, int rank);
int pl_mesh_share_owner(int64_t n, int ranks, int64_t k);

/* Whether `yes` holds on any rank. */
pl_err pl_mesh_any(pl_context *pl, bool yes, bool *any);

/* Items on their way. On one rank they stay where they are. */
typedef struct exchange {
  pl_context *pl;
  int64_t sent, count;  /* items that this rank sent, and got */
  const int64_t *items; /* that it got, in the order of ranks and of sending; until pl_mesh_close */
  pl_set *set;
  pl_dat *dat;
} exchange;

/* Sends n items of `width` numbers to the given ranks. */
pl_err pl_mesh_send(exchange *e, pl_context *pl, int64_t n, int width, const int64_t *items, const int *rank);

/* Returns `width` numbers for each item that came, in their order, to the rank that sent it: `mine` gets
 * those for its items. */
pl_err pl_mesh_reply(exchange *e, int width, const int64_t *replies, int64_t *mine);

void pl_mesh_close(exchange *e);

/* The items of all ranks on all ranks; for few items. The caller frees *all. */
pl_err pl_mesh_gather(pl_context *pl, int64_t n, int width, const int64_t *items, int64_t *count,
                      int64_t **all);
