/* SPDX-License-Identifier: BSD-2-Clause
 * Increments that move into the loop that reads their sum: zero, additions, one reader, and nobody after it.
 */
#include "fuse.h"
#include "plan/depend.h"
#include "schedule_work.h"

enum { MOST_ADDERS = 6 };

/* What becomes of a dat after the zero at `at`. */
typedef struct sum {
  pl_dat *dat;
  int at, nadders, adder[MOST_ADDERS], reader; /* positions; reader -1: none yet */
} sum;

static bool only_reads_directly(const pl_loop *loop, const pl_dat *dat)
{
  if (loop->set != dat->set || loop->indirect_write) return false;
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (arg->kind != PL_ARG_DAT || arg->off || arg->object != dat) continue;
    if (arg->access != PL_READ || arg->map || arg->component >= 0) return false;
  }
  return true;
}

/* The next op takes its place in the story of the sum; false if it has none. */
static bool take_user(sum *s, const pl_loop *loop, int position)
{
  if (s->reader < 0 && pl_loop_only_adds(loop, s->dat)) {
    if (s->nadders == MOST_ADDERS) return false;
    s->adder[s->nadders++] = position;
    return true;
  }
  if (s->reader >= 0 || !s->nadders || !only_reads_directly(loop, s->dat)) return false;
  s->reader = position;
  return true;
}

/* Zero, additions, one reader, then written anew or temporary. */
static bool follow(const pl_schedule_work *w, sum *s)
{
  int n = w->schedule->nops;
  for (int r = s->at + 1; r < n + w->schedule->nahead; r++) {
    const pl_loop *loop = pl_schedule_op(w, r)->loop;
    if (!loop || (r < n && w->gone[r])) continue;
    if (r < n && w->copied[r].from == s->dat) return false; /* what is there becomes a copy */
    if (r < n && w->copied[r].to == s->dat) return s->reader >= 0;
    if (!pl_loop_uses(loop, s->dat)) continue;
    if (pl_loop_covers(loop, s->dat)) return s->reader >= 0;
    if (r >= n || !take_user(s, loop, r)) return false;
  }
  return s->reader >= 0 && w->schedule->ended && pl_chain_hint_of(w->schedule->chain, s->dat).temporary;
}

/* What an adder reads must be the same at the reader, which may write it anew but in no other way. */
static bool inputs_stay(const pl_schedule_work *w, const sum *s, const pl_loop *adder, int from)
{
  const pl_loop *reader = pl_schedule_op(w, s->reader)->loop;
  for (int j = 0; j < adder->nargs; j++) {
    const pl_arg *arg = &adder->args[j];
    if (arg->access != PL_READ || (arg->kind != PL_ARG_DAT && arg->kind != PL_ARG_GLOBAL)) continue;
    for (int i = from + 1; i < s->reader; i++)
      if (pl_schedule_writes(w, i, arg->object)) return false;
    if (!pl_schedule_writes(w, s->reader, arg->object)) continue;
    if (arg->kind != PL_ARG_DAT || pl_loop_reads(reader, arg->object) || !pl_loop_covers(reader, arg->object))
      return false;
  }
  return true;
}

static bool may_gather(const pl_schedule_work *w, const sum *s)
{
  char why[PL_WHY];
  const pl_loop *reader = pl_schedule_op(w, s->reader)->loop;
  if (reader->raw || !pl_loop_suits(reader, why)) return false;
  for (int a = 0; a < s->nadders; a++) {
    const pl_loop *adder = pl_schedule_op(w, s->adder[a])->loop;
    if (!pl_loop_suits(adder, why) || !inputs_stay(w, s, adder, s->adder[a])) return false;
  }
  return true;
}

/* On devices it pays always; on the host records are added faster than fluxes are computed twice. */
static bool wants_gather(const pl_schedule_work *w, const pl_dat *dat)
{
  pl_chain_choice choice = pl_chain_hint_of(w->schedule->chain, dat).choice;
  return choice == PL_INLINE || (choice == PL_AUTO && w->pl->backend->ends_reductions);
}

static pl_err gather(pl_schedule_work *w, const sum *s)
{
  pl_text *t = &w->schedule->report;
  pl_loop *adder[MOST_ADDERS], *made;
  const pl_made *alone;
  for (int a = 0; a < s->nadders; a++) adder[a] = pl_schedule_op(w, s->adder[a])->loop;
  pl_loop *reader = pl_schedule_op(w, s->reader)->loop;
  pl_err err = pl_fuse_gather(w->pl, s->nadders, adder, reader, s->dat, &made);
  if (!err) err = pl_fuse(w->pl, 1, &made, 0, NULL, 0, NULL, &alone);
  if (!err) err = pl_loop_prepare(alone->loop);
  if (err == PL_ERR_MEMORY) return err;
  if (err) {
    pl_text_add(t, "\"%s\" reads \"%s\" from memory: %s\n", reader->kernel->name, s->dat->node.name,
                pl_errmsg(w->pl));
    return PL_SUCCESS;
  }
  pl_text_add(t, "\"%s\" gathers \"%s\" from", reader->kernel->name, s->dat->node.name);
  for (int a = 0; a < s->nadders; a++) pl_text_add(t, " \"%s\"", adder[a]->kernel->name);
  pl_text_add(t, "; it is not stored\n");
  for (int a = 0; a < s->nadders; a++) w->gone[s->adder[a]] = true;
  w->gone[s->at] = true;
  w->op[s->reader].loop = made;
  return PL_SUCCESS;
}

pl_err pl_schedule_gather(pl_schedule_work *w)
{
  for (int z = 0; z < w->schedule->nops; z++) {
    const pl_loop *loop = pl_schedule_op(w, z)->loop;
    if (!loop || loop->role != PL_ROLE_ZERO || loop->set->parent || w->gone[z]) continue;
    sum s = {.dat = loop->args[0].object, .at = z, .reader = -1};
    if (wants_gather(w, s.dat) && follow(w, &s) && may_gather(w, &s)) PL_TRY(gather(w, &s));
  }
  return PL_SUCCESS;
}
