/* SPDX-License-Identifier: BSD-2-Clause
 * Checks the tokens of a unit against a list of rules. The rules on variables read the declarations of a
 * function first.
 *
 * Invariant: a rule refuses only what some target's compiler refuses, or computes differently, for certain;
 * what cannot be read is left to the compilers.
 */
#include "portable_c.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include <string.h>

/* A variable or parameter of a function. */
typedef struct variable {
  int first, name; /* tokens: its specifiers start, its name */
  int pointers;
  bool is_void, is_bool, is_array;
} variable;

typedef struct checker {
  const pl_assembly *program;
  const pl_piece *piece;
  const pl_unit *unit;
  variable *variable;
  int count, capacity;
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

/* The token behind the group of brackets that starts at i, else the next one. */
static int step_over(const checker *c, int i)
{
  static const char *const opens[] = {"(", "[", "{", NULL};
  return (is_any(c, i, opens) ? match(c, i) : i) + 1;
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
  if (is_at(c, i, "_Complex") || is_at(c, i, "_Imaginary"))
    return refuse_name(c, i, "is not known to every target: use pl_cdouble or pl_cfloat");
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

/* "(*f)(", "(*const f[2])(": what stands in the first parentheses is a pointer to a function. */
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

/* ---- initialisers ---- */

bool pl_opens_compound_literal(const pl_piece *piece, int i)
{
  const pl_token *token = piece->outline.tokens.item;
  int close = pl_token_is(&token[i], "(") ? pl_tokens_match(&piece->outline.tokens, i) : -1;
  if (i == 0 || close < i + 2 || !pl_token_is(&token[close + 1], "{") || token[i + 1].kind != PL_TOKEN_NAME)
    return false;
  const pl_token *before = &token[i - 1];
  if (before->kind == PL_TOKEN_NAME) return pl_token_is(before, "return") || pl_token_is(before, "sizeof");
  return !pl_token_is(before, ")") && !pl_token_is(before, "]");
}

static pl_err check_compound(const checker *c, int i)
{
  if (!pl_opens_compound_literal(c->piece, i)) return PL_SUCCESS;
  for (int k = i + 1; k < match(c, i); k++)
    if (is_at(c, k, "[")) return refuse(c, i, "not every target has array literals: declare an array before");
  if (is_at(c, i - 1, "&"))
    return refuse(c, i, "not every target gives the address of a literal: declare a variable before");
  return PL_SUCCESS;
}

static pl_err check_designator(const checker *c, int i)
{
  if (!is_at(c, i - 1, "{") && !is_at(c, i - 1, ",")) return PL_SUCCESS;
  if (is_at(c, i, ".") && is_name(c, i + 1))
    return refuse_name(c, i + 1,
                       "is initialised by name, which not every target can do: "
                       "write the values in the order of the members, or assign them");
  if (is_at(c, i, "["))
    return refuse(c, i,
                  "elements are initialised by number, which not every target can do: "
                  "write the values in their order, or assign them");
  return PL_SUCCESS;
}

/* ---- declarations of a function ---- */

static bool opens_declaration(const checker *c, int i)
{
  static const char *const types[] = {"const", "volatile", "static",   "register", "auto",     "struct",
                                      "union", "enum",     "void",     "char",     "short",    "int",
                                      "long",  "float",    "double",   "signed",   "unsigned", "_Bool",
                                      "bool",  "pl_real",  "pl_mixed", NULL},
                           *const words[] = {"return", "goto",    "else",   "do", "case",
                                             "sizeof", "typedef", "extern", NULL},
                           *const ends[] = {"=", ";", ",", "[", NULL};
  bool starts = is_at(c, i - 1, "{") || is_at(c, i - 1, "}") || is_at(c, i - 1, ";") ||
                (is_at(c, i - 1, "(") && is_at(c, i - 2, "for")) ||
                token_at(c, i - 1)->kind == PL_TOKEN_DIRECTIVE;
  if (!starts || !is_name(c, i) || is_any(c, i, words)) return false;
  if (is_any(c, i, types) || is_name(c, i + 1)) return true;
  int k = i + 1;
  while (is_at(c, k, "*") || is_at(c, k, "const") || is_at(c, k, "restrict")) k++;
  return k > i + 1 && is_name(c, k) && is_any(c, k + 1, ends);
}

static pl_err add_variable(checker *c, variable v)
{
  if (c->count == c->capacity) {
    size_t grown = 2 * (size_t)c->capacity + 16;
    variable *all = pl_resize(c->program->pl, c->variable, grown * sizeof *all);
    if (!all) return pl_fail_memory(c->program->pl, grown * sizeof *all);
    c->variable = all;
    c->capacity = (int)grown;
  }
  for (int k = v.first; k < v.name; k++) {
    v.is_void |= is_at(c, k, "void");
    v.is_bool |= is_at(c, k, "bool") || is_at(c, k, "_Bool");
  }
  v.is_array = is_at(c, v.name + 1, "[");
  c->variable[c->count++] = v;
  return PL_SUCCESS;
}

/* The latest declaration of the name at i, or NULL. */
static const variable *find_variable(const checker *c, int i)
{
  for (int k = c->count - 1; k >= 0; k--)
    if (pl_token_same(token_at(c, c->variable[k].name), token_at(c, i))) return &c->variable[k];
  return NULL;
}

/* Between the bracket at i and its end: a variable, which makes the array's size one. Not within sizeof. */
static int variable_in_extent(const checker *c, int i)
{
  int close = match(c, i), found = -1;
  for (int k = i + 1; k < close; k++) {
    if (is_at(c, k, "sizeof")) return -1;
    if (is_name(c, k) && find_variable(c, k)) found = k;
  }
  return found;
}

static pl_err refuse_extent(const checker *c, int i)
{
  return refuse_name(c, i,
                     "is a variable, and not every target has arrays of variable size: "
                     "use a number, a #define or an enum constant");
}

/* Reads one declarator from i on, up to its comma or semicolon. */
static pl_err read_declarator(checker *c, int first, int *i)
{
  variable v = {.first = first};
  int at = *i;
  for (; is_at(c, at, "*") || is_at(c, at, "const") || is_at(c, at, "restrict") || is_at(c, at, "volatile") ||
         is_at(c, at, "(");
       at++)
    v.pointers += is_at(c, at, "*");
  if (is_name(c, at)) {
    v.name = at++;
    if (is_at(c, at, "(") && v.pointers == 0 && is_name(c, v.name - 1) &&
        (is_name(c, at + 1) || is_at(c, at + 1, ")")))
      return refuse_name(c, v.name, "is declared inside a function: declare it before");
    for (int k = at; is_at(c, k, "["); k = match(c, k) + 1) {
      int found = variable_in_extent(c, k);
      if (found >= 0) return refuse_extent(c, found);
    }
    PL_TRY(add_variable(c, v));
  }
  for (; at < c->unit->last && !is_at(c, at, ",") && !is_at(c, at, ";"); at = step_over(c, at)) {
    if (token_at(c, at)->kind == PL_TOKEN_STRING && v.pointers)
      return refuse(
        c, at, "not every target lets pointers point to a string: declare an array, const char s[] = ...");
  }
  *i = at;
  return PL_SUCCESS;
}

/* Behind the specifiers that start at i: a name that another name, a star or a brace follows is one. */
static int end_of_specifiers(const checker *c, int i)
{
  while (i < c->unit->last && is_name(c, i)) {
    if (is_at(c, i + 1, "{")) return match(c, i + 1) + 1;
    bool nested = is_at(c, i + 1, "(") && is_at(c, i + 2, "*");
    if (!is_name(c, i + 1)) return i + (nested || is_at(c, i + 1, "*"));
    i++;
  }
  return i;
}

static pl_err read_declaration(checker *c, int i)
{
  int at = end_of_specifiers(c, i);
  PL_TRY(read_declarator(c, i, &at));
  while (is_at(c, at, ",")) {
    at++;
    PL_TRY(read_declarator(c, i, &at));
  }
  return PL_SUCCESS;
}

/* Names before a comma, a bracket or the end. Only the first extent may be a variable: it means nothing. */
static pl_err read_parameters(checker *c)
{
  int first = c->unit->open + 1, brackets = 0;
  for (int i = first; i < c->unit->close; i++) {
    if (is_at(c, i, ",")) first = i + 1, brackets = 0;
    if (is_at(c, i, "[")) {
      int found = brackets++ || is_at(c, i - 1, ")") ? variable_in_extent(c, i) : -1;
      if (found >= 0) return refuse_extent(c, found);
      i = match(c, i);
    } else if (is_name(c, i) && (is_at(c, i + 1, ",") || is_at(c, i + 1, ")") || is_at(c, i + 1, "["))) {
      PL_TRY(add_variable(c, (variable){.first = first, .name = i, .pointers = is_at(c, i - 1, "*")}));
    }
  }
  return PL_SUCCESS;
}

/* ---- uses of variables ---- */

/* Pointers to void of a kernel come from pl_arg_ptr, which devices refuse for a reason of its own. */
static bool is_converted(const checker *c, const variable *v, int i)
{
  bool own = v->name < c->unit->close && is_at(c, c->unit->name, c->program->kernel->name);
  if (!v->is_void || v->pointers != 1 || own || !is_at(c, i + 1, ";")) return false;
  if (is_at(c, i - 1, "return")) {
    for (int k = c->unit->first; k < c->unit->name; k++)
      if (is_at(c, k, "void")) return false;
    return true;
  }
  const variable *to = is_at(c, i - 1, "=") && is_name(c, i - 2) ? find_variable(c, i - 2) : NULL;
  return to && !to->is_void && (to->pointers || to->is_array);
}

static pl_err check_use(const checker *c, int i)
{
  static const char *const steps[] = {"++", "--", NULL}, *const tags[] = {"struct", "union", "enum", "goto",
                                                                          NULL};
  if (!pl_piece_names(c->piece, i) || is_any(c, i - 1, tags)) return PL_SUCCESS;
  const variable *v = find_variable(c, i);
  if (!v && !pl_piece_calls(c->piece, i) && !is_at(c, i + 1, ":") &&
      pl_assembly_defines(c->program, token_at(c, i)))
    return refuse_name(
      c, i,
      "is a function and is not called, and not every target has pointers to functions: call it by its name");
  if (!v) return PL_SUCCESS;
  if (v->is_bool && !v->pointers && !v->is_array && (is_any(c, i - 1, steps) || is_any(c, i + 1, steps)))
    return refuse_name(c, i, "is a _Bool, and not every target has ++ and -- for it: assign to it");
  if (is_converted(c, v, i))
    return refuse_name(
      c, i, "points to void, and not every target converts void pointers: write a cast, like (double *)");
  return PL_SUCCESS;
}

static pl_err check_string(const checker *c, int i)
{
  if (token_at(c, i)->kind != PL_TOKEN_STRING) return PL_SUCCESS;
  bool assigned = is_at(c, i - 1, "=") && !is_at(c, i - 2, "]");
  bool handed =
    is_at(c, i - 1, "(") && is_name(c, i - 2) && pl_assembly_defines(c->program, token_at(c, i - 2));
  if (assigned || handed || is_at(c, i - 1, "return") || is_at(c, i + 1, "["))
    return refuse(c, i,
                  "not every target lets pointers point to a string: declare an array, const char s[] = ...");
  return PL_SUCCESS;
}

/* A table of pointers to strings. */
static pl_err check_data(const checker *c)
{
  bool pointers = false;
  for (int i = c->unit->first; i <= c->unit->last; i++) {
    pointers |= is_at(c, i, "*");
    if (pointers && token_at(c, i)->kind == PL_TOKEN_STRING)
      return refuse(
        c, i, "not every target lets pointers point to a string: declare an array, const char s[] = ...");
  }
  return PL_SUCCESS;
}

static pl_err check_function(checker *c)
{
  PL_TRY(read_parameters(c));
  for (int i = c->unit->body + 1; i < c->unit->last; i++) {
    if (opens_declaration(c, i)) PL_TRY(read_declaration(c, i));
    PL_TRY(check_use(c, i));
    PL_TRY(check_string(c, i));
  }
  return PL_SUCCESS;
}

static pl_err check_unit(checker *c)
{
  for (int i = c->unit->first; i <= c->unit->last; i++) {
    PL_TRY(check_word(c, i));
    PL_TRY(check_type(c, i));
    if (i > c->unit->first) PL_TRY(check_compound(c, i));
    if (i > c->unit->first && (c->unit->kind != PL_UNIT_FUNCTION || i > c->unit->body))
      PL_TRY(check_designator(c, i));
  }
  if (c->unit->kind == PL_UNIT_VARIABLE) return check_data(c);
  return c->unit->kind == PL_UNIT_FUNCTION ? check_function(c) : PL_SUCCESS;
}

pl_err pl_portable_c_check(const pl_assembly *program, const pl_piece *piece, const pl_unit *unit)
{
  checker c = {.program = program, .piece = piece, .unit = unit};
  pl_err err = check_unit(&c);
  pl_free(program->pl, c.variable);
  return err;
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

/* Device compilers get one text, so nobody would notice that an included file has changed. */
static pl_err check_include(const checker *c, const pl_token *directive)
{
  const pl_token file = pl_included_file(c->program, directive);
  if (c->program->style->host || !file.length) return PL_SUCCESS;
  return pl_fail(c->program->pl, PL_ERR_KERNEL,
                 PL_AT "device code cannot include %.*s: put its text into the kernel's text",
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
