/* SPDX-License-Identifier: BSD-2-Clause
 * Device programs: one source on every backend, compared with ordinary loops.
 */
#include "conformance.h"
#include <complex.h>
#include <math.h>
#include <plait_fields.h>

static pl_program *program(conf *c, const char *source, const char *const *defines, const char *name)
{
  pl_program *result = NULL;
  OK(pl_program_create(c->pl, source, defines, name, &result));
  return result;
}

static pl_entry *kernel(conf *c, pl_program *from, const char *name)
{
  pl_entry *result = NULL;
  OK(pl_program_kernel(from, name, &result));
  return result;
}

static pl_dat *array(conf *c, int n, int dim, pl_type type, const void *values, const char *name)
{
  return conf_dat(c, conf_set(c, n, name), dim, type, values, name);
}

static void set_int(conf *c, pl_entry *entry, int position, int32_t value)
{
  OK(pl_entry_value(entry, position, PL_INT32, 1, &value));
}

/* A dat with its access, or an int. */
typedef struct entry_arg {
  pl_dat *dat;
  pl_access access;
  int value;
} entry_arg;

static void set_args(conf *c, pl_entry *entry, int n, const entry_arg *args)
{
  for (int i = 0; i < n; i++)
    if (args[i].dat)
      OK(pl_entry_dat(entry, i, args[i].dat, args[i].access));
    else
      set_int(c, entry, i, args[i].value);
}

#define DAT(dat, access)                                                                                     \
  {                                                                                                          \
    (dat), (access), 0                                                                                       \
  }
#define INT(value)                                                                                           \
  {                                                                                                          \
    NULL, PL_READ, (value)                                                                                   \
  }
#define ARGS(entry, ...)                                                                                     \
  set_args(c, (entry), (int)(sizeof((entry_arg[]){__VA_ARGS__}) / sizeof(entry_arg)),                        \
           (entry_arg[]){__VA_ARGS__})

/* ---- M01, M12, M13: addArrays ---- */

static const char add_text[] =
  "KERNEL void addArrays(GLOBAL const float *RESTRICT a, GLOBAL const float *RESTRICT b,\n"
  "                      GLOBAL float *RESTRICT c, int n)\n"
  "{\n"
  "  for (int i = GLOBAL_ID; i < n; i += GLOBAL_SIZE) c[i] = a[i] + b[i];\n"
  "}\n";

static void case_add(conf *c)
{
  static const int sizes[] = {0, 1, 31, 32, 33, 1000, 1 << 16};
  pl_entry *add = kernel(c, program(c, add_text, NULL, "add.cl"), "addArrays");
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    int n = sizes[s];
    float *a = calloc((size_t)n + 1, sizeof *a), *b = calloc((size_t)n + 1, sizeof *b),
          *sum = calloc((size_t)n + 1, sizeof *sum);
    for (int i = 0; i < n; i++) {
      a[i] = (float)conf_below(c, 1 << 20) / 3.0f;
      b[i] = (float)conf_below(c, 1 << 20) / 7.0f;
      sum[i] = a[i] + b[i];
    }
    pl_dat *da = array(c, n, 1, PL_FLOAT, a, "a"), *db = array(c, n, 1, PL_FLOAT, b, "b"),
           *dc = array(c, n, 1, PL_FLOAT, NULL, "c");
    ARGS(add, DAT(da, PL_READ), DAT(db, PL_READ), DAT(dc, PL_WRITE), INT(n));
    OK(pl_entry_run(add, n, 0));
    pl_stats before = conf_stats(c);
    OK(pl_entry_run(add, n / 3 + 1, 64));
    pl_stats after = conf_stats(c);
    CHECK(after.bytes_to_device == before.bytes_to_device);
    CHECK(after.bytes_from_device == before.bytes_from_device);
    SAME(dc, sum);
    free(a);
    free(b);
    free(sum);
  }
}

/* ---- M02: ids ---- */

static const char ids_text[] = "KERNEL void ids(GLOBAL int4 *a, GLOBAL int2 *b)\n"
                               "{\n"
                               "  a[GLOBAL_ID] = make_int4(LOCAL_ID, LOCAL_SIZE, GROUP_ID, NUM_GROUPS);\n"
                               "  b[GLOBAL_ID] = make_int2(GLOBAL_ID, GLOBAL_SIZE);\n"
                               "}\n";

static void case_ids(conf *c)
{
  enum { THREADS = 200, MOST = 256 };
  static const int blocks[] = {1, 7, 64};
  pl_entry *ids = kernel(c, program(c, ids_text, NULL, "ids"), "ids");
  for (int k = 0; k < 3; k++) {
    int block = blocks[k], groups = (THREADS + block - 1) / block, n = groups * block;
    int32_t a[MOST][4], b[MOST][2];
    for (int i = 0; i < n; i++) {
      const int32_t row[4] = {i % block, block, i / block, groups}, pair[2] = {i, n};
      memcpy(a[i], row, sizeof row);
      memcpy(b[i], pair, sizeof pair);
    }
    pl_dat *da = array(c, n, 4, PL_INT32, NULL, "a"), *db = array(c, n, 2, PL_INT32, NULL, "b");
    ARGS(ids, DAT(da, PL_WRITE), DAT(db, PL_WRITE));
    OK(pl_entry_run(ids, THREADS, block));
    SAME(da, a);
    SAME(db, b);
  }
}

/* ---- M03: barriers ---- */

static const char sum_text[] = "DEVICE int halve(LOCAL_ARG int *part, int n)\n"
                               "{\n"
                               "  while (n > 1) {\n"
                               "    int rest = (n + 1) / 2;\n"
                               "    SYNC_THREADS;\n"
                               "    if (LOCAL_ID + rest < n) part[LOCAL_ID] += part[LOCAL_ID + rest];\n"
                               "    n = rest;\n"
                               "  }\n"
                               "  SYNC_THREADS;\n"
                               "  return part[0];\n"
                               "}\n"
                               "KERNEL void sums(GLOBAL const int *x, GLOBAL int *sum)\n"
                               "{\n"
                               "  LOCAL int part[1024];\n"
                               "  for (int round = 0; round < 3; round++) {\n"
                               "    SYNC_THREADS;\n"
                               "    part[LOCAL_ID] = x[GLOBAL_ID] * (round + 1);\n"
                               "    int all = halve(part, LOCAL_SIZE);\n"
                               "    sum[GLOBAL_ID] = round ? sum[GLOBAL_ID] + all : all;\n"
                               "  }\n"
                               "}\n";

static void case_reduction(conf *c)
{
  enum { GROUPS = 5, MOST = 1024 };
  static const int blocks[] = {1, 2, 7, 32, 33, 64, 100, 255, 256, 1000, 1024};
  static int32_t x[GROUPS * MOST], sum[GROUPS * MOST];
  pl_entry *sums = kernel(c, program(c, sum_text, NULL, "sums"), "sums");
  int limit = 0;
  OK(pl_entry_block_limit(sums, &limit));
  CHECK(limit >= 64);
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks && blocks[k] <= limit; k++) {
    int block = blocks[k], n = GROUPS * block;
    for (int i = 0; i < n; i++) x[i] = conf_below(c, 1000) - 500;
    for (int g = 0; g < GROUPS; g++) {
      int32_t all = 0;
      for (int i = 0; i < block; i++) all += 6 * x[g * block + i];
      for (int i = 0; i < block; i++) sum[g * block + i] = all;
    }
    pl_dat *dx = array(c, n, 1, PL_INT32, x, "x"), *ds = array(c, n, 1, PL_INT32, NULL, "sum");
    ARGS(sums, DAT(dx, PL_READ), DAT(ds, PL_WRITE));
    OK(pl_entry_run(sums, n, block));
    SAME(ds, sum);
  }
}

static const char transpose_text[] =
  "KERNEL void transpose(GLOBAL const double *a, GLOBAL double *b, int rows, int columns)\n"
  "{\n"
  "  LOCAL double tile[TILE][TILE + 1];\n"
  "  const int across = (columns + TILE - 1) / TILE, x = LOCAL_ID % TILE, y = LOCAL_ID / TILE;\n"
  "  const int r0 = GROUP_ID / across * TILE, c0 = GROUP_ID % across * TILE;\n"
  "  if (r0 + y < rows && c0 + x < columns) tile[y][x] = a[(r0 + y) * columns + c0 + x];\n"
  "  SYNC_THREADS;\n"
  "  if (c0 + y < columns && r0 + x < rows) b[(c0 + y) * rows + r0 + x] = tile[x][y];\n"
  "}\n";

static void case_transpose(conf *c)
{
  enum { TILE = 8, MOST = 64 };
  static const int shapes[][2] = {{1, 1}, {8, 8}, {7, 19}, {33, 16}, {MOST, MOST}};
  static const char *const defines[] = {"TILE=8", NULL};
  static double a[MOST * MOST], b[MOST * MOST];
  pl_entry *entry = kernel(c, program(c, transpose_text, defines, "transpose"), "transpose");
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
    int rows = shapes[k][0], columns = shapes[k][1], n = rows * columns;
    int tiles = ((rows + TILE - 1) / TILE) * ((columns + TILE - 1) / TILE);
    for (int i = 0; i < n; i++) {
      a[i] = i * 0.5;
      b[i % columns * rows + i / columns] = a[i];
    }
    pl_dat *da = array(c, n, 1, PL_DOUBLE, a, "a"), *db = array(c, n, 1, PL_DOUBLE, NULL, "b");
    ARGS(entry, DAT(da, PL_READ), DAT(db, PL_WRITE), INT(rows), INT(columns));
    OK(pl_entry_run(entry, tiles * TILE * TILE, TILE * TILE));
    SAME(db, b);
  }
}

/* Work items may return before the last barrier on the host; on devices they must not. */
static const char scan_text[] = "KERNEL void scan(GLOBAL int *x)\n"
                                "{\n"
                                "  LOCAL int old[64];\n"
                                "  int mine = x[GLOBAL_ID];\n"
                                "  for (int reach = 1; reach < LOCAL_SIZE; reach *= 2) {\n"
                                "    old[LOCAL_ID] = mine;\n"
                                "    SYNC_THREADS;\n"
                                "    if (LOCAL_ID >= reach) mine += old[LOCAL_ID - reach];\n"
                                "    SYNC_THREADS;\n"
                                "  }\n"
                                "  x[GLOBAL_ID] = mine;\n"
                                "}\n";

static void case_scan(conf *c)
{
  enum { BLOCK = 50, N = 4 * BLOCK };
  int32_t x[N], expected[N];
  for (int i = 0; i < N; i++) {
    x[i] = conf_below(c, 100);
    expected[i] = x[i] + (i % BLOCK ? expected[i - 1] : 0);
  }
  pl_entry *scan = kernel(c, program(c, scan_text, NULL, "scan"), "scan");
  pl_dat *dx = array(c, N, 1, PL_INT32, x, "x");
  OK(pl_entry_dat(scan, 0, dx, PL_RW));
  OK(pl_entry_run(scan, N, BLOCK));
  SAME(dx, expected);
}

/* ---- M04, M11: atomics ---- */

static const char histogram_text[] =
  "KERNEL void histogram(GLOBAL const int *key, GLOBAL const double *weight, GLOBAL int *count, GLOBAL "
  "mm_long *sum,\n"
  "                      GLOBAL mm_ulong *many, int n)\n"
  "{\n"
  "  LOCAL int mine[BINS];\n"
  "  for (int k = LOCAL_ID; k < BINS; k += LOCAL_SIZE) mine[k] = 0;\n"
  "  SYNC_THREADS;\n"
  "  for (int i = GLOBAL_ID; i < n; i += GLOBAL_SIZE) {\n"
  "    ATOMIC_ADD(&mine[key[i]], 1);\n"
  "    ATOMIC_ADD(&sum[key[i]], realToFixedPoint(weight[i]));\n"
  "    ATOMIC_ADD(&many[key[i]], (mm_ulong)0xffffffffUL);\n"
  "  }\n"
  "  SYNC_THREADS;\n"
  "  for (int k = LOCAL_ID; k < BINS; k += LOCAL_SIZE) ATOMIC_ADD(&count[k], mine[k]);\n"
  "}\n";

static void case_histogram(conf *c)
{
  enum { BINS = 13, N = 5000 };
  static const char *const defines[] = {"BINS=13", NULL};
  static int32_t key[N];
  static double weight[N];
  int32_t count[BINS] = {0};
  int64_t sum[BINS] = {0};
  uint64_t many[BINS] = {0};
  for (int i = 0; i < N; i++) {
    key[i] = conf_below(c, BINS);
    weight[i] = conf_below(c, 2000) / 7.0 - 100;
    count[key[i]]++;
    sum[key[i]] += (int64_t)(weight[i] * 4294967296.0);
    many[key[i]] += 0xffffffffu;
  }
  pl_entry *entry = kernel(c, program(c, histogram_text, defines, "histogram"), "histogram");
  pl_dat *dc = array(c, BINS, 1, PL_INT32, NULL, "count"), *ds = array(c, BINS, 1, PL_INT64, NULL, "sum"),
         *dm = array(c, BINS, 1, PL_UINT64, NULL, "many");
  ARGS(entry, DAT(array(c, N, 1, PL_INT32, key, "key"), PL_READ),
       DAT(array(c, N, 1, PL_DOUBLE, weight, "weight"), PL_READ), DAT(dc, PL_INC), DAT(ds, PL_INC),
       DAT(dm, PL_INC), INT(N));
  OK(pl_entry_run(entry, N / 3, 64));
  SAME(dc, count);
  SAME(ds, sum);
  SAME(dm, many);
}

/* Small integers, so that float sums are exact in any order. */
static const char add_real_text[] =
  "KERNEL void add_real(GLOBAL float *f, GLOBAL double *d, GLOBAL uint *u)\n"
  "{\n"
  "  LOCAL float l[1];\n"
  "  if (LOCAL_ID == 0) l[0] = 0;\n"
  "  SYNC_THREADS;\n"
  "  ATOMIC_ADD(&l[0], (float)LOCAL_ID);\n"
  "  ATOMIC_ADD(&d[0], (double)GLOBAL_ID);\n"
  "  ATOMIC_ADD(&u[0], (uint)1);\n"
  "  SYNC_THREADS;\n"
  "  if (LOCAL_ID == 0) ATOMIC_ADD(&f[0], l[0]);\n"
  "}\n";

static void case_atomic_real(conf *c)
{
  pl_entry *entry = kernel(c, program(c, add_real_text, NULL, "add_real"), "add_real");
  pl_dat *f = array(c, 1, 1, PL_FLOAT, NULL, "f"), *d = array(c, 1, 1, PL_DOUBLE, NULL, "d"),
         *u = array(c, 1, 1, PL_UINT32, NULL, "u");
  ARGS(entry, DAT(f, PL_INC), DAT(d, PL_INC), DAT(u, PL_INC));
  OK(pl_entry_run(entry, 320, 32));
  SAME(f, ((float[]){10 * 31 * 16}));
  SAME(d, ((double[]){319 * 160}));
  SAME(u, ((uint32_t[]){320}));
}

/* ---- M06, M07, M09: vectors ---- */

static const char vector_text[] =
  "KERNEL void vectors(GLOBAL const float4 *a, GLOBAL const float4 *b, GLOBAL float *out)\n"
  "{\n"
  "  float4 p = a[0], q = b[0], r = p + q * 2.0f - make_float4(1) / q;\n"
  "  r += p; r -= make_float4(0.5f, 0.25f, 0.125f, 0); r *= 2.0f; r /= make_float4(2); r = -r; r *= q; r += "
  "1.0f;\n"
  "  out[0] = r.x; out[1] = r.y; out[2] = r.z; out[3] = r.w;\n"
  "  float3 s = trimTo3(p), t = trimTo3(q), u = cross(s, t);\n"
  "  out[4] = u.x; out[5] = u.y; out[6] = u.z; out[7] = dot(s, t);\n"
  "  float2 v = make_float2(p.x, q.y); v = 3.0f - v; v = 8.0f / v;\n"
  "  out[8] = v.x; out[9] = v.y;\n"
  "  float3 w = normalize(make_float3(3, 0, 4));\n"
  "  out[10] = w.x; out[11] = w.z; out[12] = dot(p, q);\n"
  "  float4 x = cross(p, q); out[13] = x.x; out[14] = x.w;\n"
  "  int3 i = make_int3(7, -3, 2) * make_int3(2) - 1; short2 h = make_short2(5, 6); h += make_short2(1);\n"
  "  out[15] = i.x; out[16] = i.y; out[17] = i.z; out[18] = h.x; out[19] = h.y;\n"
  "  int4 k = make_int4(9) / make_int4(1, 2, 3, 4); out[20] = k.y; out[21] = k.w;\n"
  "  double3 d = cross(make_double3(1, 2, 3), make_double3(4, 5, 6)); out[22] = d.x; out[23] = d.y;\n"
  "  double4 e = make_double4(2) * 0.5; out[24] = dot(e, e); out[25] = trimTo3(e).z;\n"
  "  out[26] = sizeof(mm_long); out[27] = sizeof(mm_ulong); out[28] = sizeof(float4);\n"
  "}\n";

static void case_vectors(conf *c)
{
  const float a[4] = {1, 2, 3, 4}, b[4] = {4, 2, 1, 0.5f};
  float e[29];
  for (int i = 0; i < 4; i++) {
    float minus[4] = {0.5f, 0.25f, 0.125f, 0};
    e[i] = -(((a[i] + b[i] * 2 - 1 / b[i]) + a[i] - minus[i]) * 2 / 2) * b[i] + 1;
  }
  const float rest[] = {2 * 1 - 3 * 2,
                        3 * 4 - 1 * 1,
                        1 * 2 - 2 * 4,
                        11,
                        8 / 2.0f,
                        8,
                        0.6f,
                        0.8f,
                        13,
                        -4,
                        0,
                        13,
                        -7,
                        3,
                        6,
                        7,
                        4,
                        2,
                        -3,
                        6,
                        4,
                        1,
                        8,
                        8,
                        16};
  memcpy(e + 4, rest, sizeof rest);
  pl_entry *entry = kernel(c, program(c, vector_text, NULL, "vectors"), "vectors");
  pl_dat *out = array(c, 29, 1, PL_FLOAT, NULL, "out");
  ARGS(entry, DAT(array(c, 1, 4, PL_FLOAT, a, "a"), PL_READ), DAT(array(c, 1, 4, PL_FLOAT, b, "b"), PL_READ),
       DAT(out, PL_WRITE));
  OK(pl_entry_run(entry, 1, 1));
  float o[29];
  OK(pl_dat_fetch(out, o));
  for (int i = 0; i < 29; i++) CHECK(fabsf(o[i] - e[i]) <= 1e-6f * fabsf(e[i]));
}

/* Every vector type: one pattern generates its text for a type, a width and its load and store. The numbers
 * are small integers, quotients exact. */
static const char every_text[] =
  "KERNEL void every_%s%d(GLOBAL const %s *in, GLOBAL %s *out) {\n"
  "  %s%d a = make_%s%d(%s), b = make_%s%d(%s), r;\n"
  "  %s two = 2;\n"
  "  r = a + b; r = r - a * b; r = r + b / make_%s%d(two); r += a; r -= b; r *= make_%s%d(two); r /= "
  "make_%s%d(two); r = -r; r = r * two; r = two * r; r = r + two; r = r - two; r = r / two; r = two - r; r "
  "+= "
  "two; r -= two; r *= two; r /= two;\n"
  "  %s\n"
  "}\n";

static void make_every(char *text, size_t size)
{
  static const char *const types[] = {"short", "int", "float", "double"};
  *text = '\0';
  for (int t = 0; t < 4; t++)
    for (int w = 2; w <= 4; w++) {
      const char *T = types[t];
      char first[100] = "", second[100] = "", store[100] = "";
      for (int k = 0; k < w; k++) {
        snprintf(first + strlen(first), sizeof first - strlen(first), "%sin[%d]", k ? ", " : "", k);
        snprintf(second + strlen(second), sizeof second - strlen(second), "%sin[%d]", k ? ", " : "", 4 + k);
        snprintf(store + strlen(store), sizeof store - strlen(store), "out[%d] = r.%c; ", k, "xyzw"[k]);
      }
      size_t at = strlen(text);
      snprintf(text + at, size - at, every_text, T, w, T, T, T, w, T, w, first, T, w, second, T, T, w, T, w,
               T, w, store);
    }
}

static void case_every_vector(conf *c)
{
  static const pl_type types[] = {PL_INT16, PL_INT32, PL_FLOAT, PL_DOUBLE};
  static const char *const names[] = {"short", "int", "float", "double"};
  static char text[12000];
  const int in[8] = {1, -2, 3, -4, 2, 6, -4, 8};
  make_every(text, sizeof text);
  pl_program *p = program(c, text, NULL, "every");
  for (int t = 0; t < 4; t++)
    for (int w = 2; w <= 4; w++) {
      union {
        int16_t s[8];
        int32_t i[8];
        float f[8];
        double d[8];
      } x, expected;
      char name[20];
      memset(&expected, 0, sizeof expected);
      for (int k = 0; k < 8; k++) {
        int a = in[k % 4], b = in[4 + k % 4], r = a + b - a * b + b / 2 + a - b, e = 2 - -4 * r / 2;
        if (k >= w) e = 0;
        if (t == 0) x.s[k] = (int16_t)in[k], expected.s[k] = (int16_t)e;
        if (t == 1) x.i[k] = in[k], expected.i[k] = e;
        if (t == 2) x.f[k] = (float)in[k], expected.f[k] = (float)e;
        if (t == 3) x.d[k] = in[k], expected.d[k] = e;
      }
      snprintf(name, sizeof name, "every_%s%d", names[t], w);
      pl_entry *every = kernel(c, p, name);
      pl_dat *out = array(c, 8, 1, types[t], NULL, "out");
      ARGS(every, DAT(array(c, 8, 1, types[t], &x, "in"), PL_READ), DAT(out, PL_RW));
      OK(pl_entry_run(every, 1, 1));
      SAME(out, &expected);
    }
}

/* ---- M03, M05: warps, fences, what is supported ---- */

static const char warp_text[] = "KERNEL void warps(GLOBAL int *x, GLOBAL int *is) {\n"
                                "  LOCAL int mine[64];\n"
                                "  mine[LOCAL_ID] = x[GLOBAL_ID];\n"
                                "  SYNC_WARPS;\n"
                                "  int other = mine[LOCAL_ID ^ 5];\n"
                                "  SYNC_WARPS;\n"
                                "  mine[LOCAL_ID] = other + 1;\n"
                                "  MEM_FENCE;\n"
                                "  x[GLOBAL_ID] = mine[LOCAL_ID];\n"
                                "  if (GLOBAL_ID) return;\n"
                                "#ifdef SUPPORTS_64_BIT_ATOMICS\n"
                                "  is[0] = 1;\n"
                                "#endif\n"
                                "#ifdef SUPPORTS_DOUBLE_PRECISION\n"
                                "  is[1] = 1;\n"
                                "#endif\n"
                                "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700\n"
                                "  is[2] = 1;\n"
                                "#endif\n"
                                "}\n";

static void case_warps(conf *c)
{
  enum { BLOCK = 64, N = 3 * BLOCK };
  int32_t x[N], expected[N];
  pl_device_info info = {.has_atomics_64 = 1, .has_double = 1};
  for (int i = 0; i < N; i++) x[i] = conf_below(c, 1000);
  for (int i = 0; i < N; i++) expected[i] = x[i ^ 5] + 1;
  if (c->device) OK(pl_device_at(c->pl, c->backend, 0, &info));
  const int32_t is[3] = {info.has_atomics_64, info.has_double, !strcmp(c->backend, "cuda")};
  pl_entry *warps = kernel(c, program(c, warp_text, NULL, "warps"), "warps");
  pl_dat *dx = array(c, N, 1, PL_INT32, x, "x"), *dis = array(c, 3, 1, PL_INT32, NULL, "is");
  ARGS(warps, DAT(dx, PL_RW), DAT(dis, PL_RW));
  OK(pl_entry_run(warps, N, BLOCK));
  SAME(dx, expected);
  SAME(dis, is);
}

/* ---- M10: float mathematics; M05: both branches ---- */

static const char math_text[] =
  "KERNEL void math(GLOBAL const float *x, GLOBAL float *y, int n)\n"
  "{\n"
  "  const int i = GLOBAL_ID;\n"
  "  if (i >= n) return;\n"
  "  GLOBAL float *r = y + 8 * i;\n"
  "  r[0] = sqrtf(x[i]); r[1] = rsqrtf(x[i]); r[2] = expf(-x[i]); r[3] = logf(x[i]); r[4] = sinf(x[i]);\n"
  "  r[4] += abs(i - 3) - abs(-i);\n"
  "  r[5] = powf(x[i], 1.5f); r[6] = atan2f(x[i], 2.0f); r[7] = fmaxf(x[i], 1.0f) + erff(x[i]);\n"
  "#ifdef SUPPORTS_DOUBLE_PRECISION\n"
  "  r[0] = (float)sqrt((double)x[i]);\n"
  "#else\n"
  "  r[0] = sqrtf(x[i]);\n"
  "#endif\n"
  "}\n";

static void case_math(conf *c)
{
  enum { N = 40 };
  float x[N], y[N][8];
  for (int i = 0; i < N; i++) x[i] = 0.1f + 0.23f * (float)i;
  pl_entry *entry = kernel(c, program(c, math_text, NULL, "math"), "math");
  pl_dat *dy = array(c, N, 8, PL_FLOAT, NULL, "y");
  ARGS(entry, DAT(array(c, N, 1, PL_FLOAT, x, "x"), PL_READ), DAT(dy, PL_WRITE), INT(N));
  OK(pl_entry_run(entry, N, 0));
  OK(pl_dat_fetch(dy, y));
  for (int i = 0; i < N; i++) {
    const double v = x[i],
                 e[8] = {
                   sqrt(v),     1 / sqrt(v),        exp(-v), log(v), sin(v) + abs(i - 3) - i, pow(v, 1.5),
                   atan2(v, 2), fmax(v, 1) + erf(v)};
    for (int k = 0; k < 8; k++) CHECK(fabs(y[i][k] - e[k]) <= 4e-7 * fmax(fabs(e[k]), 0.5));
  }
}

/* Every float name of C: close to C's result in double, so that no name selects another function. */
/* clang-format off */
#define UNARY(X)                                                                                             \
  X(sqrt) X(fabs) X(exp) X(exp2) X(log) X(log2) X(log10) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan)        \
  X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(floor) X(ceil) X(round) X(trunc) X(rint) X(cbrt)      \
  X(erf) X(erfc) X(expm1) X(log1p) X(logb) X(lgamma) X(tgamma) X(nearbyint)
#define BINARY(X)                                                                                            \
  X(pow) X(atan2) X(fmin) X(fmax) X(fmod) X(hypot) X(fdim) X(remainder) X(nextafter) X(copysign)
/* clang-format on */
#define UNARY_ROW(name) {#name, name, NULL},
#define BINARY_ROW(name) {#name, NULL, name},

static const struct {
  const char *name;
  double (*of)(double), (*with)(double, double);
} float_names[] = {UNARY(UNARY_ROW) BINARY(BINARY_ROW)};
enum { FLOAT_NAMES = sizeof float_names / sizeof *float_names };

static void print_float_names(char *text, size_t size)
{
  snprintf(text, size,
           "KERNEL void table(GLOBAL const float *x, GLOBAL float *y, GLOBAL int *is, int n) {\n"
           "  const int i = GLOBAL_ID;\n  if (i >= n) return;\n");
  for (int f = 0; f < FLOAT_NAMES; f++) {
    bool above = !strcmp(float_names[f].name, "acosh");
    size_t at = strlen(text);
    snprintf(text + at, size - at, "  y[%d * n + i] = %sf(x[i]%s%s);\n", f, float_names[f].name,
             above ? " + 1.0f" : "", float_names[f].of ? "" : ", 0.3f");
  }
  size_t at = strlen(text);
  snprintf(
    text + at, size - at,
    "  y[%d * n + i] = fmaf(x[i], 2.0f, 1.0f);\n  y[%d * n + i] = ldexpf(x[i], 3);\n"
    "  is[i] = isnan(NAN) && isinf(INFINITY) && !isfinite(INFINITY) && !isnan(x[i]) && FLT_MAX > 3e38f &&\n"
    "          INT_MAX == 2147483647 && (float)M_PI > 3.14159f && (float)M_PI < 3.1416f;\n}\n",
    FLOAT_NAMES, FLOAT_NAMES + 1);
}

/* The allowed error of a float function in units of the last place: OpenCL's largest. */
static bool is_near(const char *name, float got, double expected)
{
  const float nearest = (float)expected, step = nextafterf(fabsf(nearest), INFINITY) - fabsf(nearest);
  bool coarse = strstr("lgamma tgamma erf erfc pow", name) != NULL;
  if (!strcmp(name, "nextafter")) return fabs((double)got - expected) <= 1e-7;
  return fabs((double)got - expected) <= (coarse ? 16 : 5) * (double)step;
}

static void case_float_names(conf *c)
{
  enum { N = 24 };
  static char text[6000];
  static float x[N], y[FLOAT_NAMES + 2][N];
  int32_t ones[N];
  for (int i = 0; i < N; i++) x[i] = 0.02f + 0.031f * (float)i, ones[i] = 1;
  print_float_names(text, sizeof text);
  pl_entry *table = kernel(c, program(c, text, NULL, "table"), "table");
  pl_dat *dy = array(c, (FLOAT_NAMES + 2) * N, 1, PL_FLOAT, NULL, "y"),
         *is = array(c, N, 1, PL_INT32, NULL, "is");
  ARGS(table, DAT(array(c, N, 1, PL_FLOAT, x, "x"), PL_READ), DAT(dy, PL_WRITE), DAT(is, PL_WRITE), INT(N));
  OK(pl_entry_run(table, N, 0));
  OK(pl_dat_fetch(dy, y));
  SAME(is, ones);
  for (int f = 0; f < FLOAT_NAMES; f++) {
    bool good = true;
    for (int i = 0; i < N; i++) {
      const double v = (double)(float)(x[i] + (strcmp(float_names[f].name, "acosh") ? 0.0f : 1.0f)),
                   e = float_names[f].of ? float_names[f].of(v) : float_names[f].with(v, (double)0.3f);
      good &= is_near(float_names[f].name, y[f][i], e);
    }
    CHECK(good);
  }
  for (int i = 0; i < N; i++)
    CHECK(y[FLOAT_NAMES][i] == fmaf(x[i], 2, 1) && y[FLOAT_NAMES + 1][i] == 8 * x[i]);
}

/* ---- Q06, Q07: fields ---- */

/* Every function of plait_fields.h in one kernel: an expression of matrices is one pass over memory. */
#define FIELDS(name, C, R, S)                                                                                \
  PL_KERNEL(name, (C * out, const C *y, const C *z, R *sum), {                                               \
    C t[4];                                                                                                  \
    C s[4];                                                                                                  \
    C u[4];                                                                                                  \
    pl_matrix_mul##S(2, t, y, z);                                                                            \
    pl_matrix_adjoint##S(2, s, t);                                                                           \
    pl_matrix_scale##S(2, s, pl_complex_make##S(2, 1));                                                      \
    pl_matrix_add##S(2, s, y);                                                                               \
    pl_matrix_set##S(2, u, pl_complex_sub##S(pl_complex_conj##S(y[0]), pl_complex_scale##S(2, z[1])));       \
    pl_matrix_add_product##S(2, s, u, z);                                                                    \
    for (int i = 0; i < 4; i++) out[i] = s[i];                                                               \
    out[0] = pl_complex_add##S(out[0], pl_matrix_trace##S(2, s));                                            \
    out[1] = pl_complex_mul##S(out[1], out[2]);                                                              \
    sum[0] += pl_matrix_norm2##S(2, s) + pl_complex_norm2##S(y[1]);                                          \
  })
FIELDS(programs_fields, pl_cdouble, double, )
FIELDS(programs_fields_f, pl_cfloat, float, _f)

typedef double complex matrix[2][2];

/* The same with complex numbers of C; integers, so nothing rounds. */
static double fields_model(matrix y, matrix z, matrix out)
{
  matrix s;
  double sum = creal(y[0][1] * conj(y[0][1]));
  double complex diagonal = conj(y[0][0]) - 2 * z[0][1];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      double complex product = y[j][0] * z[0][i] + y[j][1] * z[1][i];
      s[i][j] = conj(product) * (2 + I) + y[i][j] + diagonal * z[i][j];
      sum += creal(s[i][j] * conj(s[i][j]));
    }
  memcpy(out, s, sizeof s);
  out[0][0] += s[0][0] + s[1][1];
  out[0][1] *= out[1][0];
  return sum;
}

static void case_fields(conf *c)
{
  enum { N = 37 };
  static matrix y[N], z[N], out[N];
  static float yf[N * 8], zf[N * 8], outf[N * 8];
  double sum = 0;
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 4; k++) {
      y[i][k / 2][k % 2] = conf_below(c, 9) - 4 + I * (conf_below(c, 9) - 4);
      z[i][k / 2][k % 2] = conf_below(c, 9) - 4 + I * (conf_below(c, 9) - 4);
    }
    sum += fields_model(y[i], z[i], out[i]);
  }
  for (int k = 0; k < N * 8; k++) {
    yf[k] = (float)((double *)y)[k];
    zf[k] = (float)((double *)z)[k];
    outf[k] = (float)((double *)out)[k];
  }
  const float sumf = (float)sum;
  pl_set *set = conf_set(c, N, "set");
  OK(pl_decl_fields(c->pl));
  for (int twice = 0; twice < 2; twice++) {
    const pl_type type = twice ? PL_COMPLEX_DOUBLE : PL_COMPLEX_FLOAT;
    pl_dat *dy = conf_dat(c, set, 4, type, twice ? (void *)y : yf, "y"),
           *dz = conf_dat(c, set, 4, type, twice ? (void *)z : zf, "z"),
           *dout = conf_dat(c, set, 4, type, NULL, "out");
    pl_global *g = conf_global(c, 1, twice ? PL_DOUBLE : PL_FLOAT, NULL, "sum");
    pl_stats before = conf_stats(c);
    OK(pl_par_loop(twice ? programs_fields : programs_fields_f, set,
                   pl_arg_dat(dout, PL_ID, PL_DIRECT, PL_WRITE), pl_arg_dat(dy, PL_ID, PL_DIRECT, PL_READ),
                   pl_arg_dat(dz, PL_ID, PL_DIRECT, PL_READ), pl_arg_gbl(g, PL_INC)));
    SAME(dout, twice ? (void *)out : outf);
    SAME_GLOBAL(g, twice ? (void *)&sum : (void *)&sumf);
    CHECK(conf_stats(c).loops_run - before.loops_run == 1);
  }
}

/* ---- several kernels, parameters that depend on defines, states ---- */

static const char several_text[] = "CONSTANT int weights[3] = {1, 10, 100};\n"
                                   "typedef struct pair { int first, second; } pair;\n"
                                   "DEVICE int weigh(int k) { return weights[k % 3]; }\n"
                                   "KERNEL void fill(GLOBAL int *x, int n\n"
                                   "#ifdef SHIFT\n"
                                   "                 , int shift\n"
                                   "#endif\n"
                                   ") {\n"
                                   "  int i = GLOBAL_ID;\n"
                                   "  pair p; p.first = i; p.second = weigh(i);\n"
                                   "#ifdef SHIFT\n"
                                   "  p.first += shift;\n"
                                   "#endif\n"
                                   "  if (i < n) x[i] = p.first + p.second;\n"
                                   "}\n"
                                   "KERNEL void twice(GLOBAL int *x, int n) {\n"
                                   "  int i = GLOBAL_ID; if (i < n) x[i] *= 2;\n"
                                   "}\n";

static void case_several(conf *c)
{
  enum { N = 100 };
  static const int weights[] = {1, 10, 100};
  static const char *const defines[] = {"SHIFT", NULL};
  int32_t expected[N];
  for (int shift = 0; shift < 2; shift++) {
    pl_program *p = program(c, several_text, shift ? defines : NULL, "several");
    pl_entry *fill = kernel(c, p, "fill"), *twice = kernel(c, p, "twice");
    pl_dat *x = array(c, N, 1, PL_INT32, NULL, "x");
    for (int i = 0; i < N; i++) expected[i] = 4 * (i + weights[i % 3] + (shift ? 7 : 0));
    ARGS(fill, DAT(x, PL_WRITE), INT(N));
    if (shift) set_int(c, fill, 2, 7);
    ARGS(twice, DAT(x, PL_RW), INT(N));
    OK(pl_entry_run(fill, N, 0));
    OK(pl_entry_run(twice, N, 0));
    OK(pl_entry_run(twice, N, 16));
    if (c->device) CHECK(conf_stats(c).bytes_to_device == 0);
    SAME(x, expected);
    CHECK(pl_dat_version(x) == 3);
    pl_entry_free(&fill);
    pl_entry_free(&twice);
    pl_program_free(&p);
    CHECK(!p && !fill);
  }
}

/* ---- a value of a type of the program's own ---- */

static const char own_text[] = "typedef struct own { int count; double first, step; } own;\n"
                               "KERNEL void steps(GLOBAL double *x, own o) {\n"
                               "  int i = GLOBAL_ID; if (i < o.count) x[i] = o.first + i * o.step;\n"
                               "}\n";

static void case_own_value(conf *c)
{
  enum { N = 10 };
  const struct own {
    int count;
    double first, step;
  } o = {N, 1, 0.5};
  double expected[N];
  pl_program *p = program(c, own_text, NULL, "own_value");
  pl_entry *steps = kernel(c, p, "steps");
  pl_dat *x = array(c, N, 1, PL_DOUBLE, NULL, "x");
  for (int i = 0; i < N; i++) expected[i] = 1 + 0.5 * i;
  OK(pl_entry_dat(steps, 0, x, PL_WRITE));
  FAILS(pl_entry_value(steps, 1, PL_INT32, 1, &o.count), PL_ERR_TYPE, "steps", "own o", "4 bytes");
  FAILS(pl_entry_value(steps, 1, PL_DOUBLE, 2, &o.first), PL_ERR_TYPE, "steps", "own o", "16 bytes");
  FAILS(pl_entry_run(steps, N, 0), PL_ERR_STATE, "own o", "not set");
  OK(pl_entry_value(steps, 1, PL_UINT8, sizeof o, &o));
  OK(pl_entry_run(steps, N, 0));
  SAME(x, expected);
}

/* A loop has chosen the dat's layout; the program still sees consecutive elements. */
static const char record_text[] = "KERNEL void records(GLOBAL double *x, int n) {\n"
                                  "  if (GLOBAL_ID < n) x[5 * GLOBAL_ID + 3] += GLOBAL_ID;\n"
                                  "}\n";
PL_KERNEL(programs_add, (double *x), {
  for (int k = 0; k < 5; k++) x[k] += k;
})

static void case_layout(conf *c)
{
  enum { N = 37 };
  double expected[N][5];
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 5; k++) expected[i][k] = 2 * k + (k == 3 ? i : 0);
  pl_set *set = conf_set(c, N, "set");
  pl_dat *x = conf_dat(c, set, 5, PL_DOUBLE, NULL, "x");
  pl_entry *records = kernel(c, program(c, record_text, NULL, "records"), "records");
  OK(pl_par_loop(programs_add, set, pl_arg_dat(x, PL_ID, PL_DIRECT, PL_RW)));
  ARGS(records, DAT(x, PL_RW), INT(N));
  OK(pl_entry_run(records, N, 0));
  OK(pl_par_loop(programs_add, set, pl_arg_dat(x, PL_ID, PL_DIRECT, PL_RW)));
  CHECK(conf_stats(c).bytes_to_device == 0);
  SAME(x, expected);
}

/* Storage is permuted; element i of the program is the user's element i. */
static const char number_text[] =
  "KERNEL void number(GLOBAL const int *weight, GLOBAL double *x, GLOBAL int *where, int n) {\n"
  "  int i = GLOBAL_ID;\n"
  "  if (i >= n) return;\n"
  "  x[5 * i + 3] += weight[n - 1 - i];\n"
  "  where[i] = i;\n"
  "}\n";
PL_KERNEL(programs_ends, (const double x[2][5], const int *where[2], double *both), {
  both[0] = x[0][3] + 100 * x[1][3] + x[1][4];
  both[1] = where[0][0] + 1000 * where[1][0];
})

static void case_renumbered_program(conf *c)
{
  enum { N = 60 };
  int ends[2 * N], weight[N], where[N];
  double x[N][5], both[N][2];
  for (int i = 0; i < N; i++) {
    ends[2 * i] = i * 23 % N;
    ends[2 * i + 1] = (i + 1) * 23 % N;
    weight[i] = conf_below(c, 50);
    for (int k = 0; k < 5; k++) x[i][k] = 5 * i + k;
    where[i] = i;
  }
  pl_set *cells = conf_set(c, N, "cells"), *edges = conf_set(c, N, "edges");
  pl_map *map = conf_map(c, edges, cells, 2, ends, "ends");
  pl_dat *dw = conf_dat(c, edges, 1, PL_INT, weight, "weight"),
         *dx = conf_dat(c, cells, 5, PL_DOUBLE, x, "x"), *dn = conf_dat(c, cells, 1, PL_INT, NULL, "where"),
         *db = conf_dat(c, edges, 2, PL_DOUBLE, NULL, "both");
  pl_entry *number = kernel(c, program(c, number_text, NULL, "number"), "number");
  ARGS(number, DAT(dw, PL_READ), DAT(dx, PL_RW), DAT(dn, PL_WRITE), INT(N));
  OK(pl_renumber(c->pl, PL_RENUMBER_RCM, map, NULL));
  pl_stats before;
  for (int round = 0; round < 3; round++) {
    before = conf_stats(c);
    OK(pl_entry_run(number, N, 0));
    for (int i = 0; i < N; i++) x[i][3] += weight[N - 1 - i];
    OK(pl_par_loop(programs_ends, edges, pl_arg_dat(dx, PL_ALL, map, PL_READ),
                   pl_arg_dat(dn, PL_ALL, map, PL_READ), pl_arg_dat(db, PL_ID, PL_DIRECT, PL_WRITE)));
    for (int i = 0; i < N; i++) {
      int a = ends[2 * i], b = ends[2 * i + 1];
      both[i][0] = x[a][3] + 100 * x[b][3] + x[b][4];
      both[i][1] = a + 1000 * b;
    }
  }
  CHECK(conf_stats(c).bytes_to_device == before.bytes_to_device);
  CHECK(conf_stats(c).bytes_from_device == 0);
  SAME(db, both);
  SAME(dx, x);
  SAME(dn, where);
  SAME(dw, weight);
}

/* On several ranks a program sees the owned elements, and later loops see its results on all ranks. */
static const char thrice_text[] = "KERNEL void thrice(GLOBAL double *x, int n) {\n"
                                  "  if (GLOBAL_ID < n) x[GLOBAL_ID] = 3 * x[GLOBAL_ID] + 1;\n"
                                  "}\n";
PL_KERNEL(programs_sum, (const double *x[3], double *y), { y[0] += x[0][0] + 10 * x[1][0] + 100 * x[2][0]; })

static void case_ranks(conf *c)
{
  conf_mesh mesh;
  pl_entry *thrice = kernel(c, program(c, thrice_text, NULL, "thrice"), "thrice");
  for (int kind = 0; conf_mesh_make(c, kind, &mesh); kind++) {
    int n = mesh.from, m = mesh.to;
    double *x = calloc((size_t)m + 1, sizeof *x), *y = calloc((size_t)n + 1, sizeof *y);
    for (int t = 0; t < m; t++) x[t] = conf_below(c, 100);
    pl_set *from = conf_set(c, n, "from"), *to = conf_set(c, m, "to");
    pl_map *map = conf_map(c, from, to, 3, mesh.index, "map");
    pl_dat *dx = conf_dat(c, to, 1, PL_DOUBLE, x, "x"), *dy = conf_dat(c, from, 1, PL_DOUBLE, NULL, "y");
    OK(pl_entry_dat(thrice, 0, dx, PL_RW));
    for (int round = 0; round < 3; round++) {
      OK(pl_par_loop(programs_sum, from, pl_arg_dat(dx, PL_ALL, map, PL_READ),
                     pl_arg_dat(dy, PL_ID, PL_DIRECT, PL_INC)));
      set_int(c, thrice, 1, (int32_t)pl_set_size(to));
      OK(pl_entry_run(thrice, pl_set_size(to), 32));
      for (int e = 0; e < n; e++)
        for (int k = 0, weight = 1; k < 3; k++, weight *= 10) {
          int t = mesh.index[3 * e + k];
          y[e] += t < 0 ? 0 : weight * x[t];
        }
      for (int t = 0; t < m; t++) x[t] = 3 * x[t] + 1;
    }
    SAME(dy, y);
    SAME(dx, x);
    free(x);
    free(y);
    conf_mesh_free(&mesh);
  }
}

/* ---- the profile ---- */

/* The lines of a profile by name; loops come first. */
static bool find_line(conf *c, const char *name, pl_profile_entry *entry)
{
  for (int i = 0; !pl_profile_at(c->pl, i, entry); i++)
    if (!strcmp(entry->name, name)) return true;
  return false;
}

static void case_profile(conf *c)
{
  enum { N = 1000 };
  char path[300], folder[256];
  pl_profile_entry e;
  double seconds = 0;
  uint64_t calls = 0;
  snprintf(path, sizeof path, "%s/profile.csv", conf_folder(folder));
  if (c->device) OK(pl_set_option(c->pl, "profile", path)); /* device times are measured only then */
  pl_program *p = program(c, add_text, NULL, "add.cl");
  pl_entry *one = kernel(c, p, "addArrays"), *two = kernel(c, p, "addArrays");
  pl_entry *const entries[] = {one, two, one};
  pl_dat *x = array(c, N, 1, PL_FLOAT, NULL, "x"), *y = array(c, N, 1, PL_FLOAT, NULL, "y");
  for (int k = 0; k < 3; k++) {
    ARGS(entries[k], DAT(x, PL_READ), DAT(x, PL_READ), DAT(y, PL_WRITE), INT(N));
    OK(pl_entry_run(entries[k], N, 64));
  }
  OK(pl_set_option(c->pl, "block_size", "32")); /* other launches of the same program */
  OK(pl_entry_run(one, N, 0));
  CHECK(find_line(c, "addArrays", &e) && !strcmp(e.variant, "groups of 32"));
  OK(pl_set_option(c->pl, "block_size", "0"));
  OK(pl_entry_run(one, N, 64));
  pl_entry_free(&one);
  pl_entry_free(&two);
  pl_program_free(&p); /* counts stay */
  CHECK(find_line(c, "addArrays", &e));
  CHECK(!strcmp(e.set, "add.cl") && !strcmp(e.variant, "groups of 64"));
  CHECK(e.calls == 5);
  CHECK(e.seconds > 0);
  CHECK(e.setup_seconds > 0);
  CHECK(e.bytes == 5.0 * 2 * N * sizeof(float));
  OK(pl_timing(c->pl, "addArrays", &seconds, &calls));
  CHECK(seconds == e.seconds && calls == 5);
  OK(pl_profile_write(c->pl, path));
  char *text = conf_read(path);
  CHECK(text && strstr(text, "\naddArrays,add.cl,groups of 64,5,"));
  free(text);
  OK(pl_profile_reset(c->pl));
  CHECK(!find_line(c, "addArrays", &e));
  if (c->device) OK(pl_set_option(c->pl, "profile", "0"));
}

/* Word w of an element of pairs in tiles of 8; the list is built elsewhere by the same rule. */
static const char flat_text[] = "KERNEL void flat(GLOBAL const float *x, GLOBAL float *out, int n) {\n"
                                "  if (GLOBAL_ID < n) out[GLOBAL_ID] = x[GLOBAL_ID];\n"
                                "}\n";
PL_KERNEL(programs_next, (float *x), {
  for (int k = 0; k < 6; k++) x[k] += 1.0f;
})

static void case_tiles(conf *c)
{
  enum { N = 16, W = 6 };
  static const int where[N * W] = {
    0,  1,  16, 17, 32, 33, 2,  3,  18, 19, 34, 35, 4,  5,  20, 21, 36, 37, 6,  7,  22, 23, 38, 39,
    8,  9,  24, 25, 40, 41, 10, 11, 26, 27, 42, 43, 12, 13, 28, 29, 44, 45, 14, 15, 30, 31, 46, 47,
    48, 49, 64, 65, 80, 81, 50, 51, 66, 67, 82, 83, 52, 53, 68, 69, 84, 85, 54, 55, 70, 71, 86, 87,
    56, 57, 72, 73, 88, 89, 58, 59, 74, 75, 90, 91, 60, 61, 76, 77, 92, 93, 62, 63, 78, 79, 94, 95};
  float values[N * W], expected[N * W];
  for (int i = 0; i < N * W; i++) {
    values[i] = (float)i;
    expected[where[i]] = (float)i + 1.0f;
  }
  pl_set *set = conf_set(c, N, "set");
  pl_dat *x = conf_dat(c, set, W, PL_FLOAT, values, "x"), *out = array(c, N * W, 1, PL_FLOAT, NULL, "out");
  pl_entry *flat = kernel(c, program(c, flat_text, NULL, "flat"), "flat");
  OK(pl_par_loop(programs_next, set,
                 pl_arg_dat(x, PL_ID, PL_DIRECT, PL_RW))); /* in the layout that the kernel prefers */
  OK(pl_dat_set_layout(x, "aosoa:8,2"));
  ARGS(flat, DAT(x, PL_READ), DAT(out, PL_WRITE), INT(N * W));
  OK(pl_entry_run(flat, N * W, 0));
  SAME(out, expected);
  FAILS(pl_dat_set_layout(x, "aosoa:7"), PL_ERR_ARG, "\"x\"", "aosoa:7", "power of two");
  FAILS(pl_dat_set_layout(x, "aosoa:8,4"), PL_ERR_RANGE, "\"x\"", "4", "6");
  for (int i = 0; i < N * W; i++) values[i] += 1.0f;
  SAME(x, values);
}

/* Every layout and sizes that do not fill a tile, in both directions: loops and views see the same values. */
PL_KERNEL(programs_mix, (pl_cdouble * x, const pl_cdouble *y), {
  for (int k = 0; k < 3; k++) {
    x[k].re += y[k].im;
    x[k].im -= 2.0 * y[2 - k].re;
  }
})

static void case_layouts(conf *c)
{
  enum { N = 77, W = 3 };
  static const char *const layouts[] = {"aos", "soa", "soa:2", "aosoa:4", "aosoa:32,2", "aosoa:128"};
  static pl_cdouble x[N][W], y[N][W];
  for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++) {
    pl_set *set = conf_set(c, N, "set");
    for (int i = 0; i < N; i++)
      for (int j = 0; j < W; j++) {
        x[i][j] = (pl_cdouble){3 * i + j, -i};
        y[i][j] = (pl_cdouble){5 * i - j, 0.5 * i};
      }
    pl_dat *dx = conf_dat(c, set, W, PL_COMPLEX_DOUBLE, x, "x"),
           *dy = conf_dat(c, set, W, PL_COMPLEX_DOUBLE, y, "y");
    OK(pl_dat_set_layout(dx, layouts[k]));
    OK(pl_dat_set_layout(dy, layouts[(k + 1) % 6]));
    for (int round = 0; round < 2; round++) {
      OK(pl_par_loop(programs_mix, set, pl_arg_dat(dx, PL_ID, PL_DIRECT, PL_RW),
                     pl_arg_dat(dy, PL_ID, PL_DIRECT, PL_READ)));
      for (int i = 0; i < N; i++)
        for (int j = 0; j < W; j++) {
          x[i][j].re += y[i][j].im;
          x[i][j].im -= 2.0 * y[i][2 - j].re;
        }
      OK(pl_dat_set_layout(dx, layouts[(k + 2) % 6]));
    }
    SAME(dx, x);
  }
}

/* ---- M11: sums in fixed point ---- */

PL_KERNEL(programs_spread, (const double *w, double *x[3], double *all), {
  for (int k = 0; k < 3; k++) {
    x[k][0] += w[k];
    x[k][1] -= 0.5 * w[k];
  }
  all[0] += w[0] / 3.0;
})
PL_KERNEL(programs_look, (const double *x, const double *all, double *y), {
  y[0] = x[0] + x[1];
  y[1] = *all;
})

/* The same bits on every backend, with any number of threads, in any order. */
static void case_fixed(conf *c)
{
  conf_mesh mesh;
  for (int kind = 0; conf_mesh_make(c, kind, &mesh); kind++) {
    int n = mesh.from, m = mesh.to;
    double *w = calloc((size_t)n * 3 + 1, sizeof *w), *y = calloc((size_t)m * 2 + 1, sizeof *y);
    int64_t *x = calloc((size_t)m * 2 + 1, sizeof *x), all = 5;
    for (int e = 0; e < n; e++) {
      for (int k = 0; k < 3; k++) {
        w[3 * e + k] = (conf_below(c, 2001) - 1000) / 7.0;
        int t = mesh.index[3 * e + k];
        if (t < 0) continue;
        x[2 * t] += (int64_t)(w[3 * e + k] * 4294967296.0);
      }
      all += (int64_t)(w[3 * e] / 3.0 * 1048576.0);
    }
    for (int e = 0; e < n; e++)
      for (int k = 0; k < 3; k++)
        if (mesh.index[3 * e + k] >= 0)
          x[2 * mesh.index[3 * e + k] + 1] += (int64_t)(-0.5 * w[3 * e + k] * 4294967296.0);
    for (int t = 0; t < m; t++) {
      y[2 * t] = (double)x[2 * t] * 0x1p-32 + (double)x[2 * t + 1] * 0x1p-32;
      y[2 * t + 1] = (double)all * 0x1p-20;
    }
    pl_set *from = conf_set(c, n, "from"), *to = conf_set(c, m, "to");
    pl_map *map = conf_map(c, from, to, 3, mesh.index, "map");
    pl_dat *dw = conf_dat(c, from, 3, PL_DOUBLE, w, "w"), *dx = conf_dat(c, to, 2, PL_INT64, NULL, "x"),
           *dy = conf_dat(c, to, 2, PL_DOUBLE, NULL, "y");
    pl_global *sum = conf_global(c, 1, PL_INT64, (int64_t[]){5}, "sum");
    OK(pl_par_loop(programs_spread, from, pl_arg_dat(dw, PL_ID, PL_DIRECT, PL_READ),
                   pl_arg_fixed(pl_arg_dat(dx, PL_ALL, map, PL_INC), 32),
                   pl_arg_fixed(pl_arg_gbl(sum, PL_INC), 20)));
    if (!mesh.twice) SAME(dx, x);
    SAME_GLOBAL(sum, &all);
    OK(pl_par_loop(programs_look, to, pl_arg_fixed(pl_arg_dat(dx, PL_ID, PL_DIRECT, PL_READ), 32),
                   pl_arg_fixed(pl_arg_gbl(sum, PL_READ), 20), pl_arg_dat(dy, PL_ID, PL_DIRECT, PL_WRITE)));
    if (!mesh.twice) SAME(dy, y);
    free(w);
    free(x);
    free(y);
    conf_mesh_free(&mesh);
  }
}

PL_KERNEL(programs_real, (double *x, const double *y), { *x += *y; })

static void case_fixed_errors(conf *c)
{
  pl_set *set = conf_set(c, 4, "set");
  pl_dat *x = conf_dat(c, set, 1, PL_INT64, NULL, "x"), *y = conf_dat(c, set, 1, PL_DOUBLE, NULL, "y");
  pl_arg read = pl_arg_dat(y, PL_ID, PL_DIRECT, PL_READ), sum = pl_arg_dat(x, PL_ID, PL_DIRECT, PL_INC);
  FAILS(pl_par_loop(programs_real, set, sum, read), PL_ERR_TYPE, "int64_t");
  FAILS(pl_par_loop(programs_real, set, pl_arg_fixed(sum, 63), read), PL_ERR_RANGE, "\"x\"", "63");
  FAILS(pl_par_loop(programs_real, set, pl_arg_fixed(sum, -1), read), PL_ERR_RANGE, "\"x\"", "-1");
  FAILS(pl_par_loop(programs_real, set, sum, pl_arg_fixed(read, 32)), PL_ERR_TYPE, "\"y\"", "PL_INT64");
  FAILS(pl_par_loop(programs_real, set, pl_arg_fixed(pl_arg_dat(x, PL_ID, PL_DIRECT, PL_RW), 32), read),
        PL_ERR_ACCESS, "\"x\"", "PL_INC");
}

/* PLAIT_CHECK reports where a fixed-point sum overflows; the data is unchanged. */
static void case_fixed_overflow(conf *c)
{
  enum { N = 6 };
  const int where[N] = {0, 1, 1, 1, 2, 0};
  const double y[N] = {1, 1e9, 1e9, 1e9, -7, 3};
  const int64_t most = INT64_C(3) << 61;
  pl_set *set = conf_set(c, N, "set"), *few = conf_set(c, 3, "few");
  pl_map *map = conf_map(c, set, few, 1, where, "where");
  pl_dat *x = conf_dat(c, few, 1, PL_INT64, NULL, "x"), *dy = conf_dat(c, set, 1, PL_DOUBLE, y, "y"),
         *huge = conf_dat(c, set, 1, PL_DOUBLE, (double[]){1e300, 0, 0, 0, 0, 0}, "huge");
  pl_global *sum = conf_global(c, 1, PL_INT64, NULL, "sum"),
            *full = conf_global(c, 1, PL_INT64, &most, "full");
  pl_arg read = pl_arg_dat(dy, PL_ID, PL_DIRECT, PL_READ), inc = pl_arg_dat(x, 0, map, PL_INC),
         all = pl_arg_gbl(sum, PL_INC);
  OK(pl_set_option(c->pl, "check", "1"));
  FAILS(pl_par_loop(programs_real, set, pl_arg_fixed(inc, 32), read), PL_ERR_CHECK, "programs_real", "\"x\"",
        "element 1", "32 bits", "2^31", "fewer");
  SAME(x, ((int64_t[]){0, 0, 0}));
  FAILS(pl_par_loop(programs_real, set, pl_arg_fixed(all, 32), read), PL_ERR_CHECK, "\"sum\"", "2^31");
  FAILS(pl_par_loop(programs_real, set, pl_arg_fixed(all, 8), pl_arg_dat(huge, PL_ID, PL_DIRECT, PL_READ)),
        PL_ERR_CHECK, "\"sum\"", "2^55");
  FAILS(pl_par_loop(programs_real, set, pl_arg_fixed(pl_arg_gbl(full, PL_INC), 31), read), PL_ERR_CHECK,
        "\"full\"", "2^32");
  SAME_GLOBAL(sum, &(int64_t){0});
  OK(pl_par_loop(programs_real, set, pl_arg_fixed(inc, 30), read));
  OK(pl_par_loop(programs_real, set, pl_arg_fixed(all, 30), read));
  const int64_t one = INT64_C(1) << 30, all3 = INT64_C(2999999997) << 30;
  SAME(x, ((int64_t[]){4 * one, INT64_C(3000000000) * one, -7 * one}));
  SAME_GLOBAL(sum, &all3);
}

/* ---- M14: arrays ---- */

PL_KERNEL(programs_plus, (double *x), {
  x[0] += 1;
  x[1] -= 1;
})

/* Ranges are read and written on either side, in both types; a loop runs in between. */
static void case_arrays(conf *c)
{
  enum { N = 50 };
  double e[N][2], part[6], all[N][2];
  float few[8];
  pl_dat *a = NULL, *b = NULL;
  for (int i = 0; i < N; i++) e[i][0] = i, e[i][1] = 100 - i;
  OK(pl_decl_array(c->pl, N, 2, PL_DOUBLE, e, "a", &a));
  OK(pl_par_loop(programs_plus, pl_dat_set(a), pl_arg_dat(a, PL_ID, PL_DIRECT, PL_RW)));
  for (int i = 0; i < N; i++) e[i][0] += 1, e[i][1] -= 1;
  pl_stats before = conf_stats(c);
  OK(pl_array_read(a, 10, 3, PL_DOUBLE, part));
  CHECK(!memcmp(part, e[10], sizeof part));
  OK(pl_array_read(a, 47, 3, PL_FLOAT, few));
  for (int i = 0; i < 6; i++) CHECK((double)few[i] == e[47][0 + i % 2] + (i % 2 ? -1 : 1) * (i / 2));
  for (int i = 0; i < 8; i++) few[i] = 0.25f * (float)i;
  OK(pl_array_write(a, 20, 4, PL_FLOAT, few));
  for (int i = 0; i < 8; i++) e[20 + i / 2][i % 2] = 0.25 * i;
  pl_stats after = conf_stats(c);
  if (c->device) { /* only ranges are transferred, with every layout */
    CHECK(after.bytes_from_device - before.bytes_from_device == 6 * 2 * sizeof(double));
    CHECK(after.bytes_to_device - before.bytes_to_device == 4 * 2 * sizeof(double));
  }
  OK(pl_par_loop(programs_plus, pl_dat_set(a), pl_arg_dat(a, PL_ID, PL_DIRECT, PL_RW)));
  for (int i = 0; i < N; i++) e[i][0] += 1, e[i][1] -= 1;
  OK(pl_decl_array(c->pl, N, 2, PL_DOUBLE, NULL, "b", &b));
  OK(pl_array_read(b, 7, 3, PL_DOUBLE, part)); /* zeros that no memory holds */
  CHECK(part[0] == 0 && part[5] == 0);
  OK(pl_dat_copy(a, b));
  SAME(b, e);
  SAME(a, e); /* now both sides are valid */
  OK(pl_array_write(a, 0, 1, PL_DOUBLE, (double[]){7, 8}));
  e[0][0] = 7, e[0][1] = 8;
  before = conf_stats(c);
  OK(pl_array_read(a, 0, N, PL_DOUBLE, all));
  CHECK(!memcmp(all, e, sizeof e) && conf_stats(c).calls_from_device == before.calls_from_device);
  SAME(a, e);
  FAILS(pl_array_write(a, 48, 3, PL_DOUBLE, part), PL_ERR_RANGE, "\"a\"", "50", "3 elements from 48");
  FAILS(pl_array_read(a, 0, 1, PL_INT32, part), PL_ERR_TYPE, "\"a\"", "double", "int32_t");
  OK(pl_array_resize(a, 3));
  FAILS(pl_dat_copy(a, b), PL_ERR_TYPE, "\"a\"", "3", "\"b\"", "50");
  OK(pl_par_loop(programs_plus, pl_dat_set(a), pl_arg_dat(a, PL_ID, PL_DIRECT, PL_RW)));
  SAME(a, ((double[]){1, -1, 1, -1, 1, -1}));
  pl_dat_free(&a);
  SAME(b, (e[0][0] = 2, e[0][1] = 98, e));
}

/* Values read and written in the other precision; a wrong size is reported with its numbers. */
static void case_converted(conf *c)
{
  enum { N = 20, FROM = 5, COUNT = 3 };
  float single[2 * N], gotf[2 * COUNT];
  double twice[2 * N], got[2 * N];
  pl_cdouble z[N];
  pl_cfloat zf[N];
  pl_dat *a = NULL, *b = NULL;
  for (int i = 0; i < 2 * N; i++) single[i] = 0.1f * (float)i, twice[i] = i / 3.0;
  OK(pl_decl_array(c->pl, N, 2, PL_FLOAT, single, "a", &a));
  OK(pl_array_write(a, FROM, COUNT, PL_DOUBLE, twice));
  for (int i = 0; i < 2 * COUNT; i++) single[2 * FROM + i] = (float)twice[i];
  OK(pl_array_read(a, 0, N, PL_DOUBLE, got));
  bool good = true;
  for (int i = 0; i < 2 * N; i++) good &= got[i] == (double)single[i];
  OK(pl_array_read(a, FROM, COUNT, PL_FLOAT, gotf));
  CHECK(good && !memcmp(gotf, single + (size_t)2 * FROM, sizeof gotf));
  OK(pl_decl_array(c->pl, N, 1, PL_COMPLEX_FLOAT, NULL, "b", &b));
  for (int i = 0; i < N; i++) z[i] = (pl_cdouble){i / 7.0, -i};
  OK(pl_array_write(b, 0, N, PL_COMPLEX_DOUBLE, z));
  for (int i = 0; i < N; i++) zf[i] = (pl_cfloat){(float)z[i].re, (float)z[i].im};
  SAME(b, zf);
  FAILS(pl_array_read(b, 0, 1, PL_FLOAT, gotf), PL_ERR_TYPE, "\"b\"");
  OK(pl_array_write(a, N, 0, PL_FLOAT, NULL)); /* nothing */
  FAILS(pl_array_write(a, N, 1, PL_FLOAT, NULL), PL_ERR_RANGE, "\"a\"", "20");
  FAILS(pl_array_write(a, 0, 1, PL_FLOAT, NULL), PL_ERR_ARG, "\"a\"", "NULL");
  FAILS(pl_array_write(a, -1, 1, PL_FLOAT, single), PL_ERR_RANGE, "\"a\"", "-1");
  FAILS(pl_array_write(a, 0, INT64_MAX, PL_FLOAT, single), PL_ERR_RANGE, "\"a\"", "20");
}

/* ---- M17, M19: queues, events, precision ---- */

static const char grow_text[] =
  "KERNEL void grow(GLOBAL int *x, GLOBAL const int *y, int n) {\n"
  "  int i = GLOBAL_ID;\n"
  "  if (i < n) for (int k = 0; k < 100; k++) x[i] = (int)((uint)x[i] * 3 + (uint)y[n - 1 - i]);\n"
  "}\n";

static void grow(int32_t *x, const int32_t *y, int n)
{
  uint32_t *u = (uint32_t *)x;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 100; k++) u[i] = u[i] * 3 + (uint32_t)y[n - 1 - i];
}

PL_KERNEL(programs_twice, (int32_t * x), { *x = (int32_t)(2 * (uint32_t)*x); })

/* Two queues alternate on two arrays; events order them. */
static void case_queues(conf *c)
{
  enum { N = 1000, ROUNDS = 6 };
  static int32_t x[N], y[N];
  for (int i = 0; i < N; i++) x[i] = i, y[i] = N - 3 * i;
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dx = conf_dat(c, set, 1, PL_INT32, x, "x"), *dy = conf_dat(c, set, 1, PL_INT32, y, "y");
  pl_program *p = program(c, grow_text, NULL, "grow");
  pl_entry *a = kernel(c, p, "grow"), *b = kernel(c, p, "grow");
  pl_queue *first = NULL, *second = NULL;
  pl_event *done = NULL, *start = NULL;
  double seconds = -1;
  OK(pl_queue_create(c->pl, "first", &first));
  OK(pl_queue_create(c->pl, "second", &second));
  OK(pl_event_create(c->pl, "start", &start));
  OK(pl_event_create(c->pl, "done", &done));
  ARGS(a, DAT(dx, PL_RW), DAT(dy, PL_READ));
  ARGS(b, DAT(dy, PL_RW), DAT(dx, PL_READ));
  set_int(c, a, 2, N);
  set_int(c, b, 2, N);
  OK(pl_event_record(start));
  OK(pl_event_record(done));
  for (int r = 0; r < ROUNDS; r++) {
    OK(pl_queue_use(c->pl, r % 2 ? second : first));
    OK(pl_queue_wait(done));
    OK(pl_entry_run(r % 2 ? b : a, N, 32));
    OK(pl_par_loop(programs_twice, set, pl_arg_dat(r % 2 ? dy : dx, PL_ID, PL_DIRECT, PL_RW)));
    OK(pl_event_record(done));
    grow(r % 2 ? y : x, r % 2 ? x : y, N);
    for (int i = 0; i < N; i++) *(r % 2 ? &y[i] : &x[i]) = (int32_t)(2 * (uint32_t)(r % 2 ? y[i] : x[i]));
  }
  OK(pl_event_seconds(start, done, &seconds));
  CHECK(seconds >= 0 && seconds < 60);
  OK(pl_queue_use(c->pl, NULL)); /* views wait for all queues */
  SAME(dx, x);
  SAME(dy, y);
  OK(pl_event_wait(done));
  OK(pl_sync(c->pl));
  pl_queue_free(&first);
  pl_event_free(&done);
}

/* The first queue's kernel succeeds only if the second queue's kernel, submitted later, runs concurrently. It
 * waits for seconds; the second kernel takes no time. */
static const char meet_text[] = "KERNEL void await(GLOBAL int *flag, GLOBAL int *seen) {\n"
                                "  int left = 1 << 27;\n"
                                "  while (left > 0 && ATOMIC_ADD(flag, 0) == 0) left--;\n"
                                "  seen[0] = left > 0;\n"
                                "}\n"
                                "KERNEL void raise(GLOBAL int *flag) { ATOMIC_ADD(flag, 1); }\n";

static void case_queues_meet(conf *c)
{
  const int yes = 1;
  pl_device_info info;
  if (!c->device) return; /* hosts run queues at once, in order */
  OK(pl_device_at(c->pl, c->backend, 0, &info));
  if (info.units < 2) return;
  pl_program *p = program(c, meet_text, NULL, "meet");
  pl_entry *await = kernel(c, p, "await"), *raise = kernel(c, p, "raise");
  pl_dat *flag = array(c, 1, 1, PL_INT, NULL, "flag"), *seen = array(c, 1, 1, PL_INT, NULL, "seen");
  pl_queue *first = NULL, *second = NULL;
  pl_event *raised = NULL;
  OK(pl_queue_create(c->pl, "first", &first));
  OK(pl_queue_create(c->pl, "second", &second));
  OK(pl_event_create(c->pl, "raised", &raised));
  ARGS(await, DAT(flag, PL_INC), DAT(seen, PL_WRITE));
  OK(pl_entry_dat(raise, 0, flag, PL_INC));
  OK(pl_dat_to_device(flag)); /* now, or the queues would wait for the upload */
  OK(pl_dat_to_device(seen));
  OK(pl_sync(c->pl));
  OK(pl_queue_use(c->pl, first));
  OK(pl_entry_run(await, 1, 1));
  OK(pl_queue_use(c->pl, second));
  OK(pl_entry_run(raise, 1, 1));
  OK(pl_event_record(raised));
  OK(pl_event_wait(raised)); /* the first kernel is running or already done */
  OK(pl_queue_use(c->pl, NULL));
  SAME(flag, &yes);
  SAME(seen, &yes);
}

static const char precision_text[] =
  "KERNEL void scale(GLOBAL const real4 *x, GLOBAL mixed *sum, real by, int n) {\n"
  "  int i = GLOBAL_ID;\n"
  "  if (i >= n) return;\n"
  "  real4 v = x[i] * by + make_real4(1);\n"
  "  sum[i] = (mixed)v.x + (mixed)v.y + (mixed)v.z + (mixed)v.w;\n"
  "}\n";

static void case_precision(conf *c)
{
  static const char *const modes[] = {"single", "mixed", "double"};
  for (int m = 0; m < 3; m++) {
    enum { N = 20 };
    double x[N][4], sum[N];
    float xf[N][4], sumf[N];
    const double by = 0.5;
    for (int i = 0; i < N; i++) {
      for (int k = 0; k < 4; k++) xf[i][k] = (float)(x[i][k] = i + 0.25 * k);
      sumf[i] = (float)(sum[i] = 4 * (0.5 * i + 1) + 0.75);
    }
    OK(pl_set_option(c->pl, "precision", modes[m]));
    pl_type real = pl_real_type(c->pl), mixed = pl_mixed_type(c->pl);
    CHECK(real == (m == 2 ? PL_DOUBLE : PL_FLOAT) && mixed == (m == 0 ? PL_FLOAT : PL_DOUBLE));
    pl_entry *scale = kernel(c, program(c, precision_text, NULL, "scale"), "scale");
    pl_dat *dx = array(c, N, 4, real, real == PL_DOUBLE ? (void *)x : xf, "x"),
           *ds = array(c, N, 1, mixed, NULL, "sum");
    ARGS(scale, DAT(dx, PL_READ), DAT(ds, PL_WRITE));
    OK(pl_entry_value(scale, 2, PL_DOUBLE, 1, &by));
    set_int(c, scale, 3, N);
    OK(pl_entry_run(scale, N, 0));
    SAME(ds, mixed == PL_DOUBLE ? (void *)sum : sumf);
  }
}

PL_KERNEL(programs_dot, (const pl_real *x, pl_mixed *sum), { *sum += (pl_mixed)x[0] * (pl_mixed)x[0]; })

/* The same loop in three precisions; sums of many floats are exact only in double. */
static void case_precision_loops(conf *c)
{
  static const char *const modes[] = {"single", "mixed", "double"};
  enum { N = 300 };
  double x[N], sum = 0;
  float xf[N], big = 16777216.0f, found;
  for (int i = 0; i < N; i++) xf[i] = (float)(x[i] = i % 2 ? 1 : 2);
  for (int i = 0; i < N; i++) sum += x[i] * x[i];
  for (int m = 0; m < 3; m++) {
    OK(pl_set_option(c->pl, "precision", modes[m]));
    bool twice = pl_real_type(c->pl) == PL_DOUBLE, wide = pl_mixed_type(c->pl) == PL_DOUBLE;
    pl_set *set = conf_set(c, N, "set");
    pl_dat *dx = conf_dat(c, set, 1, pl_real_type(c->pl), twice ? (void *)x : xf, "x");
    pl_global *g =
      conf_global(c, 1, pl_mixed_type(c->pl), wide ? (void *)(double[]){16777216.0} : &big, "sum");
    OK(pl_par_loop(programs_dot, set, pl_arg_dat(dx, PL_ID, PL_DIRECT, PL_READ), pl_arg_gbl(g, PL_INC)));
    if (wide)
      SAME_GLOBAL(g, (double[]){16777216.0 + sum});
    else
      OK(pl_global_get(g, &found));
    if (!wide) CHECK(fabsf(found - (big + (float)sum)) <= 600);
    pl_global *other = conf_global(c, 1, wide ? PL_FLOAT : PL_DOUBLE, NULL, "other");
    FAILS(
      pl_par_loop(programs_dot, set, pl_arg_dat(dx, PL_ID, PL_DIRECT, PL_READ), pl_arg_gbl(other, PL_INC)),
      PL_ERR_TYPE, "pl_mixed", "\"other\"");
  }
}

/* ---- errors ---- */

static void case_program_errors(conf *c)
{
  pl_program *p = NULL;
  pl_entry *e = NULL, *none = NULL;
  float four[4] = {0};
  int32_t n = 4;
  FAILS(pl_program_create(c->pl, "KERNEL void k(GLOBAL int *x) {\n  x[0] = 1;\n  x[1] = nosuch;\n}\n", NULL,
                          "wrong.cl", &p),
        PL_ERR_COMPILE, "wrong.cl", "wrong.cl:3", "nosuch");
  FAILS(pl_program_create(c->pl, "int a;\nKERNEL void k(GLOBAL float3 *x) { }\n", NULL, "three", &p),
        PL_ERR_KERNEL, "three:2", "float3");
  FAILS(pl_program_create(c->pl, "\nKERNEL int k(int x) { return x; }", NULL, "result", &p), PL_ERR_KERNEL,
        "result:2", "void");
  FAILS(pl_program_create(c->pl, "KERNEL void k(int x) { }\nKERNEL void k(int y) { }", NULL, "two", &p),
        PL_ERR_KERNEL, "two:2", "another kernel has the name \"k\"");
  FAILS(pl_program_create(c->pl, "KERNEL void k(int *x) { }", NULL, "private", &p), PL_ERR_KERNEL,
        "private:1", "GLOBAL", "\"x\"");
  FAILS(pl_program_create(c->pl, "KERNEL void k(LOCAL_ARG int *x) { }", NULL, "shared", &p), PL_ERR_KERNEL,
        "GLOBAL", "\"x\"");
  FAILS(pl_program_create(c->pl, "KERNEL void k(GLOBAL float4 *x) {\n  x[0].xy = x[1].yx;\n}\n", NULL,
                          "swizzle", &p),
        PL_ERR_KERNEL, "swizzle:2", "\"xy\"", "one by one");
  p = program(c,
              "typedef struct own { int xy; } own;\n"
              "KERNEL void k(GLOBAL int *x) { own o; o.xy = 3; x[0] = o.xy; }",
              NULL, "own");
  pl_program_free(&p);
  FAILS(pl_program_create(c->pl, "KERNEL void k(size_t n) { }", NULL, "size", &p), PL_ERR_KERNEL, "size:1",
        "mm_long", "\"n\"");
  FAILS(pl_program_create(c->pl, "KERNEL void k(int x) {", NULL, "open", &p), PL_ERR_KERNEL, "open:1");
  FAILS(pl_program_create(c->pl, "KERNEL void k(int x) { /*", NULL, "open", &p), PL_ERR_KERNEL, "open:1",
        "comment");
  CHECK(p == NULL);
  p = program(c, add_text, NULL, "add.cl");
  FAILS(pl_program_kernel(p, "addArray", &none), PL_ERR_KERNEL, "add.cl", "addArray", "it has addArrays");
  e = kernel(c, p, "addArrays");
  pl_dat *x = array(c, 4, 1, PL_FLOAT, four, "x"), *y = array(c, 4, 1, PL_DOUBLE, NULL, "y");
  FAILS(pl_entry_dat(e, 4, x, PL_READ), PL_ERR_RANGE, "addArrays", "add.cl:1", "4 parameters");
  FAILS(pl_entry_dat(e, 0, y, PL_READ), PL_ERR_TYPE, "parameter 1", "float *a", "\"y\"", "double");
  FAILS(pl_entry_dat(e, 0, x, PL_RW), PL_ERR_ACCESS, "parameter 1", "const");
  FAILS(pl_entry_dat(e, 3, x, PL_READ), PL_ERR_TYPE, "parameter 4", "int n", "pl_entry_value");
  FAILS(pl_entry_dat(e, 2, x, PL_MIN), PL_ERR_ACCESS, "parameter 3");
  FAILS(pl_entry_value(e, 2, PL_FLOAT, 1, four), PL_ERR_TYPE, "parameter 3", "pl_entry_dat");
  FAILS(pl_entry_value(e, 3, PL_FLOAT, 1, four), PL_ERR_TYPE, "parameter 4", "float");
  FAILS(pl_entry_value(e, 3, PL_INT32, 2, &n), PL_ERR_TYPE, "parameter 4", "2 values");
  OK(pl_entry_dat(e, 0, x, PL_READ));
  OK(pl_entry_dat(e, 2, x, PL_WRITE));
  set_int(c, e, 3, 4);
  FAILS(pl_entry_run(e, 4, 0), PL_ERR_STATE, "parameter 2", "float *b", "not set");
  OK(pl_entry_dat(e, 1, x, PL_READ));
  FAILS(pl_entry_run(e, 4, 1 << 20), PL_ERR_RANGE, "addArrays", "1048576");
  FAILS(pl_entry_run(e, -1, 0), PL_ERR_RANGE, "-1");
  void *view;
  OK(pl_dat_get(x, PL_READ, &view));
  FAILS(pl_entry_run(e, 4, 0), PL_ERR_STATE, "parameter 3", "\"x\"", "pl_dat_put");
  OK(pl_dat_put(x));
  OK(pl_entry_run(e, 4, 0));
  pl_dat_free(&x);
  FAILS(pl_entry_run(e, 4, 0), PL_ERR_STATE, "parameter 1", "not set");
}

const conf_case conf_programs[] = {
  {"add arrays", "M01 M12 M13 Q04", case_add, CONF_NEEDS_JIT},
  {"ids", "M02", case_ids, CONF_NEEDS_JIT},
  {"reduction with barriers", "M03", case_reduction, CONF_NEEDS_JIT},
  {"transpose", "M03", case_transpose, CONF_NEEDS_JIT},
  {"scan in groups", "M03", case_scan, CONF_NEEDS_JIT},
  {"histogram", "M04 M11", case_histogram, CONF_NEEDS_JIT},
  {"atomic sums of reals", "M04", case_atomic_real, CONF_NEEDS_JIT},
  {"vectors", "M06 M07 M08 M09", case_vectors, CONF_NEEDS_JIT},
  {"every vector type", "M06 M07", case_every_vector, CONF_NEEDS_JIT},
  {"warps and fences", "M03 M05", case_warps, CONF_NEEDS_JIT},
  {"float mathematics", "M05 M10", case_math, CONF_NEEDS_JIT},
  {"float names", "M10", case_float_names, CONF_NEEDS_JIT},
  {"fields", "Q06 Q07 Q10", case_fields, 0},
  {"several kernels", "M12 M13 M18", case_several, CONF_NEEDS_JIT},
  {"a value of a user-defined type", "M13", case_own_value, CONF_NEEDS_JIT},
  {"programs and layouts", "M13 Q08", case_layout, CONF_NEEDS_JIT},
  {"programs on renumbered sets", "M13", case_renumbered_program, CONF_NEEDS_JIT},
  {"programs on ranks", "M13", case_ranks, CONF_NEEDS_JIT | CONF_RANKS},
  {"programs in the profile", "M13 Q02 C11", case_profile, CONF_NEEDS_JIT},
  {"tiles of words", "Q08", case_tiles, CONF_NEEDS_JIT},
  {"explicit layouts", "Q08", case_layouts, CONF_MATRIX},
  {"fixed point", "M11", case_fixed, CONF_MATRIX},
  {"fixed point errors", "M11", case_fixed_errors, 0},
  {"fixed point overflow", "M11", case_fixed_overflow, CONF_NEEDS_JIT | CONF_EAGER},
  {"arrays", "M14 M15", case_arrays, CONF_MATRIX | CONF_EAGER},
  {"arrays in the other precision", "M14", case_converted, CONF_EAGER},
  {"queues and events", "M17", case_queues, CONF_NEEDS_JIT},
  {"queues do not wait for each other", "M17", case_queues_meet, CONF_NEEDS_JIT},
  {"precision", "M19", case_precision, CONF_NEEDS_JIT},
  {"precision of loops", "M19", case_precision_loops, CONF_NEEDS_JIT},
  {"program errors", "M08 M12 M13", case_program_errors, CONF_NEEDS_JIT},
  {NULL, NULL, NULL, 0}};
