/* SPDX-License-Identifier: BSD-2-Clause
 * Checked runs. In order: what is there is saved; values behind PL_WRITE are poisoned; the loop runs plainly;
 * unwritten poison and changed PL_READ data are reported; what was there comes back; the loop runs as usual;
 * both results must agree.
 */
#include "check.h"
#include <math.h>
#include <string.h>

/* As a double 1.9e286, as an int 2071690107: a kernel that counts on what it finds gives other results. */
enum { POISON = 0x7B };

/* What is kept of one argument while its loop is checked; only the first argument of each dat keeps it. */
typedef struct keep {
  void *before; /* what a dat or a reduction's global held */
  void *plain;  /* what the plain run made of it; NULL for a dat that is only read */
  double *size; /* of what it added to each value, and of what was there before; NULL: no sum of reals */
} keep;

double pl_type_tolerance(pl_type type)
{
  return pl_type_base(type) == PL_FLOAT ? 1e-4 : 1e-10;
}

double pl_loop_tolerance(const pl_loop *loop)
{
  double most = pl_type_tolerance(PL_DOUBLE);
  for (int i = 0; i < loop->nargs; i++) {
    if (loop->args[i].kind == PL_ARG_POINTER || loop->args[i].kind == PL_ARG_INDEX) continue;
    double own = pl_type_tolerance(pl_arg_type(&loop->args[i]));
    if (own > most) most = own;
  }
  return most;
}

static bool is_first(const pl_loop *loop, int i)
{
  for (int j = 0; j < i; j++)
    if (loop->args[j].kind == PL_ARG_DAT && !loop->args[j].off &&
        loop->args[j].object == loop->args[i].object)
      return false;
  return loop->args[i].kind == PL_ARG_DAT && !loop->args[i].off;
}

static bool dat_is_written(const pl_loop *loop, const void *dat)
{
  for (int j = 0; j < loop->nargs; j++)
    if (loop->args[j].object == dat && pl_arg_writes(&loop->args[j])) return true;
  return false;
}

/* About a value of argument i: of a dat's element by its place in storage, or of a global. */
static pl_err complain(const pl_loop *loop, int i, const char *what, int element, int component)
{
  char name[PL_ARG_NAME];
  const pl_dat *dat = loop->args[i].kind == PL_ARG_DAT ? loop->args[i].object : NULL;
  long long number = dat ? pl_element_number(dat->set, element) : element;
  return pl_fail(loop->pl, PL_ERR_CHECK, "loop \"%s\" over \"%s\", %s, element %lld, component %d: %s",
                 loop->kernel->name, loop->set->node.name, pl_arg_name(loop->args, i, name), number,
                 component, what);
}

/* ---- before ---- */

/* Sums that cancel are as exact as what was added to them is large. */
static pl_err keep_size(pl_loop *loop, int i, keep *k, size_t count)
{
  pl_type type = pl_arg_type(&loop->args[i]), base = pl_type_base(type);
  count *= pl_type_is_complex(type) ? 2 : 1;
  if (pl_type_is_integer(base)) return PL_SUCCESS;
  loop->size[i] = k->size = pl_calloc(loop->pl, count, sizeof *k->size);
  if (!k->size) return pl_fail_memory(loop->pl, count * sizeof *k->size);
  for (size_t n = 0; n < count; n++) k->size[n] = fabs(pl_value(base, k->before, n));
  return PL_SUCCESS;
}

static bool is_summed(const pl_loop *loop, const pl_dat *dat)
{
  for (int j = 0; j < loop->nargs; j++) {
    pl_access access = loop->args[j].access;
    if (loop->args[j].object == dat && (access == PL_INC || access == PL_INC_ANTI || access == PL_INC_SYM))
      return true;
  }
  return false;
}

/* A dat's later arguments add to the sizes of its first. */
static void share_size(pl_loop *loop, int i, const keep *k)
{
  for (int j = i + 1; j < loop->nargs; j++)
    if (loop->args[j].kind == PL_ARG_DAT && loop->args[j].object == loop->args[i].object)
      loop->size[j] = k->size;
}

static pl_err keep_argument(pl_loop *loop, int i, keep *k)
{
  pl_context *pl = loop->pl;
  const pl_arg *arg = &loop->args[i];
  if (pl_arg_reduces(arg)) {
    size_t size = (size_t)pl_arg_dim(arg) * pl_type_size(pl_arg_type(arg));
    PL_TRY(pl_global_host(arg->object));
    k->plain = pl_calloc(pl, 1, size);
    k->before = pl_memdup(pl, ((pl_global *)arg->object)->value, size);
    if (!k->plain || !k->before) return pl_fail_memory(pl, size);
    return arg->access == PL_INC ? keep_size(loop, i, k, (size_t)pl_arg_dim(arg)) : PL_SUCCESS;
  }
  if (!is_first(loop, i)) return PL_SUCCESS;
  pl_dat *dat = arg->object;
  size_t bytes = pl_dat_nbytes(dat);
  void *host = pl_dat_host(dat, false);
  if (!host) return PL_ERR_MEMORY;
  bool written = dat_is_written(loop, dat);
  k->before = pl_memdup(pl, host, bytes);
  k->plain = written ? pl_malloc(pl, bytes) : NULL;
  if (!k->before || (written && !k->plain)) return pl_fail_memory(pl, bytes);
  if (!is_summed(loop, dat)) return PL_SUCCESS;
  PL_TRY(keep_size(loop, i, k, bytes / pl_type_size(dat->type)));
  share_size(loop, i, k);
  return PL_SUCCESS;
}

/* ---- poison ---- */

/* Calls visit for the values of every target that argument i reaches, until it finds fault. */
typedef pl_err (*visitor)(const pl_loop *loop, int i, int target, char *values);

static pl_err each_target(const pl_loop *loop, int i, visitor visit)
{
  const pl_arg *arg = &loop->args[i];
  const pl_dat *dat = arg->object;
  const pl_set *set = loop->set;
  size_t first = arg->component > 0 ? (size_t)arg->component * pl_type_size(dat->type) : 0;
  int end = loop->runs_halo ? set->part[2] : set->part[1];
  for (int n = 0; n < end; n++)
    for (int k = 0; k < pl_arg_targets(arg); k++) {
      int t = pl_arg_target(arg, set->indices ? set->indices[n] : n, k);
      if (t >= 0) PL_TRY(visit(loop, i, t, (char *)dat->host + (size_t)t * pl_dat_stride(dat) + first));
    }
  return PL_SUCCESS;
}

static pl_err poison(const pl_loop *loop, int i, int target, char *values)
{
  (void)target;
  memset(values, POISON, (size_t)pl_arg_dim(&loop->args[i]) * pl_type_size(pl_arg_type(&loop->args[i])));
  return PL_SUCCESS;
}

/* One-byte values may well equal the poison, so they are let off. */
static pl_err find_poison(const pl_loop *loop, int i, int target, char *values)
{
  size_t size = pl_type_size(pl_arg_type(&loop->args[i]));
  unsigned char pattern[16];
  memset(pattern, POISON, sizeof pattern);
  for (int c = 0; size > 1 && c < pl_arg_dim(&loop->args[i]); c++)
    if (!memcmp(values + (size_t)c * size, pattern, size))
      return complain(
        loop, i,
        "the access is PL_WRITE, but the kernel left this value unwritten; write all values, or use PL_RW",
        target, c);
  return PL_SUCCESS;
}

/* The plain form leaves the lowest number where a sum in fixed point did not fit. */
static pl_err find_lost(const pl_loop *loop, int i, const int64_t *values, int n, int target)
{
  char what[160];
  int bits = loop->args[i].fixed;
  snprintf(what, sizeof what,
           "the sum in fixed point does not fit: with %d bits after the point it must stay below 2^%d; take "
           "fewer bits",
           bits, 63 - bits);
  for (int c = 0; c < n; c++)
    if (values[c] == INT64_MIN) return complain(loop, i, what, target, c);
  return PL_SUCCESS;
}

static pl_err find_lost_target(const pl_loop *loop, int i, int target, char *values)
{
  return find_lost(loop, i, (const int64_t *)(void *)values, pl_arg_dim(&loop->args[i]), target);
}

/* What this call adds to a global fits; what was there before may be too much. */
static pl_err find_lost_global(const pl_loop *loop, int i)
{
  const pl_global *global = loop->args[i].object;
  const int64_t *now = global->value, *more = loop->result[i];
  int64_t sum;
  PL_TRY(find_lost(loop, i, more, global->dim, 0));
  for (int c = 0; c < global->dim; c++) {
    const int64_t lost = INT64_MIN;
    if (__builtin_add_overflow(now[c], more[c], &sum)) return find_lost(loop, i, &lost, 1, 0);
  }
  return PL_SUCCESS;
}

static pl_err check_fixed(const pl_loop *loop)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (!arg->fixed || arg->off || arg->access != PL_INC) continue;
    PL_TRY(arg->kind == PL_ARG_DAT ? each_target(loop, i, find_lost_target) : find_lost_global(loop, i));
  }
  return PL_SUCCESS;
}

static pl_err each_write(const pl_loop *loop, visitor visit)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (arg->kind == PL_ARG_DAT && !arg->off && arg->access == PL_WRITE) PL_TRY(each_target(loop, i, visit));
  }
  return PL_SUCCESS;
}

/* ---- after ---- */

static pl_err check_read(const pl_loop *loop, int i, const char *before)
{
  const pl_dat *dat = loop->args[i].object;
  const char *now = dat->host;
  size_t bytes = pl_dat_nbytes(dat), at = 0;
  if (!memcmp(now, before, bytes)) return PL_SUCCESS;
  while (now[at] == before[at]) at++;
  int value = (int)(at / pl_type_size(dat->type));
  return complain(loop, i, "the access is PL_READ, but the kernel changed the dat", value / dat->dim,
                  value % dat->dim);
}

static pl_err check_reads(const pl_loop *loop, const keep *keeps)
{
  for (int i = 0; i < loop->nargs; i++)
    if (is_first(loop, i) && !keeps[i].plain) PL_TRY(check_read(loop, i, keeps[i].before));
  return PL_SUCCESS;
}

static bool differs(pl_type type, const void *a, const void *b, size_t n, double most)
{
  double x = pl_value(type, a, n), y = pl_value(type, b, n);
  if (x == y || (isnan(x) && isnan(y))) return false;
  return !(fabs(x - y) <= most);
}

/* The first of `count` values in which a and b differ, or -1. */
int64_t pl_first_difference(pl_type type, const void *a, const void *b, const double *size, size_t count,
                            double tolerance)
{
  double scale = 0;
  if (pl_type_is_integer(type)) {
    size_t size = pl_type_size(type);
    for (size_t n = 0; n < count; n++)
      if (memcmp((const char *)a + n * size, (const char *)b + n * size, size)) return (int64_t)n;
    return -1;
  }
  for (size_t n = 0; n < count; n++) {
    double x = fabs(pl_value(type, a, n));
    if (isfinite(x) && x > scale) scale = x;
  }
  for (size_t n = 0; n < count; n++)
    if (differs(type, a, b, n, tolerance * (size && size[n] > scale ? size[n] : scale))) return (int64_t)n;
  return -1;
}

static pl_err compare(const pl_loop *loop, int i, const keep *k, const void *plain, const void *usual,
                      size_t count)
{
  pl_type type = pl_arg_type(&loop->args[i]);
  int64_t parts = pl_type_is_complex(type) ? 2 : 1;
  int64_t at = pl_first_difference(pl_type_base(type), plain, usual, k->size, count * (size_t)parts,
                                   pl_loop_tolerance(loop));
  if (at < 0) return PL_SUCCESS;
  int64_t dim =
    loop->args[i].kind == PL_ARG_DAT ? ((const pl_dat *)loop->args[i].object)->dim : (int64_t)count;
  char what[300];
  snprintf(what, sizeof what, "the result, %.12g, differs from that of a plain sequential run, %.12g%s",
           pl_value(pl_type_base(type), usual, (size_t)at), pl_value(pl_type_base(type), plain, (size_t)at),
           loop->args[i].access == PL_WRITE ? "; what a kernel finds behind PL_WRITE is undefined, and where "
                                              "it looks at it the access is PL_RW"
                                            : "");
  return complain(loop, i, what, (int)(at / parts / dim), (int)(at / parts % dim));
}

/* What argument i's global must be: with the plain run's results of all arguments that end in it, where a
 * device has put its own into it already. A payload changes with its extreme. */
static void expect_global(const pl_loop *loop, const keep *keeps, int i, void *value)
{
  const pl_arg *arg = &loop->args[i];
  int of = pl_payload_of(loop, i);
  size_t size = (size_t)pl_arg_dim(arg) * pl_type_size(pl_arg_type(arg));
  if (of < 0) {
    memcpy(value, keeps[i].before, size);
    for (int j = 0; j < loop->nargs; j++)
      if (loop->args[j].object == arg->object && pl_arg_reduces(&loop->args[j]))
        pl_combine(pl_arg_type(arg), loop->args[j].access, value, keeps[j].plain, (size_t)pl_arg_dim(arg));
    return;
  }
  const pl_arg *extreme = &loop->args[of];
  char now[16];
  expect_global(loop, keeps, of, now);
  bool changed = memcmp(now, keeps[of].before, pl_type_size(pl_arg_type(extreme)));
  memcpy(value, changed ? keeps[i].plain : keeps[i].before, size);
}

static pl_err compare_global(const pl_loop *loop, const keep *keeps, int i)
{
  pl_context *pl = loop->pl;
  const pl_arg *arg = &loop->args[i];
  size_t count = (size_t)pl_arg_dim(arg);
  if (!pl->backend->ends_reductions)
    return compare(loop, i, &keeps[i], keeps[i].plain, loop->result[i], count);
  void *expected = pl_malloc(pl, count * pl_type_size(pl_arg_type(arg)));
  if (!expected) return pl_fail_memory(pl, count);
  expect_global(loop, keeps, i, expected);
  pl_err err = pl_global_host(arg->object);
  if (!err) err = compare(loop, i, &keeps[i], expected, ((pl_global *)arg->object)->value, count);
  pl_free(pl, expected);
  return err;
}

static pl_err compare_all(const pl_loop *loop, const keep *keeps)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (pl_arg_reduces(arg)) PL_TRY(compare_global(loop, keeps, i));
    if (!is_first(loop, i) || !keeps[i].plain) continue;
    pl_dat *dat = arg->object;
    if (!pl_dat_host(dat, false)) return PL_ERR_MEMORY;
    PL_TRY(
      compare(loop, i, &keeps[i], keeps[i].plain, dat->host, (size_t)dat->set->part[3] * (size_t)dat->dim));
  }
  return PL_SUCCESS;
}

/* ---- the run ---- */

static void take_plain(pl_loop *loop, keep *keeps)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (pl_arg_reduces(arg))
      memcpy(keeps[i].plain, loop->result[i], (size_t)pl_arg_dim(arg) * pl_type_size(pl_arg_type(arg)));
    else if (keeps[i].plain)
      memcpy(keeps[i].plain, ((pl_dat *)arg->object)->host, pl_dat_nbytes(arg->object));
  }
}

static void restore(pl_loop *loop, const keep *keeps)
{
  for (int i = 0; i < loop->nargs; i++)
    if (keeps[i].before && loop->args[i].kind == PL_ARG_DAT) {
      pl_dat *dat = loop->args[i].object;
      memcpy(dat->host, keeps[i].before, pl_dat_nbytes(dat));
    }
}

/* All is as before the call, wherever it was written. */
static void take_back(pl_loop *loop, const keep *keeps)
{
  restore(loop, keeps);
  for (int i = 0; i < loop->nargs; i++) {
    if (!keeps[i].plain) continue;
    if (loop->args[i].kind == PL_ARG_DAT) {
      pl_dat_host_written(loop->args[i].object);
      continue;
    }
    pl_global *global = loop->args[i].object;
    memcpy(global->value, keeps[i].before, (size_t)global->dim * pl_type_size(global->type));
    pl_global_host_written(global);
  }
}

static pl_err run_plainly(pl_loop *loop, pl_run_fn run, keep *keeps)
{
  for (int i = 0; i < loop->nargs; i++) PL_TRY(keep_argument(loop, i, &keeps[i]));
  PL_TRY(each_write(loop, poison));
  pl_err err = run(loop, true);
  if (!err) err = each_write(loop, find_poison);
  if (!err) err = check_reads(loop, keeps);
  if (!err) err = check_fixed(loop);
  if (!err) take_plain(loop, keeps);
  restore(loop, keeps);
  return err;
}

/* A loop that fails its check changes nothing, as any call that fails. */
static pl_err run_usually(pl_loop *loop, pl_run_fn run, const keep *keeps)
{
  pl_err err = run(loop, false);
  if (!err) err = compare_all(loop, keeps);
  if (err) take_back(loop, keeps);
  return err;
}

pl_err pl_check_run(pl_loop *loop, pl_run_fn run)
{
  pl_context *pl = loop->pl;
  keep *keeps = pl_calloc(pl, (size_t)loop->nargs, sizeof *keeps);
  loop->size = pl_calloc(pl, (size_t)loop->nargs, sizeof *loop->size);
  pl_err err = keeps && loop->size ? PL_SUCCESS : pl_fail_memory(pl, (size_t)loop->nargs * sizeof *keeps);
  if (!err) err = run_plainly(loop, run, keeps);
  if (!err) err = run_usually(loop, run, keeps);
  for (int i = 0; keeps && i < loop->nargs; i++) {
    pl_free(pl, keeps[i].before);
    pl_free(pl, keeps[i].plain);
    pl_free(pl, keeps[i].size);
  }
  pl_free(pl, keeps);
  pl_free(pl, loop->size);
  loop->size = NULL;
  return err;
}
