/* SPDX-License-Identifier: BSD-2-Clause
 * Checks of loop arguments.
 */
#include "arg.h"
#include "loop.h"
#include "reduction.h"
#include <stdarg.h>

const pl_set *pl_arg_numbered(const pl_loop *loop, int i)
{
  const pl_arg *arg = &loop->args[i];
  bool delivers = (pl_arg_is_numbered(arg) && !arg->off) || pl_has_payload(loop, i);
  if (!delivers || arg->index == PL_WHOLE) return NULL; /* of own kernels: the element in storage order */
  bool first = pl_loop_traits_of(loop)->pairs && arg->index == 0; /* the sides of a pair are from and to */
  const pl_set *set = first ? arg->map->from : arg->map ? arg->map->to : pl_set_base(loop->set);
  return set->global ? set : NULL;
}

/* ---- one argument ---- */

/* The loop whose arguments are checked. */
typedef struct checker {
  pl_context *pl;
  const pl_kernel *kernel;
  pl_set *set, *base; /* of the loop; NULL: a pair loop */
  const pl_map *map;  /* of a pair loop; else NULL */
  int nargs;
  const pl_arg *args;
} checker;

/* Fails with a sentence about argument i: the loop, its kernel, its set or map, and the argument. */
PL_PRINTF(4, 5)
static pl_err reject_arg(const checker *c, int i, pl_err code, const char *format, ...)
{
  char name[PL_ARG_NAME], sentence[512];
  va_list list;
  va_start(list, format);
  vsnprintf(sentence, sizeof sentence, format, list);
  va_end(list);
  return pl_fail(c->pl, code, "%s \"%s\" over \"%s\", %s: %s", c->map ? "pair loop" : "loop", c->kernel->name,
                 c->map ? c->map->node.name : c->set->node.name, pl_arg_name(c->args, i, name), sentence);
}

static pl_err check_object(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  const pl_arg_traits *traits = pl_arg_traits_of(arg);
  if (traits->of == PL_OF_MIXED) return reject_arg(c, i, PL_ERR_ARG, "only loops over elements take it");
  if (!traits->noun || traits->of == PL_OF_MATRIX || (traits->derived && !c->map))
    return reject_arg(c, i, PL_ERR_ARG, "it was not created by a pl_arg_ function");
  if (pl_arg_is_foreign(arg) && c->map)
    return reject_arg(c, i, PL_ERR_ARG, "user pointers are not supported in pair loops");
  if (arg->kind == PL_ARG_INDEX || pl_arg_is_foreign(arg)) return PL_SUCCESS;
  if (!arg->object) return reject_arg(c, i, PL_ERR_ARG, "it is NULL");
  if (((pl_node *)arg->object)->pl != c->pl)
    return reject_arg(c, i, PL_ERR_ARG, "it belongs to another context than the %s",
                      c->map ? "pairs" : "set");
  return PL_SUCCESS;
}

/* Through a ragged map the kernel reads a row of values. */
static pl_err check_row(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  if (arg->index != PL_ALL)
    return reject_arg(c, i, PL_ERR_RANGE, "target %d of map \"%s\", which is ragged: use PL_ALL for a row",
                      arg->index, arg->map->node.name);
  if (arg->access != PL_READ)
    return reject_arg(c, i, PL_ERR_ACCESS,
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
      return reject_arg(c, i, PL_ERR_ARG,
                        "%s of a map, but the map is NULL; pl_arg_direct is the element itself",
                        arg->index == PL_ALL ? "all targets (PL_ALL)" : "a target");
    return PL_SUCCESS;
  }
  if (map->node.pl != c->pl)
    return reject_arg(c, i, PL_ERR_ARG, "its map belongs to another context than the set");
  if (map->from != c->base)
    return reject_arg(c, i, PL_ERR_ARG, "map \"%s\" starts from \"%s\", but the loop is over \"%s\"",
                      map->node.name, map->from->node.name, c->base->node.name);
  if (map->pair_map)
    return reject_arg(c, i, PL_ERR_ARG, "map \"%s\" is a pair map, which is for pl_pair_loop",
                      map->node.name);
  if (map->offset) return check_row(c, i);
  if (arg->index != PL_ALL && (arg->index < 0 || arg->index >= map->arity))
    return reject_arg(c, i, PL_ERR_RANGE, "target %d of map \"%s\", which has targets 0 to %d (or PL_ALL)",
                      arg->index, map->node.name, map->arity - 1);
  if (!map->index && c->set->end[3] > 0)
    return reject_arg(c, i, PL_ERR_STATE, "map \"%s\" was declared without indices", map->node.name);
  return PL_SUCCESS;
}

static pl_err check_dat(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  const pl_dat *dat = arg->object;
  if (arg->access < PL_READ || arg->access > PL_MAX)
    return reject_arg(c, i, PL_ERR_ACCESS,
                      "the access to a dat must be PL_READ, PL_WRITE, PL_RW, PL_INC, PL_MIN or PL_MAX");
  PL_TRY(check_map(c, i));
  if (!arg->map && dat->set != c->base)
    return reject_arg(c, i, PL_ERR_ARG, "it is on set \"%s\", but the loop is over \"%s\"; give a map",
                      dat->set->node.name, c->base->node.name);
  if (arg->map && arg->map->to != dat->set)
    return reject_arg(c, i, PL_ERR_ARG, "map \"%s\" ends on \"%s\", but the dat is on set \"%s\"",
                      arg->map->node.name, arg->map->to->node.name, dat->set->node.name);
  if (arg->component < -1 || arg->component >= dat->dim)
    return reject_arg(c, i, PL_ERR_RANGE, "component %d of a dat of dim %d", arg->component, dat->dim);
  if ((arg->access == PL_MIN || arg->access == PL_MAX) && pl_type_is_complex(dat->type))
    return reject_arg(c, i, PL_ERR_ACCESS, "complex values have no order for PL_MIN or PL_MAX");
  return PL_SUCCESS;
}

static pl_err check_payload(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  if (arg->access != PL_WRITE || arg->with == arg->object)
    return reject_arg(c, i, PL_ERR_ACCESS, "a payload must be another global than its reduction");
  PL_EACH_ARG (of, c) {
    if (of->kind != PL_ARG_GLOBAL || of->object != arg->with || of->with) continue;
    if (of->access != PL_MIN && of->access != PL_MAX) break;
    if (arg->with->dim == 1) return PL_SUCCESS;
    return reject_arg(c, i, PL_ERR_ARG, "its reduction goes into global \"%s\" of dim %d; it must have dim 1",
                      arg->with->node.name, arg->with->dim);
  }
  return reject_arg(c, i, PL_ERR_ARG,
                    "its reduction, global \"%s\", is not a PL_MIN or PL_MAX argument of this loop",
                    arg->with->node.name);
}

static pl_err check_global(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  if (arg->with && c->map) return reject_arg(c, i, PL_ERR_ACCESS, "payloads are not supported in pair loops");
  if (arg->with) return check_payload(c, i);
  if (arg->access != PL_READ && arg->access != PL_INC && arg->access != PL_MIN && arg->access != PL_MAX)
    return reject_arg(c, i, PL_ERR_ACCESS,
                      "the access to a global must be PL_READ, PL_INC, PL_MIN or PL_MAX");
  if (!c->map && (arg->access == PL_MIN || arg->access == PL_MAX) && pl_type_is_complex(pl_arg_type(arg)))
    return reject_arg(c, i, PL_ERR_ACCESS, "complex values have no order for PL_MIN or PL_MAX");
  if (c->map && pl_type_is_complex(pl_arg_type(arg)))
    return reject_arg(c, i, PL_ERR_TYPE, "complex values are not supported in pair loops");
  return PL_SUCCESS;
}

/* Fixed-point values are stored as integers. */
static pl_err check_fixed(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  if (arg->fixed < 1 || arg->fixed > 62)
    return reject_arg(c, i, PL_ERR_RANGE, "fixed point with %d bits after the point; there can be 1 to 62",
                      arg->fixed);
  if ((!pl_arg_is_record(arg) && arg->kind != PL_ARG_GLOBAL) || arg->with || pl_arg_type(arg) != PL_INT64)
    return reject_arg(c, i, PL_ERR_TYPE, "fixed point is for dats and globals of PL_INT64");
  if ((arg->access != PL_READ && arg->access != PL_INC) || pl_arg_is_row(arg) || c->map)
    return reject_arg(c, i, PL_ERR_ACCESS,
                      "fixed point can be PL_READ or PL_INC, not through a ragged map and not over pairs");
  return PL_SUCCESS;
}

/* ---- pair loops ---- */

static bool is_symmetric(pl_access access)
{
  return access == PL_INC_ANTI || access == PL_INC_SYM;
}

/* Checks the map and the side. */
static pl_err check_side(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  if (arg->map != c->map)
    return reject_arg(c, i, PL_ERR_ARG,
                      "it must go through \"%s\", the map of the pairs: side 0, side 1 or PL_BOTH",
                      c->map->node.name);
  if (arg->index == 0 || arg->index == 1) return PL_SUCCESS;
  if (arg->index == PL_BOTH && is_symmetric(arg->access)) return PL_SUCCESS;
  return reject_arg(c, i, PL_ERR_RANGE,
                    "side %d; a pair has side 0 and side 1, and PL_BOTH with PL_INC_ANTI or PL_INC_SYM",
                    arg->index);
}

/* Checks that a dat is on the set of its side, or of both sides. */
static pl_err check_ends(const checker *c, int i, bool first, bool second)
{
  const pl_dat *dat = c->args[i].object;
  if ((!first || dat->set == c->map->from) && (!second || dat->set == c->map->to)) return PL_SUCCESS;
  return reject_arg(c, i, PL_ERR_ARG, "it is on set \"%s\", but the pairs are between \"%s\" and \"%s\"",
                    dat->set->node.name, c->map->from->node.name, c->map->to->node.name);
}

static pl_err check_pair_dat(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  const pl_dat *dat = arg->object;
  PL_TRY(check_side(c, i));
  PL_TRY(check_ends(c, i, arg->index != 1, arg->index != 0));
  if (arg->component < -1 || arg->component >= dat->dim)
    return reject_arg(c, i, PL_ERR_RANGE, "component %d of a dat of dim %d", arg->component, dat->dim);
  if (pl_type_is_complex(dat->type))
    return reject_arg(c, i, PL_ERR_TYPE, "complex values are not supported in pair loops");
  if (arg->index == PL_BOTH) return PL_SUCCESS;
  if (arg->access != PL_READ && arg->access != PL_INC)
    return reject_arg(c, i, PL_ERR_ACCESS,
                      "one side of a pair is PL_READ or PL_INC; both are PL_INC_ANTI or PL_INC_SYM");
  if (arg->access == PL_INC && arg->index == 1 && c->map->pair_map)
    return reject_arg(c, i, PL_ERR_ACCESS,
                      "a pair map lists each pair from both sides, so increments of one side go to side 0");
  return PL_SUCCESS;
}

/* A difference or distance. */
static pl_err check_geometry(const checker *c, int i)
{
  const pl_dat *dat = c->args[i].object;
  PL_TRY(check_ends(c, i, true, true));
  if (dat->type != PL_DOUBLE && dat->type != PL_FLOAT)
    return reject_arg(c, i, PL_ERR_TYPE, "a difference is of double or float values, not %s",
                      pl_type_name(dat->type));
  return PL_SUCCESS;
}

/* ---- random numbers ---- */

/* Those of a pair: 32 bits of each index. */
static pl_err check_pair_random(const checker *c, int i)
{
  if (c->args[i].index != PL_BOTH) return check_side(c, i);
  if (c->args[i].map != c->map || c->map->from != c->map->to)
    return reject_arg(
      c, i, PL_ERR_ARG,
      "PL_BOTH is for the map of the pairs, if it goes from a set to itself; use side 0 or 1");
  if (c->map->from->global_end > UINT32_MAX)
    return reject_arg(c, i, PL_ERR_RANGE, "PL_BOTH is for sets of at most 2^32 - 1 elements");
  return PL_SUCCESS;
}

static pl_err check_random(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  for (int j = 0; j < i; j++)
    if (c->args[j].kind == PL_ARG_RANDOM && c->args[j].object != arg->object)
      return reject_arg(c, i, PL_ERR_ARG,
                        "argument %d has other random numbers; a loop draws from one pl_random", j + 1);
  if (c->map) return check_pair_random(c, i);
  if (arg->index == PL_ALL)
    return reject_arg(c, i, PL_ERR_RANGE, "random numbers are of one target, not PL_ALL");
  if (arg->map && arg->map->offset)
    return reject_arg(c, i, PL_ERR_ARG, "map \"%s\" is ragged, so a pair loop over it has random numbers",
                      arg->map->node.name);
  return check_map(c, i);
}

/* ---- all arguments ---- */

static pl_err check_arg(const checker *c, int i)
{
  const pl_arg *arg = &c->args[i];
  PL_TRY(check_object(c, i));
  if (arg->index == PL_WHOLE && !c->map && pl_kernel_is_own(c->kernel)) return PL_SUCCESS;
  if (arg->fixed) PL_TRY(check_fixed(c, i));
  if (arg->row_mask || arg->column_mask) return reject_arg(c, i, PL_ERR_ARG, "pl_arg_masked is for a matrix");
  switch (arg->kind) {
  case PL_ARG_DAT:
    return c->map ? check_pair_dat(c, i) : check_dat(c, i);
  case PL_ARG_GLOBAL:
    return check_global(c, i);
  case PL_ARG_CONST:
    return arg->access == PL_READ ? PL_SUCCESS
                                  : reject_arg(c, i, PL_ERR_ACCESS, "the access to a const must be PL_READ");
  case PL_ARG_INDEX:
    if (c->map) return check_side(c, i);
    if (arg->index == PL_ALL)
      return reject_arg(c, i, PL_ERR_RANGE, "an index argument takes one target, not PL_ALL");
    return check_map(c, i);
  case PL_ARG_POINTER:
    return PL_SUCCESS;
  case PL_ARG_RANDOM:
    return check_random(c, i);
  default:
    return check_geometry(c, i);
  }
}

/* ---- pairs of arguments on the same data ---- */

static bool components_overlap(const pl_arg *a, const pl_arg *b)
{
  return a->component < 0 || b->component < 0 || a->component == b->component;
}

/* Whether two arguments on one dat are compatible for any map. */
static bool are_compatible(const pl_arg *a, const pl_arg *b)
{
  if (a->access == PL_READ && b->access == PL_READ) return true;
  if (!components_overlap(a, b)) return true;
  if (a->access != b->access || !a->map != !b->map) return false;
  return a->map || (a->access != PL_RW && a->access != PL_WRITE);
}

/* The first target that both arguments reach in this loop, or -1. `marks` holds one zero byte a target. */
static int common_target(const pl_set *set, const pl_arg *a, const pl_arg *b, unsigned char *marks)
{
  for (int pass = 0; pass < 2; pass++) {
    const pl_arg *arg = pass ? b : a;
    for (int i = 0; i < set->end[2]; i++)
      for (int e = pl_element_at(set, i), k = 0; k < pl_arg_reached(arg, e); k++) {
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
  if (are_compatible(a, b)) return PL_SUCCESS;
  unsigned char *marks = pl_calloc(c->pl, (size_t)dat->set->end[3] + 1, 1);
  if (!marks) return pl_fail_memory(c->pl, (size_t)dat->set->end[3]);
  int common = common_target(c->set, a, b, marks);
  pl_free(c->pl, marks);
  if (common < 0) return PL_SUCCESS;
  return reject_arg(
    c, j, PL_ERR_ACCESS,
    "argument %d is the same dat and both reach its element %lld, so the result would depend on which "
    "comes first; use one argument with one access, or a second dat",
    i + 1, (long long)pl_element_global_index(dat->set, common));
}

/* The first element that reaches a target by an entry of `a` and by another one of `b`, which may be the same
 * argument; -1: none. */
static int find_repeat(const pl_set *set, const pl_arg *a, const pl_arg *b, int *k, int *l)
{
  for (int i = 0; i < set->end[2]; i++) {
    int e = pl_element_at(set, i);
    for (*k = 0; *k < pl_arg_reached(a, e); ++*k)
      for (*l = a == b ? *k + 1 : 0; *l < pl_arg_reached(b, e); ++*l) {
        int t = pl_arg_target(a, e, *k);
        if (t >= 0 && t == pl_arg_target(b, e, *l)) return e;
      }
  }
  return -1;
}

/* The values of PL_RW are loaded before the kernel's call and stored after it, so of two copies of a target
 * one would lose its update. */
static pl_err check_repeats(const checker *c, int i, int j)
{
  const pl_arg *a = &c->args[i], *b = &c->args[j];
  int k, l;
  if (a->access != PL_RW || b->access != PL_RW || !a->map || !b->map || !components_overlap(a, b))
    return PL_SUCCESS;
  if (i == j && (a->map->injective || pl_arg_targets(a) == 1)) return PL_SUCCESS;
  int e = find_repeat(c->set, a, b, &k, &l);
  if (e < 0) return PL_SUCCESS;
  return reject_arg(
    c, j, PL_ERR_ACCESS,
    "from element %lld, target %d of map \"%s\" and target %d of map \"%s\" are both element %lld of \"%s\", "
    "so PL_RW would lose one of two updates; use PL_INC, or a loop for each target",
    (long long)pl_element_global_index(c->base, e), a->index == PL_ALL ? k : a->index, a->map->node.name,
    b->index == PL_ALL ? l : b->index, b->map->node.name,
    (long long)pl_element_global_index(a->map->to, pl_arg_target(a, e, k)), a->map->to->node.name);
}

static pl_err check_global_pair(const checker *c, int i, int j)
{
  const pl_arg *a = &c->args[i], *b = &c->args[j];
  if (a->access == b->access && !a->with && !b->with) return PL_SUCCESS;
  return reject_arg(c, j, PL_ERR_ACCESS, "argument %d is the same global with another access", i + 1);
}

static pl_err check_pairs(const checker *c, int j)
{
  const pl_arg *b = &c->args[j];
  for (int i = 0; i <= j; i++) {
    const pl_arg *a = &c->args[i];
    if (a->off || b->off || a->kind != b->kind || a->object != b->object) continue;
    if (pl_arg_is_record(a)) PL_TRY(check_repeats(c, i, j));
    if (pl_arg_is_record(a) && i < j) PL_TRY(check_dat_pair(c, i, j));
    if (a->kind == PL_ARG_GLOBAL && i < j) PL_TRY(check_global_pair(c, i, j));
  }
  return PL_SUCCESS;
}

static bool reads_values(const pl_arg *arg)
{
  return pl_arg_is_derived(arg) || arg->access == PL_READ;
}

/* A pair must not read values that another pair increments. */
static pl_err check_pair_conflicts(const checker *c, int j)
{
  const pl_arg *b = &c->args[j];
  for (int i = 0; i < j; i++) {
    const pl_arg *a = &c->args[i];
    if (a->off || b->off || a->object != b->object || a->kind == PL_ARG_INDEX || b->kind == PL_ARG_INDEX)
      continue;
    if (a->kind == PL_ARG_GLOBAL ? a->access != b->access : reads_values(a) != reads_values(b))
      return reject_arg(
        c, j, PL_ERR_ACCESS,
        "argument %d is the same %s with another access, so the result would depend on the order of pairs",
        i + 1, a->kind == PL_ARG_GLOBAL ? "global" : "dat");
  }
  return PL_SUCCESS;
}

pl_err pl_pair_args_check(pl_context *pl, const pl_kernel *kernel, const pl_map *map, int nargs,
                          const pl_arg *args)
{
  checker c = {pl, kernel, NULL, NULL, map, nargs, args};
  for (int i = 0; i < nargs; i++) PL_TRY(check_arg(&c, i));
  for (int i = 0; i < nargs; i++) PL_TRY(check_pair_conflicts(&c, i));
  return PL_SUCCESS;
}

pl_err pl_args_check(pl_context *pl, const pl_kernel *kernel, pl_set *set, int nargs, const pl_arg *args)
{
  checker c = {pl, kernel, set, pl_set_base(set), NULL, nargs, args};
  if (!kernel->source && (!kernel->params || !kernel->body))
    return pl_fail(pl, PL_ERR_KERNEL,
                   "loop \"%s\": the kernel has no text; make it by PL_KERNEL or from source", kernel->name);
  if (nargs < 1 || !args) return pl_fail(pl, PL_ERR_ARG, "loop \"%s\": it has no arguments", kernel->name);
  if (set->pairs) return pl_pair_args_check(pl, kernel, set->pairs, nargs, args);
  for (int i = 0; i < nargs; i++) PL_TRY(check_arg(&c, i));
  for (int i = 0; i < nargs; i++) PL_TRY(check_pairs(&c, i));
  return PL_SUCCESS;
}
