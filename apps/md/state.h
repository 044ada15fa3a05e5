/* SPDX-License-Identifier: BSD-2-Clause
 * The state of a run: its case, and where the particles are. Positions, velocities and forces particle by
 * particle. Owns its arrays.
 */
#ifndef APPS_MD_STATE_H
#define APPS_MD_STATE_H

#include <stdbool.h>

typedef struct md_case {
  const char *name;
  int dim;
  double spacing, cutoff, skin, dt;
  bool periodic, walls, every_pair;
} md_case;

typedef struct md_state {
  const md_case *kind;
  int n;
  double low[3], high[3];
  double *x, *v, *f;
} md_state;

const md_case *state_case(const char *name); /* NULL: there is none */

/* The case's own start with about n particles; or the one in a file of lines "id x y z vx vy vz" under
 * "# box lo hi lo hi lo hi". False with a line on stderr. */
bool state_make(md_state *state, const md_case *kind, int n);
bool state_read(md_state *state, const md_case *kind, const char *path);
/* Lines "id x y z vx vy vz fx fy fz" under a head as above. */
bool state_write(const md_state *state, const char *path);
void state_free(md_state *state);

#endif
