/* SPDX-License-Identifier: BSD-2-Clause
 * addarrays: c = a + b. The smallest device program: one kernel, three arrays, one launch.
 */
#include "plait.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/open.h"
#include "../common/options.h"
#include "../common/output.h"
#include "../common/sha256.h"

static const char text[] =
  "KERNEL void addArrays(GLOBAL const float *RESTRICT a, GLOBAL const float *RESTRICT b,\n"
  "                      GLOBAL float *RESTRICT c, int n)\n"
  "{\n"
  "  for (int i = GLOBAL_ID; i < n; i += GLOBAL_SIZE) c[i] = a[i] + b[i];\n"
  "}\n";

/* SHA-256 of the result for each size of the reference. */
static const struct {
  int64_t n;
  const char *digest;
} references[] = {{0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                  {1, "df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119"},
                  {31, "2a0f019df2e8dee04d25bc3266b33943e17ad84e4dadeede735a7235fe264701"},
                  {32, "e9ca3d9f0b51a834543c1b7efcd666d2b19e3688808b9fe947a92ddeaf7f22f9"},
                  {33, "f57b2acbe17c0907ecf8cb7ef2e2b526e9665995fe8ad8a784dfa2b315e30333"},
                  {1000, "38ab83e44c62bf53525bd449a948b24cf4f8626e547b86a20fb9ae2aece5289e"},
                  {1048576, "da2371614d31b6f4703696cf16a798deba8d7fab9eeb4b78658c0722b8974e35"},
                  {1048583, "c87f9631e308d0f34c58b16cd523ef8ba0b019e73577cd3e0ac5929257c43a74"}};

static bool is_reference(int64_t n, const float *c)
{
  char digest[65];
  sha256(c, (size_t)n * sizeof *c, digest);
  for (size_t i = 0; i < sizeof references / sizeof *references; i++)
    if (references[i].n == n) return !strcmp(references[i].digest, digest);
  return true;
}

/* Places of values, row by row in a square. */
PL_KERNEL(place_of, (const int64_t *i, const int64_t *side, float x[2]), {
  x[0] = (float)(*i % *side);
  x[1] = (float)(*i / *side);
})

/* The sums in colours. */
static bool write_files(pl_context *pl, pl_dat *c, int64_t all, const output_files *files)
{
  const int64_t side = (int64_t)ceil(sqrt((double)all));
  pl_dat *x;
  pl_global *width;
  PL_OK(pl, pl_decl_dat(pl_dat_set(c), 2, PL_FLOAT, NULL, "x", &x));
  PL_OK(pl, pl_decl_global(pl, 1, PL_INT64, &side, "side", &width));
  PL_OK(pl, pl_par_loop(place_of, pl_dat_set(c), pl_arg_idx(PL_ID, PL_DIRECT), pl_arg_gbl(width, PL_READ),
                        pl_arg_direct(x, PL_WRITE)));
  const picture drawn = {.title = "c, row by row", .x = x, .value = c};
  const bool good = output_write(pl, "addarrays", files, &drawn);
  pl_global_free(&width);
  pl_dat_free(&x);
  return good;
}

/* Adds two arrays of n values and compares with the sum made here, bit by bit. On several ranks each has a
 * part of the values. */
static bool add(pl_context *pl, pl_entry *kernel, int64_t all, const output_files *files)
{
  const int64_t first = all * pl_rank(pl) / pl_ranks(pl), end = all * (pl_rank(pl) + 1) / pl_ranks(pl);
  const int32_t n = (int32_t)(end - first);
  float *a = malloc(((size_t)n + 1) * sizeof *a), *b = malloc(((size_t)n + 1) * sizeof *b),
        *c = malloc(((size_t)n + 1) * sizeof *c);
  pl_dat *da, *db, *dc;
  bool same = a && b && c;
  for (int32_t i = 0; same && i < n; i++) {
    a[i] = (float)((first + i) % 1021) * 0.25f;
    b[i] = (float)((first + i) % 509) * -0.5f;
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
  if (same && pl_ranks(pl) == 1) same = is_reference(all, c);
  if (!same || !pl_rank(pl)) printf("%9lld values: %s\n", (long long)all, same ? "right" : "WRONG");
  if (files->picture || files->save) same &= write_files(pl, dc, all, files);
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
  int64_t size = 1 << 20;
  bool checking = false, good = true;
  output_files files = {NULL, NULL};
  pl_context *pl;
  pl_program *program;
  pl_entry *kernel;
  const option_program about = {"addarrays", "c = a + b with a device program.", NULL, true};
  const option_row rows[] = {
    {"size", "N", OPTION_INTEGER, &size, 1, 1 << 30, "values in each array"},
    OUTPUT_OPTIONS(&files, "the sums", "the arrays"),
    {"check", NULL, OPTION_FLAG, &checking, 0, 0,
     "add arrays of all reference sizes and compare with the reference results"},
    {NULL, NULL, OPTION_FLAG, NULL, 0, 0, NULL},
  };
  const int status = options_parse(&about, rows, argc, argv);
  if (status != OPTIONS_RUN) return status;
  pl = open_plait(about.name, &argc, &argv);
  PL_OK(pl, pl_program_create(pl, text, NULL, "addarrays.cl", &program));
  PL_OK(pl, pl_program_kernel(program, "addArrays", &kernel));
  if (!checking) good = add(pl, kernel, size, &files);
  for (size_t i = 0; checking && i < sizeof references / sizeof *references; i++)
    good &= add(pl, kernel, references[i].n, &files);
  pl_finalize(&pl);
  return good ? 0 : 1;
}
