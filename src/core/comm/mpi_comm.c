/* SPDX-License-Identifier: BSD-2-Clause
 * Communication between ranks by MPI, or by nobody. See comm.h.
 *
 * MPI is initialised here only if nobody did it and either a launcher's environment says that there are ranks
 * or the option mpi asks for it; then it is finalised at the end of the process, after the context was closed
 * in order. A process that stops with a context open leaves MPI open too, so that the launcher stops the
 * other ranks.
 *
 * Nobody waits for a rank that will not come. Every wait here polls, and listens to notices meanwhile. A rank
 * that fails alone (pl_comm_leave) tells how far it has come; one that waits for something beyond that
 * leaves, too. A rank that waits in pl_agree with an error, for others that perhaps never come there, says so
 * after a moment; those that have gone another way see it when they wait next, and leave, which frees both.
 */
#include "comm_mpi.h"
#include "hash.h"
#include "total.h"
#include <stdarg.h>
#include <string.h>
#include <time.h>

#if PLAIT_HAVE_MPI
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

/* ---- failures ---- */

pl_err pl_mpi_failed(pl_context *pl, const char *what, int code)
{
  char text[MPI_MAX_ERROR_STRING] = "";
  int length;
  MPI_Error_string(code, text, &length);
  return pl_comm_leave(pl, pl_fail(pl, PL_ERR_COMM, "MPI failed in %s: %s", what, text));
}

/* ---- leaving ---- */

static void listen_again(pl_comm *comm)
{
  if (MPI_Irecv(&comm->in, sizeof comm->in, MPI_BYTE, MPI_ANY_SOURCE, TAG, comm->apart, &comm->listening))
    comm->listening = MPI_REQUEST_NULL;
}

static void tell_all(pl_context *pl, int waits, uint64_t started, pl_err code, const char *sentence)
{
  pl_comm *comm = pl->comm;
  comm->out = (notice){(int)code, comm->rank, waits, started, comm->sent, ""};
  snprintf(comm->out.sentence, sizeof comm->out.sentence, "%s", sentence);
  for (int r = 0; r < comm->ranks; r++) {
    MPI_Request request;
    if (r == comm->rank) continue;
    if (!MPI_Isend(&comm->out, sizeof comm->out, MPI_BYTE, r, TAG, comm->apart, &request))
      MPI_Request_free(&request);
  }
}

/* Whether what this rank waits for will never come, after what another has told. */
static bool in_vain(const pl_comm *comm, const notice *n, place at)
{
  if (n->waits && comm->agreed >= n->started) return false; /* all went there */
  if (at.halo) return comm->sent > n->sent;
  return at.number > n->started || (n->waits && at.number == n->started && !at.agree);
}

static pl_err leave_after(pl_context *pl, const notice *n, bool own_error)
{
  pl_comm *comm = pl->comm;
  comm->left = (pl_err)n->code;
  if (!own_error) snprintf(comm->why, sizeof comm->why, "rank %d: %s", n->from, n->sentence);
  if (n->waits) tell_all(pl, false, n->started - 1, comm->left, comm->why); /* it does not join that one */
  return pl_fail(pl, comm->left, "%s", comm->why);
}

/* Takes a notice in, if one has come, and looks whether this rank still waits for anything. */
static pl_err hear(pl_context *pl, place at, bool own_error)
{
  pl_comm *comm = pl->comm;
  int came = 0;
  if (comm->listening != MPI_REQUEST_NULL) MPI_Test(&comm->listening, &came, MPI_STATUS_IGNORE);
  if (came) {
    notice *kept = &comm->heard[comm->in.waits];
    if (!kept->code || kept->waits) *kept = comm->in;
    listen_again(comm);
  }
  for (int i = 0; i < 2; i++)
    if (comm->heard[i].code && in_vain(comm, &comm->heard[i], at))
      return leave_after(pl, &comm->heard[i], own_error);
  return PL_SUCCESS;
}

pl_err pl_comm_check(pl_context *pl)
{
  return pl->comm && pl->comm->left ? pl_fail(pl, pl->comm->left, "%s", pl->comm->why) : PL_SUCCESS;
}

pl_err pl_comm_leave(pl_context *pl, pl_err err)
{
  pl_comm *comm = pl->comm;
  if (!err || !comm || comm->ranks < 2 || comm->left) return err;
  comm->left = err;
  snprintf(comm->why, sizeof comm->why, "%s", pl_errmsg(pl));
  tell_all(pl, false, comm->started, err, comm->why);
  return err;
}

void pl_comm_sent(pl_context *pl)
{
  if (pl->comm) pl->comm->sent++;
}

/* ---- waiting ---- */

enum { TURNS = 64 }; /* between two looks at notices */

/* Who has waited for long waits for long work, a compiler perhaps, and leaves the processor to it. */
static void rest(double start)
{
  static const double long_time = 5e-3;
  const struct timespec nap = {0, 200000};
  if (MPI_Wtime() - start > long_time) nanosleep(&nap, NULL);
}

pl_err pl_mpi_wait(pl_context *pl, int n, MPI_Request *request, place at, const char *what)
{
  double start = 0;
  int done = 0;
  for (unsigned turn = 1;; turn++) {
    TRY_MPI(pl, what, MPI_Testall(n, request, &done, MPI_STATUSES_IGNORE));
    if (done) return PL_SUCCESS;
    if (turn % TURNS) continue;
    PL_TRY(hear(pl, at, false));
    PL_TRY(pl_totals_start(pl, false)); /* others may wait for them */
    if (turn == TURNS) start = MPI_Wtime();
    rest(start);
  }
}

pl_err pl_mpi_bounce(pl_context *pl, size_t bytes)
{
  pl_comm *comm = pl->comm;
  if (bytes <= comm->room) return PL_SUCCESS;
  void *grown = pl_resize(pl, comm->bounce, bytes);
  if (!grown) return pl_comm_leave(pl, pl_fail_memory(pl, bytes));
  comm->bounce = grown;
  comm->room = bytes;
  return PL_SUCCESS;
}

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
  TRY_MPI(pl, "MPI_Comm_dup", MPI_Comm_dup(comm->all, &comm->apart));
  if (comm->ranks > 1) listen_again(comm);
  return pl_mpi_bounce(pl, 4096);
}

/* Whether this context shall talk to others; *running: MPI is there already. */
static bool wanted(const void *communicator, const char *mpi, bool *running)
{
  int initialised, finalized;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalized);
  *running = initialised && !finalized;
  if (communicator) return true;
  if (finalized || !strcmp(mpi, "off")) return false;
  return *running || !strcmp(mpi, "on") || launched();
}

static void free_comms(pl_comm *comm)
{
  MPI_Comm *const all[] = {&comm->node, &comm->apart, &comm->all};
  if (comm->listening != MPI_REQUEST_NULL) {
    MPI_Cancel(&comm->listening);
    MPI_Wait(&comm->listening, MPI_STATUS_IGNORE);
  }
  for (int i = 0; !comm->left && i < 3; i++) /* collectives of ranks that left are still at work there */
    if (*all[i] != MPI_COMM_NULL) MPI_Comm_free(all[i]);
}

static void prepare(pl_comm *comm)
{
  comm->all = comm->node = comm->apart = MPI_COMM_NULL;
  comm->listening = MPI_REQUEST_NULL;
  comm->ranks = comm->node_ranks = 1;
}

static pl_err meet(pl_context *pl, const void *communicator, bool running)
{
  if (!running) PL_TRY(initialise(pl, pl->comm));
  return join(pl, pl->comm, communicator);
}

/* Joins the others to say that there is no memory, and waits until they give up, too. */
static pl_err meet_without_memory(pl_context *pl, const void *communicator, bool running)
{
  max_align_t bounce[4096 / sizeof(max_align_t)];
  pl_comm spare = {.bounce = bounce, .room = sizeof bounce};
  prepare(&spare);
  pl->comm = &spare;
  if (!meet(pl, communicator, running)) pl_agree(pl, pl_fail_memory(pl, sizeof spare));
  if (!spare.left && spare.ranks > 1) pl_comm_barrier(pl);
  free_comms(&spare);
  if (spare.initialised) atexit(finalize_mpi);
  pl->comm = NULL;
  return PL_ERR_MEMORY;
}

pl_err pl_comm_open(pl_context *pl, const void *communicator, const char *mpi, pl_err err)
{
  bool running;
  if (!wanted(communicator, mpi, &running)) return err;
  if (communicator && !running)
    return pl_fail(pl, PL_ERR_STATE,
                   "pl_init: settings.comm needs MPI, which is not initialised; call MPI_Init first");
  pl_comm *comm = pl_calloc(pl, 1, sizeof *comm);
  if (!comm) return meet_without_memory(pl, communicator, running);
  prepare(comm);
  pl->comm = comm;
  PL_TRY(meet(pl, communicator, running));
  return pl_agree(pl, err);
}

void pl_comm_close(pl_context *pl)
{
  pl_comm *comm = pl->comm;
  int done;
  if (!comm) return;
  MPI_Finalized(&done);
  if (!done && comm->ranks > 1) pl_comm_barrier(pl); /* a rank that waits for this one hears that it goes */
  if (!done) free_comms(comm);
  if (!comm->left) pl_free(pl, comm->bounce);
  if (comm->initialised) atexit(finalize_mpi);
  pl_free(pl, comm->kinds);
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

/* ---- kinds of memory ---- */

pl_err pl_comm_tell_kind(pl_context *pl, int kind)
{
  pl_comm *comm = pl->comm;
  if (pl_ranks(pl) == 1) return PL_SUCCESS;
  const struct kind mine = {comm->rank, kind};
  comm->kinds = pl_calloc(pl, (size_t)comm->node_ranks, sizeof mine);
  PL_TRY(pl_agree(pl, comm->kinds ? PL_SUCCESS : pl_fail_memory(pl, (size_t)comm->node_ranks * sizeof mine)));
  TRY_MPI(pl, "MPI_Allgather",
          MPI_Allgather(&mine, sizeof mine, MPI_BYTE, comm->kinds, sizeof mine, MPI_BYTE, comm->node));
  return PL_SUCCESS;
}

int pl_comm_kind(const pl_context *pl, int rank)
{
  const pl_comm *comm = pl->comm;
  for (int i = 0; comm && comm->kinds && i < comm->node_ranks; i++)
    if (comm->kinds[i].rank == rank) return comm->kinds[i].kind;
  return 0;
}

bool pl_comm_takes_cuda(void)
{
#if defined(OPEN_MPI) && defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support();
#elif defined(MPIX_GPU_SUPPORT_CUDA)
  int takes = 0;
  return MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &takes) == MPI_SUCCESS && takes;
#else
  return false;
#endif
}

/* ---- agreeing ---- */

/* The error of rank `root` to all, with the rank's number in front for the others. Reductions that some have
 * started and others have not do not meet it where pl_agree meets. */
static pl_err share_error(pl_context *pl, int root, pl_err code)
{
  enum { LENGTH = 2048 };
  pl_comm *comm = pl->comm;
  const place here = {.agree = true, .number = comm->started};
  MPI_Request request;
  PL_TRY(pl_mpi_bounce(pl, sizeof(int) + LENGTH));
  int *shared = comm->bounce;
  char *sentence = (char *)(shared + 1);
  *shared = (int)code;
  snprintf(sentence, LENGTH, "%s", pl_errmsg(pl));
  TRY_MPI(pl, "MPI_Ibcast", MPI_Ibcast(shared, sizeof(int) + LENGTH, MPI_BYTE, root, comm->apart, &request));
  PL_TRY(pl_mpi_wait(pl, 1, &request, here, "MPI_Ibcast"));
  return comm->rank == root ? code : pl_fail(pl, (pl_err)*shared, "rank %d: %s", root, sentence);
}

/* Ranks have met with an error on different ways: what they have started apart will never meet. */
static pl_err part(pl_context *pl, pl_err err)
{
  pl->comm->left = err;
  snprintf(pl->comm->why, sizeof pl->comm->why, "%s", pl_errmsg(pl));
  return err;
}

/* How long a rank waits in pl_agree before it says so: the others may have gone another way. Without an error
 * it may be early, and one among very many keeps quiet. */
static const double patience[2] = {1.0, 0.05};
enum { FEW = 256 };

static pl_err wait_for_all(pl_context *pl, MPI_Request *request, pl_err err)
{
  pl_comm *comm = pl->comm;
  const double start = MPI_Wtime();
  bool told = !err && comm->ranks > FEW;
  int done = 0;
  for (unsigned turn = 1;; turn++) {
    TRY_MPI(pl, "MPI_Iallreduce", MPI_Test(request, &done, MPI_STATUS_IGNORE));
    if (done) return PL_SUCCESS;
    if (turn % TURNS) continue;
    PL_TRY(hear(pl, (place){.agree = true, .number = comm->started}, err != PL_SUCCESS));
    rest(start);
    if (told || MPI_Wtime() - start < patience[err != PL_SUCCESS]) continue;
    tell_all(pl, true, comm->started, err ? err : PL_ERR_COMM,
             err ? comm->why
                 : "it waits in a call that not all ranks make; all must make the same calls with the same "
                   "objects in the same order");
    told = true;
  }
}

enum { CALL = 2048 }; /* bytes of a call in words */

/* Ranks have come here for different calls: each names its own and that of rank 0. */
static pl_err refuse(pl_context *pl, const char *call)
{
  pl_comm *comm = pl->comm;
  const place here = {.agree = true, .number = comm->started};
  MPI_Request request;
  PL_TRY(pl_mpi_bounce(pl, CALL));
  char *first = comm->bounce;
  snprintf(first, CALL, "%s", call);
  TRY_MPI(pl, "MPI_Ibcast", MPI_Ibcast(first, CALL, MPI_BYTE, 0, comm->apart, &request));
  PL_TRY(pl_mpi_wait(pl, 1, &request, here, "MPI_Ibcast"));
  if (!strcmp(first, call))
    return pl_fail(pl, PL_ERR_ARG, "%s: other ranks make another call here; all must make the same", call);
  return pl_fail(pl, PL_ERR_ARG, "%s: rank 0 makes another call here, %s; all must make the same", call,
                 first);
}

static pl_err agree(pl_context *pl, pl_err err, const char *call)
{
  pl_comm *comm = pl->comm;
  MPI_Request request;
  if (comm->left) return err ? err : pl_comm_check(pl);
  PL_TRY(pl_totals_start(pl, true));
  int *worst = comm->verdict, way = (int)(comm->started & INT32_MAX);
  worst[0] = err ? 1 : 0;
  worst[1] = err ? -comm->rank : INT32_MIN;
  worst[2] = way;
  worst[3] = -way;
  worst[4] = (int)(pl_hash(PL_HASH_START, call, strlen(call)) & INT32_MAX);
  worst[5] = -worst[4];
  if (err) snprintf(comm->why, sizeof comm->why, "%s", pl_errmsg(pl));
  uint64_t number = ++comm->started;
  TRY_MPI(pl, "MPI_Iallreduce",
          MPI_Iallreduce(MPI_IN_PLACE, worst, 6, MPI_INT, MPI_MAX, comm->apart, &request));
  PL_TRY(wait_for_all(pl, &request, err));
  comm->agreed = number;
  if (!worst[0]) return worst[4] == -worst[5] ? PL_SUCCESS : refuse(pl, call);
  bool parted = worst[2] != -worst[3];
  err = share_error(pl, -worst[1], err);
  return parted ? part(pl, err) : err;
}

pl_err pl_agree(pl_context *pl, pl_err err)
{
  return pl_ranks(pl) == 1 ? err : agree(pl, err, "a call of another kind");
}

pl_err pl_agree_on(pl_context *pl, pl_err err, const char *format, ...)
{
  char call[CALL];
  va_list list;
  if (pl_ranks(pl) == 1) return err;
  va_start(list, format);
  vsnprintf(call, sizeof call, format, list);
  va_end(list);
  return agree(pl, err, call);
}

pl_err pl_agree_late(pl_context *pl, pl_err err)
{
  return err ? pl_agree(pl, err) : PL_SUCCESS;
}

#endif
