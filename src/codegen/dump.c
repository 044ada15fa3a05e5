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

pl_err pl_dump(pl_context *pl, const pl_loop *loop, const pl_dialect *dialect, const char *text)
{
  const char *folder = pl_opt(pl, PL_OPT_DUMP);
  char path[1024], set[64], kernel[64];
  if (!*folder) return PL_SUCCESS;
  const char *suffix = !strcmp(dialect->name, "cuda") ? "cu" : !strcmp(dialect->name, "opencl") ? "cl" : "c";
  plain(loop->set->node.name, set, sizeof set);
  plain(loop->kernel->name, kernel, sizeof kernel);
  snprintf(path, sizeof path, "%s/%s-%s-%llu.%s", folder, kernel, set, (unsigned long long)loop->id, suffix);
  if (mkdir(folder, 0777) && errno != EEXIST)
    return pl_fail(pl, PL_ERR_IO, "option dump: folder \"%s\" cannot be made: %s", folder, strerror(errno));
  FILE *file = fopen(path, "w");
  if (!file)
    return pl_fail(pl, PL_ERR_IO, "option dump: \"%s\" cannot be written: %s", path, strerror(errno));
  fputs(text, file);
  return fclose(file)
           ? pl_fail(pl, PL_ERR_IO, "option dump: \"%s\" cannot be written: %s", path, strerror(errno))
           : PL_SUCCESS;
}
