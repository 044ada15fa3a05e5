/* SPDX-License-Identifier: BSD-2-Clause
 * Meshes in HDF5 files. See mesh_hdf5.h. A context of its own, on this process alone, does the work.
 */
#include "mesh_hdf5.h"

#include <limits.h>
#include <string.h>

#include "plait.h"

/* What the file holds, in the order of declaration. */
enum { NODES, CELLS, EDGES, BEDGES, SETS };
static const char *const set_names[SETS] = {"nodes", "cells", "edges", "bedges"};

enum { MAPS = 5 };
static const struct {
  const char *name;
  int from, to, arity;
} maps[MAPS] = {{"cell_node", CELLS, NODES, 4},
                {"edge_node", EDGES, NODES, 2},
                {"edge_cell", EDGES, CELLS, 2},
                {"bedge_node", BEDGES, NODES, 2},
                {"bedge_cell", BEDGES, CELLS, 1}};

static int *const *indices_of(const airfoil_mesh *mesh, int map)
{
  int *const *const all[MAPS] = {&mesh->cell_node, &mesh->edge_node, &mesh->edge_cell, &mesh->bedge_node,
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

static bool is_hdf5(const char *path)
{
  const size_t length = strlen(path);
  return length > 3 && strcmp(path + length - 3, ".h5") == 0;
}

/* ---- writing ---- */

static pl_err write_mesh(pl_context *pl, const airfoil_mesh *mesh, const char *path)
{
  const int counts[SETS] = {mesh->nnode, mesh->ncell, mesh->nedge, mesh->nbedge};
  pl_set *set[SETS];
  pl_map *map;
  pl_dat *dat;
  pl_err err = PL_SUCCESS;
  for (int s = 0; s < SETS && !err; s++) err = pl_decl_set(pl, counts[s], set_names[s], &set[s]);
  for (int m = 0; m < MAPS && !err; m++)
    err = pl_decl_map(set[maps[m].from], set[maps[m].to], maps[m].arity, *indices_of(mesh, m), maps[m].name,
                      &map);
  if (!err) err = pl_decl_dat(set[NODES], 2, PL_DOUBLE, mesh->x, "x", &dat);
  if (!err) err = pl_decl_dat(set[BEDGES], 1, PL_INT, mesh->bound, "bound", &dat);
  return err ? err : pl_hdf5_write(pl, path);
}

bool mesh_save(const airfoil_mesh *mesh, const char *path, mesh_error *error)
{
  pl_context *pl;
  if (!is_hdf5(path)) return mesh_write(mesh, path, error);
  if (open_context(&pl) || write_mesh(pl, mesh, path)) return fail(&pl, path, error);
  pl_finalize(&pl);
  return true;
}

/* ---- reading ---- */

static pl_err read_dat(pl_set *set, const char *path, const char *name, int dim, pl_type type, void *values,
                       bool *fits)
{
  pl_dat *dat;
  const pl_err err = pl_decl_dat_hdf5(set, path, name, &dat);
  if (err) return err;
  *fits = *fits && pl_dat_dim(dat) == dim && pl_dat_type(dat) == type;
  return *fits ? pl_dat_fetch(dat, values) : PL_SUCCESS;
}

static pl_err read_sets(pl_context *pl, const char *path, pl_set *set[SETS], int counts[SETS], bool *fits)
{
  for (int s = 0; s < SETS; s++) {
    const pl_err err = pl_decl_set_hdf5(pl, path, set_names[s], &set[s]);
    if (err) return err;
    *fits = *fits && pl_set_size(set[s]) <= INT_MAX / 4;
    counts[s] = (int)pl_set_size(set[s]);
  }
  return PL_SUCCESS;
}

static pl_err read_maps(const char *path, pl_set *const set[SETS], airfoil_mesh *mesh, bool *fits)
{
  for (int m = 0; m < MAPS && *fits; m++) {
    pl_map *map;
    const pl_err err = pl_decl_map_hdf5(set[maps[m].from], set[maps[m].to], path, maps[m].name, &map);
    if (err) return err;
    *fits = pl_map_arity(map) == maps[m].arity;
    const size_t n = (size_t)pl_set_size(set[maps[m].from]) * (size_t)maps[m].arity;
    const int *index = pl_map_indices(map);
    for (size_t i = 0; *fits && i < n; i++) *fits = index[i] >= 0;
    if (*fits && n) memcpy(*indices_of(mesh, m), index, n * sizeof *index);
  }
  return PL_SUCCESS;
}

static bool read_mesh(pl_context **pl, airfoil_mesh *mesh, const char *path, mesh_error *error)
{
  pl_set *set[SETS];
  int counts[SETS];
  bool fits = true;
  if (read_sets(*pl, path, set, counts, &fits)) return fail(pl, path, error);
  if (fits && !mesh_alloc(mesh, counts, error)) {
    pl_finalize(pl);
    return false;
  }
  pl_err err = fits ? read_maps(path, set, mesh, &fits) : PL_SUCCESS;
  if (!err && fits) err = read_dat(set[NODES], path, "x", 2, PL_DOUBLE, mesh->x, &fits);
  if (!err && fits) err = read_dat(set[BEDGES], path, "bound", 1, PL_INT, mesh->bound, &fits);
  if (err) return fail(pl, path, error);
  pl_finalize(pl);
  return fits || mesh_fail(error, "%s: its maps and dats are not those of an airfoil mesh", path);
}

bool mesh_load(airfoil_mesh *mesh, const char *path, mesh_error *error)
{
  pl_context *pl;
  if (!is_hdf5(path)) return mesh_read(mesh, path, error);
  *mesh = (airfoil_mesh){0};
  if (open_context(&pl)) return fail(&pl, path, error);
  const bool good = read_mesh(&pl, mesh, path, error);
  if (!good) mesh_free(mesh);
  return good;
}
