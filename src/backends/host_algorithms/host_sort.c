/* SPDX-License-Identifier: BSD-2-Clause
 * Radix sort, selection and gather on the host. The sort goes by digits of 8 bits, the least first (Knuth,
 * The Art of Computer Programming 3, 5.2.5), on keys mapped to unsigned numbers of the same order. Invariant:
 * a worker has a contiguous part and writes the elements of a digit behind those of lower workers, so the
 * sort is stable.
 */
#include "host_sort.h"
#include "backends/host/host.h"
#include "core/data/objects.h"
#include <string.h>

enum { DIGIT = 8, VALUES = 1 << DIGIT, MOST_DIGITS = 8, LINE = 64 };

typedef struct pair {
  uint64_t key;
  uint32_t element;
} pair;

enum { UNSIGNED, SIGNED, REAL };

/* Passes alternate between `from` and `to`: key << 32 | element for keys of up to 4 bytes, pairs for 8. The
 * first pass reads the keys, the last writes elements only. */
typedef struct sorting {
  const void *keys;
  int *order;
  void *from, *to;
  int n, workers, kind;
  int size; /* of a key: 1, 2, 4 or 8 bytes */
  bool first, last;
  int shift;
  int (*place)[VALUES]; /* of each worker: the index of its next element of a digit */
  uint64_t mask;
  int (*digits)[VALUES]; /* counts of each value of each digit */
} sorting;

/* ---- keys ---- */

/* An unsigned number of the same order: the sign bit inverted, and all bits of negative reals. */
static inline uint64_t key_of(const sorting *s, int i, int size)
{
  const uint64_t sign = UINT64_C(1) << (8 * size - 1);
  uint64_t key = size == 1   ? ((const uint8_t *)s->keys)[i]
                 : size == 2 ? ((const uint16_t *)s->keys)[i]
                 : size == 4 ? ((const uint32_t *)s->keys)[i]
                             : ((const uint64_t *)s->keys)[i];
  return (s->kind == UNSIGNED ? key : s->kind == SIGNED || !(key & sign) ? key ^ sign : ~key) & s->mask;
}

/* ---- counting ---- */

static inline void count_all(sorting *s, int size)
{
  int(*digits)[VALUES] = s->digits;
  for (int i = 0; i < s->n; i++) {
    uint64_t key = key_of(s, i, size);
    for (int d = 0; d < size; d++) digits[d][key >> (DIGIT * d) & (VALUES - 1)]++;
  }
}

/* Calls function(arguments..., size) with the size of keys as a constant. */
#define WITH_SIZE(function, ...)                                                                             \
  (s->size == 1   ? function(__VA_ARGS__, 1)                                                                 \
   : s->size == 2 ? function(__VA_ARGS__, 2)                                                                 \
   : s->size == 4 ? function(__VA_ARGS__, 4)                                                                 \
                  : function(__VA_ARGS__, 8))

static inline uint64_t key_in(const sorting *s, int i, bool first)
{
  if (first) return WITH_SIZE(key_of, s, i);
  return s->size == 8 ? ((const pair *)s->from)[i].key : ((const uint64_t *)s->from)[i] >> 32;
}

static void work_count(void *data, int w)
{
  sorting *s = data;
  int *count = s->place[w];
  memset(count, 0, sizeof s->place[w]);
  for (int i = pl_host_share(s->n, w, s->workers); i < pl_host_share(s->n, w + 1, s->workers); i++)
    count[key_in(s, i, s->first) >> s->shift & (VALUES - 1)]++;
}

static void find_places(sorting *s)
{
  int next = 0;
  for (int value = 0; value < VALUES; value++)
    for (int w = 0; w < s->workers; w++) {
      int count = s->place[w][value];
      s->place[w][value] = next;
      next += count;
    }
}

/* ---- scattering ---- */

static inline void scatter_keys(sorting *s, int w, bool first, bool last, int size)
{
  const sorting here = *s; /* a copy that no store aliases */
  int place[VALUES], shift = s->shift, end = pl_host_share(s->n, w + 1, s->workers);
  const bool wide = size == 8;
  const pair *from_wide = s->from;
  const uint64_t *from = s->from;
  pair *to_wide = s->to;
  uint64_t *to = s->to;
  memcpy(place, s->place[w], sizeof place);
  for (int i = pl_host_share(s->n, w, s->workers); i < end; i++) {
    uint64_t key = first ? key_of(&here, i, size) : wide ? from_wide[i].key : from[i] >> 32;
    uint32_t element = first ? (uint32_t)i : wide ? from_wide[i].element : (uint32_t)from[i];
    int at = place[key >> shift & (VALUES - 1)]++;
    if (last)
      s->order[at] = (int)element;
    else if (wide)
      to_wide[at] = (pair){key, element};
    else
      to[at] = key << 32 | element;
  }
}

static void work_scatter(void *data, int w)
{
  sorting *s = data;
  if (s->first && s->last)
    WITH_SIZE(scatter_keys, s, w, true, true);
  else if (s->first)
    WITH_SIZE(scatter_keys, s, w, true, false);
  else if (s->last)
    WITH_SIZE(scatter_keys, s, w, false, true);
  else
    WITH_SIZE(scatter_keys, s, w, false, false);
}

/* ---- the sort ---- */

/* The digits in which keys differ. */
static int list_digits(const sorting *s, int *list)
{
  int count = 0;
  for (int d = 0; d < s->size; d++) {
    int value = 0;
    while (value < VALUES && s->digits[d][value] != s->n && !s->digits[d][value]) value++;
    if (value < VALUES && s->digits[d][value] != s->n) list[count++] = d;
  }
  return count;
}

static void run_digit(pl_context *pl, sorting *s, int digit)
{
  s->shift = digit * DIGIT;
  if (s->workers == 1)
    memcpy(s->place[0], s->digits[digit], sizeof s->place[0]);
  else
    pl_host_each(pl, s->workers, work_count, s);
  find_places(s);
  pl_host_each(pl, s->workers, work_scatter, s);
  void *from = s->from;
  s->from = s->to;
  s->to = from;
}

static void run_sort(pl_context *pl, sorting *s)
{
  int list[MOST_DIGITS];
  WITH_SIZE(count_all, s);
  int count = list_digits(s, list);
  for (int i = 0; !count && i < s->n; i++) s->order[i] = i;
  for (int k = 0; k < count; k++) {
    s->first = k == 0;
    s->last = k == count - 1;
    run_digit(pl, s, list[k]);
  }
}

static pl_err grow_sort_buffer(pl_context *pl, size_t bytes)
{
  pl_host *host = pl->backend_state;
  if (host->sort_size >= bytes) return PL_SUCCESS;
  pl_free_array(pl, host->sort_buffer);
  host->sort_buffer = pl_malloc_array(pl, bytes);
  host->sort_size = host->sort_buffer ? bytes : 0;
  return host->sort_buffer ? PL_SUCCESS : pl_fail_memory(pl, bytes);
}

static pl_err sort_in_buffer(pl_context *pl, sorting *s)
{
  size_t half = ((size_t)s->n * (s->size == 8 ? sizeof(pair) : sizeof(uint64_t)) + LINE - 1) / LINE * LINE;
  PL_TRY(grow_sort_buffer(pl, 2 * half));
  s->from = ((pl_host *)pl->backend_state)->sort_buffer;
  s->to = (char *)s->from + half;
  s->place = pl_calloc(pl, (size_t)s->workers, sizeof *s->place);
  s->digits = pl_calloc(pl, MOST_DIGITS, sizeof *s->digits);
  bool there = s->place && s->digits;
  if (there) run_sort(pl, s);
  pl_free_all(pl, s->place, s->digits);
  return there ? PL_SUCCESS : pl_fail_memory(pl, sizeof *s->digits);
}

pl_err pl_host_sort(pl_context *pl, pl_dat *keys, int bits, pl_dat *order)
{
  sorting s = {.n = keys->set->end[1], .workers = pl_host_workers(pl), .size = (int)pl_type_size(keys->type)};
  s.kind = !pl_type_is_integer(keys->type)          ? REAL
           : pl_type_is_signed(keys->type) && !bits ? SIGNED
                                                    : UNSIGNED;
  s.mask = UINT64_MAX >> (64 - (bits ? bits : 8 * s.size));
  s.keys = pl_dat_host(keys, false);
  s.order = pl_dat_host(order, true);
  if (!s.keys || !s.order) return pl->error_code;
  if (s.n < s.workers * VALUES) s.workers = 1;
  PL_TRY(sort_in_buffer(pl, &s));
  pl_dat_host_written(order);
  return PL_SUCCESS;
}

/* ---- selecting ---- */

typedef struct selection {
  const void *flag;
  pl_type type;
  int n, workers;
  int *order, *place; /* place: of each worker, the count, then the index of its first element */
} selection;

#define SELECT(type)                                                                                         \
  case sizeof(type):                                                                                         \
    for (int i = begin; i < end; i++) {                                                                      \
      if (write) s->order[at] = i;                                                                           \
      at += ((const type *)s->flag)[i] != 0;                                                                 \
    }                                                                                                        \
    break;

/* Without branches: writes each element, and advances if its flag is set. */
static inline int select_range(const selection *s, int begin, int end, int at, bool write)
{
  switch (pl_type_size(s->type)) {
    SELECT(int8_t)
    SELECT(int16_t)
    SELECT(int32_t)
    SELECT(int64_t)
  default:
    break;
  }
  return at;
}

static void work_flags(void *data, int w)
{
  const selection *s = data;
  s->place[w] =
    select_range(s, pl_host_share(s->n, w, s->workers), pl_host_share(s->n, w + 1, s->workers), 0, false);
}

static bool is_flagged(const selection *s, int i)
{
  static const char zeros[8] = {0};
  size_t size = pl_type_size(s->type);
  return memcmp((const char *)s->flag + (size_t)i * size, zeros, size) != 0;
}

/* Ends with a selected element, so as not to write where the next worker's first one goes. */
static void work_select(void *data, int w)
{
  const selection *s = data;
  int begin = pl_host_share(s->n, w, s->workers), end = pl_host_share(s->n, w + 1, s->workers);
  while (end > begin && !is_flagged(s, end - 1)) end--;
  select_range(s, begin, end, s->place[w], true);
}

static int scan_counts(selection *s)
{
  int total = 0;
  for (int w = 0; w < s->workers; w++) {
    int count = s->place[w];
    s->place[w] = total;
    total += count;
  }
  return total;
}

pl_err pl_host_select(pl_context *pl, pl_dat *flag, pl_dat *order, int64_t *count)
{
  selection s = {.type = flag->type, .n = flag->set->end[1], .workers = pl_host_workers(pl)};
  s.flag = pl_dat_host(flag, false);
  s.order = order ? pl_dat_host(order, true) : NULL;
  if (!s.flag || (order && !s.order)) return pl->error_code;
  PL_TRY(PL_NEW(pl, s.place, (size_t)s.workers));
  pl_host_each(pl, s.workers, work_flags, &s);
  *count = scan_counts(&s);
  if (order) pl_host_each(pl, s.workers, work_select, &s);
  pl_free(pl, s.place);
  if (order) pl_dat_host_written(order);
  return PL_SUCCESS;
}

/* ---- gathering ---- */

typedef struct gathering {
  const int *order;
  const char *from;
  char *to;
  size_t stride;
  int n, workers;
} gathering;

static void work_gather(void *data, int w)
{
  const gathering *t = data;
  int begin = pl_host_share(t->n, w, t->workers), end = pl_host_share(t->n, w + 1, t->workers);
  pl_gather_records(end - begin, t->stride, t->order + begin, t->from, t->to + (size_t)begin * t->stride);
}

pl_err pl_host_gather(pl_context *pl, pl_dat *order, int n, pl_dat *from, pl_dat *to)
{
  gathering t = {.n = n, .workers = pl_host_workers(pl), .stride = pl_dat_stride(to)};
  t.order = pl_dat_host(order, false);
  t.from = pl_dat_host(from, false);
  t.to = pl_dat_host(to, n == to->set->end[3]);
  if (!t.order || !t.from || !t.to) return pl->error_code;
  pl_host_each(pl, t.workers, work_gather, &t);
  pl_dat_host_written(to);
  return PL_SUCCESS;
}
