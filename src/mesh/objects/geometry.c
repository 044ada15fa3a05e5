/* SPDX-License-Identifier: BSD-2-Clause
 * Volumes, centroids, normals and centres, by loops.
 *
 * Gauss's theorem, over the faces of a cell with centre c and area vector n outwards, from a point r of the
 * cell: volume = sum of (c - r) . n / dim, and the pyramid of a face with the tip r has its centroid at
 * r + (c - r) dim / (dim + 1). Both are exact for plane faces. r is a node of the cell, so that rounding does
 * not grow with the distance from the origin.
 */
#include "mesh_state.h"

PL_KERNEL(mesh_take, (double *reference, const double *x, const int *size), {
  for (int k = 0; k < size[0]; k++) reference[k] = x[k];
})

PL_KERNEL(mesh_edge, (double normal[2], double centre[2], const double *const x[2]), {
  normal[0] = x[1][1] - x[0][1];
  normal[1] = x[0][0] - x[1][0];
  for (int k = 0; k < 2; k++) centre[k] = 0.5 * (x[0][k] + x[1][k]);
})

PL_KERNEL(mesh_triangle, (double normal[3], double centre[3], const double *const x[3]), {
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    normal[k] = 0.5 * ((x[1][i] - x[0][i]) * (x[2][j] - x[0][j]) - (x[1][j] - x[0][j]) * (x[2][i] - x[0][i]));
    centre[k] = (x[0][k] + x[1][k] + x[2][k]) / 3;
  }
})

/* Triangles between the sides and the mean of the nodes; their areas weight their centres. */
PL_KERNEL(mesh_polygon, (double normal[3], double centre[3], const double *const x[4], const int64_t *fourth),
          {
            const int n = *fourth < 0 ? 3 : 4;
            double m[3] = {0, 0, 0};
            double sum[3] = {0, 0, 0};
            double area = 0;
            for (int k = 0; k < 3; k++) {
              for (int i = 0; i < n; i++) m[k] += x[i][k] / n;
              normal[k] = 0;
            }
            for (int pass = 0; pass < 2; pass++)
              for (int i = 0; i < n; i++) {
                const int next = i + 1 < n ? i + 1 : 0;
                double v[3];
                double weight = 0;
                for (int k = 0; k < 3; k++) {
                  const int p = (k + 1) % 3, q = (k + 2) % 3;
                  v[k] =
                    0.5 * ((x[i][p] - m[p]) * (x[next][q] - m[q]) - (x[i][q] - m[q]) * (x[next][p] - m[p]));
                  weight += v[k] * normal[k];
                }
                for (int k = 0; k < 3; k++) {
                  if (pass == 0)
                    normal[k] += v[k];
                  else
                    sum[k] += weight * (x[i][k] + x[next][k] - 2 * m[k]) / 3;
                }
                area += pass ? weight : 0;
              }
            for (int k = 0; k < 3; k++) centre[k] = m[k] + (area > 0 ? sum[k] / area : 0);
          })

PL_KERNEL(mesh_add_outer,
          (double *volume, double *moment, const double *reference, const double *normal,
           const double *centre, const int *size),
          {
            double height = 0;
            for (int k = 0; k < size[0]; k++) height += (centre[k] - reference[k]) * normal[k];
            volume[0] += height / size[0];
            for (int k = 0; k < size[0]; k++)
              moment[k] += height / (size[0] + 1) * (centre[k] - reference[k]);
          })

/* The same for the two cells of a face; the normal points out of the first. */
PL_KERNEL(mesh_add_inner,
          (double *volume[2], double *moment[2], const double *const reference[2], const double *normal,
           const double *centre, const int *size),
          {
            for (int c = 0; c < 2; c++) {
              double height = 0;
              for (int k = 0; k < size[0]; k++) height += (centre[k] - reference[c][k]) * normal[k];
              if (c == 1) height = -height;
              volume[c][0] += height / size[0];
              for (int k = 0; k < size[0]; k++)
                moment[c][k] += height / (size[0] + 1) * (centre[k] - reference[c][k]);
            }
          })

PL_KERNEL(mesh_divide, (double *centroid, const double *volume, const double *reference, const int *size), {
  for (int k = 0; k < size[0]; k++) centroid[k] = reference[k] + centroid[k] / volume[0];
})

/* ---- dats ---- */

static pl_err declare_once(pl_set *set, int dim, const char *name, pl_dat **dat)
{
  return *dat ? PL_SUCCESS : pl_decl_dat(set, dim, PL_DOUBLE, NULL, name, dat);
}

static pl_err declare_dats(mesh_state *state)
{
  pl_mesh *m = &state->mesh;
  const struct {
    pl_set *set;
    int dim;
    const char *name;
    pl_dat **dat;
  } dats[] = {{m->cells, 1, "volume", &m->volume},
              {m->cells, m->dim, "centroid", &m->centroid},
              {m->cells, m->dim, "reference", &state->reference},
              {m->faces, m->dim, "face_normal", &m->face_normal},
              {m->faces, m->dim, "face_centre", &m->face_centre},
              {m->boundary, m->dim, "boundary_normal", &m->boundary_normal},
              {m->boundary, m->dim, "boundary_centre", &m->boundary_centre}};
  pl_err err = PL_SUCCESS;
  for (size_t i = 0; i < sizeof dats / sizeof *dats && !err; i++)
    err = declare_once(dats[i].set, dats[i].dim, dats[i].name, dats[i].dat);
  if (!err && !state->size) err = pl_decl_global(state->pl, 1, PL_INT, &m->dim, "coordinates", &state->size);
  return err;
}

/* ---- loops ---- */

static pl_err compute_sides(pl_mesh *m, pl_set *set, pl_map *nodes, pl_dat *normal, pl_dat *centre)
{
  const pl_arg to[2] = {pl_arg_direct(normal, PL_WRITE), pl_arg_direct(centre, PL_WRITE)};
  const pl_arg x = pl_arg_dat(m->x, PL_ALL, nodes, PL_READ);
  if (pl_map_arity(nodes) == 2) return pl_par_loop(mesh_edge, set, to[0], to[1], x);
  if (pl_map_arity(nodes) == 3) return pl_par_loop(mesh_triangle, set, to[0], to[1], x);
  return pl_par_loop(mesh_polygon, set, to[0], to[1], x, pl_arg_idx(3, nodes));
}

static pl_err add_sides(mesh_state *state)
{
  pl_mesh *m = &state->mesh;
  const pl_arg size = pl_arg_gbl(state->size, PL_READ);
  const pl_err err =
    pl_par_loop(mesh_add_inner, m->faces, pl_arg_dat(m->volume, PL_ALL, m->face_cells, PL_INC),
                pl_arg_dat(m->centroid, PL_ALL, m->face_cells, PL_INC),
                pl_arg_dat(state->reference, PL_ALL, m->face_cells, PL_READ),
                pl_arg_direct(m->face_normal, PL_READ), pl_arg_direct(m->face_centre, PL_READ), size);
  if (err) return err;
  return pl_par_loop(mesh_add_outer, m->boundary, pl_arg_dat(m->volume, 0, m->boundary_cells, PL_INC),
                     pl_arg_dat(m->centroid, 0, m->boundary_cells, PL_INC),
                     pl_arg_dat(state->reference, 0, m->boundary_cells, PL_READ),
                     pl_arg_direct(m->boundary_normal, PL_READ), pl_arg_direct(m->boundary_centre, PL_READ),
                     size);
}

pl_err pl_mesh_geometry(pl_mesh *mesh)
{
  mesh_state *state = (mesh_state *)mesh;
  if (!mesh) return pl_raise(NULL, PL_ERR_NULL, NULL);
  pl_err err = declare_dats(state);
  if (err) return err;
  const pl_arg size = pl_arg_gbl(state->size, PL_READ);
  err = pl_par_loop(mesh_take, mesh->cells, pl_arg_direct(state->reference, PL_WRITE),
                    pl_arg_dat(mesh->x, 0, mesh->cell_nodes, PL_READ), size);
  if (!err) err = compute_sides(mesh, mesh->faces, mesh->face_nodes, mesh->face_normal, mesh->face_centre);
  if (!err)
    err =
      compute_sides(mesh, mesh->boundary, mesh->boundary_nodes, mesh->boundary_normal, mesh->boundary_centre);
  if (!err) err = pl_dat_zero(mesh->volume);
  if (!err) err = pl_dat_zero(mesh->centroid);
  if (!err) err = add_sides(state);
  if (err) return err;
  return pl_par_loop(mesh_divide, mesh->cells, pl_arg_direct(mesh->centroid, PL_RW),
                     pl_arg_direct(mesh->volume, PL_READ), pl_arg_direct(state->reference, PL_READ), size);
}
