/* SPDX-License-Identifier: BSD-2-Clause
 * Finds PL_KERNEL(name, (params), {body}) in the kernel's file by comparing tokens.
 */
#include "restore_lines.h"
#include "codegen/syntax/lexer.h"
#include <string.h>

enum { LARGEST_FILE = 16 << 20, CHUNK = 1 << 16 };

/* Appends the file's contents; false if it cannot be read or is too long. */
static bool read_file(const char *path, pl_string *text)
{
  char chunk[CHUNK];
  FILE *file = path ? fopen(path, "rb") : NULL;
  if (!file) return false;
  size_t n;
  while ((n = fread(chunk, 1, sizeof chunk, file)) > 0 && text->length < LARGEST_FILE)
    pl_string_add_bytes(text, chunk, n);
  bool whole = n == 0 && !ferror(file);
  fclose(file);
  return whole && text->length > 0;
}

/* The tokens from `first` on equal `part` without its last (END) token. */
static bool equal(const pl_tokens *tokens, int first, const pl_tokens *part)
{
  int n = part->count - 1;
  if (first + n >= tokens->count) return false;
  for (int i = 0; i < n; i++)
    if (!pl_token_same(&tokens->item[first + i], &part->item[i])) return false;
  return true;
}

/* The parenthesis of the parameters if a call of the macro for this name starts at token i, else -1. */
static int find_params(const pl_tokens *tokens, int i, const pl_macro_text *call)
{
  const pl_token *item = tokens->item;
  if (!pl_token_is(&item[i], call->macro) || i + 1 >= tokens->count || !pl_token_is(&item[i + 1], "("))
    return -1;
  for (i += 2; i + 2 < tokens->count; i++) {
    if (pl_token_is(&item[i], "(") || pl_token_is(&item[i], ")") || pl_token_is(&item[i], "{")) return -1;
    if (pl_token_is(&item[i], call->name) && pl_token_is(&item[i + 1], ",") && pl_token_is(&item[i + 2], "("))
      return i + 2;
  }
  return -1;
}

/* Copies the text from token `first` to token `last`. */
static void copy(pl_string *text, const pl_token *first, const pl_token *last)
{
  pl_string_add_bytes(text, first->text, (size_t)(last->text + last->length - first->text));
}

/* Copies params and body with their lines if a call of the macro in `tokens` has equal ones. */
static bool copy_from(const pl_tokens *tokens, const pl_tokens *params, const pl_tokens *body,
                      const pl_macro_text *call, pl_string *text, int *line)
{
  const pl_token *item = tokens->item;
  for (int i = 0; i < tokens->count; i++) {
    int open = find_params(tokens, i, call);
    if (open < 0 || !equal(tokens, open, params)) continue;
    int comma = open + params->count - 1, start = comma + 1, end = start + body->count - 1;
    if (!pl_token_is(&item[comma], ",") || !equal(tokens, start, body) || !pl_token_is(&item[end], ")"))
      continue;
    *line = item[open].line;
    copy(text, &item[open], &item[comma - 1]);
    const char *gap = item[comma - 1].text + item[comma - 1].length;
    pl_string_add_bytes(text, gap, (size_t)(item[comma].text - gap));
    gap = item[comma].text + 1;
    pl_string_add(text, " ");
    pl_string_add_bytes(text, gap, (size_t)(item[start].text - gap));
    copy(text, &item[start], &item[end - 1]);
    return true;
  }
  return false;
}

static pl_err search(pl_context *pl, const pl_string *file, const pl_macro_text *call, pl_string *text,
                     int *line, bool *found)
{
  pl_tokens tokens = {.pl = pl}, params = {.pl = pl}, body = {.pl = pl};
  pl_err err = pl_tokens_read(pl, file->data, file->length, 1, &tokens);
  if (!err) err = pl_tokens_read(pl, call->params, strlen(call->params), 1, &params);
  if (!err) err = pl_tokens_read(pl, call->body, strlen(call->body), 1, &body);
  bool usable = !err && params.count > 2 && body.count > 2 && body.item[body.count - 1].kind == PL_TOKEN_END;
  *found = usable && copy_from(&tokens, &params, &body, call, text, line);
  pl_tokens_free(&tokens);
  pl_tokens_free(&params);
  pl_tokens_free(&body);
  return err;
}

void pl_lines_flattened(const pl_macro_text *call, pl_string *text, int *line)
{
  *line = call->line > 0 ? call->line : 1;
  pl_string_add(text, "%s %s", call->params, call->body);
}

pl_err pl_restore_lines(pl_context *pl, const pl_macro_text *call, pl_string *text, int *line)
{
  pl_string file;
  bool found = false;
  pl_err err = PL_SUCCESS;
  pl_string_init(&file, pl);
  if (read_file(call->file, &file)) err = search(pl, &file, call, text, line, &found);
  if (!err) err = pl_string_check(&file);
  pl_string_free(&file);
  if (!err && !found) pl_lines_flattened(call, text, line);
  return err;
}
