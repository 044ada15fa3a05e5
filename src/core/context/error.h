/* SPDX-License-Identifier: BSD-2-Clause
 * Errors: a code and a sentence kept in the context. Owns nothing; the sentence lives in struct pl_context.
 *
 *   if (n < 0) return pl_fail(pl, PL_ERR_RANGE, "set \"%s\": size %d is negative", name, n);
 *   PL_TRY(pl_something(pl));
 */
#ifndef PLAIT_CORE_ERROR_H
#define PLAIT_CORE_ERROR_H

#include "plait.h"

#if defined(__GNUC__)
#define PL_PRINTF(string, first) __attribute__((format(printf, string, first)))
#else
#define PL_PRINTF(string, first)
#endif

/* Records the sentence in the context (which may be NULL) and returns the code. */
pl_err pl_fail(pl_context *pl, pl_err code, const char *format, ...) PL_PRINTF(3, 4);

/* The one sentence for a failed allocation of `size` bytes. */
pl_err pl_fail_memory(pl_context *pl, size_t size);

/* Puts "prefix: " before the sentence that is there, and returns `code` as it came. */
pl_err pl_fail_in(pl_context *pl, pl_err code, const char *format, ...) PL_PRINTF(3, 4);

/* Prints a line "plait: ..." on stderr when the verbosity is at least `level` (0: always, for warnings). */
void pl_log(const pl_context *pl, int level, const char *format, ...) PL_PRINTF(3, 4);

/* Passes a failure on. */
#define PL_TRY(call)                                                                                         \
  do {                                                                                                       \
    pl_err pl_try_err = (call);                                                                              \
    if (pl_try_err != PL_SUCCESS) return pl_try_err;                                                         \
  } while (0)

#endif
