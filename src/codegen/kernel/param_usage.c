/* SPDX-License-Identifier: BSD-2-Clause */
#include "uses.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

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

/* Tokens first to end - 1: a value of the parameter, as it stands in the text. */
typedef struct value {
  int first, end;
} value;

static bool same_token(const pl_token *a, const pl_token *b)
{
  return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

/* The tokens from `at` on are those of the value again. */
static bool is_again(const pl_tokens *tokens, value v, int at)
{
  for (int i = 0; i < v.end - v.first; i++)
    if (at + i >= tokens->count || !same_token(&tokens->item[v.first + i], &tokens->item[at + i]))
      return false;
  return true;
}

/* Where the expression from i on ends; -1 if it chooses between others, so that its ends say little. */
static int end_of_expression(const pl_tokens *tokens, int i)
{
  static const char *const ends[] = {";", ",", ")", "]", "}", NULL}, *const opens[] = {"(", "[", "{", NULL},
                           *const choices[] = {"?", "=", NULL};
  for (; i < tokens->count && !is_one_of(tokens, i, ends); i++) {
    if (is_one_of(tokens, i, choices)) return -1;
    if (is_one_of(tokens, i, opens)) i = pl_tokens_match(tokens, i);
    if (i < 0) return -1;
  }
  return i;
}

/* In x[0] = x[0] + y and x[0] = y + x[0], where the second x[0] begins; -1 in others. */
static int own_term(const pl_tokens *tokens, value v)
{
  int begin = v.end + 1, end = end_of_expression(tokens, begin), last = end - (v.end - v.first);
  if (end < 0) return -1;
  bool front = is_at(tokens, begin + v.end - v.first, "+") || is_at(tokens, begin + v.end - v.first, "-");
  if (front && is_again(tokens, v, begin)) return begin;
  return last > begin && is_at(tokens, last - 1, "+") && is_again(tokens, v, last) ? last : -1;
}

/* The value is only weighed against another or chosen: it is compared, a whole branch of ?:, or handed to
 * fmin or fmax. */
static bool is_weighed(const pl_tokens *tokens, value v)
{
  static const char *const relations[] = {"<", ">", "<=", ">=", "==", "!=", NULL},
                           *const extremes[] = {"fmin", "fmax", "fminf", "fmaxf", NULL},
                           *const before[] = {"?", ":", NULL}, *const after[] = {":", ";", ")", NULL};
  int open = v.first - 1, depth = 0;
  if (is_one_of(tokens, v.first - 1, relations) || is_one_of(tokens, v.end, relations)) return true;
  if (is_one_of(tokens, v.first - 1, before) && is_one_of(tokens, v.end, after)) return true;
  if (!is_at(tokens, open, "(") && !is_at(tokens, open, ",")) return false;
  if (!is_at(tokens, v.end, ")") && !is_at(tokens, v.end, ",")) return false;
  for (; open > 0 && !(is_at(tokens, open, "(") && depth == 0); open--)
    depth += is_at(tokens, open, ")") - is_at(tokens, open, "(");
  return is_one_of(tokens, open - 1, extremes);
}

static void note_write(const pl_tokens *tokens, value v, pl_uses *uses, int *own)
{
  uses->writes = true;
  if (is_at(tokens, v.end, "=")) {
    *own = own_term(tokens, v);
    *(*own < 0 ? &uses->sets : &uses->adds) = true;
  } else {
    *(is_factor(tokens, v.end) ? &uses->scales : &uses->adds) = true;
  }
}

/* The name at i, with the stars before it and the brackets and members behind it. `own` is where a value
 * begins that belongs to a sum which was noted. */
static void read_use(const pl_tokens *tokens, int first, int i, int depth, pl_uses *uses, int *own)
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
  const value v = {begin + 1, end};
  if (deep >= depth && (is_assignment(tokens, end) || is_step(tokens, begin)))
    note_write(tokens, v, uses, own);
  else if (deep >= depth && end > 0 && is_weighed(tokens, v))
    uses->weighs = true;
  else if (v.first != *own)
    uses->others = true;
}

pl_uses pl_text_uses(const pl_tokens *tokens, int first, int last, const char *name, int depth)
{
  static const char *const members[] = {".", "->", NULL};
  pl_uses uses = {0};
  int own = -1;
  for (int i = first; i < last; i++) {
    if (tokens->item[i].kind == PL_TOKEN_DIRECTIVE) return (pl_uses){0};
    if (tokens->item[i].kind != PL_TOKEN_NAME || !is_at(tokens, i, name)) continue;
    if (i > first && is_one_of(tokens, i - 1, members)) continue;
    if (is_declared(tokens, first, i)) return (pl_uses){0};
    read_use(tokens, first, i, depth, &uses, &own);
  }
  return uses;
}
