/* SPDX-License-Identifier: BSD-2-Clause
 * The tokeniser: one function per kind of token; all move lexer->at forward, never past lexer->end.
 */
#include "lexer.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include <string.h>

static bool is_digit(int c)
{
  return c >= '0' && c <= '9';
}

/* Bytes above 127 belong to names, as in compilers that read UTF-8. */
static bool is_name_start(int c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c >= 128;
}

static bool is_name_part(int c)
{
  return is_name_start(c) || is_digit(c);
}

/* The byte `ahead` of the lexer; 0 past the end. */
static int peek(const pl_lexer *lexer, size_t ahead)
{
  return (size_t)(lexer->end - lexer->at) > ahead ? (unsigned char)lexer->at[ahead] : 0;
}

static void step(pl_lexer *lexer)
{
  if (*lexer->at++ == '\n') lexer->line++;
}

/* Length of a backslash and the line end behind it, else 0. */
static size_t continuation(const pl_lexer *lexer)
{
  if (peek(lexer, 0) != '\\') return 0;
  if (peek(lexer, 1) == '\n') return 2;
  return peek(lexer, 1) == '\r' && peek(lexer, 2) == '\n' ? 3 : 0;
}

static void skip_line(pl_lexer *lexer)
{
  while (lexer->at < lexer->end && *lexer->at != '\n') {
    for (size_t n = continuation(lexer); n > 1; n--) step(lexer);
    step(lexer);
  }
}

/* Skips a block comment; false if it is not closed. */
static bool skip_comment(pl_lexer *lexer)
{
  for (lexer->at += 2; lexer->at < lexer->end; step(lexer)) {
    if (peek(lexer, 0) == '*' && peek(lexer, 1) == '/') {
      lexer->at += 2;
      return true;
    }
  }
  return false;
}

/* Skips white space and comments. False at a comment that is not closed, with the lexer at its start. */
static bool skip_space(pl_lexer *lexer)
{
  while (lexer->at < lexer->end) {
    int c = peek(lexer, 0);
    if (c == '\n') {
      lexer->fresh = true;
      step(lexer);
    } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
      step(lexer);
    } else if (continuation(lexer)) {
      for (size_t n = continuation(lexer); n > 0; n--) step(lexer);
    } else if (c == '/' && peek(lexer, 1) == '/') {
      skip_line(lexer);
    } else if (c == '/' && peek(lexer, 1) == '*') {
      pl_lexer start = *lexer;
      if (skip_comment(lexer)) continue;
      *lexer = start;
      return false;
    } else {
      return true;
    }
  }
  return true;
}

/* Skips a string or character constant; false if the line ends first. */
static bool skip_quoted(pl_lexer *lexer)
{
  int quote = peek(lexer, 0);
  for (step(lexer); lexer->at < lexer->end && *lexer->at != '\n'; step(lexer)) {
    if (peek(lexer, 0) == quote) {
      lexer->at++;
      return true;
    }
    size_t n = continuation(lexer);
    if (peek(lexer, 0) == '\\' && lexer->at + 1 < lexer->end) step(lexer);
    if (n == 3) step(lexer);
    if (lexer->at == lexer->end) return false;
  }
  return false;
}

/* Skips a preprocessor line, where comments may contain line ends; false if a comment is not closed. */
static bool skip_directive(pl_lexer *lexer)
{
  while (lexer->at < lexer->end && *lexer->at != '\n') {
    if (peek(lexer, 0) == '/' && peek(lexer, 1) == '/') {
      skip_line(lexer);
    } else if (peek(lexer, 0) == '/' && peek(lexer, 1) == '*') {
      if (!skip_comment(lexer)) return false;
    } else if (continuation(lexer)) {
      for (size_t n = continuation(lexer); n > 0; n--) step(lexer);
    } else if (peek(lexer, 0) == '"') {
      pl_lexer start = *lexer;
      if (!skip_quoted(lexer)) {
        *lexer = start;
        step(lexer);
      }
    } else {
      step(lexer);
    }
  }
  return true;
}

/* A preprocessing number: signs may follow an exponent's letter. */
static void skip_number(pl_lexer *lexer)
{
  bool hex = peek(lexer, 0) == '0' && (peek(lexer, 1) | 32) == 'x';
  while (lexer->at < lexer->end) {
    int c = peek(lexer, 0);
    bool exponent = (c | 32) == (hex ? 'p' : 'e');
    if (exponent && (peek(lexer, 1) == '+' || peek(lexer, 1) == '-')) {
      lexer->at += 2;
    } else if (is_name_part(c) || c == '.') {
      lexer->at++;
    } else {
      return;
    }
  }
}

static void skip_name(pl_lexer *lexer)
{
  while (lexer->at < lexer->end && is_name_part((unsigned char)*lexer->at)) lexer->at++;
}

/* <: :> <% %> %: stand for [ ] { } #. C++ reads <:: in another way. */
static bool is_digraph(const pl_lexer *lexer)
{
  static const char *const digraphs[] = {"<:", ":>", "<%", "%>", "%:"};
  for (size_t i = 0; i < sizeof digraphs / sizeof *digraphs; i++)
    if (peek(lexer, 0) == digraphs[i][0] && peek(lexer, 1) == digraphs[i][1]) return peek(lexer, 2) != ':';
  return false;
}

/* Skips the longest operator; false if no operator starts with this byte. */
static bool skip_punct(pl_lexer *lexer)
{
  static const char *const operators[] = {"...", "<<=", ">>=", "->*", "->", "++", "--", "<<", ">>",
                                          "<=",  ">=",  "==",  "!=",  "&&", "||", "*=", "/=", "%=",
                                          "+=",  "-=",  "&=",  "^=",  "|=", "##", "::"};
  size_t left = (size_t)(lexer->end - lexer->at);
  if (is_digraph(lexer)) return false;
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
    size_t length = strlen(operators[i]);
    if (length > left || memcmp(lexer->at, operators[i], length) != 0) continue;
    lexer->at += length;
    return true;
  }
  if (!memchr("{}[]()<>;,.:?=+-*/%&|^~!#", *lexer->at, 25)) return false;
  lexer->at++;
  return true;
}

/* Skips the token that starts here and returns its kind. */
static pl_token_kind skip_token(pl_lexer *lexer, bool fresh)
{
  int c = peek(lexer, 0);
  if (c == '#' && fresh) return skip_directive(lexer) ? PL_TOKEN_DIRECTIVE : PL_TOKEN_ERROR;
  if (is_digit(c) || (c == '.' && is_digit(peek(lexer, 1)))) {
    skip_number(lexer);
    return PL_TOKEN_NUMBER;
  }
  if (is_name_start(c)) {
    skip_name(lexer);
    return PL_TOKEN_NAME;
  }
  if (c == '"') return skip_quoted(lexer) ? PL_TOKEN_STRING : PL_TOKEN_ERROR;
  if (c == '\'') return skip_quoted(lexer) ? PL_TOKEN_CHAR : PL_TOKEN_ERROR;
  return skip_punct(lexer) ? PL_TOKEN_PUNCT : PL_TOKEN_ERROR;
}

void pl_lex_open(pl_lexer *lexer, const char *text, size_t length, int line)
{
  *lexer = (pl_lexer){text, text + length, line, true};
}

pl_token pl_lex_next(pl_lexer *lexer)
{
  bool readable = skip_space(lexer);
  bool fresh = lexer->fresh;
  pl_token token = {PL_TOKEN_ERROR, lexer->line, lexer->at, 0};
  lexer->fresh = false;
  if (lexer->at == lexer->end) {
    token.kind = PL_TOKEN_END;
    return token;
  }
  if (readable) token.kind = skip_token(lexer, fresh);
  if (token.kind == PL_TOKEN_ERROR) lexer->at = lexer->end;
  token.length = (size_t)(lexer->at - token.text);
  return token;
}

pl_err pl_tokens_read(pl_context *pl, const char *text, size_t length, int line, pl_tokens *tokens)
{
  pl_lexer lexer;
  pl_token token;
  int capacity = 0;
  *tokens = (pl_tokens){.pl = pl};
  pl_lex_open(&lexer, text, length, line);
  do {
    token = pl_lex_next(&lexer);
    pl_err err = PL_GROW(pl, tokens->item, capacity, tokens->count + 1);
    if (err) return pl_tokens_free(tokens), err;
    tokens->item[tokens->count++] = token;
  } while (token.kind != PL_TOKEN_END && token.kind != PL_TOKEN_ERROR);
  return PL_SUCCESS;
}

void pl_tokens_free(pl_tokens *tokens)
{
  pl_free(tokens->pl, tokens->item);
  *tokens = (pl_tokens){.pl = tokens->pl};
}

bool pl_token_is(const pl_token *token, const char *word)
{
  if (token->length && *token->text != *word) return false;
  return token->length == strlen(word) && memcmp(token->text, word, token->length) == 0;
}

bool pl_token_in(const pl_token *token, const char *words)
{
  const size_t n = token->length;
  for (const char *word = words; n && (word = strchr(word, *token->text)); word++)
    if ((word == words || word[-1] == ' ') && !strncmp(word, token->text, n) && (word[n] == ' ' || !word[n]))
      return true;
  return false;
}

bool pl_tokens_in(const pl_tokens *tokens, int i, const char *words)
{
  return i >= 0 && i < tokens->count && pl_token_in(&tokens->item[i], words);
}

bool pl_token_same(const pl_token *a, const pl_token *b)
{
  return a->kind == b->kind && a->length == b->length && !memcmp(a->text, b->text, a->length);
}

bool pl_token_is_real(const pl_token *token)
{
  if (token->kind != PL_TOKEN_NUMBER) return false;
  const char *text = token->text;
  bool hex = token->length > 1 && text[0] == '0' && (text[1] | 32) == 'x';
  bool real = false;
  for (size_t i = 0; i < token->length; i++)
    real = real || (hex ? (text[i] | 32) == 'p' : text[i] == '.' || (text[i] | 32) == 'e');
  char last = text[token->length - 1];
  return real && (is_digit(last) || last == '.');
}

const char *pl_token_problem(const pl_token *error)
{
  switch (error->length ? *error->text : 0) {
  case '/':
    return "a comment is not closed";
  case '#':
    return "a comment in a preprocessor line is not closed";
  case '"':
    return "a string is not closed";
  case '\'':
    return "a character constant is not closed";
  case '<':
  case ':':
  case '%':
    return "two letters stand for a bracket here: write [ ] { } or #";
  default:
    return "a character here belongs to no C token";
  }
}

int pl_tokens_match(const pl_tokens *tokens, int open)
{
  int depth = 0;
  for (int i = open; i < tokens->count; i++) {
    const pl_token *token = &tokens->item[i];
    if (token->kind != PL_TOKEN_PUNCT || token->length != 1) continue;
    if (memchr("([{", *token->text, 3)) depth++;
    if (!memchr(")]}", *token->text, 3)) continue;
    if (--depth > 0) continue;
    const char *pair = strchr("()[]{}", *tokens->item[open].text);
    return pair && pair[1] == *token->text ? i : -1;
  }
  return -1;
}

pl_token pl_directive_open(const pl_token *directive, pl_lexer *rest)
{
  pl_lex_open(rest, directive->text + 1, directive->length - 1, directive->line);
  rest->fresh = false;
  return pl_lex_next(rest);
}

/* ---- conditions on names ---- */

typedef enum truth { UNKNOWN, YES, NO } truth;

static truth negate(truth value)
{
  return value == YES ? NO : value == NO ? YES : UNKNOWN;
}

/* PLAIT_JIT is always defined. */
static truth is_defined(const pl_token *name, pl_defined_fn defined, const void *user)
{
  if (pl_token_is(name, "PLAIT_JIT")) return YES;
  return !defined || name->kind != PL_TOKEN_NAME ? UNKNOWN : defined(user, name) ? YES : NO;
}

/* Evaluates an #if, #ifdef or #ifndef of a single name, 0 or 1. The value of a defined name is unknown. */
static truth evaluate_condition(const pl_token *word, pl_lexer rest, pl_defined_fn defined, const void *user)
{
  truth sense = pl_token_is(word, "ifndef") ? NO : YES;
  bool test = pl_token_is(word, "if");
  pl_token token = pl_lex_next(&rest);
  for (; test && pl_token_is(&token, "!"); token = pl_lex_next(&rest)) sense = negate(sense);
  bool asks = !test;
  for (; test && (pl_token_is(&token, "defined") || pl_token_is(&token, "(")); token = pl_lex_next(&rest))
    asks |= pl_token_is(&token, "defined");
  truth is = is_defined(&token, defined, user);
  if ((pl_token_is(&token, "0") && test) || is == NO)
    sense = negate(sense);
  else if (!(pl_token_is(&token, "1") && test) && !pl_token_is(&token, "PLAIT_JIT") && !(is == YES && asks))
    return UNKNOWN;
  for (token = pl_lex_next(&rest); pl_token_is(&token, ")");) token = pl_lex_next(&rest);
  return token.kind == PL_TOKEN_END ? sense : UNKNOWN;
}

enum { MAX_NESTING = 64 };

/* The open conditions: whether the current branch and its parent are read, and the condition's value. */
typedef struct conditions {
  struct {
    bool live, parent;
    truth value;
  } level[MAX_NESTING];
  int depth;
} conditions;

static bool is_live(const conditions *open)
{
  return open->depth == 0 || open->depth > MAX_NESTING || open->level[open->depth - 1].live;
}

static void enter_condition(conditions *open, truth value)
{
  bool parent = is_live(open);
  if (open->depth++ >= MAX_NESTING) return;
  open->level[open->depth - 1].live = parent && value != NO;
  open->level[open->depth - 1].parent = parent;
  open->level[open->depth - 1].value = value;
}

static void enter_else(conditions *open)
{
  if (open->depth < 1 || open->depth > MAX_NESTING) return;
  int top = open->depth - 1;
  open->level[top].live = open->level[top].parent && open->level[top].value != YES;
}

static void follow_directive(conditions *open, const pl_token *directive, pl_defined_fn defined,
                             const void *user)
{
  pl_lexer rest;
  pl_token word = pl_directive_open(directive, &rest);
  if (pl_token_is(&word, "if") || pl_token_is(&word, "ifdef") || pl_token_is(&word, "ifndef"))
    enter_condition(open, evaluate_condition(&word, rest, defined, user));
  else if (pl_token_is(&word, "else") || pl_token_is(&word, "elif"))
    enter_else(open);
  else if (pl_token_is(&word, "endif") && open->depth > 0)
    open->depth--;
}

void pl_tokens_prune(pl_tokens *tokens, pl_defined_fn defined, const void *user)
{
  conditions open = {.depth = 0};
  int kept = 0;
  for (int i = 0; i < tokens->count; i++) {
    const pl_token *token = &tokens->item[i];
    bool live = is_live(&open);
    if (token->kind == PL_TOKEN_DIRECTIVE) follow_directive(&open, token, defined, user);
    if (live || token->kind == PL_TOKEN_END || token->kind == PL_TOKEN_ERROR) tokens->item[kept++] = *token;
  }
  tokens->count = kept;
}
