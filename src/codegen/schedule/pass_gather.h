/* SPDX-License-Identifier: BSD-2-Clause
 * Pass: increments are inlined into the loop that reads their sum.
 */
#pragma once

#include "passes.h"

pl_err pl_pass_gather(pl_passes *w);
