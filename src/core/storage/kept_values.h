/* SPDX-License-Identifier: BSD-2-Clause
 * Kept values: with PLAIT_CHECK a loop keeps a copy of the owned values on the host that it leaves in a dat,
 * to find writes through wrong pointers.
 */
#pragma once

#include "plait.h"

pl_err pl_dat_reserve_kept(pl_dat *dat); /* before a loop: memory for the copy */
void pl_dat_keep(pl_dat *dat, const char *loop);
pl_err pl_dat_check_kept(const pl_dat *dat); /* PL_ERR_CHECK if values differ, but not by the library */
void pl_dat_drop_kept(pl_dat *dat);          /* storage changes without a new version */
void pl_dat_free_kept(pl_dat *dat);
