/* SPDX-License-Identifier: BSD-2-Clause
 * Kernels of matrices, found by their names.
 */
#include "mat_kernel.h"
#include "plan/base/own_kernel.h"
#include "core/base/scalar_arithmetic.h"
#include "core/base/scalar_type.h"
#include "plan/base/object_lists.h"

pl_err pl_mat_kernel(const pl_mat *a, const char *what, int vectors, pl_mat_kernel_printer print,
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
  print(&text, name, a, vectors);
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

void pl_mat_print_params_end(pl_string *text, const pl_mat *a, bool inner)
{
  if (inner) pl_string_add(text, ", const %s *own, double *inner", pl_type_name(a->type));
  pl_string_add(text, ")\n{\n");
}

void pl_mat_print_end(pl_string *text, const pl_mat *a, bool inner)
{
  if (inner)
    pl_string_add(text, "  for (int i = 0; i < %d; i++) *inner += (double)own[i] * sum[i];\n",
                  a->sparsity->block[0]);
  pl_string_add(text, "}\n");
}
