/* SPDX-License-Identifier: BSD-2-Clause
 * What placing a group of loose sets finds out: who keeps copies of what.
 */
#ifndef PLAIT_PLAN_LISTS_H
#define PLAIT_PLAN_LISTS_H

#include "core/directory.h"
#include "place.h"

/* Elements that go to other ranks, rank by rank (element: owned rows), and copies that come from them (global
 * indices). count[r]: how many to or from rank r. */
typedef struct pl_traffic {
  int64_t *out_count, *in_count;
  pl_ids out, in;
} pl_traffic;

enum { PL_BOUNDARY = 1, PL_NEAR = 2 };

/* A set while it is placed. Rows: [0, n) owned, then the exec halo, then the nonexec halo. */
typedef struct pl_site {
  pl_set *set;
  int n, ncore;
  pl_directory directory; /* until all copies are known */
  pl_lookup owned;        /* of the owned rows, where they are not numbered one after the other */
  pl_id_table row;        /* of the copies that this rank holds, by global index */
  pl_traffic exec, nonexec;
  unsigned char
    *boundary;  /* PL_BOUNDARY: owned rows with a target elsewhere; PL_NEAR: what such rows reach */
  int *storage; /* of each row */
} pl_site;

/* The row of an element by its global index; -1: this rank does not hold it. */
int pl_site_row(const pl_site *site, int64_t id);

/* A map between two of them: global targets of owned rows (map->far), then of the exec halo's; where these
 * begin, if the map is ragged. */
typedef struct pl_road {
  pl_map *map;
  pl_site *from, *to;
  int64_t *exec;    /* pl_free_array */
  int *exec_offset; /* pl_free */
} pl_road;

/* The targets of a row, owned ones before those of the exec halo; returns how many. */
int pl_road_row(const pl_road *road, int row, const int64_t **targets);

/* Fills in all traffic of a group. Collective. */
pl_err pl_lists_build(pl_scratch *scratch, int nsites, pl_site *site, int nroads, pl_road *road);
void pl_lists_free(pl_context *pl, int nsites, pl_site *site, int nroads, pl_road *road);

/* One record of `stride` bytes for each owned row goes to the ranks that keep copies; *received
 * (pl_free_array) holds the copies' in order. Collective. */
pl_err pl_traffic_send(pl_scratch *scratch, const pl_traffic *traffic, size_t stride, const void *records,
                       void **received);

#endif
