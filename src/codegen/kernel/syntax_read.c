/* SPDX-License-Identifier: BSD-2-Clause
 * Reads tokens into a tree by recursive descent. A function that meets a token it does not know notes the
 * problem; the statement or parameter around it then becomes OTHER, and reading goes on behind it.
 */
#include "syntax_read.h"
#include "core/context/error.h"
#include "core/context/memory.h"

enum { MOST_DEPTH = 250, MOST_NESTING = 8 };

typedef struct reader {
  pl_syntax *tree;
  int at, end; /* tokens: the next one, and behind the last */
  int depth, nesting;
  int declared;        /* the latest DECLARATOR in scope */
  const char *problem; /* NULL: none */
  pl_err err;
} reader;

/* ---- tokens ---- */

static const pl_token *token_at(const reader *r, int i)
{
  return &r->tree->tokens.item[i];
}

static bool is_any(const reader *r, int i, const char *words)
{
  return i < r->end && pl_tokens_in(&r->tree->tokens, i, words);
}

static bool is_next(const reader *r, const char *words)
{
  return is_any(r, r->at, words);
}

static bool is_name(const reader *r, int i)
{
  return i < r->end && token_at(r, i)->kind == PL_TOKEN_NAME;
}

static void fail(reader *r, const char *problem)
{
  if (!r->problem) r->problem = problem;
}

static void fail_unknown(reader *r)
{
  fail(r, "cannot be understood");
}

static bool accept(reader *r, const char *words)
{
  bool found = is_next(r, words);
  r->at += found;
  return found;
}

static void expect(reader *r, const char *word)
{
  if (!accept(r, word)) fail_unknown(r);
}

/* The bracket that closes the one at i; else the last token. */
static int find_close(const reader *r, int i)
{
  int close = pl_tokens_match(&r->tree->tokens, i);
  return close < 0 || close >= r->end ? r->end - 1 : close;
}

/* ---- nodes ---- */

static bool grow(reader *r)
{
  pl_syntax *tree = r->tree;
  size_t bytes = (2 * (size_t)tree->capacity + 64) * sizeof *tree->node;
  pl_syntax_node *node = pl_resize(tree->pl, tree->node, bytes);
  if (!node) {
    r->err = pl_fail_memory(tree->pl, bytes);
    return false;
  }
  tree->node = node;
  tree->capacity = 2 * tree->capacity + 64;
  return true;
}

/* A node that starts at token `first` and whose own token is `at`, -1 for none. */
static int add_node(reader *r, pl_syntax_kind kind, int first, int at)
{
  pl_syntax *tree = r->tree;
  if (tree->count == tree->capacity && !grow(r)) {
    fail_unknown(r);
    r->at = r->end;
    return 0;
  }
  tree->node[tree->count] = (pl_syntax_node){.kind = kind, .at = at, .first = first, .last = first};
  if (at >= 0 && kind != PL_SYNTAX_EMPTY) tree->node_at[at] = tree->count;
  return tree->count++;
}

/* Makes a node the last child of another one, which so far ends with it. */
static void adopt(reader *r, int parent, int child)
{
  pl_syntax_node *node = r->tree->node;
  if (!parent || !child) return;
  node[child].parent = parent;
  *(node[parent].child ? &node[node[parent].tail].next : &node[parent].child) = child;
  node[parent].tail = child;
  if (node[child].last > node[parent].last) node[parent].last = node[child].last;
}

/* The node ends before the next token. */
static int close_node(reader *r, int node)
{
  if (node && r->at > r->tree->node[node].first) r->tree->node[node].last = r->at - 1;
  return node;
}

/* The node ends with the next token, which is `word`. */
static int end_node(reader *r, int node, const char *word)
{
  expect(r, word);
  return close_node(r, node);
}

/* A node for the operator that is next, behind `left`. */
static int open_behind(reader *r, pl_syntax_kind kind, int left)
{
  int node = add_node(r, kind, left ? r->tree->node[left].first : r->at, r->at);
  adopt(r, node, left);
  r->at++;
  return node;
}

/* A node at the next token, which is skipped. */
static int open_node(reader *r, pl_syntax_kind kind)
{
  return open_behind(r, kind, 0);
}

/* The DECLARATOR in scope for the name at token i. */
static int find_declarator(const reader *r, int i)
{
  const pl_token *name = token_at(r, i);
  for (int k = r->declared; k; k = r->tree->node[k].declarator) {
    const pl_token *other = token_at(r, r->tree->node[k].at);
    if (*other->text == *name->text && pl_token_same(other, name)) return k;
  }
  return 0;
}

static int read_name(reader *r)
{
  int node = add_node(r, PL_SYNTAX_NAME, r->at, r->at);
  if (node) r->tree->node[node].declarator = find_declarator(r, r->at);
  r->at++;
  return node;
}

/* ---- types ---- */

static bool is_keyword(const reader *r, int i)
{
  return is_any(r, i, "if else for while do switch case default return break continue goto sizeof");
}

/* A word that only types and declarations have. */
static bool is_type(const reader *r, int i)
{
  int node = r->tree->typedefs && is_name(r, i) ? find_declarator(r, i) : 0;
  if (node) return pl_syntax_specifies(r->tree, r->tree->node[node].parent, "typedef");
  return is_name(r, i) && (pl_is_type_word(token_at(r, i)) || pl_is_qualifier(token_at(r, i)) ||
                           is_any(r, i, "size_t ptrdiff_t auto typedef extern inline"));
}

static int skip_stars(const reader *r, int i)
{
  while (is_any(r, i, "*") || (is_name(r, i) && pl_is_qualifier(token_at(r, i)))) i++;
  return i;
}

/* Between i and the parenthesis at `close` stands a type, not an expression. */
static bool holds_type(const reader *r, int i, int close)
{
  if (is_type(r, i)) return true;
  if (!is_name(r, i) || is_keyword(r, i)) return false;
  if (i + 1 < close) return skip_stars(r, i + 1) == close;
  return is_any(r, close + 1, "( { ~ !") ||
         (close + 1 < r->end && token_at(r, close + 1)->kind != PL_TOKEN_PUNCT);
}

/* The type up to `end`. */
static int read_type(reader *r, int end)
{
  int node = add_node(r, PL_SYNTAX_TYPE, r->at, -1);
  while (r->at < end) {
    if (is_name(r, r->at) && !is_type(r, r->at) && !is_any(r, r->at - 1, "struct union enum"))
      adopt(r, node, read_name(r));
    else
      r->at++;
  }
  return close_node(r, node);
}

/* ---- expressions ---- */

static int read_expression(reader *r);
static int read_assignment(reader *r);
static int read_unary(reader *r);
static int read_list(reader *r);

static int read_literal(reader *r)
{
  int node = open_node(r, PL_SYNTAX_LITERAL);
  if (token_at(r, r->at - 1)->kind == PL_TOKEN_STRING)
    while (r->at < r->end && token_at(r, r->at)->kind == PL_TOKEN_STRING) r->at++;
  return close_node(r, node);
}

/* (x), (T)x or (T){...}. */
static int read_parentheses(reader *r)
{
  int close = find_close(r, r->at), node;
  if (!holds_type(r, r->at + 1, close)) {
    node = open_node(r, PL_SYNTAX_PARENTHESES);
    adopt(r, node, read_expression(r));
    return end_node(r, node, ")");
  }
  bool list = is_any(r, close + 1, "{");
  node = open_node(r, list ? PL_SYNTAX_COMPOUND : PL_SYNTAX_CAST);
  adopt(r, node, read_type(r, close));
  expect(r, ")");
  adopt(r, node, list ? read_list(r) : read_unary(r));
  return node;
}

static int read_primary(reader *r)
{
  if (r->at < r->end && !r->problem) {
    pl_token_kind kind = token_at(r, r->at)->kind;
    if (kind == PL_TOKEN_NUMBER || kind == PL_TOKEN_STRING || kind == PL_TOKEN_CHAR) return read_literal(r);
    if (is_next(r, "(")) return read_parentheses(r);
    bool word = is_keyword(r, r->at) || (is_type(r, r->at) && !is_any(r, r->at + 1, "("));
    if (kind == PL_TOKEN_NAME && !word) return read_name(r);
  }
  fail_unknown(r);
  return 0;
}

static void read_arguments(reader *r, int call)
{
  while (!r->problem && !is_next(r, ")")) {
    bool type = is_type(r, r->at) && !is_any(r, r->at + 1, "(");
    int end = r->at;
    while (type && (is_type(r, end) || is_any(r, end, "*") || is_any(r, end - 1, "struct union enum"))) end++;
    adopt(r, call, type ? read_type(r, end) : read_assignment(r));
    if (!accept(r, ",")) break;
  }
  end_node(r, call, ")");
}

/* <double> of C++; in C no expression has a type behind <. */
static void skip_template(reader *r)
{
  if (r->problem || !is_next(r, "<") || !is_type(r, r->at + 1)) return;
  while (r->at < r->end && !is_next(r, "> ; { (")) r->at++;
  expect(r, ">");
}

static int read_postfix(reader *r)
{
  int node = read_primary(r);
  skip_template(r);
  while (!r->problem && is_next(r, "[ ( . -> :: ++ --")) {
    if (is_next(r, "[")) {
      node = open_behind(r, PL_SYNTAX_INDEX, node);
      adopt(r, node, read_expression(r));
      end_node(r, node, "]");
    } else if (is_next(r, "(")) {
      node = open_behind(r, PL_SYNTAX_CALL, node);
      read_arguments(r, node);
    } else {
      bool member = !is_next(r, "++ --");
      node = open_behind(r, member ? PL_SYNTAX_MEMBER : PL_SYNTAX_POSTFIX, node);
      if (member && !is_name(r, r->at)) fail_unknown(r);
      r->at += member;
      close_node(r, node);
    }
  }
  return node;
}

/* Behind sizeof; (T){...} is a value. */
static int read_measured(reader *r)
{
  int close = is_next(r, "(") ? find_close(r, r->at) : 0;
  if (!close || !is_type(r, r->at + 1) || is_any(r, close + 1, "{")) return read_unary(r);
  r->at++;
  int type = read_type(r, close);
  expect(r, ")");
  return type;
}

static int read_unary(reader *r)
{
  int node;
  if (++r->depth > MOST_DEPTH) fail_unknown(r);
  if (!r->problem && is_next(r, "sizeof + - ! ~ * & ++ --")) {
    bool measures = is_next(r, "sizeof");
    node = open_node(r, PL_SYNTAX_UNARY);
    adopt(r, node, measures ? read_measured(r) : read_unary(r));
    close_node(r, node);
  } else {
    node = read_postfix(r);
  }
  r->depth--;
  return node;
}

/* How closely the next token binds as an operator between values; 0: it is none. */
static int binding(const reader *r)
{
  static const char *const levels[] = {"||",    "&&",        "|",     "^",   "&",
                                       "== !=", "< > <= >=", "<< >>", "+ -", "* / %"};
  if (r->at >= r->end || token_at(r, r->at)->kind != PL_TOKEN_PUNCT || is_next(r, "; ) , ] =")) return 0;
  int level = (int)(sizeof levels / sizeof *levels);
  while (level > 0 && !is_next(r, levels[level - 1])) level--;
  return level;
}

static int read_binary(reader *r, int least)
{
  int node = read_unary(r);
  for (int level; !r->problem && (level = binding(r)) > least;) {
    node = open_behind(r, PL_SYNTAX_BINARY, node);
    adopt(r, node, read_binary(r, level));
  }
  return node;
}

static int read_assignment(reader *r)
{
  int node = read_binary(r, 0);
  if (!r->problem && is_next(r, "?")) {
    node = open_behind(r, PL_SYNTAX_CONDITIONAL, node);
    adopt(r, node, read_expression(r));
    expect(r, ":");
    adopt(r, node, read_assignment(r));
  } else if (!r->problem && is_next(r, "= += -= *= /= %= &= |= ^= <<= >>=")) {
    node = open_behind(r, PL_SYNTAX_ASSIGN, node);
    adopt(r, node, read_assignment(r));
  }
  return node;
}

static int read_expression(reader *r)
{
  int node = read_assignment(r);
  while (!r->problem && is_next(r, ",")) {
    node = open_behind(r, PL_SYNTAX_BINARY, node);
    adopt(r, node, read_assignment(r));
  }
  return node;
}

static int read_initialiser(reader *r)
{
  if (is_next(r, "{")) return read_list(r);
  if (!is_next(r, ". [")) return read_assignment(r);
  int node = open_node(r, PL_SYNTAX_DESIGNATED);
  while (r->at < r->end && !is_next(r, "=")) r->at++;
  expect(r, "=");
  adopt(r, node, read_initialiser(r));
  return node;
}

static int read_list(reader *r)
{
  if (++r->depth > MOST_DEPTH) fail_unknown(r);
  int node = open_node(r, PL_SYNTAX_LIST);
  while (!r->problem && !is_next(r, "}")) {
    adopt(r, node, read_initialiser(r));
    if (!accept(r, ",")) break;
  }
  r->depth--;
  return end_node(r, node, "}");
}

/* ---- declarations ---- */

static int read_parameters(reader *r, int open, int close);

/* A name is the type if no type word precedes it. */
static void read_specifiers(reader *r)
{
  bool typed = false;
  r->tree->typedefs |= is_next(r, "typedef");
  for (; is_name(r, r->at); r->at++) {
    if (is_next(r, "struct union enum")) {
      r->at += is_name(r, r->at + 1);
      if (is_any(r, r->at + 1, "{")) r->at = find_close(r, r->at + 1);
      typed = true;
    } else if (is_next(r, "__attribute__ _Alignas alignas _Static_assert") && is_any(r, r->at + 1, "(")) {
      typed |= is_next(r, "_Static_assert");
      r->at = find_close(r, r->at + 1);
    } else if (!pl_is_qualifier(token_at(r, r->at)) && !is_next(r, "typedef extern inline")) {
      if (typed && !pl_is_type_word(token_at(r, r->at))) break;
      typed = true;
    }
  }
  if (!typed) fail(r, "has no type");
}

/* [n] or (parameters) behind the name. */
static int read_suffix(reader *r)
{
  int declared = r->declared, node;
  if (is_next(r, "(")) {
    node = read_parameters(r, r->at, find_close(r, r->at));
    r->declared = declared;
    return node;
  }
  node = open_node(r, PL_SYNTAX_ARRAY);
  while (r->at < r->end && pl_is_qualifier(token_at(r, r->at))) r->at++;
  if (!is_any(r, r->at + 1, "]") || !accept(r, "*"))
    if (!is_next(r, "]")) adopt(r, node, read_expression(r));
  return end_node(r, node, "]");
}

static void read_steps(reader *r, int declarator)
{
  int first = r->at, name;
  if (++r->nesting > MOST_NESTING) fail(r, "is too deeply nested");
  name = r->at = skip_stars(r, first);
  if (!r->problem && accept(r, "(")) {
    read_steps(r, declarator);
    if (!accept(r, ")")) fail(r, "cannot be understood: a ) is missing");
  } else if (!r->problem && is_name(r, r->at)) {
    r->tree->node[declarator].at = r->at;
    r->tree->node_at[r->at++] = declarator;
  }
  while (!r->problem && is_next(r, "[ (")) adopt(r, declarator, read_suffix(r));
  for (int i = name - 1; i >= first && !r->problem; i--)
    if (is_any(r, i, "*")) adopt(r, declarator, add_node(r, PL_SYNTAX_POINTER, i, i));
  if (pl_syntax_child(r->tree, declarator, MOST_NESTING)) fail(r, "is too deeply nested");
  r->nesting--;
}

static int read_declarator(reader *r)
{
  int node = add_node(r, PL_SYNTAX_DECLARATOR, r->at, -1);
  r->nesting = 0;
  if (node) read_steps(r, node);
  close_node(r, node);
  if (r->problem) return 0;
  if (r->tree->node[node].at >= 0) {
    r->tree->node[node].declarator = r->declared;
    r->declared = node;
  }
  return node;
}

static void read_declarators(reader *r, int declaration)
{
  do {
    int node = read_declarator(r);
    adopt(r, declaration, node);
    if (is_next(r, "=")) {
      int init = open_node(r, PL_SYNTAX_INIT);
      adopt(r, init, read_initialiser(r));
      adopt(r, node, init);
    }
  } while (!r->problem && accept(r, ","));
}

static int read_declaration(reader *r)
{
  int node = add_node(r, PL_SYNTAX_DECLARATION, r->at, -1);
  read_specifiers(r);
  if (!is_next(r, ";")) read_declarators(r, node);
  return end_node(r, node, ";");
}

static bool opens_declaration(const reader *r)
{
  int i = r->at;
  if (!is_name(r, i) || is_keyword(r, i)) return false;
  if (is_type(r, i) || is_any(r, i, "__attribute__ _Alignas alignas _Static_assert")) return true;
  if (is_name(r, i + 1)) return !is_keyword(r, i + 1);
  i = skip_stars(r, i + 1);
  return i > r->at + 1 && is_name(r, i) && is_any(r, i + 1, "= ; , [");
}

/* ---- what cannot be read ---- */

/* Forgets the nodes from `mark` on and makes one of the tokens up to `end`. */
static int make_other(reader *r, int mark, int declared, int first, int end)
{
  pl_syntax *tree = r->tree;
  const char *problem = r->problem;
  int failed = r->at < end ? r->at : end;
  while (tree->count > mark) {
    int at = tree->node[--tree->count].at;
    if (at >= 0 && tree->node_at[at] >= mark) tree->node_at[at] = 0;
  }
  r->problem = NULL;
  r->declared = declared;
  r->at = first;
  int node = add_node(r, PL_SYNTAX_OTHER, first, -1);
  if (!node) return 0;
  tree->node[node].at = failed;
  tree->node[node].problem = problem;
  while (r->at < end && !r->err)
    if (is_name(r, r->at) && (r->at == first || !is_any(r, r->at - 1, ". ->")))
      adopt(r, node, read_name(r));
    else
      r->at++;
  tree->node[node].last = end - 1;
  return node;
}

/* Behind the semicolon, or before the brace, that ends the statement at `first`. */
static int end_of_other(const reader *r, int first)
{
  int i = first;
  for (; i < r->end && !is_any(r, i, "} ;") && (i == first || !is_any(r, i, "{")); i++)
    if (is_any(r, i, "( [")) i = find_close(r, i);
  i += is_any(r, i, ";");
  return i > first ? (i < r->end ? i : r->end) : first + 1;
}

/* ---- functions ---- */

/* The comma, or `close`, that ends the parameter at i. */
static int end_of_parameter(const reader *r, int i, int close)
{
  for (; i < close && !is_any(r, i, ","); i++)
    if (is_any(r, i, "( [")) i = find_close(r, i);
  return i < close ? i : close;
}

static int read_parameter(reader *r, int end)
{
  int first = r->at, mark = r->tree->count, declared = r->declared, whole = r->end;
  r->end = end;
  int node = add_node(r, PL_SYNTAX_DECLARATION, first, -1);
  if (first == end) fail(r, "is empty: remove the extra comma");
  if (is_next(r, "...")) fail(r, "is not allowed: a kernel has a fixed number of parameters");
  if (!r->problem) read_specifiers(r);
  if (!r->problem) adopt(r, node, read_declarator(r));
  if (r->at < end) fail_unknown(r);
  r->end = whole;
  close_node(r, node);
  return r->problem ? make_other(r, mark, declared, first, end) : node;
}

static int read_parameters(reader *r, int open, int close)
{
  int nesting = r->nesting, node;
  r->at = open;
  node = open_node(r, PL_SYNTAX_FUNCTION);
  if (close > open + 1 && !(close == open + 2 && is_next(r, "void")))
    for (; r->at <= close && !r->problem; r->at++)
      adopt(r, node, read_parameter(r, end_of_parameter(r, r->at, close)));
  r->nesting = nesting;
  r->at = close + 1;
  return close_node(r, node);
}

/* ---- statements ---- */

static int read_statement(reader *r);

static int read_block(reader *r)
{
  int node = open_node(r, PL_SYNTAX_BLOCK), declared = r->declared;
  while (r->at < r->end && !is_next(r, "}")) adopt(r, node, read_statement(r));
  r->declared = declared;
  accept(r, "}");
  return close_node(r, node);
}

/* An expression, if any, and the token behind it. */
static int read_optional(reader *r, const char *end)
{
  int node = is_next(r, end) ? add_node(r, PL_SYNTAX_EMPTY, r->at, r->at) : read_expression(r);
  expect(r, end);
  return node;
}

static int read_for(reader *r)
{
  int node = open_node(r, PL_SYNTAX_FOR), declared = r->declared;
  expect(r, "(");
  adopt(r, node, opens_declaration(r) ? read_declaration(r) : read_optional(r, ";"));
  adopt(r, node, read_optional(r, ";"));
  adopt(r, node, read_optional(r, ")"));
  if (!r->problem) adopt(r, node, read_statement(r));
  r->declared = declared;
  return close_node(r, node);
}

static void read_condition(reader *r, int node)
{
  expect(r, "(");
  adopt(r, node, read_optional(r, ")"));
}

static int read_control(reader *r)
{
  bool branches = is_next(r, "if"), heads = is_next(r, "if while switch"), loops = is_next(r, "do");
  bool label = is_next(r, "case default"), jumps = is_next(r, "goto");
  int node = open_node(r, PL_SYNTAX_CONTROL);
  if (heads) read_condition(r, node);
  if ((heads || loops) && !r->problem) adopt(r, node, read_statement(r));
  if (branches && !r->problem && accept(r, "else")) adopt(r, node, read_statement(r));
  if (loops) expect(r, "while");
  if (loops) read_condition(r, node);
  if (jumps) r->at++;
  if (!heads && !loops && !jumps) adopt(r, node, read_optional(r, label ? ":" : ";"));
  if (loops || jumps) expect(r, ";");
  return close_node(r, node);
}

/* Macros may stand for statements without a semicolon. */
static int read_expression_statement(reader *r)
{
  int node = is_next(r, ";") ? add_node(r, PL_SYNTAX_EMPTY, r->at, r->at) : read_expression(r);
  bool macro = r->tree->node[node].kind == PL_SYNTAX_CALL || r->tree->node[node].kind == PL_SYNTAX_NAME;
  if (!accept(r, ";") && !macro && r->at < r->end) fail_unknown(r);
  return node;
}

static int read_any_statement(reader *r)
{
  if (token_at(r, r->at)->kind == PL_TOKEN_DIRECTIVE) return open_node(r, PL_SYNTAX_DIRECTIVE);
  if (is_next(r, "{")) return read_block(r);
  if (is_next(r, "for")) return read_for(r);
  if (is_keyword(r, r->at) && !is_next(r, "sizeof")) return read_control(r);
  if (is_name(r, r->at) && is_any(r, r->at + 1, ":")) {
    r->at++;
    return open_node(r, PL_SYNTAX_LABEL);
  }
  return opens_declaration(r) ? read_declaration(r) : read_expression_statement(r);
}

static int read_statement(reader *r)
{
  int mark = r->tree->count, declared = r->declared, first = r->at, node = 0;
  if (r->at >= r->end) return 0;
  if (++r->depth > MOST_DEPTH)
    fail_unknown(r);
  else
    node = read_any_statement(r);
  r->depth--;
  return r->problem && !r->err ? make_other(r, mark, declared, first, end_of_other(r, first)) : node;
}

/* ---- whole texts ---- */

static int read_body(reader *r, int first, int end)
{
  r->at = first;
  r->end = end;
  int node = add_node(r, PL_SYNTAX_BLOCK, first, -1);
  while (r->at < end && !r->err) adopt(r, node, read_statement(r));
  return close_node(r, node);
}

static reader open_reader(pl_syntax *tree)
{
  reader r = {.tree = tree, .declared = tree->declared};
  if (!tree->count) add_node(&r, PL_SYNTAX_OTHER, 0, -1);
  return r;
}

pl_err pl_syntax_read_statements(pl_syntax *tree, int first, int end, int *block)
{
  reader r = open_reader(tree);
  if (!r.err) *block = read_body(&r, first, end);
  tree->declared = r.declared;
  return r.err;
}

pl_err pl_syntax_read_function(pl_syntax *tree, int open, int close, int body, int end, int *parameters,
                               int *block)
{
  reader r = open_reader(tree);
  r.end = tree->tokens.count - 1;
  if (!r.err) *parameters = read_parameters(&r, open, close);
  if (!r.err && end > 0) *block = read_body(&r, body, end);
  return r.err;
}
