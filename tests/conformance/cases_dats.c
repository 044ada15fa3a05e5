/* SPDX-License-Identifier: BSD-2-Clause
 * Dats: shapes, storage on first use, host views, versions, components, files, and dats that come and go.
 */
#include "conformance.h"
#include <unistd.h>
#include <stdio.h>

PL_KERNEL(dat_twice, (double *x), { x[0] = 2.0 * x[0]; })
PL_KERNEL(dat_set, (double *x), { x[0] = 3.0; })
PL_KERNEL(dat_add, (double *x), { x[0] += 1.0; })
PL_KERNEL(dat_copy, (double *to, const double *from), { to[0] = from[0]; })
PL_KERNEL(dat_low, (double *x), { x[0] = -1.0 < x[0] ? -1.0 : x[0]; })

/* ---- P09, P17 ---- */

PL_KERNEL(dat_far, (double to[1500], const double from[16][1500]), {
  for (int k = 0; k < 16; k++)
    for (int j = 0; j < 1500; j++) to[j] += (k + 1) * from[k][j];
})

/* An element's records take 204 KB: private copies for a block of work items may exceed a stack. */
static void case_long_records(conf *c)
{
  enum { N = 70, LONG = 1500, TARGETS = 16 };
  static double from[N * LONG], to[N * LONG];
  int ends[N * TARGETS];
  memset(to, 0, sizeof to);
  for (int i = 0; i < N * LONG; i++) from[i] = conf_below(c, 100);
  for (int i = 0; i < N * TARGETS; i++) {
    ends[i] = conf_below(c, N);
    for (int j = 0; j < LONG; j++) to[i / TARGETS * LONG + j] += (i % TARGETS + 1) * from[ends[i] * LONG + j];
  }
  pl_set *set = conf_set(c, N, "set");
  pl_map *map = conf_map(c, set, set, TARGETS, ends, "map");
  pl_dat *source = conf_dat(c, set, LONG, PL_DOUBLE, from, "from"),
         *sum = conf_dat(c, set, LONG, PL_DOUBLE, NULL, "to");
  OK(pl_par_loop(dat_far, set, DIRECT(sum, PL_INC), pl_arg_dat(source, PL_ALL, map, PL_READ)));
  SAME(sum, to);
}

PL_KERNEL(dat_square, (double x[2][2], const double *scale), {
  x[0][0] = 1.0 * scale[0];
  x[0][1] = 2.0 * scale[0];
  x[1][0] = 3.0 * scale[0];
  x[1][1] = 4.0 * scale[0];
})

static void case_shapes(conf *c)
{
  const int two[] = {2, 2}, none[] = {3, 0}, bad[] = {2, -1};
  const double scale = 10, values[] = {10, 20, 30, 40, 10, 20, 30, 40};
  pl_set *set = conf_set(c, 2, "set");
  pl_dat *x = NULL, *empty = NULL, *failed = NULL;
  pl_global *g = conf_global(c, 1, PL_DOUBLE, &scale, "scale");
  OK(pl_decl_dat_shape(set, 2, two, PL_DOUBLE, NULL, "x", &x));
  OK(pl_decl_dat_shape(set, 2, none, PL_FLOAT, NULL, "empty", &empty));
  CHECK(pl_dat_dim(x) == 4 && pl_dat_nbytes(x) == 64 && pl_dat_type(x) == PL_DOUBLE && pl_dat_set(x) == set);
  CHECK(pl_dat_dim(empty) == 0 && pl_dat_nbytes(empty) == 0 && !strcmp(pl_dat_name(empty), "empty"));
  OK(pl_par_loop(dat_square, set, DIRECT(x, PL_WRITE), pl_arg_gbl(g, PL_READ)));
  SAME(x, values);
  FAILS(pl_decl_dat_shape(set, 2, bad, PL_DOUBLE, NULL, "bad", &failed), PL_ERR_RANGE, "\"bad\"", "-1");
  FAILS(pl_decl_dat_shape(set, 0, two, PL_DOUBLE, NULL, "bad", &failed), PL_ERR_ARG, "\"bad\"");
  FAILS(pl_decl_dat(set, -1, PL_DOUBLE, NULL, "bad", &failed), PL_ERR_RANGE, "\"bad\"", "-1");
  FAILS(pl_decl_dat(set, 1, (pl_type)99, NULL, "bad", &failed), PL_ERR_TYPE, "\"bad\"", "99");
  CHECK(failed == NULL);
}

static void case_storage(conf *c)
{
  static const size_t sizes[PL_TYPE_COUNT] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8, 16};
  pl_set *set = conf_set(c, 10, "set");
  pl_stats before = conf_stats(c);
  for (int type = 0; type < PL_TYPE_COUNT; type++)
    for (int dim = 1; dim < 4; dim++) {
      pl_dat *dat = conf_dat(c, set, dim, (pl_type)type, NULL, "lazy");
      CHECK(pl_dat_nbytes(dat) == 10 * sizes[type] * (size_t)dim);
      CHECK(pl_dat_host_bytes(dat) == 0 && pl_dat_version(dat) == 0);
    }
  CHECK(conf_stats(c).host_allocations == before.host_allocations);
  pl_dat *dat = conf_dat(c, set, 2, PL_DOUBLE, NULL, "dat");
  void *view;
  OK(pl_dat_get(dat, PL_READ, &view));
  OK(pl_dat_put(dat));
  CHECK(pl_dat_host_bytes(dat) == 160 && conf_stats(c).host_allocations == before.host_allocations + 1);
  CHECK(conf_stats(c).host_bytes == before.host_bytes + 160);
}

/* While loops are recorded; the dat has storage on one rank only. */
static void duplicate_deferred(conf *c, pl_set *set)
{
  const double zeros[7] = {0};
  pl_dat *bare = conf_dat(c, set, 1, PL_DOUBLE, NULL, "bare"), *copy = NULL;
  pl_chain *chain;
  void *view;
  if (!pl_rank(c->pl)) {
    OK(pl_dat_get(bare, PL_READ, &view));
    OK(pl_dat_put(bare));
  }
  OK(pl_chain_begin(c->pl, "deferred", &chain));
  OK(pl_dat_duplicate(bare, "copy", &copy));
  OK(pl_par_loop(dat_twice, set, DIRECT(copy, PL_RW)));
  OK(pl_chain_end(chain));
  SAME(copy, zeros);
}

static void case_duplicate(conf *c)
{
  double values[7] = {1, 2, 3, 4, 5, 6, 7}, doubled[7], zeros[7] = {0};
  pl_set *set = conf_set(c, 7, "set");
  pl_dat *x = conf_dat(c, set, 1, PL_DOUBLE, values, "x"), *y = NULL,
         *fresh = conf_dat(c, set, 1, PL_DOUBLE, NULL, "fresh"), *z = NULL;
  for (int i = 0; i < 7; i++) doubled[i] = 2 * values[i];
  OK(pl_par_loop(dat_twice, set, DIRECT(x, PL_RW)));
  OK(pl_dat_duplicate(x, "y", &y));
  OK(pl_dat_duplicate(fresh, "z", &z));
  SAME(y, doubled);
  SAME(z, zeros);
  OK(pl_par_loop(dat_set, set, DIRECT(x, PL_WRITE)));
  SAME(y, doubled); /* the copy is independent */
  OK(pl_dat_copy(y, x));
  SAME(x, doubled);
  OK(pl_dat_copy(fresh, x));
  SAME(x, zeros);
  pl_dat *other = conf_dat(c, set, 2, PL_DOUBLE, NULL, "other");
  FAILS(pl_dat_copy(x, other), PL_ERR_TYPE, "\"x\"", "\"other\"");
  duplicate_deferred(c, set);
}

/* ---- P18 ---- */

static void case_views(conf *c)
{
  double values[4] = {1, 2, 3, 4}, doubled[4] = {2, 4, 6, 8}, fetched[4];
  pl_set *set = conf_set(c, 4, "set");
  pl_dat *x = conf_dat(c, set, 1, PL_DOUBLE, values, "x"), *y = conf_dat(c, set, 1, PL_DOUBLE, NULL, "y");
  double *v;
  const double *w;
  /* Reading: any number of views; loops that read run, loops that write are refused. */
  OK(pl_dat_get(x, PL_READ, (void **)&w));
  OK(pl_dat_get(x, PL_READ, (void **)&w));
  CHECK(w[2] == 3);
  OK(pl_par_loop(dat_copy, set, DIRECT(y, PL_WRITE), DIRECT(x, PL_READ)));
  FAILS(pl_par_loop(dat_twice, set, DIRECT(x, PL_RW)), PL_ERR_STATE, "dat_twice", "argument 1", "\"x\"",
        "pl_dat_put");
  FAILS(pl_dat_get(x, PL_RW, (void **)&v), PL_ERR_STATE, "\"x\"", "pl_dat_put");
  FAILS(pl_dat_zero(x), PL_ERR_STATE, "\"x\"");
  CHECK(pl_dat_version(x) == 0);
  OK(pl_dat_put(x));
  OK(pl_dat_put(x));
  FAILS(pl_dat_put(x), PL_ERR_STATE, "\"x\"", "no host view");
  /* Writing: one view, no loop. */
  OK(pl_dat_get(x, PL_RW, (void **)&v));
  CHECK(pl_dat_version(x) == 1);
  v[0] = 50;
  FAILS(pl_par_loop(dat_copy, set, DIRECT(y, PL_WRITE), DIRECT(x, PL_READ)), PL_ERR_STATE, "argument 2",
        "\"x\"");
  FAILS(pl_dat_get(x, PL_READ, (void **)&w), PL_ERR_STATE, "\"x\"");
  FAILS(pl_dat_fetch(x, fetched), PL_ERR_STATE, "\"x\"");
  FAILS(pl_dat_copy(x, y), PL_ERR_STATE, "\"x\"");
  OK(pl_dat_put(x));
  OK(pl_par_loop(dat_twice, set, DIRECT(x, PL_RW)));
  doubled[0] = 100;
  SAME(x, doubled);
  OK(pl_dat_get(x, PL_WRITE, (void **)&v));
  memcpy(v, values, sizeof values);
  OK(pl_dat_put(x));
  SAME(x, values);
  OK(pl_dat_fetch(x, fetched));
  CHECK(!memcmp(fetched, values, sizeof values));
  FAILS(pl_dat_get(x, PL_INC, (void **)&v), PL_ERR_ACCESS, "\"x\"", "PL_READ, PL_RW or PL_WRITE");
}

/* Without a device nothing is transferred; with one a second read transfers nothing. */
static void case_transfers(conf *c)
{
  double values[4] = {1, 2, 3, 4}, got[4];
  pl_set *set = conf_set(c, 4, "set");
  pl_dat *x = conf_dat(c, set, 1, PL_DOUBLE, values, "x");
  OK(pl_par_loop(dat_twice, set, DIRECT(x, PL_RW)));
  OK(pl_dat_fetch(x, got));
  pl_stats once = conf_stats(c);
  OK(pl_dat_fetch(x, got));
  OK(pl_dat_fetch(x, got));
  pl_stats again = conf_stats(c);
  CHECK(again.bytes_from_device == once.bytes_from_device && again.bytes_to_device == once.bytes_to_device);
  CHECK(once.bytes_from_device <= sizeof values && once.bytes_to_device <= sizeof values);
}

static void case_view_checked(conf *c)
{
  double values[2] = {1, 2};
  double *v;
  OK(pl_set_option(c->pl, "check", "1"));
  pl_dat *x = conf_dat(c, conf_set(c, 2, "set"), 1, PL_DOUBLE, values, "x");
  OK(pl_dat_get(x, PL_READ, (void **)&v));
  OK(pl_dat_put(x));
  OK(pl_dat_get(x, PL_READ, (void **)&v));
  v[1] = 7;
  FAILS(pl_dat_put(x), PL_ERR_CHECK, "\"x\"", "PL_READ", "PL_RW");
}

/* ---- P19 ---- */

static void case_versions(conf *c)
{
  void *v;
  double value;
  const int first = 0, index[3] = {0, 0, 0};
  pl_set *set = conf_set(c, 1, "set"), *three = conf_set(c, 3, "three");
  pl_map *map = conf_map(c, three, set, 1, index, "map");
  pl_dat *x = conf_dat(c, set, 1, PL_DOUBLE, NULL, "x"), *y = conf_dat(c, set, 1, PL_DOUBLE, NULL, "y");
  uint64_t wanted = 0;
#define UNCHANGED(call)                                                                                      \
  OK(call);                                                                                                  \
  CHECK(pl_dat_version(x) == wanted)
#define CHANGED(call)                                                                                        \
  OK(call);                                                                                                  \
  CHECK(pl_dat_version(x) == ++wanted)
  CHECK(pl_dat_version(x) == 0);
  UNCHANGED(pl_dat_get(x, PL_READ, &v));
  UNCHANGED(pl_dat_put(x));
  CHANGED(pl_dat_get(x, PL_RW, &v));
  UNCHANGED(pl_dat_put(x));
  CHANGED(pl_dat_get(x, PL_WRITE, &v));
  *(double *)v = 0;
  UNCHANGED(pl_dat_put(x));
  UNCHANGED(pl_dat_fetch(x, &value));
  CHANGED(pl_dat_zero(x));
  CHANGED(pl_dat_zero_subset(x, conf_subset(c, set, 1, &first)));
  CHANGED(pl_par_loop(dat_set, set, DIRECT(x, PL_WRITE)));
  CHANGED(pl_par_loop(dat_add, set, DIRECT(x, PL_INC)));
  CHANGED(pl_par_loop(dat_twice, set, DIRECT(x, PL_RW)));
  CHANGED(pl_par_loop(dat_low, set, DIRECT(x, PL_MIN)));
  CHANGED(pl_par_loop(dat_add, three, pl_arg_dat(x, 0, map, PL_INC)));
  UNCHANGED(pl_par_loop(dat_copy, set, DIRECT(y, PL_WRITE), DIRECT(x, PL_READ)));
  CHECK(pl_dat_version(y) == 1);
  UNCHANGED(pl_dat_copy(x, y));
  CHECK(pl_dat_version(y) == 2);
  CHANGED(pl_dat_copy(y, x));
  pl_dat *copy = NULL;
  UNCHANGED(pl_dat_duplicate(x, "copy", &copy));
  CHECK(pl_dat_version(copy) == 0);
  OK(pl_dat_fetch(x, &value));
  CHECK(value == 2.0); /* (3 + 1) * 2 = 8, least with -1, + 3 */
}

/* A dat in two arguments is counted once. */
PL_KERNEL(dat_two_adds, (double *a, double *b), {
  a[0] += 1.0;
  b[0] += 2.0;
})

static void case_version_once(conf *c)
{
  const int index[] = {0, 1, 1, 0};
  const double sums[] = {3, 3};
  pl_set *from = conf_set(c, 2, "from"), *to = conf_set(c, 2, "to");
  pl_map *map = conf_map(c, from, to, 2, index, "map");
  pl_dat *x = conf_dat(c, to, 1, PL_DOUBLE, NULL, "x");
  OK(pl_par_loop(dat_two_adds, from, pl_arg_dat(x, 0, map, PL_INC), pl_arg_dat(x, 1, map, PL_INC)));
  SAME(x, sums);
  CHECK(pl_dat_version(x) == 1);
}

/* ---- P20 ---- */

PL_KERNEL(dat_seven, (double *x), { x[0] = 7.0; })
PL_KERNEL(dat_mix, (const double *a, double *b, double *acc), {
  b[0] = 10.0 * a[0];
  acc[0] += a[0];
})
PL_KERNEL(dat_spread, (const double *w, double *all[2], const double packed[2][1]), {
  all[0][0] += w[0] + packed[1][0];
  all[1][0] += w[0] + packed[0][0];
})

static void case_components(conf *c)
{
  enum { E = 60, N = 25 };
  int index[2 * E];
  double x[3 * E], y[3 * N] = {0}, z[3 * N];
  for (int i = 0; i < 3 * E; i++) x[i] = conf_below(c, 100);
  for (int i = 0; i < 3 * N; i++) z[i] = conf_below(c, 100);
  for (int i = 0; i < 2 * E; i++) index[i] = conf_below(c, N);
  pl_set *set = conf_set(c, E, "set"), *to = conf_set(c, N, "to");
  pl_map *map = conf_map(c, set, to, 2, index, "map");
  pl_dat *dx = conf_dat(c, set, 3, PL_DOUBLE, x, "x"), *dy = conf_dat(c, to, 3, PL_DOUBLE, NULL, "y");
  pl_dat *dz = conf_dat(c, to, 3, PL_DOUBLE, z, "z");
  OK(pl_par_loop(dat_seven, set, pl_arg_component(DIRECT(dx, PL_WRITE), 1)));
  for (int e = 0; e < E; e++) x[3 * e + 1] = 7;
  SAME(dx, x);
  CHECK(pl_dat_version(dx) == 1);
  /* Two components of one dat, and a third through a map. */
  OK(pl_par_loop(dat_mix, set, pl_arg_component(DIRECT(dx, PL_READ), 0),
                 pl_arg_component(DIRECT(dx, PL_WRITE), 2),
                 pl_arg_component(pl_arg_dat(dy, 1, map, PL_INC), 2)));
  for (int e = 0; e < E; e++) {
    x[3 * e + 2] = 10 * x[3 * e];
    y[3 * index[2 * e + 1] + 2] += x[3 * e];
  }
  SAME(dx, x);
  SAME(dy, y);
  OK(pl_par_loop(dat_spread, set, pl_arg_component(DIRECT(dx, PL_READ), 0),
                 pl_arg_component(pl_arg_dat(dy, PL_ALL, map, PL_INC), 1),
                 pl_arg_component(pl_arg_dat(dz, PL_ALL, map, PL_READ), 2)));
  for (int e = 0; e < E; e++)
    for (int k = 0; k < 2; k++) y[3 * index[2 * e + k] + 1] += x[3 * e] + z[3 * index[2 * e + 1 - k] + 2];
  SAME(dy, y);
  SAME(dz, z);
  FAILS(pl_par_loop(dat_seven, set, pl_arg_component(DIRECT(dx, PL_WRITE), 3)), PL_ERR_RANGE, "dat_seven",
        "\"x\"", "component 3", "3");
}

/* One argument increments and another reads other components or elements. Ranks must not send such values as
 * increments. Those of the last loop are sent to their owners, except by devices. */
PL_KERNEL(dat_take, (double *to, const double *from), { to[0] += 2.0 * from[0] + 1.0; })
PL_KERNEL(dat_put_and_add, (double *a, double *b), {
  a[0] = 5.0;
  b[0] += 1.0;
})

static void case_read_and_added(conf *c)
{
  enum { E = 90, N = 40 };
  int index[2 * E];
  double x[2 * N], y[N], z[N] = {0};
  for (int i = 0; i < 2 * N; i++) x[i] = 1 + conf_below(c, 100);
  for (int i = 0; i < N; i++) y[i] = x[i];
  for (int e = 0; e < E; e++) { /* to an even element, from an odd one */
    index[2 * e] = 2 * conf_below(c, N / 2);
    index[2 * e + 1] = 2 * conf_below(c, N / 2) + 1;
  }
  pl_set *set = conf_set(c, E, "set"), *to = conf_set(c, N, "to");
  pl_map *map = conf_map(c, set, to, 2, index, "map");
  pl_dat *dx = conf_dat(c, to, 2, PL_DOUBLE, x, "x"), *dy = conf_dat(c, to, 1, PL_DOUBLE, y, "y"),
         *dz = conf_dat(c, to, 1, PL_DOUBLE, NULL, "z");
  OK(pl_set_option(c->pl, "halo", "reverse"));
  for (int times = 0; times < 2; times++) {
    OK(pl_par_loop(dat_take, set, pl_arg_component(pl_arg_dat(dx, 1, map, PL_INC), 1),
                   pl_arg_component(pl_arg_dat(dx, 1, map, PL_READ), 0)));
    OK(pl_par_loop(dat_put_and_add, set, pl_arg_component(pl_arg_dat(dx, 0, map, PL_WRITE), 0),
                   pl_arg_component(pl_arg_dat(dx, 1, map, PL_INC), 1)));
    OK(pl_par_loop(dat_take, set, pl_arg_dat(dy, 0, map, PL_INC), pl_arg_dat(dy, 1, map, PL_READ)));
    OK(pl_par_loop(dat_take, set, pl_arg_dat(dz, 0, map, PL_INC), pl_arg_dat(dy, 1, map, PL_READ)));
    for (int e = 0; e < E; e++) {
      int even = index[2 * e], odd = index[2 * e + 1];
      x[2 * odd + 1] += 2 * x[2 * odd] + 2;
      x[2 * even] = 5;
      y[even] += 2 * y[odd] + 1;
      z[even] += 2 * y[odd] + 1;
    }
    SAME(dx, x);
    SAME(dy, y);
    SAME(dz, z);
  }
}

PL_KERNEL(dat_complex_part, (pl_cdouble * x), {
  x[0].re = 1.0;
  x[0].im = -1.0;
})

static void case_complex_component(conf *c)
{
  const pl_cdouble expected[4] = {{0, 0}, {1, -1}, {0, 0}, {1, -1}};
  pl_set *set = conf_set(c, 2, "set");
  pl_dat *x = conf_dat(c, set, 2, PL_COMPLEX_DOUBLE, NULL, "x");
  OK(pl_par_loop(dat_complex_part, set, pl_arg_component(DIRECT(x, PL_WRITE), 1)));
  SAME(x, expected);
}

/* ---- save and load ---- */

static void case_files(conf *c)
{
  const int64_t sizes[4] = {2, 3, 4, 4};
  const int shape[] = {2, 2};
  double values[16], loaded[16] = {0};
  char path[300], folder[256];
  pl_set *set = NULL, *other = conf_set(c, 4, "other");
  OK(pl_decl_set_parts(c->pl, sizes, "set", &set));
  for (int i = 0; i < 16; i++) values[i] = i + 0.5;
  for (int i = 0; i < 12; i++) loaded[i] = 2 * values[i]; /* owned elements only */
  pl_dat *x = NULL, *y = NULL;
  OK(pl_decl_dat_shape(set, 2, shape, PL_DOUBLE, values, "x", &x));
  OK(pl_decl_dat_shape(set, 2, shape, PL_DOUBLE, NULL, "y", &y));
  pl_dat *wrong = conf_dat(c, other, 4, PL_DOUBLE, values, "wrong"),
         *single = conf_dat(c, set, 4, PL_FLOAT, NULL, "single");
  double *v;
  OK(pl_dat_get(x, PL_RW, (void **)&v));
  for (int i = 0; i < 16; i++) v[i] *= 2;
  OK(pl_dat_put(x));
  snprintf(path, sizeof path, "%s/x.npy", conf_folder(folder));
  OK(pl_dat_save(x, path));
  OK(pl_dat_load(y, path));
  SAME(y, loaded);
  CHECK(pl_dat_version(y) == 1);
  FAILS(pl_dat_load(wrong, path), PL_ERR_IO, "\"wrong\"", path);
  FAILS(pl_dat_load(single, path), PL_ERR_IO, "\"single\"", path);
  SAME(wrong, values);
  CHECK(pl_dat_version(wrong) == 0);
  FAILS(pl_dat_load(y, "/nonexistent/y.npy"), PL_ERR_IO, "/nonexistent/y.npy");
  FAILS(pl_dat_save(y, "/nonexistent/y.npy"), PL_ERR_IO, "/nonexistent/y.npy");
}

/* One file for all ranks, with rows in the order of global indices, whatever the distribution. */
static void case_shared_files(conf *c)
{
  enum { N = 3001, BYTES = N * 3 * sizeof(float) };
  static float values[3 * N], there[3 * N];
  const char *folder = getenv("TMPDIR");
  char path[300];
  /* processes of one node have the same parent */
  snprintf(path, sizeof path, "%s/plait-shared-%ld.npy", folder ? folder : "/tmp", (long)getppid());
  for (int i = 0; i < 3 * N; i++) values[i] = (float)i;
  pl_set *set = conf_set(c, N, "set"), *few = conf_set(c, N - 1, "few");
  pl_dat *x = conf_dat(c, set, 3, PL_FLOAT, values, "x"), *y = conf_dat(c, set, 3, PL_FLOAT, NULL, "y"),
         *less = conf_dat(c, few, 3, PL_FLOAT, NULL, "less");
  const pl_partition_options options = {.seed = 7};
  OK(pl_partition(set, PL_PARTITION_RANDOM, &options));
  OK(pl_dat_save(x, path));
  OK(pl_dat_load(y, path));
  SAME(y, values);
  FILE *file = pl_rank(c->pl) == 0 ? fopen(path, "rb") : NULL;
  if (file) {
    CHECK(!fseek(file, -(long)BYTES, SEEK_END) && ftell(file) % 64 == 0);
    CHECK(fread(there, 1, BYTES, file) == BYTES && !memcmp(there, values, BYTES));
    fclose(file);
  }
  FAILS(pl_dat_load(less, path), PL_ERR_IO, "\"less\"", path);
  OK(pl_dat_save(less, path)); /* replaces a longer file */
  FAILS(pl_dat_load(x, path), PL_ERR_IO, "\"x\"", path);
  SAME(x, values);
  if (pl_rank(c->pl) == 0) remove(path);
}

/* ---- O04 ---- */

static void case_temporary(conf *c)
{
  enum { N = 5000 };
  pl_set *set = conf_set(c, N, "set");
  pl_stats before = conf_stats(c);
  size_t held = c->held, after_first = 0;
  double *threes = malloc(N * sizeof *threes), *ones = malloc(N * sizeof *ones);
  for (int i = 0; i < N; i++) threes[i] = 3, ones[i] = 1;
  for (int round = 0; round < 4; round++) {
    pl_dat *t = conf_dat(c, set, 1, PL_DOUBLE, NULL, "temporary"),
           *clean = conf_dat(c, set, 1, PL_DOUBLE, NULL, "clean");
    OK(pl_par_loop(dat_set, set, DIRECT(t, PL_WRITE)));
    OK(pl_par_loop(dat_add, set, DIRECT(clean, PL_INC)));
    SAME(t, threes);
    SAME(clean, ones); /* a dat declared without data is zero even in reused memory */
    CHECK(conf_stats(c).host_bytes == before.host_bytes + 2 * N * sizeof(double));
    pl_dat_free(&t);
    pl_dat_free(&clean);
    CHECK(t == NULL && conf_stats(c).host_bytes == before.host_bytes);
    if (round == 0) after_first = c->held;
  }
  CHECK(c->held == after_first && after_first >= held); /* memory does not grow */
  free(threes);
  free(ones);
}

const conf_case conf_dats[] = {
  {"shapes", "P09", case_shapes, CONF_MATRIX},
  {"long records", "P09", case_long_records, 0},
  {"storage is allocated on first use", "P17", case_storage, 0},
  {"duplicates and copies", "P17", case_duplicate, CONF_MATRIX | CONF_RANKS},
  {"host views", "P18", case_views, CONF_MATRIX},
  {"transfers of host views", "P18", case_transfers, 0},
  {"views that are written", "P18", case_view_checked, 0},
  {"versions", "P19", case_versions, CONF_MATRIX},
  {"versions: a dat twice in a loop", "P19", case_version_once, CONF_MATRIX},
  {"components", "P20", case_components, CONF_MATRIX | CONF_RANKS},
  {"dats read and incremented in one loop", "P20 P58", case_read_and_added, CONF_MATRIX | CONF_RANKS},
  {"components of complex dats", "P20", case_complex_component, CONF_MATRIX | CONF_RANKS},
  {"files", "P17", case_files, 0},
  {"files of several ranks", "P17", case_shared_files, CONF_RANKS},
  {"temporary dats", "O04", case_temporary, CONF_MATRIX},
  {NULL, NULL, NULL, 0}};
