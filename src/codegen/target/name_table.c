/* SPDX-License-Identifier: BSD-2-Clause
 * The tables of names. Keywords of the target that are ordinary names in C, and functions of the target that
 * the program defines itself, are renamed; names of C's headers that the target lacks are defined.
 */
#include "name_table.h"
#include "dialect.h"
#include <string.h>

/* clang-format off */
#define KEYWORD(word) {#word, "#define " #word " pl_word_" #word "\n", NULL, PL_NAME_CONTAINED},
#define FUNCTION(word) {#word, "#undef " #word "\n#define " #word " pl_word_" #word "\n", NULL, PL_NAME_DEFINED},
#define MEANS(word, meaning) {#word, "#define " #word " " meaning "\n", NULL, PL_NAME_CONTAINED},
#define AGAIN(word, meaning) {#word, "#undef " #word "\n#define " #word " " meaning "\n", NULL, PL_NAME_CONTAINED},
#define CALL(word, meaning) {#word, "#define " #word "(x) " meaning "\n", NULL, PL_NAME_CONTAINED},
#define AGAIN_CALL(word, meaning) {#word, "#undef " #word "\n#define " #word "(x) " meaning "\n", NULL, PL_NAME_CONTAINED},
#define HEADER(word, file) {#word, "#include <" file ">\n", NULL, PL_NAME_CONTAINED},
#define UNROLL(words)                                                                                        \
  "#define PL_UNROLL_WORDS(words) _Pragma(#words)\n#define PL_UNROLL(n) PL_UNROLL_WORDS(" words " n)\n"
#define CALLED(word, text) {#word, text, text, PL_NAME_CALLED},
#define END {NULL, NULL, NULL, PL_NAME_CONTAINED}

/* Functions of CUDA and OpenCL that a program may define with the same parameters. */
#define FUNCTIONS_OF_DEVICES                                                                                 \
  FUNCTION(acospi) FUNCTION(all) FUNCTION(any) FUNCTION(asinpi) FUNCTION(atan2pi) FUNCTION(atanpi)           \
  FUNCTION(clamp) FUNCTION(clz) FUNCTION(cospi) FUNCTION(cross) FUNCTION(ctz) FUNCTION(cyl_bessel_i0)        \
  FUNCTION(cyl_bessel_i1) FUNCTION(degrees) FUNCTION(distance) FUNCTION(dot) FUNCTION(erfcinv)               \
  FUNCTION(erfcx) FUNCTION(erfinv) FUNCTION(exp10) FUNCTION(fract) FUNCTION(length) FUNCTION(mad)            \
  FUNCTION(max) FUNCTION(maxmag) FUNCTION(min) FUNCTION(minmag) FUNCTION(mix) FUNCTION(norm)                 \
  FUNCTION(normalize) FUNCTION(normcdf) FUNCTION(normcdfinv) FUNCTION(popcount) FUNCTION(pown)               \
  FUNCTION(powr) FUNCTION(radians) FUNCTION(rcbrt) FUNCTION(rootn) FUNCTION(rotate) FUNCTION(rsqrt)          \
  FUNCTION(saturate) FUNCTION(select) FUNCTION(sign) FUNCTION(sincos) FUNCTION(sinpi) FUNCTION(smoothstep)   \
  FUNCTION(step) FUNCTION(tanpi) FUNCTION(umax) FUNCTION(umin)

#define LIMITS(again)                                                                                        \
  again(INT8_MIN, "(-128)") again(INT8_MAX, "127") again(UINT8_MAX, "255")                                   \
  again(INT16_MIN, "(-32768)") again(INT16_MAX, "32767") again(UINT16_MAX, "65535")                          \
  again(INT32_MIN, "(-2147483647 - 1)") again(INT32_MAX, "2147483647") again(UINT32_MAX, "4294967295u")      \
  again(INT64_MIN, "(-9223372036854775807l - 1)") again(INT64_MAX, "9223372036854775807l")                   \
  again(UINT64_MAX, "18446744073709551615ul") again(SIZE_MAX, "18446744073709551615ul")                      \
  again(LLONG_MIN, "(-9223372036854775807l - 1)") again(LLONG_MAX, "9223372036854775807l")                   \
  again(ULLONG_MAX, "18446744073709551615ul")

/* C's functions of doubles, which are generic in the target's language. The first text converts arguments to
 * pl_wide, the widest real type; the second, for texts with pl_real, computes in float if all arguments are float. */
#define UNARY(over, word, own, wide)                                                                         \
  {#word, over "pl_wide pl_" #word "(pl_wide x) { return " own "(x); }\n#define " #word "(x) pl_" #word "(x)\n",   \
   over "float pl_" #word "(float x) { return " own "(x); }\n"                                               \
   wide(over "double pl_" #word "(double x) { return " own "(x); }\n")                                       \
   "#define " #word "(x) pl_" #word "(pl_real_of(x))\n", PL_NAME_CONTAINED},
#define PAIR(over, word, result, one, other)                                                                 \
  over result " pl_" #word "(" one " x, " other " y) { return " #word "((" result ")x, (" result ")y); }\n"
#define BINARY(over, word, wide)                                                                             \
  {#word, PAIR(over, word, "pl_wide", "pl_wide", "pl_wide") "#define " #word "(x, y) pl_" #word "(x, y)\n",   \
   PAIR(over, word, "float", "float", "float")                                                               \
   wide(PAIR(over, word, "double", "double", "double") PAIR(over, word, "double", "double", "float")         \
        PAIR(over, word, "double", "float", "double"))                                                       \
   "#define " #word "(x, y) pl_" #word "(pl_real_of(x), pl_real_of(y))\n", PL_NAME_CONTAINED},
#define TRIPLE(over, result, one, other, third)                                                              \
  over result " pl_fma(" one " x, " other " y, " third " z) { return fma((" result ")x, (" result ")y, (" result ")z); }\n"
#define MATHEMATICS(over, wide, nearest)                                                                     \
  UNARY(over, sqrt, "sqrt", wide) UNARY(over, fabs, "fabs", wide) UNARY(over, exp, "exp", wide)              \
  UNARY(over, exp2, "exp2", wide) UNARY(over, log, "log", wide) UNARY(over, log2, "log2", wide)              \
  UNARY(over, log10, "log10", wide) UNARY(over, sin, "sin", wide) UNARY(over, cos, "cos", wide)              \
  UNARY(over, tan, "tan", wide) UNARY(over, asin, "asin", wide) UNARY(over, acos, "acos", wide)              \
  UNARY(over, atan, "atan", wide) UNARY(over, sinh, "sinh", wide) UNARY(over, cosh, "cosh", wide)            \
  UNARY(over, tanh, "tanh", wide) UNARY(over, asinh, "asinh", wide) UNARY(over, acosh, "acosh", wide)        \
  UNARY(over, atanh, "atanh", wide) UNARY(over, floor, "floor", wide) UNARY(over, ceil, "ceil", wide)        \
  UNARY(over, nearbyint, nearest, wide) UNARY(over, rint, "rint", wide) UNARY(over, round, "round", wide)    \
  UNARY(over, trunc, "trunc", wide) UNARY(over, cbrt, "cbrt", wide) UNARY(over, erf, "erf", wide)            \
  UNARY(over, erfc, "erfc", wide) UNARY(over, expm1, "expm1", wide) UNARY(over, log1p, "log1p", wide)        \
  UNARY(over, logb, "logb", wide) UNARY(over, lgamma, "lgamma", wide) UNARY(over, tgamma, "tgamma", wide)    \
  BINARY(over, pow, wide) BINARY(over, atan2, wide) BINARY(over, fmin, wide) BINARY(over, fmax, wide)        \
  BINARY(over, fmod, wide) BINARY(over, hypot, wide) BINARY(over, fdim, wide) BINARY(over, remainder, wide)  \
  BINARY(over, nextafter, wide) BINARY(over, copysign, wide)                                                 \
  {"fma",                                                                                                    \
   TRIPLE(over, "pl_wide", "pl_wide", "pl_wide", "pl_wide") "#define fma(x, y, z) pl_fma(x, y, z)\n",        \
   TRIPLE(over, "float", "float", "float", "float")                                                          \
   wide(TRIPLE(over, "double", "double", "double", "double") TRIPLE(over, "double", "double", "double", "float") \
        TRIPLE(over, "double", "double", "float", "double") TRIPLE(over, "double", "float", "double", "double") \
        TRIPLE(over, "double", "double", "float", "float") TRIPLE(over, "double", "float", "double", "float") \
        TRIPLE(over, "double", "float", "float", "double"))                                                  \
   "#define fma(x, y, z) pl_fma(pl_real_of(x), pl_real_of(y), pl_real_of(z))\n", PL_NAME_CONTAINED},                     \
  {"ldexp", over "pl_wide pl_ldexp(pl_wide x, int n) { return ldexp(x, n); }\n"                              \
   "#define ldexp(x, n) pl_ldexp(x, n)\n",                                                                   \
   over "float pl_ldexp(float x, int n) { return ldexp(x, n); }\n"                                           \
   wide(over "double pl_ldexp(double x, int n) { return ldexp(x, n); }\n")                                   \
   "#define ldexp(x, n) pl_ldexp(pl_real_of(x), n)\n", PL_NAME_CONTAINED},

/* pl_real_of converts as tgmath.h does: integers count as doubles. */
#define REAL_OF(over, wide)                                                                                  \
  over "float pl_real_of(float x) { return x; }\n" wide(over "double pl_real_of(double x) { return x; }\n") \
  over "pl_wide pl_real_of(int x) { return x; }\n" over "pl_wide pl_real_of(unsigned x) { return x; }\n"     \
  over "pl_wide pl_real_of(long x) { return x; }\n" over "pl_wide pl_real_of(unsigned long x) { return x; }\n"

#define CUDA_OVER "static __device__ inline __attribute__((unused)) "
#define CUDA_WIDE(lines) lines
#define OPENCL_OVER "static inline __attribute__((overloadable)) "
#define OPENCL_WIDE(lines) "#ifdef cl_khr_fp64\n" lines "#endif\n"

const pl_math_words pl_math_cuda = {"typedef double pl_wide;\n", REAL_OF(CUDA_OVER, CUDA_WIDE) CUDA_OVER "double pl_real_of(long long x) { return x; }\n"};
const pl_math_words pl_math_opencl = {
  "#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\ntypedef double pl_wide;\n#else\n"
  "typedef float pl_wide;\n#endif\n",
  REAL_OF(OPENCL_OVER, OPENCL_WIDE)};

/* ---- hosts ---- */

#define HOST_LIMITS                                                                                          \
  HEADER(DBL_DIG, "float.h") HEADER(DBL_EPSILON, "float.h") HEADER(DBL_MAX, "float.h") HEADER(DBL_MIN, "float.h") \
  HEADER(FLT_DIG, "float.h") HEADER(FLT_EPSILON, "float.h") HEADER(FLT_MAX, "float.h") HEADER(FLT_MIN, "float.h") \
  HEADER(CHAR_BIT, "limits.h") HEADER(INT_MAX, "limits.h") HEADER(INT_MIN, "limits.h") HEADER(UINT_MAX, "limits.h")

/* Declared without math.h, which compiles slower than most programs; each name is overloaded. */
#define DECLARED(word)                                                                                       \
  {#word, "extern \"C\" double " #word "(double);\nextern \"C\" float " #word "f(float);\n"                    \
          "static inline float " #word "(float x) { return " #word "f(x); }\n", NULL, PL_NAME_CONTAINED},
#define DECLARED_PAIR(word)                                                                                  \
  {#word, "extern \"C\" double " #word "(double, double);\nextern \"C\" float " #word "f(float, float);\n"    \
          "static inline float " #word "(float x, float y) { return " #word "f(x, y); }\n", NULL, PL_NAME_CONTAINED},

const pl_target_name pl_program_names_host[] = {
  DECLARED(fabs) DECLARED(exp) DECLARED(exp2) DECLARED(log) DECLARED(log2) DECLARED(log10) DECLARED(sin) DECLARED(cos)
  DECLARED(tan) DECLARED(asin) DECLARED(acos) DECLARED(atan) DECLARED(sinh) DECLARED(cosh) DECLARED(tanh) DECLARED(asinh)
  DECLARED(acosh) DECLARED(atanh) DECLARED(floor) DECLARED(ceil) DECLARED(round) DECLARED(trunc) DECLARED(rint)
  DECLARED(cbrt) DECLARED(erf) DECLARED(erfc) DECLARED(expm1) DECLARED(log1p) DECLARED(logb) DECLARED(lgamma)
  DECLARED(tgamma) DECLARED(nearbyint) DECLARED_PAIR(pow) DECLARED_PAIR(atan2) DECLARED_PAIR(fmin) DECLARED_PAIR(fmax)
  DECLARED_PAIR(fmod) DECLARED_PAIR(hypot) DECLARED_PAIR(fdim) DECLARED_PAIR(remainder) DECLARED_PAIR(nextafter)
  DECLARED_PAIR(copysign)
  MEANS(M_PI, "3.14159265358979323846") MEANS(INFINITY, "__builtin_inff()") MEANS(NAN, "__builtin_nanf(\"\")")
  CALL(isnan, "__builtin_isnan(x)") CALL(isinf, "__builtin_isinf(x)") CALL(isfinite, "__builtin_isfinite(x)")
  HOST_LIMITS END};

const pl_target_name pl_names_host[] = {
  HOST_LIMITS
  HEADER(LONG_MAX, "limits.h") HEADER(LONG_MIN, "limits.h") HEADER(ULONG_MAX, "limits.h")
  HEADER(LLONG_MAX, "limits.h") HEADER(LLONG_MIN, "limits.h") HEADER(ULLONG_MAX, "limits.h")
  HEADER(bool, "stdbool.h") HEADER(true, "stdbool.h") HEADER(false, "stdbool.h")
  HEADER(abs, "stdlib.h") HEADER(labs, "stdlib.h") HEADER(llabs, "stdlib.h")
  {"PL_UNROLL", "#ifdef __clang__\n" UNROLL("unroll") "#else\n" UNROLL("GCC unroll") "#endif\n", NULL, PL_NAME_CONTAINED},
  CALL(PL_PREFETCH, "__builtin_prefetch(x)")
  HEADER(memcpy, "string.h") HEADER(memmove, "string.h") HEADER(memset, "string.h") HEADER(memcmp, "string.h")
  END};

/* Variables have these names too, so only calls count. */
#define BESSEL(word)                                                                                         \
  CALLED(word, pl_template_bessel_device) CALLED(word##f, pl_template_bessel_device)

#define ALL_BESSEL BESSEL(j0) BESSEL(j1) BESSEL(jn) BESSEL(y0) BESSEL(y1) BESSEL(yn)

/* ---- CUDA: C++, without headers ---- */

#define CUDA_CONSTANTS                                                                                       \
  AGAIN(NAN, "PL_FLOAT(0x7fffffff)")                                                                   \
  AGAIN(HUGE_VAL, "((double)PL_FLOAT(0x7f800000))") AGAIN(HUGE_VALF, "PL_FLOAT(0x7f800000)") \
  AGAIN(M_E, "2.71828182845904523536") AGAIN(M_LOG2E, "1.44269504088896340736")                              \
  AGAIN(M_LOG10E, "0.434294481903251827651") AGAIN(M_LN2, "0.693147180559945309417")                         \
  AGAIN(M_LN10, "2.30258509299404568402") AGAIN(M_PI, "3.14159265358979323846")                              \
  AGAIN(M_PI_2, "1.57079632679489661923") AGAIN(M_PI_4, "0.785398163397448309616")                           \
  AGAIN(M_1_PI, "0.318309886183790671538") AGAIN(M_2_PI, "0.636619772367581343076")                          \
  AGAIN(M_2_SQRTPI, "1.12837916709551257390") AGAIN(M_SQRT2, "1.41421356237309504880")                       \
  AGAIN(M_SQRT1_2, "0.707106781186547524401")                                                                \
  AGAIN(DBL_DIG, "15") AGAIN(DBL_EPSILON, "2.2204460492503131e-16") AGAIN(DBL_MAX, "1.7976931348623157e+308")\
  AGAIN(DBL_MIN, "2.2250738585072014e-308")                                                                  \
  AGAIN(FLT_DIG, "6") AGAIN(FLT_EPSILON, "1.19209290e-7f") AGAIN(FLT_MAX, "3.40282347e+38f")                 \
  AGAIN(FLT_MIN, "1.17549435e-38f")                                                                          \
  AGAIN(CHAR_BIT, "8") AGAIN(INT_MIN, "(-2147483647 - 1)") AGAIN(INT_MAX, "2147483647") AGAIN(UINT_MAX, "4294967295u")

#define DEVICE_HINTS \
  {"PL_UNROLL", UNROLL("unroll"), NULL, PL_NAME_CONTAINED}, CALL(PL_PREFETCH, "((void)0)")

const pl_target_name pl_program_names_cuda[] = {CUDA_CONSTANTS END};

const pl_target_name pl_names_cuda[] = {
  KEYWORD(alignas) KEYWORD(alignof) KEYWORD(and) KEYWORD(and_eq) KEYWORD(bitand) KEYWORD(bitor) KEYWORD(catch)
  KEYWORD(char16_t) KEYWORD(char32_t) KEYWORD(class) KEYWORD(compl) KEYWORD(concept) KEYWORD(const_cast)
  KEYWORD(constexpr) KEYWORD(decltype) KEYWORD(delete) KEYWORD(dynamic_cast) KEYWORD(explicit) KEYWORD(export)
  KEYWORD(friend) KEYWORD(half) KEYWORD(half2) KEYWORD(mutable) KEYWORD(namespace) KEYWORD(new) KEYWORD(noexcept) KEYWORD(not) KEYWORD(not_eq) KEYWORD(nullptr)
  KEYWORD(operator) KEYWORD(or) KEYWORD(or_eq) KEYWORD(private) KEYWORD(protected) KEYWORD(public) KEYWORD(reinterpret_cast)
  KEYWORD(requires) KEYWORD(static_cast) KEYWORD(template) KEYWORD(this) KEYWORD(thread_local) KEYWORD(throw) KEYWORD(try)
  KEYWORD(typeid) KEYWORD(typename) KEYWORD(using) KEYWORD(virtual) KEYWORD(wchar_t) KEYWORD(xor) KEYWORD(xor_eq)
  MEANS(register, "") MEANS(auto, "") MEANS(restrict, "__restrict__") MEANS(_Static_assert, "static_assert")
  FUNCTIONS_OF_DEVICES
  CUDA_CONSTANTS
  AGAIN(LONG_MIN, "(-9223372036854775807l - 1)") AGAIN(LONG_MAX, "9223372036854775807l")
  AGAIN(ULONG_MAX, "18446744073709551615ul")
  LIMITS(AGAIN)
  MATHEMATICS(CUDA_OVER, CUDA_WIDE, "nearbyint") ALL_BESSEL
  AGAIN_CALL(abs, "abs((int)(x))") MEANS(_Bool, "bool") CALL(INT64_C, "x##l") CALL(UINT64_C, "x##ul")
  DEVICE_HINTS END};

const pl_target_name pl_cpp_names_cuda[] = {CUDA_CONSTANTS DEVICE_HINTS END};

/* ---- OpenCL ---- */

/* OpenCL's functions are generic: C's float functions come before the macros that redefine the generic names;
 * abs() becomes signed. */
#define FLOAT(word)                                                                                          \
  {#word "f",                                                                                                \
   "static inline float pl_" #word "f(float x) { return " #word "(x); }\n#define " #word "f(x) pl_" #word "f(x)\n",      \
   NULL, PL_NAME_CONTAINED},
#define FLOATS(word)                                                                                         \
  {#word "f",                                                                                                \
   "static inline float pl_" #word "f(float x, float y) { return " #word "(x, y); }\n#define " #word "f(x, y) pl_" #word "f(x, y)\n", \
   NULL, PL_NAME_CONTAINED},
#define FLOAT_TO(word) {#word "f", "#define " #word "f(x, y) " #word "((float)(x), y)\n", NULL, PL_NAME_CONTAINED},

#define OPENCL_FLOATS                                                                                        \
  FLOAT(acos) FLOAT(acosh) FLOAT(asin) FLOAT(asinh) FLOAT(atan) FLOATS(atan2) FLOAT(atanh) FLOAT(cbrt) FLOAT(ceil)\
  FLOATS(copysign) FLOAT(cos) FLOAT(cosh) FLOAT(erf) FLOAT(erfc) FLOAT(exp) FLOAT(exp2) FLOAT(expm1) FLOAT(fabs)\
  FLOATS(fdim) FLOAT(floor) FLOATS(fmax) FLOATS(fmin) FLOATS(fmod) FLOAT_TO(frexp) FLOATS(hypot) CALL(ilogbf, "ilogb((float)(x))")\
  FLOAT(lgamma) FLOAT(log) FLOAT(log10) FLOAT(log1p) FLOAT(log2) FLOAT(logb) FLOAT_TO(modf)                  \
  FLOATS(nextafter) FLOATS(pow) FLOATS(remainder) FLOAT(rint) FLOAT(round) FLOAT(sin) FLOAT(sinh) FLOAT(sqrt) FLOAT(tan)\
  FLOAT(tanh) FLOAT(tgamma) FLOAT(trunc)                                                                     \
  {"fmaf",                                                                                                   \
   "static inline float pl_fmaf(float x, float y, float z) { return fma(x, y, z); }\n"                       \
   "#define fmaf(x, y, z) pl_fmaf(x, y, z)\n", NULL, PL_NAME_CONTAINED},                                                 \
  {"nearbyintf", "static inline float pl_nearbyintf(float x) { return rint(x); }\n#define nearbyintf(x) pl_nearbyintf(x)\n",\
   NULL, PL_NAME_CONTAINED},                                                                                             \
  {"ldexpf",                                                                                                 \
   "static inline float pl_ldexpf(float x, int n) { return ldexp(x, n); }\n#define ldexpf(x, n) pl_ldexpf(x, n)\n",\
   NULL, PL_NAME_CONTAINED},

const pl_target_name pl_program_names_opencl[] = {
  OPENCL_FLOATS FLOAT(rsqrt) MEANS(nearbyint, "rint") AGAIN_CALL(abs, "((int)abs_diff((int)(x), 0))") END};

/* OpenCL's own are not constant expressions, which tables need. */
#define CONSTANT(word, builtin, argument)                                                                    \
  {#word, "#ifdef __has_builtin\n#if __has_builtin(" builtin ")\n#undef " #word "\n#define " #word " " builtin "(" argument ")\n#endif\n#endif\n", \
   NULL, PL_NAME_CONTAINED},

const pl_target_name pl_names_opencl[] = {
  KEYWORD(global) KEYWORD(local) KEYWORD(constant) KEYWORD(private) KEYWORD(generic) KEYWORD(kernel)
  KEYWORD(read_only) KEYWORD(write_only) KEYWORD(read_write) KEYWORD(uniform) KEYWORD(pipe) KEYWORD(half)
  KEYWORD(vec_step) MEANS(register, "") MEANS(auto, "")
  FUNCTIONS_OF_DEVICES
  OPENCL_FLOATS
  MATHEMATICS(OPENCL_OVER, OPENCL_WIDE, "rint") MEANS(scalbn, "ldexp")
  CONSTANT(INFINITY, "__builtin_inff", "") CONSTANT(NAN, "__builtin_nanf", "\"\"")
  CONSTANT(HUGE_VAL, "__builtin_huge_val", "") CONSTANT(HUGE_VALF, "__builtin_huge_valf", "")
  ALL_BESSEL
  AGAIN_CALL(abs, "((int)abs_diff((int)(x), 0))") CALL(labs, "((long)abs_diff((long)(x), 0l))")
  CALL(llabs, "((long)abs_diff((long)(x), 0l))")
  CALL(lround, "((long)round(x))") CALL(lroundf, "((long)round((float)(x)))") CALL(llround, "((long)round(x))")
  CALL(lrint, "((long)rint(x))") CALL(lrintf, "((long)rint((float)(x)))") CALL(llrint, "((long)rint(x))")
  LIMITS(AGAIN) CALL(INT64_C, "x##l") CALL(UINT64_C, "x##ul")
  DEVICE_HINTS
  END};
/* clang-format on */

const char *pl_name_lines(const pl_target_name *names, const char *name)
{
  while (names->name && (*names->name != *name || strcmp(names->name, name))) names++;
  return names->name ? names->lines : "";
}
