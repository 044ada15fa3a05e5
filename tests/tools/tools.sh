#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Tools that are attached at run time.
#   tools.sh CASE PROGRAM LIBRARIES FOLDER [MPIEXEC...]   (the last word of MPIEXEC takes the number of ranks)
set -eu
part=$1 program=$2 libraries=$3 folder=$4 here=$(dirname "$0")
shift 4
rm -rf "$folder"
mkdir -p "$folder"
export PLAIT_CACHE_DIR="$folder/cache" EVENT_LOG="$folder/log" OMP_NUM_THREADS=1

wrong() { echo "$*" >&2; exit 1; }
expect() { # file, text
  grep -qF -- "$2" "$1" || { cat "$1" >&2; wrong "no \"$2\" in $1"; }
}
count() { [ "$(grep -c -- "$2" "$1")" = "$3" ] || { cat "$1" >&2; wrong "$1: not $3 times \"$2\""; }; }

# The begins and ends of an event log match as brackets do.
nested() {
  awk '$1 == "begin" { stack[++n] = $2 " " $3 }
    $1 == "end" && ($2 " " $3 != stack[n--] || $4 < 0) { print "line " NR ": " $0; bad = 1 }
    END { exit bad || n != 0 || NR == 0 }' "$1" >&2 || wrong "$1: events do not nest"
}
# The lines "begin KIND NAME|SET|BYTES" of loops and regions, in order.
loops() { sed -n 's/^begin \(loop\|region\) [0-9]* /\1 /p' "$1"; }

steps() { # bytes of flux, bytes of advance
  for _ in 1 2 3; do printf 'region a "step"||0\nloop flux|edges|%s\nloop advance|cells|%s\n' "$1" "$2"; done
  echo 'region open||0'
}

case $part in
  log)
    PLAIT_BACKEND=seq PLAIT_TOOLS="$libraries/event_log.so" "$program"
    nested "$EVENT_LOG.0"
    loops "$EVENT_LOG.0" >"$folder/loops"
    steps 1280 1280 | diff - "$folder/loops"  # flux: 2 x 320 for sum, 320 for x, 320 for the map
    count "$EVENT_LOG.0" '^begin compile [0-9]* flux' 1
    PLAIT_LAZY=1 PLAIT_BACKEND=seq PLAIT_TOOLS="$libraries/event_log.so" "$program"
    nested "$EVENT_LOG.0"
    loops "$EVENT_LOG.0" | diff "$folder/loops" -
    count "$EVENT_LOG.0" '^begin replay [0-9]* recorded loops' 3
    ;;
  profile) # one-time work, and no line for a loop
    PLAIT_PROFILE=1 PLAIT_BACKEND=seq "$program" 2>"$folder/profile"
    sed '1,/^set-up/d' "$folder/profile" >"$folder/work"
    count "$folder/work" '^declare map  *1  *[0-9]*\.[0-9]*$' 1
    count "$folder/work" '^compile  *[1-9]' 1
    count "$folder/work" flux 0
    PLAIT_BACKEND=seq "$program" 2>"$folder/profile"
    count "$folder/profile" '^set-up' 0
    ;;
  kokkos)
    PLAIT_BACKEND=seq PLAIT_TOOLS="$libraries/connector.so;$libraries/event_log.so" "$program"
    [ "$(head -1 "$EVENT_LOG")" = 'init 0 20211015 0' ] && [ "$(tail -1 "$EVENT_LOG")" = finalize ] || wrong "no init or finalize"
    count "$EVENT_LOG" '^begin flux 0 ' 3
    count "$EVENT_LOG" '^push a "step"$' 3
    expect "$EVENT_LOG" 'push compile: flux'
    [ "$(grep -c '^push' "$EVENT_LOG")" = "$(grep -c '^pop' "$EVENT_LOG")" ] || wrong "regions do not match"
    awk '$1 == "begin" { id = $4 } $1 == "end" && $2 != id { exit 1 }' "$EVENT_LOG" || wrong "ids do not match"
    nested "$EVENT_LOG.0"
    ;;
  nvtx)
    LD_LIBRARY_PATH="$libraries" PLAIT_BACKEND=seq PLAIT_TOOLS=nvtx "$program"
    count "$EVENT_LOG" '^push flux$' 4 # a compilation and three loops
    [ "$(grep -c '^push' "$EVENT_LOG")" = "$(grep -c '^pop' "$EVENT_LOG")" ] || wrong "ranges do not match"
    ;;
  errors)
    export PLAIT_BACKEND=seq
    fails() { # options, text
      ! env "$1" "$program" 2>"$folder/message" || wrong "$1 is no error"
      [ "$(wc -l <"$folder/message")" = 1 ] || { cat "$folder/message" >&2; wrong "$1: not one sentence"; }
      expect "$folder/message" "$2"
    }
    fails "PLAIT_TOOLS=$folder/missing.so" "option tools: \"$folder/missing.so\" cannot be loaded: "
    fails "PLAIT_TOOLS=$libraries/plain.so" 'exports neither plait_tool_open nor functions of Kokkos Tools'
    fails "PLAIT_TRACE=$folder/missing/trace.json" "cannot be created: No such file or directory"
    EVENT_LOG=$folder/missing/log fails "PLAIT_TOOLS=$libraries/event_log.so" 'plait_tool_open of'
    ;;
  trace)
    command -v python3 >/dev/null || exit 77
    PLAIT_BACKEND=seq PLAIT_TRACE="$folder/trace.json" "$program"
    python3 "$here/trace.py" "$folder/trace.json" 1 0
    ;;
  ranks)
    command -v python3 >/dev/null || exit 77
    export PLAIT_BACKEND=seq PLAIT_TRACE="$folder/trace.json" PLAIT_TOOLS="$libraries/event_log.so"
    "$@" 3 "$program"
    python3 "$here/trace.py" "$folder/trace.json" 3 0
    for rank in 0 1 2; do
      nested "$EVENT_LOG.$rank"
      expect "$EVENT_LOG.$rank" ' x|cells|16' # the halo of x, to two neighbours
    done
    ;;
  opencl | cuda | hip)
    command -v python3 >/dev/null || exit 77
    export PLAIT_BACKEND=$part PLAIT_TRACE="$folder/trace.json" PLAIT_TOOLS="$libraries/event_log.so:$libraries/connector.so"
    "$program" 2>"$folder/message" || { status=$?; cat "$folder/message" >&2; exit $status; }
    python3 "$here/trace.py" "$folder/trace.json" 1 1
    nested "$EVENT_LOG.0"
    expect "$EVENT_LOG.0" ' x|cells|320'
    count "$EVENT_LOG.0" '^begin download' 1
    expect "$EVENT_LOG" "copy Host x $part x 320"
    expect "$EVENT_LOG" "copy $part x Host x 320"
    ;;
esac
