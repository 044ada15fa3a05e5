/* SPDX-License-Identifier: BSD-2-Clause
 * Options of all ranks.
 */
#ifndef PLAIT_CORE_LIFECYCLE_SETTINGS_H
#define PLAIT_CORE_LIFECYCLE_SETTINGS_H

#include "plait.h"

/* Fails on all ranks if an option that decides about communication differs between them. Collective. */
pl_err pl_options_compare(pl_context *pl);

#endif
