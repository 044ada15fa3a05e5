/* SPDX-License-Identifier: BSD-2-Clause
 * Random loops: with a new kernel, or an older one with any arguments that fit its parameters.
 */
#include "loops.h"

/* ---- arguments ---- */

static int any_subset(program *p, int s)
{
  int b = below(p, SUBSETS);
  return p->subset[b].subset && p->subset[b].set == s && one_in(p, 2) ? b : -1;
}

/* A map from the loop's set to another, or -1. */
static int any_map(program *p, int from, int to)
{
  for (int first = below(p, MAPS), k = 0; k < MAPS; k++) {
    const map *m = &p->map[(first + k) % MAPS];
    if (m->map && m->from == from && (to < 0 || m->to == to)) return (first + k) % MAPS;
  }
  return -1;
}

static void go_through(program *p, argument *a)
{
  static const pl_access far[] = {PL_READ, PL_READ, PL_READ, PL_INC, PL_INC, PL_INC, PL_MIN, PL_MAX};
  const map *m = &p->map[a->map];
  if (m->offset) {
    a->index = PL_ALL;
    a->access = PL_READ;
    return;
  }
  a->index = one_in(p, 2) ? PL_ALL : below(p, m->arity);
  a->access = far[below(p, 8)];
  if (m->apart && one_in(p, 2)) a->access = one_in(p, 2) ? PL_WRITE : PL_RW;
  if (a->access == PL_READ && one_in(p, 8)) { /* the result does not depend on the order */
    a->access = one_in(p, 2) ? PL_WRITE : PL_RW;
    a->index = below(p, m->arity);
    a->blind = true;
  }
}

static bool some_dat(program *p, const loop *l, argument *a)
{
  static const pl_access direct[] = {PL_READ,  PL_READ, PL_READ, PL_WRITE, PL_WRITE,
                                     PL_WRITE, PL_RW,   PL_INC,  PL_MIN,   PL_MAX};
  *a = (argument){.kind = DAT, .object = below(p, DATS), .map = -1, .index = PL_ID};
  if (l->nargs && one_in(p, 3)) a->object = l->arg[below(p, l->nargs)].object % DATS;
  const dat *d = &p->dat[a->object];
  a->access = direct[below(p, 10)];
  if (d->set != l->set || one_in(p, 3)) {
    a->map = any_map(p, l->set, d->set);
    if (a->map < 0) return false;
    go_through(p, a);
  }
  if (d->box.dim > 1 && one_in(p, 5)) a->component = 1 + below(p, d->box.dim);
  a->optional = one_in(p, 10);
  a->off = a->optional && one_in(p, 2);
  a->zeroed = a->access == PL_INC && !a->component && !a->optional && one_in(p, 6);
  return true;
}

static bool some_payload(program *p, const loop *l, argument *a)
{
  *a =
    (argument){.kind = PAYLOAD, .object = below(p, GLOBALS), .map = -1, .index = PL_ID, .access = PL_WRITE};
  for (int i = 0; i < l->nargs; i++) {
    const argument *of = &l->arg[i];
    if (of->kind != GLOBAL || (of->access != PL_MIN && of->access != PL_MAX)) continue;
    a->with = i;
    return box_of(p, of)->dim == 1 && !of->off;
  }
  return false;
}

static bool some_other(program *p, const loop *l, argument *a)
{
  static const pl_access access[] = {PL_READ, PL_INC, PL_MIN, PL_MAX};
  *a = (argument){.kind = GLOBAL, .object = below(p, GLOBALS), .map = -1, .index = PL_ID, .access = PL_READ};
  switch (below(p, 8)) {
  case 0:
    a->kind = CONST;
    a->object = below(p, CONSTS);
    return true;
  case 1:
    a->kind = INDEX;
    a->object = 0;
    a->map = one_in(p, 2) ? -1 : any_map(p, l->set, -1);
    if (a->map >= 0 && p->map[a->map].offset) return false;
    if (a->map >= 0) a->index = below(p, p->map[a->map].arity);
    return true;
  case 2:
    return some_payload(p, l, a);
  default:
    a->access = access[below(p, 4)];
    return true;
  }
}

static bool some_argument(program *p, const loop *l, argument *a)
{
  return one_in(p, 4) ? some_other(p, l, a) : some_dat(p, l, a);
}

/* ---- arguments that may occur together ---- */

static bool same_box(const argument *a, const argument *b)
{
  bool globals = (a->kind == GLOBAL || a->kind == PAYLOAD) && (b->kind == GLOBAL || b->kind == PAYLOAD);
  return (a->kind == b->kind || globals) && a->object == b->object && a->kind != INDEX;
}

static bool agree(const argument *a, const argument *b)
{
  if (!same_box(a, b) || a->kind == CONST) return true;
  if (a->kind != DAT) return false;
  if (a->zeroed || b->zeroed) return false;
  if (a->component && b->component && a->component != b->component) return true;
  if (a->access == PL_READ && b->access == PL_READ) return true;
  return a->access == b->access && (a->access == PL_INC || a->access == PL_MIN || a->access == PL_MAX) &&
         !a->map == !b->map && (a->map >= 0) == (b->map >= 0);
}

static bool is_real(const program *p, const argument *a)
{
  return has_values(a) && (box_of(p, a)->type == PL_DOUBLE || box_of(p, a)->type == PL_FLOAT);
}

static bool allowed(const program *p, const loop *l, const argument *a)
{
  if (a->kind == DAT && p->dat[a->object].undefined && !is_whole(p, l, a)) return false;
  for (int i = 0; i < l->nargs; i++) {
    const argument *b = &l->arg[i];
    if (!agree(a, b)) return false;
    if (l->real && is_real(p, a) && is_real(p, b) && box_of(p, a)->type != box_of(p, b)->type) return false;
  }
  return true;
}

bool defined(const program *p, const loop *l)
{
  for (int i = 0; i < l->nargs; i++)
    if (l->arg[i].kind == DAT && p->dat[l->arg[i].object].undefined && !is_whole(p, l, &l->arg[i]))
      return false;
  return true;
}

/* ---- loops ---- */

static void remember_births(const program *p, loop *l)
{
  for (int i = 0; i < l->nargs; i++) {
    const argument *a = &l->arg[i];
    int *declared = l->declared[i];
    declared[1] = a->map >= 0 ? p->map[a->map].declared : 0;
    declared[0] = a->kind == DAT     ? p->dat[a->object].declared
                  : a->kind == CONST ? p->constant[a->object].declared
                  : a->kind == INDEX ? 0
                                     : p->global[a->object].declared;
  }
  l->declared_set = l->subset >= 0 ? p->subset[l->subset].declared : p->set[l->set].declared;
}

bool still_there(const program *p, const loop *l)
{
  loop now = *l;
  remember_births(p, &now);
  bool same = now.declared_set == l->declared_set;
  for (int i = 0; i < l->nargs; i++)
    same &= now.declared[i][0] == l->declared[i][0] && now.declared[i][1] == l->declared[i][1];
  return same;
}

/* A parameter as the text of its kernel declares it. */
static shape shape_of(const program *p, const loop *l, const argument *a)
{
  bool row = a->kind == DAT && a->map >= 0 && p->map[a->map].offset,
       all = a->kind == DAT && a->index == PL_ALL;
  return (shape){.kind = a->kind,
                 .access = a->access,
                 .type = l->real && is_real(p, a) ? PL_TYPE_COUNT
                         : has_values(a)          ? box_of(p, a)->type
                                                  : PL_INT64,
                 .width = width(p, a),
                 .targets = row   ? -1
                            : all ? targets(p, a)
                                  : 0,
                 .with = a->with,
                 .optional = a->optional,
                 .blind = a->blind};
}

static void make_kernel(program *p, loop *l)
{
  char name[40];
  sprintf(name, "loop_%d", p->declarations++);
  char *text = kernel_text(p, l, name);
  kernel *k = &p->kernel[l->kernel = p->nkernels];
  if (pl_kernel_from_source(p->pl, name, text, NULL, &k->kernel)) p->failed = true;
  for (int i = 0; i < l->nargs; i++) k->shape[i] = shape_of(p, l, &l->arg[i]);
  remember_births(p, l);
  k->first = *l;
  p->nkernels++;
  free(text);
}

bool new_loop(program *p, loop *l)
{
  bool writing = false;
  *l = (loop){.set = below(p, SETS), .factor = 1 + below(p, 5), .real = one_in(p, 4)};
  if (one_in(p, 2)) l->set = p->map[below(p, MAPS)].from;
  l->subset = any_subset(p, l->set);
  l->constant = one_in(p, 5) ? below(p, CONSTS) : -1;
  for (int tries = 0; tries < 40 && (l->nargs < 2 || !writing || !one_in(p, 3)); tries++) {
    argument a;
    if (l->nargs == MOST_ARGS) break;
    if (!some_argument(p, l, &a) || !allowed(p, l, &a)) continue;
    l->arg[l->nargs++] = a;
    writing |= writes(a.access) && !a.off;
  }
  if (!writing || p->nkernels == KERNELS) return false;
  make_kernel(p, l);
  return true;
}

bool given_loop(program *p, loop *l, int s, int nargs, const argument *args)
{
  *l = (loop){.set = s, .subset = -1, .factor = 1 + below(p, 5), .constant = -1};
  for (int i = 0; i < nargs; i++) {
    if (!allowed(p, l, &args[i])) return false;
    l->arg[l->nargs++] = args[i];
  }
  if (p->nkernels == KERNELS) return false;
  make_kernel(p, l);
  return true;
}

static bool fits(const shape *a, const shape *b)
{
  return a->kind == b->kind && a->access == b->access && a->type == b->type && a->width == b->width &&
         a->targets == b->targets && a->with == b->with && a->optional == b->optional && a->blind == b->blind;
}

/* An argument for parameter i of a kernel; sometimes its original one. */
static bool find_argument(program *p, loop *l, int i, const kernel *k)
{
  argument a = k->first.arg[i];
  bool keep = one_in(p, 2) && l->set == k->first.set && still_there(p, &k->first);
  for (int tries = 0; tries < 80; tries++) {
    if ((tries || !keep) && !some_argument(p, l, &a)) continue;
    shape s = shape_of(p, l, &a);
    if (!fits(&s, &k->shape[i]) || !allowed(p, l, &a)) continue;
    l->arg[l->nargs++] = a;
    return true;
  }
  return false;
}

bool other_loop(program *p, loop *l)
{
  if (!p->nkernels) return false;
  int number = below(p, p->nkernels);
  const kernel *k = &p->kernel[number];
  *l = k->first;
  l->kernel = number;
  l->nargs = 0;
  if (one_in(p, 3)) l->set = below(p, SETS);
  l->subset = any_subset(p, l->set);
  for (int i = 0; i < k->first.nargs; i++)
    if (!find_argument(p, l, i, k)) return false;
  remember_births(p, l);
  return true;
}
