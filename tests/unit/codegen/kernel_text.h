/* SPDX-License-Identifier: BSD-2-Clause
 * The context and the kernels of the tests of kernel sources.
 */
#ifndef PLAIT_TESTS_KERNEL_TEXT_H
#define PLAIT_TESTS_KERNEL_TEXT_H

#include "failing_memory.h"
#include "fake_backend.h"
#include "suite.h"
#include <stdlib.h>

static pl_context *pl;
static failing_memory memory; /* the context's */

static inline void open_text_context(void)
{
  unsetenv("PLAIT_CFLAGS"); /* flags add checks to the text; sanitizers set some */
  failing_memory_open(&memory);
  OK(fake_context(NULL, failing_realloc, &memory, &pl));
}

/* All memory is freed with the context. */
static inline void close_text_context(void)
{
  pl_finalize(&pl);
  CU_ASSERT_EQUAL(memory.blocks, 0);
  CU_ASSERT_STRING_EQUAL(memory.complaint, "");
  failing_memory_close(&memory);
}

/* Prints both texts if they differ. */
static inline void expect_same(const char *text, const char *expected)
{
  CU_ASSERT_STRING_EQUAL(text, expected);
  if (strcmp(text, expected)) fprintf(stderr, "\n--- got\n%s\n--- expected\n%s\n---\n", text, expected);
}

static inline void expect_error(pl_err err, pl_err code, const char *message)
{
  CU_ASSERT_EQUAL(err, code);
  expect_same(pl_errmsg(pl), message);
}

static inline pl_kernel kernel_of(const char *params, const char *body)
{
  return (pl_kernel){.name = "k", .params = params, .body = body, .file = "k.h", .line = 7, .real_size = 8};
}

#endif
