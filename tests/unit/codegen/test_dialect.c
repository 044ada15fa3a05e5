/* SPDX-License-Identifier: BSD-2-Clause
 * The dialect table: a backend without a row is refused, not taken for another one.
 */
#include "backends/device/driver.h"
#include "backends/device_loop/device_open.h"
#include "kernel_text.h"

static void test_unknown_target(void)
{
  static const pl_driver driver = {.name = "metal"};
  void *state = NULL;
  CU_ASSERT_PTR_NULL(pl_dialect_find("metal"));
  expect_error(pl_device_open(pl, &driver, &state), PL_ERR_BACKEND,
               "backend metal cannot generate code: codegen/target/dialect.c has no row for it");
  CU_ASSERT_PTR_NULL(state);
}

static CU_TestInfo tests[] = {{"unknown target", test_unknown_target}, CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run_each("dialect", open_text_context, close_text_context, tests);
}
