/* SPDX-License-Identifier: BSD-2-Clause
 * Properties of a loop argument that its kernel does not affect: type, size, targets, name.
 */
#pragma once

#include "core/context/string_builder.h"

/* The name of a valid access: "READ", "INC_ANTI". */
const char *pl_access_name(pl_access access);
bool pl_combines(pl_access access); /* PL_INC, PL_MIN, PL_MAX: the order of elements does not matter */

/* Properties of a kind of argument. */
typedef enum pl_arg_object {
  PL_OF_NOTHING,
  PL_OF_DAT,
  PL_OF_GLOBAL,
  PL_OF_CONST,
  PL_OF_MATRIX,
  PL_OF_MIXED
} pl_arg_object;
typedef struct pl_arg_traits {
  const char *noun;
  pl_arg_object of; /* its object, which has a name, a type and a dim */
  bool record;      /* the kernel gets the records of elements */
  bool derived;     /* the kernel gets what is computed from the records of both elements of a pair: */
  bool single;      /* one value, whatever the dim */
  bool shared;      /* all elements get the same values */
  bool numbered;    /* the kernel gets the user's number of an element */
  bool foreign;     /* the kernel gets memory of the program, of which the library knows nothing */
} pl_arg_traits;

enum { PL_ARG_KINDS = PL_ARG_MIXED_MAT + 1 };
extern const pl_arg_traits pl_arg_traits_of_kind[PL_ARG_KINDS];

static inline const pl_arg_traits *pl_arg_traits_of(const pl_arg *arg)
{
  const unsigned kind = arg->kind; /* a program may give an invalid one */
  return &pl_arg_traits_of_kind[kind < PL_ARG_KINDS ? kind : 0];
}

static inline bool pl_arg_is_record(const pl_arg *arg)
{
  return pl_arg_traits_of(arg)->record;
}

static inline bool pl_arg_is_foreign(const pl_arg *arg)
{
  return pl_arg_traits_of(arg)->foreign;
}

static inline bool pl_arg_is_derived(const pl_arg *arg)
{
  return pl_arg_traits_of(arg)->derived;
}

/* Runs the statement behind it for each argument of a loop, or of a call. */
#define PL_EACH_ARG(arg, loop)                                                                               \
  for (const pl_arg *arg = (loop)->args; arg < (loop)->args + (loop)->nargs; arg++)

static inline bool pl_arg_is_numbered(const pl_arg *arg)
{
  return pl_arg_traits_of(arg)->numbered;
}

bool pl_arg_has_data(const pl_arg *arg);                  /* accesses a dat or a global */
bool pl_arg_accesses(const pl_arg *arg, const void *dat); /* accesses records of this dat */
pl_dat *pl_arg_dat_of(const pl_arg *arg);                 /* the dat that it accesses in memory, or NULL */

/* Type, number and size of the values of one target (of a component: 1 value). */
pl_type pl_arg_type(const pl_arg *arg);
pl_type pl_arg_seen_type(const pl_arg *arg); /* in the kernel: double for fixed point */
int pl_arg_dim(const pl_arg *arg);
size_t pl_arg_bytes(const pl_arg *arg);

/* pl_arg.zeroed of a fused loop over pairs: the sums are for the particles' part alone, and not stored. */
#define PL_ZEROED_PRIVATE 2

/* An index in loops of the library: the kernel gets a pl_row of the whole dat, and of the whole map if there
 * is one, whatever set it starts from. */
#define PL_WHOLE (-1000)
bool pl_arg_is_row(const pl_arg *arg);                    /* through a ragged map, or PL_WHOLE */
int pl_arg_targets(const pl_arg *arg);                    /* pointers that the kernel gets; 1 for a row */
int pl_arg_reached(const pl_arg *arg, int element);       /* targets of this element */
int pl_arg_target(const pl_arg *arg, int element, int k); /* the k-th of them; negative: none */

bool pl_arg_is_first(const pl_arg *args,
                     int i); /* no earlier argument has the object; those off do not count */
bool pl_arg_writes(const pl_arg *arg);
bool pl_arg_collides(const pl_arg *arg); /* it writes through a map, so that elements may conflict */

/* "dat", "global", "matrix". */
const char *pl_arg_noun(const pl_arg *arg);

/* "argument 3 (dat \"res\")", into a buffer of PL_ARG_NAME bytes. */
#define PL_ARG_NAME 128
const char *pl_arg_name(const pl_arg *args, int i, char *buffer);
void pl_arg_describe(pl_string *text, const pl_arg *arg); /* adds " res INC by edge[1]" */
