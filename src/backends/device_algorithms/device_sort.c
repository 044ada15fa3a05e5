/* SPDX-License-Identifier: BSD-2-Clause
 * Radix sort (radix_sort.device.inc) and selection on a device, by scans. Invariant: passes
 * read pair 0 of keys and elements and write pair 1; both are stable.
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

enum { VALUES = 256, DIGIT = 8 };

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

typedef struct sorting {
  pl_device *device;
  void *count, *scatter; /* kernels */
  int size;              /* of a key: 1, 2, 4 or 8 bytes */
  int n, tiles, group, kind;
  uint64_t mask;
  void *keys[2], *elements[2], *counts; /* buffers */
} sorting;

/* As local memory allows. */
static int elements_per_lane(int size)
{
  return size == 8 ? 8 : 16;
}

static pl_err build_sort(sorting *s)
{
  static const char *const words[] = {
    [1] = "unsigned char", [2] = "unsigned short", [4] = "unsigned", [8] = "unsigned long"};
  pl_device *device = s->device;
  pl_module *module;
  pl_string text;
  pl_string_init(&text, device->pl);
  pl_print_device_words(&text, device->dialect);
  pl_string_add(&text, "#define KEY %s\n#define SORT_EACH %d\n", words[s->size], elements_per_lane(s->size));
  pl_string_add_bytes(&text, pl_template_radix_sort_device, strlen(pl_template_radix_sort_device));
  pl_err err = pl_module_get(device, "pl_sort", &text, 0, &module);
  if (!err) err = pl_module_kernel(module, "pl_count", &s->count);
  if (!err) err = pl_module_kernel(module, "pl_scatter", &s->scatter);
  pl_string_free(&text);
  return err;
}

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

/* One digit: from keys[0] and elements[0] to keys[1] and elements[1]. */
static pl_err sort_digit(sorting *s, int shift, int is_first, int is_last)
{
  const pl_driver *driver = s->device->driver;
  int kind = is_first ? s->kind : 0;
  const uint8_t tiny = (uint8_t)s->mask;
  const uint16_t small = (uint16_t)s->mask;
  const uint32_t narrow = (uint32_t)s->mask;
  const void *const masks[] = {[1] = &tiny, [2] = &small, [4] = &narrow, [8] = &s->mask};
  const pl_launch_arg mask = {(size_t)s->size, masks[s->size]};
  const pl_launch_arg count[] = {
    PL_LAUNCH_ARG(s->n),       PL_LAUNCH_ARG(s->tiles), PL_LAUNCH_ARG(shift), PL_LAUNCH_ARG(kind), mask,
    PL_LAUNCH_ARG(s->keys[0]), PL_LAUNCH_ARG(s->counts)};
  PL_TRY(driver->launch(s->device, s->count, s->tiles, s->group, 0, 7, count));
  PL_TRY(scan_counts(s));
  const pl_launch_arg scatter[] = {PL_LAUNCH_ARG(s->n),
                                   PL_LAUNCH_ARG(s->tiles),
                                   PL_LAUNCH_ARG(shift),
                                   PL_LAUNCH_ARG(kind),
                                   mask,
                                   PL_LAUNCH_ARG(is_first),
                                   PL_LAUNCH_ARG(is_last),
                                   PL_LAUNCH_ARG(s->keys[0]),
                                   PL_LAUNCH_ARG(s->elements[0]),
                                   PL_LAUNCH_ARG(s->counts),
                                   PL_LAUNCH_ARG(s->keys[1]),
                                   PL_LAUNCH_ARG(s->elements[1])};
  return driver->launch(s->device, s->scatter, s->tiles, s->group, 0, 12, scatter);
}

/* The first pass reads the dat's keys, the last writes the order; others alternate between two buffers. */
static pl_err run_passes(sorting *s, pl_dat *keys, int bits, pl_dat *order, void *const *pool)
{
  int passes = (bits + DIGIT - 1) / DIGIT;
  for (int p = 0; p < passes; p++) {
    s->keys[0] = p ? pool[(p - 1) % 2] : keys->storage.device;
    s->elements[0] = p ? pool[2 + (p - 1) % 2] : order->storage.device;
    s->keys[1] = pool[p % 2];
    s->elements[1] = p == passes - 1 ? order->storage.device : pool[2 + p % 2];
    PL_TRY(sort_digit(s, p * DIGIT, p == 0, p == passes - 1));
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

static pl_err sort_in_buffers(sorting *s, pl_dat *keys, int bits, pl_dat *order)
{
  size_t n = (size_t)s->n, key = (size_t)s->size;
  for (int k = 0; k < 4; k++) PL_TRY(grow_buffer(s->device, k, n * (k < 2 ? key : sizeof(int))));
  PL_TRY(grow_buffer(s->device, 4, (size_t)s->tiles * VALUES * sizeof(uint32_t)));
  s->counts = s->device->sort_buffer[4];
  return run_passes(s, keys, bits, order, s->device->sort_buffer);
}

pl_err pl_device_sort(pl_context *pl, pl_dat *keys, int bits, pl_dat *order)
{
  sorting s = {.device = pl_device_of(pl), .n = keys->set->end[1], .size = (int)pl_type_size(keys->type)};
  s.kind = !pl_type_is_integer(keys->type) ? 2 : pl_type_is_signed(keys->type) && !bits ? 1 : 0;
  if (!bits) bits = 8 * s.size;
  s.mask = UINT64_MAX >> (64 - bits);
  s.group = 32 * pl_block_warps(s.device->dialect);
  int tile = s.group * elements_per_lane(s.size);
  s.tiles = s.n / tile + (s.n % tile > 0);
  PL_TRY(pl_dat_device(keys, true));
  PL_TRY(pl_dat_device(order, false));
  if (s.n) {
    PL_TRY(build_sort(&s));
    PL_TRY(sort_in_buffers(&s, keys, bits, order));
  }
  pl_dat_device_written(order);
  return PL_SUCCESS;
}
