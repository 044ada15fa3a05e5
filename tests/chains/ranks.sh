#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Chains on ranks: the three forms of burgers have the bits of one rank and send no more than the loops; airfoil as
# a chain has the rms of its loops to 1e-12.
#   ranks.sh BURGERS AIRFOIL FOLDER MPIEXEC...        (the last word of MPIEXEC takes the number of ranks)
set -eu
burgers=$1 airfoil=$2 folder=$3
shift 3
mkdir -p "$folder"

hash_of() { sed -n 's/.*hash \([0-9a-f]*\)$/\1/p' "$1"; }
field() { sed -n "s/.*\"$2\": *\\([-+.0-9eE]*\\).*/\\1/p" "$1" | tail -1; }

"$burgers" --form loops --steps 60 > "$folder/one.txt"
for ranks in 2 3; do
  for form in loops inline precompute; do
    "$@" "$ranks" "$burgers" --form $form --steps 60 > "$folder/$form.txt"
    [ "$(hash_of "$folder/one.txt")" = "$(hash_of "$folder/$form.txt")" ] ||
      { echo "burgers, $form, on $ranks ranks: $(cat "$folder/$form.txt"), on one: $(cat "$folder/one.txt")"; exit 1; }
    sed -n 's/^rank 0 of .*: //p' "$folder/$form.txt" > "$folder/$form.sent"
    [ -s "$folder/$form.sent" ] && cmp "$folder/loops.sent" "$folder/$form.sent"
  done
done

"$airfoil" --size 20x30 --iterations 30 --json "$folder/one.json" > "$folder/out.txt"
for ranks in 1 3; do
  "$@" $ranks "$airfoil" --chain --size 20x30 --iterations 30 --json "$folder/chain.json" > "$folder/out.txt"
  awk "BEGIN { a = $(field "$folder/one.json" rms); b = $(field "$folder/chain.json" rms); d = a > b ? a - b : b - a
    print \"airfoil --chain, $ranks ranks: rms \" b \", difference \" d; exit !(a > 0 && d <= 1e-12 * a) }"
done
