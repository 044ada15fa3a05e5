/* SPDX-License-Identifier: BSD-2-Clause
 * What comm.c, which opens, agrees and leaves, and comm_messages.c, which moves values, know of MPI together.
 */
#ifndef PLAIT_CORE_COMM_MPI_H
#define PLAIT_CORE_COMM_MPI_H

#include "context.h"

#if PLAIT_HAVE_MPI
#include <mpi.h>

enum { TAG = 27, CHUNK = PL_MESSAGE_MOST };

/* What a rank tells the others when it fails where they do not expect it. */
typedef struct notice {
  int code, from, waits; /* waits: it is in pl_agree, and goes on if all others come there */
  uint64_t started;      /* collectives that it has started, the one it waits in included */
  uint64_t sent;         /* loops whose halos it has sent */
  char sentence[480];
} notice;

struct pl_comm {
  MPI_Comm all, node, apart; /* apart: for pl_agree and notices, which meet nothing else there */
  int rank, ranks, node_rank, node_ranks;
  bool initialised;               /* by us */
  uint64_t started, agreed, sent; /* collectives started; the last pl_agree that ended; as in a notice */
  notice in, out, heard[2];       /* the next one; ours; the first that came of each kind, code 0: none */
  MPI_Request listening;          /* for `in` */
  pl_err left;                    /* this rank has left the others: nothing is sent or awaited any more */
  char why[512];
  int verdict[6]; /* of pl_agree */
  void *bounce;   /* what a collective works on: it may outlive its caller when ranks leave */
  size_t room;
  struct kind {
    int rank, kind;
  } * kinds; /* of the ranks of this node; NULL: nobody was asked */
};

/* What this rank waits for. */
typedef struct place {
  bool halo, agree;
  uint64_t number; /* of the collective */
} place;

/* A failure of MPI: this rank leaves. Local. */
pl_err pl_mpi_failed(pl_context *pl, const char *what, int code);

/* Waits for the requests, unless another rank tells that they wait in vain. */
pl_err pl_mpi_wait(pl_context *pl, int n, MPI_Request *request, place at, const char *what);

/* A buffer of the communicator's own. A rank without memory for it cannot take part. */
pl_err pl_mpi_bounce(pl_context *pl, size_t bytes);

#define TRY_MPI(pl, what, call)                                                                              \
  do {                                                                                                       \
    int mpi_code = (call);                                                                                   \
    if (mpi_code != MPI_SUCCESS) return pl_mpi_failed((pl), (what), mpi_code);                               \
  } while (0)

/* Starts a collective, which fills in `request`, and waits for it. */
#define MEET(pl, what, start)                                                                                \
  do {                                                                                                       \
    MPI_Request request;                                                                                     \
    PL_TRY(pl_comm_check(pl));                                                                               \
    PL_TRY(pl_totals_start(pl, true));                                                                       \
    const place here = {.number = ++(pl)->comm->started};                                                    \
    TRY_MPI((pl), (what), (start));                                                                          \
    PL_TRY(pl_mpi_wait((pl), 1, &request, here, (what)));                                                    \
  } while (0)

#endif
#endif
