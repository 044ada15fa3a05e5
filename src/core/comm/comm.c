/* SPDX-License-Identifier: BSD-2-Clause
 * The communicator of a context: the module of MPI serves several ranks; the results for one rank, with or
 * without MPI, are found here.
 */
#include "comm_module.h"
#include "core/context/context.h"
#include <stdarg.h>
#include <string.h>

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

static bool is_alone(const pl_context *pl)
{
  return pl_ranks(pl) == 1;
}

void pl_comm_close(pl_context *pl)
{
  if (pl->comm) pl->comm->functions->close(pl);
}

const void *pl_comm_handle(const pl_context *pl)
{
  return pl->comm ? pl->comm->functions->handle(pl) : NULL;
}

pl_err pl_comm_for_library(pl_context *pl, const void **comm)
{
  *comm = pl_comm_handle(pl);
  if (*comm) return PL_SUCCESS;
  const pl_comm_functions *functions = pl_module_functions(pl, PL_MODULE_MPI);
  if (!functions) return pl_fail(pl, PL_ERR_BACKEND, "%s", pl_module_missing(pl, PL_MODULE_MPI));
  return functions->alone(pl, comm);
}

/* ---- device memory ---- */

pl_err pl_comm_share_kind(pl_context *pl, int kind)
{
  return is_alone(pl) ? PL_SUCCESS : pl->comm->functions->share_kind(pl, kind);
}

int pl_comm_kind(const pl_context *pl, int rank)
{
  return is_alone(pl) ? 0 : pl->comm->functions->kind(pl, rank);
}

bool pl_comm_takes_cuda(const pl_context *pl)
{
  return !is_alone(pl) && pl->comm->functions->takes_cuda();
}

/* ---- agreement ---- */

pl_err pl_agree(pl_context *pl, pl_err err)
{
  return is_alone(pl) ? err : pl->comm->functions->agree(pl, err, "a call of another kind");
}

pl_err pl_agree_on(pl_context *pl, pl_err err, const char *format, ...)
{
  char call[PL_COMM_CALL];
  va_list list;
  if (is_alone(pl)) return err;
  va_start(list, format);
  vsnprintf(call, sizeof call, format, list);
  va_end(list);
  return pl->comm->functions->agree(pl, err, call);
}

pl_err pl_raise(pl_context *pl, pl_err code, const char *sentence)
{
  PL_TRY_GIVEN(pl);
  if ((unsigned)code >= PL_ERR_COUNT)
    code = pl_fail(pl, PL_ERR_ARG, "pl_raise: %d is no error code", (int)code);
  else if (code)
    pl_fail(pl, code, "%s", sentence ? sentence : pl_errtext(code));
  return pl_agree_on(pl, code, "pl_raise");
}

pl_err pl_agree_on_error(pl_context *pl, pl_err err)
{
  return err ? pl_agree(pl, err) : PL_SUCCESS;
}

pl_err pl_comm_leave(pl_context *pl, pl_err err)
{
  return is_alone(pl) ? err : pl->comm->functions->leave(pl, err);
}

pl_err pl_comm_check(pl_context *pl)
{
  return pl->comm ? pl->comm->functions->check(pl) : PL_SUCCESS;
}

void pl_comm_sent(pl_context *pl)
{
  if (!is_alone(pl)) pl->comm->functions->sent(pl);
}

/* ---- collectives ---- */

pl_err pl_comm_scan(pl_context *pl, int64_t value, int64_t *before, int64_t *total)
{
  int64_t lower = 0, sum = value;
  if (!is_alone(pl)) {
    PL_TRY(pl->comm->messages->scan(pl, value, &lower));
    PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, &sum, 1));
  }
  if (before) *before = lower;
  if (total) *total = sum;
  return PL_SUCCESS;
}

pl_err pl_comm_reduce(pl_context *pl, pl_type type, pl_access op, void *values, size_t count)
{
  return is_alone(pl) || !count ? PL_SUCCESS : pl->comm->messages->reduce(pl, type, op, values, count);
}

pl_err pl_comm_bcast(pl_context *pl, int root, void *bytes, size_t size)
{
  return is_alone(pl) ? PL_SUCCESS : pl->comm->messages->bcast(pl, root, bytes, size);
}

pl_err pl_comm_gather(pl_context *pl, const void *mine, size_t size, void *all)
{
  if (!is_alone(pl)) return pl->comm->messages->gather(pl, mine, size, all);
  memcpy(all, mine, size);
  return PL_SUCCESS;
}

pl_err pl_comm_barrier(pl_context *pl)
{
  return is_alone(pl) ? PL_SUCCESS : pl->comm->messages->barrier(pl);
}

pl_err pl_comm_counts(pl_context *pl, const int64_t *count, int64_t *came)
{
  if (!is_alone(pl)) return pl->comm->messages->counts(pl, count, came);
  came[0] = count[0];
  return PL_SUCCESS;
}

/* ---- messages ---- */

pl_err pl_messages_reserve(pl_context *pl, pl_messages *messages, int more)
{
  return is_alone(pl) ? PL_SUCCESS : pl->comm->messages->reserve(pl, messages, more);
}

static pl_err no_peer(pl_context *pl, int peer)
{
  return pl_fail(pl, PL_ERR_INTERNAL, "a message to rank %d without other ranks", peer);
}

pl_err pl_messages_send(pl_context *pl, pl_messages *messages, int peer, const void *bytes, size_t size)
{
  return is_alone(pl) ? no_peer(pl, peer) : pl->comm->messages->send(pl, messages, peer, bytes, size);
}

pl_err pl_messages_receive(pl_context *pl, pl_messages *messages, int peer, void *bytes, size_t size)
{
  return is_alone(pl) ? no_peer(pl, peer) : pl->comm->messages->receive(pl, messages, peer, bytes, size);
}

pl_err pl_messages_reserve_reduction(pl_context *pl, pl_messages *messages, size_t bytes)
{
  return is_alone(pl) ? PL_SUCCESS : pl->comm->messages->reserve_reduction(pl, messages, bytes);
}

pl_err pl_messages_reduce(pl_context *pl, pl_messages *messages, pl_type type, pl_access op, void *values,
                          size_t count)
{
  if (is_alone(pl)) return PL_SUCCESS;
  return pl->comm->messages->start_reduce(pl, messages, type, op, values, count);
}

bool pl_messages_done(pl_context *pl, pl_messages *messages)
{
  return is_alone(pl) || pl->comm->messages->done(pl, messages);
}

pl_err pl_messages_wait(pl_context *pl, pl_messages *messages)
{
  return is_alone(pl) ? PL_SUCCESS : pl->comm->messages->wait(pl, messages);
}

bool pl_messages_free(pl_context *pl, pl_messages *messages)
{
  return is_alone(pl) || pl->comm->messages->free(pl, messages);
}
