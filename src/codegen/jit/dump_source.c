/* SPDX-License-Identifier: BSD-2-Clause
 * Writes generated text into files.
 */
#include "dump_source.h"
#include "core/loop/loop.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* A name as part of a file name: without blanks and closing parentheses; other characters than letters,
 * digits and the + of fused loops become underscores. */
static void copy_file_name(const char *name, char *buffer, size_t size)
{
  size_t n = 0;
  for (; *name && n + 1 < size; name++)
    if (*name != ' ' && *name != ')')
      buffer[n++] = isalnum((unsigned char)*name) || *name == '+' ? *name : '_';
  buffer[n] = '\0';
}

static pl_err write_text(pl_context *pl, const char *path, const char *head, const char *text)
{
  FILE *file = fopen(path, "w");
  bool good = file && fputs(head, file) >= 0 && fputs(text, file) >= 0;
  if (file && fclose(file)) good = false;
  return good ? PL_SUCCESS
              : pl_fail(pl, PL_ERR_IO, "option dump: \"%s\" cannot be written: %s", path, strerror(errno));
}

static pl_err dump(pl_context *pl, const char *name, const char *kind, uint64_t id, const char *suffix,
                   const char *head, const pl_string *text)
{
  const char *folder = pl_opt(pl, PL_OPT_DUMP);
  char path[1024], first[128], second[64];
  if (!*folder) return PL_SUCCESS;
  copy_file_name(name, first, sizeof first);
  copy_file_name(kind, second, sizeof second);
  snprintf(path, sizeof path, "%s/%s-%s-%llu.%s", folder, first, second, (unsigned long long)id, suffix);
  if (mkdir(folder, 0777) && errno != EEXIST)
    return pl_fail(pl, PL_ERR_IO, "option dump: folder \"%s\" cannot be created: %s", folder,
                   strerror(errno));
  return write_text(pl, path, head, pl_string_chars(text));
}

pl_err pl_dump_text(pl_context *pl, const char *name, const char *kind, uint64_t id, const char *suffix,
                    const pl_string *text)
{
  return dump(pl, name, kind, id, suffix, "", text);
}

pl_err pl_dump(pl_context *pl, const pl_loop *loop, const pl_dialect *dialect, const pl_string *head,
               const pl_string *text)
{
  return dump(pl, pl_loop_title(loop), loop->set->node.name, loop->id, dialect->suffix, pl_string_chars(head),
              text);
}
