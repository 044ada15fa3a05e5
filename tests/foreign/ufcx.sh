#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The kernels in the source are those that plait_ufcx makes of their forms now; wrong input gives one sentence.
#   ufcx.sh SOURCE FOLDER
set -eu
source=$1 folder=$2
export FFCX="${FFCX:-ffcx}"
command -v "$FFCX" >/dev/null || { echo "skipped: no command ffcx (pip install fenics-ffcx, or set FFCX)"; exit 77; }
rm -rf "$folder"
mkdir -p "$folder"
wrong=0
for forms in "$source"/apps/*/*.py "$source"/tests/foreign/*.py; do
  kept=${forms%.py}.ufcx.c
  python3 "$source/cmake/plait_ufcx.py" "$forms" -o "$folder/now.c"
  if [ "$(grep 'Made by' "$kept")" != "$(grep 'Made by' "$folder/now.c")" ]; then
    echo "skipped: $kept was made with another version of FFCx"
  elif ! cmp -s "$kept" "$folder/now.c"; then
    echo "$kept is not what plait_ufcx.py makes of $forms"
    wrong=1
  fi
done

refuses() { # file, part of the sentence
  if python3 "$source/cmake/plait_ufcx.py" "$1" -o "$folder/x.c" 2>"$folder/message"; then
    echo "plait_ufcx.py takes $1"
    wrong=1
  elif ! grep -q "$2" "$folder/message" || [ "$(wc -l <"$folder/message")" != 1 ]; then
    cat "$folder/message"
    wrong=1
  fi
}
echo 'import nothing_of_that_name' >"$folder/bad.py"
echo 'int main(void) { return 0; }' >"$folder/other.c"
refuses "$folder/missing.py" "there is no file"
refuses "$folder/bad.py" "FFCx refuses"
refuses "$folder/other.c" "was not written by FFCx"
exit $wrong
