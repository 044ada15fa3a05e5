/* SPDX-License-Identifier: BSD-2-Clause
 * Communication between ranks by MPI, or by nobody. See comm.h.
 *
 * MPI is initialised here only if nobody did it and either a launcher's environment says that there are ranks
 * or the option mpi asks for it; then it is finalised at the end of the process, after the context was closed
 * in order. A process that stops with a context open leaves MPI open too, so that the launcher stops the
 * other ranks.
 */
#include "context.h"
#include "objects.h"
#include <string.h>

#if PLAIT_HAVE_MPI
#include <mpi.h>

enum { TAG = 27, CHUNK = 1 << 30 }; /* a message goes in pieces of at most CHUNK bytes */

struct pl_comm {
  MPI_Comm all, node;
  int rank, ranks, node_rank, node_ranks;
  bool initialised; /* by us */
};

/* ---- failures ---- */

static pl_err failed(pl_context *pl, const char *what, int code)
{
  char text[MPI_MAX_ERROR_STRING] = "";
  int length;
  MPI_Error_string(code, text, &length);
  return pl_fail(pl, PL_ERR_COMM, "MPI failed in %s: %s", what, text);
}

#define TRY_MPI(pl, what, call)                                                                              \
  do {                                                                                                       \
    int mpi_code = (call);                                                                                   \
    if (mpi_code != MPI_SUCCESS) return failed((pl), (what), mpi_code);                                      \
  } while (0)

/* ---- opening and closing ---- */

static bool launched(void)
{
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK", "PMI_ID",
                                      "MPI_LOCALNRANKS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (getenv(names[i])) return true;
  return false;
}

static void finalize_mpi(void)
{
  int done;
  MPI_Finalized(&done);
  if (!done) MPI_Finalize();
}

static pl_err initialise(pl_context *pl, pl_comm *comm)
{
  int provided;
  TRY_MPI(pl, "MPI_Init_thread", MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided));
  comm->initialised = true;
  return PL_SUCCESS;
}

static pl_err join(pl_context *pl, pl_comm *comm, const void *communicator)
{
  MPI_Comm from = communicator ? *(const MPI_Comm *)communicator : MPI_COMM_WORLD;
  TRY_MPI(pl, "MPI_Comm_dup", MPI_Comm_dup(from, &comm->all));
  MPI_Comm_set_errhandler(comm->all, MPI_ERRORS_RETURN);
  MPI_Comm_rank(comm->all, &comm->rank);
  MPI_Comm_size(comm->all, &comm->ranks);
  TRY_MPI(pl, "MPI_Comm_split_type",
          MPI_Comm_split_type(comm->all, MPI_COMM_TYPE_SHARED, comm->rank, MPI_INFO_NULL, &comm->node));
  MPI_Comm_rank(comm->node, &comm->node_rank);
  MPI_Comm_size(comm->node, &comm->node_ranks);
  return PL_SUCCESS;
}

/* Whether this context shall talk to others; *running: MPI is there already. */
static bool wanted(const pl_context *pl, const void *communicator, bool *running)
{
  int initialised, finalized;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalized);
  *running = initialised && !finalized;
  if (communicator) return true;
  if (finalized || pl_opt_is(pl, PL_OPT_MPI, "off")) return false;
  return *running || pl_opt_is(pl, PL_OPT_MPI, "on") || launched();
}

pl_err pl_comm_open(pl_context *pl, const void *communicator)
{
  bool running;
  if (!wanted(pl, communicator, &running)) return PL_SUCCESS;
  if (communicator && !running)
    return pl_fail(pl, PL_ERR_STATE,
                   "pl_init: settings.comm needs MPI, which is not initialised; call MPI_Init first");
  pl_comm *comm = pl_calloc(pl, 1, sizeof *comm);
  if (!comm) return pl_fail_memory(pl, sizeof *comm);
  comm->all = comm->node = MPI_COMM_NULL;
  comm->ranks = comm->node_ranks = 1;
  pl->comm = comm;
  if (!running) PL_TRY(initialise(pl, comm));
  return join(pl, comm, communicator);
}

void pl_comm_close(pl_context *pl)
{
  pl_comm *comm = pl->comm;
  int done;
  if (!comm) return;
  MPI_Finalized(&done);
  if (!done && comm->node != MPI_COMM_NULL) MPI_Comm_free(&comm->node);
  if (!done && comm->all != MPI_COMM_NULL) MPI_Comm_free(&comm->all);
  if (comm->initialised) atexit(finalize_mpi);
  pl_free(pl, comm);
  pl->comm = NULL;
}

const void *pl_comm_handle(const pl_context *pl)
{
  return pl->comm ? &pl->comm->all : NULL;
}

int pl_rank(const pl_context *pl)
{
  return pl && pl->comm ? pl->comm->rank : 0;
}

int pl_ranks(const pl_context *pl)
{
  return pl && pl->comm ? pl->comm->ranks : 1;
}

int pl_node_rank(const pl_context *pl)
{
  return pl->comm ? pl->comm->node_rank : 0;
}

int pl_node_ranks(const pl_context *pl)
{
  return pl->comm ? pl->comm->node_ranks : 1;
}

static bool alone(const pl_context *pl)
{
  return pl_ranks(pl) == 1;
}

/* ---- collectives ---- */

static MPI_Datatype mpi_type(pl_type type)
{
  switch (pl_type_base(type)) {
  case PL_INT8:
    return MPI_INT8_T;
  case PL_UINT8:
    return MPI_UINT8_T;
  case PL_INT16:
    return MPI_INT16_T;
  case PL_UINT16:
    return MPI_UINT16_T;
  case PL_INT32:
    return MPI_INT32_T;
  case PL_UINT32:
    return MPI_UINT32_T;
  case PL_INT64:
    return MPI_INT64_T;
  case PL_UINT64:
    return MPI_UINT64_T;
  case PL_FLOAT:
    return MPI_FLOAT;
  default:
    return MPI_DOUBLE;
  }
}

static MPI_Op mpi_op(pl_access op)
{
  return op == PL_INC ? MPI_SUM : op == PL_MIN ? MPI_MIN : MPI_MAX;
}

static int mpi_count(pl_type type, size_t count)
{
  return (int)(count * (pl_type_is_complex(type) ? 2 : 1));
}

pl_err pl_comm_reduce(pl_context *pl, pl_type type, pl_access op, void *values, size_t count)
{
  if (alone(pl)) return PL_SUCCESS;
  TRY_MPI(
    pl, "MPI_Allreduce",
    MPI_Allreduce(MPI_IN_PLACE, values, mpi_count(type, count), mpi_type(type), mpi_op(op), pl->comm->all));
  return PL_SUCCESS;
}

pl_err pl_comm_bcast(pl_context *pl, int root, void *bytes, size_t size)
{
  if (alone(pl)) return PL_SUCCESS;
  for (size_t at = 0; at < size; at += CHUNK) {
    int piece = size - at < CHUNK ? (int)(size - at) : CHUNK;
    TRY_MPI(pl, "MPI_Bcast", MPI_Bcast((char *)bytes + at, piece, MPI_BYTE, root, pl->comm->all));
  }
  return PL_SUCCESS;
}

pl_err pl_comm_gather(pl_context *pl, const void *mine, size_t size, void *all)
{
  if (alone(pl)) {
    memcpy(all, mine, size);
    return PL_SUCCESS;
  }
  TRY_MPI(pl, "MPI_Allgather",
          MPI_Allgather(mine, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, pl->comm->all));
  return PL_SUCCESS;
}

pl_err pl_comm_scan(pl_context *pl, int64_t value, int64_t *before, int64_t *total)
{
  int64_t lower = 0, sum = value;
  if (!alone(pl)) {
    TRY_MPI(pl, "MPI_Exscan", MPI_Exscan(&value, &lower, 1, MPI_INT64_T, MPI_SUM, pl->comm->all));
    if (pl->comm->rank == 0) lower = 0;
    PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, &sum, 1));
  }
  if (before) *before = lower;
  if (total) *total = sum;
  return PL_SUCCESS;
}

pl_err pl_comm_barrier(pl_context *pl)
{
  if (!alone(pl)) TRY_MPI(pl, "MPI_Barrier", MPI_Barrier(pl->comm->all));
  return PL_SUCCESS;
}

pl_err pl_node_barrier(pl_context *pl)
{
  if (pl_node_ranks(pl) > 1) TRY_MPI(pl, "MPI_Barrier", MPI_Barrier(pl->comm->node));
  return PL_SUCCESS;
}

/* The sentence of rank `root` to all, with the rank's number in front for the others. */
static pl_err share_sentence(pl_context *pl, int root, pl_err code)
{
  char sentence[2048] = "";
  if (pl->comm->rank == root) snprintf(sentence, sizeof sentence, "%s", pl_errmsg(pl));
  PL_TRY(pl_comm_bcast(pl, root, sentence, sizeof sentence));
  if (pl->comm->rank == root) return code;
  return pl_fail(pl, code, "rank %d: %s", root, sentence);
}

pl_err pl_agree(pl_context *pl, pl_err err)
{
  if (alone(pl)) return err;
  int worst[2] = {err ? 1 : 0, err ? -pl->comm->rank : INT32_MIN}, code = err;
  TRY_MPI(pl, "MPI_Allreduce", MPI_Allreduce(MPI_IN_PLACE, worst, 2, MPI_INT, MPI_MAX, pl->comm->all));
  if (!worst[0]) return PL_SUCCESS;
  PL_TRY(pl_comm_bcast(pl, -worst[1], &code, sizeof code));
  return share_sentence(pl, -worst[1], (pl_err)code);
}

/* ---- messages ---- */

static pl_err make_room(pl_context *pl, pl_messages *messages, int more)
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

pl_err pl_messages_send(pl_context *pl, pl_messages *messages, int peer, const void *bytes, size_t size)
{
  PL_TRY(make_room(pl, messages, (int)(size / CHUNK) + 1));
  for (size_t at = 0; at < size; at += CHUNK) {
    int piece = size - at < CHUNK ? (int)(size - at) : CHUNK;
    TRY_MPI(
      pl, "MPI_Isend",
      MPI_Isend((const char *)bytes + at, piece, MPI_BYTE, peer, TAG, pl->comm->all, next_request(messages)));
    messages->count++;
  }
  return PL_SUCCESS;
}

pl_err pl_messages_receive(pl_context *pl, pl_messages *messages, int peer, void *bytes, size_t size)
{
  PL_TRY(make_room(pl, messages, (int)(size / CHUNK) + 1));
  for (size_t at = 0; at < size; at += CHUNK) {
    int piece = size - at < CHUNK ? (int)(size - at) : CHUNK;
    TRY_MPI(pl, "MPI_Irecv",
            MPI_Irecv((char *)bytes + at, piece, MPI_BYTE, peer, TAG, pl->comm->all, next_request(messages)));
    messages->count++;
  }
  return PL_SUCCESS;
}

pl_err pl_messages_reduce(pl_context *pl, pl_messages *messages, pl_type type, pl_access op, void *values,
                          size_t count)
{
  if (alone(pl)) return PL_SUCCESS;
  PL_TRY(make_room(pl, messages, 1));
  TRY_MPI(pl, "MPI_Iallreduce",
          MPI_Iallreduce(MPI_IN_PLACE, values, mpi_count(type, count), mpi_type(type), mpi_op(op),
                         pl->comm->all, next_request(messages)));
  messages->count++;
  return PL_SUCCESS;
}

void pl_messages_progress(pl_context *pl, pl_messages *messages)
{
  int done;
  (void)pl;
  if (messages->count) MPI_Testall(messages->count, messages->request, &done, MPI_STATUSES_IGNORE);
}

pl_err pl_messages_wait(pl_context *pl, pl_messages *messages)
{
  int count = messages->count;
  messages->count = 0;
  if (count) TRY_MPI(pl, "MPI_Waitall", MPI_Waitall(count, messages->request, MPI_STATUSES_IGNORE));
  return PL_SUCCESS;
}

void pl_messages_free(pl_context *pl, pl_messages *messages)
{
  pl_free(pl, messages->request);
  *messages = (pl_messages){NULL, 0, 0};
}

/* ---- from everyone to everyone ---- */

static pl_err start_all(pl_context *pl, pl_messages *messages, size_t size, const char *send,
                        const int64_t *count, char *received, const int64_t *received_count)
{
  for (int r = 0; r < pl->comm->ranks; r++) {
    size_t bytes = (size_t)received_count[r] * size;
    PL_TRY(pl_messages_receive(pl, messages, r, received, bytes));
    received += bytes;
  }
  for (int r = 0; r < pl->comm->ranks; r++) {
    size_t bytes = (size_t)count[r] * size;
    PL_TRY(pl_messages_send(pl, messages, r, send, bytes));
    send += bytes;
  }
  return PL_SUCCESS;
}

static pl_err tell_counts(pl_context *pl, const int64_t *count, int64_t *received_count)
{
  TRY_MPI(pl, "MPI_Alltoall",
          MPI_Alltoall(count, 1, MPI_INT64_T, received_count, 1, MPI_INT64_T, pl->comm->all));
  return PL_SUCCESS;
}

pl_err pl_comm_exchange(pl_context *pl, size_t size, const void *send, const int64_t *count, void **received,
                        int64_t *received_count)
{
  size_t total = 0;
  pl_messages messages = {NULL, 0, 0};
  if (alone(pl))
    received_count[0] = count[0];
  else
    PL_TRY(tell_counts(pl, count, received_count));
  for (int r = 0; r < pl_ranks(pl); r++) total += (size_t)received_count[r] * size;
  char *into = pl_malloc_array(pl, total + 1);
  PL_TRY(pl_agree(pl, into ? PL_SUCCESS : pl_fail_memory(pl, total)));
  pl_err err = PL_SUCCESS;
  if (alone(pl)) {
    if (total) memcpy(into, send, total);
  } else {
    err = start_all(pl, &messages, size, send, count, into, received_count);
    if (!err) err = pl_messages_wait(pl, &messages);
    pl_messages_free(pl, &messages);
  }
  if (err)
    pl_free_array(pl, into);
  else
    *received = into;
  return err;
}

#else /* without MPI */

pl_err pl_comm_open(pl_context *pl, const void *communicator)
{
  if (!communicator && !pl_opt_is(pl, PL_OPT_MPI, "on")) return PL_SUCCESS;
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

pl_err pl_agree(pl_context *pl, pl_err err)
{
  return (void)pl, err;
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

pl_err pl_node_barrier(pl_context *pl)
{
  return (void)pl, PL_SUCCESS;
}

pl_err pl_comm_exchange(pl_context *pl, size_t size, const void *send, const int64_t *count, void **received,
                        int64_t *received_count)
{
  size_t bytes = (size_t)count[0] * size;
  if (!(*received = pl_malloc_array(pl, bytes + 1))) return pl_fail_memory(pl, bytes);
  received_count[0] = count[0];
  if (bytes) memcpy(*received, send, bytes);
  return PL_SUCCESS;
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

void pl_messages_progress(pl_context *pl, pl_messages *messages)
{
  (void)pl, (void)messages;
}

pl_err pl_messages_wait(pl_context *pl, pl_messages *messages)
{
  return (void)pl, (void)messages, PL_SUCCESS;
}

void pl_messages_free(pl_context *pl, pl_messages *messages)
{
  (void)pl, (void)messages;
}

#endif
