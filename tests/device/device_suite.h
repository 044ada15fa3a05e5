/* SPDX-License-Identifier: BSD-2-Clause
 * Tests of one backend of devices that look at the device's record: PROGRAM BACKEND.
 *
 * Exit status 77, with the library's message, where the backend cannot be used.
 */
#ifndef PLAIT_TESTS_DEVICE_SUITE_H
#define PLAIT_TESTS_DEVICE_SUITE_H

#include "backends/device/device_data.h"
#include "checks.h"
#include "suite.h"

#define DIRECT(dat, access) pl_arg_dat((dat), PL_ID, PL_DIRECT, (access))

static const char *backend;

/* A context on the backend with one more option, which may be NULL. */
static inline pl_err open_with(const char *option, pl_context **pl)
{
  char name[40];
  snprintf(name, sizeof name, "backend=%s", backend);
  const char *const options[] = {name, option, NULL};
  const pl_settings settings = {.options = options};
  return pl_init(NULL, NULL, &settings, pl);
}

static inline int device_suite_main(int argc, char **argv, const char *name, CU_TestInfo *tests)
{
  enum { SKIPPED = 77 };
  pl_context *pl = NULL;
  if (argc != 2) return 2;
  backend = argv[1];
  pl_err err = open_with(NULL, &pl);
  if (err) printf("skipped: backend %s: %s\n", backend, pl_errmsg(pl));
  pl_finalize(&pl);
  return err ? SKIPPED : suite_run(name, tests);
}

#endif
