/* SPDX-License-Identifier: BSD-2-Clause
 * Hash: a 64-bit digest of a sequence of numbers, to see at a glance whether two runs gave the same result.
 *
 * Defined on values, not on bytes: each number is taken as a double (a float converts exactly), minus zero
 * counts as zero, and its 64 bits enter as an integer. So the digest is the same on every machine, whatever
 * its byte order, and equal values in equal order always give equal digests. Callers feed the values in
 * global order.
 */
#ifndef APPS_COMMON_HASH_H
#define APPS_COMMON_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_START UINT64_C(0x243f6a8885a308d3)

/* A bijection of 64-bit words in which every input bit reaches every output bit. */
static inline uint64_t hash_mix(uint64_t word)
{
  word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
  return word ^ (word >> 31);
}

static inline uint64_t hash_values(uint64_t digest, const double *values, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const double value = values[i] == 0.0 ? 0.0 : values[i];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    digest = hash_mix(digest + UINT64_C(0x9e3779b97f4a7c15) + hash_mix(bits));
  }
  return digest;
}

#endif
