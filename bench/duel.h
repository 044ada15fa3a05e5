/* SPDX-License-Identifier: BSD-2-Clause
 * duel: one computation by hand and by Plait, by turns in one process; medians over the turns.
 */
#ifndef BENCH_DUEL_H
#define BENCH_DUEL_H

#include <stdbool.h>

enum { DUEL_MOST_ROUNDS = 99 };

typedef struct duel {
  void (*hand_step)(void *user), (*plait_step)(void *user);
  void *user;
  double bytes; /* that a step moves at least */
} duel;

/* Seconds of a step, the median over turns of hand / Plait, and the duel's bytes. */
typedef struct duel_times {
  double hand, plait, ratio, bytes;
} duel_times;

/* First at least 10 turns of a step, and for at least `warm` seconds: caches fill, and the library builds its
 * lists and chooses its shapes. Then `rounds` turns of `steps` steps each. */
duel_times duel_run(const duel *d, double warm, int steps, int rounds);

/* False, with a line on stderr, if the file cannot be written. */
bool duel_write_json(const char *program, const duel_times *t, const char *path);

#endif
