/* SPDX-License-Identifier: BSD-2-Clause
 * Writes the generated text of a few loops, algorithms and a device program in every dialect and form.
 *
 * The loops are declared through the public interface, over a backend that prints instead of preparing code.
 * Texts name no path of this machine: each kernel says "golden/...". A text is
 *
 *   OUTPUT/<kernel>/<target>[.<form>].<suffix>    res_calc/cuda.combine.cu, res_calc/host.scalar.c
 *
 * README.md says which tests read these texts.
 *
 *   golden OUTPUT
 */
#include "codegen/algorithm/reduce_scan.h"
#include "codegen/emit/loop_program.h"
#include "codegen/fusion/fuse.h"
#include "codegen/host/simd_form.h"
#include "codegen/host/vector_form.h"
#include "codegen/kernel/signature_check.h"
#include "codegen/loop/pair_info.h"
#include "codegen/mixed/mixed_call.h"
#include "codegen/program/program_parse.h"
#include "codegen/program/program_print.h"
#include "codegen/schedule/passes.h"
#include "codegen/target/place.h"
#include "codegen/target/prelude.h"
#include "core/lifecycle/lifecycle.h"
#include "core/loop/loop.h"
#include "core/particles/pair_map.h"
#include "core/program/program.h"
#include "plan/matrix/mat.h"
#include "plan/mixed/mixed_mat.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

/* The consts of airfoil's kernels, for this file's compiler. */
static double gam, gm1, cfl, eps, qinf[4];

#include "../../apps/airfoil/kernels.h"

extern const char pl_template_dat_layout_device[];

enum { NAME = 64, PATH = 1024 };

/* The backend's functions get no other argument that could hold these. */
static struct {
  const char *output, *kernel;
  int texts, wrong;
  int devices; /* how many of `devices` get a text */
  bool c99;    /* and hosts none */
} run;

/* A dialect of the library, the first part of its files' names, and their suffix. */
typedef struct target {
  const char *dialect, *name, *suffix;
} target;

static const target host = {"seq", "host", "c"}, host_program = {"program", "host", "cpp"},
                    cuda = {"cuda", "cuda", "cu"}, hip = {"hip", "hip", "hip"},
                    opencl = {"opencl", "opencl", "cl"}, *const devices[] = {&cuda, &hip, &opencl};

/* ---- files ---- */

static void fatal(const char *subject, const char *why)
{
  fprintf(stderr, "golden: %s: %s\n", subject, why);
  exit(1);
}

/* `form` may be empty. */
static void write_text(const target *to, const char *form, const char *head, const pl_string *text)
{
  char path[PATH];
  snprintf(path, sizeof path, "%s/%s", run.output, run.kernel);
  mkdir(path, 0777); /* the first text of a kernel; fopen fails where this did */
  snprintf(path, sizeof path, "%s/%s/%s%s%s.%s", run.output, run.kernel, to->name, *form ? "." : "", form,
           to->suffix);
  FILE *file = fopen(path, "wx"); /* two texts of one name are a mistake in this file */
  if (!file || fputs(head, file) < 0 || fputs(pl_string_chars(text), file) < 0 || fclose(file))
    fatal(path, "cannot be written");
  run.texts++;
}

/* ---- a backend that prints ---- */

/* What follows the kernel has the lines of the file: #line N stands above line N. */
static void check_line_mark(const pl_loop_text *program)
{
  const char *mark = NULL, *text = pl_string_chars(&program->text);
  int line = program->head.lines + 2;
  for (const char *at = text; (at = strstr(at, "\n#line ")); at++) mark = at + 1;
  for (const char *at = text; mark && at < mark; at++) line += *at == '\n';
  if (mark && atoi(mark + 6) == line) return;
  fprintf(stderr, "golden: %s: the last #line is not %d\n", run.kernel, line);
  run.wrong++;
}

static pl_err print(pl_loop *loop, const pl_signature *signature, const pl_emit_options *style,
                    const target *to, const char *form)
{
  pl_loop_text program;
  PL_TRY(pl_emit_loop(loop, signature, style, &program));
  write_text(to, form, pl_string_chars(&program.head), &program.text);
  check_line_mark(&program);
  pl_loop_text_free(&program);
  return PL_SUCCESS;
}

/* Forms that a loop cannot have fall back to another one, and make no text of their own. */
static pl_err print_host(pl_loop *loop, const pl_signature *signature)
{
  bool vectors;
  for (pl_form form = PL_FORM_SCALAR; form <= PL_FORM_VECTOR; form++) {
    if (form == PL_FORM_WIDE) continue; /* the next one has all that is in it */
    PL_TRY(pl_set_option(loop->pl, "shape", pl_form_name(form)));
    PL_TRY(pl_vector_form_find(loop, signature, &vectors));
    if (pl_form_choose(loop, vectors) != form) continue;
    const pl_emit_options style = {.dialect = pl_dialect_find(host.dialect), .form = form};
    PL_TRY(print(loop, signature, &style, &host, pl_form_name(form)));
  }
  return PL_SUCCESS;
}

/* A pointer of the program means nothing on a device. */
static bool fits_devices(const pl_loop *loop)
{
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].kind == PL_ARG_POINTER) return false;
  return true;
}

/* Assignments through maps keep their order by colours alone. */
static bool fits_atomics(const pl_loop *loop)
{
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].map && (loop->args[i].access == PL_RW || loop->args[i].access == PL_WRITE))
      return false;
  return loop->indirect_write;
}

/* Text for launches whose blocks are all full compares no index with a bound. It is written for two loops. */
static pl_err print_whole(pl_loop *loop, const pl_signature *signature, pl_emit_options style,
                          const target *to, const char *form)
{
  static const char *const bounds[] = {"pl_active", "pl_p >= pl_end", "pl_target >= pl_end",
                                       "if (pl_p < pl_end", NULL};
  pl_loop_text program;
  style.full_blocks = true;
  if (!strcmp(run.kernel, "midpoint") || !strcmp(run.kernel, "update_aos"))
    PL_TRY(print(loop, signature, &style, to, "whole"));
  PL_TRY(pl_emit_loop(loop, signature, &style, &program));
  for (const char *const *bound = bounds; *bound; bound++)
    if (strstr(pl_string_chars(&program.text), *bound)) {
      fprintf(stderr, "golden: %s: the text for full blocks (%s %s) has \"%s\"\n", run.kernel, to->name, form,
              *bound);
      run.wrong++;
    }
  pl_loop_text_free(&program);
  return PL_SUCCESS;
}

/* One conflict strategy; `form` is its part of the file's name. */
static pl_err print_strategy(pl_loop *loop, const pl_signature *signature, pl_emit_options style,
                             const target *to, const char *form)
{
  PL_TRY(print(loop, signature, &style, to, form));
  return print_whole(loop, signature, style, to, form);
}

/* Sums target by target: each form that the loop can have. */
static pl_err print_sums(pl_loop *loop, const pl_signature *signature, pl_emit_options style,
                         const target *to)
{
  pl_reach slot[32];
  if (pl_max_increments(loop) > 32 || !pl_loop_increments(loop, slot)) return PL_SUCCESS;
  style.conflict = PL_COMBINE;
  PL_TRY(print_strategy(loop, signature, style, to, "combine"));
  style.coloured = true;
  PL_TRY(print_strategy(loop, signature, style, to, "combine.coloured"));
  style.conflict = PL_STORED;
  PL_TRY(print_strategy(loop, signature, style, to, "store"));
  style.conflict = PL_GATHER;
  if (!pl_writes_increments_alone(loop)) return PL_SUCCESS;
  PL_TRY(print_strategy(loop, signature, style, to, "gather.ragged"));
  style.degree = 4;
  return print_strategy(loop, signature, style, to, "gather");
}

/* The gather of a matrix, row by row: added to its values and stored. */
static pl_err print_rows(pl_loop *loop, const pl_signature *signature, pl_emit_options style,
                         const target *to)
{
  if (!pl_tensor_arg(loop)) return PL_SUCCESS;
  style.conflict = PL_GATHER;
  style.record_bits = 8;
  PL_TRY(print_strategy(loop, signature, style, to, "gather.rows"));
  style.record_bits = 16;
  style.stores = true;
  return print_strategy(loop, signature, style, to, "gather.rows.stored");
}

static void set_narrow(const pl_loop *loop, signed char narrow)
{
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].map) loop->args[i].map->narrow = narrow;
}

/* As loops over large sets are printed for devices: launches may go backwards, blocks run the elements of
 * several, rows of maps have 16 bits. */
static pl_err print_gathered(const pl_loop *loop, pl_emit_options style, const target *to)
{
  pl_signature signature;
  if (!loop->gathered) return PL_SUCCESS;
  style.turns = style.strides = true;
  PL_TRY(pl_loop_signature(loop->gathered, &signature));
  set_narrow(loop->gathered, 1);
  pl_err err = print(loop->gathered, &signature, &style, to, "gather.loop");
  set_narrow(loop->gathered, 0);
  pl_signature_free(&signature);
  return err;
}

static pl_err print_device(pl_loop *loop, const pl_signature *signature, const target *to)
{
  pl_emit_options style = {.dialect = pl_dialect_find(to->dialect), .block_size = 128};
  if (!loop->indirect_write) {
    PL_TRY(print_strategy(loop, signature, style, to, ""));
    style.ends_reductions = style.dialect->fence && !strcmp(run.kernel, "update"); /* one such text is kept */
    return style.ends_reductions ? print_strategy(loop, signature, style, to, "ends") : PL_SUCCESS;
  }
  PL_TRY(print_strategy(loop, signature, style, to, "colour"));
  PL_TRY(print_gathered(loop, style, to));
  style.conflict = PL_STAGE;
  PL_TRY(print_strategy(loop, signature, style, to, "stage"));
  style.conflict = PL_ATOMIC;
  if (fits_atomics(loop)) PL_TRY(print_strategy(loop, signature, style, to, "atomic"));
  PL_TRY(print_rows(loop, signature, style, to));
  return print_sums(loop, signature, style, to);
}

/* Pairs from both sides in lanes, or each once, which is scalar; devices see them from both sides. With the
 * particles' part there are texts for devices alone. */
static pl_err print_pairs(pl_loop *loop, const pl_signature *signature)
{
  static const char *const lists[] = {"full", "half"};
  for (int k = 0; k < 2 && !pl_pair_has_particles(loop); k++) {
    PL_TRY(pl_set_option(loop->pl, "list", lists[k]));
    const pl_emit_options style = {.dialect = pl_dialect_find(host.dialect), .form = pl_pair_form(loop)};
    PL_TRY(print(loop, signature, &style, &host, lists[k]));
  }
  PL_TRY(pl_set_option(loop->pl, "list", "auto"));
  for (int k = 0; k < 3; k++) {
    const pl_emit_options style = {.dialect = pl_dialect_find(devices[k]->dialect), .block_size = 128};
    PL_TRY(print(loop, signature, &style, devices[k], ""));
  }
  return PL_SUCCESS;
}

static pl_err print_all(pl_loop *loop, pl_signature *signature)
{
  PL_TRY(pl_signature_bind(loop->pl, loop, signature));
  if (loop->set->pairs) return print_pairs(loop, signature);
  if (!run.c99) PL_TRY(print_host(loop, signature));
  for (int k = 0; fits_devices(loop) && k < run.devices; k++)
    PL_TRY(print_device(loop, signature, devices[k]));
  return PL_SUCCESS;
}

static pl_err prepare(pl_context *pl, pl_loop *loop)
{
  pl_signature signature;
  PL_TRY(pl_signature_parse(pl, loop->kernel, &signature));
  pl_err err = print_all(loop, &signature);
  pl_signature_free(&signature);
  return err;
}

static pl_err print_program(pl_program *program, const target *to)
{
  const pl_target kind = {to->dialect, pl_dialect_find(to->dialect), true, true};
  pl_string text;
  pl_string_init(&text, program->node.pl);
  pl_tasks_free(program);
  PL_TRY(pl_tasks_read(program, &kind));
  PL_TRY(pl_program_print(program, &kind, &text));
  write_text(to, "", "", &text);
  pl_string_free(&text);
  return PL_SUCCESS;
}

static pl_err make_program(pl_context *pl, pl_program *program)
{
  (void)pl;
  PL_TRY(print_program(program, &host_program));
  for (int k = 0; k < 3; k++) PL_TRY(print_program(program, devices[k]));
  return PL_SUCCESS;
}

static pl_err print_scan(pl_context *pl, const pl_scan_call *call)
{
  for (int k = -1; k < 3; k++) {
    const target *to = k < 0 ? &host : devices[k];
    pl_scan_program program;
    PL_TRY(pl_scan_program_make(pl, call, pl_dialect_find(to->dialect), &program));
    write_text(to, "", "", &program.text);
    pl_scan_program_free(&program);
  }
  return PL_SUCCESS;
}

static const char *unavailable(pl_context *pl)
{
  (void)pl;
  return NULL;
}

static pl_err open_nothing(pl_context *pl, void **state)
{
  (void)pl;
  *state = NULL;
  return PL_SUCCESS;
}

static void close_nothing(pl_context *pl)
{
  (void)pl;
}

static void release(pl_context *pl, pl_loop *loop)
{
  (void)pl, (void)loop;
}

static pl_err run_nothing(pl_context *pl, pl_loop *loop, const pl_loop_range *part)
{
  (void)loop, (void)part;
  return pl_fail(pl, PL_ERR_STATE, "this backend only prints");
}

static const pl_program_ops program_printer = {.program_make = make_program};
static const pl_algorithm_ops algorithm_printer = {.scan = print_scan};

static const pl_backend printer = {.name = "seq",
                                   .unavailable = unavailable,
                                   .open = open_nothing,
                                   .close = close_nothing,
                                   .prepare = prepare,
                                   .find_gathered = pl_find_gathered,
                                   .programs = &program_printer,
                                   .algorithms = &algorithm_printer,
                                   .run = run_nothing,
                                   .release = release};

/* ---- what the loops stand on: two quadrilaterals, a boundary ---- */

typedef struct mesh {
  pl_context *pl;
  pl_set *nodes, *cells, *edges, *bedges;
  pl_map *cell_node, *edge_node, *edge_cell, *bedge_node, *bedge_cell, *partial;
  pl_dat *x, *q, *qold, *adt, *res, *bound;
  pl_global *rms;
} mesh;

static void declare_consts(pl_context *pl, pl_type real)
{
  const double zeros[4] = {0.0};
  PL_OK(pl, pl_decl_const(pl, "gam", 1, real, zeros, NULL));
  PL_OK(pl, pl_decl_const(pl, "gm1", 1, real, zeros, NULL));
  PL_OK(pl, pl_decl_const(pl, "cfl", 1, real, zeros, NULL));
  PL_OK(pl, pl_decl_const(pl, "eps", 1, real, zeros, NULL));
  PL_OK(pl, pl_decl_const(pl, "qinf", 4, real, zeros, NULL));
}

static void declare_maps(mesh *m)
{
  static const int cell_node[] = {0, 1, 3, 2, 2, 3, 5, 4}, edge_node[] = {2, 3}, edge_cell[] = {0, 1},
                   bedge_node[] = {0, 1, 4, 5}, bedge_cell[] = {0, 1}, partial[] = {0, -1};
  pl_context *pl = m->pl;
  PL_OK(pl, pl_decl_map(m->cells, m->nodes, 4, cell_node, "cell_node", &m->cell_node));
  PL_OK(pl, pl_decl_map(m->edges, m->nodes, 2, edge_node, "edge_node", &m->edge_node));
  PL_OK(pl, pl_decl_map(m->edges, m->cells, 2, edge_cell, "edge_cell", &m->edge_cell));
  PL_OK(pl, pl_decl_map(m->bedges, m->nodes, 2, bedge_node, "bedge_node", &m->bedge_node));
  PL_OK(pl, pl_decl_map(m->bedges, m->cells, 1, bedge_cell, "bedge_cell", &m->bedge_cell));
  PL_OK(pl, pl_decl_map(m->edges, m->cells, 2, partial, "partial", &m->partial));
}

static void declare(mesh *m, pl_type real)
{
  static const pl_backend *const backends[] = {&printer, NULL};
  static const char *const options[] = {"backend=seq", NULL};
  const pl_settings settings = {.options = options};
  PL_OK(m->pl, pl_context_open(NULL, NULL, &settings, backends, &m->pl));
  pl_context *pl = m->pl;
  declare_consts(pl, real);
  PL_OK(pl, pl_decl_set(pl, 6, "nodes", &m->nodes));
  PL_OK(pl, pl_decl_set(pl, 2, "cells", &m->cells));
  PL_OK(pl, pl_decl_set(pl, 1, "edges", &m->edges));
  PL_OK(pl, pl_decl_set(pl, 2, "bedges", &m->bedges));
  declare_maps(m);
  PL_OK(pl, pl_decl_dat(m->nodes, 2, real, NULL, "x", &m->x));
  PL_OK(pl, pl_decl_dat(m->cells, 4, real, NULL, "q", &m->q));
  PL_OK(pl, pl_decl_dat(m->cells, 4, real, NULL, "qold", &m->qold));
  PL_OK(pl, pl_decl_dat(m->cells, 1, real, NULL, "adt", &m->adt));
  PL_OK(pl, pl_decl_dat(m->cells, 4, real, NULL, "res", &m->res));
  PL_OK(pl, pl_decl_dat(m->bedges, 1, PL_INT, NULL, "bound", &m->bound));
  PL_OK(pl, pl_decl_global(pl, 1, real, NULL, "rms", &m->rms));
}

/* ---- loops ---- */

#define LOOP(m, kernel, ...)                                                                                 \
  do {                                                                                                       \
    pl_loop *made;                                                                                           \
    PL_OK((m)->pl, pl_loop_create(&made, (kernel), __VA_ARGS__));                                            \
    pl_loop_free(&made);                                                                                     \
  } while (0)

#define HERE(dat, access) pl_arg_dat((dat), PL_ID, PL_DIRECT, (access))

/* A kernel of airfoil that says it stands in line 1 of a file without a folder. */
static pl_kernel placed(const pl_kernel *kernel)
{
  pl_kernel copy = *kernel;
  copy.file = "golden/airfoil.h";
  copy.line = 1;
  return copy;
}

static void loop_save_soln(mesh *m)
{
  const pl_kernel kernel = placed(save_soln);
  LOOP(m, &kernel, m->cells, HERE(m->q, PL_READ), HERE(m->qold, PL_WRITE));
}

static void loop_adt_calc(mesh *m)
{
  const pl_kernel kernel = placed(adt_calc);
  LOOP(m, &kernel, m->cells, pl_arg_dat(m->x, PL_ALL, m->cell_node, PL_READ), HERE(m->q, PL_READ),
       HERE(m->adt, PL_WRITE));
}

static void loop_res_calc(mesh *m)
{
  const pl_kernel kernel = placed(res_calc);
  LOOP(m, &kernel, m->edges, pl_arg_dat(m->x, 0, m->edge_node, PL_READ),
       pl_arg_dat(m->x, 1, m->edge_node, PL_READ), pl_arg_dat(m->q, 0, m->edge_cell, PL_READ),
       pl_arg_dat(m->q, 1, m->edge_cell, PL_READ), pl_arg_dat(m->adt, 0, m->edge_cell, PL_READ),
       pl_arg_dat(m->adt, 1, m->edge_cell, PL_READ), pl_arg_dat(m->res, 0, m->edge_cell, PL_INC),
       pl_arg_dat(m->res, 1, m->edge_cell, PL_INC));
}

/* The same where records stay together and move as vectors. */
static void loop_res_calc_aos(mesh *m)
{
  m->x->storage.layout.tile = m->q->storage.layout.tile = m->res->storage.layout.tile = PL_AOS;
  loop_res_calc(m);
}

static void loop_bres_calc(mesh *m)
{
  const pl_kernel kernel = placed(bres_calc);
  LOOP(m, &kernel, m->bedges, pl_arg_dat(m->x, 0, m->bedge_node, PL_READ),
       pl_arg_dat(m->x, 1, m->bedge_node, PL_READ), pl_arg_dat(m->q, 0, m->bedge_cell, PL_READ),
       pl_arg_dat(m->adt, 0, m->bedge_cell, PL_READ), pl_arg_dat(m->res, 0, m->bedge_cell, PL_INC),
       HERE(m->bound, PL_READ));
}

static void loop_update(mesh *m)
{
  const pl_kernel kernel = placed(update);
  LOOP(m, &kernel, m->cells, HERE(m->qold, PL_READ), HERE(m->q, PL_WRITE), HERE(m->res, PL_RW),
       HERE(m->adt, PL_READ), pl_arg_gbl(m->rms, PL_INC));
}

static void loop_update_aos(mesh *m)
{
  m->qold->storage.layout.tile = m->q->storage.layout.tile = m->res->storage.layout.tile = PL_AOS;
  loop_update(m);
}

static const pl_kernel *from_text(mesh *m, const char *name, const char *text)
{
  const pl_kernel *kernel;
  char file[NAME];
  snprintf(file, sizeof file, "golden/%s.c", name);
  const pl_kernel_options options = {.file = file};
  PL_OK(m->pl, pl_kernel_from_source(m->pl, name, text, &options, &kernel));
  return kernel;
}

/* Targets packed into one array; a helper and a table in the text. */
static void loop_midpoint(mesh *m)
{
  static const char text[] = "#define CORNERS 4\n"
                             "static const double weight[CORNERS] = {0.25, 0.25, 0.25, 0.25};\n"
                             "static double mean(const double x[CORNERS][2], int i)\n"
                             "{\n"
                             "  double sum = 0.0;\n"
                             "  for (int k = 0; k < CORNERS; k++) sum += weight[k] * x[k][i];\n"
                             "  return sum;\n"
                             "}\n"
                             "void midpoint(double middle[4], const double x[CORNERS][2])\n"
                             "{\n"
                             "  middle[0] = mean(x, 0);\n"
                             "  middle[1] = mean(x, 1);\n"
                             "  middle[2] = middle[3] = 0.0;\n"
                             "}\n";
  LOOP(m, from_text(m, "midpoint", text), m->cells, HERE(m->q, PL_WRITE),
       pl_arg_dat(m->x, PL_ALL, m->cell_node, PL_READ));
}

/* What C has and other languages have not, or take for themselves. */
static void loop_words(mesh *m)
{
  static const char text[] = "static double max(double a, double b) { return a > b ? a : b; }\n"
                             "void words(double *class, double *half)\n"
                             "{\n"
                             "  const double new = DBL_EPSILON, kernel = M_PI;\n"
                             "  class[0] = max(new, kernel) + (double)lround(expm1f(INT8_MAX)) + abs(-2);\n"
                             "  half[0] = isnan(NAN) ? (double)INT_MAX : fmin(1, sqrtf(2)) + sqrt(2);\n"
                             "}\n";
  LOOP(m, from_text(m, "words", text), m->cells, HERE(m->adt, PL_WRITE), HERE(m->res, PL_RW));
}

/* A minimum that takes its element and values along, beside a plain maximum. */
static void loop_extreme(mesh *m)
{
  static const char text[] = "void extreme(const double *q, const int64_t *cell, double *least, int64_t "
                             "*where, double *values, double *most)\n"
                             "{\n"
                             "  *least = q[0];\n"
                             "  *where = *cell;\n"
                             "  values[0] = q[1];\n"
                             "  values[1] = q[2];\n"
                             "  *most = q[3];\n"
                             "}\n";
  pl_context *pl = m->pl;
  pl_global *least, *where, *values, *most;
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "least", &least));
  PL_OK(pl, pl_decl_global(pl, 1, PL_INT64, NULL, "where", &where));
  PL_OK(pl, pl_decl_global(pl, 2, PL_DOUBLE, NULL, "values", &values));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "most", &most));
  LOOP(m, from_text(m, "extreme", text), m->cells, HERE(m->q, PL_READ), pl_arg_idx(PL_ID, PL_DIRECT),
       pl_arg_gbl(least, PL_MIN), pl_arg_payload(where, least), pl_arg_payload(values, least),
       pl_arg_gbl(most, PL_MAX));
}

/* Random numbers of the element and of a target. */
static void loop_noise(mesh *m)
{
  static const char text[] =
    "void noise(const double *q, double *res, const uint32_t *own, const uint32_t *other)\n"
    "{\n"
    "  res[0] += q[0] * pl_normal(own, 0) + pl_normal_f(own, 1);\n"
    "  res[1] += pl_uniform(other, 0) + pl_uniform_f(other, 1);\n"
    "  res[2] += pl_random_uint32(other, 2);\n"
    "}\n";
  pl_context *pl = m->pl;
  pl_random *random;
  PL_OK(pl, pl_decl_random(pl, 2011, "random", &random));
  LOOP(m, from_text(m, "noise", text), m->edges, pl_arg_dat(m->q, 0, m->edge_cell, PL_READ),
       pl_arg_dat(m->res, 1, m->edge_cell, PL_INC), pl_arg_random(random, PL_ID, PL_DIRECT),
       pl_arg_random(random, 1, m->edge_cell));
}

/* Targets that may be missing, one component, an argument switched off, a global that is read. */
static void loop_guarded(mesh *m)
{
  static const char text[] =
    "void guarded(const double *q, const double *extra, double *res, const double *scale)\n"
    "{\n"
    "  if (!extra) res[0] += scale[0] * q[0];\n"
    "}\n";
  LOOP(m, from_text(m, "guarded", text), m->edges,
       pl_arg_component(pl_arg_dat(m->q, 0, m->partial, PL_READ), 2),
       pl_arg_opt(pl_arg_dat(m->adt, 0, m->partial, PL_READ), 0), pl_arg_dat(m->res, 1, m->partial, PL_INC),
       pl_arg_gbl(m->rms, PL_READ));
}

/* Reads and writes through a map, and a minimum there: elements depend on each other. */
static void loop_relax(mesh *m)
{
  static const char text[] = "void relax(double *q[2], double *adt)\n"
                             "{\n"
                             "  const double middle = 0.5 * (q[0][0] + q[1][0]);\n"
                             "  q[0][0] = q[1][0] = middle;\n"
                             "  *adt = middle;\n"
                             "}\n";
  LOOP(m, from_text(m, "relax", text), m->edges, pl_arg_dat(m->q, PL_ALL, m->edge_cell, PL_RW),
       pl_arg_dat(m->adt, 0, m->edge_cell, PL_MIN));
}

/* Three targets, all read and all incremented, beside a direct write and a sum: more than increments. */
static void loop_spread(mesh *m)
{
  static const char text[] = "void spread(const double *q[4], double *res[4], double *adt, double *sum)\n"
                             "{\n"
                             "  for (int k = 0; k < 4; k++) res[k][0] += q[(k + 1) % 4][1] * adt[0];\n"
                             "  adt[0] = 0.0;\n"
                             "  sum[0] += q[0][0];\n"
                             "}\n";
  pl_dat *from, *to;
  PL_OK(m->pl, pl_decl_dat(m->nodes, 2, PL_DOUBLE, NULL, "from", &from));
  PL_OK(m->pl, pl_decl_dat(m->nodes, 2, PL_DOUBLE, NULL, "to", &to));
  LOOP(m, from_text(m, "spread", text), m->cells, pl_arg_dat(from, PL_ALL, m->cell_node, PL_READ),
       pl_arg_dat(to, PL_ALL, m->cell_node, PL_INC), HERE(m->adt, PL_RW), pl_arg_gbl(m->rms, PL_INC));
}

/* Three words and the element: increments through a map of four, all of which are read. */
static void loop_average(mesh *m)
{
  static const char text[] = "void average(const double *q[4], double *res[4], const double *adt)\n"
                             "{\n"
                             "  for (int k = 0; k < 4; k++) res[k][0] += q[(k + 1) % 4][1] * adt[0];\n"
                             "}\n";
  pl_dat *from, *to;
  PL_OK(m->pl, pl_decl_dat(m->nodes, 2, PL_DOUBLE, NULL, "from", &from));
  PL_OK(m->pl, pl_decl_dat(m->nodes, 1, PL_DOUBLE, NULL, "to", &to));
  LOOP(m, from_text(m, "average", text), m->cells, pl_arg_dat(from, PL_ALL, m->cell_node, PL_READ),
       pl_arg_dat(to, PL_ALL, m->cell_node, PL_INC), HERE(m->adt, PL_READ));
}

/* The matrix of two nodes that an edge couples, with blocks of dim x dim. */
static void add_tensor(mesh *m, int dim, const pl_kernel *kernel)
{
  const pl_map_pair pair = {m->bedge_node, m->bedge_node};
  pl_sparsity *sparsity;
  pl_mat *mat;
  pl_observe(m->pl, &pl_matrix_observer);
  PL_OK(m->pl, pl_decl_sparsity(m->nodes, dim, m->nodes, dim, 1, &pair, "pattern", &sparsity));
  PL_OK(m->pl, pl_decl_mat(sparsity, PL_DOUBLE, "A", &mat));
  LOOP(m, kernel, m->bedges, pl_arg_dat(m->x, PL_ALL, m->bedge_node, PL_READ),
       pl_arg_mat(mat, m->bedge_node, m->bedge_node, PL_INC));
}

/* A small tensor: the rows share a section. */
static void loop_tensor(mesh *m)
{
  static const char text[] = "void tensor(const double x[2][2], double A[2][2])\n"
                             "{\n"
                             "  for (int i = 0; i < 4; i++) A[i / 2][i % 2] += x[i / 2][0] * x[i % 2][1];\n"
                             "}\n";
  add_tensor(m, 1, from_text(m, "tensor", text));
}

/* A large tensor: each row has a section, and a copy of the kernel. */
static void loop_tensor_blocks(mesh *m)
{
  static const char text[] = "void tensor_blocks(const double x[2][2], double A[36])\n"
                             "{\n"
                             "  for (int i = 0; i < 36; i++) A[i] += x[i / 18][0] * i;\n"
                             "}\n";
  add_tensor(m, 3, from_text(m, "tensor_blocks", text));
}

/* Mixed arguments: parameters of each shape; a matrix of two spaces. */
static void loop_mixed(mesh *m)
{
  static const char text[] = "void mixed(const double *x[3], double r[3][1], double A[3][3])\n"
                             "{\n"
                             "  for (int i = 0; i < 9; i++) A[i / 3][i % 3] += x[i / 3][0] * x[i % 3][0];\n"
                             "  for (int i = 0; i < 3; i++) r[i][0] += x[i][0];\n"
                             "}\n";
  static const int dims[] = {1, 1};
  pl_set *const sets[] = {m->cells, m->nodes};
  pl_map *const maps[] = {m->bedge_cell, m->bedge_node};
  pl_dat *from[] = {m->adt, NULL}, *to[2];
  pl_mixed_set *set;
  pl_mixed_map *map;
  pl_mixed_dat *x, *r;
  pl_mixed_mat *mat;
  pl_observe(m->pl, &pl_mixed_call_observer);
  pl_observe(m->pl, &pl_mixed_observer);
  pl_observe(m->pl, &pl_matrix_observer);
  PL_OK(m->pl, pl_decl_dat(m->nodes, 1, PL_DOUBLE, NULL, "from", &from[1]));
  for (int i = 0; i < 2; i++) PL_OK(m->pl, pl_decl_dat(sets[i], 1, PL_DOUBLE, NULL, "to", &to[i]));
  PL_OK(m->pl, pl_decl_mixed_set(2, sets, dims, "set", &set));
  PL_OK(m->pl, pl_decl_mixed_map(set, maps, "map", &map));
  PL_OK(m->pl, pl_decl_mixed_dat(set, from, "x", &x));
  PL_OK(m->pl, pl_decl_mixed_dat(set, to, "r", &r));
  PL_OK(m->pl, pl_decl_mixed_mat(set, set, 1, &map, &map, PL_DOUBLE, PL_MIXED_NESTED, "A", &mat));
  LOOP(m, from_text(m, "mixed", text), m->bedges, pl_arg_mixed_dat(x, map, PL_READ),
       pl_arg_mixed_dat(r, map, PL_INC), pl_arg_mixed_mat(mat, map, map, PL_INC));
}

/* The program's own pointer: for hosts alone. */
static void loop_pointer(mesh *m)
{
  static const char text[] = "void pointer(double *adt, void *table)\n"
                             "{\n"
                             "  *adt = ((const double *)table)[0];\n"
                             "}\n";
  LOOP(m, from_text(m, "pointer", text), m->cells, HERE(m->adt, PL_WRITE), pl_arg_ptr(m));
}

/* A device program: the words, a vector type, a barrier, atomics. */
static void device_program(mesh *m)
{
  static const char text[] =
    "DEVICE float weigh(float4 p)\n"
    "{\n"
    "  const float w = isfinite(p.w) && p.w < FLT_MAX ? fdimf(p.w, (float)M_PI) : INFINITY;\n"
    "  return dot(p, make_float4(1)) * sqrtf(p.x) + fmaf(w, ldexpf(p.y, 2), tgammaf(p.z));\n"
    "}\n"
    "KERNEL void collect(GLOBAL const float4 *RESTRICT p, GLOBAL mm_long *sum, GLOBAL float *most, real "
    "scale)\n"
    "{\n"
    "  LOCAL float part[64];\n"
    "  part[LOCAL_ID] = weigh(p[GLOBAL_ID] * 2.0f);\n"
    "  SYNC_THREADS;\n"
    "  if (LOCAL_ID == 0)\n"
    "    for (int i = 0; i < LOCAL_SIZE; i++) ATOMIC_ADD(sum, realToFixedPoint(part[i] * scale));\n"
    "  ATOMIC_ADD(most, part[LOCAL_ID]);\n"
    "}\n"
    "typedef struct pair { int times; double scale; } pair;\n"
    "KERNEL void twice(GLOBAL int *x, pair p)\n"
    "{\n"
    "  x[GLOBAL_ID] *= p.times;\n"
    "}\n";
  pl_program *program;
  PL_OK(m->pl, pl_program_create(m->pl, text, NULL, "golden/program", &program));
}

/* ---- algorithms and pairs ---- */

static pl_algorithm placed_algorithm(const pl_algorithm *algorithm)
{
  pl_algorithm copy = *algorithm;
  copy.file = "golden/algorithms.h";
  copy.line = 1;
  return copy;
}

PL_REDUCTION(least, double, 1e30, a < b ? a : b, (const double *x), x[4 * i + 2])
PL_REDUCTION(total, double, 0.0, PL_COMMUTATIVE(a + b), (const double *const x, const double y[]),
             x[i] * y[i])
PL_SCAN(cumulate, float, 0.0f, PL_COMMUTATIVE(a + b), (const double *x, float *y, float *z), (float)x[4 * i],
        {
          y[i] = item;
          z[i] = last_item - prev_item;
        })
PL_SCAN_SEGMENTED(choose, int, 0, a + b, (const int *bound, int *found), bound[i] > gam, bound[i] == 7, {
  if (item != prev_item) found[prev_item] = i;
})

PL_SCAN(number, int, 0, a + b, (const int *bound, int *found), bound[i] == 7, {
  if (item != prev_item) found[prev_item] = i;
})

static void reduce_least(mesh *m)
{
  const pl_algorithm algorithm = placed_algorithm(least);
  PL_OK(m->pl, pl_reduce(&algorithm, m->cells, m->rms, HERE(m->q, PL_READ)));
}

/* Any grouping will do. */
static void reduce_total(mesh *m)
{
  const pl_algorithm algorithm = placed_algorithm(total);
  PL_OK(m->pl, pl_reduce(&algorithm, m->cells, m->rms, HERE(m->adt, PL_READ), HERE(m->adt, PL_READ)));
}

/* An operator that lanes can take, an output that only stores. */
static void scan_cumulate(mesh *m)
{
  const pl_algorithm algorithm = placed_algorithm(cumulate);
  pl_dat *y, *z;
  PL_OK(m->pl, pl_decl_dat(m->cells, 1, PL_FLOAT, NULL, "y", &y));
  PL_OK(m->pl, pl_decl_dat(m->cells, 1, PL_FLOAT, NULL, "z", &z));
  PL_OK(m->pl, pl_scan(&algorithm, m->cells, HERE(m->q, PL_READ), HERE(y, PL_WRITE), HERE(z, PL_WRITE)));
}

static void scan_bounds(mesh *m, const pl_algorithm *text)
{
  const pl_algorithm algorithm = placed_algorithm(text);
  pl_dat *found;
  PL_OK(m->pl, pl_decl_dat(m->bedges, 1, PL_INT, NULL, "found", &found));
  PL_OK(m->pl, pl_scan(&algorithm, m->bedges, HERE(m->bound, PL_READ), HERE(found, PL_RW)));
}

/* Segments, a const, an output with a condition. */
static void scan_choose(mesh *m)
{
  scan_bounds(m, choose);
}

/* Integers, in one pass where groups see each other's writes. */
static void scan_number(mesh *m)
{
  scan_bounds(m, number);
}

static pl_err find_no_pairs(pl_map *map)
{
  (void)map;
  return PL_SUCCESS;
}

/* A force on both sides, an energy that counts each pair once. */
static void pair_force(mesh *m)
{
  static const char text[] = "void force(const double d[2], const double *r2, double f[2], double *energy)\n"
                             "{\n"
                             "  const double w = 1.0 / *r2;\n"
                             "  f[0] += w * d[0];\n"
                             "  f[1] += w * d[1];\n"
                             "  *energy += w;\n"
                             "}\n";
  const double low[] = {0, 0}, high[] = {9, 9};
  const int periodic[] = {1, 0};
  pl_domain *domain;
  pl_map *near;
  pl_dat *f;
  static const pl_observer no_pairs = {.refresh_pairs = find_no_pairs};
  pl_observe(m->pl, &no_pairs);
  PL_OK(m->pl, pl_decl_domain(m->pl, 2, low, high, periodic, "box", &domain));
  PL_OK(m->pl, pl_decl_pair_map(m->x, domain, 1.0, 0.25, "near", &near));
  PL_OK(m->pl, pl_decl_dat(m->nodes, 2, PL_DOUBLE, NULL, "f", &f));
  pl_err err =
    pl_pair_loop(from_text(m, "force", text), near, pl_arg_difference(m->x), pl_arg_distance2(m->x),
                 pl_arg_dat(f, PL_BOTH, near, PL_INC_ANTI), pl_arg_gbl(m->rms, PL_INC));
  if (err != PL_ERR_STATE) fatal("force", pl_errmsg(m->pl)); /* printed, and not run */
}

/* A force, and the velocities and positions that follow from it: what a chain makes of a step. */
static void pair_step(mesh *m)
{
  static const char force[] = "void force(const double d[3], const double *r2, double f[3])\n"
                              "{\n"
                              "  const double w = 1.0 / *r2;\n"
                              "  for (int a = 0; a < 3; a++) f[a] += w * d[a];\n"
                              "}\n",
                    move[] = "void move(double x[3], double v[3], const double f[3])\n"
                             "{\n"
                             "  for (int a = 0; a < 3; a++) v[a] += f[a] * cfl, x[a] += v[a] * cfl;\n"
                             "}\n";
  pl_dat *x, *v, *f;
  pl_map *near;
  pl_loop *part[2];
  const pl_fused *fused;
  PL_OK(m->pl, pl_decl_dat(m->nodes, 3, PL_DOUBLE, NULL, "x3", &x));
  PL_OK(m->pl, pl_decl_dat(m->nodes, 3, PL_DOUBLE, NULL, "v", &v));
  PL_OK(m->pl, pl_decl_dat(m->nodes, 3, PL_DOUBLE, NULL, "f", &f));
  PL_OK(m->pl, pl_decl_pair_map(x, NULL, 1.0, 0.25, "near", &near));
  const pl_arg pairs[] = {pl_arg_difference(x), pl_arg_distance2(x),
                          pl_arg_zeroed(pl_arg_dat(f, PL_BOTH, near, PL_INC_ANTI))},
               particles[] = {HERE(x, PL_RW), HERE(v, PL_RW), HERE(f, PL_READ)};
  PL_OK(m->pl, pl_loop_get(from_text(m, "force", force), near->pairs->set, 3, pairs, false, &part[0]));
  PL_OK(m->pl, pl_loop_get(from_text(m, "move", move), m->nodes, 3, particles, false, &part[1]));
  PL_OK(m->pl, pl_fuse_pairs(m->pl, 2, part, 0, NULL, &fused));
  PL_OK(m->pl, pl_loop_prepare(fused->loop));
}

/* ---- fixed device code ---- */

/* The backends print these macros with other numbers. */
#define NEIGHBOUR_LIST                                                                                       \
  "#define REAL double\n#define REAL2 double2\n#define FAR 1e150\n#define DIM 3\n#define WIDTH "             \
  "4\n#define APART 1\n#define AFTER_OTHERS\n"                                                               \
  "#ifdef SYSTEM_FENCE\n#define REPORTS\n#endif\n#define TEAM 8\n#define ROW 32\n#define GROUP_MOST "        \
  "256\n#define CHUNK 4\n#define STATES 16\n"                                                                \
  "#define SEEKERS (WARPS == 8 ? 4 : 1)\n#define PIECES 128\n#define BATCHES 5\n#define KEPT 96\n"

static const struct {
  const char *name, *macros, *text, *more;
} fixed[] = {{"dat_layout", "#define VALUE long\n#define SIZE long\n", pl_template_dat_layout_device, ""},
             {"radix_sort",
              "#define KEY unsigned long\n#define SORT_WARPS WARPS\n#define SORT_EACH 8\n#ifdef "
              "FENCE\n#define REPORTS\n#endif\n",
              pl_template_radix_sort_device, ""},
             {"neighbour_list", NEIGHBOUR_LIST, pl_template_neighbour_list_device, ""},
             {"neighbour_list_ranks", NEIGHBOUR_LIST "#define SHARED\n#define TILES 8\n",
              pl_template_neighbour_list_device, pl_template_particle_owners_device}};

static void write_fixed(mesh *m)
{
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    for (int k = 0; k < 3; k++) {
      const pl_dialect *dialect = pl_dialect_find(devices[k]->dialect);
      pl_string text;
      pl_string_init(&text, m->pl);
      pl_print_prelude(&text, dialect, true);
      pl_print_device_words(&text, dialect);
      pl_print_layout_macro(&text);
      pl_string_add(&text, "%s%s%s", fixed[i].macros, fixed[i].text, fixed[i].more);
      run.kernel = fixed[i].name;
      write_text(devices[k], "", "", &text);
      pl_string_free(&text);
    }
}

/* ---- all of them ---- */

static const struct {
  const char *kernel;
  pl_type real;
  void (*declare)(mesh *m);
} cases[] = {
  {"save_soln", PL_DOUBLE, loop_save_soln},
  {"adt_calc", PL_DOUBLE, loop_adt_calc},
  {"res_calc", PL_DOUBLE, loop_res_calc},
  {"res_calc_float", PL_FLOAT, loop_res_calc},
  {"res_calc_aos", PL_DOUBLE, loop_res_calc_aos},
  {"bres_calc", PL_DOUBLE, loop_bres_calc},
  {"update", PL_DOUBLE, loop_update},
  {"update_float", PL_FLOAT, loop_update},
  {"update_aos", PL_DOUBLE, loop_update_aos},
  {"midpoint", PL_DOUBLE, loop_midpoint},
  {"words", PL_DOUBLE, loop_words},
  {"extreme", PL_DOUBLE, loop_extreme},
  {"noise", PL_DOUBLE, loop_noise},
  {"guarded", PL_DOUBLE, loop_guarded},
  {"relax", PL_DOUBLE, loop_relax},
  {"spread", PL_DOUBLE, loop_spread},
  {"average", PL_DOUBLE, loop_average},
  {"program", PL_DOUBLE, device_program},
  {"tensor", PL_DOUBLE, loop_tensor},
  {"tensor_blocks", PL_DOUBLE, loop_tensor_blocks},
  {"mixed", PL_DOUBLE, loop_mixed},
  {"pointer", PL_DOUBLE, loop_pointer},
  {"least", PL_DOUBLE, reduce_least},
  {"total", PL_DOUBLE, reduce_total},
  {"cumulate", PL_DOUBLE, scan_cumulate},
  {"choose", PL_DOUBLE, scan_choose},
  {"number", PL_DOUBLE, scan_number},
  {"force", PL_DOUBLE, pair_force},
  {"step", PL_DOUBLE, pair_step},
  {"fixed", PL_DOUBLE, write_fixed},
};

/* ---- the constructs of C99 ---- */

/* The accepted texts of the conformance suite, for CUDA and HIP: OUTPUT/c99/<number>/cuda.cu, hip.hip. */
static const char *const constructs[] = {
#define ACCEPTED(name, value, helpers, body) "/* " name " */\n" helpers K body,
#define REFUSED(name, line, why, helpers, body)
#include "../conformance/c99.inc"
};

static void loop_construct(mesh *m, const char *text, int cpp)
{
  const pl_kernel_options options = {.file = "golden/c99.c", .cpp = cpp};
  const pl_kernel *kernel;
  PL_OK(m->pl, pl_kernel_from_source(m->pl, "k", text, &options, &kernel));
  LOOP(m, kernel, m->cells, HERE(m->adt, PL_WRITE), pl_arg_component(HERE(m->q, PL_READ), 0));
}

/* C++ for CUDA: OUTPUT/c99/cpp/cuda.cu. */
static void write_cpp(void)
{
  static const char text[] =
#include "../conformance/cpp.inc"
    ;
  mesh m;
  memset(&m, 0, sizeof m);
  run.kernel = "cpp";
  run.devices = 1;
  declare(&m, PL_DOUBLE);
  loop_construct(&m, text, 1);
  pl_finalize(&m.pl);
}

static void write_constructs(void)
{
  char folder[PATH], name[NAME];
  snprintf(folder, sizeof folder, "%s/c99", run.output);
  mkdir(folder, 0777);
  run.output = folder;
  run.c99 = true;
  for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++) {
    mesh m;
    memset(&m, 0, sizeof m);
    snprintf(name, sizeof name, "%02d", (int)i);
    run.kernel = name;
    run.devices = strstr(constructs[i], "jumps over an initialiser") ? 1 : 2; /* HIPRTC refuses these */
    declare(&m, PL_DOUBLE);
    loop_construct(&m, constructs[i], 0);
    pl_finalize(&m.pl);
  }
  write_cpp();
}

int main(int argc, char **argv)
{
  if (argc != 2) fatal("usage", "golden OUTPUT");
  run.output = argv[1];
  unsetenv("PLAIT_GOLDEN_UPDATE"); /* the library would call it an unknown option */
  unsetenv("PLAIT_CFLAGS");        /* flags add checks to the text; sanitizers set some */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    mesh m;
    memset(&m, 0, sizeof m);
    run.kernel = cases[i].kernel;
    run.devices = 3;
    declare(&m, cases[i].real);
    cases[i].declare(&m);
    pl_finalize(&m.pl);
  }
  write_constructs();
  printf("%d texts written, %d wrong\n", run.texts, run.wrong);
  return run.wrong > 0;
}
