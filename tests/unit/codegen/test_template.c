/* SPDX-License-Identifier: BSD-2-Clause
 * Templates: words and statements that nobody defines.
 */
#include "codegen/text/template.h"
#include "kernel_text.h"

static pl_word knows_nothing(const pl_body *b, const char *name)
{
  (void)b, (void)name;
  return (pl_word){.name = NULL};
}

static void expect_unknown(const pl_word *words, const char *name, const char *message)
{
  static const pl_word_source sources[] = {knows_nothing, NULL};
  unsigned char known[PL_KNOWN] = {0};
  const pl_loop loop = {.pl = pl};
  const pl_emitter emitter = {.loop = &loop};
  pl_string text;
  pl_string_init(&text, pl);
  const pl_body body = {.e = &emitter, .text = &text, .sources = sources, .known = known};
  pl_print_template(&body, name, words);
  expect_error(pl_string_check(&text), PL_ERR_INTERNAL, message);
  pl_string_free(&text);
}

static void test_word(void)
{
  static const pl_word some[] = {{"type", .text = "double"}, {.name = NULL}};
  expect_unknown(some, "compare_and_swap",
                 "the template compare_and_swap has the word $bits, which nobody defines");
}

static void test_condition(void)
{
  expect_unknown(NULL, "reduce_values",
                 "the template reduce_values has the word $has_payload, which nobody defines");
}

static void test_statement(void)
{
  static const pl_word some[] = {{"combines", .number = 1}, {.name = NULL}};
  expect_unknown(some, "follow", "the template follow has the statement $contribute, which nobody defines");
}

static void test_template(void)
{
  expect_unknown(NULL, "nothing", "the template nothing has the statement $nothing, which nobody defines");
}

static CU_TestInfo tests[] = {{"an unknown word", test_word},
                              {"an unknown condition", test_condition},
                              {"an unknown statement", test_statement},
                              {"an unknown template", test_template},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run_each("template", open_text_context, close_text_context, tests);
}
