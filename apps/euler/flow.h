/* SPDX-License-Identifier: BSD-2-Clause
 * The flow solver of euler: its data on a mesh, and the loops of a time step. The kernels are in kernels.c.
 * All functions are collective and end the program after an error.
 */
#ifndef EULER_FLOW_H
#define EULER_FLOW_H

#include <plait/mesh.h>
#include <stdbool.h>

enum { FLOW_STAGES = 5, FLOW_SIDES = 16 };

/* Groups of boundary faces. */
typedef struct flow_sides {
  int n;
  pl_set *set[FLOW_SIDES];
} flow_sides;

typedef struct flow {
  pl_context *pl;
  pl_mesh *mesh;
  flow_sides wall, far;
  double direction[2]; /* of the stream: cosine and sine of the angle of attack */
  double mach;
  pl_map *node_cells; /* the cells of each node: ragged */
  pl_dat *moments, *fit, *sums;
  pl_dat *q, *start, *w, *slope, *out, *waves, *dt, *local_mach, *change;
  pl_sparsity *sparsity;
  pl_mat *matrix;
  pl_solver *solver;
  pl_global *stream, *corners, *limiter, *cfl, *part[FLOW_STAGES], *sum, *force, *shortest;
} flow;

/* The options of the solver. */
typedef struct flow_settings {
  double mach, alpha; /* of the stream: Mach number, angle of attack in degrees */
  double cfl, limiter;
  bool implicit; /* declare the objects of implicit steps */
} flow_settings;

/* Declares the flow on f->mesh; f->pl, f->mesh, f->wall and f->far are set before. The gas is the stream. */
void flow_declare(flow *f, const flow_settings *set);
void flow_free(flow *f); /* and the mesh */

/* A step towards the steady flow: by Runge and Kutta's method, in each cell as long as its waves allow; or by
 * the linearised implicit method of Euler with time steps of this CFL number, by the linear solver's
 * iterations that it returns. The latter is for flow_settings.implicit. */
void flow_explicit_step(flow *f);
int flow_implicit_step(flow *f, double cfl);

/* For the course in time: chooses one step for all cells, so that `time` is a number of steps, which it
 * returns. Then flow_advance makes a step. */
int flow_same_step(flow *f, double time);
void flow_advance(flow *f);

/* The root mean square of the last step's rate of the density, over the area of the mesh. */
double flow_residual(flow *f);

/* The force on the walls, D values. */
void flow_force(flow *f, double *force);

/* The integral of p / p_stream - 1. */
double flow_excess_pressure(flow *f);

/* The isentropic vortex about `centre`; the error of the density against it, in the L2 norm. */
void flow_start_vortex(flow *f, const double centre[2]);
double flow_vortex_error(flow *f, const double centre[2]);

/* Updates f->local_mach. */
void flow_find_mach(flow *f);

#endif
