/* SPDX-License-Identifier: BSD-2-Clause
 * The kernel's call, the words of an element's statements, and which statements they are
 * (codegen/templates/loop/element.loop.inc).
 */
#pragma once

#include "load_store.h"
#include "codegen/text/template.h"

pl_word pl_element_word(const pl_body *b, const char *name);
