/* SPDX-License-Identifier: BSD-2-Clause
 * Triad: see triad.h.
 */
#include "triad.h"

#include "../common/wall.h"

enum { ELEMENTS = 1 << 24, RUNS = 10 };

PL_KERNEL(triad, (double *a, const double *b, const double *c), { *a = *b + 0.5 * *c; })

#define DIRECT(dat, access) pl_arg_direct((dat), (access))

static double once(pl_context *pl, pl_set *set, pl_dat *const dat[3])
{
  const double start = wall_seconds();
  PL_OK(pl,
        pl_par_loop(triad, set, DIRECT(dat[0], PL_WRITE), DIRECT(dat[1], PL_READ), DIRECT(dat[2], PL_READ)));
  PL_OK(pl, pl_sync(pl));
  return wall_seconds() - start;
}

double triad_gbytes_per_s(pl_context *pl)
{
  static const char *const names[] = {"triad a", "triad b", "triad c"};
  const int elements = ELEMENTS / pl_ranks(pl);
  pl_set *set;
  pl_dat *dat[3];
  double least = 0.0;
  PL_OK(pl, pl_decl_set(pl, elements, "triad", &set));
  for (int i = 0; i < 3; i++) PL_OK(pl, pl_decl_dat(set, 1, PL_DOUBLE, NULL, names[i], &dat[i]));
  once(pl, set, dat); /* compiles it, and brings the pages */
  for (int r = 0; r < RUNS; r++) {
    const double seconds = once(pl, set, dat);
    if (r == 0 || seconds < least) least = seconds;
  }
  for (int i = 0; i < 3; i++) pl_dat_free(&dat[i]);
  return 24e-9 * elements / least;
}
