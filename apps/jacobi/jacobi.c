/* SPDX-License-Identifier: BSD-2-Clause
 * jacobi: Jacobi iteration for Laplace's equation on a square with boundary value 1, the matrix kept on the
 * edges of a graph. Shows increments through a map and two kinds of reduction.
 *
 * Inner points of an n x n grid are the nodes. Each node has an edge to itself (-1) and one to each neighbour
 * inside (1/4); neighbours on the boundary go to the right-hand side. One iteration is u += A u + r.
 */
#include "plait.h"

#include <math.h>
#include <stdbool.h>

#include "../common/options.h"
#include "../common/output.h"
#include "../common/progress.h"
#include "reference.h"

/* Edges: du of the first node, from u of the second. */
PL_KERNEL(residual, (const double *a, const double *u, double *du, const double *beta),
          { *du += *beta * *a * *u; })

/* Nodes: the new u, its squares summed up and its maximum. */
PL_KERNEL(advance, (const double *r, double *du, double *u, double *u_sum, double *u_max), {
  *u += *du + *r;
  *du = 0.0;
  *u_sum += *u * *u;
  *u_max = *u > *u_max ? *u : *u_max;
})

/* ---- the graph ---- */

typedef struct graph {
  int nnode, nedge;
  int *node;     /* 2 an edge */
  double *a, *r; /* of each edge; of each node */
} graph;

static void add_edge(graph *g, int from, int to, double a)
{
  g->node[2 * g->nedge] = from;
  g->node[2 * g->nedge + 1] = to;
  g->a[g->nedge++] = a;
}

static void link_node(graph *g, int side, int i, int j)
{
  static const int step[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  const int node = i * side + j;
  add_edge(g, node, node, -1.0);
  g->r[node] = 0.0;
  for (int k = 0; k < 4; k++) {
    const int i2 = i + step[k][0], j2 = j + step[k][1];
    if (i2 < 0 || j2 < 0 || i2 == side || j2 == side)
      g->r[node] += 0.25;
    else
      add_edge(g, node, i2 * side + j2, 0.25);
  }
}

static bool graph_make(graph *g, int n)
{
  const int side = n - 1, nedge = side * side + 4 * side * (side - 1);
  *g = (graph){.nnode = side * side};
  g->node = malloc(2 * (size_t)nedge * sizeof(int));
  g->a = malloc((size_t)nedge * sizeof(double));
  g->r = malloc((size_t)g->nnode * sizeof(double));
  if (!g->node || !g->a || !g->r) return false;
  for (int i = 0; i < side; i++)
    for (int j = 0; j < side; j++) link_node(g, side, i, j);
  return true;
}

static void graph_free(graph *g)
{
  free(g->node);
  free(g->a);
  free(g->r);
}

/* ---- the iteration ---- */

typedef struct solution {
  double (*log)[2]; /* max and rms of u after each iteration */
  double *u;        /* final */
} solution;

typedef struct problem {
  pl_set *nodes, *edges;
  pl_map *edge_node;
  pl_dat *a, *r, *u, *du;
  pl_global *beta, *u_sum, *u_max;
} problem;

/* Rank 0 declares everything; the nodes are then dealt out, and the edges follow them. */
static void declare(pl_context *pl, problem *p, const graph *g)
{
  const double one = 1.0;
  const bool mine = pl_rank(pl) == 0;
  PL_OK(pl, pl_decl_set(pl, mine ? g->nnode : 0, "nodes", &p->nodes));
  PL_OK(pl, pl_decl_set(pl, mine ? g->nedge : 0, "edges", &p->edges));
  PL_OK(pl, pl_decl_map(p->edges, p->nodes, 2, g->node, "edge_node", &p->edge_node));
  PL_OK(pl, pl_decl_dat(p->edges, 1, PL_DOUBLE, g->a, "a", &p->a));
  PL_OK(pl, pl_decl_dat(p->nodes, 1, PL_DOUBLE, g->r, "r", &p->r));
  PL_OK(pl, pl_decl_dat(p->nodes, 1, PL_DOUBLE, NULL, "u", &p->u));
  PL_OK(pl, pl_decl_dat(p->nodes, 1, PL_DOUBLE, NULL, "du", &p->du));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, &one, "beta", &p->beta));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "u_sum", &p->u_sum));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "u_max", &p->u_max));
}

static void undeclare(problem *p)
{
  pl_global_free(&p->u_max);
  pl_global_free(&p->u_sum);
  pl_global_free(&p->beta);
  pl_dat_free(&p->du);
  pl_dat_free(&p->u);
  pl_dat_free(&p->r);
  pl_dat_free(&p->a);
  pl_map_free(&p->edge_node);
  pl_set_free(&p->edges);
  pl_set_free(&p->nodes);
}

static void iterate(pl_context *pl, problem *p)
{
  PL_OK(pl, pl_par_loop(residual, p->edges, pl_arg_direct(p->a, PL_READ),
                        pl_arg_dat(p->u, 1, p->edge_node, PL_READ),
                        pl_arg_dat(p->du, 0, p->edge_node, PL_INC), pl_arg_gbl(p->beta, PL_READ)));
  PL_OK(pl, pl_global_zero(p->u_sum));
  PL_OK(pl, pl_global_zero(p->u_max));
  PL_OK(pl,
        pl_par_loop(advance, p->nodes, pl_arg_direct(p->r, PL_READ), pl_arg_direct(p->du, PL_RW),
                    pl_arg_direct(p->u, PL_RW), pl_arg_gbl(p->u_sum, PL_INC), pl_arg_gbl(p->u_max, PL_MAX)));
}

PL_KERNEL(place_node, (const int64_t *i, const int *side, double x[2]), {
  x[0] = (double)(*i / *side + 1) / (*side + 1);
  x[1] = (double)(*i % *side + 1) / (*side + 1);
})

static bool write_files(pl_context *pl, const problem *p, const output_files *files)
{
  const int side = (int)lround(sqrt((double)pl_set_global_size(p->nodes)));
  pl_dat *x;
  pl_global *count;
  PL_OK(pl, pl_decl_dat(p->nodes, 2, PL_DOUBLE, NULL, "x", &x));
  PL_OK(pl, pl_decl_global(pl, 1, PL_INT, &side, "side", &count));
  PL_OK(pl, pl_par_loop(place_node, p->nodes, pl_arg_idx(PL_ID, PL_DIRECT), pl_arg_gbl(count, PL_READ),
                        pl_arg_direct(x, PL_WRITE)));
  const picture drawn = {.title = "u at the nodes", .x = x, .value = p->u};
  const bool good = output_write(pl, "jacobi", files, &drawn);
  pl_global_free(&count);
  pl_dat_free(&x);
  return good;
}

static bool solve(pl_context *pl, const graph *g, int iterations, const output_files *files, solution *s)
{
  problem p;
  declare(pl, &p, g);
  PL_OK(pl, pl_partition(p.nodes, PL_PARTITION_BLOCK, NULL));
  progress shown;
  progress_begin(&shown, pl_rank(pl), "iterations", 0, iterations);
  for (int i = 0; i < iterations; i++) {
    double sum;
    iterate(pl, &p);
    PL_OK(pl, pl_global_get(p.u_max, &s->log[i][0]));
    PL_OK(pl, pl_global_get(p.u_sum, &sum));
    s->log[i][1] = sqrt(sum / g->nnode);
    progress_step(&shown, i + 1);
  }
  progress_clear(&shown);
  PL_OK(pl, pl_dat_fetch(p.u, s->u));
  const bool good = write_files(pl, &p, files);
  undeclare(&p);
  return good;
}

/* ---- the check ---- */

static const double tolerance = 1e-14;

static void keep_worst(double *worst, double difference)
{
  if (!(fabs(difference) <= *worst)) *worst = fabs(difference);
}

/* The largest deviation from the reference: of the log, of each u where they are kept, else of their sum and
 * range. */
static double deviation(const reference_case *ref, const graph *g, const solution *s)
{
  double worst = 0.0, sum = 0.0, max = s->u[0], min = s->u[0];
  for (int i = 0; i < ref->iterations; i++)
    for (int k = 0; k < 2; k++) keep_worst(&worst, s->log[i][k] - ref->log[i][k]);
  for (int i = 0; i < g->nnode; i++) {
    if (ref->u) keep_worst(&worst, s->u[i] - ref->u[i]);
    sum += s->u[i];
    max = fmax(max, s->u[i]);
    min = fmin(min, s->u[i]);
  }
  keep_worst(&worst, max - ref->max);
  keep_worst(&worst, min - ref->min);
  keep_worst(&worst, (sum - ref->sum) / ref->sum);
  return worst;
}

static bool report(const reference_case *ref, const graph *g, int iterations, const solution *s)
{
  const double *last = s->log[iterations - 1];
  printf("%d nodes, %d edges, %d iterations: max %.15g, rms %.15g", g->nnode, g->nedge, iterations, last[0],
         last[1]);
  const double worst = ref ? deviation(ref, g, s) : 0.0;
  if (ref) printf(": within %.1e of the reference: %s", worst, worst <= tolerance ? "ok" : "WRONG");
  putchar('\n');
  return worst <= tolerance;
}

/* Runs one case, and compares it with its reference values if `ref` is given. */
static bool run(pl_context *pl, int n, int iterations, const output_files *files, const reference_case *ref)
{
  graph g;
  bool good = graph_make(&g, n);
  solution s = {malloc((size_t)iterations * sizeof *s.log), malloc((size_t)g.nnode * sizeof *s.u)};
  good = good && s.log && s.u;
  if (good) {
    good = solve(pl, &g, iterations, files, &s);
    good &= pl_rank(pl) > 0 || report(ref, &g, iterations, &s);
  } else {
    fprintf(stderr, "jacobi: no memory for %d nodes\n", g.nnode);
  }
  graph_free(&g);
  free(s.log);
  free(s.u);
  return good;
}

static bool check(pl_context *pl)
{
  static const output_files none = {NULL, NULL};
  bool good = true;
  for (size_t i = 0; i < sizeof reference_cases / sizeof *reference_cases; i++) {
    const reference_case *ref = &reference_cases[i];
    good &= run(pl, ref->n, ref->iterations, &none, ref);
  }
  return good;
}

int main(int argc, char **argv)
{
  int64_t n = 6, iterations = 200;
  bool checking = false;
  output_files files = {NULL, NULL};
  const option_program program = {
    "jacobi", "Jacobi iteration for Laplace's equation on a square with boundary value 1.", NULL, true};
  const option_row rows[] = {
    {"size", "N", OPTION_INTEGER, &n, 2, 10000, "intervals along a side"},
    {"iterations", "N", OPTION_INTEGER, &iterations, 1, 100000000, "iterations"},
    OUTPUT_OPTIONS(&files, "the solution", "nodes and solution"),
    {"check", NULL, OPTION_FLAG, &checking, 0, 0, "run all reference cases instead, and compare to 1e-14"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;

  pl_context *pl;
  bool good = pl_init(&argc, &argv, NULL, &pl) == PL_SUCCESS;
  if (!good)
    fprintf(stderr, "jacobi: %s\n", pl_errmsg(pl));
  else
    good = checking ? check(pl) : run(pl, (int)n, (int)iterations, &files, NULL);
  pl_finalize(&pl);
  return good ? 0 : 1;
}
