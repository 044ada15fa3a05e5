/* SPDX-License-Identifier: BSD-2-Clause
 * The state that a replay depends on, as words that are compared.
 */
#include "replay_state.h"
#include "core/chain/chain.h"
#include "core/comm/comm.h"
#include "core/data/loop_object.h"
#include "core/data/objects.h"
#include <string.h>

static bool add_word(pl_context *pl, pl_replay_state *s, uint64_t word)
{
  if (s->n == s->room) {
    const int room = 2 * s->room + 64;
    uint64_t *more = pl_resize(pl, s->word, (size_t)room * sizeof *more);
    if (!more) return false;
    s->word = more;
    s->room = room;
  }
  s->word[s->n++] = word;
  return true;
}

static bool add_dat(pl_context *pl, pl_replay_state *s, const pl_dat *dat)
{
  const pl_storage *storage = &dat->storage;
  const uint64_t flags = (uint64_t)storage->device_valid | (uint64_t)(storage->host != NULL) << 1 |
                         (uint64_t)storage->host_stale << 2;
  return add_word(pl, s, (uint64_t)(uintptr_t)storage->device) && add_word(pl, s, flags);
}

/* A sum is not uploaded where it is zero. */
static bool add_global(pl_context *pl, pl_replay_state *s, const pl_global *global)
{
  const uint64_t flags = (uint64_t)global->device_valid | (uint64_t)(global->fetched != NULL) << 1 |
                         (uint64_t)pl_global_is_zero(global) << 2 | (uint64_t)global->host_stale << 3;
  return add_word(pl, s, (uint64_t)(uintptr_t)global->device) && add_word(pl, s, flags);
}

static bool add_loop(pl_context *pl, pl_replay_state *s, const pl_loop *loop)
{
  if (loop->role || loop->random || pl_loop_traits_of(loop)->pairs) return false;
  if (!add_word(pl, s, (uint64_t)loop->set->end[1] << 32 | (uint32_t)loop->set->end[3])) return false;
  PL_EACH_ACCESS (access, loop) {
    if (access->object->failure.code) return false;
    if (access->dat && !add_dat(pl, s, access->dat)) return false;
    if (access->global && !add_global(pl, s, access->global)) return false;
  }
  return true;
}

/* The swap itself makes no calls if the layouts are equal. */
static bool add_swap(pl_context *pl, pl_replay_state *s, pl_dat *const dat[2])
{
  const pl_layout a = dat[0]->storage.layout, b = dat[1]->storage.layout;
  return a.tile == b.tile && a.pack == b.pack && add_dat(pl, s, dat[0]) && add_dat(pl, s, dat[1]);
}

static bool add_step(pl_context *pl, pl_replay_state *s, const pl_step *step)
{
  const pl_op *op = &step->op;
  if (op->loop && !add_loop(pl, s, op->loop)) return false;
  const pl_global *const global[] = {op->result, op->a, op->b};
  for (int i = 0; i < 3; i++) {
    if (!global[i]) continue;
    if (global[i]->node.failure.code || !add_global(pl, s, global[i])) return false;
  }
  for (int i = 0; i < step->nswap; i++)
    if (!add_swap(pl, s, step->swap[i])) return false;
  return true;
}

bool pl_replay_state_take(pl_context *pl, const pl_schedule *schedule, pl_replay_state *state)
{
  state->n = 0;
  if (pl_ranks(pl) > 1) return false;
  if (!add_word(pl, state, pl->preparations) || !add_word(pl, state, pl->const_version)) return false;
  for (int i = 0; i < schedule->nsteps; i++)
    if (!add_step(pl, state, &schedule->step[i])) return false;
  return true;
}

bool pl_replay_state_equal(const pl_replay_state *a, const pl_replay_state *b)
{
  return a->n && a->n == b->n && !memcmp(a->word, b->word, (size_t)a->n * sizeof *a->word);
}

void pl_replay_state_free(pl_context *pl, pl_replay_state *state)
{
  pl_free(pl, state->word);
  *state = (pl_replay_state){0};
}
