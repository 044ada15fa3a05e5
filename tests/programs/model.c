/* SPDX-License-Identifier: BSD-2-Clause
 * Random numbers, values, loops in plain C and the text of their kernels.
 */
#include "model.h"
#include <math.h>
#include <string.h>

/* ---- random numbers ---- */

void start_random(program *p, uint64_t seed)
{
  p->state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
  for (int i = 0; i < 5; i++) below(p, 2);
}

int below(program *p, int n)
{
  p->state ^= p->state << 13;
  p->state ^= p->state >> 7;
  p->state ^= p->state << 17;
  return (int)((p->state >> 33) % (uint64_t)n);
}

bool one_in(program *p, int n)
{
  return !below(p, n);
}

/* ---- values ---- */

void *new_array(size_t n, size_t size)
{
  void *block = calloc(n + 1, size);
  if (!block) exit(1);
  return block;
}

pl_type some_type(program *p)
{
  static const pl_type type[] = {PL_DOUBLE, PL_DOUBLE, PL_DOUBLE, PL_DOUBLE, PL_FLOAT, PL_FLOAT,
                                 PL_INT32,  PL_INT32,  PL_INT64,  PL_UINT8,  PL_INT16, PL_UINT32,
                                 PL_UINT64, PL_INT8,   PL_UINT16, PL_FLOAT};
  return type[below(p, sizeof type / sizeof *type)];
}

#define WHOLE_TYPES(X)                                                                                       \
  X(PL_INT8, int8_t)                                                                                         \
  X(PL_UINT8, uint8_t)                                                                                       \
  X(PL_INT16, int16_t)                                                                                       \
  X(PL_UINT16, uint16_t)                                                                                     \
  X(PL_INT32, int32_t)                                                                                       \
  X(PL_UINT32, uint32_t)                                                                                     \
  X(PL_INT64, int64_t)                                                                                       \
  X(PL_UINT64, uint64_t)
#define ALL_TYPES(X) WHOLE_TYPES(X) X(PL_FLOAT, float) X(PL_DOUBLE, double)

double cast(pl_type type, double x)
{
  switch (type) {
#define CAST(code, T)                                                                                        \
  case code:                                                                                                 \
    return (double)(T)(int64_t)x;
    WHOLE_TYPES(CAST)
  default:
    return x;
  }
}

void put_value(pl_type type, void *values, size_t i, double x)
{
  switch (type) {
#define PUT(code, T)                                                                                         \
  case code:                                                                                                 \
    ((T *)values)[i] = (T)x;                                                                                 \
    break;
    ALL_TYPES(PUT)
  default:
    break;
  }
}

double get_value(pl_type type, const void *values, size_t i)
{
  switch (type) {
#define GET(code, T)                                                                                         \
  case code:                                                                                                 \
    return (double)((const T *)values)[i];
    ALL_TYPES(GET)
  default:
    return 0;
  }
}

box new_box(pl_type type, int dim, int n)
{
  return (box){type, dim, n, new_array((size_t)n * (size_t)dim, sizeof(double))};
}

void fill_box(program *p, box *b)
{
  for (int i = 0; i < b->n * b->dim; i++) b->value[i] = below(p, 100);
}

/* ---- loops ---- */

bool writes(pl_access access)
{
  return access != PL_READ;
}

bool has_values(const argument *a)
{
  return a->kind != INDEX;
}

const box *box_of(const program *p, const argument *a)
{
  switch (a->kind) {
  case DAT:
    return &p->dat[a->object].box;
  case CONST:
    return &p->constant[a->object].box;
  case INDEX:
    return NULL;
  default:
    return &p->global[a->object].box;
  }
}

int width(const program *p, const argument *a)
{
  return a->kind == INDEX || a->component ? 1 : box_of(p, a)->dim;
}

int targets(const program *p, const argument *a)
{
  return a->kind == DAT && a->map >= 0 && a->index == PL_ALL ? p->map[a->map].arity : 1;
}

/* Every value of its dat is assigned. */
bool is_whole(const program *p, const loop *l, const argument *a)
{
  (void)p;
  return a->kind == DAT && a->access == PL_WRITE && a->map < 0 && !a->component && !a->off && l->subset < 0;
}

static double wrap(double x, int m)
{
  return x - m * floor(x / m);
}

/* So that sums of small types stay within the range of exact floats. A kernel for pl_real has one text. */
static int modulus(const loop *l, pl_type type)
{
  return pl_type_size(type) == 1 || type == PL_FLOAT || (type == PL_DOUBLE && l->real) ? 97 : 1021;
}

static bool reads(const argument *a)
{
  return a->kind != PAYLOAD && (a->access == PL_READ || (a->access == PL_RW && !a->blind));
}

/* The number of targets of the argument for element e. */
static int count(const program *p, const argument *a, int e)
{
  const map *m = a->map < 0 ? NULL : &p->map[a->map];
  return m && m->offset ? m->offset[e + 1] - m->offset[e] : targets(p, a);
}

/* Values of target k; zeros, which are discarded, for a missing one. */
static double *at(const program *p, const argument *a, int e, int k, double *scratch)
{
  const map *m = a->map < 0 ? NULL : &p->map[a->map];
  int target = !m          ? e
               : m->offset ? m->index[m->offset[e] + k]
                           : m->index[e * m->arity + (a->index == PL_ALL ? k : a->index)];
  memset(scratch, 0, MOST_DIM * sizeof *scratch);
  if (a->kind == INDEX) scratch[0] = target < 0 ? -1 : target;
  if (a->kind == INDEX || (a->kind == DAT && target < 0)) return scratch;
  const box *b = box_of(p, a);
  return b->value + (a->kind == DAT ? target * b->dim : 0) + (a->component ? a->component - 1 : 0);
}

static void store(const program *p, const loop *l, const argument *a, double *x, double s)
{
  pl_type type = box_of(p, a)->type;
  double t = wrap(s, modulus(l, type));
  if (a->access == PL_WRITE) *x = t;
  if (a->access == PL_RW) *x = wrap(*x + t, modulus(l, type));
  if (a->access == PL_INC) *x = cast(type, *x + t);
  if (a->access == PL_MIN && t < *x) *x = t;
  if (a->access == PL_MAX && t > *x) *x = t;
}

/* Whether the element's value wins the extreme of argument `with`. */
static bool wins(const program *p, const loop *l, int with, double s)
{
  const argument *of = &l->arg[with];
  const box *b = box_of(p, of);
  double t = wrap(s + with, modulus(l, b->type));
  return of->access == PL_MIN ? t < b->value[0] : t > b->value[0];
}

static double gathered(const program *p, const loop *l, int e)
{
  double s = l->factor, scratch[MOST_DIM];
  if (l->constant >= 0) {
    const box *b = &p->constant[l->constant].box;
    s = wrap(s + b->value[b->dim - 1], 1021);
  }
  for (int i = 0; i < l->nargs; i++) {
    const argument *a = &l->arg[i];
    for (int k = 0; reads(a) && !a->off && k < count(p, a, e); k++)
      for (int v = 0; v < width(p, a); v++)
        s = wrap(s + (l->factor + v + k) * wrap(at(p, a, e, k, scratch)[v], 1021), 1021);
  }
  return s;
}

static void run_element(program *p, const loop *l, int e)
{
  double s = gathered(p, l, e), scratch[MOST_DIM];
  for (int pass = 0; pass < 2; pass++) /* payloads before their extremes */
    for (int i = 0; i < l->nargs; i++) {
      const argument *a = &l->arg[i];
      if (!writes(a->access) || a->off || (a->kind == PAYLOAD) == pass) continue;
      if (a->kind == PAYLOAD && !wins(p, l, a->with, s)) continue;
      bool same = a->blind && a->access == PL_WRITE;
      for (int k = 0; k < count(p, a, e); k++)
        for (int v = 0; v < width(p, a); v++)
          store(p, l, a, &at(p, a, e, k, scratch)[v], same ? l->factor + i + v : s + i + v + k);
    }
}

void run_plainly(program *p, const loop *l)
{
  for (int i = 0; i < l->nargs; i++) {
    box *b = (box *)box_of(p, &l->arg[i]);
    if (l->arg[i].zeroed) memset(b->value, 0, (size_t)b->n * (size_t)b->dim * sizeof(double));
  }
  for (int e = 0; e < p->set[l->set].n; e++)
    if (l->subset < 0 || p->subset[l->subset].in[e]) run_element(p, l, e);
}

/* ---- the text of a kernel ---- */

static const char *type_name(const loop *l, const box *b)
{
  if (l->real && (b->type == PL_DOUBLE || b->type == PL_FLOAT)) return "pl_real";
  return pl_type_name(b->type);
}

static void write_parameter(FILE *f, const program *p, const loop *l, int i)
{
  const argument *a = &l->arg[i];
  const box *b = box_of(p, a);
  const char *type = b ? type_name(l, b) : "int64_t", *constant = writes(a->access) ? "" : "const ";
  fprintf(f, "%s", i ? ", " : "");
  if (a->kind == DAT && a->map >= 0 && p->map[a->map].offset)
    fprintf(f, "const pl_row_%s *a%d", strcmp(type, "pl_real") ? type : "real", i);
  else if (a->kind != DAT || a->map < 0 || a->index != PL_ALL)
    fprintf(f, "%s%s *a%d", constant, type, i);
  else if (i % 2)
    fprintf(f, "%s%s *a%d[%d]", constant, type, i, targets(p, a));
  else
    fprintf(f, "%s%s a%d[%d][%d]", constant, type, i, targets(p, a), width(p, a));
}

/* The loops over an argument's values, and the expression for one of them. */
static const char *write_head(FILE *f, const program *p, const loop *l, int i, char *place)
{
  const argument *a = &l->arg[i];
  bool row = a->kind == DAT && a->map >= 0 && p->map[a->map].offset;
  if (a->optional) fprintf(f, "  if (a%d)\n", i);
  if (row)
    fprintf(f, "  for (int k = 0; k < a%d->count; k++)\n", i);
  else
    fprintf(f, "  for (int k = 0; k < %d; k++)\n", targets(p, a));
  fprintf(f, "    for (int v = 0; v < %d; v++) ", width(p, a));
  sprintf(place,
          row                                                   ? "pl_at(a%d, k, v)"
          : a->kind == DAT && a->map >= 0 && a->index == PL_ALL ? "a%d[k][v]"
                                                                : "a%d[v]",
          i);
  return place;
}

static void write_store(FILE *f, const program *p, const loop *l, int i, const char *name)
{
  const argument *a = &l->arg[i];
  char place[40];
  const char *x = write_head(f, p, l, i, place), *T = type_name(l, box_of(p, a));
  int m = modulus(l, box_of(p, a)->type);
  if (a->blind && a->access == PL_WRITE)
    fprintf(f, "{ double t = wrap_%s(%d + v, %d); ", name, l->factor + i, m);
  else
    fprintf(f, "{ double t = wrap_%s(s + %d + v + k, %d); ", name, i, m);
  if (a->access == PL_WRITE) fprintf(f, "%s = (%s)t; }\n", x, T);
  if (a->access == PL_RW) fprintf(f, "%s = (%s)wrap_%s((double)%s + t, %d); }\n", x, T, name, x, m);
  if (a->access == PL_INC) fprintf(f, "%s += (%s)t; }\n", x, T);
  if (a->access == PL_MIN) fprintf(f, "if ((%s)t < %s) %s = (%s)t; }\n", T, x, x, T);
  if (a->access == PL_MAX) fprintf(f, "if ((%s)t > %s) %s = (%s)t; }\n", T, x, x, T);
}

char *kernel_text(const program *p, const loop *l, const char *name)
{
  char *text = NULL, place[40];
  size_t size;
  FILE *f = open_memstream(&text, &size);
  if (!f) exit(1);
  fprintf(f, "static double wrap_%s(double x, int m) { return x - m * floor(x / m); }\nvoid %s(", name, name);
  for (int i = 0; i < l->nargs; i++) write_parameter(f, p, l, i);
  fprintf(f, ")\n{\n  double s = %d;\n", l->factor);
  if (l->constant >= 0)
    fprintf(f, "  s = wrap_%s(s + c%d%s, 1021);\n", name, l->constant, l->constant ? "[1]" : "");
  for (int i = 0; i < l->nargs; i++)
    if (reads(&l->arg[i])) {
      const char *x = write_head(f, p, l, i, place);
      fprintf(f, "s = wrap_%s(s + (%d + v + k) * wrap_%s((double)%s, 1021), 1021);\n", name, l->factor, name,
              x);
    }
  for (int i = 0; i < l->nargs; i++)
    if (writes(l->arg[i].access)) write_store(f, p, l, i, name);
  fprintf(f, "}\n");
  fclose(f);
  return text;
}

/* ---- the log ---- */

static void say_argument(const program *p, const argument *a)
{
  static const char *const accesses[] = {"", "READ", "WRITE", "RW", "INC", "MIN", "MAX"}, letters[] = "dgc#p";
  fprintf(p->log, " %c", letters[a->kind]);
  if (a->kind != INDEX)
    fprintf(p->log, "%d(%s %d)", a->object, pl_type_name(box_of(p, a)->type), box_of(p, a)->dim);
  if (a->component) fprintf(p->log, "[%d]", a->component - 1);
  fprintf(p->log, " %s%s%s%s%s", accesses[a->access], a->blind ? " blind" : "", a->zeroed ? " zeroed" : "",
          a->optional ? " optional" : "", a->off ? " off" : "");
  if (a->map >= 0) fprintf(p->log, " m%d[%d]", a->map, a->index);
  fprintf(p->log, ",");
}

void say_loop(const program *p, const loop *l)
{
  fprintf(p->log, "k%d over s%d", l->kernel, l->set);
  if (l->subset >= 0) fprintf(p->log, " subset %d", l->subset);
  fprintf(p->log, "%s:", l->real ? " real" : "");
  for (int i = 0; i < l->nargs; i++) say_argument(p, &l->arg[i]);
}
