/* SPDX-License-Identifier: BSD-2-Clause
 * Searches the include folders, depth first.
 */
#include "included_files.h"
#include "core/data/objects.h"
#include <string.h>

enum { MOST_NESTED = 32 };

static pl_err include_all(pl_assembly *program, const pl_tokens *tokens, int depth);

/* Reads the first file of that name in the folders. */
static bool find_file(const pl_assembly *program, const pl_token *file, pl_string *path, pl_string *text)
{
  const char *const *folder = pl_kernel_extras(program->kernel)->include_dirs;
  for (; folder && *folder; folder++) {
    pl_string_free(path);
    pl_string_add(path, "%s/%.*s", *folder, (int)file->length - 2, file->text + 1);
    if (!path->failed && pl_string_add_file(text, path->data)) return true;
  }
  return false;
}

/* Takes the path and the text. */
static pl_err add_file(pl_assembly *program, pl_string *path, pl_string *text, int depth)
{
  pl_piece piece = {.path = *path, .text = *text, .origin = {"file", "", pl_string_chars(path), 1}};
  piece.origin.name = strrchr(piece.origin.file, '/') + 1;
  pl_string_init(path, program->pl);
  pl_string_init(text, program->pl);
  pl_err err = pl_kernel_outline_read(program->pl, &piece.origin, pl_string_chars(&piece.text),
                                      piece.text.length, &piece.outline);
  if (!err) err = include_all(program, &piece.outline.tokens, depth + 1);
  pl_piece *own = err ? NULL : pl_piece_insert(program, PL_ORDER_INCLUDED + (uint64_t)program->count);
  if (!own) return pl_piece_free(&piece), err ? err : PL_ERR_MEMORY;
  piece.order = own->order;
  *own = piece;
  return PL_SUCCESS;
}

static pl_err include_file(pl_assembly *program, const pl_token *file, int depth)
{
  pl_string path, text;
  if (pl_piece_of_file(program, file)) return PL_SUCCESS;
  if (depth > MOST_NESTED)
    return pl_fail(program->pl, PL_ERR_KERNEL, "kernel \"%s\": %.*s includes itself, or too many others",
                   program->kernel->name, (int)file->length, file->text);
  pl_string_init(&path, program->pl);
  pl_string_init(&text, program->pl);
  bool found = find_file(program, file, &path, &text);
  pl_err err = pl_string_check(&path);
  if (!err) err = pl_string_check(&text);
  if (!err && found) err = add_file(program, &path, &text, depth);
  pl_string_free(&path);
  pl_string_free(&text);
  return err;
}

static pl_err include_all(pl_assembly *program, const pl_tokens *tokens, int depth)
{
  for (int i = 0; i < tokens->count; i++) {
    const pl_token file = pl_included_file(program, &tokens->item[i]);
    if (file.length > 2) PL_TRY(include_file(program, &file, depth));
  }
  return PL_SUCCESS;
}

pl_err pl_include_files(pl_assembly *program)
{
  const char *const *header = pl_kernel_extras(program->kernel)->headers;
  for (; header && *header; header++) {
    const pl_token file = pl_header_file(program, *header);
    if (file.length > 2) PL_TRY(include_file(program, &file, 0));
    if (file.length > 2 && !pl_piece_of_file(program, &file))
      return pl_fail(program->pl, PL_ERR_KERNEL,
                     "kernel \"%s\": the header %s is in none of the folders of its option include_dirs",
                     program->kernel->name, *header);
  }
  const pl_tokens tokens = program->piece[program->count - 1].outline.tokens;
  return include_all(program, &tokens, 0);
}
