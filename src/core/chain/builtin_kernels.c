/* SPDX-License-Identifier: BSD-2-Clause
 * The texts of formulas, and the same arithmetic on the host for globals: both are made of one table.
 */
#include "formula.h"
#include "text.h"
#include <string.h>

/* ---- arithmetic ---- */

/* X(operator, statements for z = x op y), by kinds of types. Quotients of whole numbers never trap. */
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
  static void compute_##T(pl_operator op, int n, const T *a, int step_a, const T *b, int step_b, T *c)       \
  {                                                                                                          \
    for (int i = 0; i < n; i++) {                                                                            \
      const T x = a[i * step_a], y = b[i * step_b];                                                          \
      T z = x;                                                                                               \
      switch (op) {                                                                                          \
        ARITHMETIC(CASE)                                                                                     \
      }                                                                                                      \
      c[i] = z;                                                                                              \
    }                                                                                                        \
  }
TYPES(COMPUTE)

void pl_compute(pl_type type, pl_operator op, int n, const void *a, int step_a, const void *b, int step_b,
                void *c)
{
#define COMPUTE_TYPE(code, T, ARITHMETIC)                                                                    \
  case code:                                                                                                 \
    compute_##T(op, n, a, step_a, b, step_b, c);                                                             \
    break;
  switch (type) {
    TYPES(COMPUTE_TYPE)
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
  static void inner_##T(int n, const T *x, const T *y, T *z)                                                 \
  {                                                                                                          \
    T sum = {0};                                                                                             \
    for (int i = 0; i < n; i++) {                                                                            \
      ADD_##ARITHMETIC                                                                                       \
    }                                                                                                        \
    *z = sum;                                                                                                \
  }
TYPES(INNER)

void pl_compute_inner(pl_type type, int n, const void *x, const void *y, void *z)
{
#define INNER_TYPE(code, T, ARITHMETIC)                                                                      \
  case code:                                                                                                 \
    inner_##T(n, x, y, z);                                                                                   \
    break;
  switch (type) {
    TYPES(INNER_TYPE)
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
  add_operand(f, pl_arg_dat(dat, PL_ID, PL_DIRECT, access));
}

void pl_formula_global(pl_formula *f, pl_global *global, pl_access access)
{
  add_operand(f, pl_arg_gbl(global, access));
}

/* Whether operand k is a global of which all components take the same value. */
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

/* The name says all that the text depends on. Its last part has a letter for each operand, that of its
 * argument, and a capital one for a number. */
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

static void print_head(pl_text *t, const pl_formula *f, const char *name)
{
  pl_text_add(t, "void %s(", name);
  for (int i = 0; i < f->nargs; i++)
    pl_text_add(t, "%s%s%s *%c", i ? ", " : "", f->arg[i].access == PL_READ ? "const " : "",
                pl_type_name(pl_arg_type(&f->arg[i])), 'a' + i);
  pl_text_add(t, ")\n{\n  for (int i = 0; i < %d; i++) {\n", f->like->dim);
}

static void print_combine(pl_text *t, const pl_formula *f)
{
  const char *type = pl_type_name(f->like->type), *index[] = {"i", "0"};
  pl_text_add(t, "    const %s x = %c[%s], y = %c[%s];\n    %s z;\n", type, letter(f, 0),
              index[is_number(f, 0)], letter(f, 1), index[is_number(f, 1)], type);
  pl_text_add(t, "    %s\n    %c[i] = z;\n", statements(f->like->type, (pl_operator)f->kind), letter(f, 2));
}

/* z + a[0] x + ..., or its real or imaginary part. */
static void print_maxpy(pl_text *t, const pl_formula *f, const char *part)
{
  pl_text_add(t, "%c[i]%s", letter(f, f->noperands - 1), part);
  for (int k = 0; k < f->noperands - 2; k++) {
    char a = letter(f, 0), x = letter(f, k + 1);
    if (!*part) pl_text_add(t, " + %c[%d] * %c[i]", a, k, x);
    if (!strcmp(part, ".re"))
      pl_text_add(t, " + (%c[%d].re * %c[i].re - %c[%d].im * %c[i].im)", a, k, x, a, k, x);
    if (!strcmp(part, ".im"))
      pl_text_add(t, " + (%c[%d].re * %c[i].im + %c[%d].im * %c[i].re)", a, k, x, a, k, x);
  }
}

/* x + a z, or its real or imaginary part. */
static void print_aypx(pl_text *t, const pl_formula *f, const char *part)
{
  char a = letter(f, 0), x = letter(f, 1), z = letter(f, 2);
  pl_text_add(t, "%c[i]%s + ", x, part);
  if (!*part) pl_text_add(t, "%c[0] * %c[i]", a, z);
  if (!strcmp(part, ".re")) pl_text_add(t, "(%c[0].re * %c[i].re - %c[0].im * %c[i].im)", a, z, a, z);
  if (!strcmp(part, ".im")) pl_text_add(t, "(%c[0].re * %c[i].im + %c[0].im * %c[i].re)", a, z, a, z);
}

static void print_value(pl_text *t, const pl_formula *f, const char *part)
{
  if (f->kind == PL_FORMULA_MAXPY) print_maxpy(t, f, part);
  if (f->kind == PL_FORMULA_AYPX) print_aypx(t, f, part);
  if (f->kind == PL_FORMULA_ZERO) pl_text_add(t, "0");
  if (f->kind == PL_FORMULA_COPY) pl_text_add(t, "%c[%s]%s", letter(f, 0), is_number(f, 0) ? "0" : "i", part);
}

/* Both parts are known before one is written: what is read may be what is written. */
static void print_assignment(pl_text *t, const pl_formula *f)
{
  char z = letter(f, f->noperands - 1);
  if (!pl_type_is_complex(f->like->type)) {
    pl_text_add(t, "    %c[i] = ", z);
    print_value(t, f, "");
    pl_text_add(t, ";\n");
    return;
  }
  pl_text_add(t, "    const %s re = ", pl_type_name(pl_type_base(f->like->type)));
  print_value(t, f, ".re");
  pl_text_add(t, ", im = ");
  print_value(t, f, ".im");
  pl_text_add(t, ";\n    %c[i].re = re;\n    %c[i].im = im;\n", z, z);
}

/* z += conj(x) y, or |x|^2, in the type of z. */
static void print_sum(pl_text *t, const pl_formula *f)
{
  char x = letter(f, 0), y = letter(f, f->kind == PL_FORMULA_NORM ? 0 : 1), z = letter(f, f->noperands - 1);
  const pl_type type = pl_arg_type(&f->arg[f->at[f->noperands - 1]]);
  const char *real = pl_type_name(pl_type_base(type));
  if (!pl_type_is_complex(f->like->type)) {
    pl_text_add(t, "    const %s x = %c[i], y = %c[i];\n    %c[0] += x * y;\n", real, x, y, z);
    return;
  }
  pl_text_add(t, "    const %s xr = %c[i].re, xi = %c[i].im, yr = %c[i].re, yi = %c[i].im;\n", real, x, x, y,
              y);
  if (f->kind == PL_FORMULA_NORM)
    pl_text_add(t, "    %c[0] += xr * yr + xi * yi;\n", z);
  else
    pl_text_add(t, "    %c[0].re += xr * yr + xi * yi;\n    %c[0].im += xr * yi - xi * yr;\n", z, z);
}

static void print_text(pl_text *t, const pl_formula *f, const char *name)
{
  print_head(t, f, name);
  if (f->kind < PL_FORMULA_ZERO)
    print_combine(t, f);
  else if (f->kind < PL_FORMULA_INNER)
    print_assignment(t, f);
  else
    print_sum(t, f);
  pl_text_add(t, "  }\n}\n");
}

/* ---- kernels ---- */

static const pl_kernel *find_kernel(pl_context *pl, const char *name)
{
  for (pl_node *node = pl->kernels; node; node = node->next) {
    const pl_source_kernel *own = (pl_source_kernel *)node;
    if (own->own && !strcmp(node->name, name)) return &own->kernel;
  }
  return NULL;
}

pl_err pl_formula_kernel(const pl_formula *f, const pl_kernel **kernel)
{
  pl_context *pl = f->like->node.pl;
  char name[96];
  pl_text text;
  print_name(f, name, sizeof name);
  if ((*kernel = find_kernel(pl, name))) return PL_SUCCESS;
  pl_text_init(&text, pl);
  print_text(&text, f, name);
  pl_err err = pl_text_check(&text);
  if (!err) err = pl_kernel_from_source(pl, name, pl_text_string(&text), NULL, kernel);
  if (!err) ((pl_source_kernel *)(*kernel)->extra)->own = true;
  pl_text_free(&text);
  return err;
}
