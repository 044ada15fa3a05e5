/* SPDX-License-Identifier: BSD-2-Clause
 * Values at points.
 */
#include "point_file.h"

#include <stdio.h>

bool point_file_write(const char *path, int n, const double *place, const double *value)
{
  FILE *file = fopen(path, "w");
  bool good = file;
  for (int i = 0; good && i < n; i++)
    good = fprintf(file, "%.9g %.9g %.9g\n", place[2 * i], place[2 * i + 1], value[i]) > 0;
  if (file && fclose(file)) good = false;
  return good;
}
