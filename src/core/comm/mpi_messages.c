/* SPDX-License-Identifier: BSD-2-Clause
 * Collectives and point-to-point messages by MPI.
 */
#include "core/base/scalar_type.h"
#include "core/context/memory.h"
#include "mpi_comm.h"
#include <string.h>

/* ---- collectives ---- */

static MPI_Datatype mpi_type(pl_type type)
{
  const MPI_Datatype types[] = {
    [PL_INT8] = MPI_INT8_T,     [PL_UINT8] = MPI_UINT8_T,   [PL_INT16] = MPI_INT16_T,
    [PL_UINT16] = MPI_UINT16_T, [PL_INT32] = MPI_INT32_T,   [PL_UINT32] = MPI_UINT32_T,
    [PL_INT64] = MPI_INT64_T,   [PL_UINT64] = MPI_UINT64_T, [PL_FLOAT] = MPI_FLOAT,
    [PL_DOUBLE] = MPI_DOUBLE};
  return types[pl_type_base(type)];
}

static MPI_Op mpi_op(pl_access op)
{
  return op == PL_INC ? MPI_SUM : op == PL_MIN ? MPI_MIN : MPI_MAX;
}

static int mpi_count(pl_type type, size_t count)
{
  return (int)(count * (pl_type_is_complex(type) ? 2 : 1));
}

static pl_err reduce(pl_context *pl, pl_type type, pl_access op, void *values, size_t count)
{
  size_t bytes = count * pl_type_size(type);
  PL_TRY(pl_mpi_bounce(pl, bytes));
  memcpy(pl_mpi_comm(pl)->bounce, values, bytes);
  RUN_COLLECTIVE(pl, "MPI_Iallreduce",
                 MPI_Iallreduce(MPI_IN_PLACE, pl_mpi_comm(pl)->bounce, mpi_count(type, count), mpi_type(type),
                                mpi_op(op), pl_mpi_comm(pl)->all, &request));
  memcpy(values, pl_mpi_comm(pl)->bounce, bytes);
  return PL_SUCCESS;
}

static pl_err bcast(pl_context *pl, int root, void *bytes, size_t size)
{
  for (size_t at = 0; at < size; at += CHUNK) {
    int piece = size - at < CHUNK ? (int)(size - at) : CHUNK;
    PL_TRY(pl_mpi_bounce(pl, (size_t)piece));
    memcpy(pl_mpi_comm(pl)->bounce, (char *)bytes + at, (size_t)piece);
    RUN_COLLECTIVE(
      pl, "MPI_Ibcast",
      MPI_Ibcast(pl_mpi_comm(pl)->bounce, piece, MPI_BYTE, root, pl_mpi_comm(pl)->all, &request));
    memcpy((char *)bytes + at, pl_mpi_comm(pl)->bounce, (size_t)piece);
  }
  return PL_SUCCESS;
}

static pl_err gather(pl_context *pl, const void *mine, size_t size, void *all)
{
  size_t bytes = size * (size_t)pl_ranks(pl);
  PL_TRY(pl_mpi_bounce(pl, bytes));
  char *into = pl_mpi_comm(pl)->bounce;
  memcpy(into + size * (size_t)pl->comm->rank, mine, size);
  RUN_COLLECTIVE(
    pl, "MPI_Iallgather",
    MPI_Iallgather(MPI_IN_PLACE, 0, MPI_BYTE, into, (int)size, MPI_BYTE, pl_mpi_comm(pl)->all, &request));
  memcpy(all, into, bytes);
  return PL_SUCCESS;
}

static pl_err scan(pl_context *pl, int64_t value, int64_t *before)
{
  PL_TRY(pl_mpi_bounce(pl, 2 * sizeof value));
  int64_t *pair = pl_mpi_comm(pl)->bounce;
  pair[0] = value;
  RUN_COLLECTIVE(pl, "MPI_Iexscan",
                 MPI_Iexscan(&pair[0], &pair[1], 1, MPI_INT64_T, MPI_SUM, pl_mpi_comm(pl)->all, &request));
  *before = pl->comm->rank ? pair[1] : 0;
  return PL_SUCCESS;
}

static pl_err barrier(pl_context *pl)
{
  RUN_COLLECTIVE(pl, "MPI_Ibarrier", MPI_Ibarrier(pl_mpi_comm(pl)->all, &request));
  return PL_SUCCESS;
}

static pl_err counts(pl_context *pl, const int64_t *count, int64_t *received_count)
{
  size_t n = (size_t)pl->comm->ranks;
  PL_TRY(pl_mpi_bounce(pl, 2 * n * sizeof *count));
  int64_t *mine = pl_mpi_comm(pl)->bounce, *theirs = mine + n;
  memcpy(mine, count, n * sizeof *count);
  RUN_COLLECTIVE(pl, "MPI_Ialltoall",
                 MPI_Ialltoall(mine, 1, MPI_INT64_T, theirs, 1, MPI_INT64_T, pl_mpi_comm(pl)->all, &request));
  memcpy(received_count, theirs, n * sizeof *count);
  return PL_SUCCESS;
}

/* ---- messages ---- */

static pl_err reserve(pl_context *pl, pl_messages *messages, int more)
{
  if (messages->count + more <= messages->room) return PL_SUCCESS;
  int room = 2 * (messages->count + more);
  void *grown = pl_resize(pl, messages->request, (size_t)room * sizeof(MPI_Request));
  if (!grown) return pl_fail_memory(pl, (size_t)room * sizeof(MPI_Request));
  messages->request = grown;
  messages->room = room;
  return PL_SUCCESS;
}

static MPI_Request *next_request(pl_messages *messages)
{
  return (MPI_Request *)messages->request + messages->count;
}

static pl_err start_messages(pl_context *pl, pl_messages *messages, bool send, int peer, char *bytes,
                             size_t size)
{
  MPI_Comm all = pl_mpi_comm(pl)->all;
  PL_TRY(reserve(pl, messages, (int)(size / CHUNK) + 1));
  for (size_t at = 0; at < size; at += CHUNK) {
    int piece = size - at < CHUNK ? (int)(size - at) : CHUNK;
    MPI_Request *request = next_request(messages);
    TRY_MPI(pl, send ? "MPI_Isend" : "MPI_Irecv",
            send ? MPI_Isend(bytes + at, piece, MPI_BYTE, peer, TAG, all, request)
                 : MPI_Irecv(bytes + at, piece, MPI_BYTE, peer, TAG, all, request));
    messages->count++;
    messages->receives += !send;
  }
  return PL_SUCCESS;
}

static pl_err start_send(pl_context *pl, pl_messages *messages, int peer, const void *bytes, size_t size)
{
  return start_messages(pl, messages, true, peer, (char *)bytes, size);
}

static pl_err start_receive(pl_context *pl, pl_messages *messages, int peer, void *bytes, size_t size)
{
  return start_messages(pl, messages, false, peer, bytes, size);
}

/* ---- reductions ---- */

enum { FEW_RANKS = 4, FEW_BYTES = 256 };

/* The partial results of all ranks. A few values of few ranks are sent by each rank to all others: that takes
 * a third of the time of MPI_Iallreduce. All ranks combine them in the order of ranks. */
struct pl_shares {
  pl_type type;
  pl_access op;
  size_t count;
  void *into; /* NULL: none is under way */
  char of_rank[FEW_RANKS][FEW_BYTES];
};

static bool by_messages(const pl_context *pl, size_t bytes)
{
  return pl->comm->ranks <= FEW_RANKS && bytes <= FEW_BYTES;
}

static pl_err reserve_reduction(pl_context *pl, pl_messages *messages, size_t bytes)
{
  const bool direct = by_messages(pl, bytes);
  if (direct && !messages->shares) messages->shares = pl_calloc(pl, 1, sizeof *messages->shares);
  if (direct && !messages->shares) return pl_fail_memory(pl, sizeof *messages->shares);
  return reserve(pl, messages, direct ? 2 * FEW_RANKS : 1);
}

static pl_err send_shares(pl_context *pl, pl_messages *messages, const void *values, size_t bytes)
{
  const int me = pl->comm->rank, ranks = pl->comm->ranks;
  MPI_Comm all = pl_mpi_comm(pl)->all;
  struct pl_shares *s = messages->shares;
  memcpy(s->of_rank[me], values, bytes);
  for (int r = 0; r < ranks; r++) {
    if (r == me) continue;
    TRY_MPI(pl, "MPI_Irecv",
            MPI_Irecv(s->of_rank[r], (int)bytes, MPI_BYTE, r, REDUCTION_TAG, all, next_request(messages)));
    messages->count++;
    messages->receives++;
  }
  for (int r = 0; r < ranks; r++) {
    if (r == me) continue;
    TRY_MPI(pl, "MPI_Isend",
            MPI_Isend(s->of_rank[me], (int)bytes, MPI_BYTE, r, REDUCTION_TAG, all, next_request(messages)));
    messages->count++;
  }
  return PL_SUCCESS;
}

static pl_err start_reduce(pl_context *pl, pl_messages *messages, pl_type type, pl_access op, void *values,
                           size_t count)
{
  const size_t bytes = count * pl_type_size(type);
  PL_TRY(pl_comm_check(pl));
  PL_TRY(reserve_reduction(pl, messages, bytes));
  messages->number = ++pl_mpi_comm(pl)->started;
  if (by_messages(pl, bytes)) {
    struct pl_shares *s = messages->shares;
    s->type = type;
    s->op = op;
    s->count = count;
    s->into = values;
    return send_shares(pl, messages, values, bytes);
  }
  TRY_MPI(pl, "MPI_Iallreduce",
          MPI_Iallreduce(MPI_IN_PLACE, values, mpi_count(type, count), mpi_type(type), mpi_op(op),
                         pl_mpi_comm(pl)->all, next_request(messages)));
  messages->count++;
  return PL_SUCCESS;
}

static void combine_shares(pl_context *pl, struct pl_shares *s)
{
  if (!s || !s->into) return;
  memcpy(s->into, s->of_rank[0], s->count * pl_type_size(s->type));
  for (int r = 1; r < pl->comm->ranks; r++) pl_combine(s->type, s->op, s->into, s->of_rank[r], s->count);
  s->into = NULL;
}

/* ---- completion ---- */

static void finish_messages(pl_context *pl, pl_messages *messages)
{
  combine_shares(pl, messages->shares);
  messages->count = messages->receives = 0;
  messages->number = 0;
}

static bool done_all(pl_context *pl, pl_messages *messages)
{
  int done = 1;
  if (messages->count && (pl_mpi_comm(pl)->left || MPI_Testall(messages->count, messages->request, &done,
                                                               MPI_STATUSES_IGNORE) != MPI_SUCCESS))
    return false;
  if (done) finish_messages(pl, messages);
  return done;
}

static pl_err wait_all(pl_context *pl, pl_messages *messages)
{
  const wait_target target = {.halo = !messages->number, .number = messages->number};
  if (messages->count) {
    PL_TRY(pl_comm_check(pl));
    PL_TRY(pl_mpi_wait(pl, messages->count, messages->request, target, "MPI_Testall"));
  }
  finish_messages(pl, messages);
  return PL_SUCCESS;
}

static bool free_all(pl_context *pl, pl_messages *messages)
{
  MPI_Request *request = messages->request;
  int done;
  bool quiet = !messages->count || !messages->number;
  MPI_Finalized(&done);
  for (int i = 0; !done && quiet && i < messages->count; i++) {
    int over;
    if (i < messages->receives) MPI_Cancel(&request[i]);
    MPI_Test(&request[i], &over, MPI_STATUS_IGNORE);
    if (i < messages->receives && !over) MPI_Wait(&request[i], MPI_STATUS_IGNORE);
    quiet &= over || i < messages->receives;
  }
  pl_free(pl, messages->request);
  if (quiet) pl_free(pl, messages->shares);
  *messages = (pl_messages){.request = NULL};
  return quiet;
}

const pl_message_functions pl_mpi_messages = {.scan = scan,
                                              .reduce = reduce,
                                              .bcast = bcast,
                                              .gather = gather,
                                              .barrier = barrier,
                                              .counts = counts,
                                              .reserve = reserve,
                                              .send = start_send,
                                              .receive = start_receive,
                                              .reserve_reduction = reserve_reduction,
                                              .start_reduce = start_reduce,
                                              .done = done_all,
                                              .wait = wait_all,
                                              .free = free_all};
