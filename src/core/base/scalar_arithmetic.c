/* SPDX-License-Identifier: BSD-2-Clause
 * Arithmetic of values of any type.
 */
#include "scalar_arithmetic.h"
#include "scalar_type.h"
#include <string.h>

pl_type pl_common_type(pl_type a, pl_type b)
{
  const bool complex = pl_type_is_complex(a) || pl_type_is_complex(b);
  pl_type type = pl_type_base(a) > pl_type_base(b) ? pl_type_base(a) : pl_type_base(b);
  if (complex) return type == PL_DOUBLE ? PL_COMPLEX_DOUBLE : PL_COMPLEX_FLOAT;
  return type < PL_INT32 ? PL_INT32 : type;
}

bool pl_type_holds(pl_type sum, pl_type value)
{
  return pl_type_base(sum) >= pl_type_base(value) && (pl_type_is_complex(sum) || !pl_type_is_complex(value));
}

/* X(operator, statements), by kinds of types. Quotients of integers never trap. */
#define SUMS(X)                                                                                              \
  X(PL_ADD, z = x + y;)                                                                                      \
  X(PL_SUBTRACT, z = x - y;)                                                                                 \
  X(PL_MULTIPLY, z = x * y;)                                                                                 \
  X(PL_ADD_PRODUCT, z += x * y;)                                                                             \
  X(PL_ADD_INNER, z += x * y;)
#define REAL(X) SUMS(X) X(PL_DIVIDE, z = x / y;)
#define UNSIGNED(X) SUMS(X) X(PL_DIVIDE, if (y == 0) z = 0; else z = x / y;)
#define SIGNED(X) SUMS(X) X(PL_DIVIDE, if (y == 0) z = 0; else if (y == -1) z = 0ul - x; else z = x / y;)

/* Complex quotients: Smith, Algorithm 116, 1962. */
#define COMPLEX(X)                                                                                           \
  X(PL_ADD, z.re = x.re + y.re; z.im = x.im + y.im;)                                                         \
  X(PL_SUBTRACT, z.re = x.re - y.re; z.im = x.im - y.im;)                                                    \
  X(PL_MULTIPLY, z.re = x.re * y.re - x.im * y.im; z.im = x.re * y.im + x.im * y.re;)                        \
  X(PL_ADD_PRODUCT, z.re += x.re * y.re - x.im * y.im; z.im += x.re * y.im + x.im * y.re;)                   \
  X(PL_ADD_INNER, z.re += x.re * y.re + x.im * y.im; z.im += x.re * y.im - x.im * y.re;)                     \
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
  X(PL_INT32, int32_t, SIGNED)                                                                               \
  X(PL_UINT32, uint32_t, UNSIGNED)                                                                           \
  X(PL_INT64, int64_t, SIGNED)                                                                               \
  X(PL_UINT64, uint64_t, UNSIGNED)                                                                           \
  X(PL_FLOAT, float, REAL)                                                                                   \
  X(PL_DOUBLE, double, REAL)                                                                                 \
  X(PL_COMPLEX_FLOAT, pl_cfloat, COMPLEX)                                                                    \
  X(PL_COMPLEX_DOUBLE, pl_cdouble, COMPLEX)

#define OPERATOR_CASE(op, ...)                                                                               \
  case op:                                                                                                   \
    __VA_ARGS__                                                                                              \
    break;
#define TYPE_CASE(code, T, ARITHMETIC)                                                                       \
  case code: {                                                                                               \
    T x, y, z;                                                                                               \
    memcpy(&x, left, sizeof x), memcpy(&y, right, sizeof y), memcpy(&z, result, sizeof z);                   \
    switch (op) {                                                                                            \
      ARITHMETIC(OPERATOR_CASE)                                                                              \
    }                                                                                                        \
    memcpy(result, &z, sizeof z);                                                                            \
    break;                                                                                                   \
  }

void pl_compute(pl_type type, int op, const void *left, const void *right, void *result)
{
  switch (type) {
    TYPES(TYPE_CASE)
  default:
    break;
  }
}

const char *pl_compute_text(pl_type type, int op)
{
#define TEXT(op, ...) [op] = #__VA_ARGS__,
#define TEXTS(code, T, ARITHMETIC) [code] = {ARITHMETIC(TEXT)},
  static const char *const texts[][PL_ADD_INNER + 1] = {TYPES(TEXTS)};
  return texts[type][op];
}
