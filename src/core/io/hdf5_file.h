/* SPDX-License-Identifier: BSD-2-Clause
 * HDF5 files and datasets without HDF5's types: the module of HDF5 is hdf5_file.c. Opening,
 * closing, writing and reading are collective.
 */
#pragma once

#include "plait.h"
#include <stdbool.h>

/* An open file, for one call. */
typedef struct pl_h5_file {
  const struct pl_h5_functions *functions;
  pl_context *pl;
  const char *path;
  struct pl_h5_routes *
    *routes; /* of a new file: routes of rows (row_source.h); its caller owns and frees this list */
  int keep;  /* of a new file: so many previous files (parallel_file.h) */
} pl_h5_file;

/* The rows of a dataset that this rank writes or reads. */
typedef struct pl_h5_block {
  int64_t total, first, count;
} pl_h5_block;

/* The rows of a dataset that this rank writes, in pieces (row_source.h). */
typedef struct pl_h5_source {
  size_t stride; /* bytes of a row of the source */
  int64_t pieces;
  /* Piece i, valid until the next call. All pieces are taken, in order. Collective. */
  pl_err (*piece)(struct pl_h5_source *s, int64_t i, pl_h5_block *rows, const void **values);
} pl_h5_source;

enum { PL_H5_RANK = 32 }; /* HDF5's limit of extents */

/* Rows of a dataset that grows: so many from row `first` on, each of `width` values; 0: one extent. */
typedef struct pl_h5_rows {
  int64_t first, count;
  int width;
} pl_h5_rows;

/* A dataset to be written. */
typedef struct pl_h5_new {
  const char *name;
  pl_type type;
  int rank;
  const uint64_t *extent;
  const char *const *attributes; /* pairs of name and value that end with NULL; NULL: none */
} pl_h5_new;

typedef struct pl_h5_dataset {
  int64_t id;
  int rank;
  uint64_t extent[PL_H5_RANK];
  pl_type type;
  uint64_t checksum; /* pl_h5_checksum of the values as they were written */
  bool has_checksum;
} pl_h5_dataset;

/* The functions of the module. */
typedef struct pl_h5_functions {
  pl_err (*open)(pl_context *pl, const char *path, pl_h5_file **file);
  /* A file of at most so many bytes; when closed, it replaces its predecessor if no rank has an error. */
  pl_err (*create)(pl_context *pl, const char *path, int64_t bytes, pl_h5_file **file);
  /* An existing file, which grows by so many bytes at most. It is changed in place: a process that is killed
   * while it closes the file can leave it damaged. */
  pl_err (*append)(pl_context *pl, const char *path, int64_t bytes, pl_h5_file **file);
  pl_err (*close)(pl_h5_file *file, pl_err err);
  /* Creates a dataset, writes this rank's rows and the attributes. Closing the file adds the checksum of the
   * values, and fails if a rank could not write. */
  pl_err (*write)(pl_h5_file *file, const pl_h5_new *d, pl_h5_source *source);
  /* Writes rows of a dataset that can grow, which is created if there is none; `source` has `count` rows on
   * all ranks together. */
  pl_err (*extend)(pl_h5_file *file, const char *name, pl_type type, const pl_h5_rows *rows,
                   pl_h5_source *source);
  /* Gives a group an attribute of one number, or another value to it. */
  pl_err (*number)(const pl_h5_file *file, const char *group, const char *name, int64_t value);
  /* Opens a dataset; reads this rank's block of rows as values of a type. */
  pl_err (*find)(const pl_h5_file *file, const char *name, pl_h5_dataset *d);
  void (*dataset_close)(pl_h5_dataset *d);
  pl_err (*read)(const pl_h5_file *file, const pl_h5_dataset *d, const char *name, pl_type type,
                 const pl_h5_block *b, void *values);
  bool (*has)(const pl_h5_file *file, const char *kind, const char *name); /* there is /kind/name */
  /* Creates a group for VTK with its attributes: the type of the data, and its place among the parts of a
   * collection, -1: none; `type` NULL: a group without attributes. */
  pl_err (*group)(const pl_h5_file *file, const char *name, const char *type, int part);
  /* Gives a dataset or group of the file a second name, by a reference to it (hard) or to its name. */
  pl_err (*link)(const pl_h5_file *file, const char *from, const char *to, bool hard);
} pl_h5_functions;

/* For a file at `path`. PL_ERR_IO without the module of HDF5. Collective. */
pl_err pl_h5_module(pl_context *pl, const char *path, const pl_h5_functions **functions);

/* ---- conventions of all files ---- */

/* Fails on all ranks if a pointer of a call is NULL on one. */
#define PL_H5_GIVEN(pl, call, ...) pl_h5_agree((pl), PL_GIVEN((pl), (call), __VA_ARGS__))
pl_err pl_h5_agree(pl_context *pl, pl_err err);

/* The blocks of `total` rows of this rank and of any rank, and the rank of a row. */
pl_h5_block pl_h5_block_of(const pl_context *pl, int64_t total);
pl_h5_block pl_h5_block_of_rank(const pl_context *pl, int64_t total, int rank);
int pl_h5_rank_of_row(const pl_context *pl, int64_t total, int64_t row);

/* The checksum of a dataset is the sum of those of its rows. A change of one aligned word of 8 bytes in a row
 * always changes it. Local. */
uint64_t pl_h5_checksum(const pl_h5_block *b, size_t row_bytes, const void *values);

enum { PL_H5_NAME = 300 };
const char *pl_h5_full_name(const char *kind, const char *name, char buffer[PL_H5_NAME]);
