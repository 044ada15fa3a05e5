/* SPDX-License-Identifier: BSD-2-Clause
 * Neighbour lists that a device makes and renews itself (codegen/pairs.device.inc): nothing of the positions
 * crosses the bus, only a few numbers that say whether a list must be built and how large it is.
 */
#include "codegen/algorithm.h"
#include "core/halo.h"
#include "core/memory.h"
#include "core/pairs.h"
#include "device.h"
#include "device_lists.h"
#include "plan/pairs.h"
#include <math.h>
#include <string.h>

enum { GROUP = PL_LIST_GROUP };

/* What codegen/pairs.device.inc keeps in its state, in front of the particles in each bin. */
enum { STALE, BAD, FULL, PUT_BACK, LONGEST, RECORDS, TOLD, STATES = 16 };
enum { FINE = 2, CHUNK = 4 }; /* bins in a reach; bins that a work item counts */

/* ---- launches ---- */

typedef pl_list_launch launch;

#define INT(value) PL_LIST_ARG(&l, value)
#define REAL(value) PL_LIST_ARG(&l, value)
#define BUFFER(value) PL_LIST_ARG(&l, value)

pl_err pl_list_go(pl_list_launch *l, void *module, const char *name, int64_t items, int group)
{
  void *kernel;
  int blocks = (int)((items + group - 1) / group);
  if (!blocks) return PL_SUCCESS;
  PL_TRY(pl_module_kernel(module, name, &kernel));
  return l->device->driver->launch(l->device, kernel, blocks, group, 0, l->n, l->arg);
}

/* Sets of 32 work items that look for a slice's neighbours: several where each can wait for its own. */
static int seekers_of(const pl_device *device)
{
  return strcmp(device->driver->name, "cuda") ? 1 : 4;
}

static void print_module(pl_text *text, const pl_device *device, const pl_pairs *pairs)
{
  const pl_dialect *d = pl_dialect_find(device->driver->name);
  bool cuda = !strcmp(d->name, "cuda"), real = pairs->position->type == PL_DOUBLE;
  const char *type = pl_type_name(pairs->position->type);
  pl_text_add(text, "%s", d->prelude_double);
  pl_print_device_words(text, d);
  pl_text_add(text, "#define GLOBAL_ADD(p, v) %s\n#define GLOBAL_MAX(p, v) %s\n",
              cuda ? "atomicAdd(p, v)" : "atomic_add(p, v)", cuda ? "atomicMax(p, v)" : "atomic_max(p, v)");
  pl_text_add(text, "#define REAL %s\n#define REAL2 %s2\n#define FAR %s\n#define DIM %d\n#define WIDTH %d\n",
              type, type, real ? "1e150" : "1e18f", pairs->dim, pairs->width);
  pl_text_add(text, "#define TEAM %d\n#define ROW %d\n", PL_PAIR_TEAM, PL_PAIR_ROW);
  pl_text_add(text, "#define GROUP_MOST %d\n#define CHUNK %d\n#define STATES %d\n", GROUP, CHUNK, STATES);
  pl_text_add(text, "#define GROUPS %s\n", d->blocks);
  if (device->driver->host_seen)
    pl_text_add(text, "#define FENCE __threadfence();\n#define SYSTEM_FENCE __threadfence_system();\n");
  pl_text_add(text, "#define SEEKERS %d\n#define PIECES 32\n#define KEPT 112\n", seekers_of(device));
  pl_text_bytes(text, pl_text_pairs_device, strlen(pl_text_pairs_device));
  if (pl_ranks(device->pl) > 1) pl_text_bytes(text, pl_text_settle_device, strlen(pl_text_settle_device));
}

static pl_err get_module(pl_device *device, const pl_pairs *pairs, pl_module **module)
{
  pl_text text;
  pl_text_init(&text, device->pl);
  print_module(&text, device, pairs);
  pl_err err = pl_text_check(&text);
  if (!err) err = pl_module_get(device, "pl_pairs", pl_text_string(&text), module);
  pl_text_free(&text);
  return err;
}

/* A buffer of at least `bytes`; its values are lost when it grows. */
pl_err pl_list_room(pl_device *device, pl_pairs_buffer *buffer, size_t bytes)
{
  if (buffer->bytes >= bytes && buffer->at) return PL_SUCCESS;
  if (buffer->at) device->driver->free(device, buffer->at);
  *buffer = (pl_pairs_buffer){0};
  bytes += bytes / 8 + 64;
  PL_TRY(device->driver->alloc(device, bytes, &buffer->at));
  buffer->bytes = bytes;
  return PL_SUCCESS;
}

/* ---- answers ---- */

int pl_list_dat_size(const pl_dat *dat)
{
  return dat->room ? dat->room : dat->set->part[3];
}

void pl_list_positions(pl_list_launch *at, const pl_pairs *pairs, const int *n, const int *size)
{
  PL_LIST_ARG(at, *n), PL_LIST_ARG(at, pairs->position->layout), PL_LIST_ARG(at, pairs->position->pack),
    PL_LIST_ARG(at, *size);
}

/* What kernels that TELL need. */
static void add_question(launch *at, pl_pairs_device *on)
{
  on->asked++;
  PL_LIST_ARG(at, on->asked);
  pl_list_add(at, sizeof(void *), on->answer ? (void *const *)&on->answer : &on->state.at);
}

/* Where answers come to: told[0] is the question's number, the state follows. Without memory that both sides
 * see it is read by a queue of its own, so that what follows need not wait for it. */
static pl_err open_ear(pl_device *device, pl_pairs_device *on)
{
  const pl_driver *d = device->driver;
  size_t bytes = (1 + STATES) * sizeof *on->told;
  if (on->told) return PL_SUCCESS;
  if (!d->host_seen && d->queue_new && !on->ear) PL_TRY(d->queue_new(device, false, &on->ear));
  if (!d->host_seen && !on->before) PL_TRY(d->event_new(device, false, &on->before));
  if (!d->host_seen && !on->after) PL_TRY(d->event_new(device, false, &on->after));
  if (d->host_alloc)
    PL_TRY(d->host_alloc(device, bytes, (void **)&on->told));
  else if (!(on->told = pl_malloc(device->pl, bytes)))
    return pl_fail_memory(device->pl, bytes);
  memset(on->told, 0, bytes);
  if (d->host_seen) on->answer = on->told;
  return PL_SUCCESS;
}

static pl_err read_state(pl_device *device, pl_pairs_device *on)
{
  const pl_driver *d = device->driver;
  bool apart = on->ear && !device->pl->queue;
  if (apart) {
    PL_TRY(d->event_record(device, on->before));
    d->queue_use(device, on->ear);
  }
  pl_err err = apart ? d->queue_wait(device, on->before) : PL_SUCCESS;
  if (!err) err = d->start_read(device, on->told + 1, on->state.at, 0, STATES * sizeof(int));
  if (!err) err = d->event_record(device, on->after);
  if (apart) d->queue_use(device, NULL);
  return err;
}

/* After the kernel that answers was started. */
static pl_err ask(pl_device *device, pl_pairs_device *on)
{
  if (!on->answer) PL_TRY(read_state(device, on));
  on->pending = true;
  device->pl->stats.bytes_from_device += TOLD * sizeof(int);
  device->pl->stats.calls_from_device++;
  return PL_SUCCESS;
}

/* The host looks at its memory until the answer is there. Should that take long, it waits for the device
 * instead, which also tells whether something went wrong there. */
static pl_err listen(pl_device *device, pl_pairs_device *on)
{
  enum { PATIENCE = 1 << 20 };
  pl_replay_settle(device);
  for (int look = 0; look < PATIENCE; look++)
    if (__atomic_load_n(on->told, __ATOMIC_ACQUIRE) == on->asked) return PL_SUCCESS;
  PL_TRY(device->driver->sync(device));
  if (__atomic_load_n(on->told, __ATOMIC_ACQUIRE) == on->asked) return PL_SUCCESS;
  return pl_fail(device->pl, PL_ERR_INTERNAL, "a neighbour list on the device was not confirmed");
}

/* The state of the list, once it is known. */
static pl_err hear(pl_device *device, pl_pairs_device *on, const int **state)
{
  on->pending = false;
  *state = on->told + 1;
  return on->answer ? listen(device, on) : device->driver->event_wait(device, on->after);
}

/* ---- between builds ---- */

/* Records first .. end - 1 of present positions. Whether a particle has left its skin is not known yet: loops
 * that look at the state do nothing then. */
static pl_err renew(pl_device *device, pl_pairs *pairs, int first, int end)
{
  pl_pairs_device *on = pairs->device;
  double most = pairs->skin / 2 * (1 - 1e-6), limit = most * most;
  int size = pl_list_dat_size(pairs->position);
  launch l = {.device = device};
  pl_list_positions(&l, pairs, &pairs->n, &size);
  INT(first), INT(end), REAL(limit), BUFFER(pairs->position->device), BUFFER(on->anchor.at),
    BUFFER(on->owner), BUFFER(on->images.at), BUFFER(on->shift.at), BUFFER(on->record), BUFFER(on->state.at);
  add_question(&l, on);
  return pl_list_go(&l, on->module, "pl_renew", end - first, GROUP);
}

/* On one rank pl_device_pairs_confirm waits for the answer; ranks have asked before, and know it. */
static pl_err renew_all(pl_device *device, pl_pairs *pairs)
{
  bool shared = pl_ranks(device->pl) > 1;
  PL_TRY(renew(device, pairs, shared ? pairs->n : 0, pairs->nrecords));
  return shared ? PL_SUCCESS : ask(device, pairs->device);
}

pl_err pl_device_pairs_confirm(pl_device *device, pl_map *map, bool *again)
{
  pl_pairs_device *on = map->pairs->device;
  const int *state;
  *again = false;
  if (!on || !on->pending) return PL_SUCCESS;
  PL_TRY(hear(device, on, &state));
  if (!state[STALE]) return PL_SUCCESS;
  *again = true;
  map->pairs->built = false;
  return device->pl->pairs_refresh(map);
}

/* ---- building ---- */

/* The domain, what records fill, and the bins that this is cut into. */
typedef struct grid {
  int bins[4], all; /* all: those of particles and those of ghosts */
  int here;         /* particles with copies of other ranks' */
  double reach, box[18];
} grid;

/* Records fill the box and what periodic sides bring near; on ranks the extent of this one's particles, which
 * plan/settle.c has found, and all around it. */
static void describe_box(const pl_map *map, grid *g)
{
  const pl_domain *domain = map->pairs->domain;
  const pl_nearby *near = pl_ranks(map->node.pl) > 1 ? &map->from->halo->nearby : NULL;
  for (int a = 0; a < map->pairs->dim; a++) {
    double over = near || domain->periodic[a] ? g->reach : 0;
    g->box[a] = domain->low[a];
    g->box[3 + a] = domain->high[a];
    g->box[6 + a] = domain->periodic[a];
    g->box[9 + a] = (near ? near->from[a] : domain->low[a]) - over;
    g->box[12 + a] = (near ? near->to[a] : domain->high[a]) + over;
  }
}

/* Bins at least as long as half the reach, not many more than there are points; numbered in columns of 2 x 2.
 */
static void choose_grid(const pl_map *map, grid *g)
{
  double all, size = g->reach / FINE;
  describe_box(map, g);
  do {
    for (int a = 0; a < 3; a++) {
      double extent = g->box[12 + a] - g->box[9 + a];
      g->bins[a] = extent > 0 ? (int)fmin(fmax(1, floor(extent / size)), 1e6) : 1;
      g->box[15 + a] = extent > 0 ? g->bins[a] / extent : 1;
    }
    all = 4 * g->bins[0] * ceil(0.5 * g->bins[1]) * ceil(0.5 * g->bins[2]);
    size *= 1.5;
  } while (all > 16.0 * g->here + 4096);
  g->bins[3] = (int)all;
  g->all = 2 * g->bins[3];
}

pl_err pl_list_send(pl_device *device, const void *values, size_t bytes, pl_pairs_buffer *buffer)
{
  PL_TRY(pl_list_room(device, buffer, bytes));
  return device->driver->upload(device, buffer->at, values, bytes);
}

static pl_err send_numbers(pl_device *device, const pl_pairs *pairs, const grid *g)
{
  static const int place[3] = {1, 3, 9};
  pl_pairs_device *on = pairs->device;
  double sent[PL_PAIR_NUMBERS] = {g->reach, pairs->cutoff};
  memcpy(sent + 2, g->box, sizeof g->box);
  if (on->cutoff && !memcmp(sent, on->sent, sizeof sent)) return PL_SUCCESS; /* it has them */
  double shift[27 * 3] = {0}, cutoff2 = pairs->cutoff * pairs->cutoff;
  float single = (float)cutoff2;
  for (int code = 0; code < 27; code++)
    for (int a = 0; a < pairs->dim; a++)
      shift[3 * code + a] = (code / place[a] % 3 - 1) * (g->box[3 + a] - g->box[a]);
  PL_TRY(pl_list_send(device, g->box, sizeof g->box, &on->box));
  PL_TRY(pl_list_send(device, g->bins, sizeof g->bins, &on->bins));
  PL_TRY(pl_list_send(device, shift, sizeof shift, &on->shift));
  if (!on->cutoff) PL_TRY(device->driver->alloc(device, sizeof cutoff2, &on->cutoff));
  bool real = pairs->position->type == PL_DOUBLE;
  PL_TRY(device->driver->upload(device, on->cutoff, real ? (void *)&cutoff2 : (void *)&single,
                                real ? sizeof cutoff2 : sizeof single));
  memcpy(on->sent, sent, sizeof sent);
  return PL_SUCCESS;
}

static int slices_of(const pl_pairs *pairs)
{
  return (pairs->n + PL_PAIR_SLICE - 1) / PL_PAIR_SLICE;
}

/* Everything has the room that is thought to do; one record more is far from all. */
static pl_err make_room(pl_device *device, const pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  size_t n = (size_t)pairs->n, here = (size_t)g->here, records = (size_t)on->room + 1,
         real = pl_type_size(pairs->position->type);
  size_t slices = (size_t)slices_of(pairs), width = (size_t)pairs->width;
  PL_TRY(pl_list_room(device, &on->anchor, n * (size_t)pairs->dim * real));
  PL_TRY(pl_list_room(device, &on->wrapped, here * width * real));
  PL_TRY(pl_list_room(device, &on->member, records * sizeof(int64_t)));
  PL_TRY(pl_list_room(device, &on->state, (STATES + (size_t)g->all) * sizeof(int)));
  PL_TRY(pl_list_room(device, &on->start, ((size_t)g->all + 1) * sizeof(int)));
  PL_TRY(pl_list_room(device, &on->total, ((size_t)g->all / (CHUNK * GROUP) + 1) * sizeof(int)));
  PL_TRY(pl_list_room(device, &on->records, records * width * real));
  PL_TRY(pl_list_room(device, &on->owners, records * sizeof(int)));
  PL_TRY(pl_list_room(device, &on->images, records * sizeof(int)));
  PL_TRY(pl_list_room(device, &on->places, records * 4 * sizeof(float)));
  PL_TRY(pl_list_room(device, &on->entries, slices * PL_PAIR_SLICE * (size_t)on->longest * sizeof(int)));
  PL_TRY(pl_list_room(device, &on->rows, 2 * slices * sizeof(int64_t)));
  on->record = on->records.at;
  on->owner = on->owners.at;
  on->entry = on->entries.at;
  on->row = on->rows.at;
  return PL_SUCCESS;
}

static pl_err fill_bins(pl_device *device, pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  int size = pl_list_dat_size(pairs->position), chunks = (g->all + CHUNK) / CHUNK;
  PL_TRY(device->driver->zero(device, on->state.at, (STATES + (size_t)g->all) * sizeof(int)));
  launch l = {.device = device};
  pl_list_positions(&l, pairs, &g->here, &size);
  INT(pairs->n), BUFFER(on->box.at), BUFFER(on->bins.at), BUFFER(on->shift.at),
    BUFFER(pairs->position->device), BUFFER(on->wrapped.at), BUFFER(on->state.at);
  PL_TRY(pl_list_go(&l, on->module, "pl_wrap", g->here, GROUP));
  l.n = 0;
  INT(g->all), BUFFER(on->state.at), BUFFER(on->total.at);
  PL_TRY(pl_list_go(&l, on->module, "pl_total", chunks, GROUP));
  l.n = 0;
  INT(g->all), INT(on->room), BUFFER(on->total.at), BUFFER(on->start.at), BUFFER(on->state.at);
  PL_TRY(pl_list_go(&l, on->module, "pl_begin", chunks, GROUP));
  l.n = 0;
  INT(g->here), INT(pairs->n), BUFFER(on->box.at), BUFFER(on->bins.at), BUFFER(on->shift.at),
    BUFFER(on->wrapped.at), BUFFER(on->member.at), BUFFER(on->state.at);
  return pl_list_go(&l, on->module, "pl_fill", g->here, GROUP);
}

static pl_err arrange(pl_device *device, pl_pairs *pairs)
{
  pl_pairs_device *on = pairs->device;
  int size = pl_list_dat_size(pairs->position);
  launch l = {.device = device};
  pl_list_positions(&l, pairs, &pairs->n, &size);
  INT(on->room), BUFFER(on->box.at), BUFFER(on->bins.at), BUFFER(on->shift.at), BUFFER(on->start.at),
    BUFFER(on->member.at), BUFFER(on->wrapped.at), BUFFER(pairs->position->device), BUFFER(on->anchor.at),
    BUFFER(on->record), BUFFER(on->owner), BUFFER(on->images.at), BUFFER(on->places.at), BUFFER(on->state.at);
  return pl_list_go(&l, on->module, "pl_arrange", (int64_t)on->room + 1, GROUP);
}

/* How far the search looks in single precision: far enough whatever rounding does, from the corner of the
 * box. */
static float single_reach(const pl_pairs *pairs, const grid *g)
{
  double longest = 0;
  for (int a = 0; a < pairs->dim; a++) longest = fmax(longest, g->box[12 + a] - g->box[9 + a]);
  return (float)(g->reach * (1 + 1e-5) + 2e-6 * longest);
}

static pl_err make_rows(pl_device *device, pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  float reach = single_reach(pairs, g);
  int group = PL_PAIR_SLICE * seekers_of(device);
  launch l = {.device = device};
  INT(pairs->n), INT(on->longest), INT(on->room), REAL(reach), BUFFER(on->box.at), BUFFER(on->bins.at),
    BUFFER(on->places.at), BUFFER(on->start.at), BUFFER(on->row), BUFFER(on->entry), BUFFER(on->state.at);
  add_question(&l, on);
  PL_TRY(pl_list_go(&l, on->module, "pl_rows", (int64_t)slices_of(pairs) * group, group));
  return ask(device, on);
}

/* A list in the room there is; what it needs comes back in the state. The host waits once, at the end. */
static pl_err build_once(pl_device *device, pl_pairs *pairs, const grid *g, const int **state)
{
  PL_TRY(make_room(device, pairs, g));
  PL_TRY(fill_bins(device, pairs, g));
  PL_TRY(arrange(device, pairs));
  PL_TRY(make_rows(device, pairs, g));
  return hear(device, pairs->device, state);
}

/* Room for as many records as there are if particles are spread evenly, and for rows of a length that is
 * found. */
static void guess_room(const pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  double more = 1;
  for (int a = 0; a < pairs->dim; a++) {
    double all = g->box[12 + a] - g->box[9 + a];
    more *= fmin(3, all / fmax(all - 2 * g->reach * (g->box[6 + a] != 0), 1e-3 * all));
  }
  if (!on->longest) on->room = (int)fmin(more * 1.125 * pairs->n + 256, INT32_MAX - 1);
  if (on->room < g->here) on->room = g->here + g->here / 4 + 256;
  if (!on->longest) on->longest = 32;
}

/* Whether the room sufficed; else there is more next time. */
static bool fits(pl_pairs *pairs, const int *state)
{
  pl_pairs_device *on = pairs->device;
  int records = state[RECORDS], longest = state[LONGEST];
  bool good = records <= on->room && longest <= on->longest;
  if (records > on->room) on->room = records + records / 16 + 256;
  if (longest > on->longest) on->longest = (longest + longest / 8 + PL_PAIR_ROW) / PL_PAIR_ROW * PL_PAIR_ROW;
  return good;
}

static void take_over(pl_pairs *pairs, const int *state, bool put_back)
{
  pairs->nrecords = state[RECORDS];
  if (put_back) pl_dat_device_written(pairs->position);
  if (put_back) pairs->position->version++;
  memcpy(pairs->low, pairs->domain->low, sizeof pairs->low);
  memcpy(pairs->high, pairs->domain->high, sizeof pairs->high);
  pairs->built = true;
  pairs->builds++;
}

/* *done: false if a particle is where none can be, which the host finds and names. */
static pl_err build(pl_device *device, pl_map *map, bool *done)
{
  pl_pairs *pairs = map->pairs;
  const int *state;
  bool put_back = false;
  grid g = {.reach = pl_pairs_reach(pairs), .here = map->from->part[3]};
  pairs->built = false;
  pairs->n = map->from->part[1];
  choose_grid(map, &g);
  guess_room(pairs, &g);
  PL_TRY(send_numbers(device, pairs, &g));
  do {
    PL_TRY(build_once(device, pairs, &g, &state));
    put_back |= state[PUT_BACK]; /* rows that are too short stop nobody from coming back into the box */
  } while (!state[BAD] && !fits(pairs, state));
  *done = !state[BAD];
  if (*done) take_over(pairs, state, put_back);
  return PL_SUCCESS;
}

pl_err pl_device_lists_open(pl_device *device, pl_pairs *pairs)
{
  pl_module *module = NULL;
  if (!pairs->device && !(pairs->device = pl_calloc(device->pl, 1, sizeof *pairs->device)))
    return pl_fail_memory(device->pl, sizeof *pairs->device);
  pl_pairs_device *on = pairs->device;
  if (on->own) return PL_SUCCESS;
  pl_device_pairs_clear(device, on);
  on->own = true;
  PL_TRY(open_ear(device, on));
  PL_TRY(get_module(device, pairs, &module));
  on->module = module;
  return PL_SUCCESS;
}

bool pl_device_lists_can(const pl_device *device, const pl_map *map)
{
  bool checked = pl_opt_flag(device->pl, PL_OPT_CHECK); /* the host needs the list then */
  return !checked && !map->pairs->everyone && map->pairs->domain && map->from->part[1] &&
         device->has_double && device->max_block >= GROUP;
}

pl_err pl_device_pairs_renew(pl_context *pl, pl_map *map, bool same, bool *done)
{
  pl_device *device = pl_device_of(pl);
  pl_pairs *pairs = map->pairs;
  *done = false;
  if (!pl_device_lists_can(device, map)) {
    if (pairs->device && pairs->device->own) pl_device_pairs_clear(device, pairs->device);
    return PL_SUCCESS; /* the host makes it, such as for a rank whose particles have all gone */
  }
  same = same && pairs->device && pairs->device->own;
  PL_TRY(pl_device_lists_open(device, pairs));
  PL_TRY(pl_dat_device(pairs->position, true));
  pairs->device->pending = false;
  if (same) PL_TRY(renew_all(device, pairs));
  *done = same;
  if (!*done) PL_TRY(build(device, map, done));
  if (*done)
    pairs->version = pairs->position->version;
  else
    pl_device_pairs_clear(device, pairs->device);
  return PL_SUCCESS;
}

/* Records of this rank's own; whether one has left its skin is known at once, since all ranks must agree. */
pl_err pl_device_pairs_left(pl_context *pl, pl_map *map, bool *left)
{
  pl_device *device = pl_device_of(pl);
  pl_pairs *pairs = map->pairs;
  const int *state;
  PL_TRY(pl_dat_device(pairs->position, true));
  PL_TRY(renew(device, pairs, 0, pairs->n));
  PL_TRY(ask(device, pairs->device));
  PL_TRY(hear(device, pairs->device, &state));
  *left = state[STALE];
  return PL_SUCCESS;
}

/* Of a list that is there: its rows tell. */
pl_err pl_device_pairs_entries(pl_context *pl, const pl_pairs *pairs, int64_t *entries)
{
  pl_device *device = pl_device_of(pl);
  size_t slices = pairs->built ? (size_t)slices_of(pairs) : 0, bytes = 2 * slices * sizeof(int64_t);
  int64_t *row = pl_malloc(pl, bytes);
  *entries = 0;
  if (!row) return pl_fail_memory(pl, bytes);
  pl_err err = bytes ? device->driver->download(device, row, pairs->device->row, bytes) : PL_SUCCESS;
  for (size_t s = 0; s < slices && !err; s++) *entries += row[2 * s + 1] - row[2 * s];
  pl->stats.bytes_from_device += bytes;
  pl->stats.calls_from_device += slices > 0;
  pl_free(pl, row);
  return err;
}
