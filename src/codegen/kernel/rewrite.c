/* SPDX-License-Identifier: BSD-2-Clause
 * Copies the bytes of a piece, with insertions and omissions at its tokens.
 */
#include "rewrite.h"
#include "portable_c.h"
#include "core/data/objects.h"
#include <string.h>

static const pl_token *token_at(const pl_piece *piece, int i)
{
  return &piece->outline.tokens.item[i];
}

static bool is_at(const pl_piece *piece, int i, const char *words)
{
  return pl_tokens_in(&piece->outline.tokens, i, words);
}

/* ---- names ---- */

bool pl_piece_names(const pl_piece *piece, int i)
{
  if (token_at(piece, i)->kind != PL_TOKEN_NAME) return false;
  return !is_at(piece, i - 1, ". ->");
}

bool pl_piece_calls(const pl_piece *piece, int i)
{
  return pl_piece_names(piece, i) && is_at(piece, i + 1, "(");
}

/* Reads a #define up to its macro's name; false for other directives. */
static bool open_define(const pl_token *directive, pl_lexer *rest, pl_token *macro)
{
  if (directive->kind != PL_TOKEN_DIRECTIVE) return false;
  pl_token word = pl_directive_open(directive, rest);
  if (!pl_token_is(&word, "define")) return false;
  *macro = pl_lex_next(rest);
  return true;
}

/* A #define whose replacement contains the name. */
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
    if (pl_kernel_outline_find(&program->piece[i].outline, name->text, name->length)) return true;
  return false;
}

/* ---- copying ---- */

enum { MOST_DIVISORS = 16, MOST_ENDS = 16 };

typedef struct writer {
  const pl_assembly *program;
  const pl_piece *piece;
  pl_string *out;
  const char *at;                        /* the piece's text is copied up to here */
  int ndivisors, divisor[MOST_DIVISORS]; /* open PL_DIVISOR( and their last tokens */
  int brackets;                          /* open [ */
  bool constant;                         /* between case and its colon: a constant expression */
  struct {
    int at, word; /* the brace that ends it; its enum, or -1 for a second brace */
  } end[MOST_ENDS];
  int nends;
  int second_brace; /* the one of a loop whose variable its block hides */
} writer;

static void copy_to(writer *w, const char *end)
{
  if (end <= w->at) return;
  pl_string_add_bytes(w->out, w->at, (size_t)(end - w->at));
  w->at = end;
}

static const char *end_of(const pl_token *token)
{
  return token->text + token->length;
}

/* Copies up to `begin` and skips to `end`, except line ends. */
static void leave_out(writer *w, const char *begin, const char *end)
{
  copy_to(w, begin);
  for (; w->at < end; w->at++)
    if (*w->at == '\n') pl_string_add(w->out, "\n");
}

static void add_word(writer *w, const char *word)
{
  size_t length = strlen(word);
  if (length) pl_string_add(w->out, "%s%s", word, word[length - 1] == ' ' ? "" : " ");
}

/* ---- tokens ---- */

/* 1LL, 1ull: without the second l where long has 64 bits and long long has more. */
static void write_one_long(writer *w, const pl_token *token)
{
  for (const char *at = token->text; at + 1 < end_of(token); at++) {
    if ((*at | 32) != 'l' || (at[1] | 32) != 'l') continue;
    copy_to(w, at);
    w->at++;
    return;
  }
}

static void write_number(writer *w, const pl_token *token)
{
  if (w->program->style->one_long && token->kind == PL_TOKEN_NUMBER) write_one_long(w, token);
  if (!w->piece->uses_real || w->program->real != PL_FLOAT || !pl_token_is_real(token)) return;
  copy_to(w, end_of(token));
  pl_string_add(w->out, "f");
}

/* Headers whose contents the prelude provides on devices. */
static bool is_replaced(const pl_token *name, bool host)
{
  return pl_token_in(name, host ? "plait.h"
                                : "plait.h math.h tgmath.h stdint.h stddef.h stdbool.h float.h limits.h");
}

pl_token pl_included_file(const pl_assembly *program, const pl_token *directive)
{
  pl_lexer rest;
  pl_token word = {.length = 0}, file = {.length = 0};
  if (directive->kind == PL_TOKEN_DIRECTIVE) word = pl_directive_open(directive, &rest);
  if (!pl_token_in(&word, "include import include_next")) return file;
  file = (pl_token){.line = directive->line, .text = word.text + word.length};
  const char *end = directive->text + directive->length;
  while (file.text < end && strchr(" \t", *file.text)) file.text++;
  file.length = (size_t)(end - file.text);
  const char *close =
    file.length > 1 ? memchr(file.text + 1, *file.text == '<' ? '>' : '"', file.length - 1) : NULL;
  if (!close) return file;
  const pl_token name = {.text = file.text + 1, .length = (size_t)(close - file.text - 1)};
  file.length = is_replaced(&name, program->style->host) ? 0 : name.length + 2;
  return file;
}

/* Calls in a macro's replacement pass the consts, as calls in functions do. */
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
    pl_string_add(w->out, pl_token_is(&token, ")") ? "pl_k" : "pl_k, ");
    write_number(w, &token);
    if (token.kind == PL_TOKEN_NAME && pl_assembly_defines(w->program, &token)) before = token;
  }
}

static void write_directive(writer *w, const pl_token *directive)
{
  pl_lexer rest;
  pl_token macro, word = pl_directive_open(directive, &rest);
  if (pl_token_is(&word, "include") && !pl_included_file(w->program, directive).length)
    leave_out(w, directive->text, end_of(directive));
  else if (open_define(directive, &rest, &macro))
    write_define(w, rest);
}

/* The parameter or argument for the consts, behind the parenthesis at i of a function of the program. */
static void write_consts_argument(writer *w, const pl_unit *unit, int i)
{
  bool declares = i == unit->open;
  if (!w->program->has_consts || i == 0 || !pl_piece_names(w->piece, i - 1)) return;
  if (!pl_assembly_defines(w->program, token_at(w->piece, i - 1))) return;
  copy_to(w, end_of(token_at(w->piece, i)));
  if (declares) add_word(w, w->program->style->const_space);
  pl_string_add(w->out, declares ? "const struct pl_consts *pl_k" : "pl_k");
  if (declares && is_at(w->piece, i + 1, "void") && is_at(w->piece, i + 2, ")")) {
    const pl_token *nothing = token_at(w->piece, i + 1);
    leave_out(w, nothing->text, end_of(nothing));
  } else if (!is_at(w->piece, i + 1, ")")) {
    pl_string_add(w->out, ", ");
  }
}

/* ---- C that is not C++ ---- */

/* The name of the enum at i: C++ does not convert integers to it, so its variables have the integer's type.
 */
static void add_enum_name(writer *w, int i)
{
  const pl_token *tag = token_at(w->piece, i + 1);
  if (tag->kind == PL_TOKEN_NAME)
    pl_string_add(w->out, "pl_enum_%.*s", (int)tag->length, tag->text);
  else
    pl_string_add(w->out, "pl_enum_%d", i);
}

static void add_enum_type(writer *w, int i)
{
  pl_string_add(w->out, "__underlying_type(enum ");
  add_enum_name(w, i);
  pl_string_add(w->out, ")");
}

static void add_end(writer *w, int at, int word)
{
  if (w->nends == MOST_ENDS) return;
  w->end[w->nends].at = at;
  w->end[w->nends++].word = word;
}

/* Where a definition declares variables or a type too, these follow in a declaration of their own. */
static void write_enum(writer *w, int i)
{
  const pl_token *word = token_at(w->piece, i), *tag = word + 1;
  const char *end = end_of(tag->kind == PL_TOKEN_NAME ? tag : word);
  int brace = i + 1 + (tag->kind == PL_TOKEN_NAME);
  if (!is_at(w->piece, brace, "{")) {
    copy_to(w, word->text);
    add_enum_type(w, i);
    leave_out(w, word->text, end);
    return;
  }
  copy_to(w, end_of(word));
  pl_string_add(w->out, " ");
  add_enum_name(w, i);
  leave_out(w, end_of(word), end);
  int close = pl_tokens_match(&w->piece->outline.tokens, brace);
  if (close > 0 && !is_at(w->piece, close + 1, ";")) add_end(w, close, i);
}

/* Behind the brace that ends something. */
static void write_end(writer *w, int i)
{
  int word = w->end[--w->nends].word;
  copy_to(w, end_of(token_at(w->piece, i)));
  if (word < 0) {
    pl_string_add(w->out, " }");
    return;
  }
  bool type = word > 0 && is_at(w->piece, word - 1, "typedef");
  if (type) pl_string_add(w->out, " pl_type_%d", word);
  pl_string_add(w->out, type ? "; typedef " : "; ");
  add_enum_type(w, word);
}

/* (vec){1, 2} is vec{1, 2} in C++, which takes one word there. */
static void write_compound_literal(writer *w, int i)
{
  const pl_token *open = token_at(w->piece, i),
                 *close = token_at(w->piece, pl_tokens_match(&w->piece->outline.tokens, i));
  copy_to(w, open->text);
  pl_string_add(w->out, "pl_type_of<");
  w->at = end_of(open);
  copy_to(w, close->text);
  pl_string_add(w->out, ">");
  w->at = end_of(close);
}

/* The block at `open` itself declares the name again. */
static bool declares_again(const pl_piece *piece, int open, const pl_token *name)
{
  int close = pl_tokens_match(&piece->outline.tokens, open);
  for (int i = open + 1; i < close; i++) {
    if (is_at(piece, i, "{")) i = pl_tokens_match(&piece->outline.tokens, i);
    if (!pl_token_same(token_at(piece, i), name)) continue;
    bool word = token_at(piece, i - 1)->kind == PL_TOKEN_NAME && !is_at(piece, i - 1, "return");
    if (word || is_at(piece, i - 1, "*")) return true;
  }
  return false;
}

/* for (int i...) { int i; }: C++ wants a second brace between the two. */
static void write_for(writer *w, int i)
{
  int close = pl_tokens_match(&w->piece->outline.tokens, i + 1), hidden = -1;
  if (close < 0 || !is_at(w->piece, close + 1, "{")) return;
  for (int k = i + 2; k < close && !is_at(w->piece, k, ";"); k++)
    if (is_at(w->piece, k + 1, "=") && declares_again(w->piece, close + 1, token_at(w->piece, k))) hidden = k;
  if (hidden >= 0) add_end(w, pl_tokens_match(&w->piece->outline.tokens, close + 1), -1);
  if (hidden >= 0) w->second_brace = close + 1;
}

/* sizeof 'a' is that of an int in C. */
static void write_char(writer *w, int i)
{
  int before = i - 1;
  while (before > 0 && is_at(w->piece, before, "(")) before--;
  if (!is_at(w->piece, before, "sizeof")) return;
  copy_to(w, token_at(w->piece, i)->text);
  pl_string_add(w->out, "(+");
  copy_to(w, end_of(token_at(w->piece, i)));
  pl_string_add(w->out, ")");
}

static void write_as_cplusplus(writer *w, int i)
{
  if (is_at(w->piece, i, "enum"))
    write_enum(w, i);
  else if (is_at(w->piece, i, "for"))
    write_for(w, i);
  else if (token_at(w->piece, i)->kind == PL_TOKEN_CHAR)
    write_char(w, i);
  else if (pl_opens_compound_literal(w->piece, i))
    write_compound_literal(w, i);
  if (w->second_brace == i && i > 0) {
    copy_to(w, end_of(token_at(w->piece, i)));
    pl_string_add(w->out, " {");
  }
  while (w->nends && w->end[w->nends - 1].at == i) write_end(w, i);
}

/* The second long of unsigned long long. */
static void write_long(writer *w, int i)
{
  const pl_token *token = token_at(w->piece, i);
  for (int k = i - 1; k >= 0 && token_at(w->piece, k)->kind == PL_TOKEN_NAME; k--)
    if (is_at(w->piece, k, "long")) leave_out(w, token->text, end_of(token));
}

static void write_word(writer *w, int i)
{
  if (w->program->style->cplusplus) write_as_cplusplus(w, i);
  if (w->program->style->one_long && is_at(w->piece, i, "long")) write_long(w, i);
}

/* ---- divisors ---- */

/* The parentheses contain a type. */
static bool is_cast(const pl_piece *piece, int i, int close)
{
  static const char types[] =
    "int long unsigned signed short char float double const pl_real pl_mixed int8_t "
    "int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t bool";
  for (int k = i + 1; k < close; k++)
    if (!is_at(piece, k, types)) return false;
  return close > i + 1;
}

/* The last token of the divisor that begins at i; -1 for a number, or if it cannot be read. */
static int end_of_divisor(const pl_piece *piece, int i)
{
  const pl_tokens *tokens = &piece->outline.tokens;
  for (; i > 0 && i < tokens->count; i++) {
    int close = is_at(piece, i, "(") ? pl_tokens_match(tokens, i) : -1;
    if (close > 0 && is_cast(piece, i, close))
      i = close;
    else if (!is_at(piece, i, "+ - ! ~ * & ++ --"))
      break;
  }
  if (is_at(piece, i, "("))
    i = pl_tokens_match(tokens, i);
  else if (token_at(piece, i)->kind != PL_TOKEN_NAME || is_at(piece, i, "sizeof"))
    return -1;
  while (i > 0 && i + 1 < tokens->count) {
    if (is_at(piece, i + 1, "( ["))
      i = pl_tokens_match(tokens, i + 1);
    else if (is_at(piece, i + 1, ". ->"))
      i += 2;
    else if (is_at(piece, i + 1, "++ --"))
      i++;
    else
      break;
  }
  return i;
}

/* The last token of y in x /= y. */
static int end_of_assignment(const pl_piece *piece, int i)
{
  static const char ends[] = "; , ) }";
  const pl_tokens *tokens = &piece->outline.tokens;
  if (token_at(piece, i)->kind == PL_TOKEN_NUMBER && is_at(piece, i + 1, ends)) return -1;
  for (; i > 0 && i + 1 < tokens->count && !is_at(piece, i + 1, ends); i++)
    if (is_at(piece, i + 1, "( [")) i = pl_tokens_match(tokens, i + 1) - 1;
  return i;
}

static void write_divisor(writer *w, int i)
{
  w->brackets += is_at(w->piece, i, "[") - is_at(w->piece, i, "]");
  if (is_at(w->piece, i, "case")) w->constant = true;
  if (is_at(w->piece, i, ":")) w->constant = false;
  while (w->ndivisors && w->divisor[w->ndivisors - 1] == i) {
    copy_to(w, end_of(token_at(w->piece, i)));
    pl_string_add(w->out, ")");
    w->ndivisors--;
  }
  int end = is_at(w->piece, i, "/ %")     ? end_of_divisor(w->piece, i + 1)
            : is_at(w->piece, i, "/= %=") ? end_of_assignment(w->piece, i + 1)
                                          : -1;
  if (end <= i || w->brackets || w->constant || w->ndivisors == MOST_DIVISORS) return;
  copy_to(w, end_of(token_at(w->piece, i)));
  pl_string_add(w->out, " PL_DIVISOR(");
  w->divisor[w->ndivisors++] = end;
}

/* ---- indices ---- */

static int find_parameter(const writer *w, int i)
{
  return i >= 0 && pl_piece_names(w->piece, i)
           ? pl_signature_find(w->program->signature, token_at(w->piece, i))
           : -1;
}

/* Brackets behind a parameter's name. */
static void write_index(writer *w, int i)
{
  int level, p = find_parameter(w, pl_subscripted_name(&w->piece->outline.tokens, i, &level));
  if (p < 0 || level >= pl_param_brackets(&w->program->signature->param[p])) return;
  bool opens = is_at(w->piece, i, "[");
  copy_to(w, token_at(w->piece, i)->text + opens);
  if (opens) pl_string_add(w->out, "PL_INDEX(%d, %d, ", p, level);
  if (!opens) pl_string_add(w->out, ")");
}

/* *x and x->re: a star before a pointer is no product. */
static void write_given(writer *w, int i)
{
  int p = find_parameter(w, i);
  bool member = is_at(w->piece, i + 1, "->"), other = is_at(w->piece, i + 1, "[ ++ --");
  if (p < 0 || (!member && (other || !is_at(w->piece, i - 1, "*")))) return;
  copy_to(w, token_at(w->piece, i)->text);
  pl_string_add(w->out, "PL_GIVEN(%d, ", p);
  copy_to(w, end_of(token_at(w->piece, i)));
  pl_string_add(w->out, ")");
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
  write_word(w, i);
}

/* ---- units ---- */

/* The words before a function's name that the target's qualifier replaces. */
static bool is_linkage(const pl_token *token)
{
  return token->kind == PL_TOKEN_STRING || pl_token_in(token, "static inline extern __inline __inline__");
}

static void write_qualifier(writer *w, const pl_unit *unit)
{
  const pl_source_options *style = w->program->style;
  const pl_token *name = token_at(w->piece, unit->name), *first = token_at(w->piece, unit->first);
  if (pl_token_is(first, "template")) return;
  copy_to(w, first->text);
  add_word(w,
           pl_token_is(name, w->program->kernel->name) ? style->kernel_qualifier : style->function_qualifier);
  for (int i = unit->first; i < unit->name; i++) {
    const pl_token *token = token_at(w->piece, i);
    if (is_linkage(token)) leave_out(w, token->text, end_of(token));
    write_word(w, i);
  }
}

/* The function does more with an array than take its values: it hands on its address. */
static bool takes_address(const pl_piece *piece, const pl_unit *unit, const pl_token *name, int extents)
{
  for (int i = unit->body + 1; i < unit->last; i++) {
    if (!pl_piece_names(piece, i) || !pl_token_same(token_at(piece, i), name)) continue;
    int end = i + 1, found = 0;
    for (; is_at(piece, end, "["); found++) end = pl_tokens_match(&piece->outline.tokens, end) + 1;
    bool measured =
      is_at(piece, i - 1, "sizeof") || (is_at(piece, i - 1, "(") && is_at(piece, i - 2, "sizeof"));
    if (is_at(piece, i - 1, "&") || (found < extents && !measured)) return true;
  }
  return false;
}

/* Where data at file scope has an address space of its own, no pointer of C's points there. */
static bool has_spaces(const writer *w)
{
  return !w->program->style->host && !w->program->style->cplusplus;
}

/* A copy of a table that the function takes the address of. */
static bool write_copy(writer *w, const pl_unit *unit, const pl_unit *table, bool any)
{
  int extents = 0, i = table->name + 1;
  for (; is_at(w->piece, i, "["); extents++) i = pl_tokens_match(&w->piece->outline.tokens, i) + 1;
  if (table->kind != PL_UNIT_VARIABLE || !extents || !is_at(w->piece, i, "=") ||
      pl_const_find(w->program->pl, token_at(w->piece, table->name)->text,
                    token_at(w->piece, table->name)->length) ||
      !takes_address(w->piece, unit, token_at(w->piece, table->name), extents))
    return false;
  if (!any) copy_to(w, end_of(token_at(w->piece, unit->body)));
  for (i = table->first; i <= table->last; i++) {
    const pl_token *token = token_at(w->piece, i);
    if (!is_linkage(token) || token->kind == PL_TOKEN_STRING)
      pl_string_add(w->out, " %.*s", (int)token->length, token->text);
  }
  return true;
}

/* `const double gam = pl_k->gam;` for a scalar, a pointer for an array. */
static void write_const(writer *w, const pl_unit *unit, const pl_const *constant)
{
  const pl_token word = {
    .kind = PL_TOKEN_NAME, .text = constant->node.name, .length = strlen(constant->node.name)};
  const char *type = pl_type_name(constant->type), *name = constant->node.name;
  if (constant->dim == 1) {
    pl_string_add(w->out, " const %s %s = pl_k->%s;", type, name, name);
  } else if (has_spaces(w) && takes_address(w->piece, unit, &word, 1)) {
    pl_string_add(w->out, " const %s %s[%d] = {", type, name, constant->dim);
    for (int i = 0; i < constant->dim; i++) pl_string_add(w->out, "%spl_k->%s[%d]", i ? ", " : "", name, i);
    pl_string_add(w->out, "};");
  } else {
    pl_string_add(w->out, " ");
    add_word(w, w->program->style->const_space);
    pl_string_add(w->out, "const %s *const %s = pl_k->%s;", type, name, name);
  }
}

/* Declares the used consts and copies of tables behind the brace of a body, and opens a block whose
 * declarations may hide them. */
static bool write_consts(writer *w, const pl_unit *unit)
{
  bool any = false;
  for (const pl_node *node = w->program->pl->consts; node; node = node->next) {
    if (!pl_unit_uses_const(w->piece, unit, node->name)) continue;
    if (!any) copy_to(w, end_of(token_at(w->piece, unit->body)));
    write_const(w, unit, (const pl_const *)node);
    any = true;
  }
  for (int i = 0; has_spaces(w) && i < w->piece->outline.count; i++)
    any |= write_copy(w, unit, &w->piece->outline.unit[i], any);
  if (any) pl_string_add(w->out, " {");
  return any;
}

/* The bracket at i holds a parameter, or the star that stands for one. An outermost extent means nothing. */
static bool has_parameter(const writer *w, const pl_unit *unit, int i)
{
  if (token_at(w->piece, i - 1)->kind != PL_TOKEN_NAME && !is_at(w->piece, i - 1, ",")) return false;
  if (is_at(w->piece, i + 1, "*") && is_at(w->piece, i + 2, "]")) return true;
  for (int k = i + 1; !is_at(w->piece, k, "]"); k++)
    for (int p = unit->open + 1; p < i && token_at(w->piece, k)->kind == PL_TOKEN_NAME; p++)
      if (pl_token_same(token_at(w->piece, p), token_at(w->piece, k))) return true;
  return false;
}

/* A function's name and parameters, up to the token `end`. Leaves out the qualifiers in brackets,
 * `double x[static 3]`, which only C has. */
static void write_head(writer *w, const pl_unit *unit, int end)
{
  int brackets = 0;
  for (int i = unit->name; i < end; i++) {
    const pl_token *token = token_at(w->piece, i);
    brackets += is_at(w->piece, i, "[") - is_at(w->piece, i, "]");
    if (is_at(w->piece, i, "[") && has_parameter(w, unit, i))
      leave_out(w, end_of(token), token_at(w->piece, pl_tokens_match(&w->piece->outline.tokens, i))->text);
    else if (brackets && is_at(w->piece, i, "static const restrict volatile"))
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
  write_head(w, unit, unit->body);
  bool braced = write_consts(w, unit);
  bool faults = w->program->style->faults && !names_word(w->piece, unit, "enum");
  bool own = pl_token_is(token_at(w->piece, unit->name), w->program->kernel->name);
  w->ndivisors = w->brackets = 0;
  w->constant = false;
  for (int i = unit->body + 1; i < unit->last; i++) {
    const pl_token *token = token_at(w->piece, i);
    if (*w->program->style->data_qualifier && is_at(w->piece, i, "static"))
      leave_out(w, token->text, end_of(token)); /* of a table of constants */
    write_token(w, unit, i);
    if (faults && own) is_at(w->piece, i, "[ ]") ? write_index(w, i) : write_given(w, i);
    if (faults) write_divisor(w, i);
  }
  copy_to(w, end_of(token_at(w->piece, unit->last)));
  if (braced) pl_string_add(w->out, " }");
}

static void write_tokens(writer *w, const pl_unit *unit, int first)
{
  for (int i = first; i <= unit->last; i++) write_token(w, unit, i);
}

/* Leaves out a variable that declares a const for the user's own compiler. */
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
    write_word(w, i);
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
    if (ours)
      write_qualifier(w, unit);
    else if (unit->first < unit->name && !w->program->style->host) /* nothing is linked there */
      leave_out(w, token_at(w->piece, unit->first)->text, end_of(token_at(w->piece, unit->last)));
    write_head(w, unit, unit->last + 1);
    break;
  case PL_UNIT_OTHER:
    write_tokens(w, unit, unit->first);
    break;
  }
}

void pl_rewrite(const pl_assembly *program, const pl_piece *piece, pl_string *out)
{
  const pl_kernel_outline *outline = &piece->outline;
  writer w = {.program = program, .piece = piece, .out = out, .at = pl_string_chars(&piece->text)};
  int next = 0; /* unit */
  for (int i = 0; i < outline->tokens.count; i++) {
    if (next < outline->count && outline->unit[next].first == i) {
      i = outline->unit[next].last;
      write_unit(&w, &outline->unit[next++]);
    } else if (token_at(piece, i)->kind == PL_TOKEN_DIRECTIVE) {
      write_directive(&w, token_at(piece, i));
    }
  }
  copy_to(&w, pl_string_chars(&piece->text) + piece->text.length);
}
