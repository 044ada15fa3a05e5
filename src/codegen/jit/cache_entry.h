/* SPDX-License-Identifier: BSD-2-Clause
 * The format of an entry of the disk cache: code, key, dependencies, footer. The program `plait` uses it too.
 *
 * Invariant: the checksum is the footer's last member and covers all bytes before it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pl_cache_footer {
  char magic[8];
  uint64_t code_size, key_size, files_size, checksum;
} pl_cache_footer;

/* A footer without sizes and checksum. */
pl_cache_footer pl_cache_footer_new(void);

/* Reads the footer; false if the bytes are not an unaltered entry. */
bool pl_cache_footer_read(const char *bytes, size_t size, pl_cache_footer *end);
