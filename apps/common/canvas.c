/* SPDX-License-Identifier: BSD-2-Clause
 * Canvas; see canvas.h.
 */
#include "canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "png.h"

static const uint8_t fixed_colours[CANVAS_LEVEL][3] = {
  {255, 255, 255}, {0, 0, 0},     {110, 110, 110}, {225, 225, 225},
  {31, 90, 170},   {220, 110, 0}, {0, 135, 75},    {190, 30, 45},
};

/* Colours of the levels, at equal distances. */
static const uint8_t stops[][3] = {{48, 18, 110},  {60, 80, 205},  {50, 150, 245}, {25, 205, 205},
                                   {70, 235, 130}, {165, 245, 60}, {235, 205, 50}, {250, 135, 40},
                                   {215, 60, 15},  {125, 10, 10}};

/* The strokes of a character: points xy on a grid of 5 by 9, strokes separated by spaces. Line 0 is the top
 * of capitals, line 6 the base line. */
static const char *const strokes[128] = {
  ['!'] = "2024 2626",
  ['"'] = "1012 3032",
  ['#'] = "1115 3135 0242 0444",
  ['%'] = "4006 0011 3546",
  ['\''] = "2022",
  ['('] = "30212536",
  [')'] = "10212516",
  ['*'] = "1135 3115 0343",
  ['+'] = "2125 0343",
  [','] = "252617",
  ['-'] = "0343",
  ['.'] = "2626",
  ['/'] = "4006",
  ['0'] = "103041453616050110 3214",
  ['1'] = "112026 1636",
  ['2'] = "01103041420646",
  ['3'] = "0110304142334445361605 1333",
  ['4'] = "36300444",
  ['5'] = "400002324345361605",
  ['6'] = "413010010516364544331304",
  ['7'] = "004016",
  ['8'] = "103041423313020110 1304051636454433",
  ['9'] = "051636454130100102133342",
  [':'] = "2323 2626",
  [';'] = "2323 252617",
  ['<'] = "410345",
  ['='] = "0242 0444",
  ['>'] = "014305",
  ['?'] = "01103041422324 2626",
  ['A'] = "062046 1434",
  ['B'] = "00063645443303 0030414233",
  ['C'] = "4130100105163645",
  ['D'] = "00062644422000",
  ['E'] = "40000646 0333",
  ['F'] = "400006 0333",
  ['G'] = "41301001051636454323",
  ['H'] = "0006 4046 0343",
  ['I'] = "1030 2026 1636",
  ['J'] = "4045361605",
  ['K'] = "0006 400346",
  ['L'] = "000646",
  ['M'] = "0600234046",
  ['N'] = "06004640",
  ['O'] = "103041453616050110",
  ['P'] = "06003041423303",
  ['Q'] = "103041453616050110 3446",
  ['R'] = "06003041423303 2346",
  ['S'] = "413010010213334445361605",
  ['T'] = "0040 2026",
  ['U'] = "000516364540",
  ['V'] = "002640",
  ['W'] = "0016233640",
  ['X'] = "0046 4006",
  ['Y'] = "002340 2326",
  ['Z'] = "00400646",
  ['['] = "30101636",
  [']'] = "10303616",
  ['^'] = "022042",
  ['_'] = "0747",
  ['a'] = "12324346 441405163645",
  ['b'] = "00063645433202",
  ['c'] = "4332120305163645",
  ['d'] = "40461605031242",
  ['e'] = "04444332120305163645",
  ['f'] = "30201116 0222",
  ['g'] = "461605031242473818",
  ['h'] = "0006 02324346",
  ['i'] = "2020 2226",
  ['j'] = "3030 32372818",
  ['k'] = "0006 420446",
  ['l'] = "10202536",
  ['m'] = "0602122326 23324346",
  ['n'] = "0602 02324346",
  ['o'] = "123243453616050312",
  ['p'] = "08023243453606",
  ['q'] = "48421203051646",
  ['r'] = "0206 042242",
  ['s'] = "4212031434453606",
  ['t'] = "10152636 0232",
  ['u'] = "02051646 4246",
  ['v'] = "022642",
  ['w'] = "0216243642",
  ['x'] = "0246 4206",
  ['y'] = "0226 4218",
  ['z'] = "02420646",
  ['|'] = "2027",
};

bool canvas_open(canvas *c, int width, int height)
{
  *c = (canvas){width, height, calloc((size_t)width * (size_t)height, 1)};
  return c->pixels;
}

void canvas_close(canvas *c)
{
  free(c->pixels);
  c->pixels = NULL;
}

void canvas_pixel(canvas *c, int x, int y, int colour)
{
  if (x >= 0 && x < c->width && y >= 0 && y < c->height)
    c->pixels[(size_t)y * (size_t)c->width + (size_t)x] = (uint8_t)colour;
}

void canvas_box(canvas *c, int x, int y, int width, int height, int colour)
{
  for (int j = y; j < y + height; j++)
    for (int i = x; i < x + width; i++) canvas_pixel(c, i, j, colour);
}

void canvas_frame(canvas *c, int x, int y, int width, int height, int colour)
{
  canvas_box(c, x, y, width, 1, colour);
  canvas_box(c, x, y + height - 1, width, 1, colour);
  canvas_box(c, x, y, 1, height, colour);
  canvas_box(c, x + width - 1, y, 1, height, colour);
}

void canvas_line(canvas *c, int x0, int y0, int x1, int y1, int colour)
{
  const int dx = x1 - x0, dy = y1 - y0;
  const int steps = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
  canvas_pixel(c, x0, y0, colour);
  for (int k = 1; k <= steps; k++)
    canvas_pixel(c, x0 + (int)lround((double)dx * k / steps), y0 + (int)lround((double)dy * k / steps),
                 colour);
}

void canvas_disc(canvas *c, int x, int y, int radius, int colour)
{
  for (int j = -radius; j <= radius; j++)
    for (int i = -radius; i <= radius; i++)
      if (i * i + j * j <= radius * radius) canvas_pixel(c, x + i, y + j, colour);
}

static void draw_character(canvas *c, int x, int y, char character, int colour)
{
  enum { UNIT = 2 };
  const char *at = (unsigned char)character < 128 ? strokes[(unsigned char)character] : NULL;
  int from[2] = {-1, 0};
  for (; at && *at; at++) {
    if (*at == ' ') {
      from[0] = -1;
      continue;
    }
    const int to[2] = {x + UNIT * (at[0] - '0'), y + UNIT * (at[1] - '0')};
    if (from[0] < 0) memcpy(from, to, sizeof from);
    canvas_line(c, from[0], from[1], to[0], to[1], colour);
    memcpy(from, to, sizeof from);
    at++;
  }
}

void canvas_text(canvas *c, int x, int y, canvas_align align, const char *text, int colour)
{
  const int width = CANVAS_CHAR_WIDTH * (int)strlen(text);
  x -= align == CANVAS_LEFT_OF ? width : align == CANVAS_CENTRED ? width / 2 : 0;
  for (; *text; text++, x += CANVAS_CHAR_WIDTH) draw_character(c, x, y, *text, colour);
}

int canvas_level(double value, double least, double most)
{
  const double part = most > least ? (value - least) / (most - least) : 0.5;
  const double level = floor(CANVAS_LEVELS * part);
  return CANVAS_LEVEL + (level > 0 ? level < CANVAS_LEVELS ? (int)level : CANVAS_LEVELS - 1 : 0);
}

static void level_colour(int level, uint8_t colour[3])
{
  enum { LAST = sizeof stops / sizeof *stops - 1 };
  const double at = (double)level * LAST / (CANVAS_LEVELS - 1);
  const int k = at < LAST - 1 ? (int)at : LAST - 1;
  for (int i = 0; i < 3; i++)
    colour[i] = (uint8_t)lround(stops[k][i] + (at - k) * (stops[k + 1][i] - stops[k][i]));
}

bool canvas_write(const canvas *c, const char *path)
{
  uint8_t palette[CANVAS_LEVEL + CANVAS_LEVELS][3];
  memcpy(palette, fixed_colours, sizeof fixed_colours);
  for (int k = 0; k < CANVAS_LEVELS; k++) level_colour(k, palette[CANVAS_LEVEL + k]);
  return png_write(path, c->width, c->height, c->pixels, CANVAS_LEVEL + CANVAS_LEVELS, palette);
}
