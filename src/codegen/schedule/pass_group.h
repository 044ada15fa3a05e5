/* SPDX-License-Identifier: BSD-2-Clause
 * Pass: groups of loops that run as one.
 */
#ifndef PLAIT_CODEGEN_SCHEDULE_PASS_GROUP_H
#define PLAIT_CODEGEN_SCHEDULE_PASS_GROUP_H

#include "passes.h"

void pl_pass_group(pl_passes *w);

#endif
