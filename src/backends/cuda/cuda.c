/* SPDX-License-Identifier: BSD-2-Clause
 * The CUDA driver: the names, the values and the sentences of CUDA; all else is backends/gpu_runtime. Only
 * this file includes CUDA's headers.
 */
#include <cuda.h>
#include <dlfcn.h>
#include <limits.h>
#include <nvrtc.h>
#include <string.h>
#include "backends/device_loop/device_backend.h"
#include "backends/gpu_runtime/gpu_runtime.h"
#include "core/comm/comm.h"
#include "core/context/context.h"
#include "core/context/options.h"

PL_GPU_SAME(PL_GPU_NON_BLOCKING, CU_STREAM_NON_BLOCKING);
PL_GPU_SAME(PL_GPU_NO_TIMING, CU_EVENT_DISABLE_TIMING);
PL_GPU_SAME(PL_GPU_INTERPROCESS, CU_EVENT_INTERPROCESS);
PL_GPU_SAME(PL_GPU_PORTABLE, CU_MEMHOSTALLOC_PORTABLE);
PL_GPU_SAME(PL_GPU_CAPTURE_THREAD, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
PL_GPU_SAME(PL_GPU_KERNEL_MAX_BLOCK, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
PL_GPU_SAME(PL_GPU_KERNEL_SHARED, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
PL_GPU_SAME(PL_GPU_KERNEL_PRIVATE, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
PL_GPU_SAME(PL_GPU_KERNEL_MAX_SHARED, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);

static const char *const libcuda[] = {"libcuda.so.1", "libcuda.so", NULL};
static const char *const libnvrtc[] = {"libnvrtc.so.13",   "libnvrtc.so.12",
                                       "libnvrtc.so",      "/usr/local/cuda/lib64/libnvrtc.so",
                                       "libnvrtc.so.11.2", NULL};

static const pl_gpu_function functions[] = {
#define X(library, place, f) PL_GPU_FUNCTION(library, place, f)
#include "cuda_functions.def"
#undef X
  {0, false, NULL}};

static const pl_gpu_remedy remedies[] = {
  {CUDA_ERROR_OUT_OF_MEMORY, "; use less data, float, or more devices"},
  {CUDA_ERROR_ILLEGAL_ADDRESS, "; out-of-bounds access in a kernel; run with PLAIT_CHECK=1"},
  {CUDA_ERROR_MISALIGNED_ADDRESS, "; out-of-bounds access in a kernel; run with PLAIT_CHECK=1"},
  {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "; set a smaller PLAIT_BLOCK_SIZE"},
  {CUDA_ERROR_NO_BINARY_FOR_GPU, "; the code was compiled for another device"},
  {CUDA_ERROR_INVALID_IMAGE, "; the code was compiled for another device"},
  {CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, "; the driver is older than the toolkit; update it"},
  {CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "; the driver is older than the toolkit; update it"},
  {0, NULL}};

/* Devices of compute capability 9 and drivers of 12.3, from which on graphs have such launches too. */
#if CUDA_VERSION >= 12000
enum { EARLY_MAJOR = 9, EARLY_DRIVER = 12030 };

static int launch_early(const pl_gpu *g, void *function, pl_grid grid, void **values)
{
  CUresult (*launch)(const CUlaunchConfig *, CUfunction, void **, void **);
  CUlaunchAttribute early = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION};
  early.value.programmaticStreamSerializationAllowed = 1;
  const CUlaunchConfig config = {.gridDimX = (unsigned)grid.blocks,
                                 .gridDimY = 1,
                                 .gridDimZ = 1,
                                 .blockDimX = (unsigned)grid.block_size,
                                 .blockDimY = 1,
                                 .blockDimZ = 1,
                                 .sharedMemBytes = (unsigned)grid.shared,
                                 .hStream = g->stream,
                                 .attrs = &early,
                                 .numAttrs = 1};
  memcpy(&launch, &g->early_function, sizeof launch);
  return (int)launch(&config, function, values, NULL);
}
#else
enum { EARLY_MAJOR = INT_MAX, EARLY_DRIVER = INT_MAX };
#define launch_early NULL
#endif

static pl_err describe(pl_device *device, pl_gpu *g)
{
  int major = 0, minor = 0, driver = 0, nvrtc_major = 0, nvrtc_minor = 0;
  g->device_attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, g->device);
  g->device_attribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, g->device);
  g->device_attribute(&g->waits_together, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, g->device);
  g->driver_version(&driver);
  g->compiler_version(&nvrtc_major, &nvrtc_minor);
  snprintf(g->arch, sizeof g->arch, "--gpu-architecture=sm_%d%d", major, minor);
  snprintf(device->identity, sizeof device->identity, "cuda %s nvrtc %d.%d", g->arch, nvrtc_major,
           nvrtc_minor);
  snprintf(device->version, sizeof device->version, "compute capability %d.%d, driver %d.%d, NVRTC %d.%d",
           major, minor, driver / 1000, driver % 1000 / 10, nvrtc_major, nvrtc_minor);
  if (major >= EARLY_MAJOR && driver >= EARLY_DRIVER && pl_opt_flag(device->pl, PL_OPT_EARLY))
    g->early_function = dlsym(g->library[0], "cuLaunchKernelEx");
  device->limits_registers = true;
  device->has_atomics_64 = major >= 6;
  device->mpi_direct = pl_comm_takes_cuda(device->pl);
  return PL_SUCCESS;
}

static const pl_gpu_kind kind = {
  .name = "CUDA",
  .compiler = "NVRTC",
  .libraries = {libcuda, libnvrtc},
  .no_runtime = "libcuda.so.1 was not found; install the NVIDIA driver",
  .no_device = "the NVIDIA driver finds no device",
  .no_compiler = "libnvrtc.so was not found; install NVRTC from the CUDA toolkit",
  .functions = functions,
  .dlpack = 2,
  .out_of_memory = CUDA_ERROR_OUT_OF_MEMORY,
  .not_ready = CUDA_ERROR_NOT_READY,
  .max_block = CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
  .max_shared = CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
  .units = CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
  .pci = {CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID,
          CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID},
  .peer_flag = CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS,
  .free_shared = 48 << 10,
  .quiet = "-w",
  .unqualified = "--device-as-default-execution-space",
  .contract = "--fmad=true",
  .no_contract = "--fmad=false",
  .remedies = remedies,
  .launch_early = launch_early,
  .describe = describe,
};

PL_GPU_BACKEND(cuda)
