/* SPDX-License-Identifier: BSD-2-Clause
 * Files: NumPy (.npy) and HDF5.
 *
 * A file is written beside its target, as NAME.tmp-PID-N, flushed to the disk and renamed once all ranks have
 * written, so a call that fails leaves the previous file. A process that is killed leaves its unfinished
 * file, which the next call for the same target removes.
 */
#ifndef PLAIT_FILES_H
#define PLAIT_FILES_H

#include <plait/dats.h>

PL_EXTERN_C_BEGIN

/* Writes the owned elements' values to a NumPy file (.npy format 1.0, C order, shape [size, extents...],
 * complex as NumPy complex), or reads them; type and shape must match. On several ranks it is one file that
 * all ranks can access, with a row for each element in the order of global indices, whichever rank owns it.
 * Removed elements leave no gap in the file. Errors: PL_ERR_IO. Collective. */
PL_API pl_err pl_dat_save(pl_dat *dat, const char *path);
PL_API pl_err pl_dat_load(pl_dat *dat, const char *path);

/* ---- HDF5 ---- */

/* Writes all sets, maps, dats and consts of the context to a new file: /sets/NAME number of elements;
 * /maps/NAME global indices, with the names of the sets as attributes, of a ragged map all its entries in one
 * row, with /offsets/NAME; /dats/NAME values, with the name of the set; /consts/NAME values. Rows are in the
 * order of global indices; each rank writes its share. The names of one kind must differ. Errors: PL_ERR_IO
 * for HDF5 errors, equal names and a library without HDF5, PL_ERR_STATE for an open writable view.
 * Collective. */
PL_API pl_err pl_hdf5_write(pl_context *pl, const char *path);

/* Objects of a file: lists that end with NULL; NULL for an empty list. */
typedef struct pl_hdf5_objects {
  pl_set *const *sets;
  pl_map *const *maps;
  pl_dat *const *dats;
  pl_const *const *consts;
} pl_hdf5_objects;

/* Writes only these objects and the sets of the maps and dats among them; `objects` NULL: all. All ranks pass
 * the same objects. Errors: as pl_hdf5_write, PL_ERR_ARG for subsets, pair maps and objects of another
 * context. Collective. */
PL_API pl_err pl_hdf5_write_objects_sized(pl_context *pl, const char *path, const pl_hdf5_objects *objects,
                                          size_t size);
static inline pl_err pl_hdf5_write_objects(pl_context *pl, const char *path, const pl_hdf5_objects *objects)
{
  return pl_hdf5_write_objects_sized(pl, path, objects, sizeof *objects);
}

/* Declare a set, map, dat or const from the entry `name` of such a file, written by any number of ranks; each
 * rank reads an equal share of the rows. Types and extents come from the file; maps may hold any integers.
 * Errors: PL_ERR_IO if the entry is missing or its rows do not match the set. Collective. */
PL_API pl_err pl_decl_set_hdf5(pl_context *pl, const char *path, const char *name, pl_set **set);
PL_API pl_err pl_decl_map_hdf5(pl_set *from, pl_set *to, const char *path, const char *name, pl_map **map);
PL_API pl_err pl_decl_dat_hdf5(pl_set *set, const char *path, const char *name, pl_dat **dat);
PL_API pl_err pl_decl_const_hdf5(pl_context *pl, const char *path, const char *name, pl_const **constant);

/* ---- checkpoints (docs/checkpoints.md) ---- */

/* Writes all sets, maps, dats, globals, consts, domains and the state of random numbers to an HDF5 file, from
 * which a program continues on any number of ranks and any backend. The time and the step are globals of the
 * program. The layout is that of pl_hdf5_write, with /globals/NAME, /domains/NAME and, after pl_vtk_grid,
 * /VTKHDF. Neighbour lists are built again before their next use, so that the run continues with the same
 * bits as one that restores the file. Errors: as pl_hdf5_write, PL_ERR_IO for names with "/". Collective. */
PL_API pl_err pl_checkpoint(pl_context *pl, const char *path);

/* The same, and keeps up to `previous` (0 to 1000) older files, from PATH.1, the last one, to
 * PATH.previous. The file at `path` stays valid at any time. Errors: also PL_ERR_ARG. Collective. */
PL_API pl_err pl_checkpoint_keep(pl_context *pl, const char *path, int previous);

/* Fills the objects of a program that has declared the same objects, matched by their names, with the values
 * of a checkpoint. Values of dats, globals, consts, bounds of domains and the number of particles come from
 * the file, with the cell of each particle; maps must be equal to those in the file. Particles are sets from
 * which pair maps or one map to their cells lead, and no other maps. The whole file is read and its checksums
 * are verified before an object changes. Errors: PL_ERR_IO for a file that is damaged or belongs to another
 * version or program: nothing is changed; PL_ERR_STATE for an open view; after PL_ERR_MEMORY, if the
 * particles in the file are others, values may be of both. Collective. */
PL_API pl_err pl_restore(pl_context *pl, const char *path);

/* Checkpoints show the set of `coordinates` (1 to 3 doubles or floats) to ParaView and VTK, which open the
 * file as it is: with the cells whose corners are the targets of `corners` (in VTK's order: 2 of a line, 3 of
 * a triangle, 4 of a quadrilateral or, in 3 dimensions, of a tetrahedron, 5 of a pyramid, 6 of a wedge, 8 of
 * a hexahedron; a cell whose row ends with -1 repeats its last corner), or as points if it is NULL. Dats on
 * both sets are shown, unless complex or with several extents. A later call for the same set replaces this
 * one. Errors: PL_ERR_TYPE, PL_ERR_ARG for a map that cannot be corners. Collective. */
PL_API pl_err pl_vtk_grid(pl_dat *coordinates, pl_map *corners);

/* Appends a picture to the file `path`, a series over time that ParaView and VTK open as it is: the points
 * that pl_vtk_grid has named by `coordinates`, their cells, and the values of all dats on both. The first
 * call creates the file. Points and cells that are those of the step before are not written again; their
 * numbers may change, as those of particles do. `time` is the time of the step; steps of the file at this
 * time or later are replaced, so a run that continues from a checkpoint continues the series. The file is
 * changed in place: a process that is killed during the call can leave it damaged. Errors: PL_ERR_STATE
 * before pl_vtk_grid, PL_ERR_ARG for a time that is no finite number, PL_ERR_IO for HDF5 errors, a file that
 * is no series, and a series of other dats. Collective. */
PL_API pl_err pl_vtk_append(pl_dat *coordinates, const char *path, double time);

PL_EXTERN_C_END

#endif
