/* SPDX-License-Identifier: BSD-2-Clause
 * Canvas: a drawing in pixels, each with a number of the palette. Pixel (0, 0) is at the upper left; drawing
 * outside the canvas has no effect.
 */
#ifndef APPS_COMMON_CANVAS_H
#define APPS_COMMON_CANVAS_H

#include <stdbool.h>
#include <stdint.h>

/* The palette: greys, colours that differ well, and levels from blue over green to red. */
enum {
  CANVAS_WHITE,
  CANVAS_BLACK,
  CANVAS_GREY,
  CANVAS_LIGHT,
  CANVAS_BLUE,
  CANVAS_ORANGE,
  CANVAS_GREEN,
  CANVAS_RED,
  CANVAS_LEVEL,
  CANVAS_LEVELS = 64
};

/* Of a character of text, in pixels; a line of text has this height. */
enum { CANVAS_CHAR_WIDTH = 12, CANVAS_CHAR_HEIGHT = 18 };

typedef struct canvas {
  int width, height;
  uint8_t *pixels;
} canvas;

bool canvas_open(canvas *c, int width, int height); /* white; false without memory */
void canvas_close(canvas *c);

void canvas_pixel(canvas *c, int x, int y, int colour);
void canvas_box(canvas *c, int x, int y, int width, int height, int colour); /* filled */
void canvas_frame(canvas *c, int x, int y, int width, int height, int colour);
void canvas_line(canvas *c, int x0, int y0, int x1, int y1, int colour);
void canvas_disc(canvas *c, int x, int y, int radius, int colour);

/* Where a text is beside its point. */
typedef enum canvas_align { CANVAS_LEFT_OF, CANVAS_CENTRED, CANVAS_RIGHT_OF } canvas_align;

/* ASCII text whose upper line is y. */
void canvas_text(canvas *c, int x, int y, canvas_align align, const char *text, int colour);

/* The colour of a value between least and most; values outside get the colours of the ends. */
int canvas_level(double value, double least, double most);

bool canvas_write(const canvas *c, const char *path); /* as PNG; false: errno gives the reason */

#endif
