/* SPDX-License-Identifier: BSD-2-Clause
 * Process-wide behaviour: choice of the backend, options, the disk cache shared by processes, generated
 * texts, timers.
 */
#include "conformance.h"
#include <stdio.h>

PL_KERNEL(process_push, (double *acc, const double *w), { acc[0] += 3.0 * w[0]; })
PL_KERNEL(process_scale, (double *x), { x[0] = 2.0 * x[0] + 1.0; })

/* ---- P53 ---- */

static pl_err open_with(const char *option, pl_context **pl)
{
  const char *const options[] = {option, NULL};
  pl_settings settings = {.options = options};
  return pl_init(NULL, NULL, &settings, pl);
}

static void case_choice(conf *c)
{
  pl_context *pl = NULL;
  const char *name = NULL, *why = NULL;
  bool openmp = false;
  for (int i = 0; !pl_backend_at(c->pl, i, &name, &why); i++) openmp |= !strcmp(name, "openmp") && !why;
  CHECK(!strcmp(pl_backend_name(c->pl), c->backend));
  if (openmp) { /* the default */
    OK_IN(pl, pl_init(NULL, NULL, NULL, &pl));
    CHECK(!strcmp(pl_backend_name(pl), "openmp"));
    pl_finalize(&pl);
  }
  setenv("PLAIT_BACKEND", c->backend, 1); /* from the environment */
  OK_IN(pl, pl_init(NULL, NULL, NULL, &pl));
  CHECK(!strcmp(pl_backend_name(pl), c->backend));
  pl_finalize(&pl);
  setenv("PLAIT_BACKEND", "sequental", 1);
  pl_err err = pl_init(NULL, NULL, NULL, &pl);
  FAILS_IN(pl, err, PL_ERR_OPTION, "PLAIT_BACKEND", "sequental", "seq");
  pl_finalize(&pl);
  unsetenv("PLAIT_BACKEND");
  FAILS(pl_set_option(c->pl, "backend", "seq"), PL_ERR_STATE, "backend", "fixed");
  CHECK(!strcmp(pl_backend_name(c->pl), c->backend));
}

/* Nothing works before pl_init; a failed context only reports its error. */
static void case_before(conf *c)
{
  pl_context *pl = NULL;
  pl_set *set = NULL;
  CHECK(pl_decl_set(NULL, 4, "set", &set) == PL_ERR_NULL && set == NULL);
  CHECK(pl_errmsg(NULL) != NULL && *pl_errmsg(NULL));
  pl_err err = open_with("backend=vulkan", &pl);
  FAILS_IN(pl, err, PL_ERR_OPTION, "backend", "vulkan");
  pl_finalize(&pl);
  CHECK(pl == NULL);
  const char *name, *why;
  for (int i = 0; !pl_backend_at(c->pl, i, &name, &why); i++) {
    char option[40];
    if (!why) continue;
    char *sentence = strdup(why);
    snprintf(option, sizeof option, "backend=%s", name);
    err = open_with(option, &pl);
    FAILS_IN(pl, err, PL_ERR_BACKEND, name, sentence);
    free(sentence);
    pl_finalize(&pl);
  }
}

/* The command line overrides the environment, settings override both; recognised arguments are removed. */
static void case_sources(conf *c)
{
  pl_context *pl = NULL;
  const char *value = NULL;
  char backend[40], a0[] = "program", a1[] = "--plait-block-size=64", a2[] = "other",
                    a3[] = "--plait-verbose=0", a4[] = "--plait-blok=1";
  char *list[] = {a0, a1, a2, a3, NULL}, *wrong[] = {a0, a4, NULL};
  char **argv = list;
  int argc = 4;
  snprintf(backend, sizeof backend, "backend=%s", c->backend);
  const char *const options[] = {backend, "conflict=colour", NULL};
  pl_settings settings = {.options = options};
  setenv("PLAIT_BLOCK_SIZE", "32", 1);
  setenv("PLAIT_CONFLICT", "auto", 1);
  setenv("PLAIT_SHAPE", "scalar", 1);
  setenv("PLAIT_BLOCK_SIZ", "32", 1);
  conf_catch();
  pl_err err = pl_init(&argc, &argv, &settings, &pl);
  char *warning = conf_caught();
  CHECK(warning && strstr(warning, "PLAIT_BLOCK_SIZ ") && strstr(warning, "PLAIT_BLOCK_SIZE?"));
  free(warning);
  unsetenv("PLAIT_BLOCK_SIZ");
  unsetenv("PLAIT_SHAPE");
  unsetenv("PLAIT_CONFLICT");
  unsetenv("PLAIT_BLOCK_SIZE");
  OK_IN(pl, err);
  CHECK(argc == 2 && !strcmp(argv[0], "program") && !strcmp(argv[1], "other") && argv[2] == NULL);
  OK_IN(pl, pl_get_option(pl, "block_size", &value));
  CHECK(!strcmp(value, "64"));
  OK_IN(pl, pl_get_option(pl, "conflict", &value));
  CHECK(!strcmp(value, "colour"));
  OK_IN(pl, pl_get_option(pl, "shape", &value));
  CHECK(!strcmp(value, "scalar"));
  pl_finalize(&pl);
  argv = wrong;
  argc = 2;
  err = pl_init(&argc, &argv, &settings, &pl);
  FAILS_IN(pl, err, PL_ERR_OPTION, "blok");
  pl_finalize(&pl);
}

/* ---- P63 ---- */

static void case_options(conf *c)
{
  const char *value = NULL, *name = NULL, *help = NULL;
  int rows = 0;
  for (; !pl_option_at(c->pl, rows, &name, &value, &help); rows++) {
    const char *same = NULL;
    OK(pl_get_option(c->pl, name, &same));
    CHECK(same == value && help && *help);
  }
  CHECK(rows > 10);
  FAILS(pl_option_at(c->pl, rows, &name, &value, &help), PL_ERR_RANGE, "options");
  FAILS(pl_set_option(c->pl, "blocksize", "3"), PL_ERR_OPTION, "blocksize", "block_size");
  FAILS(pl_set_option(c->pl, "block_size", "many"), PL_ERR_OPTION, "block_size", "many");
  FAILS(pl_set_option(c->pl, "block_size", "-1"), PL_ERR_OPTION, "block_size", "-1");
  FAILS(pl_set_option(c->pl, "conflict", "color"), PL_ERR_OPTION, "conflict", "color", "colour");
  FAILS(pl_set_option(c->pl, "check", "perhaps"), PL_ERR_OPTION, "check", "perhaps");
  FAILS(pl_set_option(c->pl, "jit", "off"), PL_ERR_STATE, "jit", "fixed");
  FAILS(pl_get_option(c->pl, "nothing like it", &value), PL_ERR_OPTION, "nothing like it");
  OK(pl_get_option(c->pl, "block_size", &value));
  char *before = strdup(value);
  OK(pl_set_option(c->pl, "block_size", "77"));
  OK(pl_get_option(c->pl, "block_size", &value));
  CHECK(!strcmp(value, "77"));
  OK(pl_reset_options(c->pl));
  OK(pl_get_option(c->pl, "block_size", &value));
  CHECK(!strcmp(value, before));
  free(before);
}

/* A changed option applies from the next run of a loop on. */
static void case_option_change(conf *c)
{
  static const char *const shapes[] = {"scalar", "lanes", "transpose", "auto"}, *const sizes[] = {
                                                                                  "16", "0", "1", "1000"};
  enum { E = 200, M = 30 };
  int index[E];
  double w[E], acc[M] = {0};
  for (int i = 0; i < E; i++) {
    w[i] = conf_below(c, 50);
    index[i] = conf_below(c, M);
  }
  pl_set *set = conf_set(c, E, "set"), *to = conf_set(c, M, "to");
  pl_map *map = conf_map(c, set, to, 1, index, "map");
  pl_dat *dw = conf_dat(c, set, 1, PL_DOUBLE, w, "w"), *dacc = conf_dat(c, to, 1, PL_DOUBLE, NULL, "acc");
  pl_loop *loop = NULL;
  OK(pl_loop_create(&loop, process_push, set, pl_arg_dat(dacc, 0, map, PL_INC), DIRECT(dw, PL_READ)));
  for (int round = 0; round < 4; round++) {
    OK(pl_set_option(c->pl, "shape", shapes[round]));
    OK(pl_set_option(c->pl, "block_size", sizes[round]));
    OK(pl_set_option(c->pl, "conflict", round % 2 ? "auto" : "colour"));
    OK(pl_set_option(c->pl, "reproducible", round / 2 ? "1" : "0"));
    OK(pl_loop_run(loop));
    for (int i = 0; i < E; i++) acc[index[i]] += 3 * w[i];
    SAME(dacc, acc);
  }
  pl_loop_free(&loop);
}

/* ---- P62 ---- */

/* The child process: runs loops; prints compiler runs, codes from disk, codes compiled, and a sum. */
static int child_loops(const char *backend)
{
  char option[40];
  const char *const options[] = {option, NULL};
  const int index[4] = {0, 1, 1, 0};
  const double w[4] = {1, 2, 3, 4};
  double acc[2] = {0};
  pl_settings settings = {.options = options};
  pl_context *pl;
  pl_set *set, *to;
  pl_map *map;
  pl_dat *dw, *dacc;
  pl_stats stats;
  snprintf(option, sizeof option, "backend=%s", backend);
  PL_OK(pl, pl_init(NULL, NULL, &settings, &pl));
  PL_OK(pl, pl_decl_set(pl, 4, "set", &set));
  PL_OK(pl, pl_decl_set(pl, 2, "to", &to));
  PL_OK(pl, pl_decl_map(set, to, 1, index, "map", &map));
  PL_OK(pl, pl_decl_dat(set, 1, PL_DOUBLE, w, "w", &dw));
  PL_OK(pl, pl_decl_dat(to, 1, PL_DOUBLE, NULL, "acc", &dacc));
  PL_OK(pl, pl_par_loop(process_push, set, pl_arg_dat(dacc, 0, map, PL_INC), DIRECT(dw, PL_READ)));
  PL_OK(pl, pl_par_loop(process_scale, to, DIRECT(dacc, PL_RW)));
  PL_OK(pl, pl_dat_fetch(dacc, acc));
  PL_OK(pl, pl_get_stats(pl, &stats));
  printf("%d %d %d %g %g\n", (int)stats.compiler_runs, (int)stats.codes_disk, (int)stats.codes_compiled,
         acc[0], acc[1]);
  pl_finalize(&pl);
  return 0;
}

int conf_child_main(const char *backend, const char *mode)
{
  return backend && !strcmp(mode, "loops") ? child_loops(backend) : 2;
}

typedef struct report {
  int runs, disk, compiled;
  double a, b;
} report;

static void read_report(conf *c, char *text, report *r)
{
  *r = (report){-1, -1, -1, 0, 0};
  CHECK(text && sscanf(text, "%d %d %d %lf %lf", &r->runs, &r->disk, &r->compiled, &r->a, &r->b) == 5);
  CHECK(r->a == 31 && r->b == 31); /* 2 * 3 * (1 + 4) + 1 and 2 * 3 * (2 + 3) + 1 */
  free(text);
}

static void case_cache(conf *c)
{
  char folder[256];
  report first, second;
  conf_folder(folder);
  read_report(c, conf_child(c, "loops", folder), &first);
  read_report(c, conf_child(c, "loops", folder), &second);
  CHECK(first.runs > 0 && first.compiled == 2 && first.disk == 0);
  CHECK(second.runs == 0 && second.compiled == 0 && second.disk == 2);
}

static void case_cache_race(conf *c)
{
  char folder[256];
  conf_process_handle child[3];
  report r;
  bool started[3];
  conf_folder(folder);
  for (int i = 0; i < 3; i++) CHECK(started[i] = conf_child_start(c, "loops", folder, &child[i]));
  for (int i = 0; i < 3; i++) {
    if (!started[i]) continue;
    read_report(c, conf_child_wait(&child[i]), &r);
    CHECK(r.disk + r.compiled == 2);
  }
  read_report(c, conf_child(c, "loops", folder), &r);
  CHECK(r.runs == 0 && r.disk == 2);
}

/* In one process the same text is compiled once. */
static void case_memory(conf *c)
{
  pl_set *a = conf_set(c, 3, "set"), *b = conf_set(c, 5, "set");
  pl_dat *x = conf_dat(c, a, 1, PL_DOUBLE, NULL, "x"), *y = conf_dat(c, b, 1, PL_DOUBLE, NULL, "x");
  OK(pl_par_loop(process_scale, a, DIRECT(x, PL_RW)));
  pl_stats before = conf_stats(c);
  OK(pl_par_loop(process_scale, b, DIRECT(y, PL_RW)));
  pl_stats after = conf_stats(c);
  CHECK(after.codes_memory == before.codes_memory + 1 && after.codes_disk == before.codes_disk &&
        after.compiler_runs == before.compiler_runs);
  SAME(y, ((double[]){1, 1, 1, 1, 1}));
}

/* ---- P47, P64 ---- */

static const char *compiler(void)
{
  const char *cc = getenv("PLAIT_CC");
  return cc && *cc ? cc : "cc";
}

/* The text of a loop is kept, names the loop, and compiles alone; the kernel is inlined into the wrapper. */
static void case_dump(conf *c)
{
  char folder[256], path[512], command[2048];
  const int index[4] = {0, 1, 1, 0};
  pl_set *set = conf_set(c, 4, "edges"), *to = conf_set(c, 2, "nodes");
  pl_map *map = conf_map(c, set, to, 1, index, "edge_node");
  pl_dat *w = conf_dat(c, set, 1, PL_DOUBLE, NULL, "weight"),
         *acc = conf_dat(c, to, 1, PL_DOUBLE, NULL, "acc");
  OK(pl_set_option(c->pl, "dump", conf_folder(folder)));
  OK(pl_par_loop(process_push, set, pl_arg_dat(acc, 0, map, PL_INC), DIRECT(w, PL_READ)));
  bool found = conf_find(folder, ".c", path);
  if (!found) { /* a device's text only has to exist */
    CHECK(conf_find(folder, "", path));
    return;
  }
  char *text = conf_read(path);
  CHECK(text && strstr(text, "process_push") && strstr(text, "\"weight\"") && strstr(text, "\"edge_node\"") &&
        strstr(text, "INC"));
  free(text);
  snprintf(command, sizeof command,
           "%s -std=gnu11 -O3 -Wall -Werror=implicit -S -o '%s/out.s' '%s' 2>'%s/messages'", compiler(),
           folder, path, folder);
  CHECK(system(command) == 0);
  snprintf(path, sizeof path, "%s/out.s", folder);
  text = conf_read(path);
  CHECK(text && strstr(text, "pl_run") && !strstr(text, "\tprocess_push") &&
        !strstr(text, "\nprocess_push:"));
  free(text);
}

static void case_debug(conf *c)
{
  static const char *const debug[] = {"debug=1", NULL};
  pl_context *pl = NULL;
  pl_set *set;
  pl_dat *x;
  double got[3];
  OK_IN(pl, conf_open(c, c->variant, debug, &pl));
  OK_IN(pl, pl_decl_set(pl, 3, "set", &set));
  OK_IN(pl, pl_decl_dat(set, 1, PL_DOUBLE, NULL, "x", &x));
  OK_IN(pl, pl_par_loop(process_scale, set, DIRECT(x, PL_RW)));
  OK_IN(pl, pl_dat_fetch(x, got));
  CHECK(got[0] == 1 && got[1] == 1 && got[2] == 1);
  pl_finalize(&pl);
}

static void case_verbose(conf *c)
{
  pl_set *set = conf_set(c, 3, "set");
  pl_dat *x = conf_dat(c, set, 1, PL_DOUBLE, NULL, "x");
  conf_catch();
  pl_err err = pl_par_loop(process_scale, set, DIRECT(x, PL_RW));
  char *quiet = conf_caught();
  OK(err);
  CHECK(quiet && !*quiet);
  free(quiet);
}

/* ---- P65 ---- */

static void case_timers(conf *c)
{
  double seconds = -1;
  uint64_t calls = 7;
  OK(pl_timing(c->pl, "never", &seconds, &calls));
  CHECK(seconds == 0 && calls == 0);
  for (int i = 0; i < 3; i++) {
    OK(pl_timer_begin(c->pl, "outer"));
    OK(pl_timer_begin(c->pl, "inner"));
    FAILS(pl_timer_begin(c->pl, "outer"), PL_ERR_STATE, "\"outer\"", "open already");
    FAILS(pl_timer_end(c->pl, "outer"), PL_ERR_STATE, "\"outer\"", "innermost", "\"inner\"");
    OK(pl_timer_end(c->pl, "inner"));
    OK(pl_timer_end(c->pl, "outer"));
  }
  FAILS(pl_timer_end(c->pl, "outer"), PL_ERR_STATE, "\"outer\"", "not open");
  FAILS(pl_timer_end(c->pl, "stranger"), PL_ERR_STATE, "\"stranger\"");
  double outer, inner;
  OK(pl_timing(c->pl, "outer", &outer, &calls));
  CHECK(calls == 3);
  OK(pl_timing(c->pl, "inner", &inner, &calls));
  CHECK(calls == 3 && inner >= 0 && outer >= inner);
  OK(pl_profile_reset(c->pl));
  OK(pl_timing(c->pl, "outer", &seconds, &calls));
  CHECK(seconds == 0 && calls == 0);
}

static void case_profile(conf *c)
{
  char folder[256], path[300];
  uint64_t calls = 0;
  pl_profile_entry entry;
  pl_set *set = conf_set(c, 3, "set");
  pl_dat *x = conf_dat(c, set, 1, PL_DOUBLE, NULL, "x");
  for (int i = 0; i < 5; i++) OK(pl_par_loop(process_scale, set, DIRECT(x, PL_RW)));
  OK(pl_timer_begin(c->pl, "region"));
  OK(pl_timer_end(c->pl, "region"));
  OK(pl_timing(c->pl, "process_scale", NULL, &calls));
  CHECK(calls == 5);
  OK(pl_profile_at(c->pl, 0, &entry));
  CHECK(!strcmp(entry.name, "process_scale") && !strcmp(entry.set, "set") && entry.calls == 5 &&
        entry.bytes == 5.0 * 48);
  CHECK(*entry.variant && entry.seconds >= 0 && entry.setup_seconds >= 0);
  OK(pl_profile_at(c->pl, 1, &entry));
  CHECK(!strcmp(entry.name, "region") && !*entry.set && entry.calls == 1);
  FAILS(pl_profile_at(c->pl, 2, &entry), PL_ERR_RANGE, "2");
  FAILS(pl_profile_at(c->pl, -1, &entry), PL_ERR_RANGE, "-1");
  snprintf(path, sizeof path, "%s/profile.csv", conf_folder(folder));
  OK(pl_profile_write(c->pl, path));
  char *text = conf_read(path);
  CHECK(text && !strncmp(text, "name,set,", 9) && strstr(text, "\nprocess_scale,set,") &&
        strstr(text, "\nregion,,"));
  free(text);
  snprintf(path, sizeof path, "%s/profile.json", folder);
  OK(pl_profile_write(c->pl, path));
  text = conf_read(path);
  CHECK(text && strstr(text, "{\"name\": \"process_scale\", \"set\": \"set\"") &&
        strstr(text, "\"calls\": 5"));
  free(text);
  snprintf(path, sizeof path, "%s/profile.txt", folder);
  OK(pl_profile_write(c->pl, path));
  text = conf_read(path);
  CHECK(text && strstr(text, "calls") && strstr(text, "process_scale"));
  free(text);
  FAILS(pl_profile_write(c->pl, "/nonexistent/profile.csv"), PL_ERR_IO, "/nonexistent/profile.csv");
}

/* The summary at pl_finalize, by option. */
static void case_profile_end(conf *c)
{
  char folder[256], option[300];
  const char *const more[] = {option, NULL};
  pl_context *pl = NULL;
  snprintf(option, sizeof option, "profile=%s/end.csv", conf_folder(folder));
  OK_IN(pl, conf_open(c, c->variant, more, &pl));
  OK_IN(pl, pl_timer_begin(pl, "all"));
  OK_IN(pl, pl_timer_end(pl, "all"));
  pl_finalize(&pl);
  snprintf(option, sizeof option, "%s/end.csv", folder);
  char *text = conf_read(option);
  CHECK(text && strstr(text, "\nall,,"));
  free(text);
}

const conf_case conf_process[] = {
  {"choice of the backend", "P53", case_choice, 0},
  {"before and without a backend", "P53", case_before, 0},
  {"sources of options", "P53 P63", case_sources, 0},
  {"options", "P63", case_options, 0},
  {"options that change between runs", "P63", case_option_change, CONF_MATRIX},
  {"a second process compiles nothing", "P62", case_cache, CONF_NEEDS_JIT},
  {"processes that race", "P62", case_cache_race, CONF_NEEDS_JIT},
  {"code from memory", "P62", case_memory, CONF_NEEDS_JIT | CONF_EAGER},
  {"generated texts", "P47 P64", case_dump, CONF_MATRIX | CONF_NEEDS_JIT},
  {"debug", "P64", case_debug, CONF_NEEDS_JIT},
  {"verbosity", "P64", case_verbose, 0},
  {"timers", "P65", case_timers, 0},
  {"the profile", "P65", case_profile, CONF_EAGER},
  {"the profile at the end", "P65", case_profile_end, 0},
  {NULL, NULL, NULL, 0}};
