/* SPDX-License-Identifier: BSD-2-Clause
 * The inverse of maps by counting sort, and its rows with words.
 */
#include "inverse_map.h"
#include "core/tools/tools.h"
#include "core/threads/threads.h"
#include "plan/blocks/block_targets.h"
#include <string.h>

static int target_of(const pl_reach *reach, int element)
{
  return pl_map_target(reach->map, (size_t)element, reach->index);
}

/* An inverse under construction. Each part has a range of targets and writes no memory of another. It reads
 * the chunks of elements that reach its range, in their order, so its rows ascend. */
typedef struct inversion {
  const pl_set *set;
  const pl_reach *reach;
  pl_inverse *into;
  int parts, chunks;
  int *least, *greatest; /* targets of the elements of each chunk */
  int *before;           /* of each part: the entries of the parts before it */
} inversion;

enum { CHUNK = 1024 }; /* elements */

static int chunk_end(const inversion *v, int chunk)
{
  int64_t end = ((int64_t)chunk + 1) * CHUNK;
  return end < v->set->end[2] ? (int)end : v->set->end[2];
}

static void bound_chunk(const inversion *v, int chunk)
{
  int least = v->into->ntargets, greatest = -1;
  for (int i = chunk * CHUNK; i < chunk_end(v, chunk); i++)
    for (int s = 0; s < v->into->nslots; s++) {
      int t = target_of(&v->reach[s], pl_element_at(v->set, i));
      if (t > greatest) greatest = t;
      if (t >= 0 && t < least) least = t;
    }
  v->least[chunk] = least;
  v->greatest[chunk] = greatest;
}

/* offset[t + 2] becomes the number of entries of target t. */
static void count_chunk(const inversion *v, int chunk, int begin, int end)
{
  for (int i = chunk * CHUNK; i < chunk_end(v, chunk); i++)
    for (int s = 0; s < v->into->nslots; s++) {
      int t = target_of(&v->reach[s], pl_element_at(v->set, i));
      if (t >= begin && t < end) v->into->offset[t + 2]++;
    }
}

/* offset[t + 1] advances from the begin of row t to its end. */
static void fill_chunk(const inversion *v, int chunk, int begin, int end)
{
  const int nslots = v->into->nslots;
  for (int i = chunk * CHUNK; i < chunk_end(v, chunk); i++)
    for (int s = 0; s < nslots; s++) {
      int element = pl_element_at(v->set, i), t = target_of(&v->reach[s], element);
      if (t >= begin && t < end) v->into->entry[v->into->offset[t + 1]++] = element * nslots + s;
    }
}

static pl_run part_at(const inversion *v, int part)
{
  const int n = v->into->ntargets;
  return (pl_run){pl_part_begin(n, v->parts, part), pl_part_begin(n, v->parts, part + 1)};
}

static void visit_part(const inversion *v, int part,
                       void (*visit)(const inversion *v, int chunk, int begin, int end))
{
  const pl_run t = part_at(v, part);
  for (int c = 0; c < v->chunks; c++)
    if (v->least[c] < t.end && v->greatest[c] >= t.begin) visit(v, c, t.begin, t.end);
}

/* Counts the entries of the part's targets: offset[t + 2] becomes the end of row t, counted from the part's
 * first entry. */
static void count_part(const inversion *v, int part)
{
  const pl_run t = part_at(v, part);
  int *end = v->into->offset + 2;
  memset(end + t.begin, 0, (size_t)(t.end - t.begin) * sizeof *end);
  visit_part(v, part, count_chunk);
  for (int i = t.begin + 1; i < t.end; i++) end[i] += end[i - 1];
  v->before[part + 1] = t.end > t.begin ? end[t.end - 1] : 0;
}

static void shift_part(const inversion *v, int part)
{
  const pl_run t = part_at(v, part);
  int *end = v->into->offset + 2;
  for (int i = t.begin; i < t.end; i++) end[i] += v->before[part];
}

static pl_err build(pl_context *pl, const inversion *v)
{
  pl_inverse *inverse = v->into;
  PL_PARALLEL_FOR(v->parts)
  for (int c = 0; c < v->chunks; c++) bound_chunk(v, c);
  inverse->offset[0] = inverse->offset[1] = 0;
  PL_PARALLEL_FOR(v->parts)
  for (int p = 0; p < v->parts; p++) count_part(v, p);
  for (int p = 0; p < v->parts; p++) v->before[p + 1] += v->before[p];
  PL_PARALLEL_FOR(v->parts)
  for (int p = 1; p < v->parts; p++) shift_part(v, p);
  inverse->nentries = v->before[v->parts];
  PL_TRY(PL_NEW_ARRAY(pl, inverse->entry, (size_t)inverse->nentries));
  PL_PARALLEL_FOR(v->parts)
  for (int p = 0; p < v->parts; p++) visit_part(v, p, fill_chunk);
  return PL_SUCCESS;
}

pl_err pl_inverse_build(pl_context *pl, const pl_set *set, int nslots, const pl_reach *reach,
                        pl_inverse *inverse)
{
  int ntargets = reach[0].map->to->end[3];
  *inverse = (pl_inverse){.ntargets = ntargets, .nslots = nslots};
  if ((int64_t)pl_set_total(set->parent ? set->parent : set) * nslots > INT32_MAX)
    return pl_fail(pl, PL_ERR_RANGE, "the inverse of map \"%s\" has more than %d entries",
                   reach[0].map->node.name, INT32_MAX);
  PL_TRY(PL_NEW_ARRAY(pl, inverse->offset, (size_t)ntargets + 2));
  const size_t work = (size_t)set->end[2] * (size_t)nslots;
  inversion v = {set,  reach, inverse, pl_plan_threads(ntargets, work), (set->end[2] + CHUNK - 1) / CHUNK,
                 NULL, NULL,  NULL};
  pl_event_begin(pl, PL_TOOL_PLAN, "inverse map", set->node.name, 0);
  pl_err err = PL_NEW(pl, v.least, 2 * (size_t)v.chunks + (size_t)v.parts + 1);
  v.greatest = v.least + v.chunks;
  v.before = v.greatest + v.chunks;
  if (!err) err = build(pl, &v);
  pl_free(pl, v.least);
  pl_event_end(pl, PL_TOOL_PLAN);
  if (err) pl_inverse_free(pl, inverse);
  return err;
}

void pl_inverse_free(pl_context *pl, pl_inverse *inverse)
{
  pl_free_arrays(pl, inverse->offset, inverse->entry);
  *inverse = (pl_inverse){0};
}

int pl_inverse_before(const pl_inverse *inverse, int end)
{
  int t = 0;
  const int *offset = inverse->offset, *entry = inverse->entry;
  while (t < inverse->ntargets &&
         (offset[t] == offset[t + 1] || entry[offset[t + 1] - 1] / inverse->nslots < end))
    t++;
  return t;
}

/* ---- rows of words ---- */

enum { MOST_DEGREE = 8, MOST_WORDS = 16 };

/* Slots of padding are as many again, so entries must fit twice. */
int pl_rows_degree(const pl_inverse *inverse, int nwords)
{
  int longest = 0, greatest = 0;
  for (int t = 0; t < inverse->ntargets; t++) {
    int n = inverse->offset[t + 1] - inverse->offset[t],
        last = n ? inverse->entry[inverse->offset[t + 1] - 1] : 0;
    if (n > longest) longest = n;
    if (last > greatest) greatest = last;
  }
  bool full = (int64_t)longest * inverse->ntargets <= (int64_t)inverse->nentries + inverse->nentries / 4;
  bool fits = greatest <= (INT32_MAX - inverse->nslots) / 2;
  return full && fits && longest <= MOST_DEGREE && longest * nwords <= MOST_WORDS ? longest : 0;
}

int pl_row_word(const pl_row_words *words, int i, int element, int own)
{
  const pl_reach *word = &words->word[i];
  if (!word->map) return element;
  if (!word->group) return target_of(word, element);
  return target_of(&words->slot[word->index < own ? word->index : word->index + 1], element);
}

typedef struct writer {
  const pl_inverse *inverse;
  const pl_row_words *words;
  int base;
  pl_rows *rows;
} writer;

/* Writes entry `from` of the inverse to words at intervals of `stride` from `to`. */
static void write_entry(const writer *w, int from, bool padding, int *to, size_t stride)
{
  int element = w->inverse->entry[from] / w->inverse->nslots,
      own = w->inverse->entry[from] % w->inverse->nslots;
  for (int i = 0; i < w->rows->nwords; i++) to[(size_t)i * stride] = pl_row_word(w->words, i, element, own);
  to[0] = to[0] * w->base + own + (padding ? w->inverse->nslots : 0);
}

static void write_row(const writer *w, int t)
{
  const int *offset = w->inverse->offset;
  size_t n = (size_t)w->rows->ntargets, step = n * (size_t)w->rows->nwords;
  int *to = w->rows->word + t;
  for (int k = 0; k < w->rows->degree; k++, to += step) {
    bool padding = offset[t] + k >= offset[t + 1];
    if (offset[t] == offset[t + 1])
      for (int i = 0; i < w->rows->nwords; i++) to[(size_t)i * n] = -1;
    else
      write_entry(w, padding ? offset[t] : offset[t] + k, padding, to, n);
  }
}

static void write_rows(const writer *w)
{
  const pl_inverse *inverse = w->inverse;
  int threads = pl_plan_threads(inverse->ntargets, w->rows->length);
  if (w->rows->degree) {
    PL_PARALLEL_FOR(threads)
    for (int t = 0; t < inverse->ntargets; t++) write_row(w, t);
    return;
  }
  PL_PARALLEL_FOR(threads)
  for (int k = 0; k < inverse->nentries; k++)
    write_entry(w, k, false, w->rows->word + k, (size_t)inverse->nentries);
}

pl_err pl_rows_build(pl_context *pl, const pl_inverse *inverse, const pl_row_words *words, int degree,
                     int base, pl_rows *rows)
{
  const int nwords = words->nwords;
  size_t entries = degree ? (size_t)degree * (size_t)inverse->ntargets : (size_t)inverse->nentries;
  *rows = (pl_rows){inverse->ntargets, inverse->nentries, nwords, degree, entries * (size_t)nwords, NULL};
  PL_TRY(PL_NEW_ARRAY(pl, rows->word, rows->length));
  const writer w = {inverse, words, base, rows};
  pl_event_begin(pl, PL_TOOL_PLAN, "gather rows", words->slot[0].map->to->node.name, 0);
  write_rows(&w);
  pl_event_end(pl, PL_TOOL_PLAN);
  return PL_SUCCESS;
}

void pl_rows_free(pl_context *pl, pl_rows *rows)
{
  pl_free_array(pl, rows->word);
  *rows = (pl_rows){0};
}
