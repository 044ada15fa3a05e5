/* SPDX-License-Identifier: BSD-2-Clause
 * Report of an airfoil run: what was run, how long it took and what came out. Filled in by a solver; printed,
 * written as JSON and checked against the reference values here. Shared by the app and its hand-written
 * comparator.
 */
#ifndef AIRFOIL_REPORT_H
#define AIRFOIL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../common/progress.h"
#include "mesh.h"

enum { REPORT_EVERY = 100, REPORT_LOOPS = 16 };

typedef struct report_loop {
  char name[32];
  uint64_t calls;
  double seconds, bytes; /* in all calls */
} report_loop;

typedef struct report_rms {
  int iteration;
  double rms;
} report_rms;

typedef struct airfoil_report {
  char backend[32];
  const char *precision;                /* "double" or "single" */
  int threads, rank, ranks, iterations; /* rank 0 alone prints and writes files */
  int ncell, nnode, nedge, nbedge;
  double mesh_seconds;  /* make or read, and permute, the mesh */
  double setup_seconds; /* everything else before the main loop */
  double seconds;       /* main loop */
  int nloops, nrms;
  report_loop loops[REPORT_LOOPS];
  report_rms *rms;   /* every REPORT_EVERY iterations, and after the last */
  uint64_t hash;     /* of the final flow; 0: not computed */
  double peak_bytes; /* memory of the process, of the rank with the most, up to the end of the main loop */
  uint64_t halo_messages, halo_bytes;           /* of all ranks together */
  uint64_t halo_messages_most, halo_bytes_most; /* of the rank with the most */
  double halo_seconds, halo_seconds_most;       /* the mean of all ranks, and the greatest */
  double imbalance;                             /* most cells of a rank over the mean */
  int64_t edge_cut, halo_elements; /* edges between cells of two ranks; copies of cells on all ranks */
  int neighbours;                  /* ranks that one talks to, at most */
  progress shown;
} airfoil_report;

/* Takes the memory for a run on this mesh; false if there is none. Gives it back. */
bool report_init(airfoil_report *report, const airfoil_mesh *mesh, int iterations);
void report_free(airfoil_report *report);

/* True if the rms of this iteration (from 1) is wanted. */
bool report_due(const airfoil_report *report, int iteration);

/* Takes the sum of squares over all cells after a due iteration: keeps and prints "iteration  rms". */
void report_residual(airfoil_report *report, int iteration, double sum);

/* Shows how far the run is: the first call starts the clock; report_residual removes the line. */
void report_progress(airfoil_report *report, int iteration);

/* Adds the final flow in n cells of the mesh (cells NULL: 0 to n - 1), in either precision, to the hash. */
void report_flow_double(airfoil_report *report, const airfoil_mesh *mesh, size_t n, const int64_t *cells,
                        const double *q);
void report_flow_float(airfoil_report *report, const airfoil_mesh *mesh, size_t n, const int64_t *cells,
                       const float *q);

/* The most bytes that this process had in memory. */
double report_peak(void);

void report_print(const airfoil_report *report);                  /* seconds and the loops, on stdout */
bool report_json(const airfoil_report *report, const char *path); /* false after a complaint on stderr */

/* Compares every rms for which a reference value is known and lists the comparisons. False if one is wrong,
 * or if there was nothing to compare. */
bool report_check(const airfoil_report *report);

#endif
