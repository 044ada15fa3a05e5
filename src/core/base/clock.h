/* SPDX-License-Identifier: BSD-2-Clause
 * The monotonic clock.
 */
#pragma once

double pl_now(void); /* seconds on a monotonic clock */
