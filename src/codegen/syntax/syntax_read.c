/* SPDX-License-Identifier: BSD-2-Clause
 * Reads tokens into a tree by recursive descent. A function that meets a token it does not know notes the
 * problem; the statement or parameter around it then becomes OTHER, and reading goes on behind it.
 */
#include "syntax_read.h"
#include "syntax_reader.h"

enum { MOST_DEPTH = 250, MOST_NESTING = 8 };

/* ---- expressions ---- */

static int read_expression(pl_reader *r);
static int read_assignment(pl_reader *r);
static int read_unary(pl_reader *r);
static int read_list(pl_reader *r);

static int read_literal(pl_reader *r)
{
  int node = pl_reader_open(r, PL_SYNTAX_LITERAL);
  if (pl_reader_token(r, r->at - 1)->kind == PL_TOKEN_STRING)
    while (r->at < r->end && pl_reader_token(r, r->at)->kind == PL_TOKEN_STRING) r->at++;
  return pl_reader_close(r, node);
}

/* (x), (T)x or (T){...}. */
static int read_parentheses(pl_reader *r)
{
  int close = pl_reader_match(r, r->at), node;
  if (!pl_reader_holds_type(r, r->at + 1, close)) {
    node = pl_reader_open(r, PL_SYNTAX_PARENTHESES);
    pl_reader_adopt(r, node, read_expression(r));
    return pl_reader_end(r, node, ")");
  }
  bool list = pl_reader_any(r, close + 1, "{");
  node = pl_reader_open(r, list ? PL_SYNTAX_COMPOUND : PL_SYNTAX_CAST);
  pl_reader_adopt(r, node, pl_read_type(r, close));
  pl_reader_expect(r, ")");
  pl_reader_adopt(r, node, list ? read_list(r) : read_unary(r));
  return node;
}

static int read_primary(pl_reader *r)
{
  if (r->at < r->end && !r->problem) {
    pl_token_kind kind = pl_reader_token(r, r->at)->kind;
    if (kind == PL_TOKEN_NUMBER || kind == PL_TOKEN_STRING || kind == PL_TOKEN_CHAR) return read_literal(r);
    if (pl_reader_next(r, "(")) return read_parentheses(r);
    bool word =
      pl_reader_keyword(r, r->at) || (pl_reader_type(r, r->at) && !pl_reader_any(r, r->at + 1, "("));
    if (kind == PL_TOKEN_NAME && !word) return pl_read_name(r);
  }
  pl_reader_fail_unknown(r);
  return 0;
}

static void read_arguments(pl_reader *r, int call)
{
  while (!r->problem && !pl_reader_next(r, ")")) {
    bool type = pl_reader_type(r, r->at) && !pl_reader_any(r, r->at + 1, "(");
    int end = r->at;
    while (type && (pl_reader_type(r, end) || pl_reader_any(r, end, "*") ||
                    pl_reader_any(r, end - 1, "struct union enum")))
      end++;
    pl_reader_adopt(r, call, type ? pl_read_type(r, end) : read_assignment(r));
    if (!pl_reader_accept(r, ",")) break;
  }
  pl_reader_end(r, call, ")");
}

/* <double> of C++; in C no expression has a type behind <. */
static void skip_template(pl_reader *r)
{
  if (r->problem || !pl_reader_next(r, "<") || !pl_reader_type(r, r->at + 1)) return;
  while (r->at < r->end && !pl_reader_next(r, "> ; { (")) r->at++;
  pl_reader_expect(r, ">");
}

static int read_postfix(pl_reader *r)
{
  int node = read_primary(r);
  skip_template(r);
  while (!r->problem && pl_reader_next(r, "[ ( . -> :: ++ --")) {
    if (pl_reader_next(r, "[")) {
      node = pl_reader_open_behind(r, PL_SYNTAX_INDEX, node);
      pl_reader_adopt(r, node, read_expression(r));
      pl_reader_end(r, node, "]");
    } else if (pl_reader_next(r, "(")) {
      node = pl_reader_open_behind(r, PL_SYNTAX_CALL, node);
      read_arguments(r, node);
    } else {
      bool member = !pl_reader_next(r, "++ --");
      node = pl_reader_open_behind(r, member ? PL_SYNTAX_MEMBER : PL_SYNTAX_POSTFIX, node);
      if (member && !pl_reader_name(r, r->at)) pl_reader_fail_unknown(r);
      r->at += member;
      pl_reader_close(r, node);
    }
  }
  return node;
}

/* Behind sizeof; (T){...} is a value. */
static int read_measured(pl_reader *r)
{
  int close = pl_reader_next(r, "(") ? pl_reader_match(r, r->at) : 0;
  if (!close || !pl_reader_type(r, r->at + 1) || pl_reader_any(r, close + 1, "{")) return read_unary(r);
  r->at++;
  int type = pl_read_type(r, close);
  pl_reader_expect(r, ")");
  return type;
}

static int read_unary(pl_reader *r)
{
  int node;
  if (++r->depth > MOST_DEPTH) pl_reader_fail_unknown(r);
  if (!r->problem && pl_reader_next(r, "sizeof + - ! ~ * & ++ --")) {
    bool measures = pl_reader_next(r, "sizeof");
    node = pl_reader_open(r, PL_SYNTAX_UNARY);
    pl_reader_adopt(r, node, measures ? read_measured(r) : read_unary(r));
    pl_reader_close(r, node);
  } else {
    node = read_postfix(r);
  }
  r->depth--;
  return node;
}

/* How closely the next token binds as an operator between values; 0: it is none. */
static int binding(const pl_reader *r)
{
  static const char *const levels[] = {"||",    "&&",        "|",     "^",   "&",
                                       "== !=", "< > <= >=", "<< >>", "+ -", "* / %"};
  if (r->at >= r->end || pl_reader_token(r, r->at)->kind != PL_TOKEN_PUNCT || pl_reader_next(r, "; ) , ] ="))
    return 0;
  int level = (int)(sizeof levels / sizeof *levels);
  while (level > 0 && !pl_reader_next(r, levels[level - 1])) level--;
  return level;
}

static int read_binary(pl_reader *r, int least)
{
  int node = read_unary(r);
  for (int level; !r->problem && (level = binding(r)) > least;) {
    node = pl_reader_open_behind(r, PL_SYNTAX_BINARY, node);
    pl_reader_adopt(r, node, read_binary(r, level));
  }
  return node;
}

static int read_assignment(pl_reader *r)
{
  int node = read_binary(r, 0);
  if (!r->problem && pl_reader_next(r, "?")) {
    node = pl_reader_open_behind(r, PL_SYNTAX_CONDITIONAL, node);
    pl_reader_adopt(r, node, read_expression(r));
    pl_reader_expect(r, ":");
    pl_reader_adopt(r, node, read_assignment(r));
  } else if (!r->problem && pl_reader_next(r, "= += -= *= /= %= &= |= ^= <<= >>=")) {
    node = pl_reader_open_behind(r, PL_SYNTAX_ASSIGN, node);
    pl_reader_adopt(r, node, read_assignment(r));
  }
  return node;
}

static int read_expression(pl_reader *r)
{
  int node = read_assignment(r);
  while (!r->problem && pl_reader_next(r, ",")) {
    node = pl_reader_open_behind(r, PL_SYNTAX_BINARY, node);
    pl_reader_adopt(r, node, read_assignment(r));
  }
  return node;
}

static int read_initialiser(pl_reader *r)
{
  if (pl_reader_next(r, "{")) return read_list(r);
  if (!pl_reader_next(r, ". [")) return read_assignment(r);
  int node = pl_reader_open(r, PL_SYNTAX_DESIGNATED);
  while (r->at < r->end && !pl_reader_next(r, "=")) r->at++;
  pl_reader_expect(r, "=");
  pl_reader_adopt(r, node, read_initialiser(r));
  return node;
}

static int read_list(pl_reader *r)
{
  if (++r->depth > MOST_DEPTH) pl_reader_fail_unknown(r);
  int node = pl_reader_open(r, PL_SYNTAX_LIST);
  while (!r->problem && !pl_reader_next(r, "}")) {
    pl_reader_adopt(r, node, read_initialiser(r));
    if (!pl_reader_accept(r, ",")) break;
  }
  r->depth--;
  return pl_reader_end(r, node, "}");
}

/* ---- declarations ---- */

static int read_parameters(pl_reader *r, int open, int close);

/* A name is the type if no type word precedes it. */
static void read_specifiers(pl_reader *r)
{
  bool typed = false;
  r->tree->typedefs |= pl_reader_next(r, "typedef");
  for (; pl_reader_name(r, r->at); r->at++) {
    if (pl_reader_next(r, "struct union enum")) {
      r->at += pl_reader_name(r, r->at + 1);
      if (pl_reader_any(r, r->at + 1, "{")) r->at = pl_reader_match(r, r->at + 1);
      typed = true;
    } else if (pl_reader_next(r, "__attribute__ _Alignas alignas _Static_assert") &&
               pl_reader_any(r, r->at + 1, "(")) {
      typed |= pl_reader_next(r, "_Static_assert");
      r->at = pl_reader_match(r, r->at + 1);
    } else if (!pl_is_qualifier(pl_reader_token(r, r->at)) && !pl_reader_next(r, "typedef extern inline")) {
      bool word = pl_is_type_word(pl_reader_token(r, r->at)) || pl_complex_part(&r->tree->tokens, r->at) >= 0;
      if (typed && !word) break;
      typed = true;
    }
  }
  if (!typed) pl_reader_fail(r, "has no type");
}

/* [n] or (parameters) behind the name. */
static int read_suffix(pl_reader *r)
{
  int declared = r->declared, node;
  if (pl_reader_next(r, "(")) {
    node = read_parameters(r, r->at, pl_reader_match(r, r->at));
    pl_reader_leave(r, declared);
    return node;
  }
  node = pl_reader_open(r, PL_SYNTAX_ARRAY);
  while (r->at < r->end && pl_is_qualifier(pl_reader_token(r, r->at))) r->at++;
  if (!pl_reader_any(r, r->at + 1, "]") || !pl_reader_accept(r, "*"))
    if (!pl_reader_next(r, "]")) pl_reader_adopt(r, node, read_expression(r));
  return pl_reader_end(r, node, "]");
}

static void read_steps(pl_reader *r, int declarator)
{
  int first = r->at, name;
  if (++r->nesting > MOST_NESTING) pl_reader_fail(r, "is too deeply nested");
  name = r->at = pl_reader_skip_stars(r, first);
  if (!r->problem && pl_reader_accept(r, "(")) {
    read_steps(r, declarator);
    if (!pl_reader_accept(r, ")")) pl_reader_fail(r, "cannot be understood: a ) is missing");
  } else if (!r->problem && pl_reader_name(r, r->at)) {
    r->tree->node[declarator].at = r->at;
    r->tree->node_at[r->at++] = declarator;
  }
  while (!r->problem && pl_reader_next(r, "[ (")) pl_reader_adopt(r, declarator, read_suffix(r));
  for (int i = name - 1; i >= first && !r->problem; i--)
    if (pl_reader_any(r, i, "*")) pl_reader_adopt(r, declarator, pl_reader_add(r, PL_SYNTAX_POINTER, i, i));
  if (pl_syntax_child(r->tree, declarator, MOST_NESTING)) pl_reader_fail(r, "is too deeply nested");
  r->nesting--;
}

static int read_declarator(pl_reader *r)
{
  int node = pl_reader_add(r, PL_SYNTAX_DECLARATOR, r->at, -1);
  r->nesting = 0;
  if (node) read_steps(r, node);
  pl_reader_close(r, node);
  if (r->problem) return 0;
  if (r->tree->node[node].at >= 0) pl_reader_declare(r, node);
  return node;
}

static void read_declarators(pl_reader *r, int declaration)
{
  do {
    int node = read_declarator(r);
    pl_reader_adopt(r, declaration, node);
    if (pl_reader_next(r, "=")) {
      int init = pl_reader_open(r, PL_SYNTAX_INIT);
      pl_reader_adopt(r, init, read_initialiser(r));
      pl_reader_adopt(r, node, init);
    }
  } while (!r->problem && pl_reader_accept(r, ","));
}

static int read_declaration(pl_reader *r)
{
  int node = pl_reader_add(r, PL_SYNTAX_DECLARATION, r->at, -1);
  read_specifiers(r);
  if (!pl_reader_next(r, ";")) read_declarators(r, node);
  return pl_reader_end(r, node, ";");
}

static bool opens_declaration(const pl_reader *r)
{
  int i = r->at;
  if (!pl_reader_name(r, i) || pl_reader_keyword(r, i)) return false;
  if (pl_reader_type(r, i) || pl_reader_any(r, i, "__attribute__ _Alignas alignas _Static_assert"))
    return true;
  if (pl_reader_name(r, i + 1)) return !pl_reader_keyword(r, i + 1);
  i = pl_reader_skip_stars(r, i + 1);
  return i > r->at + 1 && pl_reader_name(r, i) && pl_reader_any(r, i + 1, "= ; , [");
}

/* ---- unreadable text ---- */

/* Forgets the nodes from `mark` on and makes one of the tokens up to `end`. */
static int make_other(pl_reader *r, int mark, int declared, int first, int end)
{
  pl_syntax *tree = r->tree;
  const char *problem = r->problem;
  int failed = r->at < end ? r->at : end;
  while (tree->count > mark) {
    int at = tree->node[--tree->count].at;
    if (at >= 0 && tree->node_at[at] >= mark) tree->node_at[at] = 0;
  }
  r->problem = NULL;
  pl_reader_leave(r, declared);
  r->at = first;
  int node = pl_reader_add(r, PL_SYNTAX_OTHER, first, -1);
  if (!node) return 0;
  tree->node[node].at = failed;
  tree->node[node].problem = problem;
  while (r->at < end && !r->err)
    if (pl_reader_name(r, r->at) && (r->at == first || !pl_reader_any(r, r->at - 1, ". ->")))
      pl_reader_adopt(r, node, pl_read_name(r));
    else
      r->at++;
  tree->node[node].last = end - 1;
  return node;
}

/* Behind the semicolon, or before the brace, that ends the statement at `first`. */
static int end_of_other(const pl_reader *r, int first)
{
  int i = first;
  for (; i < r->end && !pl_reader_any(r, i, "} ;") && (i == first || !pl_reader_any(r, i, "{")); i++)
    if (pl_reader_any(r, i, "( [")) i = pl_reader_match(r, i);
  i += pl_reader_any(r, i, ";");
  return i > first ? (i < r->end ? i : r->end) : first + 1;
}

/* ---- functions ---- */

/* The comma, or `close`, that ends the parameter at i. */
static int end_of_parameter(const pl_reader *r, int i, int close)
{
  for (; i < close && !pl_reader_any(r, i, ","); i++)
    if (pl_reader_any(r, i, "( [ {")) i = pl_reader_match(r, i);
  return i < close ? i : close;
}

static int read_parameter(pl_reader *r, int end)
{
  int first = r->at, mark = r->tree->count, declared = r->declared;
  int node = pl_reader_add(r, PL_SYNTAX_DECLARATION, first, -1);
  if (first == end) pl_reader_fail(r, "is empty: remove the extra comma");
  if (pl_reader_next(r, "..."))
    pl_reader_fail(r, "is not allowed: a kernel has a fixed number of parameters");
  if (!r->problem) read_specifiers(r);
  if (!r->problem) pl_reader_adopt(r, node, read_declarator(r));
  if (r->at < end) pl_reader_fail_unknown(r);
  pl_reader_close(r, node);
  return r->problem ? make_other(r, mark, declared, first, end) : node;
}

static int read_parameters(pl_reader *r, int open, int close)
{
  int nesting = r->nesting, node;
  r->at = open;
  node = pl_reader_open(r, PL_SYNTAX_FUNCTION);
  if (close > open + 1 && !(close == open + 2 && pl_reader_next(r, "void")))
    for (; r->at <= close && !r->problem; r->at++)
      pl_reader_adopt(r, node, read_parameter(r, end_of_parameter(r, r->at, close)));
  r->nesting = nesting;
  r->at = close + 1;
  return pl_reader_close(r, node);
}

/* ---- statements ---- */

static int read_statement(pl_reader *r);

static int read_block(pl_reader *r)
{
  int node = pl_reader_open(r, PL_SYNTAX_BLOCK), declared = r->declared;
  while (r->at < r->end && !pl_reader_next(r, "}")) pl_reader_adopt(r, node, read_statement(r));
  pl_reader_leave(r, declared);
  pl_reader_accept(r, "}");
  return pl_reader_close(r, node);
}

/* An expression, if any, and the token behind it. */
static int read_optional(pl_reader *r, const char *end)
{
  int node = pl_reader_next(r, end) ? pl_reader_add(r, PL_SYNTAX_EMPTY, r->at, r->at) : read_expression(r);
  pl_reader_expect(r, end);
  return node;
}

static int read_for(pl_reader *r)
{
  int node = pl_reader_open(r, PL_SYNTAX_FOR), declared = r->declared;
  pl_reader_expect(r, "(");
  pl_reader_adopt(r, node, opens_declaration(r) ? read_declaration(r) : read_optional(r, ";"));
  pl_reader_adopt(r, node, read_optional(r, ";"));
  pl_reader_adopt(r, node, read_optional(r, ")"));
  if (!r->problem) pl_reader_adopt(r, node, read_statement(r));
  pl_reader_leave(r, declared);
  return pl_reader_close(r, node);
}

static void read_condition(pl_reader *r, int node)
{
  pl_reader_expect(r, "(");
  pl_reader_adopt(r, node, read_optional(r, ")"));
}

static int read_control(pl_reader *r)
{
  bool branches = pl_reader_next(r, "if"), heads = pl_reader_next(r, "if while switch"),
       loops = pl_reader_next(r, "do");
  bool label = pl_reader_next(r, "case default"), jumps = pl_reader_next(r, "goto");
  int node = pl_reader_open(r, PL_SYNTAX_CONTROL);
  if (heads) read_condition(r, node);
  if ((heads || loops) && !r->problem) pl_reader_adopt(r, node, read_statement(r));
  if (branches && !r->problem && pl_reader_accept(r, "else")) pl_reader_adopt(r, node, read_statement(r));
  if (loops) pl_reader_expect(r, "while");
  if (loops) read_condition(r, node);
  if (jumps) r->at++;
  if (!heads && !loops && !jumps) pl_reader_adopt(r, node, read_optional(r, label ? ":" : ";"));
  if (loops || jumps) pl_reader_expect(r, ";");
  return pl_reader_close(r, node);
}

/* Macros may stand for statements without a semicolon. */
static int read_expression_statement(pl_reader *r)
{
  int node = pl_reader_next(r, ";") ? pl_reader_add(r, PL_SYNTAX_EMPTY, r->at, r->at) : read_expression(r);
  bool macro = r->tree->node[node].kind == PL_SYNTAX_CALL || r->tree->node[node].kind == PL_SYNTAX_NAME;
  if (!pl_reader_accept(r, ";") && !macro && r->at < r->end) pl_reader_fail_unknown(r);
  return node;
}

static int read_any_statement(pl_reader *r)
{
  if (pl_reader_token(r, r->at)->kind == PL_TOKEN_DIRECTIVE) return pl_reader_open(r, PL_SYNTAX_DIRECTIVE);
  if (pl_reader_next(r, "{")) return read_block(r);
  if (pl_reader_next(r, "for")) return read_for(r);
  if (pl_reader_keyword(r, r->at) && !pl_reader_next(r, "sizeof")) return read_control(r);
  if (pl_reader_name(r, r->at) && pl_reader_any(r, r->at + 1, ":")) {
    r->at++;
    return pl_reader_open(r, PL_SYNTAX_LABEL);
  }
  return opens_declaration(r) ? read_declaration(r) : read_expression_statement(r);
}

static int read_statement(pl_reader *r)
{
  int mark = r->tree->count, declared = r->declared, first = r->at, node = 0;
  if (r->at >= r->end) return 0;
  if (++r->depth > MOST_DEPTH)
    pl_reader_fail_unknown(r);
  else
    node = read_any_statement(r);
  r->depth--;
  return r->problem && !r->err ? make_other(r, mark, declared, first, end_of_other(r, first)) : node;
}

/* ---- whole texts ---- */

static int read_body(pl_reader *r, int first, int end)
{
  r->at = first;
  r->end = end;
  int node = pl_reader_add(r, PL_SYNTAX_BLOCK, first, -1);
  while (r->at < end && !r->err) pl_reader_adopt(r, node, read_statement(r));
  return pl_reader_close(r, node);
}

static pl_reader open_reader(pl_syntax *tree)
{
  return (pl_reader){.tree = tree, .declared = tree->declared};
}

pl_err pl_syntax_read_statements(pl_syntax *tree, int first, int end, int *block)
{
  pl_reader r = open_reader(tree);
  if (!r.err) *block = read_body(&r, first, end);
  tree->declared = r.declared;
  return r.err;
}

pl_err pl_syntax_read_function(pl_syntax *tree, int open, int close, int body, int end, int *parameters,
                               int *block)
{
  pl_reader r = open_reader(tree);
  r.end = tree->tokens.count - 1;
  if (!r.err) *parameters = read_parameters(&r, open, close);
  if (!r.err && end > 0) *block = read_body(&r, body, end);
  pl_reader_leave(&r, tree->declared);
  return r.err;
}
