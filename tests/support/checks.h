/* SPDX-License-Identifier: BSD-2-Clause
 * Checks of calls of the library.
 */
#ifndef PLAIT_TESTS_CHECKS_H
#define PLAIT_TESTS_CHECKS_H

#include <CUnit/Basic.h>
#include <plait.h>
#include <stdio.h>
#include <string.h>

/* A context with these options; the program ends if it cannot be opened. */
#define CONTEXT(...) open_with_options((const char *const[]){__VA_ARGS__, NULL})
static inline pl_context *open_with_options(const char *const *options)
{
  const pl_settings settings = {.options = options};
  pl_context *pl;
  PL_OK(pl, pl_init(NULL, NULL, &settings, &pl));
  return pl;
}

/* The call succeeds, or the test ends. */
#define OK(call) CU_ASSERT_EQUAL_FATAL((call), PL_SUCCESS)

/* The text contains the words. */
#define CONTAINS(text, words)                                                                                \
  do {                                                                                                       \
    const char *check_text = (text);                                                                         \
    if (!strstr(check_text, (words))) fprintf(stderr, "\n  \"%s\" is not in: %s\n", (words), check_text);    \
    CU_ASSERT_PTR_NOT_NULL(strstr(check_text, (words)));                                                     \
  } while (0)

/* The call fails with the code, and the message of the context contains the words. */
#define FAILS_IN(context, call, code, words)                                                                 \
  do {                                                                                                       \
    CU_ASSERT_EQUAL((call), (code));                                                                         \
    CONTAINS(pl_errmsg(context), (words));                                                                   \
  } while (0)
#define FAILS(call, code, words) FAILS_IN(pl, call, code, words)

#endif
