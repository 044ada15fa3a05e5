/* SPDX-License-Identifier: BSD-2-Clause
 * Which forms of host text are right for a loop, and which one is likely to be the fastest.
 */
#include "simd_form.h"
#include "codegen/loop/pair_info.h"
#include "core/loop/loop.h"
#include "core/loop/reduction.h"
#include <string.h>

/* More values an element than this are unlikely to pay in lanes, and many more cost too much to compile. */
enum { FEW_VALUES = 64, MOST_VALUES = 128, MOST_GROUP = 8 };
/* A copy of the kernel in vectors pays above the first, and takes too long to compile above the second. */
enum { SOME_VALUES = 32, MOST_VECTOR_VALUES = 512 };

const char *pl_form_name(pl_form form)
{
  static const char *const names[] = {"scalar", "lanes",       "transpose", "stream",
                                      "wide",   "wide-stream", "vector"};
  return names[form];
}

bool pl_form_find(const char *name, pl_form *form)
{
  for (*form = PL_FORM_SCALAR; *form <= PL_FORM_VECTOR; ++*form)
    if (!strcmp(name, pl_form_name(*form))) return true;
  return false;
}

/* ---- groups of lanes ---- */

/* Whether two elements of a group never reach a common target of `dat`. Out of memory: no. */
static bool targets_apart(const pl_loop *loop, const pl_dat *dat)
{
  int total = dat->set->end[3], elements = loop->set->end[3];
  int *last = pl_malloc_array(loop->pl, (size_t)total * sizeof *last);
  bool apart = last != NULL;
  for (int t = 0; apart && t < total; t++) last[t] = -1;
  for (int e = 0; apart && e < elements; e++)
    for (int i = 0; apart && i < loop->nargs; i++) {
      const pl_arg *arg = &loop->args[i];
      if (!pl_arg_accesses(arg, dat)) continue;
      for (int k = 0; apart && k < pl_arg_targets(arg); k++) {
        int t = pl_arg_target(arg, e, k);
        if (t < 0) continue;
        apart = last[t] < 0 || last[t] == e || e - last[t] >= MOST_GROUP;
        last[t] = e;
      }
    }
  pl_free_array(loop->pl, last);
  return apart;
}

/* An element that reads and writes through a map may need a value that the element before it wrote; within a
 * group it would not see that. */
static bool depends_on_group(const pl_loop *loop, const pl_arg *arg)
{
  return arg->map && arg->access == PL_RW && !targets_apart(loop, arg->object);
}

typedef struct survey {
  int values; /* private values of one element */
  bool scalar_only, indirect, guards, reduces;
} survey;

static survey survey_loop(const pl_loop *loop)
{
  survey s = {.scalar_only =
                pl_kernel_extras(loop->kernel)->cpp || loop->set->parent || !pl_loop_traits_of(loop)->plain};
  PL_EACH_ARG (arg, loop) {
    if (arg->off) continue;
    s.values += pl_arg_is_record(arg) ? pl_arg_targets(arg) * pl_arg_dim(arg) : 0;
    s.indirect |= arg->map != NULL;
    s.reduces |= pl_arg_reduces(arg);
    s.guards |= arg->map && arg->map->has_negative;
    s.scalar_only |= arg->map && !arg->map->to->end[3];       /* no target to read for a missing one */
    s.scalar_only |= pl_arg_is_row(arg);                      /* rows differ in length */
    s.scalar_only |= arg->fixed && arg->map;                  /* lane buffers have one type */
    s.scalar_only |= arg->kind == PL_ARG_GLOBAL && arg->with; /* payloads are replaced in element order */
    s.scalar_only |= pl_arg_is_foreign(arg);                  /* the user's memory is unknown */
  }
  for (int i = 0; i < loop->nargs && !s.scalar_only; i++)
    s.scalar_only = depends_on_group(loop, &loop->args[i]);
  return s;
}

static bool may_transpose(const survey *s)
{
  return !s->scalar_only && s->values <= MOST_VALUES;
}

/* Plain lanes would lose increments of two lanes to one target, and load from targets that are missing. */
static bool lanes_are_right(const pl_loop *loop, const survey *s)
{
  return may_transpose(s) && !loop->indirect_write && !s->guards;
}

/* ---- writing past the caches ---- */

/* Records that are written whole, one after the other, and move as aligned vectors of 16 or 32 bytes. */
bool pl_arg_streams(const pl_arg *arg)
{
  if (!pl_arg_is_record(arg) || arg->off || arg->map || arg->access != PL_WRITE || arg->component >= 0)
    return false;
  if (((const pl_dat *)arg->object)->storage.wrapped) return false; /* it may be unaligned */
  int size = (int)pl_type_size(pl_type_base(pl_arg_type(arg)));
  int bytes = pl_arg_dim(arg) * (int)pl_type_size(pl_arg_type(arg));
  return size == 8 ? bytes % 32 == 0 || bytes == 16 : size == 4 && bytes % 16 == 0;
}

static bool streams(const pl_loop *loop)
{
  PL_EACH_ARG (arg, loop)
    if (pl_arg_streams(arg)) return true;
  return false;
}

/* The next loop does not find in the caches values that were stored past them; but a loop that moves more
 * than a core's share of the caches leaves little there anyway. (Systems report the whole cache, shared by
 * all cores.) */
static bool exceeds_caches(const pl_loop *loop)
{
  return loop->bytes_per_call > 32e6;
}

/* ---- vectors of 64 bytes ---- */

static bool has_wide_registers(void)
{
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_supports("avx512f");
#else
  return false;
#endif
}

static bool has_wide_values(const pl_loop *loop)
{
  PL_EACH_ARG (arg, loop)
    if (pl_arg_is_record(arg) && !arg->off && pl_type_size(pl_type_base(pl_arg_type(arg))) == 8) return true;
  return false;
}

/* ---- choice ---- */

/* Compilers use vectors in plain direct loops by themselves, but not where a result is carried from element
 * to element, and not where records are reached through maps. Beyond the caches it is bytes that count. */
static pl_form guess(const pl_loop *loop, const survey *s, bool vectors)
{
  if (s->values > FEW_VALUES) return vectors ? PL_FORM_VECTOR : PL_FORM_SCALAR;
  if (streams(loop) && exceeds_caches(loop)) return PL_FORM_STREAM;
  if (s->indirect) return PL_FORM_TRANSPOSE;
  return s->reduces ? PL_FORM_LANES : PL_FORM_SCALAR;
}

/* The form that is always right. */
static pl_form first_form(const pl_loop *loop)
{
  return pl_loop_traits_of(loop)->pairs ? pl_pair_form(loop) : PL_FORM_SCALAR;
}

bool pl_form_may_be_vector(const pl_loop *loop)
{
  const survey s = survey_loop(loop);
  if (s.scalar_only || pl_opt_is(loop->pl, PL_OPT_SHAPE, "vector")) return !s.scalar_only;
  return s.values > SOME_VALUES && s.values <= MOST_VECTOR_VALUES;
}

pl_form pl_form_choose(const pl_loop *loop, bool vectors)
{
  survey s = survey_loop(loop);
  const char *asked = pl_opt(loop->pl, PL_OPT_SHAPE);
  if (s.scalar_only || !strcmp(asked, "scalar")) return first_form(loop);
  if (!strcmp(asked, "vector")) return vectors ? PL_FORM_VECTOR : PL_FORM_SCALAR;
  if (!strcmp(asked, "auto")) return guess(loop, &s, vectors);
  if (!may_transpose(&s)) return PL_FORM_SCALAR;
  if (!strcmp(asked, "transpose")) return PL_FORM_TRANSPOSE;
  if (!strcmp(asked, "stream")) return streams(loop) ? PL_FORM_STREAM : PL_FORM_TRANSPOSE;
  if (!strcmp(asked, "wide-stream") && streams(loop) && has_wide_values(loop)) return PL_FORM_WIDE_STREAM;
  if (!strncmp(asked, "wide", 4)) return has_wide_values(loop) ? PL_FORM_WIDE : PL_FORM_TRANSPOSE;
  return lanes_are_right(loop, &s) ? PL_FORM_LANES : PL_FORM_SCALAR;
}

int pl_forms_possible(const pl_loop *loop, bool vectors, pl_form *forms)
{
  survey s = survey_loop(loop);
  int n = 0;
  forms[n++] = first_form(loop);
  if (vectors) forms[n++] = PL_FORM_VECTOR;
  if (!may_transpose(&s)) return n;
  forms[n++] = PL_FORM_TRANSPOSE;
  if (lanes_are_right(loop, &s)) forms[n++] = PL_FORM_LANES;
  bool past = streams(loop) && exceeds_caches(loop), wide = has_wide_values(loop) && has_wide_registers();
  if (past) forms[n++] = PL_FORM_STREAM;
  if (wide) forms[n++] = PL_FORM_WIDE;
  if (past && wide) forms[n++] = PL_FORM_WIDE_STREAM;
  return n;
}
