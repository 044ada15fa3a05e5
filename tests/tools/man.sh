#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The manual pages of plait and of the apps are correct, and have each option; each app has --picture and --save. Exit status 77: mandoc is not installed.
#   man.sh APPS_FOLDER FOLDER PROGRAMS...
set -eu
apps=$1 folder=$2
shift 2
command -v mandoc >/dev/null || { echo "skipped: mandoc is not installed"; exit 77; }
rm -rf "$folder" && mkdir -p "$folder"
wrong() { echo "$*" >&2; exit 1; }

# Pages have no date, so that equal sources give equal files.
correct() { # page
  problems=$(mandoc -Tlint -Wwarning "$1" | grep -v 'missing date' || true)
  [ -z "$problems" ] || wrong "$problems"
}

correct "$apps/plait/plait.1"
[ $# -gt 10 ] || wrong "only $# programs"
for program; do
  page=$folder/$(basename "$program").1
  sh "$apps/common/man_page.sh" "$program" >"$page"
  correct "$page"
  mandoc -Tascii "$page" | sed 's/.\x08//g' >"$folder/text"
  "$program" --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p' >"$folder/options"
  [ "$(wc -l <"$folder/options")" -ge 2 ] || wrong "$program has no options"
  for option in --picture --save; do # of every app
    grep -q -x -- "$option" "$folder/options" || wrong "$program has no $option"
  done
  while read -r option; do
    grep -q -- "^ *$option\( \|\$\)" "$folder/text" || wrong "$page has no $option"
  done <"$folder/options"
done
