/* SPDX-License-Identifier: BSD-2-Clause
 * The formulas of layouts, filled with texts of numbers or of variables.
 */
#include "place.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Value C of record E of D values: components apart in an array of S records, or in tiles of T records; in
 * packs of P values this is value R of pack Q. */
static const char letters[] = "ECDSTPQR";
enum { LETTERS = sizeof letters - 1 };
static const char single[] = "E", together[] = "D * E + C", apart[] = "C * S + E",
                  apart_packed[] = "(Q * S + E) * P + R",
                  tiled[] = "(E & -T) * D + (Q * T + (E & (T - 1))) * P + R";

static pl_text fill(const char *formula, const char *const word[LETTERS])
{
  pl_text text = {""};
  size_t n = 0;
  for (const char *f = formula; *f && n < sizeof text.s; f++) {
    const char *letter = strchr(letters, *f);
    n += (size_t)snprintf(text.s + n, sizeof text.s - n, "%.*s", letter ? PL_PLACE : 1,
                          letter ? word[letter - letters] : f);
  }
  return text;
}

void pl_print_layout_macro(pl_string *text)
{
  static const char *const words[] = {"(e)",      "(c)",    "(dim)",          "(size)",
                                      "(layout)", "(pack)", "((c) / (pack))", "((c) % (pack))"};
  pl_string_add(text, "#define PL_AT(e, c, dim, layout, pack, size) \\\n  ((layout) == %d ? %s : \\\n",
                PL_AOS, fill(together, words).s);
  pl_string_add(text, "   (layout) == %d ? %s : \\\n", PL_SOA, fill(apart_packed, words).s);
  pl_string_add(text, "   %s)\n", fill(tiled, words).s);
}

pl_text pl_text_of(const char *format, ...)
{
  pl_text text;
  va_list list;
  va_start(list, format);
  vsnprintf(text.s, sizeof text.s, format, list);
  va_end(list);
  return text;
}

static bool is_number(const char *text)
{
  return isdigit((unsigned char)*text);
}

static pl_text component(int first, const char *c)
{
  if (is_number(c)) return pl_text_of("%d", first + atoi(c));
  return first ? pl_text_of("(%d + %s)", first, c) : pl_text_of("%s", c);
}

static const char *formula_of(const pl_place *p)
{
  if (p->dim == 1) return single;
  if (p->layout.tile == PL_AOS) return together;
  if (p->layout.tile != PL_SOA) return tiled;
  return p->layout.pack > 1 ? apart_packed : apart;
}

/* One factor of each product of a wide index is wide. */
static pl_text index_of(const pl_place *p, const char *c)
{
  const int pack = p->layout.pack;
  const bool known = is_number(c);
  const char *cast = p->wide ? "(int64_t)" : "",
             *of_record = p->layout.tile == PL_SOA || p->dim == 1 ? "" : cast,
             *of_value = p->layout.tile == PL_SOA ? cast : "";
  const pl_text record = pl_text_of("%s%s", of_record, p->record), value = pl_text_of("%s%s", of_value, c),
                dim = pl_text_of("%d", p->dim), tile = pl_text_of("%d", p->layout.tile),
                packed = pl_text_of("%d", pack),
                quotient =
                  known ? pl_text_of("%s%d", of_value, atoi(c) / pack) : pl_text_of("%s / %d", value.s, pack),
                rest = known ? pl_text_of("%d", atoi(c) % pack) : pl_text_of("%s %% %d", c, pack);
  const char *const words[] = {record.s, value.s, dim.s, p->size, tile.s, packed.s, quotient.s, rest.s};
  return fill(formula_of(p), words);
}

pl_text pl_value_at(pl_place p, const char *c)
{
  const pl_text at = component(p.first, c);
  if (p.kind == PL_NUMBER) return pl_text_of("%s", p.array);
  if (p.kind == PL_ARRAY) return pl_text_of("%s%s[%s]%s", p.before, p.array, at.s, p.after);
  if (p.kind == PL_LANES) return pl_text_of("%s%s[%s][%s]%s", p.before, p.array, at.s, p.record, p.after);
  return pl_text_of("%s%s[%s]%s", p.before, p.array, index_of(&p, at.s).s, p.after);
}

pl_text pl_value_number(pl_place place, int c)
{
  return pl_value_at(place, pl_text_of("%d", c).s);
}

pl_place pl_place_of(pl_place_kind kind, const char *array, ...)
{
  pl_place place = {.kind = kind, .record = "pl_l"};
  va_list list;
  va_start(list, array);
  vsnprintf(place.array, sizeof place.array, array, list);
  va_end(list);
  return place;
}

pl_place pl_record_at(pl_place p, const char *record)
{
  snprintf(p.record, sizeof p.record, "%s", record);
  return p;
}

pl_place pl_whole_record(pl_place p)
{
  p.first = 0;
  return p;
}

pl_place pl_read_as(pl_place p, const char *before, const char *after)
{
  snprintf(p.before, sizeof p.before, "%s", before);
  snprintf(p.after, sizeof p.after, "%s", after);
  return p;
}
