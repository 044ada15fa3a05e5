/* SPDX-License-Identifier: BSD-2-Clause
 * Ways to run a loop on a device: all that one needs.
 */
#include "device.h"
#include "codegen/dump.h"
#include "codegen/pair.h"
#include "core/memory.h"
#include "core/pairs.h"
#include "core/profile.h"
#include "plan/block_sums.h"
#include "plan/inverse.h"
#include <string.h>

enum {
  BLOCK = 128,        /* elements of a block where nothing else speaks */
  SMALL_BLOCK = 64,   /* where there are fewer of them than units */
  SHARED_BLOCK = 256, /* where a block has local memory; halved until that suffices */
  LEAST_BLOCK = 32,
  FREE_BLOCK = 256,       /* a unit's registers do for so many work items with as many as one can have */
  REGISTERS = 64,         /* of a work item: then enough are at work to hide how long memory takes */
  MOST_REGISTERS = 128,   /* still enough, of kernels that compute much */
  UNIT_ITEMS = 1024,      /* work items of a unit in loops with results; more disturb each other in memory */
  STEADY_RESULTS = 1024,  /* blocks of such loops on any device */
  USUAL_SHARED = 48 << 10 /* more of it leaves too few blocks at a time */
};

/* ---- local memory ---- */

/* Bytes of a work item in the reductions of a block. */
static size_t reduction_bytes(const pl_loop *loop)
{
  size_t bytes = 0;
  for (int i = 0; i < loop->nargs; i++)
    if (pl_arg_reduces(&loop->args[i]))
      bytes += pl_type_size(pl_type_base(pl_arg_type(&loop->args[i]))) +
               (pl_has_payload(loop, i) ? sizeof(int64_t) : 0);
  return bytes;
}

/* What a block may use: all there is if its size was asked for. */
static size_t shared_limit(const pl_device *device, const pl_way *way)
{
  size_t most = pl_opt_count(device->pl, PL_OPT_BLOCK_SIZE) ? device->max_shared : USUAL_SHARED;
  size_t limit = most < device->max_shared ? most : device->max_shared;
  size_t taken = reduction_bytes(way->loop) * (size_t)way->style.block_size;
  return taken < limit ? limit - taken : 0;
}

static bool has_room(const pl_device *device, const pl_way *way, size_t shared, char *why)
{
  if (shared <= shared_limit(device, way)) return true;
  snprintf(why, PL_VARIANT, "%s: a block of %d needs %zu KB of local memory",
           pl_conflict_name(way->style.conflict), way->style.block_size, (shared + 1023) >> 10);
  return false;
}

/* Bytes that a work item holds apart: what it sums up in globals, and the records of its element. */
static size_t private_bytes(const pl_loop *loop)
{
  size_t bytes = 0;
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (pl_arg_reduces(arg) || (arg->kind == PL_ARG_DAT && !pl_arg_is_row(arg)))
      bytes += (size_t)pl_arg_targets(arg) * (size_t)pl_arg_dim(arg) * pl_type_size(pl_arg_type(arg));
  }
  return bytes;
}

/* The teams of a pair map's list are as long as they are. */
static bool has_teams(const pl_loop *loop)
{
  return loop->set->pairs && loop->set->pairs->pair_map;
}

static int choose_block(const pl_device *device, const pl_loop *loop, pl_conflict conflict)
{
  int asked = (int)pl_opt_count(device->pl, PL_OPT_BLOCK_SIZE);
  if (has_teams(loop)) return PL_PAIR_BLOCK;
  if (loop->blocks) return loop->blocks->size;
  bool shared = pl_collides(loop) && (conflict == PL_STAGE || conflict == PL_COMBINE);
  int block = asked ? asked : shared ? SHARED_BLOCK : BLOCK;
  if (!asked && !shared && loop->set->part[3] / block < device->units) block = SMALL_BLOCK;
  if (block > device->max_block) block = device->max_block;
  while (device->max_private && block > 1 && private_bytes(loop) * (size_t)block > device->max_private)
    block /= 2;
  return block;
}

/* ---- plans ---- */

static pl_err add_buffer(pl_device *device, pl_way_part *part, const void *host, size_t size)
{
  PL_TRY(pl_device_copy_in(device, host, size, &part->buffer[part->nbuffers]));
  part->nbuffers++;
  return PL_SUCCESS;
}

static pl_run part_range(const pl_loop *loop, int p)
{
  return (pl_run){p ? loop->set->part[p - 1] : 0, loop->set->part[p]};
}

static pl_err get_plan(pl_device *device, const pl_way *way, int p, int nstage, const pl_reach *stage,
                       const pl_plan **plan)
{
  pl_loop *loop = way->loop;
  pl_run run = part_range(loop, p);
  pl_reach *reach = pl_calloc(loop->pl, (size_t)loop->nargs, sizeof *reach);
  if (!reach) return pl_fail_memory(loop->pl, (size_t)loop->nargs * sizeof *reach);
  const pl_plan_request request = {.set = loop->set,
                                   .begin = run.begin,
                                   .end = run.end,
                                   .block_size = way->style.block_size,
                                   .nconflict = pl_plan_conflicts(loop, reach),
                                   .conflict = reach,
                                   .nstage = nstage,
                                   .stage = stage,
                                   .element_colours = way->style.conflict != PL_COMBINE};
  pl_err err = pl_plan_get(device->pl, &request, plan);
  pl_free(loop->pl, reach);
  return err;
}

static pl_err send_blocks(pl_device *device, pl_way_part *part)
{
  return add_buffer(device, part, part->plan->block, (size_t)part->plan->nblocks * sizeof(int));
}

static pl_err send_colours(pl_device *device, pl_way_part *part)
{
  const pl_plan *plan = part->plan;
  PL_TRY(send_blocks(device, part));
  PL_TRY(add_buffer(device, part, plan->element_colours, (size_t)plan->nblocks * sizeof(int)));
  return add_buffer(device, part, plan->element_colour, (size_t)(plan->end - plan->begin) * sizeof(int));
}

static pl_err colour_part(pl_device *device, pl_way *way, int p)
{
  PL_TRY(get_plan(device, way, p, 0, NULL, &way->part[p].plan));
  return send_colours(device, &way->part[p]);
}

/* ---- plans: stage ---- */

enum { NARROW = INT16_MAX };

/* Places of an element's targets in the lists: 16 bits where that is enough. */
static pl_err send_locals(pl_device *device, pl_way_part *part, const pl_staging *list, bool wide)
{
  pl_context *pl = device->pl;
  size_t n = (size_t)list->width * (size_t)(part->plan->end - part->plan->begin);
  if (wide) return add_buffer(device, part, list->local, n * sizeof(int));
  int16_t *narrow = pl_malloc_array(pl, n * sizeof *narrow);
  if (!narrow) return pl_fail_memory(pl, n * sizeof *narrow);
  for (size_t i = 0; i < n; i++) narrow[i] = (int16_t)list->local[i];
  pl_err err = add_buffer(device, part, narrow, n * sizeof *narrow);
  pl_free_array(pl, narrow);
  return err;
}

/* The lists of a loop, and where its copies begin in local memory: eight-byte values first. */
typedef struct stage_lists {
  int nlists;
  pl_reach *list;
  int *of; /* by argument: its list, -1 */
} stage_lists;

static bool first_of_copy(const pl_loop *loop, const stage_lists *s, int i)
{
  if (s->of[i] < 0) return false;
  for (int j = 0; j < i; j++)
    if (s->of[j] == s->of[i] && loop->args[j].object == loop->args[i].object) return false;
  return true;
}

/* Places are in the order of the first arguments, which is that of the text's parameters. */
static void place_copies(const pl_loop *loop, const stage_lists *s, pl_way_part *part)
{
  size_t at = 0;
  for (int i = 0; i < loop->nargs; i++) {
    if (!first_of_copy(loop, s, i)) continue;
    const pl_reach *list = &s->list[s->of[i]];
    part->place[part->nplaces++] = (int)at;
    at += (size_t)pl_plan_staging(part->plan, list->map, list->index)->longest *
          pl_dat_stride(loop->args[i].object);
    at = (at + 15) / 16 * 16;
  }
  part->shared = at ? at : 16; /* the text has a parameter for it */
}

static pl_err send_stage(pl_device *device, pl_way *way, const stage_lists *s, pl_way_part *part)
{
  PL_TRY(send_colours(device, part));
  for (int l = 0; l < s->nlists; l++) {
    const pl_staging *list = pl_plan_staging(part->plan, s->list[l].map, s->list[l].index);
    int blocks = part->plan->nblocks;
    PL_TRY(add_buffer(device, part, list->offset, ((size_t)blocks + 1) * sizeof(int)));
    PL_TRY(add_buffer(device, part, list->target, (size_t)list->offset[blocks] * sizeof(int)));
    PL_TRY(send_locals(device, part, list, way->style.wide_locals));
  }
  return PL_SUCCESS;
}

static pl_err plan_stage(pl_device *device, pl_way *way, const stage_lists *s, bool *fits, char *why)
{
  for (int p = 0; p < PL_PARTS && *fits; p++) {
    pl_way_part *part = &way->part[p];
    pl_run run = part_range(way->loop, p);
    part->nplaces = 0;
    if (run.begin == run.end) continue;
    PL_TRY(get_plan(device, way, p, s->nlists, s->list, &part->plan));
    place_copies(way->loop, s, part);
    *fits = has_room(device, way, part->shared, why);
    for (int l = 0; l < part->plan->nstaging; l++)
      way->style.wide_locals |= part->plan->staging[l].longest > NARROW;
  }
  return PL_SUCCESS;
}

/* Smaller blocks until their copies fit. */
static pl_err fit_stage(pl_device *device, pl_way *way, const stage_lists *s, bool *fits, char *why)
{
  bool asked = pl_opt_count(device->pl, PL_OPT_BLOCK_SIZE) > 0;
  do {
    *fits = true;
    way->style.wide_locals = false;
    PL_TRY(plan_stage(device, way, s, fits, why));
    if (*fits || asked || way->style.block_size <= LEAST_BLOCK) break;
    way->style.block_size /= 2;
  } while (true);
  for (int p = 0; p < PL_PARTS && *fits; p++)
    if (way->part[p].plan) PL_TRY(send_stage(device, way, s, &way->part[p]));
  return PL_SUCCESS;
}

static pl_err make_stage(pl_device *device, pl_way *way, bool *fits, char *why)
{
  pl_loop *loop = way->loop;
  pl_context *pl = loop->pl;
  size_t n = (size_t)loop->nargs;
  stage_lists s = {0, pl_calloc(pl, n, sizeof *s.list), pl_calloc(pl, n, sizeof *s.of)};
  pl_err err = s.list && s.of ? PL_SUCCESS : pl_fail_memory(pl, n * sizeof *s.list);
  for (int i = 0; !err && i < loop->nargs; i++) s.of[i] = pl_stage_list(loop, i, &s.nlists, s.list);
  if (!err) err = fit_stage(device, way, &s, fits, why);
  pl_free(pl, s.list);
  pl_free(pl, s.of);
  return err;
}

/* ---- plans: combine ---- */

static size_t contributed_bytes(const pl_loop *loop, int nslots)
{
  size_t bytes = 0;
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    bool first = pl_arg_collides(arg);
    for (int j = 0; j < i; j++) first &= loop->args[j].object != arg->object || loop->args[j].off;
    if (first) bytes += (size_t)nslots * pl_dat_stride(arg->object);
  }
  return bytes;
}

static pl_err send_sums(pl_device *device, pl_way_part *part, const pl_block_sums *sums)
{
  size_t targets = (size_t)sums->offset[sums->nblocks], blocks = (size_t)sums->nblocks;
  size_t entries = blocks * (size_t)sums->block_size * (size_t)sums->nslots;
  PL_TRY(add_buffer(device, part, sums->offset, (blocks + 1) * sizeof(int)));
  PL_TRY(add_buffer(device, part, sums->target, targets * sizeof(int)));
  PL_TRY(add_buffer(device, part, sums->row, (targets + blocks) * sizeof(uint16_t)));
  return add_buffer(device, part, sums->entry, entries * sizeof(uint16_t));
}

/* With colours no block needs to know of others. */
static void drop_marks(pl_block_sums *sums)
{
  for (int i = 0; i < sums->offset[sums->nblocks]; i++)
    if (sums->target[i] < 0) sums->target[i] = ~sums->target[i];
}

static pl_err combine_part(pl_device *device, pl_way *way, int p, int nslots, const pl_reach *slot)
{
  pl_way_part *part = &way->part[p];
  pl_run run = part_range(way->loop, p);
  pl_block_sums sums;
  double start = pl_now();
  if (way->style.coloured) {
    PL_TRY(get_plan(device, way, p, 0, NULL, &part->plan));
    PL_TRY(send_blocks(device, part));
  }
  PL_TRY(pl_block_sums_build(device->pl, way->loop->set, run.begin, run.end, way->style.block_size, nslots,
                             slot, &sums));
  device->pl->stats.plan_seconds += pl_now() - start;
  if (way->style.coloured) drop_marks(&sums);
  pl_err err = send_sums(device, part, &sums);
  pl_block_sums_free(device->pl, &sums);
  part->shared = contributed_bytes(way->loop, nslots) * (size_t)way->style.block_size;
  return err;
}

static bool fit_combine(const pl_device *device, pl_way *way, int nslots, char *why)
{
  size_t each = contributed_bytes(way->loop, nslots);
  bool asked = pl_opt_count(device->pl, PL_OPT_BLOCK_SIZE) > 0;
  while (!asked && way->style.block_size > LEAST_BLOCK &&
         (each * (size_t)way->style.block_size > shared_limit(device, way) ||
          way->style.block_size * nslots > UINT16_MAX))
    way->style.block_size /= 2;
  if (way->style.block_size * nslots <= UINT16_MAX)
    return has_room(device, way, each * (size_t)way->style.block_size, why);
  snprintf(why, PL_VARIANT, "combine: a block of %d has more than %d increments", way->style.block_size,
           UINT16_MAX);
  return false;
}

static pl_err make_combine(pl_device *device, pl_way *way, int nslots, const pl_reach *slot, bool *fits,
                           char *why)
{
  way->style.coloured = pl_opt_flag(device->pl, PL_OPT_REPRODUCIBLE) || pl_why_no_atomics(device, way->loop);
  *fits = fit_combine(device, way, nslots, why);
  for (int p = 0; p < PL_PARTS && *fits; p++) {
    pl_run run = part_range(way->loop, p);
    if (run.begin < run.end) PL_TRY(combine_part(device, way, p, nslots, slot));
  }
  return PL_SUCCESS;
}

/* ---- plans: gather and store ---- */

static pl_err send_offsets(pl_device *device, pl_way *way, const pl_inverse *inverse)
{
  return add_buffer(device, &way->part[0], inverse->offset, ((size_t)inverse->ntargets + 1) * sizeof(int));
}

/* Rows of words, if what is read can be put into them. */
static pl_err make_words(pl_device *device, pl_way *way, const pl_inverse *inverse, const pl_reach *slot,
                         pl_reach *word)
{
  pl_rows rows;
  int n = pl_gather_words(way->loop, inverse->nslots, slot, word);
  way->style.words = n > 0;
  if (!n) return PL_SUCCESS;
  way->style.degree = pl_rows_degree(inverse);
  int base = pl_word_base(inverse->nslots, way->style.degree);
  PL_TRY(pl_rows_build(device->pl, inverse, slot, n, word, way->style.degree, base, &rows));
  way->rows = way->style.degree ? rows.ntargets : rows.nentries;
  pl_err err = way->style.degree ? PL_SUCCESS : send_offsets(device, way, inverse);
  if (!err) err = add_buffer(device, &way->part[0], rows.word, rows.length * sizeof(int));
  pl_rows_free(device->pl, &rows);
  return err;
}

static pl_err send_rows(pl_device *device, pl_way *way, const pl_inverse *inverse, const pl_reach *slot,
                        pl_reach *word)
{
  const pl_set *set = way->loop->set;
  way->ntargets = inverse->ntargets;
  way->early = set->parent ? 0 : pl_inverse_before(inverse, set->part[0]);
  if (way->style.conflict == PL_GATHER) PL_TRY(make_words(device, way, inverse, slot, word));
  if (way->style.words) return PL_SUCCESS;
  PL_TRY(send_offsets(device, way, inverse));
  return add_buffer(device, &way->part[0], inverse->entry, (size_t)inverse->nentries * sizeof(int));
}

static pl_err make_rows(pl_device *device, pl_way *way, int nslots, const pl_reach *slot)
{
  pl_context *pl = device->pl;
  pl_inverse inverse;
  double start = pl_now();
  pl_reach *word = pl_calloc(pl, (size_t)pl_most_slots(way->loop) + 1, sizeof *word);
  if (!word) return pl_fail_memory(pl, sizeof *word);
  pl_err err = pl_inverse_build(pl, way->loop->set, nslots, slot, &inverse);
  if (!err) {
    err = send_rows(device, way, &inverse, slot, word);
    pl_inverse_free(pl, &inverse);
  }
  pl_free(pl, word);
  pl->stats.plan_seconds += pl_now() - start;
  return err;
}

/* Room for the contributions of all elements to argument i's dat, if it is the first to increment it. */
static pl_err make_contributions(pl_device *device, pl_way *way, int nslots)
{
  pl_loop *loop = way->loop;
  size_t n = (size_t)pl_set_room(pl_set_base(loop->set)) * (size_t)nslots;
  way->contribution = pl_calloc(loop->pl, (size_t)loop->nargs, sizeof *way->contribution);
  if (!way->contribution) return pl_fail_memory(loop->pl, (size_t)loop->nargs * sizeof(void *));
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    bool first = pl_arg_collides(arg);
    for (int j = 0; j < i; j++) first &= loop->args[j].object != arg->object || loop->args[j].off;
    if (first) PL_TRY(device->driver->alloc(device, n * pl_dat_stride(arg->object), &way->contribution[i]));
  }
  return PL_SUCCESS;
}

static pl_err make_sums(pl_device *device, pl_way *way, bool *fits, char *why)
{
  pl_context *pl = device->pl;
  pl_reach *slot = pl_calloc(pl, (size_t)pl_most_slots(way->loop), sizeof *slot);
  if (!slot) return pl_fail_memory(pl, sizeof *slot);
  int n = pl_increment_slots(way->loop, slot);
  pl_err err;
  if (way->style.conflict == PL_COMBINE)
    err = make_combine(device, way, n, slot, fits, why);
  else
    err = make_rows(device, way, n, slot);
  if (!err && way->style.conflict == PL_STORED) err = make_contributions(device, way, n);
  pl_free(pl, slot);
  return err;
}

static pl_err make_plans(pl_device *device, pl_way *way, bool *fits, char *why)
{
  pl_loop *loop = way->loop;
  size_t lists = 3 * (size_t)loop->nargs + 8;
  for (int p = 0; p < PL_PARTS; p++) {
    way->part[p].buffer = pl_calloc(loop->pl, lists, sizeof(void *));
    way->part[p].place = pl_calloc(loop->pl, lists, sizeof(int));
    if (!way->part[p].buffer || !way->part[p].place) return pl_fail_memory(loop->pl, lists * sizeof(void *));
  }
  if (!pl_collides(loop) || way->style.conflict == PL_ATOMIC) return PL_SUCCESS;
  if (way->style.conflict == PL_STAGE) return make_stage(device, way, fits, why);
  if (way->style.conflict != PL_COLOUR) return make_sums(device, way, fits, why);
  for (int p = 0; p < PL_PARTS; p++) {
    pl_run run = part_range(loop, p);
    if (run.begin < run.end) PL_TRY(colour_part(device, way, p));
  }
  return PL_SUCCESS;
}

/* ---- text and kernels ---- */

/* The kernel with at most so many registers (0: as many as it likes), if blocks of its size can have them;
 * *enough: no more would help. */
static pl_err try_registers(pl_device *device, pl_way *way, int registers, pl_module **module, bool *enough)
{
  pl_module *tried;
  void *run;
  int most = 0;
  PL_TRY(pl_module_get_within(device, way->loop->kernel->name, pl_text_string(&way->program.text), registers,
                              &tried));
  PL_TRY(pl_module_kernel(tried, "pl_run", &run));
  PL_TRY(device->driver->limit(device, run, &most));
  bool fits = most >= way->style.block_size || !way->run;
  *enough = !fits || !device->driver->private_bytes(device, run);
  if (!fits) return PL_SUCCESS;
  *module = tried;
  way->run = run;
  return PL_SUCCESS;
}

/* The kernel, with as few registers as its values need so as not to live in memory. */
static pl_err get_module(pl_device *device, pl_way *way, pl_module **module)
{
  static const int registers[] = {REGISTERS, MOST_REGISTERS, 0};
  bool enough = false;
  way->run = NULL;
  if (!device->counts_registers) return try_registers(device, way, 0, module, &enough);
  for (int i = 0; i < 3 && !enough; i++)
    if (registers[i] || way->style.block_size <= FREE_BLOCK)
      PL_TRY(try_registers(device, way, registers[i], module, &enough));
  return PL_SUCCESS;
}

static pl_err build(pl_device *device, pl_way *way, const pl_signature *signature)
{
  pl_loop *loop = way->loop;
  pl_context *pl = loop->pl;
  pl_module *module;
  double start = pl_now();
  PL_TRY(pl_walk(loop, signature, &way->style, &way->program));
  pl->stats.generate_seconds += pl_now() - start;
  PL_TRY(pl_dump(pl, loop, way->style.dialect, &way->program.text));
  PL_TRY(get_module(device, way, &module));
  if (pl_collides(loop) && way->style.conflict == PL_STORED)
    PL_TRY(pl_module_kernel(module, "pl_sum", &way->sum));
  for (int i = 0; i < loop->nargs; i++)
    if (pl_arg_reduces(&loop->args[i]) && !way->style.ends)
      return pl_module_kernel(module, "pl_finish", &way->finish);
  return PL_SUCCESS;
}

static pl_err make_kernels(pl_device *device, pl_way *way, const pl_signature *signature)
{
  pl_err err = build(device, way, signature);
  if (err != PL_ERR_COMPILE || !way->loop->kernel->body) return err;
  pl_loop_text_free(&way->program);
  way->style.relayout = true;
  return build(device, way, signature);
}

/* ---- results of blocks ---- */

int pl_way_blocks(const pl_way *way, int n)
{
  int each = has_teams(way->loop) ? PL_PAIR_SLICE : way->style.block_size;
  return (int)(((int64_t)n + each - 1) / each);
}

bool pl_way_is_planned(const pl_way *way)
{
  pl_conflict conflict = way->style.conflict;
  if (way->loop->set->pairs || way->loop->blocks) return true;
  return pl_collides(way->loop) && (conflict == PL_COLOUR || conflict == PL_STAGE || conflict == PL_COMBINE);
}

int pl_way_results(const pl_way *way, const pl_part *part)
{
  int blocks = pl_way_blocks(way, part->end - part->begin);
  return pl_way_is_planned(way) || blocks < way->most_results ? blocks : way->most_results;
}

/* A set that changes its size has its elements in the first part, and direct loops run all of them as that.
 */
static size_t most_results(const pl_way *way)
{
  const pl_set *set = way->loop->set;
  int most = 0;
  for (int p = 0; p < PL_PARTS; p++) {
    pl_run run = part_range(way->loop, p);
    const pl_part part = {p, p ? run.begin : set->part[3] - pl_set_room(set), p ? run.end : set->part[1], 1};
    int n = pl_way_results(way, &part);
    if (n > most) most = n;
  }
  return (size_t)most;
}

/* As many blocks as are at work at the same time: each goes through many elements, so few results are left.
 */
static int choose_results(const pl_device *device, int block_size)
{
  int units = device->units > 0 ? device->units : 1,
      each = block_size < UNIT_ITEMS ? UNIT_ITEMS / block_size : 1;
  return pl_opt_flag(device->pl, PL_OPT_REPRODUCIBLE) ? STEADY_RESULTS : units * each;
}

static pl_err make_results(pl_device *device, pl_way *way)
{
  pl_loop *loop = way->loop;
  size_t n = (size_t)loop->nargs, blocks = most_results(way);
  way->partial = pl_calloc(loop->pl, n, sizeof *way->partial);
  way->where = pl_calloc(loop->pl, n, sizeof *way->where);
  way->won = pl_calloc(loop->pl, n, sizeof *way->won);
  if (!way->partial || !way->where || !way->won) return pl_fail_memory(loop->pl, n * sizeof(void *));
  if (way->style.ends) {
    PL_TRY(device->driver->alloc(device, sizeof(int), &way->drawn));
    PL_TRY(device->driver->zero(device, way->drawn, sizeof(int)));
  }
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (!pl_arg_reduces(arg)) continue;
    size_t bytes = (size_t)pl_arg_dim(arg) * pl_type_size(pl_arg_type(arg));
    PL_TRY(device->driver->alloc(device, blocks * bytes, &way->partial[i]));
    if (!pl_has_payload(loop, i)) continue;
    PL_TRY(device->driver->alloc(device, blocks * sizeof(int64_t), &way->where[i]));
    PL_TRY(device->driver->alloc(device, sizeof(int64_t), &way->won[i]));
  }
  return PL_SUCCESS;
}

/* ---- all of it ---- */

/* Every launch fills its blocks. A set that has changed its size does so again without being asked about. */
static bool fills_blocks(const pl_way *way)
{
  const pl_loop *loop = way->loop;
  int size = way->style.block_size;
  bool sums = pl_collides(loop) && (way->style.conflict == PL_GATHER || way->style.conflict == PL_STORED);
  bool turned = sums && way->style.conflict == PL_GATHER;
  if (loop->set->pairs || loop->set->capacity) return false;
  if (sums && (way->ntargets % size || (turned && way->early % size))) return false;
  for (int p = 0; p < PL_PARTS && !turned; p++) {
    pl_run run = part_range(loop, p);
    if ((run.end - run.begin) % size) return false;
  }
  return true;
}

/* Loops that are one launch end their reductions in it, where blocks can hand over what they have written.
 * Not where other devices are to find the same bits: their last blocks cannot. */
static bool ends_reductions(const pl_way *way)
{
  const pl_loop *loop = way->loop;
  bool any = false;
  for (int i = 0; i < loop->nargs; i++) {
    if (pl_has_payload(loop, i)) return false;
    any |= pl_arg_reduces(&loop->args[i]);
  }
  bool room = reduction_bytes(loop) * (size_t)way->style.block_size < USUAL_SHARED;
  return any && room && way->style.dialect->fence && !pl_way_is_planned(way) &&
         !(pl_collides(loop) && way->style.conflict == PL_GATHER) &&
         !pl_opt_flag(loop->pl, PL_OPT_REPRODUCIBLE);
}

pl_err pl_way_make(pl_device *device, pl_loop *loop, const pl_signature *signature, pl_conflict conflict,
                   pl_way *way, bool *fits, char *why)
{
  *way = (pl_way){.loop = loop,
                  .style = {.dialect = pl_dialect_find(device->driver->name),
                            .conflict = conflict,
                            .block_size = choose_block(device, loop, conflict),
                            .max_block = device->max_block}};
  *fits = true;
  way->most_results = choose_results(device, way->style.block_size);
  PL_TRY(make_plans(device, way, fits, why));
  if (!*fits) return PL_SUCCESS;
  way->style.whole = fills_blocks(way);
  way->style.ends = ends_reductions(way);
  PL_TRY(make_kernels(device, way, signature));
  return make_results(device, way);
}

static void free_list(pl_device *device, const pl_loop *loop, void **list)
{
  for (int i = 0; list && i < loop->nargs; i++) device->driver->free(device, list[i]);
  pl_free(loop->pl, list);
}

void pl_way_free(pl_device *device, pl_way *way)
{
  pl_loop *loop = way->loop;
  if (!loop) return;
  for (int p = 0; p < PL_PARTS; p++) {
    pl_way_part *part = &way->part[p];
    for (int i = 0; i < part->nbuffers; i++) device->driver->free(device, part->buffer[i]);
    pl_free(loop->pl, part->buffer);
    pl_free(loop->pl, part->place);
  }
  free_list(device, loop, way->contribution);
  free_list(device, loop, way->partial);
  free_list(device, loop, way->where);
  free_list(device, loop, way->won);
  device->driver->free(device, way->drawn);
  pl_loop_text_free(&way->program);
  *way = (pl_way){0};
}
