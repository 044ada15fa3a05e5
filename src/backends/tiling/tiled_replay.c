/* SPDX-License-Identifier: BSD-2-Clause
 * Loops of a schedule, put off and run tile by tile. Whether that pays is tried in the schedule's own runs
 * (tile_trial.h) and remembered beside the compiled code for the next process.
 *
 * Invariant: between pl_tiling_begin and pl_tiling_end a loop that is not put off, and whatever else looks at
 * data, comes after all that was (pl_tiling_settle).
 */
#include "choice.h"
#include "core/memory.h"
#include "core/profile.h"
#include "host.h"
#include "plan/tiles.h"
#include "tile_trial.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

/* A loop put off: its slots and storage as they were then. */
typedef struct call {
  pl_host_code *code;
  size_t at; /* in `room`: nworkers times the slots, then the storage of each argument */
} call;

/* Tiles of a sequence of loops, kept: by loops, their sizes and which arguments share storage. */
typedef struct kept {
  struct kept *next;
  size_t nkeys;
  uint64_t *key;
  pl_tiles *tiles;
} kept;

/* Loops that share tiles, at most and at least; and of the runs of a schedule in tiles every so manieth goes
 * loop by loop while loops have still to try their shapes, which they do only then. */
enum { MOST_LOOPS = 64, FEWEST = 2, LOOK = 16, MOST_CHECKED = 1000 };

/* How much of the second-level cache a tile fills; and how many such caches a schedule's data must exceed for
 * tiles to be tried, and for them to be tried at once. */
static const double share = 0.5;
enum { FEW_CACHES = 2, MANY_CACHES = 16 };

typedef struct tiling {
  struct tiling *next; /* of the host's */
  pl_context *pl;
  pl_tile_trial trial;
  pl_tile_way way; /* of this run */
  int ncalls, call_room;
  call *call;
  size_t nroom, most_room;
  const void **room;
  kept *kept;
  double start, making;    /* of this run: when it began, and seconds that went into tiles */
  bool busy, undecided;    /* some loop tries its shapes now; or has still to try them */
  pl_text about;           /* the loops, for what is remembered */
  double bytes;            /* that they touch */
  const pl_loop *heaviest; /* which moves the most */
  uint64_t *key;           /* scratch */
  size_t key_room;
} tiling;

static pl_host *host_of(pl_context *pl)
{
  return pl->backend_state;
}

/* ---- what is touched ---- */

enum { MOST_SEEN = 256 };

/* Things touched, and their bytes, each once. */
typedef struct tally {
  int n;
  const void *seen[MOST_SEEN];
  double bytes;
} tally;

static void count(tally *t, const void *what, double bytes)
{
  int i = 0;
  while (i < t->n && t->seen[i] != what) i++;
  if (!what || i < t->n || t->n == MOST_SEEN) return;
  t->seen[t->n++] = what;
  t->bytes += bytes;
}

static void count_loop(tally *t, const pl_loop *loop, const void *const *storage)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    const pl_dat *dat = pl_arg_dat_of(arg);
    if (dat) count(t, storage ? storage[i] : dat, (double)pl_dat_nbytes(dat));
    if (arg->map) count(t, arg->map, (double)pl_map_entries(arg->map) * sizeof(int));
  }
}

static double cache_bytes(void)
{
  long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? (double)bytes : 1 << 20;
}

/* ---- which way ---- */

static bool is_asked(const tiling *t)
{
  return pl_opt_count(t->pl, PL_OPT_TILE) || pl_opt_flag(t->pl, PL_OPT_REPRODUCIBLE);
}

static pl_tile_way choose_way(const tiling *t)
{
  pl_tile_way way = pl_tile_trial_way(&t->trial);
  if (pl_opt_count(t->pl, PL_OPT_TILE) == 1 || pl_opt_flag(t->pl, PL_OPT_REPRODUCIBLE)) return PL_UNTILED;
  if (pl_opt_count(t->pl, PL_OPT_TILE)) return PL_TILED;
  bool looks = t->undecided && t->trial.runs % LOOK == 0 && !pl_tile_trial_is_near(&t->trial);
  return looks ? PL_UNTILED : way;
}

bool pl_tiling_tries(const pl_host *host)
{
  return host->tiling && !is_asked(host->tiling) && pl_tile_trial_is_near(&host->tiling->trial);
}

/* ---- what is remembered ---- */

static const char *const names[PL_TILE_WAYS] = {"untiled", "tiled"};

static pl_jit_source note_of(const tiling *t)
{
  return (pl_jit_source){.label = "tiles", .text = pl_text_string(&t->about)};
}

/* What was found before: by another process, or here for another stretch of the same loops. */
static pl_err recall(tiling *t)
{
  char name[PL_CHOICE_WORD];
  bool settled;
  const pl_jit_source note = note_of(t);
  PL_TRY(pl_choice_recall(host_of(t->pl)->jit, &note, "tiles", name, &settled));
  for (int w = 0; w < PL_TILE_WAYS; w++)
    if (!strcmp(name, names[w])) pl_tile_trial_know(&t->trial, (pl_tile_way)w, settled);
  t->pl->stats.tilings_recalled += t->trial.known;
  for (const tiling *other = host_of(t->pl)->tilings; other && !t->trial.known; other = other->next)
    if (other->heaviest == t->heaviest && other->trial.known)
      pl_tile_trial_know(&t->trial, other->trial.chosen, true);
  return PL_SUCCESS;
}

static void remember(const tiling *t)
{
  const pl_jit_source note = note_of(t);
  pl_choice_remember(host_of(t->pl)->jit, &note, "tiles", names[t->trial.chosen], t->trial.settled);
}

/* ---- opening ---- */

static bool is_new(const pl_schedule *schedule, int step)
{
  for (int s = 0; s < step; s++)
    if (schedule->step[s].op.loop == schedule->step[step].op.loop) return false;
  return true;
}

/* The loops, each once. */
static pl_err survey(tiling *t, const pl_schedule *schedule)
{
  tally touched = {.n = 0};
  pl_text_add(&t->about, "%d threads\n", host_of(t->pl)->threads);
  for (int s = 0; s < schedule->nsteps; s++) {
    const pl_loop *loop = schedule->step[s].op.loop;
    if (!loop || loop->role || !is_new(schedule, s)) continue;
    pl_text_add(&t->about, "%s over %d\n", loop->kernel->name, loop->set->part[1]);
    count_loop(&touched, loop, NULL);
    if (!t->heaviest || loop->bytes_per_call > t->heaviest->bytes_per_call) t->heaviest = loop;
  }
  t->bytes = touched.bytes;
  return pl_text_check(&t->about);
}

/* Data that stay in the second-level caches need no tiles; those that a thread's share of the last one, which
 * others use too, does not hold either are likely to. */
static pl_err open_trial(tiling *t)
{
  double caches = cache_bytes() * host_of(t->pl)->threads;
  bool may_pay = t->bytes > FEW_CACHES * caches, likely = t->bytes > MANY_CACHES * caches;
  pl_tile_trial_open(&t->trial, likely);
  if (may_pay) return recall(t);
  pl_tile_trial_stop(&t->trial);
  return PL_SUCCESS;
}

static pl_err new_tiling(pl_context *pl, pl_schedule *schedule)
{
  tiling *t = pl_calloc(pl, 1, sizeof *t);
  if (!t) return pl_fail_memory(pl, sizeof *t);
  t->pl = pl;
  pl_text_init(&t->about, pl);
  t->next = host_of(pl)->tilings;
  host_of(pl)->tilings = t;
  pl_err err = survey(t, schedule);
  if (!err) err = open_trial(t);
  if (err)
    pl_tiling_free(pl, t);
  else
    schedule->replay = t;
  return err;
}

/* ---- trying ---- */

static void drop_tiles(tiling *t)
{
  while (t->kept) {
    kept *k = t->kept;
    t->kept = k->next;
    pl_tiles_free(t->pl, k->tiles);
    pl_free(t->pl, k->key);
    pl_free(t->pl, k);
  }
}

static void decide(tiling *t)
{
  const double *best = t->trial.best;
  if (t->trial.chosen == PL_UNTILED) drop_tiles(t);
  remember(t);
  t->pl->stats.tilings_tried++;
  pl_log(t->pl, 1, "a chain runs fastest %s (%.4g s tiled, %.4g s untiled)", names[t->trial.chosen],
         best[PL_TILED], best[PL_UNTILED]);
}

/* Making tiles does not count. */
static void learn(tiling *t)
{
  double seconds = is_asked(t) ? INFINITY : pl_now() - t->start - t->making;
  if (pl_tile_trial_learn(&t->trial, seconds, t->busy)) decide(t);
}

/* ---- putting off ---- */

static bool may_wait(const pl_host_code *code)
{
  return code->run && !code->reduces && pl_loop_may_tile(code->loop);
}

/* What is written past the caches is not there for the next loop of a tile: tiles run the form without. While
 * forms are tried they keep the one they have. */
static pl_err take_run(pl_host_code *code)
{
  pl_form form = code->program.form, plain = form == PL_FORM_STREAM        ? PL_FORM_TRANSPOSE
                                             : form == PL_FORM_WIDE_STREAM ? PL_FORM_WIDE
                                                                           : form;
  if (code->tiled && (code->trial || code->tiled_of == code->run)) return PL_SUCCESS;
  code->tiled = code->tiled_of = code->run;
  if (plain == form || code->trial || !pl_opt_is(code->loop->pl, PL_OPT_SHAPE, "auto")) return PL_SUCCESS;
  pl_err err = pl_host_compile(code, plain);
  if (!err) code->tiled = code->run;
  PL_TRY(pl_host_compile(code, form));
  code->tiled_of = code->run;
  return err == PL_ERR_MEMORY ? err : PL_SUCCESS;
}

static bool grow(pl_context *pl, void *list, size_t *room, size_t needed, size_t size)
{
  if (needed <= *room) return true;
  void **at = list, *more = pl_resize(pl, *at, 2 * needed * size);
  if (!more) return false;
  *at = more;
  *room = 2 * needed;
  return true;
}

static pl_err put_off(tiling *t, pl_host_code *code)
{
  size_t slots = (size_t)code->program.nslots, needed = slots * (size_t)code->nworkers,
         calls = (size_t)t->call_room;
  size_t nargs = (size_t)code->loop->nargs;
  if (!grow(t->pl, &t->room, &t->most_room, t->nroom + needed + nargs, sizeof *t->room) ||
      !grow(t->pl, &t->call, &calls, (size_t)t->ncalls + 1, sizeof *t->call))
    return pl_fail_memory(t->pl, needed * sizeof *t->room);
  t->call_room = (int)calls;
  t->call[t->ncalls++] = (call){code, t->nroom};
  for (int w = 0; w < code->nworkers; w++, t->nroom += slots)
    memcpy(t->room + t->nroom, code->worker[w].slot, slots * sizeof *t->room);
  for (size_t i = 0; i < nargs; i++) {
    const pl_dat *dat = pl_arg_dat_of(&code->loop->args[i]);
    t->room[t->nroom++] = dat ? dat->host : NULL;
  }
  return PL_SUCCESS;
}

/* Without its trial of shapes: nothing is timed. */
static pl_err begin_untimed(pl_host_code *code)
{
  bool undecided = code->undecided;
  code->undecided = false;
  pl_err err = pl_host_begin(code);
  code->undecided = undecided;
  return err;
}

pl_err pl_tiling_takes(pl_host_code *code, const pl_part *part, bool *taken)
{
  pl_context *pl = code->loop->pl;
  tiling *t = host_of(pl)->tiling;
  *taken = false;
  if (!t || part->number) return PL_SUCCESS;
  t->busy |= code->trial != NULL;
  t->undecided |= code->undecided;
  if (t->way == PL_UNTILED) return PL_SUCCESS;
  if (!may_wait(code)) return pl_tiling_settle(pl);
  pl_err err = begin_untimed(code);
  if (!err) err = take_run(code);
  if (!err) err = put_off(t, code);
  *taken = !err;
  return err;
}

/* ---- tiles of some calls ---- */

static const void *const *storage_of(const tiling *t, const call *c)
{
  return t->room + c->at + (size_t)c->code->program.nslots * (size_t)c->code->nworkers;
}

/* The number of a storage among those met before, or a new one. */
static uint64_t number_of(const void **seen, int *n, const void *storage)
{
  int i = 0;
  while (i < *n && seen[i] != storage) i++;
  if (i == *n) seen[(*n)++] = storage;
  return (uint64_t)i;
}

/* Loops, their sizes, and of each argument the number of its storage. Returns its length; 0: too many. */
static size_t write_key(tiling *t, int first, int n)
{
  const void *seen[MOST_SEEN];
  int nseen = 0;
  size_t length = 0;
  for (int c = first; c < first + n; c++) {
    const pl_loop *loop = t->call[c].code->loop;
    if (!grow(t->pl, &t->key, &t->key_room, length + 2 + (size_t)loop->nargs, sizeof *t->key)) return 0;
    t->key[length++] = loop->id;
    t->key[length++] = (uint64_t)loop->set->part[1];
    for (int i = 0; i < loop->nargs; i++) {
      if (nseen == MOST_SEEN) return 0;
      t->key[length++] = number_of(seen, &nseen, storage_of(t, &t->call[c])[i]);
    }
  }
  return length;
}

/* Bytes that the calls touch. */
static double footprint(const tiling *t, int first, int n)
{
  tally touched = {.n = 0};
  for (int c = first; c < first + n; c++)
    count_loop(&touched, t->call[c].code->loop, storage_of(t, &t->call[c]));
  return touched.bytes;
}

static int count_tiles(const tiling *t, int first, int n)
{
  int threads = host_of(t->pl)->threads, elements = 0;
  for (int c = first; c < first + n; c++) {
    int positions = t->call[c].code->loop->set->part[1];
    if (positions > elements) elements = positions;
  }
  long asked = pl_opt_count(t->pl, PL_OPT_TILE);
  double tiles = asked ? (double)elements / (double)asked : footprint(t, first, n) / (share * cache_bytes());
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
  bool checks = pl_opt_flag(t->pl, PL_OPT_DEBUG) && loop[0].loop->set->part[1] < MOST_CHECKED;
  if (!err && checks && !pl_tiles_are_valid(&request, *tiles, &why))
    err = pl_fail(t->pl, PL_ERR_CHECK, "tiles of %d loops are wrong: %s", n, why);
  pl_free(t->pl, loop);
  return err;
}

/* The tiles of n calls: found, or made. NULL where they cannot be had. */
static pl_err find_tiles(tiling *t, int first, int n, pl_tiles **tiles)
{
  size_t nkeys = write_key(t, first, n);
  *tiles = NULL;
  if (!nkeys) return PL_SUCCESS;
  for (kept *k = t->kept; k; k = k->next)
    if (k->nkeys == nkeys && !memcmp(k->key, t->key, nkeys * sizeof *t->key)) {
      *tiles = k->tiles;
      return PL_SUCCESS;
    }
  double start = pl_now();
  kept *k = pl_calloc(t->pl, 1, sizeof *k);
  uint64_t *key = pl_memdup(t->pl, t->key, nkeys * sizeof *t->key);
  pl_err err = k && key ? make_tiles(t, first, n, tiles) : pl_fail_memory(t->pl, nkeys * sizeof *key);
  if (err) {
    pl_free(t->pl, k);
    pl_free(t->pl, key);
    return err;
  }
  *k = (kept){t->kept, nkeys, key, *tiles};
  t->kept = k;
  double seconds = pl_now() - start;
  t->making += seconds;
  pl_log(t->pl, 2, "%d loops in %d tiles, %lld elements in the tail, made in %.3f s", n, (*tiles)->ntiles,
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
  void *const *slot = (void *const *)(s->t->room + c->at) + (size_t)worker * (size_t)c->code->program.nslots;
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

/* Calls that have no tiles; threads share them as ever. */
static void run_alone(const tiling *t, int first, int n)
{
  for (int c = first; c < first + n; c++) {
    pl_host_code *code = t->call[c].code;
    size_t slots = (size_t)code->program.nslots;
    const pl_part part = {0, 0, code->loop->set->part[1], 1};
    for (int w = 0; w < code->nworkers; w++)
      memcpy(code->worker[w].slot, t->room + t->call[c].at + (size_t)w * slots, slots * sizeof(void *));
    host_of(t->pl)->run_slots(code, &part);
  }
}

static pl_err run_calls(tiling *t, int first, int n)
{
  pl_tiles *tiles = NULL;
  if (n >= FEWEST) PL_TRY(find_tiles(t, first, n, &tiles));
  if (!tiles) return run_alone(t, first, n), PL_SUCCESS;
  t->pl->stats.loops_tiled += (uint64_t)n;
  sweep s = {t, tiles, first};
  pl_host_each(t->pl, tiles->nthreads, run_thread, &s);
  for (int l = 0; l < tiles->nloops; l++) run_part(&s, tiles->ntiles - 1, l, 0);
  return PL_SUCCESS;
}

/* Pieces of equal length, as few as may be. */
static int calls_at_once(const tiling *t)
{
  int pieces = (t->ncalls + MOST_LOOPS - 1) / MOST_LOOPS;
  return (t->ncalls + pieces - 1) / pieces;
}

/* What the calls took is shared out among their loops. */
static void share_time(const tiling *t, double seconds)
{
  double bytes = 1;
  for (int c = 0; c < t->ncalls; c++) bytes += t->call[c].code->loop->bytes_per_call;
  for (int c = 0; c < t->ncalls; c++)
    t->call[c].code->loop->seconds += seconds * t->call[c].code->loop->bytes_per_call / bytes;
}

pl_err pl_tiling_settle(pl_context *pl)
{
  tiling *t = host_of(pl)->tiling;
  if (!t || !t->ncalls) return PL_SUCCESS;
  double start = pl_now();
  int step = calls_at_once(t);
  pl_err err = PL_SUCCESS;
  for (int first = 0; !err && first < t->ncalls; first += step)
    err = run_calls(t, first, t->ncalls - first < step ? t->ncalls - first : step);
  share_time(t, pl_now() - start);
  t->ncalls = 0;
  t->nroom = 0;
  return err;
}

/* ---- a schedule's runs ---- */

/* On several ranks tiles would wait for messages before their first element, which costs more than the few
 * loops between two exchanges save. */
pl_err pl_tiling_begin(pl_context *pl, pl_schedule *schedule)
{
  if (pl_ranks(pl) > 1) return PL_SUCCESS;
  if (!schedule->replay) PL_TRY(new_tiling(pl, schedule));
  tiling *t = schedule->replay;
  t->way = choose_way(t);
  t->ncalls = 0;
  t->nroom = 0;
  t->busy = t->undecided = false;
  host_of(pl)->tiling = t;
  t->making = 0;
  t->start = pl_now();
  return PL_SUCCESS;
}

pl_err pl_tiling_end(pl_context *pl)
{
  tiling *t = host_of(pl)->tiling;
  if (!t) return PL_SUCCESS;
  pl_err err = pl_tiling_settle(pl);
  host_of(pl)->tiling = NULL;
  if (!err) learn(t);
  return err;
}

void pl_tiling_free(pl_context *pl, void *tiling_)
{
  tiling *t = tiling_, **link = &host_of(pl)->tilings;
  while (*link != t) link = &(*link)->next;
  *link = t->next;
  drop_tiles(t);
  pl_text_free(&t->about);
  pl_free(pl, t->call);
  pl_free(pl, (void *)t->room);
  pl_free(pl, t->key);
  pl_free(pl, t);
}
