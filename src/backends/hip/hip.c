/* SPDX-License-Identifier: BSD-2-Clause
 * The HIP driver for AMD devices: the names, the values and the sentences of HIP; all else is
 * backends/gpu_runtime. Only this file includes HIP's headers. It has been compiled and never run on a
 * device.
 */
#define __HIP_PLATFORM_AMD__ 1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>
#pragma GCC diagnostic pop
#include "backends/device_loop/device_backend.h"
#include "backends/gpu_runtime/gpu_runtime.h"
#include "core/context/context.h"

PL_GPU_SAME(PL_GPU_NON_BLOCKING, hipStreamNonBlocking);
PL_GPU_SAME(PL_GPU_NO_TIMING, hipEventDisableTiming);
PL_GPU_SAME(PL_GPU_INTERPROCESS, hipEventInterprocess);
PL_GPU_SAME(PL_GPU_PORTABLE, hipHostMallocPortable);
PL_GPU_SAME(PL_GPU_CAPTURE_THREAD, hipStreamCaptureModeThreadLocal);
PL_GPU_SAME(PL_GPU_KERNEL_MAX_BLOCK, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
PL_GPU_SAME(PL_GPU_KERNEL_SHARED, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
PL_GPU_SAME(PL_GPU_KERNEL_PRIVATE, HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);

/* Attributes and structures differ between major versions: only that of the headers is opened. Old ones have
 * HIPRTC in the runtime. */
#define TEXT(x) #x
#define VERSION(x) TEXT(x)
#define LIBRARY(name) name ".so." VERSION(HIP_VERSION_MAJOR)
static const char *const libhip[] = {LIBRARY("libamdhip64"), NULL};
static const char *const libhiprtc[] = {LIBRARY("libhiprtc"), LIBRARY("libamdhip64"), NULL};

static const pl_gpu_function functions[] = {
#define X(library, place, f) PL_GPU_FUNCTION(library, place, f)
#include "hip_functions.def"
#undef X
  {0, false, NULL}};

static const pl_gpu_remedy remedies[] = {
  {hipErrorOutOfMemory, "; use less data, float, or more devices"},
  {hipErrorIllegalAddress, "; out-of-bounds access in a kernel; run with PLAIT_CHECK=1"},
  {hipErrorLaunchOutOfResources, "; set a smaller PLAIT_BLOCK_SIZE"},
  {hipErrorNoBinaryForGpu, "; the code was compiled for another device"},
  {hipErrorInvalidImage, "; the code was compiled for another device"},
  {hipErrorInsufficientDriver, "; the driver is older than HIP; update it"},
  {0, NULL}};

static pl_err describe(pl_device *device, pl_gpu *g)
{
  hipDeviceProp_t properties = {0};
  int version = 0, major = 0, minor = 0;
  PL_TRY(GPU_CALL(device_properties, "querying the device", &properties, g->device));
  g->driver_version(&version);
  g->compiler_version(&major, &minor);
  snprintf(g->arch, sizeof g->arch, "--offload-arch=%.250s", properties.gcnArchName);
  snprintf(device->identity, sizeof device->identity, "hip %s runtime %d hiprtc %d.%d", g->arch, version,
           major, minor);
  snprintf(device->version, sizeof device->version, "%.120s, HIP %d.%d.%d, HIPRTC %d.%d",
           properties.gcnArchName, version / 10000000, version / 100000 % 100, version % 100000, major,
           minor);
  device->has_atomics_64 = true;
  return PL_SUCCESS;
}

static const pl_gpu_kind kind = {
  .name = "HIP",
  .compiler = "HIPRTC",
  .libraries = {libhip, libhiprtc},
  .no_runtime = LIBRARY("libamdhip64") " was not found; install HIP's runtime",
  .no_device = "HIP's runtime finds no device",
  .no_compiler = LIBRARY("libhiprtc") " was not found; install HIPRTC",
  .functions = functions,
  .dlpack = 10,
  .out_of_memory = hipErrorOutOfMemory,
  .not_ready = hipErrorNotReady,
  .max_block = hipDeviceAttributeMaxThreadsPerBlock,
  .max_shared = hipDeviceAttributeMaxSharedMemoryPerBlock,
  .units = hipDeviceAttributeMultiprocessorCount,
  .pci = {hipDeviceAttributePciDomainID, hipDeviceAttributePciBusId, hipDeviceAttributePciDeviceId},
  .peer_flag = hipIpcMemLazyEnablePeerAccess,
  .quiet = "-Wno-everything",
  .contract = "-ffp-contract=fast",
  .no_contract = "-ffp-contract=off",
  .remedies = remedies,
  .describe = describe,
};

PL_GPU_BACKEND(hip)
