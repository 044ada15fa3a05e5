/* SPDX-License-Identifier: BSD-2-Clause
 * Opening and closing of the communicator, agreement on errors, failure notices.
 *
 * The library initialises MPI if the program did not and a launcher's environment or the option mpi asks for
 * it; it then finalizes MPI at the end of the process, unless a context is still open: the launcher then
 * stops the other ranks.
 *
 * Waits poll for failure notices, so a failed rank cannot deadlock the others. A rank that fails alone
 * (pl_comm_leave) sends how many collectives and halos it has started; a rank that waits for a later one
 * leaves as well. A rank that waits in pl_agree for some time sends a notice, too; ranks that called
 * something else receive it in their next wait and leave, which releases both.
 */
#include "mpi_comm.h"
#include "core/base/hash.h"
#include "core/context/memory.h"
#include "launcher.h"
#include <string.h>
#include <time.h>

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

static const pl_comm_functions functions; /* the module, at the end of the file */

/* ---- failures ---- */

pl_err pl_mpi_failed(pl_context *pl, const char *what, int code)
{
  char text[MPI_MAX_ERROR_STRING] = "";
  int length;
  MPI_Error_string(code, text, &length);
  return pl_comm_leave(pl, pl_fail(pl, PL_ERR_COMM, "MPI failed in %s: %s", what, text));
}

/* ---- leaving ---- */

static void post_listener(mpi_comm *comm)
{
  if (MPI_Irecv(&comm->in, sizeof comm->in, MPI_BYTE, MPI_ANY_SOURCE, TAG, comm->control, &comm->listening))
    comm->listening = MPI_REQUEST_NULL;
}

static void send_notice(pl_context *pl, int waits, uint64_t started, pl_err code, const char *sentence)
{
  mpi_comm *comm = pl_mpi_comm(pl);
  comm->out = (notice){(int)code, comm->base.rank, waits, started, comm->sent, ""};
  snprintf(comm->out.sentence, sizeof comm->out.sentence, "%s", sentence);
  for (int r = 0; r < comm->base.ranks; r++) {
    MPI_Request request;
    if (r == comm->base.rank) continue;
    if (!MPI_Isend(&comm->out, sizeof comm->out, MPI_BYTE, r, TAG, comm->control, &request))
      MPI_Request_free(&request);
  }
}

/* Whether the awaited operation cannot complete, according to a notice. */
static bool cannot_complete(const mpi_comm *comm, const notice *n, wait_target target)
{
  if (n->waits && comm->agreed >= n->started) return false; /* that pl_agree has ended */
  if (target.halo) return comm->sent > n->sent;
  return target.number > n->started || (n->waits && target.number == n->started && !target.agree);
}

static pl_err leave_after(pl_context *pl, const notice *n, bool own_error)
{
  mpi_comm *comm = pl_mpi_comm(pl);
  comm->left = (pl_err)n->code;
  if (!own_error) snprintf(comm->why, sizeof comm->why, "rank %d: %s", n->from, n->sentence);
  if (n->waits)
    send_notice(pl, false, n->started - 1, comm->left, comm->why); /* this rank does not join it */
  return pl_fail(pl, comm->left, "%s", comm->why);
}

/* Receives a notice, if one arrived, and checks whether the awaited operation can still complete. */
static pl_err poll_notices(pl_context *pl, wait_target target, bool own_error)
{
  mpi_comm *comm = pl_mpi_comm(pl);
  int came = 0;
  if (comm->listening != MPI_REQUEST_NULL) MPI_Test(&comm->listening, &came, MPI_STATUS_IGNORE);
  if (came) {
    notice *known = &comm->received[comm->in.waits];
    if (!known->code || known->waits) *known = comm->in;
    post_listener(comm);
  }
  for (int i = 0; i < 2; i++)
    if (comm->received[i].code && cannot_complete(comm, &comm->received[i], target))
      return leave_after(pl, &comm->received[i], own_error);
  return PL_SUCCESS;
}

static pl_err check(pl_context *pl)
{
  return pl_mpi_comm(pl)->left ? pl_fail(pl, pl_mpi_comm(pl)->left, "%s", pl_mpi_comm(pl)->why) : PL_SUCCESS;
}

static pl_err leave(pl_context *pl, pl_err err)
{
  mpi_comm *comm = pl_mpi_comm(pl);
  if (!err || comm->left) return err;
  comm->left = err;
  snprintf(comm->why, sizeof comm->why, "%s", pl_errmsg(pl));
  send_notice(pl, false, comm->started, err, comm->why);
  return err;
}

static void sent(pl_context *pl)
{
  pl_mpi_comm(pl)->sent++;
}

/* ---- waiting ---- */

enum { TURNS = 64 }; /* polls of requests between two polls of notices */

/* A long wait is for long work, such as a compiler, so it yields the processor. */
static void yield_processor(double start)
{
  static const double long_time = 5e-3;
  const struct timespec nap = {0, 200000};
  if (MPI_Wtime() - start > long_time) nanosleep(&nap, NULL);
}

pl_err pl_mpi_wait(pl_context *pl, int n, MPI_Request *request, wait_target target, const char *what)
{
  double start = 0;
  int done = 0;
  for (unsigned turn = 1;; turn++) {
    TRY_MPI(pl, what, MPI_Testall(n, request, &done, MPI_STATUSES_IGNORE));
    if (done) return PL_SUCCESS;
    if (turn % TURNS) continue;
    PL_TRY(poll_notices(pl, target, false));
    PL_TRY(pl_notify_progress(pl, false)); /* others may wait for these */
    if (turn == TURNS) start = MPI_Wtime();
    yield_processor(start);
  }
}

pl_err pl_mpi_bounce(pl_context *pl, size_t bytes)
{
  mpi_comm *comm = pl_mpi_comm(pl);
  if (bytes <= comm->room) return PL_SUCCESS;
  void *grown = pl_resize(pl, comm->bounce, bytes);
  if (!grown) return pl_comm_leave(pl, pl_fail_memory(pl, bytes));
  comm->bounce = grown;
  comm->room = bytes;
  return PL_SUCCESS;
}

/* ---- opening and closing ---- */

static void finalize_mpi(void)
{
  int done;
  MPI_Finalized(&done);
  if (!done) MPI_Finalize();
}

static pl_err initialise_mpi(pl_context *pl, mpi_comm *comm)
{
  int provided;
  TRY_MPI(pl, "MPI_Init_thread", MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided));
  comm->initialised = true;
  return PL_SUCCESS;
}

static pl_err join_ranks(pl_context *pl, mpi_comm *comm, const void *communicator)
{
  MPI_Comm from = communicator ? *(const MPI_Comm *)communicator : MPI_COMM_WORLD;
  TRY_MPI(pl, "MPI_Comm_dup", MPI_Comm_dup(from, &comm->all));
  MPI_Comm_set_errhandler(comm->all, MPI_ERRORS_RETURN);
  MPI_Comm_rank(comm->all, &comm->base.rank);
  MPI_Comm_size(comm->all, &comm->base.ranks);
  TRY_MPI(pl, "MPI_Comm_split_type",
          MPI_Comm_split_type(comm->all, MPI_COMM_TYPE_SHARED, comm->base.rank, MPI_INFO_NULL, &comm->node));
  MPI_Comm_rank(comm->node, &comm->base.node_rank);
  MPI_Comm_size(comm->node, &comm->base.node_ranks);
  TRY_MPI(pl, "MPI_Comm_dup", MPI_Comm_dup(comm->all, &comm->control));
  if (comm->base.ranks > 1) post_listener(comm);
  return pl_mpi_bounce(pl, 4096);
}

/* Whether this context uses MPI; *running: MPI is initialised. */
static bool wants_mpi(const void *communicator, const char *mpi, bool *running)
{
  int initialised, finalized;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalized);
  *running = initialised && !finalized;
  if (communicator) return true;
  if (finalized || !strcmp(mpi, "off")) return false;
  return *running || !strcmp(mpi, "on") || pl_has_launcher();
}

static void free_comms(mpi_comm *comm)
{
  MPI_Comm *const all[] = {&comm->node, &comm->control, &comm->all};
  if (comm->listening != MPI_REQUEST_NULL) {
    MPI_Cancel(&comm->listening);
    MPI_Wait(&comm->listening, MPI_STATUS_IGNORE);
  }
  for (int i = 0; !comm->left && i < 3; i++) /* unfinished collectives may use it */
    if (*all[i] != MPI_COMM_NULL) MPI_Comm_free(all[i]);
}

static void init_comm(mpi_comm *comm)
{
  comm->base = (pl_comm){.functions = &functions, .messages = &pl_mpi_messages, .ranks = 1, .node_ranks = 1};
  comm->all = comm->node = comm->control = MPI_COMM_NULL;
  comm->listening = MPI_REQUEST_NULL;
}

static pl_err connect_ranks(pl_context *pl, const void *communicator, bool running)
{
  if (!running) PL_TRY(initialise_mpi(pl, pl_mpi_comm(pl)));
  return join_ranks(pl, pl_mpi_comm(pl), communicator);
}

/* Joins the others to report that there is no memory, and waits until they close. */
static pl_err connect_without_memory(pl_context *pl, const void *communicator, bool running)
{
  max_align_t bounce[4096 / sizeof(max_align_t)];
  mpi_comm spare = {.bounce = bounce, .room = sizeof bounce};
  init_comm(&spare);
  pl->comm = &spare.base;
  if (!connect_ranks(pl, communicator, running)) pl_agree(pl, pl_fail_memory(pl, sizeof spare));
  if (!spare.left && spare.base.ranks > 1) pl_comm_barrier(pl);
  free_comms(&spare);
  if (spare.initialised) atexit(finalize_mpi);
  pl->comm = NULL;
  return PL_ERR_MEMORY;
}

/* Whether MPI certainly runs on several ranks. */
static bool has_other_ranks(bool running)
{
  int finalized;
  const char *ranks = getenv("OMPI_COMM_WORLD_SIZE");
  MPI_Finalized(&finalized);
  if (!ranks && getenv("MPI_LOCALNRANKS")) ranks = getenv("PMI_SIZE");
  return running || (!finalized && ranks && atoi(ranks) > 1);
}

/* Fails on all ranks if only some have the option mpi=off. */
static pl_err compare_mpi(pl_context *pl, bool off)
{
  const int32_t none = INT32_MAX, rank = pl->comm->rank;
  int32_t first[2] = {off ? none : rank, off ? rank : none};
  PL_TRY(pl_comm_reduce(pl, PL_INT32, PL_MIN, first, 2));
  if (first[0] == none || first[1] == none) return PL_SUCCESS;
  return pl_fail(
    pl, PL_ERR_OPTION,
    "option mpi is \"off\" on rank %d (PLAIT_MPI), but not on rank %d; set the same value on all ranks",
    first[1], first[0]);
}

static void close_comm(pl_context *pl)
{
  mpi_comm *comm = pl_mpi_comm(pl);
  int done;
  MPI_Finalized(&done);
  if (!done && comm->base.ranks > 1) pl_comm_barrier(pl); /* others may wait for this rank */
  if (!done) free_comms(comm);
  if (!comm->left) pl_free(pl, comm->bounce);
  if (comm->initialised) atexit(finalize_mpi);
  pl_free_all(pl, comm->kinds, comm);
  pl->comm = NULL;
}

#if defined(OPEN_MPI)
static const char built_with[] = "Open MPI";
#else
static const char built_with[] = "MPICH or a library compatible with it";
#endif

/* Whether MPI's functions are those of the library that this file was compiled for. If the program is linked
 * with another one, calls from here go there, with handles of other types. */
static bool is_same_library(char text[MPI_MAX_LIBRARY_VERSION_STRING + 8192])
{
  int length = 0;
  bool open_mpi = !strcmp(built_with, "Open MPI");
  *text = '\0';
  return MPI_Get_library_version(text, &length) || (strstr(text, "Open MPI") != NULL) == open_mpi;
}

static pl_err open_comm(pl_context *pl, const void *communicator, const char *mpi, bool decided, pl_err err)
{
  char library[MPI_MAX_LIBRARY_VERSION_STRING + 8192]; /* that of another library may be longer */
  bool running, joins = wants_mpi(communicator, mpi, &running), same = is_same_library(library);
  if (joins && !same)
    return pl_fail(
      pl, PL_ERR_BACKEND,
      "pl_init: the program uses another MPI library (%.40s) than libplait-mpi.so, which was built "
      "with %s; build Plait with the program's MPI library, or set PLAIT_MODULES to a module that was",
      library, built_with);
  const bool off = !joins && !decided && same && !strcmp(mpi, "off") && has_other_ranks(running);
  if (!joins && !off) return err;
  if (communicator && !running)
    return pl_fail(pl, PL_ERR_STATE,
                   "pl_init: settings.comm needs MPI, which is not initialised; call MPI_Init first");
  mpi_comm *comm = pl_calloc(pl, 1, sizeof *comm);
  if (!comm) return connect_without_memory(pl, communicator, running);
  init_comm(comm);
  pl->comm = &comm->base;
  PL_TRY(connect_ranks(pl, communicator, running));
  err = pl_agree(pl, err);
  if (!err && !communicator) err = compare_mpi(pl, off);
  if (!err && off) close_comm(pl); /* all are alone */
  return err;
}

/* ---- device memory ---- */

static pl_err share_kind(pl_context *pl, int kind)
{
  mpi_comm *comm = pl_mpi_comm(pl);
  const struct kind mine = {comm->base.rank, kind};
  comm->kinds = pl_calloc(pl, (size_t)comm->base.node_ranks, sizeof mine);
  PL_TRY(
    pl_agree(pl, comm->kinds ? PL_SUCCESS : pl_fail_memory(pl, (size_t)comm->base.node_ranks * sizeof mine)));
  TRY_MPI(pl, "MPI_Allgather",
          MPI_Allgather(&mine, sizeof mine, MPI_BYTE, comm->kinds, sizeof mine, MPI_BYTE, comm->node));
  return PL_SUCCESS;
}

static int kind_of(const pl_context *pl, int rank)
{
  const mpi_comm *comm = pl_mpi_comm(pl);
  for (int i = 0; comm->kinds && i < comm->base.node_ranks; i++)
    if (comm->kinds[i].rank == rank) return comm->kinds[i].kind;
  return 0;
}

static bool takes_cuda(void)
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

/* ---- agreement ---- */

static pl_err broadcast_control(pl_context *pl, void *bytes, int size, int root)
{
  mpi_comm *comm = pl_mpi_comm(pl);
  const wait_target here = {.agree = true, .number = comm->started};
  MPI_Request request;
  TRY_MPI(pl, "MPI_Ibcast", MPI_Ibcast(bytes, size, MPI_BYTE, root, comm->control, &request));
  return pl_mpi_wait(pl, 1, &request, here, "MPI_Ibcast");
}

/* Broadcasts the error of rank `root`; the others prefix its number. The control communicator keeps it apart
 * from reductions that only some ranks have started. */
static pl_err share_error(pl_context *pl, int root, pl_err code)
{
  enum { LENGTH = 2048 };
  mpi_comm *comm = pl_mpi_comm(pl);
  PL_TRY(pl_mpi_bounce(pl, sizeof(int) + LENGTH));
  int *shared = comm->bounce;
  char *sentence = (char *)(shared + 1);
  *shared = (int)code;
  snprintf(sentence, LENGTH, "%s", pl_errmsg(pl));
  PL_TRY(broadcast_control(pl, shared, sizeof(int) + LENGTH, root));
  return comm->base.rank == root ? code : pl_fail(pl, (pl_err)*shared, "rank %d: %s", root, sentence);
}

/* Ranks agreed on an error after different collectives, which can never complete. */
static pl_err leave_with(pl_context *pl, pl_err err)
{
  pl_mpi_comm(pl)->left = err;
  snprintf(pl_mpi_comm(pl)->why, sizeof pl_mpi_comm(pl)->why, "%s", pl_errmsg(pl));
  return err;
}

/* Seconds that a rank waits in pl_agree, without and with an error, before it sends a notice. Without an
 * error only ranks of a small communicator send one. */
static const double notice_delay[2] = {1.0, 0.05};
enum { SMALL_COMM = 256 };

static pl_err wait_for_all(pl_context *pl, MPI_Request *request, pl_err err)
{
  mpi_comm *comm = pl_mpi_comm(pl);
  const double start = MPI_Wtime();
  bool told = !err && comm->base.ranks > SMALL_COMM;
  int done = 0;
  for (unsigned turn = 1;; turn++) {
    TRY_MPI(pl, "MPI_Iallreduce", MPI_Test(request, &done, MPI_STATUS_IGNORE));
    if (done) return PL_SUCCESS;
    if (turn % TURNS) continue;
    PL_TRY(poll_notices(pl, (wait_target){.agree = true, .number = comm->started}, err != PL_SUCCESS));
    yield_processor(start);
    if (told || MPI_Wtime() - start < notice_delay[err != PL_SUCCESS]) continue;
    send_notice(pl, true, comm->started, err ? err : PL_ERR_COMM,
                err ? comm->why
                    : "another rank has not made the call in which this rank waits; all ranks must make the "
                      "same collective calls, with the same objects and in the same order");
    told = true;
  }
}

/* Ranks made different calls: each reports its own and that of rank 0. */
static pl_err reject_call(pl_context *pl, const char *call)
{
  PL_TRY(pl_mpi_bounce(pl, PL_COMM_CALL));
  char *first = pl_mpi_comm(pl)->bounce;
  snprintf(first, PL_COMM_CALL, "%s", call);
  PL_TRY(broadcast_control(pl, first, PL_COMM_CALL, 0));
  if (!strcmp(first, call))
    return pl_fail(pl, PL_ERR_ARG,
                   "%s: other ranks make another call here; all ranks must make the same calls", call);
  return pl_fail(pl, PL_ERR_ARG, "%s: rank 0 makes another call here, %s; all ranks must make the same calls",
                 call, first);
}

static pl_err agree_on_call(pl_context *pl, pl_err err, const char *call)
{
  mpi_comm *comm = pl_mpi_comm(pl);
  MPI_Request request;
  if (comm->left) return err ? err : pl_comm_check(pl);
  PL_TRY(pl_notify_progress(pl, true));
  int *worst = comm->verdict, way = (int)(comm->started & INT32_MAX);
  worst[0] = err ? 1 : 0;
  worst[1] = err ? -comm->base.rank : INT32_MIN;
  worst[2] = way;
  worst[3] = -way;
  worst[4] = (int)(pl_hash(PL_HASH_START, call, strlen(call)) & INT32_MAX);
  worst[5] = -worst[4];
  if (err) snprintf(comm->why, sizeof comm->why, "%s", pl_errmsg(pl));
  uint64_t number = ++comm->started;
  TRY_MPI(pl, "MPI_Iallreduce",
          MPI_Iallreduce(MPI_IN_PLACE, worst, 6, MPI_INT, MPI_MAX, comm->control, &request));
  PL_TRY(wait_for_all(pl, &request, err));
  comm->agreed = number;
  if (!worst[0]) return worst[4] == -worst[5] ? PL_SUCCESS : reject_call(pl, call);
  bool parted = worst[2] != -worst[3];
  err = share_error(pl, -worst[1], err);
  return parted ? leave_with(pl, err) : err;
}

/* ---- the module ---- */

static const void *handle(const pl_context *pl)
{
  return &pl_mpi_comm(pl)->all;
}

static pl_err alone(pl_context *pl, const void **comm)
{
  static const MPI_Comm self = MPI_COMM_SELF;
  int initialised, finalized, provided;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalized);
  if (finalized)
    return pl_fail(pl, PL_ERR_STATE, "a solver package needs MPI, which the program has finalized");
  if (!initialised) {
    TRY_MPI(pl, "MPI_Init_thread", MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided));
    atexit(finalize_mpi);
  }
  *comm = &self;
  return PL_SUCCESS;
}

static const pl_comm_functions functions = {.open = open_comm,
                                            .close = close_comm,
                                            .handle = handle,
                                            .alone = alone,
                                            .share_kind = share_kind,
                                            .kind = kind_of,
                                            .takes_cuda = takes_cuda,
                                            .agree = agree_on_call,
                                            .leave = leave,
                                            .check = check,
                                            .sent = sent};

PL_DEFINE_MODULE(mpi, &functions)
