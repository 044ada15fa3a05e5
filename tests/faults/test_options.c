/* SPDX-License-Identifier: BSD-2-Clause
 * Wrong options: each message holds the given and the expected text.
 */
#include "checks.h"
#include "sandbox.h"
#include "small_program.h"
#include <stdlib.h>
#include <string.h>

/* ---- opening a context ---- */

/* pl_init with one setting, one argument and the current environment; message and code of a failure. */
typedef struct opening {
  pl_err err;
  char message[1024], backend[40];
  int argc;
} opening;

static opening open_with(const char *setting, const char *argument)
{
  opening o = {.argc = 0};
  const char *settings_list[] = {setting, NULL};
  char *list[] = {"program", (char *)argument, "rest", NULL}, **argv = list;
  int argc = 3;
  pl_context *pl;
  if (!argument) list[1] = "first";
  const pl_settings settings = {.options = settings_list};
  o.err = pl_init(&argc, &argv, &settings, &pl);
  CU_ASSERT_PTR_NOT_NULL_FATAL(pl);
  snprintf(o.message, sizeof o.message, "%s", pl_errmsg(pl));
  snprintf(o.backend, sizeof o.backend, "%s", pl_backend_name(pl));
  o.argc = argc;
  CU_ASSERT_STRING_EQUAL(argv[argc - 1], "rest");
  CU_ASSERT_PTR_NULL(argv[argc]);
  pl_finalize(&pl);
  CU_ASSERT_PTR_NULL(pl);
  return o;
}

static void expect_words(const char *text, const char *const *words)
{
  for (; *words; words++) {
    if (!strstr(text, *words)) fprintf(stderr, "\nno \"%s\" in: %s\n", *words, text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, *words));
  }
}

#define EXPECT_WORDS(text, ...) expect_words((text), (const char *const[]){__VA_ARGS__, NULL})

/* ---- backends ---- */

static void test_unknown_backend(void)
{
  opening o = open_with("backend=opemp", NULL);
  CU_ASSERT_EQUAL(o.err, PL_ERR_OPTION);
  EXPECT_WORDS(o.message, "opemp", "did you mean \"openmp\"?", "seq");
  CU_ASSERT_STRING_EQUAL(o.backend, "none");
  o = open_with("backend=", NULL);
  CU_ASSERT_EQUAL(o.err, PL_ERR_OPTION);
  o = open_with("backend=SEQ", NULL);
  CU_ASSERT_EQUAL(o.err, PL_ERR_OPTION);
  EXPECT_WORDS(o.message, "did you mean \"seq\"?");
}

/* A backend that is listed as unavailable gives the same reason when it is selected. */
static void test_missing_backend(void)
{
  pl_context *pl;
  const char *name, *why;
  int count = 0;
  const char *options[] = {"backend=seq", NULL};
  const pl_settings settings = {.options = options};
  OK(pl_init(NULL, NULL, &settings, &pl));
  for (; !pl_backend_at(pl, count, &name, &why); count++) {
    char setting[80];
    snprintf(setting, sizeof setting, "backend=%s", name);
    opening o = open_with(setting, NULL);
    CU_ASSERT_EQUAL(o.err, why ? PL_ERR_BACKEND : PL_SUCCESS);
    if (why) EXPECT_WORDS(o.message, name, why);
    CU_ASSERT_STRING_EQUAL(o.backend, why ? "none" : name);
  }
  CU_ASSERT(count >= 2);
  CU_ASSERT_EQUAL(pl_backend_at(pl, count, NULL, NULL), PL_ERR_RANGE);
  pl_finalize(&pl);
}

/* ---- names ---- */

static void expect_warning(const char *variable, const char *near)
{
  setenv(variable, "1", 1);
  int before = sandbox_capture_stderr();
  opening o = open_with("backend=seq", NULL);
  char *said = sandbox_captured(before);
  unsetenv(variable);
  CU_ASSERT_EQUAL(o.err, PL_SUCCESS);
  char start[70];
  snprintf(start, sizeof start, "%s", variable); /* of a very long name */
  EXPECT_WORDS(said, start, "no effect");
  if (near) {
    char question[80];
    snprintf(question, sizeof question, "did you mean %s?", near);
    EXPECT_WORDS(said, question);
  } else {
    CU_ASSERT_PTR_NULL(strstr(said, "did you mean"));
  }
  CU_ASSERT_EQUAL(strcspn(said, "\n") + 1, strlen(said)); /* one line */
  free(said);
}

static void test_misspelt_variables(void)
{
  expect_warning("PLAIT_BACKENDS", "PLAIT_BACKEND");
  expect_warning("PLAIT_CACHEDIR", "PLAIT_CACHE_DIR");
  expect_warning("PLAIT_PROFIL", "PLAIT_PROFILE");
  expect_warning("PLAIT_check", "PLAIT_CHECK");
  expect_warning("PLAIT_BLOCKSIZE", "PLAIT_BLOCK_SIZE");
  expect_warning("PLAIT_WXYZWXYZWXYZWXYZWXYZ", NULL);
  expect_warning("PLAIT_A_NAME_THAT_IS_A_GOOD_DEAL_LONGER_THAN_ANY_OF_THOSE_THAT_THERE_ARE_IN_THE_TABLE",
                 NULL);
}

/* Known variables, and variables of other programs, give no warning. */
static void test_known_variables(void)
{
  setenv("PLAIT_VERBOSE", "0", 1);
  setenv("PLAITED_HAIR", "1", 1);
  setenv("NOT_PLAIT_BACKEND", "1", 1);
  int before = sandbox_capture_stderr();
  opening o = open_with("backend=seq", NULL);
  char *said = sandbox_captured(before);
  CU_ASSERT_EQUAL(o.err, PL_SUCCESS);
  CU_ASSERT_STRING_EQUAL(said, "");
  free(said);
  unsetenv("PLAIT_VERBOSE");
  unsetenv("PLAITED_HAIR");
  unsetenv("NOT_PLAIT_BACKEND");
}

static void test_misspelt_settings(void)
{
  static const struct {
    const char *setting, *words[3];
  } cases[] = {
    {"bakend=seq", {"bakend", "did you mean \"backend\"?", NULL}},
    {"backend", {"name=value", NULL}},
    {"", {"name=value", NULL}},
    {"=seq", {"no option", NULL}},
    {"block size=3", {"did you mean \"block_size\"?", NULL}},
    {"a_name_that_is_longer_than_any_option_could_ever_be_in_this_world=1", {"name=value", NULL}},
    {"qqqqqqqqqq=1", {"qqqqqqqqqq", NULL}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    opening o = open_with(cases[i].setting, NULL);
    CU_ASSERT_EQUAL(o.err, PL_ERR_OPTION);
    expect_words(o.message, cases[i].words);
  }
  opening o = open_with(NULL, "--plait-bakend=seq");
  CU_ASSERT_EQUAL(o.err, PL_ERR_OPTION);
  EXPECT_WORDS(o.message, "--plait-bakend=seq", "did you mean \"backend\"?");
  CU_ASSERT_EQUAL(o.argc, 2); /* removed nevertheless */
}

/* ---- values ---- */

static const struct {
  const char *name, *variable, *argument, *value, *near;
} bad_values[] = {
  {"block_size", "PLAIT_BLOCK_SIZE", "--plait-block-size", "-1", NULL},
  {"block_size", "PLAIT_BLOCK_SIZE", "--plait-block_size", "many", NULL},
  {"block_size", "PLAIT_BLOCK_SIZE", "--plait-block-size", "", NULL},
  {"block_size", "PLAIT_BLOCK_SIZE", "--plait-block-size", "12x", NULL},
  {"block_size", "PLAIT_BLOCK_SIZE", "--plait-block-size", "99999999999999999999", NULL},
  {"cache_size", "PLAIT_CACHE_SIZE", "--plait-cache-size", "1G", NULL},
  {"check", "PLAIT_CHECK", "--plait-check", "maybe", NULL},
  {"check", "PLAIT_CHECK", "--plait-check", "", NULL},
  {"check", "PLAIT_CHECK", "--plait-check", "0|1", NULL},
  {"conflict", "PLAIT_CONFLICT", "--plait-conflict", "color", "colour"},
  {"shape", "PLAIT_SHAPE", "--plait-shape", "scaler", "scalar"},
  {"shape", "PLAIT_SHAPE", "--plait-shape", "auto|lanes", NULL},
  {"jit", "PLAIT_JIT", "--plait-jit", "of", "off"},
  {"verbose", "PLAIT_VERBOSE", "--plait-verbose", "loud", NULL},
};

static void expect_bad_value(const opening *o, size_t i, const char *where)
{
  char question[80];
  CU_ASSERT_EQUAL(o->err, PL_ERR_OPTION);
  EXPECT_WORDS(o->message, where, bad_values[i].value);
  snprintf(question, sizeof question, "did you mean \"%s\"?", bad_values[i].near ? bad_values[i].near : "");
  if (bad_values[i].near) EXPECT_WORDS(o->message, question);
  CU_ASSERT_STRING_EQUAL(o->backend, "none");
}

static void test_bad_values(void)
{
  for (size_t i = 0; i < sizeof bad_values / sizeof *bad_values; i++) {
    char text[120];
    snprintf(text, sizeof text, "%s=%s", bad_values[i].name, bad_values[i].value);
    opening o = open_with(text, NULL);
    expect_bad_value(&o, i, bad_values[i].name);
    snprintf(text, sizeof text, "%s=%s", bad_values[i].argument, bad_values[i].value);
    o = open_with("backend=seq", text);
    expect_bad_value(&o, i, bad_values[i].name);
    CU_ASSERT_EQUAL(o.argc, 2);
    setenv(bad_values[i].variable, bad_values[i].value, 1);
    o = open_with("backend=seq", NULL);
    unsetenv(bad_values[i].variable);
    expect_bad_value(&o, i, bad_values[i].variable);
  }
}

/* In a running program: refused, without effect. */
static void test_refused_changes(void)
{
  pl_context *pl;
  const char *options[] = {"backend=seq", "block_size=128", NULL}, *value;
  const pl_settings settings = {.options = options};
  OK(pl_init(NULL, NULL, &settings, &pl));
  CU_ASSERT_EQUAL(pl_set_option(pl, "block_size", "-5"), PL_ERR_OPTION);
  CU_ASSERT_EQUAL(pl_set_option(pl, "blocksize", "5"), PL_ERR_OPTION);
  EXPECT_WORDS(pl_errmsg(pl), "did you mean \"block_size\"?");
  CU_ASSERT_EQUAL(pl_get_option(pl, "blocksize", &value), PL_ERR_OPTION);
  OK(pl_get_option(pl, "block_size", &value));
  CU_ASSERT_STRING_EQUAL(value, "128");
  static const char *const fixed[] = {"backend", "device", "cache_dir", "jit"};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
    CU_ASSERT_EQUAL(pl_set_option(pl, fixed[i], "seq"), PL_ERR_STATE);
    EXPECT_WORDS(pl_errmsg(pl), fixed[i], "fixed");
  }
  pl_finalize(&pl);
}

/* The source of highest priority wins; a wrong value in another source is an error nevertheless. */
static void test_sources(void)
{
  setenv("PLAIT_BACKEND", "openmp", 1);
  setenv("PLAIT_BLOCK_SIZE", "64", 1);
  opening o = open_with(NULL, "--plait-backend=seq");
  CU_ASSERT_EQUAL(o.err, PL_SUCCESS);
  CU_ASSERT_STRING_EQUAL(o.backend, "seq");
  CU_ASSERT_EQUAL(o.argc, 2);
  o = open_with("backend=seq", "--plait-backend=openmp");
  CU_ASSERT_STRING_EQUAL(o.backend, "seq");
  setenv("PLAIT_BACKEND", "cray", 1);
  o = open_with("backend=seq", NULL);
  CU_ASSERT_EQUAL(o.err, PL_ERR_OPTION);
  EXPECT_WORDS(o.message, "PLAIT_BACKEND", "cray");
  unsetenv("PLAIT_BACKEND");
  unsetenv("PLAIT_BLOCK_SIZE");
}

/* ---- folders named by options ---- */

static void test_profile_nowhere(void)
{
  char option[PATH_MAX + 32];
  snprintf(option, sizeof option, "profile=%s/no/such/folder/p.csv", sandbox_folder);
  int before = sandbox_capture_stderr();
  small_outcome o = small_run_cached(option, "jit=off");
  char *said = sandbox_captured(before);
  CU_ASSERT(o.right);
  EXPECT_WORDS(said, "profile", "no/such/folder/p.csv", "No such file");
  free(said);
}

/* The folder's parents are created; a file cannot be one. */
static void test_dump_folders(void)
{
  char option[PATH_MAX + 32];
  snprintf(option, sizeof option, "dump=%s/no/such/folder", sandbox_folder);
  CU_ASSERT(small_run_cached(option, NULL).right);
  FILE *file = fopen(sandbox_path(sandbox_folder, "file"), "w");
  CU_ASSERT_FATAL(file && !fclose(file));
  snprintf(option, sizeof option, "dump=%s/file/folder", sandbox_folder);
  small_outcome o = small_run_cached(option, NULL);
  CU_ASSERT_EQUAL(o.err, PL_ERR_IO);
  EXPECT_WORDS(o.message, "dump", "file/folder", "cannot be created", "Not a directory");
  CU_ASSERT_EQUAL(o.stats.compiler_runs, 0);
}

/* As of an option that is a switch. */
static void test_paths(void)
{
  static const char *const wrong[] = {"dump=1", "trace=on", "cache_dir=0"};
  for (int i = 0; i < 3; i++) {
    small_outcome o = small_run_cached(wrong[i], NULL);
    CU_ASSERT_EQUAL(o.err, PL_ERR_OPTION);
    EXPECT_WORDS(o.message, "a path is expected", "\"./", wrong[i] + strlen(wrong[i]) - 1);
  }
}

static CU_TestInfo tests[] = {
  {"an unknown backend", test_unknown_backend},
  {"an unavailable backend", test_missing_backend},
  {"a misspelt variable is one warning", test_misspelt_variables},
  {"known and others' variables are none", test_known_variables},
  {"misspelt settings and arguments", test_misspelt_settings},
  {"bad values from every source", test_bad_values},
  {"refused changes have no effect", test_refused_changes},
  {"a switch is no path", test_paths},
  {"which source wins", test_sources},
  {"a profile that cannot be written", test_profile_nowhere},
  {"folders of a dump", test_dump_folders},
  CU_TEST_INFO_NULL,
};

int main(void)
{
  sandbox_clear_options();
  return sandbox_main("options", tests);
}
