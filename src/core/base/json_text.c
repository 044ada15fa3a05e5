/* SPDX-License-Identifier: BSD-2-Clause
 * Strings in JSON files.
 */
#include "json_text.h"
#include <stdio.h>

const char *pl_json_text(const char *text, char *buffer, size_t size)
{
  size_t n = 0;
  for (; *text && n + 8 < size; text++) {
    unsigned char c = (unsigned char)*text;
    if (c < ' ') {
      n += (size_t)snprintf(buffer + n, size - n, "\\u%04x", c);
      continue;
    }
    if (c == '"' || c == '\\') buffer[n++] = '\\';
    buffer[n++] = (char)c;
  }
  buffer[n] = '\0';
  return buffer;
}
