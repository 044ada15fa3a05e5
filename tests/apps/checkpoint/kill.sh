#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# kill.sh AIRFOIL MD KILLS FOLDER: runs both programs with checkpoints and kills each KILLS times with SIGKILL after random
# times of a fixed seed. Every run continues from the last checkpoint; the step never decreases; a completed run ends with
# the same bits as one that was not killed.
set -eu
airfoil=$1 md=$2 kills=$3 folder=$4
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export PLAIT_BACKEND="${PLAIT_BACKEND:-seq}" PLAIT_REPRODUCIBLE=1 OMP_NUM_THREADS=2

fail() {
  echo "kill.sh: $*" >&2
  cat out >&2
  exit 1
}

# The final state of a program, in text.
run() { # program, checkpoint, result
  case $1 in
    airfoil)
      "$airfoil" --size 12x18 --iterations 60 --checkpoint "$2" --checkpoint-every 1 --json result.json >out 2>&1 &&
        grep '"hash"' result.json >"$3"
      ;;
    md) "$md" --n 256 --steps 60 --checkpoint "$2" --checkpoint-every 1 --dump "$3" >out 2>&1 ;;
  esac
}

for program in airfoil md; do
  if ! run $program whole.h5 whole.txt; then
    ! grep -q "libplait-hdf5" out || { echo "skipped: $(cat out)"; exit 77; }
    fail "$program fails without a kill"
  fi
  rm whole.h5
  killed=0 completed=0 torn=0 trial=0 step=0 status=1
  while [ $killed -lt "$kills" ] || [ $status != 0 ]; do
    trial=$((trial + 1))
    if [ $killed -lt "$kills" ]; then
      delay=$(awk -v seed=$trial 'BEGIN { srand(seed); print 0.15 * rand() }')
      status=0
      case $program in
        airfoil) set -- "$airfoil" --size 12x18 --iterations 60 --json result.json ;;
        md) set -- "$md" --n 256 --steps 60 --dump killed.txt ;;
      esac
      "$@" --checkpoint killed.h5 --checkpoint-every 1 >out 2>&1 &
      process=$!
      sleep "$delay"
      kill -KILL $process 2>/dev/null || true
      wait $process || status=$? # from here on the process does not exist, and its file may be removed
      [ $program = md ] || [ $status != 0 ] || grep '"hash"' result.json >killed.txt
    else
      status=0
      run $program killed.h5 killed.txt || status=$?
    fi
    now=$(sed -n 's/.*continues after step //p' out)
    if [ "$now" ]; then
      [ "$now" -ge $step ] || fail "$program: step $now after step $step"
      step=$now
    fi
    case $status in
      137) killed=$((killed + 1)) ;;
      0)
        cmp -s whole.txt killed.txt || fail "$program: another result after $trial runs"
        completed=$((completed + 1)) step=0
        rm -f killed.h5 killed.txt result.json
        ;;
      *) fail "$program: status $status after $killed kills" ;;
    esac
    left=$(find . -name "killed.h5.tmp-*" | wc -l) # of the last write that was killed; the next one removes it
    [ "$left" -le 1 ] || fail "$program: $left unfinished files"
    [ $status != 137 ] || torn=$((torn + left))
  done
  echo "$program: $killed kills, $torn of them during a write, $completed runs completed, all with the same bits"
done
