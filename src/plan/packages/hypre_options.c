/* SPDX-License-Identifier: BSD-2-Clause
 * Options of BoomerAMG.
 */
#include "hypre_options.h"
#include "core/base/plain_format.h"
#include <string.h>

static const struct {
  const char *name;
  HYPRE_Int (*set)(HYPRE_Solver amg, HYPRE_Int value);
} integers[] = {
  {"AggNumLevels", HYPRE_BoomerAMGSetAggNumLevels},   {"CoarsenType", HYPRE_BoomerAMGSetCoarsenType},
  {"CycleType", HYPRE_BoomerAMGSetCycleType},         {"InterpType", HYPRE_BoomerAMGSetInterpType},
  {"MaxCoarseSize", HYPRE_BoomerAMGSetMaxCoarseSize}, {"MaxIter", HYPRE_BoomerAMGSetMaxIter},
  {"MaxLevels", HYPRE_BoomerAMGSetMaxLevels},         {"NumFunctions", HYPRE_BoomerAMGSetNumFunctions},
  {"NumSweeps", HYPRE_BoomerAMGSetNumSweeps},         {"PMaxElmts", HYPRE_BoomerAMGSetPMaxElmts},
  {"RelaxOrder", HYPRE_BoomerAMGSetRelaxOrder},       {"RelaxType", HYPRE_BoomerAMGSetRelaxType}};
static const struct {
  const char *name;
  HYPRE_Int (*set)(HYPRE_Solver amg, HYPRE_Real value);
} reals[] = {{"MaxRowSum", HYPRE_BoomerAMGSetMaxRowSum},
             {"RelaxWt", HYPRE_BoomerAMGSetRelaxWt},
             {"StrongThreshold", HYPRE_BoomerAMGSetStrongThreshold},
             {"TruncFactor", HYPRE_BoomerAMGSetTruncFactor}};
enum { INTEGERS = sizeof integers / sizeof *integers, REALS = sizeof reals / sizeof *reals };

enum { MOST_NAME = 31 };

/* Whether the option exists and hypre takes its value. */
static bool set_option(HYPRE_Solver amg, const char *name, double value)
{
  for (int i = 0; i < INTEGERS; i++)
    if (!strcmp(name, integers[i].name))
      return value == (HYPRE_Int)value && !integers[i].set(amg, (HYPRE_Int)value);
  for (int i = 0; i < REALS; i++)
    if (!strcmp(name, reals[i].name)) return !reals[i].set(amg, value);
  return false;
}

pl_err pl_hypre_set_options(pl_context *pl, HYPRE_Solver amg, const char *text)
{
  char name[MOST_NAME + 1] = "";
  double value = 0;
  bool good = true;
  const pl_plain plain = pl_plain_begin();
  for (int used = 0; good && text && text[strspn(text, " ")]; text += used) {
    used = 0;
    good = sscanf(text, " %31[A-Za-z] %lf%n", name, &value, &used) == 2 && set_option(amg, name, value);
  }
  pl_plain_end(plain);
  HYPRE_ClearAllErrors();
  if (good) return PL_SUCCESS;
  return pl_fail(
    pl, PL_ERR_ARG,
    "package_options for boomeramg: \"%s\" is no option that Plait passes to hypre, or has a wrong "
    "value; expected words such as \"StrongThreshold 0.5 RelaxType 6\"",
    name);
}
