/* SPDX-License-Identifier: BSD-2-Clause
 * Messages and files of a program.
 */
#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool output_error(const char *program, const char *subject, const char *reason)
{
  fprintf(stderr, "%s: %s: %s\n", program, subject, reason);
  return false;
}

static bool save(pl_context *pl, const char *program, const char *path, const picture *p)
{
  if (!pl_vtk_grid(p->x, p->corners) && !pl_checkpoint(pl, path)) return true;
  return !pl_rank(pl) && output_error(program, path, pl_errmsg(pl));
}

bool output_write(pl_context *pl, const char *program, const output_files *files, const picture *p)
{
  const bool good = !files->save || save(pl, program, files->save, p);
  return (!files->picture || picture_write(pl, program, files->picture, p)) && good;
}

bool output_json_open(const pl_context *pl, const char *program, const char *path, json_writer *json)
{
  if (!json_open(json, path)) return output_error(program, path, strerror(errno));
  json_text(json, "program", program);
  json_text(json, "backend", pl_backend_name(pl));
  json_integer(json, "ranks", pl_ranks(pl));
  return true;
}

bool output_json_close(const char *program, const char *path, json_writer *json)
{
  return json_close(json) || output_error(program, path, "could not be written");
}
