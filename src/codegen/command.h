/* SPDX-License-Identifier: BSD-2-Clause
 * A command: words, and running them as a process without a shell. Knows nothing of compilers.
 *
 * Invariant: a command is a pl_text of NUL-ended words; no word is ever split, expanded or quoted on its way
 * to the process.
 */
#ifndef PLAIT_CODEGEN_COMMAND_H
#define PLAIT_CODEGEN_COMMAND_H

#include "core/text.h"

void pl_command_add(pl_text *command, const char *word);
void pl_command_split(pl_text *command, const char *string); /* the words of a string, at blanks */

/* Each word of a NULL-terminated list (which may be NULL), each after the word `before` unless that is NULL.
 */
void pl_command_list(pl_text *command, const char *before, const char *const *list);

/* The first word for NULL, else the one after `word`; NULL at the end. */
const char *pl_command_next(const pl_text *command, const char *word);

/* The words as a user would type them. */
void pl_command_print(const pl_text *command, pl_text *text);

/* Where a shell would find the program `name`; false, and an empty `path`, if nowhere. */
bool pl_command_find(const char *name, pl_text *path);

/* Starts the executable `path` with the words as arguments, stdin empty, stdout and stderr into the file
 * `log`. `why` gets the reason if it could not be started, and *process is 0. */
pl_err pl_command_start(const char *path, const pl_text *command, const char *log, long *process,
                        pl_text *why);

/* Waits for it. `why` stays empty on success, else gets the reason ("failed with exit status 1"). When the
 * program using us has taken the exit status away (SIGCHLD ignored, or its own wait) the process counts as
 * successful. */
void pl_command_wait(long process, pl_text *why);

bool pl_command_ended(long process); /* without waiting; it is still to be waited for */
void pl_command_stop(long process);  /* ends it and waits */

/* Start and wait. */
pl_err pl_command_run(const char *path, const pl_text *command, const char *log, pl_text *why);

#endif
