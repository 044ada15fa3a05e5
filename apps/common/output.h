/* SPDX-License-Identifier: BSD-2-Clause
 * Output of a program: messages on stderr, and files that rank 0 writes. A function that returns false has
 * printed the reason.
 */
#ifndef APPS_COMMON_OUTPUT_H
#define APPS_COMMON_OUTPUT_H

#include <stdbool.h>

#include "plait.h"

#include "json.h"

/* Prints "program: subject: reason". Returns false. */
bool output_error(const char *program, const char *subject, const char *reason);

/* Writes all objects to an HDF5 file (pl_checkpoint), which ParaView shows as cells with these corners, NULL:
 * as points (pl_vtk_grid). Collective. */
bool output_save(pl_context *pl, const char *program, const char *path, pl_dat *x, pl_map *corners);

/* Opens a JSON file and writes the program's name, the backend and the number of ranks. For rank 0. */
bool output_json_open(const pl_context *pl, const char *program, const char *path, json_writer *json);
bool output_json_close(const char *program, const char *path, json_writer *json);

#endif
