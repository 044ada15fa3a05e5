/* SPDX-License-Identifier: BSD-2-Clause
 * Folders, files, scripts and processes of the tests. Everything lies in a folder that the program makes
 * under TMPDIR and removes at its end (TMPDIR then leads there too); the user's own cache is never touched.
 */
#ifndef PLAIT_FAULTS_PLACES_H
#define PLAIT_FAULTS_PLACES_H

#include <CUnit/Basic.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Runs the tests of a suite, each in a fresh room; returns main's result. */
int faults_main(const char *name, const CU_TestInfo *tests);

/* Paths of the running test: its folder, its cache folder (not made yet) and its TMPDIR. */
extern char faults_room[PATH_MAX], faults_cache[PATH_MAX], faults_temporary[PATH_MAX];

/* "folder/name" in one of several static buffers. */
const char *faults_in(const char *folder, const char *name);

bool faults_exists(const char *path);
void faults_remove(const char *path); /* a file, or a folder with all in it */
void faults_write(const char *path, const void *bytes, size_t size, int mode);
char *faults_read(const char *path, size_t *size); /* freed by the caller; size may be NULL */

/* How many names in a folder contain `part`; the last of them in `last` (NAME_MAX + 1 bytes), if not NULL. */
int faults_count(const char *folder, const char *part, char *last);

/* An executable text in the room; its path. */
const char *faults_script(const char *name, const char *text);

/* Between these two, stderr goes to a file; its text comes back, freed by the caller. */
int faults_listen(void);
char *faults_stop_listening(int before);

/* Runs `body` in a child process and hands back its exit status (-1 when it was killed). As an ordinary user
 * when `ordinary`: permissions then count even if this program is root's. */
int faults_child(int (*body)(void), bool ordinary);

#endif
