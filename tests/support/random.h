/* SPDX-License-Identifier: BSD-2-Clause
 * Random numbers of the tests: xorshift (Marsaglia 2003). A seed is not 0.
 */
#ifndef PLAIT_TESTS_RANDOM_H
#define PLAIT_TESTS_RANDOM_H

#include <stdint.h>

typedef uint64_t seed;

static inline uint64_t random_next(seed *s)
{
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return *s;
}

/* In [0, n). */
static inline int below(seed *s, int n)
{
  return (int)(random_next(s) % (uint64_t)n);
}

/* In [0, 1). */
static inline double random_unit(seed *s)
{
  return (double)(random_next(s) >> 11) / 9007199254740992.0;
}

/* A random permutation of `order`, filled with 0 to n - 1. */
static inline void random_order(seed *s, int n, int *order)
{
  for (int i = 0; i < n; i++) order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int j = below(s, i + 1), t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
}

#endif
