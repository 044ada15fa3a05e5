/* SPDX-License-Identifier: BSD-2-Clause
 * The parameters of a generated kernel.
 */
#pragma once

#include "codegen/text/template.h"

void pl_print_parameters(const pl_emitter *e); /* of a host's function, behind others, up to and with ")" */
/* A device's kernel; its statements are a template. */
void pl_print_kernel(const pl_body *b, const char *comment, const char *name, const pl_param_list *list,
                     const char *statements, const pl_word *words);
const char *pl_parameter_type(const pl_emitter *e, const pl_param_slot *slot); /* behind the pointer */
pl_text pl_parameter_name(const pl_emitter *e, const pl_param_slot *slot);
