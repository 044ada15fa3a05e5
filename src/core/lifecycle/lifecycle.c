/* SPDX-License-Identifier: BSD-2-Clause
 * The context: opening, closing, the lists of objects, and which backend is in use.
 */
#include "chain.h"
#include "halo.h"
#include "profile.h"
#include "program.h"
#include "queue.h"
#include "total.h"
#include <string.h>

static void *default_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
  (void)user, (void)old_size;
  if (new_size) return realloc(ptr, new_size);
  free(ptr);
  return NULL;
}

/* ---- objects ---- */

void *pl_node_new(pl_context *pl, pl_node **list, size_t size, const char *name)
{
  pl_node *node = pl_calloc(pl, 1, size);
  char *copy = node ? pl_strdup(pl, name ? name : "(unnamed)") : NULL;
  if (!copy) {
    pl_free(pl, node);
    pl_fail_memory(pl, size);
    return NULL;
  }
  node->pl = pl;
  node->name = copy;
  node->id = ++pl->next_id;
  node->own = pl->late.busy; /* made for a chain */
  node->next = *list;
  node->link = list;
  if (node->next) node->next->link = &node->next;
  *list = node;
  return node;
}

void pl_node_free(pl_node *node)
{
  pl_context *pl = node->pl;
  *node->link = node->next;
  if (node->next) node->next->link = node->link;
  pl_free(pl, node->name);
  pl_free(pl, node);
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
  if (!pl) return PL_ERR_ARG;
  int n = 0;
  while (pl->backends[n]) n++;
  if (index < 0 || index >= n)
    return pl_fail(pl, PL_ERR_RANGE, "backend %d: there are %d backends", index, n);
  const pl_backend *backend = pl->backends[index];
  if (name) *name = backend->name;
  if (why_not) *why_not = backend->unavailable ? backend->unavailable(pl) : NULL;
  return PL_SUCCESS;
}

pl_err pl_device_at(pl_context *pl, const char *name, int index, pl_device_info *info)
{
  if (!pl) return PL_ERR_ARG;
  if (!name || !info) return pl_fail(pl, PL_ERR_ARG, "pl_device_at: a pointer is NULL");
  const pl_backend *backend = find_backend(pl, name);
  if (!backend) return pl_fail(pl, PL_ERR_ARG, "pl_device_at: there is no backend \"%s\"", name);
  const char *why = backend->unavailable ? backend->unavailable(pl) : NULL;
  if (why) return pl_fail(pl, PL_ERR_BACKEND, "backend \"%s\" cannot be used: %s", name, why);
  if (!backend->device_at) return pl_fail(pl, PL_ERR_RANGE, "backend \"%s\" has no devices", name);
  memset(info, 0, sizeof *info);
  return backend->device_at(pl, index, info);
}

/* ---- opening and closing ---- */

/* Option `mpi` where there was no memory for the table of options. */
static const char *mpi_word(const pl_settings *settings)
{
  const char *word = getenv("PLAIT_MPI");
  for (const char *const *option = settings->options; option && *option; option++)
    if (!strncmp(*option, "mpi=", 4)) word = *option + 4;
  return word ? word : "auto";
}

static void *refuse(void *user, void *block, size_t old_size, size_t size)
{
  return (void)user, (void)block, (void)old_size, (void)size, NULL;
}

/* Without memory for a context the other ranks must hear of it all the same. */
static pl_err tell_others(const pl_settings *settings)
{
  pl_context none = {.realloc = refuse};
  return pl_comm_open(&none, settings->comm, mpi_word(settings), PL_ERR_MEMORY);
}

pl_err pl_context_open(int *argc, char ***argv, const pl_settings *settings,
                       const pl_backend *const *backends, pl_context **result)
{
  static const pl_settings defaults = {NULL, NULL, NULL, NULL};
  if (!result) return PL_ERR_ARG;
  if (!settings) settings = &defaults;
  pl_realloc_fn allocate = settings->realloc ? settings->realloc : default_realloc;
  pl_context *pl = *result = allocate(settings->realloc_user, NULL, 0, sizeof *pl);
  if (!pl) return tell_others(settings);
  memset(pl, 0, sizeof *pl);
  pl->realloc = allocate;
  pl->user_memory = settings->realloc != NULL;
  pl->realloc_user = settings->realloc_user;
  pl->backends = backends;
  pl_err err = pl_options_open(pl, argc, argv ? *argv : NULL, settings->options);
  const char *mpi = pl_opt(pl, PL_OPT_COUNT - 1) ? pl_opt(pl, PL_OPT_MPI) : mpi_word(settings);
  PL_TRY(pl_comm_open(pl, settings->comm, mpi, err));
  pl_late_options(pl);
  err = pl_agree(pl, open_backend(pl));
  if (err && pl->backend) pl->backend->close(pl);
  if (err) pl->backend = NULL;
  return err ? err : pl_comm_tell_kind(pl, pl->backend->shares ? pl->backend->shares(pl) : 0);
}

pl_err pl_same_versions(pl_context *pl)
{
  uint64_t version[2] = {pl->decl_version, pl->late.changes};
  PL_TRY(pl_comm_reduce(pl, PL_UINT64, PL_MAX, version, 2));
  pl->decl_version = version[0];
  pl->late.changes = version[1];
  return PL_SUCCESS;
}

pl_err pl_context_check(const pl_context *pl)
{
  if (!pl) return PL_ERR_ARG;
  return pl->backend ? PL_SUCCESS : pl->error_code;
}

/* Frees all objects of a list, newest first; what they hang on is older or of a kind freed later. */
static void free_list(pl_node **list, void (*free_one)(pl_node *))
{
  while (*list) free_one(*list);
}

static void close_objects(pl_context *pl)
{
  pl_loops_close(pl);
  pl_halo_close(pl);
  if (pl->plans_free) pl->plans_free(pl);
  free_list(&pl->events, pl_event_destroy);
  free_list(&pl->queues, pl_queue_destroy);
  free_list(&pl->entries, pl_entry_destroy);
  free_list(&pl->programs, pl_program_destroy);
  free_list(&pl->chains, pl_chain_destroy);
  free_list(&pl->kernels, pl_kernel_destroy);
  free_list(&pl->functions, pl_helper_destroy);
  free_list(&pl->consts, pl_const_destroy);
  free_list(&pl->globals, pl_global_destroy);
  pl_totals_close(pl);
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
    pl_late_run(pl);
    pl_profile_finish(pl);
    if (pl->backend->sync) (void)pl->backend->sync(pl); /* what nobody waited for runs in the process still */
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
