/* SPDX-License-Identifier: BSD-2-Clause
 * Calls the functions that a connector of Kokkos Tools exports. A connector may export any part of the
 * interface; functions that it lacks are not called.
 */
#include "kokkos_tool.h"
#include "core/context/memory.h"
#include <dlfcn.h>

/* The version of the interface, a date: an argument of kokkosp_init_library. */
enum { INTERFACE_VERSION = 20211015, HOST_DEVICE = 0 };

/* A memory space, passed by value. */
typedef struct space {
  char name[64];
} space;

/* X(function, result, parameters) of the interface, named kokkosp_function. */
#define FUNCTIONS(X)                                                                                         \
  X(init_library, (int sequence, uint64_t version, uint32_t ndevices, void *devices))                        \
  X(finalize_library, (void))                                                                                \
  X(begin_parallel_for, (const char *name, uint32_t device, uint64_t *id))                                   \
  X(end_parallel_for, (uint64_t id))                                                                         \
  X(begin_deep_copy, (space to, const char *to_name, const void *to_address, space from,                     \
                      const char *from_name, const void *from_address, uint64_t bytes))                      \
  X(end_deep_copy, (void))                                                                                   \
  X(push_profile_region, (const char *name))                                                                 \
  X(pop_profile_region, (void))

typedef struct connector {
  pl_context *pl;
  uint64_t loop; /* the connector's id of the running loop; loops do not nest */
#define X(function, parameters) void(*function) parameters;
  FUNCTIONS(X)
#undef X
} connector;

static void find_functions(connector *c, void *library)
{
#define X(function, parameters)                                                                              \
  c->function = (void(*) parameters)(uintptr_t)dlsym(library, "kokkosp_" #function);
  FUNCTIONS(X)
#undef X
}

bool pl_kokkos_is(void *library)
{
  connector c = {.pl = NULL};
  find_functions(&c, library);
  return c.init_library || c.begin_parallel_for || c.begin_deep_copy || c.push_profile_region;
}

static void copy_begins(const connector *c, const pl_tool_event *event)
{
  space host = {"Host"}, device;
  if (!c->begin_deep_copy) return;
  snprintf(device.name, sizeof device.name, "%s", c->pl->backend->name);
  const bool up = event->kind == PL_TOOL_UPLOAD;
  c->begin_deep_copy(up ? device : host, event->name, NULL, up ? host : device, event->name, NULL,
                     (uint64_t)event->bytes);
}

/* Regions of the library carry a prefix, which separates them from those of the program. */
static void region_begins(const connector *c, const pl_tool_event *event)
{
  static const char *const prefix[PL_TOOL_KINDS] = {[PL_TOOL_HALO] = "halo: ",
                                                    [PL_TOOL_COMPILE] = "compile: ",
                                                    [PL_TOOL_PLAN] = "plan: ",
                                                    [PL_TOOL_REPLAY] = "replay: "};
  char name[256];
  if (!c->push_profile_region) return;
  snprintf(name, sizeof name, "%s%s", prefix[event->kind] ? prefix[event->kind] : "", event->name);
  c->push_profile_region(name);
}

static void begin_event(void *user, const pl_tool_event *event)
{
  connector *c = user;
  if (event->kind == PL_TOOL_UPLOAD || event->kind == PL_TOOL_DOWNLOAD)
    copy_begins(c, event);
  else if (event->kind != PL_TOOL_LOOP)
    region_begins(c, event);
  else if (c->begin_parallel_for)
    c->begin_parallel_for(event->name, HOST_DEVICE, &c->loop);
}

static void end_event(void *user, const pl_tool_event *event)
{
  const connector *c = user;
  void (*end)(void) = c->pop_profile_region;
  if (event->kind == PL_TOOL_UPLOAD || event->kind == PL_TOOL_DOWNLOAD) end = c->end_deep_copy;
  if (event->kind != PL_TOOL_LOOP && end) end();
  if (event->kind == PL_TOOL_LOOP && c->end_parallel_for) c->end_parallel_for(c->loop);
}

static void close_connector(void *user)
{
  connector *c = user;
  if (c->finalize_library) c->finalize_library();
  pl_free(c->pl, c);
}

pl_err pl_kokkos_open(pl_context *pl, void *library, pl_tool *tool)
{
  connector *c = pl_calloc(pl, 1, sizeof *c);
  if (!c) return pl_fail_memory(pl, sizeof *c);
  c->pl = pl;
  find_functions(c, library);
  if (c->init_library) c->init_library(0, INTERFACE_VERSION, 0, NULL);
  tool->user = c;
  tool->begin = begin_event;
  tool->end = end_event;
  tool->close = close_connector;
  return PL_SUCCESS;
}
