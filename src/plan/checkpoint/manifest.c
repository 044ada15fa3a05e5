/* SPDX-License-Identifier: BSD-2-Clause
 * The manifest of a checkpoint.
 */
#include "manifest.h"
#include "core/arrays/set_resize.h"
#include "core/data/objects.h"
#include "core/particles/pair_map.h"
#include "plan/particles/particle_migration.h"
#include <string.h>

static const char version[] = "Plait checkpoint 1\n";

/* ---- particles ---- */

pl_map *pl_checkpoint_cells(const pl_set *set)
{
  return pl_migration_cell_map(set);
}

bool pl_checkpoint_particles(const pl_set *set)
{
  const pl_map *cells = pl_migration_cell_map(set);
  bool pairs = false;
  PL_EACH (pl_map, map, set->node.pl->maps) pairs = pairs || (map->pair_map && map->from == set);
  return (cells || pairs) && !pl_set_other_map(set, cells);
}

/* ---- writing ---- */

static void add_set(pl_string *text, const pl_set *set)
{
  if (pl_checkpoint_particles(set))
    pl_string_add(text, "set %s: particles\n", set->node.name);
  else
    pl_string_add(text, "set %s: %lld elements\n", set->node.name, (long long)set->global_size);
}

static void add_map(pl_string *text, const pl_map *map)
{
  if (map->offset)
    pl_string_add(text, "map %s: ragged", map->node.name);
  else
    pl_string_add(text, "map %s: %d target%s", map->node.name, map->arity, map->arity > 1 ? "s" : "");
  pl_string_add(text, " from set %s to set %s\n", map->from->node.name, map->to->node.name);
}

static void add_dat(pl_string *text, const pl_dat *dat)
{
  pl_string_add(text, "dat %s: %s", dat->node.name, pl_type_name(dat->type));
  for (int i = 0; i < dat->rank; i++) pl_string_add(text, "[%d]", dat->shape[i]);
  pl_string_add(text, " on set %s\n", dat->set->node.name);
}

static pl_err check_name(const char *name, pl_context *pl, const char *path)
{
  enum { LONGEST = 200 };
  if (*name && strlen(name) <= LONGEST && !strpbrk(name, "/\n") && strcmp(name, ".")) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_IO,
                 "file \"%s\": \"%s\" cannot be a name in a checkpoint; use 1 to %d characters without \"/\"",
                 path, name, LONGEST);
}

pl_err pl_manifest_write(const pl_h5_selection *s, const char *path, pl_string *text)
{
  for (int kind = 0; kind < PL_H5_KINDS; kind++)
    PL_EACH_WRITTEN (s, kind, node) PL_TRY(check_name(node->name, s->pl, path));
  pl_string_add(text, "%s", version);
  PL_EACH_WRITTEN (s, PL_H5_SETS, node) add_set(text, (const pl_set *)node);
  PL_EACH_WRITTEN (s, PL_H5_MAPS, node) add_map(text, (const pl_map *)node);
  PL_EACH_WRITTEN (s, PL_H5_DATS, node) add_dat(text, (const pl_dat *)node);
  PL_EACH_WRITTEN (s, PL_H5_CONSTS, node) {
    const pl_const *c = (const pl_const *)node;
    pl_string_add(text, "const %s: %s[%d]\n", node->name, pl_type_name(c->type), c->dim);
  }
  PL_EACH_WRITTEN (s, PL_H5_GLOBALS, node) {
    const pl_global *g = (const pl_global *)node;
    pl_string_add(text, "%s %s: %s[%d]\n", g->random ? "random" : "global", node->name, pl_type_name(g->type),
                  g->dim);
  }
  PL_EACH_WRITTEN (s, PL_H5_DOMAINS, node)
    pl_string_add(text, "domain %s: %d axes\n", node->name, ((const pl_domain *)node)->dim);
  return pl_string_check(text);
}

/* ---- comparing ---- */

static size_t line_length(const char *line)
{
  return strcspn(line, "\n");
}

/* The first line of `text` that begins with these characters, or NULL. */
static const char *find_line(const char *text, const char *start, size_t length)
{
  for (; text && *text; text = strchr(text, '\n'), text = text ? text + 1 : NULL)
    if (!strncmp(text, start, length)) return text;
  return NULL;
}

/* The first line of `these` that `those` lacks, or NULL. */
static const char *missing_line(const char *these, const char *those)
{
  for (const char *line = these; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
    if (!find_line(those, line, line_length(line) + 1)) return line;
  return NULL;
}

pl_err pl_manifest_compare(pl_context *pl, const char *path, const char *file, const char *program)
{
  if (strncmp(file, version, sizeof version - 1))
    return pl_fail(pl, PL_ERR_IO, "file \"%s\": it is no checkpoint of this version of Plait (\"%.*s\")",
                   path, (int)(line_length(file) < 60 ? line_length(file) : 60), file);
  const char *mine = missing_line(program, file), *theirs = missing_line(file, program);
  if (!mine && !theirs) return PL_SUCCESS;
  if (mine) theirs = find_line(file, mine, strcspn(mine, ":\n"));
  if (!mine || !theirs)
    return pl_fail(pl, PL_ERR_IO, "file \"%s\": %s has \"%.*s\", %s has not", path,
                   mine ? "the program" : "it", (int)line_length(mine ? mine : theirs), mine ? mine : theirs,
                   mine ? "it" : "the program");
  return pl_fail(pl, PL_ERR_IO, "file \"%s\": it has \"%.*s\", but the program has \"%.*s\"", path,
                 (int)line_length(theirs), theirs, (int)line_length(mine), mine);
}
