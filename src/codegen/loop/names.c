/* SPDX-License-Identifier: BSD-2-Clause
 * Chooses the names of operands from those of the kernel's parameters.
 */
#include "names.h"
#include "core/loop/loop.h"
#include <ctype.h>
#include <string.h>

enum { LONGEST = 24 }; /* of a parameter's name: prefixes and "_" fit in PL_NAME too */

/* Lists of words: prefixes of a stem; prefixes of a number; words of the targets that are not in the name
 * tables. */
static const char prefixes[] = " dat stride value result sum min max best holder winner lanes out record "
                               "block winners source global keeper "
                               "seen start own part inc has limit first pointers number other ";
static const char numbered[] = " map offset ids target row local ";
static const char words[] =
  " int2 int4 uint2 uint4 long2 ulong2 float2 float4 double2 int8_t uint8_t int16_t uint16_t int32_t "
  "uint32_t "
  "int64_t uint64_t ptrdiff_t size_t uint ulong blockIdx blockDim threadIdx gridDim warpSize atomicAdd "
  "get_group_id get_local_id get_local_size get_num_groups barrier asm typeof restrict volatile inline final "
  "override import module linux unix INFINITY NULL ";

static bool is_among(const char *name, const char *list)
{
  char word[PL_NAME + 2];
  snprintf(word, sizeof word, " %.*s ", PL_NAME - 1, name);
  return strstr(list, word) != NULL;
}

static bool is_target_word(const char *name)
{
  static const pl_target_name *const tables[] = {pl_names_host, pl_names_cuda, pl_names_opencl};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    if (*pl_name_lines(tables[i], name)) return true;
  return is_among(name, words);
}

static bool continues_name(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

/* Whether the kernel's text calls the name from `at` to `end`, or defines it as a function or macro. */
static bool is_meant(const char *text, const char *at, const char *end)
{
  static const char define[] = "define ";
  const size_t before = sizeof define - 1;
  return end[strspn(end, " \t\n")] == '(' ||
         ((size_t)(at - text) >= before && !strncmp(at - before, define, before));
}

static bool has_meaning(const char *text, const char *name)
{
  size_t n = strlen(name);
  for (const char *at = text; (at = strstr(at, name)); at += n)
    if ((at == text || !continues_name(at[-1])) && !continues_name(at[n]) && is_meant(text, at, at + n))
      return true;
  return false;
}

static bool is_const(const pl_source *source, const char *name)
{
  for (int i = 0; i < source->const_count; i++)
    if (!strcmp(source->consts[i].constant->node.name, name)) return true;
  return false;
}

/* Without digits and "_" at the end: q of q1, q_1 and q1_2. */
static size_t stem_length(const char *name)
{
  size_t all = strlen(name), n = all;
  while (n && (isdigit((unsigned char)name[n - 1]) || name[n - 1] == '_')) n--;
  return n ? n : all;
}

/* Whether the name looks like one that is made from another operand's, or by number. */
static bool looks_generated(const pl_emitter *e, const char *name)
{
  size_t n = strcspn(name, "0123456789_");
  char word[PL_NAME];
  snprintf(word, sizeof word, "%.*s", (int)n, name);
  if (isdigit((unsigned char)name[n]) && is_among(word, numbered)) return true;
  n += strspn(name + n, "0123456789");
  if (name[n] != '_' || !is_among(word, prefixes)) return false;
  for (const pl_operand *op = e->op; op < e->end; op++) {
    size_t stem = stem_length(op->name);
    if (!strncmp(name + n + 1, op->name, stem) && !isalpha((unsigned char)name[n + 1 + stem])) return true;
  }
  return false;
}

static bool is_prefix(const char *begin, const char *end)
{
  char word[PL_NAME];
  snprintf(word, sizeof word, "%.*s", (int)(end - begin), begin);
  return is_among(word, prefixes);
}

/* Whether a name made from the first `length` characters of a stem is a function, macro or const of the text.
 */
static bool derived_is_taken(const pl_emitter *e, const char *stem, size_t length)
{
  const pl_source *source = &e->program->source;
  const char *text = pl_string_chars(&source->text);
  char ending[PL_NAME + 1];
  size_t n = (size_t)snprintf(ending, sizeof ending, "_%.*s", (int)length, stem);
  for (const char *at = text, *begin; (at = strstr(at, ending)); at++) {
    for (begin = at; begin > text && continues_name(begin[-1]);) begin--;
    if (!continues_name(at[n]) && is_prefix(begin, at) && is_meant(text, begin, at + n)) return true;
  }
  for (int i = 0; i < source->const_count; i++) {
    const char *name = source->consts[i].constant->node.name, *behind = name + strlen(name);
    if ((size_t)(behind - name) > n && !strcmp(behind - n, ending) && is_prefix(name, behind - n))
      return true;
  }
  return false;
}

static bool is_taken(const pl_emitter *e, int i)
{
  const char *name = e->op[i].name;
  for (int j = 0; j < i; j++)
    if (!strcmp(e->op[j].name, name)) return true;
  return is_target_word(name) || has_meaning(pl_string_chars(&e->program->source.text), name) ||
         is_const(&e->program->source, name) || looks_generated(e, name) ||
         derived_is_taken(e, name, strlen(name));
}

/* The parameter's name, without the prefix of the library's own. */
static void start_name(pl_operand *op)
{
  const char *name = op->param->name ? op->param->name : "";
  while (!strncmp(name, "pl_", 3) || !strncmp(name, "PL_", 3)) name += 3;
  if (!*name || isdigit((unsigned char)*name))
    snprintf(op->name, sizeof op->name, "arg%d", op->i);
  else if (strlen(name) > LONGEST)
    snprintf(op->name, sizeof op->name, "%.*s_%d", LONGEST - 4, name, op->i);
  else
    snprintf(op->name, sizeof op->name, "%s", name);
}

static void end_name(const pl_emitter *e, int i)
{
  char *name = e->op[i].name;
  for (size_t n = strlen(name); n < LONGEST + 8 && is_taken(e, i); n++) snprintf(name + n, PL_NAME - n, "_");
}

/* ---- stems ---- */

static bool has_dat(const pl_operand *op)
{
  return !op->arg->off && (pl_arg_dat_of(op->arg) || op->home.local);
}

/* A dat is named after the first parameter that uses it: without its number, unless parameters of other
 * objects differ from it by the number alone. */
static void make_stem(const pl_emitter *e, pl_operand *op)
{
  size_t n = has_dat(op) ? stem_length(op->name) : strlen(op->name);
  for (int j = 0; j < e->loop->nargs && has_dat(op); j++) {
    const pl_operand *other = &e->op[j];
    bool same = has_dat(other) && other->arg->object == op->arg->object;
    if (same && j < op->i) {
      memcpy(op->stem, other->stem, sizeof op->stem);
      return;
    }
    if (!same && stem_length(other->name) == n && !strncmp(other->name, op->name, n)) n = strlen(op->name);
  }
  if (derived_is_taken(e, op->name, n)) n = strlen(op->name);
  snprintf(op->stem, sizeof op->stem, "%.*s", (int)n, op->name);
}

static const char *running_prefix(const pl_operand *op)
{
  if (op->of >= 0) return "best";
  return op->arg->access == PL_MIN ? "min" : op->arg->access == PL_MAX ? "max" : "sum";
}

void pl_names_make(pl_emitter *e)
{
  for (int i = 0; i < e->loop->nargs; i++) start_name(&e->op[i]);
  for (int i = 0; i < e->loop->nargs; i++) end_name(e, i);
  for (int i = 0; i < e->loop->nargs; i++) {
    pl_operand *op = &e->op[i];
    bool apart = op->home.layout.tile == PL_SOA;
    make_stem(e, op);
    snprintf(op->home.array, sizeof op->home.array, "%s_%s", op->home.local ? "block" : "dat", op->stem);
    snprintf(op->home.size, sizeof op->home.size, apart ? "stride_%s" : "0", op->stem);
    snprintf(op->running, sizeof op->running, "%s_%.33s", running_prefix(op), op->name);
  }
}
