/* SPDX-License-Identifier: BSD-2-Clause
 * The file that a compiler left. Owns nothing.
 */
#include "library_file.h"
#include "x86.h"
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

/* Each section of code begins with an instruction. */
static bool file_contracts(const char *bytes, size_t size)
{
  ElfW(Ehdr) head;
  ElfW(Shdr) section;
  if (!is_of_old_gcc(bytes, size)) return false;
  memcpy(&head, bytes, sizeof head);
  if (head.e_shentsize != sizeof section || head.e_shoff > size ||
      (size - head.e_shoff) / sizeof section < head.e_shnum)
    return false;
  for (int i = 0; i < head.e_shnum; i++) {
    memcpy(&section, bytes + head.e_shoff + (size_t)i * sizeof section, sizeof section);
    bool inside = section.sh_offset <= size && section.sh_size <= size - section.sh_offset;
    if (section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_EXECINSTR) && inside &&
        pl_x86_contracts_pairs((const unsigned char *)bytes + section.sh_offset, section.sh_size))
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
