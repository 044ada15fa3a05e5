/* SPDX-License-Identifier: BSD-2-Clause
 * Checks the tokens of a unit, and the nodes of its syntax tree, against a list of rules.
 *
 * Invariant: a rule refuses only text that some target's compiler certainly refuses or computes differently;
 * unreadable text is left to the compilers.
 */
#include "portable_c.h"
#include "core/context/error.h"
#include <string.h>

typedef struct checker {
  const pl_assembly *program;
  const pl_piece *piece;
  const pl_unit *unit;
  const pl_syntax *tree;
} checker;

/* ---- tokens ---- */

static const pl_token *token_at(const checker *c, int i)
{
  return &c->piece->outline.tokens.item[i];
}

static bool is_at(const checker *c, int i, const char *word)
{
  return i >= 0 && pl_tokens_in(&c->piece->outline.tokens, i, word);
}

static bool is_any(const checker *c, int i, const char *const *words)
{
  while (*words && !is_at(c, i, *words)) words++;
  return *words != NULL;
}

static bool is_name(const checker *c, int i)
{
  return token_at(c, i)->kind == PL_TOKEN_NAME;
}

static int match(const checker *c, int i)
{
  int close = pl_tokens_match(&c->piece->outline.tokens, i);
  return close < 0 ? c->unit->last : close;
}

static pl_err refuse(const checker *c, int i, const char *sentence)
{
  return pl_fail(c->program->pl, PL_ERR_KERNEL, PL_AT "%s",
                 PL_AT_ARGS(&c->piece->origin, token_at(c, i)->line), sentence);
}

/* A sentence that starts with the name at i. */
static pl_err refuse_name(const checker *c, int i, const char *sentence)
{
  const pl_token *token = token_at(c, i);
  return pl_fail(c->program->pl, PL_ERR_KERNEL, PL_AT "\"%.*s\" %s",
                 PL_AT_ARGS(&c->piece->origin, token->line), (int)token->length, token->text, sentence);
}

/* ---- words and literals ---- */

static bool has_other_letters(const pl_token *token)
{
  for (size_t i = 0; i < token->length; i++)
    if ((unsigned char)token->text[i] >= 128) return true;
  return false;
}

/* A number like 1.0L. */
static bool is_long_double(const pl_token *token)
{
  pl_token shorter = *token;
  if (token->kind != PL_TOKEN_NUMBER || (token->text[token->length - 1] | 32) != 'l') return false;
  shorter.length--;
  return pl_token_is_real(&shorter);
}

static pl_err check_word(const checker *c, int i)
{
  const pl_token *token = token_at(c, i), *next = token + 1;
  bool quoted = next->kind == PL_TOKEN_STRING || next->kind == PL_TOKEN_CHAR;
  if (is_at(c, i, "_Imaginary") ||
      (is_at(c, i, "_Complex") && pl_complex_part(&c->piece->outline.tokens, i) < 0))
    return refuse_name(c, i, "is not known to every target: write double _Complex or float _Complex");
  if ((is_at(c, i, "long") && is_at(c, i + 1, "double")) ||
      (is_at(c, i, "double") && is_at(c, i + 1, "long")))
    return refuse(c, i, "not every target has long double: use double");
  if (is_long_double(token))
    return refuse_name(c, i, "is a long double, which not every target has: leave out the L");
  if (is_at(c, i, "L") && quoted && next->text == token->text + 1)
    return refuse(c, i, "not every target has wide characters: leave out the L");
  if (token->kind == PL_TOKEN_NAME && has_other_letters(token))
    return refuse_name(c, i, "has letters that not every target accepts in names: use a to z, digits and _");
  return PL_SUCCESS;
}

/* ---- types ---- */

/* The brace of struct x {, union { and the like, for the word at i; -1 where it has none. */
static int brace_of(const checker *c, int i)
{
  int brace = i + 1 + is_name(c, i + 1);
  return is_at(c, brace, "{") ? brace : -1;
}

static const char *const types[] = {"struct", "union", "enum", NULL};

static pl_err check_members(const checker *c, int brace)
{
  for (int i = brace + 1, close = match(c, brace); i < close; i++) {
    int inner = is_any(c, i, types) ? brace_of(c, i) : -1;
    if (inner == i + 2) return refuse_name(c, i + 1, "is declared inside a structure: declare it before");
    if (inner > 0 && is_at(c, i, "enum"))
      return refuse(c, i, "an enum is declared inside a structure: declare it before");
    if (is_at(c, i, "[") && is_at(c, i + 1, "]"))
      return refuse_name(c, i - 1, "is an array member without a size: write its size");
    if (is_at(c, i, ":"))
      return refuse(c, i, "not every target has bit fields: use whole members, or shifts and masks");
    if (is_at(c, i, "[") || is_at(c, i, "(")) i = match(c, i);
  }
  return PL_SUCCESS;
}

/* "(*f)(", "(*const f[2])(": the declarator in the first parentheses is a pointer to a function. */
static bool is_function_pointer(const checker *c, int i)
{
  if (!is_at(c, i, "(") || !is_at(c, i + 1, "*")) return false;
  int k = i + 2;
  while (is_at(c, k, "*") || is_at(c, k, "const") || is_at(c, k, "restrict")) k++;
  k += is_name(c, k);
  while (is_at(c, k, "[")) k = match(c, k) + 1;
  return is_at(c, k, ")") && is_at(c, k + 1, "(");
}

static pl_err check_type(const checker *c, int i)
{
  bool has_members = is_at(c, i, "struct") || is_at(c, i, "union");
  if (is_any(c, i, types) && brace_of(c, i) > 0 && is_at(c, i - 1, "(") && is_at(c, i - 2, "for"))
    return refuse(c, i, "a type is declared in for: declare it before");
  if (has_members && brace_of(c, i) > 0) PL_TRY(check_members(c, brace_of(c, i)));
  if (is_function_pointer(c, i))
    return refuse(c, i, "not every target has pointers to functions: call functions by their names");
  return PL_SUCCESS;
}

/* ---- nodes ---- */

static const pl_syntax_node *node_at(const checker *c, int node)
{
  return &c->tree->node[node];
}

static const pl_syntax_node *parent_of(const checker *c, int node)
{
  return node_at(c, node_at(c, node)->parent);
}

/* The function declares it itself. */
static bool is_local(const checker *c, int declarator)
{
  return declarator > c->unit->parameters;
}

static bool is_parameter(const checker *c, int declarator)
{
  return is_local(c, declarator) && declarator < c->unit->code;
}

static bool declares(const checker *c, int declarator, const char *words)
{
  return pl_syntax_specifies(c->tree, node_at(c, declarator)->parent, words);
}

static int count_steps(const checker *c, int declarator, pl_syntax_kind kind)
{
  int n = 0;
  for (int k = node_at(c, declarator)->child; k; k = node_at(c, k)->next) n += node_at(c, k)->kind == kind;
  return n;
}

/* ---- initialisers ---- */

static pl_err check_compound(const checker *c, int node)
{
  if (pl_syntax_has(c->tree, node_at(c, node)->child, "["))
    return refuse(c, node_at(c, node)->at, "not every target has array literals: declare an array before");
  if (pl_syntax_is(c->tree, node_at(c, node)->parent, PL_SYNTAX_UNARY, "&"))
    return refuse(c, node_at(c, node)->at,
                  "not every target gives the address of a literal: declare a variable before");
  return PL_SUCCESS;
}

static pl_err check_designator(const checker *c, int node)
{
  int at = node_at(c, node)->at;
  if (is_at(c, at, "."))
    return refuse_name(c, at + 1,
                       "is initialised by name, which not every target can do: "
                       "write the values in the order of the members, or assign them");
  return refuse(c, at,
                "elements are initialised by number, which not every target can do: "
                "write the values in their order, or assign them");
}

/* A string initialises an array, and is else only measured or hidden in a macro. */
static pl_err check_string(const checker *c, int node)
{
  int at = node_at(c, node)->at, value = node, outer, first;
  for (; (outer = node_at(c, value)->parent); value = outer) {
    pl_syntax_kind kind = node_at(c, outer)->kind;
    if (kind != PL_SYNTAX_LIST && kind != PL_SYNTAX_CONDITIONAL && kind != PL_SYNTAX_PARENTHESES &&
        kind != PL_SYNTAX_CAST)
      break;
  }
  first = node_at(c, outer)->child;
  bool points = pl_syntax_is(c->tree, outer, PL_SYNTAX_CONTROL, "return") ||
                (node_at(c, outer)->kind == PL_SYNTAX_INDEX && first == value);
  if (pl_syntax_is(c->tree, outer, PL_SYNTAX_ASSIGN, "="))
    points = node_at(c, first)->kind != PL_SYNTAX_INDEX;
  if (node_at(c, outer)->kind == PL_SYNTAX_CALL && node_at(c, first)->kind == PL_SYNTAX_NAME)
    points = pl_assembly_defines(c->program, token_at(c, node_at(c, first)->at));
  if (node_at(c, outer)->kind == PL_SYNTAX_INIT) {
    int declarator = node_at(c, outer)->parent;
    points = count_steps(c, declarator, PL_SYNTAX_POINTER) || declares(c, declarator, "*") ||
             (!count_steps(c, declarator, PL_SYNTAX_ARRAY) && outer == node_at(c, node)->parent);
  }
  if (!points) return PL_SUCCESS;
  return refuse(c, at,
                "not every target lets pointers point to a string: declare an array, const char s[] = ...");
}

/* ---- declarations of a function ---- */

/* A variable in an array's extent: the size is then a variable, too; 0: there is none, or it is within
 * sizeof. */
static int variable_in_extent(const checker *c, int array)
{
  int found = 0;
  if (pl_syntax_has(c->tree, array, "sizeof")) return 0;
  for (int k = array + 1; node_at(c, array)->child && k < c->unit->behind; k++) {
    if (node_at(c, k)->first > node_at(c, array)->last) break;
    if (node_at(c, k)->kind == PL_SYNTAX_NAME && is_local(c, node_at(c, k)->declarator)) found = k;
  }
  return found;
}

/* A parameter's first extent means nothing. */
static pl_err check_declarator(const checker *c, int node)
{
  int step = node_at(c, node)->child, found = 0;
  bool own = declares(c, node, "typedef extern");
  if (node_at(c, step)->kind == PL_SYNTAX_FUNCTION && !is_parameter(c, node) && !own &&
      node_at(c, node_at(c, step)->child)->kind != PL_SYNTAX_OTHER)
    return refuse_name(c, node_at(c, node)->at, "is declared inside a function: declare it before");
  if (parent_of(c, node_at(c, node)->parent)->kind == PL_SYNTAX_FUNCTION) step = node_at(c, step)->next;
  for (; step && !found; step = node_at(c, step)->next)
    if (node_at(c, step)->kind == PL_SYNTAX_ARRAY) found = variable_in_extent(c, step);
  if (!found) return PL_SUCCESS;
  return refuse_name(c, node_at(c, found)->at,
                     "is a variable, and not every target has arrays of variable size: "
                     "use a number, a #define or an enum constant");
}

/* ---- uses of variables ---- */

/* A pointer to void becomes another one without a cast. Those of a kernel come from pl_arg_ptr, which devices
 * refuse for a reason of its own. */
static bool is_converted(const checker *c, int node)
{
  int from = node_at(c, node)->declarator, outer = node_at(c, node)->parent, to = 0;
  bool own = is_parameter(c, from) && is_at(c, c->unit->name, c->program->kernel->name);
  if (own || !declares(c, from, "void") || count_steps(c, from, PL_SYNTAX_POINTER) != 1) return false;
  if (pl_syntax_is(c->tree, outer, PL_SYNTAX_CONTROL, "return")) {
    for (int k = c->unit->first; k < c->unit->name; k++)
      if (is_at(c, k, "void")) return false;
    return true;
  }
  if (node_at(c, outer)->kind == PL_SYNTAX_INIT) to = node_at(c, outer)->parent;
  if (pl_syntax_is(c->tree, outer, PL_SYNTAX_ASSIGN, "="))
    to = node_at(c, node_at(c, outer)->child)->declarator;
  return to && !declares(c, to, "void") &&
         count_steps(c, to, PL_SYNTAX_POINTER) + count_steps(c, to, PL_SYNTAX_ARRAY) > 0;
}

static pl_err check_use(const checker *c, int node)
{
  int at = node_at(c, node)->at, declarator = node_at(c, node)->declarator;
  const pl_syntax_node *outer = parent_of(c, node);
  if (outer->kind == PL_SYNTAX_OTHER) return PL_SUCCESS;
  if (!declarator && !pl_piece_calls(c->piece, at) && pl_assembly_defines(c->program, token_at(c, at)))
    return refuse_name(
      c, at,
      "is a function and is not called, and not every target has pointers to functions: call it by its name");
  if (!is_local(c, declarator)) return PL_SUCCESS;
  bool steps = (outer->kind == PL_SYNTAX_UNARY || outer->kind == PL_SYNTAX_POSTFIX) &&
               (is_at(c, outer->at, "++") || is_at(c, outer->at, "--"));
  int pointers = count_steps(c, declarator, PL_SYNTAX_POINTER) + count_steps(c, declarator, PL_SYNTAX_ARRAY);
  if (steps && !pointers && declares(c, declarator, "bool _Bool"))
    return refuse_name(c, at, "is a _Bool, and not every target has ++ and -- for it: assign to it");
  if (is_converted(c, node))
    return refuse_name(
      c, at, "points to void, and not every target converts void pointers: write a cast, like (double *)");
  return PL_SUCCESS;
}

static pl_err check_node(const checker *c, int node)
{
  bool function = c->unit->kind == PL_UNIT_FUNCTION;
  switch (node_at(c, node)->kind) {
  case PL_SYNTAX_COMPOUND:
    return check_compound(c, node);
  case PL_SYNTAX_DESIGNATED:
    return check_designator(c, node);
  case PL_SYNTAX_LITERAL:
    return token_at(c, node_at(c, node)->at)->kind == PL_TOKEN_STRING ? check_string(c, node) : PL_SUCCESS;
  case PL_SYNTAX_DECLARATOR:
    return function ? check_declarator(c, node) : PL_SUCCESS;
  case PL_SYNTAX_NAME:
    return function ? check_use(c, node) : PL_SUCCESS;
  default:
    return PL_SUCCESS;
  }
}

pl_err pl_portable_c_check(const pl_assembly *program, const pl_piece *piece, const pl_unit *unit)
{
  const checker c = {program, piece, unit, &piece->outline.syntax};
  for (int i = unit->first; i <= unit->last; i++) {
    PL_TRY(check_word(&c, i));
    PL_TRY(check_type(&c, i));
  }
  for (int node = unit->parameters ? unit->parameters : unit->code; node < unit->behind && node; node++)
    PL_TRY(check_node(&c, node));
  return PL_SUCCESS;
}

/* ---- names ---- */

/* Whether a macro, whose name was read last, takes "...", which OpenCL C excludes. */
static bool is_variadic(pl_lexer rest, const pl_token *name)
{
  pl_token token = pl_lex_next(&rest);
  if (!pl_token_is(&token, "(") || token.text != name->text + name->length) return false;
  while (token.kind != PL_TOKEN_END && !pl_token_in(&token, ") ...")) token = pl_lex_next(&rest);
  return pl_token_is(&token, "...");
}

static pl_err check_macro(const checker *c, const pl_token *directive, pl_token *name)
{
  pl_lexer rest;
  pl_token word = pl_directive_open(directive, &rest);
  *name = pl_lex_next(&rest);
  if (!pl_token_is(&word, "define") || name->kind != PL_TOKEN_NAME) name->length = 0;
  if (name->length && is_variadic(rest, name))
    return pl_fail(c->program->pl, PL_ERR_KERNEL,
                   PL_AT "not every target has macros with \"...\": name the parameters of \"%.*s\"",
                   PL_AT_ARGS(&c->piece->origin, directive->line), (int)name->length, name->text);
  if (!name->length || !pl_is_type_word(name)) return PL_SUCCESS;
  return pl_fail(c->program->pl, PL_ERR_KERNEL,
                 PL_AT "the macro \"%.*s\" would give parameters another type: choose another name for it",
                 PL_AT_ARGS(&c->piece->origin, directive->line), (int)name->length, name->text);
}

/* Device compilers get one text, with those files that were found. */
static pl_err check_include(const checker *c, const pl_token *directive)
{
  const pl_token file = pl_included_file(c->program, directive);
  if (c->program->style->host || !file.length || pl_piece_of_file(c->program, &file)) return PL_SUCCESS;
  return pl_fail(c->program->pl, PL_ERR_KERNEL,
                 PL_AT "device code includes %.*s, which is in none of the folders of the kernel's option "
                       "include_dirs: add its folder, or put its text into the kernel's text",
                 PL_AT_ARGS(&c->piece->origin, directive->line), (int)file.length, file.text);
}

/* A name that the text defines at file scope, or one that its functions would hide. */
static pl_err check_own_name(const checker *c, const pl_token *name, int line)
{
  if (c->piece->library || name->length < 3 ||
      (strncmp(name->text, "pl_", 3) && strncmp(name->text, "PL_", 3)))
    return PL_SUCCESS;
  return pl_fail(c->program->pl, PL_ERR_KERNEL,
                 PL_AT "\"%.*s\" begins with pl_, which is reserved for the library: choose another name",
                 PL_AT_ARGS(&c->piece->origin, line), (int)name->length, name->text);
}

pl_err pl_names_check(const pl_assembly *program, const pl_piece *piece)
{
  const checker c = {.program = program, .piece = piece};
  for (int i = 0; i < piece->outline.tokens.count; i++) {
    const pl_token *token = token_at(&c, i);
    pl_token name = pl_token_is(token, "pl_k") ? *token : (pl_token){.length = 0};
    if (token->kind == PL_TOKEN_DIRECTIVE) {
      PL_TRY(check_macro(&c, token, &name));
      PL_TRY(check_include(&c, token));
    }
    PL_TRY(check_own_name(&c, &name, token->line));
  }
  for (int i = 0; i < piece->outline.count; i++) {
    const pl_unit *unit = &piece->outline.unit[i];
    bool defines = unit->kind == PL_UNIT_FUNCTION || unit->kind == PL_UNIT_VARIABLE;
    if (defines) PL_TRY(check_own_name(&c, token_at(&c, unit->name), token_at(&c, unit->name)->line));
  }
  return PL_SUCCESS;
}
