/* SPDX-License-Identifier: BSD-2-Clause
 * Neighbour lists built on the device (neighbour_list.device.inc). Invariant: no positions
 * cross the bus, only the state of a list: whether it is stale, and its size.
 */
#include "neighbour_list_build.h"
#include "backends/device/device_data.h"
#include "backends/device/device_module.h"
#include "backends/device/graph_replay.h"
#include "neighbour_list_data.h"
#include "codegen/algorithm/reduce_scan.h"
#include "codegen/target/place.h"
#include "codegen/target/prelude.h"
#include "core/base/clock.h"
#include "core/data/objects.h"
#include "core/exchange/halo.h"
#include "plan/particles/domain_decomposition.h"
#include "plan/particles/neighbour_list.h"
#include "plan/particles/particle_migration.h"
#include "core/context/observer.h"
#include <math.h>
#include <string.h>

enum { GROUP = PL_LIST_GROUP, REGISTERS = 64 /* 71 leave room for fewer blocks of pl_rows */ };

/* The state that the kernels keep, in front of the number of particles in each bin. */
enum { STALE, BAD, FULL, PUT_BACK, LONGEST, RECORDS, REPORTED, STATES = PL_PAIR_STATES };
enum { MOST_BINS = 1 << 29 };
enum { BINS_A_REACH = 2, CHUNK = 4 /* bins that a work item counts */ };

/* ---- launches ---- */

typedef pl_list_launch launch;

#define ARG(value) PL_LIST_ARG(&l, value)

pl_err pl_list_go(pl_list_launch *l, void *module, const char *name, int64_t items, int group)
{
  void *kernel;
  pl_grid grid = pl_grid_for(items, group);
  grid.waits = 1;
  if (!grid.blocks) return PL_SUCCESS;
  PL_TRY(pl_module_kernel(module, name, &kernel));
  return l->device->driver->launch(l->device, kernel, grid, l->n, l->arg);
}

/* Warps that search a slice's neighbours; one if they cannot synchronise on their own. */
static int searchers_of(const pl_device *device)
{
  return device->lane_dialect->warps ? 4 : 1;
}

static void print_module(pl_string *text, const pl_device *device, const pl_pairs *pairs)
{
  const pl_dialect *d = device->lane_dialect;
  bool real = pairs->position->type == PL_DOUBLE;
  const char *type = pl_type_name(pairs->position->type);
  pl_print_prelude(text, d, true);
  pl_print_device_words(text, d);
  pl_print_layout_macro(text);
  pl_string_add(text, "#define AFTER_OTHERS %s\n", d->wait ? d->wait : "");
  pl_string_add(text,
                "#define REAL %s\n#define REAL2 %s2\n#define FAR %s\n#define DIM %d\n#define WIDTH %d\n",
                type, type, real ? "1e150" : "1e18f", pairs->dim, pairs->width);
  if (device->driver->zero_copy && d->system_fence) pl_string_add(text, "#define REPORTS\n");
  if (pl_ranks(device->pl) > 1) pl_string_add(text, "#define SHARED\n");
  pl_string_add(text, "#define APART %d\n", pl_pairs_apart(pairs));
  pl_string_add(text, "#define TEAM %d\n#define ROW %d\n", PL_PAIR_TEAM, PL_PAIR_ROW);
  pl_string_add(text, "#define GROUP_MOST %d\n#define CHUNK %d\n#define STATES %d\n", GROUP, CHUNK, STATES);
  pl_string_add(text, "#define SEEKERS %d\n#define PIECES 128\n#define BATCHES 5\n#define KEPT 96\n",
                searchers_of(device));
  pl_string_add_bytes(text, pl_template_neighbour_list_device, strlen(pl_template_neighbour_list_device));
  pl_string_add(text, "#define TILES %d\n", PL_LIST_TILES);
  if (pl_ranks(device->pl) > 1)
    pl_string_add_bytes(text, pl_template_particle_owners_device, strlen(pl_template_particle_owners_device));
}

static pl_err get_module(pl_device *device, const pl_pairs *pairs, pl_module **module)
{
  pl_string text;
  pl_string_init(&text, device->pl);
  print_module(&text, device, pairs);
  pl_err err = pl_module_get(device, "pl_pairs", &text, device->limits_registers ? REGISTERS : 0, module);
  pl_string_free(&text);
  return err;
}

pl_err pl_list_grow(pl_device *device, pl_pairs_buffer *buffer, size_t bytes)
{
  if (buffer->bytes >= bytes && buffer->at) return PL_SUCCESS;
  if (buffer->at) device->driver->free(device, buffer->at);
  *buffer = (pl_pairs_buffer){0};
  bytes += bytes / 8 + 64;
  PL_TRY(device->driver->alloc(device, bytes, &buffer->at));
  buffer->bytes = bytes;
  return PL_SUCCESS;
}

/* ---- probes ---- */

int pl_list_room_of(const pl_dat *dat)
{
  return dat->storage.room ? dat->storage.room : dat->set->end[3];
}

void pl_list_positions(pl_list_launch *l, const pl_pairs *pairs, const int *n, const int *room)
{
  PL_LIST_ARG(l, *n), PL_LIST_ARG(l, pairs->position->storage.layout.tile),
    PL_LIST_ARG(l, pairs->position->storage.layout.pack), PL_LIST_ARG(l, *room);
}

/* Arguments of kernels that report the result of a probe. */
static void add_probe(launch *l, pl_pairs_device *on)
{
  on->probe_event++;
  PL_LIST_ARG(l, on->probe_event);
  pl_list_add(l, sizeof(void *), on->probe_result ? (void *const *)&on->probe_result : &on->state.at);
}

/* Memory for replies: the probe's number, then the state. A device without zero copy has it read by a queue
 * of its own, so that later work need not wait. */
static pl_err open_probe(pl_device *device, pl_pairs_device *on)
{
  const pl_driver *d = device->driver;
  size_t bytes = (1 + STATES) * sizeof *on->probe_reply;
  if (on->probe_reply) return PL_SUCCESS;
  const bool queue = !d->zero_copy || pl_ranks(device->pl) > 1; /* on ranks for lists (particle_owners.c) */
  if (queue && !on->reading) PL_TRY(d->queue_new(device, false, &on->reading));
  if (queue && !on->before) PL_TRY(d->event_new(device, false, &on->before));
  if (!d->zero_copy && !on->after) PL_TRY(d->event_new(device, false, &on->after));
  PL_TRY(pl_device_host_alloc(device->pl, bytes, (void **)&on->probe_reply));
  memset(on->probe_reply, 0, bytes);
  if (d->zero_copy) on->probe_result = on->probe_reply;
  return PL_SUCCESS;
}

static pl_err read_state(pl_device *device, pl_pairs_device *on)
{
  const pl_driver *d = device->driver;
  bool apart = !device->pl->queue;
  if (apart) {
    PL_TRY(d->event_record(device, on->before));
    d->queue_use(device, on->reading);
  }
  pl_err err = apart ? d->queue_wait(device, on->before) : PL_SUCCESS;
  if (!err) err = d->start_read(device, on->probe_reply + 1, on->state.at, 0, STATES * sizeof(int));
  if (!err) err = d->event_record(device, on->after);
  if (apart) d->queue_use(device, NULL);
  return err;
}

/* After the launch of the kernel that reports. */
static pl_err start_probe(pl_device *device, pl_pairs_device *on)
{
  if (!on->probe_result) PL_TRY(read_state(device, on));
  on->pending = true;
  device->pl->stats.bytes_from_device += REPORTED * sizeof(int);
  device->pl->stats.calls_from_device++;
  return PL_SUCCESS;
}

/* Polls for the reply; if that takes long, waits for the device, which also reports its errors. */
static pl_err poll_reply(pl_device *device, pl_pairs_device *on)
{
  enum { POLLS = 1 << 10 };
  pl_replay_flush(device);
  for (const double end = pl_now() + 0.1; pl_now() < end;)
    for (int k = 0; k < POLLS; k++)
      if (__atomic_load_n(on->probe_reply, __ATOMIC_ACQUIRE) == on->probe_event) return PL_SUCCESS;
  PL_TRY(device->driver->sync(device));
  if (__atomic_load_n(on->probe_reply, __ATOMIC_ACQUIRE) == on->probe_event) return PL_SUCCESS;
  return pl_fail(device->pl, PL_ERR_INTERNAL, "the device did not reply to a query about a neighbour list");
}

static pl_err wait_for_state(pl_device *device, pl_pairs_device *on, const int **state)
{
  on->pending = false;
  *state = on->probe_reply + 1;
  return on->probe_result ? poll_reply(device, on) : device->driver->event_wait(device, on->after);
}

/* ---- between builds ---- */

/* Arguments of pl_renew, but for its results; it updates the first `end` records. */
static void add_records(launch *l, pl_pairs *pairs, const int *end, const int *size)
{
  const pl_pairs_device *on = pairs->device;
  pl_list_positions(l, pairs, &pairs->n, size);
  PL_LIST_ARG(l, *end), PL_LIST_ARG(l, on->box.at), PL_LIST_ARG(l, on->bins.at), PL_LIST_ARG(l, on->start.at),
    PL_LIST_ARG(l, pairs->position->storage.device), PL_LIST_ARG(l, on->anchor.at),
    PL_LIST_ARG(l, on->places.at), PL_LIST_ARG(l, on->owner.at), PL_LIST_ARG(l, on->images.at),
    PL_LIST_ARG(l, on->shift.at), PL_LIST_ARG(l, on->room), PL_LIST_ARG(l, on->record.at),
    PL_LIST_ARG(l, on->state.at);
}

/* Updates the records from current positions, and marks the list as stale if a pair may be missing in it:
 * loops do nothing then. */
static pl_err update_records(pl_device *device, pl_pairs *pairs)
{
  pl_pairs_device *on = pairs->device;
  int size = pl_list_room_of(pairs->position);
  launch l = {.device = device};
  add_records(&l, pairs, &pairs->nrecords, &size);
  add_probe(&l, on);
  PL_TRY(pl_list_go(&l, on->module, "pl_renew", pairs->nrecords, GROUP));
  return start_probe(device, on);
}

/* Pairs with copies that may be new; more make the list stale. */
static int most_undecided(const pl_pairs *pairs)
{
  return pairs->n / 8 + 4096;
}

/* On ranks, the records of this rank's particles. */
static pl_err update_own(pl_device *device, pl_pairs *pairs)
{
  pl_pairs_device *on = pairs->device;
  int size = pl_list_room_of(pairs->position), turn = on->probe_event % 2, most = most_undecided(pairs);
  launch l = {.device = device};
  add_records(&l, pairs, &pairs->n, &size);
  ARG(turn), ARG(most), ARG(on->undecided.at);
  return pl_list_go(&l, on->module, "pl_renew", pairs->n, GROUP);
}

/* Then, with current copies, those of ghosts. */
static pl_err update_ghosts(pl_device *device, pl_pairs *pairs)
{
  pl_pairs_device *on = pairs->device;
  int size = pl_list_room_of(pairs->position), turn = on->probe_event % 2, most = most_undecided(pairs),
      ghosts = pairs->nrecords - pairs->n;
  launch l = {.device = device};
  pl_list_positions(&l, pairs, &pairs->n, &size);
  ARG(pairs->nrecords), ARG(on->box.at), ARG(pairs->position->storage.device), ARG(on->anchor.at),
    ARG(on->owner.at), ARG(on->images.at), ARG(on->shift.at), ARG(on->room), ARG(on->record.at),
    ARG(on->state.at), ARG(turn), ARG(most), ARG(on->undecided.at);
  add_probe(&l, on);
  PL_TRY(pl_list_go(&l, on->module, "pl_renew_ghosts", ghosts ? ghosts : 1, GROUP));
  return start_probe(device, on);
}

/* ---- building ---- */

/* The domain, the box that holds all records, and its bins. */
typedef struct grid {
  int bins[4], all;   /* all: bins of particles and bins of ghosts */
  int here;           /* particles, with copies of other ranks' */
  double reach, over; /* over: how far from the domain ghosts are */
  double box[PL_PAIR_NUMBERS];
} grid;

static double square(double length)
{
  return length * length;
}

/* The copies of other ranks' particles; NULL on one rank. */
static const pl_nearby *copies_of(const pl_map *map)
{
  return pl_ranks(map->node.pl) > 1 ? &map->from->halo->nearby : NULL;
}

/* The longest way of a particle that pl_renew searches for, at most as long as copies allow. */
static double longest_way(const pl_pairs *pairs, const pl_nearby *near)
{
  double most = (pl_pairs_kept_reach(pairs) - pairs->cutoff) / 2;
  return near ? fmin(most, (near->around - pairs->cutoff) / 2) : most;
}

/* For the rounding of positions in the box to single precision. */
static double single_margin(const pl_pairs *pairs, const grid *g)
{
  double longest = 0;
  for (int a = 0; a < pairs->dim; a++) longest = fmax(longest, g->box[12 + a] - g->box[9 + a]);
  return 1e-5 * g->reach + 2e-6 * longest;
}

/* Lengths by which pl_renew decides whether the list is stale. */
static void choose_lengths(const pl_pairs *pairs, const pl_nearby *near, grid *g)
{
  const double most = longest_way(pairs, near);
  g->over = fmax(g->reach, pairs->cutoff + 2 * most);
  g->box[18] = square(pairs->skin / 2 * (1 - 1e-6));
  g->box[19] = square(most);
  g->box[20] = square(g->reach);
  g->box[21] = square(pairs->cutoff * (1 + 1e-5));
  g->box[22] = pairs->cutoff * (1 + 1e-4) + most;
}

/* Lengths by which pl_renew leaves records out in single precision. */
static void choose_single_lengths(grid *g, double margin)
{
  g->box[23] = square(fmax(0, g->reach - margin));
  g->box[24] = square(g->box[22] + margin);
}

/* The box extends the domain on periodic sides; on several ranks, the extent of this rank's particles on all
 * sides. */
static void choose_box(const pl_pairs *pairs, const pl_nearby *near, grid *g)
{
  const pl_domain *domain = pairs->domain;
  for (int a = 0; a < pairs->dim; a++) {
    double over = near || domain->periodic[a] ? g->over : 0;
    g->box[a] = domain->low[a];
    g->box[3 + a] = domain->high[a];
    g->box[6 + a] = domain->periodic[a];
    g->box[9 + a] = (near ? near->from[a] : domain->low[a]) - over;
    g->box[12 + a] = (near ? near->to[a] : domain->high[a]) + over;
  }
}

/* Bins of at least half the reach, not many more than particles, and so few that an int counts them, for
 * particles and for ghosts; numbered in columns of 2 x 2. */
static void choose_bins(const pl_pairs *pairs, const pl_nearby *near, grid *g)
{
  const double most = fmin(16.0 * pairs->n + 4096, MOST_BINS);
  double all, size = g->reach / BINS_A_REACH;
  choose_lengths(pairs, near, g);
  choose_box(pairs, near, g);
  choose_single_lengths(g, single_margin(pairs, g));
  do {
    for (int a = 0; a < 3; a++) {
      double extent = g->box[12 + a] - g->box[9 + a];
      g->bins[a] = extent > 0 ? (int)fmin(fmax(1, floor(extent / size)), 1e6) : 1;
      g->box[15 + a] = extent > 0 ? g->bins[a] / extent : 1;
    }
    all = 4 * g->bins[0] * ceil(0.5 * g->bins[1]) * ceil(0.5 * g->bins[2]);
    size *= 1.5;
  } while (all > most);
  g->bins[3] = (int)all;
  g->all = 2 * g->bins[3];
}

/* For the particles of the map, `here` of them with copies of other ranks'. */
static grid choose_grid(pl_map *map, const pl_nearby *near, int here)
{
  grid g = {.reach = pl_pairs_reach(map->pairs), .here = here};
  map->pairs->n = map->from->end[1];
  choose_bins(map->pairs, near, &g);
  return g;
}

pl_err pl_list_send(pl_device *device, const void *values, size_t bytes, pl_pairs_buffer *buffer)
{
  PL_TRY(pl_list_grow(device, buffer, bytes));
  return device->driver->write(device, buffer->at, 0, values, bytes);
}

static pl_err send_grid(pl_device *device, const pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  if (on->cutoff.at && !memcmp(g->box, on->sent, sizeof g->box)) return PL_SUCCESS;
  on->wrapped_already = 0;
  double shift[27][PL_PAIR_AXES] = {{0}}, cutoff2 = pairs->cutoff * pairs->cutoff;
  float single = (float)cutoff2;
  pl_domain_shifts(pairs->domain, pairs->dim, shift);
  PL_TRY(pl_list_send(device, g->box, sizeof g->box, &on->box));
  PL_TRY(pl_list_send(device, g->bins, sizeof g->bins, &on->bins));
  PL_TRY(pl_list_send(device, shift, sizeof shift, &on->shift));
  bool real = pairs->position->type == PL_DOUBLE;
  PL_TRY(pl_list_send(device, real ? (void *)&cutoff2 : (void *)&single,
                      real ? sizeof cutoff2 : sizeof single, &on->cutoff));
  memcpy(on->sent, g->box, sizeof g->box);
  return PL_SUCCESS;
}

static int slices_of(const pl_pairs *pairs)
{
  return (pairs->n + PL_PAIR_SLICE - 1) / PL_PAIR_SLICE;
}

/* What pl_wrap writes; larger buffers lose what it has written. */
static pl_err grow_bins(pl_device *device, const pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  size_t wrapped = (size_t)g->here * (size_t)pairs->width * pl_type_size(pairs->position->type),
         state = (STATES + (size_t)g->all) * sizeof(int);
  if (wrapped > on->wrapped.bytes || state > on->state.bytes) on->wrapped_already = 0;
  PL_TRY(pl_list_grow(device, &on->wrapped, wrapped));
  return pl_list_grow(device, &on->state, state);
}

/* For the guessed sizes; the last record is padding, far from all others. */
static pl_err grow_list(pl_device *device, const pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  size_t records = (size_t)on->room + 1, real = pl_type_size(pairs->position->type);
  size_t slices = (size_t)slices_of(pairs), width = (size_t)pairs->width;
  PL_TRY(pl_list_grow(device, &on->anchor, records * (size_t)pairs->dim * real));
  PL_TRY(grow_bins(device, pairs, g));
  PL_TRY(pl_list_grow(device, &on->member, records * sizeof(int64_t)));
  PL_TRY(pl_list_grow(device, &on->start, ((size_t)g->all + 1) * sizeof(int)));
  PL_TRY(pl_list_grow(device, &on->total, ((size_t)g->all / (CHUNK * GROUP) + 1) * sizeof(int)));
  PL_TRY(pl_list_grow(device, &on->record, records * width * real));
  on->stride = on->room + 1;
  PL_TRY(pl_list_grow(device, &on->owner, records * sizeof(int)));
  PL_TRY(pl_list_grow(device, &on->images, records * sizeof(int)));
  PL_TRY(pl_list_grow(device, &on->places, records * 4 * sizeof(float)));
  if (pl_ranks(device->pl) > 1)
    PL_TRY(pl_list_grow(device, &on->undecided, 2 * (size_t)most_undecided(pairs) * sizeof(int)));
  PL_TRY(pl_list_grow(device, &on->entry, slices * PL_PAIR_SLICE * (size_t)on->longest * sizeof(int)));
  PL_TRY(pl_list_grow(device, &on->row, 2 * slices * sizeof(int64_t)));
  return PL_SUCCESS;
}

/* Counts particles `first` to `here` - 1 in their bins; those from 0 first. */
static pl_err wrap_particles(pl_device *device, pl_pairs *pairs, const grid *g, int first, int here)
{
  pl_pairs_device *on = pairs->device;
  int size = pl_list_room_of(pairs->position);
  launch l = {.device = device};
  if (!first) PL_TRY(device->driver->zero(device, on->state.at, (STATES + (size_t)g->all) * sizeof(int)));
  ARG(first);
  pl_list_positions(&l, pairs, &here, &size);
  ARG(pairs->n), ARG(on->box.at), ARG(on->bins.at), ARG(on->shift.at), ARG(pairs->position->storage.device),
    ARG(on->wrapped.at), ARG(on->state.at);
  return pl_list_go(&l, on->module, "pl_wrap", here - first, GROUP);
}

static pl_err fill_bins(pl_device *device, pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  int chunks = (g->all + CHUNK) / CHUNK;
  PL_TRY(wrap_particles(device, pairs, g, on->wrapped_already, g->here));
  on->wrapped_already = 0;
  launch l = {.device = device};
  ARG(g->all), ARG(on->state.at), ARG(on->total.at);
  PL_TRY(pl_list_go(&l, on->module, "pl_total", chunks, GROUP));
  l.n = 0;
  ARG(g->all), ARG(on->room), ARG(on->total.at), ARG(on->start.at), ARG(on->state.at);
  PL_TRY(pl_list_go(&l, on->module, "pl_begin", chunks, GROUP));
  l.n = 0;
  ARG(g->here), ARG(pairs->n), ARG(on->box.at), ARG(on->bins.at), ARG(on->shift.at), ARG(on->wrapped.at),
    ARG(on->member.at), ARG(on->state.at);
  return pl_list_go(&l, on->module, "pl_fill", g->here, GROUP);
}

static pl_err write_records(pl_device *device, pl_pairs *pairs)
{
  pl_pairs_device *on = pairs->device;
  int size = pl_list_room_of(pairs->position);
  launch l = {.device = device};
  pl_list_positions(&l, pairs, &pairs->n, &size);
  ARG(on->room), ARG(on->box.at), ARG(on->bins.at), ARG(on->shift.at), ARG(on->start.at), ARG(on->member.at),
    ARG(on->wrapped.at), ARG(pairs->position->storage.device), ARG(on->anchor.at), ARG(on->record.at),
    ARG(on->owner.at), ARG(on->images.at), ARG(on->places.at), ARG(on->state.at);
  return pl_list_go(&l, on->module, "pl_arrange", (int64_t)on->room + 1, GROUP);
}

static pl_err write_rows(pl_device *device, pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  float reach = (float)(g->reach + single_margin(pairs, g));
  int group = PL_PAIR_SLICE * searchers_of(device);
  launch l = {.device = device};
  ARG(pairs->n), ARG(on->longest), ARG(on->room), ARG(reach), ARG(on->box.at), ARG(on->bins.at),
    ARG(on->places.at), ARG(on->start.at), ARG(on->row.at), ARG(on->entry.at), ARG(on->state.at);
  add_probe(&l, on);
  PL_TRY(pl_list_go(&l, on->module, "pl_rows", (int64_t)slices_of(pairs) * group, group));
  return start_probe(device, on);
}

/* In the buffers there are; the state will have the sizes needed. */
static pl_err start_build(pl_device *device, const pl_map *map, const grid *g)
{
  pl_pairs *pairs = map->pairs;
  PL_TRY(grow_list(device, pairs, g));
  PL_TRY(fill_bins(device, pairs, g));
  PL_TRY(write_records(device, pairs));
  PL_TRY(write_rows(device, pairs, g));
  pl_ghosts_complete(map->from);
  pl_domain_store_box(pairs->domain, pairs->low, pairs->high);
  return PL_SUCCESS;
}

/* As many records as evenly spread particles have; the length of rows is found by trying. */
static void guess_sizes(const pl_pairs *pairs, const grid *g)
{
  pl_pairs_device *on = pairs->device;
  double more = 1;
  for (int a = 0; a < pairs->dim; a++) {
    double all = g->box[12 + a] - g->box[9 + a];
    more *= fmin(3, all / fmax(all - 2 * g->over * (g->box[6 + a] != 0), 1e-3 * all));
  }
  if (!on->longest) on->room = (int)fmin(more * 1.125 * pairs->n + 256, INT32_MAX - 1);
  if (on->room < g->here) on->room = g->here + g->here / 4 + 256;
  if (!on->longest) on->longest = 32;
}

/* False: the sizes have grown for the next try. */
static bool list_fits(pl_pairs *pairs, const int *state)
{
  pl_pairs_device *on = pairs->device;
  int records = state[RECORDS], longest = state[LONGEST];
  bool good = records <= on->room && longest <= on->longest;
  if (records > on->room) on->room = records + records / 16 + 256;
  if (longest > on->longest) on->longest = (longest + longest / 8 + PL_PAIR_ROW) / PL_PAIR_ROW * PL_PAIR_ROW;
  return good;
}

/* Positions that the device has wrapped into the domain. */
static void note_wrapped(pl_pairs *pairs, const int *state)
{
  if (!state[PUT_BACK]) return;
  pl_dat_device_written(pairs->position);
  pairs->position->version++;
  pairs->version++;
}

/* Takes the state of a build. Without *fits there is no list; invalid: a position is. */
static void take_build(pl_pairs *pairs, const int *state, bool *fits, bool *invalid)
{
  note_wrapped(pairs, state);
  *invalid = state[BAD];
  *fits = !*invalid && list_fits(pairs, state);
  pairs->built = pairs->device->fitted = *fits;
  if (*fits) pairs->nrecords = state[RECORDS];
  pairs->builds += *fits;
}

/* *done is false if a particle has an invalid position, which the host reports. A list that is likely to fit,
 * as the one before did, is used before the host knows: pl_device_pairs_confirm takes its state. */
static pl_err build_list(pl_device *device, pl_map *map, bool *done)
{
  pl_pairs *pairs = map->pairs;
  const int *state;
  bool fits = false, invalid = false;
  const grid g = choose_grid(map, copies_of(map), map->from->end[3]);
  pairs->built = false;
  guess_sizes(pairs, &g);
  PL_TRY(send_grid(device, pairs, &g));
  bool ahead = pairs->device->fitted && pl_ranks(device->pl) == 1 && pairs->loop_follows;
  pairs->device->unread = pairs->built = *done = ahead;
  if (*done) return start_build(device, map, &g);
  while (!fits && !invalid) {
    PL_TRY(start_build(device, map, &g));
    PL_TRY(wait_for_state(device, pairs->device, &state));
    take_build(pairs, state, &fits, &invalid);
  }
  *done = fits;
  return PL_SUCCESS;
}

pl_err pl_device_list_begin(pl_device *device, pl_map *map, const pl_nearby *near)
{
  pl_pairs *pairs = map->pairs;
  pl_pairs_device *on = pairs->device;
  const grid g = choose_grid(map, near, map->from->end[1]);
  on->wrapped_already = 0;
  if (!on->fitted) return PL_SUCCESS;
  PL_TRY(send_grid(device, pairs, &g));
  PL_TRY(grow_bins(device, pairs, &g));
  PL_TRY(wrap_particles(device, pairs, &g, 0, pairs->n));
  on->wrapped_already = pairs->n;
  return PL_SUCCESS;
}

/* Of a list that a loop has used already: if it did not fit, the loop did nothing. */
static pl_err confirm_build(pl_device *device, pl_map *map, const int *state, bool *rebuilt)
{
  bool fits, invalid;
  map->pairs->device->unread = false;
  take_build(map->pairs, state, &fits, &invalid);
  *rebuilt = !fits;
  return fits ? PL_SUCCESS : pl_notify_refresh_pairs(device->pl, map);
}

pl_err pl_device_pairs_confirm(pl_device *device, pl_map *map, bool *rebuilt)
{
  pl_pairs_device *on = map->pairs->device;
  const int *state;
  *rebuilt = false;
  if (!on || !on->pending || map->pairs->unconfirmed) return PL_SUCCESS;
  PL_TRY(wait_for_state(device, on, &state));
  if (on->unread) return confirm_build(device, map, state, rebuilt);
  if (!state[STALE]) return PL_SUCCESS;
  *rebuilt = true;
  map->pairs->built = false;
  return pl_notify_refresh_pairs(device->pl, map);
}

pl_err pl_device_lists_open(pl_device *device, pl_pairs *pairs)
{
  pl_module *module = NULL;
  if (!pairs->device && !(pairs->device = pl_calloc(device->pl, 1, sizeof *pairs->device)))
    return pl_fail_memory(device->pl, sizeof *pairs->device);
  pl_pairs_device *on = pairs->device;
  if (on->device_built) return PL_SUCCESS;
  pl_device_pairs_clear(device, on);
  on->device_built = true;
  PL_TRY(open_probe(device, on));
  PL_TRY(get_module(device, pairs, &module));
  on->module = module;
  return PL_SUCCESS;
}

bool pl_device_lists_can(const pl_device *device, const pl_map *map)
{
  bool checked = pl_opt_flag(device->pl, PL_OPT_CHECK); /* the host needs the list */
  return !checked && !map->pairs->all_pairs && map->pairs->domain && map->from->end[1] &&
         device->has_double && device->max_block >= GROUP;
}

pl_err pl_device_pairs_renew(pl_context *pl, pl_map *map, bool same, bool *done)
{
  pl_device *device = pl_device_of(pl);
  pl_pairs *pairs = map->pairs;
  *done = false;
  if (!pl_device_lists_can(device, map)) {
    pl_ghosts_complete(map->from);
    if (pairs->device && pairs->device->device_built) pl_device_pairs_clear(device, pairs->device);
    return PL_SUCCESS; /* the host builds the list, for example of a rank without particles */
  }
  same = same && pairs->device && pairs->device->device_built && !pairs->device->unread;
  PL_TRY(pl_device_lists_open(device, pairs));
  PL_TRY(pl_dat_device(pairs->position, true));
  pairs->device->pending = false;
  if (same) PL_TRY(update_records(device, pairs));
  *done = same;
  if (!*done) PL_TRY(build_list(device, map, done));
  if (*done)
    pairs->version = pairs->position->version;
  else
    pl_device_pairs_clear(device, pairs->device);
  return PL_SUCCESS;
}

pl_err pl_device_pairs_start_update(pl_context *pl, pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  if (!pairs->position->storage.device_valid) return PL_SUCCESS;
  PL_TRY(update_own(pl_device_of(pl), pairs));
  pairs->device->own_updated = true;
  return PL_SUCCESS;
}

pl_err pl_device_pairs_update(pl_context *pl, pl_map *map)
{
  pl_pairs *pairs = map->pairs;
  PL_TRY(pl_dat_device(pairs->position, true));
  if (!pairs->device->own_updated) PL_TRY(update_own(pl_device_of(pl), pairs));
  pairs->device->own_updated = false;
  return update_ghosts(pl_device_of(pl), pairs);
}

pl_err pl_device_pairs_stale(pl_context *pl, pl_map *map, bool *stale)
{
  const int *state;
  PL_TRY(wait_for_state(pl_device_of(pl), map->pairs->device, &state));
  *stale = state[STALE];
  return PL_SUCCESS;
}

pl_err pl_device_pairs_entries(pl_context *pl, const pl_pairs *pairs, int64_t *entries)
{
  pl_device *device = pl_device_of(pl);
  size_t slices = pairs->built ? (size_t)slices_of(pairs) : 0, bytes = 2 * slices * sizeof(int64_t);
  int64_t *row = pl_malloc(pl, bytes);
  *entries = 0;
  if (!row) return pl_fail_memory(pl, bytes);
  pl_err err = bytes ? device->driver->read(device, row, pairs->device->row.at, 0, bytes) : PL_SUCCESS;
  for (size_t s = 0; s < slices && !err; s++) *entries += row[2 * s + 1] - row[2 * s];
  pl->stats.bytes_from_device += bytes;
  pl->stats.calls_from_device += slices > 0;
  pl_free(pl, row);
  return err;
}
