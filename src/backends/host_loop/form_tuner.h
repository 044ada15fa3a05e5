/* SPDX-License-Identifier: BSD-2-Clause
 * The form that a loop runs in (scalar, SIMD, ...): chosen by rules or an earlier measurement, and by trial
 * once the loop turns out to matter.
 */
#pragma once

#include "backends/host/host.h"

pl_err pl_form_tuner_choose(pl_host_code *code, pl_form *form);
/* Around each run of a range. */
pl_err pl_form_tuner_begin(pl_host_code *code);
void pl_form_tuner_end(pl_host_code *code, const pl_loop_range *range);
void pl_form_tuner_free(pl_host_code *code);
