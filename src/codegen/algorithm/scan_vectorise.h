/* SPDX-License-Identifier: BSD-2-Clause
 * Which parts of an algorithm run in SIMD lanes: an operator without calls may be applied more often than
 * needed, a PL_COMMUTATIVE one in any order, and an output of stores only, `y[i] = ...;`, stores whole
 * vectors.
 */
#pragma once

#include "reduce_scan.h"

/* Sets the program's `op`, `light`, `commutes` and stores. Errors: PL_ERR_MEMORY. */
pl_err pl_scan_vectorises(pl_scan_program *program);
