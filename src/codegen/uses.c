/* SPDX-License-Identifier: BSD-2-Clause */
#include "uses.h"
#include <limits.h>
#include <stdlib.h>

static bool is_at(const pl_tokens *tokens, int i, const char *word)
{
  return i >= 0 && i < tokens->count && pl_token_is(&tokens->item[i], word);
}

static bool is_one_of(const pl_tokens *tokens, int i, const char *const *words)
{
  for (; *words; words++)
    if (is_at(tokens, i, *words)) return true;
  return false;
}

static bool is_assignment(const pl_tokens *tokens, int i)
{
  static const char *const words[] = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--", NULL};
  return is_one_of(tokens, i, words);
}

static bool is_step(const pl_tokens *tokens, int i)
{
  static const char *const words[] = {"++", "--", NULL};
  return is_one_of(tokens, i, words);
}

/* What makes nothing of a zero. */
static bool is_factor(const pl_tokens *tokens, int i)
{
  static const char *const words[] = {"*=", "/=", "%=", "&=", "<<=", ">>=", NULL};
  return is_one_of(tokens, i, words);
}

/* Declared is a name after another name, and after the stars behind one that begins a statement: double x[3],
 * const double *x; but not a * x. */
static bool is_declared(const pl_tokens *tokens, int first, int i)
{
  static const char *const operators[] = {"return", "else", "do", "case", "sizeof", NULL};
  static const char *const starts[] = {"{", "}", ";", NULL};
  bool stars = is_at(tokens, i - 1, "*");
  for (i--; i >= first && is_at(tokens, i, "*");) i--;
  if (i < first || tokens->item[i].kind != PL_TOKEN_NAME || is_one_of(tokens, i, operators)) return false;
  if (!stars || i == first || tokens->item[i - 1].kind == PL_TOKEN_NAME) return true;
  return is_one_of(tokens, i - 1, starts) || (is_at(tokens, i - 1, "(") && is_at(tokens, i - 2, "for"));
}

/* The brackets that follow: x[2][i]. Gives how many, and where they end, -1 if one does not. */
static int read_brackets(const pl_tokens *tokens, int *end, pl_uses *uses)
{
  int count = 0;
  for (; *end > 0 && is_at(tokens, *end, "["); count++) {
    const pl_token *number = &tokens->item[*end + 1];
    long value = number->kind == PL_TOKEN_NUMBER ? strtol(number->text, NULL, 0) : -1;
    if (count < 2 && is_at(tokens, *end + 2, "]") && value >= uses->reach[count] && value < INT_MAX)
      uses->reach[count] = (int)value + 1;
    *end = pl_tokens_match(tokens, *end) + 1;
  }
  return count;
}

/* The name at i, with the stars before it and the brackets and members behind it. */
static void read_use(const pl_tokens *tokens, int first, int i, int depth, pl_uses *uses)
{
  int begin = i - 1, end = i + 1, deep = 0;
  for (; begin >= first && is_at(tokens, begin, "*"); begin--) deep++;
  if (deep && is_step(tokens, end)) end++; /* *x++ = 1 */
  if (deep && is_at(tokens, begin, "(") && is_at(tokens, end, ")")) {
    pl_uses behind = {0};
    begin--, end++;
    deep += read_brackets(tokens, &end, &behind);
  } else {
    deep += read_brackets(tokens, &end, uses);
  }
  while (deep && end > 0 && is_at(tokens, end, ".")) end += 2;
  bool writes = deep >= depth && (is_assignment(tokens, end) || is_step(tokens, begin));
  uses->writes |= writes;
  if (!writes)
    uses->others = true;
  else if (is_at(tokens, end, "="))
    uses->sets = true;
  else if (is_factor(tokens, end))
    uses->scales = true;
  else
    uses->adds = true;
}

pl_uses pl_text_uses(const pl_tokens *tokens, int first, int last, const char *name, int depth)
{
  static const char *const members[] = {".", "->", NULL};
  pl_uses uses = {0};
  for (int i = first; i < last; i++) {
    if (tokens->item[i].kind == PL_TOKEN_DIRECTIVE) return (pl_uses){0};
    if (tokens->item[i].kind != PL_TOKEN_NAME || !is_at(tokens, i, name)) continue;
    if (i > first && is_one_of(tokens, i - 1, members)) continue;
    if (is_declared(tokens, first, i)) return (pl_uses){0};
    read_use(tokens, first, i, depth, &uses);
  }
  return uses;
}
