/* SPDX-License-Identifier: BSD-2-Clause
 * What the environment tells about the launcher of MPI programs. Local.
 */
#pragma once

#include <stdbool.h>

/* Whether a launcher of MPI programs started this process. */
bool pl_has_launcher(void);

/* Whether a launcher started more than one process. */
bool pl_has_launched_ranks(void);
