/* SPDX-License-Identifier: BSD-2-Clause
 * JSON: a writer. Values go to a FILE in the order of the calls; the writer knows where commas and line ends
 * belong. Inside an object every value has a key; inside an array key is NULL.
 */
#ifndef APPS_COMMON_JSON_H
#define APPS_COMMON_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json_writer {
  FILE *file;
  int depth;
  bool empty; /* nothing written yet in the innermost object or array */
} json_writer;

bool json_open(json_writer *json, const char *path); /* begins the outermost object; false: errno says why */
bool json_close(json_writer *json);                  /* ends it; false if anything could not be written */

void json_begin(json_writer *json, const char *key, char bracket); /* '{' or '[' */
void json_end(json_writer *json, char bracket);                    /* '}' or ']' */

void json_text(json_writer *json, const char *key, const char *value);
void json_integer(json_writer *json, const char *key, int64_t value);
void json_number(json_writer *json, const char *key, double value); /* 17 digits; null if not finite */

#endif
