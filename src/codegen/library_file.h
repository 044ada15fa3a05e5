/* SPDX-License-Identifier: BSD-2-Clause
 * Looks into shared libraries that a compiler has left.
 */
#ifndef PLAIT_CODEGEN_LIBRARY_FILE_H
#define PLAIT_CODEGEN_LIBRARY_FILE_H

#include <stdbool.h>

/* Whether the file is a shared library with all its segments: what dlopen may be trusted with. */
bool pl_library_is_whole(const char *path);

/* Whether gcc has contracted a pair a*b - c*d, a*b + c*d in it, which versions before 14 do even where
 * contraction is switched off. Of a whole library. */
bool pl_library_contracts(const char *path);

#endif
