/* SPDX-License-Identifier: BSD-2-Clause
 * Measured choices. Invariant: a record is the choice with the time of its measurement, "wide?1790000000" if
 * that was the first, "wide 1790000000" if it confirmed one.
 */
#include "tuning_cache.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DAY = 24 * 3600 };

pl_err pl_tuning_recall(pl_jit *jit, const pl_jit_source *source, const char *topic,
                        char name[PL_CHOICE_WORD], bool *confirmed)
{
  pl_err err = pl_jit_recall(jit, source, topic, name, PL_CHOICE_WORD);
  char *mark = strpbrk(name, "? ");
  int64_t age = mark && *mark == ' ' ? (int64_t)time(NULL) - strtoll(mark + 1, NULL, 10) : DAY;
  if (mark) *mark = '\0';
  *confirmed = age >= 0 && age < DAY;
  return err;
}

void pl_tuning_remember(pl_jit *jit, const pl_jit_source *source, const char *topic, const char *name,
                        bool confirmed)
{
  char word[PL_CHOICE_WORD];
  snprintf(word, sizeof word, "%s%c%lld", name, confirmed ? ' ' : '?', (long long)time(NULL));
  pl_jit_remember(jit, source, topic, word);
}
