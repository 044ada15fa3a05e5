/* SPDX-License-Identifier: BSD-2-Clause
 * Operators of reductions and scans: only one declared PL_COMMUTATIVE is applied in another order.
 */
#include "codegen/algorithm/reduce_scan.h"
#include "core/arrays/reduce_scan.h"
#include "kernel_text.h"
#include <math.h>

PL_REDUCTION(plain_sum, double, 0.0, a + b, (const double *x), x[i])
PL_REDUCTION(declared_sum, double, 0.0, PL_COMMUTATIVE(a + b), (const double *x), x[i])
PL_SCAN(declared_scan, double, 0.0, PL_COMMUTATIVE(b + a), (const double *x, double *y), x[i],
        { y[i] = item; })
PL_SCAN_SEGMENTED(segments, double, 0.0, PL_COMMUTATIVE(a + b), (const double *x, double *y), x[i], i == 3,
                  { y[i] = item; })
PL_REDUCTION(calling, double, 0.0, PL_COMMUTATIVE(pow(a, b)), (const double *x), x[i])

static void expect_operator(const pl_algorithm *algorithm, bool commutes, const char *operation)
{
  pl_scan_program program;
  pl_set *cells;
  pl_dat *x, *y;
  pl_global *sum;
  const bool scans = algorithm->output != NULL;
  PL_OK(pl, pl_decl_set(pl, 2, "cells", &cells));
  PL_OK(pl, pl_decl_dat(cells, 1, PL_DOUBLE, NULL, "x", &x));
  PL_OK(pl, pl_decl_dat(cells, 1, PL_DOUBLE, NULL, "y", &y));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "sum", &sum));
  const pl_arg args[] = {pl_arg_dat(x, PL_ID, PL_DIRECT, PL_READ), pl_arg_dat(y, PL_ID, PL_DIRECT, PL_WRITE)};
  const pl_scan_call call = {algorithm, cells, scans ? NULL : sum, scans ? 2 : 1, args, false};
  PL_OK(pl, pl_scan_program_make(pl, &call, pl_dialect_find("seq"), &program));
  const char *text = pl_string_chars(&program.text);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, commutes ? "#define PL_COMMUTES 1" : "#define PL_COMMUTES 0"));
  CU_ASSERT_PTR_NOT_NULL(strstr(text, operation));
  pl_scan_program_free(&program);
}

static void test_undeclared(void)
{
  expect_operator(plain_sum, false, "{ return (a + b); }");
}

static void test_declared(void)
{
  expect_operator(declared_sum, true, "{ return (a + b); }");
  expect_operator(declared_scan, true, "{ return (b + a); }");
}

/* Segments and calls are processed in order. */
static void test_exceptions(void)
{
  expect_operator(segments, false, "{ return (a + b); }");
  expect_operator(calling, false, "{ return (pow(a, b)); }");
}

static CU_TestInfo tests[] = {{"undeclared", test_undeclared},
                              {"declared", test_declared},
                              {"segments and calls", test_exceptions},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run_each("scan_vectorise", open_text_context, close_text_context, tests);
}
