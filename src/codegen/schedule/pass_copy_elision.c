/* SPDX-License-Identifier: BSD-2-Clause
 * Copies that become changes of place: after `old = q` the next loop that writes all of q writes it into the
 * storage of `old`, and the two change places; so `old` holds what q was without having been copied.
 */
#include "plan/depend.h"
#include "schedule_work.h"

bool pl_schedule_writes(const pl_schedule_work *w, int position, const void *object)
{
  const pl_op *op = pl_schedule_op(w, position);
  bool runs = position >= w->schedule->nops || !w->gone[position];
  bool copies = position < w->schedule->nops && w->copied[position].to == object;
  return runs && (copies || (op->loop ? pl_loop_writes(op->loop, object) : op->zeroed == object));
}

/* Layouts are each rank's own choice. */
static bool same_kind(const pl_dat *a, const pl_dat *b)
{
  return a->set == b->set && a->dim == b->dim && a->type == b->type && a->layout == b->layout &&
         a->pack == b->pack && !a->frozen && !b->frozen;
}

bool pl_dats_may_swap(const pl_dat *a, const pl_dat *b)
{
  return a != b && pl_comm_all(a->node.pl, same_kind(a, b));
}

/* Reads it, if at all, element by element as a whole. */
bool pl_loop_sees_directly(const pl_loop *loop, const pl_dat *dat)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (arg->kind != PL_ARG_DAT || arg->off || arg->object != dat) continue;
    if (arg->map || arg->access != PL_READ || arg->component >= 0) return false;
  }
  return true;
}

/* The loop that writes all of `from` next; -1 if somebody else looks at the copy before, or changes either.
 */
static int next_writer(const pl_schedule_work *w, int at, const pl_dat *from, const pl_dat *to)
{
  char why[PL_WHY];
  for (int i = at + 1; i < w->schedule->nops; i++) {
    const pl_loop *loop = pl_schedule_op(w, i)->loop;
    if (!loop || w->gone[i]) continue;
    if (pl_loop_writes(loop, from))
      return pl_loop_covers(loop, from) && loop->role == PL_ROLE_NONE && pl_loop_sees_directly(loop, to) &&
                 pl_loop_suits(loop, why) && !w->copied[i].to
               ? i
               : -1;
    if (pl_loop_uses(loop, to)) return -1;
  }
  return -1;
}

void pl_schedule_copies(pl_schedule_work *w)
{
  for (int p = 0; p < w->schedule->nops; p++) {
    const pl_loop *loop = pl_schedule_op(w, p)->loop;
    if (!loop || loop->role != PL_ROLE_COPY || w->gone[p]) continue;
    pl_dat *from = loop->args[0].object, *to = loop->args[1].object;
    int writer = pl_dats_may_swap(from, to) ? next_writer(w, p, from, to) : -1;
    if (writer < 0) continue;
    w->copied[writer] = (pl_schedule_copy){p, from, to};
    w->gone[p] = true;
    pl_text_add(&w->schedule->report,
                "\"%s\" is not copied: \"%s\" writes \"%s\" in its storage, and they change places\n",
                from->node.name, pl_schedule_op(w, writer)->loop->kernel->name, from->node.name);
  }
}
