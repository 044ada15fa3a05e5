/* SPDX-License-Identifier: BSD-2-Clause
 * Plait with the options of a program's command line.
 */
#ifndef APPS_COMMON_OPEN_H
#define APPS_COMMON_OPEN_H

#include <plait.h>

/* Ends the program with Plait's message if an option is wrong. */
static inline pl_context *open_plait(const char *program, int *argc, char ***argv)
{
  pl_context *pl;
  if (pl_init(argc, argv, NULL, &pl) == PL_SUCCESS) return pl;
  fprintf(stderr, "%s: %s\n", program, pl_errmsg(pl));
  pl_finalize(&pl);
  exit(1);
}

#endif
