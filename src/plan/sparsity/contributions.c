/* SPDX-License-Identifier: BSD-2-Clause
 * Contributions to matrices, and the loop that sums them.
 */
#include "contributions.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/exchange/halo.h"
#include "global_order.h"

/* Of one matrix. */
typedef struct held {
  struct held *next;
  pl_dat *dat;
} held;

struct pl_contributions {
  pl_set *set;
  pl_map *order; /* from a slot to its contributions, in the order of sums */
  held *held;
};

pl_set *pl_contributions_set(const pl_contributions *c)
{
  return c->set;
}

size_t pl_contributions_bytes(const pl_contributions *c)
{
  const pl_map *order = c->order;
  return ((size_t)order->from->end[3] + 1 + pl_map_entries(order)) * sizeof *order->index;
}

/* ---- the order of sums ---- */

/* offset[s] becomes the begin of slot s, where offset[nslots] is the number of all contributions. */
static void count_contributions(size_t n, const int *position, int nslots, int *offset)
{
  for (size_t i = 0; i < n; i++)
    if (position[i] >= 0) offset[position[i] + 1]++;
  for (int s = 0; s < nslots; s++) offset[s + 1] += offset[s];
}

/* offset[s] advances to the begin of slot s + 1 and is moved back at the end. */
static void list_contributions(int n, const int *element, int size, const int *position, int nslots,
                               int *offset, int *list)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < size; k++) {
      const int at = element[i] * size + k;
      if (position[at] >= 0) list[offset[position[at]]++] = at;
    }
  for (int s = nslots; s > 0; s--) offset[s] = offset[s - 1];
  offset[0] = 0;
}

static pl_err make_lists(const pl_set *elements, const pl_set *slots, int size, const int *position,
                         int **offset, int **list)
{
  pl_context *pl = elements->node.pl;
  const int n = elements->end[2], nslots = slots->end[3];
  int *element = NULL;
  PL_TRY(PL_NEW(pl, *offset, (size_t)nslots + 1));
  count_contributions((size_t)n * (size_t)size, position, nslots, *offset);
  PL_TRY(PL_NEW_ARRAY(pl, *list, (size_t)(*offset)[nslots] + 1));
  PL_TRY(pl_global_order(elements, n, &element));
  list_contributions(n, element, size, position, nslots, *offset, *list);
  pl_free(pl, element);
  return PL_SUCCESS;
}

static pl_err make_order(pl_contributions *c, const pl_set *elements, pl_set *slots, int size,
                         const int *position, const char *name)
{
  int *offset = NULL, *list = NULL;
  pl_err err = make_lists(elements, slots, size, position, &offset, &list);
  if (!err) err = pl_map_new(slots, c->set, offset, list, name, &c->order);
  if (err) {
    pl_free(slots->node.pl, offset);
    pl_free_array(slots->node.pl, list);
    return err;
  }
  c->order->node.internal = c->order->internal = c->order->locality_checked = true;
  return PL_SUCCESS;
}

/* ---- creation ---- */

static pl_err check_size(const pl_set *elements, int size, const char *name)
{
  const int64_t values = (int64_t)elements->end[2] * size;
  if (values <= INT32_MAX) return PL_SUCCESS;
  return pl_fail(
    elements->node.pl, PL_ERR_RANGE,
    "sparsity \"%s\": option reproducible keeps the %lld values of all local tensors on one rank; the "
    "limit is %d, use more ranks",
    name, (long long)values, INT32_MAX);
}

pl_err pl_contributions_new(const pl_map_pair *pair, pl_set *slots, int size, const int *position,
                            const char *name, pl_contributions **result)
{
  pl_context *pl = slots->node.pl;
  const pl_set *elements = pair->rows->from;
  PL_TRY(pl_agree(pl, check_size(elements, size, name)));
  pl_contributions *c = pl_calloc(pl, 1, sizeof *c);
  pl_err err = pl_agree(pl, c ? PL_SUCCESS : pl_fail_memory(pl, sizeof *c));
  if (!err) err = pl_internal_set_new(pl, (int64_t)elements->end[2] * size, name, &c->set);
  if (!err) err = pl_agree(pl, make_order(c, elements, slots, size, position, name));
  if (err) return pl_contributions_free(pl, c), err;
  *result = c;
  return PL_SUCCESS;
}

/* ---- dats ---- */

static pl_err make_dat(pl_contributions *c, pl_node *mat, pl_type type)
{
  pl_context *pl = mat->pl;
  held *h = pl_calloc(pl, 1, sizeof *h);
  if (!h) return pl_fail_memory(pl, sizeof *h);
  pl_err err = pl_dat_new(c->set, type, mat->name, &h->dat);
  if (err) return pl_free(pl, h), err;
  h->dat->matrix = mat;
  h->next = c->held;
  c->held = h;
  return PL_SUCCESS;
}

/* After a loop that failed they start from zeros again. */
pl_err pl_contributions_dat(pl_contributions *c, pl_node *mat, pl_type type, pl_dat **dat)
{
  for (held *h = c->held; h; h = h->next)
    if (h->dat->matrix == mat) {
      *dat = h->dat;
      return h->dat->node.failure.code ? pl_dat_zero(h->dat) : PL_SUCCESS;
    }
  PL_TRY(pl_agree(mat->pl, make_dat(c, mat, type)));
  *dat = c->held->dat;
  return PL_SUCCESS;
}

static void free_held(pl_context *pl, held **link)
{
  held *h = *link;
  *link = h->next;
  pl_dat_destroy(&h->dat->node);
  pl_free(pl, h);
}

void pl_contributions_forget(pl_contributions *c, const pl_node *mat)
{
  for (held **link = &c->held; *link; link = &(*link)->next)
    if ((*link)->dat->matrix == mat) {
      free_held(mat->pl, link);
      return;
    }
}

void pl_contributions_free(pl_context *pl, pl_contributions *c)
{
  if (!c) return;
  while (c->held) free_held(pl, &c->held);
  if (c->order) pl_map_destroy(&c->order->node);
  if (c->set) pl_set_destroy(&c->set->node);
  pl_free(pl, c);
}

/* ---- sums ---- */

PL_KERNEL(mat_sum_double, (double *value, const pl_row_double *part), {
  for (int k = 0; k < part->count; k++) value[0] += pl_at(part, k, 0);
})
PL_KERNEL(mat_sum_float, (float *value, const pl_row_float *part), {
  for (int k = 0; k < part->count; k++) value[0] += pl_at(part, k, 0);
})

PL_KERNEL(mat_sum_cdouble, (pl_cdouble * value, const pl_row_pl_cdouble *part), {
  for (int k = 0; k < part->count; k++) {
    value[0].re += pl_at(part, k, 0).re;
    value[0].im += pl_at(part, k, 0).im;
  }
})
PL_KERNEL(mat_sum_cfloat, (pl_cfloat * value, const pl_row_pl_cfloat *part), {
  for (int k = 0; k < part->count; k++) {
    value[0].re += pl_at(part, k, 0).re;
    value[0].im += pl_at(part, k, 0).im;
  }
})

static const pl_kernel *sum_kernel(pl_type type)
{
  if (type == PL_COMPLEX_DOUBLE) return mat_sum_cdouble;
  if (type == PL_COMPLEX_FLOAT) return mat_sum_cfloat;
  return type == PL_FLOAT ? mat_sum_float : mat_sum_double;
}

pl_err pl_contributions_add(const pl_contributions *c, pl_dat *dat, pl_dat *values, bool zeroed)
{
  if (zeroed) PL_TRY(pl_dat_zero(values));
  PL_TRY(pl_par_loop(sum_kernel(dat->type), values->set, pl_arg_direct(values, PL_RW),
                     pl_arg_dat(dat, PL_ALL, c->order, PL_READ)));
  return pl_dat_zero(dat);
}
