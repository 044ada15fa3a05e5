/* SPDX-License-Identifier: BSD-2-Clause
 * Top-level units of kernel sources: functions, prototypes, variables and others.
 */
#include "codegen/kernel/kernel_outline.h"
#include "kernel_text.h"

static void expect_outline(const char *text, const char *expected)
{
  static const pl_origin origin = {"kernel", "k", "k.h", 1};
  pl_kernel_outline outline;
  char out[512] = "";
  OK(pl_kernel_outline_read(pl, &origin, text, strlen(text), &outline));
  for (int i = 0; i < outline.count; i++) {
    const pl_unit *unit = &outline.unit[i];
    const pl_token *name = unit->name >= 0 ? &outline.tokens.item[unit->name] : NULL;
    snprintf(out + strlen(out), 64, "%c:%.*s ", "fpvo"[unit->kind],
             name && unit->kind != PL_UNIT_OTHER ? (int)name->length : 0, name ? name->text : "");
  }
  expect_same(out, expected);
  pl_kernel_outline_free(&outline);
}

static void test_outline(void)
{
  expect_outline("", "");
  expect_outline("#define A 1\nvoid f(int *x) { if (x) { } }\n#undef A\nint g(void);", "f:f p:g ");
  expect_outline("static inline __attribute__((pure)) double f(double x) { return x; }", "f:f ");
  expect_outline("void f(int *x) __attribute__((cold)); void f(int *x) {}", "p:f f:f ");
  expect_outline("MACRO(3) void f(int *x) {}", "f:f ");
  expect_outline("struct p { double x; }; struct p f(struct p a) { return a; } struct p; struct p v;",
                 "o: f:f o: v:v ");
  expect_outline("typedef double real; typedef int (*fn)(int); enum { A, B };", "o: o: o: ");
  expect_outline("static const double w[3] = {f(1), 2, 3}; extern double gam, x; int i = 1, j = 2;",
                 "v:w v:gam v:i ");
  expect_outline("extern \"C\" {\nvoid f(int *x) {}\n}\nvoid g(int *x) {}", "o: f:f o: f:g ");
  expect_outline("#if 0\nvoid f(int *x) {\n#endif\nvoid g(int *x) {}", "f:g ");
  expect_outline(";; void f(int *x) {}; int", "o: o: f:f o: o: ");
}

static void expect_no_outline(const char *text, const char *message)
{
  static const pl_origin origin = {"kernel", "k", "k.h", 10};
  pl_kernel_outline outline;
  expect_error(pl_kernel_outline_read(pl, &origin, text, strlen(text), &outline), PL_ERR_KERNEL, message);
}

static void test_outline_errors(void)
{
  expect_no_outline("\n\nvoid f(int *x) {\n(", "kernel \"k\" (k.h:12): a { here is not closed");
  expect_no_outline("void f(int *x {}", "kernel \"k\" (k.h:10): a ( here is not closed");
  expect_no_outline("void f(int *x) { ( }", "kernel \"k\" (k.h:10): a { here is not closed");
  expect_no_outline("\n/* void f() {}", "kernel \"k\" (k.h:11): a comment is not closed");
  expect_no_outline("char *s = \"abc;\n", "kernel \"k\" (k.h:10): a string is not closed");
  expect_no_outline("char s = 'abc;\n", "kernel \"k\" (k.h:10): a character constant is not closed");
  expect_no_outline("int a; @", "kernel \"k\" (k.h:10): a character here belongs to no C token");
  expect_no_outline(
    "\nvoid f(x, n) double *x; int n; { x[0] = n; }",
    "kernel \"k\" (k.h:11): \"f\" declares its parameters after the parentheses, which not every "
    "target accepts: write their types inside");
}

static CU_TestInfo tests[] = {
  {"outline", test_outline}, {"outline errors", test_outline_errors}, CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run_each("kernel_outline", open_text_context, close_text_context, tests);
}
