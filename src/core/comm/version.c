/* SPDX-License-Identifier: BSD-2-Clause
 * Versions that all ranks must share.
 */
#include "comm.h"
#include "core/context/context.h"

pl_err pl_same_versions(pl_context *pl)
{
  uint64_t version[2] = {pl->decl_version, pl->deferred.storage_version};
  PL_TRY(pl_comm_reduce(pl, PL_UINT64, PL_MAX, version, 2));
  pl->decl_version = version[0];
  pl->deferred.storage_version = version[1];
  return PL_SUCCESS;
}
