/* SPDX-License-Identifier: BSD-2-Clause
 * Builds a kernel's program text: collects its pieces, lays out the consts, rewrites each piece.
 */
#include "kernel_source.h"
#include "unsupported_constructs.h"
#include "rewrite.h"
#include "tables.h"
#include "vector_source.h"
#include "codegen/kernel/restore_lines.h"
#include "codegen/pieces/included_files.h"
#include "codegen/pieces/used_parts.h"
#include "codegen/target/prelude.h"
#include "core/data/objects.h"
#include <stdlib.h>
#include <string.h>

/* ---- pieces ---- */

static pl_err lay_out(const pl_source_options *style, const pl_macro_text *call, pl_string *text, int *line)
{
  if (style->restore_lines) return pl_restore_lines(text->pl, call, text, line);
  pl_lines_flattened(call, text, line);
  return PL_SUCCESS;
}

static pl_err write_kernel_text(const pl_assembly *program, pl_piece *piece)
{
  const pl_kernel *kernel = program->kernel;
  pl_macro_text call = {"PL_KERNEL", kernel->name, kernel->params, kernel->body, kernel->file, kernel->line};
  piece->origin = pl_kernel_origin(kernel);
  if (kernel->source) {
    pl_string_add_bytes(&piece->text, kernel->source, strlen(kernel->source));
    return PL_SUCCESS;
  }
  pl_string_add(&piece->text, "void %s", kernel->name);
  return lay_out(program->style, &call, &piece->text, &piece->origin.line);
}

static pl_err write_helper_text(const pl_assembly *program, pl_piece *piece, const pl_function *function)
{
  pl_macro_text call = {"PL_FUNCTION",  function->name, function->params,
                        function->body, function->file, function->line};
  piece->origin = pl_function_origin(function);
  piece->library = function->library;
  pl_string_add(&piece->text, "%s %s", function->result, function->name);
  return lay_out(program->style, &call, &piece->text, &piece->origin.line);
}

/* Adds a helper, or the kernel's own text if `helper` is NULL. */
static pl_err add_piece(pl_assembly *program, const pl_helper *helper)
{
  pl_piece *piece = pl_piece_insert(program, helper ? helper->node.id : UINT64_MAX);
  if (!piece) return PL_ERR_MEMORY;
  PL_TRY(helper ? write_helper_text(program, piece, &helper->text) : write_kernel_text(program, piece));
  PL_TRY(pl_string_check(&piece->text));
  PL_TRY(pl_kernel_outline_read(program->pl, &piece->origin, pl_string_chars(&piece->text),
                                piece->text.length, &piece->outline));
  return PL_SUCCESS;
}

static bool has_piece(const pl_assembly *program, uint64_t order)
{
  for (int i = 0; i < program->count; i++)
    if (program->piece[i].order == order) return true;
  return false;
}

/* Some piece mentions the helper, and none defines it. */
static bool is_wanted(const pl_assembly *program, const pl_node *helper)
{
  const pl_token name = {.text = helper->name, .length = strlen(helper->name)};
  if (has_piece(program, helper->id) || pl_assembly_defines(program, &name)) return false;
  for (int i = 0; i < program->count; i++)
    if (pl_piece_mentions(&program->piece[i], helper->name)) return true;
  return false;
}

/* The program's own C text, which may have parts that the kernel does not use. */
static bool is_foreign_text(const pl_kernel *kernel)
{
  const pl_source_kernel *own = kernel->extra;
  return kernel->source && !pl_kernel_extras(kernel)->cpp && !(own && own->internal);
}

/* The kernel and the helpers that its pieces mention, directly or not. */
static pl_err collect_pieces(pl_assembly *program)
{
  PL_TRY(add_piece(program, NULL));
  if (!program->style->host) PL_TRY(pl_include_files(program));
  if (is_foreign_text(program->kernel)) PL_TRY(pl_keep_used(program));
  for (int before = 0; before < program->count;) {
    before = program->count;
    for (pl_node *node = program->pl->functions; node; node = node->next)
      if (is_wanted(program, node)) PL_TRY(add_piece(program, (const pl_helper *)node));
  }
  for (int i = 0; i < program->count; i++) {
    pl_piece *piece = &program->piece[i];
    piece->uses_real = pl_piece_mentions(piece, "pl_real") || pl_piece_mentions(piece, "pl_row_real");
  }
  return PL_SUCCESS;
}

static void free_pieces(pl_assembly *program)
{
  for (int i = 0; i < program->count; i++) pl_piece_free(&program->piece[i]);
  pl_free(program->pl, program->piece);
}

/* ---- consts ---- */

static bool program_uses(const pl_assembly *program, const pl_const *constant)
{
  for (int i = 0; i < program->count; i++) {
    const pl_piece *piece = &program->piece[i];
    for (int k = 0; k < piece->outline.count; k++) {
      const pl_unit *unit = &piece->outline.unit[k];
      if (unit->kind == PL_UNIT_FUNCTION && pl_unit_uses_const(piece, unit, constant->node.name)) return true;
    }
  }
  return false;
}

static size_t round_up(size_t size, size_t multiple)
{
  return (size + multiple - 1) / multiple * multiple;
}

/* The layout of C compilers: each member at a multiple of its type's alignment. */
static void place_consts(pl_source *source)
{
  size_t largest = 1, at = 0;
  for (int i = 0; i < source->const_count; i++) {
    pl_source_const *entry = &source->consts[i];
    size_t align = pl_type_size(pl_type_base(entry->constant->type));
    entry->offset = round_up(at, align);
    at = entry->offset + (size_t)entry->constant->dim * pl_type_size(entry->constant->type);
    if (align > largest) largest = align;
  }
  source->const_bytes = source->const_count ? round_up(at, largest) : 0;
}

static pl_err collect_consts(pl_assembly *program, pl_source *source)
{
  size_t declared = 0;
  for (const pl_node *node = program->pl->consts; node; node = node->next) declared++;
  declared += program->far_tables ? (size_t)program->table_count : 0;
  source->consts = pl_calloc(program->pl, declared, sizeof *source->consts);
  if (!source->consts) return pl_fail_memory(program->pl, declared * sizeof *source->consts);
  for (const pl_node *node = program->pl->consts; node; node = node->next) {
    const pl_const *constant = (const pl_const *)node;
    if (program_uses(program, constant)) source->consts[source->const_count++].constant = constant;
  }
  for (int i = 0; program->far_tables && i < program->table_count; i++)
    source->consts[source->const_count++].constant = &program->table[i].own;
  program->has_consts = source->const_count > 0;
  place_consts(source);
  return PL_SUCCESS;
}

void pl_source_fill_consts(const pl_source *source, void *block)
{
  memset(block, 0, source->const_bytes);
  for (int i = 0; i < source->const_count; i++) {
    const pl_const *constant = source->consts[i].constant;
    memcpy((char *)block + source->consts[i].offset, constant->value,
           (size_t)constant->dim * pl_type_size(constant->type));
  }
}

/* ---- pl_real ---- */

/* A real literal without suffix, a call or a macro: its meaning depends on pl_real. */
static bool depends_on_real(const pl_piece *piece)
{
  for (int i = 0; i < piece->outline.tokens.count; i++) {
    const pl_token *token = &piece->outline.tokens.item[i];
    bool call = pl_piece_calls(piece, i) && !pl_token_in(token, "if for while switch return sizeof");
    if (pl_kernel_outline_find(&piece->outline, token->text, token->length)) call = false;
    if (call || token->kind == PL_TOKEN_DIRECTIVE || pl_token_is_real(token)) return true;
  }
  return false;
}

pl_err pl_source_reals(pl_context *pl, const pl_kernel *kernel, pl_reals *reals)
{
  static const pl_source_options flat = {.host = true};
  pl_assembly program = {.pl = pl, .kernel = kernel, .style = &flat};
  *reals = (pl_reals){false, false};
  pl_err err = collect_pieces(&program);
  for (int i = 0; !err && i < program.count; i++) {
    reals->uses |= program.piece[i].uses_real;
    reals->computes |= depends_on_real(&program.piece[i]);
  }
  free_pieces(&program);
  return err;
}

/* ---- complex numbers ---- */

static bool includes_complex(const pl_token *directive)
{
  pl_lexer rest;
  if (directive->kind != PL_TOKEN_DIRECTIVE) return false;
  const pl_token word = pl_directive_open(directive, &rest), open = pl_lex_next(&rest),
                 file = pl_lex_next(&rest);
  return pl_token_is(&word, "include") && pl_token_is(&open, "<") && pl_token_is(&file, "complex");
}

/* It has complex types of C99, or includes <complex.h>. */
static bool uses_complex(const pl_assembly *program)
{
  for (int p = 0; p < program->count; p++) {
    const pl_tokens *tokens = &program->piece[p].outline.tokens;
    for (int i = 0; i < tokens->count; i++)
      if (pl_complex_part(tokens, i) >= 0 || includes_complex(&tokens->item[i])) return true;
  }
  return false;
}

static bool declares(const pl_assembly *program, const char *name)
{
  for (int p = 0; p < program->count; p++) {
    const pl_syntax *tree = &program->piece[p].outline.syntax;
    for (int i = 1; i < tree->count; i++)
      if (tree->node[i].kind == PL_SYNTAX_DECLARATOR && tree->node[i].at >= 0 &&
          pl_token_is(&tree->tokens.item[tree->node[i].at], name))
        return true;
  }
  return false;
}

/* Types, and <complex.h> or its replacement. Variables may have the names of its macros. */
static void write_complex(const pl_assembly *program, pl_source *source)
{
  const pl_source_options *style = program->style;
  if (!style->complex || !uses_complex(program)) return;
  pl_string_add(&source->text, "%s", style->complex);
  if (!style->host) pl_print_complex_functions(&source->text, style->function_qualifier);
  if (style->host && declares(program, "complex")) pl_string_add(&source->text, "#undef complex\n");
  if (style->host == declares(program, "I"))
    pl_string_add(&source->text, style->host ? "#undef I\n" : "#define I _Complex_I\n");
}

/* ---- text ---- */

/* tgmath.h includes complex.h, whose macro I kernels may use as a name. */
static void write_headers(const pl_assembly *program, pl_source *source)
{
  const pl_kernel_options *options = pl_kernel_extras(program->kernel);
  const char *const *header = options->headers;
  bool any = header && *header;
  for (; program->style->host && header && *header; header++)
    pl_string_add(&source->text, "#include %s\n", *header);
  bool wanted = program->style->tgmath && source->uses_real && program->real == PL_FLOAT;
  any |= uses_complex(program);
  if (!wanted || options->cpp) return;
  pl_string_add(&source->text, "#include <tgmath.h>\n%s", any ? "" : "#undef I\n");
}

static void write_struct(pl_source *source)
{
  if (!source->const_count) return;
  pl_string_add(&source->text, "struct pl_consts {\n");
  for (int i = 0; i < source->const_count; i++) {
    const pl_const *constant = source->consts[i].constant;
    pl_string_add(&source->text, "  %s %s", pl_type_name(constant->type), constant->node.name);
    if (constant->dim > 1) pl_string_add(&source->text, "[%d]", constant->dim);
    pl_string_add(&source->text, ";\n");
  }
  pl_string_add(&source->text, "};\n");
}

static bool program_mentions(const pl_assembly *program, const char *name)
{
  for (int i = 0; i < program->count; i++)
    if (pl_piece_mentions(&program->piece[i], name)) return true;
  return false;
}

static bool program_defines(const pl_assembly *program, const char *name)
{
  const pl_token token = {.kind = PL_TOKEN_NAME, .text = name, .length = strlen(name)};
  return pl_assembly_defines(program, &token);
}

/* Whether a text with pl_real has operands of type float; else all of it is double. */
static bool has_floats(const pl_assembly *program, const pl_source *source)
{
  bool any = program->real == PL_FLOAT || program_mentions(program, "float") ||
             program_mentions(program, "pl_cfloat") || program_mentions(program, "pl_row_float");
  for (int i = 0; i < source->const_count; i++)
    any |= pl_type_base(source->consts[i].constant->type) == PL_FLOAT;
  return source->uses_real && any;
}

static bool has_compound_literal(const pl_assembly *program)
{
  for (int i = 0; i < program->count; i++)
    for (int k = 0; k < program->piece[i].outline.tokens.count; k++)
      if (pl_piece_node(&program->piece[i], k)->kind == PL_SYNTAX_COMPOUND) return true;
  return false;
}

static bool program_calls(const pl_assembly *program, const char *name)
{
  for (int i = 0; i < program->count; i++)
    if (pl_piece_calls_name(&program->piece[i], name)) return true;
  return false;
}

static bool needs(const pl_assembly *program, const pl_target_name *n)
{
  return n->use == PL_NAME_DEFINED  ? program_defines(program, n->name)
         : n->use == PL_NAME_CALLED ? program_calls(program, n->name)
                                    : program_mentions(program, n->name);
}

/* Definitions of C names that the target lacks; each text once. */
static void write_names(const pl_assembly *program, pl_source *source)
{
  const pl_target_name *n = program->style->names;
  const pl_math_words *math = program->style->math;
  bool real = has_floats(program, source);
  for (; n && n->name; n++) {
    const char *lines = n->real && real ? n->real : n->lines;
    if (!needs(program, n)) continue;
    if (n->real && math) pl_string_add(&source->text, "%s%s", math->lines, real ? math->real : "");
    if (n->real) math = NULL;
    if (!strstr(pl_string_chars(&source->text), lines)) pl_string_add(&source->text, "%s", lines);
  }
}

/* Files, or flags of the user, may define macros that are not in the text. */
static bool has_foreign_macros(const pl_assembly *program)
{
  const char *const *headers = pl_kernel_extras(program->kernel)->headers;
  bool any = (headers && *headers) || *pl_opt(program->pl, PL_OPT_CFLAGS);
  for (int i = 0; i < program->count; i++)
    for (int k = 0; k < program->piece[i].outline.tokens.count && !any; k++)
      any = pl_included_file(program, &program->piece[i].outline.tokens.item[k]).length > 0;
  return any;
}

/* As pl_names_check, by the preprocessor. bool is a macro by right. */
static void write_macro_checks(const pl_assembly *program, pl_source *source)
{
  const char *word;
  if (!program->style->host || !has_foreign_macros(program)) return;
  for (int i = 0; (word = pl_type_word(i)); i++)
    if (strcmp(word, "bool") && program_mentions(program, word))
      pl_string_add(&source->text,
                    "#ifdef %s\n#error \"the macro \\\"%s\\\" would give parameters another type\"\n#endif\n",
                    word, word);
}

static pl_err write_vectors(const pl_assembly *program, pl_source *source)
{
  pl_vector_source vectors;
  bool possible;
  if (!program->style->vector_args) return PL_SUCCESS;
  pl_err err = pl_vector_source_find(program, program->style->vector_args, &vectors, &possible);
  if (!err && !possible)
    err =
      pl_fail(program->pl, PL_ERR_INTERNAL, "kernel \"%s\" has no form in vectors", program->kernel->name);
  if (!err) {
    pl_print_vector_functions(&vectors, &source->text);
    const pl_origin *from = &vectors.piece->origin;
    if (program->style->line_marks) pl_string_add_line_mark(&source->text, from->line, from->file);
    pl_rewrite_vectors(program, &vectors, &source->text);
    pl_string_add(&source->text, "\n");
  }
  pl_vector_source_free(program->pl, &vectors);
  return err;
}

static void write_program(const pl_assembly *program, pl_source *source)
{
  write_headers(program, source);
  write_complex(program, source);
  write_names(program, source);
  if (program->style->cplusplus && has_compound_literal(program))
    pl_string_add(&source->text, "template <class T> using pl_type_of = T;\n");
  if (source->uses_real) pl_string_add(&source->text, "typedef %s pl_real;\n", pl_type_name(program->real));
  if (program_mentions(program, "pl_mixed"))
    pl_string_add(&source->text, "typedef %s pl_mixed;\n", pl_type_name(pl_mixed_type(program->pl)));
  write_struct(source);
  for (int i = 0; i < program->count; i++) {
    const pl_origin *from = &program->piece[i].origin;
    if (program->style->line_marks) pl_string_add_line_mark(&source->text, from->line, from->file);
    pl_rewrite(program, &program->piece[i], &source->text);
    pl_string_add(&source->text, "\n");
  }
  write_macro_checks(program, source);
}

/* Row types in the text; the arguments may be switched off. */
static void find_rows(const pl_assembly *program, pl_source *source)
{
  char name[40];
  for (int t = 0; t < PL_TYPE_COUNT; t++) {
    snprintf(name, sizeof name, "pl_row_%s", pl_type_name((pl_type)t));
    if (program_mentions(program, name)) source->rows |= 1u << t;
  }
  if (program_mentions(program, "pl_row_int")) source->rows |= 1u << PL_INT32;
  source->real_rows = program_mentions(program, "pl_row_real");
  if (source->real_rows) source->rows |= 1u << program->real;
}

static pl_err build_source(pl_assembly *program, pl_source *source)
{
  PL_TRY(collect_pieces(program));
  PL_TRY(pl_refuse_unsupported(program));
  PL_TRY(pl_tables_find(program));
  PL_TRY(collect_consts(program, source));
  for (int i = 0; i < program->count; i++)
    source->uses_real = source->uses_real || program->piece[i].uses_real;
  find_rows(program, source);
  write_program(program, source);
  PL_TRY(write_vectors(program, source));
  return pl_string_check(&source->text);
}

static bool has_fewer_rules(const pl_kernel *kernel)
{
  const pl_kernel_options *options = pl_kernel_extras(kernel);
  return options->cpp || (options->headers && *options->headers);
}

pl_err pl_source_has_vectors(pl_context *pl, const pl_kernel *kernel, const pl_signature *signature,
                             const pl_arg *args, bool *possible)
{
  static const pl_source_options host = {.host = true};
  pl_assembly program = {
    .pl = pl, .kernel = kernel, .style = &host, .real = signature->real, .signature = signature};
  pl_vector_source source = {.mark = NULL};
  program.fewer_rules = has_fewer_rules(kernel);
  *possible = false;
  pl_err err = collect_pieces(&program);
  if (!err) err = pl_vector_source_find(&program, args, &source, possible);
  pl_vector_source_free(pl, &source);
  free_pieces(&program);
  return err;
}

pl_err pl_source_build(pl_context *pl, const pl_kernel *kernel, const pl_signature *signature,
                       const pl_source_options *style, pl_source *source)
{
  pl_assembly program = {
    .pl = pl, .kernel = kernel, .style = style, .real = signature->real, .signature = signature};
  program.fewer_rules = has_fewer_rules(kernel);
  *source = (pl_source){.pl = pl};
  pl_string_init(&source->text, pl);
  pl_err err = build_source(&program, source);
  source->table = program.table;
  source->table_count = program.table_count;
  free_pieces(&program);
  if (err) pl_source_free(source);
  return err;
}

void pl_source_free(pl_source *source)
{
  if (!source->pl) return;
  pl_string_free(&source->text);
  pl_free(source->pl, source->consts);
  pl_tables_free(source->pl, source->table, source->table_count);
  *source = (pl_source){.pl = source->pl, .text = {.pl = source->pl}};
}
