/* SPDX-License-Identifier: BSD-2-Clause
 * The first code of a loop, which is compiled quickly and replaced once the loop has cost enough.
 */
#pragma once

#include "backends/host/host.h"

/* Sets code->quick: whether a form is compiled quickly first, because its fully optimized code is neither in
 * memory nor in the cache. */
pl_err pl_quick_choose(pl_host_code *code, pl_form form);

/* Before a run with quick code: compiles fully in the background once the loop has cost enough, and changes
 * over when that is done. */
pl_err pl_quick_replace(pl_host_code *code);
