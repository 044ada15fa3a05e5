/* SPDX-License-Identifier: BSD-2-Clause
 * Chains: sequences of loops that are recorded, fused and run later (docs/chains.md). */
#ifndef PLAIT_CHAINS_H
#define PLAIT_CHAINS_H

#include <plait/dats.h>

PL_EXTERN_C_BEGIN

/* Loops between pl_chain_begin and pl_chain_end (with option lazy: all loops) are recorded and run later: at
 * the end of the chain, or when the program reads data they change. Loops over one set are fused where
 * dependences allow, and values used only inside the chain are not stored. Arithmetic, pl_dat_zero,
 * pl_dat_copy and pl_global_zero are recorded too. Results equal those of the loops in sequence, except for
 * the order in which increments are added. A recorded loop that fails, and those that need its results, are
 * left out; the others run. Each later read of such a result returns the error, until all its values are
 * overwritten. On several ranks any call that reads data changed by a recorded loop is collective, since it
 * may run loops.
 *
 * pl_chain_begin opens the chain `name`, created at first use and freed with the context; chains do not nest.
 * pl_chain_end runs the remaining loops and returns the first error of the chain's loops. Errors:
 * PL_ERR_STATE if a chain is already open (begin) or this one is not (end). pl_chain_begin also returns the
 * error that pl_flush would return. Collective. */
typedef struct pl_chain pl_chain;
PL_API pl_err pl_chain_begin(pl_context *pl, const char *name, pl_chain **chain);
PL_API pl_err pl_chain_end(pl_chain *chain);

/* Warm-up: from here to pl_chain_end loops are planned, compiled and prepared, but not run, so that the first
 * run is as fast as later ones. Data read meanwhile has its old values. Operations that are never recorded
 * (writable views, setting globals, algorithms, device programs, adding, removing or moving particles) are
 * carried out. It prepares for this sequence: the same loops, with data read at the same positions. Errors:
 * PL_ERR_STATE if the chain is not open, and those of kernels. Collective. */
PL_API pl_err pl_chain_warm_up(pl_chain *chain);

/* Runs all recorded loops and returns the first error since the last pl_flush or pl_chain_begin.
 * Collective. */
PL_API pl_err pl_flush(pl_context *pl);

/* Sets how later loops of the chain get the values that an earlier loop (the producer) writes to `dat`.
 * PL_AUTO: the library chooses. PL_STORE: from memory. PL_INLINE: by calling the producer's kernel at each
 * use. PL_PRECOMPUTE: computed once for each target of a block of the consumer, in memory local to the block.
 * If a choice is impossible the dat is stored, and pl_chain_print gives the reason. This function and the two
 * below are local; all ranks must give the same hints. */
typedef enum pl_chain_choice { PL_AUTO, PL_STORE, PL_INLINE, PL_PRECOMPUTE } pl_chain_choice;
PL_API pl_err pl_chain_hint(pl_chain *chain, pl_dat *dat, pl_chain_choice choice);

/* Block size for PL_PRECOMPUTE: 1 to 1024 elements, or 0 (default): option block_size, else 128. */
PL_API pl_err pl_chain_block(pl_chain *chain, int elements);

/* Declares the dat dead after the chain: its values are then undefined and need not be stored. */
PL_API pl_err pl_chain_temporary(pl_chain *chain, pl_dat *dat);

/* Reports the last run of the chain: loops and their accesses, dependences, reasons why loops were not fused,
 * fused loops, dats not stored, bytes moved. If the program read data inside the chain, each part between
 * reads is reported separately. `path` "-": stderr; ending in .dot: a graph for Graphviz; else a text file.
 * Option dump keeps the generated code. PL_ERR_STATE if the chain has not run. Local. */
PL_API pl_err pl_chain_print(pl_chain *chain, const char *path);

PL_EXTERN_C_END

#endif
