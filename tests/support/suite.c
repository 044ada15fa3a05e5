/* SPDX-License-Identifier: BSD-2-Clause
 * Registers and runs one CUnit suite.
 */
#include "suite.h"

int suite_run_each(const char *name, CU_SetUpFunc set_up, CU_TearDownFunc tear_down, CU_TestInfo *tests)
{
  CU_SuiteInfo suites[] = {{name, NULL, NULL, set_up, tear_down, tests}, CU_SUITE_INFO_NULL};
  if (CU_initialize_registry() || CU_register_suites(suites)) return 2;
  CU_basic_set_mode(CU_BRM_VERBOSE);
  CU_basic_run_tests();
  const unsigned failures = CU_get_number_of_failures(), ran = CU_get_number_of_tests_run();
  CU_cleanup_registry();
  return failures > 0 || !ran;
}

int suite_run(const char *name, CU_TestInfo *tests)
{
  return suite_run_each(name, NULL, NULL, tests);
}
