/* SPDX-License-Identifier: BSD-2-Clause
 * Neighbour lists that a device makes and renews itself (codegen/pairs.device.inc): nothing of the positions
 * crosses the bus, only a few numbers that say whether a list must be built and how large it is.
 */
#include "codegen/algorithm.h"
#include "core/memory.h"
#include "core/pairs.h"
#include "device.h"
#include <math.h>
#include <string.h>

enum { GROUP = 256, MOST_ARGS = 18 };

/* What codegen/pairs.device.inc keeps in its state: nowhere (or moved too far), put back, longest row; and
 * the totals of its appends. */
enum { STATE_BAD, STATE_MOVED, STATE_LONGEST, STATE_GHOSTS, STATE_BINNED, STATES };

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
  pl_text_add(&text, "#define SLICE %d\n#define TEAM %d\n#define GROUP_MOST %d\n", PL_PAIR_SLICE,
              PL_PAIR_TEAM, GROUP);
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

static void add_positions(launch *at, const pl_pairs *pairs, const int *size)
{
  add(at, sizeof(int), &pairs->n);
  add(at, sizeof(int), &pairs->position->layout);
  add(at, sizeof(int), &pairs->position->pack);
  add(at, sizeof(int), size);
}

static pl_err fill_ghosts(pl_device *device, pl_module *module, pl_pairs *pairs)
{
  pl_pairs_device *on = pairs->device;
  launch l = {.device = device};
  INT(pairs->n), INT(pairs->nrecords), BUFFER(on->owner), BUFFER(on->images.at), BUFFER(on->shift.at),
    BUFFER(on->record);
  return go(&l, module, "pl_ghosts", pairs->nrecords - pairs->n, GROUP);
}

/* Records of present positions; *left: some particle has left its skin. */
static pl_err renew(pl_device *device, pl_module *module, pl_pairs *pairs, bool *left)
{
  pl_pairs_device *on = pairs->device;
  double most = pairs->skin / 2 * (1 - 1e-6), limit = most * most;
  int state[STATES], size = dat_size(pairs->position);
  launch l = {.device = device};
  PL_TRY(device->driver->zero(device, on->state.at, STATES * sizeof(int)));
  add_positions(&l, pairs, &size);
  REAL(limit), BUFFER(pairs->position->device), BUFFER(on->anchor.at), BUFFER(on->record),
    BUFFER(on->state.at);
  PL_TRY(go(&l, module, "pl_renew", pairs->n, GROUP));
  PL_TRY(fill_ghosts(device, module, pairs));
  PL_TRY(read_state(device, on, state));
  *left = state[STATE_BAD];
  return PL_SUCCESS;
}

/* ---- building ---- */

typedef struct grid {
  int bins[3], nbins;
  double reach, low_scale[6], box[9];
} grid;

/* Bins at least as long as the reach, not many more than there are points. */
static void choose_grid(const pl_pairs *pairs, grid *g)
{
  const pl_domain *domain = pairs->domain;
  double size = g->reach;
  *g = (grid){.reach = g->reach};
  for (int a = 0; a < pairs->dim; a++) {
    g->box[a] = domain->low[a];
    g->box[3 + a] = domain->high[a];
    g->box[6 + a] = domain->periodic[a];
  }
  for (double total = INFINITY; total > 4.0 * pairs->n + 64; size *= 1.5) {
    total = 1;
    for (int a = 0; a < 3; a++) {
      double over = a < pairs->dim && domain->periodic[a] ? g->reach : 0;
      double extent = a < pairs->dim ? domain->high[a] - domain->low[a] + 2 * over : 1;
      double bins = a < pairs->dim ? fmax(1, floor(extent / size)) : 1;
      g->bins[a] = (int)fmin(bins, 1e6);
      g->low_scale[a] = a < pairs->dim ? domain->low[a] - over : 0;
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
  return device->driver->upload(device, on->cutoff, real ? (void *)&cutoff2 : (void *)&single,
                                real ? sizeof cutoff2 : sizeof single);
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

static pl_err wrap(pl_device *device, pl_module *module, pl_pairs *pairs)
{
  pl_pairs_device *on = pairs->device;
  int size = dat_size(pairs->position);
  launch l = {.device = device};
  PL_TRY(device->driver->zero(device, on->state.at, STATES * sizeof(int)));
  add_positions(&l, pairs, &size);
  BUFFER(on->box.at), BUFFER(pairs->position->device), BUFFER(on->record), BUFFER(on->owner),
    BUFFER(on->state.at);
  return go(&l, module, "pl_wrap", pairs->n, GROUP);
}

static pl_err make_images(pl_device *device, pl_module *module, pl_pairs *pairs, const grid *g, int room)
{
  pl_pairs_device *on = pairs->device;
  void *total = (char *)on->ghosts.at;
  launch l = {.device = device};
  PL_TRY(device->driver->zero(device, total, sizeof(int)));
  INT(pairs->n), INT(room), REAL(g->reach), BUFFER(on->box.at), BUFFER(on->record), BUFFER(on->owner),
    BUFFER(on->images.at), BUFFER(total);
  return go(&l, module, "pl_images", pairs->n, GROUP);
}

/* Particles wrapped, and their ghosts; again with more room if they are more than last time. */
static pl_err make_points(pl_device *device, pl_module *module, pl_pairs *pairs, const grid *g,
                          int state[STATES])
{
  pl_pairs_device *on = pairs->device;
  int room = on->room > pairs->n ? on->room : pairs->n + pairs->n / 4 + 256, ghosts;
  PL_TRY(room_for(device, &on->ghosts, sizeof(int)));
  for (;;) {
    PL_TRY(make_record_room(device, pairs, room));
    PL_TRY(wrap(device, module, pairs));
    PL_TRY(make_images(device, module, pairs, g, room));
    PL_TRY(read_state(device, on, state));
    PL_TRY(device->driver->download(device, &ghosts, on->ghosts.at, sizeof ghosts));
    if (state[STATE_BAD]) return PL_SUCCESS;
    on->room = room;
    if (pairs->n + ghosts <= room) break;
    room = pairs->n + ghosts + ghosts / 8;
  }
  pairs->nrecords = pairs->n + ghosts;
  launch l = {.device = device};
  INT(pairs->nrecords), INT(pairs->lanes), BUFFER(on->owner), BUFFER(on->record);
  PL_TRY(go(&l, module, "pl_far", pairs->lanes, GROUP));
  return fill_ghosts(device, module, pairs);
}

static pl_err fill_bins(pl_device *device, pl_module *module, pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  size_t n = (size_t)pairs->nrecords, bins = (size_t)g->nbins;
  PL_TRY(room_for(device, &on->bin, n * sizeof(int)));
  PL_TRY(room_for(device, &on->id, n * sizeof(int)));
  PL_TRY(room_for(device, &on->sorted, n * (size_t)pairs->width * pl_type_size(pairs->position->type)));
  PL_TRY(room_for(device, &on->start, bins * sizeof(int)));
  PL_TRY(room_for(device, &on->filled, bins * sizeof(int)));
  PL_TRY(device->driver->zero(device, on->filled.at, bins * sizeof(int)));
  PL_TRY(device->driver->zero(device, on->ghosts.at, sizeof(int)));
  launch l = {.device = device};
  INT(pairs->nrecords), INT(g->bins[0]), INT(g->bins[1]), INT(g->bins[2]), BUFFER(on->grid.at),
    BUFFER(on->record), BUFFER(on->bin.at), BUFFER(on->filled.at);
  PL_TRY(go(&l, module, "pl_bin", pairs->nrecords, GROUP));
  l.n = 0;
  INT(g->nbins), BUFFER(on->filled.at), BUFFER(on->start.at), BUFFER(on->ghosts.at);
  PL_TRY(go(&l, module, "pl_begin", g->nbins, GROUP));
  l.n = 0;
  INT(pairs->nrecords), BUFFER(on->bin.at), BUFFER(on->filled.at), BUFFER(on->id.at);
  PL_TRY(go(&l, module, "pl_fill", pairs->nrecords, GROUP));
  l.n = 0;
  INT(g->nbins), INT(pairs->n), BUFFER(on->start.at), BUFFER(on->filled.at), BUFFER(on->owner),
    BUFFER(on->images.at), BUFFER(on->record), BUFFER(on->id.at), BUFFER(on->sorted.at);
  return go(&l, module, "pl_arrange", g->nbins, GROUP);
}

/* Rows, again with more room if one is longer than any was before. */
static pl_err make_rows(pl_device *device, pl_module *module, pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  int slices = (pairs->n + PL_PAIR_SLICE - 1) / PL_PAIR_SLICE, state[STATES];
  double reach2 = g->reach * g->reach;
  if (!on->longest) on->longest = 32;
  for (;;) {
    PL_TRY(
      room_for(device, &on->entries, (size_t)slices * PL_PAIR_SLICE * (size_t)on->longest * sizeof(int)));
    PL_TRY(room_for(device, &on->rows, 2 * (size_t)slices * sizeof(int64_t)));
    PL_TRY(device->driver->zero(device, on->state.at, STATES * sizeof(int)));
    launch l = {.device = device};
    INT(pairs->n), INT(g->bins[0]), INT(g->bins[1]), INT(g->bins[2]), INT(on->longest), INT(pairs->nrecords),
      REAL(reach2), BUFFER(on->grid.at), BUFFER(on->record), BUFFER(on->start.at), BUFFER(on->filled.at),
      BUFFER(on->id.at), BUFFER(on->sorted.at), BUFFER(on->rows.at), BUFFER(on->entries.at),
      BUFFER(on->state.at);
    PL_TRY(go(&l, module, "pl_rows", (int64_t)slices * PL_PAIR_SLICE, PL_PAIR_SLICE));
    PL_TRY(read_state(device, on, state));
    if (state[STATE_LONGEST] <= on->longest) break;
    on->longest =
      (state[STATE_LONGEST] + state[STATE_LONGEST] / 8 + PL_PAIR_TEAM) / PL_PAIR_TEAM * PL_PAIR_TEAM;
  }
  on->row = on->rows.at;
  on->entry = on->entries.at;
  return PL_SUCCESS;
}

static pl_err settle(pl_device *device, pl_module *module, pl_pairs *pairs, int moved)
{
  pl_pairs_device *on = pairs->device;
  int size = dat_size(pairs->position);
  launch l = {.device = device};
  add_positions(&l, pairs, &size);
  INT(moved), BUFFER(on->record), BUFFER(pairs->position->device), BUFFER(on->anchor.at);
  PL_TRY(go(&l, module, "pl_settle", pairs->n, GROUP));
  if (!moved) return PL_SUCCESS;
  pl_dat_device_written(pairs->position);
  pairs->position->version++;
  return PL_SUCCESS;
}

/* *done: false if a particle is where none can be, which the host finds and names. */
static pl_err build(pl_device *device, pl_module *module, pl_map *map, bool *done)
{
  pl_pairs *pairs = map->pairs;
  int state[STATES], n = map->from->part[1];
  double rounding = pairs->position->type == PL_DOUBLE ? 1e-12 : 1e-5;
  grid g = {.reach = (pairs->cutoff + pairs->skin) * (1 + rounding)};
  pairs->built = false;
  pairs->n = n;
  choose_grid(pairs, &g);
  PL_TRY(send_numbers(device, pairs, &g));
  PL_TRY(room_for(device, &pairs->device->anchor, (size_t)n * pl_dat_stride(pairs->position)));
  PL_TRY(make_points(device, module, pairs, &g, state));
  *done = !state[STATE_BAD];
  if (!*done) return PL_SUCCESS;
  PL_TRY(fill_bins(device, module, pairs, &g));
  PL_TRY(make_rows(device, module, pairs, &g));
  PL_TRY(settle(device, module, pairs, state[STATE_MOVED]));
  memcpy(pairs->low, pairs->domain->low, sizeof pairs->low);
  memcpy(pairs->high, pairs->domain->high, sizeof pairs->high);
  pairs->built = true;
  pairs->builds++;
  return PL_SUCCESS;
}

pl_err pl_device_pairs_renew(pl_context *pl, pl_map *map, bool same, bool *done)
{
  pl_device *device = pl_device_of(pl);
  pl_pairs *pairs = map->pairs;
  pl_module *module;
  bool left = false;
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
  if (same) PL_TRY(renew(device, module, pairs, &left));
  *done = same && !left;
  if (!*done) PL_TRY(build(device, module, map, done));
  if (*done)
    pairs->version = pairs->position->version;
  else
    pl_device_pairs_clear(device, pairs->device);
  return PL_SUCCESS;
}
