/* SPDX-License-Identifier: BSD-2-Clause
 * Threads that work in the background, beside the program's.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread without signals: those of the program go to its own threads. False: there is none. */
bool pl_background_start(pthread_t *thread, void *(*run)(void *), void *argument);
