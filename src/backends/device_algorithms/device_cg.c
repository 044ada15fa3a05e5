/* SPDX-License-Identifier: BSD-2-Clause
 * Conjugate gradients on a small system by one kernel (cg.device.inc), whose groups wait for each other.
 * Invariant: the device runs all groups of the kernel at the same time, or there is one group only.
 */
#include "device_cg.h"
#include "backends/device/device_data.h"
#include "backends/device/device_module.h"
#include "codegen/target/prelude.h"
#include "core/base/clock.h"
#include "core/data/objects.h"
#include "core/loop/profile.h"
#include "core/tools/tools.h"
#include "plan/solver/solver.h"
#include <limits.h>
#include <string.h>

extern const char pl_template_numbered_device[], pl_template_cg_device[];

enum {
  SLICE = 32,      /* rows */
  SUMS = 3,        /* of an iteration */
  MOST_ROWS = 4,   /* of a work item, in registers */
  MOST_ITEMS = 512 /* of a group */
};
enum { REGISTERS = 65536 / MOST_ITEMS };      /* of a work item: one group has a processor for itself */
enum { RESULTS = 3, MOST_TURNS = 100000000 }; /* numbers before the norms; looks at a word: a minute */

struct pl_cg_program {
  void *kernel[2][MOST_ROWS + 1]; /* for columns of 32 and 16 bits, by the rows of a work item */
  void *words;                    /* of vectors and sums, then the results */
  size_t room;                    /* bytes */
  int next;                       /* number of words; smaller ones were used */
};

/* How the rows are divided. */
typedef struct shape {
  int groups, group_rows, items, item_rows;
  void *kernel;
} shape;

/* ---- the kernel ---- */

static void print_kernel(pl_string *text, const pl_dialect *d, bool narrow, int item_rows)
{
  pl_print_prelude(text, d, true);
  pl_print_device_words(text, d);
  pl_string_add(text, "#define ROWS %d\n#define MOST_ITEMS %d\n#define MOST_TURNS %d\n", item_rows,
                MOST_ITEMS, MOST_TURNS);
  pl_string_add(text, "#define COLUMN %s\n#define NO_COLUMN %d\n%s%s", narrow ? "uint16_t" : "int",
                narrow ? UINT16_MAX : -1, pl_template_numbered_device, pl_template_cg_device);
}

static pl_err make_kernel(pl_device *device, bool narrow, int item_rows, void **kernel)
{
  pl_string text;
  pl_module *module = NULL;
  if (*kernel) return PL_SUCCESS;
  pl_string_init(&text, device->pl);
  print_kernel(&text, device->dialect, narrow, item_rows);
  pl_err err = pl_module_get(device, "pl_cg", &text, device->limits_registers ? REGISTERS : 0, &module);
  if (!err) err = pl_module_kernel(module, "pl_cg", kernel);
  pl_string_free(&text);
  return err;
}

/* ---- the division of rows ---- */

static int divide_up(int a, int b)
{
  return (a + b - 1) / b;
}

/* Work items for the rows, and one for each number that a group receives in a sum. */
static int count_items(const shape *s)
{
  const int rows = divide_up(s->group_rows, s->item_rows), parts = SUMS * s->groups,
            n = rows > parts ? rows : parts, items = divide_up(n, SLICE) * SLICE;
  return items < SUMS * SLICE ? SUMS * SLICE : items < MOST_ITEMS ? items : MOST_ITEMS;
}

/* A group for each processor; kernel NULL: the rows do not fit. */
static pl_err find_shape(pl_device *device, const pl_cg_steps *cg, shape *s)
{
  const int units = device->driver->together ? device->units : 1, slices = divide_up(cg->rows, SLICE);
  int most = 1, most_items = 0;
  s->kernel = NULL;
  if (!slices) return PL_SUCCESS;
  s->group_rows = divide_up(slices, units) * SLICE;
  s->groups = divide_up(cg->rows, s->group_rows);
  s->item_rows = divide_up(s->group_rows, MOST_ITEMS);
  s->items = count_items(s);
  if (s->item_rows > MOST_ROWS || s->groups > MOST_ITEMS) return PL_SUCCESS;
  void **kernel = &device->cg->kernel[cg->a.narrow][s->item_rows];
  PL_TRY(make_kernel(device, cg->a.narrow, s->item_rows, kernel));
  if (s->groups > 1) PL_TRY(device->driver->together(device, *kernel, s->items, &most));
  PL_TRY(device->driver->limit(device, *kernel, &most_items));
  if (s->groups <= most && s->items <= most_items) s->kernel = *kernel;
  return PL_SUCCESS;
}

/* ---- words ---- */

static size_t words_bytes(const pl_cg_steps *cg, const shape *s)
{
  return 2 * ((size_t)cg->rows + 2 * SUMS * (size_t)s->groups) * sizeof(uint64_t);
}

/* Room for words and results. Words of a kernel have larger numbers than all before. */
static pl_err prepare_words(pl_device *device, const pl_cg_steps *cg, const shape *s)
{
  struct pl_cg_program *c = device->cg;
  const size_t bytes = words_bytes(cg, s) + (RESULTS + PL_CG_STEPS) * sizeof(double);
  const bool fits = bytes <= c->room;
  if (fits && c->next < INT_MAX - 2 * PL_CG_STEPS) return PL_SUCCESS;
  if (!fits) {
    device->driver->free(device, c->words);
    c->words = NULL;
    c->room = 0;
    PL_TRY(device->driver->alloc(device, bytes, &c->words));
    c->room = bytes;
  }
  c->next = 1;
  return device->driver->zero(device, c->words, c->room);
}

/* ---- a call ---- */

static pl_err upload(const pl_cg_steps *cg)
{
  pl_dat *const dats[] = {cg->a.begin, cg->a.column, cg->a.values, cg->inverse, cg->x, cg->r, cg->p, cg->s};
  for (int i = 0; i < 8; i++) PL_TRY(pl_dat_device(dats[i], cg->started || i < 6));
  return PL_SUCCESS;
}

static pl_err launch(pl_device *device, const pl_cg_steps *cg, const shape *s)
{
  const struct pl_cg_program *c = device->cg;
  const int started = cg->started;
  const pl_launch_arg args[] = {PL_LAUNCH_ARG(cg->rows),
                                PL_LAUNCH_ARG(s->group_rows),
                                PL_LAUNCH_ARG(cg->steps),
                                PL_LAUNCH_ARG(c->next),
                                PL_LAUNCH_ARG(started),
                                PL_LAUNCH_ARG(cg->limit),
                                PL_LAUNCH_ARG(cg->old),
                                PL_LAUNCH_ARG(cg->past),
                                PL_LAUNCH_ARG(cg->a.begin->storage.device),
                                PL_LAUNCH_ARG(cg->a.column->storage.device),
                                PL_LAUNCH_ARG(cg->a.values->storage.device),
                                PL_LAUNCH_ARG(cg->inverse->storage.device),
                                PL_LAUNCH_ARG(cg->x->storage.device),
                                PL_LAUNCH_ARG(cg->r->storage.device),
                                PL_LAUNCH_ARG(cg->p->storage.device),
                                PL_LAUNCH_ARG(cg->s->storage.device),
                                PL_LAUNCH_ARG(c->words)};
  enum { N = sizeof args / sizeof *args };
  const pl_grid grid = pl_grid_of(s->groups, s->items);
  const pl_driver *driver = device->driver;
  return (s->groups == 1 ? driver->launch : driver->launch_together)(device, s->kernel, grid, N, args);
}

/* Results for the host, after a wait. */
static pl_err read_results(pl_device *device, pl_cg_steps *cg, const shape *s)
{
  double result[RESULTS + PL_CG_STEPS];
  PL_TRY(device->driver->read(device, result, device->cg->words, words_bytes(cg, s),
                              (RESULTS + (size_t)cg->steps) * sizeof(double)));
  cg->steps = (int)result[0];
  cg->old = result[1];
  cg->past = result[2];
  memcpy(cg->norm2, result + RESULTS, (size_t)cg->steps * sizeof(double));
  return PL_SUCCESS;
}

static void mark_written(const pl_cg_steps *cg)
{
  pl_dat *const written[] = {cg->x, cg->r, cg->p, cg->s};
  for (int i = 0; i < 4; i++) {
    pl_dat_device_written(written[i]);
    pl_dat_changed(written[i]);
  }
}

static pl_err run(pl_device *device, pl_cg_steps *cg, const shape *s)
{
  PL_TRY(upload(cg));
  PL_TRY(prepare_words(device, cg, s));
  PL_TRY(launch(device, cg, s));
  mark_written(cg);
  device->cg->next += cg->steps + 1;
  device->pl->stats.launches++;
  return read_results(device, cg, s);
}

static double bytes_of(const pl_cg_steps *cg)
{
  const double product = (double)pl_dat_nbytes(cg->a.values) + (double)pl_dat_nbytes(cg->a.column);
  return cg->steps * (product + 16.0 * cg->rows);
}

pl_err pl_device_cg_steps(pl_context *pl, pl_cg_steps *cg, bool *done)
{
  pl_device *device = pl_device_of(pl);
  shape s;
  *done = false;
  if (!device->has_double) return PL_SUCCESS;
  if (!device->cg) PL_TRY(PL_NEW(pl, device->cg, 1));
  PL_TRY(find_shape(device, cg, &s));
  if (!s.kernel) return PL_SUCCESS;
  pl_region *line = pl_profile_line(pl, "pl_cg", cg->x->set->node.name);
  if (!line) return PL_ERR_MEMORY;
  const double start = pl_now();
  pl_event_begin(pl, PL_TOOL_LOOP, "pl_cg", cg->x->set->node.name, 0);
  pl_err err = run(device, cg, &s);
  pl_event_end(pl, PL_TOOL_LOOP);
  PL_TRY(err);
  *done = true;
  return pl_profile_launch(pl, line, start, s.items, bytes_of(cg));
}

void pl_device_cg_free(pl_device *device)
{
  if (!device->cg) return;
  device->driver->free(device, device->cg->words);
  pl_free(device->pl, device->cg);
  device->cg = NULL;
}
