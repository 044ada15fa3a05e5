/* SPDX-License-Identifier: BSD-2-Clause
 * Output of a program: messages on stderr, and files that rank 0 writes. A function that returns false has
 * printed the reason.
 */
#ifndef APPS_COMMON_OUTPUT_H
#define APPS_COMMON_OUTPUT_H

#include <stdbool.h>

#include "plait.h"

#include "file_options.h"
#include "json.h"
#include "picture.h"

/* Prints "program: subject: reason". Returns false. */
bool output_error(const char *program, const char *subject, const char *reason);

/* Writes the files that are wanted: the picture, and all objects (pl_checkpoint) with the cells and points of
 * the picture, which ParaView shows (pl_vtk_grid). The corners of its cells go round them. Collective. */
bool output_write(pl_context *pl, const char *program, const output_files *files, const picture *p);

/* Opens a JSON file and writes the program's name, the backend and the number of ranks. For rank 0. */
bool output_json_open(const pl_context *pl, const char *program, const char *path, json_writer *json);
bool output_json_close(const char *program, const char *path, json_writer *json);

#endif
