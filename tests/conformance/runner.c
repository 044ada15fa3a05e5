/* SPDX-License-Identifier: BSD-2-Clause
 * Runs the suite: each case is one CUnit test that goes through the variants with a new context for each.
 *
 *   conformance [--backend NAME] [--case PART] [--brief|--full] [--thin] [--slice K/N]
 *               [--lazy] [--threads] [--ranks [--scatter] [--mixed]] [--list]
 *
 * --brief selects the first few variants of a device, --full all combinations. With --thin
 * (and --brief on a device or on mixed ranks) each case runs one variant, the next case the next. --slice
 * runs the K-th of N parts of the pairs of case and variant (from 0), so that parts of equal length run in
 * parallel. --mixed selects variants for ranks with different backends, --threads those with several
 * threads. --lazy records every loop first.
 *
 * Invariant: a closed context has returned all memory to its memory manager.
 */
#include "conformance.h"
#include <CUnit/Basic.h>
#include <CUnit/TestDB.h>
#include <stdio.h>
#include <unistd.h>

enum { SKIPPED = 77, DEVICE_ON_RANKS = 4, MOST_VARIANTS = 1024 };

static const conf_case *const tables[] = {conf_sets,
                                          conf_maps,
                                          conf_dats,
                                          conf_types,
                                          conf_globals,
                                          conf_kernels,
                                          conf_loops,
                                          conf_errors,
                                          conf_meshes,
                                          conf_process,
                                          conf_states,
                                          conf_ragged,
                                          conf_pairs,
                                          conf_programs,
                                          conf_chains,
                                          conf_algorithms,
                                          conf_tiles,
                                          conf_conflicts,
                                          conf_moves,
                                          conf_ranks,
                                          conf_fusion,
                                          conf_pair_chains,
                                          conf_algebra,
                                          conf_mixed,
                                          conf_c99,
                                          conf_failures,
                                          conf_interop,
                                          conf_matrix,
                                          conf_matrix_values,
                                          conf_masks,
                                          conf_spaces,
                                          conf_random_matrices,
                                          conf_large_matrices,
                                          conf_complex_matrices,
                                          conf_checked_matrices,
                                          conf_tensors,
                                          conf_solver,
                                          conf_solver_sizes,
                                          conf_factors,
                                          conf_packages,
                                          conf_numbers,
                                          conf_foreign,
                                          conf_dense,
                                          conf_matrix_io,
                                          conf_checkpoint,
                                          NULL};

/* State of the run at file scope, since tests of CUnit take no argument. */
static struct {
  const char *backend;
  bool device, ranks, scatter, mixed, threads, lazy, thin, brief, full;
  conf_variant variant[MOST_VARIANTS];
  int variants;
  /* Pairs of case and variant are numbered; this part runs those with number % parts == part. */
  int part, parts, pairs;
  conf now;
  long fail_at; /* of each case */
} run;

/* ---- variants ---- */

/* Each value of each option and each pair of neighbouring options, for one thread and for more. */
static const conf_variant usual[] = {
  {1, 0, "auto", "auto", 1, 0, "auto", 0},         {1, 0, "scalar", "auto", 1, 0, "auto", 0},
  {1, 32, "lanes", "colour", 1, 0, "auto", 1},     {1, 256, "transpose", "colour", 1, 1, "auto", 0},
  {1, 0, "auto", "auto", 0, 0, "auto", 0},         {1, 32, "auto", "colour", 0, 1, "auto", 1},
  {2, 0, "auto", "auto", 1, 0, "auto", 0},         {2, 32, "scalar", "colour", 1, 0, "auto", 1},
  {2, 256, "lanes", "auto", 1, 1, "auto", 0},      {2, 0, "transpose", "auto", 0, 0, "auto", 0},
  {3, 32, "transpose", "colour", 1, 0, "auto", 1}, {3, 0, "scalar", "auto", 1, 1, "auto", 0},
  {3, 256, "auto", "colour", 0, 0, "auto", 0},     {7, 0, "transpose", "auto", 1, 0, "auto", 0},
  {7, 32, "auto", "colour", 1, 1, "auto", 1},      {7, 256, "vector", "colour", 1, 0, "auto", 0},
  {7, 0, "auto", "auto", 0, 1, "auto", 0}};

/* For devices, where threads and host shapes mean nothing: each strategy, block size and layout at least
 * once. --brief uses the first BRIEF of them, --full each strategy with each layout and each size. */
enum { BRIEF = 4 };
static const conf_variant on_device[] = {
  {1, 0, "auto", "auto", 1, 0, "auto", 0},        {1, 32, "auto", "stage", 1, 0, "soa", 1},
  {1, 64, "auto", "combine", 1, 0, "aosoa:8", 0}, {1, 256, "auto", "store", 1, 1, "aos", 0},
  {1, 128, "auto", "gather", 1, 0, "aos", 0},     {1, 512, "auto", "atomic", 1, 0, "soa", 0},
  {1, 1024, "auto", "colour", 1, 0, "aosoa:8", 0}};

/* For several ranks: few, since ranks differ in other respects. */
static const conf_variant on_ranks[] = {{1, 0, "auto", "auto", 1, 0, "auto", 0},
                                        {1, 32, "scalar", "colour", 1, 0, "auto", 1},
                                        {2, 0, "auto", "auto", 1, 0, "auto", 0}};

static void take_variant(conf_variant variant)
{
  if (run.threads && variant.threads == 1) return;
  if (run.variants < MOST_VARIANTS) run.variant[run.variants++] = variant;
}

/* Combination i; false past the last. */
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

/* For devices: each strategy with each layout at the default block size, each strategy with each block size,
 * and both with `reproducible`. */
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

/* Hosts have variants with threads and forms, devices with strategies and layouts. */
static bool is_device(const char *backend)
{
  return strcmp(backend, "seq") && strcmp(backend, "openmp");
}

static void take_variants(void)
{
  const bool device = run.device;
  conf_variant v;
  run.variants = 0;
  if (run.ranks && !device) {
    for (size_t i = 0; i < sizeof on_ranks / sizeof *on_ranks; i++)
      if (!run.mixed || on_ranks[i].threads == 1) take_variant(on_ranks[i]);
    return;
  }
  size_t few = device ? sizeof on_device / sizeof *on_device : sizeof usual / sizeof *usual;
  if (run.ranks) few = DEVICE_ON_RANKS; /* large blocks make no difference on ranks */
  if (run.brief && few > BRIEF) few = BRIEF;
  for (int i = 0; run.full && (device ? device_combination(i, &v) : combination(i, &v)); i++) take_variant(v);
  for (size_t i = 0; !run.full && i < few; i++) take_variant(device ? on_device[i] : usual[i]);
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

/* After a case that ended on a failure. */
static void close_context(conf *c)
{
  pl_finalize(&c->pl);
  free(conf_caught());
}

/* Prints the library's lines except the announcement of jit=off. */
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
  c->seed = CONF_SEED;
  c->problem = -1;
  c->held = 0;
  if (!variant->jit) conf_catch();
  OK(conf_open(c, variant, NULL, &c->pl));
  c->asked = 0;
  c->fail_at = run.fail_at;
  /* A backend without threads skips variants with threads. */
  if (pl_backend_threads(c->pl) == variant->threads) one->run(c);
  c->fail_at = 0;
  pl_finalize(&c->pl);
  CHECK(c->held == 0);
  if (!variant->jit) show_stderr(conf_caught());
}

/* The number does not depend on the selected cases. */
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
  const bool thin = run.thin || ((run.device || run.mixed) && run.brief);
  return thin && (one->flags & CONF_MATRIX) && v != number_of(one) % run.variants;
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

/* Runs the cases while another context without MPI keeps the device open, since opening a device takes longer
 * than most cases. */
static int run_awake(void)
{
  pl_context *awake = NULL;
  char backend[40];
  const char *options[] = {backend, "mpi=off", NULL};
  pl_settings settings = {.options = options};
  snprintf(backend, sizeof backend, "backend=%s", run.backend);
  if (run.device && pl_init(NULL, NULL, &settings, &awake)) {
    fprintf(stderr, "conformance: %s\n", pl_errmsg(awake));
    pl_finalize(&awake);
    return 1;
  }
  CU_basic_run_tests();
  pl_finalize(&awake);
  if (CU_get_number_of_failures()) return run.fail_at ? 0 : 1;
  if (CU_get_number_of_asserts()) return 0;
  printf("skipped: backend %s: none of the chosen cases and variants runs here\n", run.backend);
  return SKIPPED;
}

static int run_backend(const char *part)
{
  if (CU_initialize_registry()) return 2;
  CU_pSuite suite = CU_add_suite(run.backend, NULL, NULL);
  if (!suite || add_cases(suite, part) < 1) {
    fprintf(stderr, "conformance: %s\n", suite ? "no case of that name" : CU_get_error_msg());
    return 2;
  }
  CU_basic_set_mode(run.fail_at ? CU_BRM_SILENT : CU_BRM_VERBOSE);
  int failed = run_awake();
  close_context(&run.now);
  CU_cleanup_registry();
  return failed;
}

/* Why a backend cannot run here, "" if it can, NULL if the library has no such backend. To be freed. */
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

/* Runs on one backend, or prints why it is skipped. */
static int run_or_skip(const char *backend, const char *part)
{
  char *why = why_not(backend);
  int result = SKIPPED;
  run.backend = backend;
  run.device = is_device(backend) && !run.mixed;
  take_variants();
  if (!why)
    printf("skipped: backend %s: the library has no backend of that name\n", backend);
  else if (*why)
    printf("skipped: backend %s: %s\n", backend, why);
  else
    result = run_backend(part);
  free(why);
  return result;
}

/* Runs on all backends; fails if one fails or none can run. */
static int run_all(const char *part)
{
  static const char *const names[] = {"seq", "openmp", "cuda", "hip", "opencl", NULL};
  int worst = 0, ran = 0;
  for (int i = 0; names[i]; i++) {
    int result = run_or_skip(names[i], part);
    ran += result != SKIPPED;
    if (result != SKIPPED && result > worst) worst = result;
  }
  return ran ? worst : SKIPPED;
}

/* A run depends only on its command line, the compiler and the cache. */
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
  fprintf(stderr,
          "usage: conformance [--backend NAME] [--case PART] [--brief|--full] [--thin] "
          "[--slice K/N] [--lazy] [--threads] [--ranks [--scatter] [--mixed]] [--list]\n"
          "  --fail-at N: allocation N of each case and all later ones fail; status 0: no case crashes\n");
  return 2;
}

int main(int argc, char **argv)
{
  const char *backend = NULL, *part = NULL, *child = NULL, *slice = "0/1", *fail_at = "0";
  bool list = false;
  const struct {
    const char *name;
    bool *flag;         /* NULL: the option has a value */
    const char **value; /* of the next argument */
  } options[] = {
    {"--full", &run.full, NULL},       {"--brief", &run.brief, NULL}, {"--ranks", &run.ranks, NULL},
    {"--scatter", &run.scatter, NULL}, {"--mixed", &run.mixed, NULL}, {"--thin", &run.thin, NULL},
    {"--threads", &run.threads, NULL}, {"--lazy", &run.lazy, NULL},   {"--list", &list, NULL},
    {"--backend", NULL, &backend},     {"--case", NULL, &part},       {"--slice", NULL, &slice},
    {"--child", NULL, &child},         {"--fail-at", NULL, &fail_at}};
  const size_t count = sizeof options / sizeof *options;
  for (int i = 1; i < argc; i++) {
    size_t k = 0;
    while (k < count && strcmp(argv[i], options[k].name)) k++;
    if (k == count || (options[k].value && i + 1 == argc)) return usage();
    if (options[k].flag)
      *options[k].flag = true;
    else
      *options[k].value = argv[++i];
  }
  clean_environment();
  if (run.lazy) setenv("PLAIT_LAZY", "1", 1);
  if (child) return conf_child_main(backend, child);
  if (list) return list_cases();
  if (!take_slice(slice)) return usage();
  run.fail_at = atol(fail_at);
  return backend ? run_or_skip(backend, part) : run_all(part);
}
