/* SPDX-License-Identifier: BSD-2-Clause
 * Declares the functions of plait_fields.h to the kernels of a context.
 */
#include "plait_fields.h"
#include "core/context/error.h"

pl_err pl_decl_fields(pl_context *pl)
{
  static const pl_function *const all[] = {
#define BOTH(name) pl_##name##_f_plait, pl_##name##_plait,
    PL_FIELD_NAMES(BOTH)
#undef BOTH
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    pl_function function = *all[i];
    function.library = 1;
    PL_TRY(pl_decl_function_text(pl, &function));
  }
  return PL_SUCCESS;
}
