/* SPDX-License-Identifier: BSD-2-Clause
 * Which forms of host text are right for a loop, and which one is likely to be the fastest.
 */
#pragma once

#include "codegen/loop/emitter.h"

/* The form of a loop on the host: by rules, or as the option shape says where that is right. And all forms
 * that are right (space for PL_FORMS), for the tuner (backends/host_loop/form_tuner.c). All give the same
 * bits but for the order of global sums. `vectors`: the kernel has a copy for several elements
 * (vector_form.h). */
enum { PL_FORMS = 7 };
pl_form pl_form_choose(const pl_loop *loop, bool vectors);
int pl_forms_possible(const pl_loop *loop, bool vectors, pl_form *forms);
const char *pl_form_name(pl_form form);
bool pl_form_find(const char *name, pl_form *form); /* false: no form has that name */

bool pl_form_may_be_vector(const pl_loop *loop); /* if the kernel has a copy for several elements */
bool pl_arg_streams(const pl_arg *arg);          /* can be written past the caches */
