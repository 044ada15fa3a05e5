/* SPDX-License-Identifier: BSD-2-Clause
 * A driver of CUDA and an NVRTC without a device: kernels do nothing, memory is the host's. It watches what
 * goes into each stream: a kernel may start early only directly behind a kernel that was launched into the
 * same stream. A launch that breaks this is an error of the launch. At the end it prints how many launches
 * were early. FAKE_SPILLS: kernels use local memory. FAKE_START: the start of a context waits for fake_start,
 * or fails.
 */
#include <cuda.h>
#include <nvrtc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What CUstream points to. */
struct CUstream_st {
  bool behind_kernel;
};

static long launches, early_launches, wrong_launches;

__attribute__((destructor)) static void print_counts(void)
{
  if (launches)
    fprintf(stderr, "fake CUDA: %ld launches, %ld early, %ld of them behind other work\n", launches,
            early_launches, wrong_launches);
}

/* ---- the start ---- */

enum { PATIENCE = 5 }; /* seconds */

static struct timespec end_of_patience(void)
{
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += PATIENCE;
  return end;
}

static sem_t may_start;

__attribute__((constructor)) static void init_start(void)
{
  sem_init(&may_start, 0, 0);
}

void fake_start(void)
{
  sem_post(&may_start);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
  const char *word = getenv("FAKE_START");
  const struct timespec end = end_of_patience();
  (void)device;
  *context = NULL;
  if (!word) return CUDA_SUCCESS;
  return strcmp(word, "waits") || sem_timedwait(&may_start, &end) ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

/* ---- streams ---- */

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
  (void)flags, (void)priority;
  *stream = calloc(1, sizeof **stream);
  return *stream ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuStreamDestroy(CUstream stream)
{
  free(stream);
  return CUDA_SUCCESS;
}

static CUresult launch(CUstream stream, bool early)
{
  const bool wrong = early && !stream->behind_kernel;
  launches++;
  early_launches += early;
  wrong_launches += wrong;
  stream->behind_kernel = true;
  return wrong ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

/* NULL: there is no context. */
static CUresult other_work(CUstream stream)
{
  if (!stream) return CUDA_ERROR_INVALID_CONTEXT;
  stream->behind_kernel = false;
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction f, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared, CUstream stream, void **values, void **extra)
{
  (void)f, (void)x, (void)y, (void)z, (void)bx, (void)by, (void)bz, (void)shared, (void)values, (void)extra;
  return launch(stream, false);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f, void **values, void **extra)
{
  bool early = false;
  (void)f, (void)values, (void)extra;
  for (unsigned i = 0; i < config->numAttrs; i++)
    early |= config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  return launch(config->hStream, early);
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by,
                                   unsigned bz, unsigned shared, CUstream stream, void **values)
{
  (void)f, (void)x, (void)y, (void)z, (void)bx, (void)by, (void)bz, (void)shared, (void)values;
  return other_work(stream);
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
  (void)event, (void)flags;
  return other_work(stream);
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
  (void)event;
  return other_work(stream);
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode)
{
  (void)mode;
  return other_work(stream);
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
  *graph = (CUgraph)&launches; /* any address */
  return other_work(stream);
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
  (void)flags;
  *exec = (CUgraphExec)graph;
  return CUDA_SUCCESS;
}

CUresult cuGraphLaunch(CUgraphExec graph, CUstream stream)
{
  (void)graph;
  return other_work(stream);
}

/* ---- memory ---- */

CUresult cuMemAlloc(CUdeviceptr *p, size_t size)
{
  *p = (CUdeviceptr)(uintptr_t)calloc(size, 1);
  return *p ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFree(CUdeviceptr p)
{
  free((void *)(uintptr_t)p);
  return CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void **p, size_t size, unsigned flags)
{
  (void)flags;
  *p = calloc(size, 1);
  return *p ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFreeHost(void *p)
{
  free(p);
  return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size, CUstream stream)
{
  memcpy((void *)(uintptr_t)to, from, size);
  return other_work(stream);
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size, CUstream stream)
{
  memcpy(to, (void *)(uintptr_t)from, size);
  return other_work(stream);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream)
{
  memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, size);
  return other_work(stream);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t size, CUstream stream)
{
  memset((void *)(uintptr_t)to, value, size);
  return other_work(stream);
}

/* ---- the device: compute capability 9.0 ---- */

CUresult cuDriverGetVersion(int *version)
{
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *n)
{
  *n = 1;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
  (void)device;
  snprintf(name, (size_t)length, "fake");
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
  (void)device;
  *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR            ? 9
           : attribute == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK             ? 1024
           : attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN ? 227 << 10
           : attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT              ? 132
                                                                                : 0;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction f)
{
  (void)f;
  *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024
           : attribute == CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES    ? getenv("FAKE_SPILLS") != NULL
                                                                : 0;
  return CUDA_SUCCESS;
}

/* ---- NVRTC: any code is good enough ---- */

/* A compilation waits until as many as FAKE_TOGETHER says are under way, and fails if they do not come. */
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int noptions, const char *const *options)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
  static int compilations, result; /* result: also of all later ones */
  const char *word = getenv("FAKE_TOGETHER");
  const struct timespec end = end_of_patience();
  (void)program, (void)noptions, (void)options;
  if (getenv("FAKE_FAILS")) return NVRTC_ERROR_COMPILATION;
  if (!word) return NVRTC_SUCCESS;
  pthread_mutex_lock(&lock);
  compilations++;
  pthread_cond_broadcast(&came);
  while (compilations < atoi(word) && !result) result = pthread_cond_timedwait(&came, &lock, &end);
  pthread_mutex_unlock(&lock);
  return result ? NVRTC_ERROR_INTERNAL_ERROR : NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size)
{
  (void)program;
  *size = 1;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *code)
{
  (void)program;
  *code = 1;
  return NVRTC_SUCCESS;
}
