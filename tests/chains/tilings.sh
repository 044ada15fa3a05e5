#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What was found about tiles is remembered across processes: for the same loops on sets of the same size and as many
# threads, and for no others. A choice that was made once is tried once more, one that was made twice is not.
#   tilings.sh TILINGS FOLDER
set -eu
tilings=$1 PLAIT_CACHE_DIR=$2/cache
export PLAIT_CACHE_DIR PLAIT_BACKEND=openmp PLAIT_SHAPE=scalar PLAIT_OPTIMIZE=full OMP_NUM_THREADS=2
rm -rf "$2" && mkdir -p "$2"

# expect WORDS WIDTH RUNS
expect() {
  words=$1
  shift
  said=$("$tilings" "$@")
  case $said in $words) ;; *) echo "tilings $*, $OMP_NUM_THREADS threads: $said; expected $words" >&2; exit 1 ;; esac
}

expect "tried 0 known 0 untiled" 1000 5 # too few runs for trying to cost little
expect "tried 1 known 0 *" 1000 41
way=${said##* }
expect "tried 0 known 1 $way" 1000 1
expect "tried 0 known 0 untiled" 990 1
(OMP_NUM_THREADS=1 && expect "tried 0 known 0 untiled" 1000 1)
(PLAIT_TILE=1 && export PLAIT_TILE && expect "tried 0 known 1 untiled" 1000 41) # not asked to try, nor to forget
expect "tried 0 known 1 $way" 1000 1
expect "tried 1 known 1 *" 1000 41
[ "${said##* }" = "$way" ] || exit 0 # the machine is not of one mind: once more, then
expect "tried 0 known 1 $way" 1000 41
