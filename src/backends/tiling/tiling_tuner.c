/* SPDX-License-Identifier: BSD-2-Clause
 * Whether a schedule runs tile by tile.
 */
#include "tiling_tuner.h"
#include <math.h>

/* Required advantage over the favoured way. */
static const double gain = 1.03;

static bool is_turn(const pl_tiling_trial *trial)
{
  return trial->begins >= 0 && trial->runs >= trial->begins;
}

void pl_tiling_trial_open(pl_tiling_trial *trial, bool likely)
{
  *trial = (pl_tiling_trial){.begins = likely ? 1 : PL_TILE_LATER,
                             .turns = likely ? PL_TILE_FEW_TURNS : PL_TILE_TURNS,
                             .favoured = likely ? PL_TILED : PL_UNTILED,
                             .best = {INFINITY, INFINITY}};
}

void pl_tiling_trial_know(pl_tiling_trial *trial, pl_tiling_choice chosen, bool confirmed)
{
  pl_tiling_trial_open(trial, false);
  trial->known = true;
  trial->chosen = trial->favoured = chosen;
  trial->confirmed = confirmed;
  if (confirmed) trial->begins = -1;
}

void pl_tiling_trial_stop(pl_tiling_trial *trial)
{
  trial->begins = -1;
}

pl_tiling_choice pl_tiling_trial_choice(const pl_tiling_trial *trial)
{
  if (!is_turn(trial)) return trial->chosen;
  return (trial->runs - trial->begins) % PL_TILE_WAYS ? PL_TILED : PL_UNTILED;
}

bool pl_tiling_trial_is_close(const pl_tiling_trial *trial)
{
  return trial->begins >= 0 && trial->runs + 1 >= trial->begins;
}

static void make_choice(pl_tiling_trial *trial)
{
  pl_tiling_choice before = trial->chosen, other = trial->favoured == PL_TILED ? PL_UNTILED : PL_TILED;
  trial->chosen = trial->best[other] * gain < trial->best[trial->favoured] ? other : trial->favoured;
  trial->confirmed = trial->known && trial->chosen == before;
  trial->known = true;
  trial->begins = -1;
}

bool pl_tiling_trial_learn(pl_tiling_trial *trial, double seconds, bool busy)
{
  double *best = &trial->best[pl_tiling_trial_choice(trial)];
  bool turn = is_turn(trial), spoiled = isinf(seconds) || (busy && !turn);
  if (spoiled && pl_tiling_trial_is_close(trial)) trial->begins++;
  if (turn && seconds < *best) *best = seconds;
  trial->runs++;
  if (!turn || trial->runs < trial->begins + trial->turns * PL_TILE_WAYS) return false;
  make_choice(trial);
  return true;
}
