/* SPDX-License-Identifier: BSD-2-Clause
 * Communication in a library built without MPI: rank 0 of 1.
 */
#include "comm.h"
#include <string.h>

#if !PLAIT_HAVE_MPI

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* A function of these parameters that returns `value`. */
#define CONSTANT(value, type, name, ...)                                                                     \
  type name(__VA_ARGS__)                                                                                     \
  {                                                                                                          \
    return value;                                                                                            \
  }

CONSTANT(0, int, pl_rank, const pl_context *pl)
CONSTANT(1, int, pl_ranks, const pl_context *pl)
CONSTANT(0, int, pl_node_rank, const pl_context *pl)
CONSTANT(, void, pl_comm_close, pl_context *pl)
CONSTANT(false, bool, pl_comm_takes_cuda, void)
CONSTANT(0, int, pl_comm_kind, const pl_context *pl, int rank)
CONSTANT(PL_SUCCESS, pl_err, pl_comm_bcast, pl_context *pl, int root, void *bytes, size_t size)
CONSTANT(PL_SUCCESS, pl_err, pl_comm_share_kind, pl_context *pl, int kind)

CONSTANT(err, pl_err, pl_agree, pl_context *pl, pl_err err)
CONSTANT(err, pl_err, pl_agree_on, pl_context *pl, pl_err err, const char *format, ...)
CONSTANT(err, pl_err, pl_agree_on_error, pl_context *pl, pl_err err)
CONSTANT(err, pl_err, pl_comm_leave, pl_context *pl, pl_err err)
CONSTANT(PL_SUCCESS, pl_err, pl_comm_check, pl_context *pl)
CONSTANT(, void, pl_comm_sent, pl_context *pl)

CONSTANT(PL_SUCCESS, pl_err, pl_comm_reduce, pl_context *pl, pl_type type, pl_access op, void *values,
         size_t count)
CONSTANT(PL_SUCCESS, pl_err, pl_comm_barrier, pl_context *pl)

CONSTANT(PL_SUCCESS, pl_err, pl_messages_reserve, pl_context *pl, pl_messages *messages, int more)
CONSTANT(PL_SUCCESS, pl_err, pl_messages_reduce, pl_context *pl, pl_messages *messages, pl_type type,
         pl_access op, void *values, size_t count)
CONSTANT(PL_SUCCESS, pl_err, pl_messages_wait, pl_context *pl, pl_messages *messages)
CONSTANT(true, bool, pl_messages_done, pl_context *pl, pl_messages *messages)
CONSTANT(true, bool, pl_messages_free, pl_context *pl, pl_messages *messages)

pl_err pl_comm_open(pl_context *pl, const void *communicator, const char *mpi, bool decided, pl_err err)
{
  if (err || (!communicator && strcmp(mpi, "on"))) return err;
  return pl_fail(
    pl, PL_ERR_BACKEND,
    "this library was built without MPI; install an MPI (Debian: libopenmpi-dev) and configure with "
    "-DPLAIT_WITH_MPI=ON");
}

pl_err pl_comm_scan(pl_context *pl, int64_t value, int64_t *before, int64_t *total)
{
  if (before) *before = 0;
  if (total) *total = value;
  return PL_SUCCESS;
}

pl_err pl_comm_gather(pl_context *pl, const void *mine, size_t size, void *all)
{
  memcpy(all, mine, size);
  return PL_SUCCESS;
}

pl_err pl_comm_counts(pl_context *pl, const int64_t *count, int64_t *came)
{
  came[0] = count[0];
  return PL_SUCCESS;
}

pl_err pl_messages_send(pl_context *pl, pl_messages *messages, int peer, const void *bytes, size_t size)
{
  return pl_fail(pl, PL_ERR_INTERNAL, "a message to rank %d without MPI", peer);
}

pl_err pl_messages_receive(pl_context *pl, pl_messages *messages, int peer, void *bytes, size_t size)
{
  return pl_messages_send(pl, messages, peer, bytes, size);
}

#endif
