/* SPDX-License-Identifier: BSD-2-Clause
 * All functions of CUDA and NVRTC that the driver calls, doing nothing; fake_cuda.c overrides some.
 */
#include <cuda.h>
#include <nvrtc.h>

#define NAME_OF(f) #f
#define X(library, place, f)                                                                                 \
  int rest_##place(void) __asm__(NAME_OF(f));                                                                \
  __attribute__((weak)) int rest_##place(void)                                                               \
  {                                                                                                          \
    return 0;                                                                                                \
  }
#include "backends/cuda/cuda_functions.def"
