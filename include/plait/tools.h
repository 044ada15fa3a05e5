/* SPDX-License-Identifier: BSD-2-Clause
 * Tools: shared libraries, such as profilers, that the option `tools` attaches to a context (docs/tools.md).
 * A tool library exports plait_tool_open; the library that a program links needs nothing from this header. */
#ifndef PLAIT_TOOLS_H
#define PLAIT_TOOLS_H

#include <plait/core.h>

PL_EXTERN_C_BEGIN

/* Kinds of events. Later versions may append kinds: a tool ignores those that it does not know. */
typedef enum pl_tool_kind {
  PL_TOOL_LOOP,     /* a loop, or a kernel of a device program, runs; on devices it is submitted */
  PL_TOOL_HALO,     /* a halo exchange, from its start to its end; inside the loop that needs it */
  PL_TOOL_UPLOAD,   /* a transfer from the host to the device */
  PL_TOOL_DOWNLOAD, /* a transfer from the device to the host */
  PL_TOOL_COMPILE,  /* the compiler runs, or a compilation in the background is waited for */
  PL_TOOL_PLAN,     /* one-time work on a mesh: a declaration, a plan, an inverse map, halos */
  PL_TOOL_REGION,   /* a region of pl_timer_begin and pl_timer_end */
  PL_TOOL_REPLAY,   /* runs the loops inside it together: as graphs, or tile by tile */
  PL_TOOL_KINDS
} pl_tool_kind;

/* An event, valid during the call. Every begin has one end, with the same id; events nest. Times are those of
 * CLOCK_MONOTONIC on this rank. */
typedef struct pl_tool_event {
  size_t size; /* of this struct; later versions may append members */
  pl_tool_kind kind;
  uint64_t id;      /* from 1, unique in the context */
  const char *name; /* loop: its kernel or call; halo: its dats; transfer: the object; compile: the kernel;
                       plan: the kind of work; region: its name */
  const char *set;  /* loop, dat or plan: the set; kernel of a program: the program; else "" */
  double bytes; /* loop: compulsory bytes, as in the profile; halo: bytes that this rank sends; transfer: its
                   size; else 0 */
  double begin, end; /* seconds; `end` is 0 in begin functions */
} pl_tool_event;

/* The functions of a tool; each may be NULL. They must not call functions of Plait. The thread that uses the
 * context calls them. */
typedef struct pl_tool {
  size_t size; /* of this struct */
  void *user;  /* passed to the functions; the tool owns it */
  void (*begin)(void *user, const pl_tool_event *event);
  void (*end)(void *user, const pl_tool_event *event);
  void (*close)(void *user); /* the context closes; all events have ended */
} pl_tool;

/* The context that a tool is attached to. Strings live until `close` has returned. */
typedef struct pl_tool_context {
  size_t size; /* of this struct */
  const char *version, *backend;
  int rank, ranks;
} pl_tool_context;

/* A tool library defines this function. It fills `tool`, whose members are NULL except `size`, and returns 0;
 * with another result pl_init fails. Called by pl_init on each rank.
 * The library itself has no such function. */
extern PL_API int plait_tool_open(const pl_tool_context *context, pl_tool *tool);

PL_EXTERN_C_END

#endif
