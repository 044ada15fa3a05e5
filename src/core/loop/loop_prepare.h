/* SPDX-License-Identifier: BSD-2-Clause
 * Preparation of a loop before its first run, and again when declarations or options have changed.
 */
#pragma once

#include "core/data/loop_object.h"

/* Prepares a loop unless it is prepared. One rank of each node compiles; the others load its code from the
 * disk cache. Collective. */
pl_err pl_loop_prepare(pl_loop *loop);

/* Starts to compile asynchronously if the backend supports it. Local. */
pl_err pl_loop_prefetch(pl_loop *loop);
