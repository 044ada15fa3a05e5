/* SPDX-License-Identifier: BSD-2-Clause
 * The picture of a sparsity: a portable graymap (PGM, binary) in global indices.
 */
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/io/parallel_file.h"
#include "plan/matrix/sparsity.h"
#include <errno.h>
#include <string.h>

enum { MOST_PIXELS = 4096 };

/* Pixel (i, j) is place i * width + j; count: the values of the pattern in it. */
typedef struct picture {
  int64_t rows, columns; /* of the matrix, as single values */
  int64_t height, width;
  int64_t *count;
} picture;

/* All elements of the set, with the halos of pl_decl_set_parts. */
static int64_t elements_of(const pl_set *set)
{
  return set->end[3] > set->global_end ? set->end[3] : set->global_end;
}

static int64_t pixels_of(int64_t lines, int64_t longest, int64_t pixels)
{
  const int64_t n = longest > pixels ? lines * pixels / longest : lines;
  return n > 0 ? n : 1;
}

static picture measure(const pl_sparsity *s, int pixels)
{
  picture p = {.rows = elements_of(s->rows) * s->block[0], .columns = elements_of(s->columns) * s->block[1]};
  const int64_t longest = p.rows > p.columns ? p.rows : p.columns;
  p.height = pixels_of(p.rows, longest, pixels);
  p.width = pixels_of(p.columns, longest, pixels);
  return p;
}

static int64_t global_of(const pl_set *set, int element)
{
  return set->global ? set->global[element] : element;
}

/* Adds the values of row `row` of blocks. */
static void count_row(const pl_sparsity *s, int row, picture *p)
{
  for (int a = 0; a < s->block[0]; a++) {
    const int64_t i = (global_of(s->rows, row) * s->block[0] + a) * p->height / p->rows;
    for (int k = s->pattern.offset[row]; k < s->pattern.offset[row + 1]; k++)
      for (int b = 0; b < s->block[1]; b++) {
        const int64_t column = global_of(s->columns, s->pattern.column[k]) * s->block[1] + b;
        p->count[i * p->width + column * p->width / p->columns]++;
      }
  }
}

/* White without values; else from light grey to black, which is the most values of a pixel. */
static bool write_pixels(FILE *file, const picture *p)
{
  int64_t most = 1;
  for (int64_t k = 0; k < p->height * p->width; k++)
    if (p->count[k] > most) most = p->count[k];
  bool good = fprintf(file, "P5\n%lld %lld\n255\n", (long long)p->width, (long long)p->height) > 0;
  for (int64_t k = 0; good && k < p->height * p->width; k++)
    good = putc(p->count[k] ? (int)(191 - 191 * p->count[k] / most) : 255, file) != EOF;
  return good;
}

static pl_err write_picture(const pl_sparsity *s, const char *path, const picture *p)
{
  pl_context *pl = s->node.pl;
  pl_new_file new_file;
  PL_TRY(pl_file_begin(pl, path, &new_file));
  pl_err err = PL_SUCCESS;
  if (pl_rank(pl) == 0) {
    FILE *file = fopen(new_file.temporary, "wb");
    bool good = file && write_pixels(file, p);
    if (file && fclose(file)) good = false;
    if (!good)
      err = pl_fail(pl, PL_ERR_IO, "sparsity \"%s\": cannot write \"%s\": %s", s->node.name, path,
                    strerror(errno));
  }
  return pl_file_end(pl, &new_file, err);
}

static pl_err draw(pl_sparsity *s, const char *path, int pixels)
{
  pl_context *pl = s->node.pl;
  picture p = measure(s, pixels);
  const size_t n = (size_t)(p.height * p.width);
  p.count = pl_calloc(pl, n, sizeof *p.count);
  pl_err err = pl_agree(pl, p.count ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof *p.count));
  for (int row = 0; !err && row < s->pattern.nrows; row++) count_row(s, row, &p);
  if (!err) err = pl_comm_reduce(pl, PL_INT64, PL_INC, p.count, n);
  if (!err) err = write_picture(s, path, &p);
  pl_free(pl, p.count);
  return err;
}

pl_err pl_sparsity_draw(pl_sparsity *s, const char *path, int pixels)
{
  PL_TRY_GIVEN(s);
  pl_context *pl = s->node.pl;
  pl_err err = PL_GIVEN(pl, "pl_sparsity_draw", path);
  if (!err && (pixels < 1 || pixels > MOST_PIXELS))
    err = pl_fail(pl, PL_ERR_RANGE, "pl_sparsity_draw of \"%s\": %d pixels; the limit is %d", s->node.name,
                  pixels, MOST_PIXELS);
  PL_TRY(pl_agree_on(pl, err, "pl_sparsity_draw of \"%s\" with %d pixels", s->node.name, pixels));
  PL_TRY(pl_sparsity_build(s));
  return draw(s, path, pixels);
}
