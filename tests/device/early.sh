#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Launches that start early, by the fake driver of CUDA: some in loops one by one and in chains, none behind other
# work than a kernel, none with PLAIT_EARLY=0.
#   early.sh FOLDER-OF-THE-FAKE AIRFOIL
set -u
run() {
  counts=$(LD_LIBRARY_PATH="$1" PLAIT_BACKEND=cuda PLAIT_CACHE_SIZE=0 PLAIT_EARLY=$2 "$3" --size 200x300 --iterations 4 $4 \
    2>&1 >/dev/null | grep "^fake CUDA:")
  echo "$4 PLAIT_EARLY=$2: $counts"
}
for mode in "" --chain; do
  run "$1" 1 "$2" "$mode"
  echo "$counts" | grep -q " [1-9][0-9]* early, 0 of them" || exit 1
  run "$1" 0 "$2" "$mode"
  echo "$counts" | grep -q " 0 early" || exit 1
done
