/* SPDX-License-Identifier: BSD-2-Clause
 * The files that a compilation has read, and whether they are still the same.
 *
 * A list has a line "SIZE SECONDS.NANOSECONDS PATH" for each file. Invariant: a list holds only while every
 * file has its size and time, and none of them changed while the compiler ran.
 */
#pragma once

#include <stdbool.h>
#include <time.h>
#include "core/context/string_builder.h"

/* Makes the list from the rule that the compiler has written (-MD), without the file `source`. Without a
 * rule, or with a file that is newer than the compiler's `start`, the list never holds. */
void pl_dependencies_read(const char *rule, const char *source, struct timespec start, pl_string *list);

bool pl_dependencies_hold(const char *list, size_t length);
