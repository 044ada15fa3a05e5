/* SPDX-License-Identifier: BSD-2-Clause
 * How many threads this process may create: OpenMP ends the process where it needs one more.
 */
#pragma once

/* Starts up to `wanted` threads, with the calling one, at once; returns how many there were. All have ended.
 */
int pl_thread_limit(int wanted);
