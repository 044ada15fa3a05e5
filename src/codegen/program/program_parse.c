/* SPDX-License-Identifier: BSD-2-Clause
 * Reading a program's kernels: their names, parameters, and whether their work items wait for each other.
 */
#include "program_text.h"
#include "core/memory.h"
#include "lex.h"
#include <string.h>

typedef struct reader {
  pl_context *pl;
  pl_program *program;
  const pl_target *target;
  pl_tokens source, defines;
  bool waits; /* barriers outside functions, in macros: every kernel may have them */
} reader;

static pl_err reject(const reader *r, int line, const char *what, const pl_token *token)
{
  return pl_fail(r->pl, PL_ERR_KERNEL, "program \"%s\" (%s:%d): %s%s%.*s%s", r->program->node.name,
                 r->program->node.name, line, what, token ? " \"" : "", token ? (int)token->length : 0,
                 token ? token->text : "", token ? "\"" : "");
}

/* ---- what is defined ---- */

static bool defines_name(const pl_tokens *tokens, const pl_token *name)
{
  for (int i = 0; i < tokens->count; i++) {
    pl_lexer rest;
    if (tokens->item[i].kind != PL_TOKEN_DIRECTIVE) continue;
    pl_token word = pl_directive_open(&tokens->item[i], &rest), what = pl_lex_next(&rest);
    if (pl_token_is(&word, "define") && pl_token_same(&what, name)) return true;
  }
  return false;
}

/* Names that the prelude or the target's compiler defines. */
static bool is_defined(const void *user, const pl_token *name)
{
  const reader *r = user;
  const pl_target *t = r->target;
  if (pl_token_is(name, "SUPPORTS_DOUBLE_PRECISION")) return t->has_double;
  if (pl_token_is(name, "SUPPORTS_64_BIT_ATOMICS")) return t->has_atomics_64;
  if (pl_token_is(name, "USE_DOUBLE_PRECISION")) return r->program->real == PL_DOUBLE;
  if (pl_token_is(name, "USE_MIXED_PRECISION")) return r->program->real != r->program->mixed;
  if (pl_token_is(name, "__CUDA_ARCH__")) return !strcmp(t->name, "cuda");
  if (pl_token_is(name, "__OPENCL_VERSION__")) return !strcmp(t->name, "opencl");
  return defines_name(&r->defines, name) || defines_name(&r->source, name);
}

/* ---- types ---- */

/* Words of C, CUDA, OpenCL and Plait for one type. */
static pl_type type_of(const reader *r, const char *words)
{
  static const struct {
    const char *words;
    pl_type type;
  } known[] = {{"char", PL_INT8},
               {"signed char", PL_INT8},
               {"int8_t", PL_INT8},
               {"unsigned char", PL_UINT8},
               {"uchar", PL_UINT8},
               {"uint8_t", PL_UINT8},
               {"short", PL_INT16},
               {"int16_t", PL_INT16},
               {"unsigned short", PL_UINT16},
               {"ushort", PL_UINT16},
               {"uint16_t", PL_UINT16},
               {"int", PL_INT32},
               {"int32_t", PL_INT32},
               {"unsigned int", PL_UINT32},
               {"unsigned", PL_UINT32},
               {"uint", PL_UINT32},
               {"uint32_t", PL_UINT32},
               {"long", PL_INT64},
               {"mm_long", PL_INT64},
               {"int64_t", PL_INT64},
               {"unsigned long", PL_UINT64},
               {"mm_ulong", PL_UINT64},
               {"ulong", PL_UINT64},
               {"uint64_t", PL_UINT64},
               {"long long", PL_INT64},
               {"unsigned long long", PL_UINT64},
               {"float", PL_FLOAT},
               {"double", PL_DOUBLE}};
  if (!strcmp(words, "real")) return r->program->real;
  if (!strcmp(words, "mixed")) return r->program->mixed;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(known[i].words, words)) return known[i].type;
  return PL_TYPE_COUNT;
}

/* "float4" is four of float; names that only look so stay the program's own. */
static void take_type(const reader *r, char *words, pl_formal *formal)
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

/* Types of values that OpenCL takes for no kernel's parameter. */
static bool is_no_parameter(const char *words)
{
  static const char *const refused[] = {"bool", "size_t", "ptrdiff_t", "intptr_t", "uintptr_t"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    if (!strcmp(words, refused[i])) return true;
  return false;
}

/* ---- parameters ---- */

static bool is_decoration(const pl_token *token)
{
  static const char *const words[] = {"GLOBAL",       "RESTRICT",   "volatile", "restrict",
                                      "__restrict__", "__restrict", NULL};
  for (const char *const *word = words; *word; word++)
    if (pl_token_is(token, *word)) return true;
  return false;
}

static pl_err name_formal(const reader *r, const pl_token *name, const char *words, pl_formal *formal)
{
  size_t length = strlen(words) + 8;
  formal->name = pl_calloc(r->pl, name->length + 1, 1);
  formal->text = pl_calloc(r->pl, length, 1);
  if (!formal->name || !formal->text) return pl_fail_memory(r->pl, length);
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
  if (!formal->pointer && is_no_parameter(words))
    return reject(r, name->line,
                  "a kernel's parameter is no bool and no size_t, write int or mm_long:", name);
  take_type(r, words, formal);
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
  task->formal = pl_calloc(r->pl, (size_t)n, sizeof *task->formal);
  if (!task->formal) return pl_fail_memory(r->pl, (size_t)n * sizeof *task->formal);
  task->nformals = n;
  for (int at = begin; at <= close && i < n; at++)
    if (at == close || pl_token_is(&r->source.item[at], ",")) {
      PL_TRY(read_formal(r, begin, at, &task->formal[i++]));
      begin = at + 1;
    }
  return PL_SUCCESS;
}

/* ---- barriers ---- */

static bool is_barrier(const pl_token *token)
{
  return pl_token_is(token, "SYNC_THREADS") || pl_token_is(token, "SYNC_WARPS");
}

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

/* The body of the function that token i names, if it is defined there. */
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

/* Whether tokens begin..end-1 wait, or call a function that does; `depth` ends circles. */
static bool waits(const reader *r, int begin, int end, int depth)
{
  const pl_token *token = r->source.item;
  int open, close;
  for (int i = begin; i < end; i++) {
    if (is_barrier(&token[i])) return true;
    if (token[i].kind != PL_TOKEN_NAME || !pl_token_is(&token[i + 1], "(") || depth == 0) continue;
    for (int k = 0; k < begin; k++)
      if (pl_token_same(&token[k], &token[i]) && find_body(r, k, &open, &close) &&
          waits(r, open, close, depth - 1))
        return true;
  }
  return false;
}

/* ---- swizzles ---- */

/* Two to four of x, y, z and w: of OpenCL's vectors several members at once. */
static bool is_swizzle(const pl_token *name)
{
  if (name->kind != PL_TOKEN_NAME || name->length < 2 || name->length > 4) return false;
  for (size_t i = 0; i < name->length; i++)
    if (!strchr("xyzw", name->text[i])) return false;
  return true;
}

/* Whether a name stands anywhere but behind a dot: a member of the program's own. */
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
      return reject(r, token[i].line,
                    "only OpenCL knows several members of a vector by one name; take them one by one, or "
                    "trimTo3() of four:",
                    &token[i + 1]);
  return PL_SUCCESS;
}

/* ---- kernels ---- */

/* Where the kernel after KERNEL at token i has its name; -1 if there is none. */
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
    return reject(r, token[i].line, "after KERNEL comes void, a name, parameters and a body", NULL);
  task->line = token[i].line;
  task->name = pl_calloc(r->pl, token[name].length + 1, 1);
  if (!task->name) return pl_fail_memory(r->pl, token[name].length + 1);
  memcpy(task->name, token[name].text, token[name].length);
  if (pl_task_find(r->program, task->name) != task)
    return reject(r, token[name].line, "there is another kernel", &token[name]);
  PL_TRY(read_formals(r, name + 1, open - 1, task));
  task->barriers = r->waits || waits(r, open, close, DEEP);
  return PL_SUCCESS;
}

static pl_err read_tasks(reader *r)
{
  int n = 0;
  for (int i = 0; i < r->source.count; i++) n += pl_token_is(&r->source.item[i], "KERNEL");
  r->program->task = pl_calloc(r->pl, (size_t)n, sizeof *r->program->task);
  if (!r->program->task) return pl_fail_memory(r->pl, (size_t)n * sizeof *r->program->task);
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
