/* SPDX-License-Identifier: BSD-2-Clause
 * Copying.
 */
#include "writer.h"
#include <string.h>

void pl_writer_copy(pl_writer *w, const char *end)
{
  if (end <= w->at) return;
  pl_string_add_bytes(w->out, w->at, (size_t)(end - w->at));
  w->at = end;
}

const char *pl_token_end(const pl_token *token)
{
  return token->text + token->length;
}

void pl_writer_omit(pl_writer *w, const char *begin, const char *end)
{
  pl_writer_copy(w, begin);
  for (; w->at < end; w->at++)
    if (*w->at == '\n') pl_string_add(w->out, "\n");
}

void pl_writer_add(pl_writer *w, const char *word)
{
  size_t length = strlen(word);
  if (length) pl_string_add(w->out, "%s%s", word, word[length - 1] == ' ' ? "" : " ");
}
