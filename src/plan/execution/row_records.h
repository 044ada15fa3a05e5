/* SPDX-License-Identifier: BSD-2-Clause
 * Records of a matrix's rows: for each row the elements whose local tensors have a part of it, with the
 * places of the tensor's columns in the row. A work item that computes one row reads nothing else of maps and
 * pattern.
 *
 * A record has words of the element (pl_rows, inverse_map.h) and then fields of `bits` bits: the place of
 * each column of blocks in the row, all ones for a column without values; and the slot, the tensor's row, if
 * there is one section. Padding has ones in all fields. Records lie in slices of PL_SLICE rows; with several
 * sections, section s of a slice has the records of slot s. cut[slice * sections + s] is where a section
 * begins, counted in groups of one record for each row of the slice.
 */
#pragma once

#include "core/mesh/map.h"
#include "inverse_map.h"

enum { PL_SLICE = 32, PL_ONE_SECTION = 16 }; /* values of a tensor whose rows share a section */

/* How records lie in memory, known from the map and the bits. */
typedef struct pl_record_shape {
  int sections, columns, bits;
  int nfields, nwords; /* words of fields; of a record */
  int unit;            /* words that lie together */
} pl_record_shape;

typedef struct pl_row_records {
  pl_record_shape shape;
  int nslices;
  size_t length;
  int *cut, *word;
  bool gaps; /* some record has a column without values */
} pl_row_records;

/* Bits of a field: 8 or 16; 0: a row of the matrix has too many blocks. */
int pl_record_bits(const pl_tensor_rows *rows);
pl_record_shape pl_record_shape_of(const pl_map *positions, int nwords, int bits);

/* The slots of `inverse` are the targets of the tensor's rows. */
pl_err pl_row_records_build(pl_context *pl, const pl_inverse *inverse, const pl_map *positions,
                            const pl_row_words *words, int bits, pl_row_records *records);
void pl_row_records_free(pl_context *pl, pl_row_records *records);
