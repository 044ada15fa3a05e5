/* SPDX-License-Identifier: BSD-2-Clause
 * Checked runs. In order: save the data; poison PL_WRITE values; run the reference; report unwritten poison
 * and changed PL_READ data; restore the data; run as usual; compare both results. A loop with a
 * pointer of the program runs once, by the reference: what is behind the pointer cannot be restored.
 */
#include "access_check.h"
#include "core/base/plain_format.h"
#include "core/comm/comm.h"
#include "core/exchange/halo.h"
#include "core/storage/kept_values.h"
#include "loop.h"
#include "reduction.h"
#include <math.h>
#include <string.h>

/* The saved values of an argument; only the first argument of each dat has them. */
typedef struct saved_arg {
  void *before; /* before the run */
  void *plain;  /* after the reference run; NULL for a dat that is only read */
  double *size; /* the magnitude added to each value and its own; NULL: no sum of reals */
} saved_arg;

double pl_type_tolerance(pl_type type)
{
  return pl_type_base(type) == PL_FLOAT ? 1e-4 : 1e-10;
}

double pl_loop_tolerance(const pl_loop *loop)
{
  double most = pl_type_tolerance(PL_DOUBLE);
  PL_EACH_ARG (arg, loop) {
    if (pl_arg_is_foreign(arg) || arg->kind == PL_ARG_INDEX) continue;
    double own = pl_type_tolerance(pl_arg_type(arg));
    if (own > most) most = own;
  }
  return most;
}

/* A dat whose first argument is a difference is not saved: kernels of pair loops get copies of the values
 * that they read, and write no dat that they read. */
static bool is_first_of_dat(const pl_loop *loop, int i)
{
  const pl_loop_access *access = pl_loop_access_to(loop, loop->args[i].object);
  return access && access->first == i && pl_arg_is_record(&loop->args[i]);
}

/* Fails with a sentence about a value of argument i; elements of dats by their position in storage. */
static pl_err reject_value(const pl_loop *loop, int i, const char *what, int element, int component)
{
  char name[PL_ARG_NAME];
  const pl_dat *dat = pl_arg_is_record(&loop->args[i]) ? loop->args[i].object : NULL;
  long long number = dat ? pl_element_global_index(dat->set, element) : element;
  return pl_fail(loop->pl, PL_ERR_CHECK, "loop \"%s\" over \"%s\", %s, element %lld, component %d: %s",
                 pl_loop_title(loop), loop->set->node.name, pl_arg_name(loop->args, i, name), number,
                 component, what);
}

/* ---- before ---- */

/* The error of a sum is relative to the magnitude of its terms. */
static pl_err save_size(pl_loop *loop, int i, saved_arg *k, size_t count)
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
  PL_EACH_ARG (arg, loop)
    if (arg->object == dat &&
        (arg->access == PL_INC || arg->access == PL_INC_ANTI || arg->access == PL_INC_SYM))
      return true;
  return false;
}

/* Later arguments of a dat share the sizes of the first. */
static void share_size(pl_loop *loop, int i, const saved_arg *k)
{
  for (int j = i + 1; j < loop->nargs; j++)
    if (pl_arg_is_record(&loop->args[j]) && loop->args[j].object == loop->args[i].object)
      loop->size[j] = k->size;
}

static pl_err save_argument(pl_loop *loop, int i, saved_arg *k)
{
  pl_context *pl = loop->pl;
  const pl_arg *arg = &loop->args[i];
  if (pl_arg_reduces(arg)) {
    size_t size = pl_arg_bytes(arg);
    PL_TRY(pl_global_host(arg->object));
    k->plain = pl_calloc(pl, 1, size);
    k->before = pl_memdup(pl, ((pl_global *)arg->object)->value, size);
    if (!k->plain || !k->before) return pl_fail_memory(pl, size);
    return arg->access == PL_INC ? save_size(loop, i, k, (size_t)pl_arg_dim(arg)) : PL_SUCCESS;
  }
  if (!is_first_of_dat(loop, i)) return PL_SUCCESS;
  pl_dat *dat = arg->object;
  size_t bytes = pl_dat_nbytes(dat);
  void *host = pl_dat_host(dat, false);
  if (!host) return PL_ERR_MEMORY;
  bool written = pl_loop_writes(loop, dat);
  k->before = pl_memdup(pl, host, bytes);
  k->plain = written ? pl_malloc(pl, bytes) : NULL;
  if (!k->before || (written && !k->plain)) return pl_fail_memory(pl, bytes);
  if (!is_summed(loop, dat)) return PL_SUCCESS;
  PL_TRY(save_size(loop, i, k, bytes / pl_type_size(dat->type)));
  share_size(loop, i, k);
  return PL_SUCCESS;
}

/* ---- poison ---- */

/* Calls visit for the values of every target of argument i, until it fails. */
typedef pl_err (*visitor)(const pl_loop *loop, int i, int target, char *values);

static pl_err each_target(const pl_loop *loop, int i, visitor visit)
{
  const pl_arg *arg = &loop->args[i];
  const pl_dat *dat = arg->object;
  const pl_set *set = loop->set;
  size_t first = arg->component > 0 ? (size_t)arg->component * pl_type_size(dat->type) : 0;
  int end = loop->runs_halo ? set->end[2] : set->end[1];
  for (int n = 0; n < end; n++)
    for (int k = 0; k < pl_arg_targets(arg); k++) {
      int t = pl_arg_target(arg, pl_element_at(set, n), k);
      if (t >= 0)
        PL_TRY(visit(loop, i, t, (char *)dat->storage.host + (size_t)t * pl_dat_stride(dat) + first));
    }
  return PL_SUCCESS;
}

static pl_err write_poison(const pl_loop *loop, int i, int target, char *values)
{
  (void)target;
  pl_poison(values, pl_arg_bytes(&loop->args[i]));
  return PL_SUCCESS;
}

static pl_err find_poison(const pl_loop *loop, int i, int target, char *values)
{
  size_t size = pl_type_size(pl_arg_type(&loop->args[i]));
  for (int c = 0; c < pl_arg_dim(&loop->args[i]); c++)
    if (pl_is_poison(values + (size_t)c * size, size))
      return reject_value(
        loop, i,
        "the access is PL_WRITE, but the kernel left this value unwritten; write all values, or use PL_RW",
        target, c);
  return PL_SUCCESS;
}

/* The reference stores INT64_MIN for a fixed-point sum that overflowed. */
static pl_err find_overflow(const pl_loop *loop, int i, const int64_t *values, int n, int target)
{
  char sentence[160];
  int bits = loop->args[i].fixed;
  snprintf(sentence, sizeof sentence,
           "the sum in fixed point does not fit: with %d bits after the point it must stay below 2^%d; use "
           "fewer bits",
           bits, 63 - bits);
  for (int c = 0; c < n; c++)
    if (values[c] == INT64_MIN) return reject_value(loop, i, sentence, target, c);
  return PL_SUCCESS;
}

static pl_err find_target_overflow(const pl_loop *loop, int i, int target, char *values)
{
  return find_overflow(loop, i, (const int64_t *)(void *)values, pl_arg_dim(&loop->args[i]), target);
}

/* Checks the sum of this call, and its sum with the previous value. */
static pl_err find_global_overflow(const pl_loop *loop, int i)
{
  const pl_global *global = loop->args[i].object;
  const int64_t *now = global->value, *more = loop->result[i];
  int64_t sum;
  PL_TRY(find_overflow(loop, i, more, global->dim, 0));
  for (int c = 0; c < global->dim; c++) {
    const int64_t overflow = INT64_MIN;
    if (__builtin_add_overflow(now[c], more[c], &sum)) return find_overflow(loop, i, &overflow, 1, 0);
  }
  return PL_SUCCESS;
}

static pl_err check_fixed(const pl_loop *loop)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (!arg->fixed || arg->off || arg->access != PL_INC) continue;
    PL_TRY(pl_arg_is_record(arg) ? each_target(loop, i, find_target_overflow)
                                 : find_global_overflow(loop, i));
  }
  return PL_SUCCESS;
}

static pl_err each_write(const pl_loop *loop, visitor visit)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (pl_arg_is_record(arg) && !arg->off && arg->access == PL_WRITE) PL_TRY(each_target(loop, i, visit));
  }
  return PL_SUCCESS;
}

/* ---- after ---- */

static pl_err check_read(const pl_loop *loop, int i, const char *before)
{
  const pl_dat *dat = loop->args[i].object;
  const char *now = dat->storage.host;
  size_t bytes = pl_dat_nbytes(dat), at = 0;
  if (!memcmp(now, before, bytes)) return PL_SUCCESS;
  while (now[at] == before[at]) at++;
  int value = (int)(at / pl_type_size(dat->type));
  return reject_value(loop, i, "the access is PL_READ, but the kernel changed the dat", value / dat->dim,
                      value % dat->dim);
}

static pl_err check_reads(const pl_loop *loop, const saved_arg *saved)
{
  for (int i = 0; i < loop->nargs; i++)
    if (is_first_of_dat(loop, i) && !saved[i].plain) PL_TRY(check_read(loop, i, saved[i].before));
  return PL_SUCCESS;
}

static bool values_differ(pl_type type, const void *a, const void *b, size_t n, double most)
{
  double x = pl_value(type, a, n), y = pl_value(type, b, n);
  if (x == y || (isnan(x) && isnan(y))) return false;
  return !(fabs(x - y) <= most);
}

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
    if (values_differ(type, a, b, n, tolerance * (size && size[n] > scale ? size[n] : scale)))
      return (int64_t)n;
  return -1;
}

static pl_err compare_values(const pl_loop *loop, int i, const saved_arg *k, const void *plain,
                             const void *usual, size_t count)
{
  pl_type type = pl_arg_type(&loop->args[i]);
  int64_t parts = pl_type_is_complex(type) ? 2 : 1;
  int64_t at = pl_first_difference(pl_type_base(type), plain, usual, k->size, count * (size_t)parts,
                                   pl_loop_tolerance(loop));
  if (at < 0) return PL_SUCCESS;
  int64_t dim =
    pl_arg_is_record(&loop->args[i]) ? ((const pl_dat *)loop->args[i].object)->dim : (int64_t)count;
  char what[300];
  pl_format(what, sizeof what, "the result, %.12g, differs from that of a plain sequential run, %.12g%s",
            pl_value(pl_type_base(type), usual, (size_t)at), pl_value(pl_type_base(type), plain, (size_t)at),
            loop->args[i].access == PL_WRITE ? "; values of a PL_WRITE argument are undefined before the "
                                               "kernel writes them; use PL_RW to read them"
                                             : "");
  return reject_value(loop, i, what, (int)(at / parts / dim), (int)(at / parts % dim));
}

/* The expected value of argument i's global: the saved value combined with the reference results of all its
 * arguments. A payload changes with its extreme. */
static void expect_global(const pl_loop *loop, const saved_arg *saved, int i, void *value)
{
  const pl_arg *arg = &loop->args[i];
  int of = pl_payload_of(loop, i);
  size_t size = pl_arg_bytes(arg);
  if (of < 0) {
    memcpy(value, saved[i].before, size);
    for (int j = 0; j < loop->nargs; j++)
      if (loop->args[j].object == arg->object && pl_arg_reduces(&loop->args[j]))
        pl_combine(pl_arg_type(arg), loop->args[j].access, value, saved[j].plain, (size_t)pl_arg_dim(arg));
    return;
  }
  const pl_arg *extreme = &loop->args[of];
  char now[16];
  expect_global(loop, saved, of, now);
  bool changed = memcmp(now, saved[of].before, pl_type_size(pl_arg_type(extreme)));
  memcpy(value, changed ? saved[i].plain : saved[i].before, size);
}

static pl_err compare_global(const pl_loop *loop, const saved_arg *saved, int i)
{
  pl_context *pl = loop->pl;
  const pl_arg *arg = &loop->args[i];
  size_t count = (size_t)pl_arg_dim(arg);
  if (!pl->backend->reduces_globals)
    return compare_values(loop, i, &saved[i], saved[i].plain, loop->result[i], count);
  void *expected = pl_malloc(pl, pl_arg_bytes(arg));
  if (!expected) return pl_fail_memory(pl, count);
  expect_global(loop, saved, i, expected);
  pl_err err = pl_global_host(arg->object);
  if (!err) err = compare_values(loop, i, &saved[i], expected, ((pl_global *)arg->object)->value, count);
  pl_free(pl, expected);
  return err;
}

/* A gathered loop leaves out the halo, whose copies are outdated after the loop. */
static size_t count_compared(const pl_loop *loop, const pl_dat *dat)
{
  return (size_t)dat->set->end[loop->gathered ? 1 : 3] * (size_t)dat->dim;
}

static pl_err compare_all(const pl_loop *loop, const saved_arg *saved)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (pl_arg_reduces(arg)) PL_TRY(compare_global(loop, saved, i));
    if (!is_first_of_dat(loop, i) || !saved[i].plain) continue;
    pl_dat *dat = arg->object;
    if (!pl_dat_host(dat, false)) return PL_ERR_MEMORY;
    PL_TRY(compare_values(loop, i, &saved[i], saved[i].plain, dat->storage.host, count_compared(loop, dat)));
  }
  return PL_SUCCESS;
}

/* ---- between loops ---- */

pl_err pl_check_kept(const pl_loop *loop)
{
  PL_EACH_ACCESS (access, loop)
    if (access->dat) {
      PL_TRY(pl_dat_check_kept(access->dat));
      PL_TRY(pl_dat_reserve_kept(access->dat));
    }
  return PL_SUCCESS;
}

void pl_check_keep(const pl_loop *loop)
{
  PL_EACH_ACCESS (access, loop)
    if (access->dat) pl_dat_keep(access->dat, pl_loop_title(loop));
}

/* ---- the run ---- */

static void save_plain(pl_loop *loop, saved_arg *saved)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (pl_arg_reduces(arg))
      memcpy(saved[i].plain, loop->result[i], pl_arg_bytes(arg));
    else if (saved[i].plain)
      memcpy(saved[i].plain, ((pl_dat *)arg->object)->storage.host, pl_dat_nbytes(arg->object));
  }
}

static void restore_dats(pl_loop *loop, const saved_arg *saved)
{
  for (int i = 0; i < loop->nargs; i++)
    if (saved[i].before && pl_arg_is_record(&loop->args[i])) {
      pl_dat *dat = loop->args[i].object;
      memcpy(dat->storage.host, saved[i].before, pl_dat_nbytes(dat));
    }
}

/* Restores all values as before the call, on the host. */
static void undo_run(pl_loop *loop, const saved_arg *saved)
{
  restore_dats(loop, saved);
  for (int i = 0; i < loop->nargs; i++) {
    if (!saved[i].plain) continue;
    if (pl_arg_is_record(&loop->args[i])) {
      pl_dat_host_written(loop->args[i].object);
      continue;
    }
    pl_global *global = loop->args[i].object;
    memcpy(global->value, saved[i].before, pl_global_nbytes(global));
    pl_global_host_written(global);
  }
}

static bool runs_once(const pl_loop *loop)
{
  PL_EACH_ARG (arg, loop)
    if (pl_arg_is_foreign(arg)) return true;
  return false;
}

static pl_err run_reference(pl_loop *loop, pl_run_fn run, saved_arg *saved)
{
  for (int i = 0; i < loop->nargs; i++) PL_TRY(save_argument(loop, i, &saved[i]));
  PL_TRY(each_write(loop, write_poison));
  pl_err err = run(loop, true);
  if (!err) err = each_write(loop, find_poison);
  if (!err) err = check_reads(loop, saved);
  if (!err) err = check_fixed(loop);
  if (!err) save_plain(loop, saved);
  return err;
}

/* A failed check of one rank is an error of all. */
static pl_err check_together(pl_context *pl, pl_err err)
{
  return pl_halo_busy(pl) ? err : pl_agree(pl, err);
}

/* A loop that fails its check changes nothing, like any failed call, on all ranks. */
static pl_err run_backend(pl_loop *loop, pl_run_fn run, const saved_arg *saved)
{
  pl_err err = run(loop, false);
  if (!err) err = compare_all(loop, saved);
  err = check_together(loop->pl, err);
  if (err) undo_run(loop, saved);
  return err;
}

pl_err pl_check_run(pl_loop *loop, pl_run_fn run)
{
  pl_context *pl = loop->pl;
  saved_arg *saved = pl_calloc(pl, (size_t)loop->nargs, sizeof *saved);
  loop->size = pl_calloc(pl, (size_t)loop->nargs, sizeof *loop->size);
  pl_err err = saved && loop->size ? PL_SUCCESS : pl_fail_memory(pl, (size_t)loop->nargs * sizeof *saved);
  if (!err) err = run_reference(loop, run, saved);
  err = check_together(pl, err);
  if (saved && (err || !runs_once(loop))) restore_dats(loop, saved);
  if (!err && !runs_once(loop)) err = run_backend(loop, run, saved);
  for (int i = 0; saved && i < loop->nargs; i++) {
    pl_free_all(pl, saved[i].before, saved[i].plain, saved[i].size);
  }
  pl_free_all(pl, saved, loop->size);
  loop->size = NULL;
  return err;
}
