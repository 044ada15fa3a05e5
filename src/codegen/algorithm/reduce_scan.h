/* SPDX-License-Identifier: BSD-2-Clause
 * The text of reductions and scans: the user's expressions as functions (pl_input, pl_flag, pl_op, pl_output,
 * pl_neutral), and one of two fixed texts that call them, scan.host.inc and scan.device.inc, whose head
 * comments say what they define.
 *
 * Invariant: a program depends on the algorithm's text, on consts and helpers, and on the kinds, types and
 * accesses of arguments; never on sizes or objects. So one program serves all calls that look alike.
 */
#ifndef PLAIT_CODEGEN_ALGORITHM_H
#define PLAIT_CODEGEN_ALGORITHM_H

#include "core/algorithm.h"
#include "dialect.h"
#include "source.h"

/* What a program knows of an argument. */
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
  pl_context *pl;
  const pl_algorithm *algorithm;
  uint64_t decl_version;
  int nargs;
  pl_array_arg *arg;
  pl_signature signature; /* the user's parameters */
  pl_type item;           /* of the values that are combined */
  bool uses_last;         /* the output names last_item */
  bool light, commutes;   /* the operator: lanes.c */
  int nstores;            /* all that the output does, if it only stores; else 0 */
  pl_scan_store store[PL_MOST_STORES];
  pl_source source; /* its consts */
  pl_text text;
} pl_scan_program;

/* Prints the program of a call. Errors as for kernels. */
pl_err pl_scan_program_make(pl_context *pl, const pl_scan_call *call, const pl_dialect *dialect,
                            pl_scan_program *program);
/* Fills in what lanes can do: the program's `light`, `commutes` and stores. */
void pl_scan_lanes(pl_scan_program *program);
void pl_scan_program_free(pl_scan_program *program); /* a zeroed one is fine */

/* Bytes of an item: a value, followed by a flag where there are segments; the same on every backend. */
size_t pl_scan_item_size(const pl_scan_program *program);

/* The program is that of this call too. */
bool pl_scan_program_fits(const pl_scan_program *program, const pl_scan_call *call);

/* Macros that make one text of a device's words: KERNEL, GLOBAL, LOCAL, BARRIER, GROUP, LANE, ... */
void pl_print_device_words(pl_text *text, const pl_dialect *dialect);

/* Fixed texts, made of the files of the same names (CMakeLists.txt). */
extern const char pl_text_scan_host[], pl_text_scan_device[], pl_text_order_device[], pl_text_pairs_device[],
  pl_text_settle_device[];

#endif
