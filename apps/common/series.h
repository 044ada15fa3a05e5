/* SPDX-License-Identifier: BSD-2-Clause
 * Pictures over time of a program with time steps (file_options.h).
 */
#ifndef APPS_COMMON_SERIES_H
#define APPS_COMMON_SERIES_H

#include <plait.h>

#include "file_options.h"

/* After step `step`, and before the first one with step 0. A program that continues from a checkpoint
 * continues its series. */
static inline void series_step(const series_file *s, pl_context *pl, pl_dat *x, pl_map *corners, int64_t step,
                               double time)
{
  if (!s->path || step % s->every) return;
  PL_OK(pl, pl_vtk_grid(x, corners));
  PL_OK(pl, pl_vtk_append(x, s->path, time));
}

#endif
