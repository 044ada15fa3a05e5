/* SPDX-License-Identifier: BSD-2-Clause
 * C that is not C++, for targets whose language is C++.
 */
#pragma once

#include "writer.h"

/* Writes what C++ says differently at token i; called for each token in order. */
void pl_write_cplusplus(pl_writer *w, int i);
