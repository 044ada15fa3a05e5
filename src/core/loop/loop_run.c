/* SPDX-License-Identifier: BSD-2-Clause
 * Execution of a loop. run_in_order() is the sequence of one call.
 */
#include "loop_run.h"
#include "access_check.h"
#include "core/base/clock.h"
#include "core/comm/comm.h"
#include "core/exchange/halo.h"
#include "core/exchange/reverse_exchange.h"
#include "core/tools/tools.h"
#include "loop_prepare.h"
#include "profile.h"
#include "reduction.h"

pl_err pl_loop_check_state(const pl_loop *loop)
{
  char name[PL_ARG_NAME];
  PL_EACH_ACCESS (access, loop) {
    if (!access->dat) continue;
    if (access->dat->frozen) PL_TRY(pl_halo_check_frozen(loop, access->dat));
    if (!access->dat->writer && !access->dat->readers) continue;
    if (!pl_dat_view_blocks(access->dat, access->writes)) continue;
    return pl_fail(loop->pl, PL_ERR_STATE, "loop \"%s\", %s: a %s view of it is open; close it with %s first",
                   pl_loop_title(loop), pl_arg_name(loop->args, access->first, name),
                   pl_view_kind(access->dat), pl_view_end(access->dat));
  }
  return PL_SUCCESS;
}

bool pl_loop_covers(const pl_loop *loop, const pl_dat *dat)
{
  const pl_loop_access *a = pl_loop_access_to(loop, dat);
  return a && !a->reads && a->in_place && a->whole && loop->set == dat->set && !dat->frozen;
}

bool pl_loop_overwrites(const pl_loop *loop, const pl_dat *dat)
{
  PL_EACH_ARG (arg, loop)
    if (arg->zeroed && pl_arg_accesses(arg, dat)) return true;
  return pl_loop_covers(loop, dat);
}

/* Overwritten objects become valid; an input that was not computed repeats the error. */
static pl_err check_inputs(const pl_loop *loop)
{
  PL_EACH_ACCESS (access, loop) {
    if (!access->object->failure.code) continue;
    if (access->dat && pl_loop_covers(loop, access->dat))
      pl_failure_clear(loop->pl, &access->object->failure);
    PL_TRY(pl_failure_repeat(loop->pl, &access->object->failure));
  }
  return PL_SUCCESS;
}

static void mark_written(pl_loop *loop)
{
  PL_EACH_ACCESS (access, loop) {
    pl_dat *dat = access->dat;
    if (!dat || !access->writes) continue;
    pl_dat_changed(dat);
    if (access->clears) pl_dat_note_zeros(dat);
  }
}

/* Without a wait for halos between core and boundary, the first range is all owned elements. */
static bool runs_as_one(const pl_loop *loop)
{
  return loop->direct || (loop->needs_full_halo && !loop->inner && !loop->indirect_write);
}

static pl_err run_range(pl_loop *loop, bool plain, int number)
{
  const pl_backend *backend = loop->pl->backend;
  pl_loop_range range = {number, pl_loop_range_end(loop, number - 1), pl_loop_range_end(loop, number),
                         number < 2};
  if (runs_as_one(loop) && number < 2)
    range = (pl_loop_range){number, 0, number ? 0 : loop->set->end[1], true};
  if (range.end <= range.begin) return PL_SUCCESS;
  return plain ? backend->run_reference(loop->pl, loop, &range) : backend->run(loop->pl, loop, &range);
}

/* Without messages in flight all ranges run as one, except that reductions do not count the exec halo. */
static pl_err run_merged(pl_loop *loop)
{
  const int *end = loop->set->end, last = loop->indirect_write ? 2 : 1, own = loop->reduces ? 1 : last;
  const pl_loop_range range = {0, 0, end[own], true};
  if (range.end > 0) PL_TRY(loop->pl->backend->run(loop->pl, loop, &range));
  return own < last ? run_range(loop, false, last) : PL_SUCCESS;
}

static bool merges_ranges(const pl_loop *loop)
{
  pl_context *pl = loop->pl;
  return !loop->reverse_halo && !pl_halo_busy(pl) && pl->backend->merges_ranges &&
         pl->backend->merges_ranges(pl, loop);
}

/* Runs all ranges. Core elements run while halo messages are in flight. */
static pl_err run_ranges(pl_loop *loop, bool plain)
{
  if (loop->reduces) pl_results_clear(loop, loop->result, loop->arg_element);
  PL_TRY(pl_halo_begin(loop));
  if (!plain && merges_ranges(loop)) {
    PL_TRY(pl_halo_end(loop));
    return run_merged(loop);
  }
  if (loop->needs_full_halo && !loop->inner) PL_TRY(pl_halo_end(loop));
  PL_TRY(run_range(loop, plain, 0)); /* core */
  PL_TRY(pl_halo_end(loop));
  PL_TRY(run_range(loop, plain, 1));                                                      /* owned boundary */
  return loop->runs_halo && !loop->reverse_halo ? run_range(loop, plain, 2) : PL_SUCCESS; /* exec halo */
}

/* Make the error collective. With messages in flight the communicator cannot be repaired, so leave it. */
static pl_err fail_together(pl_context *pl, pl_err err)
{
  return pl_halo_busy(pl) ? pl_comm_leave(pl, err) : pl_agree_on_error(pl, err);
}

/* PLAIT_CHECK: updates halos before values are saved. */
static pl_err run_checked(pl_loop *loop)
{
  PL_TRY(pl_agree(loop->pl, pl_check_kept(loop)));
  PL_TRY(pl_halo_begin(loop));
  PL_TRY(pl_halo_end(loop));
  return pl_check_run(loop, run_ranges);
}

/* Zeroes the dats of pl_arg_zeroed, unless the backend stores sums instead of adding them. */
static pl_err zero_first(const pl_loop *loop, bool check)
{
  PL_EACH_ARG (arg, loop)
    if (arg->zeroed && !arg->off && (check || !loop->stores)) PL_TRY(pl_dat_zero_now(arg->object));
  return PL_SUCCESS;
}

static bool is_checked(const pl_loop *loop)
{
  return pl_opt_flag(loop->pl, PL_OPT_CHECK) && loop->pl->backend->run_reference &&
         !pl_loop_traits_of(loop)->two_phases;
}

static void count_call(pl_loop *loop)
{
  loop->calls++;
  loop->pl->stats.loops_run++;
}

/* Calls that one timed call stands for: of loops over few elements, which the clock would slow down, every
 * eighth is timed, unless a profile is wanted. */
static int calls_timed(const pl_loop *loop)
{
  enum { FIRST = 1024, EVERY = 8 };
  static const double brief = 2e-6;
  if (loop->calls < FIRST || loop->seconds > brief * (double)loop->calls) return 1;
  if (*pl_opt(loop->pl, PL_OPT_PROFILE) != '0') return 1;
  return loop->calls % EVERY ? 0 : EVERY;
}

/* The time since `start`, for so many calls. */
static pl_err add_time(pl_loop *loop, int calls, double start)
{
  double seconds = 0;
  PL_TRY(pl_profile_time(loop->pl, start, &seconds));
  loop->seconds += calls * seconds;
  return PL_SUCCESS;
}

/* One call of a prepared loop, in order. The time of compiling in between is set-up time. */
static pl_err run_in_order(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  const bool check = is_checked(loop);
  const int timed = calls_timed(loop);
  const double setup = loop->setup_seconds;
  double start;
  PL_TRY(pl_comm_check(pl));         /* this rank takes part in communication */
  PL_TRY(pl_loop_check_state(loop)); /* no host view is open; frozen halos allow the accesses */
  PL_TRY(check_inputs(loop));        /* no input is a result of a loop that failed */
  start = timed ? pl_now() : 0;
  PL_TRY(pl_reductions_begin(loop)); /* globals that are read hold their values */
  pl_err err = loop->zeroes ? zero_first(loop, check) : PL_SUCCESS;
  if (!err) err = pl_halo_clear(loop);
  if (!err && check) err = run_checked(loop);
  if (!err && !check) err = run_ranges(loop, false); /* core beside halo messages, boundary, exec halo */
  if (!err) err = pl_halo_reverse(loop);
  if (err) return pl_reductions_cancel(loop), err;
  PL_TRY(pl_reductions_end(loop)); /* partial results enter the globals */
  mark_written(loop);              /* versions, stale halos */
  if (check) pl_check_keep(loop);  /* to find writes between loops */
  count_call(loop);
  return timed ? add_time(loop, timed, start + loop->setup_seconds - setup) : PL_SUCCESS;
}

pl_err pl_loop_run_prepared(pl_loop *loop)
{
  pl_context *pl = loop->pl;
  pl_event_begin(pl, PL_TOOL_LOOP, pl_loop_title(loop), loop->set->node.name, loop->bytes_per_call);
  pl_err err = fail_together(pl, run_in_order(loop));
  pl_event_end(pl, PL_TOOL_LOOP);
  return err;
}

pl_err pl_loop_run_now(pl_loop *loop)
{
  PL_TRY(pl_loop_prepare(loop));
  return pl_loop_run_prepared(loop);
}

/* Sums of increments of zeros need not be added to the values. Loops of a schedule add them: a graph of their
 * launches is repeated whatever the values are. */
static bool starts_from_zeros(const pl_loop *loop)
{
  if (!loop->gathered_stored || pl_opt_flag(loop->pl, PL_OPT_CHECK)) return false;
  PL_EACH_ACCESS (access, loop)
    if (access->collides && !pl_dat_holds_zeros(access->dat)) return false;
  return true;
}

pl_err pl_loop_call(pl_loop *loop)
{
  PL_TRY(pl_loop_prepare(loop));
  if (loop->random) pl_random_begin(loop->random, loop->random->calls);
  loop->from_zeros = starts_from_zeros(loop);
  const pl_err err = pl_loop_run_prepared(loop);
  loop->from_zeros = false;
  PL_TRY(err);
  if (loop->random) loop->random->calls++;
  return PL_SUCCESS;
}
