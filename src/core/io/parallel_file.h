/* SPDX-License-Identifier: BSD-2-Clause
 * Checks before all ranks open a file.
 */
#ifndef PLAIT_CORE_IO_PARALLEL_FILE_H
#define PLAIT_CORE_IO_PARALLEL_FILE_H

#include "plait.h"
#include <stdbool.h>

/* Fails on all ranks unless every rank can read (or create) the file and all see the same one: the same path,
 * and for reading the same size and the same first and last bytes. Collective. */
pl_err pl_file_agree(pl_context *pl, const char *path, bool create);

#endif
