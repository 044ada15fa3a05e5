/* SPDX-License-Identifier: BSD-2-Clause
 * A device starts in the background; an error of the start is that of the first use. On a driver without a
 * device (fake_cuda.c), whose start waits until the test lets it go on, or fails.
 */
#include "device_suite.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 100 };

PL_KERNEL(start_set, (double *x), { x[0] = 1; })

/* The start fails after some seconds without this. */
static void let_start(void)
{
  void (*go_on)(void) = NULL;
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD), *symbol = dlsym(driver, "fake_start");
  memcpy(&go_on, &symbol, sizeof symbol);
  go_on();
  dlclose(driver);
}

static pl_err run_loop(pl_set *cells, pl_dat *x)
{
  return pl_par_loop(start_set, cells, DIRECT(x, PL_WRITE));
}

/* A context whose device starts as `start` says, and a dat on a set. */
static pl_context *begin(const char *start, pl_set **cells, pl_dat **x)
{
  pl_context *pl;
  setenv("FAKE_START", start, 1);
  OK(open_with(NULL, &pl));
  OK(pl_decl_set(pl, CELLS, "cells", cells));
  OK(pl_decl_dat(*cells, 1, PL_DOUBLE, NULL, "x", x));
  return pl;
}

static void end(pl_context *pl)
{
  pl_finalize(&pl);
  unsetenv("FAKE_START");
}

static void test_background(void)
{
  pl_set *cells;
  pl_dat *x;
  pl_context *pl = begin("waits", &cells, &x);
  let_start();
  OK(run_loop(cells, x));
  end(pl);
}

static void test_unused(void)
{
  pl_set *cells;
  pl_dat *x;
  pl_context *pl = begin("waits", &cells, &x);
  let_start();
  end(pl);
}

static void test_failure(void)
{
  pl_set *cells;
  pl_dat *x;
  pl_context *pl = begin("fails", &cells, &x);
  for (int k = 0; k < 2; k++) {
    CU_ASSERT_EQUAL(run_loop(cells, x), PL_ERR_MEMORY);
    CU_ASSERT(strstr(pl_errmsg(pl), "CUDA device fake: creating a context: ") != NULL);
    CU_ASSERT_EQUAL(pl_dat_to_device(x), PL_ERR_MEMORY);
  }
  end(pl);
}

int main(int argc, char **argv)
{
  CU_TestInfo tests[] = {
    {"background", test_background}, {"unused", test_unused}, {"failure", test_failure}, CU_TEST_INFO_NULL};
  return device_suite_main(argc, argv, "start", tests);
}
