/* SPDX-License-Identifier: BSD-2-Clause
 * The OpenCL 1.2 driver: devices and errors. The ICD loader is opened at run time. Invariant: it is never
 * closed, as some drivers crash when unloaded.
 */
#include "backends/device_loop/device_backend.h"
#include "opencl_driver.h"
#include "core/context/memory.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *open_library(void)
{
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  return library ? library : dlopen("libOpenCL.so", RTLD_NOW | RTLD_LOCAL);
}

static bool load_functions(opencl *c)
{
  bool all = true;
#define X(f) all &= (*(void **)&c->p_##f = dlsym(c->library, #f)) != NULL;
#include "opencl_functions.def"
#undef X
  return all;
}

/* ---- errors ---- */

/* The meaning of a code, with a remedy if users have one. */
static const char *error_text(cl_int code)
{
  static const struct {
    cl_int code;
    const char *text;
  } errors[] = {
    {CL_DEVICE_NOT_FOUND, "no such device"},
    {CL_DEVICE_NOT_AVAILABLE, "the device is not available; another program may hold it"},
    {CL_COMPILER_NOT_AVAILABLE, "the driver has no compiler; install one that has"},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, "out of device memory; use less data, float, or more devices"},
    {CL_INVALID_BUFFER_SIZE, "out of device memory; use less data, float, or more devices"},
    {CL_OUT_OF_RESOURCES, "out of device resources; use less data or a smaller PLAIT_BLOCK_SIZE"},
    {CL_OUT_OF_HOST_MEMORY, "out of host memory"},
    {CL_BUILD_PROGRAM_FAILURE, "the program could not be built"},
    {CL_INVALID_BINARY, "the code was compiled for another device or driver"},
    {CL_INVALID_BUILD_OPTIONS, "the driver does not support a compiler option"},
    {CL_INVALID_KERNEL_NAME, "the program has no kernel of that name"},
    {CL_INVALID_WORK_GROUP_SIZE, "the block is too large for the kernel; set a smaller PLAIT_BLOCK_SIZE"}};
  for (size_t k = 0; k < sizeof errors / sizeof *errors; k++)
    if (errors[k].code == code) return errors[k].text;
  return code <= CL_INVALID_VALUE ? "invalid value or object" : "unknown error";
}

pl_err pl_opencl_check(pl_device *device, cl_int result, const char *doing)
{
  if (result == CL_SUCCESS) return PL_SUCCESS;
  bool memory = result == CL_MEM_OBJECT_ALLOCATION_FAILURE || result == CL_OUT_OF_HOST_MEMORY;
  return pl_fail(device->pl, memory ? PL_ERR_MEMORY : PL_ERR_BACKEND, "OpenCL device %s: %s: %s (%d)",
                 device->name, doing, error_text(result), (int)result);
}

/* ---- choosing the device ---- */

/* Platforms and the number of their devices. The first query initialises drivers, and not all of them are
 * thread-safe then. */
static cl_uint list_platforms(const opencl *c, cl_platform_id list[MAX_PLATFORMS], cl_uint *devices)
{
  static pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER;
  cl_uint n = 0, more;
  *devices = 0;
  pthread_mutex_lock(&process_lock);
  if (c->p_clGetPlatformIDs(MAX_PLATFORMS, list, &n) != CL_SUCCESS) n = 0;
  if (n > MAX_PLATFORMS) n = MAX_PLATFORMS;
  for (cl_uint p = 0; p < n; p++)
    if (c->p_clGetDeviceIDs(list[p], CL_DEVICE_TYPE_ALL, 0, NULL, &more) == CL_SUCCESS) *devices += more;
  pthread_mutex_unlock(&process_lock);
  return n;
}

static const char *unavailable(pl_context *pl)
{
  (void)pl;
  opencl c = {.library = open_library()};
  cl_platform_id platforms[MAX_PLATFORMS];
  cl_uint devices = 0;
  if (!c.library)
    return "libOpenCL.so.1 was not found; install an OpenCL loader (package ocl-icd-libopencl1)";
  if (load_functions(&c)) list_platforms(&c, platforms, &devices);
  return devices ? NULL
                 : "no OpenCL device was found; install a driver (package pocl-opencl-icd for the CPU)";
}

static void device_name(const opencl *c, cl_device_id id, char *name, size_t size)
{
  if (c->p_clGetDeviceInfo(id, CL_DEVICE_NAME, size, name, NULL) != CL_SUCCESS) snprintf(name, size, "?");
}

typedef struct found {
  cl_platform_id platform;
  cl_device_id id;
  unsigned p, d;
} found;

static int list_devices(const opencl *c, found list[MAX_DEVICES])
{
  cl_platform_id platforms[MAX_PLATFORMS];
  cl_device_id ids[MAX_DEVICES];
  cl_uint m, n = list_platforms(c, platforms, &m);
  int count = 0;
  for (cl_uint p = 0; p < n; p++) {
    if (c->p_clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES, ids, &m) != CL_SUCCESS) continue;
    for (cl_uint d = 0; d < m && d < MAX_DEVICES && count < MAX_DEVICES; d++)
      list[count++] = (found){platforms[p], ids[d], p, d};
  }
  return count;
}

/* Option device is "platform:device", part of the name, or empty. */
static bool is_asked(const opencl *c, const char *asked, const found *one)
{
  char number[32], name[128];
  snprintf(number, sizeof number, "%u:%u", one->p, one->d);
  device_name(c, one->id, name, sizeof name);
  return !*asked || !strcmp(asked, number) ||
         (strspn(asked, "0123456789:") != strlen(asked) && strstr(name, asked));
}

static bool is_kind(const opencl *c, cl_device_type kind, const found *one)
{
  cl_device_type type = 0;
  c->p_clGetDeviceInfo(one->id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  return type & kind;
}

static void use_device(opencl *c, const found *one)
{
  c->platform = one->platform;
  c->device = one->id;
}

/* Returns the number of devices of a kind that match option device. */
static int select_devices(const opencl *c, const char *asked, cl_device_type kind, const found *list, int n,
                          found *fitting)
{
  int m = 0;
  for (int i = 0; i < n; i++)
    if (is_kind(c, kind, &list[i]) && is_asked(c, asked, &list[i])) fitting[m++] = list[i];
  return m;
}

/* By option device or, without it, by local rank; GPUs come first. */
static pl_err choose_device(pl_device *device, opencl *c)
{
  const char *asked = pl_opt(device->pl, PL_OPT_DEVICE);
  const cl_device_type kinds[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
  found list[MAX_DEVICES], fitting[MAX_DEVICES];
  int n = list_devices(c, list), m = 0;
  for (int k = 0; k < 2 && !m; k++) m = select_devices(c, asked, kinds[k], list, n, fitting);
  const found *one = &fitting[m && !*asked ? pl_device_local_rank() % m : 0];
  if (m) use_device(c, one);
  if (m) snprintf(device->number, sizeof device->number, "%u:%u", one->p, one->d);
  return m ? PL_SUCCESS : pl_device_unknown(device, "OpenCL");
}

static bool has_extension(const opencl *c, const char *name)
{
  char list[8192] = "";
  c->p_clGetDeviceInfo(c->device, CL_DEVICE_EXTENSIONS, sizeof list, list, NULL);
  return strstr(list, name) != NULL;
}

/* CPU drivers keep a block's private memory on one thread's stack, some twice; GPU drivers use some local
 * memory themselves. */
enum { STACK_SHARE = 1 << 20, RESERVED = 1 << 10 };

/* PoCL keeps its compiled code, and would compile each kernel once more for a binary. */
static bool keeps_code(void)
{
  const char *cache = getenv("POCL_KERNEL_CACHE");
  return !cache || strcmp(cache, "0");
}

static void describe_device(pl_device *device, opencl *c)
{
  char platform[128] = "", version[128] = "", driver[128] = "";
  size_t block = 1;
  cl_ulong shared = 0;
  cl_uint units = 1;
  cl_device_type type = 0;
  c->p_clGetPlatformInfo(c->platform, CL_PLATFORM_VERSION, sizeof platform, platform, NULL);
  c->p_clGetDeviceInfo(c->device, CL_DEVICE_VERSION, sizeof version, version, NULL);
  c->p_clGetDeviceInfo(c->device, CL_DRIVER_VERSION, sizeof driver, driver, NULL);
  c->p_clGetDeviceInfo(c->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof block, &block, NULL);
  c->p_clGetDeviceInfo(c->device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof shared, &shared, NULL);
  c->p_clGetDeviceInfo(c->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
  device_name(c, c->device, device->name, sizeof device->name);
  c->p_clGetDeviceInfo(c->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  c->long_header = device->builds_one_by_one = strstr(platform, "PoCL");
  c->keeps_code = c->long_header && keeps_code();
  device->mpi_direct = type & CL_DEVICE_TYPE_CPU;
  device->shared_memory_kind = device->mpi_direct ? PL_SHARES_HOST : PL_SHARES_NOTHING;
  device->max_block = (int)block;
  device->max_shared = (size_t)shared - (device->mpi_direct || shared < 2 * RESERVED ? 0 : RESERVED);
  device->max_private = device->mpi_direct ? STACK_SHARE : 0;
  device->units = (int)units;
  device->limits_registers = device->takes_ptx = has_extension(c, "cl_nv_compiler_options");
  device->has_double = has_extension(c, "cl_khr_fp64");
  device->has_atomics_64 = has_extension(c, "cl_khr_int64_base_atomics");
  snprintf(device->version, sizeof device->version, "%.120s, driver %.120s", version, driver);
  snprintf(device->identity, sizeof device->identity, "opencl %.120s %.120s %.120s %.120s", platform,
           device->name, version, driver);
}

static pl_err device_at(pl_context *pl, int index, pl_device_info *info)
{
  opencl c = {.library = open_library()};
  pl_device device = {.pl = pl, .dev = &c};
  found list[MAX_DEVICES];
  int n = c.library && load_functions(&c) ? list_devices(&c, list) : 0;
  if (index < 0 || index >= n)
    return pl_fail(pl, PL_ERR_RANGE, "OpenCL device %d: there are %d devices", index, n);
  use_device(&c, &list[index]);
  describe_device(&device, &c);
  pl_device_describe(&device, info);
  snprintf(info->number, sizeof info->number, "%u:%u", list[index].p, list[index].d);
  return PL_SUCCESS;
}

/* ---- opening and closing ---- */

static pl_err start_device(pl_device *device, opencl *c)
{
  cl_int result = CL_SUCCESS;
  snprintf(device->name, sizeof device->name, "?");
  c->library = open_library();
  if (!c->library || !load_functions(c))
    return pl_fail(device->pl, PL_ERR_BACKEND, "OpenCL: libOpenCL.so.1 is missing or too old");
  PL_TRY(choose_device(device, c));
  describe_device(device, c);
  c->context = c->p_clCreateContext(NULL, 1, &c->device, NULL, NULL, &result);
  PL_TRY(pl_opencl_check(device, result, "creating a context"));
  c->queue = c->queues[0] = c->p_clCreateCommandQueue(c->context, c->device, 0, &result);
  return pl_opencl_check(device, result, "creating a queue");
}

static void close_opencl(pl_device *device)
{
  opencl *c = device->dev;
  if (!c) return;
  if (c->mark) c->p_clReleaseMemObject(c->mark);
  if (c->queues[0]) c->p_clReleaseCommandQueue(c->queues[0]);
  if (c->context) c->p_clReleaseContext(c->context);
  pl_free(device->pl, c);
  device->dev = NULL;
}

static pl_err open_opencl(pl_device *device)
{
  device->dev = pl_calloc(device->pl, 1, sizeof(opencl));
  if (!device->dev) return pl_fail_memory(device->pl, sizeof(opencl));
  pl_err err = start_device(device, device->dev);
  if (err) close_opencl(device);
  return err;
}

static const pl_driver driver = {
  .name = "opencl", .open = open_opencl, .close = close_opencl, OPENCL_OPERATIONS(OPENCL_FILL)};

static pl_err open_backend(pl_context *pl, void **state)
{
  return pl_device_open(pl, &driver, state);
}

const pl_backend pl_backend_opencl = {
  .name = "opencl",
  .unavailable = unavailable,
  .open = open_backend,
  .device_at = device_at,
  PL_DEVICE_BACKEND,
};
