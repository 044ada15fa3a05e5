/* SPDX-License-Identifier: BSD-2-Clause
 * Wrong use of the library: NULL for each pointer, numbers out of range, calls in the wrong state. Every
 * call returns its documented code with a message and changes nothing, and the context stays usable.
 *
 * test_misuse BACKEND
 */
#include "checks.h"
#include "failing_memory.h"
#include "null_calls.h"
#include "sandbox.h"
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- a context with one of everything ---- */

enum { CELLS = 12, EDGES = 11 };

PL_FUNCTION(double, plus_one, (double x), { return x + 1; })
PL_KERNEL(fill, (double *x), { *x = 3; })
PL_KERNEL(add, (double *x), { *x = plus_one(*x); })
PL_KERNEL(look, (const double *x, double *sum), { *sum += *x; })
PL_KERNEL(collect, (double *x[2], const double *y), {
  x[0][0] += *y;
  x[1][0] += *y;
})

static const char *backend;
static failing_memory memory;

static struct objects {
  pl_context *pl, *other;
  pl_set *cells, *edges, *some, *foreign;
  pl_map *map, *first, *undefined;
  pl_dat *x, *y, *wide, *strange;
  pl_global *sum, *pair, *whole;
  pl_const *factor;
  const pl_kernel *text;
  pl_loop *loop;
} w;

static bool on_device(void)
{
  return strcmp(backend, "seq") && strcmp(backend, "openmp");
}

static pl_context *open_context(const char *option)
{
  static char text[40];
  pl_context *pl;
  snprintf(text, sizeof text, "backend=%s", backend);
  const char *options[] = {text, "jit=off", option, NULL};
  const pl_settings settings = {.options = options, .realloc = failing_realloc, .realloc_user = &memory};
  int before = sandbox_capture_stderr();
  pl_err err = pl_init(NULL, NULL, &settings, &pl);
  free(sandbox_captured(before));
  OK(err);
  return pl;
}

static void declare_objects(void)
{
  int ends[EDGES][2], one[EDGES];
  static const int some[3] = {1, 4, 6};
  static const double factor = 2;
  for (int e = 0; e < EDGES; e++) ends[e][0] = one[e] = e, ends[e][1] = e + 1;
  memset(&w, 0, sizeof w);
  failing_memory_open(&memory);
  w.pl = open_context(NULL);
  w.other = open_context(NULL);
  OK(pl_decl_set(w.pl, CELLS, "cells", &w.cells));
  OK(pl_decl_set(w.pl, EDGES, "edges", &w.edges));
  OK(pl_decl_set(w.other, CELLS, "foreign", &w.foreign));
  OK(pl_decl_subset(w.cells, 3, some, "some", &w.some));
  OK(pl_decl_map(w.edges, w.cells, 2, ends[0], "map", &w.map));
  OK(pl_decl_map(w.edges, w.cells, 1, one, "first", &w.first));
  OK(pl_decl_map(w.edges, w.cells, 2, NULL, "undefined", &w.undefined));
  OK(pl_decl_dat(w.cells, 1, PL_DOUBLE, NULL, "x", &w.x));
  OK(pl_decl_dat(w.edges, 1, PL_DOUBLE, NULL, "y", &w.y));
  OK(pl_decl_dat(w.cells, 3, PL_INT32, NULL, "wide", &w.wide));
  OK(pl_decl_dat(w.foreign, 1, PL_DOUBLE, NULL, "strange", &w.strange));
  OK(pl_decl_global(w.pl, 1, PL_DOUBLE, NULL, "sum", &w.sum));
  OK(pl_decl_global(w.pl, 2, PL_DOUBLE, NULL, "pair", &w.pair));
  OK(pl_decl_global(w.pl, 1, PL_INT64, NULL, "whole", &w.whole));
  OK(pl_decl_const(w.pl, "factor", 1, PL_DOUBLE, &factor, &w.factor));
  OK(pl_decl_function(w.pl, plus_one));
  OK(pl_kernel_from_source(w.pl, "text", "void text(double *x) { *x = 1; }", NULL, &w.text));
  int before = sandbox_capture_stderr(); /* it warns that jit is off */
  OK(pl_loop_create(&w.loop, fill, w.cells, pl_arg_dat(w.x, PL_ID, PL_DIRECT, PL_WRITE)));
  free(sandbox_captured(before));
}

/* Refused calls have changed nothing: the loop still works, and all memory is freed. */
static void check_objects(void)
{
  double x[CELLS];
  OK(pl_loop_run(w.loop));
  OK(pl_dat_fetch(w.x, x));
  for (int c = 0; c < CELLS; c++) CU_ASSERT_EQUAL(x[c], 3);
  pl_finalize(&w.pl);
  pl_finalize(&w.other);
  CU_ASSERT_PTR_NULL(w.pl);
  CU_ASSERT_EQUAL(memory.blocks, 0);
  CU_ASSERT_STRING_EQUAL(memory.complaint, "");
  failing_memory_close(&memory);
}

/* ---- refusals ---- */

static void refused(pl_err expected, pl_err err, const char *call, int line)
{
  const char *message = pl_errmsg(w.pl);
  bool readable = strlen(message) > 9 && strchr(message, ' ') && !strstr(message, "(null)");
  if (err != expected || !readable)
    fprintf(stderr, "\n%d: %s: %s (expected %s): %s\n", line, call, pl_errname(err), pl_errname(expected),
            message);
  CU_ASSERT_EQUAL(err, expected);
  CU_ASSERT(readable);
}

#define REFUSED(code, call) refused((code), (call), #call, __LINE__)

/* The message is that of the call, also without an object; then it says what is NULL. */
static void null_refused(pl_err err, const char *call, int line)
{
  const char *message = pl_errmsg(w.pl);
  bool refused = err == PL_ERR_NULL || err == PL_ERR_ARG;
  bool good = !strstr(message, "earlier") && !strstr(message, "pointer is NULL") &&
              !strstr(message, "(null)") && (err != PL_ERR_NULL || strstr(message, " NULL"));
  if (!refused || !good) fprintf(stderr, "\n%d: %s: %s: %s\n", line, call, pl_errname(err), message);
  CU_ASSERT(refused);
  CU_ASSERT(good);
}

#define NULL_REFUSED(call)                                                                                   \
  do {                                                                                                       \
    CU_ASSERT_EQUAL(pl_set_option(w.pl, "earlier", "error"), PL_ERR_OPTION);                                 \
    null_refused((call), #call, __LINE__);                                                                   \
  } while (0)

/* ---- NULL ---- */

static void test_null_context(void)
{
  const char *text;
  pl_stats stats;
  CU_ASSERT(strlen(pl_errmsg(NULL)) > 10);
  CU_ASSERT_EQUAL(pl_init(NULL, NULL, NULL, NULL), PL_ERR_NULL);
  pl_finalize(NULL);
  NULL_REFUSED(pl_get_option(NULL, "backend", &text));
  NULL_REFUSED(pl_get_option(w.pl, NULL, &text));
  NULL_REFUSED(pl_get_option(w.pl, "backend", NULL));
  NULL_REFUSED(pl_set_option(NULL, "shape", "auto"));
  NULL_REFUSED(pl_set_option(w.pl, NULL, "auto"));
  NULL_REFUSED(pl_set_option(w.pl, "shape", NULL));
  NULL_REFUSED(pl_reset_options(NULL));
  NULL_REFUSED(pl_option_at(NULL, 0, &text, &text, &text));
  OK(pl_option_at(w.pl, 0, NULL, NULL, NULL));
  pl_device_info device;
  NULL_REFUSED(pl_backend_at(NULL, 0, &text, &text));
  NULL_REFUSED(pl_module_at(NULL, 0, &text, &text));
  NULL_REFUSED(pl_device_at(NULL, "seq", 0, &device));
  NULL_REFUSED(pl_device_at(w.pl, NULL, 0, &device));
  NULL_REFUSED(pl_device_at(w.pl, "seq", 0, NULL));
  OK(pl_backend_at(w.pl, 0, NULL, NULL));
  OK(pl_module_at(w.pl, 0, NULL, NULL));
  CU_ASSERT_STRING_EQUAL(pl_backend_name(NULL), "none");
  CU_ASSERT_EQUAL(pl_backend_threads(NULL), 1);
  NULL_REFUSED(pl_get_stats(NULL, &stats));
  NULL_REFUSED(pl_get_stats(w.pl, NULL));
  NULL_REFUSED(pl_get_stats_ranks(NULL, &stats, &stats));
  NULL_REFUSED(pl_get_stats_ranks(w.pl, NULL, NULL));
}

static void test_null_sets_and_maps(void)
{
  pl_dat *dat = NULL;
  static const int64_t parts[4] = {1, 1, 1, 1};
  static const int indices[1] = {0};
  pl_set *set = NULL;
  static const int row_ends[EDGES + 1] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  pl_map *map = NULL;
  NULL_REFUSED(pl_decl_set(NULL, 1, "s", &set));
  NULL_REFUSED(pl_decl_set(w.pl, 1, "s", NULL));
  NULL_REFUSED(pl_decl_set_parts(NULL, parts, "s", &set));
  NULL_REFUSED(pl_decl_set_parts(w.pl, NULL, "s", &set));
  NULL_REFUSED(pl_decl_set_parts(w.pl, parts, "s", NULL));
  NULL_REFUSED(pl_decl_subset(NULL, 1, indices, "s", &set));
  NULL_REFUSED(pl_decl_subset(w.cells, 1, NULL, "s", &set));
  NULL_REFUSED(pl_decl_subset(w.cells, 1, indices, "s", NULL));
  NULL_REFUSED(pl_decl_subset_local(w.cells, 1, indices, "s", NULL));
  NULL_REFUSED(pl_decl_subset_local(NULL, 1, indices, "s", &set));
  NULL_REFUSED(pl_decl_subset_local(w.cells, 1, NULL, "s", &set));
  NULL_REFUSED(pl_subset_combine(NULL, PL_UNION, w.cells, "s", &set));
  NULL_REFUSED(pl_subset_combine(w.cells, PL_UNION, NULL, "s", &set));
  NULL_REFUSED(pl_subset_combine(w.cells, PL_UNION, w.some, "s", NULL));
  CU_ASSERT_EQUAL(pl_set_size(NULL), 0);
  CU_ASSERT_EQUAL(pl_set_total(NULL), 0);
  CU_ASSERT_STRING_EQUAL(pl_set_name(NULL), "");
  CU_ASSERT_PTR_NULL(pl_set_parent(NULL));
  CU_ASSERT_PTR_NULL(pl_subset_indices(NULL));
  NULL_REFUSED(pl_decl_map(NULL, w.cells, 1, indices, "m", &map));
  NULL_REFUSED(pl_decl_map(w.edges, NULL, 1, indices, "m", &map));
  NULL_REFUSED(pl_decl_map(w.edges, w.cells, 1, indices, "m", NULL));
  CU_ASSERT_EQUAL(pl_hdf5_write(NULL, "x.h5"), PL_ERR_NULL);
  NULL_REFUSED(pl_hdf5_write(w.pl, NULL));
  CU_ASSERT_EQUAL(pl_hdf5_write_objects(NULL, "x.h5", NULL), PL_ERR_NULL);
  NULL_REFUSED(pl_hdf5_write_objects(w.pl, NULL, NULL));
  CU_ASSERT_EQUAL(pl_checkpoint(NULL, "x.h5"), PL_ERR_NULL);
  NULL_REFUSED(pl_checkpoint(w.pl, NULL));
  CU_ASSERT_EQUAL(pl_restore(NULL, "x.h5"), PL_ERR_NULL);
  NULL_REFUSED(pl_restore(w.pl, NULL));
  NULL_REFUSED(pl_vtk_grid(NULL, NULL));
  CU_ASSERT_EQUAL(pl_checkpoint_keep(NULL, "x.h5", 1), PL_ERR_NULL);
  NULL_REFUSED(pl_checkpoint_keep(w.pl, NULL, 1));
  NULL_REFUSED(pl_vtk_append(NULL, "x.h5", 0.0));
  NULL_REFUSED(pl_vtk_append(w.x, NULL, 0.0));
  NULL_REFUSED(pl_decl_set_hdf5(w.pl, NULL, "s", NULL));
  NULL_REFUSED(pl_decl_set_hdf5(NULL, "x.h5", "s", &set));
  NULL_REFUSED(pl_decl_set_hdf5(w.pl, "x.h5", NULL, &set));
  NULL_REFUSED(pl_decl_set_hdf5(w.pl, "x.h5", "s", NULL));
  NULL_REFUSED(pl_decl_map_hdf5(NULL, w.edges, "x.h5", "m", &map));
  NULL_REFUSED(pl_decl_map_hdf5(w.cells, NULL, "x.h5", "m", &map));
  NULL_REFUSED(pl_decl_map_hdf5(w.cells, w.edges, NULL, "m", &map));
  NULL_REFUSED(pl_decl_map_hdf5(w.cells, w.edges, "x.h5", NULL, &map));
  NULL_REFUSED(pl_decl_dat_hdf5(NULL, "x.h5", "d", &dat));
  NULL_REFUSED(pl_decl_dat_hdf5(w.cells, NULL, "d", &dat));
  NULL_REFUSED(pl_decl_dat_hdf5(w.cells, "x.h5", "d", NULL));
  NULL_REFUSED(pl_decl_const_hdf5(NULL, "x.h5", "c", NULL));
  NULL_REFUSED(pl_decl_const_hdf5(w.pl, "x.h5", NULL, NULL));
  NULL_REFUSED(pl_decl_map_hdf5(w.cells, w.edges, "x.h5", "m", NULL));
  NULL_REFUSED(pl_decl_dat_hdf5(w.cells, "x.h5", NULL, NULL));
  NULL_REFUSED(pl_decl_const_hdf5(w.pl, NULL, "c", NULL));
  CU_ASSERT_EQUAL(pl_renumber(NULL, PL_RENUMBER_AUTO, NULL, NULL), PL_ERR_NULL);
  const int64_t wide[EDGES] = {0};
  NULL_REFUSED(pl_decl_map_global(NULL, w.cells, 1, wide, "m", &map));
  NULL_REFUSED(pl_decl_map_global(w.edges, NULL, 1, wide, "m", &map));
  NULL_REFUSED(pl_decl_map_global(w.edges, w.cells, 1, NULL, "m", &map));
  NULL_REFUSED(pl_decl_map_global(w.edges, w.cells, 1, wide, "m", NULL));
  NULL_REFUSED(pl_partition(NULL, PL_PARTITION_BLOCK, NULL));
  OK(pl_partition(w.cells, PL_PARTITION_BLOCK, NULL));
  NULL_REFUSED(pl_set_global(NULL, NULL));
  NULL_REFUSED(pl_raise(NULL, PL_ERR_IO, NULL));
  REFUSED(PL_ERR_IO, pl_raise(w.pl, PL_ERR_IO, NULL));
  REFUSED(PL_ERR_ARG, pl_raise(w.pl, (pl_err)9999, "none"));
  OK(pl_raise(w.pl, PL_SUCCESS, NULL));
  NULL_REFUSED(pl_set_imbalance(NULL, NULL));
  NULL_REFUSED(pl_set_imbalance(w.cells, NULL));
  NULL_REFUSED(pl_get_partition(NULL, NULL));
  NULL_REFUSED(pl_dat_freeze_halo(NULL, PL_READ));
  NULL_REFUSED(pl_dat_unfreeze_halo(NULL));
  REFUSED(PL_ERR_ARG, pl_dat_freeze_halo(w.x, (pl_access)77));
  REFUSED(PL_ERR_STATE, pl_dat_unfreeze_halo(w.x));
  NULL_REFUSED(pl_get_partition(w.map, NULL));
  pl_partition_info info;
  NULL_REFUSED(pl_get_partition(NULL, &info));
  NULL_REFUSED(pl_set_global(w.cells, NULL));
  CU_ASSERT(pl_set_global_size(NULL) == 0 && pl_rank(NULL) == 0 && pl_ranks(NULL) == 1);
  NULL_REFUSED(pl_map_permute(NULL, 1, indices, "m", &map));
  NULL_REFUSED(pl_map_permute(w.map, 1, NULL, "m", &map));
  NULL_REFUSED(pl_map_permute(w.map, 1, indices, "m", NULL));
  NULL_REFUSED(pl_map_compose(NULL, w.first, "m", &map));
  NULL_REFUSED(pl_map_compose(w.map, NULL, "m", &map));
  NULL_REFUSED(pl_map_compose(w.map, w.first, "m", NULL));
  CU_ASSERT_EQUAL(pl_map_arity(NULL), 0);
  CU_ASSERT_PTR_NULL(pl_map_from(NULL));
  CU_ASSERT_PTR_NULL(pl_map_to(NULL));
  CU_ASSERT_STRING_EQUAL(pl_map_name(NULL), "");
  CU_ASSERT_PTR_NULL(pl_map_indices(NULL));
  CU_ASSERT_PTR_NULL(pl_map_offsets(NULL));
  NULL_REFUSED(pl_decl_map_ragged(NULL, w.cells, indices, indices, "m", &map));
  NULL_REFUSED(pl_decl_map_ragged(w.edges, NULL, indices, indices, "m", &map));
  NULL_REFUSED(pl_decl_map_ragged(w.edges, w.cells, NULL, indices, "m", &map));
  NULL_REFUSED(pl_decl_map_ragged(w.edges, w.cells, row_ends, NULL, "m", &map));
  NULL_REFUSED(pl_decl_map_ragged(w.edges, w.cells, indices, indices, "m", NULL));
  NULL_REFUSED(pl_decl_map_ragged_global(NULL, w.cells, indices, wide, "m", &map));
  NULL_REFUSED(pl_decl_map_ragged_global(w.edges, NULL, indices, wide, "m", &map));
  NULL_REFUSED(pl_decl_map_ragged_global(w.edges, w.cells, NULL, wide, "m", &map));
  NULL_REFUSED(pl_decl_map_ragged_global(w.edges, w.cells, indices, wide, "m", NULL));
  NULL_REFUSED(pl_map_invert(NULL, "m", &map));
  NULL_REFUSED(pl_map_invert(w.map, "m", NULL));
  pl_set_free(NULL);
  pl_set_free(&set);
  pl_map_free(NULL);
  pl_map_free(&map);
  CU_ASSERT_PTR_NULL(set);
  CU_ASSERT_PTR_NULL(map);
}

static void test_null_dats(void)
{
  static const int shape[1] = {1};
  pl_dat *dat = NULL;
  void *values = NULL;
  double value = 0;
  NULL_REFUSED(pl_decl_dat(NULL, 1, PL_DOUBLE, NULL, "d", &dat));
  NULL_REFUSED(pl_decl_dat(w.cells, 1, PL_DOUBLE, NULL, "d", NULL));
  NULL_REFUSED(pl_decl_dat_shape(NULL, 1, shape, PL_DOUBLE, NULL, "d", &dat));
  NULL_REFUSED(pl_decl_dat_shape(w.cells, 1, NULL, PL_DOUBLE, NULL, "d", &dat));
  NULL_REFUSED(pl_decl_dat_shape(w.cells, 1, shape, PL_DOUBLE, NULL, "d", NULL));
  NULL_REFUSED(pl_dat_duplicate(NULL, "d", &dat));
  NULL_REFUSED(pl_dat_duplicate(w.x, "d", NULL));
  NULL_REFUSED(pl_dat_copy(NULL, w.x));
  NULL_REFUSED(pl_dat_copy(w.x, NULL));
  NULL_REFUSED(pl_dat_zero(NULL));
  NULL_REFUSED(pl_dat_allocate_device(NULL));
  NULL_REFUSED(pl_dat_to_device(NULL));
  NULL_REFUSED(pl_dat_from_device(NULL));
  NULL_REFUSED(pl_dat_set_layout(NULL, "aos"));
  NULL_REFUSED(pl_dat_set_layout(w.x, NULL));
  NULL_REFUSED(pl_dat_zero_subset(NULL, w.some));
  NULL_REFUSED(pl_dat_zero_subset(w.x, NULL));
  NULL_REFUSED(pl_dat_get(NULL, PL_READ, &values));
  NULL_REFUSED(pl_dat_get(w.x, PL_READ, NULL));
  NULL_REFUSED(pl_dat_put(NULL));
  NULL_REFUSED(pl_dat_put_device(NULL));
  NULL_REFUSED(pl_dat_get_device(NULL, PL_READ, NULL, NULL));
  NULL_REFUSED(pl_dat_wrap(NULL, 1, PL_DOUBLE, PL_MEMORY_HOST, NULL, NULL, "x", NULL));
  NULL_REFUSED(pl_dat_fetch(NULL, &value));
  NULL_REFUSED(pl_dat_fetch(w.x, NULL));
  NULL_REFUSED(pl_dat_fetch_as(NULL, PL_DOUBLE, &value));
  NULL_REFUSED(pl_dat_fetch_as(w.x, PL_DOUBLE, NULL));
  NULL_REFUSED(pl_decl_dat_from(NULL, 1, PL_DOUBLE, PL_FLOAT, NULL, "x", &dat));
  NULL_REFUSED(pl_decl_dat_from(w.cells, 1, PL_DOUBLE, PL_FLOAT, NULL, "x", NULL));
  NULL_REFUSED(pl_dat_save(NULL, "d.npy"));
  NULL_REFUSED(pl_dat_save(w.x, NULL));
  NULL_REFUSED(pl_dat_load(NULL, "d.npy"));
  NULL_REFUSED(pl_dat_load(w.x, NULL));
  CU_ASSERT_EQUAL(pl_dat_version(NULL), 0);
  CU_ASSERT_EQUAL(pl_dat_state(NULL), PL_DEVICE_UNALLOCATED);
  CU_ASSERT_PTR_NULL(pl_dat_set(NULL));
  CU_ASSERT_EQUAL(pl_dat_dim(NULL), 0);
  CU_ASSERT_EQUAL(pl_dat_type(NULL), PL_TYPE_COUNT);
  CU_ASSERT_STRING_EQUAL(pl_dat_name(NULL), "");
  CU_ASSERT_EQUAL(pl_dat_nbytes(NULL), 0);
  CU_ASSERT_EQUAL(pl_dat_host_bytes(NULL), 0);
  pl_dat_free(NULL);
  pl_dat_free(&dat);
  CU_ASSERT_PTR_NULL(dat);
  CU_ASSERT_PTR_NULL(values);
  CU_ASSERT_EQUAL(pl_dat_version(w.x), 0);
}

static void test_null_arithmetic(void)
{
  double norm = -1;
  pl_dat *const none[1] = {NULL};
  pl_dat *const one[1] = {w.x};
  NULL_REFUSED(pl_dat_combine(NULL, PL_ADD, w.x, w.x));
  NULL_REFUSED(pl_dat_combine(w.x, PL_ADD, NULL, w.x));
  NULL_REFUSED(pl_dat_combine(w.x, PL_ADD, w.x, NULL));
  NULL_REFUSED(pl_dat_combine_global(NULL, PL_ADD, w.sum, w.x));
  NULL_REFUSED(pl_dat_combine_global(w.x, PL_ADD, NULL, w.x));
  NULL_REFUSED(pl_dat_combine_global(w.x, PL_ADD, w.sum, NULL));
  NULL_REFUSED(pl_global_combine_dat(NULL, PL_ADD, w.x, w.x));
  NULL_REFUSED(pl_global_combine_dat(w.sum, PL_ADD, NULL, w.x));
  NULL_REFUSED(pl_global_combine_dat(w.sum, PL_ADD, w.x, NULL));
  NULL_REFUSED(pl_dat_fill(NULL, 1));
  NULL_REFUSED(pl_dat_scale(1, NULL));
  NULL_REFUSED(pl_dat_axpy(1, NULL, w.x));
  NULL_REFUSED(pl_dat_axpy(1, w.x, NULL));
  NULL_REFUSED(pl_dat_combine_number(NULL, PL_ADD, 1, w.x));
  NULL_REFUSED(pl_dat_combine_number(w.x, PL_ADD, 1, NULL));
  NULL_REFUSED(pl_number_combine_dat(1, PL_ADD, NULL, w.x));
  NULL_REFUSED(pl_number_combine_dat(1, PL_ADD, w.x, NULL));
  NULL_REFUSED(pl_dat_axpy_global(NULL, w.x, w.y));
  NULL_REFUSED(pl_dat_axpy_global(w.sum, NULL, w.x));
  NULL_REFUSED(pl_dat_axpy_global(w.sum, w.x, NULL));
  NULL_REFUSED(pl_dat_aypx_global(NULL, w.x, w.y));
  NULL_REFUSED(pl_dat_aypx_global(w.sum, NULL, w.x));
  NULL_REFUSED(pl_dat_aypx_global(w.sum, w.x, NULL));
  NULL_REFUSED(pl_dat_aypx(1, NULL, w.x));
  NULL_REFUSED(pl_dat_aypx(1, w.x, NULL));
  NULL_REFUSED(pl_dat_maxpy(1, NULL, one, w.x));
  NULL_REFUSED(pl_dat_maxpy(1, w.sum, NULL, w.x));
  NULL_REFUSED(pl_dat_maxpy(1, w.sum, none, w.x));
  NULL_REFUSED(pl_dat_maxpy(1, w.sum, one, NULL));
  NULL_REFUSED(pl_dat_inner(NULL, w.x, w.sum));
  NULL_REFUSED(pl_dat_inner(w.x, NULL, w.sum));
  NULL_REFUSED(pl_dat_inner(w.x, w.x, NULL));
  NULL_REFUSED(pl_dat_norm(NULL, &norm));
  NULL_REFUSED(pl_dat_norm(w.x, NULL));
  NULL_REFUSED(pl_dat_copy_subset(NULL, w.x, w.some));
  NULL_REFUSED(pl_dat_copy_subset(w.x, NULL, w.some));
  NULL_REFUSED(pl_dat_copy_subset(w.x, w.x, NULL));
  NULL_REFUSED(pl_global_combine(NULL, PL_ADD, w.sum, w.sum));
  NULL_REFUSED(pl_global_combine(w.sum, PL_ADD, NULL, w.sum));
  NULL_REFUSED(pl_global_combine(w.sum, PL_ADD, w.sum, NULL));
  NULL_REFUSED(pl_global_combine_number(NULL, PL_ADD, 1, w.sum));
  NULL_REFUSED(pl_global_combine_number(w.sum, PL_ADD, 1, NULL));
  NULL_REFUSED(pl_number_combine_global(1, PL_ADD, NULL, w.sum));
  NULL_REFUSED(pl_number_combine_global(1, PL_ADD, w.sum, NULL));
  NULL_REFUSED(pl_global_inner(NULL, w.sum, w.sum));
  NULL_REFUSED(pl_global_inner(w.sum, NULL, w.sum));
  NULL_REFUSED(pl_global_inner(w.sum, w.sum, NULL));
  CU_ASSERT_EQUAL(norm, -1);
  CU_ASSERT_EQUAL(pl_dat_version(w.x), 0);
}

static void test_null_values(void)
{
  double value = 0;
  pl_global *global = NULL;
  pl_const *constant = NULL;
  static const pl_function nameless = {NULL, "double", "(void)", "{}", "f.c", 1, 0, 0};
  const pl_kernel *kernel = NULL;
  NULL_REFUSED(pl_decl_global(NULL, 1, PL_DOUBLE, NULL, "g", &global));
  NULL_REFUSED(pl_decl_global(w.pl, 1, PL_DOUBLE, NULL, "g", NULL));
  NULL_REFUSED(pl_global_get(NULL, &value));
  NULL_REFUSED(pl_global_get(w.sum, NULL));
  NULL_REFUSED(pl_global_set(NULL, &value));
  NULL_REFUSED(pl_global_set(w.sum, NULL));
  NULL_REFUSED(pl_global_get_as(w.sum, PL_DOUBLE, NULL));
  NULL_REFUSED(pl_global_get_as(NULL, PL_DOUBLE, &value));
  NULL_REFUSED(pl_global_set_as(NULL, PL_DOUBLE, &value));
  NULL_REFUSED(pl_global_set_as(w.sum, PL_DOUBLE, NULL));
  NULL_REFUSED(pl_decl_global_from(w.pl, 1, PL_DOUBLE, PL_FLOAT, NULL, "x", NULL));
  NULL_REFUSED(pl_decl_global_from(NULL, 1, PL_DOUBLE, PL_FLOAT, NULL, "x", &global));
  NULL_REFUSED(pl_global_zero(NULL));
  NULL_REFUSED(pl_global_duplicate(NULL, "g", &global));
  NULL_REFUSED(pl_global_duplicate(w.sum, "g", NULL));
  NULL_REFUSED(pl_global_copy(NULL, w.sum));
  NULL_REFUSED(pl_global_copy(w.sum, NULL));
  NULL_REFUSED(pl_global_axpy(1, NULL, w.sum));
  NULL_REFUSED(pl_global_axpy(1, w.sum, NULL));
  CU_ASSERT_EQUAL(pl_global_dim(NULL), 0);
  CU_ASSERT_EQUAL(pl_global_type(NULL), PL_TYPE_COUNT);
  CU_ASSERT_STRING_EQUAL(pl_global_name(NULL), "");
  NULL_REFUSED(pl_decl_const(NULL, "c", 1, PL_DOUBLE, &value, &constant));
  NULL_REFUSED(pl_decl_const(w.pl, NULL, 1, PL_DOUBLE, &value, &constant));
  NULL_REFUSED(pl_decl_const(w.pl, "c", 1, PL_DOUBLE, NULL, &constant));
  OK(pl_decl_const(w.pl, "unnamed_handle", 1, PL_DOUBLE, &value, NULL));
  NULL_REFUSED(pl_const_set(NULL, &value));
  NULL_REFUSED(pl_const_set(w.factor, NULL));
  NULL_REFUSED(pl_const_get(NULL, &value));
  NULL_REFUSED(pl_const_get(w.factor, NULL));
  NULL_REFUSED(pl_const_get_as(NULL, PL_DOUBLE, &value));
  NULL_REFUSED(pl_const_get_as(w.factor, PL_DOUBLE, NULL));
  NULL_REFUSED(pl_const_set_as(NULL, PL_DOUBLE, &value));
  NULL_REFUSED(pl_const_set_as(w.factor, PL_DOUBLE, NULL));
  NULL_REFUSED(pl_decl_const_from(w.pl, "none", 1, PL_DOUBLE, PL_FLOAT, NULL, NULL));
  NULL_REFUSED(pl_decl_const_from(NULL, "none", 1, PL_DOUBLE, PL_FLOAT, &value, NULL));
  NULL_REFUSED(pl_decl_const_from(w.pl, NULL, 1, PL_DOUBLE, PL_FLOAT, &value, NULL));
  NULL_REFUSED(pl_decl_function(NULL, plus_one));
  NULL_REFUSED(pl_decl_fields(NULL));
  NULL_REFUSED(pl_decl_function_text(w.pl, NULL));
  NULL_REFUSED(pl_decl_function_text(NULL, plus_one_plait));
  NULL_REFUSED(pl_decl_function_text(w.pl, &nameless));
  NULL_REFUSED(pl_kernel_from_source(NULL, "k", "void k(double *x) {}", NULL, &kernel));
  NULL_REFUSED(pl_kernel_from_source(w.pl, NULL, "void k(double *x) {}", NULL, &kernel));
  NULL_REFUSED(pl_kernel_from_source(w.pl, "k", NULL, NULL, &kernel));
  NULL_REFUSED(pl_kernel_from_source(w.pl, "k", "void k(double *x) {}", NULL, NULL));
  pl_global_free(NULL);
  pl_global_free(&global);
  pl_const_free(NULL);
  pl_const_free(&constant);
  CU_ASSERT(!global && !constant && !kernel);
}

static void test_null_loops(void)
{
  pl_loop *loop = NULL;
  double seconds;
  const pl_kernel empty = {.name = NULL};
  const pl_arg arg = pl_arg_dat(w.x, PL_ID, PL_DIRECT, PL_WRITE);
  NULL_REFUSED(pl_par_loop_args(NULL, w.cells, 1, &arg));
  NULL_REFUSED(pl_par_loop_args(&empty, w.cells, 1, &arg));
  NULL_REFUSED(pl_par_loop_args(fill, NULL, 1, &arg));
  NULL_REFUSED(pl_par_loop_args(fill, w.cells, 1, NULL));
  NULL_REFUSED(pl_loop_create_args(NULL, fill, w.cells, 1, &arg));
  NULL_REFUSED(pl_loop_create_args(&loop, NULL, w.cells, 1, &arg));
  NULL_REFUSED(pl_loop_create_args(&loop, fill, NULL, 1, &arg));
  NULL_REFUSED(pl_loop_create_args(&loop, fill, w.cells, 1, NULL));
  NULL_REFUSED(pl_loop_run(NULL));
  NULL_REFUSED(pl_loop_replace_dat(NULL, 0, w.x));
  NULL_REFUSED(pl_loop_replace_dat(&loop, 0, w.x));
  NULL_REFUSED(pl_loop_replace_dat(&w.loop, 0, NULL));
  pl_loop_free(NULL);
  pl_loop_free(&loop);
  CU_ASSERT_PTR_NULL(loop);
  NULL_REFUSED(pl_par_loop(fill, w.cells, pl_arg_dat(NULL, PL_ID, PL_DIRECT, PL_WRITE)));
  NULL_REFUSED(
    pl_par_loop(look, w.cells, pl_arg_dat(w.x, PL_ID, PL_DIRECT, PL_READ), pl_arg_gbl(NULL, PL_INC)));
  NULL_REFUSED(pl_par_loop(fill, w.cells, pl_arg_fixed(pl_arg_dat(NULL, PL_ID, PL_DIRECT, PL_INC), 32)));
  NULL_REFUSED(pl_par_loop(look, w.cells, pl_arg_const(NULL, PL_READ), pl_arg_gbl(w.sum, PL_INC)));
  REFUSED(PL_ERR_ACCESS, pl_par_loop(look, w.cells, pl_arg_dat(w.x, PL_ID, PL_DIRECT, PL_READ),
                                     pl_arg_payload(w.sum, NULL)));
  NULL_REFUSED(pl_profile_at(NULL, 0, NULL));
  NULL_REFUSED(pl_profile_at(w.pl, 0, NULL));
  NULL_REFUSED(pl_profile_write(NULL, "-"));
  NULL_REFUSED(pl_profile_write(w.pl, NULL));
  NULL_REFUSED(pl_profile_reset(NULL));
  NULL_REFUSED(pl_timer_begin(NULL, "t"));
  NULL_REFUSED(pl_timer_begin(w.pl, NULL));
  NULL_REFUSED(pl_timer_end(NULL, "t"));
  NULL_REFUSED(pl_timer_end(w.pl, NULL));
  NULL_REFUSED(pl_timing(NULL, "t", &seconds, NULL));
  NULL_REFUSED(pl_timing(w.pl, NULL, &seconds, NULL));
  OK(pl_timing(w.pl, "t", NULL, NULL));
}

/* ---- chains ---- */

static void test_chains(void)
{
  pl_chain *chain = NULL, *again = NULL;
  NULL_REFUSED(pl_chain_begin(NULL, "c", &chain));
  NULL_REFUSED(pl_chain_begin(w.pl, NULL, &chain));
  NULL_REFUSED(pl_chain_begin(w.pl, "c", NULL));
  NULL_REFUSED(pl_chain_end(NULL));
  NULL_REFUSED(pl_flush(NULL));
  OK(pl_chain_begin(w.pl, "c", &chain));
  REFUSED(PL_ERR_STATE, pl_chain_begin(w.pl, "d", &again));
  NULL_REFUSED(pl_chain_hint(NULL, w.x, PL_STORE));
  NULL_REFUSED(pl_chain_hint(chain, NULL, PL_STORE));
  NULL_REFUSED(pl_chain_warm_up(NULL));
  NULL_REFUSED(pl_chain_block(NULL, 16));
  REFUSED(PL_ERR_RANGE, pl_chain_block(chain, -1));
  NULL_REFUSED(pl_chain_temporary(NULL, w.x));
  NULL_REFUSED(pl_chain_temporary(chain, NULL));
  REFUSED(PL_ERR_ARG, pl_chain_hint(chain, w.strange, PL_STORE));
  REFUSED(PL_ERR_ARG, pl_chain_hint(chain, w.x, (pl_chain_choice)77));
  NULL_REFUSED(pl_chain_print(NULL, "-"));
  NULL_REFUSED(pl_chain_print(chain, NULL));
  REFUSED(PL_ERR_STATE, pl_chain_print(chain, "-"));
  OK(pl_flush(w.pl));
  OK(pl_chain_end(chain));
  REFUSED(PL_ERR_STATE, pl_chain_end(chain));
  REFUSED(PL_ERR_STATE, pl_chain_warm_up(chain));
}

/* ---- numbers ---- */

static void test_sizes(void)
{
  static const int64_t negative[4] = {-1, 0, 0, 0}, falling[4] = {4, 3, 5, 6},
                       huge[4] = {0, 0, 0, (int64_t)1 << 40};
  static const int below[1] = {-1}, beyond[1] = {CELLS};
  pl_set *set = NULL;
  REFUSED(PL_ERR_RANGE, pl_decl_set(w.pl, -1, "s", &set));
  REFUSED(PL_ERR_RANGE, pl_decl_set(w.pl, INT64_MIN, "s", &set));
  REFUSED(PL_ERR_RANGE, pl_decl_set(w.pl, INT64_MAX, "s", &set));
  REFUSED(PL_ERR_RANGE, pl_decl_set_parts(w.pl, negative, "s", &set));
  REFUSED(PL_ERR_RANGE, pl_decl_set_parts(w.pl, falling, "s", &set));
  REFUSED(PL_ERR_RANGE, pl_decl_set_parts(w.pl, huge, "s", &set));
  REFUSED(PL_ERR_ARG, pl_decl_subset(w.cells, -1, below, "s", &set));
  REFUSED(PL_ERR_RANGE, pl_decl_subset(w.cells, 1, below, "s", &set));
  REFUSED(PL_ERR_RANGE, pl_decl_subset(w.cells, 1, beyond, "s", &set));
  REFUSED(PL_ERR_RANGE, pl_decl_subset(w.some, 1, beyond, "s", &set));
  REFUSED(PL_ERR_ARG, pl_subset_combine(w.some, (pl_set_op)99, w.cells, "s", &set));
  REFUSED(PL_ERR_ARG, pl_subset_combine(w.some, (pl_set_op)-1, w.cells, "s", &set));
  REFUSED(PL_ERR_ARG, pl_subset_combine(w.some, PL_UNION, w.edges, "s", &set));
  REFUSED(PL_ERR_ARG, pl_subset_combine(w.some, PL_UNION, w.foreign, "s", &set));
  CU_ASSERT_PTR_NULL(set);
}

PL_KERNEL(near, (double *x, const double *r2), { *x += *r2; })

static void test_pairs(void)
{
  const double low[2] = {0, 0}, high[2] = {9, 9};
  double far[2 * CELLS] = {0};
  pl_domain *box = NULL, *none = NULL;
  pl_dat *at = NULL;
  pl_map *pairs = NULL, *failed = NULL;
  pl_pair_stats stats;
  NULL_REFUSED(pl_decl_domain(NULL, 2, low, high, NULL, "d", &box));
  NULL_REFUSED(pl_decl_domain(w.pl, 2, NULL, high, NULL, "d", &box));
  NULL_REFUSED(pl_decl_domain(w.pl, 2, low, NULL, NULL, "d", &box));
  NULL_REFUSED(pl_decl_domain(w.pl, 2, low, high, NULL, "d", NULL));
  REFUSED(PL_ERR_RANGE, pl_decl_domain(w.pl, 0, low, high, NULL, "d", &none));
  REFUSED(PL_ERR_RANGE, pl_decl_domain(w.pl, 2, high, low, NULL, "d", &none));
  OK(pl_decl_domain(w.pl, 2, low, high, NULL, "box", &box));
  NULL_REFUSED(pl_domain_resize(NULL, low, high));
  NULL_REFUSED(pl_domain_resize(box, NULL, high));
  NULL_REFUSED(pl_domain_resize(box, low, NULL));
  REFUSED(PL_ERR_RANGE, pl_domain_resize(box, high, low));
  OK(pl_decl_dat(w.cells, 2, PL_DOUBLE, far, "at", &at));
  NULL_REFUSED(pl_decl_pair_map(NULL, box, 1, 0.1, "p", &pairs));
  NULL_REFUSED(pl_decl_pair_map(at, box, 1, 0.1, "p", NULL));
  REFUSED(PL_ERR_RANGE, pl_decl_pair_map(at, box, -1, 0.1, "p", &failed));
  REFUSED(PL_ERR_RANGE, pl_decl_pair_map(w.x, box, 1, 0.1, "p", &failed));
  REFUSED(PL_ERR_TYPE, pl_decl_pair_map(w.wide, box, 1, 0.1, "p", &failed));
  OK(pl_decl_pair_map(at, box, 1, 0.1, "pairs", &pairs));
  NULL_REFUSED(pl_pair_map_stats(NULL, &stats));
  NULL_REFUSED(pl_pair_map_stats(pairs, NULL));
  NULL_REFUSED(pl_pair_loop_args(near, NULL, 0, NULL));
  REFUSED(PL_ERR_ARG, pl_pair_loop_args(NULL, pairs, 0, NULL));
  REFUSED(PL_ERR_ARG, pl_particle_move_args(NULL, w.map, NULL, 0, NULL));
  NULL_REFUSED(pl_particle_move_args(near, NULL, NULL, 0, NULL));
  REFUSED(PL_ERR_STATE, pl_particle_add_values(w.cells, 1, NULL, 1, NULL));
  REFUSED(PL_ERR_ARG, pl_pair_map_stats(w.map, &stats));
  NULL_REFUSED(pl_particle_move(near, NULL, w.map, pl_arg_dat(w.x, PL_ID, PL_DIRECT, PL_READ)));
  REFUSED(PL_ERR_ARG, pl_particle_move(NULL, w.map, w.map, pl_arg_dat(w.x, PL_ID, PL_DIRECT, PL_READ)));
  REFUSED(PL_ERR_ARG, pl_particle_move(near, pairs, pairs, pl_arg_dat(w.x, PL_ID, PL_DIRECT, PL_READ)));
  REFUSED(PL_ERR_ARG, pl_particle_move_args(near, w.map, NULL, 0, NULL));
  NULL_REFUSED(pl_particle_add(NULL, 1, NULL));
  NULL_REFUSED(pl_particle_add_values(NULL, 1, NULL, 0, NULL));
  NULL_REFUSED(pl_particle_remove(NULL, NULL));
  REFUSED(PL_ERR_ARG, pl_particle_remove(w.cells, NULL));
  REFUSED(PL_ERR_STATE, pl_particle_add(w.cells, 1, NULL));
  NULL_REFUSED(pl_pair_loop(near, NULL, pl_arg_dat(w.x, 0, pairs, PL_INC), pl_arg_distance2(at)));
  REFUSED(PL_ERR_ARG, pl_pair_loop(NULL, pairs, pl_arg_dat(w.x, 0, pairs, PL_INC), pl_arg_distance2(at)));
  REFUSED(PL_ERR_ARG, pl_pair_loop(near, w.map, pl_arg_dat(w.x, 0, w.map, PL_INC), pl_arg_distance2(at)));
  REFUSED(PL_ERR_ARG, pl_pair_loop_args(near, pairs, 0, NULL));
  REFUSED(PL_ERR_ARG, pl_pair_loop(near, pairs, pl_arg_dat(NULL, 0, pairs, PL_INC), pl_arg_distance2(at)));
  REFUSED(PL_ERR_TYPE,
          pl_pair_loop(near, pairs, pl_arg_dat(w.x, 0, pairs, PL_INC), pl_arg_distance2(w.wide)));
  REFUSED(PL_ERR_ARG,
          pl_par_loop(near, w.cells, pl_arg_dat(w.x, PL_ID, PL_DIRECT, PL_INC), pl_arg_distance2(at)));
  pl_dat_free(&at);
  REFUSED(PL_ERR_STATE, pl_pair_loop(near, pairs, pl_arg_dat(w.x, 0, pairs, PL_INC), pl_arg_distance2(w.x)));
  pl_domain_free(&box);
  pl_domain_free(&box);
  pl_domain_free(NULL);
  CU_ASSERT_PTR_NULL(none);
  CU_ASSERT_PTR_NULL(failed);
}

static void test_map_numbers(void)
{
  static const int far[EDGES] = {0, 1, 2, CELLS}, out[2] = {0, 2}, under[1] = {-1};
  pl_map *map = NULL;
  const int64_t beyond[EDGES] = {0, INT64_C(1) << 40};
  REFUSED(PL_ERR_RANGE, pl_decl_map_global(w.edges, w.cells, 1, beyond, "m", &map));
  int ends[EDGES + 1] = {0, 1, 2};
  for (int e = 3; e <= EDGES; e++) ends[e] = 2;
  const int64_t below[EDGES] = {0, INT64_MIN};
  REFUSED(PL_ERR_RANGE, pl_decl_map_ragged_global(w.edges, w.cells, ends, beyond, "m", &map));
  REFUSED(PL_ERR_RANGE, pl_decl_map_ragged_global(w.edges, w.cells, ends, below, "m", &map));
  REFUSED(PL_ERR_ARG, pl_decl_map_ragged_global(w.edges, w.cells, ends, NULL, "m", &map));
  REFUSED(PL_ERR_ARG, pl_partition(w.some, PL_PARTITION_BLOCK, NULL));
  REFUSED(PL_ERR_ARG, pl_partition(w.cells, (pl_partition_method)99, NULL));
  REFUSED(PL_ERR_ARG, pl_partition(w.cells, PL_PARTITION_USER, NULL));
  REFUSED(PL_ERR_ARG, pl_partition(w.cells, PL_PARTITION_CURVE, NULL));
  REFUSED(PL_ERR_ARG, pl_partition(w.edges, PL_PARTITION_KWAY, NULL));
  REFUSED(PL_ERR_ARG, pl_partition(w.cells, PL_PARTITION_KWAY, &(pl_partition_options){.map = w.first}));
  REFUSED(PL_ERR_ARG,
          pl_partition(w.cells, PL_PARTITION_CURVE, &(pl_partition_options){.coords = w.strange}));
  REFUSED(PL_ERR_ARG, pl_partition(w.cells, PL_PARTITION_BISECTION, &(pl_partition_options){.coords = w.y}));
  REFUSED(PL_ERR_TYPE,
          pl_partition(w.cells, PL_PARTITION_BISECTION, &(pl_partition_options){.coords = w.wide}));
  const int parts[CELLS] = {0, 7};
  REFUSED(PL_ERR_RANGE, pl_partition(w.cells, PL_PARTITION_USER, &(pl_partition_options){.part = parts}));
  int64_t ids[CELLS];
  REFUSED(PL_ERR_ARG, pl_set_global(w.some, ids));
  REFUSED(PL_ERR_RANGE, pl_decl_map(w.edges, w.cells, 0, far, "m", &map));
  REFUSED(PL_ERR_RANGE, pl_decl_map(w.edges, w.cells, -3, far, "m", &map));
  REFUSED(PL_ERR_RANGE, pl_decl_map(w.edges, w.cells, 1, far, "m", &map));
  REFUSED(PL_ERR_ARG, pl_decl_map(w.some, w.cells, 1, far, "m", &map));
  REFUSED(PL_ERR_ARG, pl_decl_map(w.edges, w.some, 1, far, "m", &map));
  REFUSED(PL_ERR_ARG, pl_decl_map(w.edges, w.foreign, 1, far, "m", &map));
  REFUSED(PL_ERR_ARG, pl_renumber(w.pl, (pl_renumber_method)99, w.map, NULL));
  REFUSED(PL_ERR_ARG, pl_renumber(w.pl, PL_RENUMBER_HILBERT, w.map, NULL));
  REFUSED(PL_ERR_ARG, pl_renumber(w.pl, PL_RENUMBER_HILBERT, w.map, w.strange));
  REFUSED(PL_ERR_TYPE, pl_renumber(w.pl, PL_RENUMBER_HILBERT, w.map, w.wide));
  REFUSED(PL_ERR_STATE, pl_renumber(w.pl, PL_RENUMBER_RCM, w.undefined, NULL));
  REFUSED(PL_ERR_RANGE, pl_map_permute(w.map, 0, out, "m", &map));
  REFUSED(PL_ERR_RANGE, pl_map_permute(w.map, -1, out, "m", &map));
  REFUSED(PL_ERR_RANGE, pl_map_permute(w.map, 2, out, "m", &map));
  REFUSED(PL_ERR_RANGE, pl_map_permute(w.map, 1, under, "m", &map));
  REFUSED(PL_ERR_STATE, pl_map_permute(w.undefined, 1, out, "m", &map));
  REFUSED(PL_ERR_ARG, pl_map_compose(w.map, w.map, "m", &map));
  REFUSED(PL_ERR_ARG, pl_map_compose(w.map, w.first, "m", &map));
  REFUSED(PL_ERR_STATE, pl_map_compose(w.undefined, w.first, "m", &map));
  CU_ASSERT_PTR_NULL(map);
}

static void test_dat_numbers(void)
{
  static const int negative[2] = {2, -1}, large[3] = {65536, 65536, 2};
  pl_dat *dat = NULL;
  pl_set *huge;
  void *values = NULL;
  REFUSED(PL_ERR_RANGE, pl_decl_dat(w.cells, -1, PL_DOUBLE, NULL, "d", &dat));
  REFUSED(PL_ERR_TYPE, pl_decl_dat(w.cells, 1, (pl_type)-1, NULL, "d", &dat));
  REFUSED(PL_ERR_TYPE, pl_decl_dat(w.cells, 1, PL_TYPE_COUNT, NULL, "d", &dat));
  REFUSED(PL_ERR_ARG, pl_decl_dat(w.some, 1, PL_DOUBLE, NULL, "d", &dat));
  REFUSED(PL_ERR_ARG, pl_decl_dat_shape(w.cells, 0, negative, PL_DOUBLE, NULL, "d", &dat));
  REFUSED(PL_ERR_ARG, pl_decl_dat_shape(w.cells, -1, negative, PL_DOUBLE, NULL, "d", &dat));
  REFUSED(PL_ERR_RANGE, pl_decl_dat_shape(w.cells, 2, negative, PL_DOUBLE, NULL, "d", &dat));
  REFUSED(PL_ERR_RANGE, pl_decl_dat_shape(w.cells, 3, large, PL_DOUBLE, NULL, "d", &dat));
  OK(pl_decl_set(w.pl, INT32_MAX, "huge", &huge));
  REFUSED(PL_ERR_RANGE, pl_decl_dat(huge, INT32_MAX, PL_COMPLEX_DOUBLE, NULL, "d", &dat)); /* 2^66 bytes */
  REFUSED(PL_ERR_TYPE, pl_dat_copy(w.x, w.y));
  REFUSED(PL_ERR_TYPE, pl_dat_copy(w.x, w.wide));
  REFUSED(PL_ERR_TYPE, pl_dat_copy(w.strange, w.x));
  REFUSED(PL_ERR_ARG, pl_dat_zero_subset(w.y, w.some));
  REFUSED(PL_ERR_ACCESS, pl_dat_get(w.x, (pl_access)0, &values));
  REFUSED(PL_ERR_ACCESS, pl_dat_get(w.x, PL_INC, &values));
  REFUSED(PL_ERR_ACCESS, pl_dat_get(w.x, PL_MAX, &values));
  REFUSED(PL_ERR_ACCESS, pl_dat_get(w.x, (pl_access)99, &values));
  REFUSED(PL_ERR_IO, pl_dat_save(w.x, sandbox_path(sandbox_folder, "no/such/folder/x.npy")));
  REFUSED(PL_ERR_IO, pl_dat_save(w.x, sandbox_folder));
  REFUSED(PL_ERR_IO, pl_dat_load(w.x, sandbox_path(sandbox_folder, "none.npy")));
  REFUSED(PL_ERR_IO, pl_dat_load(w.x, sandbox_folder));
  CU_ASSERT(!dat && !values);
  CU_ASSERT_EQUAL(pl_dat_version(w.x), 0);
}

/* Incompatible dats and globals, invalid operators. */
static void test_arithmetic(void)
{
  pl_dat *const unlike[2] = {w.x, w.y};
  pl_global *far = NULL;
  OK(pl_decl_global(w.other, 1, PL_DOUBLE, NULL, "far", &far));
  REFUSED(PL_ERR_ARG, pl_dat_combine(w.x, (pl_operator)-1, w.x, w.x));
  REFUSED(PL_ERR_ARG, pl_dat_combine_global(w.x, (pl_operator)4, w.sum, w.x));
  REFUSED(PL_ERR_ARG, pl_global_combine(w.sum, (pl_operator)99, w.sum, w.sum));
  REFUSED(PL_ERR_TYPE, pl_dat_combine(w.strange, PL_ADD, w.x, w.x));
  REFUSED(PL_ERR_TYPE, pl_dat_combine(w.x, PL_ADD, w.x, w.y));
  REFUSED(PL_ERR_TYPE, pl_dat_combine(w.x, PL_ADD, w.wide, w.x));
  REFUSED(PL_ERR_TYPE, pl_dat_combine_global(w.x, PL_ADD, w.pair, w.x));
  REFUSED(PL_ERR_TYPE, pl_dat_axpy(1, w.y, w.x));
  REFUSED(PL_ERR_TYPE, pl_dat_aypx(1, w.y, w.x));
  REFUSED(PL_ERR_RANGE, pl_dat_maxpy(0, w.pair, unlike, w.x));
  REFUSED(PL_ERR_RANGE, pl_dat_maxpy(-1, w.pair, unlike, w.x));
  REFUSED(PL_ERR_RANGE, pl_dat_maxpy(INT32_MAX, w.pair, unlike, w.x));
  REFUSED(PL_ERR_TYPE, pl_dat_maxpy(1, w.pair, unlike, w.x));
  REFUSED(PL_ERR_TYPE, pl_dat_maxpy(2, w.pair, unlike, w.x));
  REFUSED(PL_ERR_TYPE, pl_dat_inner(w.x, w.y, w.sum));
  REFUSED(PL_ERR_TYPE, pl_dat_inner(w.x, w.x, w.whole));
  REFUSED(PL_ERR_ARG, pl_dat_copy_subset(w.y, w.y, w.some));
  REFUSED(PL_ERR_TYPE, pl_dat_copy_subset(w.y, w.x, w.some));
  REFUSED(PL_ERR_TYPE, pl_global_combine(w.sum, PL_ADD, w.pair, w.sum));
  REFUSED(PL_ERR_TYPE, pl_global_combine(w.sum, PL_ADD, far, w.sum));
  REFUSED(PL_ERR_TYPE, pl_global_combine(far, PL_ADD, far, w.sum));
  REFUSED(PL_ERR_TYPE, pl_global_copy(far, w.sum));
  REFUSED(PL_ERR_TYPE, pl_global_axpy(1, far, w.sum));
  REFUSED(PL_ERR_TYPE, pl_global_inner(far, far, w.sum));
  REFUSED(PL_ERR_TYPE, pl_global_combine_number(far, PL_ADD, 1, w.sum));
  REFUSED(PL_ERR_ARG, pl_number_combine_dat(1, (pl_operator)4, w.x, w.x));
  REFUSED(PL_ERR_TYPE, pl_global_inner(w.pair, w.pair, w.pair));
  CU_ASSERT_EQUAL(pl_dat_version(w.x), 0);
}

/* Files that are not .npy files, or of another type or shape. */
static void test_bad_files(void)
{
  char path[PATH_MAX];
  size_t size;
  snprintf(path, sizeof path, "%.4000s/x.npy", sandbox_folder);
  OK(pl_dat_save(w.x, path));
  char *bytes = sandbox_read(path, &size);
  for (size_t length = 0; length < size; length += length < 12 ? 1 : 13) {
    sandbox_write(path, bytes, length, 0600);
    REFUSED(PL_ERR_IO, pl_dat_load(w.x, path));
  }
  for (size_t at = 0; at < 60; at += 3) { /* magic, length, dictionary */
    bytes[at] ^= 0x55;
    sandbox_write(path, bytes, size, 0600);
    REFUSED(PL_ERR_IO, pl_dat_load(w.x, path));
    bytes[at] ^= 0x55;
  }
  sandbox_write(path, bytes, size, 0600);
  REFUSED(PL_ERR_IO, pl_dat_load(w.wide, path));
  CU_ASSERT_EQUAL(pl_dat_version(w.x), 0);
  OK(pl_dat_load(w.x, path));
  free(bytes);
}

static void test_value_numbers(void)
{
  double value = 0;
  pl_global *global = NULL;
  pl_const *constant = NULL;
  REFUSED(PL_ERR_RANGE, pl_decl_global(w.pl, 0, PL_DOUBLE, NULL, "g", &global));
  REFUSED(PL_ERR_RANGE, pl_decl_global(w.pl, -1, PL_DOUBLE, NULL, "g", &global));
  REFUSED(PL_ERR_TYPE, pl_decl_global(w.pl, 1, (pl_type)99, NULL, "g", &global));
  REFUSED(PL_ERR_TYPE, pl_global_copy(w.sum, w.pair));
  REFUSED(PL_ERR_RANGE, pl_decl_const(w.pl, "c", 0, PL_DOUBLE, &value, &constant));
  REFUSED(PL_ERR_RANGE, pl_decl_const(w.pl, "c", -1, PL_DOUBLE, &value, &constant));
  REFUSED(PL_ERR_TYPE, pl_decl_const(w.pl, "c", 1, (pl_type)99, &value, &constant));
  static const char *const names[] = {"", "2x", "a b", "a-b", "factor", "x;", "int", "\xc3\xa4"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    REFUSED(PL_ERR_ARG, pl_decl_const(w.pl, names[i], 1, PL_DOUBLE, &value, &constant));
  REFUSED(PL_ERR_ARG, pl_decl_function(w.pl, plus_one));
  REFUSED(PL_ERR_ARG, pl_decl_const(w.pl, "plus_one", 1, PL_DOUBLE, &value, &constant));
  CU_ASSERT(!global && !constant);
  CU_ASSERT(strlen(pl_errtext((pl_err)-1)) && strlen(pl_errtext(PL_ERR_COUNT)) &&
            strlen(pl_errtext((pl_err)9999)));
  CU_ASSERT(strlen(pl_errname((pl_err)-1)) && strlen(pl_errname((pl_err)9999)));
  CU_ASSERT_EQUAL(pl_type_size((pl_type)-1), 0);
  CU_ASSERT_EQUAL(pl_type_size((pl_type)99), 0);
  CU_ASSERT(strlen(pl_type_name((pl_type)-1)) && strlen(pl_type_name((pl_type)99)));
  CU_ASSERT_STRING_EQUAL(pl_version(), PLAIT_VERSION);
}

static void test_indices(void)
{
  pl_profile_entry entry;
  static const int wrong[] = {-1, 10000, INT_MAX, INT_MIN};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    REFUSED(PL_ERR_RANGE, pl_option_at(w.pl, wrong[i], NULL, NULL, NULL));
    REFUSED(PL_ERR_RANGE, pl_backend_at(w.pl, wrong[i], NULL, NULL));
    REFUSED(PL_ERR_RANGE, pl_module_at(w.pl, wrong[i], NULL, NULL));
    pl_device_info device;
    REFUSED(PL_ERR_RANGE, pl_device_at(w.pl, "seq", wrong[i], &device));
    REFUSED(PL_ERR_RANGE, pl_profile_at(w.pl, wrong[i], &entry));
    REFUSED(PL_ERR_RANGE, pl_loop_replace_dat(&w.loop, wrong[i], w.x));
  }
  REFUSED(PL_ERR_TYPE, pl_loop_replace_dat(&w.loop, 0, w.wide));
  REFUSED(PL_ERR_TYPE, pl_loop_replace_dat(&w.loop, 0, w.y));
  REFUSED(PL_ERR_TYPE, pl_loop_replace_dat(&w.loop, 0, w.strange));
}

/* ---- loop arguments ---- */

static void test_arguments(void)
{
  pl_arg good = pl_arg_dat(w.x, PL_ID, PL_DIRECT, PL_WRITE), arg = good;
  pl_loop *loop = NULL;
  static const int counts[] = {0, -1, INT_MIN};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    REFUSED(PL_ERR_ARG, pl_par_loop_args(fill, w.cells, counts[i], &good));
    REFUSED(PL_ERR_ARG, pl_loop_create_args(&loop, fill, w.cells, counts[i], &good));
  }
  arg.kind = (pl_arg_kind)0;
  REFUSED(PL_ERR_ARG, pl_par_loop_args(fill, w.cells, 1, &arg));
  arg.kind = (pl_arg_kind)77;
  REFUSED(PL_ERR_ARG, pl_par_loop_args(fill, w.cells, 1, &arg));
  static const int accesses[] = {0, -1, 99};
  for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
    REFUSED(PL_ERR_ACCESS,
            pl_par_loop(fill, w.cells, pl_arg_dat(w.x, PL_ID, PL_DIRECT, (pl_access)accesses[i])));
  REFUSED(PL_ERR_ARG, pl_par_loop(fill, w.cells, pl_arg_dat(w.x, 0, PL_DIRECT, PL_WRITE)));
  REFUSED(PL_ERR_ARG, pl_par_loop(fill, w.cells, pl_arg_dat(w.y, PL_ID, PL_DIRECT, PL_WRITE)));
  REFUSED(PL_ERR_ARG, pl_par_loop(fill, w.cells, pl_arg_dat(w.strange, PL_ID, PL_DIRECT, PL_WRITE)));
  REFUSED(PL_ERR_RANGE, pl_par_loop(fill, w.cells, pl_arg_component(good, 1)));
  REFUSED(PL_ERR_RANGE, pl_par_loop(fill, w.cells, pl_arg_component(good, -2)));
  REFUSED(PL_ERR_RANGE, pl_par_loop(fill, w.edges, pl_arg_dat(w.x, 2, w.map, PL_INC)));
  REFUSED(PL_ERR_RANGE, pl_par_loop(fill, w.edges, pl_arg_dat(w.x, PL_ID, w.map, PL_INC)));
  REFUSED(PL_ERR_ARG, pl_par_loop(fill, w.cells, pl_arg_dat(w.x, 0, w.map, PL_INC)));
  REFUSED(PL_ERR_ARG, pl_par_loop(fill, w.edges, pl_arg_dat(w.y, 0, w.map, PL_INC)));
  REFUSED(PL_ERR_STATE, pl_par_loop(fill, w.edges, pl_arg_dat(w.x, 0, w.undefined, PL_INC)));
  REFUSED(PL_ERR_RANGE, pl_par_loop(look, w.edges, pl_arg_idx(PL_ALL, w.map), pl_arg_gbl(w.sum, PL_INC)));
  REFUSED(PL_ERR_ACCESS, pl_par_loop(fill, w.cells, pl_arg_gbl(w.sum, PL_RW)));
  REFUSED(PL_ERR_ACCESS, pl_par_loop(fill, w.cells, pl_arg_gbl(w.sum, PL_WRITE)));
  REFUSED(PL_ERR_ACCESS, pl_par_loop(fill, w.cells, pl_arg_const(w.factor, PL_WRITE)));
  REFUSED(PL_ERR_ARG, pl_par_loop(look, w.cells, good, pl_arg_payload(w.sum, w.pair)));
  CU_ASSERT_PTR_NULL(loop);
  CU_ASSERT_EQUAL(pl_dat_version(w.x), 0);
}

/* Kernels whose text is missing or does not match the arguments. */
static void test_kernels(void)
{
  pl_kernel half = *fill;
  const pl_kernel *kernel = NULL;
  const pl_arg arg = pl_arg_dat(w.x, PL_ID, PL_DIRECT, PL_WRITE);
  half.body = half.params = NULL;
  REFUSED(PL_ERR_KERNEL, pl_par_loop_args(&half, w.cells, 1, &arg));
  half.params = fill->params;
  REFUSED(PL_ERR_KERNEL, pl_par_loop_args(&half, w.cells, 1, &arg));
  half = *fill;
  half.file = NULL;
  OK(pl_par_loop_args(&half, w.cells, 1, &arg));
  REFUSED(PL_ERR_KERNEL, pl_par_loop(look, w.cells, arg));
  REFUSED(PL_ERR_KERNEL, pl_par_loop(fill, w.cells, arg, pl_arg_gbl(w.sum, PL_READ)));
  static const char *const texts[] = {"",
                                      "   \n\n",
                                      "void other(double *x) { }",
                                      "void k(double *x",
                                      "void k(double *x) {",
                                      "int k(double *x) { }",
                                      "void k(double x) { }",
                                      "#define k 1\n",
                                      "/* void k(double *x) { } */",
                                      "\"",
                                      "void k(double *x) { \" }",
                                      "{{{{",
                                      "))))"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    REFUSED(PL_ERR_KERNEL, pl_kernel_from_source(w.pl, "k", texts[i], NULL, &kernel));
  REFUSED(PL_ERR_ARG, pl_kernel_from_source(w.pl, "no name", "void k(double *x) { }", NULL, &kernel));
  CU_ASSERT_PTR_NULL(kernel);
}

/* ---- loops and their objects ---- */

static pl_loop *loop_on(const pl_kernel *kernel, pl_set *set, pl_arg arg)
{
  pl_loop *loop = NULL;
  OK(pl_loop_create(&loop, kernel, set, arg));
  return loop;
}

static void test_freed_parts(void)
{
  pl_dat *dat, *spare;
  pl_set *few;
  static const int some[2] = {0, 3};
  OK(pl_decl_dat(w.cells, 1, PL_DOUBLE, NULL, "dat", &dat));
  OK(pl_decl_dat(w.cells, 1, PL_DOUBLE, NULL, "spare", &spare));
  OK(pl_decl_subset(w.cells, 2, some, "few", &few));
  pl_loop *on_dat = loop_on(fill, w.cells, pl_arg_dat(dat, PL_ID, PL_DIRECT, PL_WRITE)), *again = NULL;
  pl_loop *on_map = NULL, *on_set = loop_on(fill, few, pl_arg_dat(spare, PL_ID, PL_DIRECT, PL_WRITE));
  OK(pl_loop_create(&again, fill, w.cells, pl_arg_dat(dat, PL_ID, PL_DIRECT, PL_WRITE)));
  OK(pl_loop_create(&on_map, collect, w.edges, pl_arg_dat(spare, PL_ALL, w.map, PL_INC),
                    pl_arg_dat(w.y, PL_ID, PL_DIRECT, PL_READ)));
  CU_ASSERT_PTR_EQUAL(on_dat, again); /* one loop, two handles */
  pl_loop_free(&again);
  OK(pl_loop_run(on_dat));
  OK(pl_loop_run(on_map));
  pl_dat_free(&dat);
  pl_map_free(&w.map);
  pl_set_free(&few);
  REFUSED(PL_ERR_STATE, pl_loop_run(on_dat));
  REFUSED(PL_ERR_STATE, pl_loop_run(on_map));
  REFUSED(PL_ERR_STATE, pl_loop_run(on_set));
  REFUSED(PL_ERR_STATE, pl_loop_replace_dat(&on_dat, 0, spare)); /* the dat to replace is freed */
  CU_ASSERT_PTR_NOT_NULL(on_dat);
  pl_loop_free(&on_dat);
  pl_loop_free(&on_dat);
  pl_loop_free(&on_set);
}

/* A set that other objects use is not freed, with a message. */
static void test_freed_too_early(void)
{
  pl_set *cells = w.cells;
  int before = sandbox_capture_stderr();
  pl_set_free(&w.cells);
  char *said = sandbox_captured(before);
  CONTAINS(said, "cells");
  free(said);
  CU_ASSERT_PTR_NULL(w.cells);
  CU_ASSERT_EQUAL(pl_set_size(cells), CELLS);
  OK(pl_par_loop(add, cells, pl_arg_dat(w.x, PL_ID, PL_DIRECT, PL_RW)));
}

static void test_finalize(void)
{
  pl_context *pl;
  void *values;
  pl_loop *loop;
  pl = open_context("check=1");
  pl_set *set;
  pl_dat *dat;
  OK(pl_decl_set(pl, 3, "set", &set));
  OK(pl_decl_dat(set, 1, PL_DOUBLE, NULL, "dat", &dat));
  int before = sandbox_capture_stderr();
  OK(pl_loop_create(&loop, fill, set, pl_arg_dat(dat, PL_ID, PL_DIRECT, PL_WRITE)));
  free(sandbox_captured(before));
  OK(pl_dat_get(dat, PL_RW, &values));
  OK(pl_timer_begin(pl, "open"));
  pl_finalize(&pl); /* with a view, a timer and a loop open */
  CU_ASSERT_PTR_NULL(pl);
  pl_finalize(&pl);
  pl_finalize(&pl);
}

/* A context that could not be opened returns its error from every call. */
static void test_not_opened(void)
{
  static const char *const options[] = {"backend=abacus", NULL};
  const pl_settings settings = {.options = options, .realloc = failing_realloc, .realloc_user = &memory};
  const char *text;
  pl_context *pl;
  pl_set *set = NULL;
  pl_global *global = NULL;
  double value = 1;
  const pl_kernel *kernel = NULL;
  CU_ASSERT_EQUAL(pl_init(NULL, NULL, &settings, &pl), PL_ERR_OPTION);
  CU_ASSERT_PTR_NOT_NULL_FATAL(pl);
  char *message = strdup(pl_errmsg(pl));
  CU_ASSERT_EQUAL(pl_decl_set(pl, 3, "set", &set), PL_ERR_OPTION);
  CU_ASSERT_EQUAL(pl_decl_global(pl, 1, PL_DOUBLE, NULL, "g", &global), PL_ERR_OPTION);
  CU_ASSERT_EQUAL(pl_decl_const(pl, "c", 1, PL_DOUBLE, &value, NULL), PL_ERR_OPTION);
  CU_ASSERT_EQUAL(pl_decl_function(pl, plus_one), PL_ERR_OPTION);
  CU_ASSERT_EQUAL(pl_kernel_from_source(pl, "k", "void k(double *x) { }", NULL, &kernel), PL_ERR_OPTION);
  CU_ASSERT_EQUAL(pl_get_option(pl, "shape", &text), PL_ERR_OPTION);
  CU_ASSERT_EQUAL(pl_set_option(pl, "shape", "scalar"), PL_ERR_OPTION);
  CU_ASSERT_EQUAL(pl_option_at(pl, 0, NULL, &text, NULL), PL_ERR_OPTION);
  CU_ASSERT_EQUAL(pl_reset_options(pl), PL_ERR_OPTION);
  CU_ASSERT_STRING_EQUAL(pl_errmsg(pl), message); /* the message of the failed opening */
  CU_ASSERT_STRING_EQUAL(pl_backend_name(pl), "none");
  CU_ASSERT(!set && !global && !kernel);
  free(message);
  pl_finalize(&pl);
}

/* ---- views and timers ---- */

static pl_err run_add(void)
{
  return pl_par_loop(add, w.cells, pl_arg_dat(w.x, PL_ID, PL_DIRECT, PL_RW));
}

static pl_err run_look(void)
{
  return pl_par_loop(look, w.cells, pl_arg_dat(w.x, PL_ID, PL_DIRECT, PL_READ), pl_arg_gbl(w.sum, PL_INC));
}

static void test_views(void)
{
  void *values, *second;
  double all[CELLS];
  pl_dat *other;
  OK(pl_decl_dat(w.cells, 1, PL_DOUBLE, NULL, "other", &other));
  REFUSED(PL_ERR_STATE, pl_dat_put(w.x));
  REFUSED(PL_ERR_STATE, pl_dat_put_device(w.x));
  REFUSED(PL_ERR_ARG, pl_dat_get_device(w.x, PL_READ, NULL, NULL));
  OK(pl_dat_get(w.x, PL_READ, &values));
  OK(pl_dat_get(w.x, PL_READ, &second));
  CU_ASSERT_PTR_EQUAL(values, second);
  REFUSED(PL_ERR_STATE, pl_dat_get(w.x, PL_RW, &second));
  REFUSED(PL_ERR_STATE, pl_dat_get(w.x, PL_WRITE, &second));
  REFUSED(PL_ERR_STATE, run_add());
  REFUSED(PL_ERR_STATE, pl_dat_zero(w.x));
  REFUSED(PL_ERR_STATE, pl_dat_zero_subset(w.x, w.some));
  REFUSED(PL_ERR_STATE, pl_dat_copy(other, w.x));
  REFUSED(PL_ERR_STATE, pl_loop_run(w.loop));
  OK(pl_dat_copy(w.x, other));
  OK(run_look());
  OK(pl_dat_fetch(w.x, all));
  OK(pl_dat_put(w.x));
  REFUSED(PL_ERR_STATE, run_add());
  OK(pl_dat_put(w.x));
  REFUSED(PL_ERR_STATE, pl_dat_put(w.x));
  CU_ASSERT_EQUAL(pl_dat_version(w.x), 0);
  OK(run_add());
  CU_ASSERT_EQUAL(pl_dat_version(w.x), 1);
}

static void test_writable_views(void)
{
  double *values, *second, all[CELLS];
  pl_dat *other;
  OK(pl_decl_dat(w.cells, 1, PL_DOUBLE, NULL, "other", &other));
  for (int access = PL_WRITE; access <= PL_RW; access++) {
    OK(pl_dat_get(w.x, (pl_access)access, (void **)&values));
    for (int c = 0; c < CELLS; c++) values[c] = 5;
    REFUSED(PL_ERR_STATE, pl_dat_get(w.x, PL_READ, (void **)&second));
    REFUSED(PL_ERR_STATE, pl_dat_fetch(w.x, all));
    REFUSED(PL_ERR_STATE, run_look());
    REFUSED(PL_ERR_STATE, run_add());
    REFUSED(PL_ERR_STATE, pl_dat_copy(w.x, other));
    REFUSED(PL_ERR_STATE, pl_dat_copy(other, w.x));
    REFUSED(PL_ERR_STATE, pl_dat_save(w.x, sandbox_path(sandbox_folder, "x.npy")));
    OK(pl_dat_put(w.x));
    REFUSED(PL_ERR_STATE, pl_dat_put(w.x));
  }
  OK(run_add());
  OK(pl_dat_fetch(w.x, all));
  CU_ASSERT_EQUAL(all[CELLS - 1], 6);
  CU_ASSERT_EQUAL(pl_dat_version(w.x), 3); /* two views and one loop; refused calls do not count */
}

/* Views may be opened and closed in any order across dats. */
static void test_crossed_views(void)
{
  void *x, *y;
  OK(pl_dat_get(w.x, PL_RW, &x));
  OK(pl_dat_get(w.y, PL_READ, &y));
  OK(pl_dat_put(w.x));
  OK(run_add());
  REFUSED(PL_ERR_STATE, pl_dat_put(w.x));
  OK(pl_dat_put(w.y));
}

/* With PLAIT_CHECK a write through a view for reading is detected. */
static void test_checked_views(void)
{
  double *values;
  OK(pl_set_option(w.pl, "check", "1"));
  OK(pl_dat_get(w.x, PL_READ, (void **)&values));
  values[3] = 77;
  REFUSED(PL_ERR_CHECK, pl_dat_put(w.x));
  REFUSED(PL_ERR_STATE, pl_dat_put(w.x)); /* it is closed nevertheless */
  OK(pl_dat_get(w.x, PL_READ, (void **)&values));
  OK(pl_dat_put(w.x));
  OK(pl_set_option(w.pl, "check", "0"));
  OK(run_add());
  OK(pl_dat_get(w.x, PL_READ, (void **)&values));
  OK(pl_set_option(w.pl, "check", "1"));
  OK(pl_dat_put(w.x)); /* no checksum was taken when it was opened */
  OK(pl_reset_options(w.pl));
}

static void test_timers(void)
{
  uint64_t calls = 9;
  REFUSED(PL_ERR_STATE, pl_timer_end(w.pl, "never"));
  OK(pl_timer_begin(w.pl, "a"));
  REFUSED(PL_ERR_STATE, pl_timer_begin(w.pl, "a"));
  OK(pl_timer_begin(w.pl, "b"));
  REFUSED(PL_ERR_STATE, pl_timer_end(w.pl, "a"));
  OK(pl_timer_end(w.pl, "b"));
  REFUSED(PL_ERR_STATE, pl_timer_end(w.pl, "b"));
  OK(pl_timer_end(w.pl, "a"));
  OK(pl_timing(w.pl, "a", NULL, &calls));
  CU_ASSERT_EQUAL(calls, 1);
  OK(pl_timer_begin(w.pl, "a"));
  OK(pl_profile_reset(w.pl)); /* while it is open */
  OK(pl_timer_end(w.pl, "a"));
  REFUSED(PL_ERR_IO, pl_profile_write(w.pl, sandbox_path(sandbox_folder, "no/such/folder/p.json")));
}

#ifdef _OPENMP
/* The library must not start threads inside a parallel region of the program. */
static void test_inside_a_region(void)
{
  pl_err err = PL_SUCCESS;
  OK(run_add());
#pragma omp parallel num_threads(2)
#pragma omp single
  err = run_add();
  if (!strcmp(backend, "openmp"))
    REFUSED(PL_ERR_STATE, err);
  else
    OK(err);
}
#endif

/* ---- completeness ---- */

/* ---- arrays ---- */

static void test_arrays(void)
{
  double values[4] = {1, 2, 3, 4};
  pl_dat *array = NULL, *other = NULL;
  void *view;
  NULL_REFUSED(pl_decl_array(NULL, 4, 1, PL_DOUBLE, NULL, "a", &array));
  NULL_REFUSED(pl_decl_array(w.pl, 4, 1, PL_DOUBLE, NULL, "a", NULL));
  REFUSED(PL_ERR_RANGE, pl_decl_array(w.pl, -1, 1, PL_DOUBLE, NULL, "a", &array));
  REFUSED(PL_ERR_TYPE, pl_decl_array(w.pl, 4, 1, PL_TYPE_COUNT, NULL, "a", &array));
  OK(pl_decl_array(w.pl, 4, 1, PL_DOUBLE, values, "array", &array));
  OK(pl_decl_array(w.pl, 5, 1, PL_DOUBLE, NULL, "other", &other));
  NULL_REFUSED(pl_array_write(NULL, 0, 1, PL_DOUBLE, values));
  NULL_REFUSED(pl_array_write(array, 0, 1, PL_DOUBLE, NULL));
  NULL_REFUSED(pl_array_read(NULL, 0, 1, PL_DOUBLE, values));
  NULL_REFUSED(pl_array_read(array, 0, 1, PL_DOUBLE, NULL));
  NULL_REFUSED(pl_array_resize(NULL, 1));
  REFUSED(PL_ERR_ARG, pl_array_write(w.x, 0, 1, PL_DOUBLE, values)); /* no array */
  REFUSED(PL_ERR_RANGE, pl_array_write(array, 1, 4, PL_DOUBLE, values));
  REFUSED(PL_ERR_RANGE, pl_array_read(array, -1, 1, PL_DOUBLE, values));
  REFUSED(PL_ERR_RANGE, pl_array_read(array, 0, INT64_MAX, PL_DOUBLE, values));
  REFUSED(PL_ERR_TYPE, pl_array_read(array, 0, 1, PL_INT32, values));
  REFUSED(PL_ERR_TYPE, pl_array_read(array, 0, 1, PL_COMPLEX_DOUBLE, values));
  REFUSED(PL_ERR_RANGE, pl_array_resize(array, -1));
  REFUSED(PL_ERR_RANGE, pl_array_resize(array, INT64_MAX));
  REFUSED(PL_ERR_TYPE, pl_dat_copy(array, other));
  REFUSED(PL_ERR_TYPE, pl_dat_copy(array, w.x));
  OK(pl_dat_get(array, PL_READ, &view));
  REFUSED(PL_ERR_STATE, pl_array_resize(array, 3));
  REFUSED(PL_ERR_STATE, pl_array_write(array, 0, 1, PL_DOUBLE, values));
  OK(pl_dat_put(array));
  OK(pl_array_write(array, 4, 0, PL_DOUBLE, values));
  OK(pl_array_read(array, 0, 4, PL_DOUBLE, values));
  for (int i = 0; i < 4; i++) CU_ASSERT_EQUAL(values[i], i + 1);
  OK(pl_array_resize(array, 0));
  pl_dat_free(&array);
}

/* ---- queues and events ---- */

static void test_queues(void)
{
  pl_queue *queue = NULL, *strange = NULL;
  pl_event *first = NULL, *second = NULL, *elsewhere = NULL;
  double seconds = -1;
  NULL_REFUSED(pl_queue_create(NULL, "q", &queue));
  NULL_REFUSED(pl_queue_create(w.pl, "q", NULL));
  NULL_REFUSED(pl_queue_use(NULL, NULL));
  NULL_REFUSED(pl_sync(NULL));
  NULL_REFUSED(pl_event_create(NULL, "e", &first));
  NULL_REFUSED(pl_event_create(w.pl, "e", NULL));
  NULL_REFUSED(pl_event_record(NULL));
  NULL_REFUSED(pl_event_wait(NULL));
  NULL_REFUSED(pl_queue_wait(NULL));
  OK(pl_queue_create(w.pl, NULL, &queue));
  OK(pl_queue_create(w.other, "strange", &strange));
  OK(pl_event_create(w.pl, NULL, &first));
  OK(pl_event_create(w.pl, "second", &second));
  OK(pl_event_create(w.other, "elsewhere", &elsewhere));
  REFUSED(PL_ERR_ARG, pl_queue_use(w.pl, strange));
  OK(pl_queue_use(w.pl, queue));
  REFUSED(PL_ERR_STATE, pl_event_wait(first));
  REFUSED(PL_ERR_STATE, pl_queue_wait(first));
  OK(pl_event_record(first));
  REFUSED(PL_ERR_STATE, pl_event_seconds(first, second, &seconds));
  OK(pl_event_record(second));
  NULL_REFUSED(pl_event_seconds(NULL, second, &seconds));
  NULL_REFUSED(pl_event_seconds(first, NULL, &seconds));
  NULL_REFUSED(pl_event_seconds(first, second, NULL));
  NULL_REFUSED(pl_event_seconds(first, elsewhere, &seconds));
  OK(pl_event_seconds(first, second, &seconds));
  CU_ASSERT(seconds >= 0);
  OK(pl_event_wait(second));
  OK(pl_queue_wait(second));
  OK(pl_sync(w.pl));
  pl_queue_free(&queue); /* the one in use */
  pl_queue_free(&queue);
  pl_queue_free(NULL);
  pl_event_free(&first);
  pl_event_free(&first);
  pl_event_free(NULL);
  CU_ASSERT(!queue && !first);
}

/* ---- programs ---- */

PL_REDUCTION(total, double, 0.0, a + b, (const double *x), x[i])
PL_SCAN(running, double, 0.0, a + b, (double *x), x[i], { x[i] = item; })

static pl_arg whole_array(pl_dat *dat, pl_access access)
{
  return pl_arg_dat(dat, PL_ID, PL_DIRECT, access);
}

static void test_reductions(void)
{
  static const pl_algorithm empty = {0};
  const pl_arg arg = whole_array(w.x, PL_READ);
  NULL_REFUSED(pl_reduce_args(NULL, w.cells, w.sum, 1, &arg));
  NULL_REFUSED(pl_reduce_args(&empty, w.cells, w.sum, 1, &arg));
  NULL_REFUSED(pl_reduce_args(total, NULL, w.sum, 1, &arg));
  NULL_REFUSED(pl_reduce_args(total, w.cells, NULL, 1, &arg));
  REFUSED(PL_ERR_KERNEL, pl_reduce_args(total, w.cells, w.sum, 1, NULL));
  REFUSED(PL_ERR_KERNEL, pl_reduce_args(total, w.cells, w.sum, -1, NULL));
  NULL_REFUSED(pl_reduce(total, w.cells, w.sum, whole_array(NULL, PL_READ)));
  REFUSED(PL_ERR_ARG, pl_reduce(total, w.cells, w.pair, arg));
  REFUSED(PL_ERR_TYPE, pl_reduce(total, w.cells, w.whole, arg));
  REFUSED(PL_ERR_TYPE, pl_reduce(total, w.cells, w.sum, whole_array(w.wide, PL_READ)));
  REFUSED(PL_ERR_ARG, pl_reduce(total, w.cells, w.sum, whole_array(w.strange, PL_READ)));
  REFUSED(PL_ERR_ARG, pl_reduce(total, w.foreign, w.sum, arg));
  REFUSED(PL_ERR_ARG, pl_reduce(total, w.some, w.sum, arg));
  REFUSED(PL_ERR_ARG, pl_reduce(running, w.cells, w.sum, arg));
  NULL_REFUSED(pl_scan_args(NULL, w.cells, 1, &arg));
  NULL_REFUSED(pl_scan_args(running, NULL, 1, &arg));
  REFUSED(PL_ERR_KERNEL, pl_scan_args(running, w.cells, 1, NULL));
  REFUSED(PL_ERR_ACCESS, pl_scan(running, w.cells, arg));
  REFUSED(PL_ERR_ACCESS, pl_scan(running, w.cells, whole_array(w.x, PL_INC)));
  REFUSED(PL_ERR_ARG, pl_scan(running, w.cells, pl_arg_idx(PL_ID, PL_DIRECT)));
  REFUSED(PL_ERR_ARG, pl_scan(running, w.cells, pl_arg_opt(whole_array(w.x, PL_RW), 0)));
  REFUSED(PL_ERR_ARG, pl_scan(running, w.cells, pl_arg_component(whole_array(w.x, PL_RW), 0)));
  REFUSED(PL_ERR_ARG, pl_scan(total, w.cells, arg));
}

static void test_orders(void)
{
  static const int none[1] = {CELLS};
  pl_dat *order, *keys;
  int64_t count;
  OK(pl_decl_dat(w.cells, 1, PL_INT, NULL, "order", &order));
  OK(pl_decl_dat(w.cells, 1, PL_INT, NULL, "keys", &keys));
  NULL_REFUSED(pl_sort_order(NULL, 0, order));
  NULL_REFUSED(pl_sort_order(keys, 0, NULL));
  REFUSED(PL_ERR_ARG, pl_sort_order(keys, 0, keys));
  REFUSED(PL_ERR_RANGE, pl_sort_order(keys, -1, order));
  NULL_REFUSED(pl_sort(NULL, 0, 0, NULL));
  NULL_REFUSED(pl_sort(keys, 0, 1, NULL));
  REFUSED(PL_ERR_ARG, pl_sort(keys, 0, -1, &w.x));
  REFUSED(PL_ERR_ARG, pl_sort(keys, 0, 1, &w.y));
  NULL_REFUSED(pl_select(NULL, order, &count));
  NULL_REFUSED(pl_select(keys, order, NULL));
  OK(pl_select(keys, NULL, &count));
  REFUSED(PL_ERR_ARG, pl_select(keys, keys, &count));
  NULL_REFUSED(pl_align(NULL, 0, NULL));
  NULL_REFUSED(pl_align(order, 1, NULL));
  REFUSED(PL_ERR_ARG, pl_align(order, 1, &w.y));
  REFUSED(PL_ERR_TYPE, pl_align(w.wide, 1, &w.x));
  NULL_REFUSED(pl_take(NULL, w.x, w.x));
  NULL_REFUSED(pl_take(order, NULL, w.x));
  NULL_REFUSED(pl_take(order, w.x, NULL));
  REFUSED(PL_ERR_ARG, pl_take(order, w.x, w.x));
  NULL_REFUSED(pl_set_resize(NULL, 1));
  NULL_REFUSED(pl_set_reserve(NULL, 1));
  NULL_REFUSED(pl_set_keep(NULL, keys));
  NULL_REFUSED(pl_set_keep(w.cells, NULL));
  NULL_REFUSED(pl_set_remove(NULL, 1, none));
  NULL_REFUSED(pl_set_reorder(NULL, order));
  NULL_REFUSED(pl_set_reorder(w.cells, NULL));
  CU_ASSERT_EQUAL(pl_set_capacity(NULL), 0);
  REFUSED(PL_ERR_STATE, pl_set_resize(w.cells, CELLS + 1)); /* maps stand on it */
  REFUSED(PL_ERR_STATE, pl_set_reserve(w.cells, CELLS + 1));
  REFUSED(PL_ERR_STATE, pl_set_resize(w.some, 1));
  pl_set *alone;
  OK(pl_decl_set(w.pl, 3, "alone", &alone));
  REFUSED(PL_ERR_RANGE, pl_set_resize(alone, -1));
  REFUSED(PL_ERR_RANGE, pl_set_resize(alone, INT64_MAX));
  REFUSED(PL_ERR_RANGE, pl_set_reserve(alone, -1));
  NULL_REFUSED(pl_set_remove(alone, 1, NULL));
  NULL_REFUSED(pl_set_remove(alone, -1, none));
  REFUSED(PL_ERR_RANGE, pl_set_remove(alone, 1, none));
  REFUSED(PL_ERR_ARG, pl_set_keep(alone, keys));
  REFUSED(PL_ERR_TYPE, pl_set_reorder(alone, order));
  CU_ASSERT_EQUAL(pl_set_size(alone), 3);
}

static void test_programs(void)
{
  static const char text[] =
    "KERNEL void k(GLOBAL double *x, int n) { if (GLOBAL_ID < n) x[GLOBAL_ID] = 3; }";
  static const char *const bad[] = {"=1", NULL};
  pl_program *program = NULL;
  pl_entry *entry = NULL;
  pl_dat *dat = NULL;
  int32_t n = 4;
  int limit = 0;
  NULL_REFUSED(pl_program_create(NULL, text, NULL, "p", &program));
  NULL_REFUSED(pl_program_create(w.pl, NULL, NULL, "p", &program));
  NULL_REFUSED(pl_program_create(w.pl, text, NULL, "p", NULL));
  REFUSED(PL_ERR_ARG, pl_program_create(w.pl, text, bad, "p", &program));
  if (!on_device())
    REFUSED(PL_ERR_STATE, pl_program_create(w.pl, text, NULL, "p", &program)); /* jit is off */
  NULL_REFUSED(pl_program_kernel(NULL, "k", &entry));
  NULL_REFUSED(pl_entry_dat(NULL, 0, w.x, PL_READ));
  NULL_REFUSED(pl_entry_value(NULL, 0, PL_INT32, 1, &n));
  NULL_REFUSED(pl_entry_run(NULL, 1, 1));
  NULL_REFUSED(pl_entry_block_limit(NULL, &limit));
  CU_ASSERT_EQUAL(pl_real_type(NULL), PL_FLOAT);
  CU_ASSERT_EQUAL(pl_mixed_type(NULL), PL_FLOAT);
  CU_ASSERT(!program && !entry);
  pl_context *off = w.pl;
  w.pl = open_context("jit=on");
  OK(pl_program_create(w.pl, text, NULL, NULL, &program));
  OK(pl_program_kernel(program, "k", &entry));
  NULL_REFUSED(pl_program_kernel(program, NULL, &entry));
  NULL_REFUSED(pl_program_kernel(program, "k", NULL));
  REFUSED(PL_ERR_KERNEL, pl_program_kernel(program, "", &entry));
  NULL_REFUSED(pl_entry_dat(entry, 0, NULL, PL_READ));
  NULL_REFUSED(pl_entry_value(entry, 1, PL_INT32, 1, NULL));
  NULL_REFUSED(pl_entry_block_limit(entry, NULL));
  REFUSED(PL_ERR_ARG, pl_entry_dat(entry, 0, w.x, PL_RW)); /* of another context */
  REFUSED(PL_ERR_RANGE, pl_entry_dat(entry, -1, w.x, PL_RW));
  REFUSED(PL_ERR_TYPE, pl_entry_value(entry, 1, PL_TYPE_COUNT, 1, &n));
  REFUSED(PL_ERR_RANGE, pl_entry_value(entry, 1, PL_INT32, 0, &n));
  REFUSED(PL_ERR_STATE, pl_entry_run(entry, 4, 0));
  REFUSED(PL_ERR_RANGE, pl_entry_run(entry, INT64_MAX, 0));
  REFUSED(PL_ERR_RANGE, pl_entry_run(entry, 4, -1));
  pl_set *set;
  OK(pl_decl_set(w.pl, 4, "four", &set));
  OK(pl_decl_dat(set, 1, PL_DOUBLE, NULL, "x", &dat));
  OK(pl_entry_dat(entry, 0, dat, PL_WRITE));
  OK(pl_entry_value(entry, 1, PL_INT32, 1, &n));
  OK(pl_entry_run(entry, 4, 0));
  OK(pl_entry_run(entry, 0, 0));
  pl_program_free(&program); /* is kept for its kernel, with a warning */
  OK(pl_entry_run(entry, 4, 0));
  pl_entry_free(&entry);
  pl_entry_free(&entry);
  pl_entry_free(NULL);
  pl_program_free(&program);
  pl_program_free(NULL);
  pl_finalize(&w.pl);
  w.pl = off;
}

/* ---- sizes of structs, other languages ---- */

/* A struct of a newer version: one more member, which is 0, is accepted; if it is set, the call is refused.
 */
#define NEWER(type, call)                                                                                    \
  do {                                                                                                       \
    struct newer {                                                                                           \
      type known;                                                                                            \
      void *more;                                                                                            \
    } newer = {.more = NULL};                                                                                \
    const type *known = &newer.known;                                                                        \
    const size_t size = sizeof newer;                                                                        \
    OK(call);                                                                                                \
    newer.more = &w;                                                                                         \
    REFUSED(PL_ERR_ARG, call);                                                                               \
  } while (0)

/* A struct for results: an older version gets its bytes and no more, a newer one zeros for what is unknown.
 */
#define RESULT(type, call)                                                                                   \
  do {                                                                                                       \
    struct newer {                                                                                           \
      type known;                                                                                            \
      void *more;                                                                                            \
    } newer;                                                                                                 \
    type *known = &newer.known;                                                                              \
    size_t size = sizeof(void *);                                                                            \
    memset(&newer, 0xaa, sizeof newer);                                                                      \
    OK(call);                                                                                                \
    CU_ASSERT_EQUAL(((unsigned char *)&newer)[size], 0xaa);                                                  \
    size = sizeof newer;                                                                                     \
    OK(call);                                                                                                \
    CU_ASSERT_PTR_NULL(newer.more);                                                                          \
  } while (0)

static void test_given_structs(void)
{
  const pl_kernel *kernel;
  pl_set *points;
  pl_sparsity *sparsity = NULL;
  pl_context *pl = NULL;
  char text[40];
  snprintf(text, sizeof text, "backend=%s", backend);
  struct {
    pl_settings known;
    int64_t more; /* as wide as the struct's alignment: padding would be read too */
  } settings = {.known.options = (const char *const[]){text, NULL}, .more = 1};
  CU_ASSERT_EQUAL(pl_init_sized(NULL, NULL, &settings.known, sizeof settings, &pl), PL_ERR_ARG);
  CU_ASSERT(!pl && strstr(pl_errmsg(NULL), "newer version"));
  settings.more = 0;
  OK(pl_init_sized(NULL, NULL, &settings.known, sizeof settings, &pl));
  OK(pl_decl_set(pl, 2, "points", &points));
  pl_finalize(&pl);
  NEWER(pl_kernel_options,
        pl_kernel_from_source_sized(w.pl, "k", "void k(double *x) {}", known, size, &kernel));
  const pl_kernel_options old = {.line = 3};
  OK(pl_kernel_from_source_sized(w.pl, "k", "void k(double *x) {}", &old, sizeof(void *), &kernel));
  CU_ASSERT_EQUAL(kernel->line, 1);
  struct {
    pl_map_pair known;
    void *more;
  } pair = {{w.map, w.map}, &w};
  REFUSED(PL_ERR_ARG,
          pl_decl_sparsity_sized(w.cells, 1, w.cells, 1, 1, &pair.known, sizeof pair, "s", &sparsity));
  pair.more = NULL;
  OK(pl_decl_sparsity_sized(w.cells, 1, w.cells, 1, 1, &pair.known, sizeof pair, "s", &sparsity));
  pl_sparsity_free(&sparsity);
  NEWER(pl_partition_options, pl_partition_sized(w.cells, PL_PARTITION_BLOCK, known, size));
  const pl_values values = {NULL, PL_DOUBLE, NULL};
  OK(pl_decl_set(w.pl, 2, "points", &points));
  REFUSED(PL_ERR_ARG, pl_particle_add_values_sized(points, 1, NULL, 1, &values, sizeof values + 8));
  struct {
    pl_hdf5_objects known;
    void *more;
  } objects = {.more = &w};
  REFUSED(PL_ERR_ARG, pl_hdf5_write_objects_sized(w.pl, "x.h5", &objects.known, sizeof objects));
}

static void test_result_structs(void)
{
  pl_map *pairs;
  RESULT(pl_stats, pl_get_stats_sized(w.pl, known, size));
  RESULT(pl_stats, pl_get_stats_ranks_sized(w.pl, NULL, known, size));
  RESULT(pl_stats, pl_get_stats_ranks_sized(w.pl, known, NULL, size));
  const pl_map_pair pair = {w.map, w.map};
  pl_sparsity *sparsity;
  OK(pl_decl_sparsity(w.cells, 1, w.cells, 1, 1, &pair, "s", &sparsity));
  RESULT(pl_csr, pl_sparsity_csr_sized(sparsity, known, size));
  pl_sparsity_free(&sparsity);
  RESULT(pl_partition_info, pl_get_partition_sized(w.map, known, size));
  OK(pl_loop_run(w.loop));
  RESULT(pl_profile_entry, pl_profile_at_sized(w.pl, 0, known, size));
  OK(pl_decl_pair_map(w.x, NULL, 1, 0.5, "pairs", &pairs));
  RESULT(pl_pair_stats, pl_pair_map_stats_sized(pairs, known, size));
  if (on_device()) RESULT(pl_device_info, pl_device_at_sized(w.pl, backend, 0, known, size));
}

/* Arguments and texts that another version of the macros made. */
static void test_macro_structs(void)
{
  pl_arg arg = pl_arg_direct(w.x, PL_WRITE);
  pl_function function = *plus_one_plait;
  pl_algorithm algorithm = *total;
  pl_kernel kernel = *fill;
  arg.size++;
  REFUSED(PL_ERR_ARG, pl_par_loop_args(fill, w.cells, 1, &arg));
  REFUSED(PL_ERR_ARG, pl_reduce_args(total, w.cells, w.sum, 1, &arg));
  arg.size--;
  function.name = "other";
  function.size++;
  REFUSED(PL_ERR_ARG, pl_decl_function_text(w.pl, &function));
  algorithm.size++;
  arg.access = PL_READ;
  REFUSED(PL_ERR_ARG, pl_reduce_args(&algorithm, w.cells, w.sum, 1, &arg));
  kernel.size++;
  arg.access = PL_WRITE;
  REFUSED(PL_ERR_ARG, pl_par_loop_args(&kernel, w.cells, 1, &arg));
}

/* ---- other languages ---- */

static void test_names(void)
{
  int value = 0;
  pl_stats stats = {.loops_run = 7};
  OK(pl_constant("PL_INC", &value));
  CU_ASSERT_EQUAL(value, PL_INC);
  OK(pl_constant("PL_ALL", &value));
  CU_ASSERT_EQUAL(value, PL_ALL);
  OK(pl_constant("PL_ERR_COMPILE", &value));
  CU_ASSERT_EQUAL(value, PL_ERR_COMPILE);
  OK(pl_constant("PLAIT_VERSION_MINOR", &value));
  CU_ASSERT_EQUAL(value, PLAIT_VERSION_MINOR);
  CU_ASSERT_EQUAL(pl_constant("PL_NOTHING", &value), PL_ERR_ARG);
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(NULL), "PL_NOTHING"));
  CU_ASSERT_EQUAL(pl_constant(NULL, &value), PL_ERR_ARG);
  CU_ASSERT_EQUAL(pl_constant("PL_INC", NULL), PL_ERR_ARG);
  OK(pl_dat_zero(w.y)); /* a call with a context clears the message */
  CU_ASSERT_EQUAL(pl_struct_size("pl_hdf5_objects"), sizeof(pl_hdf5_objects));
  CU_ASSERT_EQUAL(pl_struct_size("pl_set"), 0);
  CU_ASSERT_EQUAL(pl_struct_size(NULL), 0);
  CU_ASSERT_PTR_EQUAL(pl_struct_member("pl_stats", "loops_run", &stats), &stats.loops_run);
  CU_ASSERT_PTR_NULL(pl_struct_member("pl_stats", "loops", &stats));
  CU_ASSERT_PTR_NULL(pl_struct_member("pl_stats", "loops_run", NULL));
  CU_ASSERT_PTR_NULL(pl_struct_member(NULL, NULL, &stats));
}

static bool same_arg(pl_arg a, pl_arg b)
{
  return a.size == b.size && a.kind == b.kind && a.access == b.access && a.object == b.object &&
         a.map == b.map && a.index == b.index && a.component == b.component && a.off == b.off &&
         a.with == b.with && a.fixed == b.fixed && a.zeroed == b.zeroed && a.columns == b.columns &&
         a.row_mask == b.row_mask && a.column_mask == b.column_mask;
}

static void test_put_args(void)
{
  pl_arg arg[2];
  pl_arg x = pl_arg_dat(w.x, 1, w.map, PL_INC);
  pl_put_arg_dat(arg, 1, w.x, 1, w.map, PL_INC);
  CU_ASSERT(same_arg(arg[1], x));
  pl_put_arg_component(arg, 1, 2);
  CU_ASSERT(same_arg(arg[1], x = pl_arg_component(x, 2)));
  pl_put_arg_zeroed(arg, 1);
  CU_ASSERT(same_arg(arg[1], x = pl_arg_zeroed(x)));
  pl_put_arg_fixed(arg, 1, 32);
  CU_ASSERT(same_arg(arg[1], x = pl_arg_fixed(x, 32)));
  pl_put_arg_opt(arg, 1, 0);
  CU_ASSERT(same_arg(arg[1], pl_arg_opt(x, 0)));
  pl_put_arg_direct(arg, 1, w.x, PL_READ);
  CU_ASSERT(same_arg(arg[1], pl_arg_direct(w.x, PL_READ)));
  pl_put_arg_gbl(arg, 1, w.sum, PL_MIN);
  CU_ASSERT(same_arg(arg[1], pl_arg_gbl(w.sum, PL_MIN)));
  pl_put_arg_payload(arg, 1, w.pair, w.sum);
  CU_ASSERT(same_arg(arg[1], pl_arg_payload(w.pair, w.sum)));
  pl_put_arg_const(arg, 1, w.factor, PL_READ);
  CU_ASSERT(same_arg(arg[1], pl_arg_const(w.factor, PL_READ)));
  pl_put_arg_idx(arg, 1, 1, w.map);
  CU_ASSERT(same_arg(arg[1], pl_arg_idx(1, w.map)));
  pl_put_arg_ptr(arg, 1, &w);
  CU_ASSERT(same_arg(arg[1], pl_arg_ptr(&w)));
  pl_put_arg_difference(arg, 1, w.x);
  CU_ASSERT(same_arg(arg[1], pl_arg_difference(w.x)));
  pl_put_arg_distance2(arg, 1, w.x);
  CU_ASSERT(same_arg(arg[1], pl_arg_distance2(w.x)));
  pl_put_arg_payload(arg, 1, w.pair, NULL);
  CU_ASSERT(same_arg(arg[1], pl_arg_payload(w.pair, NULL)));
}

static pl_mat *new_matrix(pl_set *rows, pl_map *map, const char *name);

/* NULL in an argument is refused by the loop, and an array that is NULL is not written. */
static void test_null_put_args(void)
{
  pl_arg arg[1];
  pl_put_arg_dat(NULL, 0, w.x, 1, w.map, PL_INC);
  pl_put_arg_direct(NULL, 0, w.x, PL_READ);
  pl_put_arg_gbl(NULL, 0, w.sum, PL_MIN);
  pl_put_arg_payload(NULL, 0, w.pair, w.sum);
  pl_put_arg_const(NULL, 0, w.factor, PL_READ);
  pl_put_arg_idx(NULL, 0, 1, w.map);
  pl_put_arg_random(NULL, 0, NULL, 1, w.map);
  pl_put_arg_ptr(NULL, 0, &w);
  pl_put_arg_difference(NULL, 0, w.x);
  pl_put_arg_distance2(NULL, 0, w.x);
  pl_put_arg_mat(NULL, 0, NULL, w.map, w.map, PL_INC);
  pl_put_arg_mixed_dat(NULL, 0, NULL, NULL, PL_READ);
  pl_put_arg_mixed_mat(NULL, 0, NULL, NULL, NULL, PL_INC);
  pl_put_arg_component(NULL, 0, 2);
  pl_put_arg_zeroed(NULL, 0);
  pl_put_arg_masked(NULL, 0, w.x, w.x);
  pl_put_arg_opt(NULL, 0, 1);
  pl_put_arg_fixed(NULL, 0, 32);
  pl_mat *m = new_matrix(w.cells, w.map, "m");
#define PUT_REFUSED(put) NULL_REFUSED(((put), pl_par_loop_args(fill, w.edges, 1, arg)))
  PUT_REFUSED(pl_put_arg_dat(arg, 0, NULL, 1, w.map, PL_INC));
  PUT_REFUSED(pl_put_arg_dat(arg, 0, w.x, 1, NULL, PL_INC));
  PUT_REFUSED(pl_put_arg_direct(arg, 0, NULL, PL_READ));
  PUT_REFUSED(pl_put_arg_gbl(arg, 0, NULL, PL_MIN));
  PUT_REFUSED(pl_put_arg_payload(arg, 0, NULL, NULL));
  PUT_REFUSED(pl_put_arg_const(arg, 0, NULL, PL_READ));
  PUT_REFUSED(pl_put_arg_idx(arg, 0, 1, NULL));
  PUT_REFUSED(pl_put_arg_random(arg, 0, NULL, 1, w.map));
  PUT_REFUSED(pl_put_arg_random(arg, 0, NULL, 1, NULL));
  pl_put_arg_ptr(arg, 0, NULL); /* which kernels may test */
  CU_ASSERT(same_arg(arg[0], pl_arg_ptr(NULL)));
  PUT_REFUSED(pl_put_arg_difference(arg, 0, NULL));
  PUT_REFUSED(pl_put_arg_distance2(arg, 0, NULL));
  PUT_REFUSED(pl_put_arg_mat(arg, 0, NULL, w.map, w.map, PL_INC));
  PUT_REFUSED(pl_put_arg_mat(arg, 0, m, NULL, w.map, PL_INC));
  PUT_REFUSED(pl_put_arg_mat(arg, 0, m, w.map, NULL, PL_INC));
  PUT_REFUSED(pl_put_arg_mixed_dat(arg, 0, NULL, NULL, PL_READ));
  PUT_REFUSED(pl_put_arg_mixed_mat(arg, 0, NULL, NULL, NULL, PL_READ));
#undef PUT_REFUSED
  pl_put_arg_mat(arg, 0, m, w.map, w.map, PL_INC);
  pl_put_arg_masked(arg, 0, NULL, NULL); /* no masks */
  CU_ASSERT(same_arg(arg[0], pl_arg_mat(m, w.map, w.map, PL_INC)));
  pl_mat_free(&m);
}

#define SCAN(name, type, flag, output, result)                                                               \
  pl_algorithm_from_source(w.pl, name, type, "0", "a + b", "(double *x)", "x[i]", flag, output, result)

static void test_sources(void)
{
  const pl_algorithm *scan = NULL;
  NULL_REFUSED(SCAN(NULL, "double", NULL, NULL, &scan));
  NULL_REFUSED(SCAN("s", NULL, NULL, NULL, &scan));
  NULL_REFUSED(SCAN("s", "double", NULL, NULL, NULL));
  NULL_REFUSED(pl_algorithm_from_source(NULL, "s", "int", "0", "a + b", "()", "1", NULL, NULL, &scan));
  NULL_REFUSED(pl_algorithm_from_source(w.pl, NULL, "int", "0", "a + b", "()", "1", NULL, NULL, &scan));
  NULL_REFUSED(pl_algorithm_from_source(w.pl, "s", NULL, "0", "a + b", "()", "1", NULL, NULL, &scan));
  NULL_REFUSED(pl_algorithm_from_source(w.pl, "s", "int", NULL, "a + b", "()", "1", NULL, NULL, &scan));
  NULL_REFUSED(pl_algorithm_from_source(w.pl, "s", "int", "0", NULL, "()", "1", NULL, NULL, &scan));
  NULL_REFUSED(pl_algorithm_from_source(w.pl, "s", "int", "0", "a + b", NULL, "1", NULL, NULL, &scan));
  NULL_REFUSED(pl_algorithm_from_source(w.pl, "s", "int", "0", "a + b", "()", NULL, NULL, NULL, &scan));
  NULL_REFUSED(pl_algorithm_from_source(w.pl, "s", "int", "0", "a + b", "()", "1", NULL, NULL, NULL));
  REFUSED(PL_ERR_ARG, SCAN("a b", "double", NULL, NULL, &scan));
  REFUSED(PL_ERR_ARG, SCAN("s", "double", "i == 2", NULL, &scan));
  CU_ASSERT_PTR_NULL(scan);
  NULL_REFUSED(pl_decl_function_from_source(NULL, "f", "double", "(void)", "{ return 1; }"));
  NULL_REFUSED(pl_decl_function_from_source(w.pl, "f", NULL, "(void)", "{ return 1; }"));
  NULL_REFUSED(pl_decl_function_from_source(w.pl, NULL, "double", "(void)", "{ return 1; }"));
  NULL_REFUSED(pl_decl_function_from_source(w.pl, "f", "double", NULL, "{ return 1; }"));
  NULL_REFUSED(pl_decl_function_from_source(w.pl, "f", "double", "(void)", NULL));
  REFUSED(PL_ERR_ARG, pl_decl_function_from_source(w.pl, "plus_one", "double", "(void)", "{ return 1; }"));
  OK(SCAN("s", "double", NULL, "{ x[i] = item; }", &scan));
  if (!on_device()) REFUSED(PL_ERR_KERNEL, pl_scan(scan, w.cells, whole_array(w.x, PL_RW))); /* jit=off */
}

/* ---- random numbers and matrices ---- */

static void test_random(void)
{
  pl_random *random = NULL;
  pl_arg arg;
  NULL_REFUSED(pl_decl_random(NULL, 1, "r", &random));
  NULL_REFUSED(pl_decl_random(w.pl, 1, "r", NULL));
  CU_ASSERT_PTR_NULL(random);
  CU_ASSERT_EQUAL(pl_random_get_call(NULL), 0);
  NULL_REFUSED(pl_random_set_call(NULL, 1));
  OK(pl_decl_random(w.pl, 1, "r", &random));
  pl_put_arg_random(&arg, 0, random, 1, w.map);
  CU_ASSERT(same_arg(arg, pl_arg_random(random, 1, w.map)));
  REFUSED(PL_ERR_TYPE, pl_par_loop(fill, w.cells, pl_arg_random(random, PL_ID, PL_DIRECT)));
  CU_ASSERT_EQUAL(pl_random_get_call(random), 0);
  pl_random_free(&random);
  pl_random_free(&random);
  pl_random_free(NULL);
}

static pl_mat *new_matrix(pl_set *rows, pl_map *map, const char *name)
{
  const pl_map_pair pair = {map, map};
  pl_sparsity *sparsity = NULL;
  pl_mat *mat = NULL;
  OK(pl_decl_sparsity(rows, 1, rows, 1, 1, &pair, name, &sparsity));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, name, &mat));
  pl_sparsity_free(&sparsity);
  return mat;
}

static void test_sparsities(void)
{
  const pl_map_pair pair = {w.map, w.map}, none = {NULL, w.map}, unlike = {w.map, w.first};
  pl_sparsity *sparsity = NULL;
  pl_mat *mat = NULL;
  pl_csr csr;
  NULL_REFUSED(pl_decl_sparsity(NULL, 1, w.cells, 1, 1, &pair, "s", &sparsity));
  NULL_REFUSED(pl_decl_sparsity(w.cells, 1, NULL, 1, 1, &pair, "s", &sparsity));
  NULL_REFUSED(pl_decl_sparsity(w.cells, 1, w.cells, 1, 1, NULL, "s", &sparsity));
  NULL_REFUSED(pl_decl_sparsity(w.cells, 1, w.cells, 1, 1, &none, "s", &sparsity));
  NULL_REFUSED(pl_decl_sparsity(w.cells, 1, w.cells, 1, 1, &pair, "s", NULL));
  REFUSED(PL_ERR_RANGE, pl_decl_sparsity(w.cells, 0, w.cells, 1, 1, &pair, "s", &sparsity));
  REFUSED(PL_ERR_ARG, pl_decl_sparsity(w.cells, 1, w.cells, 1, -1, &pair, "s", &sparsity));
  REFUSED(PL_ERR_RANGE, pl_decl_sparsity(w.cells, 1, w.cells, 0, 1, &pair, "s", &sparsity));
  REFUSED(PL_ERR_ARG, pl_decl_sparsity(w.edges, 1, w.cells, 1, 1, &pair, "s", &sparsity));
  CU_ASSERT_PTR_NULL(sparsity);
  NULL_REFUSED(pl_sparsity_csr(NULL, &csr));
  OK(pl_decl_sparsity(w.cells, 1, w.cells, 1, 1, &unlike, "s", &sparsity));
  NULL_REFUSED(pl_sparsity_csr(sparsity, NULL));
  CU_ASSERT_EQUAL(pl_sparsity_bytes(NULL), 0);
  NULL_REFUSED(pl_sparsity_draw(NULL, "x.pgm", 8));
  NULL_REFUSED(pl_sparsity_draw(sparsity, NULL, 8));
  REFUSED(PL_ERR_RANGE, pl_sparsity_draw(sparsity, "x.pgm", 0));
  NULL_REFUSED(pl_decl_mat(NULL, PL_DOUBLE, "m", &mat));
  NULL_REFUSED(pl_mat_wrap(NULL, PL_DOUBLE, PL_MEMORY_HOST, &mat, 1, "m", &mat));
  NULL_REFUSED(pl_mat_wrap(sparsity, PL_DOUBLE, PL_MEMORY_HOST, NULL, CELLS, "m", &mat));
  NULL_REFUSED(pl_mat_wrap(sparsity, PL_DOUBLE, PL_MEMORY_HOST, &mat, CELLS, "m", NULL));
  NULL_REFUSED(pl_decl_mat(sparsity, PL_DOUBLE, "m", NULL));
  REFUSED(PL_ERR_TYPE, pl_decl_mat(sparsity, PL_INT32, "m", &mat));
  CU_ASSERT_PTR_NULL(mat);
  pl_sparsity_free(&sparsity);
  pl_sparsity_free(&sparsity);
  pl_sparsity_free(NULL);
}

static void test_null_matrices(void)
{
  const int64_t at[] = {0}, ends[] = {0, 1};
  double value = 1;
  pl_arg arg;
  int64_t rows = 0;
  pl_dat *values = NULL;
  pl_mat *m = new_matrix(w.cells, w.map, "m"), *other = NULL;
  NULL_REFUSED(pl_mat_assemble(NULL));
  NULL_REFUSED(pl_mat_values(NULL, &values));
  NULL_REFUSED(pl_mat_values(m, NULL));
  OK(pl_mat_values(m, &values));
  pl_dat_free(&values); /* refused: the matrix stays whole */
  CU_ASSERT_PTR_NULL(values);
  OK(pl_mat_values(m, &values));
  CU_ASSERT_EQUAL(pl_mat_state_of(NULL), PL_MAT_ASSEMBLED);
  CU_ASSERT_EQUAL(pl_mat_bytes(NULL), 0);
  NULL_REFUSED(pl_mat_zero(NULL));
  NULL_REFUSED(pl_mat_scale(2, NULL));
  NULL_REFUSED(pl_mat_axpy(2, NULL, m));
  NULL_REFUSED(pl_mat_axpy(2, m, NULL));
  NULL_REFUSED(pl_mat_copy(NULL, m));
  NULL_REFUSED(pl_mat_copy(m, NULL));
  NULL_REFUSED(pl_mat_norm(NULL, &value));
  NULL_REFUSED(pl_mat_norm(m, NULL));
  NULL_REFUSED(pl_mat_multiply(NULL, w.x, w.x));
  NULL_REFUSED(pl_mat_multiply_transposed(NULL, w.x, w.x));
  NULL_REFUSED(pl_mat_multiply_transposed(m, NULL, w.x));
  NULL_REFUSED(pl_mat_multiply_transposed(m, w.x, NULL));
  NULL_REFUSED(pl_mat_multiply_adjoint(NULL, w.x, w.x));
  NULL_REFUSED(pl_mat_multiply_adjoint(m, NULL, w.x));
  NULL_REFUSED(pl_mat_multiply_adjoint(m, w.x, NULL));
  NULL_REFUSED(pl_mat_multiply(m, NULL, w.x));
  NULL_REFUSED(pl_mat_multiply(m, w.x, NULL));
  NULL_REFUSED(pl_mat_zero_rows(NULL, w.some, 1));
  NULL_REFUSED(pl_mat_zero_rows(m, NULL, 1));
  NULL_REFUSED(pl_mat_get_diagonal(NULL, w.x));
  NULL_REFUSED(pl_mat_get_diagonal(m, NULL));
  NULL_REFUSED(pl_mat_set_diagonal(NULL, w.x));
  NULL_REFUSED(pl_mat_set_diagonal(m, NULL));
  NULL_REFUSED(pl_mat_set(NULL, 1, at, 1, at, &value));
  NULL_REFUSED(pl_mat_add(NULL, 1, at, 1, at, &value));
  NULL_REFUSED(pl_mat_get(NULL, 1, at, 1, at, &value));
  NULL_REFUSED(pl_mat_set(m, 1, NULL, 1, at, &value));
  NULL_REFUSED(pl_mat_set(m, 1, at, 1, NULL, &value));
  NULL_REFUSED(pl_mat_set(m, 1, at, 1, at, NULL));
  NULL_REFUSED(pl_mat_add(m, 1, NULL, 1, at, &value));
  NULL_REFUSED(pl_mat_add(m, 1, at, 1, at, NULL));
  NULL_REFUSED(pl_mat_get(m, 1, NULL, 1, at, &value));
  NULL_REFUSED(pl_mat_get(m, 1, at, 1, NULL, &value));
  NULL_REFUSED(pl_mat_add(m, 1, at, 1, NULL, &value));
  NULL_REFUSED(pl_mat_get(m, 1, at, 1, at, NULL));
  NULL_REFUSED(pl_mat_set_csr(NULL, 1, at, at, at, &value));
  REFUSED(PL_ERR_ARG, pl_mat_set_csr(m, 1, NULL, at, at, &value));
  REFUSED(PL_ERR_ARG, pl_mat_set_csr(m, 1, at, NULL, at, &value));
  REFUSED(PL_ERR_ARG, pl_mat_set_csr(m, 1, at, ends, NULL, &value));
  REFUSED(PL_ERR_ARG, pl_mat_set_csr(m, 1, at, ends, at, NULL));
  NULL_REFUSED(pl_mat_file_size(NULL, "m.mtx", &rows, &rows));
  NULL_REFUSED(pl_mat_file_size(w.pl, NULL, &rows, &rows));
  NULL_REFUSED(pl_mat_file_size(w.pl, "m.mtx", NULL, &rows));
  NULL_REFUSED(pl_mat_file_size(w.pl, "m.mtx", &rows, NULL));
  REFUSED(PL_ERR_IO, pl_mat_file_size(w.pl, "/nonexistent/m.mtx", &rows, &rows));
  NULL_REFUSED(pl_decl_mat_file(NULL, w.cells, "m.mtx", "m", &other));
  NULL_REFUSED(pl_decl_mat_file(w.cells, NULL, "m.mtx", "m", &other));
  NULL_REFUSED(pl_decl_mat_file(w.cells, w.cells, NULL, "m", &other));
  NULL_REFUSED(pl_decl_mat_file(w.cells, w.cells, "m.mtx", "m", NULL));
  NULL_REFUSED(pl_mat_write(NULL, "m.mtx"));
  NULL_REFUSED(pl_mat_write(m, NULL));
  pl_put_arg_mat(&arg, 0, m, w.map, w.map, PL_INC);
  CU_ASSERT(same_arg(arg, pl_arg_mat(m, w.map, w.map, PL_INC)));
  pl_put_arg_masked(&arg, 0, w.x, w.y);
  CU_ASSERT(same_arg(arg, pl_arg_masked(pl_arg_mat(m, w.map, w.map, PL_INC), w.x, w.y)));
  pl_mat_free(&m);
  pl_mat_free(&m);
  pl_mat_free(NULL);
}

/* ---- mixed spaces ---- */

static void test_mixed_lists(void)
{
  pl_set *sets[] = {w.cells, w.cells}, *foreign[] = {w.cells, w.foreign};
  pl_map *maps[] = {w.map, w.map}, *none[] = {NULL, NULL};
  pl_dat *dats[] = {w.x, NULL};
  const int dims[] = {1, 1};
  pl_mixed_set *set = NULL;
  pl_mixed_map *map = NULL;
  pl_mixed_dat *dat = NULL;
  NULL_REFUSED(pl_decl_mixed_set(2, NULL, dims, "s", &set));
  NULL_REFUSED(pl_decl_mixed_set(2, sets, NULL, "s", &set));
  NULL_REFUSED(pl_decl_mixed_set(2, sets, dims, "s", NULL));
  CU_ASSERT_NOT_EQUAL(pl_decl_mixed_set(0, sets, dims, "s", &set), PL_SUCCESS);
  REFUSED(PL_ERR_ARG, pl_decl_mixed_set(2, foreign, dims, "s", &set));
  CU_ASSERT_PTR_NULL(set);
  OK(pl_decl_mixed_set(2, sets, dims, "s", &set));
  NULL_REFUSED(pl_decl_mixed_map(NULL, maps, "m", &map));
  NULL_REFUSED(pl_decl_mixed_map(set, NULL, "m", &map));
  NULL_REFUSED(pl_decl_mixed_map(set, maps, "m", NULL));
  NULL_REFUSED(pl_decl_mixed_map(set, none, "m", &map));
  NULL_REFUSED(pl_decl_mixed_dat(NULL, dats, "d", &dat));
  NULL_REFUSED(pl_decl_mixed_dat(set, NULL, "d", &dat));
  NULL_REFUSED(pl_decl_mixed_dat(set, dats, "d", &dat));
  NULL_REFUSED(pl_decl_mixed_dat(set, dats, "d", NULL));
  CU_ASSERT(!map && !dat);
  CU_ASSERT_EQUAL(pl_mixed_set_parts(NULL), 0);
  CU_ASSERT_EQUAL(pl_mixed_set_size(NULL), 0);
  CU_ASSERT_EQUAL(pl_mixed_set_size(set), 2 * CELLS);
  pl_mixed_map_free(&map);
  pl_mixed_map_free(NULL);
  pl_mixed_dat_free(&dat);
  pl_mixed_dat_free(NULL);
  pl_mixed_set_free(&set);
  CU_ASSERT_PTR_NULL(set);
  pl_mixed_set_free(&set);
  pl_mixed_set_free(NULL);
}

/* A mixed set with one part, its dat, and a nested matrix. */
typedef struct mixed {
  pl_mixed_set *set;
  pl_mixed_map *map;
  pl_mixed_dat *dat;
  pl_mixed_mat *mat;
} mixed;

static mixed new_mixed(pl_dat *x)
{
  const int dim = 1;
  mixed m = {NULL, NULL, NULL, NULL};
  OK(pl_decl_mixed_set(1, &w.cells, &dim, "s", &m.set));
  OK(pl_decl_mixed_map(m.set, &w.map, "m", &m.map));
  OK(pl_decl_mixed_dat(m.set, &x, "d", &m.dat));
  OK(pl_decl_mixed_mat(m.set, m.set, 1, &m.map, &m.map, PL_DOUBLE, PL_MIXED_NESTED, "A", &m.mat));
  return m;
}

static void free_mixed(mixed *m)
{
  pl_mixed_mat_free(&m->mat);
  pl_mixed_mat_free(&m->mat);
  pl_mixed_mat_free(NULL);
  pl_mixed_dat_free(&m->dat);
  pl_mixed_map_free(&m->map);
  pl_mixed_set_free(&m->set);
  CU_ASSERT(!m->mat && !m->dat && !m->map && !m->set);
}

static void test_mixed_matrices(void)
{
  pl_mat *part = NULL;
  pl_mixed_mat *mat = NULL;
  pl_dat *x = NULL;
  pl_arg arg;
  OK(pl_decl_dat(w.cells, 1, PL_DOUBLE, NULL, "v", &x));
  mixed m = new_mixed(x);
  NULL_REFUSED(pl_decl_mixed_mat(NULL, m.set, 1, &m.map, &m.map, PL_DOUBLE, PL_MIXED_NESTED, "A", &mat));
  NULL_REFUSED(pl_decl_mixed_mat(m.set, NULL, 1, &m.map, &m.map, PL_DOUBLE, PL_MIXED_NESTED, "A", &mat));
  NULL_REFUSED(pl_decl_mixed_mat(m.set, m.set, 1, NULL, &m.map, PL_DOUBLE, PL_MIXED_NESTED, "A", &mat));
  NULL_REFUSED(pl_decl_mixed_mat(m.set, m.set, 1, &m.map, NULL, PL_DOUBLE, PL_MIXED_NESTED, "A", &mat));
  NULL_REFUSED(pl_decl_mixed_mat(m.set, m.set, 1, &m.map, &m.map, PL_DOUBLE, PL_MIXED_NESTED, "A", NULL));
  REFUSED(PL_ERR_TYPE,
          pl_decl_mixed_mat(m.set, m.set, 1, &m.map, &m.map, PL_INT32, PL_MIXED_NESTED, "A", &mat));
  REFUSED(PL_ERR_ARG,
          pl_decl_mixed_mat(m.set, m.set, 1, &m.map, &m.map, PL_DOUBLE, (pl_mixed_form)7, "A", &mat));
  CU_ASSERT_PTR_NULL(mat);
  NULL_REFUSED(pl_mixed_mat_block(NULL, 0, 0, &part));
  NULL_REFUSED(pl_mixed_mat_block(m.mat, 0, 0, NULL));
  REFUSED(PL_ERR_RANGE, pl_mixed_mat_block(m.mat, -1, 0, &part));
  NULL_REFUSED(pl_mixed_mat_whole(NULL, &part));
  NULL_REFUSED(pl_mixed_mat_whole(m.mat, NULL));
  REFUSED(PL_ERR_STATE, pl_mixed_mat_whole(m.mat, &part));
  NULL_REFUSED(pl_mixed_mat_zero(NULL));
  NULL_REFUSED(pl_mixed_mat_zero_rows(NULL, 0, w.cells, 1));
  NULL_REFUSED(pl_mixed_mat_zero_rows(m.mat, 0, NULL, 1));
  REFUSED(PL_ERR_RANGE, pl_mixed_mat_zero_rows(m.mat, 1, w.cells, 1));
  NULL_REFUSED(pl_mixed_mat_get_diagonal(NULL, m.dat));
  NULL_REFUSED(pl_mixed_mat_get_diagonal(m.mat, NULL));
  NULL_REFUSED(pl_mixed_mat_set_diagonal(NULL, m.dat));
  NULL_REFUSED(pl_mixed_mat_set_diagonal(m.mat, NULL));
  NULL_REFUSED(pl_mixed_mat_multiply(NULL, m.dat, m.dat));
  NULL_REFUSED(pl_mixed_mat_multiply(m.mat, NULL, m.dat));
  NULL_REFUSED(pl_mixed_mat_multiply(m.mat, m.dat, NULL));
  REFUSED(PL_ERR_ARG, pl_mixed_mat_multiply(m.mat, m.dat, m.dat));
  NULL_REFUSED(pl_mixed_mat_multiply_transposed(NULL, m.dat, m.dat));
  NULL_REFUSED(pl_mixed_mat_multiply_transposed(m.mat, NULL, m.dat));
  NULL_REFUSED(pl_mixed_mat_multiply_transposed(m.mat, m.dat, NULL));
  pl_put_arg_mixed_mat(&arg, 0, m.mat, m.map, m.map, PL_INC);
  CU_ASSERT(same_arg(arg, pl_arg_mixed_mat(m.mat, m.map, m.map, PL_INC)));
  pl_put_arg_mixed_dat(&arg, 0, m.dat, m.map, PL_READ);
  CU_ASSERT(same_arg(arg, pl_arg_mixed_dat(m.dat, m.map, PL_READ)));
  REFUSED(PL_ERR_ARG, pl_par_loop(fill, w.edges, pl_arg_mixed_dat(NULL, m.map, PL_WRITE)));
  REFUSED(PL_ERR_ARG, pl_par_loop(fill, w.cells, pl_arg_mixed_dat(m.dat, m.map, PL_WRITE)));
  free_mixed(&m);
  pl_dat_free(&x);
}

static void test_whole_mixed_sets(void)
{
  pl_set *whole = NULL;
  pl_dat *x = NULL;
  int64_t numbers[CELLS];
  OK(pl_decl_dat(w.cells, 1, PL_DOUBLE, NULL, "v", &x));
  mixed m = new_mixed(x);
  NULL_REFUSED(pl_mixed_set_whole(NULL, &whole));
  NULL_REFUSED(pl_mixed_set_whole(m.set, NULL));
  NULL_REFUSED(pl_mixed_set_numbers(NULL, 0, numbers));
  NULL_REFUSED(pl_mixed_set_numbers(m.set, 0, NULL));
  REFUSED(PL_ERR_RANGE, pl_mixed_set_numbers(m.set, 1, numbers));
  NULL_REFUSED(pl_mixed_dat_gather(NULL, x));
  NULL_REFUSED(pl_mixed_dat_gather(m.dat, NULL));
  NULL_REFUSED(pl_mixed_dat_scatter(NULL, m.dat));
  NULL_REFUSED(pl_mixed_dat_scatter(x, NULL));
  if (!on_device()) REFUSED(PL_ERR_KERNEL, pl_mixed_set_whole(m.set, &whole)); /* jit=off */
  CU_ASSERT_PTR_NULL(whole);
  free_mixed(&m);
  pl_dat_free(&x);
}

static pl_err no_operator(void *user, pl_dat *x, pl_dat *y)
{
  (void)user, (void)x, (void)y;
  return PL_SUCCESS;
}

static pl_err no_jacobian(void *user, pl_dat *u, pl_mat *jacobian)
{
  (void)user, (void)u, (void)jacobian;
  return PL_SUCCESS;
}

static void test_solvers(void)
{
  pl_mat *m = new_matrix(w.cells, w.map, "m");
  pl_solver *s = NULL;
  NULL_REFUSED(pl_decl_solver(NULL, NULL, "s", &s));
  NULL_REFUSED(pl_decl_solver(m, NULL, "s", NULL));
  NULL_REFUSED(pl_decl_solver_apply(NULL, no_operator, NULL, NULL, NULL, "s", &s));
  NULL_REFUSED(pl_decl_solver_apply(w.x, NULL, NULL, NULL, NULL, "s", &s));
  NULL_REFUSED(pl_decl_solver_apply(w.x, no_operator, NULL, NULL, NULL, "s", NULL));
  NULL_REFUSED(pl_solver_run(NULL, w.x, w.y, NULL));
  NULL_REFUSED(pl_solve(NULL, w.x, w.y, NULL));
  NULL_REFUSED(pl_solve(m, NULL, w.x, NULL));
  NULL_REFUSED(pl_solve(m, w.x, NULL, NULL));
  CU_ASSERT_PTR_NULL(s);
  NULL_REFUSED(pl_decl_solver_apply_sized(w.x, NULL, NULL, NULL, NULL, 0, "s", &s));
  NULL_REFUSED(pl_solver_run_sized(NULL, w.x, w.y, NULL, 0));
  NULL_REFUSED(pl_solve_sized(NULL, w.x, w.y, NULL, 0));
  const struct {
    pl_solver_options known;
    int more;
  } newer = {.more = 1};
  REFUSED(PL_ERR_ARG, pl_decl_solver_sized(m, &newer.known, sizeof newer, "s", &s));
  CU_ASSERT_PTR_NULL(s);
  OK(pl_decl_solver(m, NULL, "s", &s));
  NULL_REFUSED(pl_solver_run(s, NULL, w.x, NULL));
  NULL_REFUSED(pl_solver_run(s, w.x, NULL, NULL));
  NULL_REFUSED(pl_newton(NULL, w.x, no_operator, no_jacobian, NULL, NULL, NULL));
  NULL_REFUSED(pl_newton(s, NULL, no_operator, no_jacobian, NULL, NULL, NULL));
  NULL_REFUSED(pl_newton(s, w.x, NULL, no_jacobian, NULL, NULL, NULL));
  NULL_REFUSED(pl_newton(s, w.x, no_operator, NULL, NULL, NULL, NULL));
  NULL_REFUSED(pl_newton_sized(NULL, w.x, no_operator, no_jacobian, NULL, NULL, 0, NULL, 0));
  pl_solver_free(&s);
  pl_solver_free(&s);
  pl_solver_free(NULL);
  pl_mat_free(&m);
}

static void test_matrices(void)
{
  const int64_t at[] = {0}, far[] = {CELLS};
  double value = 1;
  pl_mat *m = new_matrix(w.cells, w.map, "m"), *other = new_matrix(w.cells, w.first, "other");
  REFUSED(PL_ERR_TYPE, pl_mat_copy(m, other));
  REFUSED(PL_ERR_TYPE, pl_mat_axpy(1, m, other));
  REFUSED(PL_ERR_TYPE, pl_mat_multiply(m, w.x, w.y));
  REFUSED(PL_ERR_TYPE, pl_mat_multiply_transposed(m, w.x, w.y));
  REFUSED(PL_ERR_TYPE, pl_mat_multiply_adjoint(m, w.x, w.y));
  REFUSED(PL_ERR_TYPE, pl_mat_multiply(m, w.wide, w.x));
  REFUSED(PL_ERR_TYPE, pl_mat_get_diagonal(m, w.y));
  REFUSED(PL_ERR_TYPE, pl_mat_set_diagonal(m, w.wide));
  REFUSED(PL_ERR_ARG, pl_mat_zero_rows(m, w.edges, 1));
  REFUSED(PL_ERR_RANGE, pl_mat_set(m, 1, far, 1, at, &value));
  REFUSED(PL_ERR_RANGE, pl_mat_add(m, 1, at, 1, far, &value));
  REFUSED(PL_ERR_ARG, pl_mat_set(m, -1, at, 1, at, &value));
  OK(pl_mat_norm(m, &value));
  CU_ASSERT_EQUAL(value, 0);
  pl_mat_free(&m);
  pl_mat_free(&other);
}

/* A refused call changes neither the values of a matrix nor its state. */
static void test_matrix_state(void)
{
  const pl_map_pair pair = {w.map, w.map};
  pl_sparsity *sparsity, *huge = NULL;
  pl_mat *mat;
  pl_dat *values;
  void *view;
  OK(pl_decl_sparsity(w.cells, 1, w.cells, 1, 1, &pair, "s", &sparsity));
  REFUSED(PL_ERR_RANGE, pl_decl_sparsity(w.cells, INT_MAX, w.cells, INT_MAX, 1, &pair, "huge", &huge));
  CU_ASSERT_PTR_NULL(huge);
  OK(pl_decl_mat(sparsity, PL_DOUBLE, "m", &mat));
  OK(pl_mat_assemble(mat));
  REFUSED(PL_ERR_KERNEL, pl_par_loop(look, w.edges, pl_arg_mat(mat, w.map, w.map, PL_INC)));
  OK(pl_mat_values(mat, &values));
  OK(pl_dat_get(values, PL_RW, &view));
  REFUSED(PL_ERR_STATE, pl_mat_zero_rows(mat, w.some, 1));
  REFUSED(PL_ERR_STATE, pl_mat_zero(mat));
  REFUSED(PL_ERR_STATE, pl_mat_scale(2, mat));
  OK(pl_dat_put(values));
  CU_ASSERT_EQUAL(pl_mat_state_of(mat), PL_MAT_ASSEMBLED);
  pl_mat_free(&mat);
  pl_sparsity_free(&sparsity);
}

/* ---- NULL for names, which objects can do without ---- */

static void test_no_names(void)
{
  static const int64_t parts[4] = {1, 1, 1, 1}, wide[2 * EDGES] = {0};
  static const int first[1] = {0}, shape[1] = {1}, swap[2] = {1, 0}, rows[EDGES + 1] = {0}, one[EDGES] = {0};
  const double low[2] = {0, 0}, high[2] = {8, 8};
  pl_set *set;
  pl_map *map;
  pl_dat *dat, *at;
  pl_global *global;
  pl_random *random;
  pl_domain *box;
  double memory_of_x[CELLS];
  OK(pl_decl_set(w.pl, 1, NULL, &set));
  CU_ASSERT(strlen(pl_set_name(set)) > 0);
  OK(pl_decl_set_parts(w.pl, parts, NULL, &set));
  OK(pl_decl_subset(w.cells, 1, first, NULL, &set));
  OK(pl_decl_subset_local(w.cells, 1, first, NULL, &set));
  OK(pl_subset_combine(w.some, PL_UNION, w.some, NULL, &set));
  OK(pl_decl_map(w.edges, w.cells, 2, NULL, NULL, &map));
  OK(pl_decl_map_global(w.edges, w.cells, 2, wide, NULL, &map));
  OK(pl_decl_map_ragged(w.edges, w.cells, rows, first, NULL, &map));
  OK(pl_decl_map_ragged_global(w.edges, w.cells, rows, wide, NULL, &map));
  OK(pl_map_permute(w.map, 2, swap, NULL, &map));
  OK(pl_map_invert(w.first, NULL, &map));
  OK(pl_decl_map(w.edges, w.edges, 1, one, NULL, &map));
  OK(pl_map_compose(w.map, map, NULL, &map));
  OK(pl_decl_dat(w.cells, 1, PL_DOUBLE, NULL, NULL, &dat));
  OK(pl_decl_dat_from(w.cells, 1, PL_DOUBLE, PL_FLOAT, NULL, NULL, &dat));
  OK(pl_decl_dat_shape(w.cells, 1, shape, PL_DOUBLE, NULL, NULL, &dat));
  OK(pl_decl_array(w.pl, 8, 1, PL_DOUBLE, NULL, NULL, &dat));
  OK(pl_dat_duplicate(w.x, NULL, &dat));
  OK(pl_dat_wrap(w.cells, 1, PL_DOUBLE, PL_MEMORY_HOST, NULL, memory_of_x, NULL, &dat));
  OK(pl_decl_global(w.pl, 1, PL_DOUBLE, NULL, NULL, &global));
  OK(pl_decl_global_from(w.pl, 1, PL_DOUBLE, PL_FLOAT, NULL, NULL, &global));
  OK(pl_global_duplicate(w.sum, NULL, &global));
  OK(pl_decl_random(w.pl, 1, NULL, &random));
  OK(pl_decl_domain(w.pl, 2, low, high, NULL, NULL, &box));
  OK(pl_decl_dat(w.cells, 2, PL_DOUBLE, NULL, NULL, &at));
  OK(pl_decl_pair_map(at, box, 1, 0.1, NULL, &map));
}

static void test_no_names_of_matrices(void)
{
  const pl_map_pair pair = {w.map, w.map};
  const int dim = 1;
  double values[3 * CELLS - 2] = {0};
  pl_sparsity *sparsity;
  pl_mat *mat;
  pl_solver *solver;
  mixed m;
  OK(pl_decl_sparsity(w.cells, 1, w.cells, 1, 1, &pair, NULL, &sparsity));
  OK(pl_mat_wrap(sparsity, PL_DOUBLE, PL_MEMORY_HOST, values, 3 * CELLS - 2, NULL, &mat));
  OK(pl_decl_mat(sparsity, PL_DOUBLE, NULL, &mat));
  OK(pl_decl_solver(mat, NULL, NULL, &solver));
  OK(pl_decl_solver_apply(w.x, no_operator, NULL, NULL, NULL, NULL, &solver));
  OK(pl_decl_mixed_set(1, &w.cells, &dim, NULL, &m.set));
  OK(pl_decl_mixed_map(m.set, &w.map, NULL, &m.map));
  OK(pl_decl_mixed_dat(m.set, &w.x, NULL, &m.dat));
  OK(pl_decl_mixed_mat(m.set, m.set, 1, &m.map, &m.map, PL_DOUBLE, PL_MIXED_NESTED, NULL, &m.mat));
  REFUSED(PL_ERR_IO, pl_decl_mat_file(w.cells, w.cells, "/nonexistent/m.mtx", NULL, &mat));
  free_mixed(&m);
}

/* Every function of the public headers is called in this file, with NULL for each pointer. */
static void test_complete(void)
{
  char *here = sandbox_read(__FILE__, NULL);
  int functions = 0, missing = 0;
  DIR *folder = opendir(PLAIT_HEADERS);
  CU_ASSERT_PTR_NOT_NULL_FATAL(folder);
  for (struct dirent *file; (file = readdir(folder));) {
    if (file->d_name[0] == '.') continue;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", PLAIT_HEADERS, file->d_name);
    char *header = sandbox_read(path, NULL);
    functions += null_calls(header, here, &missing);
    free(header);
  }
  closedir(folder);
  CU_ASSERT(functions > 170);
  CU_ASSERT_EQUAL(missing, 0);
  free(here);
}

static CU_TestInfo tests[] = {
  {"NULL: contexts", test_null_context},
  {"NULL: sets and maps", test_null_sets_and_maps},
  {"NULL: dats", test_null_dats},
  {"NULL: arithmetic", test_null_arithmetic},
  {"NULL: globals, consts, functions, kernels", test_null_values},
  {"NULL: loops, profile, timers", test_null_loops},
  {"sizes of sets", test_sizes},
  {"numbers in maps", test_map_numbers},
  {"domains and pairs", test_pairs},
  {"numbers in dats", test_dat_numbers},
  {"wrong files", test_bad_files},
  {"arithmetic of incompatible operands", test_arithmetic},
  {"numbers and names of values", test_value_numbers},
  {"indices", test_indices},
  {"loop arguments", test_arguments},
  {"chains", test_chains},
  {"kernels that do not fit", test_kernels},
  {"loops whose parts are freed", test_freed_parts},
  {"a set freed too early", test_freed_too_early},
  {"finalize, early and twice", test_finalize},
  {"a context that was not opened", test_not_opened},
  {"views for reading", test_views},
  {"views for writing", test_writable_views},
  {"views of two dats, crossed", test_crossed_views},
  {"views that are checked", test_checked_views},
  {"timers", test_timers},
#ifdef _OPENMP
  {"inside a parallel region", test_inside_a_region},
#endif
  {"arrays", test_arrays},
  {"queues and events", test_queues},
  {"reductions and scans", test_reductions},
  {"orders and sizes", test_orders},
  {"programs", test_programs},
  {"sizes of structs that are given", test_given_structs},
  {"sizes of structs for results", test_result_structs},
  {"sizes of structs of macros", test_macro_structs},
  {"names of constants and members", test_names},
  {"arguments of other languages", test_put_args},
  {"NULL: arguments of other languages", test_null_put_args},
  {"NULL: names", test_no_names},
  {"NULL: names of matrices", test_no_names_of_matrices},
  {"algorithms and functions from source", test_sources},
  {"random numbers", test_random},
  {"sparsities", test_sparsities},
  {"NULL: matrices", test_null_matrices},
  {"NULL: mixed sets, maps and dats", test_mixed_lists},
  {"NULL: mixed matrices", test_mixed_matrices},
  {"NULL: all values of mixed sets", test_whole_mixed_sets},
  {"NULL: solvers", test_solvers},
  {"matrices", test_matrices},
  {"the state of matrices", test_matrix_state},
  {"every function is here", test_complete},
  CU_TEST_INFO_NULL,
};

/* A thread opens a context of the backend while others do the same. */
typedef struct opening {
  pl_err err;
  char why[512];
} opening;

static void *open_one(void *result)
{
  opening *o = result;
  char text[40];
  snprintf(text, sizeof text, "backend=%s", backend);
  const char *options[] = {text, NULL};
  const pl_settings settings = {.options = options};
  pl_context *pl;
  o->err = pl_init(NULL, NULL, &settings, &pl);
  snprintf(o->why, sizeof o->why, "%s", pl_errmsg(pl));
  pl_finalize(&pl);
  return NULL;
}

/* Before any other use of devices: one of several threads loads the drivers once. */
static opening open_several(void)
{
  enum { THREADS = 3 };
  pthread_t thread[THREADS];
  opening o[THREADS];
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&thread[i], NULL, open_one, &o[i])) exit(1);
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  for (int i = 1; i < THREADS; i++)
    if (o[i].err != o[0].err) {
      fprintf(stderr, "two threads find different devices: \"%s\", \"%s\"\n", o[0].why, o[i].why);
      exit(1);
    }
  return o[0];
}

int main(int argc, char **argv)
{
  if (argc != 2) {
    fprintf(stderr, "usage: test_misuse BACKEND\n");
    return 2;
  }
  backend = argv[1];
  if (on_device()) {
    opening o = open_several();
    if (o.err) return printf("skipped: %s\n", o.why), 77;
  }
  sandbox_clear_options();
  return sandbox_main_each("misuse", declare_objects, check_objects, tests);
}
