/* SPDX-License-Identifier: BSD-2-Clause
 * Errors that are kept, with their sentences.
 */
#include "failure.h"
#include "context.h"
#include "memory.h"

void pl_failure_keep(pl_context *pl, pl_failure *failure)
{
  if (failure->code) return;
  failure->code = pl->error_code;
  failure->sentence = pl->error ? pl_strdup(pl, pl->error) : NULL;
}

pl_err pl_failure_repeat(pl_context *pl, const pl_failure *failure)
{
  if (!failure->code) return PL_SUCCESS;
  return pl_fail(pl, failure->code, "%s", failure->sentence ? failure->sentence : pl_errtext(failure->code));
}

pl_err pl_failure_take(pl_context *pl, pl_failure *failure)
{
  pl_err err = pl_failure_repeat(pl, failure);
  pl_failure_clear(pl, failure);
  return err;
}

void pl_failure_clear(pl_context *pl, pl_failure *failure)
{
  pl_free(pl, failure->sentence);
  *failure = (pl_failure){PL_SUCCESS, NULL};
}
