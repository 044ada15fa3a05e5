/* SPDX-License-Identifier: BSD-2-Clause
 * The events of a trace in binary form: a buffer in memory, a temporary file for those before, and a table of
 * their names, which outlives the named objects.
 */
#pragma once

#include "core/context/context.h"
#include <stdio.h>

typedef struct pl_trace_record {
  double begin, end, bytes;
  int name, set; /* in the table */
  pl_tool_kind kind;
  bool on_device;
} pl_trace_record;

enum { PL_TRACE_BUFFER = 4096, PL_TRACE_RECENT = 256 };

typedef struct pl_trace_records {
  pl_context *pl;
  int nnames;
  char **name;
  struct {
    const void *address;
    int name;
  } recent[PL_TRACE_RECENT]; /* by the address of the string */
  int n;
  FILE *file;    /* of full buffers; NULL: none */
  uint64_t lost; /* records without space in memory or in the file */
  pl_trace_record buffer[PL_TRACE_BUFFER];
} pl_trace_records;

/* The record of an event; its names enter the table. False without memory. */
bool pl_trace_record_of(pl_trace_records *r, const pl_tool_event *event, pl_trace_record *record);
void pl_trace_add(pl_trace_records *r, const pl_trace_record *record);

/* Calls `use` for all records, in the order in which they were added. */
void pl_trace_each(pl_trace_records *r, void (*use)(void *user, const pl_trace_record *record), void *user);

void pl_trace_records_free(pl_trace_records *r);
