/* SPDX-License-Identifier: BSD-2-Clause
 * All-to-all exchange: counts, then point-to-point messages.
 */
#include "comm.h"
#include "core/context/memory.h"
#include <string.h>

int64_t pl_count_sum(const pl_context *pl, const int64_t *count)
{
  int64_t sum = 0;
  for (int r = 0; r < pl_ranks(pl); r++) sum += count[r];
  return sum;
}

static pl_err start_all(pl_context *pl, pl_messages *messages, size_t size, const char *send,
                        const int64_t *count, char *received, const int64_t *received_count)
{
  for (int r = 0; r < pl_ranks(pl); r++) {
    size_t bytes = (size_t)received_count[r] * size;
    PL_TRY(pl_messages_receive(pl, messages, r, received, bytes));
    received += bytes;
  }
  for (int r = 0; r < pl_ranks(pl); r++) {
    size_t bytes = (size_t)count[r] * size;
    PL_TRY(pl_messages_send(pl, messages, r, send, bytes));
    send += bytes;
  }
  return PL_SUCCESS;
}

/* The number of messages for these items. */
static int count_pieces(const pl_context *pl, size_t size, const int64_t *count)
{
  size_t n = 0;
  for (int r = 0; r < pl_ranks(pl); r++) n += (size_t)count[r] * size / PL_MESSAGE_MOST + 1;
  return (int)n;
}

pl_err pl_all_to_all_prepare(pl_context *pl, size_t size, const int64_t *count, int64_t *received_count,
                             pl_all_to_all *t)
{
  *t = (pl_all_to_all){.size = size, .count = count, .received_count = received_count};
  PL_TRY(pl_comm_counts(pl, count, received_count));
  size_t total = (size_t)pl_count_sum(pl, received_count) * size;
  t->received = pl_malloc_array(pl, total + 1);
  pl_err err = t->received ? PL_SUCCESS : pl_fail_memory(pl, total);
  if (!err && pl_ranks(pl) > 1)
    err = pl_messages_reserve(pl, &t->messages,
                              count_pieces(pl, size, count) + count_pieces(pl, size, received_count));
  return pl_agree(pl, err);
}

pl_err pl_all_to_all_run(pl_context *pl, pl_all_to_all *t, const void *send)
{
  const size_t total = (size_t)pl_count_sum(pl, t->received_count) * t->size;
  if (pl_ranks(pl) == 1) {
    if (total) memcpy(t->received, send, total);
    return PL_SUCCESS;
  }
  PL_TRY(start_all(pl, &t->messages, t->size, send, t->count, t->received, t->received_count));
  return pl_messages_wait(pl, &t->messages);
}

void pl_all_to_all_free(pl_context *pl, pl_all_to_all *t)
{
  if (pl_messages_free(pl, &t->messages)) pl_free_array(pl, t->received);
  t->received = NULL;
}

pl_err pl_comm_all_to_all(pl_context *pl, size_t size, const void *send, const int64_t *count,
                          void **received, int64_t *received_count)
{
  pl_all_to_all t;
  pl_err err = pl_all_to_all_prepare(pl, size, count, received_count, &t);
  if (!err) err = pl_all_to_all_run(pl, &t, send);
  if (!err) {
    *received = t.received;
    t.received = NULL;
  }
  pl_all_to_all_free(pl, &t);
  return err;
}
