#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# walk.sh WALK PLAIT BACKEND [LAUNCHER...]: the program walk on a backend, or on ranks. Random numbers belong to the
# particles, so the number of remaining particles is always the same.
set -eu
walk=$1 plait=$2 backend=$3
shift 3
if ! "$plait" info 2>/dev/null | grep -q "^  $backend  *yes"; then
  echo "skipped: backend $backend is not available"
  exit 77
fi
export PLAIT_BACKEND=$backend
run() {
  "$@" --side 20 --particles 5000 --steps 8 --length 0.1 --check
}
run "$@" "$walk" | tee /dev/stderr | grep -q "^walk: 4973 of 5000 "
"$@" "$walk" --side 3 --particles 7 --steps 3 --check | grep -q "ok$"
"$@" "$walk" --side 10 --particles 300 --steps 20 --length 0.2 --inject --check | tee /dev/stderr | grep -q "^walk: 300 of 300 "
if "$walk" --length -1 2>/dev/null; then exit 1; fi
