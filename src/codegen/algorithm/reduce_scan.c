/* SPDX-License-Identifier: BSD-2-Clause
 * Prints the programs of reductions and scans.
 */
#include "reduce_scan.h"
#include "scan_vectorise.h"
#include "codegen/kernel/signature_check.h"
#include "codegen/target/prelude.h"
#include "core/arrays/reduce_scan.h"
#include "core/base/clock.h"
#include "core/loop/loop.h"
#include <string.h>

/* ---- the user's part ---- */

/* The algorithm as a kernel, for messages and for kernel_source.h. */
static pl_kernel as_kernel(const pl_algorithm *algorithm, const char *params)
{
  return (pl_kernel){.name = algorithm->name,
                     .params = params,
                     .body = "{}",
                     .file = algorithm->file,
                     .line = algorithm->line,
                     .real_size = algorithm->real_size};
}

/* The type of items is parsed as a parameter. */
static pl_err find_item(pl_scan_program *program)
{
  char params[128];
  pl_signature signature;
  const pl_algorithm *algorithm = program->algorithm;
  snprintf(params, sizeof params, "(%.100s *item)", algorithm->type);
  pl_kernel kernel = as_kernel(algorithm, params);
  PL_TRY(pl_signature_parse(program->pl, &kernel, &signature));
  program->item = signature.param[0].is_real ? program->signature.real : signature.param[0].type;
  bool plain = signature.param[0].shape == PL_SHAPE_POINTER && !pl_type_is_complex(program->item);
  pl_signature_free(&signature);
  if (plain) return PL_SUCCESS;
  return pl_fail(program->pl, PL_ERR_TYPE,
                 "\"%s\" (%s:%d): items cannot be of type \"%s\"; use a number type", algorithm->name,
                 algorithm->file, algorithm->line, algorithm->type);
}

/* The functions work on the dats themselves, so only const protects arguments that are read. */
static pl_err check_const(const pl_scan_call *call, const pl_scan_program *program)
{
  for (int i = 0; i < call->nargs; i++)
    if (call->args[i].access == PL_READ && !program->signature.param[i].is_const)
      return pl_fail(
        program->pl, PL_ERR_ACCESS,
        "\"%s\", parameter %d \"%s\": \"%s\" is only read; write const, or make the access PL_RW",
        call->algorithm->name, i + 1, program->signature.param[i].name,
        ((const pl_node *)call->args[i].object)->name);
  return PL_SUCCESS;
}

static pl_err bind_arguments(const pl_scan_call *call, pl_scan_program *program)
{
  pl_kernel kernel = as_kernel(call->algorithm, call->algorithm->params);
  pl_loop loop = {.pl = program->pl,
                  .kernel = &kernel,
                  .set = call->set,
                  .nargs = call->nargs,
                  .args = (pl_arg *)call->args};
  PL_TRY(pl_signature_parse(program->pl, &kernel, &program->signature));
  PL_TRY(pl_signature_bind(program->pl, &loop, &program->signature));
  PL_TRY(check_const(call, program));
  return find_item(program);
}

/* The functions of a program, in a dialect. */
typedef struct writer {
  const pl_scan_program *program;
  const pl_dialect *dialect;
  pl_string *text;
} writer;

static void add_params(const writer *w)
{
  const pl_signature *signature = &w->program->signature;
  for (int i = 0; i < signature->count; i++)
    pl_string_add(w->text, ", %s%.*s", w->dialect->global, signature->param[i].length,
                  signature->param[i].text);
}

/* A function of an element: `head` with its first parameters, the arrays, then `open` expression `close`. */
static void add_function(const writer *w, const char *head, const char *open, const char *expression,
                         const char *close)
{
  pl_string_add(w->text, "%s", head);
  add_params(w);
  pl_string_add(w->text, ") %s%s%s\n", open, expression, close);
}

/* The value of an output that only stores. */
static void add_stored(const writer *w, int k)
{
  const char *type = w->program->algorithm->type;
  const pl_slice *value = &w->program->store[k].value;
  pl_string_add(
    w->text,
    "%s pl_stored_%d(const int i, const int n, const %s item, const %s prev_item, const %s last_item", type,
    k, type, type, type);
  add_params(w);
  pl_string_add(w->text, ") { return (%.*s); }\n", (int)value->length, value->text);
}

/* The expressions as functions, on one line each. */
static void write_functions(const pl_scan_program *program, const pl_dialect *dialect, pl_string *text)
{
  const pl_algorithm *a = program->algorithm;
  const writer w = {program, dialect, text};
  char head[256];
  pl_string_add(text, "%s pl_neutral(const int n) { return (%s); }\n", a->type, a->neutral);
  pl_string_add(text, "%s pl_op(const %s a, const %s b) { return (%.*s); }\n", a->type, a->type, a->type,
                (int)program->op.length, program->op.text);
  snprintf(head, sizeof head, "%.100s pl_input(const int i, const int n", a->type);
  add_function(&w, head, "{ return (", a->input, "); }");
  if (a->flag) add_function(&w, "int pl_flag(const int i, const int n", "{ return (", a->flag, ") != 0; }");
  snprintf(head, sizeof head,
           "void pl_output(const int i, const int n, const %.50s item, const %.50s prev_item, const %.50s "
           "last_item",
           a->type, a->type, a->type);
  if (a->output) add_function(&w, head, "{ ", a->output, " }");
  for (int k = 0; dialect->host && k < program->nstores; k++) add_stored(&w, k);
}

static bool uses_last(const pl_algorithm *algorithm)
{
  return algorithm->output && strstr(algorithm->output, "last_item");
}

static pl_err build_source(pl_scan_program *program, const pl_dialect *dialect)
{
  const pl_source_options style = {.kernel_qualifier = dialect->function_qualifier,
                                   .function_qualifier = dialect->function_qualifier,
                                   .data_qualifier = dialect->data_qualifier,
                                   .const_space = dialect->constant,
                                   .names = dialect->names,
                                   .math = dialect->math,
                                   .complex = dialect->complex,
                                   .host = dialect->host,
                                   .cplusplus = dialect->cplusplus,
                                   .one_long = dialect->one_long,
                                   .tgmath = dialect->host,
                                   .line_marks = true};
  pl_source_kernel own = {.kernel = as_kernel(program->algorithm, NULL), .internal = true};
  pl_string text;
  pl_string_init(&text, program->pl);
  write_functions(program, dialect, &text);
  own.kernel.source = pl_string_chars(&text);
  own.kernel.body = NULL;
  own.kernel.extra = &own;
  pl_err err = pl_string_check(&text);
  if (!err) err = pl_source_build(program->pl, &own.kernel, &program->signature, &style, &program->source);
  pl_string_free(&text);
  return err;
}

/* ---- the whole program ---- */

static bool uses_double(const pl_scan_program *program)
{
  bool any = program->item == PL_DOUBLE;
  for (int i = 0; i < program->nargs; i++) any |= pl_type_base(program->arg[i].type) == PL_DOUBLE;
  return any;
}

/* Macros by which the fixed text passes the arrays to the user's functions. */
static void print_arrays(const pl_scan_program *program, const pl_dialect *dialect, pl_string *text)
{
  const pl_signature *signature = &program->signature;
  bool consts = program->source.const_count > 0;
  pl_string_add(text, "#define PL_NAMES ");
  for (int i = 0; i < signature->count; i++) pl_string_add(text, ", %s", signature->param[i].name);
  pl_string_add(text, "\n#define PL_CONSTS%s\n#define PL_CONSTS_PARAMETER ", consts ? " pl_k," : "");
  if (consts) pl_string_add(text, " %sconst struct pl_consts *pl_k,", dialect->constant);
  pl_string_add(text, "\n#define PL_ARRAYS ");
  if (!dialect->host) {
    add_params(&(writer){program, dialect, text});
    if (consts) pl_string_add(text, ", %sconst struct pl_consts *pl_k", dialect->constant);
  } else {
    for (int i = 0; i < signature->count; i++)
      pl_string_add(text, "%s%s *const %s = pl_args[%d]; (void)%s; ",
                    signature->param[i].is_const ? "const " : "", pl_type_name(signature->param[i].type),
                    signature->param[i].name, i, signature->param[i].name);
    if (consts)
      pl_string_add(text, "const struct pl_consts *const pl_k = pl_args[%d]; (void)pl_k;", signature->count);
  }
  pl_string_add(text, "\n");
}

/* PL_STORES(X): X(number, array) for each store. */
static void print_lanes(const pl_scan_program *program, pl_string *text)
{
  pl_string_add(text, "#define PL_SIZE %d\n#define PL_LIGHT %d\n#define PL_STORED %d\n",
                (int)pl_type_size(program->item), program->light, program->nstores);
  pl_string_add(text, "#define PL_STORES(X)");
  for (int k = 0; k < program->nstores; k++)
    pl_string_add(text, " X(%d, %s)", k, program->signature.param[program->store[k].param].name);
  pl_string_add(text, "\n");
}

/* Elements of a work item of a scan in one pass, as registers allow; 0: it takes more, because groups do not
 * see each other's writes, there are segments, or the output needs the last item. */
static int own_elements(const pl_scan_program *program, const pl_dialect *d)
{
  const pl_algorithm *a = program->algorithm;
  const int size = (int)pl_scan_item_size(program), unit = size < (int)sizeof(int) ? (int)sizeof(int) : size;
  return d->fence && a->output && !a->flag && !program->uses_last ? PL_LOOK_BACK_BYTES / unit : 0;
}

static void print_look_back(const pl_scan_program *program, const pl_dialect *d, pl_string *text)
{
  pl_string_add(text, "\n#define DRAW(p) %s\n#define PAUSE %s\n#define OWN %d\n", d->draw,
                d->pause ? d->pause : "", program->own);
  pl_string_add(text, "#define FIRST %d\n#define LOOK_WARPS %d\n", PL_LOOK_BACK_FIRST, PL_LOOK_BACK_WARPS);
  pl_string_add_bytes(text, pl_template_look_back_device, strlen(pl_template_look_back_device));
}

static void print_program(const pl_scan_program *program, const pl_dialect *d, pl_string *text)
{
  const pl_algorithm *a = program->algorithm;
  pl_string_add(text, "/* Generated by Plait %s: %s %s, dialect %s. */\n#define PLAIT_JIT 1\n", PLAIT_VERSION,
                a->output ? "scan" : "reduction", a->name, d->name);
  pl_print_prelude(text, d, uses_double(program));
  pl_string_add(text, "\n");
  pl_string_add_bytes(text, pl_string_chars(&program->source.text), program->source.text.length);
  pl_string_add(text, "#line %d \"%s.%s\"\n\n", text->lines + 2, a->name, d->name);
  pl_string_add(
    text, "typedef %s pl_value;\n#define PL_SEGMENTED %d\n#define PL_OUTPUT %d\n#define PL_COMMUTES %d\n",
    pl_type_name(program->item), a->flag != NULL, a->output != NULL, program->commutes);
  print_arrays(program, d, text);
  if (d->host)
    print_lanes(program, text);
  else
    pl_print_device_words(text, d);
  const char *fixed = d->host ? pl_template_scan_host : pl_template_scan_device;
  pl_string_add_bytes(text, fixed, strlen(fixed));
  if (program->own) print_look_back(program, d, text);
}

static pl_err keep_args(const pl_scan_call *call, pl_scan_program *program)
{
  program->nargs = call->nargs;
  PL_TRY(PL_NEW(program->pl, program->arg, (size_t)call->nargs));
  for (int i = 0; i < call->nargs; i++)
    program->arg[i] = (pl_array_arg){call->args[i].kind, call->args[i].access, pl_arg_type(&call->args[i]),
                                     pl_arg_dim(&call->args[i])};
  return PL_SUCCESS;
}

static pl_err make_program(const pl_scan_call *call, const pl_dialect *dialect, pl_scan_program *program)
{
  PL_TRY(keep_args(call, program));
  PL_TRY(bind_arguments(call, program));
  if (call->result && call->result->type != program->item)
    return pl_fail(program->pl, PL_ERR_TYPE, "reduction \"%s\" gives %s, but global \"%s\" holds %s",
                   call->algorithm->name, pl_type_name(program->item), call->result->node.name,
                   pl_type_name(call->result->type));
  PL_TRY(pl_scan_vectorises(program));
  PL_TRY(build_source(program, dialect));
  program->uses_last = uses_last(call->algorithm);
  program->own = own_elements(program, dialect);
  print_program(program, dialect, &program->text);
  return pl_string_check(&program->text);
}

pl_err pl_scan_program_make(pl_context *pl, const pl_scan_call *call, const pl_dialect *dialect,
                            pl_scan_program *program)
{
  const double begin = pl_now();
  *program = (pl_scan_program){.pl = pl, .algorithm = call->algorithm, .decl_version = pl->decl_version};
  program->signature.pl = program->source.pl = pl;
  pl_string_init(&program->text, pl);
  pl_string_init(&program->source.text, pl);
  pl_err err = make_program(call, dialect, program);
  pl->stats.generate_seconds += pl_now() - begin;
  if (err) pl_scan_program_free(program);
  return err;
}

void pl_scan_program_free(pl_scan_program *program)
{
  if (!program->pl) return;
  pl_string_free(&program->text);
  pl_source_free(&program->source);
  pl_signature_free(&program->signature);
  pl_free(program->pl, program->arg);
  *program = (pl_scan_program){0};
}

size_t pl_scan_item_size(const pl_scan_program *program)
{
  size_t value = pl_type_size(program->item), unit = value < sizeof(int) ? sizeof(int) : value;
  return program->algorithm->flag ? 2 * unit : value;
}

/* Whether the program serves this call. */
static bool serves(const pl_scan_program *program, const pl_scan_call *call)
{
  if (program->algorithm != call->algorithm || program->decl_version != program->pl->decl_version ||
      program->nargs != call->nargs || (call->result && call->result->type != program->item))
    return false;
  for (int i = 0; i < call->nargs; i++) {
    const pl_array_arg *arg = &program->arg[i];
    if (arg->kind != call->args[i].kind || arg->access != call->args[i].access ||
        arg->type != pl_arg_type(&call->args[i]) || arg->dim != pl_arg_dim(&call->args[i]))
      return false;
  }
  return true;
}

static void free_code(pl_context *pl, const pl_scan_maker *maker, pl_scan_program *code)
{
  maker->release(pl, code);
  pl_scan_program_free(code);
  pl_free(pl, code);
}

pl_err pl_scan_get(pl_context *pl, const pl_scan_maker *maker, pl_scan_program **list,
                   const pl_scan_call *call, void **result)
{
  for (pl_scan_program **link = list, *code; (code = *link);) {
    if (serves(code, call)) {
      *result = code;
      return PL_SUCCESS;
    }
    if (code->decl_version == pl->decl_version) {
      link = &code->next;
      continue;
    }
    *link = code->next;
    free_code(pl, maker, code);
  }
  pl_scan_program *code = pl_calloc(pl, 1, maker->size);
  if (!code) return pl_fail_memory(pl, maker->size);
  pl_err err = maker->prepare(pl, call, code);
  if (err) return free_code(pl, maker, code), err;
  code->next = *list;
  *result = *list = code;
  return PL_SUCCESS;
}

void pl_scans_free(pl_context *pl, const pl_scan_maker *maker, pl_scan_program **list)
{
  while (*list) {
    pl_scan_program *code = *list;
    *list = code->next;
    free_code(pl, maker, code);
  }
}
