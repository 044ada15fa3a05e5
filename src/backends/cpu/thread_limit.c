/* SPDX-License-Identifier: BSD-2-Clause
 * Counts threads: each starts the next one and waits for its end.
 */
#include "thread_limit.h"
#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>

enum { PATIENCE = 1000 };

typedef struct chain {
  int count, wanted;
} chain;

static void *add_thread(void *user)
{
  chain *c = user;
  pthread_t next;
  if (++c->count < c->wanted && !pthread_create(&next, NULL, add_thread, c)) pthread_join(next, NULL);
  return NULL;
}

static long tasks(void)
{
  struct stat folder;
  return stat("/proc/self/task", &folder) ? 0 : (long)folder.st_nlink;
}

int pl_thread_limit(int wanted)
{
  chain c = {0, wanted};
  long before = tasks();
  add_thread(&c);
  for (int i = 0; i < PATIENCE && tasks() > before; i++)
    sched_yield(); /* joined threads count a while longer */
  return c.count;
}
