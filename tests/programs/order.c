/* SPDX-License-Identifier: BSD-2-Clause
 * Statements that change the order, the distribution and the number of elements.
 */
#include "statements.h"

void renumber(program *p)
{
  const map *m = &p->map[below(p, MAPS)];
  if (m->offset || p->warm_up) return;
  fprintf(p->log, "renumber by m%d", (int)(m - p->map));
  TRY(p, pl_renumber(p->pl, one_in(p, 2) ? PL_RENUMBER_RCM : PL_RENUMBER_AUTO, m->map, NULL));
}

void partition(program *p)
{
  int s = p->map[below(p, MAPS)].to, n = (int)pl_set_size(p->set[s].set), how = below(p, 3);
  int *part = new_array((size_t)n, sizeof *part), salt = below(p, 99);
  int64_t *index = global_indices(p, s);
  for (int i = 0; i < n; i++) part[i] = (int)((index[i] * 7 + salt) / 3 % p->ranks);
  const pl_partition_options options = {.part = part, .seed = (uint64_t)salt};
  fprintf(p->log, "partition s%d, way %d", s, how);
  pl_err err = p->warm_up ? PL_SUCCESS : pl_partition(p->set[s].set, (pl_partition_method)how, &options);
  free(part);
  free(index);
  TRY(p, err);
}

/* Element i of every dat of the anonymous set becomes element from[i], or zeros for -1. */
static void take_elements(program *p, int n, const int *from)
{
  set *s = &p->set[LOOSE];
  for (int d = 0; d < DATS; d++) {
    dat *x = &p->dat[d];
    if (x->set != LOOSE) continue;
    box b = new_box(x->box.type, x->box.dim, n);
    for (int v = 0; v < n * b.dim; v++)
      if (from[v / b.dim] >= 0) b.value[v] = x->box.value[from[v / b.dim] * b.dim + v % b.dim];
    free_box(&x->box);
    x->box = b;
  }
  s->n = s->mine = n;
}

static void resize(program *p)
{
  int n = below(p, 60), *from = new_array((size_t)n, sizeof *from);
  for (int i = 0; i < n; i++) from[i] = i < p->set[LOOSE].n ? i : -1;
  fprintf(p->log, "resize to %d", n);
  pl_err err = one_in(p, 3) ? pl_set_reserve(p->set[LOOSE].set, below(p, 300)) : PL_SUCCESS;
  if (!err) err = pl_set_resize(p->set[LOOSE].set, n);
  if (!err) take_elements(p, n, from);
  free(from);
  TRY(p, err);
}

/* By flags or by indices. */
static void remove_elements(program *p)
{
  int n = p->set[LOOSE].n, left = 0, gone = 0, *flag = new_array((size_t)n, sizeof *flag),
      *from = new_array((size_t)n, sizeof *from), *index = new_array((size_t)n, sizeof *index);
  pl_dat *dat = NULL;
  for (int i = 0; i < n; i++) {
    flag[i] = !one_in(p, 4);
    *(flag[i] ? &from[left++] : &index[gone++]) = i;
  }
  fprintf(p->log, "keep %d of %d", left, n);
  pl_err err;
  if (one_in(p, 2)) {
    err = pl_decl_dat(p->set[LOOSE].set, 1, PL_INT32, flag, "flag", &dat);
    if (!err) err = pl_set_keep(p->set[LOOSE].set, dat);
  } else
    err = pl_set_remove(p->set[LOOSE].set, gone, index);
  pl_dat_free(&dat);
  if (!err) take_elements(p, left, from);
  free(flag);
  free(from);
  free(index);
  TRY(p, err);
}

static void reorder(program *p)
{
  int n = p->set[LOOSE].n, *from = new_array((size_t)n, sizeof *from);
  pl_dat *order = NULL;
  for (int i = 0; i < n; i++) {
    int k = below(p, i + 1);
    from[i] = from[k];
    from[k] = i;
  }
  fprintf(p->log, "reorder");
  pl_err err = pl_decl_dat(p->set[LOOSE].set, 1, PL_INT32, from, "order", &order);
  if (!err) err = pl_set_reorder(p->set[LOOSE].set, order);
  pl_dat_free(&order);
  if (!err) take_elements(p, n, from);
  free(from);
  TRY(p, err);
}

void change_loose_set(program *p)
{
  static void (*const ways[])(program *) = {resize, resize, remove_elements, reorder};
  if (p->ranks == 1 && !p->warm_up) ways[below(p, 4)](p);
}
