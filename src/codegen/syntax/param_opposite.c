/* SPDX-License-Identifier: BSD-2-Clause
 * Pairs the increments of two parameters that have the same terms and opposite signs.
 */
#include "param_opposite.h"

/* The terms of a pair are evaluated twice, so they have no calls and change nothing; what they depend on does
 * not change, since only increments of both parameters are between them. */

typedef struct increment {
  int side; /* 0: of a, 1: of b */
  bool negative;
  int place; /* the number of the value; in a loop 0 */
  int term;
} increment;

typedef struct pairs {
  const pl_syntax *tree;
  const pl_tracked *side[2];
  uint64_t done; /* values of both sides */
  int nopen;     /* increments without the other side */
  increment open[PL_TRACKED_VALUES];
} pairs;

static int uses(const pairs *p, int statement)
{
  return pl_tracked_count(p->side[0], statement) + pl_tracked_count(p->side[1], statement);
}

static bool changes_nothing(const pl_syntax *tree, int term)
{
  const pl_syntax_node *node = &tree->node[term];
  const bool plain = node->kind == PL_SYNTAX_NAME || node->kind == PL_SYNTAX_LITERAL ||
                     node->kind == PL_SYNTAX_PARENTHESES || node->kind == PL_SYNTAX_INDEX ||
                     node->kind == PL_SYNTAX_MEMBER ||
                     pl_syntax_is(tree, term, PL_SYNTAX_BINARY, "+ - * /") ||
                     pl_syntax_is(tree, term, PL_SYNTAX_UNARY, "+ - *");
  bool good = plain;
  for (int child = node->child; good && child; child = tree->node[child].next)
    good = changes_nothing(tree, child);
  return good;
}

/* counter: of the loop around the statement, or 0. */
static bool read_place(const pl_tracked *x, int value, int counter, int *place)
{
  *place = 0;
  if (pl_tracked_node(x, value)->kind == PL_SYNTAX_UNARY) return !counter;
  const int index = pl_syntax_child(x->tree, value, 1);
  if (counter) return pl_tracked_is_variable(x, index, counter);
  *place = pl_tracked_number(x, index);
  return *place >= 0 && *place < PL_TRACKED_VALUES;
}

static bool read_increment(const pairs *p, int statement, int counter, increment *found)
{
  const pl_syntax *tree = p->tree;
  if (!pl_syntax_is(tree, statement, PL_SYNTAX_ASSIGN, "+= -=") || uses(p, statement) != 1) return false;
  const int value = tree->node[statement].child, name = tree->node[value].child;
  const int side = pl_tracked_is(p->side[1], name), term = pl_syntax_child(tree, statement, 1);
  const pl_tracked *x = p->side[side];
  *found = (increment){side, pl_syntax_is(tree, statement, PL_SYNTAX_ASSIGN, "-="), 0, term};
  return pl_tracked_is(x, name) && pl_tracked_value(x, name) == value &&
         read_place(x, value, counter, &found->place) && changes_nothing(tree, term);
}

/* Pairs it with an open increment of the other side, or opens it. values: 1 or those of a loop. */
static bool add_increment(pairs *p, const increment *i, uint64_t values)
{
  const uint64_t bits = values << i->place;
  if (p->done & bits) return false;
  for (int o = 0; o < p->nopen; o++) {
    const increment *other = &p->open[o];
    if (other->place != i->place) continue;
    if (other->side == i->side || other->negative == i->negative ||
        !pl_syntax_same(p->tree, other->term, i->term))
      return false;
    p->open[o] = p->open[--p->nopen];
    p->done |= bits;
    return true;
  }
  if (p->nopen == PL_TRACKED_VALUES) return false;
  p->open[p->nopen++] = *i;
  return true;
}

/* Statements from `first` on; of a loop with `counter` over `values`, or 0 and 1. */
static bool read_statements(pairs *p, int first, int counter, uint64_t values);

static bool read_loop(pairs *p, int loop)
{
  int n = 0;
  if (p->tree->node[loop].kind != PL_SYNTAX_FOR) return false;
  const int counter = pl_tracked_counter(p->side[0], loop, &n), body = pl_syntax_child(p->tree, loop, 3);
  if (!counter || p->tree->node[body].kind != PL_SYNTAX_BLOCK || uses(p, body) != uses(p, loop) ||
      !pl_tracked_by(p->side[0], body, counter) || !pl_tracked_by(p->side[1], body, counter))
    return false;
  const uint64_t values = n == PL_TRACKED_VALUES ? UINT64_MAX : (UINT64_C(1) << n) - 1;
  return read_statements(p, p->tree->node[body].child, counter, values);
}

static bool read_statements(pairs *p, int first, int counter, uint64_t values)
{
  for (int s = first; s; s = p->tree->node[s].next) {
    increment i;
    const bool one = read_increment(p, s, counter, &i);
    if (one && !add_increment(p, &i, values)) return false;
    if (!one && p->nopen) return false;
    if (!one && uses(p, s) && (counter || !read_loop(p, s))) return false;
  }
  return !p->nopen;
}

int pl_params_opposite(const pl_syntax *tree, int block, const pl_tracked *a, const pl_tracked *b)
{
  pairs p = {.tree = tree, .side = {a, b}};
  int n = 0;
  if (!pl_tracked_is_plain(a, block) || !pl_tracked_is_plain(b, block)) return 0;
  while (tree->node[tree->node[block].child].kind == PL_SYNTAX_BLOCK &&
         !tree->node[tree->node[block].child].next)
    block = tree->node[block].child;
  if (!read_statements(&p, tree->node[block].child, 0, 1)) return 0;
  while (n < PL_TRACKED_VALUES && p.done >> n & 1) n++;
  return n == PL_TRACKED_VALUES || !(p.done >> n) ? n : 0;
}
