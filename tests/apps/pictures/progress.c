/* SPDX-License-Identifier: BSD-2-Clause
 * The line of progress: share, rate and time left, and nothing where stderr is no terminal.
 */
#include <stdio.h>
#include <string.h>

#include "apps/common/progress.h"

static int check(int64_t first, int64_t total, int64_t done, double seconds, const char *expected)
{
  const progress p = {.unit = "steps", .first = first, .total = total};
  char text[96];
  progress_text(&p, done, seconds, text);
  if (strcmp(text, expected) == 0) return 0;
  fprintf(stderr, "\"%s\", expected \"%s\"\n", text, expected);
  return 1;
}

/* The norm falls by 10 in each iteration, and shall fall by 1e8. */
static int check_norm(void)
{
  progress_norm p;
  double norm = 5;
  progress_norm_begin(&p, 0, 1e-8);
  for (int i = 0; i < 3; i++, norm /= 10) progress_norm_step(&p, i, norm);
  if (p.shown.total == 8) return 0;
  fprintf(stderr, "%lld iterations are estimated, expected 8\n", (long long)p.shown.total);
  return 1;
}

int main(void)
{
  int wrong = check(0, 100, 25, 5, " 25%  5 steps/s  15 s left");
  wrong += check(50, 100, 75, 100, " 75%  0.25 steps/s  1 min 40 s left");
  wrong += check(0, 100000, 1, 1, "  0%  1 steps/s  27 h 46 min left");
  wrong += check(0, 100, 0, 1, "  0%");
  wrong += check(0, 0, 0, 1, "100%");
  wrong += check(0, 10, 10, 2, "100%  5 steps/s  0 s left");

  progress p;
  progress_begin(&p, 1, "steps", 0, 10); /* not rank 0 */
  wrong += p.on;
  if (!freopen("/dev/null", "w", stderr)) return 1;
  progress_begin(&p, 0, "steps", 0, 10);
  wrong += p.on;
  wrong += check_norm();
  return wrong ? 1 : 0;
}
