/* SPDX-License-Identifier: BSD-2-Clause
 * Walks the tokens of a piece and copies its bytes through, stopping where something is to be put in or left
 * out.
 */
#include "rewrite.h"
#include <string.h>

static const pl_token *token_at(const pl_piece *piece, int i)
{
  return &piece->outline.tokens.item[i];
}

static bool is_at(const pl_piece *piece, int i, const char *word)
{
  return token_at(piece, i)->kind != PL_TOKEN_STRING && pl_token_is(token_at(piece, i), word);
}

/* ---- who names what
 * ----------------------------------------------------------------------------------------- */

bool pl_piece_names(const pl_piece *piece, int i)
{
  if (token_at(piece, i)->kind != PL_TOKEN_NAME) return false;
  return i == 0 || !(is_at(piece, i - 1, ".") || is_at(piece, i - 1, "->"));
}

bool pl_piece_calls(const pl_piece *piece, int i)
{
  return pl_piece_names(piece, i) && is_at(piece, i + 1, "(");
}

/* Opens a #define at its macro's name; false for other directives. */
static bool open_define(const pl_token *directive, pl_lexer *rest, pl_token *macro)
{
  if (directive->kind != PL_TOKEN_DIRECTIVE) return false;
  pl_token word = pl_directive_open(directive, rest);
  if (!pl_token_is(&word, "define")) return false;
  *macro = pl_lex_next(rest);
  return true;
}

/* A #define whose replacement holds the name. */
static bool define_mentions(const pl_token *directive, const char *name)
{
  pl_lexer rest;
  pl_token token;
  if (!open_define(directive, &rest, &token)) return false;
  while (token.kind != PL_TOKEN_END) {
    token = pl_lex_next(&rest);
    if (token.kind == PL_TOKEN_NAME && pl_token_is(&token, name)) return true;
  }
  return false;
}

bool pl_piece_mentions(const pl_piece *piece, const char *name)
{
  for (int i = 0; i < piece->outline.tokens.count; i++) {
    if (pl_piece_names(piece, i) && pl_token_is(token_at(piece, i), name)) return true;
    if (define_mentions(token_at(piece, i), name)) return true;
  }
  return false;
}

static bool is_macro(const pl_piece *piece, const char *name)
{
  pl_lexer rest;
  pl_token macro;
  for (int i = 0; i < piece->outline.tokens.count; i++)
    if (open_define(token_at(piece, i), &rest, &macro) && pl_token_is(&macro, name)) return true;
  return false;
}

static bool through_define(const pl_piece *piece, const char *name)
{
  for (int i = 0; i < piece->outline.tokens.count; i++)
    if (define_mentions(token_at(piece, i), name)) return true;
  return false;
}

bool pl_unit_uses_const(const pl_piece *piece, const pl_unit *unit, const char *name)
{
  bool named = false;
  for (int i = unit->open; i < unit->close; i++)
    if (is_at(piece, i, name)) return false; /* a parameter */
  for (int i = unit->body; i < unit->last && !named; i++)
    named = pl_piece_names(piece, i) && is_at(piece, i, name);
  return (named || through_define(piece, name)) && !is_macro(piece, name);
}

bool pl_assembly_defines(const pl_assembly *program, const pl_token *name)
{
  for (int i = 0; i < program->count; i++)
    if (pl_outline_find(&program->piece[i].outline, name->text, name->length)) return true;
  return false;
}

/* ---- copying
 * ------------------------------------------------------------------------------------------------ */

enum { MOST_DIVISORS = 16 };

typedef struct writer {
  const pl_assembly *program;
  const pl_piece *piece;
  pl_text *out;
  const char *at;                        /* the piece's text is copied up to here */
  int ndivisors, divisor[MOST_DIVISORS]; /* open PL_DIVISOR( and the tokens that they end with */
  int brackets;                          /* open [ ... */
  bool constant;                         /* ... and case, where C wants what compilers can compute */
} writer;

static void copy_to(writer *w, const char *end)
{
  if (end <= w->at) return;
  pl_text_bytes(w->out, w->at, (size_t)(end - w->at));
  w->at = end;
}

static const char *end_of(const pl_token *token)
{
  return token->text + token->length;
}

/* Copies up to `begin` and leaves out what stands before `end`, except its line ends. */
static void leave_out(writer *w, const char *begin, const char *end)
{
  copy_to(w, begin);
  for (; w->at < end; w->at++)
    if (*w->at == '\n') pl_text_add(w->out, "\n");
}

static void add_word(writer *w, const char *word)
{
  size_t length = strlen(word);
  if (length) pl_text_add(w->out, "%s%s", word, word[length - 1] == ' ' ? "" : " ");
}

/* ---- tokens ---- */

static void write_number(writer *w, const pl_token *token)
{
  if (!w->piece->uses_real || w->program->real != PL_FLOAT || !pl_token_is_real(token)) return;
  copy_to(w, end_of(token));
  pl_text_add(w->out, "f");
}

/* Header files that no device compiler has and that the prelude stands in for. */
static bool is_replaced(const char *header, size_t length, bool host)
{
  static const char *const headers[] = {"plait.h",  "math.h",    "tgmath.h", "stdint.h",
                                        "stddef.h", "stdbool.h", "float.h",  "limits.h"};
  size_t count = host ? 1 : sizeof headers / sizeof *headers;
  for (size_t i = 0; i < count; i++)
    if (strlen(headers[i]) == length && memcmp(headers[i], header, length) == 0) return true;
  return false;
}

static void write_include(writer *w, const pl_token *directive)
{
  const char *end = end_of(directive), *begin = directive->text;
  while (begin < end && *begin != '<' && *begin != '"') begin++;
  if (begin == end) return;
  const char *close = memchr(begin + 1, *begin == '<' ? '>' : '"', (size_t)(end - begin - 1));
  if (close && is_replaced(begin + 1, (size_t)(close - begin - 1), w->program->style->host))
    leave_out(w, directive->text, end);
}

/* Calls in a macro's replacement hand the consts on, as calls in functions do. */
static void write_define(writer *w, pl_lexer rest)
{
  pl_token before = {PL_TOKEN_END, 0, "", 0}, token;
  for (token = pl_lex_next(&rest); token.kind != PL_TOKEN_END; token = pl_lex_next(&rest)) {
    write_number(w, &token);
    bool call = before.kind == PL_TOKEN_NAME && pl_token_is(&token, "(");
    before =
      token.kind == PL_TOKEN_NAME && pl_assembly_defines(w->program, &token) ? token : (pl_token){.text = ""};
    if (!call || !w->program->has_consts) continue;
    copy_to(w, end_of(&token));
    token = pl_lex_next(&rest);
    pl_text_add(w->out, pl_token_is(&token, ")") ? "pl_k" : "pl_k, ");
    write_number(w, &token);
    if (token.kind == PL_TOKEN_NAME && pl_assembly_defines(w->program, &token)) before = token;
  }
}

static void write_directive(writer *w, const pl_token *directive)
{
  pl_lexer rest;
  pl_token macro, word = pl_directive_open(directive, &rest);
  if (pl_token_is(&word, "include"))
    write_include(w, directive);
  else if (open_define(directive, &rest, &macro))
    write_define(w, rest);
}

/* Behind the parenthesis at i, if it belongs to a function of the program: the parameter or argument for the
 * consts. */
static void write_consts_argument(writer *w, const pl_unit *unit, int i)
{
  bool declares = i == unit->open;
  if (!w->program->has_consts || i == 0 || !pl_piece_names(w->piece, i - 1)) return;
  if (!pl_assembly_defines(w->program, token_at(w->piece, i - 1))) return;
  copy_to(w, end_of(token_at(w->piece, i)));
  if (declares) add_word(w, w->program->style->const_space);
  pl_text_add(w->out, declares ? "const struct pl_consts *pl_k" : "pl_k");
  if (declares && is_at(w->piece, i + 1, "void") && is_at(w->piece, i + 2, ")")) {
    const pl_token *nothing = token_at(w->piece, i + 1);
    leave_out(w, nothing->text, end_of(nothing));
  } else if (!is_at(w->piece, i + 1, ")")) {
    pl_text_add(w->out, ", ");
  }
}

/* ---- divisors ---- */

static bool is_one_of(const pl_piece *piece, int i, const char *const *words)
{
  while (*words && !is_at(piece, i, *words)) words++;
  return *words != NULL;
}

/* The parenthesis at i holds a type: a cast. */
static bool is_cast(const pl_piece *piece, int i, int close)
{
  static const char *const types[] = {"int",      "long",    "unsigned", "signed",  "short",    "char",
                                      "float",    "double",  "const",    "pl_real", "pl_mixed", "int8_t",
                                      "int16_t",  "int32_t", "int64_t",  "uint8_t", "uint16_t", "uint32_t",
                                      "uint64_t", "size_t",  "bool",     NULL};
  for (int k = i + 1; k < close; k++)
    if (!is_one_of(piece, k, types)) return false;
  return close > i + 1;
}

/* The last token of what is divided by, from i on; -1 for a number, or what cannot be read. */
static int end_of_divisor(const pl_piece *piece, int i)
{
  static const char *const prefixes[] = {"+", "-", "!", "~", "*", "&", "++", "--", NULL},
                           *const opens[] = {"(", "[", NULL}, *const steps[] = {"++", "--", NULL},
                           *const members[] = {".", "->", NULL};
  const pl_tokens *tokens = &piece->outline.tokens;
  for (; i > 0 && i < tokens->count; i++) {
    int close = is_at(piece, i, "(") ? pl_tokens_match(tokens, i) : -1;
    if (close > 0 && is_cast(piece, i, close))
      i = close;
    else if (!is_one_of(piece, i, prefixes))
      break;
  }
  if (is_at(piece, i, "("))
    i = pl_tokens_match(tokens, i);
  else if (token_at(piece, i)->kind != PL_TOKEN_NAME || is_at(piece, i, "sizeof"))
    return -1;
  while (i > 0 && i + 1 < tokens->count) {
    if (is_one_of(piece, i + 1, opens))
      i = pl_tokens_match(tokens, i + 1);
    else if (is_one_of(piece, i + 1, members))
      i += 2;
    else if (is_one_of(piece, i + 1, steps))
      i++;
    else
      break;
  }
  return i;
}

/* Of x /= y, the end of y. */
static int end_of_assignment(const pl_piece *piece, int i)
{
  static const char *const ends[] = {";", ",", ")", "}", NULL}, *const opens[] = {"(", "[", NULL};
  const pl_tokens *tokens = &piece->outline.tokens;
  if (token_at(piece, i)->kind == PL_TOKEN_NUMBER && is_one_of(piece, i + 1, ends)) return -1;
  for (; i > 0 && i + 1 < tokens->count && !is_one_of(piece, i + 1, ends); i++)
    if (is_one_of(piece, i + 1, opens)) i = pl_tokens_match(tokens, i + 1) - 1;
  return i;
}

static void write_divisor(writer *w, int i)
{
  static const char *const divides[] = {"/", "%", NULL}, *const assigns[] = {"/=", "%=", NULL};
  w->brackets += is_at(w->piece, i, "[") - is_at(w->piece, i, "]");
  if (is_at(w->piece, i, "case")) w->constant = true;
  if (is_at(w->piece, i, ":")) w->constant = false;
  while (w->ndivisors && w->divisor[w->ndivisors - 1] == i) {
    copy_to(w, end_of(token_at(w->piece, i)));
    pl_text_add(w->out, ")");
    w->ndivisors--;
  }
  int end = is_one_of(w->piece, i, divides)   ? end_of_divisor(w->piece, i + 1)
            : is_one_of(w->piece, i, assigns) ? end_of_assignment(w->piece, i + 1)
                                              : -1;
  if (end <= i || w->brackets || w->constant || w->ndivisors == MOST_DIVISORS) return;
  copy_to(w, end_of(token_at(w->piece, i)));
  pl_text_add(w->out, " PL_DIVISOR(");
  w->divisor[w->ndivisors++] = end;
}

static void write_token(writer *w, const pl_unit *unit, int i)
{
  const pl_token *token = token_at(w->piece, i);
  if (token->kind == PL_TOKEN_NUMBER)
    write_number(w, token);
  else if (token->kind == PL_TOKEN_DIRECTIVE)
    write_directive(w, token);
  else if (is_at(w->piece, i, "("))
    write_consts_argument(w, unit, i);
}

/* ---- units ---- */

/* The words before a function's name that the target's qualifier replaces. */
static bool is_linkage(const pl_token *token)
{
  return token->kind == PL_TOKEN_STRING || pl_token_is(token, "static") || pl_token_is(token, "inline") ||
         pl_token_is(token, "extern") || pl_token_is(token, "__inline") || pl_token_is(token, "__inline__");
}

static void write_qualifier(writer *w, const pl_unit *unit)
{
  const pl_source_style *style = w->program->style;
  const pl_token *name = token_at(w->piece, unit->name), *first = token_at(w->piece, unit->first);
  if (pl_token_is(first, "template")) return;
  copy_to(w, first->text);
  add_word(w,
           pl_token_is(name, w->program->kernel->name) ? style->kernel_qualifier : style->function_qualifier);
  for (int i = unit->first; i < unit->name; i++) {
    const pl_token *token = token_at(w->piece, i);
    if (is_linkage(token)) leave_out(w, token->text, end_of(token));
  }
}

/* `const double gam = pl_k->gam;` for a scalar, a pointer for an array. */
static void write_const(writer *w, const pl_const *constant)
{
  const char *type = pl_type_name(constant->type), *name = constant->node.name;
  if (constant->dim == 1) {
    pl_text_add(w->out, " const %s %s = pl_k->%s;", type, name, name);
  } else {
    pl_text_add(w->out, " ");
    add_word(w, w->program->style->const_space);
    pl_text_add(w->out, "const %s *const %s = pl_k->%s;", type, name, name);
  }
}

/* Behind the brace of a body: its consts, and a second brace so that its own declarations may hide them. */
static bool write_consts(writer *w, const pl_unit *unit)
{
  bool any = false;
  for (const pl_node *node = w->program->pl->consts; node; node = node->next) {
    if (!pl_unit_uses_const(w->piece, unit, node->name)) continue;
    if (!any) copy_to(w, end_of(token_at(w->piece, unit->body)));
    write_const(w, (const pl_const *)node);
    any = true;
  }
  if (any) pl_text_add(w->out, " {");
  return any;
}

/* Words that only C knows between the brackets of a parameter: `double x[static 3]`. They are for callers. */
static bool is_bracket_word(const writer *w, int i)
{
  return is_at(w->piece, i, "static") || is_at(w->piece, i, "const") || is_at(w->piece, i, "restrict") ||
         is_at(w->piece, i, "volatile");
}

static void write_head(writer *w, const pl_unit *unit)
{
  int brackets = 0;
  for (int i = unit->name; i < unit->body; i++) {
    const pl_token *token = token_at(w->piece, i);
    brackets += is_at(w->piece, i, "[") - is_at(w->piece, i, "]");
    if (brackets && is_bracket_word(w, i))
      leave_out(w, token->text, end_of(token));
    else
      write_token(w, unit, i);
  }
}

static bool names_word(const pl_piece *piece, const pl_unit *unit, const char *word)
{
  for (int i = unit->body; i < unit->last; i++)
    if (is_at(piece, i, word)) return true;
  return false;
}

static void write_function(writer *w, const pl_unit *unit)
{
  write_qualifier(w, unit);
  write_head(w, unit);
  bool braced = write_consts(w, unit);
  bool divisors = w->program->style->divisors && !names_word(w->piece, unit, "enum");
  w->ndivisors = w->brackets = 0;
  w->constant = false;
  for (int i = unit->body + 1; i < unit->last; i++) {
    write_token(w, unit, i);
    if (divisors) write_divisor(w, i);
  }
  copy_to(w, end_of(token_at(w->piece, unit->last)));
  if (braced) pl_text_add(w->out, " }");
}

static void write_tokens(writer *w, const pl_unit *unit, int first)
{
  for (int i = first; i <= unit->last; i++) write_token(w, unit, i);
}

/* A variable that stands in for a const where the program's own compiler reads the text is left out. */
static void write_variable(writer *w, const pl_unit *unit)
{
  const pl_token *name = token_at(w->piece, unit->name), *first = token_at(w->piece, unit->first);
  const char *qualifier = w->program->style->data_qualifier;
  if (pl_const_find(w->program->pl, name->text, name->length)) {
    leave_out(w, first->text, end_of(token_at(w->piece, unit->last)));
    return;
  }
  copy_to(w, first->text);
  add_word(w, qualifier);
  for (int i = unit->first; *qualifier && i < unit->name; i++) {
    const pl_token *token = token_at(w->piece, i);
    if (pl_token_is(token, "static")) leave_out(w, token->text, end_of(token));
  }
  write_tokens(w, unit, unit->name);
}

static void write_unit(writer *w, const pl_unit *unit)
{
  bool ours = unit->name >= 0 && pl_assembly_defines(w->program, token_at(w->piece, unit->name));
  switch (unit->kind) {
  case PL_UNIT_FUNCTION:
    write_function(w, unit);
    break;
  case PL_UNIT_VARIABLE:
    write_variable(w, unit);
    break;
  case PL_UNIT_PROTOTYPE:
    if (ours) write_qualifier(w, unit);
    write_tokens(w, unit, unit->name);
    break;
  case PL_UNIT_OTHER:
    write_tokens(w, unit, unit->first);
    break;
  }
}

void pl_rewrite(const pl_assembly *program, const pl_piece *piece, pl_text *out)
{
  const pl_outline *outline = &piece->outline;
  writer w = {.program = program, .piece = piece, .out = out, .at = pl_text_string(&piece->text)};
  int next = 0; /* unit */
  for (int i = 0; i < outline->tokens.count; i++) {
    if (next < outline->count && outline->unit[next].first == i) {
      i = outline->unit[next].last;
      write_unit(&w, &outline->unit[next++]);
    } else if (token_at(piece, i)->kind == PL_TOKEN_DIRECTIVE) {
      write_directive(&w, token_at(piece, i));
    }
  }
  copy_to(&w, pl_text_string(&piece->text) + piece->text.length);
}
