/* SPDX-License-Identifier: BSD-2-Clause
 * Communication between ranks, by the counters: messages, bytes, and how devices exchange. One rank sends
 * nothing.
 */
#include "conformance.h"

enum { NODES = 400 };

PL_KERNEL(ranks_sum, (double e[1], const double *const a[2], const float *const b[2]),
          { e[0] = a[0][0] + a[1][1] + b[0][0] + b[1][2]; })

PL_KERNEL(ranks_step, (double a[2], float b[3]), {
  a[0] += 1;
  a[1] += 2;
  b[2] += 3;
})

/* More than the initial message buffers hold. */
enum { WIDE = 700 };

PL_KERNEL(ranks_fill, (double w[700], const double a[2]), {
  w[0] = w[699] > 0 ? 1 : 0;
  w[699] = a[0];
})

PL_KERNEL(ranks_ends, (double e[1], const double w[700]), { e[0] = w[0] + w[699]; })

/* A ring of edges between nodes, distributed in blocks: each rank reads the first node of the next one. */
typedef struct ring {
  pl_set *nodes, *edges;
  pl_map *ends;
  pl_dat *a, *b, *e;
} ring;

static ring make_ring(conf *c)
{
  ring r;
  double a[2 * NODES];
  float b[3 * NODES];
  int index[2 * NODES];
  for (int i = 0; i < NODES; i++) {
    index[2 * i] = i;
    index[2 * i + 1] = (i + 1) % NODES;
    a[2 * i] = i, a[2 * i + 1] = 2 * i;
    for (int k = 0; k < 3; k++) b[3 * i + k] = (float)(i + k);
  }
  r.nodes = conf_set(c, NODES, "nodes");
  r.edges = conf_set(c, NODES, "edges");
  r.ends = conf_map(c, r.edges, r.nodes, 2, index, "ends");
  r.a = conf_dat(c, r.nodes, 2, PL_DOUBLE, a, "a");
  r.b = conf_dat(c, r.nodes, 3, PL_FLOAT, b, "b");
  r.e = conf_dat(c, r.edges, 1, PL_DOUBLE, NULL, "e");
  return r;
}

/* The messages and bytes of one run of the loop that reads. */
static pl_stats run_sum(conf *c, const ring *r, int steps)
{
  double e[NODES];
  pl_stats before = conf_stats(c);
  OK(pl_par_loop(ranks_sum, r->edges, pl_arg_dat(r->e, PL_ID, PL_DIRECT, PL_WRITE),
                 pl_arg_dat(r->a, PL_ALL, r->ends, PL_READ), pl_arg_dat(r->b, PL_ALL, r->ends, PL_READ)));
  pl_stats after = conf_stats(c);
  after.halo_messages -= before.halo_messages;
  after.halo_bytes -= before.halo_bytes;
  after.bytes_from_device -= before.bytes_from_device;
  after.bytes_to_device -= before.bytes_to_device;
  for (int i = 0; i < NODES; i++) {
    int j = (i + 1) % NODES;
    e[i] = i + 2 * j + i + (j + 2) + 6.0 * steps;
  }
  SAME(r->e, e);
  return after;
}

static void run_step(conf *c, const ring *r)
{
  OK(pl_par_loop(ranks_step, r->nodes, pl_arg_dat(r->a, PL_ID, PL_DIRECT, PL_RW),
                 pl_arg_dat(r->b, PL_ID, PL_DIRECT, PL_RW)));
}

/* One message per neighbour for all dats, none for clean ones, and only bytes of the halo. */
static void case_counters(conf *c)
{
  ring r = make_ring(c);
  bool several = pl_ranks(c->pl) > 1;
  run_sum(c, &r, 0);
  pl_stats fresh = run_sum(c, &r, 0);
  CHECK(fresh.halo_messages == 0 && fresh.halo_bytes == 0);
  CHECK(fresh.bytes_to_device == 0 && fresh.bytes_from_device == 0);
  run_step(c, &r);
  run_sum(c, &r, 1); /* send lists are uploaded to a device once */
  for (int n = 2; n < 6; n++) {
    run_step(c, &r);
    pl_stats s = run_sum(c, &r, n);
    const size_t node = 2 * sizeof(double) + 3 * sizeof(float);
    CHECK(s.halo_messages < (uint64_t)pl_ranks(c->pl));
    CHECK(s.halo_bytes % node == 0 && (s.halo_bytes > 0 || !several || c->scatter));
    CHECK(c->scatter || s.halo_bytes <= 3 * node);
    CHECK(s.bytes_from_device <= s.halo_bytes);
    CHECK(s.bytes_to_device % node == 0 && (c->scatter || s.bytes_to_device <= 3 * node));
  }
}

/* Sums and maxima of the statistics of all ranks. */
static void case_stats(conf *c)
{
  enum { N = 40 };
  pl_stats own, sum, most;
  pl_set *set = conf_set(c, N, "set");
  pl_dat *x = conf_dat(c, set, 1, PL_DOUBLE, NULL, "x"), *y = conf_dat(c, set, 1, PL_DOUBLE, NULL, "y");
  uint64_t ranks = (uint64_t)pl_ranks(c->pl);
  OK(pl_dat_copy(y, x));
  own = conf_stats(c);
  OK(pl_get_stats_ranks(c->pl, &sum, &most));
  CHECK(sum.loops_run == ranks * own.loops_run && most.loops_run == own.loops_run);
  CHECK(sum.halo_bytes >= most.halo_bytes && most.halo_bytes >= own.halo_bytes);
  CHECK(sum.halo_seconds >= most.halo_seconds && most.halo_seconds >= own.halo_seconds);
  OK(
    pl_get_stats_ranks(c->pl, pl_rank(c->pl) ? NULL : &sum, &most)); /* ranks may request different results */
  CHECK(most.loops_run == own.loops_run);
}

/* All transports between devices give the same values; only one uses the bus. */
static void case_transports(conf *c)
{
  const char *const ways[] = {"transport=shared", "transport=staged", "transport=auto", "transport=direct"};
  const char *transport = getenv("PLAIT_TRANSPORT"); /* direct: this MPI accepts memory of any device */
  bool direct = (transport && !strcmp(transport, "direct")) || !strcmp(c->backend, "opencl");
  int n = c->device && direct ? 4 : 3;
  for (int w = 0; w < n; w++) {
    const char *mine = w == 2 && pl_rank(c->pl) == 0 ? "transport=staged" : ways[w];
    const char *const more[] = {mine, NULL};
    pl_finalize(&c->pl);
    OK(conf_open(c, c->variant, more, &c->pl));
    ring r = make_ring(c);
    for (int i = 0; i < 4; i++) {
      pl_stats s = run_sum(c, &r, i);
      bool staged = strcmp(mine, "transport=staged") == 0;
      if (c->device && i > 1 && staged) CHECK(s.bytes_from_device == s.halo_bytes);
      if (c->device && i > 1 && ((w == 0 && !strcmp(c->backend, "opencl")) || w == 3))
        CHECK(s.bytes_from_device == 0 && s.bytes_to_device == 0);
      run_step(c, &r);
    }
  }
}

/* With PLAIT_CHECK values received from other ranks are not taken for changes by a kernel. */
static void case_checked(conf *c)
{
  const char *const more[] = {"check=1", NULL};
  pl_finalize(&c->pl);
  OK(conf_open(c, c->variant, more, &c->pl));
  ring r = make_ring(c);
  for (int n = 0; n < 3; n++) {
    run_sum(c, &r, n);
    run_step(c, &r);
  }
}

/* Exchanges that grow between and after changes in host views. */
static void case_growing(conf *c)
{
  ring r = make_ring(c);
  double *values, expected[NODES];
  pl_dat *wide = conf_dat(c, r.nodes, WIDE, PL_DOUBLE, NULL, "wide");
  for (int n = 1; n < 4; n++) {
    OK(pl_dat_get(r.a, PL_RW, (void **)&values));
    for (int64_t i = 0; i < pl_set_size(r.nodes); i++) values[2 * i] += 1, values[2 * i + 1] += 2;
    OK(pl_dat_put(r.a));
    for (int i = 0; i < NODES; i++) {
      int j = (i + 1) % NODES;
      expected[i] = i + 2 * j + i + (j + 2) + 3.0 * n;
    }
    OK(pl_par_loop(ranks_sum, r.edges, pl_arg_dat(r.e, PL_ID, PL_DIRECT, PL_WRITE),
                   pl_arg_dat(r.a, PL_ALL, r.ends, PL_READ), pl_arg_dat(r.b, PL_ALL, r.ends, PL_READ)));
    SAME(r.e, expected);
    OK(pl_par_loop(ranks_fill, r.nodes, pl_arg_dat(wide, PL_ID, PL_DIRECT, PL_RW),
                   pl_arg_dat(r.a, PL_ID, PL_DIRECT, PL_READ)));
    OK(pl_par_loop(ranks_ends, r.edges, pl_arg_dat(r.e, PL_ID, PL_DIRECT, PL_WRITE),
                   pl_arg_dat(wide, 1, r.ends, PL_READ)));
    for (int i = 0; i < NODES; i++) expected[i] = (i + 1) % NODES + n + (n > 1 ? 1 : 0);
    SAME(r.e, expected);
  }
}

PL_KERNEL(ranks_number, (double a[2], const int64_t *i), {
  a[0] = 7 * (double)i[0];
  a[1] = 0;
})

/* Host views show halo elements as last received; freezing updates them. */
static void case_view_halos(conf *c)
{
  ring r = make_ring(c);
  int64_t edge[NODES];
  void *view;
  int wrong = 0;
  run_sum(c, &r, 0);
  OK(pl_par_loop(ranks_number, r.nodes, pl_arg_dat(r.a, PL_ID, PL_DIRECT, PL_WRITE),
                 pl_arg_idx(PL_ID, PL_DIRECT)));
  OK(pl_dat_freeze_halo(r.a, PL_READ));
  OK(pl_dat_unfreeze_halo(r.a));
  OK(pl_dat_get(r.a, PL_READ, &view));
  OK(pl_set_global(r.edges, edge));
  const int *at = pl_map_indices(r.ends);
  for (int64_t e = 0; e < pl_set_size(r.edges); e++)
    for (int k = 0; k < 2; k++)
      wrong += ((double *)view)[2 * at[2 * e + k]] != 7.0 * (double)((edge[e] + k) % NODES);
  CHECK(wrong == 0);
  OK(pl_dat_put(r.a));
}

const conf_case conf_ranks[] = {
  {"ranks: messages and bytes", "P57 P58 P60", case_counters, CONF_MATRIX | CONF_RANKS},
  {"ranks: statistics of all", "O10", case_stats, CONF_RANKS},
  {"ranks: transports between devices", "P60", case_transports, CONF_MATRIX | CONF_RANKS},
  {"ranks: checked loops", "P64", case_checked, CONF_RANKS},
  {"ranks: halos in host views", "P18 P59", case_view_halos, CONF_RANKS},
  {"ranks: views between exchanges", "P58", case_growing, CONF_MATRIX | CONF_RANKS},
  {NULL, NULL, NULL, 0}};
