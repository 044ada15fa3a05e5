/* SPDX-License-Identifier: BSD-2-Clause
 * Loops over pairs on devices.
 */
#ifndef PLAIT_CODEGEN_PAIR_PAIR_DEVICE_H
#define PLAIT_CODEGEN_PAIR_PAIR_DEVICE_H

#include "codegen/element/body.h"

void pl_print_pair_device(const pl_body *b); /* pl_run() */

#endif
