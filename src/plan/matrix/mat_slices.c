/* SPDX-License-Identifier: BSD-2-Clause
 * Slices: made from the pattern when a device first multiplies twice, filled by a loop, multiplied by a loop
 * over the rows that gets the arrays as a whole.
 */
#include "mat_slices.h"
#include "product_order.h"
#include "core/comm/comm.h"
#include "core/context/string_builder.h"
#include "core/data/objects.h"
#include "core/exchange/halo.h"
#include "mat_kernel.h"
#include "core/threads/threads.h"
#include "plan/sparsity/narrow_columns.h"
#include <string.h>

enum { SLICE = PL_SLICE_ROWS, AHEAD = 8 /* loads in flight */ };

struct pl_slices {
  pl_set *slices, *blocks, *values; /* numbers (find_shape); padded entries; their values */
  pl_dat *begin, *column;
  pl_map *source; /* of each padded value the one of the matrix, or -1 */
  bool narrow;    /* columns of 16 bits */
};

/* ---- shape ---- */

static int block_size(const pl_sparsity *s)
{
  return s->block[0] * s->block[1];
}

/* Groups of a slice. */
static int longest_row(const pl_pattern *p, int slice)
{
  const int end = pl_slice_end(p, slice);
  int longest = 0;
  for (int r = slice * SLICE; r < end; r++)
    if (p->offset[r + 1] - p->offset[r] > longest) longest = p->offset[r + 1] - p->offset[r];
  return longest;
}

/* Fills begin[] of all slices, behind pl_narrow_far(). *groups may be too many for arrays of the library. */
static void find_shape(const pl_sparsity *s, int *begin, int64_t *groups, bool *narrow)
{
  const int n = pl_slice_count(&s->pattern);
  *groups = 0;
  *narrow = true;
  *begin++ = pl_narrow_far(s->columns);
  for (int i = 0; i < n; i++) {
    begin[2 * i] = (int)*groups;
    *narrow &= pl_slice_is_narrow(&s->pattern, s->columns, i, &begin[2 * i + 1]);
    *groups += longest_row(&s->pattern, i);
  }
  begin[2 * n] = (int)*groups;
}

/* ---- arrays ---- */

static int place_of(int column, int far, int lowest, bool narrow)
{
  return narrow ? pl_narrow_number(column, far, lowest) : column - lowest;
}

static void fill_slice(const pl_sparsity *s, const int *begin, int slice, bool narrow, void *column,
                       int *source)
{
  const pl_pattern *p = &s->pattern;
  const int n = block_size(s), first = begin[2 * slice + 1], lowest = begin[2 * slice + 2];
  const int row_end = pl_slice_end(p, slice);
  const size_t end = (size_t)begin[2 * slice + 3] * SLICE;
  for (size_t i = (size_t)first * SLICE; i < end; i++) {
    const int r = slice * SLICE + (int)(i % SLICE), k = (int)(i / SLICE) - first;
    const bool held = r < row_end && k < p->offset[r + 1] - p->offset[r];
    const int block = held ? p->offset[r] + k : -1,
              place = held ? place_of(p->column[block], begin[0], lowest, narrow) : -1;
    if (narrow)
      ((uint16_t *)column)[i] = (uint16_t)place;
    else
      ((int *)column)[i] = place;
    for (int v = 0; v < n; v++)
      source[(i / SLICE * (size_t)n + (size_t)v) * SLICE + i % SLICE] = held ? block * n + v : -1;
  }
}

static pl_err fill_slices(pl_sparsity *s, struct pl_slices *made, const int *begin)
{
  const int nslices = pl_slice_count(&s->pattern);
  const size_t nvalues = (size_t)made->values->end[1];
  int *source, *to = pl_dat_host(made->begin, true);
  void *column = pl_dat_host(made->column, true);
  PL_TRY(PL_NEW_ARRAY(s->node.pl, source, nvalues + 1));
  pl_err err = to && column ? PL_SUCCESS : PL_ERR_MEMORY;
  if (!err) {
    memcpy(to, begin, (2 * (size_t)nslices + 2) * sizeof *to);
    const int threads = pl_plan_threads(nslices, nvalues);
    PL_PARALLEL_FOR(threads)
    for (int i = 0; i < nslices; i++) fill_slice(s, begin, i, made->narrow, column, source);
    pl_dat_host_written(made->begin);
    pl_dat_host_written(made->column);
    err = pl_map_enter(made->values, s->slots, 1, source, "slices", &made->source);
  } else {
    pl_free_array(s->node.pl, source);
  }
  if (!err) made->source->node.internal = made->source->locality_checked = made->source->has_negative = true;
  return err;
}

static pl_err make_arrays(pl_sparsity *s, struct pl_slices *made, const int *begin, int64_t groups)
{
  pl_context *pl = s->node.pl;
  PL_TRY(pl_internal_set_new(pl, 2 * (int64_t)pl_slice_count(&s->pattern) + 2, "slices", &made->slices));
  PL_TRY(pl_internal_set_new(pl, groups * SLICE, "slices", &made->blocks));
  PL_TRY(pl_internal_set_new(pl, groups * SLICE * block_size(s), "slices", &made->values));
  pl_err err = pl_dat_new(made->slices, PL_INT32, "slices", &made->begin);
  if (!err) err = pl_dat_new(made->blocks, made->narrow ? PL_UINT16 : PL_INT32, "slices", &made->column);
  if (!err) err = fill_slices(s, made, begin);
  return pl_agree(pl, err);
}

/* *fits: all ranks have slices now; else some rank has too many values. */
static pl_err make_slices(pl_sparsity *s, bool *fits)
{
  pl_context *pl = s->node.pl;
  int *begin = pl_calloc(pl, 2 * (size_t)pl_slice_count(&s->pattern) + 2, sizeof *begin);
  int64_t groups = 0;
  bool narrow = true;
  s->slices = pl_calloc(pl, 1, sizeof *s->slices);
  pl_err err = pl_agree(pl, begin && s->slices ? PL_SUCCESS : pl_fail_memory(pl, sizeof *s->slices));
  if (!err) {
    find_shape(s, begin, &groups, &narrow);
    *fits = pl_comm_all(pl, groups * SLICE * block_size(s) <= INT32_MAX);
    s->slices->narrow = pl_comm_all(pl, narrow);
    if (*fits) err = make_arrays(s, s->slices, begin, groups);
  }
  pl_free(pl, begin);
  if (err) pl_slices_free(s);
  return err;
}

void pl_slices_free(pl_sparsity *s)
{
  struct pl_slices *made = s->slices;
  if (!made) return;
  if (made->source) pl_map_destroy(&made->source->node);
  pl_dat *const dats[] = {made->begin, made->column};
  pl_set *const sets[] = {made->slices, made->blocks, made->values};
  for (int i = 0; i < 2; i++)
    if (dats[i]) pl_dat_destroy(&dats[i]->node);
  for (int i = 0; i < 3; i++)
    if (sets[i]) pl_set_destroy(&sets[i]->node);
  pl_free(s->node.pl, made);
  s->slices = NULL;
}

size_t pl_slices_bytes(const pl_sparsity *s)
{
  const struct pl_slices *made = s->slices;
  if (!made || !made->values) return 0;
  return (size_t)made->slices->end[1] * sizeof(int) +
         (size_t)made->blocks->end[1] * (made->narrow ? sizeof(uint16_t) : sizeof(int)) +
         (size_t)made->values->end[1] * sizeof(int);
}

/* ---- values ---- */

static void print_copy(pl_string *text, const char *name, const pl_mat *a, int vectors, int variant)
{
  (void)vectors, (void)variant;
  const char *type = pl_type_name(a->type);
  pl_string_add(text, "void %s(%s *to, const %s *from)\n{\n  to[0] = from[0];\n}\n", name, type, type);
}

/* The copy of the values, made when these are not those of the last product. */
static pl_err copy_values(pl_mat *a)
{
  const struct pl_slices *made = a->sparsity->slices;
  const pl_kernel *kernel;
  if (a->sliced && a->sliced_version == a->values->version) return PL_SUCCESS;
  pl_err err = a->sliced ? PL_SUCCESS : pl_dat_new(made->values, a->type, "slices", &a->sliced);
  if (!err) err = pl_mat_kernel(a, "pl_mat_slice", 1, print_copy, 0, &kernel);
  PL_TRY(pl_agree(a->node.pl, err));
  PL_TRY(pl_par_loop(kernel, made->values, pl_arg_direct(a->sliced, PL_WRITE),
                     pl_arg_dat(a->values, 0, made->source, PL_READ)));
  a->sliced_version = a->values->version;
  return PL_SUCCESS;
}

/* Slices with the values of the matrix. *fits: there are such. */
static pl_err prepare_slices(pl_mat *a, bool *fits)
{
  pl_sparsity *s = a->sparsity;
  *fits = true;
  if (!s->slices) PL_TRY(make_slices(s, fits));
  *fits = s->slices->values != NULL;
  return *fits ? copy_values(a) : PL_SUCCESS;
}

pl_err pl_mat_slice_arrays(pl_mat *a, pl_slice_arrays *arrays)
{
  bool fits;
  *arrays = (pl_slice_arrays){NULL, NULL, NULL, false};
  PL_TRY(pl_mat_ready(a));
  if (!a->on_devices) return PL_SUCCESS;
  PL_TRY(pl_before_access(&a->values->node, false)); /* recorded loops that modify it */
  PL_TRY(prepare_slices(a, &fits));
  const struct pl_slices *made = a->sparsity->slices;
  if (fits) *arrays = (pl_slice_arrays){made->begin, made->column, a->sliced, made->narrow};
  return PL_SUCCESS;
}

/* ---- the product ---- */

/* Blocks whose columns and values are loaded before the first is used. */
static int blocks_ahead(const pl_sparsity *s)
{
  const int n = block_size(s);
  return n == 1 ? AHEAD : n <= AHEAD ? 4 : 2;
}

/* A loop that is unrolled, so that arrays stay in registers. */
static void print_loop(pl_string *text, int depth, const char *index, int n)
{
  pl_string_add(text, "%*sPL_UNROLL(%d) for (int %s = 0; %s < %d; %s++)", depth, "", n, index, index, n,
                index);
}

/* Whether columns c[k] from PL_NARROW_FAR on are counted from slice->value[0], not from `lowest`. */
static bool has_far_columns(const pl_sparsity *s)
{
  return s->slices->narrow && pl_ranks(s->node.pl) > 1;
}

static void print_loads(pl_string *text, const pl_sparsity *s)
{
  const int n = block_size(s), ahead = blocks_ahead(s), none = s->slices->narrow ? PL_NARROW_NONE : -1;
  char column[64];
  pl_narrow_print(column, sizeof column, "c[k]", has_far_columns(s));
  print_loop(text, 4, "k", ahead);
  pl_string_add(text,
                " {\n      const int held = first + k < end;\n"
                "      const size_t group = (size_t)(first + k);\n"
                "      c[k] = held ? (int)column->value[group * %d + (size_t)lane] : %d;\n",
                SLICE, none);
  print_loop(text, 6, "i", n);
  pl_string_add(
    text,
    "\n        v[k][i] = held ? a->value[(group * %d + (size_t)i) * %d + (size_t)lane] : none;\n    }\n", n,
    SLICE);
  print_loop(text, 4, "k", ahead);
  print_loop(text, 1, "j", s->block[1]);
  pl_string_add(text, "\n      u[k][j] = c[k] != %d ? pl_value_of(x, lowest + %s, j) : none;\n", none,
                column);
}

static void print_sums(pl_string *text, const pl_mat *a)
{
  const pl_sparsity *s = a->sparsity;
  char value[32];
  snprintf(value, sizeof value, "v[k][i * %d + j]", s->block[1]);
  print_loop(text, 4, "k", blocks_ahead(s));
  print_loop(text, 1, "i", s->block[0]);
  print_loop(text, 1, "j", s->block[1]);
  pl_string_add(text, "\n      ");
  pl_mat_print_add(text, a, false, "sum[i]", value, "u[k][j]");
  pl_string_add(text, "  }\n");
  print_loop(text, 2, "i", s->block[0]);
  pl_string_add(text, " y[i] = sum[i];\n");
}

static void print_row(pl_string *text, const char *name, const pl_mat *a, int vectors, int sums)
{
  (void)vectors;
  const pl_sparsity *s = a->sparsity;
  const char *type = pl_type_name(a->type);
  const int ahead = blocks_ahead(s);
  pl_string_add(text,
                "void %s(%s *y, const pl_row_%s *x, const int64_t *row, const pl_row_int32_t *slice,\n"
                "  const pl_row_%s *column, const pl_row_%s *a",
                name, type, type, s->slices->narrow ? "uint16_t" : "int32_t", type);
  pl_mat_print_params_end(text, a, sums);
  pl_string_add(text,
                "  const int s = (int)(row[0] / %d), lane = (int)(row[0] %% %d);\n"
                "  const int begin = slice->value[2 * s + 1], lowest = slice->value[2 * s + 2],\n"
                "            end = slice->value[2 * s + 3];\n",
                SLICE, SLICE);
  if (has_far_columns(s)) pl_string_add(text, "  const int far = slice->value[0] - lowest;\n");
  pl_string_add(text,
                "  const %s none = {0};\n  %s sum[%d] = {0};\n"
                "  for (int first = begin; first < end; first += %d) {\n"
                "    int c[%d];\n    %s v[%d][%d], u[%d][%d];\n",
                type, type, s->block[0], ahead, ahead, type, ahead, block_size(s), ahead, s->block[1]);
  print_loads(text, s);
  print_sums(text, a);
  pl_mat_print_end(text, a, sums);
}

/* Whether the last product had the same values. */
static bool has_last_values(pl_mat *a)
{
  const bool same = a->multiplied && a->multiplied_version == a->values->version;
  a->multiplied = true;
  a->multiplied_version = a->values->version;
  return same;
}

pl_err pl_mat_multiply_slices(pl_mat *a, pl_dat *x, pl_dat *y, const pl_product_sums *sums, bool *done)
{
  const pl_mat_sums kind = pl_mat_sums_of(sums);
  pl_sparsity *s = a->sparsity;
  const pl_kernel *kernel;
  *done = false;
  if (!a->on_devices) return PL_SUCCESS;
  PL_TRY(pl_before_access(&a->values->node, false)); /* recorded loops that modify it */
  bool fits;
  if (!has_last_values(a)) return PL_SUCCESS;
  PL_TRY(prepare_slices(a, &fits));
  if (!fits) return PL_SUCCESS;
  char name[40];
  snprintf(name, sizeof name, "pl_mat_product_%s%s", s->slices->narrow ? "narrow" : "wide",
           pl_mat_sums_name(kind));
  pl_set *rows;
  PL_TRY(pl_interior_rows(s, &rows));
  PL_TRY(pl_agree_on_error(a->node.pl, pl_mat_kernel(a, name, 1, print_row, kind, &kernel)));
  *done = true;
  pl_arg args[6 + PL_MAT_SUM_ARGS] = {pl_arg_direct(y, PL_WRITE),
                                      pl_arg_dat(x, PL_ALL, s->coupled, PL_READ),
                                      pl_arg_idx(PL_WHOLE, PL_DIRECT),
                                      pl_arg_dat(s->slices->begin, PL_WHOLE, PL_DIRECT, PL_READ),
                                      pl_arg_dat(s->slices->column, PL_WHOLE, PL_DIRECT, PL_READ),
                                      pl_arg_dat(a->sliced, PL_WHOLE, PL_DIRECT, PL_READ)};
  return pl_par_loop_args(kernel, rows, 6 + pl_mat_sum_args(x, sums, args + 6), args);
}
