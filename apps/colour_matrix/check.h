/* SPDX-License-Identifier: BSD-2-Clause
 * The reference cases.
 */
#ifndef APPS_COLOUR_MATRIX_CHECK_H
#define APPS_COLOUR_MATRIX_CHECK_H

#include <stdbool.h>
#include "plait.h"

/* Runs all of them in every layout; prints one line each. */
bool check(pl_context *pl);

#endif
