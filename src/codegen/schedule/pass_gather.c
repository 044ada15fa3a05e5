/* SPDX-License-Identifier: BSD-2-Clause
 * Matches the pattern: zero, loops that only increment, one reader, dead; and inlines the increments. Chooses
 * loops by themselves that are gathered: those that only increment one dat, about as often as it has
 * elements.
 */
#include "passes.h"
#include "codegen/fusion/fuse.h"
#include "codegen/fusion/fuse_gather.h"
#include "codegen/fusion/inverse_rows.h"
#include "core/comm/comm.h"

/* The ops of the pattern: their positions. reader -1: none yet. */
typedef struct pattern {
  pl_dat *dat;
  int zero, nproducers, producer[PL_GATHER_PRODUCERS], reader;
} pattern;

static bool only_reads_directly(const pl_loop *loop, const pl_dat *dat)
{
  return loop->set == dat->set && !loop->indirect_write && pl_loop_reads_directly(loop, dat);
}

/* Extends the pattern by the next loop that uses the dat; false if it does not match. */
static bool extend_pattern(pattern *s, const pl_loop *loop, int position)
{
  pl_increment_map increments;
  if (s->reader >= 0) return false;
  if (pl_increment_map_find(loop, s->dat, &increments)) {
    if (s->nproducers == PL_GATHER_PRODUCERS) return false;
    s->producer[s->nproducers++] = position;
    return true;
  }
  if (!s->nproducers || !only_reads_directly(loop, s->dat)) return false;
  s->reader = position;
  return true;
}

static bool find_pattern(const pl_passes *w, pattern *s)
{
  for (int r = s->zero + 1; r < w->nall; r++) {
    const pl_loop *loop = w->op[r].loop;
    if (!loop || (r < w->n && w->gone[r])) continue;
    if (r < w->n && w->copy[r].from == s->dat) return false; /* its values become those of a copy */
    if (r < w->n && w->copy[r].to == s->dat) return s->reader >= 0;
    if (!pl_loop_uses(loop, s->dat)) continue;
    if (pl_loop_covers(loop, s->dat)) return s->reader >= 0;
    if (r >= w->n || !extend_pattern(s, loop, r)) return false;
  }
  return s->reader >= 0 && pl_pass_ends_with(w, s->dat);
}

/* The producer's inputs are unchanged at the reader, which may overwrite those that it does not read. */
static bool inputs_are_unchanged(const pl_passes *w, const pattern *s, int producer)
{
  const pl_loop *reader = w->op[s->reader].loop, *loop = w->op[producer].loop;
  PL_EACH_ARG (arg, loop) {
    if (arg->access != PL_READ || !pl_arg_has_data(arg)) continue;
    for (int i = producer + 1; i < s->reader; i++)
      if (pl_pass_writes(w, i, arg->object)) return false;
    if (!pl_pass_writes(w, s->reader, arg->object)) continue;
    if (!pl_arg_is_record(arg) || pl_loop_reads(reader, arg->object) || !pl_loop_covers(reader, arg->object))
      return false;
  }
  return true;
}

static bool may_gather(const pl_passes *w, const pattern *s)
{
  char why[PL_WHY];
  const pl_loop *reader = w->op[s->reader].loop;
  if (pl_loop_traits_of(reader)->member || !pl_loop_may_fuse_any(reader, why)) return false;
  for (int p = 0; p < s->nproducers; p++)
    if (!pl_loop_may_fuse_any(w->op[s->producer[p]].loop, why) || !inputs_are_unchanged(w, s, s->producer[p]))
      return false;
  return true;
}

/* On devices it always pays off; on the host storing increments is faster than computing fluxes twice. */
static bool wants_gather(const pl_passes *w, const pl_dat *dat)
{
  pl_chain_choice choice = pl_pass_hint(w, dat).choice;
  return choice == PL_INLINE || (choice == PL_AUTO && w->pl->backend->reduces_globals);
}

static pl_err gather(pl_passes *w, const pattern *s)
{
  pl_loop *producer[PL_GATHER_PRODUCERS], *reader = w->op[s->reader].loop;
  const pl_fused *gathered, *alone;
  for (int p = 0; p < s->nproducers; p++) producer[p] = w->op[s->producer[p]].loop;
  pl_err err = pl_fuse_gather(w->pl, s->nproducers, producer, reader, s->dat, &gathered);
  pl_loop *loop = err ? NULL : gathered->loop;
  if (!err) err = pl_fuse(w->pl, 1, &loop, 0, NULL, 0, NULL, &alone);
  if (!err) err = pl_loop_prepare(alone->loop);
  if (err == PL_ERR_MEMORY) return err;
  if (err) {
    pl_string_add(w->report, "increments of \"%s\" are not inlined into \"%s\": %s\n", s->dat->node.name,
                  pl_loop_title(reader), pl_errmsg(w->pl));
    return PL_SUCCESS;
  }
  pl_string_add(w->report, "\"%s\" inlines the increments of \"%s\" by", pl_loop_title(reader),
                s->dat->node.name);
  for (int p = 0; p < s->nproducers; p++) {
    pl_string_add(w->report, " \"%s\"", pl_loop_title(producer[p]));
    w->gone[s->producer[p]] = true;
    w->into[s->producer[p]] = s->reader;
  }
  pl_string_add(w->report, "; \"%s\" is not stored\n", s->dat->node.name);
  w->gone[s->zero] = true;
  w->into[s->zero] = s->reader;
  w->op[s->reader].loop = loop;
  return PL_SUCCESS;
}

pl_err pl_pass_gather(pl_passes *w)
{
  for (int z = 0; z < w->n; z++) {
    const pl_loop *loop = w->op[z].loop;
    if (!loop || loop->role != PL_ROLE_ZERO || loop->set->parent || w->gone[z]) continue;
    pattern s = {.dat = loop->args[0].object, .zero = z, .reader = -1};
    if (wants_gather(w, s.dat) && find_pattern(w, &s) && may_gather(w, &s)) PL_TRY(gather(w, &s));
  }
  return PL_SUCCESS;
}

/* ---- outside schedules ---- */

/* All that an element reads is loaded before the first call, so it has to fit into registers. */
enum { MOST_BYTES = 512 };

static pl_dat *incremented(const pl_loop *loop)
{
  PL_EACH_ACCESS (access, loop)
    if (access->collides) return access->dat;
  return NULL;
}

/* Elements and targets stay those that they are. */
static bool is_fixed(const pl_loop *loop)
{
  if (loop->set->parent || loop->set->capacity) return false;
  PL_EACH_ARG (arg, loop)
    if (arg->map && (arg->map->mover || arg->map->to->capacity)) return false;
  return true;
}

static bool may_have_gathered(const pl_loop *loop, const pl_dat *dat, pl_increment_map *increments)
{
  const pl_context *pl = loop->pl;
  char why[PL_WHY];
  if (!pl_opt_is(pl, PL_OPT_CONFLICT, "auto") && !pl_opt_is(pl, PL_OPT_CONFLICT, "gather")) return false;
  return dat && pl_loop_traits_of(loop)->plain && !pl_tensor_arg(loop) && is_fixed(loop) &&
         pl_loop_may_fuse_any(loop, why) && pl_increment_map_find(loop, dat, increments);
}

static pl_err find_fused(pl_loop *loop, pl_dat *dat, bool stores, pl_loop **gathered)
{
  const pl_fused *fused;
  pl_err err =
    pl_agree(loop->pl, pl_fuse_gathered(loop->pl, loop, dat, stores, &fused, &loop->core_gathered));
  if (!err && fused && pl_private_bytes(fused->loop) <= MOST_BYTES) *gathered = fused->loop;
  return err == PL_ERR_KERNEL ? PL_SUCCESS : err;
}

pl_err pl_find_gathered(pl_context *pl, pl_loop *loop)
{
  pl_dat *dat = incremented(loop);
  pl_increment_map increments;
  if (!may_have_gathered(loop, dat, &increments)) return PL_SUCCESS;
  int64_t sum[2] = {(int64_t)increments.nslots * loop->set->end[1], dat->set->end[1]};
  PL_TRY(pl_comm_reduce(pl, PL_INT64, PL_INC, sum, 2));
  if (sum[0] < sum[1]) return PL_SUCCESS;
  pl_err err = find_fused(loop, dat, loop->zeroes, &loop->gathered);
  if (!err && loop->gathered && !loop->zeroes) err = find_fused(loop, dat, true, &loop->gathered_stored);
  return err;
}
