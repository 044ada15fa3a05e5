/* SPDX-License-Identifier: BSD-2-Clause
 * Recorded loops that repeat run in complete periods, 64 or more, without the last two, of which one may join
 * them; a full queue runs in any case.
 */
#include "core/chain/queue_period.h"
#include "core/loop/loop.h"
#include "suite.h"

static pl_op op[PL_QUEUE_CAPACITY];
static int border[PL_QUEUE_CAPACITY];

/* Records loops that repeat after `period` until some are ready: *ready of *recorded, and *may_join. */
static void record(int period, int *ready, int *recorded, int *may_join)
{
  pl_loop loop[PL_QUEUE_CAPACITY];
  pl_deferred queue = {.op = op, .border = border};
  *ready = 0;
  for (int i = 0; i < period; i++) loop[i] = (pl_loop){.id = (uint64_t)i + 1};
  for (*recorded = 0; *recorded < PL_QUEUE_CAPACITY && !*ready;) {
    op[*recorded] = (pl_op){.loop = &loop[*recorded % period]};
    queue.count = ++*recorded;
    pl_queue_note_op(&queue, *recorded - 1);
    *ready = pl_queue_count_ready(&queue, may_join);
  }
}

static void check_batch(int period, int wanted)
{
  int ready, recorded, may_join;
  record(period, &ready, &recorded, &may_join);
  CU_ASSERT_EQUAL(ready, wanted);
  CU_ASSERT_EQUAL(recorded, wanted + 2 * period);
  CU_ASSERT_EQUAL(may_join, period);
}

static void batches(void)
{
  check_batch(1, 64);
  check_batch(13, 65);
  check_batch(100, 100);
}

static void check_full(int period, int wanted)
{
  int ready, recorded, may_join;
  record(period, &ready, &recorded, &may_join);
  CU_ASSERT_EQUAL(ready, wanted);
  CU_ASSERT_EQUAL(recorded, PL_QUEUE_CAPACITY);
  CU_ASSERT_EQUAL(may_join, 0);
}

/* Periods that fit once, and twice. */
static void full_queue(void)
{
  check_full(PL_QUEUE_CAPACITY, PL_QUEUE_CAPACITY);
  check_full(300, PL_QUEUE_CAPACITY);
  check_full(200, 200);
}

static CU_TestInfo tests[] = {{"batches", batches}, {"full queue", full_queue}, CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("period of the queue", tests);
}
