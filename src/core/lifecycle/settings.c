/* SPDX-License-Identifier: BSD-2-Clause
 * Changes of options after pl_init.
 */
#include "core/chain/deferred_queue.h"
#include "core/comm/comm.h"

/* Values may differ between ranks. */
pl_err pl_set_option(pl_context *pl, const char *name, const char *value)
{
  int option;
  PL_TRY(pl_context_check(pl));
  PL_TRY(
    pl_agree_on(pl, pl_option_check(pl, name, value, &option), "pl_set_option of \"%s\"", name ? name : ""));
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
