/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions and scans from source (pl_algorithm_from_source, plait.h).
 */
#pragma once

#include "core/context/context.h"

void pl_algorithm_destroy(pl_node *algorithm);
