/* SPDX-License-Identifier: BSD-2-Clause
 * The text of OP2's airfoil, which lists quadrilaterals, edges and boundary edges. On the way from the first
 * node of an edge to the second the first cell is on the right, so nodes change places here. Edges are not
 * derived, since the two sides of a wake may have nodes of their own.
 */
#include "formats.h"

static bool read_counts(fields *f, int64_t count[4])
{
  static const char *const names[] = {"the number of nodes", "the number of cells", "the number of edges",
                                      "the number of boundary edges"};
  if (!pl_mesh_begin(f, "the counts \"nodes cells edges boundary-edges\"")) return false;
  for (int k = 0; k < 4; k++)
    if (!pl_mesh_long(f, names[k], 0, INT32_MAX, &count[k])) return false;
  return pl_mesh_end(f);
}

static bool read_node(fields *f, const int64_t count[4])
{
  int64_t bits[3] = {0, 0, 0};
  (void)count;
  for (int k = 0; k < 2; k++) {
    double x;
    if (!pl_mesh_real(f, &x)) return false;
    bits[k] = real_as_number(x);
  }
  return pl_mesh_push(f->mesh, &f->mesh->x, 3, bits);
}

static bool read_cell(fields *f, const int64_t count[4])
{
  int64_t node[4];
  for (int k = 0; k < 4; k++)
    if (!pl_mesh_long(f, "node", 0, count[0] - 1, &node[k])) return false;
  return pl_mesh_push_element(f->mesh, pl_mesh_place(f), PL_MESH_QUADRILATERAL, 0, node);
}

static bool read_edge(fields *f, const int64_t count[4])
{
  int64_t edge[4];
  for (int k = 0; k < 4; k++)
    if (!pl_mesh_long(f, k < 2 ? "node" : "cell", 0, count[k / 2] - 1, &edge[k < 2 ? 1 - k : k]))
      return false;
  return pl_mesh_push(f->mesh, &f->mesh->faces, 4, edge);
}

static bool read_boundary(fields *f, const int64_t count[4])
{
  int64_t edge[4];
  return pl_mesh_long(f, "node", 0, count[0] - 1, &edge[1]) &&
         pl_mesh_long(f, "node", 0, count[0] - 1, &edge[0]) &&
         pl_mesh_long(f, "cell", 0, count[1] - 1, &edge[2]) &&
         pl_mesh_long(f, "boundary number", 0, INT32_MAX, &edge[3]) &&
         pl_mesh_push(f->mesh, &f->mesh->boundary, 4, edge);
}

bool pl_mesh_read_op2(fields *f)
{
  static const struct {
    const char *record;
    bool (*read)(fields *f, const int64_t count[4]);
  } sections[4] = {{"a node \"x y\"", read_node},
                   {"a cell \"n1 n2 n3 n4\"", read_cell},
                   {"an edge \"n1 n2 c1 c2\"", read_edge},
                   {"a boundary edge \"n1 n2 c marker\"", read_boundary}};
  int64_t count[4], skip, keep;
  if (!read_counts(f, count)) return false;
  pl_mesh_start_nodes(f, count[0], 0);
  f->mesh->has_faces = true;
  for (int s = 0; s < 4; s++) {
    const char *record = sections[s].record;
    pl_mesh_part(f, count[s], 0, count[s], &skip, &keep);
    if (!pl_mesh_skip(f, record, skip, 0)) return false;
    for (int64_t i = 0; i < keep; i++)
      if (!pl_mesh_begin(f, record) || !sections[s].read(f, count) || !pl_mesh_end(f)) return false;
    if (!pl_mesh_skip(f, record, count[s] - skip - keep, 0)) return false;
  }
  if (pl_mesh_next_line(f)) return pl_mesh_wrong_word(f, "follows the last boundary edge");
  return !f->mesh->code;
}
