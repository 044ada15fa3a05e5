/* SPDX-License-Identifier: BSD-2-Clause
 * Neighbour lists of pair maps: their renewal, and the positions from which they are built.
 */
#pragma once

#include "plan/cell_lists/points.h"

/* Brings the list of a pair map up to date (core/particles/pair_map.h): builds it again, only updates its
 * records, or does nothing. Errors: as for pl_decl_pair_map; PL_ERR_STATE if a writable view of the positions
 * is open. */
pl_err pl_pairs_refresh(pl_map *map);

/* Ranks agree on the list that a loop has used ahead (pairs->unconfirmed): *renewed if it was stale on some
 * rank. Collective. */
pl_err pl_pairs_confirm(pl_map *map, bool *renewed);

/* Particles are processed in pieces of PL_PIECE: the number of pieces, and the end of one. */
enum { PL_PIECE = 1 << 11 };
static inline int pl_pieces(int n)
{
  return n / PL_PIECE + (n % PL_PIECE != 0);
}
static inline int pl_piece_end(int first, int end)
{
  return end - first < PL_PIECE ? end : first + PL_PIECE;
}

/* The reach of rows: cutoff and skin, plus rounding; infinite for a pair map of all pairs. */
double pl_pairs_reach(const pl_pairs *pairs);

/* How near two particles can have been when a list was built that is kept until a pair is missing in it: the
 * cutoff and the longest ways of both. A way is at most 0.7 skins on devices and 0.8 on hosts, where
 * searches cost less beside a list, and so short that images are one period away at most. */
double pl_pairs_kept_reach(const pl_pairs *pairs);

/* The shift of each image (its code has digits of base 3, 1: no shift) along `dim` axes; none in free space.
 */
void pl_domain_shifts(const pl_domain *domain, int dim, double shift[27][PL_PAIR_AXES]);

/* Threads for building lists. */
int pl_pairs_threads(pl_context *pl, size_t work);
