/* SPDX-License-Identifier: BSD-2-Clause
 * The values end where a page ends; the next page cannot be accessed.
 */
#include "guarded_pages.h"
#include "memory.h"
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGN = 16 };

pl_pages *pl_pages_new(pl_context *pl, size_t bytes)
{
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), used = (bytes + page - 1) / page * page;
  pl_pages *pages = pl_malloc(pl, sizeof *pages);
  if (!pages) return NULL;
  pages->bytes = used + page;
  pages->first = mmap(NULL, pages->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages->first == MAP_FAILED) return pl_free(pl, pages), NULL;
  pages->values = pages->first + used - (bytes + ALIGN - 1) / ALIGN * ALIGN;
  mprotect(pages->first + used, page, PROT_NONE);
  return pages;
}

void pl_pages_protect(const pl_pages *pages)
{
  mprotect(pages->first, pages->bytes, PROT_NONE);
}

void pl_pages_free(pl_context *pl, pl_pages *pages)
{
  if (pages) munmap(pages->first, pages->bytes);
  pl_free(pl, pages);
}
