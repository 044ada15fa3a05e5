/* SPDX-License-Identifier: BSD-2-Clause
 * Parameters, private values and calls of a fused kernel, and the loop over it.
 */
#include "fused_kernel.h"
#include "codegen/kernel/signature_check.h"
#include "codegen/loop/operand.h"
#include "core/base/hash.h"
#include <string.h>

/* ---- names ---- */

static void reserve_name(pl_builder *b, const char *name)
{
  pl_string_add(&b->names, " %s ", name);
}

static bool is_taken(const pl_builder *b, const char *name)
{
  char word[PL_FUSED_NAME + 2];
  snprintf(word, sizeof word, " %s ", name);
  return strstr(pl_string_chars(&b->names), word) != NULL;
}

/* No macro of the user begins with pl_. */
void pl_builder_name(pl_builder *b, const char *base, char name[PL_FUSED_NAME])
{
  const char *prefix = b->has_macros && strncmp(base, "pl_", 3) ? "pl_" : "";
  snprintf(name, PL_FUSED_NAME, "%s%.32s", prefix, base);
  for (int n = 2; is_taken(b, name); n++) snprintf(name, PL_FUSED_NAME, "%s%.32s_%d", prefix, base, n);
  reserve_name(b, name);
}

void pl_builder_private(pl_builder *b, const char *type, const char *base, int rows, int dim,
                        char name[PL_FUSED_NAME])
{
  pl_builder_name(b, base, name);
  pl_string_add(&b->body, "  %s %s", type, name);
  if (rows) pl_string_add(&b->body, "[%d]", rows);
  pl_string_add(&b->body, "[%d];\n", dim);
}

/* ---- opening ---- */

static pl_err add_member(pl_builder *b, const pl_loop *loop)
{
  pl_member *m = &b->member[b->nmembers];
  m->loop = loop;
  if (!(m->fragment = pl_fragment_of(b->pl, loop->kernel))) return PL_ERR_MEMORY;
  PL_TRY(pl_loop_signature(loop, &m->signature));
  b->nmembers++;
  for (int i = 0; i < b->nfragments; i++)
    if (b->fragment[i] == m->fragment) return PL_SUCCESS;
  b->fragment[b->nfragments++] = m->fragment;
  b->has_macros |= m->fragment->macros;
  reserve_name(b, m->fragment->name);
  return PL_SUCCESS;
}

pl_err pl_builder_open(pl_context *pl, pl_builder *b, int nargs, int n, pl_loop *const *member)
{
  *b = (pl_builder){.pl = pl, .most = nargs, .real = PL_TYPE_COUNT};
  pl_string_init(&b->body, pl);
  pl_string_init(&b->names, pl);
  if (!pl_fusion_cache_of(pl)) return PL_ERR_MEMORY;
  PL_TRY(PL_NEW(pl, b->arg, (size_t)nargs + 1));
  PL_TRY(PL_NEW(pl, b->member, (size_t)n));
  PL_TRY(PL_NEW(pl, b->fragment, (size_t)n));
  pl_string_add(&b->names, " pl_i  pl_s  pl_k ");
  PL_EACH (const pl_node, constant, pl->consts) reserve_name(b, constant->name);
  for (int m = 0; m < n; m++) PL_TRY(add_member(b, member[m]));
  return PL_SUCCESS;
}

/* ---- parameters ---- */

/* Arguments that INC, MIN or MAX through maps, and reductions, are not shared. */
static bool is_shared(const pl_fused_arg *s, const pl_arg *arg)
{
  const pl_arg *x = &s->arg;
  if (x->kind != arg->kind || x->object != arg->object || x->map != arg->map || x->index != arg->index ||
      x->component != arg->component)
    return false;
  if (arg->kind == PL_ARG_GLOBAL) return arg->access == PL_READ;
  return !arg->map || (arg->access == PL_READ && x->access == PL_READ);
}

bool pl_fused_has(int n, const void *const *object, const pl_arg *arg)
{
  for (int i = 0; pl_arg_has_data(arg) && i < n; i++)
    if (arg->object == object[i]) return true;
  return false;
}

/* The access of an argument that a member with `next` shares. */
static pl_access join_access(pl_access before, pl_access next)
{
  if (before == PL_READ && next == PL_READ) return PL_READ;
  return before == PL_WRITE ? PL_WRITE : PL_RW;
}

static pl_fused_arg *new_arg(pl_builder *b, const pl_arg *arg, const pl_param *param)
{
  pl_fused_arg *s = &b->arg[b->nargs++];
  *s = (pl_fused_arg){
    .arg = *arg, .unstored = pl_fused_has(b->nunstored, b->unstored, arg), .real = param->is_real};
  pl_builder_name(b, param->name, s->name);
  return s;
}

/* Redirects an argument to its dat's second buffer, once written, and from the second buffer's own dat to the
 * dat. */
static pl_arg redirect_buffers(pl_builder *b, const pl_arg *arg)
{
  pl_arg seen = *arg;
  if (!pl_arg_is_record(arg) || arg->map) return seen;
  for (int i = 0; i < b->nswap; i++) {
    if (arg->object == b->swap[i][1] && b->equal[i]) seen.object = b->swap[i][0];
    if (arg->object != b->swap[i][0]) continue;
    b->moved[i] |= arg->access == PL_WRITE;
    if (b->moved[i]) seen.object = b->swap[i][1];
  }
  return seen;
}

pl_fused_arg *pl_builder_arg(pl_builder *b, const pl_arg *given, const pl_param *param)
{
  pl_arg arg = redirect_buffers(b, given);
  for (pl_fused_arg *s = b->arg; s < b->arg + b->nargs; s++)
    if (is_shared(s, &arg)) {
      s->arg.access = join_access(s->arg.access, arg.access);
      s->real |= param->is_real;
      return s;
    }
  return new_arg(b, &arg, param);
}

pl_fused_arg *pl_builder_separate_arg(pl_builder *b, const pl_arg *arg, const pl_param *param)
{
  for (pl_fused_arg *s = b->arg; s < b->arg + b->nargs; s++)
    if (is_shared(s, arg) && s->arg.access == PL_READ && arg->access == PL_READ) {
      s->real |= param->is_real;
      return s;
    }
  return new_arg(b, arg, param);
}

const char *pl_fused_type(const pl_param *param, const pl_arg *arg)
{
  return param->is_real ? "pl_real" : pl_type_name(pl_arg_type(arg));
}

/* ---- calls ---- */

/* The type of a parameter, as a cast. */
static void print_cast(pl_string *t, const pl_param *param, const pl_arg *arg)
{
  const char *constant = param->is_const ? "const " : "", *type = pl_fused_type(param, arg);
  if (param->shape == PL_SHAPE_POINTERS) {
    pl_string_add(t, "(%s%s **)", constant, type);
  } else if (param->shape == PL_SHAPE_PACKED) {
    pl_string_add(t, "(%s%s (*)", constant, type);
    for (int e = 1; e < param->rank; e++)
      pl_string_add(t, "[%d]", param->extent[e] >= 0 ? param->extent[e] : pl_arg_dim(arg));
    pl_string_add(t, ")");
  } else {
    pl_string_add(t, "(%s%s *)", constant, type);
  }
}

/* A parameter T *x[n] gets an array of pointers into the place. */
static void print_pointers(pl_call *c, int i)
{
  const pl_param *param = &c->member->signature.param[i];
  const pl_arg *arg = &c->member->loop->args[i];
  const char *constant = param->is_const ? "const " : "", *type = pl_fused_type(param, arg);
  char base[PL_FUSED_NAME], name[PL_FUSED_NAME];
  snprintf(base, sizeof base, "%.28s_rows", param->name);
  pl_builder_name(c->b, base, name);
  pl_string_add(&c->b->body, "  %s%s *%s[%d];\n", constant, type, name, pl_arg_targets(arg));
  for (int k = 0; k < pl_arg_targets(arg); k++)
    pl_string_add(&c->b->body, "  %s[%d] = (%s%s *)%s[%d];\n", name, k, constant, type, c->place[i], k);
  snprintf(c->place[i], PL_CALL_PLACE, "%s", name);
}

static void print_call(pl_call *c)
{
  const pl_loop *loop = c->member->loop;
  const pl_param *param = c->member->signature.param;
  pl_string *t = &c->b->body;
  for (int i = 0; i < loop->nargs; i++)
    if (*c->place[i] && param[i].shape == PL_SHAPE_POINTERS) print_pointers(c, i);
  pl_string_add(t, "  %s(", c->member->fragment->name);
  for (int i = 0; i < loop->nargs; i++) {
    if (*c->place[i] && !pl_arg_is_numbered(&loop->args[i])) print_cast(t, &param[i], &loop->args[i]);
    pl_string_add(t, "%s%s", *c->place[i] ? c->place[i] : "0", i + 1 < loop->nargs ? ", " : "");
  }
  pl_string_add(t, ");\n");
  pl_string_add_bytes(t, pl_string_chars(&c->after), c->after.length);
}

/* pl_real must have the same type in all members. */
static pl_err check_real(pl_builder *b, const pl_member *m)
{
  b->computes |= !m->fragment->uses_real && m->fragment->computes;
  if (!m->fragment->uses_real) return PL_SUCCESS;
  if (b->real != PL_TYPE_COUNT && b->real != m->signature.real)
    return pl_fail(b->pl, PL_ERR_KERNEL, "pl_real is float in some of the kernels, and double in others");
  b->real = m->signature.real;
  return PL_SUCCESS;
}

pl_err pl_builder_call(pl_builder *b, int m, pl_place_fn place, void *user)
{
  const pl_loop *loop = b->member[m].loop;
  pl_call c = {.b = b, .member = &b->member[m]};
  PL_TRY(check_real(b, c.member));
  PL_TRY(PL_NEW(b->pl, c.place, (size_t)loop->nargs));
  pl_string_init(&c.after, b->pl);
  b->flops += pl_kernel_extras(loop->kernel)->flops;
  pl_err err = PL_SUCCESS;
  for (int i = 0; !err && i < loop->nargs; i++)
    if (!loop->args[i].off) err = place(user, &c, i);
  if (!err) err = pl_string_check(&c.after);
  if (!err) print_call(&c);
  pl_string_free(&c.after);
  pl_free(b->pl, c.place);
  return err;
}

/* Contributions to a value that other members access are combined after the call, as in a loop of its own. */
void pl_call_collect(pl_call *c, int i, const pl_fused_arg *s)
{
  const pl_arg *arg = &c->member->loop->args[i];
  pl_type type = pl_arg_type(arg), base = pl_type_base(type);
  const char *real = pl_type_name(base);
  int dim = pl_arg_dim(arg) * (type == base ? 1 : 2);
  char name[PL_FUSED_NAME], own[PL_FUSED_NAME], into[96];
  snprintf(name, sizeof name, "%.28s_own", c->member->signature.param[i].name);
  pl_builder_private(c->b, real, name, 0, dim, own);
  pl_string_add(&c->b->body, "  for (int pl_i = 0; pl_i < %d; pl_i++) %s[pl_i] = %s;\n", dim, own,
                pl_neutral_text(base, arg->access));
  snprintf(into, sizeof into, "((%s *)%s)[pl_i]", real, s->name);
  pl_string_add(&c->after, "  for (int pl_i = 0; pl_i < %d; pl_i++) ", dim);
  if (arg->access == PL_INC)
    pl_string_add(&c->after, "%s += %s[pl_i];\n", into, own);
  else
    pl_string_add(&c->after, "if (%s[pl_i] %s %s) %s = %s[pl_i];\n", own, arg->access == PL_MIN ? "<" : ">",
                  into, into, own);
  snprintf(c->place[i], PL_CALL_PLACE, "%s", own);
}

/* ---- the text ---- */

static void print_parameter(const pl_fused_arg *s, pl_string *t)
{
  const pl_arg *arg = &s->arg;
  bool all = pl_arg_is_record(arg) && arg->map && arg->index == PL_ALL;
  pl_string_add(t, "%s%s %s%s", pl_arg_writes(arg) ? "" : "const ",
                s->real ? "pl_real" : pl_type_name(pl_arg_type(arg)), !all || arg->map->row_mask ? "*" : "",
                s->name);
  if (all) pl_string_add(t, "[%d]", arg->map->arity);
  if (all && !arg->map->row_mask) pl_string_add(t, "[%d]", pl_arg_dim(arg));
}

/* The function: stored arguments are its parameters, the others private arrays. */
static void print_function(const pl_builder *b, pl_string *t, const char *name)
{
  const char *separator = "";
  pl_string_add(t, "void %s(", name);
  for (const pl_fused_arg *s = b->arg; s < b->arg + b->nargs; s++) {
    if (s->unstored) continue;
    pl_string_add(t, "%s", separator);
    print_parameter(s, t);
    separator = ", ";
  }
  pl_string_add(t, ")\n{\n");
  for (const pl_fused_arg *s = b->arg; s < b->arg + b->nargs; s++)
    if (s->unstored)
      pl_string_add(t, "  %s %s[%d]%s;\n", s->real ? "pl_real" : pl_type_name(pl_arg_type(&s->arg)), s->name,
                    pl_arg_dim(&s->arg), s->arg.kind == PL_ARG_GLOBAL ? " = {0}" : "");
  pl_string_add_bytes(t, pl_string_chars(&b->body), b->body.length);
  pl_string_add(t, "}\n");
}

/* ---- the kernel and its loop ---- */

/* Where pl_real is float, all literals and functions of the text are float. */
static pl_err check_literals(const pl_builder *b)
{
  if (b->real != PL_FLOAT || !b->computes) return PL_SUCCESS;
  return pl_fail(b->pl, PL_ERR_KERNEL,
                 "pl_real is float in some of the kernels, and others compute without that word");
}

static const pl_kernel *find_kernel(pl_context *pl, const char *name, const char *source, int real_size)
{
  PL_EACH (pl_source_kernel, own, pl->kernels)
    if (!strcmp(own->node.name, name) && own->kernel.real_size == real_size &&
        !strcmp(own->kernel.source, source))
      return &own->kernel;
  return NULL;
}

/* The fused kernel may itself be a member later. */
static pl_err add_fragment(pl_builder *b, const pl_kernel *kernel, const char *function)
{
  pl_fragment *p = pl_fragment_new(b->pl, kernel);
  if (!p) return PL_ERR_MEMORY;
  p->name = pl_strdup(b->pl, kernel->name);
  p->text = pl_strdup(b->pl, function);
  p->needs = pl_memdup(b->pl, b->fragment, (size_t)b->nfragments * sizeof *b->fragment);
  p->nneeds = b->nfragments;
  p->uses_real = b->real != PL_TYPE_COUNT;
  p->computes = b->computes;
  p->macros = b->has_macros;
  if (p->name && p->text && p->needs) return PL_SUCCESS;
  pl_fragment_drop(b->pl);
  return pl_fail_memory(b->pl, strlen(function));
}

/* The size of pl_real is that of the members: the source may not show it. */
static pl_err add_kernel(pl_builder *b, const char *name, const char *source, const char *function,
                         int real_size, const pl_kernel **kernel)
{
  char file[96];
  snprintf(file, sizeof file, "chain of %s", name);
  pl_kernel_options options = {.flops = b->flops, .file = file};
  PL_TRY(pl_kernel_from_source(b->pl, name, source, &options, kernel));
  pl_source_kernel *own = (pl_source_kernel *)b->pl->kernels;
  own->kernel.real_size = real_size;
  own->internal = true;
  return add_fragment(b, *kernel, function);
}

/* The names of the members, cut where they are long; the hash makes the name unique. */
static void name_kernel(const pl_builder *b, const char *between, char *name, size_t size)
{
  const uint64_t hash = pl_hash(PL_HASH_START, pl_string_chars(&b->body), b->body.length);
  const size_t most = size - sizeof "_00000000";
  size_t n = 0;
  for (int m = 0; m < b->nmembers && n < most; m++)
    n +=
      (size_t)snprintf(name + n, most + 1 - n, "%s%.24s", m ? between : "", b->member[m].loop->kernel->name);
  n = n < most ? n : most;
  snprintf(name + n, size - n, "_%08x", (unsigned)(hash & 0xffffffffu));
}

static pl_err make_kernel(pl_builder *b, const char *between, const pl_kernel **kernel)
{
  char name[70];
  pl_string function, source;
  int real_size = b->real == PL_TYPE_COUNT ? 0 : (int)pl_type_size(b->real);
  name_kernel(b, between, name, sizeof name);
  pl_string_init(&function, b->pl);
  pl_string_init(&source, b->pl);
  print_function(b, &function, name);
  pl_fragments_print(b->pl, &source, b->nfragments, b->fragment);
  pl_string_add_bytes(&source, pl_string_chars(&function), function.length);
  pl_err err = pl_string_check(&function);
  if (!err) err = pl_string_check(&source);
  *kernel = err ? NULL : find_kernel(b->pl, name, pl_string_chars(&source), real_size);
  if (!err && !*kernel)
    err = add_kernel(b, name, pl_string_chars(&source), pl_string_chars(&function), real_size, kernel);
  pl_string_free(&function);
  pl_string_free(&source);
  return err;
}

/* A fused loop has the names of its members. */
static pl_err name_loop(const pl_builder *b, pl_loop *loop)
{
  pl_string title;
  pl_string_init(&title, b->pl);
  for (int m = 0; m < b->nmembers; m++)
    pl_string_add(&title, "%s%s", m ? " + " : "", pl_loop_title(b->member[m].loop));
  return pl_loop_name(loop, &title);
}

static pl_err make_loop(pl_builder *b, pl_set *set, const char *between, pl_loop **loop)
{
  const pl_kernel *kernel;
  int n = 0;
  PL_TRY(pl_string_check(&b->body));
  PL_TRY(pl_string_check(&b->names));
  PL_TRY(check_literals(b));
  PL_TRY(pl_fragments_check(b->pl, b->nfragments, b->fragment));
  PL_TRY(make_kernel(b, between, &kernel));
  pl_arg *args = pl_calloc(b->pl, (size_t)b->nargs + 1, sizeof *args);
  if (!args) return pl_fail_memory(b->pl, (size_t)b->nargs * sizeof *args);
  for (int s = 0; s < b->nargs; s++)
    if (!b->arg[s].unstored) args[n++] = b->arg[s].arg;
  pl_err err = b->unchecked ? pl_loop_unchecked(b->kind, kernel, set, n, args, loop)
                            : pl_loop_get(kernel, set, n, args, false, loop);
  pl_free(b->pl, args);
  if (!err) err = name_loop(b, *loop);
  return err || b->kind || b->prepare_later ? err : pl_loop_prepare(*loop);
}

static pl_err keep_loop(pl_builder *b, uint64_t key, pl_loop *loop, const pl_fused **result)
{
  pl_fused *fused;
  PL_TRY(pl_fused_keep(b->pl, key, loop, b->nmembers, b->nswap, b->swap, &fused));
  for (int m = 0; m < b->nmembers; m++) fused->member[m] = b->member[m].loop;
  *result = fused;
  return PL_SUCCESS;
}

pl_err pl_builder_close(pl_builder *b, pl_err err, uint64_t key, pl_set *set, const char *between,
                        const pl_fused **fused)
{
  pl_loop *loop;
  if (!err) err = make_loop(b, set, between, &loop);
  if (!err) err = keep_loop(b, key, loop, fused);
  pl_string_free(&b->body);
  pl_string_free(&b->names);
  for (int m = 0; m < b->nmembers; m++) pl_signature_free(&b->member[m].signature);
  pl_free_all(b->pl, b->member, b->arg, b->fragment);
  return err;
}
