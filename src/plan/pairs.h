/* SPDX-License-Identifier: BSD-2-Clause
 * Lists of pairs that are near: when they are renewed, and the points from which they are built.
 */
#ifndef PLAIT_PLAN_PAIRS_H
#define PLAIT_PLAN_PAIRS_H

#include "core/loop.h"
#include "core/pairs.h"

/* Makes the list of a pair map fresh (core/pairs.h says what that means): builds it anew, or only brings the
 * records up to date, or does nothing. Errors: as pl_decl_pair_map says; PL_ERR_STATE if a writable view of
 * the positions is open. */
pl_err pl_pairs_refresh(pl_map *map);

/* Points in a box of bins: those of a list in the making. axis[a][i] is coordinate a of point i; the first n
 * are particles, the rest ghosts. */
typedef struct pl_cloud {
  pl_context *pl;
  pl_stock *stock; /* whence arrays come, and where they go */
  int dim, n, count;
  double *axis[PL_PAIR_AXES];
  int *owner;
  double reach;           /* pairs nearer than this are wanted */
  const pl_pairs *before; /* a list of the same particles, if there is one */
  int threads;
} pl_cloud;

/* Particles that a thread takes at a time; and how many such pieces there are, and where one ends. */
enum { PL_PIECE = 1 << 11 };
static inline int pl_pieces(int n)
{
  return n / PL_PIECE + (n % PL_PIECE != 0);
}
static inline int pl_piece_end(int first, int end)
{
  return end - first < PL_PIECE ? end : first + PL_PIECE;
}

/* Coordinates of the first n particles in storage, whose positions are x, inside the box; *moved: some are
 * not where x has them. Needs pl, stock, dim and threads. Errors: PL_ERR_RANGE for a particle that is
 * nowhere, which is named. */
pl_err pl_cloud_take(const pl_map *map, pl_cloud *p, const void *x, int n, bool *moved);
/* Particles that left through a periodic side are put back into the positions of `dat`, which are x. */
void pl_cloud_put_back(pl_dat *dat, void *x, const pl_cloud *p);
void pl_cloud_free(pl_cloud *p);

/* Rows of near points for the particles: offset (n + 1) and entry, from the stock; the rows of `lanes` (at
 * most 16) particles are interleaved (core/pairs.h) and padded with the number `far`. Errors: PL_ERR_MEMORY,
 * PL_ERR_RANGE for more than 2^31 points.
 */
pl_err pl_cells_rows(const pl_cloud *points, int lanes, int far, int64_t **offset, int **entry);

/* How far rows of a list reach: cutoff and skin, and what rounding may take. Without a list, everywhere. */
double pl_pairs_reach(const pl_pairs *pairs);

/* Threads that building may use. */
int pl_pairs_threads(pl_context *pl, size_t work);

#endif
