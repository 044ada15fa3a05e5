/* SPDX-License-Identifier: BSD-2-Clause
 * The string builder, hashes and scalar types.
 */
#include "core/base/hash.h"
#include "core/base/scalar_type.h"
#include "core/context/string_builder.h"
#include "fake_backend.h"
#include "suite.h"

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

static CU_TestInfo tests[] = {{"text and hash", test_text}, {"types", test_types}, CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("base", tests);
}
