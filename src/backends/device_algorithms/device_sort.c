/* SPDX-License-Identifier: BSD-2-Clause
 * Radix sort (radix_sort.device.inc) and selection on a device. Invariant: passes read pair 0 of keys and
 * elements and write pair 1; both are stable.
 */
#include "device_sort.h"
#include "backends/device/device_data.h"
#include "backends/device/device_module.h"
#include "device_scan.h"
#include "codegen/algorithm/reduce_scan.h"
#include "codegen/target/prelude.h"
#include "core/arrays/reduce_scan.h"
#include "core/data/objects.h"
#include <string.h>

enum {
  VALUES = 256,
  DIGIT = 8,
  COUNTERS = 1024,        /* groups that count the values of all digits */
  FIRST = 16,             /* of a pass's reports, behind the number of tiles drawn */
  MOST_REPORTED = 1 << 29 /* elements; twice as many fit a report */
};

/* ---- selecting ---- */

/* A sum of `item`s over the elements, with an output or NULL. */
#define SUM_TEXT(name, item, parameters, input, output)                                                      \
  {                                                                                                          \
    name, item, "0", "a + b", parameters, input, NULL, output, "plait", 1, 8, NULL, 0                        \
  }

/* For each type of flag: the scan that numbers the selected elements, and the sum alone. */
#define FLAG_TEXTS(T)                                                                                        \
  {                                                                                                          \
    SUM_TEXT("pl_select", "int", "(const " T " *flag, int *order)", "flag[i] != 0",                          \
             "{ if (item != prev_item) order[prev_item] = i; }"),                                            \
      SUM_TEXT("pl_select", "int", "(const " T " *flag)", "flag[i] != 0", NULL)                              \
  }

static const pl_algorithm *flag_text(pl_type type, bool ordered)
{
  static const pl_algorithm texts[][2] = {
    [PL_INT8] = FLAG_TEXTS("int8_t"),   [PL_UINT8] = FLAG_TEXTS("uint8_t"),
    [PL_INT16] = FLAG_TEXTS("int16_t"), [PL_UINT16] = FLAG_TEXTS("uint16_t"),
    [PL_INT32] = FLAG_TEXTS("int32_t"), [PL_UINT32] = FLAG_TEXTS("uint32_t"),
    [PL_INT64] = FLAG_TEXTS("int64_t"), [PL_UINT64] = FLAG_TEXTS("uint64_t")};
  return &texts[type][ordered ? 0 : 1];
}

pl_err pl_device_select(pl_context *pl, pl_dat *flag, pl_dat *order, int64_t *count)
{
  const pl_arg args[] = {pl_arg_direct(flag, PL_READ), pl_arg_direct(order ? order : flag, PL_RW)};
  const pl_scan_call call = {
    flag_text(flag->type, order != NULL), flag->set, NULL, order ? 2 : 1, args, true};
  int kept;
  PL_TRY(pl_device_scan_items(pl, &call, &kept));
  pl->stats.bytes_from_device += sizeof kept;
  pl->stats.calls_from_device++;
  *count = kept;
  return PL_SUCCESS;
}

/* ---- sorting ---- */

/* Warps of a group, elements and registers of a work item (0: no limit), so that two groups fit a unit. */
typedef struct tile_shape {
  int warps, each, registers;
} tile_shape;

static tile_shape shape_of_tile(const pl_dialect *dialect, int size)
{
  if (dialect->warps) return size == 8 ? (tile_shape){12, 14, 80} : (tile_shape){16, 14, 64};
  return (tile_shape){1, size == 8 ? 8 : 16, 0};
}

typedef struct sorting {
  pl_device *device;
  void **kernel; /* COUNT, BASES, SCATTER */
  bool reports;  /* tiles report their counts to each other */
  int size;      /* of a key: 1, 2, 4 or 8 bytes */
  int n, tiles, group, kind;
  tile_shape tile;
  uint64_t mask, mask_of_key;  /* the latter begins with a mask of the keys' type */
  void *keys[2], *elements[2]; /* buffers: of a pass; */
  void *counts; /* of values; a pass's destinations begin at `places`, its reports at `drawn` */
  int places, drawn;
} sorting;

enum { COUNT, BASES, SCATTER, KERNELS };

static pl_err compile_sort(const sorting *s, pl_module **module)
{
  static const char *const words[] = {
    [1] = "unsigned char", [2] = "unsigned short", [4] = "unsigned", [8] = "unsigned long"};
  pl_device *device = s->device;
  pl_string text;
  pl_string_init(&text, device->pl);
  pl_print_device_words(&text, device->lane_dialect);
  pl_string_add(&text, "%s#define KEY %s\n#define SORT_WARPS %d\n#define SORT_EACH %d\n",
                s->reports ? "#define REPORTS\n" : "", words[s->size], s->tile.warps, s->tile.each);
  pl_string_add_bytes(&text, pl_template_radix_sort_device, strlen(pl_template_radix_sort_device));
  const int registers = device->limits_registers ? s->tile.registers : 0;
  pl_err err = pl_module_get(device, "pl_sort", &text, registers, module);
  pl_string_free(&text);
  return err;
}

static pl_err build_sort(sorting *s)
{
  static const char *const names[] = {"pl_count", "pl_bases", "pl_scatter"};
  pl_module *module;
  if (s->kernel[SCATTER]) return PL_SUCCESS;
  PL_TRY(compile_sort(s, &module));
  for (int k = 0; k < KERNELS; k++)
    if (k != BASES || s->reports) PL_TRY(pl_module_kernel(module, names[k], &s->kernel[k]));
  return PL_SUCCESS;
}

static pl_launch_arg mask_of(const sorting *s)
{
  return (pl_launch_arg){(size_t)s->size, &s->mask_of_key};
}

static void set_mask(sorting *s)
{
  const uint8_t tiny = (uint8_t)s->mask;
  const uint16_t small = (uint16_t)s->mask;
  const uint32_t narrow = (uint32_t)s->mask;
  const void *const masks[] = {[1] = &tiny, [2] = &small, [4] = &narrow, [8] = &s->mask};
  memcpy(&s->mask_of_key, masks[s->size], (size_t)s->size);
}

/* ---- where tiles' first elements go: by a scan of their counts ---- */

/* An exclusive scan, over a set and a dat that stand for the buffer. */
static pl_err scan_counts(sorting *s)
{
  static const pl_algorithm text =
    SUM_TEXT("pl_places", "uint32_t", "(uint32_t *counts)", "counts[i]", "{ counts[i] = prev_item; }");
  pl_context *pl = s->device->pl;
  int n = s->tiles * VALUES;
  pl_set set = {.node = {.pl = pl, .name = "counts"}, .end = {n, n, n, n}};
  pl_dat dat = pl_dat_unlisted(&set, set.node.name, 1, PL_UINT32);
  dat.storage.device = s->counts;
  dat.storage.device_valid = true;
  const pl_arg arg = pl_arg_direct(&dat, PL_RW);
  const pl_scan_call call = {&text, &set, NULL, 1, &arg, true};
  return pl_device_scan_run(pl, &call);
}

/* The values of the digit in each tile, and from them the destinations. */
static pl_err count_digit(sorting *s, int shift, int kind)
{
  const pl_launch_arg count[] = {
    PL_LAUNCH_ARG(s->n), PL_LAUNCH_ARG(s->tiles),   PL_LAUNCH_ARG(shift),    PL_LAUNCH_ARG(kind),
    mask_of(s),          PL_LAUNCH_ARG(s->keys[0]), PL_LAUNCH_ARG(s->counts)};
  PL_TRY(s->device->driver->launch(s->device, s->kernel[COUNT], pl_grid_of(s->tiles, s->group), 7, count));
  return scan_counts(s);
}

/* ---- ... with reports: the counts of all passes, then of each pass the tiles drawn and the reports ---- */

static size_t numbers_of_pass(const sorting *s)
{
  return FIRST + (size_t)s->tiles * VALUES;
}

static size_t numbers(const sorting *s, int passes)
{
  return s->reports ? (size_t)passes * (VALUES + numbers_of_pass(s)) : (size_t)s->tiles * VALUES;
}

static void choose_reports(sorting *s, int p, int passes)
{
  s->places = p * VALUES;
  s->drawn = passes * VALUES + p * (int)numbers_of_pass(s);
}

/* The counts of all digits' values, and the sums of those before each. */
static pl_err count_all(sorting *s, const pl_dat *keys, int passes)
{
  const pl_driver *driver = s->device->driver;
  const pl_launch_arg count[] = {PL_LAUNCH_ARG(s->n),
                                 PL_LAUNCH_ARG(passes),
                                 PL_LAUNCH_ARG(s->kind),
                                 mask_of(s),
                                 PL_LAUNCH_ARG(keys->storage.device),
                                 PL_LAUNCH_ARG(s->counts)};
  const pl_launch_arg bases[] = {PL_LAUNCH_ARG(s->counts)};
  PL_TRY(driver->zero(s->device, s->counts, numbers(s, passes) * sizeof(uint32_t)));
  PL_TRY(driver->launch(s->device, s->kernel[COUNT],
                        pl_grid_of(s->tiles < COUNTERS ? s->tiles : COUNTERS, s->group), 6, count));
  return driver->launch(s->device, s->kernel[BASES], pl_grid_of(passes, VALUES), 1, bases);
}

/* ---- passes ---- */

/* One digit: from keys[0] and elements[0] to keys[1] and elements[1]. */
static pl_err sort_digit(sorting *s, int shift, int kind, int is_first, int is_last)
{
  const pl_launch_arg scatter[] = {PL_LAUNCH_ARG(s->n),
                                   PL_LAUNCH_ARG(s->tiles),
                                   PL_LAUNCH_ARG(shift),
                                   PL_LAUNCH_ARG(kind),
                                   mask_of(s),
                                   PL_LAUNCH_ARG(is_first),
                                   PL_LAUNCH_ARG(is_last),
                                   PL_LAUNCH_ARG(s->keys[0]),
                                   PL_LAUNCH_ARG(s->elements[0]),
                                   PL_LAUNCH_ARG(s->keys[1]),
                                   PL_LAUNCH_ARG(s->elements[1]),
                                   PL_LAUNCH_ARG(s->counts),
                                   PL_LAUNCH_ARG(s->places),
                                   PL_LAUNCH_ARG(s->drawn)};
  return s->device->driver->launch(s->device, s->kernel[SCATTER], pl_grid_of(s->tiles, s->group), 14,
                                   scatter);
}

/* The first pass reads the dat's keys, the last writes the order; others alternate between two buffers. */
static void choose_buffers(sorting *s, pl_dat *keys, int p, int passes, pl_dat *order)
{
  void *const *pool = s->device->sort_buffer;
  s->keys[0] = p ? pool[(p - 1) % 2] : keys->storage.device;
  s->elements[0] = p ? pool[2 + (p - 1) % 2] : order->storage.device;
  s->keys[1] = pool[p % 2];
  s->elements[1] = p == passes - 1 ? order->storage.device : pool[2 + p % 2];
}

static pl_err run_passes(sorting *s, pl_dat *keys, int passes, pl_dat *order)
{
  for (int p = 0; p < passes; p++) {
    const int kind = p ? 0 : s->kind;
    choose_buffers(s, keys, p, passes, order);
    if (s->reports)
      choose_reports(s, p, passes);
    else
      PL_TRY(count_digit(s, p * DIGIT, kind));
    PL_TRY(sort_digit(s, p * DIGIT, kind, p == 0, p == passes - 1));
  }
  return PL_SUCCESS;
}

/* Buffers are kept: allocation would cost more than sorting a million keys. */
static pl_err grow_buffer(pl_device *device, int k, size_t bytes)
{
  if (device->sort_size[k] >= bytes) return PL_SUCCESS;
  device->driver->free(device, device->sort_buffer[k]);
  device->sort_buffer[k] = NULL;
  device->sort_size[k] = 0;
  PL_TRY(device->driver->alloc(device, bytes, &device->sort_buffer[k]));
  device->sort_size[k] = bytes;
  return PL_SUCCESS;
}

static pl_err sort_in_buffers(sorting *s, pl_dat *keys, int passes, pl_dat *order)
{
  size_t n = (size_t)s->n, key = (size_t)s->size;
  for (int k = 0; k < 4; k++) PL_TRY(grow_buffer(s->device, k, n * (k < 2 ? key : sizeof(int))));
  PL_TRY(grow_buffer(s->device, 4, numbers(s, passes) * sizeof(uint32_t)));
  s->counts = s->device->sort_buffer[4];
  if (s->reports) PL_TRY(count_all(s, keys, passes));
  return run_passes(s, keys, passes, order);
}

/* Bits of the keys from the lowest on; 0: all. */
static sorting prepare(pl_device *device, const pl_dat *keys, int bits)
{
  sorting s = {.device = device, .n = keys->set->end[1], .size = (int)pl_type_size(keys->type)};
  s.kind = !pl_type_is_integer(keys->type) ? 2 : pl_type_is_signed(keys->type) && !bits ? 1 : 0;
  s.mask = UINT64_MAX >> (64 - (bits ? bits : 8 * s.size));
  s.reports = device->lane_dialect->fence && s.n < MOST_REPORTED;
  s.kernel = device->sort_kernel[s.reports][s.size];
  s.tile = shape_of_tile(device->lane_dialect, s.size);
  s.group = 32 * s.tile.warps;
  const int tile = s.group * s.tile.each;
  s.tiles = s.n / tile + (s.n % tile > 0);
  set_mask(&s);
  return s;
}

pl_err pl_device_sort(pl_context *pl, pl_dat *keys, int bits, pl_dat *order)
{
  sorting s = prepare(pl_device_of(pl), keys, bits);
  PL_TRY(pl_dat_device(keys, true));
  PL_TRY(pl_dat_device(order, false));
  if (s.n) {
    PL_TRY(build_sort(&s));
    PL_TRY(sort_in_buffers(&s, keys, ((bits ? bits : 8 * s.size) + DIGIT - 1) / DIGIT, order));
  }
  pl_dat_device_written(order);
  return PL_SUCCESS;
}
