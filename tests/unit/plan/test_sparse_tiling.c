/* SPDX-License-Identifier: BSD-2-Clause
 * Sparse tiling of several loops on random meshes: dependences hold for any number of tiles and threads, and
 * verification finds damage.
 */
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

#ifdef PLAIT_SANITIZED
enum { PROBLEMS = 10 };
#else
enum { PROBLEMS = 30 };
#endif

static void test_random(void)
{
  static const int sizes[] = {1, 2, 30, 70, 150};
  for (unsigned k = 0; k < PROBLEMS; k++) {
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

static CU_TestInfo tests[] = {{"random chains", test_random}, {"damage", test_damage}, CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("tiles", tests);
}
