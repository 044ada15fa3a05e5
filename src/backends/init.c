/* SPDX-License-Identifier: BSD-2-Clause
 * pl_init: the list of backends, and the planners that observe the context. Invariant: a backend that is not
 * built in is still known by name.
 */
#include "core/context/observer.h"
#include "core/base/sized_struct.h"
#include "core/lifecycle/lifecycle.h"
#include "codegen/mixed/mixed_call.h"
#include "plan/distribution/distribute.h"
#include "plan/matrix/mat.h"
#include "plan/mixed/mixed_mat.h"
#include "plan/solver/solver.h"
#include "plan/particles/neighbour_list.h"
#include "plan/renumber/renumber.h"

/* A backend that is not built in: only its name and the reason. */
#define MISSING_0(id, why)                                                                                   \
  static const char *unavailable_##id(pl_context *pl)                                                        \
  {                                                                                                          \
    (void)pl;                                                                                                \
    return why;                                                                                              \
  }                                                                                                          \
  static const pl_backend missing_##id = {.name = #id, .unavailable = unavailable_##id};
#define MISSING_1(id, why) extern const pl_backend pl_backend_##id;
#define ENTRY_0(id) &missing_##id,
#define ENTRY_1(id) &pl_backend_##id,
#define PASTE(a, b) a##b
#define CHOOSE(macro, built) PASTE(macro, built)

#define BACKEND(id, built, why) CHOOSE(MISSING_, built)(id, why)
#include "backends.def"
#undef BACKEND

static const pl_backend *const backends[] = {
#define BACKEND(id, built, why) CHOOSE(ENTRY_, built)(id)
#include "backends.def"
#undef BACKEND
  NULL};

static const pl_observer planner = {.distribute = pl_distribute,
                                    .before_new_loop = pl_renumber_for_loops,
                                    .refresh_pairs = pl_pairs_refresh,
                                    .confirm_pairs = pl_pairs_confirm};

pl_err pl_init_sized(int *argc, char ***argv, const pl_settings *settings, size_t size, pl_context **pl)
{
  pl_settings own;
  if (pl) *pl = NULL;
  if (!pl_struct_take(&own, sizeof own, settings, size)) return pl_fail_newer(NULL, "pl_settings");
  pl_err err = pl_context_open(argc, argv, &own, backends, pl);
  if (pl && *pl) pl_observe(*pl, &planner);
  if (pl && *pl) pl_observe(*pl, &pl_solver_observer);
  if (pl && *pl) pl_observe(*pl, &pl_mixed_observer);
  if (pl && *pl) pl_observe(*pl, &pl_mixed_call_observer);
  if (pl && *pl) pl_observe(*pl, &pl_matrix_observer);
  return err;
}
