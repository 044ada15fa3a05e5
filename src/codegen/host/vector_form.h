/* SPDX-License-Identifier: BSD-2-Clause
 * The vector form: records go in and out as in the transposed form, and between them one call of the kernel's
 * copy for several elements (codegen/source/vector_source.h) takes the place of the lane loop. The compiler
 * need not find the vectors, so it serves kernels with loops and large tensors.
 */
#pragma once

#include "codegen/text/template.h"

/* Whether the kernel has such a copy for the arguments of the loop. Errors: PL_ERR_MEMORY. */
pl_err pl_vector_form_find(const pl_loop *loop, const pl_signature *signature, bool *possible);

pl_word pl_vector_word(const pl_body *b, const char *name);
