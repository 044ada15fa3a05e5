/* SPDX-License-Identifier: BSD-2-Clause
 * Recorded loops that repeat run in complete periods, without the last one: 64 or more, or 256 where a set is
 * large; a full queue runs in any case.
 */
#include "core/chain/queue_period.h"
#include "core/loop/loop.h"
#include "suite.h"

enum { LARGE = 1000 };

static pl_op op[PL_QUEUE_CAPACITY];
static int border[PL_QUEUE_CAPACITY];

/* Records loops that repeat after `period`, one of them over so many elements, until some are ready. Returns
 * how many are; *recorded of how many. */
static int record(int period, int64_t elements, int *recorded)
{
  pl_set set = {.global_size = 10}, other = {.global_size = elements};
  pl_loop loop[PL_QUEUE_CAPACITY];
  pl_deferred queue = {.op = op, .border = border, .large = LARGE};
  for (int i = 0; i < period; i++)
    loop[i] = (pl_loop){.id = (uint64_t)i + 1, .set = i == period / 2 ? &other : &set};
  int ready = 0;
  for (*recorded = 0; *recorded < PL_QUEUE_CAPACITY && !ready; ready = pl_queue_count_ready(&queue)) {
    op[*recorded] = (pl_op){.loop = &loop[*recorded % period]};
    queue.count = ++*recorded;
    pl_queue_note_op(&queue, *recorded - 1);
  }
  return ready;
}

static void check_batch(int period, int64_t elements, int wanted)
{
  int recorded;
  CU_ASSERT_EQUAL(record(period, elements, &recorded), wanted);
  CU_ASSERT_EQUAL(recorded, wanted + period);
}

static void small_sets(void)
{
  check_batch(1, LARGE - 1, 64);
  check_batch(13, LARGE - 1, 65);
  check_batch(100, LARGE - 1, 100);
}

static void large_sets(void)
{
  check_batch(1, LARGE, 256);
  check_batch(13, LARGE, 260);
  check_batch(100, LARGE, 300);
}

/* A period that does not fit twice, and one of which no long batch fits. */
static void full_queue(void)
{
  int recorded;
  CU_ASSERT_EQUAL(record(PL_QUEUE_CAPACITY, LARGE, &recorded), PL_QUEUE_CAPACITY);
  CU_ASSERT_EQUAL(record(200, LARGE, &recorded), 200);
  CU_ASSERT_EQUAL(recorded, PL_QUEUE_CAPACITY);
}

static CU_TestInfo tests[] = {
  {"small sets", small_sets}, {"large sets", large_sets}, {"full queue", full_queue}, CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("period of the queue", tests);
}
