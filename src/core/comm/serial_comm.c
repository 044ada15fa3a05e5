/* SPDX-License-Identifier: BSD-2-Clause
 * Communication in a library built without MPI: rank 0 of 1. See comm.h.
 */
#include "context.h"
#include "objects.h"
#include <string.h>

#if !PLAIT_HAVE_MPI

pl_err pl_comm_open(pl_context *pl, const void *communicator, const char *mpi, pl_err err)
{
  if (err || (!communicator && strcmp(mpi, "on"))) return err;
  return pl_fail(
    pl, PL_ERR_BACKEND,
    "this library was built without MPI; install an MPI (Debian: libopenmpi-dev) and configure with "
    "-DPLAIT_WITH_MPI=ON");
}

void pl_comm_close(pl_context *pl)
{
  (void)pl;
}

const void *pl_comm_handle(const pl_context *pl)
{
  return (void)pl, NULL;
}

int pl_rank(const pl_context *pl)
{
  return (void)pl, 0;
}

int pl_ranks(const pl_context *pl)
{
  return (void)pl, 1;
}

int pl_node_rank(const pl_context *pl)
{
  return (void)pl, 0;
}

int pl_node_ranks(const pl_context *pl)
{
  return (void)pl, 1;
}

pl_err pl_comm_tell_kind(pl_context *pl, int kind)
{
  return (void)pl, (void)kind, PL_SUCCESS;
}

int pl_comm_kind(const pl_context *pl, int rank)
{
  return (void)pl, (void)rank, 0;
}

bool pl_comm_takes_cuda(void)
{
  return false;
}

pl_err pl_agree(pl_context *pl, pl_err err)
{
  return (void)pl, err;
}

pl_err pl_agree_on(pl_context *pl, pl_err err, const char *format, ...)
{
  return (void)pl, (void)format, err;
}

pl_err pl_comm_scan(pl_context *pl, int64_t value, int64_t *before, int64_t *total)
{
  (void)pl;
  if (before) *before = 0;
  if (total) *total = value;
  return PL_SUCCESS;
}

pl_err pl_comm_reduce(pl_context *pl, pl_type type, pl_access op, void *values, size_t count)
{
  return (void)pl, (void)type, (void)op, (void)values, (void)count, PL_SUCCESS;
}

pl_err pl_comm_bcast(pl_context *pl, int root, void *bytes, size_t size)
{
  return (void)pl, (void)root, (void)bytes, (void)size, PL_SUCCESS;
}

pl_err pl_comm_gather(pl_context *pl, const void *mine, size_t size, void *all)
{
  (void)pl;
  memcpy(all, mine, size);
  return PL_SUCCESS;
}

pl_err pl_comm_barrier(pl_context *pl)
{
  return (void)pl, PL_SUCCESS;
}

pl_err pl_comm_counts(pl_context *pl, const int64_t *count, int64_t *came)
{
  came[0] = count[0];
  return (void)pl, PL_SUCCESS;
}

pl_err pl_messages_reserve(pl_context *pl, pl_messages *messages, int more)
{
  return (void)pl, (void)messages, (void)more, PL_SUCCESS;
}

pl_err pl_messages_send(pl_context *pl, pl_messages *messages, int peer, const void *bytes, size_t size)
{
  (void)messages, (void)peer, (void)bytes, (void)size;
  return pl_fail(pl, PL_ERR_INTERNAL, "a message to rank %d without MPI", peer);
}

pl_err pl_messages_receive(pl_context *pl, pl_messages *messages, int peer, void *bytes, size_t size)
{
  return pl_messages_send(pl, messages, peer, bytes, size);
}

pl_err pl_messages_reduce(pl_context *pl, pl_messages *messages, pl_type type, pl_access op, void *values,
                          size_t count)
{
  (void)messages;
  return pl_comm_reduce(pl, type, op, values, count);
}

bool pl_messages_done(pl_context *pl, pl_messages *messages)
{
  return (void)pl, (void)messages, true;
}

pl_err pl_messages_wait(pl_context *pl, pl_messages *messages)
{
  return (void)pl, (void)messages, PL_SUCCESS;
}

bool pl_messages_free(pl_context *pl, pl_messages *messages)
{
  return (void)pl, (void)messages, true;
}

pl_err pl_agree_late(pl_context *pl, pl_err err)
{
  return (void)pl, err;
}

pl_err pl_comm_check(pl_context *pl)
{
  return (void)pl, PL_SUCCESS;
}

pl_err pl_comm_leave(pl_context *pl, pl_err err)
{
  return (void)pl, err;
}

void pl_comm_sent(pl_context *pl)
{
  (void)pl;
}

#endif
