/* SPDX-License-Identifier: BSD-2-Clause
 * The tuner, with invented times: whose turn it is, which times count, and what is chosen.
 */
#include "backends/tuning/tuner.h"
#include "checks.h"
#include "suite.h"

/* The alternatives that `runs` calls take, as letters. The last time of an alternative repeats. */
static const char *ways(pl_tuner *tuner, int runs, const double *const *seconds)
{
  static char said[64];
  int n[PL_TUNER_MOST] = {0};
  for (int i = 0; i < runs; i++) {
    int k = pl_tuner_now(tuner);
    said[i] = (char)('a' + k);
    pl_tuner_add(tuner, seconds[k][n[k]], 1.0);
    if (seconds[k][n[k] + 1] > 0) n[k]++;
  }
  said[runs] = '\0';
  return said;
}

static const double slow[] = {1, 0}, fast[] = {0.8, 0}, little[] = {0.98, 0};
static const double *const second[] = {slow, fast}, *const first[] = {fast, slow};
static const pl_tuner_rules two = {.turns = 2, .gain = 1.03}, four = {.turns = 4, .gain = 1.03};

static void open_two(pl_tuner *tuner, const pl_tuner_rules *rules, int favoured, int wait)
{
  pl_tuner_open(tuner, rules, 2, favoured);
  tuner->wait = wait;
}

static void test_choice(void)
{
  pl_tuner tuner;
  open_two(&tuner, &two, 1, 1);
  CU_ASSERT_STRING_EQUAL(ways(&tuner, 9, second), "aababbbbb");
  CU_ASSERT_TRUE(tuner.done && !tuner.confirmed && tuner.chosen == 1);
  open_two(&tuner, &two, 1, 1);
  CU_ASSERT_STRING_EQUAL(ways(&tuner, 9, first), "aababaaaa");
  open_two(&tuner, &four, 0, 6);
  CU_ASSERT_STRING_EQUAL(ways(&tuner, 16, second), "aaaaaaababababbb");
  for (int favoured = 0; favoured < 2; favoured++) { /* a small difference keeps the favoured one */
    open_two(&tuner, &two, favoured, 0);
    ways(&tuner, 4, (const double *const[]){slow, little});
    CU_ASSERT_TRUE(tuner.done && tuner.chosen == favoured);
    open_two(&tuner, &two, favoured, 0);
    ways(&tuner, 4, (const double *const[]){little, slow});
    CU_ASSERT_TRUE(tuner.done && tuner.chosen == favoured);
  }
}

/* Warm-up, slow turns, the first calls of a turn and the mean. */
static void test_times(void)
{
  pl_tuner tuner;
  const double disturbed[] = {3, 0.8, 0}, once[] = {0.1, 1, 1, 0}, spike[] = {5, 0.5, 0},
               spikes[] = {5, 0.5, 5, 0};
  open_two(&tuner, &two, 1, 0);
  ways(&tuner, 4, (const double *const[]){slow, disturbed});
  CU_ASSERT_EQUAL(tuner.chosen, 1);
  open_two(&tuner, &(const pl_tuner_rules){.warm = 1, .turns = 2, .gain = 1}, 0, 0);
  CU_ASSERT_STRING_EQUAL(ways(&tuner, 7, (const double *const[]){once, fast}), "abababb");
  const pl_tuner_rules mean = {.turns = 3, .gain = 1, .mean = true};
  open_two(&tuner, &mean, 0, 0); /* one slow turn of a mean does not count, two do */
  ways(&tuner, 6, (const double *const[]){slow, spike});
  CU_ASSERT_EQUAL(tuner.chosen, 1);
  open_two(&tuner, &mean, 0, 0);
  ways(&tuner, 6, (const double *const[]){slow, spikes});
  CU_ASSERT_EQUAL(tuner.chosen, 0);
  open_two(&tuner, &(const pl_tuner_rules){.turns = 1, .calls = 4, .skipped = 2, .gain = 1}, 0, 0);
  CU_ASSERT_STRING_EQUAL(ways(&tuner, 9, (const double *const[]){slow, spike}), "aaaabbbbb");
  CU_ASSERT_EQUAL(tuner.score[1], 0.5);
}

/* A turn lasts at least `length`; fewer turns suffice after `enough` seconds; times are by unit of work. */
static void test_length(void)
{
  pl_tuner tuner;
  const pl_tuner_rules rules = {.turns = 9, .few = 3, .length = 2, .enough = 6, .gain = 1};
  int calls = 0;
  pl_tuner_open(&tuner, &rules, 3, 0);
  while (!pl_tuner_add(&tuner, 1.0, 1 + pl_tuner_now(&tuner))) calls++;
  CU_ASSERT_EQUAL(calls + 1, 2 * 3 * 3);
  CU_ASSERT_TRUE(tuner.chosen == 2 && tuner.score[2] == 1.0 / 3 && tuner.score[0] == 1.0);
}

/* A stored choice applies at once; one that was made once is measured again. */
static void test_stored(void)
{
  pl_tuner tuner;
  for (int same = 0; same < 2; same++) {
    open_two(&tuner, &two, 0, 0);
    pl_tuner_know(&tuner, 1, false);
    tuner.wait = 3;
    CU_ASSERT_STRING_EQUAL(ways(&tuner, 8, same ? second : first), same ? "bbbababb" : "bbbababa");
    CU_ASSERT_EQUAL(tuner.confirmed, same);
  }
  open_two(&tuner, &two, 0, 0);
  pl_tuner_know(&tuner, 1, true);
  CU_ASSERT_STRING_EQUAL(ways(&tuner, 8, first), "bbbbbbbb");
  CU_ASSERT_FALSE(pl_tuner_is_close(&tuner));
}

/* Turns wait for a call that can be part of one, and are repeated after a call that could not. */
static void test_skipped(void)
{
  pl_tuner tuner;
  open_two(&tuner, &two, 1, 1);
  for (int i = 0; i < 5; i++) pl_tuner_skip(&tuner);
  CU_ASSERT_STRING_EQUAL(ways(&tuner, 3, second), "aab");
  for (int i = 0; i < 5; i++) pl_tuner_skip(&tuner);
  CU_ASSERT_STRING_EQUAL(ways(&tuner, 4, second), "abbb");
}

static CU_TestInfo tests[] = {{"choice", test_choice},          {"times that count", test_times},
                              {"length of turns", test_length}, {"stored choices", test_stored},
                              {"skipped calls", test_skipped},  CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("tuner", tests);
}
