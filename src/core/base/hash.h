/* SPDX-License-Identifier: BSD-2-Clause
 * Hashing of bytes to 64 bits, equal on machines of one byte order. A hash only finds candidates; equality is
 * decided by content.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define PL_HASH_START UINT64_C(0x9e3779b97f4a7c15)

uint64_t pl_hash(uint64_t seed, const void *bytes, size_t size); /* chained through seed */
