/* SPDX-License-Identifier: BSD-2-Clause
 * Texts of builtin kernels, and the same arithmetic on the host for globals, from one table.
 */
#include "builtin_kernels.h"
#include "core/comm/comm.h"
#include "core/data/objects.h"
#include "core/loop/loop.h"
#include <string.h>

/* ---- arithmetic ---- */

/* X(operator, statements for z = x op y), by kinds of types. Quotients of integers never trap. */
#define SUMS(X)                                                                                              \
  X(PL_ADD, z = x + y;)                                                                                      \
  X(PL_SUBTRACT, z = x - y;)                                                                                 \
  X(PL_MULTIPLY, z = x * y;)
#define REAL(X) SUMS(X) X(PL_DIVIDE, z = x / y;)
#define UNSIGNED(X) SUMS(X) X(PL_DIVIDE, if (y == 0) z = 0; else z = x / y;)
#define SIGNED(X) SUMS(X) X(PL_DIVIDE, if (y == 0) z = 0; else if (y == -1) z = 0ul - x; else z = x / y;)

/* Complex quotients: Smith, Algorithm 116, 1962. */
#define COMPLEX(X)                                                                                           \
  X(PL_ADD, z.re = x.re + y.re; z.im = x.im + y.im;)                                                         \
  X(PL_SUBTRACT, z.re = x.re - y.re; z.im = x.im - y.im;)                                                    \
  X(PL_MULTIPLY, z.re = x.re * y.re - x.im * y.im; z.im = x.re * y.im + x.im * y.re;)                        \
  X(                                                                                                         \
    PL_DIVIDE,                                                                                               \
    if ((y.re < 0 ? -y.re : y.re) >= (y.im < 0 ? -y.im : y.im)) {                                            \
      z.im = y.im / y.re;                                                                                    \
      z.re = (x.re + x.im * z.im) / (y.re + y.im * z.im);                                                    \
      z.im = (x.im - x.re * z.im) / (y.re + y.im * z.im);                                                    \
    } else {                                                                                                 \
      z.im = y.re / y.im;                                                                                    \
      z.re = (x.re * z.im + x.im) / (y.re * z.im + y.im);                                                    \
      z.im = (x.im * z.im - x.re) / (y.re * z.im + y.im);                                                    \
    })

#define TYPES(X)                                                                                             \
  X(PL_INT8, int8_t, SIGNED)                                                                                 \
  X(PL_UINT8, uint8_t, UNSIGNED)                                                                             \
  X(PL_INT16, int16_t, SIGNED)                                                                               \
  X(PL_UINT16, uint16_t, UNSIGNED)                                                                           \
  X(PL_INT32, int32_t, SIGNED)                                                                               \
  X(PL_UINT32, uint32_t, UNSIGNED)                                                                           \
  X(PL_INT64, int64_t, SIGNED)                                                                               \
  X(PL_UINT64, uint64_t, UNSIGNED)                                                                           \
  X(PL_FLOAT, float, REAL)                                                                                   \
  X(PL_DOUBLE, double, REAL)                                                                                 \
  X(PL_COMPLEX_FLOAT, pl_cfloat, COMPLEX)                                                                    \
  X(PL_COMPLEX_DOUBLE, pl_cdouble, COMPLEX)

#define CASE(op, ...)                                                                                        \
  case op:                                                                                                   \
    __VA_ARGS__                                                                                              \
    break;
#define COMPUTE(code, T, ARITHMETIC)                                                                         \
  case code:                                                                                                 \
    for (int i = 0; i < n; i++) {                                                                            \
      const T x = ((const T *)a)[i * step_a], y = ((const T *)b)[i * step_b];                                \
      T z = x;                                                                                               \
      switch (op) {                                                                                          \
        ARITHMETIC(CASE)                                                                                     \
      }                                                                                                      \
      ((T *)c)[i] = z;                                                                                       \
    }                                                                                                        \
    break;

void pl_compute(pl_type type, pl_operator op, int n, const void *a, int step_a, const void *b, int step_b,
                void *c)
{
  switch (type) {
    TYPES(COMPUTE)
  default:
    break;
  }
}

#define ADD_SIGNED sum += x[i] * y[i];
#define ADD_UNSIGNED ADD_SIGNED
#define ADD_REAL ADD_SIGNED
#define ADD_COMPLEX                                                                                          \
  sum.re += x[i].re * y[i].re + x[i].im * y[i].im;                                                           \
  sum.im += x[i].re * y[i].im - x[i].im * y[i].re;
#define INNER(code, T, ARITHMETIC)                                                                           \
  case code: {                                                                                               \
    const T *x = left, *y = right;                                                                           \
    T sum = {0};                                                                                             \
    for (int i = 0; i < n; i++) {                                                                            \
      ADD_##ARITHMETIC                                                                                       \
    }                                                                                                        \
    *(T *)z = sum;                                                                                           \
    break;                                                                                                   \
  }

void pl_compute_inner(pl_type type, int n, const void *left, const void *right, void *z)
{
  switch (type) {
    TYPES(INNER)
  default:
    break;
  }
}

#define SET_SIGNED(T) value = (T)number
#define SET_UNSIGNED(T) SET_SIGNED(T)
#define SET_REAL(T) SET_SIGNED(T)
#define SET_COMPLEX(T) value.re = number
#define CONVERT(code, T, ARITHMETIC)                                                                         \
  case code: {                                                                                               \
    T value = {0};                                                                                           \
    SET_##ARITHMETIC(T);                                                                                     \
    memcpy(result, &value, sizeof value);                                                                    \
    break;                                                                                                   \
  }

void pl_convert_number(pl_type type, double number, void *result)
{
  switch (type) {
    TYPES(CONVERT)
  default:
    break;
  }
}

/* The statements of x op y, as text. */
static const char *statements(pl_type type, pl_operator op)
{
#define TEXT(op, ...) [op] = #__VA_ARGS__,
#define TEXTS(code, T, ARITHMETIC) [code] = {ARITHMETIC(TEXT)},
  static const char *const texts[][4] = {TYPES(TEXTS)};
  return texts[type][op];
}

/* ---- operands ---- */

static void add_operand(pl_formula *f, pl_arg arg)
{
  int i = 0;
  while (i < f->nargs && f->arg[i].object != arg.object) i++;
  if (i == f->nargs)
    f->arg[f->nargs++] = arg;
  else if (f->arg[i].access != arg.access)
    f->arg[i].access = PL_RW;
  f->at[f->noperands++] = i;
}

void pl_formula_dat(pl_formula *f, pl_dat *dat, pl_access access)
{
  add_operand(f, pl_arg_direct(dat, access));
}

void pl_formula_global(pl_formula *f, pl_global *global, pl_access access)
{
  add_operand(f, pl_arg_gbl(global, access));
}

/* Operand k is a global with one value for all components. */
static bool is_number(const pl_formula *f, int k)
{
  const pl_arg *arg = &f->arg[f->at[k]];
  return arg->kind == PL_ARG_GLOBAL && (f->kind >= PL_FORMULA_MAXPY || pl_arg_dim(arg) == 1);
}

static char letter(const pl_formula *f, int k)
{
  return (char)('a' + f->at[k]);
}

/* ---- texts ---- */

/* The name determines the text. It ends in a letter for each operand: its argument, capital for a number. */
static void print_name(const pl_formula *f, char *name, size_t size)
{
  static const char *const names[] = {"add",  "subtract", "multiply", "divide", "zero",
                                      "copy", "maxpy",    "aypx",     "inner",  "norm"};
  char places[PL_FORMULA_MOST + 1] = "";
  const pl_arg *last = &f->arg[f->at[f->noperands - 1]];
  for (int k = 0; k < f->noperands; k++) places[k] = (char)(letter(f, k) - (is_number(f, k) ? 'a' - 'A' : 0));
  int length = snprintf(name, size, "pl_%s_%s_%d", names[f->kind], pl_type_name(f->like->type), f->like->dim);
  if (last->access == PL_INC)
    snprintf(name + length, size - (size_t)length, "_%s_%s", places, pl_type_name(pl_arg_type(last)));
  else if (strcmp(places, "a") && strcmp(places, "ab"))
    snprintf(name + length, size - (size_t)length, "_%s", places);
}

static void print_head(pl_string *t, const pl_formula *f, const char *name)
{
  pl_string_add(t, "void %s(", name);
  for (int i = 0; i < f->nargs; i++)
    pl_string_add(t, "%s%s%s *%c", i ? ", " : "", f->arg[i].access == PL_READ ? "const " : "",
                  pl_type_name(pl_arg_type(&f->arg[i])), 'a' + i);
  pl_string_add(t, ")\n{\n  for (int i = 0; i < %d; i++) {\n", f->like->dim);
}

static void print_combine(pl_string *t, const pl_formula *f)
{
  const char *type = pl_type_name(f->like->type), *index[] = {"i", "0"};
  pl_string_add(t, "    const %s x = %c[%s], y = %c[%s];\n    %s z;\n", type, letter(f, 0),
                index[is_number(f, 0)], letter(f, 1), index[is_number(f, 1)], type);
  pl_string_add(t, "    %s\n    %c[i] = z;\n", statements(f->like->type, (pl_operator)f->kind), letter(f, 2));
}

/* a[k] * x[i], or its real or imaginary part. */
static void print_product(pl_string *t, char a, int k, char x, const char *part)
{
  if (!*part)
    pl_string_add(t, "%c[%d] * %c[i]", a, k, x);
  else if (!strcmp(part, ".re"))
    pl_string_add(t, "(%c[%d].re * %c[i].re - %c[%d].im * %c[i].im)", a, k, x, a, k, x);
  else
    pl_string_add(t, "(%c[%d].re * %c[i].im + %c[%d].im * %c[i].re)", a, k, x, a, k, x);
}

/* The first summand, then products of a[0], a[1], ... */
static void print_sum_of_products(pl_string *t, const pl_formula *f, char first, int k, int n,
                                  const char *part)
{
  pl_string_add(t, "%c[i]%s", first, part);
  for (int p = 0; p < n; p++) {
    pl_string_add(t, " + ");
    print_product(t, letter(f, 0), p, letter(f, k + p), part);
  }
}

static void print_value(pl_string *t, const pl_formula *f, const char *part)
{
  int last = f->noperands - 1;
  if (f->kind == PL_FORMULA_MAXPY) print_sum_of_products(t, f, letter(f, last), 1, last - 1, part);
  if (f->kind == PL_FORMULA_AYPX) print_sum_of_products(t, f, letter(f, 1), 2, 1, part);
  if (f->kind == PL_FORMULA_ZERO) pl_string_add(t, "0");
  if (f->kind == PL_FORMULA_COPY)
    pl_string_add(t, "%c[%s]%s", letter(f, 0), is_number(f, 0) ? "0" : "i", part);
}

/* Both parts are computed before one is written: an operand may be the result. */
static void print_assignment(pl_string *t, const pl_formula *f)
{
  char z = letter(f, f->noperands - 1);
  if (!pl_type_is_complex(f->like->type)) {
    pl_string_add(t, "    %c[i] = ", z);
    print_value(t, f, "");
    pl_string_add(t, ";\n");
    return;
  }
  pl_string_add(t, "    const %s re = ", pl_type_name(pl_type_base(f->like->type)));
  print_value(t, f, ".re");
  pl_string_add(t, ", im = ");
  print_value(t, f, ".im");
  pl_string_add(t, ";\n    %c[i].re = re;\n    %c[i].im = im;\n", z, z);
}

/* z += conj(x) y, or |x|^2, in the type of z. */
static void print_sum(pl_string *t, const pl_formula *f)
{
  char x = letter(f, 0), y = letter(f, f->kind == PL_FORMULA_NORM ? 0 : 1), z = letter(f, f->noperands - 1);
  const pl_type type = pl_arg_type(&f->arg[f->at[f->noperands - 1]]);
  const char *real = pl_type_name(pl_type_base(type));
  if (!pl_type_is_complex(f->like->type)) {
    pl_string_add(t, "    const %s x = %c[i], y = %c[i];\n    %c[0] += x * y;\n", real, x, y, z);
    return;
  }
  pl_string_add(t, "    const %s xr = %c[i].re, xi = %c[i].im, yr = %c[i].re, yi = %c[i].im;\n", real, x, x,
                y, y);
  if (f->kind == PL_FORMULA_NORM)
    pl_string_add(t, "    %c[0] += xr * yr + xi * yi;\n", z);
  else
    pl_string_add(t, "    %c[0].re += xr * yr + xi * yi;\n    %c[0].im += xr * yi - xi * yr;\n", z, z);
}

static void print_text(pl_string *t, const pl_formula *f, const char *name)
{
  print_head(t, f, name);
  if (f->kind < PL_FORMULA_ZERO)
    print_combine(t, f);
  else if (f->kind < PL_FORMULA_INNER)
    print_assignment(t, f);
  else
    print_sum(t, f);
  pl_string_add(t, "  }\n}\n");
}

/* ---- without a compiler ---- */

/* What the name of a kernel determines. Operand k of component i: values[at[k]], at i * step[k]. */
typedef struct interpreted {
  pl_formula_kind kind;
  pl_type type, sum; /* of the operands, and of a result that is a sum */
  int dim, noperands, at[PL_FORMULA_MOST], step[PL_FORMULA_MOST];
} interpreted;

static void *value_at(const interpreted *f, void *const *values, int k, int i)
{
  return (char *)values[f->at[k]] + (size_t)(i * f->step[k]) * pl_type_size(f->type);
}

/* The real and imaginary part of a value. */
static void read_parts(pl_type type, const void *value, double part[2])
{
  const pl_type base = pl_type_base(type);
  part[0] = pl_value(base, value, 0);
  part[1] = base == type ? 0 : pl_value(base, value, 1);
}

/* sum = sum + factor x */
static void add_product(pl_type type, const void *factor, const void *x, void *sum)
{
  char product[16];
  pl_compute(type, PL_MULTIPLY, 1, factor, 0, x, 0, product);
  pl_compute(type, PL_ADD, 1, sum, 0, product, 0, sum);
}

/* Adds conj(x) y or |x|^2, in the type of the sum. */
static void add_to_sum(const interpreted *f, const void *x, const void *y, void *sum)
{
  char product[16];
  double a[2], b[2];
  read_parts(f->type, x, a);
  read_parts(f->type, y, b);
  if (f->kind == PL_FORMULA_NORM)
    pl_convert_number(f->sum, a[0] * a[0] + a[1] * a[1], product);
  else
    pl_compute_inner(f->sum, 1, f->type == f->sum ? x : a, f->type == f->sum ? y : b, product);
  pl_compute(f->sum, PL_ADD, 1, sum, 0, product, 0, sum);
}

static void compute_value(const interpreted *f, void *const *values, int i)
{
  const int last = f->noperands - 1;
  const size_t size = pl_type_size(f->type);
  const char *x = value_at(f, values, 0, i), *y = value_at(f, values, last > 1, i);
  char z[16] = {0};
  if (f->kind >= PL_FORMULA_INNER) {
    add_to_sum(f, x, y, values[f->at[last]]);
    return;
  }
  if (f->kind < PL_FORMULA_ZERO) pl_compute(f->type, (pl_operator)f->kind, 1, x, 0, y, 0, z);
  if (f->kind == PL_FORMULA_COPY) memcpy(z, x, size);
  if (f->kind == PL_FORMULA_MAXPY) memcpy(z, value_at(f, values, last, i), size);
  for (int k = 1; f->kind == PL_FORMULA_MAXPY && k < last; k++)
    add_product(f->type, (const char *)values[f->at[0]] + (size_t)(k - 1) * size, value_at(f, values, k, i),
                z);
  if (f->kind == PL_FORMULA_AYPX) memcpy(z, y, size);
  if (f->kind == PL_FORMULA_AYPX) add_product(f->type, values[f->at[0]], value_at(f, values, last, i), z);
  memcpy(value_at(f, values, last, i), z, size);
}

static void interpret(const void *formula, void *const *values)
{
  const interpreted *f = formula;
  for (int i = 0; i < f->dim; i++) compute_value(f, values, i);
}

static pl_err allow_interpreter(const pl_formula *f, pl_source_kernel *own)
{
  interpreted *copy = own->formula = pl_calloc(own->node.pl, 1, sizeof *copy);
  if (!copy) return pl_fail_memory(own->node.pl, sizeof *copy);
  *copy = (interpreted){.kind = f->kind,
                        .type = f->like->type,
                        .sum = pl_arg_type(&f->arg[f->at[f->noperands - 1]]),
                        .dim = f->like->dim,
                        .noperands = f->noperands};
  for (int k = 0; k < f->noperands; k++) {
    copy->at[k] = f->at[k];
    copy->step[k] = !is_number(f, k);
  }
  own->compute = interpret;
  return PL_SUCCESS;
}

/* ---- kernels ---- */

static const pl_kernel *find_kernel(pl_context *pl, const char *name)
{
  for (pl_node *node = pl->kernels; node; node = node->next) {
    const pl_source_kernel *own = (pl_source_kernel *)node;
    if (own->internal && !strcmp(node->name, name)) return &own->kernel;
  }
  return NULL;
}

static pl_err get_kernel(const pl_formula *f, const pl_kernel **kernel)
{
  pl_context *pl = f->like->node.pl;
  char name[96];
  pl_string text;
  print_name(f, name, sizeof name);
  if ((*kernel = find_kernel(pl, name))) return PL_SUCCESS;
  pl_string_init(&text, pl);
  print_text(&text, f, name);
  pl_err err = pl_string_check(&text);
  if (!err) err = pl_kernel_from_source(pl, name, pl_string_chars(&text), NULL, kernel);
  if (!err) err = allow_interpreter(f, (pl_source_kernel *)(*kernel)->extra);
  if (!err) ((pl_source_kernel *)(*kernel)->extra)->internal = true;
  pl_string_free(&text);
  return err;
}

/* The call with the names of its objects. Globals of the library stand for numbers. */
static pl_err name_loop(const pl_formula *f, pl_loop *loop)
{
  static const char *const operators[] = {"PL_ADD", "PL_SUBTRACT", "PL_MULTIPLY", "PL_DIVIDE"};
  pl_string title;
  const char *separator = "";
  const bool combines = strstr(f->call, "combine") != NULL;
  int k = f->kind < PL_FORMULA_ZERO && !combines ? f->noperands - 1 : 0; /* pl_dat_scale has one object */
  if (loop->title) return PL_SUCCESS;
  pl_string_init(&title, loop->pl);
  pl_string_add(&title, "%s(", f->call);
  for (; k < f->noperands; k++) {
    const pl_arg *arg = &f->arg[f->at[k]];
    if (k == 1 && combines) pl_string_add(&title, ", %s", operators[f->kind]);
    if (arg->kind == PL_ARG_GLOBAL && ((pl_global *)arg->object)->internal) continue;
    pl_string_add(&title, "%s%s", separator, ((pl_node *)arg->object)->name);
    separator = ", ";
  }
  pl_string_add(&title, ")");
  return pl_loop_name(loop, &title);
}

pl_err pl_formula_loop(const pl_formula *f, pl_set *set, bool now, pl_loop **loop)
{
  const pl_kernel *kernel;
  PL_TRY(pl_agree_on_error(set->node.pl, get_kernel(f, &kernel)));
  PL_TRY(pl_loop_get(kernel, set, f->nargs, f->arg, now, loop));
  return pl_agree_on_error(set->node.pl, name_loop(f, *loop));
}
