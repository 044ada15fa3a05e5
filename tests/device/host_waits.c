/* SPDX-License-Identifier: BSD-2-Clause
 * The host waits for a device only where the program asks for values: loops, one by one and in chains, that
 * come again are queued without a wait. Calls of the driver in which the host waits are counted.
 *
 *   device_waits BACKEND
 *
 * Exit status 77, with the library's sentence, where the backend cannot be used.
 */
#include "backends/device.h"
#include "core/context.h"
#include <CUnit/Basic.h>
#include <stdio.h>

enum { SKIPPED = 77, CELLS = 600, STEPS = 200 };

static const char *backend;
static const pl_driver *real; /* what the counting driver calls */
static int waits;

#define DIRECT(dat, access) pl_arg_dat((dat), PL_ID, PL_DIRECT, (access))

PL_KERNEL(waits_flux, (const double *l, const double *r, double *to_l, double *to_r), {
  to_l[0] += r[0] - l[0];
  to_r[0] += l[0] - r[0];
})
PL_KERNEL(waits_update, (double *x, double *sum, double *most), {
  x[0] += 0.1 * sum[0];
  if (x[0] > most[0]) most[0] = x[0];
  sum[0] = 0;
})

/* ---- a driver that counts ---- */

static pl_err count_read(pl_device *device, void *host, void *buffer, size_t at, size_t size)
{
  waits++;
  return real->read(device, host, buffer, at, size);
}

static pl_err count_download(pl_device *device, void *host, void *buffer, size_t size)
{
  waits++;
  return real->download(device, host, buffer, size);
}

static pl_err count_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size)
{
  waits++;
  return real->write(device, buffer, at, host, size);
}

static pl_err count_upload(pl_device *device, void *buffer, const void *host, size_t size)
{
  waits++;
  return real->upload(device, buffer, host, size);
}

static pl_err count_sync(pl_device *device)
{
  waits++;
  return real->sync(device);
}

static pl_err count_event(pl_device *device, void *event)
{
  waits++;
  return real->event_wait(device, event);
}

static void count_waits(pl_device *device, pl_driver *counting)
{
  real = device->driver;
  *counting = *real;
  counting->read = count_read;
  counting->download = count_download;
  counting->write = count_write;
  counting->upload = count_upload;
  counting->sync = count_sync;
  counting->event_wait = count_event;
  device->driver = counting;
}

/* ---- the program ---- */

typedef struct ring {
  pl_context *pl;
  pl_set *cells, *edges;
  pl_map *ends;
  pl_dat *x, *sum;
  pl_global *most;
} ring;

static pl_err open_with(const char *lazy, pl_context **pl)
{
  char name[40];
  snprintf(name, sizeof name, "backend=%s", backend);
  const char *const options[] = {name, lazy, NULL};
  const pl_settings settings = {.options = options};
  return pl_init(NULL, NULL, &settings, pl);
}

static void declare(ring *r)
{
  int index[2 * CELLS];
  double x[CELLS];
  const double zero = 0;
  for (int e = 0; e < CELLS; e++) {
    index[2 * e] = e;
    index[2 * e + 1] = (e + 1) % CELLS;
    x[e] = e % 7;
  }
  CU_ASSERT_EQUAL_FATAL(pl_decl_set(r->pl, CELLS, "cells", &r->cells), PL_SUCCESS);
  CU_ASSERT_EQUAL_FATAL(pl_decl_set(r->pl, CELLS, "edges", &r->edges), PL_SUCCESS);
  CU_ASSERT_EQUAL_FATAL(pl_decl_map(r->edges, r->cells, 2, index, "ends", &r->ends), PL_SUCCESS);
  CU_ASSERT_EQUAL_FATAL(pl_decl_dat(r->cells, 1, PL_DOUBLE, x, "x", &r->x), PL_SUCCESS);
  CU_ASSERT_EQUAL_FATAL(pl_decl_dat(r->cells, 1, PL_DOUBLE, NULL, "sum", &r->sum), PL_SUCCESS);
  CU_ASSERT_EQUAL_FATAL(pl_decl_global(r->pl, 1, PL_DOUBLE, &zero, "most", &r->most), PL_SUCCESS);
}

static void run(ring *r, int steps)
{
  for (int s = 0; s < steps; s++) {
    CU_ASSERT_EQUAL_FATAL(pl_par_loop(waits_flux, r->edges, pl_arg_dat(r->x, 0, r->ends, PL_READ),
                                      pl_arg_dat(r->x, 1, r->ends, PL_READ),
                                      pl_arg_dat(r->sum, 0, r->ends, PL_INC),
                                      pl_arg_dat(r->sum, 1, r->ends, PL_INC)),
                          PL_SUCCESS);
    CU_ASSERT_EQUAL_FATAL(pl_par_loop(waits_update, r->cells, DIRECT(r->x, PL_RW), DIRECT(r->sum, PL_RW),
                                      pl_arg_gbl(r->most, PL_MAX)),
                          PL_SUCCESS);
  }
  CU_ASSERT_EQUAL_FATAL(pl_flush(r->pl), PL_SUCCESS);
}

static void test_with(const char *lazy)
{
  ring r;
  pl_driver counting;
  double most = 0;
  CU_ASSERT_EQUAL_FATAL(open_with(lazy, &r.pl), PL_SUCCESS);
  declare(&r);
  run(&r, STEPS); /* makes ready, and brings what is needed to the device */
  count_waits(pl_device_of(r.pl), &counting);
  waits = 0;
  run(&r, STEPS);
  CU_ASSERT_EQUAL(waits, 0);
  CU_ASSERT_EQUAL(pl_global_get(r.most, &most), PL_SUCCESS);
  CU_ASSERT(waits > 0); /* here it has to */
  CU_ASSERT(most > 5 && most < 6);
  run(&r, 1);
  waits = 0;
  pl_finalize(&r.pl);
  CU_ASSERT(waits > 0); /* the process may end now: nothing of it may be in use still */
}

static void test_loops(void)
{
  test_with(NULL);
}

static void test_chains(void)
{
  test_with("lazy=1");
}

static int run_tests(void)
{
  if (CU_initialize_registry() != CUE_SUCCESS) return 2;
  CU_pSuite suite = CU_add_suite("device_waits", NULL, NULL);
  CU_add_test(suite, "loops one by one", test_loops);
  CU_add_test(suite, "recorded loops", test_chains);
  CU_basic_set_mode(CU_BRM_VERBOSE);
  CU_basic_run_tests();
  int failures = (int)CU_get_number_of_failures();
  CU_cleanup_registry();
  return failures > 0;
}

int main(int argc, char **argv)
{
  pl_context *pl = NULL;
  if (argc != 2) return 2;
  backend = argv[1];
  pl_err err = open_with(NULL, &pl);
  if (err) printf("skipped: backend %s: %s\n", backend, pl_errmsg(pl));
  pl_finalize(&pl);
  return err ? SKIPPED : run_tests();
}
