/* SPDX-License-Identifier: BSD-2-Clause
 * The host waits for a device only where the program reads values. Repeated loops, single or in chains, are
 * queued without a wait. A driver that counts the waiting calls proves it.
 */
#include "device_suite.h"

enum { CELLS = 600, STEPS = 200 };

static const pl_driver *real; /* the driver that the counting one calls */
static int waits;

PL_KERNEL(waits_flux, (const double *l, const double *r, double *to_l, double *to_r), {
  to_l[0] += r[0] - l[0];
  to_r[0] += l[0] - r[0];
})
PL_KERNEL(waits_update, (double *x, double *sum, double *most), {
  x[0] += 0.1 * sum[0];
  if (x[0] > most[0]) most[0] = x[0];
  sum[0] = 0;
})

PL_KERNEL(waits_laplace, (double *ap, const double *p, const double *const neighbours[2]),
          { ap[0] = 2.5 * p[0] - neighbours[0][0] - neighbours[1][0]; })

/* ---- a driver that counts ---- */

static pl_err count_read(pl_device *device, void *host, void *buffer, size_t at, size_t size)
{
  waits++;
  return real->read(device, host, buffer, at, size);
}

static pl_err count_write(pl_device *device, void *buffer, size_t at, const void *host, size_t size)
{
  waits++;
  return real->write(device, buffer, at, host, size);
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
  counting->write = count_write;
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
  OK(pl_decl_set(r->pl, CELLS, "cells", &r->cells));
  OK(pl_decl_set(r->pl, CELLS, "edges", &r->edges));
  OK(pl_decl_map(r->edges, r->cells, 2, index, "ends", &r->ends));
  OK(pl_decl_dat(r->cells, 1, PL_DOUBLE, x, "x", &r->x));
  OK(pl_decl_dat(r->cells, 1, PL_DOUBLE, NULL, "sum", &r->sum));
  OK(pl_decl_global(r->pl, 1, PL_DOUBLE, &zero, "most", &r->most));
}

static void run(ring *r, int steps)
{
  for (int s = 0; s < steps; s++) {
    OK(pl_par_loop(waits_flux, r->edges, pl_arg_dat(r->x, 0, r->ends, PL_READ),
                   pl_arg_dat(r->x, 1, r->ends, PL_READ), pl_arg_dat(r->sum, 0, r->ends, PL_INC),
                   pl_arg_dat(r->sum, 1, r->ends, PL_INC)));
    OK(pl_par_loop(waits_update, r->cells, DIRECT(r->x, PL_RW), DIRECT(r->sum, PL_RW),
                   pl_arg_gbl(r->most, PL_MAX)));
  }
  OK(pl_flush(r->pl));
}

static void test_with(const char *lazy)
{
  ring r;
  pl_driver counting;
  double most = 0;
  OK(open_with(lazy, &r.pl));
  declare(&r);
  run(&r, STEPS); /* compiles, and uploads the data */
  count_waits(pl_device_of(r.pl), &counting);
  waits = 0;
  run(&r, STEPS);
  CU_ASSERT_EQUAL(waits, 0);
  OK(pl_global_get(r.most, &most));
  CU_ASSERT(waits > 0); /* reading the value waits */
  CU_ASSERT(most > 5 && most < 6);
  run(&r, 1);
  waits = 0;
  pl_finalize(&r.pl);
  CU_ASSERT(waits > 0); /* pl_finalize waits for the device */
}

static void test_loops(void)
{
  test_with(NULL);
}

static void test_chains(void)
{
  test_with("lazy=1");
}

/* ---- conjugate gradients ---- */

enum { RR, NEXT, PAP, ALPHA, MINUS, BETA, SCALARS };

typedef struct linear_system {
  ring mesh;
  pl_map *neighbours;
  pl_dat *r, *p, *ap;
  pl_global *scalar[SCALARS];
} linear_system;

static void declare_system(linear_system *s)
{
  const double zero = 0;
  int index[2 * CELLS];
  ring *m = &s->mesh;
  declare(m);
  for (int c = 0; c < CELLS; c++) {
    index[2 * c] = (c + 1) % CELLS;
    index[2 * c + 1] = (c + CELLS - 1) % CELLS;
  }
  OK(pl_decl_map(m->cells, m->cells, 2, index, "neighbours", &s->neighbours));
  OK(pl_dat_duplicate(m->x, "r", &s->r));
  OK(pl_dat_duplicate(m->x, "p", &s->p));
  OK(pl_decl_dat(m->cells, 1, PL_DOUBLE, NULL, "ap", &s->ap));
  for (int k = 0; k < SCALARS; k++) OK(pl_decl_global(m->pl, 1, PL_DOUBLE, &zero, "scalar", &s->scalar[k]));
  OK(pl_dat_inner(s->r, s->r, s->scalar[RR]));
}

static void iterate(linear_system *s)
{
  pl_global **g = s->scalar;
  OK(pl_par_loop(waits_laplace, s->mesh.cells, DIRECT(s->ap, PL_WRITE), DIRECT(s->p, PL_READ),
                 pl_arg_dat(s->p, PL_ALL, s->neighbours, PL_READ)));
  OK(pl_dat_inner(s->p, s->ap, g[PAP]));
  OK(pl_global_combine(g[RR], PL_DIVIDE, g[PAP], g[ALPHA]));
  OK(pl_global_combine_number(g[ALPHA], PL_MULTIPLY, -1, g[MINUS]));
  OK(pl_dat_axpy_global(g[ALPHA], s->p, s->mesh.sum));
  OK(pl_dat_axpy_global(g[MINUS], s->ap, s->r));
  OK(pl_dat_inner(s->r, s->r, g[NEXT]));
  OK(pl_global_combine(g[NEXT], PL_DIVIDE, g[RR], g[BETA]));
  OK(pl_dat_aypx_global(g[BETA], s->r, s->p));
  OK(pl_global_copy(g[NEXT], g[RR]));
}

/* Scalars stay on the device: no iteration waits for one, recorded or not. */
static void test_gradients_with(const char *lazy)
{
  linear_system s;
  pl_driver counting;
  double rr[3];
  OK(open_with(lazy, &s.mesh.pl));
  declare_system(&s);
  for (int k = 0; k < 3; k++) { /* compiles, and uploads the data */
    iterate(&s);
    OK(pl_flush(s.mesh.pl));
    OK(pl_global_get(s.scalar[RR], &rr[k]));
  }
  CU_ASSERT(rr[2] < rr[1] && rr[1] < rr[0] && rr[2] > 0);
  count_waits(pl_device_of(s.mesh.pl), &counting);
  waits = 0;
  for (int k = 0; k < 5; k++) iterate(&s);
  OK(pl_flush(s.mesh.pl));
  CU_ASSERT_EQUAL(waits, 0);
  OK(pl_global_get(s.scalar[RR], &rr[0]));
  CU_ASSERT(waits > 0);
  CU_ASSERT(rr[0] < rr[2]);
  pl_finalize(&s.mesh.pl);
}

static void test_gradients(void)
{
  test_gradients_with(NULL);
}

static void test_gradients_recorded(void)
{
  test_gradients_with("lazy=1");
}

static CU_TestInfo tests[] = {{"loops one by one", test_loops},
                              {"recorded loops", test_chains},
                              {"conjugate gradients", test_gradients},
                              {"conjugate gradients, recorded", test_gradients_recorded},
                              CU_TEST_INFO_NULL};

int main(int argc, char **argv)
{
  return device_suite_main(argc, argv, "device_host_waits", tests);
}
