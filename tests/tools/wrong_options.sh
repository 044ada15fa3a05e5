#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Wrong options end a program with one line that begins with its name. Usage: wrong_options.sh PROGRAM...
set -eu

fail() { echo "wrong_options: $*" >&2; exit 1; }

for program; do
  name=${program##*/}
  for option in --no-such-option an-argument --plait-backend=none-such --plait-no-such-option=1; do
    status=0
    said=$("$program" "$option" 2>&1 </dev/null) || status=$?
    [ $status = 1 ] || [ $status = 2 ] || fail "$name $option ends with status $status"
    [ "$(echo "$said" | wc -l)" = 1 ] || fail "$name $option prints several lines: $said"
    case $said in "$name: "*) ;; *) fail "$name $option prints: $said" ;; esac
  done
done
