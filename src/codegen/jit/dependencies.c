/* SPDX-License-Identifier: BSD-2-Clause
 * Reads the rules of make that compilers write: "target: source header \", with backslashes before blanks
 * and # in names, and $$ for $.
 */
#include "dependencies.h"
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char never[] = "0 0.0 \n"; /* no file has an empty name */

static void print_line(const char *path, const struct stat *info, char *line, size_t size)
{
  snprintf(line, size, "%lld %lld.%09ld %s\n", (long long)info->st_size, (long long)info->st_mtim.tv_sec,
           info->st_mtim.tv_nsec, path);
}

static bool is_older(struct timespec a, struct timespec b)
{
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

static void add_file(const char *path, struct timespec start, pl_string *list)
{
  char line[PATH_MAX + 80];
  struct stat info;
  if (strchr(path, '\n') || stat(path, &info) || !is_older(info.st_mtim, start)) {
    pl_string_add(list, "%s", never);
    return;
  }
  print_line(path, &info, line, sizeof line);
  pl_string_add(list, "%s", line);
}

/* The next name of a rule, unescaped; false at its end. */
static bool next_name(const char **at, char *name, size_t size)
{
  const char *p = *at;
  size_t length = 0;
  while (*p && (strchr(" \t\n", *p) || (*p == '\\' && p[1] == '\n'))) p++;
  for (; *p && !strchr(" \t\n", *p) && length + 1 < size && !(*p == '\\' && p[1] == '\n'); p++) {
    bool escape = (*p == '\\' && p[1] && strchr(" \t#", p[1])) || (*p == '$' && p[1] == '$');
    name[length++] = *(p += escape);
  }
  name[length] = '\0';
  *at = p;
  return length > 0;
}

void pl_dependencies_read(const char *path, const char *source, struct timespec start, pl_string *list)
{
  char name[PATH_MAX];
  pl_string rule;
  pl_string_init(&rule, list->pl);
  if (!pl_string_add_file(&rule, path)) pl_string_add(list, "%s", never);
  const char *at = strstr(pl_string_chars(&rule), ": ");
  for (at = at ? at + 2 : ""; next_name(&at, name, sizeof name);)
    if (strcmp(name, source)) add_file(name, start, list);
  list->failed |= rule.failed;
  pl_string_free(&rule);
}

bool pl_dependencies_hold(const char *list, size_t length)
{
  char line[PATH_MAX + 80], path[PATH_MAX];
  struct stat info;
  for (const char *at = list, *end = list + length; at < end;) {
    size_t n = (size_t)((const char *)memchr(at, '\n', (size_t)(end - at)) - at) + 1;
    const char *name = memchr(at, ' ', n);
    name = memchr(name + 1, ' ', n - (size_t)(name + 1 - at));
    snprintf(path, sizeof path, "%.*s", (int)(at + n - name - 2), name + 1);
    if (stat(path, &info)) return false;
    print_line(path, &info, line, sizeof line);
    if (strlen(line) != n || memcmp(line, at, n)) return false;
    at += n;
  }
  return true;
}
