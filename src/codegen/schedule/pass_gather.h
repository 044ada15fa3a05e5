/* SPDX-License-Identifier: BSD-2-Clause
 * Pass: increments are inlined into the loop that reads their sum.
 */
#ifndef PLAIT_CODEGEN_SCHEDULE_PASS_GATHER_H
#define PLAIT_CODEGEN_SCHEDULE_PASS_GATHER_H

#include "passes.h"

pl_err pl_pass_gather(pl_passes *w);

#endif
