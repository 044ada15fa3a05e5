/* SPDX-License-Identifier: BSD-2-Clause
 * Ranks: what programs under mpirun share.
 */
#ifndef APPS_COMMON_RANKS_H
#define APPS_COMMON_RANKS_H

#include "plait.h"

PL_KERNEL(ranks_greatest, (const double *value, double *most),
          { most[0] = *value > most[0] ? *value : most[0]; })

/* The greatest of the numbers that ranks have; all wait for it. */
static inline double ranks_most(pl_context *pl, double value)
{
  pl_set *ranks;
  pl_dat *mine;
  pl_global *most;
  if (pl_ranks(pl) == 1) return value;
  PL_OK(pl, pl_decl_set(pl, 1, "ranks", &ranks));
  PL_OK(pl, pl_decl_dat(ranks, 1, PL_DOUBLE, &value, "mine", &mine));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, &value, "most", &most));
  PL_OK(pl, pl_par_loop(ranks_greatest, ranks, pl_arg_direct(mine, PL_READ), pl_arg_gbl(most, PL_MAX)));
  PL_OK(pl, pl_global_get(most, &value));
  pl_global_free(&most);
  pl_dat_free(&mine);
  pl_set_free(&ranks);
  return value;
}

PL_KERNEL(ranks_add, (const uint64_t *value, uint64_t *sum), { sum[0] += *value; })

/* The sum, modulo 2^64, of the numbers that ranks have; all wait for it. */
static inline uint64_t ranks_sum(pl_context *pl, uint64_t value)
{
  pl_set *ranks;
  pl_dat *mine;
  pl_global *sum;
  if (pl_ranks(pl) == 1) return value;
  PL_OK(pl, pl_decl_set(pl, 1, "ranks", &ranks));
  PL_OK(pl, pl_decl_dat(ranks, 1, PL_UINT64, &value, "mine", &mine));
  PL_OK(pl, pl_decl_global(pl, 1, PL_UINT64, NULL, "sum", &sum));
  PL_OK(pl, pl_par_loop(ranks_add, ranks, pl_arg_direct(mine, PL_READ), pl_arg_gbl(sum, PL_INC)));
  PL_OK(pl, pl_global_get(sum, &value));
  pl_global_free(&sum);
  pl_dat_free(&mine);
  pl_set_free(&ranks);
  return value;
}

/* How many of n things this rank has where each has as many, but for one. */
static inline int64_t ranks_share(const pl_context *pl, int64_t n)
{
  const int64_t ranks = pl_ranks(pl), rank = pl_rank(pl);
  return n * (rank + 1) / ranks - n * rank / ranks;
}

#endif
