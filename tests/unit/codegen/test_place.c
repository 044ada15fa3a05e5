/* SPDX-License-Identifier: BSD-2-Clause
 * Places in generated text: the index of a value in each layout.
 */
#include "codegen/target/place.h"
#include "kernel_text.h"

static pl_place record(int dim, pl_layout layout)
{
  return (pl_place){.array = "dat_q", .record = "pl_e", .size = "stride_q", .dim = dim, .layout = layout};
}

static void expect(pl_place place, const char *c, const char *text)
{
  CU_ASSERT_STRING_EQUAL(pl_value_at(place, c).s, text);
}

static void test_layouts(void)
{
  expect(record(1, (pl_layout){PL_AOS, 1}), "0", "dat_q[pl_e]");
  expect(record(4, (pl_layout){PL_AOS, 1}), "2", "dat_q[4 * pl_e + 2]");
  expect(record(4, (pl_layout){PL_SOA, 1}), "pl_c", "dat_q[pl_c * stride_q + pl_e]");
  expect(record(4, (pl_layout){PL_SOA, 2}), "3", "dat_q[(1 * stride_q + pl_e) * 2 + 1]");
  expect(record(4, (pl_layout){32, 2}), "pl_c",
         "dat_q[(pl_e & -32) * 4 + (pl_c / 2 * 32 + (pl_e & (32 - 1))) * 2 + pl_c % 2]");
}

static void test_component(void)
{
  pl_place place = record(4, (pl_layout){PL_AOS, 1});
  place.first = 2;
  expect(place, "1", "dat_q[4 * pl_e + 3]");
  expect(place, "pl_c", "dat_q[4 * pl_e + (2 + pl_c)]");
  expect(pl_whole_record(place), "1", "dat_q[4 * pl_e + 1]");
}

static void test_wide(void)
{
  pl_place together = record(4, (pl_layout){PL_AOS, 1}), apart = record(4, (pl_layout){PL_SOA, 2});
  together.wide = apart.wide = true;
  expect(together, "2", "dat_q[4 * (int64_t)pl_e + 2]");
  expect(apart, "pl_c", "dat_q[((int64_t)pl_c / 2 * stride_q + pl_e) * 2 + pl_c % 2]");
}

/* The same places at run time; the last ones are those of tiles. */
static void test_macro(void)
{
  static const char tiles[] = "((e) & -(layout)) * (dim) + (((c) / (pack)) * (layout) + "
                              "((e) & ((layout) - 1))) * (pack) + ((c) % (pack)))\n";
  char expected[512];
  pl_string text;
  pl_string_init(&text, pl);
  pl_print_layout_macro(&text);
  snprintf(expected, sizeof expected,
           "#define PL_AT(e, c, dim, layout, pack, size) \\\n  ((layout) == %d ? (dim) * (e) + (c) : \\\n"
           "   (layout) == %d ? (((c) / (pack)) * (size) + (e)) * (pack) + ((c) %% (pack)) : \\\n   %s",
           PL_AOS, PL_SOA, tiles);
  expect_same(pl_string_chars(&text), expected);
  pl_string_free(&text);
}

static void test_others(void)
{
  expect(pl_place_of(PL_LANES, "lanes_%s", "q"), "2", "lanes_q[2][pl_l]");
  expect(pl_place_of(PL_NUMBER, "%d", 7), "2", "7");
  expect(pl_read_as(pl_place_of(PL_ARRAY, "q"), "0.5 * ", ""), "pl_c", "0.5 * q[pl_c]");
}

static CU_TestInfo tests[] = {{"layouts", test_layouts},     {"a component of a record", test_component},
                              {"wide indices", test_wide},   {"layouts of dats at run time", test_macro},
                              {"other places", test_others}, CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run_each("place", open_text_context, close_text_context, tests);
}
