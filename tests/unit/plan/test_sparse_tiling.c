/* SPDX-License-Identifier: BSD-2-Clause
 * Sparse tiling of several loops on random meshes: dependences hold for any number of tiles and threads, and
 * verification finds damage. The tuner is fed with given times.
 */
#include "backends/tiling/tiling_tuner.h"
#include "core/loop/loop.h"
#include "plan/chain/sparse_tiling_verify.h"
#include "plan_meshes.h"
#include <math.h>

enum { LOOPS = 6, DATS = 4, MOST_ARGS = 4 };

typedef struct chain {
  pl_context *pl;
  pl_set *cells, *edges, *some;
  pl_map *ends;
  pl_dat *dat[DATS]; /* two on cells, two on edges */
  pl_loop loop[LOOPS];
  pl_arg arg[LOOPS][MOST_ARGS];
  const void *storage[LOOPS][MOST_ARGS];
  pl_tile_loop listed[LOOPS];
  seed state;
} chain;

/* Edges between neighbours in a line, some with a random end, as in a renumbered mesh. */
static void declare(chain *c, int n)
{
  int *ends = calloc((size_t)(4 * n) + 1, sizeof *ends), some[64], nsome = 0;
  c->pl = open_context();
  c->cells = make_set(c->pl, n);
  c->edges = make_set(c->pl, 2 * n);
  for (int e = 0; e < 2 * n; e++) {
    ends[2 * e] = e / 2;
    ends[2 * e + 1] = below(&c->state, 9) ? (e / 2 + 1) % n : below(&c->state, n);
  }
  c->ends = make_map(c->edges, c->cells, 2, ends);
  free(ends);
  for (int e = 0; e < 2 * n && nsome < 64; e += 1 + below(&c->state, 5)) some[nsome++] = e;
  OK(pl_decl_subset(c->edges, nsome, some, "some", &c->some));
  for (int d = 0; d < DATS; d++)
    OK(pl_decl_dat(d < 2 ? c->cells : c->edges, 2, PL_DOUBLE, NULL, "dat", &c->dat[d]));
}

static pl_arg random_arg(chain *c, bool over_cells, int d)
{
  static const pl_access direct[] = {PL_READ, PL_WRITE, PL_RW, PL_INC},
                         far[] = {PL_READ, PL_INC, PL_RW, PL_MAX};
  if (over_cells == (d < 2)) return pl_arg_dat(c->dat[d], PL_ID, PL_DIRECT, direct[below(&c->state, 4)]);
  return pl_arg_dat(c->dat[d], below(&c->state, 2) ? PL_ALL : below(&c->state, 2), c->ends,
                    far[below(&c->state, 4)]);
}

/* Adds an argument; sometimes only its first component, with another argument for the second. */
static void add_args(chain *c, int l, bool over_cells, int d)
{
  pl_loop *loop = &c->loop[l];
  const int n = loop->nargs + 2 <= MOST_ARGS && !below(&c->state, 3) ? 2 : 1;
  for (int i = 0; i < n; i++) {
    const pl_arg arg = random_arg(c, over_cells, d);
    c->storage[l][loop->nargs] = c->dat[l >= 3 && d < 2 ? 1 - d : d];
    c->arg[l][loop->nargs++] = n == 2 ? pl_arg_component(arg, i) : arg;
  }
}

/* The storage of the dats; from the fourth loop on the first two dats are swapped. */
static void make_loops(chain *c)
{
  for (int l = 0; l < LOOPS; l++) {
    bool over_cells = below(&c->state, 2);
    pl_loop *loop = &c->loop[l];
    *loop = (pl_loop){.pl = c->pl,
                      .set = over_cells            ? c->cells
                             : below(&c->state, 4) ? c->edges
                                                   : c->some,
                      .args = c->arg[l]};
    int first = below(&c->state, DATS);
    for (int k = 0; k < DATS && loop->nargs < MOST_ARGS; k++) {
      int d = (first + k) % DATS;
      if (over_cells && d >= 2) continue;
      add_args(c, l, over_cells, d);
    }
    CU_ASSERT_TRUE(pl_loop_may_tile(loop));
    c->listed[l] = (pl_tile_loop){loop, c->storage[l]};
  }
}

static pl_tiles *get_tiles(const pl_tile_request *request)
{
  pl_tiles *tiles = NULL;
  const char *why = NULL;
  OK(pl_tiles_make(request->loop[0].loop->pl, request, &tiles));
  CU_ASSERT_TRUE(pl_tiles_are_valid(request, tiles, &why));
  return tiles;
}

static void test_random(void)
{
  static const int sizes[] = {1, 2, 30, 70, 150};
  for (unsigned k = 0; k < 30; k++) {
    chain c = {.state = k + 1};
    declare(&c, sizes[k % 5]);
    make_loops(&c);
    for (int threads = 1; threads <= 3; threads++)
      for (int count = 1; count <= 20; count += 6) {
        const pl_tile_request request = {LOOPS, c.listed, threads, count};
        pl_tiles_free(c.pl, get_tiles(&request));
      }
    pl_finalize(&c.pl);
  }
}

/* Edges increment cells, then edges read cells; the damage runs an edge of the second loop too earlier. */
static void test_damage(void)
{
  chain c = {.state = 1};
  const char *why;
  declare(&c, 150);
  for (int l = 0; l < 2; l++) {
    c.arg[l][0] = pl_arg_dat(c.dat[0], PL_ALL, c.ends, l ? PL_READ : PL_INC);
    c.storage[l][0] = c.dat[0];
    c.loop[l] = (pl_loop){.pl = c.pl, .set = c.edges, .nargs = 1, .args = c.arg[l]};
    c.listed[l] = (pl_tile_loop){&c.loop[l], c.storage[l]};
  }
  for (int threads = 1; threads <= 2; threads++) {
    const pl_tile_request request = {2, c.listed, threads, 8};
    pl_tiles *tiles = get_tiles(&request);
    CU_ASSERT_TRUE(threads > 1 || tiles->tail == 0);
    pl_tile_part *later = &tiles->part[(tiles->first[1] - 1) * 2 + 1], *earlier = &tiles->part[1];
    pl_tile_part was = *later;
    *later = *earlier;
    *earlier = was;
    CU_ASSERT_FALSE(pl_tiles_are_valid(&request, tiles, &why));
    CONTAINS(why, "depends");
    *earlier = (pl_tile_part){0};
    CU_ASSERT_FALSE(pl_tiles_are_valid(&request, tiles, &why));
    CONTAINS(why, "in no tile");
    pl_tiles_free(c.pl, tiles);
  }
  pl_finalize(&c.pl);
}

/* ---- tuning ---- */

/* The choices of the tuner for the given times, 'u' untiled and 'T' tiled. The last time of a choice
 * repeats. */
static const char *ways(pl_tiling_trial *trial, int runs, const double *untiled, const double *tiled)
{
  static char said[64];
  int n[PL_TILE_WAYS] = {0};
  for (int i = 0; i < runs; i++) {
    pl_tiling_choice way = pl_tiling_trial_choice(trial);
    const double *seconds = way == PL_TILED ? tiled : untiled;
    said[i] = way == PL_TILED ? 'T' : 'u';
    pl_tiling_trial_learn(trial, seconds[n[way]], false);
    if (seconds[n[way] + 1] > 0) n[way]++;
  }
  said[runs] = '\0';
  return said;
}

static const double slow[] = {1, 0}, fast[] = {0.8, 0}, little[] = {0.98, 0};

static void test_trial(void)
{
  pl_tiling_trial trial;
  pl_tiling_trial_open(&trial, true);
  CU_ASSERT_STRING_EQUAL(ways(&trial, 9, slow, fast), "uuTuTTTTT");
  CU_ASSERT_TRUE(trial.known && !trial.confirmed && trial.chosen == PL_TILED);
  for (int likely = 0; likely < 2; likely++) { /* a small difference favours the initial guess */
    pl_tiling_trial_open(&trial, likely);
    ways(&trial, 42, slow, little);
    CU_ASSERT_EQUAL(trial.chosen, likely ? PL_TILED : PL_UNTILED);
    pl_tiling_trial_open(&trial, likely);
    ways(&trial, 42, little, slow);
    CU_ASSERT_EQUAL(trial.chosen, likely ? PL_TILED : PL_UNTILED);
  }
  pl_tiling_trial_open(&trial, true);
  CU_ASSERT_STRING_EQUAL(ways(&trial, 9, fast, slow), "uuTuTuuuu");
  pl_tiling_trial_open(&trial, true); /* the first run and one slow run do not count */
  const double once[] = {0.1, 1, 1, 0}, disturbed[] = {3, 0.8, 0};
  CU_ASSERT_STRING_EQUAL(ways(&trial, 9, once, disturbed), "uuTuTTTTT");
  pl_tiling_trial_open(&trial, false);
  CU_ASSERT_STRING_EQUAL(ways(&trial, 42, slow, fast), "uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuTuTuTuTTT");
}

/* A remembered choice applies at once; a choice found once is measured again. */
static void test_trial_known(void)
{
  pl_tiling_trial trial;
  pl_tiling_trial_know(&trial, PL_TILED, false);
  CU_ASSERT_STRING_EQUAL(ways(&trial, 42, slow, fast), "TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTuTuTuTuTTT");
  CU_ASSERT_TRUE(trial.confirmed);
  pl_tiling_trial_know(&trial, PL_TILED, false);
  CU_ASSERT_STRING_EQUAL(ways(&trial, 42, fast, slow), "TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTuTuTuTuTuu");
  CU_ASSERT_TRUE(!trial.confirmed && trial.chosen == PL_UNTILED);
  pl_tiling_trial_know(&trial, PL_TILED, true);
  CU_ASSERT_STRING_EQUAL(ways(&trial, 42, fast, slow), "TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT");
  CU_ASSERT_FALSE(pl_tiling_trial_is_close(&trial));
}

/* Measurements are postponed while other options are tuned, and repeated if options overrode the choice. */
static void test_trial_spoiled(void)
{
  pl_tiling_trial trial;
  pl_tiling_trial_open(&trial, true);
  for (int i = 0; i < 5; i++) CU_ASSERT_FALSE(pl_tiling_trial_learn(&trial, 1, true));
  CU_ASSERT_STRING_EQUAL(ways(&trial, 3, slow, fast), "uuT");
  CU_ASSERT_EQUAL(pl_tiling_trial_choice(&trial), PL_UNTILED);
  for (int i = 0; i < 5; i++) CU_ASSERT_FALSE(pl_tiling_trial_learn(&trial, INFINITY, false));
  CU_ASSERT_STRING_EQUAL(ways(&trial, 4, slow, fast), "uTTT");
  pl_tiling_trial_open(&trial, true);
  pl_tiling_trial_stop(&trial);
  CU_ASSERT_STRING_EQUAL(ways(&trial, 6, slow, fast), "uuuuuu");
}

static CU_TestInfo tests[] = {{"random chains", test_random},
                              {"damage", test_damage},
                              {"tuning", test_trial},
                              {"remembered choices", test_trial_known},
                              {"postponed measurements", test_trial_spoiled},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("tiles", tests);
}
