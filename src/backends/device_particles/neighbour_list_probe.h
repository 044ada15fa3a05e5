/* SPDX-License-Identifier: BSD-2-Clause
 * Probes: a kernel reports the state of a list.
 */
#pragma once

#include "neighbour_list_launch.h"

/* The state that the kernels keep, in front of the number of particles in each bin. */
enum {
  PL_LIST_STALE,
  PL_LIST_BAD, /* a position is not finite */
  PL_LIST_FULL,
  PL_LIST_PUT_BACK, /* positions were wrapped into the domain */
  PL_LIST_LONGEST,  /* entries of a row */
  PL_LIST_RECORDS,
  PL_LIST_REPORTED
};

pl_err pl_list_probe_open(pl_device *device, pl_pairs_device *on);
/* Adds the arguments of a kernel that reports; after its launch the probe is started. */
void pl_list_probe_add(pl_list_launch *l, pl_pairs_device *on);
pl_err pl_list_probe_start(pl_device *device, pl_pairs_device *on);
/* Waits for the report: *state[PL_LIST_...]. */
pl_err pl_list_probe_wait(pl_device *device, pl_pairs_device *on, const int **state);
