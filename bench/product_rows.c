/* SPDX-License-Identifier: BSD-2-Clause
 * product_rows: y = A x of compressed rows, the Laplacian on a grid of triangles, by hand on one thread: row
 * by row, the same with columns of 16 bits, as pl_mat_multiply prints it, and four rows at once, by turns.
 * All prefetch as far ahead and give the same bits. Prints medians in processor time, which other programs of
 * the machine disturb less, of the ratios, and the bandwidth of a sum of all values, which is that of
 * reading.
 *
 *   product_rows [points along an edge]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "../apps/common/median.h"

enum { NEAR = 7, ROUNDS = 101, LINE = 8, AHEAD = 512 /* values */, HUGE_PAGE = 2 << 20, SLICE = 32 };
enum { FORMS = 4 };

typedef struct rows {
  int n, *offset, *column;
  double *value;
  int *lowest; /* column of each slice of rows */
  uint16_t *narrow;
} rows;

typedef void product(const rows *a, const double *x, double *y);

static void *allocate(size_t bytes)
{
  const size_t whole = (bytes + HUGE_PAGE) / HUGE_PAGE * HUGE_PAGE;
  void *memory = aligned_alloc(HUGE_PAGE, whole);
  if (!memory) exit(1);
  madvise(memory, whole, MADV_HUGEPAGE);
  return memset(memory, 0, whole);
}

static rows make_rows(int side)
{
  static const int step[NEAR][2] = {{0, -1}, {1, -1}, {-1, 0}, {0, 0}, {1, 0}, {-1, 1}, {0, 1}};
  const int n = side * side;
  rows a = {n, allocate(((size_t)n + 1) * sizeof(int)), allocate((size_t)n * NEAR * sizeof(int)),
            allocate((size_t)n * NEAR * sizeof(double))};
  for (int r = 0, at = 0; r < n; r++) {
    for (int k = 0; k < NEAR; k++) {
      const int i = r % side + step[k][0], j = r / side + step[k][1];
      if (i < 0 || i >= side || j < 0 || j >= side) continue;
      a.column[at] = j * side + i;
      a.value[at++] = 1.0 / (1 + (r + 7 * k) % 13);
    }
    a.offset[r + 1] = at;
  }
  return a;
}

/* A slice of a grid of at most 10000 points along an edge spans less than 65536 columns. */
static void add_narrow(rows *a)
{
  a->lowest = allocate(((size_t)a->n / SLICE + 1) * sizeof(int));
  a->narrow = allocate((size_t)a->offset[a->n] * sizeof *a->narrow);
  for (int r = 0; r < a->n; r++) {
    int *lowest = &a->lowest[r / SLICE];
    const int first = a->column[a->offset[r]];
    if (r % SLICE == 0 || first < *lowest) *lowest = first;
  }
  for (int r = 0; r < a->n; r++)
    for (int k = a->offset[r]; k < a->offset[r + 1]; k++)
      a->narrow[k] = (uint16_t)(a->column[k] - a->lowest[r / SLICE]);
}

static void prefetch(const rows *a, int k)
{
  __builtin_prefetch(a->value + k + AHEAD);
  __builtin_prefetch(a->column + k + AHEAD);
}

static void multiply_rows(const rows *a, const double *x, double *y)
{
  for (int r = 0; r < a->n; r++) {
    const int end = a->offset[r + 1];
    double sum = 0;
    int k = a->offset[r];
    for (; k + LINE <= end; k += LINE) {
      prefetch(a, k);
      for (int b = 0; b < LINE; b++) sum += a->value[k + b] * x[a->column[k + b]];
    }
    prefetch(a, k);
    for (; k < end; k++) sum += a->value[k] * x[a->column[k]];
    y[r] = sum;
  }
}

static void multiply_narrow(const rows *a, const double *x, double *y)
{
  for (int r = 0; r < a->n; r++) {
    const int end = a->offset[r + 1];
    const double *const near = x + a->lowest[r / SLICE];
    double sum = 0;
    int k = a->offset[r];
    for (; k + LINE <= end; k += LINE) {
      __builtin_prefetch(a->value + k + AHEAD);
      for (int b = 0; b < LINE; b++) sum += a->value[k + b] * near[a->narrow[k + b]];
    }
    __builtin_prefetch(a->value + k + AHEAD);
    if (r % 4 == 0) __builtin_prefetch(a->narrow + k + AHEAD);
    for (; k < end; k++) sum += a->value[k] * near[a->narrow[k]];
    y[r] = sum;
  }
}

/* Rows r to r + 3, all of `length` values. */
static void multiply_alike(const rows *a, int r, int length, const double *x, double *y)
{
  const int *begin = a->offset + r;
  double sum[4] = {0};
  for (int k = 0; k < length; k++)
    for (int i = 0; i < 4; i++) sum[i] += a->value[begin[i] + k] * x[a->column[begin[i] + k]];
  memcpy(y + r, sum, sizeof sum);
}

static void multiply_four(const rows *a, const double *x, double *y)
{
  for (int r = 0; r < a->n; r += 4) {
    const int *o = a->offset + r, length = o[1] - o[0], count = a->n - r < 4 ? a->n - r : 4;
    for (int k = o[0]; k < o[count]; k += LINE) prefetch(a, k);
    if (count == 4 && o[2] - o[1] == length && o[3] - o[2] == length && o[4] - o[3] == length) {
      multiply_alike(a, r, length, x, y);
      continue;
    }
    for (int i = 0; i < count; i++) {
      double sum = 0;
      for (int k = o[i]; k < o[i + 1]; k++) sum += a->value[k] * x[a->column[k]];
      y[r + i] = sum;
    }
  }
}

/* Sixteen sums, so that a core waits only for memory. */
static void read_values(const rows *a, const double *x, double *y)
{
  double sum[16] = {0};
  (void)x;
  for (int k = 0; k + 16 <= a->offset[a->n]; k += 16) {
    __builtin_prefetch(a->value + k + AHEAD);
    __builtin_prefetch(a->value + k + AHEAD + LINE);
    for (int i = 0; i < 16; i++) sum[i] += a->value[k + i];
  }
  memcpy(y, sum, (size_t)(a->n < 16 ? a->n : 16) * sizeof *y);
}

static double seconds(product *multiply, const rows *a, const double *x, double *y)
{
  struct timespec from, to;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
  multiply(a, x, y);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
  return (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

static double ratio_to_rows(double took[FORMS][ROUNDS], int form)
{
  double ratio[ROUNDS];
  for (int k = 0; k < ROUNDS; k++) ratio[k] = took[form][k] / took[0][k];
  return median(ratio, ROUNDS);
}

static const char *same_bits(const rows *a, double *const y[FORMS], int form)
{
  return memcmp(y[0], y[form], (size_t)a->n * sizeof **y) ? "other bits" : "the same bits";
}

int main(int argc, char **argv)
{
  static product *const forms[FORMS] = {multiply_rows, multiply_narrow, multiply_four, read_values};
  static double took[FORMS][ROUNDS];
  const int side = argc > 1 ? atoi(argv[1]) : 701;
  if (side < 2 || side > 10000) {
    fprintf(stderr, "usage: product_rows [points along an edge, 2 to 10000]\n");
    return 2;
  }
  rows a = make_rows(side);
  add_narrow(&a);
  double *x = allocate((size_t)a.n * sizeof *x), *y[FORMS];
  for (int i = 0; i < a.n; i++) x[i] = 1.0 / (3 + i % 17);
  for (int f = 0; f < FORMS; f++) y[f] = allocate((size_t)a.n * sizeof *x);
  for (int k = 0; k < ROUNDS; k++)
    for (int f = 0; f < FORMS; f++) took[f][k] = seconds(forms[f], &a, x, y[f]);
  const double narrow = ratio_to_rows(took, 1), four = ratio_to_rows(took, 2);
  printf(
    "%d rows: row by row %.3f ms; columns of 16 bits %.2f of it, %s; four at once %.2f, %s; reading values "
    "%.1f GB/s\n",
    a.n, 1e3 * median(took[0], ROUNDS), narrow, same_bits(&a, y, 1), four, same_bits(&a, y, 2),
    1e-9 * (double)a.offset[a.n] * sizeof *a.value / median(took[3], ROUNDS));
  return 0;
}
