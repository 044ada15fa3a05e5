/* SPDX-License-Identifier: BSD-2-Clause
 * The dialect table: a backend without a row is refused, not taken for another one; PTX is only in the row
 * for compilers that take it.
 */
#include "backends/device/driver.h"
#include "backends/device_loop/device_open.h"
#include "codegen/target/prelude.h"
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

static bool words_have(const char *target, const char *what)
{
  pl_string text;
  pl_string_init(&text, pl);
  pl_print_device_words(&text, pl_dialect_find(target));
  const bool found = strstr(pl_string_chars(&text), what) != NULL;
  pl_string_free(&text);
  return found;
}

static void test_ptx(void)
{
  CU_ASSERT(words_have("opencl_ptx", "shfl.sync") && words_have("opencl_ptx", "#define FROM_LANE"));
  CU_ASSERT(words_have("opencl_ptx", "#define WARPS 8"));
  CU_ASSERT(!words_have("opencl", "asm") && !words_have("opencl", "#define FROM_LANE"));
  CU_ASSERT(words_have("opencl", "#define WARPS 1"));
}

static CU_TestInfo tests[] = {
  {"unknown target", test_unknown_target}, {"PTX in OpenCL", test_ptx}, CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run_each("dialect", open_text_context, close_text_context, tests);
}
