/* SPDX-License-Identifier: BSD-2-Clause
 * Pass: independent steps over different sets share a launch.
 */
#pragma once

#include "passes.h"

pl_err pl_pass_share_launches(pl_passes *w);
