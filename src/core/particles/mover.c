/* SPDX-License-Identifier: BSD-2-Clause
 * Release of movers.
 */
#include "mover.h"
#include "core/data/objects.h"

void pl_mover_free(pl_map *map, bool objects)
{
  pl_context *pl = map->node.pl;
  pl_mover *m = map->mover;
  if (!m) return;
  map->mover = NULL;
  if (objects) {
    pl_dat_free(&m->cell);
    pl_dat_free(&m->state);
    pl_dat_free(&m->order);
    pl_dat_free(&m->anchor);
    pl_global_free(&m->count);
    pl_global_free(&m->limit);
  }
  while (m->kernels) {
    pl_move_kernel *k = m->kernels;
    m->kernels = k->next;
    pl_free_all(pl, k->text, k);
  }
  pl_free(pl, m);
}
