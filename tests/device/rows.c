/* SPDX-License-Identifier: BSD-2-Clause
 * The text of an assembly row by row, on one rank and on several, on a driver without a device (fake_cuda.c):
 * it asks for each column whether the row has it only where a mask drops some.
 */
#include "device_suite.h"
#include "sandbox.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 50 };

PL_KERNEL(rows_whole, (double A[2][2]), { A[0][0] += 1, A[1][1] += 1, A[0][1] -= 1, A[1][0] -= 1; })
PL_KERNEL(rows_masked, (double A[2][2]), { A[0][0] += 2, A[1][1] += 2, A[0][1] -= 2, A[1][0] -= 2; })

/* A chain of cells, of which each rank declares a part. */
static void declare(pl_context *pl, pl_map **ends, pl_mat **a, pl_dat **mask)
{
  const int first = CELLS * pl_rank(pl), nodes = CELLS + (pl_rank(pl) == pl_ranks(pl) - 1);
  int index[2 * CELLS];
  uint8_t dropped[CELLS + 1] = {0, 1};
  pl_set *cells, *points;
  pl_sparsity *sparsity;
  for (int i = 0; i < 2 * CELLS; i++) index[i] = first + (i + 1) / 2;
  OK(pl_decl_set(pl, CELLS, "cells", &cells));
  OK(pl_decl_set(pl, nodes, "points", &points));
  OK(pl_decl_map(cells, points, 2, index, "ends", ends));
  OK(pl_decl_dat(points, 1, PL_UINT8, dropped, "mask", mask));
  OK(pl_decl_sparsity(points, 1, points, 1, 1, &(pl_map_pair){*ends, *ends}, "pattern", &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "A", a));
}

/* The text of the kernel's loop says `part`. */
static bool has_text(const char *folder, const char *kernel, const char *part)
{
  char last[NAME_MAX + 1];
  CU_ASSERT_EQUAL_FATAL(sandbox_count(folder, kernel, last), 1);
  char *text = sandbox_read(sandbox_path(folder, last), NULL);
  const bool has = strstr(text, part);
  free(text);
  return has;
}

static void test_texts(void)
{
  char folder[PATH_MAX];
  pl_context *pl;
  pl_map *ends;
  pl_mat *a;
  pl_dat *mask;
  snprintf(folder, sizeof folder, "%s", sandbox_path(sandbox_folder, "dump"));
  setenv("PLAIT_DUMP", folder, 1);
  setenv("PLAIT_TRANSPORT", "staged", 1); /* the driver shares no memory */
  OK(open_with("conflict=gather", &pl));
  declare(pl, &ends, &a, &mask);
  OK(pl_par_loop(rows_whole, pl_map_from(ends), pl_arg_mat(a, ends, ends, PL_INC)));
  OK(pl_par_loop(rows_masked, pl_map_from(ends),
                 pl_arg_masked(pl_arg_mat(a, ends, ends, PL_INC), NULL, mask)));
  pl_finalize(&pl);
  CU_ASSERT(has_text(folder, "rows_whole", "const int pl_o1") &&
            !has_text(folder, "rows_whole", "if (pl_o1"));
  CU_ASSERT(has_text(folder, "rows_masked", "if (pl_o1"));
}

int main(int argc, char **argv)
{
  CU_TestInfo tests[] = {{"texts", test_texts}, CU_TEST_INFO_NULL};
  if (argc != 2) return 2;
  backend = argv[1];
  return sandbox_main("rows", tests);
}
