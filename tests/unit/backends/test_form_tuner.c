/* SPDX-License-Identifier: BSD-2-Clause
 * Shapes of host code: which ones a loop may run in, that all give the same bits, and that a loop which
 * matters tries them, keeps one and has it remembered.
 */
#include <plait.h>
#include <CUnit/Basic.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "codegen/x86.h"
#include "core/profile.h"

enum { EDGES = 3001, NODES = 3001 };

typedef struct mesh {
  pl_context *pl;
  pl_set *edges, *nodes;
  pl_map *ends;
  pl_dat *x, *y;
} mesh;

/* Edge e reaches nodes e and e + apart; with `gaps` every seventh has no second one. */
static void open_mesh(mesh *m, const char *shape, const char *cache, int apart, bool gaps)
{
  char one[40], two[600];
  const char *options[] = {"backend=seq", one, two, NULL};
  pl_settings settings = {.options = options};
  int ends[2 * EDGES];
  double x[3 * NODES];
  snprintf(one, sizeof one, "shape=%s", shape);
  snprintf(two, sizeof two, "cache_dir=%s", cache);
  for (int e = 0; e < EDGES; e++) {
    ends[2 * e] = e;
    ends[2 * e + 1] = gaps && e % 7 == 0 ? -1 : (e + apart) % NODES;
  }
  for (int i = 0; i < 3 * NODES; i++) x[i] = 1.0 + 0.37 * (i % 101);
  PL_OK(m->pl, pl_init(NULL, NULL, &settings, &m->pl));
  PL_OK(m->pl, pl_decl_set(m->pl, EDGES, "edges", &m->edges));
  PL_OK(m->pl, pl_decl_set(m->pl, NODES, "nodes", &m->nodes));
  PL_OK(m->pl, pl_decl_map(m->edges, m->nodes, 2, ends, "ends", &m->ends));
  PL_OK(m->pl, pl_decl_dat(m->nodes, 3, PL_DOUBLE, x, "x", &m->x));
  PL_OK(m->pl, pl_decl_dat(m->nodes, 3, PL_DOUBLE, NULL, "y", &m->y));
}

PL_KERNEL(spread, (const double *const x[2], double *y[2]), {
  for (int k = 0; k < 3; k++) {
    const double d = (x[1][k] - x[0][k]) / (1.0 + x[0][k] * x[0][k]);
    y[0][k] += 0.125 * d;
    y[1][k] -= 0.125 * d;
  }
})

PL_KERNEL(settle, (double *x[2]), {
  for (int k = 0; k < 3; k++) {
    const double mean = 0.5 * (x[0][k] + x[1][k]);
    x[0][k] += 0.25 * (mean - x[0][k]);
    x[1][k] += 0.25 * (mean - x[1][k]);
  }
})

/* A pair that gcc 12 contracts in scalar code, if it is let. */
PL_KERNEL(turn, (double *x[2]), {
  const double c = x[1][0];
  const double s = x[0][0];
  const double a = x[0][1];
  x[0][1] = 0.01 * (c * a - s * x[0][2]);
  x[0][2] = 0.01 * (s * a + c * x[0][2]);
})

static pl_err run_spread(mesh *m)
{
  return pl_par_loop(spread, m->edges, pl_arg_dat(m->x, PL_ALL, m->ends, PL_READ),
                     pl_arg_dat(m->y, PL_ALL, m->ends, PL_INC));
}

static pl_err run_settle(mesh *m)
{
  return pl_par_loop(settle, m->edges, pl_arg_dat(m->x, PL_ALL, m->ends, PL_RW));
}

static pl_err run_turn(mesh *m)
{
  return pl_par_loop(turn, m->edges, pl_arg_dat(m->x, PL_ALL, m->ends, PL_RW));
}

static const char *shape_of(mesh *m)
{
  pl_profile_entry entry;
  PL_OK(m->pl, pl_profile_at(m->pl, 0, &entry));
  return entry.variant;
}

static bool same_dat(pl_dat *a, pl_dat *b)
{
  double *x = malloc(pl_dat_nbytes(a)), *y = malloc(pl_dat_nbytes(b));
  bool same = x && y && !pl_dat_fetch(a, x) && !pl_dat_fetch(b, y) && !memcmp(x, y, pl_dat_nbytes(a));
  free(x);
  free(y);
  return same;
}

/* ---- a cache of one's own ---- */

static char folder[] = "/tmp/plait-shape-XXXXXX";

static void empty(const char *path)
{
  char name[1200];
  DIR *entries = opendir(path);
  for (struct dirent *file; entries && (file = readdir(entries));) {
    if (!strcmp(file->d_name, ".") || !strcmp(file->d_name, "..")) continue;
    snprintf(name, sizeof name, "%s/%s", path, file->d_name);
    if (unlink(name)) empty(name);
  }
  if (entries) closedir(entries);
  rmdir(path);
}

/* ---- tests ---- */

static void expect_shape(int apart, bool gaps, pl_err (*run)(mesh *m), const char *shape)
{
  mesh scalar, other;
  open_mesh(&scalar, "scalar", folder, apart, gaps);
  open_mesh(&other, "transpose", folder, apart, gaps);
  for (int call = 0; call < 3; call++) {
    PL_OK(scalar.pl, run(&scalar));
    PL_OK(other.pl, run(&other));
  }
  CU_ASSERT_STRING_EQUAL(shape_of(&scalar), "scalar");
  CU_ASSERT_STRING_EQUAL(shape_of(&other), shape);
  CU_ASSERT(same_dat(scalar.x, other.x));
  CU_ASSERT(same_dat(scalar.y, other.y));
  pl_finalize(&scalar.pl);
  pl_finalize(&other.pl);
}

static void increments(void)
{
  expect_shape(1, false, run_spread, "transpose");
  expect_shape(0, false, run_spread, "transpose"); /* both targets are one */
}

static void missing_targets(void)
{
  expect_shape(1, true, run_spread, "transpose");
}

/* An element that reads what the one before it wrote cannot run beside it. */
static void read_and_write(void)
{
  expect_shape(1, false, run_settle, "scalar");
  expect_shape(7, false, run_settle, "scalar");
  expect_shape(8, false, run_settle, "transpose");
}

static void contracted_pairs(void)
{
  expect_shape(9, false, run_turn, "transpose");
}

#define CODE(...) {__VA_ARGS__}, sizeof((const unsigned char[]){__VA_ARGS__})

/* Instructions as an assembler makes them: one byte to eleven. */
static void where_instructions_begin(void)
{
  static const struct {
    unsigned char code[16];
    size_t length;
    bool contracts;
  } line[] = {
    {CODE(0xc3), false},                                           /* ret */
    {CODE(0x55), false},                                           /* push %rbp */
    {CODE(0xf3, 0x0f, 0x1e, 0xfa), false},                         /* endbr64 */
    {CODE(0x48, 0x83, 0xe4, 0xc0), false},                         /* and $-64,%rsp */
    {CODE(0x48, 0x81, 0xec, 0x88, 0x01, 0, 0), false},             /* sub $0x188,%rsp */
    {CODE(0x66, 0x81, 0xfb, 0x34, 0x12), false},                   /* cmp $0x1234,%bx */
    {CODE(0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8), false},             /* movabs $...,%rax */
    {CODE(0xf6, 0xc1, 0x01), false},                               /* test $1,%cl */
    {CODE(0xf7, 0xd8), false},                                     /* neg %eax */
    {CODE(0x0f, 0x8e, 0x37, 0x07, 0, 0), false},                   /* jle */
    {CODE(0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0), false},    /* nopw %cs:0(%rax,%rax) */
    {CODE(0x4c, 0x8d, 0x34, 0xed, 0, 0, 0, 0), false},             /* lea 0(,%rbp,8),%r14 */
    {CODE(0x66, 0x0f, 0x3a, 0x0f, 0xc1, 0x08), false},             /* palignr $8,%xmm1,%xmm0 */
    {CODE(0xc5, 0xf8, 0x77), false},                               /* vzeroupper */
    {CODE(0xc5, 0xfb, 0x59, 0xc4), false},                         /* vmulsd %xmm4,%xmm0,%xmm0 */
    {CODE(0x62, 0xc1, 0x97, 0x08, 0x59, 0xdd), false},             /* vmulsd %xmm13,%xmm13,%xmm19 */
    {CODE(0x62, 0xf1, 0xfd, 0x48, 0x28, 0x44, 0x24, 0x01), false}, /* vmovapd 64(%rsp),%zmm0 */
    {CODE(0x62, 0xf3, 0xd5, 0x28, 0x03, 0xdd, 0x03), false},       /* valignq $3,%ymm5,%ymm5,%ymm3 */
    {CODE(0xc4, 0xe2, 0xf1, 0xb8, 0xc2), false},                   /* vfmadd231pd */
    {CODE(0xc4, 0xe2, 0xf1, 0xb6, 0xc2), true},                    /* vfmaddsub231pd %xmm2,%xmm1,%xmm0 */
    {CODE(0x62, 0xf2, 0xf5, 0x48, 0xa7, 0x40, 0x01), true},        /* vfmsubadd213pd 64(%rax),%zmm1,%zmm0 */
  };
  unsigned char all[256];
  size_t size = 0;
  for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
    CU_ASSERT_EQUAL(pl_x86_length(line[i].code, line[i].length), line[i].length);
    CU_ASSERT_EQUAL(pl_x86_length(line[i].code, line[i].length - 1), 0);
    CU_ASSERT_EQUAL(pl_x86_contracts_pairs(line[i].code, line[i].length), line[i].contracts);
    memcpy(all + size, line[i].code, line[i].length);
    size += line[i].length;
    if (!line[i].contracts) CU_ASSERT_FALSE(pl_x86_contracts_pairs(all, size));
  }
  CU_ASSERT(pl_x86_contracts_pairs(all, size));
}

/* The library's calendar is this one. */
static time_t days_ahead;

time_t time(time_t *result)
{
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec += 24 * 3600 * days_ahead;
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}

/* Calls until the loop has tried its shapes: the last step takes the winner's code from memory, as does the
 * first. */
static int run_until_decided(mesh *m)
{
  pl_stats stats = {0};
  double start = pl_now();
  int calls = 0;
  for (; stats.codes_memory < 2 && pl_now() - start < 60.0; calls++) {
    PL_OK(m->pl, run_spread(m));
    PL_OK(m->pl, pl_get_stats(m->pl, &stats));
  }
  CU_ASSERT_EQUAL(stats.codes_memory, 2);
  return calls;
}

/* Whether a loop that has cost enough for a trial goes on without one. */
static bool goes_on(mesh *m)
{
  pl_stats stats;
  double start = pl_now();
  while (pl_now() - start < 0.4) PL_OK(m->pl, run_spread(m));
  PL_OK(m->pl, pl_get_stats(m->pl, &stats));
  return stats.codes_memory == 0;
}

static void trial(void)
{
  mesh tries, scalar, next, third, late;
  pl_stats stats;
  char chosen[64];
  open_mesh(&tries, "auto", folder, 1, false);
  open_mesh(&scalar, "scalar", folder, 1, false);
  int calls = run_until_decided(&tries);
  for (int c = 0; c < calls; c++) PL_OK(scalar.pl, run_spread(&scalar));
  CU_ASSERT(same_dat(tries.y, scalar.y));
  snprintf(chosen, sizeof chosen, "%s", shape_of(&tries));
  open_mesh(&next, "auto", folder, 1, false);
  PL_OK(next.pl, run_spread(&next));
  PL_OK(next.pl, pl_get_stats(next.pl, &stats));
  CU_ASSERT_STRING_EQUAL(shape_of(&next), chosen);
  CU_ASSERT_EQUAL(stats.compiler_runs, 0);
  run_until_decided(&next); /* what was found once is tried once more */
  bool agreed = !strcmp(shape_of(&next), chosen);
  snprintf(chosen, sizeof chosen, "%s", shape_of(&next));
  open_mesh(&third, "auto", folder, 1, false);
  PL_OK(third.pl, run_spread(&third));
  CU_ASSERT_STRING_EQUAL(shape_of(&third), chosen);
  if (agreed) CU_ASSERT(goes_on(&third));
  days_ahead = 2;
  open_mesh(&late, "auto", folder, 1, false);
  run_until_decided(&late); /* what was settled holds for a day */
  days_ahead = 0;
  pl_finalize(&late.pl);
  pl_finalize(&third.pl);
  pl_finalize(&tries.pl);
  pl_finalize(&scalar.pl);
  pl_finalize(&next.pl);
}

int main(void)
{
  if (!mkdtemp(folder) || CU_initialize_registry() != CUE_SUCCESS) return 2;
  CU_pSuite suite = CU_add_suite("shape", NULL, NULL);
  CU_add_test(suite, "increments", increments);
  CU_add_test(suite, "missing targets", missing_targets);
  CU_add_test(suite, "read and write through a map", read_and_write);
  CU_add_test(suite, "pairs that compilers contract", contracted_pairs);
  CU_add_test(suite, "where instructions begin", where_instructions_begin);
  CU_add_test(suite, "trial", trial);
  CU_basic_set_mode(CU_BRM_VERBOSE);
  CU_basic_run_tests();
  unsigned failures = CU_get_number_of_failures();
  CU_cleanup_registry();
  empty(folder);
  return failures ? 1 : 0;
}
