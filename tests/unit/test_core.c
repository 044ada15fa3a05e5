/* SPDX-License-Identifier: BSD-2-Clause
 * Core, alone: linked with no other room, over a backend that runs nothing. Errors, memory, options, sets,
 * maps, dats and their files, globals, consts, the checks of loop arguments, reductions, timers.
 */
#include "core/hash.h"
#include "core/loop.h"
#include "core/profile.h"
#include "core/stock.h"
#include "core/text.h"
#include "fake_backend.h"
#include <CUnit/Basic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OK(call) CU_ASSERT_EQUAL_FATAL((call), PL_SUCCESS)
#define FAILS(call, code, word)                                                                              \
  do {                                                                                                       \
    CU_ASSERT_EQUAL((call), (code));                                                                         \
    if (!strstr(pl_errmsg(pl), (word))) printf("\n    not \"%s\": %s\n", (word), pl_errmsg(pl));             \
    CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(pl), (word)));                                                   \
  } while (0)

static pl_context *open_context(void)
{
  pl_context *pl = NULL;
  OK(fake_context(NULL, NULL, &pl));
  return pl;
}

/* ---- errors ---- */

static void test_errors(void)
{
  pl_context *pl = open_context();
  for (int code = 0; code < PL_ERR_COUNT; code++) {
    CU_ASSERT(strlen(pl_errtext((pl_err)code)) > 0);
    CU_ASSERT(!strncmp(pl_errname((pl_err)code), "PL_", 3));
  }
  CU_ASSERT_STRING_EQUAL(pl_errname(PL_ERR_ARG), "PL_ERR_ARG");
  CU_ASSERT_STRING_EQUAL(pl_errtext((pl_err)-1), "unknown error code");
  CU_ASSERT_STRING_EQUAL(pl_errname((pl_err)PL_ERR_COUNT), "unknown");
  CU_ASSERT_EQUAL(pl_fail(pl, PL_ERR_RANGE, "set \"%s\": %d", "a", -3), PL_ERR_RANGE);
  CU_ASSERT_STRING_EQUAL(pl_errmsg(pl), "set \"a\": -3");
  CU_ASSERT_EQUAL(pl_fail_in(pl, PL_ERR_RANGE, "reading %s", "x"), PL_ERR_RANGE);
  CU_ASSERT_STRING_EQUAL(pl_errmsg(pl), "reading x: set \"a\": -3");
  CU_ASSERT_EQUAL(pl_fail_memory(pl, 4096), PL_ERR_MEMORY);
  CU_ASSERT_PTR_NOT_NULL(strstr(pl_errmsg(pl), "4096"));
  CU_ASSERT_EQUAL(pl_fail(NULL, PL_ERR_ARG, "nowhere to keep it"), PL_ERR_ARG);
  CU_ASSERT(strlen(pl_errmsg(NULL)) > 0);
  CU_ASSERT_STRING_EQUAL(pl_version(), PLAIT_VERSION);
  pl_finalize(&pl);
  CU_ASSERT_PTR_NULL(pl);
  pl_finalize(&pl);
  pl_finalize(NULL);
}

/* ---- memory ---- */

typedef struct tally {
  size_t held, blocks, limit; /* limit: allocations still granted */
} tally;

static void *counted(void *user, void *ptr, size_t old_size, size_t new_size)
{
  tally *t = user;
  if (!new_size) {
    if (ptr) t->blocks--;
    t->held -= ptr ? old_size : 0;
    free(ptr);
    return NULL;
  }
  if (!t->limit) return NULL;
  t->limit--;
  void *result = realloc(ptr, new_size);
  if (!result) return NULL;
  t->blocks += !ptr;
  t->held += new_size - (ptr ? old_size : 0);
  return result;
}

static void test_memory(void)
{
  tally t = {0, 0, SIZE_MAX};
  pl_context *pl = NULL;
  OK(fake_context(counted, &t, &pl));
  char *a = pl_malloc(pl, 0), *b = pl_calloc(pl, 3, 5), *d = pl_strdup(pl, "text");
  CU_ASSERT_PTR_NOT_NULL_FATAL(a);
  CU_ASSERT(b && !b[0] && !b[14] && d && !strcmp(d, "text"));
  CU_ASSERT_PTR_NULL(pl_calloc(pl, SIZE_MAX / 2, 4));
  a = pl_resize(pl, a, 1000);
  CU_ASSERT_PTR_NOT_NULL_FATAL(a);
  memset(a, 7, 1000);
  t.limit = 0;
  CU_ASSERT_PTR_NULL(pl_resize(pl, a, 100000));
  CU_ASSERT_EQUAL(a[999], 7);
  CU_ASSERT_PTR_NULL(pl_malloc_array(pl, 10));
  t.limit = SIZE_MAX;
  for (size_t size = 1; size < (size_t)16 << 20; size *= 37) {
    char *array = pl_malloc_array(pl, size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(array);
    CU_ASSERT_EQUAL((uintptr_t)array % 64, 0);
    array[0] = array[size - 1] = 1;
    pl_free_array(pl, array);
  }
  pl_free_array(pl, NULL);
  pl_free(pl, NULL);
  pl_free(pl, a);
  pl_free(pl, b);
  pl_free(pl, d);
  pl_finalize(&pl);
  CU_ASSERT(t.held == 0 && t.blocks == 0);
}

/* Every allocation of a fixed course of declarations fails in turn: an error each time, and nothing is lost.
 */
static pl_err declare_all(pl_context *pl)
{
  const int index[] = {0, 1, 1}, some[] = {2, 0};
  const double values[3] = {1, 2, 3};
  pl_set *a, *b, *subset, *both;
  pl_map *map, *permuted, *composed;
  pl_dat *x, *y;
  pl_global *g, *h;
  pl_const *k;
  void *view;
  PL_TRY(pl_decl_set(pl, 3, "a", &a));
  PL_TRY(pl_decl_set(pl, 2, "b", &b));
  PL_TRY(pl_decl_subset(a, 2, some, "subset", &subset));
  PL_TRY(pl_subset_combine(a, PL_DIFFERENCE, subset, "both", &both));
  PL_TRY(pl_decl_map(a, b, 1, index, "map", &map));
  PL_TRY(pl_map_permute(map, 1, (int[]){0}, "permuted", &permuted));
  PL_TRY(pl_decl_map(b, a, 1, index, "back", &composed));
  PL_TRY(pl_map_compose(map, composed, "composed", &composed));
  PL_TRY(pl_decl_dat(a, 1, PL_DOUBLE, values, "x", &x));
  PL_TRY(pl_dat_duplicate(x, "y", &y));
  PL_TRY(pl_decl_dat(a, 1, PL_DOUBLE, NULL, "z", &y));
  PL_TRY(pl_dat_get(y, PL_READ, &view));
  PL_TRY(pl_dat_put(y));
  PL_TRY(pl_decl_global(pl, 3, PL_DOUBLE, values, "g", &g));
  PL_TRY(pl_global_duplicate(g, "h", &h));
  PL_TRY(pl_decl_const(pl, "k", 3, PL_DOUBLE, values, &k));
  PL_TRY(pl_set_option(pl, "block_size", "64"));
  PL_TRY(pl_timer_begin(pl, "region"));
  return pl_timer_end(pl, "region");
}

static void test_every_allocation(void)
{
  bool done = false;
  size_t n = 0;
  for (; !done && n < 1000; n++) {
    tally t = {0, 0, n};
    pl_context *pl = NULL;
    pl_err err = fake_context(counted, &t, &pl);
    if (!err) err = declare_all(pl);
    done = err == PL_SUCCESS;
    if (!done) CU_ASSERT_EQUAL(err, PL_ERR_MEMORY);
    CU_ASSERT(strlen(pl_errmsg(pl)) > 0);
    pl_finalize(&pl);
    CU_ASSERT(t.held == 0 && t.blocks == 0);
  }
  CU_ASSERT_TRUE(done);
  CU_ASSERT(n > 30);
}

/* ---- text and hash ---- */

static void test_text(void)
{
  pl_context *pl = open_context();
  pl_text text;
  pl_text_init(&text, pl);
  CU_ASSERT_STRING_EQUAL(pl_text_string(&text), "");
  for (int i = 0; i < 200; i++) pl_text_add(&text, "%d\n", i % 10);
  pl_text_bytes(&text, "a\nb", 3);
  CU_ASSERT(text.length == 403 && text.lines == 201 && !strcmp(text.data + 398, "9\na\nb"));
  OK(pl_text_check(&text));
  pl_text_free(&text);
  CU_ASSERT_EQUAL(pl_hash(PL_HASH_START, "abc", 3), pl_hash(PL_HASH_START, "abc", 3));
  CU_ASSERT_NOT_EQUAL(pl_hash(PL_HASH_START, "abc", 3), pl_hash(PL_HASH_START, "abd", 3));
  CU_ASSERT_NOT_EQUAL(pl_hash(PL_HASH_START, "abc", 3), pl_hash(PL_HASH_START, "abc", 4));
  CU_ASSERT_NOT_EQUAL(pl_hash(1, "abc", 3), pl_hash(2, "abc", 3));
  pl_finalize(&pl);
}

/* ---- options ---- */

static void check_option(pl_context *pl, const char *name, const char *expected)
{
  const char *value = NULL;
  OK(pl_get_option(pl, name, &value));
  CU_ASSERT_STRING_EQUAL(value, expected);
}

static void test_options(void)
{
  pl_context *pl = open_context();
  const char *name, *value = NULL, *help;
  check_option(pl, "backend", "seq");
  check_option(pl, "block_size", "0");
  FAILS(pl_get_option(pl, "blok_size", &value), PL_ERR_OPTION, "did you mean \"block_size\"?");
  FAILS(pl_set_option(pl, "conflikt", "auto"), PL_ERR_OPTION, "did you mean \"conflict\"?");
  FAILS(pl_set_option(pl, "zzzzzzzzzzzz", "auto"), PL_ERR_OPTION, "there is no option");
  CU_ASSERT_PTR_NULL(strstr(pl_errmsg(pl), "did you mean"));
  FAILS(pl_set_option(pl, "conflict", "gathr"), PL_ERR_OPTION, "did you mean \"gather\"?");
  FAILS(pl_set_option(pl, "conflict", "colour|stage"), PL_ERR_OPTION, "conflict");
  FAILS(pl_set_option(pl, "conflict", ""), PL_ERR_OPTION, "conflict");
  FAILS(pl_set_option(pl, "block_size", ""), PL_ERR_OPTION, "block_size");
  FAILS(pl_set_option(pl, "block_size", "12x"), PL_ERR_OPTION, "12x");
  FAILS(pl_set_option(pl, "block_size", "99999999999"), PL_ERR_OPTION, "99999999999");
  FAILS(pl_set_option(pl, "check", "2"), PL_ERR_OPTION, "neither 0, off, no, false nor 1, on");
  check_option(pl, "block_size", "0");
  static const char *const fixed[] = {"backend", "device", "cc", "cache_dir", "jit"};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    FAILS(pl_set_option(pl, fixed[i], "seq"), PL_ERR_STATE, "fixed");
  static const char *const flags[] = {"1", "on", "yes", "true", "0", "off", "no", "false"};
  for (int i = 0; i < 8; i++) {
    OK(pl_set_option(pl, "check", flags[i]));
    CU_ASSERT_EQUAL(pl_opt_flag(pl, PL_OPT_CHECK), i < 4);
  }
  OK(pl_set_option(pl, "block_size", "128"));
  CU_ASSERT_EQUAL(pl_opt_count(pl, PL_OPT_BLOCK_SIZE), 128);
  OK(pl_reset_options(pl));
  check_option(pl, "block_size", "0");
  check_option(pl, "check", "0");
  int rows = 0;
  while (!pl_option_at(pl, rows, &name, &value, &help)) rows++;
  CU_ASSERT_EQUAL(rows, PL_OPT_COUNT);
  OK(pl_option_at(pl, 0, NULL, NULL, NULL));
  FAILS(pl_option_at(pl, -1, &name, NULL, NULL), PL_ERR_RANGE, "-1");
  CU_ASSERT_EQUAL(pl_set_option(NULL, "check", "1"), PL_ERR_ARG);
  pl_finalize(&pl);
}

/* Opens over all sources at once. */
static pl_err open_from(int *argc, char **argv, const char *const *settings, pl_context **pl)
{
  pl_settings all = {.options = settings};
  return pl_context_open(argc, &argv, &all, fake_backends, pl);
}

static void test_priorities(void)
{
  static const char *const code[] = {"backend=seq", "shape=lanes", NULL},
                           *const wrong[] = {"backend=seq", "shap=lanes", NULL},
                           *const odd[] = {"backend=seq", "shape", NULL};
  char a0[] = "p", a1[] = "--plait-shape=scalar", a2[] = "kept", a3[] = "--plait-conflict=colour",
       a4[] = "--plaitX=1", a5[] = "--plait-nonsense";
  char *argv[] = {a0, a1, a2, a3, a4, NULL}, *bad[] = {a0, a5, NULL};
  int argc = 5;
  pl_context *pl = NULL;
  setenv("PLAIT_SHAPE", "transpose", 1);
  setenv("PLAIT_CONFLICT", "atomic", 1);
  setenv("PLAIT_BLOCK_SIZE", "7", 1);
  OK(open_from(&argc, argv, code, &pl));
  check_option(pl, "shape", "lanes");     /* settings over all */
  check_option(pl, "conflict", "colour"); /* the command line over the environment */
  check_option(pl, "block_size", "7");    /* the environment over the default */
  CU_ASSERT(argc == 3 && !strcmp(argv[1], "kept") && !strcmp(argv[2], "--plaitX=1") && !argv[3]);
  OK(pl_set_option(pl, "block_size", "8"));
  OK(pl_reset_options(pl));
  check_option(pl, "block_size", "7"); /* back to what it was after pl_init */
  pl_finalize(&pl);
  argc = 2;
  FAILS(open_from(&argc, bad, code, &pl), PL_ERR_OPTION, "name=value");
  pl_finalize(&pl);
  FAILS(open_from(NULL, NULL, wrong, &pl), PL_ERR_OPTION, "did you mean \"shape\"?");
  pl_finalize(&pl);
  FAILS(open_from(NULL, NULL, odd, &pl), PL_ERR_OPTION, "name=value");
  pl_finalize(&pl);
  setenv("PLAIT_BLOCK_SIZE", "seven", 1);
  FAILS(open_from(NULL, NULL, code, &pl), PL_ERR_OPTION, "PLAIT_BLOCK_SIZE");
  pl_finalize(&pl);
  unsetenv("PLAIT_SHAPE");
  unsetenv("PLAIT_CONFLICT");
  unsetenv("PLAIT_BLOCK_SIZE");
}

static void test_backends(void)
{
  static const char *const none[] = {"backend=openmp", NULL};
  const char *name = NULL, *why = "";
  pl_context *pl = open_context();
  OK(pl_backend_at(pl, 0, &name, &why));
  CU_ASSERT(!strcmp(name, "seq") && !why);
  FAILS(pl_backend_at(pl, 1, &name, &why), PL_ERR_RANGE, "1");
  CU_ASSERT_STRING_EQUAL(pl_backend_name(pl), "seq");
  CU_ASSERT_EQUAL(pl_backend_threads(pl), 1);
  pl_finalize(&pl);
  FAILS(open_from(NULL, NULL, none, &pl), PL_ERR_BACKEND, "openmp");
  pl_finalize(&pl);
}

/* ---- types ---- */

static void test_types(void)
{
  int n = 0;
#define X(code, ctype, bytes)                                                                                \
  CU_ASSERT_EQUAL(pl_type_size(code), sizeof(ctype));                                                        \
  CU_ASSERT_EQUAL(pl_type_size(code), bytes);                                                                \
  CU_ASSERT_STRING_EQUAL(pl_type_name(code), #ctype);                                                        \
  n++;
  PL_TYPE_LIST(X)
#undef X
  CU_ASSERT_EQUAL(n, PL_TYPE_COUNT);
  CU_ASSERT_EQUAL(pl_type_size((pl_type)77), 0);
  CU_ASSERT(pl_type_is_complex(PL_COMPLEX_FLOAT) && !pl_type_is_complex(PL_FLOAT));
  CU_ASSERT(pl_type_base(PL_COMPLEX_DOUBLE) == PL_DOUBLE && pl_type_base(PL_INT8) == PL_INT8);
  CU_ASSERT(pl_type_is_integer(PL_UINT64) && !pl_type_is_integer(PL_DOUBLE));
}

/* ---- sets ---- */

static void check_members(const pl_set *set, int n, const int *expected)
{
  CU_ASSERT_EQUAL_FATAL(pl_set_size(set), n);
  for (int i = 0; i < n; i++) CU_ASSERT_EQUAL(pl_subset_indices(set)[i], expected[i]);
}

static void test_sets(void)
{
  const int64_t sizes[4] = {1, 3, 4, 6}, bad[4] = {3, 2, 4, 4};
  const int list[] = {5, 1, 1, 3, 0}, sorted[] = {0, 1, 3, 5}, inner[] = {2, 0}, deep[] = {0, 3};
  pl_context *pl = open_context();
  pl_set *set = NULL, *a = NULL, *b = NULL, *d = NULL;
  OK(pl_decl_set_parts(pl, sizes, NULL, &set));
  CU_ASSERT(pl_set_size(set) == 3 && pl_set_total(set) == 6 && !strcmp(pl_set_name(set), "(unnamed)"));
  OK(pl_decl_subset(set, 5, list, "a", &a));
  CU_ASSERT_EQUAL_FATAL(a->part[3], 4);
  for (int i = 0; i < 4; i++) CU_ASSERT_EQUAL(a->indices[i], sorted[i]);
  CU_ASSERT(a->part[0] == 1 && a->part[1] == 2 && a->part[2] == 3);
  OK(pl_decl_subset(a, 2, inner, "b", &b));
  CU_ASSERT(pl_set_parent(b) == set && b->part[3] == 2 && b->indices[0] == deep[0] &&
            b->indices[1] == deep[1]);
  static const int expected[4][4] = {{0, 1, 3, 5}, {0, 3}, {1, 5}, {1, 5}};
  static const int counts[4] = {4, 2, 2, 2}, owned[4] = {2, 1, 1, 1};
  for (int op = 0; op < 4; op++) {
    OK(pl_subset_combine(a, (pl_set_op)op, b, "d", &d));
    CU_ASSERT(d->part[3] == counts[op] && d->part[1] == owned[op]);
    for (int i = 0; i < counts[op]; i++) CU_ASSERT_EQUAL(d->indices[i], expected[op][i]);
  }
  OK(pl_decl_set(pl, 3, "plain", &d));
  OK(pl_decl_subset(d, 0, NULL, "none", &a));
  check_members(a, 0, NULL);
  FAILS(pl_decl_set_parts(pl, bad, "bad", &d), PL_ERR_RANGE, "decrease");
  FAILS(pl_decl_set_parts(pl, NULL, "bad", &d), PL_ERR_ARG, "NULL");
  CU_ASSERT_EQUAL(pl_decl_set(NULL, 3, "bad", &d), PL_ERR_ARG);
  FAILS(pl_decl_subset(set, 1, (int[]){6}, "bad", &d), PL_ERR_RANGE, "index 6");
  FAILS(pl_subset_combine(b, PL_UNION, NULL, "bad", &d), PL_ERR_ARG, "NULL");
  CU_ASSERT(pl_set_size(NULL) == 0 && pl_set_total(NULL) == 0 && pl_set_parent(NULL) == NULL);
  pl_finalize(&pl);
}

/* A set stays while something is declared on it. */
static void test_set_free(void)
{
  pl_context *pl = open_context();
  pl_set *set = NULL, *subset = NULL;
  OK(pl_decl_set(pl, 3, "set", &set));
  OK(pl_decl_subset(set, 1, (int[]){2}, "subset", &subset));
  pl_set_free(&subset);
  CU_ASSERT(subset == NULL && set->ref == 0 && pl->sets && !pl->sets->next);
  pl_set_free(&set);
  CU_ASSERT(set == NULL && pl->sets == NULL);
  pl_set_free(&set);
  pl_set_free(NULL);
  pl_finalize(&pl);
}

/* ---- maps ---- */

static void test_maps(void)
{
  const int index[] = {0, 1, 2, -4, 1, 0}, swapped[] = {1, 0, 0}, back[] = {2, -1, 0};
  pl_context *pl = open_context();
  pl_set *a = NULL, *b = NULL, *d = NULL;
  pl_map *map = NULL, *permuted = NULL, *inner = NULL, *composed = NULL, *failed = NULL;
  OK(pl_decl_set(pl, 3, "a", &a));
  OK(pl_decl_set(pl, 3, "b", &b));
  OK(pl_decl_set(pl, 3, "d", &d));
  OK(pl_decl_map(a, b, 2, index, "map", &map));
  CU_ASSERT(pl_map_arity(map) == 2 && pl_map_from(map) == a && pl_map_to(map) == b && map->has_negative);
  CU_ASSERT(!memcmp(pl_map_indices(map), index, sizeof index));
  OK(pl_map_permute(map, 3, swapped, "permuted", &permuted));
  static const int expected[] = {1, 0, 0, -4, 2, 2, 0, 1, 1};
  CU_ASSERT(pl_map_arity(permuted) == 3 && !memcmp(pl_map_indices(permuted), expected, sizeof expected));
  OK(pl_decl_map(d, a, 1, back, "inner", &inner));
  OK(pl_map_compose(map, inner, "composed", &composed));
  const int *t = pl_map_indices(composed);
  CU_ASSERT(pl_map_from(composed) == d && pl_map_to(composed) == b && t[0] == 1 && t[1] == 0 && t[2] < 0 &&
            t[3] < 0 && t[4] == 0 && t[5] == 1);
  FAILS(pl_decl_map(a, b, 2, (int[]){0, 0, 0, 3, 0, 0}, "bad", &failed), PL_ERR_RANGE,
        "target 1 of element 1 is 3");
  FAILS(pl_map_permute(map, 1, (int[]){2}, "bad", &failed), PL_ERR_RANGE, "arity 2");
  FAILS(pl_map_permute(map, 0, swapped, "bad", &failed), PL_ERR_RANGE, "0 entries");
  FAILS(pl_map_compose(map, map, "bad", &failed), PL_ERR_ARG, "arity 2");
  CU_ASSERT_PTR_NULL(failed);
  CU_ASSERT_EQUAL(a->ref, 3);
  pl_map_free(&map);
  pl_map_free(&map);
  CU_ASSERT(map == NULL && a->ref == 2);
  pl_finalize(&pl);
}

/* The values of PyOP2's users: two and three maps in a row, and permuted ones, followed by hand. */
static void follow(const pl_map *map, const double *values, double *out)
{
  int n = (int)pl_set_total(pl_map_from(map)) * pl_map_arity(map);
  for (int i = 0; i < n; i++) out[i] = values[pl_map_indices(map)[i]];
}

static void test_composed_values(void)
{
  const int nodes[] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1}, b_to_a[] = {3, 1, 2}, d_to_b[] = {2, 0};
  const double values[] = {.0, .1, .2, .3, .4, .5, .6, .7}, two[] = {.6, .7, .2, .3, .4, .5},
               three[] = {.4, .5, .6, .7};
  double out[6];
  pl_context *pl = open_context();
  pl_set *a = NULL, *n = NULL, *b = NULL, *d = NULL;
  pl_map *an = NULL, *ba = NULL, *db = NULL, *bn = NULL, *dn = NULL;
  OK(pl_decl_set(pl, 5, "a", &a));
  OK(pl_decl_set(pl, 8, "n", &n));
  OK(pl_decl_set(pl, 3, "b", &b));
  OK(pl_decl_set(pl, 2, "d", &d));
  OK(pl_decl_map(a, n, 2, nodes, "an", &an));
  OK(pl_decl_map(b, a, 1, b_to_a, "ba", &ba));
  OK(pl_decl_map(d, b, 1, d_to_b, "db", &db));
  OK(pl_map_compose(an, ba, "bn", &bn));
  OK(pl_map_compose(bn, db, "dn", &dn));
  follow(bn, values, out);
  CU_ASSERT(!memcmp(out, two, sizeof two));
  follow(dn, values, out);
  CU_ASSERT(!memcmp(out, three, sizeof three));
  pl_finalize(&pl);
}

/* ---- dats ---- */

static void test_dats(void)
{
  const double values[4] = {1, 2, 3, 4};
  double got[4];
  void *view, *second;
  pl_context *pl = open_context();
  pl_set *set = NULL;
  pl_dat *x = NULL, *y = NULL;
  OK(pl_decl_set(pl, 4, "set", &set));
  OK(pl_decl_dat(set, 1, PL_DOUBLE, values, "x", &x));
  OK(pl_decl_dat(set, 1, PL_DOUBLE, NULL, "y", &y));
  CU_ASSERT(pl_dat_nbytes(y) == 32 && pl_dat_host_bytes(y) == 0 && pl_dat_host_bytes(x) == 32);
  CU_ASSERT(pl_dat_version(x) == 0 && pl_dat_state(x) == PL_DEVICE_UNALLOCATED);
  OK(pl_dat_get(x, PL_READ, &view));
  OK(pl_dat_get(x, PL_READ, &second));
  FAILS(pl_dat_get(x, PL_RW, &view), PL_ERR_STATE, "pl_dat_put");
  OK(pl_dat_put(x));
  OK(pl_dat_put(x));
  FAILS(pl_dat_put(x), PL_ERR_STATE, "no host view");
  CU_ASSERT_EQUAL(pl_dat_version(x), 0);
  OK(pl_dat_get(x, PL_RW, &view));
  FAILS(pl_dat_fetch(x, got), PL_ERR_STATE, "\"x\"");
  FAILS(pl_dat_copy(x, y), PL_ERR_STATE, "\"x\"");
  FAILS(pl_dat_zero(x), PL_ERR_STATE, "\"x\"");
  OK(pl_dat_put(x));
  CU_ASSERT_EQUAL(pl_dat_version(x), 1);
  OK(pl_dat_copy(x, y));
  OK(pl_dat_zero(x));
  CU_ASSERT(pl_dat_version(x) == 2 && pl_dat_version(y) == 1);
  OK(pl_dat_fetch(y, got));
  CU_ASSERT(!memcmp(got, values, sizeof got));
  OK(pl_dat_fetch(x, got));
  CU_ASSERT(got[0] == 0 && got[3] == 0);
  FAILS(pl_dat_get(x, PL_MIN, &view), PL_ERR_ACCESS, "PL_READ, PL_RW or PL_WRITE");
  pl_stats stats;
  OK(pl_get_stats(pl, &stats));
  CU_ASSERT(stats.host_bytes == 64 && stats.host_allocations == 2 && stats.bytes_to_device == 0);
  pl_dat_free(&x);
  OK(pl_get_stats(pl, &stats));
  CU_ASSERT(x == NULL && stats.host_bytes == 32 && set->ref == 1);
  pl_finalize(&pl);
}

static void test_dat_zero_subset(void)
{
  double values[4] = {1, 2, 3, 4}, got[4];
  pl_context *pl = open_context();
  pl_set *set = NULL, *subset = NULL, *other = NULL;
  pl_dat *x = NULL;
  OK(pl_decl_set(pl, 4, "set", &set));
  OK(pl_decl_set(pl, 4, "other", &other));
  OK(pl_decl_subset(set, 2, (int[]){3, 1}, "subset", &subset));
  OK(pl_decl_dat(set, 1, PL_DOUBLE, values, "x", &x));
  OK(pl_dat_zero_subset(x, subset));
  OK(pl_dat_fetch(x, got));
  CU_ASSERT(got[0] == 1 && got[1] == 0 && got[2] == 3 && got[3] == 0);
  FAILS(pl_dat_zero_subset(x, other), PL_ERR_ARG, "not a subset");
  pl_finalize(&pl);
}

/* ---- files ---- */

static char folder[] = "/tmp/plait-core-XXXXXX";

static void path_of(const char *name, char path[128])
{
  snprintf(path, 128, "%s/%s", folder, name);
}

/* The bytes of a file as NumPy lays them down, written out by hand. */
static void test_npy_bytes(void)
{
  const int16_t values[6] = {1, -2, 3, -4, 5, -6};
  const char *header = "{'descr': '<i2', 'fortran_order': False, 'shape': (3, 2), }";
  char path[128];
  unsigned char got[256];
  pl_context *pl = open_context();
  pl_set *set = NULL;
  pl_dat *x = NULL;
  OK(pl_decl_set(pl, 3, "set", &set));
  OK(pl_decl_dat(set, 2, PL_INT16, values, "x", &x));
  path_of("bytes.npy", path);
  OK(pl_dat_save(x, path));
  FILE *file = fopen(path, "rb");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  size_t size = fread(got, 1, sizeof got, file);
  fclose(file);
  CU_ASSERT_EQUAL_FATAL(size, 128 + 12);
  CU_ASSERT(!memcmp(got, "\x93NUMPY\x01\x00\x76\x00", 10));
  CU_ASSERT(!memcmp(got + 10, header, strlen(header)));
  for (size_t i = 10 + strlen(header); i < 127; i++) CU_ASSERT_EQUAL(got[i], ' ');
  CU_ASSERT(got[127] == '\n' && !memcmp(got + 128, values, sizeof values));
  pl_finalize(&pl);
}

static void test_npy_round_trip(void)
{
  const int64_t sizes[4] = {0, 3, 4, 4};
  const int shape[] = {2, 1, 2};
  unsigned char values[4 * 4 * 16], got[sizeof values];
  char path[128];
  pl_context *pl = open_context();
  pl_set *set = NULL;
  for (size_t i = 0; i < sizeof values; i++) values[i] = (unsigned char)(i * 7 % 120);
  OK(pl_decl_set_parts(pl, sizes, "set", &set));
  path_of("round.npy", path);
  for (int type = 0; type < PL_TYPE_COUNT; type++) {
    pl_dat *x = NULL, *y = NULL;
    OK(pl_decl_dat_shape(set, 3, shape, (pl_type)type, values, "x", &x));
    OK(pl_decl_dat_shape(set, 3, shape, (pl_type)type, NULL, "y", &y));
    OK(pl_dat_save(x, path));
    OK(pl_dat_load(y, path));
    OK(pl_dat_fetch(y, got));
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

/* Writes a file of these bytes. */
static void write_bytes(const char *path, const void *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  CU_ASSERT_EQUAL(fwrite(bytes, 1, size, file), size);
  CU_ASSERT_EQUAL(fclose(file), 0);
}

static void test_npy_refused(void)
{
  const int flat[] = {4}, square[] = {2, 2};
  const double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  double got[8];
  char path[128], bytes[400];
  pl_context *pl = open_context();
  pl_set *two = NULL, *three = NULL;
  pl_dat *x = NULL, *y = NULL, *z = NULL;
  OK(pl_decl_set(pl, 2, "two", &two));
  OK(pl_decl_set(pl, 3, "three", &three));
  OK(pl_decl_dat_shape(two, 1, flat, PL_DOUBLE, values, "x", &x));
  OK(pl_decl_dat_shape(two, 2, square, PL_DOUBLE, values, "y", &y));
  OK(pl_decl_dat_shape(three, 1, flat, PL_DOUBLE, NULL, "z", &z));
  path_of("refused.npy", path);
  OK(pl_dat_save(x, path));
  FAILS(pl_dat_load(y, path), PL_ERR_IO, "(2, 4)"); /* the same values in another shape */
  FAILS(pl_dat_load(z, path), PL_ERR_IO, "(3, 4)");
  FILE *file = fopen(path, "rb");
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  /* Cut anywhere it is refused, and the dat keeps its values. */
  for (size_t n = 0; n < size; n += 5) {
    write_bytes(path, bytes, n);
    CU_ASSERT_EQUAL(pl_dat_load(x, path), PL_ERR_IO);
    OK(pl_dat_fetch(x, got));
    CU_ASSERT(!memcmp(got, values, sizeof got) && pl_dat_version(x) == 0);
  }
  bytes[0] = 'x';
  write_bytes(path, bytes, size);
  FAILS(pl_dat_load(x, path), PL_ERR_IO, "not a .npy file");
  path_of("missing.npy", path);
  FAILS(pl_dat_load(x, path), PL_ERR_IO, "missing.npy");
  FAILS(pl_dat_save(x, "/nonexistent/x.npy"), PL_ERR_IO, "/nonexistent/x.npy");
  pl_finalize(&pl);
}

/* ---- globals and consts ---- */

static void test_globals(void)
{
  const double v[2] = {1, 2};
  double got[2];
  pl_context *pl = open_context();
  pl_global *g = NULL, *h = NULL, *z = NULL, *i = NULL, *failed = NULL;
  OK(pl_decl_global(pl, 2, PL_DOUBLE, v, "g", &g));
  OK(pl_decl_global(pl, 2, PL_DOUBLE, NULL, "z", &z));
  OK(pl_decl_global(pl, 2, PL_INT32, NULL, "i", &i));
  OK(pl_global_get(z, got));
  CU_ASSERT(got[0] == 0 && got[1] == 0);
  OK(pl_global_duplicate(g, "h", &h));
  OK(pl_global_axpy(-3, g, h));
  OK(pl_global_get(h, got));
  CU_ASSERT(got[0] == -2 && got[1] == -4);
  OK(pl_global_copy(h, z));
  OK(pl_global_zero(h));
  OK(pl_global_get(z, got));
  CU_ASSERT(got[0] == -2 && got[1] == -4);
  FAILS(pl_global_copy(g, i), PL_ERR_TYPE, "int32_t");
  FAILS(pl_global_axpy(1, i, i), PL_ERR_TYPE, "\"i\"");
  FAILS(pl_decl_global(pl, 0, PL_DOUBLE, NULL, "f", &failed), PL_ERR_RANGE, "dim 0");
  FAILS(pl_decl_global(pl, 1, (pl_type)50, NULL, "f", &failed), PL_ERR_TYPE, "50");
  pl_global_free(&g);
  CU_ASSERT(g == NULL && failed == NULL);
  pl_finalize(&pl);
}

static void test_consts(void)
{
  const double v[2] = {1, 2}, w[2] = {3, 4};
  double got[2];
  pl_context *pl = open_context();
  pl_const *k = NULL, *failed = NULL;
  uint64_t declared = pl->decl_version, values = pl->const_version;
  OK(pl_decl_const(pl, "gam", 2, PL_DOUBLE, v, &k));
  CU_ASSERT(pl->decl_version > declared && pl->const_version > values);
  declared = pl->decl_version;
  values = pl->const_version;
  OK(pl_const_set(k, w));
  CU_ASSERT(pl->decl_version == declared && pl->const_version > values); /* a value compiles nothing */
  OK(pl_const_get(k, got));
  CU_ASSERT(got[0] == 3 && got[1] == 4);
  CU_ASSERT(pl_const_find(pl, "gamma", 3) == k && !pl_const_find(pl, "gamma", 5));
  FAILS(pl_decl_const(pl, "gam", 1, PL_DOUBLE, v, &failed), PL_ERR_ARG, "already");
  static const pl_function helper = {"gam", "double", "(double x)", "{ return x; }", "file", 1};
  FAILS(pl_decl_function_text(pl, &helper), PL_ERR_ARG, "already");
  pl_const_free(&k);
  CU_ASSERT(k == NULL && pl->decl_version > declared && !pl_const_find(pl, "gam", 3));
  OK(pl_decl_function_text(pl, &helper));
  FAILS(pl_decl_const(pl, "gam", 1, PL_DOUBLE, v, &failed), PL_ERR_ARG, "already");
  FAILS(pl_decl_const(pl, "a-b", 1, PL_DOUBLE, v, &failed), PL_ERR_ARG, "identifier");
  FAILS(pl_decl_const(pl, NULL, 1, PL_DOUBLE, v, &failed), PL_ERR_ARG, "identifier");
  OK(pl_decl_const(pl, "_x9", 1, PL_DOUBLE, v, NULL));
  pl_finalize(&pl);
}

/* ---- reductions ---- */

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

/* ---- timers ---- */

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

/* The three forms of the table. */
static void test_profile_files(void)
{
  char path[128], text[2000];
  pl_context *pl = open_context();
  OK(pl_timer_begin(pl, "plain"));
  OK(pl_timer_end(pl, "plain"));
  OK(pl_timer_begin(pl, "a, \"b\""));
  OK(pl_timer_end(pl, "a, \"b\""));
  static const char *const names[] = {"t.csv", "t.json", "t.txt"};
  static const char *const words[] = {"\nplain,,", "{\"name\": \"plain\"", "\nplain "};
  static const char *const quoted[] = {"\n\"a, \"\"b\"\"\",,", "{\"name\": \"a, \\\"b\\\"\"", "\na, \"b\" "};
  for (int i = 0; i < 3; i++) {
    path_of(names[i], path);
    OK(pl_profile_write(pl, path));
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, words[i]));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, quoted[i]));
  }
  FAILS(pl_profile_write(pl, "/nonexistent/t.csv"), PL_ERR_IO, "/nonexistent/t.csv");
  pl_finalize(&pl);
}

/* ---- arguments ---- */

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
  /* Core alone runs no loop, and says whose sentence it is. */
  FAILS(pl_par_loop_args(&kernel, a, 3, good), PL_ERR_BACKEND, "fake backend");
  CU_ASSERT(pl->loop_count == 0 && pl_dat_version(x) == 0);
  pl_finalize(&pl);
}

/* ---- main ---- */

/* What is given back comes again where it fits, and only there. */
static void test_stock(void)
{
  tally t = {0, 0, SIZE_MAX};
  pl_context *pl = NULL;
  pl_stock stock = {{0}, 0};
  OK(fake_context(counted, &t, &pl));
  char *first = pl_stock_take(pl, &stock, 300000), *second = pl_stock_take(pl, &stock, 300000);
  CU_ASSERT_FATAL(first && second && first != second);
  CU_ASSERT(pl_array_size(first) >= 300000);
  memset(first, 1, 300000);
  pl_stock_give(pl, &stock, first);
  pl_stock_give(pl, &stock, NULL);
  char *longer = pl_stock_take(pl, &stock, 3000000), *shorter = pl_stock_take(pl, &stock, 10);
  CU_ASSERT(longer && longer != first && shorter && shorter != first);
  CU_ASSERT_PTR_EQUAL(pl_stock_take(pl, &stock, 290000), first);
  char *const all[] = {first, second, longer, shorter};
  for (int k = 0; k < 4; k++) pl_stock_give(pl, &stock, all[k]);
  for (int k = 0; k < PL_STOCK + 3; k++) pl_stock_give(pl, &stock, pl_malloc_array(pl, 8));
  CU_ASSERT_PTR_NULL(pl_stock_take(pl, &stock, SIZE_MAX - 7));
  pl_stock_free(pl, &stock);
  pl_finalize(&pl);
  CU_ASSERT(t.held == 0 && t.blocks == 0);
}

static CU_TestInfo tests[] = {{"errors", test_errors},
                              {"memory", test_memory},
                              {"arrays kept for the next", test_stock},
                              {"every allocation fails in turn", test_every_allocation},
                              {"text and hash", test_text},
                              {"options", test_options},
                              {"priorities of options", test_priorities},
                              {"backends", test_backends},
                              {"types", test_types},
                              {"sets and subsets", test_sets},
                              {"sets that are freed", test_set_free},
                              {"maps", test_maps},
                              {"composed maps", test_composed_values},
                              {"dats", test_dats},
                              {"dats zeroed in part", test_dat_zero_subset},
                              {"npy files byte by byte", test_npy_bytes},
                              {"npy files there and back", test_npy_round_trip},
                              {"npy files refused", test_npy_refused},
                              {"globals", test_globals},
                              {"consts", test_consts},
                              {"combining values", test_combine},
                              {"timers", test_timers},
                              {"profile files", test_profile_files},
                              {"arguments", test_arguments},
                              CU_TEST_INFO_NULL};

static void remove_files(void)
{
  static const char *const names[] = {"bytes.npy", "round.npy", "refused.npy", "t.csv", "t.json", "t.txt"};
  char path[128];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    path_of(names[i], path);
    unlink(path);
  }
  rmdir(folder);
}

int main(void)
{
  CU_SuiteInfo suites[] = {{"core", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
  if (!mkdtemp(folder) || CU_initialize_registry() || CU_register_suites(suites)) return 2;
  CU_basic_set_mode(CU_BRM_NORMAL);
  CU_basic_run_tests();
  int failures = (int)CU_get_number_of_failures();
  CU_cleanup_registry();
  remove_files();
  return failures > 0;
}
