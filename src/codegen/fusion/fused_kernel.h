/* SPDX-License-Identifier: BSD-2-Clause
 * Builds a fused kernel: its parameters, its private values, the calls of its members, and in the end its
 * loop.
 *
 * Invariant: a parameter or private value is named after the member's parameter that it stands for, with a
 * number where that name is taken. No name is that of a called function, of a const, or of a user's macro.
 */
#pragma once

#include <stdbool.h>
#include "fusion_cache.h"
#include "codegen/kernel/signature.h"

enum { PL_FUSED_NAME = 48, PL_CALL_PLACE = 96 };

/* An argument of the fused loop; or a private array for a dat that is not stored. */
typedef struct pl_fused_arg {
  pl_arg arg;
  bool unstored, real;
  char name[PL_FUSED_NAME];
} pl_fused_arg;

/* A loop whose kernel the fused kernel calls. */
typedef struct pl_member {
  const pl_loop *loop;
  pl_signature signature;
  pl_fragment *fragment;
} pl_member;

typedef struct pl_builder {
  pl_context *pl;
  int nmembers;
  pl_member *member;
  int nargs, most;
  pl_fused_arg *arg;
  pl_string body, names; /* names: those in use, each between spaces */
  int nfragments;
  pl_fragment **fragment; /* of the members, each once */
  double flops;
  pl_type real;    /* pl_real of the members that name it; PL_TYPE_COUNT: none does */
  bool computes;   /* some member that does not name it has floating literals or calls */
  bool has_macros; /* a member's text has preprocessor directives */
  int nunstored;
  const void *const *unstored; /* dats that are not stored, globals that no loop reads */
  pl_loop_kind kind;           /* of the fused loop; a member may read and write one dat */
  bool unchecked;              /* the program cannot call such a loop, or never sees it */
  bool prepare_later;          /* whoever runs the loop prepares it */
  int nswap;
  pl_dat *swap[PL_MAX_SWAPS][2]; /* double-buffered dats and their second buffers */
  bool equal[PL_MAX_SWAPS];      /* before the loop the second buffer's dat has the values of the first */
  bool moved[PL_MAX_SWAPS];      /* the second buffer has been written: members read there from now on */
} pl_builder;

/* Whether the argument accesses one of n dats and globals. */
bool pl_fused_has(int n, const void *const *object, const pl_arg *arg);

/* One call under construction: a text for each argument, and statements that follow the call. */
typedef struct pl_call {
  pl_builder *b;
  const pl_member *member;
  char (*place)[PL_CALL_PLACE]; /* each argument's values: an array of values, or of arrays for all targets */
  pl_string after;
} pl_call;

/* Fills in the place of argument i. */
typedef pl_err (*pl_place_fn)(void *user, pl_call *c, int i);

/* A kernel of n members, with up to `nargs` arguments. */
pl_err pl_builder_open(pl_context *pl, pl_builder *b, int nargs, int n, pl_loop *const *member);

/* The fused loop's argument for a member's argument and parameter. */
pl_fused_arg *pl_builder_arg(pl_builder *b, const pl_arg *arg, const pl_param *param);
/* The same; arguments of different access stay separate. */
pl_fused_arg *pl_builder_separate_arg(pl_builder *b, const pl_arg *arg, const pl_param *param);

const char *pl_fused_type(const pl_param *param, const pl_arg *arg); /* of a value */

/* A free name like `base`. */
void pl_builder_name(pl_builder *b, const char *base, char name[PL_FUSED_NAME]);
/* Declares an array of `dim` values, or of `rows` rows of them, under a free name like `base`. */
void pl_builder_private(pl_builder *b, const char *type, const char *base, int rows, int dim,
                        char name[PL_FUSED_NAME]);

/* Prints a call of member m. */
pl_err pl_builder_call(pl_builder *b, int m, pl_place_fn place, void *user);
void pl_call_collect(pl_call *c, int i, const pl_fused_arg *s); /* combines argument i after the call */

/* Without an error so far, makes the kernel's loop and keeps it under the key. Frees the builder. The
 * kernel's name has those of its members with `between` them. */
pl_err pl_builder_close(pl_builder *b, pl_err err, uint64_t key, pl_set *set, const char *between,
                        const pl_fused **fused);
