/* SPDX-License-Identifier: BSD-2-Clause
 * Pass: groups of loops that run as one.
 */
#pragma once

#include "passes.h"

void pl_pass_group(pl_passes *w);

/* pl_schedule.joining, where the batch includes the ops that follow. */
int pl_count_joining(const pl_passes *w);
