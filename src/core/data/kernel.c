/* SPDX-License-Identifier: BSD-2-Clause
 * Consts, helper functions, and kernels from source.
 * Invariant: a name is held by at most one const or helper function of a context.
 */
#include "kernel.h"
#include "core/base/scalar_type.h"
#include "core/base/sized_struct.h"
#include "core/comm/comm.h"
#include "core/context/observer.h"
#include "objects.h"
#include <ctype.h>
#include <string.h>

/* ---- names ---- */

static bool is_keyword(const char *name)
{
  static const char *const words[] = {
    "auto",   "break",    "case",   "char",     "const",    "continue", "default", "do",     "double",
    "else",   "enum",     "extern", "float",    "for",      "goto",     "if",      "inline", "int",
    "long",   "register", "return", "restrict", "short",    "signed",   "sizeof",  "static", "struct",
    "switch", "typedef",  "union",  "void",     "volatile", "unsigned", "while",   NULL};
  for (const char *const *word = words; *word; word++)
    if (!strcmp(name, *word)) return true;
  return false;
}

bool pl_is_identifier(const char *name)
{
  const char *first = name;
  if (!name || !(isalpha((unsigned char)*name) || *name == '_')) return false;
  for (; *name; name++)
    if (!isalnum((unsigned char)*name) && *name != '_') return false;
  return !is_keyword(first);
}

static pl_node *find_node(pl_node *list, const char *name, size_t length)
{
  for (; list; list = list->next)
    if (strlen(list->name) == length && !memcmp(list->name, name, length)) return list;
  return NULL;
}

pl_const *pl_const_find(pl_context *pl, const char *name, size_t length)
{
  return (pl_const *)find_node(pl->consts, name, length);
}

const pl_function *pl_function_find(pl_context *pl, const char *name, size_t length)
{
  pl_helper *helper = (pl_helper *)find_node(pl->functions, name, length);
  return helper ? &helper->text : NULL;
}

static pl_err check_name(pl_context *pl, const char *what, const char *name)
{
  if (!pl_is_identifier(name))
    return pl_fail(pl, PL_ERR_ARG, "%s \"%s\": the name must be a C identifier", what, name ? name : "");
  if (pl_const_find(pl, name, strlen(name)) || pl_function_find(pl, name, strlen(name)))
    return pl_fail(pl, PL_ERR_ARG, "%s \"%s\": a const or function of that name is declared already", what,
                   name);
  return PL_SUCCESS;
}

/* ---- consts ---- */

static pl_err check_const(pl_context *pl, const char *name, int dim, pl_type type, pl_type from,
                          const void *values)
{
  PL_TRY(check_name(pl, "const", name));
  if (!values) return pl_fail(pl, PL_ERR_ARG, "const \"%s\": its values are NULL", name);
  if (dim < 1) return pl_fail(pl, PL_ERR_RANGE, "const \"%s\": dim %d is less than 1", name, dim);
  if (!pl_type_size(type)) return pl_fail(pl, PL_ERR_TYPE, "const \"%s\": %d is not a type", name, (int)type);
  return pl_check_conversion(pl, "pl_decl_const_from", name, type, from);
}

pl_err pl_decl_const_from(pl_context *pl, const char *name, int dim, pl_type type, pl_type from,
                          const void *values, pl_const **result)
{
  PL_TRY(pl_context_check(pl));
  PL_TRY(pl_agree_on(pl, check_const(pl, name, dim, type, from, values), "const \"%s\", %s of dim %d",
                     name ? name : "", pl_type_name(type), dim));
  PL_TRY(pl_before_any_access(pl));
  size_t bytes = (size_t)dim * pl_type_size(type);
  void *copy = pl_malloc(pl, bytes);
  if (!copy) return pl_fail_memory(pl, bytes);
  pl_convert(from, values, type, copy, (size_t)dim);
  pl_const *constant = pl_node_new(pl, &pl->consts, sizeof *constant, name);
  if (!constant) return pl_free(pl, copy), PL_ERR_MEMORY;
  constant->dim = dim;
  constant->type = type;
  constant->value = copy;
  pl->decl_version++;
  pl->const_version++;
  if (result) *result = constant;
  return PL_SUCCESS;
}

pl_err pl_decl_const(pl_context *pl, const char *name, int dim, pl_type type, const void *values,
                     pl_const **result)
{
  return pl_decl_const_from(pl, name, dim, type, type, values, result);
}

pl_err pl_const_set_as(pl_const *constant, pl_type type, const void *values)
{
  PL_TRY(pl_check_values((const pl_node *)constant, "pl_const_set", constant ? constant->type : PL_TYPE_COUNT,
                         &type, values));
  PL_TRY(pl_before_any_access(constant->node.pl));
  pl_convert(type, values, constant->type, constant->value, (size_t)constant->dim);
  constant->node.pl->const_version++;
  return PL_SUCCESS;
}

pl_err pl_const_get_as(const pl_const *constant, pl_type type, void *values)
{
  PL_TRY(pl_check_values((const pl_node *)constant, "pl_const_get", constant ? constant->type : PL_TYPE_COUNT,
                         &type, values));
  pl_convert(constant->type, constant->value, type, values, (size_t)constant->dim);
  return PL_SUCCESS;
}

pl_err(pl_const_set)(pl_const *constant, const void *values)
{
  return pl_const_set_as(constant, PL_TYPE_COUNT, values);
}

pl_err(pl_const_get)(const pl_const *constant, void *values)
{
  return pl_const_get_as(constant, PL_TYPE_COUNT, values);
}

void pl_const_destroy(pl_node *node)
{
  pl_notify_freed(node->pl, PL_OBJECT_CONST, node);
  node->pl->decl_version++;
  pl_free(node->pl, ((pl_const *)node)->value);
  pl_node_free(node);
}

PL_DEFINE_FREE(pl_const_free, pl_const, pl_const_destroy)

/* ---- helper functions ---- */

static pl_err check_function(pl_context *pl, const pl_function *function)
{
  if (!function || !function->name || !function->params || !function->body || !function->result)
    return pl_fail(pl, PL_ERR_ARG, "pl_decl_function: the function or its text is NULL");
  if (function->size > (int)sizeof *function) return pl_fail_newer(pl, "pl_function");
  return check_name(pl, "function", function->name);
}

/* Declares a function whose strings outlive the context, except for its name. */
static pl_err declare_function(pl_context *pl, const pl_function *function, pl_helper **result)
{
  PL_TRY(pl_context_check(pl));
  PL_TRY(pl_agree_on(pl, check_function(pl, function), "function \"%s\"",
                     function && function->name ? function->name : ""));
  PL_TRY(pl_before_any_access(pl));
  pl_helper *helper = pl_node_new(pl, &pl->functions, sizeof *helper, function->name);
  if (!helper) return PL_ERR_MEMORY;
  helper->text = *function;
  helper->text.name = helper->node.name;
  pl->decl_version++;
  *result = helper;
  return PL_SUCCESS;
}

pl_err pl_decl_function_text(pl_context *pl, const pl_function *function)
{
  pl_helper *helper;
  return declare_function(pl, function, &helper);
}

pl_err pl_decl_function_from_source(pl_context *pl, const char *name, const char *result, const char *params,
                                    const char *body)
{
  pl_helper *helper;
  const pl_function function = {name, result, params, body, name, 1, 0, (int)sizeof function};
  PL_TRY(declare_function(pl, &function, &helper));
  const char **text[3] = {&helper->text.result, &helper->text.params, &helper->text.body};
  for (int i = 0; i < 3; i++) {
    helper->copy[i] = pl_strdup(pl, *text[i]);
    if (!helper->copy[i]) {
      const size_t bytes = strlen(*text[i]) + 1;
      pl_helper_destroy(&helper->node);
      return pl_fail_memory(pl, bytes);
    }
    *text[i] = helper->copy[i];
  }
  helper->text.file = helper->node.name;
  return PL_SUCCESS;
}

void pl_helper_destroy(pl_node *node)
{
  pl_helper *helper = (pl_helper *)node;
  node->pl->decl_version++;
  pl_free_all(node->pl, helper->copy[0], helper->copy[1], helper->copy[2]);
  pl_node_free(node);
}

/* ---- kernels from source ---- */

static void free_list(pl_context *pl, const char *const *list)
{
  for (const char *const *s = list; s && *s; s++) pl_free(pl, (void *)*s);
  pl_free(pl, (void *)list);
}

/* A copy of a NULL-terminated list of strings; NULL stays NULL. */
static pl_err copy_list(pl_context *pl, const char *const *list, const char *const **copy)
{
  size_t n = 0;
  if (!list) return PL_SUCCESS;
  while (list[n]) n++;
  char **strings = pl_calloc(pl, n + 1, sizeof *strings);
  if (!strings) return pl_fail_memory(pl, (n + 1) * sizeof *strings);
  *copy = (const char *const *)strings;
  for (size_t i = 0; i < n; i++)
    if (!(strings[i] = pl_strdup(pl, list[i]))) return pl_fail_memory(pl, strlen(list[i]) + 1);
  return PL_SUCCESS;
}

static pl_err copy_string(pl_context *pl, const char *string, const char **copy)
{
  if (!string) return PL_SUCCESS;
  *copy = pl_strdup(pl, string);
  return *copy ? PL_SUCCESS : pl_fail_memory(pl, strlen(string) + 1);
}

/* Some editors write it before a text; compilers reject it within generated code. */
static const char byte_order_mark[] = "\xef\xbb\xbf";

static pl_err fill_kernel(pl_source_kernel *own, const char *source, const pl_kernel_options *options)
{
  pl_context *pl = own->node.pl;
  char file[160];
  snprintf(file, sizeof file, "kernel %s", own->node.name);
  own->options.flops = options->flops;
  own->options.cpp = options->cpp;
  own->kernel.name = own->node.name;
  own->kernel.line = options->line ? options->line : 1;
  own->kernel.extra = own;
  PL_TRY(copy_list(pl, options->include_dirs, &own->options.include_dirs));
  PL_TRY(copy_list(pl, options->headers, &own->options.headers));
  PL_TRY(copy_list(pl, options->link_args, &own->options.link_args));
  PL_TRY(copy_string(pl, options->setup, &own->options.setup));
  PL_TRY(copy_string(pl, options->file ? options->file : file, &own->kernel.file));
  return copy_string(pl, strncmp(source, byte_order_mark, 3) ? source : source + 3, &own->kernel.source);
}

pl_err pl_kernel_from_source_sized(pl_context *pl, const char *name, const char *source,
                                   const pl_kernel_options *given, size_t size, const pl_kernel **kernel)
{
  pl_kernel_options options;
  PL_TRY(pl_context_check(pl));
  if (!pl_is_identifier(name))
    return pl_fail(pl, PL_ERR_ARG, "kernel \"%s\": the name must be a C identifier", name ? name : "");
  PL_TRY(PL_GIVEN_FOR(pl, "pl_kernel_from_source", name, source, kernel));
  if (!pl_struct_take(&options, sizeof options, given, size)) return pl_fail_newer(pl, "pl_kernel_options");
  pl_source_kernel *own = pl_node_new(pl, &pl->kernels, sizeof *own, name);
  if (!own) return PL_ERR_MEMORY;
  pl_err err = fill_kernel(own, source, &options);
  if (!err && pl->backend->check_kernel) err = pl->backend->check_kernel(pl, &own->kernel);
  if (err) return pl_kernel_destroy(&own->node), err;
  *kernel = &own->kernel;
  return PL_SUCCESS;
}

const pl_kernel_options *pl_kernel_extras(const pl_kernel *kernel)
{
  static const pl_kernel_options none = {0};
  const pl_source_kernel *own = kernel->extra;
  return own ? &own->options : &none;
}

bool pl_kernel_is_own(const pl_kernel *kernel)
{
  return kernel->source && kernel->extra && ((const pl_source_kernel *)kernel->extra)->internal;
}

const pl_kernel *pl_kernel_wrapped(const pl_kernel *kernel)
{
  const pl_source_kernel *own = kernel->extra;
  return own ? own->wrapped : NULL;
}

bool pl_kernel_call(const pl_kernel *kernel, void *const *values)
{
  const pl_source_kernel *own = kernel->extra;
  if (!own || !own->compute) return false;
  if (values) own->compute(own->formula, values);
  return true;
}

void pl_kernel_destroy(pl_node *node)
{
  pl_source_kernel *own = (pl_source_kernel *)node;
  pl_context *pl = node->pl;
  free_list(pl, own->options.include_dirs);
  free_list(pl, own->options.headers);
  free_list(pl, own->options.link_args);
  pl_free_all(pl, (void *)own->options.setup, (void *)own->kernel.file, (void *)own->kernel.source,
              own->formula, own->layout);
  pl_node_free(node);
}

/* gcc: 'G' undeclared; clang: undeclared identifier, implicit declaration; NVRTC: identifier "G" is
 * undefined; the linker: undefined symbol. */
const char *pl_kernel_hint(const char *messages)
{
  static const char *const unknown[] = {"undeclared", "implicit declaration", "is undefined",
                                        "undefined symbol", NULL};
  for (int i = 0; unknown[i]; i++)
    if (strstr(messages, unknown[i]))
      return "\na kernel knows its own text and what is declared for kernels (pl_decl_const, "
             "pl_decl_function); "
             "variables, functions and macros of the program around it are unknown to it";
  return "";
}
