/* SPDX-License-Identifier: BSD-2-Clause
 * Gmsh's format 2.2. An element has its own type and tags; the first tag is its physical group. A binary file
 * has blocks of elements of one type and one number of tags.
 */
#include "gmsh2.h"

enum { TAGS = 100 };

/* The number at the start of a section, a line of text also in a binary file. */
static bool read_count(fields *f, const char *record, int64_t *count)
{
  const bool binary = f->binary;
  f->binary = false;
  const bool good =
    pl_mesh_begin(f, record) && pl_mesh_long(f, "the number", 0, INT32_MAX, count) && pl_mesh_end(f);
  f->binary = binary;
  return good;
}

static bool read_node(fields *f)
{
  int64_t tag, bits[3];
  double x;
  if (!pl_mesh_begin(f, "a node \"number x y z\"") || !pl_mesh_int(f, "number", 1, INT32_MAX, &tag))
    return false;
  for (int k = 0; k < 3; k++) {
    if (!pl_mesh_real(f, &x)) return false;
    bits[k] = real_as_number(x);
  }
  return pl_mesh_end(f) && pl_mesh_push(f->mesh, &f->mesh->tags, 1, &tag) &&
         pl_mesh_push(f->mesh, &f->mesh->x, 3, bits);
}

bool pl_mesh_gmsh2_nodes(gmsh *g)
{
  fields *f = &g->fields;
  int64_t n, skip, keep;
  enum { BYTES = 4 + 3 * 8 };
  if (g->has_nodes) return pl_mesh_wrong(f, "a second section $Nodes");
  g->has_nodes = true;
  if (!read_count(f, "the number of nodes", &n)) return false;
  pl_mesh_start_nodes(f, n, 1);
  pl_mesh_part(f, n, 0, n, &skip, &keep);
  if (!pl_mesh_skip(f, "a node", skip, BYTES)) return false;
  for (int64_t i = 0; i < keep; i++)
    if (!read_node(f)) return false;
  return pl_mesh_skip(f, "a node", n - skip - keep, BYTES) && pl_mesh_word(f, "$EndNodes");
}

/* The tags and nodes of an element. */
static bool read_rest(fields *f, int shape, int64_t ntags)
{
  int64_t tag = 0, node[SHAPE_NODES];
  if (ntags > 0 && !pl_mesh_int(f, "physical group", 0, INT32_MAX, &tag)) return false;
  if (ntags > 1 && !pl_mesh_skip_ints(f, ntags - 1)) return false;
  for (int k = 0; k < pl_mesh_shape_info(shape)->nodes; k++)
    if (!pl_mesh_int(f, "node", 1, INT32_MAX, &node[k])) return false;
  return pl_mesh_end(f) && pl_mesh_push_element(f->mesh, pl_mesh_place(f), shape, tag, node);
}

static bool read_head(fields *f, const char *record, const char *what, int64_t high, int64_t *type,
                      int64_t *number, int64_t *ntags)
{
  return pl_mesh_begin(f, record) && (f->binary || pl_mesh_skip_ints(f, 1)) &&
         pl_mesh_int(f, "type", 0, INT32_MAX, type) &&
         (!f->binary || pl_mesh_int(f, what, 1, high, number)) &&
         pl_mesh_int(f, "number of tags", 0, TAGS, ntags);
}

static bool read_text(fields *f, int64_t n)
{
  int64_t skip, keep, type, ntags;
  static const char record[] = "an element \"number type number-of-tags tags nodes\"";
  pl_mesh_part(f, n, 0, n, &skip, &keep);
  if (!pl_mesh_skip(f, record, skip, 0)) return false;
  for (int64_t i = 0; i < keep; i++) {
    if (!read_head(f, record, NULL, 0, &type, NULL, &ntags)) return false;
    const int shape = pl_mesh_gmsh_shape(f, type);
    if (shape < 0 || !read_rest(f, shape, ntags)) return false;
  }
  return pl_mesh_skip(f, record, n - skip - keep, 0);
}

static bool read_binary(fields *f, int64_t n)
{
  int64_t skip, keep, type, count, ntags;
  for (int64_t before = 0; before < n; before += count) {
    if (!read_head(f, "a block of elements", "number of elements", n - before, &type, &count, &ntags))
      return false;
    const int shape = pl_mesh_gmsh_shape(f, type);
    if (shape < 0) return false;
    const int64_t bytes = 4 * (1 + ntags + pl_mesh_shape_info(shape)->nodes);
    pl_mesh_part(f, n, before, count, &skip, &keep);
    if (!pl_mesh_skip(f, "an element", skip, bytes)) return false;
    for (int64_t i = 0; i < keep; i++)
      if (!pl_mesh_skip_ints(f, 1) || !read_rest(f, shape, ntags)) return false;
    if (!pl_mesh_skip(f, "an element", count - skip - keep, bytes)) return false;
  }
  return true;
}

bool pl_mesh_gmsh2_elements(gmsh *g)
{
  fields *f = &g->fields;
  int64_t n;
  if (g->has_elements) return pl_mesh_wrong(f, "a second section $Elements");
  g->has_elements = true;
  return read_count(f, "the number of elements", &n) && (f->binary ? read_binary(f, n) : read_text(f, n)) &&
         pl_mesh_word(f, "$EndElements");
}
