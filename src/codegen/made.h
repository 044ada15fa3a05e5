/* SPDX-License-Identifier: BSD-2-Clause
 * The text of a made kernel in the making: its parameters, the calls of its members, and the loop in the end.
 * Names in the text: pl_a3 is parameter 3, pl_t1 a private value.
 */
#ifndef PLAIT_CODEGEN_MADE_H
#define PLAIT_CODEGEN_MADE_H

#include "core/text.h"
#include "signature.h"
#include "workshop.h"

/* An argument of the made loop; or a private array that stands for a dat which is not stored. */
typedef struct pl_made_slot {
  pl_arg arg;
  bool dead, real;
} pl_made_slot;

typedef struct pl_builder {
  pl_context *pl;
  int nslots, most;
  pl_made_slot *slot;
  pl_text body;
  int privates;
  int nparts, parts_room;
  pl_part_text **part;
  double flops;
  pl_type real;  /* what pl_real is in the members that use it; PL_TYPE_COUNT: none does */
  bool computes; /* some member that does not has floating literals or calls */
  int ndead;
  const void *const *dead; /* dats that are not stored, globals that nobody asks for */
  bool raw;                /* the loop is only a member of others: it may read and write one dat */
  bool later;              /* the loop is prepared by who runs it */
  int nswap;
  pl_dat *swap[PL_SWAPS][2]; /* dats that are written in a second storage */
  bool equal[PL_SWAPS];      /* the second storage's own dat has the values of the first one before */
  bool moved[PL_SWAPS];      /* from now on they are seen there */
} pl_builder;

enum { PL_CALL_PLACE = 96 };

/* One call in the making: a text for each argument, and what comes after. */
typedef struct pl_call {
  pl_builder *b;
  const pl_loop *loop;
  const pl_signature *signature;
  pl_part_text *part;
  char (*place)[PL_CALL_PLACE]; /* where each argument's values are: an array of values, or of arrays for all
                                   targets */
  pl_text after;
} pl_call;

bool pl_combines(pl_access access); /* INC, MIN, MAX */

pl_err pl_builder_open(pl_context *pl, pl_builder *b, int slots, int parts);
void pl_builder_free(pl_builder *b);

/* The made loop's argument for a member's. */
pl_made_slot *pl_builder_slot(pl_builder *b, const pl_arg *arg, bool real);
/* The same, never shared with one of another access. */
pl_made_slot *pl_builder_slot_apart(pl_builder *b, const pl_arg *arg, bool real);
int pl_slot_number(const pl_builder *b, const pl_made_slot *s);

/* A call: places are filled in between open and print. */
pl_err pl_call_open(pl_builder *b, const pl_loop *loop, const pl_signature *signature, pl_call *c);
void pl_call_collect(pl_call *c, int i, const pl_made_slot *s); /* argument i is combined after the call */
void pl_call_print(pl_call *c);
void pl_call_close(pl_call *c);

/* The signature of a loop, bound; freed by pl_signature_free. */
pl_err pl_loop_signature(const pl_loop *loop, pl_signature *signature);

/* The loop over a set with the text so far. */
pl_err pl_builder_loop(pl_builder *b, pl_set *set, const char *label, pl_loop **loop);

#endif
