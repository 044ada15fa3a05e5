/* SPDX-License-Identifier: BSD-2-Clause
 * HDF5 files through the module of HDF5, and the conventions of all files.
 */
#include "core/comm/comm.h"
#include "core/context/context.h"
#include "hdf5_file.h"
#include <string.h>

/* ---- conventions ---- */

pl_err pl_h5_agree(pl_context *pl, pl_err err)
{
  return pl ? pl_agree(pl, err) : err;
}

pl_h5_block pl_h5_block_of(const pl_context *pl, int64_t total)
{
  return pl_h5_block_of_rank(pl, total, pl_rank(pl));
}

pl_h5_block pl_h5_block_of_rank(const pl_context *pl, int64_t total, int rank)
{
  int64_t ranks = pl_ranks(pl);
  int64_t each = total / ranks, more = total % ranks; /* the first `more` ranks have one row more */
  return (pl_h5_block){total, rank * each + (rank < more ? rank : more), each + (rank < more)};
}

int pl_h5_rank_of_row(const pl_context *pl, int64_t total, int64_t row)
{
  int64_t ranks = pl_ranks(pl), each = total / ranks, more = total % ranks;
  if (row < more * (each + 1)) return (int)(row / (each + 1));
  return (int)(more + (row - more * (each + 1)) / each);
}

/* Both steps of mixing can be inverted, so different words at one place have different terms. */
static uint64_t checksum_term(uint64_t word, uint64_t place)
{
  word = (word ^ place * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
  return (word ^ word >> 32) * UINT64_C(0x94d049bb133111eb);
}

uint64_t pl_h5_checksum(const pl_h5_block *b, size_t row_bytes, const void *values)
{
  const char *at = values;
  const size_t whole = row_bytes / 8, rest = row_bytes % 8;
  uint64_t sum = 0, word, place = (uint64_t)b->first * (whole + (rest > 0)) + 1;
  for (int64_t row = 0; row < b->count; row++, at += rest) {
    for (size_t k = 0; k < whole; k++, at += 8) {
      memcpy(&word, at, 8);
      sum += checksum_term(word, place++);
    }
    if (!rest) continue;
    word = 0;
    memcpy(&word, at, rest);
    sum += checksum_term(word, place++);
  }
  return sum;
}

const char *pl_h5_full_name(const char *kind, const char *name, char buffer[PL_H5_NAME])
{
  snprintf(buffer, PL_H5_NAME, "/%s/%s", kind, name);
  return buffer;
}

/* ---- the module ---- */

pl_err pl_h5_module(pl_context *pl, const char *path, const pl_h5_functions **functions)
{
  *functions = pl_module_functions(pl, PL_MODULE_HDF5);
  return pl_agree(
    pl, *functions ? PL_SUCCESS
                   : pl_fail(pl, PL_ERR_IO, "file \"%s\": %s", path, pl_module_missing(pl, PL_MODULE_HDF5)));
}
