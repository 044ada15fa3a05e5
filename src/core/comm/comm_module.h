/* SPDX-License-Identifier: BSD-2-Clause
 * The functions of a communicator, which the module of MPI provides. comm.c calls them on several ranks and
 * gives the results for one rank itself; comm.h describes them.
 */
#pragma once

#include "comm.h"

typedef struct pl_comm_functions {
  pl_err (*open)(pl_context *pl, const void *communicator, const char *mpi, bool decided, pl_err err);
  void (*close)(pl_context *pl);
  const void *(*handle)(const pl_context *pl);
  pl_err (*alone)(pl_context *pl, const void **comm);
  pl_err (*share_kind)(pl_context *pl, int kind);
  int (*kind)(const pl_context *pl, int rank);
  bool (*takes_cuda)(void);
  pl_err (*agree)(pl_context *pl, pl_err err, const char *call);
  pl_err (*leave)(pl_context *pl, pl_err err);
  pl_err (*check)(pl_context *pl);
  void (*sent)(pl_context *pl);
} pl_comm_functions;

typedef struct pl_message_functions {
  pl_err (*scan)(pl_context *pl, int64_t value, int64_t *before);
  pl_err (*reduce)(pl_context *pl, pl_type type, pl_access op, void *values, size_t count);
  pl_err (*bcast)(pl_context *pl, int root, void *bytes, size_t size);
  pl_err (*gather)(pl_context *pl, const void *mine, size_t size, void *all);
  pl_err (*barrier)(pl_context *pl);
  pl_err (*counts)(pl_context *pl, const int64_t *count, int64_t *came);
  pl_err (*reserve)(pl_context *pl, pl_messages *messages, int more);
  pl_err (*send)(pl_context *pl, pl_messages *messages, int peer, const void *bytes, size_t size);
  pl_err (*receive)(pl_context *pl, pl_messages *messages, int peer, void *bytes, size_t size);
  pl_err (*reserve_reduction)(pl_context *pl, pl_messages *messages, size_t bytes);
  pl_err (*start_reduce)(pl_context *pl, pl_messages *messages, pl_type type, pl_access op, void *values,
                         size_t count);
  bool (*done)(pl_context *pl, pl_messages *messages);
  pl_err (*wait)(pl_context *pl, pl_messages *messages);
  bool (*free)(pl_context *pl, pl_messages *messages);
} pl_message_functions;

/* First member of the communicator of the module. */
struct pl_comm {
  const pl_comm_functions *functions;
  const pl_message_functions *messages;
  int rank, ranks, node_rank, node_ranks;
};
