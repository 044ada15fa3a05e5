/* SPDX-License-Identifier: BSD-2-Clause
 * The rooms are assembled here: the list of backends meets the context. A backend that is not built in still
 * answers by name.
 */
#include "plan/place.h"
#include "plan/renumber.h"
#include "plan/pairs.h"

#ifndef PLAIT_HAVE_OPENMP
#define PLAIT_HAVE_OPENMP 0
#endif
#ifndef PLAIT_HAVE_CUDA
#define PLAIT_HAVE_CUDA 0
#endif
#ifndef PLAIT_HAVE_OPENCL
#define PLAIT_HAVE_OPENCL 0
#endif

/* A stand-in for a backend that is not there: only its name and why. */
#define MISSING_0(id, why)                                                                                   \
  static const char *why_not_##id(pl_context *pl)                                                            \
  {                                                                                                          \
    (void)pl;                                                                                                \
    return why;                                                                                              \
  }                                                                                                          \
  static const pl_backend missing_##id = {.name = #id, .unavailable = why_not_##id};
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

pl_err pl_init(int *argc, char ***argv, const pl_settings *settings, pl_context **pl)
{
  pl_err err = pl_context_open(argc, argv, settings, backends, pl);
  if (pl && *pl) (*pl)->pairs_refresh = pl_pairs_refresh;
  if (!err) (*pl)->place = pl_place;
  if (!err) (*pl)->before_loop = pl_renumber_for_loops;
  return err;
}
