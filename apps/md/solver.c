/* SPDX-License-Identifier: BSD-2-Clause
 * The simulation on Plait: positions, velocities and forces on a set of particles, the pairs that are near,
 * and velocity Verlet. This is all that a user writes; state.c makes the start, md.c reads the command line.
 */
#include "solver.h"

#include "../common/checkpoint.h"
#include "../common/output.h"
#include "../common/progress.h"
#include "../common/series.h"
#include "../common/wall.h"
#include "kernels.h"

typedef struct system {
  pl_context *pl;
  const md_case *kind;
  pl_set *particles;
  pl_dat *x, *v, *f;
  pl_domain *box;
  pl_map *pairs;
  pl_global *potential, *virial, *kinetic;
  pl_const *dt, *side;
  double volume;
} md_system;

#define HERE(dat, access) pl_arg_direct((dat), (access))

/* ---- from and to doubles ---- */

static void put(md_system *s, pl_dat *dat, const double *values)
{
  void *there;
  size_t n = (size_t)pl_set_size(s->particles) * (size_t)pl_dat_dim(dat);
  PL_OK(s->pl, pl_dat_get(dat, PL_WRITE, &there));
  for (size_t k = 0; k < n; k++)
    if (pl_dat_type(dat) == PL_DOUBLE)
      ((double *)there)[k] = values[k];
    else
      ((float *)there)[k] = (float)values[k];
  PL_OK(s->pl, pl_dat_put(dat));
}

/* ---- declarations ---- */

static void declare_const(md_system *s, const char *name, pl_type type, double value, pl_const **constant)
{
  PL_OK(s->pl, pl_decl_const_from(s->pl, name, 1, type, PL_DOUBLE, &value, constant));
}

static void declare(md_system *s, const md_state *state, const md_run *run)
{
  const md_case *kind = s->kind;
  const int periodic[3] = {kind->periodic, kind->periodic, kind->periodic};
  PL_OK(s->pl, pl_decl_set(s->pl, pl_rank(s->pl) ? 0 : state->n, "particles", &s->particles));
  PL_OK(s->pl, pl_decl_dat(s->particles, kind->dim, run->type, NULL, "x", &s->x));
  PL_OK(s->pl, pl_decl_dat(s->particles, kind->dim, run->type, NULL, "v", &s->v));
  PL_OK(s->pl, pl_decl_dat(s->particles, kind->dim, run->type, NULL, "f", &s->f));
  PL_OK(s->pl, pl_decl_domain(s->pl, kind->dim, state->low, state->high, periodic, "box", &s->box));
  PL_OK(s->pl, pl_decl_pair_map(s->x, s->box, kind->cutoff, kind->skin, "pairs", &s->pairs));
  PL_OK(s->pl, pl_decl_global(s->pl, 1, PL_DOUBLE, NULL, "potential", &s->potential));
  PL_OK(s->pl, pl_decl_global(s->pl, 1, PL_DOUBLE, NULL, "virial", &s->virial));
  PL_OK(s->pl, pl_decl_global(s->pl, 1, PL_DOUBLE, NULL, "kinetic", &s->kinetic));
  declare_const(s, "dt", run->type, run->dt, &s->dt);
  declare_const(s, "side", run->type, state->high[0], &s->side);
  s->volume = 1;
  for (int a = 0; a < kind->dim; a++) s->volume *= state->high[a] - state->low[a];
  put(s, s->x, state->x);
  put(s, s->v, state->v);
}

/* ---- a step ---- */

static void feel_pairs(md_system *s, bool energies)
{
  const pl_kernel *force = s->kind->every_pair ? force2_all : s->kind->dim == 2 ? force2 : force3;
  PL_OK(s->pl, pl_pair_loop(force, s->pairs, pl_arg_zeroed(pl_arg_dat(s->f, PL_BOTH, s->pairs, PL_INC_ANTI)),
                            pl_arg_difference(s->x), pl_arg_distance2(s->x),
                            pl_arg_opt(pl_arg_gbl(s->potential, PL_INC), energies),
                            pl_arg_opt(pl_arg_gbl(s->virial, PL_INC), energies)));
}

static void feel_walls(md_system *s, bool energies)
{
  PL_OK(s->pl, pl_par_loop(s->kind->dim == 2 ? wall2 : wall3, s->particles, HERE(s->f, PL_INC),
                           HERE(s->x, PL_READ), pl_arg_opt(pl_arg_gbl(s->potential, PL_INC), energies)));
}

static void drift(md_system *s)
{
  PL_OK(s->pl, pl_par_loop(s->kind->dim == 2 ? drift2 : drift3, s->particles, HERE(s->x, PL_RW),
                           HERE(s->v, PL_RW), HERE(s->f, PL_READ)));
}

static void kick(md_system *s, bool energies)
{
  PL_OK(s->pl, pl_par_loop(s->kind->dim == 2 ? kick2 : kick3, s->particles, HERE(s->v, PL_RW),
                           HERE(s->f, PL_READ), pl_arg_opt(pl_arg_gbl(s->kinetic, PL_INC), energies)));
}

static void forget_energies(md_system *s)
{
  PL_OK(s->pl, pl_global_zero(s->potential));
  PL_OK(s->pl, pl_global_zero(s->virial));
  PL_OK(s->pl, pl_global_zero(s->kinetic));
}

static void advance(md_system *s, bool energies)
{
  if (energies) forget_energies(s);
  drift(s);
  feel_pairs(s, energies);
  if (s->kind->walls) feel_walls(s, energies);
  kick(s, energies);
}

static void keep_energies(md_system *s, md_run *run, int step)
{
  double virial;
  md_energy *e = &run->energy[run->energies++];
  e->step = step;
  PL_OK(s->pl, pl_global_get(s->potential, &e->potential));
  PL_OK(s->pl, pl_global_get(s->kinetic, &e->kinetic));
  PL_OK(s->pl, pl_global_get(s->virial, &virial));
  e->pressure = s->kind->periodic ? (2 * e->kinetic + virial) / (s->kind->dim * s->volume) : 0;
}

/* Energies at the start, and all loops compiled before the clock runs: a kick by no force shows the kinetic
 * energy and changes nothing. */
static void prepare(md_system *s, md_run *run)
{
  PL_OK(s->pl, pl_dat_zero(s->f));
  kick(s, false);
  kick(s, true);
  if (s->kind->walls) feel_walls(s, false);
  if (s->kind->walls) feel_walls(s, true);
  feel_pairs(s, false);
  PL_OK(s->pl, pl_global_zero(s->potential));
  feel_pairs(s, true);
  keep_energies(s, run, 0);
}

static bool is_reported(const md_run *run, int step)
{
  return step % run->every == 0 || step == run->steps;
}

/* Makes the chain's loops before the clock starts: the first steps, up to the second report. */
static void warm_up(md_system *s, const md_run *run)
{
  enum { MOST_STEPS = 200 };
  pl_chain *chain;
  double sum;
  const int last = run->steps < MOST_STEPS ? run->steps : MOST_STEPS;
  PL_OK(s->pl, pl_chain_begin(s->pl, "md", &chain));
  PL_OK(s->pl, pl_chain_warm_up(chain));
  for (int step = 1; step <= last && step <= 2 * run->every; step++) {
    advance(s, is_reported(run, step));
    if (is_reported(run, step)) PL_OK(s->pl, pl_global_get(s->potential, &sum));
  }
  PL_OK(s->pl, pl_chain_end(chain));
}

/* The particles at the end, in three dimensions those in the middle, coloured by speed. */
static bool write_files(md_system *s, const md_state *state, const output_files *files)
{
  const bool flat = s->kind->dim == 2;
  const double middle = flat ? 0 : (state->low[2] + state->high[2]) / 2;
  pl_dat *speed;
  PL_OK(s->pl, pl_decl_dat(s->particles, 1, pl_dat_type(s->v), NULL, "speed", &speed));
  PL_OK(s->pl, pl_par_loop(flat ? speed2 : speed3, s->particles, HERE(s->v, PL_READ), HERE(speed, PL_WRITE)));
  picture drawn = {.title = flat ? "Speed" : "Speed, slice of thickness 1",
                   .x = s->x,
                   .value = speed,
                   .slab = {flat ? 0 : middle - 0.5, flat ? 0 : middle + 0.5}};
  for (int k = 0; k < 4 && s->kind->periodic; k++)
    drawn.window[k] = k % 2 ? state->high[k / 2] : state->low[k / 2];
  const bool good = output_write(s->pl, "md", files, &drawn);
  pl_dat_free(&speed);
  return good;
}

/* The steps behind those of a checkpoint, timed. */
static void run_steps(md_system *s, const md_files *files, md_run *run)
{
  checkpoint saved;
  progress shown;
  pl_chain *chain = NULL;
  const int done = checkpoint_begin(&saved, s->pl, &files->checkpoint);
  if (!done) series_step(&files->series, s->pl, s->x, NULL, 0, 0);
  if (run->chain) warm_up(s, run);
  progress_begin(&shown, pl_rank(s->pl), "steps", done, run->steps);
  const double start = wall_seconds();
  if (run->chain) PL_OK(s->pl, pl_chain_begin(s->pl, "md", &chain));
  for (int step = done + 1; step <= run->steps; step++) {
    advance(s, is_reported(run, step));
    if (is_reported(run, step)) keep_energies(s, run, step);
    checkpoint_step(&saved, step);
    series_step(&files->series, s->pl, s->x, NULL, step, step * run->dt);
    progress_step(&shown, step);
  }
  if (run->chain) PL_OK(s->pl, pl_chain_end(chain));
  progress_clear(&shown);
  run->seconds = wall_seconds() - start;
}

bool solve(pl_context *pl, md_state *state, const md_files *files, md_run *run)
{
  md_system s = {.pl = pl, .kind = state->kind};
  pl_loop *first;
  declare(&s, state, run);
  prepare(&s, run);
  PL_OK(pl, pl_loop_create(&first, s.kind->dim == 2 ? drift2 : drift3, s.particles, HERE(s.x, PL_RW),
                           HERE(s.v, PL_RW), HERE(s.f, PL_READ)));
  PL_OK(pl, pl_vtk_grid(s.x, NULL));
  run_steps(&s, files, run);
  PL_OK(pl, pl_pair_map_stats(s.pairs, &run->pairs));
  PL_OK(s.pl, pl_dat_fetch(s.x, state->x));
  PL_OK(s.pl, pl_dat_fetch(s.v, state->v));
  PL_OK(s.pl, pl_dat_fetch(s.f, state->f));
  const bool good = write_files(&s, state, &files->output);
  pl_loop_free(&first);
  return good;
}
