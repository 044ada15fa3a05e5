/* SPDX-License-Identifier: BSD-2-Clause
 * Opening and closing a device, and naming devices. Invariant: what any device module keeps in pl_device is
 * freed in pl_device_close.
 */
#include "device_open.h"
#include "device_loop.h"
#include "backends/device/device_data.h"
#include "backends/device/device_module.h"
#include "backends/device_algorithms/device_cg.h"
#include "backends/device_algorithms/rank_sums.h"
#include "backends/device_algorithms/device_scan.h"
#include "backends/host_loop/host_loop.h"
#include "core/context/context.h"
#include "core/context/memory.h"

pl_err pl_device_open(pl_context *pl, const pl_driver *driver, void **state)
{
  const pl_dialect *dialect = pl_dialect_find(driver->name);
  if (!dialect)
    return pl_fail(pl, PL_ERR_BACKEND,
                   "backend %s cannot generate code: codegen/target/dialect.c has no row for it",
                   driver->name);
  pl_device *device = pl_calloc(pl, 1, sizeof *device);
  if (!device) return pl_fail_memory(pl, sizeof *device);
  device->pl = pl;
  device->driver = driver;
  device->dialect = dialect;
  device->run_boundary = pl_device_run_boundary;
  device->barrier = pl_device_rank_barrier;
  pl_err err = pl_cache_open(pl, &device->cache);
  if (!err) err = driver->open(device);
  if (err) {
    if (device->cache) pl_cache_close(&device->cache);
    pl_free(pl, device);
    return err;
  }
  device->lane_dialect = device->takes_ptx ? pl_dialect_find("opencl_ptx") : dialect;
  pl_log(pl, 1, "backend %s on device %s, %s", driver->name, device->number, device->name);
  pl->deferred.launch_bound = device->shared_memory_kind != PL_SHARES_HOST; /* a CPU launches fast */
  *state = device;
  return PL_SUCCESS;
}

void pl_device_close(pl_context *pl)
{
  pl_device *device = pl_device_of(pl);
  pl_device_rank_sums_close(device);
  pl_device_cg_free(device);
  pl_device_scans_free(device);
  for (int k = 0; k < 5; k++) device->driver->free(device, device->sort_buffer[k]);
  pl_modules_close(device);
  device->driver->free(device, device->staging);
  for (int k = 0; k < 2; k++) device->driver->free(device, device->moves[k].at);
  device->driver->close(device);
  pl_cache_close(&device->cache);
  pl_host_free(pl, device->host);
  pl_free(pl, device);
}

pl_err pl_device_sync(pl_context *pl)
{
  pl_device *device = pl_device_of(pl);
  return device->driver->sync(device);
}

/* ---- naming devices ---- */

int pl_device_local_rank(void)
{
  static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID", NULL};
  for (const char *const *name = names; *name; name++)
    if (getenv(*name)) return atoi(getenv(*name)) > 0 ? atoi(getenv(*name)) : 0;
  return 0;
}

void pl_device_describe(const pl_device *device, pl_device_info *info)
{
  snprintf(info->name, sizeof info->name, "%s", device->name);
  snprintf(info->version, sizeof info->version, "%s", device->version);
  info->has_double = device->has_double;
  info->has_atomics_64 = device->has_atomics_64;
  info->units = device->units;
}

pl_err pl_device_unknown(const pl_device *device, const char *kind)
{
  pl_context *pl = device->pl;
  pl_device_info info;
  pl_string list;
  pl_string_init(&list, pl);
  for (int i = 0; !pl_device_at(pl, device->driver->name, i, &info); i++)
    pl_string_add(&list, "%s%s \"%s\"", i ? ", " : "", info.number, info.name);
  pl_err err =
    pl_fail(pl, PL_ERR_OPTION, "option device: no %s device has the number or the name \"%s\"; there is %s",
            kind, pl_opt(pl, PL_OPT_DEVICE), list.failed ? "another" : pl_string_chars(&list));
  pl_string_free(&list);
  return err;
}
