/* SPDX-License-Identifier: BSD-2-Clause
 * Opening of a context; pl_finalize (plait.h) closes it.
 */
#pragma once

#include "core/context/context.h"

/* Opens a context over the given backends; pl_init adds the observers of the layers above. */
pl_err pl_context_open(int *argc, char ***argv, const pl_settings *settings,
                       const pl_backend *const *backends, pl_context **pl);
