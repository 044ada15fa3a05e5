/* SPDX-License-Identifier: BSD-2-Clause
 * Opening of modules. Invariant: a module is never closed, since MPI and HDF5 work until the process ends.
 */
#define _GNU_SOURCE /* dladdr */
#include "context.h"
#include <dlfcn.h>
#include <limits.h>
#include <string.h>

static const struct {
  const char *name, *option, *source; /* where its library is found */
} modules[PL_MODULE_COUNT] = {[PL_MODULE_MPI] = {"mpi", "MPI", "Debian: libopenmpi-dev"},
                              [PL_MODULE_HDF5] = {"hdf5", "HDF5", "Debian: libhdf5-openmpi-dev"},
                              [PL_MODULE_METIS] = {"metis", "METIS", "Debian: libmetis-dev"},
                              [PL_MODULE_SCOTCH] = {"scotch", "SCOTCH", "Debian: libptscotch-dev"},
                              [PL_MODULE_HYPRE] = {"hypre", "HYPRE", "Debian: libhypre-dev"},
                              [PL_MODULE_MUMPS] = {"mumps", "MUMPS", "Debian: libmumps-dev"},
                              [PL_MODULE_PETSC] = {"petsc", "PETSC", "Debian: libpetsc-real-dev"},
                              [PL_MODULE_CUDSS] = {"cudss", "CUDSS", "PyPI: nvidia-cudss-cu13"},
                              [PL_MODULE_AMGX] = {"amgx", "AMGX", "GitHub: NVIDIA/AMGX"}};

/* The folder of the option `modules`, or that of this library. */
static void find_folder(const pl_context *pl, char folder[PATH_MAX])
{
  const char *given = pl->options.value[PL_OPT_MODULES]; /* NULL: no memory for the options */
  if (!given) given = getenv("PLAIT_MODULES");
  Dl_info library;
  if (given && *given)
    snprintf(folder, PATH_MAX, "%s", given);
  else if (!dladdr(modules, &library) || !realpath(library.dli_fname, folder))
    strcpy(folder, ".");
  else
    *strrchr(folder, '/') = '\0';
}

/* The module in a shared library; NULL, and *problem. */
static const pl_module_entry *load(const char *path, pl_module_kind kind, const char **problem)
{
  char symbol[32];
  /* The parts that Open MPI loads itself look for its symbols among those of the program. */
  void *library = dlopen(path, RTLD_NOW | RTLD_NODELETE | (kind == PL_MODULE_MPI ? RTLD_GLOBAL : RTLD_LOCAL));
  snprintf(symbol, sizeof symbol, "pl_module_%s", modules[kind].name);
  const pl_module_entry *module = library ? dlsym(library, symbol) : NULL;
  *problem = module ? "it belongs to another build of Plait" : dlerror();
  bool fits = module && !strcmp(module->version, PLAIT_VERSION) && module->context_size == sizeof(pl_context);
  return fits ? module : NULL;
}

static const void *open_module(const pl_context *pl, pl_module_kind kind, char *why, size_t size)
{
  char folder[PATH_MAX], path[PATH_MAX + 32];
  const char *problem;
  const pl_module_entry *module = pl_linked_modules[kind];
  if (module) return module->functions;
  find_folder(pl, folder);
  snprintf(path, sizeof path, "%s/libplait-%s.so", folder, modules[kind].name);
  module = load(path, kind, &problem);
  if (module) return module->functions;
  snprintf(why, size,
           "the module libplait-%s.so cannot be loaded (%s); install its library (%s), build Plait with "
           "-DPLAIT_WITH_%s=ON, and set PLAIT_MODULES if the module is not beside libplait",
           modules[kind].name, problem ? problem : "without a reason", modules[kind].source,
           modules[kind].option);
  return NULL;
}

const void *pl_module_functions(pl_context *pl, pl_module_kind kind)
{
  pl_module_slot *slot = &pl->modules[kind];
  if (!slot->tried) slot->functions = open_module(pl, kind, slot->why, sizeof slot->why);
  slot->tried = true;
  return slot->functions;
}

const char *pl_module_missing(pl_context *pl, pl_module_kind kind)
{
  return pl_module_functions(pl, kind) ? NULL : pl->modules[kind].why;
}

pl_err pl_module_at(pl_context *pl, int index, const char **name, const char **why_not)
{
  PL_TRY_GIVEN(pl);
  if (index < 0 || index >= PL_MODULE_COUNT)
    return pl_fail(pl, PL_ERR_RANGE, "module %d: there are %d modules", index, PL_MODULE_COUNT);
  if (name) *name = modules[index].name;
  if (why_not) *why_not = pl_module_missing(pl, (pl_module_kind)index);
  return PL_SUCCESS;
}
