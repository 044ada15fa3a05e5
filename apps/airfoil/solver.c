/* SPDX-License-Identifier: BSD-2-Clause
 * The airfoil solver on Plait: sets, maps, dats and the nine loops of an iteration. Compiled once with
 * PL_REAL=double and once with PL_REAL=float.
 */
#include "plait.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/checkpoint.h"
#include "../common/partition.h"
#include "../common/output.h"
#include "../common/ranks.h"
#include "../common/wall.h"
#include "mesh_hdf5.h"
#include "solver.h"

/* The consts of the kernels. The library keeps its own copies; these are for the compiler of this file.
 */
static pl_real gam, gm1, cfl, eps, qinf[4];

#include "kernels.h"

enum { LOOPS = 5 };
static const pl_type real_type = sizeof(pl_real) == sizeof(float) ? PL_FLOAT : PL_DOUBLE;

typedef struct flow {
  pl_context *pl;
  pl_set *nodes, *cells, *edges, *bedges;
  pl_map *cell_node, *edge_node, *edge_cell, *bedge_node, *bedge_cell;
  pl_dat *x, *bound, *q, *qold, *adt, *res;
  pl_global *rms;
} flow;

/* ---- declarations ---- */

/* The published results belong to constants that were rounded to float first, in double precision too. */
static void declare_consts(pl_context *pl)
{
  gam = (pl_real)1.4f;
  gm1 = gam - (pl_real)1;
  cfl = (pl_real)0.9f;
  eps = (pl_real)0.05f;
  const double mach = (double)0.4f, p = 1.0, r = 1.0, u = sqrt((double)gam * p / r) * mach;
  qinf[0] = (pl_real)r;
  qinf[1] = (pl_real)(r * u);
  qinf[2] = (pl_real)0;
  qinf[3] = (pl_real)(r * (p / (r * (double)gm1) + 0.5 * u * u));
  PL_OK(pl, pl_decl_const(pl, "gam", 1, real_type, &gam, NULL));
  PL_OK(pl, pl_decl_const(pl, "gm1", 1, real_type, &gm1, NULL));
  PL_OK(pl, pl_decl_const(pl, "cfl", 1, real_type, &cfl, NULL));
  PL_OK(pl, pl_decl_const(pl, "eps", 1, real_type, &eps, NULL));
  PL_OK(pl, pl_decl_const(pl, "qinf", 4, real_type, qinf, NULL));
}

static void take_mesh(flow *f, const mesh_objects *o)
{
  f->nodes = o->set[MESH_NODES], f->cells = o->set[MESH_CELLS];
  f->edges = o->set[MESH_EDGES], f->bedges = o->set[MESH_BEDGES];
  f->cell_node = o->map[MESH_CELL_NODE];
  f->edge_node = o->map[MESH_EDGE_NODE], f->edge_cell = o->map[MESH_EDGE_CELL];
  f->bedge_node = o->map[MESH_BEDGE_NODE], f->bedge_cell = o->map[MESH_BEDGE_CELL];
  f->bound = o->bound;
}

static void declare_mesh(flow *f, const airfoil_mesh *mesh)
{
  pl_context *pl = f->pl;
  PL_OK(pl, pl_decl_set(pl, mesh->nnode, "nodes", &f->nodes));
  PL_OK(pl, pl_decl_set(pl, mesh->ncell, "cells", &f->cells));
  PL_OK(pl, pl_decl_set(pl, mesh->nedge, "edges", &f->edges));
  PL_OK(pl, pl_decl_set(pl, mesh->nbedge, "bedges", &f->bedges));
  PL_OK(pl, pl_decl_map(f->cells, f->nodes, 4, mesh->cell_node, "cell_node", &f->cell_node));
  PL_OK(pl, pl_decl_map(f->edges, f->nodes, 2, mesh->edge_node, "edge_node", &f->edge_node));
  PL_OK(pl, pl_decl_map(f->edges, f->cells, 2, mesh->edge_cell, "edge_cell", &f->edge_cell));
  PL_OK(pl, pl_decl_map(f->bedges, f->nodes, 2, mesh->bedge_node, "bedge_node", &f->bedge_node));
  PL_OK(pl, pl_decl_map(f->bedges, f->cells, 1, mesh->bedge_cell, "bedge_cell", &f->bedge_cell));
  PL_OK(pl, pl_decl_dat(f->bedges, 1, PL_INT, mesh->bound, "bound", &f->bound));
}

/* Fills a new dat through its host view: `width` values an element, from doubles that begin again after
 * `period`. */
static void fill(pl_context *pl, pl_dat *dat, const double *from, size_t period)
{
  void *view;
  PL_OK(pl, pl_dat_get(dat, PL_WRITE, &view));
  const size_t n = pl_dat_nbytes(dat) / sizeof(pl_real);
  pl_real *value = view;
  for (size_t i = 0, k = 0; i < n; i++, k = k + 1 < period ? k + 1 : 0) value[i] = (pl_real)from[k];
  PL_OK(pl, pl_dat_put(dat));
}

/* The places of nodes in the solver's precision: from doubles, or from a dat of doubles, which goes. */
static void fill_places(flow *f, const double *x, pl_dat *wide)
{
  void *view = NULL;
  if (wide) PL_OK(f->pl, pl_dat_get(wide, PL_READ, &view));
  fill(f->pl, f->x, wide ? view : x, SIZE_MAX);
  if (!wide) return;
  PL_OK(f->pl, pl_dat_put(wide));
  pl_dat_free(&wide);
}

static void declare_dats(flow *f, const airfoil_mesh *mesh, pl_dat *places)
{
  pl_context *pl = f->pl;
  const double start[4] = {(double)qinf[0], (double)qinf[1], (double)qinf[2], (double)qinf[3]};
  PL_OK(pl, pl_decl_dat(f->nodes, 2, real_type, NULL, "x", &f->x));
  PL_OK(pl, pl_decl_dat(f->cells, 4, real_type, NULL, "q", &f->q));
  PL_OK(pl, pl_decl_dat(f->cells, 4, real_type, NULL, "qold", &f->qold));
  PL_OK(pl, pl_decl_dat(f->cells, 1, real_type, NULL, "adt", &f->adt));
  PL_OK(pl, pl_decl_dat(f->cells, 4, real_type, NULL, "res", &f->res));
  PL_OK(pl, pl_decl_global(pl, 1, real_type, NULL, "rms", &f->rms));
  fill_places(f, mesh->x, places);
  fill(pl, f->q, start, 4);
}

/* Orders the mesh by hand, or says that it shall not be; auto leaves it to the library. */
static void renumber(flow *f, const char *how)
{
  static const struct {
    const char *name;
    pl_renumber_method method;
  } methods[] = {{"rcm", PL_RENUMBER_RCM}, {"hilbert", PL_RENUMBER_HILBERT}, {"metis", PL_RENUMBER_METIS}};
  if (strcmp(how, "off") == 0) PL_OK(f->pl, pl_set_option(f->pl, "renumber", "off"));
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (strcmp(how, methods[i].name) == 0)
      PL_OK(f->pl, pl_renumber(f->pl, methods[i].method, f->edge_cell, f->x));
}

/* Under mpirun rank 0 declares the whole mesh, which then goes to where it belongs. */
static void partition(flow *f, const char *how)
{
  const pl_partition_options options = {.coords = f->x, .map = f->edge_cell};
  PL_OK(f->pl, partition_by_name(f->cells, how, &options));
}

/* ---- the loops: with `ahead` made ready only, else run ---- */

#define LOOP(f, ahead, ...)                                                                                  \
  PL_OK((f)->pl, (ahead) ? pl_loop_create((ahead), __VA_ARGS__) : pl_par_loop(__VA_ARGS__))

static void loop_save_soln(flow *f, pl_loop **ahead)
{
  LOOP(f, ahead, save_soln, f->cells, pl_arg_direct(f->q, PL_READ), pl_arg_direct(f->qold, PL_WRITE));
}

static void loop_adt_calc(flow *f, pl_loop **ahead)
{
  LOOP(f, ahead, adt_calc, f->cells, pl_arg_dat(f->x, PL_ALL, f->cell_node, PL_READ),
       pl_arg_direct(f->q, PL_READ), pl_arg_direct(f->adt, PL_WRITE));
}

static void loop_res_calc(flow *f, pl_loop **ahead)
{
  LOOP(f, ahead, res_calc, f->edges, pl_arg_dat(f->x, 0, f->edge_node, PL_READ),
       pl_arg_dat(f->x, 1, f->edge_node, PL_READ), pl_arg_dat(f->q, 0, f->edge_cell, PL_READ),
       pl_arg_dat(f->q, 1, f->edge_cell, PL_READ), pl_arg_dat(f->adt, 0, f->edge_cell, PL_READ),
       pl_arg_dat(f->adt, 1, f->edge_cell, PL_READ), pl_arg_dat(f->res, 0, f->edge_cell, PL_INC),
       pl_arg_dat(f->res, 1, f->edge_cell, PL_INC));
}

static void loop_bres_calc(flow *f, pl_loop **ahead)
{
  LOOP(f, ahead, bres_calc, f->bedges, pl_arg_dat(f->x, 0, f->bedge_node, PL_READ),
       pl_arg_dat(f->x, 1, f->bedge_node, PL_READ), pl_arg_dat(f->q, 0, f->bedge_cell, PL_READ),
       pl_arg_dat(f->adt, 0, f->bedge_cell, PL_READ), pl_arg_dat(f->res, 0, f->bedge_cell, PL_INC),
       pl_arg_direct(f->bound, PL_READ));
}

static void loop_update(flow *f, pl_loop **ahead)
{
  LOOP(f, ahead, update, f->cells, pl_arg_direct(f->qold, PL_READ), pl_arg_direct(f->q, PL_WRITE),
       pl_arg_direct(f->res, PL_RW), pl_arg_direct(f->adt, PL_READ), pl_arg_gbl(f->rms, PL_INC));
}

/* One step said so that a chain can see through it: a copy, zeros, and an update that only reads the
 * residual. */
static void iterate_in_chain(flow *f)
{
  PL_OK(f->pl, pl_dat_copy(f->q, f->qold));
  for (int stage = 0; stage < 2; stage++) {
    loop_adt_calc(f, NULL);
    PL_OK(f->pl, pl_dat_zero(f->res));
    loop_res_calc(f, NULL);
    loop_bres_calc(f, NULL);
    PL_OK(f->pl, pl_global_zero(f->rms));
    PL_OK(f->pl, pl_par_loop(update_only, f->cells, pl_arg_direct(f->qold, PL_READ),
                             pl_arg_direct(f->q, PL_WRITE), pl_arg_direct(f->res, PL_READ),
                             pl_arg_direct(f->adt, PL_READ), pl_arg_gbl(f->rms, PL_INC)));
  }
}

/* Plans, generates, compiles and brings to a device now what the first iteration would have to; pl_par_loop
 * finds it. */
static void prepare(flow *f)
{
  pl_loop *ahead[LOOPS]; /* live until pl_finalize */
  loop_save_soln(f, &ahead[0]);
  loop_adt_calc(f, &ahead[1]);
  loop_res_calc(f, &ahead[2]);
  loop_bres_calc(f, &ahead[3]);
  loop_update(f, &ahead[4]);
  pl_dat *const dats[] = {f->x, f->bound, f->q, f->qold, f->adt, f->res};
  for (size_t i = 0; i < sizeof dats / sizeof *dats; i++) PL_OK(f->pl, pl_dat_to_device(dats[i]));
}

static void iterate(flow *f)
{
  loop_save_soln(f, NULL);
  for (int stage = 0; stage < 2; stage++) {
    loop_adt_calc(f, NULL);
    loop_res_calc(f, NULL);
    loop_bres_calc(f, NULL);
    PL_OK(f->pl, pl_global_zero(f->rms));
    loop_update(f, NULL);
  }
}

/* ---- the run and its report ---- */

/* Makes the chain's loops before the clock starts. As many steps as lie between two residuals that are
 * asked for. */
static void warm_up(flow *f)
{
  pl_chain *chain;
  double sum;
  PL_OK(f->pl, pl_chain_begin(f->pl, "airfoil", &chain));
  PL_OK(f->pl, pl_chain_warm_up(chain));
  for (int part = 0; part < 2; part++) {
    for (int i = 0; i < REPORT_EVERY; i++) iterate_in_chain(f);
    PL_OK(f->pl, pl_global_get(f->rms, &sum));
  }
  PL_OK(f->pl, pl_chain_end(chain));
}

static void run(flow *f, const airfoil_job *job, airfoil_report *report)
{
  const bool in_chain = job->chain;
  checkpoint saved;
  const int done = checkpoint_begin(&saved, f->pl, &job->checkpoint);
  pl_chain *chain;
  pl_stats all;
  PL_OK(f->pl, pl_get_stats_ranks(f->pl, &all, NULL)); /* all ranks begin together */
  const double start = wall_seconds();
  if (in_chain) PL_OK(f->pl, pl_chain_begin(f->pl, "airfoil", &chain));
  for (int iteration = done + 1; iteration <= report->iterations; iteration++) {
    in_chain ? iterate_in_chain(f) : iterate(f);
    checkpoint_step(&saved, iteration);
    if (!report_due(report, iteration)) {
      report_progress(report, iteration);
      continue;
    }
    double sum;
    PL_OK(f->pl, pl_global_get(f->rms, &sum));
    report_residual(report, iteration, sum);
  }
  if (in_chain) PL_OK(f->pl, pl_chain_end(chain));
  report->seconds = wall_seconds() - start;
}

static report_loop *find_loop(airfoil_report *report, const char *name)
{
  for (int i = 0; i < report->nloops; i++)
    if (strcmp(report->loops[i].name, name) == 0) return &report->loops[i];
  if (report->nloops == REPORT_LOOPS) return NULL;
  report_loop *loop = &report->loops[report->nloops++];
  snprintf(loop->name, sizeof loop->name, "%s", name);
  return loop;
}

/* The loops of the profile; a kernel that ran in several ways is summed. Timed regions have no set. */
static void report_loops(pl_context *pl, airfoil_report *report)
{
  pl_profile_entry entry;
  for (int i = 0; pl_profile_at(pl, i, &entry) == PL_SUCCESS; i++) {
    report_loop *loop = *entry.set ? find_loop(report, entry.name) : NULL;
    if (!loop) continue;
    loop->calls += entry.calls;
    loop->seconds += entry.seconds;
    loop->bytes += entry.bytes;
  }
}

static void report_halos(flow *f, airfoil_report *report)
{
  pl_stats sum, most;
  pl_partition_info info;
  PL_OK(f->pl, pl_get_stats_ranks(f->pl, &sum, &most));
  report->halo_messages = sum.halo_messages;
  report->halo_messages_most = most.halo_messages;
  report->halo_bytes = sum.halo_bytes;
  report->halo_bytes_most = most.halo_bytes;
  report->halo_seconds = sum.halo_seconds / report->ranks;
  report->halo_seconds_most = most.halo_seconds;
  PL_OK(f->pl, pl_get_partition(f->edge_cell, &info));
  report->imbalance = info.imbalance;
  report->edge_cut = info.cut;
  report->halo_elements = info.halo;
  report->neighbours = info.neighbours;
}

/* Of a mesh that ranks have in parts. */
static void count(const flow *f, airfoil_report *report)
{
  report->nnode = (int)pl_set_global_size(f->nodes);
  report->ncell = (int)pl_set_global_size(f->cells);
  report->nedge = (int)pl_set_global_size(f->edges);
  report->nbedge = (int)pl_set_global_size(f->bedges);
}

/* Each rank hashes the cells that it owns. */
static void report_flow(flow *f, const airfoil_mesh *mesh, airfoil_report *report)
{
  const size_t n = (size_t)pl_set_size(f->cells);
  int64_t *cells = malloc((n + 1) * sizeof *cells);
  void *q;
  if (!cells) return (void)fprintf(stderr, "airfoil: no memory for the hash of the flow\n");
  PL_OK(f->pl, pl_set_global(f->cells, cells));
  PL_OK(f->pl, pl_dat_get(f->q, PL_READ, &q));
  if (real_type == PL_FLOAT) report_flow_float(report, mesh, n, cells, q);
  if (real_type == PL_DOUBLE) report_flow_double(report, mesh, n, cells, q);
  PL_OK(f->pl, pl_dat_put(f->q));
  free(cells);
  report->hash = ranks_sum(f->pl, report->hash);
}

/* The Mach number around the aerofoil. */
static bool write_files(flow *f, const output_files *files)
{
  pl_dat *mach;
  if (!files->picture && !files->save) return true;
  PL_OK(f->pl, pl_decl_dat(f->cells, 1, real_type, NULL, "mach", &mach));
  PL_OK(f->pl,
        pl_par_loop(mach_number, f->cells, pl_arg_direct(f->q, PL_READ), pl_arg_direct(mach, PL_WRITE)));
  const picture drawn = {.title = "Mach number",
                         .x = f->x,
                         .corners = f->cell_node,
                         .value = mach,
                         .window = {-0.5, 1.5, -0.6, 0.6},
                         .range = {0.24, 0.48}};
  const bool good = output_write(f->pl, "airfoil", files, &drawn);
  pl_dat_free(&mach);
  return good;
}

#define NAME_(real) airfoil_solve_##real
#define NAME(real) NAME_(real)

bool NAME(PL_REAL)(void *context, const airfoil_job *job, const airfoil_mesh *mesh, airfoil_report *report)
{
  const solver_context *opened = context;
  flow f = {.pl = opened->pl};
  const mesh_objects *declared = opened->declared;
  const airfoil_mesh none = {0};
  report->rank = pl_rank(f.pl);
  report->ranks = pl_ranks(f.pl);
  const airfoil_mesh *own = opened->part ? opened->part : report->rank > 0 ? &none : mesh;
  const double start = wall_seconds();
  declare_consts(f.pl);
  if (declared)
    take_mesh(&f, declared);
  else
    declare_mesh(&f, own);
  declare_dats(&f, own, declared ? declared->x : NULL);
  if (opened->part) mesh_free(opened->part);
  count(&f, report);
  partition(&f, job->partition);
  renumber(&f, job->renumber);
  prepare(&f);
  if (job->chain) warm_up(&f);
  report->setup_seconds = wall_seconds() - start + opened->open_seconds;
  PL_OK(f.pl, pl_vtk_grid(f.x, f.cell_node));
  run(&f, job, report);
  report_loops(f.pl, report);
  report_halos(&f, report);
  if (job->json_path) report->peak_bytes = ranks_most(f.pl, report_peak());
  if (job->json_path) report_flow(&f, mesh, report);
  return write_files(&f, &job->files);
}
