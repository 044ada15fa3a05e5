/* SPDX-License-Identifier: BSD-2-Clause
 * Errors: a code, and a sentence that the context keeps.
 */
#pragma once

#include "plait.h"

#if defined(__GNUC__)
#define PL_PRINTF(string, first) __attribute__((format(printf, string, first)))
#else
#define PL_PRINTF(string, first)
#endif

/* Records the sentence in the context and returns the code. Without a context: records it in the thread, and
 * returns PL_ERR_NULL. */
pl_err pl_fail(pl_context *pl, pl_err code, const char *format, ...) PL_PRINTF(3, 4);

/* Clears the sentence of the thread. A module calls that of the library through the context. */
void pl_forget_thread_error(void);

/* PL_ERR_MEMORY for an allocation of `size` bytes. */
pl_err pl_fail_memory(pl_context *pl, size_t size);

/* PL_ERR_ARG that names the first of the pointers that is NULL: PL_GIVEN(pl, "pl_dat_copy", from, to); and
 * for declarations the object. */
#define PL_GIVEN(pl, what, ...) PL_GIVEN_FOR(pl, what, NULL, __VA_ARGS__)
#define PL_GIVEN_FOR(pl, what, name, ...)                                                                    \
  pl_check_given((pl), (what), (name), #__VA_ARGS__, (const void *const[]){__VA_ARGS__})
pl_err pl_check_given(pl_context *pl, const char *what, const char *name, const char *arguments,
                      const void *const *pointer);

/* PL_ERR_ARG for a struct of the interface with members that this version lacks (core/base/sized_struct.h).
 */
pl_err pl_fail_newer(pl_context *pl, const char *type);

/* Puts "prefix: " before the last sentence and returns `code`. */
pl_err pl_fail_in(pl_context *pl, pl_err code, const char *format, ...) PL_PRINTF(3, 4);

/* Prints "plait: ..." on stderr if the verbosity is at least `level`; 0 for warnings. */
void pl_log(const pl_context *pl, int level, const char *format, ...) PL_PRINTF(3, 4);

/* An error that is kept, with its sentence, and returned again to later calls. */
typedef struct pl_failure {
  pl_err code;    /* PL_SUCCESS: none */
  char *sentence; /* NULL: there was no memory for it */
} pl_failure;

/* Keeps the context's last error, unless one is kept already. */
void pl_failure_keep(pl_context *pl, pl_failure *failure);

/* Makes the kept error the context's last one and returns its code. */
pl_err pl_failure_repeat(pl_context *pl, const pl_failure *failure);

/* The same, and the error is not kept any more. */
pl_err pl_failure_take(pl_context *pl, pl_failure *failure);

void pl_failure_clear(pl_context *pl, pl_failure *failure);

/* Returns a failure to the caller. */
#define PL_TRY(call)                                                                                         \
  do {                                                                                                       \
    pl_err pl_try_err = (call);                                                                              \
    if (pl_try_err != PL_SUCCESS) return pl_try_err;                                                         \
  } while (0)

/* The first object of a public function: PL_ERR_NULL, which names both, if it is NULL. */
#define PL_TRY_GIVEN(object) PL_TRY(PL_GIVEN(NULL, __func__, object))
