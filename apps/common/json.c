/* SPDX-License-Identifier: BSD-2-Clause
 * JSON: a writer; see json.h.
 */
#include "json.h"

#include <inttypes.h>
#include <math.h>

static void write_string(FILE *file, const char *string)
{
  putc('"', file);
  for (const char *c = string; *c; c++) {
    if (*c == '"' || *c == '\\')
      fprintf(file, "\\%c", *c);
    else if ((unsigned char)*c < 0x20)
      fprintf(file, "\\u%04x", (unsigned)*c);
    else
      putc(*c, file);
  }
  putc('"', file);
}

static void begin_value(json_writer *json, const char *key)
{
  if (json->depth > 0) fprintf(json->file, "%s\n%*s", json->empty ? "" : ",", 2 * json->depth, "");
  json->empty = false;
  if (!key) return;
  write_string(json->file, key);
  fputs(": ", json->file);
}

void json_begin(json_writer *json, const char *key, char bracket)
{
  begin_value(json, key);
  putc(bracket, json->file);
  json->depth++;
  json->empty = true;
}

void json_end(json_writer *json, char bracket)
{
  json->depth--;
  if (!json->empty) fprintf(json->file, "\n%*s", 2 * json->depth, "");
  putc(bracket, json->file);
  json->empty = false;
}

bool json_open(json_writer *json, const char *path)
{
  *json = (json_writer){.file = fopen(path, "w"), .empty = true};
  if (!json->file) return false;
  json_begin(json, NULL, '{');
  return true;
}

bool json_close(json_writer *json)
{
  json_end(json, '}');
  putc('\n', json->file);
  const bool written = !ferror(json->file);
  return fclose(json->file) == 0 && written;
}

void json_text(json_writer *json, const char *key, const char *value)
{
  begin_value(json, key);
  write_string(json->file, value);
}

void json_integer(json_writer *json, const char *key, int64_t value)
{
  begin_value(json, key);
  fprintf(json->file, "%" PRId64, value);
}

void json_number(json_writer *json, const char *key, double value)
{
  begin_value(json, key);
  if (isfinite(value))
    fprintf(json->file, "%.17g", value);
  else
    fputs("null", json->file);
}
