/* SPDX-License-Identifier: BSD-2-Clause
 * Charts; see chart.h.
 */
#include "chart.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 800, HEIGHT = 560, LEFT = 96, TOP = 44, RIGHT = 40, BOTTOM = 64 };

int chart_place(const chart *c, int axis, double value)
{
  const double part = (log10(value) - c->low[axis]) / (c->high[axis] - c->low[axis]);
  return axis == 0 ? LEFT + (int)lround(part * WIDTH) : TOP + HEIGHT - (int)lround(part * HEIGHT);
}

static void draw_axis(chart *c, int axis)
{
  char text[32];
  for (int power = (int)c->low[axis]; power <= (int)c->high[axis]; power++) {
    const int at = chart_place(c, axis, pow(10, power));
    snprintf(text, sizeof text, "%g", pow(10, power));
    if (axis == 0) canvas_box(&c->canvas, at, TOP, 1, HEIGHT, CANVAS_LIGHT);
    if (axis == 1) canvas_box(&c->canvas, LEFT, at, WIDTH, 1, CANVAS_LIGHT);
    if (axis == 0) canvas_text(&c->canvas, at, TOP + HEIGHT + 12, CANVAS_CENTRED, text, CANVAS_BLACK);
    if (axis == 1) canvas_text(&c->canvas, LEFT - 8, at - 6, CANVAS_LEFT_OF, text, CANVAS_BLACK);
  }
}

bool chart_open(chart *c)
{
  if (!canvas_open(&c->canvas, LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM)) return false;
  draw_axis(c, 0);
  draw_axis(c, 1);
  canvas_frame(&c->canvas, LEFT, TOP, WIDTH + 1, HEIGHT + 1, CANVAS_BLACK);
  canvas_text(&c->canvas, LEFT + WIDTH / 2, TOP + HEIGHT + 40, CANVAS_CENTRED, c->label[0], CANVAS_BLACK);
  canvas_text(&c->canvas, 8, 10, CANVAS_RIGHT_OF, c->label[1], CANVAS_BLACK);
  canvas_text(&c->canvas, LEFT + WIDTH, 10, CANVAS_LEFT_OF, c->title, CANVAS_BLACK);
  return true;
}

void chart_line(chart *c, const double from[2], const double to[2], int colour)
{
  for (int thick = 0; thick < 3; thick++)
    canvas_line(&c->canvas, chart_place(c, 0, from[0]), chart_place(c, 1, from[1]) + thick,
                chart_place(c, 0, to[0]), chart_place(c, 1, to[1]) + thick, colour);
}

void chart_legend(chart *c, int line, const char *text, int colour)
{
  canvas_text(&c->canvas, LEFT + WIDTH - 8, TOP + HEIGHT - CANVAS_CHAR_HEIGHT * (line + 1) - 8,
              CANVAS_LEFT_OF, text, colour);
}

bool chart_write(chart *c, const char *path)
{
  const bool good = canvas_write(&c->canvas, path);
  canvas_close(&c->canvas);
  return good;
}
