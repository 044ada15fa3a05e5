/* SPDX-License-Identifier: BSD-2-Clause
 * Preludes of device programs: functions of the dialect, vectors with operators where the target lacks
 * them, and their precision.
 */
#include "program_prelude.h"
#include "codegen/target/prelude.h"
#include "core/program/program.h"
#include <string.h>

/* ---- vectors ---- */

/* Patterns: T the vector type, S its values' type, F the qualifier, A the alignment, $ an operator; [one|, ]
 * repeats `one` for each member, with @ its name, separated by the text behind the bar. */
static const char struct_pattern[] = "struct A T { S [@|, ]; };\n"
                                     "F T make_T([S @|, ]) { T r; [r.@ = @|; ]; return r; }\n";

static const char splat_pattern[] = "F T make_T(S s) { return make_T([s|, ]); }\n"
                                    "F T operator-(T a) { return make_T([-a.@|, ]); }\n";

/* An operator between vectors and values, and its assignment. */
static const char arithmetic_pattern[] = "F T operator$(T a, T b) { return make_T([a.@ $ b.@|, ]); }\n"
                                         "F T operator$(T a, S s) { return make_T([a.@ $ s|, ]); }\n"
                                         "F T operator$(S s, T a) { return make_T([s $ a.@|, ]); }\n"
                                         "F void operator$=(T &a, T b) { a = a $ b; }\n"
                                         "F void operator$=(T &a, S s) { a = a $ s; }\n";

static const char geometry_pattern[] = "F S dot(T a, T b) { return [a.@ * b.@| + ]; }\n"
                                       "F T normalize(T a) { return a * (1 / sqrt(dot(a, a))); }\n";

static const char cross_pattern[] =
  "F T cross(T a, T b) { return make_T(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x";

typedef struct vector {
  const char *value; /* "float" */
  char name[16];     /* "float4" */
  int width;
  const char *function; /* qualifier */
  char op;              /* of $ */
} vector;

static const char members[] = "xyzw";

static const char *fill_pattern(const vector *v, const char *pattern, char member, pl_string *text);

/* [one|between]: returns the position behind the bracket. */
static const char *repeat_member(const vector *v, const char *one, pl_string *text)
{
  const char *bar = strchr(one, '|'), *end = strchr(bar, ']');
  for (int m = 0; m < v->width; m++) {
    if (m) pl_string_add_bytes(text, bar + 1, (size_t)(end - bar - 1));
    fill_pattern(v, one, members[m], text);
  }
  return end + 1;
}

static bool stands_alone(const char *pattern, const char *at)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return (at == pattern || !strchr(letters, at[-1])) && (!at[1] || !strchr(letters, at[1]));
}

/* Alignment of a vector type: its size, up to 16 bytes, as on devices, which load vectors of two and four at
 * once. */
static void print_alignment(const vector *v, pl_string *text)
{
  int size = *v->value == 's' ? 2 : *v->value == 'd' ? 8 : 4, bytes = v->width * size;
  if (v->width != 3) pl_string_add(text, "alignas(%d)", bytes < 16 ? bytes : 16);
}

/* Prints a pattern up to its end, or in brackets up to the bar. */
static const char *fill_pattern(const vector *v, const char *pattern, char member, pl_string *text)
{
  const char *p = pattern;
  for (; *p && !(member && *p == '|'); p++) {
    if (*p == '[') {
      p = repeat_member(v, p + 1, text) - 1;
    } else if (*p == '@') {
      pl_string_add_bytes(text, &member, 1);
    } else if (*p == '$') {
      pl_string_add_bytes(text, &v->op, 1);
    } else if (strchr("TSFA", *p) && stands_alone(pattern, p)) {
      if (*p == 'A')
        print_alignment(v, text);
      else
        pl_string_add(text, "%s", *p == 'T' ? v->name : *p == 'S' ? v->value : v->function);
    } else {
      pl_string_add_bytes(text, p, 1);
    }
  }
  return p;
}

static void print_vector(vector *v, const pl_dialect *d, pl_string *text)
{
  bool real = *v->value == 'f' || *v->value == 'd';
  if (!d->vector_types) fill_pattern(v, struct_pattern, 0, text);
  fill_pattern(v, splat_pattern, 0, text);
  for (const char *op = d->vector_operators ? "" : "+-*/"; *op; op++) {
    v->op = *op;
    fill_pattern(v, arithmetic_pattern, 0, text);
  }
  if (real) fill_pattern(v, geometry_pattern, 0, text);
  if (real && v->width > 2) {
    fill_pattern(v, cross_pattern, 0, text);
    pl_string_add(text, v->width == 4 ? ", 0); }\n" : "); }\n");
  }
  if (v->width == 4)
    pl_string_add(text, "%s %s3 trimTo3(%s v) { return make_%s3(v.x, v.y, v.z); }\n", v->function, v->value,
                  v->name, v->value);
}

/* Whether the program mentions a vector type, as part of another name too, or as real4 and mixed4. */
static bool mentions_vector(const pl_program *program, const char *value, int width)
{
  static const char *const words[] = {"real", "mixed"};
  const pl_type type[] = {program->real, program->mixed};
  char name[16];
  snprintf(name, sizeof name, "%s%d", value, width);
  bool found = strstr(program->source, name) || strstr(program->defines, name);
  for (int w = 0; w < 2; w++) {
    snprintf(name, sizeof name, "%s%d", words[w], width);
    found |= !strcmp(pl_type_name(type[w]), value) &&
             (strstr(program->source, name) || strstr(program->defines, name));
  }
  return found || (width == 3 && mentions_vector(program, value, 4));
}

static const char *const vector_values[] = {"short", "int", "float", "double"};

static void print_vectors(const pl_program *program, const pl_dialect *d, pl_string *text)
{
  if (!d->vector_function) return;
  for (int i = 0; i < 4; i++)
    for (int width = 2; width <= 4; width++) {
      vector v = {.value = vector_values[i], .width = width, .function = d->vector_function};
      if (!mentions_vector(program, v.value, width)) continue;
      snprintf(v.name, sizeof v.name, "%s%d", v.value, width);
      print_vector(&v, d, text);
    }
}

/* ---- the whole prelude ---- */

static void print_precision(const pl_program *program, pl_string *text)
{
  const char *words[] = {"real", "mixed"},
             *types[] = {pl_type_name(program->real), pl_type_name(program->mixed)};
  if (program->real == PL_DOUBLE) pl_string_add(text, "#define USE_DOUBLE_PRECISION 1\n");
  if (program->real != program->mixed) pl_string_add(text, "#define USE_MIXED_PRECISION 1\n");
  for (int w = 0; w < 2; w++) {
    pl_string_add(text, "typedef %s %s;\n", types[w], words[w]);
    for (int width = 2; width <= 4; width++)
      pl_string_add(text, "#define %s%d %s%d\n#define make_%s%d make_%s%d\n", words[w], width, types[w],
                    width, words[w], width, types[w], width);
  }
  pl_string_add(text, "#define realToFixedPoint(x) ((mm_long)((x) * 4294967296.0f))\n");
}

/* Lines of the names that the program mentions, as part of another one too. */
static void print_names(const pl_program *program, const pl_target_name *row, pl_string *text)
{
  for (; row->name; row++)
    if (strstr(program->source, row->name) || strstr(program->defines, row->name))
      pl_string_add(text, "%s", row->lines);
}

void pl_prelude_print(const pl_program *program, const pl_target *target, pl_string *text)
{
  const pl_dialect *d = target->dialect;
  if (target->has_double) pl_string_add(text, "#define SUPPORTS_DOUBLE_PRECISION 1\n");
  if (target->has_atomics_64) pl_string_add(text, "#define SUPPORTS_64_BIT_ATOMICS 1\n");
  pl_print_prelude(text, d, target->has_double);
  pl_print_words(text, d);
  pl_string_add(text, "#define ATOMIC_ADD(place, value) pl_atomic_add((place), (value))\n"
                      "typedef int64_t mm_long;\ntypedef uint64_t mm_ulong;\n");
  pl_string_add(text, "%s", d->program);
  print_names(program, d->program_names, text);
  print_vectors(program, d, text);
  print_precision(program, text);
}
