/* SPDX-License-Identifier: BSD-2-Clause
 * Chooses the folder of compiled code that all processes of a user share, and limits its size.
 *
 * Invariant: a folder is used only if it belongs to the user and nobody else may write into it. Only files
 * named by the cache are removed.
 */
#ifndef PLAIT_CODEGEN_JIT_CACHE_FOLDER_H
#define PLAIT_CODEGEN_JIT_CACHE_FOLDER_H

#include "core/context/string_builder.h"

/* Option cache_dir, else $XDG_CACHE_HOME/plait, else ~/.cache/plait; created if missing (0700). `path` is its
 * real path, or stays empty: cache_size is 0, or a warning has given the reason. Fails only without memory.
 */
pl_err pl_cache_folder_choose(pl_context *pl, pl_string *path);

/* Removes abandoned temporary files, and the least recently used files if all together exceed cache_size.
 * Best effort: errors are ignored. */
void pl_cache_folder_evict(pl_context *pl, const char *folder);

#endif
