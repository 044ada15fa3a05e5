/* SPDX-License-Identifier: BSD-2-Clause
 * HDF5 files through the module of HDF5, and the conventions of all files.
 */
#include "core/comm/comm.h"
#include "core/context/context.h"
#include "hdf5_file.h"

/* ---- conventions ---- */

pl_err pl_h5_agree(pl_context *pl, pl_err err)
{
  return pl ? pl_agree(pl, err) : err;
}

pl_h5_block pl_h5_block_of(const pl_context *pl, int64_t total)
{
  int64_t ranks = pl_ranks(pl), rank = pl_rank(pl);
  int64_t each = total / ranks, more = total % ranks; /* the first `more` ranks have one row more */
  return (pl_h5_block){total, rank * each + (rank < more ? rank : more), each + (rank < more)};
}

const char *pl_h5_full_name(const char *kind, const char *name, char buffer[PL_H5_NAME])
{
  snprintf(buffer, PL_H5_NAME, "/%s/%s", kind, name);
  return buffer;
}

/* ---- the module ---- */

static pl_err get_functions(pl_context *pl, const char *path, const pl_h5_functions **functions)
{
  *functions = pl_module_functions(pl, PL_MODULE_HDF5);
  return pl_agree(
    pl, *functions ? PL_SUCCESS
                   : pl_fail(pl, PL_ERR_IO, "file \"%s\": %s", path, pl_module_missing(pl, PL_MODULE_HDF5)));
}

pl_err pl_h5_open(pl_context *pl, const char *path, pl_h5_file **file)
{
  const pl_h5_functions *functions;
  PL_TRY(get_functions(pl, path, &functions));
  return functions->open(pl, path, file);
}

pl_err pl_h5_create(pl_context *pl, const char *path, int64_t bytes, pl_h5_file **file)
{
  const pl_h5_functions *functions;
  PL_TRY(get_functions(pl, path, &functions));
  return functions->create(pl, path, bytes, file);
}

pl_err pl_h5_close(pl_h5_file *file, pl_err err)
{
  return file->functions->close(file, err);
}

pl_err pl_h5_write(const pl_h5_file *file, const char *name, pl_type type, const pl_h5_block *b, int rank,
                   const uint64_t *extent, const void *values, const char *const *attributes)
{
  return file->functions->write(file, name, type, b, rank, extent, values, attributes);
}

pl_err pl_h5_find(const pl_h5_file *file, const char *name, pl_h5_dataset *d)
{
  return file->functions->find(file, name, d);
}

void pl_h5_dataset_close(const pl_h5_file *file, pl_h5_dataset *d)
{
  file->functions->dataset_close(d);
}

pl_err pl_h5_read(const pl_h5_file *file, const pl_h5_dataset *d, const char *name, pl_type type,
                  const pl_h5_block *b, void *values)
{
  return file->functions->read(file, d, name, type, b, values);
}

bool pl_h5_has(const pl_h5_file *file, const char *kind, const char *name)
{
  return file->functions->has(file, kind, name);
}
