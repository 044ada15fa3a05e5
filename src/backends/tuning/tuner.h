/* SPDX-License-Identifier: BSD-2-Clause
 * The fastest of several alternatives, found by trial: they take turns in calls that the program makes
 * anyway, and the fastest is kept. Invariant: the choice depends on the given times alone; no clock is read.
 */
#pragma once

#include <stdbool.h>

enum { PL_TUNER_MOST = 8 };

typedef struct pl_tuner_rules {
  int warm, turns;       /* turns of each alternative that do not count, and that count */
  int few;               /* so many suffice, if not 0, once each alternative has cost `enough` seconds */
  int calls, skipped;    /* a turn has so many calls, of which the first do not count ... */
  double length, enough; /* ... and lasts so many seconds at least */
  double gain;           /* required advantage over the favoured alternative */
  bool mean;             /* the mean of the turns but the slowest decides, not the best one */
} pl_tuner_rules;

typedef struct pl_tuner {
  const pl_tuner_rules *rules;
  int n, favoured;
  int stored;           /* the choice of an earlier process, or -1 */
  int wait;             /* calls before the first turn */
  bool done, confirmed; /* there are no more turns; two processes made the same choice */
  int chosen;           /* also before the first turn */
  int turn, calls;
  double seconds, work, spent;   /* of this turn; in all turns */
  double score[PL_TUNER_MOST];   /* seconds of a unit of work */
  double slowest[PL_TUNER_MOST]; /* of the turns, where the mean decides: not in the score */
} pl_tuner;

void pl_tuner_open(pl_tuner *tuner, const pl_tuner_rules *rules, int n, int favoured);
/* The choice of an earlier process is favoured; without `confirmed` the turns confirm it. */
void pl_tuner_know(pl_tuner *tuner, int choice, bool confirmed);

int pl_tuner_now(const pl_tuner *tuner); /* the alternative of the next call */
/* Whether one of the next two calls is part of a turn. */
bool pl_tuner_is_close(const pl_tuner *tuner);
/* After a call. True if it ended the last turn and made the choice. */
bool pl_tuner_add(pl_tuner *tuner, double seconds, double work);
/* After a call that cannot be part of a turn. */
void pl_tuner_skip(pl_tuner *tuner);
