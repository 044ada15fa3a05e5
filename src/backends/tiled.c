/* SPDX-License-Identifier: BSD-2-Clause
 * Loops of a schedule, put off and run tile by tile. Whether that pays, and how many loops share tiles, is
 * found out by turns in the schedule's own runs, once these have cost far more than making tiles does, and
 * remembered beside the compiled code for the next process.
 *
 * Invariant: between pl_tiling_begin and pl_tiling_end a loop that is not put off, and whatever else looks at
 * data, comes after all that was (pl_tiling_settle).
 */
#include "host.h"
#include "core/memory.h"
#include "core/profile.h"
#include "plan/tiles.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

/* A loop put off: its slots and storage as they were then. */
typedef struct call {
  pl_host_code *code;
  size_t at; /* in `room`: nworkers times the slots, then the storage of each argument */
} call;

/* Tiles of a sequence of loops, kept: by loops and by which arguments share storage. */
typedef struct kept {
  struct kept *next;
  int way;
  size_t nkeys;
  uint64_t *key;
  pl_tiles *tiles;
} kept;

enum { UNTILED, FORCED = 2, WAYS = 4, TURNS = 3, FEWEST = 2, MOST_CHECKED = 1000, WORD = 48 };

/* How many loops share tiles, at most, and how much of the second-level cache a tile may fill. */
static const struct {
  int loops;
  double share;
} ways[WAYS] = {{0, 0}, {8, 0.5}, {64, 0.5}, {64, 2}};

/* A loop costs this much to put into tiles, by targets it reaches; trying begins once runs have cost so many
 * times more, and there have been so many that a few slow ones do not matter; and tiles must gain this. */
static const double seconds_a_target = 1.5e-9, patience = 5, gain = 1.03;
enum { RUNS_BEFORE = 3 };

typedef struct tiling {
  pl_context *pl;
  int way; /* of this run */
  int ncalls, call_room;
  call *call;
  size_t nroom, most_room;
  const void **room;
  kept *kept;
  double start, spent, targets, bytes; /* of this run; of all; what its loops reach and move */
  uint64_t runs;
  bool shapes;      /* some loop tries its shapes now */
  pl_text about;    /* the loops, for what is remembered */
  int turn, chosen; /* -1: not yet */
  double best[WAYS];
  uint64_t *key; /* scratch */
  size_t key_room;
} tiling;

static pl_host *host_of(pl_context *pl)
{
  return pl->backend_state;
}

/* ---- which way ---- */

static double cache_bytes(void)
{
  long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? (double)bytes : 1 << 20;
}

/* Data that stay in the caches from one loop to the next need no tiles. */
static bool may_pay(const tiling *t)
{
  return t->bytes > 2 * cache_bytes() * host_of(t->pl)->threads && t->runs >= RUNS_BEFORE &&
         t->spent > patience * t->targets * seconds_a_target && !t->shapes;
}

static int choose_way(tiling *t)
{
  long asked = pl_opt_count(t->pl, PL_OPT_TILE);
  if (asked == 1 || pl_opt_flag(t->pl, PL_OPT_REPRODUCIBLE)) return UNTILED;
  if (asked) return FORCED;
  if (t->chosen >= 0) return t->chosen;
  return t->turn || may_pay(t) ? t->turn % WAYS : UNTILED;
}

/* ---- what is remembered ---- */

static pl_jit_source note_of(const tiling *t)
{
  return (pl_jit_source){.label = "tiles", .text = pl_text_string(&t->about)};
}

static void name_way(int way, char *word)
{
  snprintf(word, WORD, way ? "%d loops, %g of a cache" : "no tiles", ways[way].loops, ways[way].share);
}

static pl_err recall(tiling *t)
{
  char word[WORD], name[WORD];
  const pl_jit_source note = note_of(t);
  if (pl_opt_count(t->pl, PL_OPT_TILE) || t->about.failed) return PL_SUCCESS;
  PL_TRY(pl_jit_recall(host_of(t->pl)->jit, &note, "fastest tiles", word, sizeof word));
  for (int w = 0; w < WAYS; w++) {
    name_way(w, name);
    if (!strcmp(word, name)) t->chosen = w;
  }
  return PL_SUCCESS;
}

static void remember(const tiling *t)
{
  char word[WORD];
  const pl_jit_source note = note_of(t);
  name_way(t->chosen, word);
  if (!t->about.failed) pl_jit_remember(host_of(t->pl)->jit, &note, "fastest tiles", word);
}

/* ---- trying ---- */

/* Tiles of all ways but one (0: of all) are given back. */
static void drop_tiles(tiling *t, int but)
{
  for (kept **link = &t->kept; *link;) {
    kept *k = *link;
    if (but && k->way == but) {
      link = &k->next;
      continue;
    }
    *link = k->next;
    pl_tiles_free(t->pl, k->tiles);
    pl_free(t->pl, k->key);
    pl_free(t->pl, k);
  }
}

static void decide(tiling *t)
{
  t->chosen = UNTILED;
  for (int w = 1; w < WAYS; w++)
    if (t->best[w] * (t->chosen ? 1.0 : gain) < t->best[t->chosen]) t->chosen = w;
  drop_tiles(t, t->chosen);
  remember(t);
  pl_log(t->pl, 1, "a chain runs fastest %s (%.4g s, untiled %.4g s)",
         t->chosen ? "tile by tile" : "loop by loop", t->best[t->chosen], t->best[UNTILED]);
}

/* The first turn of a way makes its tiles and does not count. */
static void learn(tiling *t, double seconds)
{
  bool trying = t->chosen < 0 && (t->turn || may_pay(t));
  if (t->way == UNTILED) t->spent += seconds;
  t->runs++;
  if (!trying || pl_opt_count(t->pl, PL_OPT_TILE)) return;
  if (t->turn < WAYS) t->best[t->way] = INFINITY;
  if (t->turn >= WAYS && seconds < t->best[t->way]) t->best[t->way] = seconds;
  if (++t->turn == (TURNS + 1) * WAYS) decide(t);
}

/* ---- putting off ---- */

static void survey(tiling *t, const pl_loop *loop)
{
  double targets = 0;
  if (!t->runs) pl_text_add(&t->about, "%s over %d\n", loop->kernel->name, loop->set->part[1]);
  for (int i = 0; i < loop->nargs; i++)
    targets += pl_arg_dat_of(&loop->args[i]) ? pl_arg_targets(&loop->args[i]) : 0;
  t->targets += targets * loop->set->part[1];
  if (loop->bytes_per_call > t->bytes) t->bytes = loop->bytes_per_call;
}

static bool may_wait(const pl_host_code *code)
{
  return code->run && !code->trial && !code->reduces && pl_loop_may_tile(code->loop);
}

/* What is written past the caches is not there for the next loop of a tile: tiles run the form without. */
static pl_err take_run(pl_host_code *code)
{
  pl_form form = code->program.form, plain = form == PL_FORM_STREAM        ? PL_FORM_TRANSPOSE
                                             : form == PL_FORM_WIDE_STREAM ? PL_FORM_WIDE
                                                                           : form;
  if (code->tiled && code->tiled_of == code->run) return PL_SUCCESS;
  code->tiled = code->tiled_of = code->run;
  if (plain == form || !pl_opt_is(code->loop->pl, PL_OPT_SHAPE, "auto")) return PL_SUCCESS;
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

pl_err pl_tiling_takes(pl_host_code *code, const pl_part *part, bool *taken)
{
  pl_context *pl = code->loop->pl;
  tiling *t = host_of(pl)->tiling;
  *taken = false;
  if (!t || part->number) return PL_SUCCESS;
  if (t->way == UNTILED) {
    survey(t, code->loop);
    t->shapes |= code->trial != NULL;
    return PL_SUCCESS;
  }
  if (!may_wait(code)) return pl_tiling_settle(pl);
  bool undecided = code->undecided;
  code->undecided = false; /* nothing is timed */
  pl_err err = pl_host_begin(code);
  code->undecided = undecided;
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

enum { MOST_SEEN = 256 };

/* Loops, and of each argument the number of its storage. Returns its length; 0: too many. */
static size_t write_key(tiling *t, int first, int n)
{
  const void *seen[MOST_SEEN];
  int nseen = 0;
  size_t length = 0;
  for (int c = first; c < first + n; c++) {
    const pl_loop *loop = t->call[c].code->loop;
    if (!grow(t->pl, &t->key, &t->key_room, length + 1 + (size_t)loop->nargs, sizeof *t->key)) return 0;
    t->key[length++] = loop->id;
    for (int i = 0; i < loop->nargs; i++) {
      if (nseen == MOST_SEEN) return 0;
      t->key[length++] = number_of(seen, &nseen, storage_of(t, &t->call[c])[i]);
    }
  }
  return length;
}

/* Bytes that the calls touch: each storage and each map once. */
static double footprint(const tiling *t, int first, int n)
{
  const void *seen[MOST_SEEN] = {NULL};
  int nseen = 1;
  double bytes = 0;
  for (int c = first; c < first + n; c++)
    for (int i = 0; i < t->call[c].code->loop->nargs && nseen < MOST_SEEN - 2; i++) {
      const pl_arg *arg = &t->call[c].code->loop->args[i];
      const pl_dat *dat = pl_arg_dat_of(arg);
      int before = nseen;
      number_of(seen, &nseen, storage_of(t, &t->call[c])[i]);
      if (nseen > before) bytes += (double)pl_dat_nbytes(dat);
      before = nseen;
      number_of(seen, &nseen, arg->map);
      if (nseen > before) bytes += (double)pl_map_entries(arg->map) * sizeof(int);
    }
  return bytes;
}

static int count_tiles(const tiling *t, int first, int n)
{
  int threads = host_of(t->pl)->threads, elements = 0;
  for (int c = first; c < first + n; c++)
    if (t->call[c].code->loop->set->part[1] > elements) elements = t->call[c].code->loop->set->part[1];
  long asked = pl_opt_count(t->pl, PL_OPT_TILE);
  double tiles =
    asked ? (double)elements / (double)asked : footprint(t, first, n) / (ways[t->way].share * cache_bytes());
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
    if (k->way == t->way && k->nkeys == nkeys && !memcmp(k->key, t->key, nkeys * sizeof *t->key)) {
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
  *k = (kept){t->kept, t->way, nkeys, key, *tiles};
  t->kept = k;
  pl_log(t->pl, 2, "%d loops in %d tiles, %lld elements in the tail, made in %.3f s", n, (*tiles)->ntiles,
         (long long)(*tiles)->tail, pl_now() - start);
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
static pl_err run_alone(const tiling *t, int first, int n)
{
  for (int c = first; c < first + n; c++) {
    pl_host_code *code = t->call[c].code;
    size_t slots = (size_t)code->program.nslots;
    const pl_part part = {0, 0, code->loop->set->part[1], 1};
    for (int w = 0; w < code->nworkers; w++)
      memcpy(code->worker[w].slot, t->room + t->call[c].at + (size_t)w * slots, slots * sizeof(void *));
    host_of(t->pl)->run_slots(code, &part);
  }
  return PL_SUCCESS;
}

static pl_err run_calls(tiling *t, int first, int n)
{
  pl_tiles *tiles = NULL;
  if (n >= FEWEST) PL_TRY(find_tiles(t, first, n, &tiles));
  if (!tiles) return run_alone(t, first, n);
  t->pl->stats.loops_tiled += (uint64_t)n;
  sweep s = {t, tiles, first};
  pl_host_each(t->pl, tiles->nthreads, run_thread, &s);
  for (int l = 0; l < tiles->nloops; l++) run_part(&s, tiles->ntiles - 1, l, 0);
  return PL_SUCCESS;
}

/* Pieces of equal length, as few as may be. */
static int calls_at_once(const tiling *t)
{
  int most = ways[t->way].loops, pieces = (t->ncalls + most - 1) / most;
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
  int step = t->way == UNTILED ? t->ncalls : calls_at_once(t);
  pl_err err = PL_SUCCESS;
  for (int first = 0; !err && first < t->ncalls; first += step)
    err = run_calls(t, first, t->ncalls - first < step ? t->ncalls - first : step);
  share_time(t, pl_now() - start);
  t->ncalls = 0;
  t->nroom = 0;
  return err;
}

/* ---- a schedule's runs ---- */

/* Tiles would need the elements of other ranks that the next loop reaches before they have come. */
pl_err pl_tiling_begin(pl_context *pl, void **result)
{
  tiling *t = *result;
  if (pl_ranks(pl) > 1) return PL_SUCCESS;
  if (!t) {
    t = *result = pl_calloc(pl, 1, sizeof *t);
    if (!t) return pl_fail_memory(pl, sizeof *t);
    t->pl = pl;
    t->chosen = -1;
    pl_text_init(&t->about, pl);
    pl_text_add(&t->about, "%d threads\n", host_of(pl)->threads);
  }
  t->way = choose_way(t);
  t->ncalls = 0;
  t->nroom = 0;
  if (t->way == UNTILED) t->targets = t->bytes = 0;
  t->shapes = false;
  host_of(pl)->tiling = t;
  t->start = pl_now();
  return PL_SUCCESS;
}

pl_err pl_tiling_end(pl_context *pl)
{
  tiling *t = host_of(pl)->tiling;
  if (!t) return PL_SUCCESS;
  pl_err err = pl_tiling_settle(pl);
  host_of(pl)->tiling = NULL;
  if (!err) learn(t, pl_now() - t->start);
  if (!err && t->runs == 1) err = recall(t);
  return err;
}

void pl_tiling_free(pl_context *pl, void *tiling_)
{
  tiling *t = tiling_;
  drop_tiles(t, 0);
  pl_text_free(&t->about);
  pl_free(pl, t->call);
  pl_free(pl, (void *)t->room);
  pl_free(pl, t->key);
  pl_free(pl, t);
}
