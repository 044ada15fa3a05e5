/* SPDX-License-Identifier: BSD-2-Clause
 * What is seen of a loop's kernel, and said of it.
 */
#include "watch.h"
#include "codegen/watch.h"
#include "core/check.h"
#include "core/memory.h"
#include <math.h>
#include <string.h>

/* A value that is not what it ought to be. */
typedef struct finding {
  bool found;
  int element, side, component;
  double start, first, wanted, made;
} finding;

typedef struct watched {
  finding start; /* the first of its kind */
  finding other; /* the worst, by `off` */
  double off, largest;
} watched;

/* Something that the kernel did, where the program's text says. */
typedef struct fault {
  bool found;
  int what, at, end, element, side, line;
  const char *file; /* of the program's code */
} fault;

typedef struct watcher {
  pl_watch watch; /* first: the program knows this much */
  fault fault;    /* the first */
  const pl_loop *loop;
  double tolerance;
  watched *arg;
} watcher;

/* ---- values ---- */

/* The real type of an argument's private values, and how many there are behind one target. */
static pl_type type_of(const pl_arg *arg)
{
  return pl_type_base(pl_arg_seen_type(arg));
}

static int dim_of(const pl_arg *arg)
{
  return pl_arg_dim(arg) * (pl_type_is_complex(pl_arg_type(arg)) ? 2 : 1);
}

static const void *value_at(pl_type type, const void *values, int i)
{
  return (const char *)values + (size_t)i * pl_type_size(type);
}

static void put_real(pl_type type, void *into, double value)
{
  if (type == PL_FLOAT)
    *(float *)into = (float)value;
  else
    *(double *)into = value;
}

/* The lowest bytes of a number that fits. */
static void put_whole(pl_type type, void *into, int64_t number)
{
  const int8_t n8 = (int8_t)number;
  const int16_t n16 = (int16_t)number;
  const int32_t n32 = (int32_t)number;
  size_t size = pl_type_size(type);
  const void *from = size == 1   ? (const void *)&n8
                     : size == 2 ? (const void *)&n16
                     : size == 4 ? (const void *)&n32
                                 : (const void *)&number;
  memcpy(into, from, size);
}

/* ---- sums and extremes from other starts ---- */

/* One start of the size of what was found first, one far above and one far below. */
static void put_start(pl_type type, int turn, const void *first, void *into)
{
  const double far = type == PL_FLOAT ? 1e30 : 1e200;
  if (!pl_type_is_integer(type)) {
    put_real(type, into, turn == 0 ? 2 + 2 * fabs(pl_value(type, first, 0)) : turn == 1 ? far : -far);
    return;
  }
  const int64_t high = ((int64_t)1 << (8 * pl_type_size(type) - 2)) + 43;
  put_whole(type, into, turn == 0 ? 11 : turn == 1 ? high : -high);
}

static void start(pl_watch *watch, int i, int turn, const void *first, void *again)
{
  const pl_arg *arg = &((watcher *)watch)->loop->args[i];
  pl_type type = type_of(arg);
  for (int c = 0; c < dim_of(arg) * pl_arg_targets(arg); c++)
    put_start(type, turn, value_at(type, first, c), (char *)again + (size_t)c * pl_type_size(type));
}

static bool is_extreme(const pl_arg *arg)
{
  return arg->access == PL_MIN || arg->access == PL_MAX;
}

static bool is_off(pl_type type, const void *wanted, const void *made, double most)
{
  double a = pl_value(type, wanted, 0), b = pl_value(type, made, 0);
  if (pl_type_is_integer(type)) return memcmp(wanted, made, pl_type_size(type)) != 0;
  return a != b && !(fabs(a - b) <= most) && !(isnan(a) && isnan(b));
}

/* What is written must not depend on what sums and extremes began with. */
static void look_at_made(watcher *w, int i, int c, const void *first, const void *made)
{
  const pl_arg *arg = &w->loop->args[i];
  pl_type type = type_of(arg);
  double before = pl_value(type, first, 0), after = pl_value(type, made, 0);
  if (!is_off(type, first, made, w->tolerance * (isfinite(before) ? fabs(before) : 0))) return;
  w->arg[i].start = (finding){.found = true,
                              .element = w->watch.element,
                              .side = w->watch.side,
                              .component = c % dim_of(arg),
                              .first = before,
                              .made = after};
}

static void look_again(watcher *w, int i, int c, int turn, const void *first, const void *made)
{
  const pl_arg *arg = &w->loop->args[i];
  pl_type type = type_of(arg);
  char begun[8], wanted[8];
  if (arg->access == PL_WRITE || arg->access == PL_RW) {
    look_at_made(w, i, c, first, made);
    return;
  }
  put_start(type, turn, first, begun);
  memcpy(wanted, begun, sizeof wanted);
  pl_combine(type, is_extreme(arg) ? arg->access : PL_INC, wanted, first, 1);
  double from = pl_value(type, begun, 0), found = pl_value(type, first, 0), want = pl_value(type, wanted, 0);
  if (!is_extreme(arg) && !isfinite(found)) return;
  double size = is_extreme(arg) ? fabs(want) : fabs(from) + fabs(found);
  if (!is_off(type, wanted, made, w->tolerance * size)) return;
  size = isfinite(found) ? fabs(found) : 0;
  if (is_extreme(arg) && !is_off(type, first, made, w->tolerance * size)) return; /* it sets it: so it may */
  w->arg[i].start = (finding){.found = true,
                              .element = w->watch.element,
                              .side = w->watch.side,
                              .component = c % dim_of(arg),
                              .start = from,
                              .first = found,
                              .wanted = want,
                              .made = pl_value(type, made, 0)};
}

static void again(pl_watch *watch, int i, int turn, const void *first, const void *made)
{
  watcher *w = (watcher *)watch;
  const pl_arg *arg = &w->loop->args[i];
  pl_type type = type_of(arg);
  for (int c = 0; c < dim_of(arg) * pl_arg_targets(arg) && !w->arg[i].start.found; c++)
    look_again(w, i, c, turn, value_at(type, first, c), value_at(type, made, c));
}

/* ---- pairs from their other side ---- */

static void look_across(watcher *w, int i, int c, double here, double there)
{
  watched *seen = &w->arg[i];
  double wanted = w->loop->args[i].access == PL_INC_ANTI ? -here : here, off = fabs(there - wanted);
  if (isfinite(here) && fabs(here) > seen->largest) seen->largest = fabs(here);
  if (there == wanted || !(off > seen->off)) return;
  seen->off = off;
  seen->other = (finding){.found = true,
                          .element = w->watch.element,
                          .side = w->watch.side,
                          .component = c,
                          .first = here,
                          .wanted = wanted,
                          .made = there};
}

static void other(pl_watch *watch, int i, const void *first, const void *made)
{
  watcher *w = (watcher *)watch;
  const pl_arg *arg = &w->loop->args[i];
  pl_type type = type_of(arg);
  if (arg->kind == PL_ARG_DAT && arg->index != PL_BOTH) return;
  for (int c = 0; c < dim_of(arg); c++)
    look_across(w, i, c, pl_value(type, first, (size_t)c), pl_value(type, made, (size_t)c));
}

/* ---- faults ---- */

static void see_fault(pl_watch *watch, int what, int at, int end, const char *file, int line)
{
  watcher *w = (watcher *)watch;
  if (!w->fault.found)
    w->fault = (fault){.found = true,
                       .what = what,
                       .at = at,
                       .end = end,
                       .element = watch->element,
                       .side = watch->side,
                       .line = line,
                       .file = file};
}

/* ---- how much is added up ---- */

static void adds(pl_watch *watch, int i, int target, const void *values)
{
  const pl_loop *loop = ((watcher *)watch)->loop;
  const pl_arg *arg = &loop->args[i];
  double *size = loop->size ? loop->size[i] : NULL;
  pl_type type = type_of(arg);
  int dim = dim_of(arg);
  if (!size || target < 0) return;
  if (arg->kind == PL_ARG_DAT) {
    int parts = dim / pl_arg_dim(arg), first = arg->component > 0 ? arg->component : 0;
    size += ((size_t)target * (size_t)((const pl_dat *)arg->object)->dim + (size_t)first) * (size_t)parts;
  }
  for (int c = 0; c < dim; c++) size[c] += fabs(pl_value(type, values, (size_t)c));
}

/* ---- sentences ---- */

/* "at element 3", "at the pair of 3 and 4" */
static const char *say_where(const pl_loop *loop, int element, int side, char *buffer, size_t size)
{
  const pl_map *pairs = loop->set->pairs;
  if (pairs)
    snprintf(buffer, size, "at the pair of %lld and %lld", (long long)pl_element_number(pairs->from, element),
             (long long)pl_element_number(pairs->to, side));
  else
    snprintf(buffer, size, "at element %lld", (long long)pl_element_number(pl_set_base(loop->set), element));
  return buffer;
}

static pl_err fail_at(const watcher *w, int i, const finding *f, const char *what)
{
  const pl_loop *loop = w->loop;
  char name[PL_ARG_NAME], where[80];
  return pl_fail(loop->pl, PL_ERR_CHECK, "loop \"%s\" over \"%s\", %s, %s, component %d: %s",
                 loop->kernel->name, loop->set->node.name, pl_arg_name(loop->args, i, name),
                 say_where(loop, f->element, f->side, where, sizeof where), f->component, what);
}

static pl_err tell_fault(const watcher *w)
{
  const pl_loop *loop = w->loop;
  const fault *f = &w->fault;
  char where[80], what[120];
  if (f->what == PL_WATCH_ZERO)
    snprintf(what, sizeof what, "divides a whole number by zero");
  else
    snprintf(what, sizeof what, "asks for %s %d of a row, but it has %d",
             f->what == PL_WATCH_TARGET ? "target" : "value", f->at, f->end);
  return pl_fail(loop->pl, PL_ERR_CHECK, "loop \"%s\" over \"%s\", %s: the kernel %s (%s:%d)",
                 loop->kernel->name, loop->set->node.name,
                 say_where(loop, f->element, f->side, where, sizeof where), what, f->file, f->line);
}

static pl_err tell_start(const watcher *w, int i)
{
  const finding *f = &w->arg[i].start;
  const pl_arg *arg = &w->loop->args[i];
  char what[300];
  if (arg->access == PL_WRITE || arg->access == PL_RW)
    snprintf(
      what, sizeof what,
      "the kernel's result depends on what it finds in sums or extremes: it is %.9g, or %.9g from other "
      "starts",
      f->first, f->made);
  else if (is_extreme(arg))
    snprintf(what, sizeof what,
             "the access is PL_%s, but the kernel does not keep the %s value: where it finds %.9g and has "
             "%.9g it leaves %.9g",
             pl_access_name(arg->access), arg->access == PL_MIN ? "lesser" : "greater", f->start, f->first,
             f->made);
  else
    snprintf(what, sizeof what,
             "the access is PL_%s, but the kernel does not add to what it finds: it makes %.9g of 0 and %.9g "
             "of %.9g; write +=",
             pl_access_name(arg->access), f->first + 0.0, f->made, f->start);
  return fail_at(w, i, f, what);
}

static pl_err tell_other(const watcher *w, int i)
{
  const finding *f = &w->arg[i].other;
  const pl_arg *arg = &w->loop->args[i];
  char what[300];
  if (arg->kind == PL_ARG_DAT)
    snprintf(what, sizeof what,
             "the access is PL_%s, but seen from its other side the pair adds %.9g, not %.9g as side 0 of it "
             "says",
             pl_access_name(arg->access), f->made, f->wanted);
  else
    snprintf(what, sizeof what,
             "a pair must give a global the same from both its sides, but it gives %.9g and %.9g", f->first,
             f->made);
  return fail_at(w, i, f, what);
}

static bool is_lopsided(const watcher *w, int i)
{
  const watched *seen = &w->arg[i];
  bool whole = pl_type_is_integer(type_of(&w->loop->args[i]));
  return seen->other.found && !(seen->off <= (whole ? 0 : w->tolerance * seen->largest));
}

pl_err pl_watch_tell(pl_watch *watch)
{
  const watcher *w = (const watcher *)watch;
  if (w->fault.found) return tell_fault(w);
  for (int i = 0; i < w->loop->nargs; i++) {
    if (w->arg[i].start.found) return tell_start(w, i);
    if (is_lopsided(w, i)) return tell_other(w, i);
  }
  return PL_SUCCESS;
}

/* ---- making ---- */

pl_err pl_watch_new(const pl_loop *loop, pl_watch **watch)
{
  watcher *w = pl_calloc(loop->pl, 1, sizeof *w);
  watched *arg = pl_calloc(loop->pl, (size_t)loop->nargs, sizeof *arg);
  if (!w || !arg) {
    pl_free(loop->pl, w);
    pl_free(loop->pl, arg);
    return pl_fail_memory(loop->pl, sizeof *w);
  }
  *w = (watcher){.watch = {start, again, other, adds, see_fault, 0, 0, 0},
                 .loop = loop,
                 .tolerance = pl_loop_tolerance(loop),
                 .arg = arg};
  *watch = &w->watch;
  return PL_SUCCESS;
}

void pl_watch_begin(pl_watch *watch)
{
  watcher *w = (watcher *)watch;
  const pl_map *pairs = w->loop->set->pairs;
  watch->owned = pairs ? pairs->from->part[1] : 0;
  memset(w->arg, 0, (size_t)w->loop->nargs * sizeof *w->arg);
  w->fault = (fault){.found = false};
}

void pl_watch_free(pl_context *pl, pl_watch *watch)
{
  if (!watch) return;
  pl_free(pl, ((watcher *)watch)->arg);
  pl_free(pl, watch);
}
