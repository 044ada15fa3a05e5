/* SPDX-License-Identifier: BSD-2-Clause
 * burgers: u_t + (u^2)_x = 0 by central differences, the example of Loopy's notebook. A flux on all points,
 * its difference on the inner points, a step in time: three loops, run as they are, with the flux computed
 * where it is used, or with the flux computed once for each block of points.
 */
#include "plait.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/options.h"
#include "../common/output.h"
#include "../common/picture.h"
#include "../common/progress.h"
#include "../common/wall.h"

enum { POINTS = 2048, SHOWN = 300, CHECKED = 100 };

/* The consts, for the compiler of this file. */
static double h, dt;

PL_KERNEL(flux, (const double *u, double *f), { f[0] = u[0] * u[0] / 2.0; })
PL_KERNEL(difference, (const double *const f[2], double *out),
          { out[0] = (-1.0 * (f[1][0] + (-1.0 * f[0][0]))) / h; })
PL_KERNEL(advance, (double *u, const double *out), { u[0] = u[0] + (dt * out[0]); })

/* ---- the same in quadruple precision ---- */

__extension__ typedef __float128 quad;

typedef struct reference {
  quad u[POINTS], out[POINTS];
} reference;

static void reference_step(reference *r)
{
  for (int i = 1; i < POINTS - 1; i++)
    r->out[i] = -(r->u[i + 1] * r->u[i + 1] / 2 - r->u[i - 1] * r->u[i - 1] / 2) / (quad)h;
  for (int i = 1; i < POINTS - 1; i++) r->u[i] += (quad)dt * r->out[i];
}

/* The scheme lets rounding errors grow by e^27 in 1400 steps. Four times what plain double precision does, at
 * steps 100, 200 ... */
static const double allowed[] = {2.0e-15, 1.1e-14, 6.2e-14, 3.8e-13, 3.0e-12, 1.7e-11, 1.11e-10,
                                 6.4e-10, 3.3e-9,  1.8e-8,  9.7e-8,  5.7e-7,  3.45e-6, 1.65e-5};

static bool compare(const reference *r, const double *u, int step)
{
  double worst = 0;
  const int row = step / CHECKED - 1;
  for (int i = 0; i < POINTS; i++) {
    const double error = fabs((double)(r->u[i] - (quad)u[i]));
    if (!(error <= worst)) worst = error;
  }
  const bool good = worst <= 4 * allowed[row];
  printf("step %4d  error %.2e  allowed %.2e  %s\n", step, worst, 4 * allowed[row], good ? "ok" : "WRONG");
  return good;
}

/* ---- the program ---- */

typedef struct job {
  const char *form, *json_path, *plot_path, *print_path;
  output_files files;
  int64_t steps;
  bool check;
} job;

typedef struct model {
  pl_context *pl;
  pl_set *points, *inner;
  pl_map *beside;
  pl_dat *u, *f, *out;
  bool plotting;
  FILE *plot; /* on rank 0 */
} model;

/* Rank 0 declares everything; then points are dealt out in blocks. */
static void declare(model *m)
{
  static int beside[POINTS][2], inner[POINTS - 2];
  double u[POINTS];
  h = 2 * acos(-1.0) / POINTS;
  dt = 0.1 * h;
  for (int i = 0; i < POINTS; i++) {
    u[i] = sin(i * h);
    beside[i][0] = i > 0 ? i - 1 : i;
    beside[i][1] = i < POINTS - 1 ? i + 1 : i;
    if (i > 0 && i < POINTS - 1) inner[i - 1] = i;
  }
  PL_OK(m->pl, pl_decl_const(m->pl, "h", 1, PL_DOUBLE, &h, NULL));
  PL_OK(m->pl, pl_decl_const(m->pl, "dt", 1, PL_DOUBLE, &dt, NULL));
  const bool mine = pl_rank(m->pl) == 0;
  PL_OK(m->pl, pl_decl_set(m->pl, mine ? POINTS : 0, "points", &m->points));
  PL_OK(m->pl, pl_decl_subset(m->points, mine ? POINTS - 2 : 0, inner, "inner", &m->inner));
  PL_OK(m->pl, pl_decl_map(m->points, m->points, 2, beside[0], "beside", &m->beside));
  PL_OK(m->pl, pl_decl_dat(m->points, 1, PL_DOUBLE, u, "u", &m->u));
  PL_OK(m->pl, pl_decl_dat(m->points, 1, PL_DOUBLE, NULL, "f", &m->f));
  PL_OK(m->pl, pl_decl_dat(m->points, 1, PL_DOUBLE, NULL, "out", &m->out));
  PL_OK(m->pl, pl_partition(m->points, PL_PARTITION_BLOCK, NULL));
}

static void step(const model *m, pl_chain_choice choice)
{
  pl_chain *chain;
  PL_OK(m->pl, pl_chain_begin(m->pl, "step", &chain));
  if (choice != PL_STORE) PL_OK(m->pl, pl_chain_temporary(chain, m->f));
  PL_OK(m->pl, pl_chain_hint(chain, m->f, choice));
  PL_OK(m->pl, pl_par_loop(flux, m->points, pl_arg_direct(m->u, PL_READ), pl_arg_direct(m->f, PL_WRITE)));
  PL_OK(m->pl, pl_par_loop(difference, m->inner, pl_arg_dat(m->f, PL_ALL, m->beside, PL_READ),
                           pl_arg_direct(m->out, PL_WRITE)));
  PL_OK(m->pl, pl_par_loop(advance, m->points, pl_arg_direct(m->u, PL_RW), pl_arg_direct(m->out, PL_READ)));
  PL_OK(m->pl, pl_chain_end(chain));
}

static void show(const model *m)
{
  double u[POINTS];
  if (!m->plotting) return;
  PL_OK(m->pl, pl_dat_fetch(m->u, u)); /* all of it, on rank 0 */
  for (int i = 0; i < POINTS && pl_rank(m->pl) == 0; i++) fprintf(m->plot, "%.17g %.17g\n", i * h, u[i]);
  if (m->plot) fprintf(m->plot, "\n\n");
}

PL_KERNEL(place_of, (const int64_t *i, const double *u, double place[2]), {
  place[0] = h * (double)*i;
  place[1] = u[0];
})

/* The graph of u at the end, as points. */
static bool write_files(const model *m, const output_files *files)
{
  if (!files->picture && !files->save) return true;
  pl_dat *place;
  PL_OK(m->pl, pl_decl_dat(m->points, 2, PL_DOUBLE, NULL, "place", &place));
  PL_OK(m->pl, pl_par_loop(place_of, m->points, pl_arg_idx(PL_ID, PL_DIRECT), pl_arg_direct(m->u, PL_READ),
                           pl_arg_direct(place, PL_WRITE)));
  const picture p = {.title = "u over x", .x = place, .value = m->u};
  const bool good = output_write(m->pl, "burgers", files, &p);
  pl_dat_free(&place);
  return good;
}

static uint64_t hash_of(const double *u)
{
  uint64_t hash = UINT64_C(14695981039346656037);
  const unsigned char *bytes = (const unsigned char *)u;
  for (size_t i = 0; i < POINTS * sizeof *u; i++) hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
  return hash;
}

/* Where f has storage, on the host or on a device. */
static int64_t flux_bytes(const model *m)
{
  const pl_state state = pl_dat_state(m->f);
  const bool on_device = state == PL_ON_DEVICE || state == PL_ON_BOTH || state == PL_HOST_UNALLOCATED;
  return (int64_t)(pl_dat_host_bytes(m->f) + (on_device ? pl_dat_nbytes(m->f) : 0));
}

/* The bytes that the loops of all steps move on this rank, by the profile. */
static double bytes_moved(pl_context *pl)
{
  pl_profile_entry entry;
  double bytes = 0;
  for (int i = 0; pl_profile_at(pl, i, &entry) == PL_SUCCESS; i++) bytes += *entry.set ? entry.bytes : 0;
  return bytes;
}

static bool write_json(const job *j, const model *m, const double *u, double seconds)
{
  json_writer json;
  char hash[20];
  if (!j->json_path) return true;
  if (!output_json_open(m->pl, "burgers", j->json_path, &json)) return false;
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)hash_of(u));
  json_text(&json, "form", j->form);
  json_integer(&json, "steps", j->steps);
  json_number(&json, "seconds", seconds);
  json_number(&json, "bytes_per_step", bytes_moved(m->pl) / (double)(j->steps ? j->steps : 1));
  json_integer(&json, "flux_bytes_stored", flux_bytes(m));
  json_text(&json, "hash", hash);
  return output_json_close("burgers", j->json_path, &json);
}

/* Only the plain form keeps the flux. */
static bool check_flux(const job *j, const model *m)
{
  if (!strcmp(j->form, "loops") || !flux_bytes(m)) return true;
  printf("check: %lld bytes of flux are stored\n", (long long)flux_bytes(m));
  return false;
}

static void tell(const job *j, const model *m, const double *u, double seconds)
{
  pl_stats stats;
  PL_OK(m->pl, pl_get_stats(m->pl, &stats));
  printf("%s, %s: %lld steps in %.3f s, %.0f bytes a step, hash %016llx\n", pl_backend_name(m->pl), j->form,
         (long long)j->steps, seconds, bytes_moved(m->pl) / (double)(j->steps ? j->steps : 1),
         (unsigned long long)hash_of(u));
  if (pl_ranks(m->pl) > 1)
    printf("rank 0 of %d: %llu messages, %llu bytes\n", pl_ranks(m->pl),
           (unsigned long long)stats.halo_messages, (unsigned long long)stats.halo_bytes);
}

static bool run(const job *j, model *m)
{
  static reference r;
  const bool first = pl_rank(m->pl) == 0;
  double u[POINTS];
  const pl_chain_choice choice = !strcmp(j->form, "loops")    ? PL_STORE
                                 : !strcmp(j->form, "inline") ? PL_INLINE
                                                              : PL_PRECOMPUTE;
  bool good = true;
  declare(m);
  PL_OK(m->pl, pl_dat_fetch(m->u, u));
  for (int i = 0; i < POINTS; i++) r.u[i] = u[i];
  progress shown;
  progress_begin(&shown, pl_rank(m->pl), "steps", 0, j->steps);
  const double start = wall_seconds();
  for (int64_t s = 0; s < j->steps; s++) {
    if (s % SHOWN == 0) show(m);
    step(m, choice);
    progress_step(&shown, s + 1);
    if (!j->check) continue;
    reference_step(&r);
    if ((s + 1) % CHECKED || s + 1 > 1400) continue;
    PL_OK(m->pl, pl_dat_fetch(m->u, u));
    progress_clear(&shown);
    good &= !first || compare(&r, u, (int)s + 1);
  }
  progress_clear(&shown);
  PL_OK(m->pl, pl_dat_fetch(m->u, u));
  const double seconds = wall_seconds() - start;
  show(m);
  if (first) tell(j, m, u, seconds);
  if (j->check) good &= check_flux(j, m);
  pl_chain *chain;
  if (j->print_path && j->steps) {
    PL_OK(m->pl, pl_chain_begin(m->pl, "step", &chain));
    PL_OK(m->pl, pl_chain_end(chain));
    if (first) PL_OK(m->pl, pl_chain_print(chain, j->print_path));
  }
  good &= write_files(m, &j->files);
  return (!first || write_json(j, m, u, seconds)) && good;
}

static bool open_plot(const job *j, model *m)
{
  m->plotting = j->plot_path != NULL;
  if (!m->plotting || pl_rank(m->pl) > 0) return true;
  m->plot = fopen(j->plot_path, "w");
  return m->plot || output_error("burgers", j->plot_path, strerror(errno));
}

int main(int argc, char **argv)
{
  job j = {.form = "inline", .steps = 1400};
  const option_program program = {
    "burgers", "Burgers' equation on 2048 points: a chain of three loops a step.",
    "The plot: gnuplot -e \"plot for [i=0:5] 'FILE' index i with lines title sprintf('step %d', i < 5 ? 300 "
    "* i : 1400)\".",
    true};
  const option_row rows[] = {
    {"form", "loops|inline|precompute", OPTION_CHOICE, &j.form, 0, 0,
     "store the flux, compute it where it is used, or once for each block"},
    {"steps", "S", OPTION_INTEGER, &j.steps, 0, 1000000, "time steps"},
    {"json", "FILE", OPTION_TEXT, &j.json_path, 0, 0, "write time, bytes and hash to FILE"},
    {"plot", "FILE", OPTION_TEXT, &j.plot_path, 0, 0, "write the solution at steps 0, 300, ... to FILE"},
    OUTPUT_OPTIONS(&j.files, "the solution at the end", "the solution at the end"),
    {"print", "FILE", OPTION_TEXT, &j.print_path, 0, 0,
     "write the transformations of the chain (.dot: the dependence graph)"},
    {"check", NULL, OPTION_FLAG, &j.check, 0, 0, "compare with quadruple precision every 100 steps"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;

  /* No contraction of products and sums, so that all forms give the same bits. */
  const char *const options[] = {"cflags=-ffp-contract=off", NULL};
  const pl_settings settings = {.options = options};
  model m = {.pl = NULL};
  bool good = pl_init(&argc, &argv, &settings, &m.pl) == PL_SUCCESS;
  if (good)
    good = open_plot(&j, &m) & run(&j, &m);
  else
    fprintf(stderr, "burgers: %s\n", pl_errmsg(m.pl));
  pl_finalize(&m.pl);
  if (m.plot) fclose(m.plot);
  return good ? 0 : 1;
}
