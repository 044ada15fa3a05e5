/* SPDX-License-Identifier: BSD-2-Clause
 * Hashing: 64 bits over bytes, the same on every machine of one byte order. Finds things; equality is always
 * decided by content.
 */
#ifndef PLAIT_CORE_HASH_H
#define PLAIT_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define PL_HASH_START UINT64_C(0x9e3779b97f4a7c15)

uint64_t pl_hash(uint64_t seed, const void *bytes, size_t size); /* chained through seed */

#endif
