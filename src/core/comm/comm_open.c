/* SPDX-License-Identifier: BSD-2-Clause
 * Decides whether a context needs the module of MPI. Invariant: a program outside a launcher that neither
 * asks for MPI nor uses it does not load MPI.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "comm_module.h"
#include "core/context/context.h"
#include "launcher.h"
#include <dlfcn.h>
#include <string.h>

/* Whether the program has called MPI_Init. */
static bool program_uses_mpi(void)
{
  int (*initialised)(int *), flag = 0;
  *(void **)&initialised = dlsym(RTLD_DEFAULT, "MPI_Initialized");
  return initialised && !initialised(&flag) && flag;
}

pl_err pl_comm_open(pl_context *pl, const void *communicator, const char *mpi, bool decided, pl_err err)
{
  const bool off = !strcmp(mpi, "off"), on = !strcmp(mpi, "on");
  const bool needed = communicator || on || (!off && pl_has_launched_ranks());
  if (off && decided && !communicator) return err;
  if (!needed && !pl_has_launcher() && !program_uses_mpi()) return err;
  const pl_comm_functions *functions = pl_module_functions(pl, PL_MODULE_MPI);
  if (functions) return functions->open(pl, communicator, mpi, decided, err);
  if (err || !needed) return err;
  return pl_fail(pl, PL_ERR_BACKEND, "%s MPI, but %s%s",
                 communicator ? "pl_init: settings.comm needs"
                 : on         ? "the option mpi=on needs"
                              : "a launcher has started several ranks, which need",
                 pl_module_missing(pl, PL_MODULE_MPI),
                 communicator || on ? "" : "; PLAIT_MPI=off runs each process alone");
}
