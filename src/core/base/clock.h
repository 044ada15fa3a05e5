/* SPDX-License-Identifier: BSD-2-Clause
 * The monotonic clock.
 */
#ifndef PLAIT_CORE_BASE_CLOCK_H
#define PLAIT_CORE_BASE_CLOCK_H

double pl_now(void); /* seconds on a monotonic clock */

#endif
