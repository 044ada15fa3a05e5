/* SPDX-License-Identifier: BSD-2-Clause
 * brownian.c: random walks (docs/random.md).
 */
#include <plait_random.h>

enum { WALKERS = 10000, STEPS = 100 };

PL_KERNEL(step, (double x[2], const uint32_t *r), {
  x[0] += 0.1 * pl_normal(r, 0);
  x[1] += 0.1 * pl_normal(r, 1);
})

PL_KERNEL(spread, (double *sum, const double x[2]), { *sum += x[0] * x[0] + x[1] * x[1]; })

int main(int argc, char **argv)
{
  pl_context *pl;
  pl_set *walkers;
  pl_dat *position;
  pl_global *sum;
  pl_random *noise;
  double squares;
  PL_OK(pl, pl_init(&argc, &argv, NULL, &pl));
  PL_OK(pl, pl_decl_set(pl, WALKERS, "walkers", &walkers));
  PL_OK(pl, pl_decl_dat(walkers, 2, PL_DOUBLE, NULL, "position", &position));
  PL_OK(pl, pl_decl_global(pl, 1, PL_DOUBLE, NULL, "sum", &sum));
  PL_OK(pl, pl_decl_random(pl, 2011, "noise", &noise)); /* the seed */

  for (int i = 0; i < STEPS; i++)
    PL_OK(pl,
          pl_par_loop(step, walkers, pl_arg_direct(position, PL_RW), pl_arg_random(noise, PL_ID, PL_DIRECT)));
  PL_OK(pl, pl_par_loop(spread, walkers, pl_arg_gbl(sum, PL_INC), pl_arg_direct(position, PL_READ)));
  PL_OK(pl, pl_global_get(sum, &squares));
  printf("mean square of the distance: %.3f\n", squares / WALKERS); /* expected: 2 * 100 * 0.1^2 = 2 */
  pl_finalize(&pl);
  return 0;
}
