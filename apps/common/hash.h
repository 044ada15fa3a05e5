/* SPDX-License-Identifier: BSD-2-Clause
 * Hash: a 64-bit digest of a sequence of numbers, to see at a glance whether two runs gave the same result.
 *
 * Defined on values, not on bytes: each number is taken as a double (a float converts exactly), minus zero
 * counts as zero, and its 64 bits enter as an integer. So the digest is the same on every machine, whatever
 * its byte order. It is the sum, modulo 2^64, of a hash of each number and its place in the sequence, so
 * parts of a sequence can be hashed in any order and on different ranks.
 */
#ifndef APPS_COMMON_HASH_H
#define APPS_COMMON_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A bijection of 64-bit words in which every input bit reaches every output bit. */
static inline uint64_t hash_mix(uint64_t word)
{
  word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
  return word ^ (word >> 31);
}

/* The share of the number at a place of the sequence, from 0. */
static inline uint64_t hash_value(uint64_t place, double number)
{
  const double value = number == 0.0 ? 0.0 : number;
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return hash_mix(hash_mix(bits) + (place + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

#endif
