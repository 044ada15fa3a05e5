/* SPDX-License-Identifier: BSD-2-Clause
 * Folders, files, scripts and processes of the tests. All of them lie in one folder that the program creates
 * under TMPDIR and removes at its end. TMPDIR then names a folder inside it, and the user's own cache is
 * never used.
 */
#ifndef PLAIT_TESTS_SANDBOX_H
#define PLAIT_TESTS_SANDBOX_H

#include <CUnit/Basic.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Runs the tests of a suite, each in a new folder, the second form with a set-up and a tear-down for each
 * test. Returns the exit status of main. */
int sandbox_main(const char *name, CU_TestInfo *tests);
int sandbox_main_each(const char *name, CU_SetUpFunc set_up, CU_TearDownFunc tear_down, CU_TestInfo *tests);

/* Removes PLAIT_* from the environment: options of the caller must not decide results. PLAIT_CFLAGS stays,
 * since it tells which instructions valgrind knows. */
void sandbox_clear_options(void);

/* Paths of the running test: its folder, its cache folder (not created yet) and its TMPDIR. */
extern char sandbox_folder[PATH_MAX], sandbox_cache[PATH_MAX], sandbox_temporary[PATH_MAX];

/* "folder/name" in one of several static buffers. */
const char *sandbox_path(const char *folder, const char *name);

bool sandbox_exists(const char *path);
void sandbox_remove(const char *path); /* a file, or a folder with its contents */
void sandbox_write(const char *path, const void *bytes, size_t size, int mode);
char *sandbox_read(const char *path, size_t *size); /* freed by the caller; size may be NULL */

/* How many names in a folder contain `part`; the last of them in `last` (NAME_MAX + 1 bytes), if not NULL. */
int sandbox_count(const char *folder, const char *part, char *last);

/* Writes an executable script into the test's folder; returns its path. */
const char *sandbox_script(const char *name, const char *text);

/* Redirects stderr to a file; the second call restores it and returns the text, freed by the caller. */
int sandbox_capture_stderr(void);
char *sandbox_captured(int before);

/* Runs `body` in a child process and returns its exit status (-1 if a signal ended it). With `ordinary` the
 * child gives up root's rights, so that permissions apply. */
int sandbox_child(int (*body)(void), bool ordinary);

#endif
