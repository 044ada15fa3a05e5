/* SPDX-License-Identifier: BSD-2-Clause
 * Kernels of loops with mixed arguments. Argument i of the call is the array mixed_i of the text, its parts
 * are the parameters mixed_i_j or mixed_i_j_k.
 */
#include "mixed_kernel.h"
#include "codegen/kernel/signature_check.h"
#include <string.h>

/* ---- checks ---- */

/* The parameter's extents hold n values. */
static bool extents_hold(const pl_param *param, int n)
{
  int rest = 1;
  for (int i = 1; i < param->rank; i++) {
    if (param->extent[i] < 1) return false; /* not known */
    rest *= param->extent[i];
  }
  return param->extent[0] < 0 ? n % rest == 0 : param->extent[0] * rest == n;
}

static bool fits(const pl_param *param, const pl_mixed_arg *a)
{
  if (param->shape == PL_SHAPE_POINTERS)
    return !a->tensor && (param->extent[0] < 0 || param->extent[0] == a->targets);
  if (param->shape == PL_SHAPE_PACKED && a->tensor && (param->rank != 2 || param->extent[1] != a->values[1]))
    return false;
  if (param->shape != PL_SHAPE_POINTER && param->shape != PL_SHAPE_PACKED) return false;
  return extents_hold(param, a->values[0] * a->values[1]);
}

static pl_err check_shape(pl_context *pl, const pl_kernel *kernel, int number, const pl_param *param,
                          const pl_mixed_arg *a, const char *object)
{
  char wanted[64];
  if (fits(param, a)) return PL_SUCCESS;
  if (a->tensor)
    snprintf(wanted, sizeof wanted, "%s[%d][%d]", param->name, a->values[0], a->values[1]);
  else
    snprintf(wanted, sizeof wanted, "%s[%d]", param->name, a->values[0]);
  return pl_fail(
    pl, PL_ERR_KERNEL,
    "kernel \"%s\", parameter %d \"%s\": \"%.*s\" does not hold the %d values of %s: write %s%s %s",
    kernel->name, number, param->name, param->length, param->text, a->values[0] * a->values[1], object,
    a->arg->access == PL_READ ? "const " : "", pl_type_name(param->type), wanted);
}

static pl_type type_of(const pl_mixed_arg *a)
{
  return a->tensor ? ((const pl_mixed_mat *)a->arg->object)->type
                   : ((const pl_mixed_dat *)a->arg->object)->type;
}

/* The type is checked against a dat of the mixed argument's type. */
static pl_err check_parameter(pl_context *pl, const pl_kernel *kernel, int i, const pl_param *param,
                              const pl_mixed_arg *a)
{
  char object[128];
  const pl_node *node = a->arg->object;
  pl_dat like = {.type = type_of(a), .dim = 1};
  pl_arg arg = *a->arg;
  arg.kind = PL_ARG_DAT;
  arg.object = &like;
  snprintf(object, sizeof object, "%s \"%.90s\"", pl_arg_noun(a->arg), node->name);
  PL_TRY(pl_signature_check_values(pl, kernel, i + 1, param, &arg, object));
  return check_shape(pl, kernel, i + 1, param, a, object);
}

static pl_err check_parameters(pl_context *pl, const pl_kernel *kernel, const pl_signature *signature, int n,
                               const pl_mixed_arg *args)
{
  if (n != signature->count)
    return pl_fail(pl, PL_ERR_KERNEL, "kernel \"%s\" has %d parameters, but the loop passes %d arguments",
                   kernel->name, signature->count, n);
  for (int i = 0; i < n; i++)
    if (args[i].split) PL_TRY(check_parameter(pl, kernel, i, &signature->param[i], &args[i]));
  return PL_SUCCESS;
}

/* ---- the text ---- */

static const char *type_word(const pl_param *param)
{
  if (param->is_real) return "pl_real";
  if (param->is_mixed) return "pl_mixed";
  if (param->is_complex) return param->type == PL_COMPLEX_FLOAT ? "float _Complex" : "double _Complex";
  return pl_type_name(param->type);
}

static void part_name(char name[48], const pl_mixed_arg *a, int i, int row, int column)
{
  if (a->tensor)
    snprintf(name, 48, "mixed_%d_%d_%d", i, row, column);
  else
    snprintf(name, 48, "mixed_%d_%d", i, row);
}

static void print_parameters(pl_string *text, const pl_signature *signature, int n, const pl_mixed_arg *args)
{
  const char *comma = "";
  char name[48];
  for (int i = 0; i < n; i++) {
    const pl_param *param = &signature->param[i];
    if (!args[i].split) pl_string_add(text, "%s%.*s", comma, param->length, param->text);
    for (int row = 0; args[i].split && row < args[i].n[0]; row++)
      for (int column = 0; column < args[i].n[1]; column++) {
        part_name(name, &args[i], i, row, column);
        pl_string_add(text, "%s%s%s *%s", comma, args[i].arg->access == PL_READ ? "const " : "",
                      type_word(param), name);
        comma = ", ";
      }
    comma = ", ";
  }
}

/* Pointers to the targets of a dat, which follow each other in its array. */
static void print_pointers(pl_string *text, const pl_param *param, int i, const pl_mixed_arg *a)
{
  const char *comma = "";
  int first = 0;
  pl_string_add(text, "  %s%s *target_%d[%d] = {", param->is_const ? "const " : "", type_word(param), i,
                a->targets);
  for (int part = 0; part < a->n[0]; part++)
    for (int k = 0; k < a->map[0]->map[part]->arity; k++, comma = ", ") {
      pl_string_add(text, "%smixed_%d + %d", comma, i, first);
      first += a->map[0]->to->dim[part];
    }
  pl_string_add(text, "};\n");
}

static void print_array(pl_string *text, const pl_param *param, int i, const pl_mixed_arg *a)
{
  const int values = a->values[0] * a->values[1];
  pl_string_add(text, "  %s mixed_%d[%d];\n", type_word(param), i, values);
  if (a->arg->access == PL_INC || a->tensor)
    pl_string_add(text, "  for (int k = 0; k < %d; k++) mixed_%d[k] = 0;\n", values, i);
  if (param->shape == PL_SHAPE_POINTERS) print_pointers(text, param, i, a);
}

/* Copies one part: of a dat into the array (`load`), of a dat or a matrix from it. */
static void print_part(pl_string *text, int i, const pl_mixed_arg *a, const int part[2], const int first[2],
                       bool load)
{
  char name[48];
  const int height = pl_mixed_part(a, 0, part[0]), width = pl_mixed_part(a, 1, part[1]);
  const char *assigns = a->arg->access == PL_INC ? "+=" : "=";
  part_name(name, a, i, part[0], part[1]);
  if (load)
    pl_string_add(text, "  for (int k = 0; k < %d; k++) mixed_%d[%d + k] = %s[k];\n", height, i, first[0],
                  name);
  else if (!a->tensor)
    pl_string_add(text, "  for (int k = 0; k < %d; k++) %s[k] %s mixed_%d[%d + k];\n", height, name, assigns,
                  i, first[0]);
  else
    pl_string_add(text,
                  "  for (int k = 0; k < %d; k++)\n"
                  "    for (int l = 0; l < %d; l++) %s[k * %d + l] %s mixed_%d[(%d + k) * %d + %d + l];\n",
                  height, width, name, width, assigns, i, first[0], a->values[1], first[1]);
}

static void print_parts(pl_string *text, int i, const pl_mixed_arg *a, bool load)
{
  const pl_access access = a->arg->access;
  if (load ? access != PL_READ && access != PL_RW : access == PL_READ) return;
  int first[2] = {0, 0};
  for (int row = 0; row < a->n[0]; row++, first[1] = 0) {
    for (int column = 0; column < a->n[1]; column++) {
      const int part[2] = {row, column};
      print_part(text, i, a, part, first, load);
      first[1] += pl_mixed_part(a, 1, column);
    }
    first[0] += pl_mixed_part(a, 0, row);
  }
}

/* A mixed array as the kernel declares it. */
static void print_argument(pl_string *text, const pl_param *param, int i, const pl_mixed_arg *a)
{
  if (!a->split) {
    pl_string_add(text, "%s", param->name);
    return;
  }
  if (param->shape == PL_SHAPE_POINTERS) {
    pl_string_add(text, "target_%d", i);
    return;
  }
  if (param->shape == PL_SHAPE_PACKED) {
    pl_string_add(text, "(%s%s (*)", param->is_const ? "const " : "", type_word(param));
    for (int k = 1; k < param->rank; k++) pl_string_add(text, "[%d]", param->extent[k]);
    pl_string_add(text, ")");
  }
  pl_string_add(text, "mixed_%d", i);
}

static void print_text(pl_string *text, const char *name, const pl_kernel *kernel,
                       const pl_signature *signature, int n, const pl_mixed_arg *args)
{
  if (kernel->source)
    pl_string_add_bytes(text, kernel->source, strlen(kernel->source));
  else
    pl_string_add(text, "void %s%s %s", kernel->name, kernel->params, kernel->body);
  pl_string_add(text, "\nvoid %s(", name);
  print_parameters(text, signature, n, args);
  pl_string_add(text, ")\n{\n");
  for (int i = 0; i < n; i++)
    if (args[i].split) print_array(text, &signature->param[i], i, &args[i]);
  for (int i = 0; i < n; i++)
    if (args[i].split) print_parts(text, i, &args[i], true);
  pl_string_add(text, "  %s(", kernel->name);
  for (int i = 0; i < n; i++) {
    if (i) pl_string_add(text, ", ");
    print_argument(text, &signature->param[i], i, &args[i]);
  }
  pl_string_add(text, ");\n");
  for (int i = 0; i < n; i++)
    if (args[i].split) print_parts(text, i, &args[i], false);
  pl_string_add(text, "}\n");
}

/* ---- finding and making it ---- */

/* All that the text depends on besides the kernel. */
static void describe(pl_string *layout, int n, const pl_mixed_arg *args)
{
  for (int i = 0; i < n; i++) {
    const pl_mixed_arg *a = &args[i];
    if (!a->split) {
      pl_string_add(layout, " -");
      continue;
    }
    pl_string_add(layout, " %d %d", (int)a->arg->access, (int)type_of(a));
    for (int side = 0; side < 1 + a->tensor; side++) {
      pl_string_add(layout, ":");
      for (int k = 0; k < a->n[side]; k++)
        pl_string_add(layout, " %dx%d", a->map[side]->map[k]->arity, a->map[side]->to->dim[k]);
    }
  }
}

/* The number of kernels that wrap this one is part of the next one's name. */
static const pl_kernel *find(const pl_context *pl, const pl_kernel *kernel, const char *layout, int *number)
{
  *number = 1;
  PL_EACH (const pl_source_kernel, own, pl->kernels) {
    if (own->wrapped != kernel) continue;
    if (!strcmp(own->layout, layout)) return &own->kernel;
    ++*number;
  }
  return NULL;
}

static pl_err make(pl_context *pl, const pl_kernel *kernel, const char *name, int n, const pl_mixed_arg *args,
                   const pl_kernel **result)
{
  pl_signature signature;
  pl_string text;
  pl_kernel_options options = *pl_kernel_extras(kernel);
  options.file = kernel->file;
  options.line = kernel->line;
  PL_TRY(pl_signature_parse(pl, kernel, &signature));
  pl_string_init(&text, pl);
  pl_err err = check_parameters(pl, kernel, &signature, n, args);
  if (!err) print_text(&text, name, kernel, &signature, n, args);
  if (!err) err = pl_string_check(&text);
  if (!err) err = pl_kernel_from_source(pl, name, pl_string_chars(&text), &options, result);
  pl_string_free(&text);
  pl_signature_free(&signature);
  return err;
}

pl_err pl_mixed_kernel(pl_context *pl, const pl_kernel *kernel, int n, const pl_mixed_arg *args,
                       const pl_kernel **result)
{
  pl_string layout, name;
  int number;
  pl_string_init(&layout, pl);
  pl_string_init(&name, pl);
  describe(&layout, n, args);
  pl_err err = pl_string_check(&layout);
  if (!err && !(*result = find(pl, kernel, pl_string_chars(&layout), &number))) {
    pl_string_add(&name, "%s_mixed", kernel->name);
    if (number > 1) pl_string_add(&name, "%d", number);
    char *copy = pl_strdup(pl, pl_string_chars(&layout));
    err = copy ? pl_string_check(&name) : pl_fail_memory(pl, layout.length);
    if (!err) err = make(pl, kernel, pl_string_chars(&name), n, args, result);
    if (!err) {
      pl_source_kernel *own = (pl_source_kernel *)(*result)->extra;
      own->wrapped = kernel;
      own->layout = copy;
    } else {
      pl_free(pl, copy);
    }
  }
  pl_string_free(&layout);
  pl_string_free(&name);
  return err;
}
