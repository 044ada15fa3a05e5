/* SPDX-License-Identifier: BSD-2-Clause
 * libplait-mesh: small meshes in each format have the right sizes, geometry and groups; on several ranks they
 * are equal to those of one rank; wrong files are refused.
 *
 * test_mesh BACKEND
 */
#include "checks.h"
#include "made.h"
#include "sandbox.h"

#include <math.h>
#include <stdlib.h>

static char backend[40];
static pl_context *pl;    /* all ranks */
static pl_context *alone; /* this rank */

static bool near(double a, double b)
{
  return fabs(a - b) < 1e-12;
}

/* ---- values on all ranks ---- */

PL_KERNEL(add_values, (double *sum, const double *value, const int *size), {
  for (int k = 0; k < size[0]; k++) sum[k] += value[k];
})
PL_KERNEL(add_outwards, (double *sum, const double *normal, const int *size), {
  for (int k = 0; k < size[0]; k++) sum[k] += normal[k];
})
PL_KERNEL(add_both, (double *sum[2], const double *normal, const int *size), {
  for (int k = 0; k < size[0]; k++) {
    sum[0][k] += normal[k];
    sum[1][k] -= normal[k];
  }
})
PL_KERNEL(largest, (double *most, const double *value, const int *size), {
  for (int k = 0; k < size[0]; k++) {
    const double v = value[k] < 0 ? -value[k] : value[k];
    if (v > *most) *most = v;
  }
})
PL_KERNEL(middle, (double *centre, const double *x, const int *size), {
  for (int k = 0; k < size[0]; k++) centre[k] = 0.5 * (x[k] + x[size[0] + k]);
})
PL_KERNEL(add_edges, (double *sum, const double *centre, const int *size), {
  for (int k = 0; k < size[0]; k++) sum[k] = 0;
  for (int i = 0; i < size[1]; i++)
    for (int k = 0; k < size[0]; k++) sum[k] += (i + 1) * centre[i * size[0] + k];
})

static pl_global *sizes_of(pl_context *context, int dim, int arity)
{
  pl_global *size;
  OK(pl_decl_global(context, 2, PL_INT, (const int[]){dim, arity}, "size", &size));
  return size;
}

/* The sum of a dat of doubles over a set or subset on all ranks. */
static void sum_over(pl_context *context, pl_set *set, pl_dat *dat, double sum[3])
{
  pl_global *total, *size = sizes_of(context, pl_dat_dim(dat), 0);
  const double zero[3] = {0, 0, 0};
  OK(pl_decl_global(context, 3, PL_DOUBLE, zero, "total", &total));
  OK(pl_par_loop(add_values, set, pl_arg_gbl(total, PL_INC), pl_arg_direct(dat, PL_READ),
                 pl_arg_gbl(size, PL_READ)));
  OK(pl_global_get(total, sum));
  pl_global_free(&total);
  pl_global_free(&size);
}

/* The largest component of the sum of the normals of a cell. */
static double open_cells(pl_context *context, pl_mesh *m)
{
  pl_dat *sum;
  pl_global *most, *size = sizes_of(context, m->dim, 0);
  double value = 0;
  const pl_arg dim = pl_arg_gbl(size, PL_READ);
  OK(pl_decl_dat(m->cells, m->dim, PL_DOUBLE, NULL, "sum", &sum));
  OK(pl_decl_global(context, 1, PL_DOUBLE, &value, "most", &most));
  OK(pl_par_loop(add_both, m->faces, pl_arg_dat(sum, PL_ALL, m->face_cells, PL_INC),
                 pl_arg_direct(m->face_normal, PL_READ), dim));
  OK(pl_par_loop(add_outwards, m->boundary, pl_arg_dat(sum, 0, m->boundary_cells, PL_INC),
                 pl_arg_direct(m->boundary_normal, PL_READ), dim));
  OK(pl_par_loop(largest, m->cells, pl_arg_gbl(most, PL_MAX), pl_arg_direct(sum, PL_READ), dim));
  OK(pl_global_get(most, &value));
  pl_global_free(&most);
  pl_global_free(&size);
  pl_dat_free(&sum);
  return value;
}

/* For each edge its middle; for each cell a sum over its edges that depends on their order. */
static void edge_values(pl_context *context, pl_mesh *m, pl_dat **centre, pl_dat **sum)
{
  pl_global *size = sizes_of(context, m->dim, pl_map_arity(m->cell_edges));
  OK(pl_decl_dat(m->edges, m->dim, PL_DOUBLE, NULL, "centre", centre));
  OK(pl_decl_dat(m->cells, m->dim, PL_DOUBLE, NULL, "sum", sum));
  OK(pl_par_loop(middle, m->edges, pl_arg_direct(*centre, PL_WRITE),
                 pl_arg_dat(m->x, PL_ALL, m->edge_nodes, PL_READ), pl_arg_gbl(size, PL_READ)));
  OK(pl_par_loop(add_edges, m->cells, pl_arg_direct(*sum, PL_WRITE),
                 pl_arg_dat(*centre, PL_ALL, m->cell_edges, PL_READ), pl_arg_gbl(size, PL_READ)));
  pl_global_free(&size);
}

/* ---- several ranks and one ---- */

/* This rank's values are those of the same elements of a mesh on one rank. */
static void compare_dats(pl_dat *shared, pl_dat *whole)
{
  const int64_t n = pl_set_size(pl_dat_set(shared));
  const size_t row = (size_t)pl_dat_dim(whole) * pl_type_size(pl_dat_type(whole));
  int64_t *global = malloc(((size_t)n + 1) * sizeof *global), differ = 0;
  void *mine, *all;
  CU_ASSERT_EQUAL(pl_set_global_size(pl_dat_set(shared)), pl_set_size(pl_dat_set(whole)));
  OK(pl_set_global(pl_dat_set(shared), global));
  OK(pl_dat_get(shared, PL_READ, &mine));
  OK(pl_dat_get(whole, PL_READ, &all));
  for (int64_t i = 0; i < n; i++) {
    const char *a = (char *)mine + (size_t)i * row, *b = (char *)all + (size_t)global[i] * row;
    if (pl_dat_type(whole) == PL_INT)
      differ += memcmp(a, b, row) != 0;
    else
      for (int k = 0; k < pl_dat_dim(whole); k++) differ += !near(((double *)a)[k], ((double *)b)[k]);
  }
  if (differ) fprintf(stderr, "\n%s: %lld values differ\n", pl_dat_name(shared), (long long)differ);
  CU_ASSERT_EQUAL(differ, 0);
  OK(pl_dat_put(shared));
  OK(pl_dat_put(whole));
  free(global);
}

static void compare_groups(const pl_mesh_group *shared, const pl_mesh_group *whole)
{
  pl_set *const a[] = {shared->cells, shared->boundary, shared->faces, shared->nodes};
  pl_set *const b[] = {whole->cells, whole->boundary, whole->faces, whole->nodes};
  CU_ASSERT_STRING_EQUAL(shared->name, whole->name);
  CU_ASSERT(shared->dim == whole->dim && shared->tag == whole->tag);
  for (int k = 0; k < 4; k++) {
    CU_ASSERT_EQUAL(!a[k], !b[k]);
    if (!a[k] || !b[k]) continue;
    pl_set *count;
    OK(pl_decl_set(pl, pl_set_size(a[k]), "count", &count));
    CU_ASSERT_EQUAL(pl_set_global_size(count), pl_set_size(b[k]));
    pl_set_free(&count);
  }
}

static void compare_meshes(pl_mesh *a, pl_mesh *b)
{
  pl_dat *const shared[] = {
    a->x,        a->cell_shape,  a->cell_marker, a->face_marker,     a->boundary_marker, a->volume,
    a->centroid, a->face_normal, a->face_centre, a->boundary_normal, a->boundary_centre};
  pl_dat *const whole[] = {
    b->x,        b->cell_shape,  b->cell_marker, b->face_marker,     b->boundary_marker, b->volume,
    b->centroid, b->face_normal, b->face_centre, b->boundary_normal, b->boundary_centre};
  pl_dat *centre[2], *sum[2];
  for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) compare_dats(shared[i], whole[i]);
  CU_ASSERT_EQUAL_FATAL(a->ngroups, b->ngroups);
  for (int g = 0; g < a->ngroups; g++) compare_groups(&a->groups[g], &b->groups[g]);
  edge_values(pl, a, &centre[0], &sum[0]);
  edge_values(alone, b, &centre[1], &sum[1]);
  compare_dats(centre[0], centre[1]);
  compare_dats(sum[0], sum[1]);
  for (int k = 0; k < 2; k++) pl_dat_free(&centre[k]), pl_dat_free(&sum[k]);
}

static pl_mesh *read_mesh(pl_context *context, const char *path)
{
  pl_mesh *mesh;
  const pl_err err = pl_mesh_read(context, path, &mesh);
  if (err) fprintf(stderr, "\n%s\n", pl_errmsg(context));
  OK(err);
  OK(pl_mesh_geometry(mesh));
  OK(pl_mesh_edges(mesh));
  return mesh;
}

/* ---- good files ---- */

/* What a mesh should have. */
typedef struct wanted {
  const made_mesh *mesh;
  made_format format;
  int cells, faces, boundary, edges;
  double volume, wall[3]; /* wall: sum of its normals */
} wanted;

static double volume_of(pl_mesh *m, pl_set *set)
{
  double sum[3];
  sum_over(alone, set, m->volume, sum);
  return sum[0];
}

static void check_sizes(pl_mesh *m, const wanted *w)
{
  const int64_t nodes = pl_set_size(m->nodes), cells = pl_set_size(m->cells), edges = pl_set_size(m->edges);
  const int64_t faces = pl_set_size(m->faces) + pl_set_size(m->boundary);
  CU_ASSERT_EQUAL(m->dim, w->mesh->dim);
  CU_ASSERT_EQUAL(nodes, w->mesh->nnodes);
  CU_ASSERT_EQUAL(cells, w->cells);
  CU_ASSERT_EQUAL(pl_set_size(m->faces), w->faces);
  CU_ASSERT_EQUAL(pl_set_size(m->boundary), w->boundary);
  CU_ASSERT_EQUAL(edges, w->edges);
  CU_ASSERT_EQUAL(nodes - edges + (m->dim == 2 ? 0 : faces) + (m->dim == 2 ? cells : -cells), 1);
  if (m->dim == 2) CU_ASSERT_EQUAL(edges, faces);
}

static void check_geometry(pl_mesh *m, const wanted *w)
{
  double sum[3];
  CU_ASSERT(near(volume_of(m, m->cells), w->volume));
  CU_ASSERT(open_cells(alone, m) < 1e-12);
  sum_over(alone, m->boundary, m->boundary_normal, sum);
  for (int k = 0; k < m->dim; k++) CU_ASSERT(near(sum[k], 0));
}

static void check_wall(pl_mesh *m, const wanted *w)
{
  const pl_mesh_group *group;
  double sum[3];
  void *marker;
  OK(pl_mesh_find(m, "wall", &group));
  CU_ASSERT(group->dim == m->dim - 1 && group->tag == 1 && !group->cells);
  CU_ASSERT_EQUAL(pl_set_size(group->faces), 0);
  CU_ASSERT_EQUAL(pl_set_size(group->nodes), m->dim == 2 ? 5 : 4);
  sum_over(alone, group->boundary, m->boundary_normal, sum);
  for (int k = 0; k < m->dim; k++) CU_ASSERT(near(sum[k], w->wall[k]));
  OK(pl_dat_get(m->boundary_marker, PL_READ, &marker));
  const int *index = pl_subset_indices(group->boundary);
  for (int64_t i = 0; i < pl_set_size(group->boundary); i++) CU_ASSERT_EQUAL(((int *)marker)[index[i]], 1);
  OK(pl_dat_put(m->boundary_marker));
  FAILS_IN(alone, pl_mesh_find(m, "walls", &group), PL_ERR_ARG, "\"wall\"");
}

/* Each cell is in one section. */
static void check_cgns_groups(pl_mesh *m, const wanted *w)
{
  const pl_mesh_group *group[3];
  static const char *const names[] = {"left", "right", "5"};
  const bool plane = m->dim == 2;
  CU_ASSERT_EQUAL(m->ngroups, 5);
  OK(pl_mesh_find(m, "far side", &group[0])); /* by its family */
  CU_ASSERT(group[0]->tag == 2 && pl_set_size(group[0]->boundary) == (plane ? 2 : 1));
  for (int k = 0; k < 3; k++) OK(pl_mesh_find(m, names[k], &group[k]));
  CU_ASSERT(near(volume_of(m, group[0]->cells), plane ? 4 : 1));
  CU_ASSERT(near(volume_of(m, group[1]->cells), w->volume - (plane ? 4 : 1)));
  CU_ASSERT_EQUAL(pl_set_size(group[2]->faces), plane ? 2 : 1);
}

/* Groups of cells, of inner faces, and of one cell in three groups. */
static void check_groups(pl_mesh *m, const wanted *w)
{
  const pl_mesh_group *group[4];
  static const char *const names[] = {"left", "right", "9", "5"};
  const bool plane = m->dim == 2;
  if (w->format == MADE_SU2) {
    CU_ASSERT_EQUAL(m->ngroups, 2);
    return;
  }
  if (w->format == MADE_CGNS) {
    check_cgns_groups(m, w);
    return;
  }
  CU_ASSERT_EQUAL(m->ngroups, 6);
  for (int k = 0; k < 4; k++) OK(pl_mesh_find(m, names[k], &group[k]));
  CU_ASSERT(near(volume_of(m, group[0]->cells), plane ? 5 : 1 + 1. / 6));
  CU_ASSERT(near(volume_of(m, group[1]->cells), w->volume - (plane ? 4 : 1)));
  CU_ASSERT(near(volume_of(m, group[2]->cells), plane ? 1 : 1. / 6));
  CU_ASSERT_EQUAL(pl_set_size(group[3]->faces), plane ? 2 : 1);
  CU_ASSERT_EQUAL(pl_set_size(group[3]->boundary), 0);
}

static void check_file(const wanted *w, const char *path)
{
  pl_mesh *shared = read_mesh(pl, path), *whole = read_mesh(alone, path);
  check_sizes(whole, w);
  check_geometry(whole, w);
  check_wall(whole, w);
  check_groups(whole, w);
  compare_meshes(shared, whole);
  CU_ASSERT(open_cells(pl, shared) < 1e-12);
  pl_mesh_free(&shared);
  pl_mesh_free(&whole);
  CU_ASSERT_PTR_NULL(whole);
  pl_mesh_free(&whole);
}

static const char *file_of(const made_mesh *mesh, made_format format, int gap)
{
  char name[40];
  snprintf(name, sizeof name, "mesh%d_%d_%d%s", mesh->dim, (int)format, gap, made_ending(format));
  const char *path = sandbox_path(sandbox_folder, name);
  made_write(mesh, format, gap, path);
  return path;
}

static void check_formats(wanted w)
{
  for (w.format = 0; w.format < (PLAIT_HAVE_CGNS ? MADE_FORMATS : MADE_CGNS); w.format++)
    for (int gap = 1; gap <= (w.format >= MADE_SU2 ? 1 : 3); gap += 2)
      check_file(&w, file_of(w.mesh, w.format, gap));
}

static void test_plane(void)
{
  made_mesh mesh;
  made_plane(&mesh);
  check_formats((wanted){
    .mesh = &mesh, .cells = 10, .faces = 12, .boundary = 12, .edges = 24, .volume = 8, .wall = {0, -4}});
}

static void test_space(void)
{
  made_mesh mesh;
  made_space(&mesh);
  check_formats((wanted){.mesh = &mesh,
                         .cells = 11,
                         .faces = 17,
                         .boundary = 20,
                         .edges = 44,
                         .volume = 10. / 3,
                         .wall = {-1, 0, 0}});
}

/* The row of a cell is that of its shape. */
static void test_rows(void)
{
  made_mesh mesh;
  made_plane(&mesh);
  pl_mesh *m = read_mesh(alone, file_of(&mesh, MADE_SU2, 1));
  const int *node = pl_map_indices(m->cell_nodes);
  void *shape;
  OK(pl_dat_get(m->cell_shape, PL_READ, &shape));
  for (int c = 0; c < 10; c++) CU_ASSERT_EQUAL(node[4 * c + 3] < 0, ((int *)shape)[c] == PL_MESH_TRIANGLE);
  OK(pl_dat_put(m->cell_shape));
  pl_mesh_free(&m);
}

/* After nodes have moved, the geometry is computed again; after pl_partition, everything still fits. */
static void test_moved(void)
{
  made_mesh mesh;
  made_plane(&mesh);
  pl_mesh *m = read_mesh(pl, file_of(&mesh, MADE_GMSH4, 3));
  const pl_partition_options options = {.coords = m->x};
  double sum[3];
  OK(pl_partition(m->cells, PL_PARTITION_BISECTION, &options));
  OK(pl_dat_scale(2, m->x));
  OK(pl_mesh_geometry(m));
  sum_over(pl, m->cells, m->volume, sum);
  CU_ASSERT(near(sum[0], 32));
  CU_ASSERT(open_cells(pl, m) < 1e-12);
  sum_over(pl, m->boundary, m->boundary_normal, sum);
  CU_ASSERT(near(sum[0], 0) && near(sum[1], 0));
  pl_mesh_free(&m);
}

/* Edges of a mesh that has been distributed. */
static void test_late_edges(void)
{
  made_mesh mesh;
  made_space(&mesh);
  const char *path = file_of(&mesh, MADE_GMSH2_BINARY, 1);
  const pl_partition_options options = {.seed = 5};
  pl_mesh *m;
  OK(pl_mesh_read(pl, path, &m));
  OK(pl_partition(m->cells, PL_PARTITION_RANDOM, &options));
  OK(pl_mesh_geometry(m));
  OK(pl_mesh_edges(m));
  pl_mesh *whole = read_mesh(alone, path);
  compare_meshes(m, whole);
  pl_mesh_free(&m);
  pl_mesh_free(&whole);
}

/* OP2's text: the two sides of the edge between cells 1 and 2 have nodes of their own, as in a wake. */
static const char op2_text[] = "10 3 2 8\n0 0\n1 0\n2 0\n0 1\n1 1\n2 1\n2 2\n1 2\n1 1\n2 1\n"
                               "0 1 4 3\n1 2 5 4\n8 9 6 7\n1 4 1 0\n4 5 1 2\n1 0 0 1\n2 1 1 1\n"
                               "5 2 1 2\n6 9 2 2\n7 6 2 2\n8 7 2 2\n0 3 0 2\n3 4 0 2\n";

static void test_op2(void)
{
  const char *path = sandbox_path(sandbox_folder, "grid.dat");
  const pl_mesh_group *group;
  double sum[3];
  sandbox_write(path, op2_text, strlen(op2_text), 0600);
  pl_mesh *shared = read_mesh(pl, path), *m = read_mesh(alone, path);
  CU_ASSERT(pl_set_size(m->nodes) == 10 && pl_set_size(m->cells) == 3);
  CU_ASSERT(pl_set_size(m->faces) == 2 && pl_set_size(m->boundary) == 8);
  OK(pl_mesh_find(m, "1", &group));
  CU_ASSERT(pl_set_size(group->boundary) == 2 && pl_set_size(group->nodes) == 3);
  sum_over(alone, group->boundary, m->boundary_normal, sum);
  CU_ASSERT(near(sum[0], 0) && near(sum[1], -2));
  CU_ASSERT(near(volume_of(m, m->cells), 3) && open_cells(alone, m) < 1e-12);
  compare_meshes(shared, m);
  pl_mesh_free(&m);
  pl_mesh_free(&shared);
}

/* ---- wrong files ---- */

static void refuse(const char *name, const char *text, size_t size, const char *words)
{
  const char *path = sandbox_path(sandbox_folder, name);
  pl_mesh *mesh = (pl_mesh *)&mesh;
  sandbox_write(path, text, size, 0600);
  FAILS(pl_mesh_read(pl, path, &mesh), PL_ERR_IO, words);
  CONTAINS(pl_errmsg(pl), name);
  CU_ASSERT_PTR_NULL(mesh);
}

/* The text with its first `old` replaced by `new`. */
static void refuse_edited(const char *name, const char *text, const char *old, const char *new,
                          const char *words)
{
  const char *at = strstr(text, old);
  CU_ASSERT_PTR_NOT_NULL_FATAL(at);
  const size_t room = strlen(text) + strlen(new) + 1;
  char *edited = malloc(room);
  snprintf(edited, room, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
  refuse(name, edited, strlen(edited), words);
  free(edited);
}

static void test_wrong_op2(void)
{
  refuse_edited("a.dat", op2_text, "10 3 2 8", "10 3 2", ":1: ");
  refuse_edited("a.dat", op2_text, "0 1 4 3", "0 1 4 10",
                ":12: a cell \"n1 n2 n3 n4\": node 10 is outside 0..9");
  refuse_edited("a.dat", op2_text, "0 1 4 3", "0 1 4 x", "\"x\" is not node");
  refuse_edited("a.dat", op2_text, "2 0\n", "2 0 1\n", ":4: a node \"x y\": \"1\" follows");
  refuse_edited("a.dat", op2_text, "2 0\n", "2 nan\n", "not finite");
  refuse_edited("a.dat", op2_text, "3 4 0 2\n", "", "the file ends before a boundary edge");
  refuse_edited("a.dat", op2_text, "3 4 0 2\n", "3 4 0 2\n1 2 3 4\n", "follows the last boundary edge");
  refuse_edited("a.dat", op2_text, "0 1 4 3", "0 1 1 0", "has no area");
}

static void test_wrong_su2(void)
{
  made_mesh mesh;
  made_plane(&mesh);
  char *text = sandbox_read(file_of(&mesh, MADE_SU2, 1), NULL);
  refuse_edited("a.su2", text, "NDIME= 2", "NDIME= 4", "outside 2..3");
  refuse_edited("a.su2", text, "NDIME= 2", "NZONE= 2", "NZONE: the number 2 is outside 1..1");
  refuse_edited("a.su2", text, "NELEM= 10", "NELEM= 11", "a.su2:");
  refuse_edited("a.su2", text, "NELEM= 10", "NELEM= 9", "is no keyword");
  refuse_edited("a.su2", text, "9 0 1 6 5", "22 0 1 6 5", "elements of type 22 are not supported");
  refuse_edited("a.su2", text, "9 0 1 6 5", "9 0 1 6 15", ":5: node 15 is not among the 15 nodes");
  refuse_edited("a.su2", text, "NMARK= 2", "NMARK= 3", "NMARK says 3");
  refuse_edited("a.su2", text, "3 0 1", "3 0 12", "group \"wall\" is no face of a cell");
  free(text);
}

static void test_wrong_gmsh(void)
{
  made_mesh mesh;
  made_space(&mesh);
  char *text = sandbox_read(file_of(&mesh, MADE_GMSH4, 1), NULL);
  refuse_edited("a.msh", text, "4.1 0 8", "4.0 0 8", "version 4 of Gmsh's format is not supported");
  refuse_edited("a.msh", text, "4.1 0 8", "4.1 0 4", "data size 4");
  refuse_edited("a.msh", text, "$Nodes\n2", "$Nodes\n1", "the blocks have 3 nodes, but the section says 19");
  refuse_edited("a.msh", text, "$EndNodes", "$Ende", "is not $EndNodes");
  refuse_edited("a.msh", text, "$Elements", "$Nothing", "ends before $EndNothing");
  refuse_edited("a.msh", text, "3 7 4 1", "3 6 4 1", "the entity 6 of dimension 3 is not in $Entities");
  refuse_edited("a.msh", text, "3 7 4 1", "3 7 11 1", "elements of first order");
  refuse_edited("a.msh", text, "\"left\"", "left", "without quotation marks");
  refuse("b.msh", "", 0, "the file ends before $MeshFormat");
  free(text);
  text = sandbox_read(file_of(&mesh, MADE_GMSH2, 3), NULL);
  refuse_edited("a.msh", text, "\n58 ", "\n55 ", "node 55 is defined twice");
  refuse_edited("a.msh", text, "\n58 ", "\n59 ", "node 58 is not among the 19 nodes");
  free(text);
}

static void refuse_cgns(const made_mesh *mesh, const char *words)
{
  const char *path = sandbox_path(sandbox_folder, "wrong.cgns");
  pl_mesh *none;
  if (mesh)
    made_write_cgns(mesh, path);
  else
    made_write_structured(path);
  FAILS(pl_mesh_read(pl, path, &none), PL_ERR_IO, words);
  CONTAINS(pl_errmsg(pl), "wrong.cgns");
}

static void test_wrong_cgns(void)
{
  made_mesh mesh;
  if (!PLAIT_HAVE_CGNS) {
    refuse("a.cgns", "", 0, "built without CGNS");
    return;
  }
  refuse("a.cgns", "no file of HDF5", 15, "the CGNS library says");
  refuse_cgns(NULL, "structured zones are not read");
  made_plane(&mesh);
  mesh.element[8].node[1] = 15;
  refuse_cgns(&mesh, "element 9: node 16 is not among the 15 nodes");
}

static void test_wrong_shapes(void)
{
  made_mesh mesh;
  made_plane(&mesh);
  mesh.x[3][2] = 0.5;
  char *text = sandbox_read(file_of(&mesh, MADE_GMSH4, 1), NULL);
  refuse("a.msh", text, strlen(text), "not in the plane z = 0");
  free(text);
  mesh = (made_mesh){.dim = 2,
                     .nnodes = 4,
                     .nelements = 2,
                     .x = {{0, 0}, {1, 0}, {0, 1}, {1, 1}},
                     .element = {{PL_MESH_TRIANGLE, 0, {0, 1, 2}}, {PL_MESH_TRIANGLE, 0, {0, 1, 3}}}};
  text = sandbox_read(file_of(&mesh, MADE_SU2, 1), NULL);
  refuse("a.su2", text, strlen(text), "overlap");
  free(text);
  made_plane(&mesh);
  mesh.nelements = 4;
  text = sandbox_read(file_of(&mesh, MADE_GMSH2, 1), NULL);
  refuse("a.msh", text, strlen(text), "there are no cells");
  free(text);
}

/* Each beginning of a file is refused, and so is none that has it all. */
static void test_truncated(void)
{
  made_mesh mesh;
  made_plane(&mesh);
  for (made_format format = 0; format < (PLAIT_HAVE_CGNS ? MADE_FORMATS : MADE_CGNS); format++) {
    size_t size;
    char name[20];
    char *text = sandbox_read(file_of(&mesh, format, 1), &size);
    snprintf(name, sizeof name, "cut%s", made_ending(format));
    const size_t end = format == MADE_SU2 ? (size_t)(strstr(text, "NPOIN") - text) : size - 5,
                 step = end / 40;
    for (size_t cut = 0; cut < end; cut += step) refuse(name, text, cut, name);
    free(text);
  }
}

static void test_misuse(void)
{
  pl_mesh *mesh;
  const pl_mesh_group *group;
  CU_ASSERT_EQUAL(pl_mesh_read(NULL, "a.msh", &mesh), PL_ERR_NULL);
  FAILS(pl_mesh_read(pl, NULL, &mesh), PL_ERR_ARG, "path");
  FAILS(pl_mesh_read(pl, "a.msh", NULL), PL_ERR_ARG, "mesh");
  FAILS(pl_mesh_read(pl, "/no/such/file.msh", &mesh), PL_ERR_IO,
        "/no/such/file.msh: the file cannot be opened");
  FAILS(pl_mesh_read(pl, "mesh.txt", &mesh), PL_ERR_IO, ".su2");
  FAILS(pl_mesh_read(pl, "/.msh", &mesh), PL_ERR_IO, "/.msh");
  CU_ASSERT_PTR_NULL(mesh);
  CU_ASSERT_EQUAL(pl_mesh_find(NULL, "a", &group), PL_ERR_NULL);
  CU_ASSERT_EQUAL(pl_mesh_geometry(NULL), PL_ERR_NULL);
  CU_ASSERT_EQUAL(pl_mesh_edges(NULL), PL_ERR_NULL);
  pl_mesh_free(NULL);
  CU_ASSERT(pl_mesh_shape_nodes(PL_MESH_PRISM) == 6 && pl_mesh_shape_dim(PL_MESH_PRISM) == 3);
  CU_ASSERT_STRING_EQUAL(pl_mesh_shape_name(PL_MESH_PRISM), "prism");
  CU_ASSERT(pl_mesh_shape_nodes((pl_mesh_shape)99) == 0 && pl_mesh_shape_dim((pl_mesh_shape)-1) == 0);
  CU_ASSERT_PTR_NOT_NULL(pl_mesh_shape_name((pl_mesh_shape)99));
}

static CU_TestInfo tests[] = {{"plane, all formats", test_plane},
                              {"space, all formats", test_space},
                              {"rows of shapes", test_rows},
                              {"moved and distributed", test_moved},
                              {"edges of a distributed mesh", test_late_edges},
                              {"OP2", test_op2},
                              {"wrong OP2 files", test_wrong_op2},
                              {"wrong SU2 files", test_wrong_su2},
                              {"wrong Gmsh files", test_wrong_gmsh},
                              {"wrong CGNS files", test_wrong_cgns},
                              {"wrong cells", test_wrong_shapes},
                              {"truncated files", test_truncated},
                              {"misuse", test_misuse},
                              CU_TEST_INFO_NULL};

int main(int argc, char **argv)
{
  snprintf(backend, sizeof backend, "backend=%s", argc > 1 ? argv[1] : "seq");
  pl = CONTEXT(backend);
  alone = CONTEXT(backend, "mpi=off");
  const int status = sandbox_main("mesh", tests);
  pl_finalize(&alone);
  pl_finalize(&pl);
  return status;
}
