/* SPDX-License-Identifier: BSD-2-Clause
 * Lists by which devices gather increments: inverse maps, their rows of words, and increment lists of
 * blocks, compared with their definitions on random and degenerate meshes.
 */
#include "core/data/objects.h"
#include "plan/blocks/block_increments.h"
#include "plan/execution/inverse_map.h"
#include "plan_meshes.h"

enum { MOST = 400, SLOTS = 4, ROUNDS = 300 };

static int target_of(const pl_reach *slot, int element)
{
  return slot->map->index[(size_t)element * (size_t)slot->map->arity + (size_t)slot->index];
}

static int element_at(const pl_set *set, int position)
{
  return set->indices ? set->indices[position] : position;
}

/* Up to SLOTS distinct increments through maps to one set. */
static int random_slots(seed *s, const mesh *m, pl_reach *slot)
{
  int n = 0;
  const pl_map *first = m->map[below(s, m->nmaps)];
  for (int i = 0; i < SLOTS; i++) {
    const pl_map *map = i ? m->map[below(s, m->nmaps)] : first;
    pl_reach one = {.map = map, .index = below(s, map->arity)};
    bool known = map->to != first->to;
    for (int j = 0; j < n; j++) known |= slot[j].map == map && slot[j].index == one.index;
    if (!known) slot[n++] = one;
  }
  return n;
}

/* ---- inverse maps ---- */

static bool inverse_is_right(const pl_set *set, int n, const pl_reach *slot, const pl_inverse *inverse)
{
  int found = 0;
  for (int t = 0; t < inverse->ntargets; t++)
    for (int k = inverse->offset[t]; k < inverse->offset[t + 1]; k++) {
      int entry = inverse->entry[k];
      if (target_of(&slot[entry % n], entry / n) != t) return false;
      if (k > inverse->offset[t] && inverse->entry[k - 1] >= entry) return false;
    }
  for (int i = 0; i < set->end[3]; i++)
    for (int s = 0; s < n; s++) found += target_of(&slot[s], element_at(set, i)) >= 0;
  return found == inverse->nentries && inverse->offset[inverse->ntargets] == found;
}

/* One entry: its slot gives its target, and its words are those of its element. */
static bool entry_is_right(const pl_inverse *inverse, const pl_reach *slot, const pl_reach *word, int nwords,
                           const int *words, size_t apart, int base, int from, bool muted)
{
  int n = inverse->nslots, element = inverse->entry[from] / n, own = inverse->entry[from] % n;
  if (words[0] % base != own + (muted ? n : 0)) return false;
  for (int i = 0; i < nwords; i++) {
    int value = i ? words[(size_t)i * apart] : words[0] / base,
        other = word[i].index + (word[i].index >= own);
    int wanted = !word[i].map ? element : target_of(word[i].group ? &slot[other] : &word[i], element);
    if (value != wanted) return false;
  }
  return true;
}

static bool rows_are_right(const pl_inverse *inverse, const pl_reach *slot, const pl_reach *word, int base,
                           const pl_rows *rows)
{
  size_t n = (size_t)rows->ntargets, step = n * (size_t)rows->nwords;
  for (int t = 0; t < inverse->ntargets; t++) {
    int from = inverse->offset[t], count = inverse->offset[t + 1] - from;
    if (rows->degree && count > rows->degree) return false;
    if (rows->degree && !count && rows->word[t] != -1) return false;
    for (int k = 0; count && k < (rows->degree ? rows->degree : count); k++) {
      bool muted = k >= count;
      const int *at = rows->degree ? rows->word + t + (size_t)k * step : rows->word + from + k;
      size_t apart = rows->degree ? n : (size_t)rows->nentries;
      if (!entry_is_right(inverse, slot, word, rows->nwords, at, apart, base, muted ? from : from + k, muted))
        return false;
    }
  }
  return true;
}

/* Words of all kinds: the element, which is never missing, and targets. */
static void check_rows(pl_context *pl, const pl_inverse *inverse, int n, const pl_reach *slot, int degree)
{
  pl_reach word[SLOTS + 1];
  pl_rows rows;
  int nwords = 0, base = degree ? 2 * n : n;
  word[nwords++] = (pl_reach){.index = PL_ID};
  for (int s = 0; s + 1 < n; s++) word[nwords++] = (pl_reach){.map = slot[s].map, .index = s, .group = 1};
  word[nwords++] = slot[0];
  const pl_row_words words = {slot, nwords, word};
  OK(pl_rows_build(pl, inverse, &words, degree, base, &rows));
  CU_ASSERT(rows_are_right(inverse, slot, word, base, &rows));
  pl_rows_free(pl, &rows);
}

static int longest_row(const pl_inverse *inverse)
{
  int longest = 0;
  for (int t = 0; t < inverse->ntargets; t++)
    if (inverse->offset[t + 1] - inverse->offset[t] > longest)
      longest = inverse->offset[t + 1] - inverse->offset[t];
  return longest;
}

/* The number of leading targets without an element at or after `end`. */
static bool before_is_right(const pl_inverse *inverse, int end)
{
  int n = pl_inverse_before(inverse, end);
  for (int t = 0; t <= n && t < inverse->ntargets; t++) {
    bool reaches_end = false;
    for (int k = inverse->offset[t]; k < inverse->offset[t + 1]; k++)
      reaches_end |= inverse->entry[k] / inverse->nslots >= end;
    if (reaches_end != (t == n)) return false;
  }
  return n <= inverse->ntargets;
}

static void test_inverse(void)
{
  seed s = 7;
  int fixed = 0, ragged = 0;
  for (int round = 0; round < ROUNDS; round++) {
    mesh m = random_mesh(&s, MOST);
    pl_set *set = below(&s, 3) ? m.set : m.subset;
    pl_reach slot[SLOTS];
    pl_inverse inverse;
    int n = random_slots(&s, &m, slot);
    OK(pl_inverse_build(m.pl, set, n, slot, &inverse));
    CU_ASSERT(inverse_is_right(set, n, slot, &inverse));
    int degree = pl_rows_degree(&inverse, 1);
    CU_ASSERT(degree == 0 || degree == longest_row(&inverse));
    degree ? fixed++ : ragged++;
    for (int end = 0; end <= set->end[2]; end += 1 + end) CU_ASSERT(before_is_right(&inverse, end));
    check_rows(m.pl, &inverse, n, slot, 0);
    if (longest_row(&inverse) > 0) check_rows(m.pl, &inverse, n, slot, longest_row(&inverse));
    pl_inverse_free(m.pl, &inverse);
    pl_finalize(&m.pl);
  }
  CU_ASSERT(fixed > 0 && ragged > 30);
}

/* ---- lists of blocks ---- */

/* The number of blocks that reach a target. */
static int blocks_with(const pl_block_sums *sums, int t)
{
  int blocks = 0;
  for (int i = 0; i < sums->offset[sums->nblocks]; i++)
    blocks += (sums->target[i] < 0 ? ~sums->target[i] : sums->target[i]) == t;
  return blocks;
}

static bool block_is_right(const pl_block_sums *sums, const pl_set *set, const pl_reach *slot, int b)
{
  const uint16_t *row = sums->row + sums->offset[b] + b;
  const uint16_t *entry = sums->entry + (size_t)sums->block_size * (size_t)sums->nslots * (size_t)b;
  int begin = sums->begin + b * sums->block_size, left = sums->end - begin, found = 0, last = -1;
  int size = left < sums->block_size ? left : sums->block_size,
      ntargets = sums->offset[b + 1] - sums->offset[b];
  for (int i = 0; i < ntargets; i++) {
    int mark = sums->target[sums->offset[b] + i], t = mark < 0 ? ~mark : mark;
    if (t <= last || (mark < 0) != (blocks_with(sums, t) > 1)) return false;
    last = t;
    for (int k = row[i]; k < row[i + 1]; k++) {
      int place = entry[k] % sums->block_size, s = entry[k] / sums->block_size;
      if (place >= size || target_of(&slot[s], element_at(set, begin + place)) != t) return false;
      if (k > row[i] && entry[k - 1] % sums->block_size > place) return false;
    }
  }
  for (int i = 0; i < size; i++)
    for (int s = 0; s < sums->nslots; s++) found += target_of(&slot[s], element_at(set, begin + i)) >= 0;
  return row[0] == 0 && row[ntargets] == found;
}

static void test_block_sums(void)
{
  static const int sizes[] = {1, 2, 7, 32, 100, 1024};
  seed s = 11;
  for (int round = 0; round < ROUNDS; round++) {
    mesh m = random_mesh(&s, MOST);
    pl_set *set = below(&s, 3) ? m.set : m.subset;
    pl_reach slot[SLOTS];
    pl_block_sums sums;
    int n = random_slots(&s, &m, slot), end = set->end[3], begin = end ? below(&s, end) / 2 : 0;
    OK(pl_block_sums_build(set, (pl_run){begin, end}, sizes[round % 6], n, slot, &sums));
    CU_ASSERT_EQUAL(sums.nblocks, (end - begin + sums.block_size - 1) / sums.block_size);
    bool right = true;
    for (int b = 0; b < sums.nblocks; b++) right &= block_is_right(&sums, set, slot, b);
    CU_ASSERT(right);
    pl_block_sums_free(m.pl, &sums);
    pl_finalize(&m.pl);
  }
}

/* More entries than 16 bits can count are refused. */
static void test_too_many(void)
{
  static const int index[2] = {0, 0};
  pl_context *pl = open_context();
  pl_set *set = make_set(pl, 2);
  pl_map *map = make_map(set, set, 1, index);
  const pl_reach slot[] = {{.map = map}};
  pl_block_sums sums;
  FAILS(pl_block_sums_build(set, (pl_run){0, 2}, 65536, 1, slot, &sums), PL_ERR_RANGE, "65536");
  pl_finalize(&pl);
}

static CU_TestInfo tests[] = {
  {"inverse maps and their rows", test_inverse},
  {"lists of blocks", test_block_sums},
  {"blocks with too many increments", test_too_many},
  CU_TEST_INFO_NULL,
};

int main(void)
{
  return suite_run("sums", tests);
}
