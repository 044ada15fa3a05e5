/* SPDX-License-Identifier: BSD-2-Clause
 * Kernel texts: tokens, parameter lists, their agreement with loop arguments, and the program text made of
 * them. No process is started; the one file that is written is removed again.
 */
#include <CUnit/Basic.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#include "../../src/codegen/lex.h"
#include "../../src/codegen/outline.h"
#include "../../src/codegen/signature.h"
#include "../../src/codegen/source.h"

/* ---- a context with a backend that does nothing
 * ------------------------------------------------------------- */

static pl_err fake_open(pl_context *pl, void **state)
{
  (void)pl, (void)state;
  return PL_SUCCESS;
}

static void fake_close(pl_context *pl)
{
  (void)pl;
}

static const pl_backend fake = {.name = "seq", .open = fake_open, .close = fake_close};
static pl_context *pl;

/* Allocations: counted, and the one with number `fail_at` fails. */
static int allocated, alive, fail_at;

static void *counting_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
  (void)user, (void)old_size;
  if (new_size && ++allocated == fail_at) return NULL;
  alive += (ptr == NULL) - (new_size == 0);
  if (new_size) return realloc(ptr, new_size);
  free(ptr);
  return NULL;
}

static void open_context(void)
{
  static const pl_backend *const backends[] = {&fake, NULL};
  static const char *const options[] = {"backend=seq", NULL};
  pl_settings settings = {.options = options, .realloc = counting_realloc};
  fail_at = 0;
  if (pl_context_open(NULL, NULL, &settings, backends, &pl)) fprintf(stderr, "%s\n", pl_errmsg(pl));
}

static void close_context(void)
{
  pl_finalize(&pl);
  CU_ASSERT_EQUAL(alive, 0);
}

static void expect_error(pl_err err, pl_err code, const char *sentence)
{
  CU_ASSERT_EQUAL(err, code);
  CU_ASSERT_STRING_EQUAL(pl_errmsg(pl), sentence);
  if (strcmp(pl_errmsg(pl), sentence))
    fprintf(stderr, "\n  got      %s\n  expected %s\n", pl_errmsg(pl), sentence);
}

/* ---- tokens
 * ------------------------------------------------------------------------------------------------- */

/* Kinds as letters, each token in brackets with its line where it is not 1. */
static const char *tokens_of(const char *text, char *out, size_t room)
{
  pl_lexer lexer;
  pl_token token;
  size_t n = 0;
  out[0] = '\0';
  pl_lex_open(&lexer, text, strlen(text), 1);
  do {
    token = pl_lex_next(&lexer);
    n += (size_t)snprintf(out + n, room - n, "%c", "$!nfscp#"[token.kind]);
    if (token.line != 1) n += (size_t)snprintf(out + n, room - n, "%d", token.line);
    if (token.length) n += (size_t)snprintf(out + n, room - n, "<%.*s>", (int)token.length, token.text);
  } while (token.kind != PL_TOKEN_END && token.kind != PL_TOKEN_ERROR && n + 64 < room);
  return out;
}

static void test_tokens(void)
{
  static const struct {
    const char *text, *tokens;
  } cases[] = {
    {"", "$"},
    {"  \t\n ", "$2"},
    {"a+=b->c", "n<a>p<+=>n<b>p<->>n<c>$"},
    {"x.y...z", "n<x>p<.>n<y>p<...>n<z>$"},
    {"1.5e-3f .5 1. 0x1.8p+3 1e5 10ul 1e+a", "f<1.5e-3f>f<.5>f<1.>f<0x1.8p+3>f<1e5>f<10ul>f<1e+a>$"},
    {"0xe+1", "f<0xe>p<+>f<1>$"},
    {"a/**/b// c\nd", "n<a>n<b>n2<d>$2"},
    {"a//x\\\ny\nb", "n<a>n3<b>$3"},
    {"\"a\\\"b\"'\\''x", "s<\"a\\\"b\">c<'\\''>n<x>$"},
    {"#define A \\\n 1 /* \n */ 2\nb", "#<#define A \\\n 1 /* \n */ 2>n4<b>$4"},
    {" # if X // \"\nb # c", "#<# if X // \">n2<b>p2<#>n2<c>$2"},
    {"#error don't \"stop\nb", "#<#error don't \"stop>n2<b>$2"},
    {"a\\\nb", "n<a>n2<b>$2"},
    {"a\\\r\nb", "n<a>n2<b>$2"},
    {"\"a\\\nb\"", "s<\"a\\\nb\">$2"},
    {"/* open", "!</* open>"},
    {"a /*/", "n<a>!</*/>"},
    {"\"open\n\"", "!<\"open\n\">"},
    {"'\\", "!<'\\>"},
    {"\"\\", "!<\"\\>"},
    {"#x /* \n", "!<#x /* \n>"},
    {"a @ b", "n<a>!<@ b>"},
    {"a \\ b", "n<a>!<\\ b>"},
    {"\xc3\xa9t\xc3\xa9", "n<\xc3\xa9t\xc3\xa9>$"},
  };
  char out[512];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CU_ASSERT_STRING_EQUAL(tokens_of(cases[i].text, out, sizeof out), cases[i].tokens);
}

/* Every prefix of a text, in a block of exactly that size: memory checkers see any step too far. */
static void test_tokens_stay_inside(void)
{
  static const char text[] = "#define A(x) \"s\\\n\" /* c */ \\\n 'c'\n\"a\\\"b\" 'x' /* y */ // z \\\r\n "
                             "1.e+5 ->* ... a\\\r\n #x \"\\";
  for (size_t length = 0; length < sizeof text; length++) {
    char *block = malloc(length ? length : 1);
    memcpy(block, text, length);
    pl_lexer lexer;
    pl_token token;
    const char *end = block;
    pl_lex_open(&lexer, block, length, 1);
    do {
      token = pl_lex_next(&lexer);
      CU_ASSERT(token.text >= end && token.text + token.length <= block + length);
      CU_ASSERT(token.length > 0 || token.kind == PL_TOKEN_END);
      end = token.text + token.length;
    } while (token.kind != PL_TOKEN_END && token.kind != PL_TOKEN_ERROR);
    CU_ASSERT_EQUAL(pl_lex_next(&lexer).kind, PL_TOKEN_END);
    free(block);
  }
}

static void test_real_literals(void)
{
  static const char *const real[] = {"0.5", ".5", "1.", "1e3", "1E-3", "0x1.8p3", "0X1P+2"};
  static const char *const other[] = {"5",    "0.5f", "1e3F",   "1.L",  "0x1e5",
                                      "0xff", "1u",   "0x1p3f", "1e3l", "017"};
  pl_lexer lexer;
  for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
    pl_lex_open(&lexer, real[i], strlen(real[i]), 1);
    pl_token token = pl_lex_next(&lexer);
    CU_ASSERT_TRUE(pl_token_is_real(&token));
  }
  for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
    pl_lex_open(&lexer, other[i], strlen(other[i]), 1);
    pl_token token = pl_lex_next(&lexer);
    CU_ASSERT_FALSE(pl_token_is_real(&token));
  }
}

/* The names that are left after pruning. */
static void expect_pruned(const char *text, const char *expected)
{
  pl_tokens tokens;
  char out[256] = "";
  CU_ASSERT_EQUAL_FATAL(pl_tokens_read(pl, text, strlen(text), 1, &tokens), PL_SUCCESS);
  pl_tokens_prune(&tokens, NULL, NULL);
  for (int i = 0; i < tokens.count; i++)
    if (tokens.item[i].kind == PL_TOKEN_NAME) strncat(out, tokens.item[i].text, tokens.item[i].length);
  CU_ASSERT_STRING_EQUAL(out, expected);
  pl_tokens_free(&tokens);
}

static void test_prune(void)
{
  expect_pruned("a\n#ifdef PLAIT_JIT\nb\n#else\nc\n#endif\nd", "abd");
  expect_pruned("a\n#ifndef PLAIT_JIT\nb\n#else\nc\n#endif\nd", "acd");
  expect_pruned("#if defined(PLAIT_JIT) /* x */\nb\n#elif Y\nc\n#else\nd\n#endif", "b");
  expect_pruned("#if !defined PLAIT_JIT\nb\n#elif Y\nc\n#else\nd\n#endif", "cd");
  expect_pruned("#if defined(PLAIT_JIT) && X\nb\n#else\nc\n#endif", "bc");
  expect_pruned("#if 0\nb\n#ifdef PLAIT_JIT\nc\n#endif\nd\n#else\ne\n#endif", "e");
  expect_pruned("#if 1\nb\n#else\nc\n#endif\n#if !0\nd\n#else\ne\n#endif", "bd");
  expect_pruned("#ifdef PLAIT_JITTER\nb\n#else\nc\n#endif", "bc");
  expect_pruned("#endif\n#else\na\n#if 0\nb", "a");
}

/* ---- outline
 * ------------------------------------------------------------------------------------------------ */

static void expect_outline(const char *text, const char *expected)
{
  static const pl_origin origin = {"kernel", "k", "k.h", 1};
  pl_outline outline;
  char out[512] = "";
  CU_ASSERT_EQUAL_FATAL(pl_outline_read(pl, &origin, text, strlen(text), &outline), PL_SUCCESS);
  for (int i = 0; i < outline.count; i++) {
    const pl_unit *unit = &outline.unit[i];
    const pl_token *name = unit->name >= 0 ? &outline.tokens.item[unit->name] : NULL;
    snprintf(out + strlen(out), 64, "%c:%.*s ", "fpvo"[unit->kind],
             name && unit->kind != PL_UNIT_OTHER ? (int)name->length : 0, name ? name->text : "");
  }
  CU_ASSERT_STRING_EQUAL(out, expected);
  if (strcmp(out, expected)) fprintf(stderr, "\n  got %s expected %s\n", out, expected);
  pl_outline_free(&outline);
}

static void test_outline(void)
{
  expect_outline("", "");
  expect_outline("#define A 1\nvoid f(int *x) { if (x) { } }\n#undef A\nint g(void);", "f:f p:g ");
  expect_outline("static inline __attribute__((pure)) double f(double x) { return x; }", "f:f ");
  expect_outline("void f(int *x) __attribute__((cold)); void f(int *x) {}", "p:f f:f ");
  expect_outline("MACRO(3) void f(int *x) {}", "f:f ");
  expect_outline("struct p { double x; }; struct p f(struct p a) { return a; } struct p; struct p v;",
                 "o: f:f o: v:v ");
  expect_outline("typedef double real; typedef int (*fn)(int); enum { A, B };", "o: o: o: ");
  expect_outline("static const double w[3] = {f(1), 2, 3}; extern double gam, x; int i = 1, j = 2;",
                 "v:w v:gam v:i ");
  expect_outline("extern \"C\" {\nvoid f(int *x) {}\n}\nvoid g(int *x) {}", "o: f:f o: f:g ");
  expect_outline("#if 0\nvoid f(int *x) {\n#endif\nvoid g(int *x) {}", "f:g ");
  expect_outline(";; void f(int *x) {}; int", "o: o: f:f o: o: ");
}

static void expect_no_outline(const char *text, const char *sentence)
{
  static const pl_origin origin = {"kernel", "k", "k.h", 10};
  pl_outline outline;
  expect_error(pl_outline_read(pl, &origin, text, strlen(text), &outline), PL_ERR_KERNEL, sentence);
}

static void test_outline_errors(void)
{
  expect_no_outline("\n\nvoid f(int *x) {\n(", "kernel \"k\" (k.h:12): a { here is not closed");
  expect_no_outline("void f(int *x {}", "kernel \"k\" (k.h:10): a ( here is not closed");
  expect_no_outline("void f(int *x) { ( }", "kernel \"k\" (k.h:10): a { here is not closed");
  expect_no_outline("\n/* void f() {}", "kernel \"k\" (k.h:11): a comment is not closed");
  expect_no_outline("char *s = \"abc;\n", "kernel \"k\" (k.h:10): a string is not closed");
  expect_no_outline("char s = 'abc;\n", "kernel \"k\" (k.h:10): a character constant is not closed");
  expect_no_outline("int a; @", "kernel \"k\" (k.h:10): a character here belongs to no C token");
}

/* ---- parameter lists
 * ---------------------------------------------------------------------------------------- */

static pl_kernel kernel_of(const char *params, const char *body)
{
  return (pl_kernel){.name = "k", .params = params, .body = body, .file = "k.h", .line = 7, .real_size = 8};
}

/* "const double pointers x[3]" and so on for each parameter. */
static const char *describe(const pl_signature *signature, char *out, size_t room)
{
  static const char *const shapes[] = {"pointer", "pointers", "packed", "row", "opaque"};
  size_t n = 0;
  out[0] = '\0';
  for (int i = 0; i < signature->count; i++) {
    const pl_param *param = &signature->param[i];
    const char *type = param->is_real              ? "pl_real"
                       : pl_type_size(param->type) ? pl_type_name(param->type)
                                                   : "?";
    n += (size_t)snprintf(out + n, room - n, "%s%s%s %s %s", i ? ", " : "", param->is_const ? "const " : "",
                          type, shapes[param->shape], param->name);
    for (int k = 0; k < param->rank; k++) n += (size_t)snprintf(out + n, room - n, "[%d]", param->extent[k]);
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
  CU_ASSERT_STRING_EQUAL(describe(&signature, out, sizeof out), expected);
  if (strcmp(out, expected)) fprintf(stderr, "\n  got %s expected %s\n", out, expected);
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
  expect_params("(void (*f)(int, double *), double g(double))", "? opaque f, ? opaque g");
}

static void expect_no_params(const char *params, const char *sentence)
{
  pl_signature signature;
  pl_kernel kernel = kernel_of(params, "{}");
  expect_error(pl_signature_parse(pl, &kernel, &signature), PL_ERR_KERNEL, sentence);
  CU_ASSERT_PTR_NULL(signature.param);
}

/* Which parameters the body of a kernel plainly writes: "x" and "p" here, told by their letters. */
static void expect_writes(const char *body, const char *expected)
{
  pl_signature signature;
  pl_kernel kernel = kernel_of("(double *x, double *y[2], double z[2][3], pl_cdouble *c)", body);
  char out[8] = "";
  CU_ASSERT_EQUAL_FATAL(pl_signature_parse(pl, &kernel, &signature), PL_SUCCESS);
  for (int i = 0; i < signature.count; i++)
    if (signature.param[i].uses.writes) strcat(out, signature.param[i].name);
  CU_ASSERT_STRING_EQUAL(out, expected);
  if (strcmp(out, expected)) fprintf(stderr, "\n  %s: got \"%s\" expected \"%s\"\n", body, out, expected);
  pl_signature_free(&signature);
}

/* Whether the body sets or multiplies x and does nothing else with it. */
static void expect_set(const char *body, bool expected)
{
  pl_signature signature;
  pl_kernel kernel = kernel_of("(double *x, double *y)", body);
  CU_ASSERT_EQUAL_FATAL(pl_signature_parse(pl, &kernel, &signature), PL_SUCCESS);
  const pl_uses *uses = &signature.param[0].uses;
  CU_ASSERT_EQUAL((uses->sets || uses->scales) && !uses->adds && !uses->others, expected);
  pl_signature_free(&signature);
}

static void test_sets(void)
{
  expect_set("{ x[0] = 1; }", true);
  expect_set("{ if (*y > 0) *x = *y; else x[0] = 2; }", true);
  expect_set("{ x[0] *= y[0]; x[0] /= 2; }", true);
  expect_set("{ x[0] += 1; }", false);
  expect_set("{ ++x[0]; x[0] *= 2; }", false);
  expect_set("{ x[0] = 0; for (int i = 0; i < 2; i++) x[0] += y[i]; }", false);
  expect_set("{ x[0] = x[0] + 1; }", false);
  expect_set("{ x[0] = 2 * y[0] + x[0]; }", false);
  expect_set("{ *x = *x - y[0]; }", false);
  expect_set("{ x[0] = fmin(x[0], y[0]); }", true);
  expect_set("{ *x = fmaxf(sqrt(*y), *x); }", true);
  expect_set("{ x[0] = fmin(x[0] + 1, y[0]); }", false);
  expect_set("{ x[0] = twice(x[0], y[0]); }", false);
  expect_set("{ if (y[0] < x[0]) x[0] = y[0]; }", true);
  expect_set("{ x[0] = y[0] > x[0] ? y[0] : x[0]; }", true);
  expect_set("{ x[0] = y[0] > 0 ? x[0] + y[0] : x[0]; }", false);
  expect_set("{ double s = x[0]; s += y[0]; x[0] = s; }", false);
  expect_set("{ x[0] = *y ? 1 : x[1] + 1; }", false);
  expect_set("{ double *p = x; x[0] = 1; }", false);
  expect_set("{ y[0] = x[0] == 1; }", false);
}

static void test_writes(void)
{
  expect_writes("{ x[0] = 1; }", "x");
  expect_writes("{ *x += 1; }", "x");
  expect_writes("{ *x++ = 1; }", "x");
  expect_writes("{ x[y[0][1] > 0]++; --x[1]; }", "x");
  expect_writes("{ double s = 2 * x[0]; x[0] = s; }", "x");
  expect_writes("{ double a = 1, s; s = a * x[0]; if (s > 0) x[0] = a * s; }", "x");
  expect_writes("{ y[0][0] = x[0]; (*y)[1] -= 1; }", "y");
  expect_writes("{ **y = 1; }", "y");
  expect_writes("{ z[1][2] *= 2; c[0].re = x[0]; }", "zc");
  expect_writes("{ (z[0])[1] = 0; }", ""); /* not plain: brackets */
  expect_writes("{ double s = x[0] == 1 ? *x : y[0][1]; if (s <= x[0]) s = x[1]; }", "");
  expect_writes("{ x++; x = y[0]; y[0] = x; y[0]++; }", "");
  expect_writes("{ struct { double x[2]; } s; s.x[0] = 1; (&s)->x[1] = 2; }", ""); /* a member's name */
  expect_writes("{ { double x[2]; x[0] = 1; } { const double *y = 0; *y; } }", "");
  expect_writes("{ for (double *x = *y; x; ) *x = 0; }", "");
  expect_writes("{ x[0", "");
}

static void test_parameter_errors(void)
{
  expect_no_params("(double x)",
                   "kernel \"k\" (k.h:7): parameter 1 \"double x\" is passed by value: a kernel takes "
                   "pointers and arrays only, so put a * before the name");
  expect_no_params("(double *x, double *)", "kernel \"k\" (k.h:7): parameter 2 \"double *\" has no name");
  expect_no_params("(double *x,)",
                   "kernel \"k\" (k.h:7): parameter 2 \"\" is empty: there is a comma too many");
  expect_no_params(
    "(double *x, ...)",
    "kernel \"k\" (k.h:7): parameter 2 \"...\" cannot be: a kernel takes a fixed number of parameters");
  expect_no_params("(double *x\n, const *y)", "kernel \"k\" (k.h:8): parameter 2 \"const *y\" has no type");
  expect_no_params("(double &x)", "kernel \"k\" (k.h:7): parameter 1 \"double &x\" cannot be understood");
  expect_no_params(
    "(double (*x)",
    "kernel \"k\" (k.h:7): \"(double (*x)\" is no parameter list: write (double *x, const double *y)");
  expect_no_params(
    "(double (*x y))",
    "kernel \"k\" (k.h:7): parameter 1 \"double (*x y)\" cannot be understood: a ) is missing");
  expect_no_params(
    "(double x[3)",
    "kernel \"k\" (k.h:7): \"(double x[3)\" is no parameter list: write (double *x, const double *y)");
  expect_no_params("(double ((((((((((x)))))))))))",
                   "kernel \"k\" (k.h:7): parameter 1 \"double ((((((((((x))))))))))\" is too deeply nested");
  expect_no_params("(double *********x)",
                   "kernel \"k\" (k.h:7): parameter 1 \"double *********x\" is too deeply nested");
  expect_no_params(
    "double *x",
    "kernel \"k\" (k.h:7): \"double *x\" is no parameter list: write (double *x, const double *y)");
  expect_no_params(
    "(double *x) y",
    "kernel \"k\" (k.h:7): \"(double *x) y\" is no parameter list: write (double *x, const double *y)");
  expect_no_params("(double *x /*", "kernel \"k\" (k.h:7): a comment is not closed");
  expect_no_params("", "kernel \"k\" (k.h:7): \"\" is no parameter list: write (double *x, const double *y)");
}

/* ---- kernels in whole files
 * --------------------------------------------------------------------------------- */

static void expect_source(const char *source, const char *expected)
{
  pl_signature signature;
  char out[512];
  pl_kernel kernel = {.name = "flux", .source = source, .file = "flux.c", .line = 1};
  pl_err err = pl_signature_parse(pl, &kernel, &signature);
  CU_ASSERT_EQUAL(err, PL_SUCCESS);
  if (err) fprintf(stderr, "\n  %s\n", pl_errmsg(pl));
  if (err) return;
  CU_ASSERT_STRING_EQUAL(describe(&signature, out, sizeof out), expected);
  pl_signature_free(&signature);
}

static void expect_no_source(const char *source, const char *sentence)
{
  pl_signature signature;
  pl_kernel kernel = {.name = "flux", .source = source, .file = "flux.c", .line = 1};
  expect_error(pl_signature_parse(pl, &kernel, &signature), PL_ERR_KERNEL, sentence);
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
    "kernel \"flux\" (flux.c:1): the source defines no function \"flux\"; is \"fluxx\" meant?");
  expect_no_source(
    "void flux(double *x);",
    "kernel \"flux\" (flux.c:1): the source defines no function \"flux\": write void flux(...) {...} in it");
  expect_no_source(
    "",
    "kernel \"flux\" (flux.c:1): the source defines no function \"flux\": write void flux(...) {...} in it");
  expect_no_source(
    "\n\nvoid flux(double x) {}",
    "kernel \"flux\" (flux.c:3): parameter 1 \"double x\" is passed by value: a kernel takes pointers and "
    "arrays only, so put a * before the name");
}

/* ---- agreement with arguments
 * ------------------------------------------------------------------------------- */

static pl_set *cells, *nodes;
static pl_map *corners;
static pl_dat *res, *area, *xy, *single, *tensor, *count, *wave;
static pl_global *rms, *vec, *where;
static pl_const *weight;

static void declare(void)
{
  static const int shape[] = {2, 3}, index[] = {0, 1, 2, 1, 2, 0};
  static const double one = 1;
  open_context();
  PL_OK(pl, pl_decl_set(pl, 2, "cells", &cells));
  PL_OK(pl, pl_decl_set(pl, 3, "nodes", &nodes));
  PL_OK(pl, pl_decl_map(cells, nodes, 3, index, "corners", &corners));
  PL_OK(pl, pl_decl_dat(cells, 4, PL_DOUBLE, NULL, "res", &res));
  PL_OK(pl, pl_decl_dat(cells, 1, PL_DOUBLE, NULL, "area", &area));
  PL_OK(pl, pl_decl_dat(nodes, 2, PL_DOUBLE, NULL, "xy", &xy));
  PL_OK(pl, pl_decl_dat(nodes, 2, PL_FLOAT, NULL, "single", &single));
  PL_OK(pl, pl_decl_dat(cells, 1, PL_INT32, NULL, "count", &count));
  PL_OK(pl, pl_decl_dat(cells, 1, PL_COMPLEX_DOUBLE, NULL, "wave", &wave));
  PL_OK(pl, pl_decl_dat_shape(cells, 2, shape, PL_DOUBLE, NULL, "tensor", &tensor));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "rms", &rms));
  PL_OK(pl, pl_decl_global(pl, 3, PL_DOUBLE, NULL, "vec", &vec));
  PL_OK(pl, pl_decl_global(pl, 1, PL_INT64, NULL, "where", &where));
  PL_OK(pl, pl_decl_const(pl, "weight", 1, PL_DOUBLE, &one, &weight));
}

static pl_err bind_body(const char *params, const char *body, int nargs, const pl_arg *args,
                        pl_signature *signature)
{
  pl_kernel kernel = kernel_of(params, body);
  pl_arg copy[4];
  memcpy(copy, args, (size_t)nargs * sizeof *args);
  pl_loop loop = {.pl = pl, .kernel = &kernel, .set = cells, .nargs = nargs, .args = copy};
  pl_err err = pl_signature_parse(pl, &kernel, signature);
  if (err) return err;
  err = pl_signature_bind(pl, &loop, signature);
  if (err) pl_signature_free(signature);
  return err;
}

static pl_err bind_args(const char *params, int nargs, const pl_arg *args, pl_signature *signature)
{
  return bind_body(params, "{}", nargs, args, signature);
}

static pl_type expect_fits(const char *params, int nargs, const pl_arg *args)
{
  pl_signature signature;
  pl_err err = bind_args(params, nargs, args, &signature);
  CU_ASSERT_EQUAL(err, PL_SUCCESS);
  if (err) fprintf(stderr, "\n  %s: %s\n", params, pl_errmsg(pl));
  if (err) return PL_TYPE_COUNT;
  pl_type real = signature.real;
  pl_signature_free(&signature);
  return real;
}

static void expect_misfit(const char *params, pl_arg arg, pl_err code, const char *sentence)
{
  pl_signature signature;
  expect_error(bind_args(params, 1, &arg, &signature), code, sentence);
}

static void fits(const char *params, pl_arg arg)
{
  expect_fits(params, 1, &arg);
}

static void test_bind_shapes(void)
{
  pl_arg direct = pl_arg_dat(res, PL_ID, PL_DIRECT, PL_RW), one = pl_arg_dat(xy, 1, corners, PL_READ);
  pl_arg all = pl_arg_dat(xy, PL_ALL, corners, PL_READ), shaped = pl_arg_dat(tensor, PL_ID, PL_DIRECT, PL_RW);
  fits("(double *x)", direct);
  fits("(double x[4])", direct);
  fits("(double x[2][2])", direct);
  fits("(double x[][2])", direct);
  fits("(double x[N])", direct);
  fits("(double x[2][3])", shaped);
  fits("(double (*x)[3])", shaped);
  fits("(const double x[2])", one);
  fits("(double *x)", one);
  fits("(const double *x[3])", all);
  fits("(const double *const x[3])", all);
  fits("(const double **x)", all);
  fits("(const double x[3][2])", all);
  fits("(const double x[][2])", all);
  fits("(const double x[3][N])", all);
  fits("(const double x[3][2][1])", all);
  fits("(double *x)", pl_arg_component(direct, 2));
  fits("(double x[1])", pl_arg_component(direct, 2));
  fits("(double *x)", pl_arg_gbl(rms, PL_INC));
  fits("(const double x[3])", pl_arg_gbl(vec, PL_READ));
  fits("(const double *x)", pl_arg_const(weight, PL_READ));
  fits("(int64_t *x)", pl_arg_payload(where, rms));
  fits("(const int64_t *x)", pl_arg_idx(PL_ID, PL_DIRECT));
  fits("(const long *x)", pl_arg_idx(2, corners));
  fits("(pl_cdouble *x)", pl_arg_dat(wave, PL_ID, PL_DIRECT, PL_INC));
  fits("(void *x)", pl_arg_ptr(NULL));
  fits("(struct box *x)", pl_arg_ptr(NULL));
  fits("(double **x)", pl_arg_ptr(NULL));
  fits("(const double *x)", pl_arg_opt(pl_arg_dat(area, PL_ID, PL_DIRECT, PL_READ), 0));
}

static void test_bind_shape_errors(void)
{
  pl_arg direct = pl_arg_dat(res, PL_ID, PL_DIRECT, PL_RW), one = pl_arg_dat(xy, 1, corners, PL_READ);
  pl_arg all = pl_arg_dat(xy, PL_ALL, corners, PL_READ);
#define P "kernel \"k\", parameter 1 \"x\": "
  expect_misfit("(double x[3])", direct, PL_ERR_KERNEL,
                P "\"double x[3]\" does not hold the 4 values of dat \"res\": write double x[4]");
  expect_misfit("(double x[5])", direct, PL_ERR_KERNEL,
                P "\"double x[5]\" does not hold the 4 values of dat \"res\": write double x[4]");
  expect_misfit("(double x[2][3])", direct, PL_ERR_KERNEL,
                P "\"double x[2][3]\" does not hold the 4 values of dat \"res\": write double x[4]");
  expect_misfit("(double x[][3])", direct, PL_ERR_KERNEL,
                P "\"double x[][3]\" does not hold the 4 values of dat \"res\": write double x[4]");
  expect_misfit("(double *x[4])", direct, PL_ERR_KERNEL,
                P "an array of pointers, but dat \"res\" is handed over for one element: write double *x");
  expect_misfit("(const double **x)", one, PL_ERR_KERNEL,
                P "an array of pointers, but dat \"xy\" is handed over for one element: write const double "
                  "*x, or use PL_ALL in the loop");
#define Q                                                                                                    \
  " does not hold the 3 targets of map \"corners\" with 2 values of dat \"xy\" each: write const double "    \
  "*x[3] or const double x[3][2]"
  expect_misfit("(const double *x)", all, PL_ERR_KERNEL, P "\"const double *x\"" Q);
  expect_misfit("(const double x[6])", all, PL_ERR_KERNEL, P "\"const double x[6]\"" Q);
  expect_misfit("(const double *x[4])", all, PL_ERR_KERNEL, P "\"const double *x[4]\"" Q);
  expect_misfit("(const double x[2][3])", all, PL_ERR_KERNEL, P "\"const double x[2][3]\"" Q);
  expect_misfit("(const double x[3][3])", all, PL_ERR_KERNEL, P "\"const double x[3][3]\"" Q);
  expect_misfit("(const double x[][1])", all, PL_ERR_KERNEL, P "\"const double x[][1]\"" Q);
  expect_misfit("(double x[2])", pl_arg_gbl(rms, PL_INC), PL_ERR_KERNEL,
                P "\"double x[2]\" does not hold the 1 value of global \"rms\": write double x[1]");
  expect_misfit("(double x[1][3])", pl_arg_gbl(vec, PL_INC), PL_ERR_KERNEL,
                P "an array of arrays, but global \"vec\" has no shape: write double *x");
  expect_misfit(
    "(const double **x)", pl_arg_const(weight, PL_READ), PL_ERR_KERNEL,
    P "an array of pointers, but const \"weight\" is handed over for one element: write const double *x");
  expect_misfit("(double x[4])", pl_arg_component(direct, 1), PL_ERR_KERNEL,
                P "\"double x[4]\" does not hold the 1 value of dat \"res\": write double x[1]");
}

static void test_bind_type_errors(void)
{
  pl_arg direct = pl_arg_dat(res, PL_ID, PL_DIRECT, PL_RW);
  expect_misfit("(float *x)", direct, PL_ERR_TYPE, P "float, but dat \"res\" holds double");
  expect_misfit("(pl_real *x)", pl_arg_dat(count, PL_ID, PL_DIRECT, PL_RW), PL_ERR_TYPE,
                P "pl_real, but dat \"count\" holds int32_t");
  expect_misfit("(double *x)", pl_arg_dat(wave, PL_ID, PL_DIRECT, PL_RW), PL_ERR_TYPE,
                P "double, but dat \"wave\" holds pl_cdouble");
  expect_misfit("(real *x)", direct, PL_ERR_TYPE,
                P "\"real *x\" is no type or shape that dat \"res\" can be handed over as: write double *x");
  expect_misfit(
    "(double ***x)", direct, PL_ERR_TYPE,
    P "\"double ***x\" is no type or shape that dat \"res\" can be handed over as: write double *x");
  expect_misfit("(const int *x)", pl_arg_idx(PL_ID, PL_DIRECT), PL_ERR_TYPE,
                P "int32_t, but the index argument holds int64_t");
  expect_misfit("(const double *x)", direct, PL_ERR_ACCESS,
                P "const, but the loop writes dat \"res\": drop the const, or make the access PL_READ");
  expect_misfit("(const double *x)", pl_arg_gbl(rms, PL_MAX), PL_ERR_ACCESS,
                P "const, but the loop writes global \"rms\": drop the const, or make the access PL_READ");
  expect_misfit("(const int64_t *x)", pl_arg_payload(where, rms), PL_ERR_ACCESS,
                P "const, but the loop writes global \"where\": drop the const, or make the access PL_READ");
  expect_misfit("(int64_t *x)", pl_arg_idx(PL_ID, PL_DIRECT), PL_ERR_ACCESS,
                P "an index cannot be written: write const int64_t *x");
  pl_signature signature;
  pl_arg read = pl_arg_dat(res, PL_ID, PL_DIRECT, PL_READ), all = pl_arg_dat(xy, PL_ALL, corners, PL_READ);
  expect_error(
    bind_body("(double *x)", "{ x[0] = 1; }", 1, &read, &signature), PL_ERR_ACCESS,
    P "the kernel assigns to it, but the loop only reads dat \"res\": make the access PL_RW, or work "
      "on a copy");
  expect_error(bind_body("(double *x)", "{ double s = x[0] + x[4]; }", 1, &read, &signature), PL_ERR_KERNEL,
               P "the kernel asks for value 4, but dat \"res\" has 4, from 0 to 3");
  expect_error(bind_body("(double *x[])", "{ double s = x[3][0]; }", 1, &all, &signature), PL_ERR_KERNEL,
               P "the kernel asks for target 3, but map \"corners\" has 3, from 0 to 2");
  expect_error(bind_body("(double x[3][2])", "{ double s = x[2][0x2]; }", 1, &all, &signature), PL_ERR_KERNEL,
               P "the kernel asks for value 2, but dat \"xy\" has 2, from 0 to 1");
  CU_ASSERT_EQUAL(bind_body("(double *x[])", "{ double s = x[2][1]; }", 1, &all, &signature), PL_SUCCESS);
  pl_signature_free(&signature);
  CU_ASSERT_EQUAL(bind_body("(double *x)", "{\n#if DIM > 4\n x[4] = 1;\n#endif\n}", 1, &read, &signature),
                  PL_SUCCESS);
  pl_signature_free(&signature);
  expect_misfit("(double *x, double *y)", direct, PL_ERR_KERNEL,
                "kernel \"k\" has 2 parameters, but the loop over set \"cells\" hands it 1 argument");
}

static void test_bind_real(void)
{
  pl_arg wide = pl_arg_dat(xy, 0, corners, PL_READ), narrow = pl_arg_dat(single, 0, corners, PL_READ);
  CU_ASSERT_EQUAL(expect_fits("(pl_real *x, const pl_real *y)", 2, (pl_arg[]){wide, wide}), PL_DOUBLE);
  CU_ASSERT_EQUAL(expect_fits("(pl_real *x, const pl_real *y)", 2, (pl_arg[]){narrow, narrow}), PL_FLOAT);
  CU_ASSERT_EQUAL(expect_fits("(double *x, const pl_real *y)", 2, (pl_arg[]){wide, narrow}), PL_FLOAT);
  CU_ASSERT_EQUAL(expect_fits("(float *x)", 1, &narrow), PL_DOUBLE);
  pl_signature signature;
  pl_kernel kernel = kernel_of("(int *x)", "{ pl_real y = 1; }");
  kernel.real_size = 4;
  CU_ASSERT_EQUAL(pl_signature_parse(pl, &kernel, &signature), PL_SUCCESS);
  CU_ASSERT_EQUAL(signature.real, PL_FLOAT);
  pl_signature_free(&signature);
  expect_error(
    bind_args("(int *i, pl_real *x, pl_real *y)", 3,
              (pl_arg[]){pl_arg_dat(count, PL_ID, PL_DIRECT, PL_RW), narrow, wide}, &signature),
    PL_ERR_TYPE,
    "kernel \"k\", parameter 3 \"y\": pl_real is double for dat \"xy\", but float for parameter 2 \"x\" "
    "(dat \"single\"): it must be one type in a loop");
}

/* ---- program text
 * ------------------------------------------------------------------------------------------- */

static const pl_source_style plain = {"K", "F", "", "", true, false, false, false, false, NULL, NULL};

static void expect_text(const pl_kernel *kernel, pl_type real, const pl_source_style *style,
                        const char *expected)
{
  pl_source source;
  pl_signature signature;
  CU_ASSERT_EQUAL_FATAL(pl_signature_parse(pl, kernel, &signature), PL_SUCCESS);
  signature.real = real;
  pl_err err = pl_source_build(pl, kernel, &signature, style, &source);
  CU_ASSERT_EQUAL(err, PL_SUCCESS);
  if (err) fprintf(stderr, "\n  %s\n", pl_errmsg(pl));
  CU_ASSERT_STRING_EQUAL(pl_text_string(&source.text), expected);
  if (strcmp(pl_text_string(&source.text), expected))
    fprintf(stderr, "\n--- got\n%s--- expected\n%s---\n", pl_text_string(&source.text), expected);
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

static void expect_refused(const char *text, const char *sentence)
{
  pl_source source;
  pl_signature signature;
  pl_kernel kernel = {.name = "k", .source = text, .file = "k.c", .line = 1};
  CU_ASSERT_EQUAL_FATAL(pl_signature_parse(pl, &kernel, &signature), PL_SUCCESS);
  expect_error(pl_source_build(pl, &kernel, &signature, &plain, &source), PL_ERR_KERNEL, sentence);
  CU_ASSERT_PTR_NULL(source.text.data);
  pl_signature_free(&signature);
}

static void declare_consts(void)
{
  static const double qinf[4] = {1, 2, 3, 4}, gam = 1.4;
  static const int32_t steps = 7;
  open_context();
  PL_OK(pl, pl_decl_const(pl, "qinf", 4, PL_DOUBLE, qinf, NULL));
  PL_OK(pl, pl_decl_const(pl, "steps", 1, PL_INT32, &steps, NULL));
  PL_OK(pl, pl_decl_const(pl, "gam", 1, PL_DOUBLE, &gam, NULL));
}

#define GAM "struct pl_consts {\n  double gam;\n};\n"
#define PARAM "const struct pl_consts *pl_k"

static void test_text_plain(void)
{
  expect_body("(double *x)", "{ x[0] = 0.5; }", "K void k(double *x) { x[0] = 0.5; }\n");
  expect_file("static inline void k(double *x)\n{\n}\n", "K   void k(double *x)\n{\n}\n\n");
  expect_file("static double f(void);\nextern double f(void) { return 1; }\nvoid k(double *x) { *x = f(); }",
              "F  double f(void);\nF  double f(void) { return 1; }\nK void k(double *x) { *x = f(); }\n");
  expect_file("#include <math.h>\n#include \"plait.h\"\n# include <plait.h> /* x */\nvoid k(double *x) {}",
              "#include <math.h>\n\n\nK void k(double *x) {}\n");
  expect_file("#ifdef A\nstatic void k(int *x) {}\n#else\nstatic void k(int *x) {}\n#endif",
              "#ifdef A\nK  void k(int *x) {}\n#else\nK  void k(int *x) {}\n#endif\n");
}

static void test_text_device(void)
{
  static const pl_source_style device = {"K ", "F", "D", "G ", false, false, false, false, false, NULL, NULL};
  pl_kernel kernel = {.name = "k", .file = "k.c", .line = 1};
  kernel.source = "#include <math.h>\n#include \"mine.h\"\nstatic const double w[2] = {1, 2};\nvoid k(double "
                  "*x) { *x = w[0] * qinf[0]; }";
  expect_text(&kernel, PL_DOUBLE, &device,
              "struct pl_consts {\n  double qinf[4];\n};\n"
              "\n#include \"mine.h\"\nD  const double w[2] = {1, 2};\n"
              "K void k(G " PARAM
              ", double *x) { G const double *const qinf = pl_k->qinf; { *x = w[0] * qinf[0]; } }\n");
}

static void test_text_consts(void)
{
  expect_body("(double *x)", "{ x[0] = gam; }",
              GAM "K void k(" PARAM ", double *x) { const double gam = pl_k->gam; { x[0] = gam; } }\n");
  expect_body("(double *gam)", "{ gam[0] = 1; }", "K void k(double *gam) { gam[0] = 1; }\n");
  expect_body("(struct s *x)", "{ x->gam = (*x).gam; }", "K void k(struct s *x) { x->gam = (*x).gam; }\n");
  expect_body("(double *x)", "{ x[0] = 1; /* gam */ char *s = \"gam\"; }",
              "K void k(double *x) { x[0] = 1; /* gam */ char *s = \"gam\"; }\n");
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
  CU_ASSERT_EQUAL_FATAL(pl_signature_parse(pl, &kernel, &signature), PL_SUCCESS);
  CU_ASSERT_EQUAL_FATAL(pl_source_build(pl, &kernel, &signature, &plain, &source), PL_SUCCESS);
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
  pl_function function = {name, "double", params, body, "helpers.h", 3};
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
  pl_source_style style = plain;
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
  pl_source_style style = plain;
  style.line_marks = true;
  pl->backend = &fake;
  PL_OK(pl, pl_kernel_from_source(pl, "k", "void k(double *x) {\n  static int n; printf(\"%d\", n++); }\n",
                                  &options, &kernel));
  expect_text(kernel, PL_DOUBLE, &style,
              "#include <float.h>\n#include \"mine.h\"\n#line 5 \"a\\\"b.c\"\n"
              "K void k(double *x) {\n  static int n; printf(\"%d\", n++); }\n\n");
}

static void test_text_refusals(void)
{
  expect_refused("void k(double *x)\n{\n  static double y;\n}",
                 "kernel \"k\" (k.c:3): static data cannot be kept in a kernel: use a const or a global");
  expect_refused("void k(double *x)\n{\n  printf(\"%g\", *x);\n}",
                 "kernel \"k\" (k.c:3): printf cannot be called: a kernel computes and does nothing else");
  expect_refused("\nint f(int n) { return n ? n * f(n - 1) : 1; }\nvoid k(double *x) { *x = f(3); }",
                 "kernel \"k\" (k.c:2): \"f\" calls itself, and not every target can do that: use a loop");
  expect_refused("int g(int n);\nint f(int n) { return g(n - 1); }\nint g(int n) { return n ? f(n) : 1; }\n"
                 "void k(double *x) { *x = f(3); }",
                 "kernel \"k\" (k.c:2): \"f\" calls itself through others, and not every target can do that: "
                 "use a loop");
  expect_refused("static double sum;\nvoid k(double *x) { sum += *x; }",
                 "kernel \"k\" (k.c:1): the variable \"sum\" outside functions is not const: use a global");
  declare_helper("save", "(double x)", "{ void *p = malloc(8); free(p); return x; }");
  expect_refused(
    "void k(double *x) { *x = save(*x); }",
    "function \"save\" (helpers.h:3): malloc cannot be called: a kernel computes and does nothing else");
  expect_file("void free(double *x) {} void k(double *x) { free(x); x->exit(1); printf; }",
              "F void free(double *x) {} K void k(double *x) { free(x); x->exit(1); printf; }\n");
}

/* ---- lines
 * -------------------------------------------------------------------------------------------------- */

static const char scratch[] = "test_kernel_text_scratch.c";

static void write_scratch(const char *text)
{
  FILE *file = fopen(scratch, "wb");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  CU_ASSERT_EQUAL(fwrite(text, 1, strlen(text), file), strlen(text));
  fclose(file);
}

static void expect_relayout(const char *file, const char *expected, int expected_line)
{
  pl_text text;
  int line = 0;
  pl_kernel kernel = kernel_of("(double *x, double *y)", "{ x[0] = 1; y[0] = x[0]; }");
  kernel.file = scratch;
  if (file) write_scratch(file);
  pl_text_init(&text, pl);
  CU_ASSERT_EQUAL(pl_source_relayout(pl, &kernel, &text, &line), PL_SUCCESS);
  CU_ASSERT_STRING_EQUAL(pl_text_string(&text), expected);
  CU_ASSERT_EQUAL(line, expected_line);
  pl_text_free(&text);
  unlink(scratch);
}

static void test_relayout(void)
{
  static const char flat[] = "(double *x, double *y) { x[0] = 1; y[0] = x[0]; }";
  expect_relayout(NULL, flat, 7);
  expect_relayout("", flat, 7);
  expect_relayout("\nPL_KERNEL(k, (double *x,\n double *y), {\n x[0] = 1; // one, two\n y[0] = x[0];\n})\n",
                  "(double *x,\n double *y)  {\n x[0] = 1; // one, two\n y[0] = x[0];\n}", 2);
  expect_relayout("PL_KERNEL(k, (double *x, double *y), { x[0] = 2; y[0] = x[0]; })", flat, 7);
  expect_relayout("PL_KERNEL(k, (double *x, double *y), { x[0] = 1; y[0] = x[0]; } extra)", flat, 7);
  expect_relayout("PL_KERNEL(other, (double *x, double *y), { x[0] = 1; y[0] = x[0]; })", flat, 7);
  expect_relayout("/* PL_KERNEL(k */ PL_KERNEL(k, (int *x), {})\n@", flat, 7);
  expect_relayout("PL_KERNEL(k, (int *x), {})\n\n\nPL_KERNEL(k, (double *x, double *y)\n , // c, d\n { x[0] "
                  "= 1; y[0] = x[0]; })",
                  "(double *x, double *y)\n   // c, d\n { x[0] = 1; y[0] = x[0]; }", 4);
  expect_relayout("PL_KERNEL(k, (double *x, double *y), { x[0] = 1; y[0] = x[0]; }", flat, 7);
}

PL_KERNEL(here, (double *x, const double *y), {
  /* a comment, with a comma */
  x[0] = y[0]; // and another
  x[1] = 2.0 * y[1];
})

PL_FUNCTION(double, twice, (double x), { return 2 * x; })

/* The real thing: this file's own macros, or their flat text when the file is not in sight. */
static void test_relayout_here(void)
{
  pl_text text;
  int line, newlines;
  pl_text_init(&text, pl);
  CU_ASSERT_EQUAL(pl_source_relayout(pl, here, &text, &line), PL_SUCCESS);
  newlines = text.lines;
  if (access(here->file, R_OK) == 0) {
    CU_ASSERT_EQUAL(newlines, 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(text.data, "/* a comment, with a comma */\n"));
    CU_ASSERT(line <= here->line && here->line <= line + 4);
  } else {
    CU_ASSERT_EQUAL(newlines, 0);
  }
  CU_ASSERT_EQUAL(pl_decl_function(pl, twice), PL_SUCCESS);
  CU_ASSERT_EQUAL(twice(1), 2);
  pl_text_free(&text);
}

/* ---- memory
 * ------------------------------------------------------------------------------------------------- */

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

/* Fails each allocation of `work` in turn: out of memory is said and nothing is lost. */
static void fail_each(pl_err (*work)(void), pl_err at_last)
{
  pl_err err = PL_ERR_MEMORY;
  for (int n = 1; n < 1000; n++) {
    int before = alive - (pl->error != NULL);
    allocated = 0;
    fail_at = n;
    err = work();
    bool failed = allocated >= n;
    fail_at = 0;
    CU_ASSERT_EQUAL(alive - (pl->error != NULL), before);
    if (!failed) break;
    CU_ASSERT(err == PL_ERR_MEMORY || err == at_last);
  }
  CU_ASSERT_EQUAL(err, at_last);
}

static void test_memory(void)
{
  declare_helper("square", "(double x)", "{ return x * x; }");
  fail_each(parse_and_build, PL_SUCCESS);
  fail_each(parse_misspelt, PL_ERR_KERNEL);
}

/* ---- all
 * ---------------------------------------------------------------------------------------------------- */

static CU_TestInfo reading[] = {{"tokens", test_tokens},
                                {"tokens stay inside the text", test_tokens_stay_inside},
                                {"real literals", test_real_literals},
                                {"prune", test_prune},
                                {"outline", test_outline},
                                {"outline errors", test_outline_errors},
                                {"types", test_types},
                                {"shapes", test_shapes},
                                {"opaque", test_opaque},
                                {"writes", test_writes},
                                {"what is only set", test_sets},
                                {"parameter errors", test_parameter_errors},
                                {"sources", test_sources},
                                {"relayout", test_relayout},
                                {"relayout of this file", test_relayout_here},
                                CU_TEST_INFO_NULL};

static CU_TestInfo binding[] = {{"shapes", test_bind_shapes},
                                {"shape errors", test_bind_shape_errors},
                                {"type errors", test_bind_type_errors},
                                {"pl_real", test_bind_real},
                                CU_TEST_INFO_NULL};

static CU_TestInfo writing[] = {{"plain", test_text_plain},
                                {"device", test_text_device},
                                {"consts", test_text_consts},
                                {"consts in files", test_text_consts_in_files},
                                {"const values", test_text_const_values},
                                {"helpers", test_text_helpers},
                                {"pl_real", test_text_real},
                                {"marks and headers", test_text_marks_and_headers},
                                {"refusals", test_text_refusals},
                                {"memory", test_memory},
                                CU_TEST_INFO_NULL};

int main(void)
{
  CU_SuiteInfo suites[] = {{"reading kernel texts", NULL, NULL, open_context, close_context, reading},
                           {"binding kernels", NULL, NULL, declare, close_context, binding},
                           {"writing kernel texts", NULL, NULL, declare_consts, close_context, writing},
                           CU_SUITE_INFO_NULL};
  if (CU_initialize_registry() != CUE_SUCCESS || CU_register_suites(suites) != CUE_SUCCESS) return 2;
  CU_basic_run_tests();
  unsigned failures = CU_get_number_of_failures();
  CU_cleanup_registry();
  return failures != 0;
}
