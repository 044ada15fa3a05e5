/* SPDX-License-Identifier: BSD-2-Clause
 * Fused loops: members one after the other on each element, a producer inlined into its consumer, or
 * particles behind their pairs.
 */
#include "fuse.h"
#include "fused_kernel.h"
#include <string.h>

/* ---- members ---- */

/* The argument overwrites all of its dat, whatever else the loop does to it. */
static bool overwrites(const pl_loop *loop, const pl_arg *arg)
{
  return pl_arg_is_record(arg) && !arg->off && arg->access == PL_WRITE && !arg->map && arg->component < 0 &&
         loop->set == ((const pl_dat *)arg->object)->set;
}

bool pl_needs_double_buffer(pl_loop *const *member, int m, const pl_arg *arg)
{
  bool read = false;
  for (int k = 0; k <= m && overwrites(member[m], arg); k++)
    read |= pl_loop_reads_through_map(member[k], arg->object);
  return read;
}

static pl_err add_double_buffers(pl_builder *b, int n, pl_loop *const *member)
{
  for (int m = 0; m < n; m++)
    for (int i = 0; i < member[m]->nargs; i++) {
      const pl_arg *arg = &member[m]->args[i];
      bool wanted = pl_needs_double_buffer(member, m, arg);
      for (int s = 0; s < b->nswap; s++) wanted &= b->swap[s][0] != arg->object;
      if (!wanted) continue;
      if (b->nswap == PL_MAX_SWAPS)
        return pl_fail(b->pl, PL_ERR_KERNEL, "more than %d dats need double buffering", PL_MAX_SWAPS);
      b->swap[b->nswap][0] = arg->object;
      b->swap[b->nswap][1] = pl_double_buffer_of(b->pl, arg->object);
      if (!b->swap[b->nswap++][1]) return PL_ERR_MEMORY;
    }
  return PL_SUCCESS;
}

/* The fused arguments of a member's; first those that it reads, with values from before its writes. */
static void take_args(pl_builder *b, const pl_member *m, pl_fused_arg **arg)
{
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < m->loop->nargs; i++)
      if (!m->loop->args[i].off && pl_arg_writes(&m->loop->args[i]) == pass)
        arg[i] = pl_builder_arg(b, &m->loop->args[i], &m->signature.param[i]);
}

/* Another argument of the same call writes to the fused argument of argument i. */
static bool is_overwritten(const pl_loop *loop, pl_fused_arg *const *arg, int i)
{
  for (int j = 0; j < loop->nargs; j++)
    if (j != i && arg[j] == arg[i] && pl_arg_writes(&loop->args[j])) return true;
  return false;
}

/* A copy of values that the call reads while it writes to their array. */
static void print_copy(pl_call *c, int i, const pl_fused_arg *s)
{
  char base[PL_FUSED_NAME], copy[PL_FUSED_NAME];
  int dim = pl_arg_dim(&s->arg);
  snprintf(base, sizeof base, "%.28s_before", c->member->signature.param[i].name);
  pl_builder_private(c->b, s->real ? "pl_real" : pl_type_name(pl_arg_type(&s->arg)), base, 0, dim, copy);
  pl_string_add(&c->b->body, "  for (int pl_i = 0; pl_i < %d; pl_i++) %s[pl_i] = %s[pl_i];\n", dim, copy,
                s->name);
  snprintf(c->place[i], PL_CALL_PLACE, "%s", copy);
}

static pl_err place_arg(void *user, pl_call *c, int i)
{
  pl_fused_arg *const *arg = user, *s = arg[i];
  const pl_access access = c->member->loop->args[i].access;
  bool direct = pl_arg_is_record(&s->arg) && !s->arg.map;
  snprintf(c->place[i], PL_CALL_PLACE, "%s", s->name);
  if (direct && pl_combines(access) && !pl_combines(s->arg.access)) pl_call_collect(c, i, s);
  if (direct && access == PL_READ && is_overwritten(c->member->loop, arg, i)) print_copy(c, i, s);
  return PL_SUCCESS;
}

/* All arguments are known before the first call: those that members share have the access of all. */
static pl_err print_members(pl_builder *b)
{
  pl_fused_arg **arg = pl_calloc(b->pl, (size_t)b->most + 1, sizeof(pl_fused_arg *));
  if (!arg) return pl_fail_memory(b->pl, (size_t)b->most * sizeof(pl_fused_arg *));
  pl_err err = PL_SUCCESS;
  for (int m = 0, at = 0; m < b->nmembers; at += b->member[m++].loop->nargs)
    take_args(b, &b->member[m], arg + at);
  for (int m = 0, at = 0; !err && m < b->nmembers; at += b->member[m++].loop->nargs)
    err = pl_builder_call(b, m, place_arg, arg + at);
  pl_free(b->pl, arg);
  return err;
}

static uint64_t key_of_members(int n, pl_loop *const *member, int ndead, const void *const *dead,
                               int nbuffers, const pl_double_buffered *buffer)
{
  uint64_t key =
    pl_fused_key("members", n, (const void *const *)member) * 31 + pl_fused_key("dead", ndead, dead);
  for (int i = 0; i < nbuffers; i++) {
    const void *const both[] = {buffer[i].dat, buffer[i].second};
    key = key * 31 + pl_fused_key(buffer[i].equal ? "equal" : "buffer", 2, both);
  }
  return key;
}

pl_err pl_fuse(pl_context *pl, int n, pl_loop *const *member, int ndead, const void *const *dead,
               int nbuffers, const pl_double_buffered *buffer, const pl_fused **fused)
{
  pl_builder b;
  int nargs = 0;
  uint64_t key = key_of_members(n, member, ndead, dead, nbuffers, buffer);
  if ((*fused = pl_fused_find(pl, key))) return PL_SUCCESS;
  for (int m = 0; m < n; m++) nargs += member[m]->nargs;
  pl_err err = pl_builder_open(pl, &b, nargs, n, member);
  b.nunstored = ndead;
  b.unstored = dead;
  b.prepare_later = true; /* the schedule compiles all its loops in parallel */
  for (int i = 0; i < nbuffers; i++) {
    b.swap[i][0] = buffer[i].dat;
    b.swap[i][1] = buffer[i].second;
    b.equal[i] = buffer[i].equal;
  }
  b.nswap = nbuffers;
  if (!err) err = add_double_buffers(&b, n, member);
  if (!err) err = print_members(&b);
  return pl_builder_close(&b, err, key, member[0]->set, "_and_", fused);
}

/* ---- a producer inlined into its consumer ---- */

/* Member 0 is the consumer, member 1 the producer. */
typedef struct inlining {
  pl_builder *b;
  const pl_dat *dat;
  const pl_arg *via;          /* the consumer's argument that reads the dat now, */
  int target;                 /* its target, */
  char values[PL_FUSED_NAME]; /* and the private array of its values */
} inlining;

/* The producer's argument j when it is called for a target of the consumer's argument. */
static pl_err place_input(void *user, pl_call *c, int j)
{
  const inlining *m = user;
  const pl_arg *via = m->via;
  pl_arg arg = c->member->loop->args[j];
  bool all = via->index == PL_ALL, row = arg.map && arg.index == PL_ALL, indexed = false;
  int at = 0;
  if (pl_arg_accesses(&arg, m->dat)) {
    snprintf(c->place[j], PL_CALL_PLACE, "%s[%d]", m->values, m->target);
    return PL_SUCCESS;
  }
  if (via->map && (pl_arg_is_record(&arg) || pl_arg_is_numbered(&arg))) {
    pl_map *map = arg.map ? pl_composed_map(m->b->pl, via->map, arg.map) : via->map;
    if (!map) return PL_ERR_MEMORY;
    at = (all ? m->target : via->index) * (arg.map ? arg.map->arity : 1) + (arg.map && !row ? arg.index : 0);
    indexed = pl_arg_is_record(&arg) && (all || row);
    arg.map = map;
    arg.index = indexed ? PL_ALL : at;
  }
  const char *name = pl_builder_arg(m->b, &arg, &c->member->signature.param[j])->name;
  if (indexed)
    snprintf(c->place[j], PL_CALL_PLACE, row ? "(%s + %d)" : "%s[%d]", name, at);
  else
    snprintf(c->place[j], PL_CALL_PLACE, "%s", name);
  return PL_SUCCESS;
}

/* Computes all targets of the consumer's argument i into a private array. */
static pl_err print_values(inlining *m, pl_call *c, int i)
{
  const pl_member *producer = &m->b->member[1];
  const pl_arg *via = m->via = &c->member->loop->args[i];
  const char *type = pl_type_name(m->dat->type), *base = c->member->signature.param[i].name;
  for (int j = 0; j < producer->loop->nargs; j++)
    if (producer->loop->args[j].object == m->dat && producer->signature.param[j].is_real) type = "pl_real";
  pl_builder_private(m->b, type, base, pl_arg_targets(via), m->dat->dim, m->values);
  for (m->target = 0; m->target < pl_arg_targets(via); m->target++)
    PL_TRY(pl_builder_call(m->b, 1, place_input, m));
  const char *target = via->map && via->index == PL_ALL ? "" : "[0]";
  if (via->component >= 0)
    snprintf(c->place[i], PL_CALL_PLACE, "(%s%s + %d)", m->values, target, via->component);
  else
    snprintf(c->place[i], PL_CALL_PLACE, "%s%s", m->values, target);
  return PL_SUCCESS;
}

static pl_err place_consumer(void *user, pl_call *c, int i)
{
  inlining *m = user;
  const pl_arg *arg = &c->member->loop->args[i];
  if (pl_arg_accesses(arg, m->dat)) return print_values(m, c, i);
  snprintf(c->place[i], PL_CALL_PLACE, "%s", pl_builder_arg(m->b, arg, &c->member->signature.param[i])->name);
  return PL_SUCCESS;
}

pl_err pl_fuse_inline(pl_context *pl, pl_loop *producer, pl_loop *consumer, pl_dat *dat,
                      const pl_fused **fused)
{
  pl_loop *const member[] = {consumer, producer};
  pl_builder b;
  int targets = 0;
  uint64_t key = pl_fused_key("inline", 3, (const void *const[]){producer, consumer, dat});
  if ((*fused = pl_fused_find(pl, key))) return PL_SUCCESS;
  PL_EACH_ARG (arg, consumer) targets += pl_arg_is_foreign(arg) ? 0 : pl_arg_targets(arg);
  pl_err err = pl_builder_open(pl, &b, consumer->nargs + targets * producer->nargs, 2, member);
  if (!err) err = pl_builder_call(&b, 0, place_consumer, &(inlining){.b = &b, .dat = dat});
  return pl_builder_close(&b, err, key, consumer->set, "_with_", fused);
}

/* ---- a loop over pairs, and loops over its particles ----
 * Their kernel is called in two phases: for each pair, with what pairs write; without it for the particle. */

/* Member 0 is the loop over pairs, member 1 that over particles. */
typedef struct phases {
  pl_builder *b;
  int ndead;
  const void *const *dead;
  pl_fused_arg **arg;  /* of the arguments of both members */
  int at, behind;      /* the present member's first one; the first fused argument of member 1 */
  const char *written; /* an argument that pairs write */
} phases;

static pl_err place_phase(void *user, pl_call *c, int i)
{
  const phases *p = user;
  snprintf(c->place[i], PL_CALL_PLACE, "%s", p->arg[p->at + i]->name);
  return PL_SUCCESS;
}

static void take_phase(phases *p, int m, int at)
{
  const pl_member *member = &p->b->member[m];
  for (int i = 0; i < member->loop->nargs; i++) {
    const pl_arg *arg = &member->loop->args[i];
    if (arg->off) continue;
    p->arg[at + i] = pl_builder_arg(p->b, arg, &member->signature.param[i]);
    if (arg->zeroed && pl_fused_has(p->ndead, p->dead, arg)) p->arg[at + i]->arg.zeroed = PL_ZEROED_PRIVATE;
    if (!p->written && pl_arg_writes(arg)) p->written = p->arg[at + i]->name;
  }
}

static pl_err print_both(phases *p)
{
  const int npairs = p->b->member[0].loop->nargs;
  take_phase(p, 0, 0);
  p->behind = p->b->nargs;
  take_phase(p, 1, npairs);
  pl_string_add(&p->b->body, "  if (%s) {\n", p->written);
  PL_TRY(pl_builder_call(p->b, 0, place_phase, p));
  pl_string_add(&p->b->body, "  } else {\n");
  p->at = npairs;
  PL_TRY(pl_builder_call(p->b, 1, place_phase, p));
  pl_string_add(&p->b->body, "  }\n");
  return PL_SUCCESS;
}

static pl_err fuse_both(pl_context *pl, pl_loop *const *member, int nsums, const void *const *sum,
                        const pl_fused **fused)
{
  const uint64_t key =
    pl_fused_key("pairs", 2, (const void *const *)member) * 31 + pl_fused_key("sums", nsums, sum);
  const int nargs = member[0]->nargs + member[1]->nargs;
  pl_builder b;
  phases p = {.b = &b, .ndead = nsums, .dead = sum};
  if ((*fused = pl_fused_find(pl, key))) return PL_SUCCESS;
  pl_err err = pl_builder_open(pl, &b, nargs, 2, member);
  b.kind = PL_LOOP_PARTICLES;
  b.unchecked = true; /* its arguments are not those of a loop that users can write */
  if (!err) err = PL_NEW(pl, p.arg, (size_t)nargs);
  if (!err) err = print_both(&p);
  pl_free(pl, p.arg);
  PL_TRY(pl_builder_close(&b, err, key, member[0]->set, "_then_", fused));
  (*fused)->loop->behind = p.behind;
  return PL_SUCCESS;
}

/* Moves the dats that pairs sum up to the end; returns how many others there are. */
static int part_dead(const pl_loop *pairs, int ndead, const void **dead)
{
  int n = 0;
  for (int i = 0; i < ndead; i++) {
    const void *object = dead[i];
    if (pl_loop_uses(pairs, object)) continue;
    dead[i] = dead[n];
    dead[n++] = object;
  }
  return n;
}

pl_err pl_fuse_pairs(pl_context *pl, int n, pl_loop *const *member, int ndead, const void **dead,
                     const pl_fused **fused)
{
  const pl_fused *particles;
  const int others = part_dead(member[0], ndead, dead);
  PL_TRY(pl_fuse(pl, n - 1, member + 1, others, dead, 0, NULL, &particles));
  pl_loop *const both[] = {member[0], particles->loop};
  return fuse_both(pl, both, ndead - others, dead + others, fused);
}
