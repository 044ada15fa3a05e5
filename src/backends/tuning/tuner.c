/* SPDX-License-Identifier: BSD-2-Clause
 * The fastest of several alternatives, found by trial.
 */
#include "tuner.h"
#include <math.h>

void pl_tuner_open(pl_tuner *tuner, const pl_tuner_rules *rules, int n, int favoured)
{
  *tuner = (pl_tuner){.rules = rules, .n = n, .favoured = favoured, .stored = -1};
  for (int k = 0; k < n; k++) tuner->score[k] = rules->mean ? 0.0 : INFINITY;
}

void pl_tuner_know(pl_tuner *tuner, int choice, bool confirmed)
{
  tuner->stored = tuner->chosen = tuner->favoured = choice;
  tuner->done = tuner->confirmed = confirmed;
}

int pl_tuner_now(const pl_tuner *tuner)
{
  return tuner->done || tuner->wait ? tuner->chosen : tuner->turn % tuner->n;
}

bool pl_tuner_is_close(const pl_tuner *tuner)
{
  return !tuner->done && tuner->wait <= 1;
}

/* The slowest turn does not count in a mean: another process may have taken the processor. */
static void count_turn(pl_tuner *t, int k, double seconds)
{
  if (!t->rules->mean) {
    t->score[k] = fmin(t->score[k], seconds);
    return;
  }
  t->score[k] += fmin(t->slowest[k], seconds);
  t->slowest[k] = fmax(t->slowest[k], seconds);
}

static void end_turn(pl_tuner *t)
{
  if (t->turn / t->n >= t->rules->warm) count_turn(t, t->turn % t->n, t->seconds / t->work);
  t->spent += t->seconds;
  t->seconds = t->work = 0.0;
  t->calls = 0;
  t->turn++;
}

static bool is_over(const pl_tuner *t)
{
  int turns = t->turn / t->n - t->rules->warm;
  if (t->turn % t->n) return false;
  return turns == t->rules->turns ||
         (t->rules->few && turns >= t->rules->few && t->spent >= t->rules->enough * t->n);
}

static void choose(pl_tuner *t)
{
  t->chosen = t->favoured;
  for (int k = 0; k < t->n; k++)
    if (t->score[k] * (t->chosen == t->favoured ? t->rules->gain : 1.0) < t->score[t->chosen]) t->chosen = k;
  t->confirmed = t->chosen == t->stored;
  t->done = true;
}

bool pl_tuner_add(pl_tuner *tuner, double seconds, double work)
{
  pl_tuner *t = tuner;
  if (t->done || t->wait) {
    t->wait -= t->wait > 0;
    return false;
  }
  if (t->calls++ >= t->rules->skipped) {
    t->seconds += seconds;
    t->work += work;
  }
  if (t->calls < t->rules->calls || t->seconds < t->rules->length) return false;
  end_turn(t);
  if (!is_over(t)) return false;
  choose(t);
  return true;
}

void pl_tuner_skip(pl_tuner *tuner)
{
  tuner->wait -= tuner->wait > 1;
}
