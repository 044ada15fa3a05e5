/* SPDX-License-Identifier: BSD-2-Clause
 * Pass: independent steps over different sets share a launch.
 */
#ifndef PLAIT_CODEGEN_SCHEDULE_PASS_SHARED_LAUNCH_H
#define PLAIT_CODEGEN_SCHEDULE_PASS_SHARED_LAUNCH_H

#include "passes.h"

pl_err pl_pass_share_launches(pl_passes *w);

#endif
