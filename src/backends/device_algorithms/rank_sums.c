/* SPDX-License-Identifier: BSD-2-Clause
 * Sums over ranks by a kernel that writes to the memory of the other ranks' devices and waits for their
 * values (rank_sums.device.inc). Invariant: all ranks sum the same globals in the same order.
 */
#include "rank_sums.h"
#include "backends/device/device_data.h"
#include "backends/device/device_globals.h"
#include "backends/device/device_module.h"
#include "codegen/target/prelude.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include <string.h>

extern const char pl_template_numbered_device[], pl_template_rank_sums_device[];

enum { MOST_RANKS = 16, GROUP = 32, VALUES = PL_RANK_SUMS * PL_RANK_SUM };

struct pl_rank_sums {
  bool opened, works;
  void *box[MOST_RANKS]; /* of all ranks, in this process */
  void *add, *barrier;   /* kernels */
};

/* A rank's message to the others. */
typedef struct offer {
  int machine_index;
  bool made;
  pl_handle box;
} offer;

/* ---- boxes ---- */

static size_t box_bytes(int ranks)
{
  return (4 * (size_t)ranks * VALUES + 2 * (size_t)ranks + 2) * sizeof(uint64_t);
}

/* A kernel that waits keeps a processor busy that another rank or its own host may need: with fewer
 * processors, each wait lasts until the system takes the processor away. */
static bool may_share(pl_device *device)
{
  pl_context *pl = device->pl;
  const int kind = pl_device_shares(pl), ranks = pl_ranks(pl);
  bool may = kind != PL_SHARES_NOTHING && ranks <= MOST_RANKS && device->has_double &&
             (kind == PL_SHARES_DEVICE || 2 * ranks <= device->units);
  for (int r = 0; r < ranks; r++) may &= pl_comm_kind(pl, r) == kind;
  return may;
}

/* A kernel that waits must not hold up the rank that it waits for, which a second one on its device would. */
static bool are_apart(const pl_device *device, int ranks, const offer *all)
{
  for (int r = 0; r < ranks && device->shared_memory_kind == PL_SHARES_DEVICE; r++)
    for (int q = 0; q < r; q++)
      if (all[q].machine_index == all[r].machine_index) return false;
  return true;
}

/* Cleared before others know of it. */
static void make_offer(pl_device *device, void **box, offer *mine)
{
  const size_t bytes = box_bytes(pl_ranks(device->pl));
  mine->machine_index = device->machine_index;
  mine->made = !device->driver->shared_new(device, bytes, box, &mine->box) &&
               !device->driver->zero(device, *box, bytes) && !device->driver->sync(device);
}

static bool open_boxes(pl_device *device, struct pl_rank_sums *sums, const offer *all)
{
  const int ranks = pl_ranks(device->pl), me = pl_rank(device->pl);
  bool opened = are_apart(device, ranks, all);
  for (int r = 0; r < ranks; r++) opened &= all[r].made;
  for (int r = 0; opened && r < ranks; r++)
    if (r != me) opened = !device->driver->shared_open(device, &all[r].box, &sums->box[r]);
  return opened;
}

/* ---- kernels ---- */

/* A processor looks for others' values far more often in a second. */
static const char *most_turns(const pl_device *device)
{
  return device->shared_memory_kind == PL_SHARES_HOST ? "100000000000" : "100000000";
}

static void print_kernels(pl_string *text, const pl_device *device)
{
  const pl_dialect *d = device->dialect;
  const int ranks = pl_ranks(device->pl);
  pl_print_prelude(text, d, true);
  pl_print_device_words(text, d);
  if (!d->system_fence) pl_string_add(text, "#define SYSTEM_FENCE MEM_FENCE\n");
  pl_string_add(text, "#define RANKS %d\n#define VALUES %d\n#define MOST_TURNS %s\n#define BOXES ", ranks,
                VALUES, most_turns(device));
  for (int r = 0; r < ranks; r++) pl_string_add(text, "%sGLOBAL uint64_t *box%d", r ? ", " : "", r);
  pl_string_add(text, "\n#define BOX_NAMES ");
  for (int r = 0; r < ranks; r++) pl_string_add(text, "%sbox%d", r ? ", " : "", r);
  pl_string_add(text, "\n%s%s", pl_template_numbered_device, pl_template_rank_sums_device);
}

static pl_err make_kernels(pl_device *device, struct pl_rank_sums *sums)
{
  pl_string text;
  pl_module *module = NULL;
  pl_string_init(&text, device->pl);
  print_kernels(&text, device);
  pl_err err = pl_module_get(device, "pl_rank_sums", &text, 0, &module);
  if (!err) err = pl_module_kernel(module, "pl_rank_sums", &sums->add);
  if (!err) err = pl_module_kernel(module, "pl_rank_barrier", &sums->barrier);
  pl_string_free(&text);
  return err;
}

/* ---- sums ---- */

static bool open_sums(pl_device *device, struct pl_rank_sums *sums)
{
  pl_context *pl = device->pl;
  offer mine = {0}, all[MOST_RANKS];
  if (!pl_comm_all(pl, may_share(device))) return false;
  make_offer(device, &sums->box[pl_rank(pl)], &mine);
  if (pl_comm_gather(pl, &mine, sizeof mine, all)) return false;
  const bool ready = open_boxes(device, sums, all) && !make_kernels(device, sums);
  pl_log(pl, 1, "sums over ranks: %s", ready ? "by the devices" : pl_errmsg(pl));
  return pl_comm_all(pl, ready);
}

bool pl_device_sums_ranks(pl_context *pl)
{
  pl_device *device = pl_device_of(pl);
  const bool made = device->sums || !PL_NEW(pl, device->sums, 1);
  if (!pl_comm_all(pl, made)) return false;
  if (!device->sums->opened) device->sums->works = open_sums(device, device->sums);
  device->sums->opened = true;
  return device->sums->works;
}

static void push_boxes(const pl_device *device, pl_launch_arg *arg)
{
  const struct pl_rank_sums *sums = device->sums;
  for (int r = 0; r < pl_ranks(device->pl); r++) arg[r] = (pl_launch_arg)PL_LAUNCH_ARG(sums->box[r]);
}

pl_err pl_device_rank_sums(pl_context *pl, int n, pl_global *const *globals)
{
  pl_device *device = pl_device_of(pl);
  struct pl_rank_sums *sums = device->sums;
  const int me = pl_rank(pl), none = 0;
  pl_launch_arg args[1 + 2 * PL_RANK_SUMS + MOST_RANKS] = {PL_LAUNCH_ARG(me)}, *dim = args + 1,
                                            *values = dim + PL_RANK_SUMS, *box = values + PL_RANK_SUMS;
  for (int i = 0; i < n; i++) PL_TRY(pl_device_global(device, globals[i]));
  for (int i = 0; i < PL_RANK_SUMS; i++) {
    dim[i] = i < n ? (pl_launch_arg)PL_LAUNCH_ARG(globals[i]->dim) : (pl_launch_arg)PL_LAUNCH_ARG(none);
    values[i] = (pl_launch_arg)PL_LAUNCH_ARG(globals[i < n ? i : 0]->device);
  }
  push_boxes(device, box);
  PL_TRY(
    device->driver->launch(device, sums->add, pl_grid_of(1, GROUP), (int)(box - args) + pl_ranks(pl), args));
  for (int i = 0; i < n; i++) pl_global_device_written(globals[i]);
  return PL_SUCCESS;
}

pl_err pl_device_rank_barrier(pl_device *device, int ranks)
{
  const int me = pl_rank(device->pl);
  pl_launch_arg args[2 + MOST_RANKS] = {PL_LAUNCH_ARG(me), PL_LAUNCH_ARG(ranks)};
  push_boxes(device, args + 2);
  return device->driver->launch(device, device->sums->barrier, pl_grid_of(1, GROUP), 2 + pl_ranks(device->pl),
                                args);
}

/* Others have sent the terms of this rank's last sum, and send no more. */
void pl_device_rank_sums_close(pl_device *device)
{
  struct pl_rank_sums *sums = device->sums;
  if (!sums) return;
  device->driver->sync(device);
  for (int r = 0; r < MOST_RANKS; r++)
    if (sums->box[r]) device->driver->shared_close(device, sums->box[r], r != pl_rank(device->pl));
  pl_free(device->pl, sums);
  device->sums = NULL;
}
