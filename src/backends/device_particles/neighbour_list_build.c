/* SPDX-License-Identifier: BSD-2-Clause
 * Neighbour lists built on the device (neighbour_list.device.inc). Invariant: no positions
 * cross the bus, only the state of a list: whether it is stale, and its size.
 */
#include "neighbour_list_build.h"
#include "backends/device/device_data.h"
#include "backends/device/device_module.h"
#include "neighbour_list_bins.h"
#include "neighbour_list_data.h"
#include "neighbour_list_probe.h"
#include "neighbour_list_update.h"
#include "codegen/algorithm/reduce_scan.h"
#include "codegen/target/place.h"
#include "codegen/target/prelude.h"
#include "core/data/objects.h"
#include "core/exchange/halo.h"
#include "plan/particles/domain_decomposition.h"
#include "plan/particles/neighbour_list.h"
#include "plan/particles/particle_migration.h"
#include "core/context/observer.h"
#include <math.h>
#include <string.h>

enum {
  GROUP = PL_LIST_GROUP,
  REGISTERS = 64, /* 71 leave room for fewer blocks of pl_rows */
  CHUNK = 4       /* bins that a work item counts */
};

/* ---- kernels ---- */

typedef pl_list_launch launch;

#define ARG(value) PL_LIST_ARG(&l, value)

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
  pl_string_add(text, "#define GROUP_MOST %d\n#define CHUNK %d\n#define STATES %d\n", GROUP, CHUNK,
                PL_PAIR_STATES);
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

/* ---- building ---- */

/* The copies of other ranks' particles; NULL on one rank. */
static const pl_nearby *copies_of(const pl_map *map)
{
  return pl_ranks(map->node.pl) > 1 ? &map->from->halo->nearby : NULL;
}

static pl_err send_bins(pl_device *device, const pl_pairs *pairs, const pl_list_bins *b)
{
  pl_pairs_device *on = pairs->device;
  if (on->cutoff.at && !memcmp(b->box, on->sent, sizeof b->box)) return PL_SUCCESS;
  on->wrapped_already = 0;
  double shift[27][PL_PAIR_AXES] = {{0}}, cutoff2 = pairs->cutoff * pairs->cutoff;
  float single = (float)cutoff2;
  pl_domain_shifts(pairs->domain, pairs->dim, shift);
  PL_TRY(pl_list_send(device, b->box, sizeof b->box, &on->box));
  PL_TRY(pl_list_send(device, b->bins, sizeof b->bins, &on->bins));
  PL_TRY(pl_list_send(device, shift, sizeof shift, &on->shift));
  bool real = pairs->position->type == PL_DOUBLE;
  PL_TRY(pl_list_send(device, real ? (void *)&cutoff2 : (void *)&single,
                      real ? sizeof cutoff2 : sizeof single, &on->cutoff));
  memcpy(on->sent, b->box, sizeof b->box);
  return PL_SUCCESS;
}

static int slices_of(const pl_pairs *pairs)
{
  return (pairs->n + PL_PAIR_SLICE - 1) / PL_PAIR_SLICE;
}

/* The buffers that pl_wrap fills; larger ones lose their values. */
static pl_err grow_bins(pl_device *device, const pl_pairs *pairs, const pl_list_bins *b)
{
  pl_pairs_device *on = pairs->device;
  size_t wrapped = (size_t)b->here * (size_t)pairs->width * pl_type_size(pairs->position->type),
         state = (PL_PAIR_STATES + (size_t)b->all) * sizeof(int);
  if (wrapped > on->wrapped.bytes || state > on->state.bytes) on->wrapped_already = 0;
  PL_TRY(pl_list_grow(device, &on->wrapped, wrapped));
  return pl_list_grow(device, &on->state, state);
}

/* For the guessed sizes; the last record is padding, far from all others. */
static pl_err grow_list(pl_device *device, const pl_pairs *pairs, const pl_list_bins *b)
{
  pl_pairs_device *on = pairs->device;
  size_t records = (size_t)on->room + 1, real = pl_type_size(pairs->position->type);
  size_t slices = (size_t)slices_of(pairs), width = (size_t)pairs->width;
  PL_TRY(pl_list_grow(device, &on->anchor, records * (size_t)pairs->dim * real));
  PL_TRY(grow_bins(device, pairs, b));
  PL_TRY(pl_list_grow(device, &on->member, records * sizeof(int64_t)));
  PL_TRY(pl_list_grow(device, &on->start, ((size_t)b->all + 1) * sizeof(int)));
  PL_TRY(pl_list_grow(device, &on->total, ((size_t)b->all / (CHUNK * GROUP) + 1) * sizeof(int)));
  PL_TRY(pl_list_grow(device, &on->record, records * width * real));
  on->stride = on->room + 1;
  PL_TRY(pl_list_grow(device, &on->owner, records * sizeof(int)));
  PL_TRY(pl_list_grow(device, &on->images, records * sizeof(int)));
  PL_TRY(pl_list_grow(device, &on->places, records * 4 * sizeof(float)));
  if (pl_ranks(device->pl) > 1)
    PL_TRY(pl_list_grow(device, &on->undecided, 2 * (size_t)pl_list_most_undecided(pairs) * sizeof(int)));
  PL_TRY(pl_list_grow(device, &on->entry, slices * PL_PAIR_SLICE * (size_t)on->longest * sizeof(int)));
  PL_TRY(pl_list_grow(device, &on->row, 2 * slices * sizeof(int64_t)));
  return PL_SUCCESS;
}

/* Counts particles `first` to `here` - 1 in their bins; those from 0 first. */
static pl_err wrap_particles(pl_device *device, pl_pairs *pairs, const pl_list_bins *b, int first, int here)
{
  pl_pairs_device *on = pairs->device;
  int size = pl_list_room_of(pairs->position);
  launch l = {.device = device};
  if (!first)
    PL_TRY(device->driver->zero(device, on->state.at, (PL_PAIR_STATES + (size_t)b->all) * sizeof(int)));
  ARG(first);
  pl_list_positions(&l, pairs, &here, &size);
  ARG(pairs->n), ARG(on->box.at), ARG(on->bins.at), ARG(on->shift.at), ARG(pairs->position->storage.device),
    ARG(on->wrapped.at), ARG(on->state.at);
  return pl_list_go(&l, on->module, "pl_wrap", here - first, GROUP);
}

static pl_err fill_bins(pl_device *device, pl_pairs *pairs, const pl_list_bins *b)
{
  pl_pairs_device *on = pairs->device;
  int chunks = (b->all + CHUNK) / CHUNK;
  PL_TRY(wrap_particles(device, pairs, b, on->wrapped_already, b->here));
  on->wrapped_already = 0;
  launch l = {.device = device};
  ARG(b->all), ARG(on->state.at), ARG(on->total.at);
  PL_TRY(pl_list_go(&l, on->module, "pl_total", chunks, GROUP));
  l.n = 0;
  ARG(b->all), ARG(on->room), ARG(on->total.at), ARG(on->start.at), ARG(on->state.at);
  PL_TRY(pl_list_go(&l, on->module, "pl_begin", chunks, GROUP));
  l.n = 0;
  ARG(b->here), ARG(pairs->n), ARG(on->box.at), ARG(on->bins.at), ARG(on->shift.at), ARG(on->wrapped.at),
    ARG(on->member.at), ARG(on->state.at);
  return pl_list_go(&l, on->module, "pl_fill", b->here, GROUP);
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

static pl_err write_rows(pl_device *device, pl_pairs *pairs, const pl_list_bins *b)
{
  pl_pairs_device *on = pairs->device;
  float reach = (float)(b->reach + pl_list_single_margin(pairs, b));
  int group = PL_PAIR_SLICE * searchers_of(device);
  launch l = {.device = device};
  ARG(pairs->n), ARG(on->longest), ARG(on->room), ARG(reach), ARG(on->box.at), ARG(on->bins.at),
    ARG(on->places.at), ARG(on->start.at), ARG(on->row.at), ARG(on->entry.at), ARG(on->state.at);
  pl_list_probe_add(&l, on);
  PL_TRY(pl_list_go(&l, on->module, "pl_rows", (int64_t)slices_of(pairs) * group, group));
  return pl_list_probe_start(device, on);
}

/* In the buffers there are; the state will have the sizes needed. */
static pl_err start_build(pl_device *device, const pl_map *map, const pl_list_bins *b)
{
  pl_pairs *pairs = map->pairs;
  PL_TRY(grow_list(device, pairs, b));
  PL_TRY(fill_bins(device, pairs, b));
  PL_TRY(write_records(device, pairs));
  PL_TRY(write_rows(device, pairs, b));
  pl_ghosts_complete(map->from);
  pl_domain_store_box(pairs->domain, pairs->low, pairs->high);
  return PL_SUCCESS;
}

/* As many records as evenly spread particles have; the length of rows is found by trying. */
static void guess_sizes(const pl_pairs *pairs, const pl_list_bins *b)
{
  pl_pairs_device *on = pairs->device;
  double more = 1;
  for (int a = 0; a < pairs->dim; a++) {
    double all = b->box[12 + a] - b->box[9 + a];
    more *= fmin(3, all / fmax(all - 2 * b->over * (b->box[6 + a] != 0), 1e-3 * all));
  }
  if (!on->longest) on->room = (int)fmin(more * 1.125 * pairs->n + 256, INT32_MAX - 1);
  if (on->room < b->here) on->room = b->here + b->here / 4 + 256;
  if (!on->longest) on->longest = 32;
}

/* False: the sizes have grown for the next try. */
static bool list_fits(pl_pairs *pairs, const int *state)
{
  pl_pairs_device *on = pairs->device;
  int records = state[PL_LIST_RECORDS], longest = state[PL_LIST_LONGEST];
  bool good = records <= on->room && longest <= on->longest;
  if (records > on->room) on->room = records + records / 16 + 256;
  if (longest > on->longest) on->longest = (longest + longest / 8 + PL_PAIR_ROW) / PL_PAIR_ROW * PL_PAIR_ROW;
  return good;
}

/* Positions that the device has wrapped into the domain. */
static void note_wrapped(pl_pairs *pairs, const int *state)
{
  if (!state[PL_LIST_PUT_BACK]) return;
  pl_dat_device_written(pairs->position);
  pairs->position->version++;
  pairs->version++;
}

/* Takes the state of a build. Without *fits there is no list; invalid: a position is. */
static void take_build(pl_pairs *pairs, const int *state, bool *fits, bool *invalid)
{
  note_wrapped(pairs, state);
  *invalid = state[PL_LIST_BAD];
  *fits = !*invalid && list_fits(pairs, state);
  pairs->built = pairs->device->fitted = *fits;
  if (*fits) pairs->nrecords = state[PL_LIST_RECORDS];
  pairs->builds += *fits;
}

/* *done is false if a particle has an invalid position, which the host reports. A list that is likely to fit,
 * as the one before did, is used before the host knows: pl_device_pairs_confirm takes its state. */
static pl_err build_list(pl_device *device, pl_map *map, bool *done)
{
  pl_pairs *pairs = map->pairs;
  const int *state;
  bool fits = false, invalid = false;
  const pl_list_bins b = pl_list_bins_choose(map, copies_of(map), map->from->end[3]);
  pairs->built = false;
  guess_sizes(pairs, &b);
  PL_TRY(send_bins(device, pairs, &b));
  bool ahead = pairs->device->fitted && pl_ranks(device->pl) == 1 && pairs->loop_follows;
  pairs->device->unread = pairs->built = *done = ahead;
  if (*done) return start_build(device, map, &b);
  while (!fits && !invalid) {
    PL_TRY(start_build(device, map, &b));
    PL_TRY(pl_list_probe_wait(device, pairs->device, &state));
    take_build(pairs, state, &fits, &invalid);
  }
  *done = fits;
  return PL_SUCCESS;
}

pl_err pl_device_list_begin(pl_device *device, pl_map *map, const pl_nearby *near)
{
  pl_pairs *pairs = map->pairs;
  pl_pairs_device *on = pairs->device;
  const pl_list_bins b = pl_list_bins_choose(map, near, map->from->end[1]);
  on->wrapped_already = 0;
  if (!on->fitted) return PL_SUCCESS;
  PL_TRY(send_bins(device, pairs, &b));
  PL_TRY(grow_bins(device, pairs, &b));
  PL_TRY(wrap_particles(device, pairs, &b, 0, pairs->n));
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
  PL_TRY(pl_list_probe_wait(device, on, &state));
  if (on->unread) return confirm_build(device, map, state, rebuilt);
  if (!state[PL_LIST_STALE]) return PL_SUCCESS;
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
  PL_TRY(pl_list_probe_open(device, on));
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
  if (same) PL_TRY(pl_list_update(device, pairs));
  *done = same;
  if (!*done) PL_TRY(build_list(device, map, done));
  if (*done)
    pairs->version = pairs->position->version;
  else
    pl_device_pairs_clear(device, pairs->device);
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
