/* SPDX-License-Identifier: BSD-2-Clause
 * Reads parameter lists: specifiers give the type of a value, the steps of the declarator from the name
 * outwards, "array of 3", "pointer", give the shape. The first is the parameter's own pointer.
 */
#include "signature.h"
#include "kernel_outline.h"
#include "codegen/syntax/param_opposite.h"
#include "codegen/syntax/param_zeros.h"
#include "codegen/syntax/syntax_read.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include "core/context/options.h"
#include <limits.h>
#include <string.h>

typedef struct parser {
  const pl_syntax *tree;
  pl_origin origin;
  int number; /* of the parameter, from 1 */
  pl_param *param;
} parser;

/* A problem at token `at`. */
static pl_err reject(const parser *p, int at, const char *problem)
{
  return pl_fail(p->tree->pl, PL_ERR_KERNEL, PL_AT "parameter %d \"%.*s\" %s",
                 PL_AT_ARGS(&p->origin, p->tree->tokens.item[at].line), p->number, p->param->length,
                 p->param->text, problem);
}

/* ---- specifiers: the type of a value ---- */

/* Each word has its own bits, so the sum encodes which words occur and how often. */
enum {
  CHAR = 1,
  SHORT = 1 << 2,
  INT = 1 << 4,
  LONG = 1 << 6,
  SIGNED = 1 << 8,
  UNSIGNED = 1 << 10,
  FLOAT = 1 << 12,
  DOUBLE = 1 << 14,
  COMPLEX = 1 << 16,
  OTHER = 1 << 18
};

static unsigned word_bits(const pl_token *token)
{
  static const struct {
    const char *word;
    unsigned bits;
  } words[] = {{"char", CHAR},     {"short", SHORT},       {"int", INT},     {"long", LONG},
               {"signed", SIGNED}, {"unsigned", UNSIGNED}, {"float", FLOAT}, {"double", DOUBLE},
               {"void", OTHER},    {"_Bool", OTHER},       {"bool", OTHER},  {"_Complex", COMPLEX}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (pl_token_is(token, words[i].word)) return words[i].bits;
  return 0;
}

static pl_type type_of_bits(unsigned sum)
{
  bool is_unsigned = sum & UNSIGNED, sign = sum & (SIGNED | UNSIGNED);
  sum &= ~(3u * SIGNED | 3u * UNSIGNED);
  if (sum & (SHORT | LONG | LONG << 1)) sum &= ~(unsigned)INT;
  if (sum == 0 && sign) sum = INT;
  switch (sum) {
  case CHAR:
    return is_unsigned ? PL_UINT8 : PL_INT8;
  case SHORT:
    return is_unsigned ? PL_UINT16 : PL_INT16;
  case INT:
    return is_unsigned ? PL_UINT32 : PL_INT32;
  case LONG:
  case 2 * LONG:
    return is_unsigned ? PL_UINT64 : PL_INT64;
  case FLOAT:
    return sign ? PL_TYPE_COUNT : PL_FLOAT;
  case DOUBLE:
    return sign ? PL_TYPE_COUNT : PL_DOUBLE;
  case FLOAT + COMPLEX:
    return sign ? PL_TYPE_COUNT : PL_COMPLEX_FLOAT;
  case DOUBLE + COMPLEX:
    return sign ? PL_TYPE_COUNT : PL_COMPLEX_DOUBLE;
  default:
    return PL_TYPE_COUNT;
  }
}

static pl_type type_of_name(const pl_token *token)
{
  static const char *const names[] = {
#define X(code, ctype, bytes) #ctype,
    PL_TYPE_LIST(X)
#undef X
  };
  for (int type = 0; type < PL_TYPE_COUNT; type++)
    if (pl_token_is(token, names[type])) return (pl_type)type;
  return PL_TYPE_COUNT;
}

/* The type of a name that is no C keyword: pl_real, int32_t, pl_row_double, ... */
static pl_type named_type(const pl_context *pl, pl_param *param, const pl_token *token)
{
  static const char row[] = "pl_row_";
  pl_token rest = *token;
  param->is_row = token->length > sizeof row - 1 && !strncmp(token->text, row, sizeof row - 1);
  if (param->is_row) {
    rest.text += sizeof row - 1;
    rest.length -= sizeof row - 1;
  }
  param->is_real = pl_token_is(&rest, param->is_row ? "real" : "pl_real");
  param->is_mixed = pl_token_is(token, "pl_mixed");
  if (param->is_real) return PL_DOUBLE;
  if (param->is_mixed) return pl_mixed_type(pl);
  return param->is_row && word_bits(&rest) ? type_of_bits(word_bits(&rest)) : type_of_name(&rest);
}

/* The specifiers of a declaration. A name is the type if no type word precedes it. */
static void read_type(const parser *p, int declaration)
{
  unsigned sum = 0;
  pl_type named = PL_TYPE_COUNT;
  const pl_syntax_node *node = &p->tree->node[declaration];
  for (int i = node->first; i < p->tree->node[node->child].first; i++) {
    const pl_token *token = &p->tree->tokens.item[i];
    unsigned bits = pl_complex_part(&p->tree->tokens, i) >= 0 ? COMPLEX : word_bits(token);
    p->param->is_complex |= bits == COMPLEX;
    if (pl_is_qualifier(token)) {
      p->param->is_const |= pl_token_is(token, "const");
    } else if (pl_token_in(token, "struct union enum")) {
      sum |= OTHER;
    } else if (bits) {
      sum += bits;
    } else if (sum == 0) {
      named = named_type(p->tree->pl, p->param, token);
      sum = OTHER;
    }
  }
  p->param->type = sum == OTHER ? named : type_of_bits(sum);
}

/* ---- declarator: the shape ---- */

/* The value of an integer literal, or -1. */
static int literal(const pl_token *token)
{
  char digits[24], *end;
  if (token->kind != PL_TOKEN_NUMBER || token->length >= sizeof digits) return -1;
  memcpy(digits, token->text, token->length);
  digits[token->length] = '\0';
  long value = strtol(digits, &end, 0);
  if (end == digits || end[strspn(end, "uUlL")] != '\0') return -1;
  return value >= 0 && value <= INT_MAX ? (int)value : -1;
}

static int extent_of(const pl_syntax *tree, int array)
{
  const pl_syntax_node *extent = &tree->node[tree->node[array].child];
  return extent->kind == PL_SYNTAX_LITERAL ? literal(&tree->tokens.item[extent->at]) : -1;
}

static pl_shape shape_of(const parser *p, int first, int *steps)
{
  const pl_syntax_node *node = p->tree->node;
  const int second = node[first].next;
  bool arrays = true;
  *steps = 1;
  for (int k = second; k; k = node[k].next, ++*steps) arrays = arrays && node[k].kind == PL_SYNTAX_ARRAY;
  if (p->param->type == PL_TYPE_COUNT || node[first].kind == PL_SYNTAX_FUNCTION) return PL_SHAPE_OPAQUE;
  if (p->param->is_row) return *steps == 1 ? PL_SHAPE_ROW : PL_SHAPE_OPAQUE;
  if (*steps == 1) return PL_SHAPE_POINTER;
  if (*steps == 2 && node[second].kind == PL_SYNTAX_POINTER) return PL_SHAPE_POINTERS;
  return *steps <= PL_EXTENTS && arrays ? PL_SHAPE_PACKED : PL_SHAPE_OPAQUE;
}

/* `step`: the first one. */
static void set_shape(const parser *p, int step)
{
  int steps;
  pl_param *param = p->param;
  param->shape = shape_of(p, step, &steps);
  param->rank = param->shape == PL_SHAPE_OPAQUE ? 0 : param->shape == PL_SHAPE_PACKED ? steps : 1;
  for (int i = 0; i < PL_EXTENTS; i++, step = p->tree->node[step].next)
    param->extent[i] = i < param->rank ? extent_of(p->tree, step) : -1;
  if (param->shape == PL_SHAPE_OPAQUE) param->type = PL_TYPE_COUNT;
}

static pl_err keep_name(const parser *p, const pl_token *name)
{
  p->param->name = pl_malloc(p->tree->pl, name->length + 1);
  if (!p->param->name) return pl_fail_memory(p->tree->pl, name->length + 1);
  memcpy(p->param->name, name->text, name->length);
  p->param->name[name->length] = '\0';
  return PL_SUCCESS;
}

/* Reads a DECLARATION or OTHER. */
static pl_err read_param(const parser *p, int declaration)
{
  const pl_syntax_node *node = &p->tree->node[declaration], *declarator = &p->tree->node[node->child];
  const pl_token *token = p->tree->tokens.item, *last = &token[node->last];
  p->param->text = token[node->first].text;
  p->param->length = node->last < node->first ? 0 : (int)(last->text + last->length - p->param->text);
  if (node->kind == PL_SYNTAX_OTHER) return reject(p, node->at, node->problem);
  if (declarator->at < 0) return reject(p, node->last + 1, "has no name");
  if (!declarator->child)
    return reject(p, node->last + 1,
                  "is passed by value: a kernel takes pointers and arrays only, so put a * before the name");
  read_type(p, declaration);
  set_shape(p, declarator->child);
  return keep_name(p, &token[declarator->at]);
}

/* Reads the parameters of a node FUNCTION. */
static pl_err read_list(const pl_origin *origin, const pl_syntax *tree, int list, pl_signature *signature)
{
  int count = 0;
  for (int k = tree->node[list].child; k; k = tree->node[k].next) count++;
  signature->param = pl_calloc(tree->pl, (size_t)count, sizeof *signature->param);
  if (!signature->param) return pl_fail_memory(tree->pl, (size_t)count * sizeof *signature->param);
  signature->count = count;
  for (int i = 0, k = tree->node[list].child; i < count; i++, k = tree->node[k].next) {
    const parser p = {tree, *origin, i + 1, &signature->param[i]};
    PL_TRY(read_param(&p, k));
  }
  return PL_SUCCESS;
}

static pl_err read_params(const pl_kernel *kernel, pl_syntax *tree, pl_signature *signature)
{
  int list = 0;
  const pl_tokens *tokens = &tree->tokens;
  const pl_origin origin = pl_kernel_origin(kernel);
  const pl_token *last = &tokens->item[tokens->count - 1];
  int close = pl_token_is(&tokens->item[0], "(") ? pl_tokens_match(tokens, 0) : -1;
  if (last->kind == PL_TOKEN_ERROR)
    return pl_fail(tree->pl, PL_ERR_KERNEL, PL_AT "%s", PL_AT_ARGS(&origin, last->line),
                   pl_token_problem(last));
  if (close < 0 || close + 2 != tokens->count)
    return pl_fail(tree->pl, PL_ERR_KERNEL,
                   PL_AT "\"%s\" is not a parameter list: write (double *x, const double *y)",
                   PL_AT_ARGS(&origin, origin.line), kernel->params);
  PL_TRY(pl_syntax_read_function(tree, 0, close, 0, 0, &list, NULL));
  return read_list(&origin, tree, list, signature);
}

/* ---- a kernel in a whole file ---- */

static pl_err collect_names(const pl_kernel_outline *outline, char **names)
{
  int count = 0;
  for (int i = 0; i < outline->count; i++) {
    const pl_unit *unit = &outline->unit[i];
    if (unit->kind != PL_UNIT_FUNCTION) continue;
    const pl_token *token = &outline->tokens.item[unit->name];
    char *name = pl_malloc(outline->pl, token->length + 1);
    if (!name) return pl_fail_memory(outline->pl, token->length + 1);
    memcpy(name, token->text, token->length);
    name[token->length] = '\0';
    names[count++] = name;
  }
  return PL_SUCCESS;
}

static pl_err fail_undefined(pl_context *pl, const pl_origin *origin, const char *const *names)
{
  const char *near = pl_nearest(origin->name, names);
  if (near)
    return pl_fail(pl, PL_ERR_KERNEL, PL_AT "the source defines no function \"%s\"; did you mean \"%s\"?",
                   PL_AT_ARGS(origin, origin->line), origin->name, near);
  return pl_fail(pl, PL_ERR_KERNEL,
                 PL_AT "the source defines no function \"%s\": write void %s(...) {...} in it",
                 PL_AT_ARGS(origin, origin->line), origin->name, origin->name);
}

static pl_err fail_missing(pl_context *pl, const pl_origin *origin, const pl_kernel_outline *outline)
{
  size_t slots = (size_t)outline->count + 1;
  char **names = pl_calloc(pl, slots, sizeof *names);
  if (!names) return pl_fail_memory(pl, slots * sizeof *names);
  pl_err err = collect_names(outline, names);
  if (!err) err = fail_undefined(pl, origin, (const char *const *)names);
  for (size_t i = 0; i < slots; i++) pl_free(pl, names[i]);
  pl_free(pl, names);
  return err;
}

static bool only_adds(const pl_param *param)
{
  const pl_param_usage *uses = &param->uses;
  return param->shape == PL_SHAPE_POINTER && uses->adds && !uses->sets && !uses->scales && !uses->weighs &&
         !uses->others;
}

/* The DECLARATOR of parameter i, or 0 if it is not in the tree. */
static int declarator_of(const pl_syntax *tree, int list, int i)
{
  return list ? tree->node[pl_syntax_child(tree, list, i)].child : 0;
}

static void find_opposites(const pl_syntax *tree, int list, int block, pl_signature *signature)
{
  for (int i = 1; i < signature->count; i++)
    for (int j = 0; j < i && only_adds(&signature->param[i]) && !signature->param[i].negates; j++) {
      const pl_tracked a = {tree, signature->param[j].name, declarator_of(tree, list, j)},
                       b = {tree, signature->param[i].name, declarator_of(tree, list, i)};
      if (!only_adds(&signature->param[j])) continue;
      signature->param[i].negated = j;
      signature->param[i].negates = pl_params_opposite(tree, block, &a, &b);
    }
}

/* In a block; `list`: the FUNCTION with the parameters' declarators, or 0 if these are not in the tree.
 * macros: the text may use some. */
static void find_uses(const pl_syntax *tree, int list, int block, bool macros, pl_signature *signature)
{
  for (int i = 0; i < signature->count; i++) {
    pl_param *param = &signature->param[i];
    int depth = param->shape == PL_SHAPE_PACKED ? param->rank : param->shape == PL_SHAPE_POINTERS ? 2 : 1;
    int declarator = declarator_of(tree, list, i);
    param->uses = pl_param_usage_find(tree, block, param->name, declarator, depth);
    if (param->uses.sets && param->shape == PL_SHAPE_POINTER && !macros)
      param->uses.clears = pl_param_clears(tree, block, param->name, declarator);
  }
  if (!macros) find_opposites(tree, list, block, signature);
}

/* The words before the function's name say void and nothing more about the result. */
static bool returns_void(const pl_kernel_outline *outline, const pl_unit *unit)
{
  bool is_void = false;
  for (int i = unit->first; i < unit->name; i++) {
    const pl_token *token = &outline->tokens.item[i];
    if (pl_token_is(token, "*")) return false;
    if (pl_token_is(token, "void")) is_void = true;
  }
  return is_void;
}

static bool has_directives(const pl_tokens *tokens)
{
  int i = 0;
  while (i < tokens->count && tokens->item[i].kind != PL_TOKEN_DIRECTIVE) i++;
  return i < tokens->count;
}

static pl_err parse_definition(pl_context *pl, const pl_origin *origin, const pl_kernel_outline *outline,
                               pl_signature *signature)
{
  const pl_unit *unit = pl_kernel_outline_find(outline, origin->name, strlen(origin->name));
  if (!unit) return fail_missing(pl, origin, outline);
  const pl_token *item = outline->tokens.item;
  if (!returns_void(outline, unit))
    return pl_fail(pl, PL_ERR_KERNEL, PL_AT "the function returns a value: a kernel must return void",
                   PL_AT_ARGS(origin, item[unit->name].line));
  PL_TRY(read_list(origin, &outline->syntax, unit->parameters, signature));
  find_uses(&outline->syntax, unit->parameters, unit->code, has_directives(&outline->tokens), signature);
  return PL_SUCCESS;
}

static pl_err parse_source(pl_context *pl, const pl_kernel *kernel, pl_signature *signature)
{
  pl_kernel_outline outline;
  pl_origin origin = pl_kernel_origin(kernel);
  PL_TRY(pl_kernel_outline_read(pl, &origin, kernel->source, strlen(kernel->source), &outline));
  pl_err err = parse_definition(pl, &origin, &outline, signature);
  pl_kernel_outline_free(&outline);
  return err;
}

static pl_err parse_macro(pl_context *pl, const pl_kernel *kernel, pl_signature *signature)
{
  int block = 0, line = pl_kernel_origin(kernel).line;
  pl_syntax params, body;
  PL_TRY(pl_syntax_open(pl, kernel->params, strlen(kernel->params), line, &params));
  pl_err err = read_params(kernel, &params, signature);
  pl_syntax_free(&params);
  if (err) return err;
  PL_TRY(pl_syntax_open(pl, kernel->body, strlen(kernel->body), line, &body));
  err = pl_syntax_read_statements(&body, 0, body.tokens.count - 1, &block);
  if (!err) find_uses(&body, 0, block, false, signature);
  pl_syntax_free(&body);
  return err;
}

pl_err pl_signature_parse(pl_context *pl, const pl_kernel *kernel, pl_signature *signature)
{
  *signature = (pl_signature){.pl = pl, .real = kernel->real_size == sizeof(float) ? PL_FLOAT : PL_DOUBLE};
  pl_err err = kernel->source ? parse_source(pl, kernel, signature) : parse_macro(pl, kernel, signature);
  if (err) pl_signature_free(signature);
  return err;
}

void pl_signature_free(pl_signature *signature)
{
  if (!signature->pl) return;
  for (int i = 0; i < signature->count; i++) pl_free(signature->pl, signature->param[i].name);
  pl_free(signature->pl, signature->param);
  *signature = (pl_signature){.pl = signature->pl};
}

pl_err pl_signature_check(pl_context *pl, const pl_kernel *kernel)
{
  pl_signature signature;
  PL_TRY(pl_signature_parse(pl, kernel, &signature));
  pl_signature_free(&signature);
  return PL_SUCCESS;
}

int pl_signature_find(const pl_signature *signature, const pl_token *name)
{
  for (int p = 0; p < signature->count; p++) {
    const pl_param_usage *uses = &signature->param[p].uses;
    if (pl_token_is(name, signature->param[p].name))
      return uses->writes || uses->weighs || uses->others ? p : -1;
  }
  return -1;
}

int pl_param_brackets(const pl_param *param)
{
  if (param->shape == PL_SHAPE_OPAQUE || param->shape == PL_SHAPE_ROW) return 0;
  return param->shape == PL_SHAPE_POINTERS ? 2 : param->rank;
}
