/* SPDX-License-Identifier: BSD-2-Clause
 * CGNS: an unstructured zone, whose sections list elements of first order. The CGNS library, which is opened
 * at run time, reads the file; each rank reads its share of each section and of the coordinates.
 *
 * A boundary condition that lists elements is a group of these, by the name of its family if it has one; all
 * other elements of a section are a group of its name. Groups of one name and dimension are one group. Tags
 * are 1, 2, ...: boundary conditions, then sections. Not read: structured zones, several zones, polygons and
 * polyhedra, and boundary conditions that list nodes.
 */
#include "formats.h"

#if PLAIT_HAVE_CGNS
#include <cgnslib.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* ---- the library ---- */

#define CALLS(DO)                                                                                            \
  DO(open)                                                                                                   \
  DO(close)                                                                                                  \
  DO(get_error)                                                                                              \
  DO(nbases)                                                                                                 \
  DO(base_read)                                                                                              \
  DO(nzones)                                                                                                 \
  DO(zone_type)                                                                                              \
  DO(zone_read)                                                                                              \
  DO(coord_read)                                                                                             \
  DO(nsections)                                                                                              \
  DO(section_read)                                                                                           \
  DO(elements_partial_read)                                                                                  \
  DO(poly_elements_partial_read)                                                                             \
  DO(nbocos)                                                                                                 \
  DO(boco_info)                                                                                              \
  DO(boco_read)                                                                                              \
  DO(boco_gridlocation_read)                                                                                 \
  DO(goto)                                                                                                   \
  DO(famname_read)
#define MEMBER(name) __typeof__(cg_##name) *cg_##name;

enum { ONE = 1, NAME = 33, FAMILY = 700 }; /* the base and the zone; bytes of names */

typedef struct section {
  char name[NAME];
  int index, dim;
  int64_t tag;
  CGNS_ENUMT(ElementType_t) type;
  cgsize_t start, end;
} section;

typedef struct cgns {
  CALLS(MEMBER)
  fields *fields;
  file_mesh *mesh;
  int file, dim, conditions, sections; /* how many conditions and sections */
  section *section;
  int64_t nodes;
  number_list ranges; /* of elements in boundary conditions: first, last, tag; ascending */
} cgns;

static bool open_library(cgns *c)
{
  void *library = dlopen(PLAIT_CGNS_NAME, RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen(PLAIT_CGNS_FILE, RTLD_NOW | RTLD_LOCAL);
  if (!library) return pl_mesh_fail(c->mesh, "the CGNS library cannot be loaded: %s", dlerror());
#define FIND(name)                                                                                           \
  *(void **)&c->cg_##name = dlsym(library, "cg_" #name);                                                     \
  if (!c->cg_##name) return pl_mesh_fail(c->mesh, PLAIT_CGNS_NAME " has no function cg_" #name);
  CALLS(FIND)
  return true;
}

/* Whether a call succeeded. */
static bool check(const cgns *c, int status)
{
  return status == CG_OK || pl_mesh_fail(c->mesh, "the CGNS library says: %s", c->cg_get_error());
}

/* ---- the zone ---- */

static bool find_zone(cgns *c)
{
  char name[NAME];
  int bases, zones, space;
  cgsize_t size[9];
  CGNS_ENUMT(ZoneType_t) type;
  if (!check(c, c->cg_nbases(c->file, &bases))) return false;
  if (bases < 1) return pl_mesh_fail(c->mesh, "there is no base");
  if (!check(c, c->cg_base_read(c->file, ONE, name, &c->dim, &space)) ||
      !check(c, c->cg_nzones(c->file, ONE, &zones)))
    return false;
  if (c->dim < 2 || c->dim > 3)
    return pl_mesh_fail(c->mesh, "cells of dimension %d are not supported", c->dim);
  if (zones != 1) return pl_mesh_fail(c->mesh, "there are %d zones; a file with one zone is read", zones);
  if (!check(c, c->cg_zone_type(c->file, ONE, ONE, &type))) return false;
  if (type != CGNS_ENUMV(Unstructured))
    return pl_mesh_fail(c->mesh, "structured zones are not read; convert the zone to an unstructured one");
  if (!check(c, c->cg_zone_read(c->file, ONE, ONE, name, size))) return false;
  c->nodes = size[0];
  return true;
}

static bool read_axis(cgns *c, const char *name, int64_t first, int64_t n, double *x)
{
  const cgsize_t low = first + 1, high = first + n;
  return !n || check(c, c->cg_coord_read(c->file, ONE, ONE, name, CGNS_ENUMV(RealDouble), &low, &high, x));
}

static bool read_nodes(cgns *c)
{
  static const char *const names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  int64_t first, n, bits[3];
  pl_mesh_start_nodes(c->fields, c->nodes, 1);
  pl_mesh_part(c->fields, c->nodes, 0, c->nodes, &first, &n);
  double *x = calloc(3 * (size_t)n + 1, sizeof *x);
  bool good = x ? true : pl_mesh_no_memory(c->mesh);
  for (int k = 0; good && k < c->dim; k++) good = read_axis(c, names[k], first, n, x + k * n);
  for (int64_t i = 0; good && i < n; i++) {
    for (int k = 0; k < 3; k++) bits[k] = real_as_number(x[k * n + i]);
    good = pl_mesh_push(c->mesh, &c->mesh->x, 3, bits);
  }
  free(x);
  return good;
}

/* ---- groups ---- */

/* A group of the name that is there already has its own tag. */
static bool name_group(cgns *c, int dim, const char *name, int64_t *tag)
{
  for (int i = 0; i < c->mesh->nnames; i++) {
    const group_name *known = &c->mesh->names[i];
    if (known->dim != dim || strcmp(known->name, name) != 0) continue;
    *tag = known->tag;
    return true;
  }
  return pl_mesh_push_name(c->mesh, dim, *tag, name);
}

/* ---- boundary conditions ---- */

static int dim_of(const cgns *c, cgsize_t element)
{
  for (int i = 0; i < c->sections; i++)
    if (element >= c->section[i].start && element <= c->section[i].end) return c->section[i].dim;
  return c->dim - 1;
}

/* The name of the boundary condition's family, if it has one. */
static const char *family_of(cgns *c, int boco, char family[FAMILY])
{
  return !c->cg_goto(c->file, ONE, "Zone_t", ONE, "ZoneBC_t", ONE, "BC_t", boco, "end") &&
             !c->cg_famname_read(family)
           ? family
           : NULL;
}

static bool push_ranges(cgns *c, const cgsize_t *points, int64_t n, bool range, int64_t tag)
{
  for (int64_t i = 0; i < n; i += range ? 2 : 1) {
    const int64_t record[3] = {points[i], range ? points[i + 1] : points[i], tag};
    if (!pl_mesh_push(c->mesh, &c->ranges, 3, record)) return false;
  }
  return true;
}

static bool read_points(cgns *c, int boco, const char *name, int64_t n, bool range)
{
  char family[FAMILY];
  int64_t tag = boco;
  cgsize_t *points = malloc(((size_t)n + 1) * sizeof *points);
  bool good =
    points ? check(c, c->cg_boco_read(c->file, ONE, ONE, boco, points, NULL)) : pl_mesh_no_memory(c->mesh);
  const char *known = good ? family_of(c, boco, family) : NULL;
  good = good && name_group(c, dim_of(c, points[0]), known ? known : name, &tag) &&
         push_ranges(c, points, n, range, tag);
  free(points);
  return good;
}

static bool read_boco(cgns *c, int boco)
{
  char name[NAME];
  int normal[3], sets;
  cgsize_t n, normals;
  CGNS_ENUMT(BCType_t) kind;
  CGNS_ENUMT(PointSetType_t) type;
  CGNS_ENUMT(DataType_t) data;
  CGNS_ENUMT(GridLocation_t) location;
  if (!check(c, c->cg_boco_info(c->file, ONE, ONE, boco, name, &kind, &type, &n, normal, &normals, &data,
                                &sets)) ||
      !check(c, c->cg_boco_gridlocation_read(c->file, ONE, ONE, boco, &location)))
    return false;
  const bool points = type == CGNS_ENUMV(PointRange) || type == CGNS_ENUMV(PointList);
  if (n < 1 || (points && location == CGNS_ENUMV(Vertex))) return true;
  return read_points(c, boco, name, n, type == CGNS_ENUMV(PointRange) || type == CGNS_ENUMV(ElementRange));
}

static int by_first(const void *a, const void *b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static bool read_bocos(cgns *c)
{
  if (!check(c, c->cg_nbocos(c->file, ONE, ONE, &c->conditions))) return false;
  for (int boco = 1; boco <= c->conditions; boco++)
    if (!read_boco(c, boco)) return false;
  if (c->ranges.count) qsort(c->ranges.at, c->ranges.count / 3, 3 * sizeof *c->ranges.at, by_first);
  return true;
}

/* The boundary condition of an element; `otherwise` if there is none. */
static int64_t tag_of(const cgns *c, int64_t element, int64_t otherwise)
{
  const int64_t *range = c->ranges.at;
  size_t low = 0, high = c->ranges.count / 3; /* the last range that begins at or before the element */
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (range[3 * middle] <= element)
      low = middle + 1;
    else
      high = middle;
  }
  return low && range[3 * low - 2] >= element ? range[3 * low - 1] : otherwise;
}

/* ---- sections ---- */

static int shape_of(int64_t type)
{
  static const int types[] = {
    [PL_MESH_POINT] = CGNS_ENUMV(NODE),          [PL_MESH_LINE] = CGNS_ENUMV(BAR_2),
    [PL_MESH_TRIANGLE] = CGNS_ENUMV(TRI_3),      [PL_MESH_QUADRILATERAL] = CGNS_ENUMV(QUAD_4),
    [PL_MESH_TETRAHEDRON] = CGNS_ENUMV(TETRA_4), [PL_MESH_HEXAHEDRON] = CGNS_ENUMV(HEXA_8),
    [PL_MESH_PRISM] = CGNS_ENUMV(PENTA_6),       [PL_MESH_PYRAMID] = CGNS_ENUMV(PYRA_5)};
  for (int shape = 0; shape < SHAPES; shape++)
    if (types[shape] == type) return shape;
  return -1;
}

/* Element `number`, whose type, for MIXED, and nodes begin at *at. */
static bool push_element(cgns *c, const section *s, int64_t number, const cgsize_t **at, int *dim)
{
  int64_t node[SHAPE_NODES];
  const int64_t type = s->type == CGNS_ENUMV(MIXED) ? *(*at)++ : (int64_t)s->type;
  const int shape = shape_of(type);
  if (shape < 0)
    return pl_mesh_fail_at(
      c->mesh, number, "elements of type %lld are not supported; save the mesh with elements of first order",
      (long long)type);
  const shape_info *info = pl_mesh_shape_info(shape);
  *dim = info->dim;
  for (int k = 0; k < info->nodes; k++) node[k] = *(*at)++;
  return pl_mesh_push_element(c->mesh, number, shape, tag_of(c, number, s->tag), node);
}

/* Elements of CGNS have at most 125 nodes. The library's own count of values is wrong for parts of mixed
 * sections in version 3.4. */
enum { MOST_VALUES = 126, PIECE = 1024 };

typedef struct piece {
  cgsize_t nodes[PIECE * MOST_VALUES], offset[PIECE + 1];
} piece;

static bool read_piece(cgns *c, const section *s, cgsize_t start, cgsize_t end, piece *p)
{
  if (s->type != CGNS_ENUMV(MIXED))
    return check(c, c->cg_elements_partial_read(c->file, ONE, ONE, s->index, start, end, p->nodes, NULL));
  return check(
    c, c->cg_poly_elements_partial_read(c->file, ONE, ONE, s->index, start, end, p->nodes, p->offset, NULL));
}

static bool push_elements(cgns *c, const section *s, cgsize_t start, cgsize_t end, int *dim)
{
  piece *p = malloc(sizeof *p);
  bool good = p ? true : pl_mesh_no_memory(c->mesh);
  for (cgsize_t first = start; good && first <= end; first += PIECE) {
    const cgsize_t last = end - first < PIECE ? end : first + PIECE - 1;
    good = read_piece(c, s, first, last, p);
    const cgsize_t *at = p->nodes;
    for (cgsize_t i = first; good && i <= last; i++) good = push_element(c, s, i, &at, dim);
  }
  free(p);
  return good;
}

/* All elements of a section have the dimension of its first one, which all ranks read. */
static bool open_section(cgns *c, int index)
{
  section *s = &c->section[index - 1];
  int boundary, parents;
  *s = (section){.index = index};
  if (!check(c, c->cg_section_read(c->file, ONE, ONE, index, s->name, &s->type, &s->start, &s->end, &boundary,
                                   &parents)))
    return false;
  if (s->type != CGNS_ENUMV(MIXED) && shape_of(s->type) < 0)
    return pl_mesh_fail(
      c->mesh, "section \"%s\": only elements of first order are read, no polygons and polyhedra", s->name);
  const bool good = push_elements(c, s, s->start, s->start, &s->dim);
  c->mesh->elements.count = 0;
  return good;
}

static bool open_sections(cgns *c)
{
  if (!check(c, c->cg_nsections(c->file, ONE, ONE, &c->sections))) return false;
  c->section = malloc(((size_t)c->sections + 1) * sizeof *c->section);
  if (!c->section) return pl_mesh_no_memory(c->mesh);
  for (int index = 1; index <= c->sections; index++)
    if (!open_section(c, index)) return false;
  return true;
}

static int64_t size_of(const section *s)
{
  return s->end - s->start + 1;
}

/* Whether the boundary conditions list all elements of a section. */
static bool is_covered(const cgns *c, const section *s)
{
  int64_t covered = 0;
  for (size_t i = 0; i < c->ranges.count; i += 3) {
    const int64_t *range = c->ranges.at + i;
    const int64_t first = range[0] > s->start ? range[0] : s->start,
                  last = range[1] < s->end ? range[1] : s->end;
    covered += last >= first ? last - first + 1 : 0;
  }
  return covered >= size_of(s);
}

/* The part of a section that belongs to this rank's share of all n elements; `before`: those of earlier
 * sections. */
static bool read_section(cgns *c, section *s, int64_t n, int64_t before)
{
  int64_t skip, keep;
  s->tag = c->conditions + s->index;
  if (!is_covered(c, s) && !name_group(c, s->dim, s->name, &s->tag)) return false;
  pl_mesh_part(c->fields, n, before, size_of(s), &skip, &keep);
  return push_elements(c, s, s->start + skip, s->start + skip + keep - 1, &s->dim);
}

static bool read_sections(cgns *c)
{
  int64_t n = 0, before = 0;
  for (int i = 0; i < c->sections; i++) n += size_of(&c->section[i]);
  for (int i = 0; i < c->sections; before += size_of(&c->section[i]), i++)
    if (!read_section(c, &c->section[i], n, before)) return false;
  return true;
}

bool pl_mesh_read_cgns(fields *f)
{
  cgns c = {.fields = f, .mesh = f->mesh};
  f->mesh->unit = "element";
  if (!open_library(&c) || !check(&c, c.cg_open(f->mesh->path, CG_MODE_READ, &c.file))) return false;
  const bool good =
    find_zone(&c) && read_nodes(&c) && open_sections(&c) && read_bocos(&c) && read_sections(&c);
  free(c.ranges.at);
  free(c.section);
  c.cg_close(c.file);
  return good;
}

#else

bool pl_mesh_read_cgns(fields *f)
{
  return pl_mesh_fail(f->mesh, "Plait was built without CGNS; build it where CGNS 3.4 is installed");
}

#endif
