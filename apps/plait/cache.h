/* SPDX-License-Identifier: BSD-2-Clause
 * plait cache: the entries of the cache of compiled code.
 */
#pragma once

enum { PATH_ROOM = 4096 };

/* Where the library keeps compiled code, by the option cache_dir; 0 if nowhere. */
int cache_folder(const char *asked, char path[PATH_ROOM]);

/* `plait cache ...`: the exit status. */
int cache_command(int argc, char **argv);
