/* SPDX-License-Identifier: BSD-2-Clause
 * The gather of a matrix: one row a work item, from records of the elements whose local tensors have a part
 * of it (plan/execution/row_records.h).
 */
#pragma once

#include "codegen/text/template.h"

pl_word pl_row_gather_word(const pl_body *b, const char *name);

void pl_print_gather_by_row(const pl_body *b); /* the whole kernel */
