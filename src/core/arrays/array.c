/* SPDX-License-Identifier: BSD-2-Clause
 * Arrays: dats on an anonymous set that is freed with them. Parts are transferred alone.
 */
#include "core/chain/deferred_queue.h"
#include "core/loop/loop.h"
#include <string.h>

pl_err pl_decl_array(pl_context *pl, int64_t n, int dim, pl_type type, const void *data, const char *name,
                     pl_dat **array)
{
  pl_set *set;
  PL_TRY(pl_context_check(pl));
  PL_TRY(PL_GIVEN_FOR(pl, "pl_decl_array", name, array));
  PL_TRY(pl_decl_set(pl, n, name, &set));
  pl_err err = pl_decl_dat(set, dim, type, data, name, array);
  if (err) return pl_set_destroy(&set->node), err;
  set->anonymous = true;
  (*array)->storage.layout.tile = PL_AOS; /* the layout that programs use */
  (*array)->pinned = true;
  return PL_SUCCESS;
}

static pl_err check_array(const pl_dat *dat, const char *what)
{
  pl_context *pl = dat->node.pl;
  if (!dat->set->anonymous)
    return pl_fail(pl, PL_ERR_ARG, "%s: dat \"%s\" is on set \"%s\"; pass an array (pl_decl_array)", what,
                   dat->node.name, dat->set->node.name);
  return pl_dat_check_no_views(dat, what);
}

/* ---- parts ---- */

static pl_err check_part(const pl_dat *dat, const char *what, int64_t offset, int64_t count, pl_type type,
                         const void *values)
{
  pl_context *pl = dat->node.pl;
  int n = dat->set->end[3];
  PL_TRY(check_array(dat, what));
  if (offset < 0 || count < 0 || offset > n || count > n - offset)
    return pl_fail(pl, PL_ERR_RANGE, "%s: %lld elements from %lld on, but array \"%s\" has %d", what,
                   (long long)count, (long long)offset, dat->node.name, n);
  if (!values && count)
    return pl_fail(pl, PL_ERR_ARG, "%s: the values for array \"%s\" are NULL", what, dat->node.name);
  return pl_check_conversion(pl, what, dat->node.name, dat->type, type);
}

pl_err pl_array_write(pl_dat *array, int64_t offset, int64_t count, pl_type type, const void *values)
{
  PL_TRY_GIVEN(array);
  PL_TRY(check_part(array, "pl_array_write", offset, count, type, values));
  if (!count) return PL_SUCCESS;
  PL_TRY(pl_before_access(&array->node, true));
  pl_err err = pl_dat_write_part(array, (int)offset, (int)count, type, values);
  if (!err) array->version++;
  return err;
}

pl_err pl_array_read(pl_dat *array, int64_t offset, int64_t count, pl_type type, void *values)
{
  PL_TRY_GIVEN(array);
  PL_TRY(check_part(array, "pl_array_read", offset, count, type, values));
  if (!count) return PL_SUCCESS;
  PL_TRY(pl_before_access(&array->node, false));
  return pl_dat_read_part(array, (int)offset, (int)count, type, values);
}

/* ---- size ---- */

pl_err pl_array_resize(pl_dat *array, int64_t n)
{
  PL_TRY_GIVEN(array);
  pl_context *pl = array->node.pl;
  pl_set *set = array->set;
  PL_TRY(check_array(array, "pl_array_resize"));
  if (set->ref > 1)
    return pl_fail(pl, PL_ERR_STATE,
                   "pl_array_resize: %d other objects are declared on array \"%s\"; free them first",
                   set->ref - 1, array->node.name);
  if (n < 0 || n > INT32_MAX || n > PTRDIFF_MAX / (int64_t)(pl_dat_stride(array) + 1))
    return pl_fail(pl, PL_ERR_RANGE, "pl_array_resize: size %lld of array \"%s\"", (long long)n,
                   array->node.name);
  PL_TRY(pl_flush_all(pl));
  const void *const names[] = {set, array};
  for (int i = 0; i < 2; i++) {
    pl_deferred_forget(pl, names[i]);
    pl_loops_forget(pl, names[i]);
  }
  pl_notify_resized(pl, set);
  pl_dat_release(array);
  for (int k = 0; k < 4; k++) set->end[k] = (int)n;
  array->version++;
  return PL_SUCCESS;
}
