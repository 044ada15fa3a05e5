/* SPDX-License-Identifier: BSD-2-Clause
 * md: molecular dynamics of Lennard-Jones particles, from every pair of particles to neighbour lists.
 */
#include "plait.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../common/open.h"
#include "../common/options.h"
#include "../common/output.h"
#include "reference.h"
#include "solver.h"

typedef struct settings {
  const char *kind, *dt, *precision, *list, *input, *dump, *json;
  md_files files;
  int64_t n, steps, every;
  bool check, chain;
} settings;

/* ---- results ---- */

static double rate(const md_state *state, const md_run *run)
{
  return run->seconds > 0 ? 1e-6 * state->n * run->steps / run->seconds : 0;
}

static void print_run(pl_context *pl, const md_state *state, const md_run *run)
{
  for (int i = 0; i < run->energies; i++) {
    const md_energy *e = &run->energy[i];
    printf("step %6d  potential %.15g  kinetic %.15g  total %.15g", e->step, e->potential, e->kinetic,
           e->potential + e->kinetic);
    if (state->kind->periodic) printf("  pressure %.12g", e->pressure);
    putchar('\n');
  }
  printf("%s: %d particles, %d steps on %s", state->kind->name, state->n, run->steps, pl_backend_name(pl));
  if (pl_ranks(pl) > 1) printf(", %d ranks", pl_ranks(pl));
  printf(": %.3f s, %.3f M particle-steps/s, %llu lists\n", run->seconds, rate(state, run),
         (unsigned long long)run->pairs.builds);
}

static void write_energies(json_writer *json, const md_state *state, const md_run *run)
{
  json_begin(json, "energies", '[');
  for (int i = 0; i < run->energies; i++) {
    const md_energy *e = &run->energy[i];
    json_begin(json, NULL, '{');
    json_integer(json, "step", e->step);
    json_number(json, "potential", e->potential);
    json_number(json, "kinetic", e->kinetic);
    json_number(json, "total", e->potential + e->kinetic);
    if (state->kind->periodic) json_number(json, "pressure", e->pressure);
    json_end(json, '}');
  }
  json_end(json, ']');
}

static bool write_json(pl_context *pl, const settings *set, const md_state *state, const md_run *run)
{
  json_writer json;
  if (!output_json_open(pl, "md", set->json, &json)) return false;
  json_text(&json, "case", state->kind->name);
  json_integer(&json, "n", state->n);
  json_integer(&json, "steps", run->steps);
  json_number(&json, "dt", run->dt);
  json_text(&json, "precision", set->precision);
  json_text(&json, "list", set->list);
  json_integer(&json, "threads", pl_backend_threads(pl));
  json_number(&json, "seconds", run->seconds);
  json_number(&json, "particle_steps_per_second", 1e6 * rate(state, run));
  json_integer(&json, "lists_built", (int64_t)run->pairs.builds);
  json_integer(&json, "list_entries", run->pairs.entries);
  write_energies(&json, state, run);
  return output_json_close("md", set->json, &json);
}

/* ---- the check ---- */

/* Independent programs agree to the last bits for a hundred steps; in single precision chaos has grown by
 * then. */
static double margin_at(const settings *set, int step)
{
  if (strcmp(set->precision, "double")) return step <= 25 ? 1e-4 : 1e-2;
  return 1e-12;
}

static bool compare(const md_reference *ref, const md_energy *e, double margin)
{
  double scale = fabs(ref->potential) + fabs(ref->kinetic);
  double off = fmax(fabs(e->potential - ref->potential), fabs(e->kinetic - ref->kinetic)) / scale;
  if (ref->pressure != 0) off = fmax(off, fabs(e->pressure - ref->pressure) / (fabs(ref->pressure) + 5));
  bool good = off <= margin;
  printf("check: step %d: within %.1e of the reference (%.0e is allowed): %s\n", e->step, off, margin,
         good ? "ok" : "WRONG");
  return good;
}

static bool check(const settings *set, const md_state *state, const md_run *run)
{
  int compared = 0;
  bool good = true;
  for (size_t r = 0; r < sizeof references / sizeof *references; r++) {
    const md_reference *ref = &references[r];
    if (strcmp(ref->name, state->kind->name) || ref->n != state->n) continue;
    if (!strcmp(ref->name, "melt") && !set->input) continue;
    if (run->dt != state->kind->dt) continue;
    for (int i = 0; i < run->energies; i++)
      if (run->energy[i].step == ref->step) {
        good &= compare(ref, &run->energy[i], margin_at(set, ref->step));
        compared++;
      }
  }
  if (compared) return good;
  return output_error("md", "check",
                      "there are no reference energies for this case, number of particles and steps; try "
                      "--case cells2d --n 500 --steps 25");
}

/* ---- a run ---- */

static bool report(pl_context *pl, const settings *set, const md_state *state, const md_run *run)
{
  print_run(pl, state, run);
  bool good = !set->json || write_json(pl, set, state, run);
  good = (!set->dump || state_write(state, set->dump)) && good;
  return (!set->check || check(set, state, run)) && good;
}

static bool simulate(pl_context *pl, const settings *set, md_state *state)
{
  char *end = NULL;
  double dt = set->dt ? strtod(set->dt, &end) : state->kind->dt;
  if (set->dt && (*end || !(dt > 0) || !isfinite(dt)))
    return output_error("md", "--dt", "not a number above 0");
  md_run run = {.steps = (int)set->steps, .every = (int)set->every, .dt = dt};
  run.chain = set->chain;
  run.type = strcmp(set->precision, "single") ? PL_DOUBLE : PL_FLOAT;
  run.energy = calloc((size_t)(set->steps / set->every) + 3, sizeof *run.energy);
  if (!run.energy) return output_error("md", "--steps", "no memory for so many energies");
  PL_OK(pl, pl_set_option(pl, "list", set->list));
  bool good = solve(pl, state, &set->files, &run);
  good &= pl_rank(pl) > 0 || report(pl, set, state, &run);
  free(run.energy);
  return good;
}

int main(int argc, char **argv)
{
  settings set = {.kind = "melt",
                  .precision = "double",
                  .list = "auto",
                  .n = 4000,
                  .steps = 100,
                  .every = 25,
                  .files = {.checkpoint = {.every = 100}, .series = {.every = 10}}};
  const option_row rows[] = {
    {"case", "allpairs2d|cells2d|walls3d|periodic3d|melt", OPTION_CHOICE, &set.kind, 0, 0, "the simulation"},
    {"n", "N", OPTION_INTEGER, &set.n, 1, 200000000, "particles (the melt rounds up to 4 k^3)"},
    {"steps", "N", OPTION_INTEGER, &set.steps, 0, 1000000000, "time steps"},
    {"every", "N", OPTION_INTEGER, &set.every, 1, 1000000000, "steps between outputs of the energies"},
    {"dt", "T", OPTION_TEXT, &set.dt, 0, 0, "length of a time step (0.005 for the melt, else 0.02)"},
    {"precision", "double|single", OPTION_CHOICE, &set.precision, 0, 0,
     "type of positions, velocities and forces"},
    {"list", "auto|full|half", OPTION_CHOICE, &set.list, 0, 0,
     "list with each pair from both sides, or once"},
    {"chain", "", OPTION_FLAG, &set.chain, 0, 0, "record the loops of time steps and fuse them"},
    {"input", "FILE", OPTION_TEXT, &set.input, 0, 0, "start from this file: lines \"id x y z vx vy vz\""},
    {"dump", "FILE", OPTION_TEXT, &set.dump, 0, 0, "write the final state: positions, velocities, forces"},
    CHECKPOINT_OPTIONS(&set.files.checkpoint),
    SERIES_OPTIONS(&set.files.series),
    OUTPUT_OPTIONS(&set.files.output, "the particles at the end, coloured by speed", "the state at the end"),
    {"json", "FILE", OPTION_TEXT, &set.json, 0, 0, "write energies and times"},
    {"check", "", OPTION_FLAG, &set.check, 0, 0, "compare energies with those of independent programs"},
    {0}};
  const option_program program = {
    "md", "Molecular dynamics of Lennard-Jones particles by velocity Verlet, on Plait.",
    "PLAIT_BACKEND selects the backend (seq, openmp, cuda, opencl). docs/md.md explains the "
    "program.",
    true};
  int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  pl_context *pl = open_plait(program.name, &argc, &argv);
  md_state state;
  const md_case *kind = state_case(set.kind);
  bool good = set.input ? state_read(&state, kind, set.input) : state_make(&state, kind, (int)set.n);
  if (good) {
    good = simulate(pl, &set, &state);
    state_free(&state);
  }
  pl_finalize(&pl);
  return good ? 0 : 1;
}
