/* SPDX-License-Identifier: BSD-2-Clause
 * A backend that runs nothing, for unit tests that need a context but no loops: core alone is linked. It goes
 * by the name "seq", one that the backend option knows.
 */
#ifndef PLAIT_TESTS_FAKE_BACKEND_H
#define PLAIT_TESTS_FAKE_BACKEND_H

#include "core/context.h"

static const char *fake_unavailable(pl_context *pl)
{
  (void)pl;
  return NULL;
}

static pl_err fake_open(pl_context *pl, void **state)
{
  (void)pl;
  *state = NULL;
  return PL_SUCCESS;
}

static void fake_close(pl_context *pl)
{
  (void)pl;
}

static pl_err fake_prepare(pl_context *pl, pl_loop *loop)
{
  (void)loop;
  return pl_fail(pl, PL_ERR_BACKEND, "the fake backend runs no loops");
}

static pl_err fake_run(pl_context *pl, pl_loop *loop, const pl_part *part)
{
  (void)part;
  return fake_prepare(pl, loop);
}

static void fake_release(pl_context *pl, pl_loop *loop)
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

/* Opens a context on the fake backend over a memory manager (NULL: the C library's). */
static inline pl_err fake_context(pl_realloc_fn allocate, void *user, pl_context **pl)
{
  static const char *const options[] = {"backend=seq", NULL};
  pl_settings settings = {.options = options, .realloc = allocate, .realloc_user = user};
  return pl_context_open(NULL, NULL, &settings, fake_backends, pl);
}

#endif
