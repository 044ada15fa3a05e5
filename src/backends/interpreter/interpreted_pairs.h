/* SPDX-License-Identifier: BSD-2-Clause
 * Pair loops without a run-time compiler.
 */
#pragma once

#include "backends/host/host.h"

void pl_interpreted_run_pairs(const pl_host_code *code, pl_worker *worker, int begin, int end);
