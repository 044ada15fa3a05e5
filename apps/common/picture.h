/* SPDX-License-Identifier: BSD-2-Clause
 * Pictures of fields: a dat in colours on the cells or points of a mesh, as PNG. Needs no display.
 */
#ifndef APPS_COMMON_PICTURE_H
#define APPS_COMMON_PICTURE_H

#include <stdbool.h>

#include "plait.h"

/* Members that are 0 have no effect. */
typedef struct picture {
  const char *title;
  pl_dat *x;         /* places of the points: 2 or 3 floats or doubles */
  pl_map *corners;   /* points of each cell; a row may end with -1. NULL: a disc for each point */
  bool tetrahedra;   /* the cells are tetrahedra: draw the mean along the line of sight */
  pl_dat *value;     /* of points, cells or targets of `value_map`: double, float or int. NULL: edges only */
  int component;     /* of the value */
  pl_dat *move;      /* added to the places; of points or targets of `value_map` */
  pl_map *value_map; /* from cells to values, corner by corner; NULL: `corners` */
  int axes[2];       /* components of x to the right and upwards; both 0: 0 and 1 */
  double slab[2];    /* draw only points whose component 2 lies between these; both 0: all */
  double window[4];  /* left, right, bottom, top; all 0: the whole mesh */
  double range[2];   /* values of the first and the last colour; both 0: those in the picture */
  bool edges;        /* draw the edges of the cells too */
} picture;

/* Draws the picture and writes it to `path`. Each rank draws what it owns, and rank 0 gets the sum of the
 * pixels: no rank holds the mesh. On several ranks a loop must have run since the mesh was declared. False
 * after a message on stderr that begins with `program`. Collective. */
bool picture_write(pl_context *pl, const char *program, const char *path, const picture *p);

#endif
