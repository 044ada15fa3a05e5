/* SPDX-License-Identifier: BSD-2-Clause
 * addarrays: c = a + b. The smallest device program: one kernel, three arrays, one launch.
 */
#include "plait.h"

#include <stdlib.h>
#include <string.h>

#include "../common/options.h"

static const char text[] =
  "KERNEL void addArrays(GLOBAL const float *RESTRICT a, GLOBAL const float *RESTRICT b,\n"
  "                      GLOBAL float *RESTRICT c, int n)\n"
  "{\n"
  "  for (int i = GLOBAL_ID; i < n; i += GLOBAL_SIZE) c[i] = a[i] + b[i];\n"
  "}\n";

/* Adds two arrays of n values and compares with the sum made here, bit by bit. On several ranks each has a
 * part of the values. */
static bool add(pl_context *pl, pl_entry *kernel, int64_t all)
{
  const int64_t first = all * pl_rank(pl) / pl_ranks(pl), end = all * (pl_rank(pl) + 1) / pl_ranks(pl);
  const int32_t n = (int32_t)(end - first);
  float *a = malloc(((size_t)n + 1) * sizeof *a), *b = malloc(((size_t)n + 1) * sizeof *b),
        *c = malloc(((size_t)n + 1) * sizeof *c);
  pl_dat *da, *db, *dc;
  bool same = a && b && c;
  for (int32_t i = 0; same && i < n; i++) {
    a[i] = (float)(first + i) / 3.0f;
    b[i] = (float)(all - first - i) / 7.0f;
  }
  PL_OK(pl, pl_decl_array(pl, n, 1, PL_FLOAT, a, "a", &da));
  PL_OK(pl, pl_decl_array(pl, n, 1, PL_FLOAT, b, "b", &db));
  PL_OK(pl, pl_decl_array(pl, n, 1, PL_FLOAT, NULL, "c", &dc));
  PL_OK(pl, pl_entry_dat(kernel, 0, da, PL_READ));
  PL_OK(pl, pl_entry_dat(kernel, 1, db, PL_READ));
  PL_OK(pl, pl_entry_dat(kernel, 2, dc, PL_WRITE));
  PL_OK(pl, pl_entry_value(kernel, 3, PL_INT32, 1, &n));
  PL_OK(pl, pl_entry_run(kernel, n, 0));
  PL_OK(pl, pl_dat_fetch(dc, c));
  for (int32_t i = 0; same && i < n; i++) {
    const float sum = a[i] + b[i];
    same = !memcmp(&sum, &c[i], sizeof sum);
  }
  if (!same || !pl_rank(pl)) printf("%9lld values: %s\n", (long long)all, same ? "right" : "WRONG");
  pl_dat_free(&da);
  pl_dat_free(&db);
  pl_dat_free(&dc);
  free(a);
  free(b);
  free(c);
  return same;
}

int main(int argc, char **argv)
{
  static const int32_t sizes[] = {0, 1, 31, 32, 33, 1000, 1 << 20, (1 << 20) + 7};
  int64_t size = 1 << 20;
  bool checking = false, good = true;
  pl_context *pl;
  pl_program *program;
  pl_entry *kernel;
  const option_program about = {"addarrays", "c = a + b by a device program.", NULL, true};
  const option_row rows[] = {
    {"size", "N", OPTION_INTEGER, &size, 0, 1 << 30, "values in each array"},
    {"check", NULL, OPTION_FLAG, &checking, 0, 0, "add arrays of all reference sizes"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  const int status = options_parse(&about, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_program_create(pl, text, NULL, "addarrays.cl", &program));
  PL_OK(pl, pl_program_kernel(program, "addArrays", &kernel));
  if (!checking) good = add(pl, kernel, size);
  for (size_t i = 0; checking && i < sizeof sizes / sizeof *sizes; i++) good &= add(pl, kernel, sizes[i]);
  pl_finalize(&pl);
  return good ? 0 : 1;
}
