/* SPDX-License-Identifier: BSD-2-Clause
 * Counters, profile and timers. Times are in seconds of wall-clock time. */
#ifndef PLAIT_STATS_H
#define PLAIT_STATS_H

#include <plait/core.h>

PL_EXTERN_C_BEGIN

/* Counters of a context on this rank since pl_init. */
typedef struct pl_stats {
  uint64_t loops_run, loops_built, loops_found; /* executions; signatures prepared; signatures found */
  uint64_t launches;                            /* of program kernels */
  uint64_t loops_queued;                        /* recorded for later execution */
  uint64_t graphs_made, graphs_run;             /* CUDA graphs of chains: captured; launched */
  uint64_t loops_tiled;                         /* recorded loops run tile by tile */
  uint64_t tilings_tried, tilings_recalled;     /* schedules tuned for tiling; found in the tuning cache */
  uint64_t plans_built, plans_found;            /* plans computed; found in memory */
  uint64_t codes_memory, codes_disk, codes_compiled; /* code from memory, from the disk cache, compiled */
  uint64_t compiler_runs;                            /* compiler processes started */
  uint64_t bytes_to_device, bytes_from_device;       /* bytes and number of transfers */
  uint64_t calls_to_device, calls_from_device;
  uint64_t halo_messages, halo_bytes;                     /* sent by halo exchanges */
  uint64_t host_allocations, device_allocations;          /* allocations for dats */
  uint64_t host_bytes, device_bytes;                      /* memory of dats now */
  double plan_seconds, generate_seconds, compile_seconds; /* one-time costs; compile: with cache look-up */
  double renumber_seconds;                                /* renumbering */
  double halo_seconds; /* host time in halo exchanges: packing, waiting, unpacking; without work of the device
                          that overlaps core elements */
} pl_stats;

/* Copies the counters. Local. */
PL_API pl_err pl_get_stats_sized(pl_context *pl, pl_stats *stats, size_t size);
static inline pl_err pl_get_stats(pl_context *pl, pl_stats *stats)
{
  return pl_get_stats_sized(pl, stats, sizeof *stats);
}

/* Sum and maximum of each counter over all ranks; either may be NULL. Collective. */
PL_API pl_err pl_get_stats_ranks_sized(pl_context *pl, pl_stats *sum, pl_stats *most, size_t size);
static inline pl_err pl_get_stats_ranks(pl_context *pl, pl_stats *sum, pl_stats *most)
{
  return pl_get_stats_ranks_sized(pl, sum, most, sizeof *sum);
}

/* One line of the profile: a loop, a kernel of a program, or a timed region. Bytes are compulsory transfers:
 * each dat and map of a loop once per element touched, twice if read and written; for program kernels whole
 * dats. */
typedef struct pl_profile_entry {
  const char *name;    /* kernel or timed region */
  const char *set;     /* set; program of a program kernel; "" for a timed region */
  const char *variant; /* generated form and conflict strategy */
  uint64_t calls;
  double seconds;       /* run time without one-time costs; on devices only with option profile */
  double setup_seconds; /* planning, code generation, compilation */
  double bytes, flops;  /* of all calls */
} pl_profile_entry;

/* Line `index` of the profile. The lines are the loops, then the kernels of programs and the timed regions
 * that ran or were prepared since the last reset. This call runs no recorded loops, which are counted when
 * they run (pl_flush, docs/chains.md). Strings belong to the context. PL_ERR_RANGE past the end. Local. */
PL_API pl_err pl_profile_at_sized(pl_context *pl, int index, pl_profile_entry *entry, size_t size);
static inline pl_err pl_profile_at(pl_context *pl, int index, pl_profile_entry *entry)
{
  return pl_profile_at_sized(pl, index, entry, sizeof *entry);
}

/* Runs recorded loops and writes the profile to a file: CSV if `path` ends in .csv, JSON for .json, else a
 * table; "-": a table on stderr. With several ranks rank 0 writes minimum, mean and maximum times and the
 * halo exchanges. Errors: PL_ERR_IO. Collective. pl_profile_reset clears the profile; local. */
PL_API pl_err pl_profile_write(pl_context *pl, const char *path);
PL_API pl_err pl_profile_reset(pl_context *pl);

/* Begins and ends a timed region `name`, after recorded loops have run; regions nest. Errors: PL_ERR_STATE
 * for ending another than the innermost region, and those of recorded loops. Collective if loops are
 * recorded. */
PL_API pl_err pl_timer_begin(pl_context *pl, const char *name);
PL_API pl_err pl_timer_end(pl_context *pl, const char *name);

/* Total seconds and calls of kernel or region `name` (0 if unknown); either pointer may be NULL. Runs no
 * recorded loops and does not count them. Local. */
PL_API pl_err pl_timing(pl_context *pl, const char *name, double *seconds, uint64_t *calls);

PL_EXTERN_C_END

#endif
