/* SPDX-License-Identifier: BSD-2-Clause
 * New files and folders. A file is written beside its target, which it replaces by a rename: others see
 * complete files only.
 */
#pragma once

#include <stddef.h>

/* Creates a file that did not exist, "<stem>-<process>-<n>" in the folder `at`, open for writing; `name` gets
 * its name. -1 with errno. */
int pl_temporary_create(int at, const char *stem, unsigned mode, char *name, size_t size);

/* Creates a folder and its missing parents; 0 or an errno. The text of `path` is changed meanwhile. */
int pl_create_folders(char *path, unsigned mode);
