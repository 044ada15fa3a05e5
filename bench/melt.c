/* SPDX-License-Identifier: BSD-2-Clause
 * melt: the forces of a Lennard-Jones liquid, the main loop of molecular dynamics; by Plait as a pair loop
 * and by hand, run alternately in one process.
 *
 * By hand each atom sums the forces of its neighbours in plain scalar code with `restrict` pointers, and
 * threads share the atoms. Both use neighbour lists with a skin, built before.
 */
#include "plait.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "../apps/common/options.h"
#include "../apps/common/random.h"
#include "duel.h"

static const double cutoff = 2.5, skin = 0.3, density = 0.8442;

/* Atoms near the sites of a face-centred cubic crystal, and their neighbours: row i of the list ends where
 * row i + 1 begins. */
typedef struct atoms {
  int n;
  double length; /* of the box, which is periodic */
  double *x;
  int *row, *near;
} atoms;

/* ---- by Plait ---- */

PL_KERNEL(feel, (double f[3], const double d[3], const double *r2), {
  const double s = 1.0 / r2[0], r6 = s * s * s, w = 48.0 * r6 * (r6 - 0.5);
  for (int a = 0; a < 3; a++) f[a] += w * s * d[a];
})

typedef struct plait {
  pl_context *pl;
  pl_dat *x, *f;
  pl_map *pairs;
} plait;

static void plait_open(plait *p, const atoms *m)
{
  const double low[3] = {0.0, 0.0, 0.0}, high[3] = {m->length, m->length, m->length};
  const int periodic[3] = {1, 1, 1};
  pl_set *particles;
  pl_domain *box;
  PL_OK(p->pl, pl_init(NULL, NULL, NULL, &p->pl));
  PL_OK(p->pl, pl_decl_set(p->pl, m->n, "atoms", &particles));
  PL_OK(p->pl, pl_decl_dat(particles, 3, PL_DOUBLE, m->x, "x", &p->x));
  PL_OK(p->pl, pl_decl_dat(particles, 3, PL_DOUBLE, NULL, "f", &p->f));
  PL_OK(p->pl, pl_decl_domain(p->pl, 3, low, high, periodic, "box", &box));
  PL_OK(p->pl, pl_decl_pair_map(p->x, box, cutoff, skin, "pairs", &p->pairs));
}

static void plait_step(plait *p)
{
  PL_OK(p->pl, pl_pair_loop(feel, p->pairs, pl_arg_dat(p->f, PL_BOTH, p->pairs, PL_INC_ANTI),
                            pl_arg_difference(p->x), pl_arg_distance2(p->x)));
}

/* ---- by hand ---- */

static double nearest(double d, double length)
{
  return d > 0.5 * length ? d - length : d < -0.5 * length ? d + length : d;
}

static __attribute__((noinline)) void hand_atoms(int from, int to, double length, const int *restrict row,
                                                 const int *restrict near, const double *restrict x,
                                                 double *restrict f)
{
  for (int i = from; i < to; i++) {
    double sum[3] = {0.0, 0.0, 0.0};
    for (int k = row[i]; k < row[i + 1]; k++) {
      double d[3], r2 = 0.0;
      for (int a = 0; a < 3; a++) {
        d[a] = nearest(x[3 * i + a] - x[3 * near[k] + a], length);
        r2 += d[a] * d[a];
      }
      if (r2 >= cutoff * cutoff) continue;
      const double s = 1.0 / r2, r6 = s * s * s, w = 48.0 * r6 * (r6 - 0.5);
      for (int a = 0; a < 3; a++) sum[a] += w * s * d[a];
    }
    for (int a = 0; a < 3; a++) f[3 * i + a] += sum[a];
  }
}

static void hand_step(const atoms *m, double *f)
{
#pragma omp parallel
  {
    const int64_t threads = omp_get_num_threads(), me = omp_get_thread_num();
    hand_atoms((int)(m->n * me / threads), (int)(m->n * (me + 1) / threads), m->length, m->row, m->near, m->x,
               f);
  }
}

/* ---- the atoms ---- */

static void place_atoms(atoms *m, int cells)
{
  random_stream random = {20260101};
  int next = 0;
  for (int z = 0; z < 2 * cells; z++)
    for (int y = 0; y < 2 * cells; y++)
      for (int x = 0; x < 2 * cells; x++) {
        if ((x + y + z) % 2) continue;
        const int site[3] = {x, y, z};
        for (int a = 0; a < 3; a++)
          m->x[next++] =
            (site[a] + 0.25 + 0.2 * (double)random_below(&random, 1000) / 1000.0) * m->length / (2.0 * cells);
      }
}

static bool are_near(const atoms *m, int i, int j)
{
  double r2 = 0.0;
  for (int a = 0; a < 3; a++) {
    const double d = nearest(m->x[3 * i + a] - m->x[3 * j + a], m->length);
    r2 += d * d;
  }
  return i != j && r2 < (cutoff + skin) * (cutoff + skin);
}

/* Layer z holds atoms z * layer and following, so neighbours are within some layers. */
static bool list_neighbours(atoms *m, int cells)
{
  const int layer = m->n / (2 * cells), reach = (int)((cutoff + skin) * 2 * cells / m->length) + 2;
  int64_t room = 0, used = 0;
  for (int i = 0; i < m->n; i++) {
    m->row[i] = (int)used;
    for (int z = i / layer - reach; z <= i / layer + reach; z++) {
      const int first = (z + 2 * cells) % (2 * cells) * layer;
      for (int j = first; j < first + layer; j++) {
        if (!are_near(m, i, j)) continue;
        if (used == room) {
          int *grown = realloc(m->near, (size_t)(room = 2 * room + 100 * m->n) * sizeof *grown);
          if (!grown) return false;
          m->near = grown;
        }
        m->near[used++] = j;
      }
    }
  }
  m->row[m->n] = (int)used;
  return true;
}

static bool atoms_open(atoms *m, int cells)
{
  *m = (atoms){.n = 4 * cells * cells * cells, .length = cbrt(4.0 / density) * cells};
  m->x = malloc((size_t)m->n * 3 * sizeof *m->x);
  m->row = malloc(((size_t)m->n + 1) * sizeof *m->row);
  if (!m->x || !m->row) return false;
  place_atoms(m, cells);
  return list_neighbours(m, cells);
}

static void atoms_close(atoms *m)
{
  free(m->x);
  free(m->row);
  free(m->near);
}

/* ---- measuring ---- */

typedef struct fight {
  plait p;
  const atoms *m;
  double *f; /* of the atoms, by hand */
} fight;

static void step_by_hand(void *user)
{
  fight *g = user;
  hand_step(g->m, g->f);
}

static void step_by_plait(void *user)
{
  fight *g = user;
  plait_step(&g->p);
}

static bool agrees(const plait *p, const atoms *m, const double *f)
{
  double *mine = malloc((size_t)m->n * 3 * sizeof *mine), most = 0.0, worst = 0.0;
  if (!mine) return false;
  PL_OK(p->pl, pl_dat_fetch(p->f, mine));
  for (int i = 0; i < 3 * m->n; i++) {
    most = fmax(most, fabs(f[i]));
    worst = fmax(worst, fabs(f[i] - mine[i]));
  }
  free(mine);
  if (worst <= 1e-10 * most) return true;
  fprintf(stderr, "melt: forces differ by %g of %g\n", worst, most);
  return false;
}

/* Bytes: the lists once, positions and forces once. */
static bool run(const atoms *m, int steps, int rounds, const char *json)
{
  fight g = {{NULL}, m, calloc((size_t)m->n * 3, sizeof(double))};
  const duel d = {step_by_hand, step_by_plait, &g, 4.0 * m->row[m->n] + 72.0 * m->n};
  if (!g.f) return false;
  plait_open(&g.p, m);
  const duel_times t = duel_run(&d, 0.0, steps, rounds);
  bool good = agrees(&g.p, m, g.f);
  printf("melt: %d atoms, %d neighbours: by hand %.4f ms, Plait %.4f ms, ratio %.2f\n", m->n, m->row[m->n],
         1e3 * t.hand, 1e3 * t.plait, t.ratio);
  if (json) good = duel_write_json("melt", &t, json) && good;
  pl_finalize(&g.p.pl);
  free(g.f);
  return good;
}

int main(int argc, char **argv)
{
  int64_t cells = 20, steps = 10, rounds = 9;
  const char *json = NULL;
  const option_program program = {
    "melt", "The forces of a Lennard-Jones liquid as a loop over pairs, against code by hand.",
    "PLAIT_* act on Plait, OMP_NUM_THREADS on both.", false};
  const option_row rows[] = {
    {"cells", "K", OPTION_INTEGER, &cells, 4, 100, "4 K^3 atoms"},
    {"steps", "N", OPTION_INTEGER, &steps, 1, 1000000, "in a turn"},
    {"rounds", "N", OPTION_INTEGER, &rounds, 1, DUEL_MOST_ROUNDS, "turns, of which the median counts"},
    {"json", "FILE", OPTION_TEXT, &json, 0, 0, "write the figures to FILE"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  atoms m;
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  bool good = atoms_open(&m, (int)cells);
  if (!good) fprintf(stderr, "melt: no memory for %lld atoms\n", (long long)(4 * cells * cells * cells));
  good = good && run(&m, (int)steps, (int)rounds, json);
  atoms_close(&m);
  return good ? 0 : 1;
}
