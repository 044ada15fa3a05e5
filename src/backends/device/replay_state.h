/* SPDX-License-Identifier: BSD-2-Clause
 * The state that the device calls of a schedule depend on, besides its loops: which copies of its objects are
 * valid, and where they are. Invariant: a schedule whose state is that of an earlier run makes the same
 * calls.
 */
#pragma once

#include "driver.h"

struct pl_schedule;

typedef struct pl_replay_state {
  int n, room;
  uint64_t *word;
} pl_replay_state;

/* Fills `state`. False if calls may differ all the same: on several ranks, with random numbers, pairs, whole
 * dats that are copied or zeroed, inputs that were not computed, or without memory. */
bool pl_replay_state_take(pl_context *pl, const struct pl_schedule *schedule, pl_replay_state *state);

bool pl_replay_state_equal(const pl_replay_state *a, const pl_replay_state *b);
void pl_replay_state_free(pl_context *pl, pl_replay_state *state);
