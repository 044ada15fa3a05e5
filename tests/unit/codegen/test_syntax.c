/* SPDX-License-Identifier: BSD-2-Clause
 * Syntax trees of expressions, declarations and statements, and of text that cannot be read.
 */
#include "codegen/syntax/syntax_read.h"
#include "kernel_text.h"

/* Writes a node as (token child child), a list without a token of its own as (child child). */
static void write_node(const pl_syntax *tree, int node, char *out, size_t size)
{
  const pl_syntax_node *n = &tree->node[node];
  const bool list = n->kind == PL_SYNTAX_DECLARATION || n->at < 0;
  const char *open = n->kind == PL_SYNTAX_OTHER ? "?" : n->child || list ? "(" : "";
  const pl_token *token = list || n->kind == PL_SYNTAX_OTHER ? NULL : &tree->tokens.item[n->at];
  size_t used = strlen(out);
  snprintf(out + used, size - used, "%s%.*s", open, token ? (int)token->length : 0, token ? token->text : "");
  for (int k = n->child; k; k = tree->node[k].next) {
    strcat(out, k == n->child && !token ? "" : " ");
    write_node(tree, k, out, size - 8);
  }
  strcat(out, *open == '(' ? ")" : "");
}

static void expect_tree(const char *text, const char *expected)
{
  pl_syntax tree;
  int block = 0;
  char out[512] = "";
  OK(pl_syntax_open(pl, text, strlen(text), 1, &tree));
  OK(pl_syntax_read_statements(&tree, 0, tree.tokens.count - 1, &block));
  for (int k = tree.node[block].child; k; k = tree.node[k].next) write_node(&tree, k, out, sizeof out);
  expect_same(out, expected);
  pl_syntax_free(&tree);
}

static void test_expressions(void)
{
  expect_tree("a + b * c - d", "(- (+ a (* b c)) d)");
  expect_tree("a = b = c ? d : e, f", "(, (= a (= b (? c d e))) f)");
  expect_tree("-*x[2][i++].re", "(- (* (. ([ ([ x 2) (++ i)))))");
  expect_tree("a = twice<double>(b)", "(= a (( twice b))");
  expect_tree("f(a, (b), p->q(c))", "(( f a (( b) (( (-> p) c))");
  expect_tree("(double)x / (y) - (T)z", "(- (/ (( () x) (( y)) (( (T) z))");
  expect_tree("sizeof(int) + sizeof x * (vec){1, 2}.x",
              "(+ (sizeof ()) (* (sizeof x) (. (( (vec) ({ 1 2)))))");
  expect_tree("a < b == c & d || e && f << 2", "(|| (& (== (< a b) c) d) (&& e (<< f 2)))");
}

static void test_statements(void)
{
  expect_tree("const double *x = 0, y[2][n] = {1, {2}};", "((x * (= 0)) (y ([ 2) ([ n) (= ({ 1 ({ 2)))))");
  expect_tree("double (*p)[3]; T v; a * b;", "((p * ([ 3)))(v)((b *))");
  expect_tree("double f(struct { int a, b; } s, int k), g(int[n(1, 2)], T);",
              "((f (( (s) (k))) (g (( ((([ (( n 1 2)))) (()))))");
  expect_tree("typedef double T; y = (T)-x;", "(T)(= y (( () (- x)))");
  expect_tree("for (int i = 0; i < 2; i++) { x; }", "(for ((i (= 0))) (< i 2) (++ i) ({ x))");
  expect_tree("if (a) b; else while (c) { break; }", "(if a b (while c ({ (break ;))))");
  expect_tree("do x++; while (x < 3); return -1;", "(do (++ x) (< x 3))(return (- 1))");
  expect_tree("switch (a) { case 1: b; default: goto end; } end: ;",
              "(switch a ({ (case 1) b (default :) goto)):;");
  expect_tree("UNROLL(4) for (;;) x = s.y = (struct t *)z;",
              "(( UNROLL 4)(for ; ; ) (= x (= (. s) (( () z))))");
}

/* The rest of the text is read. */
static void test_unknown(void)
{
  expect_tree("x = y z; a = b;", "?x y z(= a b)");
  expect_tree("f([](int i) { x; }); a;", "?f int i xa");
  expect_tree("x[0", "?x");
  expect_tree("double f(struct { int a, b; } 2, int k);", "((f (( ?struct int a b (k))))");
  expect_tree("EACH(int i = 0; i < 3) { x; }", "?EACH int i i({ x)");
}

static CU_TestInfo tests[] = {{"expressions", test_expressions},
                              {"statements", test_statements},
                              {"unknown text", test_unknown},
                              CU_TEST_INFO_NULL};

int main(void)
{
  return suite_run_each("syntax", open_text_context, close_text_context, tests);
}
