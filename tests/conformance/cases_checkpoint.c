/* SPDX-License-Identifier: BSD-2-Clause
 * Checkpoints: written on the ranks of the test, restored on one, written there and restored on the ranks;
 * files that are damaged or belong to another program are refused and change nothing.
 */
#include "conformance.h"
#include <stdlib.h>
#include <unistd.h>

enum { NX = 6, NY = 5, CELLS = NX * NY, NODES = (NX + 1) * (NY + 1), PARTICLES = 23, ATOMS = 9 };

typedef struct state {
  pl_context *pl;
  pl_set *cells, *nodes, *particles, *atoms;
  pl_map *corners, *around, *where, *pairs;
  pl_dat *q, *x, *tag, *speed, *at;
  pl_global *step;
  pl_const *scale;
  pl_random *noise;
  pl_domain *box;
} state;

static const char *path_of(char path[300], const char *name)
{
  const char *folder = getenv("TMPDIR");
  snprintf(path, 300, "%s/plait-%s-%ld.h5", folder ? folder : "/tmp", name, (long)getppid());
  return path;
}

static double q_value(int i)
{
  return 0.5 * i + 1.0 / (i + 3);
}

/* Rank 0 declares everything; `value` 0: other values, and other particles, that a file must replace. */
static void declare(conf *c, pl_context *pl, state *w, int value)
{
  int corner[CELLS][4], offset[NODES + 1] = {0}, around[2 * NODES], cell[2 * PARTICLES], tag[2 * PARTICLES];
  double q[4 * CELLS], x[NODES][2], speed[2 * PARTICLES], at[ATOMS][2];
  const bool first = pl_rank(pl) == 0;
  const int n = value ? PARTICLES : 2 * PARTICLES;
  for (int i = 0; i < CELLS; i++) {
    const int a = i / NX * (NX + 1) + i % NX, at[4] = {a, a + 1, a + NX + 2, a + NX + 1};
    memcpy(corner[i], at, sizeof at);
    for (int k = 0; k < 4; k++) q[4 * i + k] = value * q_value(4 * i + k);
  }
  for (int i = 0; i < NODES; i++) {
    x[i][0] = i % (NX + 1), x[i][1] = i / (NX + 1);
    offset[i + 1] = offset[i] + i % 3;
    for (int k = offset[i]; k < offset[i + 1]; k++) around[k] = (7 * k) % CELLS;
  }
  for (int i = 0; i < n; i++) cell[i] = 7 * i % CELLS, tag[i] = value * i, speed[i] = value * q_value(i);
  for (int i = 0; i < ATOMS; i++) at[i][0] = 0.5 * i, at[i][1] = 0.25 * i;
  const int64_t step = 41 * value;
  const double scale = 2.5 * value, low[2] = {0, 0}, high[2] = {NX + value, NY};
  w->pl = pl;
  OK_IN(pl, pl_decl_set(pl, first ? CELLS : 0, "cells", &w->cells));
  OK_IN(pl, pl_decl_set(pl, first ? NODES : 0, "nodes", &w->nodes));
  OK_IN(pl, pl_decl_set(pl, first ? n : 0, "particles", &w->particles));
  OK_IN(pl, pl_decl_map(w->cells, w->nodes, 4, corner[0], "corners", &w->corners));
  OK_IN(pl, pl_decl_map_ragged(w->nodes, w->cells, offset, around, "around", &w->around));
  OK_IN(pl, pl_decl_map(w->particles, w->cells, 1, cell, "where", &w->where));
  OK_IN(pl, pl_decl_dat_shape(w->cells, 2, (int[]){2, 2}, PL_DOUBLE, q, "q", &w->q));
  OK_IN(pl, pl_decl_dat(w->nodes, 2, PL_DOUBLE, x, "x", &w->x));
  OK_IN(pl, pl_decl_dat(w->particles, 1, PL_INT32, tag, "tag", &w->tag));
  OK_IN(pl, pl_decl_dat(w->particles, 1, PL_DOUBLE, speed, "speed", &w->speed));
  OK_IN(pl, pl_decl_global(pl, 1, PL_INT64, &step, "step", &w->step));
  OK_IN(pl, pl_decl_const(pl, "checkpoint_scale", 1, PL_DOUBLE, &scale, &w->scale));
  OK_IN(pl, pl_decl_random(pl, 5, "noise", &w->noise));
  OK_IN(pl, pl_random_set_call(w->noise, (uint32_t)(9 * value)));
  OK_IN(pl, pl_decl_domain(pl, 2, low, high, NULL, "box", &w->box));
  OK_IN(pl, pl_decl_set(pl, first ? (value ? ATOMS : 4) : 0, "atoms", &w->atoms));
  OK_IN(pl, pl_decl_dat(w->atoms, 2, PL_DOUBLE, at, "at", &w->at));
  OK_IN(pl, pl_decl_pair_map(w->at, w->box, 1, 0.25, "pairs", &w->pairs));
}

PL_KERNEL(checkpoint_flag, (int32_t * flag, const int32_t *tag), { flag[0] = tag[0] % 4 == 1; })

static bool stays(int tag)
{
  return tag % 4 != 1;
}

static void remove_some(conf *c, state *w)
{
  pl_dat *flag;
  OK(pl_decl_dat(w->particles, 1, PL_INT32, NULL, "flag", &flag));
  OK(pl_par_loop(checkpoint_flag, w->particles, DIRECT(flag, PL_WRITE), DIRECT(w->tag, PL_READ)));
  OK(pl_particle_remove(w->particles, flag));
  pl_dat_free(&flag);
}

/* Each particle once, with its speed and its cell. */
static void check_particles(conf *c, state *w)
{
  int64_t global[CELLS], expected = 0;
  int *tag;
  double *speed;
  const int n = (int)pl_set_size(w->particles), *where = pl_map_indices(w->where);
  for (int i = 0; i < PARTICLES; i++) expected += stays(i);
  CHECK(pl_set_global_size(w->particles) == expected);
  OK_IN(w->pl, pl_set_global(w->cells, global));
  OK_IN(w->pl, pl_dat_get(w->tag, PL_READ, (void **)&tag));
  OK_IN(w->pl, pl_dat_get(w->speed, PL_READ, (void **)&speed));
  for (int i = 0; i < n; i++) {
    CHECK(stays(tag[i]) && tag[i] < PARTICLES && speed[i] == q_value(tag[i]));
    CHECK(!i || tag[i] > tag[i - 1]);
    CHECK(where && where[i] < pl_set_size(w->cells) && global[where[i]] == 7 * tag[i] % CELLS);
  }
  OK_IN(w->pl, pl_dat_put(w->tag));
  OK_IN(w->pl, pl_dat_put(w->speed));
}

/* Each atom once; they are anywhere. */
static void check_atoms(conf *c, state *w)
{
  double *at;
  int64_t global[ATOMS];
  const int64_t n = pl_set_size(w->atoms);
  CHECK(pl_set_global_size(w->atoms) == ATOMS && n <= ATOMS);
  OK_IN(w->pl, pl_set_global(w->atoms, global));
  OK_IN(w->pl, pl_dat_get(w->at, PL_READ, (void **)&at));
  for (int64_t i = 0; i < n; i++)
    CHECK(at[2 * i] == 0.5 * (double)global[i] && at[2 * i + 1] == 0.25 * (double)global[i]);
  OK_IN(w->pl, pl_dat_put(w->at));
}

static void check(conf *c, state *w)
{
  double q[4 * CELLS], scale = 0;
  int64_t step = 0;
  OK_IN(w->pl, pl_dat_fetch(w->q, q));
  for (int i = 0; pl_rank(w->pl) == 0 && i < 4 * CELLS; i++) CHECK(q[i] == q_value(i));
  OK_IN(w->pl, pl_global_get(w->step, &step));
  OK_IN(w->pl, pl_const_get(w->scale, &scale));
  CHECK(step == 41 && scale == 2.5 && pl_random_get_call(w->noise) == 9);
  check_particles(c, w);
  check_atoms(c, w);
}

static pl_context *alone(conf *c)
{
  static const char *const options[] = {"backend=seq", "mpi=off", NULL};
  const pl_settings settings = {.options = options};
  pl_context *pl;
  OK_IN(pl, pl_init(NULL, NULL, &settings, &pl));
  return pl;
}

/* On rank 0 alone: restores a file, checks it and writes it again. */
static void pass_on(conf *c, const char *from, const char *to)
{
  state w;
  pl_context *pl = alone(c);
  declare(c, pl, &w, 0);
  OK_IN(pl, pl_restore(pl, from));
  check(c, &w);
  OK_IN(pl, pl_vtk_grid(w.x, w.corners));
  OK_IN(pl, pl_checkpoint(pl, to));
  pl_finalize(&pl);
}

static bool has_hdf5(conf *c)
{
  const char *name, *why_not;
  for (int i = 0; !pl_module_at(c->pl, i, &name, &why_not); i++)
    if (!strcmp(name, "hdf5")) return !why_not;
  return false;
}

static void case_checkpoint(conf *c)
{
  state w;
  char from[300], to[300];
  if (!has_hdf5(c)) return;
  path_of(from, "checkpoint"), path_of(to, "checkpoint-2");
  declare(c, c->pl, &w, 1);
  const pl_partition_options random = {.seed = 3};
  OK(pl_partition(w.cells, PL_PARTITION_RANDOM, &random));
  remove_some(c, &w);
  check(c, &w);
  OK(pl_vtk_grid(w.x, w.corners));
  OK(pl_checkpoint(c->pl, from));
  if (pl_rank(c->pl) == 0) pass_on(c, from, to);
  double none = 0;
  OK(pl_dat_zero(w.q));
  OK(pl_dat_zero(w.speed));
  OK(pl_global_zero(w.step));
  OK(pl_const_set(w.scale, &none));
  OK(pl_random_set_call(w.noise, 0));
  OK(pl_restore(c->pl, to)); /* as many particles */
  check(c, &w);
  OK(pl_set_resize(w.particles, 0));
  OK(pl_set_resize(w.atoms, pl_rank(c->pl) == 0));
  OK(pl_restore(c->pl, to)); /* others */
  check(c, &w);
  if (pl_rank(c->pl) == 0) unlink(from), unlink(to);
}

/* ---- objects of the library ---- */

static pl_err identity(void *user, pl_dat *x, pl_dat *y)
{
  (void)user;
  return pl_dat_copy(x, y);
}

/* A matrix with a product and a transposed one; devices copy the values for the second product. */
static void multiply(conf *c)
{
  static const int index[] = {0, 1, 2, 3, 4};
  pl_set *rows = conf_set(c, 5, "rows"), *elements = conf_set(c, 5, "elements");
  pl_map *map = conf_map(c, elements, rows, 1, index, "map");
  pl_dat *x = conf_dat(c, rows, 1, PL_DOUBLE, NULL, "x"), *y = conf_dat(c, rows, 1, PL_DOUBLE, NULL, "y");
  pl_sparsity *sparsity;
  pl_mat *mat;
  OK(pl_decl_sparsity(rows, 1, rows, 1, 1, &(pl_map_pair){map, map}, "matrix", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "matrix", &mat));
  for (int k = 0; k < 3; k++) OK((k ? pl_mat_multiply : pl_mat_multiply_transposed)(mat, x, y));
}

/* Sets, maps and dats of matrices are not in the file. */
static void case_own_matrices(conf *c)
{
  static const char *const names[] = {"matrix", "slices", "products", "ordered", "row", "coupled"};
  char path[300];
  pl_set *set;
  pl_map *map;
  pl_dat *dat;
  if (!has_hdf5(c)) return;
  multiply(c);
  path_of(path, "matrix");
  OK(pl_checkpoint(c->pl, path));
  pl_set *rows = conf_set(c, 5, "other rows");
  for (int k = 0; k < 6; k++) {
    FAILS(pl_decl_set_hdf5(c->pl, path, names[k], &set), PL_ERR_IO, "there is no \"/sets/");
    FAILS(pl_decl_map_hdf5(rows, rows, path, names[k], &map), PL_ERR_IO, "there is no \"/maps/");
    FAILS(pl_decl_dat_hdf5(rows, path, names[k], &dat), PL_ERR_IO, "there is no \"/dats/");
  }
  if (pl_rank(c->pl) == 0) unlink(path);
}

/* Two solvers have vectors of the same names, which are not in the file. */
static void case_own_objects(conf *c)
{
  char path[300];
  pl_solver *one, *other;
  if (!has_hdf5(c)) return;
  pl_dat *x = conf_dat(c, conf_set(c, 5, "rows"), 1, PL_DOUBLE, NULL, "x");
  path_of(path, "own");
  OK(pl_decl_solver_apply(x, identity, NULL, NULL, NULL, "one", &one));
  OK(pl_checkpoint(c->pl, path));
  OK(pl_decl_solver_apply(x, identity, NULL, NULL, NULL, "other", &other));
  OK(pl_checkpoint(c->pl, path));
  OK(pl_restore(c->pl, path));
  if (pl_rank(c->pl) == 0) unlink(path);
}

/* ---- wrong files, on one rank ---- */

static char *read_all(const char *path, size_t *size)
{
  FILE *file = fopen(path, "rb");
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size);
  *size = fread(bytes, 1, *size, file);
  fclose(file);
  return bytes;
}

static void write_all(const char *path, const char *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  fwrite(bytes, 1, size, file);
  fclose(file);
}

static bool is_old(conf *c, const state *w)
{
  double q[4 * CELLS];
  int64_t step = 1;
  bool old = pl_set_size(w->particles) == 2 * PARTICLES;
  OK_IN(w->pl, pl_dat_fetch(w->q, q));
  OK_IN(w->pl, pl_global_get(w->step, &step));
  for (int i = 0; i < 4 * CELLS; i++) old = old && q[i] == 0;
  return old && step == 0 && pl_random_get_call(w->noise) == 0;
}

/* A file with one wrong byte is refused, or the byte has no meaning. HDF5 1.10 cannot close a file whose own
 * data is wrong: it says so when the program ends, and its memory is lost, which sanitizers report. */
static void change_bytes(conf *c, state *w, const char *path, char *bytes, size_t size)
{
#ifdef CONF_NO_PACKAGES
  enum { STEP = 1 << 30 };
#else
  enum { STEP = 509 };
#endif
  int refused = 0, tried = 0;
  for (size_t at = 3; at < size; at += STEP, tried++) {
    bytes[at] ^= 16;
    write_all(path, bytes, size);
    bytes[at] ^= 16;
    if (!pl_restore(w->pl, path)) {
      check(c, w);
      pl_finalize(&w->pl);
      declare(c, alone(c), w, 0);
      continue;
    }
    refused++;
    CHECK(strchr(pl_errmsg(w->pl), '"') && is_old(c, w));
  }
  CHECK(refused > tried / 4);
}

static void damage(conf *c, state *w, const char *path)
{
  size_t size;
  char *bytes = read_all(path, &size);
  change_bytes(c, w, path, bytes, size);
  for (size_t part = 0; part < size; part += size / 9 + 1) {
    write_all(path, bytes, part);
    FAILS_IN(w->pl, pl_restore(w->pl, path), PL_ERR_IO, path);
    CHECK(is_old(c, w));
  }
  free(bytes);
}

static void case_wrong_checkpoints(conf *c)
{
  state w, other;
  char path[300];
  pl_dat *more, *odd;
  if (!has_hdf5(c) || pl_ranks(c->pl) > 1) return;
  path_of(path, "wrong");
  declare(c, c->pl, &w, 1);
  OK(pl_hdf5_write(c->pl, path));
  FAILS(pl_restore(c->pl, path), PL_ERR_IO, "it is no checkpoint");
  FAILS(pl_restore(c->pl, "/nonexistent/x.h5"), PL_ERR_IO, "/nonexistent/x.h5");
  remove_some(c, &w);
  OK(pl_checkpoint(c->pl, path));
  OK(pl_decl_dat(w.cells, 1, PL_FLOAT, NULL, "more", &more));
  FAILS(pl_restore(c->pl, path), PL_ERR_IO, "the program has \"dat more: float[1] on set cells\"");
  pl_dat_free(&more);
  pl_dat_free(&w.speed);
  FAILS(pl_restore(c->pl, path), PL_ERR_IO, "it has \"dat speed: double[1] on set particles\"");
  OK(pl_decl_dat(w.particles, 2, PL_DOUBLE, NULL, "speed", &w.speed));
  FAILS(pl_restore(c->pl, path), PL_ERR_IO, "double[1]", "but the program has", "double[2]");
  OK(pl_decl_dat(w.particles, 2, PL_DOUBLE, NULL, "speed", &odd));
  FAILS(pl_checkpoint(c->pl, path), PL_ERR_IO, "two dats are called \"speed\"");
  pl_dat_free(&odd);
  OK(pl_decl_dat(w.particles, 2, PL_DOUBLE, NULL, "a/b", &odd));
  FAILS(pl_checkpoint(c->pl, path), PL_ERR_IO, "\"a/b\" cannot be a name");
  FAILS(pl_vtk_grid(w.q, NULL), PL_ERR_TYPE, "1 to 3 doubles");
  FAILS(pl_vtk_grid(w.x, w.around), PL_ERR_ARG, "\"around\" does not lead to");
  declare(c, alone(c), &other, 0);
  int corner[4 * CELLS] = {0};
  pl_map_free(&other.corners);
  OK_IN(other.pl, pl_decl_map(other.cells, other.nodes, 4, corner, "corners", &other.corners));
  FAILS_IN(other.pl, pl_restore(other.pl, path), PL_ERR_IO, "map \"corners\" differs");
  CHECK(is_old(c, &other));
  pl_finalize(&other.pl);
  declare(c, alone(c), &other, 0);
  damage(c, &other, path);
  pl_finalize(&other.pl);
  unlink(path);
}

const conf_case conf_checkpoint[] = {
  {"checkpoint: files", "O07", case_checkpoint, CONF_RANKS},
  {"checkpoint: objects of the library", "O07", case_own_objects, CONF_RANKS},
  {"checkpoint: objects of matrices", "O07", case_own_matrices, CONF_RANKS | CONF_NEEDS_JIT},
  {"checkpoint: wrong files", "O07", case_wrong_checkpoints, 0},
  {NULL, NULL, NULL, 0},
};
