/* SPDX-License-Identifier: BSD-2-Clause
 * Each allocation of pl_checkpoint and pl_restore fails once: an error with a message, the file and all
 * values as before, and the next call succeeds.
 */
#include "checks.h"
#include "failing_memory.h"
#include "sandbox.h"
#include <string.h>

enum { CELLS = 12, NODES = 7 };

static failing_memory memory;

typedef struct world {
  pl_context *pl;
  pl_dat *q;
  pl_global *step;
  pl_const *scale;
} world;

static void declare(world *w)
{
  static const char *const options[] = {"backend=seq", "mpi=off", NULL};
  const pl_settings settings = {.options = options, .realloc = failing_realloc, .realloc_user = &memory};
  int corner[CELLS][3], offset[NODES + 1];
  pl_set *cells, *nodes;
  pl_map *corners, *around;
  pl_dat *x;
  pl_context *pl;
  for (int i = 0; i < 3 * CELLS; i++) corner[i / 3][i % 3] = i * 5 % NODES;
  for (int i = 0; i <= NODES; i++) offset[i] = i;
  failing_memory_open(&memory);
  OK(pl_init(NULL, NULL, &settings, &pl));
  OK(pl_decl_set(pl, CELLS, "cells", &cells));
  OK(pl_decl_set(pl, NODES, "nodes", &nodes));
  OK(pl_decl_map(cells, nodes, 3, corner[0], "corners", &corners));
  OK(pl_decl_map_ragged(nodes, cells, offset, offset, "around", &around));
  OK(pl_decl_dat(cells, 2, PL_DOUBLE, NULL, "q", &w->q));
  OK(pl_decl_dat(nodes, 2, PL_DOUBLE, NULL, "x", &x));
  OK(pl_decl_global(pl, 1, PL_INT64, NULL, "step", &w->step));
  OK(pl_decl_const(pl, "scale", 1, PL_DOUBLE, &(double){0}, &w->scale));
  OK(pl_vtk_grid(x, corners));
  w->pl = pl;
}

static void fill(world *w, double value)
{
  double *q;
  OK(pl_dat_get(w->q, PL_WRITE, (void **)&q));
  for (int i = 0; i < 2 * CELLS; i++) q[i] = value + i;
  OK(pl_dat_put(w->q));
  OK(pl_global_set_as(w->step, PL_INT64, &(int64_t){(int64_t)value}));
  OK(pl_const_set_as(w->scale, PL_DOUBLE, &value));
}

static bool holds(world *w, double value)
{
  double q[2 * CELLS], scale;
  int64_t step;
  OK(pl_dat_fetch_as(w->q, PL_DOUBLE, q));
  OK(pl_global_get_as(w->step, PL_INT64, &step));
  OK(pl_const_get_as(w->scale, PL_DOUBLE, &scale));
  bool good = step == (int64_t)value && scale == value;
  for (int i = 0; i < 2 * CELLS; i++) good = good && q[i] == value + i;
  return good;
}

/* Calls until no allocation fails; `unchanged` values after each failure. */
static void fail_each(world *w, pl_err (*call)(pl_context *, const char *), const char *path,
                      double unchanged)
{
  long n = 0;
  pl_err err;
  do {
    failing_memory_start(&memory, n++, false);
    err = call(w->pl, path);
    failing_memory_stop(&memory);
    CU_ASSERT_TRUE(!err || (err == PL_ERR_MEMORY && *pl_errmsg(w->pl)));
    if (err) CU_ASSERT_TRUE(holds(w, unchanged));
  } while (err && n < 1000);
  CU_ASSERT_TRUE(n > 10 && !err);
}

static void each_allocation(void)
{
  world w;
  const char *path = sandbox_path(sandbox_folder, "state.h5");
  declare(&w);
  fill(&w, 1);
  if (pl_checkpoint(w.pl, path)) {
    CONTAINS(pl_errmsg(w.pl), "libplait-hdf5"); /* built without HDF5 */
  } else {
    fill(&w, 2);
    fail_each(&w, pl_restore, path, 2);
    CU_ASSERT_TRUE(holds(&w, 1));
    fill(&w, 3);
    fail_each(&w, pl_checkpoint, path, 3);
    fill(&w, 4);
    OK(pl_restore(w.pl, path));
    CU_ASSERT_TRUE(holds(&w, 3));
    CU_ASSERT_EQUAL(sandbox_count(sandbox_folder, ".tmp-", NULL), 0);
  }
  pl_finalize(&w.pl);
  CU_ASSERT_EQUAL(memory.blocks, 0);
  CU_ASSERT_STRING_EQUAL(memory.complaint, "");
  failing_memory_close(&memory);
}

int main(void)
{
  CU_TestInfo tests[] = {{"each allocation of checkpoints fails", each_allocation}, CU_TEST_INFO_NULL};
  return sandbox_main("checkpoints", tests);
}
