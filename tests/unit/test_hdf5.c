/* SPDX-License-Identifier: BSD-2-Clause
 * HDF5 files: what is written is what is read, in the order of declaration, after renumbering too; what is
 * not there or does not fit is an error; without HDF5 one sentence says what to install.
 *
 * test_hdf5 FOLDER
 */
#include "core/context.h"

#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 50, NODES = 37, ARITY = 3 };

static char path[1024];

static pl_context *open_context(void)
{
  const char *options[] = {"backend=seq", NULL};
  pl_settings settings = {.options = options};
  pl_context *pl;
  CU_ASSERT_EQUAL_FATAL(pl_init(NULL, NULL, &settings, &pl), PL_SUCCESS);
  return pl;
}

typedef struct mesh {
  pl_set *cells, *nodes, *none;
  pl_map *map;
  pl_dat *x, *z, *small, *empty;
  pl_const *gamma;
  int index[CELLS * ARITY];
  double xy[CELLS * 6];
  pl_cfloat complex[NODES];
  int8_t bytes[NODES];
} mesh;

static void declare(pl_context *pl, mesh *m)
{
  const double gamma[2] = {1.4, -2};
  for (int i = 0; i < CELLS * ARITY; i++) m->index[i] = i % 11 ? i * 7 % NODES : -1;
  for (int i = 0; i < CELLS * 6; i++) m->xy[i] = i / 3.0;
  for (int i = 0; i < NODES; i++) {
    m->complex[i] = (pl_cfloat){(float)i, (float)-i};
    m->bytes[i] = (int8_t)(i - 20);
  }
  PL_OK(pl, pl_decl_set(pl, CELLS, "cells", &m->cells));
  PL_OK(pl, pl_decl_set(pl, NODES, "nodes", &m->nodes));
  PL_OK(pl, pl_decl_set(pl, 0, "none", &m->none));
  PL_OK(pl, pl_decl_map(m->cells, m->nodes, ARITY, m->index, "map", &m->map));
  PL_OK(pl, pl_decl_dat_shape(m->cells, 2, (int[]){2, 3}, PL_DOUBLE, m->xy, "x", &m->x));
  PL_OK(pl, pl_decl_dat(m->nodes, 1, PL_COMPLEX_FLOAT, m->complex, "z", &m->z));
  PL_OK(pl, pl_decl_dat(m->nodes, 1, PL_INT8, m->bytes, "small", &m->small));
  PL_OK(pl, pl_decl_dat(m->none, 4, PL_UINT16, NULL, "empty", &m->empty));
  PL_OK(pl, pl_decl_const(pl, "gamma", 2, PL_DOUBLE, gamma, &m->gamma));
}

static void read_back(const mesh *wrote)
{
  pl_context *pl = open_context();
  mesh m;
  double xy[CELLS * 6], gamma[2];
  pl_cfloat complex[NODES];
  int8_t bytes[NODES];
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "cells", &m.cells));
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "nodes", &m.nodes));
  PL_OK(pl, pl_decl_set_hdf5(pl, path, "none", &m.none));
  CU_ASSERT_EQUAL_FATAL(pl_set_size(m.cells), CELLS);
  CU_ASSERT_EQUAL(pl_set_size(m.none), 0);
  PL_OK(pl, pl_decl_map_hdf5(m.cells, m.nodes, path, "map", &m.map));
  CU_ASSERT_EQUAL_FATAL(pl_map_arity(m.map), ARITY);
  CU_ASSERT_EQUAL(memcmp(pl_map_indices(m.map), wrote->index, sizeof wrote->index), 0);
  PL_OK(pl, pl_decl_dat_hdf5(m.cells, path, "x", &m.x));
  PL_OK(pl, pl_decl_dat_hdf5(m.nodes, path, "z", &m.z));
  PL_OK(pl, pl_decl_dat_hdf5(m.nodes, path, "small", &m.small));
  PL_OK(pl, pl_decl_dat_hdf5(m.none, path, "empty", &m.empty));
  CU_ASSERT_EQUAL_FATAL(pl_dat_dim(m.x), 6);
  CU_ASSERT_EQUAL(pl_dat_dim(m.empty), 4);
  CU_ASSERT_EQUAL(pl_dat_type(m.empty), PL_UINT16);
  CU_ASSERT_EQUAL_FATAL(pl_dat_type(m.z), PL_COMPLEX_FLOAT);
  CU_ASSERT_EQUAL_FATAL(pl_dat_type(m.small), PL_INT8);
  PL_OK(pl, pl_dat_fetch(m.x, xy));
  PL_OK(pl, pl_dat_fetch(m.z, complex));
  PL_OK(pl, pl_dat_fetch(m.small, bytes));
  CU_ASSERT_EQUAL(memcmp(xy, wrote->xy, sizeof xy), 0);
  CU_ASSERT_EQUAL(memcmp(complex, wrote->complex, sizeof complex), 0);
  CU_ASSERT_EQUAL(memcmp(bytes, wrote->bytes, sizeof bytes), 0);
  PL_OK(pl, pl_decl_const_hdf5(pl, path, "gamma", &m.gamma));
  PL_OK(pl, pl_const_get(m.gamma, gamma));
  CU_ASSERT_EQUAL(gamma[0], 1.4);
  CU_ASSERT_EQUAL(gamma[1], -2);
  pl_finalize(&pl);
}

#if PLAIT_HAVE_HDF5

static void round_trip(void)
{
  pl_context *pl = open_context();
  mesh m;
  declare(pl, &m);
  CU_ASSERT_EQUAL_FATAL(pl_hdf5_write(pl, path), PL_SUCCESS);
  read_back(&m);
  CU_ASSERT_EQUAL_FATAL(pl_renumber(pl, PL_RENUMBER_RCM, m.map, NULL), PL_SUCCESS);
  CU_ASSERT_EQUAL_FATAL(pl_hdf5_write(pl, path), PL_SUCCESS);
  read_back(&m);
  pl_finalize(&pl);
}

static void complains(pl_context *pl, pl_err err, pl_err wanted, const char *word)
{
  CU_ASSERT_EQUAL(err, wanted);
  bool said = strstr(pl_errmsg(pl), word) != NULL;
  if (!said) fprintf(stderr, "\"%s\" is not in: %s\n", word, pl_errmsg(pl));
  CU_ASSERT_TRUE(said);
}

static void refused(void)
{
  pl_context *pl = open_context();
  mesh m;
  pl_set *set;
  pl_map *map;
  pl_dat *dat;
  void *view;
  declare(pl, &m);
  CU_ASSERT_EQUAL_FATAL(pl_hdf5_write(pl, path), PL_SUCCESS);
  complains(pl, pl_decl_set_hdf5(pl, path, "sells", &set), PL_ERR_IO, "no \"/sets/sells\"");
  complains(pl, pl_decl_dat_hdf5(m.nodes, path, "x", &dat), PL_ERR_IO, "50 rows");
  complains(pl, pl_decl_map_hdf5(m.nodes, m.cells, path, "map", &map), PL_ERR_IO, "50 rows");
  complains(pl, pl_decl_map_hdf5(m.cells, m.none, path, "map", &map), PL_ERR_RANGE, "\"none\"");
  complains(pl, pl_decl_set_hdf5(pl, "/nowhere/at/all.h5", "cells", &set), PL_ERR_IO, "/nowhere/at/all.h5");
  complains(pl, pl_hdf5_write(pl, "/nowhere/at/all.h5"), PL_ERR_IO, "cannot create it");
  FILE *file = fopen(path, "w");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fputs("no HDF5", file);
  fclose(file);
  complains(pl, pl_decl_set_hdf5(pl, path, "cells", &set), PL_ERR_IO, "cannot open it");
  PL_OK(pl, pl_dat_get(m.x, PL_RW, &view));
  complains(pl, pl_hdf5_write(pl, path), PL_ERR_STATE, "\"x\"");
  PL_OK(pl, pl_dat_put(m.x));
  PL_OK(pl, pl_decl_map_ragged(m.nodes, m.none, (int[NODES + 1]){0}, (int[]){0}, "ragged", &map));
  complains(pl, pl_hdf5_write(pl, path), PL_ERR_IO, "\"ragged\"");
  pl_finalize(&pl);
}

#else

static void missing(void)
{
  pl_context *pl = open_context();
  pl_set *set;
  CU_ASSERT_EQUAL(pl_hdf5_write(pl, path), PL_ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(pl), "libhdf5-openmpi-dev"));
  CU_ASSERT_EQUAL(pl_decl_set_hdf5(pl, path, "cells", &set), PL_ERR_IO);
  (void)declare, (void)read_back;
  pl_finalize(&pl);
}

#endif

int main(int argc, char **argv)
{
  snprintf(path, sizeof path, "%s/test_hdf5.h5", argc > 1 ? argv[1] : ".");
  if (CU_initialize_registry() != CUE_SUCCESS) return 2;
  CU_pSuite suite = CU_add_suite("HDF5", NULL, NULL);
#if PLAIT_HAVE_HDF5
  CU_add_test(suite, "written and read", round_trip);
  CU_add_test(suite, "refused", refused);
#else
  CU_add_test(suite, "not built in", missing);
#endif
  CU_basic_set_mode(CU_BRM_VERBOSE);
  CU_basic_run_tests();
  unsigned failures = CU_get_number_of_failures();
  CU_cleanup_registry();
  remove(path);
  return failures ? 1 : 0;
}
