/* SPDX-License-Identifier: BSD-2-Clause
 * Whether a test passes NULL for each pointer parameter of the public functions, read from their headers.
 */
#ifndef PLAIT_TESTS_NULL_CALLS_H
#define PLAIT_TESTS_NULL_CALLS_H

/* For each function that the text `header` declares with PL_API: the text `test` must contain a call of it
 * with the argument NULL for each parameter that is a pointer, or any call if none is. The calls of
 * pl_X_sized are those of pl_X, without the size. Prints each missing call, and adds their number to
 * *missing. Returns the number of functions. */
int null_calls(const char *header, const char *test, int *missing);

#endif
