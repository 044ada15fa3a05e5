/* SPDX-License-Identifier: BSD-2-Clause
 * pl_checkpoint: all objects of a context to an HDF5 file. Besides the datasets of core/io/hdf5_write.c, the
 * file has /plait/checkpoint, the manifest, /plait/places/SET (places.c) and /VTKHDF (vtk_groups.c).
 */
#include "checkpoint.h"
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/particles/pair_map.h"
#include "manifest.h"
#include "particle_places.h"
#include "plan/particles/domain_decomposition.h"
#include "vtk_groups.h"

pl_h5_selection pl_checkpoint_selection(pl_context *pl)
{
  pl_h5_selection s = pl_h5_select(pl, NULL);
  s.state = true;
  return s;
}

void pl_checkpoint_forget_lists(pl_context *pl)
{
  PL_EACH (pl_map, map, pl->maps) {
    if (!map->pair_map) continue;
    map->pairs->built = false;
    pl_decomposition_forget(map->from);
  }
}

static pl_err write_manifest(pl_h5_file *f, const pl_string *text)
{
  const int64_t bytes = (int64_t)text->length;
  const pl_h5_block b = {bytes, 0, pl_rank(f->pl) ? 0 : bytes};
  const pl_h5_records records = {.stride = 1, .values = text->data};
  const pl_h5_new d = {PL_MANIFEST_NAME, PL_UINT8, 1, &(uint64_t){(uint64_t)bytes}, NULL};
  return pl_h5_write_block(f, &d, &b, &records);
}

/* Of particles only: other elements are stored in an order that the program's own calls determine. */
static pl_err write_places(pl_h5_file *f, const pl_h5_selection *s)
{
  PL_EACH_WRITTEN (s, PL_H5_SETS, node)
    if (pl_checkpoint_particles((pl_set *)node)) PL_TRY(pl_places_write(f, (pl_set *)node));
  return PL_SUCCESS;
}

static pl_err write_all(pl_h5_file *f, const pl_h5_selection *s, const pl_string *manifest)
{
  PL_TRY(pl_h5_write_selection(f, s));
  PL_TRY(write_places(f, s));
  PL_TRY(write_manifest(f, manifest));
  return pl_vtk_write(f);
}

static pl_err write_file(const pl_h5_selection *s, const char *path, int keep, const pl_string *manifest)
{
  const pl_h5_functions *functions;
  pl_h5_routes *routes = NULL;
  pl_h5_file *f;
  int64_t bytes;
  PL_TRY(pl_h5_measure(s, &bytes));
  bytes += (int64_t)manifest->length + pl_vtk_measure(s->pl);
  PL_EACH_WRITTEN (s, PL_H5_SETS, node)
    if (pl_checkpoint_particles((pl_set *)node)) bytes += pl_places_bytes((pl_set *)node);
  PL_TRY(pl_h5_module(s->pl, path, &functions));
  PL_TRY(functions->create(s->pl, path, bytes, &f));
  f->routes = &routes;
  f->keep = keep;
  pl_err err = pl_agree(s->pl, write_all(f, s, manifest));
  pl_h5_routes_free(s->pl, &routes);
  return functions->close(f, err);
}

static pl_err check_keep(pl_context *pl, const char *path, int previous)
{
  if (previous >= 0 && previous <= 1000) return PL_SUCCESS;
  return pl_fail(pl, PL_ERR_ARG, "file \"%s\": %d previous files cannot be kept; keep 0 to 1000", path,
                 previous);
}

pl_err pl_checkpoint_keep(pl_context *pl, const char *path, int previous)
{
  pl_string manifest;
  PL_TRY(pl_context_check(pl));
  PL_TRY(PL_H5_GIVEN(pl, "pl_checkpoint", path));
  PL_TRY(pl_agree(pl, check_keep(pl, path, previous)));
  PL_TRY(pl_flush_all(pl));
  const pl_h5_selection s = pl_checkpoint_selection(pl);
  PL_TRY(pl_h5_check_selection(&s, path));
  pl_string_init(&manifest, pl);
  pl_err err = pl_agree(pl, pl_manifest_write(&s, path, &manifest));
  if (!err) err = write_file(&s, path, previous, &manifest);
  pl_string_free(&manifest);
  if (!err) pl_checkpoint_forget_lists(pl);
  return err;
}

pl_err pl_checkpoint(pl_context *pl, const char *path)
{
  return pl_checkpoint_keep(pl, path, 0);
}
