#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The output and exit status of the program `plait`. Usage: program.sh PROGRAM
set -u

plait=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

wrong() { echo "plait: $*" >&2; cat "$work/out" "$work/err" >&2; bad=1; }

# status, arguments...: runs it and compares its exit status.
run() {
  wanted=$1
  shift
  "$plait" "$@" >"$work/out" 2>"$work/err"
  got=$?
  [ $got -eq "$wanted" ] || wrong "\"$*\" ends with $got, expected $wanted"
}
says() { grep -qE -e "$1" "$work/out" || wrong "does not say \"$1\""; }
complains() { grep -qE -e "$1" "$work/err" || wrong "does not complain \"$1\""; }

for name in $(env | sed -n 's/^\(PLAIT_[A-Z_]*\)=.*/\1/p'); do unset "$name"; done
export PLAIT_CACHE_DIR="$work/cache" PLAIT_BACKEND=seq

run 0 info
says '^plait [0-9]+\.[0-9]+\.[0-9]+$'
says '^  seq +yes, in use$'
for backend in seq openmp cuda hip opencl; do says "^  $backend +(yes|no: ....)"; done
says "$work/cache"
says '^  PLAIT_BACKEND +seq +where loops run$'
says '^compiler of host code$'
[ ! -s "$work/err" ] || wrong "info complains"
# An available backend other than those of the host lists a device.
for backend in cuda hip opencl; do
  if grep -qE "^  $backend +yes" "$work/out"; then
    says '^ +[0-9:]+ +[^ ]'
    says 'doubles: (yes|no); atomics of 64 bits: (yes|no)$'
    PLAIT_BACKEND=$backend PLAIT_DEVICE='no such device' run 1 info
    complains 'option device: .*no such device.* there is [0-9]'
    says '^  seq +yes$'
    run 0 info
  else
    PLAIT_BACKEND=$backend run 1 info
    complains "backend \"$backend\" cannot be used"
    says '^  seq +yes$'
    run 0 info
  fi
done

# Processes of one machine use different devices; PoCL creates a configurable number.
if grep -qE '^ +[0-9:]+ +pthread' "$work/out"; then
  for rank in 0 1 2; do
    POCL_DEVICES="pthread pthread" OMPI_COMM_WORLD_LOCAL_RANK=$rank PLAIT_BACKEND=opencl PLAIT_VERBOSE=1 run 0 info
    complains "backend opencl on device 0:$((rank % 2)),"
  done
  POCL_DEVICES="pthread pthread" OMPI_COMM_WORLD_LOCAL_RANK=0 PLAIT_DEVICE=0:1 PLAIT_BACKEND=opencl PLAIT_VERBOSE=1 run 0 info
  complains 'backend opencl on device 0:1,'
  run 0 info
fi

mkdir "$work/cache" && head -c 3000000 /dev/zero >"$work/cache/file"
run 0 info
says 'cache: 1 files, 3\.0 of at most 1024 MB$'
PLAIT_CACHE_SIZE=0 run 0 info
says '^  none: PLAIT_CACHE_SIZE is 0$'
PLAIT_CC=no-such-compiler run 0 info
says 'none: "no-such-compiler" does not answer'

run 0 options
says '^  PLAIT_LAYOUT +auto '
! grep -q '^backends' "$work/out" || wrong "options lists backends"
run 0 options --plait-layout=soa
says '^  PLAIT_LAYOUT +soa '
run 1 options --plait-layout=sideways
complains 'layout'
run 0 --version
says '^plait [0-9.]+$'
run 0 --help
says '^usage: plait'
run 2
complains '^usage: plait'
run 2 inform
run 2 info options
exit $bad
