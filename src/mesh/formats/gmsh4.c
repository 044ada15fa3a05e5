/* SPDX-License-Identifier: BSD-2-Clause
 * Gmsh's format 4.1. Nodes and elements stand in blocks, one or more for each entity of the geometry; the
 * entities have the physical groups.
 */
#include "gmsh4.h"

enum { MOST = INT32_MAX };

/* ---- entities ---- */

static bool push_entity(gmsh *g, gmsh_entity entity)
{
  if (g->nentities == g->room) {
    const size_t room = 2 * g->room + 16;
    gmsh_entity *larger = realloc(g->entities, room * sizeof *larger);
    if (!larger) return pl_mesh_no_memory(g->fields.mesh);
    g->entities = larger;
    g->room = room;
  }
  g->entities[g->nentities++] = entity;
  return true;
}

/* Groups with a negative tag have the opposite orientation. */
static bool read_entity(gmsh *g, int dim)
{
  static const char *const records[] = {"a point \"tag x y z groups\"", "a curve \"tag box groups points\"",
                                        "a surface \"tag box groups curves\"",
                                        "a volume \"tag box groups surfaces\""};
  fields *f = &g->fields;
  int64_t tag, groups, group, parts;
  if (!pl_mesh_begin(f, records[dim]) || !pl_mesh_int(f, "tag", -MOST, MOST, &tag) ||
      !pl_mesh_skip_reals(f, dim ? 6 : 3) || !pl_mesh_long(f, "number of groups", 0, MOST, &groups))
    return false;
  for (int64_t i = 0; i < groups; i++)
    if (!pl_mesh_int(f, "group", -MOST, MOST, &group) ||
        !push_entity(g, (gmsh_entity){dim, tag, group < 0 ? -group : group}))
      return false;
  if (!groups && !push_entity(g, (gmsh_entity){dim, tag, 0})) return false;
  if (dim && (!pl_mesh_long(f, "number of parts", 0, MOST, &parts) || !pl_mesh_skip_ints(f, parts)))
    return false;
  return pl_mesh_end(f);
}

bool pl_mesh_gmsh4_entities(gmsh *g)
{
  fields *f = &g->fields;
  int64_t count[4];
  if (!pl_mesh_begin(f, "the numbers of points, curves, surfaces and volumes")) return false;
  for (int dim = 0; dim < 4; dim++)
    if (!pl_mesh_long(f, "number", 0, MOST, &count[dim])) return false;
  if (!pl_mesh_end(f)) return false;
  for (int dim = 0; dim < 4; dim++)
    for (int64_t i = 0; i < count[dim]; i++)
      if (!read_entity(g, dim)) return false;
  return pl_mesh_word(f, "$EndEntities");
}

/* The first row of an entity, searched from *start on; NULL if there is none. */
static const gmsh_entity *find_entity(const gmsh *g, int64_t dim, int64_t tag, size_t *start)
{
  for (size_t i = 0; i < g->nentities; i++) {
    const size_t at = (*start + i) % g->nentities;
    const gmsh_entity *e = &g->entities[at];
    const bool first = at == 0 || e[-1].dim != dim || e[-1].tag != tag;
    if (e->dim == dim && e->tag == tag && first) return *start = at, e;
  }
  return NULL;
}

/* ---- blocks ---- */

typedef struct block {
  int64_t dim, tag, third, count; /* third: parametric, or the type of elements */
} block;

static bool read_section_head(fields *f, const char *record, int64_t *blocks, int64_t *n)
{
  int64_t tag;
  return pl_mesh_begin(f, record) && pl_mesh_long(f, "number of blocks", 0, MOST, blocks) &&
         pl_mesh_long(f, "number", 0, INT64_MAX / 16, n) &&
         pl_mesh_long(f, "lowest number", 0, INT64_MAX, &tag) &&
         pl_mesh_long(f, "highest number", 0, INT64_MAX, &tag) && pl_mesh_end(f);
}

static bool read_block(fields *f, const char *record, const char *third, int64_t high, block *b)
{
  return pl_mesh_begin(f, record) && pl_mesh_int(f, "dimension", 0, 3, &b->dim) &&
         pl_mesh_int(f, "entity", -MOST, MOST, &b->tag) && pl_mesh_int(f, third, 0, MOST, &b->third) &&
         pl_mesh_long(f, "number in the block", 0, high, &b->count) && pl_mesh_end(f);
}

/* ---- nodes ---- */

static bool read_tags(fields *f, int64_t n)
{
  for (int64_t i = 0; i < n; i++) {
    int64_t tag;
    if (!pl_mesh_begin(f, "the number of a node") || !pl_mesh_long(f, "number", 1, INT64_MAX - 1, &tag) ||
        !pl_mesh_end(f) || !pl_mesh_push(f->mesh, &f->mesh->tags, 1, &tag))
      return false;
  }
  return true;
}

static bool read_points(fields *f, int64_t n, int64_t parameters)
{
  for (int64_t i = 0; i < n; i++) {
    int64_t bits[3];
    double x;
    if (!pl_mesh_begin(f, "a node \"x y z\"")) return false;
    for (int k = 0; k < 3; k++) {
      if (!pl_mesh_real(f, &x)) return false;
      bits[k] = real_as_number(x);
    }
    if (!pl_mesh_skip_reals(f, parameters) || !pl_mesh_end(f) || !pl_mesh_push(f->mesh, &f->mesh->x, 3, bits))
      return false;
  }
  return true;
}

static bool read_node_block(fields *f, int64_t n, int64_t before, int64_t *count)
{
  block b;
  int64_t skip, keep;
  if (!read_block(f, "a block of nodes \"dimension entity parametric number\"", "parametric", n - before, &b))
    return false;
  const int64_t parameters = b.third ? b.dim : 0, bytes = 8 * (3 + parameters);
  *count = b.count;
  pl_mesh_part(f, n, before, b.count, &skip, &keep);
  return pl_mesh_skip(f, "the number of a node", skip, 8) && read_tags(f, keep) &&
         pl_mesh_skip(f, "the number of a node", b.count - skip - keep, 8) &&
         pl_mesh_skip(f, "a node", skip, bytes) && read_points(f, keep, parameters) &&
         pl_mesh_skip(f, "a node", b.count - skip - keep, bytes);
}

bool pl_mesh_gmsh4_nodes(gmsh *g)
{
  fields *f = &g->fields;
  int64_t blocks, n, before = 0, count = 0;
  if (g->has_nodes) return pl_mesh_wrong(f, "a second section $Nodes");
  g->has_nodes = true;
  if (!read_section_head(f, "the section of nodes \"blocks nodes lowest highest\"", &blocks, &n))
    return false;
  pl_mesh_start_nodes(f, n, 1);
  for (int64_t i = 0; i < blocks; i++, before += count)
    if (!read_node_block(f, n, before, &count)) return false;
  if (before != n)
    return pl_mesh_wrong(f, "the blocks have %lld nodes, but the section says %lld", (long long)before,
                         (long long)n);
  return pl_mesh_word(f, "$EndNodes");
}

/* ---- elements ---- */

/* An element in the groups of its entity: the first one is in the record. */
static bool push_in_groups(gmsh *g, int shape, const int64_t *node, const gmsh_entity *entity)
{
  file_mesh *mesh = g->fields.mesh;
  const int64_t position = (int64_t)mesh->elements.count;
  const gmsh_entity *end = g->entities + g->nentities;
  if (!pl_mesh_push_element(mesh, pl_mesh_place(&g->fields), shape, entity ? entity->group : 0, node))
    return false;
  for (const gmsh_entity *e = entity; e && ++e < end && e->dim == entity->dim && e->tag == entity->tag;)
    if (!pl_mesh_push(mesh, &mesh->more, 2, (int64_t[]){position, e->group})) return false;
  return true;
}

static bool read_elements(gmsh *g, int64_t n, int shape, const gmsh_entity *entity)
{
  fields *f = &g->fields;
  int64_t number, node[SHAPE_NODES];
  for (int64_t i = 0; i < n; i++) {
    if (!pl_mesh_begin(f, "an element \"number nodes\"") || !pl_mesh_long(f, "number", 0, INT64_MAX, &number))
      return false;
    for (int k = 0; k < pl_mesh_shape_info(shape)->nodes; k++)
      if (!pl_mesh_long(f, "node", 1, INT64_MAX - 1, &node[k])) return false;
    if (!pl_mesh_end(f) || !push_in_groups(g, shape, node, entity)) return false;
  }
  return true;
}

static bool read_element_block(gmsh *g, int64_t n, int64_t before, int64_t *count, size_t *start)
{
  fields *f = &g->fields;
  block b;
  int64_t skip, keep;
  if (!read_block(f, "a block of elements \"dimension entity type number\"", "type", n - before, &b))
    return false;
  const int shape = pl_mesh_gmsh_shape(f, b.third);
  if (shape < 0) return false;
  const gmsh_entity *entity = find_entity(g, b.dim, b.tag, start);
  if (!entity && g->nentities)
    return pl_mesh_wrong(f, "the entity %lld of dimension %lld is not in $Entities", (long long)b.tag,
                         (long long)b.dim);
  const int64_t bytes = 8 * (1 + pl_mesh_shape_info(shape)->nodes);
  *count = b.count;
  pl_mesh_part(f, n, before, b.count, &skip, &keep);
  return pl_mesh_skip(f, "an element", skip, bytes) && read_elements(g, keep, shape, entity) &&
         pl_mesh_skip(f, "an element", b.count - skip - keep, bytes);
}

bool pl_mesh_gmsh4_elements(gmsh *g)
{
  fields *f = &g->fields;
  int64_t blocks, n, before = 0, count = 0;
  size_t start = 0;
  if (g->has_elements) return pl_mesh_wrong(f, "a second section $Elements");
  g->has_elements = true;
  if (!read_section_head(f, "the section of elements \"blocks elements lowest highest\"", &blocks, &n))
    return false;
  for (int64_t i = 0; i < blocks; i++, before += count)
    if (!read_element_block(g, n, before, &count, &start)) return false;
  if (before != n)
    return pl_mesh_wrong(f, "the blocks have %lld elements, but the section says %lld", (long long)before,
                         (long long)n);
  return pl_mesh_word(f, "$EndElements");
}
