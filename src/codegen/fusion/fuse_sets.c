/* SPDX-License-Identifier: BSD-2-Clause
 * Sets that stand one after the other as one, with maps to what their loops reach; and loops over the two as
 * one, which share a launch: each element calls the kernel of the set it comes from.
 *
 * Invariant: a joined set and its maps are ordinary ones, so plans, strategies, reordering and checks know
 * nothing of them.
 */
#include "core/halo.h"
#include "core/hash.h"
#include "core/memory.h"
#include "fuse.h"
#include "made.h"
#include <string.h>

/* ---- sets ---- */

/* Where an element of one of the two is: the cores of both come first, then their boundaries, and so on. */
static int place_of(const pl_joined *j, int side, int e)
{
  const int *end = j->part[side]->part, *other = j->part[1 - side]->part;
  int p = 0;
  while (e >= end[p]) p++;
  return e + (side ? other[p] : p ? other[p - 1] : 0);
}

/* What its elements reach is exchanged by the halos of the two; it has nothing to exchange itself. */
static pl_err declare_set(pl_context *pl, pl_joined *j)
{
  char name[128];
  const int *a = j->part[0]->part, *b = j->part[1]->part;
  snprintf(name, sizeof name, "%.50s beside %.50s", j->part[0]->node.name, j->part[1]->node.name);
  PL_TRY(pl_decl_set(pl, (int64_t)a[1] + b[1], name, &j->set));
  for (int p = 0; p < 4; p++) j->set->part[p] = a[p] + b[p];
  if (pl_ranks(pl) > 1) j->set->halo = pl_halo_new(pl, 0, 0, 0);
  return pl_agree(pl, pl_ranks(pl) == 1 || j->set->halo ? PL_SUCCESS : PL_ERR_MEMORY);
}

static pl_err fill_which(pl_joined *j)
{
  pl_context *pl = j->set->node.pl;
  PL_TRY(pl_decl_dat(j->set, 1, PL_INT, NULL, "which of two sets", &j->which));
  int *which = pl_dat_host(j->which, true);
  PL_TRY(pl_agree(pl, which ? PL_SUCCESS : pl->error_code));
  for (int side = 0; side < 2; side++)
    for (int e = 0; e < j->part[side]->part[3]; e++) which[place_of(j, side, e)] = side;
  pl_dat_host_written(j->which);
  return PL_SUCCESS;
}

pl_joined *pl_joined_sets(pl_context *pl, const pl_map *a, const pl_map *b)
{
  pl_workshop *shop = pl->late.fused;
  for (pl_joined *j = shop->joined; j; j = j->next)
    if (j->part[0] == a->from && j->part[1] == b->from) return j;
  pl_joined *j = pl_calloc(pl, 1, sizeof *j);
  if (j) *j = (pl_joined){.part = {a->from, b->from}, .tie = {a, b}};
  pl_err err = pl_agree(pl, j ? PL_SUCCESS : pl_fail_memory(pl, sizeof *j));
  if (!err) err = declare_set(pl, j);
  if (!err) err = fill_which(j);
  if (err) {
    pl_free(pl, j);
    return NULL;
  }
  j->next = shop->joined;
  shop->joined = j;
  return j;
}

/* ---- maps ---- */

static bool is_set(const pl_joined *j, const void *of)
{
  return of == j->part[0] || of == j->part[1];
}

static void fill_rows(const pl_joined *j, int side, const void *of, int arity, int *index)
{
  const pl_map *map = of;
  for (int e = 0; e < j->part[side]->part[3]; e++) {
    int *row = index + (size_t)place_of(j, side, e) * (size_t)arity;
    for (int k = 0; k < arity; k++)
      row[k] = !of ? -1 : is_set(j, of) ? e : map->index[(size_t)e * (size_t)arity + (size_t)k];
  }
}

static bool leads_nowhere(const pl_joined *j, const void *of)
{
  return !of || (!is_set(j, of) && ((const pl_map *)of)->has_negative);
}

static bool reaches_far(const pl_joined *j, const void *of)
{
  return of && !is_set(j, of) && ((const pl_map *)of)->made;
}

static pl_err fill_map(pl_joined *j, pl_joined_map *m)
{
  pl_context *pl = j->set->node.pl;
  const void *of = m->of[0] ? m->of[0] : m->of[1];
  const pl_map *map = of;
  int arity = is_set(j, of) ? 1 : map->arity;
  size_t n = (size_t)j->set->part[3] * (size_t)arity;
  char name[128];
  int *index = pl_malloc_array(pl, (n + 1) * sizeof *index);
  if (!index) return pl_fail_memory(pl, n * sizeof *index);
  for (int side = 0; side < 2; side++) fill_rows(j, side, m->of[side], arity, index);
  snprintf(name, sizeof name, "%.50s of %.50s", ((const pl_node *)of)->name, j->set->node.name);
  PL_TRY(pl_map_enter(j->set, is_set(j, of) ? (pl_set *)of : map->to, arity, index, name, &m->map));
  m->map->apart = is_set(j, of);
  m->map->looked = true;
  m->map->made = reaches_far(j, m->of[0]) || reaches_far(j, m->of[1]);
  if (pl_ranks(pl) > 1) m->map->has_negative = leads_nowhere(j, m->of[0]) || leads_nowhere(j, m->of[1]);
  return PL_SUCCESS;
}

pl_map *pl_joined_map_of(pl_context *pl, pl_joined *j, const void *a, const void *b)
{
  for (pl_joined_map *m = j->maps; m; m = m->next)
    if (m->of[0] == a && m->of[1] == b) return m->map;
  pl_joined_map *m = pl_calloc(pl, 1, sizeof *m);
  if (!m) pl_fail_memory(pl, sizeof *m);
  if (!m) return NULL;
  *m = (pl_joined_map){.of = {a, b}};
  if (fill_map(j, m)) {
    pl_free(pl, m);
    return NULL;
  }
  m->next = j->maps;
  j->maps = m;
  return m->map;
}

/* ---- forgetting ---- */

static bool joined_uses(const pl_joined *j, const void *object)
{
  bool uses = !object || object == j->part[0] || object == j->part[1] || object == j->tie[0] ||
              object == j->tie[1] || object == j->which || object == j->set;
  for (const pl_joined_map *m = j->maps; m; m = m->next)
    uses |= object == m->of[0] || object == m->of[1] || object == m->map || object == m->map->to;
  return uses;
}

/* What is declared goes too, but for the set, which stays as nobody's; with all others if all are forgotten.
 */
static void free_joined(pl_context *pl, pl_joined *j, const void *object)
{
  while (j->maps) {
    pl_joined_map *m = j->maps;
    j->maps = m->next;
    if (object && m->map != object) pl_map_free(&m->map);
    pl_free(pl, m);
  }
  if (object && j->which != object) pl_dat_free(&j->which);
  pl_free(pl, j);
}

void pl_joined_forget(pl_context *pl, const void *object)
{
  pl_workshop *shop = pl->late.fused;
  for (pl_joined **link = &shop->joined; *link;) {
    pl_joined *j = *link;
    if (!joined_uses(j, object)) {
      link = &j->next;
      continue;
    }
    *link = j->next;
    free_joined(pl, j, object);
    link = &shop->joined; /* freeing came here again */
  }
}

/* ---- loops ---- */

/* Two loops in one text. */
typedef struct joining {
  pl_builder *b;
  pl_joined *joined;
  pl_loop *const *member;
  bool *used; /* by slot: the second member has it too */
  int first;  /* slots that the first member has made */
} joining;

static bool meets(const pl_loop *loop, const pl_map *map)
{
  for (int i = 0; i < loop->nargs; i++)
    if (loop->args[i].map == map && !loop->args[i].off) return true;
  return false;
}

/* The k-th map of a loop that leads to `to` with rows of this length, of those that are different; NULL. */
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

/* Maps of the two that are alike make one, in the order in which the loops name them. Not where values are
 * assigned: elements of the other set have no target there, or they would store what they do not compute. */
static pl_map *map_of(const joining *g, int side, const pl_map *map, pl_access access)
{
  const void *of[2] = {NULL, NULL};
  int k = 0;
  while (nth_map(g->member[side], map, k) != map) k++;
  of[side] = map;
  if (access != PL_WRITE && access != PL_RW) of[1 - side] = nth_map(g->member[1 - side], map, k);
  return pl_joined_map_of(g->b->pl, g->joined, of[0], of[1]);
}

/* An argument seen from an element of both. */
static pl_err see_argument(const joining *g, int side, const pl_arg *arg, pl_arg *seen)
{
  *seen = *arg;
  if (arg->kind != PL_ARG_DAT) return PL_SUCCESS;
  pl_set *const *part = g->joined->part;
  seen->map = arg->map ? map_of(g, side, arg->map, arg->access)
                       : pl_joined_map_of(g->b->pl, g->joined, side ? NULL : part[0], side ? part[1] : NULL);
  if (!arg->map) seen->index = 0;
  return seen->map ? PL_SUCCESS : g->b->pl->error_code;
}

static bool same_argument(const pl_arg *x, const pl_arg *y)
{
  return x->kind == y->kind && x->object == y->object && x->map == y->map && x->index == y->index &&
         x->component == y->component && x->access == y->access && x->kind == PL_ARG_DAT;
}

/* What both do to one dat is one argument: an element does only one of the two. */
static int take_slot(joining *g, int side, const pl_arg *arg, bool real)
{
  pl_builder *b = g->b;
  for (int s = 0; side && s < g->first; s++) {
    if (g->used[s] || !same_argument(&b->slot[s].arg, arg) || b->slot[s].real != real) continue;
    g->used[s] = true;
    return s;
  }
  return pl_slot_number(b, pl_builder_slot_apart(b, arg, real));
}

static pl_err print_side(joining *g, int side)
{
  const pl_loop *loop = g->member[side];
  pl_signature signature;
  pl_call c;
  PL_TRY(pl_loop_signature(loop, &signature));
  pl_err err = pl_call_open(g->b, loop, &signature, &c);
  for (int i = 0; !err && i < loop->nargs; i++) {
    pl_arg seen;
    if (loop->args[i].off) continue;
    err = see_argument(g, side, &loop->args[i], &seen);
    if (!err)
      snprintf(c.place[i], PL_CALL_PLACE, "pl_a%d", take_slot(g, side, &seen, signature.param[i].is_real));
  }
  if (!err) pl_call_print(&c);
  pl_call_close(&c);
  pl_signature_free(&signature);
  return err;
}

static pl_err print_both(joining *g)
{
  const pl_arg which = pl_arg_dat(g->joined->which, PL_ID, PL_DIRECT, PL_READ);
  pl_text *t = &g->b->body;
  pl_text_add(t, "  if (pl_a%d[0] == 0) {\n", pl_slot_number(g->b, pl_builder_slot(g->b, &which, false)));
  PL_TRY(print_side(g, 0));
  g->first = g->b->nslots;
  pl_text_add(t, "  } else {\n");
  PL_TRY(print_side(g, 1));
  pl_text_add(t, "  }\n");
  return PL_SUCCESS;
}

/* A map that leads from the loop's set; NULL: there is none. */
static const pl_map *tie_of(const pl_loop *loop)
{
  for (pl_node *node = loop->pl->maps; node; node = node->next) {
    const pl_map *map = (const pl_map *)node;
    if (map->from == loop->set && map->index && meets(loop, map)) return map;
  }
  for (pl_node *node = loop->pl->maps; node; node = node->next)
    if (((const pl_map *)node)->from == loop->set) return (const pl_map *)node;
  return NULL;
}

bool pl_loop_may_join(const pl_loop *loop)
{
  const pl_set *set = loop->set;
  if (set->parent || set->pairs || set->capacity || set->travels || loop->raw) return false;
  for (int i = 0; i < loop->nargs; i++) {
    const pl_arg *arg = &loop->args[i];
    if (arg->off) continue;
    if (arg->kind == PL_ARG_INDEX) return false;
    if (arg->map && (!arg->map->index || arg->map->where)) return false;
  }
  return tie_of(loop) != NULL;
}

pl_err pl_fuse_sets(pl_context *pl, pl_loop *a, pl_loop *b, const pl_made **result)
{
  pl_workshop *shop = pl_workshop_of(pl);
  pl_loop *const member[] = {a, b};
  const int kind = -5;
  char label[80];
  pl_builder builder;
  if (!shop) return PL_ERR_MEMORY;
  uint64_t key = pl_hash(pl_hash(PL_HASH_START, &kind, sizeof kind), member, sizeof member);
  if ((*result = pl_made_find(shop, key))) return PL_SUCCESS;
  joining g = {.b = &builder, .member = member};
  pl_err err = pl_builder_open(pl, &builder, a->nargs + b->nargs + 1, 2);
  builder.later = true;
  g.used = pl_calloc(pl, (size_t)builder.most + 1, sizeof *g.used);
  if (!err) err = g.used ? PL_SUCCESS : pl_fail_memory(pl, (size_t)builder.most);
  err = pl_agree(pl, err);
  if (!err) g.joined = pl_joined_sets(pl, tie_of(a), tie_of(b));
  if (!err && !g.joined) err = pl->error_code;
  pl_loop *loop;
  snprintf(label, sizeof label, "%.28s_beside_%.24s", a->kernel->name, b->kernel->name);
  if (!err) err = pl_agree(pl, print_both(&g));
  if (!err) err = pl_builder_loop(&builder, g.joined->set, label, &loop);
  if (!err) err = pl_made_keep(pl, key, loop, 0, NULL);
  pl_free(pl, g.used);
  pl_builder_free(&builder);
  if (!err) *result = pl_made_find(shop, key);
  return err;
}
