/* SPDX-License-Identifier: BSD-2-Clause
 * Options of the files that most programs write. A path that is NULL: none.
 */
#ifndef APPS_COMMON_FILE_OPTIONS_H
#define APPS_COMMON_FILE_OPTIONS_H

#include "options.h"

#define FILE_ROW(name, target, help)                                                                         \
  {                                                                                                          \
    name, "FILE", OPTION_TEXT, target, 0, 0, help                                                            \
  }
#define FILE_NUMBER_ROW(name, target, least, help)                                                           \
  {                                                                                                          \
    name, "N", OPTION_INTEGER, target, least, 1000000000, help                                               \
  }

/* The results, written by output_write (output.h). */
typedef struct output_files {
  const char *picture, *save;
} output_files;

/* The texts continue "draw ..." and "write ...". */
#define OUTPUT_OPTIONS(files, drawn, saved)                                                                  \
  FILE_ROW("picture", &(files)->picture, "draw " drawn ", a PNG file"),                                      \
    FILE_ROW("save", &(files)->save, "write " saved ", an HDF5 file")

/* Checkpoints of a program with time steps (checkpoint.h). */
typedef struct checkpoint_files {
  const char *path;
  int64_t every, keep; /* steps between two; previous files that are kept */
} checkpoint_files;

#define CHECKPOINT_OPTIONS(files)                                                                            \
  FILE_ROW("checkpoint", &(files)->path,                                                                     \
           "continue from FILE (HDF5) if it exists, and write it while the program runs"),                   \
    FILE_NUMBER_ROW("checkpoint-every", &(files)->every, 1, "steps between two checkpoints"),                \
    FILE_NUMBER_ROW("checkpoint-keep", &(files)->keep, 0,                                                    \
                    "previous checkpoints to keep: FILE.1, FILE.2, ...")

/* Pictures over time of a program with time steps (series.h). */
typedef struct series_file {
  const char *path;
  int64_t every; /* steps between two */
} series_file;

#define SERIES_OPTIONS(file)                                                                                 \
  FILE_ROW("series", &(file)->path, "append pictures over time to FILE (HDF5), for ParaView"),               \
    FILE_NUMBER_ROW("series-every", &(file)->every, 1, "steps between two of these pictures")

#endif
