/* SPDX-License-Identifier: BSD-2-Clause
 * Value types: sizes, names, conversion and reduction operators.
 */
#include "scalar_type.h"
#include <math.h>
#include <string.h>

static const struct {
  const char *name;
  size_t size;
} types[] = {
#define X(code, ctype, bytes) {#ctype, bytes},
  PL_TYPE_LIST(X)
#undef X
};

static bool known(pl_type type)
{
  return (int)type >= 0 && type < PL_TYPE_COUNT;
}

size_t pl_type_size(pl_type type)
{
  return known(type) ? types[type].size : 0;
}

const char *pl_type_name(pl_type type)
{
  return known(type) ? types[type].name : "unknown type";
}

bool pl_type_is_complex(pl_type type)
{
  return type == PL_COMPLEX_FLOAT || type == PL_COMPLEX_DOUBLE;
}

bool pl_type_is_integer(pl_type type)
{
  return type < PL_FLOAT;
}

bool pl_type_is_signed(pl_type type)
{
  return type == PL_INT8 || type == PL_INT16 || type == PL_INT32 || type == PL_INT64;
}

pl_type pl_type_base(pl_type type)
{
  return type == PL_COMPLEX_FLOAT ? PL_FLOAT : type == PL_COMPLEX_DOUBLE ? PL_DOUBLE : type;
}

/* X(code, C type, lowest, highest) for each type that is not complex. */
#define REAL_TYPES(X)                                                                                        \
  X(PL_INT8, int8_t, INT8_MIN, INT8_MAX)                                                                     \
  X(PL_UINT8, uint8_t, 0, UINT8_MAX)                                                                         \
  X(PL_INT16, int16_t, INT16_MIN, INT16_MAX)                                                                 \
  X(PL_UINT16, uint16_t, 0, UINT16_MAX)                                                                      \
  X(PL_INT32, int32_t, INT32_MIN, INT32_MAX)                                                                 \
  X(PL_UINT32, uint32_t, 0, UINT32_MAX)                                                                      \
  X(PL_INT64, int64_t, INT64_MIN, INT64_MAX)                                                                 \
  X(PL_UINT64, uint64_t, 0, UINT64_MAX)                                                                      \
  X(PL_FLOAT, float, -INFINITY, INFINITY)                                                                    \
  X(PL_DOUBLE, double, -(double)INFINITY, (double)INFINITY)

#define COMBINE(code, T, low, high)                                                                          \
  static void combine_##T(pl_access op, T *into, const T *value, size_t count)                               \
  {                                                                                                          \
    for (size_t i = 0; i < count; i++) {                                                                     \
      if (op == PL_INC) into[i] = (T)(into[i] + value[i]);                                                   \
      if (op == PL_MIN && value[i] < into[i]) into[i] = value[i];                                            \
      if (op == PL_MAX && value[i] > into[i]) into[i] = value[i];                                            \
    }                                                                                                        \
  }
REAL_TYPES(COMBINE)

void pl_combine(pl_type type, pl_access op, void *into, const void *value, size_t count)
{
  if (pl_type_is_complex(type)) count *= 2;
  switch (pl_type_base(type)) {
#define COMBINE_CASE(code, T, low, high)                                                                     \
  case code:                                                                                                 \
    combine_##T(op, into, value, count);                                                                     \
    break;
    REAL_TYPES(COMBINE_CASE)
  default:
    break;
  }
}

double pl_value(pl_type type, const void *values, size_t n)
{
  switch (type) {
#define VALUE_CASE(code, T, low, high)                                                                       \
  case code:                                                                                                 \
    return (double)((const T *)values)[n];
    REAL_TYPES(VALUE_CASE)
  default:
    return 0;
  }
}

bool pl_type_converts(pl_type from, pl_type to)
{
  return from == to || (!pl_type_is_integer(from) && !pl_type_is_integer(to) && known(from) && known(to) &&
                        pl_type_is_complex(from) == pl_type_is_complex(to));
}

#define STORE_CASE(code, T, low, high)                                                                       \
  case code:                                                                                                 \
    *(T *)target = (T)value;                                                                                 \
    break;
#define STORE(W)                                                                                             \
  static void store_##W(pl_type to, W value, void *target)                                                   \
  {                                                                                                          \
    switch (to) {                                                                                            \
      REAL_TYPES(STORE_CASE)                                                                                 \
    default:                                                                                                 \
      break;                                                                                                 \
    }                                                                                                        \
  }
STORE(int64_t)
STORE(uint64_t)
STORE(double)

static int64_t integer_value(pl_type type, const void *value)
{
  switch (type) {
#define INTEGER_CASE(code, T, low, high)                                                                     \
  case code:                                                                                                 \
    return (int64_t) * (const T *)value;
    REAL_TYPES(INTEGER_CASE)
  default:
    return 0;
  }
}

/* One value that is not complex. It is widened first, which is exact. */
static void convert_value(pl_type from, const void *source, pl_type to, void *target)
{
  if (!pl_type_is_integer(from))
    store_double(to, pl_value(from, source, 0), target);
  else if (pl_type_is_signed(from))
    store_int64_t(to, integer_value(from, source), target);
  else
    store_uint64_t(to, (uint64_t)integer_value(from, source), target);
}

void pl_convert(pl_type from, const void *source, pl_type to, void *target, size_t count)
{
  const pl_type part = pl_type_base(from), into = pl_type_base(to);
  const char *read = source;
  char *write = target;
  if (from == to) memcpy(target, source, count * pl_type_size(from));
  for (size_t k = 0; from != to && k < count; k++) {
    convert_value(part, read, into, write);
    if (to != into && from != part)
      convert_value(part, read + pl_type_size(part), into, write + pl_type_size(into));
    if (to != into && from == part) memset(write + pl_type_size(into), 0, pl_type_size(into));
    read += pl_type_size(from);
    write += pl_type_size(to);
  }
}

/* The largest value (the neutral element of MIN) or the lowest one. */
static void set_extreme(pl_type type, bool largest, void *value)
{
  switch (type) {
#define EXTREME_CASE(code, T, low, high)                                                                     \
  case code:                                                                                                 \
    *(T *)value = largest ? high : low;                                                                      \
    break;
    REAL_TYPES(EXTREME_CASE)
  default:
    memset(value, 0, pl_type_size(type));
    break;
  }
}

void pl_neutral(pl_type type, pl_access op, void *values, size_t count)
{
  size_t size = pl_type_size(type);
  if (op != PL_MIN && op != PL_MAX) {
    memset(values, 0, size * count);
    return;
  }
  for (size_t i = 0; i < count; i++) set_extreme(type, op == PL_MIN, (char *)values + i * size);
}

void pl_poison(void *values, size_t bytes)
{
  memset(values, PL_POISON, bytes);
}

bool pl_is_poison(const void *value, size_t size)
{
  const char *bytes = value;
  return size > 1 && *bytes == PL_POISON && !memcmp(bytes, bytes + 1, size - 1);
}
