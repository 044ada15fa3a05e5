/* SPDX-License-Identifier: BSD-2-Clause
 * Rows in several pieces: each row of the file comes once, with its record, to the rank that writes it, from
 * memory and from functions, whichever ranks own the elements.
 *
 * Runs also under mpirun.
 */
#include "core/io/row_source.h"
#include "checks.h"
#include "suite.h"
#include <stdlib.h>
#include <string.h>

enum { N = 60, WORDS = 20000 }; /* elements; numbers of a record, of which a piece of 2 MB holds 13 */

typedef struct world {
  pl_context *pl;
  pl_set *set;
  pl_dat *x;
  pl_h5_routes *list;
  pl_h5_file file;
} world;

static void fill_record(int64_t row, int64_t *record)
{
  for (int64_t k = 0; k < WORDS; k++) record[k] = row * WORDS + k;
}

static void open_world(world *w, pl_partition_method method)
{
  memset(w, 0, sizeof *w);
  w->pl = CONTEXT("backend=seq", "mpi=auto");
  w->file = (pl_h5_file){.pl = w->pl, .routes = &w->list};
  const int n = pl_rank(w->pl) ? 0 : N;
  int64_t *values = malloc((size_t)(n + 1) * WORDS * sizeof *values);
  CU_ASSERT_PTR_NOT_NULL_FATAL(values);
  for (int i = 0; i < n; i++) fill_record(i, values + (size_t)i * WORDS);
  PL_OK(w->pl, pl_decl_set(w->pl, n, "set", &w->set));
  PL_OK(w->pl, pl_decl_dat(w->set, WORDS, PL_INT64, values, "x", &w->x));
  PL_OK(w->pl, pl_partition(w->set, method, &(pl_partition_options){.seed = 3}));
  free(values);
}

static void close_world(world *w)
{
  pl_h5_routes_free(w->pl, &w->list);
  pl_finalize(&w->pl);
}

/* Takes all pieces; the rows of this rank come once and in order. */
static void take_pieces(world *w, const pl_h5_records *records)
{
  const pl_h5_routes *routes, *again;
  pl_h5_row_source s;
  int64_t *wanted = malloc(WORDS * sizeof *wanted);
  CU_ASSERT_PTR_NOT_NULL_FATAL(wanted);
  PL_OK(w->pl, pl_h5_routes_of(&w->file, w->set, &routes));
  PL_OK(w->pl, pl_h5_routes_of(&w->file, w->set, &again));
  CU_ASSERT_PTR_EQUAL(routes, again);
  PL_OK(w->pl, pl_h5_open_set(w->pl, routes, records, &s));
  int64_t next = routes->block.first;
  CU_ASSERT_TRUE(s.base.pieces > 1 || routes->together);
  for (int64_t i = 0; i < s.base.pieces; i++) {
    pl_h5_block rows;
    const void *values;
    PL_OK(w->pl, s.base.piece(&s.base, i, &rows, &values));
    CU_ASSERT_EQUAL(rows.first, next);
    for (int64_t r = 0; r < rows.count; r++) {
      fill_record(rows.first + r, wanted);
      CU_ASSERT_EQUAL(memcmp((const int64_t *)values + r * WORDS, wanted, WORDS * sizeof *wanted), 0);
    }
    next += rows.count;
  }
  CU_ASSERT_EQUAL(next, routes->block.first + routes->block.count);
  pl_h5_source_close(&s);
  free(wanted);
}

/* The elements' own numbers are their global indices. */
static void fill_elements(const void *object, int64_t first, int64_t count, void *values)
{
  const int64_t *global = object;
  for (int64_t i = 0; i < count; i++) fill_record(global[first + i], (int64_t *)values + i * WORDS);
}

static void from_memory(void)
{
  static const pl_partition_method methods[] = {PL_PARTITION_BLOCK, PL_PARTITION_RANDOM};
  for (int m = 0; m < 2; m++) {
    world w;
    void *values;
    open_world(&w, methods[m]);
    PL_OK(w.pl, pl_dat_get(w.x, PL_READ, &values));
    take_pieces(&w, &(pl_h5_records){.stride = WORDS * sizeof(int64_t), .values = values});
    PL_OK(w.pl, pl_dat_put(w.x));
    close_world(&w);
  }
}

static void from_functions(void)
{
  int64_t global[N];
  world w;
  open_world(&w, PL_PARTITION_RANDOM);
  PL_OK(w.pl, pl_set_global(w.set, global));
  take_pieces(&w,
              &(pl_h5_records){.stride = WORDS * sizeof(int64_t), .fill = fill_elements, .object = global});
  close_world(&w);
}

/* Rows of no bytes have no pieces. */
static void no_bytes(void)
{
  world w;
  const pl_h5_routes *routes;
  pl_h5_row_source s;
  open_world(&w, PL_PARTITION_RANDOM);
  PL_OK(w.pl, pl_h5_routes_of(&w.file, w.set, &routes));
  PL_OK(w.pl, pl_h5_open_set(w.pl, routes, &(pl_h5_records){.stride = 0}, &s));
  CU_ASSERT_EQUAL(s.base.pieces, 0);
  pl_h5_source_close(&s);
  close_world(&w);
}

static CU_TestInfo tests[] = {{"from memory", from_memory},
                              {"from functions", from_functions},
                              {"rows of no bytes", no_bytes},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run("row sources", tests);
}
