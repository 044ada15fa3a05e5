/* SPDX-License-Identifier: BSD-2-Clause
 * Copies of kernels for several elements: their text, and kernels that have none.
 */
#include "codegen/source/kernel_source.h"
#include "kernel_text.h"

static const pl_source_options plain = {
  .kernel_qualifier = "", .function_qualifier = "", .data_qualifier = "", .const_space = "", .host = true};

/* Arguments of the first parameters are direct dats, those of the last `scalars` globals. */
static void fill_args(pl_arg *args, int n, int scalars)
{
  for (int p = 0; p < n; p++) args[p].kind = p < n - scalars ? PL_ARG_DAT : PL_ARG_GLOBAL;
}

static bool build(const pl_kernel *kernel, int scalars, pl_source *source)
{
  pl_arg args[8] = {{.kind = PL_ARG_DAT}};
  bool possible;
  pl_signature signature;
  pl_source_options style = plain;
  OK(pl_signature_parse(pl, kernel, &signature));
  signature.real = PL_DOUBLE;
  fill_args(args, signature.count, scalars);
  OK(pl_source_has_vectors(pl, kernel, &signature, args, &possible));
  style.vector_args = args;
  if (possible) OK(pl_source_build(pl, kernel, &signature, &style, source));
  pl_signature_free(&signature);
  return possible;
}

/* The last line of the text: the copy. */
static void expect_copy(const char *params, const char *body, int scalars, const char *expected)
{
  pl_kernel kernel = kernel_of(params, body);
  pl_source source = {.pl = NULL};
  CU_ASSERT_TRUE(build(&kernel, scalars, &source));
  if (!source.text.length) {
    fprintf(stderr, "\n  no copy of %s\n", body);
    return;
  }
  const char *text = pl_string_chars(&source.text), *copy = strstr(text, "void pl_vector_k");
  expect_same(copy ? copy : text, expected);
  pl_source_free(&source);
}

static void expect_no_copy(const pl_kernel *kernel, const char *text)
{
  pl_source source = {.pl = NULL};
  const bool possible = build(kernel, 0, &source);
  CU_ASSERT_FALSE(possible);
  if (possible) fprintf(stderr, "\n  a copy of %s\n", text);
  pl_source_free(&source);
}

static void expect_none(const char *params, const char *body)
{
  const pl_kernel kernel = kernel_of(params, body);
  expect_no_copy(&kernel, body);
}

static void expect_no_copy_of_file(const char *text)
{
  const pl_kernel kernel = {.name = "k", .source = text, .file = "k.c", .line = 1};
  expect_no_copy(&kernel, text);
}

static void test_values(void)
{
  expect_copy("(const double *a, double b[2])", "{ b[0] = a[0] * a[1]; *b += a[0]; }", 0,
              "void pl_vector_k(const pl_vector *a, pl_vector b[2]) { b[0] = a[0] * a[1]; *b += a[0]; }\n");
  expect_copy(
    "(double *a)", "{ double s = 0, t[2] = {a[0], 1}; a[0] = 1 / s + 2 * t[1]; }", 0,
    "void pl_vector_k(pl_vector *a) { pl_vector s = PL_EACH_LANE(0), t[2] = {a[0], PL_EACH_LANE(1)}; "
    "a[0] = (double)(1) / s + (double)(2) * t[1]; }\n");
  expect_copy(
    "(double (*a)[3])", "{ for (int i = 0; i < 3; i++) a[0][i] = i; }", 0,
    "void pl_vector_k(pl_vector (*a)[3]) { for (int i = 0; i < 3; i++) a[0][i] = PL_EACH_LANE(i); }\n");
}

static void test_scalars(void)
{
  expect_copy(
    "(double *a, const double *c)", "{ if (c[0] > 1) a[0] = c[0] + a[0]; }", 1,
    "void pl_vector_k(pl_vector *a, const double *c) { if (c[0] > 1) a[0] = (double)(c[0]) + a[0]; }\n");
  expect_copy("(double *a)", "{ static const double w[2] = {1, 2}; a[0] = w[0] * w[1]; }", 0,
              "void pl_vector_k(pl_vector *a) { static const double w[2] = {1, 2}; a[0] = PL_EACH_LANE(w[0] "
              "* w[1]); }\n");
  expect_copy("(double *a)", "{ const double w[2] = {1, -2}; a[0] *= (double)sizeof w; }", 0,
              "void pl_vector_k(pl_vector *a) { const double w[2] = {1, -2}; a[0] *= "
              "PL_EACH_LANE((double)sizeof w); }\n");
  expect_copy("(double *a)", "{ for (int i = 0; i < 2; i++) a[i] = i ? a[0] : 0; }", 0,
              "void pl_vector_k(pl_vector *a) { for (int i = 0; i < 2; i++) a[i] = i ? (pl_vector)(a[0]) : "
              "(pl_vector)(PL_EACH_LANE(0)); }\n");
}

/* Known headers do not matter. */
static void test_headers(void)
{
  const pl_kernel kernel = {.name = "k",
                            .source =
                              "#include <math.h>\n#include \"plait.h\"\nvoid k(double *a) { a[0] *= 2; }",
                            .file = "k.c",
                            .line = 1};
  pl_source source = {.pl = NULL};
  CU_ASSERT_TRUE(build(&kernel, 0, &source));
  pl_source_free(&source);
}

static void test_functions(void)
{
  pl_kernel kernel = kernel_of("(double *a)", "{ a[0] = sqrt(a[1]) + sqrt(2.0); }");
  pl_source source;
  CU_ASSERT_TRUE(build(&kernel, 0, &source));
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_string_chars(&source.text), "PL_VECTOR_FUNCTION(sqrt)\n"));
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_string_chars(&source.text), "pl_vector_sqrt(a[1]) + (double)(sqrt(2.0))"));
  pl_source_free(&source);
}

/* A value of an element may not decide, become an integer, or be reached by a pointer. */
static void test_none(void)
{
  static const char *const bodies[] = {
    "{ if (a[0] > 0) a[0] = 0; }",
    "{ a[0] = a[0] > 0 ? 1 : 2; }",
    "{ while (a[0]) a[0] -= 1; }",
    "{ int i = a[0]; a[i] = 0; }",
    "{ a[0] = (int)a[1]; }",
    "{ int i = 0; i += a[0]; }",
    "{ a[0] = pow(a[0], 2); }",
    "{ double *p = a; p[0] = 0; }",
    "{ double b[2] = {1, 2}; memcpy(a, b, sizeof b); }",
    "{ float f = a[0]; a[0] = f; }",
    "{ a[0]++; }",
    "{ a[0] = !a[1]; }",
    "{ a += 1; }",
    "{ a[0] = (a[1], 2.0); }",
    "{ double b[2] = {[1] = 2}; a[0] = b[1]; }",
    "{ a[0] = a[1] - (2.0 * 3); }",
    "{ a[0] += -(2.0 * 3); }",
    "{ long double b = 1; a[0] = b; }",
  };
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) expect_none("(double *a)", bodies[i]);
  expect_none("(double *a)", "{\n#define B a[0]\n  a[1] = B;\n}");
  expect_none("(double *a)", "{ a[0] = 0.1L * a[1]; }");
  expect_none("(double *a)", "{ double _Complex z = 2; a[0] = a[1] * z; }");
  expect_no_copy_of_file(
    "#ifdef A\nvoid k(double *a) { a[0] = 1; }\n#else\nvoid k(double *a) { a[0] = 2; }\n#endif");
  expect_none("(double *a)", "{ a[0] *= sqrtl(2); }");
  expect_no_copy_of_file("#include <tgmath.h>\nvoid k(double *a) { a[0] *= 2; }");
  expect_no_copy_of_file("#include \"macros.h\"\nvoid k(double *a) { a[0] *= 2; }");
  expect_no_copy_of_file("long double two(void) { return 2; }\nvoid k(double *a) { a[0] *= two(); }");
}

static pl_err parse_and_ask(void)
{
  pl_kernel kernel = kernel_of("(double *a)", "{ a[0] = 1; }");
  pl_signature signature;
  const pl_arg arg = {.kind = PL_ARG_DAT};
  bool possible;
  PL_TRY(pl_signature_parse(pl, &kernel, &signature));
  signature.real = PL_DOUBLE;
  pl_err err = pl_source_has_vectors(pl, &kernel, &signature, &arg, &possible);
  if (!err) CU_ASSERT_TRUE(possible);
  pl_signature_free(&signature);
  return err;
}

static void test_memory(void)
{
  for (long n = 0;; n++) {
    const long failed = memory.failed;
    failing_memory_start(&memory, n, false);
    const pl_err err = parse_and_ask();
    failing_memory_stop(&memory);
    CU_ASSERT_EQUAL(err, memory.failed == failed ? PL_SUCCESS : PL_ERR_MEMORY);
    if (memory.failed == failed) break;
  }
}

static CU_TestInfo tests[] = {
  {"values", test_values},   {"scalars", test_scalars}, {"functions", test_functions},
  {"headers", test_headers}, {"none", test_none},       {"memory", test_memory},
  CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run_each("vector_source", open_text_context, close_text_context, tests);
}
