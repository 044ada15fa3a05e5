/* SPDX-License-Identifier: BSD-2-Clause
 * Parts of texts, made loops and composed maps of a context.
 */
#include "workshop.h"
#include "core/memory.h"
#include "source.h"
#include <string.h>

static void forget_turned(pl_context *pl, const void *object);
static void forget_shadow(pl_context *pl, const void *object);
static void forget_blocks(pl_context *pl, const void *object);

static void forget(pl_context *pl, const void *object)
{
  pl_workshop *shop = pl->late.fused;
  while (shop->loops) {
    pl_made *m = shop->loops;
    shop->loops = m->next;
    pl_free(pl, m);
  }
  for (pl_composed **link = &shop->maps; *link;) {
    pl_composed *c = *link;
    const void *ends[] = {c->inner, c->outer, c->map, c->map->from, c->map->to, c->outer->from};
    bool goes = false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) goes |= ends[i] == object;
    if (!goes) {
      link = &c->next;
      continue;
    }
    *link = c->next;
    if (c->map != object) pl_map_free(&c->map);
    pl_free(pl, c);
    link = &shop->maps; /* freeing a map came here again */
  }
  if (!object) return;
  forget_turned(pl, object);
  forget_shadow(pl, object);
  forget_blocks(pl, object);
  pl_joined_forget(pl, object);
}

static void free_blocks(pl_context *pl, pl_blocks *b)
{
  if (b->device) pl->backend->buffer_free(pl, b->device);
  pl_free(pl, b->first);
  pl_free(pl, b);
}

/* All that hangs on maps made before: storage is arranged anew. Freeing a map comes back to forget(). */
static void drop_maps(pl_context *pl)
{
  pl_workshop *shop = pl->late.fused;
  forget(pl, NULL);
  while (shop->maps) forget(pl, shop->maps->map->from);
  while (shop->turned) forget_turned(pl, shop->turned->set);
  while (shop->blocks) forget_blocks(pl, shop->blocks->set);
  while (shop->joined) pl_joined_forget(pl, shop->joined->set);
}

static void close_shop(pl_context *pl)
{
  pl_workshop *shop = pl->late.fused;
  forget(pl, NULL);
  while (shop->maps) {
    pl_composed *c = shop->maps;
    shop->maps = c->next; /* the map itself goes with all others */
    pl_free(pl, c);
  }
  while (shop->turned) { /* what hangs on it goes with all others */
    pl_turned *t = shop->turned;
    shop->turned = t->next;
    pl_free(pl, t->rest);
    pl_free(pl, t);
  }
  while (shop->shadows) {
    pl_shadow *d = shop->shadows;
    shop->shadows = d->next;
    pl_free(pl, d);
  }
  while (shop->blocks) {
    pl_blocks *b = shop->blocks;
    shop->blocks = b->next;
    free_blocks(pl, b);
  }
  pl_joined_forget(pl, NULL);
  while (shop->parts) {
    pl_part_text *p = shop->parts;
    shop->parts = p->next;
    pl_free(pl, p->name);
    pl_free(pl, p->text);
    pl_free(pl, p->needs);
    pl_free(pl, p);
  }
  pl_free(pl, shop);
  pl->late.fused = NULL;
}

pl_workshop *pl_workshop_of(pl_context *pl)
{
  if (pl->late.fused) return pl->late.fused;
  pl->late.fused = pl_calloc(pl, 1, sizeof(pl_workshop));
  pl->late.fused_forget = forget;
  pl->late.fused_drop = drop_maps;
  pl->late.fused_close = close_shop;
  if (!pl->late.fused) pl_fail_memory(pl, sizeof(pl_workshop));
  return pl->late.fused;
}

const pl_made *pl_made_find(const pl_workshop *shop, uint64_t key)
{
  for (const pl_made *m = shop->loops; m; m = m->next)
    if (m->key == key) return m;
  return NULL;
}

pl_err pl_made_keep(pl_context *pl, uint64_t key, pl_loop *loop, int nswap, pl_dat *const (*swap)[2])
{
  pl_workshop *shop = pl->late.fused;
  pl_made *m = pl_calloc(pl, 1, sizeof *m);
  if (!m) return pl_fail_memory(pl, sizeof *m);
  *m = (pl_made){.next = shop->loops, .key = key, .loop = loop, .nswap = nswap};
  if (nswap) memcpy(m->swap, swap, (size_t)nswap * sizeof *swap);
  shop->loops = m;
  return PL_SUCCESS;
}

/* ---- turned maps and second storage ---- */

pl_turned *pl_turned_find(pl_context *pl, const pl_set *set, const pl_map *map, int nslots, const int *index)
{
  for (pl_turned *t = ((pl_workshop *)pl->late.fused)->turned; t; t = t->next)
    if (t->set == set && t->of == map && t->nslots == nslots &&
        !memcmp(t->index, index, (size_t)nslots * sizeof *index))
      return t;
  return NULL;
}

pl_turned *pl_turned_new(pl_context *pl, const pl_set *set, const pl_map *map, int nslots, const int *index)
{
  pl_workshop *shop = pl->late.fused;
  pl_turned *t = pl_calloc(pl, 1, sizeof *t);
  if (!t) {
    pl_fail_memory(pl, sizeof *t);
    return NULL;
  }
  *t = (pl_turned){.next = shop->turned, .set = set, .of = map, .nslots = nslots};
  memcpy(t->index, index, (size_t)nslots * sizeof *index);
  shop->turned = t;
  return t;
}

pl_dat *pl_shadow_of(pl_context *pl, pl_dat *dat)
{
  pl_workshop *shop = pl->late.fused;
  char name[128];
  for (pl_shadow *s = shop->shadows; s; s = s->next)
    if (s->of == dat) return s->dat;
  pl_shadow *s = pl_calloc(pl, 1, sizeof *s);
  snprintf(name, sizeof name, "%.100s next", dat->node.name);
  if (!s || pl_decl_dat_shape(dat->set, dat->rank, dat->shape, dat->type, NULL, name, &s->dat)) {
    pl_free(pl, s);
    return NULL;
  }
  s->dat->layout = dat->layout;
  s->dat->pack = dat->pack;
  s->dat->pinned = dat->pinned;
  s->of = dat;
  s->next = shop->shadows;
  shop->shadows = s;
  return s->dat;
}

static bool turned_uses(const pl_turned *t, const void *object)
{
  return object == t->set || object == t->of || object == t->of->from || object == t->of->to ||
         object == t->element || object == t->other || object == t->side ||
         (t->rest && turned_uses(t->rest, object)) ||
         (object && (object == t->corners.of || object == t->corners.in));
}

static void free_turned(pl_context *pl, pl_turned *t, const void *object)
{
  if (!t) return;
  free_turned(pl, t->rest, object);
  if (t->element && t->element != object) pl_map_free(&t->element);
  if (t->other && t->other != object) pl_map_free(&t->other);
  if (t->side && t->side != object) pl_dat_free(&t->side);
  pl_free(pl, t);
}

/* Freeing what hangs on a turned map comes back here: it is taken out of the list first. */
static void forget_turned(pl_context *pl, const void *object)
{
  pl_workshop *shop = pl->late.fused;
  for (pl_turned **link = &shop->turned; *link;) {
    pl_turned *t = *link;
    if (!turned_uses(t, object)) {
      link = &t->next;
      continue;
    }
    *link = t->next;
    free_turned(pl, t, object);
    link = &shop->turned;
  }
}

static void forget_shadow(pl_context *pl, const void *object)
{
  pl_workshop *shop = pl->late.fused;
  for (pl_shadow **link = &shop->shadows; *link; link = &(*link)->next) {
    pl_shadow *s = *link;
    if (s->of != object && s->dat != object) continue;
    *link = s->next;
    if (s->dat != object) pl_dat_free(&s->dat);
    pl_free(pl, s);
    return;
  }
}

static bool blocks_use(const pl_blocks *b, const void *object)
{
  bool uses = object == b->set || object == b->to || object == b->target;
  for (int l = 0; l < b->nlocals; l++) uses |= object == b->of[l] || object == b->local[l];
  return uses || (b->local[0] && object == b->local[0]->from);
}

/* Blocks that use an object that goes; their maps go, their set of targets stays, as nobody's. */
static void forget_blocks(pl_context *pl, const void *object)
{
  pl_workshop *shop = pl->late.fused;
  for (pl_blocks **link = &shop->blocks; *link;) {
    pl_blocks *b = *link;
    if (!blocks_use(b, object)) {
      link = &b->next;
      continue;
    }
    *link = b->next;
    if (b->target && b->target != object) pl_map_free(&b->target);
    for (int l = 0; l < b->nlocals; l++)
      if (b->local[l] && b->local[l] != object) pl_map_free(&b->local[l]);
    free_blocks(pl, b);
    link = &shop->blocks;
  }
}

/* ---- maps ---- */

pl_err pl_made_map(pl_set *from, pl_set *to, int arity, int *index, bool negative, const char *name,
                   pl_map **map)
{
  PL_TRY(pl_map_enter(from, to, arity, index, name, map));
  (*map)->made = (*map)->looked = true;
  if (pl_ranks(from->node.pl) > 1) (*map)->has_negative = negative;
  return PL_SUCCESS;
}

pl_map *pl_composed_map(pl_context *pl, const pl_map *inner, const pl_map *outer)
{
  pl_workshop *shop = pl->late.fused;
  for (pl_composed *c = shop->maps; c; c = c->next)
    if (c->inner == inner && c->outer == outer) return c->map;
  size_t n = (size_t)inner->from->part[3], a = (size_t)inner->arity, b = (size_t)outer->arity;
  char name[128];
  pl_composed *c = pl_calloc(pl, 1, sizeof *c);
  int *index = pl_malloc_array(pl, (n * a * b + 1) * sizeof *index);
  if (!c || !index) pl_fail_memory(pl, n * a * b * sizeof *index);
  for (size_t i = 0; c && index && i < n * a; i++)
    for (size_t k = 0; k < b; k++)
      index[i * b + k] = inner->index[i] < 0 ? -1 : outer->index[(size_t)inner->index[i] * b + k];
  snprintf(name, sizeof name, "%.50s of %.50s", outer->node.name, inner->node.name);
  bool room = c && index, negative = inner->has_negative || outer->has_negative;
  if (!room) pl_free_array(pl, index);
  if (!room || pl_made_map(inner->from, outer->to, (int)(a * b), index, negative, name, &c->map)) {
    pl_free(pl, c);
    return NULL;
  }
  c->map->where = inner->where;
  c->inner = inner;
  c->outer = outer;
  c->next = shop->maps;
  shop->maps = c;
  return c->map;
}

/* ---- parts ---- */

pl_part_text *pl_part_new(pl_context *pl, const pl_kernel *kernel)
{
  pl_workshop *shop = pl->late.fused;
  pl_part_text *p = pl_calloc(pl, 1, sizeof *p);
  if (!p) {
    pl_fail_memory(pl, sizeof *p);
    return NULL;
  }
  p->kernel = kernel;
  p->next = shop->parts;
  shop->parts = p;
  shop->nparts++;
  return p;
}

/* A PL_KERNEL under a name of its own; a source as it is. */
static bool fill_part(pl_context *pl, pl_part_text *p)
{
  const pl_kernel *kernel = p->kernel;
  char name[96];
  pl_text text;
  pl_reals reals;
  if (pl_source_reals(pl, kernel, &reals)) return false;
  p->uses_real = reals.uses;
  p->computes = reals.computes;
  pl_text_init(&text, pl);
  p->source = kernel->source != NULL;
  snprintf(name, sizeof name, p->source ? "%s" : "%.80s_%d", kernel->name,
           ((pl_workshop *)pl->late.fused)->nparts);
  if (p->source)
    pl_text_add(&text, "%s\n", kernel->source);
  else
    pl_text_add(&text, "void %s%s %s\n", name, kernel->params, kernel->body);
  p->name = pl_strdup(pl, name);
  p->text = pl_text_check(&text) ? NULL : pl_strdup(pl, pl_text_string(&text));
  pl_text_free(&text);
  if (!p->name || !p->text) pl_fail_memory(pl, strlen(name));
  return p->name && p->text;
}

pl_part_text *pl_part_of(pl_context *pl, const pl_kernel *kernel)
{
  pl_workshop *shop = pl->late.fused;
  for (pl_part_text *p = shop->parts; p; p = p->next)
    if (p->kernel == kernel && p->name && p->text) return p;
  pl_part_text *p = pl_part_new(pl, kernel);
  return p && fill_part(pl, p) ? p : NULL;
}
