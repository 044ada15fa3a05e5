/* SPDX-License-Identifier: BSD-2-Clause
 * Data on the device. Invariant: a dat's buffer is in the layout that pl_dat says; staging and flat buffers
 * are in host order. Conversion happens on the device.
 */
#include "device_data.h"
#include "device_module.h"
#include "device_queue.h"
#include "codegen/target/place.h"
#include "codegen/target/prelude.h"
#include "core/storage/layout.h"
#include "core/tools/tools.h"
#include "core/data/objects.h"
#include <string.h>

static const size_t MOST_FILLED = (size_t)1 << 31;

pl_device *pl_device_of(pl_context *pl)
{
  return pl->backend_state;
}

/* ---- layouts ---- */

/* Loops over pairs visit particles in the order of the list's records. */
static bool is_of_paired_particles(const pl_dat *dat)
{
  PL_EACH (const pl_map, map, dat->node.pl->maps)
    if (map->pair_map && map->from == dat->set) return true;
  return false;
}

/* Array of structures for records of 8 to 64 bytes that are whole vectors of two values, or of particles in
 * pairs: indirect access then costs one or two memory sectors. Structure of arrays for others; large complex
 * records keep their pairs, in tiles as wide as a warp (apps/colour_matrix measures both). */
static pl_layout automatic_layout(const pl_dat *dat)
{
  size_t value = pl_type_size(pl_type_base(dat->type)), bytes = pl_dat_stride(dat);
  bool together = value >= 4 && bytes <= 64 && (bytes % (2 * value) == 0 || is_of_paired_particles(dat));
  if (together) return (pl_layout){PL_AOS, 1};
  return pl_type_is_complex(dat->type) ? (pl_layout){32, 2} : (pl_layout){PL_SOA, 1};
}

void pl_device_choose_layout(pl_dat *dat)
{
  const char *asked = pl_opt(dat->node.pl, PL_OPT_LAYOUT);
  pl_layout layout;
  if (dat->storage.device || dat->pinned) return;
  if (!pl_layout_parse(asked, &layout)) layout = automatic_layout(dat);
  if (pl_dat_record(dat) <= 1) layout = (pl_layout){PL_AOS, 1};
  if (pl_dat_record(dat) % layout.pack) layout.pack = 1;
  if (pl_type_is_complex(dat->type) && layout.tile != PL_AOS && layout.pack == 1)
    layout.pack = 2; /* pairs, for rows */
  dat->storage.layout = layout;
}

static size_t base_size(const pl_dat *dat)
{
  return pl_type_size(pl_type_base(dat->type));
}

static size_t device_bytes(const pl_dat *dat)
{
  return pl_layout_values(dat, dat->storage.room) * base_size(dat);
}

extern const char pl_template_dat_layout_device[]; /* codegen/templates/device/dat_layout.device.inc */

static pl_err data_kernel(pl_device *device, size_t value_size, const char *name, void **kernel)
{
  static const char *const values[] = {"", "char", "short", "", "int", "", "", "", "long"};
  pl_string text;
  pl_module *module = NULL;
  pl_string_init(&text, device->pl);
  pl_print_words(&text, device->dialect);
  pl_print_layout_macro(&text);
  pl_string_add(&text, "#define VALUE %s\n#define SIZE long\n", values[value_size]);
  pl_string_add(&text, "%s", pl_template_dat_layout_device);
  pl_err err = pl_module_get(device, "pl_data", &text, 0, &module);
  if (!err) err = pl_module_kernel(module, name, kernel);
  pl_string_free(&text);
  return err;
}

static pl_err grow_staging(pl_device *device, size_t size)
{
  PL_TRY(pl_device_synchronize(device));
  if (device->staging_size >= size) return PL_SUCCESS;
  if (device->staging) device->driver->free(device, device->staging);
  device->staging = NULL;
  device->staging_size = 0;
  PL_TRY(device->driver->alloc(device, size, &device->staging));
  device->staging_size = size;
  return PL_SUCCESS;
}

/* A kernel over n elements of a dat, with `more` arguments behind those that all kernels begin with. */
static pl_err launch_data(pl_device *device, const char *name, int n, const pl_dat *dat, int more,
                          const pl_launch_arg *args)
{
  enum { THREADS = 256, FIRST = 5, MOST = 12 };
  int dim = pl_dat_record(dat), threads = device->max_block < THREADS ? device->max_block : THREADS;
  int64_t count = (int64_t)n * dim;
  void *kernel;
  pl_launch_arg all[MOST] = {PL_LAUNCH_ARG(n), PL_LAUNCH_ARG(dim), PL_LAUNCH_ARG(dat->storage.layout.tile),
                             PL_LAUNCH_ARG(dat->storage.layout.pack), PL_LAUNCH_ARG(dat->storage.room)};
  if (count <= 0) return PL_SUCCESS;
  PL_TRY(data_kernel(device, base_size(dat), name, &kernel));
  memcpy(all + FIRST, args, (size_t)more * sizeof *args);
  return device->driver->launch(device, kernel, pl_grid_for(count, threads), FIRST + more, all);
}

static pl_err convert_elements(pl_device *device, const pl_dat *dat, int begin, int n, void **flat,
                               int to_device)
{
  const pl_launch_arg args[] = {PL_LAUNCH_ARG(begin), PL_LAUNCH_ARG(to_device), PL_LAUNCH_ARG(*flat),
                                PL_LAUNCH_ARG(dat->storage.device)};
  return launch_data(device, "pl_convert", n, dat, 4, args);
}

pl_err pl_device_flatten(pl_device *device, pl_dat *dat, void **flat)
{
  PL_TRY(device->driver->alloc(device, pl_dat_nbytes(dat), flat));
  return convert_elements(device, dat, 0, dat->set->end[3], flat, 0);
}

pl_err pl_device_unflatten(pl_device *device, pl_dat *dat, void **flat)
{
  return convert_elements(device, dat, 0, dat->set->end[3], flat, 1);
}

/* ---- records of listed elements ---- */

pl_err pl_device_move_prepare(pl_device *device, const pl_dat *dat)
{
  void **kernel = &device->move_kernel[base_size(dat)];
  return *kernel ? PL_SUCCESS : data_kernel(device, base_size(dat), "pl_listed", kernel);
}

enum { LISTS = 4, LIST_ARGS = 10 }; /* of one launch of pl_listed */

/* Up to LISTS dats whose values have one size; missing ones are empty. */
static pl_err launch_lists(pl_device *device, int n, const pl_record_list *list, int to_device)
{
  enum { THREADS = 64 }; /* small blocks find room beside those of a loop */
  const pl_dat *first = list[0].dat;
  const int threads = device->max_block < THREADS ? device->max_block : THREADS, none = 0;
  int dim[LISTS];
  int64_t place[LISTS], count = 0;
  pl_launch_arg all[1 + LISTS * LIST_ARGS] = {PL_LAUNCH_ARG(to_device)};
  for (int k = 0; k < LISTS; k++) {
    const pl_record_list *l = &list[k < n ? k : 0];
    dim[k] = pl_dat_record(l->dat);
    place[k] = (int64_t)(l->at / base_size(first));
    count += k < n ? (int64_t)l->n * dim[k] : 0;
    const pl_launch_arg args[LIST_ARGS] = {{sizeof none, k < n ? &l->n : &none},
                                           PL_LAUNCH_ARG(dim[k]),
                                           PL_LAUNCH_ARG(l->dat->storage.layout.tile),
                                           PL_LAUNCH_ARG(l->dat->storage.layout.pack),
                                           PL_LAUNCH_ARG(l->dat->storage.room),
                                           PL_LAUNCH_ARG(l->first),
                                           PL_LAUNCH_ARG(place[k]),
                                           {sizeof(void *), l->list},
                                           {sizeof(void *), l->buffer},
                                           PL_LAUNCH_ARG(l->dat->storage.device)};
    memcpy(all + 1 + k * LIST_ARGS, args, sizeof args);
  }
  if (!count) return PL_SUCCESS;
  PL_TRY(pl_device_move_prepare(device, first));
  return device->driver->launch(device, device->move_kernel[base_size(first)], pl_grid_for(count, threads),
                                1 + LISTS * LIST_ARGS, all);
}

pl_err pl_device_move_records(pl_device *device, int n, const pl_record_list *list, bool to_device)
{
  for (int i = 0, k; i < n; i += k) {
    for (k = 1; k < LISTS && i + k < n && base_size(list[i + k].dat) == base_size(list[i].dat);) k++;
    PL_TRY(launch_lists(device, k, list + i, to_device));
  }
  return PL_SUCCESS;
}

/* ---- dats ---- */

pl_err pl_device_dat_alloc(pl_context *pl, pl_dat *dat)
{
  pl_device *device = pl_device_of(pl);
  return device->driver->alloc(device, device_bytes(dat), &dat->storage.device);
}

pl_err pl_device_dat_write(pl_context *pl, pl_dat *dat, int begin, int n, const void *values)
{
  pl_device *device = pl_device_of(pl);
  size_t stride = pl_dat_stride(dat), bytes = (size_t)n * stride;
  if (dat->storage.layout.tile == PL_AOS)
    return device->driver->write(device, dat->storage.device, (size_t)begin * stride, values, bytes);
  PL_TRY(grow_staging(device, bytes));
  PL_TRY(device->driver->write(device, device->staging, 0, values, bytes));
  return convert_elements(device, dat, begin, n, &device->staging, 1);
}

pl_err pl_device_dat_read(pl_context *pl, pl_dat *dat, int begin, int n, void *values)
{
  pl_device *device = pl_device_of(pl);
  size_t stride = pl_dat_stride(dat), bytes = (size_t)n * stride;
  PL_TRY(pl_device_synchronize(device));
  if (dat->storage.layout.tile == PL_AOS)
    return device->driver->read(device, values, dat->storage.device, (size_t)begin * stride, bytes);
  PL_TRY(grow_staging(device, bytes));
  PL_TRY(convert_elements(device, dat, begin, n, &device->staging, 0));
  return device->driver->read(device, values, device->staging, 0, bytes);
}

/* Not every OpenCL driver fills 2 GiB at once: NVIDIA's hangs, or fails in the next call. */
pl_err pl_device_dat_zero(pl_context *pl, pl_dat *dat)
{
  pl_device *device = pl_device_of(pl);
  size_t bytes = device_bytes(dat);
  const int begin = 0;
  const pl_launch_arg args[] = {PL_LAUNCH_ARG(begin), PL_LAUNCH_ARG(dat->storage.device)};
  if (bytes < MOST_FILLED) return device->driver->zero(device, dat->storage.device, bytes);
  return launch_data(device, "pl_zero", (int)(bytes / pl_dat_stride(dat)), dat, 2, args);
}

pl_err pl_device_dat_zero_subset(pl_context *pl, pl_dat *dat, pl_set *subset)
{
  pl_device *device = pl_device_of(pl);
  PL_TRY(pl_device_subset(device, subset));
  const pl_launch_arg args[] = {PL_LAUNCH_ARG(subset->device), PL_LAUNCH_ARG(dat->storage.device)};
  return subset->end[3] ? launch_data(device, "pl_clear", subset->end[3], dat, 2, args) : PL_SUCCESS;
}

pl_err pl_device_dat_zero_range(pl_context *pl, pl_dat *dat, int begin, int end)
{
  const pl_launch_arg args[] = {PL_LAUNCH_ARG(begin), PL_LAUNCH_ARG(dat->storage.device)};
  return launch_data(pl_device_of(pl), "pl_zero", end - begin, dat, 2, args);
}

/* to[e] = from[order[e]] for e < n, or from[e] without an order. */
static pl_err move_values(pl_device *device, void *const *order, int n, const pl_dat *from, const pl_dat *to)
{
  int ordered = order != NULL;
  const pl_launch_arg args[] = {PL_LAUNCH_ARG(ordered),
                                PL_LAUNCH_ARG(from->storage.layout.tile),
                                PL_LAUNCH_ARG(from->storage.layout.pack),
                                PL_LAUNCH_ARG(from->storage.room),
                                {sizeof(void *), order ? order : &from->storage.device},
                                PL_LAUNCH_ARG(from->storage.device),
                                PL_LAUNCH_ARG(to->storage.device)};
  return launch_data(device, "pl_move", n, to, 7, args);
}

pl_err pl_device_gather(pl_context *pl, pl_dat *order, int n, pl_dat *from, pl_dat *to)
{
  PL_TRY(pl_dat_device(order, true));
  PL_TRY(pl_dat_device(from, true));
  PL_TRY(pl_dat_device(to, false));
  PL_TRY(move_values(pl_device_of(pl), &order->storage.device, n, from, to));
  pl_dat_device_written(to);
  return PL_SUCCESS;
}

/* Packs the elements of one list into staging, then unpacks into those of the other. */
static pl_err fill_by_lists(pl_device *device, int ndats, pl_dat *const *dats, int n, pl_record_list *move)
{
  for (int pass = 0; pass < 2; pass++) {
    size_t at = 0;
    for (int d = 0; d < ndats; d++) {
      size_t value = base_size(dats[d]);
      at = (at + value - 1) / value * value;
      move[d] = (pl_record_list){
        .dat = dats[d], .list = &device->moves[pass].at, .buffer = &device->staging, .n = n, .at = at};
      at += (size_t)n * pl_dat_stride(dats[d]);
    }
    if (!pass) PL_TRY(grow_staging(device, at));
    PL_TRY(pl_device_move_records(device, ndats, move, pass));
  }
  return PL_SUCCESS;
}

pl_err pl_device_dats_fill(pl_context *pl, int ndats, pl_dat *const *dats, int n, const int *from,
                           const int *to)
{
  pl_device *device = pl_device_of(pl);
  if (!n || !ndats) return PL_SUCCESS;
  pl_record_list *move = pl_calloc(pl, (size_t)ndats, sizeof *move);
  pl_err err = move ? PL_SUCCESS : pl_fail_memory(pl, (size_t)ndats * sizeof *move);
  for (int d = 0; d < ndats && !err; d++) err = pl_dat_device(dats[d], true);
  if (!err) err = pl_device_list(device, from, n, &device->moves[0]);
  if (!err) err = pl_device_list(device, to, n, &device->moves[1]);
  if (!err) err = fill_by_lists(device, ndats, dats, n, move);
  for (int d = 0; d < ndats && !err; d++) pl_dat_device_written(dats[d]);
  pl_free(pl, move);
  return err;
}

pl_err pl_device_dat_copy(pl_context *pl, pl_dat *from, pl_dat *to)
{
  pl_device *device = pl_device_of(pl);
  const pl_storage *a = &from->storage, *b = &to->storage;
  if (a->layout.tile == b->layout.tile && a->layout.pack == b->layout.pack && a->room == b->room)
    return device->driver->copy(device, b->device, a->device, device_bytes(from));
  return move_values(device, NULL, from->set->end[3], from, to);
}

void pl_device_buffer_free(pl_context *pl, void *buffer)
{
  pl_device *device = pl_device_of(pl);
  device->driver->free(device, buffer);
}

pl_native_device pl_device_native(pl_context *pl)
{
  pl_device *device = pl_device_of(pl);
  return device->driver->native(device);
}

/* ---- host memory ---- */

pl_err pl_device_host_alloc(pl_context *pl, size_t bytes, void **memory)
{
  pl_device *device = pl_device_of(pl);
  if (device->driver->host_alloc) return device->driver->host_alloc(device, bytes, memory);
  *memory = pl_malloc(pl, bytes);
  return *memory ? PL_SUCCESS : pl_fail_memory(pl, bytes);
}

void pl_device_host_free(pl_context *pl, void *memory)
{
  pl_device *device = pl_device_of(pl);
  if (device->driver->host_free)
    device->driver->host_free(device, memory);
  else
    pl_free(pl, memory);
}

int pl_device_shares(pl_context *pl)
{
  bool wanted = pl_opt_is(pl, PL_OPT_TRANSPORT, "auto") || pl_opt_is(pl, PL_OPT_TRANSPORT, "shared");
  return wanted ? pl_device_of(pl)->shared_memory_kind : PL_SHARES_NOTHING;
}

/* ---- maps and subsets ---- */

pl_err pl_device_copy_in(pl_device *device, const void *host, size_t size, void **buffer)
{
  pl_context *pl = device->pl;
  PL_TRY(device->driver->alloc(device, size, buffer));
  pl_err err = device->driver->write(device, *buffer, 0, host, size);
  if (err) {
    device->driver->free(device, *buffer);
    *buffer = NULL;
    return err;
  }
  pl->stats.bytes_to_device += size;
  pl->stats.calls_to_device++;
  return PL_SUCCESS;
}

pl_err pl_device_list_grow(pl_device *device, int n, pl_list_copy *copy)
{
  const size_t bytes = (size_t)n * sizeof(int), room = bytes + bytes / 8;
  if (copy->bytes >= bytes) return PL_SUCCESS;
  if (copy->at) device->driver->free(device, copy->at);
  *copy = (pl_list_copy){0};
  PL_TRY(device->driver->alloc(device, room, &copy->at));
  copy->bytes = room;
  return PL_SUCCESS;
}

pl_err pl_device_list(pl_device *device, const int *list, int n, pl_list_copy *copy)
{
  pl_context *pl = device->pl;
  const size_t bytes = (size_t)n * sizeof *list;
  PL_TRY(pl_device_list_grow(device, n, copy));
  pl->stats.bytes_to_device += bytes;
  pl->stats.calls_to_device++;
  return device->driver->write(device, copy->at, 0, list, bytes);
}

pl_err pl_device_map(pl_device *device, pl_map *map)
{
  if (map->pair_map) return PL_SUCCESS;
  if (map->offset && !map->device_offset)
    PL_TRY(pl_device_copy_in(device, map->offset, ((size_t)map->from->end[3] + 1) * sizeof(int),
                             &map->device_offset));
  if (map->device) return PL_SUCCESS;
  const size_t bytes = pl_map_entries(map) * sizeof(int);
  pl_event_begin(device->pl, PL_TOOL_UPLOAD, map->node.name, map->from->node.name, (double)bytes);
  pl_err err = pl_device_copy_in(device, map->index, bytes, &map->device);
  pl_event_end(device->pl, PL_TOOL_UPLOAD);
  return err;
}

pl_err pl_device_subset(pl_device *device, pl_set *subset)
{
  if (subset->device || !subset->indices) return PL_SUCCESS;
  return pl_device_copy_in(device, subset->indices, (size_t)subset->end[3] * sizeof(int), &subset->device);
}

pl_err pl_device_global_index(pl_device *device, pl_set *set)
{
  if (!set || set->global_device) return PL_SUCCESS;
  return pl_device_copy_in(device, set->global, (size_t)set->end[3] * sizeof *set->global,
                           &set->global_device);
}
