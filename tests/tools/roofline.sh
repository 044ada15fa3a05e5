#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# plait roofline: rates are measured and kept; loops of a profile beside them; the profile's share of the triad.
#   roofline.sh PLAIT PROGRAM FOLDER
set -eu
plait=$1 program=$2 folder=$3
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
export PLAIT_BACKEND=seq PLAIT_CACHE_DIR="$folder/cache"
wrong() { echo "$*" >&2; exit 1; }
has() { grep -q -- "$2" "$1" || { cat "$1" >&2; wrong "$1 has no line \"$2\""; }; }

PLAIT_PROFILE=1 "$program" 2>before
has before '% triad$'
has before '^flux .* -$'
has before 'run once: plait roofline'

"$plait" roofline >measured
has measured '^seq, 1 thread: triad [0-9.]*[1-9][0-9.]* GB/s, multiply-adds [0-9.]*[1-9][0-9.]* GFLOP/s in double precision$'
[ "$(wc -l <cache/rates)" = 1 ] || wrong "rates: $(cat cache/rates)"
PLAIT_PROFILE=1 "$program" 2>after
has after '^flux .*[0-9]\.[0-9]$'
if grep -q 'plait roofline' after; then wrong "the rates are known"; fi

# Known rates: 2 GB/s and 4 GFLOP/s; a loop with 8 GFLOP/s over 1 GB/s is limited by arithmetic.
echo "2000 4000 $(uname -n) seq 1 " >cache/rates
cat >profile.json <<'JSON'
{"loops": [
  {"name": "move", "set": "cells", "variant": "", "calls": 4, "seconds": 1, "ms_per_call": 250, "setup_seconds": 0, "gbytes_per_s": 1, "gflops": 0.5},
  {"name": "work", "set": "cells", "variant": "", "calls": 4, "seconds": 3, "ms_per_call": 750, "setup_seconds": 0, "gbytes_per_s": 0.5, "gflops": 3},
  {"name": "region", "set": "", "variant": "", "calls": 1, "seconds": 9, "ms_per_call": 1, "setup_seconds": 0, "gbytes_per_s": 0, "gflops": 0}
]}
JSON
"$plait" roofline profile.json --picture roof.png >table
has table '^seq, 1 thread: triad 2.00 GB/s, multiply-adds 4.0 GFLOP/s in double precision$'
has table '^work  *3.0000  *75.0%  *6.000  *0.50  *3.00  *75.0%  arithmetic  *0.7500 s$'
has table '^move  *1.0000  *25.0%  *0.500  *1.00  *0.50  *50.0%  bandwidth  *0.5000 s$'
if grep -q region table; then wrong "a region is no loop"; fi
head -c 4 roof.png | grep -q PNG || wrong "roof.png is no PNG"

PLAIT_PROFILE=own.json "$program"
"$plait" roofline own.json >own
has own '^flux '
if "$plait" roofline absent.json 2>errors; then exit 1; fi
has errors 'absent.json: No such file'
echo '{"loops": []}' >empty.json
if "$plait" roofline empty.json 2>errors; then exit 1; fi
has errors 'empty.json: has no loops'
