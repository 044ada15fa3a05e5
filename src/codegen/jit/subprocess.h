/* SPDX-License-Identifier: BSD-2-Clause
 * Command lines as lists of arguments, and running them as processes without a shell.
 *
 * Invariant: a command is a pl_string of NUL-terminated words; no word is split, expanded or quoted before it
 * reaches the process.
 */
#pragma once

#include <stdbool.h>
#include "core/context/string_builder.h"

void pl_subprocess_add(pl_string *command, const char *word);
void pl_subprocess_split(pl_string *command, const char *string); /* the words of a string, at blanks */

/* Adds each word of a NULL-terminated list (NULL: none), each after the word `before` unless that is NULL. */
void pl_subprocess_args(pl_string *command, const char *before, const char *const *list);

/* The first word for NULL, else the one after `word`; NULL at the end. */
const char *pl_subprocess_next(const pl_string *command, const char *word);

/* The words as a user would type them in a shell. */
void pl_subprocess_print(const pl_string *command, pl_string *text);

/* The path at which a shell finds the program `name`; false and an empty `path` if there is none. */
bool pl_subprocess_find(const char *name, pl_string *path);

/* Starts the executable `path` with the words as arguments, stdin empty, stdout and stderr into the file
 * `log`, in a process group of its own. `why` gets the reason if it could not be started, and *process is 0.
 */
pl_err pl_subprocess_start(const char *path, const pl_string *command, const char *log, long *process,
                           pl_string *why);

/* Waits for it. `why` stays empty on success, else gets the reason ("failed with exit status 1"). If the host
 * program has reaped the process (SIGCHLD ignored, or its own wait) it counts as successful. */
void pl_subprocess_wait(long process, pl_string *why);

bool pl_subprocess_ended(long process); /* does not wait; pl_subprocess_wait is still needed */
void pl_subprocess_stop(long process);  /* terminates it and its children, and waits */

/* Starts it and waits. */
pl_err pl_subprocess_run(const char *path, const pl_string *command, const char *log, pl_string *why);
