/* SPDX-License-Identifier: BSD-2-Clause
 * The transposed form.
 */
#include "transpose.h"

void pl_print_transpose_prelude(const pl_body *b)
{
  (void)b;
}

void pl_print_transpose(const pl_body *b)
{
  (void)b;
}
