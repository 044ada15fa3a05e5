/* SPDX-License-Identifier: BSD-2-Clause
 * plait mesh: counts, quality and groups of a mesh file, and its conversion.
 */
#pragma once

/* `plait mesh ...`: the exit status. */
int mesh_command(int argc, char **argv);
