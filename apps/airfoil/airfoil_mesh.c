/* SPDX-License-Identifier: BSD-2-Clause
 * airfoil_mesh: writes a mesh of the airfoil problem to a file.
 */
#include <stdio.h>

#include "../common/options.h"
#include "mesh.h"

static bool make_and_write(int i, int j, int64_t seed, const char *path)
{
  airfoil_mesh mesh;
  mesh_error error;
  const bool good = mesh_make(&mesh, i, j, &error) &&
                    (seed < 0 || mesh_permute(&mesh, (uint64_t)seed, &error)) &&
                    mesh_write(&mesh, path, &error);
  if (good)
    printf("%s: %d nodes, %d cells, %d edges, %d boundary edges\n", path, mesh.nnode, mesh.ncell, mesh.nedge,
           mesh.nbedge);
  else
    fprintf(stderr, "airfoil_mesh: %s\n", error.text);
  mesh_free(&mesh);
  return good;
}

int main(int argc, char **argv)
{
  const char *size = "400x600", *path = "new_grid.dat";
  int64_t seed = -1;
  const option_program program = {
    "airfoil_mesh",
    "Writes a C-grid round the NACA 0012 aerofoil in the text format that airfoil --mesh reads.", NULL,
    false};
  const option_row rows[] = {
    {"size", "IxJ", OPTION_TEXT, &size, 0, 0, "3 I J cells"},
    {"output", "FILE", OPTION_TEXT, &path, 0, 0, "where to write"},
    {"permute", "SEED", OPTION_INTEGER, &seed, -1, INT64_MAX, "number the mesh at random; -1: do not"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  int i, j;
  if (options_size(size, &i, &j)) return make_and_write(i, j, seed, path) ? 0 : 1;
  fprintf(stderr, "airfoil_mesh: --size %s: expected two numbers from 1 on, like 400x600\n", size);
  return OPTIONS_USAGE;
}
