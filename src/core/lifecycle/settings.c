/* SPDX-License-Identifier: BSD-2-Clause
 * Options of all ranks: their comparison at pl_init, and changes after it.
 */
#include "settings.h"
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"
#include <string.h>

/* Options on which messages and reductions depend. `mpi` is compared where ranks join. */
static const pl_option shared[] = {PL_OPT_PRECISION, PL_OPT_RENUMBER,     PL_OPT_LAZY,    PL_OPT_CHECK,
                                   PL_OPT_HALO,      PL_OPT_REPRODUCIBLE, PL_OPT_PROFILE, PL_OPT_TRACE};
enum { SHARED = sizeof shared / sizeof *shared, WORD = 64 };

/* The value of a shared option, equal for equal meanings. */
static void describe(const char *value, pl_option option, char word[WORD])
{
  static const char *const meaning[] = {"0", "off", "no", "false", "1", "on", "yes", "true"};
  const bool flag = option == PL_OPT_LAZY || option == PL_OPT_CHECK || option == PL_OPT_REPRODUCIBLE;
  for (int i = 0; flag && i < 8; i++)
    if (!strcmp(value, meaning[i])) value = i < 4 ? "0" : "1";
  memset(word, 0, WORD);
  snprintf(word, WORD, "%s", value);
}

pl_err pl_options_compare(pl_context *pl)
{
  char word[SHARED][WORD], first[SHARED][WORD];
  pl_err err = PL_SUCCESS;
  const char *name = "";
  if (pl_ranks(pl) == 1) return PL_SUCCESS;
  for (int i = 0; i < SHARED; i++) describe(pl_opt(pl, shared[i]), shared[i], word[i]);
  memcpy(first, word, sizeof first);
  PL_TRY(pl_comm_bcast(pl, 0, first, sizeof first));
  for (int i = 0; i < SHARED && !err; i++) {
    if (!strcmp(word[i], first[i])) continue;
    pl_option_at(pl, (int)shared[i], &name, NULL, NULL);
    err = pl_fail(pl, PL_ERR_OPTION,
                  "option %s is \"%s\" here, but \"%s\" on rank 0; set the same value on all ranks", name,
                  word[i], first[i]);
  }
  return pl_agree(pl, err);
}

/* The value that all ranks must pass, "" for an option whose values may differ. */
static void shared_word(const char *value, int option, char word[WORD])
{
  *word = '\0';
  for (int i = 0; i < SHARED; i++)
    if ((int)shared[i] == option) describe(value, shared[i], word);
}

pl_err pl_set_option(pl_context *pl, const char *name, const char *value)
{
  int option;
  char word[WORD] = "";
  PL_TRY(pl_context_check(pl));
  pl_err err = pl_option_check(pl, name, value, &option);
  if (!err) shared_word(value, option, word);
  PL_TRY(pl_agree_on(pl, err, "pl_set_option of \"%s\"%s%s", name ? name : "", *word ? " to " : "", word));
  PL_TRY(pl_flush_all(pl));
  PL_TRY(pl_option_set(pl, option, value));
  pl->decl_version++;
  pl_deferred_options(pl);
  return PL_SUCCESS;
}

pl_err pl_reset_options(pl_context *pl)
{
  PL_TRY(pl_context_check(pl));
  PL_TRY(pl_flush_all(pl));
  PL_TRY(pl_options_reset(pl));
  pl->decl_version++;
  pl_deferred_options(pl);
  return PL_SUCCESS;
}
