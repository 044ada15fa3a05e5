/* SPDX-License-Identifier: BSD-2-Clause
 * Files that are written beside their target, which they replace by a rename: others see complete files only.
 */
#pragma once

#include <stddef.h>

/* Creates a file that did not exist, "<stem>-<process>-<n>" in the folder `at`, open for writing; `name` gets
 * its name. -1 with errno. */
int pl_temporary_create(int at, const char *stem, unsigned mode, char *name, size_t size);
