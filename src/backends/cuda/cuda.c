/* SPDX-License-Identifier: BSD-2-Clause
 * The CUDA driver: devices, code, launches, streams and graphs. Invariant: libcuda and NVRTC are opened at
 * run time, so the library also runs on machines without them.
 */
#include "cuda_driver.h"
#include "backends/device_loop/device_backend.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include <dlfcn.h>
#include <string.h>

/* ---- opening the libraries ---- */

static void *open_first(const char *const *names)
{
  void *library = NULL;
  for (; *names && !library; names++) library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
  return library;
}

static const char *const libcuda_names[] = {"libcuda.so.1", "libcuda.so", NULL};
static const char *const nvrtc_names[] = {"libnvrtc.so.13",   "libnvrtc.so.12",
                                          "libnvrtc.so",      "/usr/local/cuda/lib64/libnvrtc.so",
                                          "libnvrtc.so.11.2", NULL};

/* False if a function is missing. */
static bool load_functions(cuda *c)
{
  bool all = true;
#define STRING(f) #f
#define X(library, f) all &= (*(void **)&c->p_##f = dlsym(c->library, STRING(f))) != NULL;
#include "cuda_functions.def"
#undef X
  return all;
}

static const char *unavailable(pl_context *pl)
{
  (void)pl;
  void *library = open_first(libcuda_names);
  if (!library) return "libcuda.so.1 was not found; install the NVIDIA driver";
  CUresult (*init)(unsigned) = (CUresult(*)(unsigned))(uintptr_t)dlsym(library, "cuInit");
  CUresult (*count)(int *) = (CUresult(*)(int *))(uintptr_t)dlsym(library, "cuDeviceGetCount");
  int n = 0;
  bool found = init && count && init(0) == CUDA_SUCCESS && count(&n) == CUDA_SUCCESS && n > 0;
  dlclose(library);
  if (!found) return "the NVIDIA driver finds no device";
  if (!(library = open_first(nvrtc_names)))
    return "libnvrtc.so was not found; install NVRTC from the CUDA toolkit";
  dlclose(library);
  return NULL;
}

/* ---- errors ---- */

static const char *remedy_of(CUresult result)
{
  switch (result) {
  case CUDA_ERROR_OUT_OF_MEMORY:
    return "; use less data, float, or more devices";
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
    return "; out-of-bounds access in a kernel; run with PLAIT_CHECK=1";
  case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    return "; set a smaller PLAIT_BLOCK_SIZE";
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_INVALID_IMAGE:
    return "; the code was compiled for another device";
  case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    return "; the driver is older than the toolkit; update it";
  default:
    return "";
  }
}

pl_err pl_cuda_check(pl_device *device, CUresult result, const char *doing)
{
  cuda *c = device->dev;
  const char *text = NULL;
  if (result == CUDA_SUCCESS) return PL_SUCCESS;
  c->p_cuGetErrorString(result, &text);
  return pl_fail(device->pl, result == CUDA_ERROR_OUT_OF_MEMORY ? PL_ERR_MEMORY : PL_ERR_BACKEND,
                 "CUDA device %s: %s: %s (error %d)%s", device->name, doing, text ? text : "unknown error",
                 (int)result, remedy_of(result));
}

/* ---- choosing the device ---- */

static pl_err device_at(pl_context *pl, int index, pl_device_info *info);

/* By option device (a number or part of a name) or, without it, by local rank. */
static pl_err choose_device(pl_device *device, cuda *c, int *number)
{
  const char *asked = pl_opt(device->pl, PL_OPT_DEVICE);
  char name[128], *end;
  int n = 0;
  c->p_cuDeviceGetCount(&n);
  *number = pl_device_local_rank() % n;
  if (!*asked) return PL_SUCCESS;
  *number = (int)strtol(asked, &end, 10);
  if (!*end && *number >= 0 && *number < n) return PL_SUCCESS;
  for (int i = 0; i < n && *end; i++)
    if (c->p_cuDeviceGetName(name, sizeof name, i) == CUDA_SUCCESS && strstr(name, asked)) {
      *number = i;
      return PL_SUCCESS;
    }
  return pl_device_unknown(device->pl, "CUDA", device_at);
}

/* The address on the PCI bus is the same in all processes. */
static int bus_address(const cuda *c)
{
  int domain = 0, bus = 0, slot = 0;
  c->p_cuDeviceGetAttribute(&domain, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, c->device);
  c->p_cuDeviceGetAttribute(&bus, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, c->device);
  c->p_cuDeviceGetAttribute(&slot, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, c->device);
  return domain << 16 | bus << 8 | slot;
}

static pl_err describe_device(pl_device *device, cuda *c)
{
  int major = 0, minor = 0, driver = 0, nvrtc_major = 0, nvrtc_minor = 0, shared = 0;
  c->p_cuDeviceGetName(device->name, sizeof device->name, c->device);
  c->p_cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, c->device);
  c->p_cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, c->device);
  c->p_cuDeviceGetAttribute(&device->max_block, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, c->device);
  c->p_cuDeviceGetAttribute(&shared, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, c->device);
  device->max_shared = (size_t)shared;
  c->p_cuDeviceGetAttribute(&device->units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, c->device);
  device->limits_registers = true;
  c->p_cuDriverGetVersion(&driver);
  c->p_nvrtcVersion(&nvrtc_major, &nvrtc_minor);
  snprintf(c->arch, sizeof c->arch, "--gpu-architecture=sm_%d%d", major, minor);
  snprintf(device->identity, sizeof device->identity, "cuda %s nvrtc %d.%d", c->arch, nvrtc_major,
           nvrtc_minor);
  snprintf(device->version, sizeof device->version, "compute capability %d.%d, driver %d.%d, NVRTC %d.%d",
           major, minor, driver / 1000, driver % 1000 / 10, nvrtc_major, nvrtc_minor);
  device->has_double = true;
  device->has_atomics_64 = major >= 6;
  device->shared_memory_kind = PL_SHARES_CUDA;
  device->machine_index = bus_address(c);
  device->mpi_direct = pl_comm_takes_cuda();
  return PL_SUCCESS;
}

static pl_err connect_libraries(pl_device *device, cuda *c)
{
  snprintf(device->name, sizeof device->name, "?");
  c->libcuda = open_first(libcuda_names);
  c->libnvrtc = open_first(nvrtc_names);
  if (!c->libcuda || !c->libnvrtc || !load_functions(c))
    return pl_fail(device->pl, PL_ERR_BACKEND, "CUDA: libcuda or libnvrtc is missing or too old");
  return CUDA_CALL(cuInit, "starting", 0);
}

static void close_libraries(cuda *c)
{
  if (c->libnvrtc) dlclose(c->libnvrtc);
  if (c->libcuda) dlclose(c->libcuda);
}

static pl_err find_device(pl_device *device, cuda *c, int index)
{
  int n = 0;
  PL_TRY(CUDA_CALL(cuDeviceGetCount, "counting devices", &n));
  if (index < 0 || index >= n)
    return pl_fail(device->pl, PL_ERR_RANGE, "CUDA device %d: there are %d devices", index, n);
  PL_TRY(CUDA_CALL(cuDeviceGet, "opening the device", &c->device, index));
  return describe_device(device, c);
}

static pl_err device_at(pl_context *pl, int index, pl_device_info *info)
{
  cuda c = {0};
  pl_device device = {.pl = pl, .dev = &c};
  pl_err err = connect_libraries(&device, &c);
  if (!err) err = find_device(&device, &c, index);
  if (!err) {
    pl_device_describe(&device, info);
    snprintf(info->number, sizeof info->number, "%d", index);
  }
  close_libraries(&c);
  return err;
}

static pl_err start_device(pl_device *device, cuda *c)
{
  int number = 0;
  PL_TRY(connect_libraries(device, c));
  PL_TRY(choose_device(device, c, &number));
  snprintf(device->number, sizeof device->number, "%d", number);
  PL_TRY(CUDA_CALL(cuDeviceGet, "opening the device", &c->device, number));
  PL_TRY(describe_device(device, c));
  PL_TRY(CUDA_CALL(cuDevicePrimaryCtxRetain, "creating a context", &c->context, c->device));
  PL_TRY(CUDA_CALL(cuCtxSetCurrent, "activating the context", c->context));
  PL_TRY(CUDA_CALL(cuStreamCreate, "creating a stream", &c->first, CU_STREAM_NON_BLOCKING));
  c->stream = c->first;
  return PL_SUCCESS;
}

static void close_cuda(pl_device *device)
{
  cuda *c = device->dev;
  if (!c) return;
  if (c->context) {
    pl_cuda_current(device);
    if (c->first) c->p_cuStreamDestroy(c->first);
    c->p_cuDevicePrimaryCtxRelease(c->device);
  }
  close_libraries(c);
  pl_free(device->pl, c);
  device->dev = NULL;
}

static pl_err open_cuda(pl_device *device)
{
  device->dev = pl_calloc(device->pl, 1, sizeof(cuda));
  if (!device->dev) return pl_fail_memory(device->pl, sizeof(cuda));
  pl_err err = start_device(device, device->dev);
  if (err) close_cuda(device);
  return err;
}

/* ---- code ---- */

/* NVRTC writes FILE(LINE): instead of FILE:LINE:. */
static void convert_positions(char *log)
{
  for (char *open = log; (open = strchr(open, '(')); open++) {
    size_t digits = strspn(open + 1, "0123456789");
    if (!digits || strncmp(open + 1 + digits, "):", 2)) continue;
    *open = ':';
    memmove(open + 1 + digits, open + 2 + digits, strlen(open + 2 + digits) + 1);
  }
}

static pl_err compile_error(pl_device *device, const char *label, nvrtcProgram program)
{
  cuda *c = device->dev;
  size_t size = 0;
  c->p_nvrtcGetProgramLogSize(program, &size);
  char *log = pl_calloc(device->pl, size + 1, 1);
  if (log) c->p_nvrtcGetProgramLog(program, log);
  if (log) convert_positions(log);
  pl_err err =
    pl_fail(device->pl, PL_ERR_COMPILE, "kernel \"%s\" could not be compiled by NVRTC (%s):\n%.2000s%s",
            label, c->arch, log ? log : "", pl_kernel_hint(log ? log : ""));
  pl_free(device->pl, log);
  return err;
}

static pl_err get_cubin(pl_device *device, nvrtcProgram program, pl_string *binary)
{
  cuda *c = device->dev;
  size_t size = 0;
  if (c->p_nvrtcGetCUBINSize(program, &size) != NVRTC_SUCCESS)
    return pl_fail(device->pl, PL_ERR_COMPILE, "NVRTC produced no binary for %s", c->arch);
  char *bytes = pl_malloc(device->pl, size);
  if (!bytes) return pl_fail_memory(device->pl, size);
  c->p_nvrtcGetCUBIN(program, bytes);
  pl_string_add_bytes(binary, bytes, size);
  pl_free(device->pl, bytes);
  return pl_string_check(binary);
}

static pl_err compile_text(pl_device *device, const char *label, const char *text, int registers,
                           pl_string *binary)
{
  cuda *c = device->dev;
  char most[40];
  snprintf(most, sizeof most, "--maxrregcount=%d", registers);
  const char *flags[] = {c->arch, "-std=c++17", "-w",
                         pl_opt_flag(device->pl, PL_OPT_REPRODUCIBLE) ? "--fmad=false" : "--fmad=true", most};
  int nflags = (int)(sizeof flags / sizeof *flags) - (registers ? 0 : 1);
  nvrtcProgram program;
  nvrtcResult result = c->p_nvrtcCreateProgram(&program, text, label, 0, NULL, NULL);
  if (result != NVRTC_SUCCESS)
    return pl_fail(device->pl, PL_ERR_COMPILE, "NVRTC: %s", c->p_nvrtcGetErrorString(result));
  result = c->p_nvrtcCompileProgram(program, nflags, flags);
  pl_err err =
    result == NVRTC_SUCCESS ? get_cubin(device, program, binary) : compile_error(device, label, program);
  c->p_nvrtcDestroyProgram(&program);
  return err;
}

static pl_err load_module(pl_device *device, const pl_string *binary, int registers, void **module)
{
  (void)registers; /* fixed in a cubin */
  CUmodule m;
  PL_TRY(CUDA_FLUSHED(cuModuleLoadDataEx, "loading code", &m, binary->data, 0, NULL, NULL));
  *module = m;
  return PL_SUCCESS;
}

static void unload_module(pl_device *device, void *module)
{
  pl_cuda_current(device)->p_cuModuleUnload(module);
}

static pl_err find_kernel(pl_device *device, void *module, const char *name, void **result)
{
  CUfunction f;
  PL_TRY(CUDA_FLUSHED(cuModuleGetFunction, "finding a kernel", &f, module, name));
  *result = f;
  return PL_SUCCESS;
}

static pl_err block_limit(pl_device *device, void *function, int *block)
{
  return CUDA_FLUSHED(cuFuncGetAttribute, "querying a kernel's limits", block,
                      CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
}

static size_t private_bytes(pl_device *device, void *kernel)
{
  int bytes = 0;
  pl_cuda_current(device)->p_cuFuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, kernel);
  return (size_t)bytes;
}

enum { MAX_ARGS = 128, DEFAULT_SHARED = 48 << 10 /* bytes of shared memory allowed without a request */ };

/* The kernel's own arrays count too. */
static pl_err request_shared(pl_device *device, void *function, size_t shared)
{
  cuda *c = pl_cuda_current(device);
  int own = 0;
  c->p_cuFuncGetAttribute(&own, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function);
  if (shared + (size_t)own <= DEFAULT_SHARED) return PL_SUCCESS;
  return CUDA_CALL(cuFuncSetAttribute, "requesting shared memory", function,
                   CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared);
}

static pl_err launch_kernel(pl_device *device, void *function, int blocks, int block_size, size_t shared,
                            int nargs, const pl_launch_arg *args)
{
  if (pl_replay_launch(device, function, blocks, block_size, shared, nargs, args)) return PL_SUCCESS;
  cuda *c = pl_cuda_enter(device);
  void *values[MAX_ARGS];
  if (nargs > MAX_ARGS)
    return pl_fail(device->pl, PL_ERR_RANGE, "CUDA: a kernel has %d parameters; at most %d are possible",
                   nargs, MAX_ARGS);
  for (int i = 0; i < nargs; i++) values[i] = (void *)args[i].value;
  if (shared) PL_TRY(request_shared(device, function, shared));
  return CUDA_CALL(cuLaunchKernel, "launching a kernel", function, (unsigned)blocks, 1, 1,
                   (unsigned)block_size, 1, 1, (unsigned)shared, c->stream, values, NULL);
}

static pl_err synchronize(pl_device *device)
{
  return pl_cuda_check(device, pl_cuda_current(device)->p_cuCtxSynchronize(), "waiting for the device");
}

/* ---- queues and events ---- */

static pl_err queue_new(pl_device *device, bool urgent, void **queue)
{
  cuda *c = pl_cuda_current(device);
  CUstream stream = NULL;
  int usual = 0, most_urgent = 0;
  PL_TRY(CUDA_CALL(cuCtxGetStreamPriorityRange, "querying stream priorities", &usual, &most_urgent));
  PL_TRY(CUDA_CALL(cuStreamCreateWithPriority, "creating a stream", &stream, CU_STREAM_NON_BLOCKING,
                   urgent ? most_urgent : usual));
  *queue = stream;
  return PL_SUCCESS;
}

static void queue_free(pl_device *device, void *queue)
{
  pl_cuda_current(device)->p_cuStreamDestroy(queue);
}

static void queue_use(pl_device *device, void *queue)
{
  cuda *c = pl_cuda_current(device);
  c->stream = queue ? queue : c->first;
}

static pl_err queue_wait(pl_device *device, void *event)
{
  cuda *c = pl_cuda_current(device);
  return CUDA_CALL(cuStreamWaitEvent, "waiting for an event", c->stream, event, 0);
}

static pl_err event_new(pl_device *device, bool timed, void **event)
{
  CUevent created = NULL;
  PL_TRY(CUDA_FLUSHED(cuEventCreate, "creating an event", &created,
                      timed ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING));
  *event = created;
  return PL_SUCCESS;
}

static void event_free(pl_device *device, void *event)
{
  pl_cuda_current(device)->p_cuEventDestroy(event);
}

static pl_err event_record(pl_device *device, void *event)
{
  cuda *c = pl_cuda_current(device);
  return CUDA_CALL(cuEventRecord, "recording an event", event, c->stream);
}

static pl_err event_wait(pl_device *device, void *event)
{
  return CUDA_FLUSHED(cuEventSynchronize, "waiting for an event", event);
}

static pl_err event_done(pl_device *device, void *event, bool *done)
{
  CUresult result = pl_cuda_enter(device)->p_cuEventQuery(event);
  *done = result != CUDA_ERROR_NOT_READY;
  return *done ? pl_cuda_check(device, result, "querying an event") : PL_SUCCESS;
}

static pl_err event_seconds(pl_device *device, void *from, void *to, double *seconds)
{
  float milliseconds = 0;
  PL_TRY(CUDA_FLUSHED(cuEventElapsedTime, "reading an event", &milliseconds, from, to));
  *seconds = 1e-3 * (double)milliseconds;
  return PL_SUCCESS;
}

/* ---- graphs ---- */

static pl_err graph_begin(pl_device *device)
{
  cuda *c = pl_cuda_enter(device);
  return CUDA_CALL(cuStreamBeginCapture, "capturing launches", c->stream,
                   CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
}

static pl_err graph_end(pl_device *device, void **result)
{
  cuda *c = pl_cuda_enter(device);
  CUgraph graph = NULL;
  CUgraphExec created = NULL;
  PL_TRY(CUDA_CALL(cuStreamEndCapture, "capturing launches", c->stream, &graph));
  pl_err err = CUDA_CALL(cuGraphInstantiateWithFlags, "creating a graph", &created, graph, 0);
  c->p_cuGraphDestroy(graph);
  *result = created;
  return err;
}

static pl_err graph_run(pl_device *device, void *graph)
{
  cuda *c = pl_cuda_enter(device);
  return CUDA_CALL(cuGraphLaunch, "launching a graph", graph, c->stream);
}

static void graph_free(pl_device *device, void *graph)
{
  pl_cuda_current(device)->p_cuGraphExecDestroy(graph);
}

static const pl_driver driver = {.name = "cuda",
                                 .unavailable = unavailable,
                                 .open = open_cuda,
                                 .close = close_cuda,
                                 .alloc = pl_cuda_alloc,
                                 .free = pl_cuda_free,
                                 .write = pl_cuda_write,
                                 .read = pl_cuda_read,
                                 .zero = pl_cuda_zero,
                                 .copy = pl_cuda_copy,
                                 .compile = compile_text,
                                 .load = load_module,
                                 .unload = unload_module,
                                 .kernel = find_kernel,
                                 .limit = block_limit,
                                 .private_bytes = private_bytes,
                                 .launch = launch_kernel,
                                 .sync = synchronize,
                                 .queue_new = queue_new,
                                 .queue_free = queue_free,
                                 .queue_use = queue_use,
                                 .queue_wait = queue_wait,
                                 .event_new = event_new,
                                 .event_free = event_free,
                                 .event_record = event_record,
                                 .event_wait = event_wait,
                                 .event_done = event_done,
                                 .event_seconds = event_seconds,
                                 .host_alloc = pl_cuda_host_alloc,
                                 .host_free = pl_cuda_host_free,
                                 .zero_copy = true,
                                 .start_read = pl_cuda_start_read,
                                 .start_write = pl_cuda_start_write,
                                 .shared_new = pl_cuda_shared_new,
                                 .shared_open = pl_cuda_shared_open,
                                 .shared_close = pl_cuda_shared_close,
                                 .shared_event_new = pl_cuda_shared_event_new,
                                 .shared_event_open = pl_cuda_shared_event_open,
                                 .address = pl_cuda_address,
                                 .graph_begin = graph_begin,
                                 .graph_end = graph_end,
                                 .graph_run = graph_run,
                                 .graph_free = graph_free};

static pl_err open_backend(pl_context *pl, void **state)
{
  return pl_device_open(pl, &driver, state);
}

const pl_backend pl_backend_cuda = {
  .name = "cuda",
  .unavailable = unavailable,
  .open = open_backend,
  .device_at = device_at,
  PL_DEVICE_BACKEND,
};
