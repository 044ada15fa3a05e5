/* SPDX-License-Identifier: BSD-2-Clause
 * Line breaks of kernels that a macro defines: read from the source file, or given up.
 */
#include "codegen/kernel/restore_lines.h"
#include "sandbox.h"
#include <unistd.h>
#include "kernel_text.h"

static const char scratch[] = "test_restore_lines_scratch.c";

static pl_err restore_lines(const pl_kernel *kernel, pl_string *text, int *line)
{
  const pl_macro_text call = {"PL_KERNEL",  kernel->name, kernel->params,
                              kernel->body, kernel->file, kernel->line};
  return pl_restore_lines(pl, &call, text, line);
}

static void expect_restored(const char *file, const char *expected, int expected_line)
{
  pl_string text;
  int line = 0;
  pl_kernel kernel = kernel_of("(double *x, double *y)", "{ x[0] = 1; y[0] = x[0]; }");
  kernel.file = scratch;
  if (file) sandbox_write(scratch, file, strlen(file), 0600);
  pl_string_init(&text, pl);
  CU_ASSERT_EQUAL(restore_lines(&kernel, &text, &line), PL_SUCCESS);
  CU_ASSERT_STRING_EQUAL(pl_string_chars(&text), expected);
  CU_ASSERT_EQUAL(line, expected_line);
  pl_string_free(&text);
  unlink(scratch);
}

static void test_restore(void)
{
  static const char flat[] = "(double *x, double *y) { x[0] = 1; y[0] = x[0]; }";
  expect_restored(NULL, flat, 7);
  expect_restored("", flat, 7);
  expect_restored("\nPL_KERNEL(k, (double *x,\n double *y), {\n x[0] = 1; // one, two\n y[0] = x[0];\n})\n",
                  "(double *x,\n double *y)  {\n x[0] = 1; // one, two\n y[0] = x[0];\n}", 2);
  expect_restored("PL_KERNEL(k, (double *x, double *y), { x[0] = 2; y[0] = x[0]; })", flat, 7);
  expect_restored("PL_KERNEL(k, (double *x, double *y), { x[0] = 1; y[0] = x[0]; } extra)", flat, 7);
  expect_restored("PL_KERNEL(other, (double *x, double *y), { x[0] = 1; y[0] = x[0]; })", flat, 7);
  expect_restored("/* PL_KERNEL(k */ PL_KERNEL(k, (int *x), {})\n@", flat, 7);
  expect_restored("PL_KERNEL(k, (int *x), {})\n\n\nPL_KERNEL(k, (double *x, double *y)\n , // c, d\n { x[0] "
                  "= 1; y[0] = x[0]; })",
                  "(double *x, double *y)\n   // c, d\n { x[0] = 1; y[0] = x[0]; }", 4);
  expect_restored("PL_KERNEL(k, (double *x, double *y), { x[0] = 1; y[0] = x[0]; }", flat, 7);
}

PL_KERNEL(here, (double *x, const double *y), {
  /* a comment, with a comma */
  x[0] = y[0]; // and another
  x[1] = 2.0 * y[1];
})

PL_FUNCTION(double, twice, (double x), { return 2 * x; })

/* The macro above; its text has one line where this file cannot be read. */
static void test_restore_here(void)
{
  pl_string text;
  int line, newlines;
  pl_string_init(&text, pl);
  CU_ASSERT_EQUAL(restore_lines(here, &text, &line), PL_SUCCESS);
  newlines = text.lines;
  if (access(here->file, R_OK) == 0) {
    CU_ASSERT_EQUAL(newlines, 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(text.data, "/* a comment, with a comma */\n"));
    CU_ASSERT(line <= here->line && here->line <= line + 4);
  } else {
    CU_ASSERT_EQUAL(newlines, 0);
  }
  CU_ASSERT_EQUAL(pl_decl_function(pl, twice), PL_SUCCESS);
  CU_ASSERT_EQUAL(twice(1), 2);
  pl_string_free(&text);
}

static CU_TestInfo tests[] = {
  {"line breaks", test_restore}, {"line breaks of this file", test_restore_here}, CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run_each("restore_lines", open_text_context, close_text_context, tests);
}
