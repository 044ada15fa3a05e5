/* SPDX-License-Identifier: BSD-2-Clause
 * Files that all ranks open together: what each sees of one before anything is opened.
 */
#ifndef PLAIT_CORE_FILE_H
#define PLAIT_CORE_FILE_H

#include "comm.h"

/* Whether every rank can read a file (or create it), and all see the same one: the same path, and for reading
 * the same size and the same first and last bytes. One sentence on all ranks otherwise. Collective. */
pl_err pl_file_meet(pl_context *pl, const char *path, bool create);

#endif
