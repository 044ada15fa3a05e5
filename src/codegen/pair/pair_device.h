/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs on devices.
 */
#pragma once

#include "codegen/element/body.h"

void pl_print_pair_device(const pl_body *b); /* pl_run() */
