/* SPDX-License-Identifier: BSD-2-Clause
 * Host views of a mesh, and its quality; see mesh_views.h.
 */
#include "mesh_views.h"

#include <math.h>
#include <string.h>

/* ---- views ---- */

static pl_err get(pl_dat *dat, void *where)
{
  void *data = NULL;
  const pl_err err = pl_dat_get(dat, PL_READ, &data);
  if (!err) memcpy(where, &data, sizeof data);
  return err;
}

pl_err mesh_views_open(pl_mesh *m, mesh_views *v)
{
  *v = (mesh_views){
    .mesh = m, .cell_nodes = pl_map_indices(m->cell_nodes), .face_cells = pl_map_indices(m->face_cells)};
  const struct {
    pl_dat *dat;
    void *where;
  } views[] = {{m->x, &v->x},
               {m->volume, &v->volume},
               {m->centroid, &v->centroid},
               {m->face_normal, &v->normal},
               {m->cell_shape, &v->shape},
               {m->cell_marker, &v->cell_marker},
               {m->boundary_marker, &v->boundary_marker},
               {m->face_marker, &v->face_marker}};
  pl_err err = PL_SUCCESS;
  for (size_t i = 0; !err && i < sizeof views / sizeof *views; i++) err = get(views[i].dat, views[i].where);
  return err;
}

void mesh_views_close(mesh_views *v)
{
  pl_mesh *m = v->mesh;
  pl_dat *const dats[] = {m->x,          m->volume,      m->centroid,        m->face_normal,
                          m->cell_shape, m->cell_marker, m->boundary_marker, m->face_marker};
  for (size_t i = 0; i < sizeof dats / sizeof *dats; i++) pl_dat_put(dats[i]);
}

const int *mesh_cell(const mesh_views *v, int64_t cell, int *n)
{
  *n = pl_mesh_shape_nodes((pl_mesh_shape)v->shape[cell]);
  return v->cell_nodes + cell * pl_map_arity(v->mesh->cell_nodes);
}

/* ---- quality ---- */

/* At the corners of each shape: the corners at the other ends of its edges, in an order that makes the
 * determinant positive; and one over the determinant of the ideal shape. The apex of a pyramid has four edges
 * and is left out. */
static const struct {
  int corners, edge[8][3];
  double scale;
} shapes[] = {
  [PL_MESH_TRIANGLE] = {3, {{1, 2}, {2, 0}, {0, 1}}, 1.1547005383792515},
  [PL_MESH_QUADRILATERAL] = {4, {{1, 3}, {2, 0}, {3, 1}, {0, 2}}, 1},
  [PL_MESH_TETRAHEDRON] = {4, {{1, 2, 3}, {2, 0, 3}, {0, 1, 3}, {0, 2, 1}}, 1.4142135623730951},
  [PL_MESH_HEXAHEDRON] =
    {8, {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7}, {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}}, 1},
  [PL_MESH_PRISM] = {6,
                     {{1, 2, 3}, {2, 0, 4}, {0, 1, 5}, {5, 4, 0}, {3, 5, 1}, {4, 3, 2}},
                     1.1547005383792515},
  [PL_MESH_PYRAMID] = {4, {{1, 3, 4}, {2, 0, 4}, {3, 1, 4}, {0, 2, 4}}, 1.4142135623730951},
};

static void add(mesh_range *r, double value)
{
  r->least = r->n && r->least < value ? r->least : value;
  r->most = r->n && r->most > value ? r->most : value;
  r->sum += value;
  r->n++;
}

static double length_of(const double *d, int dim)
{
  double square = 0;
  for (int k = 0; k < dim; k++) square += d[k] * d[k];
  return sqrt(square);
}

static double determinant(double e[3][3], int dim)
{
  if (dim == 2) return e[0][0] * e[1][1] - e[0][1] * e[1][0];
  return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
         e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
         e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

/* The scaled Jacobian at one corner; adds the lengths of its edges. */
static double corner_jacobian(const mesh_views *v, const int *node, int shape, int corner,
                              mesh_range *lengths)
{
  const int dim = v->mesh->dim;
  double e[3][3], product = 1;
  for (int k = 0; k < dim; k++) {
    for (int d = 0; d < dim; d++)
      e[k][d] =
        v->x[(int64_t)dim * node[shapes[shape].edge[corner][k]] + d] - v->x[(int64_t)dim * node[corner] + d];
    const double length = length_of(e[k], dim);
    add(lengths, length);
    product *= length;
  }
  return product > 0 ? shapes[shape].scale * determinant(e, dim) / product : 0;
}

static void add_cell(const mesh_views *v, int64_t cell, mesh_quality *q)
{
  int n;
  const int *node = mesh_cell(v, cell, &n), shape = v->shape[cell];
  mesh_range lengths = {0}, corners = {0};
  for (int k = 0; k < shapes[shape].corners; k++) add(&corners, corner_jacobian(v, node, shape, k, &lengths));
  add(&q->volume, v->volume[cell]);
  add(&q->jacobian, corners.least);
  add(&q->edges, lengths.least > 0 ? lengths.most / lengths.least : INFINITY);
}

static void add_face(const mesh_views *v, int64_t face, mesh_quality *q)
{
  const int dim = v->mesh->dim, *cell = v->face_cells + 2 * face;
  double d[3], dot = 0;
  for (int k = 0; k < dim; k++) {
    d[k] = v->centroid[(int64_t)dim * cell[1] + k] - v->centroid[(int64_t)dim * cell[0] + k];
    dot += d[k] * v->normal[dim * face + k];
  }
  const double product = length_of(d, dim) * length_of(v->normal + dim * face, dim);
  add(&q->angle, product > 0 ? acos(fmax(fmin(dot / product, 1), -1)) * 180 / acos(-1.0) : 90);
}

void mesh_quality_find(const mesh_views *v, mesh_quality *q)
{
  *q = (mesh_quality){0};
  for (int64_t cell = 0; cell < pl_set_size(v->mesh->cells); cell++) add_cell(v, cell, q);
  for (int64_t face = 0; face < pl_set_size(v->mesh->faces); face++) add_face(v, face, q);
}
