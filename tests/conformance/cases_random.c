/* SPDX-License-Identifier: BSD-2-Clause
 * Random numbers in kernels: the known answers of Philox, and every kind of loop against a model that
 * multiplies in 16 bits. Integers and uniform numbers are equal in all bits.
 */
#include "conformance.h"
#include <math.h>
#include <plait_random.h>

/* ---- the model ---- */

static void multiply(uint32_t x, uint32_t y, uint32_t *high, uint32_t *low)
{
  uint32_t xl = x & 0xffff, xh = x >> 16, yl = y & 0xffff, yh = y >> 16;
  uint32_t middle = xh * yl + (xl * yl >> 16), other = xl * yh + (middle & 0xffff);
  *high = xh * yh + (middle >> 16) + (other >> 16);
  *low = x * y;
}

/* Round `rounds` of 10 has the key + rounds times the Weyl constants. */
static void philox(const uint32_t key[2], const uint32_t counter[4], uint32_t x[4])
{
  memcpy(x, counter, 4 * sizeof *x);
  for (uint32_t round = 0; round < 10; round++) {
    uint32_t h0, l0, h1, l1;
    multiply(UINT32_C(3528531795), x[0], &h0, &l0);
    multiply(UINT32_C(3449720151), x[2], &h1, &l1);
    x[0] = h1 ^ x[1] ^ (key[0] + round * UINT32_C(2654435769));
    x[2] = h0 ^ x[3] ^ (key[1] + round * UINT32_C(3144134277));
    x[1] = l1;
    x[3] = l0;
  }
}

enum { SEED_LOW = 20111115, SEED_HIGH = 77 };
static const uint64_t seed = (uint64_t)SEED_HIGH << 32 | SEED_LOW;

static void model_block(int64_t index, uint32_t call, uint32_t draw, uint32_t block[4])
{
  const uint32_t key[2] = {SEED_LOW, SEED_HIGH};
  const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), call, draw};
  philox(key, counter, block);
}

static uint32_t model_word(int64_t index, uint32_t call, uint32_t draw)
{
  uint32_t block[4];
  model_block(index, call, draw, block);
  return block[0];
}

static double model_unit(uint32_t high, uint32_t low)
{
  const uint64_t k = (uint64_t)(high >> 6) << 26 | low >> 6;
  return ldexp((double)(2 * k + 1), -53);
}

static double model_uniform(int64_t index, uint32_t call, uint32_t draw)
{
  uint32_t block[4];
  model_block(index, call, draw, block);
  return model_unit(block[0], block[1]);
}

static double model_normal(int64_t index, uint32_t call, uint32_t draw)
{
  uint32_t block[4];
  model_block(index, call, draw, block);
  return sqrt(-2 * log(model_unit(block[0], block[1]))) * cos(8 * atan(1) * model_unit(block[2], block[3]));
}

static double model_normal_f(int64_t index, uint32_t call, uint32_t draw)
{
  uint32_t block[4];
  model_block(index, call, draw, block);
  const double u = (2 * (block[0] >> 9) + 1) / 16777216.0, v = (2 * (block[2] >> 9) + 1) / 16777216.0;
  return sqrt(-2 * log(u)) * cos(8 * atan(1) * v);
}

static pl_random *declare(conf *c)
{
  pl_random *random = NULL;
  OK(pl_decl_random(c->pl, seed, "noise", &random));
  return random;
}

/* ---- known answers ---- */

PL_KERNEL(random_answer, (uint32_t block[4], const uint32_t words[6]),
          { pl_random_block(words, words[5], block); })

PL_KERNEL(random_first, (uint32_t block[4], const uint32_t *r), { pl_random_block(r, 0, block); })

/* Three lines of the file kat_vectors of Random123: key, counter, result. */
static const uint32_t known[3][2][4] = {
  {{0, 0, 0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
  {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
  {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
static const uint32_t known_key[3][2] = {{0, 0}, {0xffffffff, 0xffffffff}, {0xa4093822, 0x299f31d0}};

static void case_answers(conf *c)
{
  uint32_t words[3][6], result[3][4];
  for (int i = 0; i < 3; i++) {
    memcpy(words[i], known_key[i], sizeof known_key[i]);
    memcpy(words[i] + 2, known[i][0], sizeof known[i][0]);
    philox(known_key[i], known[i][0], result[i]);
    CHECK(!memcmp(result[i], known[i][1], sizeof result[i]));
    pl_random_block(words[i], words[i][5], result[i]);
    CHECK(!memcmp(result[i], known[i][1], sizeof result[i]));
  }
  pl_random *zero = NULL;
  OK(pl_decl_random(c->pl, 0, "zero", &zero));
  pl_set *set = conf_set(c, 3, "answers"), *one = conf_set(c, 1, "one");
  pl_dat *in = conf_dat(c, set, 6, PL_UINT32, words, "words");
  pl_dat *out = conf_dat(c, set, 4, PL_UINT32, NULL, "block");
  pl_dat *first = conf_dat(c, one, 4, PL_UINT32, NULL, "first");
  OK(pl_par_loop(random_answer, set, DIRECT(out, PL_WRITE), DIRECT(in, PL_READ)));
  SAME(out, result);
  OK(pl_par_loop(random_first, one, DIRECT(first, PL_WRITE), pl_arg_random(zero, PL_ID, PL_DIRECT)));
  SAME(first, known[0][1]);
}

/* ---- elements ---- */

PL_KERNEL(random_draw, (uint32_t * word, double u[2], float *f, double *z, float *y, const uint32_t *r), {
  *word = pl_random_uint32(r, 5);
  u[0] = pl_uniform(r, 0);
  u[1] = pl_uniform(r, 1);
  *f = pl_uniform_f(r, 2);
  *z = pl_normal(r, 3);
  *y = pl_normal_f(r, 3);
})

/* On the elements that this rank owns. */
static void check_close(conf *c, pl_dat *dat, const double *expected, double tolerance)
{
  const pl_set *set = pl_dat_set(dat);
  int64_t *index = malloc(((size_t)pl_set_size(set) + 1) * sizeof *index);
  void *values;
  OK(pl_set_global(set, index));
  OK(pl_dat_get(dat, PL_READ, &values));
  for (int i = 0; i < pl_set_size(set); i++) {
    const double wanted = expected[index[i]];
    const double got = pl_dat_type(dat) == PL_FLOAT ? ((float *)values)[i] : ((double *)values)[i];
    CHECK(fabs(got - wanted) <= tolerance);
  }
  OK(pl_dat_put(dat));
  free(index);
}

static void case_elements(conf *c)
{
  enum { N = 613, CALLS = 3 };
  static uint32_t word[N];
  static double u[2 * N], z[N];
  static float f[N];
  pl_random *random = declare(c);
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dw = conf_dat(c, set, 1, PL_UINT32, NULL, "w"), *du = conf_dat(c, set, 2, PL_DOUBLE, NULL, "u"),
         *df = conf_dat(c, set, 1, PL_FLOAT, NULL, "f"), *dz = conf_dat(c, set, 1, PL_DOUBLE, NULL, "z"),
         *dy = conf_dat(c, set, 1, PL_FLOAT, NULL, "y");
  for (uint32_t call = 0; call < CALLS; call++) {
    CHECK(pl_random_get_call(random) == call);
    OK(pl_par_loop(random_draw, set, DIRECT(dw, PL_WRITE), DIRECT(du, PL_WRITE), DIRECT(df, PL_WRITE),
                   DIRECT(dz, PL_WRITE), DIRECT(dy, PL_WRITE), pl_arg_random(random, PL_ID, PL_DIRECT)));
  }
  for (int i = 0; i < N; i++) {
    word[i] = model_word(i, CALLS - 1, 5);
    for (uint32_t k = 0; k < 2; k++) u[2 * i + (int)k] = model_uniform(i, CALLS - 1, k);
    f[i] = (float)(2 * (model_word(i, CALLS - 1, 2) >> 9) + 1) / 16777216.0f;
    z[i] = model_normal(i, CALLS - 1, 3);
  }
  SAME(dw, word);
  SAME(du, u);
  SAME(df, f);
  check_close(c, dz, z, 1e-11);
  for (int i = 0; i < N; i++) z[i] = model_normal_f(i, CALLS - 1, 3);
  check_close(c, dy, z, 1e-4);
  OK(pl_random_set_call(random, 1));
  OK(pl_par_loop(random_draw, set, DIRECT(dw, PL_WRITE), DIRECT(du, PL_WRITE), DIRECT(df, PL_WRITE),
                 DIRECT(dz, PL_WRITE), DIRECT(dy, PL_WRITE), pl_arg_random(random, PL_ID, PL_DIRECT)));
  for (int i = 0; i < N; i++) word[i] = model_word(i, 1, 5);
  SAME(dw, word);
  pl_random_free(&random);
  CHECK(!random);
}

/* ---- targets and subsets ---- */

PL_KERNEL(random_scatter, (double *x0, double *x1, double *y, const uint32_t *own, const uint32_t *target), {
  const double one = (double)(pl_random_uint32(own, 0) >> 12);
  *x0 += one;
  *x1 -= one;
  *y += (double)(pl_random_uint32(target, 1) >> 12);
})

static void case_maps(conf *c)
{
  conf_mesh mesh;
  for (int kind = 0; kind < 3 && conf_mesh_make(c, kind, &mesh); kind++) {
    pl_random *random = declare(c);
    pl_set *from = conf_set(c, mesh.from, "from"), *to = conf_set(c, mesh.to, "to");
    pl_map *map = conf_map(c, from, to, CONF_ARITY, mesh.index, "map");
    int n = 0, *half = calloc((size_t)mesh.from + 1, sizeof *half);
    double *x = calloc((size_t)mesh.to + 1, sizeof *x), *y = calloc((size_t)mesh.from + 1, sizeof *y);
    for (int i = 0; i < mesh.from; i += 2) half[n++] = i;
    pl_set *set[2] = {from, conf_subset(c, from, n, half)};
    pl_dat *dx = conf_dat(c, to, 1, PL_DOUBLE, NULL, "x"), *dy = conf_dat(c, from, 1, PL_DOUBLE, NULL, "y");
    for (int call = 0; call < 2; call++) {
      OK(pl_par_loop(random_scatter, set[call], pl_arg_dat(dx, 0, map, PL_INC),
                     pl_arg_dat(dx, 1, map, PL_INC), DIRECT(dy, PL_INC),
                     pl_arg_random(random, PL_ID, PL_DIRECT), pl_arg_random(random, 2, map)));
      for (int i = 0; i < mesh.from; i += call + 1) {
        const int *t = &mesh.index[CONF_ARITY * i];
        double one = model_word(i, (uint32_t)call, 0) >> 12;
        if (t[0] >= 0) x[t[0]] += one;
        if (t[1] >= 0) x[t[1]] -= one;
        y[i] += model_word(t[2], (uint32_t)call, 1) >> 12;
      }
    }
    SAME(dx, x);
    SAME(dy, y);
    free(half), free(x), free(y);
    conf_mesh_free(&mesh);
  }
}

/* ---- chains ---- */

PL_KERNEL(random_value, (double *x, const uint32_t *r), { *x = pl_uniform(r, 0); })
PL_KERNEL(random_sum, (double *y, const double *x, const uint32_t *r), { *y += *x + pl_uniform(r, 1); })
PL_KERNEL(random_read, (double *z, const double *x0, const double *x1), { *z += *x0 + *x1; })

/* The second loop draws anew; the third reads the first one's values through a map, so they may be computed
 * again. */
static void case_chains(conf *c)
{
  enum { N = 331, RUNS = 4 };
  static double y[N], z[N];
  int next[2 * N];
  for (int i = 0; i < N; i++) next[2 * i] = (i + 7) % N, next[2 * i + 1] = (i * 5 + 3) % N, y[i] = z[i] = 0;
  pl_random *random = declare(c);
  pl_set *set = conf_set(c, N, "set");
  pl_map *map = conf_map(c, set, set, 2, next, "next");
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, NULL, "x"), *dy = conf_dat(c, set, 1, PL_DOUBLE, NULL, "y"),
         *dz = conf_dat(c, set, 1, PL_DOUBLE, NULL, "z");
  pl_chain *chain;
  for (uint32_t run = 0; run < RUNS; run++) {
    OK(pl_chain_begin(c->pl, "noise", &chain));
    OK(pl_chain_temporary(chain, dx));
    if (run == 1) OK(pl_chain_hint(chain, dx, PL_INLINE));
    if (run == 2) OK(pl_chain_hint(chain, dx, PL_PRECOMPUTE));
    OK(pl_par_loop(random_value, set, DIRECT(dx, PL_WRITE), pl_arg_random(random, PL_ID, PL_DIRECT)));
    OK(pl_par_loop(random_sum, set, DIRECT(dy, PL_RW), DIRECT(dx, PL_READ),
                   pl_arg_random(random, PL_ID, PL_DIRECT)));
    OK(pl_par_loop(random_read, set, DIRECT(dz, PL_RW), pl_arg_dat(dx, 0, map, PL_READ),
                   pl_arg_dat(dx, 1, map, PL_READ)));
    OK(pl_chain_end(chain));
    for (int i = 0; i < N; i++) {
      y[i] += model_uniform(i, 2 * run, 0) + model_uniform(i, 2 * run + 1, 1);
      z[i] += model_uniform(next[2 * i], 2 * run, 0) + model_uniform(next[2 * i + 1], 2 * run, 0);
    }
  }
  CHECK(pl_random_get_call(random) == 2 * RUNS);
  SAME(dy, y);
  SAME(dz, z);
}

/* A warm-up draws nothing. */
static void case_warm_up(conf *c)
{
  enum { N = 97 };
  static double x[N], zero[N];
  pl_random *random = declare(c);
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, NULL, "x");
  pl_chain *chain;
  for (int warm = 1; warm >= 0; warm--) {
    OK(pl_chain_begin(c->pl, "noise", &chain));
    if (warm) OK(pl_chain_warm_up(chain));
    OK(pl_par_loop(random_value, set, DIRECT(dx, PL_WRITE), pl_arg_random(random, PL_ID, PL_DIRECT)));
    OK(pl_chain_end(chain));
    CHECK(pl_random_get_call(random) == !warm);
    if (warm) SAME(dx, zero);
  }
  for (int i = 0; i < N; i++) x[i] = model_uniform(i, 0, 0);
  SAME(dx, x);
}

PL_KERNEL(random_jump, (int *left, double *sum, const uint32_t *r), {
  *left = (int)(pl_random_uint32(r, 0) % 7);
  *sum += (double)(pl_random_uint32(r, 1) >> 12);
})
PL_KERNEL(random_go, (int *next, int *left), {
  if (*left > 0) {
    --*left;
    *next = 0;
  }
})

/* Particles that change ranks keep their numbers: jumps of 0 to 6 cells along a ring. */
static void case_particles(conf *c)
{
  enum { CELLS = 60, N = 151, ROUNDS = 4 };
  static double sum[N];
  int next[CELLS], start[N], left[N];
  for (int i = 0; i < CELLS; i++) next[i] = (i + 1) % CELLS;
  for (int i = 0; i < N; i++) start[i] = i * 7 % CELLS, sum[i] = left[i] = 0;
  pl_random *random = declare(c);
  pl_set *cells = conf_set(c, CELLS, "cells"), *particles = conf_set(c, N, "particles");
  pl_map *ring = conf_map(c, cells, cells, 1, next, "next"),
         *where = conf_map(c, particles, cells, 1, start, "where");
  pl_dat *dleft = conf_dat(c, particles, 1, PL_INT, NULL, "left"),
         *dsum = conf_dat(c, particles, 1, PL_DOUBLE, NULL, "sum");
  for (uint32_t round = 0; round < ROUNDS; round++) {
    OK(pl_par_loop(random_jump, particles, DIRECT(dleft, PL_WRITE), DIRECT(dsum, PL_RW),
                   pl_arg_random(random, PL_ID, PL_DIRECT)));
    OK(pl_particle_move(random_go, where, ring, DIRECT(dleft, PL_RW)));
    for (int i = 0; i < N; i++) sum[i] += model_word(i, round, 1) >> 12;
  }
  SAME(dleft, left);
  SAME(dsum, sum);
}

/* The functions in C++. */
static void case_cpp(conf *c)
{
  enum { N = 45 };
  static const char source[] =
    "template <class T> T draw(const uint32_t *r) { return T(pl_uniform(r, 0)); }\n"
    "void cpp(double *x, const uint32_t *r) { x[0] = draw<double>(r); }\n";
  static double x[N];
  const pl_kernel_options with = {.cpp = 1};
  pl_random *random = declare(c);
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, NULL, "x");
  const pl_kernel *kernel = conf_source(c, "cpp", source, &with);
  const pl_err err = pl_par_loop(kernel, set, DIRECT(dx, PL_WRITE), pl_arg_random(random, PL_ID, PL_DIRECT));
  if (!strcmp(c->backend, "opencl") || !strcmp(c->backend, "hip")) {
    CHECK(err == PL_ERR_BACKEND && pl_random_get_call(random) == 0);
    return;
  }
  OK(err);
  for (int i = 0; i < N; i++) x[i] = model_uniform(i, 0, 0);
  SAME(dx, x);
}

PL_KERNEL(random_walk, (uint32_t * x, const uint32_t *r), { *x = *x * 31u + pl_random_uint32(r, 0); })

/* More loops than a queue holds, of two generators; the queue is cut at periods. Freeing one runs its loops.
 */
static void case_queue(conf *c)
{
  enum { N = 40, STEPS = 150 };
  static uint32_t x[N], y[N];
  memset(x, 0, sizeof x), memset(y, 0, sizeof y);
  pl_random *one = declare(c), *two = declare(c);
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dx = conf_dat(c, set, 1, PL_UINT32, x, "x"), *dy = conf_dat(c, set, 1, PL_UINT32, y, "y");
  pl_loop *loop;
  OK(pl_loop_create(&loop, random_walk, set, DIRECT(dy, PL_RW), pl_arg_random(two, PL_ID, PL_DIRECT)));
  for (uint32_t step = 0; step < STEPS; step++) {
    OK(pl_par_loop(random_walk, set, DIRECT(dx, PL_RW), pl_arg_random(one, PL_ID, PL_DIRECT)));
    if (step % 2) OK(pl_loop_run(loop));
    for (int i = 0; i < N; i++) x[i] = x[i] * 31 + model_word(i, step, 0);
    for (int i = 0; i < N && step % 2; i++) y[i] = y[i] * 31 + model_word(i, step / 2, 0);
  }
  pl_random_free(&one);
  SAME(dx, x);
  SAME(dy, y);
  pl_loop_free(&loop);
}

/* ---- pairs ---- */

PL_KERNEL(random_force,
          (double *f, double *g, const uint32_t *pair, const uint32_t *own, const int64_t *i,
           const int64_t *j),
          {
            const double w = (double)(pl_random_uint32(pair, 3) >> 16);
            *f += *i < *j ? w : -w;
            *g += (double)(pl_random_uint32(own, 4) >> 16);
          })

static void case_pairs(conf *c)
{
  enum { N = 90 };
  static double x[N], f[N], g[N];
  for (int i = 0; i < N; i++) x[i] = conf_below(c, 1000) / 1000.0, f[i] = g[i] = 0;
  const double low = 0, high = 1;
  const int periodic = 1;
  pl_domain *domain;
  pl_map *map;
  pl_random *random = declare(c);
  pl_set *set = conf_set(c, N, "particles");
  pl_dat *dx = conf_dat(c, set, 1, PL_DOUBLE, x, "x"), *df = conf_dat(c, set, 1, PL_DOUBLE, NULL, "f"),
         *dg = conf_dat(c, set, 1, PL_DOUBLE, NULL, "g");
  OK(pl_decl_domain(c->pl, 1, &low, &high, &periodic, "box", &domain));
  OK(pl_decl_pair_map(dx, domain, 0.1, 0.02, "pairs", &map));
  for (uint32_t call = 0; call < 2; call++) {
    OK(pl_pair_loop(random_force, map, pl_arg_dat(df, PL_BOTH, map, PL_INC_ANTI),
                    pl_arg_dat(dg, 0, map, PL_INC), pl_arg_random(random, PL_BOTH, map),
                    pl_arg_random(random, 0, map), pl_arg_idx(0, map), pl_arg_idx(1, map)));
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        double d = fabs(x[i] - x[j]);
        if (i == j || (d > 0.5 ? 1 - d : d) >= 0.1) continue;
        int64_t pair = i < j ? i | (int64_t)j << 32 : j | (int64_t)i << 32;
        f[i] += (i < j ? 1 : -1) * (double)(model_word(pair, call, 3) >> 16);
        g[i] += model_word(i, call, 4) >> 16;
      }
  }
  SAME(df, f);
  SAME(dg, g);
}

/* ---- errors ---- */

PL_KERNEL(random_not_const, (double *x, uint32_t *r), { *x = pl_uniform(r, 0); })
PL_KERNEL(random_wrong, (double *x, const int64_t *r), { *x = (double)*r; })
PL_KERNEL(random_two, (double *x, const uint32_t *r, const uint32_t *s),
          { *x = pl_uniform(r, 0) + pl_uniform(s, 0); })
PL_KERNEL(random_pair, (double *x, const uint32_t *r), { *x += pl_uniform(r, 0); })

static void case_errors(conf *c)
{
  const int index[6] = {0, 1, 2, 0, 1, 2}, offsets[4] = {0, 1, 2, 4};
  pl_random *random = declare(c), *other = declare(c);
  pl_set *set = conf_set(c, 3, "set"), *far = conf_set(c, 3, "far");
  pl_map *map = conf_map(c, set, far, 2, index, "map"),
         *row = conf_ragged_map(c, set, far, offsets, index, "row");
  pl_dat *x = conf_dat(c, set, 1, PL_DOUBLE, NULL, "x");
  const pl_arg out = DIRECT(x, PL_WRITE), good = pl_arg_random(random, PL_ID, PL_DIRECT);
  FAILS(pl_decl_random(c->pl, 1, "none", NULL), PL_ERR_ARG, "pl_decl_random", "random");
  FAILS(pl_random_set_call(NULL, 1), PL_ERR_NULL, "random");
  FAILS(pl_par_loop(random_not_const, set, out, good), PL_ERR_ACCESS, "const uint32_t *r", "noise");
  FAILS(pl_par_loop(random_wrong, set, out, good), PL_ERR_TYPE, "int64_t", "noise", "uint32_t");
  FAILS(pl_par_loop(random_two, set, out, good, pl_arg_random(other, PL_ID, PL_DIRECT)), PL_ERR_ARG,
        "one pl_random");
  FAILS(pl_par_loop(random_value, set, out, pl_arg_random(NULL, PL_ID, PL_DIRECT)), PL_ERR_ARG, "NULL");
  FAILS(pl_par_loop(random_value, set, out, pl_arg_random(random, PL_ALL, map)), PL_ERR_RANGE, "PL_ALL");
  FAILS(pl_par_loop(random_value, set, out, pl_arg_random(random, 2, map)), PL_ERR_RANGE, "target 2");
  FAILS(pl_par_loop(random_value, set, out, pl_arg_random(random, 0, row)), PL_ERR_ARG, "ragged",
        "pair loop");
  FAILS(pl_pair_loop(random_pair, row, pl_arg_dat(x, 0, row, PL_INC), pl_arg_random(random, PL_BOTH, row)),
        PL_ERR_ARG, "from a set to itself");
  CHECK(pl_random_get_call(random) == 0 && pl_random_get_call(NULL) == 0);
}

const conf_case conf_numbers[] = {{"random: known answers", "", case_answers, CONF_RANKS},
                                  {"random: elements", "", case_elements, CONF_MATRIX | CONF_RANKS},
                                  {"random: maps and subsets", "", case_maps, CONF_MATRIX | CONF_RANKS},
                                  {"random: chains", "", case_chains, CONF_RANKS},
                                  {"random: warm-up", "", case_warm_up, CONF_RANKS},
                                  {"random: migrating particles", "", case_particles, CONF_RANKS},
                                  {"random: C++", "", case_cpp, CONF_NEEDS_JIT | CONF_EAGER},
                                  {"random: queue", "", case_queue, CONF_RANKS},
                                  {"random: pairs", "", case_pairs, CONF_RANKS},
                                  {"random: errors", "", case_errors, CONF_RANKS},
                                  {NULL, NULL, NULL, 0}};
