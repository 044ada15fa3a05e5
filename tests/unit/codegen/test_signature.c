/* SPDX-License-Identifier: BSD-2-Clause
 * Parameter lists of kernels, given alone or in a whole source.
 */
#include "codegen/kernel/signature.h"
#include "kernel_text.h"

/* Each parameter as in "const double pointers x[3]". */
static const char *describe_params(const pl_signature *signature, char *out, size_t size)
{
  static const char *const shapes[] = {"pointer", "pointers", "packed", "row", "opaque"};
  size_t n = 0;
  out[0] = '\0';
  for (int i = 0; i < signature->count; i++) {
    const pl_param *param = &signature->param[i];
    const char *type = param->is_real              ? "pl_real"
                       : pl_type_size(param->type) ? pl_type_name(param->type)
                                                   : "?";
    n += (size_t)snprintf(out + n, size - n, "%s%s%s %s %s", i ? ", " : "", param->is_const ? "const " : "",
                          type, shapes[param->shape], param->name);
    for (int k = 0; k < param->rank; k++) n += (size_t)snprintf(out + n, size - n, "[%d]", param->extent[k]);
  }
  return out;
}

static void expect_params(const char *params, const char *expected)
{
  pl_signature signature;
  char out[512];
  pl_kernel kernel = kernel_of(params, "{}");
  pl_err err = pl_signature_parse(pl, &kernel, &signature);
  CU_ASSERT_EQUAL(err, PL_SUCCESS);
  if (err) {
    fprintf(stderr, "\n  %s: %s\n", params, pl_errmsg(pl));
    return;
  }
  expect_same(describe_params(&signature, out, sizeof out), expected);
  pl_signature_free(&signature);
}

static void test_types(void)
{
  static const struct {
    const char *spelled, *type;
  } cases[] = {
    {"int8_t", "int8_t"},
    {"uint8_t", "uint8_t"},
    {"int16_t", "int16_t"},
    {"uint16_t", "uint16_t"},
    {"int32_t", "int32_t"},
    {"uint32_t", "uint32_t"},
    {"int64_t", "int64_t"},
    {"uint64_t", "uint64_t"},
    {"char", "int8_t"},
    {"signed char", "int8_t"},
    {"unsigned char", "uint8_t"},
    {"char unsigned", "uint8_t"},
    {"short", "int16_t"},
    {"short int", "int16_t"},
    {"signed short int", "int16_t"},
    {"unsigned short", "uint16_t"},
    {"short unsigned int", "uint16_t"},
    {"int", "int32_t"},
    {"signed", "int32_t"},
    {"signed int", "int32_t"},
    {"unsigned", "uint32_t"},
    {"unsigned int", "uint32_t"},
    {"int unsigned", "uint32_t"},
    {"long", "int64_t"},
    {"long int", "int64_t"},
    {"unsigned long", "uint64_t"},
    {"long unsigned int", "uint64_t"},
    {"long long", "int64_t"},
    {"long long int", "int64_t"},
    {"unsigned long long", "uint64_t"},
    {"float", "float"},
    {"double", "double"},
    {"pl_real", "pl_real"},
    {"pl_cfloat", "pl_cfloat"},
    {"pl_cdouble", "pl_cdouble"},
    {"volatile double", "double"},
    {"register double", "double"},
  };
  char params[128], expected[128];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    snprintf(params, sizeof params, "(%s *x, const %s *y, %s const *z)", cases[i].spelled, cases[i].spelled,
             cases[i].spelled);
    snprintf(expected, sizeof expected, "%s pointer x[-1], const %s pointer y[-1], const %s pointer z[-1]",
             cases[i].type, cases[i].type, cases[i].type);
    expect_params(params, expected);
  }
}

static void test_shapes(void)
{
  expect_params("()", "");
  expect_params("( void )", "");
  expect_params("(double x[])", "double pointer x[-1]");
  expect_params("(double x[4])", "double pointer x[4]");
  expect_params("(double x[0x10u])", "double pointer x[16]");
  expect_params("(double x[static 4])", "double pointer x[4]");
  expect_params("(double x[const restrict 4])", "double pointer x[4]");
  expect_params("(double x[N], double y[2 * 2], double z[*])",
                "double pointer x[-1], double pointer y[-1], double pointer z[-1]");
  expect_params("(double *restrict x, double *const volatile y)",
                "double pointer x[-1], double pointer y[-1]");
  expect_params("(double *x[3])", "double pointers x[3]");
  expect_params("(const double *const x[3])", "const double pointers x[3]");
  expect_params("(double *const x[3])", "double pointers x[3]");
  expect_params("(double **x, const float *const *y)", "double pointers x[-1], const float pointers y[-1]");
  expect_params("(double x[4][2])", "double packed x[4][2]");
  expect_params("(double x[][2], double y[N][2], double z[3][M])",
                "double packed x[-1][2], double packed y[-1][2], double packed z[3][-1]");
  expect_params("(const double (*x)[2])", "const double packed x[-1][2]");
  expect_params("(double (*const x)[2][3])", "double packed x[-1][2][3]");
  expect_params("(double x[4][3][3])", "double packed x[4][3][3]");
  expect_params("(double x[5][4][3][2])", "double packed x[5][4][3][2]");
  expect_params("(double x[4294967298], double y[2147483647])",
                "double pointer x[-1], double pointer y[2147483647]");
  expect_params("(double (*y), double (*(z[3])), double ((w)[2]))",
                "double pointer y[-1], double pointers z[3], double pointer w[2]");
}

static void test_opaque(void)
{
  expect_params("(void *x)", "? opaque x");
  expect_params("(struct box *x, const struct box *y)", "? opaque x, const ? opaque y");
  expect_params("(FILE *x, size_t *y, bool *z, long double *w)",
                "? opaque x, ? opaque y, ? opaque z, ? opaque w");
  expect_params("(double ***x, double *y[3][2])", "? opaque x, ? opaque y");
  expect_params("(double x[6][5][4][3][2])", "? opaque x");
  expect_params("(void (*f)(int, double *), double g(double))", "? opaque f, ? opaque g");
}

static void expect_no_params(const char *params, const char *message)
{
  pl_signature signature;
  pl_kernel kernel = kernel_of(params, "{}");
  expect_error(pl_signature_parse(pl, &kernel, &signature), PL_ERR_KERNEL, message);
  CU_ASSERT_PTR_NULL(signature.param);
}

static void test_parameter_errors(void)
{
  expect_no_params("(double x)",
                   "kernel \"k\" (k.h:7): parameter 1 \"double x\" is passed by value: a kernel takes "
                   "pointers and arrays only, so put a * before the name");
  expect_no_params("(double *x, double *)", "kernel \"k\" (k.h:7): parameter 2 \"double *\" has no name");
  expect_no_params("(double *x,)", "kernel \"k\" (k.h:7): parameter 2 \"\" is empty: remove the extra comma");
  expect_no_params(
    "(double *x, ...)",
    "kernel \"k\" (k.h:7): parameter 2 \"...\" is not allowed: a kernel has a fixed number of parameters");
  expect_no_params("(double *x\n, const *y)", "kernel \"k\" (k.h:8): parameter 2 \"const *y\" has no type");
  expect_no_params("(double &x)", "kernel \"k\" (k.h:7): parameter 1 \"double &x\" cannot be understood");
  expect_no_params(
    "(double (*x)",
    "kernel \"k\" (k.h:7): \"(double (*x)\" is not a parameter list: write (double *x, const double *y)");
  expect_no_params(
    "(double (*x y))",
    "kernel \"k\" (k.h:7): parameter 1 \"double (*x y)\" cannot be understood: a ) is missing");
  expect_no_params(
    "(double x[3)",
    "kernel \"k\" (k.h:7): \"(double x[3)\" is not a parameter list: write (double *x, const double *y)");
  expect_no_params("(double ((((((((((x)))))))))))",
                   "kernel \"k\" (k.h:7): parameter 1 \"double ((((((((((x))))))))))\" is too deeply nested");
  expect_no_params("(double *********x)",
                   "kernel \"k\" (k.h:7): parameter 1 \"double *********x\" is too deeply nested");
  expect_no_params(
    "double *x",
    "kernel \"k\" (k.h:7): \"double *x\" is not a parameter list: write (double *x, const double *y)");
  expect_no_params(
    "(double *x) y",
    "kernel \"k\" (k.h:7): \"(double *x) y\" is not a parameter list: write (double *x, const double *y)");
  expect_no_params("(double *x /*", "kernel \"k\" (k.h:7): a comment is not closed");
  expect_no_params("",
                   "kernel \"k\" (k.h:7): \"\" is not a parameter list: write (double *x, const double *y)");
}

static void expect_source(const char *source, const char *expected)
{
  pl_signature signature;
  char out[512];
  pl_kernel kernel = {.name = "flux", .source = source, .file = "flux.c", .line = 1};
  pl_err err = pl_signature_parse(pl, &kernel, &signature);
  CU_ASSERT_EQUAL(err, PL_SUCCESS);
  if (err) fprintf(stderr, "\n  %s\n", pl_errmsg(pl));
  if (err) return;
  expect_same(describe_params(&signature, out, sizeof out), expected);
  pl_signature_free(&signature);
}

static void expect_no_source(const char *source, const char *message)
{
  pl_signature signature;
  pl_kernel kernel = {.name = "flux", .source = source, .file = "flux.c", .line = 1};
  expect_error(pl_signature_parse(pl, &kernel, &signature), PL_ERR_KERNEL, message);
}

static void test_sources(void)
{
  expect_source("void flux(double *x) {}", "double pointer x[-1]");
  expect_source("/* void flux(int *x) {} */\n// void flux(int *x) {}\nstatic inline void flux(float *x){ }",
                "float pointer x[-1]");
  expect_source("#include <math.h>\nvoid flux(double *x);\ndouble g(double x) { return flux2(x); }\nvoid "
                "flux(double *x)\n{\n}",
                "double pointer x[-1]");
  expect_source("const char *s = \"void flux(int *x) {}\";\nvoid\nflux\n(\ndouble\n*\nx\n)\n{}",
                "double pointer x[-1]");
  expect_source("#ifndef PLAIT_JIT\nvoid flux(int *x) {}\n#else\nvoid flux(float *x) {}\n#endif",
                "float pointer x[-1]");
  expect_source("double g(double x) { void flux(int); return x; } void flux(double *x) {}",
                "double pointer x[-1]");
  expect_no_source("double flux(double *x) { return 0; }",
                   "kernel \"flux\" (flux.c:1): the function returns a value: a kernel must return void");
  expect_no_source("\nvoid *flux(double *x) { return 0; }",
                   "kernel \"flux\" (flux.c:2): the function returns a value: a kernel must return void");
  expect_no_source(
    "void fluxx(double *x) {}",
    "kernel \"flux\" (flux.c:1): the source defines no function \"flux\"; did you mean \"fluxx\"?");
  expect_no_source("void flux(double *x);", "kernel \"flux\" (flux.c:1): the source defines no function "
                                            "\"flux\": write void flux(...) {...} in it");
  expect_no_source("", "kernel \"flux\" (flux.c:1): the source defines no function \"flux\": write void "
                       "flux(...) {...} in it");
  expect_no_source(
    "\n\nvoid flux(double x) {}",
    "kernel \"flux\" (flux.c:3): parameter 1 \"double x\" is passed by value: a kernel takes pointers and "
    "arrays only, so put a * before the name");
}

static void expect_clears(const char *source, int clears)
{
  pl_signature signature;
  pl_kernel kernel = {.name = "flux", .source = source, .file = "flux.c", .line = 1};
  CU_ASSERT_EQUAL_FATAL(pl_signature_parse(pl, &kernel, &signature), PL_SUCCESS);
  CU_ASSERT_EQUAL(signature.param[0].uses.clears, clears);
  pl_signature_free(&signature);
}

/* A macro may mean something else than its name says. */
static void test_clears(void)
{
  expect_clears("void flux(double *x) { x[0] = 0; x[1] = 0; }", 2);
  expect_clears("#define x y\nvoid flux(double *x) { x[0] = 0; x[1] = 0; }", 0);
}

static CU_TestInfo tests[] = {{"types", test_types},     {"shapes", test_shapes},
                              {"opaque", test_opaque},   {"parameter errors", test_parameter_errors},
                              {"sources", test_sources}, {"clears", test_clears},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run_each("signature", open_text_context, close_text_context, tests);
}
