/* SPDX-License-Identifier: BSD-2-Clause
 * Numbering the distinct targets of a block.
 *
 * A block's targets are sorted as 64-bit keys, target above, index into local[] below, by as many 8-bit
 * digits as their spread needs: one or two for a block of a well-ordered mesh of any size.
 */
#include "block_targets.h"

int pl_reaches_width(int n, const pl_reach *reach)
{
  int width = 0;
  for (int r = 0; r < n; r++) width += pl_reach_width(&reach[r]);
  return width;
}

size_t pl_group_bases(const pl_plan_request *request, size_t *base)
{
  size_t next = 0, size = 0;
  for (int r = 0; r < request->nconflict; r++) {
    const pl_reach *reach = &request->conflict[r];
    bool opens = !r || reach->group != reach[-1].group;
    if (opens) next += size;
    base[r] = next;
    size = (size_t)pl_reach_to(reach, request->set)->end[3];
  }
  return next + size;
}

static int key_target(uint64_t key)
{
  return (int)(key >> 32);
}

/* One stable pass by the digit of (target - lowest) at `shift`. */
static void sort_digit(size_t n, const uint64_t *from, uint64_t *to, int lowest, int shift)
{
  size_t start[257] = {0};
  for (size_t i = 0; i < n; i++) start[1 + (((unsigned)(key_target(from[i]) - lowest) >> shift) & 255)]++;
  for (int d = 0; d < 256; d++) start[d + 1] += start[d];
  for (size_t i = 0; i < n; i++)
    to[start[((unsigned)(key_target(from[i]) - lowest) >> shift) & 255]++] = from[i];
}

/* Sorts by target; returns the sorted keys, which begin at keys or keys + n. */
static const uint64_t *sort_keys(size_t n, uint64_t *keys)
{
  uint64_t *from = keys, *to = keys + n;
  uint64_t lowest = UINT64_MAX, highest = 0;
  for (size_t i = 0; i < n; i++) {
    lowest = keys[i] < lowest ? keys[i] : lowest;
    highest = keys[i] > highest ? keys[i] : highest;
  }
  if (!n) return keys;
  unsigned spread = (unsigned)(key_target(highest) - key_target(lowest));
  for (int shift = 0; shift < 32 && spread >> shift; shift += 8) {
    sort_digit(n, from, to, key_target(lowest), shift);
    uint64_t *sorted = to;
    to = from;
    from = sorted;
  }
  return from;
}

/* Appends the keys of the targets of one reach; returns how many. Negative ones get -1 in local[]. */
static size_t add_keys(const pl_numbering *how, const pl_reach *reach, int column, pl_run run, uint64_t *keys,
                       int *local)
{
  size_t n = 0;
  int width = pl_reach_width(reach);
  for (int p = run.begin; p < run.end; p++) {
    const int element = pl_element_at(how->set, p);
    size_t at = (size_t)(p - run.begin) * (size_t)how->stride + (size_t)column;
    for (int k = 0; k < width; k++, at++) {
      const int target = pl_reach_target(reach, element, k);
      if (target >= 0)
        keys[n++] = (uint64_t)target << 32 | at;
      else
        local[at] = -1;
    }
  }
  return n;
}

int pl_number_targets(const pl_numbering *how, pl_run run, uint64_t *keys, int *local, int *target)
{
  size_t n = 0;
  for (int r = 0, column = how->column; r < how->nreach; column += pl_reach_width(&how->reach[r++]))
    n += add_keys(how, &how->reach[r], column, run, keys + n, local);
  const uint64_t *sorted = sort_keys(n, keys);
  int count = 0;
  for (size_t i = 0; i < n; i++) {
    bool repeat = i && key_target(sorted[i]) == key_target(sorted[i - 1]);
    if (!repeat && target) target[count] = key_target(sorted[i]);
    if (!repeat) count++;
    local[sorted[i] & UINT32_MAX] = how->first + count - 1;
  }
  return count;
}
