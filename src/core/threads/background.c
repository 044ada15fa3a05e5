/* SPDX-License-Identifier: BSD-2-Clause
 * Threads that work in the background.
 */
#include "background.h"
#include <signal.h>

bool pl_background_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool started = !pthread_create(thread, NULL, run, argument);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}
