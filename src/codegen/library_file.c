/* SPDX-License-Identifier: BSD-2-Clause
 * The file that a compiler left. Owns nothing.
 */
#include "library_file.h"
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether `size` bytes at `fd` are a shared library with all its segments: what dlopen may be trusted with.
 */
static bool holds_library(int fd, uint64_t size)
{
  ElfW(Ehdr) head;
  ElfW(Phdr) segment;
  if (pread(fd, &head, sizeof head, 0) != sizeof head || memcmp(head.e_ident, ELFMAG, SELFMAG)) return false;
  if (head.e_type != ET_DYN || head.e_phentsize != sizeof segment || !head.e_phnum) return false;
  for (int i = 0; i < head.e_phnum; i++) {
    off_t at = (off_t)(head.e_phoff + (size_t)i * sizeof segment);
    if (pread(fd, &segment, sizeof segment, at) != sizeof segment) return false;
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset) return false;
  }
  return true;
}

bool pl_library_is_whole(const char *path)
{
  struct stat info;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  bool good = !fstat(fd, &info) && S_ISREG(info.st_mode) && holds_library(fd, (uint64_t)info.st_size);
  close(fd);
  return good;
}

/* ---- contracted pairs ---- */

/* The first place of a word in bytes, or NULL. */
static const char *find(const char *bytes, size_t size, const char *word)
{
  size_t length = strlen(word);
  for (const char *b = bytes; size >= length && b <= bytes + size - length; b++)
    if (!memcmp(b, word, length)) return b;
  return NULL;
}

/* Whether gcc before 14 made the file: it says "GCC: (Debian 12.2.0-14) 12.2.0". Others say so too of the
 * start-up code that they link. */
static bool is_of_old_gcc(const char *bytes, size_t size)
{
  const char *gcc = find(bytes, size, "GCC: ("), *end = bytes + size;
  if (!gcc || find(bytes, size, "clang version")) return false;
  const char *close = memchr(gcc, ')', (size_t)(end - gcc));
  return close && end - close > 8 && atoi(close + 1) < 14;
}

/* Whether an instruction vfmaddsub or vfmsubadd of x86 begins here, as far as four bytes tell. */
static bool contracts(const unsigned char *b)
{
  static const unsigned char operations[] = {0x96, 0x97, 0xa6, 0xa7, 0xb6, 0xb7};
  bool vex = b[0] == 0xc4 && (b[1] & 0x1f) == 2 && (b[2] & 3) == 1;
  bool evex = b[0] == 0x62 && (b[1] & 7) == 2 && (b[2] & 7) == 5;
  return (vex && memchr(operations, b[3], sizeof operations)) ||
         (evex && memchr(operations, b[4], sizeof operations));
}

static bool code_contracts(const unsigned char *code, size_t size)
{
  for (size_t i = 0; i + 5 <= size; i++)
    if (contracts(code + i)) return true;
  return false;
}

static bool file_contracts(const char *bytes, size_t size)
{
  ElfW(Ehdr) head;
  ElfW(Phdr) segment;
  if (!is_of_old_gcc(bytes, size)) return false;
  memcpy(&head, bytes, sizeof head);
  for (int i = 0; i < head.e_phnum; i++) {
    memcpy(&segment, bytes + head.e_phoff + (size_t)i * sizeof segment, sizeof segment);
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) &&
        code_contracts((const unsigned char *)bytes + segment.p_offset, segment.p_filesz))
      return true;
  }
  return false;
}

bool pl_library_contracts(const char *path)
{
#if defined(__x86_64__) || defined(__i386__)
  struct stat info;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  void *bytes =
    fstat(fd, &info) ? MAP_FAILED : mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (bytes == MAP_FAILED) return false;
  bool found = file_contracts(bytes, (size_t)info.st_size);
  munmap(bytes, (size_t)info.st_size);
  return found;
#else
  (void)path;
  return false;
#endif
}
