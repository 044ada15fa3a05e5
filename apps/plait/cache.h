/* SPDX-License-Identifier: BSD-2-Clause
 * plait cache: the entries of the cache of compiled code.
 */
#pragma once

enum { PATH_ROOM = 4096 };

/* `plait cache ...`: the exit status. */
int cache_command(int argc, char **argv);
