/* SPDX-License-Identifier: BSD-2-Clause
 * Loads the shared library of a tool and recognises its interface.
 */
#include "tool_library.h"
#include "kokkos_tool.h"
#include <dlfcn.h>

typedef int (*open_function)(const pl_tool_context *context, pl_tool *tool);

static pl_err open_tool(pl_context *pl, const char *name, open_function open, pl_tool *tool)
{
  const pl_tool_context context = {.size = sizeof context,
                                   .version = PLAIT_VERSION,
                                   .backend = pl->backend->name,
                                   .rank = pl_rank(pl),
                                   .ranks = pl_ranks(pl)};
  int result = open(&context, tool);
  return !result
           ? PL_SUCCESS
           : pl_fail(pl, PL_ERR_OPTION, "option tools: plait_tool_open of \"%s\" returned %d", name, result);
}

static pl_err open_any(pl_context *pl, const char *name, void *library, pl_tool *tool)
{
  open_function open = (open_function)(uintptr_t)dlsym(library, "plait_tool_open");
  if (open) return open_tool(pl, name, open, tool);
  if (pl_kokkos_is(library)) return pl_kokkos_open(pl, library, tool);
  return pl_fail(
    pl, PL_ERR_OPTION,
    "option tools: \"%s\" exports neither plait_tool_open nor functions of Kokkos Tools, such as "
    "kokkosp_begin_parallel_for",
    name);
}

pl_err pl_tool_library_open(pl_context *pl, const char *name, pl_tool *tool, void **library)
{
  *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!*library) {
    const char *why = dlerror();
    return pl_fail(pl, PL_ERR_OPTION, "option tools: \"%s\" cannot be loaded: %s", name,
                   why ? why : "dlopen gives no reason");
  }
  pl_err err = open_any(pl, name, *library, tool);
  if (!err) return PL_SUCCESS;
  pl_tool_library_close(*library);
  *library = NULL;
  return err;
}

void pl_tool_library_close(void *library)
{
  if (library) dlclose(library);
}
