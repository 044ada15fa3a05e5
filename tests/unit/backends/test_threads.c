/* SPDX-License-Identifier: BSD-2-Clause
 * The backend openmp where the process may create no thread: it runs on those that there are.
 */
#include "checks.h"
#include "sandbox.h"
#include <plait.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { N = 200000 }; /* enough for all threads */

PL_KERNEL(count_up, (double *x), { *x += 1; })

static int run_loop(void)
{
  static const char *const options[] = {"backend=openmp", "jit=off", "mpi=off", NULL};
  const pl_settings settings = {.options = options};
  pl_context *pl = NULL;
  pl_set *set;
  pl_dat *x;
  double *value;
  int wrong = pl_init(NULL, NULL, &settings, &pl) || pl_decl_set(pl, N, "set", &set) ||
              pl_decl_dat(set, 1, PL_DOUBLE, NULL, "x", &x) ||
              pl_par_loop(count_up, set, pl_arg_dat(x, PL_ID, PL_DIRECT, PL_RW)) ||
              pl_dat_get(x, PL_READ, (void **)&value);
  for (int i = 0; !wrong && i < N; i++) wrong = value[i] != 1;
  pl_finalize(&pl);
  return wrong;
}

static int without_threads(void)
{
  const struct rlimit none = {0, 0};
  return setrlimit(RLIMIT_NPROC, &none) ? 2 : run_loop();
}

static void test_limit(void)
{
  int before = sandbox_capture_stderr();
  int wrong = sandbox_child(without_threads, true);
  char *said = sandbox_captured(before);
  CU_ASSERT_EQUAL(wrong, 0);
  CONTAINS(said, "only 1 of 4 threads");
  free(said);
}

static CU_TestInfo tests[] = {{"threads that cannot be created", test_limit}, CU_TEST_INFO_NULL};

/* OMP_NUM_THREADS is read when the process starts. argv[0] has a path, also under valgrind. */
int main(int argc, char **argv)
{
  const char *threads = getenv("OMP_NUM_THREADS");
  if (argc == 1 && (!threads || strcmp(threads, "4")))
    return setenv("OMP_NUM_THREADS", "4", 1) || execv(argv[0], argv);
  sandbox_clear_options();
  pl_context *pl = NULL;
  const pl_settings settings = {.options = (const char *const[]){"backend=openmp", "mpi=off", NULL}};
  int missing = pl_init(NULL, NULL, &settings, &pl);
  pl_finalize(&pl);
  return missing ? 77 : sandbox_main("threads", tests);
}
