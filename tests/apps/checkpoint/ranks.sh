#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ranks.sh AIRFOIL MD FOLDER MPIEXEC FLAG BACKENDS...: on two ranks of each backend a run that stops and continues from its
# checkpoint ends with the same bits as one that does not stop. The fluid of md moves particles between the ranks.
set -eu
airfoil=$1 md=$2 folder=$3 mpiexec=$4 flag=$5
shift 5
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export PLAIT_REPRODUCIBLE=1 OMP_NUM_THREADS=2

fail() {
  echo "ranks.sh: $*" >&2
  cat out >&2
  exit 1
}

run() { # program, iterations, checkpoint, result
  case $1 in
    airfoil)
      "$mpiexec" "$flag" 2 "$airfoil" --size 12x18 --iterations "$2" --checkpoint "$3" --checkpoint-every 10 \
        --json result.json >out 2>&1 && grep '"hash"' result.json >"$4"
      ;;
    md)
      "$mpiexec" "$flag" 2 "$md" --case melt --n 500 --steps "$2" --checkpoint "$3" --checkpoint-every 10 \
        --checkpoint-keep 1 --dump "$4" >out 2>&1
      ;;
  esac
}

stop_and_continue() { # program
  rm -f whole.h5* stopped.h5*
  if ! run "$1" 40 whole.h5 whole.txt; then
    if grep -q "libplait-hdf5" out; then echo "skipped: $(cat out)" && exit 77; fi
    if [ $backend = opencl ]; then echo "skipped: $backend: $(head -n 1 out)" && return; fi
    fail "$1 on $backend fails"
  fi
  run "$1" 20 stopped.h5 stopped.txt || fail "$1 on $backend fails before it stops"
  ! cmp -s whole.txt stopped.txt || fail "$1 on $backend: 20 steps more change nothing"
  run "$1" 40 stopped.h5 stopped.txt || fail "$1 on $backend does not continue"
  grep -q "continues after step 20" out || fail "$1 on $backend does not continue"
  cmp -s whole.txt stopped.txt || fail "$1 on $backend: other bits after a stop"
  echo "$1 on two ranks of $backend: the same bits after a stop"
}

for backend; do
  export PLAIT_BACKEND=$backend
  stop_and_continue airfoil
  stop_and_continue md
  # The last but one checkpoint is kept, and a run that continues from it gets there too.
  [ -e stopped.h5.1 ] || continue
  mv stopped.h5.1 stopped.h5
  run md 40 stopped.h5 stopped.txt && grep -q "continues after step 30" out || fail "md on $backend: no previous checkpoint"
  cmp -s whole.txt stopped.txt || fail "md on $backend: other bits from the previous checkpoint"
done
