/* SPDX-License-Identifier: BSD-2-Clause
 * A rank's share of a mesh file, before anything is declared.
 *
 * The reader of a format fills it. Invariant after reading: nodes of elements are numbers as in the file;
 * after pl_mesh_number_nodes they are global indices, from 0 in the order of the file.
 */
#pragma once

#include "exchange.h"
#include "shapes.h"

/* A growing list of numbers. */
typedef struct number_list {
  int64_t *at;
  size_t count, room;
} number_list;

/* The name of a group. */
typedef struct group_name {
  int dim, tag;
  char *name;
} group_name;

typedef struct file_mesh {
  pl_context *pl;
  const char *path;
  pl_err code;        /* of the first error, with its sentence */
  char sentence[600]; /* PL_ERR_MEMORY needs none */

  int64_t nodes;    /* of the whole file */
  int64_t first;    /* of them, the first one of this rank */
  int64_t base;     /* number of the first node where `tags` is empty */
  number_list tags; /* the number of each node of this rank; empty: base, base + 1, ... */
  number_list x;    /* 3 doubles a node of this rank, as their bits */

  number_list elements; /* records of element_record */
  number_list more;     /* further groups of elements: the record's position in the list, the tag */
  const char *unit;     /* of places: "byte", "element"; NULL: lines */

  bool has_faces;    /* the file lists them: OP2 */
  number_list faces; /* 2 nodes, 2 cells: cell 0 on the left on the way from the first node to the second */
  number_list boundary; /* 2 nodes, 1 cell, marker */

  group_name *names;
  int nnames;
} file_mesh;

/* An element: its shape and place in the file (line or byte), the tag of its first group (0: none), its
 * nodes. */
enum { ELEMENT_HEAD = 2 };
static inline int element_shape(const int64_t *record)
{
  return (int)(record[0] & 255);
}
static inline int64_t element_place(const int64_t *record)
{
  return record[0] >> 8;
}
static inline const shape_info *element_info(const int64_t *record)
{
  return pl_mesh_shape_info(element_shape(record));
}
static inline size_t element_size(const int64_t *record)
{
  return ELEMENT_HEAD + (size_t)element_info(record)->nodes;
}

/* for (EACH_ELEMENT(mesh, record)): the records of this rank. */
#define EACH_ELEMENT(mesh, record)                                                                           \
  int64_t *record = (mesh)->elements.at, *end_ = record + (mesh)->elements.count;                            \
  record < end_;                                                                                             \
  record += element_size(record)

static inline double number_as_real(int64_t number)
{
  union {
    int64_t number;
    double real;
  } u = {.number = number};
  return u.real;
}
static inline int64_t real_as_number(double real)
{
  union {
    double real;
    int64_t number;
  } u = {.real = real};
  return u.number;
}

/* Keeps the first error; false. The second names the place of an element. */
bool pl_mesh_fail(file_mesh *mesh, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool pl_mesh_fail_at(file_mesh *mesh, int64_t place, const char *format, ...)
  __attribute__((format(printf, 3, 4)));
bool pl_mesh_no_memory(file_mesh *mesh);

/* Makes an error of one rank that of all. Collective. */
pl_err pl_mesh_agree(file_mesh *mesh);

/* Append to a list; a node of this rank, an element, the name of a group. False without memory. */
bool pl_mesh_push(file_mesh *mesh, number_list *list, int n, const int64_t *numbers);
bool pl_mesh_push_element(file_mesh *mesh, int64_t place, int shape, int64_t tag, const int64_t *nodes);
bool pl_mesh_push_name(file_mesh *mesh, int dim, int64_t tag, const char *name);

/* Replaces the numbers of nodes by global indices. Collective. */
pl_err pl_mesh_number_nodes(file_mesh *mesh);

void pl_mesh_free_file(file_mesh *mesh);
