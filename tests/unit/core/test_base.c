/* SPDX-License-Identifier: BSD-2-Clause
 * The string builder, hashes and scalar types.
 */
#include "core/base/hash.h"
#include "core/base/layout_name.h"
#include "core/base/scalar_arithmetic.h"
#include "core/base/scalar_type.h"
#include "core/base/file_system.h"
#include "core/context/string_builder.h"
#include "fake_backend.h"
#include "suite.h"
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

static void test_text(void)
{
  pl_context *pl = open_context();
  pl_string text;
  pl_string_init(&text, pl);
  CU_ASSERT_STRING_EQUAL(pl_string_chars(&text), "");
  for (int i = 0; i < 200; i++) pl_string_add(&text, "%d\n", i % 10);
  pl_string_add_bytes(&text, "a\nb", 3);
  CU_ASSERT(text.length == 403 && text.lines == 201 && !strcmp(text.data + 398, "9\na\nb"));
  OK(pl_string_check(&text));
  pl_string_free(&text);
  CU_ASSERT_EQUAL(pl_hash(PL_HASH_START, "abc", 3), pl_hash(PL_HASH_START, "abc", 3));
  CU_ASSERT_NOT_EQUAL(pl_hash(PL_HASH_START, "abc", 3), pl_hash(PL_HASH_START, "abd", 3));
  CU_ASSERT_NOT_EQUAL(pl_hash(PL_HASH_START, "abc", 3), pl_hash(PL_HASH_START, "abc", 4));
  CU_ASSERT_NOT_EQUAL(pl_hash(1, "abc", 3), pl_hash(2, "abc", 3));
  pl_finalize(&pl);
}

static void test_types(void)
{
  int n = 0;
#define X(code, ctype, bytes)                                                                                \
  CU_ASSERT_EQUAL(pl_type_size(code), sizeof(ctype));                                                        \
  CU_ASSERT_EQUAL(pl_type_size(code), bytes);                                                                \
  CU_ASSERT_STRING_EQUAL(pl_type_name(code), #ctype);                                                        \
  n++;
  PL_TYPE_LIST(X)
#undef X
  CU_ASSERT_EQUAL(n, PL_TYPE_COUNT);
  CU_ASSERT_EQUAL(pl_type_size((pl_type)77), 0);
  CU_ASSERT(pl_type_is_complex(PL_COMPLEX_FLOAT) && !pl_type_is_complex(PL_FLOAT));
  CU_ASSERT(pl_type_base(PL_COMPLEX_DOUBLE) == PL_DOUBLE && pl_type_base(PL_INT8) == PL_INT8);
  CU_ASSERT(pl_type_is_integer(PL_UINT64) && !pl_type_is_integer(PL_DOUBLE));
}

/* Conversions are those of C, rounded once. */
static void test_conversions(void)
{
  const int64_t odd = (INT64_C(1) << 53) + 1, minus = -2;
  const uint64_t largest = UINT64_MAX;
  const double real[2] = {-2.75, 300.5};
  const pl_cfloat z = {1.5f, -2};
  int64_t whole[2];
  uint64_t natural;
  int8_t small;
  float rounded;
  pl_cdouble wide;
  pl_convert(PL_INT64, &odd, PL_UINT64, &natural, 1);
  CU_ASSERT(natural == (UINT64_C(1) << 53) + 1);
  pl_convert(PL_INT64, &odd, PL_FLOAT, &rounded, 1);
  CU_ASSERT(rounded == (float)odd);
  pl_convert(PL_UINT64, &largest, PL_FLOAT, &rounded, 1);
  CU_ASSERT(rounded == (float)largest);
  pl_convert(PL_INT64, &minus, PL_UINT64, &natural, 1);
  CU_ASSERT(natural == UINT64_MAX - 1);
  pl_convert(PL_UINT64, &largest, PL_INT8, &small, 1);
  CU_ASSERT(small == -1);
  pl_convert(PL_DOUBLE, real, PL_INT64, whole, 2);
  CU_ASSERT(whole[0] == -2 && whole[1] == 300);
  pl_convert(PL_COMPLEX_FLOAT, &z, PL_COMPLEX_DOUBLE, &wide, 1);
  CU_ASSERT(wide.re == 1.5 && wide.im == -2);
  pl_convert(PL_INT64, &minus, PL_COMPLEX_DOUBLE, &wide, 1);
  CU_ASSERT(wide.re == -2 && wide.im == 0);
  pl_convert(PL_COMPLEX_FLOAT, &z, PL_FLOAT, &rounded, 1);
  CU_ASSERT(rounded == 1.5f);
}

static void test_common_types(void)
{
  CU_ASSERT(pl_common_type(PL_INT8, PL_UINT16) == PL_INT32);
  CU_ASSERT(pl_common_type(PL_INT32, PL_UINT32) == PL_UINT32);
  CU_ASSERT(pl_common_type(PL_UINT32, PL_INT64) == PL_INT64);
  CU_ASSERT(pl_common_type(PL_UINT64, PL_FLOAT) == PL_FLOAT);
  CU_ASSERT(pl_common_type(PL_DOUBLE, PL_COMPLEX_FLOAT) == PL_COMPLEX_DOUBLE);
  CU_ASSERT(pl_common_type(PL_COMPLEX_FLOAT, PL_INT64) == PL_COMPLEX_FLOAT);
  CU_ASSERT(pl_type_holds(PL_DOUBLE, PL_FLOAT) && !pl_type_holds(PL_FLOAT, PL_DOUBLE));
  CU_ASSERT(pl_type_holds(PL_COMPLEX_FLOAT, PL_INT8) && !pl_type_holds(PL_DOUBLE, PL_COMPLEX_FLOAT));
}

/* The values from which reductions begin. */
static void test_neutral(void)
{
  int8_t small[2];
  uint32_t natural;
  double real;
  pl_neutral(PL_INT8, PL_MIN, small, 2);
  CU_ASSERT(small[0] == INT8_MAX && small[1] == INT8_MAX);
  pl_neutral(PL_INT8, PL_MAX, small, 2);
  CU_ASSERT(small[0] == INT8_MIN && small[1] == INT8_MIN);
  pl_neutral(PL_UINT32, PL_MAX, &natural, 1);
  CU_ASSERT(natural == 0);
  pl_neutral(PL_DOUBLE, PL_MIN, &real, 1);
  CU_ASSERT(real == (double)INFINITY);
  pl_neutral(PL_DOUBLE, PL_INC, &real, 1);
  CU_ASSERT(real == 0);
}

static void test_layout_names(void)
{
  static const struct {
    const char *name;
    int tile, pack;
  } cases[] = {{"aos", 1, 1},     {"soa", 0, 1},       {"soa:2", 0, 2},        {"soa:4", 0, 4},
               {"aosoa:2", 2, 1}, {"aosoa:8,2", 8, 2}, {"aosoa:1024", 1024, 1}};
  static const char *const wrong[] = {
    "",      "ao",     "aos:2",   "soa:",    "soa:3",     "soa:8",    "soa:2x",     "soa,2",    "soap",
    "aosoa", "aosoa:", "aosoa:1", "aosoa:7", "aosoa:8:2", "aosoa:8,", "aosoa:2048", "aosoa:4x", "aosoa:4,2x"};
  pl_layout layout;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CU_ASSERT(pl_layout_parse(cases[i].name, &layout) && layout.tile == cases[i].tile &&
              layout.pack == cases[i].pack);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) CU_ASSERT(!pl_layout_parse(wrong[i], &layout));
}

static void test_poison(void)
{
  double values[2], other = 1;
  pl_poison(values, sizeof values);
  CU_ASSERT(pl_is_poison(values, sizeof values) && !pl_is_poison(&other, sizeof other));
  memset((char *)values + 1, 0, 1);
  CU_ASSERT(!pl_is_poison(values, sizeof values));
  CU_ASSERT(!pl_is_poison(values, 1)); /* a byte may have that value by chance */
}

/* A name that a file has is left out. */
static void test_temporary_files(void)
{
  char name[2][64];
  int fd[2];
  for (int i = 0; i < 2; i++) {
    fd[i] = pl_temporary_create(AT_FDCWD, "/tmp/plait-test-base", 0600, name[i], sizeof name[i]);
    CU_ASSERT(fd[i] >= 0 && !access(name[i], R_OK | W_OK));
  }
  CU_ASSERT_STRING_NOT_EQUAL(name[0], name[1]);
  for (int i = 0; i < 2; i++) CU_ASSERT(!close(fd[i]) && !unlink(name[i]));
  CU_ASSERT(pl_temporary_create(AT_FDCWD, "/no such folder/file", 0600, name[0], sizeof name[0]) < 0);
}

static CU_TestInfo tests[] = {{"text and hash", test_text},
                              {"types", test_types},
                              {"conversions", test_conversions},
                              {"common types", test_common_types},
                              {"neutral values", test_neutral},
                              {"names of layouts", test_layout_names},
                              {"poison", test_poison},
                              {"temporary files", test_temporary_files},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("base", tests);
}
