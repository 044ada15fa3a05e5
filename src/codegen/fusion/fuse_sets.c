/* SPDX-License-Identifier: BSD-2-Clause
 * Disjoint unions of two sets, their maps, and loops over them, so that two loops share a launch: each
 * element calls the kernel of the loop over its set.
 *
 * Invariant: a union and its maps are an ordinary set and ordinary maps to plans, strategies and checks.
 */
#include "fuse_sets.h"
#include "fused_kernel.h"
#include "core/comm/comm.h"
#include "core/exchange/halo.h"
#include <string.h>

/* ---- sets ---- */

/* The number of an element of a part: the cores of both parts come first, then their boundaries, ... */
static int union_number(const pl_set_union *u, int side, int e)
{
  const int *end = u->part[side]->end, *other = u->part[1 - side]->end;
  int p = 0;
  while (e >= end[p]) p++;
  return e + (side ? other[p] : p ? other[p - 1] : 0);
}

/* The halos of the parts exchange its targets; it has no dats to exchange. */
static pl_err declare_set(pl_context *pl, pl_set_union *u)
{
  char name[128];
  const int *a = u->part[0]->end, *b = u->part[1]->end;
  snprintf(name, sizeof name, "%.50s and %.50s", u->part[0]->node.name, u->part[1]->node.name);
  PL_TRY(pl_agree(pl, pl_internal_set_new(pl, (int64_t)a[1] + b[1], name, &u->set)));
  for (int p = 0; p < 4; p++) u->set->end[p] = a[p] + b[p];
  return PL_SUCCESS;
}

static pl_err fill_which(pl_set_union *u)
{
  pl_context *pl = u->set->node.pl;
  PL_TRY(pl_decl_dat(u->set, 1, PL_INT, NULL, "which of two sets", &u->which));
  u->which->node.internal = true;
  int *which = pl_dat_host(u->which, true);
  PL_TRY(pl_agree(pl, which ? PL_SUCCESS : pl->error_code));
  for (int side = 0; side < 2; side++)
    for (int e = 0; e < u->part[side]->end[3]; e++) which[union_number(u, side, e)] = side;
  pl_dat_host_written(u->which);
  return PL_SUCCESS;
}

static pl_set_union *find_union(pl_context *pl, const pl_map *a, const pl_map *b)
{
  for (pl_set_union *u = pl_derived_first(pl, PL_SET_UNIONS); u; u = pl_derived_next(u))
    if (u->part[0] == a->from && u->part[1] == b->from) return u;
  pl_set_union *u = pl_calloc(pl, 1, sizeof *u);
  if (u)
    *u = (pl_set_union){{.from = {a->from, b->from, a, b}, .dat = &u->which}, .part = {a->from, b->from}};
  pl_err err = pl_agree(pl, u ? PL_SUCCESS : pl_fail_memory(pl, sizeof *u));
  if (!err) err = declare_set(pl, u);
  if (!err) err = fill_which(u);
  if (err) return pl_free(pl, u), NULL;
  u->base.from[4] = u->set;
  pl_derived_keep(pl, PL_SET_UNIONS, &u->base);
  return u;
}

/* ---- maps ---- */

static bool is_part(const pl_set_union *u, const void *of)
{
  return of == u->part[0] || of == u->part[1];
}

static void fill_rows(const pl_set_union *u, int side, const void *of, int arity, int *index)
{
  const pl_map *map = of;
  for (int e = 0; e < u->part[side]->end[3]; e++) {
    int *row = index + (size_t)union_number(u, side, e) * (size_t)arity;
    for (int k = 0; k < arity; k++) row[k] = !of ? -1 : is_part(u, of) ? e : pl_map_target(map, (size_t)e, k);
  }
}

static bool has_no_target(const pl_set_union *u, const void *of)
{
  return !of || (!is_part(u, of) && ((const pl_map *)of)->has_negative);
}

static bool is_internal(const pl_set_union *u, const void *of)
{
  return of && !is_part(u, of) && ((const pl_map *)of)->internal;
}

static pl_err fill_map(const pl_set_union *u, pl_union_map *m)
{
  pl_context *pl = u->set->node.pl;
  const void *of = m->of[0] ? m->of[0] : m->of[1];
  const pl_map *map = of;
  int arity = is_part(u, of) ? 1 : map->arity;
  size_t n = (size_t)u->set->end[3] * (size_t)arity;
  char name[128];
  int *index = pl_malloc_array(pl, (n + 1) * sizeof *index);
  if (!index) return pl_fail_memory(pl, n * sizeof *index);
  for (int side = 0; side < 2; side++) fill_rows(u, side, m->of[side], arity, index);
  snprintf(name, sizeof name, "%.50s of %.50s", ((const pl_node *)of)->name, u->set->node.name);
  PL_TRY(pl_map_enter(u->set, is_part(u, of) ? (pl_set *)of : map->to, arity, index, name, &m->map));
  m->map->injective = is_part(u, of);
  m->map->locality_checked = true;
  m->map->internal = is_internal(u, m->of[0]) || is_internal(u, m->of[1]);
  if (pl_ranks(pl) > 1) m->map->has_negative = has_no_target(u, m->of[0]) || has_no_target(u, m->of[1]);
  return PL_SUCCESS;
}

static pl_map *find_map(pl_context *pl, const pl_set_union *u, const void *a, const void *b)
{
  for (pl_union_map *m = pl_derived_first(pl, PL_UNION_MAPS); m; m = pl_derived_next(m))
    if (m->set == u->set && m->of[0] == a && m->of[1] == b) return m->map;
  pl_union_map *m = pl_calloc(pl, 1, sizeof *m);
  if (!m) pl_fail_memory(pl, sizeof *m);
  if (!m) return NULL;
  *m = (pl_union_map){u->base, u->set, {a, b}, NULL};
  m->base.from[5] = a;
  m->base.from[6] = b;
  m->base.map[0] = &m->map;
  m->base.dat = NULL;
  if (fill_map(u, m)) return pl_free(pl, m), NULL;
  pl_derived_keep(pl, PL_UNION_MAPS, &m->base);
  return m->map;
}

/* ---- loops ---- */

typedef struct joining {
  pl_builder *b;
  pl_set_union *sets;
  pl_loop *const *member;
  bool *used; /* by argument: the second member uses it too */
  int side;   /* the member that is printed */
  int first;  /* arguments of the first member */
} joining;

static bool uses_map(const pl_loop *loop, const pl_map *map)
{
  PL_EACH_ARG (arg, loop)
    if (arg->map == map && !arg->off) return true;
  return false;
}

/* The k-th distinct map of a loop with the target set and arity of `like`; NULL: there are fewer. */
static const pl_map *nth_map(const pl_loop *loop, const pl_map *like, int k)
{
  for (int i = 0; i < loop->nargs; i++) {
    const pl_map *map = loop->args[i].map;
    bool again = false;
    if (!map || loop->args[i].off || map->to != like->to || map->arity != like->arity) continue;
    for (int j = 0; j < i; j++) again |= loop->args[j].map == map && !loop->args[j].off;
    if (!again && k-- == 0) return map;
  }
  return NULL;
}

/* The union's map for a map of one member. The k-th like maps of both members share one; not where values are
 * assigned: elements of the other part must have no target there, or they would store undefined values. */
static pl_map *joined_map(const joining *g, const pl_map *map, pl_access access)
{
  const void *of[2] = {NULL, NULL};
  int k = 0, side = g->side;
  while (nth_map(g->member[side], map, k) != map) k++;
  of[side] = map;
  if (access != PL_WRITE && access != PL_RW) of[1 - side] = nth_map(g->member[1 - side], map, k);
  return find_map(g->b->pl, g->sets, of[0], of[1]);
}

static bool is_same_arg(const pl_arg *x, const pl_arg *y)
{
  return x->kind == y->kind && x->object == y->object && x->map == y->map && x->index == y->index &&
         x->component == y->component && x->access == y->access && pl_arg_is_record(x);
}

/* Equal arguments of both members are one: an element runs only one of the members. */
static const pl_fused_arg *find_arg(joining *g, const pl_arg *arg, const pl_param *param)
{
  pl_builder *b = g->b;
  for (int s = 0; g->side && s < g->first; s++) {
    if (g->used[s] || !is_same_arg(&b->arg[s].arg, arg) || b->arg[s].real != param->is_real) continue;
    g->used[s] = true;
    return &b->arg[s];
  }
  return pl_builder_separate_arg(b, arg, param);
}

/* The argument for elements of the union. */
static pl_err place_arg(void *user, pl_call *c, int i)
{
  joining *g = user;
  pl_arg arg = c->member->loop->args[i];
  if (pl_arg_is_record(&arg)) {
    const void *of[2] = {NULL, NULL};
    of[g->side] = g->sets->part[g->side];
    if (!arg.map) arg.index = 0;
    arg.map = arg.map ? joined_map(g, arg.map, arg.access) : find_map(g->b->pl, g->sets, of[0], of[1]);
    if (!arg.map) return g->b->pl->error_code;
  }
  snprintf(c->place[i], PL_CALL_PLACE, "%s", find_arg(g, &arg, &c->member->signature.param[i])->name);
  return PL_SUCCESS;
}

static pl_err print_both(joining *g)
{
  const pl_arg which = pl_arg_direct(g->sets->which, PL_READ);
  const char *name = pl_builder_arg(g->b, &which, &(pl_param){.name = "pl_which"})->name;
  pl_string *t = &g->b->body;
  pl_string_add(t, "  if (%s[0] == 0) {\n", name);
  PL_TRY(pl_builder_call(g->b, 0, place_arg, g));
  g->first = g->b->nargs;
  g->side = 1;
  pl_string_add(t, "  } else {\n");
  PL_TRY(pl_builder_call(g->b, 1, place_arg, g));
  pl_string_add(t, "  }\n");
  return PL_SUCCESS;
}

/* A map from the loop's set, if possible one that the loop uses; NULL: there is none. */
static const pl_map *tie_of(const pl_loop *loop)
{
  PL_EACH (const pl_map, map, loop->pl->maps)
    if (map->from == loop->set && map->index && uses_map(loop, map)) return map;
  PL_EACH (const pl_map, map, loop->pl->maps)
    if (map->from == loop->set) return map;
  return NULL;
}

bool pl_loop_may_share_launch(const pl_loop *loop)
{
  const pl_set *set = loop->set;
  if (set->parent || set->capacity || set->migrates || !pl_loop_traits_of(loop)->plain) return false;
  PL_EACH_ARG (arg, loop) {
    if (arg->off) continue;
    if (pl_arg_is_numbered(arg)) return false;
    if (arg->map && (!arg->map->index || arg->map->row_mask)) return false;
  }
  return tie_of(loop) != NULL;
}

pl_err pl_fuse_sets(pl_context *pl, pl_loop *a, pl_loop *b, const pl_fused **fused)
{
  pl_loop *const member[] = {a, b};
  pl_builder builder;
  joining g = {.b = &builder, .member = member};
  uint64_t key = pl_fused_key("sets", 2, (const void *const *)member);
  if ((*fused = pl_fused_find(pl, key))) return PL_SUCCESS;
  pl_err err = pl_builder_open(pl, &builder, a->nargs + b->nargs + 1, 2, member);
  builder.prepare_later = true;
  g.used = pl_calloc(pl, (size_t)builder.most + 1, sizeof *g.used);
  if (!err) err = g.used ? PL_SUCCESS : pl_fail_memory(pl, (size_t)builder.most);
  err = pl_agree(pl, err);
  if (!err && !(g.sets = find_union(pl, tie_of(a), tie_of(b)))) err = pl->error_code;
  if (!err) err = pl_agree(pl, print_both(&g));
  pl_free(pl, g.used);
  return pl_builder_close(&builder, err, key, g.sets ? g.sets->set : NULL, "_or_", fused);
}
