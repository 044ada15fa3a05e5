/* SPDX-License-Identifier: BSD-2-Clause
 * Names of temporary files. A process that was killed may have left files with such names behind.
 */
#include "temporary_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int pl_temporary_create(int at, const char *stem, unsigned mode, char *name, size_t size)
{
  enum { MOST = 1000 };
  int fd = -1;
  for (int n = 0; fd < 0 && n < MOST && (!n || errno == EEXIST); n++) {
    snprintf(name, size, "%s-%ld-%d", stem, (long)getpid(), n);
    fd = openat(at, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  }
  return fd;
}
