/* SPDX-License-Identifier: BSD-2-Clause
 * The launcher of MPI programs, as the environment describes it. Local.
 */
#pragma once

#include <stdbool.h>

/* Whether a launcher of MPI programs started this process. */
bool pl_has_launcher(void);

/* Whether a launcher started more than one process. */
bool pl_has_launched_ranks(void);
