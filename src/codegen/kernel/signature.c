/* SPDX-License-Identifier: BSD-2-Clause
 * Parses parameter lists: specifiers give the type of a value, the declarator gives the shape. A declarator
 * is read inside out into a list of steps from the name, "array of 3", "pointer"; the first is the
 * parameter's own pointer.
 */
#include "signature.h"
#include "kernel_outline.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include "core/context/options.h"
#include <limits.h>
#include <string.h>

enum { MAX_STEPS = 8 };

typedef struct parser {
  pl_context *pl;
  pl_origin origin;
  const pl_token *at, *end; /* the parameter's tokens */
  int number;               /* of the parameter, from 1 */
  pl_param *param;
  pl_token name; /* length 0: none yet */
  struct {
    enum { POINTER, ARRAY, FUNCTION } kind;
    int extent;
  } step[MAX_STEPS];
  int steps, nesting;
} parser;

static bool is_at(const parser *p, const char *words)
{
  return p->at < p->end && pl_token_in(p->at, words);
}

static pl_err reject(parser *p, const char *problem)
{
  int line = p->at < p->end ? p->at->line : p->end->line;
  return pl_fail(p->pl, PL_ERR_KERNEL, PL_AT "parameter %d \"%.*s\" %s", PL_AT_ARGS(&p->origin, line),
                 p->number, p->param->length, p->param->text, problem);
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
  OTHER = 1 << 16
};

static unsigned word_bits(const pl_token *token)
{
  static const struct {
    const char *word;
    unsigned bits;
  } words[] = {{"char", CHAR},     {"short", SHORT},       {"int", INT},     {"long", LONG},
               {"signed", SIGNED}, {"unsigned", UNSIGNED}, {"float", FLOAT}, {"double", DOUBLE},
               {"void", OTHER},    {"_Bool", OTHER},       {"bool", OTHER},  {"_Complex", OTHER}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (pl_token_is(token, words[i].word)) return words[i].bits;
  return 0;
}

static bool is_qualifier(const pl_token *token)
{
  return pl_token_in(token, "const volatile restrict __restrict __restrict__ register static");
}

static void skip_qualifiers(parser *p)
{
  while (p->at < p->end && is_qualifier(p->at)) p->at++;
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

const char *pl_type_word(int i)
{
  static const char *const words[] = {
#define X(code, ctype, bytes) #ctype,
    PL_TYPE_LIST(X)
#undef X
      "char",
    "short",
    "int",
    "long",
    "signed",
    "unsigned",
    "void",
    "_Bool",
    "bool",
    "_Complex",
    "const",
    "struct",
    "union",
    "enum",
    "pl_real",
    "pl_mixed",
    NULL};
  return words[i];
}

bool pl_is_type_word(const pl_token *token)
{
  static const char row[] = "pl_row_";
  bool found = token->length >= sizeof row - 1 && !strncmp(token->text, row, sizeof row - 1);
  for (int i = 0; pl_type_word(i) && !found; i++) found = pl_token_is(token, pl_type_word(i));
  return found;
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

/* Reads up to the declarator. A name is the type if no type word precedes it. */
static pl_err parse_specifiers(parser *p)
{
  unsigned sum = 0;
  pl_type named = PL_TYPE_COUNT;
  for (; p->at < p->end && p->at->kind == PL_TOKEN_NAME; p->at++) {
    unsigned bits = word_bits(p->at);
    if (is_qualifier(p->at)) {
      p->param->is_const = p->param->is_const || is_at(p, "const");
    } else if (is_at(p, "struct union enum")) {
      if (p->at + 1 < p->end) p->at++;
      sum |= OTHER;
    } else if (bits) {
      sum += bits;
    } else if (sum == 0) {
      named = named_type(p->pl, p->param, p->at);
      sum = OTHER;
    } else {
      break;
    }
  }
  if (sum == 0) return reject(p, "has no type");
  p->param->type = sum == OTHER ? named : type_of_bits(sum);
  return PL_SUCCESS;
}

/* ---- declarator: the shape ---- */

static pl_err add_step(parser *p, int kind, int extent)
{
  if (p->steps == MAX_STEPS) return reject(p, "is too deeply nested");
  p->step[p->steps].kind = kind;
  p->step[p->steps++].extent = extent;
  return PL_SUCCESS;
}

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

/* [ ... ] or ( ... ) behind the name; p->at is on the opening bracket. */
static pl_err parse_suffix(parser *p)
{
  bool array = is_at(p, "[");
  const pl_token *first = ++p->at;
  int depth = 1;
  for (; p->at < p->end; p->at++) {
    if (is_at(p, "[ (")) depth++;
    if (is_at(p, "] )") && --depth == 0) break;
  }
  if (p->at == p->end) return reject(p, "has a bracket that is not closed");
  while (first < p->at && is_qualifier(first)) first++;
  int extent = p->at - first == 1 ? literal(first) : -1;
  p->at++;
  return add_step(p, array ? ARRAY : FUNCTION, extent);
}

static pl_err parse_declarator(parser *p)
{
  int pointers = 0;
  if (++p->nesting > MAX_STEPS) return reject(p, "is too deeply nested");
  for (; is_at(p, "*"); skip_qualifiers(p)) {
    p->at++;
    pointers++;
  }
  if (is_at(p, "(")) {
    p->at++;
    PL_TRY(parse_declarator(p));
    if (!is_at(p, ")")) return reject(p, "cannot be understood: a ) is missing");
    p->at++;
  } else if (p->at < p->end && p->at->kind == PL_TOKEN_NAME) {
    p->name = *p->at++;
  }
  while (is_at(p, "[ (")) PL_TRY(parse_suffix(p));
  while (pointers-- > 0) PL_TRY(add_step(p, POINTER, -1));
  return PL_SUCCESS;
}

/* All steps from `first` on are arrays. */
static bool arrays_from(const parser *p, int first)
{
  for (int i = first; i < p->steps; i++)
    if (p->step[i].kind != ARRAY) return false;
  return true;
}

static pl_shape shape_of(const parser *p)
{
  if (p->param->type == PL_TYPE_COUNT || p->step[0].kind == FUNCTION) return PL_SHAPE_OPAQUE;
  if (p->param->is_row) return p->steps == 1 ? PL_SHAPE_ROW : PL_SHAPE_OPAQUE;
  if (p->steps == 1) return PL_SHAPE_POINTER;
  if (p->steps == 2 && p->step[1].kind == POINTER) return PL_SHAPE_POINTERS;
  return p->steps <= PL_EXTENTS && arrays_from(p, 1) ? PL_SHAPE_PACKED : PL_SHAPE_OPAQUE;
}

static void set_shape(parser *p)
{
  pl_param *param = p->param;
  param->shape = shape_of(p);
  param->rank = param->shape == PL_SHAPE_OPAQUE ? 0 : param->shape == PL_SHAPE_PACKED ? p->steps : 1;
  for (int i = 0; i < PL_EXTENTS; i++) param->extent[i] = i < param->rank ? p->step[i].extent : -1;
  if (param->shape == PL_SHAPE_OPAQUE) param->type = PL_TYPE_COUNT;
}

static pl_err keep_name(parser *p)
{
  p->param->name = pl_malloc(p->pl, p->name.length + 1);
  if (!p->param->name) return pl_fail_memory(p->pl, p->name.length + 1);
  memcpy(p->param->name, p->name.text, p->name.length);
  p->param->name[p->name.length] = '\0';
  return PL_SUCCESS;
}

/* Parses the tokens [first, end) as parameter `number`. */
static pl_err parse_param(pl_context *pl, const pl_origin *origin, const pl_token *first, const pl_token *end,
                          int number, pl_param *param)
{
  parser p = {.pl = pl, .origin = *origin, .at = first, .end = end, .number = number, .param = param};
  param->text = first->text;
  param->length = end > first ? (int)(end[-1].text + end[-1].length - first->text) : 0;
  if (first == end) return reject(&p, "is empty: remove the extra comma");
  if (is_at(&p, "...")) return reject(&p, "is not allowed: a kernel has a fixed number of parameters");
  PL_TRY(parse_specifiers(&p));
  PL_TRY(parse_declarator(&p));
  if (p.at < p.end) return reject(&p, "cannot be understood");
  if (p.name.length == 0) return reject(&p, "has no name");
  if (p.steps == 0)
    return reject(&p,
                  "is passed by value: a kernel takes pointers and arrays only, so put a * before the name");
  set_shape(&p);
  return keep_name(&p);
}

/* ---- parameter list ---- */

/* The comma, or the end, that ends the parameter at `first`. */
static const pl_token *param_end(const pl_token *first, const pl_token *end)
{
  int depth = 0;
  const pl_token *at = first;
  for (; at < end; at++) {
    depth += pl_token_in(at, "( [") - pl_token_in(at, ") ]");
    if (depth == 0 && pl_token_is(at, ",")) break;
  }
  return at;
}

static int count_params(const pl_token *first, const pl_token *end)
{
  int count = 1;
  if (first == end || (end - first == 1 && pl_token_is(first, "void"))) return 0;
  for (first = param_end(first, end); first < end; first = param_end(first + 1, end)) count++;
  return count;
}

/* Parses the tokens between the parentheses. */
static pl_err parse_list(pl_context *pl, const pl_origin *origin, const pl_token *first, const pl_token *end,
                         pl_signature *signature)
{
  int count = count_params(first, end);
  signature->param = pl_calloc(pl, (size_t)count, sizeof *signature->param);
  if (!signature->param) return pl_fail_memory(pl, (size_t)count * sizeof *signature->param);
  signature->count = count;
  for (int i = 0; i < count; i++) {
    const pl_token *next = param_end(first, end);
    PL_TRY(parse_param(pl, origin, first, next, i + 1, &signature->param[i]));
    first = next + 1;
  }
  return PL_SUCCESS;
}

static pl_err parse_params(pl_context *pl, const pl_kernel *kernel, const pl_tokens *tokens,
                           pl_signature *signature)
{
  pl_origin origin = pl_kernel_origin(kernel);
  const pl_token *last = &tokens->item[tokens->count - 1];
  int close = pl_token_is(&tokens->item[0], "(") ? pl_tokens_match(tokens, 0) : -1;
  if (last->kind == PL_TOKEN_ERROR)
    return pl_fail(pl, PL_ERR_KERNEL, PL_AT "%s", PL_AT_ARGS(&origin, last->line), pl_token_problem(last));
  if (close < 0 || close + 2 != tokens->count)
    return pl_fail(pl, PL_ERR_KERNEL,
                   PL_AT "\"%s\" is not a parameter list: write (double *x, const double *y)",
                   PL_AT_ARGS(&origin, origin.line), kernel->params);
  return parse_list(pl, &origin, tokens->item + 1, tokens->item + close, signature);
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

static void find_uses(const pl_tokens *tokens, int first, int last, pl_signature *signature)
{
  for (int i = 0; i < signature->count; i++) {
    pl_param *param = &signature->param[i];
    int depth = param->shape == PL_SHAPE_PACKED ? param->rank : param->shape == PL_SHAPE_POINTERS ? 2 : 1;
    param->uses = pl_param_usage_find(tokens, first, last, param->name, depth);
  }
}

/* The words before the function's name say void and nothing more about the result. */
static bool returns_void(const pl_kernel_outline *outline, const pl_unit *unit)
{
  bool is_void = false;
  for (int i = unit->first; i < unit->name; i++) {
    const pl_token *token = &outline->tokens.item[i];
    if (token->kind == PL_TOKEN_PUNCT && pl_token_is(token, "*")) return false;
    if (pl_token_is(token, "void")) is_void = true;
  }
  return is_void;
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
  PL_TRY(parse_list(pl, origin, item + unit->open + 1, item + unit->close, signature));
  find_uses(&outline->tokens, unit->body, unit->last, signature);
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
  pl_tokens tokens;
  pl_origin origin = pl_kernel_origin(kernel);
  PL_TRY(pl_tokens_read(pl, kernel->params, strlen(kernel->params), origin.line, &tokens));
  pl_err err = parse_params(pl, kernel, &tokens, signature);
  pl_tokens_free(&tokens);
  if (err) return err;
  PL_TRY(pl_tokens_read(pl, kernel->body, strlen(kernel->body), origin.line, &tokens));
  find_uses(&tokens, 0, tokens.count, signature);
  pl_tokens_free(&tokens);
  return PL_SUCCESS;
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
