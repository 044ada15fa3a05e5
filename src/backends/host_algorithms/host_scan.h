/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions and scans on the host.
 */
#pragma once

#include "core/context/backend.h"

pl_err pl_host_scan_run(pl_context *pl, const pl_scan_call *call);
void pl_host_scans_free(pl_context *pl);
