/* SPDX-License-Identifier: BSD-2-Clause
 * Prints the options table of the library as docs/environment.md must show it.
 */
#define PLAIT_HAVE_OPENMP 1 /* the documented default is that of a full library */
#include "core/context/options.h"

#include <ctype.h>
#include <stdio.h>

static void print_code(const char *text)
{
  if (*text) printf("`%s`", text);
}

/* "a|b" would end a cell of the table: words are separated by commas. */
static void print_kind(const char *kind)
{
  for (const char *c = kind; *c; c++) {
    if (*c == '|')
      fputs(", ", stdout);
    else
      putchar(islower((unsigned char)kind[0]) ? *c : tolower((unsigned char)*c));
  }
}

static void print_row(const char *name, const char *value, const char *kind, bool fixed, const char *help)
{
  printf("| `PLAIT_");
  for (const char *c = name; *c; c++) putchar(toupper((unsigned char)*c));
  printf("` | ");
  print_code(value);
  printf(" | ");
  print_kind(kind);
  printf(" | %s | %s |\n", fixed ? "start" : "any time", help);
}

int main(void)
{
  printf("| variable | default | values | may change | meaning |\n|---|---|---|---|---|\n");
#define X(id, name, value, kind, fixed, help) print_row(name, value, kind, fixed, help);
  PL_OPTION_LIST(X)
#undef X
  return 0;
}
