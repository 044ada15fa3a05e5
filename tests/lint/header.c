/* SPDX-License-Identifier: BSD-2-Clause
 * The public header in use, for every version of C.
 */
#include <plait.h>
#include <plait_dlpack.h>
#include <plait_fields.h>

PL_FUNCTION(double, square, (double x), { return x * x; })
PL_KERNEL(add_square, (const pl_real *x, pl_real *sum), { *sum += square(*x); })

int use_header(pl_context *pl, pl_set *set, pl_dat *dat, pl_global *sum);

int use_header(pl_context *pl, pl_set *set, pl_dat *dat, pl_global *sum)
{
  pl_loop *loop;
  PL_OK(pl, pl_decl_function(pl, square));
  PL_OK(pl, pl_decl_fields(pl));
  PL_OK(pl,
        pl_par_loop(add_square, set, pl_arg_dat(dat, PL_ID, PL_DIRECT, PL_READ), pl_arg_gbl(sum, PL_INC)));
  PL_OK(pl, pl_loop_create(&loop, add_square, set, pl_arg_opt(pl_arg_dat(dat, PL_ID, PL_DIRECT, PL_READ), 1),
                           pl_arg_gbl(sum, PL_INC)));
  PL_OK(pl, pl_loop_run(loop));
  pl_loop_free(&loop);
  return (int)pl_type_size(PL_DOUBLE);
}
