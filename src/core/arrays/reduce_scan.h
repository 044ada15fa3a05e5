/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions and scans over whole dats: the checked call that a backend runs.
 */
#pragma once

#include "core/context/backend.h"

/* A reduction (into `result`) or a scan (result NULL) over the owned elements of `set`; everything is checked
 * but the expressions' text. Each argument is a dat or global as a whole array. */
struct pl_scan_call {
  const pl_algorithm *algorithm;
  pl_set *set;
  pl_global *result;
  int nargs;
  const pl_arg *args;
  bool local; /* over this rank alone */
};
