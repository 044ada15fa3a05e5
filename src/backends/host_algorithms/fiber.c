/* SPDX-License-Identifier: BSD-2-Clause
 * Fibers by ucontext, which creates the stacks, and _setjmp, which switches without a system call. With the
 * address or thread sanitizer all switches use swapcontext and are announced to it; valgrind is given the
 * stacks if its header was available.
 *
 * Invariant: below each stack lies a guard page, so that a stack overflow ends the process instead of
 * overwriting another stack. As a process has a limited number of such pages, many items on many threads have
 * none.
 */
#undef _FORTIFY_SOURCE /* its longjmp takes a change of stacks for an attack; before any header */
#include "fiber.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include <setjmp.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBER_ASAN 1
#elif __has_feature(thread_sanitizer)
#define FIBER_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define FIBER_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define FIBER_TSAN 1
#endif
#ifdef FIBER_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef FIBER_TSAN
#include <sanitizer/tsan_interface.h>
#endif

#ifdef __has_include
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif
#ifndef VALGRIND_STACK_REGISTER
#define VALGRIND_STACK_REGISTER(low, high) ((void)(low), (void)(high), 0u)
#define VALGRIND_STACK_DEREGISTER(id) ((void)(id))
#endif

#if defined(FIBER_ASAN) || defined(FIBER_TSAN)
enum { STACK = 512 * 1024, PLAIN = 0 };
#else
enum { STACK = 256 * 1024, PLAIN = 1 }; /* reserved, used as needed */
#endif
enum { PAGE = 4096, MOST_GUARDS = 8192 };

/* A point of execution. */
typedef struct point {
  jmp_buf jump;
  ucontext_t context;
  bool begun;
  const void *stack; /* for the sanitizers */
  size_t stack_size;
  void *fake, *tsan;
  unsigned valgrind;
} point;

typedef struct fiber {
  point point;
  bool done;
} fiber;

struct pl_fibers {
  pl_context *pl;
  int count;
  int current; /* the one that runs */
  int group;
  void *block;
  char *stacks; /* page-aligned in `block`: a guard page and a stack for each fiber */
  bool guarded;
  fiber *fiber;
  point home; /* pl_fibers_run */
  pl_fiber_fn fn;
  const void *user;
};

/* ---- switching ---- */

/* Inline: it may not return on the stack of functions that the thread sanitizer keeps for `to`. */
__attribute__((always_inline)) static inline void begin_switch(point *from, const point *to)
{
#if defined(FIBER_ASAN)
  __sanitizer_start_switch_fiber(&from->fake, to->stack, to->stack_size);
#elif defined(FIBER_TSAN)
  __tsan_switch_to_fiber(to->tsan, 0);
#endif
  (void)from;
  (void)to;
}

/* Stores the stack of `from`. */
static void end_switch(const point *at, point *from)
{
#ifdef FIBER_ASAN
  __sanitizer_finish_switch_fiber(at->fake, &from->stack, &from->stack_size);
#endif
  (void)at;
  (void)from;
}

/* Returns when another switch leads back. */
static void switch_to(point *from, point *to)
{
  begin_switch(from, to);
  if (!PLAIN || !to->begun) {
    to->begun = true;
    if (!PLAIN || !_setjmp(from->jump)) swapcontext(&from->context, &to->context);
  } else if (!_setjmp(from->jump)) {
    _longjmp(to->jump, 1);
  }
  end_switch(from, to);
}

/* A fiber runs one item after the other. makecontext passes int arguments only: the pointer's halves. */
static void run_fiber(unsigned high, unsigned low)
{
  pl_fibers *fibers = (pl_fibers *)((uintptr_t)high << 16 << 16 | low);
  fiber *self = &fibers->fiber[fibers->current];
  point first = {.fake = NULL};
  end_switch(&first, &fibers->home);
  for (;;) {
    fibers->fn(fibers->user, fibers->current, fibers->group);
    self->done = true;
    switch_to(&self->point, &fibers->home);
  }
}

void pl_fibers_wait(void *handle)
{
  pl_fibers *fibers = handle;
  switch_to(&fibers->fiber[fibers->current].point, &fibers->home);
}

/* ---- running ---- */

void pl_fibers_run(pl_fibers *fibers, pl_fiber_fn fn, const void *user, int count, int group)
{
  fibers->fn = fn;
  fibers->user = user;
  fibers->group = group;
  fibers->home.begun = true;
#ifdef FIBER_TSAN
  fibers->home.tsan = __tsan_get_current_fiber();
#endif
  for (int i = 0; i < count; i++) fibers->fiber[i].done = false;
  for (int left = count; left;) {
    left = 0;
    for (int i = 0; i < count; i++) {
      if (fibers->fiber[i].done) continue;
      fibers->current = i;
      switch_to(&fibers->home, &fibers->fiber[i].point);
      left += !fibers->fiber[i].done;
    }
  }
}

/* ---- opening and closing ---- */

static void make_fiber(pl_fibers *fibers, int i)
{
  point *p = &fibers->fiber[i].point;
  char *guard = fibers->stacks + (size_t)i * (PAGE + STACK), *stack = guard + PAGE;
  uintptr_t self = (uintptr_t)fibers;
  if (fibers->guarded) mprotect(guard, PAGE, PROT_NONE);
  getcontext(&p->context);
  p->context.uc_stack.ss_sp = stack;
  p->context.uc_stack.ss_size = STACK;
  p->context.uc_link = NULL;
  p->stack = stack;
  p->stack_size = STACK;
  p->valgrind = (unsigned)VALGRIND_STACK_REGISTER(stack, stack + STACK);
#ifdef FIBER_TSAN
  p->tsan = __tsan_create_fiber(0);
#endif
  makecontext(&p->context, (void (*)(void))run_fiber, 2, (unsigned)(self >> 16 >> 16), (unsigned)self);
}

pl_err pl_fibers_open(pl_context *pl, int count, int workers, pl_fibers **result)
{
  size_t bytes = (size_t)count * (PAGE + STACK) + PAGE;
  pl_fibers *fibers = pl_calloc(pl, 1, sizeof *fibers);
  if (!fibers) return pl_fail_memory(pl, sizeof *fibers);
  fibers->pl = pl;
  fibers->guarded = (int64_t)count * workers <= MOST_GUARDS && sysconf(_SC_PAGESIZE) == PAGE;
  fibers->fiber = pl_calloc(pl, (size_t)count, sizeof *fibers->fiber);
  fibers->block = pl_malloc(pl, bytes);
  if (!fibers->fiber || !fibers->block) return pl_fibers_close(&fibers), pl_fail_memory(pl, bytes);
  fibers->stacks = (char *)fibers->block + PAGE - (uintptr_t)fibers->block % PAGE;
  for (int i = 0; i < count; i++) make_fiber(fibers, i);
  fibers->count = count;
  *result = fibers;
  return PL_SUCCESS;
}

void pl_fibers_close(pl_fibers **handle)
{
  pl_fibers *fibers = *handle;
  if (!fibers) return;
#ifdef FIBER_TSAN
  for (int i = 0; i < fibers->count; i++) __tsan_destroy_fiber(fibers->fiber[i].point.tsan);
#endif
  for (int i = 0; i < fibers->count; i++) VALGRIND_STACK_DEREGISTER(fibers->fiber[i].point.valgrind);
  for (int i = 0; fibers->guarded && i < fibers->count; i++)
    mprotect(fibers->stacks + (size_t)i * (PAGE + STACK), PAGE, PROT_READ | PROT_WRITE);
  pl_free_all(fibers->pl, fibers->block, fibers->fiber, fibers);
  *handle = NULL;
}
