/* SPDX-License-Identifier: BSD-2-Clause
 * scaling: the cost of ranks. Declares a mesh of squares in pieces (no rank holds all of it), distributes
 * it, runs a loop over edges that reads and increments cells, and measures time per element, messages, bytes
 * and memory. From these and the given network it predicts the efficiency of many ranks, and from the time
 * per cell on one rank the time of this run (bench/scale compares).
 */
#include "plait.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../apps/common/json.h"
#include "../apps/common/options.h"
#include "../apps/common/partition.h"
#include "../apps/common/ranks.h"
#include "../apps/common/wall.h"
#include "scaling_probe.h"

typedef struct job {
  int64_t side, steps, processors;
  char *method, *json_path;
  double latency_us, gbytes_per_s; /* of the modelled machine; see docs/scaling.md */
  double per_cell;                 /* seconds on one rank, 0: not given */
  bool predict, nodes;
} job;

typedef struct mesh {
  pl_context *pl;
  pl_set *cells, *edges, *nodes; /* nodes: as airfoil has them, with --nodes */
  pl_map *edge_cell, *cell_node, *edge_node;
  pl_dat *where, *q, *flux; /* where: coordinates of cells or nodes */
  pl_global *sum;
} mesh;

PL_KERNEL(exchange, (const double *const q[2], double *flux[2]), {
  for (int k = 0; k < 4; k++) {
    double f = 0.25 * (q[0][k] - q[1][k]);
    flux[0][k] -= f;
    flux[1][k] += f;
  }
})

PL_KERNEL(advance, (double *q, double *flux, double *sum), {
  for (int k = 0; k < 4; k++) {
    sum[0] += flux[k] * flux[k];
    q[k] += flux[k];
    flux[k] = 0;
  }
})

/* ---- the mesh ---- */

/* Coordinates of `n` points of a square with `side` of them along each side. */
static void declare_places(mesh *m, pl_set *set, int64_t first, int64_t n, int64_t side)
{
  double *where = malloc((size_t)n * 2 * sizeof *where + 8);
  for (int64_t i = 0; i < n; i++) {
    where[2 * i] = (double)((first + i) % side);
    where[2 * i + 1] = (double)((first + i) / side);
  }
  PL_OK(m->pl, pl_decl_dat(set, 2, PL_DOUBLE, where, "where", &m->where));
  free(where);
}

/* The four nodes of each cell, and the two of each edge in the order of `ends`. */
static void declare_nodes(mesh *m, int64_t side, int64_t first, int64_t n, int64_t rows, const int64_t *ends)
{
  const int64_t across = side + 1, all = across * across, ranks = pl_ranks(m->pl), rank = pl_rank(m->pl);
  const int64_t begin = all * rank / ranks, nodes = all * (rank + 1) / ranks - begin;
  int64_t *corner = malloc((size_t)n * 4 * sizeof *corner + 8);
  for (int64_t i = 0; i < n; i++) {
    const int64_t at = (first + i) / side * across + (first + i) % side;
    const int64_t four[4] = {at, at + 1, at + across + 1, at + across};
    memcpy(corner + 4 * i, four, sizeof four);
  }
  PL_OK(m->pl, pl_decl_set(m->pl, nodes, "nodes", &m->nodes));
  PL_OK(m->pl, pl_decl_map_global(m->cells, m->nodes, 4, corner, "cell_node", &m->cell_node));
  for (int64_t e = 0; e < rows; e++) {
    const int64_t high = ends[2 * e + 1], at = high / side * across + high % side;
    corner[2 * e] = at;
    corner[2 * e + 1] = at + (high == ends[2 * e] + 1 ? across : 1);
  }
  PL_OK(m->pl, pl_decl_map_global(m->edges, m->nodes, 2, corner, "edge_node", &m->edge_node));
  free(corner);
  declare_places(m, m->nodes, begin, nodes, across);
}

/* By rows: this rank's cells and the edges to the right and upwards; coordinates of cells or nodes. */
static void declare(mesh *m, const job *job)
{
  const int64_t side = job->side, all = side * side, rank = pl_rank(m->pl), ranks = pl_ranks(m->pl);
  const int64_t first = all * rank / ranks, n = all * (rank + 1) / ranks - first;
  int64_t *ends = malloc((size_t)n * 4 * sizeof *ends + 8), rows = 0;
  for (int64_t c = first; c < first + n; c++) {
    if (c % side < side - 1) ends[2 * rows] = c, ends[2 * rows++ + 1] = c + 1;
    if (c / side < side - 1) ends[2 * rows] = c, ends[2 * rows++ + 1] = c + side;
  }
  PL_OK(m->pl, pl_decl_set(m->pl, n, "cells", &m->cells));
  PL_OK(m->pl, pl_decl_set(m->pl, rows, "edges", &m->edges));
  PL_OK(m->pl, pl_decl_map_global(m->edges, m->cells, 2, ends, "edge_cell", &m->edge_cell));
  if (job->nodes)
    declare_nodes(m, side, first, n, rows, ends);
  else
    declare_places(m, m->cells, first, n, side);
  free(ends);
  PL_OK(m->pl, pl_decl_dat(m->cells, 4, PL_DOUBLE, NULL, "q", &m->q));
  PL_OK(m->pl, pl_decl_dat(m->cells, 4, PL_DOUBLE, NULL, "flux", &m->flux));
  PL_OK(m->pl, pl_decl_global(m->pl, 1, PL_DOUBLE, NULL, "sum", &m->sum));
}

static void step(mesh *m)
{
  PL_OK(m->pl, pl_par_loop(exchange, m->edges, pl_arg_dat(m->q, PL_ALL, m->edge_cell, PL_READ),
                           pl_arg_dat(m->flux, PL_ALL, m->edge_cell, PL_INC)));
  PL_OK(m->pl, pl_par_loop(advance, m->cells, pl_arg_direct(m->q, PL_RW), pl_arg_direct(m->flux, PL_RW),
                           pl_arg_gbl(m->sum, PL_INC)));
}

/* ---- over ranks ---- */

static double peak_bytes(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * (double)usage.ru_maxrss;
}

/* Persistent memory of the library for a rank's share: maps, dats, global indices and views. */
static double share_bytes(const mesh *m)
{
  double cells = (double)pl_set_global_size(m->cells), edges = (double)pl_set_global_size(m->edges);
  double nodes = (double)pl_set_global_size(m->nodes), ids = 8 + 4;
  double of_cells = 8 * 8 + ids, of_edges = 2 * 4 + ids, places = 2 * 8;
  if (m->nodes)
    of_cells += 4 * 4, of_edges += 2 * 4;
  else
    of_cells += places;
  return (cells * of_cells + edges * of_edges + nodes * (places + ids)) / pl_ranks(m->pl);
}

typedef struct outcome {
  double setup, seconds, halo_seconds, peak, share, base;
  double messages, bytes; /* per step on the busiest rank */
  double border;          /* of a part, relative to a square part */
  pl_partition_info info;
  scaling_costs costs;
} outcome;

/* Mean number of neighbours if parts are squares in a square. */
static double sides(double ranks)
{
  return 4 * (1 - 1 / sqrt(ranks));
}

static void measure(mesh *m, const job *job, outcome *o)
{
  pl_stats before, after;
  o->base = peak_bytes();
  double start = wall_seconds();
  declare(m, job);
  PL_OK(m->pl, partition_by_name(m->cells, job->method, &(pl_partition_options){.coords = m->where}));
  step(m);
  PL_OK(m->pl, pl_get_partition(m->edge_cell, &o->info));
  o->setup = wall_seconds() - start;
  for (int i = 0; i < 3; i++) step(m);
  double sum;
  PL_OK(m->pl, pl_global_get(m->sum, &sum));
  PL_OK(m->pl, pl_get_stats(m->pl, &before));
  start = wall_seconds();
  for (int64_t i = 0; i < job->steps; i++) step(m);
  PL_OK(m->pl, pl_global_get(m->sum, &sum));
  o->seconds = (wall_seconds() - start) / (double)job->steps;
  PL_OK(m->pl, pl_get_stats(m->pl, &after));
  o->share = share_bytes(m);
  const double steps = (double)job->steps, ranks = pl_ranks(m->pl);
  o->seconds = ranks_most(m->pl, o->seconds);
  o->peak = ranks_most(m->pl, peak_bytes() - o->base);
  o->halo_seconds = ranks_most(m->pl, (after.halo_seconds - before.halo_seconds) / steps);
  o->messages = ranks_most(m->pl, (double)(after.halo_messages - before.halo_messages) / steps);
  o->bytes = ranks_most(m->pl, (double)(after.halo_bytes - before.halo_bytes) / steps);
  const double squares = sides(ranks) * sqrt((double)(job->side * job->side) / ranks);
  o->border = ranks > 1 ? 2 * (double)o->info.cut / ranks / squares : 1;
  o->costs = scaling_probe(m->pl);
}

static void print(const mesh *m, const job *job, const outcome *o)
{
  const double cells = (double)(job->side * job->side), ranks = pl_ranks(m->pl);
  printf("%d ranks, %s, %.0f cells: set-up %.2f s, %.4f ms a step, %.2f ns a cell of a rank\n",
         pl_ranks(m->pl), job->method, cells, o->setup, 1e3 * o->seconds, 1e9 * o->seconds * ranks / cells);
  printf("  halo: %.4f ms, %.0f messages and %.0f bytes a step of the busiest rank; %lld of %lld edges cut, "
         "imbalance %.4f, %d neighbours\n",
         1e3 * o->halo_seconds, o->messages, o->bytes, (long long)o->info.cut, (long long)o->info.rows,
         o->info.imbalance, o->info.neighbours);
  printf("  memory: %.1f MB at most, %.2f times the share of %.1f MB\n", 1e-6 * o->peak, o->peak / o->share,
         1e-6 * o->share);
}

/* ---- the model (docs/scaling.md) ---- */

/* Seconds of the machine that is modelled. */
typedef struct machine {
  double cell;               /* per cell with its edges, on one rank */
  double own, own_byte;      /* processor time per message and byte */
  double latency, byte, sum; /* network time, which the core range hides; of a global sum */
} machine;

static double step_seconds(const machine *on, double cells, double border, double neighbours)
{
  const double core = on->cell * fmax(cells - border / 2, 0), work = on->cell * (cells + border / 4);
  const double wire = neighbours * on->latency + 32 * border * on->byte;
  return fmax(core, wire) + work - core + neighbours * on->own + 32 * border * on->own_byte + on->sum;
}

/* For many ranks with a processor each, connected by the given network. */
static double many_seconds(const job *job, const outcome *o, double per_cell, double cells, double ranks)
{
  const double latency = 1e-6 * job->latency_us, border = sides(ranks) * sqrt(cells) * o->border;
  const machine on = {per_cell, o->costs.message,         o->costs.byte,
                      latency,  1e-9 / job->gbytes_per_s, latency * ceil(log2(ranks))};
  return step_seconds(&on, cells, fmin(border, 2 * cells), sides(ranks));
}

static void predict(const job *job, const outcome *o, double per_cell)
{
  static const double many[] = {1, 2, 4, 8, 64, 512, 4096, 32768, 100000};
  const double all = (double)(job->side * job->side), one = many_seconds(job, o, per_cell, all, 1);
  printf("model: %.2f ns a cell, border %.2f of a square's, a message %.2f us of latency and %.2f us of the "
         "processor, %.1f GB/s\n",
         1e9 * per_cell, o->border, job->latency_us, 1e6 * o->costs.message, job->gbytes_per_s);
  printf("%10s %14s %12s %11s %11s\n", "ranks", "cells a rank", "ms a step", "strong", "weak");
  for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
    const double t = many_seconds(job, o, per_cell, all / many[i], many[i]);
    printf("%10.0f %14.0f %12.4f %10.1f%% %10.1f%%\n", many[i], all / many[i], 1e3 * t,
           100 * one / (many[i] * t), 100 * one / many_seconds(job, o, per_cell, all, many[i]));
  }
}

/* For this run: ranks on one processor run one after the other, and messages within a machine take processor
 * time, which nothing hides. */
static double expected_seconds(const job *job, const outcome *o, double ranks)
{
  const double turns = ceil(ranks / (double)job->processors) * o->info.imbalance;
  const double cells = (double)(job->side * job->side) / ranks;
  const machine here = {turns * job->per_cell, o->costs.message, o->costs.byte, 0, 0, o->costs.sum};
  return step_seconds(&here, cells, 2 * (double)o->info.cut / ranks, o->info.neighbours);
}

static void compare(const job *job, const outcome *o, double ranks)
{
  const double expected = expected_seconds(job, o, ranks);
  printf(
    "  model: %.2f ns a cell, %lld processors, a message %.2f us, %.2f GB/s, a sum %.2f us: %.4f ms a step "
    "expected, %.3f of it measured\n",
    1e9 * job->per_cell, (long long)job->processors, 1e6 * o->costs.message,
    o->costs.byte > 0 ? 1e-9 / o->costs.byte : 0, 1e6 * o->costs.sum, 1e3 * expected, o->seconds / expected);
}

static bool write_json(const job *job, const outcome *o, int ranks)
{
  json_writer json;
  if (!job->json_path) return true;
  if (!json_open(&json, job->json_path)) return perror(job->json_path), false;
  const double cells = (double)(job->side * job->side);
  json_integer(&json, "ranks", ranks);
  json_number(&json, "cells", cells);
  json_number(&json, "seconds", o->seconds);
  json_number(&json, "per_cell", o->seconds * ranks / cells);
  json_number(&json, "expected", job->per_cell > 0 ? expected_seconds(job, o, ranks) : 0);
  json_number(&json, "message", o->costs.message);
  json_number(&json, "byte", o->costs.byte);
  json_number(&json, "sum", o->costs.sum);
  json_number(&json, "cut", (double)o->info.cut);
  json_integer(&json, "neighbours", o->info.neighbours);
  json_number(&json, "messages", o->messages);
  json_number(&json, "bytes", o->bytes);
  return json_close(&json);
}

/* On rank 0. */
static bool tell(const mesh *m, const job *job, const outcome *o)
{
  const int ranks = pl_ranks(m->pl);
  print(m, job, o);
  if (job->per_cell > 0) compare(job, o, ranks);
  if (job->predict) predict(job, o, o->seconds * ranks / (double)(job->side * job->side));
  return write_json(job, o, ranks);
}

int main(int argc, char **argv)
{
  const option_program program = {"scaling",
                                  "What ranks cost, measured here under mpirun and predicted for many.",
                                  "PLAIT_BACKEND chooses where loops run.", true};
  job job = {.side = 1000, .steps = 20, .method = "curve", .processors = sysconf(_SC_NPROCESSORS_ONLN)};
  char *latency = "2", *bandwidth = "10", *per_cell = "0";
  const option_row rows[] = {
    {"side", "N", OPTION_INTEGER, &job.side, 2, 1000000, "cells along each side of the square"},
    {"steps", "N", OPTION_INTEGER, &job.steps, 1, 1000000, "time steps that are measured"},
    {"partition", PARTITION_METHODS, OPTION_CHOICE, &job.method, 0, 0, "which rank gets which cells"},
    {"latency", "US", OPTION_TEXT, &latency, 0, 0, "microseconds a message of the machine that is predicted"},
    {"bandwidth", "GB/S", OPTION_TEXT, &bandwidth, 0, 0, "bytes a second between two ranks of that machine"},
    {"nodes", NULL, OPTION_FLAG, &job.nodes, 0, 0, "a mesh with nodes, where places are, and maps to them"},
    {"predict", NULL, OPTION_FLAG, &job.predict, 0, 0, "print what the model says up to 100000 ranks"},
    {"per-cell", "NS", OPTION_TEXT, &per_cell, 0, 0,
     "nanoseconds a cell without other ranks: print what the model says of this run"},
    {"processors", "N", OPTION_INTEGER, &job.processors, 1, 1000000,
     "that all ranks share, for --per-cell (those of this machine)"},
    {"json", "FILE", OPTION_TEXT, &job.json_path, 0, 0, "write what was measured to FILE"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL}};
  mesh m = {0};
  outcome o = {0};
  PL_OK(m.pl, pl_init(&argc, &argv, NULL, &m.pl));
  int status = options_parse(&program, rows, argc, argv);
  if (status == OPTIONS_RUN) {
    job.latency_us = strtod(latency, NULL);
    job.gbytes_per_s = strtod(bandwidth, NULL);
    job.per_cell = 1e-9 * strtod(per_cell, NULL);
    measure(&m, &job, &o);
    status = pl_rank(m.pl) || tell(&m, &job, &o) ? 0 : 1;
  }
  pl_finalize(&m.pl);
  return status;
}
