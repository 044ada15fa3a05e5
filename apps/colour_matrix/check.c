/* SPDX-License-Identifier: BSD-2-Clause
 * The reference cases: the published benchmark, whose sums are known, and fields of multiples of 1/64, whose
 * products are exact in both precisions, by the SHA-256 of the result. Rank 0 declares all sites, which are
 * then dealt out, and looks at the results.
 */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/sha256.h"
#include "kernels.h"

#define ALL(dat, access) pl_arg_direct((dat), (access))

static const char *const layouts[] = {"aos", "soa", "soa:2", "aosoa:8", "aosoa:32,2"};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static pl_dat *field(pl_set *set, const char *layout, pl_type type, const void *values, const char *name,
                     pl_context *pl)
{
  pl_dat *dat;
  PL_OK(pl, pl_decl_dat(set, 9, type, values, name, &dat));
  PL_OK(pl, pl_dat_set_layout(dat, layout));
  return dat;
}

static pl_set *declare_sites(pl_context *pl, int n)
{
  pl_set *sites;
  PL_OK(pl, pl_decl_set(pl, pl_rank(pl) ? 0 : n, "sites", &sites));
  return sites;
}

/* X := 0, Y := 1, Z := 2, and X += Y Z `times` times: 2 times on the diagonal, exactly; and the published sum
 * of squares once X is scaled by 1 / (2 sqrt(3) times), in the fields' own precision. */
enum { SITES = 256 };

static bool is_diagonal(const void *values, bool twice, int times)
{
  bool good = true;
  for (int v = 0; v < SITES * 18; v++) {
    const double expected = v % 18 % 8 ? 0 : 2.0 * times; /* values 0, 8 and 16 of each site */
    good &= (twice ? ((const double *)values)[v] : (double)((const float *)values)[v]) == expected;
  }
  return good;
}

static double scaled_norm2(const void *values, bool twice, int times)
{
  const double scale = 0.5 / (sqrt(3.0) * times);
  double sum = 0;
  for (int v = 0; v < SITES * 18; v++) {
    const double x =
      twice ? scale * ((const double *)values)[v] : (double)((float)scale * ((const float *)values)[v]);
    sum += x * x;
  }
  return sum;
}

static bool check_diagonal(pl_context *pl, const char *layout, bool twice, int times)
{
  static double result[SITES * 18];
  const pl_type type = twice ? PL_COMPLEX_DOUBLE : PL_COMPLEX_FLOAT;
  const double norm2 = twice ? 256.00000000000006 : 255.99999081050555;
  pl_set *sites = declare_sites(pl, SITES);
  pl_loop *product;
  pl_dat *x = field(sites, layout, type, NULL, "X", pl), *y = field(sites, layout, type, NULL, "Y", pl),
         *z = field(sites, layout, type, NULL, "Z", pl);
  PL_OK(pl, pl_partition(sites, PL_PARTITION_BLOCK, NULL));
  PL_OK(pl, pl_par_loop(twice ? set_fields_double : set_fields, sites, ALL(x, PL_WRITE), ALL(y, PL_WRITE),
                        ALL(z, PL_WRITE)));
  PL_OK(pl, pl_loop_create(&product, twice ? add_product_double : add_product, sites, ALL(x, PL_RW),
                           ALL(y, PL_READ), ALL(z, PL_READ)));
  for (int r = 0; r < times; r++) PL_OK(pl, pl_loop_run(product));
  pl_loop_free(&product);
  PL_OK(pl, pl_dat_fetch(x, (void *)result));
  if (pl_rank(pl)) return true;
  bool good =
    is_diagonal(result, twice, times) && fabs(scaled_norm2(result, twice, times) / norm2 - 1) < 1e-12;
  printf("%-11s N %5d, %6d times, %s: %s\n", layout, SITES, times, twice ? "double" : "float",
         good ? "right" : "WRONG");
  return good;
}

/* ---- dense fields ---- */

static const struct {
  int sites;
  const char *single, *twice; /* SHA-256 of X after X += Y Z, float and double */
  double norm2, first;
} dense[] = {
  {64, "7a3bfc1be3949326de4a00312954b79eb9ea41a3c40bb47d33366d8ddfb51c33",
   "dee1c1275972a2f3bf8ec3f5c8c12840acffe843d2011de87f1a7a2d3439337b", 10812.362920939922, -0.679443359375},
  {4096, "426e3ee7700e0dc84bd21764353f7917f44961f53a9eee3d1746a67d8170bd63",
   "b6aac8549388c19cff1da8076ca32468f9557171539fe9d37b05c908241de1d6", 705158.0338363647, -0.679443359375},
};

static double dense_value(int64_t m, int salt)
{
  return ((double)((((uint64_t)m * 2654435761u + (uint64_t)salt) >> 7) & 0xff) - 128.0) / 64.0;
}

/* 18 values a site, in the type asked for. */
static void fill(void *values, int64_t count, int salt, bool twice)
{
  for (int64_t m = 0; m < count; m++)
    if (twice)
      ((double *)values)[m] = dense_value(m, salt);
    else
      ((float *)values)[m] = (float)dense_value(m, salt);
}

static pl_dat *dense_field(pl_context *pl, pl_set *set, const char *layout, bool twice, int salt,
                           void *values)
{
  static const char *const names[] = {"", "X", "Y", "Z"};
  fill(values, 18 * pl_set_size(set), salt, twice);
  return field(set, layout, twice ? PL_COMPLEX_DOUBLE : PL_COMPLEX_FLOAT, values, names[salt], pl);
}

static double norm2(const void *values, int64_t count, bool twice)
{
  double sum = 0;
  for (int64_t m = 0; m < count; m++) {
    const double v = twice ? ((const double *)values)[m] : (double)((const float *)values)[m];
    sum += v * v;
  }
  return sum;
}

static bool check_dense(pl_context *pl, const char *layout, int which, bool twice)
{
  char digits[65];
  const int n = dense[which].sites;
  const size_t bytes = 18 * (size_t)n * (twice ? sizeof(double) : sizeof(float));
  void *values = malloc(bytes);
  pl_set *sites = declare_sites(pl, n);
  if (!values) return false;
  pl_dat *x = dense_field(pl, sites, layout, twice, 1, values),
         *y = dense_field(pl, sites, layout, twice, 2, values),
         *z = dense_field(pl, sites, layout, twice, 3, values);
  PL_OK(pl, pl_partition(sites, PL_PARTITION_BLOCK, NULL));
  PL_OK(pl, pl_par_loop(twice ? add_product_double : add_product, sites, ALL(x, PL_RW), ALL(y, PL_READ),
                        ALL(z, PL_READ)));
  PL_OK(pl, pl_dat_fetch(x, (void *)values));
  sha256(values, bytes, digits);
  bool good = !strcmp(digits, twice ? dense[which].twice : dense[which].single) &&
              fabs(norm2(values, 18 * n, twice) / dense[which].norm2 - 1) < 1e-12;
  good |= pl_rank(pl) > 0;
  if (!pl_rank(pl))
    printf("%-11s N %5d, dense, %s: %s\n", layout, n, twice ? "double" : "float", good ? "right" : "WRONG");
  free(values);
  return good;
}

bool check(pl_context *pl)
{
  bool good = true;
  for (int l = 0; l < LAYOUTS; l++) {
    for (int twice = 0; twice < 2; twice++) {
      good &= check_diagonal(pl, layouts[l], twice, 1);
      good &= check_diagonal(pl, layouts[l], twice, 1000);
      if (!l) good &= check_diagonal(pl, layouts[l], twice, 100000);
    }
    for (int which = 0; which < 2; which++)
      for (int twice = 0; twice < 2; twice++) good &= check_dense(pl, layouts[l], which, twice);
  }
  return good;
}
