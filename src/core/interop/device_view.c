/* SPDX-License-Identifier: BSD-2-Clause
 * Device views: the program's own code works on the device memory of a dat. Invariant: an open view for
 * writing is the only view; open views pin the layout.
 */
#include "core/arrays/sort_select.h"
#include "core/arrays/user_order_copy.h"
#include "core/context/observer.h"
#include "core/data/dat.h"
#include "core/mesh/set.h"
#include "core/storage/coherence.h"
#include "core/storage/kept_values.h"

static pl_err check_view(const pl_dat *dat, pl_access access)
{
  pl_context *pl = dat->node.pl;
  if (access != PL_READ && access != PL_RW && access != PL_WRITE)
    return pl_fail(pl, PL_ERR_ACCESS,
                   "pl_dat_get_device of \"%s\": the access must be PL_READ, PL_RW or PL_WRITE",
                   dat->node.name);
  if (!pl_dat_on_device(dat))
    return pl_fail(pl, PL_ERR_BACKEND,
                   "pl_dat_get_device of \"%s\": backend \"%s\" has no device; use pl_dat_get",
                   dat->node.name, pl->backend->name);
  return pl_dat_view_blocks(dat, access != PL_READ) ? pl_dat_check_no_views(dat, "pl_dat_get_device")
                                                    : PL_SUCCESS;
}

/* All open views share the copy. */
static pl_err open_copy(pl_dat *dat, bool reads)
{
  pl_dat *out, *in;
  if (dat->device_copy || !dat->set->user_order || dat->storage.wrapped) return PL_SUCCESS;
  pl_err err = pl_dat_new_like(dat, &dat->device_copy);
  if (!err && reads) err = pl_user_order_dats(dat->set, &out, &in);
  if (!err && reads)
    err =
      dat->node.pl->backend->algorithms->gather(dat->node.pl, out, dat->set->end[3], dat, dat->device_copy);
  if (err) pl_dat_drop_unlisted(&dat->device_copy);
  return err;
}

static pl_err close_copy(pl_dat *dat)
{
  pl_dat *out, *in;
  pl_err err = PL_SUCCESS;
  if (dat->device_copy && dat->writer) {
    pl_dat_device_written(dat->device_copy);
    err = pl_user_order_dats(dat->set, &out, &in);
    if (!err)
      err =
        dat->node.pl->backend->algorithms->gather(dat->node.pl, in, dat->set->end[3], dat->device_copy, dat);
  }
  if (dat->device_views == 1) pl_dat_drop_unlisted(&dat->device_copy);
  return err;
}

pl_err pl_dat_get_device(pl_dat *dat, pl_access access, void **data, void **queue)
{
  const bool reads = access != PL_WRITE, writes = access != PL_READ;
  PL_TRY(PL_GIVEN(pl_context_of(dat), "pl_dat_get_device", dat, data));
  pl_context *pl = dat->node.pl;
  PL_TRY(check_view(dat, access));
  PL_TRY(pl_before_access(&dat->node, writes));
  if (reads) PL_TRY(pl_dat_check_kept(dat));
  PL_TRY(pl_dat_pin_layout(dat));
  PL_TRY(pl_dat_device(dat, reads));
  PL_TRY(open_copy(dat, reads));
  if (writes) {
    dat->writer = true;
    pl_dat_device_written(dat);
    pl_dat_changed(dat);
  } else {
    dat->readers++;
  }
  dat->device_views++;
  const void *used = pl->backend->data->native(pl).queue;
  if (queue) *queue = (void *)used;
  *data = dat->device_copy ? dat->device_copy->storage.device : dat->storage.device;
  return PL_SUCCESS;
}

pl_err pl_dat_put_device(pl_dat *dat)
{
  PL_TRY_GIVEN(dat);
  if (!dat->device_views)
    return pl_fail(dat->node.pl, PL_ERR_STATE, "pl_dat_put_device: no device view of dat \"%s\" is open",
                   dat->node.name);
  pl_err err = close_copy(dat);
  if (dat->writer)
    dat->writer = false;
  else
    dat->readers--;
  dat->device_views--;
  return err;
}
