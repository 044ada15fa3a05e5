/* SPDX-License-Identifier: BSD-2-Clause
 * Pictures of fields; see picture.h.
 *
 * A rank adds its cells to an image of sums: of values, of the number of cells that cover a pixel, and of
 * edges. The colour of a pixel is that of the mean value.
 */
#include "picture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canvas.h"
#include "output.h"
#include "ranks.h"

enum { SUM, COVER, EDGE, CHANNELS };
enum {
  MOST_WIDTH = 720,
  MOST_HEIGHT = 600,
  LEFT = 84,
  TOP = 40,
  BOTTOM = 48,
  RIGHT = 140,
  MOST_CORNERS = 64
};

typedef struct image {
  double low[2], high[2], scale; /* the window; pixels a unit of length */
  int width, height;
  double *pixel; /* CHANNELS each, row by row from the top */
} image;

typedef struct corner {
  double x, y, value; /* place in pixels */
} corner;

/* ---- values of a rank ---- */

typedef struct view {
  pl_dat *dat;
  const void *data;
  pl_type type;
  int dim;
} view;

/* Owned values and those of the halo, up to date. */
static view open_view(pl_context *pl, pl_dat *dat)
{
  void *data = NULL;
  if (!dat) return (view){NULL, NULL, PL_DOUBLE, 0};
  PL_OK(pl, pl_dat_freeze_halo(dat, PL_READ));
  PL_OK(pl, pl_dat_unfreeze_halo(dat));
  PL_OK(pl, pl_dat_get(dat, PL_READ, &data));
  return (view){dat, data, pl_dat_type(dat), pl_dat_dim(dat)};
}

static void close_view(pl_context *pl, const view *v)
{
  if (v->dat) PL_OK(pl, pl_dat_put(v->dat));
}

/* The values that a picture needs. */
typedef struct fields {
  view x, value, move;
  int axes[2];
} fields;

static double value_at(const view *v, int64_t element, int component)
{
  const int64_t at = element * v->dim + component;
  if (v->type == PL_DOUBLE) return ((const double *)v->data)[at];
  if (v->type == PL_FLOAT) return (double)((const float *)v->data)[at];
  if (v->type == PL_INT) return ((const int *)v->data)[at];
  return 0;
}

/* ---- window ---- */

static void size_image(image *m)
{
  const double x = fmax(m->high[0] - m->low[0], 1e-300), y = fmax(m->high[1] - m->low[1], 1e-300);
  m->scale = fmin(MOST_WIDTH / x, MOST_HEIGHT / y);
  m->width = (int)fmax(fmin(ceil(m->scale * x), MOST_WIDTH), 60);
  m->height = (int)fmax(fmin(ceil(m->scale * y), MOST_HEIGHT), 60);
}

/* The place of a point, moved by the displacement `moved` (negative: by none). */
static void find_place(const fields *f, int64_t point, int64_t moved, double place[2])
{
  for (int k = 0; k < 2; k++) {
    place[k] = value_at(&f->x, point, f->axes[k]);
    if (f->move.dat && moved >= 0) place[k] += value_at(&f->move, moved, f->axes[k]);
  }
}

/* The window that was asked for, or the bounds of all points on all ranks. */
static void choose_window(pl_context *pl, const picture *p, const fields *f, image *m)
{
  double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
  const int64_t n = pl_set_size(pl_dat_set(p->x));
  const bool together = p->move && pl_dat_set(p->move) == pl_dat_set(p->x);
  for (int64_t i = 0; i < n; i++) {
    double place[2];
    find_place(f, i, together ? i : -1, place);
    for (int k = 0; k < 2; k++) least[k] = fmin(least[k], place[k]), most[k] = fmax(most[k], place[k]);
  }
  for (int k = 0; k < 2; k++) {
    m->low[k] = -ranks_most(pl, -least[k]);
    m->high[k] = ranks_most(pl, most[k]);
    if (p->window[0] < p->window[1]) m->low[k] = p->window[2 * k], m->high[k] = p->window[2 * k + 1];
    if (!(m->low[k] <= m->high[k])) m->low[k] = m->high[k] = 0;
  }
  size_image(m);
}

static corner place_of(const image *m, const double place[2], double value)
{
  return (corner){(place[0] - m->low[0]) * m->scale, (m->high[1] - place[1]) * m->scale, value};
}

/* ---- drawing ---- */

static double *pixel_at(const image *m, int x, int y)
{
  return &m->pixel[CHANNELS * ((size_t)y * (size_t)m->width + (size_t)x)];
}

/* Twice the area of the triangle abp, positive or negative. */
static double side(const corner *a, const corner *b, double x, double y)
{
  return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

/* The first and last pixel whose centre may lie between the least and the greatest of three coordinates. */
static void pixel_range(double a, double b, double c, int size, int *first, int *last)
{
  *first = (int)fmax(0, fmin(floor(fmin(a, fmin(b, c)) - 0.5), size));
  *last = (int)fmin(size - 1, fmax(ceil(fmax(a, fmax(b, c)) - 0.5), -1));
}

static void add_triangle(const image *m, const corner *a, const corner *b, const corner *c)
{
  const double area = side(a, b, c->x, c->y);
  int i0, i1, j0, j1;
  if (!(fabs(area) > 0)) return;
  pixel_range(a->x, b->x, c->x, m->width, &i0, &i1);
  pixel_range(a->y, b->y, c->y, m->height, &j0, &j1);
  for (int j = j0; j <= j1; j++)
    for (int i = i0; i <= i1; i++) {
      const double x = i + 0.5, y = j + 0.5;
      const double wa = side(b, c, x, y) / area, wb = side(c, a, x, y) / area, wc = 1 - wa - wb;
      if (!(wa >= -1e-9 && wb >= -1e-9 && wc >= -1e-9)) continue;
      double *pixel = pixel_at(m, i, j);
      pixel[SUM] += wa * a->value + wb * b->value + wc * c->value;
      pixel[COVER]++;
    }
}

static void add_edge(const image *m, const corner *a, const corner *b)
{
  const double length = fmax(fabs(b->x - a->x), fabs(b->y - a->y));
  const int steps = length < 4.0 * (MOST_WIDTH + MOST_HEIGHT) ? (int)ceil(length) : 0;
  for (int k = 0; k <= steps && steps; k++) {
    const double x = floor(a->x + (b->x - a->x) * k / steps), y = floor(a->y + (b->y - a->y) * k / steps);
    if (x >= 0 && x < m->width && y >= 0 && y < m->height) pixel_at(m, (int)x, (int)y)[EDGE] = 1;
  }
}

static void add_disc(const image *m, const corner *c, int radius)
{
  if (!(c->x > -radius && c->x < m->width + radius && c->y > -radius && c->y < m->height + radius)) return;
  for (int j = (int)c->y - radius; j <= (int)c->y + radius; j++)
    for (int i = (int)c->x - radius; i <= (int)c->x + radius; i++) {
      const double dx = i + 0.5 - c->x, dy = j + 0.5 - c->y;
      if (i < 0 || i >= m->width || j < 0 || j >= m->height || dx * dx + dy * dy > radius * radius) continue;
      double *pixel = pixel_at(m, i, j);
      pixel[SUM] += c->value;
      pixel[COVER]++;
    }
}

static void add_tetrahedron(const image *m, const corner at[4])
{
  for (int k = 0; k < 4; k++) add_triangle(m, &at[k], &at[(k + 1) % 4], &at[(k + 2) % 4]);
}

static void add_cell(const image *m, const picture *p, const corner *at, int n)
{
  if (p->value && p->tetrahedra && n == 4) add_tetrahedron(m, at);
  for (int k = 2; p->value && !p->tetrahedra && k < n; k++) add_triangle(m, &at[0], &at[k - 1], &at[k]);
  for (int k = 0; (p->edges || !p->value) && n > 1 && k < n; k++) add_edge(m, &at[k], &at[(k + 1) % n]);
}

/* The rows of a map: positions in host views. */
typedef struct rows {
  const int *target;
  int arity;
} rows;

static rows rows_of(pl_map *map)
{
  return (rows){pl_map_indices(map), pl_map_arity(map)};
}

/* The corners of a cell; returns their number. */
static int find_corners(const image *m, const picture *p, const fields *f, int64_t cell,
                        corner at[MOST_CORNERS])
{
  const rows points = rows_of(p->corners), values = rows_of(p->value_map ? p->value_map : p->corners);
  const bool at_cells = p->value && pl_dat_set(p->value) == pl_map_from(p->corners);
  int n = 0;
  for (; n < points.arity && n < MOST_CORNERS; n++) {
    const int point = points.target[cell * points.arity + n], value = values.target[cell * values.arity + n];
    double place[2];
    if (point < 0) break;
    find_place(f, point, value, place);
    at[n] = place_of(m, place, p->value ? value_at(&f->value, at_cells ? cell : value, p->component) : 0);
  }
  return n;
}

static void add_cells(const image *m, const picture *p, const fields *f)
{
  corner at[MOST_CORNERS];
  const int64_t n = pl_map_indices(p->corners) ? pl_set_size(pl_map_from(p->corners)) : 0;
  for (int64_t cell = 0; cell < n; cell++) add_cell(m, p, at, find_corners(m, p, f, cell, at));
}

/* The radius in pixels of a disc for each of n points. */
static int disc_radius(const image *m, int64_t n)
{
  const double space = 0.4 * sqrt((double)m->width * m->height / (double)(n > 0 ? n : 1));
  return (int)fmin(fmax(space, 1), 9);
}

static bool in_slab(const picture *p, const fields *f, int64_t i)
{
  if (!(p->slab[0] < p->slab[1])) return true;
  const double depth = value_at(&f->x, i, 2);
  return depth >= p->slab[0] && depth <= p->slab[1];
}

static void add_points(const image *m, const picture *p, const fields *f, int radius)
{
  const int64_t n = pl_set_size(pl_dat_set(p->x));
  for (int64_t i = 0; i < n; i++) {
    double place[2];
    if (!in_slab(p, f, i)) continue;
    find_place(f, i, i, place);
    const corner at = place_of(m, place, p->value ? value_at(&f->value, i, p->component) : 0);
    add_disc(m, &at, radius);
  }
}

/* About the number of points in the slab on all ranks. */
static int64_t count_points(pl_context *pl, const picture *p, const fields *f)
{
  int64_t count = 0;
  const int64_t n = pl_set_size(pl_dat_set(p->x));
  for (int64_t i = 0; i < n; i++) count += in_slab(p, f, i);
  return (int64_t)ranks_most(pl, (double)count) * pl_ranks(pl);
}

/* ---- the sum over ranks ---- */

PL_KERNEL(picture_add, (const double sample[3], double pixel[3]), {
  for (int k = 0; k < 3; k++) pixel[k] += sample[k];
})

/* Pixels that this rank has drawn, moved to the front of its image; `where` gets their numbers. */
static int64_t collect(image *m, int64_t *where)
{
  int64_t count = 0;
  for (int64_t i = 0; i < (int64_t)m->width * m->height; i++) {
    const double *pixel = &m->pixel[CHANNELS * i];
    if (pixel[COVER] == 0 && pixel[EDGE] == 0) continue;
    memmove(&m->pixel[CHANNELS * count], pixel, CHANNELS * sizeof *pixel);
    where[count++] = i;
  }
  return count;
}

/* Rank 0 gets the sum of all images, in `m`. */
static bool sum_over_ranks(pl_context *pl, image *m)
{
  const int64_t size = (int64_t)m->width * m->height;
  int64_t *where = pl_ranks(pl) > 1 ? malloc((size_t)size * sizeof *where) : NULL;
  pl_set *samples, *pixels;
  pl_map *pixel;
  pl_dat *drawn, *sum;
  if (!where) return pl_ranks(pl) == 1;
  PL_OK(pl, pl_decl_set(pl, collect(m, where), "picture_samples", &samples));
  PL_OK(pl, pl_decl_set(pl, pl_rank(pl) ? 0 : size, "picture_pixels", &pixels));
  PL_OK(pl, pl_decl_map_global(samples, pixels, 1, where, "picture_pixel", &pixel));
  PL_OK(pl, pl_decl_dat(samples, CHANNELS, PL_DOUBLE, m->pixel, "picture_drawn", &drawn));
  PL_OK(pl, pl_decl_dat(pixels, CHANNELS, PL_DOUBLE, NULL, "picture_sum", &sum));
  PL_OK(pl,
        pl_par_loop(picture_add, samples, pl_arg_direct(drawn, PL_READ), pl_arg_dat(sum, 0, pixel, PL_INC)));
  PL_OK(pl, pl_dat_fetch(sum, m->pixel));
  pl_dat_free(&sum);
  pl_dat_free(&drawn);
  pl_map_free(&pixel);
  pl_set_free(&pixels);
  pl_set_free(&samples);
  free(where);
  return true;
}

/* ---- the page ---- */

/* The distance of about five ticks: 1, 2 or 5 times a power of ten. */
static double tick_step(double low, double high)
{
  const double rough = (high - low) / 5;
  if (!(rough > 0)) return 1;
  const double power = pow(10, floor(log10(rough))), digit = rough / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

/* Values that are small beside the distance of two ticks are 0. */
static void tick_text(char text[24], double value, double step)
{
  snprintf(text, 24, "%.3g", fabs(value) < 1e-3 * step ? 0 : value);
}

static void draw_axes(canvas *c, const image *m)
{
  char text[24];
  for (int axis = 0; axis < 2; axis++) {
    const double step = tick_step(m->low[axis], m->high[axis]);
    for (double at = ceil(m->low[axis] / step) * step; at <= m->high[axis] + 1e-9 * step; at += step) {
      tick_text(text, at, step);
      const int x = LEFT + (int)((at - m->low[0]) * m->scale), y = TOP + (int)((m->high[1] - at) * m->scale);
      if (axis == 0) canvas_box(c, x, TOP + m->height, 1, 6, CANVAS_BLACK);
      if (axis == 0) canvas_text(c, x, TOP + m->height + 12, CANVAS_CENTRED, text, CANVAS_BLACK);
      if (axis == 1) canvas_box(c, LEFT - 6, y, 6, 1, CANVAS_BLACK);
      if (axis == 1) canvas_text(c, LEFT - 8, y - 6, CANVAS_LEFT_OF, text, CANVAS_BLACK);
    }
  }
  canvas_frame(c, LEFT - 1, TOP - 1, m->width + 2, m->height + 2, CANVAS_BLACK);
}

static void draw_bar(canvas *c, const image *m, double least, double most)
{
  enum { GAP = 16, WIDTH = 20 };
  const int x = LEFT + m->width + GAP;
  char text[24];
  for (int j = 0; j < m->height; j++)
    canvas_box(c, x, TOP + j, WIDTH, 1, canvas_level(m->height - j - 0.5, 0, m->height));
  canvas_frame(c, x - 1, TOP - 1, WIDTH + 2, m->height + 2, CANVAS_BLACK);
  for (int k = 0; k <= 4; k++) {
    const double value = least + (most - least) * k / 4;
    tick_text(text, value, most - least);
    canvas_text(c, x + WIDTH + 6, TOP + m->height - m->height * k / 4 - 6, CANVAS_RIGHT_OF, text,
                CANVAS_BLACK);
  }
}

/* The least and the greatest mean value of a pixel. */
static void find_range(const image *m, double range[2])
{
  double least = INFINITY, most = -INFINITY;
  for (size_t i = 0; i < (size_t)m->width * (size_t)m->height; i++) {
    const double *pixel = &m->pixel[CHANNELS * i];
    if (pixel[COVER] == 0) continue;
    least = fmin(least, pixel[SUM] / pixel[COVER]);
    most = fmax(most, pixel[SUM] / pixel[COVER]);
  }
  range[0] = least <= most ? least : 0;
  range[1] = least <= most ? most : 0;
}

static int pixel_colour(const double *pixel, bool valued, const double range[2])
{
  if (pixel[EDGE] > 0) return valued ? CANVAS_GREY : CANVAS_BLACK;
  if (pixel[COVER] > 0)
    return valued ? canvas_level(pixel[SUM] / pixel[COVER], range[0], range[1]) : CANVAS_BLUE;
  return valued ? CANVAS_LIGHT : CANVAS_WHITE;
}

static bool write_page(const image *m, const char *title, bool valued, const double asked[2],
                       const char *path)
{
  canvas c;
  double range[2] = {asked[0], asked[1]};
  if (!(range[0] < range[1])) find_range(m, range);
  if (!canvas_open(&c, LEFT + m->width + (valued ? RIGHT : 24), TOP + m->height + BOTTOM)) return false;
  for (int j = 0; j < m->height; j++)
    for (int i = 0; i < m->width; i++)
      canvas_pixel(&c, LEFT + i, TOP + j, pixel_colour(pixel_at(m, i, j), valued, range));
  draw_axes(&c, m);
  if (valued) draw_bar(&c, m, range[0], range[1]);
  canvas_text(&c, LEFT, 10, CANVAS_RIGHT_OF, title, CANVAS_BLACK);
  const bool good = canvas_write(&c, path);
  canvas_close(&c);
  return good;
}

static bool finish(pl_context *pl, image *m, const char *program, const char *path, const picture *p)
{
  errno = ENOMEM;
  const bool good =
    m->pixel && sum_over_ranks(pl, m) && (pl_rank(pl) || write_page(m, p->title, p->value, p->range, path));
  free(m->pixel);
  return good || output_error(program, path, strerror(errno));
}

bool picture_write(pl_context *pl, const char *program, const char *path, const picture *p)
{
  image m = {0};
  const bool usual = p->axes[0] == p->axes[1];
  const fields f = {open_view(pl, p->x),
                    open_view(pl, p->value),
                    open_view(pl, p->move),
                    {usual ? 0 : p->axes[0], usual ? 1 : p->axes[1]}};
  choose_window(pl, p, &f, &m);
  m.pixel = calloc((size_t)m.width * (size_t)m.height, CHANNELS * sizeof *m.pixel);
  if (p->corners && m.pixel) add_cells(&m, p, &f);
  if (!p->corners) {
    const int radius = disc_radius(&m, count_points(pl, p, &f));
    if (m.pixel) add_points(&m, p, &f, radius);
  }
  close_view(pl, &f.move);
  close_view(pl, &f.value);
  close_view(pl, &f.x);
  return finish(pl, &m, program, path, p);
}
