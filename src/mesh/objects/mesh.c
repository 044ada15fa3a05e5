/* SPDX-License-Identifier: BSD-2-Clause
 * The public functions that read, search and free a mesh. See plait/mesh.h.
 */
#include "declare.h"
#include "mesh/formats/formats.h"

#include <string.h>

/* ---- reading ---- */

static bool ends_with(const char *text, const char *end)
{
  const size_t n = strlen(text), m = strlen(end);
  return n > m && strcmp(text + n - m, end) == 0;
}

static bool read_file(file_mesh *file)
{
  static const struct {
    const char *ending;
    bool (*read)(fields *f);
  } formats[] = {{".msh", pl_mesh_read_gmsh},
                 {".su2", pl_mesh_read_su2},
                 {".dat", pl_mesh_read_op2},
                 {".cgns", pl_mesh_read_cgns}};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (ends_with(file->path, formats[i].ending)) {
      fields f;
      const bool good = pl_mesh_open(&f, file) && formats[i].read(&f);
      pl_mesh_close_fields(&f);
      return good;
    }
  return pl_mesh_fail(file,
                      "the name ends with none of .msh (Gmsh), .su2 (SU2), .dat (OP2) and .cgns (CGNS)");
}

pl_err pl_mesh_read(pl_context *pl, const char *path, pl_mesh **mesh)
{
  if (mesh) *mesh = NULL;
  if (!pl || !path || !mesh)
    return pl_raise(pl, PL_ERR_ARG,
                    path ? "pl_mesh_read: argument mesh is NULL" : "pl_mesh_read: argument path is NULL");
  mesh_state *state = calloc(1, sizeof *state);
  file_mesh file = {.pl = pl, .path = path};
  if (state)
    read_file(&file);
  else
    pl_mesh_no_memory(&file);
  pl_err err = pl_mesh_agree(&file);
  if (state) state->pl = pl;
  if (!err) err = pl_mesh_declare(state, &file);
  pl_mesh_free_file(&file);
  pl_mesh *made = state ? &state->mesh : NULL;
  if (err) return pl_mesh_free(&made), err;
  *mesh = made;
  return PL_SUCCESS;
}

/* ---- groups ---- */

pl_err pl_mesh_find(pl_mesh *mesh, const char *name, const pl_mesh_group **group)
{
  mesh_state *state = (mesh_state *)mesh;
  char text[600];
  if (!mesh) return pl_raise(NULL, PL_ERR_NULL, NULL);
  if (!name || !group)
    return pl_raise(state->pl, PL_ERR_ARG,
                    name ? "pl_mesh_find: argument group is NULL" : "pl_mesh_find: argument name is NULL");
  for (int g = mesh->ngroups - 1; g >= 0; g--)
    if (strcmp(mesh->groups[g].name, name) == 0) {
      *group = &mesh->groups[g];
      return PL_SUCCESS;
    }
  int n = snprintf(text, sizeof text, "the mesh has no group \"%.100s\", but", name);
  for (int g = 0; g < mesh->ngroups && n < 500; g++)
    n += snprintf(text + n, sizeof text - (size_t)n, " \"%.60s\"", mesh->groups[g].name);
  if (!mesh->ngroups) snprintf(text + n, sizeof text - (size_t)n, " none");
  return pl_raise(state->pl, PL_ERR_ARG, text);
}

/* ---- the end ---- */

void pl_mesh_free(pl_mesh **mesh)
{
  if (!mesh || !*mesh) return;
  pl_mesh *m = *mesh;
  mesh_state *state = (mesh_state *)m;
  pl_dat **const dats[] = {&m->x,
                           &m->cell_shape,
                           &m->cell_marker,
                           &m->face_marker,
                           &m->boundary_marker,
                           &m->volume,
                           &m->centroid,
                           &m->face_normal,
                           &m->face_centre,
                           &m->boundary_normal,
                           &m->boundary_centre,
                           &state->reference};
  pl_map **const maps[] = {&m->cell_edges, &m->edge_nodes, &m->boundary_cells, &m->boundary_nodes,
                           &m->face_cells, &m->face_nodes, &m->cell_nodes};
  pl_set **const sets[] = {&m->edges, &m->boundary, &m->faces, &m->cells, &m->nodes};
  for (size_t i = 0; i < sizeof dats / sizeof *dats; i++) pl_dat_free(dats[i]);
  pl_global_free(&state->size);
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) pl_map_free(maps[i]);
  pl_mesh_free_groups(&state->groups);
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) pl_set_free(sets[i]);
  free(state);
  *mesh = NULL;
}
