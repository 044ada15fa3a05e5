/* SPDX-License-Identifier: BSD-2-Clause
 * Output of the profile at the end of a context.
 */
#pragma once

#include "plait.h"

/* Writes the profile that its option requests, and logs the use of the caches. Collective. */
void pl_profile_finish(pl_context *pl);
