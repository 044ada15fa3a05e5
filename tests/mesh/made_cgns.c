/* SPDX-License-Identifier: BSD-2-Clause
 * The small meshes as CGNS files: the elements of one dimension less than the cells are the section "5", in
 * which two boundary conditions choose elements; the cells of each group are a section of its name.
 */
#include "made.h"

#if PLAIT_HAVE_CGNS
#include <cgnslib.h>
#include <stdlib.h>

enum { ONE = 1 };

typedef struct cgns_file {
  int file;
  const made_mesh *mesh;
} cgns_file;

static void check(int status)
{
  if (status == CG_OK) return;
  fprintf(stderr, "made_cgns: %s\n", cg_get_error());
  exit(1);
}

static bool in_sides(const cgns_file *f, int element)
{
  return pl_mesh_shape_dim(f->mesh->element[element].shape) < f->mesh->dim;
}

static void write_nodes(const cgns_file *f)
{
  static const char *const names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  double x[64];
  int index;
  for (int k = 0; k < f->mesh->dim; k++) {
    for (int i = 0; i < f->mesh->nnodes; i++) x[i] = f->mesh->x[i][k];
    check(cg_coord_write(f->file, ONE, ONE, CGNS_ENUMV(RealDouble), names[k], x, &index));
  }
}

/* The elements from `first` on with the same section; sides, which are alike, with one type. Returns the
 * first one that is not among them. */
static int write_section(const cgns_file *f, int first)
{
  static const int types[] = {CGNS_ENUMV(NODE),    CGNS_ENUMV(BAR_2),   CGNS_ENUMV(TRI_3),
                              CGNS_ENUMV(QUAD_4),  CGNS_ENUMV(TETRA_4), CGNS_ENUMV(HEXA_8),
                              CGNS_ENUMV(PENTA_6), CGNS_ENUMV(PYRA_5)};
  const bool sides = in_sides(f, first);
  const made_element *e = f->mesh->element;
  cgsize_t list[64 * 9], offset[65] = {0};
  int end = first, n = 0, index;
  for (; end < f->mesh->nelements && in_sides(f, end) == sides && (sides || e[end].tag == e[first].tag);
       end++) {
    if (!sides) list[n++] = types[e[end].shape];
    for (int k = 0; k < pl_mesh_shape_nodes(e[end].shape); k++) list[n++] = e[end].node[k] + 1;
    offset[end - first + 1] = n;
  }
  if (sides)
    check(cg_section_write(f->file, ONE, ONE, "5", (CGNS_ENUMT(ElementType_t))types[e[first].shape],
                           first + 1, end, 0, list, &index));
  else
    check(cg_poly_section_write(f->file, ONE, ONE, made_name(e[first].tag), CGNS_ENUMV(MIXED), first + 1, end,
                                0, list, offset, &index));
  return end;
}

/* The elements of a tag follow each other: a range of them for tag 1, a list for tag 2, whose name is that of
 * its family. */
static void write_boco(const cgns_file *f, int tag)
{
  cgsize_t points[64];
  int n = 0, index;
  const CGNS_ENUMT(GridLocation_t) location =
    f->mesh->dim == 2 ? CGNS_ENUMV(EdgeCenter) : CGNS_ENUMV(FaceCenter);
  for (int i = 0; i < f->mesh->nelements; i++)
    if (f->mesh->element[i].tag == tag) points[n++] = i + 1;
  if (tag == 1) points[1] = points[n - 1], n = 2;
  check(cg_boco_write(f->file, ONE, ONE, tag == 1 ? made_name(tag) : "outer", CGNS_ENUMV(BCWall),
                      tag == 1 ? CGNS_ENUMV(PointRange) : CGNS_ENUMV(PointList), n, points, &index));
  check(cg_boco_gridlocation_write(f->file, ONE, ONE, index, location));
  if (tag == 1) return;
  check(cg_goto(f->file, ONE, "Zone_t", ONE, "ZoneBC_t", ONE, "BC_t", index, "end"));
  check(cg_famname_write(made_name(tag)));
}

void made_write_cgns(const made_mesh *mesh, const char *path)
{
  cgns_file f = {.mesh = mesh};
  int index, cells = 0;
  const cgsize_t some[2] = {1, 2};
  for (int i = 0; i < mesh->nelements; i++) cells += pl_mesh_shape_dim(mesh->element[i].shape) == mesh->dim;
  const cgsize_t size[3] = {mesh->nnodes, cells, 0};
  check(cg_open(path, CG_MODE_WRITE, &f.file));
  check(cg_base_write(f.file, "mesh", mesh->dim, mesh->dim, &index));
  check(cg_zone_write(f.file, ONE, "zone", size, CGNS_ENUMV(Unstructured), &index));
  write_nodes(&f);
  for (int i = 0; i < mesh->nelements;) i = write_section(&f, i);
  write_boco(&f, 1);
  write_boco(&f, 2);
  /* Nodes, which the reader ignores. */
  check(cg_boco_write(f.file, ONE, ONE, "nodes", CGNS_ENUMV(BCWall), CGNS_ENUMV(PointList), 2, some, &index));
  check(cg_close(f.file));
}

/* A structured zone. */
void made_write_structured(const char *path)
{
  const cgsize_t size[9] = {2, 2, 1, 1, 0, 0};
  int file, index;
  check(cg_open(path, CG_MODE_WRITE, &file));
  check(cg_base_write(file, "mesh", 2, 2, &index));
  check(cg_zone_write(file, ONE, "zone", size, CGNS_ENUMV(Structured), &index));
  check(cg_close(file));
}

#else

void made_write_cgns(const made_mesh *mesh, const char *path)
{
  (void)mesh, (void)path;
}

void made_write_structured(const char *path)
{
  (void)path;
}

#endif
