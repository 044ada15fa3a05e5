/* SPDX-License-Identifier: BSD-2-Clause
 * Options: their values, their sources and which source wins; the list of backends.
 */
#include "core/context/options.h"
#include "fake_backend.h"
#include "suite.h"
#include <stdlib.h>

static void check_option(pl_context *pl, const char *name, const char *expected)
{
  const char *value = NULL;
  OK(pl_get_option(pl, name, &value));
  CU_ASSERT_STRING_EQUAL(value, expected);
}

static void test_options(void)
{
  pl_context *pl = open_context();
  const char *name, *value = NULL, *help;
  check_option(pl, "backend", "seq");
  check_option(pl, "block_size", "0");
  FAILS(pl_get_option(pl, "blok_size", &value), PL_ERR_OPTION, "did you mean \"block_size\"?");
  FAILS(pl_set_option(pl, "conflikt", "auto"), PL_ERR_OPTION, "did you mean \"conflict\"?");
  FAILS(pl_set_option(pl, "zzzzzzzzzzzz", "auto"), PL_ERR_OPTION, "there is no option");
  CU_ASSERT_PTR_NULL(strstr(pl_errmsg(pl), "did you mean"));
  FAILS(pl_set_option(pl, "conflict", "gathr"), PL_ERR_OPTION, "did you mean \"gather\"?");
  FAILS(pl_set_option(pl, "conflict", "colour|stage"), PL_ERR_OPTION, "conflict");
  FAILS(pl_set_option(pl, "conflict", ""), PL_ERR_OPTION, "conflict");
  FAILS(pl_set_option(pl, "block_size", ""), PL_ERR_OPTION, "block_size");
  FAILS(pl_set_option(pl, "block_size", "12x"), PL_ERR_OPTION, "12x");
  FAILS(pl_set_option(pl, "block_size", "99999999999"), PL_ERR_OPTION, "99999999999");
  FAILS(pl_set_option(pl, "check", "2"), PL_ERR_OPTION, "neither 0, off, no, false nor 1, on");
  check_option(pl, "block_size", "0");
  static const char *const fixed[] = {"backend", "device", "cc", "cache_dir", "jit"};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    FAILS(pl_set_option(pl, fixed[i], "seq"), PL_ERR_STATE, "fixed");
  static const char *const flags[] = {"1", "on", "yes", "true", "0", "off", "no", "false"};
  for (int i = 0; i < 8; i++) {
    OK(pl_set_option(pl, "check", flags[i]));
    CU_ASSERT_EQUAL(pl_opt_flag(pl, PL_OPT_CHECK), i < 4);
  }
  OK(pl_set_option(pl, "block_size", "128"));
  CU_ASSERT_EQUAL(pl_opt_count(pl, PL_OPT_BLOCK_SIZE), 128);
  OK(pl_reset_options(pl));
  check_option(pl, "block_size", "0");
  check_option(pl, "check", "0");
  int rows = 0;
  while (!pl_option_at(pl, rows, &name, &value, &help)) rows++;
  CU_ASSERT_EQUAL(rows, PL_OPT_COUNT);
  OK(pl_option_at(pl, 0, NULL, NULL, NULL));
  FAILS(pl_option_at(pl, -1, &name, NULL, NULL), PL_ERR_RANGE, "-1");
  CU_ASSERT_EQUAL(pl_set_option(NULL, "check", "1"), PL_ERR_NULL);
  pl_finalize(&pl);
}

/* Opens a context with options from the command line and the settings. */
static pl_err open_from(int *argc, char **argv, const char *const *settings, pl_context **pl)
{
  pl_settings all = {.options = settings};
  return pl_context_open(argc, &argv, &all, fake_backends, pl);
}

static void test_priorities(void)
{
  static const char *const code[] = {"backend=seq", "shape=lanes", NULL},
                           *const wrong[] = {"backend=seq", "shap=lanes", NULL},
                           *const odd[] = {"backend=seq", "shape", NULL};
  char a0[] = "p", a1[] = "--plait-shape=scalar", a2[] = "kept", a3[] = "--plait-conflict=colour",
       a4[] = "--plaitX=1", a5[] = "--plait-nonsense";
  char *argv[] = {a0, a1, a2, a3, a4, NULL}, *bad[] = {a0, a5, NULL};
  int argc = 5;
  pl_context *pl = NULL;
  setenv("PLAIT_SHAPE", "transpose", 1);
  setenv("PLAIT_CONFLICT", "atomic", 1);
  setenv("PLAIT_BLOCK_SIZE", "7", 1);
  OK(open_from(&argc, argv, code, &pl));
  check_option(pl, "shape", "lanes");     /* settings override everything */
  check_option(pl, "conflict", "colour"); /* the command line overrides the environment */
  check_option(pl, "block_size", "7");    /* the environment overrides the default */
  CU_ASSERT(argc == 3 && !strcmp(argv[1], "kept") && !strcmp(argv[2], "--plaitX=1") && !argv[3]);
  OK(pl_set_option(pl, "block_size", "8"));
  OK(pl_reset_options(pl));
  check_option(pl, "block_size", "7"); /* the value after pl_init */
  pl_finalize(&pl);
  argc = 2;
  FAILS(open_from(&argc, bad, code, &pl), PL_ERR_OPTION, "name=value");
  pl_finalize(&pl);
  FAILS(open_from(NULL, NULL, wrong, &pl), PL_ERR_OPTION, "did you mean \"shape\"?");
  pl_finalize(&pl);
  FAILS(open_from(NULL, NULL, odd, &pl), PL_ERR_OPTION, "name=value");
  pl_finalize(&pl);
  setenv("PLAIT_BLOCK_SIZE", "seven", 1);
  FAILS(open_from(NULL, NULL, code, &pl), PL_ERR_OPTION, "PLAIT_BLOCK_SIZE");
  pl_finalize(&pl);
  unsetenv("PLAIT_SHAPE");
  unsetenv("PLAIT_CONFLICT");
  unsetenv("PLAIT_BLOCK_SIZE");
}

/* PLAIT_CACHE_DIR, else $XDG_CACHE_HOME, else $HOME, else the home of the user; relative ones do not count.
 */
static void test_cache_folder(void)
{
  static const struct {
    const char *named, *xdg, *home, *folder;
  } cases[] = {{NULL, NULL, "/somewhere", "/somewhere/.cache/plait"},
               {NULL, "/caches", "/somewhere", "/caches/plait"},
               {NULL, "caches", "/somewhere", "/somewhere/.cache/plait"},
               {"/mine", "/caches", "/somewhere", "/mine"}};
  static const char *const names[] = {"PLAIT_CACHE_DIR", "XDG_CACHE_HOME", "HOME"}, *const settings[] = {
                                                                                      "backend=seq", NULL};
  const char *value;
  pl_context *pl = NULL;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *const values[] = {cases[i].named, cases[i].xdg, cases[i].home};
    for (int k = 0; k < 3; k++) values[k] ? setenv(names[k], values[k], 1) : unsetenv(names[k]);
    OK(open_from(NULL, NULL, settings, &pl));
    check_option(pl, "cache_dir", cases[i].folder);
    pl_finalize(&pl);
  }
  unsetenv("PLAIT_CACHE_DIR");
  unsetenv("XDG_CACHE_HOME");
  setenv("HOME", "somewhere", 1);
  OK(open_from(NULL, NULL, settings, &pl));
  OK(pl_get_option(pl, "cache_dir", &value));
  CU_ASSERT(!*value || *value == '/');
  pl_finalize(&pl);
}

/* Of names at one distance the one that begins alike. */
static void test_nearest(void)
{
  static const char *const first[] = {"word", "core", NULL}, *const last[] = {"core", "word", NULL};
  CU_ASSERT_STRING_EQUAL(pl_nearest("cord", first), "core");
  CU_ASSERT_STRING_EQUAL(pl_nearest("CORD", last), "core");
  CU_ASSERT_PTR_NULL(pl_nearest("elements", last));
}

static void test_backends(void)
{
  static const char *const none[] = {"backend=openmp", NULL};
  const char *name = NULL, *why = "";
  pl_context *pl = open_context();
  OK(pl_backend_at(pl, 0, &name, &why));
  CU_ASSERT(!strcmp(name, "seq") && !why);
  FAILS(pl_backend_at(pl, 1, &name, &why), PL_ERR_RANGE, "1");
  CU_ASSERT_STRING_EQUAL(pl_backend_name(pl), "seq");
  CU_ASSERT_EQUAL(pl_backend_threads(pl), 1);
  pl_finalize(&pl);
  FAILS(open_from(NULL, NULL, none, &pl), PL_ERR_BACKEND, "openmp");
  pl_finalize(&pl);
}

static CU_TestInfo tests[] = {{"options", test_options},
                              {"priorities of options", test_priorities},
                              {"the cache folder", test_cache_folder},
                              {"the nearest name", test_nearest},
                              {"backends", test_backends},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("options", tests);
}
