/* SPDX-License-Identifier: BSD-2-Clause
 * Preludes of device programs. OpenCL has vectors with operators; CUDA's vectors get operators; the host,
 * which compiles programs as C++, gets types and operators from the same patterns.
 */
#include "program_prelude.h"
#include "codegen/target/name_table.h"
#include "core/program/program.h"
#include <string.h>

/* ---- words ---- */

/* Members of the host's struct pl_item: pl_l is the work item in its group, pl_g the group. */
static const char host_words[] =
  "#define KERNEL __attribute__((always_inline))\n"
  "#define DEVICE\n"
  "#define CONSTANT static constexpr\n"
  "#define LOCAL static thread_local\n"
  "#define LOCAL_ARG\n"
  "#define GLOBAL\n"
  "#define RESTRICT __restrict__\n"
  "#define LOCAL_ID (pl_l)\n"
  "#define LOCAL_SIZE (pl_group->size)\n"
  "#define GROUP_ID (pl_g)\n"
  "#define NUM_GROUPS (pl_group->groups)\n"
  "#define GLOBAL_ID (pl_g * pl_group->size + pl_l)\n"
  "#define GLOBAL_SIZE (pl_group->groups * pl_group->size)\n"
  "#define SYNC_THREADS pl_group->wait(pl_group->fibers);\n"
  "#define SYNC_WARPS SYNC_THREADS\n"
  "#define MEM_FENCE __atomic_thread_fence(__ATOMIC_SEQ_CST);\n"
  "#define ATOMIC_ADD(place, value) pl_atomic_add((place), (value))\n"
  "typedef signed char int8_t;\ntypedef unsigned char uint8_t;\ntypedef short int16_t;\n"
  "typedef unsigned short uint16_t;\ntypedef int int32_t;\ntypedef unsigned int uint32_t;\n"
  "typedef __INT64_TYPE__ int64_t;\ntypedef __UINT64_TYPE__ uint64_t;\n"
  "typedef unsigned int uint;\n"
  "typedef int64_t mm_long;\ntypedef uint64_t mm_ulong;\n"
  "struct pl_group_info {\n  void *const *args;\n  int size, groups;\n  void (*wait)(void *);\n  void "
  "*fibers;\n};\n"
  "template <class T, class V> static inline T pl_atomic_add(T *place, V value)\n"
  "{\n  return __atomic_fetch_add(place, (T)value, __ATOMIC_RELAXED);\n}\n"
  "template <class T, class B> static inline T pl_atomic_add_bits(T *place, T value)\n"
  "{\n  union { T v; B b; } now, next;\n  now.b = __atomic_load_n((B *)place, __ATOMIC_RELAXED);\n"
  "  do next.v = now.v + value;\n  while (!__atomic_compare_exchange_n((B *)place, &now.b, next.b, true, "
  "__ATOMIC_RELAXED, __ATOMIC_RELAXED));\n  return now.v;\n}\n"
  "template <class V> static inline float pl_atomic_add(float *place, V value)\n"
  "{\n  return pl_atomic_add_bits<float, uint32_t>(place, (float)value);\n}\n"
  "template <class V> static inline double pl_atomic_add(double *place, V value)\n"
  "{\n  return pl_atomic_add_bits<double, uint64_t>(place, (double)value);\n}\n";

static const char cuda_words[] =
  "#define KERNEL extern \"C\" __global__\n"
  "#define DEVICE __device__\n"
  "#define CONSTANT static __device__ const\n"
  "#define LOCAL __shared__\n"
  "#define LOCAL_ARG\n"
  "#define GLOBAL\n"
  "#define RESTRICT __restrict__\n"
  "#define LOCAL_ID ((int)threadIdx.x)\n"
  "#define LOCAL_SIZE ((int)blockDim.x)\n"
  "#define GROUP_ID ((int)blockIdx.x)\n"
  "#define NUM_GROUPS ((int)gridDim.x)\n"
  "#define GLOBAL_ID ((int)(blockIdx.x * blockDim.x + threadIdx.x))\n"
  "#define GLOBAL_SIZE ((int)(gridDim.x * blockDim.x))\n"
  "#define SYNC_THREADS __syncthreads();\n"
  "#define SYNC_WARPS __syncwarp();\n"
  "#define MEM_FENCE __threadfence_block();\n"
  "#define ATOMIC_ADD(place, value) pl_atomic_add((place), (value))\n"
  "typedef signed char int8_t;\ntypedef unsigned char uint8_t;\ntypedef short int16_t;\n"
  "typedef unsigned short uint16_t;\ntypedef int int32_t;\ntypedef unsigned int uint32_t;\n"
  "typedef long int64_t;\ntypedef unsigned long uint64_t;\n"
  "typedef unsigned int uint;\n"
  "typedef int64_t mm_long;\ntypedef uint64_t mm_ulong;\n"
  "template <class T, class V> __device__ inline T pl_atomic_add(T *place, V value)\n"
  "{\n  return atomicAdd(place, (T)value);\n}\n"
  "template <class V> __device__ inline int64_t pl_atomic_add(int64_t *place, V value)\n"
  "{\n  return (int64_t)atomicAdd((unsigned long long *)place, (unsigned long long)(int64_t)value);\n}\n"
  "template <class V> __device__ inline uint64_t pl_atomic_add(uint64_t *place, V value)\n"
  "{\n  return (uint64_t)atomicAdd((unsigned long long *)place, (unsigned long long)value);\n}\n";

static const char opencl_words[] =
  "#define KERNEL __kernel\n"
  "#define DEVICE\n"
  "#define CONSTANT __constant\n"
  "#define LOCAL __local\n"
  "#define LOCAL_ARG __local\n"
  "#define GLOBAL __global\n"
  "#define RESTRICT restrict\n"
  "#define LOCAL_ID ((int)get_local_id(0))\n"
  "#define LOCAL_SIZE ((int)get_local_size(0))\n"
  "#define GROUP_ID ((int)get_group_id(0))\n"
  "#define NUM_GROUPS ((int)get_num_groups(0))\n"
  "#define GLOBAL_ID ((int)get_global_id(0))\n"
  "#define GLOBAL_SIZE ((int)get_global_size(0))\n"
  "#define SYNC_THREADS barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
  "#define SYNC_WARPS SYNC_THREADS\n"
  "#define MEM_FENCE mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
  "#define ATOMIC_ADD(place, value) pl_atomic_add((place), (value))\n"
  "typedef char int8_t;\ntypedef uchar uint8_t;\ntypedef short int16_t;\ntypedef ushort uint16_t;\n"
  "typedef int int32_t;\ntypedef uint uint32_t;\ntypedef long int64_t;\ntypedef ulong uint64_t;\n"
  "typedef long mm_long;\ntypedef ulong mm_ulong;\n";

/* ---- OpenCL's atomics, for both address spaces ---- */

#define OVERLOAD "static inline __attribute__((overloadable)) "

static void opencl_add(pl_string *text, const char *space, const char *type, const char *body)
{
  pl_string_add(text, OVERLOAD "%s pl_atomic_add(volatile %s %s *p, %s v)\n{\n", type, space, type, type);
  for (const char *c = body; *c; c++) /* @ is the address space */
    if (*c == '@')
      pl_string_add(text, "%s", space);
    else
      pl_string_add_bytes(text, c, 1);
  pl_string_add(text, "}\n");
}

/* Floating-point sums by compare and swap. */
#define SWAP(T, bits, cas)                                                                                   \
  "  union { " T " v; " bits " b; } now, next;\n"                                                            \
  "  " bits " seen = *(volatile @ " bits " *)p;\n"                                                           \
  "  do {\n    now.b = seen;\n    next.v = now.v + v;\n    seen = " cas "((volatile @ " bits                 \
  " *)p, now.b, next.b);\n  } while (seen != now.b);\n  return now.v;\n"

/* A 64-bit sum by two 32-bit atomics, with a carry. */
#define HALVES(T)                                                                                            \
  "  volatile @ uint *word = (volatile @ uint *)p;\n"                                                        \
  "  uint low = (uint)v, high = (uint)((ulong)v >> 32), seen = atomic_add(word, low);\n"                     \
  "  high = atomic_add(word + 1, high + (seen + low < seen ? 1 : 0));\n"                                     \
  "  return (" T ")(((ulong)high << 32) | seen);\n"

static void print_opencl_atomics(const pl_target *target, pl_string *text)
{
  static const char *const spaces[] = {"__global", "__local"};
  bool wide = target->has_atomics_64;
  if (wide) pl_string_add(text, "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n");
  for (int s = 0; s < 2; s++) {
    opencl_add(text, spaces[s], "int", "  return atomic_add(p, v);\n");
    opencl_add(text, spaces[s], "uint", "  return atomic_add(p, v);\n");
    opencl_add(text, spaces[s], "long", wide ? "  return atom_add(p, v);\n" : HALVES("long"));
    opencl_add(text, spaces[s], "ulong", wide ? "  return atom_add(p, v);\n" : HALVES("ulong"));
    opencl_add(text, spaces[s], "float", SWAP("float", "uint", "atomic_cmpxchg"));
    if (wide && target->has_double)
      opencl_add(text, spaces[s], "double", SWAP("double", "ulong", "atom_cmpxchg"));
  }
}

/* ---- vectors ---- */

/* Patterns: T the vector type, S its values' type, F the qualifier, A the alignment, $ an operator; [one|, ]
 * repeats `one` for each member, with @ its name, separated by the text behind the bar. */
static const char struct_pattern[] = "struct A T { S [@|, ]; };\n"
                                     "F T make_T([S @|, ]) { T r; [r.@ = @|; ]; return r; }\n";

static const char splat_pattern[] = "F T make_T(S s) { return make_T([s|, ]); }\n"
                                    "F T operator-(T a) { return make_T([-a.@|, ]); }\n";

/* An operator between vectors and values, and its assignment. */
static const char arithmetic_pattern[] = "F T operator$(T a, T b) { return make_T([a.@ $ b.@|, ]); }\n"
                                         "F T operator$(T a, S s) { return make_T([a.@ $ s|, ]); }\n"
                                         "F T operator$(S s, T a) { return make_T([s $ a.@|, ]); }\n"
                                         "F void operator$=(T &a, T b) { a = a $ b; }\n"
                                         "F void operator$=(T &a, S s) { a = a $ s; }\n";

static const char geometry_pattern[] = "F S dot(T a, T b) { return [a.@ * b.@| + ]; }\n"
                                       "F T normalize(T a) { return a * (1 / sqrt(dot(a, a))); }\n";

static const char cross_pattern[] =
  "F T cross(T a, T b) { return make_T(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x";

typedef struct vector {
  const char *value; /* "float" */
  char name[16];     /* "float4" */
  int width;
  const char *function; /* qualifier */
  char op;              /* of $ */
} vector;

static const char members[] = "xyzw";

static const char *fill_pattern(const vector *v, const char *pattern, char member, pl_string *text);

/* [one|between]: returns the position behind the bracket. */
static const char *repeat_member(const vector *v, const char *one, pl_string *text)
{
  const char *bar = strchr(one, '|'), *end = strchr(bar, ']');
  for (int m = 0; m < v->width; m++) {
    if (m) pl_string_add_bytes(text, bar + 1, (size_t)(end - bar - 1));
    fill_pattern(v, one, members[m], text);
  }
  return end + 1;
}

static bool stands_alone(const char *pattern, const char *at)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return (at == pattern || !strchr(letters, at[-1])) && (!at[1] || !strchr(letters, at[1]));
}

/* As on devices, where vectors of two and four move at once; at most 16 bytes. */
static void print_alignment(const vector *v, pl_string *text)
{
  int size = *v->value == 's' ? 2 : *v->value == 'd' ? 8 : 4, bytes = v->width * size;
  if (v->width != 3) pl_string_add(text, "alignas(%d)", bytes < 16 ? bytes : 16);
}

/* Prints a pattern up to its end, or in brackets up to the bar. */
static const char *fill_pattern(const vector *v, const char *pattern, char member, pl_string *text)
{
  const char *p = pattern;
  for (; *p && !(member && *p == '|'); p++) {
    if (*p == '[') {
      p = repeat_member(v, p + 1, text) - 1;
    } else if (*p == '@') {
      pl_string_add_bytes(text, &member, 1);
    } else if (*p == '$') {
      pl_string_add_bytes(text, &v->op, 1);
    } else if (strchr("TSFA", *p) && stands_alone(pattern, p)) {
      if (*p == 'A')
        print_alignment(v, text);
      else
        pl_string_add(text, "%s", *p == 'T' ? v->name : *p == 'S' ? v->value : v->function);
    } else {
      pl_string_add_bytes(text, p, 1);
    }
  }
  return p;
}

static void print_vector(vector *v, bool types, pl_string *text)
{
  bool real = *v->value == 'f' || *v->value == 'd';
  if (types) fill_pattern(v, struct_pattern, 0, text);
  fill_pattern(v, splat_pattern, 0, text);
  for (const char *op = "+-*/"; *op; op++) {
    v->op = *op;
    fill_pattern(v, arithmetic_pattern, 0, text);
  }
  if (real) fill_pattern(v, geometry_pattern, 0, text);
  if (real && v->width > 2) {
    fill_pattern(v, cross_pattern, 0, text);
    pl_string_add(text, v->width == 4 ? ", 0); }\n" : "); }\n");
  }
  if (v->width == 4)
    pl_string_add(text, "%s %s3 trimTo3(%s v) { return make_%s3(v.x, v.y, v.z); }\n", v->function, v->value,
                  v->name, v->value);
}

/* Whether the program mentions a vector type, as part of another name too, or as real4 and mixed4. */
static bool mentions_vector(const pl_program *program, const char *value, int width)
{
  static const char *const words[] = {"real", "mixed"};
  const pl_type type[] = {program->real, program->mixed};
  char name[16];
  snprintf(name, sizeof name, "%s%d", value, width);
  bool found = strstr(program->source, name) || strstr(program->defines, name);
  for (int w = 0; w < 2; w++) {
    snprintf(name, sizeof name, "%s%d", words[w], width);
    found |= !strcmp(pl_type_name(type[w]), value) &&
             (strstr(program->source, name) || strstr(program->defines, name));
  }
  return found || (width == 3 && mentions_vector(program, value, 4));
}

static const char *const vector_values[] = {"short", "int", "float", "double"};

static void print_vectors(const pl_program *program, const char *function, bool types, pl_string *text)
{
  for (int i = 0; i < 4; i++)
    for (int width = 2; width <= 4; width++) {
      vector v = {.value = vector_values[i], .width = width, .function = function};
      if (!mentions_vector(program, v.value, width)) continue;
      snprintf(v.name, sizeof v.name, "%s%d", v.value, width);
      print_vector(&v, types, text);
    }
}

/* OpenCL's vector literals: one value fills all members. */
static void print_opencl_vectors(const pl_target *target, pl_string *text)
{
  for (int i = 0; i < (target->has_double ? 4 : 3); i++)
    for (int width = 2; width <= 4; width++)
      pl_string_add(text, "#define make_%s%d(x...) ((%s%d)(x))\n", vector_values[i], width, vector_values[i],
                    width);
  pl_string_add(text, "#define trimTo3(v) ((v).xyz)\n");
}

/* ---- mathematics ---- */

static const char *const unary[] = {
  "sqrt",  "fabs", "exp",  "exp2", "log",  "log2",  "log10", "sin",   "cos",    "tan",    "asin",
  "acos",  "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "floor",  "ceil",   "round",
  "trunc", "rint", "cbrt", "erf",  "erfc", "expm1", "log1p", "logb",  "lgamma", "tgamma", "nearbyint"};
static const char *const binary[] = {"pow",   "atan2", "fmin",      "fmax",      "fmod",
                                     "hypot", "fdim",  "remainder", "nextafter", "copysign"};
static const char *const others[] = {"fma", "ldexp"};
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Whether the program mentions a name, as part of another one too; vectors need sqrt. */
static bool has(const pl_program *program, const char *name)
{
  return strstr(program->source, name) || strstr(program->defines, name) || !strcmp(name, "sqrt");
}

/* C's float functions call OpenCL's generic ones. */
static void print_opencl_floats(const pl_program *program, const char *const *names, size_t count,
                                pl_string *text)
{
  char name[16];
  for (size_t i = 0; i < count; i++) {
    if (!has(program, names[i])) continue;
    snprintf(name, sizeof name, "%sf", names[i]);
    pl_string_add(text, "%s", pl_name_lines(pl_names_opencl, name));
  }
}

static void print_opencl_math(const pl_program *program, pl_string *text)
{
  print_opencl_floats(program, unary, COUNT(unary), text);
  print_opencl_floats(program, binary, COUNT(binary), text);
  print_opencl_floats(program, others, COUNT(others), text);
  if (has(program, "rsqrtf"))
    pl_string_add(text,
                  "static inline float pl_rsqrtf(float x) { return rsqrt(x); }\n#define rsqrtf pl_rsqrtf\n");
  if (has(program, "nearbyint")) pl_string_add(text, "#define nearbyint rint\n");
  if (has(program, "abs")) /* OpenCL's is unsigned */
    pl_string_add(text, "%s", pl_name_lines(pl_names_opencl, "abs"));
}

/* Declared without headers, which compile slower than most programs; each name is overloaded. */
static void print_host_math(const pl_program *program, pl_string *text)
{
  for (size_t i = 0; i < COUNT(unary); i++)
    if (has(program, unary[i]))
      pl_string_add(text,
                    "extern \"C\" double %s(double);\nextern \"C\" float %sf(float);\n"
                    "static inline float %s(float x) { return %sf(x); }\n",
                    unary[i], unary[i], unary[i], unary[i]);
  for (size_t i = 0; i < COUNT(binary); i++)
    if (has(program, binary[i]))
      pl_string_add(text,
                    "extern \"C\" double %s(double, double);\nextern \"C\" float %sf(float, float);\n"
                    "static inline float %s(float x, float y) { return %sf(x, y); }\n",
                    binary[i], binary[i], binary[i], binary[i]);
  if (has(program, "rsqrt"))
    pl_string_add(text, "static inline float rsqrt(float x) { return 1.0f / sqrtf(x); }\n"
                        "static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }\n"
                        "static inline double rsqrt(double x) { return 1.0 / sqrt(x); }\n");
  pl_string_add(
    text, "%s",
    "extern \"C\" double fma(double, double, double);\nextern \"C\" float fmaf(float, float, float);\n"
    "extern \"C\" double ldexp(double, int);\nextern \"C\" float ldexpf(float, int);\n"
    "template <class T> static inline T min(T a, T b) { return b < a ? b : a; }\n"
    "template <class T> static inline T max(T a, T b) { return a < b ? b : a; }\n"
    "static inline int abs(int x) { return x < 0 ? -x : x; }\n");
}

/* ---- constants ---- */

/* math.h would declare the functions differently. */
static const pl_target_name host_math_names[] = {
  {"M_PI", "#define M_PI 3.14159265358979323846\n", NULL, false},
  {"INFINITY", "#define INFINITY __builtin_inff()\n", NULL, false},
  {"NAN", "#define NAN __builtin_nanf(\"\")\n", NULL, false},
  {"isnan", "#define isnan(x) __builtin_isnan(x)\n", NULL, false},
  {"isinf", "#define isinf(x) __builtin_isinf(x)\n", NULL, false},
  {"isfinite", "#define isfinite(x) __builtin_isfinite(x)\n", NULL, false},
  {NULL, NULL, NULL, false}};

/* Loops have it in their own prelude. */
static const pl_target_name cuda_math_names[] = {
  {"INFINITY", "#undef INFINITY\n#define INFINITY __int_as_float(0x7f800000)\n", NULL, false},
  {NULL, NULL, NULL, false}};

/* From C's headers; the target's compiler defines those without a row in its table. */
static void print_constants(const pl_program *program, const pl_target_name *names, pl_string *text)
{
  static const char *const words[] = {"M_PI",     "INFINITY",    "NAN",     "isnan",       "isinf",
                                      "isfinite", "FLT_MAX",     "FLT_MIN", "FLT_EPSILON", "DBL_MAX",
                                      "DBL_MIN",  "DBL_EPSILON", "INT_MAX", "INT_MIN",     "UINT_MAX"};
  for (size_t i = 0; i < COUNT(words); i++)
    if (has(program, words[i])) pl_string_add(text, "%s", pl_name_lines(names, words[i]));
}

/* ---- the whole prelude ---- */

static void print_precision(const pl_program *program, pl_string *text)
{
  const char *words[] = {"real", "mixed"},
             *types[] = {pl_type_name(program->real), pl_type_name(program->mixed)};
  if (program->real == PL_DOUBLE) pl_string_add(text, "#define USE_DOUBLE_PRECISION 1\n");
  if (program->real != program->mixed) pl_string_add(text, "#define USE_MIXED_PRECISION 1\n");
  for (int w = 0; w < 2; w++) {
    pl_string_add(text, "typedef %s %s;\n", types[w], words[w]);
    for (int width = 2; width <= 4; width++)
      pl_string_add(text, "#define %s%d %s%d\n#define make_%s%d make_%s%d\n", words[w], width, types[w],
                    width, words[w], width, types[w], width);
  }
  pl_string_add(text, "#define realToFixedPoint(x) ((mm_long)((x) * 4294967296.0f))\n");
}

static void print_host(const pl_program *program, const pl_target *target, pl_string *text)
{
  (void)target;
  pl_string_add(text, "%s", host_words);
  print_host_math(program, text);
  print_constants(program, host_math_names, text);
  print_constants(program, pl_names_host, text);
  print_vectors(program, "static inline", true, text);
}

static void print_cuda(const pl_program *program, const pl_target *target, pl_string *text)
{
  (void)target;
  pl_string_add(text, "%s", cuda_words);
  print_constants(program, cuda_math_names, text);
  print_constants(program, pl_names_cuda, text);
  print_vectors(program, "__device__ inline", false, text);
}

static void print_opencl(const pl_program *program, const pl_target *target, pl_string *text)
{
  if (target->has_double) pl_string_add(text, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
  pl_string_add(text, "%s", opencl_words);
  print_opencl_atomics(target, text);
  print_opencl_math(program, text);
  print_opencl_vectors(target, text);
}

void pl_prelude_print(const pl_program *program, const pl_target *target, pl_string *text)
{
  static void (*const print[PL_LANGUAGE_COUNT])(const pl_program *, const pl_target *, pl_string *) = {
    [PL_LANGUAGE_C] = print_host, [PL_LANGUAGE_CUDA] = print_cuda, [PL_LANGUAGE_OPENCL] = print_opencl};
  if (target->has_double) pl_string_add(text, "#define SUPPORTS_DOUBLE_PRECISION 1\n");
  if (target->has_atomics_64) pl_string_add(text, "#define SUPPORTS_64_BIT_ATOMICS 1\n");
  print[target->dialect->language](program, target, text);
  print_precision(program, text);
}
