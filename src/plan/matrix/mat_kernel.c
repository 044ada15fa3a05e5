/* SPDX-License-Identifier: BSD-2-Clause
 * Kernels of matrices, found by their names.
 */
#include "mat_kernel.h"
#include "plan/base/own_kernel.h"
#include "core/base/scalar_arithmetic.h"
#include "core/base/scalar_type.h"
#include "core/data/objects.h"

pl_err pl_mat_kernel(const pl_mat *a, const char *what, int vectors, pl_mat_kernel_printer print, int variant,
                     const pl_kernel **kernel)
{
  pl_context *pl = a->node.pl;
  const int *block = a->sparsity->block;
  char name[96];
  pl_string text;
  const int length =
    snprintf(name, sizeof name, "%s_%s_%dx%d", what, pl_type_name(a->type), block[0], block[1]);
  if (vectors > 1) snprintf(name + length, sizeof name - (size_t)length, "_%d", vectors);
  if ((*kernel = pl_own_kernel(pl, name))) return PL_SUCCESS;
  pl_string_init(&text, pl);
  print(&text, name, a, vectors, variant);
  pl_err err = pl_string_check(&text);
  if (!err) err = pl_own_kernel_new(pl, name, pl_string_chars(&text), kernel);
  pl_string_free(&text);
  return err;
}

void pl_mat_print_add(pl_string *text, const pl_mat *a, bool conjugate, const char *sum, const char *value,
                      const char *x)
{
  const char *type = pl_type_name(a->type);
  if (!pl_type_is_complex(a->type))
    pl_string_add(text, "%s += %s * %s;\n", sum, value, x);
  else
    pl_string_add(text, "{ const %s y = %s, x = %s; %s z = %s; %s %s = z; }\n", type, x, value, type, sum,
                  pl_compute_text(a->type, conjugate ? PL_ADD_INNER : PL_ADD_PRODUCT), sum);
}

void pl_mat_print_params_end(pl_string *text, const pl_mat *a, pl_mat_sums sums)
{
  const char *type = pl_type_name(a->type);
  if (sums) pl_string_add(text, ", const %s *own, double *inner", type);
  if (sums == PL_MAT_SUMS) pl_string_add(text, ", const %s *other, double *others, double *square", type);
  pl_string_add(text, ")\n{\n");
}

static void print_sum(pl_string *text, const pl_mat *a, const char *sum, const char *x, const char *y)
{
  pl_string_add(text, "  for (int i = 0; i < %d; i++) *%s += (double)%s[i] * %s[i];\n", a->sparsity->block[0],
                sum, x, y);
}

void pl_mat_print_end(pl_string *text, const pl_mat *a, pl_mat_sums sums)
{
  if (sums) print_sum(text, a, "inner", "own", "sum");
  if (sums == PL_MAT_SUMS) print_sum(text, a, "others", "other", "own");
  if (sums == PL_MAT_SUMS) print_sum(text, a, "square", "own", "own");
  pl_string_add(text, "}\n");
}

int pl_mat_sum_args(pl_dat *x, const pl_product_sums *sums, pl_arg *arg)
{
  if (!sums) return 0;
  arg[0] = pl_arg_direct(x, PL_READ);
  arg[1] = pl_arg_gbl(sums->inner, PL_INC);
  if (!sums->other) return 2;
  arg[2] = pl_arg_direct(sums->other, PL_READ);
  arg[3] = pl_arg_gbl(sums->others, PL_INC);
  arg[4] = pl_arg_gbl(sums->square, PL_INC);
  return PL_MAT_SUM_ARGS;
}
