/* SPDX-License-Identifier: BSD-2-Clause
 * Loops in blocks: a producer's values are computed for the targets of a block of elements, once each, into
 * the block's own memory, before the block's elements use them. The loop's kernel is called in two phases,
 * without the arguments of the other phase.
 *
 * Names in the text: block_NAME the block's values, pl_blocks where each block's targets begin, pl_i the
 * number of a target in its block.
 */
#pragma once

#include "codegen/text/body.h"

enum { PL_BLOCK_BYTES = 32 << 10, PL_BLOCK_ELEMENTS = 128 };

void pl_declare_block_values(const pl_body *b); /* double block_flux[130]; */
void pl_print_producer(const pl_body *b);       /* target pl_i of the block */
void pl_print_consumer(const pl_body *b);       /* element pl_e */
