/* SPDX-License-Identifier: BSD-2-Clause
 * The main function of a CUnit program.
 */
#ifndef PLAIT_TESTS_SUITE_H
#define PLAIT_TESTS_SUITE_H

#include <CUnit/Basic.h>

/* Runs a suite of tests, the second form with a set-up and a tear-down for each test. Returns the exit status
 * of main: 0 only if tests ran and all of them passed. */
int suite_run(const char *name, CU_TestInfo *tests);
int suite_run_each(const char *name, CU_SetUpFunc set_up, CU_TearDownFunc tear_down, CU_TestInfo *tests);

#endif
