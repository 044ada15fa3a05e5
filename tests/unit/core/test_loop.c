/* SPDX-License-Identifier: BSD-2-Clause
 * Arguments of loops, reductions of values, timers and the profile.
 */
#include "core/base/clock.h"
#include "core/data/objects.h"
#include "core/loop/arg.h"
#include "core/loop/reduction.h"
#include "fake_backend.h"
#include "sandbox.h"
#include <stdlib.h>

#define COMBINED(code, ctype, op, a, b, expected)                                                            \
  do {                                                                                                       \
    ctype into = (a), value = (b);                                                                           \
    pl_combine((code), (op), &into, &value, 1);                                                              \
    CU_ASSERT(into == (ctype)(expected));                                                                    \
    pl_neutral((code), (op), &into, 1);                                                                      \
    pl_combine((code), (op), &into, &value, 1);                                                              \
    CU_ASSERT(into == value);                                                                                \
  } while (0)

static void test_combine(void)
{
#define EACH(code, ctype)                                                                                    \
  COMBINED(code, ctype, PL_INC, 3, 4, 7);                                                                    \
  COMBINED(code, ctype, PL_MIN, 3, 4, 3);                                                                    \
  COMBINED(code, ctype, PL_MIN, 4, 3, 3);                                                                    \
  COMBINED(code, ctype, PL_MAX, 3, 4, 4);                                                                    \
  COMBINED(code, ctype, PL_MAX, 4, 3, 4)
  EACH(PL_INT8, int8_t);
  EACH(PL_UINT8, uint8_t);
  EACH(PL_INT16, int16_t);
  EACH(PL_UINT16, uint16_t);
  EACH(PL_INT32, int32_t);
  EACH(PL_UINT32, uint32_t);
  EACH(PL_INT64, int64_t);
  EACH(PL_UINT64, uint64_t);
  EACH(PL_FLOAT, float);
  EACH(PL_DOUBLE, double);
  COMBINED(PL_INT8, int8_t, PL_MIN, 0, INT8_MAX, 0);
  COMBINED(PL_INT64, int64_t, PL_MAX, 0, INT64_MIN, 0);
  COMBINED(PL_UINT64, uint64_t, PL_MIN, 0, UINT64_MAX, 0);
  COMBINED(PL_DOUBLE, double, PL_MAX, 0, -1e300, 0);
  pl_cdouble z[2] = {{1, 2}, {3, 4}}, w[2] = {{10, 20}, {30, 40}};
  pl_combine(PL_COMPLEX_DOUBLE, PL_INC, z, w, 2);
  CU_ASSERT(z[0].re == 11 && z[0].im == 22 && z[1].re == 33 && z[1].im == 44);
  int8_t wrap = 127, one = 1;
  pl_combine(PL_INT8, PL_INC, &wrap, &one, 1);
  CU_ASSERT_EQUAL(wrap, -128);
}

static void test_timers(void)
{
  pl_context *pl = open_context();
  double seconds = 1;
  uint64_t calls = 1;
  pl_profile_entry entry;
  OK(pl_timing(pl, "a", &seconds, &calls));
  CU_ASSERT(seconds == 0 && calls == 0);
  for (int i = 0; i < 3; i++) {
    OK(pl_timer_begin(pl, "a"));
    OK(pl_timer_begin(pl, "b"));
    FAILS(pl_timer_begin(pl, "a"), PL_ERR_STATE, "open already");
    FAILS(pl_timer_end(pl, "a"), PL_ERR_STATE, "end \"b\" first");
    OK(pl_timer_end(pl, "b"));
    OK(pl_timer_end(pl, "a"));
  }
  FAILS(pl_timer_end(pl, "a"), PL_ERR_STATE, "not open");
  FAILS(pl_timer_end(pl, "never"), PL_ERR_STATE, "not open");
  OK(pl_timing(pl, "b", &seconds, &calls));
  CU_ASSERT(seconds >= 0 && calls == 3);
  OK(pl_profile_at(pl, 0, &entry));
  CU_ASSERT(!strcmp(entry.name, "a") && entry.calls == 3 && !*entry.set);
  FAILS(pl_profile_at(pl, 2, &entry), PL_ERR_RANGE, "2");
  OK(pl_profile_reset(pl));
  OK(pl_timing(pl, "a", NULL, &calls));
  CU_ASSERT_EQUAL(calls, 0);
  CU_ASSERT(pl_now() <= pl_now());
  pl_finalize(&pl);
}

/* The profile as CSV, JSON and plain text. */
static void test_profile_files(void)
{
  pl_context *pl = open_context();
  OK(pl_timer_begin(pl, "plain"));
  OK(pl_timer_end(pl, "plain"));
  OK(pl_timer_begin(pl, "a, \"b\""));
  OK(pl_timer_end(pl, "a, \"b\""));
  static const char *const names[] = {"t.csv", "t.json", "t.txt"};
  static const char *const words[] = {"\nplain,,", "{\"name\": \"plain\"", "\nplain "};
  static const char *const quoted[] = {"\n\"a, \"\"b\"\"\",,", "{\"name\": \"a, \\\"b\\\"\"", "\na, \"b\" "};
  for (int i = 0; i < 3; i++) {
    const char *path = sandbox_path(sandbox_folder, names[i]);
    OK(pl_profile_write(pl, path));
    char *text = sandbox_read(path, NULL);
    CONTAINS(text, words[i]);
    CONTAINS(text, quoted[i]);
    free(text);
  }
  FAILS(pl_profile_write(pl, "/nonexistent/t.csv"), PL_ERR_IO, "/nonexistent/t.csv");
  pl_finalize(&pl);
}

static void test_arguments(void)
{
  static const pl_kernel kernel = {.name = "kernel", .params = "(double *x)", .body = "{ }"};
  pl_context *pl = open_context();
  pl_set *a = NULL, *b = NULL;
  pl_map *map = NULL;
  pl_dat *x = NULL, *y = NULL;
  pl_global *g = NULL;
  const int index[] = {0, 1, 0, 1};
  OK(pl_decl_set(pl, 2, "a", &a));
  OK(pl_decl_set(pl, 2, "b", &b));
  OK(pl_decl_map(a, b, 2, index, "map", &map));
  OK(pl_decl_dat(a, 1, PL_DOUBLE, NULL, "x", &x));
  OK(pl_decl_dat(b, 3, PL_DOUBLE, NULL, "y", &y));
  OK(pl_decl_global(pl, 1, PL_DOUBLE, NULL, "g", &g));
  pl_arg good[] = {pl_arg_dat(x, PL_ID, PL_DIRECT, PL_WRITE), pl_arg_dat(y, PL_ALL, map, PL_READ),
                   pl_arg_gbl(g, PL_INC)};
  OK(pl_args_check(pl, &kernel, a, 3, good));
  CU_ASSERT(pl_arg_dim(&good[1]) == 3 && pl_arg_targets(&good[1]) == 2 && pl_arg_targets(&good[0]) == 1);
  CU_ASSERT(pl_arg_writes(&good[0]) && !pl_arg_writes(&good[1]) && pl_arg_reduces(&good[2]));
  pl_arg part = pl_arg_component(good[1], 2), off = pl_arg_opt(good[0], 0);
  CU_ASSERT(pl_arg_dim(&part) == 1 && !pl_arg_writes(&off));
  FAILS(pl_args_check(pl, &kernel, b, 3, good), PL_ERR_ARG, "argument 1 (dat \"x\")");
  pl_arg same[] = {good[0], pl_arg_dat(x, PL_ID, PL_DIRECT, PL_READ)};
  FAILS(pl_args_check(pl, &kernel, a, 2, same), PL_ERR_ACCESS, "argument 1");
  same[1].off = 1;
  OK(pl_args_check(pl, &kernel, a, 2, same));
  part.component = 3;
  FAILS(pl_args_check(pl, &kernel, a, 1, &part), PL_ERR_RANGE, "component 3");
  /* The backend refuses the loop, and nothing is counted as run. */
  FAILS(pl_par_loop_args(&kernel, a, 3, good), PL_ERR_BACKEND, "fake backend");
  CU_ASSERT(pl->loop_count == 0 && pl_dat_version(x) == 0);
  pl_finalize(&pl);
}

static CU_TestInfo tests[] = {{"combining values", test_combine},
                              {"timers", test_timers},
                              {"profile files", test_profile_files},
                              {"arguments", test_arguments},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return sandbox_main("loop", tests);
}
