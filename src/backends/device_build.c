/* SPDX-License-Identifier: BSD-2-Clause
 * Neighbour lists that a device makes and renews itself (codegen/pairs.device.inc): nothing of the positions
 * crosses the bus, only a few numbers that say whether a list must be built and how large it is.
 */
#include "codegen/algorithm.h"
#include "core/halo.h"
#include "core/memory.h"
#include "core/pairs.h"
#include "device.h"
#include "plan/pairs.h"
#include <math.h>
#include <string.h>

enum { GROUP = 256, MOST_ARGS = 18 };

/* What codegen/pairs.device.inc keeps in its state: nowhere (or moved too far), put back, longest row,
 * ghosts; and the total of its bins. */
enum { STATE_BAD, STATE_MOVED, STATE_LONGEST, STATE_GHOSTS, STATES };
enum { FINE = 2 }; /* bins in a reach */

/* ---- launches ---- */

typedef struct launch {
  pl_device *device;
  int n;
  pl_launch_arg arg[MOST_ARGS];
} launch;

static void add(launch *l, size_t size, const void *value)
{
  l->arg[l->n++] = (pl_launch_arg){size, value};
}

#define INT(value) add(&l, sizeof(int), &(value))
#define REAL(value) add(&l, sizeof(double), &(value))
#define BUFFER(value) add(&l, sizeof(void *), &(value))

static pl_err go(launch *l, pl_module *module, const char *name, int64_t items, int group)
{
  void *kernel;
  int blocks = (int)((items + group - 1) / group);
  if (!blocks) return PL_SUCCESS;
  PL_TRY(pl_module_kernel(module, name, &kernel));
  return l->device->driver->launch(l->device, kernel, blocks, group, 0, l->n, l->arg);
}

static pl_err get_module(pl_device *device, const pl_pairs *pairs, pl_module **module)
{
  const pl_dialect *d = pl_dialect_find(device->driver->name);
  bool cuda = !strcmp(d->name, "cuda"), real = pairs->position->type == PL_DOUBLE;
  pl_text text;
  pl_text_init(&text, device->pl);
  pl_text_add(&text, "%s", d->prelude_double);
  pl_print_device_words(&text, d);
  pl_text_add(&text, "#define GLOBAL_ADD(p, v) %s\n#define GLOBAL_MAX(p, v) %s\n",
              cuda ? "atomicAdd(p, v)" : "atomic_add(p, v)", cuda ? "atomicMax(p, v)" : "atomic_max(p, v)");
  pl_text_add(&text, "#define REAL %s\n#define FAR %s\n#define DIM %d\n#define WIDTH %d\n",
              real ? "double" : "float", real ? "1e150" : "1e18f", pairs->dim, pairs->width);
  pl_text_add(&text,
              "#define SLICE %d\n#define TEAM %d\n#define GROUP_MOST %d\n#define FINE %d\n#define ROW "
              "%d\n#define BATCH 4\n",
              PL_PAIR_SLICE, PL_PAIR_TEAM, GROUP, FINE, PL_PAIR_ROW);
  pl_text_bytes(&text, pl_text_pairs_device, strlen(pl_text_pairs_device));
  pl_err err = pl_text_check(&text);
  if (!err) err = pl_module_get(device, "pl_pairs", pl_text_string(&text), module);
  pl_text_free(&text);
  return err;
}

/* A buffer of at least `bytes`; its values are lost when it grows. */
static pl_err room_for(pl_device *device, pl_pairs_buffer *buffer, size_t bytes)
{
  if (buffer->bytes >= bytes && buffer->at) return PL_SUCCESS;
  if (buffer->at) device->driver->free(device, buffer->at);
  *buffer = (pl_pairs_buffer){0};
  bytes += bytes / 8 + 64;
  PL_TRY(device->driver->alloc(device, bytes, &buffer->at));
  buffer->bytes = bytes;
  return PL_SUCCESS;
}

/* ---- between builds ---- */

static pl_err read_state(pl_device *device, pl_pairs_device *on, int state[STATES])
{
  PL_TRY(device->driver->download(device, state, on->state.at, STATES * sizeof(int)));
  device->pl->stats.bytes_from_device += STATES * sizeof(int);
  device->pl->stats.calls_from_device++;
  return PL_SUCCESS;
}

static int dat_size(const pl_dat *dat)
{
  return dat->room ? dat->room : dat->set->part[3];
}

static void add_positions(launch *at, const pl_pairs *pairs, const int *n, const int *size)
{
  add(at, sizeof(int), n);
  add(at, sizeof(int), &pairs->position->layout);
  add(at, sizeof(int), &pairs->position->pack);
  add(at, sizeof(int), size);
}

/* The answer comes by a queue of its own, so that what follows need not wait for it. */
static pl_err open_ear(pl_device *device, pl_pairs_device *on)
{
  const pl_driver *d = device->driver;
  if (on->told) return PL_SUCCESS;
  if (!on->ear && d->queue_new) PL_TRY(d->queue_new(device, &on->ear));
  if (!on->asked) PL_TRY(d->event_new(device, false, &on->asked));
  if (!on->left) {
    if (d->host_alloc)
      PL_TRY(d->host_alloc(device, sizeof *on->left, (void **)&on->left));
    else if (!(on->left = pl_malloc(device->pl, sizeof *on->left)))
      return pl_fail_memory(device->pl, sizeof *on->left);
  }
  return d->event_new(device, false, &on->told);
}

static pl_err ask(pl_device *device, pl_pairs_device *on)
{
  const pl_driver *d = device->driver;
  PL_TRY(open_ear(device, on));
  bool apart = on->ear && !device->pl->queue;
  if (apart) {
    PL_TRY(d->event_record(device, on->asked));
    d->queue_use(device, on->ear);
  }
  pl_err err = apart ? d->queue_wait(device, on->asked) : PL_SUCCESS;
  if (!err) err = d->start_read(device, on->left, on->state.at, 0, sizeof *on->left);
  if (!err) err = d->event_record(device, on->told);
  if (apart) d->queue_use(device, NULL);
  on->pending = !err;
  device->pl->stats.bytes_from_device += sizeof *on->left;
  device->pl->stats.calls_from_device++;
  return err;
}

/* Records first .. end - 1 of present positions. Whether a particle has left its skin is not known yet: loops
 * that look at state[0] do nothing then. */
static pl_err renew(pl_device *device, pl_module *module, pl_pairs *pairs, int first, int end)
{
  pl_pairs_device *on = pairs->device;
  double most = pairs->skin / 2 * (1 - 1e-6), limit = most * most;
  int size = dat_size(pairs->position);
  launch l = {.device = device};
  add_positions(&l, pairs, &pairs->n, &size);
  INT(first), INT(end), REAL(limit), BUFFER(pairs->position->device), BUFFER(on->anchor.at),
    BUFFER(on->owner), BUFFER(on->images.at), BUFFER(on->shift.at), BUFFER(on->record), BUFFER(on->state.at);
  return go(&l, module, "pl_renew", end - first, GROUP);
}

/* On one rank pl_device_pairs_confirm waits for the answer; ranks have asked before, and know it. */
static pl_err renew_all(pl_device *device, pl_module *module, pl_pairs *pairs)
{
  bool shared = pl_ranks(device->pl) > 1;
  PL_TRY(renew(device, module, pairs, shared ? pairs->n : 0, pairs->nrecords));
  return shared ? PL_SUCCESS : ask(device, pairs->device);
}

pl_err pl_device_pairs_confirm(pl_device *device, pl_map *map, bool *again)
{
  pl_pairs_device *on = map->pairs->device;
  *again = false;
  if (!on || !on->pending) return PL_SUCCESS;
  on->pending = false;
  PL_TRY(device->driver->event_wait(device, on->told));
  if (!*on->left) return PL_SUCCESS;
  *again = true;
  map->pairs->built = false;
  return device->pl->pairs_refresh(map);
}

/* ---- building ---- */

typedef struct grid {
  int bins[3], nbins, here; /* particles with copies of other ranks' */
  double reach, low_scale[6], box[15];
} grid;

/* The box, and what this rank's particles fill: all of it, or the extent that plan/settle.c has found. */
static void describe_box(const pl_map *map, grid *g)
{
  const pl_domain *domain = map->pairs->domain;
  bool shared = pl_ranks(map->node.pl) > 1;
  const pl_nearby *near = shared ? &map->from->halo->nearby : NULL;
  for (int a = 0; a < map->pairs->dim; a++) {
    g->box[a] = domain->low[a];
    g->box[3 + a] = domain->high[a];
    g->box[6 + a] = domain->periodic[a];
    g->box[9 + a] = shared ? near->from[a] : domain->low[a];
    g->box[12 + a] = shared ? near->to[a] : domain->high[a];
  }
}

/* Bins at least as long as half the reach, not many more than there are points. */
static void choose_grid(const pl_map *map, grid *g)
{
  const pl_pairs *pairs = map->pairs;
  bool shared = pl_ranks(map->node.pl) > 1;
  double size = g->reach / FINE;
  describe_box(map, g);
  for (double total = INFINITY; total > 4.0 * g->here + 64; size *= 1.5) {
    total = 1;
    for (int a = 0; a < 3; a++) {
      double over = a < pairs->dim && (shared || pairs->domain->periodic[a]) ? g->reach : 0;
      double extent = a < pairs->dim ? g->box[12 + a] - g->box[9 + a] + 2 * over : 1;
      double bins = a < pairs->dim ? fmax(1, floor(extent / size)) : 1;
      g->bins[a] = (int)fmin(bins, 1e6);
      g->low_scale[a] = a < pairs->dim ? g->box[9 + a] - over : 0;
      g->low_scale[3 + a] = g->bins[a] / extent;
      total *= g->bins[a];
    }
  }
  g->nbins = g->bins[0] * g->bins[1] * g->bins[2];
}

static pl_err send(pl_device *device, const void *values, size_t bytes, pl_pairs_buffer *buffer)
{
  PL_TRY(room_for(device, buffer, bytes));
  return device->driver->upload(device, buffer->at, values, bytes);
}

static pl_err send_numbers(pl_device *device, const pl_pairs *pairs, const grid *g)
{
  static const int place[3] = {1, 3, 9};
  pl_pairs_device *on = pairs->device;
  double sent[PL_PAIR_NUMBERS] = {g->reach, pairs->cutoff};
  memcpy(sent + 2, g->low_scale, sizeof g->low_scale);
  memcpy(sent + 8, g->box, sizeof g->box);
  if (on->cutoff && !memcmp(sent, on->sent, sizeof sent)) return PL_SUCCESS; /* it has them */
  double shift[27 * 3] = {0}, cutoff2 = pairs->cutoff * pairs->cutoff;
  float single = (float)cutoff2;
  for (int code = 0; code < 27; code++)
    for (int a = 0; a < pairs->dim; a++)
      shift[3 * code + a] = (code / place[a] % 3 - 1) * (g->box[3 + a] - g->box[a]);
  PL_TRY(send(device, g->box, sizeof g->box, &on->box));
  PL_TRY(send(device, g->low_scale, sizeof g->low_scale, &on->grid));
  PL_TRY(send(device, shift, sizeof shift, &on->shift));
  if (!on->cutoff) PL_TRY(device->driver->alloc(device, sizeof cutoff2, &on->cutoff));
  bool real = pairs->position->type == PL_DOUBLE;
  PL_TRY(room_for(device, &on->state, STATES * sizeof(int)));
  PL_TRY(device->driver->upload(device, on->cutoff, real ? (void *)&cutoff2 : (void *)&single,
                                real ? sizeof cutoff2 : sizeof single));
  memcpy(on->sent, sent, sizeof sent);
  return PL_SUCCESS;
}

/* Records and owners have room for this many. */
static pl_err make_record_room(pl_device *device, pl_pairs *pairs, int records)
{
  pl_pairs_device *on = pairs->device;
  size_t real = pl_type_size(pairs->position->type), n = (size_t)records + (size_t)pairs->lanes;
  PL_TRY(room_for(device, &on->records, n * (size_t)pairs->width * real));
  PL_TRY(room_for(device, &on->owners, n * sizeof(int)));
  PL_TRY(room_for(device, &on->images, n * sizeof(int)));
  on->record = on->records.at;
  on->owner = on->owners.at;
  return PL_SUCCESS;
}

static pl_err wrap(pl_device *device, pl_module *module, pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  int size = dat_size(pairs->position);
  launch l = {.device = device};
  PL_TRY(device->driver->zero(device, on->state.at, STATES * sizeof(int)));
  add_positions(&l, pairs, &g->here, &size);
  BUFFER(on->box.at), BUFFER(pairs->position->device), BUFFER(on->record), BUFFER(on->owner),
    BUFFER(on->images.at), BUFFER(on->state.at);
  return go(&l, module, "pl_wrap", g->here, GROUP);
}

/* Particles wrapped, and their ghosts as far as there is room; far records stand behind it. */
static pl_err make_points(pl_device *device, pl_module *module, pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  PL_TRY(make_record_room(device, pairs, on->room));
  PL_TRY(wrap(device, module, pairs, g));
  launch l = {.device = device};
  INT(g->here), INT(on->room), REAL(g->reach), BUFFER(on->box.at), BUFFER(on->record), BUFFER(on->owner),
    BUFFER(on->images.at), BUFFER(on->state.at);
  PL_TRY(go(&l, module, "pl_images", g->here, GROUP));
  l.n = 0;
  INT(on->room), INT(pairs->lanes), BUFFER(on->owner), BUFFER(on->record);
  PL_TRY(go(&l, module, "pl_far", pairs->lanes, GROUP));
  l.n = 0;
  INT(g->here), INT(on->room), BUFFER(on->owner), BUFFER(on->images.at), BUFFER(on->shift.at),
    BUFFER(on->record), BUFFER(on->state.at);
  return go(&l, module, "pl_ghosts", on->room - g->here, GROUP);
}

static pl_err fill_bins(pl_device *device, pl_module *module, pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  size_t n = (size_t)on->room, bins = (size_t)g->nbins;
  PL_TRY(room_for(device, &on->bin, n * sizeof(int)));
  PL_TRY(room_for(device, &on->id, n * sizeof(int)));
  PL_TRY(room_for(device, &on->sorted, n * (size_t)pairs->width * pl_type_size(pairs->position->type)));
  PL_TRY(room_for(device, &on->start, bins * sizeof(int)));
  PL_TRY(room_for(device, &on->filled, bins * sizeof(int)));
  PL_TRY(device->driver->zero(device, on->filled.at, bins * sizeof(int)));
  PL_TRY(room_for(device, &on->binned, sizeof(int)));
  PL_TRY(device->driver->zero(device, on->binned.at, sizeof(int)));
  launch l = {.device = device};
  INT(g->here), INT(on->room), INT(g->bins[0]), INT(g->bins[1]), INT(g->bins[2]), BUFFER(on->grid.at),
    BUFFER(on->record), BUFFER(on->bin.at), BUFFER(on->filled.at), BUFFER(on->state.at);
  PL_TRY(go(&l, module, "pl_bin", on->room, GROUP));
  l.n = 0;
  INT(g->nbins), BUFFER(on->filled.at), BUFFER(on->start.at), BUFFER(on->binned.at);
  PL_TRY(go(&l, module, "pl_begin", g->nbins, GROUP));
  l.n = 0;
  INT(g->here), INT(on->room), BUFFER(on->bin.at), BUFFER(on->filled.at), BUFFER(on->id.at),
    BUFFER(on->state.at);
  PL_TRY(go(&l, module, "pl_fill", on->room, GROUP));
  l.n = 0;
  INT(g->nbins), INT(g->here), BUFFER(on->start.at), BUFFER(on->filled.at), BUFFER(on->owner),
    BUFFER(on->images.at), BUFFER(on->record), BUFFER(on->id.at), BUFFER(on->sorted.at);
  return go(&l, module, "pl_arrange", g->nbins, GROUP);
}

static pl_err make_rows(pl_device *device, pl_module *module, pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  int slices = (pairs->n + PL_PAIR_SLICE - 1) / PL_PAIR_SLICE;
  double reach2 = g->reach * g->reach;
  PL_TRY(room_for(device, &on->entries, (size_t)slices * PL_PAIR_SLICE * (size_t)on->longest * sizeof(int)));
  PL_TRY(room_for(device, &on->rows, 2 * (size_t)slices * sizeof(int64_t)));
  launch l = {.device = device};
  INT(pairs->n), INT(g->bins[0]), INT(g->bins[1]), INT(g->bins[2]), INT(on->longest), INT(on->room),
    REAL(reach2), BUFFER(on->grid.at), BUFFER(on->record), BUFFER(on->start.at), BUFFER(on->filled.at),
    BUFFER(on->id.at), BUFFER(on->sorted.at), BUFFER(on->rows.at), BUFFER(on->entries.at),
    BUFFER(on->state.at);
  on->row = on->rows.at;
  on->entry = on->entries.at;
  return go(&l, module, "pl_rows", (int64_t)slices * PL_PAIR_SLICE, PL_PAIR_SLICE);
}

static pl_err settle(pl_device *device, pl_module *module, pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  int size = dat_size(pairs->position), ghosts = on->room - g->here;
  launch l = {.device = device};
  add_positions(&l, pairs, &pairs->n, &size);
  INT(ghosts), INT(on->longest), BUFFER(on->record), BUFFER(pairs->position->device), BUFFER(on->anchor.at),
    BUFFER(on->state.at);
  return go(&l, module, "pl_settle", pairs->n, GROUP);
}

/* A list in the room there is; what it needs comes back in state[]. The host waits once, at the end. */
static pl_err build_once(pl_device *device, pl_module *module, pl_pairs *pairs, const grid *g,
                         int state[STATES])
{
  PL_TRY(make_points(device, module, pairs, g));
  PL_TRY(fill_bins(device, module, pairs, g));
  PL_TRY(make_rows(device, module, pairs, g));
  PL_TRY(settle(device, module, pairs, g));
  return read_state(device, pairs->device, state);
}

/* Whether the room sufficed; else there is more next time. */
static bool fits(pl_pairs_device *on, int here, const int state[STATES])
{
  int ghosts = state[STATE_GHOSTS], longest = state[STATE_LONGEST];
  bool good = ghosts <= on->room - here && longest <= on->longest;
  if (ghosts > on->room - here) on->room = here + ghosts + ghosts / 8 + 256;
  if (longest > on->longest) on->longest = (longest + longest / 8 + PL_PAIR_ROW) / PL_PAIR_ROW * PL_PAIR_ROW;
  return good;
}

/* *done: false if a particle is where none can be, which the host finds and names. */
static pl_err build(pl_device *device, pl_module *module, pl_map *map, bool *done)
{
  pl_pairs *pairs = map->pairs;
  pl_pairs_device *on = pairs->device;
  int state[STATES], n = map->from->part[1];
  grid g = {.reach = pl_pairs_reach(pairs), .here = map->from->part[3]};
  pairs->built = false;
  pairs->n = n;
  if (on->room < g.here) on->room = g.here + g.here / 4 + 256;
  if (!on->longest) on->longest = 32;
  choose_grid(map, &g);
  PL_TRY(send_numbers(device, pairs, &g));
  PL_TRY(room_for(device, &on->anchor, (size_t)n * pl_dat_stride(pairs->position)));
  do PL_TRY(build_once(device, module, pairs, &g, state));
  while (!state[STATE_BAD] && !fits(on, g.here, state));
  *done = !state[STATE_BAD];
  if (!*done) return PL_SUCCESS;
  pairs->nrecords = g.here + state[STATE_GHOSTS];
  if (state[STATE_MOVED]) pl_dat_device_written(pairs->position);
  if (state[STATE_MOVED]) pairs->position->version++;
  memcpy(pairs->low, pairs->domain->low, sizeof pairs->low);
  memcpy(pairs->high, pairs->domain->high, sizeof pairs->high);
  pairs->built = true;
  pairs->builds++;
  return PL_SUCCESS;
}

/* Records of this rank's own; whether one has left its skin is known at once, since all ranks must agree. */
pl_err pl_device_pairs_left(pl_context *pl, pl_map *map, bool *left)
{
  pl_device *device = pl_device_of(pl);
  pl_pairs *pairs = map->pairs;
  pl_module *module;
  int state[STATES];
  PL_TRY(get_module(device, pairs, &module));
  PL_TRY(pl_dat_device(pairs->position, true));
  PL_TRY(renew(device, module, pairs, 0, pairs->n));
  PL_TRY(read_state(device, pairs->device, state));
  *left = state[STATE_BAD];
  return PL_SUCCESS;
}

pl_err pl_device_pairs_renew(pl_context *pl, pl_map *map, bool same, bool *done)
{
  pl_device *device = pl_device_of(pl);
  pl_pairs *pairs = map->pairs;
  pl_module *module;
  *done = false;
  if (pairs->everyone || !pairs->domain || !map->from->part[1] || !device->has_double ||
      device->max_block < GROUP)
    return PL_SUCCESS;
  if (!pairs->device && !(pairs->device = pl_calloc(pl, 1, sizeof *pairs->device)))
    return pl_fail_memory(pl, sizeof *pairs->device);
  same = same && pairs->device->own;
  if (!pairs->device->own) pl_device_pairs_clear(device, pairs->device);
  pairs->device->own = true;
  PL_TRY(get_module(device, pairs, &module));
  PL_TRY(pl_dat_device(pairs->position, true));
  pairs->device->pending = false;
  if (same) PL_TRY(renew_all(device, module, pairs));
  *done = same;
  if (!*done) PL_TRY(build(device, module, map, done));
  if (*done)
    pairs->version = pairs->position->version;
  else
    pl_device_pairs_clear(device, pairs->device);
  return PL_SUCCESS;
}
