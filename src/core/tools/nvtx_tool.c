/* SPDX-License-Identifier: BSD-2-Clause
 * NVTX ranges by the functions of NVIDIA's library, which is opened at run time.
 */
#include "nvtx_tool.h"
#include "core/context/memory.h"
#include <dlfcn.h>

typedef struct nvtx {
  pl_context *pl;
  int (*push)(const char *name);
  int (*pop)(void);
} nvtx;

static void push_range(void *user, const pl_tool_event *event)
{
  ((nvtx *)user)->push(event->name);
}

static void pop_range(void *user, const pl_tool_event *event)
{
  (void)event;
  ((nvtx *)user)->pop();
}

static void close_nvtx(void *user)
{
  nvtx *n = user;
  pl_free(n->pl, n);
}

/* CUDA from version 13 on and before it. */
static void *open_library(void)
{
  static const char *const name[] = {"libnvtx3interop.so.1", "libnvToolsExt.so.1"};
  void *library = NULL;
  for (int i = 0; i < 2 && !library; i++) library = dlopen(name[i], RTLD_NOW | RTLD_LOCAL);
  return library;
}

pl_err pl_nvtx_open(pl_context *pl, pl_tool *tool, void **library)
{
  nvtx found = {.pl = pl};
  *library = open_library();
  if (*library) {
    found.push = (int (*)(const char *))(uintptr_t)dlsym(*library, "nvtxRangePushA");
    found.pop = (int (*)(void))(uintptr_t)dlsym(*library, "nvtxRangePop");
  }
  if (!found.push || !found.pop) {
    if (*library) dlclose(*library);
    return pl_fail(pl, PL_ERR_OPTION,
                   "option tools: \"nvtx\" needs libnvtx3interop.so.1 or libnvToolsExt.so.1, which were not "
                   "found; add their folder to LD_LIBRARY_PATH");
  }
  tool->user = pl_memdup(pl, &found, sizeof found);
  tool->begin = push_range;
  tool->end = pop_range;
  tool->close = close_nvtx;
  if (tool->user) return PL_SUCCESS;
  dlclose(*library);
  return pl_fail_memory(pl, sizeof found);
}
