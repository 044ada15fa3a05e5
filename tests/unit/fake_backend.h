/* SPDX-License-Identifier: BSD-2-Clause
 * A backend that runs no loops, for unit tests that need only a context. Its name is "seq", one that the
 * option `backend` accepts.
 */
#ifndef PLAIT_TESTS_FAKE_BACKEND_H
#define PLAIT_TESTS_FAKE_BACKEND_H

#include "checks.h"
#include "core/lifecycle/lifecycle.h"
#include "core/context/error.h"

static inline const char *fake_unavailable(pl_context *pl)
{
  (void)pl;
  return NULL;
}

static inline pl_err fake_open(pl_context *pl, void **state)
{
  (void)pl;
  *state = NULL;
  return PL_SUCCESS;
}

static inline void fake_close(pl_context *pl)
{
  (void)pl;
}

static inline pl_err fake_prepare(pl_context *pl, pl_loop *loop)
{
  (void)loop;
  return pl_fail(pl, PL_ERR_BACKEND, "the fake backend runs no loops");
}

static inline pl_err fake_run(pl_context *pl, pl_loop *loop, const pl_loop_range *part)
{
  (void)part;
  return fake_prepare(pl, loop);
}

static inline void fake_release(pl_context *pl, pl_loop *loop)
{
  (void)pl, (void)loop;
}

static const pl_backend fake_backend = {.name = "seq",
                                        .unavailable = fake_unavailable,
                                        .open = fake_open,
                                        .close = fake_close,
                                        .prepare = fake_prepare,
                                        .run = fake_run,
                                        .release = fake_release};

static const pl_backend *const fake_backends[] = {&fake_backend, NULL};

/* Opens a context with options (ended by NULL) over a memory manager (NULL: the C library's). */
static inline pl_err fake_context(const char *const *options, pl_realloc_fn allocate, void *user,
                                  pl_context **pl)
{
  static const char *const plain[] = {"backend=seq", NULL};
  pl_settings settings = {.options = options ? options : plain, .realloc = allocate, .realloc_user = user};
  return pl_context_open(NULL, NULL, &settings, fake_backends, pl);
}

static inline pl_context *open_context(void)
{
  pl_context *pl = NULL;
  OK(fake_context(NULL, NULL, NULL, &pl));
  return pl;
}

#endif
