/* program golden/program for cuda, printed by Plait 0.2.0 */
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
#ifndef NULL
#define NULL 0
#endif
#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ < 12
#define PL_FLOAT(bits) __int_as_float(bits)
#else
#define PL_FLOAT(bits) __builtin_bit_cast(float, bits)
#endif
#ifndef INFINITY
#define INFINITY PL_FLOAT(0x7f800000)
#endif
typedef struct pl_cfloat { float re, im; } pl_cfloat;
typedef struct pl_cdouble { double re, im; } pl_cdouble;
template <class V> static __device__ __forceinline__ V pl_of_neighbour(V v)
{
  int *const word = (int *)&v;
  for (int i = 0; i < 4; i++) word[i] = __shfl_xor_sync(~0u, word[i], 1);
  return v;
}
template <class V> static __device__ __forceinline__ void pl_load_sectors(const V *at, V *v)
{
  const int odd = (int)threadIdx.x & 1;
  const V first = at[-odd], second = at[2 - odd];
  const V other = pl_of_neighbour(odd ? first : second);
  v[0] = odd ? other : first;
  v[1] = odd ? second : other;
}
template <class V> static __device__ __forceinline__ void pl_store_sectors(V *at, const V *v)
{
  const int odd = (int)threadIdx.x & 1;
  const V other = pl_of_neighbour(odd ? v[0] : v[1]);
  at[-odd] = odd ? other : v[0];
  at[2 - odd] = odd ? v[1] : other;
}
#if __CUDA_ARCH__ >= 900
#define PL_WAIT asm volatile("griddepcontrol.wait;" ::: "memory");
#define PL_RESTRICT
#else
#define PL_WAIT
#define PL_RESTRICT __restrict__
#endif
#define KERNEL extern "C" __global__ 
#define DEVICE __device__
#define CONSTANT static __device__ const
#define LOCAL __shared__ 
#define LOCAL_ARG 
#define GLOBAL 
#define RESTRICT __restrict__
#define LOCAL_ID ((int)threadIdx.x)
#define LOCAL_SIZE ((int)blockDim.x)
#define GROUP_ID ((int)blockIdx.x)
#define NUM_GROUPS ((int)gridDim.x)
#define GLOBAL_ID (GROUP_ID * LOCAL_SIZE + LOCAL_ID)
#define GLOBAL_SIZE (NUM_GROUPS * LOCAL_SIZE)
#define SYNC_THREADS __syncthreads();
#define SYNC_WARPS __syncwarp();
#define MEM_FENCE __threadfence_block();
#define ATOMIC_ADD(place, value) pl_atomic_add((place), (value))
typedef int64_t mm_long;
typedef uint64_t mm_ulong;
/* Before device programs in CUDA and languages like it. */
typedef unsigned int uint;
template <class T, class V> __device__ inline T pl_atomic_add(T *place, V value)
{
  return atomicAdd(place, (T)value);
}
template <class V> __device__ inline int64_t pl_atomic_add(int64_t *place, V value)
{
  return (int64_t)atomicAdd((unsigned long long *)place, (unsigned long long)(int64_t)value);
}
template <class V> __device__ inline uint64_t pl_atomic_add(uint64_t *place, V value)
{
  return (uint64_t)atomicAdd((unsigned long long *)place, (unsigned long long)value);
}
#undef M_PI
#define M_PI 3.14159265358979323846
#undef FLT_MAX
#define FLT_MAX 3.40282347e+38f
__device__ inline float3 make_float3(float s) { return make_float3(s, s, s); }
__device__ inline float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }
__device__ inline float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ inline float3 operator+(float3 a, float s) { return make_float3(a.x + s, a.y + s, a.z + s); }
__device__ inline float3 operator+(float s, float3 a) { return make_float3(s + a.x, s + a.y, s + a.z); }
__device__ inline void operator+=(float3 &a, float3 b) { a = a + b; }
__device__ inline void operator+=(float3 &a, float s) { a = a + s; }
__device__ inline float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ inline float3 operator-(float3 a, float s) { return make_float3(a.x - s, a.y - s, a.z - s); }
__device__ inline float3 operator-(float s, float3 a) { return make_float3(s - a.x, s - a.y, s - a.z); }
__device__ inline void operator-=(float3 &a, float3 b) { a = a - b; }
__device__ inline void operator-=(float3 &a, float s) { a = a - s; }
__device__ inline float3 operator*(float3 a, float3 b) { return make_float3(a.x * b.x, a.y * b.y, a.z * b.z); }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__device__ inline void operator*=(float3 &a, float3 b) { a = a * b; }
__device__ inline void operator*=(float3 &a, float s) { a = a * s; }
__device__ inline float3 operator/(float3 a, float3 b) { return make_float3(a.x / b.x, a.y / b.y, a.z / b.z); }
__device__ inline float3 operator/(float3 a, float s) { return make_float3(a.x / s, a.y / s, a.z / s); }
__device__ inline float3 operator/(float s, float3 a) { return make_float3(s / a.x, s / a.y, s / a.z); }
__device__ inline void operator/=(float3 &a, float3 b) { a = a / b; }
__device__ inline void operator/=(float3 &a, float s) { a = a / s; }
__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float3 normalize(float3 a) { return a * (1 / sqrt(dot(a, a))); }
__device__ inline float3 cross(float3 a, float3 b) { return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
__device__ inline float4 make_float4(float s) { return make_float4(s, s, s, s); }
__device__ inline float4 operator-(float4 a) { return make_float4(-a.x, -a.y, -a.z, -a.w); }
__device__ inline float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ inline float4 operator+(float4 a, float s) { return make_float4(a.x + s, a.y + s, a.z + s, a.w + s); }
__device__ inline float4 operator+(float s, float4 a) { return make_float4(s + a.x, s + a.y, s + a.z, s + a.w); }
__device__ inline void operator+=(float4 &a, float4 b) { a = a + b; }
__device__ inline void operator+=(float4 &a, float s) { a = a + s; }
__device__ inline float4 operator-(float4 a, float4 b) { return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
__device__ inline float4 operator-(float4 a, float s) { return make_float4(a.x - s, a.y - s, a.z - s, a.w - s); }
__device__ inline float4 operator-(float s, float4 a) { return make_float4(s - a.x, s - a.y, s - a.z, s - a.w); }
__device__ inline void operator-=(float4 &a, float4 b) { a = a - b; }
__device__ inline void operator-=(float4 &a, float s) { a = a - s; }
__device__ inline float4 operator*(float4 a, float4 b) { return make_float4(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }
__device__ inline float4 operator*(float4 a, float s) { return make_float4(a.x * s, a.y * s, a.z * s, a.w * s); }
__device__ inline float4 operator*(float s, float4 a) { return make_float4(s * a.x, s * a.y, s * a.z, s * a.w); }
__device__ inline void operator*=(float4 &a, float4 b) { a = a * b; }
__device__ inline void operator*=(float4 &a, float s) { a = a * s; }
__device__ inline float4 operator/(float4 a, float4 b) { return make_float4(a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w); }
__device__ inline float4 operator/(float4 a, float s) { return make_float4(a.x / s, a.y / s, a.z / s, a.w / s); }
__device__ inline float4 operator/(float s, float4 a) { return make_float4(s / a.x, s / a.y, s / a.z, s / a.w); }
__device__ inline void operator/=(float4 &a, float4 b) { a = a / b; }
__device__ inline void operator/=(float4 &a, float s) { a = a / s; }
__device__ inline float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline float4 normalize(float4 a) { return a * (1 / sqrt(dot(a, a))); }
__device__ inline float4 cross(float4 a, float4 b) { return make_float4(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, 0); }
__device__ inline float3 trimTo3(float4 v) { return make_float3(v.x, v.y, v.z); }
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

KERNEL void pl_size_twice(GLOBAL int *pl_size, int pl_i)
{
  if (pl_i == 1) *pl_size = (int)sizeof(pair );
}
