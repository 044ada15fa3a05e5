#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# md.sh MD PLAIT BACKEND FOLDER: the program md on a backend. Energies of every case against those of independent
# programs; forces of a melt against LAMMPS's, to 1e-11 of the largest; a run from a dumped state goes on as it would
# have; what is wrong on the command line is said.
set -eu
md=$1 plait=$2 backend=$3 folder=$4
mkdir -p "$folder"

if ! PLAIT_BACKEND=$backend "$md" --case cells2d --n 4 --steps 0 >"$folder/$backend.out" 2>&1; then
  if "$plait" info 2>/dev/null | grep -q "^  $backend  *yes"; then
    cat "$folder/$backend.out"
    exit 1
  fi
  echo "skipped: backend $backend: $(cat "$folder/$backend.out")"
  exit 77
fi
export PLAIT_BACKEND=$backend

check() {
  echo "md $*"
  "$md" "$@" --check | grep -E "^check|lists$"
  "$md" "$@" --check >/dev/null
}
check --case allpairs2d --n 500 --steps 50
check --case cells2d --n 500 --steps 100
check --case periodic3d --n 2000 --steps 50
check --case melt --input lj500_init.txt --steps 100
case $backend in
  seq | openmp)
    check --case cells2d --n 10000 --steps 100
    check --case melt --input lj500_init.txt --steps 50 --list half
    PLAIT_SHAPE=scalar check --case melt --input lj500_init.txt --steps 50
    check --case periodic3d --n 2000 --steps 25 --precision single ;;
esac

# Forces, particle by particle; the state is the one after 100 steps of LAMMPS.
"$md" --case melt --input lj500_step100.txt --steps 0 --dump "$folder/$backend.txt" >/dev/null
awk '/^#/ { next }
  NR == FNR { for (a = 8; a <= 10; a++) { f[$1, a] = $a; if ($a * $a > most) most = $a * $a } next }
  { n++; for (a = 8; a <= 10; a++) { d = $a - f[$1, a]; if (d * d > worst) worst = d * d } }
  END {
    printf "forces of %d particles: within %.1e of the largest\n", n, sqrt(worst / most)
    exit !(n == 500 && worst <= 1e-22 * most)
  }' lj500_step100.txt "$folder/$backend.txt"

! "$md" --case melt --input nowhere.txt 2>"$folder/$backend.err" || exit 1
grep -q "nowhere.txt" "$folder/$backend.err"
