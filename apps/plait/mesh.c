/* SPDX-License-Identifier: BSD-2-Clause
 * plait mesh: see mesh.h. Reads the mesh by libplait-mesh on one rank.
 */
#include "mesh.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../common/output.h"
#include "../common/picture.h"
#include "mesh_views.h"
#include "mesh_write.h"

/* ---- the report ---- */

static void print_shapes(const mesh_views *v)
{
  int64_t count[PL_MESH_PYRAMID + 1] = {0};
  const char *separator = " (";
  for (int64_t cell = 0; cell < pl_set_size(v->mesh->cells); cell++) count[v->shape[cell]]++;
  for (int shape = 0; shape <= PL_MESH_PYRAMID; shape++) {
    if (!count[shape]) continue;
    printf("%s%s %" PRId64, separator, pl_mesh_shape_name((pl_mesh_shape)shape), count[shape]);
    separator = ", ";
  }
  if (*separator == ',') printf(")");
  printf("\n");
}

static void print_counts(const mesh_views *v, const char *path)
{
  const pl_mesh *m = v->mesh;
  printf("%s: %d dimensions\n", path, m->dim);
  printf("  nodes           %" PRId64 "\n", pl_set_size(m->nodes));
  printf("  cells           %" PRId64, pl_set_size(m->cells));
  print_shapes(v);
  printf("  inner faces     %" PRId64 "\n  boundary faces  %" PRId64 "\n", pl_set_size(m->faces),
         pl_set_size(m->boundary));
}

static void print_range(const char *name, const mesh_range *r)
{
  if (r->n) printf("  %-32s %12.5g %12.5g %12.5g\n", name, r->least, r->sum / (double)r->n, r->most);
}

static void print_quality(const mesh_views *v)
{
  mesh_quality q;
  mesh_quality_find(v, &q);
  printf("\nquality                                   least         mean         most\n");
  print_range(v->mesh->dim == 2 ? "area" : "volume", &q.volume);
  print_range("scaled Jacobian (1 is ideal)", &q.jacobian);
  print_range("longest over shortest edge", &q.edges);
  print_range("non-orthogonality (degrees)", &q.angle);
  printf("  %s of all cells %.10g\n", v->mesh->dim == 2 ? "area" : "volume", q.volume.sum);
}

static int64_t size_of(pl_set *subset)
{
  return subset ? pl_set_size(subset) : 0;
}

static void print_groups(const pl_mesh *m)
{
  if (!m->ngroups) printf("\nno groups\n");
  if (m->ngroups) printf("\ngroups          dim     tag       cells    boundary inner faces       nodes\n");
  for (int i = 0; i < m->ngroups; i++) {
    const pl_mesh_group *g = &m->groups[i];
    printf("  %-15s %d %7d %11" PRId64 " %11" PRId64 " %11" PRId64 " %11" PRId64 "\n", g->name, g->dim,
           g->tag, size_of(g->cells), size_of(g->boundary), size_of(g->faces), size_of(g->nodes));
  }
}

/* ---- files ---- */

static bool ends_with(const char *path, const char *end)
{
  const size_t n = strlen(path), k = strlen(end);
  return n > k && strcmp(path + n - k, end) == 0;
}

static bool known_format(const char *path)
{
  return ends_with(path, ".su2") || ends_with(path, ".msh") || ends_with(path, ".h5");
}

static bool complain(pl_context *pl)
{
  fprintf(stderr, "plait mesh: %s\n", pl_errmsg(pl));
  return false;
}

static bool one_shape(const mesh_views *v)
{
  const int64_t n = pl_set_size(v->mesh->cells);
  for (int64_t cell = 1; cell < n; cell++)
    if (v->shape[cell] != v->shape[0]) return false;
  return true;
}

static bool write_checkpoint(pl_context *pl, const mesh_views *v, const char *path)
{
  if (!one_shape(v))
    return output_error("plait mesh", path, "such a file holds cells of one shape, the mesh has several");
  return (!pl_vtk_grid(v->mesh->x, v->mesh->cell_nodes) && !pl_checkpoint(pl, path)) || complain(pl);
}

static bool convert(pl_context *pl, const mesh_views *v, const char *path)
{
  if (ends_with(path, ".h5")) return write_checkpoint(pl, v, path);
  return (ends_with(path, ".su2") ? mesh_write_su2 : mesh_write_gmsh)(v, path) ||
         output_error("plait mesh", path, strerror(errno));
}

/* The edges of a plane mesh, of a mesh in space those of its boundary. */
static bool draw(pl_context *pl, const pl_mesh *m, const char *name, const char *path)
{
  const picture p = {.title = name, .x = m->x, .corners = m->dim == 2 ? m->cell_nodes : m->boundary_nodes};
  return picture_write(pl, "plait mesh", path, &p);
}

/* ---- the command ---- */

typedef struct settings {
  const char *to, *picture;
} settings;

static bool show(pl_context *pl, const char *path, const settings *set)
{
  pl_mesh *mesh;
  mesh_views v;
  if (pl_mesh_read(pl, path, &mesh)) return complain(pl);
  bool good = !pl_mesh_geometry(mesh) && !mesh_views_open(mesh, &v);
  if (!good) return pl_mesh_free(&mesh), complain(pl);
  print_counts(&v, path);
  print_quality(&v);
  print_groups(mesh);
  if (set->to) good = convert(pl, &v, set->to);
  if (set->picture) good &= draw(pl, mesh, path, set->picture);
  mesh_views_close(&v);
  pl_mesh_free(&mesh);
  return good;
}

static int usage(FILE *to)
{
  fprintf(to,
          "usage: plait mesh FILE [--to FILE] [--picture FILE]\n"
          "  counts, quality and groups of a mesh of Gmsh, SU2, OP2 or CGNS, on one rank (docs/meshes.md)\n"
          "  --to FILE       also write the mesh: .su2, .msh (Gmsh 4.1) or .h5 (for ParaView)\n"
          "  --picture FILE  also draw its edges, a PNG\n");
  return to == stdout ? 0 : 2;
}

int mesh_command(int argc, char **argv)
{
  static const char *const options[] = {"backend=seq", "mpi=off", NULL};
  const pl_settings chosen = {.options = options};
  settings set = {0};
  const char *path = NULL;
  pl_context *pl;
  for (int i = 2; i < argc; i++) {
    const char **value = !strcmp(argv[i], "--to")        ? &set.to
                         : !strcmp(argv[i], "--picture") ? &set.picture
                                                         : NULL;
    if (!strcmp(argv[i], "--help")) return usage(stdout);
    if (value && i + 1 < argc && !*value)
      *value = argv[++i];
    else if (!path && *argv[i] != '-')
      path = argv[i];
    else
      return usage(stderr);
  }
  if (!path) return usage(stderr);
  if (set.to && !known_format(set.to))
    return output_error("plait mesh", set.to, "the name must end with .su2, .msh or .h5"), 2;
  const bool good = (!pl_init(NULL, NULL, &chosen, &pl) || complain(pl)) && show(pl, path, &set);
  pl_finalize(&pl);
  return good && !fflush(stdout) ? 0 : 1;
}
