/* SPDX-License-Identifier: BSD-2-Clause
 * C that is not C++, for targets whose language is C++.
 */
#ifndef PLAIT_CODEGEN_SOURCE_WRITE_CPLUSPLUS_H
#define PLAIT_CODEGEN_SOURCE_WRITE_CPLUSPLUS_H

#include "writer.h"

/* Writes what C++ says differently at token i; called for each token in order. */
void pl_write_cplusplus(pl_writer *w, int i);

#endif
