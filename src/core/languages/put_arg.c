/* SPDX-License-Identifier: BSD-2-Clause
 * The inline functions of loop arguments for other languages: each writes its result to an array.
 */
#include "plait.h"

/* Without an array nothing is written; the call that takes it refuses NULL. */
static void put(pl_arg *args, int position, pl_arg arg)
{
  if (args) args[position] = arg;
}

static pl_arg at(const pl_arg *args, int position)
{
  return args ? args[position] : (pl_arg){.size = 0};
}

void pl_put_arg_dat(pl_arg *args, int position, pl_dat *dat, int index, pl_map *map, pl_access access)
{
  put(args, position, pl_arg_dat(dat, index, map, access));
}

void pl_put_arg_direct(pl_arg *args, int position, pl_dat *dat, pl_access access)
{
  put(args, position, pl_arg_direct(dat, access));
}

void pl_put_arg_gbl(pl_arg *args, int position, pl_global *global, pl_access access)
{
  put(args, position, pl_arg_gbl(global, access));
}

void pl_put_arg_payload(pl_arg *args, int position, pl_global *global, pl_global *of)
{
  put(args, position, pl_arg_payload(global, of));
}

void pl_put_arg_const(pl_arg *args, int position, pl_const *constant, pl_access access)
{
  put(args, position, pl_arg_const(constant, access));
}

void pl_put_arg_idx(pl_arg *args, int position, int index, pl_map *map)
{
  put(args, position, pl_arg_idx(index, map));
}

void pl_put_arg_random(pl_arg *args, int position, pl_random *random, int index, pl_map *map)
{
  put(args, position, pl_arg_random(random, index, map));
}

void pl_put_arg_ptr(pl_arg *args, int position, void *pointer)
{
  put(args, position, pl_arg_ptr(pointer));
}

void pl_put_arg_difference(pl_arg *args, int position, pl_dat *dat)
{
  put(args, position, pl_arg_difference(dat));
}

void pl_put_arg_distance2(pl_arg *args, int position, pl_dat *dat)
{
  put(args, position, pl_arg_distance2(dat));
}

void pl_put_arg_mat(pl_arg *args, int position, pl_mat *mat, pl_map *rows, pl_map *columns, pl_access access)
{
  put(args, position, pl_arg_mat(mat, rows, columns, access));
}

void pl_put_arg_mixed_dat(pl_arg *args, int position, pl_mixed_dat *dat, pl_mixed_map *map, pl_access access)
{
  put(args, position, pl_arg_mixed_dat(dat, map, access));
}

void pl_put_arg_mixed_mat(pl_arg *args, int position, pl_mixed_mat *mat, pl_mixed_map *rows,
                          pl_mixed_map *columns, pl_access access)
{
  put(args, position, pl_arg_mixed_mat(mat, rows, columns, access));
}

void pl_put_arg_component(pl_arg *args, int position, int component)
{
  put(args, position, pl_arg_component(at(args, position), component));
}

void pl_put_arg_zeroed(pl_arg *args, int position)
{
  put(args, position, pl_arg_zeroed(at(args, position)));
}

void pl_put_arg_masked(pl_arg *args, int position, pl_dat *row_mask, pl_dat *column_mask)
{
  put(args, position, pl_arg_masked(at(args, position), row_mask, column_mask));
}

void pl_put_arg_opt(pl_arg *args, int position, int on)
{
  put(args, position, pl_arg_opt(at(args, position), on));
}

void pl_put_arg_fixed(pl_arg *args, int position, int bits)
{
  put(args, position, pl_arg_fixed(at(args, position), bits));
}
