/* SPDX-License-Identifier: BSD-2-Clause
 * Pair loops without a run-time compiler.
 */
#ifndef PLAIT_BACKENDS_INTERPRETER_INTERPRETED_PAIRS_H
#define PLAIT_BACKENDS_INTERPRETER_INTERPRETED_PAIRS_H

#include "backends/host/host.h"

void pl_interpreted_run_pairs(const pl_host_code *code, pl_worker *worker, int begin, int end);

#endif
