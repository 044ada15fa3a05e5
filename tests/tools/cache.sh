#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# plait cache: lists, verifies and clears entries that a program has made.
#   cache.sh PLAIT PROGRAM FOLDER
set -eu
plait=$1 program=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
export PLAIT_CACHE_DIR="$folder/cache" PLAIT_BACKEND=seq OMP_NUM_THREADS=1

wrong() { cat "$folder/out" >&2; echo "$*" >&2; exit 1; }
cache() { # status, words: runs plait cache
  expected=$1 status=0
  shift
  "$plait" cache "$@" >"$folder/out" 2>&1 || status=$?
  [ $status = "$expected" ] || wrong "plait cache $*: status $status, not $expected"
}
expect() { grep -q -- "$1" "$folder/out" || wrong "no \"$1\""; }
files() { (cd "$PLAIT_CACHE_DIR" && find . -type f | sort | xargs cksum); }

cache 0 list
expect 'no cache yet'
cache 2
cache 2 show
cache 2 list --older-than 3
cache 2 clear --older-than 0
cache 1 list --plait-nothing=1

"$program"
cache 0 list
expect '^[0-9a-f]\{16\}\.so  *[1-9][0-9]*  *0\.0  flux$'
expect '^[0-9a-f]\{16\}\.so  *[1-9][0-9]*  *0\.0  advance$'
expect ' entries, 0 unusable$'
cache 0 verify

# Entries that the loader does not take: verify names them and changes nothing, and the program makes them anew.
cd "$PLAIT_CACHE_DIR"
set -- ????????????????.so
[ $# -ge 2 ] || wrong "only $# entries"
for harm in truncate alter permit; do
  case $harm in
    truncate) head -c 5000 "$1" >short && chmod 700 short && mv short "$1" ;;
    alter) printf x | dd of="$1" bs=1 seek=4000 conv=notrunc 2>/dev/null ;;
    permit) chmod g+w "$1" ;;
  esac
  before=$(files)
  cache 1 verify
  [ $harm = permit ] && expect "^$1: others may write it$" || expect "^$1: damaged or truncated$"
  expect "^$# entries, 1 unusable$"
  cache 0 list
  expect "^$1 .*(.*)$"
  [ "$before" = "$(files)" ] || wrong "verify has changed files"
  "$program"
  cache 0 verify
done

# Only the cache's own files are removed, but not that of locks, which a process may hold.
mkdir 0123456789abcdef.so
for name in notes.txt 123.so 0123456789abcdef.so.old src/notes.c src/a-0123456789abcdef.csv .plait-new; do : >"$name"; done
: >.plait-old
touch -d '2 hours ago' .plait-old
touch -d '40 days ago' "$1"
cache 0 clear --older-than 30
expect '^1 entries and 0 sources removed$'
cache 0 clear
expect "^$(($# - 1)) entries and [1-9][0-9]* sources removed$"
find . -type f | sort >"$folder/left"
printf './%s\n' .lock .plait-new 0123456789abcdef.so.old 123.so notes.txt src/a-0123456789abcdef.csv src/notes.c | LC_ALL=C sort |
  diff - "$folder/left" >"$folder/out" || wrong 'not these files are left'
[ -d 0123456789abcdef.so ] || wrong 'a folder was removed'
