/* SPDX-License-Identifier: BSD-2-Clause
 * The kernel that tracks one particle. It loops over cells and loads the values of each from whole dats and
 * maps (PL_WHOLE), so the generated loop is an ordinary one on every backend.
 */
#include "particle_tracking_kernel.h"
#include "core/data/objects.h"
#include <string.h>

bool pl_move_of_cell(const pl_arg *arg)
{
  return pl_arg_is_record(arg) && arg->map && !arg->off;
}

/* Parameter number i of "(int *next, const double *const x[3])", or NULL; *length of it. */
static const char *parameter(const char *params, int i, int *length)
{
  const char *start = strchr(params, '(');
  int depth = 0;
  if (!start) return NULL;
  start++;
  for (const char *p = start; *p; p++) {
    if (*p == '(' || *p == '[') depth++;
    if ((*p == ',' && !depth) || (*p == ')' && !depth)) {
      *length = (int)(p - start);
      if (i-- == 0) return start;
      if (*p == ')') return NULL;
      start = p + 1;
      continue;
    }
    if (*p == ')' || *p == ']') depth--;
  }
  return NULL;
}

static int count_parameters(const char *params)
{
  int n = 0, length;
  while (parameter(params, n, &length)) n++;
  return n;
}

/* T *x[n]: an array of pointers. */
static bool wants_pointers(const pl_move_call *call, int i)
{
  int length = 0;
  const char *p = parameter(call->kernel->params, i + 1, &length);
  return p && memchr(p, '*', (size_t)length) && memchr(p, '[', (size_t)length);
}

static pl_err reject_arg(const pl_move_call *call, int i, const char *why)
{
  char name[PL_ARG_NAME];
  return pl_fail(call->where->node.pl, PL_ERR_ARG, "pl_particle_move \"%s\", %s: %s", call->kernel->name,
                 pl_arg_name(call->args, i, name), why);
}

static pl_err check_cell_arg(const pl_move_call *call, int i)
{
  const pl_arg *arg = &call->args[i];
  const pl_map *map = arg->map;
  const pl_dat *dat = arg->object;
  if (map != call->where && map->from != call->where->to)
    return reject_arg(call, i,
                      "it must be direct, go through the map of the particles' cells, or through a map "
                      "from the cells");
  if (map->offset || map->pair_map || (map != call->where && !map->index && map->from->end[3]))
    return reject_arg(call, i, "its map must have a fixed arity and indices");
  if (dat->set != map->to) return reject_arg(call, i, "its map does not end on the dat's set");
  if (arg->access != PL_READ)
    return reject_arg(call, i,
                      "data of cells must be PL_READ while particles move; write it in loops over the "
                      "particles afterwards");
  if (map != call->where && arg->index != PL_ALL && (arg->index < 0 || arg->index >= map->arity))
    return reject_arg(call, i, "its map has no such target");
  return PL_SUCCESS;
}

static pl_err check_args(const pl_move_call *call)
{
  for (int i = 0; i < call->nargs; i++) {
    const pl_arg *arg = &call->args[i];
    if (!pl_arg_is_record(arg) && !pl_arg_traits_of(arg)->shared && arg->kind != PL_ARG_INDEX)
      return reject_arg(call, i, "only dats, globals, consts and indices are allowed here");
    if (!arg->object && arg->kind != PL_ARG_INDEX) return reject_arg(call, i, "it is NULL");
    if (arg->off || arg->fixed)
      return reject_arg(call, i, "pl_arg_opt and pl_arg_fixed are not allowed here");
    if (arg->kind != PL_ARG_INDEX && pl_type_is_complex(pl_arg_type(arg)))
      return reject_arg(call, i, "complex values are not allowed here");
    if (pl_move_of_cell(arg)) PL_TRY(check_cell_arg(call, i));
  }
  return PL_SUCCESS;
}

/* Whether all real arguments are of one type, float or double, which is then the kernel's pl_real. */
static bool one_real(const pl_move_call *call)
{
  bool seen[2] = {false, false};
  PL_EACH_ARG (arg, call) {
    if (arg->kind == PL_ARG_INDEX || arg->kind == PL_ARG_GLOBAL) continue;
    pl_type type = pl_arg_type(arg);
    seen[0] |= type == PL_FLOAT;
    seen[1] |= type == PL_DOUBLE;
  }
  return seen[0] != seen[1];
}

typedef struct writer {
  const pl_move_call *call;
  pl_string *text;
  bool real;
} writer;

static const char *type_of(const writer *w, int i, bool row)
{
  const pl_arg *arg = &w->call->args[i];
  pl_type type = pl_arg_type(arg);
  bool real = w->real && arg->kind != PL_ARG_GLOBAL && (type == PL_FLOAT || type == PL_DOUBLE);
  return real ? row ? "real" : "pl_real" : pl_type_name(type);
}

static void print_parameter(const writer *w, int i)
{
  const pl_arg *arg = &w->call->args[i];
  if (pl_move_of_cell(arg))
    pl_string_add(w->text, ",\n    const pl_row_%s *a%d", type_of(w, i, true), i);
  else if (arg->kind == PL_ARG_INDEX)
    pl_string_add(w->text, ",\n    const int64_t *a%d", i);
  else
    pl_string_add(w->text, ",\n    %s%s *a%d", arg->access == PL_READ ? "const " : "", type_of(w, i, false),
                  i);
}

/* Loads the present cell's values of a dat. */
static void print_load(const writer *w, int i)
{
  const pl_arg *arg = &w->call->args[i];
  int dim = pl_arg_dim(arg), arity = arg->map == w->call->where ? 1 : arg->map->arity;
  bool all = arg->map != w->call->where && arg->index == PL_ALL;
  const char *type = type_of(w, i, false);
  pl_string_add(w->text, "    %s x%d[%d][%d];\n", type, i, all ? arity : 1, dim);
  pl_string_add(w->text, "    for (int pl_k = 0; pl_k < %d; pl_k++) {\n", all ? arity : 1);
  if (arg->map == w->call->where)
    pl_string_add(w->text, "      const int pl_to = cell[0];\n");
  else
    pl_string_add(w->text, "      const int pl_to = a%d->index[cell[0] * %d + %s];\n", i, arity,
                  all ? "pl_k" : "PL_FIRST");
  pl_string_add(w->text,
                "      for (int pl_c = 0; pl_c < %d; pl_c++) x%d[pl_k][pl_c] = pl_to < 0 ? 0 : "
                "PL_TABLE(a%d, pl_to, pl_c);\n    }\n",
                dim, i, i);
  if (!all || !wants_pointers(w->call, i)) return;
  pl_string_add(w->text, "    const %s *x%d_p[%d];\n", type, i, arity);
  for (int k = 0; k < arity; k++) pl_string_add(w->text, "    x%d_p[%d] = x%d[%d];\n", i, k, i, k);
}

static void print_argument(const writer *w, int i)
{
  const pl_arg *arg = &w->call->args[i];
  const char *type = arg->kind == PL_ARG_INDEX ? "int64_t" : type_of(w, i, false);
  if (!pl_move_of_cell(arg))
    pl_string_add(w->text, ", (%s%s *)a%d", arg->kind == PL_ARG_INDEX ? "const " : "", type, i);
  else if (arg->index != PL_ALL || arg->map == w->call->where)
    pl_string_add(w->text, ", (%s *)x%d[0]", type, i);
  else if (wants_pointers(w->call, i))
    pl_string_add(w->text, ", (const %s **)x%d_p", type, i);
  else
    pl_string_add(w->text, ", (const %s (*)[%d])x%d", type, pl_arg_dim(arg), i);
}

static const char head[] = "#define PL_STAY (-1)\n#define PL_LEAVE (-2)\n"
                           "#define PL_TABLE(row, t, c) ((row)->value[pl_row_place((t), (c) + (row)->first, "
                           "(row)->dim, (row)->layout, "
                           "(row)->pack, (row)->size)])\n";

/* In a cell of another rank the particle stays unfinished. */
static const char hop_end[] =
  "    if (next[0] == PL_STAY) {\n"
  "      state[0] = 2;\n      return;\n    }\n"
  "    count[3]++;\n"
  "    if (next[0] < PL_LEAVE || next[0] >= PL_FACES || hops >= limit[1]) {\n"
  "      cell[0] = -3;\n      state[0] = 2;\n      count[2]++;\n      return;\n    }\n"
  "    cell[0] = next[0] == PL_LEAVE ? -1 : faces->index[cell[0] * PL_FACES + next[0]];\n"
  "    if (cell[0] < 0) {\n"
  "      cell[0] = -1;\n      state[0] = 0;\n      count[0]++;\n      return;\n    }\n"
  "  }\n  count[1]++;\n}\n";

static void print_all(const writer *w)
{
  const pl_kernel *kernel = w->call->kernel;
  pl_string_add(w->text, "%s#define PL_FACES %d\n", head, w->call->faces->arity);
  pl_string_add(w->text, "void %s%s %s\n", kernel->name, kernel->params, kernel->body);
  pl_string_add(
    w->text, "void %s_move(int *cell, int *state, int64_t *count, const int *limit, const pl_row_int *faces",
    kernel->name);
  for (int i = 0; i < w->call->nargs; i++) print_parameter(w, i);
  pl_string_add(w->text,
                ")\n{\n  if (state[0] != 1) return;\n"
                "  if (cell[0] < 0) {\n    state[0] = 0;\n    count[0]++;\n    return;\n  }\n"
                "  for (int hops = 0; cell[0] < limit[0]; hops++) {\n    int next[1] = {PL_STAY};\n");
  for (int i = 0; i < w->call->nargs; i++) {
    const pl_arg *arg = &w->call->args[i];
    if (!pl_move_of_cell(arg)) continue;
    pl_string_add(w->text, "#undef PL_FIRST\n#define PL_FIRST %d\n", arg->index);
    print_load(w, i);
  }
  pl_string_add(w->text, "    %s(next", kernel->name);
  for (int i = 0; i < w->call->nargs; i++) print_argument(w, i);
  pl_string_add(w->text, ");\n%s", hop_end);
}

pl_err pl_move_text(const pl_move_call *call, pl_string *text)
{
  pl_context *pl = call->where->node.pl;
  writer w = {.call = call, .text = text, .real = one_real(call)};
  if (!call->kernel->params || !call->kernel->body)
    return pl_fail(pl, PL_ERR_KERNEL, "pl_particle_move \"%s\": the kernel must be made by PL_KERNEL",
                   call->kernel->name);
  int n = count_parameters(call->kernel->params);
  if (n != call->nargs + 1)
    return pl_fail(
      pl, PL_ERR_KERNEL,
      "pl_particle_move \"%s\": the kernel has %d parameters; it needs int *next and one for each "
      "of %d arguments",
      call->kernel->name, n, call->nargs);
  PL_TRY(check_args(call));
  print_all(&w);
  return pl_string_check(text);
}
