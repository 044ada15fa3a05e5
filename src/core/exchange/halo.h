/* SPDX-License-Identifier: BSD-2-Clause
 * Halos: which elements two ranks keep copies of for each other, and how the copies are brought up to date.
 *
 * Invariants (pl_halo_is_valid): neighbours ascend and are never this rank; what is sent is owned, what is
 * received lies in the halo; every halo element is received exactly once. Both sides of a neighbourhood list
 * the same elements in the same order.
 */
#ifndef PLAIT_CORE_HALO_H
#define PLAIT_CORE_HALO_H

#include "loop.h"

/* What the halo of a set of particles holds (plan/settle.h): all that is within reach of this rank's own, by
 * positions of that version in that box. */
typedef struct pl_nearby {
  const pl_dat *position; /* NULL: no particles */
  const struct pl_domain *domain;
  double low[3], high[3], reach;
  double from[3], to[3]; /* what this rank's own fill */
  uint64_t version;
  int lower; /* the first so many elements of the halo belong to lower ranks */
} pl_nearby;

typedef struct pl_halo {
  pl_nearby nearby;
  int n;                   /* neighbours */
  int *rank, *peer;        /* of each: its rank, and its number among all the ranks this one talks to */
  int *send_offset, *send; /* elements that go to neighbour i: send[send_offset[i] .. send_offset[i + 1]) */
  int *receive_offset, *receive;
  void *device_send, *device_receive; /* the backend's copies of the two lists */
} pl_halo;

/* A halo with room for n neighbours and so many elements; NULL with the error set. */
pl_halo *pl_halo_new(pl_context *pl, int n, int64_t nsend, int64_t nreceive);
void pl_halo_leave_device(pl_context *pl, pl_halo *halo); /* its lists have changed */
void pl_halo_free(pl_context *pl, pl_halo *halo);

/* The number of a rank among those this one talks to, taken in if it is new; -1 without memory. */
int pl_peer_number(pl_context *pl, int rank);

/* Whether the invariants hold for a set's halo on this rank, and (collective) with its neighbours. */
bool pl_halo_is_valid(pl_set *set, const char **why);

/* One exchange for a loop: what it will read of other ranks' elements and is not up to date. Begin sends one
 * message to each neighbour, for all dats; between begin and end only core elements may run. Collective. */
pl_err pl_halo_begin(pl_loop *loop);
pl_err pl_halo_end(pl_loop *loop);

/* What a backend needs for exchanges of this loop, all dats stale, is there before the first. Collective. */
pl_err pl_halo_ready(pl_loop *loop);

/* The other way (halo_back.c). Chooses, for a new loop whose sets are placed, whether the exec halo runs
 * (loop->back false), or what owned elements add to copies goes back to the owners. Copies are cleared before
 * the loop runs and go back after it. Collective. */
pl_err pl_halo_choose(pl_loop *loop);
pl_err pl_halo_clear(pl_loop *loop);
pl_err pl_halo_back(pl_loop *loop);

/* PL_ERR_STATE if a dat's frozen halo stands in the way of a loop. Local. */
pl_err pl_halo_check_frozen(const pl_loop *loop);

/* The same for one dat, at once. Collective. */
pl_err pl_halo_refresh(pl_dat *dat);

/* Values of some dats travel along the lists of a halo that is no set's: from the places that it sends to
 * those that it receives, which are there already; on devices from device to device. Collective; once values
 * are on their way an error leaves nothing usable behind. */
pl_err pl_halo_carry(pl_context *pl, pl_halo *route, int n, pl_dat *const *dats);

/* Whether an exchange is under way. Local. */
bool pl_halo_busy(const pl_context *pl);

/* Copies of an array with `stride` bytes for each element of a placed set, brought up to date. Collective. */
pl_err pl_halo_copy(pl_set *set, size_t stride, void *records);

/* Buffers and messages of the context given back. */
void pl_halo_close(pl_context *pl);

#endif
