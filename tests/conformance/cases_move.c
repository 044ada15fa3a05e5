/* SPDX-License-Identifier: BSD-2-Clause
 * Particle tracking on an unstructured mesh: random walks over triangles compared with a search of all
 * cells; particles that leave or change ranks, with their data; errors.
 */
#include "conformance.h"
#include <math.h>

enum { NX = 9, NY = 7, CELLS = 2 * NX * NY, VERTICES = (NX + 1) * (NY + 1), PARTICLES = 300 };

/* ---- a mesh of triangles on [0, NX] x [0, NY], numbered at random, and particles on it ---- */

typedef struct tracked_particles {
  double vertex[VERTICES][2];
  int corner[CELLS][3], face[CELLS][3]; /* face k lies opposite to corner k */
  double x[PARTICLES][2];
  int cell[PARTICLES];
  bool here[PARTICLES];
  pl_set *cells, *vertices, *particles;
  pl_map *corners, *faces, *where;
  pl_dat *position, *place, *step, *tag, *found, *many, *number;
} tracked_particles;

static double unit(conf *c)
{
  return (double)conf_below(c, 1 << 30) / (1 << 30);
}

static void shuffle(conf *c, int n, int *order)
{
  for (int i = 0; i < n; i++) order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int j = conf_below(c, i + 1), t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
}

static void make_cells(conf *c, tracked_particles *w)
{
  int place[CELLS];
  shuffle(c, CELLS, place);
  for (int s = 0, next = 0; s < NX * NY; s++) {
    int a = s / NX * (NX + 1) + s % NX, b = a + 1, d = a + NX + 1, e = d + 1;
    bool other = conf_below(c, 2);
    int both[2][3] = {{a, b, other ? d : e}, {other ? b : a, e, d}};
    for (int t = 0; t < 2; t++) memcpy(w->corner[place[next++]], both[t], sizeof both[t]);
  }
}

/* The cell that has both vertices besides cell i, or -1. */
static int across(const tracked_particles *w, int i, int a, int b)
{
  for (int j = 0; j < CELLS; j++) {
    int shared = 0;
    for (int k = 0; k < 3; k++) shared += w->corner[j][k] == a || w->corner[j][k] == b;
    if (j != i && shared == 2) return j;
  }
  return -1;
}

static void make_mesh(conf *c, tracked_particles *w)
{
  for (int v = 0; v < VERTICES; v++) {
    int i = v % (NX + 1), j = v / (NX + 1);
    bool inner = i && j && i < NX && j < NY;
    w->vertex[v][0] = i + (inner ? 0.3 * (unit(c) - 0.5) : 0);
    w->vertex[v][1] = j + (inner ? 0.3 * (unit(c) - 0.5) : 0);
  }
  make_cells(c, w);
  for (int i = 0; i < CELLS; i++)
    for (int k = 0; k < 3; k++)
      w->face[i][k] = across(w, i, w->corner[i][(k + 1) % 3], w->corner[i][(k + 2) % 3]);
}

/* How far a point is inside of edge k of a triangle. */
static double side(const tracked_particles *w, int cell, int k, const double x[2])
{
  const double *a = w->vertex[w->corner[cell][(k + 1) % 3]], *b = w->vertex[w->corner[cell][(k + 2) % 3]];
  return (b[0] - a[0]) * (x[1] - a[1]) - (b[1] - a[1]) * (x[0] - a[0]);
}

/* By a search of all cells; -1: outside. */
static int locate(const tracked_particles *w, const double x[2])
{
  for (int i = 0; i < CELLS; i++)
    if (side(w, i, 0, x) >= 0 && side(w, i, 1, x) >= 0 && side(w, i, 2, x) >= 0) return i;
  return -1;
}

static void declare_particles(conf *c, tracked_particles *w, bool located)
{
  int tag[PARTICLES];
  for (int i = 0; i < PARTICLES; i++) {
    w->x[i][0] = NX * unit(c);
    w->x[i][1] = NY * unit(c);
    w->cell[i] = located ? locate(w, w->x[i]) : i % 3;
    w->here[i] = true;
    tag[i] = i;
  }
  w->cells = conf_set(c, CELLS, "cells");
  w->vertices = conf_set(c, VERTICES, "vertices");
  w->particles = conf_set(c, PARTICLES, "particles");
  w->corners = conf_map(c, w->cells, w->vertices, 3, w->corner[0], "corners");
  w->faces = conf_map(c, w->cells, w->cells, 3, w->face[0], "faces");
  w->where = conf_map(c, w->particles, w->cells, 1, w->cell, "where");
  w->place = conf_dat(c, w->vertices, 2, PL_DOUBLE, w->vertex[0], "place");
  w->many = conf_dat(c, w->cells, 1, PL_INT32, NULL, "many");
  w->position = conf_dat(c, w->particles, 2, PL_DOUBLE, w->x[0], "position");
  w->step = conf_dat(c, w->particles, 2, PL_DOUBLE, NULL, "step");
  w->tag = conf_dat(c, w->particles, 1, PL_INT32, tag, "tag");
  w->found = conf_dat(c, w->particles, 1, PL_INT64, NULL, "found");
  int number[CELLS];
  for (int i = 0; i < CELLS; i++) number[i] = 7 * i;
  w->number = conf_dat(c, w->cells, 1, PL_INT32, number, "number");
}

/* ---- the same by Plait ---- */

PL_KERNEL(move_find, (int *next, const double x[2], const double corner[3][2]), {
  double least = 0;
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3;
    const int j = (k + 2) % 3;
    const double inside = (corner[j][0] - corner[i][0]) * (x[1] - corner[i][1]) -
                          (corner[j][1] - corner[i][1]) * (x[0] - corner[i][0]);
    if (inside < least) {
      least = inside;
      next[0] = k;
    }
  }
})
PL_KERNEL(move_find_counted,
          (int *next, const double *x, const double *const corner[3], const int number[1], int *visits,
           int64_t *hops),
          {
            double least = 0;
            visits[0] += number[0] % 7 == 0;
            hops[0] += 1;
            for (int k = 0; k < 3; k++) {
              const int i = (k + 1) % 3;
              const int j = (k + 2) % 3;
              const double inside = (corner[j][0] - corner[i][0]) * (x[1] - corner[i][1]) -
                                    (corner[j][1] - corner[i][1]) * (x[0] - corner[i][0]);
              if (inside < least) {
                least = inside;
                next[0] = k;
              }
            }
          })
PL_KERNEL(move_drift, (double x[2], const double d[2]), {
  x[0] += d[0];
  x[1] += d[1];
})
PL_KERNEL(move_count, (int *many, int64_t *found, const int64_t *cell, int64_t *total), {
  many[0] += 1;
  found[0] = cell[0];
  total[0] += 1;
})

static void find(conf *c, tracked_particles *w)
{
  OK(pl_particle_move(move_find, w->where, w->faces, pl_arg_dat(w->position, PL_ID, PL_DIRECT, PL_READ),
                      pl_arg_dat(w->place, PL_ALL, w->corners, PL_READ)));
}

/* Each particle's cell, and each cell's particles. */
static void check_found(conf *c, tracked_particles *w)
{
  int many[CELLS] = {0}, alive = 0, *tag;
  int64_t n = 0, *found;
  double *x;
  bool good = true;
  for (int i = 0; i < PARTICLES; i++) {
    int cell = w->cell[i] = w->here[i] ? locate(w, w->x[i]) : -1;
    w->here[i] = cell >= 0;
    alive += cell >= 0;
    if (cell >= 0) many[cell]++;
  }
  pl_global *total = conf_global(c, 1, PL_INT64, NULL, "total");
  OK(pl_dat_zero(w->many));
  OK(pl_par_loop(move_count, w->particles, pl_arg_dat(w->many, 0, w->where, PL_INC),
                 pl_arg_dat(w->found, PL_ID, PL_DIRECT, PL_WRITE), pl_arg_idx(0, w->where),
                 pl_arg_gbl(total, PL_INC)));
  SAME(w->many, many);
  OK(pl_dat_get(w->tag, PL_READ, (void **)&tag));
  OK(pl_dat_get(w->found, PL_READ, (void **)&found));
  OK(pl_dat_get(w->position, PL_READ, (void **)&x));
  for (int i = 0; i < pl_set_size(w->particles); i++) {
    int p = tag[i];
    good &= p >= 0 && p < PARTICLES && w->here[p] && found[i] == locate(w, w->x[p]);
    good &= !memcmp(x + 2 * i, w->x[p], sizeof w->x[p]);
  }
  CHECK(good);
  OK(pl_dat_put(w->position));
  OK(pl_dat_put(w->found));
  OK(pl_dat_put(w->tag));
  OK(pl_global_get(total, &n));
  CHECK(n == alive);
  pl_global_free(&total);
  CHECK(pl_set_global_size(w->particles) == alive);
  if (pl_ranks(c->pl) == 1) CHECK(pl_set_size(w->particles) == alive);
}

/* Steps of up to `size`; the same for every rank. */
static void drift(conf *c, tracked_particles *w, double size)
{
  double *d;
  int *tag;
  static double step[PARTICLES][2];
  for (int i = 0; i < PARTICLES; i++)
    for (int a = 0; a < 2; a++) {
      step[i][a] = size * (unit(c) - 0.5);
      w->x[i][a] += w->here[i] ? step[i][a] : 0;
    }
  OK(pl_dat_get(w->tag, PL_READ, (void **)&tag));
  OK(pl_dat_get(w->step, PL_WRITE, (void **)&d));
  for (int i = 0; i < pl_set_size(w->particles); i++) memcpy(d + 2 * i, step[tag[i]], sizeof step[0]);
  OK(pl_dat_put(w->step));
  OK(pl_dat_put(w->tag));
  OK(pl_par_loop(move_drift, w->particles, pl_arg_dat(w->position, PL_ID, PL_DIRECT, PL_RW),
                 pl_arg_dat(w->step, PL_ID, PL_DIRECT, PL_READ)));
}

static void case_walk(conf *c)
{
  static tracked_particles w;
  make_mesh(c, &w);
  declare_particles(c, &w, true);
  find(c, &w);
  check_found(c, &w);
  for (int round = 0; round < 6; round++) {
    drift(c, &w, round == 3 ? 6 : 1);
    find(c, &w);
    check_found(c, &w);
  }
}

/* From a few cells over the whole mesh, with values of cells, counts of particles and a global sum. */
static void case_far(conf *c)
{
  static tracked_particles w;
  int64_t hops;
  int *visits;
  make_mesh(c, &w);
  declare_particles(c, &w, false);
  pl_dat *seen = conf_dat(c, w.particles, 1, PL_INT32, NULL, "seen");
  pl_global *sum = conf_global(c, 1, PL_INT64, NULL, "sum"),
            *calls = conf_global(c, 1, PL_INT64, NULL, "calls");
  OK(pl_particle_move(move_find_counted, w.where, w.faces, pl_arg_dat(w.position, PL_ID, PL_DIRECT, PL_READ),
                      pl_arg_dat(w.place, PL_ALL, w.corners, PL_READ),
                      pl_arg_dat(w.number, 0, w.where, PL_READ), pl_arg_dat(seen, PL_ID, PL_DIRECT, PL_INC),
                      pl_arg_gbl(calls, PL_INC)));
  OK(pl_global_get(calls, &hops));
  CHECK(hops >= PARTICLES);
  OK(pl_dat_get(seen, PL_READ, (void **)&visits));
  bool good = true;
  for (int i = 0; i < pl_set_size(w.particles); i++) good &= visits[i] >= 1;
  CHECK(good);
  OK(pl_dat_put(seen));
  check_found(c, &w);
  pl_global_free(&sum);
}

PL_KERNEL(move_leave, (int *next, const int *tag), {
  if (tag[0] % 3 == 0) next[0] = PL_LEAVE;
})
PL_KERNEL(move_astray, (int *next, const int *tag), { next[0] = tag[0] == 17 ? 3 : PL_STAY; })

static void case_leave(conf *c)
{
  static tracked_particles w;
  int *tag;
  bool good = true;
  make_mesh(c, &w);
  declare_particles(c, &w, true);
  OK(pl_particle_move(move_leave, w.where, w.faces, pl_arg_dat(w.tag, PL_ID, PL_DIRECT, PL_READ)));
  for (int i = 0; i < PARTICLES; i += 3) w.here[i] = false;
  check_found(c, &w);
  OK(pl_dat_get(w.tag, PL_READ, (void **)&tag));
  for (int i = 0; i < pl_set_size(w.particles); i++) good &= tag[i] % 3 != 0;
  CHECK(good);
  OK(pl_dat_put(w.tag));
}

/* ---- particles that are added and removed ---- */

/* Those with tag[i] % 5 == which, as the model removes them. */
PL_KERNEL(move_choose, (int *flag, const int *tag, const int *which), { flag[0] = tag[0] % 5 == which[0]; })

static void remove_some(conf *c, tracked_particles *w, pl_dat *flag, pl_global *which, int some)
{
  OK(pl_global_set(which, &some));
  OK(pl_par_loop(move_choose, w->particles, pl_arg_dat(flag, PL_ID, PL_DIRECT, PL_WRITE),
                 pl_arg_dat(w->tag, PL_ID, PL_DIRECT, PL_READ), pl_arg_gbl(which, PL_READ)));
  OK(pl_particle_remove(w->particles, flag));
  for (int i = some; i < PARTICLES; i += 5) w->here[i] = false;
}

/* Each removed particle starts again in a cell of its choice, on the rank that owns the cell. */
static void inject(conf *c, tracked_particles *w)
{
  static int64_t cells[CELLS];
  int who[PARTICLES], cell[PARTICLES], n = 0, mine = (int)pl_set_size(w->cells), *tag;
  double *x;
  OK(pl_set_global(w->cells, cells));
  for (int p = 0; p < PARTICLES; p++) {
    if (w->here[p]) continue;
    w->here[p] = true;
    w->x[p][0] = NX * unit(c);
    w->x[p][1] = NY * unit(c);
    w->cell[p] = 7 * p % CELLS;
    for (int k = 0; k < mine; k++)
      if (cells[k] == w->cell[p]) who[n] = p, cell[n++] = k;
  }
  OK(pl_particle_add(w->particles, n, cell));
  int first = (int)pl_set_size(w->particles) - n;
  OK(pl_dat_get(w->tag, PL_RW, (void **)&tag));
  OK(pl_dat_get(w->position, PL_RW, (void **)&x));
  for (int k = 0; k < n; k++) {
    CHECK(!tag[first + k] && !x[2 * (first + k)] && !x[2 * (first + k) + 1]);
    tag[first + k] = who[k];
    memcpy(x + 2 * (first + k), w->x[who[k]], sizeof w->x[who[k]]);
  }
  OK(pl_dat_put(w->position));
  OK(pl_dat_put(w->tag));
}

PL_KERNEL(move_number, (int64_t * found, const int64_t *number), { found[0] = number[0]; })
PL_KERNEL(move_sum, (int64_t * all, const int64_t *mine), {
  for (int k = 0; k < 600; k++) all[k] += mine[k];
})

static void sum_over_ranks(conf *c, int64_t value[2 * PARTICLES])
{
  pl_dat *mine;
  OK(pl_decl_array(c->pl, 1, 2 * PARTICLES, PL_INT64, value, "mine", &mine));
  pl_global *all = conf_global(c, 2 * PARTICLES, PL_INT64, NULL, "all");
  OK(pl_par_loop(move_sum, pl_dat_set(mine), pl_arg_gbl(all, PL_INC), pl_arg_direct(mine, PL_READ)));
  OK(pl_global_get(all, value));
  pl_global_free(&all);
  pl_dat_free(&mine);
}

/* The fetched values of all ranks, one after the other: all particles, by ascending global index. */
static void check_fetched(conf *c, const tracked_particles *w)
{
  int64_t number[PARTICLES], all[2 * PARTICLES] = {0}, n = pl_set_size(w->particles), before = 0;
  int32_t tag[PARTICLES];
  bool good = true, seen[PARTICLES] = {false};
  OK(pl_par_loop(move_number, w->particles, pl_arg_direct(w->found, PL_WRITE), pl_arg_idx(PL_ID, PL_DIRECT)));
  OK(pl_dat_fetch(w->found, number));
  OK(pl_dat_fetch(w->tag, tag));
  all[pl_rank(c->pl)] = n;
  sum_over_ranks(c, all);
  for (int r = 0; r < pl_rank(c->pl); r++) before += all[r];
  memset(all, 0, sizeof all);
  for (int i = 0; i < n; i++) all[before + i] = number[i], all[PARTICLES + before + i] = tag[i];
  sum_over_ranks(c, all);
  for (int i = 0; i < pl_set_global_size(w->particles); i++) {
    good &= (!i || all[i] > all[i - 1]) && !seen[all[PARTICLES + i]];
    seen[all[PARTICLES + i]] = true;
  }
  for (int p = 0; p < PARTICLES; p++) good &= seen[p] == w->here[p];
  CHECK(good);
}

static void case_inject(conf *c)
{
  static tracked_particles w;
  make_mesh(c, &w);
  declare_particles(c, &w, true);
  pl_dat *flag = conf_dat(c, w.particles, 1, PL_INT32, NULL, "flag");
  pl_global *which = conf_global(c, 1, PL_INT32, NULL, "which");
  OK(pl_renumber(c->pl, PL_RENUMBER_RCM, w.corners,
                 NULL)); /* on one rank, with an open view of the particles */
  for (int round = 0; round < 8; round++) {
    remove_some(c, &w, flag, which, round % 5);
    check_fetched(c, &w);
    if (round % 3 == 2) drift(c, &w, 4);
    if (round % 3 == 1) find(c, &w);
    if (round % 3 == 1) check_found(c, &w);
    inject(c, &w);
    check_fetched(c, &w);
    drift(c, &w, 1);
    find(c, &w);
    check_found(c, &w);
  }
  FAILS(pl_particle_add(w.particles, 1, NULL), PL_ERR_ARG, "\"where\"", "no cells");
  FAILS(pl_particle_add(w.particles, 1, (int[]){CELLS}), PL_ERR_RANGE, "cell 126", "\"cells\"");
  FAILS(pl_particle_add(w.particles, -1, NULL), PL_ERR_RANGE, "-1 particles", "\"particles\"");
  FAILS(pl_particle_remove(w.particles, w.position), PL_ERR_TYPE, "\"position\"", "int32");
  pl_set *few = conf_subset(c, w.particles, 0, NULL);
  FAILS(pl_particle_remove(w.particles, flag), PL_ERR_STATE, "\"particles\"", "free it first");
  pl_set_free(&few);
  check_found(c, &w);
}

PL_KERNEL(move_double, (double x[3], int32_t *tag), {
  for (int k = 0; k < 3; k++) x[k] = 2 * x[k];
  tag[0] = tag[0];
})

static void check_values(conf *c, pl_dat *x, pl_dat *tag, pl_dat *zero, int n)
{
  double *at, *nothing;
  int32_t *number;
  bool good = pl_set_size(pl_dat_set(x)) == n;
  OK(pl_dat_get(x, PL_READ, (void **)&at));
  OK(pl_dat_get(tag, PL_READ, (void **)&number));
  OK(pl_dat_get(zero, PL_READ, (void **)&nothing));
  for (int i = 0; good && i < n; i++) {
    for (int k = 0; k < 3; k++) good &= at[3 * i + k] == 2 * number[i] + 0.5 * k;
    good &= nothing[i] == 0 && (!i || number[i] != number[i - 1]);
  }
  CHECK(good);
  OK(pl_dat_put(zero));
  OK(pl_dat_put(tag));
  OK(pl_dat_put(x));
}

/* New particles with values of some dats; on devices nothing else is transferred. */
static void case_add_values(conf *c)
{
  enum { N = 60, MORE = 37 };
  double x[N][3];
  float more[MORE][3];
  int32_t tag[N], fresh[MORE];
  pl_set *set = conf_set(c, N, "particles");
  for (int i = 0; i < N; i++)
    for (int k = tag[i] = 2 * i, j = 0; j < 3; j++) x[i][j] = k + 0.25 * j;
  pl_dat *dx = conf_dat(c, set, 3, PL_DOUBLE, x, "x"), *dtag = conf_dat(c, set, 1, PL_INT32, tag, "tag"),
         *dzero = conf_dat(c, set, 1, PL_DOUBLE, NULL, "zero"),
         *dother = conf_dat(c, conf_set(c, N, "other"), 1, PL_INT32, NULL, "foreign");
  OK(pl_par_loop(move_double, set, pl_arg_direct(dx, PL_RW), pl_arg_direct(dtag, PL_RW)));
  int n = (int)pl_set_size(set);
  for (int round = 0; round < 3; round++) {
    const int k = pl_rank(c->pl) % 2 ? 0 : MORE - round;
    for (int i = 0; i < k; i++) {
      fresh[i] = 1000 * (round + 1) + 7 * i;
      for (int j = 0; j < 3; j++) more[i][j] = (float)(2 * fresh[i] + 0.5 * j);
    }
    const pl_values values[] = {PL_VALUES(dx, &more[0][0]), PL_VALUES(dtag, fresh)};
    const size_t before = conf_stats(c).bytes_to_device;
    OK(pl_particle_add_values(set, k, NULL, 2, values));
    if (c->device)
      CHECK(conf_stats(c).bytes_to_device - before == (size_t)k * (3 * sizeof(double) + sizeof(int32_t)));
    n += k;
    check_values(c, dx, dtag, dzero, n);
  }
  const int last = pl_rank(c->pl) == pl_ranks(c->pl) - 1; /* an error of one rank is an error of all */
  FAILS(
    pl_particle_add_values(set, 1, NULL, 1, (pl_values[]){PL_VALUES(dtag, last ? (int32_t *)NULL : fresh)}),
    PL_ERR_ARG, "NULL");
  FAILS(pl_particle_add_values(set, 1, NULL, 1, (pl_values[]){PL_VALUES(dother, fresh)}), PL_ERR_ARG,
        "\"foreign\"", "\"particles\"");
  FAILS(pl_particle_add_values(set, 1, NULL, 1, (pl_values[]){PL_VALUES(dtag, &more[0][0])}), PL_ERR_TYPE,
        "\"tag\"", "float");
  FAILS(
    pl_particle_add_values(set, 1, NULL, 2, (pl_values[]){PL_VALUES(dtag, fresh), PL_VALUES(dtag, fresh)}),
    PL_ERR_ARG, "\"tag\"", "twice");
  FAILS(pl_particle_add_values(set, 1, NULL, 1, NULL), PL_ERR_ARG, "values");
  check_values(c, dx, dtag, dzero, n);
}

PL_KERNEL(move_add, (int32_t * sum, const int32_t *tag), { sum[0] += tag[0]; })

/* Particles deposit at the vertices of their cells and sum values there, through a map that follows them. */
PL_KERNEL(move_deposit, (int32_t * at[3], const int32_t *tag), {
  for (int k = 0; k < 3; k++) at[k][0] += (k + 1) * (tag[0] + 1);
})
PL_KERNEL(move_gather, (int32_t * sum, const int32_t *const at[3]),
          { sum[0] = at[0][0] + 2 * at[1][0] + 3 * at[2][0]; })

typedef struct deposit {
  pl_map *near;
  pl_dat *at, *sum;
} deposit;

static void check_deposit(conf *c, const tracked_particles *w, const deposit *d)
{
  int32_t expected[VERTICES] = {0}, *sum, *tag;
  bool good = true;
  for (int p = 0; p < PARTICLES; p++)
    for (int k = 0; w->here[p] && k < 3; k++) expected[w->corner[w->cell[p]][k]] += (k + 1) * (p + 1);
  OK(pl_dat_zero(d->at));
  OK(pl_par_loop(move_deposit, w->particles, pl_arg_dat(d->at, PL_ALL, d->near, PL_INC),
                 pl_arg_direct(w->tag, PL_READ)));
  OK(pl_par_loop(move_gather, w->particles, pl_arg_direct(d->sum, PL_WRITE),
                 pl_arg_dat(d->at, PL_ALL, d->near, PL_READ)));
  SAME(d->at, expected);
  OK(pl_dat_get(d->sum, PL_READ, (void **)&sum));
  OK(pl_dat_get(w->tag, PL_READ, (void **)&tag));
  for (int i = 0; i < pl_set_size(w->particles); i++) {
    const int *corner = w->corner[w->cell[tag[i]]];
    good &= sum[i] == expected[corner[0]] + 2 * expected[corner[1]] + 3 * expected[corner[2]];
  }
  CHECK(good);
  OK(pl_dat_put(w->tag));
  OK(pl_dat_put(d->sum));
}

static void case_composed(conf *c)
{
  static tracked_particles w;
  deposit d;
  make_mesh(c, &w);
  declare_particles(c, &w, true);
  pl_dat *flag = conf_dat(c, w.particles, 1, PL_INT32, NULL, "flag");
  pl_global *which = conf_global(c, 1, PL_INT32, NULL, "which");
  d.sum = conf_dat(c, w.particles, 1, PL_INT32, NULL, "sum");
  d.at = conf_dat(c, w.vertices, 1, PL_INT32, NULL, "at");
  OK(pl_map_compose(w.corners, w.where, "near", &d.near));
  check_deposit(c, &w, &d);
  OK(pl_set_reserve(w.particles, PARTICLES));
  check_deposit(c, &w, &d);
  for (int round = 0; round < 5; round++) {
    remove_some(c, &w, flag, which, round);
    check_deposit(c, &w, &d);
    inject(c, &w);
    check_deposit(c, &w, &d);
    drift(c, &w, 1);
    find(c, &w);
    check_found(c, &w);
    check_deposit(c, &w, &d);
    if (round == 2) /* all sets are distributed again */
      conf_map(c, conf_set(c, 5, "another"), w.vertices, 1, (int[]){4, 40, 7, 7, 1}, "to_vertices");
  }
  if (pl_ranks(c->pl) > 1)
    FAILS(pl_par_loop(move_deposit, w.particles, pl_arg_dat(d.at, PL_ALL, d.near, PL_RW),
                      pl_arg_direct(w.tag, PL_READ)),
          PL_ERR_ACCESS, "\"move_deposit\"", "increment");
  check_deposit(c, &w, &d);
  pl_map_free(&d.near);
}

/* A particle enters a cell that reaches nothing; so far none of the composed entries was negative. */
static void case_composed_gap(conf *c)
{
  enum { CELL_COUNT = 6, LAST = CELL_COUNT - 1 };
  const int where[] = {0, 1, 2, 2, 3, 4}, to[CELL_COUNT] = {0, 1, 2, 3, 3, -1};
  int32_t tag[] = {1, 10, 100, 1000, 10000, 100000}, expected[] = {1, 10, 1100, 110000};
  int64_t cell[CELL_COUNT];
  int last = -1;
  pl_set *particles = conf_set(c, 6, "particles"), *cells = conf_set(c, CELL_COUNT, "cells"),
         *groups = conf_set(c, 4, "groups");
  pl_map *in = conf_map(c, particles, cells, 1, where, "in"), *of = conf_map(c, cells, groups, 1, to, "of"),
         *near;
  pl_dat *dtag = conf_dat(c, particles, 1, PL_INT32, tag, "tag"),
         *sum = conf_dat(c, groups, 1, PL_INT32, NULL, "sum");
  OK(pl_map_compose(of, in, "near", &near));
  for (int round = 0; round < 2; round++) {
    OK(pl_dat_zero(sum));
    OK(pl_par_loop(move_add, particles, pl_arg_dat(sum, 0, near, PL_INC), pl_arg_direct(dtag, PL_READ)));
    SAME(sum, expected);
    OK(pl_set_global(cells, cell));
    for (int k = 0; k < pl_set_size(cells); k++)
      if (cell[k] == LAST) last = k;
    OK(pl_particle_add_values(particles, last >= 0, &last, 1, (pl_values[]){PL_VALUES(dtag, &tag[0])}));
  }
}

static void case_no_move(conf *c)
{
  static tracked_particles w;
  void *open;
  make_mesh(c, &w);
  declare_particles(c, &w, true);
  const pl_arg tag = pl_arg_dat(w.tag, PL_ID, PL_DIRECT, PL_READ);
  FAILS(pl_particle_move(move_leave, w.corners, w.faces, tag), PL_ERR_ARG, "\"corners\"", "arity 1");
  FAILS(pl_particle_move(move_leave, w.where, w.corners, tag), PL_ERR_ARG, "\"corners\"", "\"cells\"");
  FAILS(pl_particle_move(move_leave, w.where, NULL, tag), PL_ERR_ARG, "NULL");
  FAILS(pl_particle_move(move_leave, w.where, w.faces, tag, tag), PL_ERR_KERNEL, "2 parameters",
        "2 arguments");
  FAILS(pl_particle_move(move_leave, w.where, w.faces, pl_arg_dat(w.many, 0, w.where, PL_INC)), PL_ERR_ARG,
        "argument 1", "PL_READ");
  FAILS(pl_particle_move(move_astray, w.where, w.faces, tag), PL_ERR_RANGE, "finds no cell", "\"particles\"",
        "particle 17");
  OK(pl_dat_get(w.tag, PL_RW, &open));
  FAILS(pl_particle_move(move_leave, w.where, w.faces, tag), PL_ERR_STATE, "\"tag\"", "pl_dat_put");
  OK(pl_dat_put(w.tag));
  pl_map *other = conf_map(c, w.particles, w.cells, 1, w.cell, "other");
  FAILS(pl_particle_move(move_leave, w.where, w.faces, tag), PL_ERR_STATE, "\"other\"", "free it first");
  pl_map_free(&other);
}

const conf_case conf_moves[] = {
  {"random walks over triangles", "D07", case_walk, CONF_RANKS | CONF_NEEDS_JIT},
  {"hops over a whole mesh", "D07", case_far, CONF_RANKS | CONF_NEEDS_JIT},
  {"particles that leave the mesh", "D07", case_leave, CONF_RANKS | CONF_NEEDS_JIT},
  {"tracked particles added and removed", "D05 D07", case_inject, CONF_RANKS | CONF_NEEDS_JIT},
  {"particles added with values", "D05", case_add_values, CONF_MATRIX | CONF_RANKS | CONF_EAGER},
  {"deposits through a composed map", "D07", case_composed, CONF_RANKS | CONF_NEEDS_JIT},
  {"compositions without a target", "D07", case_composed_gap, CONF_MATRIX | CONF_RANKS},
  {"tracking refused", "D07", case_no_move, CONF_NEEDS_JIT},
  {NULL, NULL, NULL, 0}};
