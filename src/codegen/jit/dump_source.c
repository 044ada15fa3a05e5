/* SPDX-License-Identifier: BSD-2-Clause
 * Generated text kept for reading.
 */
#include "dump.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* A name of any kind as part of a file name. */
static void plain(const char *name, char *buffer, size_t size)
{
  snprintf(buffer, size, "%s", name);
  for (char *p = buffer; *p; p++)
    if (!isalnum((unsigned char)*p)) *p = '_';
}

static pl_err write_text(pl_context *pl, const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  bool good = file && fputs(text, file) >= 0;
  if (file && fclose(file)) good = false;
  return good ? PL_SUCCESS
              : pl_fail(pl, PL_ERR_IO, "option dump: \"%s\" cannot be written: %s", path, strerror(errno));
}

pl_err pl_dump_text(pl_context *pl, const char *name, const char *kind, uint64_t id, const char *suffix,
                    const pl_text *text)
{
  const char *folder = pl_opt(pl, PL_OPT_DUMP);
  char path[1024], first[64], second[64];
  if (!*folder) return PL_SUCCESS;
  plain(name, first, sizeof first);
  plain(kind, second, sizeof second);
  snprintf(path, sizeof path, "%s/%s-%s-%llu.%s", folder, first, second, (unsigned long long)id, suffix);
  if (mkdir(folder, 0777) && errno != EEXIST)
    return pl_fail(pl, PL_ERR_IO, "option dump: folder \"%s\" cannot be made: %s", folder, strerror(errno));
  return write_text(pl, path, pl_text_string(text));
}

pl_err pl_dump(pl_context *pl, const pl_loop *loop, const pl_dialect *dialect, const pl_text *text)
{
  const char *suffix = !strcmp(dialect->name, "cuda") ? "cu" : !strcmp(dialect->name, "opencl") ? "cl" : "c";
  return pl_dump_text(pl, loop->kernel->name, loop->set->node.name, loop->id, suffix, text);
}
