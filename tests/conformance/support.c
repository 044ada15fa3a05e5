/* SPDX-License-Identifier: BSD-2-Clause
 * Helpers of cases: checks that name the failing variant, contexts, declarations, meshes.
 */
#include "conformance.h"
#include <CUnit/Basic.h>
#include <math.h>
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { MOST_FAILURES = 6, MESSAGE = 1024 };

/* ---- checks ---- */

/* One CUnit assertion. After a few failures a case only counts them. A fatal failure ends the case: its
 * context is closed first, while the case's memory that the context may use still exists. */
static void judge(conf *c, bool good, bool fatal, const char *what, const char *detail, const char *file,
                  int line)
{
  char message[MESSAGE], problem[32] = "";
  const conf_variant *v = c->variant;
  if (good) {
    CU_assertImplementation(CU_TRUE, (unsigned)line, "", file, "", CU_FALSE);
    return;
  }
  if (++c->failures > MOST_FAILURES && !fatal) return;
  if (c->problem >= 0) snprintf(problem, sizeof problem, " problem=%d", c->problem);
  snprintf(
    message, sizeof message,
    "%.200s%s%.700s [%s threads=%d block_size=%d shape=%s conflict=%s jit=%d reproducible=%d layout=%s%s]",
    what, *detail ? ": " : "", detail, c->backend, v->threads, v->block_size, v->shape, v->conflict, v->jit,
    v->reproducible, v->layout, problem);
  if (fatal) pl_finalize(&c->pl);
  CU_assertImplementation(CU_FALSE, (unsigned)line, message, file, "", fatal ? CU_TRUE : CU_FALSE);
}

void conf_ok(conf *c, pl_context *pl, pl_err err, const char *what, const char *file, int line)
{
  judge(c, err == PL_SUCCESS, true, what, err ? pl_errmsg(pl) : "", file, line);
}

void conf_check(conf *c, bool good, const char *what, const char *file, int line)
{
  judge(c, good, false, what, "", file, line);
}

void conf_fails(conf *c, pl_context *pl, pl_err err, pl_err wanted, const char *const *words,
                const char *what, const char *file, int line)
{
  char detail[MESSAGE];
  const char *message = pl_errmsg(pl);
  snprintf(detail, sizeof detail, "%s where %s was expected: \"%.600s\"", pl_errname(err), pl_errname(wanted),
           message);
  judge(c, err == wanted, false, what, detail, file, line);
  if (err != wanted) return;
  for (; *words; words++) {
    snprintf(detail, sizeof detail, "\"%.600s\" does not contain \"%.200s\"", message, *words);
    judge(c, strstr(message, *words) != NULL, false, what, detail, file, line);
  }
}

/* Value i of an array as text. */
static void show_value(pl_type type, const void *values, size_t i, char *buffer, size_t size)
{
  switch (type) {
  case PL_INT8:
    snprintf(buffer, size, "%d", ((const int8_t *)values)[i]);
    break;
  case PL_UINT8:
    snprintf(buffer, size, "%d", ((const uint8_t *)values)[i]);
    break;
  case PL_INT16:
    snprintf(buffer, size, "%d", ((const int16_t *)values)[i]);
    break;
  case PL_UINT16:
    snprintf(buffer, size, "%d", ((const uint16_t *)values)[i]);
    break;
  case PL_INT32:
    snprintf(buffer, size, "%d", ((const int32_t *)values)[i]);
    break;
  case PL_UINT32:
    snprintf(buffer, size, "%u", ((const uint32_t *)values)[i]);
    break;
  case PL_INT64:
    snprintf(buffer, size, "%lld", (long long)((const int64_t *)values)[i]);
    break;
  case PL_UINT64:
    snprintf(buffer, size, "%llu", (unsigned long long)((const uint64_t *)values)[i]);
    break;
  case PL_FLOAT:
    snprintf(buffer, size, "%.9g", (double)((const float *)values)[i]);
    break;
  case PL_DOUBLE:
    snprintf(buffer, size, "%.17g", ((const double *)values)[i]);
    break;
  case PL_COMPLEX_FLOAT:
    snprintf(buffer, size, "%.9g%+.9gi", (double)((const pl_cfloat *)values)[i].re,
             (double)((const pl_cfloat *)values)[i].im);
    break;
  default:
    snprintf(buffer, size, "%.17g%+.17gi", ((const pl_cdouble *)values)[i].re,
             ((const pl_cdouble *)values)[i].im);
  }
}

/* Compares bits, except that both floating-point zeros are equal. */
static bool equal_value(pl_type type, const void *a, const void *b, size_t i)
{
  size_t size = pl_type_size(type);
  const char *p = (const char *)a + i * size, *q = (const char *)b + i * size;
  if (!memcmp(p, q, size)) return true;
  switch (type) {
  case PL_FLOAT:
    return ((const float *)a)[i] == ((const float *)b)[i];
  case PL_DOUBLE:
    return ((const double *)a)[i] == ((const double *)b)[i];
  case PL_COMPLEX_FLOAT:
    return equal_value(PL_FLOAT, a, b, 2 * i) && equal_value(PL_FLOAT, a, b, 2 * i + 1);
  case PL_COMPLEX_DOUBLE:
    return equal_value(PL_DOUBLE, a, b, 2 * i) && equal_value(PL_DOUBLE, a, b, 2 * i + 1);
  default:
    return false;
  }
}

static void same_values(conf *c, pl_type type, size_t n, const void *got, const void *expected,
                        const char *what, const char *file, int line)
{
  char detail[200] = "", a[60], b[60];
  size_t i = 0;
  while (i < n && equal_value(type, got, expected, i)) i++;
  if (i < n) {
    show_value(type, got, i, a, sizeof a);
    show_value(type, expected, i, b, sizeof b);
    snprintf(detail, sizeof detail, "value %zu of %zu is %s, expected %s", i, n, a, b);
  }
  judge(c, i == n, false, what, detail, file, line);
}

void conf_same_global(conf *c, pl_global *global, const void *expected, const char *what, const char *file,
                      int line)
{
  double got[32];
  size_t n = (size_t)pl_global_dim(global);
  judge(c, n * pl_type_size(pl_global_type(global)) <= sizeof got, true, what, "too long for this check",
        file, line);
  conf_ok(c, c->pl, pl_global_get(global, (void *)got), what, file, line);
  same_values(c, pl_global_type(global), n, got, expected, what, file, line);
}

void conf_close(conf *c, double value, double expected, const char *what, const char *file, int line)
{
  char detail[120];
  snprintf(detail, sizeof detail, "%.17g, expected %.17g", value, expected);
  judge(c, fabs(value - expected) <= 1e-12 * fabs(expected), false, what, detail, file, line);
}

/* ---- contexts ---- */

/* Whether this allocation is to fail (--fail-at). */
static bool exhausted(conf *c)
{
  long asked;
#pragma omp atomic capture
  asked = ++c->asked;
  return c->fail_at && asked >= c->fail_at;
}

/* Counts the library's memory: the stated size of a freed block must be its allocated size. */
static void *counting(void *user, void *ptr, size_t old_size, size_t new_size)
{
  conf *c = user;
  void *result = NULL;
  if (new_size && exhausted(c)) return NULL;
  if (new_size && !(result = realloc(ptr, new_size))) return NULL;
  if (!new_size) free(ptr);
#pragma omp atomic
  c->held += new_size - (ptr ? old_size : 0);
  return result;
}

static void use_threads(int threads)
{
#ifdef _OPENMP
  omp_set_num_threads(threads);
#else
  (void)threads;
#endif
}

pl_err conf_open(conf *c, const conf_variant *variant, const char *const *more, pl_context **pl)
{
  char backend[40], block[40], shape[40], conflict[40], reproducible[40], layout[40];
  const char *options[24] = {backend,
                             block,
                             shape,
                             conflict,
                             reproducible,
                             layout,
                             variant->jit ? "jit=on" : "jit=off",
                             variant->renumber ? "renumber=rcm" : "renumber=auto"};
  int n = 8;
  snprintf(backend, sizeof backend, "backend=%s", c->backend);
  snprintf(block, sizeof block, "block_size=%d", variant->block_size);
  snprintf(shape, sizeof shape, "shape=%s", variant->shape);
  snprintf(conflict, sizeof conflict, "conflict=%s", variant->conflict);
  snprintf(reproducible, sizeof reproducible, "reproducible=%d", variant->reproducible);
  snprintf(layout, sizeof layout, "layout=%s", variant->layout);
  for (; more && *more && n < 23; more++) options[n++] = *more;
  pl_settings settings = {.options = options, .realloc = counting, .realloc_user = c};
  use_threads(variant->threads);
  return pl_init(NULL, NULL, &settings, pl);
}

pl_stats conf_stats(conf *c)
{
  pl_stats stats;
  OK(pl_get_stats(c->pl, &stats));
  return stats;
}

/* ---- declarations ---- */

/* Every rank computes the whole problem as a reference, declares its share, and compares its owned
 * elements. */

static int share(const conf *c, int64_t n, int rank)
{
  return (int)(n * rank / pl_ranks(c->pl));
}

pl_set *conf_set(conf *c, int64_t n, const char *name)
{
  pl_set *set = NULL;
  int rank = pl_rank(c->pl);
  OK(pl_decl_set(c->pl, n < 0 ? n : share(c, n, rank + 1) - share(c, n, rank), name, &set));
  return set;
}

/* With --scatter the set and all connected sets are distributed again at random. */
static void scatter(conf *c, pl_set *set)
{
  pl_partition_options options = {.seed = c->scattered++};
  if (c->scatter) OK(pl_partition(set, PL_PARTITION_RANDOM, &options));
}

/* Global indices of this rank's elements, in the order of views (to be freed). */
static int64_t *owned(conf *c, pl_set *set)
{
  int64_t *ids = calloc((size_t)pl_set_size(set) + 1, sizeof *ids);
  OK(pl_set_global(set, ids));
  return ids;
}

/* The rows of an array for this rank's elements (to be freed). NULL gives NULL; on one rank it is the array
 * itself, halos included. */
static void *rows_of(conf *c, pl_set *set, size_t stride, const void *all)
{
  if (!all) return NULL;
  bool alone = pl_ranks(c->pl) == 1;
  size_t n = (size_t)(alone ? pl_set_total(set) : pl_set_size(set));
  char *rows = calloc(n + 1, stride + 1);
  if (alone) return memcpy(rows, all, n * stride);
  int64_t *ids = owned(c, set);
  for (size_t i = 0; i < n; i++)
    memcpy(rows + i * stride, (const char *)all + (size_t)ids[i] * stride, stride);
  free(ids);
  return rows;
}

/* Each rank names some of the elements, whoever owns them. */
pl_set *conf_subset(conf *c, pl_set *parent, int n, const int *indices)
{
  pl_set *subset = NULL;
  bool whole = pl_set_parent(parent) == parent;
  int *mine = calloc((size_t)n + 1, sizeof *mine), count = 0;
  for (int i = 0; i < n; i++)
    if (!whole || i % pl_ranks(c->pl) == pl_rank(c->pl)) mine[count++] = indices[i];
  OK((whole ? pl_decl_subset : pl_decl_subset_local)(parent, count, mine, "subset", &subset));
  if (pl_ranks(c->pl) > 1 && whole) scatter(c, parent);
  free(mine);
  return subset;
}

pl_map *conf_map(conf *c, pl_set *from, pl_set *to, int arity, const int *indices, const char *name)
{
  pl_map *map = NULL;
  int *rows = rows_of(c, from, (size_t)arity * sizeof *rows, indices);
  OK(pl_decl_map(from, to, arity, rows, name, &map));
  scatter(c, from);
  free(rows);
  return map;
}

pl_map *conf_ragged_map(conf *c, pl_set *from, pl_set *to, const int *offsets, const int *values,
                        const char *name)
{
  pl_map *map = NULL;
  if (pl_ranks(c->pl) == 1) {
    OK(pl_decl_map_ragged(from, to, offsets, values, name, &map));
    return map;
  }
  int n = (int)pl_set_size(from), *mine = calloc((size_t)n + 1, sizeof *mine), *rows;
  int64_t *ids = owned(c, from);
  for (int i = 0; i < n; i++) mine[i + 1] = mine[i] + offsets[ids[i] + 1] - offsets[ids[i]];
  rows = calloc((size_t)mine[n] + 1, sizeof *rows);
  for (int i = 0; i < n; i++)
    memcpy(rows + mine[i], values + offsets[ids[i]], (size_t)(mine[i + 1] - mine[i]) * sizeof *rows);
  OK(pl_decl_map_ragged(from, to, n ? mine : NULL, rows, name, &map));
  scatter(c, from);
  free(ids), free(mine), free(rows);
  return map;
}

pl_dat *conf_dat(conf *c, pl_set *set, int dim, pl_type type, const void *data, const char *name)
{
  pl_dat *dat = NULL;
  void *rows = rows_of(c, set, (size_t)dim * pl_type_size(type), data);
  OK(pl_decl_dat(set, dim, type, rows, name, &dat));
  scatter(c, set);
  free(rows);
  return dat;
}

void conf_same(conf *c, pl_dat *dat, const void *expected, const char *what, const char *file, int line)
{
  void *got,
    *rows = rows_of(c, pl_dat_set(dat), (size_t)pl_dat_dim(dat) * pl_type_size(pl_dat_type(dat)), expected);
  conf_ok(c, c->pl, pl_dat_get(dat, PL_READ, &got), what, file, line);
  int64_t n = pl_ranks(c->pl) == 1 ? pl_set_total(pl_dat_set(dat)) : pl_set_size(pl_dat_set(dat));
  same_values(c, pl_dat_type(dat), (size_t)n * (size_t)pl_dat_dim(dat), got, rows, what, file, line);
  conf_ok(c, c->pl, pl_dat_put(dat), what, file, line);
  free(rows);
}

pl_global *conf_global(conf *c, int dim, pl_type type, const void *data, const char *name)
{
  pl_global *global = NULL;
  OK(pl_decl_global(c->pl, dim, type, data, name, &global));
  return global;
}

const pl_kernel *conf_source(conf *c, const char *name, const char *source, const pl_kernel_options *options)
{
  const pl_kernel *kernel = NULL;
  OK(pl_kernel_from_source(c->pl, name, source, options, &kernel));
  return kernel;
}

/* ---- random numbers and meshes ---- */

bool conf_problem(conf *c, int number)
{
  const char *part = getenv("CONF_PROBLEMS");
  int at = 0, parts = 1;
  if (part) CHECK(sscanf(part, "%d/%d", &at, &parts) == 2 && parts > 0);
  if (parts < 1 || number % parts != at) return false;
  c->problem = number;
  c->scattered = (uint64_t)number;
  c->seed = CONF_SEED + (uint64_t)number * UINT64_C(0xd1342543de82ef95);
  return true;
}

/* splitmix64 (Steele, Lea, Flood 2014). */
uint64_t conf_random(conf *c)
{
  uint64_t z = c->seed += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

int conf_below(conf *c, int n)
{
  return (int)(conf_random(c) % (uint64_t)n);
}

static bool is_new(const int *target, int k)
{
  for (int j = 0; j < k; j++)
    if (target[j] == target[k]) return false;
  return true;
}

/* Fills entry k of element e of mesh `kind`. */
static int entry(conf *c, int kind, const conf_mesh *mesh, const int *target, int e, int k)
{
  switch (kind) {
  case 2:
    return e + k; /* ordered */
  case 3:
    return 0; /* all to one */
  case 6:
    return k < 2 ? e % mesh->to : (e + 7) % mesh->to; /* twice */
  case 7:
    return k ? 1 + 2 * e + k : 0; /* many colours */
  case 9:
    return -1;
  default:
    break;
  }
  if (kind == 8 && conf_below(c, 4) == 0) return -1;
  (void)target;
  return conf_below(c, mesh->to);
}

bool conf_mesh_make(conf *c, int kind, conf_mesh *mesh)
{
  static const conf_mesh kinds[] = {{"random, few targets", 1000, 60, NULL, false},
                                    {"random, many targets", 1500, 4000, NULL, false},
                                    {"ordered", 1003, 1005, NULL, false},
                                    {"all to one", 100, 1, NULL, true},
                                    {"one element", 1, 5, NULL, false},
                                    {"empty set", 0, 4, NULL, false},
                                    {"a target twice in one element", 500, 41, NULL, true},
                                    {"more than 64 colours", 300, 602, NULL, false},
                                    {"entries without target", 700, 90, NULL, false},
                                    {"no target at all", 70, 10, NULL, false},
                                    {"empty sets", 0, 0, NULL, false}};
  if (kind >= (int)(sizeof kinds / sizeof *kinds)) return false;
  *mesh = kinds[kind];
  mesh->index = calloc((size_t)mesh->from * CONF_ARITY + 1, sizeof(int));
  for (int e = 0; e < mesh->from; e++) {
    int *target = mesh->index + (size_t)e * CONF_ARITY;
    for (int k = 0; k < CONF_ARITY; k++) do
        target[k] = entry(c, kind, mesh, target, e, k);
      while (!mesh->twice && target[k] >= 0 && !is_new(target, k));
  }
  return true;
}

void conf_mesh_free(conf_mesh *mesh)
{
  free(mesh->index);
  mesh->index = NULL;
}

PL_KERNEL(conf_error, (const double *x, const double *want, double *worst), {
  const double e = x[0] > want[0] ? x[0] - want[0] : want[0] - x[0];
  if (e > worst[0]) worst[0] = e;
})

double conf_largest_error(conf *c, pl_set *set, pl_dat *x, pl_dat *want)
{
  double worst = 0;
  pl_global *global = conf_global(c, 1, PL_DOUBLE, &worst, "worst");
  OK(pl_par_loop(conf_error, set, DIRECT(x, PL_READ), DIRECT(want, PL_READ), pl_arg_gbl(global, PL_MAX)));
  OK(pl_global_get(global, &worst));
  return worst;
}

void conf_sort_order(conf *c, pl_type type, const void *keys, int n, int *order)
{
  pl_set *set = conf_set(c, n, "set");
  pl_dat *dk = conf_dat(c, set, 1, type, keys, "keys"), *dorder = conf_dat(c, set, 1, PL_INT, NULL, "order");
  OK(pl_sort_order(dk, 0, dorder));
  OK(pl_dat_fetch(dorder, order));
  SAME(dk, keys);
  pl_dat_free(&dk);
  pl_dat_free(&dorder);
  pl_set_free(&set);
}
