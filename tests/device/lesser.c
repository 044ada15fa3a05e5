/* SPDX-License-Identifier: BSD-2-Clause
 * What becomes of loops and programs on a device that can do less than the one at hand: no double precision,
 * no 64-bit atomics. The device's record is told so before the first loop.
 *
 *   device_lesser BACKEND
 *
 * Exit status 77, with the library's sentence, where the backend cannot be used.
 */
#include "backends/device.h"
#include "core/context.h"
#include <CUnit/Basic.h>
#include <stdio.h>
#include <string.h>

enum { SKIPPED = 77, CELLS = 70, EDGES = 900 };

static const char *backend;

#define DIRECT(dat, access) pl_arg_dat((dat), PL_ID, PL_DIRECT, (access))

PL_KERNEL(lesser_double, (double *x), { x[0] += 1; })
PL_KERNEL(lesser_float, (float *x), { x[0] += 1; })
PL_KERNEL(lesser_spread, (const int64_t w[1], int64_t *sum), { sum[0] += w[0]; })

static pl_err open_with(const char *conflict, pl_context **pl)
{
  char name[40];
  snprintf(name, sizeof name, "backend=%s", backend);
  const char *const options[] = {name, conflict, NULL};
  const pl_settings settings = {.options = options};
  return pl_init(NULL, NULL, &settings, pl);
}

/* Doubles are refused with a sentence that says what to do, and floats go on. */
static void test_no_double(void)
{
  pl_context *pl = NULL;
  pl_set *set = NULL;
  pl_dat *x = NULL, *y = NULL;
  float out[CELLS];
  CU_ASSERT_EQUAL_FATAL(open_with(NULL, &pl), PL_SUCCESS);
  pl_device_of(pl)->has_double = false;
  CU_ASSERT_EQUAL(pl_decl_set(pl, CELLS, "set", &set), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_decl_dat(set, 1, PL_DOUBLE, NULL, "x", &x), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_decl_dat(set, 1, PL_FLOAT, NULL, "y", &y), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_par_loop(lesser_double, set, DIRECT(x, PL_RW)), PL_ERR_BACKEND);
  const char *said = pl_errmsg(pl);
  CU_ASSERT(strstr(said, "lesser_double") && strstr(said, "\"x\"") && strstr(said, "no double precision") &&
            strstr(said, "use float"));
  CU_ASSERT_EQUAL(pl_par_loop(lesser_float, set, DIRECT(y, PL_RW)), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_dat_fetch(y, out), PL_SUCCESS);
  for (int i = 0; i < CELLS; i++) CU_ASSERT_EQUAL(out[i], 1);
  pl_finalize(&pl);
}

/* Sums of 64-bit values go another way when atomics are asked for, and the profile says why. */
static void test_no_atomics(void)
{
  int index[EDGES];
  int64_t w[EDGES], sum[CELLS] = {0}, out[CELLS];
  pl_context *pl = NULL;
  pl_set *cells = NULL, *edges = NULL;
  pl_map *map = NULL;
  pl_dat *dw = NULL, *dsum = NULL;
  pl_profile_entry line;
  for (int e = 0; e < EDGES; e++) {
    index[e] = e * 37 % CELLS;
    sum[index[e]] += w[e] = ((int64_t)e << 33) + 1;
  }
  CU_ASSERT_EQUAL_FATAL(open_with("conflict=atomic", &pl), PL_SUCCESS);
  pl_device_of(pl)->has_atomics_64 = false;
  CU_ASSERT_EQUAL(pl_decl_set(pl, CELLS, "cells", &cells), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_decl_set(pl, EDGES, "edges", &edges), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_decl_map(edges, cells, 1, index, "map", &map), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_decl_dat(edges, 1, PL_INT64, w, "w", &dw), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_decl_dat(cells, 1, PL_INT64, NULL, "sum", &dsum), PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_par_loop(lesser_spread, edges, DIRECT(dw, PL_READ), pl_arg_dat(dsum, 0, map, PL_INC)),
                  PL_SUCCESS);
  CU_ASSERT_EQUAL(pl_dat_fetch(dsum, out), PL_SUCCESS);
  for (int i = 0; i < CELLS; i++) CU_ASSERT_EQUAL(out[i], sum[i]);
  CU_ASSERT_EQUAL(pl_profile_at(pl, 0, &line), PL_SUCCESS);
  if (!strstr(line.variant, "no atomics of 64 bits")) fprintf(stderr, "\n%s\n", line.variant);
  CU_ASSERT(strstr(line.variant, "no atomics of 64 bits") != NULL);
  pl_finalize(&pl);
}

static int run_tests(void)
{
  if (CU_initialize_registry() != CUE_SUCCESS) return 2;
  CU_pSuite suite = CU_add_suite("device_lesser", NULL, NULL);
  CU_add_test(suite, "no double precision", test_no_double);
  CU_add_test(suite, "no 64-bit atomics", test_no_atomics);
  CU_basic_set_mode(CU_BRM_VERBOSE);
  CU_basic_run_tests();
  int failures = (int)CU_get_number_of_failures();
  CU_cleanup_registry();
  return failures > 0;
}

int main(int argc, char **argv)
{
  pl_context *pl = NULL;
  if (argc != 2) return 2;
  backend = argv[1];
  pl_err err = open_with(NULL, &pl);
  if (err) printf("skipped: backend %s: %s\n", backend, pl_errmsg(pl));
  pl_finalize(&pl);
  return err ? SKIPPED : run_tests();
}
