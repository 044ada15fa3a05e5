/* SPDX-License-Identifier: BSD-2-Clause
 * Options of a program: a table of long options, each bound to a variable that holds the default before and
 * the value after. --help and --version come by themselves. What is wrong is said in one line on stderr.
 */
#ifndef APPS_COMMON_OPTIONS_H
#define APPS_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum option_kind {
  OPTION_FLAG,    /* bool *: --name */
  OPTION_INTEGER, /* int64_t *: --name N, between least and most */
  OPTION_REAL,    /* double *: --name X, a finite number; NaN means "not given" */
  OPTION_SIZE,    /* int [2]: --name IxJ, two whole numbers from 1 on */
  OPTION_TEXT,    /* const char **: --name TEXT; NULL means "not given" */
  OPTION_CHOICE   /* const char **: one of the words in `values`, separated by | */
} option_kind;

typedef struct option_row {
  const char *name;   /* without the dashes; a row without a name ends the table */
  const char *values; /* its value in --help: "FILE", "N", "double|single" */
  option_kind kind;
  void *target;
  int64_t least, most; /* of OPTION_INTEGER */
  const char *help;    /* one line */
} option_row;

typedef struct option_program {
  const char *name;
  const char *summary; /* one or two sentences for --help */
  const char *notes;   /* printed after the options, or NULL */
  bool plait;          /* arguments that begin with --plait- are the library's, and passed over */
} option_program;

#define OPTIONS_RUN (-1) /* go on */
#define OPTIONS_USAGE 2  /* exit status after a wrong command line */

/* Reads the command line. Returns OPTIONS_RUN, or the exit status: 0 after --help and --version,
 * OPTIONS_USAGE after a complaint. */
int options_parse(const option_program *program, const option_row *rows, int argc, char **argv);

#endif
