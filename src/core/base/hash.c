/* SPDX-License-Identifier: BSD-2-Clause
 * Hashing: multiply-xorshift over 8-byte words in the machine's order, the mixing step of splitmix64 (Steele,
 * Lea, Flood 2014).
 */
#include "hash.h"
#include <string.h>

static uint64_t mix(uint64_t x)
{
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

uint64_t pl_hash(uint64_t seed, const void *bytes, size_t size)
{
  const unsigned char *p = bytes;
  uint64_t hash = mix(seed ^ size);
  for (; size >= 8; p += 8, size -= 8) {
    uint64_t word;
    memcpy(&word, p, 8);
    hash = mix(hash ^ word) + PL_HASH_START;
  }
  uint64_t rest = 0;
  if (size) memcpy(&rest, p, size);
  return mix(hash ^ rest);
}
