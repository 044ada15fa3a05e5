#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What pl_chain_print says of Burgers' step in its three forms, as text and as a graph, against the files beside this
# one (PLAIT_GOLDEN_UPDATE=1 rewrites them); and that the code kept for each form is what the print says.
#   stages.sh BURGERS FOLDER SCRATCH
burgers=$1 folder=$2 scratch=$3 bad=0 update=$PLAIT_GOLDEN_UPDATE
unset PLAIT_GOLDEN_UPDATE # no option of the library
rm -rf "$scratch" && mkdir -p "$scratch" || exit 1
complain() { echo "$*" >&2; bad=1; }

# compare NAME SUFFIX FROM FILES: the code of the difference from the first line like FROM on
compare() {
  cat "$4"* | sed -n "\\|$3|,\$p" | sed 's/_[0-9a-f]\{8\}\([( ".]\)/\1/; s|^#line .*/.*|#line|' >"$scratch/$1.$2"
  [ -z "$update" ] || cp "$scratch/$1.$2" "$folder/$1.$2"
  diff -u "$folder/$1.$2" "$scratch/$1.$2" >&2 || complain "$1.$2 differs"
}

for form in loops inline precompute; do
  for kind in txt dot; do
    PLAIT_BACKEND=seq PLAIT_SHAPE=scalar PLAIT_OPTIMIZE=full PLAIT_DUMP=$scratch/$form.code "$burgers" --form $form --steps 1 --print "$scratch/raw.$kind" \
      >"$scratch/log" || complain "burgers --form $form failed"
    sed 's/_[0-9a-f]\{8\} over/ over/' "$scratch/raw.$kind" >"$scratch/$form.$kind" # names of made loops end in a hash
    [ -z "$update" ] || cp "$scratch/$form.$kind" "$folder/$form.$kind"
    diff -u "$folder/$form.$kind" "$scratch/$form.$kind" >&2 || complain "$form.$kind differs"
  done
  code=$scratch/$form.code
  case $form in
  loops) set -- difference- advance- flux- ;;
  inline) set -- difference+flux- advance- ;;
  precompute) set -- flux+difference- advance- ;;
  esac
  compare "$form" c.txt '^#line [0-9]* "' "$code/$1"
  [ "$(find "$code" -type f | wc -l)" = $# ] || complain "$form: $(find "$code" -type f) is kept, expected $*"
  for name; do
    ls "$code/$name"* >/dev/null 2>&1 || complain "$form: no code of $name is kept"
  done
done
# the flux is computed twice for each point, without an array
grep -q 'u\[0\] \* u\[0\] / 2.0' "$scratch"/inline.code/difference+flux-* || complain "inline: the flux is not in its consumer"
grep -q 'dat "f"' "$scratch"/inline.code/* && complain "inline: f is still there"

# blocks of 128 need the flux at 130 points
PLAIT_BACKEND=opencl PLAIT_DUMP=$scratch/opencl "$burgers" --form precompute --steps 1 >"$scratch/log" 2>&1
if [ -d "$scratch/opencl" ]; then
  kept=$(ls "$scratch"/opencl/flux+difference-*)
  compare precompute cl.txt '^__kernel' "$kept" # two turns, of which all blocks fill the first
  grep -q '__local double block_[a-z0-9]*\[130\]' "$kept" || complain "precompute: no local array of 130"
  [ "$(grep -c '^ *barrier(' "$kept")" = 1 ] || complain "precompute: not one barrier"
else
  echo "OpenCL is not there: local memory is not looked at"
fi
exit $bad
