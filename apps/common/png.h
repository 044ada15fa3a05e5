/* SPDX-License-Identifier: BSD-2-Clause
 * PNG files (ISO/IEC 15948) with a palette.
 */
#ifndef APPS_COMMON_PNG_H
#define APPS_COMMON_PNG_H

#include <stdbool.h>
#include <stdint.h>

/* Writes width x height pixels, row by row from the top: indices into a palette of 1 to 256 colours (red,
 * green, blue). Compressed if the program was built with zlib. False: errno gives the reason. */
bool png_write(const char *path, int width, int height, const uint8_t *pixels, int colours,
               const uint8_t (*palette)[3]);

#endif
