/* SPDX-License-Identifier: BSD-2-Clause
 * Dats as whole arrays in user order, for programs and algorithms.
 */
#pragma once

#include "core/context/observer.h"
#include <stdbool.h>

/* Permutes a dat's storage to user order, on the device if there is one, with valid values if it `reads`
 * them; and back to storage order, whether or not the values were `written`. Only the work itself may fail in
 * between. */
pl_err pl_user_order_copy_begin(pl_dat *dat, bool reads);
pl_err pl_user_order_copy_end(pl_dat *dat, bool written);

/* The orders of a gather from storage to user order, and back. Valid until the order changes. */
pl_err pl_user_order_dats(pl_set *set, pl_dat **out, pl_dat **in);

extern const pl_observer pl_user_order_observer;
