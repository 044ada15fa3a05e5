/* SPDX-License-Identifier: BSD-2-Clause
 * Reductions of a loop: partial results, their combination, and their transfer to the globals.
 */
#pragma once

#include "plait.h"
#include <stdbool.h>

/* Whether an argument is a reduction (INC, MIN, MAX of a global) or the payload of one. */
bool pl_arg_reduces(const pl_arg *arg);
int pl_payload_of(const pl_loop *loop, int i);   /* the reduction of payload argument i; -1: no payload */
bool pl_has_payload(const pl_loop *loop, int i); /* of reduction i */

/* Set partial results to the neutral element; combine two sets of them. `element` has the form of
 * loop->arg_element. Ties of a MIN or MAX with payload go to the lower element. */
void pl_results_clear(const pl_loop *loop, void *const *result, int64_t *element);
void pl_results_add(const pl_loop *loop, void *const *into, int64_t *into_element, void *const *from,
                    const int64_t *from_element);

/* Whether devices can sum over ranks themselves; prepares them. While pl->sums_on_devices, sums of doubles
 * from zero stay there, so that the host does not wait for them, but devices wait for each other. Collective.
 */
bool pl_devices_sum_ranks(pl_context *pl);

/* Before a run: waits for the globals that the loop reads; on several ranks a device starts from neutral
 * values. After it: combines the results with the globals, or on several ranks starts their reduction.
 * Collective. */
pl_err pl_reductions_begin(pl_loop *loop);
pl_err pl_reductions_end(pl_loop *loop);
void pl_reductions_cancel(pl_loop *loop); /* after a run that failed */
