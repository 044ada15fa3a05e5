/* SPDX-License-Identifier: BSD-2-Clause
 * Texts of made kernels. Names in them: pl_a3 is argument 3 of the made loop, pl_t1 a private value.
 */
#include "fuse.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/text.h"
#include "outline.h"
#include "plan/depend.h"
#include "signature.h"
#include <string.h>

/* ---- what is kept in the context ---- */

/* A kernel as part of other texts: its definition under a name of its own, after those it needs. */
typedef struct part {
  struct part *next;
  const pl_kernel *kernel;
  char *name, *text;
  bool source; /* a whole file of the user's */
  int nneeds;
  struct part **needs;
  int mark;
} part;

/* A loop made before. */
typedef struct made {
  struct made *next;
  uint64_t key;
  pl_loop *loop;
} made;

/* outer[inner[e]], made before. */
typedef struct composed {
  struct composed *next;
  const pl_map *inner, *outer;
  pl_map *map;
} composed;

typedef struct workshop {
  part *parts;
  int nparts, marks;
  made *loops;
  composed *maps;
} workshop;

static void forget(pl_context *pl, const void *object)
{
  workshop *shop = pl->late.fused;
  while (shop->loops) {
    made *m = shop->loops;
    shop->loops = m->next;
    pl_free(pl, m);
  }
  for (composed **link = &shop->maps; *link;) {
    composed *c = *link;
    const void *ends[] = {c->inner, c->outer, c->map, c->map->from, c->map->to, c->outer->from};
    bool goes = false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) goes |= ends[i] == object;
    if (!goes) {
      link = &c->next;
      continue;
    }
    *link = c->next;
    if (c->map != object) pl_map_free(&c->map);
    pl_free(pl, c);
    link = &shop->maps; /* freeing a map came here again */
  }
}

static void close_shop(pl_context *pl)
{
  workshop *shop = pl->late.fused;
  forget(pl, NULL);
  while (shop->maps) {
    composed *c = shop->maps;
    shop->maps = c->next; /* the map itself goes with all others */
    pl_free(pl, c);
  }
  while (shop->parts) {
    part *p = shop->parts;
    shop->parts = p->next;
    pl_free(pl, p->name);
    pl_free(pl, p->text);
    pl_free(pl, p->needs);
    pl_free(pl, p);
  }
  pl_free(pl, shop);
  pl->late.fused = NULL;
}

static workshop *open_shop(pl_context *pl)
{
  if (pl->late.fused) return pl->late.fused;
  pl->late.fused = pl_calloc(pl, 1, sizeof(workshop));
  pl->late.fused_forget = forget;
  pl->late.fused_close = close_shop;
  if (!pl->late.fused) pl_fail_memory(pl, sizeof(workshop));
  return pl->late.fused;
}

static pl_loop *find_made(const workshop *shop, uint64_t key)
{
  for (const made *m = shop->loops; m; m = m->next)
    if (m->key == key) return m->loop;
  return NULL;
}

static pl_err keep_made(pl_context *pl, uint64_t key, pl_loop *loop)
{
  workshop *shop = pl->late.fused;
  made *m = pl_calloc(pl, 1, sizeof *m);
  if (!m) return pl_fail_memory(pl, sizeof *m);
  *m = (made){shop->loops, key, loop};
  shop->loops = m;
  return PL_SUCCESS;
}

/* ---- composed maps ---- */

static pl_map *compose(pl_context *pl, const pl_map *inner, const pl_map *outer)
{
  workshop *shop = pl->late.fused;
  for (composed *c = shop->maps; c; c = c->next)
    if (c->inner == inner && c->outer == outer) return c->map;
  size_t n = (size_t)inner->from->part[3], a = (size_t)inner->arity, b = (size_t)outer->arity;
  char name[128];
  composed *c = pl_calloc(pl, 1, sizeof *c);
  int *index = pl_calloc(pl, n * a + 1, b * sizeof *index);
  if (!c || !index) pl_fail_memory(pl, n * a * b * sizeof *index);
  for (size_t i = 0; c && index && i < n * a; i++)
    for (size_t k = 0; k < b; k++)
      index[i * b + k] = inner->index[i] < 0 ? -1 : outer->index[(size_t)inner->index[i] * b + k];
  snprintf(name, sizeof name, "%.50s of %.50s", outer->node.name, inner->node.name);
  pl_err err = c && index ? pl_decl_map(inner->from, outer->to, (int)(a * b), index, name, &c->map) : 1;
  pl_free(pl, index);
  if (err) {
    pl_free(pl, c);
    return NULL;
  }
  c->inner = inner;
  c->outer = outer;
  c->next = shop->maps;
  shop->maps = c;
  return c->map;
}

/* ---- parts ---- */

static part *new_part(pl_context *pl, const pl_kernel *kernel)
{
  workshop *shop = pl->late.fused;
  part *p = pl_calloc(pl, 1, sizeof *p);
  if (!p) {
    pl_fail_memory(pl, sizeof *p);
    return NULL;
  }
  p->kernel = kernel;
  p->next = shop->parts;
  shop->parts = p;
  shop->nparts++;
  return p;
}

/* A PL_KERNEL under a name of its own; a source as it is. */
static bool fill_part(pl_context *pl, part *p)
{
  const pl_kernel *kernel = p->kernel;
  char name[96];
  pl_text text;
  pl_text_init(&text, pl);
  p->source = kernel->source != NULL;
  snprintf(name, sizeof name, p->source ? "%s" : "%.80s_%d", kernel->name,
           ((workshop *)pl->late.fused)->nparts);
  if (p->source)
    pl_text_add(&text, "%s\n", kernel->source);
  else
    pl_text_add(&text, "void %s%s %s\n", name, kernel->params, kernel->body);
  p->name = pl_strdup(pl, name);
  p->text = pl_text_check(&text) ? NULL : pl_strdup(pl, pl_text_string(&text));
  pl_text_free(&text);
  if (!p->name || !p->text) pl_fail_memory(pl, strlen(name));
  return p->name && p->text;
}

static part *part_of(pl_context *pl, const pl_kernel *kernel)
{
  workshop *shop = pl->late.fused;
  for (part *p = shop->parts; p; p = p->next)
    if (p->kernel == kernel && p->name && p->text) return p;
  part *p = new_part(pl, kernel);
  return p && fill_part(pl, p) ? p : NULL;
}

/* ---- a text in the making ---- */

/* An argument of the made loop; or a private array that stands for a dat which is not stored. */
typedef struct slot {
  pl_arg arg;
  bool dead, real;
  int users;
  bool written; /* by a member so far: later reads see that */
} slot;

typedef struct builder {
  pl_context *pl;
  int nslots, most;
  slot *slot;
  pl_text body;
  int privates;
  int nparts, parts_room;
  part **part;
  double flops;
  bool any_real, other_floats;
  pl_type real;
  int ndead;
  pl_dat *const *dead;
} builder;

static void free_builder(builder *b)
{
  pl_text_free(&b->body);
  pl_free(b->pl, b->slot);
  pl_free(b->pl, b->part);
}

static pl_err open_builder(pl_context *pl, builder *b, int slots, int parts)
{
  *b = (builder){.pl = pl, .most = slots, .parts_room = parts};
  pl_text_init(&b->body, pl);
  b->slot = pl_calloc(pl, (size_t)slots + 1, sizeof *b->slot);
  b->part = pl_calloc(pl, (size_t)parts + 1, sizeof *b->part);
  return b->slot && b->part ? PL_SUCCESS : pl_fail_memory(pl, (size_t)slots * sizeof *b->slot);
}

static bool combines(pl_access access)
{
  return access == PL_INC || access == PL_MIN || access == PL_MAX;
}

/* Increments and extremes through maps, and the ends of reductions, are each their own argument. */
static bool shared(const slot *s, const pl_arg *arg)
{
  const pl_arg *x = &s->arg;
  if (x->kind != arg->kind || x->object != arg->object || x->map != arg->map || x->index != arg->index ||
      x->component != arg->component)
    return false;
  if (arg->kind == PL_ARG_GLOBAL) return arg->access == PL_READ;
  return !arg->map || (arg->access == PL_READ && x->access == PL_READ);
}

static bool is_dead(const builder *b, const pl_arg *arg)
{
  for (int i = 0; i < b->ndead; i++)
    if (arg->kind == PL_ARG_DAT && arg->object == b->dead[i]) return true;
  return false;
}

/* What one argument must allow if a member with `next` follows. */
static pl_access join(pl_access before, pl_access next)
{
  if (before == PL_READ && next == PL_READ) return PL_READ;
  return before == PL_WRITE ? PL_WRITE : PL_RW;
}

/* The made loop's argument for a member's. */
static slot *take_slot(builder *b, const pl_arg *arg, bool real)
{
  slot *s = b->slot;
  for (; s < b->slot + b->nslots; s++)
    if (shared(s, arg)) {
      s->arg.access = join(s->arg.access, arg->access);
      s->real |= real;
      s->users++;
      return s;
    }
  *s = (slot){.arg = *arg, .dead = is_dead(b, arg), .real = real, .users = 1};
  b->nslots++;
  return s;
}

static int slot_number(const builder *b, const slot *s)
{
  return (int)(s - b->slot);
}

static const char *type_of(const builder *b, const pl_param *param, const pl_arg *arg)
{
  (void)b;
  return param->is_real ? "pl_real" : pl_type_name(pl_arg_type(arg));
}

/* The type of a parameter, as a cast. */
static void print_cast(pl_text *t, const builder *b, const pl_param *param, const pl_arg *arg)
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

enum { PLACE = 96 };

/* One call in the making: a text for each argument, and what comes after. */
typedef struct call {
  builder *b;
  const pl_loop *loop;
  const pl_signature *signature;
  part *part;
  char (
    *place)[PLACE]; /* where each argument's values are: an array of values, or of arrays for all targets */
  pl_text after;
} call;

static pl_err open_call(builder *b, const pl_loop *loop, const pl_signature *signature, call *c)
{
  *c = (call){.b = b, .loop = loop, .signature = signature, .part = part_of(b->pl, loop->kernel)};
  pl_text_init(&c->after, b->pl);
  c->place = pl_calloc(b->pl, (size_t)loop->nargs, sizeof *c->place);
  if (!c->part || !c->place) return pl_fail_memory(b->pl, sizeof *c->place);
  bool known = false;
  for (int i = 0; i < b->nparts; i++) known |= b->part[i] == c->part;
  if (!known) b->part[b->nparts++] = c->part;
  b->flops += pl_kernel_extras(loop->kernel)->flops;
  return PL_SUCCESS;
}

static void close_call(call *c)
{
  pl_text_free(&c->after);
  pl_free(c->b->pl, c->place);
}

/* T *x[n] gets an array of pointers into the place. */
static void print_pointers(call *c, int i)
{
  const pl_param *param = &c->signature->param[i];
  const pl_arg *arg = &c->loop->args[i];
  const char *constant = param->is_const ? "const " : "", *type = type_of(c->b, param, arg);
  int number = c->b->privates++, n = pl_arg_targets(arg);
  pl_text_add(&c->b->body, "  %s%s *pl_t%d[%d];\n", constant, type, number, n);
  for (int k = 0; k < n; k++)
    pl_text_add(&c->b->body, "  pl_t%d[%d] = (%s%s *)%s[%d];\n", number, k, constant, type, c->place[i], k);
  snprintf(c->place[i], PLACE, "pl_t%d", number);
}

static void print_call(call *c)
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

/* The text of a neutral element. A private sum starts from -0.0: x + -0.0 is x for every x. */
static const char *neutral(pl_type type, pl_access access)
{
  static const char *const low[] = {
    "(-128)", "0",         "(-32767 - 1)", "0", "(-2147483647 - 1)", "0", "(-9223372036854775807LL - 1)",
    "0",      "-INFINITY", "-INFINITY"};
  static const char *const high[] = {"127",
                                     "255",
                                     "32767",
                                     "65535",
                                     "2147483647",
                                     "4294967295U",
                                     "9223372036854775807LL",
                                     "18446744073709551615ULL",
                                     "INFINITY",
                                     "INFINITY"};
  if (access == PL_MIN) return high[type];
  if (access == PL_MAX) return low[type];
  return type == PL_DOUBLE ? "-0.0" : type == PL_FLOAT ? "-0.0f" : "0";
}

/* Increments of a value that others see too are collected apart and combined after the call, as they would be
 * in a loop of their own. */
static void print_collected(call *c, int i, const slot *s)
{
  const pl_arg *arg = &c->loop->args[i];
  pl_type type = pl_arg_type(arg), base = pl_type_base(type);
  const char *name = pl_type_name(base);
  int n = c->b->privates++, dim = pl_arg_dim(arg) * (type == base ? 1 : 2), at = slot_number(c->b, s);
  const char *zero = neutral(base, arg->access);
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
  snprintf(c->place[i], PLACE, "pl_t%d", n);
}

/* ---- the whole text ---- */

static bool is_all(const pl_arg *arg)
{
  return arg->kind == PL_ARG_DAT && arg->map && arg->index == PL_ALL;
}

static void print_parameter(const builder *b, pl_text *t, int s)
{
  const pl_arg *arg = &b->slot[s].arg;
  const char *type = b->slot[s].real ? "pl_real" : pl_type_name(pl_arg_type(arg));
  const char *constant = pl_arg_writes(arg) ? "" : "const ";
  if (is_all(arg))
    pl_text_add(t, "%s%s pl_a%d[%d][%d]", constant, type, s, arg->map->arity, pl_arg_dim(arg));
  else
    pl_text_add(t, "%s%s *pl_a%d", constant, type, s);
}

static void print_parts(builder *b, pl_text *t, part *p, int mark, bool sources)
{
  if (p->mark == mark) return;
  for (int i = 0; i < p->nneeds; i++) print_parts(b, t, p->needs[i], mark, sources);
  if (p->source != sources) return;
  p->mark = mark;
  pl_text_bytes(t, p->text, strlen(p->text));
}

/* A function with the slots as parameters and the body. */
static void print_function(const builder *b, pl_text *t, const char *name)
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
      pl_text_add(t, "  %s pl_a%d[%d];\n",
                  b->slot[s].real ? "pl_real" : pl_type_name(pl_arg_type(&b->slot[s].arg)), s,
                  pl_arg_dim(&b->slot[s].arg));
  pl_text_bytes(t, pl_text_string(&b->body), b->body.length);
  pl_text_add(t, "}\n");
}

/* ---- texts that cannot stand together ---- */

static bool defines(const pl_outline *a, const pl_token *name)
{
  return pl_outline_find(a, name->text, name->length) != NULL;
}

static bool clash(pl_context *pl, const part *p, const part *q)
{
  pl_outline a, b;
  pl_origin x = pl_kernel_origin(p->kernel), y = pl_kernel_origin(q->kernel);
  bool found = false;
  if (strstr(p->text, "#define") || strstr(q->text, "#define")) return true;
  if (pl_outline_read(pl, &x, p->text, strlen(p->text), &a)) return true;
  if (pl_outline_read(pl, &y, q->text, strlen(q->text), &b)) {
    pl_outline_free(&a);
    return true;
  }
  for (int i = 0; i < a.count && !found; i++)
    found = a.unit[i].name >= 0 && defines(&b, &a.tokens.item[a.unit[i].name]);
  pl_outline_free(&a);
  pl_outline_free(&b);
  return found;
}

static int collect_sources(part *p, part **list, int n, int mark)
{
  if (p->mark == mark) return n;
  p->mark = mark;
  if (p->source) list[n++] = p;
  for (int i = 0; i < p->nneeds; i++) n = collect_sources(p->needs[i], list, n, mark);
  return n;
}

/* Whole files must not define the same names, and macros of one must not reach another. */
static pl_err check_parts(builder *b)
{
  workshop *shop = b->pl->late.fused;
  part **list = pl_calloc(b->pl, (size_t)shop->nparts, sizeof *list);
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
static void skip_same_sources(builder *b, int mark)
{
  workshop *shop = b->pl->late.fused;
  for (part *p = shop->parts; p; p = p->next)
    for (part *q = shop->parts; q != p; q = q->next)
      if (p->source && q->source && p->mark == mark && q->mark != mark && !strcmp(p->text, q->text))
        q->mark = mark;
}

static void print_all_parts(builder *b, pl_text *t, bool sources)
{
  workshop *shop = b->pl->late.fused;
  int mark = ++shop->marks;
  for (int i = 0; i < b->nparts; i++) {
    print_parts(b, t, b->part[i], mark, sources);
    skip_same_sources(b, mark);
  }
}

/* ---- kernels and loops ---- */

static pl_err check_reals(const builder *b)
{
  if (!b->any_real || b->real == PL_DOUBLE || !b->other_floats) return PL_SUCCESS;
  return pl_fail(b->pl, PL_ERR_KERNEL,
                 "pl_real is float in some of the kernels, and others spell their types");
}

static const pl_kernel *find_kernel(pl_context *pl, const char *name, const char *source)
{
  for (pl_node *node = pl->kernels; node; node = node->next)
    if (!strcmp(node->name, name) && !strcmp(((pl_source_kernel *)node)->kernel.source, source))
      return &((pl_source_kernel *)node)->kernel;
  return NULL;
}

/* The made kernel may itself become a part. */
static pl_err add_made_part(builder *b, const pl_kernel *kernel, const char *function)
{
  part *p = new_part(b->pl, kernel);
  if (!p) return PL_ERR_MEMORY;
  p->name = pl_strdup(b->pl, kernel->name);
  p->text = pl_strdup(b->pl, function);
  p->needs = pl_memdup(b->pl, b->part, (size_t)b->nparts * sizeof *b->part);
  p->nneeds = b->nparts;
  return p->name && p->text && p->needs ? PL_SUCCESS : pl_fail_memory(b->pl, strlen(function));
}

static pl_err make_kernel(builder *b, const char *label, const pl_kernel **kernel)
{
  char name[80], file[96];
  pl_text function, source;
  uint64_t hash = pl_hash(PL_HASH_START, pl_text_string(&b->body), b->body.length);
  snprintf(name, sizeof name, "%.60s_%08x", label, (unsigned)(hash & 0xffffffffu));
  snprintf(file, sizeof file, "chain of %s", name);
  pl_text_init(&function, b->pl);
  pl_text_init(&source, b->pl);
  print_function(b, &function, name);
  print_all_parts(b, &source, false);
  print_all_parts(b, &source, true);
  pl_text_bytes(&source, pl_text_string(&function), function.length);
  pl_kernel_options options = {.flops = b->flops, .file = file};
  pl_err err = pl_text_check(&source);
  *kernel = err ? NULL : find_kernel(b->pl, name, pl_text_string(&source));
  if (!err && !*kernel) {
    err = pl_kernel_from_source(b->pl, name, pl_text_string(&source), &options, kernel);
    if (!err) err = add_made_part(b, *kernel, pl_text_string(&function));
  }
  pl_text_free(&function);
  pl_text_free(&source);
  return err;
}

static pl_err make_loop(builder *b, pl_set *set, const char *label, pl_loop **loop)
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
  pl_err err = pl_loop_get(kernel, set, n, args, true, loop);
  pl_free(b->pl, args);
  return err;
}

/* ---- members ---- */

static void note_types(builder *b, const pl_signature *signature)
{
  bool real = false, other = false;
  for (int i = 0; i < signature->count; i++) {
    real |= signature->param[i].is_real;
    other |= !signature->param[i].is_real &&
             (signature->param[i].type == PL_FLOAT || signature->param[i].type == PL_DOUBLE);
  }
  if (real) b->real = signature->real;
  b->any_real |= real;
  b->other_floats |= other || (real && b->any_real && signature->real != b->real);
}

static pl_err read_signature(const pl_loop *loop, pl_signature *signature)
{
  PL_TRY(pl_signature_parse(loop->pl, loop->kernel, signature));
  pl_err err = pl_signature_bind(loop->pl, loop, signature);
  if (err) pl_signature_free(signature);
  return err;
}

/* The slots of a member's arguments. */
static void take_slots(builder *b, const pl_loop *loop, const pl_signature *signature, int *number)
{
  for (int i = 0; i < loop->nargs; i++)
    number[i] =
      loop->args[i].off ? -1 : slot_number(b, take_slot(b, &loop->args[i], signature->param[i].is_real));
}

static pl_err print_member(builder *b, const pl_loop *loop, const pl_signature *signature, const int *number)
{
  call c;
  pl_err err = open_call(b, loop, signature, &c);
  for (int i = 0; !err && i < loop->nargs; i++) {
    if (number[i] < 0) continue;
    const slot *s = &b->slot[number[i]];
    snprintf(c.place[i], PLACE, "pl_a%d", number[i]);
    if (s->arg.kind == PL_ARG_DAT && !s->arg.map && combines(loop->args[i].access) &&
        !combines(s->arg.access))
      print_collected(&c, i, s);
  }
  if (!err) print_call(&c);
  close_call(&c);
  return err;
}

static pl_err build_fused(builder *b, int n, pl_loop *const *member)
{
  pl_context *pl = b->pl;
  pl_signature *signature = pl_calloc(pl, (size_t)n, sizeof *signature);
  int *number = pl_calloc(pl, (size_t)b->most, sizeof *number), at = 0, read = 0;
  pl_err err = signature && number ? PL_SUCCESS : pl_fail_memory(pl, (size_t)b->most * sizeof *number);
  for (; !err && read < n; read++) {
    if ((err = read_signature(member[read], &signature[read]))) break;
    note_types(b, &signature[read]);
    take_slots(b, member[read], &signature[read], number + at);
    at += member[read]->nargs;
  }
  at = 0;
  for (int m = 0; !err && m < n; m++) {
    err = print_member(b, member[m], &signature[m], number + at);
    at += member[m]->nargs;
  }
  for (int m = 0; m < read; m++) pl_signature_free(&signature[m]);
  pl_free(pl, signature);
  pl_free(pl, number);
  return err;
}

static void label_of(int n, pl_loop *const *member, char *label, size_t size)
{
  size_t length = 0;
  *label = 0;
  for (int m = 0; m < n && length + 1 < size; m++) {
    const char *name = member[m]->kernel->name;
    length += (size_t)snprintf(label + length, size - length, "%s%.24s", m ? "_and_" : "", name);
  }
}

static uint64_t key_of(int kind, int n, const void *const *object)
{
  uint64_t key = pl_hash(PL_HASH_START, &kind, sizeof kind);
  for (int i = 0; i < n; i++) key = pl_hash(key, &object[i], sizeof *object);
  return key;
}

pl_err pl_fuse(pl_context *pl, int n, pl_loop *const *member, int ndead, pl_dat *const *dead,
               pl_loop **result)
{
  workshop *shop = open_shop(pl);
  char label[80];
  builder b;
  int slots = 0;
  if (!shop) return PL_ERR_MEMORY;
  uint64_t key =
    key_of(n, n, (const void *const *)member) * 31 + key_of(-1, ndead, (const void *const *)dead);
  if ((*result = find_made(shop, key))) return PL_SUCCESS;
  for (int m = 0; m < n; m++) slots += member[m]->nargs;
  pl_err err = open_builder(pl, &b, slots, n);
  b.ndead = ndead;
  b.dead = dead;
  label_of(n, member, label, sizeof label);
  if (!err) err = build_fused(&b, n, member);
  if (!err) err = make_loop(&b, member[0]->set, label, result);
  if (!err) err = keep_made(pl, key, *result);
  free_builder(&b);
  return err;
}
