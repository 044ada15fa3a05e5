/* SPDX-License-Identifier: BSD-2-Clause
 * Numbers of a mesh file, in text or binary. In text a record is a line, and blank lines are none; in binary
 * records follow each other without separators. Functions return false after an error, which the mesh keeps.
 */
#pragma once

#include "mesh/base/file_mesh.h"

typedef struct fields {
  file_mesh *mesh;
  FILE *file;
  bool binary;        /* numbers are binary; lines between them are text still */
  char *line, *at;    /* the line, and the rest of it */
  size_t room;        /* of the line */
  int64_t number;     /* of the line */
  int64_t bytes;      /* before the next field (binary) or line */
  const char *record; /* contents of a record, for messages */
} fields;

bool pl_mesh_open(fields *f, file_mesh *mesh);
void pl_mesh_close_fields(fields *f);

/* The next line that is not blank, of text also in a binary file; false, without an error, at the end of the
 * file. */
bool pl_mesh_next_line(fields *f);

/* Place of the record, for messages: line or byte. */
int64_t pl_mesh_place(const fields *f);

/* Between these calls are the fields of one record. */
bool pl_mesh_begin(fields *f, const char *record);
bool pl_mesh_end(fields *f);

/* A field: a number of 4 bytes, of 8 bytes, a double. The first two check low <= value <= high; `what` names
 * it. */
bool pl_mesh_int(fields *f, const char *what, int64_t low, int64_t high, int64_t *value);
bool pl_mesh_long(fields *f, const char *what, int64_t low, int64_t high, int64_t *value);
bool pl_mesh_real(fields *f, double *value);

/* The same, and the value is ignored. */
bool pl_mesh_skip_ints(fields *f, int64_t n);
bool pl_mesh_skip_reals(fields *f, int64_t n);

/* Passes over n records; `bytes` of each in binary. */
bool pl_mesh_skip(fields *f, const char *record, int64_t n, int64_t bytes);

/* Starts the nodes: their number in the file, and the number of the first one. */
void pl_mesh_start_nodes(fields *f, int64_t n, int64_t base);

/* Of n records, those from `before` to before + count follow: the rank skips *skip of them, keeps *keep and
 * skips the others. */
void pl_mesh_part(const fields *f, int64_t n, int64_t before, int64_t count, int64_t *skip, int64_t *keep);

/* Expects a line that starts with this text. */
bool pl_mesh_word(fields *f, const char *text);

bool pl_mesh_starts(const char *text, const char *start);

/* An error at the next word, which it quotes: pl_mesh_wrong_word(f, "is no section"). */
bool pl_mesh_wrong_word(fields *f, const char *problem);

/* An error with the place of the record. */
#define pl_mesh_wrong(f, ...) pl_mesh_fail_at((f)->mesh, pl_mesh_place(f), __VA_ARGS__)
