/* SPDX-License-Identifier: BSD-2-Clause
 * Memory shared with the program: wrapped dats, device views and DLPack tensors. The program's own device
 * code is a copy through the runtime of the device.
 */
#include "conformance.h"
#include <dlfcn.h>
#include <plait_dlpack.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 61 };

PL_KERNEL(interop_add, (double x[3]), {
  x[0] += 1;
  x[1] += 10;
  x[2] += 100;
})
PL_KERNEL(interop_next, (float x[3]), {
  x[0] += 1;
  x[1] += 2;
  x[2] += 3;
})
PL_KERNEL(interop_sum, (double *sum, const double x[3]), { sum[0] = x[0] + x[1] + x[2]; })
PL_KERNEL(interop_pair, (double x[2], const double y[2]), {
  x[0] = y[0] + 1;
  x[1] = y[1] + 2;
})
PL_KERNEL(interop_ends, (double *sum, const double *const x[2]), { sum[0] = x[0][0] + x[1][0]; })

/* ---- the program's own device code ---- */

static void *entry_of(const char *library, const char *name)
{
  void *opened = dlopen(library, RTLD_NOW);
  return opened ? dlsym(opened, name) : NULL;
}

typedef int opencl_copy(void *queue, void *buffer, unsigned wait, size_t at, size_t bytes, void *host,
                        unsigned, void *, void *);
typedef int wait_for(void *queue);
typedef int copy_out(void *host, void *device, size_t bytes);
typedef int copy_in(void *device, const void *host, size_t bytes);

/* Copies between host and device memory, in order with `queue`. */
static bool copy(const conf *c, void *queue, void *device, void *host, size_t bytes, bool to_device)
{
  const bool cuda = !strcmp(c->backend, "cuda");
  const char *const library = cuda ? "libcuda.so.1" : "libamdhip64.so";
  if (!strcmp(c->backend, "opencl")) {
    opencl_copy *f;
    *(void **)&f = entry_of("libOpenCL.so.1", to_device ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer");
    return f && !f(queue, device, 1, 0, bytes, host, 0, NULL, NULL);
  }
  wait_for *wait;
  *(void **)&wait = entry_of(library, cuda ? "cuStreamSynchronize" : "hipStreamSynchronize");
  if (!wait || wait(queue)) return false;
  if (to_device) {
    copy_in *f;
    *(void **)&f = entry_of(library, cuda ? "cuMemcpyHtoD_v2" : "hipMemcpyHtoD");
    return f && !f(device, host, bytes) &&
           !wait(NULL); /* the copy may return before its last part has arrived */
  }
  copy_out *f;
  *(void **)&f = entry_of(library, cuda ? "cuMemcpyDtoH_v2" : "hipMemcpyDtoH");
  return f && !f(host, device, bytes);
}

typedef int opencl_query(void *queue, unsigned what, size_t bytes, void *value, size_t *size);
typedef void *opencl_new(void *context, uint64_t flags, size_t bytes, void *host, int *result);
typedef int device_new(void **memory, size_t bytes);

static void *new_memory(const conf *c, void *queue, size_t bytes)
{
  enum { CONTEXT_OF_QUEUE = 0x1090, READ_WRITE = 1 };
  const bool cuda = !strcmp(c->backend, "cuda");
  void *memory = NULL, *context;
  if (!strcmp(c->backend, "opencl")) {
    opencl_query *query;
    *(void **)&query = entry_of("libOpenCL.so.1", "clGetCommandQueueInfo");
    opencl_new *make;
    *(void **)&make = entry_of("libOpenCL.so.1", "clCreateBuffer");
    if (!query || !make || query(queue, CONTEXT_OF_QUEUE, sizeof context, &context, NULL)) return NULL;
    return make(context, READ_WRITE, bytes, NULL, NULL);
  }
  device_new *f;
  *(void **)&f = entry_of(cuda ? "libcuda.so.1" : "libamdhip64.so", cuda ? "cuMemAlloc_v2" : "hipMalloc");
  return f && !f(&memory, bytes) ? memory : NULL;
}

static void free_memory(conf *c, void *memory)
{
  const bool opencl = !strcmp(c->backend, "opencl"), cuda = !strcmp(c->backend, "cuda");
  wait_for *f;
  *(void **)&f = entry_of(opencl ? "libOpenCL.so.1"
                          : cuda ? "libcuda.so.1"
                                 : "libamdhip64.so",
                          opencl ? "clReleaseMemObject"
                          : cuda ? "cuMemFree_v2"
                                 : "hipFree");
  CHECK(f && !f(memory));
}

/* ---- wrapped host memory ---- */

static pl_set *points(conf *c, int n)
{
  pl_set *set = NULL;
  OK(pl_decl_set(c->pl, n, "points", &set));
  return set;
}

/* Memory that ends where the process may not read. */
static double *at_a_page_end(size_t values, void **pages)
{
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = values * sizeof(double);
  char *start = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(start + page, page, PROT_NONE);
  *pages = start;
  return (double *)(void *)(start + page - bytes);
}

static void case_wrap_host(conf *c)
{
  void *pages, *view;
  double sum[N], *x = at_a_page_end(3 * N, &pages);
  pl_set *set = points(c, N);
  pl_dat *dat = NULL, *sums = NULL;
  for (int i = 0; i < 3 * N; i++) x[i] = i;
  OK(pl_dat_wrap(set, 3, PL_DOUBLE, PL_MEMORY_HOST, NULL, x, "x", &dat));
  OK(pl_decl_dat(set, 1, PL_DOUBLE, NULL, "sums", &sums));
  CHECK(pl_dat_host_bytes(dat) == 0);
  for (int k = 0; k < 2; k++) OK(pl_par_loop(interop_add, set, DIRECT(dat, PL_RW)));
  OK(pl_dat_get(dat, PL_RW, &view));
  CHECK(view == x);
  for (int i = 0; i < 3 * N; i++) {
    CHECK(x[i] == i + (i % 3 == 0 ? 2 : i % 3 == 1 ? 20 : 200));
    x[i] = -i;
  }
  OK(pl_dat_put(dat));
  OK(pl_par_loop(interop_sum, set, DIRECT(sums, PL_WRITE), DIRECT(dat, PL_READ)));
  OK(pl_dat_fetch(sums, sum));
  for (int i = 0; i < N; i++) CHECK(sum[i] == -9 * i - 3);
  OK(pl_par_loop(interop_add, set, DIRECT(dat, PL_RW)));
  OK(pl_dat_get(dat, PL_READ, &view));
  CHECK(view == x && x[3] == -2);
  OK(pl_dat_put(dat));
  pl_dat_free(&dat);
  x[0] = 5; /* the program still owns it */
  munmap(pages, 2 * (size_t)sysconf(_SC_PAGESIZE));
}

/* Vectors that load a record of three values must not reach behind the last one. */
static void case_wrap_page_end(conf *c)
{
  enum { WHOLE = 64 }; /* no remainder that runs element by element */
  void *pages, *view;
  float *x = (float *)(void *)at_a_page_end(3 * WHOLE / 2, &pages);
  pl_set *set = points(c, WHOLE);
  pl_dat *dat = NULL;
  for (int i = 0; i < 3 * WHOLE; i++) x[i] = (float)i;
  OK(pl_set_option(c->pl, "shape", "transpose"));
  OK(pl_dat_wrap(set, 3, PL_FLOAT, PL_MEMORY_HOST, NULL, x, "x", &dat));
  OK(pl_par_loop(interop_next, set, DIRECT(dat, PL_RW)));
  OK(pl_dat_get(dat, PL_READ, &view));
  for (int i = 0; i < 3 * WHOLE; i++) CHECK(x[i] == (float)(i + i % 3 + 1));
  OK(pl_dat_put(dat));
  pl_dat_free(&dat);
  OK(pl_reset_options(c->pl));
  munmap(pages, 2 * (size_t)sysconf(_SC_PAGESIZE));
}

/* Records whose stores could move past the caches, at an address that is no multiple of 16. */
static void case_wrap_unaligned(conf *c)
{
  static double memory[2 * N + 2], other[2 * N];
  double *x = (uintptr_t)memory % 16 ? memory : memory + 1;
  pl_set *set = points(c, N);
  pl_dat *dat = NULL, *from = NULL;
  void *view;
  for (int i = 0; i < 2 * N; i++) other[i] = i;
  OK(pl_set_option(c->pl, "shape", "stream"));
  OK(pl_dat_wrap(set, 2, PL_DOUBLE, PL_MEMORY_HOST, "aos", x, "x", &dat));
  OK(pl_decl_dat(set, 2, PL_DOUBLE, other, "from", &from));
  OK(pl_par_loop(interop_pair, set, DIRECT(dat, PL_WRITE), DIRECT(from, PL_READ)));
  OK(pl_dat_get(dat, PL_READ, &view));
  for (int i = 0; i < 2 * N; i++) CHECK(x[i] == i + 1 + i % 2);
  OK(pl_dat_put(dat));
  OK(pl_reset_options(c->pl));
}

static void case_wrap_refusals(conf *c)
{
  static double x[2 * N];
  pl_set *set = points(c, N), *other = points(c, N);
  pl_dat *dat = NULL, *keys = NULL;
  FAILS(pl_dat_wrap(NULL, 2, PL_DOUBLE, PL_MEMORY_HOST, NULL, x, "x", &dat), PL_ERR_NULL, "pl_dat_wrap");
  FAILS(pl_dat_wrap(set, 2, PL_DOUBLE, PL_MEMORY_HOST, NULL, NULL, "x", &dat), PL_ERR_ARG, "x", "NULL");
  FAILS(pl_dat_wrap(set, 2, PL_DOUBLE, PL_MEMORY_HOST, "soa", x, "x", &dat), PL_ERR_ARG, "x", "soa",
        "host memory");
  FAILS(pl_dat_wrap(set, 2, PL_DOUBLE, PL_MEMORY_HOST, "rows", x, "x", &dat), PL_ERR_ARG, "x", "rows");
  FAILS(pl_dat_wrap(set, 2, PL_DOUBLE, PL_MEMORY_HOST, NULL, (char *)x + 1, "x", &dat), PL_ERR_ARG, "x",
        "aligned");
  if (!c->device && !c->mixed)
    FAILS(pl_dat_wrap(set, 2, PL_DOUBLE, PL_MEMORY_DEVICE, NULL, x, "x", &dat), PL_ERR_BACKEND, "x",
          c->backend);
  OK(pl_dat_wrap(set, 2, PL_DOUBLE, PL_MEMORY_HOST, NULL, x, "x", &dat));
  FAILS(pl_set_resize(set, 2 * N), PL_ERR_STATE, "pl_set_resize", "x", "program");
  FAILS(pl_set_reserve(set, 2 * N), PL_ERR_STATE, "x", "program");
  OK(pl_set_reserve(other, 2 * N));
  FAILS(pl_dat_wrap(other, 2, PL_DOUBLE, PL_MEMORY_HOST, NULL, x, "y", &dat), PL_ERR_STATE, "y", "points");
  OK(pl_decl_dat(set, 1, PL_INT32, NULL, "keys", &keys));
}

/* Renumbering and distribution would reorder the memory, before as well as after it was wrapped. */
static void case_wrap_order(conf *c)
{
  static double x[N], values[N];
  int index[2 * N];
  void *view;
  for (int i = 0; i < N; i++) {
    x[i] = values[i] = i;
    index[2 * i] = i * 7 % N, index[2 * i + 1] = (i + 1) * 7 % N;
  }
  pl_set *nodes = points(c, N), *edges = points(c, N);
  pl_map *ends = NULL;
  pl_dat *dat = NULL, *late = NULL, *sum = NULL;
  double sums[N];
  OK(pl_decl_map(edges, nodes, 2, index, "ends", &ends));
  OK(pl_dat_wrap(nodes, 1, PL_DOUBLE, PL_MEMORY_HOST, NULL, x, "x", &dat));
  OK(pl_decl_dat(edges, 1, PL_DOUBLE, NULL, "sum", &sum));
  FAILS(pl_renumber(c->pl, PL_RENUMBER_RCM, ends, NULL), PL_ERR_STATE, "x", "program");
  OK(pl_par_loop(interop_ends, edges, DIRECT(sum, PL_WRITE), pl_arg_dat(dat, PL_ALL, ends, PL_READ)));
  OK(pl_dat_fetch(sum, sums));
  for (int i = 0; i < N; i++) CHECK(sums[i] == index[2 * i] + index[2 * i + 1]);
  OK(pl_dat_get(dat, PL_READ, &view));
  CHECK(view == x && !memcmp(x, values, sizeof x));
  OK(pl_dat_put(dat));
  pl_dat_free(&dat);
  OK(pl_renumber(c->pl, PL_RENUMBER_RCM, ends, NULL));
  FAILS(pl_dat_wrap(nodes, 1, PL_DOUBLE, PL_MEMORY_HOST, NULL, x, "late", &late), PL_ERR_STATE, "late",
        "pl_decl_dat");
}

/* A sort permutes in place; a chain that would turn a copy into a swap of storage copies. */
static void case_wrap_in_place(conf *c)
{
  static double now[2 * N], before[2 * N];
  int32_t keys[N];
  void *view;
  pl_set *set = points(c, N);
  pl_dat *q = NULL, *old = NULL, *k = NULL;
  for (int i = 0; i < N; i++) now[2 * i] = now[2 * i + 1] = keys[i] = N - i;
  OK(pl_dat_wrap(set, 2, PL_DOUBLE, PL_MEMORY_HOST, NULL, now, "q", &q));
  OK(pl_dat_wrap(set, 2, PL_DOUBLE, PL_MEMORY_HOST, NULL, before, "old", &old));
  OK(pl_decl_dat(set, 1, PL_INT32, keys, "keys", &k));
  OK(pl_sort(k, 0, 1, &q));
  OK(pl_dat_get(q, PL_READ, &view));
  CHECK(view == now);
  for (int i = 0; i < N; i++) CHECK(now[2 * i] == i + 1 && now[2 * i + 1] == i + 1);
  OK(pl_dat_put(q));
  for (int step = 0; step < 3; step++) {
    pl_chain *chain = NULL;
    OK(pl_chain_begin(c->pl, "steps", &chain));
    OK(pl_dat_copy(q, old));
    OK(pl_par_loop(interop_pair, set, DIRECT(q, PL_WRITE), DIRECT(old, PL_READ)));
    OK(pl_chain_end(chain));
  }
  OK(pl_dat_get(q, PL_READ, &view));
  CHECK(view == now);
  OK(pl_dat_get(old, PL_READ, &view));
  CHECK(view == before);
  for (int i = 0; i < N; i++) CHECK(now[2 * i] == i + 4 && now[2 * i + 1] == i + 7 && before[2 * i] == i + 3);
  OK(pl_dat_put(q));
  OK(pl_dat_put(old));
}

/* On several ranks each wraps its own elements. */
static void case_wrap_ranks(conf *c)
{
  static double x[3 * N];
  const int n = 10 + pl_rank(c->pl);
  void *view;
  pl_set *set = points(c, n);
  pl_dat *dat = NULL;
  for (int i = 0; i < 3 * n; i++) x[i] = i;
  OK(pl_dat_wrap(set, 3, PL_DOUBLE, PL_MEMORY_HOST, NULL, x, "x", &dat));
  OK(pl_par_loop(interop_add, set, DIRECT(dat, PL_RW)));
  OK(pl_dat_get(dat, PL_RW, &view));
  CHECK(view == x && x[0] == 1 && x[3 * n - 1] == 3 * n - 1 + 100);
  x[0] = 7;
  OK(pl_dat_put(dat));
  OK(pl_par_loop(interop_add, set, DIRECT(dat, PL_RW)));
  OK(pl_dat_get(dat, PL_READ, &view));
  CHECK(x[0] == 8);
  OK(pl_dat_put(dat));
  FAILS(pl_set_resize(set, 2 * n), PL_ERR_STATE, "x", "program");
  if (pl_ranks(c->pl) > 1) FAILS(pl_partition(set, PL_PARTITION_RANDOM, NULL), PL_ERR_STATE, "x", "program");
  OK(pl_dat_get(dat, PL_READ, &view));
  CHECK(view == x && x[0] == 8 && pl_set_size(set) == n);
  OK(pl_dat_put(dat));
}

/* ---- device memory ---- */

/* Whether ranks run on different backends, or the device's runtime is not that of this test. */
static bool has_device(conf *c)
{
  return c->device && !c->mixed;
}

static void case_device_view(conf *c)
{
  double x[3 * N];
  void *device, *queue, *again, *host;
  pl_set *set = points(c, N);
  pl_dat *dat = NULL;
  OK(pl_decl_dat(set, 3, PL_DOUBLE, NULL, "x", &dat));
  if (!has_device(c)) {
    if (!c->mixed) FAILS(pl_dat_get_device(dat, PL_READ, &device, &queue), PL_ERR_BACKEND, "x", c->backend);
    return;
  }
  const pl_stats before = conf_stats(c);
  OK(pl_par_loop(interop_add, set, DIRECT(dat, PL_RW)));
  OK(pl_dat_get_device(dat, PL_RW, &device, &queue));
  FAILS(pl_dat_get(dat, PL_READ, &host), PL_ERR_STATE, "device view", "pl_dat_put_device");
  FAILS(pl_dat_put(dat), PL_ERR_STATE, "no host view", "x");
  FAILS(pl_dat_set_layout(dat, "soa"), PL_ERR_STATE, "x", "pl_dat_put_device");
  FAILS(pl_par_loop(interop_add, set, DIRECT(dat, PL_RW)), PL_ERR_STATE, "device view");
  CHECK(copy(c, queue, device, x, sizeof x, false));
  for (int i = 0; i < 3 * N; i++) {
    CHECK(x[i] == (i % 3 == 0 ? 1 : i % 3 == 1 ? 10 : 100));
    x[i] = i;
  }
  CHECK(copy(c, queue, device, x, sizeof x, true));
  OK(pl_dat_put_device(dat));
  OK(pl_par_loop(interop_add, set, DIRECT(dat, PL_RW)));
  OK(pl_dat_get_device(dat, PL_READ, &device, &queue));
  OK(pl_dat_get_device(dat, PL_READ, &again, NULL));
  CHECK(again == device && copy(c, queue, device, x, sizeof x, false));
  for (int i = 0; i < 3 * N; i++) CHECK(x[i] == i + (i % 3 == 0 ? 1 : i % 3 == 1 ? 10 : 100));
  OK(pl_dat_put_device(dat));
  OK(pl_dat_put_device(dat));
  FAILS(pl_dat_put_device(dat), PL_ERR_STATE, "no device view", "x");
  const pl_stats after = conf_stats(c);
  CHECK(after.bytes_to_device == before.bytes_to_device &&
        after.bytes_from_device == before.bytes_from_device);
}

/* The view is in user order, whatever the order of storage; halo copies of other ranks see what it wrote. */
static void case_device_order(conf *c)
{
  if (!has_device(c)) return;
  enum { ALL = 4 * N };
  double x[ALL], wanted[ALL];
  int index[2 * ALL];
  void *device, *queue;
  for (int i = 0; i < ALL; i++) {
    x[i] = i;
    index[2 * i] = i * 3 % ALL, index[2 * i + 1] = (i * 3 + 3) % ALL;
  }
  pl_set *nodes = conf_set(c, ALL, "nodes"), *edges = conf_set(c, ALL, "edges");
  pl_map *ends = conf_map(c, edges, nodes, 2, index, "ends");
  pl_dat *dat = conf_dat(c, nodes, 1, PL_DOUBLE, x, "x"),
         *sum = conf_dat(c, edges, 1, PL_DOUBLE, NULL, "sum");
  if (pl_ranks(c->pl) == 1) OK(pl_renumber(c->pl, PL_RENUMBER_RCM, ends, NULL));
  OK(pl_dat_get_device(dat, PL_RW, &device, &queue));
  const int64_t n = pl_set_size(nodes), total = pl_set_total(nodes);
  int64_t global[ALL];
  OK(pl_set_global(nodes, global));
  CHECK(copy(c, queue, device, x, (size_t)total * sizeof *x, false));
  for (int64_t i = 0; i < n; i++) {
    CHECK(x[i] == (double)global[i]);
    x[i] = 2 * x[i] + 1;
  }
  CHECK(copy(c, queue, device, x, (size_t)total * sizeof *x, true));
  OK(pl_dat_put_device(dat));
  OK(pl_par_loop(interop_ends, edges, DIRECT(sum, PL_WRITE), pl_arg_dat(dat, PL_ALL, ends, PL_READ)));
  for (int i = 0; i < ALL; i++) wanted[i] = 2 * (index[2 * i] + index[2 * i + 1]) + 2;
  SAME(sum, wanted);
}

static void case_wrap_device(conf *c)
{
  if (!has_device(c)) return;
  double x[3 * N];
  void *queue, *memory, *view, *host;
  pl_set *set = points(c, N);
  pl_dat *any = NULL, *dat = NULL;
  OK(pl_decl_dat(set, 1, PL_DOUBLE, NULL, "any", &any));
  OK(pl_dat_get_device(any, PL_WRITE, &view, &queue));
  OK(pl_dat_put_device(any));
  memory = new_memory(c, queue, sizeof x);
  CHECK(memory);
  for (int i = 0; i < 3 * N; i++) x[i] = i;
  CHECK(copy(c, queue, memory, x, sizeof x, true));
  FAILS(pl_dat_wrap(set, 3, PL_DOUBLE, PL_MEMORY_DEVICE, "aosoa:32", memory, "x", &dat), PL_ERR_ARG, "x",
        "aosoa");
  const pl_stats before = conf_stats(c);
  OK(pl_dat_wrap(set, 3, PL_DOUBLE, PL_MEMORY_DEVICE, "soa", memory, "x", &dat));
  OK(pl_par_loop(interop_add, set, DIRECT(dat, PL_RW)));
  OK(pl_dat_get_device(dat, PL_READ, &view, &queue));
  CHECK(view == memory && copy(c, queue, view, x, sizeof x, false));
  OK(pl_dat_put_device(dat));
  const pl_stats after = conf_stats(c);
  CHECK(after.bytes_to_device == before.bytes_to_device &&
        after.bytes_from_device == before.bytes_from_device);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < N; i++) CHECK(x[k * N + i] == k * N + i + (k == 0 ? 1 : k == 1 ? 10 : 100));
  FAILS(pl_dat_set_layout(dat, "aos"), PL_ERR_STATE, "x", "program");
  OK(pl_dat_get(dat, PL_READ, &host));
  for (int i = 0; i < N; i++) CHECK(((double *)host)[3 * i + 2] == 2 * N + i + 100);
  OK(pl_dat_put(dat));
  pl_dat_free(&dat);
  free_memory(c, memory);
}

/* Compressed rows with two values on a ring, whose values are in device memory. */
static void case_wrap_matrix(conf *c)
{
  if (!has_device(c)) return;
  int offsets[N + 1], columns[2 * N];
  double x[2 * N], want[N], ones[N];
  void *queue, *memory, *view;
  pl_set *set = points(c, N);
  pl_map *coupled = NULL;
  pl_sparsity *sparsity = NULL;
  pl_mat *mat = NULL;
  pl_dat *values = NULL, *one = NULL, *y = NULL;
  for (int i = 0; i < N; i++) {
    const int next = (i + 1) % N;
    offsets[i] = 2 * i, offsets[i + 1] = 2 * i + 2, ones[i] = 1;
    columns[2 * i] = i < next ? i : next, columns[2 * i + 1] = i < next ? next : i;
    x[2 * i] = i, x[2 * i + 1] = 1, want[i] = 2 * (i + 1);
  }
  OK(pl_decl_map_ragged(set, set, offsets, columns, "coupled", &coupled));
  OK(pl_decl_dat(set, 1, PL_DOUBLE, ones, "one", &one));
  OK(pl_decl_dat(set, 1, PL_DOUBLE, NULL, "y", &y));
  OK(pl_dat_get_device(y, PL_WRITE, &view, &queue));
  OK(pl_dat_put_device(y));
  memory = new_memory(c, queue, sizeof x);
  CHECK(memory && copy(c, queue, memory, x, sizeof x, true));
  OK(pl_decl_sparsity(set, 1, set, 1, 1, &(pl_map_pair){NULL, coupled}, "ring", &sparsity));
  FAILS(pl_mat_wrap(sparsity, PL_DOUBLE, PL_MEMORY_DEVICE, memory, N, "A", &mat), PL_ERR_ARG, "\"A\"",
        "ring");
  OK(pl_mat_wrap(sparsity, PL_DOUBLE, PL_MEMORY_DEVICE, memory, 2 * N, "A", &mat));
  OK(pl_mat_scale(2, mat));
  for (int k = 0; k < 3; k++) {
    OK(pl_mat_multiply(mat, one, y));
    SAME(y, want);
  }
  OK(pl_mat_values(mat, &values));
  OK(pl_dat_get_device(values, PL_RW, &view, &queue));
  CHECK(view == memory && copy(c, queue, view, x, sizeof x, false));
  for (int i = 0; i < N; i++) CHECK(x[2 * i] == 2 * i && x[2 * i + 1] == 2);
  for (int i = 0; i < N; i++) x[2 * i] = 0, want[i] = 2;
  CHECK(copy(c, queue, view, x, sizeof x, true));
  OK(pl_dat_put_device(values));
  OK(pl_mat_multiply(mat, one, y));
  SAME(y, want);
  OK(pl_mat_zero(mat));
  OK(pl_dat_get_device(values, PL_READ, &view, &queue));
  CHECK(view == memory && copy(c, queue, view, x, sizeof x, false) && x[1] == 0 && x[2 * N - 1] == 0);
  OK(pl_dat_put_device(values));
  pl_mat_free(&mat);
  pl_sparsity_free(&sparsity);
  free_memory(c, memory);
}

/* ---- tensors ---- */

static int deleted;

static void count_deleted(DLManagedTensorVersioned *tensor)
{
  (void)tensor;
  deleted++;
}

static void case_tensor_out(conf *c)
{
  const int shape[] = {2, 3};
  pl_set *set = points(c, N);
  pl_dat *dat = NULL, *flat = NULL;
  DLManagedTensorVersioned *t = NULL;
  DLManagedTensor *old = NULL;
  OK(pl_decl_dat_shape(set, 2, shape, PL_FLOAT, NULL, "x", &dat));
  OK(pl_decl_dat(set, 1, PL_COMPLEX_DOUBLE, NULL, "z", &flat));
  if (c->device && !strcmp(c->backend, "opencl")) {
    FAILS(pl_dat_to_dlpack(dat, PL_READ, &t), PL_ERR_BACKEND, "x", "opencl", "address");
    return;
  }
  OK(pl_dat_to_dlpack(dat, PL_RW, &t));
  const DLTensor *d = &t->dl_tensor;
  CHECK(t->version.major == 1 && !t->flags && d->ndim == 3 && d->dtype.code == kDLFloat &&
        d->dtype.bits == 32);
  CHECK(d->shape[0] == N && d->shape[1] == 2 && d->shape[2] == 3);
  CHECK(d->strides[0] == 6 && d->strides[1] == 3 && d->strides[2] == 1);
  CHECK(c->device || (d->device.device_type == kDLCPU && ((float *)d->data)[0] == 0));
  FAILS(pl_dat_to_dlpack(dat, PL_READ, &t), PL_ERR_STATE, "x", "open");
  t->deleter(t);
  OK(pl_dat_to_dlpack_unversioned(flat, PL_READ, &old));
  CHECK(old->dl_tensor.ndim == 1 && old->dl_tensor.dtype.code == kDLComplex &&
        old->dl_tensor.dtype.bits == 128);
  OK(pl_dat_to_dlpack(dat, PL_READ, &t));
  CHECK(t->flags == DLPACK_FLAG_BITMASK_READ_ONLY);
  pl_dat_free(&dat);
  pl_dat_free(&flat);
  t->deleter(t);
  old->deleter(old);
  if (!c->device) return;
  OK(pl_decl_dat_shape(set, 2, shape, PL_FLOAT, NULL, "x", &dat));
  OK(pl_dat_set_layout(dat, "aosoa:32"));
  FAILS(pl_dat_to_dlpack(dat, PL_READ, &t), PL_ERR_STATE, "x", "strides");
  OK(pl_dat_set_layout(dat, "soa"));
  OK(pl_dat_to_dlpack(dat, PL_READ, &t));
  CHECK(t->dl_tensor.strides[0] == 1 && t->dl_tensor.strides[1] == 3 * N && t->dl_tensor.strides[2] == N);
  t->deleter(t);
}

static void case_tensor_in(conf *c)
{
  static double x[3 * N];
  int64_t shape[] = {N, 3}, strides[] = {3, 1};
  DLManagedTensorVersioned t = {.version = {1, 0},
                                .deleter = count_deleted,
                                .dl_tensor = {.data = x,
                                              .device = {kDLCPU, 0},
                                              .ndim = 2,
                                              .dtype = {kDLFloat, 64, 1},
                                              .shape = shape,
                                              .strides = strides}};
  pl_set *set = points(c, N);
  pl_dat *dat = NULL;
  void *view;
  const int deleted_before = deleted;
  for (int i = 0; i < 3 * N; i++) x[i] = i;
  t.version.major = 2;
  FAILS(pl_dat_from_dlpack(set, &t, "x", &dat), PL_ERR_ARG, "x", "version 2");
  t.version.major = 1, t.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  FAILS(pl_dat_from_dlpack(set, &t, "x", &dat), PL_ERR_ACCESS, "x", "read-only");
  t.flags = 0, t.dl_tensor.dtype.bits = 16;
  FAILS(pl_dat_from_dlpack(set, &t, "x", &dat), PL_ERR_TYPE, "x", "16 bits");
  t.dl_tensor.dtype.bits = 64, shape[0] = N - 1;
  FAILS(pl_dat_from_dlpack(set, &t, "x", &dat), PL_ERR_RANGE, "x", "points");
  shape[0] = N, strides[0] = 1, strides[1] = N;
  FAILS(pl_dat_from_dlpack(set, &t, "x", &dat), PL_ERR_ARG, "x", "strides");
  strides[0] = 3, strides[1] = 1, t.dl_tensor.device.device_type = 99;
  FAILS(pl_dat_from_dlpack(set, &t, "x", &dat), PL_ERR_ARG, "x", "device");
  t.dl_tensor.device.device_type = kDLCPU;
  OK(pl_dat_from_dlpack(set, &t, "x", &dat));
  OK(pl_par_loop(interop_add, set, DIRECT(dat, PL_RW)));
  OK(pl_dat_get(dat, PL_READ, &view));
  CHECK(view == x && x[0] == 1 && x[3 * N - 1] == 3 * N - 1 + 100 && deleted == deleted_before);
  OK(pl_dat_put(dat));
  pl_dat_free(&dat);
  CHECK(deleted == deleted_before + 1);
}

const conf_case conf_interop[] = {
  {"wrapped host memory is used in place", "P18", case_wrap_host, CONF_MATRIX},
  {"wrapped host memory may end at a page", "P18", case_wrap_page_end, 0},
  {"wrapped host memory may be unaligned", "P18", case_wrap_unaligned, 0},
  {"wrapped memory is refused with a reason", "P18", case_wrap_refusals, CONF_EAGER},
  {"wrapped memory keeps its order", "P18", case_wrap_order, CONF_EAGER},
  {"wrapped memory is sorted and copied in place", "P18", case_wrap_in_place, 0},
  {"wrapped memory on ranks", "P18", case_wrap_ranks, CONF_RANKS | CONF_EAGER},
  {"device views", "P18", case_device_view, CONF_EAGER},
  {"device views are in user order, on ranks", "P18", case_device_order, CONF_RANKS},
  {"wrapped device memory", "P18", case_wrap_device, CONF_EAGER},
  {"matrix values in device memory", "P18", case_wrap_matrix, CONF_EAGER},
  {"tensors of dats", "P18", case_tensor_out, CONF_EAGER},
  {"dats of tensors", "P18", case_tensor_in, 0},
  {0},
};
