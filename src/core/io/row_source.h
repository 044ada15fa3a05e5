/* SPDX-License-Identifier: BSD-2-Clause
 * The rows of a dataset in pieces of a few megabytes, from the ranks that own them to the ranks that write
 * them. No rank holds a copy of a whole dataset.
 */
#pragma once

#include "core/comm/comm.h"
#include "core/mesh/set.h"
#include "hdf5_file.h"

/* Where records come from: from memory, or a function writes so many of them, from the record `first` on. */
typedef struct pl_h5_records {
  size_t stride; /* bytes of a record */
  const void *values;
  void (*fill)(const void *object, int64_t first, int64_t count, void *values);
  const void *object; /* for `fill` */
} pl_h5_records;

/* How the rows of a set reach the ranks that write them; kept as long as a file is open. */
typedef struct pl_h5_routes {
  struct pl_h5_routes *next;
  const pl_set *set;
  bool together;     /* the rows of each rank are contiguous, so that each rank writes its own */
  pl_h5_block block; /* the rows that this rank writes */
  int64_t *rows;     /* of this rank's elements in user order; ascending */
  int64_t *came;     /* the rows that the ranks send to this one, those of rank r from came_start[r] on */
  int64_t *came_start;
} pl_h5_routes;

typedef struct pl_h5_row_source {
  pl_h5_source base; /* `pieces` as many on all ranks, if there are routes */
  pl_context *pl;
  pl_h5_records records; /* of this rank's block, or of the set's elements in user order */
  pl_h5_block block;
  const pl_h5_routes *routes; /* NULL: this rank writes its own records */
  int64_t piece_rows;
  char *piece, *sent, *received; /* buffers */
  pl_messages messages;
} pl_h5_row_source;

/* The routes of a set, made by the first call. Collective. */
pl_err pl_h5_routes_of(const pl_h5_file *f, pl_set *set, const pl_h5_routes **routes);
void pl_h5_routes_free(pl_context *pl, pl_h5_routes **list);

/* The records of a block of rows, which need no exchange; of all elements of a set. Close a source also after
 * an error. Collective. */
pl_err pl_h5_open_block(pl_context *pl, const pl_h5_block *b, const pl_h5_records *records,
                        pl_h5_row_source *s);
pl_err pl_h5_open_set(pl_context *pl, const pl_h5_routes *routes, const pl_h5_records *records,
                      pl_h5_row_source *s);
void pl_h5_source_close(pl_h5_row_source *s);

/* Takes all pieces; the checksum of the rows of all ranks. Collective. */
pl_err pl_h5_source_sum(pl_context *pl, pl_h5_source *source, uint64_t *sum);
