/* SPDX-License-Identifier: BSD-2-Clause
 * Runs the suite: each case is one CUnit test that goes through the variants with a fresh context for each.
 *
 *   conformance [--backend NAME] [--case PART] [--device] [--brief|--full] [--thin] [--slice K/N]
 *               [--lazy] [--threads] [--ranks [--scatter] [--mixed]] [--list]
 *
 * --device takes the variants of a device, --brief the first few, --full all combinations; with --thin (and
 * with --brief on a device or mixed ranks) each case takes one of them, the next case the next; --slice the
 * K-th of N parts of the pairs of case and variant (from 0), so that parts of equal length run beside each
 * other; --mixed those that ranks with different backends have in common; --threads those of several threads.
 * --lazy records every loop first.
 *
 * Invariant: a context is closed with nothing left of what it took through its memory manager.
 */
#include "conformance.h"
#include <CUnit/Basic.h>
#include <CUnit/TestDB.h>
#include <stdio.h>
#include <unistd.h>

enum { SKIPPED = 77, DEVICE_ON_RANKS = 4, MOST_VARIANTS = 1024 };

static const conf_case *const tables[] = {
  conf_sets,   conf_maps,       conf_dats,      conf_types,  conf_globals, conf_kernels, conf_loops,
  conf_errors, conf_meshes,     conf_process,   conf_states, conf_ragged,  conf_pairs,   conf_programs,
  conf_chains, conf_algorithms, conf_conflicts, conf_moves,  conf_ranks,   conf_made,    conf_algebra,
  NULL};

/* What CUnit, whose tests take no argument, leaves to file scope. */
static struct {
  const char *backend;
  bool device, ranks, scatter, mixed, threads, lazy, thin;
  conf_variant variant[MOST_VARIANTS];
  int variants;
  /* Each pair of case and variant has a number; this part takes those that leave `part` when divided by
   * `parts`. */
  int part, parts, pairs;
  conf now;
} run;

/* ---- variants ---- */

/* Each value of each axis, and each pair of neighbouring axes, for one thread as for more. */
static const conf_variant usual[] = {
  {1, 0, "auto", "auto", 1, 0, "auto", 0},         {1, 0, "scalar", "auto", 1, 0, "auto", 0},
  {1, 32, "lanes", "colour", 1, 0, "auto", 1},     {1, 256, "transpose", "colour", 1, 1, "auto", 0},
  {1, 0, "auto", "auto", 0, 0, "auto", 0},         {1, 32, "auto", "colour", 0, 1, "auto", 1},
  {2, 0, "auto", "auto", 1, 0, "auto", 0},         {2, 32, "scalar", "colour", 1, 0, "auto", 1},
  {2, 256, "lanes", "auto", 1, 1, "auto", 0},      {2, 0, "transpose", "auto", 0, 0, "auto", 0},
  {3, 32, "transpose", "colour", 1, 0, "auto", 1}, {3, 0, "scalar", "auto", 1, 1, "auto", 0},
  {3, 256, "auto", "colour", 0, 0, "auto", 0},     {7, 0, "transpose", "auto", 1, 0, "auto", 0},
  {7, 32, "auto", "colour", 1, 1, "auto", 1},      {7, 256, "scalar", "colour", 1, 0, "auto", 0},
  {7, 0, "auto", "auto", 0, 1, "auto", 0}};

/* For backends with a device of their own, where threads and shapes of host code mean nothing: each way of
 * resolving conflicts, each size of blocks and each layout at least once; the first BRIEF of them are what
 * --brief leaves. --full takes each way with each layout and with each size. */
enum { BRIEF = 4 };
static const conf_variant on_device[] = {
  {1, 0, "auto", "auto", 1, 0, "auto", 0},        {1, 32, "auto", "stage", 1, 0, "soa", 1},
  {1, 64, "auto", "combine", 1, 0, "aosoa:8", 0}, {1, 256, "auto", "store", 1, 1, "aos", 0},
  {1, 128, "auto", "gather", 1, 0, "aos", 0},     {1, 512, "auto", "atomic", 1, 0, "soa", 0},
  {1, 1024, "auto", "colour", 1, 0, "aosoa:8", 0}};

/* On several ranks: what is different there is beside all this. */
static const conf_variant on_ranks[] = {{1, 0, "auto", "auto", 1, 0, "auto", 0},
                                        {1, 32, "scalar", "colour", 1, 0, "auto", 1},
                                        {2, 0, "auto", "auto", 1, 0, "auto", 0}};

static void take_variant(conf_variant variant)
{
  if (run.threads && variant.threads == 1) return;
  if (run.variants < MOST_VARIANTS) run.variant[run.variants++] = variant;
}

/* Variant number i of all combinations; false past the last. */
static bool combination(int i, conf_variant *v)
{
  static const int threads[] = {1, 2, 3, 7}, blocks[] = {0, 32, 256};
  static const char *const shapes[] = {"auto", "scalar", "lanes", "transpose"}, *const conflicts[] = {
                                                                                  "auto", "colour"};
  *v = (conf_variant){threads[i % 4],
                      blocks[i / 4 % 3],
                      shapes[i / 12 % 4],
                      conflicts[i / 48 % 2],
                      !(i / 96 % 2),
                      i / 192 % 2,
                      "auto",
                      i / 384};
  return i < 768;
}

/* For devices: each way with each layout in blocks of the library's choice, each way with each size of
 * blocks, and both once more where results must be the same bits. */
static bool device_combination(int i, conf_variant *v)
{
  static const char *const ways[] = {"auto", "colour", "stage", "atomic", "combine", "gather", "store"},
                           *const layouts[] = {"aos", "soa", "aosoa:8", "auto"};
  static const int blocks[] = {32, 64, 128, 256, 512, 1024};
  *v = (conf_variant){1, 0, "auto", ways[i % 7], 1, 0, layouts[i / 7 % 4], i % 2};
  if (i >= 28) v->block_size = blocks[i / 7 % 6];
  if (i >= 70) v->block_size = 0, v->reproducible = 1;
  return i < 77;
}

static void take_variants(bool full, bool brief, bool device)
{
  conf_variant v;
  if (run.ranks && !device) {
    for (size_t i = 0; i < sizeof on_ranks / sizeof *on_ranks; i++)
      if (!run.mixed || on_ranks[i].threads == 1) take_variant(on_ranks[i]);
    return;
  }
  size_t few = device ? sizeof on_device / sizeof *on_device : sizeof usual / sizeof *usual;
  if (run.ranks) few = DEVICE_ON_RANKS; /* large blocks are no different there */
  if (brief && few > BRIEF) few = BRIEF;
  for (int i = 0; full && (device ? device_combination(i, &v) : combination(i, &v)); i++) take_variant(v);
  for (size_t i = 0; !full && i < few; i++) take_variant(device ? on_device[i] : usual[i]);
}

static bool take_slice(const char *slice)
{
  return sscanf(slice, "%d/%d", &run.part, &run.parts) == 2 && run.parts >= 1 && run.part >= 0 &&
         run.part < run.parts;
}

/* ---- one case ---- */

static const conf_case *find_case(const char *name)
{
  for (const conf_case *const *table = tables; *table; table++)
    for (const conf_case *one = *table; one->name; one++)
      if (!strcmp(one->name, name)) return one;
  return NULL;
}

/* A case that stopped in the middle leaves its context to the next. */
static void close_context(conf *c)
{
  pl_finalize(&c->pl);
  free(conf_caught());
}

/* Lines of the library's that are no news: jit=off is announced in every context. */
static void show_stderr(char *text)
{
  for (char *save, *line = text ? strtok_r(text, "\n", &save) : NULL; line;
       line = strtok_r(NULL, "\n", &save))
    if (!strstr(line, "kernels run as the program was compiled")) fprintf(stderr, "%s\n", line);
  free(text);
}

static void run_variant(conf *c, const conf_case *one, const conf_variant *variant)
{
  c->variant = variant;
  c->seed = 20260101;
  c->held = 0;
  if (!variant->jit) conf_catch();
  OK(conf_open(c, variant, NULL, &c->pl));
  /* A backend without threads has no variants of them. */
  if (pl_backend_threads(c->pl) == variant->threads) one->run(c);
  pl_finalize(&c->pl);
  CHECK(c->held == 0);
  if (!variant->jit) show_stderr(conf_caught());
}

/* The same whichever cases are taken. */
static int number_of(const conf_case *wanted)
{
  int number = 0;
  for (const conf_case *const *table = tables; *table; table++)
    for (const conf_case *one = *table; one->name; one++, number++)
      if (one == wanted) return number;
  return number;
}

static bool leaves_out(const conf_case *one, int v)
{
  if ((one->flags & CONF_NEEDS_JIT) && !run.variant[v].jit) return true;
  return run.thin && (one->flags & CONF_MATRIX) && v != number_of(one) % run.variants;
}

static void run_case(void)
{
  conf *c = &run.now;
  const conf_case *one = find_case(CU_get_current_test()->pName);
  close_context(c);
  *c = (conf){.backend = run.backend, .device = run.device, .scatter = run.scatter, .mixed = run.mixed};
  for (int v = 0; v < run.variants; v++) {
    if (v > 0 && !(one->flags & CONF_MATRIX)) break;
    if (leaves_out(one, v)) continue;
    if (run.pairs++ % run.parts == run.part) run_variant(c, one, &run.variant[v]);
  }
}

/* ---- the suite ---- */

static int add_cases(CU_pSuite suite, const char *part)
{
  int added = 0;
  for (const conf_case *const *table = tables; *table; table++)
    for (const conf_case *one = *table; one->name; one++) {
      if (run.ranks && !(one->flags & CONF_RANKS)) continue;
      if (run.lazy && (one->flags & CONF_EAGER)) continue;
      if (part && !strstr(one->name, part) && !strstr(one->features, part)) continue;
      if (!CU_add_test(suite, one->name, run_case)) return -1;
      added++;
    }
  return added;
}

static int list_cases(void)
{
  for (const conf_case *const *table = tables; *table; table++)
    for (const conf_case *one = *table; one->name; one++) printf("%-28s %s\n", one->features, one->name);
  return 0;
}

/* Runs the cases while a context of its own, which knows of no other ranks, keeps the device awake: to make a
 * device ready takes longer than most cases. */
static int run_awake(void)
{
  pl_context *awake = NULL;
  char backend[40];
  const char *options[] = {backend, "mpi=off", NULL};
  pl_settings settings = {.options = options};
  snprintf(backend, sizeof backend, "backend=%s", run.backend);
  if (run.device && pl_init(NULL, NULL, &settings, &awake)) return 1;
  CU_basic_run_tests();
  pl_finalize(&awake);
  return CU_get_number_of_failures() > 0;
}

static int run_backend(const char *part)
{
  if (CU_initialize_registry()) return 2;
  CU_pSuite suite = CU_add_suite(run.backend, NULL, NULL);
  if (!suite || add_cases(suite, part) < 1) {
    fprintf(stderr, "conformance: %s\n", suite ? "no case of that name" : CU_get_error_msg());
    return 2;
  }
  CU_basic_set_mode(CU_BRM_VERBOSE);
  int failed = run_awake();
  close_context(&run.now);
  CU_cleanup_registry();
  return failed;
}

/* The sentence why a backend cannot run here, "" if it can, NULL if the library has no such backend. To be
 * freed. */
static char *why_not(const char *backend)
{
  static const char *const plain[] = {"backend=seq", NULL};
  pl_settings settings = {.options = plain};
  pl_context *pl;
  const char *name, *why;
  char *answer = NULL;
  pl_err err = pl_init(NULL, NULL, &settings, &pl);
  for (int i = 0; !err && !answer && !pl_backend_at(pl, i, &name, &why); i++)
    if (!strcmp(name, backend)) answer = strdup(why ? why : "");
  pl_finalize(&pl);
  return answer;
}

/* Runs on one backend, or says why not. */
static int run_or_skip(const char *backend, const char *part)
{
  char *why = why_not(backend);
  int result = SKIPPED;
  run.backend = backend;
  if (!why)
    printf("skipped: backend %s: the library has no backend of that name\n", backend);
  else if (*why)
    printf("skipped: backend %s: %s\n", backend, why);
  else
    result = run_backend(part);
  free(why);
  return result;
}

/* Every backend that there is; fails if one fails or none can run. */
static int run_all(const char *part)
{
  static const char *const names[] = {"seq", "openmp", "cuda", "opencl", NULL};
  int worst = 0, ran = 0;
  for (int i = 0; names[i]; i++) {
    int result = run_or_skip(names[i], part);
    ran += result != SKIPPED;
    if (result != SKIPPED && result > worst) worst = result;
  }
  return ran ? worst : SKIPPED;
}

/* ---- main ---- */

/* A run depends on its command line, the compiler and the cache alone. */
static void clean_environment(void)
{
  static const char *const names[] = {
    "PLAIT_BACKEND", "PLAIT_DEVICE", "PLAIT_BLOCK_SIZE", "PLAIT_CONFLICT",     "PLAIT_SHAPE",
    "PLAIT_LAYOUT",  "PLAIT_LAZY",   "PLAIT_CHECK",      "PLAIT_REPRODUCIBLE", "PLAIT_DEBUG",
    "PLAIT_JIT",     "PLAIT_DUMP",   "PLAIT_PROFILE",    "PLAIT_VERBOSE"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) unsetenv(names[i]);
}

static int usage(void)
{
  fprintf(stderr, "usage: conformance [--backend NAME] [--case PART] [--device] [--brief|--full] [--thin] "
                  "[--slice K/N] [--lazy] [--threads] [--ranks [--scatter] [--mixed]] [--list]\n");
  return 2;
}

int main(int argc, char **argv)
{
  const char *backend = NULL, *part = NULL, *child = NULL, *slice = "0/1";
  bool full = false, brief = false, list = false, device = false;
  for (int i = 1; i < argc; i++) {
    bool more = i + 1 < argc;
    if (!strcmp(argv[i], "--full"))
      full = true;
    else if (!strcmp(argv[i], "--brief"))
      brief = true;
    else if (!strcmp(argv[i], "--device"))
      device = true;
    else if (!strcmp(argv[i], "--ranks"))
      run.ranks = true;
    else if (!strcmp(argv[i], "--scatter"))
      run.scatter = true;
    else if (!strcmp(argv[i], "--mixed"))
      run.mixed = true;
    else if (!strcmp(argv[i], "--thin"))
      run.thin = true;
    else if (!strcmp(argv[i], "--threads"))
      run.threads = true;
    else if (!strcmp(argv[i], "--lazy"))
      run.lazy = true;
    else if (!strcmp(argv[i], "--list"))
      list = true;
    else if (!strcmp(argv[i], "--backend") && more)
      backend = argv[++i];
    else if (!strcmp(argv[i], "--case") && more)
      part = argv[++i];
    else if (!strcmp(argv[i], "--slice") && more)
      slice = argv[++i];
    else if (!strcmp(argv[i], "--child") && more)
      child = argv[++i];
    else
      return usage();
  }
  clean_environment();
  if (run.lazy) setenv("PLAIT_LAZY", "1", 1);
  if (child) return conf_child_main(backend, child);
  if (list) return list_cases();
  run.device = device;
  run.thin = run.thin || ((device || run.mixed) && brief);
  take_variants(full, brief, device);
  if (!take_slice(slice)) return usage();
  return backend ? run_or_skip(backend, part) : run_all(part);
}
