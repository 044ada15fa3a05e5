/* SPDX-License-Identifier: BSD-2-Clause
 * Communication between the ranks of a context, by the module of MPI or, without MPI or a launcher, as rank 0
 * of 1.
 *
 * Functions are collective unless they say otherwise. A failure of MPI is PL_ERR_COMM. Only pl_agree makes an
 * error of one rank an error of all; until then the rank must take part in all collectives.
 */
#pragma once

#include "core/context/error.h"
#include <stdbool.h>

typedef struct pl_comm pl_comm;

/* Joins the ranks of `communicator` (the address of an MPI_Comm; NULL: MPI_COMM_WORLD) as the option `mpi`
 * says; PL_ERR_BACKEND if this needs MPI and the module of MPI cannot be loaded. Ranks that the environment
 * tells otherwise than others are an error of all; `decided`: the program says `mpi`, possibly on this rank
 * alone. `err`, the error of this rank so far, becomes the error of all: a rank without memory for its
 * context calls this, too, with a temporary one. */
pl_err pl_comm_open(pl_context *pl, const void *communicator, const char *mpi, bool decided, pl_err err);
void pl_comm_close(pl_context *pl);

/* pl_rank (plait.h) among the ranks that share memory with this one. Local. */
int pl_node_rank(const pl_context *pl);

/* Publishes on this node the kind of device memory that this rank can share (0: none, the default); the kind
 * of a rank, 0 on other nodes. The second is local. */
pl_err pl_comm_share_kind(pl_context *pl, int kind);
int pl_comm_kind(const pl_context *pl, int rank);

/* Whether MPI takes pointers to the memory of CUDA devices. Local. */
bool pl_comm_takes_cuda(const pl_context *pl);

/* The address of the MPI_Comm of the context, for libraries over MPI; NULL without MPI. Local. */
const void *pl_comm_handle(const pl_context *pl);

/* The same for libraries that need MPI also on one rank: without MPI it is initialised, and *comm has this
 * process alone. PL_ERR_BACKEND without the module of MPI. Local. */
pl_err pl_comm_for_library(pl_context *pl, const void **comm);

/* An error on any rank becomes the error of all, with the sentence of the lowest rank that has one. If the
 * others called something else, they leave, and this rank keeps its own error. */
pl_err pl_agree(pl_context *pl, pl_err err);

/* The same for public functions: the format describes the call and all that must be equal on all ranks; a
 * difference is an error of all. */
enum { PL_COMM_CALL = 2048 }; /* bytes of the description of a call */
pl_err pl_agree_on(pl_context *pl, pl_err err, const char *format, ...) PL_PRINTF(3, 4);

/* The same, but ranks without an error do not wait; they are notified in their next wait. Local if `err` is
 * PL_SUCCESS. */
pl_err pl_agree_on_error(pl_context *pl, pl_err err);

/* After a failure between collectives this rank leaves the communicator. The others leave, too, when they
 * wait for a message that it has not sent. From then on every collective returns this error, and only
 * pl_finalize is possible. Returns `err`. Local. */
pl_err pl_comm_leave(pl_context *pl, pl_err err);
pl_err pl_comm_check(pl_context *pl); /* the error with which this rank left, or success */
void pl_comm_sent(pl_context *pl);    /* counts the loops whose halos this rank has sent */

/* *before: sum of `value` over the lower ranks; *total: over all. Either may be NULL. */
pl_err pl_comm_scan(pl_context *pl, int64_t value, int64_t *before, int64_t *total);

/* values[0..count) over all ranks, in place; op is PL_INC, PL_MIN or PL_MAX. */
pl_err pl_comm_reduce(pl_context *pl, pl_type type, pl_access op, void *values, size_t count);

/* Whether `yes` holds on all ranks; false after a failure. */
static inline bool pl_comm_all(pl_context *pl, bool yes)
{
  int32_t all = yes;
  return pl_comm_reduce(pl, PL_INT32, PL_MIN, &all, 1) == PL_SUCCESS && all;
}

/* *same: whether all ranks have the same value, usually a hash. */
static inline pl_err pl_comm_same(pl_context *pl, uint64_t value, bool *same)
{
  uint64_t ends[2] = {value, ~value};
  PL_TRY(pl_comm_reduce(pl, PL_UINT64, PL_MAX, ends, 2));
  *same = ends[0] == ~ends[1];
  return PL_SUCCESS;
}

/* Bytes of rank `root` to all. */
pl_err pl_comm_bcast(pl_context *pl, int root, void *bytes, size_t size);

/* `size` bytes of every rank in the order of ranks, all[rank * size]; for small sizes. */
pl_err pl_comm_gather(pl_context *pl, const void *mine, size_t size, void *all);

pl_err pl_comm_barrier(pl_context *pl);

/* One number for every rank: came[r] is the number that rank r has for this one. */
pl_err pl_comm_counts(pl_context *pl, const int64_t *count, int64_t *came);

/* Items of `size` bytes to every rank: `send` holds count[0] items for rank 0, then count[1] for rank 1, and
 * so on. *received (pl_free_array it; not NULL on success) holds received_count[r] items from each rank r, in
 * the order of ranks. */
pl_err pl_comm_all_to_all(pl_context *pl, size_t size, const void *send, const int64_t *count,
                          void **received, int64_t *received_count);

/* The sum of one count for each rank. Local. */
int64_t pl_count_sum(const pl_context *pl, const int64_t *count);

/* ---- point-to-point messages ---- */

/* A growing list of started messages; zero-initialise it, reuse it after pl_messages_wait. */
typedef struct pl_messages {
  void *request; /* MPI_Request[room]: receives, then sends; or a reduction */
  int count, room, receives;
  uint64_t number;          /* of a reduction, among the collectives; 0: halo messages */
  struct pl_shares *shares; /* of a reduction by messages; NULL: none was made */
} pl_messages;

/* Most bytes of a message; longer buffers are sent in pieces. */
enum { PL_MESSAGE_MOST = 1 << 30 };

/* Allocates memory for more messages, so that starting them cannot fail for lack of it. */
pl_err pl_messages_reserve(pl_context *pl, pl_messages *messages, int more);

/* Start sending or receiving `size` bytes, equal on both sides. The buffer is in use until pl_messages_wait.
 * Local. */
pl_err pl_messages_send(pl_context *pl, pl_messages *messages, int peer, const void *bytes, size_t size);
pl_err pl_messages_receive(pl_context *pl, pl_messages *messages, int peer, void *bytes, size_t size);

/* Starts pl_comm_reduce; the first allocates its memory, so that starting it cannot fail for lack of it. The
 * values are those of all ranks after pl_messages_wait. */
pl_err pl_messages_reserve_reduction(pl_context *pl, pl_messages *messages, size_t bytes);
pl_err pl_messages_reduce(pl_context *pl, pl_messages *messages, pl_type type, pl_access op, void *values,
                          size_t count);

/* Tests for completion; waits for it; frees the list: false if messages are still in flight because ranks
 * left, so that buffers must not be freed. Local. */
bool pl_messages_done(pl_context *pl, pl_messages *messages);
pl_err pl_messages_wait(pl_context *pl, pl_messages *messages);
bool pl_messages_free(pl_context *pl, pl_messages *messages);

/* pl_comm_all_to_all in two calls: the first allocates, and all ranks agree that it has succeeded; the second
 * sends. The counts must stay until then. Free it after either. */
typedef struct pl_all_to_all {
  size_t size;
  const int64_t *count;
  int64_t *received_count;
  void *received; /* pl_malloc_array */
  pl_messages messages;
} pl_all_to_all;

pl_err pl_all_to_all_prepare(pl_context *pl, size_t size, const int64_t *count, int64_t *received_count,
                             pl_all_to_all *t);
pl_err pl_all_to_all_run(pl_context *pl, pl_all_to_all *t, const void *send);
void pl_all_to_all_free(pl_context *pl, pl_all_to_all *t);
