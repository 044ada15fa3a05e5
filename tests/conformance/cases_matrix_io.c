/* SPDX-License-Identifier: BSD-2-Clause
 * Pictures and bytes of sparsities.
 */
#include "matrices.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* One file for all ranks, which one process has started. */
static void shared_path(conf *c, char path[256])
{
  const char *temp = getenv("TMPDIR");
  snprintf(path, 256, "%.150s/plait-matrix-%ld.pgm", temp && *temp ? temp : "/tmp",
           (long)(pl_ranks(c->pl) > 1 ? getppid() : getpid()));
}

/* The picture of `pixels` has these bytes, on every rank. */
static void check_picture(conf *c, pl_sparsity *sparsity, int pixels, const char *head,
                          const unsigned char *want)
{
  char path[256];
  unsigned char got[64] = {0};
  const size_t n = strlen(head);
  shared_path(c, path);
  OK(pl_sparsity_draw(sparsity, path, pixels));
  FILE *file = fopen(path, "rb");
  const size_t size = file ? fread(got, 1, sizeof got, file) : 0;
  if (file) fclose(file);
  int width = 0, height = 0;
  sscanf(head, "P5 %d %d", &width, &height);
  CHECK(size == n + (size_t)(width * height));
  CHECK(!memcmp(got, head, n) && !memcmp(got + n, want, (size_t)(width * height)));
  OK(pl_sync(c->pl));
  OK(pl_sparsity_draw(sparsity, path, 1)); /* collective: all ranks have read the file */
  if (pl_rank(c->pl) == 0) remove(path);
}

/* Four nodes on a line: a tridiagonal matrix, as such and with blocks of 2 x 1. */
static void case_picture(conf *c)
{
  static const int ends[] = {0, 1, 1, 2, 2, 3};
  static const double weight[] = {1, 2, 3};
  static const unsigned char whole[] = {0, 0, 255, 255, 0, 0, 0, 255, 255, 0, 0, 0, 255, 255, 0, 0},
                             half[] = {0, 144, 144, 0}, blocks[] = {0, 255, 0, 96, 96, 0, 255, 0};
  pl_set *lines = conf_set(c, 3, "lines"), *nodes = conf_set(c, 4, "nodes");
  pl_map *map = conf_map(c, lines, nodes, 2, ends, "ends");
  pl_dat *dat = conf_dat(c, lines, 1, PL_DOUBLE, weight, "weight");
  const pl_map_pair pair = {map, map};
  pl_sparsity *scalar = NULL, *rows_of_two = NULL;
  pl_mat *mat = NULL;
  OK(pl_decl_sparsity(nodes, 1, nodes, 1, 1, &pair, "line", &scalar));
  OK(pl_decl_sparsity(nodes, 2, nodes, 1, 1, &pair, "blocks", &rows_of_two));
  CHECK(pl_sparsity_bytes(scalar) == 0);
  check_picture(c, scalar, 100, "P5\n4 4\n255\n", whole);
  check_picture(c, scalar, 2, "P5\n2 2\n255\n", half);
  check_picture(c, rows_of_two, 4, "P5\n2 4\n255\n", blocks);
  const size_t pattern = pl_sparsity_bytes(scalar);
  OK(pl_decl_mat(scalar, PL_DOUBLE, "mat", &mat));
  OK(pl_par_loop(tensor_kernel(c, 2, 2, false), lines, DIRECT(dat, PL_READ),
                 pl_arg_mat(mat, map, map, PL_INC)));
  if (pl_ranks(c->pl) == 1) {
    CHECK(pattern == (5 + 10) * sizeof(int)); /* offsets and columns */
    CHECK(pl_sparsity_bytes(scalar) == pattern + 3 * 4 * sizeof(int));
  }
  FAILS(pl_sparsity_draw(scalar, "/nonexistent/x.pgm", 0), PL_ERR_RANGE, "0 pixels", "4096");
  FAILS(pl_sparsity_draw(scalar, "/nonexistent/x.pgm", 4), PL_ERR_IO, "/nonexistent/x.pgm");
  pl_mat_free(&mat);
  pl_sparsity_free(&scalar);
  pl_sparsity_free(&rows_of_two);
}

const conf_case conf_matrix_io[] = {
  {"matrix: picture and bytes of a pattern", "P26", case_picture, CONF_RANKS | CONF_NEEDS_JIT | CONF_EAGER},
  {NULL, NULL, NULL, 0},
};
