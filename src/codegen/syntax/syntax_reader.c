/* SPDX-License-Identifier: BSD-2-Clause
 * The reader's place in the tokens, the nodes it adds, the names and types it knows.
 */
#include "syntax_reader.h"
#include "core/base/hash.h"
#include "core/context/error.h"
#include "core/context/memory.h"

/* ---- tokens ---- */

const pl_token *pl_reader_token(const pl_reader *r, int i)
{
  return &r->tree->tokens.item[i];
}

bool pl_reader_any(const pl_reader *r, int i, const char *words)
{
  return i < r->end && pl_tokens_in(&r->tree->tokens, i, words);
}

bool pl_reader_next(const pl_reader *r, const char *words)
{
  return pl_reader_any(r, r->at, words);
}

bool pl_reader_name(const pl_reader *r, int i)
{
  return i < r->end && pl_reader_token(r, i)->kind == PL_TOKEN_NAME;
}

void pl_reader_fail(pl_reader *r, const char *problem)
{
  if (!r->problem) r->problem = problem;
}

void pl_reader_fail_unknown(pl_reader *r)
{
  pl_reader_fail(r, "cannot be understood");
}

bool pl_reader_accept(pl_reader *r, const char *words)
{
  bool found = pl_reader_next(r, words);
  r->at += found;
  return found;
}

void pl_reader_expect(pl_reader *r, const char *word)
{
  if (!pl_reader_accept(r, word)) pl_reader_fail_unknown(r);
}

int pl_reader_match(const pl_reader *r, int i)
{
  int close = pl_tokens_match(&r->tree->tokens, i);
  return close < 0 || close >= r->end ? r->end - 1 : close;
}

/* ---- nodes ---- */

int pl_reader_add(pl_reader *r, pl_syntax_kind kind, int first, int at)
{
  pl_syntax *tree = r->tree;
  if (PL_GROW(tree->pl, tree->node, tree->capacity, tree->count + 1)) {
    r->err = PL_ERR_MEMORY;
    pl_reader_fail_unknown(r);
    r->at = r->end;
    return 0;
  }
  tree->node[tree->count] = (pl_syntax_node){.kind = kind, .at = at, .first = first, .last = first};
  if (at >= 0 && kind != PL_SYNTAX_EMPTY) tree->node_at[at] = tree->count;
  return tree->count++;
}

void pl_reader_adopt(pl_reader *r, int parent, int child)
{
  pl_syntax_node *node = r->tree->node;
  if (!parent || !child) return;
  node[child].parent = parent;
  *(node[parent].child ? &node[node[parent].tail].next : &node[parent].child) = child;
  node[parent].tail = child;
  if (node[child].last > node[parent].last) node[parent].last = node[child].last;
}

int pl_reader_close(pl_reader *r, int node)
{
  if (node && r->at > r->tree->node[node].first) r->tree->node[node].last = r->at - 1;
  return node;
}

int pl_reader_end(pl_reader *r, int node, const char *word)
{
  pl_reader_expect(r, word);
  return pl_reader_close(r, node);
}

int pl_reader_open_behind(pl_reader *r, pl_syntax_kind kind, int left)
{
  int node = pl_reader_add(r, kind, left ? r->tree->node[left].first : r->at, r->at);
  pl_reader_adopt(r, node, left);
  r->at++;
  return node;
}

int pl_reader_open(pl_reader *r, pl_syntax_kind kind)
{
  return pl_reader_open_behind(r, kind, 0);
}

/* ---- names ---- */

/* The latest DECLARATOR in scope whose name has this hash. */
static int *bucket_of(const pl_reader *r, int name)
{
  const pl_token *token = pl_reader_token(r, name);
  return &r->tree->bucket[pl_hash(PL_HASH_START, token->text, token->length) % PL_SYNTAX_BUCKETS];
}

void pl_reader_declare(pl_reader *r, int declarator)
{
  pl_syntax_node *node = &r->tree->node[declarator];
  int *bucket = bucket_of(r, node->at);
  node->declarator = r->declared;
  node->older = *bucket;
  *bucket = r->declared = declarator;
}

void pl_reader_leave(pl_reader *r, int declared)
{
  while (r->declared != declared) {
    const pl_syntax_node *node = &r->tree->node[r->declared];
    *bucket_of(r, node->at) = node->older;
    r->declared = node->declarator;
  }
}

/* The DECLARATOR in scope for the name at token i. */
static int find_declarator(const pl_reader *r, int i)
{
  int k = *bucket_of(r, i);
  while (k && !pl_token_same(pl_reader_token(r, r->tree->node[k].at), pl_reader_token(r, i)))
    k = r->tree->node[k].older;
  return k;
}

int pl_read_name(pl_reader *r)
{
  int node = pl_reader_add(r, PL_SYNTAX_NAME, r->at, r->at);
  if (node) r->tree->node[node].declarator = find_declarator(r, r->at);
  r->at++;
  return node;
}

/* ---- types ---- */

bool pl_reader_keyword(const pl_reader *r, int i)
{
  return pl_reader_any(r, i, "if else for while do switch case default return break continue goto sizeof");
}

bool pl_reader_type(const pl_reader *r, int i)
{
  int node = r->tree->typedefs && pl_reader_name(r, i) ? find_declarator(r, i) : 0;
  if (node) return pl_syntax_specifies(r->tree, r->tree->node[node].parent, "typedef");
  return pl_reader_name(r, i) &&
         (pl_is_type_word(pl_reader_token(r, i)) || pl_is_qualifier(pl_reader_token(r, i)) ||
          pl_reader_any(r, i, "size_t ptrdiff_t auto typedef extern inline"));
}

int pl_reader_skip_stars(const pl_reader *r, int i)
{
  while (pl_reader_any(r, i, "*") || (pl_reader_name(r, i) && pl_is_qualifier(pl_reader_token(r, i)))) i++;
  return i;
}

bool pl_reader_holds_type(const pl_reader *r, int i, int close)
{
  if (pl_reader_type(r, i)) return true;
  if (!pl_reader_name(r, i) || pl_reader_keyword(r, i)) return false;
  if (i + 1 < close) return pl_reader_skip_stars(r, i + 1) == close;
  return pl_reader_any(r, close + 1, "( { ~ !") ||
         (close + 1 < r->end && pl_reader_token(r, close + 1)->kind != PL_TOKEN_PUNCT);
}

int pl_read_type(pl_reader *r, int end)
{
  int node = pl_reader_add(r, PL_SYNTAX_TYPE, r->at, -1);
  while (r->at < end) {
    if (pl_reader_name(r, r->at) && !pl_reader_type(r, r->at) &&
        !pl_reader_any(r, r->at - 1, "struct union enum"))
      pl_reader_adopt(r, node, pl_read_name(r));
    else
      r->at++;
  }
  return pl_reader_close(r, node);
}
