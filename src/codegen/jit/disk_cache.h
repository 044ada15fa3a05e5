/* SPDX-License-Identifier: BSD-2-Clause
 * The disk cache: compiled code in a folder that all processes of a user share. Owns the files in it.
 *
 *   <folder>/<hash>.so              an entry: the code's bytes, the key, the dependencies, a footer with
 * sizes and checksum <folder>/src/<label>-<hash>.c   the source, for debuggers and readers
 *   <folder>/.plait-<process>-<n>   work in progress
 *   <folder>/.lock                  locks, one for each hash (pl_cache_lock)
 *
 * Invariant: an entry appears under its name complete, by rename. It is used only if nobody but the user
 * could have written it, footer, checksum and the whole key agree, and its dependencies hold. Entries with
 * equal hashes use consecutive slots. A folder that cannot be written costs one warning, and time.
 */
#pragma once

#include <stdbool.h>
#include "jit.h"
#include "core/context/string_builder.h"

enum { PL_CACHE_NAME = 24 }; /* of an entry */

/* Reads the options cache_dir and cache_size; touches no file. */
pl_err pl_cache_open(pl_context *pl, pl_cache **cache);
void pl_cache_close(pl_cache **cache);

/* The name of the entry for `key`; empty if there is none. Fails only without memory. */
pl_err pl_cache_find(pl_cache *cache, const pl_string *key, char name[PL_CACHE_NAME]);

/* A path of an entry that stays that of the folder which was checked, while the cache is open. */
void pl_cache_path(const pl_cache *cache, const char *name, char *path, size_t size);

void pl_cache_remove(pl_cache *cache, const char *name); /* an entry, if any */

/* Writes no more entries: the folder cannot be WHAT ("written"), which one warning says. */
void pl_cache_give_up(pl_cache *cache, const char *what, const char *why);

/* Writes an entry that holds while the dependencies do (dependencies.h; NULL: none). PL_ERR_IO if it cannot
 * be written. */
pl_err pl_cache_publish(pl_cache *cache, const pl_string *key, const pl_string *files, const pl_string *code);

/* Writes the source into the folder; `path` stays empty if it cannot be written. Fails only without memory.
 */
pl_err pl_cache_keep_source(pl_cache *cache, const pl_jit_source *source, const pl_string *key,
                            pl_string *path);

/* Lets one process, and one context of it, at a time make the entry for `key`: the others wait, and find it
 * when they look again. Others may make it too if *lock is -1: entries cannot be written, or the file system
 * has no locks. One lock at a time, which is not held while other ranks are waited for. Fails only without
 * memory. */
pl_err pl_cache_lock(pl_cache *cache, const pl_string *key, int *lock);
void pl_cache_unlock(int lock);

/* Reads the bytes of the entry for `key`, none if there is no entry; writes `code` as such an entry. For code
 * that is not loaded from a file. */
pl_err pl_cache_read(pl_cache *cache, const pl_string *key, pl_string *code);
pl_err pl_cache_write(pl_cache *cache, const char *label, const pl_string *key, const pl_string *code);
