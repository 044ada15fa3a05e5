/* SPDX-License-Identifier: BSD-2-Clause
 * Fragments are built once, checked against each other, and printed so that macros reach no other kernel.
 */
#include "fragment.h"
#include "fusion_cache.h"
#include "codegen/kernel/kernel_outline.h"
#include "codegen/source/kernel_source.h"
#include <string.h>

pl_fragment *pl_fragment_new(pl_context *pl, const pl_kernel *kernel)
{
  pl_fusion_cache *cache = pl->deferred.fused;
  pl_fragment *p = pl_calloc(pl, 1, sizeof *p);
  if (!p) {
    pl_fail_memory(pl, sizeof *p);
    return NULL;
  }
  p->kernel = kernel;
  p->next = cache->fragments;
  cache->fragments = p;
  cache->nfragments++;
  return p;
}

/* A PL_KERNEL gets a name of its own; a source stays as it is. */
static bool fill_fragment(pl_context *pl, pl_fragment *p)
{
  const pl_kernel *kernel = p->kernel;
  char name[96];
  pl_string text;
  pl_reals reals;
  if (pl_source_reals(pl, kernel, &reals)) return false;
  p->uses_real = reals.uses;
  p->computes = reals.computes;
  pl_string_init(&text, pl);
  p->source = kernel->source != NULL;
  snprintf(name, sizeof name, p->source ? "%s" : "%.80s_%d", kernel->name,
           ((pl_fusion_cache *)pl->deferred.fused)->nfragments);
  if (p->source)
    pl_string_add(&text, "%s\n", kernel->source);
  else
    pl_string_add(&text, "void %s%s %s\n", name, kernel->params, kernel->body);
  p->macros = strchr(pl_string_chars(&text), '#') != NULL;
  p->name = pl_strdup(pl, name);
  p->text = pl_string_check(&text) ? NULL : pl_strdup(pl, pl_string_chars(&text));
  pl_string_free(&text);
  if (!p->name || !p->text) pl_fail_memory(pl, strlen(name));
  return p->name && p->text;
}

pl_fragment *pl_fragment_of(pl_context *pl, const pl_kernel *kernel)
{
  pl_fusion_cache *cache = pl->deferred.fused;
  for (pl_fragment *p = cache->fragments; p; p = p->next)
    if (p->kernel == kernel) return p;
  pl_fragment *p = pl_fragment_new(pl, kernel);
  if (p && fill_fragment(pl, p)) return p;
  if (p) pl_fragment_drop(pl);
  return NULL;
}

void pl_fragment_drop(pl_context *pl)
{
  pl_fusion_cache *cache = pl->deferred.fused;
  pl_fragment *p = cache->fragments;
  cache->fragments = p->next;
  cache->nfragments--;
  pl_free_all(pl, p->name, p->text, p->needs, p);
}

void pl_fragments_free(pl_context *pl)
{
  pl_fusion_cache *cache = pl->deferred.fused;
  while (cache->fragments) pl_fragment_drop(pl);
}

/* ---- files that cannot be in one text ---- */

/* The text of `a` contains this name, possibly in a directive. */
static bool mentions(const pl_kernel_outline *a, const pl_token *name)
{
  for (int i = 0; i < a->tokens.count; i++) {
    const pl_token *token = &a->tokens.item[i];
    pl_lexer rest;
    if (pl_token_same(token, name)) return true;
    if (token->kind != PL_TOKEN_DIRECTIVE) continue;
    pl_directive_open(token, &rest);
    for (pl_token t = pl_lex_next(&rest); t.kind != PL_TOKEN_END && t.kind != PL_TOKEN_ERROR;
         t = pl_lex_next(&rest))
      if (pl_token_same(&t, name)) return true;
  }
  return false;
}

/* A directive affects `b`: it defines a name that `b` contains, or its effect is unknown. */
static bool directive_affects(const pl_token *directive, const pl_kernel_outline *b)
{
  static const char *const harmless[] = {"if",    "ifdef", "ifndef", "elif", "else",
                                         "endif", "error", "line",   NULL};
  pl_lexer rest;
  pl_token word = pl_directive_open(directive, &rest), next = pl_lex_next(&rest);
  if (pl_token_is(&word, "define") || pl_token_is(&word, "undef")) return mentions(b, &next);
  if (pl_token_is(&word, "include")) return !pl_token_is(&next, "<") && !pl_token_is(&next, "\"plait.h\"");
  for (const char *const *name = harmless; *name; name++)
    if (pl_token_is(&word, *name)) return false;
  return true;
}

/* A directive or function of `a` changes the meaning of `b`. */
static bool affects(const pl_kernel_outline *a, const pl_kernel_outline *b)
{
  for (int i = 0; i < a->tokens.count; i++)
    if (a->tokens.item[i].kind == PL_TOKEN_DIRECTIVE && directive_affects(&a->tokens.item[i], b)) return true;
  for (int i = 0; i < a->count; i++)
    if (a->unit[i].kind == PL_UNIT_FUNCTION && mentions(b, &a->tokens.item[a->unit[i].name])) return true;
  return false;
}

static pl_err check_pair(pl_context *pl, const pl_fragment *p, const pl_fragment *q)
{
  pl_kernel_outline a, b;
  pl_origin x = pl_kernel_origin(p->kernel), y = pl_kernel_origin(q->kernel);
  pl_err err = pl_kernel_outline_read(pl, &x, p->text, strlen(p->text), &a);
  bool clash = false;
  if (!err) {
    err = pl_kernel_outline_read(pl, &y, q->text, strlen(q->text), &b);
    if (!err) {
      clash = affects(&a, &b) || affects(&b, &a);
      pl_kernel_outline_free(&b);
    }
    pl_kernel_outline_free(&a);
  }
  if (err == PL_ERR_MEMORY || (!err && !clash)) return err;
  return pl_fail(pl, PL_ERR_KERNEL, "the texts of kernels \"%s\" and \"%s\" define the same names or macros",
                 q->kernel->name, p->kernel->name);
}

static int collect_sources(pl_fragment *p, pl_fragment **list, int n, int mark)
{
  if (p->mark == mark) return n;
  p->mark = mark;
  if (p->source) list[n++] = p;
  for (int i = 0; i < p->nneeds; i++) n = collect_sources(p->needs[i], list, n, mark);
  return n;
}

pl_err pl_fragments_check(pl_context *pl, int n, pl_fragment *const *fragment)
{
  pl_fusion_cache *cache = pl->deferred.fused;
  pl_fragment **list = pl_calloc(pl, (size_t)cache->nfragments, sizeof *list);
  if (!list) return pl_fail_memory(pl, (size_t)cache->nfragments * sizeof *list);
  int found = 0, mark = ++cache->marks;
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < n; i++) found = collect_sources(fragment[i], list, found, mark);
  for (int i = 0; i < found && !err; i++)
    for (int j = 0; j < i && !err; j++)
      if (strcmp(list[i]->text, list[j]->text)) err = check_pair(pl, list[i], list[j]);
  pl_free(pl, list);
  return err;
}

/* ---- printing ---- */

/* Kernels first, where macros of files do not reach; then files; then fused kernels, which call both. */
typedef enum layer { KERNELS, FILES, FUSED } layer;

static void print_fragment(pl_string *t, pl_fragment *p, int mark, layer now)
{
  if (p->mark == mark) return;
  for (int i = 0; i < p->nneeds; i++) print_fragment(t, p->needs[i], mark, now);
  if (now != (p->source ? FILES : p->nneeds ? FUSED : KERNELS)) return;
  p->mark = mark;
  pl_string_add_bytes(t, p->text, strlen(p->text));
}

/* Files with the same text are printed once. */
static void skip_same_sources(pl_fusion_cache *cache, int mark)
{
  for (pl_fragment *p = cache->fragments; p; p = p->next)
    for (pl_fragment *q = cache->fragments; q != p; q = q->next)
      if (p->source && q->source && p->mark == mark && q->mark != mark && !strcmp(p->text, q->text))
        q->mark = mark;
}

void pl_fragments_print(pl_context *pl, pl_string *t, int n, pl_fragment *const *fragment)
{
  pl_fusion_cache *cache = pl->deferred.fused;
  for (layer now = KERNELS; now <= FUSED; now++) {
    int mark = ++cache->marks;
    for (int i = 0; i < n; i++) {
      print_fragment(t, fragment[i], mark, now);
      skip_same_sources(cache, mark);
    }
  }
}
