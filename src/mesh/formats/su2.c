/* SPDX-License-Identifier: BSD-2-Clause
 * SU2's format: lines "KEYWORD= value", some followed by records; comments start with %. Nodes are numbered
 * from 0 in file order; elements have the numbers of VTK's shapes.
 */
#include "formats.h"

#include <string.h>

enum { MOST = INT32_MAX };

/* The value of the line "KEYWORD= value"; NULL for another keyword. */
static const char *value_of(const fields *f, const char *keyword)
{
  if (!pl_mesh_starts(f->at, keyword)) return NULL;
  const char *at = f->at + strlen(keyword);
  at += strspn(at, " \t");
  return *at == '=' ? at + 1 : NULL;
}

static bool take_count(fields *f, const char *value, const char *keyword, int64_t low, int64_t high,
                       int64_t *count)
{
  f->record = keyword;
  f->at += value - f->at;
  return pl_mesh_long(f, "the number", low, high, count);
}

static int shape_of(int64_t vtk)
{
  switch (vtk) {
  case 3:
    return PL_MESH_LINE;
  case 5:
    return PL_MESH_TRIANGLE;
  case 9:
    return PL_MESH_QUADRILATERAL;
  case 10:
    return PL_MESH_TETRAHEDRON;
  case 12:
    return PL_MESH_HEXAHEDRON;
  case 13:
    return PL_MESH_PRISM;
  case 14:
    return PL_MESH_PYRAMID;
  default:
    return -1;
  }
}

static bool read_elements(fields *f, int64_t n, int64_t tag)
{
  int64_t skip, keep, vtk, node[SHAPE_NODES];
  static const char record[] = "an element \"type nodes\"";
  pl_mesh_part(f, n, 0, n, &skip, &keep);
  if (!pl_mesh_skip(f, record, skip, 0)) return false;
  for (int64_t i = 0; i < keep; i++) {
    if (!pl_mesh_begin(f, record) || !pl_mesh_int(f, "type", 0, MOST, &vtk)) return false;
    const int shape = shape_of(vtk);
    if (shape < 0) return pl_mesh_wrong(f, "elements of type %lld are not supported", (long long)vtk);
    for (int k = 0; k < pl_mesh_shape_info(shape)->nodes; k++)
      if (!pl_mesh_long(f, "a node", 0, MOST, &node[k])) return false;
    if (!pl_mesh_push_element(f->mesh, pl_mesh_place(f), shape, tag, node)) return false;
  }
  return pl_mesh_skip(f, record, n - skip - keep, 0);
}

static bool read_points(fields *f, int64_t n, int64_t dim)
{
  int64_t skip, keep, bits[3];
  static const char record[] = "a point \"x y\" or \"x y z\"";
  pl_mesh_start_nodes(f, n, 0);
  pl_mesh_part(f, n, 0, n, &skip, &keep);
  if (!pl_mesh_skip(f, record, skip, 0)) return false;
  for (int64_t i = 0; i < keep; i++) {
    double x[3] = {0, 0, 0};
    if (!pl_mesh_begin(f, record)) return false;
    for (int k = 0; k < dim; k++)
      if (!pl_mesh_real(f, &x[k])) return false;
    for (int k = 0; k < 3; k++) bits[k] = real_as_number(x[k]);
    if (!pl_mesh_push(f->mesh, &f->mesh->x, 3, bits)) return false;
  }
  return pl_mesh_skip(f, record, n - skip - keep, 0);
}

static bool read_marker(fields *f, const char *value, int64_t dim, int64_t tag)
{
  char name[200];
  int64_t count;
  if (sscanf(value, "%199s", name) != 1) return pl_mesh_wrong(f, "MARKER_TAG has no name");
  if (!pl_mesh_push_name(f->mesh, (int)dim - 1, tag, name)) return false;
  do {
    if (!pl_mesh_next_line(f)) return pl_mesh_wrong(f, "marker %s: the file ends before MARKER_ELEMS", name);
  } while (*f->at == '%');
  value = value_of(f, "MARKER_ELEMS");
  if (!value) return pl_mesh_wrong_word(f, "stands where MARKER_ELEMS should");
  return take_count(f, value, "MARKER_ELEMS", 0, MOST, &count) && read_elements(f, count, tag);
}

bool pl_mesh_read_su2(fields *f)
{
  int64_t dim = 0, count, markers = 0, wanted = -1;
  bool elements = false, points = false;
  while (pl_mesh_next_line(f)) {
    const char *value;
    bool good = true;
    if ((value = value_of(f, "NDIME")))
      good = take_count(f, value, "NDIME", 2, 3, &dim);
    else if ((value = value_of(f, "NZONE")))
      good = take_count(f, value, "NZONE", 1, 1, &count);
    else if ((value = value_of(f, "NELEM")))
      good = take_count(f, value, "NELEM", 0, MOST, &count) && read_elements(f, count, 0), elements = true;
    else if ((value = value_of(f, "NPOIN"))) {
      if (!dim) return pl_mesh_wrong(f, "NPOIN stands before NDIME");
      if (points) return pl_mesh_wrong(f, "NPOIN stands twice");
      good = take_count(f, value, "NPOIN", 0, MOST, &count) && read_points(f, count, dim), points = true;
    } else if ((value = value_of(f, "NMARK")))
      good = take_count(f, value, "NMARK", 0, MOST, &wanted);
    else if ((value = value_of(f, "MARKER_TAG"))) {
      if (!dim) return pl_mesh_wrong(f, "MARKER_TAG stands before NDIME");
      good = read_marker(f, value, dim, ++markers);
    } else if (*f->at != '%' && !strchr(f->at, '='))
      return pl_mesh_wrong_word(f, "is no keyword, and more than the counted records");
    if (!good) return false;
  }
  if (f->mesh->code) return false;
  if (!elements || !points) return pl_mesh_fail(f->mesh, "there is no %s", elements ? "NPOIN" : "NELEM");
  if (wanted >= 0 && wanted != markers)
    return pl_mesh_fail(f->mesh, "there are %lld markers, but NMARK says %lld", (long long)markers,
                        (long long)wanted);
  return true;
}
