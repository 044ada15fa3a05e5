#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# plait trace: the sums of a trace of known times, those of a program, and files that are no trace.
#   summary.sh PLAIT PROGRAM FOLDER
set -eu
plait=$1 program=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

wrong() { cat out >&2; echo "$*" >&2; exit 1; }
summary() { # status, words: runs plait trace
  expected=$1 status=0
  shift
  "$plait" trace "$@" >out 2>&1 || status=$?
  [ $status = "$expected" ] || wrong "plait trace $*: status $status, not $expected"
}
expect() { tr -s ' ' <out | sed 's/ $//' | grep -qxF -- "$1" || wrong "no line \"$1\""; }

event() { # rank, track, name, begin, duration, set, bytes
  printf ',\n{"ph":"X","pid":%d,"tid":%d,"cat":"any","name":"%s","ts":%s,"dur":%s,"args":{"set":"%s","bytes":%s}}' "$@"
}
{
  printf '{"displayTimeUnit":"ns","traceEvents":[\n{"ph":"M","pid":0,"tid":0,"name":"process_name","args":{"name":"rank 0"}}'
  event 0 1 flux 1000.000 250.000 edges 1000000
  event 1 1 flux 1250.000 750.000 edges 1000000
  event 0 1 flux 1500.000 10.000 cells 0
  event 1 1 'a\\\"b\u0009' 1990.000 1010.000 cells 0
  event 1 6 blocks 1100.500 0.250 edges 0
} >open.json
{ cat open.json; printf '\n]}\n'; } >closed.json
summary 0 closed.json
expect '5 events on 2 ranks in 2.000 ms'
expect 'flux edges 2 1.000 25.0% 500.000 750.000 2.00'
expect 'flux cells 1 0.010 0.2% 10.000 10.000'
expect "$(printf 'a\\"b\t cells 1 1.010 25.2%% 1010.000 1010.000')"
expect 'blocks edges 1 0.000 0.0% 0.250 0.250'
[ "$(grep -n 'a\\"b' out | cut -d: -f1)" -lt "$(grep -n flux out | head -1 | cut -d: -f1)" ] || wrong 'the longest is not first'

PLAIT_CACHE_DIR="$folder/cache" PLAIT_BACKEND=seq PLAIT_TRACE=real.json "$program"
summary 0 real.json
for line in 'a "step" 3' 'flux edges 3' 'advance cells 3'; do
  tr -s ' ' <out | grep -q "^$line " || wrong "no line \"$line\""
done

fails() { # file, text
  summary 1 "$1"
  [ "$(wc -l <out)" = 1 ] || wrong "$1: not one sentence"
  expect "plait trace: $1: $2"
}
: >empty.json
{ cat open.json; printf ',\n{"ph":"X"}\n]}\n'; } >other.json
{ cat open.json; printf ',\n'; } >broken.json
fails empty.json 'not a complete trace: did the program call pl_finalize?'
fails broken.json 'not a complete trace: did the program call pl_finalize?'
fails other.json 'a line is not an event that Plait writes'
fails missing.json 'No such file or directory'
summary 2
