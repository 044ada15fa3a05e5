/* SPDX-License-Identifier: BSD-2-Clause
 * Mixed dats, and copies of all their values.
 */
#include "core/comm/comm.h"
#include "mixed_dat.h"
#include "plan/base/own_kernel.h"

static pl_err check_parts(const pl_mixed_set *set, pl_dat *const *dats, const char *name)
{
  pl_context *pl = set->node.pl;
  for (int i = 0; i < set->n; i++) {
    const pl_dat *dat = dats[i];
    if (!dat) return pl_fail(pl, PL_ERR_ARG, "mixed dat \"%s\": part %d is NULL", name, i);
    if (dat->set != set->set[i] || dat->dim != set->dim[i])
      return pl_fail(
        pl, dat->set == set->set[i] ? PL_ERR_TYPE : PL_ERR_ARG,
        "mixed dat \"%s\": part %d, \"%s\", holds %d values on \"%s\"; it must hold %d on \"%s\"", name, i,
        dat->node.name, dat->dim, dat->set->node.name, set->dim[i], set->set[i]->node.name);
    if (dat->type != dats[0]->type)
      return pl_fail(pl, PL_ERR_TYPE, "mixed dat \"%s\": part 0 holds %s, but part %d, \"%s\", %s", name,
                     pl_type_name(dats[0]->type), i, dat->node.name, pl_type_name(dat->type));
  }
  return PL_SUCCESS;
}

static pl_err new_dat(pl_mixed_set *set, pl_dat *const *dats, const char *name, pl_mixed_dat **result)
{
  pl_context *pl = set->node.pl;
  pl_mixed_dat *d = pl_node_new(pl, &pl->mixed_dats, sizeof *d, name);
  if (!d) return PL_ERR_MEMORY;
  d->set = set;
  d->type = dats[0]->type;
  set->ref++;
  if ((d->dat = pl_mixed_list(pl, set->n, dats, sizeof *d->dat))) return *result = d, PL_SUCCESS;
  pl_mixed_dat_destroy(&d->node);
  return PL_ERR_MEMORY;
}

pl_err pl_decl_mixed_dat(pl_mixed_set *set, pl_dat *const *dats, const char *name, pl_mixed_dat **dat)
{
  if (!name) name = "(unnamed)";
  PL_TRY_GIVEN(set);
  pl_context *pl = set->node.pl;
  pl_err err = PL_GIVEN_FOR(pl, "pl_decl_mixed_dat", name, dats, dat);
  if (!err) err = check_parts(set, dats, name);
  PL_TRY(pl_agree_on(pl, err, "mixed dat \"%s\" on \"%s\"", name, set->node.name));
  return pl_agree(pl, new_dat(set, dats, name, dat));
}

void pl_mixed_dat_destroy(pl_node *node)
{
  pl_mixed_dat *d = (pl_mixed_dat *)node;
  d->set->ref--;
  pl_free(node->pl, d->dat);
  pl_node_free(node);
}

PL_DEFINE_FREE(pl_mixed_dat_free, pl_mixed_dat, pl_mixed_dat_destroy)

pl_err pl_mixed_dat_check(const pl_mixed_dat *d)
{
  for (int i = 0; i < d->set->n; i++)
    if (!d->dat[i])
      return pl_fail(d->node.pl, PL_ERR_STATE, "mixed dat \"%s\": part %d of it was freed", d->node.name, i);
  return PL_SUCCESS;
}

/* ---- all values in one dat ---- */

static pl_err copy_kernel(pl_context *pl, pl_type type, int dim, const pl_kernel **kernel)
{
  char name[96], text[256];
  const char *t = pl_type_name(type);
  snprintf(name, sizeof name, "pl_mixed_copy_%s_%d", t, dim);
  if ((*kernel = pl_own_kernel(pl, name))) return PL_SUCCESS;
  snprintf(text, sizeof text, "void %s(const %s *x, %s *y) { for (int i = 0; i < %d; i++) y[i] = x[i]; }\n",
           name, t, t, dim);
  return pl_own_kernel_new(pl, name, text, kernel);
}

static pl_err copy_part(pl_mixed_dat *d, int i, pl_dat *whole, bool gather)
{
  const pl_kernel *kernel = NULL;
  pl_context *pl = d->node.pl;
  PL_TRY(pl_agree(pl, copy_kernel(pl, d->type, d->set->dim[i], &kernel)));
  const pl_arg part = pl_arg_direct(d->dat[i], gather ? PL_READ : PL_WRITE),
               all = pl_arg_dat(whole, PL_ALL, d->set->into[i], gather ? PL_WRITE : PL_READ);
  const pl_arg args[2] = {gather ? part : all, gather ? all : part};
  return pl_par_loop_args(kernel, d->set->set[i], 2, args);
}

static pl_err copy_parts(pl_mixed_dat *d, pl_dat *whole, bool gather)
{
  pl_context *pl = d->node.pl;
  pl_set *set;
  PL_TRY(pl_mixed_set_whole(d->set, &set));
  pl_err err = pl_mixed_dat_check(d);
  if (!err && (whole->set != set || whole->dim != 1 || whole->type != d->type))
    err = pl_fail(pl, PL_ERR_TYPE,
                  "mixed dat \"%s\": dat \"%s\" must hold one %s on each element of the whole set of \"%s\"",
                  d->node.name, whole->node.name, pl_type_name(d->type), d->set->node.name);
  PL_TRY(pl_agree_on_error(pl, err));
  for (int i = 0; i < d->set->n; i++) PL_TRY(copy_part(d, i, whole, gather));
  return PL_SUCCESS;
}

pl_err pl_mixed_dat_gather(pl_mixed_dat *from, pl_dat *whole)
{
  PL_TRY(PL_GIVEN(pl_context_of(from), "pl_mixed_dat_gather", from, whole));
  return copy_parts(from, whole, true);
}

pl_err pl_mixed_dat_scatter(pl_dat *whole, pl_mixed_dat *to)
{
  PL_TRY(PL_GIVEN(pl_context_of(whole), "pl_mixed_dat_scatter", whole, to));
  return copy_parts(to, whole, false);
}
