/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Random numbers in kernels (docs/random.md). Programs include this header besides plait.h.
 *
 * A kernel gets its numbers from an argument pl_arg_random, five words `r` that differ between elements and
 * between calls of loops. Number `draw` (any 32-bit value) is a function of r and draw alone, so different
 * draws are independent numbers and the same draw is the same number:
 *
 *   PL_KERNEL(kick, (double v[2], const uint32_t *r), {
 *     v[0] += 0.1 * pl_normal(r, 0);
 *     v[1] += 0.1 * pl_normal(r, 1);
 *   })
 *
 * The generator is Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3",
 * SC 2011) with the key {r[0], r[1]}, the seed, and the counter {r[2], r[3], r[4], draw}: the global index,
 * or the indices of both sides of a pair, and the number of the call. Two functions with equal r and draw use
 * the same block of it, so give each use a draw of its own.
 *
 * The functions are plain C. pl_decl_random declares them to the kernels of its context.
 */
#ifndef PLAIT_RANDOM_H
#define PLAIT_RANDOM_H

#include <math.h>
#include <plait.h>

/* X(name) for each function; a function is listed after those it calls. */
#define PL_RANDOM_FUNCTIONS(X)                                                                               \
  X(pl_random_block)                                                                                         \
  X(pl_random_uint32)                                                                                        \
  X(pl_random_unit)                                                                                          \
  X(pl_random_unit_f)                                                                                        \
  X(pl_uniform)                                                                                              \
  X(pl_uniform_f)                                                                                            \
  X(pl_normal)                                                                                               \
  X(pl_normal_f)

/* clang-format off */

/* The four words of block `draw`, each uniform over 0 to 2^32 - 1. */
PL_FUNCTION(void, pl_random_block, (const uint32_t *r, uint32_t draw, uint32_t block[4]), {
  uint32_t a = r[2];
  uint32_t b = r[3];
  uint32_t c = r[4];
  uint32_t d = draw;
  uint32_t low = r[0];
  uint32_t high = r[1];
  PL_UNROLL(10) for (int round = 0; round < 10; round++) {
    const uint64_t p = (uint64_t)0xD2511F53u * a;
    const uint64_t q = (uint64_t)0xCD9E8D57u * c;
    a = (uint32_t)(q >> 32) ^ b ^ low;
    b = (uint32_t)q;
    c = (uint32_t)(p >> 32) ^ d ^ high;
    d = (uint32_t)p;
    low += 0x9E3779B9u;
    high += 0xBB67AE85u;
  }
  block[0] = a;
  block[1] = b;
  block[2] = c;
  block[3] = d;
})

/* The first word of the block. */
PL_FUNCTION(uint32_t, pl_random_uint32, (const uint32_t *r, uint32_t draw), {
  uint32_t block[4];
  pl_random_block(r, draw, block);
  return block[0];
})

/* Uniform in the open interval (0, 1): (k + 1/2) 2^-52 with k of 52 bits, float (k + 1/2) 2^-23 with k of 23
 * bits. All operations are exact, so the bits are equal on all targets. The first two make k of random words. */
PL_FUNCTION(double, pl_random_unit, (uint32_t high, uint32_t low), {
  const double most = (double)(int32_t)(high >> 6) * 67108864.0;
  return (most + (double)(int32_t)(low >> 6) + 0.5) * 2.220446049250313080847263336181640625e-16;
})

/* The same of one word, in float. */
PL_FUNCTION(float, pl_random_unit_f, (uint32_t word), {
  return ((float)(int32_t)(word >> 9) + 0.5f) * 1.1920928955078125e-7f;
})

/* Uniform in (0, 1), from block `draw`. */
PL_FUNCTION(double, pl_uniform, (const uint32_t *r, uint32_t draw), {
  uint32_t block[4];
  pl_random_block(r, draw, block);
  return pl_random_unit(block[0], block[1]);
})

/* The same in float. */
PL_FUNCTION(float, pl_uniform_f, (const uint32_t *r, uint32_t draw), {
  uint32_t block[4];
  pl_random_block(r, draw, block);
  return pl_random_unit_f(block[0]);
})

/* Normal with mean 0 and variance 1, by Box and Muller's transformation of two uniform numbers of the block. It
 * calls log, sqrt and cos of the target, so the last bits may differ between targets. */
PL_FUNCTION(double, pl_normal, (const uint32_t *r, uint32_t draw), {
  uint32_t block[4];
  pl_random_block(r, draw, block);
  const double size = sqrt(-2.0 * log(pl_random_unit(block[0], block[1])));
  return size * cos(6.283185307179586476925286766559 * pl_random_unit(block[2], block[3]));
})

/* The same in float. */
PL_FUNCTION(float, pl_normal_f, (const uint32_t *r, uint32_t draw), {
  uint32_t block[4];
  pl_random_block(r, draw, block);
  const float size = sqrtf(-2.0f * logf(pl_random_unit_f(block[0])));
  return size * cosf(6.2831853071795864769f * pl_random_unit_f(block[2]));
})

/* clang-format on */

/* The words that a kernel gets for the element of this global index in this call; of a pair, `index` is the
 * lower global index + 2^32 times the other one. For kernels that the program calls itself. */
static inline void pl_random_words(uint64_t seed, uint64_t index, uint32_t call, uint32_t r[PL_RANDOM_WORDS])
{
  r[0] = (uint32_t)seed;
  r[1] = (uint32_t)(seed >> 32);
  r[2] = (uint32_t)index;
  r[3] = (uint32_t)(index >> 32);
  r[4] = call;
}

#endif
