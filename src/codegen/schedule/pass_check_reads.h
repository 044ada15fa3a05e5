/* SPDX-License-Identifier: BSD-2-Clause
 * Pass: refuses a chain that reads a temporary dat where no loop of the chain has written it.
 */
#pragma once

#include "passes.h"

pl_err pl_pass_check_reads(const pl_passes *w);
