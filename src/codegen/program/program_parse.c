/* SPDX-License-Identifier: BSD-2-Clause
 * Reads a program's kernels: names, parameters, and use of barriers.
 */
#include "program_parse.h"
#include "codegen/syntax/lexer.h"
#include "core/context/error.h"
#include "core/context/memory.h"
#include "core/program/program.h"
#include <string.h>

typedef struct reader {
  pl_context *pl;
  pl_program *program;
  const pl_target *target;
  pl_tokens source, defines;
  bool waits; /* macros contain barriers, so every kernel may have some */
} reader;

static pl_err reject(const reader *r, int line, const char *problem, const pl_token *token)
{
  return pl_fail(r->pl, PL_ERR_KERNEL, "program \"%s\" (%s:%d): %s%s%.*s%s", r->program->node.name,
                 r->program->node.name, line, problem, token ? " \"" : "", token ? (int)token->length : 0,
                 token ? token->text : "", token ? "\"" : "");
}

/* ---- defined names ---- */

static bool defines_name(const pl_tokens *tokens, const pl_token *name)
{
  for (int i = 0; i < tokens->count; i++) {
    pl_lexer rest;
    if (tokens->item[i].kind != PL_TOKEN_DIRECTIVE) continue;
    pl_token word = pl_directive_open(&tokens->item[i], &rest), macro = pl_lex_next(&rest);
    if (pl_token_is(&word, "define") && pl_token_same(&macro, name)) return true;
  }
  return false;
}

/* Defined by the prelude, the target's compiler or the program. */
static bool is_defined(const void *user, const pl_token *name)
{
  const reader *r = user;
  const pl_target *t = r->target;
  if (pl_token_is(name, "SUPPORTS_DOUBLE_PRECISION")) return t->has_double;
  if (pl_token_is(name, "SUPPORTS_64_BIT_ATOMICS")) return t->has_atomics_64;
  if (pl_token_is(name, "USE_DOUBLE_PRECISION")) return r->program->real == PL_DOUBLE;
  if (pl_token_is(name, "USE_MIXED_PRECISION")) return r->program->real != r->program->mixed;
  const char *predefined = t->dialect->predefined;
  return (predefined && pl_token_is(name, predefined)) || defines_name(&r->defines, name) ||
         defines_name(&r->source, name);
}

/* ---- types ---- */

/* Spellings in C, CUDA, OpenCL and Plait, each behind a bar. */
static pl_type type_of(const reader *r, const char *words)
{
  static const char *const spellings[PL_TYPE_COUNT] = {
    [PL_INT8] = "|char|signed char|int8_t|",
    [PL_UINT8] = "|unsigned char|uchar|uint8_t|",
    [PL_INT16] = "|short|int16_t|",
    [PL_UINT16] = "|unsigned short|ushort|uint16_t|",
    [PL_INT32] = "|int|int32_t|",
    [PL_UINT32] = "|unsigned int|unsigned|uint|uint32_t|",
    [PL_INT64] = "|long|mm_long|int64_t|long long|",
    [PL_UINT64] = "|unsigned long|mm_ulong|ulong|uint64_t|unsigned long long|",
    [PL_FLOAT] = "|float|",
    [PL_DOUBLE] = "|double|"};
  char spelling[132];
  if (!strcmp(words, "real")) return r->program->real;
  if (!strcmp(words, "mixed")) return r->program->mixed;
  snprintf(spelling, sizeof spelling, "|%s|", words);
  for (int type = 0; type < PL_TYPE_COUNT; type++)
    if (spellings[type] && strstr(spellings[type], spelling)) return (pl_type)type;
  return PL_TYPE_COUNT;
}

/* "float4" is four of float; other names that end in a digit are types of the program. */
static void set_type(const reader *r, char *words, pl_formal *formal)
{
  static const char *const vectors[] = {"short", "int", "float", "double", "real", "mixed"};
  size_t length = strlen(words);
  char last = length ? words[length - 1] : 0;
  formal->width = 1;
  formal->type = type_of(r, words);
  if (formal->type != PL_TYPE_COUNT || last < '2' || last > '4') return;
  words[length - 1] = '\0';
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    if (!strcmp(words, vectors[i])) {
      formal->type = type_of(r, words);
      formal->width = last - '0';
    }
  words[length - 1] = last;
}

/* Types that OpenCL does not allow for kernel parameters. */
static bool is_refused_type(const char *words)
{
  static const char *const refused[] = {"bool", "size_t", "ptrdiff_t", "intptr_t", "uintptr_t"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (!strcmp(words, refused[i])) return true;
  return false;
}

/* ---- parameters ---- */

static bool is_decoration(const pl_token *token)
{
  return pl_token_in(token, "GLOBAL RESTRICT volatile restrict __restrict__ __restrict");
}

static pl_err name_formal(const reader *r, const pl_token *name, const char *words, pl_formal *formal)
{
  size_t length = strlen(words) + 8;
  PL_TRY(PL_NEW(r->pl, formal->name, name->length + 1));
  PL_TRY(PL_NEW(r->pl, formal->text, length));
  memcpy(formal->name, name->text, name->length);
  snprintf(formal->text, length, "%s %s", words, formal->pointer ? "*" : "");
  return PL_SUCCESS;
}

static bool is_global(const reader *r, int begin, int end)
{
  for (int i = begin; i < end; i++)
    if (pl_token_is(&r->source.item[i], "GLOBAL")) return true;
  return false;
}

/* One parameter: the tokens begin..end-1. */
static pl_err read_formal(const reader *r, int begin, int end, pl_formal *formal)
{
  const pl_token *token = r->source.item, *name = NULL;
  char words[128] = "";
  for (int i = begin; i < end; i++) {
    if (pl_token_is(&token[i], "*")) {
      if (formal->pointer)
        return reject(r, token[i].line, "a kernel's parameter is a pointer to pointers", NULL);
      formal->pointer = true;
    } else if (pl_token_is(&token[i], "const")) {
      formal->constant |= !formal->pointer;
    } else if (token[i].kind == PL_TOKEN_NAME && !is_decoration(&token[i])) {
      if (name)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s%.*s", *words ? " " : "",
                 (int)name->length, name->text);
      name = &token[i];
    } else if (token[i].kind != PL_TOKEN_NAME && token[i].kind != PL_TOKEN_DIRECTIVE) {
      return reject(r, token[i].line, "a kernel's parameter cannot be understood at", &token[i]);
    }
  }
  if (!name || !*words)
    return reject(r, token[begin].line, "a kernel's parameter has no type or no name", NULL);
  if (formal->pointer && !is_global(r, begin, end))
    return reject(r, name->line, "a pointer that is a kernel's parameter needs GLOBAL:", name);
  if (!formal->pointer && is_refused_type(words))
    return reject(r, name->line,
                  "a kernel's parameter must not be bool or size_t, write int or mm_long:", name);
  set_type(r, words, formal);
  if (formal->width == 3)
    return pl_fail(
      r->pl, PL_ERR_KERNEL,
      "program \"%s\" (%s:%d): %s takes 12 bytes on one backend and 16 on another, so no kernel's "
      "parameter may be one; use four values",
      r->program->node.name, r->program->node.name, name->line, words);
  return name_formal(r, name, words, formal);
}

static int count_formals(const reader *r, int open, int close)
{
  int n = 1, names = 0;
  for (int i = open + 1; i < close; i++) {
    n += pl_token_is(&r->source.item[i], ",");
    names += r->source.item[i].kind == PL_TOKEN_NAME && !pl_token_is(&r->source.item[i], "void");
  }
  return names ? n : 0;
}

static pl_err read_formals(const reader *r, int open, int close, pl_task *task)
{
  int begin = open + 1, n = count_formals(r, open, close), i = 0;
  PL_TRY(PL_NEW(r->pl, task->formal, (size_t)n));
  task->nformals = n;
  for (int at = begin; at <= close && i < n; at++)
    if (at == close || pl_token_is(&r->source.item[at], ",")) {
      PL_TRY(read_formal(r, begin, at, &task->formal[i++]));
      begin = at + 1;
    }
  return PL_SUCCESS;
}

/* ---- barriers ---- */

static bool mentions_barrier(const pl_token *directive)
{
  for (size_t i = 0; i + 5 <= directive->length; i++)
    if (!memcmp(directive->text + i, "SYNC_", 5)) return true;
  return false;
}

static void look_for_macros(reader *r)
{
  const pl_tokens *lists[] = {&r->source, &r->defines};
  for (int l = 0; l < 2; l++)
    for (int i = 0; i < lists[l]->count; i++)
      r->waits |= lists[l]->item[i].kind == PL_TOKEN_DIRECTIVE && mentions_barrier(&lists[l]->item[i]);
}

/* The body of the function whose definition has its name at token i. */
static bool find_body(const reader *r, int i, int *open, int *close)
{
  const pl_token *token = r->source.item;
  if (token[i].kind != PL_TOKEN_NAME || i + 1 >= r->source.count || !pl_token_is(&token[i + 1], "("))
    return false;
  int end = pl_tokens_match(&r->source, i + 1);
  if (end < 0 || end + 1 >= r->source.count || !pl_token_is(&token[end + 1], "{")) return false;
  *open = end + 1;
  *close = pl_tokens_match(&r->source, end + 1);
  return *close > 0;
}

/* Whether tokens begin..end-1 contain a barrier, or call a function that does; `depth` limits recursion. */
static bool waits(const reader *r, int begin, int end, int depth)
{
  const pl_token *token = r->source.item;
  int open, close;
  for (int i = begin; i < end; i++) {
    if (pl_token_in(&token[i], "SYNC_THREADS SYNC_WARPS")) return true;
    if (token[i].kind != PL_TOKEN_NAME || !pl_token_is(&token[i + 1], "(") || depth == 0) continue;
    for (int k = 0; k < begin; k++)
      if (pl_token_same(&token[k], &token[i]) && find_body(r, k, &open, &close) &&
          waits(r, open, close, depth - 1))
        return true;
  }
  return false;
}

/* ---- swizzles ---- */

/* Two to four of x, y, z and w: several members of an OpenCL vector at once. */
static bool is_swizzle(const pl_token *name)
{
  if (name->kind != PL_TOKEN_NAME || name->length < 2 || name->length > 4) return false;
  for (size_t i = 0; i < name->length; i++)
    if (!strchr("xyzw", name->text[i])) return false;
  return true;
}

/* Whether a name occurs other than behind a dot: a member that the program declares. */
static bool is_declared(const reader *r, const pl_token *name)
{
  const pl_token *token = r->source.item;
  for (int i = 0; i < r->source.count; i++)
    if (pl_token_same(&token[i], name) && !(i && pl_token_is(&token[i - 1], "."))) return true;
  return false;
}

static pl_err check_swizzles(const reader *r)
{
  const pl_token *token = r->source.item;
  for (int i = 0; i + 1 < r->source.count; i++)
    if (pl_token_is(&token[i], ".") && is_swizzle(&token[i + 1]) && !is_declared(r, &token[i + 1]))
      return reject(
        r, token[i].line,
        "only OpenCL has names for several members of a vector; take them one by one, or use trimTo3():",
        &token[i + 1]);
  return PL_SUCCESS;
}

/* ---- kernels ---- */

/* The name of the kernel whose KERNEL is token i; -1 if there is none. */
static int kernel_name(const reader *r, int i)
{
  const pl_token *token = r->source.item;
  for (i++; i + 1 < r->source.count && token[i].kind == PL_TOKEN_NAME; i++)
    if (pl_token_is(&token[i + 1], "(")) return i;
  return -1;
}

static pl_err read_task(const reader *r, int i, pl_task *task)
{
  enum { DEEP = 8 };
  const pl_token *token = r->source.item;
  int name = kernel_name(r, i), open, close;
  if (name < 0 || !pl_token_is(&token[name - 1], "void") || !find_body(r, name, &open, &close))
    return reject(r, token[i].line, "KERNEL must be followed by void, a name, parameters and a body", NULL);
  task->line = token[i].line;
  PL_TRY(PL_NEW(r->pl, task->name, token[name].length + 1));
  memcpy(task->name, token[name].text, token[name].length);
  if (pl_task_find(r->program, task->name) != task)
    return reject(r, token[name].line, "another kernel has the name", &token[name]);
  PL_TRY(read_formals(r, name + 1, open - 1, task));
  task->barriers = r->waits || waits(r, open, close, DEEP);
  return PL_SUCCESS;
}

static pl_err read_tasks(reader *r)
{
  int n = 0;
  for (int i = 0; i < r->source.count; i++) n += pl_token_is(&r->source.item[i], "KERNEL");
  PL_TRY(PL_NEW(r->pl, r->program->task, (size_t)n));
  for (int i = 0; i < r->source.count; i++)
    if (pl_token_is(&r->source.item[i], "KERNEL"))
      PL_TRY(read_task(r, i, &r->program->task[r->program->ntasks++]));
  return PL_SUCCESS;
}

static pl_err read_source(reader *r)
{
  const pl_program *p = r->program;
  PL_TRY(pl_tokens_read(r->pl, p->defines, strlen(p->defines), 1, &r->defines));
  PL_TRY(pl_tokens_read(r->pl, p->source, strlen(p->source), 1, &r->source));
  const pl_token *last = &r->source.item[r->source.count - 1];
  if (last->kind == PL_TOKEN_ERROR) return reject(r, last->line, pl_token_problem(last), NULL);
  look_for_macros(r);
  pl_tokens_prune(&r->source, is_defined, r);
  PL_TRY(check_swizzles(r));
  return read_tasks(r);
}

pl_err pl_tasks_read(pl_program *program, const pl_target *target)
{
  reader r = {.pl = program->node.pl, .program = program, .target = target};
  pl_err err = read_source(&r);
  if (r.source.pl) pl_tokens_free(&r.source);
  if (r.defines.pl) pl_tokens_free(&r.defines);
  return err;
}
