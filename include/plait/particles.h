/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs of particles (docs/md.md), and particles that move over a mesh. */
#ifndef PLAIT_PARTICLES_H
#define PLAIT_PARTICLES_H

#include <plait/loops.h>

PL_EXTERN_C_BEGIN

/* ---- pairs ---- */

/* A pair loop calls its kernel for one pair (i, j) at a time: i is side 0, j is side 1. Arguments:
 *   pl_arg_dat(dat, 0, map, PL_READ), pl_arg_dat(dat, 1, map, PL_READ)   values of one side
 *   pl_arg_dat(dat, PL_BOTH, map, PL_INC_ANTI)   the kernel's w is added on side 0 and subtracted on side 1
 *   pl_arg_dat(dat, PL_BOTH, map, PL_INC_SYM)    the kernel's w is added on both sides
 *   pl_arg_dat(dat, 0, map, PL_INC)              the kernel's w is added on side 0
 *   pl_arg_difference(dat), pl_arg_distance2(dat), pl_arg_idx(0 or 1, map), globals, consts; any pl_arg_opt
 * No dat may be both read and incremented. */

/* Declares a box with `dim` axes, 1 to 3, from low[] to high[], in units of the positions; axis a is periodic
 * if periodic[a] is not 0 (NULL: none). Collective. */
PL_API pl_err pl_decl_domain(pl_context *pl, int dim, const double *low, const double *high,
                             const int *periodic, const char *name, pl_domain **domain);

/* Sets new bounds; neighbour lists of the domain are rebuilt before their next use. Collective. */
PL_API pl_err pl_domain_resize(pl_domain *domain, const double *low, const double *high);
PL_API void pl_domain_free(pl_domain **domain);

/* Declares the pairs of particles closer than `cutoff`, as a map for pl_pair_loop from the set of `position`
 * (dim 1 to 3, double or float) to itself. It keeps a Verlet list of the pairs within cutoff + skin. Once a
 * pair may be missing in it, at the earliest when a particle has moved further than skin / 2, the next pair
 * loop wraps particles back into the periodic box and rebuilds the list, so no pair is missed. `domain` NULL:
 * free space. The length of a periodic axis must be at least 2 * cutoff and cutoff + skin, here and after
 * pl_domain_resize. cutoff INFINITY: all pairs, no list, no periodic axes.
 *
 * Each pair contributes once to globals; a distance of exactly the cutoff is excluded. The kernel must have
 * the declared symmetry: with the sides exchanged it computes -w for PL_INC_ANTI, the same w for PL_INC_SYM,
 * and the same contributions to globals. pl_pair_loop, or the call that runs it if it is recorded, returns
 * PL_ERR_RANGE, and changes nothing, for positions that are NaN, outside a non-periodic side, or further than
 * 1e9 lengths outside a periodic box, naming the particle. Collective. */
PL_API pl_err pl_decl_pair_map(pl_dat *position, pl_domain *domain, double cutoff, double skin,
                               const char *name, pl_map **map);

/* State of a pair map on this rank: lists built; entries of the present list (each pair from both sides, rows
 * padded); ghost particles: periodic images and copies from other ranks. Local. */
typedef struct pl_pair_stats {
  uint64_t builds;
  int64_t entries, ghosts;
} pl_pair_stats;
PL_API pl_err pl_pair_map_stats_sized(const pl_map *map, pl_pair_stats *stats, size_t size);
static inline pl_err pl_pair_map_stats(const pl_map *map, pl_pair_stats *stats)
{
  return pl_pair_map_stats_sized(map, stats, sizeof *stats);
}

/* Runs `kernel` for each pair of a pair map, or for each entry of a ragged map (side 0: element of the row,
 * side 1: entry): pl_pair_loop(kernel, map, args...). Otherwise as pl_par_loop. Collective. */
PL_API pl_err pl_pair_loop_args(const pl_kernel *kernel, pl_map *map, int nargs, const pl_arg *args);
#ifndef __cplusplus
#define pl_pair_loop(kernel, map, ...) pl_pair_loop_args((kernel), (map), PL_ARGS_(__VA_ARGS__))
#endif

/* ---- particles over a mesh ---- */

/* Values of *next other than a face number. */
enum { PL_STAY = -1, PL_LEAVE = -2 };

/* Particle tracking: moves each particle from cell to cell until it is in its cell: pl_particle_move(kernel,
 * where, faces, args...). `where` (arity 1) holds the last known cell of each particle, `faces` the neighbour
 * cell across each face of a cell (negative: none). The kernel is called for a particle in a cell, once for
 * each cell visited. Its first parameter is int *next, initially PL_STAY: the particle is in this cell. The
 * number of a face moves it to the neighbour, or out of the mesh if there is none; PL_LEAVE removes it. The
 * other parameters belong to the arguments: dats of particles (direct), of the cell (through `where`) or
 * through any map from the cells (all PL_READ except dats of particles), globals, consts.
 *
 * Afterwards `where` holds the new cells. Particles that left are removed from their set. On several ranks
 * particles in cells of another rank are migrated there with all dats and their global index, in one message
 * for each pair of ranks and round. Only dats, `where`, pair maps and compositions with `where`
 * (pl_map_compose) may be declared on the particles. Errors: PL_ERR_ARG and PL_ERR_KERNEL for arguments that
 * do not match, PL_ERR_STATE for an open view or other objects on the particles, PL_ERR_RANGE for a particle
 * that never stops, naming it. Collective. */
PL_API pl_err pl_particle_move_args(const pl_kernel *kernel, pl_map *where, pl_map *faces, int nargs,
                                    const pl_arg *args);
#ifndef __cplusplus
#define pl_particle_move(kernel, where, faces, ...)                                                          \
  pl_particle_move_args((kernel), (where), (faces), PL_ARGS_(__VA_ARGS__))
#endif

/* Adds n >= 0 particles on this rank. Their dats are zero and they are the last n elements of host views;
 * their global indices follow the largest one so far, rank by rank. `cells` holds the cell of each, as
 * position in host views of the cells and owned by this rank, if a map of arity 1 leads from the particles to
 * cells (pl_particle_move continues from there); NULL without such a map. Before a pair loop particles may be
 * anywhere; the loop migrates them to their ranks. Storage grows with slack. Errors:
 * PL_ERR_RANGE for a cell not owned, PL_ERR_STATE for an open view, subsets, or maps other than these.
 * Collective. */
PL_API pl_err pl_particle_add(pl_set *particles, int64_t n, const int *cells);

/* Values of a dat: `data` holds values of `type`, element by element; PL_VALUES(dat, data) takes the type
 * from the pointer (PL_TYPE_OF). */
typedef struct pl_values {
  pl_dat *dat;
  pl_type type; /* as in pl_dat_fetch_as; PL_TYPE_COUNT: the dat's */
  const void *data;
} pl_values;
#define PL_VALUES(dat, data)                                                                                 \
  {                                                                                                          \
    (dat), PL_TYPE_OF(data), (data)                                                                          \
  }

/* The same, with values of the new particles for `count` dats, n elements each, copied here; other dats are
 * zero. On devices only these values are transferred. Each rank gives values for its own particles; data may
 * be NULL where n is 0. pl_particle_add_values(p, n, cells, 2, (pl_values[]){PL_VALUES(x, at), PL_VALUES(v,
 * speed)}). Errors: also PL_ERR_ARG for a dat on another set, given twice, or without data, and PL_ERR_TYPE.
 * Collective. */
PL_API pl_err pl_particle_add_values_sized(pl_set *particles, int64_t n, const int *cells, int count,
                                           const pl_values *values, size_t size);
static inline pl_err pl_particle_add_values(pl_set *particles, int64_t n, const int *cells, int count,
                                            const pl_values *values)
{
  return pl_particle_add_values_sized(particles, n, cells, count, values, sizeof *values);
}

/* Removes the particles with nonzero `flag` (PL_INT32, dim 1, on the set). The others keep their order and,
 * with several ranks, their global indices. Errors as pl_particle_add. Collective. */
PL_API pl_err pl_particle_remove(pl_set *particles, pl_dat *flag);

PL_EXTERN_C_END

#ifdef __cplusplus
template <class... Args> inline pl_err pl_pair_loop(const pl_kernel *kernel, pl_map *map, Args... args)
{
  const pl_arg list[] = {args...};
  return pl_pair_loop_args(kernel, map, static_cast<int>(sizeof...(Args)), list);
}

template <class... Args>
inline pl_err pl_particle_move(const pl_kernel *kernel, pl_map *where, pl_map *faces, Args... args)
{
  const pl_arg list[] = {args...};
  return pl_particle_move_args(kernel, where, faces, static_cast<int>(sizeof...(Args)), list);
}
#endif

#endif
