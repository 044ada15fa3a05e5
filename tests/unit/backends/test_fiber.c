/* SPDX-License-Identifier: BSD-2-Clause
 * Fibers: rounds between waits, items that return early, successive groups, the size of a stack and its
 * overflow.
 */
#include "backends/host_algorithms/fiber.h"
#include "checks.h"
#include "suite.h"
#include <plait.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 37, LARGE = 24000 };

static pl_context *pl;

/* The rounds in order of execution: item * 10 + round. */
typedef struct record {
  pl_fibers *fibers;
  int n, done[10 * ITEMS];
} record;

static void rounds(const void *user, int item, int group)
{
  record *r = (record *)(uintptr_t)user;
  for (int round = 0; round <= item % 3 + group; round++) {
    if (round) pl_fibers_wait(r->fibers);
    r->done[r->n++] = item * 10 + round;
  }
}

static void order_of_rounds(void)
{
  record r = {0};
  OK(pl_fibers_open(pl, ITEMS, 1, &r.fibers));
  for (int group = 0; group < 3; group++) {
    int count = ITEMS - group, next = 0;
    r.n = 0;
    pl_fibers_run(r.fibers, rounds, &r, count, group);
    for (int round = 0; round <= 2 + group; round++)
      for (int i = 0; i < count; i++)
        if (round <= i % 3 + group) CU_ASSERT_EQUAL(r.done[next++], i * 10 + round);
    CU_ASSERT_EQUAL(r.n, next);
  }
  pl_fibers_close(&r.fibers);
  CU_ASSERT_PTR_NULL(r.fibers);
}

/* 192,000 bytes on the stack of each item keep their values over a wait. */
static void large(const void *user, int item, int group)
{
  record *r = (record *)(uintptr_t)user;
  volatile double own[LARGE];
  double sum = 0;
  for (int k = 0; k < LARGE; k++) own[k] = item;
  pl_fibers_wait(r->fibers);
  for (int k = 0; k < LARGE; k++) sum += own[k];
  r->done[item] = sum == (double)item * LARGE;
  (void)group;
}

static void large_stacks(void)
{
  record r = {0};
  OK(pl_fibers_open(pl, 8, 1, &r.fibers));
  pl_fibers_run(r.fibers, large, &r, 8, 0);
  for (int i = 0; i < 8; i++) CU_ASSERT(r.done[i]);
  pl_fibers_close(&r.fibers);
}

#ifdef PLAIT_SANITIZED
static void stack_overflow(void)
{
  /* sanitizers report it themselves */
}
#else
static int deeper(int depth)
{
  volatile char own[2000];
  memset((char *)own, depth, sizeof own);
  return depth > 10000 ? 0 : deeper(depth + 1) + own[depth % 2000];
}

static void endless(const void *user, int item, int group)
{
  record *r = (record *)(uintptr_t)user;
  if (item == 1) r->done[0] = deeper(group);
}

/* A stack overflow ends the process by a signal before it reaches another stack. */
static void stack_overflow(void)
{
  int status = 0;
  pid_t child = fork();
  if (!child) {
    record r = {0};
    if (pl_fibers_open(pl, 3, 1, &r.fibers)) _exit(3);
    pl_fibers_run(r.fibers, endless, &r, 3, 0);
    _exit(0);
  }
  CU_ASSERT_FATAL(child > 0 && waitpid(child, &status, 0) == child);
  CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}
#endif

static CU_TestInfo tests[] = {{"order of rounds", order_of_rounds},
                              {"stack size", large_stacks},
                              {"stack overflow", stack_overflow},
                              CU_TEST_INFO_NULL};

int main(void)
{
  pl = CONTEXT("backend=seq");
  const int result = suite_run("fiber", tests);
  pl_finalize(&pl);
  return result;
}
