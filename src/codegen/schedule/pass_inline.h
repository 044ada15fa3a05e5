/* SPDX-License-Identifier: BSD-2-Clause
 * Pass: producers are inlined into the loops that read their dat, or precomputed for blocks of these.
 */
#pragma once

#include "passes.h"

pl_err pl_pass_inline_producers(pl_passes *w);
