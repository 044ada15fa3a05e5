/* SPDX-License-Identifier: BSD-2-Clause
 * airfoil_mesh: writes a mesh of the airfoil problem to a file, or converts one.
 */
#include <stdio.h>

#include "../common/options.h"
#include "mesh_hdf5.h"

/* From the file `input`, or made if there is none. */
static bool make_and_write(const char *input, const int size[2], int64_t seed, const char *path)
{
  airfoil_mesh mesh;
  mesh_error error;
  const bool good = (input ? mesh_load(&mesh, input, &error) : mesh_make(&mesh, size[0], size[1], &error)) &&
                    (seed < 0 || mesh_permute(&mesh, (uint64_t)seed, &error)) &&
                    mesh_save(&mesh, path, &error);
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
  const char *path = "new_grid.dat", *input = NULL;
  int size[2] = {400, 600};
  int64_t seed = -1;
  const option_program program = {
    "airfoil_mesh",
    "Writes a C-grid around the NACA 0012 aerofoil, or converts a mesh file, for airfoil --mesh.",
    "Files whose names end in .h5 are HDF5, all others text in the format of new_grid.dat.", false};
  const option_row rows[] = {
    {"size", "IxJ", OPTION_SIZE, size, 0, 0, "3 I J cells"},
    {"input", "FILE", OPTION_TEXT, &input, 0, 0, "convert this file instead of making a mesh"},
    {"output", "FILE", OPTION_TEXT, &path, 0, 0, "the file to write"},
    {"permute", "SEED", OPTION_INTEGER, &seed, -1, INT64_MAX,
     "number the mesh at random; -1: keep its order"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  const int status = options_parse(&program, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  return make_and_write(input, size, seed, path) ? 0 : 1;
}
