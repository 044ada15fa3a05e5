/* SPDX-License-Identifier: BSD-2-Clause
 * Whether a schedule runs tile by tile: tried by turns in its own runs, and kept. It is told what runs took
 * and touches nothing, so that it goes the same way for the same times.
 *
 * Where tiles are likely to pay a few turns begin with the second run; elsewhere, and where an earlier choice
 * is tried once more, there are more of them when the schedule has run so often that they are a small share.
 */
#ifndef PLAIT_BACKENDS_TILE_TRIAL_H
#define PLAIT_BACKENDS_TILE_TRIAL_H

#include <stdbool.h>

typedef enum pl_tile_way { PL_UNTILED, PL_TILED, PL_TILE_WAYS } pl_tile_way;

/* Turns of each way, at once and later; and the run with which those begin that can wait. */
enum { PL_TILE_FEW_TURNS = 2, PL_TILE_TURNS = 4, PL_TILE_LATER = 32 };

typedef struct pl_tile_trial {
  int runs;                  /* so far */
  int begins;                /* the run that the first turn is; -1: nothing is tried, or is any more */
  int turns;                 /* of each way */
  pl_tile_way chosen;        /* loop by loop, until something is known */
  pl_tile_way favoured;      /* what the other must be clearly faster than */
  bool known, settled;       /* chosen by a trial before this one; and by two */
  double best[PL_TILE_WAYS]; /* of the turns */
} pl_tile_trial;

void pl_tile_trial_open(pl_tile_trial *trial, bool likely);
/* What an earlier trial found. */
void pl_tile_trial_know(pl_tile_trial *trial, pl_tile_way chosen, bool settled);
/* Nothing is tried. */
void pl_tile_trial_stop(pl_tile_trial *trial);

/* The way of the next run. */
pl_tile_way pl_tile_trial_way(const pl_tile_trial *trial);
/* Whether the next run is a turn, or comes before the first: then nothing else is tried. */
bool pl_tile_trial_is_near(const pl_tile_trial *trial);
/* The run is over; INFINITY: it was no turn, which is to come again. `busy`: something else is being tried,
 * and the first turn is put off. Whether the last turn is over and a choice was made. */
bool pl_tile_trial_learn(pl_tile_trial *trial, double seconds, bool busy);

#endif
