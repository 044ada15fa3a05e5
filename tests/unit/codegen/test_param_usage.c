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

/* 1 + the largest numbers in the brackets of z. */
static void expect_reach(const char *body, int first, int second)
{
  pl_signature signature;
  pl_kernel kernel = kernel_of("(double *x, double z[2][3][9])", body);
  OK(pl_signature_parse(pl, &kernel, &signature));
  CU_ASSERT_EQUAL(signature.param[1].uses.reach[0], first);
  CU_ASSERT_EQUAL(signature.param[1].uses.reach[1], second);
  pl_signature_free(&signature);
}

/* The sanitizers find writes behind the two numbers. */
static void test_reach(void)
{
  expect_reach("{ z[1][2][8] = x[3]; z[0][0][7] = 0; }", 2, 3);
  expect_reach("{ double *at = z[1][2]; at[8] = 0; }", 2, 3);
  expect_reach("{ for (int i = 0; i < 2; i++) z[i][1][8] = z[i][i][i]; }", 0, 2);
}

/* How many values of x the body leaves at zero. */
static void expect_clears(const char *body, int expected)
{
  pl_signature signature;
  pl_kernel kernel = kernel_of("(double *x, double *y)", body);
  OK(pl_signature_parse(pl, &kernel, &signature));
  CU_ASSERT_EQUAL(signature.param[0].uses.clears, expected);
  if (signature.param[0].uses.clears != expected) fprintf(stderr, "%s\n", body);
  pl_signature_free(&signature);
}

static void test_clears(void)
{
  expect_clears("{ x[0] = 0; }", 1);
  expect_clears("{ *x = 0.0f; y[0] = 1; }", 1);
  expect_clears("{ x[1] = 0; x[2] = 0.; x[0] = 0; }", 3);
  expect_clears("{ x[2] = 0; x[0] = 0; }", 1);
  expect_clears("{ for (int k = 0; k < 4; k++) { y[k] += x[k]; x[k] = 0.0; *y += 1; } }", 4);
  expect_clears("{ x[7] = 1; for (int k = 0; k < 3; ++k) x[k] = 0; }", 3);
  expect_clears("{ for (int k = 0; k < 3; k++) x[k] = 0; x[3] = 0; }", 4);
  expect_clears("{ for (int k = 0; k < 64; k++) x[k] = 0; }", 64);
  expect_clears("{ if (*y > 0) { x[0] = 1; } else { x[1] = 2; } x[0] = 0; }", 1);
  /* another value, or not always */
  expect_clears("{ x[0] = 1; }", 0);
  expect_clears("{ x[0] = -0.0; }", 0);
  expect_clears("{ x[0] = 0x0; x[0] += 0; }", 0);
  expect_clears("{ if (*y > 0) x[0] = 0; }", 0);
  expect_clears("{ if (*y > 0) return; x[0] = 0; }", 0);
  expect_clears("{ MAYBE; x[0] = 0; }", 0);
  expect_clears("{ MAYBE(*y) x[0] = 0; }", 0);
  expect_clears("{ for (int k = 0; k < 4; k++) { if (y[k]) continue; x[k] = 0; } }", 0);
  expect_clears("{ for (int k = 0; k < 4; k++) { x[k] = 0; if (y[k]) x[k] = 1; } }", 0);
  expect_clears("{ for (int k = 0; k < 4; k++) { x[k] = 0; x[0] += y[k]; } }", 0);
  expect_clears("{ for (int k = 0; k < 4; k++) { k++; x[k] = 0; } }", 0);
  expect_clears("{ for (int k = 0; k < 4; k += 2) x[k] = 0; }", 0);
  expect_clears("{ for (int k = 1; k < 4; k++) x[k] = 0; }", 0);
  expect_clears("{ for (int k = 0; k < N; k++) x[k] = 0; }", 0);
  expect_clears("{ for (int k = 0; k < 4; k++) x[k + 1] = 0; }", 0);
  expect_clears("{ int k = 0; x[k] = 0; }", 0);
  expect_clears("{ x[0] = 0; x[0] = y[0]; }", 0);
  expect_clears("{ x[0] = x[1] = 0; }", 0);
  expect_clears("{ x[0] = 0; x[1] = 1; }", 0);
  /* other names for it */
  expect_clears("{ double *p = x; x[0] = 0; *p = 1; }", 0);
  expect_clears("{ double *p = &x[0]; x[0] = 0; *p = 1; }", 0);
  expect_clears("{ double *p = x + 1; x[0] = 0; p[-1] = 1; }", 0);
  expect_clears("{ change(x); x[0] = 0; }", 0);
  expect_clears("{ double z = twice(y[0]); x[0] = 0; y[0] = z; }", 1);
  expect_clears("{ double x[1]; x[0] = 0; }", 0);
  expect_clears("{\n#define y x\n x[0] = 0; y[0] = 1; }", 0);
  expect_clears("{ x[0] = 0; again: y[0] = 1; goto again; }", 0);
}

/* How many values are added to x and subtracted from y. */
static void expect_opposite(const char *body, int expected)
{
  pl_signature signature;
  pl_kernel kernel = kernel_of("(const double *f, double *x, double *y)", body);
  OK(pl_signature_parse(pl, &kernel, &signature));
  CU_ASSERT_EQUAL(signature.param[2].negates, expected);
  if (expected) CU_ASSERT_EQUAL(signature.param[2].negated, 1);
  if (signature.param[2].negates != expected) fprintf(stderr, "%s\n", body);
  pl_signature_free(&signature);
}

static void test_opposite(void)
{
  expect_opposite("{ x[0] += f[0]; y[0] -= f[0]; }", 1);
  expect_opposite("{ double g = f[0]; *x -= 2 * g; *y += 2 * g; g = 1; x[1] += g; y[1] -= g; }", 2);
  expect_opposite("{ x[1] += f[0]; x[0] -= f[1]; y[0] += f[1]; y[1] -= f[0]; }", 2);
  expect_opposite(
    "{ for (int k = 0; k < 4; k++) { double g = f[k]; x[k] += g; y[k] -= g; } x[4] += f[0]; y[4] -= f[0]; }",
    5);
  /* other values, or not each of them */
  expect_opposite("{ x[0] += f[0]; y[0] += f[0]; }", 0);
  expect_opposite("{ x[0] += f[0]; y[0] -= f[1]; }", 0);
  expect_opposite("{ x[0] += f[0]; y[1] -= f[0]; }", 0);
  expect_opposite("{ x[1] += f[0]; y[1] -= f[0]; }", 0);
  expect_opposite("{ x[0] += f[0]; y[0] -= f[0]; x[1] += f[1]; }", 0);
  expect_opposite("{ x[0] += f[0]; y[0] -= f[0]; x[0] += f[1]; y[0] -= f[1]; }", 0);
  expect_opposite("{ double g = f[0]; x[0] += g; g = 1; y[0] -= g; }", 0);
  expect_opposite("{ double g = f[0]; x[0] += g++; y[0] -= g++; }", 0);
  expect_opposite("{ x[0] += next(f); y[0] -= next(f); }", 0);
  expect_opposite("{ x[0] += f[0]; y[0] -= f[0]; y[0] = 1; }", 0);
  expect_opposite("{ x[0] += f[0]; y[0] -= f[0]; change(y); }", 0);
  /* not always */
  expect_opposite("{ if (f[0] > 0) { x[0] += f[0]; y[0] -= f[0]; } }", 0);
  expect_opposite("{ if (f[0] > 0) return; x[0] += f[0]; y[0] -= f[0]; }", 0);
  expect_opposite("{ for (int k = 0; k < 2; k++) { if (f[k] > 0) break; x[k] += f[k]; y[k] -= f[k]; } }", 0);
  expect_opposite("{ for (int k = 0; k < 2; k++) { x[0] += f[k]; y[0] -= f[k]; } }", 0);
  expect_opposite("{ for (int k = 0; k < 2; k++) { k++; x[k] += f[k]; y[k] -= f[k]; } }", 0);
  expect_opposite("{ double y[1]; x[0] += f[0]; y[0] -= f[0]; }", 0);
}

static CU_TestInfo tests[] = {
  {"values left at zero", test_clears},        {"increments with opposite signs", test_opposite},
  {"numbers in brackets", test_reach},         {"writes", test_writes},
  {"parameters that are only set", test_sets}, CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run_each("param_usage", open_text_context, close_text_context, tests);
}
