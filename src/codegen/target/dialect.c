/* SPDX-License-Identifier: BSD-2-Clause
 * The dialect table.
 */
#include "dialect.h"
#include <stddef.h>
#include <string.h>

/* The C library's header may define CMPLX for gcc only; clang takes a list as the value of a complex. */
#define CLANG_CMPLX                                                                                          \
  "#ifndef CMPLX\n#define CMPLX(x, y) ((double _Complex){x, y})\n#endif\n"                                   \
  "#ifndef CMPLXF\n#define CMPLXF(x, y) ((float _Complex){x, y})\n#endif\n"

#define COMPLEX_TYPES                                                                                        \
  "typedef struct pl_cfloat { float re, im; } pl_cfloat;\n"                                                  \
  "typedef struct pl_cdouble { double re, im; } pl_cdouble;\n"

#define INTEGER_TYPES(long_type)                                                                             \
  "typedef signed char int8_t;\ntypedef unsigned char uint8_t;\ntypedef short int16_t;\n"                    \
  "typedef unsigned short uint16_t;\ntypedef int int32_t;\ntypedef unsigned int uint32_t;\n"                 \
  "typedef " long_type " int64_t;\ntypedef unsigned " long_type " uint64_t;\n"

/* A pointer that C++ converts to any other. */
#define CPP_WORDS                                                                                            \
  "#define restrict __restrict__\n"                                                                          \
  "struct pl_any { void *p; template <class T> operator T *() const { return (T *)p; } };\n"

static const pl_dialect host = {
  .name = "c",
  .suffix = "c",
  .host = true,
  .prelude = "#include <math.h>\n#include <stdint.h>\n#include <stddef.h>\n" COMPLEX_TYPES,
  .prelude_double = "",
  .complex = "#include <complex.h>\n" CLANG_CMPLX "typedef double _Complex pl_complex_double;\n"
             "typedef float _Complex pl_complex_float;\n",
  .cpp = CPP_WORDS,
  .cpp_names = pl_names_host,
  .names = pl_names_host,
  .kernel_qualifier = "static inline __attribute__((always_inline))",
  .function_qualifier = "static inline",
  .entry_qualifier = "",
  .data_qualifier = "",
  .global = "",
  .constant = "",
  .local = "",
  .local_pointer = "",
  .shared_parameter = "",
  .shared_declaration = "",
  .restrict_word = "restrict",
  .barrier = "",
  .block_id = "",
  .blocks = "",
  .local_id = "",
  .local_size = "",
};

/* Device programs on hosts, inside struct pl_item: pl_l is the work item in its group, pl_g the group. */
static const pl_dialect host_program = {
  .name = "c++",
  .suffix = "cpp",
  .host = true,
  .cplusplus = true,
  .prelude = INTEGER_TYPES("long"),
  .prelude_double = "",
  .program = pl_template_program_host,
  .program_names = pl_program_names_host,
  .vector_function = "static inline",
  .device_qualifier = "",
  .entry_qualifier = "__attribute__((always_inline))",
  .data_qualifier = "static constexpr ",
  .global = "",
  .local = "static thread_local",
  .local_pointer = "",
  .restrict_word = "__restrict__",
  .barrier = "pl_group->wait(pl_group->fibers);",
  .warp_barrier = "pl_group->wait(pl_group->fibers);",
  .block_fence = "__atomic_thread_fence(__ATOMIC_SEQ_CST);",
  .block_id = "pl_g",
  .blocks = "pl_group->groups",
  .local_id = "pl_l",
  .local_size = "pl_group->size",
};

/* A constant expression, which constant tables need, except in compilers before CUDA 12. */
#define FLOAT_OF_BITS                                                                                        \
  "#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ < 12\n"                                         \
  "#define PL_FLOAT(bits) __int_as_float(bits)\n#else\n"                                                     \
  "#define PL_FLOAT(bits) __builtin_bit_cast(float, bits)\n#endif\n"

/* Columns that languages like CUDA share. */
#define CUDA_PRELUDE(long_type)                                                                              \
  INTEGER_TYPES(long_type)                                                                                   \
  "#ifndef NULL\n#define NULL 0\n#endif\n" FLOAT_OF_BITS                                                     \
  "#ifndef INFINITY\n#define INFINITY PL_FLOAT(0x7f800000)\n#endif\n" COMPLEX_TYPES

/* The functions of <cmath> and <algorithm> that kernels call most. */
#define CUDA_STD                                                                                             \
  "namespace std {\n"                                                                                        \
  "using ::fabs; using ::sqrt; using ::cbrt; using ::hypot; using ::pow; using ::exp; using ::exp2;\n"       \
  "using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p; using ::sin; using ::cos;\n"      \
  "using ::tan; using ::asin; using ::acos; using ::atan; using ::atan2; using ::sinh; using ::cosh;\n"      \
  "using ::tanh; using ::floor; using ::ceil; using ::round; using ::trunc; using ::fmod; using ::fmin;\n"   \
  "using ::fmax; using ::fma; using ::erf; using ::erfc; using ::tgamma; using ::lgamma; using "             \
  "::copysign;\n"                                                                                            \
  "using ::abs; using ::isnan; using ::isinf; using ::isfinite;\n"                                           \
  "template <class T> const T &min(const T &a, const T &b) { return b < a ? b : a; }\n"                      \
  "template <class T> const T &max(const T &a, const T &b) { return a < b ? b : a; }\n"                      \
  "template <class T> void swap(T &a, T &b) { T c = a; a = b; b = c; }\n"                                    \
  "}\n"

/* clang-format off */
#define CUDA_COLUMNS                                                                                         \
  .cplusplus = true,                                                                                         \
  .one_space = true,                                                                                         \
  .consts_by_value = true,                                                                                   \
  .vector_types = true,                                                                                      \
  .vector_function = "__device__ inline",                                                                    \
  .prelude_double = "",                                                                                      \
  .complex = pl_template_complex_cuda,                                                                       \
  .program = pl_template_program_cuda,                                                                       \
  .program_names = pl_program_names_cuda,                                                                    \
  .names = pl_names_cuda,                                                                                    \
  .math = &pl_math_cuda,                                                                                     \
  .kernel_qualifier = "static __device__ __forceinline__",                                                   \
  .function_qualifier = "static __device__ inline",                                                          \
  .device_qualifier = "__device__",                                                                          \
  .entry_qualifier = "extern \"C\" __global__ ",                                                             \
  .data_qualifier = "static __device__ ",                                                                    \
  .global = "",                                                                                              \
  .constant = "",                                                                                            \
  .local = "__shared__ ",                                                                                    \
  .local_pointer = "",                                                                                       \
  .shared_parameter = "",                                                                                    \
  .shared_declaration = "extern __shared__ double2 pl_shared[];",                                            \
  .restrict_word = "__restrict__",                                                                           \
  .barrier = "__syncthreads();",                                                                             \
  .block_fence = "__threadfence_block();",                                                                   \
  .fence = "__threadfence();",                                                                               \
  .system_fence = "__threadfence_system();",                                                                 \
  .draw = "atomicAdd(p, 1)",                                                                                 \
  .block_id = "(int)blockIdx.x",                                                                             \
  .blocks = "(int)gridDim.x",                                                                                \
  .local_id = "(int)threadIdx.x",                                                                            \
  .local_size = "(int)blockDim.x",                                                                           \
  .warps = true,                                                                                             \
  .count_bits = "__popc",                                                                                    \
  .atomic_add = "atomicAdd",                                                                                 \
  .atomic_or = "atomicOr",                                                                                   \
  .atomic_max = "atomicMax",                                                                                 \
  .add_int32 = "atomicAdd((unsigned *)p, (unsigned)v);",                                                     \
  .add_int64 = "atomicAdd((unsigned long long *)p, (unsigned long long)v);",                                 \
  .add_float = "atomicAdd(p, v);",                                                                           \
  .add_double = "atomicAdd(p, v);",                                                                          \
  .cas_32 = "atomicCAS((unsigned *)p, a, b)",                                                                \
  .cas_64 = "atomicCAS((unsigned long long *)p, (unsigned long long)a, (unsigned long long)b)"
/* clang-format on */

/* Records of 32 bytes in two vectors of 16, by all work items of a warp, each at its own record, which the
 * next one's follows. A work item and its neighbour first load the two parts of the first record, then those
 * of the second, and exchange what belongs to the other. Stores are the reverse. */
#define CUDA_SECTORS                                                                                         \
  "template <class V> static __device__ __forceinline__ V pl_of_neighbour(V v)\n"                            \
  "{\n  int *const word = (int *)&v;\n"                                                                      \
  "  for (int i = 0; i < 4; i++) word[i] = __shfl_xor_sync(~0u, word[i], 1);\n  return v;\n}\n"              \
  "template <class V> static __device__ __forceinline__ void pl_load_sectors(const V *at, V *v)\n"           \
  "{\n  const int odd = (int)threadIdx.x & 1;\n  const V first = at[-odd], second = at[2 - odd];\n"          \
  "  const V other = pl_of_neighbour(odd ? first : second);\n"                                               \
  "  v[0] = odd ? other : first;\n  v[1] = odd ? second : other;\n}\n"                                       \
  "template <class V> static __device__ __forceinline__ void pl_store_sectors(V *at, const V *v)\n"          \
  "{\n  const int odd = (int)threadIdx.x & 1;\n"                                                             \
  "  const V other = pl_of_neighbour(odd ? v[0] : v[1]);\n"                                                  \
  "  at[-odd] = odd ? other : v[0];\n  at[2 - odd] = odd ? v[1] : other;\n}\n"

/* A kernel that starts before the one ahead of it has ended may not load `const __restrict__` data as such
 * that do not change while it runs: without `restrict` and behind this wait the compiler does not. */
#define CUDA_WAIT                                                                                            \
  "#if __CUDA_ARCH__ >= 900\n"                                                                               \
  "#define PL_WAIT asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n"                                 \
  "#define PL_RESTRICT\n#else\n#define PL_WAIT\n#define PL_RESTRICT __restrict__\n#endif\n"

static const pl_dialect cuda = {
  CUDA_COLUMNS,
  .name = "cuda",
  .suffix = "cu",
  .predefined = "__CUDA_ARCH__",
  .prelude = CUDA_PRELUDE("long") CUDA_SECTORS CUDA_WAIT,
  .sectors = true,
  .wait = "PL_WAIT",
  .cpp = CPP_WORDS CUDA_STD,
  .cpp_names = pl_cpp_names_cuda,
  .warp_barrier = "__syncwarp();",
  .pause = "if (__CUDA_ARCH__ >= 700) asm volatile(\"nanosleep.u32 1000;\");",
  .other_lane = "__shfl_xor_sync(~0u, ",
  .shift_up = "__shfl_up_sync(~0u, x, d)",
  .from_lane = "__shfl_sync(~0u, x, lane)",
  .ballot = "__ballot_sync(~0u, x)",
};

/* HIPRTC's own header declares int64_t, and vectors with operators. Half a wave of 64 lanes is a warp. */
static const pl_dialect hip = {
  CUDA_COLUMNS,
  .name = "hip",
  .suffix = "hip",
  .predefined = "__HIP_DEVICE_COMPILE__",
  .vector_operators = true,
  .prelude = CUDA_PRELUDE("long long"),
  .warp_barrier = "{ __builtin_amdgcn_fence(__ATOMIC_RELEASE, \"wavefront\"); "
                  "__builtin_amdgcn_wave_barrier(); "
                  "__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, \"wavefront\"); }",
  .other_lane = "__shfl_xor(",
  .shift_up = "__shfl_up(x, d, 32)",
  .from_lane = "__shfl(x, lane, 32)",
  .ballot = "(unsigned)(__ballot(x) >> (threadIdx.x & 32))",
};

/* clang-format off */
#define OPENCL_COLUMNS                                                                                      \
  .suffix = "cl",                                                                                           \
  .predefined = "__OPENCL_VERSION__",                                                                       \
  .one_long = true,                                                                                         \
  .prelude = INTEGER_TYPES("long") "#define NULL 0\ntypedef struct pl_cfloat { float re, im; } pl_cfloat;\n", \
  .prelude_double = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"                                       \
    "typedef struct pl_cdouble { double re, im; } pl_cdouble;\n",                                           \
  .complex = pl_template_complex_opencl,                                                                    \
  .program = pl_template_program_opencl,                                                                    \
  .program_names = pl_program_names_opencl,                                                                 \
  .names = pl_names_opencl,                                                                                 \
  .math = &pl_math_opencl,                                                                                  \
  .kernel_qualifier = "static inline",                                                                      \
  .function_qualifier = "static inline",                                                                    \
  .device_qualifier = "",                                                                                   \
  .entry_qualifier = "__kernel ",                                                                           \
  .data_qualifier = "__constant ",                                                                          \
  .global = "__global ",                                                                                    \
  .constant = "__global ",                                                                                  \
  .local = "__local ",                                                                                      \
  .local_pointer = "__local ",                                                                              \
  .shared_parameter = ",\n    __local uint4 *pl_shared",                                                    \
  .shared_declaration = "",                                                                                 \
  .restrict_word = "restrict",                                                                              \
  .barrier = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",                                        \
  .block_fence = "mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",                                  \
  .count_bits = "popcount",                                                                                 \
  .atomic_add = "atomic_add",                                                                               \
  .atomic_or = "atomic_or",                                                                                 \
  .atomic_max = "atomic_max",                                                                               \
  .block_id = "(int)get_group_id(0)",                                                                       \
  .blocks = "(int)get_num_groups(0)",                                                                       \
  .local_id = "(int)get_local_id(0)",                                                                       \
  .local_size = "(int)get_local_size(0)",                                                                   \
  .add_int32 = "atomic_add((volatile __global uint *)p, (uint)v);",                                         \
  .add_int64 = "atom_add((volatile __global ulong *)p, (ulong)v);",                                         \
  .cas_32 = "atomic_cmpxchg((volatile __global uint *)p, a, b)",                                            \
  .cas_64 = "atom_cmpxchg((volatile __global ulong *)p, a, b)"
/* clang-format on */

static const pl_dialect opencl = {
  OPENCL_COLUMNS,
  .name = "opencl",
  .warp_barrier = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
};

/* NVIDIA's compiler takes PTX. */
static const pl_dialect opencl_ptx = {
  OPENCL_COLUMNS,
  .name = "opencl",
  .fence = "asm volatile(\"membar.gl;\" ::: \"memory\");",
  .system_fence = "asm volatile(\"membar.sys;\" ::: \"memory\");",
  .draw = "atomic_add(p, 1)",
  .warps = true,
  .warp_barrier = "asm volatile(\"bar.warp.sync 0xffffffff;\" ::: \"memory\");",
  .lanes = pl_template_lanes_opencl,
  .other_lane = "pl_lane_across(",
  .shift_up = "pl_lane_below(x, d)",
  .from_lane = "pl_lane_at(x, lane)",
  .ballot = "pl_lanes_with(x)",
};

const pl_dialect *pl_dialect_find(const char *target)
{
  static const struct {
    const char *target;
    const pl_dialect *row;
  } targets[] = {{"seq", &host}, {"openmp", &host},   {"program", &host_program}, {"cuda", &cuda},
                 {"hip", &hip},  {"opencl", &opencl}, {"opencl_ptx", &opencl_ptx}};
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
    if (!strcmp(targets[i].target, target)) return targets[i].row;
  return NULL;
}
