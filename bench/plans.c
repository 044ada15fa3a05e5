/* SPDX-License-Identifier: BSD-2-Clause
 * plans: run time of the planner for the loops of airfoil that write through maps, and of renumbering a
 * shuffled mesh. Uses the planner's internal interface.
 *
 *   plans [--size IxJ] [--threads N] [--permute SEED]
 */
#include "core/base/clock.h"
#include "core/data/objects.h"
#include "plan/execution/inverse_map.h"
#include "plan/execution/plan_cache.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "../apps/airfoil/mesh.h"
#include "../apps/common/options.h"

/* Wall and processor time; the second is more reliable on a shared machine. */
typedef struct stamp {
  double wall, processor;
} stamp;

static stamp now(void)
{
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (stamp){pl_now(), (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                             1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec)};
}

typedef struct bench {
  pl_context *pl;
  pl_set *cells, *nodes, *edges, *bedges;
  pl_map *edge_cell, *bedge_cell, *cell_node, *edge_node;
  int threads;
  stamp total;
} bench;

static void declare(bench *b, const airfoil_mesh *mesh)
{
  pl_context *pl = b->pl;
  pl_dat *dat;
  PL_OK(pl, pl_decl_set(pl, mesh->ncell, "cells", &b->cells));
  PL_OK(pl, pl_decl_set(pl, mesh->nnode, "nodes", &b->nodes));
  PL_OK(pl, pl_decl_set(pl, mesh->nedge, "edges", &b->edges));
  PL_OK(pl, pl_decl_set(pl, mesh->nbedge, "bedges", &b->bedges));
  PL_OK(pl, pl_decl_map(b->edges, b->cells, 2, mesh->edge_cell, "edge_cell", &b->edge_cell));
  PL_OK(pl, pl_decl_map(b->bedges, b->cells, 1, mesh->bedge_cell, "bedge_cell", &b->bedge_cell));
  PL_OK(pl, pl_decl_map(b->cells, b->nodes, 4, mesh->cell_node, "cell_node", &b->cell_node));
  PL_OK(pl, pl_decl_map(b->edges, b->nodes, 2, mesh->edge_node, "edge_node", &b->edge_node));
  for (int i = 0; i < 3; i++) PL_OK(pl, pl_decl_dat(b->cells, 4, PL_DOUBLE, NULL, "q", &dat));
  PL_OK(pl, pl_decl_dat(b->cells, 1, PL_DOUBLE, NULL, "adt", &dat));
  PL_OK(pl, pl_decl_dat(b->nodes, 2, PL_DOUBLE, mesh->x, "x", &dat));
}

static void show(bench *b, const char *what, stamp start, bool counts)
{
  stamp end = now();
  printf("%-44s %8.4f s %8.4f s\n", what, end.wall - start.wall, end.processor - start.processor);
  if (!counts) return;
  b->total.wall += end.wall - start.wall;
  b->total.processor += end.processor - start.processor;
}

static void plan_map(bench *b, pl_map *map, const char *name)
{
  char text[80];
  const pl_reach reach = {map, PL_ALL, 0};
  pl_reach slot[8];
  pl_plan_request request = {.set = map->from, .end = map->from->end[3], .nconflict = 1, .conflict = &reach};
  const pl_thread_partition *split;
  const pl_plan *plan;
  pl_inverse inverse;
  stamp start = now();
  PL_OK(b->pl, pl_thread_partition_get(b->pl, &request, b->threads, &split));
  snprintf(text, sizeof text, "%s: split (tail %d)", name, split->ntail);
  show(b, text, start, true);
  start = now();
  PL_OK(b->pl, pl_plan_get(b->pl, &request, &plan));
  snprintf(text, sizeof text, "%s: colours of blocks (%d)", name, plan->ncolours);
  show(b, text, start, true);
  request.block_size = 128;
  request.element_colours = true;
  start = now();
  PL_OK(b->pl, pl_plan_get(b->pl, &request, &plan));
  snprintf(text, sizeof text, "%s: colours in blocks of 128 (%d)", name, plan->ncolours);
  show(b, text, start, true);
  for (int k = 0; k < map->arity; k++) slot[k] = (pl_reach){map, k, 0};
  start = now();
  PL_OK(b->pl, pl_inverse_build(b->pl, map->from, map->arity, slot, &inverse));
  snprintf(text, sizeof text, "%s: inverse", name);
  show(b, text, start, true);
  pl_inverse_free(b->pl, &inverse);
}

static int measure(const airfoil_mesh *mesh, int threads)
{
  const char *options[] = {"renumber=off", NULL};
  const pl_settings settings = {.options = options};
  bench b = {.threads = threads};
  PL_OK(b.pl, pl_init(NULL, NULL, &settings, &b.pl));
  declare(&b, mesh);
  printf("%-44s %10s %10s\n", "", "wall", "processor");
  stamp start = now();
  PL_OK(b.pl, pl_renumber(b.pl, PL_RENUMBER_RCM, b.edge_cell, NULL));
  show(&b, "renumbering (not in the sum)", start, false);
  plan_map(&b, b.edge_cell, "edges");
  plan_map(&b, b.bedge_cell, "boundary edges");
  printf("%-44s %8.4f s %8.4f s\n", "all plans", b.total.wall, b.total.processor);
  pl_finalize(&b.pl);
  return 0;
}

int main(int argc, char **argv)
{
  int size[2] = {400, 600};
  int64_t threads = 2, seed = -1;
  const option_program program = {
    "plans", "How long the planner takes for the loops of airfoil that write through maps.", NULL, true};
  const option_row rows[] = {
    {"size", "IxJ", OPTION_SIZE, size, 0, 0, "mesh of 3 I J cells"},
    {"threads", "N", OPTION_INTEGER, &threads, 1, 1024, "threads among which the split divides"},
    {"permute", "SEED", OPTION_INTEGER, &seed, -1, INT64_MAX, "number the mesh at random first; -1: do not"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  airfoil_mesh mesh;
  mesh_error error;
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  if (!mesh_make(&mesh, size[0], size[1], &error) ||
      (seed >= 0 && !mesh_permute(&mesh, (uint64_t)seed, &error))) {
    fprintf(stderr, "plans: %s\n", error.text);
    return 1;
  }
  const int result = measure(&mesh, (int)threads);
  mesh_free(&mesh);
  return result;
}
