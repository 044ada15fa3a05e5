/* SPDX-License-Identifier: BSD-2-Clause
 * Values at points, for scripts/plot_points.
 */
#ifndef APPS_COMMON_POINT_FILE_H
#define APPS_COMMON_POINT_FILE_H

#include <stdbool.h>

/* Writes a line "x y value" for each of n points; place has 2 numbers a point. False: errno says why. */
bool point_file_write(const char *path, int n, const double *place, const double *value);

#endif
