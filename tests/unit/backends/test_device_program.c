/* SPDX-License-Identifier: BSD-2-Clause
 * Device programs on a device without 64-bit atomics: 64-bit sums from two 32-bit halves with carry. Any
 * OpenCL device serves; without one the test is skipped.
 */
#include "backends/device/driver.h"
#include "core/context/context.h"
#include "suite.h"
#include <stdlib.h>
#include <string.h>

enum { PLACES = 7, ITEMS = 5000 };

static pl_context *pl;

static const char text[] =
  "KERNEL void add(GLOBAL mm_ulong *sum, GLOBAL mm_long *signed_sum, GLOBAL mm_long *whole, int n) {\n"
  "  LOCAL mm_long mine[1];\n"
  "  if (LOCAL_ID == 0) mine[0] = 0;\n"
  "  SYNC_THREADS;\n"
  "  const int i = GLOBAL_ID;\n"
  "  if (i < n) {\n"
  "    ATOMIC_ADD(&sum[i % 7], (mm_ulong)0xfffffff1UL * (mm_ulong)i);\n"
  "    ATOMIC_ADD(&signed_sum[i % 7], (mm_long)(i % 2 ? -3000000000L : 2999999999L));\n"
  "    ATOMIC_ADD(&mine[0], (mm_long)i * -1000000007L);\n"
  "  }\n"
  "  SYNC_THREADS;\n"
  "  if (LOCAL_ID == 0) ATOMIC_ADD(&whole[0], mine[0]);\n"
  "#ifdef SUPPORTS_64_BIT_ATOMICS\n"
  "  if (i == 0) whole[1] = 1;\n"
  "#endif\n"
  "}\n";

static pl_dat *array(int n, pl_type type)
{
  pl_dat *dat = NULL;
  PL_OK(pl, pl_decl_array(pl, n, 1, type, NULL, "array", &dat));
  return dat;
}

static void halves(void)
{
  uint64_t sum[PLACES] = {0}, got[PLACES];
  int64_t signed_sum[PLACES] = {0}, got_signed[PLACES], whole[2] = {0}, got_whole[2];
  const int32_t n = ITEMS;
  pl_program *program;
  pl_entry *add;
  for (int i = 0; i < ITEMS; i++) {
    sum[i % PLACES] += UINT64_C(0xfffffff1) * (uint64_t)i;
    signed_sum[i % PLACES] += i % 2 ? INT64_C(-3000000000) : INT64_C(2999999999);
    whole[0] += i * INT64_C(-1000000007);
  }
  ((pl_device *)pl->backend_state)->has_atomics_64 = false;
  PL_OK(pl, pl_program_create(pl, text, NULL, "add", &program));
  PL_OK(pl, pl_program_kernel(program, "add", &add));
  pl_dat *const dats[] = {array(PLACES, PL_UINT64), array(PLACES, PL_INT64), array(2, PL_INT64)};
  for (int k = 0; k < 3; k++) PL_OK(pl, pl_entry_dat(add, k, dats[k], PL_INC));
  PL_OK(pl, pl_entry_value(add, 3, PL_INT32, 1, &n));
  PL_OK(pl, pl_entry_run(add, n, 64));
  PL_OK(pl, pl_dat_fetch(dats[0], got));
  PL_OK(pl, pl_dat_fetch(dats[1], got_signed));
  PL_OK(pl, pl_dat_fetch(dats[2], got_whole));
  CU_ASSERT(!memcmp(got, sum, sizeof sum));
  CU_ASSERT(!memcmp(got_signed, signed_sum, sizeof signed_sum));
  CU_ASSERT(!memcmp(got_whole, whole, sizeof whole));
}

static CU_TestInfo tests[] = {{"64 bits by halves", halves}, CU_TEST_INFO_NULL};

int main(void)
{
  const char *options[] = {"backend=opencl", NULL};
  pl_settings settings = {.options = options};
  if (pl_init(NULL, NULL, &settings, &pl)) {
    printf("skipped: %s\n", pl_errmsg(pl));
    pl_finalize(&pl);
    return 77;
  }
  const int result = suite_run("program", tests);
  pl_finalize(&pl);
  return result;
}
