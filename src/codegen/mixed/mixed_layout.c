/* SPDX-License-Identifier: BSD-2-Clause
 * The layout of mixed arguments.
 */
#include "mixed_layout.h"

int pl_mixed_part(const pl_mixed_arg *a, int side, int i)
{
  const pl_mixed_map *m = a->map[side];
  return m ? m->map[i]->arity * m->to->dim[i] : 1;
}

pl_mixed_arg pl_mixed_layout(const pl_arg *arg)
{
  pl_mixed_arg a = {.arg = arg, .n = {1, 1}, .tensor = arg->kind == PL_ARG_MIXED_MAT};
  if (arg->kind != PL_ARG_MIXED_DAT && !a.tensor) return a;
  a.split = !a.tensor || ((const pl_mixed_mat *)arg->object)->form == PL_MIXED_NESTED;
  a.map[0] = (const pl_mixed_map *)(const void *)arg->map;
  a.map[1] = (const pl_mixed_map *)(const void *)arg->columns;
  for (int side = 0; side < 2; side++) {
    a.n[side] = a.map[side] ? a.map[side]->to->n : 1;
    for (int i = 0; i < a.n[side]; i++) a.values[side] += pl_mixed_part(&a, side, i);
  }
  for (int i = 0; i < a.n[0]; i++) a.targets += a.map[0]->map[i]->arity;
  return a;
}

pl_arg pl_mixed_part_arg(const pl_mixed_arg *a, int i, int j)
{
  pl_arg part = *a->arg;
  part.kind = a->tensor ? PL_ARG_MATRIX : PL_ARG_DAT;
  part.map = a->map[0]->map[i];
  part.columns = a->tensor ? a->map[1]->map[j] : NULL;
  part.object = a->tensor ? (void *)((const pl_mixed_mat *)a->arg->object)->block[i * a->n[1] + j]
                          : (void *)((const pl_mixed_dat *)a->arg->object)->dat[i];
  return part;
}
