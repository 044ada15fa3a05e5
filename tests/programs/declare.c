/* SPDX-License-Identifier: BSD-2-Clause
 * Declarations of random programs: objects are declared, freed and declared again.
 */
#include "statements.h"
#include <stdarg.h>
#include <string.h>

void wrong(program *p, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fprintf(p->log, "\n  WRONG: ");
  vfprintf(p->log, format, args);
  va_end(args);
  p->failed = true;
}

void broken(program *p, const char *what)
{
  wrong(p, "%s: %s", what, pl_errmsg(p->pl));
}

int64_t *global_indices(program *p, int s)
{
  const pl_set *set = p->set[s].set;
  int64_t *index = new_array((size_t)pl_set_size(set), sizeof *index);
  if (pl_set_global(set, index)) broken(p, "pl_set_global");
  return index;
}

void free_box(box *b)
{
  free(b->value);
  b->value = NULL;
}

/* ---- sets ---- */

/* The share of each rank: everything on the first rank, equal shares, or random ones. */
static void share_out(program *p, set *s)
{
  int how = below(p, 3), begin = 0;
  for (int r = 0; r < p->ranks; r++) {
    int left = s->n - begin, part = how == 0 ? left : how == 1 ? s->n / p->ranks : below(p, left + 1);
    if (r == p->ranks - 1) part = left;
    if (r == p->rank) s->first = begin, s->mine = part;
    begin += part;
  }
}

static void declare_set(program *p, int i)
{
  static const int most[] = {1, 2, 3, 10, 10, 40, 40, 40, 130, MOST_SIZE};
  set *s = &p->set[i];
  char name[20];
  s->n = below(p, 1 + most[below(p, 10)]);
  s->declared = ++p->declarations;
  share_out(p, s);
  sprintf(name, "s%d", i);
  fprintf(p->log, "set %d of %d; ", i, s->n);
  TRY(p, pl_decl_set(p->pl, s->mine, name, &s->set));
}

/* With all objects on it. */
void declare_set_anew(program *p, int s)
{
  for (int d = 0; d < DATS; d++)
    if (p->dat[d].set == s) pl_dat_free(&p->dat[d].dat);
  for (int b = 0; b < SUBSETS; b++)
    if (p->subset[b].set == s) pl_set_free(&p->subset[b].subset);
  for (int m = 0; m < MAPS; m++)
    if (p->map[m].from == s || p->map[m].to == s) pl_map_free(&p->map[m].map);
  pl_set_free(&p->set[s].set);
  declare_set(p, s);
  for (int m = 0; m < MAPS; m++)
    if (!p->map[m].map) declare_map(p, m);
  for (int b = 0; b < SUBSETS; b++)
    if (!p->subset[b].subset) declare_subset(p, b);
  for (int d = 0; d < DATS; d++)
    if (!p->dat[d].dat) declare_dat(p, d);
}

/* ---- maps ---- */

static bool leads_apart(const program *p, const map *m, int n)
{
  bool *seen = new_array((size_t)p->set[m->to].n, 1), apart = true;
  for (int i = 0; i < n; i++) {
    if (m->index[i] < 0) continue;
    apart &= !seen[m->index[i]];
    seen[m->index[i]] = true;
  }
  free(seen);
  return apart;
}

static void fill_map(program *p, map *m)
{
  int rows = p->set[m->from].n, to = p->set[m->to].n, how = below(p, 5), step = 1 + below(p, 4);
  for (int e = 0; e < rows; e++)
    for (int k = 0; k < m->arity; k++) {
      int far = how < 2 ? below(p, to + !to) : how == 2 ? (e + k * step) % (to + !to) : e * m->arity + k;
      if (how > 2 && far >= to) far = how == 3 ? -1 : to - 1;
      bool missing = !to || (how == 1 && one_in(p, 6));
      m->index[e * m->arity + k] = missing ? -1 : far;
    }
  m->apart = leads_apart(p, m, rows * m->arity);
}

/* Rows of this rank's elements. */
static int *rows_of_map(program *p, const map *m)
{
  int64_t *global = global_indices(p, m->from);
  int n = (int)pl_set_size(p->set[m->from].set),
      *rows = new_array((size_t)n * (size_t)m->arity, sizeof *rows);
  for (int i = 0; i < n; i++)
    memcpy(rows + i * m->arity, m->index + global[i] * m->arity, (size_t)m->arity * sizeof *rows);
  free(global);
  return rows;
}

static void decl_fixed(program *p, map *m, const char *name)
{
  m->arity = 1 + below(p, 4);
  m->index = new_array((size_t)p->set[m->from].n * (size_t)m->arity, sizeof *m->index);
  fill_map(p, m);
  int *rows = rows_of_map(p, m);
  pl_err err = pl_decl_map(p->set[m->from].set, p->set[m->to].set, m->arity, rows, name, &m->map);
  free(rows);
  TRY(p, err);
}

static void fill_ragged(program *p, map *m)
{
  int n = p->set[m->from].n, to = p->set[m->to].n, most = 1 + below(p, 5);
  m->offset = new_array((size_t)n + 1, sizeof *m->offset);
  for (int e = 0; e < n; e++) m->offset[e + 1] = m->offset[e] + (to ? below(p, most + 1) : 0);
  m->index = new_array((size_t)m->offset[n], sizeof *m->index);
  for (int i = 0; i < m->offset[n]; i++) m->index[i] = below(p, to);
}

static void decl_ragged(program *p, map *m, const char *name)
{
  fill_ragged(p, m);
  int64_t *global = global_indices(p, m->from);
  int n = (int)pl_set_size(p->set[m->from].set), *offset = new_array((size_t)n + 1, sizeof *offset), at = 0,
      *index = new_array((size_t)m->offset[p->set[m->from].n], sizeof *index);
  for (int i = 0; i < n; i++) {
    for (int k = m->offset[global[i]]; k < m->offset[global[i] + 1]; k++) index[at++] = m->index[k];
    offset[i + 1] = at;
  }
  pl_err err = pl_decl_map_ragged(p->set[m->from].set, p->set[m->to].set, offset, index, name, &m->map);
  free(global);
  free(offset);
  free(index);
  TRY(p, err);
}

/* From the rows of another map, in ascending order. */
static void invert_into(program *p, map *m, const map *of, const char *name)
{
  int rows = p->set[m->from].n, n = p->set[of->from].n;
  m->offset = new_array((size_t)rows + 1, sizeof *m->offset);
  m->index = new_array((size_t)n * (size_t)of->arity, sizeof *m->index);
  for (int t = 0, at = 0; t < rows; t++) {
    for (int i = 0; i < n * of->arity; i++)
      if (of->index[i] == t) m->index[at++] = i / of->arity;
    m->offset[t + 1] = at;
  }
  TRY(p, pl_map_invert(of->map, name, &m->map));
}

static void permute_into(program *p, map *m, const map *of, const char *name)
{
  int permutation[4], rows = p->set[m->from].n;
  m->arity = 1 + below(p, 4);
  for (int i = 0; i < m->arity; i++) permutation[i] = below(p, of->arity);
  m->index = new_array((size_t)rows * (size_t)m->arity, sizeof *m->index);
  for (int i = 0; i < rows * m->arity; i++)
    m->index[i] = of->index[i / m->arity * of->arity + permutation[i % m->arity]];
  m->apart = leads_apart(p, m, rows * m->arity);
  TRY(p, pl_map_permute(of->map, m->arity, permutation, name, &m->map));
}

/* From another map of fixed arity, if there is one. */
static bool derive(program *p, map *m, const char *name)
{
  const map *of = &p->map[below(p, MAPS)];
  if (of == m || !of->map || of->offset) return false;
  bool invert = one_in(p, 2);
  m->from = invert ? of->to : of->from;
  m->to = invert ? of->from : of->to;
  if (invert)
    invert_into(p, m, of, name);
  else
    permute_into(p, m, of, name);
  return true;
}

void declare_map(program *p, int i)
{
  map *m = &p->map[i];
  char name[20];
  pl_map_free(&m->map);
  free(m->index);
  free(m->offset);
  *m = (map){.from = below(p, LOOSE), .to = below(p, LOOSE), .declared = ++p->declarations};
  sprintf(name, "m%d", i);
  if (one_in(p, 5) && derive(p, m, name)) {
    fprintf(p->log, "map %d from %d to %d derived; ", i, m->from, m->to);
    return;
  }
  if (one_in(p, 5))
    decl_ragged(p, m, name);
  else
    decl_fixed(p, m, name);
  fprintf(p->log, "map %d from %d to %d, arity %d%s; ", i, m->from, m->to, m->arity,
          m->apart ? " apart" : "");
}

/* ---- subsets ---- */

static void decl_members(program *p, subset *b, const char *name)
{
  int n = p->set[b->set].n, step = 1 + below(p, 4), how = below(p, 5);
  for (int e = 0; e < n; e++)
    b->in[e] = how == 0 ? false : how == 1 ? e % step == 0 : how == 2 ? true : one_in(p, step + 1);
  int64_t *global = global_indices(p, b->set);
  int all = (int)pl_set_size(p->set[b->set].set), *index = new_array((size_t)all, sizeof *index), count = 0;
  for (int i = 0; i < all; i++)
    if (b->in[global[i]]) index[count++] = i;
  pl_err err = pl_decl_subset_local(p->set[b->set].set, count, index, name, &b->subset);
  free(global);
  free(index);
  TRY(p, err);
}

static void decl_combined(program *p, subset *b, const subset *x, const subset *y, const char *name)
{
  pl_set_op op = (pl_set_op)below(p, 4);
  for (int e = 0; e < p->set[b->set].n; e++) {
    bool in = x->in[e], too = !y || y->in[e];
    b->in[e] = op == PL_UNION          ? in || too
               : op == PL_INTERSECTION ? in && too
               : op == PL_DIFFERENCE   ? in && !too
                                       : in != too;
  }
  TRY(p, pl_subset_combine(x->subset, op, y ? y->subset : p->set[b->set].set, name, &b->subset));
}

void declare_subset(program *p, int i)
{
  subset *b = &p->subset[i];
  const subset *x = &p->subset[(i + 1) % SUBSETS], *y = &p->subset[(i + 2) % SUBSETS];
  char name[20];
  sprintf(name, "b%d", i);
  pl_set_free(&b->subset);
  free(b->in);
  *b = (subset){.set = below(p, LOOSE), .declared = ++p->declarations};
  bool combined = x->subset && one_in(p, 3);
  if (combined) b->set = x->set;
  b->in = new_array((size_t)p->set[b->set].n, sizeof *b->in);
  fprintf(p->log, "subset %d of %d%s; ", i, b->set, combined ? " combined" : "");
  if (combined)
    decl_combined(p, b, x, y->subset && y->set == x->set ? y : NULL, name);
  else
    decl_members(p, b, name);
}

/* ---- values ---- */

void declare_dat(program *p, int i)
{
  dat *d = &p->dat[i];
  char name[20];
  pl_dat_free(&d->dat);
  free_box(&d->box);
  *d = (dat){.set = i < SETS ? i : below(p, SETS), .declared = ++p->declarations};
  d->box = new_box(some_type(p), 1 + below(p, MOST_DIM), p->set[d->set].n);
  bool zeros = one_in(p, 4);
  if (!zeros) fill_box(p, &d->box);
  int64_t *global = global_indices(p, d->set);
  int n = (int)pl_set_size(p->set[d->set].set), dim = d->box.dim;
  char *values = new_array((size_t)n * (size_t)dim, 8);
  for (int v = 0; v < n * dim; v++)
    put_value(d->box.type, values, (size_t)v, d->box.value[global[v / dim] * dim + v % dim]);
  sprintf(name, "d%d", i);
  fprintf(p->log, "dat %d on %d: %d of %s; ", i, d->set, dim, pl_type_name(d->box.type));
  pl_err err = pl_decl_dat(p->set[d->set].set, dim, d->box.type, zeros ? NULL : values, name, &d->dat);
  free(global);
  free(values);
  TRY(p, err);
}

static void values_of(const box *b, char *values)
{
  for (int v = 0; v < b->dim; v++) put_value(b->type, values, (size_t)v, b->value[v]);
}

void declare_global(program *p, int i)
{
  global *g = &p->global[i];
  char values[8 * MOST_DIM], name[20];
  pl_global_free(&g->global);
  free_box(&g->box);
  g->declared = ++p->declarations;
  g->box = new_box(some_type(p), one_in(p, 2) ? 1 : 1 + below(p, MOST_DIM), 1);
  fill_box(p, &g->box);
  values_of(&g->box, values);
  sprintf(name, "g%d", i);
  fprintf(p->log, "global %d: %d of %s; ", i, g->box.dim, pl_type_name(g->box.type));
  TRY(p, pl_decl_global(p->pl, g->box.dim, g->box.type, values, name, &g->global));
}

void declare_constant(program *p, int i)
{
  constant *c = &p->constant[i];
  char values[8 * MOST_DIM], name[20];
  pl_const_free(&c->constant);
  free_box(&c->box);
  c->declared = ++p->declarations;
  c->box = new_box(some_type(p), 1 + i, 1);
  fill_box(p, &c->box);
  values_of(&c->box, values);
  sprintf(name, "c%d", i);
  fprintf(p->log, "const %d: %s; ", i, pl_type_name(c->box.type));
  TRY(p, pl_decl_const(p->pl, name, c->box.dim, c->box.type, values, &c->constant));
}

void declare_all(program *p)
{
  for (int s = 0; s < SETS; s++) declare_set(p, s);
  for (int m = 0; m < MAPS; m++) declare_map(p, m);
  for (int b = 0; b < SUBSETS; b++) declare_subset(p, b);
  for (int d = 0; d < DATS; d++) declare_dat(p, d);
  for (int g = 0; g < GLOBALS; g++) declare_global(p, g);
  for (int c = 0; c < CONSTS; c++) declare_constant(p, c);
  fprintf(p->log, "\n");
}

void forget_all(program *p)
{
  for (int m = 0; m < MAPS; m++) {
    free(p->map[m].index);
    free(p->map[m].offset);
  }
  for (int b = 0; b < SUBSETS; b++) free(p->subset[b].in);
  for (int d = 0; d < DATS; d++) free_box(&p->dat[d].box);
  for (int g = 0; g < GLOBALS; g++) free_box(&p->global[g].box);
  for (int c = 0; c < CONSTS; c++) free_box(&p->constant[c].box);
}
