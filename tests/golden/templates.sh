#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Hands each template file of loops to a C compiler, alone: with all conditions and with none. Every statement that a
# template names must be a template or printed by a function. Usage: templates.sh CC, in the top folder.
set -u

files=$(grep -l '^void \$' src/codegen/templates/*/*.inc)
conditions=$(sed -n 's/^#if !*\(\$.*\)/\1/p' $files | sort -u)
prefixes=$(grep -oh '\$\(if\|each\|for\)_[a-z_]*' $files | sort -u)
statements=$(sed -n 's/^.* *\(\$[a-z_]*\)();$/\1/p' $files | sort -u)
bad=0
for name in $statements; do
  grep -q "^void $name(void)" $files || grep -rq "{\"${name#$}\", .print = " src/codegen ||
    { echo "templates: nothing prints $name" >&2; bad=1; }
done
for on in 0 1; do
  for file in $files; do
    {
      cat tests/golden/template.h
      for name in $conditions; do printf '#ifndef %s\n#define %s %s\n#endif\n' "$name" "$name" $on; done
      for name in $prefixes; do echo "#define $name"; done
      for name in $statements; do echo "void $name(void);"; done
      echo "#line 1 \"$file\""
      cat "$file"
    } | "$1" -std=gnu11 -fdollars-in-identifiers -fsyntax-only -Wall -Werror -Wno-unused -Wno-unknown-pragmas -x c - || bad=1
  done
done
[ $bad = 0 ]
