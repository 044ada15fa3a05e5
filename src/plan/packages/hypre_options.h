/* SPDX-License-Identifier: BSD-2-Clause
 * Options of BoomerAMG in hypre's own words: "NAME VALUE" for a call of HYPRE_BoomerAMGSetNAME.
 */
#pragma once

#include "core/context/context.h"
#include <HYPRE_parcsr_ls.h>

/* Sets the options in `text`, which may be NULL. PL_ERR_ARG for an unknown one. Local. */
pl_err pl_hypre_set_options(pl_context *pl, HYPRE_Solver amg, const char *text);
