/* SPDX-License-Identifier: BSD-2-Clause
 * A short program on a device with faults: allocations fail, a kernel does not compile, the selected device
 * does not exist, cached binaries are damaged.
 *
 *   device_faults BACKEND STRIDE    each STRIDE-th allocation fails in turn
 *
 * A call in which an allocation failed returns PL_ERR_MEMORY with a message, and succeeds when repeated.
 * Exit status 77, with the library's message, where the backend cannot be used.
 */
#include "core/base/hash.h"
#include "plait.h"
#include "plait.h"
#include "plait.h"
#include "plait.h"
#include "plait.h"
#include "failing_memory.h"
#include "checks.h"
#include "sandbox.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SKIPPED = 77, CELLS = 300, EDGES = 500, MOST_FAILURES = 10 };

static const char *backend;
static long stride;

#define DIRECT(dat, access) pl_arg_dat((dat), PL_ID, PL_DIRECT, (access))

/* ---- the program: small integers, so that any order gives the same bits ---- */

PL_KERNEL(fault_spread, (const int32_t *const q[2], int32_t *r[2]), {
  r[0][0] += q[1][1];
  r[1][1] += q[0][0];
})
PL_KERNEL(fault_settle, (int32_t q[2], int32_t r[2], double *sum), {
  q[0] += r[0];
  q[1] -= r[1];
  r[0] = 0;
  r[1] = 0;
  sum[0] += q[0] + 2.0 * q[1];
})

typedef struct job {
  pl_context *pl;
  failing_memory memory;
  bool give_up;        /* at the first failure; otherwise calls are repeated */
  int failed;          /* calls that returned PL_ERR_MEMORY */
  char complaint[400]; /* the first error */
} job;

static int ends[2 * EDGES], some[CELLS / 3];

static void make_mesh(void)
{
  for (int e = 0; e < EDGES; e++) {
    ends[2 * e] = e % CELLS;
    ends[2 * e + 1] = (7 * e + 3) % CELLS == e % CELLS ? (e + 1) % CELLS : (7 * e + 3) % CELLS;
  }
  for (int i = 0; i < CELLS / 3; i++) some[i] = 3 * i;
}

static void complain(job *j, const char *what, const char *call)
{
  if (!*j->complaint)
    snprintf(j->complaint, sizeof j->complaint, "%s: %.100s: %.200s", what, call,
             j->pl ? pl_errmsg(j->pl) : "");
}

/* Checks the result of a call; true if it must be repeated. */
static bool again(job *j, pl_err err, long failed_before, const char *call)
{
  if (!err) return false;
  if (err != PL_ERR_MEMORY || j->memory.failed == failed_before) complain(j, "another error", call);
  if (!strlen(pl_errmsg(j->pl))) complain(j, "no message", call);
  j->failed++;
  return true;
}

/* Makes a call and repeats it if memory was missing; returns from the function if it fails again. */
#define TRY(call)                                                                                            \
  do {                                                                                                       \
    long failed_before = j->memory.failed;                                                                   \
    if (!again(j, (call), failed_before, #call)) break;                                                      \
    if (j->give_up) return false;                                                                            \
    if (!(call)) break;                                                                                      \
    complain(j, "fails again when repeated", #call);                                                         \
    return false;                                                                                            \
  } while (0)

static pl_err open_context(job *j)
{
  char name[40], cache[PATH_MAX + 20], here[PATH_MAX - 20] = "";
  if (!getcwd(here, sizeof here)) return PL_ERR_IO;
  snprintf(name, sizeof name, "backend=%s", backend);
  snprintf(cache, sizeof cache, "cache_dir=%s/warm-cache", here);
  const char *const options[] = {name, cache, "layout=soa", NULL};
  const pl_settings settings = {.options = options, .realloc = failing_realloc, .realloc_user = &j->memory};
  if (j->pl) pl_finalize(&j->pl);
  return pl_init(NULL, NULL, &settings, &j->pl);
}

static void expect_values(job *j, const int32_t *q, const int32_t *other, double sum)
{
  static int32_t x[2 * CELLS], r[2 * CELLS];
  double expected = 0;
  for (int i = 0; i < 2 * CELLS; i++) x[i] = i % 17, r[i] = 0;
  for (int k = 0; k < 2; k++) {
    for (int e = 0; e < EDGES; e++) {
      r[2 * ends[2 * e]] += x[2 * ends[2 * e + 1] + 1];
      r[2 * ends[2 * e + 1] + 1] += x[2 * ends[2 * e]];
    }
    for (int c = 0; c < CELLS; c++) {
      x[2 * c] += r[2 * c], x[2 * c + 1] -= r[2 * c + 1];
      r[2 * c] = r[2 * c + 1] = 0;
      expected += x[2 * c] + 2.0 * x[2 * c + 1];
    }
  }
  bool same = !memcmp(q, x, sizeof x) && sum == expected;
  for (int i = 0; i < CELLS / 3; i++) x[2 * some[i]] = x[2 * some[i] + 1] = 0;
  if (!same || memcmp(other, x, sizeof x)) complain(j, "the results are wrong", "");
}

static bool run_loops(job *j, pl_set *cells, pl_set *edges, pl_map *ends_of)
{
  int32_t start[2 * CELLS], out[2 * CELLS], copied[2 * CELLS];
  pl_dat *q = NULL, *r = NULL, *other = NULL;
  pl_set *third = NULL;
  pl_global *sum = NULL;
  double total = 0;
  for (int i = 0; i < 2 * CELLS; i++) start[i] = i % 17;
  TRY(pl_decl_dat(cells, 2, PL_INT32, start, "q", &q));
  TRY(pl_decl_dat(cells, 2, PL_INT32, NULL, "r", &r));
  TRY(pl_decl_subset(cells, CELLS / 3, some, "third", &third));
  TRY(pl_decl_global(j->pl, 1, PL_DOUBLE, NULL, "sum", &sum));
  for (int k = 0; k < 2; k++) {
    TRY(pl_par_loop(fault_spread, edges, pl_arg_dat(q, PL_ALL, ends_of, PL_READ),
                    pl_arg_dat(r, PL_ALL, ends_of, PL_INC)));
    TRY(pl_par_loop(fault_settle, cells, DIRECT(q, PL_RW), DIRECT(r, PL_RW), pl_arg_gbl(sum, PL_INC)));
  }
  TRY(pl_dat_duplicate(q, "other", &other));
  TRY(pl_dat_zero_subset(other, third));
  TRY(pl_dat_fetch(q, out));
  TRY(pl_dat_fetch(other, copied));
  TRY(pl_global_get(sum, &total));
  expect_values(j, out, copied, total);
  return true;
}

static bool run_program(job *j)
{
  pl_set *cells = NULL, *edges = NULL;
  pl_map *ends_of = NULL;
  TRY(open_context(j));
  TRY(pl_decl_set(j->pl, CELLS, "cells", &cells));
  TRY(pl_decl_set(j->pl, EDGES, "edges", &edges));
  TRY(pl_decl_map(edges, cells, 2, ends, "ends", &ends_of));
  return run_loops(j, cells, edges, ends_of);
}

/* Runs it with allocation `fail_at` failing (0: none), alone or with all later ones. */
static bool run_job(job *j, long fail_at, bool dry, pl_stats *stats)
{
  *j = (job){.give_up = dry};
  failing_memory_open(&j->memory);
  j->memory.fail_at = fail_at;
  j->memory.dry = dry;
  bool finished = run_program(j);
  if (stats && j->pl && pl_get_stats(j->pl, stats)) complain(j, "no statistics", "");
  pl_finalize(&j->pl);
  if (j->memory.blocks || j->memory.bytes) complain(j, "memory is kept", "pl_finalize");
  if (*j->memory.complaint) complain(j, j->memory.complaint, "");
  failing_memory_close(&j->memory);
  return finished;
}

/* ---- memory ---- */

static int failures;

static void expect(bool good, const job *j, long k, const char *what)
{
  if (!good && failures++ < MOST_FAILURES)
    fprintf(stderr, "\nallocation %ld: %s; %s\n", k, what, j->complaint);
  CU_ASSERT(good);
}

static long undisturbed(void)
{
  static job j;
  pl_stats stats;
  expect(run_job(&j, 0, false, NULL) && !*j.complaint, &j, 0, "the first run");
  expect(run_job(&j, 0, false, &stats) && !*j.complaint, &j, 0, "the second run");
  expect(stats.compiler_runs == 0 && stats.codes_disk > 0, &j, 0, "code does not come from the cache");
  CU_ASSERT_FATAL(!failures && j.memory.asked > 100);
  return j.memory.asked;
}

static void test_once(void)
{
  static job j;
  long most = undisturbed(), runs = 0, passed_over = 0;
  for (long k = 1; k <= most && failures < MOST_FAILURES; k += stride, runs++) {
    bool finished = run_job(&j, k, false, NULL);
    expect(finished && !*j.complaint, &j, k, "fails alone");
    expect(j.memory.failed == 1, &j, k, "was not requested");
    passed_over += !j.failed;
  }
  expect(passed_over < runs / 4, &j, 0, "too many failures pass without a word");
  printf("%ld of %ld allocations failed alone, %ld unnoticed ... ", runs, most, passed_over);
}

static void test_dry(void)
{
  static job j;
  long most = undisturbed(), runs = 0;
  for (long k = 1; k <= most && failures < MOST_FAILURES; k += stride, runs++) {
    run_job(&j, k, true, NULL);
    expect(!*j.complaint && j.failed <= 1, &j, k, "fails with all that follow");
  }
  printf("%ld of %ld allocations failed with all that follow ... ", runs, most);
}

/* ---- compilation ---- */

static pl_err open_with(const char *option, pl_context **pl)
{
  char name[40], cache[PATH_MAX + 20];
  snprintf(name, sizeof name, "backend=%s", backend);
  snprintf(cache, sizeof cache, "cache_dir=%s", sandbox_cache);
  const char *const options[] = {name, cache, option, NULL};
  const pl_settings settings = {.options = options};
  return pl_init(NULL, NULL, &settings, pl);
}

/* The message names the line in the user's file; the context and its other kernels stay usable. */
static void test_syntax(void)
{
  static const char text[] = "void faulty(int *x)\n"
                             "{\n"
                             "  x[0] = 1;\n"
                             "  x[0] = no_such_name + 1;\n"
                             "}\n";
  const pl_kernel_options where = {.file = "my/faulty.c", .line = 40};
  pl_context *pl = NULL;
  pl_set *set = NULL;
  pl_dat *x = NULL;
  const pl_kernel *faulty = NULL;
  OK(open_with(NULL, &pl));
  CU_ASSERT_EQUAL(pl_decl_set(pl, 9, "set", &set), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_decl_dat(set, 1, PL_INT32, NULL, "x", &x), PL_SUCCESS);
  OK(pl_kernel_from_source(pl, "faulty", text, &where, &faulty));
  for (int i = 0; i < 2; i++) {
    CU_ASSERT_EQUAL(pl_par_loop(faulty, set, DIRECT(x, PL_WRITE)), PL_ERR_COMPILE);
    const char *said = pl_errmsg(pl);
    bool good = strstr(said, "faulty") && strstr(said, "my/faulty.c") && strstr(said, "43") &&
                strstr(said, "no_such_name");
    if (!good) fprintf(stderr, "\n%s\n", said);
    CU_ASSERT(good);
  }
  CU_ASSERT_EQUAL(pl_dat_to_device(x), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_dat_zero(x), PL_SUCCESS);
  pl_finalize(&pl);
}

/* ---- the selected device ---- */

static void test_unknown_device(void)
{
  pl_context *pl = NULL;
  pl_device_info first = {.number = ""};
  OK(open_with(NULL, &pl));
  CU_ASSERT_EQUAL(pl_device_at(pl, backend, 0, &first), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_device_at(pl, backend, 1000, &first), PL_ERR_RANGE);
  CU_ASSERT_EQUAL(pl_device_at(pl, backend, -1, &first), PL_ERR_RANGE);
  CU_ASSERT_EQUAL(pl_device_at(pl, "seq", 0, &first), PL_ERR_RANGE);
  CU_ASSERT_EQUAL(pl_device_at(pl, "nowhere", 0, &first), PL_ERR_ARG);
  CU_ASSERT_EQUAL(pl_device_at(pl, backend, 0, NULL), PL_ERR_ARG);
  CU_ASSERT_EQUAL(pl_device_at(pl, backend, 0, &first), PL_SUCCESS);
  CU_ASSERT(*first.number && *first.name && *first.version);
  pl_finalize(&pl);
  static const char *const wrong[] = {"device=no such device", "device=97", "device=97:3", "device=-1"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CU_ASSERT_EQUAL(open_with(wrong[i], &pl), PL_ERR_OPTION);
    const char *said = pl_errmsg(pl);
    bool good = strstr(said, "option device") && strstr(said, wrong[i] + strlen("device=")) &&
                strstr(said, first.number) && strstr(said, first.name);
    if (!good) fprintf(stderr, "\n%s\n", said);
    CU_ASSERT(good);
    pl_finalize(&pl);
  }
  char right[160];
  snprintf(right, sizeof right, "device=%s", first.number);
  CU_ASSERT_EQUAL(open_with(right, &pl), PL_SUCCESS);
  pl_finalize(&pl);
  snprintf(right, sizeof right, "device=%s", first.name);
  CU_ASSERT_EQUAL(open_with(right, &pl), PL_SUCCESS);
  pl_finalize(&pl);
}

/* ---- the cache ---- */

PL_KERNEL(fault_twice, (int32_t * x), { x[0] = 2 * x[0]; })

/* Runs one loop; counts compilations and reads from the disk cache. */
static void run_twice(uint64_t compiled, uint64_t from_disk)
{
  int32_t x[7] = {1, 2, 3, 4, 5, 6, 7}, out[7];
  pl_context *pl = NULL;
  pl_set *set = NULL;
  pl_dat *dat = NULL;
  pl_stats stats;
  OK(open_with(NULL, &pl));
  CU_ASSERT_EQUAL(pl_decl_set(pl, 7, "set", &set), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_decl_dat(set, 1, PL_INT32, x, "x", &dat), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_par_loop(fault_twice, set, DIRECT(dat, PL_RW)), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_dat_fetch(dat, out), PL_SUCCESS);
  for (int i = 0; i < 7; i++) CU_ASSERT_EQUAL(out[i], 2 * x[i]);
  CU_ASSERT_EQUAL(pl_get_stats(pl, &stats), PL_SUCCESS);
  CU_ASSERT_EQUAL(stats.codes_compiled, compiled);
  CU_ASSERT_EQUAL(stats.codes_disk, from_disk);
  pl_finalize(&pl);
}

static void test_damage(void)
{
  char name[NAME_MAX + 1];
  size_t size = 0;
  run_twice(1, 0);
  run_twice(0, 1);
  CU_ASSERT_EQUAL_FATAL(sandbox_count(sandbox_cache, ".so", name), 1);
  const char *path = sandbox_path(sandbox_cache, name);
  for (int kind = 0; kind < 4; kind++) {
    char *bytes = sandbox_read(path, &size);
    size_t kept[] = {size, size, size / 2, 0};
    if (kind < 2) bytes[kind ? 20 : size / 3] ^= 0x55;
    sandbox_remove(path);
    sandbox_write(path, bytes, kept[kind], 0600);
    free(bytes);
    run_twice(1, 0);
    run_twice(0, 1);
  }
}

/* An entry with a valid checksum but code that the driver rejects is compiled again. */
static void test_refused(void)
{
  char name[NAME_MAX + 1];
  uint64_t end[3]; /* size of the code, size of the key, checksum of all before it */
  size_t size = 0;
  run_twice(1, 0);
  CU_ASSERT_EQUAL_FATAL(sandbox_count(sandbox_cache, ".so", name), 1);
  const char *path = sandbox_path(sandbox_cache, name);
  char *bytes = sandbox_read(path, &size);
  memcpy(end, bytes + size - sizeof end, sizeof end);
  CU_ASSERT_FATAL(end[0] + end[1] + sizeof end < size);
  CU_ASSERT_EQUAL_FATAL(end[2], pl_hash(PL_HASH_START, bytes, size - sizeof end[2]));
  memset(bytes, 'x', end[0]);
  end[2] = pl_hash(PL_HASH_START, bytes, size - sizeof end[2]);
  memcpy(bytes + size - sizeof end[2], &end[2], sizeof end[2]);
  sandbox_remove(path);
  sandbox_write(path, bytes, size, 0600);
  free(bytes);
  run_twice(1, 0);
  run_twice(0, 1);
}

static CU_TestInfo tests[] = {
  {"each allocation fails alone", test_once},
  {"each allocation fails with all later ones", test_dry},
  {"a kernel that does not compile", test_syntax},
  {"a missing device", test_unknown_device},
  {"damaged binaries in the cache", test_damage},
  {"binaries that the driver refuses", test_refused},
  CU_TEST_INFO_NULL,
};

/* Whether the backend can be used; prints the reason otherwise. */
static bool is_usable(void)
{
  static const char *const plain[] = {"backend=seq", NULL};
  const pl_settings settings = {.options = plain};
  pl_context *pl;
  const char *name, *why = "the library has no such backend";
  pl_err err = pl_init(NULL, NULL, &settings, &pl);
  for (int i = 0; !err && !pl_backend_at(pl, i, &name, &why); i++)
    if (!strcmp(name, backend)) break;
  if (why) printf("skipped: backend %s: %s\n", backend, why);
  pl_finalize(&pl);
  return !why;
}

int main(int argc, char **argv)
{
  if (argc != 3 || (stride = atol(argv[2])) < 1) {
    fprintf(stderr, "usage: device_faults BACKEND STRIDE\n");
    return 2;
  }
  backend = argv[1];
  if (!is_usable()) return SKIPPED;
  make_mesh();
  sandbox_clear_options();
  return sandbox_main("device", tests);
}
