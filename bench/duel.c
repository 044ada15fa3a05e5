/* SPDX-License-Identifier: BSD-2-Clause */
#include "duel.h"

#include <stdio.h>

#include "../apps/common/json.h"
#include "../apps/common/median.h"
#include "../apps/common/wall.h"

static double time_steps(void (*step)(void *user), void *user, int steps)
{
  const double start = wall_seconds();
  for (int s = 0; s < steps; s++) step(user);
  return (wall_seconds() - start) / steps;
}

static void warm_up(const duel *d, double seconds)
{
  const double start = wall_seconds();
  for (int turn = 0; turn < 10 || wall_seconds() - start < seconds; turn++) {
    d->hand_step(d->user);
    d->plait_step(d->user);
  }
}

duel_times duel_run(const duel *d, double warm, int steps, int rounds)
{
  double hand[DUEL_MOST_ROUNDS], plait[DUEL_MOST_ROUNDS], ratio[DUEL_MOST_ROUNDS];
  warm_up(d, warm);
  for (int r = 0; r < rounds; r++) {
    hand[r] = time_steps(d->hand_step, d->user, steps);
    plait[r] = time_steps(d->plait_step, d->user, steps);
    ratio[r] = hand[r] / plait[r];
  }
  return (duel_times){median(hand, rounds), median(plait, rounds), median(ratio, rounds), d->bytes};
}

bool duel_write_json(const char *program, const duel_times *t, const char *path)
{
  json_writer json;
  bool good = json_open(&json, path);
  if (good) {
    json_number(&json, "hand", t->hand);
    json_number(&json, "plait", t->plait);
    json_number(&json, "ratio", t->ratio);
    json_number(&json, "bytes", t->bytes);
    good = json_close(&json);
  }
  if (!good) fprintf(stderr, "%s: %s cannot be written\n", program, path);
  return good;
}
