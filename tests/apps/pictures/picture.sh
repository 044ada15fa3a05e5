#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A program draws a valid picture, the same on one rank and on two, and prints no progress into a file. Exit status 77:
# python3 is not installed.
#   picture.sh FOLDER PNG_READER "LAUNCHER FLAG" PROGRAM OPTIONS...
set -eu
folder=$1 reader=$2 launcher=$3
shift 3
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
rm -rf "$folder" && mkdir -p "$folder"

"$@" --picture "$folder/one.png" 2>"$folder/errors" >/dev/null
[ ! -s "$folder/errors" ] || { cat "$folder/errors" >&2; exit 1; }
python3 "$reader" "$folder/one.png"
case $launcher in
  [!\ ]*)
    # shellcheck disable=SC2086
    $launcher 2 "$@" --picture "$folder/two.png" >/dev/null
    cmp "$folder/one.png" "$folder/two.png" ;;
  *) echo "two ranks: skipped, there is no MPI launcher" ;;
esac
if "$@" --picture "$folder/absent/a.png" 2>"$folder/errors" >/dev/null; then exit 1; fi
grep -q 'absent/a.png: No such file' "$folder/errors"
