/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs on devices.
 */
#pragma once

#include "codegen/text/template.h"

pl_word pl_pair_device_word(const pl_body *b, const char *name);

void pl_print_pair_device(const pl_body *b); /* pl_run() */
