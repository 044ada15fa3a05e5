/* SPDX-License-Identifier: BSD-2-Clause
 * The simulation on Plait: advances a state and keeps its energies.
 */
#ifndef APPS_MD_SOLVER_H
#define APPS_MD_SOLVER_H

#include "plait.h"

#include "../common/file_options.h"
#include "state.h"

typedef struct md_energy {
  int step;
  double potential, kinetic, pressure; /* pressure of the melt, else 0 */
} md_energy;

typedef struct md_run {
  int steps, every; /* energies every so many steps; step 0 and the last always */
  double dt;
  bool chain; /* record the loops of all steps, so that they are fused */
  pl_type type;
  int energies;
  md_energy *energy; /* room for steps / every + 2 */
  double seconds;    /* of the steps, without preparations */
  pl_pair_stats pairs;
} md_run;

typedef struct md_files {
  checkpoint_files checkpoint; /* to continue from and to write */
  series_file series;
  output_files output;
} md_files;

/* False after a message on stderr. Collective. */
bool solve(pl_context *pl, md_state *state, const md_files *files, md_run *run);

#endif
