/* SPDX-License-Identifier: BSD-2-Clause
 * Whether a schedule runs tile by tile: both ways take turns in its own runs, and the faster one is kept. If
 * tiles likely pay, a few turns begin with the second run; else, and to confirm an earlier choice, more turns
 * begin after PL_TILE_LATER runs, when they are a small share. Invariant: the choice depends on the times
 * alone.
 */
#pragma once

#include <stdbool.h>

typedef enum pl_tiling_choice { PL_UNTILED, PL_TILED, PL_TILE_WAYS } pl_tiling_choice;

enum { PL_TILE_FEW_TURNS = 2, PL_TILE_TURNS = 4, PL_TILE_LATER = 32 };

typedef struct pl_tiling_trial {
  int runs;                  /* so far */
  int begins;                /* the run of the first turn; -1: no turns any more */
  int turns;                 /* of each way */
  pl_tiling_choice chosen;   /* untiled, until something is known */
  pl_tiling_choice favoured; /* unless the other is clearly faster */
  bool known, confirmed;     /* chosen by one trial; by two */
  double best[PL_TILE_WAYS]; /* seconds of a turn */
} pl_tiling_trial;

void pl_tiling_trial_open(pl_tiling_trial *trial, bool likely);
void pl_tiling_trial_know(pl_tiling_trial *trial, pl_tiling_choice chosen, bool confirmed);
void pl_tiling_trial_stop(pl_tiling_trial *trial);

pl_tiling_choice pl_tiling_trial_choice(const pl_tiling_trial *trial); /* for the next run */
/* Whether the next run, or the one after it, is a turn: then nothing else is measured. */
bool pl_tiling_trial_is_close(const pl_tiling_trial *trial);
/* After a run. seconds INFINITY: it could not be a turn; `busy`: forms were measured, so the first turn
 * waits. True if this was the last turn and made a choice. */
bool pl_tiling_trial_learn(pl_tiling_trial *trial, double seconds, bool busy);
