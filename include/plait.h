/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Plait: parallel loops over unstructured meshes and particles.
 *
 * A program declares sets, maps between sets and dats (values on the elements of a set), writes each kernel
 * once in plain C, and calls pl_par_loop. Plait generates, compiles and runs the loop on the chosen backend.
 * Programs include this header only; the headers in plait/ hold the declarations. C99, C++17 and later.
 *
 * Conventions, which hold unless a function says otherwise:
 *  - A function returns pl_err: PL_SUCCESS (0) or an error code; pl_errmsg(pl) then describes the error. A
 *    NULL pointer where an object or a result is required is PL_ERR_ARG, or PL_ERR_NULL if it is the first
 *    object: then no context is known, and the thread keeps the message. A call that fails changes nothing.
 *    Functions that return a property (pl_set_size, ...) accept NULL, and so do declarations for the name of
 *    an object, which messages then call "(unnamed)". Names in files, options and kernels are required.
 *  - Codes that any function may return are not repeated below: PL_ERR_ARG for an object of another context
 *    or set, or a subset where a set is required; PL_ERR_RANGE for a size, dim, arity or index outside its
 *    range; PL_ERR_TYPE for an unknown type; PL_ERR_STATE for values with an open host view; PL_ERR_MEMORY;
 *    PL_ERR_COMM for a failure of MPI. A collective call returns the error of one rank on all ranks.
 *  - Results are written through the last pointer arguments.
 *  - Arrays and strings passed in are copied and remain the caller's. Strings and arrays returned belong to
 *    the library; callers must not free or modify them.
 *  - An object belongs to its context and lives until pl_*_free or pl_finalize. pl_*_free takes the address
 *    of the handle, sets the handle to NULL and accepts NULL; it is collective if the declaration is. Free an
 *    object after everything declared on it: a set or program in use stays until pl_finalize, and a loop with
 *    a freed object returns an error when it is run.
 *  - "Collective": all ranks of the context's communicator make the call, in the same order. Functions that
 *    write values are collective even if they send nothing, since every rank must learn that halo copies are
 *    stale. "Local": any rank may make the call alone.
 *  - Host views, and all arrays and indices in this interface, are in user order: the order of declaration,
 *    or after pl_partition ascending global indices. The storage order is internal.
 *  - One thread at a time uses a context and its objects. Different contexts are independent.
 *  - After fork() only the parent may use its contexts. The child may open its own; on "openmp" or a device
 *    only if the parent has used neither, because threads and drivers do not survive fork().
 */
#ifndef PLAIT_H
#define PLAIT_H

/* Versions. A program runs with a library of the same major and minor version, its own patch version or a
 * later one; before 1.0 another minor version is another interface, and the shared library has another name.
 * Within one, functions are only added, and structs that a program passes by pointer only get members at
 * their end. Such a struct goes together with its size in the program's version: the library takes missing
 * members as 0, refuses members that it does not know unless they are 0, and writes no more than the size.
 * The inline functions of the headers pass the size; so zero-initialise structs, and let the compiler know
 * their length. */

/* Table of contents, in order of use. A program that only runs loops needs the first five. */
#include <plait/core.h>       /* errors, context, options, devices, value types */
#include <plait/sets.h>       /* sets, subsets, maps */
#include <plait/dats.h>       /* dats, arrays, globals, consts, random numbers */
#include <plait/kernels.h>    /* kernels, helper functions, rows of ragged maps */
#include <plait/loops.h>      /* loop arguments, loops */
#include <plait/ranks.h>      /* partitioning over MPI ranks, renumbering */
#include <plait/arithmetic.h> /* vector arithmetic on dats and globals */
#include <plait/chains.h>     /* chains: deferred and fused loops */
#include <plait/stats.h>      /* counters, profile, timers */
#include <plait/particles.h>  /* pair loops, particle tracking */
#include <plait/algorithms.h> /* reductions, scans, sorting; sets of variable size */
#include <plait/programs.h>   /* device programs, queues, events */
#include <plait/files.h>      /* NumPy and HDF5 files */
#include <plait/tools.h>      /* the interface of profilers */
#include <plait/matrix.h>     /* sparse matrices, assembled by loops */
#include <plait/mixed.h>      /* vectors and matrices of several spaces */
#include <plait/solver.h>     /* iterative solvers of linear systems */
#include <plait/interop.h>    /* dats in memory of the program, device memory of dats */
#include <plait/languages.h>  /* for other languages, in place of macros and inline functions */

#endif
