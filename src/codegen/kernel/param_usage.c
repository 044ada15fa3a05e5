/* SPDX-License-Identifier: BSD-2-Clause
 * Classifies each occurrence of a parameter by the tokens around it.
 */
#include "param_usage.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool is_at(const pl_tokens *tokens, int i, const char *words)
{
  return pl_tokens_in(tokens, i, words);
}

/* A declaration: after another name, or after stars behind a name that begins a statement. double x[3],
 * const double *x; but not a * x. */
static bool is_declared(const pl_tokens *tokens, int first, int i)
{
  bool stars = is_at(tokens, i - 1, "*");
  for (i--; i >= first && is_at(tokens, i, "*");) i--;
  if (i < first || tokens->item[i].kind != PL_TOKEN_NAME) return false;
  if (is_at(tokens, i, "return else do case sizeof")) return false;
  if (!stars || i == first || tokens->item[i - 1].kind == PL_TOKEN_NAME) return true;
  return is_at(tokens, i - 1, "{ } ;") || (is_at(tokens, i - 1, "(") && is_at(tokens, i - 2, "for"));
}

/* Reads brackets, x[2][i]: returns their number; *end is behind them, or 0 if one is not closed. */
static int read_brackets(const pl_tokens *tokens, int *end, pl_param_usage *uses)
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

/* Tokens first to end - 1: an expression that is a value of the parameter. */
typedef struct value {
  int first, end;
} value;

/* The tokens from `at` on are those of the value. */
static bool is_repeated(const pl_tokens *tokens, value v, int at)
{
  for (int i = 0; i < v.end - v.first; i++)
    if (at + i >= tokens->count || !pl_token_same(&tokens->item[v.first + i], &tokens->item[at + i]))
      return false;
  return true;
}

/* The end of the expression at i; -1 for assignments and ?:, whose first and last terms are not summed. */
static int end_of_expression(const pl_tokens *tokens, int i)
{
  for (; i < tokens->count && !is_at(tokens, i, "; , ) ] }"); i++) {
    if (is_at(tokens, i, "? =")) return -1;
    if (is_at(tokens, i, "( [ {")) i = pl_tokens_match(tokens, i);
    if (i < 0) return -1;
  }
  return i;
}

/* The second x[0] in x[0] = x[0] + y and x[0] = y + x[0]; -1 otherwise. */
static int own_term(const pl_tokens *tokens, value v)
{
  int begin = v.end + 1, end = end_of_expression(tokens, begin), last = end - (v.end - v.first);
  if (end < 0) return -1;
  bool front = is_at(tokens, begin + v.end - v.first, "+ -");
  if (front && is_repeated(tokens, v, begin)) return begin;
  return last > begin && is_at(tokens, last - 1, "+") && is_repeated(tokens, v, last) ? last : -1;
}

/* The value is compared, a whole branch of ?:, or an argument of fmin or fmax. */
static bool is_compared(const pl_tokens *tokens, value v)
{
  static const char relations[] = "< > <= >= == !=";
  int open = v.first - 1, depth = 0;
  if (is_at(tokens, v.first - 1, relations) || is_at(tokens, v.end, relations)) return true;
  if (is_at(tokens, v.first - 1, "? :") && is_at(tokens, v.end, ": ; )")) return true;
  if (!is_at(tokens, open, "( ,") || !is_at(tokens, v.end, ") ,")) return false;
  for (; open > 0 && !(is_at(tokens, open, "(") && depth == 0); open--)
    depth += is_at(tokens, open, ")") - is_at(tokens, open, "(");
  return is_at(tokens, open - 1, "fmin fmax fminf fmaxf");
}

static void note_write(const pl_tokens *tokens, value v, pl_param_usage *uses, int *own)
{
  uses->writes = true;
  if (is_at(tokens, v.end, "=")) {
    *own = own_term(tokens, v);
    *(*own < 0 ? &uses->sets : &uses->adds) = true;
  } else {
    *(is_at(tokens, v.end, "*= /= %= &= <<= >>=") ? &uses->scales : &uses->adds) = true;
  }
}

/* Classifies the name at i with the stars before and the brackets and members behind it. `own`: the first
 * token of a term that belongs to a sum already noted. */
static void read_use(const pl_tokens *tokens, int first, int i, int depth, pl_param_usage *uses, int *own)
{
  int begin = i - 1, end = i + 1, deep = 0;
  for (; begin >= first && is_at(tokens, begin, "*"); begin--) deep++;
  if (deep && is_at(tokens, end, "++ --")) end++; /* *x++ = 1 */
  if (deep && is_at(tokens, begin, "(") && is_at(tokens, end, ")")) {
    pl_param_usage behind = {0};
    begin--, end++;
    deep += read_brackets(tokens, &end, &behind);
  } else {
    deep += read_brackets(tokens, &end, uses);
  }
  while (deep && end > 0 && is_at(tokens, end, ".")) end += 2;
  const value v = {begin + 1, end};
  if (deep >= depth &&
      (is_at(tokens, end, "= += -= *= /= %= &= |= ^= <<= >>= ++ --") || is_at(tokens, begin, "++ --")))
    note_write(tokens, v, uses, own);
  else if (deep >= depth && end > 0 && is_compared(tokens, v))
    uses->weighs = true;
  else if (v.first != *own)
    uses->others = true;
}

pl_param_usage pl_param_usage_find(const pl_tokens *tokens, int first, int last, const char *name, int depth)
{
  pl_param_usage uses = {0};
  int own = -1;
  for (int i = first; i < last; i++) {
    if (tokens->item[i].kind == PL_TOKEN_DIRECTIVE) return (pl_param_usage){0};
    if (tokens->item[i].kind != PL_TOKEN_NAME || !is_at(tokens, i, name)) continue;
    if (i > first && is_at(tokens, i - 1, ". ->")) continue;
    if (is_declared(tokens, first, i)) return (pl_param_usage){0};
    read_use(tokens, first, i, depth, &uses, &own);
  }
  return uses;
}

static int opening_bracket(const pl_tokens *tokens, int close)
{
  int i = close;
  while (i >= 0 && (!is_at(tokens, i, "[") || pl_tokens_match(tokens, i) != close)) i--;
  return i;
}

int pl_subscripted_name(const pl_tokens *tokens, int i, int *level)
{
  if (is_at(tokens, i, "]")) i = opening_bracket(tokens, i);
  for (*level = 0; is_at(tokens, i - 1, "]"); ++*level) i = opening_bracket(tokens, i - 1);
  if (i < 1 || tokens->item[i - 1].kind != PL_TOKEN_NAME) return -1;
  return is_at(tokens, i - 2, ". -> &") ? -1 : i - 1;
}
