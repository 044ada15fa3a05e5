#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ranks.sh MD MPIEXEC FLAG RANKS: energies of every case on several ranks against those of independent programs.
set -eu
run() {
  "$mpiexec" "$flag" "$ranks" "$md" "$@" --check
}
md=$1 mpiexec=$2 flag=$3 ranks=$4
run --case allpairs2d --n 500 --steps 25
run --case cells2d --n 500 --steps 100
run --case cells2d --n 10000 --steps 25
run --case periodic3d --n 2000 --steps 50
run --case melt --input lj500_init.txt --steps 100
