/* SPDX-License-Identifier: BSD-2-Clause
 * Loops and programs on devices with fewer capabilities: without double precision, without 64-bit atomics.
 * The test changes the device's record before the first loop.
 */
#include "device_suite.h"

enum { CELLS = 70, EDGES = 900 };

PL_KERNEL(limited_double, (double *x), { x[0] += 1; })
PL_KERNEL(limited_float, (float *x), { x[0] += 1; })
PL_KERNEL(limited_spread, (const int64_t w[1], int64_t *sum), { sum[0] += w[0]; })

/* Doubles are refused with a message that names a remedy, and floats work. */
static void test_no_double(void)
{
  pl_context *pl = NULL;
  pl_set *set = NULL;
  pl_dat *x = NULL, *y = NULL;
  float out[CELLS];
  OK(open_with(NULL, &pl));
  pl_device_of(pl)->has_double = false;
  OK(pl_decl_set(pl, CELLS, "set", &set));
  OK(pl_decl_dat(set, 1, PL_DOUBLE, NULL, "x", &x));
  OK(pl_decl_dat(set, 1, PL_FLOAT, NULL, "y", &y));
  CU_ASSERT_EQUAL(pl_par_loop(limited_double, set, DIRECT(x, PL_RW)), PL_ERR_BACKEND);
  const char *said = pl_errmsg(pl);
  CU_ASSERT(strstr(said, "limited_double") && strstr(said, "\"x\"") && strstr(said, "no double precision") &&
            strstr(said, "use float"));
  OK(pl_par_loop(limited_float, set, DIRECT(y, PL_RW)));
  OK(pl_dat_fetch(y, out));
  for (int i = 0; i < CELLS; i++) CU_ASSERT_EQUAL(out[i], 1);
  pl_finalize(&pl);
}

/* Increments of 64-bit values use another strategy than the requested atomics, and the profile says why. */
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
  OK(open_with("conflict=atomic", &pl));
  pl_device_of(pl)->has_atomics_64 = false;
  OK(pl_decl_set(pl, CELLS, "cells", &cells));
  OK(pl_decl_set(pl, EDGES, "edges", &edges));
  OK(pl_decl_map(edges, cells, 1, index, "map", &map));
  OK(pl_decl_dat(edges, 1, PL_INT64, w, "w", &dw));
  OK(pl_decl_dat(cells, 1, PL_INT64, NULL, "sum", &dsum));
  CU_ASSERT_EQUAL(pl_par_loop(limited_spread, edges, DIRECT(dw, PL_READ), pl_arg_dat(dsum, 0, map, PL_INC)),
                  PL_SUCCESS);
  OK(pl_dat_fetch(dsum, out));
  for (int i = 0; i < CELLS; i++) CU_ASSERT_EQUAL(out[i], sum[i]);
  OK(pl_profile_at(pl, 0, &line));
  if (!strstr(line.variant, "no 64-bit atomics")) fprintf(stderr, "\n%s\n", line.variant);
  CU_ASSERT(strstr(line.variant, "no 64-bit atomics") != NULL);
  pl_finalize(&pl);
}

static CU_TestInfo tests[] = {
  {"no double precision", test_no_double}, {"no 64-bit atomics", test_no_atomics}, CU_TEST_INFO_NULL};

int main(int argc, char **argv)
{
  return device_suite_main(argc, argv, "device_capabilities", tests);
}
