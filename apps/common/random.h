/* SPDX-License-Identifier: BSD-2-Clause
 * Random: the splitmix64 sequence; a seed gives the same numbers on every machine.
 */
#ifndef APPS_COMMON_RANDOM_H
#define APPS_COMMON_RANDOM_H

#include "hash.h"

typedef struct random_stream {
  uint64_t state;
} random_stream;

static inline uint64_t random_next(random_stream *stream)
{
  stream->state += UINT64_C(0x9e3779b97f4a7c15);
  return hash_mix(stream->state);
}

/* Uniform in [0, bound), bound > 0; draws again where the remainder would favour small numbers. */
static inline uint64_t random_below(random_stream *stream, uint64_t bound)
{
  const uint64_t reject = (UINT64_MAX - bound + 1) % bound;
  uint64_t draw = random_next(stream);
  while (draw < reject) draw = random_next(stream);
  return draw % bound;
}

#endif
