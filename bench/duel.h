/* SPDX-License-Identifier: BSD-2-Clause
 * duel: one computation by hand and by Plait, run alternately in one process; medians of the runs.
 */
#ifndef BENCH_DUEL_H
#define BENCH_DUEL_H

#include <stdbool.h>

enum { DUEL_MOST_ROUNDS = 99 };

typedef struct duel {
  void (*hand_step)(void *user), (*plait_step)(void *user);
  void *user;
  double bytes; /* the least that a step moves */
} duel;

/* Seconds of a step, the median of hand / Plait, and the duel's bytes. */
typedef struct duel_times {
  double hand, plait, ratio, bytes;
} duel_times;

/* Warms up for at least 10 alternations and `warm` seconds: caches fill, lists are built and forms are tuned.
 * Then runs `rounds` alternations of `steps` steps each. */
duel_times duel_run(const duel *d, double warm, int steps, int rounds);

/* False, with a line on stderr, if the file cannot be written. */
bool duel_write_json(const char *program, const duel_times *t, const char *path);

#endif
