/* SPDX-License-Identifier: BSD-2-Clause
 * Checks a loop's kernel while its reference loop runs. Invariant: of each argument the first finding from
 * another start is kept, and the worst from the other side of a pair.
 */
#include "kernel_check.h"
#include "codegen/element/check_hooks.h"
#include "core/base/plain_format.h"
#include "core/loop/access_check.h"
#include "host_loop.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <string.h>

/* A value that differs from the expected one. */
typedef struct finding {
  bool found;
  int element, side, component, target;
  double start, first, expected, actual;
} finding;

typedef struct arg_findings {
  finding start;       /* from other starts */
  finding twice;       /* from another element, of PL_WRITE */
  finding other;       /* from the other side of a pair */
  double off, largest; /* of `other`: its deviation, and the largest value of the argument */
} arg_findings;

/* A division by zero or an access beyond values. */
typedef struct fault {
  bool found;
  int kind, arg, element, side, line;
  long long at, end;
  const char *file; /* of the user's code */
} fault;

typedef struct checker {
  pl_checker hooks; /* first: the generated code knows this part */
  fault fault;      /* ended the run */
  jmp_buf escape;
  const pl_loop *loop;
  double tolerance;
  arg_findings *arg;
} checker;

/* ---- values ---- */

static pl_type base_type(const pl_arg *arg)
{
  return pl_type_base(pl_arg_seen_type(arg));
}

/* Real values of one target. */
static int real_dim(const pl_arg *arg)
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

static void put_integer(pl_type type, void *into, int64_t number)
{
  const int16_t one = 1;
  bool little_endian = *(const char *)&one;
  size_t size = pl_type_size(type);
  memcpy(into, (const char *)&number + (little_endian ? 0 : sizeof number - size), size);
}

/* ---- sums and extremes from other starts ---- */

/* One start of the magnitude of the first result, one far above and one far below. */
static void put_start(pl_type type, int turn, const void *first, void *into)
{
  const double far = type == PL_FLOAT ? 1e30 : 1e200;
  if (!pl_type_is_integer(type)) {
    put_real(type, into, turn == 0 ? 2 + 2 * fabs(pl_value(type, first, 0)) : turn == 1 ? far : -far);
    return;
  }
  const size_t bits = 8 * pl_type_size(type) - 2, exact = FLT_MANT_DIG - 2; /* in sums of floats */
  const int64_t high = ((int64_t)1 << (bits < exact ? bits : exact)) + 43;
  put_integer(type, into, turn == 0 ? 11 : turn == 1 ? high : -high);
}

static void put_starts(pl_checker *hooks, int i, int turn, const void *first, void *again)
{
  const pl_arg *arg = &((checker *)hooks)->loop->args[i];
  pl_type type = base_type(arg);
  for (int c = 0; c < real_dim(arg) * pl_arg_targets(arg); c++)
    put_start(type, turn, value_at(type, first, c), (char *)again + (size_t)c * pl_type_size(type));
}

static bool is_extreme(const pl_arg *arg)
{
  return arg->access == PL_MIN || arg->access == PL_MAX;
}

static bool is_off(pl_type type, const void *expected, const void *actual, double most)
{
  double a = pl_value(type, expected, 0), b = pl_value(type, actual, 0);
  if (pl_type_is_integer(type)) return memcmp(expected, actual, pl_type_size(type)) != 0;
  return a != b && !(fabs(a - b) <= most) && !(isnan(a) && isnan(b));
}

static finding find_at(const checker *k, int component, double first, double expected, double actual)
{
  return (finding){.found = true,
                   .element = k->hooks.element,
                   .side = k->hooks.side,
                   .component = component,
                   .first = first,
                   .expected = expected,
                   .actual = actual};
}

/* A value that the kernel writes must not depend on the start of a sum. */
static void compare_value(checker *k, int i, int c, const void *first, const void *again)
{
  const pl_arg *arg = &k->loop->args[i];
  pl_type type = base_type(arg);
  double before = pl_value(type, first, 0);
  if (is_off(type, first, again, k->tolerance * (isfinite(before) ? fabs(before) : 0)))
    k->arg[i].start = find_at(k, c % real_dim(arg), before, before, pl_value(type, again, 0));
}

/* A sum must be its start plus the first result, an extreme the extreme of both, or assigned. */
static void compare_result(checker *k, int i, int c, int turn, const void *first, const void *again)
{
  const pl_arg *arg = &k->loop->args[i];
  pl_type type = base_type(arg);
  char begin[8], expected[8];
  put_start(type, turn, first, begin);
  memcpy(expected, begin, sizeof expected);
  pl_combine(type, is_extreme(arg) ? arg->access : PL_INC, expected, first, 1);
  double start = pl_value(type, begin, 0), found = pl_value(type, first, 0),
         want = pl_value(type, expected, 0);
  if (!is_extreme(arg) && !isfinite(found)) return;
  double size = is_extreme(arg) ? fabs(want) : fabs(start) + fabs(found);
  if (!is_off(type, expected, again, k->tolerance * size)) return;
  size = isfinite(found) ? fabs(found) : 0;
  if (is_extreme(arg) && !is_off(type, first, again, k->tolerance * size)) return;
  k->arg[i].start = find_at(k, c % real_dim(arg), found, want, pl_value(type, again, 0));
  k->arg[i].start.start = start;
}

static void compare_again(pl_checker *hooks, int i, int turn, const void *first, const void *again)
{
  checker *k = (checker *)hooks;
  const pl_arg *arg = &k->loop->args[i];
  pl_type type = base_type(arg);
  bool value = arg->access == PL_WRITE || arg->access == PL_RW;
  for (int c = 0; c < real_dim(arg) * pl_arg_targets(arg) && !k->arg[i].start.found; c++)
    if (value)
      compare_value(k, i, c, value_at(type, first, c), value_at(type, again, c));
    else
      compare_result(k, i, c, turn, value_at(type, first, c), value_at(type, again, c));
}

/* ---- pairs from their other side ---- */

static void compare_sides(checker *k, int i, int c, double here, double there)
{
  arg_findings *f = &k->arg[i];
  double expected = k->loop->args[i].access == PL_INC_ANTI ? -here : here, off = fabs(there - expected);
  if (isfinite(here) && fabs(here) > f->largest) f->largest = fabs(here);
  if (there == expected || !(off > f->off)) return;
  f->off = off;
  f->other = find_at(k, c, here, expected, there);
}

static void compare_other(pl_checker *hooks, int i, const void *first, const void *other)
{
  checker *k = (checker *)hooks;
  const pl_arg *arg = &k->loop->args[i];
  pl_type type = base_type(arg);
  if (pl_arg_is_record(arg) && arg->index != PL_BOTH) return;
  for (int c = 0; c < real_dim(arg); c++)
    compare_sides(k, i, c, pl_value(type, first, (size_t)c), pl_value(type, other, (size_t)c));
}

/* ---- faults ---- */

static void record_fault(pl_checker *hooks, int kind, int arg, long long at, long long end, const char *file,
                         int line)
{
  checker *k = (checker *)hooks;
  k->fault = (fault){true, kind, arg, hooks->element, hooks->side, line, at, end, file};
  _longjmp(k->escape, 1);
}

static bool holds_only(int byte, const char *bytes, int n)
{
  while (n > 0 && bytes[n - 1] == byte) n--;
  return n == 0;
}

static void check_guard(pl_checker *hooks, int i, const void *copy, int zone, int bytes)
{
  const char *first = copy;
  const int byte = pl_guard_byte(&((checker *)hooks)->loop->args[i]);
  if (!holds_only(byte, first, zone) || !holds_only(byte, first + bytes - zone, zone))
    record_fault(hooks, PL_FAULT_OUTSIDE, i, 0, 0, NULL, 0);
}

/* ---- values written by several elements ---- */

static char *values_of(const pl_arg *arg, int target)
{
  const pl_dat *dat = arg->object;
  size_t first = arg->component > 0 ? (size_t)arg->component : 0;
  return (char *)dat->storage.host + (size_t)target * pl_dat_stride(dat) + first * pl_type_size(dat->type);
}

static void compare_reads(pl_checker *hooks, int i, int target, const void *values)
{
  const pl_arg *arg = &((checker *)hooks)->loop->args[i];
  if (target >= 0 && memcmp(values, values_of(arg, target), pl_arg_bytes(arg)))
    record_fault(hooks, PL_FAULT_CHANGED, i, 0, 0, NULL, 0);
}

/* A target holds poison until the first element writes it. Stores the values for those that follow. */
static void compare_writes(pl_checker *hooks, int i, int target, const void *values)
{
  checker *k = (checker *)hooks;
  const pl_arg *arg = &k->loop->args[i];
  pl_type type = base_type(arg);
  size_t size = pl_type_size(type);
  if (target < 0) return;
  char *present = values_of(arg, target);
  for (int c = 0; c < real_dim(arg); c++, present += size) {
    const void *value = value_at(type, values, c);
    double before = pl_value(type, present, 0), now = pl_value(type, value, 0);
    bool differs =
      !holds_only(PL_POISON, present, (int)size) && is_off(type, present, value, k->tolerance * fabs(before));
    if (differs && !k->arg[i].twice.found) {
      k->arg[i].twice = find_at(k, c, before, before, now);
      k->arg[i].twice.target = target;
    }
    memcpy(present, value, size);
  }
}

/* ---- magnitudes of increments ---- */

static void add_magnitudes(pl_checker *hooks, int i, int target, const void *values)
{
  const pl_loop *loop = ((checker *)hooks)->loop;
  const pl_arg *arg = &loop->args[i];
  double *size = loop->size ? loop->size[i] : NULL;
  pl_type type = base_type(arg);
  int dim = real_dim(arg);
  if (!size || target < 0) return;
  if (pl_arg_is_record(arg)) {
    int parts = dim / pl_arg_dim(arg), first = arg->component > 0 ? arg->component : 0;
    size += ((size_t)target * (size_t)((const pl_dat *)arg->object)->dim + (size_t)first) * (size_t)parts;
  }
  for (int c = 0; c < dim; c++) size[c] += fabs(pl_value(type, values, (size_t)c));
}

/* ---- messages ---- */

/* "at element 3", "at the pair of 3 and 4" */
static const char *print_element(const pl_loop *loop, int element, int side, char *buffer, size_t size)
{
  const pl_map *pairs = loop->set->pairs;
  if (pairs)
    snprintf(buffer, size, "at the pair of %lld and %lld",
             (long long)pl_element_global_index(pairs->from, element),
             (long long)pl_element_global_index(pairs->to, side));
  else
    snprintf(buffer, size, "at element %lld",
             (long long)pl_element_global_index(pl_set_base(loop->set), element));
  return buffer;
}

static pl_err fail_at(const checker *k, int i, const finding *f, const char *problem)
{
  const pl_loop *loop = k->loop;
  char name[PL_ARG_NAME], where[80];
  return pl_fail(loop->pl, PL_ERR_CHECK, "loop \"%s\" over \"%s\", %s, %s, component %d: %s",
                 pl_loop_title(loop), loop->set->node.name, pl_arg_name(loop->args, i, name),
                 print_element(loop, f->element, f->side, where, sizeof where), f->component, problem);
}

static void print_fault(const checker *k, char *problem, size_t size)
{
  const fault *f = &k->fault;
  const pl_arg *args = k->loop->args;
  char name[PL_ARG_NAME];
  if (f->kind == PL_FAULT_OUTSIDE)
    snprintf(problem, size, "writes outside the values of %s through another pointer, or in a function",
             pl_arg_name(args, f->arg, name));
  else if (f->kind == PL_FAULT_CHANGED)
    snprintf(problem, size, "changes a value of %s, whose access is PL_READ",
             pl_arg_name(args, f->arg, name));
  else if (f->kind == PL_FAULT_ZERO)
    snprintf(problem, size, "divides an integer by zero");
  else if (f->kind < PL_FAULT_INDEX)
    snprintf(problem, size, "accesses %s %lld of a row, which has %lld",
             f->kind == PL_FAULT_TARGET ? "target" : "value", f->at, f->end);
  else if (args[f->arg].off)
    snprintf(problem, size, "uses %s, which is switched off", pl_arg_name(args, f->arg, name));
  else
    snprintf(problem, size, "uses index %lld in bracket %d of %s, where the end is %lld", f->at,
             f->kind - PL_FAULT_INDEX + 1, pl_arg_name(args, f->arg, name), f->end);
}

static pl_err report_fault(const checker *k)
{
  const pl_loop *loop = k->loop;
  const fault *f = &k->fault;
  char where[80], problem[240], line[300] = "";
  print_fault(k, problem, sizeof problem);
  if (f->file) snprintf(line, sizeof line, " (%s:%d)", f->file, f->line);
  return pl_fail(loop->pl, PL_ERR_CHECK, "loop \"%s\" over \"%s\", %s: the kernel %s%s", pl_loop_title(loop),
                 loop->set->node.name, print_element(loop, f->element, f->side, where, sizeof where), problem,
                 line);
}

static pl_err report_start(const checker *k, int i)
{
  const finding *f = &k->arg[i].start;
  const pl_arg *arg = &k->loop->args[i];
  char problem[300];
  if (arg->access == PL_WRITE || arg->access == PL_RW)
    pl_format(problem, sizeof problem,
              "the kernel's result depends on the initial values of its sums or extremes: it is %.9g or %.9g",
              f->first, f->actual);
  else if (is_extreme(arg))
    pl_format(
      problem, sizeof problem,
      "the access is PL_%s, but the kernel does not keep the %s value: of %.9g and %.9g it keeps %.9g",
      pl_access_name(arg->access), arg->access == PL_MIN ? "lesser" : "greater", f->start, f->first,
      f->actual);
  else
    pl_format(
      problem, sizeof problem,
      "the access is PL_%s, but the kernel does not add to the value: 0 becomes %.9g, and %.9g becomes "
      "%.9g; write +=",
      pl_access_name(arg->access), f->first + 0.0, f->start, f->actual);
  return fail_at(k, i, f, problem);
}

static pl_err report_other(const checker *k, int i)
{
  const finding *f = &k->arg[i].other;
  const pl_arg *arg = &k->loop->args[i];
  char problem[300];
  if (pl_arg_is_record(arg))
    pl_format(problem, sizeof problem,
              "the access is PL_%s, but from its other side the pair adds %.9g instead of %.9g",
              pl_access_name(arg->access), f->actual, f->expected);
  else
    pl_format(
      problem, sizeof problem,
      "a pair must contribute the same from both its sides to a global, but it contributes %.9g and %.9g",
      f->first, f->actual);
  return fail_at(k, i, f, problem);
}

static pl_err report_twice(const checker *k, int i)
{
  const finding *f = &k->arg[i].twice;
  const pl_map *map = k->loop->args[i].map;
  char problem[400];
  snprintf(problem, sizeof problem,
           "map \"%.64s\" leads to element %lld of \"%.64s\" several times, and the kernel writes %.9g and "
           "then %.9g; PL_WRITE values must be equal there, or the result depends on the order of elements",
           map->node.name, (long long)pl_element_global_index(map->to, f->target), map->to->node.name,
           f->first, f->actual);
  return fail_at(k, i, f, problem);
}

static bool is_asymmetric(const checker *k, int i)
{
  const arg_findings *f = &k->arg[i];
  bool integer = pl_type_is_integer(base_type(&k->loop->args[i]));
  return f->other.found && !(f->off <= (integer ? 0 : k->tolerance * f->largest));
}

pl_err pl_checker_report(pl_checker *hooks)
{
  const checker *k = (const checker *)hooks;
  if (k->fault.found) return report_fault(k);
  for (int i = 0; i < k->loop->nargs; i++) {
    if (k->arg[i].start.found) return report_start(k, i);
    if (k->arg[i].twice.found) return report_twice(k, i);
    if (is_asymmetric(k, i)) return report_other(k, i);
  }
  return PL_SUCCESS;
}

/* ---- opening and closing ---- */

pl_err pl_checker_new(const pl_loop *loop, pl_checker **hooks)
{
  checker *k = pl_calloc(loop->pl, 1, sizeof *k);
  arg_findings *arg = pl_calloc(loop->pl, (size_t)loop->nargs, sizeof *arg);
  if (!k || !arg) {
    pl_free_all(loop->pl, k, arg);
    return pl_fail_memory(loop->pl, sizeof *k);
  }
  *k = (checker){.hooks = {put_starts, compare_again, compare_other, add_magnitudes, compare_writes,
                           compare_reads, check_guard, record_fault, 0, 0, 0},
                 .loop = loop,
                 .tolerance = pl_loop_tolerance(loop),
                 .arg = arg};
  *hooks = &k->hooks;
  return PL_SUCCESS;
}

static void begin(pl_checker *hooks)
{
  checker *k = (checker *)hooks;
  const pl_map *pairs = k->loop->set->pairs;
  hooks->owned = pairs ? pairs->from->end[1] : 0;
  memset(k->arg, 0, (size_t)k->loop->nargs * sizeof *k->arg);
  k->fault = (fault){.found = false};
}

void pl_checker_run(pl_checker *hooks, const pl_host_code *code, const pl_loop_range *range)
{
  begin(hooks);
  if (!_setjmp(((checker *)hooks)->escape))
    pl_host_run(code, 0, range->begin, range->end, code->loop->set->indices);
}

void pl_checker_free(pl_context *pl, pl_checker *hooks)
{
  if (!hooks) return;
  pl_free_all(pl, ((checker *)hooks)->arg, hooks);
}
