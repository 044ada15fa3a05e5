/* SPDX-License-Identifier: BSD-2-Clause
 * The statements of one element: targets, loads, the kernel's call, stores, reductions.
 */
#pragma once

#include "load_store.h"
#include "reduce.h"

void pl_body_call(const pl_body *b);
void pl_body_element(const pl_body *b); /* all of it */
