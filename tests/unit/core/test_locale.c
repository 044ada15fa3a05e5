/* SPDX-License-Identifier: BSD-2-Clause
 * Results do not depend on the program's locale: numbers have a decimal point, and options are found. Skipped
 * where localedef cannot make the locales.
 */
#include "checks.h"
#include "core/context/string_builder.h"
#include "sandbox.h"
#include <ctype.h>
#include <locale.h>
#include <stdlib.h>

/* Makes a locale in the test's folder and enters it; false: it cannot be made. */
static bool enter(const char *language, const char *letters)
{
  char command[2 * PATH_MAX], name[64];
  snprintf(name, sizeof name, "%s.%s", language, letters);
  snprintf(command, sizeof command, "localedef -i %s -f %s '%s/%s' >/dev/null 2>&1", language, letters,
           sandbox_folder, name);
  (void)!system(command);
  setenv("LOCPATH", sandbox_folder, 1);
  if (setlocale(LC_ALL, name)) return true;
  printf("[skipped: localedef cannot make %s] ", name);
  return false;
}

static void leave(void)
{
  setlocale(LC_ALL, "C");
  unsetenv("LOCPATH");
}

/* No digit stands before a comma and another digit. */
static void has_points(const char *text)
{
  bool found = false;
  for (const char *p = text; *p && !found; p++)
    found = p[0] == ',' && p > text && isdigit((unsigned char)p[-1]) && isdigit((unsigned char)p[1]);
  CU_ASSERT_FALSE(found);
  if (found) fprintf(stderr, "\na decimal comma: %s\n", text);
}

PL_KERNEL(add_quarter, (double *x), { x[0] += 0.25; })
PL_KERNEL(not_a_sum, (double *x), {
  double *y = x;
  y[0] = 0.25;
})

static pl_set *run_loops(pl_context *pl, pl_dat **x)
{
  pl_set *set;
  PL_OK(pl, pl_decl_set(pl, 1000, "set", &set));
  PL_OK(pl, pl_decl_dat(set, 1, PL_DOUBLE, NULL, "x", x));
  for (int i = 0; i < 3; i++)
    PL_OK(pl, pl_par_loop(add_quarter, set, pl_arg_dat(*x, PL_ID, PL_DIRECT, PL_RW)));
  return set;
}

static int count(const char *text, char c)
{
  int n = 0;
  for (; *text && *text != '\n'; text++) n += *text == c;
  return n;
}

static void profiles(void)
{
  static const char *const names[] = {"profile.csv", "profile.json", "profile.txt"};
  pl_dat *x;
  if (!enter("de_DE", "UTF-8")) return;
  pl_context *pl = CONTEXT("backend=seq", "mpi=off");
  run_loops(pl, &x);
  for (int i = 0; i < 3; i++) {
    const char *path = sandbox_path(sandbox_folder, names[i]);
    OK(pl_profile_write(pl, path));
    char *text = sandbox_read(path, NULL);
    if (i) has_points(text);
    for (const char *line = text; !i && *line; line = strchr(line, '\n') + 1)
      CU_ASSERT_EQUAL(count(line, ','), count(text, ','));
    free(text);
  }
  pl_finalize(&pl);
  leave();
}

static void messages(void)
{
  const double low[2] = {0.5, 0}, high[2] = {0.25, 1};
  pl_dat *x;
  pl_domain *domain;
  if (!enter("de_DE", "UTF-8")) return;
  pl_context *pl = CONTEXT("backend=seq", "mpi=off", "check=1");
  pl_set *set = run_loops(pl, &x);
  FAILS(pl_decl_domain(pl, 2, low, high, NULL, "box", &domain), PL_ERR_RANGE, "from 0.5 to 0.25");
  CU_ASSERT_EQUAL(pl_par_loop(not_a_sum, set, pl_arg_dat(x, PL_ID, PL_DIRECT, PL_INC)), PL_ERR_CHECK);
  has_points(pl_errmsg(pl));
  pl_finalize(&pl);
  leave();
}

/* Generated code, options and reports are built of these strings. */
static void strings(void)
{
  char expected[700];
  pl_string text;
  if (!enter("de_DE", "UTF-8")) return;
  pl_context *pl = CONTEXT("backend=seq", "mpi=off");
  pl_string_init(&text, pl);
  pl_string_add(&text, "%.2f %g", 1234.5, 0.25);
  CU_ASSERT_STRING_EQUAL(pl_string_chars(&text), "1234.50 0.25");
  pl_string_add(&text, "%600.1f", 0.5); /* longer than its buffer */
  memset(expected, ' ', sizeof expected);
  memcpy(expected, "1234.50 0.25", 12);
  strcpy(expected + 609, "0.5");
  CU_ASSERT_STRING_EQUAL(pl_string_chars(&text), expected);
  pl_string_free(&text);
  pl_finalize(&pl);
  leave();
}

/* In Turkish the capital of i is not I. */
static void option_names(void)
{
  const char *value;
  if (!enter("tr_TR", "ISO-8859-9")) return;
  setenv("PLAIT_BLOCK_SIZE", "128", 1);
  setenv("PLAIT_MPI", "off", 1);
  pl_context *pl = CONTEXT("backend=seq");
  OK(pl_get_option(pl, "block_size", &value));
  CU_ASSERT_STRING_EQUAL(value, "128");
  pl_finalize(&pl);
  unsetenv("PLAIT_BLOCK_SIZE");
  unsetenv("PLAIT_MPI");
  leave();
}

static CU_TestInfo tests[] = {{"profiles", profiles},
                              {"messages", messages},
                              {"strings", strings},
                              {"names of options", option_names},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return sandbox_main("locale", tests);
}
