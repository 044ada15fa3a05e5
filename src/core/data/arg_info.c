/* SPDX-License-Identifier: BSD-2-Clause
 * Properties of a loop argument.
 */
#include "arg_info.h"
#include "core/mesh/map.h"
#include "dat.h"
#include "global.h"

/* ---- kinds ---- */

const pl_arg_traits pl_arg_traits_of_kind[PL_ARG_KINDS] = {
  [PL_ARG_DAT] = {"dat", PL_OF_DAT, .record = true},
  [PL_ARG_GLOBAL] = {"global", PL_OF_GLOBAL, .shared = true},
  [PL_ARG_CONST] = {"const", PL_OF_CONST, .shared = true},
  [PL_ARG_INDEX] = {.noun = "index", .numbered = true},
  [PL_ARG_POINTER] = {.noun = "pointer", .foreign = true},
  [PL_ARG_DIFFERENCE] = {"difference of", PL_OF_DAT, .derived = true},
  [PL_ARG_DISTANCE] = {"distance in", PL_OF_DAT, .derived = true, .single = true},
  [PL_ARG_MATRIX] = {.noun = "matrix",
                     .of = PL_OF_MATRIX}, /* loops have its values instead (core/loop/loop.c) */
  [PL_ARG_RANDOM] = {"random numbers", PL_OF_GLOBAL, .numbered = true},
  [PL_ARG_MIXED_DAT] = {.noun = "mixed dat", .of = PL_OF_MIXED}, /* loops have their parts instead */
  [PL_ARG_MIXED_MAT] = {.noun = "mixed matrix", .of = PL_OF_MIXED},
};

bool pl_arg_has_data(const pl_arg *arg)
{
  const pl_arg_object of = pl_arg_traits_of(arg)->of;
  return !arg->off && (of == PL_OF_DAT || of == PL_OF_GLOBAL);
}

bool pl_arg_accesses(const pl_arg *arg, const void *dat)
{
  return arg->object == dat && !arg->off && pl_arg_is_record(arg);
}

pl_dat *pl_arg_dat_of(const pl_arg *arg)
{
  pl_dat *dat = pl_arg_traits_of(arg)->of == PL_OF_DAT && !arg->off ? arg->object : NULL;
  return dat && !dat->block_local ? dat : NULL;
}

/* ---- values ---- */

pl_type pl_arg_type(const pl_arg *arg)
{
  switch (pl_arg_traits_of(arg)->of) {
  case PL_OF_DAT:
    return ((const pl_dat *)arg->object)->type;
  case PL_OF_GLOBAL:
    return ((const pl_global *)arg->object)->type;
  case PL_OF_CONST:
    return ((const pl_const *)arg->object)->type;
  default:
    return arg->kind == PL_ARG_INDEX ? PL_INT64 : PL_TYPE_COUNT;
  }
}

pl_type pl_arg_seen_type(const pl_arg *arg)
{
  return arg->fixed ? PL_DOUBLE : pl_arg_type(arg);
}

int pl_arg_dim(const pl_arg *arg)
{
  switch (pl_arg_traits_of(arg)->of) {
  case PL_OF_DAT:
    if (pl_arg_traits_of(arg)->single || arg->component >= 0) return 1;
    return ((const pl_dat *)arg->object)->dim;
  case PL_OF_GLOBAL:
    return ((const pl_global *)arg->object)->dim;
  case PL_OF_CONST:
    return ((const pl_const *)arg->object)->dim;
  default:
    return 1;
  }
}

size_t pl_arg_bytes(const pl_arg *arg)
{
  return (size_t)pl_arg_dim(arg) * pl_type_size(pl_arg_type(arg));
}

int pl_arg_targets(const pl_arg *arg)
{
  return arg->map && arg->index == PL_ALL && !arg->map->offset ? arg->map->arity : 1;
}

bool pl_arg_is_row(const pl_arg *arg)
{
  return arg->index == PL_WHOLE || (arg->map && arg->map->offset && arg->index == PL_ALL);
}

int pl_arg_reached(const pl_arg *arg, int element)
{
  if (arg->index == PL_WHOLE) return 0; /* any element */
  if (!pl_arg_is_row(arg)) return pl_arg_targets(arg);
  return arg->map->offset[element + 1] - arg->map->offset[element];
}

bool pl_arg_is_first(const pl_arg *args, int i)
{
  int j = 0;
  while (j < i && (args[j].kind != args[i].kind || args[j].object != args[i].object || args[j].off)) j++;
  return j == i;
}

bool pl_arg_writes(const pl_arg *arg)
{
  return arg->access != PL_READ && !arg->off;
}

bool pl_arg_collides(const pl_arg *arg)
{
  return arg->map && !arg->map->injective && pl_arg_writes(arg) && pl_arg_dim(arg) > 0;
}

int pl_arg_target(const pl_arg *arg, int element, int k)
{
  if (!arg->map) return element;
  return pl_map_target(arg->map, (size_t)element, arg->map->offset || arg->index == PL_ALL ? k : arg->index);
}

const char *pl_access_name(pl_access access)
{
  static const char *const names[] = {"", "READ", "WRITE", "RW", "INC", "MIN", "MAX", "INC_ANTI", "INC_SYM"};
  return names[access];
}

bool pl_combines(pl_access access)
{
  return access == PL_INC || access == PL_MIN || access == PL_MAX;
}

const char *pl_arg_noun(const pl_arg *arg)
{
  const bool values = arg->kind == PL_ARG_DAT && arg->map && arg->map->tensor[0];
  return values ? "matrix" : pl_arg_traits_of(arg)->noun;
}

const char *pl_arg_name(const pl_arg *args, int i, char *buffer)
{
  const pl_arg *arg = &args[i];
  if (pl_arg_traits_of(arg)->of && arg->object)
    snprintf(buffer, PL_ARG_NAME, "argument %d (%s \"%.64s\")", i + 1, pl_arg_noun(arg),
             ((pl_node *)arg->object)->name);
  else
    snprintf(buffer, PL_ARG_NAME, "argument %d", i + 1);
  return buffer;
}

void pl_arg_describe(pl_string *t, const pl_arg *arg)
{
  if (arg->off) return;
  if (!pl_arg_traits_of(arg)->of) {
    pl_string_add(t, " %s", pl_arg_traits_of(arg)->noun);
    return;
  }
  pl_string_add(t, " %s %s", ((const pl_node *)arg->object)->name, pl_access_name(arg->access));
  if (arg->component >= 0) pl_string_add(t, " [%d]", arg->component);
  if (arg->map && arg->index == PL_ALL) pl_string_add(t, " by %s", arg->map->node.name);
  if (arg->map && arg->index != PL_ALL) pl_string_add(t, " by %s[%d]", arg->map->node.name, arg->index);
}
