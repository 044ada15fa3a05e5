/* SPDX-License-Identifier: BSD-2-Clause
 * The folder of compiled code that all processes of a user share: choosing it and keeping it within its size.
 *
 * Invariant: a folder is used only if it belongs to the user and nobody else may write into it, and no file
 * is ever removed but those whose names the cache itself gives.
 */
#ifndef PLAIT_CODEGEN_FOLDER_H
#define PLAIT_CODEGEN_FOLDER_H

#include "core/text.h"

/* Options cache_dir and cache_size, else $XDG_CACHE_HOME/plait, else ~/.cache/plait; made if missing (0700).
 * `path` is its real path, or stays empty: no cache wanted, or a warning has told why not. Failing is only
 * for want of memory. */
pl_err pl_folder_choose(pl_context *pl, pl_text *path);

/* Removes abandoned work, and the least recently used files if all together exceed cache_size. Best effort:
 * what other processes remove at the same time, or cannot be listed for want of memory, is no failure. */
void pl_folder_evict(pl_context *pl, const char *folder);

#endif
