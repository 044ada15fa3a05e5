/* SPDX-License-Identifier: BSD-2-Clause
 * Writes generated text into files.
 */
#include "dump_source.h"
#include "core/base/file_system.h"
#include "core/loop/loop.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>

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

static pl_string name_file(pl_context *pl, const char *name, const char *kind, uint64_t id,
                           const char *suffix)
{
  char first[128], second[64];
  pl_string path;
  pl_string_init(&path, pl);
  copy_file_name(name, first, sizeof first);
  copy_file_name(kind, second, sizeof second);
  pl_string_add(&path, "%s/%s-%s-%llu.%s", pl_opt(pl, PL_OPT_DUMP), first, second, (unsigned long long)id,
                suffix);
  return path;
}

static pl_err make_folder(const pl_string *path)
{
  PL_TRY(pl_string_check(path));
  char *slash = strrchr(path->data, '/');
  *slash = '\0';
  const int failure = pl_create_folders(path->data, 0777);
  const pl_err err = failure
                       ? pl_fail(path->pl, PL_ERR_IO, "option dump: folder \"%s\" cannot be created: %s",
                                 path->data, strerror(failure))
                       : PL_SUCCESS;
  *slash = '/';
  return err;
}

static pl_err write_text(const pl_string *path, const char *head, const pl_string *text)
{
  FILE *file = fopen(path->data, "w");
  bool good = file && fputs(head, file) >= 0 && fputs(pl_string_chars(text), file) >= 0;
  if (file && fclose(file)) good = false;
  return good ? PL_SUCCESS
              : pl_fail(path->pl, PL_ERR_IO, "option dump: \"%s\" cannot be written: %s", path->data,
                        strerror(errno));
}

/* Frees the path. */
static pl_err dump(pl_string *path, const char *head, const pl_string *text)
{
  pl_err err = make_folder(path);
  if (!err) err = write_text(path, head, text);
  pl_string_free(path);
  return err;
}

pl_err pl_dump_text(pl_context *pl, const char *name, const char *kind, uint64_t id, const char *suffix,
                    const pl_string *text)
{
  if (!*pl_opt(pl, PL_OPT_DUMP)) return PL_SUCCESS;
  pl_string path = name_file(pl, name, kind, id, suffix);
  return dump(&path, "", text);
}

pl_err pl_dump(pl_context *pl, const pl_loop *loop, const pl_dialect *dialect, const pl_string *head,
               const pl_string *text)
{
  if (!*pl_opt(pl, PL_OPT_DUMP)) return PL_SUCCESS;
  pl_string path = name_file(pl, pl_loop_title(loop), loop->set->node.name, loop->id, dialect->suffix);
  return dump(&path, pl_string_chars(head), text);
}
