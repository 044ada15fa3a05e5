/* SPDX-License-Identifier: BSD-2-Clause
 * The dialect table: what differs between targets in generated text. One row a target; the walker knows no
 * names of targets, only columns. seq and openmp share the host row: threads are started by the backend, not
 * by the text.
 */
#ifndef PLAIT_CODEGEN_DIALECT_H
#define PLAIT_CODEGEN_DIALECT_H

#include "names.h"

typedef struct pl_dialect {
  const char *name;               /* "c", "cuda", "opencl" */
  bool host;                      /* runs ranges of elements in a loop; else one element a work item */
  bool one_space;                 /* of a device: private and global values have pointers of one type */
  bool consts_by_value;           /* a kernel is handed the consts themselves */
  const char *prelude;            /* before everything */
  const char *prelude_double;     /* also, if the text uses double; "" if nothing is needed */
  const pl_math_words *math;      /* of functions of math.h among them; NULL: there are none */
  const pl_target_name *names;    /* what the user's text may name and the target does not know as C does */
  const char *kernel_qualifier;   /* of the user's kernel */
  const char *function_qualifier; /* of helpers */
  const char *entry_qualifier;    /* of the entry point */
  const char *data_qualifier;     /* of variables at file scope; "": as written */
  const char *global;             /* of pointers to global memory */
  const char *constant;           /* of the pointer to the consts */
  const char *local;              /* of arrays shared by a block, and of pointers to them */
  const char *local_pointer;
  const char *shared_parameter,
    *shared_declaration; /* local memory whose size is known when the kernel starts */
  const char *restrict_word;
  const char *barrier; /* a statement */
  const char *fence; /* a statement: other blocks see what was written before it first; NULL: there is none */
  const char *draw;  /* with a fence, an expression over p: counts it up, and what it was */
  const char *block_id, *blocks, *local_id, *local_size;
  const char
    *other_lane; /* "f(": f(value, d) is the value of the lane whose number differs by d; NULL: none */
  /* Atomics of devices, as statements over p (a global pointer) and v; NULL: a compare-and-swap loop is
   * printed. */
  const char *add_int32, *add_int64, *add_float, *add_double;
  const char *cas_32, *cas_64; /* expressions over p, a (expected) and b (new): what was there */
} pl_dialect;

/* The row of a target ("seq", "openmp", "cuda", "opencl"), or NULL. */
const pl_dialect *pl_dialect_find(const char *target);

#endif
