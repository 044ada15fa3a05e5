/* SPDX-License-Identifier: BSD-2-Clause
 * Device code: memory, disk cache, the driver's compiler, as for host code. The key is the text with
 * everything that decides a binary.
 */
#include "device.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/profile.h"
#include <string.h>

typedef struct pl_named_kernel {
  struct pl_named_kernel *next;
  char *name;
  void *kernel;
} pl_named_kernel;

struct pl_module {
  pl_module *next;
  pl_device *device;
  pl_text key;
  void *module;
  pl_named_kernel *kernels;
};

static pl_err make_key(pl_device *device, const char *text, int registers, pl_text *key)
{
  pl_text_add(key, "plait %s %s contraction %s registers %d\n", PLAIT_VERSION, device->identity,
              pl_opt_flag(device->pl, PL_OPT_REPRODUCIBLE) ? "off" : "on", registers);
  pl_text_bytes(key, text, strlen(text));
  return pl_text_check(key);
}

static pl_module *find(const pl_device *device, const pl_text *key)
{
  for (pl_module *m = device->modules; m; m = m->next)
    if (m->key.length == key->length && !memcmp(m->key.data, key->data, key->length)) return m;
  return NULL;
}

/* A binary from the disk cache that the driver takes; *module stays NULL otherwise. */
static pl_err from_disk(pl_device *device, const pl_text *key, int registers, void **module)
{
  pl_text binary;
  pl_text_init(&binary, device->pl);
  pl_err err = pl_cache_read(device->cache, key, &binary);
  if (!err && binary.length && device->driver->load(device, &binary, registers, module)) *module = NULL;
  if (*module) device->pl->stats.codes_disk++;
  pl_text_free(&binary);
  return err;
}

static pl_err compile(pl_device *device, const char *label, const char *text, int registers,
                      const pl_text *key, void **module)
{
  pl_text binary;
  pl_text_init(&binary, device->pl);
  device->pl->stats.compiler_runs++;
  pl_err err = device->driver->compile(device, label, text, registers, &binary);
  if (!err) err = device->driver->load(device, &binary, registers, module);
  if (!err) {
    device->pl->stats.codes_compiled++;
    pl_cache_write(device->cache, label, key, &binary); /* a cache that cannot be written costs only time */
  }
  pl_text_free(&binary);
  return err;
}

static pl_err fill(pl_module *m, const char *label, const char *text, int registers)
{
  double start = pl_now();
  PL_TRY(from_disk(m->device, &m->key, registers, &m->module));
  pl_err err = m->module ? PL_SUCCESS : compile(m->device, label, text, registers, &m->key, &m->module);
  m->device->pl->stats.compile_seconds += pl_now() - start;
  return err;
}

static void free_module(pl_module *m)
{
  pl_device *device = m->device;
  for (pl_named_kernel *k; (k = m->kernels);) {
    m->kernels = k->next;
    if (k->kernel && device->driver->kernel_free) device->driver->kernel_free(device, k->kernel);
    pl_free(device->pl, k->name);
    pl_free(device->pl, k);
  }
  if (m->module) device->driver->unload(device, m->module);
  pl_text_free(&m->key);
  pl_free(device->pl, m);
}

pl_err pl_module_get_within(pl_device *device, const char *label, const char *text, int registers,
                            pl_module **result)
{
  pl_context *pl = device->pl;
  pl_module *m = pl_calloc(pl, 1, sizeof *m);
  if (!m) return pl_fail_memory(pl, sizeof *m);
  m->device = device;
  pl_text_init(&m->key, pl);
  pl_err err = make_key(device, text, registers, &m->key);
  pl_module *known = err ? NULL : find(device, &m->key);
  if (known) pl->stats.codes_memory++;
  if (!err && !known) err = fill(m, label, text, registers);
  if (err || known) {
    free_module(m);
    *result = known;
    return err;
  }
  m->next = device->modules;
  device->modules = m;
  *result = m;
  return PL_SUCCESS;
}

/* A kernel that the module has, entered in its list. */
static pl_err take_kernel(pl_module *m, const char *name, pl_named_kernel **result)
{
  pl_context *pl = m->device->pl;
  pl_named_kernel *k = pl_calloc(pl, 1, sizeof *k);
  if (!k) return pl_fail_memory(pl, sizeof *k);
  k->name = pl_strdup(pl, name);
  pl_err err = k->name ? m->device->driver->kernel(m->device, m->module, name, &k->kernel)
                       : pl_fail_memory(pl, strlen(name) + 1);
  if (err) {
    pl_free(pl, k->name);
    pl_free(pl, k);
    return err;
  }
  k->next = m->kernels;
  *result = m->kernels = k;
  return PL_SUCCESS;
}

pl_err pl_module_get(pl_device *device, const char *label, const char *text, pl_module **result)
{
  return pl_module_get_within(device, label, text, 0, result);
}

pl_err pl_module_kernel(pl_module *m, const char *name, void **kernel)
{
  pl_named_kernel *k = m->kernels;
  while (k && strcmp(k->name, name)) k = k->next;
  if (!k) PL_TRY(take_kernel(m, name, &k));
  *kernel = k->kernel;
  return PL_SUCCESS;
}

void pl_modules_close(pl_device *device)
{
  while (device->modules) {
    pl_module *m = device->modules;
    device->modules = m->next;
    free_module(m);
  }
}
