/* SPDX-License-Identifier: BSD-2-Clause
 * Options of a program; see options.h.
 */
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plait.h" /* for PLAIT_VERSION alone */

static void print_default(const option_row *row)
{
  if (row->kind == OPTION_INTEGER) printf(" (default %" PRId64 ")", *(const int64_t *)row->target);
  if (row->kind == OPTION_REAL && !isnan(*(const double *)row->target))
    printf(" (default %g)", *(const double *)row->target);
  const int *size = row->target;
  if (row->kind == OPTION_SIZE) printf(" (default %dx%d)", size[0], size[1]);
  if (row->kind != OPTION_TEXT && row->kind != OPTION_CHOICE) return;
  const char *value = *(const char *const *)row->target;
  if (value) printf(" (default %s)", value);
}

static void print_row(const option_row *row)
{
  char head[80];
  snprintf(head, sizeof head, "--%s %s", row->name, row->values ? row->values : "");
  if (strlen(head) > 32)
    printf("  %s\n%34s %s", head, "", row->help);
  else
    printf("  %-32s %s", head, row->help);
  print_default(row);
  putchar('\n');
}

static void print_help(const option_program *program, const option_row *rows)
{
  printf("Usage: %s [options]\n\n%s\n\nOptions:\n", program->name, program->summary);
  for (; rows->name; rows++) print_row(rows);
  printf("  %-32s %s\n  %-32s %s\n", "--help", "print this help and exit", "--version",
         "print the version and exit");
  if (program->plait)
    printf("\n--plait-NAME=VALUE, or PLAIT_NAME in the environment, sets an option of Plait "
           "(docs/environment.md).\n");
  if (program->notes) printf("\n%s\n", program->notes);
}

static bool word_among(const char *word, const char *words)
{
  const size_t length = strlen(word);
  for (const char *at = words; at; at = strchr(at, '|'), at = at ? at + 1 : NULL)
    if (length > 0 && strncmp(at, word, length) == 0 && (at[length] == '|' || at[length] == '\0'))
      return true;
  return false;
}

static int set_integer(const option_program *program, const option_row *row, const char *text)
{
  char *end;
  errno = 0;
  const long long value = strtoll(text, &end, 10);
  if (end == text || *end || errno || value < row->least || value > row->most) {
    fprintf(stderr, "%s: --%s %s: expected a whole number from %" PRId64 " to %" PRId64 "\n", program->name,
            row->name, text, row->least, row->most);
    return OPTIONS_USAGE;
  }
  *(int64_t *)row->target = value;
  return OPTIONS_RUN;
}

static int set_real(const option_program *program, const option_row *row, const char *text)
{
  char *end;
  const double value = strtod(text, &end);
  if (end == text || *end || !isfinite(value)) {
    fprintf(stderr, "%s: --%s %s: expected a number\n", program->name, row->name, text);
    return OPTIONS_USAGE;
  }
  *(double *)row->target = value;
  return OPTIONS_RUN;
}

static bool read_count(const char **text, int *count)
{
  char *end;
  if (**text < '0' || **text > '9') return false;
  errno = 0;
  const long value = strtol(*text, &end, 10);
  if (errno || value < 1 || value > INT_MAX) return false;
  *count = (int)value;
  *text = end;
  return true;
}

static int set_size(const option_program *program, const option_row *row, const char *text)
{
  int *size = row->target;
  const char *at = text;
  if (read_count(&at, &size[0]) && *at++ == 'x' && read_count(&at, &size[1]) && *at == '\0')
    return OPTIONS_RUN;
  fprintf(stderr, "%s: --%s %s: expected two numbers from 1 on, like 400x600\n", program->name, row->name,
          text);
  return OPTIONS_USAGE;
}

static int set_value(const option_program *program, const option_row *row, const char *text)
{
  if (row->kind == OPTION_INTEGER) return set_integer(program, row, text);
  if (row->kind == OPTION_REAL) return set_real(program, row, text);
  if (row->kind == OPTION_SIZE) return set_size(program, row, text);
  if (row->kind == OPTION_CHOICE && !word_among(text, row->values)) {
    fprintf(stderr, "%s: --%s %s: expected one of %s\n", program->name, row->name, text, row->values);
    return OPTIONS_USAGE;
  }
  *(const char **)row->target = text;
  return OPTIONS_RUN;
}

static const option_row *find_row(const option_row *rows, const char *name, size_t length)
{
  for (; rows->name; rows++)
    if (strlen(rows->name) == length && strncmp(rows->name, name, length) == 0) return rows;
  return NULL;
}

/* Takes the option at argv[*at], and its value, which may be the next word. */
static int take_option(const option_program *program, const option_row *rows, int argc, char **argv, int *at)
{
  const char *word = argv[*at];
  const char *name = strncmp(word, "--", 2) == 0 ? word + 2 : "";
  const char *equals = strchr(name, '=');
  const option_row *row = find_row(rows, name, equals ? (size_t)(equals - name) : strlen(name));
  if (!row) {
    fprintf(stderr, "%s: unknown argument %s (see %s --help)\n", program->name, word, program->name);
    return OPTIONS_USAGE;
  }
  if (row->kind == OPTION_FLAG && !equals) {
    *(bool *)row->target = true;
    return OPTIONS_RUN;
  }
  if (row->kind == OPTION_FLAG || (!equals && *at + 1 >= argc)) {
    fprintf(stderr, "%s: --%s %s\n", program->name, row->name,
            row->kind == OPTION_FLAG ? "takes no value" : "needs a value after it");
    return OPTIONS_USAGE;
  }
  return set_value(program, row, equals ? equals + 1 : argv[++*at]);
}

int options_parse(const option_program *program, const option_row *rows, int argc, char **argv)
{
  for (int at = 1; at < argc; at++) {
    if (strcmp(argv[at], "--help") == 0) {
      print_help(program, rows);
      return 0;
    }
    if (strcmp(argv[at], "--version") == 0) {
      printf("%s (Plait %s)\n", program->name, PLAIT_VERSION);
      return 0;
    }
    if (program->plait && strncmp(argv[at], "--plait-", 8) == 0) continue;
    const int status = take_option(program, rows, argc, argv, &at);
    if (status != OPTIONS_RUN) return status;
  }
  return OPTIONS_RUN;
}
