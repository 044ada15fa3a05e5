/* SPDX-License-Identifier: BSD-2-Clause
 * The format of an entry of the disk cache.
 */
#include "cache_entry.h"
#include "core/base/hash.h"
#include <string.h>

static const char magic[8] = "plaitso2";

pl_cache_footer pl_cache_footer_new(void)
{
  pl_cache_footer end = {.code_size = 0};
  memcpy(end.magic, magic, sizeof magic);
  return end;
}

bool pl_cache_footer_read(const char *bytes, size_t size, pl_cache_footer *end)
{
  if (size < sizeof *end) return false;
  memcpy(end, bytes + size - sizeof *end, sizeof *end);
  size_t room = size - sizeof *end;
  return !memcmp(end->magic, magic, sizeof magic) && end->code_size <= room &&
         end->key_size <= room - end->code_size && end->files_size == room - end->code_size - end->key_size &&
         end->checksum == pl_hash(PL_HASH_START, bytes, size - sizeof end->checksum);
}
