/* SPDX-License-Identifier: BSD-2-Clause
 * HDF5 files: values are read as they were written, in the order of declaration, after renumbering too;
 * missing or unsuitable data is an error; without HDF5 the message names the package to install.
 *
 * test_hdf5 [ranks]    with the word under mpirun: only tests of ranks
 */
#include "core/comm/comm.h"

#include "checks.h"
#include "suite.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if PLAIT_HAVE_HDF5
#include <hdf5.h>
#endif

enum { CELLS = 50, NODES = 37, ARITY = 3 };

static char path[64];

typedef struct mesh {
  pl_set *cells, *nodes, *none;
  pl_map *map;
  pl_dat *x, *z, *small, *empty;
  pl_const *gamma;
  int index[CELLS * ARITY];
  double xy[CELLS * 6];
  pl_cfloat complex[NODES];
  int8_t bytes[NODES];
} mesh;

static void declare(pl_context *pl, mesh *m)
{
  const double gamma[2] = {1.4, -2};
  for (int i = 0; i < CELLS * ARITY; i++) m->index[i] = i % 11 ? i * 7 % NODES : -1;
  for (int i = 0; i < CELLS * 6; i++) m->xy[i] = i / 3.0;
  for (int i = 0; i < NODES; i++) {
    m->complex[i] = (pl_cfloat){(float)i, (float)-i};
    m->bytes[i] = (int8_t)(i - 20);
  }
  PL_OK(pl, pl_decl_set(pl, CELLS, "cells", &m->cells));
  PL_OK(pl, pl_decl_set(pl, NODES, "nodes", &m->nodes));
  PL_OK(pl, pl_decl_set(pl, 0, "none", &m->none));
  PL_OK(pl, pl_decl_map(m->cells, m->nodes, ARITY, m->index, "map", &m->map));
  PL_OK(pl, pl_decl_dat_shape(m->cells, 2, (int[]){2, 3}, PL_DOUBLE, m->xy, "x", &m->x));
  PL_OK(pl, pl_decl_dat(m->nodes, 1, PL_COMPLEX_FLOAT, m->complex, "z", &m->z));
  PL_OK(pl, pl_decl_dat(m->nodes, 1, PL_INT8, m->bytes, "small", &m->small));
  PL_OK(pl, pl_decl_dat(m->none, 4, PL_UINT16, NULL, "empty", &m->empty));
  PL_OK(pl, pl_decl_const(pl, "gamma", 2, PL_DOUBLE, gamma, &m->gamma));
}

static void read_back(const mesh *wrote)
{
  pl_context *pl = CONTEXT("backend=seq", "mpi=off");
  mesh m;
  double xy[CELLS * 6], gamma[2];
  pl_cfloat complex[NODES];
  int8_t bytes[NODES];
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "cells", &m.cells));
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "nodes", &m.nodes));
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "none", &m.none));
  CU_ASSERT_EQUAL_FATAL(pl_set_size(m.cells), CELLS);
  CU_ASSERT_EQUAL(pl_set_size(m.none), 0);
  PL_OK(pl, pl_decl_map_hdf5(m.cells, m.nodes, path, "map", &m.map));
  CU_ASSERT_EQUAL_FATAL(pl_map_arity(m.map), ARITY);
  CU_ASSERT_EQUAL(memcmp(pl_map_indices(m.map), wrote->index, sizeof wrote->index), 0);
  PL_OK(pl, pl_decl_dat_hdf5(m.cells, path, "x", &m.x));
  PL_OK(pl, pl_decl_dat_hdf5(m.nodes, path, "z", &m.z));
  PL_OK(pl, pl_decl_dat_hdf5(m.nodes, path, "small", &m.small));
  PL_OK(pl, pl_decl_dat_hdf5(m.none, path, "empty", &m.empty));
  CU_ASSERT_EQUAL_FATAL(pl_dat_dim(m.x), 6);
  CU_ASSERT_EQUAL(pl_dat_dim(m.empty), 4);
  CU_ASSERT_EQUAL(pl_dat_type(m.empty), PL_UINT16);
  CU_ASSERT_EQUAL_FATAL(pl_dat_type(m.z), PL_COMPLEX_FLOAT);
  CU_ASSERT_EQUAL_FATAL(pl_dat_type(m.small), PL_INT8);
  PL_OK(pl, pl_dat_fetch(m.x, xy));
  PL_OK(pl, pl_dat_fetch(m.z, complex));
  PL_OK(pl, pl_dat_fetch(m.small, bytes));
  CU_ASSERT_EQUAL(memcmp(xy, wrote->xy, sizeof xy), 0);
  CU_ASSERT_EQUAL(memcmp(complex, wrote->complex, sizeof complex), 0);
  CU_ASSERT_EQUAL(memcmp(bytes, wrote->bytes, sizeof bytes), 0);
  PL_OK(pl, pl_decl_const_hdf5(pl, path, "gamma", &m.gamma));
  PL_OK(pl, pl_const_get(m.gamma, gamma));
  CU_ASSERT_EQUAL(gamma[0], 1.4);
  CU_ASSERT_EQUAL(gamma[1], -2);
  pl_finalize(&pl);
}

#if PLAIT_HAVE_HDF5

PL_KERNEL(first_of, (double *out, const double x[6]), { out[0] = x[0]; })
PL_KERNEL(sum_over, (double *out, const double *x), { out[0] += x[0]; })

/* Internal objects of chains are not written. */
static void after_chains(void)
{
  pl_context *pl = CONTEXT("backend=seq", "mpi=off");
  mesh m;
  int next[CELLS];
  pl_map *map;
  pl_dat *first, *sum;
  pl_chain *chain;
  declare(pl, &m);
  OK(pl_hdf5_write(pl, path));
  for (int i = 0; i < CELLS; i++) next[i] = (i + 1) % CELLS;
  PL_OK(pl, pl_decl_map(m.cells, m.cells, 1, next, "next", &map));
  PL_OK(pl, pl_decl_dat(m.cells, 1, PL_DOUBLE, NULL, "first", &first));
  PL_OK(pl, pl_decl_dat(m.cells, 1, PL_DOUBLE, NULL, "sum", &sum));
  for (int block = 8; block <= 16; block += 8) {
    PL_OK(pl, pl_chain_begin(pl, "blocks", &chain));
    PL_OK(pl, pl_chain_hint(chain, first, PL_PRECOMPUTE));
    PL_OK(pl, pl_chain_block(chain, block));
    PL_OK(pl, pl_par_loop(first_of, m.cells, pl_arg_dat(first, PL_ID, PL_DIRECT, PL_WRITE),
                          pl_arg_dat(m.x, 0, map, PL_READ)));
    PL_OK(pl, pl_par_loop(sum_over, m.cells, pl_arg_dat(sum, PL_ID, PL_DIRECT, PL_RW),
                          pl_arg_dat(first, 0, map, PL_READ)));
    PL_OK(pl, pl_chain_end(chain));
  }
  OK(pl_hdf5_write(pl, path));
  pl_finalize(&pl);
  pl = CONTEXT("backend=seq", "mpi=off");
  CU_ASSERT_NOT_EQUAL(pl_decl_set_hdf5(pl, path, "targets of blocks", &m.none), PL_SUCCESS);
  pl_finalize(&pl);
  unlink(path);
}

/* A mixed set with a part of one element, two maps to it, and all that they need for a whole matrix. */
static void declare_mixed(pl_context *pl, const mesh *m)
{
  static const int dims[] = {1, 2};
  pl_set *part[2] = {m->nodes, NULL};
  pl_map *maps[2] = {m->map, NULL};
  pl_mixed_set *set;
  pl_mixed_map *a, *b;
  pl_mixed_mat *mat;
  PL_OK(pl, pl_decl_set(pl, 1, "single", &part[1]));
  PL_OK(pl, pl_decl_mixed_set(2, part, dims, "mixed", &set));
  PL_OK(pl, pl_decl_mixed_map(set, maps, "targets", &a));
  PL_OK(pl, pl_decl_mixed_map(set, maps, "targets", &b));
  PL_OK(pl, pl_decl_mixed_mat(set, set, 1, &a, &b, PL_DOUBLE, PL_MIXED_WHOLE, "mat", &mat));
}

static void after_mixed_spaces(void)
{
  pl_context *pl = CONTEXT("backend=seq", "mpi=off");
  mesh m;
  pl_set *set;
  pl_map *map;
  pl_dat *number;
  declare(pl, &m);
  declare_mixed(pl, &m);
  OK(pl_hdf5_write(pl, path));
  FAILS(pl_decl_set_hdf5(pl, path, "mixed", &set), PL_ERR_IO, "no \"/sets/mixed\"");
  FAILS(pl_decl_map_hdf5(m.cells, m.nodes, path, "shared", &map), PL_ERR_IO, "no \"/maps/shared\"");
  FAILS(pl_decl_map_hdf5(m.cells, m.nodes, path, "targets", &map), PL_ERR_IO, "no \"/maps/targets\"");
  FAILS(pl_decl_map_hdf5(m.nodes, m.nodes, path, "into", &map), PL_ERR_IO, "no \"/maps/into\"");
  FAILS(pl_decl_dat_hdf5(m.nodes, path, "number", &number), PL_ERR_IO, "no \"/dats/number\"");
  pl_finalize(&pl);
  unlink(path);
}

static void round_trip(void)
{
  pl_context *pl = CONTEXT("backend=seq", "mpi=off");
  mesh m;
  declare(pl, &m);
  OK(pl_hdf5_write(pl, path));
  read_back(&m);
  OK(pl_renumber(pl, PL_RENUMBER_RCM, m.map, NULL));
  OK(pl_hdf5_write(pl, path));
  read_back(&m);
  pl_finalize(&pl);
}

static void refused(void)
{
  pl_context *pl = CONTEXT("backend=seq", "mpi=off");
  mesh m;
  pl_set *set;
  pl_map *map;
  pl_dat *dat;
  void *view;
  declare(pl, &m);
  OK(pl_hdf5_write(pl, path));
  FAILS(pl_decl_set_hdf5(pl, path, "sells", &set), PL_ERR_IO, "no \"/sets/sells\"");
  FAILS(pl_decl_dat_hdf5(m.nodes, path, "x", &dat), PL_ERR_IO, "50 rows");
  FAILS(pl_decl_map_hdf5(m.nodes, m.cells, path, "map", &map), PL_ERR_IO, "50 rows");
  FAILS(pl_decl_map_hdf5(m.cells, m.none, path, "map", &map), PL_ERR_RANGE, "\"none\"");
  FAILS(pl_decl_set_hdf5(pl, "/nowhere/at/all.h5", "cells", &set), PL_ERR_IO, "/nowhere/at/all.h5");
  FAILS(pl_hdf5_write(pl, "/nowhere/at/all.h5"), PL_ERR_IO, "cannot create it");
  FILE *file = fopen(path, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fputs("no HDF5", file);
  fclose(file);
  FAILS(pl_decl_set_hdf5(pl, path, "cells", &set), PL_ERR_IO, "cannot open it");
  PL_OK(pl, pl_dat_get(m.x, PL_RW, &view));
  FAILS(pl_hdf5_write(pl, path), PL_ERR_STATE, "\"x\"");
  PL_OK(pl, pl_dat_put(m.x));
  pl_finalize(&pl);
}

/* Equal names are found before the file is begun. */
static void equal_names(void)
{
  pl_context *pl = CONTEXT("backend=seq", "mpi=off");
  mesh m;
  pl_set *other;
  pl_dat *x;
  size_t before, after;
  declare(pl, &m);
  OK(pl_hdf5_write(pl, path));
  struct stat old, now;
  CU_ASSERT_EQUAL(stat(path, &old), 0);
  before = (size_t)old.st_ino;
  PL_OK(pl, pl_decl_dat(m.nodes, 1, PL_DOUBLE, NULL, "x", &x));
  FAILS(pl_hdf5_write(pl, path), PL_ERR_IO, "two dats are called \"x\"");
  pl_dat_free(&x);
  PL_OK(pl, pl_decl_set(pl, 3, "cells", &other));
  FAILS(pl_hdf5_write(pl, path), PL_ERR_IO, "two sets are called \"cells\"");
  CU_ASSERT_EQUAL(stat(path, &now), 0);
  after = (size_t)now.st_ino;
  CU_ASSERT_EQUAL(before, after);
  pl_finalize(&pl);
}

/* Listed objects and the sets that they need, whatever else there is. */
static void some_objects(void)
{
  pl_context *pl = CONTEXT("backend=seq", "mpi=off"), *other = CONTEXT("backend=seq", "mpi=off");
  mesh m, foreign;
  pl_set *set, *subset;
  pl_dat *again, *dat;
  void *view;
  declare(pl, &m);
  declare(other, &foreign);
  PL_OK(pl, pl_decl_dat(m.cells, 1, PL_DOUBLE, NULL, "x", &again));
  PL_OK(pl, pl_dat_get(m.z, PL_RW, &view));
  PL_OK(pl, pl_decl_subset(m.cells, 1, (int[]){3}, "some", &subset));
  OK(pl_hdf5_write_objects(pl, path, &(pl_hdf5_objects){.dats = (pl_dat *[]){m.x, NULL}}));
  CU_ASSERT_EQUAL(pl_decl_set_hdf5(other, path, "nodes", &set), PL_ERR_IO);
  PL_OK(other, pl_decl_set_hdf5(other, path, "cells", &set));
  PL_OK(other, pl_decl_dat_hdf5(set, path, "x", &dat));
  CU_ASSERT_EQUAL(pl_dat_dim(dat), 6);
  CU_ASSERT_NOT_EQUAL(pl_decl_const_hdf5(other, path, "gamma", NULL), PL_SUCCESS);
  OK(pl_hdf5_write_objects(
    pl, path,
    &(pl_hdf5_objects){.maps = (pl_map *[]){m.map, NULL}, .consts = (pl_const *[]){m.gamma, NULL}}));
  PL_OK(other, pl_decl_set_hdf5(other, path, "nodes", &set));
  OK(pl_hdf5_write_objects(pl, path, &(pl_hdf5_objects){.sets = (pl_set *[]){m.none, NULL}}));
  CU_ASSERT_EQUAL(pl_decl_set_hdf5(other, path, "nodes", &set), PL_ERR_IO);
  FAILS(pl_hdf5_write_objects(pl, path, &(pl_hdf5_objects){.sets = (pl_set *[]){m.none, subset, NULL}}),
        PL_ERR_ARG, "\"some\"");
  FAILS(pl_hdf5_write_objects(pl, path, &(pl_hdf5_objects){.dats = (pl_dat *[]){m.x, foreign.x, NULL}}),
        PL_ERR_ARG, "dat 1 of the list");
  FAILS(pl_hdf5_write_objects(pl, path, &(pl_hdf5_objects){.dats = (pl_dat *[]){m.z, NULL}}), PL_ERR_STATE,
        "\"z\"");
  FAILS(pl_hdf5_write_objects(pl, path, &(pl_hdf5_objects){.dats = (pl_dat *[]){m.x, again, NULL}}),
        PL_ERR_IO, "two dats");
  pl_finalize(&other);
  pl_finalize(&pl);
}

enum { SIDE = 24, GRID_CELLS = SIDE * SIDE, GRID_NODES = (SIDE + 1) * (SIDE + 1) };

/* A square of cells, written by this process. */
static void write_grid(pl_context *pl, double *x, int *corner)
{
  pl_set *cells, *nodes;
  pl_map *map;
  pl_dat *dat;
  for (int n = 0; n < GRID_NODES; n++) x[2 * n] = n % (SIDE + 1), x[2 * n + 1] = n / (SIDE + 1);
  for (int c = 0; c < GRID_CELLS; c++)
    for (int k = 0; k < 4; k++) corner[4 * c + k] = c % SIDE + k % 2 + (c / SIDE + k / 2) * (SIDE + 1);
  PL_OK(pl, pl_decl_set(pl, GRID_CELLS, "cells", &cells));
  PL_OK(pl, pl_decl_set(pl, GRID_NODES, "nodes", &nodes));
  PL_OK(pl, pl_decl_map(cells, nodes, 4, corner, "corner", &map));
  PL_OK(pl, pl_decl_dat(nodes, 2, PL_DOUBLE, x, "x", &dat));
  OK(pl_hdf5_write(pl, path));
}

PL_KERNEL(spread_number, (double *on[4], const int64_t *cell), {
  for (int k = 0; k < 4; k++) on[k][0] += (double)(*cell * (k + 1));
})

/* Read by all ranks, partitioned, computed with, and written again by all. */
static void work_together(pl_context *pl, pl_partition_method method)
{
  pl_set *cells, *nodes;
  pl_map *corner;
  pl_dat *x, *sum;
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "cells", &cells));
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "nodes", &nodes));
  PL_OK(pl, pl_decl_map_hdf5(cells, nodes, path, "corner", &corner));
  PL_OK(pl, pl_decl_dat_hdf5(nodes, path, "x", &x));
  PL_OK(pl, pl_decl_dat(nodes, 1, PL_DOUBLE, NULL, "sum", &sum));
  const pl_partition_options options = {.coords = x};
  PL_OK(pl, pl_partition(cells, method, &options));
  int64_t mine = pl_set_size(cells);
  CU_ASSERT_TRUE(llabs(mine * pl_ranks(pl) - GRID_CELLS) <= 4 * pl_ranks(pl));
  PL_OK(pl, pl_par_loop(spread_number, cells, pl_arg_dat(sum, PL_ALL, corner, PL_INC),
                        pl_arg_idx(PL_ID, PL_DIRECT)));
  OK(pl_hdf5_write(pl, path));
}

static void check_grid(const double *x, const int *corner)
{
  static double sum[GRID_NODES], got[GRID_NODES], places[2 * GRID_NODES];
  pl_context *pl = CONTEXT("backend=seq", "mpi=off");
  pl_set *cells, *nodes;
  pl_map *map;
  pl_dat *dat;
  memset(sum, 0, sizeof sum);
  for (int i = 0; i < 4 * GRID_CELLS; i++) sum[corner[i]] += i / 4 * (i % 4 + 1);
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "cells", &cells));
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "nodes", &nodes));
  PL_OK(pl, pl_decl_map_hdf5(cells, nodes, path, "corner", &map));
  CU_ASSERT_EQUAL(memcmp(pl_map_indices(map), corner, sizeof(int) * 4 * GRID_CELLS), 0);
  PL_OK(pl, pl_decl_dat_hdf5(nodes, path, "x", &dat));
  PL_OK(pl, pl_dat_fetch(dat, places));
  CU_ASSERT_EQUAL(memcmp(places, x, sizeof places), 0);
  PL_OK(pl, pl_decl_dat_hdf5(nodes, path, "sum", &dat));
  PL_OK(pl, pl_dat_fetch(dat, got));
  CU_ASSERT_EQUAL(memcmp(got, sum, sizeof sum), 0);
  pl_finalize(&pl);
}

static void over_ranks(void)
{
  static const pl_partition_method methods[] = {PL_PARTITION_BLOCK, PL_PARTITION_BISECTION,
                                                PL_PARTITION_CURVE};
  static double x[2 * GRID_NODES];
  static int corner[4 * GRID_CELLS];
  for (int m = 0; m < 3; m++) {
    pl_context *pl = CONTEXT("backend=seq", "mpi=auto"), *alone = CONTEXT("backend=seq", "mpi=off");
    if (pl_rank(pl) == 0) write_grid(alone, x, corner);
    PL_OK(pl, pl_comm_barrier(pl));
    work_together(pl, methods[m]);
    PL_OK(pl, pl_comm_barrier(pl));
    if (pl_rank(pl) == 0) check_grid(x, corner);
    PL_OK(pl, pl_comm_barrier(pl));
    pl_finalize(&alone);
    pl_finalize(&pl);
  }
}

/* ---- ragged maps ---- */

/* Row e of RAGGED_ROWS has e % 4 targets. */
enum { RAGGED_ROWS = 30 };

static int ragged_target(int e, int k)
{
  return (7 * e + 3 * k) % RAGGED_ROWS;
}

/* The rows from `first` to `end`, as this rank declares them. */
static int make_ragged(int first, int end, int *offset, int64_t *target)
{
  int n = 0;
  for (int e = first; e < end; e++)
    for (int k = offset[e - first] = n; n - k < e % 4; n++) target[n] = ragged_target(e, n - k);
  return offset[end - first] = n;
}

static void read_ragged_alone(void)
{
  int offset[RAGGED_ROWS + 1];
  int64_t target[4 * RAGGED_ROWS];
  pl_context *pl = CONTEXT("backend=seq", "mpi=off");
  pl_set *rows;
  pl_map *map;
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "rows", &rows));
  PL_OK(pl, pl_decl_map_hdf5(rows, rows, path, "ragged", &map));
  int n = make_ragged(0, RAGGED_ROWS, offset, target);
  CU_ASSERT_EQUAL_FATAL(pl_map_arity(map), 0);
  CU_ASSERT_EQUAL(memcmp(pl_map_offsets(map), offset, sizeof offset), 0);
  for (int i = 0; i < n; i++) CU_ASSERT_EQUAL(pl_map_indices(map)[i], target[i]);
  pl_finalize(&pl);
}

/* Written from declared rows, read by all ranks, partitioned, and written again. */
static void ragged_maps(void)
{
  pl_context *pl = CONTEXT("backend=seq", "mpi=auto");
  int rank = pl_rank(pl), ranks = pl_ranks(pl), offset[RAGGED_ROWS + 1], part[RAGGED_ROWS];
  int first = RAGGED_ROWS * rank / ranks, end = RAGGED_ROWS * (rank + 1) / ranks;
  int64_t target[4 * RAGGED_ROWS];
  pl_set *rows;
  pl_map *map;
  make_ragged(first, end, offset, target);
  PL_OK(pl, pl_decl_set(pl, end - first, "rows", &rows));
  PL_OK(pl, pl_decl_map_ragged_global(rows, rows, offset, target, "ragged", &map));
  OK(pl_hdf5_write(pl, path));
  if (rank == 0) read_ragged_alone();
  PL_OK(pl, pl_comm_barrier(pl));
  pl_finalize(&pl);
  pl = CONTEXT("backend=seq", "mpi=auto");
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "rows", &rows));
  PL_OK(pl, pl_decl_map_hdf5(rows, rows, path, "ragged", &map));
  for (int i = 0; i < RAGGED_ROWS; i++) part[i] = (i + rank) * 5 % 7 % ranks;
  PL_OK(pl, pl_partition(rows, PL_PARTITION_USER, &(pl_partition_options){.part = part}));
  OK(pl_hdf5_write(pl, path));
  if (rank == 0) read_ragged_alone();
  PL_OK(pl, pl_comm_barrier(pl));
  pl_finalize(&pl);
}

/* ---- particles that move, come and go ---- */

enum { EACH = 20, RING = 12 };

PL_KERNEL(hop, (int *next, int *left), {
  if (left[0] > 0) {
    left[0] -= 1;
    next[0] = 0;
  }
})

PL_KERNEL(set_hops, (int *left, const int *tag), { left[0] = tag[0] % 17; })
PL_KERNEL(choose_thirds, (int *flag, const int *tag), { flag[0] = tag[0] % 3 == 0; })

typedef struct swarm {
  pl_context *pl;
  pl_set *cells, *particles;
  pl_map *where, *faces;
  pl_dat *tag, *left;
} swarm;

static void move_all(swarm *s)
{
  PL_OK(s->pl, pl_par_loop(set_hops, s->particles, pl_arg_dat(s->left, PL_ID, PL_DIRECT, PL_WRITE),
                           pl_arg_dat(s->tag, PL_ID, PL_DIRECT, PL_READ)));
  PL_OK(s->pl, pl_particle_move(hop, s->where, s->faces, pl_arg_dat(s->left, PL_ID, PL_DIRECT, PL_RW)));
}

static void remove_thirds(swarm *s)
{
  pl_dat *flag;
  PL_OK(s->pl, pl_decl_dat(s->particles, 1, PL_INT32, NULL, "flag", &flag));
  PL_OK(s->pl, pl_par_loop(choose_thirds, s->particles, pl_arg_dat(flag, PL_ID, PL_DIRECT, PL_WRITE),
                           pl_arg_dat(s->tag, PL_ID, PL_DIRECT, PL_READ)));
  PL_OK(s->pl, pl_particle_remove(s->particles, flag));
  pl_dat_free(&flag);
}

static void add_two(swarm *s)
{
  int *tag;
  PL_OK(s->pl, pl_particle_add(s->particles, 2, (int[]){0, 1}));
  int n = (int)pl_set_size(s->particles);
  PL_OK(s->pl, pl_dat_get(s->tag, PL_RW, (void **)&tag));
  for (int k = 0; k < 2; k++) tag[n - 2 + k] = 1000 + 2 * pl_rank(s->pl) + k;
  PL_OK(s->pl, pl_dat_put(s->tag));
}

static void declare_swarm(swarm *s)
{
  int rank, ranks, next[RING], tag[EACH];
  int64_t cell[EACH], across[RING];
  s->pl = CONTEXT("backend=seq", "mpi=auto");
  rank = pl_rank(s->pl), ranks = pl_ranks(s->pl);
  for (int i = 0; i < RING; i++) next[i] = (rank * RING + i + 1) % (RING * ranks), across[i] = next[i];
  for (int i = 0; i < EACH; i++) tag[i] = rank * EACH + i, cell[i] = rank * RING + i % RING;
  PL_OK(s->pl, pl_decl_set(s->pl, RING, "cells", &s->cells));
  PL_OK(s->pl, pl_decl_set(s->pl, EACH, "particles", &s->particles));
  PL_OK(s->pl, pl_decl_map_global(s->cells, s->cells, 1, across, "faces", &s->faces));
  PL_OK(s->pl, pl_decl_map_global(s->particles, s->cells, 1, cell, "where", &s->where));
  PL_OK(s->pl, pl_decl_dat(s->particles, 1, PL_INT32, tag, "tag", &s->tag));
  PL_OK(s->pl, pl_decl_dat(s->particles, 1, PL_INT32, NULL, "left", &s->left));
}

/* The tags in the order of global indices: those that stayed, then the new ones of each rank. */
static int expected_tags(int ranks, int *tag)
{
  int n = 0;
  for (int i = 0; i < EACH * ranks; i++)
    if (i % 3) tag[n++] = i;
  for (int i = 0; i < 2 * ranks; i++) tag[n++] = 1000 + i;
  return n;
}

static void check_swarm_files(int ranks, const char *npy)
{
  int expected[100 * EACH], tag[100 * EACH], n = expected_tags(ranks, expected);
  pl_context *pl = CONTEXT("backend=seq", "mpi=off");
  pl_set *particles;
  pl_dat *from_hdf5, *from_npy;
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "particles", &particles));
  CU_ASSERT_EQUAL_FATAL(pl_set_size(particles), n);
  PL_OK(pl, pl_decl_dat_hdf5(particles, path, "tag", &from_hdf5));
  PL_OK(pl, pl_dat_fetch(from_hdf5, tag));
  CU_ASSERT_EQUAL(memcmp(tag, expected, (size_t)n * sizeof *tag), 0);
  PL_OK(pl, pl_decl_dat(particles, 1, PL_INT32, NULL, "copy", &from_npy));
  PL_OK(pl, pl_dat_load(from_npy, npy));
  PL_OK(pl, pl_dat_fetch(from_npy, tag));
  CU_ASSERT_EQUAL(memcmp(tag, expected, (size_t)n * sizeof *tag), 0);
  pl_finalize(&pl);
}

/* Rows follow the global indices of the particles that there are, on whatever rank. */
static void particles(void)
{
  swarm s;
  int *tag, before[100 * EACH];
  char npy[80];
  snprintf(npy, sizeof npy, "%s.npy", path);
  declare_swarm(&s);
  move_all(&s);
  remove_thirds(&s);
  add_two(&s);
  move_all(&s);
  OK(pl_hdf5_write(s.pl, path));
  OK(pl_dat_save(s.tag, npy));
  if (pl_rank(s.pl) == 0) check_swarm_files(pl_ranks(s.pl), npy);
  size_t bytes = (size_t)pl_set_size(s.particles) * sizeof *tag;
  PL_OK(s.pl, pl_dat_get(s.tag, PL_RW, (void **)&tag));
  memcpy(before, tag, bytes);
  memset(tag, 0, bytes);
  PL_OK(s.pl, pl_dat_put(s.tag));
  OK(pl_dat_load(s.tag, npy));
  PL_OK(s.pl, pl_dat_get(s.tag, PL_READ, (void **)&tag));
  CU_ASSERT_EQUAL(memcmp(tag, before, bytes), 0);
  PL_OK(s.pl, pl_dat_put(s.tag));
  PL_OK(s.pl, pl_comm_barrier(s.pl));
  if (pl_rank(s.pl) == 0) remove(npy);
  pl_finalize(&s.pl);
}

/* ---- files that are not what they should be, over ranks ---- */

static void put(hid_t file, const char *name, hid_t type, int rank, const hsize_t *extent, const void *values)
{
  hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(rank, extent, NULL);
  H5Pset_create_intermediate_group(links, 1);
  hid_t data = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
  CU_ASSERT_TRUE(data >= 0 && (!values || H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0));
  H5Dclose(data);
  H5Sclose(space);
  H5Pclose(links);
}

enum { ROWS = 12 };

/* A file of another program; `mark` changes the values of the dats. */
static void write_strange(const char *name, int mark)
{
  int64_t n = ROWS, two[2] = {ROWS, ROWS}, index[2 * ROWS];
  double x[2 * ROWS];
  char words[ROWS][8] = {"word"};
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, sizeof words[0]);
  for (int i = 0; i < 2 * ROWS; i++) index[i] = i % ROWS, x[i] = i + mark;
  put(file, "/sets/cells", H5T_NATIVE_INT64, 0, NULL, &n);
  put(file, "/sets/two", H5T_NATIVE_INT64, 1, (hsize_t[]){2}, two);
  put(file, "/sets/real", H5T_NATIVE_DOUBLE, 1, (hsize_t[]){1}, x);
  put(file, "/sets/table", H5T_NATIVE_INT64, 2, (hsize_t[]){ROWS, 2}, index);
  put(file, "/maps/good", H5T_NATIVE_INT64, 2, (hsize_t[]){ROWS, 2}, index);
  put(file, "/maps/real", H5T_NATIVE_DOUBLE, 2, (hsize_t[]){ROWS, 2}, x);
  put(file, "/maps/row", H5T_NATIVE_INT64, 1, (hsize_t[]){ROWS}, index);
  put(file, "/maps/cube", H5T_NATIVE_INT64, 3, (hsize_t[]){ROWS, 2, 1}, index);
  put(file, "/maps/empty", H5T_NATIVE_INT64, 2, (hsize_t[]){ROWS, 0}, NULL);
  index[2 * ROWS - 1] = ROWS;
  put(file, "/maps/far", H5T_NATIVE_INT64, 2, (hsize_t[]){ROWS, 2}, index);
  put(file, "/dats/good", H5T_NATIVE_DOUBLE, 2, (hsize_t[]){ROWS, 2}, x);
  put(file, "/dats/short", H5T_NATIVE_DOUBLE, 2, (hsize_t[]){ROWS - 5, 2}, x);
  put(file, "/dats/scalar", H5T_NATIVE_DOUBLE, 0, NULL, x);
  put(file, "/dats/empty", H5T_NATIVE_DOUBLE, 2, (hsize_t[]){ROWS, 0}, NULL);
  put(file, "/dats/words", text, 1, (hsize_t[]){ROWS}, words);
  put(file, "/consts/table", H5T_NATIVE_DOUBLE, 2, (hsize_t[]){ROWS, 2}, x);
  put(file, "/consts/words", text, 1, (hsize_t[]){1}, words);
  H5Tclose(text);
  H5Fclose(file);
}

/* The same error on all ranks, which can continue together. */
static void all_complain(pl_context *pl, pl_err err, pl_err wanted, const char *word)
{
  pl_set *set;
  int32_t code = (int32_t)err;
  FAILS(err, wanted, word);
  PL_OK(pl, pl_comm_reduce(pl, PL_INT32, PL_MAX, &code, 1));
  CU_ASSERT_EQUAL(code, (int32_t)err);
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "cells", &set));
  int64_t n = pl_set_size(set);
  PL_OK(pl, pl_comm_reduce(pl, PL_INT64, PL_INC, &n, 1));
  CU_ASSERT_EQUAL(n, ROWS);
}

static void strange_contents(void)
{
  pl_context *pl = CONTEXT("backend=seq", "mpi=auto");
  const bool first = pl_rank(pl) == 0, last = pl_rank(pl) == pl_ranks(pl) - 1, several = pl_ranks(pl) > 1;
  pl_set *cells, *set;
  pl_map *map;
  pl_dat *dat;
  if (first) write_strange(path, 0);
  PL_OK(pl, pl_comm_barrier(pl));
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "cells", &cells));
  all_complain(pl, pl_decl_set_hdf5(pl, path, "two", &set), PL_ERR_IO, "not a single integer");
  all_complain(pl, pl_decl_set_hdf5(pl, path, "real", &set), PL_ERR_IO, "not a single integer");
  all_complain(pl, pl_decl_set_hdf5(pl, path, "table", &set), PL_ERR_IO, "not a single integer");
  all_complain(pl, pl_decl_map_hdf5(cells, cells, path, "real", &map), PL_ERR_IO, "not a table of integers");
  all_complain(pl, pl_decl_map_hdf5(cells, cells, path, "row", &map), PL_ERR_IO, "not a table of integers");
  all_complain(pl, pl_decl_map_hdf5(cells, cells, path, "cube", &map), PL_ERR_IO, "not a table of integers");
  all_complain(pl, pl_decl_map_hdf5(cells, cells, path, "empty", &map), PL_ERR_IO, "not a table of integers");
  all_complain(pl, pl_decl_map_hdf5(cells, cells, path, "far", &map), PL_ERR_RANGE, "\"far\"");
  all_complain(pl, pl_decl_dat_hdf5(cells, path, "short", &dat), PL_ERR_IO, "7 rows");
  all_complain(pl, pl_decl_dat_hdf5(cells, path, "scalar", &dat), PL_ERR_IO, "1 rows");
  all_complain(pl, pl_decl_dat_hdf5(cells, path, "words", &dat), PL_ERR_IO, "unknown type");
  all_complain(pl, pl_decl_const_hdf5(pl, path, "table", NULL), PL_ERR_IO, "not a row of values");
  all_complain(pl, pl_decl_const_hdf5(pl, path, "words", NULL), PL_ERR_IO, "unknown type");
  all_complain(pl, pl_decl_dat_hdf5(cells, path, last ? "bad" : "good", several ? &dat : NULL),
               several ? PL_ERR_IO : PL_ERR_ARG, several ? "/dats/bad" : "NULL");
  if (several) {
    all_complain(pl, pl_decl_dat_hdf5(cells, path, last ? NULL : "good", &dat), PL_ERR_ARG, "NULL");
    all_complain(pl, pl_decl_map_hdf5(cells, cells, path, last ? "row" : "good", &map), PL_ERR_ARG,
                 "all must");
    all_complain(pl, pl_decl_set_hdf5(pl, last ? "/tmp" : path, "cells", &set), PL_ERR_ARG, "another file");
  }
  PL_OK(pl, pl_decl_map_hdf5(cells, cells, path, "good", &map));
  PL_OK(pl, pl_decl_dat_hdf5(cells, path, "good", &dat));
  CU_ASSERT_EQUAL(pl_dat_dim(dat), 2);
  PL_OK(pl, pl_decl_dat_hdf5(cells, path, "empty", &dat)); /* no values per element is allowed */
  CU_ASSERT_EQUAL(pl_dat_dim(dat), 0);
  pl_finalize(&pl);
}

/* An entry without stored values, in chunks of one value. */
static void put_unstored(hid_t file, const char *name, int rank, const hsize_t *extent)
{
  const hsize_t one[] = {1, 1, 1, 1};
  hid_t links = H5Pcreate(H5P_LINK_CREATE), chunks = H5Pcreate(H5P_DATASET_CREATE);
  hid_t space = H5Screate_simple(rank, extent, NULL);
  H5Pset_create_intermediate_group(links, 1);
  H5Pset_chunk(chunks, rank, one);
  hid_t data = H5Dcreate2(file, name, H5T_NATIVE_INT64, space, links, chunks, H5P_DEFAULT);
  CU_ASSERT_TRUE(data >= 0);
  H5Dclose(data);
  H5Sclose(space);
  H5Pclose(chunks);
  H5Pclose(links);
}

/* Sizes whose products exceed 64 bits, and values that the file promises but does not hold. */
static void write_crafted(const char *name)
{
  const int64_t n = ROWS, most = INT32_MAX / 2, huge = (int64_t)1 << 61, small[ROWS] = {0};
  const hsize_t g = (hsize_t)1 << 30;
  int64_t offsets[ROWS + 1], ascending[ROWS + 1];
  for (int i = 0; i <= ROWS; i++) offsets[i] = i % 2 ? huge : 0, ascending[i] = i;
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), null = H5Screate(H5S_NULL);
  put(file, "/sets/cells", H5T_NATIVE_INT64, 0, NULL, &n);
  put(file, "/sets/most", H5T_NATIVE_INT64, 0, NULL, &most);
  put(file, "/sets/huge", H5T_NATIVE_INT64, 0, NULL, &huge);
  put(file, "/dats/one", H5T_NATIVE_INT64, 2, (hsize_t[]){ROWS, 1}, small);
  put(file, "/dats/unstored", H5T_NATIVE_DOUBLE, 2, (hsize_t[]){ROWS, 4}, NULL);
  put(file, "/dats/large", H5T_NATIVE_DOUBLE, 2, (hsize_t[]){ROWS, 1 << 30}, NULL);
  put_unstored(file, "/dats/wraps", 4, (hsize_t[]){ROWS, g, g, 8});
  put_unstored(file, "/dats/wraps above", 2, (hsize_t[]){ROWS, ((hsize_t)1 << 61) + 1});
  put_unstored(file, "/maps/large", 2, (hsize_t[]){ROWS, INT32_MAX});
  put_unstored(file, "/maps/wraps", 2, (hsize_t[]){INT32_MAX / 2, INT32_MAX});
  put(file, "/maps/ragged", H5T_NATIVE_INT64, 1, (hsize_t[]){ROWS}, small);
  put(file, "/offsets/ragged", H5T_NATIVE_INT64, 1, (hsize_t[]){ROWS + 1}, offsets);
  put(file, "/maps/beyond", H5T_NATIVE_INT64, 1, (hsize_t[]){ROWS - 2}, small);
  put(file, "/offsets/beyond", H5T_NATIVE_INT64, 1, (hsize_t[]){ROWS + 1}, ascending);
  put(file, "/maps/shorter", H5T_NATIVE_INT64, 1, (hsize_t[]){ROWS}, small);
  put(file, "/offsets/shorter", H5T_NATIVE_INT64, 1, (hsize_t[]){ROWS}, ascending);
  put_unstored(file, "/consts/large", 1, (hsize_t[]){INT32_MAX});
  hid_t set = H5Dcreate2(file, "/sets/null", H5T_NATIVE_INT64, null, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CU_ASSERT_TRUE(set >= 0);
  H5Dclose(set);
  H5Sclose(null);
  H5Fclose(file);
}

/* Refused before memory is taken. */
static void crafted_sizes(void)
{
  pl_context *pl = CONTEXT("backend=seq", "mpi=auto");
  pl_set *cells, *most, *set;
  pl_map *map;
  pl_dat *dat;
  if (pl_rank(pl) == 0) write_crafted(path);
  PL_OK(pl, pl_comm_barrier(pl));
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "cells", &cells));
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "most", &most));
  all_complain(pl, pl_decl_set_hdf5(pl, path, "null", &set), PL_ERR_IO, "does not hold");
  all_complain(pl, pl_decl_dat_hdf5(cells, path, "unstored", &dat), PL_ERR_IO, "does not hold");
  all_complain(pl, pl_decl_dat_hdf5(cells, path, "large", &dat), PL_ERR_IO, "does not hold");
  all_complain(pl, pl_decl_dat_hdf5(cells, path, "wraps", &dat), PL_ERR_IO, "does not hold");
  all_complain(pl, pl_decl_dat_hdf5(cells, path, "wraps above", &dat), PL_ERR_IO, "does not hold");
  all_complain(pl, pl_decl_map_hdf5(cells, cells, path, "large", &map), PL_ERR_IO, "does not hold");
  all_complain(pl, pl_decl_map_hdf5(most, cells, path, "wraps", &map), PL_ERR_IO, "does not hold");
  all_complain(pl, pl_decl_const_hdf5(pl, path, "large", NULL), PL_ERR_IO, "does not hold");
  all_complain(pl, pl_decl_map_hdf5(cells, cells, path, "ragged", &map), PL_ERR_IO, "do not ascend");
  all_complain(pl, pl_decl_map_hdf5(cells, cells, path, "beyond", &map), PL_ERR_IO, "do not ascend");
  all_complain(pl, pl_decl_map_hdf5(cells, cells, path, "shorter", &map), PL_ERR_IO, "12 rows");
  all_complain(pl, pl_decl_set_hdf5(pl, path, "huge", &set), PL_ERR_RANGE, "\"huge\"");
  PL_OK(pl, pl_decl_dat_hdf5(cells, path, "one", &dat));
  pl_finalize(&pl);
}

/* Extends a file to a size, with `byte` at its end. */
static void end_in(const char *name, char byte, off_t size)
{
  FILE *file = fopen(name, "r+b");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  CU_ASSERT_TRUE(!fseeko(file, size - 1, SEEK_SET) && fputc(byte, file) != EOF);
  fclose(file);
}

/* A path that names another file on one rank, shorter or with other bytes; and a truncated file. */
static void strange_paths(void)
{
  pl_context *pl = CONTEXT("backend=seq", "mpi=auto");
  const int rank = pl_rank(pl);
  const bool several = pl_ranks(pl) > 1;
  char home[4096], folder[32];
  struct stat info;
  pl_set *set;
  snprintf(folder, sizeof folder, "test_hdf5.%d", rank);
  CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(home, sizeof home));
  mkdir(folder, 0700);
  CU_ASSERT_EQUAL_FATAL(chdir(folder), 0);
  write_strange(path, 0);
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "cells", &set)); /* equal copies count as one file */
  CU_ASSERT_EQUAL_FATAL(stat(path, &info), 0);
  if (rank == 1) CU_ASSERT_EQUAL(truncate(path, info.st_size - 100), 0);
  if (several) FAILS(pl_decl_set_hdf5(pl, path, "cells", &set), PL_ERR_IO, "bytes on some ranks");
  if (rank == 1) end_in(path, 'x', info.st_size);
  if (several) FAILS(pl_decl_set_hdf5(pl, path, "cells", &set), PL_ERR_IO, "other bytes on some ranks");
  if (rank == 1) remove(path);
  if (several) FAILS(pl_decl_set_hdf5(pl, path, "cells", &set), PL_ERR_IO, "cannot open it");
  write_strange(path, 0);
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "cells", &set));
  CU_ASSERT_EQUAL(truncate(path, info.st_size / 2), 0);
  FAILS(pl_decl_set_hdf5(pl, path, "cells", &set), PL_ERR_IO, "cannot open it");
  CU_ASSERT_EQUAL(truncate(path, 0), 0);
  FAILS(pl_decl_set_hdf5(pl, path, "cells", &set), PL_ERR_IO, "cannot open it");
  PL_OK(pl, pl_comm_barrier(pl));
  remove(path);
  CU_ASSERT_EQUAL_FATAL(chdir(home), 0);
  rmdir(folder);
  pl_finalize(&pl);
}

#else

static void missing(void)
{
  pl_context *pl = CONTEXT("backend=seq", "mpi=off");
  pl_set *set;
  FAILS(pl_hdf5_write(pl, path), PL_ERR_IO, "libhdf5-openmpi-dev");
  CU_ASSERT_EQUAL(pl_decl_set_hdf5(pl, path, "cells", &set), PL_ERR_IO);
  (void)declare, (void)read_back;
  pl_finalize(&pl);
}

#endif

/* The tests that also run on several ranks come last. */
static CU_TestInfo tests[] = {
#if PLAIT_HAVE_HDF5
  {"written and read", round_trip},
  {"written after chains", after_chains},
  {"written beside mixed spaces", after_mixed_spaces},
  {"refused", refused},
  {"equal names", equal_names},
  {"some objects", some_objects},
  {"over ranks", over_ranks},
  {"ragged maps", ragged_maps},
  {"strange contents", strange_contents},
  {"strange paths", strange_paths},
  {"crafted sizes", crafted_sizes},
  {"particles that move, come and go", particles},
#else
  {"not built in", missing},
#endif
  CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
  const int first = PLAIT_HAVE_HDF5 && argc > 1 ? 6 : 0;
  snprintf(path, sizeof path, "test_hdf5%s.h5", argc > 1 ? argv[1] : "");
  const int result = suite_run("HDF5", tests + first);
  remove(path);
  return result;
}
