/* program golden/program for program, printed by Plait 0.2.0 */
#define SUPPORTS_DOUBLE_PRECISION 1
#define SUPPORTS_64_BIT_ATOMICS 1
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
#define KERNEL __attribute__((always_inline))
#define DEVICE 
#define CONSTANT static constexpr const
#define LOCAL static thread_local
#define LOCAL_ARG 
#define GLOBAL 
#define RESTRICT __restrict__
#define LOCAL_ID (pl_l)
#define LOCAL_SIZE (pl_group->size)
#define GROUP_ID (pl_g)
#define NUM_GROUPS (pl_group->groups)
#define GLOBAL_ID (GROUP_ID * LOCAL_SIZE + LOCAL_ID)
#define GLOBAL_SIZE (NUM_GROUPS * LOCAL_SIZE)
#define SYNC_THREADS pl_group->wait(pl_group->fibers);
#define SYNC_WARPS pl_group->wait(pl_group->fibers);
#define MEM_FENCE __atomic_thread_fence(__ATOMIC_SEQ_CST);
#define ATOMIC_ADD(place, value) pl_atomic_add((place), (value))
typedef int64_t mm_long;
typedef uint64_t mm_ulong;
/* Before device programs on hosts, which are C++. Functions are declared without headers, which compile slower than
 * most programs. */
typedef unsigned int uint;
struct pl_group_info {
  void *const *args;
  int size, groups;
  void (*wait)(void *);
  void *fibers;
};
template <class T, class V> static inline T pl_atomic_add(T *place, V value)
{
  return __atomic_fetch_add(place, (T)value, __ATOMIC_RELAXED);
}
template <class T, class B> static inline T pl_atomic_add_bits(T *place, T value)
{
  union { T v; B b; } now, next;
  now.b = __atomic_load_n((B *)place, __ATOMIC_RELAXED);
  do next.v = now.v + value;
  while (!__atomic_compare_exchange_n((B *)place, &now.b, next.b, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return now.v;
}
template <class V> static inline float pl_atomic_add(float *place, V value)
{
  return pl_atomic_add_bits<float, uint32_t>(place, (float)value);
}
template <class V> static inline double pl_atomic_add(double *place, V value)
{
  return pl_atomic_add_bits<double, uint64_t>(place, (double)value);
}
extern "C" double sqrt(double);
extern "C" float sqrtf(float);
extern "C" double fma(double, double, double);
extern "C" float fmaf(float, float, float);
extern "C" double ldexp(double, int);
extern "C" float ldexpf(float, int);
static inline float sqrt(float x) { return sqrtf(x); }
static inline float rsqrt(float x) { return 1.0f / sqrtf(x); }
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
template <class T> static inline T min(T a, T b) { return b < a ? b : a; }
template <class T> static inline T max(T a, T b) { return a < b ? b : a; }
static inline int abs(int x) { return x < 0 ? -x : x; }
extern "C" double exp(double);
extern "C" float expf(float);
static inline float exp(float x) { return expf(x); }
extern "C" double tgamma(double);
extern "C" float tgammaf(float);
static inline float tgamma(float x) { return tgammaf(x); }
extern "C" double fdim(double, double);
extern "C" float fdimf(float, float);
static inline float fdim(float x, float y) { return fdimf(x, y); }
#define M_PI 3.14159265358979323846
#define INFINITY __builtin_inff()
#define isfinite(x) __builtin_isfinite(x)
#include <float.h>
struct  float3 { float x, y, z; };
static inline float3 make_float3(float x, float y, float z) { float3 r; r.x = x; r.y = y; r.z = z; return r; }
static inline float3 make_float3(float s) { return make_float3(s, s, s); }
static inline float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }
static inline float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline float3 operator+(float3 a, float s) { return make_float3(a.x + s, a.y + s, a.z + s); }
static inline float3 operator+(float s, float3 a) { return make_float3(s + a.x, s + a.y, s + a.z); }
static inline void operator+=(float3 &a, float3 b) { a = a + b; }
static inline void operator+=(float3 &a, float s) { a = a + s; }
static inline float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline float3 operator-(float3 a, float s) { return make_float3(a.x - s, a.y - s, a.z - s); }
static inline float3 operator-(float s, float3 a) { return make_float3(s - a.x, s - a.y, s - a.z); }
static inline void operator-=(float3 &a, float3 b) { a = a - b; }
static inline void operator-=(float3 &a, float s) { a = a - s; }
static inline float3 operator*(float3 a, float3 b) { return make_float3(a.x * b.x, a.y * b.y, a.z * b.z); }
static inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
static inline float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
static inline void operator*=(float3 &a, float3 b) { a = a * b; }
static inline void operator*=(float3 &a, float s) { a = a * s; }
static inline float3 operator/(float3 a, float3 b) { return make_float3(a.x / b.x, a.y / b.y, a.z / b.z); }
static inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }
static inline float3 operator/(float s, float3 a) { return make_float3(s / a.x, s / a.y, s / a.z); }
static inline void operator/=(float3 &a, float3 b) { a = a / b; }
static inline void operator/=(float3 &a, float s) { a = a / s; }
static inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline float3 normalize(float3 a) { return a * (1 / sqrt(dot(a, a))); }
static inline float3 cross(float3 a, float3 b) { return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
struct alignas(16) float4 { float x, y, z, w; };
static inline float4 make_float4(float x, float y, float z, float w) { float4 r; r.x = x; r.y = y; r.z = z; r.w = w; return r; }
static inline float4 make_float4(float s) { return make_float4(s, s, s, s); }
static inline float4 operator-(float4 a) { return make_float4(-a.x, -a.y, -a.z, -a.w); }
static inline float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
static inline float4 operator+(float4 a, float s) { return make_float4(a.x + s, a.y + s, a.z + s, a.w + s); }
static inline float4 operator+(float s, float4 a) { return make_float4(s + a.x, s + a.y, s + a.z, s + a.w); }
static inline void operator+=(float4 &a, float4 b) { a = a + b; }
static inline void operator+=(float4 &a, float s) { a = a + s; }
static inline float4 operator-(float4 a, float4 b) { return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
static inline float4 operator-(float4 a, float s) { return make_float4(a.x - s, a.y - s, a.z - s, a.w - s); }
static inline float4 operator-(float s, float4 a) { return make_float4(s - a.x, s - a.y, s - a.z, s - a.w); }
static inline void operator-=(float4 &a, float4 b) { a = a - b; }
static inline void operator-=(float4 &a, float s) { a = a - s; }
static inline float4 operator*(float4 a, float4 b) { return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
static inline float4 operator*(float4 a, float s) { return make_float4(a.x * s, a.y * s, a.z * s, a.w * s); }
static inline float4 operator*(float s, float4 a) { return make_float4(s * a.x, s * a.y, s * a.z, s * a.w); }
static inline void operator*=(float4 &a, float4 b) { a = a * b; }
static inline void operator*=(float4 &a, float s) { a = a * s; }
static inline float4 operator/(float4 a, float4 b) { return make_float4(a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w); }
static inline float4 operator/(float4 a, float s) { return make_float4(a.x / s, a.y / s, a.z / s, a.w / s); }
static inline float4 operator/(float s, float4 a) { return make_float4(s / a.x, s / a.y, s / a.z, s / a.w); }
static inline void operator/=(float4 &a, float4 b) { a = a / b; }
static inline void operator/=(float4 &a, float s) { a = a / s; }
static inline float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
static inline float4 normalize(float4 a) { return a * (1 / sqrt(dot(a, a))); }
static inline float4 cross(float4 a, float4 b) { return make_float4(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, 0); }
static inline float3 trimTo3(float4 v) { return make_float3(v.x, v.y, v.z); }
#define USE_DOUBLE_PRECISION 1
typedef double real;
#define real2 double2
#define make_real2 make_double2
#define real3 double3
#define make_real3 make_double3
#define real4 double4
#define make_real4 make_double4
typedef double mixed;
#define mixed2 double2
#define make_mixed2 make_double2
#define mixed3 double3
#define make_mixed3 make_double3
#define mixed4 double4
#define make_mixed4 make_double4
#define realToFixedPoint(x) ((mm_long)((x) * 4294967296.0f))
#ifdef __clang__
#define PL_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define PL_LANES _Pragma("GCC ivdep")
#endif
struct pl_item {
const pl_group_info *pl_group;
int pl_l, pl_g;
#line 1 "golden/program"
DEVICE float weigh(float4 p)
{
  const float w = isfinite(p.w) && p.w < FLT_MAX ? fdimf(p.w, (float)M_PI) : INFINITY;
  return dot(p, make_float4(1)) * sqrtf(p.x) + fmaf(w, ldexpf(p.y, 2), tgammaf(p.z));
}
KERNEL void collect(GLOBAL const float4 *RESTRICT p, GLOBAL mm_long *sum, GLOBAL float *most, real scale)
{
  LOCAL float part[64];
  part[LOCAL_ID] = weigh(p[GLOBAL_ID] * 2.0f);
  SYNC_THREADS;
  if (LOCAL_ID == 0)
    for (int i = 0; i < LOCAL_SIZE; i++) ATOMIC_ADD(sum, realToFixedPoint(part[i] * scale));
  ATOMIC_ADD(most, part[LOCAL_ID]);
}
typedef struct pair { int times; double scale; } pair;
KERNEL void twice(GLOBAL int *x, pair p)
{
  x[GLOBAL_ID] *= p.times;
}

};
#line 1 "entry points of golden/program"
template <class T0, class T1, class T2, class T3> static inline void pl_run_collect(void (pl_item::*)(T0, T1, T2, T3), const pl_group_info *group, int begin, int end)
{
  T0 a0 = *(T0 *)group->args[0];
  T1 a1 = *(T1 *)group->args[1];
  T2 a2 = *(T2 *)group->args[2];
  T3 a3 = *(T3 *)group->args[3];
  pl_item item = {group, begin, end};
  item.collect(a0, a1, a2, a3);
}
extern "C" void pl_task_collect(const pl_group_info *group, int begin, int end)
{
  pl_run_collect(&pl_item::collect, group, begin, end);
}
template <class T0, class T1> static inline void pl_run_twice(void (pl_item::*)(T0, T1), const pl_group_info *group, int begin, int end)
{
  T0 a0 = *(T0 *)group->args[0];
  T1 a1 = *(T1 *)group->args[1];
  for (int g = begin; g < end; g++) {
    const int size = group->size;
    PL_LANES
    for (int l = 0; l < size; l++) {
      pl_item item = {group, l, g};
      item.twice(a0, a1);
    }
  }
}
extern "C" void pl_task_twice(const pl_group_info *group, int begin, int end)
{
  pl_run_twice(&pl_item::twice, group, begin, end);
}
template <class... T> static inline int pl_size_of_twice(void (pl_item::*)(T...), int i)
{
  const int size[] = {(int)sizeof(T)...};
  return size[i];
}
extern "C" int pl_size_twice(int i)
{
  return pl_size_of_twice(&pl_item::twice, i);
}
