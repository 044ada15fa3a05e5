/* SPDX-License-Identifier: BSD-2-Clause
 * C that is not C++, for targets whose language is C++.
 */
#pragma once

#include "writer.h"

/* Writes the text of token i where C++ differs from C; called for each token in order. */
void pl_write_cplusplus(pl_writer *w, int i);
