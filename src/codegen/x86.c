/* SPDX-License-Identifier: BSD-2-Clause
 * Lengths of instructions, after the opcode maps of the architecture's manual (Intel, volume 2, appendix A):
 * prefixes, an opcode of one of four maps, then by the opcode a ModRM byte with what it asks for, and an
 * immediate value.
 */
#include "x86.h"
#include <string.h>

enum { ONE_BYTE, MAP_0F, MAP_0F38, MAP_0F3A, MOST_PREFIXES = 4, LONGEST = 16 };

typedef struct instruction {
  size_t at; /* of the opcode */
  int map;
  bool vector; /* by VEX or EVEX */
  bool small;  /* prefix 66: immediates have 16 bits */
  bool wide;   /* REX.W */
  unsigned char opcode;
} instruction;

static bool is_prefix(unsigned char b)
{
  return b == 0x66 || b == 0x67 || b == 0xf2 || b == 0xf3 || b == 0xf0 || b == 0x2e || b == 0x36 ||
         b == 0x3e || b == 0x26 || b == 0x64 || b == 0x65;
}

/* Up to the opcode; `code` has LONGEST bytes. */
static void read_opcode(const unsigned char *code, instruction *x)
{
  *x = (instruction){.map = ONE_BYTE};
  while (x->at < MOST_PREFIXES && is_prefix(code[x->at])) x->small |= code[x->at++] == 0x66;
  if ((code[x->at] & 0xf0) == 0x40) x->wide = code[x->at++] & 8;
  const unsigned char *b = code + x->at;
  if (b[0] == 0xc5) x->vector = true, x->map = MAP_0F, x->at += 2;
  if (b[0] == 0xc4) x->vector = true, x->map = b[1] & 0x1f, x->at += 3;
  if (b[0] == 0x62) x->vector = true, x->map = b[1] & 7, x->at += 4;
  if (b[0] == 0x0f) x->map = b[1] == 0x38 ? MAP_0F38 : b[1] == 0x3a ? MAP_0F3A : MAP_0F;
  if (b[0] == 0x0f) x->at += x->map == MAP_0F ? 1 : 2;
  x->opcode = code[x->at];
}

static bool in(unsigned char op, int first, int last)
{
  return op >= first && op <= last;
}

static bool has_modrm(const instruction *x)
{
  unsigned char op = x->opcode;
  if (x->map != ONE_BYTE && x->map != MAP_0F) return true;
  if (x->map == MAP_0F)
    return x->vector ? op != 0x77
                     : !(in(op, 0x05, 0x0b) || in(op, 0x30, 0x37) || op == 0x77 || in(op, 0x80, 0x8f) ||
                         in(op, 0xa0, 0xa2) || in(op, 0xa8, 0xaa) || in(op, 0xc8, 0xcf));
  return (op < 0x40 && (op & 7) < 4) || op == 0x63 || op == 0x69 || op == 0x6b || in(op, 0x80, 0x8f) ||
         in(op, 0xc0, 0xc1) || in(op, 0xc6, 0xc7) || in(op, 0xd0, 0xd3) || in(op, 0xd8, 0xdf) ||
         in(op, 0xf6, 0xf7) || op >= 0xfe;
}

/* ModRM, SIB and displacement. */
static size_t modrm_length(const unsigned char *m)
{
  int mode = m[0] >> 6, base = m[0] & 7;
  bool sib = mode != 3 && base == 4;
  if (mode == 0 && (base == 5 || (sib && (m[1] & 7) == 5))) return 5u + sib;
  return 1u + sib + (mode == 1 ? 1u : mode == 2 ? 4u : 0u);
}

/* `reg` is the middle field of ModRM. */
static size_t immediate_length(const instruction *x, int reg)
{
  unsigned char op = x->opcode;
  size_t word = x->small ? 2 : 4;
  if (x->map == MAP_0F3A) return 1;
  if (x->map == MAP_0F)
    return in(op, 0x80, 0x8f) && !x->vector ? 4
                                            : in(op, 0x70, 0x73) || op == 0xa4 || op == 0xac || op == 0xba ||
                                                op == 0xc2 || in(op, 0xc4, 0xc6);
  if (x->map != ONE_BYTE) return 0;
  if (in(op, 0xb8, 0xbf)) return x->wide ? 8 : word;
  if (in(op, 0xa0, 0xa3)) return 8;
  if (op == 0xc2 || op == 0xca) return 2;
  if (op == 0xc8) return 3;
  if (op == 0xe8 || op == 0xe9) return 4;
  if (op == 0xf6 || op == 0xf7) return reg > 1 ? 0 : op == 0xf6 ? 1 : word;
  if ((op < 0x40 && (op & 7) == 5) || op == 0x68 || op == 0x69 || op == 0x81 || op == 0xa9 || op == 0xc7)
    return word;
  return (op < 0x40 && (op & 7) == 4) || in(op, 0x6a, 0x6b) || in(op, 0x70, 0x7f) || in(op, 0x80, 0x83) ||
         op == 0xa8 || in(op, 0xb0, 0xb7) || in(op, 0xc0, 0xc1) || op == 0xc6 || op == 0xcd ||
         in(op, 0xe0, 0xe7) || op == 0xeb;
}

/* Its length; 0: it is cut off. */
static size_t read_instruction(const unsigned char *code, size_t size, instruction *x)
{
  unsigned char all[LONGEST] = {0};
  memcpy(all, code, size < sizeof all ? size : sizeof all);
  read_opcode(all, x);
  const unsigned char *rest = all + x->at + 1;
  size_t length = x->at + 1 + immediate_length(x, rest[0] >> 3 & 7);
  if (has_modrm(x)) length += modrm_length(rest);
  return length <= size ? length : 0;
}

size_t pl_x86_length(const unsigned char *code, size_t size)
{
  instruction x;
  return read_instruction(code, size, &x);
}

bool pl_x86_contracts_pairs(const unsigned char *code, size_t size)
{
  static const unsigned char operations[] = {0x96, 0x97, 0xa6, 0xa7, 0xb6, 0xb7};
  instruction x;
  for (size_t length; (length = read_instruction(code, size, &x)); code += length, size -= length)
    if (x.vector && x.map == MAP_0F38 && memchr(operations, x.opcode, sizeof operations)) return true;
  return false;
}
