/* SPDX-License-Identifier: BSD-2-Clause
 * After `old = q` the next loop that overwrites q writes to the storage of `old`, and the two are swapped; so
 * `old` has the previous values without a copy.
 */
#include "passes.h"
#include "core/comm/comm.h"

bool pl_pass_writes(const pl_passes *w, int position, const void *object)
{
  const pl_op *op = &w->op[position];
  bool runs = position >= w->n || !w->gone[position];
  bool copies = position < w->n && w->copy[position].to == object;
  return runs && (copies || (op->loop ? pl_loop_writes(op->loop, object) : op->result == object));
}

static bool same_kind(const pl_dat *a, const pl_dat *b)
{
  return a->set == b->set && a->dim == b->dim && a->type == b->type &&
         a->storage.layout.tile == b->storage.layout.tile &&
         a->storage.layout.pack == b->storage.layout.pack && !a->frozen && !b->frozen &&
         !a->storage.wrapped && !b->storage.wrapped;
}

/* Each rank chooses its own layouts, so all have to agree. */
bool pl_dats_may_swap(const pl_dat *a, const pl_dat *b)
{
  return a != b && pl_comm_all(a->node.pl, same_kind(a, b));
}

/* The next loop that overwrites `from`; -1 if another op reads the copy or writes one of the two before. */
static int next_writer(const pl_passes *w, int at, const pl_dat *from, const pl_dat *to)
{
  char why[PL_WHY];
  for (int i = at + 1; i < w->n; i++) {
    const pl_loop *loop = w->op[i].loop;
    if (!loop || w->gone[i]) continue;
    if (pl_loop_writes(loop, from)) {
      bool fits = pl_loop_covers(loop, from) && loop->role == PL_ROLE_NONE &&
                  pl_loop_reads_directly(loop, to) && pl_loop_may_fuse_any(loop, why) && !w->copy[i].to;
      return fits ? i : -1;
    }
    if (pl_loop_uses(loop, to)) return -1;
  }
  return -1;
}

void pl_pass_elide_copies(pl_passes *w)
{
  for (int p = 0; p < w->n; p++) {
    const pl_loop *loop = w->op[p].loop;
    if (!loop || loop->role != PL_ROLE_COPY || w->gone[p]) continue;
    pl_dat *from = loop->args[0].object, *to = loop->args[1].object;
    int writer = pl_dats_may_swap(from, to) ? next_writer(w, p, from, to) : -1;
    if (writer < 0) continue;
    w->copy[writer] = (pl_elided_copy){p, from, to};
    w->gone[p] = true;
    w->into[p] = writer;
    pl_string_add(w->report,
                  "\"%s\" is not copied to \"%s\": \"%s\" writes \"%s\" there, and they are swapped\n",
                  from->node.name, to->node.name, pl_loop_title(w->op[writer].loop), from->node.name);
  }
}
