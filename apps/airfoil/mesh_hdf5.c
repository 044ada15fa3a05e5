/* SPDX-License-Identifier: BSD-2-Clause
 * Meshes in HDF5 files. See mesh_hdf5.h. Whole meshes are read and written by a context of
 * their own, on this process alone.
 */
#include "mesh_hdf5.h"

#include <limits.h>
#include <string.h>

static const char *const set_names[MESH_SETS] = {"nodes", "cells", "edges", "bedges"};

static const struct {
  const char *name;
  int from, to, arity;
} maps[MESH_MAPS] = {{"cell_node", MESH_CELLS, MESH_NODES, 4},
                     {"edge_node", MESH_EDGES, MESH_NODES, 2},
                     {"edge_cell", MESH_EDGES, MESH_CELLS, 2},
                     {"bedge_node", MESH_BEDGES, MESH_NODES, 2},
                     {"bedge_cell", MESH_BEDGES, MESH_CELLS, 1}};

static int *const *indices_of(const airfoil_mesh *mesh, int map)
{
  int *const *const all[MESH_MAPS] = {&mesh->cell_node, &mesh->edge_node, &mesh->edge_cell, &mesh->bedge_node,
                                      &mesh->bedge_cell};
  return all[map];
}

static pl_err open_context(pl_context **pl)
{
  const char *const options[] = {"backend=seq", "mpi=off", NULL};
  const pl_settings settings = {.options = options};
  return pl_init(NULL, NULL, &settings, pl);
}

static bool fail(pl_context **pl, const char *path, mesh_error *error)
{
  mesh_fail(error, "%s: %s", path, pl_errmsg(*pl));
  pl_finalize(pl);
  return false;
}

bool mesh_is_hdf5(const char *path)
{
  const size_t length = strlen(path);
  return length > 3 && strcmp(path + length - 3, ".h5") == 0;
}

/* ---- writing ---- */

static pl_err write_mesh(pl_context *pl, const airfoil_mesh *mesh, const char *path)
{
  const int counts[MESH_SETS] = {mesh->nnode, mesh->ncell, mesh->nedge, mesh->nbedge};
  pl_set *set[MESH_SETS];
  pl_map *map;
  pl_dat *dat;
  pl_err err = PL_SUCCESS;
  for (int s = 0; s < MESH_SETS && !err; s++) err = pl_decl_set(pl, counts[s], set_names[s], &set[s]);
  for (int m = 0; m < MESH_MAPS && !err; m++)
    err = pl_decl_map(set[maps[m].from], set[maps[m].to], maps[m].arity, *indices_of(mesh, m), maps[m].name,
                      &map);
  if (!err) err = pl_decl_dat(set[MESH_NODES], 2, PL_DOUBLE, mesh->x, "x", &dat);
  if (!err) err = pl_decl_dat(set[MESH_BEDGES], 1, PL_INT, mesh->bound, "bound", &dat);
  return err ? err : pl_hdf5_write(pl, path);
}

bool mesh_save(const airfoil_mesh *mesh, const char *path, mesh_error *error)
{
  pl_context *pl;
  if (!mesh_is_hdf5(path)) return mesh_write(mesh, path, error);
  if (open_context(&pl) || write_mesh(pl, mesh, path)) return fail(&pl, path, error);
  pl_finalize(&pl);
  return true;
}

/* ---- reading ---- */

static bool misfit(const char *path, mesh_error *error)
{
  return mesh_fail(error, "%s: its maps and dats are not those of an airfoil mesh", path);
}

static pl_err declare_sets(pl_context *pl, const char *path, mesh_objects *o, bool *fits)
{
  for (int s = 0; s < MESH_SETS; s++) {
    const pl_err err = pl_decl_set_hdf5(pl, path, set_names[s], &o->set[s]);
    if (err) return err;
    *fits = *fits && pl_set_global_size(o->set[s]) <= INT_MAX / 4;
  }
  return PL_SUCCESS;
}

static pl_err declare_maps(const char *path, mesh_objects *o, bool *fits)
{
  for (int m = 0; m < MESH_MAPS; m++) {
    const pl_err err =
      pl_decl_map_hdf5(o->set[maps[m].from], o->set[maps[m].to], path, maps[m].name, &o->map[m]);
    if (err) return err;
    *fits = *fits && pl_map_arity(o->map[m]) == maps[m].arity;
  }
  return PL_SUCCESS;
}

static pl_err declare_dat(pl_set *set, const char *path, const char *name, int dim, pl_type type,
                          pl_dat **dat, bool *fits)
{
  const pl_err err = pl_decl_dat_hdf5(set, path, name, dat);
  if (!err) *fits = *fits && pl_dat_dim(*dat) == dim && pl_dat_type(*dat) == type;
  return err;
}

bool mesh_declare(pl_context *pl, const char *path, mesh_objects *o, mesh_error *error)
{
  bool fits = true;
  pl_err err = declare_sets(pl, path, o, &fits);
  if (!err) err = declare_maps(path, o, &fits);
  if (!err) err = declare_dat(o->set[MESH_NODES], path, "x", 2, PL_DOUBLE, &o->x, &fits);
  if (!err) err = declare_dat(o->set[MESH_BEDGES], path, "bound", 1, PL_INT, &o->bound, &fits);
  if (err) return mesh_fail(error, "%s: %s", path, pl_errmsg(pl));
  return fits || misfit(path, error);
}

static bool copy_maps(const mesh_objects *o, airfoil_mesh *mesh)
{
  for (int m = 0; m < MESH_MAPS; m++) {
    const size_t n = (size_t)pl_set_size(o->set[maps[m].from]) * (size_t)maps[m].arity;
    const int *index = pl_map_indices(o->map[m]);
    for (size_t i = 0; i < n; i++)
      if (index[i] < 0) return false;
    if (n) memcpy(*indices_of(mesh, m), index, n * sizeof *index);
  }
  return true;
}

static bool read_mesh(pl_context *pl, airfoil_mesh *mesh, const char *path, mesh_error *error)
{
  mesh_objects o;
  int counts[MESH_SETS];
  if (!mesh_declare(pl, path, &o, error)) return false;
  for (int s = 0; s < MESH_SETS; s++) counts[s] = (int)pl_set_size(o.set[s]);
  if (!mesh_alloc(mesh, counts, error)) return false;
  if (!copy_maps(&o, mesh)) return misfit(path, error);
  if (pl_dat_fetch(o.x, mesh->x) || pl_dat_fetch(o.bound, mesh->bound))
    return mesh_fail(error, "%s: %s", path, pl_errmsg(pl));
  return true;
}

bool mesh_load(airfoil_mesh *mesh, const char *path, mesh_error *error)
{
  pl_context *pl;
  if (!mesh_is_hdf5(path)) return mesh_read(mesh, path, error);
  *mesh = (airfoil_mesh){0};
  if (open_context(&pl)) return fail(&pl, path, error);
  const bool good = read_mesh(pl, mesh, path, error);
  pl_finalize(&pl);
  if (!good) mesh_free(mesh);
  return good;
}
