/* SPDX-License-Identifier: BSD-2-Clause
 * The dialect table: the differences of targets in generated text, one row a target. Invariant: nothing
 * else asks which target a text is for. seq and openmp share the host row, since threads are started by the
 * backend.
 */
#pragma once

#include <stdbool.h>
#include "name_table.h"

/* Text of device programs: atomics, functions (codegen/templates). */
extern const char pl_template_program_host[], pl_template_program_cuda[], pl_template_program_opencl[];
extern const char pl_template_complex_cuda[], pl_template_complex_opencl[], pl_template_bessel_device[],
  pl_template_lanes_opencl[];

typedef struct pl_dialect {
  const char *name;                /* for comments in the text */
  const char *suffix;              /* of file names */
  const char *predefined;          /* a macro of the target's compiler; NULL: none */
  bool host;                       /* runs ranges of elements in a loop; else one element a work item */
  bool cplusplus;                  /* the language is C++ */
  bool one_long;                   /* long long is not 64 bits wide: long is written instead */
  bool one_space;                  /* of a device: pointers to private and global memory have one type */
  bool consts_by_value;            /* consts are a kernel parameter by value */
  const char *vector_function;     /* qualifier of functions of vectors; NULL: the language has them all */
  bool vector_types;               /* float4 and its like are types */
  bool vector_operators;           /* they have operators */
  const char *prelude;             /* before everything */
  const char *prelude_double;      /* also, if the text uses double; "" if nothing is needed */
  const char *complex;             /* before texts with complex numbers of C99 */
  const char *cpp;                 /* before kernels in C++; NULL: the target cannot run them */
  const pl_target_name *cpp_names; /* C names that C++ on the target does not know */
  const char *program;             /* before device programs, behind their words */
  const pl_target_name *program_names;               /* names that device programs use */
  const pl_math_words *math;                         /* names of math.h functions in them; NULL: as in C */
  const pl_target_name *names;                       /* C names that the target does not know */
  const char *kernel_qualifier;                      /* of the user's kernel */
  const char *function_qualifier;                    /* of helpers */
  const char *device_qualifier;                      /* of other functions than kernels */
  const char *entry_qualifier;                       /* of the entry point */
  const char *data_qualifier;                        /* of variables at file scope; "": as written */
  const char *global;                                /* of pointers to global memory */
  const char *constant;                              /* of the pointer to the consts */
  const char *local;                                 /* of arrays in block memory */
  const char *local_pointer;                         /* of pointers to them */
  const char *shared_parameter, *shared_declaration; /* block memory whose size is set at launch */
  const char *restrict_word;
  const char *barrier;      /* statement: all work items of a block wait */
  const char *block_fence;  /* statement: the work items of a block see earlier writes first */
  const char *fence;        /* statement: other blocks see earlier writes first; NULL: none */
  const char *system_fence; /* the same for the host; NULL: none */
  const char *pause;        /* statement: a work item waits for about a microsecond; NULL: none */
  /* Statement: kernels that were launched before have ended (pl_grid.waits). Kernels of loops begin
   * with it, and PL_RESTRICT is their `restrict`. NULL: no kernel is launched early. */
  const char *wait;
  const char *draw; /* with a fence, an expression over p: increments it, gives the old value */
  const char *block_id, *blocks, *local_id, *local_size;
  bool warps;               /* 32 neighbouring work items, a warp, run in lockstep */
  const char *lanes;        /* text before those that use values of other lanes; NULL: none */
  const char *warp_barrier; /* statement: a warp waits, without warps the block */
  bool sectors;             /* the prelude has pl_load_sectors and pl_store_sectors */
  const char
    *other_lane;        /* "f(": f(value, d) is the value of the lane whose number differs by d; NULL: none */
  const char *shift_up; /* an expression over x, d: the value of the lane d below; NULL: none */
  const char *from_lane; /* an expression over x, lane: the value of that lane; NULL: none */
  const char *ballot; /* an expression over x: a bit for each lane of the warp where x is not 0; NULL: none */
  const char *count_bits;                          /* a function */
  const char *atomic_add, *atomic_or, *atomic_max; /* functions of a pointer and a 32-bit integer */
  /* Atomics of devices, as statements over p (a global pointer) and v; NULL: a compare-and-swap loop. */
  const char *add_int32, *add_int64, *add_float, *add_double;
  const char *cas_32, *cas_64; /* expressions over p, a (expected) and b (new): the old value */
} pl_dialect;

/* The row of a target ("seq", "openmp", "cuda", "opencl"; "opencl_ptx": where OpenCL's compiler takes PTX,
 * whose devices let groups wait for each other; "program": device programs on hosts); NULL for an unknown
 * one. */
const pl_dialect *pl_dialect_find(const char *target);
