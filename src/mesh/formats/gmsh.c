/* SPDX-License-Identifier: BSD-2-Clause
 * Gmsh's format, versions 4.1 and 2.2, text and binary: sections "$Name ... $EndName". The sections that
 * differ are read by gmsh2.c and gmsh4.c.
 */
#include "gmsh2.h"
#include "gmsh4.h"

#include <string.h>

/* ---- types of elements ---- */

int pl_mesh_gmsh_shape(fields *f, int64_t type)
{
  static const signed char shapes[] = {
    [1] = PL_MESH_LINE,       [2] = PL_MESH_TRIANGLE, [3] = PL_MESH_QUADRILATERAL, [4] = PL_MESH_TETRAHEDRON,
    [5] = PL_MESH_HEXAHEDRON, [6] = PL_MESH_PRISM,    [7] = PL_MESH_PYRAMID};
  if (type >= 1 && type <= 7) return shapes[type];
  if (type == 15) return PL_MESH_POINT;
  pl_mesh_wrong(f, "elements of type %lld are not supported; save the mesh with elements of first order",
                (long long)type);
  return -1;
}

/* ---- sections ---- */

static bool read_format(gmsh *g)
{
  fields *f = &g->fields;
  int64_t binary, size, one;
  double version;
  if (!pl_mesh_begin(f, "the format \"version file-type data-size\"") || !pl_mesh_real(f, &version) ||
      !pl_mesh_long(f, "file type", 0, 1, &binary) || !pl_mesh_long(f, "data size", 8, 8, &size) ||
      !pl_mesh_end(f))
    return false;
  g->version = version >= 4.05 && version < 4.15 ? 4 : version >= 1.95 && version < 2.25 ? 2 : 0;
  if (!g->version)
    return pl_mesh_wrong(f, "version %g of Gmsh's format is not supported, but 4.1 and 2.2", version);
  if (binary) {
    f->binary = true;
    f->mesh->unit = "byte";
    if (!pl_mesh_int(f, "the number 1", INT32_MIN, INT32_MAX, &one)) return false;
    if (one != 1) return pl_mesh_wrong(f, "the file was written with another byte order");
  }
  return pl_mesh_word(f, "$EndMeshFormat");
}

/* Lines of text also in a binary file. */
static bool read_names(gmsh *g)
{
  fields *f = &g->fields;
  const bool binary = f->binary;
  int64_t count = 0, dim, tag;
  f->binary = false;
  bool good = pl_mesh_begin(f, "the number of physical names") &&
              pl_mesh_long(f, "the number", 0, INT32_MAX, &count) && pl_mesh_end(f);
  for (int64_t i = 0; i < count && good; i++) {
    good = pl_mesh_begin(f, "a physical name \"dimension tag 'name'\"") &&
           pl_mesh_long(f, "dimension", 0, 3, &dim) && pl_mesh_long(f, "tag", 1, INT32_MAX, &tag);
    if (!good) break;
    char *start = strchr(f->at, '"'), *end = start ? strrchr(start + 1, '"') : NULL;
    if (!end) return pl_mesh_wrong(f, "a physical name stands without quotation marks");
    *end = '\0';
    good = pl_mesh_push_name(f->mesh, (int)dim, tag, start + 1);
  }
  f->binary = binary;
  return good && pl_mesh_word(f, "$EndPhysicalNames");
}

static bool skip_section(gmsh *g)
{
  fields *f = &g->fields;
  char end[80];
  const int length = (int)strcspn(f->at + 1, " \t\r\n");
  snprintf(end, sizeof end, "$End%.*s", length < 60 ? length : 60, f->at + 1);
  while (pl_mesh_next_line(f))
    if (pl_mesh_starts(f->at, end)) return true;
  return pl_mesh_wrong(f, "the file ends before %s", end);
}

static bool read_section(gmsh *g)
{
  static const struct {
    const char *name;
    bool (*read[2])(gmsh *g); /* versions 2 and 4 */
  } sections[] = {{"$PhysicalNames", {read_names, read_names}},
                  {"$Entities", {skip_section, pl_mesh_gmsh4_entities}},
                  {"$Nodes", {pl_mesh_gmsh2_nodes, pl_mesh_gmsh4_nodes}},
                  {"$Elements", {pl_mesh_gmsh2_elements, pl_mesh_gmsh4_elements}}};
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
    if (pl_mesh_starts(g->fields.at, sections[i].name)) return sections[i].read[g->version == 4](g);
  if (*g->fields.at == '$') return skip_section(g);
  return pl_mesh_wrong_word(&g->fields, "is no section");
}

bool pl_mesh_read_gmsh(fields *f)
{
  gmsh g = {.fields = *f};
  bool good = pl_mesh_word(&g.fields, "$MeshFormat") && read_format(&g);
  while (good && pl_mesh_next_line(&g.fields)) good = read_section(&g);
  good = good && !f->mesh->code;
  if (good && (!g.has_nodes || !g.has_elements))
    good = pl_mesh_fail(f->mesh, "there is no section %s", g.has_nodes ? "$Elements" : "$Nodes");
  *f = g.fields;
  free(g.entities);
  return good;
}
