/* SPDX-License-Identifier: BSD-2-Clause
 * Small meshes and their files. See made.h.
 */
#include "made.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- meshes ---- */

static int add_node(made_mesh *m, double x, double y, double z)
{
  memcpy(m->x[m->nnodes], (double[]){x, y, z}, sizeof m->x[0]);
  return m->nnodes++;
}

static void add(made_mesh *m, pl_mesh_shape shape, int tag, const int *node)
{
  made_element *e = &m->element[m->nelements++];
  e->shape = shape;
  e->tag = tag;
  memcpy(e->node, node, (size_t)pl_mesh_shape_nodes(shape) * sizeof *node);
}

#define ADD(m, shape, tag, ...) add(m, shape, tag, (const int[]){__VA_ARGS__})

void made_plane(made_mesh *m)
{
  *m = (made_mesh){.dim = 2};
  for (int j = 0; j <= 2; j++)
    for (int i = 0; i <= 4; i++) add_node(m, i, j, 0);
  for (int i = 0; i < 4; i++) ADD(m, PL_MESH_LINE, 1, i, i + 1);
  for (int j = 0; j < 2; j++) ADD(m, PL_MESH_LINE, 2, 5 * j + 9, 5 * j + 4);
  for (int j = 0; j < 2; j++) ADD(m, PL_MESH_LINE, 5, 5 * j + 2, 5 * j + 7);
  for (int tag = 3; tag <= 4; tag++)
    for (int j = 0; j < 2; j++)
      for (int i = 2 * (tag - 3); i < 2 * (tag - 2); i++) {
        const int a = 5 * j + i, b = a + 1, c = a + 6, d = a + 5;
        if (i == 1 + j) {
          ADD(m, PL_MESH_TRIANGLE, tag, a, b, c);
          ADD(m, PL_MESH_TRIANGLE, tag, d, c, a); /* clockwise */
        } else if (i % 2)
          ADD(m, PL_MESH_QUADRILATERAL, tag, a, d, c, b); /* clockwise */
        else
          ADD(m, PL_MESH_QUADRILATERAL, tag, a, b, c, d);
      }
}

void made_space(made_mesh *m)
{
  *m = (made_mesh){.dim = 3};
  for (int i = 0; i <= 3; i++)
    for (int k = 0; k < 4; k++) add_node(m, i, k == 1 || k == 2, k / 2); /* 4 i + k: round the square x = i */
  const int middle = add_node(m, 1.5, 0.5, 0.5), p = add_node(m, 2.75, 0.25, 2),
            q = add_node(m, 2.25, 0.75, 2);
  ADD(m, PL_MESH_QUADRILATERAL, 1, 0, 1, 2, 3);
  ADD(m, PL_MESH_QUADRILATERAL, 2, 12, 13, 14, 15);
  ADD(m, PL_MESH_QUADRILATERAL, 5, 8, 9, 10, 11);
  ADD(m, PL_MESH_HEXAHEDRON, 3, 0, 1, 2, 3, 4, 5, 6, 7);
  for (int k = 0; k < 4; k++)
    ADD(m, PL_MESH_PYRAMID, 4, 4 + k, 4 + (k + 1) % 4, 8 + (k + 1) % 4, 8 + k, middle);
  ADD(m, PL_MESH_PYRAMID, 4, 4, 5, 6, 7, middle);
  ADD(m, PL_MESH_PYRAMID, 4, 8, 9, 10, 11, middle);
  ADD(m, PL_MESH_PRISM, 4, 8, 12, 13, 11, 15, 14);
  ADD(m, PL_MESH_PRISM, 4, 8, 9, 13, 11, 10, 14); /* turned */
  ADD(m, PL_MESH_TETRAHEDRON, 4, 11, 15, 14, p);
  ADD(m, PL_MESH_TETRAHEDRON, 4, 11, 10, 14, q); /* turned */
}

/* ---- files ---- */

typedef struct writer {
  FILE *file;
  bool binary;
  const made_mesh *mesh;
  int gap;
} writer;

static void put_int(writer *w, int value)
{
  const int32_t number = value;
  if (w->binary)
    fwrite(&number, sizeof number, 1, w->file);
  else
    fprintf(w->file, "%d ", value);
}

static void put_long(writer *w, int64_t value)
{
  if (w->binary)
    fwrite(&value, sizeof value, 1, w->file);
  else
    fprintf(w->file, "%lld ", (long long)value);
}

static void put_reals(writer *w, const double *value, int n)
{
  for (int i = 0; i < n; i++)
    if (w->binary)
      fwrite(&value[i], sizeof *value, 1, w->file);
    else
      fprintf(w->file, "%.17g ", value[i]);
}

static void end_record(writer *w)
{
  if (!w->binary) fputc('\n', w->file);
}

static int node_tag(const writer *w, int node)
{
  return w->gap > 1 ? 1 + w->gap * (w->mesh->nnodes - node) : 1 + node;
}

static int gmsh_type(pl_mesh_shape shape)
{
  static const int types[] = {15, 1, 2, 3, 4, 5, 6, 7};
  return types[shape];
}

const char *made_name(int tag)
{
  static const char *const names[] = {"", "wall", "far side", "left", "right"};
  return tag < 5 ? names[tag] : "";
}

static void put_head(writer *w, const char *version)
{
  fprintf(w->file, "$MeshFormat\n%s %d 8\n", version, w->binary);
  if (w->binary) put_int(w, 1), fputc('\n', w->file);
  fprintf(w->file, "$EndMeshFormat\n$Comments\nanything $Nodes\n$EndComments\n$PhysicalNames\n4\n");
  for (int tag = 1; tag <= 4; tag++)
    fprintf(w->file, "%d %d \"%s\"\n", w->mesh->dim - (tag < 3), tag, made_name(tag));
  fprintf(w->file, "$EndPhysicalNames\n");
}

static void put_end(writer *w, const char *section)
{
  fprintf(w->file, "%s$End%s\n", w->binary ? "\n" : "", section);
}

static void write_gmsh2(writer *w)
{
  const made_mesh *m = w->mesh;
  put_head(w, "2.2");
  fprintf(w->file, "$Nodes\n%d\n", m->nnodes);
  for (int i = 0; i < m->nnodes; i++) {
    put_int(w, node_tag(w, i));
    put_reals(w, m->x[i], 3);
    end_record(w);
  }
  put_end(w, "Nodes");
  fprintf(w->file, "$Elements\n%d\n", m->nelements + 2);
  for (int i = 0; i < m->nelements + 2; i++) { /* the last one is also in the groups "left" and 9 */
    const made_element *e = &m->element[i < m->nelements ? i : m->nelements - 1];
    const int tag = i < m->nelements ? e->tag : i == m->nelements ? 3 : 9;
    if (w->binary) put_int(w, gmsh_type(e->shape)), put_int(w, 1), put_int(w, 2), put_int(w, i + 1);
    if (!w->binary) put_int(w, i + 1), put_int(w, gmsh_type(e->shape)), put_int(w, 2);
    put_int(w, tag);
    put_int(w, 77);
    for (int k = 0; k < pl_mesh_shape_nodes(e->shape); k++) put_int(w, node_tag(w, e->node[k]));
    end_record(w);
  }
  put_end(w, "Elements");
}

/* An entity for each tag, and one, 7, for the last element, which is also in the groups "left" and 9. */
static void put_entity(writer *w, int dim, int tag)
{
  put_int(w, tag);
  put_reals(w, (const double[]){0, 0, 0, 1, 1, 1}, dim ? 6 : 3);
  put_long(w, tag == 7 ? 3 : 1);
  put_int(w, tag == 7 ? 4 : tag);
  if (tag == 7) put_int(w, 3), put_int(w, -9);
  if (dim) put_long(w, 1), put_int(w, -1);
  end_record(w);
}

static void put_entities(writer *w)
{
  const int dim = w->mesh->dim;
  fprintf(w->file, "$Entities\n");
  for (int d = 0; d < 4; d++) put_long(w, d == dim || d == dim - 1 ? 3 : 0);
  end_record(w);
  for (int d = dim - 1; d <= dim; d++)
    for (int k = 0; k < 3; k++) put_entity(w, d, d == dim ? (int[]){3, 4, 7}[k] : (int[]){1, 2, 5}[k]);
  put_end(w, "Entities");
}

/* In two blocks, the second with parameters. */
static void put_nodes(writer *w)
{
  const made_mesh *m = w->mesh;
  fprintf(w->file, "$Nodes\n");
  put_long(w, 2), put_long(w, m->nnodes), put_long(w, 1), put_long(w, 1 + m->nnodes * (int64_t)w->gap),
    end_record(w);
  for (int b = 0; b < 2; b++) {
    const int first = b ? 3 : 0, end = b ? m->nnodes : 3;
    put_int(w, m->dim), put_int(w, 3), put_int(w, b), put_long(w, end - first), end_record(w);
    for (int i = first; i < end; i++) put_long(w, node_tag(w, i)), end_record(w);
    for (int i = first; i < end; i++) {
      put_reals(w, m->x[i], 3);
      if (b) put_reals(w, (const double[]){0.5, 0.25, 0.125}, m->dim);
      end_record(w);
    }
  }
  put_end(w, "Nodes");
}

static void put_elements(writer *w)
{
  const made_mesh *m = w->mesh;
  fprintf(w->file, "$Elements\n");
  put_long(w, m->nelements), put_long(w, m->nelements), put_long(w, 1), put_long(w, m->nelements),
    end_record(w);
  for (int i = 0; i < m->nelements; i++) {
    const made_element *e = &m->element[i];
    put_int(w, pl_mesh_shape_dim(e->shape)), put_int(w, i == m->nelements - 1 ? 7 : e->tag);
    put_int(w, gmsh_type(e->shape)), put_long(w, 1), end_record(w);
    put_long(w, i + 1);
    for (int k = 0; k < pl_mesh_shape_nodes(e->shape); k++) put_long(w, node_tag(w, e->node[k]));
    end_record(w);
  }
  put_end(w, "Elements");
}

static void write_gmsh4(writer *w)
{
  put_head(w, "4.1");
  put_entities(w);
  put_nodes(w);
  put_elements(w);
}

static void put_su2_elements(writer *w, int dim, int tag)
{
  static const int types[] = {1, 3, 5, 9, 10, 12, 13, 14};
  const made_mesh *m = w->mesh;
  int n = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < m->nelements; i++) {
      const made_element *e = &m->element[i];
      if (pl_mesh_shape_dim(e->shape) != dim || (tag && e->tag != tag)) continue;
      if (pass) {
        put_int(w, types[e->shape]);
        for (int k = 0; k < pl_mesh_shape_nodes(e->shape); k++) put_int(w, e->node[k]);
        put_int(w, n); /* its number may follow */
        end_record(w);
      }
      n++;
    }
    if (!pass) fprintf(w->file, "%s= %d\n", tag ? "MARKER_ELEMS" : "NELEM", n), n = 0;
  }
}

static void write_su2(writer *w)
{
  const made_mesh *m = w->mesh;
  fprintf(w->file, "%% made by a test\n\nNDIME= %d\n", m->dim);
  put_su2_elements(w, m->dim, 0);
  fprintf(w->file, "NPOIN= %d\n", m->nnodes);
  for (int i = 0; i < m->nnodes; i++) put_reals(w, m->x[i], m->dim), put_int(w, i), end_record(w);
  fprintf(w->file, "NMARK= 2\n");
  for (int tag = 1; tag <= 2; tag++) {
    fprintf(w->file, "MARKER_TAG= %s\n%% a comment\n", tag == 1 ? "wall" : "far");
    put_su2_elements(w, m->dim - 1, tag);
  }
}

const char *made_ending(made_format format)
{
  return format == MADE_SU2 ? ".su2" : format == MADE_CGNS ? ".cgns" : ".msh";
}

void made_write(const made_mesh *mesh, made_format format, int gap, const char *path)
{
  if (format == MADE_CGNS) return made_write_cgns(mesh, path);
  writer w = {fopen(path, "wb"), format == MADE_GMSH2_BINARY || format == MADE_GMSH4_BINARY, mesh, gap};
  if (!w.file) {
    perror(path);
    exit(1);
  }
  if (format == MADE_SU2)
    write_su2(&w);
  else if (format == MADE_GMSH2 || format == MADE_GMSH2_BINARY)
    write_gmsh2(&w);
  else
    write_gmsh4(&w);
  fclose(w.file);
}
