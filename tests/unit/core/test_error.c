/* SPDX-License-Identifier: BSD-2-Clause
 * Error codes, messages and the version.
 */
#include "fake_backend.h"
#include "suite.h"

static void test_errors(void)
{
  pl_context *pl = open_context();
  for (int code = 0; code < PL_ERR_COUNT; code++) {
    CU_ASSERT(strlen(pl_errtext((pl_err)code)) > 0);
    CU_ASSERT(!strncmp(pl_errname((pl_err)code), "PL_", 3));
  }
  CU_ASSERT_STRING_EQUAL(pl_errname(PL_ERR_ARG), "PL_ERR_ARG");
  CU_ASSERT_STRING_EQUAL(pl_errtext((pl_err)-1), "unknown error code");
  CU_ASSERT_STRING_EQUAL(pl_errname((pl_err)PL_ERR_COUNT), "unknown");
  CU_ASSERT_EQUAL(pl_fail(pl, PL_ERR_RANGE, "set \"%s\": %d", "a", -3), PL_ERR_RANGE);
  CU_ASSERT_STRING_EQUAL(pl_errmsg(pl), "set \"a\": -3");
  CU_ASSERT_EQUAL(pl_fail_in(pl, PL_ERR_RANGE, "reading %s", "x"), PL_ERR_RANGE);
  CU_ASSERT_STRING_EQUAL(pl_errmsg(pl), "reading x: set \"a\": -3");
  FAILS(pl_fail_memory(pl, 4096), PL_ERR_MEMORY, "4096");
  int a = 1, *none = NULL;
  CU_ASSERT_EQUAL(PL_GIVEN(pl, "call", &a, pl), PL_SUCCESS);
  CU_ASSERT_EQUAL(PL_GIVEN(pl, "call", &a, none, pl), PL_ERR_ARG);
  CU_ASSERT_STRING_EQUAL(pl_errmsg(pl), "call: argument none is NULL");
  CU_ASSERT_EQUAL(PL_GIVEN_FOR(pl, "call", "cells", &a, none), PL_ERR_ARG);
  CU_ASSERT_STRING_EQUAL(pl_errmsg(pl), "call of \"cells\": argument none is NULL");
  CU_ASSERT(strstr(pl_errmsg(NULL), "no context") != NULL);
  CU_ASSERT_EQUAL(PL_GIVEN(NULL, "call", none), PL_ERR_NULL);
  CU_ASSERT_STRING_EQUAL(pl_errmsg(pl), "call: argument none is NULL"); /* kept by the thread */
  CU_ASSERT_STRING_EQUAL(pl_errmsg(NULL), "call: argument none is NULL");
  CU_ASSERT_EQUAL(pl_fail(NULL, PL_ERR_ARG, "%s without a context", "call"), PL_ERR_NULL);
  CU_ASSERT_STRING_EQUAL(pl_errmsg(pl), "call without a context");
  FAILS(pl_fail(pl, PL_ERR_RANGE, "later"), PL_ERR_RANGE, "later");
  CU_ASSERT_STRING_EQUAL(pl_version(), PLAIT_VERSION);
  pl_finalize(&pl);
  CU_ASSERT_PTR_NULL(pl);
  pl_finalize(&pl);
  pl_finalize(NULL);
}

static CU_TestInfo tests[] = {{"errors", test_errors}, CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("error", tests);
}
