/* SPDX-License-Identifier: BSD-2-Clause
 * Writes the small meshes of tests/mesh to plane.msh, plane.su2, space.msh, space.su2 and space.cgns.
 */
#include "../mesh/made.h"

int main(void)
{
  made_mesh mesh;
  made_plane(&mesh);
  made_write(&mesh, MADE_GMSH4, 1, "plane.msh");
  made_write(&mesh, MADE_SU2, 1, "plane.su2");
  made_space(&mesh);
  made_write(&mesh, MADE_GMSH4, 1, "space.msh");
  made_write(&mesh, MADE_SU2, 1, "space.su2");
  made_write(&mesh, MADE_CGNS, 1, "space.cgns"); /* if there is the CGNS library */
  return 0;
}
