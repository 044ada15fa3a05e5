/* SPDX-License-Identifier: BSD-2-Clause
 * The rates that a machine reaches in Plait's own loops, measured once and kept in the file `rates` of the
 * cache folder, where the profile finds them (src/core/loop/profile_write.c).
 */
#pragma once

#include <plait.h>
#include <stdbool.h>

typedef struct machine_rates {
  double bytes, flops; /* a second: of a triad a = b + s c, 24 bytes an element; of chains of multiply-adds */
} machine_rates;

/* The rates of the context's backend, kept from an earlier run. False: there are none. */
bool rates_recall(pl_context *pl, machine_rates *rates);
/* Measures them, on one rank: the best of several calls. Ends the program if a loop fails. */
void rates_measure(pl_context *pl, machine_rates *rates);
/* Keeps them. False: the file cannot be written, and errno gives the reason. */
bool rates_keep(pl_context *pl, const machine_rates *rates);
