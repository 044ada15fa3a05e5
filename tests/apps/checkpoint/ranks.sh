#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ranks.sh AIRFOIL FOLDER MPIEXEC FLAG BACKENDS...: on two ranks of each backend a run that stops and continues from its checkpoint
# ends with the same bits as one that does not stop.
set -eu
airfoil=$1 folder=$2 mpiexec=$3 flag=$4
shift 4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export PLAIT_REPRODUCIBLE=1 OMP_NUM_THREADS=2

fail() {
  echo "ranks.sh: $*" >&2
  cat out >&2
  exit 1
}

run() { # iterations, checkpoint, result
  "$mpiexec" "$flag" 2 "$airfoil" --size 12x18 --iterations "$1" --checkpoint "$2" --checkpoint-every 10 \
    --json result.json >out 2>&1 && grep '"hash"' result.json >"$3"
}

for backend; do
  export PLAIT_BACKEND=$backend
  rm -f whole.h5 stopped.h5
  if ! run 40 whole.h5 whole.txt; then
    if grep -q "libplait-hdf5" out; then echo "skipped: $(cat out)" && exit 77; fi
    if [ $backend = opencl ]; then echo "skipped: $backend: $(head -n 1 out)" && continue; fi
    fail "$backend fails"
  fi
  run 20 stopped.h5 stopped.txt || fail "$backend fails before it stops"
  ! cmp -s whole.txt stopped.txt || fail "$backend: 20 steps more change nothing"
  run 40 stopped.h5 stopped.txt || fail "$backend does not continue"
  grep -q "continues after step 20" out || fail "$backend does not continue"
  cmp -s whole.txt stopped.txt || fail "$backend: other bits after a stop"
  echo "two ranks of $backend: the same bits after a stop"
done
