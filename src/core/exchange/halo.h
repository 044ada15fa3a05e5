/* SPDX-License-Identifier: BSD-2-Clause
 * Halos: the elements of other ranks that a rank keeps copies of, and the exchanges that update the copies.
 *
 * Invariants: neighbours ascend and are never this rank; what is sent is owned, what is
 * received lies in the halo; every halo element is received exactly once. Both sides of a neighbourhood list
 * the same elements in the same order.
 */
#pragma once

#include "core/context/observer.h"
#include <stdbool.h>

struct pl_domain;

/* The halo of a set of particles (plan/particles/domain_decomposition.h) holds all particles within `reach`
 * of this rank's own, by positions of that version in that box. */
typedef struct pl_nearby {
  const pl_dat *position; /* NULL: no particles */
  const struct pl_domain *domain;
  double low[3], high[3], reach;
  double from[3], to[3]; /* the bounding box of this rank's own */
  double around;         /* how far around it this rank has copies: at least `reach` */
  uint64_t version;
  int lower; /* elements of lower ranks, which are first in the halo */
} pl_nearby;

/* A backend's copy of a list; its buffer may be larger, and outlive the list (pl_halo_pass_buffers). */
typedef struct pl_list_copy {
  void *at;
  size_t bytes;
  bool valid;
} pl_list_copy;

typedef struct pl_halo {
  pl_nearby nearby;
  int n;                   /* neighbours */
  int *rank, *peer;        /* of each: its rank and its peer number */
  int *send_offset, *send; /* elements that go to neighbour i: send[send_offset[i] .. send_offset[i + 1]) */
  int *receive_offset, *receive;
  pl_list_copy device_send, device_receive;
  bool incomplete;   /* `send` and `receive` are still to be filled, */
  const int *listed; /* `send` from this list */
} pl_halo;

/* A halo for n neighbours and lists of these lengths; NULL with the error set. */
pl_halo *pl_halo_new(pl_context *pl, int n, int64_t nsend, int64_t nreceive);
void pl_halo_free_device(pl_context *pl, pl_halo *halo); /* after a change of its lists */
void pl_halo_free(pl_context *pl, pl_halo *halo);

/* The buffers of a halo's lists on the device serve another halo, which has none: particles get new halos
 * often, and devices wait for all work when memory is freed. */
void pl_halo_pass_buffers(pl_halo *from, pl_halo *to);

/* A set of the library; on several ranks with an empty halo. Collective. */
pl_err pl_internal_set_new(pl_context *pl, int64_t size, const char *name, pl_set **set);

/* The exchange before a loop, of all stale halos that it reads, with one message to each neighbour. Between
 * begin and end only core elements may run. Collective. */
pl_err pl_halo_begin(pl_loop *loop);
pl_err pl_halo_end(pl_loop *loop);

/* Lets the backend prepare for the exchanges of a loop, as if all dats were stale. Collective. */
pl_err pl_halo_ready(pl_loop *loop);

/* PL_ERR_STATE if the frozen halo of the dat forbids an access of the loop. Local. */
pl_err pl_halo_check_frozen(const pl_loop *loop, const pl_dat *dat);

/* Exchanges one dat at once, if its halo is stale. Collective. */
pl_err pl_halo_refresh(pl_dat *dat);

/* The same in two calls, between which the dat's owned values are read only. */
pl_err pl_halo_refresh_begin(pl_dat *dat);
pl_err pl_halo_refresh_end(const pl_dat *dat);

/* Exchanges dats along lists that are not a set's halo (`route`), between devices if there are any. An error
 * after the first message leaves the dats undefined; callers agree on it. Collective. */
pl_err pl_halo_exchange_lists(pl_context *pl, pl_halo *route, int n, pl_dat *const *dats);

/* Whether messages of an exchange are in flight. Local. */
bool pl_halo_busy(const pl_context *pl);

/* Makes the global indices of a set's halo copies known, unless they are. Collective. */
pl_err pl_halo_number(pl_set *set);

/* Updates the halo part of an array with `stride` bytes an element of a distributed set. Collective. */
pl_err pl_halo_copy(pl_set *set, size_t stride, void *records);

extern const pl_observer pl_halo_observer;
