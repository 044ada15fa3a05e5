/* SPDX-License-Identifier: BSD-2-Clause
 * plate.c: heat flows through a plate, on a mesh of Gmsh (docs/meshes.md).
 */
#include <plait/mesh.h>

/* Heat flows from cell 0 to cell 1: the rates of both, and the sums of their conductances k. */
PL_KERNEL(conduct, (double *rate[2], const double *const t[2], const double *const c[2], const double n[2]), {
  const double d[2] = {c[1][0] - c[0][0], c[1][1] - c[0][1]};
  const double k = (n[0] * d[0] + n[1] * d[1]) / (d[0] * d[0] + d[1] * d[1]);
  rate[0][0] -= k * (t[0][0] - t[1][0]);
  rate[1][0] += k * (t[0][0] - t[1][0]);
  rate[0][1] += k;
  rate[1][1] += k;
})

/* Heat flows to an edge with a given temperature. */
PL_KERNEL(lose,
          (double *rate, const double *t, const double *c, const double n[2], const double f[2],
           const double *held),
          {
            const double d[2] = {f[0] - c[0], f[1] - c[1]};
            const double k = (n[0] * d[0] + n[1] * d[1]) / (d[0] * d[0] + d[1] * d[1]);
            rate[0] -= k * (t[0] - held[0]);
            rate[1] += k;
          })

/* Only the steady state matters, so each cell takes a time step that is stable for it. */
PL_KERNEL(step, (double *t, double *rate), {
  t[0] += 0.9 * rate[0] / rate[1];
  rate[0] = rate[1] = 0;
})

PL_KERNEL(heat, (double *sum, const double *t, const double *area), { sum[0] += t[0] * area[0]; })

int main(int argc, char **argv)
{
  const char *const sides[2] = {"cold", "hot"};
  const double temperature[2] = {0, 1};
  double total = 0;
  const pl_mesh_group *side[2];
  pl_context *pl;
  pl_mesh *mesh;
  pl_dat *t, *rate;
  pl_global *held[2], *sum;
  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_mesh_read(pl, argc > 1 ? argv[1] : "plate.msh", &mesh));
  PL_OK(pl, pl_mesh_geometry(mesh));
  PL_OK(pl, pl_decl_dat(mesh->cells, 1, PL_DOUBLE, NULL, "t", &t));
  PL_OK(pl, pl_decl_dat(mesh->cells, 2, PL_DOUBLE, NULL, "rate", &rate));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "sum", &sum));
  for (int s = 0; s < 2; s++) {
    PL_OK(pl, pl_mesh_find(mesh, sides[s], &side[s]));
    PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, &temperature[s], sides[s], &held[s]));
  }

  for (int i = 0; i < 1000; i++) {
    PL_OK(pl, pl_par_loop(conduct, mesh->faces, pl_arg_dat(rate, PL_ALL, mesh->face_cells, PL_INC),
                          pl_arg_dat(t, PL_ALL, mesh->face_cells, PL_READ),
                          pl_arg_dat(mesh->centroid, PL_ALL, mesh->face_cells, PL_READ),
                          pl_arg_direct(mesh->face_normal, PL_READ)));
    for (int s = 0; s < 2; s++)
      PL_OK(pl, pl_par_loop(lose, side[s]->boundary, pl_arg_dat(rate, 0, mesh->boundary_cells, PL_INC),
                            pl_arg_dat(t, 0, mesh->boundary_cells, PL_READ),
                            pl_arg_dat(mesh->centroid, 0, mesh->boundary_cells, PL_READ),
                            pl_arg_direct(mesh->boundary_normal, PL_READ),
                            pl_arg_direct(mesh->boundary_centre, PL_READ), pl_arg_gbl(held[s], PL_READ)));
    PL_OK(pl, pl_par_loop(step, mesh->cells, pl_arg_direct(t, PL_RW), pl_arg_direct(rate, PL_RW)));
  }
  PL_OK(pl, pl_par_loop(heat, mesh->cells, pl_arg_gbl(sum, PL_INC), pl_arg_direct(t, PL_READ),
                        pl_arg_direct(mesh->volume, PL_READ)));
  PL_OK(pl, pl_global_get(sum, &total));
  if (pl_rank(pl) == 0) printf("%d cells, heat %.3f\n", (int)pl_set_global_size(mesh->cells), total);
  pl_finalize(&pl);
  return 0;
}
