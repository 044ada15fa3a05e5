/* SPDX-License-Identifier: BSD-2-Clause
 * Tokens of kernel sources and the removal of conditional sections.
 */
#include "codegen/syntax/lexer.h"
#include "kernel_text.h"

/* The kind of each token as a letter, its line unless it is 1, and its text. */
static const char *tokens_of(const char *text, char *out, size_t size)
{
  pl_lexer lexer;
  pl_token token;
  size_t n = 0;
  out[0] = '\0';
  pl_lex_open(&lexer, text, strlen(text), 1);
  do {
    token = pl_lex_next(&lexer);
    n += (size_t)snprintf(out + n, size - n, "%c", "$!nfscp#"[token.kind]);
    if (token.line != 1) n += (size_t)snprintf(out + n, size - n, "%d", token.line);
    if (token.length) n += (size_t)snprintf(out + n, size - n, "<%.*s>", (int)token.length, token.text);
  } while (token.kind != PL_TOKEN_END && token.kind != PL_TOKEN_ERROR && n + 64 < size);
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

/* Each prefix of a text in a block of its size, so that a memory checker detects reads past its end. */
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

/* The names that remain after conditional sections are removed. */
static void expect_pruned(const char *text, const char *expected)
{
  pl_tokens tokens;
  char out[256] = "";
  OK(pl_tokens_read(pl, text, strlen(text), 1, &tokens));
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

static CU_TestInfo tests[] = {{"tokens", test_tokens},
                              {"tokens stay inside the text", test_tokens_stay_inside},
                              {"real literals", test_real_literals},
                              {"prune", test_prune},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run_each("lexer", open_text_context, close_text_context, tests);
}
