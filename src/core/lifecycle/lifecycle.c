/* SPDX-License-Identifier: BSD-2-Clause
 * Opening and closing of a context; the choice of its backend.
 */
#include "lifecycle.h"
#include "core/arrays/algorithm_source.h"
#include "core/arrays/user_order_copy.h"
#include "core/base/clock.h"
#include "core/base/sized_struct.h"
#include "core/chain/deferred_queue.h"
#include "core/data/async_allreduce.h"
#include "core/exchange/exchange.h"
#include "core/interop/dlpack.h"

#include "core/loop/loop.h"
#include "core/loop/profile.h"
#include "core/loop/profile_write.h"
#include "core/particles/pair_map.h"
#include "core/program/program.h"
#include "core/program/queue.h"
#include "core/tools/tools.h"
#include "settings.h"
#include <string.h>

static void *default_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
  (void)user, (void)old_size;
  if (new_size) return realloc(ptr, new_size);
  free(ptr);
  return NULL;
}

/* ---- backends ---- */

static const pl_backend *find_backend(const pl_context *pl, const char *name)
{
  for (const pl_backend *const *b = pl->backends; *b; b++)
    if (!strcmp((*b)->name, name)) return *b;
  return NULL;
}

static pl_err open_backend(pl_context *pl)
{
  const char *name = pl_opt(pl, PL_OPT_BACKEND);
  const pl_backend *backend = find_backend(pl, name);
  if (!backend) return pl_fail(pl, PL_ERR_BACKEND, "backend \"%s\" is not part of this library", name);
  const char *why = backend->unavailable ? backend->unavailable(pl) : NULL;
  if (why) return pl_fail(pl, PL_ERR_BACKEND, "backend \"%s\" cannot be used: %s", name, why);
  PL_TRY(backend->open(pl, &pl->backend_state));
  pl->backend = backend;
  return PL_SUCCESS;
}

const char *pl_backend_name(const pl_context *pl)
{
  return pl && pl->backend ? pl->backend->name : "none";
}

int pl_backend_threads(const pl_context *pl)
{
  if (!pl || !pl->backend || !pl->backend->threads) return 1;
  return pl->backend->threads((pl_context *)pl);
}

pl_err pl_backend_at(pl_context *pl, int index, const char **name, const char **why_not)
{
  PL_TRY_GIVEN(pl);
  int n = 0;
  while (pl->backends[n]) n++;
  if (index < 0 || index >= n)
    return pl_fail(pl, PL_ERR_RANGE, "backend %d: there are %d backends", index, n);
  const pl_backend *backend = pl->backends[index];
  if (name) *name = backend->name;
  if (why_not) *why_not = backend->unavailable ? backend->unavailable(pl) : NULL;
  return PL_SUCCESS;
}

pl_err pl_device_at_sized(pl_context *pl, const char *name, int index, pl_device_info *info, size_t size)
{
  pl_device_info own = {.units = 0};
  PL_TRY(PL_GIVEN(NULL, "pl_device_at", pl));
  PL_TRY(PL_GIVEN(pl, "pl_device_at", name, info));
  const pl_backend *backend = find_backend(pl, name);
  if (!backend) return pl_fail(pl, PL_ERR_ARG, "pl_device_at: there is no backend \"%s\"", name);
  const char *why = backend->unavailable ? backend->unavailable(pl) : NULL;
  if (why) return pl_fail(pl, PL_ERR_BACKEND, "backend \"%s\" cannot be used: %s", name, why);
  if (!backend->device_at) return pl_fail(pl, PL_ERR_RANGE, "backend \"%s\" has no devices", name);
  PL_TRY(backend->device_at(pl, index, &own));
  pl_struct_give(info, size, &own, sizeof own);
  return PL_SUCCESS;
}

/* ---- opening and closing ---- */

/* The option `mpi` in the program's settings, or NULL. */
static const char *mpi_setting(const pl_settings *settings)
{
  const char *word = NULL;
  for (const char *const *option = settings->options; option && *option; option++)
    if (!strncmp(*option, "mpi=", 4)) word = *option + 4;
  return word;
}

/* Joins the ranks, without memory for the table of options too. */
static pl_err join_ranks(pl_context *pl, const pl_settings *settings, pl_err err)
{
  const char *mpi = mpi_setting(settings), *environment = getenv("PLAIT_MPI");
  const bool decided = mpi != NULL;
  if (pl->options.value[PL_OPT_COUNT - 1])
    mpi = pl_opt(pl, PL_OPT_MPI);
  else if (!mpi)
    mpi = environment ? environment : "auto";
  return pl_comm_open(pl, settings->comm, mpi, decided, err);
}

static void *fail_realloc(void *user, void *block, size_t old_size, size_t size)
{
  return (void)user, (void)block, (void)old_size, (void)size, NULL;
}

/* Reports to the other ranks that there is no memory for a context. */
static pl_err report_no_memory(const pl_settings *settings)
{
  pl_context none = {.realloc = fail_realloc};
  return join_ranks(&none, settings, PL_ERR_MEMORY);
}

/* In this order: recorded loops run before loops are freed, loops are freed before the objects they use. */
static void register_observers(pl_context *pl)
{
  pl_observe(pl, &pl_deferred_observer);
  pl_observe(pl, &pl_loop_observer);
  pl_observe(pl, &pl_pair_observer);
  pl_observe(pl, &pl_program_observer);
  pl_observe(pl, &pl_user_order_observer);
  pl_observe(pl, &pl_dlpack_observer);
  pl_observe(pl, &pl_allreduce_observer);
  pl_observe(pl, &pl_halo_observer);
}

pl_err pl_context_open(int *argc, char ***argv, const pl_settings *settings,
                       const pl_backend *const *backends, pl_context **result)
{
  static const pl_settings defaults = {NULL, NULL, NULL, NULL};
  if (!result) return pl_fail(NULL, PL_ERR_NULL, "pl_init: argument pl is NULL");
  if (!settings) settings = &defaults;
  pl_realloc_fn allocate = settings->realloc ? settings->realloc : default_realloc;
  pl_context *pl = *result = allocate(settings->realloc_user, NULL, 0, sizeof *pl);
  if (!pl) return report_no_memory(settings);
  memset(pl, 0, sizeof *pl);
  pl->realloc = allocate;
  pl->user_memory = settings->realloc != NULL;
  pl->realloc_user = settings->realloc_user;
  pl->backends = backends;
  pl->forget_thread_error = pl_forget_thread_error;
  register_observers(pl);
  pl_err err = pl_options_open(pl, argc, argv ? *argv : NULL, settings->options);
  const double begun = pl_now();
  PL_TRY(join_ranks(pl, settings, err));
  PL_TRY(pl_options_compare(pl));
  pl_deferred_options(pl);
  const double joined = pl_now();
  err = open_backend(pl);
  const double opened = pl_now();
  if (!err) err = pl_tools_open(pl);
  if (!err && pl_ranks(pl) > 1) pl_tools_add_setup(pl, "join ranks", joined - begun);
  if (!err) pl_tools_add_setup(pl, "open backend", opened - joined);
  err = pl_agree(pl, err);
  if (!err) err = pl_tools_start(pl);
  if (err) pl_tools_close(pl);
  if (err && pl->backend) pl->backend->close(pl);
  if (err) pl->backend = NULL;
  if (err) return err;
  return pl_comm_share_kind(pl, pl->backend->exchange ? pl->backend->exchange->shared_memory_kind(pl) : 0);
}

/* Frees all objects of a list, newest first; the objects they use are older or of a kind freed later. */
static void free_list(pl_node **list, void (*free_one)(pl_node *))
{
  while (*list) free_one(*list);
}

static void close_objects(pl_context *pl)
{
  pl->closing = true;
  pl_deferred_close(pl);
  pl_loops_close(pl);
  pl_halo_close(pl);
  pl_notify_close(pl);
  free_list(&pl->events, pl_event_destroy);
  free_list(&pl->queues, pl_queue_destroy);
  free_list(&pl->entries, pl_entry_destroy);
  free_list(&pl->programs, pl_program_destroy);
  free_list(&pl->chains, pl_chain_destroy);
  free_list(&pl->algorithms, pl_algorithm_destroy);
  free_list(&pl->kernels, pl_kernel_destroy);
  free_list(&pl->functions, pl_helper_destroy);
  free_list(&pl->consts, pl_const_destroy);
  free_list(&pl->globals, pl_global_destroy);
  pl_allreduces_close(pl);
  free_list(&pl->dats, pl_dat_destroy);
  free_list(&pl->maps, pl_map_destroy);
  free_list(&pl->domains, pl_domain_destroy);
  free_list(&pl->sets, pl_set_destroy);
}

void pl_finalize(pl_context **handle)
{
  if (!handle || !*handle) return;
  pl_context *pl = *handle;
  if (pl->backend) {
    if (pl_flush(pl)) pl_log(pl, 0, "a recorded loop failed: %s", pl_errmsg(pl));
    pl_profile_finish(pl);
    if (pl->backend->sync) (void)pl->backend->sync(pl); /* asynchronous work may be unfinished */
    pl_tools_close(pl);
    close_objects(pl);
    pl->backend->close(pl);
  }
  pl_profile_close(pl);
  pl_comm_close(pl);
  pl_options_close(pl);
  pl_free(pl, pl->error);
  pl->realloc(pl->realloc_user, pl, sizeof *pl, 0);
  *handle = NULL;
}
