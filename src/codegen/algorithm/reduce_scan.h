/* SPDX-License-Identifier: BSD-2-Clause
 * Programs of reductions and scans: the user's expressions as functions (pl_input, pl_flag, pl_op, pl_output,
 * pl_neutral), and one of two fixed texts that call them, scan.host.inc and scan.device.inc.
 *
 * Invariant: a program depends on the algorithm's text, on consts and helpers, and on the kinds, types and
 * accesses of arguments, never on sizes or objects, so calls with equal ones share it.
 */
#pragma once

#include <stdbool.h>
#include "codegen/source/kernel_source.h"
#include "codegen/target/dialect.h"
#include "core/context/backend.h"

/* The properties of an argument on which a program depends. */
typedef struct pl_array_arg {
  pl_arg_kind kind;
  pl_access access;
  pl_type type;
  int dim;
} pl_array_arg;

/* A piece of the user's text. */
typedef struct pl_slice {
  const char *text;
  size_t length;
} pl_slice;

/* An output's statement `NAME[i] = value;`. */
typedef struct pl_scan_store {
  int param;
  pl_slice value;
} pl_scan_store;
enum { PL_MOST_STORES = 4 };

typedef struct pl_scan_program {
  struct pl_scan_program *next;
  pl_context *pl;
  const pl_algorithm *algorithm;
  uint64_t decl_version;
  int nargs;
  pl_array_arg *arg;
  pl_signature signature; /* the user's parameters */
  pl_type item;           /* of the values that are combined */
  bool uses_last;         /* the output names last_item */
  pl_slice op;            /* the operator without PL_COMMUTATIVE */
  bool light, commutes;   /* the operator: scan_vectorise.c */
  int own;                /* elements of a work item in pl_look_back; 0: the program has no such kernel */
  int nstores;            /* statements of an output that only stores; else 0 */
  pl_scan_store store[PL_MOST_STORES];
  pl_source source; /* its consts */
  pl_string text;
} pl_scan_program;

/* Prints the program of a call. Errors as for kernels. */
pl_err pl_scan_program_make(pl_context *pl, const pl_scan_call *call, const pl_dialect *dialect,
                            pl_scan_program *program);
void pl_scan_program_free(pl_scan_program *program); /* a zeroed one is fine */

/* Of pl_look_back: warps of a group, bytes of a work item's elements, and the word of the first report. */
enum { PL_LOOK_BACK_WARPS = 8, PL_LOOK_BACK_BYTES = 128, PL_LOOK_BACK_FIRST = 16 };

/* Bytes of an item: a value, followed by a flag where there are segments; the same on every backend. */
size_t pl_scan_item_size(const pl_scan_program *program);

/* How a backend prepares an algorithm: in so many zeroed bytes, which begin with its program. */
typedef struct pl_scan_maker {
  size_t size;
  pl_err (*prepare)(pl_context *pl, const pl_scan_call *call, void *code);
  void (*release)(pl_context *pl, void *code); /* all but the program, also after a failed prepare */
} pl_scan_maker;

/* The prepared algorithm of a call, from the list or new; frees outdated ones. */
pl_err pl_scan_get(pl_context *pl, const pl_scan_maker *maker, pl_scan_program **list,
                   const pl_scan_call *call, void **code);
void pl_scans_free(pl_context *pl, const pl_scan_maker *maker, pl_scan_program **list);

/* Fixed texts, made of the files of the same names (CMakeLists.txt). */
extern const char pl_template_scan_host[], pl_template_scan_device[], pl_template_look_back_device[],
  pl_template_radix_sort_device[], pl_template_neighbour_list_device[], pl_template_particle_owners_device[];
