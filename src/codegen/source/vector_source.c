/* SPDX-License-Identifier: BSD-2-Clause
 * Walks the syntax tree of a kernel: which expressions are vectors, and whether C takes them as such.
 */
#include "vector_source.h"
#include "codegen/kernel/signature.h"
#include "core/data/objects.h"
#include "tables.h"
#include <string.h>

/* MARK_TYPE: the token becomes pl_vector. MARK_NAME: it gets the prefix pl_vector_. The other marks open a
 * parenthesis. MARK_SPREAD: a scalar is assigned as a vector; subtracting zeros leaves its bits. MARK_DOUBLE:
 * beside a vector it is a double, as in C. MARK_CAST, counted: both values of a condition get the same type,
 * which gcc takes for different ones if one is const. */
enum { MARK_TYPE = 1, MARK_NAME = 2, MARK_SPREAD = 4, MARK_DOUBLE = 8, MARK_CAST = 16, MOST_CASTS = 15 };

extern const char pl_template_vectors_host[];

static const char *const functions[] = {"sqrt", "fabs", "exp", "log", "sin", "cos", "tan", "cbrt", "tanh"};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

typedef struct walk {
  const pl_assembly *program;
  const pl_unit *unit; /* the kernel's function */
  const pl_syntax *tree;
  const pl_arg *args;
  pl_vector_source *source;
  bool possible;
} walk;

static bool visit(walk *w, int node);

static bool fails(walk *w)
{
  w->possible = false;
  return false;
}

static const pl_syntax_node *node_at(const walk *w, int node)
{
  return &w->tree->node[node];
}

static void open_node(walk *w, int node, int mark)
{
  const pl_syntax_node *n = node_at(w, node);
  w->source->mark[n->first] |= (unsigned char)mark;
  w->source->closing[n->last]++;
}

static void cast_node(walk *w, int node)
{
  unsigned char *mark = &w->source->mark[node_at(w, node)->first];
  if (*mark / MARK_CAST == MOST_CASTS) {
    w->possible = false;
    return;
  }
  *mark = (unsigned char)(*mark + MARK_CAST);
  w->source->closing[node_at(w, node)->last]++;
}

/* ---- variables ---- */

static bool is_parameter(const walk *w, int declarator)
{
  return declarator > w->unit->parameters && declarator < w->unit->code;
}

static int parameter_of(const walk *w, int declarator)
{
  const int at = node_at(w, declarator)->at;
  return at < 0 ? -1 : pl_signature_find(w->program->signature, pl_piece_token(w->source->piece, at));
}

/* const double t[2] = {0.5, 1}: numbers that all elements read. */
static bool is_table(const walk *w, int declaration, int declarator)
{
  const pl_syntax_node *init = node_at(w, node_at(w, declarator)->tail);
  const pl_syntax_node *list = node_at(w, init->child);
  return pl_syntax_specifies(w->tree, declaration, "const") && init->kind == PL_SYNTAX_INIT &&
         list->kind == PL_SYNTAX_LIST && pl_is_number_list(w->source->piece, list->first, list->last);
}

static const char *real_words(const walk *w)
{
  return w->program->real == PL_DOUBLE ? "double pl_real" : "double";
}

static bool is_vector_variable(const walk *w, int declarator)
{
  const int declaration = node_at(w, declarator)->parent;
  if (is_parameter(w, declarator)) {
    const int p = parameter_of(w, declarator);
    return p >= 0 && pl_arg_is_vector(&w->args[p]);
  }
  return declarator > w->unit->code && declarator < w->unit->behind &&
         pl_syntax_specifies(w->tree, declaration, real_words(w)) &&
         !pl_syntax_specifies(w->tree, declaration, "static") && !is_table(w, declaration, declarator);
}

/* Brackets and stars that the expression lacks before it is a value. */
static int levels_of(const walk *w, int node)
{
  const pl_syntax_node *n = node_at(w, node);
  int levels = 0;
  switch (n->kind) {
  case PL_SYNTAX_NAME:
    for (int k = node_at(w, n->declarator)->child; k; k = node_at(w, k)->next)
      levels += node_at(w, k)->kind == PL_SYNTAX_ARRAY || node_at(w, k)->kind == PL_SYNTAX_POINTER;
    return levels;
  case PL_SYNTAX_PARENTHESES:
    return levels_of(w, n->child);
  case PL_SYNTAX_INDEX:
    return levels_of(w, n->child) - 1;
  default:
    return pl_syntax_is(w->tree, node, PL_SYNTAX_UNARY, "*") ? levels_of(w, n->child) - 1 : 0;
  }
}

/* ---- expressions: each function returns whether the expression is a vector ---- */

static bool visit_value(walk *w, int node)
{
  const bool vector = visit(w, node);
  return vector && levels_of(w, node) ? fails(w) : vector;
}

static void visit_scalar(walk *w, int node)
{
  if (visit_value(w, node)) w->possible = false;
}

static bool visit_scalars(walk *w, int node)
{
  for (int k = node_at(w, node)->child; k; k = node_at(w, k)->next) visit_scalar(w, k);
  return false;
}

static bool visit_name(walk *w, int node)
{
  const int declarator = node_at(w, node)->declarator;
  return declarator && is_vector_variable(w, declarator);
}

/* A compiler that contracts a * b + c does so for scalars and for vectors, but not for a product of scalars
 * that is added to a vector: there the bits would differ. */
static void refuse_product(walk *w, int operator, int scalar)
{
  while (node_at(w, scalar)->kind == PL_SYNTAX_PARENTHESES || node_at(w, scalar)->kind == PL_SYNTAX_CAST ||
         pl_syntax_is(w->tree, scalar, PL_SYNTAX_UNARY, "+ -"))
    scalar = node_at(w, scalar)->tail;
  if (pl_piece_in(w->source->piece, node_at(w, operator)->at, "+ - += -=") &&
      pl_syntax_is(w->tree, scalar, PL_SYNTAX_BINARY, "*"))
    w->possible = false;
}

static bool visit_arithmetic(walk *w, int node)
{
  const int left = node_at(w, node)->child, right = node_at(w, node)->tail;
  const bool a = visit_value(w, left), b = visit_value(w, right);
  const int scalar = a ? right : left;
  if (a == b) return a;
  refuse_product(w, node, scalar);
  open_node(w, scalar, MARK_DOUBLE);
  return true;
}

static bool visit_unary(walk *w, int node)
{
  const int operand = node_at(w, node)->tail;
  if (pl_syntax_is(w->tree, node, PL_SYNTAX_UNARY, "+ -")) return visit_value(w, operand);
  if (pl_syntax_is(w->tree, node, PL_SYNTAX_UNARY, "*")) return visit(w, operand);
  return visit_scalars(w, node);
}

static bool visit_conditional(walk *w, int node)
{
  const int condition = node_at(w, node)->child, first = node_at(w, condition)->next;
  const int value[] = {first, node_at(w, first)->next};
  bool vector[2];
  visit_scalar(w, condition);
  for (int i = 0; i < 2; i++) vector[i] = visit_value(w, value[i]);
  for (int i = 0; i < 2 && (vector[0] || vector[1]); i++) {
    if (!vector[i]) open_node(w, value[i], MARK_SPREAD);
    cast_node(w, value[i]);
  }
  return vector[0] || vector[1];
}

static bool visit_assign(walk *w, int node)
{
  const int left = node_at(w, node)->child, right = node_at(w, node)->tail;
  const bool to = visit_value(w, left), from = visit_value(w, right);
  if (from && !to) return fails(w);
  if (!to) return false;
  if (!pl_syntax_is(w->tree, node, PL_SYNTAX_ASSIGN, "= += -= *= /=")) return fails(w);
  if (from) return true;
  refuse_product(w, node, right);
  open_node(w, right, MARK_SPREAD);
  return true;
}

/* sqrtl. */
static bool may_be_long_double(const walk *w, const pl_token *function)
{
  return pl_token_end(function)[-1] == 'l' && !pl_assembly_defines(w->program, function);
}

static bool visit_call(walk *w, int node)
{
  const int function = node_at(w, node)->child, first = node_at(w, function)->next;
  const pl_token *name = pl_piece_token(w->source->piece, node_at(w, function)->first);
  bool any = false;
  for (int k = first; k; k = node_at(w, k)->next) any |= visit_value(w, k);
  if (!any) return may_be_long_double(w, name) ? fails(w) : false;
  if (node_at(w, function)->kind != PL_SYNTAX_NAME || node_at(w, first)->next ||
      pl_assembly_defines(w->program, name))
    return fails(w);
  for (int i = 0; i < FUNCTIONS; i++) {
    if (!pl_token_is(name, functions[i])) continue;
    w->source->called |= 1u << i;
    w->source->mark[node_at(w, function)->first] |= MARK_NAME;
    return true;
  }
  return fails(w);
}

static bool visit(walk *w, int node)
{
  const pl_syntax_node *n = node_at(w, node);
  switch (n->kind) {
  case PL_SYNTAX_EMPTY:
  case PL_SYNTAX_LITERAL:
    return false;
  case PL_SYNTAX_NAME:
    return visit_name(w, node);
  case PL_SYNTAX_PARENTHESES:
    return visit(w, n->child);
  case PL_SYNTAX_INDEX:
    visit_scalar(w, n->tail);
    return visit(w, n->child);
  case PL_SYNTAX_CALL:
    return visit_call(w, node);
  case PL_SYNTAX_UNARY:
    return visit_unary(w, node);
  case PL_SYNTAX_BINARY:
    if (!pl_syntax_is(w->tree, node, PL_SYNTAX_BINARY, "+ - * /")) return visit_scalars(w, node);
    return visit_arithmetic(w, node);
  case PL_SYNTAX_CONDITIONAL:
    return visit_conditional(w, node);
  case PL_SYNTAX_ASSIGN:
    return visit_assign(w, node);
  case PL_SYNTAX_MEMBER:
  case PL_SYNTAX_POSTFIX:
  case PL_SYNTAX_CAST:
  case PL_SYNTAX_TYPE:
    return visit_scalars(w, node);
  default:
    return fails(w);
  }
}

/* ---- declarations and statements ---- */

static void mark_type(walk *w, int declaration)
{
  const pl_syntax_node *n = node_at(w, declaration);
  bool any = false;
  for (int i = n->first; i < node_at(w, n->child)->first; i++) {
    if (pl_piece_in(w->source->piece, i, "struct union typedef")) w->possible = false;
    if (!pl_piece_in(w->source->piece, i, real_words(w))) continue;
    w->source->mark[i] |= MARK_TYPE;
    any = true;
  }
  if (!any) w->possible = false;
}

static void visit_initial(walk *w, int node, bool vector)
{
  const pl_syntax_node *n = node_at(w, node);
  if (n->kind == PL_SYNTAX_LIST) {
    for (int k = n->child; k; k = node_at(w, k)->next) visit_initial(w, k, vector);
    return;
  }
  const bool from = visit_value(w, node);
  if (from && !vector) w->possible = false;
  if (!from && vector) open_node(w, node, MARK_SPREAD);
}

static void visit_declarator(walk *w, int declarator, bool vector)
{
  for (int k = node_at(w, declarator)->child; k; k = node_at(w, k)->next) {
    const pl_syntax_node *step = node_at(w, k);
    if (step->kind == PL_SYNTAX_INIT)
      visit_initial(w, step->child, vector);
    else if (step->kind == PL_SYNTAX_ARRAY)
      visit_scalars(w, k);
    else if (vector)
      w->possible = false; /* an alias */
  }
}

/* A declaration has one type word, which becomes pl_vector for all its variables or for none. */
static void visit_declaration(walk *w, int node)
{
  int vectors = 0, scalars = 0;
  for (int k = node_at(w, node)->child; k; k = node_at(w, k)->next) {
    const bool vector = is_vector_variable(w, k);
    vectors += vector;
    scalars += !vector;
    visit_declarator(w, k, vector);
  }
  if (vectors && scalars) w->possible = false;
  if (vectors) mark_type(w, node);
}

static void visit_statement(walk *w, int node);

static void visit_statements(walk *w, int node)
{
  for (; node; node = node_at(w, node)->next) visit_statement(w, node);
}

/* if, while, switch, return and case have their expression first, do has it last. */
static void visit_control(walk *w, int node)
{
  int k = node_at(w, node)->child;
  const bool first = pl_syntax_is(w->tree, node, PL_SYNTAX_CONTROL, "if while switch return case");
  if (k && first) {
    visit_scalar(w, k);
    k = node_at(w, k)->next;
  }
  if (pl_syntax_is(w->tree, node, PL_SYNTAX_CONTROL, "do")) visit_scalar(w, node_at(w, node)->tail);
  visit_statements(w, k);
}

static void visit_for(walk *w, int node)
{
  const int start = node_at(w, node)->child, condition = node_at(w, start)->next;
  visit_statement(w, start);
  visit_scalar(w, condition);
  visit_statements(w, node_at(w, condition)->next);
}

static void visit_statement(walk *w, int node)
{
  switch (node_at(w, node)->kind) {
  case PL_SYNTAX_BLOCK:
  case PL_SYNTAX_LABEL:
    visit_statements(w, node_at(w, node)->child);
    break;
  case PL_SYNTAX_DECLARATION:
    visit_declaration(w, node);
    break;
  case PL_SYNTAX_FOR:
    visit_for(w, node);
    break;
  case PL_SYNTAX_CONTROL:
    visit_control(w, node);
    break;
  default:
    visit(w, node);
  }
}

/* ---- the function ---- */

static void visit_parameters(walk *w)
{
  for (int k = node_at(w, w->unit->parameters)->child; k; k = node_at(w, k)->next) {
    const int declarator = node_at(w, k)->child;
    if (node_at(w, k)->kind != PL_SYNTAX_DECLARATION || !declarator) {
      w->possible = false;
      return;
    }
    if (is_vector_variable(w, declarator)) mark_type(w, k);
  }
}

/* Headers that define no macros for values of kernels, and no functions of types above double but those of
 * <math.h> whose names end in l; and those that are left out. */
static bool is_known_include(const pl_assembly *program, const pl_token *directive)
{
  pl_lexer rest;
  const pl_token word = pl_directive_open(directive, &rest), file = pl_included_file(program, directive);
  return pl_token_is(&word, "include") &&
         (!file.length || pl_token_in(&file, "<math.h> <stdint.h> <stddef.h> <stdbool.h> <stdalign.h> "
                                             "<stdlib.h> <string.h> <ufcx.h>"));
}

/* A literal of type long double. */
static bool is_long_real(const pl_token *token)
{
  const char *end = pl_token_end(token);
  bool real = false;
  for (const char *c = token->text; c < end; c++) real |= strchr(".eEpP", *c) != NULL;
  return token->kind == PL_TOKEN_NUMBER && real && (end[-1] == 'l' || end[-1] == 'L');
}

/* Macros may hide values, conditions may choose among functions, and a scalar of a type above double would
 * give expressions this type, also where it stands beside a vector. */
static bool is_plain(const pl_assembly *program, const pl_token *token)
{
  if (token->kind == PL_TOKEN_DIRECTIVE) return is_known_include(program, token);
  return !pl_token_in(token, "long _Complex complex pl_cdouble pl_cfloat") && !is_long_real(token);
}

static bool are_plain(const pl_assembly *program)
{
  for (int p = 0; p < program->count; p++) {
    const pl_tokens *tokens = &program->piece[p].outline.tokens;
    for (int i = 0; i < tokens->count; i++)
      if (!is_plain(program, &tokens->item[i])) return false;
  }
  return true;
}

static void walk_function(walk *w)
{
  w->source->mark[w->unit->name] |= MARK_NAME;
  visit_parameters(w);
  visit_statement(w, w->unit->code);
}

pl_err pl_vector_source_find(const pl_assembly *program, const pl_arg *args, pl_vector_source *source,
                             bool *possible)
{
  const pl_piece *piece = &program->piece[program->count - 1];
  const char *name = program->kernel->name;
  const pl_unit *unit = pl_kernel_outline_find(&piece->outline, name, strlen(name));
  *source = (pl_vector_source){.piece = piece};
  *possible = unit && unit->code && !program->fewer_rules && are_plain(program);
  if (!*possible) return PL_SUCCESS;
  PL_TRY(PL_NEW(program->pl, source->mark, 2 * (size_t)piece->outline.tokens.count));
  source->closing = source->mark + piece->outline.tokens.count;
  walk w = {.program = program,
            .unit = unit,
            .tree = &piece->outline.syntax,
            .args = args,
            .source = source,
            .possible = true};
  walk_function(&w);
  *possible = w.possible;
  return PL_SUCCESS;
}

void pl_vector_source_free(pl_context *pl, pl_vector_source *source)
{
  pl_free(pl, source->mark);
  *source = (pl_vector_source){.mark = NULL};
}

/* ---- text ---- */

void pl_print_vector_functions(const pl_vector_source *source, pl_string *text)
{
  pl_string_add(text, "%s", pl_template_vectors_host);
  for (int i = 0; i < FUNCTIONS; i++)
    if (source->called >> i & 1) pl_string_add(text, "PL_VECTOR_FUNCTION(%s)\n", functions[i]);
}

void pl_write_vector_before(pl_writer *w, int i)
{
  const pl_token *token = pl_piece_token(w->piece, i);
  const int mark = w->vectors->mark[i];
  if (!mark) return;
  pl_writer_copy(w, token->text);
  if (mark & MARK_TYPE) pl_writer_omit(w, token->text, pl_token_end(token));
  for (int k = 0; k < mark / MARK_CAST; k++) pl_string_add(w->out, "(pl_vector)(");
  pl_string_add(w->out, "%s%s%s%s", mark & MARK_TYPE ? "pl_vector" : "", mark & MARK_NAME ? "pl_vector_" : "",
                mark & MARK_SPREAD ? "PL_EACH_LANE(" : "", mark & MARK_DOUBLE ? "(double)(" : "");
}

void pl_write_vector_behind(pl_writer *w, int i)
{
  if (!w->vectors->closing[i]) return;
  pl_writer_copy(w, pl_token_end(pl_piece_token(w->piece, i)));
  for (int k = 0; k < w->vectors->closing[i]; k++) pl_string_add(w->out, ")");
}
