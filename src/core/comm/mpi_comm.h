/* SPDX-License-Identifier: BSD-2-Clause
 * The communicator of the module of MPI, shared by mpi_comm.c (opening, agreement, failures) and
 * mpi_messages.c (collectives and messages). The only file that includes mpi.h.
 */
#pragma once

#include "comm_module.h"
#include "core/context/context.h"
#include "core/context/observer.h"

#include <mpi.h>

enum { TAG = 27, REDUCTION_TAG, CHUNK = PL_MESSAGE_MOST };

/* The failure notice of a rank. */
typedef struct notice {
  int code, from, waits; /* waits: the rank waits in pl_agree and continues if all others call it */
  uint64_t started;      /* collectives that it has started, including the one it waits in */
  uint64_t sent;         /* loops whose halos it has sent */
  char sentence[480];
} notice;

typedef struct mpi_comm {
  pl_comm base;
  MPI_Comm all, node, control;    /* control: for pl_agree and notices only */
  bool initialised;               /* MPI, by the library */
  uint64_t started, agreed, sent; /* collectives started; the last finished pl_agree; as in a notice */
  notice in, out, received[2];    /* receive buffer; send buffer; the first of each kind, code 0: none */
  MPI_Request listening;          /* for `in` */
  pl_err left;                    /* this rank has left: it neither sends nor waits */
  char why[512];
  int verdict[6]; /* of pl_agree */
  void *bounce;   /* the buffer of collectives, which may outlive their caller when ranks leave */
  size_t room;
  struct kind {
    int rank, kind;
  } * kinds; /* of the ranks of this node; NULL: not published */
} mpi_comm;

static inline mpi_comm *pl_mpi_comm(const pl_context *pl)
{
  return (mpi_comm *)pl->comm;
}

/* The operation that this rank waits for. */
typedef struct wait_target {
  bool halo, agree;
  uint64_t number; /* of the collective */
} wait_target;

/* A failure of MPI: this rank leaves. Local. */
pl_err pl_mpi_failed(pl_context *pl, const char *what, int code);

/* Waits for the requests; fails if a notice says that they cannot complete. */
pl_err pl_mpi_wait(pl_context *pl, int n, MPI_Request *request, wait_target target, const char *what);

/* Collectives and messages, mpi_messages.c. */
extern const pl_message_functions pl_mpi_messages;

/* Allocates the buffer of collectives; a rank without memory for it leaves. */
pl_err pl_mpi_bounce(pl_context *pl, size_t bytes);

#define TRY_MPI(pl, what, call)                                                                              \
  do {                                                                                                       \
    int mpi_code = (call);                                                                                   \
    if (mpi_code != MPI_SUCCESS) return pl_mpi_failed((pl), (what), mpi_code);                               \
  } while (0)

/* Starts a non-blocking collective, which sets `request`, and waits for it. */
#define RUN_COLLECTIVE(pl, what, start)                                                                      \
  do {                                                                                                       \
    MPI_Request request;                                                                                     \
    PL_TRY(pl_comm_check(pl));                                                                               \
    PL_TRY(pl_notify_progress(pl, true));                                                                    \
    const wait_target here = {.number = ++pl_mpi_comm(pl)->started};                                         \
    TRY_MPI((pl), (what), (start));                                                                          \
    PL_TRY(pl_mpi_wait((pl), 1, &request, here, (what)));                                                    \
  } while (0)
