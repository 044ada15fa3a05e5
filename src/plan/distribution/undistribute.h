/* SPDX-License-Identifier: BSD-2-Clause
 * From distributed sets to undistributed ones: each rank keeps its owned elements, by global index.
 */
#pragma once

#include "plait.h"

/* Undistributes a set and all sets that maps connect to it; their marks stay. Errors: PL_ERR_STATE if a host
 * view is open. After an error nothing has changed. Collective. */
pl_err pl_undistribute(pl_set *set);

/* The same for all marked sets; those that are undistributed already stay so. */
pl_err pl_undistribute_marked(pl_context *pl);
