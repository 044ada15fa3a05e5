/* SPDX-License-Identifier: BSD-2-Clause
 * Sorts and scans of sizes around those of tiles, in which devices process them, and of many tiles.
 */
#include "conformance.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define READ(dat) DIRECT(dat, PL_READ)
#define WRITE(dat) DIRECT(dat, PL_WRITE)

/* Of a work item's elements times work items of a group, as templates and backends have them. */
static const int tiles[] = {256, 512, 2048, 3072, 4096, 5760, 6144, 8192, 8832};
enum { TILE_SIZES = sizeof tiles / sizeof *tiles };

/* ---- sorting ---- */

/* Whether order[0 .. n-1] is the stable order of keys: then they are n different elements. */
#define STABLE(keys)                                                                                         \
  for (int i = 0; i < n && good; i++) {                                                                      \
    good = order[i] >= 0 && order[i] < n;                                                                    \
    if (good && i)                                                                                           \
      good = keys[order[i - 1]] < keys[order[i]] ||                                                          \
             (keys[order[i - 1]] == keys[order[i]] && order[i - 1] < order[i]);                              \
  }

static bool is_stable(pl_type type, const void *keys, const int *order, int n)
{
  bool good = true;
  const int *narrow = keys;
  const uint64_t *wide = keys;
  const double *real = keys;
  if (type == PL_INT32) STABLE(narrow)
  if (type == PL_UINT64) STABLE(wide)
  if (type == PL_DOUBLE) STABLE(real)
  return good;
}

/* Few values, so that many keys are equal; or all bits. Reals without NaN and -0. */
static void put_keys(conf *c, pl_type type, bool few, void *keys, int n)
{
  for (int i = 0; i < n; i++) {
    const uint64_t bits = few ? (uint64_t)(conf_below(c, 7) - 3) : conf_random(c);
    if (type == PL_INT32)
      ((int *)keys)[i] = (int)bits;
    else if (type == PL_UINT64)
      ((uint64_t *)keys)[i] = bits;
    else
      ((double *)keys)[i] = (double)(int64_t)bits;
  }
}

static void sort_keys(conf *c, pl_type type, bool few, int n)
{
  void *keys = calloc((size_t)n, 8);
  int *order = malloc((size_t)n * sizeof *order);
  put_keys(c, type, few, keys, n);
  conf_sort_order(c, type, keys, n, order);
  CHECK(is_stable(type, keys, order, n));
  free(keys);
  free(order);
}

static void case_sort(conf *c)
{
  static const pl_type types[] = {PL_INT32, PL_UINT64, PL_DOUBLE};
  for (int t = 0; t < TILE_SIZES; t++)
    for (int k = 0; k < 3; k++) {
      sort_keys(c, types[k], t & 1, tiles[t] - 1);
      sort_keys(c, types[(k + 1) % 3], k & 1, tiles[t]);
      sort_keys(c, types[(k + 2) % 3], ~t & 1, tiles[t] + 1);
    }
}

/* ---- scans ---- */

PL_SCAN(tile_sums, int, 0, PL_COMMUTATIVE(a + b), (const int *x, int *y, int *z), x[i], {
  y[i] = item;
  z[i] = prev_item;
})
/* The last that is not zero: does not commute. */
PL_SCAN(tile_last, int64_t, 0, b ? b : a, (const int64_t *x, int64_t *y), x[i], { y[i] = item; })
PL_SCAN(tile_reals, double, 0.0, PL_COMMUTATIVE(a + b), (const double *x, double *y), x[i], { y[i] = item; })
PL_SCAN_SEGMENTED(tile_segments, double, 0.0, PL_COMMUTATIVE(a + b),
                  (const double *x, const int *begins, double *y, double *z), x[i], begins[i] < -40, {
                    y[i] = item;
                    z[i] = prev_item;
                  })

typedef struct scanned {
  pl_set *set;
  int n;
  int *x, *y, *z;
  int64_t *l, *last;
  double *r, *sums, *before;
} scanned;

/* Integers as reals, whose sums are exact. Inputs and what scans must give. */
static void fill(conf *c, scanned *s)
{
  for (int i = 0; i < s->n; i++) {
    s->x[i] = conf_below(c, 100) - 45;
    s->z[i] = i ? s->y[i - 1] : 0;
    s->y[i] = s->z[i] + s->x[i];
    s->l[i] = conf_below(c, 50) ? 0 : (int64_t)conf_random(c);
    s->last[i] = s->l[i] || !i ? s->l[i] : s->last[i - 1];
    s->r[i] = conf_below(c, 1000) * 1048576.0 - conf_below(c, 1000);
    s->before[i] = i && s->x[i] >= -40 ? s->sums[i - 1] : 0;
    s->sums[i] = s->before[i] + s->r[i];
  }
}

static void check_scans(conf *c, const scanned *s)
{
  pl_dat *x = conf_dat(c, s->set, 1, PL_INT, s->x, "x"), *y = conf_dat(c, s->set, 1, PL_INT, NULL, "y"),
         *z = conf_dat(c, s->set, 1, PL_INT, NULL, "z"), *l = conf_dat(c, s->set, 1, PL_INT64, s->l, "l"),
         *last = conf_dat(c, s->set, 1, PL_INT64, NULL, "last"),
         *r = conf_dat(c, s->set, 1, PL_DOUBLE, s->r, "r"),
         *sums = conf_dat(c, s->set, 1, PL_DOUBLE, NULL, "sums"),
         *before = conf_dat(c, s->set, 1, PL_DOUBLE, NULL, "before");
  OK(pl_scan(tile_sums, s->set, READ(x), WRITE(y), WRITE(z)));
  OK(pl_scan(tile_last, s->set, READ(l), WRITE(last)));
  OK(pl_scan(tile_segments, s->set, READ(r), READ(x), WRITE(sums), WRITE(before)));
  SAME(y, s->y);
  SAME(z, s->z);
  SAME(last, s->last);
  SAME(sums, s->sums);
  SAME(before, s->before);
  for (int i = 1; i < s->n; i++) s->sums[i] = s->sums[i - 1] + s->r[i];
  OK(pl_scan(tile_reals, s->set, READ(r), WRITE(sums)));
  SAME(sums, s->sums);
  pl_dat *const dats[] = {x, y, z, l, last, r, sums, before};
  for (size_t i = 0; i < sizeof dats / sizeof *dats; i++) pl_dat_free(&(pl_dat *){dats[i]});
}

static void scan_size(conf *c, int n)
{
  char *all = malloc((size_t)n * (3 * sizeof(int) + 5 * sizeof(double)));
  double *r = (double *)all;
  int64_t *l = (int64_t *)(r + 3 * n);
  int *x = (int *)(l + 2 * n);
  scanned s = {conf_set(c, n, "set"), n, x, x + n, x + 2 * n, l, l + n, r, r + n, r + 2 * n};
  fill(c, &s);
  check_scans(c, &s);
  pl_set_free(&s.set);
  free(all);
}

static void case_scan(conf *c)
{
  for (int t = 0; t < TILE_SIZES; t += 2) {
    scan_size(c, tiles[t] - 1);
    scan_size(c, tiles[t]);
    scan_size(c, tiles[t] + 1);
  }
  scan_size(c, c->variant->jit ? 1500007 : 30011);
}

/* The grouping of reals does not depend on timing: other runs give the same bits. */
static void case_same_bits(conf *c)
{
  const int n = c->variant->jit ? 1500007 : 30011;
  double *r = malloc(3 * (size_t)n * sizeof *r), *first = r + n, *again = first + n;
  for (int i = 0; i < n; i++) r[i] = 1.0 / (1 + conf_below(c, 1000000));
  pl_set *set = conf_set(c, n, "set");
  pl_dat *x = conf_dat(c, set, 1, PL_DOUBLE, r, "x"), *y = conf_dat(c, set, 1, PL_DOUBLE, NULL, "y");
  OK(pl_scan(tile_reals, set, READ(x), WRITE(y)));
  OK(pl_dat_fetch(y, first));
  for (int k = 0; k < 5; k++) {
    OK(pl_scan(tile_reals, set, READ(x), WRITE(y)));
    OK(pl_dat_fetch(y, again));
    CHECK(!memcmp(first, again, (size_t)n * sizeof *first));
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += r[i];
  CHECK(fabs(first[n - 1] - sum) < 1e-9 * sum);
  free(r);
}

const conf_case conf_tiles[] = {
  {"sorts around tiles", "C05", case_sort, 0},
  {"scans around tiles", "C03 C04", case_scan, 0},
  {"scans of reals, again", "C03", case_same_bits, 0},
  {0},
};
