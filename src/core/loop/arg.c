/* SPDX-License-Identifier: BSD-2-Clause
 * Loop arguments: what can be said of them without the kernel's text.
 */
#include "loop.h"
#include "pairs.h"
#include <stdarg.h>
#include <string.h>

/* ---- properties ---- */

pl_type pl_arg_type(const pl_arg *arg)
{
  switch (arg->kind) {
  case PL_ARG_DAT:
  case PL_ARG_DIFFERENCE:
  case PL_ARG_DISTANCE:
    return ((const pl_dat *)arg->object)->type;
  case PL_ARG_GLOBAL:
    return ((const pl_global *)arg->object)->type;
  case PL_ARG_CONST:
    return ((const pl_const *)arg->object)->type;
  case PL_ARG_INDEX:
    return PL_INT64;
  default:
    return PL_TYPE_COUNT;
  }
}

pl_type pl_arg_seen_type(const pl_arg *arg)
{
  return arg->fixed ? PL_DOUBLE : pl_arg_type(arg);
}

int pl_arg_dim(const pl_arg *arg)
{
  switch (arg->kind) {
  case PL_ARG_DAT:
  case PL_ARG_DIFFERENCE:
    return arg->component >= 0 ? 1 : ((const pl_dat *)arg->object)->dim;
  case PL_ARG_GLOBAL:
    return ((const pl_global *)arg->object)->dim;
  case PL_ARG_CONST:
    return ((const pl_const *)arg->object)->dim;
  default:
    return 1;
  }
}

int pl_arg_targets(const pl_arg *arg)
{
  return arg->map && arg->index == PL_ALL && !arg->map->offset ? arg->map->arity : 1;
}

bool pl_arg_is_row(const pl_arg *arg)
{
  return arg->index == PL_WHOLE || (arg->map && arg->map->offset && arg->index == PL_ALL);
}

pl_dat *pl_arg_dat_of(const pl_arg *arg)
{
  bool has = arg->kind == PL_ARG_DAT || arg->kind == PL_ARG_DIFFERENCE || arg->kind == PL_ARG_DISTANCE;
  pl_dat *dat = has && !arg->off ? arg->object : NULL;
  return dat && !dat->local ? dat : NULL;
}

int pl_arg_reached(const pl_arg *arg, int element)
{
  if (arg->index == PL_WHOLE) return 0; /* it may reach any */
  if (!pl_arg_is_row(arg)) return pl_arg_targets(arg);
  return arg->map->offset[element + 1] - arg->map->offset[element];
}

bool pl_arg_writes(const pl_arg *arg)
{
  return arg->access != PL_READ && !arg->off;
}

bool pl_arg_collides(const pl_arg *arg)
{
  return arg->map && !arg->map->apart && pl_arg_writes(arg) && pl_arg_dim(arg) > 0;
}

int pl_arg_target(const pl_arg *arg, int element, int k)
{
  if (!arg->map) return element;
  if (arg->map->offset) return arg->map->index[arg->map->offset[element] + k];
  return arg->map
    ->index[(size_t)element * (size_t)arg->map->arity + (size_t)(arg->index == PL_ALL ? k : arg->index)];
}

const pl_set *pl_arg_numbered(const pl_loop *loop, int i)
{
  const pl_arg *arg = &loop->args[i];
  bool shows = (arg->kind == PL_ARG_INDEX && !arg->off) || pl_has_payload(loop, i);
  if (!shows) return NULL;
  bool first = loop->set->pairs && arg->index == 0; /* the sides of a pair are from and to */
  const pl_set *set = first ? arg->map->from : arg->map ? arg->map->to : pl_set_base(loop->set);
  return set->global ? set : NULL;
}

const char *pl_access_name(pl_access access)
{
  static const char *const names[] = {"", "READ", "WRITE", "RW", "INC", "MIN", "MAX", "INC_ANTI", "INC_SYM"};
  return names[access];
}

const char *pl_arg_name(const pl_arg *args, int i, char *buffer)
{
  static const char *const kinds[] = {"",      "dat",     "global",        "const",
                                      "index", "pointer", "difference of", "distance in"};
  const pl_arg *arg = &args[i];
  bool named = ((arg->kind >= PL_ARG_DAT && arg->kind <= PL_ARG_CONST) ||
                (arg->kind >= PL_ARG_DIFFERENCE && arg->kind <= PL_ARG_DISTANCE)) &&
               arg->object;
  if (named)
    snprintf(buffer, PL_ARG_NAME, "argument %d (%s \"%.64s\")", i + 1, kinds[arg->kind],
             ((pl_node *)arg->object)->name);
  else
    snprintf(buffer, PL_ARG_NAME, "argument %d", i + 1);
  return buffer;
}

void pl_arg_say(pl_text *t, const pl_arg *arg)
{
  if (arg->off) return;
  if (arg->kind == PL_ARG_INDEX || arg->kind == PL_ARG_POINTER) {
    pl_text_add(t, arg->kind == PL_ARG_INDEX ? " index" : " pointer");
    return;
  }
  pl_text_add(t, " %s %s", ((const pl_node *)arg->object)->name, pl_access_name(arg->access));
  if (arg->component >= 0) pl_text_add(t, " [%d]", arg->component);
  if (arg->map && arg->index == PL_ALL) pl_text_add(t, " by %s", arg->map->node.name);
  if (arg->map && arg->index != PL_ALL) pl_text_add(t, " by %s[%d]", arg->map->node.name, arg->index);
}

pl_err pl_arg_reject(pl_context *pl, const char *kind, const pl_kernel *kernel, const pl_node *over,
                     const pl_arg *args, int i, pl_err code, const char *format, ...)
{
  char name[PL_ARG_NAME], what[512];
  va_list list;
  va_start(list, format);
  vsnprintf(what, sizeof what, format, list);
  va_end(list);
  return pl_fail(pl, code, "%s \"%s\" over \"%s\", %s: %s", kind, kernel->name, over->name,
                 pl_arg_name(args, i, name), what);
}

/* ---- one argument ---- */

typedef struct checker {
  pl_context *pl;
  const pl_kernel *kernel;
  pl_set *set, *base;
  int nargs;
  const pl_arg *args;
} checker;

#define reject(c, i, code, ...)                                                                              \
  pl_arg_reject((c)->pl, "loop", (c)->kernel, &(c)->set->node, (c)->args, i, code, __VA_ARGS__)

static pl_err check_object(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  if (arg->kind < PL_ARG_DAT || arg->kind > PL_ARG_POINTER)
    return reject(c, i, PL_ERR_ARG, "it was not made by a pl_arg_ function");
  if (arg->kind == PL_ARG_INDEX || arg->kind == PL_ARG_POINTER) return PL_SUCCESS;
  if (!arg->object) return reject(c, i, PL_ERR_ARG, "it is NULL");
  if (((pl_node *)arg->object)->pl != c->pl)
    return reject(c, i, PL_ERR_ARG, "it belongs to another context than the set");
  return PL_SUCCESS;
}

/* What goes through a ragged map is a row of values that the kernel reads. */
static pl_err check_row(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  if (arg->index != PL_ALL)
    return reject(c, i, PL_ERR_RANGE, "target %d of map \"%s\", which is ragged: use PL_ALL for a row",
                  arg->index, arg->map->node.name);
  if (arg->access != PL_READ)
    return reject(c, i, PL_ERR_ACCESS,
                  "it goes through the ragged map \"%s\", which can only be PL_READ; loop over the map's "
                  "inverse, or over pairs, to write",
                  arg->map->node.name);
  return PL_SUCCESS;
}

static pl_err check_map(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  const pl_map *map = arg->map;
  if (!map) {
    if (arg->index != PL_ID)
      return reject(c, i, PL_ERR_ARG, "index %d without a map; a direct argument has PL_ID", arg->index);
    return PL_SUCCESS;
  }
  if (map->node.pl != c->pl)
    return reject(c, i, PL_ERR_ARG, "its map belongs to another context than the set");
  if (map->from != c->base)
    return reject(c, i, PL_ERR_ARG, "map \"%s\" starts from \"%s\", but the loop is over \"%s\"",
                  map->node.name, map->from->node.name, c->base->node.name);
  if (map->pair_map)
    return reject(c, i, PL_ERR_ARG, "map \"%s\" is a pair map, which is for pl_pair_loop", map->node.name);
  if (map->offset) return check_row(c, i);
  if (arg->index != PL_ALL && (arg->index < 0 || arg->index >= map->arity))
    return reject(c, i, PL_ERR_RANGE, "target %d of map \"%s\", which has targets 0 to %d (or PL_ALL)",
                  arg->index, map->node.name, map->arity - 1);
  if (!map->index && c->set->part[3] > 0)
    return reject(c, i, PL_ERR_STATE, "map \"%s\" was declared without indices", map->node.name);
  return PL_SUCCESS;
}

static pl_err check_dat(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  const pl_dat *dat = arg->object;
  if (arg->access < PL_READ || arg->access > PL_MAX)
    return reject(c, i, PL_ERR_ACCESS, "a dat is PL_READ, PL_WRITE, PL_RW, PL_INC, PL_MIN or PL_MAX");
  PL_TRY(check_map(c, i));
  if (!arg->map && dat->set != c->base)
    return reject(c, i, PL_ERR_ARG, "it lives on \"%s\", but the loop is over \"%s\"; give a map",
                  dat->set->node.name, c->base->node.name);
  if (arg->map && arg->map->to != dat->set)
    return reject(c, i, PL_ERR_ARG, "map \"%s\" ends on \"%s\", but the dat lives on \"%s\"",
                  arg->map->node.name, arg->map->to->node.name, dat->set->node.name);
  if (arg->component < -1 || arg->component >= dat->dim)
    return reject(c, i, PL_ERR_RANGE, "component %d of a dat of dim %d", arg->component, dat->dim);
  if ((arg->access == PL_MIN || arg->access == PL_MAX) && pl_type_is_complex(dat->type))
    return reject(c, i, PL_ERR_ACCESS, "complex values have no order for PL_MIN or PL_MAX");
  return PL_SUCCESS;
}

static pl_err check_payload(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  if (arg->access != PL_WRITE || arg->with == arg->object)
    return reject(c, i, PL_ERR_ACCESS, "a payload is made by pl_arg_payload, of another global");
  for (int j = 0; j < c->nargs; j++) {
    const pl_arg *of = &c->args[j];
    if (of->kind != PL_ARG_GLOBAL || of->object != arg->with || of->with) continue;
    if (of->access != PL_MIN && of->access != PL_MAX) break;
    if (arg->with->dim == 1) return PL_SUCCESS;
    return reject(c, i, PL_ERR_ARG, "the global \"%s\" that it goes with has dim %d; it must have dim 1",
                  arg->with->node.name, arg->with->dim);
  }
  return reject(c, i, PL_ERR_ARG,
                "the global \"%s\" that it goes with is no PL_MIN or PL_MAX argument of this loop",
                arg->with->node.name);
}

static pl_err check_global(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  if (arg->with) return check_payload(c, i);
  if (arg->access != PL_READ && arg->access != PL_INC && arg->access != PL_MIN && arg->access != PL_MAX)
    return reject(c, i, PL_ERR_ACCESS, "a global is PL_READ, PL_INC, PL_MIN or PL_MAX");
  if ((arg->access == PL_MIN || arg->access == PL_MAX) && pl_type_is_complex(pl_arg_type(arg)))
    return reject(c, i, PL_ERR_ACCESS, "complex values have no order for PL_MIN or PL_MAX");
  return PL_SUCCESS;
}

/* Reals in fixed point are whole numbers where they are kept. */
static pl_err check_fixed(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  if (arg->fixed < 1 || arg->fixed > 62)
    return reject(c, i, PL_ERR_RANGE, "fixed point with %d bits after the point; there can be 1 to 62",
                  arg->fixed);
  if ((arg->kind != PL_ARG_DAT && arg->kind != PL_ARG_GLOBAL) || arg->with || pl_arg_type(arg) != PL_INT64)
    return reject(c, i, PL_ERR_TYPE, "fixed point is for dats and globals of PL_INT64");
  if ((arg->access != PL_READ && arg->access != PL_INC) || pl_arg_is_row(arg) || c->set->pairs)
    return reject(c, i, PL_ERR_ACCESS,
                  "fixed point can be PL_READ or PL_INC, not through a ragged map and not over pairs");
  return PL_SUCCESS;
}

static pl_err check_arg(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  PL_TRY(check_object(c, i));
  if (arg->index == PL_WHOLE && pl_kernel_is_own(c->kernel)) return PL_SUCCESS;
  if (arg->fixed) PL_TRY(check_fixed(c, i));
  switch (arg->kind) {
  case PL_ARG_DAT:
    return check_dat(c, i);
  case PL_ARG_GLOBAL:
    return check_global(c, i);
  case PL_ARG_CONST:
    return arg->access == PL_READ ? PL_SUCCESS : reject(c, i, PL_ERR_ACCESS, "a const can only be PL_READ");
  case PL_ARG_INDEX:
    if (arg->index == PL_ALL)
      return reject(c, i, PL_ERR_RANGE, "the index of one target, not of all (PL_ALL)");
    return check_map(c, i);
  default:
    return PL_SUCCESS;
  }
}

/* ---- pairs of arguments on the same data ---- */

static bool components_overlap(const pl_arg *a, const pl_arg *b)
{
  return a->component < 0 || b->component < 0 || a->component == b->component;
}

/* Whether two arguments on one dat are right together whatever the maps hold. */
static bool compatible(const pl_arg *a, const pl_arg *b)
{
  if (a->access == PL_READ && b->access == PL_READ) return true;
  if (!components_overlap(a, b)) return true;
  if (a->access != b->access || !a->map != !b->map) return false;
  return a->map || (a->access != PL_RW && a->access != PL_WRITE);
}

/* The first target that both arguments reach in this loop, or -1. `marks` is zeroed, one byte for each
 * target. */
static int common_target(const pl_set *set, const pl_arg *a, const pl_arg *b, unsigned char *marks)
{
  for (int pass = 0; pass < 2; pass++) {
    const pl_arg *arg = pass ? b : a;
    for (int i = 0; i < set->part[2]; i++)
      for (int e = set->indices ? set->indices[i] : i, k = 0; k < pl_arg_reached(arg, e); k++) {
        int t = pl_arg_target(arg, e, k);
        if (t >= 0 && pass && marks[t]) return t;
        if (t >= 0 && !pass) marks[t] = 1;
      }
  }
  return -1;
}

static pl_err check_dat_pair(const checker *c, int i, int j)
{
  const pl_arg *a = &c->args[i], *b = &c->args[j];
  const pl_dat *dat = a->object;
  if (compatible(a, b)) return PL_SUCCESS;
  unsigned char *marks = pl_calloc(c->pl, (size_t)dat->set->part[3] + 1, 1);
  if (!marks) return pl_fail_memory(c->pl, (size_t)dat->set->part[3]);
  int common = common_target(c->set, a, b, marks);
  pl_free(c->pl, marks);
  if (common < 0) return PL_SUCCESS;
  return reject(
    c, j, PL_ERR_ACCESS,
    "argument %d is the same dat and both reach its element %lld, so the result would depend on which "
    "comes first; use one argument with one access, or a second dat",
    i + 1, (long long)pl_element_number(dat->set, common));
}

static pl_err check_global_pair(const checker *c, int i, int j)
{
  const pl_arg *a = &c->args[i], *b = &c->args[j];
  if (a->access == b->access && !a->with && !b->with) return PL_SUCCESS;
  return reject(c, j, PL_ERR_ACCESS, "argument %d is the same global with another access", i + 1);
}

static pl_err check_pairs(const checker *c, int j)
{
  const pl_arg *b = &c->args[j];
  for (int i = 0; i < j; i++) {
    const pl_arg *a = &c->args[i];
    if (a->off || b->off || a->kind != b->kind || a->object != b->object) continue;
    if (a->kind == PL_ARG_DAT) PL_TRY(check_dat_pair(c, i, j));
    if (a->kind == PL_ARG_GLOBAL) PL_TRY(check_global_pair(c, i, j));
  }
  return PL_SUCCESS;
}

pl_err pl_args_check(pl_context *pl, const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args)
{
  checker c = {pl, kernel, set, pl_set_base(set), nargs, args};
  if (!kernel->source && (!kernel->params || !kernel->body))
    return pl_fail(pl, PL_ERR_KERNEL,
                   "loop \"%s\": the kernel has no text; make it by PL_KERNEL or from source", kernel->name);
  if (nargs < 1 || !args) return pl_fail(pl, PL_ERR_ARG, "loop \"%s\": it has no arguments", kernel->name);
  if (set->pairs) return pl_pair_args_check(pl, kernel, set->pairs, nargs, args);
  for (int i = 0; i < nargs; i++) PL_TRY(check_arg(&c, i));
  for (int i = 0; i < nargs; i++) PL_TRY(check_pairs(&c, i));
  return PL_SUCCESS;
}
