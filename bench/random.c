/* SPDX-License-Identifier: BSD-2-Clause
 * random: the time of one random number in a loop, beside a plain C loop that calls the same functions.
 */
#include <plait_random.h>

#include "../apps/common/wall.h"

enum { ELEMENTS = 1 << 20, ROUNDS = 7 };

PL_KERNEL(words, (uint32_t * x, const uint32_t *r), { *x = pl_random_uint32(r, 0); })
PL_KERNEL(uniform, (double *x, const uint32_t *r), { *x = pl_uniform(r, 0); })
PL_KERNEL(uniform_f, (float *x, const uint32_t *r), { *x = pl_uniform_f(r, 0); })
PL_KERNEL(normal, (double *x, const uint32_t *r), { *x = pl_normal(r, 0); })

/* A plain loop over the same kernel, which the user's compiler compiles. */
#define PLAIN(name, type)                                                                                    \
  static void plain_##name(void *memory, uint32_t call)                                                      \
  {                                                                                                          \
    type *x = memory;                                                                                        \
    for (int i = 0; i < ELEMENTS; i++) {                                                                     \
      uint32_t r[PL_RANDOM_WORDS];                                                                           \
      pl_random_words(1, (uint64_t)i, call, r);                                                              \
      name##_kernel(&x[i], r);                                                                               \
    }                                                                                                        \
  }
PLAIN(words, uint32_t)
PLAIN(uniform, double)
PLAIN(uniform_f, float)
PLAIN(normal, double)

static double best(double before, double seconds)
{
  return before == 0 || seconds < before ? seconds : before;
}

static void measure(pl_context *pl, const pl_kernel *kernel, pl_type type, void (*plain)(void *, uint32_t))
{
  static double memory[ELEMENTS];
  double ours = 0, theirs = 0;
  pl_set *set;
  pl_dat *x;
  pl_random *random;
  PL_OK(pl, pl_decl_set(pl, ELEMENTS, "set", &set));
  PL_OK(pl, pl_decl_dat(set, 1, type, NULL, "x", &x));
  PL_OK(pl, pl_decl_random(pl, 1, "random", &random));
  for (int round = 0; round < ROUNDS; round++) {
    double start = wall_seconds();
    PL_OK(pl, pl_par_loop(kernel, set, pl_arg_direct(x, PL_WRITE), pl_arg_random(random, PL_ID, PL_DIRECT)));
    PL_OK(pl, pl_flush(pl));
    if (round) ours = best(ours, wall_seconds() - start); /* the first round compiles */
    start = wall_seconds();
    plain(memory, (uint32_t)round);
    theirs = best(theirs, wall_seconds() - start);
  }
  printf("%-10s %6.2f ns %6.2f ns\n", kernel->name, ours / ELEMENTS * 1e9, theirs / ELEMENTS * 1e9);
}

int main(int argc, char **argv)
{
  pl_context *pl;
  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  printf("a number    Plait (%s), plain C\n", pl_backend_name(pl));
  measure(pl, words, PL_UINT32, plain_words);
  measure(pl, uniform, PL_DOUBLE, plain_uniform);
  measure(pl, uniform_f, PL_FLOAT, plain_uniform_f);
  measure(pl, normal, PL_DOUBLE, plain_normal);
  pl_finalize(&pl);
  return 0;
}
