/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs, printed. Names in the text:
 *   pl_e, pl_o   the particles on side 0 and side 1        pl_p   the record of side 1 (pl_s, on devices: of
 * side 0) P, W         records, and the particle of each         O, E   rows: offsets and entries pl_d0, ...
 * the difference of the positions           pl_r2  the square of its length a2           what side 0 gathers
 * of argument 2         g3     result 3 while the loop runs
 *
 * A pair map is printed in full, from both sides, so that each particle gathers its own and nothing collides;
 * or half, each pair once, with both sides' increments scattered: what a ragged map's entries are anyway.
 */
#ifndef PLAIT_CODEGEN_PAIR_H
#define PLAIT_CODEGEN_PAIR_H

#include "body.h"
#include "core/pairs.h"

/* Each pair is seen once: a ragged map's, or by the option `list` where that is right (host only). */
bool pl_pair_once(const pl_loop *loop);
/* Side 1 is incremented too: pairs of one loop collide. */
bool pl_pair_scatters(const pl_loop *loop);
/* Side 0 stores what it has gathered: the argument is pl_arg_zeroed, and each element has one row. */
bool pl_pair_stores(const pl_loop *loop);
/* Scalar or in lanes. */
pl_form pl_pair_form(const pl_loop *loop);

/* The slots of the list, after those of the arguments. */
void pl_pair_slots(pl_walk_state *w);
/* An argument's value comes from the records, not from its dat. */
bool pl_pair_from_records(const pl_loop *loop, const pl_arg *arg);
const char *pl_pair_type(const pl_walk_state *w); /* of the records */

/* Steps of a loop over one particle's row; b->lanes says whether pl_l is in sight. */
void pl_pair_load_batch(const pl_body *b); /* on devices: the records of a few entries at once */
void pl_pair_take_of_batch(const pl_body *b, int k);
void pl_pair_own_place(const pl_body *b);       /* pl_x0, ...: the record of side 0 */
void pl_pair_geometry(const pl_body *b);        /* pl_d0, ..., pl_r2 */
void pl_pair_call(const pl_body *b);            /* private values, the kernel, shares and results */
void pl_pair_private(const pl_body *b);         /* private values, filled */
void pl_pair_declare_waiting(const pl_body *b); /* in lanes: what the pair adds ... */
void pl_pair_add_waiting(const pl_body *b);     /* ... and adding it */
bool pl_pair_gathers(const pl_operand *op);     /* side 0 gathers it */
const char *pl_pair_adds(const pl_walk_state *w, const pl_operand *op); /* = or +=, what side 0 gathered */
bool pl_pair_keeps_own(const pl_walk_state *w,
                       const pl_operand *op); /* in lanes: values of side 0 are loaded once */
bool pl_pair_halved(const pl_walk_state *w, const pl_operand *op); /* a sum that counts each pair twice */

void pl_print_pair_host(const pl_body *b);                      /* pl_range() */
void pl_print_pair_entry(const pl_body *b, const char *record); /* of the host: one entry of a row */
void pl_print_pair_prelude(const pl_body *b);                   /* in lanes: how records are loaded */
void pl_print_pair_lanes(const pl_body *b);  /* the groups of particles pl_begin to pl_end */
void pl_print_pair_device(const pl_body *b); /* pl_run() */

#endif
