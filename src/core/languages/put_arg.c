/* SPDX-License-Identifier: BSD-2-Clause
 * The inline functions of loop arguments for other languages: each writes its result to an array.
 */
#include "plait.h"

void pl_put_arg_dat(pl_arg *args, int position, pl_dat *dat, int index, pl_map *map, pl_access access)
{
  args[position] = pl_arg_dat(dat, index, map, access);
}

void pl_put_arg_direct(pl_arg *args, int position, pl_dat *dat, pl_access access)
{
  args[position] = pl_arg_direct(dat, access);
}

void pl_put_arg_gbl(pl_arg *args, int position, pl_global *global, pl_access access)
{
  args[position] = pl_arg_gbl(global, access);
}

void pl_put_arg_payload(pl_arg *args, int position, pl_global *global, pl_global *of)
{
  args[position] = pl_arg_payload(global, of);
}

void pl_put_arg_const(pl_arg *args, int position, pl_const *constant, pl_access access)
{
  args[position] = pl_arg_const(constant, access);
}

void pl_put_arg_idx(pl_arg *args, int position, int index, pl_map *map)
{
  args[position] = pl_arg_idx(index, map);
}

void pl_put_arg_random(pl_arg *args, int position, pl_random *random, int index, pl_map *map)
{
  args[position] = pl_arg_random(random, index, map);
}

void pl_put_arg_ptr(pl_arg *args, int position, void *pointer)
{
  args[position] = pl_arg_ptr(pointer);
}

void pl_put_arg_difference(pl_arg *args, int position, pl_dat *dat)
{
  args[position] = pl_arg_difference(dat);
}

void pl_put_arg_distance2(pl_arg *args, int position, pl_dat *dat)
{
  args[position] = pl_arg_distance2(dat);
}

void pl_put_arg_mat(pl_arg *args, int position, pl_mat *mat, pl_map *rows, pl_map *columns, pl_access access)
{
  args[position] = pl_arg_mat(mat, rows, columns, access);
}

void pl_put_arg_mixed_dat(pl_arg *args, int position, pl_mixed_dat *dat, pl_mixed_map *map, pl_access access)
{
  args[position] = pl_arg_mixed_dat(dat, map, access);
}

void pl_put_arg_mixed_mat(pl_arg *args, int position, pl_mixed_mat *mat, pl_mixed_map *rows,
                          pl_mixed_map *columns, pl_access access)
{
  args[position] = pl_arg_mixed_mat(mat, rows, columns, access);
}

void pl_put_arg_component(pl_arg *args, int position, int component)
{
  args[position] = pl_arg_component(args[position], component);
}

void pl_put_arg_zeroed(pl_arg *args, int position)
{
  args[position] = pl_arg_zeroed(args[position]);
}

void pl_put_arg_masked(pl_arg *args, int position, pl_dat *row_mask, pl_dat *column_mask)
{
  args[position] = pl_arg_masked(args[position], row_mask, column_mask);
}

void pl_put_arg_opt(pl_arg *args, int position, int on)
{
  args[position] = pl_arg_opt(args[position], on);
}

void pl_put_arg_fixed(pl_arg *args, int position, int bits)
{
  args[position] = pl_arg_fixed(args[position], bits);
}
