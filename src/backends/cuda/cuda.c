/* SPDX-License-Identifier: BSD-2-Clause
 * The CUDA driver. libcuda and NVRTC are opened at run time, so the library runs on machines without them.
 */
#include "cuda_driver.h"
#include "core/memory.h"
#include <dlfcn.h>
#include <string.h>

/* ---- opening the libraries ---- */

static void *open_first(const char *const *names)
{
  void *library = NULL;
  for (; *names && !library; names++) library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
  return library;
}

static void *open_libcuda(void)
{
  static const char *const names[] = {"libcuda.so.1", "libcuda.so", NULL};
  return open_first(names);
}

static void *open_nvrtc(void)
{
  static const char *const names[] = {"libnvrtc.so.13",   "libnvrtc.so.12",
                                      "libnvrtc.so",      "/usr/local/cuda/lib64/libnvrtc.so",
                                      "libnvrtc.so.11.2", NULL};
  return open_first(names);
}

/* Takes every function; false if one is missing. */
static bool take_functions(cuda *c)
{
  bool all = true;
#define X(f) all &= (*(void **)&c->p_##f = dlsym(c->libcuda, STRING(f))) != NULL;
  CUDA_FUNCTIONS(X)
#undef X
#define X(f) all &= (*(void **)&c->p_##f = dlsym(c->libnvrtc, STRING(f))) != NULL;
  NVRTC_FUNCTIONS(X)
#undef X
  return all;
}

static const char *unavailable(pl_context *pl)
{
  (void)pl;
  void *library = open_libcuda();
  if (!library) return "libcuda.so.1 was not found; it comes with NVIDIA's driver";
  CUresult (*init)(unsigned) = (CUresult(*)(unsigned))(uintptr_t)dlsym(library, "cuInit");
  CUresult (*count)(int *) = (CUresult(*)(int *))(uintptr_t)dlsym(library, "cuDeviceGetCount");
  int n = 0;
  bool there = init && count && init(0) == CUDA_SUCCESS && count(&n) == CUDA_SUCCESS && n > 0;
  dlclose(library);
  if (!there) return "NVIDIA's driver finds no device";
  if (!(library = open_nvrtc()))
    return "libnvrtc.so was not found; install the CUDA toolkit's run-time compiler";
  dlclose(library);
  return NULL;
}

/* ---- errors ---- */

/* What to do about the errors that users meet. */
static const char *advice(CUresult result)
{
  switch (result) {
  case CUDA_ERROR_OUT_OF_MEMORY:
    return "; use less data, float, or more devices";
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
    return "; a kernel leaves its data: PLAIT_CHECK=1 compares each loop with a plain one";
  case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
    return "; set a smaller PLAIT_BLOCK_SIZE";
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_INVALID_IMAGE:
    return "; the code was made for another device";
  case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    return "; the driver is older than the toolkit: update it";
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
                 (int)result, advice(result));
}

static pl_err check(pl_device *device, CUresult result, const char *doing)
{
  return pl_cuda_check(device, result, doing);
}

static cuda *enter(pl_device *device)
{
  return pl_cuda_enter(device);
}

static cuda *current(pl_device *device)
{
  return pl_cuda_current(device);
}

/* ---- choosing the device ---- */

static pl_err device_at(pl_context *pl, int index, pl_device_info *info);

/* Option device: a number, part of a name, or nothing: by local rank. */
static pl_err choose(pl_device *device, cuda *c, int *number)
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

/* Where on the bus, which all processes see the same way. */
static int place_of(const cuda *c)
{
  int domain = 0, bus = 0, slot = 0;
  c->p_cuDeviceGetAttribute(&domain, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, c->device);
  c->p_cuDeviceGetAttribute(&bus, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, c->device);
  c->p_cuDeviceGetAttribute(&slot, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, c->device);
  return domain << 16 | bus << 8 | slot;
}

static pl_err describe(pl_device *device, cuda *c)
{
  int major = 0, minor = 0, driver = 0, nvrtc_major = 0, nvrtc_minor = 0, shared = 0;
  c->p_cuDeviceGetName(device->name, sizeof device->name, c->device);
  c->p_cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, c->device);
  c->p_cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, c->device);
  c->p_cuDeviceGetAttribute(&device->max_block, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, c->device);
  c->p_cuDeviceGetAttribute(&shared, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, c->device);
  device->max_shared = (size_t)shared;
  c->p_cuDeviceGetAttribute(&device->units, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, c->device);
  device->counts_registers = true;
  c->p_cuDriverGetVersion(&driver);
  c->p_nvrtcVersion(&nvrtc_major, &nvrtc_minor);
  snprintf(c->arch, sizeof c->arch, "--gpu-architecture=sm_%d%d", major, minor);
  snprintf(device->identity, sizeof device->identity, "cuda %s nvrtc %d.%d", c->arch, nvrtc_major,
           nvrtc_minor);
  snprintf(device->version, sizeof device->version, "compute capability %d.%d, driver %d.%d, NVRTC %d.%d",
           major, minor, driver / 1000, driver % 1000 / 10, nvrtc_major, nvrtc_minor);
  device->has_double = true;
  device->has_atomics_64 = major >= 6;
  device->shares = PL_SHARES_CUDA;
  device->place = place_of(c);
  device->direct = pl_comm_takes_cuda();
  return PL_SUCCESS;
}

static pl_err connect_libraries(pl_device *device, cuda *c)
{
  snprintf(device->name, sizeof device->name, "?");
  c->libcuda = open_libcuda();
  c->libnvrtc = open_nvrtc();
  if (!c->libcuda || !c->libnvrtc || !take_functions(c))
    return pl_fail(device->pl, PL_ERR_BACKEND, "CUDA: libcuda or libnvrtc is missing or too old");
  return check(device, c->p_cuInit(0), "starting");
}

static void close_libraries(cuda *c)
{
  if (c->libnvrtc) dlclose(c->libnvrtc);
  if (c->libcuda) dlclose(c->libcuda);
}

static pl_err find_device(pl_device *device, cuda *c, int index)
{
  int n = 0;
  PL_TRY(check(device, c->p_cuDeviceGetCount(&n), "counting devices"));
  if (index < 0 || index >= n)
    return pl_fail(device->pl, PL_ERR_RANGE, "CUDA device %d: there are %d devices", index, n);
  PL_TRY(check(device, c->p_cuDeviceGet(&c->device, index), "opening the device"));
  return describe(device, c);
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

static pl_err start(pl_device *device, cuda *c)
{
  int number = 0;
  PL_TRY(connect_libraries(device, c));
  PL_TRY(choose(device, c, &number));
  snprintf(device->number, sizeof device->number, "%d", number);
  PL_TRY(check(device, c->p_cuDeviceGet(&c->device, number), "opening the device"));
  PL_TRY(describe(device, c));
  PL_TRY(check(device, c->p_cuDevicePrimaryCtxRetain(&c->context, c->device), "making a context"));
  PL_TRY(check(device, c->p_cuCtxSetCurrent(c->context), "entering the context"));
  PL_TRY(check(device, c->p_cuStreamCreate(&c->first, CU_STREAM_NON_BLOCKING), "making a stream"));
  c->stream = c->first;
  return PL_SUCCESS;
}

static void close_cuda(pl_device *device)
{
  cuda *c = device->dev;
  if (!c) return;
  if (c->context) {
    current(device);
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
  pl_err err = start(device, device->dev);
  if (err) close_cuda(device);
  return err;
}

/* ---- memory ---- */

static CUdeviceptr pointer(void *buffer)
{
  return (CUdeviceptr)(uintptr_t)buffer;
}

static pl_err alloc(pl_device *device, size_t size, void **buffer)
{
  CUdeviceptr p = 0;
  PL_TRY(check(device, current(device)->p_cuMemAlloc(&p, size ? size : 1), "taking memory"));
  *buffer = (void *)(uintptr_t)p;
  return PL_SUCCESS;
}

static void free_buffer(pl_device *device, void *buffer)
{
  if (buffer) current(device)->p_cuMemFree(pointer(buffer));
}

/* Memory that may not be paged is copied several times as fast, and even pinning it for one copy pays where
 * there is much. */
enum { LEAST_PINNED = 16 << 20 };

static bool pin(cuda *c, const void *host, size_t size)
{
  return size >= LEAST_PINNED && c->p_cuMemHostRegister((void *)(uintptr_t)host, size, 0) == CUDA_SUCCESS;
}

static pl_err unpin(pl_device *device, bool pinned, const void *host, pl_err err)
{
  cuda *c = device->dev;
  if (!pinned) return err;
  if (!err) err = check(device, c->p_cuStreamSynchronize(c->stream), "waiting for the device");
  c->p_cuMemHostUnregister((void *)(uintptr_t)host);
  return err;
}

static pl_err write_part(pl_device *device, void *buffer, size_t at, const void *host, size_t size)
{
  cuda *c = current(device);
  if (!size) return PL_SUCCESS;
  bool pinned = pin(c, host, size);
  pl_err err = check(device, c->p_cuMemcpyHtoDAsync(pointer(buffer) + at, host, size, c->stream),
                     "copying to the device");
  return unpin(device, pinned, host, err);
}

static pl_err read_part(pl_device *device, void *host, void *buffer, size_t at, size_t size)
{
  cuda *c = current(device);
  if (!size) return check(device, c->p_cuStreamSynchronize(c->stream), "waiting for the device");
  bool pinned = pin(c, host, size);
  pl_err err = check(device, c->p_cuMemcpyDtoHAsync(host, pointer(buffer) + at, size, c->stream),
                     "copying from the device");
  if (!pinned && !err) err = check(device, c->p_cuStreamSynchronize(c->stream), "waiting for the device");
  return unpin(device, pinned, host, err);
}

static pl_err upload(pl_device *device, void *buffer, const void *host, size_t size)
{
  return write_part(device, buffer, 0, host, size);
}

static pl_err download(pl_device *device, void *host, void *buffer, size_t size)
{
  return read_part(device, host, buffer, 0, size);
}

static pl_err zero(pl_device *device, void *buffer, size_t size)
{
  if (pl_replay_zero(device, buffer, size)) return PL_SUCCESS;
  cuda *c = enter(device);
  return size ? check(device, c->p_cuMemsetD8Async(pointer(buffer), 0, size, c->stream), "zeroing memory")
              : PL_SUCCESS;
}

static pl_err copy(pl_device *device, void *to, void *from, size_t size)
{
  if (!size || pl_replay_copy(device, to, from, size)) return PL_SUCCESS;
  cuda *c = enter(device);
  return check(device, c->p_cuMemcpyDtoDAsync(pointer(to), pointer(from), size, c->stream),
               "copying on the device");
}

/* ---- code ---- */

/* NVRTC writes FILE(LINE): where compilers write FILE:LINE: as the rest of the library does. */
static void unify_places(char *log)
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
  if (log) unify_places(log);
  pl_err err =
    pl_fail(device->pl, PL_ERR_COMPILE, "kernel \"%s\" could not be compiled by NVRTC (%s):\n%.2000s%s",
            label, c->arch, log ? log : "", pl_kernel_hint(log ? log : ""));
  pl_free(device->pl, log);
  return err;
}

static pl_err take_cubin(pl_device *device, nvrtcProgram program, pl_text *binary)
{
  cuda *c = device->dev;
  size_t size = 0;
  if (c->p_nvrtcGetCUBINSize(program, &size) != NVRTC_SUCCESS)
    return pl_fail(device->pl, PL_ERR_COMPILE, "NVRTC made no binary for %s", c->arch);
  char *bytes = pl_malloc(device->pl, size);
  if (!bytes) return pl_fail_memory(device->pl, size);
  c->p_nvrtcGetCUBIN(program, bytes);
  pl_text_bytes(binary, bytes, size);
  pl_free(device->pl, bytes);
  return pl_text_check(binary);
}

static pl_err compile(pl_device *device, const char *label, const char *text, int registers, pl_text *binary)
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
    result == NVRTC_SUCCESS ? take_cubin(device, program, binary) : compile_error(device, label, program);
  c->p_nvrtcDestroyProgram(&program);
  return err;
}

static pl_err load(pl_device *device, const pl_text *binary, int registers, void **module)
{
  (void)registers; /* of a cubin they are settled */
  CUmodule m;
  PL_TRY(
    check(device, current(device)->p_cuModuleLoadDataEx(&m, binary->data, 0, NULL, NULL), "loading code"));
  *module = m;
  return PL_SUCCESS;
}

static void unload(pl_device *device, void *module)
{
  current(device)->p_cuModuleUnload(module);
}

static pl_err kernel(pl_device *device, void *module, const char *name, void **result)
{
  CUfunction f;
  PL_TRY(check(device, current(device)->p_cuModuleGetFunction(&f, module, name), "finding a kernel"));
  *result = f;
  return PL_SUCCESS;
}

static pl_err limit(pl_device *device, void *function, int *block)
{
  return check(
    device, current(device)->p_cuFuncGetAttribute(block, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function),
    "asking for a kernel's limits");
}

static size_t private_bytes(pl_device *device, void *kernel)
{
  int bytes = 0;
  current(device)->p_cuFuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, kernel);
  return (size_t)bytes;
}

enum { MOST_ARGS = 128, GRANTED_SHARED = 48 << 10 /* bytes of local memory that need no leave */ };

/* The kernel's own arrays, those of its reductions, count too. */
static pl_err ask_shared(pl_device *device, void *function, size_t shared)
{
  cuda *c = current(device);
  int own = 0;
  c->p_cuFuncGetAttribute(&own, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function);
  if (shared + (size_t)own <= GRANTED_SHARED) return PL_SUCCESS;
  return check(
    device, c->p_cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared),
    "asking for shared memory");
}

static pl_err launch(pl_device *device, void *function, int blocks, int block_size, size_t shared, int nargs,
                     const pl_launch_arg *args)
{
  if (pl_replay_launch(device, function, blocks, block_size, shared, nargs, args)) return PL_SUCCESS;
  cuda *c = enter(device);
  void *values[MOST_ARGS];
  if (nargs > MOST_ARGS)
    return pl_fail(device->pl, PL_ERR_RANGE, "CUDA: a kernel of %d parameters; at most %d", nargs, MOST_ARGS);
  for (int i = 0; i < nargs; i++) values[i] = (void *)args[i].value;
  if (shared) PL_TRY(ask_shared(device, function, shared));
  return check(device,
               c->p_cuLaunchKernel(function, (unsigned)blocks, 1, 1, (unsigned)block_size, 1, 1,
                                   (unsigned)shared, c->stream, values, NULL),
               "starting a kernel");
}

static pl_err sync(pl_device *device)
{
  return check(device, current(device)->p_cuCtxSynchronize(), "waiting for the device");
}

/* ---- queues and events ---- */

static pl_err queue_new(pl_device *device, bool urgent, void **queue)
{
  cuda *c = current(device);
  CUstream stream = NULL;
  int usual = 0, most_urgent = 0;
  PL_TRY(check(device, c->p_cuCtxGetStreamPriorityRange(&usual, &most_urgent),
               "asking for priorities of streams"));
  PL_TRY(check(device,
               c->p_cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, urgent ? most_urgent : usual),
               "making a stream"));
  *queue = stream;
  return PL_SUCCESS;
}

static void queue_free(pl_device *device, void *queue)
{
  current(device)->p_cuStreamDestroy(queue);
}

static void queue_use(pl_device *device, void *queue)
{
  cuda *c = current(device);
  c->stream = queue ? queue : c->first;
}

static pl_err queue_wait(pl_device *device, void *event)
{
  cuda *c = current(device);
  return check(device, c->p_cuStreamWaitEvent(c->stream, event, 0), "waiting for an event");
}

static pl_err event_new(pl_device *device, bool timed, void **event)
{
  CUevent made = NULL;
  PL_TRY(check(device,
               current(device)->p_cuEventCreate(&made, timed ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING),
               "making an event"));
  *event = made;
  return PL_SUCCESS;
}

static void event_free(pl_device *device, void *event)
{
  current(device)->p_cuEventDestroy(event);
}

static pl_err event_record(pl_device *device, void *event)
{
  cuda *c = current(device);
  return check(device, c->p_cuEventRecord(event, c->stream), "recording an event");
}

static pl_err event_wait(pl_device *device, void *event)
{
  return check(device, current(device)->p_cuEventSynchronize(event), "waiting for an event");
}

static pl_err event_done(pl_device *device, void *event, bool *done)
{
  CUresult result = pl_cuda_enter(device)->p_cuEventQuery(event);
  *done = result != CUDA_ERROR_NOT_READY;
  return *done ? check(device, result, "asking for an event") : PL_SUCCESS;
}

static pl_err event_seconds(pl_device *device, void *from, void *to, double *seconds)
{
  float milliseconds = 0;
  PL_TRY(check(device, current(device)->p_cuEventElapsedTime(&milliseconds, from, to), "reading an event"));
  *seconds = 1e-3 * (double)milliseconds;
  return PL_SUCCESS;
}

/* ---- graphs ---- */

static pl_err graph_begin(pl_device *device)
{
  cuda *c = enter(device);
  return check(device, c->p_cuStreamBeginCapture(c->stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
               "capturing launches");
}

static pl_err graph_end(pl_device *device, void **result)
{
  cuda *c = enter(device);
  CUgraph graph = NULL;
  CUgraphExec made = NULL;
  PL_TRY(check(device, c->p_cuStreamEndCapture(c->stream, &graph), "capturing launches"));
  pl_err err = check(device, c->p_cuGraphInstantiateWithFlags(&made, graph, 0), "making a graph");
  c->p_cuGraphDestroy(graph);
  *result = made;
  return err;
}

static pl_err graph_run(pl_device *device, void *graph)
{
  cuda *c = enter(device);
  return check(device, c->p_cuGraphLaunch(graph, c->stream), "starting a graph");
}

static void graph_free(pl_device *device, void *graph)
{
  current(device)->p_cuGraphExecDestroy(graph);
}

static const pl_driver driver = {.name = "cuda",
                                 .unavailable = unavailable,
                                 .open = open_cuda,
                                 .close = close_cuda,
                                 .alloc = alloc,
                                 .free = free_buffer,
                                 .upload = upload,
                                 .download = download,
                                 .write = write_part,
                                 .read = read_part,
                                 .zero = zero,
                                 .copy = copy,
                                 .compile = compile,
                                 .load = load,
                                 .unload = unload,
                                 .kernel = kernel,
                                 .limit = limit,
                                 .private_bytes = private_bytes,
                                 .launch = launch,
                                 .sync = sync,
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
                                 .host_seen = true,
                                 .start_read = pl_cuda_start_read,
                                 .start_write = pl_cuda_start_write,
                                 .shared_new = pl_cuda_shared_new,
                                 .shared_open = pl_cuda_shared_open,
                                 .shared_close = pl_cuda_shared_close,
                                 .signal_new = pl_cuda_signal_new,
                                 .signal_open = pl_cuda_signal_open,
                                 .address = pl_cuda_address,
                                 .graph_begin = graph_begin,
                                 .graph_end = graph_end,
                                 .graph_run = graph_run,
                                 .graph_free = graph_free};

static pl_err open_backend(pl_context *pl, void **state)
{
  return pl_device_open(pl, &driver, state);
}

PL_DEVICE_BACKEND(cuda, "cuda", unavailable, open_backend, device_at);
