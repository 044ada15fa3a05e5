/* SPDX-License-Identifier: BSD-2-Clause
 * Files of dats in the format of NumPy.
 */
#include "core/base/scalar_type.h"
#include "core/data/objects.h"
#include "fake_backend.h"
#include "sandbox.h"
#include <stdlib.h>

/* A file holds the bytes that NumPy would write. */
static void test_npy_bytes(void)
{
  const int16_t values[6] = {1, -2, 3, -4, 5, -6};
  const char *header = "{'descr': '<i2', 'fortran_order': False, 'shape': (3, 2), }";
  pl_context *pl = open_context();
  pl_set *set = NULL;
  pl_dat *x = NULL;
  OK(pl_decl_set(pl, 3, "set", &set));
  OK(pl_decl_dat(set, 2, PL_INT16, values, "x", &x));
  const char *path = sandbox_path(sandbox_folder, "bytes.npy");
  OK(pl_dat_save(x, path));
  size_t size;
  char *got = sandbox_read(path, &size);
  CU_ASSERT_EQUAL_FATAL(size, 128 + 12);
  CU_ASSERT(!memcmp(got, "\x93NUMPY\x01\x00\x76\x00", 10));
  CU_ASSERT(!memcmp(got + 10, header, strlen(header)));
  for (size_t i = 10 + strlen(header); i < 127; i++) CU_ASSERT_EQUAL(got[i], ' ');
  CU_ASSERT(got[127] == '\n' && !memcmp(got + 128, values, sizeof values));
  free(got);
  pl_finalize(&pl);
}

static void test_npy_round_trip(void)
{
  const int64_t sizes[4] = {0, 3, 4, 4};
  const int shape[] = {2, 1, 2};
  unsigned char values[4 * 4 * 16], got[sizeof values];
  pl_context *pl = open_context();
  pl_set *set = NULL;
  for (size_t i = 0; i < sizeof values; i++) values[i] = (unsigned char)(i * 7 % 120);
  OK(pl_decl_set_parts(pl, sizes, "set", &set));
  const char *path = sandbox_path(sandbox_folder, "round.npy");
  for (int type = 0; type < PL_TYPE_COUNT; type++) {
    pl_dat *x = NULL, *y = NULL;
    OK(pl_decl_dat_shape(set, 3, shape, (pl_type)type, values, "x", &x));
    OK(pl_decl_dat_shape(set, 3, shape, (pl_type)type, NULL, "y", &y));
    OK(pl_dat_save(x, path));
    OK(pl_dat_load(y, path));
    OK(pl_dat_fetch(y, (void *)got));
    CU_ASSERT(!memcmp(got, values, 3 * 4 * pl_type_size((pl_type)type))); /* the owned elements */
    CU_ASSERT_EQUAL(pl_dat_version(y), 1);
    for (int other = 0; other < PL_TYPE_COUNT; other++) {
      if (other == type) continue;
      pl_dat *z = NULL;
      OK(pl_decl_dat_shape(set, 3, shape, (pl_type)other, NULL, "z", &z));
      FAILS(pl_dat_load(z, path), PL_ERR_IO, "expected");
      CU_ASSERT_EQUAL(pl_dat_version(z), 0);
      pl_dat_free(&z);
    }
    pl_dat_free(&x);
    pl_dat_free(&y);
  }
  pl_finalize(&pl);
}

static void test_npy_refused(void)
{
  const int flat[] = {4}, square[] = {2, 2};
  const double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  double got[8];
  pl_context *pl = open_context();
  pl_set *two = NULL, *three = NULL;
  pl_dat *x = NULL, *y = NULL, *z = NULL;
  OK(pl_decl_set(pl, 2, "two", &two));
  OK(pl_decl_set(pl, 3, "three", &three));
  OK(pl_decl_dat_shape(two, 1, flat, PL_DOUBLE, values, "x", &x));
  OK(pl_decl_dat_shape(two, 2, square, PL_DOUBLE, values, "y", &y));
  OK(pl_decl_dat_shape(three, 1, flat, PL_DOUBLE, NULL, "z", &z));
  const char *path = sandbox_path(sandbox_folder, "refused.npy");
  OK(pl_dat_save(x, path));
  FAILS(pl_dat_load(y, path), PL_ERR_IO, "(2, 4)"); /* the same values in another shape */
  FAILS(pl_dat_load(z, path), PL_ERR_IO, "(3, 4)");
  size_t size;
  char *bytes = sandbox_read(path, &size);
  /* A truncated file is an error, and the dat keeps its values. */
  for (size_t n = 0; n < size; n += 5) {
    sandbox_write(path, bytes, n, 0600);
    CU_ASSERT_EQUAL(pl_dat_load(x, path), PL_ERR_IO);
    OK(pl_dat_fetch(x, got));
    CU_ASSERT(!memcmp(got, values, sizeof got) && pl_dat_version(x) == 0);
  }
  bytes[0] = 'x';
  sandbox_write(path, bytes, size, 0600);
  FAILS(pl_dat_load(x, path), PL_ERR_IO, "not a .npy file");
  FAILS(pl_dat_load(x, sandbox_path(sandbox_folder, "missing.npy")), PL_ERR_IO, "missing.npy");
  FAILS(pl_dat_save(x, "/nonexistent/x.npy"), PL_ERR_IO, "/nonexistent/x.npy");
  free(bytes);
  pl_finalize(&pl);
}

static CU_TestInfo tests[] = {{"npy files byte by byte", test_npy_bytes},
                              {"npy files written and read", test_npy_round_trip},
                              {"npy files refused", test_npy_refused},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return sandbox_main("npy", tests);
}
