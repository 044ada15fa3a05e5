/* SPDX-License-Identifier: BSD-2-Clause
 * Sparse tiling of a schedule's loops. Whether tiles pay is measured in the schedule's own runs
 * (tuner.h) and stored beside the compiled code for later processes.
 *
 * Invariant: between pl_tiling_begin and pl_tiling_end all deferred loops run (pl_tiling_flush) before a loop
 * that is not deferred, and before any other access to data.
 */
#include "tiled_replay.h"
#include "backends/host_loop/host_loop.h"
#include "backends/host/host.h"
#include "backends/tuning/tuner.h"
#include "backends/tuning/tuning_cache.h"
#include "core/base/clock.h"
#include "core/loop/loop.h"
#include "plan/chain/sparse_tiling_verify.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

/* A deferred loop. */
typedef struct call {
  pl_host_code *code;
  size_t at; /* in `pointers`: the slots of each worker, then the storage of each argument */
} call;

/* Tiles of a sequence of loops; the key is the loops, their sizes and which arguments share storage. */
typedef struct cached_tiles {
  struct cached_tiles *next;
  size_t nkeys;
  uint64_t *key;
  pl_tiles *tiles;
} cached_tiles;

/* Loops that share tiles, at most and at least. One of UNTILED_EVERY runs is untiled while loops have still
 * to compare their forms, which they do only then. */
enum { MAX_LOOPS = 64, MIN_LOOPS = 2, UNTILED_EVERY = 16, MAX_CHECKED = 1000, MAX_SEEN = 256 };

/* A loop is minor if it moves less than 1/MINOR of the bytes of the heaviest one, or all loops of a run. */
enum { MINOR = 8 };

/* Of the second-level cache, a tile fills `share`; data that exceed so many caches make tiles worth trying,
 * later or at once. */
static const double share = 0.5;
enum { FEW_CACHES = 2, MANY_CACHES = 16 };

/* If tiles likely pay, the turns begin as soon as loops run their final code; else, and to confirm an earlier
 * choice, after LATER runs, when they are a small share. The best turns flatter tiles: they leave out what
 * making tiles costs, and whole programs with tiles took a tenth more time than these turns. */
typedef enum way { UNTILED, TILED, WAYS } way;
enum { LATER = 16 };
static const pl_tuner_rules rules = {.turns = 4, .gain = 1.1};

typedef struct tiling {
  struct tiling *next; /* in pl_host */
  pl_context *pl;
  pl_tuner tuner;
  int runs;
  way choice; /* of this run */
  int ncalls, call_room;
  call *call;
  size_t npointers, pointer_room;
  const void **pointers;
  cached_tiles *cached;
  double start, planning;  /* of this run: its start, and seconds spent on planning tiles */
  bool busy;               /* some loop compares its forms now, or will replace quick code */
  bool undecided;          /* some loop has still to compare its forms */
  double moved, unsettled; /* bytes in this run; of them, by loops that have no measured form */
  bool waits;              /* the previous run could not be a turn */
  bool known;              /* the choice is measured */
  pl_string key_text;      /* the loops, for the stored choice */
  double bytes;            /* that they access */
  const pl_loop *heaviest; /* the loop that moves most bytes */
  uint64_t *key;           /* scratch */
  size_t key_room;
} tiling;

static pl_host *host_of(pl_context *pl)
{
  return pl->backend_state;
}

/* ---- footprint ---- */

/* Bytes of distinct objects. */
typedef struct tally {
  int n;
  const void *seen[MAX_SEEN];
  double bytes;
} tally;

static void count_once(tally *t, const void *object, double bytes)
{
  int i = 0;
  while (i < t->n && t->seen[i] != object) i++;
  if (!object || i < t->n || t->n == MAX_SEEN) return;
  t->seen[t->n++] = object;
  t->bytes += bytes;
}

static void count_loop(tally *t, const pl_loop *loop, const void *const *storage)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    const pl_dat *dat = pl_arg_dat_of(arg);
    if (dat) count_once(t, storage ? storage[i] : dat, (double)pl_dat_nbytes(dat));
    if (arg->map) count_once(t, arg->map, (double)pl_map_entries(arg->map) * sizeof(int));
  }
}

static double cache_bytes(void)
{
  long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? (double)bytes : 1 << 20;
}

/* ---- choosing ---- */

static bool is_fixed(const tiling *t)
{
  return pl_opt_count(t->pl, PL_OPT_TILE) || pl_opt_flag(t->pl, PL_OPT_REPRODUCIBLE);
}

static way choose_tiling(const tiling *t)
{
  if (pl_opt_count(t->pl, PL_OPT_TILE) == 1 || pl_opt_flag(t->pl, PL_OPT_REPRODUCIBLE)) return UNTILED;
  if (pl_opt_count(t->pl, PL_OPT_TILE)) return TILED;
  bool untiled = t->undecided && t->runs % UNTILED_EVERY == 0 && !pl_tuner_is_close(&t->tuner);
  return untiled ? UNTILED : (way)pl_tuner_now(&t->tuner);
}

/* ---- stored choices ---- */

static const char *const names[WAYS] = {"untiled", "tiled"};

static pl_err make_key(const tiling *t, pl_string *key)
{
  const pl_jit_source source = {.label = "tiles", .text = pl_string_chars(&t->key_text)};
  return pl_jit_note_key(host_of(t->pl)->jit, &source, "tiles", key);
}

static void know_choice(tiling *t, int choice, bool confirmed)
{
  pl_tuner_open(&t->tuner, &rules, WAYS, UNTILED);
  pl_tuner_know(&t->tuner, choice, confirmed);
  t->tuner.wait = LATER;
  t->known = true;
}

/* The choice of an earlier process, or of another schedule with the same heaviest loop. */
static pl_err recall_choice(tiling *t)
{
  char name[16] = "";
  bool confirmed = false;
  pl_string key = {0};
  pl_err err = make_key(t, &key);
  if (!err) err = pl_tuning_recall(pl_jit_cache(host_of(t->pl)->jit), &key, name, sizeof name, &confirmed);
  pl_string_free(&key);
  for (int w = 0; w < WAYS; w++)
    if (!strcmp(name, names[w])) know_choice(t, w, confirmed);
  t->pl->stats.tilings_recalled += t->known;
  for (const tiling *other = host_of(t->pl)->tilings; other && !t->known; other = other->next)
    if (other->heaviest == t->heaviest && other->known) know_choice(t, other->tuner.chosen, true);
  return err;
}

static void remember_choice(const tiling *t)
{
  pl_string key = {0};
  if (!make_key(t, &key))
    pl_tuning_remember(pl_jit_cache(host_of(t->pl)->jit), "tiles", &key, names[t->tuner.chosen],
                       t->tuner.confirmed);
  pl_string_free(&key);
}

/* ---- opening ---- */

static bool is_new(const pl_schedule *schedule, int step)
{
  for (int s = 0; s < step; s++)
    if (schedule->step[s].op.loop == schedule->step[step].op.loop) return false;
  return true;
}

static pl_err list_loops(tiling *t, const pl_schedule *schedule)
{
  tally footprint = {.n = 0};
  pl_string_add(&t->key_text, "%d threads\n", host_of(t->pl)->threads);
  for (int s = 0; s < schedule->nsteps; s++) {
    const pl_loop *loop = schedule->step[s].op.loop;
    if (!loop || loop->role || !is_new(schedule, s)) continue;
    pl_string_add(&t->key_text, "%s over %d\n", loop->kernel->name, loop->set->end[1]);
    count_loop(&footprint, loop, NULL);
    if (!t->heaviest || loop->bytes_per_call > t->heaviest->bytes_per_call) t->heaviest = loop;
  }
  t->bytes = footprint.bytes;
  return pl_string_check(&t->key_text);
}

/* Tiles may pay if the data exceed the second-level caches; they likely do if the data also exceed a thread's
 * share of the last-level cache. */
static pl_err open_tuner(tiling *t)
{
  double caches = cache_bytes() * host_of(t->pl)->threads;
  bool may_pay = t->bytes > FEW_CACHES * caches, likely = t->bytes > MANY_CACHES * caches;
  pl_tuner_open(&t->tuner, &rules, WAYS, UNTILED);
  t->tuner.wait = likely ? 1 : LATER;
  t->waits = true;
  t->tuner.done = !may_pay;
  return may_pay ? recall_choice(t) : PL_SUCCESS;
}

static pl_err new_tiling(pl_context *pl, pl_schedule *schedule)
{
  tiling *t = pl_calloc(pl, 1, sizeof *t);
  if (!t) return pl_fail_memory(pl, sizeof *t);
  t->pl = pl;
  pl_string_init(&t->key_text, pl);
  t->next = host_of(pl)->tilings;
  host_of(pl)->tilings = t;
  pl_err err = list_loops(t, schedule);
  if (!err) err = open_tuner(t);
  if (err)
    pl_tiling_free(pl, t);
  else
    schedule->replay = t;
  return err;
}

/* ---- measuring ---- */

static void free_tiles(tiling *t)
{
  while (t->cached) {
    cached_tiles *k = t->cached;
    t->cached = k->next;
    pl_tiles_free(t->pl, k->tiles);
    pl_free(t->pl, k->key);
    pl_free(t->pl, k);
  }
}

static void keep_choice(tiling *t)
{
  const double *best = t->tuner.score;
  t->known = true;
  if (t->tuner.chosen == UNTILED) free_tiles(t);
  remember_choice(t);
  t->pl->stats.tilings_tried++;
  pl_log(t->pl, 1, "a chain is fastest %s (%.4g s tiled, %.4g s untiled)", names[t->tuner.chosen],
         best[TILED], best[UNTILED]);
}

/* Without the time for planning tiles. */
static void learn_time(tiling *t)
{
  double seconds = pl_now() - t->start - t->planning;
  t->runs++;
  t->waits = t->tuner.wait && (t->busy || t->unsettled * MINOR > t->moved);
  if (is_fixed(t) || t->waits)
    pl_tuner_skip(&t->tuner);
  else if (pl_tuner_add(&t->tuner, seconds, 1.0))
    keep_choice(t);
}

/* ---- deferring ---- */

static bool may_defer(const pl_host_code *code)
{
  return code->run && !code->reduces && pl_loop_may_tile(code->loop);
}

/* Tiles run the form without streaming stores, since the next loop of a tile reads from the caches; while
 * forms are compared, the form there is. */
static pl_err choose_run(pl_host_code *code)
{
  pl_form form = code->program.form, plain = form == PL_FORM_STREAM        ? PL_FORM_TRANSPOSE
                                             : form == PL_FORM_WIDE_STREAM ? PL_FORM_WIDE
                                                                           : form;
  if (code->tiled && (code->trial || code->tiled_for == code->run)) return PL_SUCCESS;
  code->tiled = code->tiled_for = code->run;
  if (plain == form || code->trial || !pl_opt_is(code->loop->pl, PL_OPT_SHAPE, "auto")) return PL_SUCCESS;
  pl_err err = pl_host_compile(code, plain);
  if (!err) code->tiled = code->run;
  PL_TRY(pl_host_compile(code, form));
  code->tiled_for = code->run;
  return err == PL_ERR_MEMORY ? err : PL_SUCCESS;
}

static bool grow_array(pl_context *pl, void *list, size_t *room, size_t needed, size_t size)
{
  if (needed <= *room) return true;
  void **at = list, *more = pl_resize(pl, *at, 2 * needed * size);
  if (!more) return false;
  *at = more;
  *room = 2 * needed;
  return true;
}

static pl_err defer_call(tiling *t, pl_host_code *code)
{
  size_t slots = (size_t)code->program.run.n, needed = slots * (size_t)code->nworkers,
         calls = (size_t)t->call_room;
  size_t nargs = (size_t)code->loop->nargs;
  if (!grow_array(t->pl, &t->pointers, &t->pointer_room, t->npointers + needed + nargs,
                  sizeof *t->pointers) ||
      !grow_array(t->pl, &t->call, &calls, (size_t)t->ncalls + 1, sizeof *t->call))
    return pl_fail_memory(t->pl, needed * sizeof *t->pointers);
  t->call_room = (int)calls;
  t->call[t->ncalls++] = (call){code, t->npointers};
  for (int w = 0; w < code->nworkers; w++, t->npointers += slots)
    memcpy(t->pointers + t->npointers, code->worker[w].slot, slots * sizeof *t->pointers);
  for (size_t i = 0; i < nargs; i++) {
    const pl_dat *dat = pl_arg_dat_of(&code->loop->args[i]);
    t->pointers[t->npointers++] = dat ? dat->storage.host : NULL;
  }
  return PL_SUCCESS;
}

/* Without the comparison of forms: nothing is timed. */
static pl_err begin_untimed(pl_host_code *code)
{
  bool undecided = code->undecided;
  code->undecided = false;
  pl_err err = pl_host_begin(code);
  code->undecided = undecided;
  return err;
}

/* Whether the loop's quick code will be replaced, and what it costs matters: times with other code say little
 * about the later ones. */
static bool will_change(const tiling *t, const pl_host_code *code)
{
  double most = t->heaviest ? t->heaviest->bytes_per_call : 0.0;
  return code->quick && !isinf(code->full_at) && code->loop->bytes_per_call * MINOR > most;
}

/* Loops compare their forms first, in runs without tiles, unless they move little. */
static void note_state(tiling *t, const pl_host_code *code)
{
  t->busy |= code->trial || will_change(t, code);
  t->undecided |= code->undecided;
  t->moved += code->loop->bytes_per_call;
  if (code->undecided && !code->confirms) t->unsettled += code->loop->bytes_per_call;
}

pl_err pl_tiling_defer(pl_host_code *code, const pl_loop_range *range, bool *deferred)
{
  pl_context *pl = code->loop->pl;
  tiling *t = host_of(pl)->tiling;
  *deferred = false;
  if (!t || range->number) return PL_SUCCESS;
  note_state(t, code);
  if (t->choice == UNTILED) return PL_SUCCESS;
  if (!may_defer(code)) return pl_tiling_flush(pl);
  pl_err err = begin_untimed(code);
  if (!err) err = choose_run(code);
  if (!err) err = defer_call(t, code);
  *deferred = !err;
  return err;
}

/* ---- tiles of several calls ---- */

static const void *const *storage_of(const tiling *t, const call *c)
{
  return t->pointers + c->at + (size_t)c->code->program.run.n * (size_t)c->code->nworkers;
}

/* The index of a storage among those seen before, or a new one. */
static uint64_t storage_index(const void **seen, int *n, const void *storage)
{
  int i = 0;
  while (i < *n && seen[i] != storage) i++;
  if (i == *n) seen[(*n)++] = storage;
  return (uint64_t)i;
}

/* Loops, their sizes, and the storage index of each argument. Returns the length; 0: too many storages. */
static size_t write_key(tiling *t, int first, int n)
{
  const void *seen[MAX_SEEN];
  int nseen = 0;
  size_t length = 0;
  for (int c = first; c < first + n; c++) {
    const pl_loop *loop = t->call[c].code->loop;
    if (!grow_array(t->pl, &t->key, &t->key_room, length + 2 + (size_t)loop->nargs, sizeof *t->key)) return 0;
    t->key[length++] = loop->id;
    t->key[length++] = (uint64_t)loop->set->end[1];
    for (int i = 0; i < loop->nargs; i++) {
      if (nseen == MAX_SEEN) return 0;
      t->key[length++] = storage_index(seen, &nseen, storage_of(t, &t->call[c])[i]);
    }
  }
  return length;
}

static double footprint_of(const tiling *t, int first, int n)
{
  tally footprint = {.n = 0};
  for (int c = first; c < first + n; c++)
    count_loop(&footprint, t->call[c].code->loop, storage_of(t, &t->call[c]));
  return footprint.bytes;
}

static int count_tiles(const tiling *t, int first, int n)
{
  int threads = host_of(t->pl)->threads, elements = 0;
  for (int c = first; c < first + n; c++) {
    int positions = t->call[c].code->loop->set->end[1];
    if (positions > elements) elements = positions;
  }
  long asked = pl_opt_count(t->pl, PL_OPT_TILE);
  double tiles =
    asked ? (double)elements / (double)asked : footprint_of(t, first, n) / (share * cache_bytes());
  if (tiles > elements / 32.0) tiles = elements / 32.0;
  return tiles < threads ? threads : (int)tiles;
}

static pl_err make_tiles(tiling *t, int first, int n, pl_tiles **tiles)
{
  pl_tile_loop *loop = pl_calloc(t->pl, (size_t)n, sizeof *loop);
  if (!loop) return pl_fail_memory(t->pl, (size_t)n * sizeof *loop);
  for (int l = 0; l < n; l++)
    loop[l] = (pl_tile_loop){t->call[first + l].code->loop, storage_of(t, &t->call[first + l])};
  const pl_tile_request request = {n, loop, host_of(t->pl)->threads, count_tiles(t, first, n)};
  pl_err err = pl_tiles_make(t->pl, &request, tiles);
  const char *why;
  bool checks = pl_opt_flag(t->pl, PL_OPT_DEBUG) && loop[0].loop->set->end[1] < MAX_CHECKED;
  if (!err && checks && !pl_tiles_are_valid(&request, *tiles, &why))
    err = pl_fail(t->pl, PL_ERR_CHECK, "tiles of %d loops are invalid: %s", n, why);
  pl_free(t->pl, loop);
  return err;
}

/* *tiles is NULL if the calls cannot be tiled. */
static pl_err get_tiles(tiling *t, int first, int n, pl_tiles **tiles)
{
  size_t nkeys = write_key(t, first, n);
  *tiles = NULL;
  if (!nkeys) return PL_SUCCESS;
  for (cached_tiles *k = t->cached; k; k = k->next)
    if (k->nkeys == nkeys && !memcmp(k->key, t->key, nkeys * sizeof *t->key)) {
      *tiles = k->tiles;
      return PL_SUCCESS;
    }
  double start = pl_now();
  cached_tiles *k = pl_calloc(t->pl, 1, sizeof *k);
  uint64_t *key = pl_memdup(t->pl, t->key, nkeys * sizeof *t->key);
  pl_err err = k && key ? make_tiles(t, first, n, tiles) : pl_fail_memory(t->pl, nkeys * sizeof *key);
  if (err) {
    pl_free(t->pl, k);
    pl_free(t->pl, key);
    return err;
  }
  *k = (cached_tiles){t->cached, nkeys, key, *tiles};
  t->cached = k;
  double seconds = pl_now() - start;
  t->planning += seconds;
  pl_log(t->pl, 2, "%d loops in %d tiles, %lld elements in the tail, planned in %.3f s", n, (*tiles)->ntiles,
         (long long)(*tiles)->tail, seconds);
  return PL_SUCCESS;
}

/* ---- running ---- */

typedef struct sweep {
  const tiling *t;
  const pl_tiles *tiles;
  int first;
} sweep;

static void run_part(const sweep *s, int tile, int l, int worker)
{
  const call *c = &s->t->call[s->first + l];
  const pl_tile_part *part = &s->tiles->part[tile * s->tiles->nloops + l];
  void *const *slot =
    (void *const *)(s->t->pointers + c->at) + (size_t)worker * (size_t)c->code->program.run.n;
  const int *list = c->code->loop->set->indices;
  for (int r = 0; r < part->nranges; r++)
    c->code->tiled(part->range[r].begin, part->range[r].end, list, slot);
  if (part->nsingles) c->code->tiled(0, part->nsingles, part->single, slot);
}

static void run_thread(void *data, int thread)
{
  const sweep *s = data;
  for (int k = s->tiles->first[thread]; k < s->tiles->first[thread + 1]; k++)
    for (int l = 0; l < s->tiles->nloops; l++) run_part(s, k, l, thread);
}

static void run_untiled(const tiling *t, int first, int n)
{
  for (int c = first; c < first + n; c++) {
    pl_host_code *code = t->call[c].code;
    size_t slots = (size_t)code->program.run.n;
    const pl_loop_range range = {0, 0, code->loop->set->end[1], 1};
    for (int w = 0; w < code->nworkers; w++)
      memcpy(code->worker[w].slot, t->pointers + t->call[c].at + (size_t)w * slots, slots * sizeof(void *));
    host_of(t->pl)->run_slots(code, &range);
  }
}

static pl_err run_calls(tiling *t, int first, int n)
{
  pl_tiles *tiles = NULL;
  if (n >= MIN_LOOPS) PL_TRY(get_tiles(t, first, n, &tiles));
  if (!tiles) return run_untiled(t, first, n), PL_SUCCESS;
  t->pl->stats.loops_tiled += (uint64_t)n;
  sweep s = {t, tiles, first};
  pl_host_each(t->pl, tiles->nthreads, run_thread, &s);
  for (int l = 0; l < tiles->nloops; l++) run_part(&s, tiles->ntiles - 1, l, 0);
  return PL_SUCCESS;
}

/* The fewest groups of equal length. */
static int calls_per_group(const tiling *t)
{
  int groups = (t->ncalls + MAX_LOOPS - 1) / MAX_LOOPS;
  return (t->ncalls + groups - 1) / groups;
}

/* Among the loops, by the bytes that they move. */
static void share_time(const tiling *t, double seconds)
{
  double bytes = 1;
  for (int c = 0; c < t->ncalls; c++) bytes += t->call[c].code->loop->bytes_per_call;
  for (int c = 0; c < t->ncalls; c++)
    t->call[c].code->loop->seconds += seconds * t->call[c].code->loop->bytes_per_call / bytes;
}

pl_err pl_tiling_flush(pl_context *pl)
{
  tiling *t = host_of(pl)->tiling;
  if (!t || !t->ncalls) return PL_SUCCESS;
  double start = pl_now();
  int step = calls_per_group(t);
  pl_err err = PL_SUCCESS;
  for (int first = 0; !err && first < t->ncalls; first += step)
    err = run_calls(t, first, t->ncalls - first < step ? t->ncalls - first : step);
  share_time(t, pl_now() - start);
  t->ncalls = 0;
  t->npointers = 0;
  return err;
}

/* ---- runs of a schedule ---- */

/* Not on several ranks: tiles would wait for all messages first, and few loops lie between two exchanges. */
pl_err pl_tiling_begin(pl_context *pl, pl_schedule *schedule)
{
  if (pl_ranks(pl) > 1) return PL_SUCCESS;
  if (!schedule->replay) PL_TRY(new_tiling(pl, schedule));
  tiling *t = schedule->replay;
  t->choice = choose_tiling(t);
  t->ncalls = 0;
  t->npointers = 0;
  t->busy = t->undecided = false;
  t->moved = t->unsettled = 0.0;
  host_of(pl)->tiling = t;
  host_of(pl)->tiling_trial = !is_fixed(t) && pl_tuner_is_close(&t->tuner) && !t->waits;
  t->planning = 0;
  t->start = pl_now();
  return PL_SUCCESS;
}

pl_err pl_tiling_end(pl_context *pl)
{
  tiling *t = host_of(pl)->tiling;
  if (!t) return PL_SUCCESS;
  pl_err err = pl_tiling_flush(pl);
  host_of(pl)->tiling = NULL;
  host_of(pl)->tiling_trial = false;
  if (!err) learn_time(t);
  return err;
}

void pl_tiling_free(pl_context *pl, void *replay)
{
  tiling *t = replay, **link = &host_of(pl)->tilings;
  while (*link != t) link = &(*link)->next;
  *link = t->next;
  free_tiles(t);
  pl_string_free(&t->key_text);
  pl_free_all(pl, t->call, (void *)t->pointers, t->key, t);
}
