/* SPDX-License-Identifier: BSD-2-Clause
 * Texts of made kernels.
 */
#include "made.h"
#include "core/hash.h"
#include "core/memory.h"
#include "operand.h"
#include "outline.h"
#include <string.h>

void pl_builder_free(pl_builder *b)
{
  pl_text_free(&b->body);
  pl_free(b->pl, b->slot);
  pl_free(b->pl, b->part);
}

pl_err pl_builder_open(pl_context *pl, pl_builder *b, int slots, int parts)
{
  *b = (pl_builder){.pl = pl, .most = slots, .parts_room = parts, .real = PL_TYPE_COUNT};
  pl_text_init(&b->body, pl);
  b->slot = pl_calloc(pl, (size_t)slots + 1, sizeof *b->slot);
  b->part = pl_calloc(pl, (size_t)parts + 1, sizeof *b->part);
  return b->slot && b->part ? PL_SUCCESS : pl_fail_memory(pl, (size_t)slots * sizeof *b->slot);
}

bool pl_combines(pl_access access)
{
  return access == PL_INC || access == PL_MIN || access == PL_MAX;
}

/* Increments and extremes through maps, and the ends of reductions, are each their own argument. */
static bool shared(const pl_made_slot *s, const pl_arg *arg)
{
  const pl_arg *x = &s->arg;
  if (x->kind != arg->kind || x->object != arg->object || x->map != arg->map || x->index != arg->index ||
      x->component != arg->component)
    return false;
  if (arg->kind == PL_ARG_GLOBAL) return arg->access == PL_READ;
  return !arg->map || (arg->access == PL_READ && x->access == PL_READ);
}

static bool is_dead(const pl_builder *b, const pl_arg *arg)
{
  for (int i = 0; i < b->ndead; i++)
    if ((arg->kind == PL_ARG_DAT || arg->kind == PL_ARG_GLOBAL) && arg->object == b->dead[i]) return true;
  return false;
}

/* What one argument must allow if a member with `next` follows. */
static pl_access join(pl_access before, pl_access next)
{
  if (before == PL_READ && next == PL_READ) return PL_READ;
  return before == PL_WRITE ? PL_WRITE : PL_RW;
}

static pl_made_slot *new_slot(pl_builder *b, const pl_arg *arg, bool real)
{
  pl_made_slot *s = &b->slot[b->nslots++];
  *s = (pl_made_slot){.arg = *arg, .dead = is_dead(b, arg), .real = real};
  return s;
}

/* The second storage of a dat, once it has been written there; and the first one for the dat that the second
 * storage belongs to. */
static pl_arg see_swaps(pl_builder *b, const pl_arg *arg)
{
  pl_arg seen = *arg;
  if (arg->kind != PL_ARG_DAT || arg->map) return seen;
  for (int i = 0; i < b->nswap; i++) {
    if (arg->object == b->swap[i][1] && b->equal[i]) seen.object = b->swap[i][0];
    if (arg->object != b->swap[i][0]) continue;
    b->moved[i] |= arg->access == PL_WRITE;
    if (b->moved[i]) seen.object = b->swap[i][1];
  }
  return seen;
}

pl_made_slot *pl_builder_slot(pl_builder *b, const pl_arg *given, bool real)
{
  pl_arg arg = see_swaps(b, given);
  for (pl_made_slot *s = b->slot; s < b->slot + b->nslots; s++)
    if (shared(s, &arg)) {
      s->arg.access = join(s->arg.access, arg.access);
      s->real |= real;
      return s;
    }
  return new_slot(b, &arg, real);
}

pl_made_slot *pl_builder_slot_apart(pl_builder *b, const pl_arg *arg, bool real)
{
  for (pl_made_slot *s = b->slot; s < b->slot + b->nslots; s++)
    if (shared(s, arg) && s->arg.access == PL_READ && arg->access == PL_READ) {
      s->real |= real;
      return s;
    }
  return new_slot(b, arg, real);
}

int pl_slot_number(const pl_builder *b, const pl_made_slot *s)
{
  return (int)(s - b->slot);
}

static const char *type_of(const pl_builder *b, const pl_param *param, const pl_arg *arg)
{
  (void)b;
  return param->is_real ? "pl_real" : pl_type_name(pl_arg_type(arg));
}

/* The type of a parameter, as a cast. */
static void print_cast(pl_text *t, const pl_builder *b, const pl_param *param, const pl_arg *arg)
{
  const char *constant = param->is_const ? "const " : "", *type = type_of(b, param, arg);
  if (param->shape == PL_SHAPE_POINTERS) {
    pl_text_add(t, "(%s%s **)", constant, type);
  } else if (param->shape == PL_SHAPE_PACKED) {
    pl_text_add(t, "(%s%s (*)", constant, type);
    for (int e = 1; e < param->rank; e++)
      pl_text_add(t, "[%d]", param->extent[e] >= 0 ? param->extent[e] : pl_arg_dim(arg));
    pl_text_add(t, ")");
  } else {
    pl_text_add(t, "(%s%s *)", constant, type);
  }
}

/* ---- calls ---- */

/* A member's pl_real must be that of the others. */
static pl_err take_real(pl_call *c)
{
  pl_builder *b = c->b;
  b->computes |= !c->part->uses_real && c->part->computes;
  if (!c->part->uses_real) return PL_SUCCESS;
  if (b->real != PL_TYPE_COUNT && b->real != c->signature->real)
    return pl_fail(b->pl, PL_ERR_KERNEL, "pl_real is float in some of the kernels, and double in others");
  b->real = c->signature->real;
  return PL_SUCCESS;
}

pl_err pl_call_open(pl_builder *b, const pl_loop *loop, const pl_signature *signature, pl_call *c)
{
  *c = (pl_call){.b = b, .loop = loop, .signature = signature, .part = pl_part_of(b->pl, loop->kernel)};
  pl_text_init(&c->after, b->pl);
  c->place = pl_calloc(b->pl, (size_t)loop->nargs, sizeof *c->place);
  if (!c->part || !c->place) return pl_fail_memory(b->pl, sizeof *c->place);
  bool known = false;
  for (int i = 0; i < b->nparts; i++) known |= b->part[i] == c->part;
  if (!known) b->part[b->nparts++] = c->part;
  b->flops += pl_kernel_extras(loop->kernel)->flops;
  return take_real(c);
}

void pl_call_close(pl_call *c)
{
  pl_text_free(&c->after);
  pl_free(c->b->pl, c->place);
}

/* T *x[n] gets an array of pointers into the place. */
static void print_pointers(pl_call *c, int i)
{
  const pl_param *param = &c->signature->param[i];
  const pl_arg *arg = &c->loop->args[i];
  const char *constant = param->is_const ? "const " : "", *type = type_of(c->b, param, arg);
  int number = c->b->privates++, n = pl_arg_targets(arg);
  pl_text_add(&c->b->body, "  %s%s *pl_t%d[%d];\n", constant, type, number, n);
  for (int k = 0; k < n; k++)
    pl_text_add(&c->b->body, "  pl_t%d[%d] = (%s%s *)%s[%d];\n", number, k, constant, type, c->place[i], k);
  snprintf(c->place[i], PL_CALL_PLACE, "pl_t%d", number);
}

void pl_call_print(pl_call *c)
{
  pl_text *t = &c->b->body;
  for (int i = 0; i < c->loop->nargs; i++)
    if (*c->place[i] && c->signature->param[i].shape == PL_SHAPE_POINTERS) print_pointers(c, i);
  pl_text_add(t, "  %s(", c->part->name);
  for (int i = 0; i < c->loop->nargs; i++) {
    if (i) pl_text_add(t, ", ");
    if (!*c->place[i]) {
      pl_text_add(t, "0");
      continue;
    }
    if (c->loop->args[i].kind != PL_ARG_INDEX)
      print_cast(t, c->b, &c->signature->param[i], &c->loop->args[i]);
    pl_text_add(t, "%s", c->place[i]);
  }
  pl_text_add(t, ");\n");
  pl_text_bytes(t, pl_text_string(&c->after), c->after.length);
}

/* Increments of a value that others see too are collected apart and combined after the call, as they would be
 * in a loop of their own. */
void pl_call_collect(pl_call *c, int i, const pl_made_slot *s)
{
  const pl_arg *arg = &c->loop->args[i];
  pl_type type = pl_arg_type(arg), base = pl_type_base(type);
  const char *name = pl_type_name(base);
  int n = c->b->privates++, dim = pl_arg_dim(arg) * (type == base ? 1 : 2), at = pl_slot_number(c->b, s);
  const char *zero = pl_neutral_text(base, arg->access);
  pl_text_add(&c->b->body, "  %s pl_t%d[%d];\n", name, n, dim);
  pl_text_add(&c->b->body, "  for (int pl_i = 0; pl_i < %d; pl_i++) pl_t%d[pl_i] = %s;\n", dim, n, zero);
  pl_text_add(&c->after, "  for (int pl_i = 0; pl_i < %d; pl_i++) ", dim);
  char into[64];
  snprintf(into, sizeof into, "((%s *)pl_a%d)[pl_i]", name, at);
  if (arg->access == PL_INC)
    pl_text_add(&c->after, "%s += pl_t%d[pl_i];\n", into, n);
  else
    pl_text_add(&c->after, "if (pl_t%d[pl_i] %s %s) %s = pl_t%d[pl_i];\n", n,
                arg->access == PL_MIN ? "<" : ">", into, into, n);
  snprintf(c->place[i], PL_CALL_PLACE, "pl_t%d", n);
}

/* ---- the whole text ---- */

static bool is_all(const pl_arg *arg)
{
  return arg->kind == PL_ARG_DAT && arg->map && arg->index == PL_ALL;
}

static void print_parameter(const pl_builder *b, pl_text *t, int s)
{
  const pl_arg *arg = &b->slot[s].arg;
  const char *type = b->slot[s].real ? "pl_real" : pl_type_name(pl_arg_type(arg));
  const char *constant = pl_arg_writes(arg) ? "" : "const ";
  if (is_all(arg) && arg->map->where)
    pl_text_add(t, "%s%s *pl_a%d[%d]", constant, type, s, arg->map->arity);
  else if (is_all(arg))
    pl_text_add(t, "%s%s pl_a%d[%d][%d]", constant, type, s, arg->map->arity, pl_arg_dim(arg));
  else
    pl_text_add(t, "%s%s *pl_a%d", constant, type, s);
}

/* Kernels first, which macros of whole files must not reach; then those files; then what was made of both. */
typedef enum layer { KERNELS, FILES, MADE } layer;

static void print_parts(pl_builder *b, pl_text *t, pl_part_text *p, int mark, layer now)
{
  if (p->mark == mark) return;
  for (int i = 0; i < p->nneeds; i++) print_parts(b, t, p->needs[i], mark, now);
  if (now != (p->source ? FILES : p->nneeds ? MADE : KERNELS)) return;
  p->mark = mark;
  pl_text_bytes(t, p->text, strlen(p->text));
}

/* A function with the slots as parameters and the body. */
static void print_function(const pl_builder *b, pl_text *t, const char *name)
{
  bool first = true;
  pl_text_add(t, "void %s(", name);
  for (int s = 0; s < b->nslots; s++) {
    if (b->slot[s].dead) continue;
    pl_text_add(t, "%s", first ? "" : ", ");
    print_parameter(b, t, s);
    first = false;
  }
  pl_text_add(t, ")\n{\n");
  for (int s = 0; s < b->nslots; s++)
    if (b->slot[s].dead)
      pl_text_add(t, b->slot[s].arg.kind == PL_ARG_GLOBAL ? "  %s pl_a%d[%d] = {0};\n" : "  %s pl_a%d[%d];\n",
                  b->slot[s].real ? "pl_real" : pl_type_name(pl_arg_type(&b->slot[s].arg)), s,
                  pl_arg_dim(&b->slot[s].arg));
  pl_text_bytes(t, pl_text_string(&b->body), b->body.length);
  pl_text_add(t, "}\n");
}

/* ---- texts that cannot stand together ---- */

/* The text of a has this name somewhere, in a preprocessor line too. */
static bool mentions(const pl_outline *a, const pl_token *name)
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

/* A preprocessor line of a that does something to b: it defines a name that b has, or nobody knows what. */
static bool line_reaches(const pl_token *directive, const pl_outline *b)
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

/* What a defines outside functions would mean something else in b: a helper of the program, a const. */
static bool reaches(const pl_outline *a, const pl_outline *b)
{
  for (int i = 0; i < a->tokens.count; i++)
    if (a->tokens.item[i].kind == PL_TOKEN_DIRECTIVE && line_reaches(&a->tokens.item[i], b)) return true;
  for (int i = 0; i < a->count; i++)
    if (a->unit[i].kind == PL_UNIT_FUNCTION && mentions(b, &a->tokens.item[a->unit[i].name])) return true;
  return false;
}

static bool clash(pl_context *pl, const pl_part_text *p, const pl_part_text *q)
{
  pl_outline a, b;
  pl_origin x = pl_kernel_origin(p->kernel), y = pl_kernel_origin(q->kernel);
  if (pl_outline_read(pl, &x, p->text, strlen(p->text), &a)) return true;
  if (pl_outline_read(pl, &y, q->text, strlen(q->text), &b)) {
    pl_outline_free(&a);
    return true;
  }
  bool found = reaches(&a, &b) || reaches(&b, &a);
  pl_outline_free(&a);
  pl_outline_free(&b);
  return found;
}

static int collect_sources(pl_part_text *p, pl_part_text **list, int n, int mark)
{
  if (p->mark == mark) return n;
  p->mark = mark;
  if (p->source) list[n++] = p;
  for (int i = 0; i < p->nneeds; i++) n = collect_sources(p->needs[i], list, n, mark);
  return n;
}

/* Whole files must not define the same names, and macros of one must not reach another. */
static pl_err check_parts(pl_builder *b)
{
  pl_workshop *shop = b->pl->late.fused;
  pl_part_text **list = pl_calloc(b->pl, (size_t)shop->nparts, sizeof *list);
  if (!list) return pl_fail_memory(b->pl, (size_t)shop->nparts * sizeof *list);
  int n = 0, mark = ++shop->marks;
  pl_err err = PL_SUCCESS;
  for (int i = 0; i < b->nparts; i++) n = collect_sources(b->part[i], list, n, mark);
  for (int i = 0; i < n && !err; i++)
    for (int j = 0; j < i && !err; j++)
      if (strcmp(list[i]->text, list[j]->text) && clash(b->pl, list[i], list[j]))
        err = pl_fail(b->pl, PL_ERR_KERNEL,
                      "the texts of kernels \"%s\" and \"%s\" define the same names or macros",
                      list[j]->kernel->name, list[i]->kernel->name);
  pl_free(b->pl, list);
  return err;
}

/* Files that are the same text are printed once. */
static void skip_same_sources(pl_builder *b, int mark)
{
  pl_workshop *shop = b->pl->late.fused;
  for (pl_part_text *p = shop->parts; p; p = p->next)
    for (pl_part_text *q = shop->parts; q != p; q = q->next)
      if (p->source && q->source && p->mark == mark && q->mark != mark && !strcmp(p->text, q->text))
        q->mark = mark;
}

static void print_all_parts(pl_builder *b, pl_text *t, layer now)
{
  pl_workshop *shop = b->pl->late.fused;
  int mark = ++shop->marks;
  for (int i = 0; i < b->nparts; i++) {
    print_parts(b, t, b->part[i], mark, now);
    skip_same_sources(b, mark);
  }
}

/* ---- kernels and loops ---- */

/* Where pl_real is float, literals and functions are so in the whole text. */
static pl_err check_reals(const pl_builder *b)
{
  if (b->real != PL_FLOAT || !b->computes) return PL_SUCCESS;
  return pl_fail(b->pl, PL_ERR_KERNEL,
                 "pl_real is float in some of the kernels, and others compute without that word");
}

static pl_source_kernel *find_kernel(pl_context *pl, const char *name, const char *source, int real_size)
{
  for (pl_node *node = pl->kernels; node; node = node->next) {
    pl_source_kernel *own = (pl_source_kernel *)node;
    if (!strcmp(node->name, name) && own->kernel.real_size == real_size &&
        !strcmp(own->kernel.source, source))
      return own;
  }
  return NULL;
}

/* The made kernel may itself become a part. */
static pl_err add_made_part(pl_builder *b, const pl_kernel *kernel, const char *function)
{
  pl_part_text *p = pl_part_new(b->pl, kernel);
  if (!p) return PL_ERR_MEMORY;
  p->name = pl_strdup(b->pl, kernel->name);
  p->text = pl_strdup(b->pl, function);
  p->needs = pl_memdup(b->pl, b->part, (size_t)b->nparts * sizeof *b->part);
  p->nneeds = b->nparts;
  p->uses_real = b->real != PL_TYPE_COUNT;
  p->computes = b->computes;
  return p->name && p->text && p->needs ? PL_SUCCESS : pl_fail_memory(b->pl, strlen(function));
}

/* A kernel of the source in which pl_real has the size of the members'; the source alone would not tell where
 * no parameter does. */
static pl_err add_kernel(pl_builder *b, const char *name, const char *source, const char *function,
                         int real_size, const pl_kernel **kernel)
{
  char file[96];
  snprintf(file, sizeof file, "chain of %s", name);
  pl_kernel_options options = {.flops = b->flops, .file = file};
  PL_TRY(pl_kernel_from_source(b->pl, name, source, &options, kernel));
  ((pl_source_kernel *)b->pl->kernels)->kernel.real_size = real_size;
  return add_made_part(b, *kernel, function);
}

static pl_err make_kernel(pl_builder *b, const char *label, const pl_kernel **kernel)
{
  char name[80];
  pl_text function, source;
  int real_size = b->real == PL_TYPE_COUNT ? 0 : (int)pl_type_size(b->real);
  uint64_t hash = pl_hash(PL_HASH_START, pl_text_string(&b->body), b->body.length);
  snprintf(name, sizeof name, "%.60s_%08x", label, (unsigned)(hash & 0xffffffffu));
  pl_text_init(&function, b->pl);
  pl_text_init(&source, b->pl);
  print_function(b, &function, name);
  for (layer now = KERNELS; now <= MADE; now++) print_all_parts(b, &source, now);
  pl_text_bytes(&source, pl_text_string(&function), function.length);
  pl_err err = pl_text_check(&source);
  pl_source_kernel *before = err ? NULL : find_kernel(b->pl, name, pl_text_string(&source), real_size);
  if (before) *kernel = &before->kernel;
  if (!err && !before)
    err = add_kernel(b, name, pl_text_string(&source), pl_text_string(&function), real_size, kernel);
  pl_text_free(&function);
  pl_text_free(&source);
  return err;
}

pl_err pl_builder_loop(pl_builder *b, pl_set *set, const char *label, pl_loop **loop)
{
  const pl_kernel *kernel;
  int n = 0;
  PL_TRY(pl_text_check(&b->body));
  PL_TRY(check_reals(b));
  PL_TRY(check_parts(b));
  PL_TRY(make_kernel(b, label, &kernel));
  pl_arg *args = pl_calloc(b->pl, (size_t)b->nslots + 1, sizeof *args);
  if (!args) return pl_fail_memory(b->pl, (size_t)b->nslots * sizeof *args);
  for (int s = 0; s < b->nslots; s++)
    if (!b->slot[s].dead) args[n++] = b->slot[s].arg;
  pl_err err =
    b->raw ? pl_loop_raw(kernel, set, n, args, loop) : pl_loop_get(kernel, set, n, args, !b->later, loop);
  pl_free(b->pl, args);
  return err;
}

pl_err pl_loop_signature(const pl_loop *loop, pl_signature *signature)
{
  PL_TRY(pl_signature_parse(loop->pl, loop->kernel, signature));
  pl_err err = pl_signature_bind(loop->pl, loop, signature);
  if (err) pl_signature_free(signature);
  return err;
}
