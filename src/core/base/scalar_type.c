/* SPDX-License-Identifier: BSD-2-Clause
 * Value types: sizes, names, and the reduction operators on each.
 */
#include "objects.h"
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

pl_type pl_real_type(const pl_context *pl)
{
  return pl && pl->backend && pl_opt_is(pl, PL_OPT_PRECISION, "double") ? PL_DOUBLE : PL_FLOAT;
}

pl_type pl_mixed_type(const pl_context *pl)
{
  return pl && pl->backend && !pl_opt_is(pl, PL_OPT_PRECISION, "single") ? PL_DOUBLE : PL_FLOAT;
}

/* One function for each type: the operators on `count` values. */
#define COMBINE(T)                                                                                           \
  static void combine_##T(pl_access op, T *into, const T *value, size_t count)                               \
  {                                                                                                          \
    for (size_t i = 0; i < count; i++) {                                                                     \
      if (op == PL_INC) into[i] = (T)(into[i] + value[i]);                                                   \
      if (op == PL_MIN && value[i] < into[i]) into[i] = value[i];                                            \
      if (op == PL_MAX && value[i] > into[i]) into[i] = value[i];                                            \
    }                                                                                                        \
  }
COMBINE(int8_t)
COMBINE(uint8_t)
COMBINE(int16_t)
COMBINE(uint16_t)
COMBINE(int32_t)
COMBINE(uint32_t)
COMBINE(int64_t)
COMBINE(uint64_t)
COMBINE(float)
COMBINE(double)

double pl_value(pl_type type, const void *values, size_t n)
{
  switch (type) {
  case PL_INT8:
    return ((const int8_t *)values)[n];
  case PL_UINT8:
    return ((const uint8_t *)values)[n];
  case PL_INT16:
    return ((const int16_t *)values)[n];
  case PL_UINT16:
    return ((const uint16_t *)values)[n];
  case PL_INT32:
    return ((const int32_t *)values)[n];
  case PL_UINT32:
    return ((const uint32_t *)values)[n];
  case PL_INT64:
    return (double)((const int64_t *)values)[n];
  case PL_UINT64:
    return (double)((const uint64_t *)values)[n];
  case PL_FLOAT:
    return (double)((const float *)values)[n];
  default:
    return ((const double *)values)[n];
  }
}

void pl_combine(pl_type type, pl_access op, void *into, const void *value, size_t count)
{
  switch (type) {
  case PL_INT8:
    combine_int8_t(op, into, value, count);
    break;
  case PL_UINT8:
    combine_uint8_t(op, into, value, count);
    break;
  case PL_INT16:
    combine_int16_t(op, into, value, count);
    break;
  case PL_UINT16:
    combine_uint16_t(op, into, value, count);
    break;
  case PL_INT32:
    combine_int32_t(op, into, value, count);
    break;
  case PL_UINT32:
    combine_uint32_t(op, into, value, count);
    break;
  case PL_INT64:
    combine_int64_t(op, into, value, count);
    break;
  case PL_UINT64:
    combine_uint64_t(op, into, value, count);
    break;
  case PL_FLOAT:
    combine_float(op, into, value, count);
    break;
  case PL_DOUBLE:
    combine_double(op, into, value, count);
    break;
  case PL_COMPLEX_FLOAT:
    combine_float(op, into, value, 2 * count);
    break;
  case PL_COMPLEX_DOUBLE:
    combine_double(op, into, value, 2 * count);
    break;
  default:
    break;
  }
}

/* The value that loses every MIN (MAX) comparison. */
static void extreme(pl_type type, bool largest, void *value)
{
  switch (type) {
#define EXTREME(code, T, low, high)                                                                          \
  case code:                                                                                                 \
    *(T *)value = largest ? high : low;                                                                      \
    break;
    EXTREME(PL_INT8, int8_t, INT8_MIN, INT8_MAX)
    EXTREME(PL_UINT8, uint8_t, 0, UINT8_MAX)
    EXTREME(PL_INT16, int16_t, INT16_MIN, INT16_MAX)
    EXTREME(PL_UINT16, uint16_t, 0, UINT16_MAX)
    EXTREME(PL_INT32, int32_t, INT32_MIN, INT32_MAX)
    EXTREME(PL_UINT32, uint32_t, 0, UINT32_MAX)
    EXTREME(PL_INT64, int64_t, INT64_MIN, INT64_MAX)
    EXTREME(PL_UINT64, uint64_t, 0, UINT64_MAX)
    EXTREME(PL_FLOAT, float, -INFINITY, INFINITY)
    EXTREME(PL_DOUBLE, double, -(double)INFINITY, (double)INFINITY)
#undef EXTREME
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
  for (size_t i = 0; i < count; i++) extreme(type, op == PL_MIN, (char *)values + i * size);
}
