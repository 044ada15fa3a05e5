/* SPDX-License-Identifier: BSD-2-Clause
 * Report of an airfoil run: keeping, printing, JSON. See report.h.
 */
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../common/hash.h"
#include "../common/json.h"

bool report_init(airfoil_report *report, const airfoil_mesh *mesh, int iterations)
{
  *report = (airfoil_report){
    .threads = 1,
    .ranks = 1,
    .imbalance = 1.0,
    .iterations = iterations,
    .ncell = mesh->ncell,
    .nnode = mesh->nnode,
    .nedge = mesh->nedge,
    .nbedge = mesh->nbedge,
    .rms = malloc(((size_t)iterations / REPORT_EVERY + 1) * sizeof(report_rms)),
  };
  if (report->rms) return true;
  report_free(report);
  return false;
}

void report_free(airfoil_report *report)
{
  free(report->rms);
  *report = (airfoil_report){0};
}

/* ---- while it runs ---- */

bool report_due(const airfoil_report *report, int iteration)
{
  return iteration % REPORT_EVERY == 0 || iteration == report->iterations;
}

void report_residual(airfoil_report *report, int iteration, double sum)
{
  const double rms = report->ncell > 0 ? sqrt(sum / report->ncell) : 0.0;
  report->rms[report->nrms++] = (report_rms){iteration, rms};
  if (report->rank > 0) return;
  progress_clear(&report->shown);
  printf("iteration %d: rms %.5e\n", iteration, rms);
  fflush(stdout);
}

void report_progress(airfoil_report *report, int iteration)
{
  if (!report->shown.unit)
    progress_begin(&report->shown, report->rank, "iterations", iteration, report->iterations);
  progress_step(&report->shown, iteration);
}

/* The number of the i-th of these cells before the mesh was permuted. */
static uint64_t number_of(const airfoil_mesh *mesh, const int64_t *cells, size_t i)
{
  const size_t cell = cells ? (size_t)cells[i] : i;
  return (uint64_t)(mesh->cell_origin ? (size_t)mesh->cell_origin[cell] : cell);
}

void report_flow_double(airfoil_report *report, const airfoil_mesh *mesh, size_t n, const int64_t *cells,
                        const double *q)
{
  for (size_t i = 0; i < 4 * n; i++)
    report->hash += hash_value(4 * number_of(mesh, cells, i / 4) + i % 4, q[i]);
}

void report_flow_float(airfoil_report *report, const airfoil_mesh *mesh, size_t n, const int64_t *cells,
                       const float *q)
{
  for (size_t i = 0; i < 4 * n; i++)
    report->hash += hash_value(4 * number_of(mesh, cells, i / 4) + i % 4, (double)q[i]);
}

double report_peak(void)
{
  struct rusage used;
  return getrusage(RUSAGE_SELF, &used) ? 0.0 : 1024.0 * (double)used.ru_maxrss;
}

/* ---- afterwards ---- */

static double gbytes_per_s(const report_loop *loop)
{
  return loop->seconds > 0.0 ? 1e-9 * loop->bytes / loop->seconds : 0.0;
}

/* A device's loops are timed only where the profile is asked for (PLAIT_PROFILE=1). */
static void print_loop(const report_loop *loop)
{
  printf("%-12s %9" PRIu64, loop->name, loop->calls);
  if (loop->seconds > 0.0)
    printf(" %10.3f %10.3f %8.2f", loop->seconds, 1e3 * loop->seconds / (double)loop->calls,
           gbytes_per_s(loop));
  else
    printf(" %10s %10s %8s", "-", "-", "-");
  printf("\n");
}

void report_print(const airfoil_report *report)
{
  bool timed = true;
  printf("\n%s, %s precision, %d thread%s, %d cells: %d iterations in %.3f s (mesh %.3f s, set-up %.3f s)\n",
         report->backend, report->precision, report->threads, report->threads == 1 ? "" : "s", report->ncell,
         report->iterations, report->seconds, report->mesh_seconds, report->setup_seconds);
  if (report->nloops > 0)
    printf("%-12s %9s %10s %10s %8s\n", "loop", "calls", "seconds", "ms a call", "GB/s");
  for (const report_loop *loop = report->loops; loop < report->loops + report->nloops; loop++) {
    print_loop(loop);
    timed = timed && loop->seconds > 0.0;
  }
  if (!timed) printf("PLAIT_PROFILE=1 also times loops on a device\n");
}

static void write_loops(json_writer *json, const airfoil_report *report)
{
  json_begin(json, "loops", '[');
  for (const report_loop *loop = report->loops; loop < report->loops + report->nloops; loop++) {
    json_begin(json, NULL, '{');
    json_text(json, "name", loop->name);
    json_integer(json, "calls", (int64_t)loop->calls);
    json_number(json, "seconds", loop->seconds);
    json_number(json, "bytes", loop->bytes);
    json_number(json, "gbytes_per_s", gbytes_per_s(loop));
    json_end(json, '}');
  }
  json_end(json, ']');
}

static void write_rms(json_writer *json, const airfoil_report *report)
{
  json_begin(json, "rms", '[');
  for (const report_rms *point = report->rms; point < report->rms + report->nrms; point++) {
    json_begin(json, NULL, '{');
    json_integer(json, "iteration", point->iteration);
    json_number(json, "rms", point->rms);
    json_end(json, '}');
  }
  json_end(json, ']');
}

bool report_json(const airfoil_report *report, const char *path)
{
  char hash[24];
  json_writer json;
  if (!json_open(&json, path))
    return fprintf(stderr, "%s: cannot be created: %s\n", path, strerror(errno)), false;
  json_text(&json, "backend", report->backend);
  json_integer(&json, "threads", report->threads);
  json_integer(&json, "ranks", report->ranks);
  json_integer(&json, "cells", report->ncell);
  json_integer(&json, "iterations", report->iterations);
  json_number(&json, "imbalance", report->imbalance);
  json_integer(&json, "edge_cut", report->edge_cut);
  json_integer(&json, "halo_elements", report->halo_elements);
  json_integer(&json, "neighbours", report->neighbours);
  json_integer(&json, "halo_messages", (int64_t)report->halo_messages);
  json_integer(&json, "halo_messages_most", (int64_t)report->halo_messages_most);
  json_integer(&json, "halo_bytes", (int64_t)report->halo_bytes);
  json_integer(&json, "halo_bytes_most", (int64_t)report->halo_bytes_most);
  json_number(&json, "halo_seconds", report->halo_seconds);
  json_number(&json, "halo_seconds_most", report->halo_seconds_most);
  json_text(&json, "precision", report->precision);
  json_number(&json, "seconds", report->seconds);
  json_number(&json, "setup_seconds", report->setup_seconds);
  json_number(&json, "mesh_seconds", report->mesh_seconds);
  if (report->peak_bytes > 0.0) json_number(&json, "peak_bytes", report->peak_bytes);
  write_loops(&json, report);
  write_rms(&json, report);
  snprintf(hash, sizeof hash, "0x%016" PRIx64, report->hash);
  if (report->hash) json_text(&json, "hash", hash);
  if (json_close(&json)) return true;
  return fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno)), false;
}
