/* SPDX-License-Identifier: BSD-2-Clause
 * Whether a schedule runs tile by tile. See tile_trial.h.
 */
#include "tile_trial.h"
#include <math.h>

/* What a way must be faster by than the favoured one. */
static const double gain = 1.03;

static bool is_turn(const pl_tile_trial *trial)
{
  return trial->begins >= 0 && trial->runs >= trial->begins;
}

void pl_tile_trial_open(pl_tile_trial *trial, bool likely)
{
  *trial = (pl_tile_trial){.begins = likely ? 1 : PL_TILE_LATER,
                           .turns = likely ? PL_TILE_FEW_TURNS : PL_TILE_TURNS,
                           .favoured = likely ? PL_TILED : PL_UNTILED,
                           .best = {INFINITY, INFINITY}};
}

void pl_tile_trial_know(pl_tile_trial *trial, pl_tile_way chosen, bool settled)
{
  pl_tile_trial_open(trial, false);
  trial->known = true;
  trial->chosen = trial->favoured = chosen;
  trial->settled = settled;
  if (settled) trial->begins = -1;
}

void pl_tile_trial_stop(pl_tile_trial *trial)
{
  trial->begins = -1;
}

pl_tile_way pl_tile_trial_way(const pl_tile_trial *trial)
{
  if (!is_turn(trial)) return trial->chosen;
  return (trial->runs - trial->begins) % PL_TILE_WAYS ? PL_TILED : PL_UNTILED;
}

bool pl_tile_trial_is_near(const pl_tile_trial *trial)
{
  return trial->begins >= 0 && trial->runs + 1 >= trial->begins;
}

static void decide(pl_tile_trial *trial)
{
  pl_tile_way before = trial->chosen, other = trial->favoured == PL_TILED ? PL_UNTILED : PL_TILED;
  trial->chosen = trial->best[other] * gain < trial->best[trial->favoured] ? other : trial->favoured;
  trial->settled = trial->known && trial->chosen == before;
  trial->known = true;
  trial->begins = -1;
}

bool pl_tile_trial_learn(pl_tile_trial *trial, double seconds, bool busy)
{
  double *best = &trial->best[pl_tile_trial_way(trial)];
  bool turn = is_turn(trial), spoiled = isinf(seconds) || (busy && !turn);
  if (spoiled && pl_tile_trial_is_near(trial)) trial->begins++;
  if (turn && seconds < *best) *best = seconds;
  trial->runs++;
  if (!turn || trial->runs < trial->begins + trial->turns * PL_TILE_WAYS) return false;
  decide(trial);
  return true;
}
