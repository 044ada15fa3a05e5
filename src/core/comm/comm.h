/* SPDX-License-Identifier: BSD-2-Clause
 * Communication between the ranks of a context; comm.c is the only file that knows MPI.
 *
 * Without MPI, outside a launcher, or on one rank there is rank 0 of 1, and everything here is cheap and does
 * what one rank would see. Unless it says otherwise a function is collective. A failure of MPI itself is
 * PL_ERR_COMM. Only pl_agree makes an error of one rank an error of all; between an error and pl_agree a rank
 * must still take part in whatever the others do.
 */
#ifndef PLAIT_CORE_COMM_H
#define PLAIT_CORE_COMM_H

#include <stdbool.h>
#include "error.h"

typedef struct pl_comm pl_comm;

/* Joins the ranks of `communicator` (the address of an MPI_Comm; NULL: all that were launched together), as
 * `mpi`, the value of that option, says. An error of this rank so far becomes the error of all: also a rank
 * that has no memory for options, for what this makes, or for its context itself (a stand-in is enough)
 * joins the others, so that they hear of it. */
pl_err pl_comm_open(pl_context *pl, const void *communicator, const char *mpi, pl_err err);
void pl_comm_close(pl_context *pl);

/* pl_rank and pl_ranks (plait.h) among ranks that share this machine's memory. Local. */
int pl_node_rank(const pl_context *pl);
int pl_node_ranks(const pl_context *pl);

/* Tells the ranks of this node what kind of memory this one can share with them (0: none, the default); then
 * the kind of any rank, 0 on other nodes. The second is local. */
pl_err pl_comm_tell_kind(pl_context *pl, int kind);
int pl_comm_kind(const pl_context *pl, int rank);

/* Whether MPI takes pointers to the memory of CUDA devices. Local. */
bool pl_comm_takes_cuda(void);

/* The address of the context's own MPI_Comm, NULL where there is none: for libraries that take one. Local. */
const void *pl_comm_handle(const pl_context *pl);

/* An error on any rank becomes the error of all, with the sentence of the lowest rank that has one. Where the
 * others have gone another way and will not come, they leave, and this rank keeps its own error. */
pl_err pl_agree(pl_context *pl, pl_err err);

/* The same for what users call: the words, a format as printf takes it, name the call with all that has to be
 * the same on all ranks, and where they differ it is an error of all. */
pl_err pl_agree_on(pl_context *pl, pl_err err, const char *format, ...) PL_PRINTF(3, 4);

/* The same where ranks without an error do not stop to ask: they hear of it when they wait next. Local if
 * `err` is PL_SUCCESS. */
pl_err pl_agree_late(pl_context *pl, pl_err err);

/* This rank has failed in the middle of what ranks do together: it leaves. The others do so, too, as soon as
 * they wait for something that it has not sent; from then on all that ranks do together answers this error,
 * and only pl_finalize is left. Returns `err`. Local. */
pl_err pl_comm_leave(pl_context *pl, pl_err err);
pl_err pl_comm_check(pl_context *pl); /* that error again, once this rank has left */
void pl_comm_sent(pl_context *pl);    /* this rank has sent what one more loop needs */

/* *before: sum of `value` over the lower ranks; *total: over all. Either may be NULL. */
pl_err pl_comm_scan(pl_context *pl, int64_t value, int64_t *before, int64_t *total);

/* values[0..count) over all ranks, in place; op is PL_INC, PL_MIN or PL_MAX. */
pl_err pl_comm_reduce(pl_context *pl, pl_type type, pl_access op, void *values, size_t count);

/* Whether all ranks say yes; no, too, where they cannot be asked. */
static inline bool pl_comm_all(pl_context *pl, bool yes)
{
  int32_t all = yes;
  return pl_comm_reduce(pl, PL_INT32, PL_MIN, &all, 1) == PL_SUCCESS && all;
}

/* *same: whether all ranks have the same value, which is better a hash. */
static inline pl_err pl_comm_same(pl_context *pl, uint64_t value, bool *same)
{
  uint64_t ends[2] = {value, ~value};
  PL_TRY(pl_comm_reduce(pl, PL_UINT64, PL_MAX, ends, 2));
  *same = ends[0] == ~ends[1];
  return PL_SUCCESS;
}

/* Bytes of rank `root` to all. */
pl_err pl_comm_bcast(pl_context *pl, int root, void *bytes, size_t size);

/* `size` bytes of every rank in the order of ranks: all[rank * size]. For a few bytes a rank only. */
pl_err pl_comm_gather(pl_context *pl, const void *mine, size_t size, void *all);

/* Waits for all ranks. */
pl_err pl_comm_barrier(pl_context *pl);

/* One number for every rank: came[r] is what rank r has for this one. */
pl_err pl_comm_counts(pl_context *pl, const int64_t *count, int64_t *came);

/* Items of `size` bytes to every rank: send holds count[0] of them for rank 0, then count[1] for rank 1, and
 * so on. *received (pl_free_array it; never NULL on success) holds what came, in the order of ranks, and
 * received_count[r] says how many items came from rank r. */
pl_err pl_comm_exchange(pl_context *pl, size_t size, const void *send, const int64_t *count, void **received,
                        int64_t *received_count);

/* ---- messages on their way ---- */

/* A growing list of messages that were started; zero-initialise, use again after pl_messages_wait. */
typedef struct pl_messages {
  void *request; /* MPI_Request[room]: receives, then sends; or a reduction */
  int count, room, receives;
  uint64_t number; /* of a reduction among the collectives; 0: the messages of a halo */
} pl_messages;

/* What has more bytes goes in so many pieces. */
enum { PL_MESSAGE_MOST = 1 << 30 };

/* Room for so many more messages, so that starting them does not fail for memory. */
pl_err pl_messages_reserve(pl_context *pl, pl_messages *messages, int more);

/* Start sending or receiving `bytes`, of any number, to or from rank `peer`; both sides agree on the number.
 * Buffers stay untouched until pl_messages_wait. Local. */
pl_err pl_messages_send(pl_context *pl, pl_messages *messages, int peer, const void *bytes, size_t size);
pl_err pl_messages_receive(pl_context *pl, pl_messages *messages, int peer, void *bytes, size_t size);

/* Starts pl_comm_reduce. */
pl_err pl_messages_reduce(pl_context *pl, pl_messages *messages, pl_type type, pl_access op, void *values,
                          size_t count);

/* Whether all are done (cheap); waits until they are; gives the list's memory back: false if messages were
 * still on their way, after ranks have left, and buffers must stay. Local. */
bool pl_messages_done(pl_context *pl, pl_messages *messages);
pl_err pl_messages_wait(pl_context *pl, pl_messages *messages);
bool pl_messages_free(pl_context *pl, pl_messages *messages);

#endif
