/* SPDX-License-Identifier: BSD-2-Clause
 * Connectors of Kokkos Tools as tools: loops are reported as parallel_for, transfers as deep copies, regions
 * and all other events as profile regions.
 */
#pragma once

#include "core/context/context.h"
#include <stdbool.h>

/* Whether a library exports a function of the interface. */
bool pl_kokkos_is(void *library);
pl_err pl_kokkos_open(pl_context *pl, void *library, pl_tool *tool);
