/* SPDX-License-Identifier: BSD-2-Clause
 * Measured choices. Invariant: a record is the time of the measurement and the name of the choice,
 * "1790000000?simd" if that was the first, "1790000000 simd" if it confirmed one.
 */
#include "tuning_cache.h"
#include <stdlib.h>
#include <time.h>

enum { DAY = 24 * 3600 };

pl_err pl_tuning_recall(pl_cache *cache, const pl_string *key, char *name, size_t size, bool *confirmed)
{
  pl_string record;
  char *mark;
  pl_string_init(&record, key->pl);
  pl_err err = pl_cache_read(cache, key, &record);
  int64_t age = (int64_t)time(NULL) - strtoll(pl_string_chars(&record), &mark, 10);
  bool found = !err && mark > pl_string_chars(&record) && *mark;
  *confirmed = found && *mark == ' ' && age >= 0 && age < DAY;
  snprintf(name, size, "%s", found ? mark + 1 : "");
  pl_string_free(&record);
  return err;
}

void pl_tuning_remember(pl_cache *cache, const char *label, const pl_string *key, const char *name,
                        bool confirmed)
{
  pl_string record;
  pl_string_init(&record, key->pl);
  pl_string_add(&record, "%lld%c%s", (long long)time(NULL), confirmed ? ' ' : '?', name);
  if (!pl_string_check(&record)) pl_cache_write(cache, label, key, &record);
  pl_string_free(&record);
}
