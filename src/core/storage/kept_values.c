/* SPDX-License-Identifier: BSD-2-Clause
 * Kept values apply while version, order of elements, storage and size are those of the dat; a change of
 * values without a new version, like a new storage, drops them.
 */
#include "kept_values.h"
#include "core/context/memory.h"
#include "core/mesh/user_order.h"
#include "storage.h"
#include <string.h>

typedef struct pl_kept {
  uint64_t version, order_version;
  const void *host; /* NULL: no values */
  size_t bytes;
  char loop[64];
  char values[];
} pl_kept;

static size_t owned_bytes(const pl_dat *dat)
{
  return (size_t)dat->set->end[1] * pl_dat_stride(dat);
}

void pl_dat_drop_kept(pl_dat *dat)
{
  if (dat->kept) dat->kept->host = NULL;
}

void pl_dat_free_kept(pl_dat *dat)
{
  pl_free(dat->node.pl, dat->kept);
  dat->kept = NULL;
}

pl_err pl_dat_reserve_kept(pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  const size_t bytes = owned_bytes(dat);
  if (dat->kept && dat->kept->bytes == bytes) return PL_SUCCESS;
  pl_dat_free_kept(dat);
  dat->kept = pl_calloc(pl, 1, sizeof *dat->kept + bytes);
  if (!dat->kept) return pl_fail_memory(pl, sizeof *dat->kept + bytes);
  dat->kept->bytes = bytes;
  return PL_SUCCESS;
}

void pl_dat_keep(pl_dat *dat, const char *loop)
{
  pl_kept *kept = dat->kept;
  if (dat->storage.host_stale || kept->bytes != owned_bytes(dat)) return;
  kept->version = dat->version;
  kept->order_version = dat->set->order_version;
  kept->host = dat->storage.host;
  snprintf(kept->loop, sizeof kept->loop, "%s", loop);
  memcpy(kept->values, dat->storage.host, kept->bytes);
}

static bool kept_applies(const pl_dat *dat)
{
  const pl_kept *kept = dat->kept;
  return kept && kept->host && !dat->storage.host_stale && kept->version == dat->version &&
         kept->host == dat->storage.host && kept->order_version == dat->set->order_version &&
         kept->bytes == owned_bytes(dat);
}

pl_err pl_dat_check_kept(const pl_dat *dat)
{
  pl_context *pl = dat->node.pl;
  const char *now = dat->storage.host;
  size_t at = 0;
  if (!pl_opt_flag(pl, PL_OPT_CHECK) || !kept_applies(dat)) return PL_SUCCESS;
  while (at < dat->kept->bytes && now[at] == dat->kept->values[at]) at++;
  if (at == dat->kept->bytes) return PL_SUCCESS;
  int value = (int)(at / pl_type_size(dat->type));
  return pl_fail(pl, PL_ERR_CHECK,
                 "dat \"%s\", element %lld, component %d: changed after loop \"%s\", but not by the library; "
                 "look for a write through a stale or wrong pointer",
                 dat->node.name, (long long)pl_element_global_index(dat->set, value / dat->dim),
                 value % dat->dim, dat->kept->loop);
}
