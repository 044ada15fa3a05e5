/* SPDX-License-Identifier: BSD-2-Clause
 * Runs the functions `tabulate_tensor_...` of a C file that FFCx generated as kernels, and compares them with
 * the same functions called from C. The file's text is not changed.
 *
 *   tabulate FILE.c LIBRARY INCLUDE_FOLDER [TEXTS]
 *
 * LIBRARY is the compiled file, INCLUDE_FOLDER has ufcx.h. In the folder TEXTS the CUDA text of each loop is
 * written. Exit status 77: the backend cannot be used.
 */
#include "codegen/emit/loop_program.h"
#include "codegen/kernel/signature_check.h"
#include "codegen/target/dialect.h"
#include "core/loop/loop.h"
#include <dlfcn.h>
#include <math.h>
#include <string.h>

enum { ELEMENTS = 3, NODES = 32, MOST = 4096, MOST_A = 1 << 16, NAME = 256 };

typedef void (*tabulate_fn)(double *a, const double *w, const double *c, const double *x, const int *entity,
                            const uint8_t *permutation, void *data);

static const int entity[2] = {0, 1};
static const uint8_t permutation[2] = {0, 0};

/* A function, and how many doubles it reads of each input and writes. */
typedef struct form {
  char name[NAME];
  tabulate_fn call;
  int parts; /* of a value: 2 if it is complex */
  int w, c, x, a;
} form;

typedef struct inputs {
  double w[ELEMENTS][MOST], c[MOST], x[ELEMENTS][3 * NODES];
} inputs;

static void fatal(const char *subject, const char *why)
{
  fprintf(stderr, "tabulate: %s: %s\n", subject, why);
  exit(1);
}

/* ---- inputs ---- */

/* Between 0 and 1. */
static double random_value(void)
{
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) * 0x1p-53;
}

/* Vertices, then middles of edges, of cells that are not degenerate. */
static double node(const char *cell, int k, int d)
{
  static const double triangle[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {.5, .5, 0}, {0, .5, 0}, {.5, 0, 0}};
  static const double tetrahedron[10][3] = {{0, 0, 0},   {1, 0, 0},   {0, 1, 0},  {0, 0, 1},  {0, .5, .5},
                                            {.5, 0, .5}, {.5, .5, 0}, {0, 0, .5}, {0, .5, 0}, {.5, 0, 0}};
  if (strstr(cell, "_triangle") && k < 6) return triangle[k][d];
  if (strstr(cell, "_tetrahedron") && k < 10) return tetrahedron[k][d];
  return k >> d & 1;
}

/* ---- the function called from C ---- */

static void reference(const form *f, const inputs *in, int e, double *a)
{
  f->call(a, in->w[e], in->c, in->x[e], entity, permutation, NULL);
}

static bool is_finite(const form *f, const inputs *in, int e)
{
  static double a[MOST_A];
  memset(a, 0, sizeof a);
  reference(f, in, e, a);
  for (int i = 0; i < MOST_A; i++)
    if (!isfinite(a[i])) return false;
  return true;
}

/* Functions like acos take few values, so coefficients are drawn until the result is finite. */
static void draw_coefficients(const form *f, inputs *in, int e)
{
  for (int tries = 0; tries < 1000; tries++) {
    for (int i = 0; i < MOST; i++) in->w[e][i] = 0.25 + 0.5 * random_value();
    if (is_finite(f, in, e)) return;
  }
  fatal(f->name, "not finite for any coefficients that were drawn");
}

static void fill_inputs(const form *f, inputs *in)
{
  for (int i = 0; i < MOST; i++) in->c[i] = 0.5 + random_value();
  for (int e = 0; e < ELEMENTS; e++) {
    for (int i = 0; i < 3 * NODES; i++) in->x[e][i] = node(f->name, i / 3, i % 3) + 0.1 * random_value();
    draw_coefficients(f, in, e);
  }
}

/* ---- sizes ---- */

/* The result changes if the values from n on do. */
static bool matters(const form *f, inputs *in, double *values, int n, int all, double other)
{
  static double before[MOST_A], after[MOST_A], kept[MOST];
  memcpy(kept, values, (size_t)all * sizeof *kept);
  memset(before, 0, sizeof before);
  memset(after, 0, sizeof after);
  reference(f, in, 0, before);
  for (int i = n; i < all; i++) values[i] = other;
  reference(f, in, 0, after);
  memcpy(values, kept, (size_t)all * sizeof *kept);
  return memcmp(before, after, sizeof before) != 0;
}

static int count_read(const form *f, inputs *in, double *values, int all, double other)
{
  int low = 0, high = all;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (matters(f, in, values, middle, all, other))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* In whole values of `unit` doubles. */
static int extent(const form *f, inputs *in, double *values, int all, int unit)
{
  const int a = count_read(f, in, values, all, NAN), b = count_read(f, in, values, all, 1e9);
  return ((a > b ? a : b) + unit - 1) / unit * unit;
}

/* The last value that a call changes: adding zero to -0.0 gives 0.0. */
static int count_written(const form *f, const inputs *in)
{
  static double a[MOST_A];
  int n = MOST_A;
  for (int i = 0; i < MOST_A; i++) a[i] = -0.0;
  reference(f, in, 0, a);
  while (n > 0 && a[n - 1] == 0 && signbit(a[n - 1])) n--;
  return (n + f->parts - 1) / f->parts * f->parts;
}

static void measure(form *f, inputs *in)
{
  f->a = count_written(f, in);
  f->w = extent(f, in, in->w[0], MOST, f->parts);
  f->c = extent(f, in, in->c, MOST, f->parts);
  f->x = extent(f, in, in->x[0], 3 * NODES, 3);
}

/* ---- the loop ---- */

static pl_dat *declare(pl_set *cells, const form *f, int doubles, const double *values, size_t stride)
{
  pl_dat *dat;
  pl_context *pl = ((pl_node *)cells)->pl;
  double *packed = calloc((size_t)ELEMENTS * (size_t)doubles, sizeof *packed);
  for (int e = 0; values && e < ELEMENTS; e++)
    memcpy(packed + e * doubles, values + (size_t)e * stride, (size_t)doubles * sizeof *packed);
  PL_OK(pl, pl_decl_dat(cells, doubles / f->parts, f->parts == 2 ? PL_COMPLEX_DOUBLE : PL_DOUBLE, packed,
                        values ? "w" : "A", &dat));
  free(packed);
  return dat;
}

static pl_arg coordinates(pl_context *pl, pl_set *cells, const form *f, const inputs *in)
{
  const int nodes = f->x / 3;
  pl_set *points;
  pl_map *map;
  pl_dat *x;
  int *to = calloc((size_t)ELEMENTS * (size_t)nodes, sizeof *to);
  double *values = calloc((size_t)ELEMENTS * (size_t)f->x, sizeof *values);
  for (int i = 0; i < ELEMENTS * nodes; i++) to[i] = ELEMENTS * nodes - 1 - i;
  for (int i = 0; i < ELEMENTS * nodes; i++)
    memcpy(values + 3 * to[i], in->x[i / nodes] + 3 * (i % nodes), 3 * sizeof *values);
  PL_OK(pl, pl_decl_set(pl, ELEMENTS * nodes, "points", &points));
  PL_OK(pl, pl_decl_map(cells, points, nodes, to, "points of cells", &map));
  PL_OK(pl, pl_decl_dat(points, 3, PL_DOUBLE, values, "x", &x));
  free(to);
  free(values);
  return pl_arg_dat(x, PL_ALL, map, PL_READ);
}

static pl_arg global(pl_context *pl, int n, pl_type type, const void *values)
{
  pl_global *g;
  PL_OK(pl, pl_decl_global(pl, n, type, values, "values", &g));
  return pl_arg_gbl(g, PL_READ);
}

static void write_text(const pl_loop *loop, const form *f, const char *folder)
{
  pl_signature signature;
  pl_loop_text program;
  char path[1024];
  const pl_emit_options options = {.dialect = pl_dialect_find("cuda"), .block_size = 128};
  snprintf(path, sizeof path, "%s/%s.cu", folder, f->name);
  PL_OK(loop->pl, pl_loop_signature(loop, &signature));
  PL_OK(loop->pl, pl_emit_loop((pl_loop *)(uintptr_t)loop, &signature, &options, &program));
  FILE *file = fopen(path, "w");
  if (!file || fputs(pl_string_chars(&program.text), file) < 0 || fclose(file))
    fatal(path, "cannot be written");
  pl_loop_text_free(&program);
  pl_signature_free(&signature);
}

/* The largest difference of an element, relative to its largest value. */
static double compare(const form *f, const inputs *in, const double *got)
{
  static double expected[MOST_A];
  double worst = 0;
  for (int e = 0; e < ELEMENTS; e++) {
    double size = 0, difference = 0;
    memset(expected, 0, sizeof expected);
    reference(f, in, e, expected);
    for (int i = 0; i < f->a; i++) {
      const double own = got[e * f->a + i];
      if (!isfinite(expected[i]) || !isfinite(own)) return INFINITY;
      size = fmax(size, fabs(expected[i]));
      difference = fmax(difference, fabs(expected[i] - own));
    }
    if (difference > 0) worst = fmax(worst, difference / size);
  }
  return worst;
}

static bool check(pl_context *pl, const form *f, const inputs *in, const pl_kernel *kernel, const char *texts)
{
  pl_set *cells;
  pl_loop *loop;
  double *got = calloc((size_t)ELEMENTS * (size_t)f->a, sizeof *got);
  const pl_type type = f->parts == 2 ? PL_COMPLEX_DOUBLE : PL_DOUBLE;
  const pl_arg none = pl_arg_ptr(NULL);
  PL_OK(pl, pl_decl_set(pl, ELEMENTS, "cells", &cells));
  pl_dat *a = declare(cells, f, f->a, NULL, 0);
  PL_OK(pl, pl_loop_create(&loop, kernel, cells, pl_arg_direct(a, PL_INC),
                           f->w ? pl_arg_direct(declare(cells, f, f->w, in->w[0], MOST), PL_READ) : none,
                           f->c ? global(pl, f->c / f->parts, type, in->c) : none,
                           f->x ? coordinates(pl, cells, f, in) : none, global(pl, 2, PL_INT32, entity),
                           global(pl, 2, PL_UINT8, permutation), none));
  if (texts) write_text(loop, f, texts);
  PL_OK(pl, pl_loop_run(loop));
  PL_OK(pl, pl_dat_fetch(a, (void *)got));
  const double difference = compare(f, in, got);
  free(got);
  printf("%s: A %d, w %d, c %d, x %d: %.1e\n", f->name, f->a, f->w, f->c, f->x, difference);
  return difference < 1e-11;
}

/* ---- the file ---- */

static bool next_form(const char **at, void *library, form *f)
{
  static const char start[] = "\nvoid tabulate_tensor_";
  *at = strstr(*at, start);
  if (!*at) return false;
  const char *name = *at + strlen("\nvoid "), *open = strchr(name, '(');
  snprintf(f->name, sizeof f->name, "%.*s", (int)(open - name), name);
  f->parts = strncmp(open, "(double _Complex", 16) ? 1 : 2;
  f->call = (tabulate_fn)(uintptr_t)dlsym(library, f->name);
  if (!f->call) fatal(f->name, "not in the library");
  *at = open;
  return true;
}

static bool check_file(pl_context *pl, const char *path, const char *text, void *library, const char *folder,
                       const char *texts)
{
  static inputs in;
  const char *const folders[] = {folder, NULL};
  const pl_kernel_options options = {.include_dirs = folders, .file = path};
  const char *at = text;
  bool right = true;
  int n = 0;
  for (form f = {.parts = 0}; next_form(&at, library, &f); n++) {
    const pl_kernel *kernel;
    fill_inputs(&f, &in);
    measure(&f, &in);
    PL_OK(pl, pl_kernel_from_source(pl, f.name, text, &options, &kernel));
    right &= check(pl, &f, &in, kernel, texts);
  }
  printf("%s: %d functions\n", path, n);
  return right && n;
}

static char *read_text(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) fatal(path, "cannot be read");
  const size_t size = (size_t)ftell(file);
  char *text = calloc(size + 1, 1);
  rewind(file);
  if (fread(text, 1, size, file) != size) fatal(path, "cannot be read");
  fclose(file);
  return text;
}

int main(int argc, char **argv)
{
  pl_context *pl;
  pl_err err = pl_init(&argc, &argv, NULL, &pl);
  if (err == PL_ERR_BACKEND) printf("%s\n", pl_errmsg(pl));
  if (err) return err == PL_ERR_BACKEND ? 77 : 1;
  if (argc < 4) fatal("usage", "tabulate FILE.c LIBRARY INCLUDE_FOLDER [TEXTS]");
  void *library = dlopen(argv[2], RTLD_NOW);
  if (!library) fatal(argv[2], dlerror());
  char *text = read_text(argv[1]);
  const bool right = check_file(pl, argv[1], text, library, argv[3], argc > 4 ? argv[4] : NULL);
  free(text);
  pl_finalize(&pl);
  return !right;
}
