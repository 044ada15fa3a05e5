/* SPDX-License-Identifier: BSD-2-Clause
 * The folder of compiled code that all processes of a user share: path, trust, locks, size limit.
 *
 * Invariant: a folder is used only if nobody but the user and root can write into it, replace it or replace a
 * parent of it. It is held open, so a later change of its name does not matter. Only files named by the cache
 * are removed.
 */
#pragma once

#include <stdint.h>
#include "core/context/string_builder.h"

typedef struct pl_cache_folder {
  pl_string path; /* absolute, without symbolic links; empty: no folder */
  int at;         /* its descriptor, for openat; -1: no folder */
} pl_cache_folder;

void pl_cache_folder_init(pl_cache_folder *folder, pl_context *pl);
void pl_cache_folder_close(pl_cache_folder *folder);

/* Option cache_dir, else $XDG_CACHE_HOME/plait, else ~/.cache/plait; created if missing (0700). Without a
 * folder cache_size is 0, or a warning has given the reason. Fails only without memory.
 */
pl_err pl_cache_folder_choose(pl_context *pl, pl_cache_folder *folder);

/* Opens a regular file of the folder that only the user could have written; else -1. */
int pl_cache_folder_read(const pl_cache_folder *folder, const char *name);

/* Waits until nobody else holds lock `number` of the folder, and takes it: its descriptor, -1 if nothing can
 * be locked. The system releases the locks of a process that ends. */
int pl_cache_folder_lock(const pl_cache_folder *folder, uint32_t number);
void pl_cache_folder_unlock(int lock);

/* Removes abandoned temporary files, and the least recently used files if all together exceed cache_size.
 * Best effort: errors are ignored. */
void pl_cache_folder_evict(pl_context *pl, const pl_cache_folder *folder);
