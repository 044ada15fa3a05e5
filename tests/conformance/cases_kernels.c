/* SPDX-License-Identifier: BSD-2-Clause
 * Kernels: from source with all options, from files, helpers, pl_real, user pointers.
 */
#include "conformance.h"
#include "embedded.plait.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

enum { N = 70 };

typedef struct pair_of_dats {
  pl_set *set;
  pl_dat *out, *in;
  double x[N], y[N];
} pair_of_dats;

/* `in` holds 1, 2, 3, ... */
static void prepare(conf *c, pair_of_dats *p)
{
  for (int i = 0; i < N; i++) p->x[i] = i + 1;
  p->set = conf_set(c, N, "set");
  p->in = conf_dat(c, p->set, 1, PL_DOUBLE, p->x, "in");
  p->out = conf_dat(c, p->set, 1, PL_DOUBLE, NULL, "out");
}

static pl_err run(const pair_of_dats *p, const pl_kernel *kernel)
{
  return pl_par_loop(kernel, p->set, DIRECT(p->out, PL_WRITE), DIRECT(p->in, PL_READ));
}

/* out = factor * in + plus, after the kernel ran. */
static void check_line(conf *c, pair_of_dats *p, const pl_kernel *kernel, double factor, double plus)
{
  OK(pl_dat_zero(p->out));
  OK(run(p, kernel));
  for (int i = 0; i < N; i++) p->y[i] = factor * p->x[i] + plus;
  SAME(p->out, p->y);
}

/* A kernel for host compilers only; a device refuses it by name. */
static void check_host_line(conf *c, pair_of_dats *p, const pl_kernel *kernel, double factor, double plus)
{
  if (!c->device)
    check_line(c, p, kernel, factor, plus);
  else
    FAILS(run(p, kernel), PL_ERR_BACKEND, kernel->name, "host", c->backend);
}

/* ---- P31 ---- */

static void case_source(conf *c)
{
  pair_of_dats p;
  prepare(c, &p);
  const pl_kernel *first =
    conf_source(c, "triple", "void triple(double *a, const double *b) { a[0] = 3.0 * b[0]; }", NULL);
  const pl_kernel *renamed =
    conf_source(c, "triple", "void triple(double *to, const double *from) { to[0] = 3.0 * from[0]; }", NULL);
  const pl_kernel *again =
    conf_source(c, "triple", "void triple(double *a, const double *b) { a[0] = 3.0 * b[0]; }", NULL);
  pl_stats s0 = conf_stats(c);
  check_line(c, &p, first, 3, 0);
  pl_stats s1 = conf_stats(c);
  check_line(c, &p, renamed, 3, 0);
  pl_stats s2 = conf_stats(c);
  check_line(c, &p, again, 3, 0);
  pl_stats s3 = conf_stats(c);
  CHECK(s1.codes_compiled + s1.codes_disk == s0.codes_compiled + s0.codes_disk + 1);
  CHECK(s2.codes_compiled + s2.codes_disk ==
        s1.codes_compiled + s1.codes_disk + 1); /* another text is another entry */
  CHECK(s3.codes_compiled + s3.codes_disk == s2.codes_compiled + s2.codes_disk &&
        s3.codes_memory == s2.codes_memory + 1);
  check_line(c, &p,
             conf_source(c, "sized", "void sized(double a[1], const double b[const 1]) { *a = -*b; }", NULL),
             -1, 0);
}

/* One kernel on dats of any names is compiled once: a step in both directions of a double buffer. */
static void case_one_code(conf *c)
{
  pair_of_dats p;
  prepare(c, &p);
  const pl_kernel *kernel =
    conf_source(c, "step", "void step(double *to, const double *from) { to[0] = from[0] + 1.0; }", NULL);
  pl_dat *other = conf_dat(c, p.set, 1, PL_DOUBLE, p.x, "of another name");
  OK(run(&p, kernel));
  pl_stats before = conf_stats(c);
  OK(pl_par_loop(kernel, p.set, DIRECT(p.in, PL_WRITE), DIRECT(p.out, PL_READ)));
  OK(pl_par_loop(kernel, p.set, DIRECT(p.out, PL_WRITE), DIRECT(p.in, PL_READ)));
  OK(pl_par_loop(kernel, p.set, DIRECT(other, PL_WRITE), DIRECT(p.out, PL_READ)));
  pl_stats after = conf_stats(c);
  for (int i = 0; i < N; i++) p.y[i] = p.x[i] + 4;
  SAME(other, p.y);
  CHECK(after.codes_compiled == before.codes_compiled && after.codes_disk == before.codes_disk);
  CHECK(after.codes_memory == before.codes_memory + 2);
}

/* Kernels and helpers whose names generated code would make from those of parameters. */
static void case_derived_names(conf *c)
{
  static const char *const kernels[] = {"dat_out", "sum_total", "global_total", "result_total", "twice"};
  const double zero = 0, sum = N * (N + 1) / 2;
  pair_of_dats p;
  prepare(c, &p);
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
    char text[400];
    pl_global *total = conf_global(c, 1, PL_DOUBLE, &zero, "total");
    snprintf(text, sizeof text,
             "#define value_total(x) (2.0 * (x))\n"
             "static double dat_in(double x) { return value_total(x); }\n"
             "void %s(double *out, const double *in1, double *total)\n"
             "{\n  out[0] = dat_in(in1[0]);\n  total[0] += in1[0];\n}\n",
             kernels[k]);
    OK(pl_par_loop(conf_source(c, kernels[k], text, NULL), p.set, DIRECT(p.out, PL_WRITE),
                   DIRECT(p.in, PL_READ), pl_arg_gbl(total, PL_INC)));
    for (int i = 0; i < N; i++) p.y[i] = 2 * p.x[i];
    SAME(p.out, p.y);
    SAME_GLOBAL(total, &sum);
  }
}

/* Parameters whose names generated code would take itself, or that mean something elsewhere. */
static void case_names(conf *c)
{
  static const char source[] =
    "#define PLUS(a, b) ((a) + (b))\n"
    "static double twice(double v) { return 2.0 * v; }\n"
    "void names(double *dat_b, const double *b, const double *b_1, const double *target0_0, const double "
    "*class,\n"
    "           const double *pl_e, const double *blockIdx, const double *sum_total, double *total,\n"
    "           double *result_total, double *a_name_that_is_much_longer_than_others_1,\n"
    "           double *a_name_that_is_much_longer_than_others_2, const double *c0, const double *c0_2,\n"
    "           const double *c)\n"
    "{\n"
    "  dat_b[0] = PLUS(b[0], b_1[0]) + target0_0[0] + class[0] + twice(pl_e[0]) + blockIdx[0] + "
    "sum_total[0];\n"
    "  total[0] += b[0];\n"
    "  if (b[0] < result_total[0]) result_total[0] = b[0];\n"
    "  a_name_that_is_much_longer_than_others_1[0] = 1.0 + c[0];\n"
    "  a_name_that_is_much_longer_than_others_2[0] = c0_2[0] - c0[0];\n"
    "}\n";
  const double zero = 0, large = 1e9, first = 1, sum = N * (N + 1) / 2;
  pair_of_dats p;
  prepare(c, &p);
  pl_dat *more[2];
  for (int k = 0; k < 2; k++) more[k] = conf_dat(c, p.set, 1, PL_DOUBLE, NULL, k ? "second" : "first");
  for (int i = 0; i < N; i++) p.y[i] = 2;
  pl_dat *zeros = conf_dat(c, p.set, 1, PL_DOUBLE, NULL, "zeros"),
         *zeros_too = conf_dat(c, p.set, 1, PL_DOUBLE, NULL, "zeros, too"),
         *twos = conf_dat(c, p.set, 1, PL_DOUBLE, p.y, "twos");
  pl_global *scale = conf_global(c, 1, PL_DOUBLE, &first, "scale"),
            *total = conf_global(c, 1, PL_DOUBLE, &zero, "total"),
            *least = conf_global(c, 1, PL_DOUBLE, &large, "least");
  int same[N];
  for (int i = 0; i < N; i++) same[i] = i;
  pl_map *map = conf_map(c, p.set, p.set, 1, same, "map");
  OK(pl_par_loop(conf_source(c, "names", source, NULL), p.set, DIRECT(p.out, PL_WRITE), DIRECT(p.in, PL_READ),
                 DIRECT(p.in, PL_READ), pl_arg_dat(p.in, 0, map, PL_READ), DIRECT(p.in, PL_READ),
                 DIRECT(p.in, PL_READ), DIRECT(p.in, PL_READ), pl_arg_gbl(scale, PL_READ),
                 pl_arg_gbl(total, PL_INC), pl_arg_gbl(least, PL_MIN), DIRECT(more[0], PL_WRITE),
                 DIRECT(more[1], PL_WRITE), DIRECT(zeros_too, PL_READ), DIRECT(twos, PL_READ),
                 DIRECT(zeros, PL_READ)));
  for (int i = 0; i < N; i++) p.y[i] = 7 * p.x[i] + 1;
  SAME(p.out, p.y);
  SAME_GLOBAL(total, &sum);
  SAME_GLOBAL(least, &first);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < N; i++) p.y[i] = k + 1;
    SAME(more[k], p.y);
  }
}

static void case_source_parts(conf *c)
{
  static const char source[] = "\xef\xbb\xbf/* A brace } in a comment, \"a quote */\n"
                               "#define PLUS 4.0\n"
                               "#if 0\nvoid nothing(int\n#endif\n"
                               "typedef struct box { double v; } box;\n"
                               "static const double table[2] = {2.0, 5.0};\n"
                               "static double helper(box b) { return table[1] * b.v; }\n"
                               "// another comment {\n"
                               "void whole(double *a,\n           const double *b) /* here */\n"
                               "{\n  box it = {b[0]};\n  const char text[] = \"} ) \\\" {\";\n  (void)text;\n"
                               "  a[0] = helper(it) + PLUS + (double)('}' - '}');\n}\n";
  pair_of_dats p;
  prepare(c, &p);
  check_line(c, &p, conf_source(c, "whole", source, NULL), 5, 4);
}

static void case_source_errors(conf *c)
{
  const pl_kernel *kernel = NULL;
  pair_of_dats p;
  prepare(c, &p);
  FAILS(pl_kernel_from_source(c->pl, "absent", "void present(double *x) { x[0] = 1; }", NULL, &kernel),
        PL_ERR_KERNEL, "absent", "present");
  FAILS(pl_kernel_from_source(c->pl, "valued", "double valued(double *x) { return x[0]; }", NULL, &kernel),
        PL_ERR_KERNEL, "valued", "void");
  FAILS(pl_kernel_from_source(c->pl, "broken", "void broken(double *x { x[0] = 1; }", NULL, &kernel),
        PL_ERR_KERNEL, "broken");
  FAILS(pl_kernel_from_source(c->pl, "byvalue", "void byvalue(double x) { }", NULL, &kernel), PL_ERR_KERNEL,
        "byvalue", "parameter 1", "value");
  FAILS(pl_kernel_from_source(c->pl, "no name", "void x(double *x) { }", NULL, &kernel), PL_ERR_ARG,
        "no name");
  FAILS(pl_kernel_from_source(c->pl, "null", NULL, NULL, &kernel), PL_ERR_ARG, "null", "NULL");
  CHECK(kernel == NULL);
  const pl_kernel_options at = {.file = "waves.c", .line = 100};
  const pl_kernel *wrong = conf_source(
    c, "wrong", "\nvoid wrong(double *a, const double *b)\n{\n  a[0] = b[0] + missing;\n}\n", &at);
  FAILS(run(&p, wrong), PL_ERR_COMPILE, "wrong", "missing", "waves.c:103");
  const uint64_t runs = conf_stats(c).compiler_runs;
  FAILS(run(&p, wrong), PL_ERR_COMPILE, "wrong", "missing", "waves.c:103"); /* remembered */
  CHECK(conf_stats(c).compiler_runs == runs);
  memset(p.y, 0, sizeof p.y);
  SAME(p.out, p.y);
  CHECK(pl_dat_version(p.out) == 0);
}

/* ---- P32 ---- */

static bool write_file(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  bool good = file && fputs(text, file) >= 0;
  return file && fclose(file) == 0 && good;
}

static void case_includes(conf *c)
{
  char folder[256], path[300];
  pair_of_dats p;
  prepare(c, &p);
  snprintf(path, sizeof path, "%s/conf_factor.h", conf_folder(folder));
  CHECK(
    write_file(path, "#define FACTOR 6.0\nstatic inline double plus_one(double x) { return x + 1.0; }\n"));
  const char *const dirs[] = {folder, NULL}, *const headers[] = {"<float.h>", "\"conf_factor.h\"", NULL};
  const char *const none[] = {"<conf_no_such_header.h>", NULL};
  pl_kernel_options with = {.include_dirs = dirs, .headers = headers};
  check_line(
    c, &p,
    conf_source(c, "inc",
                "void inc(double *a, const double *b) { a[0] = plus_one(FACTOR * b[0]) + 0.0 * DBL_MAX; }",
                &with),
    6, 1);
  pl_kernel_options inside = {.include_dirs = dirs};
  check_line(
    c, &p,
    conf_source(c, "own",
                "#include \"conf_factor.h\"\nvoid own(double *a, const double *b) { a[0] = FACTOR * b[0]; }",
                &inside),
    6, 0);
  pl_kernel_options wrong = {.headers = none};
  const pl_kernel *bad =
    conf_source(c, "bad", "void bad(double *a, const double *b) { a[0] = b[0]; }", &wrong);
  const bool host = !strcmp(c->backend, "seq") || !strcmp(c->backend, "openmp");
  FAILS(run(&p, bad), host ? PL_ERR_COMPILE : PL_ERR_KERNEL, "bad", "conf_no_such_header.h");
  /* a header may not give a parameter another type */
  CHECK(write_file(path, "#define double float\n"));
  const pl_kernel *narrow =
    conf_source(c, "narrow", "void narrow(double *a, const double *b) { a[0] = b[0]; }", &with);
  FAILS(run(&p, narrow), host ? PL_ERR_COMPILE : PL_ERR_KERNEL, host ? "narrow" : "conf_factor.h:1",
        host ? "the macro \\\"double\\\"" : "the macro \"double\"");
}

static void case_setup(conf *c)
{
  pair_of_dats p;
  prepare(c, &p);
  /* A table that is filled when the kernel is loaded; a second load would change it. */
  static const char *const headers[] = {"<stdlib.h>", NULL};
  pl_kernel_options with = {.setup = "for (int i = 0; i < 4; i++) seeds[i] += i + 1.0;", .headers = headers};
  static const char source[] =
    "static double seeds[4];\nvoid seeded(double *a, const double *b) { a[0] = b[0] + seeds[3]; }";
  const pl_kernel *kernel = conf_source(c, "seeded", source, &with);
  for (int i = 0; i < 3; i++) check_host_line(c, &p, kernel, 1, 4);
  /* Another context loads the same file: the code is already loaded. */
  pl_context *own = c->pl;
  c->pl = NULL;
  OK(conf_open(c, c->variant, NULL, &c->pl));
  prepare(c, &p);
  kernel = conf_source(c, "seeded", source, &with);
  check_host_line(c, &p, kernel, 1, 4);
  pl_finalize(&c->pl);
  c->pl = own;
}

/* Classes, templates, lambdas, constant expressions; OpenCL has no C++. */
static void case_cpp(conf *c)
{
  static const char source[] =
#include "cpp.inc"
    ;
  pair_of_dats p;
  prepare(c, &p);
  pl_kernel_options with = {.cpp = 1};
  const pl_kernel *kernel = conf_source(c, "k", source, &with);
  if (!strcmp(c->backend, "opencl") || !strcmp(c->backend, "hip")) {
    FAILS(run(&p, kernel), PL_ERR_BACKEND, "\"k\"", "C++", c->backend);
    return;
  }
  OK(run(&p, kernel));
  OK(pl_dat_fetch(p.out, p.y));
  for (int i = 0; i < N; i++) CHECK(fabs(p.y[i] - (4 * p.x[i] + 23.25 + M_PI)) < 1e-12);
}

static void case_link(conf *c)
{
  pair_of_dats p;
  prepare(c, &p);
  /* Only libm has Bessel functions; the symbol must be found without the link argument too. */
  static const char *const link[] = {"-lm", NULL}, *const none[] = {"-lconf_no_such_library", NULL};
  pl_kernel_options with = {.link_args = link}, wrong = {.link_args = none};
  check_host_line(
    c, &p,
    conf_source(c, "linked",
                "double j0(double);\nvoid linked(double *a, const double *b) { a[0] = b[0] + j0(0.0); }",
                &with),
    1, 1);
  const pl_kernel *bad =
    conf_source(c, "unlinked", "void unlinked(double *a, const double *b) { a[0] = b[0]; }", &wrong);
  if (!c->device) FAILS(run(&p, bad), PL_ERR_COMPILE, "unlinked", "conf_no_such_library");
}

static void case_flops(conf *c)
{
  pair_of_dats p;
  pl_profile_entry entry;
  prepare(c, &p);
  pl_kernel_options with = {.flops = 3};
  const pl_kernel *kernel = conf_source(
    c, "counted", "void counted(double *a, const double *b) { a[0] = b[0] * b[0] + 1.0; }", &with);
  OK(run(&p, kernel));
  OK(run(&p, kernel));
  OK(pl_profile_at(c->pl, 0, &entry));
  CHECK(!strcmp(entry.name, "counted") && !strcmp(entry.set, "set") && entry.calls == 2);
  CHECK(entry.flops == 2.0 * 3 * N && entry.bytes == 2.0 * N * 16);
  /* Operations of the text: a square root, and 4 times a product, a quotient and two sums; index arithmetic
   * does not count. */
  const pl_kernel *unsaid =
    conf_source(c, "unsaid",
                "#define FOUR 4\n"
                "static double square(const double *x) { return (double)*x * -x[0]; }\n"
                "void unsaid(double *a, const double *b)\n"
                "{\n"
                "  const int at = 2 * FOUR - 8;\n"
                "  a[0] = sqrt(b[at * 1]);\n"
                "  PL_PREFETCH(b + 512);\n"
                "  PL_UNROLL(FOUR)\n"
                "  for (int k = 0; k < FOUR; k++) a[0] += square(&b[at]) / (k + 1.0);\n"
                "}\n",
                NULL);
  OK(run(&p, unsaid));
  OK(pl_profile_at(c->pl, 1, &entry));
  CHECK(!strcmp(entry.name, "unsaid") && entry.flops == (1 + 4 * 4) * N);
}

/* ---- files ---- */

static void case_embedded(conf *c)
{
  double in[2 * N], out[N];
  pl_set *set = conf_set(c, N, "set");
  for (int i = 0; i < 2 * N; i++) in[i] = i;
  for (int i = 0; i < N; i++) out[i] = 10 * in[2 * i] + 100 * in[2 * i + 1];
  pl_dat *din = conf_dat(c, set, 2, PL_DOUBLE, in, "in"), *dout = conf_dat(c, set, 1, PL_DOUBLE, NULL, "out");
  OK(pl_decl_const(c->pl, "embedded_scale", 1, PL_DOUBLE, &embedded_scale, NULL));
  OK(pl_par_loop(embedded_weigh, set, DIRECT(dout, PL_WRITE), DIRECT(din, PL_READ)));
  SAME(dout, out);
  OK(pl_par_loop(embedded_scaled, set, DIRECT(dout, PL_WRITE), DIRECT(din, PL_READ)));
  for (int i = 0; i < N; i++) out[i] = 4 * in[2 * i];
  SAME(dout, out);
}

/* ---- helpers ---- */

PL_FUNCTION(double, helper_square, (double x), { return x * x; })
PL_FUNCTION(double, helper_norm, (const double *v, int n), {
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += helper_square(v[i]);
  return sum;
})
PL_KERNEL(helper_use, (double *out, const double *v), { out[0] = helper_norm(v, 3) + helper_square(2.0); })

static void case_helpers(conf *c)
{
  double v[3 * N], out[N];
  pl_set *set = conf_set(c, N, "set");
  for (int i = 0; i < 3 * N; i++) v[i] = conf_below(c, 50);
  for (int i = 0; i < N; i++)
    out[i] = v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] + v[3 * i + 2] * v[3 * i + 2] + 4;
  pl_dat *dv = conf_dat(c, set, 3, PL_DOUBLE, v, "v"), *dout = conf_dat(c, set, 1, PL_DOUBLE, NULL, "out");
  OK(pl_decl_function(c->pl, helper_square));
  OK(pl_decl_function(c->pl, helper_norm));
  OK(pl_par_loop(helper_use, set, DIRECT(dout, PL_WRITE), DIRECT(dv, PL_READ)));
  SAME(dout, out);
  FAILS(pl_decl_function(c->pl, helper_square), PL_ERR_ARG, "helper_square", "already");
}

/* A helper that is declared after the loop was refused makes it run. */
static void case_late_helper(conf *c)
{
  pair_of_dats p;
  prepare(c, &p);
  const pl_kernel *kernel =
    conf_source(c, "helped", "void helped(double *a, const double *b) { a[0] = helper_square(b[0]); }", NULL);
  FAILS(run(&p, kernel), PL_ERR_COMPILE, "helped", "helper_square");
  OK(pl_decl_function(c->pl, helper_square));
  OK(run(&p, kernel));
  for (int i = 0; i < N; i++) p.y[i] = p.x[i] * p.x[i];
  SAME(p.out, p.y);
}

/* ---- pl_real ---- */

static const char real_source[] =
  "void real(pl_real *out, const pl_real *in, pl_real *sum)\n"
  "{\n  pl_real third = 1.0 / 3.0;\n  out[0] = sqrt(in[0]) * third + 0.1;\n  sum[0] += in[0];\n}\n";

static void case_real(conf *c)
{
  float xf[N], yf[N], sf = 0, gf = 0;
  double xd[N], yd[N], sd = 0, gd = 0;
  for (int i = 0; i < N; i++) {
    xd[i] = xf[i] = (float)(i + 1);
    yf[i] = sqrtf(xf[i]) * (1.0f / 3.0f) + 0.1f;
    yd[i] = sqrt(xd[i]) * (1.0 / 3.0) + 0.1;
    sf += xf[i];
    sd += xd[i];
  }
  const pl_kernel *kernel = conf_source(c, "real", real_source, NULL);
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dxf = conf_dat(c, set, 1, PL_FLOAT, xf, "xf"), *dyf = conf_dat(c, set, 1, PL_FLOAT, NULL, "yf");
  pl_dat *dxd = conf_dat(c, set, 1, PL_DOUBLE, xd, "xd"), *dyd = conf_dat(c, set, 1, PL_DOUBLE, NULL, "yd");
  pl_global *gsf = conf_global(c, 1, PL_FLOAT, NULL, "sf"), *gsd = conf_global(c, 1, PL_DOUBLE, NULL, "sd");
  OK(pl_par_loop(kernel, set, DIRECT(dyf, PL_WRITE), DIRECT(dxf, PL_READ), pl_arg_gbl(gsf, PL_INC)));
  OK(pl_par_loop(kernel, set, DIRECT(dyd, PL_WRITE), DIRECT(dxd, PL_READ), pl_arg_gbl(gsd, PL_INC)));
  float *f = malloc(sizeof xf);
  double *d = malloc(sizeof xd);
  OK(pl_dat_fetch(dyf, f));
  OK(pl_dat_fetch(dyd, d));
  for (int i = 0; i < N; i++) {
    CHECK(fabsf(f[i] - yf[i]) <=
          2.0f * 1.2e-7f * fabsf(yf[i])); /* a product and a sum may be one operation */
    CLOSE(d[i], yd[i]);
  }
  OK(pl_global_get(gsf, &gf));
  OK(pl_global_get(gsd, &gd));
  CHECK(gf == sf && gd == sd);
  FAILS(pl_par_loop(kernel, set, DIRECT(dyf, PL_WRITE), DIRECT(dxd, PL_READ), pl_arg_gbl(gsd, PL_INC)),
        PL_ERR_TYPE, "real", "\"xd\"", "float", "double");
  free(f);
  free(d);
}

/* ---- P34 ---- */

typedef struct box {
  double scale;
  int seen[N];
} box;

PL_KERNEL(pointer_use, (double *out, const double *in, struct box *b, const int64_t *me), {
  out[0] = b->scale * in[0];
  b->seen[me[0]] += 1;
})
PL_KERNEL(pointer_plain, (double *out, double *p, void *q), { out[0] = p[2] + (q ? 1.0 : 0.0); })

static void case_pointer(conf *c)
{
  pair_of_dats p;
  box b = {3, {0}}, other = {5, {0}};
  prepare(c, &p);
  static const char source[] = "struct box { double scale; int seen[70]; };\n"
                               "void boxed(double *out, const double *in, struct box *b, const int64_t *me)\n"
                               "{ out[0] = b->scale * in[0]; b->seen[me[0]] += 1; }\n";
  const pl_kernel *kernel = c->variant->jit ? conf_source(c, "boxed", source, NULL) : pointer_use;
  if (c->device) {
    FAILS(pl_par_loop(kernel, p.set, DIRECT(p.out, PL_WRITE), DIRECT(p.in, PL_READ), pl_arg_ptr(&b),
                      pl_arg_idx(PL_ID, PL_DIRECT)),
          PL_ERR_BACKEND, kernel->name, "argument 3", "device");
    return;
  }
  pl_stats before = conf_stats(c);
  for (int i = 0; i < 2; i++) {
    box *mine = i ? &other : &b;
    OK(pl_par_loop(kernel, p.set, DIRECT(p.out, PL_WRITE), DIRECT(p.in, PL_READ), pl_arg_ptr(mine),
                   pl_arg_idx(PL_ID, PL_DIRECT)));
    for (int e = 0; e < N; e++) {
      p.y[e] = mine->scale * p.x[e];
      CHECK(mine->seen[e] == 1);
    }
    SAME(p.out, p.y);
  }
  CHECK(conf_stats(c).loops_built == before.loops_built + 1); /* another pointer does not make another loop */
  double values[3] = {1, 2, 40};
  for (int i = 0; i < 2; i++) {
    OK(pl_par_loop(pointer_plain, p.set, DIRECT(p.out, PL_WRITE), pl_arg_ptr(values),
                   pl_arg_ptr(i ? values : NULL)));
    for (int e = 0; e < N; e++) p.y[e] = 40 + i;
    SAME(p.out, p.y);
  }
}

/* ---- texts of bodies ---- */

/* Strings, comments, commas, shadowed names and every kind of statement inside PL_KERNEL. */
PL_KERNEL(text_many, (double *out, const double *in), {
  double a = in[0], b[3] = {1.0, 2.0, 3.0}; /* a comment, with } and " */
  enum { TWO = 2 };
  struct local {
    double x, y;
  } v = {a, 2.0};
  for (int i = 0, j = 3; i < j; i++, j--) v.x += b[i] * (double)(j - i);
  switch ((int)v.y) {
  case 2:
    v.x += 0.5;
    break;
  default:
    v.x = -1.0;
  }
  do v.y *= TWO;
  while (v.y < 10.0);
  out[0] = v.x > 0.0 ? v.x + v.y : ((void)b, -v.x);
})

static double text_many_of(double a)
{
  /* i=0, j=3: 1*3; i=1, j=2: 2*1; y: 2, 4, 8, 16 */
  return a + 3 + 2 + 0.5 + 16;
}

static void case_text(conf *c)
{
  pair_of_dats p;
  prepare(c, &p);
  OK(run(&p, text_many));
  for (int i = 0; i < N; i++) p.y[i] = text_many_of(p.x[i]);
  SAME(p.out, p.y);
}

/* Names that C has and a target lacks or reserves: keywords, functions, constants. */
static double half = 8;
PL_FUNCTION(double, max, (double a, double b), { return a > b ? a : b; })
PL_FUNCTION(double, clamp, (double x, double low, double high), { return max(low, x < high ? x : high); })
PL_FUNCTION(double, sign, (double x), { return (x > 0) - (x < 0); })
PL_FUNCTION(double, normcdf, (double x), { return 32 * x; })
PL_KERNEL(kernel, (double *class, const double *private), {
  const double local = 1, new = 2, this = 4;
  const bool global = private[0] < DBL_MAX && 1 + DBL_EPSILON > 1 && true;
  class[0] = max(private[0], local) + clamp(new, 0, 1) + sign(this) + half + global;
  class[0] += fabs(M_PI - 3.14159265358979) < FLT_EPSILON && !isnan(INFINITY) && isnan(NAN);
  class[0] += (double)(lround(2.5) + lrint(4.0)) + rintf(2.0f) + (INT_MAX > 7) + (double)(INT64_MAX >> 62);
  class[0] += (abs(-5) - 7) + (double)(labs(-5L) - 8);
  register int and = 1, or = 2, not = 4, xor = 8, wchar_t = 16;
  class[0] += (and | or | not | xor | wchar_t) + normcdf(local);
})

static void case_words(conf *c)
{
  pair_of_dats p;
  prepare(c, &p);
  OK(pl_decl_const(c->pl, "half", 1, PL_DOUBLE, &half, NULL));
  OK(pl_decl_function(c->pl, max));
  OK(pl_decl_function(c->pl, clamp));
  OK(pl_decl_function(c->pl, sign));
  OK(pl_decl_function(c->pl, normcdf));
  OK(run(&p, kernel));
  for (int i = 0; i < N; i++) p.y[i] = p.x[i] + 1 + 1 + 8 + 1 + 1 + 3 + 4 + 2 + 1 + 1 - 2 - 3 + 31 + 32;
  SAME(p.out, p.y);
}

/* An undeclared function might be found in the program, with another type than C assumes. */
static void case_undeclared(conf *c)
{
  pair_of_dats p;
  prepare(c, &p);
  const pl_kernel *calls =
    conf_source(c, "calls", "void calls(double *a, const double *b) { a[0] = conf_undeclared(b[0]); }", NULL);
  FAILS(run(&p, calls), PL_ERR_COMPILE, "calls", "conf_undeclared", "pl_decl_function");
}

/* ---- functions of math.h mean what they mean in C ---- */

/* Arguments of float, double and integer types. */
static const char mixed_body[] =
  "  y[0] = pow(x[0], 2.0) + fmax(x[0], 0.5);\n"
  "  y[1] = sqrt(2) * fmin(1, x[0]);\n"
  "  y[2] = sqrt(x[0]) - sqrt(n[0] * n[0]);\n"
  "  y[3] = pow(x[0], n[0]) * atan2(n[0], x[0]);\n"
  "  y[4] = fma(2, x[0], n[0]) + exp(n[0]) + abs(n[0]) + floor(n[0] / 2);\n"
  "  y[5] = ldexp(x[0], 3) + sqrtf(x[0]) + powf(x[0], 3) + fmaxf(n[0], x[0]);\n}\n";

static void mixed_in_c(const float *x, const int *n, double *y)
{
  y[0] = pow(x[0], 2.0) + fmax(x[0], 0.5);
  y[1] = sqrt(2) * fmin(1, x[0]);
  y[2] = sqrt(x[0]) - sqrt(n[0] * n[0]);
  y[3] = pow(x[0], n[0]) * atan2(n[0], x[0]);
  y[4] = fma(2, x[0], n[0]) + exp(n[0]) + abs(n[0]) + floor(n[0] / 2);
  y[5] = ldexp(x[0], 3) + sqrtf(x[0]) + powf(x[0], 3) + fmaxf(n[0], x[0]);
}

/* The same text with pl_real: float where all arguments are float. */
static void mixed_in_floats(const float *x, const int *n, double *y)
{
  y[0] = powf(x[0], 2.0f) + fmaxf(x[0], 0.5f);
  y[1] = sqrt(2) * fmin(1, x[0]);
  y[2] = sqrtf(x[0]) - sqrt(n[0] * n[0]);
  y[3] = pow(x[0], n[0]) * atan2(n[0], x[0]);
  y[4] = fma(2, x[0], n[0]) + exp(n[0]) + abs(n[0]) + floor(n[0] / 2);
  y[5] = ldexpf(x[0], 3) + sqrtf(x[0]) + powf(x[0], 3) + fmaxf(n[0], x[0]);
}

static void case_mixed(conf *c)
{
  enum { N = 9, ROWS = 6 };
  float x[N];
  int n[N];
  double *y, expected[ROWS];
  char text[2][700];
  for (int i = 0; i < N; i++) x[i] = 0.3f + 0.7f * (float)i, n[i] = i - 4;
  for (int real = 0; real < 2; real++)
    snprintf(text[real], sizeof text[real], "void mixed%d(const %s *x, const int *n, double *y)\n{\n%s", real,
             real ? "pl_real" : "float", mixed_body);
  pl_set *set = conf_set(c, N, "set");
  pl_dat *dx = conf_dat(c, set, 1, PL_FLOAT, x, "x"), *dn = conf_dat(c, set, 1, PL_INT32, n, "n"),
         *dy = conf_dat(c, set, ROWS, PL_DOUBLE, NULL, "y");
  for (int real = 0; real < 2; real++) {
    OK(pl_par_loop(conf_source(c, real ? "mixed1" : "mixed0", text[real], NULL), set, DIRECT(dx, PL_READ),
                   DIRECT(dn, PL_READ), DIRECT(dy, PL_WRITE)));
    OK(pl_dat_get(dy, PL_READ, (void **)&y));
    for (int i = 0; i < N; i++) {
      (real ? mixed_in_floats : mixed_in_c)(&x[i], &n[i], expected);
      for (int r = 0; r < ROWS; r++)
        CHECK(fabs(y[ROWS * i + r] - expected[r]) <=
              (real || r == 5 ? 1e-6 : 1e-14) * (1 + fabs(expected[r])));
    }
    OK(pl_dat_put(dy));
  }
}

/* Orders and arguments on both sides of each change of method; y1 is a variable too. */
static void case_bessel(conf *c)
{
  static const char source[] = "void bessel(const int *n, const double *x, double *out)\n{\n"
                               "  double y1 = yn(n[0], x[0]);\n"
                               "  out[0] = jn(n[0], x[0]);\n"
                               "  out[1] = y1;\n"
                               "  out[2] = j0(x[0]) + 2 * j1(x[0]) + 4 * y0(x[0]);\n}\n";
  enum { ORDERS = 9, ARGUMENTS = 8, ALL = ORDERS * ARGUMENTS };
  static const double argument[ARGUMENTS] = {0.125, 1, 2.404825557695773, 11.7, 24.99, 25.5, 71, 1000.25};
  static const int order[ORDERS] = {0, 1, 2, 3, 11, 24, 40, -2, -5};
  int n[ALL];
  double x[ALL], out[3 * ALL] = {0};
  for (int i = 0; i < ALL; i++) n[i] = order[i % ORDERS], x[i] = argument[i / ORDERS];
  pl_set *set = conf_set(c, ALL, "set");
  pl_dat *orders = conf_dat(c, set, 1, PL_INT32, n, "orders"),
         *arguments = conf_dat(c, set, 1, PL_DOUBLE, x, "arguments"),
         *result = conf_dat(c, set, 3, PL_DOUBLE, out, "result");
  OK(pl_par_loop(conf_source(c, "bessel", source, NULL), set, DIRECT(orders, PL_READ),
                 DIRECT(arguments, PL_READ), DIRECT(result, PL_WRITE)));
  OK(pl_dat_fetch(result, out));
  for (int i = 0; i < ALL; i++) {
    const double want[] = {jn(n[i], x[i]), yn(n[i], x[i]), j0(x[i]) + 2 * j1(x[i]) + 4 * y0(x[i])};
    for (int k = 0; k < 3; k++) {
      const double near = fabs(out[3 * i + k] - want[k]), scale = fmax(fabs(want[k]), x[i] > 1 ? 0.02 : 0);
      CHECK(near <= 1e-12 * scale);
    }
  }
}

const conf_case conf_kernels[] = {
  {"kernels from source", "P31 P62", case_source, CONF_NEEDS_JIT | CONF_RANKS | CONF_EAGER},
  {"contents of sources", "P31", case_source_parts, CONF_MATRIX | CONF_NEEDS_JIT},
  {"one code for dats of any names", "P31", case_one_code, CONF_NEEDS_JIT | CONF_RANKS | CONF_EAGER},
  {"names that generated code takes", "P31", case_names, CONF_MATRIX | CONF_NEEDS_JIT | CONF_RANKS},
  {"names that generated code derives", "P31", case_derived_names, CONF_MATRIX | CONF_NEEDS_JIT | CONF_RANKS},
  {"sources refused", "P31 P32", case_source_errors, CONF_NEEDS_JIT | CONF_RANKS | CONF_EAGER},
  {"include folders and headers", "P32", case_includes, CONF_MATRIX | CONF_NEEDS_JIT | CONF_EAGER},
  {"set-up statements", "P32", case_setup, CONF_NEEDS_JIT | CONF_EAGER},
  {"C++", "P32", case_cpp, CONF_MATRIX | CONF_NEEDS_JIT | CONF_EAGER},
  {"link arguments", "P32", case_link, CONF_NEEDS_JIT | CONF_EAGER},
  {"flops and bytes", "P32", case_flops, CONF_NEEDS_JIT | CONF_EAGER},
  {"kernels in files", "P31", case_embedded, CONF_MATRIX},
  {"helper functions", "P31", case_helpers, CONF_MATRIX | CONF_RANKS},
  {"helper functions declared late", "P31", case_late_helper, CONF_NEEDS_JIT | CONF_RANKS | CONF_EAGER},
  {"pl_real", "P31", case_real, CONF_MATRIX | CONF_NEEDS_JIT},
  {"the user's own pointers", "P34", case_pointer, CONF_MATRIX},
  {"texts of kernels", "P31", case_text, CONF_MATRIX},
  {"names that targets reserve", "P31", case_words, CONF_MATRIX},
  {"undeclared functions", "P31", case_undeclared, CONF_NEEDS_JIT | CONF_RANKS | CONF_EAGER},
  {"Bessel functions", "M10", case_bessel, CONF_NEEDS_JIT},
  {"functions of mixed types", "M10 C08", case_mixed, CONF_NEEDS_JIT},
  {NULL, NULL, NULL, 0}};
