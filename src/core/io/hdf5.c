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

pl_err pl_h5_module(pl_context *pl, const char *path, const pl_h5_functions **functions)
{
  *functions = pl_module_functions(pl, PL_MODULE_HDF5);
  return pl_agree(
    pl, *functions ? PL_SUCCESS
                   : pl_fail(pl, PL_ERR_IO, "file \"%s\": %s", path, pl_module_missing(pl, PL_MODULE_HDF5)));
}
