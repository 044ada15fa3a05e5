/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions and scans on the host.
 */
#ifndef PLAIT_BACKENDS_HOST_ALGORITHMS_HOST_SCAN_H
#define PLAIT_BACKENDS_HOST_ALGORITHMS_HOST_SCAN_H

#include "core/context/backend.h"

pl_err pl_host_scan_run(pl_context *pl, const pl_scan_call *call);
void pl_host_scans_free(pl_context *pl);

#endif
