/* SPDX-License-Identifier: BSD-2-Clause
 * Generated text of kernels: consts, helpers, pl_real, headers, refused kernels, and allocations that fail.
 */
#include "codegen/source/kernel_source.h"
#include "kernel_text.h"

static const pl_source_options plain = {
  .kernel_qualifier = "K", .function_qualifier = "F", .data_qualifier = "", .const_space = "", .host = true};

static void expect_text(const pl_kernel *kernel, pl_type real, const pl_source_options *style,
                        const char *expected)
{
  pl_source source;
  pl_signature signature;
  OK(pl_signature_parse(pl, kernel, &signature));
  signature.real = real;
  pl_err err = pl_source_build(pl, kernel, &signature, style, &source);
  CU_ASSERT_EQUAL(err, PL_SUCCESS);
  if (err) fprintf(stderr, "\n  %s\n", pl_errmsg(pl));
  expect_same(pl_string_chars(&source.text), expected);
  pl_source_free(&source);
  pl_signature_free(&signature);
}

static void expect_body(const char *params, const char *body, const char *expected)
{
  pl_kernel kernel = kernel_of(params, body);
  expect_text(&kernel, PL_DOUBLE, &plain, expected);
}

static void expect_file(const char *text, const char *expected)
{
  pl_kernel kernel = {.name = "k", .source = text, .file = "k.c", .line = 1};
  expect_text(&kernel, PL_DOUBLE, &plain, expected);
}

static void expect_refused(const char *text, const char *message)
{
  pl_source source;
  pl_signature signature;
  pl_kernel kernel = {.name = "k", .source = text, .file = "k.c", .line = 1};
  OK(pl_signature_parse(pl, &kernel, &signature));
  expect_error(pl_source_build(pl, &kernel, &signature, &plain, &source), PL_ERR_KERNEL, message);
  CU_ASSERT_PTR_NULL(source.text.data);
  pl_signature_free(&signature);
}

static void declare_consts(void)
{
  static const double qinf[4] = {1, 2, 3, 4}, gam = 1.4;
  static const int32_t steps = 7;
  open_text_context();
  PL_OK(pl, pl_decl_const(pl, "qinf", 4, PL_DOUBLE, qinf, NULL));
  PL_OK(pl, pl_decl_const(pl, "steps", 1, PL_INT32, &steps, NULL));
  PL_OK(pl, pl_decl_const(pl, "gam", 1, PL_DOUBLE, &gam, NULL));
}

#define GAM "struct pl_consts {\n  double gam;\n};\n"
#define PARAM "const struct pl_consts *pl_k"

#define NO_MACRO(word)                                                                                       \
  "#ifdef " word "\n#error \"the macro \\\"" word "\\\" would give parameters another type\"\n#endif\n"

static void test_text_plain(void)
{
  expect_body("(double *x)", "{ x[0] = 0.5; }", "K void k(double *x) { x[0] = 0.5; }\n");
  expect_file("static inline void k(double *x)\n{\n}\n", "K   void k(double *x)\n{\n}\n\n");
  expect_file("static double f(void);\nextern double f(void) { return 1; }\nvoid k(double *x) { *x = f(); }",
              "F  double f(void);\nF  double f(void) { return 1; }\nK void k(double *x) { *x = f(); }\n");
  expect_file("#include <math.h>\n#include \"plait.h\"\n# include <plait.h> /* x */\nvoid k(double *x) {}",
              "#include <math.h>\n\n\nK void k(double *x) {}\n" NO_MACRO("double") NO_MACRO("void"));
  expect_file("#ifdef A\nstatic void k(int *x) {}\n#else\nstatic void k(int *x) {}\n#endif",
              "#ifdef A\nK  void k(int *x) {}\n#else\nK  void k(int *x) {}\n#endif\n");
}

/* Divisors, indices and pointers of parameters in a checked text; a hidden name and an address stay. */
static void test_text_faults(void)
{
  pl_source_options checked = plain;
  pl_kernel kernel = {.name = "k", .file = "k.c", .line = 1};
  checked.faults = true;
  kernel.source = "void f(double *x) { x[1] = 1; }\n"
                  "void k(double *x, const int *i[2], const double m[2][3], double *h) {\n"
                  "  x[i[0][1]] += m[1][i[1][x[0] > 0]] / i[1][0];\n"
                  "  *x = *x * *i[1] + (&m[1])[0][2]; *x++; f(x);\n"
                  "  int h = 2; double a[2] = {h}; a[h] = 1;\n}";
  expect_text(&kernel, PL_DOUBLE, &checked,
              "F void f(double *x) { x[1] = 1; }\n"
              "K void k(double *x, const int *i[2], const double m[2][3], double *h) {\n"
              "  x[PL_INDEX(0, 0, i[PL_INDEX(1, 0, 0)][PL_INDEX(1, 1, 1)])] += m[PL_INDEX(2, 0, "
              "1)][PL_INDEX(2, 1, i[PL_INDEX(1, 0, 1)][PL_INDEX(1, 1, x[PL_INDEX(0, 0, 0)] > 0)])] / "
              "PL_DIVISOR( i[PL_INDEX(1, 0, 1)][PL_INDEX(1, 1, 0)]);\n"
              "  *PL_GIVEN(0, x) = *PL_GIVEN(0, x) * *i[PL_INDEX(1, 0, 1)] + (&m[1])[0][2]; *x++; f(x);\n"
              "  int h = 2; double a[2] = {h}; a[h] = 1;\n}\n");
}

static void test_text_device(void)
{
  static const pl_source_options device = {
    .kernel_qualifier = "K ", .function_qualifier = "F", .data_qualifier = "D", .const_space = "G "};
  pl_kernel kernel = {.name = "k", .file = "k.c", .line = 1};
  kernel.source = "#include <math.h>\nstatic const double w[2] = {1, 2};\nvoid k(double "
                  "*x) { *x = w[0] * qinf[0]; }";
  expect_text(&kernel, PL_DOUBLE, &device,
              "struct pl_consts {\n  double qinf[4];\n};\n"
              "\nD  const double w[2] = {1, 2};\n"
              "K void k(G " PARAM
              ", double *x) { G const double *const qinf = pl_k->qinf; { *x = w[0] * qinf[0]; } }\n");
  pl_signature signature = {.pl = pl, .real = PL_DOUBLE};
  pl_source source;
  kernel.source = "#include <math.h>\n#include \"mine.h\"\nvoid k(double *x) {}";
  expect_error(
    pl_source_build(pl, &kernel, &signature, &device, &source), PL_ERR_KERNEL,
    "kernel \"k\" (k.c:2): device code includes \"mine.h\", which is in none of the folders of the kernel's "
    "option include_dirs: add its folder, or put its text into the kernel's text");
}

static void test_text_consts(void)
{
  expect_body("(double *x)", "{ x[0] = gam; }",
              GAM "K void k(" PARAM ", double *x) { const double gam = pl_k->gam; { x[0] = gam; } }\n");
  expect_body("(double *gam)", "{ gam[0] = 1; }", "K void k(double *gam) { gam[0] = 1; }\n");
  expect_body("(struct s *x)", "{ x->gam = (*x).gam; }", "K void k(struct s *x) { x->gam = (*x).gam; }\n");
  expect_body("(double *x)", "{ x[0] = 1; /* gam */ char s[] = \"gam\"; }",
              "K void k(double *x) { x[0] = 1; /* gam */ char s[] = \"gam\"; }\n");
  expect_body("(double *x)", "{ double gam = 2; x[0] = gam; }",
              GAM "K void k(" PARAM
                  ", double *x) { const double gam = pl_k->gam; { double gam = 2; x[0] = gam; } }\n");
  expect_body("()", "{ f(gam * steps * qinf[1]); }",
              "struct pl_consts {\n  double gam;\n  int32_t steps;\n  double qinf[4];\n};\n"
              "K void k(" PARAM
              ") { const double gam = pl_k->gam; const int32_t steps = pl_k->steps; const double "
              "*const qinf = pl_k->qinf; { f(gam * steps * qinf[1]); } }\n");
}

static void test_text_consts_in_files(void)
{
  expect_file(
    "extern double gam;\nextern double qinf[4];\ndouble f(void);\ndouble f(void)\n{\n  return gam;\n}\n"
    "double g(double x) { return x + f(); }\nvoid k(double *x) { *x = g(*x); }",
    GAM "\n\nF double f(" PARAM ");\nF double f(" PARAM
        ")\n{ const double gam = pl_k->gam; {\n  return gam;\n} }\n"
        "F double g(" PARAM ", double x) { return x + f(pl_k); }\n"
        "K void k(" PARAM ", double *x) { *x = g(pl_k, *x); }\n");
  expect_file("#define GM1 (gam - 1)\nvoid k(double *x) { *x = GM1; }",
              GAM "#define GM1 (gam - 1)\nK void k(" PARAM
                  ", double *x) { const double gam = pl_k->gam; { *x = GM1; } }\n");
  expect_file("#define gam 1.4\nvoid k(double *x) { *x = gam; }",
              "#define gam 1.4\nK void k(double *x) { *x = gam; }\n");
  expect_file("double f(double x) { return x + gam; }\n#define TWICE(x) (f(x) + f(f(x)))\nvoid k(double *x) "
              "{ *x = TWICE(f(*x)); }",
              GAM "F double f(" PARAM ", double x) { const double gam = pl_k->gam; { return x + gam; } }\n"
                  "#define TWICE(x) (f(pl_k, x) + f(pl_k, f(pl_k, x)))\n"
                  "K void k(" PARAM ", double *x) { *x = TWICE(f(pl_k, *x)); }\n");
}

static void test_text_const_values(void)
{
  pl_source source;
  pl_signature signature;
  pl_kernel kernel = kernel_of("(double *x)", "{ *x = gam + steps + qinf[0]; }");
  OK(pl_signature_parse(pl, &kernel, &signature));
  OK(pl_source_build(pl, &kernel, &signature, &plain, &source));
  struct {
    double gam;
    int32_t steps;
    double qinf[4];
  } values;
  CU_ASSERT_EQUAL(source.const_count, 3);
  CU_ASSERT_EQUAL_FATAL(source.const_bytes, sizeof values);
  pl_source_fill_consts(&source, &values);
  CU_ASSERT_EQUAL(values.gam, 1.4);
  CU_ASSERT_EQUAL(values.steps, 7);
  CU_ASSERT_EQUAL(values.qinf[3], 4);
  pl_source_free(&source);
  pl_signature_free(&signature);
}

static void declare_helper(const char *name, const char *params, const char *body)
{
  pl_function function = {name, "double", params, body, "helpers.h", 3, 0, 0};
  PL_OK(pl, pl_decl_function_text(pl, &function));
}

static void test_text_helpers(void)
{
  declare_helper("square", "(double x)", "{ return x * x; }");
  declare_helper("unused", "(double x)", "{ return x; }");
  declare_helper("pressure", "(double x)", "{ return (gam - 1) * square(x); }");
  declare_helper("cube", "(void)", "{ return 1; }");
  expect_body("(double *x)", "{ *x = square(2); }",
              "F double square(double x) { return x * x; }\nK void k(double *x) { *x = square(2); }\n");
  expect_body("(double *x)", "{ *x = pressure(*x) + cube(); }",
              GAM "F double square(" PARAM ", double x) { return x * x; }\n"
                  "F double pressure(" PARAM
                  ", double x) { const double gam = pl_k->gam; { return (gam - 1) * square(pl_k, x); } }\n"
                  "F double cube(" PARAM ") { return 1; }\n"
                  "K void k(" PARAM ", double *x) { *x = pressure(pl_k, *x) + cube(pl_k); }\n");
  expect_body("(struct s *x)", "{ x->square = 1; }", "K void k(struct s *x) { x->square = 1; }\n");
  expect_file("double square(double x) { return x; } void k(double *x) { *x = square(*x); }",
              "F double square(double x) { return x; } K void k(double *x) { *x = square(*x); }\n");
}

static void test_text_real(void)
{
  pl_kernel kernel =
    kernel_of("(pl_real *x)", "{ x[0] = 0.5 + 1e-3 + .5 + 1. + 0x1p3 + 2 + 0.5f + sqrt(2.0); }");
  pl_source_options style = plain;
  style.tgmath = true;
  expect_text(&kernel, PL_FLOAT, &style,
              "#include <tgmath.h>\n#undef I\ntypedef float pl_real;\n"
              "K void k(pl_real *x) { x[0] = 0.5f + 1e-3f + .5f + 1.f + 0x1p3f + 2 + 0.5f + sqrt(2.0f); }\n");
  expect_text(&kernel, PL_DOUBLE, &plain,
              "typedef double pl_real;\n"
              "K void k(pl_real *x) { x[0] = 0.5 + 1e-3 + .5 + 1. + 0x1p3 + 2 + 0.5f + sqrt(2.0); }\n");
  kernel = kernel_of("(float *x)", "{ x[0] = 0.5; }");
  expect_text(&kernel, PL_FLOAT, &style, "K void k(float *x) { x[0] = 0.5; }\n");
  kernel =
    (pl_kernel){.name = "k", .file = "k.c", .source = "#define HALF 0.5\nvoid k(pl_real *x) { *x = HALF; }"};
  expect_text(&kernel, PL_FLOAT, &plain,
              "typedef float pl_real;\n#define HALF 0.5f\nK void k(pl_real *x) { *x = HALF; }\n");
}

static void test_text_marks_and_headers(void)
{
  static const char *const headers[] = {"<float.h>", "\"mine.h\"", NULL};
  pl_kernel_options options = {.headers = headers, .file = "a\"b.c", .line = 5};
  const pl_kernel *kernel;
  pl_source_options style = plain;
  style.line_marks = true;
  pl->backend = &fake_backend;
  PL_OK(pl, pl_kernel_from_source(pl, "k", "void k(double *x) {\n  static int n; printf(\"%d\", n++); }\n",
                                  &options, &kernel));
  expect_text(kernel, PL_DOUBLE, &style,
              "#include <float.h>\n#include \"mine.h\"\n#line 5 \"a\\\"b.c\"\n"
              "K void k(double *x) {\n  static int n; printf(\"%d\", n++); }\n\n" NO_MACRO("double")
                NO_MACRO("int") NO_MACRO("void"));
}

/* A file without declarations, in a text for a C++ compiler. */
static void test_text_macros_in_files(void)
{
  char folder[] = "/tmp/plait-macros-XXXXXX", path[64];
  CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/m.h", folder);
  FILE *file = fopen(path, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fputs("#define TWICE 2.0\n", file);
  fclose(file);
  const char *const folders[] = {folder, NULL}, *const headers[] = {"\"m.h\"", NULL};
  pl_kernel_options options = {.headers = headers, .include_dirs = folders};
  const pl_kernel *kernel;
  pl_source_options style = plain;
  style.host = false;
  style.cplusplus = true;
  pl->backend = &fake_backend;
  PL_OK(pl, pl_kernel_from_source(pl, "k", "void k(double *x) { x[0] = TWICE; }", &options, &kernel));
  expect_text(kernel, PL_DOUBLE, &style, "#define TWICE 2.0\n\nK void k(double *x) { x[0] = TWICE; }\n");
  remove(path);
  remove(folder);
}

static void test_text_refusals(void)
{
  expect_refused("void k(double *x)\n{\n  static double y;\n}",
                 "kernel \"k\" (k.c:3): static data cannot be kept in a kernel: use a const or a global");
  expect_refused("void k(double *x)\n{\n  printf(\"%g\", *x);\n}",
                 "kernel \"k\" (k.c:3): printf cannot be called in a kernel");
  expect_refused("\nint f(int n) { return n ? n * f(n - 1) : 1; }\nvoid k(double *x) { *x = f(3); }",
                 "kernel \"k\" (k.c:2): \"f\" calls itself, and not every target can do that: use a loop");
  expect_refused("int g(int n);\nint f(int n) { return g(n - 1); }\nint g(int n) { return n ? f(n) : 1; }\n"
                 "void k(double *x) { *x = f(3); }",
                 "kernel \"k\" (k.c:2): \"f\" calls itself through others, and not every target can do that: "
                 "use a loop");
  expect_refused("static double sum;\nvoid k(double *x) { sum += *x; }",
                 "kernel \"k\" (k.c:1): the variable \"sum\" outside functions is not const: use a global");
  declare_helper("save", "(double x)", "{ void *p = malloc(8); free(p); return x; }");
  expect_refused("void k(double *x) { *x = save(*x); }",
                 "function \"save\" (helpers.h:3): malloc cannot be called in a kernel");
  expect_file("void free(double *x) {} void k(double *x) { free(x); x->exit(1); printf; }",
              "F void free(double *x) {} K void k(double *x) { free(x); x->exit(1); printf; }\n");
}

static pl_err parse_and_build(void)
{
  static const char source[] =
    "#define A gam\nextern double gam;\ndouble f(double x) { return x + A + square(x); }\n"
    "void k(double *x) { *x = f(*x); }";
  pl_signature signature;
  pl_source text;
  pl_kernel kernel = {.name = "k", .source = source, .file = "k.c", .line = 1};
  pl_err err = pl_signature_parse(pl, &kernel, &signature);
  if (err) return err;
  err = pl_source_build(pl, &kernel, &signature, &plain, &text);
  if (!err) pl_source_free(&text);
  pl_signature_free(&signature);
  return err;
}

static pl_err parse_misspelt(void)
{
  pl_signature signature;
  pl_kernel kernel = {
    .name = "flux", .source = "void fluxx(double *x) {} void g(int *i) {}", .file = "k.c", .line = 1};
  return pl_signature_parse(pl, &kernel, &signature);
}

/* Fails each allocation of `work` in turn. The failure is reported and leaks nothing. */
static void fail_each(pl_err (*work)(void), pl_err expected)
{
  pl_err err = PL_ERR_MEMORY;
  for (long n = 0; n < 1000; n++) {
    const size_t before = memory.blocks - (pl->error != NULL);
    const long failed = memory.failed;
    failing_memory_start(&memory, n, false);
    err = work();
    failing_memory_stop(&memory);
    CU_ASSERT_EQUAL(memory.blocks - (pl->error != NULL), before);
    if (memory.failed == failed) break;
    CU_ASSERT(err == PL_ERR_MEMORY || err == expected);
  }
  CU_ASSERT_EQUAL(err, expected);
}

static void test_memory(void)
{
  declare_helper("square", "(double x)", "{ return x * x; }");
  fail_each(parse_and_build, PL_SUCCESS);
  fail_each(parse_misspelt, PL_ERR_KERNEL);
}

static CU_TestInfo tests[] = {{"plain", test_text_plain},
                              {"faults", test_text_faults},
                              {"device", test_text_device},
                              {"consts", test_text_consts},
                              {"consts in files", test_text_consts_in_files},
                              {"const values", test_text_const_values},
                              {"helpers", test_text_helpers},
                              {"pl_real", test_text_real},
                              {"line marks and headers", test_text_marks_and_headers},
                              {"files of macros", test_text_macros_in_files},
                              {"refused kernels", test_text_refusals},
                              {"memory", test_memory},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run_each("kernel_source", declare_consts, close_text_context, tests);
}
