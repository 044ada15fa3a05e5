/* SPDX-License-Identifier: BSD-2-Clause
 * Device code. Invariant: a module's key is its text with everything else that its binary depends on.
 */
#include "device_module.h"
#include "codegen/jit/compiler.h"
#include "core/base/clock.h"
#include "core/context/memory.h"
#include "core/context/context.h"
#include "core/threads/background.h"
#include "core/tools/tools.h"
#include <string.h>

typedef struct pl_named_kernel {
  struct pl_named_kernel *next;
  char *name;
  void *kernel;
} pl_named_kernel;

struct pl_module {
  pl_module *next;
  pl_device *device;
  pl_string key;
  void *module;
  pl_failure failure; /* instead of a module: an error in the text */
  pl_named_kernel *kernels;
};

/* A compilation in the background. Its thread calls build_run and nothing else: the context belongs to the
 * caller. */
struct pl_build {
  pl_build *next;
  pl_device *device;
  pl_string key;
  void *program; /* of the driver */
  int result;    /* of build_run, once the thread has ended */
  pthread_t thread;
};

enum { MOST_BUILDS = 32 };

/* ---- compiling ---- */

static void *run_build(void *argument)
{
  pl_build *build = argument;
  build->result = build->device->driver->build_run(build->device, build->program);
  return NULL;
}

static void free_build(pl_build *build)
{
  pl_device *device = build->device;
  if (build->program) device->driver->build_free(device, build->program);
  pl_string_free(&build->key);
  pl_free(device->pl, build);
}

/* The place of the build in the list, or that of its end. */
static pl_build **find_build(pl_device *device, const pl_string *key, int *before)
{
  pl_build **link = &device->builds;
  for (*before = 0; *link; link = &(*link)->next, ++*before)
    if ((*link)->key.length == key->length && !memcmp((*link)->key.data, key->data, key->length)) break;
  return link;
}

static pl_err begin_build(pl_device *device, const char *label, const char *text, int registers,
                          const pl_string *key)
{
  int before;
  pl_build **link = find_build(device, key, &before);
  if (device->builds_one_by_one || *link || before == MOST_BUILDS) return PL_SUCCESS;
  pl_build *build = pl_calloc(device->pl, 1, sizeof *build);
  if (!build) return pl_fail_memory(device->pl, sizeof *build);
  build->device = device;
  pl_string_init(&build->key, device->pl);
  pl_string_add_bytes(&build->key, key->data, key->length);
  pl_err err = pl_string_check(&build->key);
  if (!err) err = device->driver->build_new(device, label, text, registers, &build->program);
  if (!err && pl_background_start(&build->thread, run_build, build)) {
    *link = build;
    return PL_SUCCESS;
  }
  free_build(build);
  return err == PL_ERR_MEMORY ? err : PL_SUCCESS;
}

static pl_err build_now(pl_device *device, const char *label, const char *text, int registers,
                        pl_string *binary)
{
  const pl_driver *driver = device->driver;
  void *program;
  PL_TRY(driver->build_new(device, label, text, registers, &program));
  const int result = driver->build_run(device, program);
  pl_err err = driver->build_end(device, label, text, program, result, binary);
  driver->build_free(device, program);
  return err;
}

static pl_err collect(pl_build *build, const char *label, const char *text, pl_string *binary)
{
  pl_device *device = build->device;
  pthread_join(build->thread, NULL);
  pl_err err = device->driver->build_end(device, label, text, build->program, build->result, binary);
  free_build(build);
  return err;
}

static pl_err get_binary(pl_device *device, const char *label, const char *text, int registers,
                         const pl_string *key, pl_string *binary)
{
  int before;
  pl_build **link = find_build(device, key, &before), *build = *link;
  if (!build) return build_now(device, label, text, registers, binary);
  *link = build->next;
  return collect(build, label, text, binary);
}

static void close_builds(pl_device *device)
{
  for (pl_build *build; (build = device->builds);) {
    device->builds = build->next;
    pthread_join(build->thread, NULL);
    free_build(build);
  }
}

/* ---- modules ---- */

static pl_err make_key(pl_device *device, const pl_string *text, int registers, pl_string *key)
{
  pl_string_add(key, "plait %s %s contraction %s registers %d\n", PLAIT_VERSION, device->identity,
                pl_opt_flag(device->pl, PL_OPT_REPRODUCIBLE) ? "off" : "on", registers);
  pl_string_add_bytes(key, text->data, text->length);
  return pl_string_check(key);
}

static pl_module *find_module(const pl_device *device, const pl_string *key)
{
  for (pl_module *m = device->modules; m; m = m->next)
    if (m->key.length == key->length && !memcmp(m->key.data, key->data, key->length)) return m;
  return NULL;
}

static pl_err load_module(pl_module *m, const char *label, const pl_string *text, int registers,
                          const pl_string *binary)
{
  return m->device->driver->load(m->device, label, pl_string_chars(text), registers, binary, &m->module);
}

static pl_err compile_module(pl_module *m, const char *label, const pl_string *text, int registers)
{
  pl_device *device = m->device;
  pl_string binary;
  pl_string_init(&binary, device->pl);
  device->pl->stats.compiler_runs++;
  pl_event_begin(device->pl, PL_TOOL_COMPILE, label, "", 0);
  pl_err err = get_binary(device, label, pl_string_chars(text), registers, &m->key, &binary);
  if (!err) err = load_module(m, label, text, registers, &binary);
  pl_event_end(device->pl, PL_TOOL_COMPILE);
  if (!err) {
    device->pl->stats.codes_compiled++;
    pl_cache_write(device->cache, label, &m->key, &binary); /* a failure costs only time */
  }
  pl_string_free(&binary);
  return err;
}

/* From the disk cache, unless the driver refuses its binary, or compiled. */
static pl_err load_or_compile(pl_module *m, const char *label, const pl_string *text, int registers)
{
  pl_device *device = m->device;
  pl_string binary;
  pl_string_init(&binary, device->pl);
  pl_event_begin(device->pl, PL_TOOL_PLAN, "load code", "", 0);
  pl_err err = pl_cache_read(device->cache, &m->key, &binary);
  if (!err && binary.length && load_module(m, label, text, registers, &binary)) m->module = NULL;
  pl_event_end(device->pl, PL_TOOL_PLAN);
  device->pl->stats.codes_disk += m->module != NULL;
  if (!err && !m->module) err = compile_module(m, label, text, registers);
  pl_string_free(&binary);
  return err;
}

/* One process at a time: a text is compiled once, and no driver's own cache is read while it is written. */
static pl_err fill_module(pl_module *m, const char *label, const pl_string *text, int registers)
{
  pl_device *device = m->device;
  const double start = pl_now();
  int lock;
  PL_TRY(pl_cache_lock(device->cache, &m->key, &lock));
  pl_err err = load_or_compile(m, label, text, registers);
  pl_cache_unlock(lock);
  device->pl->stats.compile_seconds += pl_now() - start;
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
  pl_failure_clear(device->pl, &m->failure);
  pl_string_free(&m->key);
  pl_free(device->pl, m);
}

pl_err pl_module_get(pl_device *device, const char *label, const pl_string *text, int registers,
                     pl_module **result)
{
  pl_context *pl = device->pl;
  PL_TRY(pl_string_check(text));
  pl_module *m = pl_calloc(pl, 1, sizeof *m);
  if (!m) return pl_fail_memory(pl, sizeof *m);
  m->device = device;
  pl_string_init(&m->key, pl);
  pl_err err = make_key(device, text, registers, &m->key);
  pl_module *known = err ? NULL : find_module(device, &m->key);
  if (known && known->module) pl->stats.codes_memory++;
  if (!err && !known) err = fill_module(m, label, text, registers);
  const bool lasts = pl_compile_error_lasts(pl, err);
  if (known || (err && !lasts)) {
    free_module(m);
    *result = known;
    return known ? pl_failure_repeat(pl, &known->failure) : err;
  }
  if (lasts) pl_failure_keep(pl, &m->failure);
  m->next = device->modules;
  device->modules = m;
  *result = m;
  return err;
}

/* Whether no binary is known for the key, in memory or on disk. */
static pl_err is_unknown(pl_device *device, const pl_string *key, bool *unknown)
{
  char name[PL_CACHE_NAME] = "";
  *unknown = !find_module(device, key);
  if (*unknown) PL_TRY(pl_cache_find(device->cache, key, name));
  *unknown &= !*name;
  return PL_SUCCESS;
}

pl_err pl_module_begin(pl_device *device, const char *label, const pl_string *text, int registers)
{
  pl_string key;
  bool unknown = false;
  PL_TRY(pl_string_check(text));
  pl_string_init(&key, device->pl);
  pl_err err = make_key(device, text, registers, &key);
  if (!err) err = is_unknown(device, &key, &unknown);
  if (unknown) err = begin_build(device, label, pl_string_chars(text), registers, &key);
  pl_string_free(&key);
  return err;
}

static pl_err add_kernel(pl_module *m, const char *name, pl_named_kernel **result)
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

pl_err pl_module_kernel(pl_module *m, const char *name, void **kernel)
{
  pl_named_kernel *k = m->kernels;
  while (k && strcmp(k->name, name)) k = k->next;
  if (!k) PL_TRY(add_kernel(m, name, &k));
  *kernel = k->kernel;
  return PL_SUCCESS;
}

void pl_modules_close(pl_device *device)
{
  close_builds(device);
  while (device->modules) {
    pl_module *m = device->modules;
    device->modules = m->next;
    free_module(m);
  }
}
