/* SPDX-License-Identifier: BSD-2-Clause
 * Properties of pair loops that decide the form of their text.
 */
#pragma once

#include <stdbool.h>
#include "emitter.h"

/* Each pair is seen once: a ragged map's, or by the option `list` where that is right (host only). */
bool pl_pair_once(const pl_loop *loop);
/* Side 1 is incremented too: pairs of one loop collide. */
bool pl_pair_scatters(const pl_loop *loop);
/* Side 0 stores its sums: the argument is pl_arg_zeroed, and each element has one row. */
bool pl_pair_stores(const pl_loop *loop);
/* The particles' part follows the pairs: arguments from loop->behind on. */
bool pl_pair_has_particles(const pl_loop *loop);
/* Scalar or in lanes. */
pl_form pl_pair_form(const pl_loop *loop);

int pl_pair_lanes(const pl_loop *loop); /* particles in a group */

/* An argument's value comes from the records, not from its dat. */
bool pl_pair_from_records(const pl_loop *loop, const pl_arg *arg);
const char *pl_pair_type(const pl_emitter *e); /* of the records */

bool pl_pair_gathers(const pl_operand *op);                          /* side 0 sums it up */
const char *pl_pair_adds(const pl_emitter *e, const pl_operand *op); /* = or +=, for sums of side 0 */
