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

/* ---- elements ---- */

typedef struct element {
  int shape; /* -1: none */
  int64_t tag, node[SHAPE_NODES];
} element;

/* The walk through the elements. In text each has its own shape and number of tags, in binary those of its
 * block, which may have one element. */
typedef struct element_walk {
  fields *fields;
  int64_t first, end; /* elements of this rank's share */
  int shape;
  int64_t ntags;
  element last;
  bool mine, past;  /* this rank keeps the last element; its share is over */
  int64_t position; /* of the record of the last element that it keeps */
} element_walk;

static const char element_record[] = "an element \"number type number-of-tags tags nodes\"";

static bool read_kind(element_walk *w)
{
  fields *f = w->fields;
  int64_t type;
  if (!pl_mesh_int(f, "type", 0, INT32_MAX, &type)) return false;
  w->shape = pl_mesh_gmsh_shape(f, type);
  return w->shape >= 0;
}

static bool read_element(element_walk *w, element *e)
{
  fields *f = w->fields;
  *e = (element){0};
  if (!pl_mesh_begin(f, element_record) || !pl_mesh_skip_ints(f, 1)) return false;
  if (!f->binary && (!read_kind(w) || !pl_mesh_int(f, "number of tags", 0, TAGS, &w->ntags))) return false;
  e->shape = w->shape;
  if (w->ntags > 0 && !pl_mesh_int(f, "physical group", 0, INT32_MAX, &e->tag)) return false;
  if (w->ntags > 1 && !pl_mesh_skip_ints(f, w->ntags - 1)) return false;
  for (int k = 0; k < pl_mesh_shape_info(w->shape)->nodes; k++)
    if (!pl_mesh_int(f, "node", 1, INT32_MAX, &e->node[k])) return false;
  return pl_mesh_end(f);
}

static bool same_element(const element *a, const element *b)
{
  if (a->shape != b->shape) return false;
  for (int k = 0; k < pl_mesh_shape_info(a->shape)->nodes; k++)
    if (a->node[k] != b->node[k]) return false;
  return true;
}

static bool keep_element(element_walk *w, const element *e, bool same)
{
  file_mesh *mesh = w->fields->mesh;
  if (same) return pl_mesh_push(mesh, &mesh->more, 2, (int64_t[]){w->position, e->tag});
  w->position = (int64_t)mesh->elements.count;
  return pl_mesh_push_element(mesh, pl_mesh_place(w->fields), e->shape, e->tag, e->node);
}

/* Walks over elements before to before + count. An element in several groups is repeated at once, with the
 * same nodes: a rank also keeps the repetitions of its last element, and drops those of the last one of the
 * lower rank, so it reads one element more at each end. */
static bool walk(element_walk *w, int64_t before, int64_t count, int64_t bytes)
{
  const int64_t end = before + count;
  int64_t i = w->first - 1 < end ? w->first - 1 : end;
  if (i < before) i = before;
  if (w->past || w->first == w->end) i = end;
  if (!pl_mesh_skip(w->fields, element_record, i - before, bytes)) return false;
  for (element e; i < end && !w->past; i++) {
    if (!read_element(w, &e)) return false;
    const bool same = same_element(&e, &w->last);
    w->past = !same && i >= w->end;
    if (!same) w->mine = i >= w->first && !w->past;
    if (w->mine && !keep_element(w, &e, same)) return false;
    w->last = e;
  }
  return pl_mesh_skip(w->fields, element_record, end - i, bytes);
}

static bool walk_blocks(element_walk *w, int64_t n)
{
  fields *f = w->fields;
  int64_t count = 0;
  for (int64_t before = 0; before < n; before += count) {
    if (!pl_mesh_begin(f, "a block of elements") || !read_kind(w) ||
        !pl_mesh_int(f, "number of elements", 1, n - before, &count) ||
        !pl_mesh_int(f, "number of tags", 0, TAGS, &w->ntags) ||
        !walk(w, before, count, 4 * (1 + w->ntags + pl_mesh_shape_info(w->shape)->nodes)))
      return false;
  }
  return true;
}

bool pl_mesh_gmsh2_elements(gmsh *g)
{
  fields *f = &g->fields;
  int64_t n;
  if (g->has_elements) return pl_mesh_wrong(f, "a second section $Elements");
  g->has_elements = true;
  if (!read_count(f, "the number of elements", &n)) return false;
  const int ranks = pl_ranks(f->mesh->pl), rank = pl_rank(f->mesh->pl);
  element_walk w = {.fields = f,
                    .first = pl_mesh_share_first(n, ranks, rank),
                    .end = pl_mesh_share_first(n, ranks, rank + 1),
                    .last = {.shape = -1}};
  return (f->binary ? walk_blocks(&w, n) : walk(&w, 0, n, 0)) && pl_mesh_word(f, "$EndElements");
}
