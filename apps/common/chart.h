/* SPDX-License-Identifier: BSD-2-Clause
 * Chart: a diagram over two logarithmic axes on a canvas, as PNG.
 */
#ifndef APPS_COMMON_CHART_H
#define APPS_COMMON_CHART_H

#include "canvas.h"

typedef struct chart {
  double low[2], high[2]; /* of the axes, as exponents of ten; whole numbers */
  const char *label[2];   /* of the axes */
  const char *title;
  canvas canvas;
} chart;

/* Opens the canvas and draws the axes. False without memory. */
bool chart_open(chart *c);

/* The pixel of a value along axis 0 or 1. */
int chart_place(const chart *c, int axis, double value);

/* A thick line between two points, x before y. */
void chart_line(chart *c, const double from[2], const double to[2], int colour);

/* Text in a corner of the diagram, the lower ones below the others: colours and names of curves. */
void chart_legend(chart *c, int line, const char *text, int colour);

/* Writes and closes the canvas. False: errno gives the reason. */
bool chart_write(chart *c, const char *path);

#endif
