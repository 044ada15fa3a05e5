/* SPDX-License-Identifier: BSD-2-Clause
 * Reads declarations and calls of C texts: names before a parenthesis, and the parts between commas.
 */
#include "null_calls.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PARTS = 16, NAME = 80 };

typedef struct part {
  const char *text;
  int length;
} part;

/* The end of the string that begins at p. */
static const char *past_string(const char *p)
{
  for (p++; *p && *p != '"'; p++) p += *p == '\\';
  return p;
}

static part trimmed(const char *begin, const char *end)
{
  while (begin < end && isspace((unsigned char)*begin)) begin++;
  while (begin < end && isspace((unsigned char)end[-1])) end--;
  return (part){begin, (int)(end - begin)};
}

/* The parts of the list whose parenthesis opens at `open`. */
static int split(const char *open, part list[MOST_PARTS])
{
  int n = 0, depth = 0;
  const char *begin = open + 1;
  for (const char *p = open; *p && n < MOST_PARTS; p++) {
    if (*p == '"') p = past_string(p);
    depth += *p == '(' || *p == '{' || *p == '[';
    depth -= *p == ')' || *p == '}' || *p == ']';
    if (depth > 1 || (depth == 1 && *p != ',')) continue;
    list[n++] = trimmed(begin, p);
    begin = p + 1;
    if (!depth) break;
  }
  return n;
}

static bool is_name(char c)
{
  return c == '_' || isalnum((unsigned char)c);
}

/* Whether the text calls `name` with NULL for argument k; k < 0: whether it calls it. */
static bool calls_with_null(const char *text, const char *name, int k)
{
  const size_t length = strlen(name);
  for (const char *p = text; (p = strstr(p, name)); p += length) {
    part list[MOST_PARTS];
    if (p[length] != '(' || (p > text && is_name(p[-1]))) continue;
    if (k < 0) return true;
    if (split(p + length, list) > k && list[k].length == 4 && !strncmp(list[k].text, "NULL", 4)) return true;
  }
  return false;
}

static bool is_pointer(part p)
{
  return memchr(p.text, '*', (size_t)p.length) || memchr(p.text, '[', (size_t)p.length);
}

/* The name of the function whose parameters begin at `open`, as calls have it. Whether they leave out sizes.
 */
static bool called_name(const char *open, char name[NAME])
{
  const char *begin = open;
  while (is_name(begin[-1])) begin--;
  snprintf(name, NAME, "%.*s", (int)(open - begin), begin);
  char *sized = strstr(name, "_sized");
  if (sized) *sized = 0;
  return sized;
}

static int missing_calls(const char *test, const char *open)
{
  char name[NAME];
  part list[MOST_PARTS];
  int missing = 0, k = 0, n = split(open, list);
  const bool sized = called_name(open, name);
  if (!calls_with_null(test, name, -1)) missing += fprintf(stderr, "\n%s is not called\n", name) > 0;
  for (int i = 0; i < n; i++) {
    if (sized && !strncmp(list[i].text, "size_t ", 7)) continue;
    if (is_pointer(list[i]) && !calls_with_null(test, name, k))
      missing += fprintf(stderr, "\n%s is not called with NULL for \"%.*s\"\n", name, list[i].length,
                         list[i].text) > 0;
    k++;
  }
  return missing;
}

int null_calls(const char *header, const char *test, int *missing)
{
  int functions = 0;
  for (const char *p = header; (p = strstr(p, "\nPL_API ")); functions++) {
    const char *open = strchr(++p, '(');
    if (!open) break;
    *missing += missing_calls(test, open);
  }
  return functions;
}
