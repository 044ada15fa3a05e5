/* SPDX-License-Identifier: BSD-2-Clause
 * Structs of the interface that a program passes with their size in its version of plait.h. Members are only
 * appended to them, so the shorter of two versions is the beginning of the longer one.
 */
#pragma once

#include <stdbool.h>
#include <string.h>

/* own = given; members that `given` lacks become 0, and all of them if it is NULL. false: `given` is longer
 * and a member that `own` lacks is not 0. */
static inline bool pl_struct_take(void *own, size_t own_size, const void *given, size_t given_size)
{
  const char *bytes = given;
  size_t common = !given ? 0 : given_size < own_size ? given_size : own_size;
  memset(own, 0, own_size);
  if (common) memcpy(own, given, common);
  for (size_t i = common; given && i < given_size; i++)
    if (bytes[i]) return false;
  return true;
}

/* given = own; members that `own` lacks become 0. */
static inline void pl_struct_give(void *given, size_t given_size, const void *own, size_t own_size)
{
  memset(given, 0, given_size);
  memcpy(given, own, given_size < own_size ? given_size : own_size);
}
