/* SPDX-License-Identifier: BSD-2-Clause
 * Sort, selection and gather on the host.
 */
#pragma once

#include "plait.h"

pl_err pl_host_sort(pl_context *pl, pl_dat *keys, int bits, pl_dat *order);
pl_err pl_host_select(pl_context *pl, pl_dat *flag, pl_dat *order, int64_t *count);
pl_err pl_host_gather(pl_context *pl, pl_dat *order, int n, pl_dat *from, pl_dat *to);
