/* SPDX-License-Identifier: BSD-2-Clause
 * Remembered choices. A word is the name with the time when it was found: "wide?1790000000" once,
 * "wide 1790000000" once more.
 */
#include "choice.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DAY = 24 * 3600 };

pl_err pl_choice_recall(pl_jit *jit, const pl_jit_source *source, const char *about,
                        char name[PL_CHOICE_WORD], bool *settled)
{
  pl_err err = pl_jit_recall(jit, source, about, name, PL_CHOICE_WORD);
  char *mark = strpbrk(name, "? ");
  int64_t age = mark && *mark == ' ' ? (int64_t)time(NULL) - strtoll(mark + 1, NULL, 10) : DAY;
  if (mark) *mark = '\0';
  *settled = age >= 0 && age < DAY;
  return err;
}

void pl_choice_remember(pl_jit *jit, const pl_jit_source *source, const char *about, const char *name,
                        bool settled)
{
  char word[PL_CHOICE_WORD];
  snprintf(word, sizeof word, "%s%c%lld", name, settled ? ' ' : '?', (long long)time(NULL));
  pl_jit_remember(jit, source, about, word);
}
