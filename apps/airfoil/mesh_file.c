/* SPDX-License-Identifier: BSD-2-Clause
 * Mesh files: the text format of new_grid.dat. See mesh.h.
 *
 * The whole file is read into memory, ended by a NUL, and walked once. Each record stands on a line of its
 * own, so a missing or superfluous number is noticed where it is.
 */
#include "mesh.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the text and where we are in it ---- */

typedef struct reader {
  const char *path, *at, *end;
  char *text;
  int line;
  const char *record; /* the expected contents of a line, for messages */
  mesh_error *error;
} reader;

static char *slurp(FILE *file, size_t *length)
{
  size_t room = 1 << 16;
  char *text = malloc(room);
  *length = 0;
  while (text) {
    *length += fread(text + *length, 1, room - 1 - *length, file);
    if (*length < room - 1) break;
    char *larger = realloc(text, room *= 2);
    if (!larger) free(text);
    text = larger;
  }
  if (text) text[*length] = '\0';
  return text;
}

static bool reader_open(reader *r, const char *path, mesh_error *error)
{
  *r = (reader){.path = path, .line = 1, .error = error};
  FILE *file = fopen(path, "r");
  if (!file) return mesh_fail(error, "%s: cannot be opened: %s", path, strerror(errno));
  size_t length = 0;
  r->text = slurp(file, &length);
  const bool broken = ferror(file) != 0;
  fclose(file);
  if (!r->text) return mesh_fail(error, "%s: no memory to read it", path);
  r->at = r->text;
  r->end = r->text + length;
  return broken ? mesh_fail(error, "%s: cannot be read: %s", path, strerror(errno)) : true;
}

static void skip_blanks(reader *r)
{
  while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r') r->at++;
}

/* An error with the expected and the present contents of this line. */
static bool unexpected(reader *r)
{
  char found[40] = "the end of the file";
  skip_blanks(r);
  if (*r->at == '\n') strcpy(found, "the end of the line");
  const size_t word = strcspn(r->at, " \t\r\n");
  if (word > 0) snprintf(found, sizeof found, "\"%.*s\"", (int)(word < 30 ? word : 30), r->at);
  return mesh_fail(r->error, "%s:%d: expected %s, found %s", r->path, r->line, r->record, found);
}

/* A whole number in [0, limit); `what` names the limit. */
static bool read_index(reader *r, int limit, const char *what, int *value)
{
  skip_blanks(r);
  char *end;
  errno = 0;
  if (*r->at < '0' || *r->at > '9') {
    if (*r->at != '-') return unexpected(r);
  }
  const long number = strtol(r->at, &end, 10);
  if (end == r->at || !strchr(" \t\r\n", *end)) return unexpected(r);
  if (errno || number < 0 || number >= limit)
    return mesh_fail(r->error, "%s:%d: %s %.*s is outside 0..%d", r->path, r->line, what, (int)(end - r->at),
                     r->at, limit - 1);
  r->at = end;
  *value = (int)number;
  return true;
}

static bool read_real(reader *r, double *value)
{
  skip_blanks(r);
  if (*r->at == '\n' || *r->at == '\0') return unexpected(r);
  char *end;
  *value = strtod(r->at, &end);
  if (end == r->at || !strchr(" \t\r\n", *end) || *value - *value != 0.0) return unexpected(r);
  r->at = end;
  return true;
}

static bool end_line(reader *r)
{
  skip_blanks(r);
  if (*r->at == '\0' && r->at == r->end) return true;
  if (*r->at != '\n') {
    const size_t word = strcspn(r->at, " \t\r\n");
    return mesh_fail(r->error, "%s:%d: expected %s and no more, found \"%.*s\" after it", r->path, r->line,
                     r->record, (int)(word < 30 ? word : 30), r->at);
  }
  r->at++;
  r->line++;
  return true;
}

/* ---- the sections of the file ---- */

static bool read_counts(reader *r, int counts[4])
{
  static const char *const names[] = {"the number of nodes", "the number of cells", "the number of edges",
                                      "the number of boundary edges"};
  r->record = "4 counts \"nnode ncell nedge nbedge\"";
  for (int k = 0; k < 4; k++)
    if (!read_index(r, INT_MAX / 4, names[k], &counts[k])) return false;
  return end_line(r);
}

static bool read_points(reader *r, airfoil_mesh *mesh)
{
  r->record = "a node \"x y\"";
  for (int i = 0; i < mesh->nnode; i++)
    if (!read_real(r, &mesh->x[2 * i]) || !read_real(r, &mesh->x[2 * i + 1]) || !end_line(r)) return false;
  return true;
}

static bool read_cells(reader *r, airfoil_mesh *mesh)
{
  r->record = "a cell \"n1 n2 n3 n4\"";
  for (int i = 0; i < mesh->ncell; i++) {
    for (int k = 0; k < 4; k++)
      if (!read_index(r, mesh->nnode, "node", &mesh->cell_node[4 * i + k])) return false;
    if (!end_line(r)) return false;
  }
  return true;
}

static bool read_edges(reader *r, airfoil_mesh *mesh)
{
  r->record = "an edge \"n1 n2 c1 c2\"";
  for (int i = 0; i < mesh->nedge; i++)
    if (!read_index(r, mesh->nnode, "node", &mesh->edge_node[2 * i]) ||
        !read_index(r, mesh->nnode, "node", &mesh->edge_node[2 * i + 1]) ||
        !read_index(r, mesh->ncell, "cell", &mesh->edge_cell[2 * i]) ||
        !read_index(r, mesh->ncell, "cell", &mesh->edge_cell[2 * i + 1]) || !end_line(r))
      return false;
  return true;
}

static bool read_bedges(reader *r, airfoil_mesh *mesh)
{
  r->record = "a boundary edge \"n1 n2 c bound\"";
  for (int i = 0; i < mesh->nbedge; i++) {
    if (!read_index(r, mesh->nnode, "node", &mesh->bedge_node[2 * i]) ||
        !read_index(r, mesh->nnode, "node", &mesh->bedge_node[2 * i + 1]) ||
        !read_index(r, mesh->ncell, "cell", &mesh->bedge_cell[i]) ||
        !read_index(r, INT_MAX, "bound", &mesh->bound[i]))
      return false;
    if (mesh->bound[i] != MESH_WALL && mesh->bound[i] != MESH_FAR)
      return mesh_fail(r->error, "%s:%d: bound %d is neither %d (wall) nor %d (far field)", r->path, r->line,
                       mesh->bound[i], MESH_WALL, MESH_FAR);
    if (!end_line(r)) return false;
  }
  return true;
}

static bool read_end(reader *r)
{
  r->record = "the end of the file";
  while (*r->at == '\n') r->at++, r->line++;
  skip_blanks(r);
  return r->at == r->end || unexpected(r);
}

/* A record takes at least 4 bytes, so counts that promise more records than that are wrong: no memory is
 * taken. */
static bool counts_fit(reader *r, const int counts[4])
{
  int64_t records = 0;
  for (int k = 0; k < 4; k++) records += counts[k];
  if (records <= (r->end - r->text) / 4 + 1) return true;
  return mesh_fail(r->error, "%s:1: the counts promise %lld more lines, but the file has only %lld bytes",
                   r->path, (long long)records, (long long)(r->end - r->text));
}

bool mesh_read(airfoil_mesh *mesh, const char *path, mesh_error *error)
{
  reader r;
  int counts[4];
  *mesh = (airfoil_mesh){0};
  const bool done = reader_open(&r, path, error) && read_counts(&r, counts) && counts_fit(&r, counts) &&
                    mesh_alloc(mesh, counts, error) && read_points(&r, mesh) && read_cells(&r, mesh) &&
                    read_edges(&r, mesh) && read_bedges(&r, mesh) && read_end(&r);
  free(r.text);
  if (!done) mesh_free(mesh);
  return done;
}

/* ---- writing ---- */

bool mesh_write(const airfoil_mesh *mesh, const char *path, mesh_error *error)
{
  FILE *file = fopen(path, "w");
  if (!file) return mesh_fail(error, "%s: cannot be created: %s", path, strerror(errno));
  fprintf(file, "%d %d %d %d\n", mesh->nnode, mesh->ncell, mesh->nedge, mesh->nbedge);
  for (const double *x = mesh->x; x < mesh->x + 2 * mesh->nnode; x += 2)
    fprintf(file, "%.6f %.6f\n", x[0], x[1]);
  for (const int *n = mesh->cell_node; n < mesh->cell_node + 4 * mesh->ncell; n += 4)
    fprintf(file, "%d %d %d %d\n", n[0], n[1], n[2], n[3]);
  for (int i = 0; i < mesh->nedge; i++) {
    const int *n = &mesh->edge_node[2 * i], *c = &mesh->edge_cell[2 * i];
    fprintf(file, "%d %d %d %d\n", n[0], n[1], c[0], c[1]);
  }
  for (int i = 0; i < mesh->nbedge; i++)
    fprintf(file, "%d %d %d %d\n", mesh->bedge_node[2 * i], mesh->bedge_node[2 * i + 1], mesh->bedge_cell[i],
            mesh->bound[i]);
  const bool failed = ferror(file) != 0;
  if (fclose(file) == 0 && !failed) return true;
  return mesh_fail(error, "%s: cannot be written: %s", path, strerror(errno));
}
