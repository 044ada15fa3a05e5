/* SPDX-License-Identifier: BSD-2-Clause
 * Kernels of the library.
 */
#include "own_kernel.h"
#include "core/data/objects.h"
#include <string.h>

const pl_kernel *pl_own_kernel(const pl_context *pl, const char *name)
{
  PL_EACH (const pl_source_kernel, own, pl->kernels)
    if (own->internal && !strcmp(own->node.name, name)) return &own->kernel;
  return NULL;
}

pl_err pl_own_kernel_new(pl_context *pl, const char *name, const char *source, const pl_kernel **kernel)
{
  PL_TRY(pl_kernel_from_source(pl, name, source, NULL, kernel));
  ((pl_source_kernel *)(*kernel)->extra)->internal = true;
  return PL_SUCCESS;
}
