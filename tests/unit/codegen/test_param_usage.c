/* SPDX-License-Identifier: BSD-2-Clause
 * How the body of a kernel uses its parameters.
 */
#include "codegen/kernel/signature.h"
#include "kernel_text.h"

/* The names of the parameters that the body certainly writes. */
static void expect_writes(const char *body, const char *expected)
{
  pl_signature signature;
  pl_kernel kernel = kernel_of("(double *x, double *y[2], double z[2][3], pl_cdouble *c)", body);
  char out[8] = "";
  OK(pl_signature_parse(pl, &kernel, &signature));
  for (int i = 0; i < signature.count; i++)
    if (signature.param[i].uses.writes) strcat(out, signature.param[i].name);
  expect_same(out, expected);
  pl_signature_free(&signature);
}

/* Whether the body assigns to x or scales it and uses it in no other way. */
static void expect_set(const char *body, bool expected)
{
  pl_signature signature;
  pl_kernel kernel = kernel_of("(double *x, double *y)", body);
  OK(pl_signature_parse(pl, &kernel, &signature));
  const pl_param_usage *uses = &signature.param[0].uses;
  CU_ASSERT_EQUAL((uses->sets || uses->scales) && !uses->adds && !uses->others, expected);
  pl_signature_free(&signature);
}

static void test_sets(void)
{
  expect_set("{ x[0] = 1; }", true);
  expect_set("{ if (*y > 0) *x = *y; else x[0] = 2; }", true);
  expect_set("{ x[0] *= y[0]; x[0] /= 2; }", true);
  expect_set("{ x[0] += 1; }", false);
  expect_set("{ ++x[0]; x[0] *= 2; }", false);
  expect_set("{ x[0] = 0; for (int i = 0; i < 2; i++) x[0] += y[i]; }", false);
  expect_set("{ x[0] = x[0] + 1; }", false);
  expect_set("{ x[0] = 2 * y[0] + x[0]; }", false);
  expect_set("{ *x = *x - y[0]; }", false);
  expect_set("{ x[0] = fmin(x[0], y[0]); }", true);
  expect_set("{ *x = fmaxf(sqrt(*y), *x); }", true);
  expect_set("{ x[0] = fmin(x[0] + 1, y[0]); }", false);
  expect_set("{ x[0] = twice(x[0], y[0]); }", false);
  expect_set("{ if (y[0] < x[0]) x[0] = y[0]; }", true);
  expect_set("{ x[0] = y[0] > x[0] ? y[0] : x[0]; }", true);
  expect_set("{ x[0] = y[0] > 0 ? x[0] + y[0] : x[0]; }", false);
  expect_set("{ double s = x[0]; s += y[0]; x[0] = s; }", false);
  expect_set("{ x[0] = *y ? 1 : x[1] + 1; }", false);
  expect_set("{ double *p = x; x[0] = 1; }", false);
  expect_set("{ y[0] = x[0] == 1; }", false);
}

static void test_writes(void)
{
  expect_writes("{ x[0] = 1; }", "x");
  expect_writes("{ *x += 1; }", "x");
  expect_writes("{ *x++ = 1; }", "x");
  expect_writes("{ x[y[0][1] > 0]++; --x[1]; }", "x");
  expect_writes("{ double s = 2 * x[0]; x[0] = s; }", "x");
  expect_writes("{ double a = 1, s; s = a * x[0]; if (s > 0) x[0] = a * s; }", "x");
  expect_writes("{ y[0][0] = x[0]; (*y)[1] -= 1; }", "y");
  expect_writes("{ **y = 1; }", "y");
  expect_writes("{ z[1][2] *= 2; c[0].re = x[0]; }", "zc");
  expect_writes("{ (z[0])[1] = 0; }", "z");
  expect_writes("{ double s = x[0] == 1 ? *x : y[0][1]; if (s <= x[0]) s = x[1]; }", "");
  expect_writes("{ x++; x = y[0]; y[0] = x; y[0]++; }", "");
  expect_writes("{ struct { double x[2]; } s; s.x[0] = 1; (&s)->x[1] = 2; }", ""); /* a member's name */
  expect_writes("{ { double x[2]; x[0] = 1; } { const double *y = 0; *y; } }", "");
  expect_writes("{ for (double *x = *y; x; ) *x = 0; }", "");
  expect_writes("{ x[0", "");
}

static CU_TestInfo tests[] = {
  {"writes", test_writes}, {"parameters that are only set", test_sets}, CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run_each("param_usage", open_text_context, close_text_context, tests);
}
