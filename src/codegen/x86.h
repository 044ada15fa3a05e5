/* SPDX-License-Identifier: BSD-2-Clause
 * Where instructions of x86 processors begin, in code of 64 bits.
 */
#ifndef PLAIT_CODEGEN_X86_H
#define PLAIT_CODEGEN_X86_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the instruction that begins at `code`, with `size` bytes left; 0: it is cut off. What is no
 * instruction has some length too. */
size_t pl_x86_length(const unsigned char *code, size_t size);

/* Whether one of the instructions is vfmaddsub or vfmsubadd; `code` is where one begins. */
bool pl_x86_contracts_pairs(const unsigned char *code, size_t size);

#endif
